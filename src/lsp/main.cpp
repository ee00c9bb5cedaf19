#include <gmp.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>

#include "lsp/lsp.h"

namespace {

// A number that is larger than this is nobody's.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

void* allocate(std::size_t size) {
  void* memory = size > kMostBytes ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* reallocate(void* old, std::size_t, std::size_t size) {
  void* memory = size > kMostBytes ? nullptr : std::realloc(old, size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void release(void* memory, std::size_t) {
  std::free(memory);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--version") {
    std::cout << "leto-lsp " << LETO_VERSION << "\n";
    return 0;
  }
  signal(SIGPIPE, SIG_IGN);  // that the editor is gone shows where nothing more is read
  // Left alone, GMP ends the process where there is no memory.
  mp_set_memory_functions(allocate, reallocate, release);
  try {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return leto::lsp::serve({STDIN_FILENO, STDOUT_FILENO, self.parent_path().string()});
  } catch (const std::exception& problem) {
    std::cerr << "leto-lsp: internal error: " << problem.what() << "\n";
    return 5;
  }
}

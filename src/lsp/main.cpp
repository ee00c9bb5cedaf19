#include <fcntl.h>
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

// A file that is opened later must not take the place of a standard stream that is closed. Each is
// opened the wrong way round, so that using it fails as before.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--stdio") continue;  // as ever
    if (argument == "--version") {
      std::cout << "leto-lsp " << LETO_VERSION << "\n";
      return 0;
    }
    std::cerr
        << "leto-lsp: an editor starts it, with no options (or --stdio); there is --version\n";
    return 2;
  }
  occupy_standard_streams();
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

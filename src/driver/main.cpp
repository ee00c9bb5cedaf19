#include <fcntl.h>
#include <gmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>

#include "driver/driver.h"

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

// Where no memory is left in a place that cannot say so, such as a destructor.
[[noreturn]] void end_without_memory() {
  try {
    if (const std::exception_ptr problem = std::current_exception())
      std::rethrow_exception(problem);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kText = "leto: error: out of memory; nothing is known\n";
    (void)!write(STDERR_FILENO, kText.data(), kText.size());
    _exit(static_cast<int>(leto::driver::ExitCode::Undecided));
  } catch (...) {
    // A mistake of ours.
  }
  std::abort();
}

// Where the executable is. Without /proc, as in a bare root, by the name that it was started by.
std::filesystem::path own_path() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return self;
  const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  const std::filesystem::path real = name == nullptr ? "" : std::filesystem::canonical(name, error);
  return error ? std::filesystem::path() : real;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace leto::driver;
  std::set_terminate(end_without_memory);
  occupy_standard_streams();
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing
  // Left alone, GMP ends the process where there is no memory.
  mp_set_memory_functions(allocate, reallocate, release);
  try {
    std::ios::sync_with_stdio(false);
    const std::filesystem::path self = own_path();
    Streams streams{std::cin,
                    std::cout,
                    std::cerr,
                    isatty(STDOUT_FILENO) != 0,
                    isatty(STDERR_FILENO) != 0,
                    self.parent_path().string(),
                    nullptr,
                    true};
    const ExitCode code = run(std::vector<std::string>(argv + 1, argv + argc), streams);
    return static_cast<int>(code);
  } catch (const std::bad_alloc&) {
    (void)!write(STDERR_FILENO, "leto: error: out of memory\n", 27);
    return static_cast<int>(ExitCode::Undecided);
  } catch (const std::exception& problem) {
    std::cerr << "leto: internal error: " << problem.what() << "\n";
    return static_cast<int>(ExitCode::Internal);
  }
}

#include <fcntl.h>
#include <gmp.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

#include "process/process.h"

namespace leto::process {

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

void prepare() {
  occupy_standard_streams();
  // Left alone, GMP ends the process where there is no memory.
  mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace leto::process

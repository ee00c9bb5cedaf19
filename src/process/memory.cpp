#include <unistd.h>

#include <cstdio>

#include "process/process.h"

namespace leto::process {

namespace {

std::uint64_t megabytes_of(long pages) {
  const long size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) >> 20;
}

}  // namespace

std::uint64_t memory_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long all = 0, resident = 0;
  const int read = std::fscanf(file, "%ld %ld", &all, &resident);
  (void)std::fclose(file);
  return read == 2 ? megabytes_of(resident) : 0;
}

std::uint64_t memory_of_machine() {
  return megabytes_of(sysconf(_SC_PHYS_PAGES));
}

}  // namespace leto::process

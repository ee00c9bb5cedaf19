// What an executable says about itself, and what becomes of numbers that are too large.
#include "process/process.h"

#include <fcntl.h>
#include <gmpxx.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <new>

namespace leto::process {

TEST(Process, TheExecutableLiesInItsDirectory) {
  const std::filesystem::path here = own_directory();
  EXPECT_TRUE(std::filesystem::exists(here / "process_unit")) << here;
}

TEST(Process, MemoryInUseIsLessThanThereIs) {
  EXPECT_GT(memory_in_use(), 0u);
  EXPECT_LT(memory_in_use(), memory_of_machine());
}

// GMP would end the process.
TEST(Process, ANumberWithoutMemoryIsAnException) {
  prepare();
  mpz_class number = 1;
  EXPECT_THROW(mpz_mul_2exp(number.get_mpz_t(), number.get_mpz_t(), std::size_t{1} << 36),
               std::bad_alloc);
}

// Else what is printed would end up in the first file that is opened.
TEST(Process, NoFileTakesThePlaceOfAClosedStream) {
  const pid_t child = fork();
  if (child == 0) {
    close(STDOUT_FILENO);
    prepare();
    const int opened = open("/dev/null", O_RDONLY);
    const bool writes = write(STDOUT_FILENO, "x", 1) == 1;
    _exit(opened != STDOUT_FILENO && !writes ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace leto::process

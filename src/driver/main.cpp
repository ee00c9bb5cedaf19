#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "driver/driver.h"
#include "process/process.h"

namespace {

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

}  // namespace

int main(int argc, char** argv) {
  using namespace leto::driver;
  std::set_terminate(end_without_memory);
  leto::process::prepare();
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing
  try {
    std::ios::sync_with_stdio(false);
    Streams streams{std::cin,
                    std::cout,
                    std::cerr,
                    isatty(STDOUT_FILENO) != 0,
                    isatty(STDERR_FILENO) != 0,
                    leto::process::own_directory(),
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

#include <unistd.h>

#include <exception>
#include <filesystem>
#include <iostream>

#include "driver/driver.h"

int main(int argc, char** argv) {
  using namespace leto::driver;
  try {
    std::ios::sync_with_stdio(false);
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    Streams streams{std::cin,
                    std::cout,
                    std::cerr,
                    isatty(STDOUT_FILENO) != 0,
                    isatty(STDERR_FILENO) != 0,
                    self.parent_path().string()};
    const ExitCode code = run(std::vector<std::string>(argv + 1, argv + argc), streams);
    std::cout.flush();
    return static_cast<int>(code);
  } catch (const std::exception& problem) {
    std::cerr << "leto: internal error: " << problem.what() << "\n";
    return static_cast<int>(ExitCode::Internal);
  }
}

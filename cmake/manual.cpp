// Writes the man page of leto to the standard output.
//   manual PAGE, with man/leto.1.in for PAGE
#include <fstream>
#include <iostream>
#include <iterator>

#include "driver/driver.h"

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::string problem = "it cannot be read";
  const auto filled = file ? leto::driver::manual(page, problem) : std::nullopt;
  if (filled) std::cout << *filled;
  if (!filled) std::cerr << "the man page: " << problem << "\n";
  return filled ? 0 : 1;
}

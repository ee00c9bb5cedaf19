// Random programs with recoveries: right ones, nearly right ones and wrong ones.
#pragma once

#include <string>

namespace leto::tests {

struct MadeProgram {
  std::string model;  // the models, with a constant p = RATE in the first one
  std::string text;   // the program itself; its last function is f(x, y)
  // A function that does what stands before the only recovery of f and its 'try', and returns
  // whether the check passes and then all that 'try' may have set; empty if there is none. Only of
  // a check with rates.
  std::string probe;
  [[nodiscard]] std::string whole(const std::string& rate = "0.125") const;
};

// By a seed. At most so many relaxed operations are met in one run, roughly.
[[nodiscard]] MadeProgram make_program(unsigned seed, unsigned sites);

}  // namespace leto::tests

// What speaks against a bound, and what it rests on. Of a statement it is gathered once, and is
// then part of what is gathered of many others; a function that is called twice by one that is
// called twice is not written out four times. Only the whole is added up, at the end.
#pragma once

#include <variant>
#include <vector>

#include "reliability/reliability.h"

namespace leto::reliability {

struct Item;
using Evidence = std::vector<Item>;

// What was gathered elsewhere.
struct Part {
  const Evidence* of;
  double times = 1;            // what is lost there is lost so often
  bool only_rests_on = false;  // what it rests on counts here, and nothing else of it
};
struct ReliesOn {
  core::FunctionId function;  // its clause
};
struct Recovers {
  std::size_t recovery;  // for which the rule was used
};
struct Item {
  std::variant<Problem, Share, ReliesOn, Recovers, Part> of;
};

// Into an analysis: problems and shares in the order in which they come first, each once.
void sum_up(const Evidence& all, Analysis& into);

}  // namespace leto::reliability

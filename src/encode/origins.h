// Where the terms of a question come from: what variables were at which moment, and what relaxed
// operations did in between. With it a solver's model can be read in the program's terms.
#pragma once

#include <memory>
#include <vector>

#include "core/core.h"
#include "encode/encode.h"
#include "encode/values.h"

namespace leto::encode {

// Both runs at one moment.
struct Moment {
  enum class Kind : std::uint8_t { Entry, Head, AfterLoop, AfterCall, Claim } kind = Kind::Entry;
  Span at;
  Values original, relaxed;
};

// What the model did at a site, if the path was taken.
struct Choice {
  core::StmtId statement;
  logic::Term path;
  logic::Term exact, outcome;
  std::vector<std::uint32_t> specifications;
  std::vector<logic::Term> allows;  // one for each: enabled, and as it ensures
  struct Changed {
    core::VarId var;
    logic::Term before, after;
  };
  std::vector<Changed> states;
};

struct Origins {
  std::shared_ptr<const Moment> from;  // the last moment at which anything was left open
  Moment now;                          // when the claim is to hold
  std::vector<Choice> choices;         // in between, in order
};

}  // namespace leto::encode

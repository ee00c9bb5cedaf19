// Native campaigns: a function of a program under a model, both runs in lockstep, as C++ in which
// every relaxed operation is a call of a hook. In: a program and which function. Out: a header and
// what says which places and reasons its numbers stand for, or a diagnostic (L0902) that names what
// cannot be injected natively. It does what the interpreter does, step by step and draw by draw; a
// comparison that doubles do not decide ends the run, which then says nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "core/core.h"

namespace leto::emit {

struct Injected {
  std::string header;  // all of it, with a `main` behind LETO_NATIVE_MAIN
  // What the numbers in its report stand for.
  std::vector<std::string> reasons;
  std::vector<Span> places;
  std::vector<core::StmtId> sites;
  // What it reads, in that order: a variable of one run, or of both.
  struct Input {
    core::VarId var;
    core::Side side;  // Open: the same in both
  };
  std::vector<Input> inputs;
};

[[nodiscard]] std::optional<Injected> emit_injection(const core::Program& program,
                                                     core::FunctionId function,
                                                     DiagnosticSink& sink);

}  // namespace leto::emit

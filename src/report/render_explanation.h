// An explanation as text: what happened, and what to do next. At most a screen, unless all of it
// is wanted.
#pragma once

#include <string>

#include "workbench/verifying.h"

namespace leto::report {

struct ExplanationStyle {
  bool full = false;
  bool colour = false;
  bool one_run = false;  // there are no two to be told apart, and no faults
  // What functions are called, if not by their names.
  workbench::KnownFunctions known_as = {};
};
[[nodiscard]] std::string render(const workbench::Verified& v, const prove::Claim& claim,
                                 const SourceStore& sources, const ExplanationStyle& style);

// Of a run that breaks a claim: its script, and the command that executes it again.
[[nodiscard]] std::string script_of(const workbench::Verified& v, const diagnose::Explanation& e);
[[nodiscard]] std::string rerun_command(const workbench::Verified& v,
                                        const diagnose::Explanation& e);

// What to do next, in one sentence or two.
[[nodiscard]] std::string advice(const workbench::Verified& v, const prove::Claim& claim,
                                 const SourceStore& sources, bool one_run = false);

}  // namespace leto::report

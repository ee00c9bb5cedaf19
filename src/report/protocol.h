// What is known of the claims of transition systems, for people and for machines.
#pragma once

#include <string>
#include <vector>

#include "base/base.h"
#include "transition/transition.h"

namespace leto::report {

struct DecidedClaim {
  const transition::System* system;
  std::size_t claim;
  transition::Decision decision;
  std::string model = {};  // that the system is under; empty: it is under none
  // What has to be known beside every verdict: what may be hidden, what is not proved of the
  // model, what is trusted.
  std::vector<std::string> remarks = {};
};

// "peterson.mcmt:3:1: query 1: valid by k-induction with k = 4, checked by z3 and cvc5, 0.03 s"
[[nodiscard]] std::string protocol_line(const DecidedClaim& decided, const SourceStore& sources);
// What goes with it: a trace, answers that were thrown away, what was tried.
[[nodiscard]] std::string protocol_details(const DecidedClaim& decided);
// Claims by models.
[[nodiscard]] std::string protocol_table(const std::vector<DecidedClaim>& all);
[[nodiscard]] std::string protocol_summary(const std::vector<DecidedClaim>& all);

// Steps are columns; a value stands where it changes.
[[nodiscard]] std::string trace_table(const transition::System& system,
                                      const transition::Claim& claim,
                                      const transition::Decision& decision);

[[nodiscard]] std::string protocol_json(const std::vector<DecidedClaim>& all,
                                        const SourceStore& sources);

}  // namespace leto::report

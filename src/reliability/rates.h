// How often an operation is exact, whatever happened before.
//
// A specification with a rate is taken with a chance of at most that, in every state. The exact
// specification has none and takes what the others leave. So an operation is exact with a chance of
//
//   1 - the sum of the rates of all its specifications that have one
//
// whichever of them are enabled and whatever they allow: guards that exclude one another, and
// outcomes that are right by accident, are not counted. That holds only if some specification
// without a rate is the operation itself, without a condition and without effects, and if there is
// no other one without a rate: of that nobody knows how often it is taken. Then nothing is known,
// and a problem says so.
#pragma once

#include <map>
#include <optional>

#include "core/core.h"
#include "reliability/reliability.h"

namespace leto::reliability {

class Rates {
 public:
  Rates(const core::Program& program, const Options& options)
      : program_(program), options_(options) {}

  // `value`: what the original run computes; invalid for a write, which stores what it is given.
  [[nodiscard]] Chance of_exact(const core::FaultSite& site, core::ExprId value, Span at,
                                std::vector<Problem>& problems) const;
  // The value of a number or of a constant that has one.
  [[nodiscard]] std::optional<Chance> constant(core::ExprId id) const;
  // How often something is repeated: not at all if the number is negative.
  [[nodiscard]] std::optional<std::uint64_t> count(core::ExprId id) const;

 private:
  [[nodiscard]] bool is_exact(const core::Specification& spec, core::ExprId value) const;
  [[nodiscard]] bool is_operation_itself(const core::Specification& spec, core::ExprId said,
                                         core::ExprId value) const;
  [[nodiscard]] bool names(core::ExprId id, core::VarId var) const;
  [[nodiscard]] std::string title(std::uint32_t index) const;

  const core::Program& program_;
  const Options& options_;
};

}  // namespace leto::reliability

// How large a rate may be.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "checks/checks.h"
#include "reliability/bounds.h"

namespace leto::checks {

// The largest value of a constant, in steps of a billionth, for which bounds hold, and with it for
// all that are smaller. For each value v the recoveries are proved anew, of a program in which the
// constant is anything from 0 to v: what was proved of its own value need not hold of others. A
// bound can only fall as a rate grows, so it is enough to look at v itself.
class RateSearch {
 public:
  using Holds = std::function<bool(const reliability::Options&)>;
  RateSearch(const core::Program& program, const reliability::Options& options,
             prove::Engine& engine, const RecoverySettings& settings)
      : program_(program), options_(options), engine_(engine), settings_(settings) {}

  // Nothing: they do not hold even if it is 0.
  [[nodiscard]] std::optional<std::string> largest(core::VarId constant, const Holds& holds);

 private:
  // What is known of recoveries for all values up to this one.
  using Knowledge = std::map<std::size_t, reliability::Known>;
  [[nodiscard]] const Knowledge& up_to(core::VarId constant, std::uint64_t billionths);
  [[nodiscard]] core::Program opened(core::VarId constant, std::uint64_t billionths) const;

  const core::Program& program_;
  const reliability::Options& options_;
  prove::Engine& engine_;
  RecoverySettings settings_;
  std::map<std::pair<core::VarId, std::uint64_t>, Knowledge> known_;
};

}  // namespace leto::checks

#include "checks/rate_search.h"

#include <fmt/core.h>

namespace leto::checks {

using reliability::Chance;

namespace {

constexpr std::uint64_t kOne = 1'000'000'000;  // billionths

Chance chance_of(std::uint64_t billionths) {
  return Chance(mpq_class(mpz_class(billionths), mpz_class(kOne)));
}

// The largest number up to `most` for which something holds that holds of 0 and of all below it.
template <class Holds>
std::uint64_t bisect(std::uint64_t low, std::uint64_t most, const Holds& holds) {
  std::uint64_t high = most + 1;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

core::Program RateSearch::opened(core::VarId constant, std::uint64_t billionths) const {
  core::Program copy = program_;
  for (core::ConstantVar& c : copy.constants)
    if (c.var == constant) c.value = {};
  // What is said of its own value need not be so of others: it is forgotten.
  std::erase_if(copy.constraints, [&](core::ExprId constraint) {
    bool about_it = false;
    core::for_each_read(copy, constraint, [&](core::VarId var, core::Side) {
      about_it = about_it || var == constant;
    });
    return about_it;
  });
  const core::Type real{core::Base::Real, false, 0}, truth{core::Base::Bool, false, 0};
  const Span at = copy.vars[constant].span;
  const core::ExprId value =
      copy.exprs.add({copy.vars[constant].type, at, core::VarRef{constant, core::Side::Open}});
  const core::ExprId zero = copy.exprs.add({real, at, core::NumberConst{"0"}});
  const core::ExprId most =
      copy.exprs.add({real, at, core::NumberConst{chance_of(billionths).text()}});
  copy.constraints.push_back(copy.exprs.add({truth, at, core::Apply{core::Op::Le, {zero, value}}}));
  copy.constraints.push_back(copy.exprs.add({truth, at, core::Apply{core::Op::Le, {value, most}}}));
  return copy;
}

const RateSearch::Knowledge& RateSearch::up_to(core::VarId constant, std::uint64_t billionths) {
  const auto [it, fresh] = known_.try_emplace({constant, billionths});
  if (!fresh) return it->second;
  if (settings_.trap == Trap::SolveKeepsChecks) return it->second = options_.recoveries;
  if (!options_.recovery_rule) return it->second;
  RecoverySettings settings = settings_;
  settings.examples = false;
  const core::Program program = opened(constant, billionths);
  return it->second = prove_recoveries(program, engine_, settings).known;
}

// Most proofs have nothing to do with the constant. So those for all values come first, and those
// for none but 0; only if the answer depends on which are used, proofs go along with the search.
std::optional<std::string> RateSearch::largest(core::VarId constant, const Holds& holds) {
  reliability::Options with = options_;
  const auto holds_at = [&](const Knowledge& known, std::uint64_t billionths) {
    with.recoveries = known;
    with.constants[constant] = chance_of(billionths);
    return holds(with);
  };
  const auto best_with = [&](const Knowledge& known) {
    return bisect(0, kOne, [&](std::uint64_t v) { return holds_at(known, v); });
  };
  const Knowledge &always = up_to(constant, kOne), &at_zero = up_to(constant, 0);
  if (!holds_at(at_zero, 0)) return std::nullopt;
  const std::uint64_t most = best_with(at_zero);
  std::uint64_t best = holds_at(always, 0) ? best_with(always) : 0;
  if (best < most)
    best = bisect(best, most, [&](std::uint64_t v) { return holds_at(up_to(constant, v), v); });
  return chance_of(best).text();
}

}  // namespace leto::checks

#include "reliability/budget.h"

#include <fmt/core.h>

#include "core/calls.h"

namespace leto::reliability {

namespace {

bool requires_something(const core::Function& f) {
  for (const core::Clause& clause : f.requires_)
    if (!clause.relational) return true;
  return false;
}

}  // namespace

Exposure find_exposure(const core::Program& program, core::FunctionId function,
                       const Options& options) {
  const core::Function& f = program.functions[function];
  SiteCount count = Sites(program, options).in(function);
  Exposure out{0, count.rate, std::move(count.problems)};
  if (count.most.fits_ulong_p())
    out.sites = count.most.get_ui();
  else
    out.problems.push_back({f.span, "there are more operations than can be counted"});
  if (requires_something(f) && core::find_called(program)[function.value])
    out.problems.push_back(
        {f.span, fmt::format("'{}' is called, and that calls keep to what it requires is not shown "
                             "here",
                             f.name)});
  return out;
}

Chance at_most_struck(std::uint64_t faults, const Exposure& exposure) {
  if (faults >= exposure.sites) return certain();
  const Chance spared = exposure.rate.complement();
  Chance sum;
  mpz_class ways = 1;  // to choose k of the sites
  for (std::uint64_t k = 0; k <= faults; ++k) {
    if (k > 0) {
      ways *= static_cast<unsigned long>(exposure.sites - k + 1);
      ways /= static_cast<unsigned long>(k);
    }
    sum = sum + Chance(mpq_class(ways)) * exposure.rate.power(k) * spared.power(exposure.sites - k);
  }
  return sum;
}

std::optional<std::uint64_t> faults_to_bear(const Chance& bound, const Exposure& exposure) {
  if (!exposure.problems.empty()) return std::nullopt;
  for (std::uint64_t faults = 0; faults <= kMostFaults; ++faults)
    if (at_most_struck(faults, exposure).at_least(bound)) return faults;
  return std::nullopt;
}

}  // namespace leto::reliability

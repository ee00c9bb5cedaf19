// Bounds by counting faults. If a function is proved to bear k faults, and meets at most n sites,
// each of which is struck with a chance of at most p whatever happened before, then its results are
// wrong with a chance of at most
//
//   P(Bin(n, p) > k)
//
// (checks/fault_budget.h has the theorem). Its parameters have to be right, all of them. What it
// requires counts for the number of sites, and in the proof; so if somebody calls it, it must
// require nothing: that a call keeps to it is nothing that is shown here.
#pragma once

#include "reliability/sites.h"

namespace leto::reliability {

// How many faults are worth a proof.
inline constexpr std::uint64_t kMostFaults = 8;

// What a function may be struck by.
struct Exposure {
  std::uint64_t sites = 0;
  Chance rate = {};
  std::vector<Problem> problems = {};  // there is no bound by counting then
};
[[nodiscard]] Exposure find_exposure(const core::Program& program, core::FunctionId function,
                                     const Options& options);

// The chance that at most `faults` of the sites are struck.
[[nodiscard]] Chance at_most_struck(std::uint64_t faults, const Exposure& exposure);

// How many faults have to be borne for this bound; nothing: more than are worth a proof.
[[nodiscard]] std::optional<std::uint64_t> faults_to_bear(const Chance& bound,
                                                          const Exposure& exposure);

}  // namespace leto::reliability

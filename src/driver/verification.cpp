#include "driver/verification.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include "lower/lower.h"

namespace leto::driver {

using prove::Status;

int badness(Status status) {
  switch (status) {
    case Status::Proved:
      return 0;
    case Status::Vacuous:
      return 1;
    case Status::Unknown:
      return 2;
    case Status::Refuted:
      return 3;
  }
  return 3;
}

Status Verification::status() const {
  Status worst = Status::Proved;
  for (const Claim& claim : claims)
    if (badness(claim.status) > badness(worst)) worst = claim.status;
  return worst;
}

std::size_t Verification::count(Status wanted) const {
  return static_cast<std::size_t>(std::count_if(
      claims.begin(), claims.end(), [&](const Claim& claim) { return claim.status == wanted; }));
}

namespace {

std::vector<Claim> claims_of(const std::vector<vcgen::Obligation>& obligations,
                             const std::vector<prove::Outcome>& outcomes) {
  using Key =
      std::tuple<int, std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::string>;
  std::map<Key, std::size_t> index;
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    const vcgen::Obligation& o = obligations[i];
    const Key key{
        static_cast<int>(o.kind), o.function, o.span.file.value, o.span.begin, o.span.end, o.claim};
    const auto [it, fresh] = index.emplace(key, claims.size());
    if (fresh) claims.push_back({o.kind, o.function, o.claim, o.span, {}, Status::Proved, i, 0, 0});
    Claim& claim = claims[it->second];
    claim.obligations.push_back(i);
    claim.seconds += outcomes[i].seconds;
    claim.resource += outcomes[i].resource;
    if (badness(outcomes[i].status) > badness(claim.status)) {
      claim.status = outcomes[i].status;
      claim.worst = i;
    }
  }
  return claims;
}

}  // namespace

Verification verify(const check::Checked& checked, const NameTable& names,
                    const VerifySettings& settings, const prove::Solvers& solvers,
                    prove::Cache* cache,
                    const std::function<void(const vcgen::Obligation&, std::size_t)>& progress) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const core::Program lowered = lower::lower(checked, names);
  logic::TermTable terms;
  Verification v;
  v.model = lowered.model.name;
  v.obligations = vcgen::generate_model_checks(lowered, terms).obligations;
  vcgen::Result generated = vcgen::generate(lowered, terms, {settings.check_original});
  v.trusted = generated.trusted;
  std::move(generated.obligations.begin(), generated.obligations.end(),
            std::back_inserter(v.obligations));
  v.outcomes = prove::discharge(v.obligations, terms, {settings.workers, settings.dump}, solvers,
                                cache, [&](std::size_t i, const prove::Outcome&) {
                                  progress(v.obligations[i], v.obligations.size());
                                });
  v.claims = claims_of(v.obligations, v.outcomes);
  v.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return v;
}

Verification verify_refinement(const check::Checked& checked, const NameTable& names,
                               check::ModelId super, const VerifySettings& settings,
                               const prove::Solvers& solvers, prove::Cache* cache) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const core::Refinement lowered = lower::lower_refinement(checked, names, super);
  logic::TermTable terms;
  Verification v;
  v.model = lowered.program.model.name;
  // The sub-model's own checks are about its own specifications only.
  v.obligations = vcgen::generate_model_checks(lower::lower(checked, names), terms).obligations;
  vcgen::Result generated = vcgen::generate_refinement(lowered, terms);
  std::move(generated.obligations.begin(), generated.obligations.end(),
            std::back_inserter(v.obligations));
  v.outcomes = prove::discharge(v.obligations, terms, {settings.workers, settings.dump}, solvers,
                                cache, [](std::size_t, const prove::Outcome&) {});
  v.claims = claims_of(v.obligations, v.outcomes);
  v.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return v;
}

}  // namespace leto::driver

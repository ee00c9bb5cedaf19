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

// The claims, and which of them each obligation belongs to.
std::vector<Claim> claims_of(const std::vector<vcgen::Obligation>& obligations,
                             std::vector<std::size_t>& claim_of) {
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
    claims[it->second].obligations.push_back(i);
    claim_of.push_back(it->second);
  }
  return claims;
}

// All obligations of a claim have their outcome.
void settle(const Verification& v, Claim& claim) {
  for (std::size_t i : claim.obligations) {
    const prove::Outcome& outcome = v.outcomes[i];
    claim.seconds += outcome.seconds;
    claim.resource += outcome.resource;
    if (badness(outcome.status) > badness(claim.status)) {
      claim.status = outcome.status;
      claim.worst = i;
    }
  }
}

void discharge(Verification& v, logic::TermTable& terms, const VerifySettings& settings,
               prove::Crew& crew, prove::Cache* cache, const Watch& watch) {
  std::vector<std::size_t> claim_of;
  v.claims = claims_of(v.obligations, claim_of);
  std::vector<std::size_t> open;
  for (const Claim& claim : v.claims) open.push_back(claim.obligations.size());
  std::size_t done = 0, told = 0;
  if (watch.begun) watch.begun(v);
  const auto progress = [&](std::size_t i, bool finished) {
    if (!finished) {
      if (watch.started) watch.started(v.obligations[i], done, v.obligations.size());
      return;
    }
    ++done;
    --open[claim_of[i]];
    for (; told < v.claims.size() && open[told] == 0; ++told) {
      settle(v, v.claims[told]);
      if (watch.settled) watch.settled(v, v.claims[told]);
    }
  };
  prove::discharge(v.obligations, terms, {settings.dump}, crew, cache, progress, v.outcomes);
}

}  // namespace

Verification verify(const check::Checked& checked, const NameTable& names,
                    const VerifySettings& settings, prove::Crew& crew, prove::Cache* cache,
                    const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const core::Program lowered = lower::lower(checked, names);
  logic::TermTable terms;
  Verification v;
  v.model = lowered.model.name;
  v.obligations = vcgen::generate_model_checks(lowered, terms, {false, settings.trap}).obligations;
  vcgen::Result generated =
      vcgen::generate(lowered, terms, {settings.check_original, settings.trap});
  v.trusted = generated.trusted;
  std::move(generated.obligations.begin(), generated.obligations.end(),
            std::back_inserter(v.obligations));
  discharge(v, terms, settings, crew, cache, watch);
  v.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return v;
}

Verification verify_refinement(const check::Checked& checked, const NameTable& names,
                               check::ModelId super, const VerifySettings& settings,
                               prove::Crew& crew, prove::Cache* cache, const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const core::Refinement lowered = lower::lower_refinement(checked, names, super);
  logic::TermTable terms;
  Verification v;
  v.model = lowered.program.model.name;
  // The sub-model's own checks are about its own specifications only.
  v.obligations = vcgen::generate_model_checks(lower::lower(checked, names), terms).obligations;
  vcgen::Result generated = vcgen::generate_refinement(lowered, terms, {false, settings.trap});
  std::move(generated.obligations.begin(), generated.obligations.end(),
            std::back_inserter(v.obligations));
  discharge(v, terms, settings, crew, cache, watch);
  v.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return v;
}

}  // namespace leto::driver

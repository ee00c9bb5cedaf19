#include "prove/infer.h"

#include <algorithm>

#include "prove/candidates.h"

namespace leto::prove {

namespace {

// The candidates of one function's verification.
class Attempt {
 public:
  Attempt(const Proposals& proposals, core::FunctionId function)
      : proposals_(proposals), function_(function) {
    for (const auto& of_loop : proposals) stands_.emplace_back(of_loop.size(), true);
    tried_.resize(proposals.size());
    plain_.resize(proposals.size());
  }

  // What is to be tried now: what stands and does not follow from something else that does.
  [[nodiscard]] const vcgen::Candidates& candidates() {
    now_.assign(proposals_.size(), {});
    index_.assign(proposals_.size(), {});
    for (std::size_t loop = 0; loop < proposals_.size(); ++loop)
      for (std::size_t k = 0; k < proposals_[loop].size(); ++k) {
        const Proposed& p = proposals_[loop][k];
        if (!stands_[loop][k] || (p.follows_from && stands_[loop][*p.follows_from])) continue;
        now_[loop].push_back(p.candidate);
        index_[loop].push_back(k);
      }
    for (std::size_t loop = 0; loop < proposals_.size(); ++loop) {
      tried_[loop].assign(now_[loop].size(), false);
      plain_[loop].assign(now_[loop].size(), true);
    }
    return now_;
  }

  // Whether something fell.
  bool judge(const vcgen::Obligation& o, const Outcome& outcome, const logic::TermTable& terms) {
    bool fell = false;
    for (std::size_t k = 0; k < o.parts.size(); ++k) {
      const std::size_t candidate = o.parts[k].candidate;
      tried_[o.loop.value][candidate] = true;
      if (!terms.is_true(o.parts[k].goal)) plain_[o.loop.value][candidate] = false;
      auto stands = stands_[o.loop.value].begin() +
                    static_cast<std::ptrdiff_t>(index_[o.loop.value][candidate]);
      if (outcome.parts[k] != Status::Proved && *stands) {
        *stands = false;
        fell = true;
      }
    }
    return fell;
  }

  [[nodiscard]] std::size_t standing() const {
    std::size_t n = 0;
    for (std::size_t loop = 0; loop < tried_.size(); ++loop)
      n += static_cast<std::size_t>(std::count(tried_[loop].begin(), tried_[loop].end(), true));
    return n;
  }

  // After the last round. A loop that was never walked says nothing about its candidates.
  void report(std::vector<Inferred>& out) const {
    for (std::size_t loop = 0; loop < now_.size(); ++loop)
      for (std::size_t k = 0; k < now_[loop].size(); ++k)
        if (tried_[loop][k] && !(plain_[loop][k] && proposals_[loop][index_[loop][k]].outer))
          out.push_back({function_, core::LoopId{static_cast<std::uint32_t>(loop)}, now_[loop][k]});
  }

  bool open = true;
  vcgen::Result result;
  std::vector<Outcome> outcomes;

 private:
  const Proposals& proposals_;
  core::FunctionId function_;
  std::vector<std::vector<bool>> stands_;
  vcgen::Candidates now_;
  std::vector<std::vector<std::size_t>> index_;  // from `now_` to the proposals
  std::vector<std::vector<bool>> tried_;         // of `now_`: there was an obligation about it
  std::vector<std::vector<bool>> plain_;         // of `now_`: and it was true by construction
};

}  // namespace

Inference infer(core::Program& program, bool wanted, logic::TermTable& terms,
                const vcgen::Options& options, Engine& engine,
                const std::function<void(const InferenceRound&)>& watch) {
  Inference out;
  const Proposals proposals = wanted ? propose(program) : Proposals(program.loops.size());
  for (const auto& of_loop : proposals) out.candidates += of_loop.size();
  const vcgen::Generator generator(program, terms, options);
  std::vector<Attempt> attempts;
  for (std::uint32_t f = 0; f < program.functions.size(); ++f)
    attempts.emplace_back(proposals, core::FunctionId{f});

  for (bool any = true; any;) {
    any = false;
    // All open functions at once: the more questions, the better the workers are used.
    std::vector<vcgen::Obligation> asked;
    std::vector<std::pair<std::size_t, std::size_t>> from;  // attempt, obligation
    for (std::uint32_t f = 0; f < attempts.size(); ++f) {
      Attempt& attempt = attempts[f];
      if (!attempt.open) continue;
      attempt.result = generator.function(core::FunctionId{f}, attempt.candidates());
      attempt.outcomes.assign(attempt.result.obligations.size(), {});
      for (std::size_t i = 0; i < attempt.result.obligations.size(); ++i) {
        if (attempt.result.obligations[i].parts.empty()) continue;
        asked.push_back(std::move(attempt.result.obligations[i]));
        from.emplace_back(f, i);
      }
      attempt.open = false;
    }
    if (asked.empty()) break;
    ++out.rounds;
    std::vector<std::size_t> which(asked.size());
    for (std::size_t i = 0; i < which.size(); ++i) which[i] = i;
    std::vector<Outcome> outcomes(asked.size());
    discharge(
        asked, which, terms, engine, [](std::size_t, bool) {}, outcomes);
    std::size_t standing = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      Attempt& attempt = attempts[from[i].first];
      out.calls += outcomes[i].calls;
      if (attempt.judge(asked[i], outcomes[i], terms)) {
        attempt.open = true;
        any = true;
      }
      attempt.result.obligations[from[i].second] = std::move(asked[i]);
      attempt.outcomes[from[i].second] = std::move(outcomes[i]);
    }
    for (const Attempt& attempt : attempts) standing += attempt.standing();
    if (watch) watch({out.rounds, standing});
  }

  for (Attempt& attempt : attempts) {
    attempt.report(out.inferred);
    out.trusted.assertions += attempt.result.trusted.assertions;
    out.trusted.checks += attempt.result.trusted.checks;
    out.trusted.invariants += attempt.result.trusted.invariants;
    for (std::size_t i = 0; i < attempt.result.obligations.size(); ++i) {
      if (attempt.result.obligations[i].parts.empty()) out.rest.push_back(out.obligations.size());
      out.obligations.push_back(std::move(attempt.result.obligations[i]));
      out.outcomes.push_back(std::move(attempt.outcomes[i]));
    }
  }
  return out;
}

}  // namespace leto::prove

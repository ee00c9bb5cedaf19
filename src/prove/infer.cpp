#include "prove/infer.h"

#include <algorithm>

namespace leto::prove {

namespace {

// The candidates of one function's verification.
class Attempt final : public vcgen::Judge {
 public:
  Attempt(const Proposals& proposals, const logic::TermTable& terms, Discharger& discharger,
          std::function<void(unsigned round, std::size_t fallen)> watch)
      : proposals_(proposals), terms_(terms), discharger_(discharger), watch_(std::move(watch)) {
    now_.resize(proposals.size());
    loops_.resize(proposals.size());
    for (std::size_t loop = 0; loop < proposals.size(); ++loop) {
      loops_[loop].stands.assign(proposals[loop].size(), true);
      refresh(loop);
    }
  }

  const vcgen::Candidates& candidates() const override { return now_; }

  bool stand(const std::vector<vcgen::Obligation>& obligations, std::size_t first) override {
    std::vector<std::size_t> which;
    for (std::size_t i = first; i < obligations.size(); ++i)
      if (!obligations[i].parts.empty()) which.push_back(i);
    outcomes.resize(obligations.size());
    if (which.empty()) return true;
    outcomes_of(obligations, which);
    ++rounds;
    std::vector<std::size_t> changed;
    for (std::size_t i : which) {
      const vcgen::Obligation& o = obligations[i];
      Loop& loop = loops_[o.loop.value];
      for (std::size_t k = 0; k < o.parts.size(); ++k) {
        const std::size_t candidate = loop.index[o.parts[k].candidate];
        loop.tried[candidate] = true;
        if (!terms_.is_true(o.parts[k].goal)) loop.plain[candidate] = false;
        if (outcomes[i].parts[k] == Status::Proved || !loop.stands[candidate]) continue;
        loop.stands[candidate] = false;
        ++fallen_;
        changed.push_back(o.loop.value);
        // It was used where the loop was met before.
        if (loop.settled) late = true;
      }
    }
    for (std::size_t loop : changed) refresh(loop);
    if (watch_) watch_(rounds, fallen_);
    if (changed.empty())
      for (std::size_t i : which) loops_[obligations[i].loop.value].settled = true;
    return changed.empty();
  }

  // From the start once more.
  void restart() {
    late = false;
    outcomes.clear();
    for (Loop& loop : loops_) {
      loop.settled = false;
      std::fill(loop.tried.begin(), loop.tried.end(), false);
      std::fill(loop.plain.begin(), loop.plain.end(), true);
    }
  }

  // What stands at the end. A loop that was never walked says nothing about its candidates.
  void report(core::FunctionId function, std::vector<Inferred>& out) const {
    for (std::size_t l = 0; l < now_.size(); ++l)
      for (std::size_t k = 0; k < now_[l].size(); ++k) {
        const std::size_t candidate = loops_[l].index[k];
        if (loops_[l].tried[candidate] &&
            !(loops_[l].plain[candidate] && proposals_[l][candidate].outer))
          out.push_back({function, core::LoopId{static_cast<std::uint32_t>(l)}, now_[l][k]});
      }
  }

  std::vector<Outcome> outcomes;  // of the obligations with parts
  bool late = false;              // something fell that had been used before
  unsigned rounds = 0, calls = 0;

 private:
  struct Loop {
    std::vector<bool> stands, tried, plain;  // by candidate
    std::vector<std::size_t> index;          // of what is tried now
    bool settled = false;                    // in this walk
  };

  // What is to be tried: what stands and does not follow from something else that does.
  void refresh(std::size_t l) {
    Loop& loop = loops_[l];
    loop.tried.resize(loop.stands.size(), false);
    loop.plain.resize(loop.stands.size(), true);
    loop.index.clear();
    now_[l].clear();
    for (std::size_t k = 0; k < loop.stands.size(); ++k) {
      const Proposed& p = proposals_[l][k];
      if (!loop.stands[k] || (p.follows_from && loop.stands[*p.follows_from])) continue;
      now_[l].push_back(p.candidate);
      loop.index.push_back(k);
    }
  }

  void outcomes_of(const std::vector<vcgen::Obligation>& obligations,
                   const std::vector<std::size_t>& which) {
    for (std::size_t i : which) outcomes[i] = {};
    discharger_.run(
        obligations, which, [](std::size_t, bool) {}, outcomes);
    for (std::size_t i : which) calls += outcomes[i].calls;
  }

  const Proposals& proposals_;
  const logic::TermTable& terms_;
  Discharger& discharger_;
  std::function<void(unsigned round, std::size_t fallen)> watch_;
  vcgen::Candidates now_;
  std::vector<Loop> loops_;
  std::size_t fallen_ = 0;
};

}  // namespace

Inference infer(const core::Program& program, const Proposals& proposals, logic::TermTable& terms,
                const vcgen::Options& options, Discharger& discharger,
                const std::function<void(const InferenceRound&)>& watch, core::FunctionId only) {
  Inference out;
  for (const auto& of_loop : proposals) out.candidates += of_loop.size();
  const vcgen::Generator generator(program, terms, options);
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const core::FunctionId id{f};
    if (only.valid() && id != only) continue;
    Attempt attempt(proposals, terms, discharger, [&](unsigned round, std::size_t fallen) {
      if (watch) watch({program.functions[id].name, round, fallen});
    });
    vcgen::Result result = generator.function(id, attempt);
    while (attempt.late) {
      attempt.restart();
      result = generator.function(id, attempt);
    }
    attempt.outcomes.resize(result.obligations.size());
    attempt.report(id, out.inferred);
    out.rounds += attempt.rounds;
    out.calls += attempt.calls;
    out.trusted.assertions += result.trusted.assertions;
    out.trusted.checks += result.trusted.checks;
    out.trusted.invariants += result.trusted.invariants;
    for (std::size_t i = 0; i < result.obligations.size(); ++i) {
      if (result.obligations[i].parts.empty()) out.rest.push_back(out.obligations.size());
      out.obligations.push_back(std::move(result.obligations[i]));
      out.outcomes.push_back(std::move(attempt.outcomes[i]));
    }
  }
  return out;
}

}  // namespace leto::prove

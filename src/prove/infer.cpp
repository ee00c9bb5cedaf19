#include "prove/infer.h"

#include <algorithm>

namespace leto::prove {

namespace {

// The candidates of one function's verification, by occurrence of a loop: what falls in one place
// may stand in another.
class Attempt final : public vcgen::Judge {
 public:
  Attempt(const Proposals& proposals, const logic::TermTable& terms, Discharger& discharger,
          std::function<void(unsigned round, std::size_t fallen)> watch)
      : proposals_(proposals), terms_(terms), discharger_(discharger), watch_(std::move(watch)) {}

  const std::vector<vcgen::Candidate>& candidates(const vcgen::Occurrence& at) override {
    return loop_at(at).now;
  }

  bool stand(const std::vector<vcgen::Obligation>& obligations, std::size_t first) override {
    if (fixed_) return true;
    std::vector<std::size_t> which;
    for (std::size_t i = first; i < obligations.size(); ++i)
      if (!obligations[i].parts.empty()) which.push_back(i);
    if (which.empty()) return true;
    std::vector<Outcome> outcomes(obligations.size());
    discharger_.run(
        obligations, which, [](std::size_t, bool) {}, outcomes);
    ++rounds;
    std::vector<Loop*> changed;
    for (std::size_t i : which) {
      calls += outcomes[i].calls;
      const vcgen::Obligation& o = obligations[i];
      Loop& loop = loop_at(o.occurrence);
      for (std::size_t k = 0; k < o.parts.size(); ++k) {
        const std::size_t candidate = loop.index[o.parts[k].candidate];
        loop.tried[candidate] = true;
        if (!terms_.is_true(o.parts[k].goal)) loop.plain[candidate] = false;
        if (outcomes[i].parts[k] == Status::Proved || !loop.stands[candidate]) continue;
        loop.stands[candidate] = false;
        ++fallen_;
        changed.push_back(&loop);
        // It was used where the loop was met before.
        if (loop.settled) late = true;
      }
    }
    for (Loop* loop : changed) refresh(*loop);
    if (watch_) watch_(rounds, fallen_);
    if (changed.empty())
      for (std::size_t i : which) loop_at(obligations[i].occurrence).settled = true;
    return changed.empty();
  }

  // From the start once more.
  void restart() {
    late = false;
    for (auto& [at, loop] : loops_) {
      loop.settled = false;
      std::fill(loop.tried.begin(), loop.tried.end(), false);
      std::fill(loop.plain.begin(), loop.plain.end(), true);
    }
  }
  // From here on nothing falls any more.
  void fix() { fixed_ = true; }

  // What stands at the end. A loop that was never walked says nothing about its candidates.
  void report(core::FunctionId function, Inference& out) const {
    for (const auto& [at, loop] : loops_) {
      out.met.emplace_back(function, at);
      for (std::size_t k = 0; k < loop.stands.size(); ++k) {
        const Proposed& p = (*loop.proposed)[k];
        const bool implied = p.follows_from && loop.stands[*p.follows_from];
        const std::size_t shown = implied ? *p.follows_from : k;
        if (loop.stands[k] && loop.tried[shown] && !(loop.plain[shown] && p.outer))
          out.inferred.push_back({function, at, p.candidate, implied});
      }
    }
  }

  bool late = false;  // something fell that had been used before
  unsigned rounds = 0, calls = 0;

 private:
  struct Loop {
    const std::vector<Proposed>* proposed;
    std::vector<bool> stands, tried, plain;  // by candidate
    std::vector<std::size_t> index;          // of what is tried now
    std::vector<vcgen::Candidate> now;
    bool settled = false;  // in this walk
  };

  Loop& loop_at(const vcgen::Occurrence& at) {
    const auto [it, fresh] = loops_.try_emplace(at);
    Loop& loop = it->second;
    if (fresh) {
      loop.proposed = &proposals_[at.loop.value];
      loop.stands.assign(loop.proposed->size(), true);
      loop.tried.assign(loop.proposed->size(), false);
      loop.plain.assign(loop.proposed->size(), true);
      refresh(loop);
    }
    return loop;
  }

  // What is to be tried: what stands and does not follow from something else that does.
  static void refresh(Loop& loop) {
    loop.index.clear();
    loop.now.clear();
    for (std::size_t k = 0; k < loop.stands.size(); ++k) {
      const Proposed& p = (*loop.proposed)[k];
      if (!loop.stands[k] || (p.follows_from && loop.stands[*p.follows_from])) continue;
      loop.now.push_back(p.candidate);
      loop.index.push_back(k);
    }
  }

  const Proposals& proposals_;
  const logic::TermTable& terms_;
  Discharger& discharger_;
  std::function<void(unsigned round, std::size_t fallen)> watch_;
  std::map<vcgen::Occurrence, Loop> loops_;
  std::size_t fallen_ = 0;
  bool fixed_ = false;
};

void move_into(vcgen::Result& from, Inference& out) {
  const std::size_t first = out.obligations.size();
  out.trusted.assertions += from.trusted.assertions;
  out.trusted.checks += from.trusted.checks;
  out.trusted.invariants += from.trusted.invariants;
  out.trusted.assumed += from.trusted.assumed;
  for (vcgen::Assumption& a : from.assumptions) {
    a.first += first;
    a.last += first;
    out.assumptions.push_back(std::move(a));
  }
  for (vcgen::Obligation& o : from.obligations) out.obligations.push_back(std::move(o));
}

}  // namespace

Inference infer(const core::Program& program, const Proposals& proposals, logic::TermTable& terms,
                const vcgen::Options& options, Discharger& discharger,
                const std::function<void(const InferenceRound&)>& watch, core::FunctionId only) {
  Inference out;
  for (const auto& of_loop : proposals) out.candidates += of_loop.size();
  vcgen::Generator generator(program, terms, options);
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const core::FunctionId id{f};
    if (only.valid() && id != only) continue;
    Attempt attempt(proposals, terms, discharger, [&](unsigned round, std::size_t fallen) {
      if (watch) watch({program.functions[id].name, round, fallen});
    });
    vcgen::Result result = generator.function(id, attempt);
    while (attempt.late && !result.incomplete) {
      attempt.restart();
      result = generator.function(id, attempt);
    }
    out.rounds += attempt.rounds;
    out.calls += attempt.calls;
    out.steps += result.steps;
    if (result.incomplete) {
      out.incomplete.push_back(id);
      continue;
    }
    attempt.report(id, out);
    // Once more, with what stands and nothing else: what comes out of this walk is what counts.
    attempt.fix();
    if (attempt.rounds > 0) result = generator.function(id, attempt);
    if (result.incomplete)
      out.incomplete.push_back(id);
    else
      move_into(result, out);
  }
  return out;
}

}  // namespace leto::prove

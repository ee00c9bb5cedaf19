#include "prove/infer.h"

#include <algorithm>
#include <deque>

namespace leto::prove {

namespace {

// Whether the user can write it: not what has no name.
bool can_be_written(const core::Program& program, core::ExprId id) {
  const auto& node = program.exprs[id].node;
  if (const auto* ref = std::get_if<core::VarRef>(&node))
    return program.vars[ref->var].kind != core::VarKind::Temp;
  if (const auto* snapshot = std::get_if<core::Snapshot>(&node))
    return !program.loops[snapshot->loop.value].empty() && can_be_written(program, snapshot->expr);
  bool all = true;
  core::for_each_child(program, id,
                       [&](core::ExprId child) { all = all && can_be_written(program, child); });
  return all;
}

// The candidates of one function's verification, by occurrence of a loop: what falls in one place
// may stand in another.
class Attempt final : public vcgen::Judge {
 public:
  Attempt(const Proposals& proposals, const Shown& shown, const logic::TermTable& terms,
          Discharger& discharger, std::function<void(unsigned round, std::size_t fallen)> watch)
      : proposals_(proposals),
        shown_(shown),
        terms_(terms),
        discharger_(discharger),
        watch_(std::move(watch)) {}

  const std::vector<vcgen::Candidate>& candidates(const vcgen::Occurrence& at) override {
    return loop_at(at).now;
  }

  std::vector<std::size_t> choose(
      const vcgen::Occurrence& at,
      const std::vector<std::optional<std::size_t>>& stronger) override {
    const auto [it, fresh] = loops_.try_emplace(at);
    if (fresh) {
      std::vector<Proposed>& own = proposed_by_rules_.emplace_back();
      for (const std::optional<std::size_t>& other : stronger)
        own.push_back({{{}, true, true}, other});
      begin(it->second, own, {});
    }
    return it->second.index;
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
        if (!outcomes[i].falls(k) || !loop.stands[candidate]) continue;
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

  std::vector<Fallen> find_fallen(const std::vector<vcgen::Obligation>& obligations,
                                  std::size_t which) override {
    std::vector<Fallen> fallen;
    if (fixed_) return fallen;
    std::vector<Outcome> outcomes(obligations.size());
    discharger_.run(
        obligations, {which}, [](std::size_t, bool) {}, outcomes);
    const vcgen::Obligation& o = obligations[which];
    calls += outcomes[which].calls;
    const Loop& loop = loop_at(o.occurrence);
    // In the place of one that falls comes what follows from it.
    std::vector<bool> leads(loop.proposed->size(), false);
    for (const Proposed& p : *loop.proposed)
      if (p.follows_from) leads[*p.follows_from] = true;
    for (std::size_t k = 0; k < o.parts.size(); ++k)
      if (outcomes[which].falls(k))
        fallen.push_back({o.parts[k].candidate, leads[loop.index[o.parts[k].candidate]]});
    return fallen;
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
  [[nodiscard]] std::vector<LoopFacts> report(const core::Program& program) const {
    std::vector<LoopFacts> out;
    for (const auto& [at, loop] : loops_) {
      if (!at.loop.valid()) continue;  // nobody can write that down
      const bool original = at.run == vcgen::Run::Original;
      out.push_back({at.loop, !original, !original || at.alone, {}});
      for (std::size_t k = 0; k < loop.stands.size(); ++k) {
        const Proposed& p = (*loop.proposed)[k];
        const bool implied = p.follows_from && loop.stands[*p.follows_from];
        const std::size_t shown = implied ? *p.follows_from : k;
        if (loop.stands[k] && loop.tried[shown] && !(loop.plain[shown] && p.outer) &&
            can_be_written(program, p.candidate.expr))
          out.back().facts.push_back(
              {p.candidate.relational, core::source(program, p.candidate.expr), implied});
      }
    }
    return out;
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
    if (fresh) begin(it->second, proposals_[at.loop.value], find_false_at(at));
    return it->second;
  }
  // What falls where both runs are may stand where one is by itself.
  [[nodiscard]] std::vector<bool> find_false_at(const vcgen::Occurrence& at) const {
    const auto it = at.run == vcgen::Run::Both ? shown_.find(at.loop) : shown_.end();
    return it == shown_.end() ? std::vector<bool>{} : it->second;
  }
  static void begin(Loop& loop, const std::vector<Proposed>& proposed,
                    const std::vector<bool>& known_false) {
    loop.proposed = &proposed;
    loop.stands.assign(proposed.size(), true);
    for (std::size_t k = 0; k < known_false.size(); ++k)
      if (known_false[k]) loop.stands[k] = false;
    loop.tried.assign(proposed.size(), false);
    loop.plain.assign(proposed.size(), true);
    refresh(loop);
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
  const Shown& shown_;
  const logic::TermTable& terms_;
  Discharger& discharger_;
  std::function<void(unsigned round, std::size_t fallen)> watch_;
  std::map<vcgen::Occurrence, Loop> loops_;              // and ends of functions
  std::deque<std::vector<Proposed>> proposed_by_rules_;  // of those
  std::size_t fallen_ = 0;
  bool fixed_ = false;
};

}  // namespace

Inference infer(const Inferring& on, core::FunctionId function, logic::TermTable& terms,
                Discharger& discharger, vcgen::Calls calls) {
  Inference out;
  Attempt attempt(on.proposals, on.shown, terms, discharger,
                  [&](unsigned round, std::size_t fallen) {
                    if (on.watch) on.watch({on.program.functions[function].name, round, fallen});
                  });
  vcgen::Result result = on.generator.function(function, terms, attempt, calls);
  while (attempt.late && !result.incomplete) {
    attempt.restart();
    result = on.generator.function(function, terms, attempt, calls);
  }
  out.rounds = attempt.rounds;
  out.calls = attempt.calls;
  if (!result.incomplete) {
    out.loops = attempt.report(on.program);
    // Once more, with what stands and nothing else: what comes out of this walk is what counts.
    attempt.fix();
    if (attempt.rounds > 0) result = on.generator.function(function, terms, attempt, calls);
  }
  out.incomplete = result.incomplete;
  if (out.incomplete) return out;
  out.trusted = result.trusted;
  out.obligations = std::move(result.obligations);
  out.assumptions = std::move(result.assumptions);
  return out;
}

}  // namespace leto::prove

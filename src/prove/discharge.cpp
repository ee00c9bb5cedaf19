// Which obligations are decided when, and by whom; and the ledger of what was proved.
#include <algorithm>
#include <atomic>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "prove/decide.h"

namespace leto::prove {

std::string_view describe(Status status) {
  switch (status) {
    case Status::Proved:
      return "proved";
    case Status::Refuted:
      return "refuted";
    case Status::Unknown:
      return "unknown";
    case Status::Vacuous:
      return "vacuous";
  }
  LETO_ASSERT(false);
}

std::optional<Outcome> Ledger::find(Extent extent, const std::string& digest) const {
  const std::lock_guard lock(mutex_);
  const auto& asked = asked_[static_cast<std::size_t>(extent)];
  const auto it = asked.find(digest);
  if (it == asked.end()) return std::nullopt;
  return it->second;
}

void Ledger::enter(Extent extent, const std::string& digest, const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  if (outcome.proof) proved_.insert(outcome.proof->digest());
  Outcome& kept = asked_[static_cast<std::size_t>(extent)].emplace(digest, outcome).first->second;
  kept.calls = 0;  // counted once
}

bool Ledger::has_proof(const std::string& digest) const {
  const std::lock_guard lock(mutex_);
  return proved_.contains(digest);
}

// Everything that the workers share.
class Discharger::Work {
 public:
  Work(logic::TermTable& terms, Engine& engine, std::shared_ptr<Ledger> ledger)
      : terms_(terms),
        engine_(engine),
        ledger_(ledger ? std::move(ledger) : std::make_shared<Ledger>()) {
    for (unsigned i = 0; i < engine.crew.size(); ++i)
      deciders_.emplace_back(i, engine, terms, terms_mutex_, memory_, provers_);
  }

  void run(const std::vector<vcgen::Obligation>& obligations, const std::vector<std::size_t>& which,
           const Progress& progress, std::vector<Outcome>& outcomes,
           const FindBroken& find_broken) {
    obligations_ = &obligations;
    outcomes_ = &outcomes;
    progress_ = &progress;
    which_ = &which;
    find_broken_ = &find_broken;
    fates_.reset();
    // What is not proved from what is close to it: from more, and at last from all there is.
    std::vector<std::size_t> open = which;
    for (const Extent extent : {Extent::Near, Extent::Relevant, Extent::All}) {
      if (engine_.options.or_nothing && extent == Extent::All) break;
      if (extent == Extent::All) leave_out_broken(open);
      engine_.crew.work(open.size(),
                        [&](unsigned worker, std::size_t k) { ask(worker, open[k], extent); });
      const std::lock_guard lock(mutex_);
      open = std::exchange(open_, {});
      std::sort(open.begin(), open.end());
    }
  }

  std::vector<Doubt> contradictions(
      const std::vector<vcgen::Assumption>& assumptions,
      const std::function<bool(const vcgen::Assumption&)>& is_visited) {
    // What holds of more facts holds of fewer: the last of a path first. Those before it need
    // asking only if it fails.
    const Lasts lasts = last_of_their_paths(assumptions);
    std::vector<std::size_t> last;
    for (const auto& [log, of_function] : lasts)
      last.insert(last.end(), of_function.begin(), of_function.end());
    std::sort(last.rbegin(), last.rend());
    std::vector<std::optional<Consistency>> found(assumptions.size());
    for (std::size_t i = 0; is_visited && i < assumptions.size(); ++i)
      if (is_visited(assumptions[i])) found[i] = Consistency{solver::Verdict::Sat};
    std::erase_if(last, [&](std::size_t i) { return found[i].has_value(); });
    const auto ask_all = [&](const std::vector<std::size_t>& which) {
      engine_.crew.work(which.size(), [&](unsigned worker, std::size_t k) {
        const std::size_t i = which[k];
        found[i] = deciders_[worker].consistent(assumptions[i], assumptions[i].behind, i);
        if (found[i]->troubled) troubled_ = true;
      });
    };
    ask_all(last);
    std::vector<std::size_t> doubtful;
    for (std::size_t i = 0; i < assumptions.size(); ++i)
      if (!found[i] && leads_to_doubt(assumptions, i, lasts.at(assumptions[i].log.get()), found))
        doubtful.push_back(i);
    ask_all(doubtful);
    std::vector<std::optional<Doubt::Kind>> kinds(assumptions.size());
    engine_.crew.work(assumptions.size(), [&](unsigned worker, std::size_t i) {
      if (found[i]) kinds[i] = doubt_of(assumptions[i], *found[i], i, deciders_[worker]);
    });
    std::vector<Doubt> doubts;
    for (std::size_t i = 0; i < assumptions.size(); ++i)
      if (kinds[i]) doubts.push_back({i, *kinds[i]});
    return doubts;
  }

  // Nothing but the answer that there is one will do.
  bool has_model(const vcgen::Assumption& a) {
    bool found = false;
    engine_.crew.work(1, [&](unsigned worker, std::size_t) {
      const Consistency answer = deciders_[worker].consistent(a, a.behind, 0);
      if (answer.troubled) troubled_ = true;
      found = answer.verdict == solver::Verdict::Sat;
    });
    return found;
  }

  [[nodiscard]] const logic::TermTable& terms() const { return terms_; }
  [[nodiscard]] bool is_troubled() const { return troubled_; }
  [[nodiscard]] bool has_dropped_claims() const { return dropped_claims_; }
  [[nodiscard]] bool is_in_vain() const { return in_vain_; }

  bool audit(const std::vector<vcgen::Obligation>& obligations,
             const std::vector<Outcome>& outcomes) {
    if (obligations.size() != outcomes.size()) return false;
    std::atomic<bool> fine{true};
    engine_.crew.work(obligations.size(), [&](unsigned worker, std::size_t i) {
      if (outcomes[i].proof && !earned(worker, obligations[i], *outcomes[i].proof)) fine = false;
    });
    return fine;
  }

 private:
  bool earned(unsigned worker, const vcgen::Obligation& o, const Proof& proof) {
    if (terms_.is_true(o.question.goal)) return all_plain(o);
    if (proof.plain()) return false;
    Prover& prover = deciders_[worker].prover();
    if (!ledger_->has_proof(proof.digest())) return false;
    for (const Extent extent : {Extent::Near, Extent::Relevant, Extent::All})
      if (prover.digest(o, extent) == proof.digest()) return true;
    return false;
  }

  void ask(unsigned worker, std::size_t i, Extent extent) {
    if (in_vain_) return;
    const vcgen::Obligation& o = (*obligations_)[i];
    Decider& decider = deciders_[worker];
    Outcome outcome = extent == Extent::Near ? Outcome{} : (*outcomes_)[i];
    if (const auto plain = decider.prover().plain(o.question.goal); plain && all_plain(o)) {
      outcome.proof = decider.prover().seal(*plain, o, Extent::Relevant);
      outcome.parts.assign(o.parts.size(), Status::Proved);
      const std::lock_guard lock(mutex_);
      return finish(i, outcome);
    }
    if (extent == Extent::Near && (o.parts.empty() ? o.hints.near : o.hints.recent).empty()) {
      const std::lock_guard lock(mutex_);
      open_.push_back(i);
      return;
    }
    const bool exactly = engine_.options.exactly && !o.parts.empty();
    const std::string key = decider.prover().digest(o, extent) + (exactly ? " exactly" : "");
    if (is_answered(i, key, extent)) return;
    decide(decider, i, extent, outcome);
    if (outcome.troubled) troubled_ = true;
    if (outcome.dropped_claims) dropped_claims_ = true;
    ledger_->enter(extent, key, outcome);
    const std::lock_guard lock(mutex_);
    settle(i, outcome, extent);
    outcome.calls = 0;  // counted once
    const auto waiting = under_way_.extract(key);
    for (std::size_t other : waiting.mapped()) settle(other, outcome, extent);
  }
  // Somebody has asked the same; or does just now, and will say so. Else it is ours to ask.
  bool is_answered(std::size_t i, const std::string& key, Extent extent) {
    const std::lock_guard lock(mutex_);
    const auto same = under_way_.find(key);
    if (same != under_way_.end()) {
      same->second.push_back(i);
      return true;
    }
    if (const std::optional<Outcome> known = ledger_->find(extent, key)) {
      troubled_ = troubled_ || known->troubled;
      dropped_claims_ = dropped_claims_ || known->dropped_claims;
      settle(i, *known, extent);
      return true;
    }
    under_way_[key];
    if (extent != Extent::All) (*progress_)(i, false);
    return false;
  }
  void decide(Decider& decider, std::size_t i, Extent extent, Outcome& outcome) {
    const vcgen::Obligation& o = (*obligations_)[i];
    const bool in_parts = !o.parts.empty();
    switch (extent) {
      case Extent::Near:
        return in_parts ? decider.decide_parts_from_recent(o, i, outcome)
                        : decider.decide_from_near(o, i, outcome);
      case Extent::Relevant:
        return in_parts ? decider.decide_parts(o, i, outcome)
                        : decider.decide_quickly(o, i, outcome,
                                                 [&] { return fate_of(i) != Fate::Open; });
      case Extent::All:
        return decider.decide_in_general(o, i, outcome);
    }
  }
  [[nodiscard]] bool all_plain(const vcgen::Obligation& o) const {
    return std::all_of(o.parts.begin(), o.parts.end(),
                       [&](const vcgen::Part& part) { return terms_.is_true(part.goal); });
  }

  // With the mutex held. What is not proved from few facts is asked again; what is inferred is not
  // worth asking of all that is known.
  void settle(std::size_t i, const Outcome& outcome, Extent extent) {
    (*outcomes_)[i] = outcome;
    if (engine_.options.or_nothing && extent == Extent::Relevant && !outcome.proof) in_vain_ = true;
    const bool in_parts = !(*obligations_)[i].parts.empty();
    const bool final =
        outcome.proof || extent == Extent::All || (in_parts && extent == Extent::Relevant);
    if (final)
      (*progress_)(i, true);
    else
      open_.push_back(i);
  }
  void finish(std::size_t i, const Outcome& outcome) {
    (*outcomes_)[i] = outcome;
    (*progress_)(i, true);
  }

  // What runs say ------------------------------------------------------------------------------

  // Of a claim: a run breaks it, or its like fails of the original run. Behind that nothing is
  // claimed, so no run can tell; who mends the one asks again for the other.
  enum class Fate : std::uint8_t { Open, Broken, FailsOfOriginal };

  // Runs are made when the first asks, for all that is not proved by then.
  Fate fate_of(std::size_t i) {
    if (!*find_broken_) return Fate::Open;
    const std::lock_guard lock(hunting_);
    if (!fates_) fates_ = find_fates();
    return (*fates_)[i];
  }
  [[nodiscard]] std::vector<Fate> find_fates() {
    std::vector<std::size_t> open;
    Claimed claimed;
    {
      const std::lock_guard lock(mutex_);
      for (const std::size_t i : *which_)
        if (!(*outcomes_)[i].proof) {
          open.push_back(i);
          claimed.push_back(&(*obligations_)[i]);
        }
    }
    const std::vector<bool> broken = (*find_broken_)(claimed);
    std::set<core::ClaimId> failing;
    for (std::size_t k = 0; k < open.size(); ++k)
      if (broken[k] && claimed[k]->claim.side == core::Side::Original)
        failing.insert(claimed[k]->claim);
    std::vector<Fate> fates(obligations_->size(), Fate::Open);
    for (std::size_t k = 0; k < open.size(); ++k) {
      core::ClaimId twin = claimed[k]->claim;
      twin.side = core::Side::Original;
      fates[open[k]] = broken[k]                ? Fate::Broken
                       : failing.contains(twin) ? Fate::FailsOfOriginal
                                                : Fate::Open;
    }
    return fates;
  }
  void leave_out_broken(std::vector<std::size_t>& open) {
    std::erase_if(open, [this](std::size_t i) {
      Outcome& outcome = (*outcomes_)[i];
      const Fate fate = fate_of(i);
      if (fate == Fate::Broken) {
        outcome.refuted = outcome.broken = true;
        outcome.reason = solver::Reason::None;
      }
      outcome.given_up = fate == Fate::FailsOfOriginal;
      if (fate != Fate::Open) (*progress_)(i, true);
      return fate != Fate::Open;
    });
  }

  // Assumptions --------------------------------------------------------------------------------

  // Whether all that is known at one is known at the other, and its path is part of the other's.
  [[nodiscard]] bool covers(const vcgen::Assumption& later,
                            const vcgen::Assumption& earlier) const {
    if (later.log != earlier.log) return false;
    return vcgen::is_part_of(earlier.path, later.path, terms_) &&
           later.log->leads_to(earlier.behind, later.behind);
  }
  // By function: what is known in one says nothing of another.
  using Lasts = std::unordered_map<const vcgen::Log*, std::vector<std::size_t>>;
  [[nodiscard]] Lasts last_of_their_paths(const std::vector<vcgen::Assumption>& all) const {
    Lasts lasts;
    for (std::size_t i = all.size(); i-- > 0;) {
      std::vector<std::size_t>& last = lasts[all[i].log.get()];
      if (std::none_of(last.begin(), last.end(),
                       [&](std::size_t k) { return covers(all[k], all[i]); }))
        last.push_back(i);
    }
    return lasts;
  }
  [[nodiscard]] bool leads_to_doubt(const std::vector<vcgen::Assumption>& all, std::size_t i,
                                    const std::vector<std::size_t>& last,
                                    const std::vector<std::optional<Consistency>>& found) const {
    // One later place that can be reached is enough to show that this one can.
    return std::none_of(last.begin(), last.end(), [&](std::size_t k) {
      return found[k]->verdict == solver::Verdict::Sat && covers(all[k], all[i]);
    });
  }
  std::optional<Doubt::Kind> doubt_of(const vcgen::Assumption& a, const Consistency& behind,
                                      std::size_t number, Decider& decider) {
    if (behind.verdict == solver::Verdict::Sat) return std::nullopt;
    if (behind.verdict == solver::Verdict::Unknown) {
      if (!behind.failed) return std::nullopt;
      return Doubt::Kind::Unanswered;
    }
    if (a.before == vcgen::kNothingBefore) return Doubt::Kind::Contradicts;
    const Consistency before = decider.consistent(a, a.before, number);
    if (before.troubled) troubled_ = true;
    switch (before.verdict) {
      case solver::Verdict::Unsat:  // a place that cannot be reached anyway
        return std::nullopt;
      case solver::Verdict::Sat:
        return Doubt::Kind::Contradicts;
      case solver::Verdict::Unknown:
        return Doubt::Kind::NobodyThere;
    }
    return Doubt::Kind::Unanswered;
  }

  logic::TermTable& terms_;
  Engine& engine_;
  std::shared_mutex terms_mutex_;
  Memory memory_;
  const std::function<Prover&(unsigned worker)> provers_ = [this](unsigned worker) -> Prover& {
    return deciders_[worker].prover();
  };
  std::vector<Decider> deciders_;  // one per worker
  std::shared_ptr<Ledger> ledger_;
  std::unordered_map<std::string, std::vector<std::size_t>> under_way_;  // who waits, by digest
  std::mutex mutex_;
  // Of the call at hand:
  const std::vector<vcgen::Obligation>* obligations_ = nullptr;
  std::vector<Outcome>* outcomes_ = nullptr;
  const Progress* progress_ = nullptr;
  const std::vector<std::size_t>* which_ = nullptr;
  const FindBroken* find_broken_ = nullptr;
  std::mutex hunting_;
  std::optional<std::vector<Fate>> fates_;  // by obligation
  std::vector<std::size_t> open_;
  std::atomic<bool> troubled_{false}, dropped_claims_{false};
  std::atomic<bool> in_vain_{false};  // see Options::or_nothing
};

std::vector<std::size_t> find_behind(const vcgen::Assumption& a,
                                     const std::vector<vcgen::Obligation>& obligations,
                                     const logic::TermTable& terms) {
  std::vector<std::size_t> out;
  // Where branches have met again, what was assumed in one of them still is, in that case.
  const auto has_met_again = [&](const vcgen::Obligation& o) {
    return o.question.log == a.log && vcgen::is_part_of(o.question.path, a.path, terms) &&
           a.log->leads_to(a.behind, o.question.known);
  };
  for (std::size_t k = a.everywhere ? 0 : a.first; k < obligations.size(); ++k) {
    const vcgen::Obligation& o = obligations[k];
    if (!a.everywhere && k >= a.last && o.question.log != a.log) break;  // of other functions
    const bool on_its_path = k < a.last && o.claim.function == a.claim.function;
    if (a.everywhere || on_its_path || has_met_again(o)) out.push_back(k);
  }
  return out;
}

namespace {

// Of the proofs behind an assumption, those that may have done without what they prove. One that
// took its claim may still have taken it to choose the branch in which all is assumed; and one in
// another branch, or in a loop, knows what was assumed as well, in that case. If any of them took
// all effort, so does the search.
void gather_suspicions(vcgen::Assumption& a, const std::vector<vcgen::Obligation>& obligations,
                       const std::vector<Outcome>& outcomes, const logic::TermTable& terms) {
  constexpr std::size_t kEnough = 8;
  a.thoroughly = false;
  a.relied_on = a.everywhere;  // by other functions too
  for (std::size_t k : find_behind(a, obligations, terms)) {
    const Outcome& outcome = outcomes[k];
    if (!outcome.proof || (outcome.trivial() && !obligations[k].question.known_already)) continue;
    a.relied_on = true;
    if (outcome.suspect && a.suspicions.size() < kEnough)
      a.suspicions.push_back({&obligations[k], outcome.took_cases, outcome.took_all});
  }
  for (std::size_t k = a.everywhere ? 0 : a.first; k < obligations.size(); ++k) {
    const vcgen::Question& question = obligations[k].question;
    if (!a.everywhere && k >= a.last && question.log != a.log) break;  // of other functions
    if (!outcomes[k].proof || !outcomes[k].took_all) continue;
    a.thoroughly =
        a.thoroughly || a.everywhere || k < a.last || a.log->leads_to(a.behind, question.known);
  }
}

// What is told of functions in the walks that the assumptions are made in.
class Telling {
 public:
  Telling(const std::vector<vcgen::Obligation>& obligations, const std::vector<Outcome>& outcomes,
          const logic::TermTable& terms)
      : obligations_(obligations), outcomes_(outcomes), terms_(terms) {}

  void fill(vcgen::Assumption& a) {
    const Of& walk = of(a.everywhere ? nullptr : a.log.get());
    a.told = walk.told;
    a.suspected = walk.suspected;
  }

 private:
  struct Of {
    std::shared_ptr<const std::vector<logic::Term>> told;
    bool suspected = false;
  };
  // Null: of all of them.
  const Of& of(const vcgen::Log* log) {
    const auto [it, fresh] = known_.try_emplace(log);
    if (!fresh) return it->second;
    std::vector<logic::Term> said;
    std::set<const vcgen::Log*> logs;
    if (log != nullptr) logs.insert(log);
    for (std::size_t k = 0; k < obligations_.size(); ++k) {
      const vcgen::Question& question = obligations_[k].question;
      if (log != nullptr && question.log.get() != log) continue;
      said.push_back(question.goal);
      if (question.log) logs.insert(question.log.get());
      it->second.suspected = it->second.suspected || outcomes_[k].suspect;
    }
    for (const vcgen::Log* one : logs)
      for (std::uint32_t entry = 1; entry <= one->size(); ++entry) said.push_back(one->fact(entry));
    it->second.told = std::make_shared<std::vector<logic::Term>>(find_told(said, terms_));
    return it->second;
  }

  const std::vector<vcgen::Obligation>& obligations_;
  const std::vector<Outcome>& outcomes_;
  const logic::TermTable& terms_;
  std::map<const vcgen::Log*, Of> known_;
};

}  // namespace

Discharger::Discharger(logic::TermTable& terms, Engine& engine, std::shared_ptr<Ledger> ledger)
    : work_(std::make_unique<Work>(terms, engine, std::move(ledger))) {}
Discharger::~Discharger() = default;

void Discharger::run(const std::vector<vcgen::Obligation>& obligations,
                     const std::vector<std::size_t>& which, const Progress& progress,
                     std::vector<Outcome>& outcomes, const FindBroken& find_broken) {
  work_->run(obligations, which, progress, outcomes, find_broken);
}

std::vector<Doubt> Discharger::contradictions(
    std::vector<vcgen::Assumption> assumptions, const std::vector<vcgen::Obligation>& obligations,
    const std::vector<Outcome>& outcomes,
    const std::function<bool(const vcgen::Assumption&)>& is_visited) {
  Telling telling(obligations, outcomes, work_->terms());
  for (vcgen::Assumption& a : assumptions) {
    gather_suspicions(a, obligations, outcomes, work_->terms());
    telling.fill(a);
  }
  return work_->contradictions(assumptions, is_visited);
}

bool Discharger::is_met_by_model(const vcgen::Obligation& obligation, const Outcome& outcome,
                                 const std::vector<vcgen::Assumption>& assumptions) {
  if (!core::is_existential(obligation.claim.kind) || outcome.proof) return false;
  return std::any_of(assumptions.begin(), assumptions.end(), [&](const vcgen::Assumption& a) {
    return a.claim.kind == core::ClaimKind::ConstraintsMet && work_->has_model(a);
  });
}

bool Discharger::has_dropped_claims() const {
  return work_->has_dropped_claims();
}

bool Discharger::is_in_vain() const {
  return work_->is_in_vain();
}

bool Discharger::is_troubled() const {
  return work_->is_troubled();
}

bool Discharger::audit(const std::vector<vcgen::Obligation>& obligations,
                       const std::vector<Outcome>& outcomes) {
  return work_->audit(obligations, outcomes);
}

}  // namespace leto::prove

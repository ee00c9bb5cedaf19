// Which obligations are decided when, and by whom.
#include <algorithm>
#include <filesystem>

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
  return "";
}

namespace {

// Everything that the workers share.
class Discharge {
 public:
  Discharge(const std::vector<vcgen::Obligation>& obligations,
            const std::vector<std::size_t>& which, logic::TermTable& terms, Engine& engine,
            const Progress& progress, std::vector<Outcome>& outcomes)
      : obligations_(obligations),
        which_(which),
        terms_(terms),
        engine_(engine),
        progress_(progress),
        outcomes_(outcomes) {
    for (unsigned i = 0; i < engine.crew.size(); ++i)
      deciders_.emplace_back(i, engine, terms, terms_mutex_);
  }

  void run() {
    if (!engine_.options.dump.empty()) {
      std::error_code error;
      std::filesystem::create_directories(engine_.options.dump, error);
    }
    find_chains();
    engine_.crew.work(chain_ends_.size(), [this](unsigned worker, std::size_t k) {
      const std::size_t i = chain_ends_[k];
      smoke_[i] = deciders_[worker].smoke(obligations_[i], i, outcomes_[i]);
    });
    engine_.crew.work(which_.size(),
                      [this](unsigned worker, std::size_t k) { one(worker, which_[k]); });
  }

 private:
  // Hypotheses can be met if more of them can be: along a program they mostly grow, and it is
  // enough to ask at the end of each chain.
  void find_chains() {
    chain_end_.assign(obligations_.size(), 0);
    smoke_.assign(obligations_.size(), solver::Verdict::Unknown);
    std::vector<logic::Term> later;
    std::size_t end = 0;
    for (std::size_t k = which_.size(); k-- > 0;) {
      const std::size_t i = which_[k];
      if (!obligations_[i].smoke) continue;
      std::vector<logic::Term> own = everything(obligations_[i]);
      std::sort(own.begin(), own.end());
      if (later.empty() || !std::includes(later.begin(), later.end(), own.begin(), own.end())) {
        end = i;
        chain_ends_.push_back(i);
      }
      chain_end_[i] = end;
      later = std::move(own);
    }
  }

  void one(unsigned worker, std::size_t i) {
    const vcgen::Obligation& o = obligations_[i];
    const bool plain = std::none_of(o.parts.begin(), o.parts.end(), [&](const vcgen::Part& part) {
      return terms_.is_false(part.goal);
    });
    if (terms_.is_true(o.goal) && plain && !o.smoke) {
      Outcome outcome;
      outcome.status = Status::Proved;
      outcome.trivial = true;
      outcome.parts.assign(o.parts.size(), Status::Proved);
      const std::lock_guard lock(mutex_);
      return finish(i, outcome);
    }
    const std::string key = deciders_[worker].key(o);
    auto& asked = engine_.memory.asked;
    {
      const std::lock_guard lock(mutex_);
      const auto [it, fresh] = asked.emplace(key, Memory::Asked{});
      if (!fresh) {
        if (it->second.done)
          finish(i, it->second.outcome);
        else
          it->second.waiting.push_back(i);
        return;
      }
      progress_(i, false);
    }
    Outcome outcome = outcomes_[i];  // what was asked about the hypotheses
    if (!o.parts.empty())
      deciders_[worker].decide_parts(o, i, outcome);
    else
      deciders_[worker].decide(o, i, outcome);
    if (o.smoke && outcome.status == Status::Proved && vacuous(worker, i, outcome)) {
      outcome.status = Status::Vacuous;
      outcome.trivial = false;
    }
    const std::lock_guard lock(mutex_);
    Memory::Asked& own = asked[key];
    own.done = true;
    own.outcome = outcome;
    finish(i, outcome);
    own.outcome.calls = 0;  // counted once
    for (std::size_t other : own.waiting) finish(other, own.outcome);
    own.waiting.clear();
  }

  bool vacuous(unsigned worker, std::size_t i, Outcome& outcome) {
    const std::size_t end = chain_end_[i];
    if (end == i || smoke_[end] == solver::Verdict::Sat)
      return smoke_[end] == solver::Verdict::Unsat;
    return deciders_[worker].smoke(obligations_[i], i, outcome) == solver::Verdict::Unsat;
  }

  // With the mutex held.
  void finish(std::size_t i, const Outcome& outcome) {
    outcomes_[i] = outcome;
    progress_(i, true);
  }

  const std::vector<vcgen::Obligation>& obligations_;
  const std::vector<std::size_t>& which_;
  logic::TermTable& terms_;
  Engine& engine_;
  const Progress& progress_;
  std::vector<Outcome>& outcomes_;
  std::shared_mutex terms_mutex_;
  std::vector<Decider> deciders_;  // one per worker
  std::vector<std::size_t> chain_end_, chain_ends_;
  std::vector<solver::Verdict> smoke_;
  std::mutex mutex_;
};

}  // namespace

void discharge(const std::vector<vcgen::Obligation>& obligations,
               const std::vector<std::size_t>& which, logic::TermTable& terms, Engine& engine,
               const Progress& progress, std::vector<Outcome>& outcomes) {
  Discharge(obligations, which, terms, engine, progress, outcomes).run();
}

}  // namespace leto::prove

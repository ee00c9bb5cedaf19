// Which obligations are decided when, and by whom.
#include <algorithm>
#include <filesystem>
#include <unordered_map>

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

// Everything that the workers share.
class Discharger::Work {
 public:
  Work(logic::TermTable& terms, Engine& engine) : terms_(terms), engine_(engine) {
    for (unsigned i = 0; i < engine.crew.size(); ++i)
      deciders_.emplace_back(i, engine, terms, terms_mutex_);
    if (!engine.options.dump.empty()) {
      std::error_code error;
      std::filesystem::create_directories(engine.options.dump, error);
    }
  }

  void run(const std::vector<vcgen::Obligation>& obligations, const std::vector<std::size_t>& which,
           const Progress& progress, std::vector<Outcome>& outcomes) {
    obligations_ = &obligations;
    outcomes_ = &outcomes;
    progress_ = &progress;
    find_chains(which);
    engine_.crew.work(chain_ends_.size(), [&](unsigned worker, std::size_t k) {
      const std::size_t i = chain_ends_[k];
      const solver::Verdict verdict = deciders_[worker].smoke(obligations[i], i, outcomes[i]);
      const std::lock_guard lock(mutex_);
      smoke_[i] = verdict;
    });
    engine_.crew.work(which.size(), [&](unsigned worker, std::size_t k) { one(worker, which[k]); });
  }

 private:
  // One distinct question: its outcome, or who waits for it.
  struct Asked {
    bool done = false;
    Outcome outcome;
    std::vector<std::size_t> waiting;
  };

  // Hypotheses can be met if more of them can be: along a program they mostly grow, and it is
  // enough to ask at the end of each chain.
  void find_chains(const std::vector<std::size_t>& which) {
    chain_end_.clear();
    chain_ends_.clear();
    smoke_.clear();
    std::vector<logic::Term> later;
    std::size_t end = 0;
    for (std::size_t k = which.size(); k-- > 0;) {
      const std::size_t i = which[k];
      const vcgen::Obligation& o = (*obligations_)[i];
      if (!o.smoke) continue;
      std::vector<logic::Term> own = everything(o);
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
    const vcgen::Obligation& o = (*obligations_)[i];
    // The goal leaves out parts that are plainly false; nothing is proved by leaving it out.
    const bool plain = std::all_of(o.parts.begin(), o.parts.end(), [&](const vcgen::Part& part) {
      return terms_.is_true(part.goal);
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
    {
      const std::lock_guard lock(mutex_);
      const auto [it, fresh] = asked_.emplace(key, Asked{});
      if (!fresh) {
        if (it->second.done)
          finish(i, it->second.outcome);
        else
          it->second.waiting.push_back(i);
        return;
      }
      (*progress_)(i, false);
    }
    Outcome outcome = (*outcomes_)[i];  // what was asked about the hypotheses
    if (!o.parts.empty())
      deciders_[worker].decide_parts(o, i, outcome);
    else
      deciders_[worker].decide(o, i, outcome);
    if (o.smoke && outcome.status == Status::Proved && vacuous(worker, i, outcome)) {
      outcome.status = Status::Vacuous;
      outcome.trivial = false;
    }
    const std::lock_guard lock(mutex_);
    Asked& own = asked_[key];
    own.done = true;
    own.outcome = outcome;
    finish(i, outcome);
    own.outcome.calls = 0;  // counted once
    for (std::size_t other : own.waiting) finish(other, own.outcome);
    own.waiting.clear();
  }

  bool vacuous(unsigned worker, std::size_t i, Outcome& outcome) {
    const std::size_t end = chain_end_.at(i);
    const solver::Verdict known = smoke_.at(end);
    if (end == i || known == solver::Verdict::Sat) return known == solver::Verdict::Unsat;
    return deciders_[worker].smoke((*obligations_)[i], i, outcome) == solver::Verdict::Unsat;
  }

  // With the mutex held.
  void finish(std::size_t i, const Outcome& outcome) {
    (*outcomes_)[i] = outcome;
    (*progress_)(i, true);
  }

  logic::TermTable& terms_;
  Engine& engine_;
  std::shared_mutex terms_mutex_;
  std::vector<Decider> deciders_;                 // one per worker
  std::unordered_map<std::string, Asked> asked_;  // by digest
  std::mutex mutex_;
  // Of the call at hand:
  const std::vector<vcgen::Obligation>* obligations_ = nullptr;
  std::vector<Outcome>* outcomes_ = nullptr;
  const Progress* progress_ = nullptr;
  std::vector<std::size_t> chain_ends_;
  std::unordered_map<std::size_t, std::size_t> chain_end_;
  std::unordered_map<std::size_t, solver::Verdict> smoke_;
};

Discharger::Discharger(logic::TermTable& terms, Engine& engine)
    : work_(std::make_unique<Work>(terms, engine)) {}
Discharger::~Discharger() = default;

void Discharger::run(const std::vector<vcgen::Obligation>& obligations,
                     const std::vector<std::size_t>& which, const Progress& progress,
                     std::vector<Outcome>& outcomes) {
  work_->run(obligations, which, progress, outcomes);
}

}  // namespace leto::prove

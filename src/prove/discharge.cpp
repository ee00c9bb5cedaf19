#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "prove/digest.h"
#include "prove/prove.h"

namespace leto::prove {

using logic::Products;
using solver::Strategy;

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

std::vector<logic::Term> together(std::vector<logic::Term> a, const std::vector<logic::Term>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<logic::Term> everything(const vcgen::Obligation& o) {
  return together(o.hypotheses, o.array_facts);
}

// Undecided, and asking in another way would be pointless or wrong.
bool is_final(const solver::Answer& answer) {
  return answer.reason == solver::Reason::Interrupted ||
         answer.reason == solver::Reason::Disagreement;
}

solver::Query ask(const vcgen::Obligation& o, logic::SmtWriter& writer,
                  const std::vector<logic::Term>& hypotheses, std::vector<std::string>& shown) {
  solver::Query query{writer.question(hypotheses, o.goal), {}};
  shown.clear();
  for (const vcgen::Part& part : o.parts) query.values.push_back(writer.term(part.goal));
  for (const vcgen::Shown& value : o.values) {
    std::string term = writer.term(value.term);
    if (term.empty()) continue;
    query.values.push_back(std::move(term));
    shown.push_back(value.name);
  }
  return query;
}

// The same question with all vectors of size n, written out element by element. What the
// quantified facts about arrays say is then true by construction. It asks for more, so
// only "satisfiable" carries over to the question it came from.
std::vector<logic::Term> bounded(const vcgen::Obligation& o, logic::TermTable& terms, int n) {
  std::vector<logic::Term> hypotheses = o.hypotheses;
  const logic::Term size = terms.number(std::to_string(n), logic::kInt);
  for (const vcgen::ArrayShape& shape : o.arrays) {
    for (logic::Term s : shape.sizes) hypotheses.push_back(terms.eq(s, size));
    const logic::Sort sort = terms.sort(shape.array);
    logic::Sort scalar = sort;
    scalar.rank = 0;
    const auto row = [&](logic::Sort of) {
      logic::Term array = terms.zero(of);
      for (int k = 0; k < n; ++k) {
        const logic::Term element = terms.symbol("element", scalar);
        if (shape.natural) hypotheses.push_back(terms.le(terms.zero(logic::kInt), element));
        array = terms.store(array, terms.number(std::to_string(k), logic::kInt), element);
      }
      return array;
    };
    logic::Term array;
    if (sort.rank == 1) {
      array = row(sort);
    } else {
      array = terms.zero(sort);
      for (int k = 0; k < n; ++k)
        array =
            terms.store(array, terms.number(std::to_string(k), logic::kInt), row(sort.element()));
    }
    hypotheses.push_back(terms.eq(shape.array, array));
  }
  return hypotheses;
}

// Everything that the workers share.
class Discharge {
 public:
  Discharge(const std::vector<vcgen::Obligation>& obligations,
            const std::vector<std::size_t>& which, logic::TermTable& terms, Engine& engine,
            const Progress& progress, std::vector<Outcome>& outcomes)
      : obligations_(obligations),
        which_(which),
        terms_(terms),
        options_(engine.options),
        crew_(engine.crew),
        cache_(engine.cache),
        asked_(engine.memory.asked),
        progress_(progress),
        outcomes_(outcomes),
        writers_(engine.crew.size(), logic::SmtWriter(terms)) {}

  void run() {
    if (!options_.dump.empty()) {
      std::error_code error;
      std::filesystem::create_directories(options_.dump, error);
    }
    find_chains();
    crew_.work(chain_ends_.size(), [this](unsigned worker, std::size_t k) {
      const std::size_t i = chain_ends_[k];
      smoke_[i] = ask_smoke(worker, i, outcomes_[i]);
    });
    crew_.work(which_.size(), [this](unsigned worker, std::size_t k) { one(worker, which_[k]); });
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

  // A question with small limits, by matching, and no values to be shown.
  solver::Query brief(unsigned worker, const std::vector<logic::Term>& hypotheses, logic::Term goal,
                      Products products) {
    const std::shared_lock lock(terms_mutex_);
    return {writers_[worker].question(hypotheses, goal, products), {}, true, Strategy::Matching};
  }

  solver::Verdict ask_smoke(unsigned worker, std::size_t i, Outcome& outcome) {
    solver::Query smoke =
        brief(worker, everything(obligations_[i]), terms_.boolean(false), Products::Exact);
    const solver::Verdict quick = answer(worker, smoke, "smoke", i, outcome).verdict;
    if (quick != solver::Verdict::Unknown) return quick;
    smoke.strategy = Strategy::General;
    return answer(worker, smoke, "smoke-general", i, outcome).verdict;
  }

  // Can the hypotheses be met, as far as one can tell?
  solver::Verdict smoke(unsigned worker, std::size_t i, Outcome& outcome) {
    const std::size_t end = chain_end_[i];
    if (end == i || smoke_[end] == solver::Verdict::Sat) return smoke_[end];
    return ask_smoke(worker, i, outcome);
  }

  void one(unsigned worker, std::size_t i) {
    const vcgen::Obligation& o = obligations_[i];
    const bool plain = terms_.is_true(o.goal);
    if (plain && !o.smoke) {
      Outcome outcome;
      outcome.status = Status::Proved;
      outcome.trivial = true;
      outcome.parts.assign(o.parts.size(), Status::Proved);
      const std::lock_guard lock(mutex_);
      return finish(i, outcome);
    }
    std::vector<std::string> shown;
    solver::Query query;
    {
      const std::shared_lock lock(terms_mutex_);
      query = ask(o, writers_[worker], everything(o), shown);
    }
    std::string key = query.text + (o.smoke ? "+" : "-");
    for (const std::string& name : shown) key += name + "\n";
    for (const std::string& value : query.values) key += value + "\n";
    if (!o.parts.empty()) key += "parts";
    key = digest(key);
    {
      const std::lock_guard lock(mutex_);
      const auto [it, fresh] = asked_.emplace(key, Memory::Asked{});
      if (!fresh) {
        if (it->second.done)
          finish(i, it->second.outcome);
        else
          it->second.waiting.push_back(i);
        return;
      }
      progress_(i, false);
    }
    const Outcome outcome = o.parts.empty() ? decide(worker, i, plain, query, shown)
                                            : decide_parts(worker, i);
    const std::lock_guard lock(mutex_);
    Memory::Asked& asked = asked_[key];
    asked.done = true;
    asked.outcome = outcome;
    finish(i, outcome);
    asked.outcome.calls = 0;  // counted once
    for (std::size_t other : asked.waiting) finish(other, asked.outcome);
    asked.waiting.clear();
  }

  // From few facts, then from all; a counterexample with short vectors if that is undecided;
  // and if it is proved, whether from something that can be.
  Outcome decide(unsigned worker, std::size_t i, bool plain, const solver::Query& query,
                 const std::vector<std::string>& shown) {
    const vcgen::Obligation& o = obligations_[i];
    Outcome outcome = outcomes_[i];  // what was asked about the hypotheses
    outcome.trivial = plain;
    if (plain) {
      outcome.status = Status::Proved;
    } else {
      if (!o.near.empty()) {
        const solver::Query near =
            brief(worker, together(o.near, o.near_arrays), o.goal, Products::Opaque);
        // Anything but a proof says nothing: facts were left out.
        if (answer(worker, near, "near", i, outcome).verdict == solver::Verdict::Unsat)
          outcome.status = Status::Proved;
      }
      if (outcome.status != Status::Proved) conclude(worker, i, query, shown, outcome);
    }
    if (o.smoke && outcome.status == Status::Proved) {
      if (smoke(worker, i, outcome) == solver::Verdict::Unsat) {
        outcome.status = Status::Vacuous;
        outcome.trivial = false;
      }
    }
    return outcome;
  }

  // By matching, products opaque and then exact. Only "unsatisfiable" says something.
  solver::Answer ask_quick(unsigned worker, std::size_t i, logic::Term goal, Outcome& outcome) {
    const std::vector<logic::Term> hypotheses = everything(obligations_[i]);
    const solver::Query opaque = brief(worker, hypotheses, goal, Products::Opaque);
    const solver::Answer first = answer(worker, opaque, "quick", i, outcome);
    if (first.verdict == solver::Verdict::Unsat || is_final(first)) return first;
    const solver::Query exact = brief(worker, hypotheses, goal, Products::Exact);
    if (exact.text == opaque.text) return first;
    return answer(worker, exact, "quick-exact", i, outcome);
  }

  // The goal in each case of a branch that it depends on, and there, if need be, of the next.
  solver::Answer ask_cases(unsigned worker, std::size_t i, logic::Term goal, std::size_t depth,
                           Outcome& outcome) {
    solver::Answer last;
    const vcgen::Obligation& o = obligations_[i];
    if (depth >= std::min<std::size_t>(o.cases.size(), 2)) return last;
    for (logic::Term condition : o.cases[o.cases.size() - 1 - depth]) {
      const logic::Term in_case = implies(condition, goal);
      last = ask_quick(worker, i, in_case, outcome);
      if (last.verdict != solver::Verdict::Unsat && !is_final(last))
        last = ask_cases(worker, i, in_case, depth + 1, outcome);
      if (last.verdict != solver::Verdict::Unsat) break;
    }
    return last;
  }
  logic::Term implies(logic::Term a, logic::Term b) {
    const std::unique_lock lock(terms_mutex_);  // makes a new term
    return terms_.implies(a, b);
  }

  // What a goal says, one thing at a time.
  std::vector<logic::Term> conjuncts_of(logic::Term goal) {
    const std::unique_lock lock(terms_mutex_);  // makes new terms
    const logic::Node node = terms_[goal];
    if (node.kind == logic::Kind::And) return node.args;
    if (node.kind != logic::Kind::Implies || terms_[node.args[1]].kind != logic::Kind::And)
      return {goal};
    std::vector<logic::Term> out;
    const std::vector<logic::Term> parts = terms_[node.args[1]].args;
    for (logic::Term part : parts) out.push_back(terms_.implies(node.args[0], part));
    return out;
  }

  void conclude(unsigned worker, std::size_t i, const solver::Query& query,
                const std::vector<std::string>& shown, Outcome& outcome) {
    const vcgen::Obligation& o = obligations_[i];
    const auto refuted = [&](const solver::Answer& by, const std::vector<std::string>& names) {
      outcome.status = Status::Refuted;
      outcome.reason = solver::Reason::None;
      for (std::size_t k = 0; k < by.values.size() && k < names.size(); ++k)
        outcome.values.emplace_back(names[k], by.values[k]);
    };
    // By matching first; what that does not do, the general strategy has the whole limit for.
    solver::Answer full = ask_quick(worker, i, o.goal, outcome);
    if (full.verdict != solver::Verdict::Unsat && !is_final(full)) {
      // One conjunct after the other, each in each case, as long as they are proved.
      const std::vector<logic::Term> conjuncts = conjuncts_of(o.goal);
      for (logic::Term conjunct : conjuncts) {
        if (conjuncts.size() > 1) full = ask_quick(worker, i, conjunct, outcome);
        if (full.verdict != solver::Verdict::Unsat && !is_final(full))
          full = ask_cases(worker, i, conjunct, 0, outcome);
        if (full.verdict != solver::Verdict::Unsat) break;
      }
    }
    // Only the general strategy is asked for a counterexample, and only of exact products.
    if (full.verdict != solver::Verdict::Unsat && !is_final(full))
      full = answer(worker, query, "claim", i, outcome);
    outcome.reason = full.reason;
    outcome.detail = full.detail;
    if (full.verdict == solver::Verdict::Unsat) outcome.status = Status::Proved;
    if (full.verdict == solver::Verdict::Sat) refuted(full, shown);
    if (full.verdict != solver::Verdict::Unknown || o.arrays.empty() || is_final(full)) return;
    for (int n = 1; n <= 2 && outcome.status == Status::Unknown; ++n) {
      std::vector<std::string> names;
      solver::Query small;
      {
        const std::unique_lock lock(terms_mutex_);  // makes new terms
        small = ask(o, writers_[worker], bounded(o, terms_, n), names);
      }
      small.brief = true;
      const solver::Answer found = answer(worker, small, "short", i, outcome);
      if (found.verdict == solver::Verdict::Sat) refuted(found, names);
    }
  }

  // Inferred invariants stand or fall one by one: all in one question as long as a model says
  // which of them do not hold, and each by itself where the solver does not know.
  Outcome decide_parts(unsigned worker, std::size_t i) {
    const vcgen::Obligation& o = obligations_[i];
    Outcome outcome;
    outcome.parts.assign(o.parts.size(), Status::Unknown);
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < o.parts.size(); ++k) {
      if (terms_.is_true(o.parts[k].goal))
        outcome.parts[k] = Status::Proved;
      else
        open.push_back(k);
    }
    while (open.size() > 1) {
      const solver::Answer all = answer(worker, conjunction(worker, o, open), "inferred", i, outcome);
      if (is_final(all)) return outcome;
      if (all.verdict == solver::Verdict::Unsat) {
        for (std::size_t k : open) outcome.parts[k] = Status::Proved;
        open.clear();
      }
      if (all.verdict != solver::Verdict::Sat) break;
      std::vector<std::size_t> left;
      for (std::size_t k = 0; k < open.size(); ++k) {
        if (k < all.values.size() && all.values[k] == "false")
          outcome.parts[open[k]] = Status::Refuted;
        else
          left.push_back(open[k]);
      }
      if (left.size() == open.size()) break;  // the model does not say
      open = std::move(left);
    }
    for (std::size_t k : open) outcome.parts[k] = decide_part(worker, i, k, outcome);
    outcome.status = Status::Proved;
    for (Status status : outcome.parts)
      if (status != Status::Proved) outcome.status = Status::Unknown;
    return outcome;
  }

  solver::Query conjunction(unsigned worker, const vcgen::Obligation& o,
                            const std::vector<std::size_t>& open) {
    const std::unique_lock lock(terms_mutex_);  // may make a new term
    std::vector<logic::Term> goals;
    for (std::size_t k : open) goals.push_back(o.parts[k].goal);
    solver::Query query{
        writers_[worker].question(everything(o), terms_.and_(goals), Products::Opaque),
        {},
        true,
        Strategy::Matching};
    for (std::size_t k : open) {
      query.values.push_back(writers_[worker].term(o.parts[k].goal));
      if (query.values.back().empty()) query.values.back() = "true";  // too large to be asked for
    }
    return query;
  }

  Status decide_part(unsigned worker, std::size_t i, std::size_t k, Outcome& outcome) {
    const vcgen::Obligation& o = obligations_[i];
    const solver::Query query = brief(worker, everything(o), o.parts[k].goal, Products::Opaque);
    const solver::Answer found = answer(worker, query, "part", i, outcome);
    return found.verdict == solver::Verdict::Unsat ? Status::Proved
           : found.verdict == solver::Verdict::Sat ? Status::Refuted
                                                   : Status::Unknown;
  }

  solver::Answer answer(unsigned worker, const solver::Query& query, std::string_view what,
                        std::size_t i, Outcome& outcome) {
    solver::Solver& solver = crew_.solver(worker);
    if (!options_.dump.empty()) {
      std::string path = fmt::format("{}/{:05}-{}.smt2", options_.dump, i, what);
      for (int n = 2; std::filesystem::exists(path); ++n)
        path = fmt::format("{}/{:05}-{}-{}.smt2", options_.dump, i, what, n);
      std::ofstream(path) << solver.script(query);
    }
    solver::Answer answer;
    const std::string identity = cache_ != nullptr ? solver.identity() : "";
    if (cache_ != nullptr && cache_->find(identity, query, answer)) {
      outcome.cached = true;
    } else {
      answer = solver.solve(query);
      ++outcome.calls;
      if (cache_ != nullptr) cache_->keep(identity, query, answer);
    }
    outcome.seconds += answer.seconds;
    outcome.resource += answer.resource;
    return answer;
  }

  // With the mutex held.
  void finish(std::size_t i, const Outcome& outcome) {
    outcomes_[i] = outcome;
    progress_(i, true);
  }

  const std::vector<vcgen::Obligation>& obligations_;
  const std::vector<std::size_t>& which_;
  logic::TermTable& terms_;
  const Options& options_;
  Crew& crew_;
  Cache* cache_;
  std::unordered_map<std::string, Memory::Asked>& asked_;
  const Progress& progress_;
  std::vector<Outcome>& outcomes_;
  std::vector<logic::SmtWriter> writers_;  // one per worker
  std::vector<std::size_t> chain_end_, chain_ends_;
  std::vector<solver::Verdict> smoke_;
  std::mutex mutex_;
  std::shared_mutex terms_mutex_;
};

}  // namespace

void discharge(const std::vector<vcgen::Obligation>& obligations,
               const std::vector<std::size_t>& which, logic::TermTable& terms, Engine& engine,
               const Progress& progress, std::vector<Outcome>& outcomes) {
  Discharge(obligations, which, terms, engine, progress, outcomes).run();
}

}  // namespace leto::prove

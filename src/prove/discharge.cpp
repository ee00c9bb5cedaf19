#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "prove/prove.h"

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

struct Question {
  solver::Query query;
  std::vector<std::size_t> asked_by;  // indices of obligations
};

// Every distinct question of the run, in order.
struct Questions {
  std::vector<Question> list;
  std::map<std::string, std::size_t> index;

  std::size_t add(solver::Query query, std::size_t obligation) {
    const auto [it, fresh] = index.emplace(query.text, list.size());
    if (fresh) list.push_back({std::move(query), {}});
    list[it->second].asked_by.push_back(obligation);
    return it->second;
  }
};

// Answers all questions with the given number of workers.
std::vector<solver::Answer> answer_all(
    const Questions& questions, unsigned workers, const SolverMaker& make_solver, Cache* cache,
    std::vector<bool>& cached,
    const std::function<void(std::size_t, const solver::Answer&)>& done) {
  std::vector<solver::Answer> answers(questions.list.size());
  cached.assign(questions.list.size(), false);
  std::vector<char> from_cache(questions.list.size(), 0);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    std::unique_ptr<solver::Solver> solver;
    std::string identity;
    while (true) {
      const std::size_t i = next.fetch_add(1);
      if (i >= questions.list.size()) break;
      if (!solver) {
        solver = make_solver();
        identity = solver->identity();
      }
      const solver::Query& query = questions.list[i].query;
      solver::Answer answer;
      if (cache != nullptr && cache->find(identity, query, answer)) {
        from_cache[i] = 1;
      } else {
        answer = solver->solve(query);
        // What is not known is never final.
        if (cache != nullptr && answer.verdict != solver::Verdict::Unknown)
          cache->keep(identity, query, answer);
      }
      answers[i] = std::move(answer);
      const std::lock_guard lock(mutex);
      done(i, answers[i]);
    }
  };
  const unsigned count =
      std::max(1u, std::min<unsigned>(workers, static_cast<unsigned>(questions.list.size())));
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < count; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < from_cache.size(); ++i) cached[i] = from_cache[i] != 0;
  return answers;
}

void dump(const Questions& questions, const std::string& directory, std::string_view what,
          const SolverMaker& make_solver) {
  if (directory.empty() || questions.list.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const std::unique_ptr<solver::Solver> solver = make_solver();
  for (std::size_t i = 0; i < questions.list.size(); ++i)
    std::ofstream(fmt::format("{}/{}-{:05}.smt2", directory, what, i))
        << solver->script(questions.list[i].query);
}

std::vector<logic::Term> everything(const vcgen::Obligation& o) {
  std::vector<logic::Term> hypotheses = o.hypotheses;
  hypotheses.insert(hypotheses.end(), o.array_facts.begin(), o.array_facts.end());
  return hypotheses;
}

solver::Query ask(const vcgen::Obligation& o, const logic::TermTable& terms,
                  const std::vector<logic::Term>& hypotheses, std::vector<std::string>& shown) {
  const logic::SmtText text = logic::to_smtlib(terms, hypotheses, o.goal);
  solver::Query query{text.text, {}};
  shown.clear();
  for (const vcgen::Shown& value : o.values) {
    const std::string term = logic::to_smtlib(terms, text, value.term);
    if (term.empty()) continue;
    query.values.push_back(term);
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

}  // namespace

std::vector<Outcome> discharge(const std::vector<vcgen::Obligation>& obligations,
                               logic::TermTable& terms, const Options& options,
                               const Solvers& solvers, Cache* cache, const Progress& progress) {
  std::vector<Outcome> outcomes(obligations.size());
  Questions questions;
  std::vector<std::vector<std::string>> shown(obligations.size());  // names of the values asked for
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    const vcgen::Obligation& o = obligations[i];
    if (terms.is_true(o.goal)) {
      outcomes[i].status = Status::Proved;
      outcomes[i].trivial = true;
      if (!o.smoke) progress(i, outcomes[i]);
      continue;
    }
    questions.add(ask(o, terms, everything(o), shown[i]), i);
  }
  dump(questions, options.dump, "claim", solvers.claims);
  std::vector<bool> cached;
  const auto settle = [&](std::size_t question, const solver::Answer& answer) {
    for (std::size_t i : questions.list[question].asked_by) {
      Outcome& outcome = outcomes[i];
      outcome.seconds = answer.seconds;
      outcome.resource = answer.resource;
      outcome.reason = answer.reason;
      outcome.detail = answer.detail;
      switch (answer.verdict) {
        case solver::Verdict::Unsat:
          outcome.status = Status::Proved;
          break;
        case solver::Verdict::Sat:
          outcome.status = Status::Refuted;
          for (std::size_t k = 0; k < answer.values.size() && k < shown[i].size(); ++k)
            outcome.values.emplace_back(shown[i][k], answer.values[k]);
          break;
        case solver::Verdict::Unknown:
          outcome.status = Status::Unknown;
          break;
      }
      if (!obligations[i].smoke || outcome.status != Status::Proved) progress(i, outcome);
    }
  };
  (void)answer_all(questions, options.workers, solvers.claims, cache, cached, settle);
  for (std::size_t q = 0; q < questions.list.size(); ++q)
    for (std::size_t i : questions.list[q].asked_by) outcomes[i].cached = cached[q];

  // Undecided? A counterexample with short vectors is one all the same.
  for (int n = 1; n <= 2; ++n) {
    Questions small;
    for (std::size_t i = 0; i < obligations.size(); ++i)
      if (outcomes[i].status == Status::Unknown && !obligations[i].arrays.empty() &&
          outcomes[i].reason != solver::Reason::Interrupted &&
          outcomes[i].reason != solver::Reason::Disagreement)
        small.add(ask(obligations[i], terms, bounded(obligations[i], terms, n), shown[i]), i);
    const auto refute = [&](std::size_t question, const solver::Answer& answer) {
      if (answer.verdict != solver::Verdict::Sat) return;
      for (std::size_t i : small.list[question].asked_by) {
        outcomes[i].status = Status::Refuted;
        outcomes[i].reason = solver::Reason::None;
        outcomes[i].values.clear();
        for (std::size_t k = 0; k < answer.values.size() && k < shown[i].size(); ++k)
          outcomes[i].values.emplace_back(shown[i][k], answer.values[k]);
      }
    };
    (void)answer_all(small, options.workers, solvers.smoke, cache, cached, refute);
  }

  // Proved, but from what? Hypotheses that contradict one another prove anything.
  Questions smoke;
  for (std::size_t i = 0; i < obligations.size(); ++i)
    if (obligations[i].smoke && outcomes[i].status == Status::Proved)
      smoke.add(
          {logic::to_smtlib(terms, everything(obligations[i]), terms.boolean(false)).text, {}}, i);
  dump(smoke, options.dump, "smoke", solvers.smoke);
  const auto accuse = [&](std::size_t question, const solver::Answer& answer) {
    for (std::size_t i : smoke.list[question].asked_by) {
      if (answer.verdict == solver::Verdict::Unsat) {
        outcomes[i].status = Status::Vacuous;
        outcomes[i].trivial = false;
      }
      progress(i, outcomes[i]);
    }
  };
  (void)answer_all(smoke, options.workers, solvers.smoke, cache, cached, accuse);
  return outcomes;
}

}  // namespace leto::prove

#include "protocol/discharge.h"

#include <algorithm>
#include <map>
#include <set>

#include "logic/smtlib.h"

namespace leto::protocol {

using logic::Term;
using logic::TermTable;

namespace {

constexpr std::size_t kMostShown = 6;  // values of an example

// Values of variables that the formula reads.
std::string tell_example(const Lowered& lowered, Term formula, logic::SmtWriter& writer,
                         const std::string& question, solver::Solver& solver) {
  const TermTable& t = *lowered.system.terms;
  std::set<Term> seen;
  std::vector<Term> to_do{formula};
  while (!to_do.empty()) {
    const Term term = to_do.back();
    to_do.pop_back();
    if (!seen.insert(term).second) continue;
    to_do.insert(to_do.end(), t[term].args.begin(), t[term].args.end());
  }
  std::vector<const transition::Variable*> shown;
  solver::Query query{question};
  for (const transition::Variable& variable : lowered.system.variables)
    if (seen.contains(variable.now) && shown.size() < kMostShown)
      if (const std::string text = writer.term(variable.now); !text.empty()) {
        shown.push_back(&variable);
        query.values.push_back(text);
      }
  const solver::Answer answer = solver.solve(query);
  std::string out;
  if (answer.verdict != solver::Verdict::Sat) return out;
  for (std::size_t i = 0; i < shown.size() && i < answer.values.size(); ++i) {
    std::string value = logic::readable(answer.values[i]);
    const bool number = !value.empty() && value.size() < 6 &&
                        value.find_first_not_of("0123456789") == std::string::npos;
    if (shown[i]->enumeration && number) {
      const auto& values = lowered.system.enumerations[*shown[i]->enumeration].values;
      if (const std::size_t at = std::stoul(value); at < values.size()) value = values[at];
    }
    out += (out.empty() ? "" : ", ") + shown[i]->name + " = " + value;
  }
  return out;
}

}  // namespace

std::vector<Unmet> find_unmet(const Lowered& lowered, const std::vector<Obligation>& obligations,
                              solver::Solver& solver) {
  TermTable& t = *lowered.system.terms;
  // What is unrolled comes many times.
  std::map<std::pair<std::string, std::pair<std::uint32_t, std::uint32_t>>, std::vector<Term>> same;
  std::vector<const Obligation*> first;
  for (const Obligation& one : obligations) {
    auto& list = same[{one.text, {one.span.file.value, one.span.begin}}];
    if (list.empty()) first.push_back(&one);
    list.push_back(one.formula);
  }
  std::vector<Unmet> out;
  for (const Obligation* one : first) {
    const Term formula = t.and_(same[{one->text, {one->span.file.value, one->span.begin}}]);
    if (t.is_true(formula)) continue;
    logic::SmtWriter writer(t);
    const std::string question = writer.question({}, formula);
    const solver::Answer answer = solver.solve({question});
    if (answer.verdict == solver::Verdict::Unsat) continue;
    Unmet unmet{one->text, one->span, answer.verdict == solver::Verdict::Sat, {}};
    if (unmet.refuted) unmet.example = tell_example(lowered, formula, writer, question, solver);
    out.push_back(std::move(unmet));
  }
  return out;
}

std::vector<std::string> find_cut_steps(const Lowered& lowered, const Trusted& trusted,
                                        solver::Solver& solver) {
  TermTable& t = *lowered.system.terms;
  transition::Substitution later = transition::to_next(lowered.system);
  const Term kept = later(trusted.formula);
  std::vector<std::string> out;
  for (const transition::Step& step : lowered.system.steps) {
    logic::SmtWriter writer(t);
    const solver::Answer answer = solver.solve(
        {writer.question({lowered.system.assumed, lowered.system.common, step.formula}, kept)});
    if (answer.verdict != solver::Verdict::Unsat) out.push_back(step.name);
  }
  return out;
}

bool can_cut_beginning(const Lowered& lowered, const Trusted& trusted, solver::Solver& solver) {
  logic::SmtWriter writer(*lowered.system.terms);
  const solver::Answer answer =
      solver.solve({writer.question({lowered.system.initial}, trusted.formula)});
  return answer.verdict != solver::Verdict::Unsat;
}

}  // namespace leto::protocol

#include "prove/examine.h"

#include <algorithm>
#include <unordered_set>

namespace leto::prove {

using logic::Term;

std::optional<std::vector<std::string>> Examiner::model(const std::vector<Term>& hypotheses,
                                                        Term goal, const std::vector<Term>& asked,
                                                        solver::Effort effort) {
  logic::SmtWriter writer(terms_);
  solver::Query query{writer.question(hypotheses, goal), {}, effort};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    std::string term = writer.term(asked[i]);
    if (term.empty()) continue;
    query.values.push_back(std::move(term));
    places.push_back(i);
  }
  solver::Answer answer;
  engine_.crew.work(1, [&](unsigned worker, std::size_t) {
    solver::Solver& solver = engine_.crew.solver(worker);
    if (engine_.options.dump != nullptr)
      engine_.options.dump->write("search", solver.script(query));
    const std::string identity = engine_.cache != nullptr ? solver.identity() : "";
    if (engine_.cache != nullptr && engine_.cache->find(identity, query, answer)) return;
    ++calls;
    answer = solver.solve(query);
    if (engine_.cache != nullptr) engine_.cache->keep(identity, query, answer);
  });
  if (answer.verdict != solver::Verdict::Sat || answer.values.size() != places.size())
    return std::nullopt;
  std::vector<std::string> values(asked.size());
  for (std::size_t k = 0; k < places.size(); ++k) values[places[k]] = answer.values[k];
  return values;
}

std::vector<Term> with_short_vectors(const vcgen::Known& known, logic::TermTable& terms, int n) {
  std::vector<Term> hypotheses = known.facts;
  const Term size = terms.number(std::to_string(n), logic::kInt);
  for (const vcgen::ArrayShape& shape : known.arrays) {
    for (Term s : shape.sizes) hypotheses.push_back(terms.eq(s, size));
    const logic::Sort sort = terms.sort(shape.array);
    logic::Sort scalar = sort;
    scalar.rank = 0;
    const auto row = [&](logic::Sort of) {
      Term array = terms.zero(of);
      for (int k = 0; k < n; ++k) {
        const Term element = terms.symbol("element", scalar);
        if (shape.natural) hypotheses.push_back(terms.le(terms.zero(logic::kInt), element));
        array = terms.store(array, terms.number(std::to_string(k), logic::kInt), element);
      }
      return array;
    };
    Term array;
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

std::vector<Term> with_zero_vectors(const vcgen::Known& known, logic::TermTable& terms) {
  std::vector<Term> hypotheses = known.facts;
  for (const vcgen::ArrayShape& shape : known.arrays)
    hypotheses.push_back(terms.eq(shape.array, terms.zero(terms.sort(shape.array))));
  return hypotheses;
}

bool applies_definitions(const std::vector<Term>& facts, const logic::TermTable& terms) {
  std::unordered_set<Term> seen;
  std::vector<Term> work = facts;
  while (!work.empty()) {
    const Term term = work.back();
    work.pop_back();
    if (!seen.insert(term).second) continue;
    if (terms[term].kind == logic::Kind::Call) return true;
    work.insert(work.end(), terms[term].args.begin(), terms[term].args.end());
  }
  return false;
}

std::vector<Term> find_told(const std::vector<Term>& terms_in_question,
                            const logic::TermTable& terms) {
  std::unordered_set<Term> seen;
  std::vector<Term> work = terms_in_question, out;
  while (!work.empty()) {
    const Term term = work.back();
    work.pop_back();
    if (!seen.insert(term).second) continue;
    const logic::Node& node = terms[term];
    work.insert(work.end(), node.args.begin(), node.args.end());
    if (node.kind != logic::Kind::Call) continue;
    const std::vector<Term>& told = terms.told(term);
    work.insert(work.end(), told.begin(), told.end());
    out.insert(out.end(), told.begin(), told.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace leto::prove

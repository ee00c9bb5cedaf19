#include "prove/theorem.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "engine/digest.h"

namespace leto::prove {

using logic::Term;
using solver::Answer;
using solver::Query;
using solver::Verdict;

Theorem::Theorem(std::vector<Term> hypotheses, Term goal)
    : hypotheses_(std::move(hypotheses)), goal_(goal) {
  std::sort(hypotheses_.begin(), hypotheses_.end());
  hypotheses_.erase(std::unique(hypotheses_.begin(), hypotheses_.end()), hypotheses_.end());
}

namespace {

// A goal "p -> c" is claimed where p can be: p is a fact of the question, and c the claim. Then a
// solver that does without the claim says that nobody gets there.
struct Question {
  std::vector<Term> facts;
  Term claim;
};

// What all parts of a conjunction have for a premise; invalid: nothing.
Term common_premise(const logic::Node& conjunction, const logic::TermTable& terms) {
  Term premise;
  for (Term part : conjunction.args) {
    const logic::Node& node = terms[part];
    if (node.kind != logic::Kind::Implies || (premise.valid() && node.args[0] != premise))
      return {};
    premise = node.args[0];
  }
  return premise;
}

Question question_of(const std::vector<Term>& hypotheses, Term goal,
                     const logic::TermTable& terms) {
  Question question{hypotheses, goal};
  while (terms[question.claim].kind == logic::Kind::Implies) {
    question.facts.push_back(terms[question.claim].args[0]);
    question.claim = terms[question.claim].args[1];
  }
  const logic::Node& rest = terms[question.claim];
  if (rest.kind == logic::Kind::Not) {
    question.facts.push_back(rest.args[0]);
    question.claim = terms.boolean(false);
  } else if (rest.kind == logic::Kind::And) {
    if (const Term premise = common_premise(rest, terms); premise.valid())
      question.facts.push_back(premise);
  }
  return question;
}

bool has_premise(Term goal, const logic::TermTable& terms) {
  return !question_of({}, goal, terms).facts.empty();
}

}  // namespace

std::vector<Term> Prover::facts_of(const vcgen::Obligation& o, Extent extent) {
  const auto join = [](std::vector<Term> facts, const std::vector<Term>& arrays) {
    facts.insert(facts.end(), arrays.begin(), arrays.end());
    return facts;
  };
  switch (extent) {
    case Extent::Near:
      if (!o.parts.empty()) return join(o.hints.recent, o.hints.recent_arrays);
      return join(o.hints.near, o.hints.near_arrays);
    case Extent::Relevant: {
      if (!o.question.hypotheses.empty())
        return join(o.question.hypotheses, o.question.array_facts);
      std::vector<Term> all =
          relevance_.find(o.question.log, o.question.known, o.question.goal).all();
      // What came into being together may be near without sharing a symbol.
      std::unordered_set<Term> have(all.begin(), all.end());
      for (Term fact : join(o.hints.near, o.hints.near_arrays))
        if (have.insert(fact).second) all.push_back(fact);
      return all;
    }
    case Extent::All:
      return o.question.log->everything(terms_, o.question.known, o.question.goal).all();
  }
  LETO_ASSERT(false);
}

std::vector<Term> Prover::find_facts(const vcgen::Obligation& o, Extent extent) {
  const std::shared_lock lock(mutex_);
  return facts_of(o, extent);
}

namespace {

void note_trouble(const Answer& answer, Outcome& outcome) {
  using solver::Reason;
  switch (answer.reason) {
    case Reason::None:
    case Reason::Resource:
    case Reason::Incomplete:
      return;
    case Reason::Time:  // of a solver that does not count, that is how what is hard ends
      outcome.troubled = true;
      outcome.cut_short = outcome.cut_short || answer.cut_short;
      return;
    case Reason::Memory:
    case Reason::Crash:
    case Reason::Garbage:
    case Reason::Missing:
    case Reason::Interrupted:
    case Reason::Disagreement:
      outcome.troubled = outcome.cut_short = true;
      return;
  }
}

}  // namespace

Answer Prover::answer(const Query& query, const Manner& manner, std::size_t number,
                      Outcome& outcome) {
  solver::Solver& solver = engine_.crew.solver(worker_);
  if (engine_.options.dump != nullptr)
    engine_.options.dump->write(
        fmt::format("{}{:05}-{}", engine_.options.subject, number, manner.name),
        solver.script(query));
  Answer answer;
  const std::string identity = engine_.cache != nullptr ? solver.identity() : "";
  if (engine_.cache != nullptr && engine_.cache->find(identity, query, answer)) {
    outcome.cached = true;
  } else {
    answer = solver.solve(query);
    ++outcome.calls;
    if (engine_.cache != nullptr) engine_.cache->keep(identity, query, answer);
  }
  note_trouble(answer, outcome);
  outcome.seconds += answer.seconds;
  outcome.resource += answer.resource;
  outcome.hardest = std::max(outcome.hardest, answer.resource);
  const auto it = std::find_if(outcome.tried.begin(), outcome.tried.end(),
                               [&](const Outcome::Tried& t) { return t.how == manner.name; });
  Outcome::Tried& tried =
      it != outcome.tried.end()
          ? *it
          : outcome.tried.emplace_back(Outcome::Tried{std::string(manner.name), 0, 0});
  ++tried.times;
  tried.most = std::max(tried.most, answer.resource);
  return answer;
}

// Where there are products, a solver that knows nothing of them is told something.
std::string Prover::write(std::vector<Term> facts, Term claim, const Manner& manner,
                          std::string_view claimed) {
  {
    const std::shared_lock lock(mutex_);
    std::string text = writer_.question(facts, claim, manner.products, claimed);
    if (manner.products == logic::Products::Exact || writer_.linear()) return text;
  }
  const std::unique_lock lock(mutex_);  // makes new terms
  const std::vector<Term> steps = logic::Ring(terms_).find_steps(facts, claim);
  facts.insert(facts.end(), steps.begin(), steps.end());
  return writer_.question(facts, claim, manner.products, claimed);
}

Reply Prover::ask(const std::vector<Term>& hypotheses, Term goal, const Manner& manner,
                  std::size_t number, Outcome& outcome) {
  Query query{{}, {}, manner.effort, manner.strategy};
  query.each = manner.each;
  query.unwanted = manner.unwanted;
  Reply reply;
  bool whole = manner.products == logic::Products::Exact, everywhere = false;
  Question question;
  {
    const std::shared_lock lock(mutex_);
    question = question_of(hypotheses, goal, terms_);
    everywhere = question.facts.size() == hypotheses.size();
    if (!terms_.is_false(question.claim)) query.claimed = engine::kClaimed;
  }
  query.text = write(std::move(question.facts), question.claim, manner, query.claimed);
  {
    const std::shared_lock lock(mutex_);
    if (manner.unless_linear && writer_.linear()) return {};
    whole = whole || writer_.linear();
    reply.unfolded_once = writer_.has_twins();
    for (Term value : manner.values) {
      query.values.push_back(writer_.term(value));
      if (query.values.back().empty()) query.values.back() = "true";  // too large to be asked for
    }
  }
  reply.answer = answer(query, manner, number, outcome);
  if (reply.answer.verdict == Verdict::Unsat) {
    reply.theorem = Theorem(hypotheses, goal);
    reply.theorem->nobody_there_ = reply.answer.took_nothing || query.claimed.empty();
    reply.theorem->of_nothing_ = reply.theorem->nobody_there_ && everywhere;
    outcome.suspect = outcome.suspect || !reply.answer.took_claim;
  }
  reply.whole = whole;
  reply.has_model = whole && reply.answer.verdict == Verdict::Sat;
  return reply;
}

std::optional<Theorem> Prover::plain(Term goal) const {
  if (!terms_.is_true(goal)) return std::nullopt;
  return Theorem({}, goal);
}

Theorem Prover::all_of(const std::vector<Theorem>& parts, Term goal) {
  const std::unique_lock lock(mutex_);  // may make new terms
  std::vector<Term> hypotheses;
  std::unordered_set<Term> proved;
  const auto conjuncts = [&](Term term) {
    return terms_[term].kind == logic::Kind::And ? terms_[term].args : std::vector<Term>{term};
  };
  for (const Theorem& part : parts) {
    hypotheses.insert(hypotheses.end(), part.hypotheses_.begin(), part.hypotheses_.end());
    for (Term one : conjuncts(part.goal_)) proved.insert(one);
  }
  const logic::Node node = terms_[goal];
  std::vector<Term> wanted = conjuncts(goal);
  if (node.kind == logic::Kind::Implies && !proved.contains(goal)) {
    wanted.clear();
    for (Term one : conjuncts(node.args[1])) wanted.push_back(terms_.implies(node.args[0], one));
  }
  for (Term one : wanted) LETO_ASSERT(terms_.is_true(one) || proved.contains(one));
  Theorem whole(std::move(hypotheses), goal);
  for (const Theorem& part : parts) whole.of_nothing_ = whole.of_nothing_ || part.of_nothing_;
  whole.nobody_there_ = whole.of_nothing_;
  return whole;
}

Theorem Prover::in_cases(const std::vector<Theorem>& each, const std::vector<Term>& conditions,
                         Term goal) {
  const std::unique_lock lock(mutex_);  // makes new terms
  std::vector<Term> all = conditions, hypotheses;
  all.push_back(terms_.not_(terms_.or_(conditions)));
  bool some_of_nothing = false, nobody_anywhere = true;
  for (Term condition : all) {
    const Term wanted = terms_.implies(condition, goal);
    if (terms_.is_true(wanted)) continue;
    const auto found =
        std::find_if(each.begin(), each.end(), [&](const Theorem& t) { return t.goal_ == wanted; });
    LETO_ASSERT(found != each.end());
    hypotheses.insert(hypotheses.end(), found->hypotheses_.begin(), found->hypotheses_.end());
    some_of_nothing = some_of_nothing || found->of_nothing_;
    nobody_anywhere = nobody_anywhere && found->nobody_there_;
  }
  Theorem whole(std::move(hypotheses), goal);
  whole.nobody_there_ = nobody_anywhere;
  whole.of_nothing_ = some_of_nothing || (nobody_anywhere && !has_premise(goal, terms_));
  return whole;
}

std::string Prover::digest(const vcgen::Obligation& o, Extent extent) {
  const std::shared_lock lock(mutex_);
  std::string text = writer_.question(facts_of(o, extent), o.question.goal);
  std::vector<Term> large;
  for (const vcgen::Part& part : o.parts) {
    const std::string goal = writer_.term(part.goal);
    text += goal.empty() ? "large\n" : goal + "\n";
    if (goal.empty()) large.push_back(part.goal);
  }
  // What is too large to be named in the question's vocabulary is written beside the goal: by
  // itself, what is said of one variable would be the same as what is said of another.
  if (!large.empty()) text += writer_.question(large, o.question.goal);
  return engine::digest(text);
}

Proof Prover::seal(const Theorem& theorem, const vcgen::Obligation& o, Extent extent) {
  LETO_ASSERT(theorem.goal_ == o.question.goal);
  std::vector<Term> known, parts;
  for (const vcgen::Part& part : o.parts) parts.push_back(part.goal);
  {
    const std::unique_lock lock(mutex_);  // may make new terms
    // The goal leaves out parts that are plainly false; nothing is proved by leaving it out.
    LETO_ASSERT(o.parts.empty() || terms_.and_(parts) == o.question.goal);
    if (terms_.is_true(o.question.goal)) return Proof({}, true);
    known = facts_of(o, extent);
  }
  std::sort(known.begin(), known.end());
  LETO_ASSERT(std::includes(known.begin(), known.end(), theorem.hypotheses_.begin(),
                            theorem.hypotheses_.end()));
  return Proof(digest(o, extent), false);
}

}  // namespace leto::prove

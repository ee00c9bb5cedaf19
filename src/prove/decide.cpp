#include "prove/decide.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "prove/digest.h"
#include "prove/examine.h"

namespace leto::prove {

using logic::Products;
using logic::Term;
using solver::Answer;
using solver::Effort;
using solver::Query;
using solver::Strategy;
using solver::Verdict;

namespace {

std::vector<Term> together(std::vector<Term> a, const std::vector<Term>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Undecided, and asking in another way would be pointless or wrong.
bool is_final(const Answer& answer) {
  return answer.reason == solver::Reason::Interrupted ||
         answer.reason == solver::Reason::Disagreement;
}
bool goes_on(const Answer& answer) {
  return answer.verdict != Verdict::Unsat && !is_final(answer);
}

}  // namespace

std::vector<Term> everything(const vcgen::Obligation& o) {
  return together(o.hypotheses, o.array_facts);
}

// Questions
// ----------------------------------------------------------------------------------------

std::string Decider::key(const vcgen::Obligation& o) {
  const std::shared_lock lock(mutex_);
  std::string key = writer_.question(everything(o), o.goal) + (o.smoke ? "+" : "-");
  std::vector<const vcgen::Part*> large;
  for (const vcgen::Part& part : o.parts) {
    const std::string text = writer_.term(part.goal);
    key += text.empty() ? "large\n" : text + "\n";
    if (text.empty()) large.push_back(&part);
  }
  // What is too large to be named in the question's vocabulary stands by itself.
  for (const vcgen::Part* part : large) key += writer_.question({}, part->goal);
  return digest(key);
}

Query Decider::matching(const std::vector<Term>& hypotheses, Term goal, Products products,
                        Effort effort) {
  const std::shared_lock lock(mutex_);
  return {writer_.question(hypotheses, goal, products), {}, effort, Strategy::Matching};
}

Query Decider::conjunction(const vcgen::Obligation& o, const std::vector<std::size_t>& open) {
  const std::unique_lock lock(mutex_);  // may make a new term
  std::vector<Term> goals;
  for (std::size_t k : open) goals.push_back(o.parts[k].goal);
  Query query{writer_.question(everything(o), terms_.and_(goals), Products::Opaque),
              {},
              Effort::Least,
              Strategy::Matching};
  for (std::size_t k : open) {
    query.values.push_back(writer_.term(o.parts[k].goal));
    if (query.values.back().empty()) query.values.back() = "true";  // too large to be asked for
  }
  return query;
}

Term Decider::implies(Term a, Term b) {
  const std::unique_lock lock(mutex_);  // makes a new term
  return terms_.implies(a, b);
}

// What a goal says, one thing at a time.
std::vector<Term> Decider::conjuncts_of(Term goal) {
  const std::unique_lock lock(mutex_);  // makes new terms
  const logic::Node node = terms_[goal];
  if (node.kind == logic::Kind::And) return node.args;
  if (node.kind != logic::Kind::Implies || terms_[node.args[1]].kind != logic::Kind::And)
    return {goal};
  std::vector<Term> out;
  const std::vector<Term> parts = terms_[node.args[1]].args;
  for (Term part : parts) out.push_back(terms_.implies(node.args[0], part));
  return out;
}

Answer Decider::answer(const Query& query, std::string_view what, std::size_t number,
                       Outcome& outcome) {
  solver::Solver& solver = engine_.crew.solver(worker_);
  if (const std::string& dump = engine_.options.dump; !dump.empty()) {
    std::string path = fmt::format("{}/{:05}-{}.smt2", dump, number, what);
    for (int n = 2; std::filesystem::exists(path); ++n)
      path = fmt::format("{}/{:05}-{}-{}.smt2", dump, number, what, n);
    std::ofstream(path) << solver.script(query);
  }
  Answer answer;
  const std::string identity = engine_.cache != nullptr ? solver.identity() : "";
  if (engine_.cache != nullptr && engine_.cache->find(identity, query, answer)) {
    outcome.cached = true;
  } else {
    answer = solver.solve(query);
    ++outcome.calls;
    if (engine_.cache != nullptr) engine_.cache->keep(identity, query, answer);
  }
  outcome.seconds += answer.seconds;
  outcome.resource += answer.resource;
  outcome.hardest = std::max(outcome.hardest, answer.resource);
  const auto it = std::find_if(outcome.tried.begin(), outcome.tried.end(),
                               [&](const Outcome::Tried& t) { return t.how == what; });
  Outcome::Tried& tried = it != outcome.tried.end()
                              ? *it
                              : outcome.tried.emplace_back(Outcome::Tried{std::string(what), 0, 0});
  ++tried.times;
  tried.most = std::max(tried.most, answer.resource);
  return answer;
}

// Claims
// -------------------------------------------------------------------------------------------

// By matching. Only "unsatisfiable" says something.
Answer Decider::opaquely(const Attempt& attempt, Term goal) {
  return answer(matching(attempt.hypotheses, goal, Products::Opaque, attempt.effort), attempt.name,
                attempt.number, attempt.outcome);
}
Answer Decider::exactly(const Attempt& attempt, Term goal) {
  const Query query = matching(attempt.hypotheses, goal, Products::Exact, attempt.effort);
  if (writer_.linear()) return {};  // there are none, so it has been asked
  return answer(query, attempt.name, attempt.number, attempt.outcome);
}
Answer Decider::whole(const Attempt& attempt, Term goal) {
  const Answer first = opaquely(attempt, goal);
  return goes_on(first) ? exactly(attempt, goal) : first;
}

// The goal in each case of a branch that it depends on, and there, if need be, of the next.
Answer Decider::by_cases(const Attempt& attempt, Term goal, std::size_t depth) {
  constexpr std::size_t kDeepest = 2;
  const auto& cases = attempt.o.cases;
  Answer last;
  if (depth >= std::min(cases.size(), kDeepest)) return last;
  last.verdict = Verdict::Unsat;  // of no case at all
  std::vector<Term> conditions = cases[cases.size() - 1 - depth].conditions;
  {
    // One of them holds; but that is not for this file to believe.
    const std::unique_lock lock(mutex_);  // makes a new term
    conditions.push_back(terms_.not_(terms_.or_(conditions)));
  }
  for (Term condition : conditions) {
    const Term in_case = implies(condition, goal);
    if (terms_.is_true(in_case)) continue;
    last = whole(attempt, in_case);
    if (goes_on(last)) last = by_cases(attempt, in_case, depth + 1);
    if (last.verdict != Verdict::Unsat) break;
  }
  return last;
}

// One conjunct after the other, each in each case.
Answer Decider::taken_apart(const Attempt& attempt, Term goal) {
  Answer last;
  const std::vector<Term> conjuncts = conjuncts_of(goal);
  for (Term conjunct : conjuncts) {
    last = {};
    if (conjuncts.size() > 1) last = whole(attempt, conjunct);
    if (goes_on(last)) last = by_cases(attempt, conjunct, 0);
    if (last.verdict != Verdict::Unsat) break;
  }
  return last;
}

void Decider::decide(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  if (terms_.is_true(o.goal)) {
    outcome.trivial = true;
    outcome.status = Status::Proved;
    return;
  }
  const Attempt near{o, number, outcome, together(o.near, o.near_arrays), Effort::Least, "near"};
  const Attempt all{o, number, outcome, everything(o), Effort::Brief, "quick"};
  const bool has_near = !o.near.empty();
  Answer last;
  if (has_near) last = opaquely(near, o.goal);
  if (goes_on(last)) last = opaquely(all, o.goal);
  if (goes_on(last) && has_near) last = exactly(near, o.goal);
  if (goes_on(last) && has_near) last = taken_apart(near, o.goal);
  if (goes_on(last)) last = exactly(all, o.goal);
  if (goes_on(last)) last = taken_apart(all, o.goal);
  if (goes_on(last)) return in_general(o, number, outcome);
  outcome.reason = last.reason;
  outcome.detail = last.detail;
  if (last.verdict == Verdict::Unsat) outcome.status = Status::Proved;
}

// A counterexample with short vectors, which is mostly found soon if there is one; else all
// facts, exact products, the whole limit.
void Decider::in_general(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  const auto refuted = [&] {
    outcome.status = Status::Refuted;
    outcome.reason = solver::Reason::None;
  };
  for (int n = 1; n <= 2 && !o.arrays.empty(); ++n) {
    Query small;
    {
      const std::unique_lock lock(mutex_);  // makes new terms
      small.text = writer_.question(with_short_vectors(o, terms_, n), o.goal);
    }
    small.effort = Effort::Brief;
    const Answer found = answer(small, "short", number, outcome);
    if (found.verdict == Verdict::Sat) return refuted();
    if (is_final(found)) break;
  }
  Query query;
  {
    const std::shared_lock lock(mutex_);
    query.text = writer_.question(everything(o), o.goal);
  }
  const Answer full = answer(query, "claim", number, outcome);
  outcome.reason = full.reason;
  outcome.detail = full.detail;
  if (full.verdict == Verdict::Unsat) outcome.status = Status::Proved;
  if (full.verdict == Verdict::Sat) refuted();
  if (outcome.status == Status::Unknown && !is_final(full)) find_hard(o, number, outcome);
}

void Decider::find_hard(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  const std::vector<Term> facts = everything(o);
  const auto open = [&](Term goal, Outcome::Hard hard) {
    const Attempt brief{o, number, outcome, facts, Effort::Brief, "piece"};
    if (terms_.is_true(goal)) return false;
    Answer last = whole(brief, goal);
    if (goes_on(last)) {
      Query query;
      {
        const std::shared_lock lock(mutex_);
        query = {writer_.question(facts, goal), {}, Effort::Brief};
      }
      last = answer(query, "piece", number, outcome);
    }
    if (last.verdict == Verdict::Unsat) return false;
    hard.reason = last.reason;
    hard.resource = last.resource;
    outcome.hard.push_back(hard);
    return true;
  };
  std::vector<std::pair<std::optional<std::size_t>, Term>> pieces;
  for (std::size_t k = 0; k < o.pieces.size(); ++k) pieces.emplace_back(k, o.pieces[k].goal);
  if (pieces.empty()) pieces.emplace_back(std::nullopt, o.goal);
  for (const auto& [piece, goal] : pieces) {
    const std::size_t known = outcome.hard.size();
    if (!open(goal, {piece, {}})) continue;
    // In which case of the branch closest to it?
    if (o.cases.empty()) continue;
    const std::size_t split = o.cases.size() - 1;
    const std::size_t count = o.cases[split].conditions.size();
    std::size_t hard = 0;
    for (std::size_t k = 0; k < count; ++k)
      hard += open(implies(o.cases[split].conditions[k], goal), {piece, {{split, k}}}) ? 1 : 0;
    // Only some of them: that says more than the piece as a whole.
    if (hard > 0 && hard < count)
      outcome.hard.erase(outcome.hard.begin() + static_cast<std::ptrdiff_t>(known));
    else
      outcome.hard.resize(known + 1);
  }
}

Verdict Decider::smoke(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  Query query = matching(everything(o), terms_.boolean(false), Products::Exact, Effort::Brief);
  const Verdict quick = answer(query, "smoke", number, outcome).verdict;
  if (quick != Verdict::Unknown) return quick;
  query.strategy = Strategy::General;
  return answer(query, "smoke-general", number, outcome).verdict;
}

// Inferred invariants
// ------------------------------------------------------------------------------

// They stand or fall one by one: all in one question as long as a model says which of them do
// not hold, and each by itself where the solver does not know.
void Decider::decide_parts(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  outcome.parts.assign(o.parts.size(), Status::Unknown);
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < o.parts.size(); ++k) {
    if (terms_.is_true(o.parts[k].goal))
      outcome.parts[k] = Status::Proved;
    else if (terms_.is_false(o.parts[k].goal))
      outcome.parts[k] = Status::Refuted;
    else
      open.push_back(k);
  }
  while (open.size() > 1) {
    const Answer all = answer(conjunction(o, open), "inferred", number, outcome);
    if (is_final(all)) {
      outcome.reason = all.reason;
      return;
    }
    if (all.verdict == Verdict::Unsat) {
      for (std::size_t k : open) outcome.parts[k] = Status::Proved;
      open.clear();
    }
    if (all.verdict != Verdict::Sat) break;
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
  for (std::size_t k : open) outcome.parts[k] = one_part(o, number, k, outcome);
  outcome.status = Status::Proved;
  for (Status status : outcome.parts)
    if (status != Status::Proved) outcome.status = Status::Unknown;
}

Status Decider::one_part(const vcgen::Obligation& o, std::size_t number, std::size_t part,
                         Outcome& outcome) {
  const Attempt all{o, number, outcome, everything(o), Effort::Least, "part"};
  const Term goal = o.parts[part].goal;
  Answer last = opaquely(all, goal);
  if (last.verdict == Verdict::Sat) return Status::Refuted;
  // What runs out of its limit may just be lost among facts that it does not need.
  const bool ran_out =
      last.reason == solver::Reason::Resource || last.reason == solver::Reason::Time;
  if (goes_on(last) && !o.near.empty() && (ran_out || o.parts[part].derived)) {
    const Attempt near{o, number, outcome, together(o.near, o.near_arrays), Effort::Least, "part"};
    last = opaquely(near, goal);
    if (goes_on(last) && o.parts[part].derived) last = taken_apart(near, goal);
  }
  if (goes_on(last) && o.parts[part].derived) last = taken_apart(all, goal);
  return last.verdict == Verdict::Unsat ? Status::Proved : Status::Unknown;
}

}  // namespace leto::prove

#include "prove/decide.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "prove/examine.h"
#include "prove/race.h"

namespace leto::prove {

using logic::Products;
using logic::Term;
using solver::Answer;
using solver::Effort;
using solver::Strategy;
using solver::Verdict;

namespace {

template <class T>
std::vector<T> together(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Undecided, and asking in another way would be pointless or wrong.
bool is_final(const Answer& answer) {
  return answer.reason == solver::Reason::Interrupted ||
         answer.reason == solver::Reason::Disagreement || answer.reason == solver::Reason::Missing;
}

// The solver, or the time; not the question.
bool has_failed(const Answer& answer) {
  return is_final(answer) || answer.reason == solver::Reason::Crash ||
         answer.reason == solver::Reason::Garbage;
}

bool has_run_out(const Answer& answer) {
  return answer.reason == solver::Reason::Resource || answer.reason == solver::Reason::Time ||
         answer.reason == solver::Reason::Memory;
}

// Whether more than silence is due. A proof that did without what it proves has found a
// contradiction, or a way that nobody takes; which of them was to be answered. If it took all the
// effort there is, then whatever cuts the search short is no answer. If it took little, then so
// does the search. But where clock or memory end it, the limits are too small to say anything.
bool is_owed(const vcgen::Assumption& a, const Answer& answer) {
  if (answer.whole_time || answer.reason == solver::Reason::Memory) return a.relied_on;
  return has_run_out(answer) &&
         std::any_of(a.suspicions.begin(), a.suspicions.end(),
                     [](const vcgen::Suspicion& suspicion) { return suspicion.took_all; });
}

}  // namespace

// Claims
// -------------------------------------------------------------------------------------------

// By matching. Only "unsatisfiable" says something.
Decider::Tried Decider::ask_with_opaque_products(const Attempt& attempt, Term goal) {
  Reply reply =
      prover_.ask(attempt.hypotheses, goal,
                  {Products::Opaque, attempt.effort, Strategy::Matching, attempt.name, {}},
                  attempt.number, attempt.outcome);
  return {std::move(reply.theorem), std::move(reply.answer), reply.has_model};
}
Decider::Tried Decider::ask_with_exact_products(const Attempt& attempt, Term goal) {
  Reply reply =
      prover_.ask(attempt.hypotheses, goal,
                  {Products::Exact, attempt.effort, Strategy::Matching, attempt.name, {}, true},
                  attempt.number, attempt.outcome);
  return {std::move(reply.theorem), std::move(reply.answer), reply.has_model};
}
Decider::Tried Decider::ask_whole(const Attempt& attempt, Term goal) {
  Tried first = ask_with_opaque_products(attempt, goal);
  if (first.theorem || first.has_model || is_final(first.answer)) return first;
  return ask_with_exact_products(attempt, goal);
}

// The goal in each case of a branch that it depends on, and there, if need be, of the next.
Decider::Tried Decider::ask_in_cases(const Attempt& attempt, Term goal, std::size_t depth) {
  constexpr std::size_t kDeepest = 2;
  const auto& cases = attempt.o.hints.cases;
  Tried last;
  if (depth >= std::min(cases.size(), kDeepest)) return last;
  const std::vector<Term>& conditions = cases[cases.size() - 1 - depth].conditions;
  std::vector<Term> all = conditions;
  {
    // One of them holds; but that is not for this file to believe.
    const std::unique_lock lock(mutex_);  // makes a new term
    all.push_back(terms_.not_(terms_.or_(conditions)));
  }
  std::vector<Theorem> each;
  for (Term condition : all) {
    const Term in_case = implies(condition, goal);
    if (terms_.is_true(in_case)) continue;
    last = ask_whole(attempt, in_case);
    if (!last.theorem && !last.has_model && !is_final(last.answer))
      last = ask_in_cases(attempt, in_case, depth + 1);
    if (!last.theorem) return last;
    each.push_back(*last.theorem);
  }
  last.theorem = prover_.in_cases(each, conditions, goal);
  attempt.outcome.took_cases = true;
  return last;
}

// One conjunct after the other, each in each case.
Decider::Tried Decider::ask_conjuncts(const Attempt& attempt, Term goal) {
  Tried last;
  std::vector<Theorem> proved;
  const std::vector<Term> conjuncts = conjuncts_of(goal);
  for (Term conjunct : conjuncts) {
    last = {prover_.plain(conjunct), {}};
    if (!last.theorem && conjuncts.size() > 1) last = ask_whole(attempt, conjunct);
    if (!last.theorem && !last.has_model && !is_final(last.answer))
      last = ask_in_cases(attempt, conjunct, 0);
    if (!last.theorem) return last;
    proved.push_back(*last.theorem);
  }
  last.theorem = prover_.all_of(proved, goal);
  return last;
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

void Decider::decide_from_near(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  const Attempt near{o,     number, outcome, prover_.find_facts(o, Extent::Near), Effort::Least,
                     "near"};
  const Tried tried = ask_with_opaque_products(near, o.question.goal);
  outcome.near_has_model = tried.has_model;
  keep(tried, o, Extent::Near, outcome);
}

void Decider::decide_quickly(const vcgen::Obligation& o, std::size_t number, Outcome& outcome,
                             const std::function<bool()>& is_broken) {
  const Attempt near{o,     number, outcome, prover_.find_facts(o, Extent::Near), Effort::Least,
                     "near"};
  const Attempt all{o,      number, outcome, prover_.find_facts(o, Extent::Relevant), Effort::Brief,
                    "quick"};
  const bool try_near = !near.hypotheses.empty() && !outcome.near_has_model &&
                        near.hypotheses.size() < all.hypotheses.size();
  Tried last = ask_with_opaque_products(all, o.question.goal);
  if (last.has_model) return;  // neither products nor cases would help
  const auto goes_on = [&] { return !last.theorem && !is_final(last.answer); };
  if (goes_on() && is_broken()) return keep(last, o, Extent::Relevant, outcome);
  if (goes_on() && try_near) last = ask_with_exact_products(near, o.question.goal);
  if (goes_on() && try_near) last = ask_conjuncts(near, o.question.goal);
  if (goes_on()) last = ask_with_exact_products(all, o.question.goal);
  if (goes_on()) last = ask_conjuncts(all, o.question.goal);
  keep(last, o, Extent::Relevant, outcome);
}

void Decider::keep(const Tried& tried, const vcgen::Obligation& o, Extent extent,
                   Outcome& outcome) {
  outcome.reason = tried.answer.reason;
  outcome.detail = tried.answer.detail;
  if (!tried.theorem) return;
  outcome.reason = solver::Reason::None;
  outcome.of_nothing = tried.theorem->of_nothing();
  outcome.proof = prover_.seal(*tried.theorem, o, extent);
}

// A counterexample with short vectors, which is mostly found soon if there is one; else
// exact products and the whole limit.
void Decider::decide_in_general(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  vcgen::Known known;
  {
    const std::shared_lock lock(mutex_);
    known = o.question.log->everything(terms_, o.question.known, o.question.goal);
  }
  const auto refuted = [&] {
    outcome.refuted = true;
    outcome.reason = solver::Reason::None;
  };
  for (int n = 1; n <= 2 && !known.arrays.empty(); ++n) {
    std::vector<Term> small;
    {
      const std::unique_lock lock(mutex_);  // makes new terms
      small = with_short_vectors(known, terms_, n);
    }
    const Reply found = prover_.ask(
        small, o.question.goal, {Products::Exact, Effort::Patient, Strategy::General, "short", {}},
        number, outcome);
    if (found.answer.verdict == Verdict::Sat && found.unfolded_once) break;
    if (found.answer.verdict == Verdict::Sat) return refuted();
    if (is_final(found.answer)) break;
  }
  const std::vector<Term> facts = known.all();
  if (is_left_open(facts, o, number, outcome)) return;
  const std::vector<Manner> manners = {
      {Products::Exact, Effort::Full, Strategy::General, "claim", {}},
      {Products::Exact, Effort::Long, Strategy::Matching, "claim-by-matching", {}}};
  const Reply full = race(crew_, provers_, {facts, o.question.goal, number, manners}, outcome);
  outcome.reason = full.answer.reason;
  outcome.detail = full.answer.detail;
  outcome.took_all = full.theorem.has_value();
  outcome.of_nothing = full.theorem && full.theorem->of_nothing();
  if (full.theorem) outcome.proof = prover_.seal(*full.theorem, o, Extent::All);
  if (full.answer.verdict == Verdict::Sat) return refuted();
  if (!outcome.proof && !is_final(full.answer)) find_hard(o, facts, number, outcome);
}

// Definitions that use themselves are unfolded once, so a model of what is known need not be one:
// what matching does not prove is open, and the general strategy, which looks for models, is not
// asked.
bool Decider::is_left_open(const std::vector<Term>& facts, const vcgen::Obligation& o,
                           std::size_t number, Outcome& outcome) {
  {
    const std::shared_lock lock(mutex_);
    if (!terms_.has_twins()) return false;
  }
  const Reply matched =
      prover_.ask(facts, o.question.goal,
                  {Products::Exact, Effort::Long, Strategy::Matching, "claim-by-matching", {}},
                  number, outcome);
  if (!matched.theorem && !matched.unfolded_once) return false;
  outcome.reason = matched.answer.reason;
  outcome.detail = matched.answer.detail;
  outcome.took_all = matched.theorem.has_value();
  outcome.of_nothing = matched.theorem && matched.theorem->of_nothing();
  if (matched.theorem) outcome.proof = prover_.seal(*matched.theorem, o, Extent::All);
  outcome.unfolded_once = !matched.theorem;
  if (!matched.theorem && matched.answer.verdict == Verdict::Sat)
    outcome.reason = solver::Reason::Incomplete;
  return true;
}

void Decider::find_hard(const vcgen::Obligation& o, const std::vector<Term>& facts,
                        std::size_t number, Outcome& outcome) {
  const auto open = [&](Term goal, Outcome::Hard hard) {
    const Attempt brief{o, number, outcome, facts, Effort::Brief, "piece"};
    if (terms_.is_true(goal)) return false;
    Tried last = ask_whole(brief, goal);
    if (!last.theorem && !is_final(last.answer)) {
      Reply reply =
          prover_.ask(facts, goal, {Products::Exact, Effort::Brief, Strategy::General, "piece", {}},
                      number, outcome);
      last = {std::move(reply.theorem), std::move(reply.answer)};
    }
    if (last.theorem) return false;
    hard.reason = last.answer.reason;
    hard.resource = last.answer.resource;
    outcome.hard.push_back(hard);
    return true;
  };
  std::vector<std::pair<std::optional<std::size_t>, Term>> pieces;
  for (std::size_t k = 0; k < o.hints.pieces.size(); ++k)
    pieces.emplace_back(k, o.hints.pieces[k].goal);
  if (pieces.empty()) pieces.emplace_back(std::nullopt, o.question.goal);
  for (const auto& [piece, goal] : pieces) {
    const std::size_t known = outcome.hard.size();
    if (!open(goal, {piece, {}})) continue;
    // In which case of the branch closest to it?
    if (o.hints.cases.empty()) continue;
    const std::size_t split = o.hints.cases.size() - 1;
    const std::size_t count = o.hints.cases[split].conditions.size();
    std::size_t hard = 0;
    for (std::size_t k = 0; k < count; ++k)
      hard +=
          open(implies(o.hints.cases[split].conditions[k], goal), {piece, {{split, k}}}) ? 1 : 0;
    // Only some of them: that says more than the piece as a whole.
    if (hard > 0 && hard < count)
      outcome.hard.erase(outcome.hard.begin() + static_cast<std::ptrdiff_t>(known));
    else
      outcome.hard.resize(known + 1);
  }
}

// Where one of the questions was cut short, silence of the others is no answer: it may be the one
// that finds the contradiction.
Consistency Decider::consistent(const vcgen::Assumption& a, std::uint32_t entry,
                                std::size_t number) {
  Outcome outcome;
  Consistency found = look_for_contradiction(a, entry, number, outcome);
  if (found.verdict != Verdict::Unsat) look_at_what_is_told(a, entry, number, outcome, found);
  found.troubled = outcome.troubled;
  if (found.verdict == Verdict::Unknown && outcome.cut_short && a.relied_on) found.failed = true;
  return found;
}

Consistency Decider::look_for_contradiction(const vcgen::Assumption& a, std::uint32_t entry,
                                            std::size_t number, Outcome& outcome) {
  std::vector<Term> facts;
  Term impossible;
  vcgen::Known known;
  {
    const std::unique_lock lock(mutex_);  // makes new terms
    impossible = terms_.not_(a.path);
    known = a.log->everything(terms_, entry, impossible);
    facts = known.all();
  }
  if (facts.empty() && terms_.is_false(impossible)) return {Verdict::Sat};
  const auto ask = [&](Products products, Strategy strategy, Effort effort) {
    return prover_
        .ask(facts, impossible, {products, effort, strategy, "smoke", {}}, number, outcome)
        .answer;
  };
  if (!known.array_facts.empty() && is_met_by_small_vectors(known, impossible, number, outcome))
    return {Verdict::Sat};
  outcome.cut_short = false;  // for all but a model this says nothing, whatever ended it
  Answer first = ask(Products::Exact, Strategy::Models, Effort::Least);
  if (first.cut_short) {  // its second is short on a busy machine, which is not to decide
    outcome.cut_short = false;
    first = ask(Products::Exact, Strategy::Models, Effort::Patient);
  }
  if (first.verdict != Verdict::Unknown) return {first.verdict};
  Answer matched = ask(Products::Exact, Strategy::Matching, Effort::Patient);
  if (matched.verdict != Verdict::Unknown) return {matched.verdict};
  Answer answer = ask(Products::Exact, Strategy::General, Effort::Patient);
  if (answer.verdict != Verdict::Unknown) return {answer.verdict};
  // A proof must not find a contradiction in a way that is not tried here.
  if (!a.suspicions.empty() &&
      ask(Products::Opaque, Strategy::Matching, Effort::Patient).verdict == Verdict::Unsat)
    return {Verdict::Unsat};
  std::vector<Term> sorted = facts;
  std::sort(sorted.begin(), sorted.end());
  for (const vcgen::Suspicion& suspicion : a.suspicions)
    if (contradicts_as_suspected(suspicion, sorted, impossible, number, outcome))
      return {Verdict::Unsat};
  if (has_run_out(matched) && a.thoroughly)
    matched = ask(Products::Exact, Strategy::Matching, Effort::Long);
  if (matched.verdict != Verdict::Unknown) return {matched.verdict};
  if (has_run_out(answer) && a.thoroughly)
    answer = ask(Products::Exact, Strategy::General, Effort::Full);
  if (answer.verdict != Verdict::Unknown) return {answer.verdict};
  return {Verdict::Unknown, is_owed(a, answer) || is_owed(a, matched) || has_failed(answer)};
}

// What is known here names few of the functions that are named behind it, and what is said of those
// may contradict it, or itself: a proof behind it has had that. A model that knows nothing of it is
// none. This is said of all arguments, so it may be said here.
void Decider::look_at_what_is_told(const vcgen::Assumption& a, std::uint32_t entry,
                                   std::size_t number, Outcome& outcome, Consistency& found) {
  if (!a.told || a.told->empty()) return;
  std::vector<Term> facts;
  Term impossible;
  {
    const std::unique_lock lock(mutex_);  // makes a new term
    impossible = terms_.not_(a.path);
    facts = a.log->everything(terms_, entry, impossible).all();
    std::vector<Term> asked = facts;
    asked.push_back(impossible);
    const std::vector<Term> own = find_told(asked, terms_);
    if (std::includes(own.begin(), own.end(), a.told->begin(), a.told->end())) return;
  }
  const Effort effort = a.suspected ? Effort::Patient : Effort::Least;
  const bool cut_short = outcome.cut_short;
  for (const Products products : {Products::Opaque, Products::Exact}) {
    Manner manner{products, effort, Strategy::Matching, "told", {}};
    manner.unless_linear = products == Products::Exact;
    const Answer answer =
        prover_.ask(together(facts, *a.told), impossible, manner, number, outcome).answer;
    if (answer.verdict == Verdict::Unsat) found = {Verdict::Unsat};
    if (has_failed(answer) && a.relied_on) found = {Verdict::Unknown, true};
    // Where nothing is suspected, what the clock of a busy machine ends is no answer that is due.
    if (!a.suspected) outcome.cut_short = cut_short;
    if (answer.verdict == Verdict::Unsat || is_final(answer)) return;
  }
}

// Mostly there is no contradiction, and a model that says so is found at once without quantifiers
// over what vectors hold: with zeros, or, where copies must differ, with vectors of one or two
// elements. These ask for more than is known, so a model of them is one of what is known.
bool Decider::is_met_by_small_vectors(const vcgen::Known& known, Term impossible,
                                      std::size_t number, Outcome& outcome) {
  // Definitions are unfolded for what they are applied to, and short vectors would be more of that
  // in all questions behind this one.
  const auto may_be_short = [&] {
    const std::shared_lock lock(mutex_);
    return !applies_definitions(known.facts, terms_);
  };
  for (int size = 0; size == 0 || (size <= 2 && may_be_short()); ++size) {
    std::vector<Term> small;
    {
      const std::unique_lock lock(mutex_);  // makes new terms
      small =
          size == 0 ? with_zero_vectors(known, terms_) : with_short_vectors(known, terms_, size);
    }
    const Reply reply = prover_.ask(small, impossible,
                                    {Products::Exact, Effort::Least, Strategy::Models, "smoke", {}},
                                    number, outcome);
    if (reply.answer.verdict == Verdict::Sat) return true;
  }
  return false;
}

// What is known, as far as the suspicious proof used it, asked as it was.
bool Decider::contradicts_as_suspected(const vcgen::Suspicion& suspicion,
                                       const std::vector<Term>& sorted_facts, Term impossible,
                                       std::size_t number, Outcome& outcome) {
  const vcgen::Obligation& o = *suspicion.proved;
  const auto of_these = [&](const std::vector<Term>& used) {
    std::vector<Term> known;
    for (Term fact : used)
      if (std::binary_search(sorted_facts.begin(), sorted_facts.end(), fact)) known.push_back(fact);
    return known;
  };
  for (const std::vector<Term>& used :
       {prover_.find_facts(o, Extent::Near), prover_.find_facts(o, Extent::Relevant)}) {
    const std::vector<Term> known = of_these(used);
    if (known.empty()) continue;
    const Attempt attempt{o, number, outcome, known, Effort::Patient, "smoke"};
    Tried tried = ask_whole(attempt, impossible);
    if (!tried.theorem && suspicion.in_cases && !is_final(tried.answer))
      tried = ask_in_cases(attempt, impossible, 0);
    if (tried.theorem) return true;
  }
  return false;
}

// Inferred invariants
// ------------------------------------------------------------------------------

// They stand or fall one by one: all in one question, in which models say which of them do not
// hold, and each by itself where the solver does not know. First from what is recent, which is
// little and mostly suffices; only what may fail there is asked with all that can matter.

void Decider::decide_parts_from_recent(const vcgen::Obligation& o, std::size_t number,
                                       Outcome& outcome) {
  std::vector<Theorem> proved;
  const std::vector<std::size_t> open = sort_parts(o, Extent::Near, outcome, proved);
  if (open.empty()) return keep_parts(o, Extent::Near, proved, outcome);
  const Attempt recent{o,       number, outcome, prover_.find_facts(o, Extent::Near), Effort::Least,
                       "recent"};
  const Together asked = ask_together(recent, open);
  if (asked.theorem) {
    take(recent, open, *asked.theorem, proved);
    return keep_parts(o, Extent::Near, proved, outcome);
  }
  // They are to be asked first; from more facts they may follow.
  for (std::size_t k : together(asked.fallen, asked.doubtful)) outcome.parts[k] = Status::Refuted;
}

void Decider::decide_parts(const vcgen::Obligation& o, std::size_t number, Outcome& outcome) {
  const std::vector<Status> before = std::move(outcome.parts);
  std::vector<Theorem> proved;
  std::vector<std::size_t> first, rest;
  for (std::size_t k : sort_parts(o, Extent::Relevant, outcome, proved))
    (before.empty() || before[k] == Status::Refuted ? first : rest).push_back(k);
  if (first.empty()) std::swap(first, rest);
  const Attempt all{
      o, number, outcome, prover_.find_facts(o, Extent::Relevant), Effort::Least, "inferred"};
  if (!decide_open(all, std::move(first), proved)) return;
  if (!rest.empty()) {
    const Attempt recent{
        o, number, outcome, prover_.find_facts(o, Extent::Near), Effort::Least, "recent"};
    const Together asked = ask_together(recent, rest);
    if (asked.theorem)
      take(recent, rest, *asked.theorem, proved);
    else if (!decide_open(all, std::move(rest), proved))
      return;
  }
  keep_parts(o, Extent::Relevant, proved, outcome);
}

// Those that have to be asked about. Others are plain, or plainly false, or were proved from what
// is known here when there were more beside them.
std::vector<std::size_t> Decider::sort_parts(const vcgen::Obligation& o, Extent extent,
                                             Outcome& outcome, std::vector<Theorem>& proved) {
  outcome.parts.assign(o.parts.size(), Status::Unknown);
  std::vector<Term> known = prover_.find_facts(o, extent);
  std::sort(known.begin(), known.end());
  std::set<Memory::Known> remembered;
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < o.parts.size(); ++k) {
    if (const auto plain = prover_.plain(o.parts[k].goal)) {
      outcome.parts[k] = Status::Proved;
      proved.push_back(*plain);
    } else if (terms_.is_false(o.parts[k].goal)) {
      outcome.parts[k] = Status::Refuted;
    } else if (const auto before = memory_.find(o.parts[k].goal, known)) {
      outcome.parts[k] = Status::Proved;
      outcome.suspect = outcome.suspect || before->suspect;
      if (remembered.insert(before).second) proved.push_back(before->theorem);
    } else {
      open.push_back(k);
    }
  }
  return open;
}

Memory::Known Memory::find(Term goal, const std::vector<Term>& sorted_facts) const {
  const std::lock_guard lock(mutex_);
  const auto it = known_.find(goal);
  if (it == known_.end()) return nullptr;
  const std::vector<Term>& used = it->second->theorem.hypotheses();
  if (!std::includes(sorted_facts.begin(), sorted_facts.end(), used.begin(), used.end()))
    return nullptr;
  return it->second;
}

void Memory::keep(const std::vector<Term>& goals, const Theorem& theorem, bool suspect) {
  const auto entry = std::make_shared<const Entry>(Entry{theorem, suspect});
  const std::lock_guard lock(mutex_);
  for (Term goal : goals) known_.insert_or_assign(goal, entry);
}

void Decider::take(const Attempt& attempt, const std::vector<std::size_t>& parts,
                   const Theorem& theorem, std::vector<Theorem>& proved) {
  std::vector<Term> goals;
  for (std::size_t k : parts) {
    attempt.outcome.parts[k] = Status::Proved;
    goals.push_back(attempt.o.parts[k].goal);
  }
  if (parts.size() > 1 && attempt.o.claim.kind == core::ClaimKind::InferredEntry)
    memory_.keep(goals, theorem, attempt.outcome.suspect);
  proved.push_back(theorem);
}

void Decider::keep_parts(const vcgen::Obligation& o, Extent extent,
                         const std::vector<Theorem>& proved, Outcome& outcome) {
  if (!std::all_of(outcome.parts.begin(), outcome.parts.end(),
                   [](Status status) { return status == Status::Proved; }))
    return;
  const Theorem whole = prover_.all_of(proved, o.question.goal);
  outcome.of_nothing = whole.of_nothing();
  outcome.proof = prover_.seal(whole, o, extent);
}

// Some parts in one question.
Decider::Together Decider::ask_together(const Attempt& attempt,
                                        const std::vector<std::size_t>& parts) {
  Together out;
  std::vector<Term> goals;
  for (std::size_t k : parts) goals.push_back(attempt.o.parts[k].goal);
  Term goal;
  {
    const std::unique_lock lock(mutex_);  // may make a new term
    goal = terms_.and_(goals);
  }
  Manner manner{Products::Opaque, attempt.effort, Strategy::Matching, attempt.name, goals};
  manner.each = true;
  Reply all = prover_.ask(attempt.hypotheses, goal, manner, attempt.number, attempt.outcome);
  out.theorem = std::move(all.theorem);
  out.reason = is_final(all.answer) ? all.answer.reason : solver::Reason::None;
  for (std::size_t k = 0; !out.theorem && k < parts.size(); ++k) {
    const std::string_view value =
        k < all.answer.values.size() ? std::string_view(all.answer.values[k]) : "";
    // What the user claims may well hold of products as they are.
    const bool perhaps = value == "false" && !all.whole && attempt.o.parts[parts[k]].derived;
    const bool sure = value == "false" && !(perhaps && exactly_);
    if (perhaps && !exactly_) attempt.outcome.dropped_claims = true;
    (sure                                             ? out.fallen
     : value == solver::kDoubtful || value == "false" ? out.doubtful
                                                      : out.left)
        .push_back(parts[k]);
  }
  return out;
}

// All in one question; those that the solver has doubts about one by one, and so on with those that
// are left. If they are too many for it, one half after the other. Where something falls, the
// others are asked about when it is gone: what they rest on may have gone with it. But of many,
// models show few at a time, and a round would be too dear for that. False: something fell, or the
// solver has failed.
bool Decider::decide_open(const Attempt& attempt, std::vector<std::size_t> open,
                          std::vector<Theorem>& proved) {
  Outcome& outcome = attempt.outcome;
  constexpr std::size_t kFew = 32, kOneByOne = 8;
  const auto has_fallen = [&](std::size_t k) { return outcome.parts[k] == Status::Refuted; };
  while (open.size() > 1) {
    Together asked = ask_together(attempt, open);
    if (asked.reason != solver::Reason::None) {
      outcome.reason = asked.reason;
      return false;
    }
    if (asked.theorem) {
      take(attempt, open, *asked.theorem, proved);
      return true;
    }
    for (std::size_t k : asked.fallen) outcome.parts[k] = Status::Refuted;
    for (std::size_t k : asked.doubtful) decide_one_part(attempt, k, proved);
    outcome.unfinished =
        attempt.o.parts.size() <= kFew && std::any_of(open.begin(), open.end(), has_fallen);
    if (outcome.unfinished) return false;
    const bool nothing_said = asked.left.size() == open.size();
    open = std::move(asked.left);
    if (nothing_said && open.size() > kOneByOne) {
      const auto middle = open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2);
      return decide_open(attempt, {open.begin(), middle}, proved) &&
             decide_open(attempt, {middle, open.end()}, proved);
    }
    if (nothing_said) break;
  }
  for (std::size_t k : open) decide_one_part(attempt, k, proved);
  return true;
}

void Decider::decide_one_part(const Attempt& attempt, std::size_t part,
                              std::vector<Theorem>& proved) {
  const vcgen::Obligation& o = attempt.o;
  Outcome& outcome = attempt.outcome;
  Attempt all = attempt;
  all.name = "part";
  const Term goal = o.parts[part].goal;
  Tried last = ask_with_opaque_products(all, goal);
  const auto goes_on = [&] { return !last.theorem && !is_final(last.answer); };
  const bool exactly = exactly_ && o.parts[part].derived;
  if (exactly && goes_on() && !last.has_model) last = ask_with_exact_products(all, goal);
  if (last.answer.verdict == Verdict::Sat) {
    outcome.dropped_claims = outcome.dropped_claims || (o.parts[part].derived && !last.has_model);
    outcome.parts[part] = Status::Refuted;
    return;
  }
  // What runs out of its limit may just be lost among facts that it does not need.
  if (goes_on() && !o.hints.near.empty() && (has_run_out(last.answer) || o.parts[part].derived)) {
    Attempt near = all;
    near.hypotheses = together(o.hints.near, o.hints.near_arrays);
    last = ask_with_opaque_products(near, goal);
    if (goes_on() && exactly) last = ask_with_exact_products(near, goal);
    if (goes_on() && o.parts[part].derived) last = ask_conjuncts(near, goal);
  }
  if (goes_on() && o.parts[part].derived) last = ask_conjuncts(all, goal);
  if (!last.theorem) {
    outcome.reason = last.answer.reason;
    outcome.dropped_claims = outcome.dropped_claims || o.parts[part].derived;
    if (!is_final(last.answer)) outcome.parts[part] = Status::Refuted;
    return;
  }
  take(attempt, {part}, *last.theorem, proved);
}

}  // namespace leto::prove

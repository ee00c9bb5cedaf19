// The rules. r * R(X) stands behind the statement; what a rule does not mention it leaves as it is.
// A statement that may set nothing in X, in either run, leaves all as it is.
//
//   x = e               x in X:  r * R(X - x + vars(e))
//   a[i] = e            a in X:  r * R(X + vars(i) + vars(e))
//   x = op(e) relaxed   r * (1 - rates of its faults) * R(X - x + vars(e) if x is in X)
//                       also if only state of the model that a fault may change is in X: without a
//                       fault it stays what it was
//   write to a region   likewise; of a whole vector only if nothing can go wrong
//   if (c) S1 else S2   r * min(r1, r2) * R(X1 + X2 + vars(c))
//   repeat n S          S n times; if it may be left early, what is needed then, and whether it was
//                       left, is needed before each of them
//   while (c) S         the least set that contains what is needed behind the loop and by the test,
//   and that
//                       test and S leave as it is, if they do so without loss; else nothing is
//                       known
//   x = f(e)            by its specification, if only x is in X. If it may change state that is in
//   X, that
//                       says nothing: then, and without a specification, by looking into it
//   try, check, recover see recovery.cpp
//
// Why they are sound: say that the original run comes to the end of a statement, and that the
// relaxed run's variables in X' are right before it. Then the relaxed run ends it without failure
// and with something in X wrong with a chance of at most 1 - r. Of two statements in a row that
// adds up to at most 1 - r1 * r2. Where tests are right both runs go the same way; what the rules
// do not know to be right may send them where it wants, and counts as lost.
#include "reliability/backwards.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/calls.h"

namespace leto::reliability {

using core::StmtId;
using core::VarId;

void Found::add(Problem problem) {
  hopeless = true;
  evidence.push_back({std::move(problem)});
}

// What is added has been kept: it is one part, if there is anything.
void Found::add(const Found& part, double times) {
  hopeless = hopeless || part.hopeless;
  for (Item item : part.evidence) {
    if (auto* inside = std::get_if<Part>(&item.of)) inside->times *= times;
    if (auto* share = std::get_if<Share>(&item.of)) share->weight *= times;
    evidence.push_back(std::move(item));
  }
}

void Found::rest_on(const Found& part) {
  for (Item item : part.evidence) {
    if (auto* inside = std::get_if<Part>(&item.of)) inside->only_rests_on = true;
    const bool says_more =
        std::holds_alternative<Problem>(item.of) || std::holds_alternative<Share>(item.of);
    if (!says_more) evidence.push_back(std::move(item));
  }
}

void Found::lose(Share::Kind kind, Span at, std::string what, const Chance& factor) {
  chance = chance * factor;
  if (factor == certain()) return;
  const double lost = factor.approximate();
  evidence.push_back(
      {Share{kind, at, std::move(what),
             lost <= 0 ? std::numeric_limits<double>::infinity() : -std::log(lost)}});
}

namespace {

bool has_recursion(const core::Program& program) {
  bool any = false;
  for (const std::vector<core::FunctionId>& circle : core::find_circles(program)) {
    any = any || circle.size() > 1;
    core::for_each_callee(program, circle[0],
                          [&](core::FunctionId callee) { any = any || callee == circle[0]; });
  }
  return any;
}

}  // namespace

Backwards::Backwards(const core::Program& program, const Options& options)
    : program_(program),
      options_(options),
      uses_(program, options.trap),
      rates_(program, options),
      recursive_(has_recursion(program)) {
  for (std::size_t i = 0; i < program.recoveries.size(); ++i)
    recovery_of_[program.recoveries[i].block] = i;
}

// Where functions call themselves, what is found depends on where one has come from: it is
// forgotten then. Elsewhere what was found for one function is so for all.
void Backwards::enter(core::FunctionId function) {
  leave_calls(0);
  (void)look_into(function);
  if (!recursive_) return;
  walked_.clear();
  without_faults_.clear();
  evidence_.clear();
}

// False: it is being looked into already.
bool Backwards::look_into(core::FunctionId id) {
  if (!looked_into_.insert(id).second) return false;
  calls_.push_back(id);
  return true;
}

// All but the first so many.
void Backwards::leave_calls(std::size_t but) {
  for (; calls_.size() > but; calls_.pop_back()) looked_into_.erase(calls_.back());
}

// In its place, as one part of those that contain it.
Found Backwards::keep(Found found) {
  if (found.evidence.size() > 1) {
    evidence_.push_back(std::move(found.evidence));
    found.evidence = {{Part{&evidence_.back()}}};
  }
  return found;
}

bool Backwards::touches(StmtId id, const Vars& vars) {
  const Vars& set = uses_.sets(id);
  return std::any_of(vars.begin(), vars.end(), [&](VarId var) { return set.contains(var); });
}

Found Backwards::before(StmtId id, const Vars& behind) {
  if (!id.valid() || !touches(id, behind)) return {certain(), behind};
  const std::pair key{id, behind};
  if (const auto it = walked_.find(key); it != walked_.end()) return it->second;
  if (depth_ == 0) return before_in_steps(id, behind);
  go_deeper([this, key] { (void)before(key.first, key.second); });
  Found found = keep(walk(id, behind));
  --depth_;
  return walked_.emplace(key, std::move(found)).first->second;
}

// Chains of calls can be longer than the stack is deep. Whoever comes too deep has what he came for
// found first, from up here; then he is asked once more, and finds it there.
namespace {

constexpr unsigned kDeepest = 300;

struct TooDeep {
  std::function<void()> first;
};

}  // namespace

void Backwards::go_deeper(const std::function<void()>& again) {
  if (depth_ > kDeepest) throw TooDeep{again};
  ++depth_;
}

Found Backwards::before_in_steps(StmtId id, const Vars& behind) {
  struct Step {
    std::function<void()> find;
    std::size_t calls;  // so many are being looked into there
  };
  Found found;
  std::vector<Step> steps{{[&] { found = before(id, behind); }, calls_.size()}};
  while (!steps.empty()) {
    depth_ = 1;
    leave_calls(steps.back().calls);
    try {
      steps.back().find();
      steps.pop_back();
    } catch (const TooDeep& deep) {
      steps.push_back({deep.first, calls_.size()});
    }
  }
  depth_ = 0;
  return found;
}

Found Backwards::walk(StmtId id, const Vars& behind) {
  if (const auto it = recovery_of_.find(id); it != recovery_of_.end())
    if (const Known* known = usable(it->second, behind))
      return before_recovery(it->second, *known, behind);
  const Span at = program_.stmts[id].span;
  return std::visit(Overload{
                        [&](const core::Assign& s) { return before_assignment(s, behind); },
                        [&](const core::Store& s) { return before_store(s, behind); },
                        [&](const core::Declare& s) { return before_declaration(s, behind); },
                        [&](const core::Relaxed& s) { return before_operation(s, behind, at); },
                        [&](const core::Write& s) { return before_write(s, behind, at); },
                        // Who fails is not wrong.
                        [&](const core::Check&) {
                          return Found{certain(), behind};
                        },
                        [&](const core::Claim&) {
                          return Found{certain(), behind};
                        },
                        [&](const core::Recall& s) { return before_recall(s, behind); },
                        [&](const core::Block& s) { return before_sequence(s.body, behind); },
                        [&](const core::If& s) { return before_branch(s, behind); },
                        [&](const core::While& s) { return before_loop(s, behind, at); },
                        [&](const core::Call& s) { return before_call(s, behind, at); },
                    },
                    program_.stmts[id].node);
}

Found Backwards::before_assignment(const core::Assign& s, const Vars& behind) {
  Found found{certain(), behind};
  if (found.vars.erase(s.target) > 0) found.vars.merge(uses_.reads(s.value));
  return found;
}

Found Backwards::before_store(const core::Store& s, const Vars& behind) {
  Found found{certain(), behind};
  found.vars.merge(uses_.reads(s.indices));
  found.vars.merge(uses_.reads(s.value));
  return found;
}

Found Backwards::before_declaration(const core::Declare& s, const Vars& behind) {
  Found found{certain(), behind};
  if (found.vars.erase(s.target) > 0) found.vars.merge(uses_.reads(s.sizes));
  return found;
}

// What a lemma makes depends on its arguments alone.
Found Backwards::before_recall(const core::Recall& s, const Vars& behind) {
  Found found{certain(), behind};
  bool any = false;
  for (const core::Recall::Made& one : s.made) any = found.vars.erase(one.var) > 0 || any;
  if (any) found.vars.merge(uses_.reads(s.args));
  return found;
}

// The chance that the operation is exact; what keeps it from being known is noted.
Chance Backwards::of_exact(const core::FaultSite& site, core::ExprId value, Span at,
                           Found& found) const {
  std::vector<Problem> problems;
  Chance exact = rates_.of_exact(site, value, at, problems);
  for (Problem& problem : problems) found.add(std::move(problem));
  return exact;
}

Found Backwards::before_operation(const core::Relaxed& s, const Vars& behind, Span at) {
  Found found{certain(), behind};
  const Chance exact = of_exact(s.site, s.exact, at, found);
  found.lose(Share::Kind::Operation, at, fmt::format("'{}'", s.site.what), exact);
  if (found.vars.erase(s.target) > 0) {
    found.vars.merge(uses_.reads(s.args));
    found.vars.merge(uses_.reads(s.exact));  // above a layer: what that one gave
  }
  return found;
}

Found Backwards::before_write(const core::Write& s, const Vars& behind, Span at) {
  Found found{certain(), behind};
  const Chance exact = of_exact(s.site, {}, at, found);
  if (s.whole && !(exact == certain()))
    found.add(Problem{at,
                      "how many elements are copied under the model is not known: copy them in a "
                      "'repeat'"});
  found.lose(Share::Kind::Operation, at, s.site.what, exact);
  if (!found.vars.contains(s.target)) return found;
  if (s.indices.empty()) found.vars.erase(s.target);
  found.vars.merge(uses_.reads(s.indices));
  found.vars.merge(uses_.reads(s.value));
  if (s.exact.valid()) found.vars.merge(uses_.reads(s.exact));
  return found;
}

Found Backwards::before_sequence(const std::vector<StmtId>& list, const Vars& behind) {
  Found found{certain(), behind};
  for (std::size_t i = list.size(); i-- > 0;) {
    Found one = before(list[i], found.vars);
    found.chance = found.chance * one.chance;
    found.vars = std::move(one.vars);
    found.add(one);
  }
  return found;
}

Found Backwards::before_branch(const core::If& s, const Vars& behind) {
  Found found = before(s.then_branch, behind);
  const Found other = before(s.else_branch, behind);
  found.chance = min(found.chance, other.chance);
  found.vars.insert(other.vars.begin(), other.vars.end());
  found.vars.merge(uses_.reads(s.condition));
  found.add(other);
  return found;
}

// A head needs what is needed behind the test: by the iteration, by the test and behind the loop.
// The test itself may set some of that, state of the model for one; so it goes before all of them.
Found Backwards::before_loop(const core::While& s, const Vars& behind, Span at) {
  if (s.times.valid()) {
    if (const auto times = rates_.count(s.times)) return before_repeat(s, behind, *times);
    Found found{certain(), behind};
    found.add(Problem{at, "how often this is repeated is not known: the constant has no value"});
    return found;
  }
  Vars leaving = behind;
  leaving.merge(uses_.reads(s.condition));
  Vars head = falls_into(Trap::TestChangesNothing) ? leaving : Vars{};
  while (true) {
    const Found iteration = before(s.body, head);
    Vars tested = iteration.vars;
    if (!falls_into(Trap::TestChangesNothing)) tested.insert(leaving.begin(), leaving.end());
    Found found = before(s.before, tested);
    found.chance = found.chance * iteration.chance;
    found.add(iteration);
    const std::size_t known = head.size();
    head.insert(found.vars.begin(), found.vars.end());
    if (head.size() > known) continue;
    if (!(found.chance == certain()))
      found.add(Problem{at,
                        "this loop has no bound, and each iteration may go wrong: write it as "
                        "'repeat'"});
    found.vars = std::move(head);
    return found;
  }
}

std::uint64_t Backwards::Iterations::taken(std::size_t k) const {
  if (!cycles || k < cycle) return 1;
  const std::uint64_t period = steps.size() - cycle, left = times - cycle;
  return left / period + (k - cycle < left % period ? 1 : 0);
}

const Vars& Backwards::Iterations::first() const {
  if (!cycles) return sets.back();
  return sets[cycle + (times - cycle) % (steps.size() - cycle)];
}

// The sets of variables before 1, 2, ... iterations, until one comes again; from there on the
// factors come again too. Of a loop that may be left early every iteration may be the last: what
// is needed behind it, and whether it has been left, has to be right before each.
Backwards::Iterations Backwards::iterate(const core::While& s, const Vars& behind,
                                         std::uint64_t times) {
  // Its test is about a counter and constants, and takes no steps of its own.
  LETO_ASSERT(core::children(program_, s.before).empty());
  Iterations out;
  out.times = times;
  Vars always;
  if (!s.exits.empty() && !falls_into(Trap::LoopsAreNotLeft)) {
    always = behind;
    always.merge(uses_.reads(s.condition));
  }
  out.sets = {behind};
  out.sets[0].insert(always.begin(), always.end());
  while (out.steps.size() < times && !out.cycles) {
    Found step = before(s.body, out.sets.back());
    step.vars.insert(always.begin(), always.end());
    out.sets.push_back(step.vars);
    out.steps.push_back(std::move(step));
    for (std::size_t k = 0; k + 1 < out.sets.size() && !options_.unroll && !out.cycles; ++k)
      if (out.sets[k] == out.sets.back()) {
        out.cycle = k;
        out.cycles = true;
      }
  }
  return out;
}

Found Backwards::before_repeat(const core::While& s, const Vars& behind, std::uint64_t times) {
  const Iterations all = iterate(s, behind, times);
  Found found{certain(), all.first()};
  for (std::size_t k = 0; k < all.steps.size(); ++k) {
    found.chance = found.chance * all.steps[k].chance.power(all.taken(k));
    found.add(all.steps[k], static_cast<double>(all.taken(k)));
  }
  return found;
}

std::vector<Vars> Backwards::ends_of_iterations(const core::While& s, const Vars& behind) {
  if (!s.times.valid()) return {before_loop(s, behind, {}).vars};
  const auto times = rates_.count(s.times);
  if (!times) return {};
  Iterations all = iterate(s, behind, *times);
  all.sets.resize(all.steps.size());
  return std::move(all.sets);
}

Found Backwards::before_call(const core::Call& s, const Vars& behind, Span at) {
  const core::Function& f = program_.functions[s.callee];
  Found found{certain(), behind};
  Vars results;  // that matter
  for (std::size_t i = 0; i < s.targets.size(); ++i)
    if (found.vars.erase(s.targets[i]) > 0) results.insert(f.results[i]);
  const bool result = !results.empty();
  const bool state = std::any_of(behind.begin(), behind.end(), [&](VarId var) {
    return uses_.states_set(s.callee).contains(var);
  });
  if (falls_into(Trap::CalleeKeepsState) && !result) return found;
  const core::ReliabilityClause* clause = nullptr;
  for (const core::ReliabilityClause& one : f.reliability)
    if (one.of_result) clause = &one;
  Vars needed;
  // A clause is about the value that is returned, and about nothing else that comes back.
  const bool only_result = results.empty() || results == Vars{f.result()};
  if (clause != nullptr && only_result && (!state || falls_into(Trap::CalleeKeepsState))) {
    found.evidence.push_back({ReliesOn{s.callee}});  // it is shown where the function stands
    found.lose(Share::Kind::Call, at, fmt::format("the call of '{}'", f.name),
               Chance::parse(clause->number).value_or(Chance()));
    needed.insert(clause->vars.begin(), clause->vars.end());
  } else {
    Vars wanted;
    for (VarId var : behind)
      if (program_.vars[var].kind == core::VarKind::State) wanted.insert(var);
    wanted.insert(results.begin(), results.end());
    const Found inside = before_body(f, s.callee, wanted, at);
    found.chance = inside.chance;
    found.add(inside);
    for (VarId var : wanted) found.vars.erase(var);
    for (VarId var : inside.vars)
      if (program_.vars[var].kind == core::VarKind::State) found.vars.insert(var);
    needed = inside.vars;
  }
  for (std::size_t i = 0; i < f.params.size(); ++i)
    if (needed.contains(f.params[i])) found.vars.merge(uses_.reads(s.args[i]));
  return found;
}

Found Backwards::before_body(const core::Function& f, core::FunctionId id, const Vars& behind,
                             Span at) {
  Found found{certain(), behind};
  if (f.external()) {
    found.add(Problem{
        at, fmt::format("'{}' is external: give it a clause 'reliability result >= ...'", f.name)});
    return found;
  }
  if (!look_into(id)) {
    found.add(Problem{
        at,
        fmt::format("'{}' calls itself: give it a clause 'reliability result >= ...'", f.name)});
    return found;
  }
  found = before(f.body, behind);
  leave_calls(calls_.size() - 1);
  return found;
}

}  // namespace leto::reliability

#include "reliability/sites.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/endings.h"

namespace leto::reliability {

using core::ExprId;
using core::FunctionId;
using core::StmtId;
using core::VarId;

SiteCount Sites::in(FunctionId function) {
  found_ = {};
  of_function_.clear();
  look_at(function);
  found_.most = of_function_[function];
  return found_;
}

void Sites::problem(Span at, std::string text) {
  Problem one{at, std::move(text)};
  if (std::find(found_.problems.begin(), found_.problems.end(), one) == found_.problems.end())
    found_.problems.push_back(std::move(one));
}

void Sites::look_at(FunctionId function) {
  if (of_function_.contains(function)) return;
  calls_.push_back(function);
  mpz_class all = count(program_.functions[function].body);
  calls_.pop_back();
  of_function_[function] = std::move(all);
}

mpz_class Sites::count(StmtId id) {
  if (!id.valid()) return 0;
  const core::Stmt& s = program_.stmts[id];
  return std::visit(Overload{
                        [](const core::Assign&) { return mpz_class(0); },
                        [](const core::Store&) { return mpz_class(0); },
                        [](const core::Declare&) { return mpz_class(0); },
                        [](const core::Check&) { return mpz_class(0); },
                        [](const core::Claim&) { return mpz_class(0); },
                        [](const core::Recall&) { return mpz_class(0); },  // nobody runs a lemma
                        [&](const core::Relaxed& one) { return count_site(one.site, s.span); },
                        [&](const core::Write& one) { return count_write(one, s.span); },
                        [&](const core::Block& block) {
                          mpz_class sum = 0;
                          for (StmtId child : block.body) sum += count(child);
                          return sum;
                        },
                        [&](const core::If& branch) {
                          const mpz_class one = count(branch.then_branch),
                                          other = count(branch.else_branch);
                          return one < other ? other : one;
                        },
                        [&](const core::While& loop) { return count_loop(loop, s.span); },
                        [&](const core::Call& call) { return count_call(call, s.span); },
                    },
                    s.node);
}

mpz_class Sites::count_site(const core::FaultSite& site, Span at) {
  Chance struck;
  for (std::uint32_t index : site.specifications) {
    const core::Specification& spec = program_.specifications[index];
    if (!spec.rate.valid()) continue;
    const std::optional<Chance> rate = rates_.constant(spec.rate);
    if (!rate || !rate->between_zero_and_one()) {
      problem(spec.span, fmt::format("the rate of '{}' is not a number from 0 to 1",
                                     core::title(program_, index)));
      continue;
    }
    // The mistake: whichever of several is taken, it was the first that was counted.
    if (options_.trap != Trap::RatesOfOne || struck == Chance()) struck = struck + *rate;
  }
  if (struck == Chance()) return 0;
  if (struck.high() > 1)
    problem(at, fmt::format("the rates of '{}' add up to more than 1", site.what));
  if (struck.high() > found_.rate.high()) found_.rate = struck;
  return 1;
}

mpz_class Sites::count_write(const core::Write& s, Span at) {
  const mpz_class one = count_site(s.site, at);
  if (s.whole && one > 0) problem(at, "how many elements are copied under the model is not known");
  return one;
}

mpz_class Sites::count_call(const core::Call& s, Span at) {
  const core::Function& f = program_.functions[s.callee];
  if (f.external()) {
    if (!f.site.specifications.empty())
      problem(at, fmt::format("how often '{}' goes wrong is declared of its result, and not of "
                              "what happens in it",
                              f.name));
    return 0;
  }
  if (std::find(calls_.begin(), calls_.end(), s.callee) != calls_.end()) {
    if (uses_.may_go_wrong(s.callee))
      problem(at, fmt::format("'{}' calls itself: how often is not known", f.name));
    return 0;
  }
  look_at(s.callee);
  return of_function_[s.callee];
}

mpz_class Sites::count_loop(const core::While& s, Span at) {
  const mpz_class test = count(s.before), body = count(s.body);
  if (test == 0 && body == 0) return 0;
  const std::optional<mpz_class> times = iterations(s);
  if (!times) {
    problem(at, "how often this loop is done is not known, and operations in it may go wrong");
    return 0;
  }
  // The mistake: one attempt is all there is.
  if (options_.trap == Trap::SitesOfOneAttempt) return test + body;
  return *times * (test + body) + test;
}

// How often the body is done at most, whatever goes wrong on the way.
std::optional<mpz_class> Sites::iterations(const core::While& s) {
  if (s.times.valid()) {
    const std::optional<std::uint64_t> times = rates_.count(s.times);
    if (!times) return std::nullopt;
    return mpz_class(static_cast<unsigned long>(*times));
  }
  const std::optional<core::CountsUp> up = core::find_counting_up(program_, uses_.effects(), s);
  if (!up || !starts_from_zero_on(up->counter)) return std::nullopt;
  std::optional<mpz_class> most = largest(up->bound);
  if (most && up->including) *most += 1;
  if (most && *most < 0) most = 0;
  return most;
}

// Whether a loop that counts by it does so from 0, or from above.
bool Sites::starts_from_zero_on(VarId counter) const {
  const core::Var& var = program_.vars[counter];
  bool natural = var.kind == core::VarKind::Local && var.type.natural && var.type.rank == 0;
  core::for_each_statement(program_, program_.functions[calls_.back()].body, [&](StmtId id) {
    if (!core::sets(program_, id, counter)) return;
    const auto& node = program_.stmts[id].node;
    const auto* assign = std::get_if<core::Assign>(&node);
    natural = natural && (std::holds_alternative<core::Declare>(node) ||
                          (assign != nullptr && core::is_surely_natural(program_, assign->value)));
  });
  return natural;
}

// The largest value that it can have, in any run of the function.
std::optional<mpz_class> Sites::largest(ExprId id) const {
  if (std::optional<mpz_class> value = number(id)) return value;
  const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node);
  if (ref == nullptr || program_.vars[ref->var].kind != core::VarKind::Param) return std::nullopt;
  return required(ref->var);
}

// What the function requires a parameter to be at most. Nobody sets the parameter itself. Of a
// function that is called, nobody knows what a run passes that does by itself.
std::optional<mpz_class> Sites::required(VarId param) const {
  const bool own = calls_.size() == 1;
  const core::Function& f = program_.functions[calls_.back()];
  bool set = false;
  core::for_each_statement(program_, f.body,
                           [&](StmtId id) { set = set || core::sets(program_, id, param); });
  std::optional<mpz_class> least;
  for (const core::Clause& clause : f.requires_) {
    if (!own || set || clause.relational) continue;
    for (ExprId said : core::conjuncts(program_, clause.expr))
      if (const auto most = bounded_by(said, param); most && (!least || *most < *least))
        least = most;
  }
  return least;
}

// `param <= number`, or `<`, or `==`.
std::optional<mpz_class> Sites::bounded_by(ExprId said, VarId param) const {
  const auto* compared = std::get_if<core::Apply>(&program_.exprs[said].node);
  if (compared == nullptr || (compared->op != core::Op::Lt && compared->op != core::Op::Le &&
                              compared->op != core::Op::Eq))
    return std::nullopt;
  const auto* ref = std::get_if<core::VarRef>(&program_.exprs[compared->args[0]].node);
  if (ref == nullptr || ref->var != param) return std::nullopt;
  return number(compared->args[1]);
}

// The value of a number, or of a constant that has one; the integer above it.
std::optional<mpz_class> Sites::number(ExprId id) const {
  const std::optional<Chance> value = rates_.constant(id);
  if (!value) return std::nullopt;
  mpz_class whole;
  mpz_cdiv_q(whole.get_mpz_t(), value->high().get_num_mpz_t(), value->high().get_den_mpz_t());
  return whole;
}

}  // namespace leto::reliability

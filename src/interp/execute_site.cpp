// Fault sites. What they leave open is decided by plans, or by the resolver where there is none.
#include <fmt/core.h>

#include <algorithm>

#include "interp/execute.h"

namespace leto::interp {

using core::Side;

namespace {

bool type_has(const core::Type& type, const Number& n) {
  if (type.base != core::Base::Real && !n.is_integer()) return false;
  if (type.natural && n.sign() < 0) return false;
  if (type.base == core::Base::Word) return Domain{type, {}, {}, 0}.contains(n);
  return type.base != core::Base::Bool || n == Number(0) || n == Number(1);
}

void narrow_domain(Domain& domain, core::Op op, const Number& value) {
  const Bound bound{value, op == core::Op::Lt || op == core::Op::Gt};
  if (op == core::Op::Lt || op == core::Op::Le) {
    if (!domain.high || value < domain.high->value || (value == domain.high->value && bound.strict))
      domain.high = bound;
  } else {
    if (!domain.low || domain.low->value < value || (value == domain.low->value && bound.strict))
      domain.low = bound;
  }
}

}  // namespace

// Does it allow the exact outcome, with the model's state as it is?
bool Executor::allows_exact(const core::Specification& spec, const SpecificationCode& code,
                            const Number& exact) {
  if (!type_has(program_.vars[spec.outcome].type, exact)) return false;
  *code.outcome = exact;
  return std::all_of(code.ensures.begin(), code.ensures.end(),
                     [&](const Code& ensures) { return computer_.truth(ensures); });
}

void Executor::find_enabled(const SiteCode& site, const Number& exact) {
  SitePoint& point = site.point;
  point.enabled.clear();
  point.exact.clear();
  for (std::size_t i = 0; i < site.codes.size(); ++i) {
    const SpecificationCode& code = *site.codes[i];
    const std::uint32_t index = point.site.specifications[i];
    for (std::size_t k = 0; k < code.params.size(); ++k) *code.params[k] = arguments_[k];
    *code.exact = exact;
    if (code.when && !computer_.truth(*code.when)) continue;
    point.enabled.push_back(index);
    point.exact.push_back(allows_exact(program_.specifications[index], code, exact));
  }
}

// One occurrence, with `arguments_`: the outcome; the model's state is changed.
Number Executor::site(const SiteCode& site, const Number& exact, const StatementCode& at) {
  if (site.codes.empty()) return exact;
  for (const Number& n : arguments_) check_length(n, at.span);
  check_length(exact, at.span);
  SitePoint& point = site.point;
  point.occurrence = out_.sites++;
  find_enabled(site, exact);
  if (point.enabled.empty())
    throw Halt{End::Stuck,
               at.span,
               fmt::format("no specification of '{}' is enabled", point.site.what),
               {},
               at.id};
  const std::size_t pick = chooser_.specification(point);
  if (pick >= point.enabled.size())
    throw Halt{End::Impossible, at.span,
               "the specification that was asked for is not enabled here"};
  const std::uint32_t index = point.enabled[pick];
  const SpecificationCode& code = code_.specifications[index];
  const bool known = point.exact[pick] && code.plan && code.plan->forced();
  Decision decision = known && chooser_.scripted() == nullptr ? Decision{exact, {}}
                                                              : decide(index, code, exact, at.span);
  bool faulty = !(decision.outcome == exact);
  for (const auto& [var, v] : decision.states) {
    Number& state = code_.pair.relaxed[var.value].scalar;
    faulty = faulty || !(state == v);
    state = v;
  }
  Number outcome = decision.outcome;
  if (faulty || options_.all_taken || options_.events)
    take({point.occurrence, at.id, index, {}, exact, outcome, {}, faulty}, std::move(decision), at);
  return outcome;
}

// Writes down what was decided, for who asks.
void Executor::take(Taken taken, Decision decision, const StatementCode& at) {
  taken.arguments = arguments_;
  taken.states = std::move(decision.states);
  const core::FaultSite* site = core::site_of(program_.stmts[at.id]);
  if (options_.events)
    out_.events.push_back(
        {Event::Kind::Site, at.span, Side::Relaxed, site->what,
         fmt::format("{}, {} instead of {}", core::title(program_, taken.specification),
                     taken.outcome.text(), taken.exact.text()),
         at.id});
  if (taken.faulty || options_.all_taken) out_.taken.push_back(taken);
  for (const auto& [var, v] : taken.states)
    note_change({var, &code_.pair.original[var.value], &code_.pair.relaxed[var.value]},
                Side::Relaxed, at.span, at.id);
}

Decision Executor::decide(std::uint32_t index, const SpecificationCode& code, const Number& exact,
                          Span at) {
  std::optional<Decision> decision;
  if (const Taken* wanted = chooser_.scripted()) {
    decision = Decision{wanted->outcome, wanted->states};
    if (!machine_.resolver().allows(index, arguments_, exact, *decision, code_.pair))
      throw Halt{End::Impossible, at,
                 fmt::format("'{}' does not allow {} here", core::title(program_, index),
                             wanted->outcome.text())};
  } else if (code.plan) {
    decision = follow(code, exact);
  } else {
    decision = machine_.resolver().decide(index, arguments_, exact, code_.pair, chooser_);
  }
  if (!decision) give_up(index, exact, at);
  return std::move(*decision);
}

// The state is as before in any case.
std::optional<Decision> Executor::follow(const SpecificationCode& code, const Number& exact) {
  const Plan& plan = *code.plan;
  *code.exact = exact;
  for (int attempt = 0; attempt < chooser_.attempts(); ++attempt) {
    for (const auto& [state, kept] : code.old) *kept = *state;
    *code.outcome = exact;
    const bool solved = follow_steps(plan);
    Decision decision;
    for (const Plan::Unknown& u : plan.unknowns)
      if (u.at != code.outcome) decision.states.emplace_back(u.var, *u.at);
    decision.outcome = *code.outcome;
    for (const auto& [state, kept] : code.old) *state = *kept;
    if (solved) return decision;
  }
  return std::nullopt;
}

bool Executor::follow_steps(const Plan& plan) {
  for (const Plan::Step& step : plan.steps) {
    const Plan::Unknown& unknown = plan.unknowns[step.unknown];
    computer_.run(step.code);
    if (step.exactly != nullptr) {
      *unknown.at = *step.exactly;
      continue;
    }
    Domain domain{program_.vars[unknown.var].type, {}, {}, *unknown.usual};
    for (const Plan::Bounded& bound : step.bounds) narrow_domain(domain, bound.op, *bound.value);
    *unknown.at = chooser_.value(domain, unknown.var);
  }
  for (const Plan::Unknown& unknown : plan.unknowns)
    if (!type_has(program_.vars[unknown.var].type, *unknown.at)) return false;
  return std::all_of(plan.ensures.begin(), plan.ensures.end(),
                     [&](const Code& ensures) { return computer_.truth(ensures); });
}

// No values were found. Is there any, as far as all can be tried?
void Executor::give_up(std::uint32_t index, const Number& exact, Span at) {
  ExhaustiveChooser all(8);
  bool some = false;
  for (int tries = 0; tries < 10'000 && !some; ++tries) {
    some = machine_.resolver().decide(index, arguments_, exact, code_.pair, all).has_value();
    if (!some && !all.next()) break;
  }
  if (!some && all.complete())
    throw Halt{End::Stuck, at,
               fmt::format("no value satisfies what '{}' ensures", core::title(program_, index))};
  throw Halt{End::Impossible, at,
             fmt::format("no value that '{}' allows was found", core::title(program_, index))};
}

}  // namespace leto::interp

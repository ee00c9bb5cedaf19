// Rule 2, no vacuous models.
//
//   constants:       values and constraints can be met; what is computed for a uint is not negative
//   initial state:   the invariants hold in it; what a uint starts with is not negative
//   specification i: for all constants, states and operands (and whatever the layer
//                    below may give, of an upper layer) with the invariants and
//                    when_i, some outcome and next state satisfy ensures_i (total);
//                    and every one that does keeps the invariants
//
// A specification that can block would make whatever follows true for no reason.
// The existential is helped by a witness read off the specification itself (an
// equation, the middle of two bounds, one more than a lower bound); the goal is
// "the witness will do, or something else will".
#include <fmt/core.h>

#include <algorithm>

#include "vcgen/walk.h"

namespace leto::vcgen {

using logic::Kind;

namespace {

constexpr std::string_view kConstants = "constants";  // who claims something of them

class ModelChecks {
 public:
  ModelChecks(const core::Program& program, logic::TermTable& terms, core::Effects& effects,
              const Options& options, Result& result)
      : setting_(make_setting(program, terms, effects, options, result)),
        program_(program),
        terms_(terms),
        name_("model " + program.model.name) {}

  void run() {
    {
      Walk walk(setting_, name_);
      walk.path = terms_.boolean(true);
      constraints(walk);
      initial(walk);
      walk.close_assumptions(0);
    }
    for (std::size_t i = 0; i < program_.specifications.size(); ++i) {
      if (!program_.specifications[i].of_model) continue;
      Walk walk(setting_, name_);
      walk.path = terms_.boolean(true);
      specification(walk, static_cast<std::uint32_t>(i));
    }
  }

 private:
  // Values and constraints are taken for granted everywhere: together they must be possible. (Only
  // if what is computed for a uint is not negative, which is proved apart.)
  void constraints(Walk& walk) {
    const auto valued = std::find_if(program_.constants.begin(), program_.constants.end(),
                                     [](const core::ConstantVar& c) { return c.value.valid(); });
    if (program_.constraints.empty() && valued == program_.constants.end()) return;
    const bool of_values = program_.constraints.empty();
    const Span at = program_.exprs[of_values ? valued->value : program_.constraints[0]].span;
    setting_.result.assumptions.push_back(
        {{of_values ? ClaimKind::ValuesMet : ClaimKind::ConstraintsMet,
          of_values ? std::string(kConstants) : name_, at},
         {},
         walk.path,
         setting_.log,
         kNothingBefore,
         0,
         setting_.result.obligations.size(),
         setting_.result.obligations.size()});
    setting_.result.assumptions.back().everywhere = true;
  }

  void initial(Walk& walk) {
    for (const core::StateVar& m : program_.model.states) {
      const core::Type& type = program_.vars[m.var].type;
      if (!m.init.valid()) {
        walk.set(m.var, Side::Relaxed, walk.unknown(m.var, Side::Relaxed));
        continue;
      }
      const Value value = setting_.encoder.coerce(walk.value(m.init, Side::Relaxed), type);
      walk.set(m.var, Side::Relaxed, value);
      if (type.natural && setting_.options.trap != Trap::NaturalInitial)
        walk.prove(ClaimKind::InitialNotNegative, terms_.le(terms_.zero(logic::kInt), value.term),
                   {}, program_.exprs[m.init].span, {m.init});
    }
    for (core::ExprId invariant : program_.model.invariants)
      walk.prove(ClaimKind::ModelInvariantInitially, walk.formula(invariant, Side::Relaxed), {},
                 program_.exprs[invariant].span, {invariant});
  }

  Term invariants(Walk& walk, const std::map<core::VarId, Value>& states) {
    State now;
    now.relaxed = states;
    std::vector<Term> parts;
    WalkEnvironment environment(walk, now, Side::Relaxed);
    for (core::ExprId invariant : program_.model.invariants)
      parts.push_back(setting_.encoder.formula(invariant, environment));
    return terms_.and_(std::move(parts));
  }

  void specification(Walk& walk, std::uint32_t index) {
    const core::Specification& spec = program_.specifications[index];
    std::map<core::VarId, Value> before;
    for (const core::StateVar& m : program_.model.states) {
      before[m.var] = walk.unknown(m.var, Side::Relaxed);
      walk.set(m.var, Side::Relaxed, before[m.var]);
    }
    std::vector<Value> args;
    for (core::VarId param : spec.params)
      args.push_back(walk.fresh(program_.vars[param].name, program_.vars[param].type, {}));
    if (spec.exact.valid()) args.push_back(walk.fresh("exact", program_.vars[spec.exact].type, {}));
    const core::FaultSite site{"", {index}};
    walk.assume(invariants(walk, before));

    // What is asked for, over fresh symbols.
    std::map<core::VarId, Value> after = before;
    for (core::VarId var : spec.modifies)
      after[var] = walk.fresh(program_.vars[var].name + "'", program_.vars[var].type, {});
    const Value outcome =
        walk.fresh(program_.vars[spec.outcome].name, program_.vars[spec.outcome].type, {});
    const Step asked = specified_step(walk, site, args, outcome, before, after);
    walk.assume(asked.enabled);
    // For people, if something fails.
    for (std::size_t i = 0; i < spec.params.size(); ++i)
      walk.set(spec.params[i], Side::Relaxed, args[i]);
    if (spec.exact.valid()) walk.set(spec.exact, Side::Relaxed, args.back());
    walk.set(spec.outcome, Side::Relaxed, outcome);
    walk.note_moment(encode::Moment::Kind::Entry, spec.span);

    // A witness, one variable after the other, each with those before it in place.
    std::map<core::VarId, Value> chosen = after;
    for (core::VarId var : spec.modifies) {
      const Term formula = specified_step(walk, site, args, outcome, before, chosen).outcome;
      chosen[var] = {witness(formula, after[var].term, before[var].term), {}};
    }
    const Term formula = specified_step(walk, site, args, outcome, before, chosen).outcome;
    const Value result{witness(formula, outcome.term, terms_.zero(terms_.sort(outcome.term))), {}};
    std::vector<Term> parts{specified_step(walk, site, args, result, before, chosen).outcome};
    const auto natural = [&](const Value& v, const core::Type& type, std::vector<Term>& into) {
      if (type.natural) into.push_back(terms_.le(terms_.zero(logic::kInt), v.term));
    };
    natural(result, program_.vars[spec.outcome].type, parts);
    for (core::VarId var : spec.modifies) natural(chosen[var], program_.vars[var].type, parts);
    const Term good = terms_.and_(std::move(parts));

    // Or anything else.
    std::vector<Term> bound, any;
    std::map<core::VarId, Value> other = before;
    for (core::VarId var : spec.modifies) {
      bound.push_back(
          terms_.bound(program_.vars[var].name, encode::sort_of(program_.vars[var].type)));
      other[var] = {bound.back(), {}};
      natural(other[var], program_.vars[var].type, any);
    }
    bound.push_back(terms_.bound("result", terms_.sort(outcome.term)));
    const Value free{bound.back(), {}};
    natural(free, program_.vars[spec.outcome].type, any);
    any.push_back(specified_step(walk, site, args, free, before, other).outcome);
    const Term exists = terms_.quant(false, bound, terms_.and_(std::move(any)));
    const std::string which = spec.label.empty() ? "" : fmt::format(" '{}'", spec.label);
    const std::size_t known = walk.facts.size();
    walk.prove(ClaimKind::Total, terms_.or_(good, exists), {which}, spec.span, {});
    walk.facts.truncate(known);

    if (program_.model.invariants.empty()) return;
    walk.assume(asked.outcome);
    for (const auto& [var, value] : after) walk.set(var, Side::Relaxed, value);
    walk.prove(ClaimKind::ModelInvariantKept, invariants(walk, after), {which}, spec.span, {});
  }

  // A term that is likely to satisfy what the formula asks of the symbol.
  Term witness(Term formula, Term symbol, Term otherwise) {
    std::vector<Term> parts;
    const logic::Node& node = terms_[formula];
    if (node.kind == Kind::And)
      parts = node.args;
    else
      parts = {formula};
    Term low, high;
    bool low_strict = false, high_strict = false;
    for (Term part : parts) {
      if (part == symbol) return terms_.boolean(true);
      const logic::Node p = terms_[part];
      if (p.kind == Kind::Not && p.args[0] == symbol) return terms_.boolean(false);
      if (p.kind == Kind::Eq) {
        if (p.args[0] == symbol && !mentions(p.args[1], symbol)) return p.args[1];
        if (p.args[1] == symbol && !mentions(p.args[0], symbol)) return p.args[0];
      }
      if (p.kind == Kind::Lt || p.kind == Kind::Le) {
        if (p.args[1] == symbol && !mentions(p.args[0], symbol)) {
          low = p.args[0];
          low_strict = p.kind == Kind::Lt;
        }
        if (p.args[0] == symbol && !mentions(p.args[1], symbol)) {
          high = p.args[1];
          high_strict = p.kind == Kind::Lt;
        }
      }
    }
    const logic::Sort sort = terms_.sort(symbol);
    if (sort == logic::kBool) return otherwise;
    const Term one = terms_.number("1", sort);
    if (low.valid() && high.valid() && sort == logic::kReal)
      return terms_.arith(Kind::RealDiv, terms_.arith(Kind::Add, low, high),
                          terms_.number("2", sort));
    if (low.valid()) return low_strict ? terms_.arith(Kind::Add, low, one) : low;
    if (high.valid()) return high_strict ? terms_.arith(Kind::Sub, high, one) : high;
    return otherwise;
  }
  bool mentions(Term term, Term symbol) {
    if (term == symbol) return true;
    for (Term arg : terms_[term].args)
      if (mentions(arg, symbol)) return true;
    return false;
  }

  Setting setting_;
  const core::Program& program_;
  logic::TermTable& terms_;
  std::string name_;
};

// What is computed for a constant that is a uint must not be negative. Everybody else takes that
// for granted, so here it is not.
void prove_natural_constants(const core::Program& program, logic::TermTable& terms,
                             core::Effects& effects, const Options& options, Result& result) {
  Setting setting = make_setting(program, terms, effects, options, result, nullptr, false);
  Walk walk(setting, std::string(kConstants));
  walk.path = terms.boolean(true);
  for (const core::ConstantVar& c : program.constants) {
    if (!program.vars[c.var].type.natural || !c.value.valid()) continue;
    const auto prove = [&](core::ExprId value) {
      walk.prove(ClaimKind::ConstantNotNegative,
                 terms.le(terms.zero(logic::kInt), walk.formula(value, Side::Relaxed)), {},
                 program.exprs[value].span, {value});
    };
    const auto* elements = core::find_elements(program, c);
    if (elements == nullptr) prove(c.value);
    if (elements != nullptr)
      for (core::ExprId element : *elements)
        if (!core::is_surely_natural(program, element)) prove(element);
  }
}

}  // namespace

Result generate_model_checks(const core::Program& program, logic::TermTable& terms,
                             const Options& options) {
  Result result;
  if (options.trap == Trap::NotTotal) return result;
  // The other traps are about programs.
  Options own;
  if (options.trap == Trap::NaturalInitial) own.trap = options.trap;
  core::Effects effects(program);
  prove_natural_constants(program, terms, effects, own, result);
  prove_function_constants(program, terms, effects, own, result);
  ModelChecks(program, terms, effects, own, result).run();
  return result;
}

}  // namespace leto::vcgen

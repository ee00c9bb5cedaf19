// Inputs: made at random so that they meet what a function requires, or examined.
#include <fmt/core.h>

#include <algorithm>

#include "interp/interp.h"

namespace leto::interp {

using core::Side;

Inputs empty_inputs(const Machine& machine) {
  const core::Program& program = machine.program();
  Inputs inputs;
  inputs.values.original.resize(program.vars.size());
  inputs.values.relaxed.resize(program.vars.size());
  for (std::uint32_t i = 0; i < program.vars.size(); ++i) {
    const core::Type& type = program.vars[core::VarId{i}].type;
    if (type.rank == 0) continue;
    inputs.values.original[i] =
        zeros(std::vector<std::int64_t>(static_cast<std::size_t>(type.rank), 0));
    inputs.values.relaxed[i] = inputs.values.original[i];
  }
  Scope scope{inputs.values, Side::Relaxed};
  const auto put = [&](core::VarId var, core::ExprId value) {
    if (!value.valid()) return;
    try {
      const Value v = machine.evaluator().value(value, scope);
      inputs.values.original[var.value] = v;
      inputs.values.relaxed[var.value] = v;
    } catch (const Undecidable&) {
      // It stays zero. Whoever wants to run something evaluates it again, and says so.
    }
  };
  for (const core::ConstantVar& constant : program.constants) put(constant.var, constant.value);
  for (const core::StateVar& state : program.model.states) put(state.var, state.init);
  return inputs;
}

std::optional<std::string> unmet(const Machine& machine, core::FunctionId function,
                                 const Inputs& inputs) {
  const core::Program& program = machine.program();
  const core::Function& f = program.functions[function];
  Scope relaxed{inputs.values, Side::Relaxed};
  Scope original{inputs.values, Side::Original};
  const auto number_fits = [&](const Value& v, const core::Type& type) {
    const Domain domain{type.element(), {}, {}, 0};
    if (type.rank == 0) return domain.contains(v.scalar);
    return std::all_of(v.array->elements.begin(), v.array->elements.end(),
                       [&](const Number& n) { return domain.contains(n); });
  };
  try {
    for (const core::ConstantVar& c : program.constants) {
      const Value& v = inputs.values.relaxed[c.var.value];
      if (!number_fits(v, program.vars[c.var].type))
        return fmt::format("the constant {} cannot be {}", program.vars[c.var].name,
                           text(v, program.vars[c.var].type));
      if (c.value.valid() && !equal(machine.evaluator().value(c.value, relaxed), v))
        return fmt::format("the constant {} has another value", program.vars[c.var].name);
    }
    for (const core::StateVar& s : program.model.states)
      if (!number_fits(inputs.values.relaxed[s.var.value], program.vars[s.var].type))
        return fmt::format("{} starts with a value that its type does not have",
                           program.vars[s.var].name);
    for (core::ExprId constraint : program.constraints)
      if (!machine.evaluator().truth(constraint, relaxed))
        return "a constraint on the constants does not hold";
    for (core::ExprId invariant : program.model.invariants)
      if (!machine.evaluator().truth(invariant, relaxed))
        return "an invariant of the model does not hold at the start";
    for (Side side : {Side::Original, Side::Relaxed}) {
      Scope& scope = side == Side::Original ? original : relaxed;
      const char* who = side == Side::Original ? "original" : "relaxed";
      for (core::VarId param : f.params)
        if (!number_fits(inputs.values.side(side)[param.value], program.vars[param].type))
          return fmt::format("'{}' has a value that its type does not have",
                             program.vars[param].name);
      for (const core::ParamSize& size : f.sizes) {
        const Value& v = inputs.values.side(side)[size.param.value];
        const Number actual = v.array->sizes[size.dimension];
        if (!(actual == machine.evaluator().number(size.size, scope)))
          return fmt::format("'{}' has another size than is declared",
                             program.vars[size.param].name);
      }
      for (const core::Clause& clause : f.requires_)
        if (!clause.relational && !machine.evaluator().truth(clause.expr, scope))
          return fmt::format("a requirement of '{}' does not hold in the {} run", f.name, who);
    }
    for (const core::Clause& clause : f.requires_)
      if (clause.relational && !machine.evaluator().truth(clause.expr, relaxed))
        return fmt::format("a relational requirement of '{}' does not hold", f.name);
  } catch (const Undecidable&) {
    return "a requirement could not be evaluated: a quantifier without bounds";
  }
  return std::nullopt;
}

namespace {

// Draws small numbers; for constants and initial states, within what bounds say.
class InputChooser final : public Chooser {
 public:
  InputChooser(std::uint64_t seed, int most) : random_(seed), most_(most) {}
  std::size_t specification(const SitePoint&) override { return 0; }
  std::size_t alternative(std::size_t count) override { return random_() % count; }
  Number value(const Domain& domain, core::VarId) override {
    Domain d = domain;
    d.usual = small(domain.type);
    // A little beyond a bound is as good a guess as any.
    if (d.low && !d.contains(d.usual))
      d.usual = (d.type.base == core::Base::Real ? d.low->value : d.low->value.ceiling()) +
                small({domain.type.base, true, 0});
    return d.contains(d.usual) ? d.usual : nearest(d);
  }
  Number small(const core::Type& type) {
    const auto roll = [&](int n) {
      return static_cast<std::int64_t>(random_() % static_cast<unsigned>(n));
    };
    if (type.base == core::Base::Bool) return roll(2);
    const std::int64_t n =
        roll(4) == 0 ? roll(2) : roll(most_ + 1) * (type.base == core::Base::Real ? scale : 1);
    const std::int64_t with_sign =
        type.natural || roll(type.base == core::Base::Real ? 2 : 5) != 0 ? n : -n;
    if (type.base == core::Base::Real && roll(3) == 0)
      return quotient(with_sign, roll(2) == 0 ? 1 + roll(4) : 1 + roll(16));
    return with_sign;
  }
  std::int64_t scale = 1;
  std::int64_t roll(int n) {
    return static_cast<std::int64_t>(random_() % static_cast<unsigned>(n));
  }

 private:
  std::mt19937_64 random_;
  int most_;
};

// The parameters that relational requirements say are equal.
void equal_params(const core::Program& program, core::ExprId id, std::set<core::VarId>& out) {
  const auto* apply = std::get_if<core::Apply>(&program.exprs[id].node);
  if (apply == nullptr) return;
  if (apply->op == core::Op::And) {
    for (core::ExprId arg : apply->args) equal_params(program, arg, out);
    return;
  }
  if (apply->op != core::Op::Eq) return;
  const auto* a = std::get_if<core::VarRef>(&program.exprs[apply->args[0]].node);
  const auto* b = std::get_if<core::VarRef>(&program.exprs[apply->args[1]].node);
  if (a != nullptr && b != nullptr && a->var == b->var && a->side != b->side) out.insert(a->var);
}

}  // namespace

std::optional<Inputs> random_inputs(const Machine& machine, core::FunctionId function,
                                    std::uint64_t seed, const InputOptions& options) {
  const core::Program& program = machine.program();
  const core::Function& f = program.functions[function];
  InputChooser draw(seed, options.max_number);
  std::set<core::VarId> equal;
  for (const core::Clause& clause : f.requires_)
    if (clause.relational) equal_params(program, clause.expr, equal);
  const auto is_size = [&](core::VarId param) {
    return std::any_of(f.sizes.begin(), f.sizes.end(), [&](const core::ParamSize& size) {
      const auto* ref = std::get_if<core::VarRef>(&program.exprs[size.size].node);
      return ref != nullptr && ref->var == param;
    });
  };
  const std::vector<core::ExprId>& about_constants = program.constraints;
  const Inputs plain = empty_inputs(machine);
  // Sizes are kept for a while, lest only small ones ever meet the requirements.
  std::unordered_map<core::VarId, std::int64_t> sizes_drawn;
  for (int attempt = 0; attempt < options.attempts && !machine.spent(); ++attempt) {
    if (attempt % 100 == 0) sizes_drawn.clear();
    Inputs inputs = plain;
    draw.scale = 1;
    try {
      std::vector<Resolver::Unknown> unknowns;
      for (const core::ConstantVar& constant : program.constants)
        if (!constant.value.valid()) unknowns.push_back({constant.var, 0});
      Scope scope{inputs.values, Side::Relaxed};
      if (!machine.resolver().solve(about_constants, unknowns, inputs.values, scope, draw))
        continue;
      // Values that are computed from constants.
      for (const core::ConstantVar& constant : program.constants)
        if (constant.value.valid())
          inputs.values.original[constant.var.value] = inputs.values.relaxed[constant.var.value] =
              machine.evaluator().value(constant.value, scope);
      const bool elsewhere = options.any_state && draw.roll(2) == 0;
      for (const core::StateVar& state : program.model.states) {
        const Value v = state.init.valid() && !elsewhere
                            ? machine.evaluator().value(state.init, scope)
                            : Value{draw.small(program.vars[state.var].type), nullptr};
        inputs.values.original[state.var.value] = inputs.values.relaxed[state.var.value] = v;
      }
      constexpr std::int64_t kScales[] = {1, 1, 4, 16};
      draw.scale = kScales[draw.roll(4)];
      for (Side side : {Side::Original, Side::Relaxed}) {
        Variables& values = inputs.values.side(side);
        const bool second = side == Side::Relaxed;
        for (core::VarId param : f.params) {
          const core::Type& type = program.vars[param].type;
          if (second && (equal.contains(param) || draw.roll(2) == 0)) {
            values[param.value] = inputs.values.original[param.value];
            continue;
          }
          if (type.rank == 0) {
            values[param.value] = {draw.small(type), nullptr};
            if (is_size(param)) {  // small, and seldom zero
              if (!sizes_drawn.contains(param) || second)
                sizes_drawn[param] =
                    draw.roll(20) == 0
                        ? 0
                        : options.max_size -
                              draw.roll(static_cast<int>(draw.roll(options.max_size)) + 1);
              values[param.value] = {sizes_drawn[param], nullptr};
            }
          }
        }
        Scope own{inputs.values, side};
        for (core::VarId param : f.params) {
          const core::Type& type = program.vars[param].type;
          if (type.rank == 0) continue;
          std::vector<std::int64_t> sizes(static_cast<std::size_t>(type.rank), 0);
          for (const core::ParamSize& size : f.sizes)
            if (size.param == param) {
              const Number n = machine.evaluator().number(size.size, own);
              sizes[size.dimension] = std::clamp<std::int64_t>(n.small().value_or(0), 0, 64);
            }
          const bool same = second && (equal.contains(param) || draw.roll(2) == 0) &&
                            inputs.values.original[param.value].array->sizes == sizes;
          if (same) {
            values[param.value] = inputs.values.original[param.value];
            continue;
          }
          Value v = zeros(sizes);
          for (Number& n : v.array->elements) n = draw.small(type.element());
          values[param.value] = std::move(v);
        }
      }
    } catch (const Undecidable&) {
      return std::nullopt;
    }
    if (!unmet(machine, function, inputs)) return inputs;
  }
  return std::nullopt;
}

}  // namespace leto::interp

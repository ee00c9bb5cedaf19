// Inputs: made at random so that they meet what a function requires, or examined.
#include <fmt/core.h>

#include <algorithm>

#include "interp/construct.h"
#include "interp/interp.h"

namespace leto::interp {

using core::Side;

Inputs empty_inputs(const Machine& machine) {
  Inputs inputs = machine.empty_;
  if (core::has_unknown_functions(machine.program()))
    inputs.values.tables = std::make_shared<Tables>();
  return inputs;
}

Inputs with_tables(Inputs inputs, const Outcome& outcome) {
  if (!outcome.tables) return inputs;
  inputs.values.tables = std::make_shared<Tables>(*outcome.tables);
  inputs.values.tables->seed.reset();
  return inputs;
}

Inputs Machine::make_empty() const {
  const core::Program& program = program_;
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
      const Value v = evaluator_.value(value, scope);
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
    for (core::ExprId constraint : machine.plain_constraints())
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
  } catch (const Undecidable& undecidable) {
    return "a requirement could not be evaluated: " + describe(program, undecidable);
  }
  return std::nullopt;
}

namespace {

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

bool names_vector(const core::Program& program, core::ExprId id) {
  if (program.exprs[id].type.rank > 0) return true;
  bool found = false;
  core::for_each_child(program, id,
                       [&](core::ExprId child) { found = found || names_vector(program, child); });
  return found;
}

}  // namespace

InputMaker::InputMaker(const Machine& machine, core::FunctionId function,
                       const InputOptions& options)
    : machine_(machine),
      program_(machine.program()),
      function_(function),
      options_(options),
      plain_(empty_inputs(machine)) {
  const core::Function& f = program_.functions[function];
  for (const core::Clause& clause : f.requires_) {
    if (clause.relational) equal_params(program_, clause.expr, equal_);
    for (core::ExprId part : core::conjuncts(program_, clause.expr))
      requirements_.push_back({part, clause.relational, names_vector(program_, part)});
  }
  for (const core::ParamSize& size : f.sizes) {
    if (const auto* ref = std::get_if<core::VarRef>(&program_.exprs[size.size].node))
      sizes_.insert(ref->var);
    core::for_each_read(program_, size.size, [&](core::VarId var, Side) { in_sizes_.insert(var); });
  }
  for (const core::ConstantVar& constant : program_.constants)
    if (!constant.value.valid()) unknown_constants_.push_back({constant.var, 0});
}

// One attempt: what is drawn, and mended.
class InputDraw {
 public:
  InputDraw(const InputMaker& maker, InputChooser& draw, InputChooser& mending,
            std::map<core::VarId, std::int64_t>& sizes_drawn, int most)
      : maker_(maker),
        machine_(maker.machine_),
        program_(maker.program_),
        function_(program_.functions[maker.function_]),
        draw_(draw),
        mending_(mending),
        sizes_drawn_(sizes_drawn),
        inputs_(maker.plain_),
        most_(most) {
    if (!inputs_.values.tables) return;
    inputs_.values.tables = std::make_shared<Tables>();
    inputs_.values.tables->seed = static_cast<std::uint64_t>(mending_.roll(1 << 30));
  }

  void spend_only(const std::shared_ptr<std::uint64_t>& effort) { inputs_.values.effort = effort; }

  // Nothing if the constants have no values. Throws Undecidable.
  std::optional<Inputs> make() {
    draw_.scale = 1;
    if (!draw_constants()) return std::nullopt;
    draw_states();
    constexpr std::int64_t kScales[] = {1, 1, 4, 16};
    mending_.scale = draw_.scale = kScales[draw_.roll(4)];
    for (Side side : {Side::Original, Side::Relaxed}) {
      for (core::VarId param : function_.params) draw_scalar(param, side);
      mend(side, false);
      for (core::VarId param : function_.params) draw_vector(param, side);
      mend(side, true);
    }
    return std::move(inputs_);
  }

 private:
  bool draw_constants() {
    Scope scope{inputs_.values, Side::Relaxed};
    if (!machine_.resolver().solve(machine_.plain_constraints(), maker_.unknown_constants_,
                                   inputs_.values, scope, draw_))
      return false;
    compute_constants();
    return true;
  }
  // Values that are computed from constants.
  void compute_constants() {
    Scope scope{inputs_.values, Side::Relaxed};
    for (const core::ConstantVar& constant : program_.constants)
      if (constant.value.valid())
        inputs_.values.original[constant.var.value] = inputs_.values.relaxed[constant.var.value] =
            machine_.evaluator().value(constant.value, scope);
  }

  void draw_states() {
    Scope scope{inputs_.values, Side::Relaxed};
    const bool elsewhere = maker_.options_.any_state && draw_.roll(2) == 0;
    for (const core::StateVar& state : program_.model.states) {
      const Value v = state.init.valid() && !elsewhere
                          ? machine_.evaluator().value(state.init, scope)
                          : Value{draw_.small(program_.vars[state.var].type), nullptr};
      inputs_.values.original[state.var.value] = inputs_.values.relaxed[state.var.value] = v;
    }
  }

  void draw_scalar(core::VarId param, Side side) {
    Value& value = inputs_.values.side(side)[param.value];
    const core::Type& type = program_.vars[param].type;
    const bool second = side == Side::Relaxed;
    if (second && (maker_.equal_.contains(param) || draw_.roll(2) == 0)) {
      value = inputs_.values.original[param.value];
      return;
    }
    if (type.rank > 0) return;
    value = {draw_.small(type), nullptr};
    if (!maker_.sizes_.contains(param)) return;
    const int most = most_;
    // Small, and seldom zero.
    if (!sizes_drawn_.contains(param) || second)
      sizes_drawn_[param] =
          draw_.roll(20) == 0 ? 0 : most - draw_.roll(static_cast<int>(draw_.roll(most)) + 1);
    value = {sizes_drawn_[param], nullptr};
  }

  // Of a vector whose size nothing says: mostly as long as others are.
  std::int64_t draw_free_size() {
    if (!function_.lemma) return 0;
    const int most = most_;
    return draw_.roll(8) == 0 ? static_cast<std::int64_t>(draw_.roll(most + 1)) : most;
  }

  void draw_vector(core::VarId param, Side side) {
    constexpr std::int64_t kLongest = 1024;
    const core::Type& type = program_.vars[param].type;
    if (type.rank == 0) return;
    Scope own{inputs_.values, side};
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(type.rank), 0);
    for (std::int64_t& size : sizes) size = draw_free_size();  // a lemma need not say
    for (const core::ParamSize& size : function_.sizes)
      if (size.param == param) {
        const Number n = machine_.evaluator().number(size.size, own);
        sizes[size.dimension] = std::clamp<std::int64_t>(n.small().value_or(0), 0, kLongest);
      }
    Value& value = inputs_.values.side(side)[param.value];
    const bool same = side == Side::Relaxed &&
                      (maker_.equal_.contains(param) || draw_.roll(2) == 0) &&
                      inputs_.values.original[param.value].array->sizes == sizes;
    if (same) {
      value = inputs_.values.original[param.value];
      return;
    }
    value = zeros(sizes);
    for (Number& n : value.array->elements) n = draw_.small(type.element());
  }

  // What requirements of this run, or of both, say: before there are vectors, or of them too.
  void mend(Side side, bool vectors) {
    std::vector<core::ExprId> formulas;
    for (const InputMaker::Requirement& r : maker_.requirements_)
      if ((side == Side::Relaxed || !r.relational) && (vectors || !r.of_vectors))
        formulas.push_back(r.expr);
    if (formulas.empty()) return;
    const bool constants = side == Side::Original && !vectors;
    if (constants)
      formulas.insert(formulas.end(), machine_.plain_constraints().begin(),
                      machine_.plain_constraints().end());
    Mender mender(machine_, inputs_, mending_);
    allow(mender, side, vectors, constants);
    if (mender.mend(formulas, side) && constants) compute_constants();
  }
  // Sizes are changed last: a constant that is too small for them should give way, lest all
  // vectors be empty.
  void allow(Mender& mender, Side side, bool vectors, bool constants) const {
    const auto is_free = [&](core::VarId param) {
      return (side == Side::Original || !maker_.equal_.contains(param)) &&
             (vectors || program_.vars[param].type.rank == 0);
    };
    for (core::VarId param : function_.params)
      if (!vectors && maker_.in_sizes_.contains(param) && is_free(param)) mender.allow(param, side);
    for (const Resolver::Unknown& constant : maker_.unknown_constants_)
      if (constants) mender.allow(constant.var, side);
    for (core::VarId param : function_.params)
      if (!maker_.in_sizes_.contains(param) && is_free(param)) mender.allow(param, side);
  }

  const InputMaker& maker_;
  const Machine& machine_;
  const core::Program& program_;
  const core::Function& function_;
  InputChooser& draw_;
  InputChooser& mending_;
  std::map<core::VarId, std::int64_t>& sizes_drawn_;
  Inputs inputs_;
  int most_;  // elements of a vector
};

// Requirements can ask for long vectors: who has tried half of the time in vain tries longer ones.
int InputMaker::size_of(int attempt) const {
  const int late = attempt * 8 / std::max(options_.attempts, 1) - 3;  // 1 to 4 in the second half
  if (late <= 0 || options_.largest_size <= options_.max_size) return options_.max_size;
  return std::min(options_.largest_size, options_.max_size << late);
}

std::optional<Inputs> InputMaker::make(std::uint64_t seed) const {
  // What is mended has numbers of its own: what was drawn and fits stays what it was.
  InputChooser draw(seed, options_.max_number), mending(mix(seed, 1), options_.max_number);
  // Sizes are kept for a while, lest only small ones ever meet the requirements.
  std::map<core::VarId, std::int64_t> sizes_drawn;
  const auto effort =
      options_.effort > 0 ? std::make_shared<std::uint64_t>(options_.effort) : nullptr;
  for (int attempt = 0; attempt < options_.attempts && !machine_.spent(); ++attempt) {
    if (attempt % 100 == 0) sizes_drawn.clear();
    try {
      InputDraw one(*this, draw, mending, sizes_drawn, size_of(attempt));
      one.spend_only(effort);
      std::optional<Inputs> inputs = one.make();
      if (inputs && !unmet(machine_, function_, *inputs)) return inputs;
    } catch (const Undecidable&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Inputs> random_inputs(const Machine& machine, core::FunctionId function,
                                    std::uint64_t seed, const InputOptions& options) {
  return InputMaker(machine, function, options).make(seed);
}

}  // namespace leto::interp

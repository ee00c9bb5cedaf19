#include "lower/lower.h"

#include <set>

#include "lower/context.h"
#include "lower/lower_function.h"
#include "lower/lower_spec.h"

namespace leto::lower {

namespace {

// A function constant. What it is, or may be, is said of its parameters.
void lower_rigid(Context& c, const check::ModelRigid& rigid) {
  if (c.definitions.contains(rigid.symbol)) return;  // another model has it too
  core::Definition made;
  made.name = c.member_name(rigid.symbol);
  made.span = rigid.syntax->name.span;
  made.type = lower_type(c.checked.symbols[rigid.symbol].type);
  made.rigid = true;
  const bool has_value = rigid.value.params != nullptr;
  const check::ModelRigid::Meaning& said = has_value ? rigid.value : rigid.witness;
  SpecPlace place;
  place.tree = said.tree;
  if (said.params == nullptr) {
    for (const syntax::Param& param : rigid.syntax->params)
      made.params.push_back(c.var(c.declared(rigid.tree, param.name)));
  } else {
    for (const syntax::Ident& param : *said.params)
      made.params.push_back(c.var(c.declared(said.tree, param)));
    (has_value ? made.body : made.witness) = lower_spec_as(c, said.expr, place, made.type);
  }
  c.definitions.emplace(rigid.symbol, c.program.definitions.add(std::move(made)));
}

// Constants, states and what is said of them; a constant that another model has too is there
// already.
void lower_model(Context& c, check::ModelId id) {
  const check::Model& model = c.checked.models[id];
  SpecPlace place;
  const auto at = [&](check::TreeIndex tree) {
    place.tree = tree;
    return place;
  };
  const auto init = [&](const check::ModelVariable& v) {
    return v.init.valid() ? lower_spec(c, v.init, at(v.init_tree)) : core::ExprId{};
  };
  std::set<core::VarId> known;
  for (const core::ConstantVar& other : c.program.constants) known.insert(other.var);
  // Values are computed in this order; a variable may be known before it has its turn.
  for (std::size_t i : check::order_constants(c.checked, model).order) {
    const check::ModelVariable& v = model.constants[i];
    if (const core::VarId var = c.var(v.symbol); known.insert(var).second)
      c.program.constants.push_back({var, init(v)});
  }
  for (const check::ModelRigid& rigid : model.rigids) lower_rigid(c, rigid);
  for (const check::ModelFormula& f : model.constraints)
    c.program.constraints.push_back(lower_spec(c, f.expr, at(f.tree)));
  for (const check::ModelVariable& v : model.states)
    c.program.model.states.push_back({c.var(v.symbol), init(v)});
  for (const check::ModelFormula& f : model.invariants)
    c.program.model.invariants.push_back(lower_spec(c, f.expr, at(f.tree)));
}

std::uint32_t lower_operator(Context& c, const check::ModelOperator& op) {
  const syntax::OperatorMember& written = *op.syntax;
  core::Specification spec;
  if (op.label.valid()) spec.label = c.names.text(op.label);
  spec.span = written.head;
  for (const syntax::Param& param : written.params)
    spec.params.push_back(c.var(c.declared(op.tree, param.name)));
  spec.outcome = c.add_var(core::VarKind::Bound,
                           written.kind == syntax::OperationKind::Write
                               ? std::string(c.names.text(written.params[0].name.name))
                               : "result",
                           lower_type(check::outcome_type(written)), written.head);
  SpecPlace place;
  place.tree = op.tree;
  place.outcome = spec.outcome;
  std::vector<core::ExprId> when;
  for (const auto& clause : written.clauses) {
    if (const auto* guard = std::get_if<syntax::OperatorMember::When>(&clause.node)) {
      place.post = false;
      when.push_back(lower_spec(c, guard->expr, place));
    } else if (const auto* ensures = std::get_if<syntax::OperatorMember::Ensures>(&clause.node)) {
      place.post = true;
      spec.ensures.push_back(lower_spec(c, ensures->expr, place));
    } else if (const auto* modifies = std::get_if<syntax::OperatorMember::Modifies>(&clause.node)) {
      for (const syntax::Ident& name : modifies->names)
        spec.modifies.push_back(c.var(c.declared(op.tree, name)));
    }
  }
  if (!when.empty()) spec.when = c.conjunction(when, written.head);
  place.post = false;
  if (written.attributes.rate.valid()) spec.rate = lower_spec(c, written.attributes.rate, place);
  c.program.specifications.push_back(std::move(spec));
  return static_cast<std::uint32_t>(c.program.specifications.size() - 1);
}

// What a definition and a pure function have in common.
template <class Item>
core::Definition begin_definition(Context& c, const check::Symbol& symbol, const Item& item) {
  core::Definition made;
  made.name = c.names.text(item.name.name);
  made.span = item.name.span;
  made.type = lower_type(symbol.type);
  for (const syntax::Param& param : item.params)
    for (const core::VarId var : c.vars_of(c.declared(symbol.tree, param.name)))
      made.params.push_back(var);
  return made;
}

// Each stands behind those that it uses.
void lower_definitions(Context& c) {
  for (check::SymbolId symbol : c.checked.definitions) {
    if (c.checked.unused.contains(symbol)) continue;
    const check::Symbol& s = c.checked.symbols[symbol];
    const auto& item = std::get<syntax::DefineItem>(c.tree(s.tree).items[s.item].node);
    const core::DefinitionId id = c.program.definitions.add({});
    c.definitions.emplace(symbol, id);
    core::Definition made = begin_definition(c, s, item);
    c.program.definitions[id] = made;  // for those that use it: itself
    SpecPlace place;
    place.tree = s.tree;
    if (item.measure)
      for (syntax::ExprId part : syntax::parts_of(*item.measure))
        made.measure.push_back(lower_spec(c, part, place));
    made.body = lower_spec_as(c, item.body, place, made.type);
    made.recursive = core::uses(c.program, made.body, id);
    c.program.definitions[id] = std::move(made);
  }
}

// Its value, or the values of a vector; invalid: there is none.
core::ExprId lower_constant(Context& c, const syntax::ConstItem& item, const SpecPlace& place) {
  if (item.init.valid()) return lower_spec(c, item.init, place);
  if (item.elements.empty()) return {};
  const core::Type type = lower_type(c.checked.type_of(item.type));
  core::Listed listed;
  for (syntax::ExprId element : item.elements)
    listed.elements.push_back(lower_spec_as(c, element, place, type.element()));
  return c.add(type, item.name.span, std::move(listed));
}

// What is known of it is filled in where it is lowered.
void declare_pure(Context& c, check::SymbolId symbol, const syntax::FunctionItem& item) {
  const check::Symbol& s = c.checked.symbols[symbol];
  core::Definition made = begin_definition(c, s, item);
  made.function = c.functions.at(symbol);
  c.definitions.emplace(symbol, c.program.definitions.add(std::move(made)));
}

// Operators that are imported have parameters in common: each model has its own.
void forget_parameters(Context& c) {
  std::erase_if(c.vars, [&](const auto& known) {
    const check::SymbolKind kind = c.checked.symbols[known.first].kind;
    return kind == check::SymbolKind::OperatorParam || kind == check::SymbolKind::Destination;
  });
}

// Whether some function that was written calls one of this name.
bool is_called(const check::Checked& checked, Name name) {
  for (const syntax::Tree* tree : checked.trees) {
    if (tree->derived) continue;
    for (const syntax::Expr& expr : tree->exprs)
      if (const auto* call = std::get_if<syntax::CallExpr>(&expr.node);
          call != nullptr && call->callee.name == name)
        return true;
  }
  return false;
}

bool is_lowered(const check::Checked& checked, const syntax::FunctionItem& function,
                const NameTable& names, const std::set<std::string>* wanted, bool all_checkers) {
  switch (function.role) {
    case syntax::Role::Written:
      return wanted == nullptr || function.lemma || function.pure;
    case syntax::Role::Checker:
      return wanted == nullptr && (all_checkers || is_called(checked, function.name.name));
    case syntax::Role::Under:
      return wanted != nullptr && checked.model.valid() &&
             checked.models[checked.model].name == function.under &&
             wanted->contains(std::string(names.text(function.name.name)));
    case syntax::Role::Run:
      return wanted == nullptr ? all_checkers
                               : wanted->contains(std::string(names.text(function.name.name)));
    case syntax::Role::Exact:
    case syntax::Role::Decided:
    case syntax::Role::ExactRun:
    case syntax::Role::Against:
    case syntax::Role::Unique:
    case syntax::Role::Exists:
    case syntax::Role::Right:
    case syntax::Role::RightCase:
    case syntax::Role::Certified:
    case syntax::Role::Surely:
    case syntax::Role::Within:
    case syntax::Role::Never:
      return wanted != nullptr && wanted->contains(std::string(names.text(function.name.name)));
  }
  return false;
}

}  // namespace

core::Program lower(const check::Checked& checked, const NameTable& names, Trap trap,
                    const std::set<std::string>* wanted, bool all_checkers) {
  Context c(checked, names);
  c.trap = trap;
  c.program.model.name = "none";
  if (checked.model.valid()) {
    c.program.model.name = names.text(checked.models[checked.model].name);
    lower_model(c, checked.model);
    for (const check::ModelOperator& op : checked.models[checked.model].operators)
      c.specifications[checked.model].push_back(lower_operator(c, op));
  }
  for (check::ModelId id : checked.redo_models) {
    forget_parameters(c);
    lower_model(c, id);
    const std::string name(names.text(checked.models[id].name));
    for (const check::ModelOperator& op : checked.models[id].operators) {
      const std::uint32_t index = lower_operator(c, op);
      std::string& label = c.program.specifications[index].label;
      if (!label.empty()) label = name + "." + label;
      c.specifications[id].push_back(index);
    }
  }
  lower_definitions(c);
  SpecPlace place;
  std::vector<check::SymbolId> functions;
  for (check::TreeIndex t = 0; t < checked.trees.size(); ++t) {
    place.tree = t;
    for (const syntax::Item& item : checked.trees[t]->items) {
      if (const auto* constant = std::get_if<syntax::ConstItem>(&item.node)) {
        c.program.constants.push_back(
            {c.var(c.declared(t, constant->name)), lower_constant(c, *constant, place)});
      } else if (const auto* constraint = std::get_if<syntax::ConstraintItem>(&item.node)) {
        c.program.constraints.push_back(lower_spec(c, constraint->expr, place));
      } else if (const auto* function = std::get_if<syntax::FunctionItem>(&item.node)) {
        const check::SymbolId symbol = c.declared(t, function->name);
        if (checked.unused.contains(symbol) ||
            !is_lowered(checked, *function, names, wanted, all_checkers))
          continue;
        c.functions[symbol] = c.program.functions.add({});
        if (function->pure) declare_pure(c, symbol, *function);
        c.has_to_end = c.has_to_end || function->ends;
        functions.push_back(symbol);
      }
    }
  }
  for (const check::Facts& facts : checked.facts)
    c.program.unmeasured = c.program.unmeasured || !facts.unmeasured.empty();
  c.has_to_end = c.has_to_end && !c.program.unmeasured;
  for (check::SymbolId function : functions) lower_function(c, function);
  LETO_ASSERT(trap != Trap::None || core::validate(c.program).empty());
  return std::move(c.program);
}

core::Refinement lower_refinement(const check::Checked& checked, const NameTable& names,
                                  check::ModelId super_id) {
  Context c(checked, names);
  lower_model(c, checked.model);
  core::Refinement result;
  const check::Model& sub = checked.models[checked.model];
  const check::Model& super = checked.models[super_id];
  c.program.model.name = names.text(sub.name);
  result.super = names.text(super.name);
  for (const check::ModelVariable& state : super.states)
    result.states.push_back(c.var(state.symbol));
  std::vector<std::uint32_t> of_sub, of_super;
  for (const check::ModelOperator& op : sub.operators) of_sub.push_back(lower_operator(c, op));
  forget_parameters(c);  // state and constants stay the same variables
  for (const check::ModelOperator& op : super.operators) of_super.push_back(lower_operator(c, op));

  for (std::size_t i = 0; i < sub.operators.size(); ++i)
    for (const check::OperatorRef& ref : sub.operators[i].refines)
      for (std::size_t k = 0; k < super.operators.size(); ++k)
        if (ref.model == super_id && super.operators[k].label == ref.label &&
            super.operators[k].syntax != sub.operators[i].syntax)
          result.pairs.push_back({of_sub[i], of_super[k]});
  std::vector<bool> grouped(super.operators.size(), false);
  for (std::size_t k = 0; k < super.operators.size(); ++k) {
    if (grouped[k]) continue;
    const syntax::OperatorMember& op = *super.operators[k].syntax;
    core::Refinement::Group group;
    group.what = check::describe(op, names);
    group.span = op.head;
    for (std::size_t n = k; n < super.operators.size(); ++n) {
      if (!check::same_signature(op, *super.operators[n].syntax)) continue;
      grouped[n] = true;
      group.super.push_back(of_super[n]);
    }
    for (std::size_t n = 0; n < sub.operators.size(); ++n)
      if (check::same_signature(op, *sub.operators[n].syntax)) group.sub.push_back(of_sub[n]);
    const core::Specification& spec = c.program.specifications[group.super[0]];
    std::vector<core::ExprId> args;
    for (core::VarId param : spec.params) args.push_back(c.ref(param, op.head));
    switch (op.kind) {
      case syntax::OperationKind::Unary:
        group.exact = c.apply(op.unary == syntax::UnaryOp::Not ? core::Op::Not : core::Op::Neg,
                              {args[0]}, op.head);
        break;
      case syntax::OperationKind::Binary:
        group.exact = c.apply(lower_op(op.binary), {args[0], args[1]}, op.head);
        break;
      case syntax::OperationKind::Read:
        group.exact = args[0];
        break;
      case syntax::OperationKind::Write:
        group.exact = args[1];
        break;
    }
    result.groups.push_back(std::move(group));
  }
  LETO_ASSERT(core::validate(c.program).empty());
  result.program = std::move(c.program);
  return result;
}

}  // namespace leto::lower

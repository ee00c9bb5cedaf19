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

// What an operation gives without a model, of the parameters of a specification.
core::ExprId exact_of(Context& c, const syntax::OperatorMember& op,
                      const std::vector<core::VarId>& params) {
  std::vector<core::ExprId> args;
  for (core::VarId param : params) args.push_back(c.ref(param, op.head));
  switch (op.kind) {
    case syntax::OperationKind::Unary:
      return c.combine(op.unary, args[0], op.head);
    case syntax::OperationKind::Binary:
      return c.combine(op.binary, args[0], args[1], op.head);
    case syntax::OperationKind::Read:
      return args[0];
    case syntax::OperationKind::Write:
      return args[1];
  }
  LETO_ASSERT(false);
}

// `upper`: it stands over another layer, whose outcome nobody knows who has this one alone.
std::uint32_t lower_operator(Context& c, const check::ModelOperator& op, bool upper) {
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
  if (upper) {
    spec.exact = c.add_var(core::VarKind::Bound, "exact", lower_type(check::outcome_type(written)),
                           written.head);
    place.exact = c.ref(spec.exact, written.head);
  } else {
    place.exact = exact_of(c, written, spec.params);
  }
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

// Operators that are imported have parameters in common: each model has its own.
void forget_parameters(Context& c) {
  std::erase_if(c.vars, [&](const auto& known) {
    const check::SymbolKind kind = c.checked.symbols[known.first].kind;
    return kind == check::SymbolKind::OperatorParam || kind == check::SymbolKind::Destination;
  });
}

// A model with those that it stands over, of which another may have some too. The labels of the
// model that is picked are its own; others have their model's name before them.
void lower_layers(Context& c, check::ModelId top) {
  for (check::ModelId id : check::layers_of(c.checked, top)) {
    if (c.specifications.contains(id)) continue;
    forget_parameters(c);
    lower_model(c, id);
    std::vector<std::uint32_t>& list = c.specifications[id];
    const check::Model& model = c.checked.models[id];
    for (const check::ModelOperator& op : model.operators) {
      list.push_back(lower_operator(c, op, model.over.valid()));
      std::string& label = c.program.specifications[list.back()].label;
      if (id != c.checked.model && !label.empty())
        label = std::string(c.names.text(model.name)) + "." + label;
    }
  }
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
    lower_layers(c, checked.model);
  }
  for (check::ModelId id : checked.redo_models) lower_layers(c, id);
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

namespace {

// What one layer of the sub-model refines in the layer of the super-model.
void refine_layer(Context& c, check::ModelId sub_id, check::ModelId super_id,
                  core::Refinement& result) {
  const check::Model& sub = c.checked.models[sub_id];
  const check::Model& super = c.checked.models[super_id];
  const bool upper = super.over.valid(), is_top = sub_id == c.checked.model;
  std::vector<std::uint32_t> of_sub, of_super;
  forget_parameters(c);  // state and constants stay the same variables
  for (const check::ModelOperator& op : sub.operators)
    of_sub.push_back(lower_operator(c, op, upper));
  forget_parameters(c);
  for (const check::ModelOperator& op : super.operators) {
    of_super.push_back(lower_operator(c, op, upper));
    if (is_top) continue;
    std::string& label = c.program.specifications[of_super.back()].label;
    label = std::string(c.names.text(super.name)) + "." + label;
  }
  const auto refined_by = [&](const check::ModelOperator& op, std::size_t k) {
    return std::any_of(op.refines.begin(), op.refines.end(), [&](const check::OperatorRef& ref) {
      return ref.model == super_id && super.operators[k].label == ref.label &&
             super.operators[k].syntax != op.syntax;
    });
  };
  for (std::size_t i = 0; i < sub.operators.size(); ++i)
    for (std::size_t k = 0; k < super.operators.size(); ++k)
      if (refined_by(sub.operators[i], k)) result.pairs.push_back({of_sub[i], of_super[k]});
  std::vector<bool> grouped(super.operators.size(), false);
  for (std::size_t k = 0; k < super.operators.size(); ++k) {
    if (grouped[k]) continue;
    const syntax::OperatorMember& op = *super.operators[k].syntax;
    core::Refinement::Group group;
    group.what = check::describe(op, c.names);
    group.span = op.head;
    for (std::size_t n = k; n < super.operators.size(); ++n) {
      if (!check::same_signature(op, *super.operators[n].syntax)) continue;
      grouped[n] = true;
      group.super.push_back(of_super[n]);
    }
    for (std::size_t n = 0; n < sub.operators.size(); ++n)
      if (check::same_signature(op, *sub.operators[n].syntax)) group.sub.push_back(of_sub[n]);
    const core::Specification& spec = c.program.specifications[group.super[0]];
    group.exact = upper ? c.ref(spec.exact, op.head) : exact_of(c, op, spec.params);
    result.groups.push_back(std::move(group));
  }
}

}  // namespace

// Layer by layer: what a layer refines it refines for all that the layer below it may give, so it
// is no matter how far that one is refined.
core::Refinement lower_refinement(const check::Checked& checked, const NameTable& names,
                                  check::ModelId super_id) {
  Context c(checked, names);
  core::Refinement result;
  const std::vector<check::ModelId> sub = check::layers_of(checked, checked.model);
  const std::vector<check::ModelId> super = check::layers_of(checked, super_id);
  LETO_ASSERT(sub.size() == super.size());
  c.program.model.name = names.text(checked.models[checked.model].name);
  result.super = names.text(checked.models[super_id].name);
  for (check::ModelId id : sub) lower_model(c, id);
  for (check::ModelId id : super)
    for (const check::ModelVariable& state : checked.models[id].states)
      result.states.push_back(c.var(state.symbol));
  for (std::size_t i = 0; i < sub.size(); ++i)
    if (sub[i] != super[i]) refine_layer(c, sub[i], super[i], result);
  LETO_ASSERT(core::validate(c.program).empty());
  result.program = std::move(c.program);
  return result;
}

}  // namespace leto::lower

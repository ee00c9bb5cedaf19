#include "lower/lower_spec.h"

#include <fmt/core.h>

namespace leto::lower {

using check::SymbolKind;
using core::Base;
using core::Op;
using core::Side;

namespace {

class SpecLowering {
 public:
  explicit SpecLowering(Context& context) : c_(context) {}

  core::ExprId lower(syntax::ExprId id, const SpecPlace& place) {
    const syntax::Expr& e = c_.tree(place.tree).exprs[id];
    const core::ExprId lowered =
        std::visit([&](const auto& node) { return visit(id, node, e.span, place); }, e.node);
    // What is meant by an operator depends on types: there is one opinion about them.
    LETO_ASSERT(c_.type(lowered) == lower_type(c_.facts(place.tree).types[id.value]));
    return lowered;
  }

  // Which field of a record is meant; none: all of them, in order.
  using Only = std::optional<std::size_t>;

  // A record, or a vector of records, field by field; else the value itself.
  std::vector<core::ExprId> parts(syntax::ExprId id, const SpecPlace& place, Only only = {}) {
    if (c_.facts(place.tree).types[id.value].record == nullptr) return {lower(id, place)};
    const syntax::Expr& e = c_.tree(place.tree).exprs[id];
    return std::visit(
        [&](const auto& node) {
          return parts_of({id, e.span, only}, node, place);
        },
        e.node);
  }

 private:
  using Parts = std::vector<core::ExprId>;
  struct Wanted {
    syntax::ExprId id;
    Span span;
    Only only;
  };
  template <class Node>
  Parts parts_of(const Wanted&, const Node&, const SpecPlace&) {
    LETO_ASSERT(false);  // no record
  }
  Parts parts_of(const Wanted& want, const syntax::ParenExpr& e, const SpecPlace& place) {
    return parts(e.inner, place, want.only);
  }
  Parts parts_of(const Wanted& want, const syntax::NameExpr&, const SpecPlace& place) {
    return use_all(want, std::nullopt, place);
  }
  Parts parts_of(const Wanted& want, const syntax::MemberExpr&, const SpecPlace& place) {
    return use_all(want, std::nullopt, place);
  }
  Parts parts_of(const Wanted& want, const syntax::SidedExpr& e, const SpecPlace& place) {
    return use_all(want, side_of(e), place);
  }
  Parts parts_of(const Wanted& want, const syntax::FieldExpr& e, const SpecPlace& place) {
    const auto& base = std::get<syntax::SidedExpr>(c_.tree(place.tree).exprs[e.base].node);
    return use_all(want, side_of(base), place);
  }
  Parts parts_of(const Wanted& want, const syntax::IndexExpr& e, const SpecPlace& place) {
    const auto& labels = c_.facts(place.tree).labels;
    Parts all;
    if (const auto it = labels.find(want.id.value); it != labels.end()) {
      for (core::ExprId inner : parts(e.index, place, want.only))
        all.push_back(snapshot(it->second, inner, want.span));
      return all;
    }
    const core::ExprId index = lower(e.index, place);
    for (core::ExprId vector : parts(e.base, place, want.only))
      all.push_back(c_.add(c_.type(vector).element(), want.span, core::Select{vector, {index}}));
    return all;
  }
  Parts parts_of(const Wanted& want, const syntax::UpdateExpr& e, const SpecPlace& place) {
    Parts all = parts(e.base, place, want.only);
    const core::ExprId index = lower(e.index, place);
    const Parts values = parts(e.value, place, want.only);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = c_.add(c_.type(all[i]), want.span, core::Update{all[i], index, values[i]});
    return all;
  }
  Parts parts_of(const Wanted& want, const syntax::OldExpr& e, const SpecPlace& place) {
    SpecPlace passed = place;
    passed.entry = c_.trap != Trap::PassedIsNow;
    return parts(e.arg, passed, want.only);
  }
  core::ExprId snapshot(const check::LabelUse& use, core::ExprId inner, Span span) {
    return c_.add(c_.type(inner), span, core::Snapshot{c_.loops.at(use.label), use.entry, inner});
  }
  Parts use_all(const Wanted& want, std::optional<Side> chosen, const SpecPlace& place) {
    const std::vector<check::SymbolId> fields = c_.checked.parts_of(symbol(want.id, place));
    if (want.only) return {use(fields.at(*want.only), chosen, want.span, place)};
    Parts all;
    for (check::SymbolId part : fields) all.push_back(use(part, chosen, want.span, place));
    return all;
  }
  [[nodiscard]] static Side side_of(const syntax::SidedExpr& e) {
    return e.side == syntax::Side::Original ? Side::Original : Side::Relaxed;
  }

  [[nodiscard]] check::SymbolId symbol(syntax::ExprId id, const SpecPlace& place) const {
    return c_.facts(place.tree).symbols[id.value];
  }
  core::ExprId boolean(bool value, Span span) {
    return c_.add({Base::Bool, false, 0}, span, core::BoolConst{value});
  }

  core::ExprId visit(syntax::ExprId, const syntax::ErrorExpr&, Span, const SpecPlace&) {
    LETO_ASSERT(false);
  }
  core::ExprId visit(syntax::ExprId id, const syntax::IntegerExpr& e, Span span,
                     const SpecPlace& place) {
    return c_.literal(lower_type(c_.facts(place.tree).types[id.value]),
                      std::string(c_.names.text(e.text)), span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::RealExpr& e, Span span, const SpecPlace&) {
    return c_.add({Base::Real, false, 0}, span,
                  core::NumberConst{std::string(c_.names.text(e.text))});
  }
  core::ExprId visit(syntax::ExprId, const syntax::BoolExpr& e, Span span, const SpecPlace&) {
    return boolean(e.value, span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::ParenExpr& e, Span, const SpecPlace& place) {
    return lower(e.inner, place);
  }

  // An argument in the place of a parameter has the parameter's type: of a real it makes a real.
  core::ExprId converted(core::ExprId value, const core::Type& type, Span span) {
    if (type.rank > 0 || type.base != Base::Real || c_.type(value).base == Base::Real) {
      if (type.rank > 0 || c_.type(value) == type) return value;
      // A uint for an int, or the other way round, stays what it is.
      core::Expr same = c_.program.exprs[value];
      same.type = type;
      return c_.program.exprs.add(std::move(same));
    }
    return c_.apply(Op::ToReal, {value}, span);
  }

  // A symbol read on a side; `chosen` is the one that the source names.
  core::ExprId use(check::SymbolId id, std::optional<Side> chosen, Span span,
                   const SpecPlace& place) {
    const check::Symbol& s = c_.checked.symbols[id];
    if (place.arguments != nullptr && place.arguments->contains(id)) {
      const Argument& argument = place.arguments->at(id);
      SpecPlace caller = *argument.caller;
      if (chosen)
        caller.forced = chosen;
      else if (place.forced)
        caller.forced = place.forced;
      return converted(parts(argument.expr, caller, argument.field).at(0), lower_type(s.type),
                       span);
    }
    if (place.made != nullptr && place.made->contains(id)) return c_.ref(place.made->at(id), span);
    switch (s.kind) {
      case SymbolKind::Constant:
      case SymbolKind::ModelConstant:
      case SymbolKind::Binder:
      case SymbolKind::DefinitionParam:
      case SymbolKind::OperatorParam:
        return c_.ref(c_.var(id), span);
      case SymbolKind::Outcome:
        return c_.ref(place.outcome, span);
      case SymbolKind::Exact: {
        core::Expr exact = c_.program.exprs[place.exact];
        exact.span = span;
        return converted(c_.program.exprs.add(std::move(exact)), lower_type(s.type), span);
      }
      case SymbolKind::Destination:
        return c_.ref(place.post ? place.outcome : c_.var(id), span);
      case SymbolKind::State: {
        const bool in_model = place.outcome.valid() || !place.relational;
        return c_.ref(c_.var(id), span, in_model ? Side::Open : Side::Relaxed);
      }
      case SymbolKind::Param:
      case SymbolKind::Local:
      case SymbolKind::Ghost:
      case SymbolKind::Result:
        break;
      case SymbolKind::PropertyParam:  // it has an argument
      case SymbolKind::Function:
      case SymbolKind::Property:
      case SymbolKind::Definition:
      case SymbolKind::Lemma:
      case SymbolKind::Rigid:
      case SymbolKind::Model:
      case SymbolKind::Record:
      case SymbolKind::Field:
      case SymbolKind::Label:
        LETO_ASSERT(false);  // no values
    }
    const core::VarId var = find_var(id, place);
    Side side = Side::Open;
    if (place.relational)
      side = chosen ? *chosen : place.forced ? *place.forced : Side::Relaxed;  // a bare specvar
    return c_.ref(var, span, side);
  }
  core::VarId find_var(check::SymbolId id, const SpecPlace& place) {
    const check::Symbol& s = c_.checked.symbols[id];
    if (place.entry && s.inout) return c_.passed.at(id);
    if (s.kind != SymbolKind::Result) return c_.var(id);
    const auto it = std::find_if(place.results->begin(), place.results->end(),
                                 [&](const Returned& one) { return one.name == s.name; });
    LETO_ASSERT(it != place.results->end());
    return it->var;
  }
  core::ExprId visit(syntax::ExprId id, const syntax::NameExpr&, Span span,
                     const SpecPlace& place) {
    return use(symbol(id, place), std::nullopt, span, place);
  }
  core::ExprId visit(syntax::ExprId id, const syntax::SidedExpr& e, Span span,
                     const SpecPlace& place) {
    const Side side = side_of(e);
    const check::SymbolId found = symbol(id, place);
    if (!found.valid()) return left(side, span, place);
    return use(found, side, span, place);
  }
  core::ExprId visit(syntax::ExprId id, const syntax::FieldExpr& e, Span span,
                     const SpecPlace& place) {
    const auto& fields = c_.facts(place.tree).fields;
    if (const auto it = fields.find(id.value); it != fields.end())
      return parts(e.base, place, it->second).at(0);
    const auto& base = std::get<syntax::SidedExpr>(c_.tree(place.tree).exprs[e.base].node);
    return use(symbol(id, place), side_of(base), span, place);
  }
  // By its test, or from the middle.
  core::ExprId left(Side side, Span span, const SpecPlace& place) {
    core::ExprId any = c_.ref(place.loop->left, span, side);
    for (core::VarId flag : place.loop->exits)
      any = c_.apply(Op::Or, {any, c_.ref(flag, span, side)}, span);
    return any;
  }
  core::ExprId visit(syntax::ExprId id, const syntax::ModelExpr&, Span span,
                     const SpecPlace& place) {
    return use(symbol(id, place), std::nullopt, span, place);
  }
  core::ExprId visit(syntax::ExprId id, const syntax::MemberExpr&, Span span,
                     const SpecPlace& place) {
    return use(symbol(id, place), std::nullopt, span, place);
  }

  core::ExprId visit(syntax::ExprId id, const syntax::IndexExpr& e, Span span,
                     const SpecPlace& place) {
    const auto& labels = c_.facts(place.tree).labels;
    if (const auto it = labels.find(id.value); it != labels.end()) {
      return snapshot(it->second, lower(e.index, place), span);
    }
    std::vector<core::ExprId> indices;
    syntax::ExprId base = id;
    const syntax::Tree& tree = c_.tree(place.tree);
    // A property's parameter can stand for an element itself only if it is scalar, so
    // the indices of one access are those that stand directly behind one another.
    while (true) {
      const auto* index = std::get_if<syntax::IndexExpr>(&tree.exprs[base].node);
      if (index == nullptr || labels.contains(base.value)) break;
      indices.insert(indices.begin(), lower(index->index, place));
      base = index->base;
    }
    const core::ExprId vector = lower(base, place);
    if (indices.size() < c_.type(vector).rank) {
      core::Type row = c_.type(vector);
      row.rank = 1;
      return c_.add(row, span, core::Row{vector, indices[0]});
    }
    return c_.add(c_.type(vector).element(), span, core::Select{vector, std::move(indices)});
  }
  core::ExprId visit(syntax::ExprId, const syntax::UpdateExpr& e, Span span,
                     const SpecPlace& place) {
    const core::ExprId vector = lower(e.base, place), index = lower(e.index, place);
    const core::Type element = c_.type(vector).element();
    const core::ExprId value = converted(lower(e.value, place), element, span);
    return c_.add(c_.type(vector), span, core::Update{vector, index, value});
  }
  core::ExprId visit(syntax::ExprId, const syntax::PartExpr& e, Span span, const SpecPlace& place) {
    const auto bound = [&](syntax::ExprId id) {
      return std::string(
          c_.names.text(std::get<syntax::IntegerExpr>(c_.tree(place.tree).exprs[id].node).text));
    };
    return c_.part(lower(e.base, place), bound(e.high), bound(e.low), span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::WidenExpr& e, Span span,
                     const SpecPlace& place) {
    return c_.widen(c_.names.text(e.callee.name), e.width, lower(e.arg, place), span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::UnaryExpr& e, Span span,
                     const SpecPlace& place) {
    return c_.combine(e.op, lower(e.operand, place), span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::BinaryExpr& e, Span span,
                     const SpecPlace& place) {
    const std::vector<core::ExprId> lhs = parts(e.lhs, place);
    return c_.compare(e.op, lhs, parts(e.rhs, place), span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::ChainExpr& e, Span span,
                     const SpecPlace& place) {
    std::vector<std::vector<core::ExprId>> operands;
    std::vector<core::ExprId> all;
    for (syntax::ExprId operand : e.operands) operands.push_back(parts(operand, place));
    for (std::size_t i = 0; i < e.ops.size(); ++i)
      all.push_back(c_.compare(e.ops[i], operands[i], operands[i + 1], span));
    return c_.conjunction(all, span);
  }
  core::ExprId visit(syntax::ExprId id, const syntax::CallExpr& e, Span span,
                     const SpecPlace& place) {
    const check::SymbolId callee = symbol(id, place);
    if (!callee.valid()) {  // abs, min, max, conversions
      std::vector<core::ExprId> args;
      for (syntax::ExprId arg : e.args) args.push_back(lower(arg, place));
      if (const auto op = word_op(c_.names.text(e.callee.name), c_.type(args[0])))
        return c_.word(*op, std::move(args), lower_type(c_.facts(place.tree).types[id.value]),
                       span);
      return c_.apply_builtin(builtin_op(c_.names.text(e.callee.name)), std::move(args), span);
    }
    const check::Symbol& s = c_.checked.symbols[callee];
    if (s.kind == SymbolKind::Definition || s.kind == SymbolKind::Function ||
        s.kind == SymbolKind::Rigid)
      return defined(callee, e.args, span, place);
    const auto& property = std::get<syntax::PropertyItem>(c_.tree(s.tree).items[s.item].node);
    std::unordered_map<check::SymbolId, Argument> arguments;
    for (std::size_t i = 0; i < e.args.size(); ++i)
      pass_argument(c_, c_.declared(s.tree, property.params[i].name), e.args[i], place, arguments);
    SpecPlace body = place;
    body.tree = s.tree;
    body.arguments = &arguments;
    if (property.relational) body.forced.reset();
    // Where it is used is where it holds or does not.
    core::Expr expanded = c_.program.exprs[lower(property.body, body)];
    expanded.span = span;
    return c_.program.exprs.add(std::move(expanded));
  }
  core::ExprId visit(syntax::ExprId id, const syntax::MemberCallExpr& e, Span span,
                     const SpecPlace& place) {
    return defined(symbol(id, place), e.args, span, place);
  }
  core::ExprId defined(check::SymbolId callee, const std::vector<syntax::ExprId>& given, Span span,
                       const SpecPlace& place) {
    const core::DefinitionId id = c_.definitions.at(callee);
    std::vector<core::ExprId> args;
    for (syntax::ExprId one : given)
      for (const core::ExprId arg : parts(one, place)) {
        const core::VarId param = c_.program.definitions[id].params.at(args.size());
        args.push_back(converted(arg, c_.program.vars[param].type, c_.program.exprs[arg].span));
      }
    const core::Type type = c_.program.definitions[id].type;
    return c_.add(type, span, core::Defined{id, std::move(args)});
  }
  core::ExprId visit(syntax::ExprId, const syntax::EqExpr& e, Span span, const SpecPlace& place) {
    SpecPlace original = place, relaxed = place;
    original.forced = Side::Original;
    relaxed.forced = Side::Relaxed;
    const std::vector<core::ExprId> left = parts(e.arg, original);
    return c_.compare(syntax::BinaryOp::Eq, left, parts(e.arg, relaxed), span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::EqAllExpr&, Span span, const SpecPlace& place) {
    std::vector<core::ExprId> parts;
    for (core::VarId param : *place.params) {
      const core::ExprId left = c_.ref(param, span, Side::Original);
      const core::ExprId right = c_.ref(param, span, Side::Relaxed);
      parts.push_back(c_.apply(Op::Eq, {left, right}, span));
    }
    return c_.conjunction(parts, span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::OldExpr& e, Span span, const SpecPlace& place) {
    const check::SymbolId named = symbol(e.arg, place);
    if (named.valid() && c_.checked.symbols[named].inout) {
      SpecPlace passed = place;
      passed.entry = c_.trap != Trap::PassedIsNow;
      return lower(e.arg, passed);
    }
    if (place.entered != nullptr) {
      const core::ExprId now = lower(e.arg, place);
      return c_.ref(kept(std::get<core::VarRef>(c_.program.exprs[now].node).var, span, place), span,
                    Side::Relaxed);
    }
    SpecPlace before = place;
    before.post = false;
    const core::ExprId inner = lower(e.arg, before);
    return old(inner);
  }
  // The variable of the function at hand that keeps a state variable's value on entry.
  core::VarId kept(core::VarId state, Span at, const SpecPlace& place) {
    for (const core::Function::Entered& one : *place.entered)
      if (one.state == state) return one.kept;
    const core::Var& var = c_.program.vars[state];
    const core::VarId made =
        c_.add_var(core::VarKind::Temp, fmt::format("old({})", var.name), var.type, at);
    place.entered->push_back({state, made});
    return made;
  }
  // The same expression with every state variable as it was before.
  core::ExprId old(core::ExprId id) {
    core::Expr e = c_.program.exprs[id];
    if (auto* ref = std::get_if<core::VarRef>(&e.node)) {
      if (c_.program.vars[ref->var].kind != core::VarKind::State) return id;
      e.node = core::OldRef{ref->var};
    } else if (auto* apply = std::get_if<core::Apply>(&e.node)) {
      for (core::ExprId& arg : apply->args) arg = old(arg);
    } else if (auto* word = std::get_if<core::Word>(&e.node)) {
      for (core::ExprId& arg : word->args) arg = old(arg);
    } else if (auto* defined = std::get_if<core::Defined>(&e.node)) {
      for (core::ExprId& arg : defined->args) arg = old(arg);
    } else if (auto* quant = std::get_if<core::Quant>(&e.node)) {
      quant->body = old(quant->body);
    }
    return c_.program.exprs.add(std::move(e));
  }
  core::ExprId visit(syntax::ExprId, const syntax::IfExpr& e, Span span, const SpecPlace& place) {
    const core::ExprId condition = lower(e.condition, place);
    const core::ExprId first = lower(e.then_value, place);
    return c_.apply(Op::Choose, {condition, first, lower(e.else_value, place)}, span);
  }
  core::ExprId visit(syntax::ExprId, const syntax::CountExpr&, Span, const SpecPlace&) {
    LETO_ASSERT(false);  // it stands in systems and in their models only
  }
  core::ExprId visit(syntax::ExprId, const syntax::QuantExpr& e, Span span,
                     const SpecPlace& place) {
    // A property may be expanded several times: each time with binders of its own.
    std::vector<core::VarId> bound;
    std::vector<std::pair<check::SymbolId, core::VarId>> saved;
    for (const syntax::Binder& binder : e.binders) {
      const check::SymbolId s = c_.declared(place.tree, binder.name);
      if (const auto it = c_.vars.find(s); it != c_.vars.end()) saved.emplace_back(s, it->second);
      c_.vars.erase(s);
      bound.push_back(c_.var(s));
    }
    const core::ExprId body = lower(e.body, place);
    for (const syntax::Binder& binder : e.binders)
      c_.vars.erase(c_.declared(place.tree, binder.name));
    for (const auto& [s, var] : saved) c_.vars[s] = var;
    return c_.add({Base::Bool, false, 0}, span, core::Quant{e.universal, std::move(bound), body});
  }

  Context& c_;
};

}  // namespace

core::ExprId lower_spec_as(Context& context, syntax::ExprId id, const SpecPlace& place,
                           const core::Type& type) {
  const core::ExprId value = lower_spec(context, id, place);
  if (type.base != Base::Real || context.type(value).base == Base::Real) return value;
  return context.apply(Op::ToReal, {value}, context.program.exprs[value].span);
}

core::ExprId lower_spec(Context& context, syntax::ExprId id, const SpecPlace& place) {
  return SpecLowering(context).lower(id, place);
}

std::vector<core::ExprId> lower_spec_parts(Context& context, syntax::ExprId id,
                                           const SpecPlace& place) {
  return SpecLowering(context).parts(id, place);
}

void pass_argument(const Context& context, check::SymbolId param, syntax::ExprId arg,
                   const SpecPlace& caller,
                   std::unordered_map<check::SymbolId, Argument>& arguments) {
  const std::vector<check::SymbolId> fields = context.checked.parts_of(param);
  for (std::size_t i = 0; i < fields.size(); ++i) arguments[fields[i]] = {arg, &caller, i};
}

}  // namespace leto::lower

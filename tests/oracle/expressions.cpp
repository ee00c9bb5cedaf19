#include "oracle/hardware.h"
#include "oracle/machine.h"

namespace leto::oracle {

Machine::Values Machine::evaluate(ExprId id, Runs who) {
  const Expr& whole = expr(id);
  who = tick(who, whole.span);
  if (who.empty()) return {};
  if (making_ > 0) return keep(id, who);  // all that a lemma says is a specification
  return std::visit([&](const auto& node) { return at(whole, node, who); }, whole.node);
}

Runs Machine::where_true(const Values& values, Runs who) const {
  Runs those = Runs::none();
  for (Side side : alive(who).list())
    if (values[side]->truth()) those = those.with(Runs::only(side));
  return those;
}

Number Machine::operate_one(Span span, BinaryOp op, bool dotted, const Typed& a, const Typed& b,
                            Side side) {
  const Scalar type = wider(a.type.scalar, b.type.scalar);
  const bool divides = op == BinaryOp::Div || op == BinaryOp::Mod;
  if (divides && b.value.scalar == 0) throw Failure{span, "division by zero"};
  Number exact = operate(op, type, a.value.scalar, b.value.scalar);
  check_size(exact, span);
  if (!dotted || ghost_ || side == Side::Original) return exact;
  Request request;
  request.kind = syntax::OperationKind::Binary;
  request.binary = op;
  request.type = type;
  request.outcome = outcome_type(op, type);
  request.operands = {a.value.scalar, b.value.scalar};
  request.exact = std::move(exact);
  Access one;
  one.at = span;
  one.what = syntax::spelling(op);
  return access(std::move(one), request);
}

Machine::Values Machine::operate_binary(const Expr& whole, BinaryOp op, bool dotted,
                                        const Values& a, const Values& b, Runs who) {
  return each(who, [&](Side side) {
    if (a[side]->type.shape != Shape::Scalar || a[side]->type.record != nullptr) {  // as a whole
      if (op != BinaryOp::Eq && op != BinaryOp::Ne)
        refuse(whole.span, "there is no arithmetic on vectors");
      return boolean((a[side]->value == b[side]->value) == (op == BinaryOp::Eq));
    }
    const Scalar type = wider(a[side]->type.scalar, b[side]->type.scalar);
    Number outcome = operate_one(whole.span, op, dotted, *a[side], *b[side], side);
    return number(outcome_type(op, type), std::move(outcome));
  });
}

Machine::Values Machine::at(const Expr& whole, const syntax::ErrorExpr&, Runs) {
  refuse(whole.span, "it does not parse");
}

Machine::Values Machine::at(const Expr& whole, const syntax::IntegerExpr& node, Runs who) {
  return each(who,
              [&](Side) { return number(Scalar::Uint, program_.literal(node.text, whole.span)); });
}

Machine::Values Machine::at(const Expr& whole, const syntax::RealExpr& node, Runs who) {
  return each(who,
              [&](Side) { return number(Scalar::Real, program_.literal(node.text, whole.span)); });
}

Machine::Values Machine::at(const Expr&, const syntax::BoolExpr& node, Runs who) {
  return each(who, [&](Side) { return boolean(node.value); });
}

Machine::Values Machine::at(const Expr& whole, const syntax::NameExpr& node, Runs who) {
  if (Slot* slot = find_slot(node.name))
    return each(who, [&](Side side) { return read_whole(*slot, side, whole.span); });
  const auto constant = constants_.find(node.name);
  if (constant == constants_.end()) refuse(whole.span, "an unknown name");
  return each(who, [&](Side) { return constant->second; });
}

Machine::Values Machine::at(const Expr& whole, const syntax::SidedExpr&, Runs) {
  refuse(whole.span, "a side in the program");
}

Machine::Values Machine::at(const Expr& whole, const syntax::ModelExpr& node, Runs who) {
  if (!picked_) refuse(whole.span, "no model is picked");
  const Instance& instance = *picked_->instance;
  const auto found = instance.model().find(instance.model().name(), node.member.name);
  if (!found) refuse(whole.span, "the model has no such part");
  return each(who, [&](Side side) {
    if (!found->state)
      return number(instance.model().constants()[found->index].type,
                    instance.constants()[found->index]);
    return number(instance.model().state()[found->index].type,
                  (*picked_->state[side])[found->index]);
  });
}

Machine::Values Machine::at(const Expr& whole, const syntax::MemberExpr&, Runs who) {
  const Place place = find_place(whole);
  return each(who, [&](Side side) { return read(place, side); });
}

// Of an element only the field is read; of what a call returns it is what came back.
Machine::Values Machine::at(const Expr& whole, const syntax::FieldExpr& node, Runs who) {
  const Expr* base = &expr(node.base);
  while (const auto* paren = std::get_if<syntax::ParenExpr>(&base->node))
    base = &expr(paren->inner);
  if (std::holds_alternative<syntax::CallExpr>(base->node)) {
    const Values record = evaluate(node.base, who);
    return each(who, [&](Side side) { return part_of(*record[side], node.field.name); });
  }
  Place place = find_place(whole);
  evaluate_indices(place, who);
  return each(who, [&](Side side) { return read(place, side); });
}

Machine::Values Machine::at(const Expr& whole, const syntax::MemberCallExpr&, Runs) {
  refuse(whole.span, "a function constant in the program");
}

Machine::Values Machine::at(const Expr& whole, const syntax::IndexExpr&, Runs who) {
  Place place = find_place(whole);
  evaluate_indices(place, who);
  return each(who, [&](Side side) { return read(place, side); });
}

Machine::Values Machine::at(const Expr&, const syntax::ParenExpr& node, Runs who) {
  return evaluate(node.inner, who);
}

Machine::Values Machine::at(const Expr& whole, const syntax::UnaryExpr& node, Runs who) {
  const Values operand = evaluate(node.operand, who);
  return each(who, [&](Side side) {
    const Typed& value = *operand[side];
    const Scalar type = outcome_type(node.op, value.type.scalar);
    Request request;
    request.exact = operate(node.op, value.value.scalar);
    if (!node.dotted || ghost_ || side == Side::Original) return number(type, request.exact);
    request.kind = syntax::OperationKind::Unary;
    request.unary = node.op;
    request.type = value.type.scalar;
    request.outcome = type;
    request.operands = {value.value.scalar};
    Access one;
    one.at = whole.span;
    one.what = syntax::spelling(node.op);
    return number(type, access(std::move(one), request));
  });
}

// && || -> without a dot: the second operand only for those whose result is open.
Machine::Values Machine::decide_early(const syntax::BinaryExpr& node, Runs who) {
  Values a = evaluate(node.lhs, who);
  const Runs true_there = where_true(a, who);
  const Runs open = node.op == BinaryOp::Or ? alive(who).without(true_there) : true_there;
  const Values b = evaluate(node.rhs, open);
  return each(who, [&](Side side) {
    if (open.has(side)) return *b[side];
    return boolean(node.op != BinaryOp::And);
  });
}

Machine::Values Machine::at(const Expr& whole, const syntax::BinaryExpr& node, Runs who) {
  if (is_logical(node.op) && !node.dotted) return decide_early(node, who);
  const Values a = evaluate(node.lhs, who);
  const Values b = evaluate(node.rhs, who);
  return operate_binary(whole, node.op, node.dotted, a, b, who);
}

Machine::Values Machine::at(const Expr& whole, const syntax::ChainExpr& node, Runs who) {
  Values left = evaluate(node.operands[0], who);
  Runs open = who;  // those for which all was true so far
  for (std::size_t k = 0; k < node.ops.size(); ++k) {
    Values right = evaluate(node.operands[k + 1], open);
    const Values truth = operate_binary(whole, node.ops[k], false, left, right, open);
    open = where_true(truth, open);
    left = std::move(right);
  }
  return each(who, [&](Side side) { return boolean(open.has(side)); });
}

Machine::Values Machine::call_builtin(const Expr& whole, const syntax::CallExpr& node, Runs who) {
  const std::string_view name = program_.text(node.callee.name);
  if (node.args.size() != (name == "abs" ? 1u : 2u)) refuse(whole.span, "wrong arguments");
  const Values a = evaluate(node.args[0], who);
  if (name == "abs")
    return each(who, [&](Side side) {
      const bool whole_number = is_integer(a[side]->type.scalar);
      return number(whole_number ? Scalar::Uint : Scalar::Real, abs(a[side]->value.scalar));
    });
  const Values b = evaluate(node.args[1], who);
  return each(who, [&](Side side) {
    const Number &x = a[side]->value.scalar, &y = b[side]->value.scalar;
    const Scalar type = wider(a[side]->type.scalar, b[side]->type.scalar);
    return number(type, (x < y) == (name == "min") ? x : y);
  });
}

// uint(i), real(i), floor(x)
Machine::Values Machine::convert(const Expr& whole, const syntax::CallExpr& node, Runs who) {
  const std::string_view name = program_.text(node.callee.name);
  if (node.args.size() != 1) refuse(whole.span, "wrong arguments");
  const Values a = evaluate(node.args[0], who);
  return each(who, [&](Side side) {
    const Number& x = a[side]->value.scalar;
    if (name == "real") return number(Scalar::Real, x);
    if (name == "floor") return number(Scalar::Int, round_down(x));
    if (x < 0) throw Failure{whole.span, "a negative value for a uint"};
    return number(Scalar::Uint, x);
  });
}

Machine::Values Machine::at(const Expr& whole, const syntax::CallExpr& node, Runs who) {
  const std::string_view name = program_.text(node.callee.name);
  if (name == "uint" || name == "real") return convert(whole, node, who);
  if (name == "floor" && program_.function(node.callee.name) == nullptr)
    return convert(whole, node, who);
  if (name == "abs" || name == "min" || name == "max") return call_builtin(whole, node, who);
  const PerRun<Back> back = call_function(whole, node, who);
  return each(alive(who), [&](Side side) {
    return back[side]->returned.empty() ? Typed{} : back[side]->returned[0];
  });
}

// What is changed in place is passed without being read, and comes back without being written.
PerRun<Machine::Back> Machine::call_function(const Expr& whole, const syntax::CallExpr& node,
                                             Runs who) {
  const Program::Function* function = program_.function(node.callee.name);
  if (!function) refuse(whole.span, "an unknown function");
  const std::vector<syntax::Param>& params = function->item->params;
  const auto in_place = [&](std::size_t k) {
    const Place place = find_place(expr(node.args[k]));
    if (place.slot == nullptr || !place.index_exprs.empty())
      refuse(whole.span, "only a variable can be changed in place");
    return place;
  };
  PerRun<std::vector<Typed>> arguments;
  for (Side side : who.list()) arguments[side].emplace();
  for (std::size_t k = 0; k < node.args.size(); ++k) {
    if (k < params.size() && params[k].inout) {
      for (Side side : alive(who).list())
        arguments[side]->push_back({type_of_place(in_place(k)), stored_at(in_place(k), side)});
      continue;
    }
    const Values value = evaluate(node.args[k], who);
    for (Side side : alive(who).list()) arguments[side]->push_back(*value[side]);
  }
  PerRun<Back> back = call(*function, arguments, alive(who), whole.span);
  for (Side side : alive(who).list())
    for (std::size_t k = 0, n = 0; k < params.size(); ++k)
      if (params[k].inout) stored_at(in_place(k), side) = back[side]->changed.at(n++);
  return back;
}

Machine::Values Machine::at(const Expr& whole, const syntax::EqExpr&, Runs) {
  refuse(whole.span, "'eq' in the program");
}

Machine::Values Machine::at(const Expr& whole, const syntax::EqAllExpr&, Runs) {
  refuse(whole.span, "'eq' in the program");
}

Machine::Values Machine::at(const Expr& whole, const syntax::OldExpr&, Runs) {
  refuse(whole.span, "'old' in the program");
}

Machine::Values Machine::at(const Expr&, const syntax::IfExpr& node, Runs who) {
  const Values condition = evaluate(node.condition, who);
  const Runs first = where_true(condition, who);
  const Values a = evaluate(node.then_value, first);
  const Values b = evaluate(node.else_value, alive(who).without(first));
  const Scalar type = wider(scalar_of(node.then_value), scalar_of(node.else_value));
  return each(who, [&](Side side) {
    Typed chosen = first.has(side) ? *a[side] : *b[side];
    chosen.type.scalar = type;
    return chosen;
  });
}

// Of an expression that nobody evaluates.
Scalar Machine::scalar_of(ExprId id) {
  const Expr& whole = expr(id);
  const auto of = Overload{
      [](const syntax::IntegerExpr&) { return Scalar::Uint; },
      [](const syntax::RealExpr&) { return Scalar::Real; },
      [&](const syntax::NameExpr& node) {
        if (const Slot* slot = find_slot(node.name)) return slot->type.scalar;
        return constants_.at(node.name).type.scalar;
      },
      [&](const syntax::ModelExpr& node) {
        const Model& model = picked_->instance->model();
        const auto found = model.find(model.name(), node.member.name);
        return found->state ? model.state()[found->index].type
                            : model.constants()[found->index].type;
      },
      [&](const syntax::IndexExpr&) { return type_of_place(find_place(whole)).scalar; },
      [&](const syntax::MemberExpr&) { return type_of_place(find_place(whole)).scalar; },
      [&](const syntax::FieldExpr& node) {
        const auto* call = std::get_if<syntax::CallExpr>(&expr(node.base).node);
        if (call == nullptr) return type_of_place(find_place(whole)).scalar;
        const Type type = program_.type_of(program_.function(call->callee.name)->item->type);
        return type.field(type.find(node.field.name)).scalar;
      },
      [&](const syntax::ParenExpr& node) { return scalar_of(node.inner); },
      [&](const syntax::UnaryExpr& node) { return outcome_type(node.op, scalar_of(node.operand)); },
      [&](const syntax::BinaryExpr& node) {
        if (syntax::is_comparison(node.op) || is_logical(node.op)) return Scalar::Bool;
        return outcome_type(node.op, wider(scalar_of(node.lhs), scalar_of(node.rhs)));
      },
      [&](const syntax::CallExpr& node) {
        const std::string_view name = program_.text(node.callee.name);
        if (name == "abs") return is_integer(scalar_of(node.args[0])) ? Scalar::Uint : Scalar::Real;
        if (name == "min" || name == "max")
          return wider(scalar_of(node.args[0]), scalar_of(node.args[1]));
        if (name == "uint") return Scalar::Uint;
        if (name == "real") return Scalar::Real;
        if (name == "floor" && program_.function(node.callee.name) == nullptr) return Scalar::Int;
        return type_of(program_.function(node.callee.name)->item->type).scalar;
      },
      [&](const syntax::IfExpr& node) {
        return wider(scalar_of(node.then_value), scalar_of(node.else_value));
      },
      [](const auto&) { return Scalar::Bool; },
  };
  return std::visit(of, whole.node);
}

Machine::Values Machine::at(const Expr& whole, const syntax::PartExpr&, Runs) {
  refuse(whole.span, "a word");
}

Machine::Values Machine::at(const Expr& whole, const syntax::WidenExpr&, Runs) {
  refuse(whole.span, "a word");
}

Machine::Values Machine::at(const Expr& whole, const syntax::UpdateExpr&, Runs) {
  refuse(whole.span, "a vector with another element in the program");
}

Machine::Values Machine::at(const Expr& whole, const syntax::QuantExpr&, Runs) {
  refuse(whole.span, "a quantifier in the program");
}

Machine::Values Machine::at(const Expr& whole, const syntax::CountExpr&, Runs) {
  refuse(whole.span, "nodes in the program");
}

}  // namespace leto::oracle

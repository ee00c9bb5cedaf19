#include "tree_maker.h"

namespace leto::tests {

using namespace syntax;

unsigned TreeMaker::pick(unsigned choices) {
  return at_ < tape_.size() ? tape_[at_++] % choices : 0;
}

Name TreeMaker::name() {
  static constexpr const char* kNames[] = {"x",      "r",      "o",
                                           "entry",  "read",   "write",
                                           "result", "region", "a_rather_long_name_for_a_variable",
                                           "A",      "_1"};
  return names_.intern(kNames[pick(std::size(kNames))]);
}

TypeSyntax TreeMaker::type(bool may_be_void) {
  static constexpr Scalar kScalars[] = {Scalar::Real, Scalar::Int, Scalar::Uint, Scalar::Bool};
  if (may_be_void && pick(5) == 4) return {Scalar::Void, Shape::Scalar, {}};
  if (pick(6) == 5)
    return {
        Scalar::Void, static_cast<Shape>(pick(3)), {}, names_.intern(flip() ? "State" : "record")};
  if (pick(6) == 5) {
    TypeSyntax word{Scalar::Bits, static_cast<Shape>(pick(3)), {}};
    word.width = static_cast<std::uint16_t>(1 + pick(1024));
    return word;
  }
  const Scalar scalar = kScalars[pick(4)];
  return {scalar, static_cast<Shape>(pick(3)), {}};
}

ExprId TreeMaker::atom() {
  switch (pick(8)) {
    case 0:
      return add(NameExpr{name()});
    case 1:
      if (pick(4) == 3)
        return add(
            IntegerExpr{names_.intern("171"), names_.intern(flip() ? "0xAB" : "0b10101011")});
      return add(IntegerExpr{names_.intern(flip() ? "0" : "123")});
    case 2:
      return add(RealExpr{names_.intern(flip() ? "0.5" : "1e-3")});
    case 3:
      return add(BoolExpr{flip()});
    case 4:
      return add(SidedExpr{name(), flip() ? Side::Original : Side::Relaxed});
    case 5:
      return add(ModelExpr{ident()});
    case 6:
      if (flip()) return add(MemberExpr{ident(), ident()});
      return field();
    default:
      return add(EqAllExpr{});
  }
}

ExprId TreeMaker::field() {
  if (pick(3) == 2) {
    const ExprId vector = place();
    const ExprId index = expr(2);
    return add(FieldExpr{add(IndexExpr{vector, index}), ident()});
  }
  const ExprId base = add(SidedExpr{name(), flip() ? Side::Original : Side::Relaxed});
  return add(FieldExpr{base, ident()});
}

ExprId TreeMaker::place() {
  ExprId base = pick(4) == 3 ? add(ModelExpr{ident()}) : add(NameExpr{name()});
  for (unsigned n = pick(3); n > 0; --n) {
    const ExprId index = expr(2);
    base = add(IndexExpr{base, index});
  }
  return base;
}

std::vector<ExprId> TreeMaker::exprs(int depth, unsigned most) {
  std::vector<ExprId> list;
  for (unsigned n = pick(most + 1); n > 0; --n) list.push_back(expr(depth));
  return list;
}

// `precedence` is the least that the result may have without parentheses:
// 0 anything, 12 operands of unary operators, 13 bases of indices.
ExprId TreeMaker::expr(int depth, int least) {
  if (depth <= 0) return atom();
  switch (pick(15)) {
    case 0:
    case 1:
      return atom();
    case 14: {
      if (flip()) {
        static constexpr const char* kNames[] = {"bits", "exact_bits", "zero_extend",
                                                 "sign_extend"};
        const Ident callee{names_.intern(kNames[pick(4)]), {}};
        const auto width = static_cast<std::uint16_t>(1 + pick(1024));
        const ExprId arg = expr(depth - 1);
        return add(WidenExpr{callee, width, arg});
      }
      const ExprId base = expr(depth - 1, 13);
      const ExprId high = add(IntegerExpr{names_.intern("7")});
      const ExprId low = add(IntegerExpr{names_.intern("0")});
      return add(PartExpr{base, high, low});
    }
    case 2: {
      const ExprId inner = expr(depth - 1);
      return add(ParenExpr{inner});
    }
    case 3:
    case 4:
    case 5: {
      const auto op = static_cast<BinaryOp>(pick(20));
      const int own = precedence(op);
      const bool to_right = op == BinaryOp::Implies;
      const bool alone = is_comparison(op);
      const ExprId lhs = expr(depth - 1, own + (to_right || alone ? 1 : 0));
      const ExprId rhs = expr(depth - 1, own + (to_right ? 0 : 1));
      const bool dotted = flip() && op != BinaryOp::Join;
      const ExprId id = add(BinaryExpr{op, dotted, lhs, rhs, {}});
      return own < least ? add(ParenExpr{id}) : id;
    }
    case 6: {
      ChainExpr chain;
      const bool up = flip();
      for (unsigned n = 3 + pick(2); n > 0; --n) chain.operands.push_back(expr(depth - 1, 5));
      while (chain.ops.size() + 1 < chain.operands.size()) {
        const unsigned which = pick(3);
        chain.ops.push_back(which == 2   ? BinaryOp::Eq
                            : which == 1 ? (up ? BinaryOp::Le : BinaryOp::Ge)
                                         : (up ? BinaryOp::Lt : BinaryOp::Gt));
      }
      const ExprId id = add(std::move(chain));
      return least > 4 ? add(ParenExpr{id}) : id;
    }
    case 7: {
      const ExprId operand = expr(depth - 1, 12);
      const auto op = static_cast<UnaryOp>(pick(3));
      const ExprId id = add(UnaryExpr{op, flip(), operand});
      return least > 12 ? add(ParenExpr{id}) : id;
    }
    case 8: {
      const ExprId base = expr(depth - 1, 13);
      const ExprId index = expr(depth - 1);
      if (pick(3) == 0) {
        const ExprId value = expr(depth - 1);
        return add(UpdateExpr{base, index, value});
      }
      return add(IndexExpr{base, index});
    }
    case 9: {
      std::vector<ExprId> args = exprs(depth - 1, 4);
      if (pick(3) == 0) {
        const std::optional<Ident> scope = flip() ? std::optional(ident()) : std::nullopt;
        return add(MemberCallExpr{scope, ident(), std::move(args)});
      }
      if (!args.empty() && pick(4) == 0) {
        ClausesOf of{ident(), pick(static_cast<unsigned>(args.size())), 1};
        const std::size_t challengers = args.size() - of.inputs - of.outputs;
        const std::string name = name_of_right(names_.text(of.problem.name), challengers);
        return add(CallExpr{{names_.intern(name), {}}, std::move(args), of});
      }
      return add(CallExpr{ident(), std::move(args)});
    }
    case 10: {
      const ExprId arg = expr(depth - 1);
      return flip() ? add(EqExpr{arg}) : add(OldExpr{arg});
    }
    case 11: {
      const ExprId condition = expr(depth - 1), first = expr(depth - 1);
      const ExprId second = expr(depth - 1);
      const ExprId id = add(IfExpr{condition, first, second});
      return least > 0 ? add(ParenExpr{id}) : id;
    }
    case 12: {
      const TypeSyntax of{Scalar::Void, Shape::Scalar, {}, names_.intern("node")};
      const Ident bound = ident();
      return add(CountExpr{{of, bound}, expr(depth - 1)});
    }
    default: {
      QuantExpr quant{flip(), {}, {}};
      for (unsigned n = 1 + pick(3); n > 0; --n) {
        const TypeSyntax of = type();
        quant.binders.push_back({of, ident()});
      }
      quant.body = expr(depth - 1);
      return add(std::move(quant));
    }
  }
}

Attributes TreeMaker::attributes(bool region, bool label, bool noinf) {
  Attributes result;
  if (region && pick(4) == 3) result.region = ident();
  if (label && pick(4) == 3) result.label = ident();
  if (noinf && pick(4) == 3) result.noinf = true;
  return result;
}

std::vector<Param> TreeMaker::params(unsigned least, unsigned most) {
  std::vector<Param> list;
  for (unsigned n = least + pick(most - least + 1); n > 0; --n) {
    Param param;
    param.attributes = attributes(true, false, false);
    param.inout = pick(4) == 3;
    param.type = type();
    param.name = ident();
    param.dims = exprs(2, 2);
    list.push_back(std::move(param));
  }
  return list;
}

std::vector<Clause> TreeMaker::clauses(bool loop) {
  std::vector<Clause> list;
  for (unsigned n = pick(3); n > 0; --n) {
    static constexpr ClauseKind kOfLoops[] = {ClauseKind::Invariant, ClauseKind::InvariantR,
                                              ClauseKind::Decreases};
    const auto kind = loop           ? kOfLoops[pick(3)]
                      : pick(5) == 0 ? ClauseKind::Decreases
                                     : static_cast<ClauseKind>(pick(4));
    const ExprId e = expr(4);
    list.push_back({kind, e, {}});
    if (kind == ClauseKind::Decreases) list.back().more = exprs(0, 2);
  }
  return list;
}

StmtId TreeMaker::simple() {
  switch (pick(3)) {
    case 0: {
      AssignStmt assign;
      assign.target = place();
      if (flip()) {
        assign.op = static_cast<BinaryOp>(pick(5));
        assign.dotted = flip();
      }
      assign.value = expr(3);
      return add(assign);
    }
    case 1: {
      const ExprId target = place();
      return add(StepStmt{flip(), target});
    }
    default: {
      std::vector<ExprId> args = exprs(3, 4);
      const ExprId call = add(CallExpr{ident(), std::move(args)});
      if (flip()) return add(CallStmt{call});
      SpreadStmt spread;
      for (unsigned n = 2 + pick(2); n > 0; --n) spread.targets.push_back(place());
      spread.call = call;
      return add(std::move(spread));
    }
  }
}

StmtId TreeMaker::declaration(bool in_header) {
  DeclStmt decl;
  decl.ghost = !in_header && flip();
  if (!in_header && !decl.ghost) decl.attributes = attributes(true, false, false);
  decl.type = type();
  for (unsigned n = 1 + pick(3); n > 0; --n) {
    Declarator one;
    one.name = ident();
    one.dims = exprs(2, 2);
    if (flip()) one.init = expr(3);
    decl.declarators.push_back(std::move(one));
  }
  return add(std::move(decl));
}

StmtId TreeMaker::block(int depth) {
  BlockStmt result;
  for (unsigned n = pick(4); n > 0; --n) result.body.push_back(statement(depth - 1));
  return add(std::move(result));
}

StmtId TreeMaker::step_statement(int depth) {
  switch (pick(depth > 0 ? 4 : 3)) {
    case 0: {
      ChooseStmt choose;
      for (unsigned n = 1 + pick(2); n > 0; --n) choose.targets.push_back(place());
      if (flip()) choose.with = expr(3);
      return add(std::move(choose));
    }
    case 1: {
      MessageStmt message;
      message.target = place();
      message.dotted = flip();
      message.value = expr(2);
      message.from = expr(1);
      message.to = expr(1);
      if (flip()) message.otherwise = expr(2);
      return add(message);
    }
    case 2:
      return simple();
    default: {
      NodesStmt nodes{binders(), {}};
      nodes.body = block(depth);
      return add(std::move(nodes));
    }
  }
}

std::vector<Binder> TreeMaker::binders() {
  std::vector<Binder> list;
  for (unsigned n = 1 + pick(2); n > 0; --n) {
    const TypeSyntax of{Scalar::Void, Shape::Scalar, {}, names_.intern(flip() ? "node" : "x")};
    list.push_back({of, ident()});
  }
  return list;
}

StmtId TreeMaker::statement(int depth) {
  if (in_step_ && flip()) return step_statement(depth);
  switch (pick(depth > 0 ? 13 : 6)) {
    case 0:
    case 1:
      return simple();
    case 2:
      return declaration(false);
    case 3: {
      ReturnStmt ret;
      if (flip()) ret.value = expr(3);
      if (ret.value.valid()) ret.more = exprs(2, 2);
      return add(std::move(ret));
    }
    case 4: {
      const auto kind = static_cast<AssertionKind>(pick(3));
      const ExprId e = expr(4);
      return add(ClaimStmt{kind, e});
    }
    case 5: {
      JumpStmt jump{static_cast<JumpKind>(pick(2)), std::nullopt};
      if (flip()) jump.loop = ident();
      return add(jump);
    }
    case 6: {
      IfStmt branch;
      branch.condition = expr(3);
      branch.then_branch = block(depth);
      const unsigned other = pick(3);
      if (other == 1) branch.else_branch = block(depth);
      if (other == 2) {
        IfStmt nested;
        nested.condition = expr(2);
        nested.then_branch = block(depth);
        branch.else_branch = add(nested);
      }
      return add(branch);
    }
    case 7: {
      WhileStmt loop;
      loop.attributes = attributes(false, true, true);
      loop.condition = expr(3);
      loop.invariants = clauses(true);
      loop.body = block(depth);
      return add(std::move(loop));
    }
    case 8: {
      ForStmt loop;
      loop.attributes = attributes(false, true, true);
      if (flip()) loop.init = flip() ? declaration(true) : simple();
      if (flip()) loop.condition = expr(3);
      if (flip()) loop.step = simple();
      loop.invariants = clauses(true);
      loop.body = block(depth);
      return add(std::move(loop));
    }
    case 9: {
      RepeatStmt loop;
      loop.attributes = attributes(false, true, true);
      loop.count = flip() ? add(NameExpr{name()}) : add(IntegerExpr{names_.intern("12")});
      loop.invariants = clauses(true);
      loop.body = block(depth);
      return add(std::move(loop));
    }
    case 10: {
      TryStmt attempt;
      attempt.body = block(depth);
      if (pick(3) == 2) attempt.checker = ident();
      attempt.check = expr(3);
      if (flip()) {
        attempt.recover = block(depth);
      } else {
        if (flip()) attempt.under = ident();
        if (!attempt.under || flip()) attempt.redo = add(IntegerExpr{names_.intern("3")});
      }
      return add(attempt);
    }
    case 11: {
      ForallStmt all;
      for (unsigned n = 1 + pick(2); n > 0; --n) all.binders.push_back({type(), ident()});
      all.range = expr(3);
      all.body = block(depth);
      return add(std::move(all));
    }
    default:
      return block(depth);
  }
}

OperatorMember TreeMaker::operation() {
  OperatorMember op{};
  op.attributes = attributes(true, true, false);
  if (pick(4) == 3)
    op.attributes.rate = flip() ? add(NameExpr{name()}) : add(RealExpr{names_.intern("0.001")});
  if (pick(4) == 3) op.attributes.replaces = Span{};
  op.kind = static_cast<OperationKind>(pick(4));
  op.unary = static_cast<UnaryOp>(pick(3));
  op.binary = static_cast<BinaryOp>(pick(19));
  const unsigned arity =
      op.kind == OperationKind::Binary || op.kind == OperationKind::Write ? 2 : 1;
  op.params = params(arity, arity);
  for (unsigned n = pick(4); n > 0; --n) {
    OperatorMember::OpClause clause;
    switch (pick(4)) {
      case 0:
        clause.node = OperatorMember::When{expr(3)};
        break;
      case 1:
        clause.node = OperatorMember::Ensures{expr(4)};
        break;
      case 2:
        clause.node = OperatorMember::Modifies{{ident(), ident()}};
        break;
      default:
        clause.node = OperatorMember::Refines{{qualified()}};
        break;
    }
    op.clauses.push_back(std::move(clause));
  }
  return op;
}

decltype(Member::node) TreeMaker::function_constant() {
  std::vector<Ident> names;
  for (unsigned n = pick(3); n > 0; --n) names.push_back(ident());
  switch (pick(3)) {
    case 0: {
      RigidMember rigid{type(), ident(), {}};
      for (unsigned n = pick(3); n > 0; --n)
        rigid.params.push_back({{}, false, false, type(), ident(), {}});
      return rigid;
    }
    case 1: {
      const QualifiedName target = qualified();
      return RigidValueMember{target, std::move(names), expr(2)};
    }
    default:
      return WitnessMember{ident(), std::move(names), expr(2)};
  }
}

EnumItem TreeMaker::enumeration() {
  EnumItem item{ident(), {}};
  for (unsigned n = 1 + pick(3); n > 0; --n) item.values.push_back(ident());
  return item;
}

decltype(Member::node) TreeMaker::of_messages() {
  switch (pick(5)) {
    case 0:
      return enumeration();
    case 1: {
      PropertyItem property{false, ident(), params(0, 2), {}};
      property.body = expr(3);
      return property;
    }
    case 2: {
      NodeMember member{flip(), type(), ident(), {}};
      if (flip()) member.init = expr(2);
      return member;
    }
    case 3:
      return RoundMember{type(), ident()};
    default: {
      MessageMember message;
      message.attributes = attributes(false, true, false);
      message.params = params(3, 3);
      for (unsigned n = pick(4); n > 0; --n) {
        MessageMember::Part clause;
        switch (pick(4)) {
          case 0:
            clause.node = OperatorMember::When{expr(3)};
            break;
          case 1:
            clause.node = OperatorMember::Ensures{expr(3)};
            break;
          case 2: {
            MessageMember::Changes changes;
            for (unsigned k = 1 + pick(2); k > 0; --k) {
              changes.places.push_back({ident(), {}});
              if (flip()) changes.places.back().at = ident();
            }
            clause.node = std::move(changes);
            break;
          }
          default:
            clause.node = OperatorMember::Refines{{qualified()}};
        }
        message.clauses.push_back(std::move(clause));
      }
      return message;
    }
  }
}

Part TreeMaker::part() {
  Part result;
  switch (pick(11)) {
    case 0:
      result.node = VariablePart{pick(4) == 3, type(), ident(), {}, {}};
      for (unsigned n = pick(3); n > 0; --n)
        std::get<VariablePart>(result.node).indices.push_back(ident());
      if (flip()) std::get<VariablePart>(result.node).init = expr(2);
      break;
    case 1: {
      NodesPart nodes;
      for (unsigned n = 1 + pick(2); n > 0; --n) {
        const Ident name = ident();
        nodes.sorts.push_back({name, add(IntegerExpr{names_.intern("3")})});
      }
      result.node = std::move(nodes);
      break;
    }
    case 2:
      result.node = InitiallyPart{expr(3)};
      break;
    case 3:
      result.node = TrustPart{expr(3)};
      break;
    case 4: {
      ElapsePart elapse;
      elapse.clock = ident();
      for (unsigned n = 1 + pick(2); n > 0; --n) {
        ElapsePart::Moment moment{place(), {}, {}};
        if (flip()) moment.binders = binders();
        if (flip()) moment.when = expr(2);
        elapse.moments.push_back(std::move(moment));
      }
      result.node = std::move(elapse);
      break;
    }
    case 5:
      result.node = ClaimPart{flip(), ident(), expr(4)};
      break;
    case 6:
      result.node = enumeration();
      break;
    case 7:
      result.node = ConstraintItem{expr(3)};
      break;
    case 8: {
      ConstItem constant{type(), ident(), {}};
      if (flip()) constant.init = expr(2);
      result.node = constant;
      break;
    }
    case 9: {
      PropertyItem property{false, ident(), params(0, 2), {}};
      property.body = expr(3);
      result.node = std::move(property);
      break;
    }
    default: {
      StepPart step{ident(), {}, {}, {}};
      if (flip()) step.binders = binders();
      if (flip()) step.when = expr(3);
      in_step_ = true;
      step.body = block(3);
      in_step_ = false;
      result.node = std::move(step);
    }
  }
  return result;
}

Member TreeMaker::member() {
  Member result;
  switch (pick(9)) {
    case 7:
      result.node = of_messages();
      break;
    case 0: {
      StateMember state{type(), ident(), {}};
      if (flip()) state.init = expr(2);
      result.node = state;
      break;
    }
    case 1: {
      ConstItem constant{type(), ident(), {}};
      if (flip()) constant.init = expr(2);
      result.node = constant;
      break;
    }
    case 2:
      result.node = ConstraintItem{expr(3)};
      break;
    case 3:
      result.node = InvariantMember{expr(3)};
      break;
    case 4: {
      ImportMember import{qualified(), {}};
      if (flip()) import.refines.push_back(qualified());
      result.node = std::move(import);
      break;
    }
    case 5: {
      const QualifiedName target = qualified();
      result.node = InitMember{target, expr(2)};
      break;
    }
    case 6:
      result.node = function_constant();
      break;
    default:
      result.node = operation();
  }
  return result;
}

void TreeMaker::item() {
  Item result;
  switch (pick(10)) {
    case 8: {
      SystemItem system{ident(), {}};
      for (unsigned n = pick(8); n > 0; --n) system.parts.push_back(part());
      result.node = std::move(system);
      break;
    }
    case 0: {
      FunctionItem function;
      function.contract = clauses(false);
      for (unsigned n = pick(3); n > 1; --n) {
        ReliabilityClause clause;
        clause.of_result = flip();
        clause.number = add(RealExpr{names_.intern("0.99")});
        clause.names.push_back(ident());
        if (flip()) clause.names.push_back(ident());
        function.reliability.push_back(std::move(clause));
      }
      function.lemma = pick(4) == 3;
      if (!function.lemma && flip())
        function.type = type(true);
      else if (!function.lemma)
        for (unsigned n = 1 + pick(3); n > 0; --n) function.results.push_back({type(), ident()});
      function.name = ident();
      function.params = params(0, 5);
      if (function.lemma && flip()) function.made = params(1, 3);
      function.external = !function.lemma && pick(4) == 3;
      function.pure = !function.lemma && pick(4) == 3;
      if (!function.external) function.body = block(3);
      result.node = std::move(function);
      break;
    }
    case 1: {
      if (flip()) {
        DefineItem define;
        define.type = type(true);
        define.name = ident();
        define.params = params(0, 3);
        if (flip()) {
          const ExprId first = expr(3);
          define.measure = Clause{ClauseKind::Decreases, first, {}};
          define.measure->more = exprs(0, 2);
        }
        define.body = expr(5);
        result.node = std::move(define);
        break;
      }
      PropertyItem property{flip(), ident(), params(0, 3), {}};
      property.body = expr(5);
      result.node = std::move(property);
      break;
    }
    case 2: {
      ModelItem model;
      model.name = ident();
      if (flip()) model.over = ident();
      for (unsigned n = pick(3); n > 0; --n) model.supers.push_back(ident());
      for (unsigned n = pick(6); n > 0; --n) model.members.push_back(member());
      result.node = std::move(model);
      break;
    }
    case 3: {
      if (pick(3) == 2) {
        RecordItem record{ident(), {}};
        for (unsigned n = 1 + pick(3); n > 0; --n) record.fields.push_back({type(true), ident()});
        result.node = std::move(record);
        break;
      }
      ConstItem constant{type(), ident(), {}};
      if (constant.type.shape != Shape::Scalar && flip()) {
        for (unsigned n = 1 + pick(2); n > 0; --n) constant.dims.push_back(expr(1));
        for (unsigned n = 1 + pick(30); n > 0; --n) constant.elements.push_back(expr(2));
      } else if (flip()) {
        constant.init = expr(3);
      }
      result.node = constant;
      break;
    }
    case 4:
      if (flip()) {
        const ExprId positive = add(RealExpr{names_.intern("0.05")});
        const ExprId negative = add(IntegerExpr{names_.intern("0")});
        result.node = CheckerItem{ident(), positive, negative};
        break;
      }
      result.node = ConstraintItem{expr(4)};
      break;
    case 5:
      result.node = UseModelItem{ident()};
      break;
    case 6:
      result.node = problem();
      break;
    case 7:
      result.node = proved_checker();
      break;
    default:
      result.node = ImportItem{flip() ? "a.leto" : "dir/b c.leto", {}, false};
      if (pick(3) == 2) result.node = ImportItem{"library/sums.leto", {}, true};
  }
  tree_.items.push_back(std::move(result));
}

Literal TreeMaker::literal(unsigned depth) {
  Literal value;
  if (depth == 0 || flip())
    value.scalar = expr(1);
  else
    for (unsigned n = pick(3); n > 0; --n) value.elements.push_back(literal(depth - 1));
  return value;
}

ProblemItem TreeMaker::problem() {
  ProblemItem problem{ident(), {}};
  for (unsigned n = pick(6); n > 0; --n) {
    ProblemMember member;
    switch (pick(5)) {
      case 0:
        member.node = PortMember{flip(), params(1, 3)};
        break;
      case 1:
        member.node = ConstraintItem{expr(3)};
        break;
      case 2: {
        UniqueMember unique;
        if (flip()) unique.lemma = ident();
        member.node = unique;
        break;
      }
      case 3: {
        RightMember right;
        right.surely = pick(3) == 0;
        if (!right.surely && flip()) right.against = params(1, 3);
        if (!right.against.empty()) right.when = expr(3);
        // Not what a name of its own would make of it.
        right.expr = right.surely ? add(ParenExpr{expr(3)}) : expr(3);
        member.node = std::move(right);
        break;
      }
      default: {
        ExampleMember example;
        for (unsigned k = 1 + pick(3); k > 0; --k) {
          const Ident name = ident();
          example.given.push_back({name, literal(2)});
        }
        example.right = flip();
        if (!example.right)
          for (unsigned k = pick(3); k > 0; --k) example.against.push_back(literal(2));
        member.node = std::move(example);
      }
    }
    problem.members.push_back(std::move(member));
  }
  return problem;
}

ProvedCheckerItem TreeMaker::proved_checker() {
  ProvedCheckerItem checker;
  checker.name = ident();
  checker.problem = ident();
  if (flip()) checker.when = expr(3);
  if (flip()) checker.witness = params(1, 3);
  for (unsigned n = pick(3); n > 0; --n) {
    CheckerClause clause;
    if (flip()) {
      clause.node = CertifiesClause{expr(3)};
    } else if (pick(4) == 0) {
      clause.node = WithinClause{expr(3)};
    } else {
      ExistsClause exists;
      switch (pick(3)) {
        case 0:
          exists.lemma = ident();
          break;
        case 1:
          exists.up_to = add(IntegerExpr{names_.intern("3")});
          break;
        default:
          exists.assumed = "\"a theorem\"";
      }
      clause.node = std::move(exists);
    }
    checker.clauses.push_back(std::move(clause));
  }
  checker.body = block(3);
  return checker;
}

Tree TreeMaker::make() {
  do {
    item();
  } while (at_ < tape_.size());
  return std::move(tree_);
}

}  // namespace leto::tests

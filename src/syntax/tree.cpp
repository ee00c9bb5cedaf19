#include "syntax/tree.h"

namespace leto::syntax {

std::string_view spelling(UnaryOp op) {
  return op == UnaryOp::Negate ? "-" : op == UnaryOp::Not ? "!" : "~";
}

namespace {
struct OpRow {
  BinaryOp op;
  std::string_view text;
  int precedence;
};
constexpr OpRow kOps[] = {
    {BinaryOp::Add, "+", 10},        {BinaryOp::Sub, "-", 10},     {BinaryOp::Mul, "*", 11},
    {BinaryOp::Div, "/", 11},        {BinaryOp::Mod, "%", 11},     {BinaryOp::And, "&&", 3},
    {BinaryOp::Or, "||", 2},         {BinaryOp::Implies, "->", 1}, {BinaryOp::Eq, "==", 4},
    {BinaryOp::Ne, "!=", 4},         {BinaryOp::Lt, "<", 4},       {BinaryOp::Le, "<=", 4},
    {BinaryOp::Gt, ">", 4},          {BinaryOp::Ge, ">=", 4},      {BinaryOp::BitAnd, "&", 7},
    {BinaryOp::BitOr, "|", 5},       {BinaryOp::BitXor, "^", 6},   {BinaryOp::ShiftLeft, "<<", 8},
    {BinaryOp::ShiftRight, ">>", 8}, {BinaryOp::Join, "++", 9},
};
constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < std::size(kOps); ++i)
    if (static_cast<std::size_t>(kOps[i].op) != i) return false;
  return std::size(kOps) == static_cast<std::size_t>(BinaryOp::Join) + 1;
}
static_assert(rows_in_order(), "one row per operator, in the order of the enumeration");
}  // namespace

std::string_view spelling(BinaryOp op) {
  return kOps[static_cast<std::size_t>(op)].text;
}
int precedence(BinaryOp op) {
  return kOps[static_cast<std::size_t>(op)].precedence;
}
bool is_comparison(BinaryOp op) {
  return precedence(op) == 4;
}
bool is_of_words(BinaryOp op) {
  return op >= BinaryOp::BitAnd;
}

std::string_view spelling(Scalar scalar) {
  switch (scalar) {
    case Scalar::Void:
      return "void";
    case Scalar::Bool:
      return "bool";
    case Scalar::Int:
      return "int";
    case Scalar::Uint:
      return "uint";
    case Scalar::Real:
      return "real";
    case Scalar::Bits:
      return "bits";
  }
  LETO_ASSERT(false);
}

std::string_view spelling(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::Requires:
      return "requires";
    case ClauseKind::RequiresR:
      return "requires_r";
    case ClauseKind::Ensures:
      return "ensures";
    case ClauseKind::EnsuresR:
      return "ensures_r";
    case ClauseKind::Invariant:
      return "invariant";
    case ClauseKind::InvariantR:
      return "invariant_r";
    case ClauseKind::Decreases:
      return "decreases";
  }
  LETO_ASSERT(false);
}

std::vector<ExprId> parts_of(const Clause& clause) {
  std::vector<ExprId> parts{clause.expr};
  parts.insert(parts.end(), clause.more.begin(), clause.more.end());
  return parts;
}

bool is_relational(ClauseKind kind) {
  return kind == ClauseKind::RequiresR || kind == ClauseKind::EnsuresR ||
         kind == ClauseKind::InvariantR;
}

std::string_view spelling(JumpKind kind) {
  switch (kind) {
    case JumpKind::Break:
      return "break";
    case JumpKind::Continue:
      return "continue";
  }
  LETO_ASSERT(false);
}

std::string_view spelling(AssertionKind kind) {
  switch (kind) {
    case AssertionKind::Assert:
      return "assert";
    case AssertionKind::Assume:
      return "assume";
    case AssertionKind::AssertR:
      return "assert_r";
  }
  LETO_ASSERT(false);
}

namespace {

// Compares two trees that share a name table.
class Comparer {
 public:
  Comparer(const Tree& a, const Tree& b) : a_(a), b_(b) {}

  bool run() const { return all(a_.items, b_.items); }

 private:
  template <class T>
  bool all(const std::vector<T>& x, const std::vector<T>& y) const {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!same(x[i], y[i])) return false;
    return true;
  }
  template <class T>
  bool same(const std::optional<T>& x, const std::optional<T>& y) const {
    return x.has_value() == y.has_value() && (!x || same(*x, *y));
  }
  template <class... Ts>
  bool same(const std::variant<Ts...>& x, const std::variant<Ts...>& y) const {
    if (x.index() != y.index()) return false;
    return std::visit(
        [&](const auto& left) { return same(left, std::get<std::decay_t<decltype(left)>>(y)); }, x);
  }

  bool same(ExprId x, ExprId y) const {
    if (!x.valid() || !y.valid()) return x.valid() == y.valid();
    return same(a_.exprs[x].node, b_.exprs[y].node);
  }
  bool same(StmtId x, StmtId y) const {
    if (!x.valid() || !y.valid()) return x.valid() == y.valid();
    return same(a_.stmts[x].node, b_.stmts[y].node);
  }
  bool same(const Item& x, const Item& y) const { return same(x.node, y.node); }
  bool same(const Member& x, const Member& y) const { return same(x.node, y.node); }
  bool same(const Ident& x, const Ident& y) const { return x.name == y.name; }
  bool same(BinaryOp x, BinaryOp y) const { return x == y; }
  bool same(const TypeSyntax& x, const TypeSyntax& y) const {
    return x.scalar == y.scalar && x.shape == y.shape && x.record == y.record && x.width == y.width;
  }
  bool same(const Attributes& x, const Attributes& y) const {
    return same(x.region, y.region) && same(x.label, y.label) && x.noinf == y.noinf &&
           same(x.rate, y.rate) && x.replaces.has_value() == y.replaces.has_value();
  }
  bool same(const ReliabilityClause& x, const ReliabilityClause& y) const {
    return x.of_result == y.of_result && same(x.number, y.number) && all(x.names, y.names) &&
           x.of.has_value() == y.of.has_value() &&
           (!x.of || (same(x.of->problem, y.of->problem) && x.of->inputs == y.of->inputs));
  }
  bool same(const Clause& x, const Clause& y) const {
    return x.kind == y.kind && same(x.expr, y.expr) && all(x.more, y.more);
  }
  bool same(const Param& x, const Param& y) const {
    return same(x.attributes, y.attributes) && x.inout == y.inout && same(x.type, y.type) &&
           same(x.name, y.name) && all(x.dims, y.dims);
  }
  bool same(const Binder& x, const Binder& y) const {
    return same(x.type, y.type) && same(x.name, y.name);
  }
  bool same(const QualifiedName& x, const QualifiedName& y) const {
    return same(x.scope, y.scope) && same(x.member, y.member);
  }

  bool same(const ErrorExpr&, const ErrorExpr&) const { return true; }
  bool same(const IntegerExpr& x, const IntegerExpr& y) const {
    return x.text == y.text && x.written == y.written;
  }
  bool same(const RealExpr& x, const RealExpr& y) const { return x.text == y.text; }
  bool same(const BoolExpr& x, const BoolExpr& y) const { return x.value == y.value; }
  bool same(const NameExpr& x, const NameExpr& y) const { return x.name == y.name; }
  bool same(const SidedExpr& x, const SidedExpr& y) const {
    return x.name == y.name && x.side == y.side;
  }
  bool same(const ModelExpr& x, const ModelExpr& y) const { return same(x.member, y.member); }
  bool same(const MemberExpr& x, const MemberExpr& y) const {
    return same(x.scope, y.scope) && same(x.member, y.member);
  }
  bool same(const FieldExpr& x, const FieldExpr& y) const {
    return same(x.base, y.base) && same(x.field, y.field);
  }
  bool same(const IndexExpr& x, const IndexExpr& y) const {
    return same(x.base, y.base) && same(x.index, y.index);
  }
  bool same(const UpdateExpr& x, const UpdateExpr& y) const {
    return same(x.base, y.base) && same(x.index, y.index) && same(x.value, y.value);
  }
  bool same(const PartExpr& x, const PartExpr& y) const {
    return same(x.base, y.base) && same(x.high, y.high) && same(x.low, y.low);
  }
  bool same(const WidenExpr& x, const WidenExpr& y) const {
    return same(x.callee, y.callee) && x.width == y.width && same(x.arg, y.arg);
  }
  bool same(const ParenExpr& x, const ParenExpr& y) const { return same(x.inner, y.inner); }
  bool same(const UnaryExpr& x, const UnaryExpr& y) const {
    return x.op == y.op && x.dotted == y.dotted && same(x.operand, y.operand);
  }
  bool same(const BinaryExpr& x, const BinaryExpr& y) const {
    return x.op == y.op && x.dotted == y.dotted && same(x.lhs, y.lhs) && same(x.rhs, y.rhs);
  }
  bool same(const ChainExpr& x, const ChainExpr& y) const {
    return x.ops == y.ops && all(x.operands, y.operands);
  }
  bool same(const CallExpr& x, const CallExpr& y) const {
    return same(x.callee, y.callee) && all(x.args, y.args) &&
           x.of.has_value() == y.of.has_value() &&
           (!x.of || (x.of->inputs == y.of->inputs && x.of->outputs == y.of->outputs));
  }
  bool same(const MemberCallExpr& x, const MemberCallExpr& y) const {
    return same(x.scope, y.scope) && same(x.member, y.member) && all(x.args, y.args);
  }
  bool same(const EqExpr& x, const EqExpr& y) const { return same(x.arg, y.arg); }
  bool same(const EqAllExpr&, const EqAllExpr&) const { return true; }
  bool same(const OldExpr& x, const OldExpr& y) const { return same(x.arg, y.arg); }
  bool same(const IfExpr& x, const IfExpr& y) const {
    return same(x.condition, y.condition) && same(x.then_value, y.then_value) &&
           same(x.else_value, y.else_value);
  }
  bool same(const QuantExpr& x, const QuantExpr& y) const {
    return x.universal == y.universal && all(x.binders, y.binders) && same(x.body, y.body);
  }

  bool same(const CountExpr& x, const CountExpr& y) const {
    return same(x.binder, y.binder) && same(x.body, y.body);
  }

  bool same(const ErrorStmt&, const ErrorStmt&) const { return true; }
  bool same(const Declarator& x, const Declarator& y) const {
    return same(x.name, y.name) && all(x.dims, y.dims) && same(x.init, y.init);
  }
  bool same(const DeclStmt& x, const DeclStmt& y) const {
    return same(x.attributes, y.attributes) && x.ghost == y.ghost && x.snapshot == y.snapshot &&
           same(x.type, y.type) && all(x.declarators, y.declarators);
  }
  bool same(const AssignStmt& x, const AssignStmt& y) const {
    return same(x.target, y.target) && x.op == y.op && x.dotted == y.dotted &&
           same(x.value, y.value);
  }
  bool same(const StepStmt& x, const StepStmt& y) const {
    return x.increment == y.increment && same(x.target, y.target);
  }
  bool same(const IfStmt& x, const IfStmt& y) const {
    return same(x.condition, y.condition) && same(x.then_branch, y.then_branch) &&
           same(x.else_branch, y.else_branch);
  }
  bool same(const WhileStmt& x, const WhileStmt& y) const {
    return same(x.attributes, y.attributes) && same(x.condition, y.condition) &&
           all(x.invariants, y.invariants) && same(x.body, y.body);
  }
  bool same(const ForStmt& x, const ForStmt& y) const {
    return same(x.attributes, y.attributes) && same(x.init, y.init) &&
           same(x.condition, y.condition) && same(x.step, y.step) &&
           all(x.invariants, y.invariants) && same(x.body, y.body);
  }
  bool same(const RepeatStmt& x, const RepeatStmt& y) const {
    return same(x.attributes, y.attributes) && same(x.count, y.count) &&
           all(x.invariants, y.invariants) && same(x.body, y.body);
  }
  bool same(const TryStmt& x, const TryStmt& y) const {
    return same(x.body, y.body) && same(x.checker, y.checker) && same(x.check, y.check) &&
           same(x.recover, y.recover) && same(x.redo, y.redo) && same(x.under, y.under);
  }
  bool same(const ReturnStmt& x, const ReturnStmt& y) const {
    return same(x.value, y.value) && all(x.more, y.more);
  }
  bool same(const JumpStmt& x, const JumpStmt& y) const {
    return x.kind == y.kind && same(x.loop, y.loop);
  }
  bool same(const CallStmt& x, const CallStmt& y) const { return same(x.call, y.call); }
  bool same(const SpreadStmt& x, const SpreadStmt& y) const {
    return all(x.targets, y.targets) && same(x.call, y.call);
  }
  bool same(const ForallStmt& x, const ForallStmt& y) const {
    return all(x.binders, y.binders) && same(x.range, y.range) && same(x.body, y.body);
  }
  bool same(const ClaimStmt& x, const ClaimStmt& y) const {
    return x.kind == y.kind && same(x.expr, y.expr);
  }
  bool same(const BlockStmt& x, const BlockStmt& y) const { return all(x.body, y.body); }
  bool same(const ChooseStmt& x, const ChooseStmt& y) const {
    return all(x.targets, y.targets) && same(x.with, y.with);
  }
  bool same(const NodesStmt& x, const NodesStmt& y) const {
    return all(x.binders, y.binders) && same(x.body, y.body);
  }
  bool same(const MessageStmt& x, const MessageStmt& y) const {
    return x.dotted == y.dotted && same(x.target, y.target) && same(x.value, y.value) &&
           same(x.from, y.from) && same(x.to, y.to) && same(x.otherwise, y.otherwise);
  }

  bool same(const ImportItem& x, const ImportItem& y) const {
    return x.path == y.path && x.library == y.library;
  }
  bool same(const UseModelItem& x, const UseModelItem& y) const { return same(x.model, y.model); }
  bool same(const ConstItem& x, const ConstItem& y) const {
    return same(x.type, y.type) && same(x.name, y.name) && same(x.init, y.init) &&
           all(x.dims, y.dims) && all(x.elements, y.elements);
  }
  bool same(const ConstraintItem& x, const ConstraintItem& y) const { return same(x.expr, y.expr); }
  bool same(const CheckerItem& x, const CheckerItem& y) const {
    return same(x.name, y.name) && same(x.false_positive, y.false_positive) &&
           same(x.false_negative, y.false_negative);
  }
  bool same(const Literal& x, const Literal& y) const {
    return same(x.scalar, y.scalar) && all(x.elements, y.elements);
  }
  bool same(const Given& x, const Given& y) const {
    return same(x.name, y.name) && same(x.value, y.value);
  }
  bool same(const PortMember& x, const PortMember& y) const {
    return x.output == y.output && all(x.params, y.params);
  }
  bool same(const UniqueMember& x, const UniqueMember& y) const { return same(x.lemma, y.lemma); }
  bool same(const RightMember& x, const RightMember& y) const {
    return x.surely == y.surely && all(x.against, y.against) && same(x.when, y.when) &&
           same(x.expr, y.expr);
  }
  bool same(const ExampleMember& x, const ExampleMember& y) const {
    return x.right == y.right && all(x.given, y.given) && all(x.against, y.against);
  }
  bool same(const ProblemMember& x, const ProblemMember& y) const { return same(x.node, y.node); }
  bool same(const ProblemItem& x, const ProblemItem& y) const {
    return same(x.name, y.name) && all(x.members, y.members);
  }
  bool same(const CertifiesClause& x, const CertifiesClause& y) const {
    return same(x.expr, y.expr);
  }
  bool same(const WithinClause& x, const WithinClause& y) const { return same(x.expr, y.expr); }
  bool same(const ExistsClause& x, const ExistsClause& y) const {
    return same(x.lemma, y.lemma) && same(x.up_to, y.up_to) && x.assumed == y.assumed;
  }
  bool same(const UnderClause& x, const UnderClause& y) const {
    return x.complete == y.complete && same(x.model, y.model) && same(x.unless, y.unless);
  }
  bool same(const CheckerClause& x, const CheckerClause& y) const { return same(x.node, y.node); }
  bool same(const ProvedCheckerItem& x, const ProvedCheckerItem& y) const {
    return same(x.name, y.name) && same(x.problem, y.problem) && same(x.when, y.when) &&
           all(x.witness, y.witness) && all(x.clauses, y.clauses) && same(x.body, y.body);
  }
  bool same(const RecordItem& x, const RecordItem& y) const {
    return same(x.name, y.name) && all(x.fields, y.fields);
  }
  bool same(const DefineItem& x, const DefineItem& y) const {
    return same(x.type, y.type) && same(x.name, y.name) && all(x.params, y.params) &&
           x.measure.has_value() == y.measure.has_value() &&
           (!x.measure || same(*x.measure, *y.measure)) && same(x.body, y.body);
  }
  bool same(const PropertyItem& x, const PropertyItem& y) const {
    return x.relational == y.relational && same(x.name, y.name) && all(x.params, y.params) &&
           same(x.body, y.body);
  }
  bool same(const FunctionItem& x, const FunctionItem& y) const {
    return x.external == y.external && x.ends == y.ends && x.lemma == y.lemma && x.pure == y.pure &&
           all(x.contract, y.contract) && all(x.reliability, y.reliability) &&
           same(x.type, y.type) && all(x.results, y.results) && same(x.name, y.name) &&
           all(x.params, y.params) && all(x.made, y.made) && same(x.body, y.body);
  }
  bool same(const ModelItem& x, const ModelItem& y) const {
    return same(x.name, y.name) && same(x.over, y.over) && all(x.supers, y.supers) &&
           all(x.members, y.members);
  }
  bool same(const OperatorMember::When& x, const OperatorMember::When& y) const {
    return same(x.expr, y.expr);
  }
  bool same(const OperatorMember::Ensures& x, const OperatorMember::Ensures& y) const {
    return same(x.expr, y.expr);
  }
  bool same(const OperatorMember::Modifies& x, const OperatorMember::Modifies& y) const {
    return all(x.names, y.names);
  }
  bool same(const OperatorMember::Refines& x, const OperatorMember::Refines& y) const {
    return all(x.targets, y.targets);
  }
  bool same(const OperatorMember::OpClause& x, const OperatorMember::OpClause& y) const {
    return same(x.node, y.node);
  }
  bool same(const OperatorMember& x, const OperatorMember& y) const {
    const bool op = x.kind != OperationKind::Unary || x.unary == y.unary;
    const bool binary = x.kind != OperationKind::Binary || x.binary == y.binary;
    return x.kind == y.kind && op && binary && same(x.attributes, y.attributes) &&
           all(x.params, y.params) && all(x.clauses, y.clauses);
  }
  bool same(const StateMember& x, const StateMember& y) const {
    return same(x.type, y.type) && same(x.name, y.name) && same(x.init, y.init);
  }
  bool same(const InvariantMember& x, const InvariantMember& y) const {
    return same(x.expr, y.expr);
  }
  bool same(const ImportMember& x, const ImportMember& y) const {
    return same(x.target, y.target) && all(x.refines, y.refines);
  }
  bool same(const InitMember& x, const InitMember& y) const {
    return same(x.target, y.target) && same(x.value, y.value);
  }
  bool same(const RigidMember& x, const RigidMember& y) const {
    return same(x.type, y.type) && same(x.name, y.name) && all(x.params, y.params);
  }
  bool same(const RigidValueMember& x, const RigidValueMember& y) const {
    return same(x.target, y.target) && all(x.params, y.params) && same(x.value, y.value);
  }
  bool same(const WitnessMember& x, const WitnessMember& y) const {
    return same(x.name, y.name) && all(x.params, y.params) && same(x.value, y.value);
  }
  bool same(const EnumItem& x, const EnumItem& y) const {
    return same(x.name, y.name) && all(x.values, y.values);
  }
  bool same(const NodeMember& x, const NodeMember& y) const {
    return x.constant == y.constant && same(x.type, y.type) && same(x.name, y.name) &&
           same(x.init, y.init);
  }
  bool same(const RoundMember& x, const RoundMember& y) const {
    return same(x.type, y.type) && same(x.name, y.name);
  }
  bool same(const MessageMember::Changed& x, const MessageMember::Changed& y) const {
    return same(x.name, y.name) && same(x.at, y.at);
  }
  bool same(const MessageMember::Changes& x, const MessageMember::Changes& y) const {
    return all(x.places, y.places);
  }
  bool same(const MessageMember::Part& x, const MessageMember::Part& y) const {
    return same(x.node, y.node);
  }
  bool same(const MessageMember& x, const MessageMember& y) const {
    return same(x.attributes, y.attributes) && all(x.params, y.params) && all(x.clauses, y.clauses);
  }

  bool same(const NodesPart::Sort& x, const NodesPart::Sort& y) const {
    return same(x.name, y.name) && same(x.count, y.count);
  }
  bool same(const NodesPart& x, const NodesPart& y) const { return all(x.sorts, y.sorts); }
  bool same(const InitiallyPart& x, const InitiallyPart& y) const { return same(x.expr, y.expr); }
  bool same(const TrustPart& x, const TrustPart& y) const { return same(x.expr, y.expr); }
  bool same(const VariablePart& x, const VariablePart& y) const {
    return x.clock == y.clock && same(x.type, y.type) && same(x.name, y.name) &&
           all(x.indices, y.indices) && same(x.init, y.init);
  }
  bool same(const StepPart& x, const StepPart& y) const {
    return same(x.name, y.name) && all(x.binders, y.binders) && same(x.when, y.when) &&
           same(x.body, y.body);
  }
  bool same(const ElapsePart::Moment& x, const ElapsePart::Moment& y) const {
    return same(x.place, y.place) && all(x.binders, y.binders) && same(x.when, y.when);
  }
  bool same(const ElapsePart& x, const ElapsePart& y) const {
    return same(x.clock, y.clock) && all(x.moments, y.moments);
  }
  bool same(const ClaimPart& x, const ClaimPart& y) const {
    return x.lemma == y.lemma && same(x.name, y.name) && same(x.expr, y.expr);
  }
  bool same(const Part& x, const Part& y) const { return same(x.node, y.node); }
  bool same(const SystemItem& x, const SystemItem& y) const {
    return same(x.name, y.name) && all(x.parts, y.parts);
  }

  const Tree& a_;
  const Tree& b_;
};

}  // namespace

std::string name_of_right(std::string_view problem, std::size_t challengers) {
  std::string name = std::string(problem) + ".right";
  if (challengers > 0) name += " against " + std::to_string(challengers);
  return name;
}

Name number_text(const Expr& expr) {
  if (const auto* integer = std::get_if<IntegerExpr>(&expr.node)) return integer->text;
  if (const auto* real = std::get_if<RealExpr>(&expr.node)) return real->text;
  return {};
}

std::string library_name(const ImportItem& item) {
  const std::size_t from = item.path.rfind('/') + 1;
  return item.path.substr(from, item.path.rfind('.') - from);
}

bool equal(const Tree& a, const Tree& b) {
  return Comparer(a, b).run();
}

}  // namespace leto::syntax

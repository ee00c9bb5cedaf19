#include "check/doubtful.h"

#include <fmt/core.h>

#include <map>
#include <set>

namespace leto::check {

using namespace syntax;

namespace {

// Without parentheses.
ExprId bare(const Tree& tree, ExprId id) {
  while (const auto* paren = std::get_if<ParenExpr>(&tree.exprs[id].node)) id = paren->inner;
  return id;
}

// Whether both are certainly the same number: names, numbers, elements, sums and products.
bool is_same(const Tree& tree, ExprId first, ExprId second) {
  const auto& a = tree.exprs[bare(tree, first)].node;
  const auto& b = tree.exprs[bare(tree, second)].node;
  if (a.index() != b.index()) return false;
  if (const auto* name = std::get_if<NameExpr>(&a)) return name->name == std::get<NameExpr>(b).name;
  if (const auto* sided = std::get_if<SidedExpr>(&a))
    return sided->name == std::get<SidedExpr>(b).name && sided->side == std::get<SidedExpr>(b).side;
  if (const auto* number = std::get_if<IntegerExpr>(&a))
    return number->text == std::get<IntegerExpr>(b).text;
  if (const auto* index = std::get_if<IndexExpr>(&a))
    return is_same(tree, index->base, std::get<IndexExpr>(b).base) &&
           is_same(tree, index->index, std::get<IndexExpr>(b).index);
  if (const auto* both = std::get_if<BinaryExpr>(&a))
    return both->op == std::get<BinaryExpr>(b).op &&
           is_same(tree, both->lhs, std::get<BinaryExpr>(b).lhs) &&
           is_same(tree, both->rhs, std::get<BinaryExpr>(b).rhs);
  return false;
}

// The specifications of one item, and what is known where they stand.
class DoubtfulParts {
 public:
  DoubtfulParts(const Tree& tree, const NameTable& names, const std::set<Name>& constants,
                DiagnosticSink& sink, bool& divides)
      : tree_(tree), names_(names), constants_(constants), sink_(sink), divides_(divides) {}

  // What has a size. Nobody may assign to it, nor to what its size is computed from, unless that
  // is a number.
  void declare(const Param& param, bool fixed) {
    if (!param.dims.empty()) sizes_[param.name.name] = {&param.dims, fixed, param.name.span};
  }
  void know(ExprId id) {
    if (id.valid()) add_known(id, true);
  }
  void look_at(ExprId id) {
    if (!id.valid()) return;
    const std::size_t before = known_.size();
    visit(id);
    known_.resize(before);
  }
  // Claims and invariants.
  void look_at(StmtId id) {
    if (!id.valid()) return;
    const auto& node = tree_.stmts[id].node;
    if (const auto* claim = std::get_if<ClaimStmt>(&node)) look_at(claim->expr);
    if (const auto* branch = std::get_if<IfStmt>(&node)) {
      look_under(branch->condition, true, branch->then_branch);
      look_under(branch->condition, false, branch->else_branch);
    } else if (const auto* loop = std::get_if<WhileStmt>(&node)) {
      look_at_loop(loop->invariants, loop->body);
    } else if (const auto* range = std::get_if<ForStmt>(&node)) {
      look_at_loop(range->invariants, range->body);
    } else if (const auto* repeat = std::get_if<RepeatStmt>(&node)) {
      look_at_loop(repeat->invariants, repeat->body);
    } else if (const auto* attempt = std::get_if<TryStmt>(&node)) {
      look_at(attempt->body);
      look_at(attempt->recover);
    } else if (const auto* block = std::get_if<BlockStmt>(&node)) {
      for (StmtId child : block->body) look_at(child);
    }
  }

 private:
  struct Sized {
    const std::vector<ExprId>* dims;
    bool fixed;
    Span at;
  };

  void look_at_loop(const std::vector<Clause>& invariants, StmtId body) {
    const std::size_t before = known_.size();
    for (const Clause& clause : invariants) {
      for (ExprId part : parts_of(clause)) look_at(part);
      if (clause.kind == ClauseKind::Invariant) know(clause.expr);
    }
    look_at(body);
    known_.resize(before);
  }
  void look_under(ExprId condition, bool holds, StmtId body) {
    const std::size_t before = known_.size();
    add_known(condition, holds);
    look_at(body);
    known_.resize(before);
  }

  void visit(ExprId id) {
    const Expr& expr = tree_.exprs[id];
    if (const auto* both = std::get_if<BinaryExpr>(&expr.node)) {
      visit(both->lhs);
      const std::size_t before = known_.size();
      if (both->op == BinaryOp::And || both->op == BinaryOp::Implies) add_known(both->lhs, true);
      if (both->op == BinaryOp::Or) add_known(both->lhs, false);
      visit(both->rhs);
      // What stands in front of a conjunct behind is known to hold by then as well.
      if (both->op != BinaryOp::And) known_.resize(before);
      if (both->op == BinaryOp::Div || both->op == BinaryOp::Mod) look_at_divisor(both->rhs);
      return;
    }
    if (const auto* choice = std::get_if<IfExpr>(&expr.node)) {
      visit(choice->condition);
      visit_under(choice->condition, true, choice->then_value);
      visit_under(choice->condition, false, choice->else_value);
      return;
    }
    if (std::holds_alternative<IndexExpr>(expr.node)) look_at_element(id);
    for_each_child(expr, [&](ExprId child) { visit(child); });
  }
  void visit_under(ExprId condition, bool holds, ExprId value) {
    const std::size_t before = known_.size();
    add_known(condition, holds);
    visit(value);
    known_.resize(before);
  }

  // What is tested. Whatever is compared with something is taken to be compared with zero: who
  // tests a divisor has thought of it.
  void add_known(ExprId id, bool holds) {
    const auto& node = tree_.exprs[bare(tree_, id)].node;
    if (const auto* quant = std::get_if<QuantExpr>(&node)) return add_known(quant->body, holds);
    if (const auto* no = std::get_if<UnaryExpr>(&node); no != nullptr && no->op == UnaryOp::Not)
      return add_known(no->operand, !holds);
    if (const auto* chain = std::get_if<ChainExpr>(&node))
      known_.insert(known_.end(), chain->operands.begin(), chain->operands.end());
    const auto* both = std::get_if<BinaryExpr>(&node);
    if (both == nullptr) return;
    const bool joined =
        both->op == BinaryOp::And || both->op == BinaryOp::Or || both->op == BinaryOp::Implies;
    if (joined) {
      add_known(both->lhs, holds);
      add_known(both->rhs, holds);
    } else if (is_comparison(both->op)) {
      known_.push_back(both->lhs);
      known_.push_back(both->rhs);
    }
  }

  void look_at_divisor(ExprId divisor) {
    if (divides_ || is_constant(divisor)) return;
    for (ExprId one : known_)
      if (is_same(tree_, one, divisor)) return;
    divides_ = true;
    sink_.report(
        Diagnostic{DiagnosticKind::DoubtfulDivisor, tree_.exprs[divisor].span, {}, {}, {}}.helping(
            "say what holds where it is 0, as in 'd != 0 -> x / d == q', or "
            "multiply instead: 'q * d == x'"));
  }
  // A number, or a constant: who writes that knows what it is.
  [[nodiscard]] bool is_constant(ExprId id) const {
    const auto& node = tree_.exprs[bare(tree_, id)].node;
    if (std::holds_alternative<IntegerExpr>(node) || std::holds_alternative<RealExpr>(node))
      return true;
    if (const auto* name = std::get_if<NameExpr>(&node)) return constants_.contains(name->name);
    if (std::holds_alternative<ModelExpr>(node) || std::holds_alternative<ErrorExpr>(node))
      return true;
    if (const auto* minus = std::get_if<UnaryExpr>(&node)) return is_constant(minus->operand);
    const auto* both = std::get_if<BinaryExpr>(&node);
    return both != nullptr && is_constant(both->lhs) && is_constant(both->rhs);
  }
  // v[i], or A[i][j].
  void look_at_element(ExprId id) {
    const auto& index = std::get<IndexExpr>(tree_.exprs[id].node);
    std::size_t which = 0;
    ExprId base = bare(tree_, index.base);
    if (const auto* row = std::get_if<IndexExpr>(&tree_.exprs[base].node)) {
      which = 1;
      base = bare(tree_, row->base);
    }
    const auto* name = std::get_if<NameExpr>(&tree_.exprs[base].node);
    if (name == nullptr) return;
    const auto it = sizes_.find(name->name);
    if (it == sizes_.end() || which >= it->second.dims->size()) return;
    const ExprId size = (*it->second.dims)[which];
    if (!is_outside(index.index, size, it->second.fixed)) return;
    sink_.report(Diagnostic{DiagnosticKind::ReadsOutside,
                            tree_.exprs[id].span,
                            {std::string(names_.text(name->name))},
                            {},
                            {}}
                     .note(it->second.at, "declared here")
                     .helping("elements are counted from 0, so the last one is that of the size "
                              "less one"));
  }
  [[nodiscard]] bool is_outside(ExprId index, ExprId size, bool fixed) const {
    const auto number = number_of(index), most = number_of(size);
    if (number && (*number < 0 || (most && *number >= *most))) return true;
    if (number || most || !fixed) return false;
    if (is_same(tree_, index, size)) return true;
    const auto* sum = std::get_if<BinaryExpr>(&tree_.exprs[bare(tree_, index)].node);
    return sum != nullptr && sum->op == BinaryOp::Add && is_same(tree_, sum->lhs, size) &&
           number_of(sum->rhs).value_or(-1) >= 0;
  }
  [[nodiscard]] std::optional<std::int64_t> number_of(ExprId id) const {
    const auto& node = tree_.exprs[bare(tree_, id)].node;
    if (const auto* minus = std::get_if<UnaryExpr>(&node);
        minus != nullptr && minus->op == UnaryOp::Negate)
      if (const auto number = number_of(minus->operand)) return -*number;
    const auto* number = std::get_if<IntegerExpr>(&node);
    if (number == nullptr || names_.text(number->text).size() > 15) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : names_.text(number->text)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    return value;
  }

  const Tree& tree_;
  const NameTable& names_;
  const std::set<Name>& constants_;
  DiagnosticSink& sink_;
  bool& divides_;
  std::map<Name, Sized> sizes_;
  std::vector<ExprId> known_;  // what somebody has compared with something
};

void look_at_problem(DoubtfulParts& parts, const ProblemItem& problem) {
  for (const ProblemMember& member : problem.members)
    if (const auto* port = std::get_if<PortMember>(&member.node))
      for (const Param& param : port->params) parts.declare(param, true);
  for (const ProblemMember& member : problem.members)
    if (const auto* need = std::get_if<ConstraintItem>(&member.node)) {
      parts.look_at(need->expr);
      parts.know(need->expr);
    }
  for (const ProblemMember& member : problem.members)
    if (const auto* right = std::get_if<RightMember>(&member.node)) {
      for (const Param& param : right->against) parts.declare(param, true);
      parts.look_at(right->when);
      parts.know(right->when);
      parts.look_at(right->expr);
      parts.know(right->expr);
    }
}

void look_at_function(DoubtfulParts& parts, const FunctionItem& function) {
  for (const Param& param : function.params) parts.declare(param, function.lemma);
  for (const Param& param : function.made) parts.declare(param, function.lemma);
  for (const Clause& clause : function.contract) {
    for (ExprId part : parts_of(clause)) parts.look_at(part);
    if (clause.kind == ClauseKind::Requires) parts.know(clause.expr);
  }
  parts.look_at(function.body);
}

}  // namespace

void warn_of_doubtful(const std::vector<const Tree*>& trees, const NameTable& names,
                      DiagnosticSink& sink) {
  std::set<Name> constants;
  for (const Tree* tree : trees)
    for (const Item& item : tree->items)
      if (const auto* constant = std::get_if<ConstItem>(&item.node))
        constants.insert(constant->name.name);
  bool divides = false;
  for (const Tree* tree : trees) {
    if (tree->derived || tree->has_errors) continue;
    for (const Item& item : tree->items) {
      DoubtfulParts parts(*tree, names, constants, sink, divides);
      if (const auto* problem = std::get_if<ProblemItem>(&item.node))
        look_at_problem(parts, *problem);
      if (const auto* function = std::get_if<FunctionItem>(&item.node))
        look_at_function(parts, *function);
      if (const auto* checker = std::get_if<ProvedCheckerItem>(&item.node)) {
        for (const Param& param : checker->witness) parts.declare(param, true);
        for (const CheckerClause& clause : checker->clauses)
          if (const auto* certifies = std::get_if<CertifiesClause>(&clause.node))
            parts.look_at(certifies->expr);
        parts.look_at(checker->body);
      }
    }
  }
}

}  // namespace leto::check

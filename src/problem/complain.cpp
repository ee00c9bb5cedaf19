#include "problem/complain.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "problem/copy.h"

namespace leto::problem {

using namespace syntax;

namespace {

class Complaints {
 public:
  Complaints(const NameTable& names, DiagnosticSink& sink) : names_(names), sink_(sink) {}

  [[nodiscard]] bool none() const { return none_; }
  [[nodiscard]] const NameTable& names() const { return names_; }
  [[nodiscard]] std::string text(Name name) const { return std::string(names_.text(name)); }
  void report(Diagnostic diagnostic) {
    none_ = false;
    sink_.report(std::move(diagnostic));
  }
  void refuse(DiagnosticKind kind, Span at, std::string what, std::string help) {
    report(Diagnostic{kind, at, {std::move(what)}, {}, {}}.helping(std::move(help)));
  }

 private:
  const NameTable& names_;
  DiagnosticSink& sink_;
  bool none_ = true;
};

bool are_empty(const std::vector<const Param*>& params) {
  return params.empty();
}

// Values are passed as they are: nothing is changed in place, or lies in a region of a problem.
void check_ports(Complaints& c, const Parts& p) {
  for (const auto* ports : {&p.inputs, &p.outputs})
    for (const Param* param : *ports) {
      if (param->inout)
        c.refuse(DiagnosticKind::BadProblem, param->name.span,
                 fmt::format("'{}' of a problem cannot be 'inout'", c.text(param->name.name)),
                 "a problem relates values: leave 'inout' out");
      if (param->type.scalar == Scalar::Bits)
        c.refuse(DiagnosticKind::WordsNotHere, param->type.span, "problems and checkers",
                 "say 'uint', and that it is less than 2^N");
      if (param->type.record.valid())
        c.refuse(DiagnosticKind::BadProblem, param->type.span,
                 fmt::format("'{}' of a problem cannot be a record", c.text(param->name.name)),
                 "name its fields, each by itself");
    }
}

// Nothing may follow from a size that a solver gives: it is a sum or a product of uints, so that it
// is never negative.
bool is_natural(const Tree& tree, ExprId id, const std::vector<const Param*>& known) {
  const auto& node = tree.exprs[id].node;
  if (const auto* paren = std::get_if<ParenExpr>(&node))
    return is_natural(tree, paren->inner, known);
  if (std::holds_alternative<IntegerExpr>(node) || std::holds_alternative<ErrorExpr>(node))
    return true;
  if (const auto* name = std::get_if<NameExpr>(&node)) {
    for (const Param* param : known)
      if (param->name.name == name->name)
        return param->type.scalar == Scalar::Uint && param->type.shape == Shape::Scalar;
    return true;  // a constant: the same for all
  }
  const auto* both = std::get_if<BinaryExpr>(&node);
  return both != nullptr && !both->dotted &&
         (both->op == BinaryOp::Add || both->op == BinaryOp::Mul) &&
         is_natural(tree, both->lhs, known) && is_natural(tree, both->rhs, known);
}

void check_sizes(Complaints& c, const Tree& tree, const std::vector<const Param*>& params,
                 const Parts& p, const std::vector<const Param*>& witness) {
  std::vector<const Param*> known = p.inputs;
  known.insert(known.end(), p.outputs.begin(), p.outputs.end());
  known.insert(known.end(), witness.begin(), witness.end());
  for (const Param* param : params)
    for (ExprId dim : param->dims)
      if (!is_natural(tree, dim, known))
        c.refuse(DiagnosticKind::BadProblem, tree.exprs[dim].span,
                 fmt::format("the size of '{}' is not a sum or a product of uints",
                             c.text(param->name.name)),
                 "a size that could be negative would say something about what is checked: let it "
                 "be a uint of its own, and test it");
}

// What an example may name.
std::set<Name> known_names(const std::vector<const Tree*>& trees, const Parts& p) {
  std::set<Name> known;
  for (const auto* ports : {&p.inputs, &p.outputs})
    for (const Param* param : *ports) known.insert(param->name.name);
  for (const FoundChecker& checker : find_checkers(trees))
    if (checker.item->problem.name == p.item->name.name)
      for (const Param& param : checker.item->witness) known.insert(param.name.name);
  return known;
}

// What a checker of the problem calls its witness so; null: none does, or it is an input or output.
const Param* find_witness(const std::vector<const Tree*>& trees, const Parts& p, Name name) {
  for (const auto* ports : {&p.inputs, &p.outputs})
    for (const Param* param : *ports)
      if (param->name.name == name) return nullptr;
  for (const FoundChecker& checker : find_checkers(trees))
    if (checker.item->problem.name == p.item->name.name)
      for (const Param& param : checker.item->witness)
        if (param.name.name == name) return &param;
  return nullptr;
}

bool has_shape(const Literal& value, Shape shape) {
  if (shape == Shape::Scalar) return value.scalar.valid();
  const Shape inner = shape == Shape::Matrix ? Shape::Vector : Shape::Scalar;
  return !value.scalar.valid() &&
         std::all_of(value.elements.begin(), value.elements.end(),
                     [&](const Literal& one) { return has_shape(one, inner); });
}

// A number or a truth as it is written: no expression, of which there are two readings.
bool is_of_type(const Tree& tree, ExprId id, Scalar type) {
  const auto& node = tree.exprs[id].node;
  if (std::holds_alternative<ErrorExpr>(node)) return true;
  if (std::holds_alternative<BoolExpr>(node)) return type == Scalar::Bool;
  if (std::holds_alternative<IntegerExpr>(node)) return type != Scalar::Bool;
  if (std::holds_alternative<RealExpr>(node)) return type == Scalar::Real;
  const auto* minus = std::get_if<UnaryExpr>(&node);
  return minus != nullptr && minus->op == UnaryOp::Negate && !minus->dotted &&
         (type == Scalar::Int || type == Scalar::Real) && is_of_type(tree, minus->operand, type) &&
         !std::holds_alternative<UnaryExpr>(tree.exprs[minus->operand].node);
}

void check_scalars(Complaints& c, const Tree& tree, const Param& param, const Literal& value) {
  for (const Literal& one : value.elements) check_scalars(c, tree, param, one);
  if (!value.scalar.valid() || is_of_type(tree, value.scalar, param.type.scalar)) return;
  c.refuse(DiagnosticKind::BadProblem, value.span,
           fmt::format("this is no value for '{}', which is of type {}", c.text(param.name.name),
                       spelling(param.type.scalar)),
           "write a number as it is, such as -3 or 0.25, or 'true' or 'false'");
}

void check_shape(Complaints& c, const Tree& tree, const Param& param, const Literal& value) {
  if (has_shape(value, param.type.shape)) return check_scalars(c, tree, param, value);
  const std::string_view wanted = param.type.shape == Shape::Scalar ? "one value, without brackets"
                                  : param.type.shape == Shape::Vector
                                      ? "a list, such as [1, 2]"
                                      : "rows, such as [[1, 2], [3, 4]]";
  c.refuse(DiagnosticKind::BadProblem, value.span,
           fmt::format("'{}' takes {}", c.text(param.name.name), wanted),
           "write the value in the form of its type");
}

// Every input and every output has one value of its form.
void check_example(Complaints& c, const std::vector<const Tree*>& trees, const Parts& p,
                   const ExampleMember& example, Span at, const std::set<Name>& known) {
  std::set<Name> given;
  for (const Given& one : example.given) {
    const std::string name = c.text(one.name.name);
    if (!known.contains(one.name.name))
      c.refuse(DiagnosticKind::BadProblem, one.name.span,
               fmt::format("'{}' is no input or output of the problem", name),
               "name the inputs and the outputs, or what a checker takes as a witness");
    else if (!given.insert(one.name.name).second)
      c.refuse(DiagnosticKind::BadProblem, one.name.span, fmt::format("'{}' is given twice", name),
               "leave one of them out");
  }
  for (const auto* ports : {&p.inputs, &p.outputs})
    for (const Param* param : *ports) {
      if (!given.contains(param->name.name))
        c.refuse(DiagnosticKind::BadProblem, at,
                 fmt::format("the example says nothing of '{}'", c.text(param->name.name)),
                 "give every input and every output a value");
      for (const Given& one : example.given)
        if (one.name.name == param->name.name) check_shape(c, *p.tree, *param, one.value);
    }
  for (const Given& one : example.given)
    if (const Param* witness = find_witness(trees, p, one.name.name))
      check_shape(c, *p.tree, *witness, one.value);
  if (example.against.empty()) return;
  std::vector<const RightMember*> fitting;
  for (const RightMember* right : p.rights)
    if (right->against.size() == example.against.size()) fitting.push_back(right);
  if (fitting.size() == 1)
    for (std::size_t i = 0; i < example.against.size(); ++i)
      check_shape(c, *p.tree, fitting[0]->against[i], example.against[i]);
  if (fitting.empty())
    c.refuse(DiagnosticKind::BadProblem, at,
             fmt::format("no clause has {} challenger{}", example.against.size(),
                         example.against.size() == 1 ? "" : "s"),
             "give a value for each challenger of one 'right against' clause");
}

void check_examples(Complaints& c, const std::vector<const Tree*>& trees, const Parts& p) {
  const std::set<Name> known = known_names(trees, p);
  bool right = false, wrong = false;
  for (const ProblemMember& member : p.item->members)
    if (const auto* example = std::get_if<ExampleMember>(&member.node)) {
      (example->right ? right : wrong) = true;
      check_example(c, trees, p, *example, member.span, known);
    }
  const std::string name = c.text(p.item->name.name);
  if (!right || !wrong)
    c.refuse(DiagnosticKind::BadProblem, p.item->name.span,
             fmt::format("problem '{}' has no example that is {}", name, right ? "wrong" : "right"),
             fmt::format("add one: 'example (...) {};' shows that the problem says what is meant",
                         right ? "wrong" : "right"));
}

void check_problem(Complaints& c, const std::vector<const Tree*>& trees, const Parts& p) {
  const std::string name = c.text(p.item->name.name);
  const Parts first = find_problem(trees, p.item->name.name);
  if (first.item != p.item)
    c.report(Diagnostic{DiagnosticKind::DuplicateName, p.item->name.span, {name}, {}, {}}.note(
        first.item->name.span, "declared before here"));
  if (are_empty(p.outputs))
    c.refuse(DiagnosticKind::BadProblem, p.item->name.span,
             fmt::format("problem '{}' has no output", name),
             "say what a solver gives: 'output vector<int> b(n);'");
  if (p.rights.empty())
    c.refuse(DiagnosticKind::BadProblem, p.item->name.span,
             fmt::format("problem '{}' does not say what is right", name),
             "add 'right e;', a claim about the inputs and the outputs");
  std::set<Name> outputs;
  for (const Param* param : p.outputs) outputs.insert(param->name.name);
  for (ExprId need : p.needs)
    if (mentions(*p.tree, need, outputs))
      c.refuse(DiagnosticKind::BadProblem, p.tree->exprs[need].span,
               "what a problem requires is about its inputs, and this names an output",
               "nothing is known of an output: write it as a 'right' clause");
  check_ports(c, p);
  check_sizes(c, *p.tree, p.outputs, p, {});
  if (!p.outputs.empty() && !p.rights.empty()) check_examples(c, trees, p);
}

// Checkers ---------------------------------------------------------------------------

Name base_name(const Tree& tree, ExprId id) {
  const auto& node = tree.exprs[id].node;
  if (const auto* field = std::get_if<FieldExpr>(&node)) return base_name(tree, field->base);
  if (const auto* member = std::get_if<MemberExpr>(&node)) return member->scope.name;
  if (const auto* name = std::get_if<NameExpr>(&node)) return name->name;
  if (const auto* index = std::get_if<IndexExpr>(&node)) return base_name(tree, index->base);
  return {};
}

// What is passed stays as it is; and somewhere it says yes.
class BodyCheck {
 public:
  BodyCheck(Complaints& c, const Tree& tree, std::set<Name> params)
      : c_(c), tree_(tree), params_(std::move(params)) {}

  void visit(StmtId id) {
    if (!id.valid()) return;
    const auto& node = tree_.stmts[id].node;
    if (const auto* decl = std::get_if<DeclStmt>(&node)) {
      // That it hides a parameter is said elsewhere.
      for (const Declarator& one : decl->declarators) {
        params_.erase(one.name.name);
        declared_.insert(one.name.name);
      }
    } else if (const auto* assign = std::get_if<AssignStmt>(&node)) {
      refuse_target(assign->target);
    } else if (const auto* step = std::get_if<StepStmt>(&node)) {
      refuse_target(step->target);
    } else if (const auto* many = std::get_if<SpreadStmt>(&node)) {
      for (ExprId target : many->targets) refuse_target(target);
    } else if (const auto* back = std::get_if<ReturnStmt>(&node)) {
      returns_ = true;
      const auto* fixed =
          back->value.valid() ? std::get_if<BoolExpr>(&tree_.exprs[back->value].node) : nullptr;
      const bool gives_up = is_giving_up(tree_, tree_.stmts[id], c_.names());
      if (gives_up) refuse_variable(tree_.stmts[id].span);
      accepts_ = accepts_ || (fixed == nullptr && !gives_up) || (fixed != nullptr && fixed->value);
    } else if (const auto* claim = std::get_if<ClaimStmt>(&node)) {
      if (claim->kind == AssertionKind::Assume)
        c_.refuse(DiagnosticKind::BadChecker, tree_.stmts[id].span,
                  "a checker cannot assume anything: nobody would know that it is so",
                  "test it and return false, or prove it: 'assert'");
    } else if (const auto* branch = std::get_if<IfStmt>(&node)) {
      visit(branch->then_branch);
      visit(branch->else_branch);
    } else if (const auto* loop = std::get_if<WhileStmt>(&node)) {
      visit(loop->body);
    } else if (const auto* range = std::get_if<ForStmt>(&node)) {
      visit(range->init);
      visit(range->step);
      visit(range->body);
    } else if (const auto* repeat = std::get_if<RepeatStmt>(&node)) {
      visit(repeat->body);
    } else if (const auto* attempt = std::get_if<TryStmt>(&node)) {
      visit(attempt->body);
      visit(attempt->recover);
    } else if (const auto* block = std::get_if<BlockStmt>(&node)) {
      for (StmtId child : block->body) visit(child);
    }
  }
  [[nodiscard]] bool never_accepts() const { return returns_ && !accepts_; }

 private:
  // Nobody would know which of the two is meant.
  void refuse_variable(Span at) {
    for (const auto* names : {&params_, &declared_})
      for (Name name : *names)
        if (c_.text(name) == "unknown")
          return c_.refuse(DiagnosticKind::BadChecker, at,
                           "'return unknown' gives up, and there is a variable of that name",
                           "give the variable another name");
  }
  void refuse_target(ExprId target) {
    const Name name = base_name(tree_, target);
    if (!name.valid() || !params_.contains(name)) return;
    c_.report(Diagnostic{
        DiagnosticKind::CheckerAssigns, tree_.exprs[target].span, {c_.text(name)}, {}, {}}
                  .helping("work on a copy: what is checked is what is used"));
  }

  Complaints& c_;
  const Tree& tree_;
  std::set<Name> params_, declared_;
  bool returns_ = false, accepts_ = false;
};

void check_clauses(Complaints& c, const ProvedCheckerItem& checker) {
  const CertifiesClause* certifies = certifies_of(checker);
  const ExistsClause* exists = exists_of(checker);
  for (const CheckerClause& clause : checker.clauses) {
    const auto* one = std::get_if<CertifiesClause>(&clause.node);
    const auto* other = std::get_if<ExistsClause>(&clause.node);
    if ((one != nullptr && one != certifies) || (other != nullptr && other != exists))
      c.refuse(DiagnosticKind::BadChecker, clause.span, "this clause is there already",
               "join them with '&&', or leave one of them out");
    if (std::holds_alternative<UnderClause>(clause.node)) continue;
    if (const auto* within = std::get_if<WithinClause>(&clause.node)) {
      if (within != within_of(checker))
        c.refuse(DiagnosticKind::BadChecker, clause.span, "this clause is there already",
                 "leave one of them out");
      continue;
    }
    if (checker.witness.empty())
      c.refuse(DiagnosticKind::BadChecker, clause.span,
               "the checker takes no witness that this could be about",
               "name one: 'with (vector<real> y(m))', or leave the clause out");
  }
}

// One of a kind for each model, and 'unless' says something.
void check_unders(Complaints& c, const Tree& tree, const ProvedCheckerItem& checker) {
  const std::vector<Under> unders = unders_of(checker);
  for (const CheckerClause& clause : checker.clauses) {
    const auto* under = std::get_if<UnderClause>(&clause.node);
    if (under == nullptr) continue;
    for (const Under& one : unders)
      if (one.model.name == under->model.name &&
          under != (under->complete ? one.complete : one.sound))
        c.refuse(DiagnosticKind::BadChecker, clause.span, "this clause is there already",
                 under->complete ? "join what stands behind 'unless' with '||'"
                                 : "leave one of them out");
    if (!under->complete) continue;
    const auto* fixed = std::get_if<BoolExpr>(&tree.exprs[under->unless].node);
    if (fixed != nullptr && fixed->value)
      c.refuse(DiagnosticKind::BadChecker, tree.exprs[under->unless].span,
               "'unless true' promises nothing",
               "say when it may reject what is right, such as 'unless model.upset'");
  }
}

std::set<Name> params_of(const ProvedCheckerItem& checker, const Parts& problem) {
  std::set<Name> params;
  for (const auto* ports : {&problem.inputs, &problem.outputs})
    for (const Param* param : *ports) params.insert(param->name.name);
  for (const Param& param : checker.witness) params.insert(param.name.name);
  return params;
}

// Where names are declared in a body.
void find_declared(const Tree& tree, StmtId id, std::map<Name, std::vector<Span>>& found) {
  if (!id.valid()) return;
  const auto& node = tree.stmts[id].node;
  if (const auto* decl = std::get_if<DeclStmt>(&node)) {
    for (const Declarator& one : decl->declarators) found[one.name.name].push_back(one.name.span);
  } else if (const auto* branch = std::get_if<IfStmt>(&node)) {
    find_declared(tree, branch->then_branch, found);
    find_declared(tree, branch->else_branch, found);
  } else if (const auto* loop = std::get_if<WhileStmt>(&node)) {
    find_declared(tree, loop->body, found);
  } else if (const auto* range = std::get_if<ForStmt>(&node)) {
    find_declared(tree, range->init, found);
    find_declared(tree, range->body, found);
  } else if (const auto* repeat = std::get_if<RepeatStmt>(&node)) {
    find_declared(tree, repeat->body, found);
  } else if (const auto* attempt = std::get_if<TryStmt>(&node)) {
    find_declared(tree, attempt->body, found);
    find_declared(tree, attempt->recover, found);
  } else if (const auto* block = std::get_if<BlockStmt>(&node)) {
    for (StmtId child : block->body) find_declared(tree, child, found);
  }
}

std::string told_shared(const Complaints& c, Name name) {
  return fmt::format("'{}' depends on a challenger, and another variable has its name",
                     c.text(name));
}

// What is left out with the challengers is known by its name, so the name is that of one variable.
void check_names(Complaints& c, const Tree& tree, const ProvedCheckerItem& checker,
                 const Parts& problem) {
  std::set<Name> challengers;
  for (const Param* param : problem.challengers()) challengers.insert(param->name.name);
  std::map<Name, std::vector<Span>> declared;
  find_declared(tree, checker.body, declared);
  for (Name name : spread(tree, checker.body, challengers)) {
    std::vector<Span> places;
    for (const Param* param : problem.challengers())
      if (param->name.name == name && places.empty()) places.push_back(param->name.span);
    places.insert(places.end(), declared[name].begin(), declared[name].end());
    for (std::size_t i = 1; i < places.size(); ++i)
      c.report(Diagnostic{DiagnosticKind::BadChecker, places[i], {told_shared(c, name)}, {}, {}}
                   .note(places[0], "the other one is declared here")
                   .helping("give one of them another name"));
  }
}

void check_witness(Complaints& c, const std::vector<const Tree*>& trees, const Tree& tree,
                   const ProvedCheckerItem& checker, const Parts& problem) {
  for (const FoundChecker& first : find_checkers(trees)) {
    if (first.item == &checker) break;
    if (first.item->name.name != checker.name.name) continue;
    c.report(Diagnostic{
        DiagnosticKind::DuplicateName, checker.name.span, {c.text(checker.name.name)}, {}, {}}
                 .note(first.item->name.span, "declared before here"));
    break;
  }
  std::vector<const Param*> witness;
  std::set<Name> names;
  for (const Param& param : checker.witness) {
    witness.push_back(&param);
    names.insert(param.name.name);
  }
  check_sizes(c, tree, witness, problem, witness);
  if (mentions(tree, checker.when, names))
    c.refuse(DiagnosticKind::BadChecker, tree.exprs[checker.when].span,
             "'when' says which results the checker is for, and this names the witness",
             "what is asked of a witness belongs into 'certifies'");
  check_names(c, tree, checker, problem);
}

void report_unknown(Complaints& c, const std::vector<const Tree*>& trees, const Ident& problem) {
  NearestName nearest(c.text(problem.name));
  for (const Tree* other : trees)
    for (const Item& item : other->items)
      if (const auto* known = std::get_if<ProblemItem>(&item.node))
        nearest.offer(c.text(known->name.name));
  Diagnostic d{
      DiagnosticKind::UnknownName, problem.span, {"problem", c.text(problem.name)}, {}, {}};
  if (!nearest.best().empty())
    d.help = Help{fmt::format("did you mean '{}'?", nearest.best()),
                  Edit{problem.span, std::string(nearest.best())}};
  c.report(std::move(d));
}

void check_checker(Complaints& c, const std::vector<const Tree*>& trees, const Tree& tree,
                   const ProvedCheckerItem& checker, const Parts& problem) {
  if (problem.item == nullptr) return report_unknown(c, trees, checker.problem);
  check_clauses(c, checker);
  check_unders(c, tree, checker);
  check_witness(c, trees, tree, checker, problem);
  BodyCheck body(c, tree, params_of(checker, problem));
  body.visit(checker.body);
  if (body.never_accepts())
    c.report(Diagnostic{
        DiagnosticKind::NeverAccepts, checker.name.span, {c.text(checker.name.name)}, {}, {}}
                 .helping("return true, or a test, where nothing is wrong"));
}

}  // namespace

namespace {

std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

bool is_well_used(const std::vector<const Tree*>& trees, const CallExpr& use,
                  const NameTable& names, DiagnosticSink& sink) {
  Complaints c(names, sink);
  const Parts problem = find_problem(trees, use.of->problem.name);
  if (problem.item == nullptr) {
    report_unknown(c, trees, use.of->problem);
    return false;
  }
  const std::string name = c.text(use.of->problem.name);
  const auto refuse = [&](std::string what, std::string help) {
    c.report(Diagnostic{DiagnosticKind::BadRight, use.of->problem.span, {std::move(what)}, {}, {}}
                 .note(problem.item->name.span, "the problem is declared here")
                 .helping(std::move(help)));
  };
  const auto compare = [&](std::size_t given, std::size_t wanted, std::string_view what) {
    if (given != wanted)
      refuse(fmt::format("problem '{}' has {}, and {} given", name, counted(wanted, what),
                         given == 1 ? "1 is" : fmt::format("{} are", given)),
             fmt::format("write '{}.right(inputs; outputs)', with a value for each", name));
  };
  compare(use.of->inputs, problem.inputs.size(), "input");
  compare(use.of->outputs, problem.outputs.size(), "output");
  const std::size_t challengers = use.args.size() - use.of->inputs - use.of->outputs;
  const auto has_as_many = [&](const RightMember* right) {
    return right->against.size() == challengers;
  };
  if (std::none_of(problem.rights.begin(), problem.rights.end(), has_as_many) && challengers > 0)
    refuse(
        fmt::format("no clause of problem '{}' has {}", name, counted(challengers, "challenger")),
        "name as many as one of its 'right against' clauses has");
  else if (!problem.clauses_of(challengers))
    refuse(fmt::format("clauses of problem '{}' have {} of several types", name,
                       counted(challengers, "challenger")),
           "write the clause that is meant by itself");
  return c.none();
}

// That it exists, and has as many inputs and outputs, is said of what stands for its clauses.
void check_bounds(const std::vector<const Tree*>& trees, const FunctionItem& function,
                  const NameTable& names, DiagnosticSink& sink) {
  Complaints c(names, sink);
  for (const ReliabilityClause& clause : function.reliability) {
    if (!clause.of) continue;
    const Parts problem = find_problem(trees, clause.of->problem.name);
    if (problem.item == nullptr || problem.challengers().empty()) continue;
    c.report(Diagnostic{DiagnosticKind::BadBound,
                        clause.of->problem.span,
                        {fmt::format("problem '{}' has clauses against challengers, and a program "
                                     "learns of no challenger what is right",
                                     c.text(problem.item->name.name))},
                        {},
                        {}}
                 .note(problem.challengers()[0]->name.span, "a challenger is declared here")
                 .helping("where the challenger is a number with bounds, write 'right forall'"));
  }
}

bool is_well_made(const std::vector<const Tree*>& trees, const Parts& problem,
                  const NameTable& names, DiagnosticSink& sink) {
  Complaints c(names, sink);
  check_problem(c, trees, problem);
  return c.none();
}

bool is_well_made(const std::vector<const Tree*>& trees, const Tree& tree,
                  const ProvedCheckerItem& checker, const Parts& problem, const NameTable& names,
                  DiagnosticSink& sink) {
  Complaints c(names, sink);
  check_checker(c, trees, tree, checker, problem);
  return c.none();
}

}  // namespace leto::problem

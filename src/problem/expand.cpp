#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "problem/complain.h"
#include "problem/copy.h"
#include "problem/problem.h"

namespace leto::problem {

using namespace syntax;

namespace {

constexpr std::uint32_t kOfFunction = 0xffffffffu;

// A tree with one function in it, while it is being made.
class Maker {
 public:
  Maker(FileId file, NameTable& names, Role role, std::string_view name, Span at) : names_(names) {
    tree_.file = file;
    tree_.derived = true;
    function_.role = role;
    // What is promised stands there too, and declares its result there.
    function_.name = {names.intern(name), at};
    function_.name.span.copy = kOfFunction;
    function_.type.span = at;
    at_ = at;
  }

  [[nodiscard]] Tree& tree() { return tree_; }
  [[nodiscard]] FunctionItem& function() { return function_; }
  [[nodiscard]] ExprId name(Name name, Span at) { return tree_.exprs.add({at, NameExpr{name}}); }
  [[nodiscard]] ExprId named(std::string_view text, Span at) {
    return name(names_.intern(text), at);
  }
  [[nodiscard]] ExprId number(std::size_t value, Span at) {
    return tree_.exprs.add({at, IntegerExpr{names_.intern(std::to_string(value))}});
  }
  [[nodiscard]] ExprId binary(BinaryOp op, ExprId lhs, ExprId rhs, Span at) {
    return tree_.exprs.add({at, BinaryExpr{op, false, lhs, rhs, at}});
  }
  [[nodiscard]] ExprId both(ExprId lhs, ExprId rhs, Span at) {
    return !lhs.valid() ? rhs : !rhs.valid() ? lhs : binary(BinaryOp::And, lhs, rhs, at);
  }
  [[nodiscard]] ExprId truth(bool value) { return tree_.exprs.add({at_, BoolExpr{value}}); }
  [[nodiscard]] std::ptrdiff_t promises() const {
    return std::count_if(function_.contract.begin(), function_.contract.end(),
                         [](const Clause& clause) { return clause.kind == ClauseKind::Ensures; });
  }
  void clause(ClauseKind kind, ExprId expr) {
    if (expr.valid()) function_.contract.push_back({kind, expr, tree_.exprs[expr].span});
  }
  [[nodiscard]] StmtId block(std::vector<StmtId> body, Span at) {
    return tree_.stmts.add({at, BlockStmt{std::move(body)}});
  }
  [[nodiscard]] Tree finish(Span whole) {
    tree_.items.push_back({whole, std::move(function_)});
    return std::move(tree_);
  }
  [[nodiscard]] Tree finish(PropertyItem property, Span whole) {
    tree_.items.push_back({whole, std::move(property)});
    return std::move(tree_);
  }
  [[nodiscard]] Span at() const { return at_; }
  // What is declared in one copy is another thing than in the next.
  [[nodiscard]] Copier copier(const Tree& from, CopyOptions options = {true, {}, {}}) {
    options.copy = ++copies_;
    return Copier(from, tree_, std::move(options));
  }

 private:
  Tree tree_;
  FunctionItem function_;
  NameTable& names_;
  Span at_;
  std::uint32_t copies_ = 0;
};

class Expander {
 public:
  Expander(const std::vector<const Tree*>& trees, NameTable& names, DiagnosticSink& sink)
      : trees_(trees), names_(names), sink_(sink) {}

  std::deque<Tree> run() {
    find_uses();
    for (const Tree* tree : trees_)
      for (const Item& item : tree->items)
        if (const auto* function = std::get_if<FunctionItem>(&item.node))
          check_bounds(trees_, *function, names_, sink_);
    for (const Tree* tree : trees_)
      for (const Item& item : tree->items)
        if (const auto* problem = std::get_if<ProblemItem>(&item.node)) {
          const Parts parts = take_apart(*tree, *problem);
          if (is_well_made(trees_, parts, names_, sink_)) expand(parts, item.span);
        }
    for (const Tree* tree : trees_)
      for (const Item& item : tree->items)
        if (const auto* checker = std::get_if<ProvedCheckerItem>(&item.node)) {
          const Parts parts = find_problem(trees_, checker->problem.name);
          if (is_well_made(trees_, *tree, *checker, parts, names_, sink_))
            expand(*tree, *checker, parts, item.span);
        }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string text(const Ident& ident) const {
    return std::string(names_.text(ident.name));
  }

  void take_params(Maker& maker, const Tree& from, const std::vector<const Param*>& params,
                   bool exact, bool ghost = false) {
    Copier copy = maker.copier(from, {exact, {}, {}});
    for (const Param* param : params) {
      maker.function().params.push_back(copy.param(*param));
      maker.function().params.back().ghost = ghost;
    }
  }
  static std::vector<const Param*> all(const std::vector<Param>& params) {
    std::vector<const Param*> out;
    for (const Param& param : params) out.push_back(&param);
    return out;
  }
  void take_needs(Maker& maker, const Parts& p) {
    Copier copy = maker.copier(*p.tree);
    for (ExprId need : p.needs) maker.clause(ClauseKind::Requires, copy.expr(need));
  }

  // Problems -----------------------------------------------------------------------

  void expand(const Parts& p, Span whole) {
    make_requires(p, whole);
    const std::string problem = text(p.item->name);
    for (std::size_t k = 0; k < p.rights.size(); ++k)
      make_right(p, *p.rights[k], right_name(problem, k), whole);
    for (std::size_t k = 0; k < p.surely.size(); ++k)
      make_right(p, *p.surely[k], surely_name(problem, k), whole);
    if (!p.surely.empty()) make_implied(p, whole);
    for (const std::size_t challengers : named_[p.item->name.name])
      make_property(p, challengers, whole);
    if (p.unique != nullptr) make_unique(p, whole);
    for (std::size_t e = 0; e < p.examples.size(); ++e)
      for (std::size_t k = 0; k < p.rights.size(); ++k)
        if (p.examples[e]->right && !p.rights[k]->against.empty()) make_case(p, e, k, whole);
  }

  // A function of values that does nothing: whether they are what the problem requires.
  void make_requires(const Parts& p, Span whole) {
    Maker m(p.tree->file, names_, Role::Right, requires_name(text(p.item->name)),
            p.item->name.span);
    take_params(m, *p.tree, p.inputs, true);
    take_params(m, *p.tree, p.outputs, true);
    take_needs(m, p);
    m.function().body = m.block({}, whole);
    out_.push_back(m.finish(whole));
  }
  // A function of values that fails where the clause does not hold.
  void make_right(const Parts& p, const RightMember& right, const std::string& name, Span whole) {
    Maker m(p.tree->file, names_, Role::Right, name, p.item->name.span);
    begin_values(m, p, right);
    finish_claim(m, p, right, whole);
  }

  // With how many challengers the clauses of problems are named. Nobody else needs a property.
  void find_uses() {
    for (const Tree* tree : trees_)
      for (const Expr& expr : tree->exprs)
        if (const auto* call = std::get_if<CallExpr>(&expr.node); call != nullptr && call->of)
          if (is_well_used(trees_, *call, names_, sink_))
            named_[call->of->problem.name].insert(call->args.size() - call->of->inputs -
                                                  call->of->outputs);
  }
  void make_property(const Parts& p, std::size_t challengers, Span whole) {
    const std::string name = name_of_right(text(p.item->name), challengers);
    Maker m(p.tree->file, names_, Role::Right, name, p.item->name.span);
    take_params(m, *p.tree, p.inputs, true);
    take_params(m, *p.tree, p.outputs, true);
    const std::vector<const RightMember*> clauses = *p.clauses_of(challengers);
    const RightMember* first = nullptr;
    ExprId all = {};
    for (const RightMember* right : clauses) {
      if (first == nullptr && !right->against.empty()) first = right;
      // Clauses may call the same challenger by several names, and what is bound in one of them by
      // the name that the next one has for it.
      CopyOptions options{true, {}, {}};
      for (std::size_t i = 0; i < right->against.size(); ++i)
        options.renamed[right->against[i].name.name] =
            names_.intern(text(first->against[i].name) + "'");
      Copier copy = m.copier(*p.tree, std::move(options));
      for (const Param& param : right->against)
        if (right == first) m.function().params.push_back(copy.param(param));
      ExprId claim = copy.expr(right->expr);
      if (right->when.valid())
        claim = m.binary(BinaryOp::Implies, copy.expr(right->when), claim, m.at());
      all = m.both(all, claim, m.at());
    }
    PropertyItem property{false, {m.function().name}, std::move(m.function().params), {}};
    for (Param& param : property.params) param.dims.clear();
    property.body = all.valid() ? all : m.truth(true);
    out_.push_back(m.finish(std::move(property), whole));
  }

  // What is surely right is right: a lemma, and one more for each clause with challengers.
  void make_implied(const Parts& p, Span whole) {
    const std::string problem = text(p.item->name);
    Maker m = begin_implied(p, implied_name(problem));
    for (const RightMember* right : p.rights)
      if (right->against.empty()) ensure(m, p, *right);
    if (m.promises() > 0) finish_implied(m, whole);
    for (std::size_t k = 0; k < p.rights.size(); ++k) {
      const RightMember& right = *p.rights[k];
      if (right.against.empty()) continue;
      Maker other = begin_implied(p, implied_name(problem, k));
      take_params(other, *p.tree, all(right.against), true);
      Copier copy = other.copier(*p.tree);
      other.clause(ClauseKind::Requires, copy.expr(right.when));
      ensure(other, p, right);
      finish_implied(other, whole);
    }
  }
  Maker begin_implied(const Parts& p, const std::string& name) {
    Maker m(p.tree->file, names_, Role::Surely, name, p.item->name.span);
    m.function().lemma = true;
    take_params(m, *p.tree, p.inputs, true);
    take_params(m, *p.tree, p.outputs, true);
    take_needs(m, p);
    Copier copy = m.copier(*p.tree);
    for (const RightMember* right : p.surely)
      m.clause(ClauseKind::Requires, copy.expr(right->expr));
    return m;
  }
  void ensure(Maker& m, const Parts& p, const RightMember& right) {
    Copier copy = m.copier(*p.tree);
    m.clause(ClauseKind::Ensures, copy.expr(right.expr));
  }
  void finish_implied(Maker& m, Span whole) {
    m.function().body = m.block({}, whole);
    out_.push_back(m.finish(whole));
  }
  void begin_values(Maker& m, const Parts& p, const RightMember& right) {
    take_params(m, *p.tree, p.inputs, true);
    take_params(m, *p.tree, p.outputs, true);
    take_params(m, *p.tree, all(right.against), true);
    take_needs(m, p);
    Copier copy = m.copier(*p.tree);
    m.clause(ClauseKind::Requires, copy.expr(right.when));
  }
  void finish_claim(Maker& m, const Parts& p, const RightMember& right, Span whole) {
    Copier copy = m.copier(*p.tree);
    const ExprId claim = copy.expr(right.expr);
    const Span at = m.tree().exprs[claim].span;
    const StmtId stmt = m.tree().stmts.add({at, ClaimStmt{AssertionKind::Assert, claim}});
    m.function().body = m.block({stmt}, whole);
    out_.push_back(m.finish(whole));
  }

  // The same of the values of an example: the challengers alone are free.
  void make_case(const Parts& p, std::size_t e, std::size_t k, Span whole) {
    Maker m(p.tree->file, names_, Role::RightCase, case_name(text(p.item->name), e, k),
            p.item->name.span);
    begin_values(m, p, *p.rights[k]);
    for (const Given& given : p.examples[e]->given)
      if (is_port(p, given.name.name))
        equate(m, *p.tree, m.name(given.name.name, given.name.span), given.value);
    finish_claim(m, p, *p.rights[k], whole);
  }
  static bool is_port(const Parts& p, Name name) {
    for (const auto* ports : {&p.inputs, &p.outputs})
      for (const Param* param : *ports)
        if (param->name.name == name) return true;
    return false;
  }
  void equate(Maker& m, const Tree& from, ExprId what, const Literal& value) {
    if (value.scalar.valid()) {
      Copier copy = m.copier(from);
      m.clause(ClauseKind::Requires,
               m.binary(BinaryOp::Eq, what, copy.expr(value.scalar), value.span));
      return;
    }
    for (std::size_t i = 0; i < value.elements.size(); ++i) {
      const ExprId index = m.number(i, value.span);
      const ExprId base = copy_of(m, what);
      equate(m, from, m.tree().exprs.add({value.span, IndexExpr{base, index}}), value.elements[i]);
    }
  }

  // A name, with indices.
  static ExprId copy_of(Maker& m, ExprId id) {
    Expr expr = m.tree().exprs[id];
    if (auto* index = std::get_if<IndexExpr>(&expr.node)) {
      index->base = copy_of(m, index->base);
      index->index = copy_of(m, index->index);
    }
    return m.tree().exprs.add(std::move(expr));
  }

  // Two results that are right for the same inputs are equal.
  void make_unique(const Parts& p, Span whole) {
    Maker m(p.tree->file, names_, Role::Unique, unique_name(text(p.item->name)), p.item->name.span);
    m.function().lemma = true;
    take_params(m, *p.tree, p.inputs, true);
    take_params(m, *p.tree, p.outputs, true);
    CopyOptions renamed{true, {}, {}};
    for (const Param* param : p.outputs)
      renamed.renamed[param->name.name] = names_.intern(text(param->name) + "'");
    Copier first = m.copier(*p.tree), second = m.copier(*p.tree, renamed);
    for (const Param* param : p.outputs) {
      Param other = second.param(*param);
      m.function().params.push_back(std::move(other));
    }
    take_needs(m, p);
    for (Copier* copy : {&first, &second})
      for (const RightMember* right : p.rights)
        if (right->against.empty()) m.clause(ClauseKind::Requires, copy->expr(right->expr));
    for (const Param* param : p.outputs)
      m.clause(ClauseKind::Ensures,
               m.binary(BinaryOp::Eq, m.name(param->name.name, m.at()),
                        m.name(renamed.renamed.at(param->name.name), m.at()), m.at()));
    std::vector<StmtId> body;
    if (p.unique->lemma) body.push_back(call(m, *p.unique->lemma));
    m.function().body = m.block(std::move(body), whole);
    out_.push_back(m.finish(whole));
  }
  // The lemma, of all parameters.
  StmtId call(Maker& m, const Ident& lemma) {
    return m.tree().stmts.add({lemma.span, CallStmt{application(m, lemma)}});
  }
  ExprId application(Maker& m, const Ident& lemma) {
    CallExpr call{lemma, {}};
    for (const Param& param : m.function().params)
      call.args.push_back(m.name(param.name.name, lemma.span));
    return m.tree().exprs.add({lemma.span, std::move(call)});
  }

  // Checkers -----------------------------------------------------------------------

  void expand(const Tree& tree, const ProvedCheckerItem& c, const Parts& p, Span whole) {
    std::set<Name> challengers;
    for (const Param* param : p.challengers()) challengers.insert(param->name.name);
    make_checker(tree, c, p, Role::Checker, nullptr, text(c.name), challengers, whole);
    make_checker(tree, c, p, Role::Exact, nullptr, exact_name(text(c.name)), challengers, whole);
    if (can_give_up({&tree, &c}, names_)) {
      make_checker(tree, c, p, Role::Decided, nullptr, decided_name(text(c.name)), challengers,
                   whole);
      make_checker(tree, c, p, Role::Run, nullptr, run_name(text(c.name)), challengers, whole);
      make_checker(tree, c, p, Role::ExactRun, nullptr, exact_run_name(text(c.name)), challengers,
                   whole);
    }
    for (std::size_t k = 0; k < p.rights.size(); ++k) {
      if (p.rights[k]->against.empty()) continue;
      std::set<Name> others = challengers;
      for (const Param& param : p.rights[k]->against) others.erase(param.name.name);
      make_checker(tree, c, p, Role::Against, p.rights[k], against_name(text(c.name), k), others,
                   whole);
    }
    for (const Under& under : unders_of(c)) expand(tree, c, p, under, whole);
    if (within_of(c) != nullptr) make_within(tree, c, p, whole);
    make_never(tree, c, p, whole);
    if (c.witness.empty()) return;
    make_certified(tree, c, p, whole);
    if (const ExistsClause* exists = exists_of(c); exists != nullptr && exists->lemma)
      make_witness(tree, c, p, *exists->lemma, whole);
  }

  // What is claimed of its relaxed run.
  void expand(const Tree& tree, const ProvedCheckerItem& c, const Parts& p, const Under& under,
              Span whole) {
    const std::string checker = text(c.name), model = text(under.model);
    Maker m = begin_under(tree, c, p, under, under_name(checker, model));
    for (const RightMember* right : p.rights)
      if (under.sound != nullptr && right->against.empty()) ensure_sound(m, p, *right);
    if (under.complete != nullptr) ensure_complete(m, tree, c, p, under.complete->unless);
    // Nobody has looked at it if it promises nothing.
    if (m.promises() == 0) m.clause(ClauseKind::Ensures, m.truth(true));
    finish_under(m, tree, c, p, nullptr, whole);
    for (std::size_t k = 0; k < p.rights.size() && under.sound != nullptr; ++k) {
      const RightMember& right = *p.rights[k];
      if (right.against.empty()) continue;
      Maker other = begin_under(tree, c, p, under, under_against_name(checker, model, k));
      take_challengers(other, p, right);
      ensure_sound(other, p, right);
      finish_under(other, tree, c, p, &right, whole);
    }
    if (under.complete == nullptr) return;
    Maker always = begin_under(tree, c, p, under, unless_name(checker, model));
    ensure_unless(always, tree, c, p, under.complete->unless);
    finish_under(always, tree, c, p, nullptr, whole);
  }
  Maker begin_under(const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                    const Under& under, const std::string& name) {
    Maker m(tree.file, names_, Role::Under, name, c.name.span);
    m.function().type.scalar = Scalar::Bool;
    m.function().under = under.model.name;
    m.function().ends = true;
    take_values(m, tree, c, p, false);
    take_needs(m, p);
    return m;
  }
  // Where only what is right is excused, the rest is rejected anyway.
  void ensure_unless(Maker& m, const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                     ExprId unless) {
    std::set<Name> values;
    for (const auto* ports : {&p.inputs, &p.outputs})
      for (const Param* param : *ports) values.insert(param->name.name);
    for (const Param& param : c.witness) values.insert(param.name.name);
    Copier copy = m.copier(tree, of_relaxed({}));
    const ExprId excused = copy.expr(unless);
    const ExprId all =
        mentions(tree, unless, values) ? right_and_certified(m, tree, c, p, true) : ExprId{};
    m.clause(ClauseKind::Ensures,
             all.valid() ? m.binary(BinaryOp::Implies, all, excused, m.at()) : excused);
  }
  // `against`: whose challengers are known there; null: none.
  void finish_under(Maker& m, const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                    const RightMember* against, Span whole) {
    std::set<Name> without;
    for (const Param* param : p.challengers()) without.insert(param->name.name);
    if (against != nullptr)
      for (const Param& param : against->against) without.erase(param.name.name);
    CopyOptions options = of_relaxed(spread(tree, c.body, std::move(without)));
    options.names = &names_;
    Copier copy = m.copier(tree, std::move(options));
    m.function().body = with_test(m, tree, c, copy.stmt(c.body));
    out_.push_back(m.finish(whole));
  }
  static CopyOptions of_relaxed(std::set<Name> without) {
    CopyOptions options{false, std::move(without), {}};
    options.relaxed = true;
    return options;
  }
  void take_challengers(Maker& m, const Parts& p, const RightMember& against) {
    take_params(m, *p.tree, all(against.against), true, true);
    Copier copy = m.copier(*p.tree);
    m.clause(ClauseKind::Requires, copy.expr(against.when));
  }

  // `against`: the clause that it is proved for; null: all that have no challenger.
  void make_checker(const Tree& tree, const ProvedCheckerItem& c, const Parts& p, Role role,
                    const RightMember* against, const std::string& name, std::set<Name> without,
                    Span whole) {
    const bool exact = role != Role::Checker && role != Role::Run;
    const bool stops = role == Role::Run || role == Role::ExactRun;
    Maker m(tree.file, names_, role, name, c.name.span);
    m.function().type.scalar = Scalar::Bool;
    m.function().pure = exact && !stops;
    take_values(m, tree, c, p, exact);
    take_needs(m, p);
    if (against != nullptr) {
      take_challengers(m, p, *against);
      ensure_sound(m, p, *against);
    } else if (role == Role::Checker && is_relaxed(tree, c, p)) {
      promise_to_callers(m, tree, c, p);
    } else {
      for (const RightMember* right : p.rights)
        if (right->against.empty() && role != Role::Decided) ensure_sound(m, p, *right);
      // Who gives up says nothing to a caller but that it does not accept.
      if (role != Role::Checker || !can_give_up({&tree, &c}, names_))
        ensure_complete(m, tree, c, p);
    }
    CopyOptions options{exact, spread(tree, c.body, std::move(without)), {}};
    options.names = &names_;
    options.gives_up = role == Role::Decided ? GivesUp::Accepts
                       : stops               ? GivesUp::Stops
                                             : GivesUp::Rejects;
    Copier copy = m.copier(tree, std::move(options));
    m.function().body = with_test(m, tree, c, copy.stmt(c.body));
    out_.push_back(m.finish(whole));
  }
  // Whether a relaxed run of it may be another than the exact one. What it calls is pure.
  static bool is_relaxed(const Tree& tree, const ProvedCheckerItem& c, const Parts& p) {
    const auto lies_apart = [](const Param& param) { return param.attributes.region.has_value(); };
    for (const auto* ports : {&p.inputs, &p.outputs})
      for (const Param* param : *ports)
        if (lies_apart(*param)) return true;
    return std::any_of(c.witness.begin(), c.witness.end(), lies_apart) ||
           problem::is_relaxed(tree, c.body);
  }
  // A program learns of the original run what is proved of the exact one, and of the relaxed run
  // what is claimed under the model that is picked. Nobody has claimed anything under others.
  void promise_to_callers(Maker& m, const Tree& tree, const ProvedCheckerItem& c, const Parts& p) {
    const CopyOptions original = said_of(Side::Original, c, p);
    for (const RightMember* right : p.rights)
      if (right->against.empty()) m.clause(ClauseKind::EnsuresR, sound_of(m, p, *right, original));
    // Who gives up says nothing to a caller but that it does not accept.
    if (!can_give_up({&tree, &c}, names_))
      m.clause(ClauseKind::EnsuresR, complete_of(m, tree, c, p, {}, original));
    for (const Under& under : unders_of(c)) {
      const std::size_t first = m.function().contract.size();
      for (const RightMember* right : p.rights)
        if (under.sound != nullptr && right->against.empty()) ensure_sound(m, p, *right);
      if (under.complete != nullptr)
        m.clause(ClauseKind::EnsuresR,
                 complete_of(m, tree, c, p, under.complete->unless, said_of(Side::Relaxed, c, p)));
      for (std::size_t i = first; i < m.function().contract.size(); ++i)
        m.function().contract[i].under = under.model.name;
    }
  }
  [[nodiscard]] CopyOptions said_of(Side side, const ProvedCheckerItem& c, const Parts& p) {
    CopyOptions options{true, {}, {}};
    options.side = side;
    for (const auto* ports : {&p.inputs, &p.outputs})
      for (const Param* param : *ports) options.sided.insert(param->name.name);
    for (const Param& param : c.witness) options.sided.insert(param.name.name);
    return options;
  }
  // What it is not for it rejects, whatever stands in its body.
  StmtId with_test(Maker& m, const Tree& tree, const ProvedCheckerItem& c, StmtId body) {
    if (!c.when.valid()) return body;
    const Span at = tree.exprs[c.when].span;
    Copier copy = m.copier(tree, {false, {}, {}});
    const ExprId other =
        m.tree().exprs.add({at, UnaryExpr{UnaryOp::Not, false, copy.expr(c.when)}});
    const ExprId no = m.tree().exprs.add({at, BoolExpr{false}});
    const StmtId leave = m.block({m.tree().stmts.add({at, ReturnStmt{no, {}}})}, at);
    const StmtId test = m.tree().stmts.add({at, IfStmt{other, leave, {}}});
    auto& block = std::get<BlockStmt>(m.tree().stmts[body].node);
    block.body.insert(block.body.begin(), test);
    return body;
  }
  void take_values(Maker& m, const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                   bool exact) {
    take_params(m, *p.tree, p.inputs, exact);
    take_params(m, *p.tree, p.outputs, exact);
    take_params(m, tree, all(c.witness), exact);
  }
  void ensure_sound(Maker& m, const Parts& p, const RightMember& right) {
    m.clause(ClauseKind::Ensures, sound_of(m, p, right, {true, {}, {}}));
  }
  ExprId sound_of(Maker& m, const Parts& p, const RightMember& right, CopyOptions options) {
    const Span at = p.tree->exprs[right.expr].span;
    const ExprId result = result_of(m, options, at);
    Copier copy = m.copier(*p.tree, std::move(options));
    return m.binary(BinaryOp::Implies, result, copy.expr(right.expr), at);
  }
  static ExprId result_of(Maker& m, const CopyOptions& options, Span at) {
    const ExprId result = m.named("result", at);
    auto& node = m.tree().exprs[result].node;
    if (options.side) node = SidedExpr{std::get<NameExpr>(node).name, *options.side};
    return result;
  }
  // All that is right and certified; clauses against challengers are left out, so more is proved
  // than is promised.
  ExprId right_and_certified(Maker& m, const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                             bool certified, const CopyOptions& options = {true, {}, {}}) {
    Copier of_problem = m.copier(*p.tree, options), of_checker = m.copier(tree, options);
    ExprId all = {};
    for (const RightMember* right : p.rights)
      if (right->against.empty()) all = m.both(all, of_problem.expr(right->expr), m.at());
    for (const RightMember* right : p.surely)
      all = m.both(all, of_problem.expr(right->expr), m.at());
    all = m.both(all, of_checker.expr(c.when), m.at());
    if (const CertifiesClause* clause = certifies_of(c); clause != nullptr && certified)
      all = m.both(all, of_checker.expr(clause->expr), m.at());
    return all;
  }
  void ensure_complete(Maker& m, const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                       ExprId unless = {}) {
    m.clause(ClauseKind::Ensures, complete_of(m, tree, c, p, unless, {true, {}, {}}));
  }
  // `unless`: of the relaxed run, when it need not; invalid: it has to.
  ExprId complete_of(Maker& m, const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                     ExprId unless, const CopyOptions& options) {
    ExprId result = result_of(m, options, m.at());
    if (unless.valid()) {
      CopyOptions relaxed = of_relaxed({});
      relaxed.side = options.side;
      relaxed.sided = options.sided;
      Copier copy = m.copier(tree, std::move(relaxed));
      result = m.binary(BinaryOp::Or, result, copy.expr(unless), m.at());
    }
    const ExprId all = right_and_certified(m, tree, c, p, true, options);
    return all.valid() ? m.binary(BinaryOp::Implies, all, result, m.at()) : result;
  }

  // A function of values that fails where the witness does not certify them.
  void make_certified(const Tree& tree, const ProvedCheckerItem& c, const Parts& p, Span whole) {
    const CertifiesClause* certifies = certifies_of(c);
    if (certifies == nullptr) return;
    Maker m(tree.file, names_, Role::Certified, certified_name(text(c.name)), c.name.span);
    take_values(m, tree, c, p, true);
    take_needs(m, p);
    Copier copy = m.copier(tree);
    const ExprId claim = copy.expr(certifies->expr);
    const StmtId stmt =
        m.tree().stmts.add({m.tree().exprs[claim].span, ClaimStmt{AssertionKind::Assert, claim}});
    m.function().body = m.block({stmt}, whole);
    out_.push_back(m.finish(whole));
  }

  // A function of values, and of how often loops were run through, that fails where that is too
  // often.
  void make_within(const Tree& tree, const ProvedCheckerItem& c, const Parts& p, Span whole) {
    Maker m(tree.file, names_, Role::Within, within_name(text(c.name)), c.name.span);
    take_values(m, tree, c, p, true);
    take_needs(m, p);
    const Span at = tree.exprs[within_of(c)->expr].span;
    Param count;
    count.type = {Scalar::Uint, Shape::Scalar, at};
    count.name = {names_.intern("loop iterations"), at};
    const Name counted = count.name.name;
    m.function().params.push_back(std::move(count));
    Copier copy = m.copier(tree);
    const ExprId claim =
        m.binary(BinaryOp::Le, m.name(counted, at), copy.expr(within_of(c)->expr), at);
    const StmtId stmt = m.tree().stmts.add({at, ClaimStmt{AssertionKind::Assert, claim}});
    m.function().body = m.block({stmt}, whole);
    out_.push_back(m.finish(whole));
  }

  // A lemma that is not to be proved: nothing is right and certified.
  void make_never(const Tree& tree, const ProvedCheckerItem& c, const Parts& p, Span whole) {
    Maker m(tree.file, names_, Role::Never, never_name(text(c.name)), c.name.span);
    m.function().lemma = true;
    take_values(m, tree, c, p, true);
    take_needs(m, p);
    const ExprId all = right_and_certified(m, tree, c, p, true);
    m.clause(ClauseKind::Ensures,
             all.valid() ? m.tree().exprs.add(
                               {m.at(), UnaryExpr{UnaryOp::Not, false,
                                                  m.tree().exprs.add({m.at(), ParenExpr{all}})}})
                         : m.truth(false));
    m.function().body = m.block({}, whole);
    out_.push_back(m.finish(whole));
  }

  // What is right has a witness, which the lemma makes.
  void make_witness(const Tree& tree, const ProvedCheckerItem& c, const Parts& p,
                    const Ident& lemma, Span whole) {
    Maker m(tree.file, names_, Role::Exists, witness_name(text(c.name)), c.name.span);
    m.function().lemma = true;
    take_params(m, *p.tree, p.inputs, true);
    take_params(m, *p.tree, p.outputs, true);
    const ExprId made = application(m, lemma);
    take_needs(m, p);
    m.clause(ClauseKind::Requires, right_and_certified(m, tree, c, p, false));
    Copier copy = m.copier(tree);
    for (const Param& param : c.witness) m.function().made.push_back(copy.param(param));
    if (const CertifiesClause* certifies = certifies_of(c))
      m.clause(ClauseKind::Ensures, copy.expr(certifies->expr));
    SpreadStmt take{{}, made};
    for (const Param& param : c.witness)
      take.targets.push_back(m.name(param.name.name, lemma.span));
    const StmtId stmt =
        take.targets.size() == 1
            ? m.tree().stmts.add({lemma.span, AssignStmt{take.targets[0], {}, false, made}})
            : m.tree().stmts.add({lemma.span, std::move(take)});
    m.function().body = m.block({stmt}, whole);
    out_.push_back(m.finish(whole));
  }

  const std::vector<const Tree*>& trees_;
  NameTable& names_;
  DiagnosticSink& sink_;
  std::map<Name, std::set<std::size_t>> named_;
  std::deque<Tree> out_;
};

}  // namespace

std::deque<Tree> expand(const std::vector<const Tree*>& trees, NameTable& names,
                        DiagnosticSink& sink) {
  return Expander(trees, names, sink).run();
}

}  // namespace leto::problem

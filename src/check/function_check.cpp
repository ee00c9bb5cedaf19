#include "check/function_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

namespace leto::check {

using namespace syntax;

namespace {

std::string sizes(std::size_t n) {
  if (n == 0) return "no size";
  return fmt::format("{} size{}", n, n == 1 ? "" : "s");
}

std::size_t sizes_of(const Type& type) {
  return type.shape == Shape::Vector ? 1 : type.shape == Shape::Matrix ? 2 : 0;
}

// Who has parameters of the kind.
std::string owner_of(SymbolKind kind) {
  return kind == SymbolKind::PropertyParam     ? "a property"
         : kind == SymbolKind::DefinitionParam ? "a definition"
                                               : "an operator of a model";
}

bool may_be_record(SymbolKind kind) {
  return kind == SymbolKind::Param || kind == SymbolKind::PropertyParam ||
         kind == SymbolKind::DefinitionParam;
}

void refuse_record(Session& session, Span at, std::string what) {
  session.report(
      Diagnostic{DiagnosticKind::NoRecordHere, at, {std::move(what), "a record"}, {}, {}}.helping(
          "pass or keep the fields that are needed, each by itself"));
}

class FunctionChecker {
 public:
  FunctionChecker(Session& session, SymbolId function)
      : session_(session),
        symbol_(session.symbol(function)),
        tree_(session.tree(symbol_.tree)),
        item_(std::get<FunctionItem>(tree_.items[symbol_.item].node)),
        scope_(session),
        exprs_(session, scope_) {
    facts_.symbol = function;
  }

  FunctionFacts run() {
    session_.labels_of_function.clear();
    collect_labels(item_.body);
    Scope::Block block(scope_);
    declare_params(session_, scope_, exprs_, item_.params, SymbolKind::Param, symbol_.tree,
                   item_.lemma);
    refuse_record_params();
    for (const Param& param : item_.params)
      if (param.attributes.region) {
        facts_.relaxed = true;
        refuse_in_lemma(param.attributes.region->span, "a region", kNoRuns);
      }
    check_inouts();
    check_results();
    contract(false);
    declare_made();
    contract(true);
    reliability();
    if (item_.external) {
      external();
      if (item_.pure) check_pure();
      facts_.pure_uses = std::move(exprs_.pure_uses);
      return std::move(facts_);
    }
    statement(item_.body);
    if (returns() && !ends(item_.body)) {
      const Span body = tree_.stmts[item_.body].span;
      session_.report(Diagnostic{
          DiagnosticKind::MissingReturn,
          item_.name.span,
          {session_.text(item_.name.name)},
          {},
          {}}.note(Span{body.file, body.end - 1, body.end}, "the end is reached here"));
    }
    if (item_.pure) check_pure();
    facts_.lemmas = std::move(exprs_.lemmas);
    facts_.pure_uses = std::move(exprs_.pure_uses);
    facts_.calls = std::move(exprs_.called);
    if (exprs_.relaxed_operations > 0) facts_.relaxed = true;
    return std::move(facts_);
  }

 private:
  // What is not ours takes scalars, vectors and matrices.
  void refuse_record_params() {
    if (!item_.external) return;
    for (const Param& param : item_.params)
      if (session_.checked.type_of(param.type).record != nullptr)
        refuse_record(session_, param.type.span, "a parameter of an external function");
  }

  // All that a lemma says and does is a specification.
  [[nodiscard]] Place place(Mode mode, std::string where) const {
    Place p{};
    p.mode = item_.lemma && mode == Mode::Program ? Mode::Unary : mode;
    p.tree = symbol_.tree;
    p.where = p.mode == mode ? std::move(where) : "a lemma";
    p.behind = true;
    p.alone = item_.role == Role::Under;
    return p;
  }

  // Whether it gives anything back but what it changes in place.
  [[nodiscard]] bool returns() const { return !symbol_.type.is_void() || !item_.results.empty(); }

  static constexpr std::string_view kNoRuns =
      "a lemma is about values and not about runs: it has no sides, no model and no regions";

  void refuse_in_lemma(Span at, std::string what, std::string_view help) {
    if (!item_.lemma) return;
    session_.report(Diagnostic{DiagnosticKind::NotInLemma, at, {std::move(what)}, {}, {}}.helping(
        std::string(help)));
  }

  // What it gives depends on what it is given, and on nothing else.
  void check_pure() {
    if (!item_.results.empty())
      refuse_in_pure(item_.type.span, "a second result");
    else if (!symbol_.type.is_scalar() || symbol_.type.is_void())
      session_.report(DiagnosticKind::ScalarNeeded, item_.type.span,
                      {"the result of a pure function", describe(symbol_.type)});
    if (facts_.relaxed || exprs_.relaxed_operations > 0)
      refuse_in_pure(item_.name.span, "a relaxed operation or a region");
    for (const ReliabilityClause& clause : item_.reliability)
      refuse_in_pure(clause.span, "'reliability'");
    for (Span at : exprs_.states_named) refuse_in_pure(at, "the model's state");
    for (std::size_t i = 0; i < exprs_.called.size(); ++i) {
      const Symbol& callee = session_.symbol(exprs_.called[i]);
      if (!session_.function_item(exprs_.called[i]).pure)
        refuse_in_pure(exprs_.called_at[i], fmt::format("a call of '{}', which is not pure,",
                                                        session_.text(callee.name)));
    }
  }
  void refuse_in_pure(Span at, std::string what) {
    if (item_.pure && item_.role != Role::Written)
      session_.report(
          Diagnostic{DiagnosticKind::BadChecker, at, {"a checker cannot have " + what}, {}, {}}
              .helping("whether it accepts depends on what it is given, and on nothing "
                       "else; it calls pure functions only"));
    else if (item_.pure)
      session_.report(Diagnostic{DiagnosticKind::NotInPure, at, {std::move(what)}, {}, {}}.helping(
          "what a pure function gives depends on what it is given, and on nothing else"));
  }

  // What it ensures, or the rest: only that knows what a lemma makes.
  void contract(bool post) {
    bool measured = false;
    for (const Clause& clause : item_.contract) {
      if (post != (clause.kind == ClauseKind::Ensures || clause.kind == ClauseKind::EnsuresR))
        continue;
      if (is_of_other_model(clause)) continue;
      Scope::Block block(scope_);
      if (clause.kind == ClauseKind::Decreases && item_.external)
        session_.report(Diagnostic{
            DiagnosticKind::BadMeasure,
            clause.span,
            {"an external function is trusted to return"},
            {},
            {}}.helping("leave it out"));
      if (clause.kind == ClauseKind::Decreases) {
        measure(clause, measured ? "the function" : "");
        measured = true;
        continue;
      }
      const bool relational = is_relational(clause.kind);
      if (relational) {
        refuse_in_lemma(clause.span, fmt::format("'{}'", spelling(clause.kind)), kNoRuns);
        refuse_in_pure(clause.span, fmt::format("'{}'", spelling(clause.kind)));
      }
      Place p = place(relational ? Mode::Relational : Mode::Unary,
                      fmt::format("'{}'", spelling(clause.kind)));
      p.eq_all = clause.kind == ClauseKind::RequiresR;
      p.entered = clause.kind == ClauseKind::EnsuresR && !item_.external;
      p.behind = post;
      if (post) declare_results(clause.span, p);
      exprs_.expect_bool(clause.expr, p);
    }
  }

  // What a checker promises under one model it does not promise under another.
  bool is_of_other_model(const Clause& clause) {
    const ModelId picked = session_.checked.model;
    if (!clause.under.valid() ||
        (picked.valid() && session_.checked.models[picked].name == clause.under))
      return false;
    session_.checked.facts[symbol_.tree].unsaid.insert(clause.expr.value);
    return true;
  }

  // Several values are named 'result.q', 'result.r'.
  void declare_results(Span at, Place& p) {
    const Name result = session_.names.intern("result");
    if (!symbol_.type.is_void() && !scope_.find(result).valid())
      scope_.declare({SymbolKind::Result, result, at, symbol_.type, symbol_.tree});
    for (const Binder& one : item_.results)
      scope_.declare({SymbolKind::Result,
                      session_.names.intern("result." + session_.text(one.name.name)),
                      one.name.span, session_.checked.type_of(one.type), symbol_.tree});
    if (!item_.results.empty())
      p.hint = fmt::format("it returns several values: write 'result.{}'",
                           session_.text(item_.results[0].name.name));
  }
  // What a lemma makes: numbers and truths, or elements of that, of sizes that its parameters say.
  void declare_made() {
    Place size = place(Mode::Unary, "the size of a result");
    for (const Param& one : item_.made) {
      for (ExprId dim : one.dims) exprs_.expect(dim, size, scalar_type(Scalar::Int), "a size");
      if (one.inout)
        session_.report(
            Diagnostic{DiagnosticKind::InOutMisplaced, one.name.span, {"a lemma"}, {}, {}}.helping(
                "leave 'inout' out: what a lemma makes is new"));
      if (one.attributes.region) refuse_in_lemma(one.attributes.region->span, "a region", kNoRuns);
    }
    for (const Param& one : item_.made)
      scope_.declare(
          {SymbolKind::Local, one.name.name, one.name.span, made_type(one), symbol_.tree});
  }
  [[nodiscard]] Type made_type(const Param& one) {
    const Type type = session_.expect_type(one.type);
    if (type.record != nullptr) {
      refuse_record(session_, one.type.span, "a result of a lemma");
      return error_type();
    }
    if (type.is_void()) {
      session_.report(DiagnosticKind::TypeMismatch, one.type.span,
                      {"a type that has values", "void"});
      return error_type();
    }
    if (one.dims.size() != sizes_of(type) && !type.error)
      session_.report(DiagnosticKind::WrongDimensions, one.name.span,
                      {"a " + describe(type), sizes(sizes_of(type)), sizes(one.dims.size())});
    return type;
  }
  // They have types with values, and names that tell them apart.
  void check_results() {
    if (const Type type = session_.expect_type(item_.type);
        type.record != nullptr && item_.external)
      refuse_record(session_, item_.type.span, "the result of an external function");
    std::set<Name> seen;
    for (const Binder& one : item_.results) {
      if (session_.expect_type(one.type).is_void())
        session_.report(DiagnosticKind::TypeMismatch, one.type.span,
                        {"a type that has values", "void"});
      if (!seen.insert(one.name.name).second)
        refuse_results(one.name.span,
                       fmt::format("two results are called '{}'", session_.text(one.name.name)),
                       "give each a name of its own");
    }
    if (item_.results.size() == 1)
      refuse_results(item_.type.span, "a function with one result names its type only",
                     fmt::format("write '{}' without the brackets and the name",
                                 describe(session_.checked.type_of(item_.results[0].type))));
    if (item_.external && !item_.results.empty())
      session_.report(DiagnosticKind::ExternalFunction, item_.type.span,
                      {session_.text(item_.name.name), "returns one value"});
  }
  void refuse_results(Span at, std::string why, std::string help) {
    session_.report(Diagnostic{DiagnosticKind::BadResults, at, {std::move(why)}, {}, {}}.helping(
        std::move(help)));
  }
  // What nobody runs, and what is not ours, changes no variable of who calls it.
  void check_inouts() {
    const std::string_view who = item_.lemma      ? "a lemma"
                                 : item_.pure     ? "a pure function"
                                 : item_.external ? "an external function"
                                                  : "";
    for (const Param& param : item_.params)
      if (param.inout && !who.empty())
        session_.report(
            Diagnostic{DiagnosticKind::InOutMisplaced, param.name.span, {std::string(who)}, {}, {}}
                .helping("leave 'inout' out, and return what is new"));
  }

  // Numbers are chances; names are parameters, or the result.
  void reliability() {
    for (const ReliabilityClause& clause : item_.reliability) {
      refuse_in_lemma(clause.span, "'reliability'", kNoRuns);
      session_.expect_chance(tree_.exprs[clause.number]);
      const Name result = session_.names.intern("result");
      if (clause.of_result && (!item_.results.empty() || symbol_.type.record != nullptr))
        refuse_results(clause.span, "a reliability is of one result, and there are several",
                       "bound it where the values are used, or return one");
      else if (clause.of_result && symbol_.type.is_void())
        session_.report(DiagnosticKind::VoidValue, clause.span, {session_.text(item_.name.name)});
      if (clause.of) {
        bound_of_problem(clause);
        continue;
      }
      for (const Ident& name : clause.names) {
        if (name.name == result && !clause.of_result && !symbol_.type.is_void()) continue;
        const SymbolId found = scope_.find(name.name);
        if (found.valid() && session_.symbol(found).kind == SymbolKind::Param) continue;
        NearestName nearest(session_.names.text(name.name));
        for (const Param& param : item_.params) nearest.offer(session_.names.text(param.name.name));
        session_.unknown("parameter", name, nearest.best());
      }
    }
  }

  // R(P(inputs; outputs)): of parameters that keep their values, and of what comes back.
  void bound_of_problem(const ReliabilityClause& clause) {
    const auto refuse = [&](const Ident& name, std::string what, std::string help) {
      session_.report(Diagnostic{
          DiagnosticKind::BadBound,
          name.span,
          {fmt::format("'{}' {}", session_.text(name.name), what)},
          {},
          {}}.helping(std::move(help)));
    };
    const auto find_param = [&](Name name) -> const Param* {
      for (const Param& param : item_.params)
        if (param.name.name == name) return &param;
      return nullptr;
    };
    std::set<Name> seen;
    for (std::size_t i = 0; i < clause.names.size(); ++i) {
      const Ident& name = clause.names[i];
      const Param* param = find_param(name.name);
      const bool is_result = name.name == session_.names.intern("result");
      if (i < clause.of->inputs) {
        if (param == nullptr || param->inout)
          refuse(name, "is no parameter that keeps its value, so it is no input",
                 "name a parameter that is not 'inout'");
        continue;
      }
      if (!seen.insert(name.name).second)
        refuse(name, "is two outputs at once", "name each output by itself");
      const bool returned = is_result && !symbol_.type.is_void() && item_.results.empty() &&
                            symbol_.type.record == nullptr;
      if (!returned && (param == nullptr || !param->inout))
        refuse(name, "is nothing that the function hands out, so it is no output",
               "name 'result', or a parameter that is 'inout'");
    }
    Scope::Block block(scope_);
    Place p = place(Mode::Relational, "'R'");
    p.behind = true;
    declare_results(clause.span, p);
    for (ExprId right : {clause.of->original, clause.of->relaxed})
      if (right.valid()) exprs_.expect_bool(right, p);
  }

  // Of what is defined elsewhere only its clauses are known.
  void external() {
    facts_.external = true;
    const std::string name = session_.text(item_.name.name);
    if (!returns())
      session_.report(DiagnosticKind::ExternalFunction, item_.name.span,
                      {name, "must return a value: it can have no other effect"});
    for (const ReliabilityClause& clause : item_.reliability)
      if (!clause.of_result)
        session_.report(
            Diagnostic{DiagnosticKind::ExternalFunction,
                       clause.span,
                       {name, "can be bounded only in terms of its parameters"},
                       {},
                       {}}
                .helping(
                    "write 'reliability result >= 0.999 * R(x)' with those that it depends on"));
    for (const Param& param : item_.params)
      if (param.attributes.region)
        session_.report(DiagnosticKind::ExternalFunction, param.attributes.region->span,
                        {name, "takes its parameters as values: they are in no region"});
  }

  void collect_labels(StmtId id) {
    if (!id.valid()) return;
    const auto& node = tree_.stmts[id].node;
    if (const auto* block = std::get_if<BlockStmt>(&node)) {
      for (StmtId child : block->body) collect_labels(child);
    } else if (const auto* branch = std::get_if<IfStmt>(&node)) {
      collect_labels(branch->then_branch);
      collect_labels(branch->else_branch);
    } else if (const auto* loop = std::get_if<WhileStmt>(&node)) {
      if (loop->attributes.label) session_.labels_of_function.insert(loop->attributes.label->name);
      collect_labels(loop->body);
    } else if (const auto* range = std::get_if<ForStmt>(&node)) {
      if (range->attributes.label)
        session_.labels_of_function.insert(range->attributes.label->name);
      collect_labels(range->body);
    } else if (const auto* repeat = std::get_if<RepeatStmt>(&node)) {
      if (repeat->attributes.label)
        session_.labels_of_function.insert(repeat->attributes.label->name);
      collect_labels(repeat->body);
    } else if (const auto* attempt = std::get_if<TryStmt>(&node)) {
      collect_labels(attempt->body);
      collect_labels(attempt->recover);
    }
  }

  // Does control never get past the end of the statement?
  [[nodiscard]] bool ends(StmtId id) const {
    if (!id.valid()) return false;
    const auto& node = tree_.stmts[id].node;
    if (std::holds_alternative<ReturnStmt>(node) || std::holds_alternative<ErrorStmt>(node))
      return true;
    if (const auto* block = std::get_if<BlockStmt>(&node)) {
      for (StmtId child : block->body)
        if (ends(child)) return true;
      return false;
    }
    if (const auto* branch = std::get_if<IfStmt>(&node))
      return branch->else_branch.valid() && ends(branch->then_branch) && ends(branch->else_branch);
    if (std::holds_alternative<JumpStmt>(node)) return true;
    if (const auto* loop = std::get_if<WhileStmt>(&node)) {
      const auto* condition = std::get_if<BoolExpr>(&tree_.exprs[loop->condition].node);
      return condition != nullptr && condition->value && !broken_.contains(id);
    }
    if (const auto* loop = std::get_if<ForStmt>(&node))
      return !loop->condition.valid() && !broken_.contains(id);
    return false;
  }

  void statement(StmtId id) {
    session_.demand();
    if (!id.valid()) return;
    const Stmt& stmt = tree_.stmts[id];
    const StmtId outside = std::exchange(current_, id);
    std::visit([&](const auto& node) { visit(node, stmt.span); }, stmt.node);
    current_ = outside;
  }

  void visit(const ErrorStmt&, Span) {}

  void visit(const BlockStmt& block, Span) {
    Scope::Block inner(scope_);
    for (StmtId child : block.body) statement(child);
  }

  // A specvar is a number or a truth, or elements of that; so is what a lemma declares.
  [[nodiscard]] Type declared_type(const DeclStmt& decl) {
    const Type type = session_.expect_type(decl.type);
    if (type.record == nullptr || (!decl.ghost && !item_.lemma)) return type;
    refuse_record(session_, decl.type.span, item_.lemma ? "what a lemma declares" : "a specvar");
    return error_type();
  }

  void visit(const DeclStmt& decl, Span) {
    const Type type = declared_type(decl);
    if (decl.ghost)
      refuse_in_lemma(decl.type.span, "'specvar'",
                      "all that is declared in a lemma is for the proof only: leave the word out");
    if (decl.attributes.region) refuse_in_lemma(decl.attributes.region->span, "a region", kNoRuns);
    if (type.is_void()) {
      session_.report(DiagnosticKind::TypeMismatch, decl.type.span,
                      {"a type that has values", "void"});
    }
    for (const Declarator& one : decl.declarators) {
      // What is no type may be no declaration either.
      if (type.error && scope_.find(one.name.name).valid()) continue;
      const std::string name = session_.text(one.name.name);
      Place size =
          place(decl.ghost ? Mode::Ghost : Mode::Program, fmt::format("the size of '{}'", name));
      if (decl.ghost) size.where = "the size of a specvar";
      if (one.dims.size() != sizes_of(type) && !type.is_void() && !type.error)
        session_.report(DiagnosticKind::WrongDimensions, one.name.span,
                        {"a " + describe(type), sizes(sizes_of(type)), sizes(one.dims.size())});
      for (ExprId dim : one.dims) exprs_.expect(dim, size, scalar_type(Scalar::Int), "a size");
      const SymbolId maker = one.init.valid() ? find_maker(one.init) : SymbolId{};
      if (maker.valid()) {
        call_maker(one.init, maker, decl.snapshot);
        expect_made(maker, {{type, one.name.span, decl.ghost, name}}, one.init);
      } else if (one.init.valid()) {
        const Place init = decl.snapshot ? snapshot_place()
                           : decl.ghost
                               ? place(Mode::Ghost, "the computation of a specvar")
                               : place(Mode::Program, fmt::format("program variable '{}'", name));
        exprs_.by_itself = one.init;
        exprs_.expect(one.init, init, type.is_void() ? error_type() : type);
        exprs_.by_itself = {};
      }
      Symbol symbol{decl.ghost ? SymbolKind::Ghost : SymbolKind::Local, one.name.name,
                    one.name.span, type.is_void() ? error_type() : type, symbol_.tree};
      symbol.snapshot = decl.snapshot;
      if (decl.snapshot && !one.init.valid())
        session_.report(Diagnostic{
            DiagnosticKind::Expected, one.name.span, {"'=' and what is kept", "nothing"}, {}, {}}
                            .helping("a snapshot keeps what something is where it is declared"));
      if (decl.attributes.region) {
        symbol.region = decl.attributes.region->name;
        facts_.relaxed = true;
        session_.expect_region(decl.attributes.region->name, type, decl.attributes.region->span);
      }
      scope_.declare(symbol);
    }
  }

  // What is kept for a proof is a specification, and may be another snapshot.
  [[nodiscard]] Place snapshot_place() const {
    Place p = place(Mode::Unary, "a snapshot");
    p.proof = true;
    return p;
  }

  struct Target {
    Type type = error_type();
    bool ghost = false;
    std::string name;  // for messages
  };

  // The name of the variable that is assigned, or of the field of one; invalid: it is none.
  [[nodiscard]] Name assigned_name(ExprId id) {
    if (const auto* name = std::get_if<NameExpr>(&tree_.exprs[id].node)) return name->name;
    const auto* member = std::get_if<MemberExpr>(&tree_.exprs[id].node);
    if (member == nullptr) return {};
    const Name part = session_.names.intern(session_.text(member->scope.name) + "." +
                                            session_.text(member->member.name));
    return scope_.find(part).valid() ? part : Name{};
  }

  Target target(ExprId id) {
    Target result;
    ExprId base = id;
    while (true) {
      const auto& node = tree_.exprs[base].node;
      if (const auto* index = std::get_if<IndexExpr>(&node))
        base = index->base;
      else if (const auto* paren = std::get_if<ParenExpr>(&node))
        base = paren->inner;
      else if (const auto* field = std::get_if<FieldExpr>(&node))
        base = field->base;
      else
        break;
    }
    const Span at = tree_.exprs[base].span;
    const auto refuse = [&](std::string what, std::optional<Span> declared) {
      Diagnostic d{DiagnosticKind::NotAssignable, at, {std::move(what)}, {}, {}};
      if (declared) d.notes.push_back({declared, "declared here"});
      session_.report(std::move(d));
      return Target{};
    };
    if (const Name name = assigned_name(base); name.valid()) {
      const SymbolId found = scope_.find(name);
      if (!found.valid()) {
        const auto global = session_.globals.find(name);
        if (global != session_.globals.end()) {
          const Symbol& symbol = session_.symbol(global->second);
          return refuse(
              fmt::format("{} '{}'", describe(symbol.kind).substr(2), session_.text(name)),
              symbol.span);
        }
        result.type = exprs_.value(id, place(Mode::Program, "program state"));
        return result;
      }
      const Symbol& symbol = session_.symbol(found);
      if (symbol.snapshot)
        return refuse(fmt::format("the snapshot '{}'", session_.text(name)), symbol.span);
      if (symbol.kind != SymbolKind::Param && symbol.kind != SymbolKind::Local &&
          symbol.kind != SymbolKind::Ghost)
        return refuse(fmt::format("{} '{}'", describe(symbol.kind).substr(2), session_.text(name)),
                      symbol.span);
      result.ghost = symbol.kind == SymbolKind::Ghost;
      result.name = session_.text(name);
      result.type =
          exprs_.value(id, result.ghost ? place(Mode::Ghost, "the computation of a specvar")
                                        : place(Mode::Program, "program state"));
      return result;
    }
    if (const auto* member = std::get_if<ModelExpr>(&tree_.exprs[base].node)) {
      result.name = "model." + session_.text(member->member.name);
      result.type = exprs_.value(id, place(Mode::Program, "program state"));
      const SymbolId found = session_.checked.facts[symbol_.tree].symbols[base.value];
      if (found.valid() && session_.symbol(found).kind == SymbolKind::ModelConstant)
        return refuse(fmt::format("constant '{}'", result.name), session_.symbol(found).span);
      return result;
    }
    if (std::holds_alternative<ErrorExpr>(tree_.exprs[base].node)) return result;
    if (std::holds_alternative<MemberExpr>(tree_.exprs[base].node)) {
      exprs_.value(base, place(Mode::Program, "program state"));  // says what is wrong with it
      return result;
    }
    if (std::holds_alternative<SidedExpr>(tree_.exprs[base].node))
      return refuse("one side of a variable", std::nullopt);
    return refuse("this", std::nullopt);
  }

  [[nodiscard]] Place value_place(const Target& t) const {
    if (t.ghost) return place(Mode::Ghost, "the computation of a specvar");
    return place(Mode::Program, fmt::format("program variable '{}'", t.name));
  }

  void visit(const AssignStmt& assign, Span span) {
    if (const SymbolId maker = find_maker(assign.value); !assign.op && maker.valid())
      return make({assign.target}, assign.value, maker);
    const Target t = target(assign.target);
    const Place p = value_place(t);
    if (!assign.op) {
      const bool plain = exprs_.is_variable(assign.target, p);
      if (plain) exprs_.by_itself = assign.value;
      exprs_.changed_in_place.clear();
      exprs_.expect(assign.value, p, t.type);
      exprs_.by_itself = {};
      if (plain) refuse_changed(assign.target);
      return;
    }
    const Type value = exprs_.value_as(assign.value, p, t.type.is_word() ? t.type.width : 0);
    if (value.error || t.type.error) return;
    const bool integral = *assign.op == BinaryOp::Mod;
    const bool words = t.type.is_word() && value == t.type;
    const bool good = words      ? true
                      : integral ? t.type.is_integer() && value.is_integer()
                                 : t.type.is_numeric() && value.is_numeric();
    if (!good) {
      session_.report(
          DiagnosticKind::BadOperands, span,
          {fmt::format("{}=", spelling(*assign.op)), describe(t.type) + " and " + describe(value)});
    } else if (!words && !fits(join(t.type, value), t.type)) {
      session_.report(DiagnosticKind::TypeMismatch, tree_.exprs[assign.value].span,
                      {describe(t.type), describe(value)});
    }
    if (assign.dotted) {
      ++exprs_.relaxed_operations;
      if (t.ghost || item_.lemma)
        session_.report(DiagnosticKind::RelaxedInSpecification, span,
                        {fmt::format("{}=.", spelling(*assign.op)),
                         t.ghost ? "the computation of a specvar" : "a lemma"});
    }
  }

  // What a call changes in place, and what its results are put into, are variables of their own.
  void refuse_changed(ExprId target) {
    const SymbolId id = session_.checked.facts[symbol_.tree].symbols[target.value];
    if (id.valid() && exprs_.changes_any(session_.checked.parts_of(id)))
      refuse_results(tree_.exprs[target].span,
                     fmt::format("the call changes '{}' in place, and its result is put there too",
                                 session_.text(session_.symbol(id).name)),
                     "put the result into another variable");
  }

  // Lemmas that make something --------------------------------------------------------------

  // The lemma that makes what a call gives; invalid: it is none, or makes nothing.
  [[nodiscard]] SymbolId find_maker(ExprId id) const {
    const SymbolId lemma = exprs_.find_lemma(id, place(Mode::Program, "a statement"));
    return lemma.valid() && !session_.function_item(lemma).made.empty() ? lemma : SymbolId{};
  }
  void refuse_made(Span at, std::string why, std::string help) {
    session_.report(Diagnostic{DiagnosticKind::LemmaResult, at, {std::move(why)}, {}, {}}.helping(
        std::move(help)));
  }
  // It is of one run. What comes of snapshots is one.
  void call_maker(ExprId call, SymbolId lemma, bool snapshot) {
    const bool relational = names_side(call) && !item_.lemma;
    Place p = lemma_place(relational);
    p.proof = snapshot || item_.lemma;
    if (!p.proof) p.where = "the computation of a specvar";
    exprs_.call_lemma(call, p, lemma);
    if (relational)
      refuse_made(tree_.exprs[call].span,
                  fmt::format("'{}' makes something, and this call speaks of both runs",
                              session_.text(session_.symbol(lemma).name)),
                  "leave the sides out: each run makes its own; or call a lemma without 'returns'");
  }
  // What is made is put into.
  struct Receiver {
    Type type;
    Span at;
    bool ghost;
    std::string name;
  };
  void expect_made(SymbolId lemma, const std::vector<Receiver>& receivers, ExprId call) {
    const std::vector<Param>& made = session_.function_item(lemma).made;
    const std::string name = session_.text(session_.symbol(lemma).name);
    if (receivers.size() != made.size())
      return refuse_made(
          tree_.exprs[call].span,
          fmt::format("'{}' makes {}, and there {} for it", name, count(made.size(), "value"),
                      receivers.size() == 1 ? "is 1 variable"
                                            : fmt::format("are {} variables", receivers.size())),
          fmt::format("write a variable for each: '{}'", call_of(lemma)));
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Receiver& one = receivers[i];
      const Type type = session_.checked.type_of(made[i].type);
      if (!one.ghost && !item_.lemma)
        refuse_made(
            one.at,
            fmt::format("what '{}' makes is for proofs, and '{}' is a program variable", name,
                        one.name),
            fmt::format("declare it with 'specvar': 'specvar {} {};'", describe(type), one.name));
      expect_fitting(type, one,
                     fmt::format("'{}' of lemma '{}'", session_.text(made[i].name.name), name));
    }
  }
  // Nobody would ask whether it is negative.
  void expect_fitting(const Type& type, const Receiver& one, const std::string& what) {
    const bool narrows =
        one.type.scalar == Scalar::Uint && type.scalar == Scalar::Int && !one.type.error;
    if (fits(type, one.type) && !narrows) return;
    Diagnostic d{DiagnosticKind::TypeMismatch,
                 one.at,
                 {fmt::format("{} ({})", describe(type), what), describe(one.type)},
                 {},
                 {}};
    if (narrows) d.help = Help{"what may be negative is put into an int", {}};
    session_.report(std::move(d));
  }
  [[nodiscard]] static std::string count(std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  }
  // k, p = L(n);
  [[nodiscard]] std::string call_of(SymbolId lemma) const {
    const FunctionItem& item = session_.function_item(lemma);
    const auto listed = [&](const std::vector<Param>& params) {
      std::string list;
      for (const Param& param : params)
        list += (list.empty() ? "" : ", ") + session_.text(param.name.name);
      return list;
    };
    return fmt::format("{} = {}({});", listed(item.made), session_.text(item.name.name),
                       listed(item.params));
  }
  void make(const std::vector<ExprId>& into, ExprId call, SymbolId lemma) {
    std::vector<Receiver> receivers;
    for (ExprId id : into) receivers.push_back(receiver(id));
    call_maker(call, lemma, false);
    expect_made(lemma, receivers, call);
    for (std::size_t i = 0; i < into.size(); ++i) refuse_twice(into, i);
  }
  Receiver receiver(ExprId id) {
    const Target t = target(id);
    const bool plain = exprs_.is_variable(id, place(Mode::Program, "program state"));
    const Span at = tree_.exprs[id].span;
    if (!t.type.error && !plain) {
      refuse_made(at, "what a lemma makes is put into a variable by its name",
                  "put it into a variable first");
      return {error_type(), at, true, t.name};
    }
    return {t.type, at, t.ghost || t.type.error, t.name};
  }

  // q, r = divide(x, y);
  void visit(const SpreadStmt& spread, Span) {
    if (const SymbolId maker = find_maker(spread.call); maker.valid())
      return make(spread.targets, spread.call, maker);
    std::vector<Target> targets;
    for (ExprId id : spread.targets) targets.push_back(spread_target(id));
    const auto* call = std::get_if<CallExpr>(&tree_.exprs[spread.call].node);
    exprs_.by_itself = spread.call;
    exprs_.changed_in_place.clear();
    if (call == nullptr)
      exprs_.value(spread.call, place(Mode::Program, "a statement"));
    else
      exprs_.call_statement(spread.call, place(Mode::Program, "a statement"));
    exprs_.by_itself = {};
    const SymbolId callee = session_.checked.facts[symbol_.tree].symbols[spread.call.value];
    const auto* item = call != nullptr && callee.valid() ? find_function(callee) : nullptr;
    if (call != nullptr && item == nullptr) return;  // said already
    const std::size_t given = item == nullptr ? 1 : item->results.size();
    if (given != targets.size()) {
      const Span at = tree_.exprs[spread.call].span;
      if (call == nullptr)
        return refuse_results(at, "only a call gives several values",
                              "write one assignment per variable");
      return refuse_results(
          at,
          fmt::format("'{}' returns {}, and there are {} variables for it",
                      session_.text(call->callee.name),
                      given == 0 ? "no such list of values" : fmt::format("{} values", given),
                      targets.size()),
          "write as many variables as it returns values");
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Type type = session_.checked.type_of(item->results[i].type);
      if (!fits(type, targets[i].type))
        session_.report(DiagnosticKind::TypeMismatch, tree_.exprs[spread.targets[i]].span,
                        {describe(type), describe(targets[i].type)});
      refuse_changed(spread.targets[i]);
      refuse_twice(spread.targets, i);
    }
  }
  [[nodiscard]] const FunctionItem* find_function(SymbolId id) const {
    const bool is_one = session_.symbol(id).kind == SymbolKind::Function;
    return is_one ? &session_.function_item(id) : nullptr;
  }
  Target spread_target(ExprId id) {
    const Target t = target(id);
    const bool plain = exprs_.is_variable(id, place(Mode::Program, "program state"));
    if (t.type.error || (plain && !t.ghost)) return t;
    refuse_results(
        tree_.exprs[id].span,
        t.ghost ? "a specvar is computed, and not returned"
                : "one of several results is put into a variable, or a field of one, by its name",
        "put it into a variable first");
    return {};
  }
  [[nodiscard]] static bool overlap(const std::vector<SymbolId>& a,
                                    const std::vector<SymbolId>& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](SymbolId one) { return std::find(b.begin(), b.end(), one) != b.end(); });
  }
  void refuse_twice(const std::vector<ExprId>& targets, std::size_t i) {
    const auto& symbols = session_.checked.facts[symbol_.tree].symbols;
    const SymbolId id = symbols[targets[i].value];
    if (!id.valid()) return;
    const std::vector<SymbolId> parts = session_.checked.parts_of(id);
    for (std::size_t k = 0; k < i; ++k)
      if (const SymbolId other = symbols[targets[k].value];
          other.valid() && overlap(session_.checked.parts_of(other), parts))
        return refuse_results(
            tree_.exprs[targets[i]].span,
            fmt::format("two results are put into '{}'", session_.text(session_.symbol(id).name)),
            "put each into a variable of its own");
  }

  void visit(const StepStmt& step, Span span) {
    const Target t = target(step.target);
    if (!t.type.error && !t.type.is_numeric() && !t.type.is_word())
      session_.report(DiagnosticKind::BadOperands, span,
                      {step.increment ? "++" : "--", describe(t.type)});
  }

  void visit(const IfStmt& branch, Span) {
    exprs_.expect_bool(branch.condition, place(Mode::Program, "a condition"));
    statement(branch.then_branch);
    statement(branch.else_branch);
  }

  void loop(const Attributes& attributes, ExprId condition, const std::vector<Clause>& invariants) {
    if (attributes.label) {
      scope_.declare({SymbolKind::Label, attributes.label->name, attributes.label->span,
                      error_type(), symbol_.tree});
    }
    if (condition.valid()) exprs_.expect_bool(condition, place(Mode::Program, "a condition"));
    bool measured = false;
    for (const Clause& clause : invariants) {
      if (clause.kind != ClauseKind::Decreases) {
        if (is_relational(clause.kind)) {
          refuse_in_lemma(clause.span, "'invariant_r'", kNoRuns);
          refuse_in_pure(clause.span, "'invariant_r'");
        }
        Place p = place(is_relational(clause.kind) ? Mode::Relational : Mode::Unary,
                        fmt::format("'{}'", spelling(clause.kind)));
        p.head = true;
        p.proof = !is_relational(clause.kind);
        if (is_unsaid(clause.expr)) continue;
        exprs_.expect_bool(clause.expr, p);
        continue;
      }
      measure(clause, measured ? "the loop" : "");
      measured = true;
    }
  }

  // What falls is an integer of each run by itself. A model that does not have what it names says
  // nothing of the loop's end. `has_one`: whose measure it would be the second of.
  void measure(const Clause& clause, std::string_view has_one) {
    if (!has_one.empty())
      session_.report(Diagnostic{DiagnosticKind::BadMeasure,
                                 clause.span,
                                 {fmt::format("{} has one already", has_one)},
                                 {},
                                 {}}
                          .helping("write both in one clause, what changes least often first: "
                                   "'decreases a, b'"));
    const std::vector<ExprId> parts = parts_of(clause);
    if ((item_.pure || item_.lemma) && names_model(parts)) {
      refuse_in_pure(clause.span, "a measure that names the model");
      refuse_in_lemma(clause.span, "a measure that names the model", kNoRuns);
      return;
    }
    for (ExprId part : parts)
      if (const Ident* missing = find_missing(part)) {
        report_unmeasured(clause, *missing);
        session_.checked.facts[symbol_.tree].unmeasured.insert(clause.expr.value);
        return;
      }
    Place p = place(Mode::Unary, "'decreases'");
    p.measure = true;
    for (ExprId part : parts) exprs_.expect(part, p, scalar_type(Scalar::Int), "a measure");
  }
  [[nodiscard]] bool names_model(const std::vector<ExprId>& exprs) const {
    return std::any_of(exprs.begin(), exprs.end(), [&](ExprId id) {
      if (std::holds_alternative<ModelExpr>(tree_.exprs[id].node)) return true;
      std::vector<ExprId> inside;
      for_each_child(tree_.exprs[id], [&](ExprId child) { inside.push_back(child); });
      return names_model(inside);
    });
  }
  // A checker is looked at under several models. What it says of the state of one is not said under
  // the others, and not where there is none.
  bool is_unsaid(ExprId expr) {
    if (item_.role != Role::Checker && item_.role != Role::Run && item_.role != Role::Under)
      return false;
    const bool modelled = session_.checked.model.valid();
    const Ident* missing = find_missing(expr);
    if (modelled ? missing == nullptr : !names_model({expr})) return false;
    if (missing != nullptr) {
      const Model& model = session_.checked.models[session_.checked.model];
      if (std::optional<Help> meant = session_.nearest_member(model, *missing)) {
        Diagnostic d{DiagnosticKind::UnknownModelMember,
                     missing->span,
                     {session_.text(model.name), session_.text(missing->name)},
                     {},
                     {}};
        d.help = std::move(meant);
        session_.report(std::move(d));
      }
    }
    session_.checked.facts[symbol_.tree].unsaid.insert(expr.value);
    return true;
  }
  // What an expression names of the picked model that it does not have; null: nothing.
  const Ident* find_missing(ExprId id) {
    if (!session_.checked.model.valid()) return nullptr;
    const Expr& expr = tree_.exprs[id];
    const auto* member = std::get_if<ModelExpr>(&expr.node);
    const auto& members = session_.checked.models[session_.checked.model].reachable;
    if (member != nullptr && !members.contains(member->member.name)) return &member->member;
    const Ident* missing = nullptr;
    for_each_child(expr, [&](ExprId child) {
      if (missing == nullptr && child.valid()) missing = find_missing(child);
    });
    return missing;
  }
  void report_unmeasured(const Clause& clause, const Ident& missing) {
    const Model& model = session_.checked.models[session_.checked.model];
    // What is nearly the name of something is a mistake, and no other model's.
    std::optional<Help> meant = session_.nearest_member(model, missing);
    Diagnostic d{meant ? DiagnosticKind::UnknownModelMember : DiagnosticKind::MeasureNotInModel,
                 meant ? missing.span : clause.span,
                 {session_.text(model.name), session_.text(missing.name)},
                 {},
                 {}};
    d.help = std::move(meant);
    session_.report(std::move(d));
  }

  void visit(const WhileStmt& node, Span) {
    Scope::Block inner(scope_);
    loop(node.attributes, node.condition, node.invariants);
    body_of_loop(node.attributes, node.body);
  }
  void body_of_loop(const Attributes& attributes, StmtId body) {
    loops_.push_back({current_, attributes.label ? attributes.label->name : Name{}, attempts_});
    statement(body);
    loops_.pop_back();
  }

  void visit(const ForStmt& node, Span) {
    Scope::Block inner(scope_);
    statement(node.init);
    loop(node.attributes, node.condition, node.invariants);
    statement(node.step);
    body_of_loop(node.attributes, node.body);
  }

  // They are read in the steps of systems only.
  void visit(const ChooseStmt&, Span) { LETO_ASSERT(false); }
  void visit(const NodesStmt&, Span) { LETO_ASSERT(false); }
  void visit(const MessageStmt&, Span) { LETO_ASSERT(false); }

  void visit(const RepeatStmt& node, Span) {
    Scope::Block inner(scope_);
    exprs_.expect(node.count, place(Mode::Constant, "the number of repetitions"),
                  scalar_type(Scalar::Int), "the number of repetitions");
    loop(node.attributes, ExprId{}, node.invariants);
    body_of_loop(node.attributes, node.body);
  }

  void visit(const TryStmt& node, Span span) {
    refuse_in_lemma(span, "'try'", kNoRuns);
    refuse_in_pure(span, "'try'");
    ++attempts_;
    const ModelId again = node.under ? redo_model(*node.under) : ModelId{};
    const std::size_t called = exprs_.called.size();
    if (again.valid()) session_.under.push_back(again);
    statement(node.body);
    if (again.valid()) {
      session_.under.pop_back();
      for (std::size_t i = called; i < exprs_.called.size(); ++i)
        facts_.redone.push_back({exprs_.called[i], *node.under});
    }
    if (node.checker && find_checker(session_.checked, node.checker->name).item == nullptr) {
      NearestName nearest(session_.names.text(node.checker->name));
      for (const Tree* tree : session_.checked.trees)
        for (const Item& item : tree->items)
          if (const auto* checker = std::get_if<CheckerItem>(&item.node))
            nearest.offer(session_.names.text(checker->name.name));
      session_.unknown("checker", *node.checker, nearest.best());
    }
    exprs_.expect_bool(node.check, place(Mode::Program, "a check"));
    statement(node.recover);
    --attempts_;
    if (!node.redo.valid()) return;
    const auto* count = std::get_if<IntegerExpr>(&tree_.exprs[node.redo].node);
    const std::string text = count == nullptr ? "" : session_.text(count->text);
    if (text.empty() || text.size() > 2 || text == "0" || text == "00")
      session_.report(DiagnosticKind::TypeMismatch, tree_.exprs[node.redo].span,
                      {"a number from 1 to 99", text.empty() ? "something else" : text});
  }

  // The model that something is done again under. Its state is its own: what it shares with another
  // would have two beginnings.
  ModelId redo_model(const Ident& name) {
    const auto it = session_.models.find(name.name);
    if (it == session_.models.end()) return {};  // said where models are looked for
    const ModelId id = it->second;
    Checked& checked = session_.checked;
    if (checked.models[id].of_messages) {
      session_.report(DiagnosticKind::RedoUnder, name.span,
                      {session_.text(name.name), "it is of messages, and programs send none"});
      return {};
    }
    std::vector<ModelId>& known = checked.redo_models;
    if (id == checked.model || std::find(known.begin(), known.end(), id) != known.end()) return id;
    std::vector<ModelId> others = known;
    if (checked.model.valid()) others.push_back(checked.model);
    const auto shared = [&](const ModelVariable& mine, const std::vector<ModelVariable>& theirs,
                            bool state) {
      return std::any_of(theirs.begin(), theirs.end(), [&](const ModelVariable& other) {
        return other.symbol == mine.symbol &&
               (state || other.init != mine.init || other.init_tree != mine.init_tree);
      });
    };
    const auto refuse = [&](const ModelVariable& v, const Model& other, std::string_view why) {
      const Symbol& symbol = session_.symbol(v.symbol);
      session_.report(Diagnostic{
          DiagnosticKind::RedoUnder,
          name.span,
          {session_.text(name.name),
           fmt::format("it {} '{}' with '{}'", why, session_.text(symbol.name),
                       session_.text(other.name))},
          {},
          {}}.note(symbol.span, "declared here")
                          .helping("give the model a state and constants of its own"));
      return ModelId{};
    };
    for (ModelId other_id : others)
      for (const Model* mine : layers_of(checked, checked.models[id]))
        for (const Model* other : layers_of(checked, checked.models[other_id])) {
          for (const ModelVariable& v : mine->states)
            if (shared(v, other->states, true)) return refuse(v, *other, "shares the state");
          for (const ModelVariable& v : mine->constants)
            if (shared(v, other->constants, false))
              return refuse(v, *other, "has another value for the constant that it shares,");
        }
    known.push_back(id);
    return id;
  }

  void visit(const ReturnStmt& ret, Span span) {
    const std::string name = session_.text(item_.name.name);
    if (attempts_ > 0)
      session_.report(
          DiagnosticKind::ReturnValue, span,
          {"'return' cannot leave a 'try' or its 'recover': what was tried must be checked"});
    const Place p = place(Mode::Program, "the returned value");
    if (gives_up(ret)) {
      session_.report(Diagnostic{DiagnosticKind::GivesUpElsewhere, span, {}, {}, {}}.helping(
          "return a value; a checker is written as 'checker NAME for PROBLEM { ... }'"));
      return;
    }
    if (!item_.results.empty() || !ret.more.empty()) return return_all(ret, p, span);
    if (!ret.value.valid()) {
      if (!symbol_.type.is_void())
        session_.report(
            DiagnosticKind::ReturnValue, span,
            {fmt::format("'{}' must return a value of type {}", name, describe(symbol_.type))});
      return;
    }
    if (!item_.made.empty()) {
      exprs_.value(ret.value, p);
      return refuse_made(
          tree_.exprs[ret.value].span,
          fmt::format("'return' in a lemma gives no value: '{}' makes what its "
                      "results are when it ends",
                      name),
          fmt::format("assign it: '{} = ...;'", session_.text(item_.made[0].name.name)));
    }
    if (symbol_.type.is_void()) {
      exprs_.value(ret.value, p);
      session_.report(DiagnosticKind::ReturnValue, tree_.exprs[ret.value].span,
                      {fmt::format("'{}' is void and returns no value", name)});
      return;
    }
    exprs_.expect(ret.value, p, symbol_.type, "the returned value");
  }

  // What a checker says if it does not know; elsewhere it is a name, if there is one.
  [[nodiscard]] bool gives_up(const ReturnStmt& ret) const {
    if (!ret.value.valid() || !ret.more.empty()) return false;
    const auto* name = std::get_if<NameExpr>(&tree_.exprs[ret.value].node);
    return name != nullptr && name->name.valid() && session_.names.text(name->name) == "unknown" &&
           !scope_.find(name->name).valid();
  }

  // return q, r;
  void return_all(const ReturnStmt& ret, const Place& p, Span span) {
    std::vector<ExprId> values;
    if (ret.value.valid()) values.push_back(ret.value);
    values.insert(values.end(), ret.more.begin(), ret.more.end());
    const std::size_t wanted = !item_.results.empty()   ? item_.results.size()
                               : symbol_.type.is_void() ? 0
                                                        : 1;
    if (values.size() != wanted)
      session_.report(
          DiagnosticKind::ReturnValue, span,
          {fmt::format("'{}' returns {} value{}, and here are {}", session_.text(item_.name.name),
                       wanted, wanted == 1 ? "" : "s", values.size())});
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i < item_.results.size())
        exprs_.expect(values[i], p, session_.checked.type_of(item_.results[i].type),
                      fmt::format("'{}'", session_.text(item_.results[i].name.name)));
      else
        exprs_.value(values[i], p);
    }
  }

  void visit(const JumpStmt& jump, Span span) {
    const std::string word(spelling(jump.kind));
    const auto refuse = [&](Span at, std::string why, std::string help) {
      session_.report(Diagnostic{DiagnosticKind::BadJump, at, {std::move(why)}, {}, {}}.helping(
          std::move(help)));
    };
    if (loops_.empty())
      return refuse(span, fmt::format("'{}' stands in no loop", word),
                    "to leave the function write 'return'");
    auto loop = loops_.rbegin();
    while (jump.loop && loop != loops_.rend() && loop->label != jump.loop->name) ++loop;
    if (loop == loops_.rend()) {
      const std::string name = session_.text(jump.loop->name);
      return refuse(jump.loop->span, fmt::format("no loop around this is labelled '{}'", name),
                    fmt::format("put '@label({})' before the loop that is meant", name));
    }
    if (loop->attempts != attempts_)
      return refuse(
          span,
          fmt::format("'{}' cannot leave a 'try' or its 'recover': what was tried must be checked",
                      word),
          "set a flag there, and test it behind the block");
    if (jump.kind == JumpKind::Break) broken_.insert(loop->id);
    if (jump.loop)
      session_.checked.facts[symbol_.tree].declared.emplace(key_of(jump.loop->span),
                                                            scope_.find(jump.loop->name));
  }

  void visit(const CallStmt& call, Span) {
    const Place statement = place(Mode::Program, "a statement");
    exprs_.by_itself = call.call;
    if (const SymbolId maker = find_maker(call.call); maker.valid()) {
      call_maker(call.call, maker, true);
      refuse_made(tree_.exprs[call.call].span,
                  fmt::format("'{}' makes something, and nothing takes it",
                              session_.text(session_.symbol(maker).name)),
                  fmt::format("put it into variables: '{}'", call_of(maker)));
    } else if (const SymbolId lemma = exprs_.find_lemma(call.call, statement); lemma.valid())
      exprs_.call_lemma(call.call, lemma_place(names_side(call.call)), lemma);
    else
      exprs_.call_statement(call.call, statement);
    exprs_.by_itself = {};
  }
  // Of one run, unless a side is named.
  [[nodiscard]] Place lemma_place(bool relational) const {
    Place p = place(relational && !item_.lemma ? Mode::Relational : Mode::Unary,
                    "an argument of a lemma");
    p.proof = true;
    return p;
  }
  [[nodiscard]] bool names_side(ExprId id) const {
    const Expr& expr = tree_.exprs[id];
    if (std::holds_alternative<SidedExpr>(expr.node) || std::holds_alternative<EqExpr>(expr.node))
      return true;
    bool any = false;
    for_each_child(expr, [&](ExprId child) { any = any || names_side(child); });
    return any;
  }

  void visit(const ForallStmt& all, Span) {
    Scope::Block block(scope_);
    const auto* body = std::get_if<BlockStmt>(&tree_.stmts[all.body].node);
    if (body == nullptr) return;  // it did not parse
    bool relational = names_side(all.range);
    for (StmtId child : body->body)
      if (const auto* call = std::get_if<CallStmt>(&tree_.stmts[child].node))
        relational = relational || names_side(call->call);
    exprs_.bind(all.binders, symbol_.tree);
    Place range = lemma_place(relational);
    range.where = "the range of 'forall'";
    exprs_.expect_bool(all.range, range);
    for (StmtId child : body->body) {
      const auto* call = std::get_if<CallStmt>(&tree_.stmts[child].node);
      const SymbolId lemma = call ? exprs_.find_lemma(call->call, range) : SymbolId{};
      if (lemma.valid() && !session_.function_item(lemma).made.empty())
        refuse_made(tree_.stmts[child].span,
                    fmt::format("'{}' makes something, which 'forall' has no place for",
                                session_.text(session_.symbol(lemma).name)),
                    "call it in a loop, or make a lemma that returns a vector of what is meant");
      if (lemma.valid())
        exprs_.call_lemma(call->call, lemma_place(relational), lemma);
      else if (!std::holds_alternative<ErrorStmt>(tree_.stmts[child].node))
        session_.report(
            Diagnostic{DiagnosticKind::OnlyLemmas, tree_.stmts[child].span, {}, {}, {}}.helping(
                "make a lemma of what is to be shown for one value, and call it here"));
    }
  }

  void visit(const ClaimStmt& claim, Span span) {
    const bool relational = claim.kind == AssertionKind::AssertR;
    if (relational) refuse_in_lemma(span, "'assert_r'", kNoRuns);
    if (claim.kind != AssertionKind::Assert)
      refuse_in_pure(span, fmt::format("'{}'", spelling(claim.kind)));
    if (is_unsaid(claim.expr)) return;
    exprs_.expect_bool(claim.expr, place(relational ? Mode::Relational : Mode::Unary,
                                         fmt::format("'{}'", spelling(claim.kind))));
  }

  Session& session_;
  const Symbol symbol_;
  const Tree& tree_;
  const FunctionItem& item_;
  Scope scope_;
  ExprChecker exprs_;
  FunctionFacts facts_;
  unsigned attempts_ = 0;  // around the statement at hand
  struct Around {
    StmtId id;
    Name label;         // may be invalid
    unsigned attempts;  // around the loop
  };
  std::vector<Around> loops_;  // around the statement at hand, innermost last
  std::set<StmtId> broken_;    // loops that some 'break' leaves
  StmtId current_;             // the statement at hand
};

}  // namespace

FunctionFacts check_function(Session& session, SymbolId function) {
  return FunctionChecker(session, function).run();
}

void declare_params(Session& session, Scope& scope, ExprChecker& exprs,
                    const std::vector<Param>& params, SymbolKind kind, TreeIndex tree,
                    bool sizes_may_lack) {
  for (const Param& param : params) {
    Type type = session.expect_type(param.type);
    if (type.record != nullptr && !may_be_record(kind)) {
      refuse_record(session, param.type.span, fmt::format("a parameter of {}", owner_of(kind)));
      type = error_type();
    }
    if (type.is_void()) {
      session.report(DiagnosticKind::TypeMismatch, param.type.span,
                     {"a type that has values", "void"});
      type = error_type();
    }
    const bool sized = kind == SymbolKind::Param;
    const std::size_t wanted = sized ? sizes_of(type) : 0;
    const bool lacks = sizes_may_lack && param.dims.empty();
    if (param.dims.size() != wanted && !lacks && !type.error)
      session.report(DiagnosticKind::WrongDimensions, param.name.span,
                     {sized ? "a " + describe(type) : describe(kind), sizes(wanted),
                      sizes(param.dims.size())});
    Place size{};
    size.mode = Mode::Unary;  // it says what the caller has to bring, and computes nothing
    size.tree = tree;
    size.where = fmt::format("the size of '{}'", session.text(param.name.name));
    if (sized)
      for (ExprId dim : param.dims) exprs.expect(dim, size, scalar_type(Scalar::Int), "a size");
    Symbol symbol{param.ghost ? SymbolKind::Ghost : kind, param.name.name, param.name.span, type,
                  tree};
    symbol.inout = param.inout && kind == SymbolKind::Param;
    if (param.inout && kind != SymbolKind::Param)
      session.report(
          Diagnostic{DiagnosticKind::InOutMisplaced, param.name.span, {owner_of(kind)}, {}, {}}
              .helping("only a function of the program changes variables: leave 'inout' out"));
    if (param.attributes.region) {
      if (kind == SymbolKind::Param)
        symbol.region = param.attributes.region->name;
      else
        session.report(DiagnosticKind::BadAttribute, param.attributes.region->span,
                       {"region", describe(kind)});
    }
    scope.declare(symbol);
  }
}

}  // namespace leto::check

#include "interp/compile.h"

namespace leto::interp {

using core::Side;

Compiler::Compiler(const Machine& machine)
    : machine_(machine),
      program_(machine.program()),
      code_(std::make_unique<ByteCode>()),
      exprs_(program_, *code_),
      specifications_(program_, *code_, exprs_),
      has_code_(program_.specifications.size(), false) {
  code_->pair.original.resize(program_.vars.size());
  code_->pair.relaxed.resize(program_.vars.size());
  code_->functions.resize(program_.functions.size());
  code_->specifications.resize(program_.specifications.size());
}

std::unique_ptr<ByteCode> Compiler::compile(core::FunctionId function) {
  to_do_.push_back(function);
  while (!to_do_.empty() && understood_) {
    const core::FunctionId id = to_do_.back();
    to_do_.pop_back();
    if (code_->functions[id.value].function == nullptr) compile_function(id);
  }
  return understood_ ? std::move(code_) : nullptr;
}

// What is defined elsewhere is made up, by the tree-walking interpreter.
void Compiler::compile_function(core::FunctionId id) {
  const core::Function& f = program_.functions[id];
  if (f.external()) {
    understood_ = false;
    return;
  }
  FunctionCode& out = code_->functions[id.value];
  out.function = &f;
  for (core::VarId param : f.params) out.params.push_back(exprs_.place(param));
  for (core::VarId var : machine_.locals_[id.value]) out.own.push_back(exprs_.place(var));
  for (core::VarId var : machine_.own_asked_for_[id.value])
    out.unset.push_back(exprs_.place(var).original);
  for (core::VarId result : f.results) out.results.push_back(exprs_.place(result));
  for (const core::ParamSize& size : f.sizes)
    out.sizes.push_back({exprs_.place(size.param), size.dimension, exprs_.sided(size.size)});
  for (const core::Clause& c : f.requires_) out.requires_.push_back(clause(c));
  for (const core::Clause& c : f.ensures) out.ensures.push_back(clause(c));
  out.body = statement(f.body);
}

Child Compiler::statement(core::StmtId id) {
  if (!id.valid()) return nullptr;
  const core::Stmt& stmt = program_.stmts[id];
  const auto* block = std::get_if<core::Block>(&stmt.node);
  if (block != nullptr && block->body.empty()) return nullptr;  // blocks are no steps
  StatementCode made{
      id, stmt.span,
      std::visit([&](const auto& s) -> decltype(StatementCode::node) { return node(s, id); },
                 stmt.node)};
  return &code_->statements.emplace_back(std::move(made));
}

// Parts of statements ----------------------------------------------------------------------------

ValueCode Compiler::value(core::ExprId id) {
  ValueCode out;
  if (const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node)) {
    const Place place = exprs_.place(ref->var);
    out.original = &place.of(ref->side == Side::Open ? Side::Original : ref->side);
    out.relaxed = &place.of(ref->side == Side::Open ? Side::Relaxed : ref->side);
  } else if (program_.exprs[id].type.rank > 0) {
    out.walk = id;
  } else {
    out.scalar = exprs_.sided(id);
  }
  return out;
}

SiteCode Compiler::site(const core::FaultSite& site, core::StmtId id) {
  SiteCode out{{0, id, site, {}, {}}, {}};
  for (std::uint32_t index : site.specifications) {
    if (!has_code_[index])
      code_->specifications[index] = specifications_.specification(program_.specifications[index]);
    has_code_[index] = true;
    out.codes.push_back(&code_->specifications[index]);
  }
  return out;
}

RelationCode Compiler::relation(core::ExprId id) {
  RelationCode out{id, exprs_.scalar(id, {Side::Relaxed}), {}};
  if (!machine_.may_lack_[id.value]) return out;
  out.lacks = exprs_.lacks_value(id);
  out.walk_lacks = !out.lacks;
  return out;
}

ClauseCode Compiler::clause(const core::Clause& clause) {
  ClauseCode out{clause.expr, clause.relational, {}, {}};
  if (clause.relational)
    out.relation = relation(clause.expr);
  else
    out.holds = exprs_.sided(clause.expr);
  return out;
}

InvariantCode Compiler::invariant(const core::Invariant& invariant) {
  InvariantCode out{invariant.expr, invariant.relational, {}, {}, {}};
  if (invariant.only_if.valid()) out.only_if = exprs_.sided(invariant.only_if);
  if (invariant.relational)
    out.relation = relation(invariant.expr);
  else
    out.holds = exprs_.sided(invariant.expr);
  return out;
}

std::vector<Sided> Compiler::list(const std::vector<core::ExprId>& exprs) {
  std::vector<Sided> out;
  for (core::ExprId expr : exprs) out.push_back(exprs_.sided(expr));
  return out;
}

std::vector<Value*> Compiler::declared_in(core::StmtId block) {
  std::vector<Value*> out;
  if (!block.valid()) return out;
  const auto it = machine_.declared_in_.find(block);
  if (it == machine_.declared_in_.end()) return out;
  for (core::VarId var : it->second) out.push_back(exprs_.place(var).original);
  return out;
}

// Kinds of statements ----------------------------------------------------------------------------

AssignCode Compiler::node(const core::Assign& s, core::StmtId) {
  return {exprs_.place(s.target), value(s.value)};
}

StoreCode Compiler::node(const core::Store& s, core::StmtId) {
  return {exprs_.place(s.target), list(s.indices), exprs_.sided(s.value)};
}

DeclareCode Compiler::node(const core::Declare& s, core::StmtId) {
  return {exprs_.place(s.target), list(s.sizes)};
}

RelaxedCode Compiler::node(const core::Relaxed& s, core::StmtId id) {
  RelaxedCode out{exprs_.place(s.target), site(s.site, id), {}, value(s.exact)};
  for (core::ExprId arg : s.args) out.args.push_back(exprs_.scalar(arg, {Side::Relaxed}));
  return out;
}

WriteCode Compiler::node(const core::Write& s, core::StmtId id) {
  const bool one = !s.site.specifications.empty() &&
                   program_.specifications[s.site.specifications[0]].params.size() == 1;
  return {exprs_.place(s.target),
          site(s.site, id),
          list(s.indices),
          value(s.value),
          s.whole,
          one,
          s.exact.valid() ? std::optional(value(s.exact)) : std::nullopt};
}

CheckCode Compiler::node(const core::Check& s, core::StmtId) {
  return {s.kind, s.expr, exprs_.sided(s.expr)};
}

ClaimCode Compiler::node(const core::Claim& s, core::StmtId) {
  if (s.kind == core::AssertionKind::AssertR) return {s.kind, s.expr, {}, relation(s.expr)};
  return {s.kind, s.expr, exprs_.sided(s.expr), {}};
}

RecallCode Compiler::node(const core::Recall& s, core::StmtId) {
  if (!s.made.empty()) understood_ = false;  // its body is run, by the tree-walking interpreter
  RecallCode out{&s, {}, {}};
  const auto compiled = [&](core::ExprId expr) -> RecallCode::Said {
    return {expr, exprs_.sided(expr)};
  };
  for (const core::Recall::Need& need : s.needs) out.needs.push_back(compiled(need.expr));
  for (core::ExprId ensured : s.ensures) out.ensures.push_back(compiled(ensured));
  return out;
}

BlockCode Compiler::node(const core::Block& s, core::StmtId) {
  BlockCode out;
  for (core::StmtId child : s.body) out.body.push_back(statement(child));
  return out;
}

IfCode Compiler::node(const core::If& s, core::StmtId) {
  IfCode out{s.condition, exprs_.sided(s.condition), statement(s.then_branch),
             statement(s.else_branch), declared_in(s.then_branch)};
  for (Value* value : declared_in(s.else_branch)) out.unset.push_back(value);
  return out;
}

WhileCode Compiler::node(const core::While& s, core::StmtId) {
  WhileCode out{s.loop,
                s.condition,
                machine_.watched_[s.loop.value],
                exprs_.place(s.left),
                {},
                {},
                s.falls,
                statement(s.before),
                exprs_.sided(s.condition),
                statement(s.body),
                declared_in(s.body)};
  for (const core::Invariant& i : s.invariants) out.invariants.push_back(invariant(i));
  if (s.falls.valid()) out.falls = exprs_.sided(s.falls);
  return out;
}

CallCode Compiler::node(const core::Call& s, core::StmtId) {
  CallCode out{s.callee, &code_->functions[s.callee.value], {}, {}};
  for (core::VarId target : s.targets) out.targets.push_back(exprs_.place(target));
  for (core::ExprId arg : s.args) out.args.push_back(value(arg));
  to_do_.push_back(s.callee);
  return out;
}

}  // namespace leto::interp

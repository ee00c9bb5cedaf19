#include "checks/excerpt.h"

#include <map>
#include <set>

namespace leto::checks {

using core::ExprId;
using core::FunctionId;
using core::LoopId;
using core::StmtId;
using core::VarId;

namespace {

// f(id) for each id in a node; some may be invalid.
template <class F>
void for_each_id(core::Expr& e, const F& f) {
  std::visit([&](auto& node) { core::parts::give(node, [&](ExprId& child) { f(child); }); },
             e.node);
  std::visit(Overload{
                 [](core::BoolConst&) {}, [](core::NumberConst&) {},
                 [&](core::VarRef& n) { f(n.var); }, [&](core::OldRef& n) { f(n.var); },
                 [](core::Length&) {}, [](core::Select&) {}, [](core::Apply&) {},
                 [&](core::Quant& n) {
                   for (VarId& var : n.bound) f(var);
                 },
                 [&](core::Snapshot& n) { f(n.loop); }, [](core::Row&) {}, [](core::Update&) {},
                 [](core::Listed&) {}, [](core::Word&) {},
                 [](core::Defined&) {},  // all of them are kept, in their order
             },
             e.node);
}

template <class F>
void for_each_id(core::While& s, const F& f) {
  f(s.loop);
  f(s.counter);
  for (VarId& var : s.exits) f(var);
  f(s.left);
  for (VarId& var : s.visible) f(var);
}

template <class F>
void for_each_id(core::Stmt& s, const F& f) {
  const auto expr = [&](ExprId& child, core::Use) { f(child); };
  const auto stmt = [&](StmtId& child) { f(child); };
  std::visit([&](auto& node) { core::parts::give(node, expr, stmt); }, s.node);
  std::visit(Overload{
                 [&](core::Assign& n) { f(n.target); },
                 [&](core::Store& n) { f(n.target); },
                 [&](core::Declare& n) { f(n.target); },
                 [&](core::Relaxed& n) { f(n.target); },
                 [&](core::Write& n) { f(n.target); },
                 [](core::Check&) {},
                 [](core::Claim&) {},
                 [](core::Block&) {},
                 [](core::If&) {},
                 [&](core::While& n) { for_each_id(n, f); },
                 [&](core::Call& n) {
                   f(n.callee);
                   for (VarId& target : n.targets) f(target);
                 },
                 [&](core::Recall& n) {
                   f(n.lemma);
                   for (core::Recall::Made& one : n.made) f(one.var);
                 },
             },
             s.node);
}

// Whoever adds a part to functions has to say here what it names.
template <class F>
void for_each_id(core::Function& function, const F& f) {
  auto& [name, span, params, sizes, results, inouts, requires_, ensures, entered, measure, ends,
         pure, lemma, alone, maybe_void, reliability, body, site] = function;
  for (VarId& var : params) f(var);
  for (core::ParamSize& size : sizes) {
    f(size.param);
    f(size.size);
  }
  for (VarId& var : results) f(var);
  for (core::Function::InOut& one : inouts) {
    f(one.passed);
    f(one.now);
  }
  for (auto* clauses : {&requires_, &ensures})
    for (core::Clause& clause : *clauses) f(clause.expr);
  for (core::Function::Entered& one : entered) {
    f(one.state);
    f(one.kept);
  }
  for (ExprId& part : measure) f(part);
  for (core::ReliabilityClause& clause : reliability) {
    for (auto* vars : {&clause.vars, &clause.inputs})
      for (VarId& var : *vars) f(var);
    f(clause.original);
    f(clause.relaxed);
  }
  f(body);
}

// What belongs to no function: of the model, and constants.
template <class F>
void for_each_common_id(core::Program& program, const F& f) {
  for (core::Specification& spec : program.specifications) {
    for (VarId& var : spec.params) f(var);
    f(spec.outcome);
    f(spec.exact);
    f(spec.when);
    for (VarId& var : spec.modifies) f(var);
    for (ExprId& said : spec.ensures) f(said);
    f(spec.rate);
  }
  for (core::ConstantVar& constant : program.constants) {
    f(constant.var);
    f(constant.value);
  }
  for (ExprId& constraint : program.constraints) f(constraint);
  for (core::StateVar& state : program.model.states) {
    f(state.var);
    f(state.init);
  }
  for (ExprId& invariant : program.model.invariants) f(invariant);
  for (std::uint32_t i = 0; i < program.definitions.size(); ++i) {
    auto& [name, span, type, params, measure, body, recursive, function, result, needs, ensures,
           rigid, witness] = program.definitions[core::DefinitionId{i}];
    for (VarId& var : params) f(var);
    for (auto* exprs : {&measure, &needs, &ensures})
      for (ExprId& part : *exprs) f(part);
    f(body);
    f(witness);
    f(function);
    f(result);
  }
}

template <class F>
void for_each_id(core::Recovery& r, const F& f) {
  for (StmtId* id : {&r.block, &r.body, &r.test, &r.recover}) f(*id);
  f(r.check);
}

// Takes what is needed, and all that this needs in turn, out of a program.
class Gathering {
 public:
  [[nodiscard]] auto needing() {
    return [this](auto& id) { need(id); };
  }
  // To what things are called in the part.
  [[nodiscard]] auto renaming() {
    return [this](auto& id) {
      if (id.valid()) id = now(id);
    };
  }

  explicit Gathering(const core::Program& whole) : whole_(whole) {
    made_.specifications = whole.specifications;
    made_.constants = whole.constants;
    made_.constraints = whole.constraints;
    made_.model = whole.model;
    made_.definitions = whole.definitions;
    made_.unmeasured = whole.unmeasured;
    for_each_common_id(made_, needing());
  }

  void need(VarId id) {
    if (id.valid()) vars_.try_emplace(id);
  }
  void need(LoopId id) {
    if (id.valid()) loops_.try_emplace(id);
  }
  void need(ExprId id) { need_parts(whole_.exprs, exprs_, id); }
  void need(StmtId id) { need_parts(whole_.stmts, stmts_, id); }
  // Its body later: chains of calls can be long.
  void need(FunctionId id) {
    if (id.valid() && functions_.try_emplace(id).second) called_.push_back(id);
  }

  core::Program finish() {
    while (!called_.empty()) {
      const FunctionId id = called_.back();
      called_.pop_back();
      core::Function& f = functions_.at(id).node = whole_.functions[id];
      for_each_id(f, needing());
    }
    number(vars_);
    number(loops_);
    number(exprs_);
    number(stmts_);
    number(functions_);
    for (const auto& [id, kept] : vars_) made_.vars.add(whole_.vars[id]);
    for (const auto& [id, kept] : loops_) made_.loops.push_back(whole_.loops[id.value]);
    move_into(made_.exprs, exprs_);
    move_into(made_.stmts, stmts_);
    move_into(made_.functions, functions_);
    for_each_common_id(made_, renaming());
    return std::move(made_);
  }

  // What it is called in the part.
  [[nodiscard]] VarId now(VarId id) const { return vars_.at(id).now; }
  [[nodiscard]] LoopId now(LoopId id) const { return loops_.at(id).now; }
  [[nodiscard]] ExprId now(ExprId id) const { return exprs_.at(id).now; }
  [[nodiscard]] StmtId now(StmtId id) const { return stmts_.at(id).now; }
  [[nodiscard]] FunctionId now(FunctionId id) const { return functions_.at(id).now; }
  [[nodiscard]] std::vector<FunctionId> list_functions() const {
    std::vector<FunctionId> all;
    for (const auto& [id, kept] : functions_) all.push_back(id);
    return all;
  }

 private:
  template <class Id, class Node>
  struct Kept {
    Node node;
    Id now;
  };
  struct Nothing {};
  template <class Id, class Node = Nothing>
  using Map = std::map<Id, Kept<Id, Node>>;  // in the order of the whole

  template <class Store, class Id, class Node>
  void need_parts(const Store& store, Map<Id, Node>& kept, Id id) {
    if (!id.valid()) return;
    const auto [it, fresh] = kept.try_emplace(id);
    if (!fresh) return;
    it->second.node = store[id];
    for_each_id(it->second.node, needing());
  }
  template <class Id, class Node>
  static void number(Map<Id, Node>& kept) {
    std::uint32_t next = 0;
    for (auto& [id, one] : kept) one.now = Id{next++};
  }
  template <class Store, class Id, class Node>
  void move_into(Store& store, Map<Id, Node>& kept) {
    for (auto& [id, one] : kept) {
      for_each_id(one.node, renaming());
      store.add(std::move(one.node));
    }
  }

  const core::Program& whole_;
  core::Program made_;
  Map<VarId> vars_;
  Map<LoopId> loops_;
  Map<ExprId, core::Expr> exprs_;
  Map<StmtId, core::Stmt> stmts_;
  Map<FunctionId, core::Function> functions_;
  std::vector<FunctionId> called_;  // and not yet looked into
};

}  // namespace

Excerpt::Excerpt(const core::Program& whole, const core::Recovery& asked,
                 const reliability::Footing& stood_on, ExprId also)
    : recovery(asked), said(also) {
  Gathering all(whole);
  for_each_id(recovery, all.needing());
  all.need(said);
  for (const auto* vars :
       {&stood_on.of_check, &stood_on.of_block, &stood_on.set_by_try, &stood_on.set})
    for (VarId var : *vars) all.need(var);
  program = all.finish();
  functions_of_whole_ = all.list_functions();
  for_each_id(recovery, all.renaming());
  if (said.valid()) said = all.now(said);
  const auto rename = [&](const reliability::Vars& vars) {
    reliability::Vars renamed;
    for (VarId var : vars) renamed.insert(all.now(var));
    return renamed;
  };
  footing = {rename(stood_on.of_check), rename(stood_on.of_block), rename(stood_on.set_by_try),
             rename(stood_on.set)};
}

Excerpt::Excerpt(const core::Program& whole, FunctionId asked) {
  Gathering all(whole);
  all.need(asked);
  program = all.finish();
  functions_of_whole_ = all.list_functions();
  function = all.now(asked);
}

}  // namespace leto::checks

#include <fmt/core.h>

#include <unordered_set>

#include "core/calls.h"
#include "core/core.h"

namespace leto::core {

std::string_view spelling(Op op) {
  switch (op) {
    case Op::Not:
      return "!";
    case Op::Neg:
      return "-";
    case Op::Abs:
      return "abs";
    case Op::ToReal:
      return "real";
    case Op::Floor:
      return "floor";
    case Op::ToNatural:
      return "uint";
    case Op::Add:
      return "+";
    case Op::Sub:
      return "-";
    case Op::Mul:
      return "*";
    case Op::Div:
      return "/";
    case Op::Mod:
      return "%";
    case Op::And:
      return "&&";
    case Op::Or:
      return "||";
    case Op::Implies:
      return "->";
    case Op::Eq:
      return "==";
    case Op::Ne:
      return "!=";
    case Op::Lt:
      return "<";
    case Op::Le:
      return "<=";
    case Op::Gt:
      return ">";
    case Op::Ge:
      return ">=";
    case Op::Min:
      return "min";
    case Op::Max:
      return "max";
    case Op::Choose:
      return "if";
  }
  LETO_ASSERT(false);
}

std::string_view spelling(WordOp op) {
  switch (op) {
    case WordOp::Not:
      return "~";
    case WordOp::Neg:
    case WordOp::Sub:
      return "-";
    case WordOp::And:
      return "&";
    case WordOp::Or:
      return "|";
    case WordOp::Xor:
      return "^";
    case WordOp::ShiftLeft:
      return "<<";
    case WordOp::ShiftRight:
      return ">>";
    case WordOp::ShiftSigned:
      return "sar";
    case WordOp::Add:
      return "+";
    case WordOp::Mul:
      return "*";
    case WordOp::Div:
      return "/";
    case WordOp::Mod:
      return "%";
    case WordOp::SignedDiv:
      return "sdiv";
    case WordOp::SignedRem:
      return "srem";
    case WordOp::Less:
      return "<";
    case WordOp::AtMost:
      return "<=";
    case WordOp::Greater:
      return ">";
    case WordOp::AtLeast:
      return ">=";
    case WordOp::SignedLess:
      return "sless";
    case WordOp::Join:
      return "++";
    case WordOp::Part:
      return "part";
    case WordOp::ZeroExtend:
      return "zero_extend";
    case WordOp::SignExtend:
      return "sign_extend";
    case WordOp::ToNatural:
      return "uint";
    case WordOp::ToInt:
      return "int";
    case WordOp::OfInt:
      return "bits";
    case WordOp::Bit:
      return "bit";
    case WordOp::WithBit:
      return "with_bit";
    case WordOp::Ones:
      return "popcount";
    case WordOp::Parity:
      return "parity";
  }
  LETO_ASSERT(false);
}

std::size_t operands_of(WordOp op) {
  switch (op) {
    case WordOp::Not:
    case WordOp::Neg:
    case WordOp::Part:
    case WordOp::ZeroExtend:
    case WordOp::SignExtend:
    case WordOp::ToNatural:
    case WordOp::ToInt:
    case WordOp::OfInt:
    case WordOp::Ones:
    case WordOp::Parity:
      return 1;
    case WordOp::And:
    case WordOp::Or:
    case WordOp::Xor:
    case WordOp::ShiftLeft:
    case WordOp::ShiftRight:
    case WordOp::ShiftSigned:
    case WordOp::Add:
    case WordOp::Sub:
    case WordOp::Mul:
    case WordOp::Div:
    case WordOp::Mod:
    case WordOp::SignedDiv:
    case WordOp::SignedRem:
    case WordOp::Less:
    case WordOp::AtMost:
    case WordOp::Greater:
    case WordOp::AtLeast:
    case WordOp::SignedLess:
    case WordOp::Join:
    case WordOp::Bit:
      return 2;
    case WordOp::WithBit:
      return 3;
  }
  LETO_ASSERT(false);
}

bool divides(WordOp op) {
  return op == WordOp::Div || op == WordOp::Mod || op == WordOp::SignedDiv ||
         op == WordOp::SignedRem;
}

std::optional<Span> find_word(const Program& program) {
  for (const Var& var : program.vars)
    if (var.type.base == Base::Word) return var.span;
  for (const Expr& e : program.exprs)
    if (e.type.base == Base::Word || std::holds_alternative<Word>(e.node)) return e.span;
  return std::nullopt;
}

std::string_view describe(CheckKind kind) {
  switch (kind) {
    case CheckKind::Bounds:
      return "the index is within bounds";
    case CheckKind::DivisionByZero:
      return "the divisor is not zero";
    case CheckKind::Natural:
      return "the value for a uint is not negative";
    case CheckKind::SameSize:
      return "the sizes agree";
    case CheckKind::Fits:
      return "the value fits into the word";
  }
  LETO_ASSERT(false);
}

std::vector<StmtId> children(const Program& program, StmtId id) {
  std::vector<StmtId> all;
  for_each_child(program, id, [&](StmtId child) { all.push_back(child); });
  return all;
}

std::vector<ExprId> children(const Program& program, ExprId id) {
  std::vector<ExprId> all;
  for_each_child(program, id, [&](ExprId child) { all.push_back(child); });
  return all;
}

namespace {

void visit_once(const Program& program, StmtId id, std::unordered_set<StmtId>& seen,
                const std::function<void(StmtId)>& f) {
  if (!seen.insert(id).second) return;
  f(id);
  for_each_child(program, id, [&](StmtId child) { visit_once(program, child, seen, f); });
}

}  // namespace

void for_each_statement(const Program& program, StmtId id, const std::function<void(StmtId)>& f) {
  std::unordered_set<StmtId> seen;
  if (id.valid()) visit_once(program, id, seen, f);
}

std::size_t count_statements(const Program& program, StmtId id) {
  std::size_t count = 0;
  for_each_statement(program, id, [&](StmtId) { ++count; });
  return count;
}

std::string title(const Program& program, std::uint32_t specification) {
  const std::string& label = program.specifications[specification].label;
  return label.empty() ? fmt::format("specification {}", specification) : label;
}

bool is_about_constants(const ClaimId& claim) {
  return claim.function == "constants" || claim.kind == ClaimKind::ConstraintsMet ||
         claim.kind == ClaimKind::ValuesMet;
}

// Those of models are called by the model's name, too.
std::string describe_constants(const Program& program) {
  const bool of_program =
      !program.constants.empty() &&
      std::none_of(program.constants.begin(), program.constants.end(), [&](const ConstantVar& c) {
        return program.vars[c.var].name.find('.') != std::string::npos;
      });
  return of_program ? "what the program says of its constants" : "what is said of constants";
}

std::vector<std::string> externals_called(const Program& program) {
  std::set<std::string> names;
  const std::vector<bool> called = find_called(program);
  for (std::uint32_t f = 0; f < called.size(); ++f)
    if (called[f] && program.functions[FunctionId{f}].external())
      names.insert(program.functions[FunctionId{f}].name);
  for (const Expr& e : program.exprs)  // specifications may speak of pure ones
    if (const auto* defined = std::get_if<Defined>(&e.node))
      if (const FunctionId f = program.definitions[defined->definition].function;
          f.valid() && program.functions[f].external())
        names.insert(program.functions[f].name);
  return {names.begin(), names.end()};
}

std::map<std::string, std::vector<Span>> find_measured_state_assigned(const Program& program) {
  std::set<VarId> measured;
  const auto add = [&](ExprId id) {
    if (id.valid())
      for_each_read(program, id, [&](VarId var, Side) {
        if (program.vars[var].kind == VarKind::State) measured.insert(var);
      });
  };
  for (const Function& f : program.functions)
    for (ExprId part : f.measure) add(part);
  for (const Stmt& stmt : program.stmts)
    if (const auto* loop = std::get_if<While>(&stmt.node)) add(loop->falls);
  std::map<std::string, std::vector<Span>> out;
  for (const Stmt& stmt : program.stmts)
    if (const auto* assign = std::get_if<Assign>(&stmt.node);
        assign != nullptr && measured.contains(assign->target))
      out[program.vars[assign->target].name].push_back(stmt.span);
  return out;
}

bool is_left(const Program& program, ExprId id) {
  const auto* either = std::get_if<Apply>(&program.exprs[id].node);
  if (either == nullptr || either->op != Op::Or) return false;
  const auto is_flag = [&](ExprId part) {
    const auto* ref = std::get_if<VarRef>(&program.exprs[part].node);
    return ref != nullptr && program.vars[ref->var].kind == VarKind::Temp;
  };
  return is_flag(either->args[1]) &&
         (is_flag(either->args[0]) || is_left(program, either->args[0]));
}

namespace {

bool has_rigid(const Program& program, Rigid which) {
  for (const Definition& one : program.definitions)
    if (one.rigid && one.is_unknown() == (which == Rigid::Unknown)) return true;
  return false;
}

}  // namespace

bool uses_recursion(const Program& program, ExprId id) {
  const auto* node = std::get_if<Defined>(&program.exprs[id].node);
  bool any = node != nullptr && program.definitions[node->definition].recursive;
  for_each_child(program, id, [&](ExprId child) { any = any || uses_recursion(program, child); });
  return any;
}

bool uses(const Program& program, ExprId id, DefinitionId definition) {
  const auto* node = std::get_if<Defined>(&program.exprs[id].node);
  bool any = node != nullptr && node->definition == definition;
  for_each_child(program, id, [&](ExprId child) { any = any || uses(program, child, definition); });
  return any;
}

bool uses(const Program& program, ExprId id, Rigid which) {
  if (!id.valid()) return false;
  if (const auto* node = std::get_if<Defined>(&program.exprs[id].node)) {
    const Definition& used = program.definitions[node->definition];
    if (used.rigid && used.is_unknown() == (which == Rigid::Unknown)) return true;
    if (!used.recursive && uses(program, used.body, which)) return true;
    if (used.recursive && has_rigid(program, which)) return true;  // it may
  }
  bool any = false;
  for_each_child(program, id, [&](ExprId child) { any = any || uses(program, child, which); });
  return any;
}

namespace {

// Whether a function is asked for the bound variables, each once.
bool takes_all(const Program& program, const std::vector<ExprId>& args,
               const std::vector<VarId>& bound) {
  std::vector<VarId> named;
  for (ExprId arg : args) {
    const Expr* e = &program.exprs[arg];
    const auto* converted = std::get_if<Apply>(&e->node);
    if (converted != nullptr && converted->op == Op::ToReal) e = &program.exprs[converted->args[0]];
    const auto* ref = std::get_if<VarRef>(&e->node);
    if (ref == nullptr) return false;
    named.push_back(ref->var);
  }
  return std::is_permutation(named.begin(), named.end(), bound.begin(), bound.end());
}

// `bound`: by the one quantifier around it; null: there is none, and it can be evaluated.
bool relates(const Program& program, ExprId id, const std::vector<VarId>* bound) {
  const auto& node = program.exprs[id].node;
  if (const auto* quant = std::get_if<Quant>(&node)) {
    if (bound != nullptr || !quant->universal) return uses(program, id, Rigid::Unknown);
    return relates(program, quant->body, &quant->bound);
  }
  if (const auto* use = std::get_if<Defined>(&node); use != nullptr && bound != nullptr) {
    const Definition& used = program.definitions[use->definition];
    if (used.is_unknown()) return !takes_all(program, use->args, *bound);
    if (uses(program, id, Rigid::Unknown)) return true;
  }
  bool any = false;
  for_each_child(program, id, [&](ExprId child) { any = any || relates(program, child, bound); });
  return any;
}

}  // namespace

ExprId find_relating(const Program& program) {
  for (ExprId constraint : program.constraints)
    if (relates(program, constraint, nullptr)) return constraint;
  return {};
}

Op turned(Op op) {
  switch (op) {
    case Op::Lt:
      return Op::Gt;
    case Op::Gt:
      return Op::Lt;
    case Op::Le:
      return Op::Ge;
    case Op::Ge:
      return Op::Le;
    case Op::Not:
    case Op::Neg:
    case Op::Abs:
    case Op::ToReal:
    case Op::Floor:
    case Op::ToNatural:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Min:
    case Op::Max:
    case Op::Choose:
      return op;
  }
  LETO_ASSERT(false);
}

bool has_unknown_functions(const Program& program) {
  return has_rigid(program, Rigid::Unknown);
}

bool has_unseen_functions(const Program& program) {
  return has_unknown_functions(program) ||
         std::any_of(program.functions.begin(), program.functions.end(),
                     [](const Function& f) { return f.external(); });
}

bool is_closed(const Program& program) {
  return !has_unseen_functions(program) &&
         std::all_of(program.constants.begin(), program.constants.end(),
                     [](const ConstantVar& constant) { return constant.value.valid(); });
}

FunctionId find_function(const Program& program, std::string_view name) {
  for (std::uint32_t i = 0; i < program.functions.size(); ++i)
    if (program.functions[FunctionId{i}].name == name) return FunctionId{i};
  return {};
}

const std::vector<ExprId>* find_elements(const Program& program, const ConstantVar& constant) {
  if (!constant.value.valid()) return nullptr;
  const auto* listed = std::get_if<Listed>(&program.exprs[constant.value].node);
  return listed != nullptr ? &listed->elements : nullptr;
}

bool is_surely_natural(const Program& program, ExprId id) {
  const Expr& e = program.exprs[id];
  if (!e.type.natural) return false;
  const auto all = [&](const std::vector<ExprId>& list) {
    return std::all_of(list.begin(), list.end(),
                       [&](ExprId part) { return is_surely_natural(program, part); });
  };
  return std::visit(
      Overload{
          [](const BoolConst&) { return false; },
          [](const NumberConst&) { return true; },
          // An expression may have been given another type.
          [&](const VarRef& node) { return program.vars[node.var].type.natural; },
          [&](const OldRef& node) { return program.vars[node.var].type.natural; },
          [](const Length&) { return true; },
          [&](const Select& node) { return is_surely_natural(program, node.vector); },
          [&](const Apply& node) {
            if (node.op == Op::Abs || node.op == Op::ToNatural) return true;
            if (node.op == Op::Sub || node.op == Op::Neg || node.op == Op::Floor) return false;
            if (node.op == Op::Choose) return all({node.args[1], node.args[2]});
            return all(node.args);
          },
          [](const Quant&) { return false; },
          [&](const Snapshot& node) { return is_surely_natural(program, node.expr); },
          [&](const Row& node) { return is_surely_natural(program, node.matrix); },
          [&](const Update& node) {
            return all({node.vector, node.value});
          },
          [](const Defined&) { return false; },
          [&](const Listed& node) { return all(node.elements); },
          [](const Word& node) { return node.op == WordOp::ToNatural || node.op == WordOp::Ones; },
      },
      e.node);
}

bool reads_state(const Program& program, ExprId id) {
  bool any = false;
  for_each_read(program, id,
                [&](VarId var, Side) { any = any || program.vars[var].kind == VarKind::State; });
  return any;
}

void for_each_read(const Program& program, ExprId id, const std::function<void(VarId, Side)>& f) {
  const auto& node = program.exprs[id].node;
  if (const auto* ref = std::get_if<VarRef>(&node)) f(ref->var, ref->side);
  if (const auto* old = std::get_if<OldRef>(&node)) f(old->var, Side::Relaxed);
  for_each_child(program, id, [&](ExprId child) { for_each_read(program, child, f); });
}

std::vector<ExprId> evaluated(const Program& program, StmtId id) {
  std::vector<ExprId> all;
  for_each_expression(program, id, [&](ExprId expr, Use use) {
    if (use == Use::Evaluated) all.push_back(expr);
  });
  return all;
}

std::vector<VarId> targets_of(const Program& program, StmtId id) {
  std::vector<VarId> all;
  for_each_target(program, id, [&](VarId target) { all.push_back(target); });
  return all;
}

bool sets(const Program& program, StmtId id, VarId var) {
  bool found = false;
  for_each_target(program, id, [&](VarId target) { found = found || target == var; });
  return found;
}

const FaultSite* site_of(const Stmt& stmt) {
  using Site = const FaultSite*;
  return std::visit(Overload{
                        [](const Assign&) -> Site { return nullptr; },
                        [](const core::Store&) -> Site { return nullptr; },
                        [](const Declare&) -> Site { return nullptr; },
                        [](const Relaxed& s) -> Site { return &s.site; },
                        [](const Write& s) -> Site { return &s.site; },
                        [](const Check&) -> Site { return nullptr; },
                        [](const Claim&) -> Site { return nullptr; },
                        [](const Block&) -> Site { return nullptr; },
                        [](const If&) -> Site { return nullptr; },
                        [](const While&) -> Site { return nullptr; },
                        [](const Call&) -> Site { return nullptr; },
                        [](const Recall&) -> Site { return nullptr; },
                    },
                    stmt.node);
}

std::vector<ExprId> conjuncts(const Program& program, ExprId id) {
  const auto* apply = std::get_if<Apply>(&program.exprs[id].node);
  if (apply == nullptr || apply->op != Op::And) return {id};
  std::vector<ExprId> out;
  for (ExprId arg : apply->args)
    for (ExprId part : conjuncts(program, arg)) out.push_back(part);
  return out;
}

std::string operation(const Program& program, const Stmt& stmt) {
  if (const FaultSite* site = site_of(stmt)) return site->what;
  if (const auto* call = std::get_if<Call>(&stmt.node)) return program.functions[call->callee].name;
  return "";
}

}  // namespace leto::core

// Statements of both runs in lockstep: the original's part first, then the relaxed run's. Where a
// test comes out differently, each goes its way in a function of its own, the original first.
#include <fmt/core.h>

#include <algorithm>

#include "emit/native_writer.h"

namespace leto::emit {

using core::ExprId;
using core::Side;
using core::StmtId;
using core::VarId;

namespace {

std::vector<Side> sides_of(Mode mode) {
  if (mode == Mode::Original) return {Side::Original};
  if (mode == Mode::Relaxed) return {Side::Relaxed};
  return {Side::Original, Side::Relaxed};
}

const char* suffix_of(Mode mode) {
  return mode == Mode::Both ? "b" : mode == Mode::Original ? "o" : "r";
}

bool mentions_real(const core::Program& program, ExprId id) {
  bool found = program.exprs[id].type.base == core::Base::Real;
  core::for_each_child(program, id,
                       [&](ExprId child) { found = found || mentions_real(program, child); });
  return found;
}

}  // namespace

void NativeProgram::statement(StmtId id, Mode mode) {
  std::visit([&](const auto& node) { visit(id, node, mode); }, program_.stmts[id].node);
}

void NativeProgram::child(StmtId id, Mode mode) {
  if (!id.valid()) return;
  if (!std::holds_alternative<core::Block>(program_.stmts[id].node)) count_steps(1, mode);
  statement(id, mode);
}

void NativeProgram::apart(StmtId id, Mode mode) {
  if (!id.valid()) return;
  if (!done_[{id, mode}]) waiting_.emplace_back(id, mode);
  done_[{id, mode}] = true;
  line(fmt::format("s{}_{}();", id.value, suffix_of(mode)));
}

void NativeProgram::count_steps(std::uint64_t n, Mode mode) {
  if (n == 0) return;
  if (mode != Mode::Relaxed) line(fmt::format("steps_o += {};", n));
  if (mode != Mode::Original) line(fmt::format("steps_r += {};", n));
}

// Where doubles may not decide it.
void NativeProgram::note_now(ExprId id, Span at) {
  if (mentions_real(program_, id)) line(fmt::format("now = {};", place(at)));
}

void NativeProgram::set(VarId var, Side side, const std::string& value) {
  line(fmt::format("{} = {};", name(var, side), value));
  if (side == Side::Original && asked_.contains(var))
    line(fmt::format("none{} = false;", var.value));
}

void NativeProgram::store(VarId var, Side side, const std::vector<ExprId>& indices,
                          const std::string& value) {
  std::string list;
  for (ExprId index : indices) list += text(index, side) + ", ";
  line(fmt::format("{}.set({}{});", name(var, side), list, value));
}

void NativeProgram::visit(StmtId, const core::Assign& s, Mode mode) {
  for (Side side : sides_of(mode))
    set(s.target, side, text_as(s.value, side, program_.vars[s.target].type.base));
}

void NativeProgram::visit(StmtId, const core::Store& s, Mode mode) {
  for (Side side : sides_of(mode))
    store(s.target, side, s.indices, text_as(s.value, side, program_.vars[s.target].type.base));
}

void NativeProgram::visit(StmtId, const core::Declare& s, Mode mode) {
  for (Side side : sides_of(mode)) {
    if (s.sizes.empty()) {
      set(s.target, side, type_of(program_.vars[s.target].type) + "{}");
      continue;
    }
    std::string list;
    for (ExprId size : s.sizes) list += (list.empty() ? "" : ", ") + text(size, side);
    line(fmt::format("{}.make({});", name(s.target, side), list));
    if (side == Side::Original && asked_.contains(s.target))
      line(fmt::format("none{} = false;", s.target.value));
  }
}

// Which specification has always the exact outcome and nothing else; -1: none.
int NativeProgram::find_exact(const core::FaultSite& site, ExprId exact,
                              const std::vector<ExprId>& args) const {
  for (std::size_t i = 0; i < site.specifications.size(); ++i) {
    const core::Specification& spec = program_.specifications[site.specifications[i]];
    if (!spec.modifies.empty() || spec.ensures.size() != 1) continue;
    const auto* equation = std::get_if<core::Apply>(&program_.exprs[spec.ensures[0]].node);
    if (equation == nullptr || equation->op != core::Op::Eq) continue;
    const auto is_var = [&](ExprId id, VarId var) {
      const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node);
      return ref != nullptr && ref->var == var;
    };
    const std::function<bool(ExprId, ExprId)> same = [&](ExprId said, ExprId done) {
      for (std::size_t k = 0; k < args.size() && k < spec.params.size(); ++k)
        if (args[k] == done && is_var(said, spec.params[k])) return true;
      const auto* a = std::get_if<core::Apply>(&program_.exprs[said].node);
      const auto* b = std::get_if<core::Apply>(&program_.exprs[done].node);
      return a != nullptr && b != nullptr && a->op == b->op && a->args.size() == b->args.size() &&
             std::equal(a->args.begin(), a->args.end(), b->args.begin(), same);
    };
    for (std::size_t side = 0; side < 2; ++side)
      if (is_var(equation->args[side], spec.outcome) &&
          (spec.exact.valid() ? is_var(equation->args[1 - side], spec.exact)
                              : same(equation->args[1 - side], exact)))
        return static_cast<int>(i);
  }
  return -1;
}

// What to call. Sites that have the same specifications share a hook.
std::string NativeProgram::hook(const core::FaultSite& site, StmtId id, core::Type type,
                                const std::vector<core::Type>& args, int exact_one) {
  auto at = std::find(sites_.begin(), sites_.end(), id);
  if (at == sites_.end()) at = sites_.insert(sites_.end(), id);
  const auto number = at - sites_.begin();
  std::string key = std::to_string(exact_one);
  for (std::uint32_t one : site.specifications) key += "," + std::to_string(one);
  const auto [it, added] = hook_names_.try_emplace(key, fmt::format("hook{}", hook_names_.size()));
  if (added)
    hooks_ += HookWriter(*this, site, type, args, exact_one)
                  .write(it->second, place(program_.stmts[id].span));
  return fmt::format("{}({}", it->second, number);
}

void NativeProgram::visit(StmtId id, const core::Relaxed& s, Mode mode) {
  const core::Base base = program_.vars[s.target].type.base;
  if (mode != Mode::Relaxed) set(s.target, Side::Original, text_as(s.exact, Side::Original, base));
  if (mode == Mode::Original) return;
  const std::string exact = text_as(s.exact, Side::Relaxed, base);
  if (s.site.specifications.empty()) return set(s.target, Side::Relaxed, exact);
  std::vector<core::Type> types;
  std::string list;
  for (ExprId arg : s.args) {
    if (program_.exprs[arg].type.rank > 0)
      throw Refused{program_.exprs[arg].span, "a relaxed operation of a vector"};
    const std::size_t i = types.size();
    const core::Specification& spec = program_.specifications[s.site.specifications[0]];
    types.push_back(i < spec.params.size() ? program_.vars[spec.params[i]].type
                                           : program_.exprs[arg].type);
    list += ", " + text_as(arg, Side::Relaxed, types.back().base);
  }
  const std::string call =
      hook(s.site, id, program_.vars[s.target].type, types, find_exact(s.site, s.exact, s.args));
  set(s.target, Side::Relaxed, fmt::format("{}, {}{})", call, exact, list));
}

void NativeProgram::visit(StmtId id, const core::Write& s, Mode mode) {
  if (s.exact.valid())
    throw Refused{program_.stmts[id].span, "a write to a region under a model over another"};
  const core::Type element = program_.vars[s.target].type.element();
  if (mode != Mode::Relaxed) {
    if (s.indices.empty())
      set(s.target, Side::Original, text_as(s.value, Side::Original, element.base));
    else
      store(s.target, Side::Original, s.indices, text_as(s.value, Side::Original, element.base));
  }
  if (mode == Mode::Original) return;
  const std::string target = name(s.target, Side::Relaxed);
  const std::string value = text_as(s.value, Side::Relaxed, element.base);
  if (s.site.specifications.empty()) {
    if (s.indices.empty()) return set(s.target, Side::Relaxed, value);
    return store(s.target, Side::Relaxed, s.indices, value);
  }
  const bool one = program_.specifications[s.site.specifications[0]].params.size() == 1;
  const std::vector<ExprId> args =
      one ? std::vector<ExprId>{s.value} : std::vector<ExprId>{ExprId{}, s.value};
  const std::string call = hook(s.site, id, element, std::vector<core::Type>(args.size(), element),
                                find_exact(s.site, s.value, args));
  if (s.whole) {
    const std::string from = fresh("from"), k = fresh("k");
    open("{");
    line(fmt::format("auto {} = {};", from, value));
    open(fmt::format("for (std::size_t {0} = 0; {0} < {1}.all.size(); ++{0}) {{", k, from));
    const std::string now = fmt::format("{}.all[{}]", from, k);
    const std::string before =
        fmt::format("{0} < {1}.all.size() ? {1}.all[{0}] : {2}{{}}", k, target, type_of(element));
    line(fmt::format("{} = {}, {}{}, {});", now, call, now, one ? "" : ", " + before, now));
    close();
    line(fmt::format("{} = {};", target, from));
    close();
    return;
  }
  const std::string from = fresh("from");
  open("{");
  line(fmt::format("const {} {} = {};", type_of(element), from, value));
  std::string stored = target;
  if (!s.indices.empty()) {
    stored += ".at(";
    for (std::size_t i = 0; i < s.indices.size(); ++i)
      stored += (i == 0 ? "" : ", ") + text(s.indices[i], Side::Relaxed);
    stored += element.base == core::Base::Bool ? ") != 0" : ")";
  }
  const std::string result =
      fmt::format("{}, {}{}, {})", call, from, one ? "" : ", " + stored, from);
  if (s.indices.empty())
    set(s.target, Side::Relaxed, result);
  else
    store(s.target, Side::Relaxed, s.indices, result);
  close();
}

void NativeProgram::visit(StmtId id, const core::Check& s, Mode mode) {
  const Span at = program_.stmts[id].span;
  note_now(s.expr, at);
  const std::uint32_t why = reason(std::string(core::describe(s.kind)));
  for (Side side : sides_of(mode))
    line(fmt::format("if (!({})) stop(end::{}, {}, {});", text(s.expr, side),
                     side == Side::Original ? "original_failed" : "check_failed", why, place(at)));
}

void NativeProgram::relational(ExprId id) {
  const std::string without = lacks(id, false);
  line(fmt::format("if ({}!({})) violated = true;", without.empty() ? "" : "(" + without + ") || ",
                   text(id, Side::Relaxed)));
}

// Of the original it is known.
void NativeProgram::visit(StmtId id, const core::Claim& s, Mode mode) {
  if (mode == Mode::Original) return;
  const Span at = program_.stmts[id].span;
  note_now(s.expr, at);
  if (s.kind == core::AssertionKind::AssertR) return relational(s.expr);
  line(fmt::format("if (!({})) stop(end::assert_failed, {}, {});", text(s.expr, Side::Relaxed),
                   reason("an assertion does not hold"), place(at)));
}

void NativeProgram::contract(const std::vector<core::Clause>& clauses, Mode mode) {
  for (const core::Clause& clause : clauses) {
    if (mode == Mode::Original || (clause.relational && mode != Mode::Both)) continue;
    note_now(clause.expr, program_.exprs[clause.expr].span);
    if (clause.relational)
      relational(clause.expr);
    else
      line(fmt::format("if (!({})) violated = true;", text(clause.expr, Side::Relaxed)));
  }
}

void NativeProgram::visit(StmtId, const core::Block& s, Mode mode) {
  std::uint64_t steps = 0;
  for (StmtId child : s.body)
    steps += std::holds_alternative<core::Block>(program_.stmts[child].node) ? 0 : 1;
  count_steps(steps, mode);
  for (StmtId child : s.body) statement(child, mode);
}

// Who does not come by has no value there.
void NativeProgram::unset(StmtId block) {
  if (!block.valid()) return;
  core::for_each_statement(program_, block, [&](StmtId inner) {
    const auto* declared = std::get_if<core::Declare>(&program_.stmts[inner].node);
    if (declared == nullptr || !asked_.contains(declared->target)) return;
    used_.insert(declared->target);
    line(fmt::format("none{} = true;", declared->target.value));
  });
}

void NativeProgram::visit(StmtId id, const core::If& s, Mode mode) {
  unset(s.then_branch);
  unset(s.else_branch);
  note_now(s.condition, program_.stmts[id].span);
  const auto branches = [&](const std::string& test, const auto& write) {
    open(fmt::format("if ({}) {{", test));
    write(s.then_branch);
    if (s.else_branch.valid()) {
      close("} else {");
      ++depth_;
      write(s.else_branch);
    }
    close();
  };
  if (mode != Mode::Both) {
    const Side side = mode == Mode::Original ? Side::Original : Side::Relaxed;
    return branches(text(s.condition, side), [&](StmtId branch) { child(branch, mode); });
  }
  const std::string a = fresh("t"), b = fresh("t");
  line(fmt::format("const bool {} = {};", a, text(s.condition, Side::Original)));
  line(fmt::format("const bool {} = {};", b, text(s.condition, Side::Relaxed)));
  open(fmt::format("if ({} == {}) {{", a, b));
  branches(a, [&](StmtId branch) { child(branch, Mode::Both); });
  close("} else {");
  ++depth_;
  branches(a, [&](StmtId branch) { apart(branch, Mode::Original); });
  branches(b, [&](StmtId branch) { apart(branch, Mode::Relaxed); });
  close();
}

void NativeProgram::keep_labels(const core::While& s, bool entry) {
  for (const auto& [id, kept] : kept_)
    if (kept.loop == s.loop && kept.entry == entry)
      line(fmt::format("{} = {};", kept.name, kept.value));
}

void NativeProgram::one_sided_loop(const core::While& s, Mode mode) {
  const Side side = mode == Mode::Original ? Side::Original : Side::Relaxed;
  keep_labels(s, true);
  open("for (;;) {");
  keep_labels(s, false);
  if (s.left.valid()) {
    line(fmt::format("{} = {};", name(s.left, Side::Original), side != Side::Original));
    line(fmt::format("{} = {};", name(s.left, Side::Relaxed), side != Side::Relaxed));
  }
  child(s.before, mode);
  note_now(s.condition, program_.exprs[s.condition].span);
  line(fmt::format("if (!({})) break;", text(s.condition, side)));
  count_steps(1, mode);
  line("look_at_steps();");
  unset(s.body);
  child(s.body, mode);
  close();
}

void NativeProgram::visit(StmtId, const core::While& s, Mode mode) {
  if (mode != Mode::Both) return one_sided_loop(s, mode);
  const std::string o = fresh("in"), r = fresh("in");
  open("{");
  line(fmt::format("bool {} = true, {} = true;", o, r));
  keep_labels(s, true);
  open("for (;;) {");
  keep_labels(s, false);
  if (s.left.valid()) {
    line(fmt::format("{} = !{};", name(s.left, Side::Original), o));
    line(fmt::format("{} = !{};", name(s.left, Side::Relaxed), r));
  }
  const auto by_who = [&](StmtId what, bool counted) {
    open(fmt::format("if ({} && {}) {{", o, r));
    if (counted) count_steps(1, Mode::Both);
    child(what, Mode::Both);
    close(fmt::format("}} else if ({}) {{", o));
    ++depth_;
    if (counted) count_steps(1, Mode::Original);
    apart(what, Mode::Original);
    close("} else {");
    ++depth_;
    if (counted) count_steps(1, Mode::Relaxed);
    apart(what, Mode::Relaxed);
    close();
  };
  const auto* before =
      s.before.valid() ? std::get_if<core::Block>(&program_.stmts[s.before].node) : nullptr;
  if (s.before.valid() && (before == nullptr || !before->body.empty())) by_who(s.before, false);
  note_now(s.condition, program_.exprs[s.condition].span);
  line(fmt::format("{0} = {0} && {1};", o, text(s.condition, Side::Original)));
  line(fmt::format("{0} = {0} && {1};", r, text(s.condition, Side::Relaxed)));
  line(fmt::format("if (!{} && !{}) break;", o, r));
  unset(s.body);
  by_who(s.body, true);
  line("look_at_steps();");
  close();
  close();
}

void NativeProgram::pass(const core::Function& f, const std::map<std::string, std::string>& values,
                         Mode mode) {
  for (VarId param : f.params)
    for (Side side : sides_of(mode)) set(param, side, values.at(name(param, side)));
}

void NativeProgram::visit(StmtId id, const core::Call& s, Mode mode) {
  const core::Function& f = program_.functions[s.callee];
  const Span at = program_.stmts[id].span;
  open("{");
  std::map<std::string, std::string> values;
  for (Side side : sides_of(mode))
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      const std::string to = fresh("a");
      line(fmt::format("const {} {} = {};", type_of(program_.vars[f.params[i]].type), to,
                       text_as(s.args[i], side, program_.vars[f.params[i]].type.base)));
      values[name(f.params[i], side)] = to;
    }
  unset(f.body);
  for (VarId param : f.params)
    if (asked_.contains(param) && mode == Mode::Relaxed)
      line(fmt::format("none{} = true;", param.value));
  pass(f, values, mode);
  for (const core::ParamSize& size : f.sizes)
    for (Side side : sides_of(mode))
      line(fmt::format("if ({}.{} != ({}).n) stop(end::{}, {}, {});", name(size.param, side),
                       size.dimension == 0 ? "rows" : "cols", text(size.size, side),
                       side == Side::Original ? "original_failed" : "check_failed",
                       reason(fmt::format("the sizes do not agree with those of '{}'", f.name)),
                       place(at)));
  if (f.has_contract()) contract(f.requires_, mode);
  apart(f.body, mode);
  std::vector<std::pair<std::size_t, std::pair<Side, std::string>>> results;
  for (Side side : sides_of(mode))
    for (std::size_t i = 0; i < s.targets.size(); ++i) {
      const std::string to = fresh("r");
      line(fmt::format("const auto {} = {};", to, name(f.results[i], side)));
      results.push_back({i, {side, to}});
    }
  if (!f.ensures.empty()) {
    pass(f, values, mode);
    contract(f.ensures, mode);
  }
  for (const auto& [i, result] : results) set(s.targets[i], result.first, result.second);
  close();
}

// Nobody runs it.
void NativeProgram::visit(StmtId id, const core::Recall& s, Mode) {
  if (!s.made.empty()) throw Refused{program_.stmts[id].span, "a lemma that makes something"};
}

}  // namespace leto::emit

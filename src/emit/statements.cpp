// Statements as C++. What is there for proofs only leaves nothing behind.
#include <fmt/core.h>

#include <algorithm>

#include "emit/writer.h"

namespace leto::emit {

using core::Base;
using core::ExprId;
using core::StmtId;
using core::VarId;
using core::VarKind;

Silence find_silence(const core::Program& program, bool guarded) {
  Silence out;
  out.guarded = guarded;
  for (std::uint32_t i = 0; i < program.vars.size(); ++i)
    if (program.vars[VarId{i}].kind == VarKind::Ghost) out.ghosts.insert(VarId{i});
  const auto is_tainted = [&](ExprId id) {
    bool found = false;
    core::for_each_read(program, id, [&](VarId var, core::Side) {
      found = found || out.is_ghost(var) || program.vars[var].kind == VarKind::State;
    });
    return found;
  };
  for (std::size_t before = 0; before != out.ghosts.size();) {
    before = out.ghosts.size();
    for (const core::Stmt& stmt : program.stmts)
      if (const auto* s = std::get_if<core::Assign>(&stmt.node))
        if (program.vars[s->target].kind == VarKind::Temp && is_tainted(s->value))
          out.ghosts.insert(s->target);
  }
  return out;
}

bool leaves_no_trace(const core::Program& program, StmtId id, const Silence& silence) {
  const auto ghost = [&](VarId var) { return silence.is_ghost(var); };
  const auto silent = [&](StmtId child) { return leaves_no_trace(program, child, silence); };
  const auto names_ghosts = [&](ExprId expr) {
    bool found = false;
    core::for_each_read(program, expr, [&](VarId var, core::Side) { found = found || ghost(var); });
    return found;
  };
  return std::visit(
      Overload{
          [&](const core::Assign& s) { return ghost(s.target); },
          [&](const core::Store& s) { return ghost(s.target); },
          [&](const core::Declare& s) { return ghost(s.target); },
          [&](const core::Relaxed& s) { return ghost(s.target); },
          [&](const core::Write& s) { return ghost(s.target); },
          [&](const core::Check& s) { return !silence.guarded || names_ghosts(s.expr); },
          [](const core::Claim& s) { return s.kind != core::AssertionKind::Assume; },
          [&](const core::Block& s) { return std::all_of(s.body.begin(), s.body.end(), silent); },
          [&](const core::If& s) {
            return silent(s.then_branch) && (!s.else_branch.valid() || silent(s.else_branch));
          },
          [](const core::While&) { return false; },
          [&](const core::Call& s) {
            return !s.targets.empty() && std::all_of(s.targets.begin(), s.targets.end(), ghost);
          },
          [](const core::Recall&) { return true; },
      },
      program.stmts[id].node);
}

void Writer::statement(StmtId id) {
  if (leaves_no_trace(program_, id, shared_.silence)) return;
  std::visit([&](const auto& node) { visit(id, node); }, program_.stmts[id].node);
}

void Writer::set(VarId target, const Text& text) {
  const auto it = places.find(target);
  if (it == places.end())
    throw Refused{program_.vars[target].span,
                  fmt::format("setting '{}'", program_.vars[target].name),
                  "what is emitted runs without the model"};
  line(fmt::format("{} = {};", it->second.name, text.text));
}

void Writer::copy(VarId target, const std::string& from) {
  const auto it = places.find(target);
  if (it == places.end() || !it->second.owned)
    throw Refused{program_.vars[target].span,
                  fmt::format("setting '{}'", program_.vars[target].name)};
  line(fmt::format("if (!leto::copy({}, {})) return leto::why::memory;", from, it->second.name));
}

void Writer::visit(StmtId, const core::Assign& s) {
  const core::Type& type = program_.vars[s.target].type;
  if (type.rank > 0)
    copy(s.target, view(s.value));
  else
    set(s.target, beside(type, s.value, value(s.value)));
}

void Writer::set_element(VarId target, const std::vector<ExprId>& indices, ExprId id, bool kept) {
  const core::Type type = program_.vars[target].type.element();
  const auto it = places.find(target);
  if (it == places.end() || !it->second.owned)
    throw Refused{program_.vars[target].span,
                  fmt::format("setting '{}'", program_.vars[target].name)};
  const std::string to = element(target, indices);
  Text text = beside(type, id, value(id));
  if (kept) text = {fmt::format("leto::keep({}({}))", shared_.style.scalar(type), text.text)};
  if (type.base == Base::Bool)
    line(fmt::format("{} = leto::byte({});", to, text.text));
  else if (shared_.style.narrows(type))
    line(
        fmt::format("if (!leto::fit(leto::wide({}), {})) return leto::why::range;", text.text, to));
  else
    line(fmt::format("{} = {};", to, text.text));
}

void Writer::visit(StmtId, const core::Store& s) {
  set_element(s.target, s.indices, s.value, false);
}

void Writer::visit(StmtId, const core::Declare& s) {
  const core::Type& type = program_.vars[s.target].type;
  const std::string& name = places.at(s.target).name;
  if (type.rank == 0) {
    line(fmt::format("{} = {};", name, type.base == Base::Bool ? "false" : "0"));
    return;
  }
  std::string list;
  for (ExprId size : s.sizes) {
    const Text text = value(size);
    const std::string to = names_.fresh("size");
    line(fmt::format("std::size_t {} = 0;", to));
    line(fmt::format("if (!leto::to_size({}({}), {})) return leto::why::memory;",
                     shared_.style.scalar({Base::Int}), text.text, to));
    list += (list.empty() ? "" : ", ") + to;
  }
  line(fmt::format("if (!{}.make({})) return leto::why::memory;", name, list));
}

// The plain operation. Its operands and its outcome are kept apart from all others.
void Writer::visit(StmtId, const core::Relaxed& s) {
  std::vector<ExprId> mine;
  const bool is_itself = s.args.size() == 1 && s.args[0] == s.exact;  // a read
  for (ExprId arg : s.args) {
    if (is_itself || kept_.contains(arg) || program_.exprs[arg].type.rank > 0) continue;
    const core::Type& type = program_.exprs[arg].type;
    const Text text = value(arg);
    const std::string to = names_.fresh("k");
    line(fmt::format("const {0} {1} = leto::keep({0}({2}));", shared_.style.scalar(type), to,
                     text.text));
    kept_[arg] = to;
    mine.push_back(arg);
  }
  const core::Type& type = program_.exprs[s.exact].type;
  const Text exact = value(s.exact);
  set(s.target, {fmt::format("leto::keep({}({}))", shared_.style.scalar(type), exact.text)});
  for (ExprId arg : mine) kept_.erase(arg);
}

void Writer::visit(StmtId, const core::Write& s) {
  const core::Type& type = program_.vars[s.target].type;
  if (!s.indices.empty())
    set_element(s.target, s.indices, s.value, true);
  else if (type.rank > 0)
    copy(s.target, view(s.value));
  else
    set(s.target,
        {fmt::format("leto::keep({}({}))", shared_.style.scalar(type), value(s.value).text)});
}

void Writer::visit(StmtId, const core::Check& s) {
  const Text text = value(s.expr);
  line(fmt::format("if (!{}) return leto::why::failed;", text.wrapped()));
}

void Writer::demand(ExprId id, const std::string& failure) {
  const bool before = specification;
  specification = true;
  const Text text = value(id);
  line(fmt::format("if (!{}) return {};", text.wrapped(), failure));
  specification = before;
}

// Nobody proves an `assume`: it is looked at when it runs.
void Writer::visit(StmtId, const core::Claim& s) {
  const std::string kept = out;
  try {
    demand(s.expr, "leto::why::unmet");
  } catch (const Refused& refused) {
    if (!shared_.request.trust_requires) throw;
    out = kept;
    specification = false;
    shared_.trusted.push_back("assume " + core::source(program_, s.expr));
  }
}

void Writer::visit(StmtId, const core::Block& s) {
  for (StmtId child : s.body) statement(child);
}

void Writer::visit(StmtId, const core::If& s) {
  const Text test = value(s.condition);
  const bool has_then = !leaves_no_trace(program_, s.then_branch, shared_.silence);
  const bool has_else =
      s.else_branch.valid() && !leaves_no_trace(program_, s.else_branch, shared_.silence);
  open(fmt::format("if ({}) {{", has_then ? test.text : "!" + test.wrapped()));
  statement(has_then ? s.then_branch : s.else_branch);
  if (has_then && has_else) {
    close("} else {");
    ++depth;
    statement(s.else_branch);
  }
  close();
}

void Writer::visit(StmtId, const core::While& s) {
  open("for (;;) {");
  statement(s.before);
  const Text test = value(s.condition);
  line(fmt::format("if (!{}) break;", test.wrapped()));
  statement(s.body);
  close();
}

std::string Writer::argument(ExprId id) {
  const core::Type& type = program_.exprs[id].type;
  if (type.rank > 0) return view(id);
  const Text text = value(id);
  return type.base == Base::Bool || text.atom == false ||
                 !std::holds_alternative<core::NumberConst>(program_.exprs[id].node)
             ? text.text
             : fmt::format("{}({})", shared_.style.scalar(type), text.text);
}

void Writer::call_external(StmtId id, const core::Call& s) {
  const core::Function& callee = program_.functions[s.callee];
  if (callee.results.size() != 1 || program_.vars[callee.results[0]].type.rank > 0)
    throw Refused{program_.stmts[id].span,
                  fmt::format("the external function '{}', which returns a vector", callee.name)};
  std::string list;
  for (ExprId arg : s.args) list += (list.empty() ? "" : ", ") + argument(arg);
  const std::string text = fmt::format("{}({})", shared_.functions.at(s.callee), list);
  const core::Type& type = program_.vars[callee.results[0]].type;
  if (s.targets.empty()) {
    line(fmt::format("(void){};", text));
    return;
  }
  set(s.targets[0], {text});
  if (!type.natural) return;
  line(fmt::format("if ({} < 0) return leto::why::failed;", places.at(s.targets[0]).name));
}

void Writer::visit(StmtId id, const core::Call& s) {
  const core::Function& callee = program_.functions[s.callee];
  if (callee.external()) return call_external(id, s);
  std::string list;
  std::set<VarId> read;
  for (ExprId arg : s.args) {
    list += (list.empty() ? "" : ", ") + argument(arg);
    core::for_each_read(program_, arg, [&](VarId var, core::Side) { read.insert(var); });
  }
  // What it is given must not change while it runs.
  std::vector<std::pair<std::string, std::string>> swapped;
  for (std::size_t i = 0; i < callee.results.size(); ++i) {
    const core::Type& type = program_.vars[callee.results[i]].type;
    const VarId target = i < s.targets.size() ? s.targets[i] : VarId{};
    std::string to;
    if (target.valid() && !shared_.silence.is_ghost(target)) {
      if (!places.contains(target))
        throw Refused{program_.stmts[id].span,
                      fmt::format("setting '{}'", program_.vars[target].name)};
      to = places.at(target).name;
    }
    if (to.empty() || (type.rank > 0 && read.contains(target))) {
      const std::string made = names_.fresh("r");
      line(fmt::format("{} {}{{}};",
                       type.rank > 0 ? shared_.style.memory(type) : shared_.style.scalar(type),
                       made));
      if (!to.empty()) swapped.emplace_back(to, made);
      to = made;
    }
    list += (list.empty() ? "" : ", ") + to;
  }
  const std::string went = names_.fresh("went");
  // A variable may have the name of a function.
  line(fmt::format("const leto::why {} = detail_{}::{}({}{});", went, shared_.request.name,
                   shared_.functions.at(s.callee), shared_.external_args, list));
  line(fmt::format("if ({0} != leto::why::value) return {0};", went));
  for (const auto& [to, made] : swapped) line(fmt::format("{}.swap({});", to, made));
}

void Writer::visit(StmtId, const core::Recall&) {}

}  // namespace leto::emit

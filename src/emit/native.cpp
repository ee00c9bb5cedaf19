#include "emit/native.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/calls.h"
#include "emit/native_runtime.h"
#include "emit/native_writer.h"

namespace leto::emit {

using core::Base;
using core::ExprId;
using core::FunctionId;
using core::Side;
using core::StmtId;
using core::VarId;
using core::VarKind;

NativeProgram::NativeProgram(const core::Program& program, FunctionId function)
    : program_(program), function_(function) {}

std::string NativeProgram::type_of(const core::Type& type) const {
  const char* scalar = type.base == Base::Bool  ? (type.rank > 0 ? "char" : "bool")
                       : type.base == Base::Int ? "integer"
                                                : "real";
  return type.rank == 0 ? scalar : fmt::format("array<{}>", scalar);
}

std::string NativeProgram::name(VarId var, Side side) {
  if (const auto it = bound_.find(var); it != bound_.end()) return it->second;
  used_.insert(var);
  const bool constant = program_.vars[var].kind == VarKind::Constant;
  return fmt::format("v{}{}", var.value, constant ? "" : side == Side::Original ? "_o" : "_r");
}

// 0 is no place.
std::uint32_t NativeProgram::place(Span span) {
  if (places_.empty()) places_.push_back(program_.functions[function_].span);
  for (std::uint32_t i = 1; i < places_.size(); ++i)
    if (places_[i] == span) return i;
  places_.push_back(span);
  return static_cast<std::uint32_t>(places_.size() - 1);
}

// The first are those of the header; see `why` there.
std::uint32_t NativeProgram::reason(const std::string& text) {
  if (reasons_.empty())
    reasons_ = {"", "doubles cannot decide it", "a number does not fit into 64 bits",
                "a quantifier has more than 1,000,000 values", "a vector of this size"};
  const auto it = std::find(reasons_.begin(), reasons_.end(), text);
  if (it == reasons_.end()) reasons_.push_back(text);
  return static_cast<std::uint32_t>(std::find(reasons_.begin(), reasons_.end(), text) -
                                    reasons_.begin());
}

// Variables that claims name in the original run, which may not have come by where they are.
void NativeProgram::find_asked() {
  for (const core::Expr& e : program_.exprs) {
    const auto* ref = std::get_if<core::VarRef>(&e.node);
    if (ref == nullptr || ref->side != Side::Original) continue;
    const VarKind kind = program_.vars[ref->var].kind;
    if (kind == VarKind::Param || kind == VarKind::Local || kind == VarKind::Ghost)
      asked_.insert(ref->var);
  }
}

void NativeProgram::refuse_circles() {
  const std::vector<bool> reached = core::find_reached(program_, {function_});
  for (const std::vector<FunctionId>& group : core::find_circles(program_))
    for (FunctionId id : group) {
      const core::Function& f = program_.functions[id];
      if (!reached[id.value]) continue;
      if (f.external())
        throw Refused{f.span, fmt::format("'{}', which is external", f.name),
                      "leave out '--native': the interpreter draws what it returns"};
      if (f.lemma) throw Refused{f.span, fmt::format("'{}', which is a lemma", f.name)};
      bool itself = group.size() > 1;
      core::for_each_callee(program_, id,
                            [&](FunctionId callee) { itself = itself || callee == id; });
      if (itself)
        throw Refused{f.span, fmt::format("'{}', which calls itself", f.name),
                      "write it with a loop, or leave out '--native'"};
    }
  if (core::has_unknown_functions(program_))
    throw Refused{program_.functions[function_].span, "a model with functions that nobody knows",
                  "give them a value in a model"};
}

// The function, and then whatever it turned out to need.
void NativeProgram::write_functions() {
  const auto write = [&](StmtId id, Mode mode) {
    out_.clear();
    depth_ = 2;
    child(id, mode);
    constexpr const char* kSuffix[] = {"b", "o", "r"};
    pieces_ += fmt::format("  void s{}_{}() {{\n{}  }}\n", id.value,
                           kSuffix[static_cast<std::size_t>(mode)], out_);
  };
  waiting_ = {{program_.functions[function_].body, Mode::Both}};
  done_[waiting_[0]] = true;
  while (!waiting_.empty()) {
    const auto [id, mode] = waiting_.back();
    waiting_.pop_back();
    write(id, mode);
  }
}

std::string NativeProgram::entry() {
  const core::Function& f = program_.functions[function_];
  std::set<VarId> set;
  for (std::uint32_t i = 0; i < program_.stmts.size(); ++i)
    core::for_each_target(program_, StmtId{i}, [&](VarId var) { set.insert(var); });
  for (const core::Specification& spec : program_.specifications)
    set.insert(spec.modifies.begin(), spec.modifies.end());
  std::string before, after;
  given_.clear();
  const auto keep = [&](VarId var, bool param) {
    if (!set.contains(var)) return;
    for (Side side : {Side::Original, Side::Relaxed}) {
      const std::string now = name(var, side);
      before += fmt::format("    {} = given_{};\n", now, now);
      if (param) after += fmt::format("    {} = given_{};\n", now, now);
      given_.emplace_back(type_of(program_.vars[var].type), now);
    }
  };
  for (VarId var : f.params) keep(var, true);
  for (const core::StateVar& state : program_.model.states) keep(state.var, false);
  out_.clear();
  depth_ = 2;
  contract(f.ensures, Mode::Both);
  std::string same = "true";
  for (VarId var : f.results)
    same += fmt::format(" && same({}, {})", name(var, Side::Original), name(var, Side::Relaxed));
  return fmt::format(
      "  void run() {{\n{}    s{}_b();\n{}{}  }}\n"
      "  bool same_results() {{\n    now = {};\n    return {};\n  }}\n",
      before, f.body.value, after, out_, place(f.span), same);
}

std::string NativeProgram::members() {
  std::string out;
  for (VarId var : used_) {
    const core::Var& v = program_.vars[var];
    const std::string type = type_of(v.type);
    std::string comment = v.name;
    if (v.kind == VarKind::Constant)
      out += fmt::format("  {} v{}{{}};  // {}\n", type, var.value, comment);
    else
      out += fmt::format("  {0} v{1}_o{{}}, v{1}_r{{}};  // {2}\n", type, var.value, comment);
    if (asked_.contains(var)) out += fmt::format("  bool none{} = false;\n", var.value);
  }
  for (const auto& [type, var] : given_) out += fmt::format("  {} given_{}{{}};\n", type, var);
  for (const auto& [value, named] : once_) out += fmt::format("  real {}{{}};\n", named);
  for (const auto& [id, kept] : kept_) out += fmt::format("  {} {}{{}};\n", kept.type, kept.name);
  return out;
}

// In the order of `inputs`.
std::string NativeProgram::loading() {
  std::string out;
  for (const core::ConstantVar& constant : program_.constants)
    out += fmt::format("    in.read({});\n", name(constant.var, Side::Open));
  const auto both = [&](VarId var) {
    for (Side side : {Side::Original, Side::Relaxed}) {
      const std::string now = name(var, side);
      out += fmt::format("    in.read({});\n", now);
    }
  };
  for (VarId var : program_.functions[function_].params) both(var);
  for (const core::StateVar& state : program_.model.states) both(state.var);
  for (const auto& [type, var] : given_) out += fmt::format("    given_{0} = {0};\n", var);
  for (const std::string& value : once_order_)
    out += fmt::format("    {} = {};\n", once_.at(value), value);
  return out;
}

Injected NativeProgram::write() {
  refuse_circles();
  find_asked();
  std::string runs;
  // Labels are met after the loops that they are of: what has to be kept is known the second time.
  for (int round = 0; round < 2; ++round) {
    pieces_.clear();
    hooks_.clear();
    hook_names_.clear();
    sites_.clear();
    done_.clear();
    write_functions();
    runs = entry();
  }
  const std::string load = loading();
  const core::Function& f = program_.functions[function_];
  Injected out;
  out.header = fmt::format(
      "// Both runs of '{}' under {}, with faults. Made by leto. Do not edit.\n"
      "{}{}{}struct run_of_{} : base_run {{\n  static constexpr unsigned site_count = {};\n{}"
      "  void load(reader& in) {{\n{}  }}\n{}{}{}}};\n\n}}  // namespace leto_native\n\n"
      "#if defined(LETO_NATIVE_MAIN)\nint main(int count, char** words) {{ return "
      "leto_native::serve<leto_native::run_of_{}>(count, words); }}\n#endif\n",
      f.name, program_.model.name, native_numbers(), native_choices(), native_campaign(), f.name,
      sites_.size(), members(), load, hooks_, pieces_, runs, f.name);
  (void)reason("");
  (void)place(f.span);
  out.reasons = reasons_;
  out.places = places_;
  out.sites = sites_;
  for (const core::ConstantVar& constant : program_.constants)
    out.inputs.push_back({constant.var, Side::Open});
  const auto both = [&](VarId var) {
    out.inputs.push_back({var, Side::Original});
    out.inputs.push_back({var, Side::Relaxed});
  };
  for (VarId var : f.params) both(var);
  for (const core::StateVar& state : program_.model.states) both(state.var);
  return out;
}

std::optional<Injected> emit_injection(const core::Program& program, FunctionId function,
                                       DiagnosticSink& sink) {
  try {
    if (const auto word = core::find_word(program)) throw Refused{*word, "words, 'bits<N>'"};
    return NativeProgram(program, function).write();
  } catch (const Refused& refused) {
    Diagnostic out{DiagnosticKind::NotInjected, refused.span, {refused.what}, {}, {}};
    out.help = Help{
        refused.help.empty() ? "leave out '--native': the interpreter can do it" : refused.help,
        std::nullopt};
    sink.report(std::move(out));
    return std::nullopt;
  }
}

}  // namespace leto::emit

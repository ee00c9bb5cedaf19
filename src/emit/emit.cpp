#include "emit/emit.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/calls.h"
#include "emit/interface.h"
#include "emit/runtime.h"

namespace leto::emit {

using core::Base;
using core::ExprId;
using core::FunctionId;
using core::StmtId;
using core::VarId;

bool same_but_sides(const core::Program& program, ExprId a, ExprId b) {
  const core::Expr &x = program.exprs[a], &y = program.exprs[b];
  if (x.node.index() != y.node.index()) return false;
  if (const auto* ref = std::get_if<core::VarRef>(&x.node))
    return ref->var == std::get<core::VarRef>(y.node).var;
  if (const auto* number = std::get_if<core::NumberConst>(&x.node))
    return number->text == std::get<core::NumberConst>(y.node).text;
  const auto* select = std::get_if<core::Select>(&x.node);
  if (select == nullptr) return false;
  const std::vector<ExprId> left = core::children(program, a), right = core::children(program, b);
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(),
                    [&](ExprId p, ExprId q) { return same_but_sides(program, p, q); });
}

namespace {

// What a statement evaluates when it runs, with all that stands inside of it; what is there for
// proofs is not.
void for_each_evaluated(const core::Program& program, StmtId id, const Silence& silence,
                        const std::function<void(ExprId)>& f) {
  if (leaves_no_trace(program, id, silence)) return;
  core::for_each_expression(program, id, [&](ExprId expr, core::Use use) {
    if (use == core::Use::Evaluated) f(expr);
  });
  core::for_each_child(program, id,
                       [&](StmtId child) { for_each_evaluated(program, child, silence, f); });
}

// Whether something other than a real is computed from reals: then a rounded one may lead where
// nothing is proved.
bool decides_by_reals(const core::Program& program, ExprId id) {
  const core::Expr& e = program.exprs[id];
  bool found = false;
  core::for_each_child(program, id, [&](ExprId child) {
    const bool real = program.exprs[child].type.base == Base::Real;
    found = found || decides_by_reals(program, child) ||
            (real && e.type.base != Base::Real && !std::holds_alternative<core::Length>(e.node));
  });
  return found;
}

bool mentions_reals(const core::Program& program, ExprId id) {
  bool found = program.exprs[id].type.base == Base::Real;
  core::for_each_child(program, id,
                       [&](ExprId child) { found = found || mentions_reals(program, child); });
  return found;
}

// The function and what it calls, callees first.
std::vector<FunctionId> order_of(const core::Program& program, FunctionId from) {
  const std::vector<bool> reached = core::find_reached(program, {from});
  std::vector<FunctionId> out;
  for (const std::vector<FunctionId>& group : core::find_circles(program)) {
    for (FunctionId id : group) {
      if (!reached[id.value]) continue;
      bool itself = group.size() > 1;
      if (!program.functions[id].external())
        core::for_each_callee(program, id,
                              [&](FunctionId callee) { itself = itself || callee == id; });
      if (itself)
        throw Refused{program.functions[id].span,
                      fmt::format("'{}', which calls itself", program.functions[id].name),
                      "write it with a loop: a deep recursion would overrun the stack"};
      out.push_back(id);
    }
  }
  return out;
}

// One function of the header.
class FunctionWriter {
 public:
  FunctionWriter(Shared& shared, FunctionId id)
      : shared_(shared),
        program_(shared.program),
        id_(id),
        function_(program_.functions[id]),
        writer_(shared, names_) {}

  std::string text() {
    find_set();
    std::string params;
    const auto add = [&](const std::string& text) {
      params += (params.empty() ? "" : ", ") + text;
    };
    for (std::size_t i = 0; i < function_.params.size(); ++i)
      if (const std::string text = parameter(i); !text.empty()) add(text);
    for (VarId var : function_.results) add(result(var));
    for (VarId var : set_) declare(var);
    writer_.statement(function_.body);
    return fmt::format(
        "{}inline leto::why {}({}{}) noexcept {{\n{}{}  return leto::why::value;\n}}\n",
        shared_.templates(), shared_.functions.at(id_), shared_.external_params, params, head_,
        writer_.out);
  }

 private:
  // Variables that emitted statements set.
  void find_set() {
    const std::function<void(StmtId)> look = [&](StmtId id) {
      if (leaves_no_trace(program_, id, shared_.silence)) return;
      core::for_each_target(program_, id, [&](VarId var) { set_.insert(var); });
      core::for_each_child(program_, id, look);
    };
    look(function_.body);
  }
  [[nodiscard]] const core::Var& var(VarId id) const { return program_.vars[id]; }

  std::string parameter(std::size_t i) {
    const VarId id = function_.params[i];
    const bool own = id_ == shared_.request.function;
    if (shared_.silence.is_ghost(id) ||
        (own && i < shared_.request.roles.size() && shared_.request.roles[i] == Role::Ghost))
      return "";
    const std::string name = names_.fresh(var(id).name);
    writer_.places[id] = {name, false};
    if (var(id).type.rank == 0)
      return fmt::format("[[maybe_unused]] {} {}", shared_.style.scalar(var(id).type), name);
    if (set_.contains(id)) {  // a copy of its own
      const std::string copy = names_.fresh(var(id).name);
      head_ += fmt::format("  {} {};\n  if (!leto::copy({}, {})) return leto::why::memory;\n",
                           shared_.style.memory(var(id).type), copy, name, copy);
      writer_.places[id] = {copy, true};
    }
    return fmt::format("[[maybe_unused]] {} {}", shared_.style.view(var(id).type), name);
  }
  std::string result(VarId id) {
    const std::string name = names_.fresh(var(id).name);
    const bool array = var(id).type.rank > 0;
    writer_.places[id] = {name, array};
    if (!array)
      head_ += fmt::format("  {} = {};\n", name, var(id).type.base == Base::Bool ? "false" : "0");
    return fmt::format(
        "{}& {}", array ? shared_.style.memory(var(id).type) : shared_.style.scalar(var(id).type),
        name);
  }
  void declare(VarId id) {
    if (writer_.places.contains(id) || shared_.silence.is_ghost(id) ||
        var(id).kind == core::VarKind::State)
      return;
    const std::string name = names_.fresh(var(id).name);
    const bool array = var(id).type.rank > 0;
    writer_.places[id] = {name, array};
    head_ += fmt::format(
        "  [[maybe_unused]] {} {}{{}};\n",
        array ? shared_.style.memory(var(id).type) : shared_.style.scalar(var(id).type), name);
  }

  Shared& shared_;
  const core::Program& program_;
  FunctionId id_;
  const core::Function& function_;
  std::set<VarId> set_;
  std::string head_;
  Names names_;
  Writer writer_;
};

// A number, with its sign.
std::string constant_element(const core::Program& program, Writer& writer, ExprId id) {
  const auto* apply = std::get_if<core::Apply>(&program.exprs[id].node);
  if (apply != nullptr && apply->op == core::Op::Neg)
    return "-" + constant_element(program, writer, apply->args[0]);
  return writer.value(id).text;
}

// Vectors that are constant, for those functions that read them.
std::string constants_text(Shared& shared, const std::set<VarId>& read) {
  std::string out;
  Names names;
  for (const core::ConstantVar& one : shared.program.constants) {
    const core::Var& var = shared.program.vars[one.var];
    const std::vector<ExprId>* elements = core::find_elements(shared.program, one);
    if (elements == nullptr || !read.contains(one.var)) continue;
    const bool gmp = shared.style.element(var.type).ends_with("_class");
    if (gmp) throw Refused{var.span, fmt::format("the constant vector '{}' with gmp", var.name)};
    std::string list;
    Names none;
    Writer writer(shared, none);
    for (ExprId element : *elements) {
      list += (list.empty() ? "" : ", ") + constant_element(shared.program, writer, element);
      if (!writer.out.empty()) throw Refused{var.span, "an element that is computed"};
    }
    const std::string name = names.fresh("constant_" + var.name);
    out += fmt::format("inline constexpr std::array<{}, {}> {}{{{{{}}}}};\n",
                       shared.style.element(var.type), elements->size(), name, list);
    shared.constants[one.var] = name;
  }
  return out.empty() ? out : out + "\n";
}

class HeaderWriter {
 public:
  HeaderWriter(const core::Program& program, const Request& request)
      : program_(program), request_(request), shared_{program, request, Style(request)} {}

  Emitted write() {
    order_ = order_of(program_, request_.function);
    look_through();
    name_functions();
    Emitted out;
    const Interface interface = interface_of(shared_);
    std::string body = constants_text(shared_, read_);
    for (FunctionId id : order_)
      if (!program_.functions[id].external()) body += FunctionWriter(shared_, id).text() + "\n";
    const std::string outside = interface_text(shared_, interface);
    out.header = head() + runtime_text(needs()) + "\n" +
                 fmt::format(
                     "namespace {} {{\n\nnamespace detail_{} {{\n\n{}}}  // namespace "
                     "detail_{}\n\n{}\n}}  // namespace {}\n",
                     request_.space, request_.name, body, request_.name, contract() + outside,
                     request_.space);
    fill(out, interface);
    return out;
  }

 private:
  // What is read, and whether reals decide anything.
  void look_through() {
    bool decides = false;
    shared_.silence = find_silence(program_, true);
    const auto look = [&](ExprId expr) {
      decides = decides || decides_by_reals(program_, expr);
      reals_ = reals_ || mentions_reals(program_, expr);
      core::for_each_read(program_, expr, [&](VarId var, core::Side) { read_.insert(var); });
    };
    for (FunctionId id : order_) {
      const core::Function& f = program_.functions[id];
      for (VarId var : f.params) reals_ = reals_ || program_.vars[var].type.base == Base::Real;
      for (VarId var : f.results) reals_ = reals_ || program_.vars[var].type.base == Base::Real;
      if (!f.external()) for_each_evaluated(program_, f.body, shared_.silence, look);
    }
    for (const core::Clause& clause : program_.functions[request_.function].requires_)
      look(clause.expr);
    const bool rounded = reals_ && request_.reals == Reals::Double;
    shared_.silence.guarded = request_.unproved || (rounded && decides);
  }

  void name_functions() {
    Names names;
    (void)names.fresh("enter");
    for (FunctionId id : order_) {
      const core::Function& f = program_.functions[id];
      shared_.functions[id] = names.fresh(f.external() ? "external_" + f.name : f.name);
      if (!f.external()) continue;
      const std::string& name = shared_.functions[id];
      shared_.external_types += fmt::format("{}class Of_{}", externals_.empty() ? "" : ", ", name);
      shared_.external_params += fmt::format("Of_{0}& {0}, ", name);
      shared_.external_args += name + ", ";
      externals_.push_back(f.name);
    }
  }

  [[nodiscard]] Needs needs() const {
    Needs out;
    out.wide = request_.integers == Integers::Int128;
    out.doubles = reals_ && request_.reals == Reals::Double;
    out.gmp = request_.integers == Integers::Gmp || (reals_ && request_.reals == Reals::Gmp);
    return out;
  }

  [[nodiscard]] std::string head() const {
    return fmt::format(
        "// {}: made by leto emit {} from {}. Do not edit.\n"
        "// Integers are {}{}.{}\n#pragma once\n\n#include <array>\n\n",
        request_.name, request_.version, request_.source, spelling(request_.integers),
        reals_ ? fmt::format(", reals are {}", spelling(request_.reals)) : "",
        request_.unproved ? "\n// NOT PROVED: checks are made when it runs." : "");
  }

  // What is said of it, for people.
  [[nodiscard]] std::string contract() const {
    const core::Function& f = program_.functions[request_.function];
    std::string out;
    if (request_.checker) return out;  // it is said behind
    const auto add = [&](const char* word, ExprId expr) {
      out += fmt::format("// {} {}\n", word, core::source(program_, expr));
    };
    for (const core::Clause& clause : f.requires_) add("requires", clause.expr);
    for (const core::Clause& clause : f.ensures)
      add(request_.unproved ? "claimed:" : "proved:", clause.expr);
    return out;
  }

  void fill(Emitted& out, const Interface& interface) {
    out.externals = externals_;
    out.has_c = externals_.empty() && request_.integers != Integers::Gmp &&
                !(reals_ && request_.reals == Reals::Gmp);
    if (out.has_c) {
      out.c_header = c_header_text(shared_, interface);
      out.c_source = c_source_text(shared_, interface);
    }
    for (const Passed& one : interface.inputs)
      out.inputs.push_back({one.var, one.name, one.type, one.role});
    for (const Passed& one : interface.results)
      out.results.push_back({one.var, one.name, one.type, one.role});
    out.trusted = shared_.trusted;
    out.uses_reals = reals_;
    out.guarded = shared_.silence.guarded;
  }

  const core::Program& program_;
  const Request& request_;
  Shared shared_;
  std::vector<FunctionId> order_;
  std::set<VarId> read_;
  std::vector<std::string> externals_;
  bool reals_ = false;
};

}  // namespace

std::optional<Emitted> emit(const core::Program& program, const Request& request,
                            DiagnosticSink& sink) {
  try {
    if (request.integers == Integers::Int128 && request.reals == Reals::Gmp)
      throw Refused{program.functions[request.function].span, "int128 together with real gmp",
                    "take '--int gmp'"};
    if (const auto word = core::find_word(program)) throw Refused{*word, "words, 'bits<N>'"};
    return HeaderWriter(program, request).write();
  } catch (const Refused& refused) {
    Diagnostic out{DiagnosticKind::NotEmitted, refused.span, {refused.what}, {}, {}};
    if (!refused.help.empty()) out.help = Help{refused.help, std::nullopt};
    sink.report(std::move(out));
    return std::nullopt;
  }
}

bool uses_gmp(const Request& request, const Emitted& emitted) {
  return request.integers == Integers::Gmp || (emitted.uses_reals && request.reals == Reals::Gmp);
}

}  // namespace leto::emit

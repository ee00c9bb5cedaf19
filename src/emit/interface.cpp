#include "emit/interface.h"

#include <fmt/core.h>

namespace leto::emit {

using core::Base;
using core::ExprId;
using core::VarId;

Interface interface_of(const Shared& shared) {
  const core::Program& program = shared.program;
  const core::Function& f = program.functions[shared.request.function];
  Interface out;
  Names names;
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    const Role role = i < shared.request.roles.size() ? shared.request.roles[i] : Role::Input;
    const core::Var& var = program.vars[f.params[i]];
    if (role == Role::Ghost || shared.silence.is_ghost(f.params[i])) continue;
    out.inputs.push_back({f.params[i], names.fresh(var.name), var.type, role});
  }
  for (VarId id : f.results)
    out.results.push_back(
        {id, names.fresh(program.vars[id].name), program.vars[id].type, Role::Input});
  return out;
}

namespace {

class EntryWriter {
 public:
  EntryWriter(Shared& shared, const Interface& interface)
      : shared_(shared),
        program_(shared.program),
        function_(program_.functions[shared.request.function]),
        interface_(interface),
        writer_(shared, names_) {
    for (const Passed& one : interface.inputs) {
      (void)names_.fresh(one.name);
      writer_.places[one.var] = {one.name, false};
    }
    for (const Passed& one : interface.results) (void)names_.fresh(one.name);
    writer_.specification = true;
  }

  std::string text() {
    enter(Role::Input);
    look_for_overlaps();
    evaluate_requires();
    if (shared_.request.checker) {
      enter(Role::Output);
      enter(Role::Witness);
    }
    run();
    return std::move(writer_.out);
  }

 private:
  [[nodiscard]] static std::string failure(Role role, const char* reason) {
    if (role == Role::Input) return fmt::format("return leto::why::{};", reason);
    return "return leto::why::value;";  // it is not accepted
  }

  // That values are of their types, and vectors of their sizes.
  void enter(Role role) {
    for (const Passed& one : interface_.inputs) {
      if (one.role != role) continue;
      if (one.type.rank == 0 && one.type.natural)
        writer_.line(fmt::format("if ({} < 0) {}", one.name, failure(role, "unmet")));
    }
    for (const Passed& one : interface_.inputs)
      if (one.role == role && one.type.rank > 0) compare_sizes(one);
    for (const Passed& one : interface_.inputs)
      if (one.role == role && one.type.rank > 0 && one.type.natural)
        writer_.line(fmt::format("if (!leto::natural({})) {}", one.name, failure(role, "unmet")));
    if (shared_.request.reals == Reals::Gmp)  // whoever made it: GMP can say nothing of it
      for (const Passed& one : interface_.inputs)
        if (one.role == role && one.type.base == Base::Real)
          writer_.line(fmt::format("if (!leto::canonical({})) return leto::why::unmet;", one.name));
    if (shared_.style.is_rounded({Base::Real}) && shared_.request.checker)
      for (const Passed& one : interface_.inputs)
        if (one.role == role && one.type.base == Base::Real)
          writer_.line(fmt::format("if (!leto::finite({})) {}", one.name, failure(role, "unmet")));
  }

  void compare_sizes(const Passed& one) {
    if (one.type.rank == 2) {
      // From one row to the next: with one row there is no next.
      writer_.line(fmt::format("if ({0}.rows > 1 && {0}.stride < {0}.cols) {1}", one.name,
                               failure(one.role, "size")));
      writer_.line(
          fmt::format("if ({0}.rows > 0 && ({0}.rows > 1 ? {0}.stride : {0}.cols) > "
                      "static_cast<std::size_t>(PTRDIFF_MAX) / sizeof({1}) / {0}.rows) {2}",
                      one.name, shared_.style.element(one.type), failure(one.role, "size")));
    }
    for (const core::ParamSize& size : function_.sizes) {
      if (size.param != one.var) continue;
      const char* member = one.type.rank == 1 ? "size()" : size.dimension == 0 ? "rows" : "cols";
      const std::string type = shared_.style.scalar({Base::Int});
      const Text wanted = writer_.value(size.size);
      writer_.line(fmt::format("if ({}({}.{}) != {}) {}",
                               shared_.request.integers == Integers::Gmp
                                   ? "mpz_class"
                                   : fmt::format("static_cast<{}>", type),
                               one.name, member, wanted.wrapped(), failure(one.role, "size")));
    }
  }

  void refuse_overlap(const Passed& a, const Passed& b) {
    if (a.type.rank == 0 || b.type.rank == 0) return;
    writer_.line(
        fmt::format("if (leto::overlap(leto::reach({}), leto::reach({}))) return "
                    "leto::why::overlap;",
                    a.name, b.name));
  }
  void look_for_overlaps() {
    for (const Passed& in : interface_.inputs) {
      if (in.role != Role::Input) continue;
      for (const Passed& out : interface_.inputs)
        if (out.role == Role::Output || out.role == Role::Witness) refuse_overlap(in, out);
      if (shared_.request.checker) continue;
      for (const Passed& out : interface_.results) refuse_overlap(in, out);
    }
    if (shared_.request.checker) return;
    for (std::size_t i = 0; i < interface_.results.size(); ++i)
      for (std::size_t j = i + 1; j < interface_.results.size(); ++j)
        refuse_overlap(interface_.results[i], interface_.results[j]);
  }

  // Of one run, which is both: what is the same in both is no question.
  [[nodiscard]] bool is_plain(ExprId id) const {
    const auto* apply = std::get_if<core::Apply>(&program_.exprs[id].node);
    return apply != nullptr && apply->op == core::Op::Eq &&
           same_but_sides(program_, apply->args[0], apply->args[1]);
  }
  void evaluate_requires() {
    for (const core::Clause& clause : function_.requires_)
      for (ExprId part : core::conjuncts(program_, clause.expr))
        if (!is_plain(part)) evaluate(part);
  }
  void evaluate(ExprId part) {
    const std::string before = writer_.out;
    const int depth = writer_.depth;
    try {
      writer_.demand(part, "leto::why::unmet");
    } catch (Refused& refused) {
      writer_.out = before;
      writer_.depth = depth;
      if (!shared_.request.trust_requires) {
        refused.what = "a requirement that cannot be executed: " + refused.what;
        refused.help =
            "'--trust-requires' leaves it out, and what is emitted then rests on the caller";
        throw;
      }
      shared_.trusted.push_back("requires " + core::source(program_, part));
    }
  }

  void run() {
    std::string list;
    const auto add = [&](const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
    for (const Passed& one : interface_.inputs) add(one.name);
    std::vector<std::pair<const Passed*, std::string>> made;
    for (const Passed& one : interface_.results) {
      const std::string name = names_.fresh("made_" + one.name);
      writer_.line(fmt::format(
          "{} {}{{}};",
          one.type.rank > 0 ? shared_.style.memory(one.type) : shared_.style.scalar(one.type),
          name));
      made.emplace_back(&one, name);
      add(name);
    }
    writer_.line(fmt::format("const leto::why went = detail_{}::{}({}{});", shared_.request.name,
                             shared_.functions.at(shared_.request.function), shared_.external_args,
                             list));
    writer_.line("if (went != leto::why::value) return went;");
    for (const auto& [one, name] : made)
      if (one->type.rank > 0) compare_made(*one, name);
    for (const auto& [one, name] : made) hand_out(*one, name);
    writer_.line("return leto::why::value;");
  }

  void compare_made(const Passed& one, const std::string& name) {
    if (one.type.rank == 1)
      writer_.line(fmt::format("if ({}.view().size() != {}.size()) return leto::why::size;", name,
                               one.name));
    else
      writer_.line(fmt::format(
          "if ({0}.view().rows != {1}.rows || {0}.view().cols != {1}.cols || ({1}.rows > 1 && "
          "{1}.stride < {1}.cols)) return leto::why::size;",
          name, one.name));
  }
  void hand_out(const Passed& one, const std::string& name) {
    if (one.type.rank == 0) {
      if (shared_.style.narrows(one.type))
        writer_.line(
            fmt::format("if (!leto::fit({}, {})) return leto::why::range;", name, one.name));
      else
        writer_.line(fmt::format("{} = {};", one.name, name));
    } else if (one.type.rank == 1) {
      writer_.line(fmt::format(
          "for (std::size_t i = 0; i < {0}.size(); ++i) {0}[i] = {1}.data()[i];", one.name, name));
    } else {
      writer_.line(fmt::format("for (std::size_t i = 0; i < {}.rows; ++i)", one.name));
      writer_.line(fmt::format(
          "  for (std::size_t j = 0; j < {0}.cols; ++j) leto::at({0}, i, j) = leto::at({1}.view(), "
          "i, j);",
          one.name, name));
    }
  }

  Shared& shared_;
  const core::Program& program_;
  const core::Function& function_;
  const Interface& interface_;
  Names names_;
  Writer writer_;
};

std::string outside_scalar(const Shared& shared, const core::Type& type) {
  return type.base == Base::Bool ? "bool" : shared.style.element(type);
}

// The parameters that people see.
std::string parameters(const Shared& shared, const Interface& interface, bool all_results) {
  std::string out = shared.external_params;
  if (!out.empty()) out.resize(out.size() - 2);
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  for (const Passed& one : interface.inputs)
    add(fmt::format(
        "[[maybe_unused]] {} {}",
        one.type.rank == 0 ? outside_scalar(shared, one.type) : shared.style.view(one.type),
        one.name));
  for (const Passed& one : interface.results) {
    if (one.type.rank > 0 && !shared.request.checker)
      add(fmt::format("{} {}", shared.style.span(one.type), one.name));
    else if (all_results)
      add(fmt::format("{}& {}", outside_scalar(shared, one.type), one.name));
  }
  return out;
}

std::string names_of(const Interface& interface, const std::string& prefix) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  for (const Passed& one : interface.inputs) add(one.name);
  for (const Passed& one : interface.results) add(one.type.rank > 0 ? one.name : prefix + one.name);
  return out;
}

std::vector<Passed> numbers_of(const Interface& interface) {
  std::vector<Passed> out;
  for (const Passed& one : interface.results)
    if (one.type.rank == 0) out.push_back(one);
  return out;
}

std::string checker_text(const Shared& shared, const Interface& interface,
                         const std::string& entry) {
  const std::string accepted = interface.results.at(0).name;
  std::string arguments;
  for (const Passed& one : interface.inputs) arguments += one.name + ", ";
  std::string notes;
  for (const std::string& note : shared.request.notes) notes += "// " + note + "\n";
  return notes + fmt::format(
                     "{}[[nodiscard]] inline leto::verdict {}({}) noexcept {{\n"
                     "  bool {} = false;\n"
                     "  if ({}({}{}{}) != leto::why::value) return leto::verdict::undecided;\n"
                     "  return {} ? leto::verdict::accept : leto::verdict::reject;\n"
                     "}}\n",
                     shared.templates(), shared.request.name, parameters(shared, interface, false),
                     accepted, entry, shared.external_args, arguments, accepted, accepted);
}

}  // namespace

std::string interface_text(Shared& shared, const Interface& interface) {
  const std::string& name = shared.request.name;
  const std::string entry = fmt::format("detail_{}::enter", name);
  std::string out = fmt::format("namespace detail_{} {{\n", name);
  const std::string body = EntryWriter(shared, interface).text();
  std::string all = parameters(shared, interface, true);
  out += fmt::format("{}[[nodiscard]] inline leto::why enter({}) noexcept {{\n{}}}\n",
                     shared.templates(), all, body);
  out += fmt::format("}}  // namespace detail_{}\n\n", name);
  if (shared.request.checker) return out + checker_text(shared, interface, entry);
  const std::vector<Passed> numbers = numbers_of(interface);
  std::string type = "leto::done";
  if (numbers.size() == 1) type = outside_scalar(shared, numbers[0].type);
  if (numbers.size() > 1) {
    type = name + "_result";
    out += fmt::format("struct {} {{\n", type);
    for (const Passed& one : numbers)
      out += fmt::format("  {} {}{{}};\n", outside_scalar(shared, one.type), one.name);
    out += "};\n";
  }
  const std::string prefix = numbers.size() > 1 ? "out." : "";
  out += fmt::format("{}[[nodiscard]] inline leto::outcome<{}> {}({}) noexcept {{\n",
                     shared.templates(), type, name, parameters(shared, interface, false));
  std::string returned = "leto::done{}";
  if (numbers.size() == 1) {
    out += fmt::format("  {} {}{{}};\n", type, numbers[0].name);
    returned = numbers[0].name;
  }
  if (numbers.size() > 1) {
    out += fmt::format("  {} out;\n", type);
    returned = "out";
  }
  out += fmt::format("  const leto::why went = {}({}{});\n", entry, shared.external_args,
                     names_of(interface, prefix));
  out += "  if (went != leto::why::value) return went;\n";
  return out + fmt::format("  return {};\n}}\n", returned);
}

namespace {

std::string c_scalar(const core::Type& type) {
  return type.base == Base::Real ? "double" : type.base == Base::Bool ? "int" : "int64_t";
}
std::string c_element(const core::Type& type) {
  return type.base == Base::Real ? "double" : type.base == Base::Bool ? "uint8_t" : "int64_t";
}

std::string c_parameters(const Shared& shared, const Interface& interface) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  const auto add_array = [&](const Passed& one, const char* constant) {
    if (one.type.rank == 1)
      add(fmt::format("{0}{1}* {2}, size_t {2}_size", constant, c_element(one.type), one.name));
    else
      add(fmt::format("{0}{1}* {2}, size_t {2}_rows, size_t {2}_cols, size_t {2}_stride", constant,
                      c_element(one.type), one.name));
  };
  for (const Passed& one : interface.inputs) {
    if (one.type.rank > 0)
      add_array(one, "const ");
    else
      add(fmt::format("{} {}", c_scalar(one.type), one.name));
  }
  if (!shared.request.checker)
    for (const Passed& one : interface.results) {
      if (one.type.rank > 0)
        add_array(one, "");
      else
        add(fmt::format("{}* {}", c_scalar(one.type), one.name));
    }
  return out.empty() ? "void" : out;
}

}  // namespace

std::string c_header_text(const Shared& shared, const Interface& interface) {
  const std::string& name = shared.request.name;
  return fmt::format(
      "/* {0} for C. Made by leto emit {1} from {2}. Do not edit. */\n"
      "#ifndef LETO_EMITTED_{0}_CAPI_H\n"
      "#define LETO_EMITTED_{0}_CAPI_H\n"
      "#include <stddef.h>\n"
      "#include <stdint.h>\n"
      "#ifdef __cplusplus\n"
      "extern \"C\" {{\n"
      "#endif\n"
      "/* {3} */\n"
      "int {0}({4});\n"
      "#ifdef __cplusplus\n"
      "}}\n"
      "#endif\n"
      "#endif\n",
      name, shared.request.version, shared.request.source,
      shared.request.checker ? "0: reject, 1: accept, 2: undecided."
                             : "1: there is a value, 2: there is none; then nothing is written.",
      c_parameters(shared, interface));
}

std::string c_source_text(const Shared& shared, const Interface& interface) {
  const std::string& name = shared.request.name;
  std::string nulls, arguments;
  const auto add = [&](const std::string& text) {
    arguments += (arguments.empty() ? "" : ", ") + text;
  };
  const auto add_array = [&](const Passed& one, const std::string& type) {
    const std::string size = one.type.rank == 1
                                 ? fmt::format("{}_size != 0", one.name)
                                 : fmt::format("{0}_rows != 0 && {0}_cols != 0", one.name);
    nulls += fmt::format("  if ({} == nullptr && {}) return 2;\n", one.name, size);
    if (one.type.rank == 1)  // what somebody computed from -1
      nulls += fmt::format("  if ({}_size > SIZE_MAX / 16) return 2;\n", one.name);
    add(one.type.rank == 1
            ? fmt::format("{0}({1}, {1}_size)", type, one.name)
            : fmt::format("{0}{{{1}, {1}_rows, {1}_cols, {1}_stride}}", type, one.name));
  };
  for (const Passed& one : interface.inputs) {
    if (one.type.rank > 0)
      add_array(one, shared.style.view(one.type));
    else
      add(one.name + (one.type.base == Base::Bool ? " != 0" : ""));
  }
  std::string written;
  const std::vector<Passed> numbers = numbers_of(interface);
  if (!shared.request.checker)
    for (const Passed& one : interface.results) {
      if (one.type.rank > 0) {
        add_array(one, shared.style.span(one.type));
      } else {
        nulls += fmt::format("  if ({} == nullptr) return 2;\n", one.name);
        written += fmt::format("  *{} = {}{};\n", one.name,
                               numbers.size() == 1 ? "*got" : "(*got)." + one.name,
                               one.type.base == Base::Bool ? " ? 1 : 0" : "");
      }
    }
  const std::string call = fmt::format("{}::{}({})", shared.request.space, name, arguments);
  const std::string end =
      shared.request.checker
          ? fmt::format("  return static_cast<int>({});\n", call)
          : fmt::format("  const auto got = {};\n  if (!got) return 2;\n{}  return 1;\n", call,
                        written);
  return fmt::format(
      "// {0} for C. Made by leto emit {1} from {2}. Do not edit.\n"
      "#include \"{0}_capi.h\"\n\n#include \"{0}.hpp\"\n\n"
      "extern \"C\" int {0}({3}) {{\n{4}{5}}}\n",
      name, shared.request.version, shared.request.source, c_parameters(shared, interface), nulls,
      end);
}

}  // namespace leto::emit

// What comes with a header: how it is built, installed, found and tested.
#include <fmt/core.h>

#include "emit/emit.h"
#include "emit/style.h"

namespace leto::emit {

using core::Base;

namespace {

std::string cmake_text(const Request& request, const Emitted& emitted) {
  const std::string& n = request.name;
  const bool doubles = emitted.uses_reals && request.reals == Reals::Double;
  std::string out = fmt::format(
      "# {0}: made by leto emit {1}. Do not edit.\n"
      "cmake_minimum_required(VERSION 3.16)\n"
      "project({0} CXX)\n"
      "include(GNUInstallDirs)\n"
      "add_library({0} INTERFACE)\n"
      "add_library({0}::{0} ALIAS {0})\n"
      "target_compile_features({0} INTERFACE cxx_std_20)\n"
      "target_include_directories({0} INTERFACE $<BUILD_INTERFACE:${{CMAKE_CURRENT_SOURCE_DIR}}>\n"
      "                           $<INSTALL_INTERFACE:${{CMAKE_INSTALL_INCLUDEDIR}}>)\n",
      n, request.version);
  if (doubles)
    out += fmt::format(
        "target_compile_options({0} INTERFACE -ffp-contract=off)\n"
        "target_compile_definitions({0} INTERFACE LETO_FP_CONTRACT_OFF)\n",
        n);
  if (uses_gmp(request, emitted))
    out += fmt::format("target_link_libraries({} INTERFACE gmpxx gmp)\n", n);
  out += fmt::format("install(FILES {0}.hpp DESTINATION ${{CMAKE_INSTALL_INCLUDEDIR}})\n", n);
  if (emitted.has_c)
    out += fmt::format(
        "add_library({0}_capi STATIC {0}_capi.cpp)\n"
        "target_link_libraries({0}_capi PUBLIC {0})\n"
        "set_target_properties({0}_capi PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
        "install(FILES {0}_capi.h DESTINATION ${{CMAKE_INSTALL_INCLUDEDIR}})\n"
        "install(TARGETS {0}_capi EXPORT {0}Targets DESTINATION ${{CMAKE_INSTALL_LIBDIR}})\n",
        n);
  out += fmt::format(
      "install(TARGETS {0} EXPORT {0}Targets)\n"
      "install(EXPORT {0}Targets NAMESPACE {0}:: DESTINATION "
      "${{CMAKE_INSTALL_LIBDIR}}/cmake/{0})\n"
      "install(FILES {0}Config.cmake DESTINATION ${{CMAKE_INSTALL_LIBDIR}}/cmake/{0})\n"
      "configure_file({0}.pc {0}.pc @ONLY)\n"
      "install(FILES ${{CMAKE_CURRENT_BINARY_DIR}}/{0}.pc DESTINATION "
      "${{CMAKE_INSTALL_LIBDIR}}/pkgconfig)\n",
      n);
  if (emitted.externals.empty())
    out += fmt::format(
        "# As a part of another project it is used, and not tested.\n"
        "if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)\n"
        "  include(CTest)\n"
        "endif()\n"
        "if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR AND BUILD_TESTING)\n"
        "  add_executable({0}_test {0}_test.cpp)\n"
        "  target_link_libraries({0}_test PRIVATE {0})\n"
        "  add_test(NAME {0}_test COMMAND {0}_test)\n"
        "endif()\n",
        n);
  return out;
}

std::string pkg_config_text(const Request& request, const Emitted& emitted) {
  const bool doubles = emitted.uses_reals && request.reals == Reals::Double;
  return fmt::format(
      "prefix=@CMAKE_INSTALL_PREFIX@\n"
      "Name: {0}\n"
      "Description: {0}, emitted by leto from {1}\n"
      "Version: 1.0.0\n"
      "Cflags: -I${{prefix}}/@CMAKE_INSTALL_INCLUDEDIR@{2}\n"
      "Libs: {3}{4}\n",
      request.name, request.source, doubles ? " -ffp-contract=off -DLETO_FP_CONTRACT_OFF" : "",
      emitted.has_c ? fmt::format("-L${{prefix}}/@CMAKE_INSTALL_LIBDIR@ -l{}_capi", request.name)
                    : "",
      uses_gmp(request, emitted) ? " -lgmpxx -lgmp" : "");
}

// The part of a test that is the same for all.
constexpr std::string_view kReader = R"text(
struct Reader {
  const char* at;
  std::string word() {
    while (*at == ' ') ++at;
    const char* from = at;
    while (*at != ' ' && *at != '\0') ++at;
    return std::string(from, at);
  }
  std::size_t size() { return static_cast<std::size_t>(std::stoull(word())); }
};

template <class T>
T parse(const std::string& word) {
  if constexpr (std::is_same_v<T, double>) {
    const std::size_t slash = word.find('/');
    if (slash == std::string::npos) return std::stod(word);
    return std::stod(word.substr(0, slash)) / std::stod(word.substr(slash + 1));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::stoll(word));
  } else {
    return T(word);
  }
}

template <class T>
bool same(const T& got, const T& wanted) {
  if constexpr (std::is_same_v<T, double>)
    return std::fabs(got - wanted) <= 1e-9 * (1 + std::fabs(wanted));
  else
    return got == wanted;
}

template <class T>
std::vector<T> read_elements(Reader& in, std::size_t size) {
  std::vector<T> out;
  for (std::size_t i = 0; i < size; ++i) out.push_back(parse<T>(in.word()));
  return out;
}

template <class T>
struct Matrix {
  std::vector<T> elements;
  std::size_t rows = 0, cols = 0;
  leto::matrix_view<const T> view() const { return {elements.data(), rows, cols, cols}; }
  leto::matrix_view<T> whole() { return {elements.data(), rows, cols, cols}; }
};
template <class T>
Matrix<T> read_matrix(Reader& in) {
  const std::size_t rows = in.size(), cols = in.size();
  return {read_elements<T>(in, rows * cols), rows, cols};
}

[[maybe_unused]] std::string letter(leto::why reason) {
  switch (reason) {
    case leto::why::value:
      return "V";
    case leto::why::range:
      return "R";
    case leto::why::memory:
      return "M";
    case leto::why::size:
      return "S";
    case leto::why::overlap:
      return "O";
    case leto::why::unmet:
      return "U";
    case leto::why::failed:
      return "F";
  }
  return "?";
}
[[maybe_unused]] std::string letter(leto::verdict verdict) {
  return verdict == leto::verdict::accept ? "A" : verdict == leto::verdict::reject ? "J" : "?";
}
)text";

class TestWriter {
 public:
  TestWriter(const Request& request, const Emitted& emitted, std::string why_none)
      : request_(request), emitted_(emitted), style_(request), why_none_(std::move(why_none)) {}

  std::string text() {
    read_inputs();
    return fmt::format(
        "// Replays what the interpreter of leto computed exactly. Made by leto emit {1}.\n"
        "#include \"{0}.hpp\"\n\n"
        "#include <cmath>\n#include <cstdio>\n#include <string>\n#include <vector>\n\n"
        "namespace {{\n{2}\n"
        "// One case: inputs, what is expected, results.\n"
        "bool replay(const char* text) {{\n"
        "  Reader in{{text}};\n{3}}}\n\n"
        "{4}"
        "const char* const kCases[] = {{\n#include \"{0}_cases.inc\"\n    nullptr}};\n\n"
        "}}  // namespace\n\n"
        "int main() {{\n"
        "  int failed = 0, all = 0;\n"
        "  for (const char* const* one = kCases; *one != nullptr; ++one, ++all)\n"
        "    if (!replay(*one) && ++failed <= 10) std::printf(\"wrong: %s\\n\", *one);\n"
        "{5}"
        "  std::printf(\"{0}: %d cases, %d wrong\\n\", all, failed);\n"
        "{6}"
        "}}\n",
        request_.name, request_.version, kReader, body_, overlap_,
        overlap_.empty() ? "" : "  if (!refuses_overlap()) ++failed;\n", verdict());
  }

 private:
  // Cases that were made must be there. If none could be, that is said.
  [[nodiscard]] std::string verdict() const {
    if (why_none_.empty()) return "  return failed == 0 && all > 0 ? 0 : 1;\n";
    return fmt::format(
        "  std::printf(\"%s\\n\", {});\n"
        "  return failed == 0 && all == 0 ? 0 : 1;\n",
        quoted("nothing was replayed: " + why_none_));
  }
  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return out + "\"";
  }
  void line(const std::string& text) { body_ += "  " + text + "\n"; }
  [[nodiscard]] std::string element(const Slot& slot) const { return style_.element(slot.type); }
  [[nodiscard]] std::string outside(const Slot& slot) const {
    return slot.type.base == Base::Bool ? "bool" : element(slot);
  }
  void declare(const Slot& slot, const std::string& prefix) {
    if (slot.type.rank == 0)
      line(fmt::format("const auto {}{} = parse<{}>(in.word()){};", prefix, slot.name,
                       slot.type.base == Base::Bool ? "std::int64_t" : element(slot),
                       slot.type.base == Base::Bool ? " != 0" : ""));
    else if (slot.type.rank == 1)
      line(fmt::format("auto {}{} = read_elements<{}>(in, in.size());", prefix, slot.name,
                       element(slot)));
    else
      line(fmt::format("auto {}{} = read_matrix<{}>(in);", prefix, slot.name, element(slot)));
  }

  void read_inputs() {
    std::string list;
    for (const Slot& slot : emitted_.inputs) {
      declare(slot, "x_");
      list += (list.empty() ? "" : ", ") +
              (slot.type.rank == 2 ? "x_" + slot.name + ".view()" : "x_" + slot.name);
    }
    line("const std::string expected = in.word();");
    if (request_.checker) {
      line(fmt::format("const leto::verdict got = {}::{}({});", request_.space, request_.name,
                       list));
      line("if (letter(got) != expected) return false;");
      line("if (expected != \"A\") return true;");
      share_memory();
      line("return true;");
      return;
    }
    add_results(list);
  }

  // Nothing is said of what stands in the memory of an input, whole or in part.
  void share_memory() {
    for (const Slot& in : emitted_.inputs)
      for (const Slot& other : emitted_.inputs) {
        if (in.role != Role::Input || other.role == Role::Input || in.type.rank == 0 ||
            in.type.rank != other.type.rank || in.type.base != other.type.base)
          continue;
        share_memory(in, other, in.type.rank == 1 ? "x_" + in.name : "x_" + in.name + ".view()");
        if (in.type.rank == 1)
          share_memory(in, other, fmt::format("std::span(x_{}).last(1)", in.name));
      }
  }
  void share_memory(const Slot& in, const Slot& other, const std::string& memory) {
    std::string list;
    for (const Slot& slot : emitted_.inputs)
      list += (list.empty() ? "" : ", ") + (slot.name == other.name ? memory
                                            : slot.type.rank == 2   ? "x_" + slot.name + ".view()"
                                                                    : "x_" + slot.name);
    line(fmt::format("if (!x_{}{}.empty() &&", in.name, in.type.rank == 2 ? ".elements" : ""));
    line(fmt::format("    {}::{}({}) != leto::verdict::undecided)", request_.space, request_.name,
                     list));
    line("  return false;");
  }

  // Vectors that are written to have the size that is expected.
  void add_results(std::string list) {
    std::size_t numbers = 0;
    for (const Slot& slot : emitted_.results) {
      if (slot.type.rank == 0) {
        ++numbers;
        continue;
      }
      line(fmt::format("{} y_{};",
                       slot.type.rank == 1 ? fmt::format("std::vector<{}>", element(slot))
                                           : fmt::format("Matrix<{}>", element(slot)),
                       slot.name));
      list += (list.empty() ? "" : ", ") +
              (slot.type.rank == 2 ? "y_" + slot.name + ".whole()" : "y_" + slot.name);
    }
    for (const Slot& slot : emitted_.results)
      line(fmt::format("{} w_{}{{}};",
                       slot.type.rank == 0   ? outside(slot)
                       : slot.type.rank == 1 ? fmt::format("std::vector<{}>", element(slot))
                                             : fmt::format("Matrix<{}>", element(slot)),
                       slot.name));
    line("if (expected == \"V\") {");
    for (const Slot& slot : emitted_.results) read_wanted(slot);
    line("}");
    line(fmt::format("const auto got = {}::{}({});", request_.space, request_.name, list));
    line("if (letter(got.reason()) != expected) return false;");
    line("if (!got) return true;");
    for (const Slot& slot : emitted_.results) compare(slot, numbers);
    line("return true;");
    overlap_text();
  }
  void read_wanted(const Slot& slot) {
    const std::string n = slot.name;
    if (slot.type.rank == 0)
      line(fmt::format("  w_{} = parse<{}>(in.word()){};", n,
                       slot.type.base == Base::Bool ? "std::int64_t" : element(slot),
                       slot.type.base == Base::Bool ? " != 0" : ""));
    else if (slot.type.rank == 1)
      line(fmt::format(
          "  w_{0} = read_elements<{1}>(in, in.size());\n    y_{0}.resize(w_{0}.size());", n,
          element(slot)));
    else
      line(
          fmt::format("  w_{0} = read_matrix<{1}>(in);\n    y_{0} = w_{0};\n    for (auto& x : "
                      "y_{0}.elements) x = {1}{{}};",
                      n, element(slot)));
  }
  void compare(const Slot& slot, std::size_t numbers) {
    const std::string n = slot.name;
    if (slot.type.rank == 0) {
      line(fmt::format("if (!same({}, w_{})) return false;", numbers == 1 ? "*got" : "(*got)." + n,
                       n));
      return;
    }
    const char* part = slot.type.rank == 1 ? "" : ".elements";
    line(fmt::format("for (std::size_t i = 0; i < w_{0}{1}.size(); ++i)", n, part));
    line(fmt::format("  if (!same(y_{0}{1}[i], w_{0}{1}[i])) return false;", n, part));
  }

  // An output in the memory of an input, whatever they hold.
  void overlap_text() {
    const auto like = [](const Slot& a, const Slot& b) {
      return a.type.rank == 1 && b.type.rank == 1 && a.type.base == b.type.base;
    };
    for (const Slot& in : emitted_.inputs)
      for (const Slot& out : emitted_.results)
        if (overlap_.empty() && like(in, out)) write_overlap(in, out);
  }
  void write_overlap(const Slot& in, const Slot& shared) {
    std::string text, list;
    const auto add = [&](const std::string& one) { list += (list.empty() ? "" : ", ") + one; };
    // Sizes are what they must be if all numbers are one; else nothing is said.
    for (const Slot& slot : emitted_.inputs) {
      text += fmt::format("  {} x_{}{};\n",
                          slot.type.rank == 0   ? outside(slot)
                          : slot.type.rank == 1 ? fmt::format("std::vector<{}>", element(slot))
                                                : fmt::format("Matrix<{}>", element(slot)),
                          slot.name,
                          slot.type.rank == 0   ? "{1}"
                          : slot.type.rank == 1 ? "(1)"
                                                : "{{{}}, 1, 1}");
      add(slot.type.rank == 2 ? "x_" + slot.name + ".view()" : "x_" + slot.name);
    }
    for (const Slot& slot : emitted_.results) {
      if (slot.type.rank == 0) continue;
      if (slot.name == shared.name) {
        add("x_" + in.name);
        continue;
      }
      text += fmt::format("  {} y_{}{};\n",
                          slot.type.rank == 1 ? fmt::format("std::vector<{}>", element(slot))
                                              : fmt::format("Matrix<{}>", element(slot)),
                          slot.name, slot.type.rank == 1 ? "(1)" : "{{{}}, 1, 1}");
      add(slot.type.rank == 2 ? "y_" + slot.name + ".whole()" : "y_" + slot.name);
    }
    overlap_ = fmt::format(
        "bool refuses_overlap() {{\n{}  const leto::why got = {}::{}({}).reason();\n"
        "  return got == leto::why::overlap || got == leto::why::size;\n}}\n\n",
        text, request_.space, request_.name, list);
  }

  const Request& request_;
  const Emitted& emitted_;
  Style style_;
  std::string why_none_;  // empty: there are cases
  std::string body_, overlap_;
};

}  // namespace

Package package(const Request& request, const Emitted& emitted, const std::string& why_no_cases) {
  Package out;
  out.cmake = cmake_text(request, emitted);
  out.config =
      fmt::format("include(\"${{CMAKE_CURRENT_LIST_DIR}}/{}Targets.cmake\")\n", request.name);
  out.pkg_config = pkg_config_text(request, emitted);
  if (emitted.externals.empty()) out.test = TestWriter(request, emitted, why_no_cases).text();
  return out;
}

}  // namespace leto::emit

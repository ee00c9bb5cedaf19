#include "driver/emit_injection.h"

#include <fmt/core.h>

#include <ostream>

#include "files/files.h"
#include "report/escape.h"

namespace leto::driver {

namespace {

// What it reads, and what it prints, for people.
std::string guide(const core::Program& program, const emit::Injected& injected) {
  std::string out =
      "// INPUTS SEED FAULT-FREE STEPS JOBS on the command line; then lines 'runs FROM TO' on the "
      "standard input.\n"
      "// Compile with -std=c++20 -O2 -march=native -ffp-contract=off -DLETO_FP_CONTRACT_OFF "
      "-pthread.\n"
      "//\n// The file INPUTS has, in this order: the number of rates and the rates (0: none), "
      "and\n";
  for (const emit::Injected::Input& input : injected.inputs) {
    const core::Var& var = program.vars[input.var];
    const char* base = var.type.base == core::Base::Real   ? "real"
                       : var.type.base == core::Base::Bool ? "0 or 1"
                                                           : "integer";
    out += fmt::format("//   {}{}: {}{}\n", core::called(var),
                       input.side == core::Side::Open       ? ""
                       : input.side == core::Side::Original ? "<o>"
                                                            : "<r>",
                       var.type.rank > 0 ? "rows, columns, then each element: " : "", base);
  }
  return out +
         "// A real is a double, how far it is off at most (0: it is exact), and a number that "
         "says "
         "what it is (0).\n\n";
}

}  // namespace

ExitCode write_injection(const core::Program& program, core::FunctionId function,
                         const std::string& directory, DiagnosticSink& sink, Streams& streams) {
  const auto injected = emit::emit_injection(program, function, sink);
  if (!injected) return ExitCode::BadInput;
  const std::string& name = program.functions[function].name;
  const std::string folder = directory.empty() ? name + "_inject" : directory;
  files::Problem problem = files::make_directory(folder);
  const std::string source =
      fmt::format("// Faults in '{}' under {}: made by leto emit --inject. Do not edit.\n", name,
                  program.model.name) +
      guide(program, *injected) +
      fmt::format("#define LETO_NATIVE_MAIN 1\n#include \"{}_inject.hpp\"\n", name);
  if (problem.empty())
    problem = files::write(fmt::format("{}/{}_inject.hpp", folder, name), injected->header);
  if (problem.empty())
    problem = files::write(fmt::format("{}/{}_inject.cpp", folder, name), source);
  if (!problem.empty()) {
    streams.err << fmt::format("leto: error: cannot write to '{}': {}\n",
                               report::name_on_line(folder), problem);
    return ExitCode::BadInput;
  }
  streams.out << fmt::format("{}: with faults of {} at {} places, 2 files in {}\n", name,
                             program.model.name, injected->sites.size(),
                             report::name_on_line(folder));
  return ExitCode::Fine;
}

}  // namespace leto::driver

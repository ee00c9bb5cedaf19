#include "workbench/executing.h"

#include <fmt/core.h>

#include "lower/lower.h"
#include "problem/problem.h"

namespace leto::workbench {

namespace {

// The function of that name; the last one if there is no name, for it calls the others, mostly.
// Lemmas are run only if they are asked for.
core::FunctionId find_function(const core::Program& program, const Wanted& wanted,
                               std::string& problem) {
  std::string known;
  core::FunctionId found;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::Function& f = program.functions[core::FunctionId{i}];
    if (f.external() && f.name == wanted.function) {
      problem = fmt::format("'{}' is external: there is nothing to run", f.name);
      return {};
    }
    // One that nobody wrote has a comma in its name.
    if (f.external() || f.name.find(',') != std::string::npos) continue;
    known += (known.empty() ? "" : ", ") + f.name;
    if (wanted.function.empty() ? !f.lemma : f.name == wanted.function) found = core::FunctionId{i};
  }
  if (!found.valid())
    problem = wanted.function.empty()
                  ? fmt::format("{} has no function", wanted.file)
                  : fmt::format("{} has no function '{}'; it has {}", wanted.file, wanted.function,
                                known.empty() ? "none" : known);
  return found;
}

}  // namespace

std::unique_ptr<Executable> prepare(workspace::Workspace& workspace, const Wanted& wanted,
                                    const Allowance& allowance, DiagnosticList& diagnostics,
                                    std::string& why_not) {
  workspace::Program program = workspace.load(wanted.file, diagnostics);
  if (program.trees.empty()) return nullptr;
  const workspace::PickedModel picked = workspace.pick_model(program, wanted.model, diagnostics);
  const check::Checked checked =
      check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
  if (diagnostics.errors() > 0) return nullptr;
  auto out = std::make_unique<Executable>();
  out->program = lower::lower(checked, workspace.names(), Trap::None, nullptr, true);
  out->function = find_function(out->program, wanted, why_not);
  if (!out->function.valid()) return nullptr;
  // A checker that gives up stops there.
  if (const core::FunctionId run = core::find_function(
          out->program, problem::run_name(out->program.functions[out->function].name));
      run.valid())
    out->function = run;
  out->machine = std::make_unique<interp::Machine>(out->program, &allowance);
  return out;
}

}  // namespace leto::workbench

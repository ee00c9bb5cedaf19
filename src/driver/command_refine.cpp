#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "workspace/workspace.h"

namespace leto::driver {

namespace {

struct RefineOptions : ProvingOptions {
  std::string model, super;
};

workbench::Verified refine(const check::Checked& checked, check::ModelId super,
                           const workspace::Workspace& workspace, Proving& proving) {
  workbench::Verified v = workbench::verify_refinement(checked, workspace.names(), super, {},
                                                       proving.crew, proving.cache.get(), {});
  v.file =
      fmt::format("{} refines {}", v.model, workspace.names().text(checked.models[super].name));
  v.footing = workbench::footing_of(checked, workspace, proving);
  return v;
}

ExitCode run_refine(const RefineOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  workspace::Program program;  // of models alone
  const workspace::PickedModel picked = workspace.pick_model(program, options.model, diagnostics);
  const check::Checked checked =
      check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  if (diagnostics.errors() > 0 || !checked.model.valid()) return ExitCode::BadInput;
  Proving proving(options, watchdog, streams);
  if (proving.no_solver(streams)) return ExitCode::Undecided;
  const report::ClaimReport report(style_of(options, streams), workspace.sources());
  std::vector<workbench::Verified> all;
  for (check::ModelId super : checked.models[checked.model].supers) {
    if (!options.super.empty() &&
        options.super != workspace.names().text(checked.models[super].name))
      continue;
    workbench::Verified v = refine(checked, super, workspace, proving);
    streams.out << report.claims(v.file, v);
    prove::Engine engine = proving.quiet_engine();
    workbench::explain(v, proving.explaining(options, {}), engine);
    streams.out << report.explanations(v) << report.summary(v);
    all.push_back(std::move(v));
  }
  if (!all.empty()) return conclude(all, proving, streams);
  streams.err << fmt::format(
      "leto: error: '{}' refines no {}\n", options.model,
      options.super.empty() ? "model" : fmt::format("model '{}'", options.super));
  return ExitCode::Usage;
}

}  // namespace

Command add_refine(const Table& table) {
  const auto options = std::make_shared<RefineOptions>();
  CLI::App& command =
      *table.app.add_subcommand("refine", "Prove that a model refines its super-models");
  command.add_option("MODEL", options->model, "The sub-model: a name, FILE or FILE:NAME")
      ->check(names_a_model())
      ->required();
  command.add_option("--super", options->super, "Only this super-model")->option_text("NAME");
  add_places(command, options->places);
  add_limits(command, table.limits);
  command.add_flag("-v,--verbose", options->verbose, "Show proved claims too");
  add_no_cache(command, *options);
  add_colour(command, options->colour);
  command.footer("Example:\n  leto refine refined_seu");
  return watched(command, options, run_refine);
}

}  // namespace leto::driver

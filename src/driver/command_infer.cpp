#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <vector>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "files/files.h"
#include "report/escape.h"
#include "workbench/formatting.h"
#include "workspace/workspace.h"

namespace leto::driver {

namespace {

struct InferOptions : ProvingOptions {
  bool in_place = false;
};

// A program with the invariants that were inferred for its own loops.
struct Annotated {
  std::string text;
  std::size_t count = 0, elsewhere = 0;  // of loops here, and in other files
};

Annotated annotate(const workbench::Verified& v, const SourceFile& file, FileId id) {
  std::vector<prove::Verification::Invariant> own;
  for (const prove::Verification::Invariant& invariant : v.inferred)
    if (invariant.body.file == id) own.push_back(invariant);
  return {workbench::with_invariants(file, own), own.size(), v.inferred.size() - own.size()};
}

// False, and said, if it cannot be written.
[[nodiscard]] bool put(const std::string& path, const SourceFile& file, const std::string& text,
                       bool in_place, Streams& streams) {
  if (!in_place) {
    streams.for_programs() << text;
    return true;
  }
  const files::Problem problem = files::replace(path, std::string(file.text()), text);
  if (!problem.empty())
    streams.err << fmt::format("leto: error: cannot write '{}': {}\n", report::name_on_line(path),
                               problem);
  return problem.empty();
}

ExitCode run_infer(const InferOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  if (!has_one_model(options, streams)) return ExitCode::Usage;
  if (options.in_place && !can_be_written(options.files, "--in-place", streams))
    return ExitCode::Usage;
  Proving proving(options, watchdog, streams);
  if (proving.no_solver(streams)) return ExitCode::Undecided;
  ExitCode worst = ExitCode::Fine;
  for (const std::string& path : options.files) {
    workspace::Program program;
    const auto v = verify_program(path, options, proving, workspace, program, diagnostics);
    if (!v) continue;
    const SourceFile& file = workspace.sources()[program.own->file];
    const Annotated made = annotate(*v, file, program.own->file);
    if (!put(path, file, made.text, options.in_place, streams)) return ExitCode::BadInput;
    streams.err << fmt::format(
        "{}: {} invariants inferred under {}, {} of {} claims proved{}\n",
        report::name_on_line(shown(path)), made.count, v->model, v->count(prove::Status::Proved),
        v->claims.size(),
        made.elsewhere == 0 ? ""
                            : fmt::format("; {} more are of loops in other files", made.elsewhere));
    warn_if_nothing_claimed(*v, streams);
    worst = std::max(worst, exit_code_of(*v));
  }
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  proving.tell_of_ends(streams);
  return diagnostics.errors() > 0 ? ExitCode::BadInput : worst;
}

}  // namespace

Command add_infer(const Table& table) {
  const auto options = std::make_shared<InferOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "infer", "Print programs with the invariants that are inferred written in");
  add_programs(command, *options);
  command.add_flag("-i,--in-place", options->in_place, "Write them into the files instead");
  add_engine(command, *options, table.limits);
  add_colour(command, options->colour);
  command.footer(
      "What is printed is proved without inference as far as the program was proved with it.\n"
      "Examples:\n"
      "  leto infer program.leto > annotated.leto\n"
      "  leto infer --in-place program.leto");
  return watched(command, options, run_infer);
}

}  // namespace leto::driver

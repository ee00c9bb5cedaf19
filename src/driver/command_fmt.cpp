#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "files/files.h"
#include "report/escape.h"
#include "report/render.h"
#include "workbench/formatting.h"
#include "workspace/workspace.h"

namespace leto::driver {

namespace {

struct FmtOptions {
  std::vector<std::string> files;
  bool check = false;
  Colour colour = Colour::Auto;
};

// Formats files, one after the other.
class Formatter {
 public:
  Formatter(const FmtOptions& options, const Watchdog& watchdog, Streams& streams)
      : options_(options), watchdog_(watchdog), streams_(streams), disk_(streams.in) {}

  ExitCode run() {
    for (const std::string& path : options_.files)
      if (path == workspace::kStandardInput)
        filter(path);
      else if (!format_in_place(path))
        return ExitCode::BadInput;
    streams_.err << report::render_text(
        diagnostics_, sources_, {use_colour(options_.colour, streams_.err_is_terminal), 100});
    if (diagnostics_.errors() > 0) return ExitCode::BadInput;
    return options_.check && differs_ ? ExitCode::DoesNotHold : ExitCode::Fine;
  }

 private:
  workbench::Formatted format(const std::string& path, const files::Content& content) {
    if (content.text)
      return workbench::format_text(path, *content.text, sources_, diagnostics_,
                                    &watchdog_.allowance());
    diagnostics_.report(
        {DiagnosticKind::CannotRead, std::nullopt, {path, content.problem}, {}, {}});
    return {};
  }

  // The standard input to the standard output.
  void filter(const std::string& path) {
    const files::Content content = disk_.read(path, files::NamedBy::User);
    const workbench::Formatted result = format(shown(path), content);
    if (!result.parsed) return;
    if (!options_.check)
      streams_.for_programs() << result.text;
    else if (result.text != *content.text)
      differs_ = true;
  }

  // False, and said, if it cannot be written.
  [[nodiscard]] bool format_in_place(const std::string& path) {
    const files::Content content = disk_.read(path, files::NamedBy::User);
    const workbench::Formatted result = format(path, content);
    if (!result.parsed || result.text == *content.text) return true;
    differs_ = true;
    if (options_.check) {
      streams_.out << fmt::format("{}: not formatted\n", report::name_on_line(path));
      return true;
    }
    const files::Problem problem = files::replace(path, *content.text, result.text);
    if (problem.empty())
      streams_.out << fmt::format("{}: formatted\n", report::name_on_line(path));
    else
      streams_.err << fmt::format("leto: error: cannot write '{}': {}\n",
                                  report::name_on_line(path), problem);
    return problem.empty();
  }

  const FmtOptions& options_;
  const Watchdog& watchdog_;
  Streams& streams_;
  Programs disk_;
  SourceStore sources_;
  DiagnosticList diagnostics_;
  bool differs_ = false;
};

ExitCode run_fmt(const FmtOptions& options, const Watchdog& watchdog, Streams& streams) {
  return Formatter(options, watchdog, streams).run();
}

}  // namespace

Command add_fmt(const Table& table) {
  const auto options = std::make_shared<FmtOptions>();
  CLI::App& command =
      *table.app.add_subcommand("fmt", "Format programs and models in the house style");
  command
      .add_option("FILE", options->files,
                  "Files to format in place; '-' filters the standard input")
      ->required();
  command.add_flag("--check", options->check,
                   "Change nothing; exit with 1 if something would change");
  add_limits(command, table.limits);
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto fmt program.leto\n"
      "  leto fmt --check examples/*.leto\n"
      "  leto fmt - < program.leto");
  return watched(command, options, run_fmt);
}

}  // namespace leto::driver

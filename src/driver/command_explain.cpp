#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "base/diagnostic.h"
#include "driver/commands.h"
#include "report/pages.h"

namespace leto::driver {

namespace {

struct ExplainOptions {
  std::string code;
  bool list = false;
  bool markdown = false;
  Colour colour = Colour::Auto;
};

ExitCode run_explain(const ExplainOptions& options, Streams& streams) {
  if (options.list || options.code.empty()) {
    for (const DiagnosticInfo& row : all_diagnostics())
      streams.out << fmt::format("{}  {:<8} {}\n", row.code,
                                 row.severity == Severity::Error ? "error" : "warning", row.name);
    return ExitCode::Fine;
  }
  const auto kind = diagnostic_by_code(options.code);
  if (!kind) {
    streams.err << fmt::format(
        "leto: error: there is no code '{}'; 'leto explain --list' shows them all\n", options.code);
    return ExitCode::Usage;
  }
  const std::string_view code = info(*kind).code;
  streams.out << (options.markdown
                      ? report::explanation(code)
                      : report::explanation_text(
                            code, use_colour(options.colour, streams.out_is_terminal)));
  return ExitCode::Fine;
}

}  // namespace

Command add_explain(const Table& table) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "explain", "Explain a diagnostic, with a wrong and a right example");
  command.add_option("CODE", options->code, "Such as L0301");
  command.add_flag("--list", options->list, "List all codes");
  command.add_flag("--markdown", options->markdown, "Print the page as Markdown");
  add_colour(command, options->colour);
  command.footer("Examples:\n  leto explain L0503\n  leto explain --list");
  return {&command, {}, [options](Streams& streams) { return run_explain(*options, streams); }};
}

}  // namespace leto::driver

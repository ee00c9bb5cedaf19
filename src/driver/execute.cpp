#include "driver/execute.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "files/files.h"
#include "report/escape.h"
#include "script/parse.h"

namespace leto::driver {

std::unique_ptr<workbench::Executable> prepare(workspace::Workspace& workspace,
                                               const ExecuteOptions& options,
                                               const Allowance& allowance, Streams& streams) {
  DiagnosticList diagnostics;
  std::string problem;
  auto out = workbench::prepare(workspace, {options.file, options.model, options.function},
                                allowance, diagnostics, problem);
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  if (!problem.empty())
    streams.err << fmt::format("leto: error: {}\n", report::name_on_line(problem));
  return out;
}

std::optional<nlohmann::json> read_json(const std::string& given, std::string& problem) {
  if (given.starts_with("{")) return script::parse_json(given, problem);
  const files::Content content = files::read(given, files::NamedBy::User);
  if (!content.text) problem = content.problem;
  return content.text ? script::parse_json(*content.text, problem) : std::nullopt;
}

}  // namespace leto::driver

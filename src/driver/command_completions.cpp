#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/completions.h"

namespace leto::driver {

namespace {

ExitCode run_completions(const CLI::App& app, const std::string& shell, Streams& streams) {
  const auto script = completion_script(app, shell);
  if (script) streams.out << *script;
  if (!script) streams.err << fmt::format("leto: error: '{}' is none of bash, fish, zsh\n", shell);
  return script ? ExitCode::Fine : ExitCode::Usage;
}

}  // namespace

Command add_completions(const Table& table) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& command =
      *table.app.add_subcommand("completions", "Print what a shell needs to complete commands");
  command.add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command.footer("Example:\n  leto completions fish > ~/.config/fish/completions/leto.fish");
  return {&command, {}, [&app = table.app, shell](Streams& streams) {
            return run_completions(app, *shell, streams);
          }};
}

}  // namespace leto::driver

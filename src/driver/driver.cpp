#include "driver/driver.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <ostream>
#include <system_error>

#include "driver/commands.h"
#include "driver/manual.h"
#include "driver/usage.h"
#include "report/screen.h"

namespace leto::driver {

namespace {

// In the order of `leto --help`.
std::vector<Command> add_all(const Table& table) {
  return {add_check(table),       add_verify(table),     add_checker(table),  add_infer(table),
          add_stats(table),       add_run(table),        add_inject(table),   add_stability(table),
          add_reliability(table), add_refine(table),     add_protocol(table), add_emit(table),
          add_cache(table),       add_core(table),       add_fmt(table),      add_explain(table),
          add_models(table),      add_completions(table)};
}

ExitCode run_watched(const Command& command, CommandLimits limits, Streams& streams) {
  limits.may_end_process = streams.may_end_process;
  const Watchdog watchdog(limits);
  try {
    return command.run(watchdog, streams);
  } catch (const Spent& spent) {
    streams.err << "leto: error: while " << spent.doing << ": " << watchdog.why() << "\n";
    return ExitCode::Undecided;
  }
}

// All that can be said on the command line.
struct CommandLine {
  CommandLine() {
    app.set_version_flag("--version", std::string("leto ") + LETO_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 fine, 1 what was asked for does not hold, 2 undecided,\n"
        "3 the input has errors, 4 wrong usage, 5 internal error.");
    commands = add_all({app, limits});
  }

  CLI::App app{"Leto: proves what programs still guarantee when the hardware misbehaves.", "leto"};
  CommandLimits limits;
  std::vector<Command> commands;
};

ExitCode run_command(const std::vector<std::string>& arguments, Streams& streams) {
  CommandLine line;
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    line.app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0)  // it was asked for help
      return static_cast<ExitCode>(line.app.exit(error, streams.out, streams.err));
    streams.err << describe_misuse(line.app, arguments, error);
    return ExitCode::Usage;
  }
  const auto called = std::find_if(line.commands.begin(), line.commands.end(),
                                   [](const Command& one) { return one.app->parsed(); });
  LETO_ASSERT(called != line.commands.end());
  if (called->run_at_once) return called->run_at_once(streams);
  return run_watched(*called, line.limits, streams);
}

// What the machine does not give, nothing is known without.
ExitCode run_whatever_fails(const std::vector<std::string>& arguments, Streams& streams) {
  try {
    return run_command(arguments, streams);
  } catch (const std::bad_alloc&) {
    streams.err << "leto: error: out of memory; nothing is known\n";
  } catch (const std::system_error& problem) {
    streams.err << "leto: error: the system refuses: " << problem.what() << "; nothing is known\n";
  }
  return ExitCode::Undecided;
}

}  // namespace

ExitCode run(const std::vector<std::string>& arguments, Streams& streams) {
  ExitCode code = ExitCode::Internal;
  bool written = false;
  {
    report::Screen out_screen(streams.out), err_screen(streams.err);
    std::ostream out(&out_screen), err(&err_screen);
    Streams shown{streams.in,
                  out,
                  err,
                  streams.out_is_terminal,
                  streams.err_is_terminal,
                  streams.executable_dir,
                  streams.out_is_terminal ? nullptr : &streams.out,
                  streams.may_end_process};
    code = run_whatever_fails(arguments, shown);
    written = static_cast<bool>(out.flush());
  }
  // A verdict that nobody can read is none.
  if (streams.out.flush() && written) return code;
  streams.err << "leto: error: the output cannot be written\n";
  return code == ExitCode::Fine ? ExitCode::Undecided : code;
}

std::optional<std::string> manual(const std::string& page, std::string& problem) {
  const CommandLine line;
  return fill_manual(line.app, page, problem);
}

}  // namespace leto::driver

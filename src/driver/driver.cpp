#include "driver/driver.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <new>
#include <ostream>
#include <sstream>
#include <system_error>

#include "driver/commands.h"
#include "driver/completions.h"
#include "driver/usage.h"
#include "report/screen.h"

namespace leto::driver {

namespace {

const std::map<std::string, Format> kFormats = {
    {"text", Format::Text}, {"json", Format::Json}, {"sarif", Format::Sarif}};
const std::map<std::string, engine::SolverChoice> kSolvers = {{"z3", engine::SolverChoice::Z3},
                                                              {"cvc5", engine::SolverChoice::Cvc5},
                                                              {"both", engine::SolverChoice::Both}};
const std::map<std::string, Colour> kColours = {
    {"auto", Colour::Auto}, {"always", Colour::Always}, {"never", Colour::Never}};

// One of a few words, which stand for values.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& known) {
  const auto take = [known](std::string& given) -> std::string {
    if (const auto it = known.find(given); it != known.end()) {
      given = std::to_string(static_cast<int>(it->second));
      return "";
    }
    std::string all;
    NearestName nearest(given);
    for (const auto& [word, value] : known) {
      all += (all.empty() ? "" : ", ") + word;
      nearest.offer(word);
    }
    return fmt::format("'{}' is none of {}{}", given, all, did_you_mean(nearest));
  };
  std::string words;
  for (const auto& [word, value] : known) words += (words.empty() ? "one of " : "|") + word;
  return {take, words};
}

void add_text_or_json(CLI::App& command, Format& format) {
  command.add_option("--format", format, "text or json")
      ->transform(
          one_of(std::map<std::string, Format>{{"text", Format::Text}, {"json", Format::Json}}))
      ->option_text("FORMAT");
}
void add_colour(CLI::App& command, Colour& colour) {
  command.add_option("--color", colour, "auto (on a terminal), always or never")
      ->transform(one_of(kColours))
      ->option_text("WHEN");
}

// Each has a thread and a solver of its own.
constexpr int kMostWorkers = 256;
constexpr std::uint64_t kMostMegabytes = 1u << 30;

// A number that is not below another one; "-5" for a count is a mistake, not a large number.
CLI::Validator at_least(double least) {
  return CLI::Validator(
      [least](std::string& text) -> std::string {
        double number = 0;
        if (!CLI::detail::lexical_cast(text, number)) return "'" + text + "' is not a number";
        if (number >= least) return {};
        std::ostringstream message;
        message << "it must be at least " << least;
        return message.str();
      },
      "");
}

void add_places(CLI::App& command, workspace::Places& places) {
  command
      .add_option("--model-path", places.models, "Directory to look for models in; can be repeated")
      ->option_text("DIR")
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
  command
      .add_option("--allow-import", places.imports,
                  "Directory that programs may import from, beside their own; can be repeated")
      ->option_text("DIR")
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
}

void add_limits(CLI::App& command, CommandLimits& limits) {
  command
      .add_option("--time", limits.seconds,
                  "Seconds for the whole command (default: 600; 0: no limit)")
      ->option_text("S")
      ->check(at_least(0));
  command
      .add_option("--own-memory", limits.own_memory_mb,
                  "Megabytes for leto itself (default: half of the machine)")
      ->option_text("MB")
      ->check(CLI::Range(std::uint64_t{1}, kMostMegabytes));
}

ExitCode run_command(const std::vector<std::string>& arguments, Streams& streams) {
  CLI::App app("Leto: proves what programs still guarantee when the hardware misbehaves.", "leto");
  app.set_version_flag("--version", std::string("leto ") + LETO_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 fine, 1 what was asked for does not hold, 2 undecided,\n"
      "3 the input has errors, 4 wrong usage, 5 internal error.");

  CommandLimits limits;  // of the one command that is run
  CheckOptions check;
  CLI::App* check_command =
      app.add_subcommand("check", "Check names, types, sides, ghosts and models of programs");
  check_command->add_option("FILE", check.files, "Programs or models; '-' is the standard input")
      ->required();
  check_command
      ->add_option("-m,--model", check.models,
                   "Model to check against: a name, FILE or FILE:NAME; can be repeated")
      ->option_text("MODEL")
      ->allow_extra_args(false);
  add_places(*check_command, check.places);
  check_command->add_option("--format", check.format, "text, json or sarif")
      ->transform(one_of(kFormats))
      ->option_text("FORMAT");
  check_command->add_option("--max-errors", check.max_errors, "Show at most so many errors (text)")
      ->option_text("N")
      ->check(at_least(0));
  add_limits(*check_command, limits);
  check_command->add_flag("-q,--quiet", check.quiet, "Say nothing when there is nothing wrong");
  add_colour(*check_command, check.colour);
  check_command->footer(
      "Examples:\n"
      "  leto check program.leto\n"
      "  leto check program.leto --model additive_seu --model multicycle\n"
      "  leto check program.leto --format sarif > result.sarif");

  const auto add_engine = [&](CLI::App& command, VerifyOptions& options) {
    command.add_option("--solver", options.solver, "z3, cvc5 or both")
        ->transform(one_of(kSolvers))
        ->option_text("SOLVER");
    command.add_option("-j,--jobs", options.jobs, "Workers (default: one per core)")
        ->option_text("N")
        ->check(CLI::Range(0, kMostWorkers));
    add_limits(command, limits);
    command
        .add_option("--question-time", options.question_seconds,
                    "Seconds for one question to a solver (default: 20)")
        ->option_text("S")
        ->check(at_least(0.001));
    command
        .add_option("--steps", options.steps, "Statements to look at in one function, on all ways")
        ->option_text("N")
        ->check(at_least(1));
    command.add_option("--resource", options.resource, "Z3's resource limit for one question")
        ->option_text("N")
        ->check(at_least(1));
    command.add_option("--memory", options.memory_mb, "Megabytes for one solver")
        ->option_text("MB")
        ->check(CLI::Range(std::uint64_t{1}, kMostMegabytes));
    command.add_option("--seed", options.seed, "Random seed of the solver")
        ->option_text("N")
        ->check(at_least(0));
    command.add_option("--cache", options.cache, "Directory of the cache of answers")
        ->option_text("DIR");
    command.add_flag("--no-cache", options.no_cache, "Ask everything again and keep nothing");
  };

  VerifyOptions verify;
  CLI::App* verify_command =
      app.add_subcommand("verify", "Prove what programs guarantee under a model");
  verify_command->add_option("FILE", verify.files, "Programs; '-' is the standard input")
      ->required();
  verify_command
      ->add_option("-m,--model", verify.models,
                   "Model to verify under: a name, FILE or FILE:NAME; can be repeated")
      ->option_text("MODEL")
      ->allow_extra_args(false);
  verify_command->add_flag("--all-models", verify.all_models,
                           "Verify under every model that can be picked");
  add_places(*verify_command, verify.places);
  verify_command->add_flag("--no-infer", verify.no_infer,
                           "Use no invariants but those that are written");
  verify_command->add_flag("--show-inferred", verify.show_inferred,
                           "List the inferred invariants, as they would be written");
  verify_command->add_flag("--trust-original", verify.trust_original,
                           "Trust what the original run asserts; what is proved is then relative");
  add_engine(*verify_command, verify);
  verify_command
      ->add_option("--dump", verify.dump, "Write the questions as SMT-LIB to this directory")
      ->option_text("DIR");
  CLI::Option* suggest = verify_command->add_flag(
      "--suggest", verify.suggest, "List invariants that would close claims, ready to paste");
  CLI::Option* apply =
      verify_command->add_flag("--apply", verify.apply, "Write them into the files");
  verify_command->add_flag("--full", verify.full,
                           "Show all of a failing run or state, not only what matters most");
  verify_command
      ->add_flag("--no-explain", verify.no_explain,
                 "Do not look for the reason why a claim is not proved")
      ->excludes(suggest)
      ->excludes(apply);
  verify_command->add_flag("--profile", verify.profile, "Show time and resources of each claim");
  verify_command->add_flag("-v,--verbose", verify.verbose, "Show proved claims on a terminal too");
  verify_command->add_flag("-q,--quiet", verify.quiet, "Show only claims that are not proved");
  verify_command->add_option("--format", verify.format, "text, json, sarif or junit")
      ->transform(one_of(std::map<std::string, Format>{{"text", Format::Text},
                                                       {"json", Format::Json},
                                                       {"sarif", Format::Sarif},
                                                       {"junit", Format::Junit}}))
      ->option_text("FORMAT");
  add_colour(*verify_command, verify.colour);
  verify_command->footer(
      "Examples:\n"
      "  leto verify program.leto\n"
      "  leto verify program.leto --model additive_seu --model multicycle\n"
      "  leto verify program.leto --suggest\n"
      "  leto verify program.leto --solver both --profile");

  const auto add_programs = [&](CLI::App& command, VerifyOptions& options) {
    command.add_option("FILE", options.files, "Programs; '-' is the standard input")->required();
    command
        .add_option("-m,--model", options.models,
                    "Model to verify under: a name, FILE or FILE:NAME")
        ->option_text("MODEL")
        ->allow_extra_args(false);
    add_places(command, options.places);
  };

  InferOptions infer;
  CLI::App* infer_command = app.add_subcommand(
      "infer", "Print programs with the invariants that are inferred written in");
  add_programs(*infer_command, infer.verify);
  infer_command->add_flag("-i,--in-place", infer.in_place, "Write them into the files instead");
  add_engine(*infer_command, infer.verify);
  add_colour(*infer_command, infer.verify.colour);
  infer_command->footer(
      "What is printed is proved without inference as far as the program was proved with it.\n"
      "Examples:\n"
      "  leto infer program.leto > annotated.leto\n"
      "  leto infer --in-place program.leto");

  VerifyOptions stats;
  CLI::App* stats_command =
      app.add_subcommand("stats", "Count lines, annotations, inferred invariants and questions");
  add_programs(*stats_command, stats);
  stats_command->add_flag("--no-infer", stats.no_infer,
                          "Use no invariants but those that are written");
  add_engine(*stats_command, stats);
  add_text_or_json(*stats_command, stats.format);
  add_colour(*stats_command, stats.colour);
  stats_command->footer(
      "Annotations are conjuncts of requires, ensures, invariants and assertions; eq(*) counts\n"
      "once for each parameter. 'hardest' is the largest resource count of one question.\n"
      "Examples:\n"
      "  leto stats program.leto\n"
      "  leto stats examples/*.leto --no-cache --format json");

  const auto add_execution = [&](CLI::App& command, ExecuteOptions& execute) {
    command.add_option("FILE", execute.file, "A program; '-' is the standard input")->required();
    command
        .add_option("-m,--model", execute.model, "Model to run under: a name, FILE or FILE:NAME")
        ->option_text("MODEL");
    add_places(command, execute.places);
    command.add_option("--function", execute.function, "Function to run (default: the last)")
        ->option_text("NAME");
    command.add_option("--input", execute.input, "Inputs, as JSON")->option_text("FILE");
    command.add_option("--seed", execute.seed, "Seed of everything that is random")
        ->option_text("N")
        ->check(at_least(0));
    command.add_option("--steps", execute.steps, "Statements after which a run counts as hung")
        ->option_text("N")
        ->check(at_least(1));
    add_limits(command, limits);
    command.add_option("--max-size", execute.max_size, "Largest size of random vectors")
        ->option_text("N")
        ->check(CLI::Range(1, 64));
    command.add_option("--max-number", execute.max_number, "Largest random number")
        ->option_text("N")
        ->check(CLI::Range(1, 1'000'000));
    add_colour(command, execute.colour);
  };

  RunOptions run;
  CLI::App* run_command =
      app.add_subcommand("run", "Run a program, on perfect hardware and under a model");
  add_execution(*run_command, run.execute);
  run_command->add_flag("--random-input", run.random_input,
                        "Make inputs that meet the requirements, by the seed");
  run_command->add_option("--faults", run.faults, "Repeat the faults (and inputs) of a script")
      ->option_text("FILE");
  run_command->add_flag("--no-faults", run.no_faults, "Take the exact specification everywhere");
  run_command->add_flag("--exhaustive", run.exhaustive,
                        "Every run that the model allows, as far as that ends");
  run_command->add_option("--max-runs", run.max_runs, "Runs after which --exhaustive gives up")
      ->option_text("N")
      ->check(at_least(1));
  run_command->add_flag("--trace", run.trace, "Show every step of both runs");
  run_command->add_option("--save", run.save, "Write inputs and faults of this run as a script")
      ->option_text("FILE");
  add_text_or_json(*run_command, run.execute.format);
  run_command->footer(
      "Examples:\n"
      "  leto run program.leto --input in.json --seed 7\n"
      "  leto run program.leto --random-input --trace\n"
      "  leto run program.leto --input in.json --exhaustive");

  InjectOptions inject;
  CLI::App* inject_command = app.add_subcommand(
      "inject", "Run a program many times with faults and count what becomes of it");
  add_execution(*inject_command, inject.execute);
  inject_command->add_option("-n,--runs", inject.runs, "How many runs")
      ->option_text("N")
      ->check(at_least(1));
  inject_command->add_option("-j,--jobs", inject.jobs, "Workers (default: one per core)")
      ->option_text("N")
      ->check(CLI::Range(0, kMostWorkers));
  inject_command->add_option("--script", inject.script, "Print the script of one run instead")
      ->option_text("RUN")
      ->check(at_least(0));
  inject_command->add_option("--plot", inject.plot, "Write a bar chart of the outcomes (SVG)")
      ->option_text("FILE");
  inject_command->add_option("--format", inject.execute.format, "text, json or csv")
      ->transform(one_of(std::map<std::string, Format>{
          {"text", Format::Text}, {"json", Format::Json}, {"csv", Format::Csv}}))
      ->option_text("FORMAT");
  inject_command->footer(
      "Without --input each run has random inputs that meet the requirements.\n"
      "Examples:\n"
      "  leto inject program.leto --runs 100000\n"
      "  leto inject program.leto --input in.json --seed 3 --plot outcomes.svg\n"
      "  leto inject program.leto --script 17 > script.json");

  StabilityOptions stability;
  CLI::App* stability_command = app.add_subcommand(
      "stability", "Prove everything again with other seeds and names of the solver's symbols");
  add_programs(*stability_command, stability.verify);
  stability_command->add_option("--seeds", stability.seeds, "How many (default: 10)")
      ->option_text("N")
      ->check(CLI::Range(1, 1000));
  stability_command->add_flag("--no-infer", stability.verify.no_infer,
                              "Use no invariants but those that are written");
  add_engine(*stability_command, stability.verify);
  stability_command->add_flag("-v,--verbose", stability.verify.verbose,
                              "Show all claims, not only those that are brittle");
  add_text_or_json(*stability_command, stability.verify.format);
  add_colour(*stability_command, stability.verify.colour);
  stability_command->footer(
      "Examples:\n"
      "  leto stability program.leto\n"
      "  leto stability program.leto --seeds 50 --format json");

  ReliabilityOptions reliable;
  CLI::App* reliability_command = app.add_subcommand(
      "reliability", "Prove how likely results are right, given rates of faults");
  add_programs(*reliability_command, reliable.verify);
  reliability_command->add_flag("--explain", reliable.explain,
                                "Show what is needed before each statement, and all shares");
  reliability_command
      ->add_option("--solve", reliable.solve,
                   "The largest value of this constant for which all bounds hold")
      ->option_text("CONSTANT");
  reliability_command->add_flag("--no-recovery-rule", reliable.no_recovery_rule,
                                "Treat recovery blocks as any other branch");
  add_engine(*reliability_command, reliable.verify);
  add_text_or_json(*reliability_command, reliable.verify.format);
  add_colour(*reliability_command, reliable.verify.colour);
  reliability_command->footer(
      "Examples:\n"
      "  leto reliability program.leto --explain\n"
      "  leto reliability program.leto --solve p");

  RefineOptions refine;
  CLI::App* refine_command =
      app.add_subcommand("refine", "Prove that a model refines its super-models");
  refine_command->add_option("MODEL", refine.model, "The sub-model: a name, FILE or FILE:NAME")
      ->required();
  refine_command->add_option("--super", refine.super, "Only this super-model")->option_text("NAME");
  add_places(*refine_command, refine.verify.places);
  add_limits(*refine_command, limits);
  refine_command->add_flag("-v,--verbose", refine.verify.verbose, "Show proved claims too");
  refine_command->add_flag("--no-cache", refine.verify.no_cache,
                           "Ask everything again and keep nothing");
  add_colour(*refine_command, refine.verify.colour);
  refine_command->footer("Example:\n  leto refine refined_seu");

  CacheOptions cache;
  CLI::App* cache_command =
      app.add_subcommand("cache", "Look after the answers that are kept between runs");
  cache_command->add_option("--cache", cache.cache, "Directory of the cache")->option_text("DIR");
  add_limits(*cache_command, limits);
  cache_command->require_subcommand(1);
  CLI::App* cache_stat = cache_command->add_subcommand("stat", "How many answers there are");
  CLI::App* cache_clear = cache_command->add_subcommand("clear", "Forget all of them");
  CLI::App* cache_verify =
      cache_command->add_subcommand("verify", "Ask a sample again and compare");
  cache_verify->add_option("--sample", cache.sample, "How many")
      ->option_text("N")
      ->check(at_least(1));
  cache_command->footer("Examples:\n  leto cache stat\n  leto cache verify --sample 20");

  CoreOptions core;
  CLI::App* core_command = app.add_subcommand("core", "Print the core form of a program");
  core_command->add_option("FILE", core.file, "A program; '-' is the standard input")->required();
  core_command->add_option("-m,--model", core.model, "Model to weave in")->option_text("MODEL");
  add_places(*core_command, core.places);
  add_limits(*core_command, limits);
  core_command->footer("Example:\n  leto core program.leto --model additive_seu");

  FmtOptions fmt;
  CLI::App* fmt_command =
      app.add_subcommand("fmt", "Format programs and models in the house style");
  fmt_command
      ->add_option("FILE", fmt.files, "Files to format in place; '-' filters the standard input")
      ->required();
  fmt_command->add_flag("--check", fmt.check,
                        "Change nothing; exit with 1 if something would change");
  add_limits(*fmt_command, limits);
  add_colour(*fmt_command, fmt.colour);
  fmt_command->footer(
      "Examples:\n"
      "  leto fmt program.leto\n"
      "  leto fmt --check examples/*.leto\n"
      "  leto fmt - < program.leto");

  ExplainOptions explain;
  CLI::App* explain_command =
      app.add_subcommand("explain", "Explain a diagnostic, with a wrong and a right example");
  explain_command->add_option("CODE", explain.code, "Such as L0301");
  explain_command->add_flag("--list", explain.list, "List all codes");
  explain_command->add_flag("--markdown", explain.markdown, "Print the page as Markdown");
  add_colour(*explain_command, explain.colour);
  explain_command->footer("Examples:\n  leto explain L0503\n  leto explain --list");

  ModelsOptions models;
  CLI::App* models_command =
      app.add_subcommand("models", "List the models that can be picked by name");
  add_places(*models_command, models.places);
  add_limits(*models_command, limits);
  models_command->footer(
      "Models are looked for in every --model-path, in the directories of LETO_MODEL_PATH,\n"
      "among those installed with leto and, last, in the program's directory.\n"
      "Example:\n  leto models");

  std::string shell;
  CLI::App* completions_command =
      app.add_subcommand("completions", "Print what a shell needs to complete commands");
  completions_command->add_option("SHELL", shell, "bash, zsh or fish")->required();
  completions_command->footer(
      "Example:\n  leto completions fish > ~/.config/fish/completions/leto.fish");

  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0)  // it was asked for help
      return static_cast<ExitCode>(app.exit(error, streams.out, streams.err));
    streams.err << describe_misuse(app, arguments, error);
    return ExitCode::Usage;
  }
  if (explain_command->parsed()) return command_explain(explain, streams);
  if (completions_command->parsed()) {
    const auto script = completion_script(app, shell);
    if (script) streams.out << *script;
    if (!script)
      streams.err << fmt::format("leto: error: '{}' is none of bash, fish, zsh\n", shell);
    return script ? ExitCode::Fine : ExitCode::Usage;
  }
  limits.may_end_process = streams.may_end_process;
  const Watchdog watchdog(limits);
  try {
    if (check_command->parsed()) return command_check(check, watchdog, streams);
    if (verify_command->parsed()) return command_verify(verify, watchdog, streams);
    if (reliability_command->parsed()) return command_reliability(reliable, watchdog, streams);
    if (stability_command->parsed()) return command_stability(stability, watchdog, streams);
    if (infer_command->parsed()) return command_infer(infer, watchdog, streams);
    if (stats_command->parsed()) return command_stats(stats, watchdog, streams);
    if (run_command->parsed()) return command_run(run, watchdog, streams);
    if (inject_command->parsed()) return command_inject(inject, watchdog, streams);
    if (refine_command->parsed()) return command_refine(refine, watchdog, streams);
    if (cache_command->parsed()) {
      cache.clear = cache_clear->parsed();
      cache.verify = cache_verify->parsed();
      (void)cache_stat;
      return command_cache(cache, watchdog, streams);
    }
    if (core_command->parsed()) return command_core(core, watchdog, streams);
    if (fmt_command->parsed()) return command_fmt(fmt, watchdog, streams);
    return command_models(models, watchdog, streams);
  } catch (const Spent& spent) {
    streams.err << "leto: error: while " << spent.doing << ": " << watchdog.why() << "\n";
    return ExitCode::Undecided;
  }
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

}  // namespace leto::driver

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/emit_injection.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "emit/emit.h"
#include "emit/names.h"
#include "engine/digest.h"
#include "files/files.h"
#include "lower/lower.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/render.h"
#include "workbench/emitting.h"
#include "workbench/emitting_checkers.h"
#include "workbench/obligations.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;
using prove::Status;

namespace {

struct EmitOptions : ProvingOptions {
  std::string file, function, checker, space = "emitted", directory;
  emit::Integers integers = emit::Integers::Int64;
  emit::Reals reals = emit::Reals::Double;
  bool unproved = false, trust_requires = false, sound_only = false;
  std::string inject;  // a model, whose faults are injected
};

// One program, one function or checker, one folder.
class Emission {
 public:
  Emission(const EmitOptions& options, const Watchdog& watchdog, Streams& streams)
      : options_(options),
        watchdog_(watchdog),
        streams_(streams),
        files_(streams.in),
        workspace_(files_, all_places(options.places, streams), &watchdog.allowance()) {}

  ExitCode run() {
    const ExitCode code = emit();
    show_diagnostics(diagnostics_, workspace_.sources(), options_.colour, streams_);
    return code;
  }

 private:
  void complain(const std::string& text) {
    streams_.err << fmt::format("leto: error: {}\n", report::name_on_line(text));
  }

  ExitCode emit() {
    workspace::Program program;
    const std::string model = !options_.inject.empty()  ? options_.inject
                              : options_.models.empty() ? ""
                                                        : options_.models[0];
    const auto checked =
        workspace::load_checked(workspace_, options_.file, model, program, diagnostics_);
    if (!checked) return ExitCode::BadInput;
    if (!options_.checker.empty()) return emit_checker(*checked, program);
    program_ = lower::lower(*checked, workspace_.names());
    request_.function = find_function();
    if (!request_.function.valid()) return ExitCode::BadInput;
    if (!options_.inject.empty())
      return write_injection(program_, request_.function, options_.directory, diagnostics_,
                             streams_);
    fill_request();
    if (!has_free_name()) return ExitCode::BadInput;
    // What cannot be emitted need not be proved.
    const auto emitted = emit::emit(program_, request_, diagnostics_);
    if (!emitted) return ExitCode::BadInput;
    json proof = {{"proved", false}};
    if (!options_.unproved) {
      const ExitCode proved = prove(*checked, proof);
      if (proved != ExitCode::Fine) return proved;
    }
    return write(*emitted, std::move(proof),
                 workbench::make_cases(program_, request_, *emitted, watchdog_.allowance()));
  }

  ExitCode emit_checker(const check::Checked& checked, const workspace::Program& program) {
    std::string known;
    const problem::FoundChecker found =
        workbench::find_checker(workspace_, program, options_.checker, known);
    if (found.item == nullptr) {
      complain(fmt::format("{} has no checker '{}'; it has {}", shown(options_.file),
                           options_.checker, known.empty() ? "none" : known));
      return ExitCode::BadInput;
    }
    const workbench::CheckerSource source{
        workspace_, found, problem::find_problem(checked.trees, found.item->problem.name)};
    program_ = lower::lower(checked, workspace_.names(), Trap::None, nullptr, true);
    request_.function = core::find_function(program_, options_.checker);
    if (problem::can_give_up(found, workspace_.names())) take_run_of_checker();
    fill_request();
    if (!has_free_name()) return ExitCode::BadInput;
    request_.checker = true;
    request_.roles = workbench::roles_of(source);
    auto emitted = emit::emit(program_, request_, diagnostics_);
    if (!emitted) return ExitCode::BadInput;
    json proof = {{"proved", false}};
    bool complete = false;
    if (!options_.unproved) {
      const ExitCode proved = prove(checked, found, proof, complete);
      if (proved != ExitCode::Fine) return proved;
    }
    // What it means is known now.
    request_.notes = workbench::notes_of(source, request_, *emitted, complete);
    emitted = emit::emit(program_, request_, diagnostics_);
    const auto examples =
        workbench::examples_of(source, program_, request_.function, watchdog_.allowance());
    return write(*emitted, std::move(proof),
                 workbench::make_checker_cases(program_, request_, *emitted, examples,
                                               watchdog_.allowance()));
  }

  // Emitted is what stops where it gives up, by the checker's name.
  void take_run_of_checker() {
    const core::FunctionId run = core::find_function(program_, problem::run_name(options_.checker));
    std::swap(program_.functions[run].name, program_.functions[request_.function].name);
    request_.function = run;
  }

  core::FunctionId find_function() {
    core::FunctionId found;
    std::string known;
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i) {
      const core::Function& f = program_.functions[core::FunctionId{i}];
      if (f.external() || f.lemma) continue;
      known += (known.empty() ? "" : ", ") + f.name;
      if (options_.function.empty() || f.name == options_.function) found = core::FunctionId{i};
    }
    if (!found.valid())
      complain(fmt::format("{} has no function '{}'; it has {}", shown(options_.file),
                           options_.function,
                           known.empty() ? "none; '--checker NAME' writes a checker" : known));
    return found;
  }

  void fill_request() {
    request_.integers = options_.integers;
    request_.reals = options_.reals;
    request_.space = options_.space;
    request_.unproved = options_.unproved;
    request_.trust_requires = options_.trust_requires;
    request_.name =
        program_.functions[request_.function].name + (options_.unproved ? "_unproved" : "");
    const std::string path = shown(options_.file);
    request_.source = path.substr(path.rfind('/') + 1);
    request_.version = LETO_VERSION;
  }

  bool has_free_name() {
    if (emit::can_be_name(request_.name)) return true;
    complain(
        fmt::format("'{}' has a meaning of its own in C++, in C or in CMake; give it another name",
                    request_.name));
    return false;
  }

  // Fine only if all that the function may rest on is proved, with nothing taken on trust.
  ExitCode prove(const check::Checked& checked, json& proof) {
    Proving proving(options_, watchdog_, streams_);
    if (proving.no_solver(streams_)) return ExitCode::Undecided;
    const workbench::Verified v =
        workbench::verify(checked, workspace_.names(), proving.settings(options_), proving.crew,
                          proving.cache.get(), {});
    const ExitCode sound = conclude({}, proving, streams_);
    if (v.cost.disagreement || sound == ExitCode::Internal) return ExitCode::Internal;
    const auto unproved = workbench::find_unproved(v, request_.function);
    if (v.relative || !unproved.empty() || proving.allowance.spent()) {
      tell_unproved(unproved);
      for (const prove::Claim* claim : unproved)
        if (claim->status == Status::Refuted || claim->status == Status::Vacuous)
          return ExitCode::DoesNotHold;
      return ExitCode::Undecided;
    }
    proof = {{"proved", true}, {"claims", v.claims.size()}, {"model", v.model}};
    add_footing(checked, proving, proof);
    return ExitCode::Fine;
  }
  void add_footing(const check::Checked& checked, const Proving& proving, json& proof) {
    const workbench::Footing footing = workbench::footing_of(checked, workspace_, proving);
    for (const workbench::Footing::File& one : footing.others) add_file(proof["sources"], one);
    if (footing.model) add_file(proof["sources"], *footing.model);
    for (const engine::SolverBinary& one : proving.solvers)
      proof["solvers"].push_back({{"name", one.command.arguments[0]},
                                  {"version", one.command.version},
                                  {"sha256", one.hash.get()}});
  }

  // The same of a checker, by all that is to be shown of one.
  ExitCode prove(const check::Checked& checked, const problem::FoundChecker& found, json& proof,
                 bool& complete) {
    Proving proving(options_, watchdog_, streams_);
    if (proving.no_solver(streams_)) return ExitCode::Undecided;
    const workbench::CheckerResult result =
        workbench::prove_checker(checked, workspace_, found, proving, {options_, true}, {});
    const ExitCode sound = conclude({}, proving, streams_);
    if (result.verified.cost.disagreement || sound == ExitCode::Internal) return ExitCode::Internal;
    if (result.verified.relative || !result.is_proved_to_decide(!options_.sound_only) ||
        proving.allowance.spent()) {
      tell_unproved(result);
      return result.is_refuted(!options_.sound_only) ? ExitCode::DoesNotHold : ExitCode::Undecided;
    }
    complete = result.is_proved_to_decide(true);
    proof = {{"proved", true},
             {"claims", result.verified.claims.size()},
             {"problem", result.problem},
             {"summary", result.summary()},
             {"complete", complete}};
    for (const workbench::ObligationLine& line : result.lines)
      proof["obligations"].push_back(
          {{"what", line.what}, {"standing", describe(line.standing)}, {"detail", line.detail}});
    if (const workbench::ObligationLine* exists = result.find("exists"); exists != nullptr)
      proof["exists"] = {{"standing", describe(exists->standing)}, {"why", exists->detail}};
    proof["digests"]["obligations"] = engine::digest(core::print(*result.verified.program));
    add_footing(checked, proving, proof);
    return ExitCode::Fine;
  }
  void tell_unproved(const workbench::CheckerResult& result) {
    streams_.err << fmt::format("leto: error: checker '{}' is not emitted: {}\n", result.checker,
                                result.summary());
    for (const workbench::ObligationLine& line : result.lines)
      if (line.standing != workbench::Standing::Proved &&
          line.standing != workbench::Standing::Assumed)
        streams_.err << fmt::format("  {:<10}{}{}\n", line.what, describe(line.standing),
                                    line.detail.empty() ? "" : ": " + line.detail);
    streams_.err << fmt::format(
        "  help: 'leto checker' says why; '--unproved' emits it with all checks in it{}\n",
        !options_.sound_only && result.is_proved(false)
            ? "; '--sound-only' if it may reject what is right"
            : "");
  }

  // By its name alone: where it lies is nobody's business.
  static void add_file(json& list, const workbench::Footing::File& file) {
    list.push_back({{"name", file.path.substr(file.path.rfind('/') + 1)}, {"sha256", file.hash}});
  }

  void tell_unproved(const std::vector<const prove::Claim*>& unproved) {
    const std::string& name = program_.functions[request_.function].name;
    streams_.err << fmt::format(
        "leto: error: '{}' is not emitted: {} of what it rests on {} not "
        "proved\n",
        name, unproved.size(), unproved.size() == 1 ? "is" : "are");
    for (std::size_t i = 0; i < unproved.size() && i < 3; ++i)
      streams_.err << fmt::format("  {}: {}: {}\n", unproved[i]->id.function,
                                  describe(unproved[i]->status), unproved[i]->headline());
    streams_.err << "  help: 'leto verify' says why; '--unproved' emits it with all checks in it\n";
  }

  // What is said of the proof, for machines and auditors.
  json document(const emit::Emitted& emitted, json proof) {
    proof["tool"] = "leto";
    proof["version"] = LETO_VERSION;
    proof[request_.checker ? "checker" : "function"] = program_.functions[request_.function].name;
    proof["source"] = request_.source;
    proof["digests"]["header"] = engine::digest(emitted.header);
    proof["digests"]["core"] = engine::digest(core::print(program_));
    proof["policies"] = {{"int", emit::spelling(request_.integers)}};
    if (emitted.uses_reals) {
      proof["policies"]["real"] = emit::spelling(request_.reals);
      if (request_.reals == emit::Reals::Double)
        proof["limits"].push_back(
            "reals are rounded: nothing is claimed of what is computed from them");
    }
    json assumed = json::array();
    // Where witnesses do not exist, or a lemma that makes them is not proved, only soundness is
    // claimed, which rests on none.
    const std::string exists =
        proof.contains("exists") ? proof["exists"]["standing"].get<std::string>() : "proved";
    if (exists != "proved" && exists != "refuted" && exists != "unknown")
      assumed.push_back(fmt::format("a witness exists ({}: {})",
                                    proof["exists"]["standing"].get<std::string>(),
                                    proof["exists"]["why"].get<std::string>()));
    for (const std::string& one : emitted.trusted) assumed.push_back(one + " (not evaluated)");
    for (const std::string& one : emitted.externals)
      assumed.push_back(fmt::format("the external function '{}' is as it is declared", one));
    proof["assumed"] = std::move(assumed);
    proof["checked_when_it_runs"] = emitted.guarded;
    proof["ends"] =
        (request_.checker || program_.functions[request_.function].ends) && !request_.unproved;
    return proof;
  }

  // Nobody knows what is to come out where a requirement cannot be executed.
  static std::string told_no_cases(const emit::Emitted& emitted) {
    return emitted.trusted.empty()
               ? "no values were found that the interpreter could execute it on"
               : fmt::format("no values were found of which it is known that they meet '{}'",
                             emitted.trusted[0]);
  }

  ExitCode write(const emit::Emitted& emitted, json proof,
                 const std::vector<std::string>& expected) {
    const std::string& n = request_.name;
    const std::string directory = options_.directory.empty() ? n : options_.directory;
    if (const files::Problem problem = files::make_directory(directory); !problem.empty()) {
      complain(fmt::format("cannot make '{}': {}", directory, problem));
      return ExitCode::BadInput;
    }
    const std::string why_none = expected.empty() ? told_no_cases(emitted) : "";
    const emit::Package package = emit::package(request_, emitted, why_none);
    std::vector<std::pair<std::string, std::string>> all = {
        {n + ".hpp", emitted.header},
        {n + ".proof.json", report::to_text(document(emitted, std::move(proof)))},
        {"CMakeLists.txt", package.cmake},
        {n + "Config.cmake", package.config},
        {n + ".pc", package.pkg_config}};
    if (emitted.has_c) {
      all.emplace_back(n + "_capi.h", emitted.c_header);
      all.emplace_back(n + "_capi.cpp", emitted.c_source);
    }
    std::size_t count = 0;
    if (!package.test.empty()) {
      std::string cases;
      for (const std::string& one : expected) {
        cases += "    \"" + one + "\",\n";
        ++count;
      }
      all.emplace_back(n + "_test.cpp", package.test);
      all.emplace_back(n + "_cases.inc", cases);
    }
    for (const auto& [name, text] : all)
      if (const files::Problem problem = files::write(directory + "/" + name, text);
          !problem.empty()) {
        complain(fmt::format("cannot write '{}/{}': {}", directory, name, problem));
        return ExitCode::BadInput;
      }
    streams_.out << fmt::format(
        "{}: {}, {} files in {}, {}\n", n, options_.unproved ? "not proved" : "proved", all.size(),
        report::name_on_line(directory),
        count > 0 || package.test.empty() ? fmt::format("{} test cases", count) : "no test cases");
    if (count == 0 && !package.test.empty())
      streams_.out << fmt::format("  not tested: {}\n", report::name_on_line(why_none));
    if (request_.checker && emitted.uses_reals && request_.reals == emit::Reals::Double)
      streams_.out
          << "  rounded: its verdicts say nothing about exact reals; '--real gmp' is exact\n";
    for (const std::string& one : emitted.trusted)
      streams_.out << fmt::format("  trusted: {}\n", report::name_on_line(one));
    return ExitCode::Fine;
  }

  const EmitOptions& options_;
  const Watchdog& watchdog_;
  Streams& streams_;
  Programs files_;
  workspace::Workspace workspace_;
  DiagnosticList diagnostics_;
  core::Program program_;
  emit::Request request_;
};

ExitCode run_emit(const EmitOptions& options, const Watchdog& watchdog, Streams& streams) {
  if (!has_one_model(options, streams)) return ExitCode::Usage;
  return Emission(options, watchdog, streams).run();
}

// A name of C++, or several with '::' between them.
std::string wrong_namespace(const std::string& text) {
  bool letter_next = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (text.compare(i, 2, "::") == 0 && !letter_next) {
      letter_next = true;
      ++i;
    } else if (letter || (!letter_next && ((c >= '0' && c <= '9') || c == '_'))) {
      letter_next = false;
    } else {
      return "it is no namespace of C++";
    }
  }
  std::string_view rest = text;
  for (std::size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end + 2)) {
    end = rest.find("::");
    if (const std::string_view part = rest.substr(0, end);
        part != "emitted" && !emit::can_be_name(part))
      return fmt::format("'{}' has a meaning of its own in C++ or C", part);
    if (end == std::string_view::npos) break;
  }
  return letter_next ? "it is no namespace of C++" : "";
}

}  // namespace

Command add_emit(const Table& table) {
  const auto options = std::make_shared<EmitOptions>();
  CLI::App& command =
      *table.app.add_subcommand("emit", "Write a proved function or checker as C++");
  command.add_option("FILE", options->file, "A program; '-' is the standard input")->required();
  command
      .add_option("-m,--model", options->models,
                  "Model to prove it under: a name, FILE or FILE:NAME")
      ->option_text("MODEL")
      ->check(names_a_model())
      ->allow_extra_args(false);
  add_places(command, options->places);
  command.add_option("--function", options->function, "Function to emit (default: the last)")
      ->option_text("NAME");
  command.add_option("--checker", options->checker, "Checker to emit, which 'leto checker' proves")
      ->option_text("NAME")
      ->excludes("--function");
  command.add_flag("--sound-only", options->sound_only,
                   "A checker may reject what is right: completeness does not count");
  command.add_option("--int", options->integers, "Integers are int64, int128 or gmp")
      ->transform(one_of({{"int64", static_cast<int>(emit::Integers::Int64)},
                          {"int128", static_cast<int>(emit::Integers::Int128)},
                          {"gmp", static_cast<int>(emit::Integers::Gmp)}}))
      ->option_text("POLICY");
  command.add_option("--real", options->reals, "Reals are double or gmp")
      ->transform(one_of({{"double", static_cast<int>(emit::Reals::Double)},
                          {"gmp", static_cast<int>(emit::Reals::Gmp)}}))
      ->option_text("POLICY");
  command.add_option("--namespace", options->space, "Namespace of the function (default: emitted)")
      ->option_text("NAME")
      ->check(CLI::Validator(wrong_namespace, ""));
  command
      .add_option("-o,--output", options->directory,
                  "Folder to write to (default: the function's name)")
      ->option_text("DIR")
      ->check(no_stream("what is emitted is several files"));
  command
      .add_option("--inject", options->inject,
                  "Emit both runs with the faults of a model, which need not be proved")
      ->option_text("MODEL")
      ->check(names_a_model());
  command.add_flag("--unproved", options->unproved,
                   "Emit what is not proved, with all checks in it and '_unproved' in its name");
  command.add_flag("--trust-requires", options->trust_requires,
                   "Leave out clauses of 'requires' that cannot be executed");
  add_no_infer(command, *options);
  add_engine(command, *options, table.limits);
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto emit program.leto --function sort -o sort\n"
      "  leto emit sorting.leto --checker by_places\n"
      "  leto emit program.leto --int gmp --namespace numbers\n"
      "  leto emit program.leto --inject additive_seu\n"
      "  leto emit program.leto --unproved");
  return watched(command, options, run_emit);
}

}  // namespace leto::driver

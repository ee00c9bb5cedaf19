#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/progress_line.h"
#include "driver/protocol_systems.h"
#include "files/files.h"
#include "process/process.h"
#include "report/escape.h"
#include "report/protocol.h"
#include "report/render.h"
#include "solver/solver.h"
#include "transition/transition.h"

namespace leto::driver {

namespace {

struct ProtocolOptions {
  std::vector<std::string> files;
  std::string claim;        // only this one; empty: all
  std::string certificate;  // where to write it
  std::string check;        // one to check
  std::string horn;         // where to write the claim as Horn clauses
  std::vector<std::string> engines;
  double budget = 120;
  std::uint64_t memory_mb = 9000;
  Format format = Format::Text;
  Colour colour = Colour::Auto;
  // Of systems of Leto's own language.
  std::vector<std::string> models;
  workspace::Places places;
  bool allow_blocking = false;
  bool deadlocks = false;
};

// All files of one command, read as one.
class Protocol {
 public:
  Protocol(const ProtocolOptions& options, const Watchdog& watchdog, Streams& streams)
      : options_(options),
        watchdog_(watchdog),
        streams_(streams),
        progress_(streams, options.format == Format::Text && streams.err_is_terminal) {}

  ExitCode run() {
    if (!read_files()) return ExitCode::BadInput;
    if (!pick_claims()) return ExitCode::Usage;
    if (!options_.horn.empty()) return write_horn();
    if (!solver::can_start("z3")) {
      streams_.err << "leto: error: 'z3' is not in the PATH, and nothing is proved without it\n";
      return ExitCode::Undecided;
    }
    if (!options_.check.empty()) return check_certificate();
    for (const Picked& picked : picked_) {
      if (watchdog_.allowance().spent()) break;
      if (!decide(picked)) return ExitCode::Usage;
    }
    if (options_.format == Format::Json)
      streams_.out << report::protocol_json(decided_, sources_);
    else
      streams_.out << report::protocol_summary(decided_);
    if (watchdog_.allowance().spent()) streams_.err << "leto: " << watchdog_.why() << "\n";
    return exit_code();
  }

 private:
  struct Picked {
    const transition::System* system;
    std::size_t claim;
  };

  bool read_files() {
    DiagnosticList diagnostics;
    std::vector<FileId> files;
    bool all = true;
    for (const std::string& path : options_.files) {
      const bool standard = is_standard_input(path);
      files::Content content =
          standard ? files::read(streams_.in) : files::read(path, files::NamedBy::User);
      if (!content.text) {
        diagnostics.report(
            {DiagnosticKind::CannotRead, {}, {shown(path), content.problem}, {}, {}});
        all = false;
        continue;
      }
      files.push_back(sources_.add(shown(path), std::move(*content.text)));
    }
    if (all) systems_ = transition::read_mcmt(sources_, files, diagnostics);
    const bool fine = diagnostics.errors() == 0;
    show_diagnostics(diagnostics, sources_, options_.colour, streams_);
    return fine;
  }

  bool pick_claims() {
    for (const transition::System& system : systems_)
      for (std::size_t i = 0; i < system.claims.size(); ++i)
        if (options_.claim.empty() || system.claims[i].name == options_.claim)
          picked_.push_back({&system, i});
    // As they stand in the files, whatever systems they are of.
    const auto place = [](const Picked& one) {
      const Span span = one.system->claims[one.claim].span.value_or(Span{});
      return std::pair{span.file.value, span.begin};
    };
    std::stable_sort(picked_.begin(), picked_.end(),
                     [&](const Picked& a, const Picked& b) { return place(a) < place(b); });
    const bool one =
        !options_.certificate.empty() || !options_.check.empty() || !options_.horn.empty();
    if (picked_.empty())
      return say(options_.claim.empty() ? "there is no 'query' in what was read"
                                        : fmt::format("there is no claim '{}'", options_.claim));
    if (one && picked_.size() > 1)
      return say("this is about one claim: say which one with '--claim'");
    for (const std::string* path : {&options_.certificate, &options_.horn})
      if (would_overwrite(*path))
        return say(fmt::format("'{}' would be written over what is read", shown(*path)));
    return true;
  }

  bool say(const std::string& what) const {
    streams_.err << "leto: error: " << what << "\n";
    return false;
  }

  [[nodiscard]] transition::Means means() const {
    transition::Means out;
    out.cpu_seconds = options_.budget;
    out.memory_mb = options_.memory_mb;
    out.engines = options_.engines;
    const std::string beside = streams_.executable_dir + "/leto-engine";
    if (!streams_.executable_dir.empty() && files::exists(beside)) out.engine_program = beside;
    return out;
  }

  bool decide(const Picked& picked) {
    report::DecidedClaim decided{
        picked.system, picked.claim,
        transition::decide(*picked.system, picked.claim, means(), watchdog_.allowance(),
                           [&](const std::string& text) { progress_.show(text); })};
    progress_.show("");
    if (options_.format == Format::Text)
      streams_.out << report::protocol_line(decided, sources_) << trusted(*picked.system)
                   << report::protocol_details(decided) << std::flush;
    const bool written = options_.certificate.empty() || !decided.decision.certificate ||
                         write_certificate(picked, *decided.decision.certificate);
    decided_.push_back(std::move(decided));
    return written;
  }

  [[nodiscard]] static std::string trusted(const transition::System& system) {
    return system.terms->is_true(system.assumed)
               ? ""
               : "  trusted: what 'assume' says; states without it do not exist\n";
  }

  // What is written must not take the place of what was read.
  [[nodiscard]] bool would_overwrite(const std::string& path) const {
    const std::string written = path.empty() ? "" : files::real_path(path);
    return !written.empty() &&
           std::any_of(options_.files.begin(), options_.files.end(),
                       [&](const std::string& file) { return files::real_path(file) == written; });
  }

  [[nodiscard]] bool write_certificate(const Picked& picked,
                                       const transition::Certificate& certificate) const {
    const files::Problem problem =
        files::write(options_.certificate,
                     transition::write_certificate(
                         *picked.system, picked.system->claims[picked.claim], certificate));
    return problem.empty() ||
           say(fmt::format("cannot write '{}': {}", shown(options_.certificate), problem));
  }

  [[nodiscard]] ExitCode write_horn() const {
    const Picked& picked = picked_.at(0);
    const files::Problem problem = files::write(
        options_.horn, transition::write_horn(*picked.system, picked.system->claims[picked.claim]));
    if (problem.empty()) return ExitCode::Fine;
    (void)say(fmt::format("cannot write '{}': {}", shown(options_.horn), problem));
    return ExitCode::Usage;
  }

  ExitCode check_certificate() {
    const Picked& picked = picked_.at(0);
    const transition::Claim& claim = picked.system->claims[picked.claim];
    const std::string name = report::name_on_line(shown(options_.check));
    files::Content content = files::read(options_.check, files::NamedBy::User);
    std::string why = content.problem;
    const auto certificate =
        content.text ? transition::read_certificate(*picked.system, claim, *content.text, why)
                     : std::nullopt;
    if (!certificate) {
      streams_.err << fmt::format("leto: error: '{}' is refused: {}\n", name, why);
      return ExitCode::BadInput;
    }
    const transition::Checked checked = transition::check_certificate(
        *picked.system, claim, *certificate, {options_.budget / 2, options_.memory_mb / 2},
        watchdog_.allowance());
    return tell_checked(checked, name + ": " + claim.name, streams_);
  }

  [[nodiscard]] ExitCode exit_code() const {
    ExitCode out = decided_.size() == picked_.size() ? ExitCode::Fine : ExitCode::Undecided;
    for (const report::DecidedClaim& decided : decided_) {
      const transition::Verdict verdict = decided.decision.verdict;
      if (verdict == transition::Verdict::Contradiction) return ExitCode::Internal;
      if (verdict == transition::Verdict::Invalid || verdict == transition::Verdict::Vacuous)
        out = ExitCode::DoesNotHold;
      if (verdict == transition::Verdict::Unknown && out == ExitCode::Fine)
        out = ExitCode::Undecided;
    }
    return out;
  }

  const ProtocolOptions& options_;
  const Watchdog& watchdog_;
  Streams& streams_;
  ProgressLine progress_;
  SourceStore sources_;
  std::vector<transition::System> systems_;
  std::vector<Picked> picked_;
  std::vector<report::DecidedClaim> decided_;
};

// A file of Leto's own language.
bool is_of_systems(const std::string& path) {
  return path.ends_with(".leto");
}

ExitCode run_systems(const ProtocolOptions& options, const Watchdog& watchdog, Streams& streams) {
  const auto refuse = [&](const char* why) {
    streams.err << "leto: error: " << why << "\n";
    return ExitCode::Usage;
  };
  if (options.files.size() > 1) return refuse("systems are decided file by file: name one");
  SystemsRequest request;
  request.file = options.files[0];
  request.certificate = options.certificate;
  request.check = options.check;
  request.models = options.models;
  request.places = options.places;
  request.claim = options.claim;
  request.means.cpu_seconds = options.budget;
  request.means.memory_mb = options.memory_mb;
  request.means.engines = options.engines;
  const std::string beside = streams.executable_dir + "/leto-engine";
  if (!streams.executable_dir.empty() && files::exists(beside))
    request.means.engine_program = beside;
  request.allow_blocking = options.allow_blocking;
  request.deadlocks = options.deadlocks;
  request.format = options.format;
  request.colour = options.colour;
  return decide_systems(request, watchdog, streams);
}

ExitCode run_protocol(const ProtocolOptions& options, const Watchdog& watchdog, Streams& streams) {
  if (std::any_of(options.files.begin(), options.files.end(), is_of_systems))
    return run_systems(options, watchdog, streams);
  if (!options.models.empty() || options.allow_blocking || options.deadlocks) {
    streams.err << "leto: error: '--model', '--allow-blocking' and '--deadlocks' are for systems, "
                   "in files '*.leto'\n";
    return ExitCode::Usage;
  }
  return Protocol(options, watchdog, streams).run();
}

}  // namespace

Command add_protocol(const Table& table) {
  const auto options = std::make_shared<ProtocolOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "protocol", "Decide what holds in every reachable state of transition systems");
  command
      .add_option("FILE", options->files,
                  "A file of systems, '*.leto', or MCMT files, read as one; '-' is the standard "
                  "input, as MCMT")
      ->required();
  command
      .add_option(
          "-m,--model", options->models,
          "Model of messages for systems: a name, FILE or FILE:NAME, or 'none' for messages "
          "that are exact; can be repeated")
      ->option_text("MODEL")
      ->check(names_a_model())
      ->allow_extra_args(false);
  add_places(command, options->places);
  command.add_flag("--allow-blocking", options->allow_blocking,
                   "Call claims valid though a choice or a message may hide behaviours");
  command.add_flag("--deadlocks", options->deadlocks,
                   "Claim of systems that some step can always be taken");
  command.add_option("--claim", options->claim, "Decide this claim only")->option_text("NAME");
  command
      .add_option("--budget", options->budget,
                  "Processor time for each claim, of all engines together (default: 120)")
      ->option_text("S")
      ->check(CLI::Range(0.1, 1e6));
  command
      .add_option("--memory", options->memory_mb, "Memory for engines and solvers (default: 9000)")
      ->option_text("MB")
      ->check(CLI::Range(100, 1 << 30));
  command.add_option("--engine", options->engines, "Only this engine; can be repeated")
      ->option_text("ENGINE")
      ->check(CLI::IsMember(transition::engine_names()))
      ->allow_extra_args(false);
  command
      .add_option("--certificate", options->certificate,
                  "Write why the claim is valid, as SMT-LIB that any solver can check")
      ->option_text("FILE")
      ->check(no_stream("a certificate is written to a file"));
  command.add_option("--check", options->check, "Check a certificate instead of looking for one")
      ->option_text("FILE")
      ->check(no_stream("a certificate is read from a file"));
  command
      .add_option("--write-horn", options->horn,
                  "Write the claim as Horn clauses for other solvers, and decide nothing")
      ->option_text("FILE")
      ->check(no_stream("the clauses are written to a file"));
  add_limits(command, table.limits);
  add_format(command, options->format, {Format::Text, Format::Json});
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto protocol om1.leto --model one_traitor --model two_silent\n"
      "  leto protocol mutex.mcmt\n"
      "  leto protocol base.mcmt claims.mcmt --budget 30\n"
      "  leto protocol mutex.mcmt --certificate mutex.smt2\n"
      "  leto protocol mutex.mcmt --check mutex.smt2");
  return watched(command, options, run_protocol);
}

}  // namespace leto::driver

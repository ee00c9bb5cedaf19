#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <thread>

#include "driver/commands.h"
#include "driver/render.h"
#include "driver/verification.h"
#include "driver/workspace.h"
#include "lower/lower.h"
#include "prove/cache.h"

namespace leto::driver {

using nlohmann::json;
using prove::Status;

namespace {

// Set by an interrupt; everything that waits for a solver looks at it. The one variable
// that cannot arrive as an argument: a signal handler takes none.
std::atomic<bool> g_interrupted{false};

void on_interrupt(int) {
  g_interrupted.store(true);
}

// Numbers as solvers write them, as people do: (- 3), (/ 1.0 2.0), 2.0.
std::string readable(std::string value) {
  const auto plain = [](std::string text) {
    if (text.ends_with(".0")) text.erase(text.size() - 2);
    return text;
  };
  if (value.starts_with("(- ") && value.ends_with(")"))
    return "-" + readable(value.substr(3, value.size() - 4));
  if (value.starts_with("(/ ") && value.ends_with(")")) {
    const std::string inner = value.substr(3, value.size() - 4);
    const std::size_t space = inner.starts_with("(") ? inner.find(") ") + 1 : inner.find(' ');
    if (space != std::string::npos && space < inner.size())
      return readable(inner.substr(0, space)) + "/" + plain(inner.substr(space + 1));
  }
  return plain(std::move(value));
}

class Report {
 public:
  Report(const VerifyOptions& options, Streams& streams, const SourceStore& sources)
      : options_(options),
        streams_(streams),
        sources_(sources),
        colour_(use_colour(options.colour, streams.out_is_terminal)) {}

  void text(const Verification& v) {
    streams_.out << fmt::format("{} under {}\n", v.file, v.model);
    for (const Claim& claim : v.claims) {
      if (claim.status == Status::Proved && !options_.verbose && !options_.profile) continue;
      line(v, claim);
    }
    std::string counts;
    for (Status status : {Status::Proved, Status::Refuted, Status::Unknown, Status::Vacuous})
      if (const std::size_t n = v.count(status); n > 0 || status == Status::Proved)
        counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, describe(status));
    std::size_t asked = 0, trivial = 0, cached = 0;
    for (const prove::Outcome& outcome : v.outcomes) {
      (outcome.trivial ? trivial : asked) += 1;
      if (outcome.cached) ++cached;
    }
    streams_.out << fmt::format(
        "  {} of {} claims; {} obligations asked, {} plain{}; {:.2f} s\n", counts, v.claims.size(),
        asked, trivial, cached > 0 ? fmt::format(", {} from the cache", cached) : "", v.seconds);
    if (!options_.check_original) {
      const vcgen::Trusted& t = v.trusted;
      if (t.assertions + t.checks + t.invariants > 0)
        streams_.out << fmt::format(
            "  trusted of the original run: {} assertions, {} checks (bounds, division, sizes), {} "
            "invariants and "
            "contracts; --check-original proves them\n",
            t.assertions, t.checks, t.invariants);
    }
  }

  json machine(const Verification& v) {
    json claims = json::array();
    for (const Claim& claim : v.claims) {
      const Position at = position(claim.span);
      json entry = {{"kind", vcgen::name(claim.kind)},
                    {"function", claim.function},
                    {"claim", claim.text},
                    {"file", file(claim.span)},
                    {"line", at.line},
                    {"column", at.column},
                    {"status", describe(claim.status)},
                    {"obligations", claim.obligations.size()},
                    {"seconds", claim.seconds},
                    {"resource", claim.resource}};
      const vcgen::Obligation& o = v.obligations[claim.worst];
      const prove::Outcome& outcome = v.outcomes[claim.worst];
      if (claim.status != Status::Proved) {
        entry["situation"] = o.situation;
        if (outcome.reason != solver::Reason::None)
          entry["reason"] = solver::describe(outcome.reason);
        json values = json::object();
        for (const auto& [name, value] : outcome.values) values[name] = readable(value);
        if (!values.empty()) entry["values"] = std::move(values);
      }
      claims.push_back(std::move(entry));
    }
    return {{"file", v.file},
            {"model", v.model},
            {"status", describe(v.status())},
            {"claims", std::move(claims)},
            {"obligations", v.obligations.size()},
            {"seconds", v.seconds},
            {"trusted",
             {{"assertions", v.trusted.assertions},
              {"checks", v.trusted.checks},
              {"invariants", v.trusted.invariants}}}};
  }

  // One result per claim that is not proved.
  json sarif(const std::vector<Verification>& all) {
    json results = json::array();
    for (const Verification& v : all)
      for (const Claim& claim : v.claims) {
        if (claim.status == Status::Proved) continue;
        const vcgen::Obligation& o = v.obligations[claim.worst];
        std::string text =
            fmt::format("{}: {} (under {})", describe(claim.status), claim.text, v.model);
        if (!o.situation.empty()) text += "; " + o.situation;
        json result = {{"ruleId", vcgen::name(claim.kind)},
                       {"level", claim.status == Status::Unknown ? "warning" : "error"},
                       {"message", {{"text", text}}}};
        if (claim.span.file.valid()) {
          const Position at = position(claim.span);
          result["locations"] =
              json::array({{{"physicalLocation",
                             {{"artifactLocation", {{"uri", file(claim.span)}}},
                              {"region", {{"startLine", at.line}, {"startColumn", at.column}}}}}}});
        }
        results.push_back(std::move(result));
      }
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs",
             json::array({{{"tool", {{"driver", {{"name", "leto"}, {"version", LETO_VERSION}}}}},
                           {"columnKind", "unicodeCodePoints"},
                           {"results", std::move(results)}}})}};
  }

  // One test case per claim: refuted and vacuous ones fail, unknown ones are errors.
  std::string junit(const std::vector<Verification>& all) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const Verification& v : all) {
      out += fmt::format(
          "  <testsuite name=\"{} under {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
          "time=\"{:.3f}\">\n",
          xml(v.file), xml(v.model), v.claims.size(),
          v.count(Status::Refuted) + v.count(Status::Vacuous), v.count(Status::Unknown), v.seconds);
      for (const Claim& claim : v.claims) {
        const Position at = position(claim.span);
        out += fmt::format("    <testcase classname=\"{}\" name=\"{}:{}: {}\" time=\"{:.3f}\"",
                           xml(claim.function), at.line, at.column, xml(claim.text), claim.seconds);
        if (claim.status == Status::Proved) {
          out += "/>\n";
          continue;
        }
        const char* tag = claim.status == Status::Unknown ? "error" : "failure";
        out += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", tag,
                           describe(claim.status), xml(v.obligations[claim.worst].situation));
      }
      out += "  </testsuite>\n";
    }
    return out + "</testsuites>\n";
  }

 private:
  static std::string xml(std::string_view text) {
    std::string out;
    for (char c : text) {
      switch (c) {
        case '<':
          out += "&lt;";
          break;
        case '>':
          out += "&gt;";
          break;
        case '&':
          out += "&amp;";
          break;
        case '"':
          out += "&quot;";
          break;
        default:
          out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
      }
    }
    return out;
  }
  [[nodiscard]] Position position(const Span& span) const {
    return span.file.valid() ? sources_[span.file].position(span.begin) : Position{};
  }
  [[nodiscard]] std::string file(const Span& span) const {
    return span.file.valid() ? sources_[span.file].path() : "";
  }
  [[nodiscard]] std::string paint(Status status) const {
    const std::string word = fmt::format("{:<8}", describe(status));
    if (!colour_) return word;
    const char* code = status == Status::Proved    ? "1;32"
                       : status == Status::Refuted ? "1;31"
                                                   : "1;33";
    return fmt::format("\033[{}m{}\033[0m", code, word);
  }

  void line(const Verification& v, const Claim& claim) {
    const Position at = position(claim.span);
    std::string cost;
    if (options_.profile)
      cost = fmt::format("  [{:.3f} s, resource {}]", claim.seconds, claim.resource);
    streams_.out << fmt::format("  {} {}:{}:{}: {}{}\n", paint(claim.status), file(claim.span),
                                at.line, at.column, claim.text, cost);
    if (claim.status == Status::Proved) return;
    const vcgen::Obligation& o = v.obligations[claim.worst];
    const prove::Outcome& outcome = v.outcomes[claim.worst];
    if (claim.span.file.valid()) {
      const std::string_view source = sources_[claim.span.file].line_text(at.line);
      streams_.out << fmt::format(
          "           {}\n",
          source.substr(std::min(source.size(), source.find_first_not_of(" \t"))));
    }
    if (!o.situation.empty()) streams_.out << fmt::format("           {}\n", o.situation);
    switch (claim.status) {
      case Status::Refuted:
        if (!outcome.values.empty()) {
          std::string shown;
          for (const auto& [name, value] : outcome.values)
            shown += fmt::format("{}{} = {}", shown.empty() ? "" : ", ", name, readable(value));
          streams_.out << fmt::format("           a state that the hypotheses allow: {}\n", shown);
        }
        streams_.out << "           either the program is wrong under this model, or an invariant "
                        "is too weak to "
                        "exclude this state\n";
        break;
      case Status::Unknown:
        streams_.out << fmt::format("           {}{}{}\n", solver::describe(outcome.reason),
                                    outcome.detail.empty() ? "" : ": ",
                                    outcome.detail.substr(0, outcome.detail.find('\n')));
        streams_.out << "           this is not a proof and not a counterexample; try --time, "
                        "--resource or --solver\n";
        break;
      case Status::Vacuous:
        streams_.out
            << "           it holds only because what is assumed before it contradicts itself\n";
        break;
      case Status::Proved:
        break;
    }
  }

  const VerifyOptions& options_;
  Streams& streams_;
  const SourceStore& sources_;
  bool colour_;
};

// The solvers of a worker, by what was asked for.
prove::Solvers solvers_of(const VerifyOptions& options) {
  solver::Limits limits;
  limits.seconds = options.seconds;
  limits.resource = options.resource;
  limits.memory_mb = options.memory_mb;
  limits.seed = options.seed;
  const auto maker = [choice = options.solver](solver::Limits with) {
    return [with, choice]() -> std::unique_ptr<solver::Solver> {
      const auto z3 = [&] {
        return solver::make_process_solver(solver::z3_command(), with, g_interrupted);
      };
      const auto cvc5 = [&] {
        return solver::make_process_solver(solver::cvc5_command(with), with, g_interrupted);
      };
      switch (choice) {
        case SolverChoice::Z3:
          return z3();
        case SolverChoice::Cvc5:
          return cvc5();
        case SolverChoice::Both:
          return solver::make_cross_check(z3(), cvc5());
      }
      return nullptr;
    };
  };
  solver::Limits small = limits;
  small.resource = std::min<std::uint64_t>(limits.resource, 500'000);
  small.seconds = std::min(limits.seconds, 2.0);
  return {maker(limits), maker(small)};
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

std::unique_ptr<prove::FileCache> cache_of(const VerifyOptions& options, Streams& streams) {
  if (options.no_cache) return nullptr;
  const std::string directory =
      options.cache.empty() ? prove::default_cache_directory() : options.cache;
  std::string problem = "there is no place for it";
  std::unique_ptr<prove::FileCache> cache;
  if (!directory.empty()) cache = prove::open_cache(directory, problem);
  if (!cache) streams.err << fmt::format("leto: warning: the cache is not used: {}\n", problem);
  return cache;
}

// The super-model of that name.
check::ModelId super_called(const check::Checked& checked, const std::string& name,
                            const NameTable& names) {
  if (checked.model.valid())
    for (check::ModelId super : checked.models[checked.model].supers)
      if (names.text(checked.models[super].name) == name) return super;
  return {};
}

// A super-model of the picked model under which the program has been proved; empty if there is
// none.
std::string follows(const check::Checked& checked, const std::string& path,
                    const std::map<std::string, std::set<std::string>>& proved_under,
                    const NameTable& names) {
  const auto it = proved_under.find(path);
  if (it == proved_under.end() || !checked.model.valid()) return {};
  for (check::ModelId super : checked.models[checked.model].supers)
    if (const std::string name(names.text(checked.models[super].name)); it->second.contains(name))
      return name;
  return {};
}

// Programs by models.
void matrix(const std::map<std::string, std::map<std::string, std::string>>& table,
            Streams& streams) {
  std::size_t width = 0;
  for (const auto& [path, row] : table)
    for (const auto& [model, status] : row) width = std::max(width, model.size());
  streams.out << "\n";
  for (const auto& [path, row] : table) {
    streams.out << path << "\n";
    for (const auto& [model, status] : row)
      streams.out << fmt::format("  {:<{}}  {}\n", model, width, status);
  }
}

ExitCode exit_code(const std::vector<Verification>& all, Streams& streams) {
  if (g_interrupted.load()) {
    streams.err << "leto: interrupted; what was not answered by then is unknown\n";
    return ExitCode::Undecided;
  }
  bool refuted = false, unknown = false;
  for (const Verification& v : all) {
    for (const prove::Outcome& outcome : v.outcomes)
      if (outcome.reason == solver::Reason::Disagreement) {
        streams.err << "leto: ENGINE ERROR: the solvers contradict one another on an obligation; "
                       "nothing here can be trusted until that is understood\n";
        return ExitCode::Internal;
      }
    refuted = refuted || v.count(Status::Refuted) + v.count(Status::Vacuous) > 0;
    unknown = unknown || v.count(Status::Unknown) > 0;
  }
  return refuted ? ExitCode::DoesNotHold : unknown ? ExitCode::Undecided : ExitCode::Fine;
}

}  // namespace

ExitCode command_cache(const CacheOptions& options, Streams& streams) {
  const std::string directory =
      options.cache.empty() ? prove::default_cache_directory() : options.cache;
  std::string problem = "there is no place for it";
  const std::unique_ptr<prove::FileCache> cache =
      directory.empty() ? nullptr : prove::open_cache(directory, problem);
  if (!cache) {
    streams.err << fmt::format("leto: error: the cache cannot be opened: {}\n", problem);
    return ExitCode::BadInput;
  }
  if (options.clear) {
    cache->clear();
    streams.out << "the cache is empty\n";
    return ExitCode::Fine;
  }
  if (options.verify) {
    solver::Limits limits;
    const auto solver = solver::make_process_solver(solver::z3_command(), limits, g_interrupted);
    std::size_t same = 0, open = 0, wrong = 0;
    for (const prove::FileCache::Entry& entry : cache->sample(options.sample)) {
      const solver::Answer answer = solver->solve({entry.question, {}});
      if (answer.verdict == solver::Verdict::Unknown)
        ++open;
      else
        (answer.verdict == entry.verdict ? same : wrong) += 1;
    }
    streams.out << fmt::format("{} asked again: {} the same, {} undecided, {} different\n",
                               same + open + wrong, same, open, wrong);
    if (wrong > 0) {
      streams.err << "leto: ENGINE ERROR: an answer in the cache is not the solver's; 'leto cache "
                     "clear' forgets "
                     "them all\n";
      return ExitCode::DoesNotHold;
    }
    return ExitCode::Fine;
  }
  const prove::CacheStatistics s = cache->statistics();
  streams.out << fmt::format("{}: {} answers ({} proved, {} refuted, {} damaged), {} bytes\n",
                             directory, s.entries, s.proved, s.refuted, s.damaged, s.bytes);
  return ExitCode::Fine;
}

ExitCode command_core(const CoreOptions& options, Streams& streams) {
  RealFileSystem files;
  Workspace workspace(files, full_model_path(options.model_path, streams));
  DiagnosticList diagnostics;
  Program program = workspace.load(options.file, diagnostics);
  if (!program.trees.empty()) {
    const PickedModel picked = workspace.pick_model(program, options.model, diagnostics);
    const check::Checked checked =
        check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
    if (diagnostics.errors() == 0)
      streams.out << core::print(lower::lower(checked, workspace.names()));
  }
  diagnostics.sort_and_unique();
  streams.err << render_text(diagnostics, workspace.sources(), {streams.err_is_terminal, 100});
  return diagnostics.errors() == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

ExitCode command_verify(const VerifyOptions& options, Streams& streams) {
  RealFileSystem files;
  Workspace workspace(files, full_model_path(options.model_path, streams));
  DiagnosticList diagnostics;
  const unsigned workers =
      options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  const prove::Solvers solvers = solvers_of(options);

  catch_interrupts();
  const std::unique_ptr<prove::FileCache> cache = cache_of(options, streams);

  std::vector<Verification> all;
  std::map<std::string, std::map<std::string, std::string>> table;  // by program and model
  std::map<std::string, std::set<std::string>> proved_under;
  std::map<std::string, bool> refinements;
  Report report(options, streams, workspace.sources());
  for (const std::string& path : options.files) {
    const Program loaded = workspace.load(path, diagnostics);
    if (loaded.trees.empty()) continue;
    std::vector<std::string> wanted = options.models;
    if (options.all_models)
      for (const Workspace::Listed& listed : workspace.list_models()) wanted.push_back(listed.name);
    if (wanted.empty()) wanted.emplace_back();
    for (const std::string& model : wanted) {
      if (g_interrupted.load()) break;
      Program program = loaded;
      // Among all models there will be some that lack what the program mentions.
      DiagnosticList own;
      DiagnosticList& told = options.all_models ? own : diagnostics;
      const std::size_t before = told.errors();
      const PickedModel picked = workspace.pick_model(program, model, told);
      const check::Checked checked =
          check::check(program.trees, {picked.name, picked.bad}, workspace.names(), told);
      if (told.errors() != before) {
        table[path][model.empty() ? "default" : model] =
            options.all_models ? "does not fit: " + own.all()[0].message() : "has errors";
        continue;
      }
      // What was proved under a super-model holds here, if the refinement does.
      if (const std::string from = follows(checked, path, proved_under, workspace.names());
          !from.empty()) {
        const std::string sub(workspace.names().text(picked.name));
        const std::string key = sub + " refines " + from;
        if (!refinements.contains(key)) {
          Verification r = verify_refinement(checked, workspace.names(),
                                             super_called(checked, from, workspace.names()),
                                             {false, workers, ""}, solvers, cache.get());
          refinements[key] = r.status() == Status::Proved;
        }
        if (refinements[key]) {
          proved_under[path].insert(sub);
          table[path][sub] = "follows from " + from;
          if (options.format == Format::Text)
            streams.out << fmt::format(
                "{} under {}\n  follows: proved under {}, which {} refines\n", path, sub, from,
                sub);
          continue;
        }
      }
      std::size_t done = 0;
      const bool live = streams.err_is_terminal && options.format == Format::Text;
      Verification v =
          verify(checked, workspace.names(), {options.check_original, workers, options.dump},
                 solvers, cache.get(), [&](const vcgen::Obligation& o, std::size_t total) {
                   ++done;
                   if (live)
                     streams.err << fmt::format("\r\033[K  {}/{}  {}: {}", done, total, o.function,
                                                o.claim)
                                 << std::flush;
                 });
      if (live) streams.err << "\r\033[K" << std::flush;
      v.file = path;
      if (v.status() == Status::Proved) proved_under[path].insert(v.model);
      table[path][v.model] = describe(v.status());
      if (options.format == Format::Text) report.text(v);
      all.push_back(std::move(v));
    }
  }
  if (options.format == Format::Text && (options.models.size() > 1 || options.all_models))
    matrix(table, streams);
  diagnostics.sort_and_unique();
  if (options.format == Format::Text)
    streams.err << render_text(diagnostics, workspace.sources(),
                               {use_colour(options.colour, streams.err_is_terminal), 100});
  if (options.format == Format::Sarif)
    streams.out << report.sarif(all).dump(2, ' ', false, json::error_handler_t::replace) << "\n";
  if (options.format == Format::Junit) streams.out << report.junit(all);
  if (options.format == Format::Json) {
    json list = json::array();
    for (const Verification& v : all) list.push_back(report.machine(v));
    streams.out << json{{"tool", "leto"},
                        {"version", LETO_VERSION},
                        {"verifications", std::move(list)}}
                       .dump(2, ' ', false, json::error_handler_t::replace)
                << "\n";
  }
  if (diagnostics.errors() > 0) return ExitCode::BadInput;
  return exit_code(all, streams);
}

ExitCode command_refine(const RefineOptions& options, Streams& streams) {
  RealFileSystem files;
  Workspace workspace(files, full_model_path(options.verify.model_path, streams));
  DiagnosticList diagnostics;
  Program program = workspace.load_text("<none>", "", diagnostics);
  const PickedModel picked = workspace.pick_model(program, options.model, diagnostics);
  const check::Checked checked =
      check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
  diagnostics.sort_and_unique();
  streams.err << render_text(diagnostics, workspace.sources(),
                             {use_colour(options.verify.colour, streams.err_is_terminal), 100});
  if (diagnostics.errors() > 0 || !checked.model.valid()) return ExitCode::BadInput;
  catch_interrupts();
  const prove::Solvers solvers = solvers_of(options.verify);
  const std::unique_ptr<prove::FileCache> cache = cache_of(options.verify, streams);
  Report report(options.verify, streams, workspace.sources());
  std::vector<Verification> all;
  for (check::ModelId super : checked.models[checked.model].supers) {
    const std::string name(workspace.names().text(checked.models[super].name));
    if (!options.super.empty() && options.super != name) continue;
    Verification v = verify_refinement(
        checked, workspace.names(), super,
        {false, std::max(1u, std::thread::hardware_concurrency()), ""}, solvers, cache.get());
    v.file = fmt::format("{} refines {}", v.model, name);
    report.text(v);
    all.push_back(std::move(v));
  }
  if (all.empty()) {
    streams.err << fmt::format(
        "leto: error: '{}' refines no {}\n", options.model,
        options.super.empty() ? "model" : fmt::format("model '{}'", options.super));
    return ExitCode::Usage;
  }
  return exit_code(all, streams);
}

}  // namespace leto::driver

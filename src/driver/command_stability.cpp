#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/place.h"
#include "report/screen.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;
using prove::Status;

namespace {

struct StabilityOptions : ProvingOptions {
  unsigned seeds = 10;
};

// One claim over all seeds.
struct Spread {
  std::vector<Status> statuses;
  std::vector<std::uint64_t> resources;

  [[nodiscard]] bool flips() const {
    return std::any_of(statuses.begin(), statuses.end(),
                       [&](Status s) { return s != statuses[0]; });
  }
  [[nodiscard]] bool always(Status status) const {
    return std::all_of(statuses.begin(), statuses.end(), [&](Status s) { return s == status; });
  }
  [[nodiscard]] bool ever(Status status) const {
    return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
  }
  [[nodiscard]] std::uint64_t quantile(double q) const {
    std::vector<std::uint64_t> sorted = resources;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(
        std::lround(q * static_cast<double>(sorted.size() - 1)))];
  }
  // It costs now little and now much, or comes close to the limit.
  [[nodiscard]] bool brittle(std::uint64_t limit) const {
    const std::uint64_t most = quantile(1), middle = quantile(0.5);
    if (!ever(Status::Proved)) return false;
    return flips() || most > limit / 2 || (most > limit / 20 && most > 10 * middle);
  }
  [[nodiscard]] std::string counts() const {
    std::string out;
    for (Status status : {Status::Proved, Status::Refuted, Status::Unknown, Status::Vacuous}) {
      const auto n = std::count(statuses.begin(), statuses.end(), status);
      if (n > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, describe(status));
    }
    return out;
  }
};

// One program over all seeds.
struct Spreads {
  std::string under;  // the model
  std::vector<prove::Claim> claims;
  std::vector<Spread> of;  // by claim

  void add(const workbench::Verified& v) {
    under = v.model;
    if (!std::exchange(begun_, true)) take_claims(v);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto same = std::find_if(v.claims.begin(), v.claims.end(),
                                     [&](const prove::Claim& c) { return c.id == claims[i].id; });
      std::uint64_t hardest = 0;
      if (same != v.claims.end())
        for (std::size_t o : same->obligations) hardest = std::max(hardest, v.outcomes[o].hardest);
      of[i].statuses.push_back(same == v.claims.end() ? Status::Unknown : same->status);
      of[i].resources.push_back(hardest);
    }
  }

 private:
  // With other invariants there are other obligations, but the program's claims stay.
  void take_claims(const workbench::Verified& v) {
    std::copy_if(v.claims.begin(), v.claims.end(), std::back_inserter(claims),
                 [](const prove::Claim& c) { return !core::is_inferred(c.id.kind); });
    of.resize(claims.size());
  }

  bool begun_ = false;
};

// How many claims are what.
struct Totals {
  Totals(const Spreads& spreads, std::uint64_t limit) : all(spreads.claims.size()) {
    for (const Spread& s : spreads.of) {
      flips += s.flips() ? 1 : 0;
      brittle += s.brittle(limit) ? 1 : 0;
      proved += s.always(Status::Proved) ? 1 : 0;
      open += s.ever(Status::Unknown) ? 1 : 0;
      hardest = std::max(hardest, s.quantile(1));
    }
  }

  std::size_t all, flips = 0, brittle = 0, proved = 0, open = 0;
  std::uint64_t hardest = 0;
};

// All programs of one command, each with all seeds.
class Shaker {
 public:
  Shaker(const StabilityOptions& options, const Watchdog& watchdog, Streams& streams)
      : options_(options),
        watchdog_(watchdog),
        streams_(streams),
        files_(streams.in),
        workspace_(files_, all_places(options.places, streams), &watchdog.allowance()) {}

  ExitCode run() {
    if (!has_one_model(options_, streams_)) return ExitCode::Usage;
    const std::string model = options_.models.empty() ? "" : options_.models[0];
    for (const std::string& path : options_.files) {
      workspace::Program program;
      const auto checked = workspace::load_checked(workspace_, path, model, program, diagnostics_);
      if (!checked) continue;
      if (Proving(options_, watchdog_, streams_).no_solver(streams_)) return ExitCode::Undecided;
      const Spreads spreads = shake(*checked);
      if (watchdog_.allowance().spent()) {  // the time is for all seeds
        streams_.err << fmt::format("leto: {}\n", watchdog_.why());
        return ExitCode::Undecided;
      }
      judge(path, spreads);
    }
    if (!text())
      streams_.out << report::to_text({{"tool", "leto"}, {"programs", std::move(list_)}});
    show_diagnostics(diagnostics_, workspace_.sources(), options_.colour, streams_);
    return diagnostics_.errors() > 0 ? ExitCode::BadInput : worst_;
  }

 private:
  [[nodiscard]] bool text() const { return options_.format == Format::Text; }

  Spreads shake(const check::Checked& checked) {
    Spreads spreads;
    const bool live = text() && streams_.err_is_terminal;
    for (unsigned seed = 0; seed < options_.seeds && !watchdog_.allowance().spent(); ++seed) {
      StabilityOptions own = options_;
      own.seed = options_.seed + seed;
      own.no_cache = true;
      Proving proving(own, watchdog_, streams_);
      prove::VerifySettings settings = proving.settings(own);
      settings.salt = seed;
      spreads.add(
          workbench::verify(checked, workspace_.names(), settings, proving.crew, nullptr, {}));
      if (live)
        streams_.err << fmt::format("{}  {} of {} seeds", report::erased_line(), seed + 1,
                                    options_.seeds)
                     << std::flush;
    }
    if (live) streams_.err << report::erased_line() << std::flush;
    return spreads;
  }

  void judge(const std::string& path, const Spreads& spreads) {
    const Totals totals(spreads, options_.resource);
    if (text()) {
      streams_.out << fmt::format("{} under {}, {} seeds, symbols renamed, facts shuffled\n",
                                  report::name_on_line(shown(path)), spreads.under, options_.seeds);
      for (std::size_t i = 0; i < spreads.claims.size(); ++i)
        show(spreads.claims[i].id, spreads.of[i]);
      show(totals);
    }
    list_.push_back(machine(path, spreads, totals));
    if (totals.open > 0) worst_ = std::max(worst_, ExitCode::Undecided);
    if (totals.flips > 0 || (totals.proved < totals.all && totals.open == 0))
      worst_ = ExitCode::DoesNotHold;
  }

  void show(const core::ClaimId& claim, const Spread& s) {
    const bool weak = s.brittle(options_.resource);
    if (!weak && !options_.verbose) return;
    streams_.out << fmt::format(
        "  {:<8} {}: {}: {}; resource of the hardest question {} to {}, mostly {}\n",
        s.flips() ? "FLIPS"
        : weak    ? "brittle"
                  : "stable",
        report::place(workspace_.sources(), claim.at), core::claimed(claim), s.counts(),
        s.quantile(0), s.quantile(1), s.quantile(0.5));
  }

  void show(const Totals& t) {
    streams_.out << fmt::format(
        "  {} claims: {} proved with every seed, {} brittle, {} flip, {} proved with none; "
        "hardest "
        "question {} of {} ({:.1f} %)\n",
        t.all, t.proved, t.brittle, t.flips, t.all - t.proved - t.flips, t.hardest,
        options_.resource,
        100.0 * static_cast<double>(t.hardest) / static_cast<double>(options_.resource));
    if (t.flips > 0)
      streams_.out << "  A claim that flips is proved or not by luck: assert what it rests on in "
                      "smaller steps, or state an invariant that is inferred (leto infer).\n";
    else if (t.brittle > 0)
      streams_.out << "  A brittle claim is proved, but a small change may cost the proof.\n";
    if (t.proved + t.flips < t.all)
      streams_.out << "  Why a claim is not proved is what 'leto verify' says.\n";
  }

  json machine(const std::string& path, const Spreads& spreads, const Totals& totals) const {
    json entries = json::array();
    for (std::size_t i = 0; i < spreads.claims.size(); ++i) {
      const Spread& s = spreads.of[i];
      const core::ClaimId& claim = spreads.claims[i].id;
      entries.push_back(
          {{"place", report::place(workspace_.sources(), claim.at)},
           {"claim", core::claimed(claim)},
           {"flips", s.flips()},
           {"brittle", s.brittle(options_.resource)},
           {"statuses", s.counts()},
           {"resource",
            {{"least", s.quantile(0)}, {"median", s.quantile(0.5)}, {"most", s.quantile(1)}}}});
    }
    return {{"file", shown(path)},         {"model", spreads.under},    {"seeds", options_.seeds},
            {"flips", totals.flips},       {"brittle", totals.brittle}, {"hardest", totals.hardest},
            {"claims", std::move(entries)}};
  }

  const StabilityOptions& options_;
  const Watchdog& watchdog_;
  Streams& streams_;
  Programs files_;
  workspace::Workspace workspace_;
  DiagnosticList diagnostics_;
  json list_ = json::array();
  ExitCode worst_ = ExitCode::Fine;
};

ExitCode run_stability(const StabilityOptions& options, const Watchdog& watchdog,
                       Streams& streams) {
  return Shaker(options, watchdog, streams).run();
}

}  // namespace

Command add_stability(const Table& table) {
  const auto options = std::make_shared<StabilityOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "stability", "Prove everything again with other seeds and names of the solver's symbols");
  add_programs(command, *options);
  command.add_option("--seeds", options->seeds, "How many (default: 10)")
      ->option_text("N")
      ->check(CLI::Range(1, 1000));
  add_no_infer(command, *options);
  add_engine(command, *options, table.limits);
  command.add_flag("-v,--verbose", options->verbose,
                   "Show all claims, not only those that are brittle");
  add_format(command, options->format, {Format::Text, Format::Json});
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto stability program.leto\n"
      "  leto stability program.leto --seeds 50 --format json");
  return watched(command, options, run_stability);
}

}  // namespace leto::driver

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/interrupt.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/place.h"
#include "report/screen.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;
using prove::Status;

namespace {

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
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5)];
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

}  // namespace

ExitCode command_stability(const StabilityOptions& options, const Watchdog& watchdog,
                           Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.verify.places, streams),
                                 &watchdog.allowance());
  DiagnosticList diagnostics;
  if (!has_one_model(options.verify, streams)) return ExitCode::Usage;
  const std::string model = options.verify.models.empty() ? "" : options.verify.models[0];
  const bool text = options.verify.format == Format::Text;
  json list = json::array();
  ExitCode worst = ExitCode::Fine;
  for (const std::string& path : options.verify.files) {
    workspace::Program program;
    const auto checked = workspace::load_checked(workspace, path, model, program, diagnostics);
    if (!checked) continue;

    if (Proving(options.verify, watchdog, streams).no_solver(streams)) return ExitCode::Undecided;
    std::vector<Spread> spreads;
    std::vector<prove::Claim> claims;
    std::string under;
    for (unsigned seed = 0; seed < options.seeds && !watchdog.allowance().spent(); ++seed) {
      VerifyOptions own = options.verify;
      own.seed = options.verify.seed + seed;
      own.no_cache = true;
      Proving proving(own, watchdog, streams);
      prove::VerifySettings settings = proving.settings(own);
      settings.salt = seed;
      const workbench::Verified v =
          workbench::verify(*checked, workspace.names(), settings, proving.crew, nullptr, {});
      under = v.model;
      if (seed == 0) {
        // With other invariants there are other obligations, but the program's claims stay.
        std::copy_if(v.claims.begin(), v.claims.end(), std::back_inserter(claims),
                     [](const prove::Claim& c) { return !core::is_inferred(c.id.kind); });
        spreads.resize(claims.size());
      }
      for (std::size_t i = 0; i < claims.size(); ++i) {
        const auto same = std::find_if(v.claims.begin(), v.claims.end(),
                                       [&](const prove::Claim& c) { return c.id == claims[i].id; });
        std::uint64_t hardest = 0;
        if (same != v.claims.end())
          for (std::size_t o : same->obligations)
            hardest = std::max(hardest, v.outcomes[o].hardest);
        spreads[i].statuses.push_back(same == v.claims.end() ? Status::Unknown : same->status);
        spreads[i].resources.push_back(hardest);
      }
      if (text && streams.err_is_terminal)
        streams.err << fmt::format("{}  {} of {} seeds", report::erased_line(), seed + 1,
                                   options.seeds)
                    << std::flush;
    }
    if (text && streams.err_is_terminal) streams.err << report::erased_line() << std::flush;
    // The time is for all seeds.
    if (watchdog.allowance().spent()) {
      streams.err << fmt::format("leto: {}\n", watchdog.why());
      return ExitCode::Undecided;
    }

    std::size_t flips = 0, brittle = 0, proved = 0, open = 0;
    std::uint64_t hardest = 0;
    json entries = json::array();
    if (text)
      streams.out << fmt::format("{} under {}, {} seeds, symbols renamed, facts shuffled\n",
                                 report::name_on_line(path), under, options.seeds);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const Spread& s = spreads[i];
      const bool weak = s.brittle(options.verify.resource);
      flips += s.flips() ? 1 : 0;
      brittle += weak ? 1 : 0;
      proved += s.always(Status::Proved) ? 1 : 0;
      open += s.ever(Status::Unknown) ? 1 : 0;
      hardest = std::max(hardest, s.quantile(1));
      if (text && (weak || options.verify.verbose))
        streams.out << fmt::format(
            "  {:<8} {}: {}: {}; resource of the hardest question {} to {}, mostly {}\n",
            s.flips() ? "FLIPS"
            : weak    ? "brittle"
                      : "stable",
            report::place(workspace.sources(), claims[i].id.at), core::claimed(claims[i].id),
            s.counts(), s.quantile(0), s.quantile(1), s.quantile(0.5));
      entries.push_back(
          {{"place", report::place(workspace.sources(), claims[i].id.at)},
           {"claim", core::claimed(claims[i].id)},
           {"flips", s.flips()},
           {"brittle", weak},
           {"statuses", s.counts()},
           {"resource",
            {{"least", s.quantile(0)}, {"median", s.quantile(0.5)}, {"most", s.quantile(1)}}}});
    }
    if (text) {
      streams.out << fmt::format(
          "  {} claims: {} proved with every seed, {} brittle, {} flip, {} proved with none; "
          "hardest "
          "question {} of {} ({:.1f} %)\n",
          claims.size(), proved, brittle, flips, claims.size() - proved - flips, hardest,
          options.verify.resource,
          100.0 * static_cast<double>(hardest) / static_cast<double>(options.verify.resource));
      if (flips > 0)
        streams.out << "  A claim that flips is proved or not by luck: assert what it rests on in "
                       "smaller steps, or state an invariant that is inferred (leto infer).\n";
      else if (brittle > 0)
        streams.out << "  A brittle claim is proved, but a small change may cost the proof.\n";
      if (proved + flips < claims.size())
        streams.out << "  Why a claim is not proved is what 'leto verify' says.\n";
    }
    list.push_back({{"file", path},
                    {"model", under},
                    {"seeds", options.seeds},
                    {"flips", flips},
                    {"brittle", brittle},
                    {"hardest", hardest},
                    {"claims", std::move(entries)}});
    if (open > 0) worst = std::max(worst, ExitCode::Undecided);
    if (flips > 0 || (proved < claims.size() && open == 0)) worst = ExitCode::DoesNotHold;
  }
  if (!text) streams.out << report::to_text({{"tool", "leto"}, {"programs", std::move(list)}});
  show_diagnostics(diagnostics, workspace.sources(), options.verify.colour, streams);
  return diagnostics.errors() > 0 ? ExitCode::BadInput : worst;
}

}  // namespace leto::driver

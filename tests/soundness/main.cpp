// leto-soundness: looks for proofs that are wrong.
//
// Random models and programs are verified; claims that are not proved are dropped until the
// rest is. What is left is executed by the interpreter, from small inputs and with everything
// the model allows, and no claim may fail. With --agree two interpreters are compared, with
// --reliability bounds with exact chances. With --trap a mistake is brought back on purpose, and
// must be found.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <random>

#include "campaign.h"

namespace leto::soundness {

namespace {

const std::map<std::string, Trap>& traps() {
  static const std::map<std::string, Trap> kAll = {
      {"none", Trap::None},
#define LETO_TRAP(name, text) {text, Trap::name},
#include "base/traps.def"
#undef LETO_TRAP
  };
  return kAll;
}

bool about_refinement(Trap trap) {
  return trap == Trap::MissingOperators || trap == Trap::FollowsWhateverIsAssigned;
}

bool about_reliability(Trap trap) {
  return trap >= Trap::RecoverNotCompared;
}

// What programs are about in which a mistake shows sooner; nothing: they may be about anything.
std::string theme_of(Trap trap) {
  static const std::map<Trap, std::string> kAll = {
      {Trap::ChainNeverStops, "chains"},
      {Trap::ChangedInPlaceKept, "calls"},
      {Trap::CompoundReadsLast, "situations"},
      {Trap::ContractFromInitialState, "calls"},
      {Trap::ContractOfRunAlone, "calls"},
      {Trap::HeadAfterReturn, "situations"},
      {Trap::InferredTrusted, "loops"},
      {Trap::KeptByThoseWhoLeft, "situations"},
      {Trap::RunsBreakTogether, "situations"},
      {Trap::ContractEnds, "situations"},
      {Trap::MeasureBelowZero, "situations"},
      {Trap::MeasureInLockstep, "situations"},
      {Trap::LemmaTrusted, "situations"},
      {Trap::LemmaTrustsOriginal, "situations"},
      {Trap::LemmaUnmeasured, "situations"},
      {Trap::LemmaMakesOneForBoth, "situations"},
      {Trap::NaturalInitial, "situations"},
      {Trap::NaturalRemainder, "situations"},
      {Trap::NoVacuity, "situations"},
      {Trap::NumbersAsTexts, "numbers"},
      {Trap::OriginalCutOff, "loops"},
      {Trap::OriginalNeverLeavesFirst, "situations"},
      {Trap::PassedIsNow, "calls"},
      {Trap::RecursionAssumed, "recursion"},
      {Trap::RelationsOfOriginalAlone, "situations"},
      {Trap::RelaxedAloneAssumed, "parting"},
      {Trap::RequirementsNotShown, "calls"},
      {Trap::SharedVariables, "recursion"},
      {Trap::SizesDoNotCount, "vectors"},
      {Trap::StaleVerdict, "loops"},
      {Trap::StalePartner, "situations"},
      {Trap::StateIsNoEffect, "situations"},
      {Trap::SummaryFromInitialState, "summaries"},
      {Trap::SummaryKeepsState, "summaries"},
      {Trap::SummaryOfEquals, "summaries"},
      {Trap::SummaryOfPair, "summaries"},
      {Trap::TestIsRepeated, "tests"},
      {Trap::TwoLoopCases, "loops"},
  };
  const auto it = kAll.find(trap);
  return it == kAll.end() ? "" : it->second;
}

std::unique_ptr<Campaign> campaign_for(const Settings& settings, bool agree, bool refine) {
  if (settings.reliability || about_reliability(settings.trap))
    return make_reliability_campaign(settings);
  if (agree) return make_agreement_campaign(settings);
  if (refine || about_refinement(settings.trap)) return make_refinement_campaign(settings);
  return make_verify_campaign(settings);
}

void print(const Tally& t, double seconds, const Settings& settings, bool agree) {
  const auto percent = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  fmt::print("{} programs in {:.0f} s, {:.1f} a second; {} not well-formed\n", t.programs, seconds,
             static_cast<double>(t.programs) / seconds, t.rejected);
  if (settings.reliability || about_reliability(settings.trap)) {
    fmt::print(
        "{} programs with a bound, {} comparisons with the exact chance, {} runs; {} violations\n",
        t.verified, t.compared, t.runs, t.violations);
    return;
  }
  if (agree) {
    fmt::print(
        "{} programs with {} runs compared\n"
        "{} runs of byte code compared with the tree; {} times there was none\n",
        t.compared, t.runs, t.byte_runs, t.walked);
    return;
  }
  fmt::print(
      "{} verified ({:.0f} %), {} not, {} given up as too much work\n"
      "{} executions of verified programs, of {} all that there are from the inputs tried\n"
      "{} had something refuted; of {} a run that breaks a claim was looked for, and found for "
      "{}\n",
      t.verified, percent(t.verified, t.programs), t.undecided, t.given_up, t.runs, t.complete,
      t.refuted, t.looked_at, t.shown);
}

// Without verifying anything: are the programs well-formed, and is everything in them?
int dry_run(const Settings& settings, bool reliable) {
  Coverage coverage;
  std::uint64_t rejected = 0;
  std::chrono::duration<double> making{0};
  for (std::uint64_t i = 0; i < settings.programs; ++i) {
    const Generator generator(settings.seed * 1'000'003 + settings.first + i, settings.theme);
    const auto start = std::chrono::steady_clock::now();
    Program p = reliable ? generator.reliable() : generator.program();
    making += std::chrono::steady_clock::now() - start;
    if (settings.print) std::cout << p.text() << "\n----\n";
    std::string problem;
    const bool good = prepare(p.text(), "", &problem) != nullptr;
    rejected += !good;
    if (!good && settings.verbose) std::cout << p.text() << problem << "\n";
    if (settings.coverage) coverage.add(constructs_in(p), false, {});
  }
  if (settings.coverage) std::cout << coverage.table() << std::flush;
  fmt::print("{} programs, {} not well-formed; made in {:.2f} s\n", settings.programs, rejected,
             making.count());
  if (!settings.coverage) return 0;
  std::vector<std::string> complaints = coverage.complaints(false);
  std::ifstream file(std::string(LETO_SOURCE_DIR) + "/tests/constructs.txt");
  const std::string lines{std::istreambuf_iterator<char>(file), {}};
  for (std::string& c : compare_lists(lines)) complaints.push_back(std::move(c));
  if (rejected * 20 > settings.programs) complaints.push_back("too many are not well-formed");
  for (const std::string& c : complaints) std::cout << c << "\n";
  return complaints.empty() ? 0 : 1;
}

// One program, with the trap: what is proved of it.
int verify_file(const std::string& path, const Settings& settings) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string problem;
  const auto ready = prepare(text, "", &problem);
  if (!ready) {
    std::cerr << path << ": " << problem << "\n";
    return 4;
  }
  Bench bench("");
  bench.begin(manner_of(settings, 0), 0);
  bench.spend_freely();
  for (const prove::Claim& c : bench.verify(*ready, settings.trap).claims)
    fmt::print("{:<8} line {}: {}\n", prove::describe(c.status), ready->line(c.id.at),
               core::claimed(c.id));
  return 0;
}

// Every mistake in turn.
int show_teeth(Settings settings) {
  int missed = 0;
  for (const auto& [name, trap] : traps()) {
    // What `--solve` does is for reliability_test: no bound of these programs rests on it.
    if (trap == Trap::None || trap >= Trap::SolveKeepsChecks) continue;
    settings.trap = trap;
    settings.theme = theme_of(trap);
    const auto campaign = campaign_for(settings, false, false);
    campaign->run();
    missed += campaign->violation.empty();
    fmt::print("{:<32} {}\n", name,
               campaign->violation.empty()
                   ? fmt::format("NOT CAUGHT in {} programs, {:.0f} s", campaign->tally.programs,
                                 campaign->elapsed())
                   : fmt::format("caught after {} programs, {:.0f} s", campaign->violation_at,
                                 campaign->elapsed()));
    if (settings.verbose) std::cout << campaign->violation << "\n";
    std::cout << std::flush;
  }
  return missed == 0 ? 0 : 1;
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app("Looks for proofs that are wrong: verifies random programs and runs them.",
               "leto-soundness");
  Settings settings;
  std::string trap = "none", file;
  bool teeth = false, dry = false, reliable = false, agree = false, refine = false;
  settings.seed = std::random_device{}();
  app.add_option("-n,--programs", settings.programs, "How many programs");
  app.add_option("--first", settings.first, "Number of the first program, to repeat one");
  app.add_option("--seed", settings.seed, "Seed (default: a fresh one, which is printed)");
  app.add_option("-j,--jobs", settings.workers, "Workers");
  app.add_option("--runs", settings.runs, "Executions of one verified program");
  app.add_option("--seconds", settings.seconds, "Stop after so long");
  app.add_option("--theme", settings.theme, "What every program is about, among other things")
      ->check(CLI::IsMember(Generator::themes()));
  app.add_option("--trap", trap, "Bring one mistake back, and expect to find out");
  app.add_option("--file", file,
                 "Verify this program instead, with the trap, and say what came of it");
  app.add_flag("--teeth", teeth, "Every trap in turn");
  app.add_flag("--agree", agree, "Compare the two interpreters instead");
  app.add_flag("--refine", refine, "Try what refinement of models promises instead");
  app.add_flag("--reliability", settings.reliability,
               "Compare bounds of 'leto reliability' with exact chances instead");
  app.add_flag("--summaries", settings.summed_up, "Sum up what is called in every program");
  app.add_option("--unroll", settings.unroll, "Verify every program by a bounded proof");
  app.add_flag("--plain", settings.plain, "Verify every program in the usual manner");
  app.add_flag("--print", settings.print, "Print the programs");
  app.add_flag("--coverage", settings.coverage, "Print how often each construct occurs");
  app.add_flag("--all", settings.all, "Print every violation instead of the first");
  app.add_flag("--dry", dry, "Make programs and check them, no more");
  app.add_flag("--reliable", reliable, "With --dry: programs for 'leto reliability'");
  app.add_flag("--verbose", settings.verbose, "Print programs that are not well-formed");
  CLI11_PARSE(app, argc, argv);
  fmt::print("seed {}\n", settings.seed);
  std::cout << std::flush;
  if (dry) return dry_run(settings, reliable);
  if (teeth) return show_teeth(settings);
  if (!traps().contains(trap)) {
    std::cerr << "there is no trap '" << trap << "'; there are:";
    for (const auto& [name, value] : traps()) std::cerr << " " << name;
    std::cerr << "\n";
    return 4;
  }
  settings.trap = traps().at(trap);
  if (!file.empty()) return verify_file(file, settings);
  if (settings.theme.empty()) settings.theme = theme_of(settings.trap);
  const auto campaign = campaign_for(settings, agree, refine);
  campaign->run();
  if (settings.coverage) std::cout << campaign->coverage.table() << std::flush;
  print(campaign->tally, campaign->elapsed(), settings, agree);
  const bool rare = settings.coverage && !campaign->coverage.complaints(true).empty();
  for (const std::string& c :
       settings.coverage ? campaign->coverage.complaints(true) : std::vector<std::string>{})
    std::cout << c << "\n";
  if (campaign->violation.empty()) {
    fmt::print("no violation\n");
    return trap == "none" && !rare ? 0 : 1;
  }
  fmt::print("VIOLATION, after {} programs:\n{}", campaign->violation_at, campaign->violation);
  return trap == "none" ? 1 : 0;
}

}  // namespace leto::soundness

int main(int argc, char** argv) {
  return leto::soundness::run(argc, argv);
}

// leto-soundness: looks for proofs that are wrong.
//
// Random models and programs are verified; claims that are not proved are dropped until the
// rest is. What is left is executed by the interpreter, from small inputs and with everything
// the model allows, and no claim may fail. Of what was refuted, a run that shows it is looked
// for. With --trap a rule is made unsound on purpose, and a violation must be found.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include "coverage.h"
#include "driver/verification.h"
#include "driver/workspace.h"
#include "generate.h"
#include "interp/interp.h"
#include "lower/lower.h"

namespace leto::soundness {

namespace {

std::atomic<bool> g_never{false};

const std::map<std::string, vcgen::Trap> kTraps = {
    {"none", vcgen::Trap::None},
    {"implication-per-specification", vcgen::Trap::ImplicationPerSpecification},
    {"no-frame", vcgen::Trap::NoFrame},
    {"not-enabled", vcgen::Trap::NotEnabled},
    {"not-total", vcgen::Trap::NotTotal},
    {"relaxed-alone-assumed", vcgen::Trap::RelaxedAloneAssumed},
    {"assume-is-not-shown", vcgen::Trap::AssumeIsNotShown},
    {"runs-never-part", vcgen::Trap::RunsNeverPart},
    {"same-branch-twice", vcgen::Trap::SameBranchTwice},
    {"two-loop-cases", vcgen::Trap::TwoLoopCases},
    {"test-is-repeated", vcgen::Trap::TestIsRepeated},
    {"relations-of-original-alone", vcgen::Trap::RelationsOfOriginalAlone},
    {"inferred-trusted", vcgen::Trap::InferredTrusted},
    {"contract-of-run-alone", vcgen::Trap::ContractOfRunAlone},
    {"contract-from-initial-state", vcgen::Trap::ContractFromInitialState},
    {"requirements-not-shown", vcgen::Trap::RequirementsNotShown},
    {"sizes-do-not-count", vcgen::Trap::SizesDoNotCount},
    {"missing-operators", vcgen::Trap::MissingOperators},
    {"originals-condition", vcgen::Trap::OriginalsCondition},
    {"contexts-conjoined", vcgen::Trap::ContextsConjoined},
    {"nothing-forgotten", vcgen::Trap::NothingForgotten},
};

struct Settings {
  std::uint64_t programs = 1000;
  std::uint64_t first = 0;  // the number of the first program
  std::uint64_t seed = 0;
  unsigned workers = 2;
  std::uint64_t runs = 3000;  // executions of one program
  std::string theme;          // that every program has; empty: none
  vcgen::Trap trap = vcgen::Trap::None;
  double seconds = 0;  // stop after that; 0: never
  bool verbose = false;
  bool print = false;
  bool coverage = false;  // say how often each construct occurs
  bool all = false;       // go on after a violation
  bool reliable = false;  // with dry: programs for `leto reliability`
  bool dry = false;       // make programs and check them, no more
};

struct Tally {
  std::uint64_t programs = 0, rejected = 0, verified = 0, runs = 0, complete = 0, refuted = 0,
                shown = 0, undecided = 0;
};

// A text, checked and lowered.
struct Ready {
  driver::RealFileSystem files;
  driver::Workspace workspace{files, {}};
  check::Checked checked;
  std::unique_ptr<core::Program> program;
};

std::unique_ptr<Ready> prepare(const std::string& text, const std::string& model,
                               std::string* problem = nullptr) {
  auto ready = std::make_unique<Ready>();
  DiagnosticList diagnostics;
  driver::Program program = ready->workspace.load_text("random.leto", text, diagnostics);
  const driver::PickedModel picked = ready->workspace.pick_model(program, model, diagnostics);
  ready->checked =
      check::check(program.trees, {picked.name, picked.bad}, ready->workspace.names(), diagnostics);
  if (diagnostics.errors() > 0) {
    if (problem != nullptr)
      for (const Diagnostic& d : diagnostics.all()) *problem += d.message() + "\n";
    return nullptr;
  }
  ready->program =
      std::make_unique<core::Program>(lower::lower(ready->checked, ready->workspace.names()));
  return ready;
}

bool wrong(const interp::Outcome& o) {
  switch (o.end) {
    case interp::End::AssertFailed:
    case interp::End::CheckFailed:
    case interp::End::Stuck:
      return true;
    case interp::End::Done:
    case interp::End::Hung:
      return !o.violations.empty();
    case interp::End::OriginalFailed:
    case interp::End::OriginalHung:
    case interp::End::Impossible:
    case interp::End::Undecidable:
      return false;
  }
  return false;
}

struct Found {
  bool violated = false;
  std::string story;
  std::uint64_t runs = 0;
  bool complete = true;
};

std::string tell(const Ready& ready, core::FunctionId function, const interp::Inputs& inputs,
                 const interp::Outcome& o) {
  std::string out = "inputs:";
  for (core::VarId param : ready.program->functions[function].params) {
    const core::Var& v = ready.program->vars[param];
    out += fmt::format(" {}<o> = {}, {}<r> = {};", v.name,
                       text(inputs.values.original[param.value], v.type), v.name,
                       text(inputs.values.relaxed[param.value], v.type));
  }
  for (const core::StateVar& s : ready.program->model.states)
    out += fmt::format(" {} = {};", ready.program->vars[s.var].name,
                       text(inputs.values.relaxed[s.var.value], ready.program->vars[s.var].type));
  out += "\n";
  const auto line = [&](const Span& span) {
    return ready.workspace.sources()[span.file].position(span.begin).line;
  };
  for (const interp::Taken& t : o.taken)
    out +=
        fmt::format("site {} in line {}: {} instead of {}\n", t.occurrence,
                    line(ready.program->stmts[t.statement].span), t.outcome.text(), t.exact.text());
  for (const interp::Violation& v : o.violations)
    out += fmt::format("line {}: {} does not hold\n", line(v.span), interp::describe(v.kind));
  if (o.end != interp::End::Done)
    out += fmt::format("{}, line {}: {}\n", interp::describe(o.end), line(o.where), o.why);
  return out;
}

// Executes from small inputs, each with everything that the model allows, within a budget.
Found execute(const Ready& ready, core::FunctionId function, std::uint64_t seed,
              std::uint64_t budget) {
  Found found;
  const interp::Machine machine(*ready.program);
  interp::Options options;
  options.limits.steps = 400;
  constexpr int kInputs = 40;
  for (int i = 0; i < kInputs && found.runs < budget; ++i) {
    const auto inputs = interp::random_inputs(
        machine, function, seed * 1000 + static_cast<std::uint64_t>(i), {2, 2, 60});
    if (!inputs) continue;
    interp::ExhaustiveChooser chooser;
    // No single input uses up the whole budget.
    std::uint64_t own = 0;
    bool more = true;
    while (more && own < budget / 4 && found.runs < budget) {
      const interp::Outcome o = machine.run(function, *inputs, chooser, options);
      ++found.runs;
      ++own;
      if (wrong(o)) {
        found.violated = true;
        found.story = tell(ready, function, *inputs, o);
        return found;
      }
      more = chooser.next();
    }
    if (more || !chooser.complete()) found.complete = false;
  }
  return found;
}

// What one worker has asked before: most of a program stays the same when a claim is dropped.
class Memory final : public prove::Cache {
 public:
  bool find(const std::string&, const solver::Query& query, solver::Answer& answer) override {
    const auto it = answers_.find(key(query));
    if (it == answers_.end()) return false;
    answer = it->second;
    return true;
  }
  void keep(const std::string&, const solver::Query& query, const solver::Answer& answer) override {
    answers_[key(query)] = answer;
  }
  void clear() { answers_.clear(); }

 private:
  static std::string key(const solver::Query& query) {
    return fmt::format("{} {}\n{}", static_cast<int>(query.effort),
                       static_cast<int>(query.strategy), query.text);
  }
  std::map<std::string, solver::Answer> answers_;
};

class Harness {
 public:
  Harness(const Settings& settings) : settings_(settings), next_(settings.first) {}

  // One program after the other until all are done or a violation is found.
  void run() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < settings_.workers; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
  }

  Tally tally;
  Coverage coverage;
  std::string violation;           // the shrunk program and its run
  std::uint64_t violation_at = 0;  // which program it was

 private:
  void work() {
    solver::Limits limits;
    limits.resource = 100'000;
    limits.seconds = 5;
    prove::Crew crew(
        1, [&] { return solver::make_process_solver(solver::z3_command(), limits, g_never); });
    Memory memory;
    while (!stop_.load()) {
      memory.clear();
      const std::uint64_t index = next_.fetch_add(1);
      if (index >= settings_.first + settings_.programs) return;
      if (settings_.seconds > 0 && elapsed() > settings_.seconds) return;
      if (settings_.trap == vcgen::Trap::MissingOperators)
        refinement(index, crew);
      else
        program(index, crew, memory);
    }
  }

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  // Invariants are inferred for every other program.
  driver::VerifySettings verify_settings(std::uint64_t index) const {
    driver::VerifySettings s;
    s.trap = settings_.trap;
    s.infer = index % 2 == 0 || settings_.trap == vcgen::Trap::InferredTrusted;
    return s;
  }

  enum class State { Bad, Verified, NotVerified };

  // Drops claims until the rest is proved. False if something else cannot be proved.
  State settle(Program& p, prove::Crew& crew, Memory& memory, std::unique_ptr<Ready>& ready,
               bool& any_refuted, int rounds, const driver::VerifySettings& how) {
    for (int round = 0; round < rounds; ++round) {
      std::vector<Node*> lines;
      const std::string text = p.text(lines);
      std::string problem;
      ready = prepare(text, "", &problem);
      if (!ready) {
        if (settings_.verbose) {
          const std::lock_guard lock(mutex_);
          std::cout << text << problem << "\n";
        }
        return State::Bad;
      }
      const driver::Verification v =
          driver::verify(ready->checked, ready->workspace.names(), how, crew, &memory, {});
      bool dropped = false, stuck = false;
      std::vector<Node*> fails;
      for (const driver::Claim& c : v.claims) {
        if (c.status == prove::Status::Proved) continue;
        if (c.status == prove::Status::Refuted) any_refuted = true;
        const std::size_t line =
            ready->workspace.sources()[c.span.file].position(c.span.begin).line;
        Node* node = line < lines.size() ? lines[line] : nullptr;
        if (node != nullptr && node->claim && c.status != prove::Status::Vacuous) {
          node->gone = true;
          dropped = true;
        } else if (node != nullptr && node->loose && c.status != prove::Status::Vacuous) {
          fails.push_back(node);
        } else {
          stuck = true;
        }
      }
      // What fails may do without what was claimed; if not, it is left out. What cannot be dropped
      // may yet follow, or not matter, without what was.
      if (!dropped)
        for (Node* node : fails) {
          node->gone = true;
          dropped = true;
        }
      if (!dropped) return stuck ? State::NotVerified : State::Verified;
    }
    return State::NotVerified;
  }

  void program(std::uint64_t index, prove::Crew& crew, Memory& memory) {
    Generator generator(settings_.seed * 1'000'003 + index, settings_.theme);
    Program p = generator.program();
    const Program untouched = p;
    std::unique_ptr<Ready> ready;
    bool refuted = false;
    if (settings_.print) {
      const std::lock_guard lock(mutex_);
      std::cout << p.text() << "\n----\n";
    }
    // A rule that assumes too little is not unsound; it loses proofs that there are.
    const bool loses = settings_.trap == vcgen::Trap::ImplicationPerSpecification ||
                       settings_.trap == vcgen::Trap::NoFrame;
    driver::VerifySettings how = verify_settings(index);
    if (loses) how.trap = vcgen::Trap::None;
    const std::set<std::string> constructs =
        settings_.coverage ? constructs_in(p) : std::set<std::string>{};
    const State state = settle(p, crew, memory, ready, refuted, 10, how);
    const bool verified = state == State::Verified && p.claims() > 0;
    if (verified && loses) {
      const driver::Verification v = driver::verify(ready->checked, ready->workspace.names(),
                                                    verify_settings(index), crew, nullptr, {});
      for (const driver::Claim& c : v.claims)
        if (c.status == prove::Status::Refuted) {
          const std::lock_guard lock(mutex_);
          if (stop_.exchange(true)) return;
          violation_at = tally.programs + 1;
          std::vector<Node*> lines;
          violation =
              p.text(lines) +
              fmt::format("line {}: refuted, although it holds: {}\n",
                          ready->workspace.sources()[c.span.file].position(c.span.begin).line,
                          c.text);
          return;
        }
    }
    Found found;
    if (verified) {
      for (std::uint32_t f = 0; f < ready->program->functions.size() && !found.violated; ++f) {
        if (ready->program->functions[core::FunctionId{f}].external()) continue;
        const Found one = execute(*ready, core::FunctionId{f}, index, settings_.runs);
        found.runs += one.runs;
        found.complete = found.complete && one.complete;
        found.violated = one.violated;
        found.story = one.story;
      }
    }
    // What is proved without the trap as well is nothing that the trap is caught by.
    if (found.violated && settings_.trap != vcgen::Trap::None) {
      driver::VerifySettings honest = verify_settings(index);
      honest.trap = vcgen::Trap::None;
      found.violated =
          driver::verify(ready->checked, ready->workspace.names(), honest, crew, nullptr, {})
              .status() != prove::Status::Proved;
    }
    // Of what was refuted, a run that shows it; not all can be: the fault may be an
    // invariant that is true but not inductive.
    bool shown = false;
    if (refuted && settings_.trap == vcgen::Trap::None) {
      Program first = untouched;
      std::vector<Node*> lines;
      if (const auto whole = prepare(first.text(lines), ""))
        shown =
            execute(
                *whole,
                core::FunctionId{static_cast<std::uint32_t>(whole->program->functions.size() - 1)},
                index, settings_.runs / 4)
                .violated;
    }
    const std::lock_guard lock(mutex_);
    if (settings_.coverage)
      coverage.add(constructs, verified, verified ? constructs_in(p) : std::set<std::string>{});
    ++tally.programs;
    tally.rejected += state == State::Bad;
    tally.undecided += state == State::NotVerified;
    tally.verified += verified;
    tally.runs += found.runs;
    tally.complete += verified && found.complete;
    tally.refuted += refuted;
    tally.shown += shown;
    if (found.violated && (settings_.all || !stop_.exchange(true))) {
      violation_at = tally.programs;
      violation = shrink(p, index, crew, found.story);
      if (settings_.all)
        std::cout << "VIOLATION in program " << index << "\n" << violation << "\n" << std::flush;
    }
  }

  // Takes out whatever the violation does not need.
  std::string shrink(Program p, std::uint64_t index, prove::Crew& crew, std::string story) {
    const auto still = [&](Program& candidate, std::string& told) {
      std::vector<Node*> lines;
      const auto ready = prepare(candidate.text(lines), "");
      if (!ready) return false;
      const driver::Verification v = driver::verify(ready->checked, ready->workspace.names(),
                                                    verify_settings(index), crew, nullptr, {});
      if (v.status() != prove::Status::Proved) return false;
      for (std::uint32_t f = 0; f < ready->program->functions.size(); ++f) {
        if (ready->program->functions[core::FunctionId{f}].external()) continue;
        const Found one = execute(*ready, core::FunctionId{f}, index, settings_.runs);
        if (one.violated) {
          told = one.story;
          return true;
        }
      }
      return false;
    };
    bool progress = true;
    while (progress) {
      progress = false;
      // Every node in turn, outer ones first.
      std::size_t count = 0;
      p.for_each([&](Node&) { ++count; });
      for (std::size_t target = 0; target < count; ++target) {
        Program candidate = p;
        std::size_t at = 0;
        bool removed = false;
        candidate.for_each([&](Node& node) {
          if (at++ == target && !node.needed) node.gone = removed = true;
        });
        if (!removed) continue;
        std::string told;
        if (still(candidate, told)) {
          p = candidate;
          story = told;
          progress = true;
        }
      }
    }
    std::vector<Node*> lines;
    const std::string text = p.text(lines);
    std::string numbered;
    std::size_t number = 1, from = 0;
    while (from < text.size()) {
      const std::size_t to = text.find('\n', from);
      numbered += fmt::format("{:>3}  {}\n", number++, text.substr(from, to - from));
      from = to + 1;
    }
    return numbered + story;
  }

  // What verifies under a super-model, executed under a sub-model that is said to refine it.
  void refinement(std::uint64_t index, prove::Crew& crew) {
    Generator generator(settings_.seed * 1'000'003 + index);
    const Generator::Refined r = generator.refined();
    const std::string text = r.models + "\n" + r.program;
    const auto sub = prepare(text, "sub"), sup = prepare(text, "sup");
    bool verified = false;
    Found found;
    if (sub && sup) {
      const check::ModelId super = sub->checked.models[sub->checked.model].supers.at(0);
      const driver::Verification refines = driver::verify_refinement(
          sub->checked, sub->workspace.names(), super, verify_settings(index), crew, nullptr, {});
      if (refines.status() == prove::Status::Proved)
        verified =
            driver::verify(sup->checked, sup->workspace.names(), {}, crew, nullptr, {}).status() ==
            prove::Status::Proved;
      if (verified) found = execute(*sub, core::FunctionId{0}, index, settings_.runs);
    }
    const std::lock_guard lock(mutex_);
    ++tally.programs;
    tally.rejected += !sub || !sup;
    tally.verified += verified;
    tally.runs += found.runs;
    tally.complete += verified && found.complete;
    if (found.violated && !stop_.exchange(true)) {
      violation_at = tally.programs;
      violation = text + found.story;
    }
  }

  Settings settings_;
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void print(const Tally& t, double seconds) {
  const auto percent = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  fmt::print(
      "{} programs in {:.0f} s: {} verified ({:.0f} %), {} not, {} not well-formed\n"
      "{} executions of verified programs, of {} all that there are from the inputs tried\n"
      "{} had something refuted, {:.0f} % of them with a run that breaks a claim\n",
      t.programs, seconds, t.verified, percent(t.verified, t.programs), t.undecided, t.rejected,
      t.runs, t.complete, t.refuted, percent(t.shown, t.refuted));
}

}  // namespace

// Without verifying anything: are the programs well-formed, and is everything in them?
int dry_run(const Settings& settings) {
  Coverage coverage;
  std::uint64_t rejected = 0;
  std::chrono::duration<double> making{0};
  for (std::uint64_t i = 0; i < settings.programs; ++i) {
    const std::uint64_t index = settings.first + i;
    const Generator generator(settings.seed * 1'000'003 + index, settings.theme);
    const auto start = std::chrono::steady_clock::now();
    Program p = settings.reliable ? generator.reliable() : generator.program();
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

int run(int argc, char** argv) {
  CLI::App app("Looks for proofs that are wrong: verifies random programs and runs them.",
               "leto-soundness");
  Settings settings;
  std::string trap = "none";
  bool teeth = false;
  settings.seed = std::random_device{}();
  app.add_option("-n,--programs", settings.programs, "How many programs");
  app.add_option("--first", settings.first, "Number of the first program, to repeat one");
  app.add_option("--seed", settings.seed, "Seed (default: a fresh one, which is printed)");
  app.add_option("-j,--jobs", settings.workers, "Workers");
  app.add_option("--runs", settings.runs, "Executions of one verified program");
  app.add_option("--seconds", settings.seconds, "Stop after so long");
  app.add_option("--theme", settings.theme, "What every program is about, among other things")
      ->check(CLI::IsMember(Generator::themes()));
  app.add_option("--trap", trap, "Make one rule unsound, and expect to find out");
  app.add_flag("--teeth", teeth, "Every trap in turn");
  app.add_flag("--print", settings.print, "Print the programs");
  app.add_flag("--coverage", settings.coverage, "Print how often each construct occurs");
  app.add_flag("--all", settings.all, "Print every violation instead of the first");
  app.add_flag("--reliable", settings.reliable, "With --dry: programs with rates and bounds");
  app.add_flag("--dry", settings.dry, "Make programs and check them, but verify nothing");
  app.add_flag("--verbose", settings.verbose, "Print programs that are not well-formed");
  CLI11_PARSE(app, argc, argv);
  const auto campaign = [&](const std::string& name) {
    Settings own = settings;
    own.trap = kTraps.at(name);
    Harness harness(own);
    const auto start = std::chrono::steady_clock::now();
    harness.run();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (own.coverage) {
      std::cout << harness.coverage.table();
      for (const std::string& c : harness.coverage.complaints(true)) std::cout << c << "\n";
    }
    return std::tuple(std::move(harness.tally), harness.violation, harness.violation_at, seconds);
  };
  fmt::print("seed {}\n", settings.seed);
  std::cout << std::flush;
  if (settings.dry) return dry_run(settings);
  if (teeth) {
    int missed = 0;
    for (const auto& [name, value] : kTraps) {
      if (value == vcgen::Trap::None) continue;
      const auto [tally, violation, at, seconds] = campaign(name);
      if (violation.empty()) ++missed;
      fmt::print("{:<32} {}\n", name,
                 violation.empty()
                     ? fmt::format("NOT CAUGHT in {} programs, {:.0f} s", tally.programs, seconds)
                     : fmt::format("caught after {} programs, {:.0f} s", at, seconds));
      std::cout << std::flush;
      if (settings.verbose) std::cout << violation << "\n";
    }
    return missed == 0 ? 0 : 1;
  }
  if (!kTraps.contains(trap)) {
    std::cerr << "there is no trap '" << trap << "'; there are:";
    for (const auto& [name, value] : kTraps) std::cerr << " " << name;
    std::cerr << "\n";
    return 4;
  }
  const auto [tally, violation, at, seconds] = campaign(trap);
  print(tally, seconds);
  if (violation.empty()) {
    fmt::print("no violation\n");
    return trap == "none" ? 0 : 1;
  }
  fmt::print("VIOLATION, after {} programs:\n{}", at, violation);
  return trap == "none" ? 1 : 0;
}

}  // namespace leto::soundness

int main(int argc, char** argv) {
  return leto::soundness::run(argc, argv);
}

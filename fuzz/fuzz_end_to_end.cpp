// libFuzzer target over everything behind the front end: a program that checks is lowered, verified
// with a solver that makes its answers up, explained, executed, and bounded. Whatever the program
// is, nothing may crash, and nothing is thrown. What is proved was called unsatisfiable by the
// solver or is true by construction; what is refuted was called satisfiable; and what is proved
// without a solver no run breaks.
//
// The bytes are the program. What the solver says depends on them too.
#include <cstdio>
#include <cstring>

#include "checks/checks.h"
#include "diagnose/diagnose.h"
#include "fuzzing.h"
#include "interp/interp.h"
#include "lower/lower.h"
#include "programs.h"
#include "workbench/verifying.h"

using namespace leto;
using solver::Answer;
using solver::Reason;
using solver::Verdict;

extern "C" {
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
// Where the compiler counts what is reached.
extern char __start___sancov_cntrs, __stop___sancov_cntrs;
}

namespace {

// What the solver is like for the program at hand, and what it has said.
struct Mood {
  enum class Kind : std::uint8_t { Unknown, Sat, Unsat, Any } kind = Kind::Unknown;
  fuzz::Dice dice{""};
  std::size_t sat = 0, unsat = 0;
};

Mood& mood() {
  static Mood one;
  return one;
}

class StandIn final : public solver::Solver {
 public:
  std::string identity() override { return "stand-in"; }
  std::string script(const solver::Query& query) const override { return query.text; }
  Answer solve(const solver::Query& query) override {
    Mood& m = mood();
    Answer answer;
    const Mood::Kind kind =
        m.kind == Mood::Kind::Any ? static_cast<Mood::Kind>(m.dice.roll(3)) : m.kind;
    if (kind == Mood::Kind::Unknown) {
      answer.reason = m.dice.roll(2) == 0 ? Reason::Resource : Reason::Time;
    } else if (kind == Mood::Kind::Sat) {
      ++m.sat;
      answer.verdict = Verdict::Sat;
      constexpr const char* kValues[] = {"0", "1", "(- 1)", "(/ 1.0 3.0)", "true", "7.0", ""};
      for (std::size_t i = 0; i < query.values.size(); ++i)
        answer.values.emplace_back(kValues[m.dice.roll(std::size(kValues))]);
    } else {
      ++m.unsat;
      answer.verdict = Verdict::Unsat;
      answer.took_claim = !query.claimed.empty() && m.dice.roll(3) != 0;
      answer.took_nothing = !answer.took_claim && m.dice.roll(3) == 0;
    }
    return answer;
  }
};

// Said at the end: how many of the texts were programs, and how many of those needed no solver.
struct Tally {
  std::size_t programs = 0, proved = 0;
  ~Tally() {
    std::fprintf(stderr, "stat::programs_that_check: %zu, %zu of them proved without a solver\n",
                 programs, proved);
  }
};

Tally& tally() {
  static Tally one;
  return one;
}

engine::Crew& crew() {
  static auto& one = *new engine::Crew(0, [] { return std::make_unique<StandIn>(); });
  return one;
}

// That there are functions such as a model constrains is the one thing that a model of the solver's
// shows: one obligation, and no other.
std::size_t shown_by_a_model(const core::Program& program) {
  const auto& all = program.definitions;
  const bool some =
      std::any_of(all.begin(), all.end(), [](const core::Definition& d) { return d.is_unknown(); });
  return mood().sat > 0 && some ? 1 : 0;
}

void judge(const workbench::Verified& v) {
  for (const prove::Claim& claim : v.claims) {
    LETO_ASSERT(mood().sat > 0 || claim.status != prove::Status::Refuted);
    if (claim.evidence == nullptr) continue;
    for (const prove::Outcome& outcome : claim.evidence->outcomes) {
      LETO_ASSERT(mood().unsat > 0 || !outcome.proof || outcome.trivial());
      LETO_ASSERT(mood().sat > 0 || !outcome.refuted);
    }
  }
  // Where all is proved there is nothing to look at, but for what it took.
  const bool all = v.status() == prove::Status::Proved;
  LETO_ASSERT(mood().unsat > 0 || !all || v.cost.asked() <= shown_by_a_model(*v.program));
}

// Whether this contradicts what was proved.
bool breaks(const core::Program& program, const interp::Outcome& o, bool trusted) {
  switch (o.end) {
    case interp::End::AssertFailed:
    case interp::End::CheckFailed:
    case interp::End::Stuck:
      return true;
    case interp::End::Done:
    case interp::End::Hung:
      return !o.violations.empty();
    case interp::End::OriginalFailed: {
      const auto* claim = o.statement.valid()
                              ? std::get_if<core::Claim>(&program.stmts[o.statement].node)
                              : nullptr;
      return !trusted && (claim == nullptr || claim->kind != core::AssertionKind::Assume);
    }
    case interp::End::OriginalHung:
    case interp::End::Impossible:
    case interp::End::Undecidable:
      return false;
  }
  return true;
}

// Some runs of each function.
void execute(const core::Program& program, const Allowance& allowance, bool proved, bool trusted) {
  const interp::Machine machine(program, &allowance);
  interp::Options how;
  how.limits = {100, 1000};
  how.events = mood().dice.roll(2) == 0;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::FunctionId id{i};
    if (program.functions[id].external()) continue;
    const std::uint64_t seed = mood().dice.roll(1000);
    const auto inputs = interp::random_inputs(machine, id, seed, {2, 2, 8});
    if (!inputs) continue;
    interp::ExhaustiveChooser all;
    interp::RandomChooser random(seed, {0, 0.5});
    for (int run = 0; run < 3; ++run) {
      const interp::Outcome o =
          run == 0 ? machine.run(id, *inputs, random, how) : machine.run(id, *inputs, all, how);
      LETO_ASSERT(!proved || !breaks(program, o, trusted));
      if (run > 0 && !all.next()) break;
    }
  }
}

void bound(const core::Program& program, prove::Engine& engine, const Allowance& allowance) {
  reliability::Options options;
  if (!program.recoveries.empty()) {
    checks::RecoverySettings settings{60, &allowance};
    settings.examples = false;
    options.recoveries = checks::prove_recoveries(program, engine, settings).known;
  }
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::Function& f = program.functions[core::FunctionId{i}];
    if (f.external() || !f.result().valid()) continue;
    const reliability::Analysis found =
        reliability::analyse(program, core::FunctionId{i}, {f.result()}, options);
    LETO_ASSERT(found.before.chance.between_zero_and_one());
    (void)reliability::text(program, found.before);
  }
}

prove::VerifySettings settings_for(const Allowance& allowance) {
  prove::VerifySettings settings;
  settings.infer = mood().dice.roll(4) == 0;
  settings.trust_original = mood().dice.roll(4) == 0;
  settings.salt = static_cast<std::uint32_t>(mood().dice.roll(3));
  settings.steps = 60;
  settings.allowance = &allowance;
  return settings;
}

// Why what is not proved is not. A claim is refuted by the solver, or by a run.
void explain(workbench::Verified& v, const prove::VerifySettings& how) {
  diagnose::Settings settings;
  settings.full = mood().dice.roll(2) == 0;
  settings.verify = how;
  settings.allowance = how.allowance;
  prove::Engine engine{{}, crew(), nullptr};
  workbench::explain(v, settings, engine);
  for (const prove::Claim& claim : v.claims)
    LETO_ASSERT(claim.status != prove::Status::Refuted || mood().sat > 0 ||
                (v.explanation(claim) && v.explanation(claim)->cause == diagnose::Cause::Real));
}

void verify(const check::Checked& checked, const NameTable& names, const Allowance& allowance) {
  const prove::VerifySettings settings = settings_for(allowance);
  workbench::Verified v = workbench::verify(checked, names, settings, crew(), nullptr, {});
  judge(v);
  if (mood().dice.roll(16) == 0) explain(v, settings);
  if (v.status() != prove::Status::Proved || mood().unsat > 0) return;
  ++tally().proved;
  execute(*v.program, allowance, true, settings.trust_original);
}

void refine(const check::Checked& checked, const NameTable& names, const Allowance& allowance) {
  if (!checked.model.valid()) return;
  const prove::VerifySettings settings = settings_for(allowance);
  for (const check::ModelId super : checked.models[checked.model].supers)
    judge(workbench::verify_refinement(checked, names, super, settings, crew(), nullptr, {}));
}

// One of what can be done with a program: all of it would take too long.
void go_on(const check::Checked& checked, const NameTable& names, const Allowance& allowance) {
  const std::uint64_t what = mood().dice.roll(4);
  if (what < 2) return verify(checked, names, allowance);
  const core::Program program = lower::lower(checked, names);
  LETO_ASSERT(core::validate(program).empty());
  (void)core::print(program);
  if (what == 2) return execute(program, allowance, false, false);
  prove::Engine engine{{}, crew(), nullptr};
  bound(program, engine, allowance);
  refine(checked, names, allowance);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  fuzz::Dice dice(std::to_string(seed));
  const std::string made =
      fuzz::changed_well(fuzz::text_of(data, size), fuzz::text_of(other, other_size), dice);
  if (made.size() > most) return 0;
  std::memcpy(out, made.data(), made.size());
  return made.size();
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 64 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::size_t made = LLVMFuzzerCustomCrossOver(data, size, data, size, data, most, seed);
  return made > 0 ? made : LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto& patience = *new fuzz::Patience(std::chrono::milliseconds(20));
  const std::string text = fuzz::text_of(data, size);
  const fuzz::FrontEnd program(text);
  if (!program.fine()) {
    // As if nothing had been reached: how a text fails to be a program is for fuzz_front_end.
    std::memset(&__start___sancov_cntrs, 0,
                static_cast<std::size_t>(&__stop___sancov_cntrs - &__start___sancov_cntrs));
    return 0;
  }
  ++tally().programs;
  fuzz::Dice dice(text);
  const auto kind = static_cast<Mood::Kind>(dice.roll(4));
  mood() = Mood{kind, dice, 0, 0};
  go_on(*program.checked, program.names, patience.renew());
  return 0;
}

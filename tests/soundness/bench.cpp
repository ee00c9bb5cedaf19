#include "bench.h"

#include <fmt/core.h>

#include "interp/choose.h"

namespace leto::soundness {

namespace {

const Allowance kEndless;

// A solver that does not always do its work.
class Moody final : public solver::Solver {
 public:
  Moody(std::unique_ptr<solver::Solver> inner, const std::atomic<Mood>& mood,
        std::atomic<std::uint64_t>& dice, Purse& purse)
      : inner_(std::move(inner)), mood_(mood), dice_(dice), purse_(purse) {}

  std::string identity() override { return inner_->identity(); }
  std::string script(const solver::Query& query) const override { return inner_->script(query); }
  solver::Answer solve(const solver::Query& query) override {
    const unsigned roll = static_cast<unsigned>(interp::mix(++dice_, 17) % 100);
    switch (mood_.load()) {
      case Mood::Honest:
        return work(query);
      case Mood::Hasty:
        return query.strategy == solver::Strategy::General ? no(solver::Reason::Interrupted)
                                                           : work(query);
      case Mood::Forgetful:
        return roll < 15 ? no(solver::Reason::Incomplete) : work(query);
      case Mood::Stingy:
        return roll < 70 ? no(solver::Reason::Resource) : work(query);
      case Mood::Slow:
        return roll < 40 ? no(solver::Reason::Time) : work(query);
      case Mood::Missing:
        return no(solver::Reason::Missing);
    }
    LETO_ASSERT(false);
  }

 private:
  solver::Answer work(const solver::Query& query) {
    constexpr std::uint64_t kSetUp = 5'000, kSetUpAnew = 50'000;  // what asking alone costs
    if (purse_.allowance.spent()) return no(solver::Reason::Interrupted);
    solver::Answer answer = inner_->solve(query);
    const bool anew = query.strategy == solver::Strategy::General;
    purse_.spend(answer.resource + (anew ? kSetUpAnew : kSetUp));
    return answer;
  }
  static solver::Answer no(solver::Reason reason) {
    solver::Answer answer;
    answer.reason = reason;
    return answer;
  }

  std::unique_ptr<solver::Solver> inner_;
  const std::atomic<Mood>& mood_;
  std::atomic<std::uint64_t>& dice_;
  Purse& purse_;
};

engine::SolverMaker maker(const std::atomic<Mood>& mood, std::atomic<std::uint64_t>& dice,
                          Purse& purse) {
  return [&] {
    solver::Limits limits;
    limits.resource = 100'000;
    limits.seconds = 5;
    return std::make_unique<Moody>(
        solver::make_process_solver(solver::z3_command(), limits, kEndless), mood, dice, purse);
  };
}

}  // namespace

constexpr std::uint64_t kUsualBudget = 1'200'000;

// Nothing else shows them.
static bool is_about_summaries(Trap trap) {
  return trap >= Trap::SummaryOfEquals && trap <= Trap::SummaryKeepsState;
}

Manner manner_of(const Settings& settings, std::uint64_t index) {
  Manner m;
  const auto roll = [&](std::uint64_t what) {
    return static_cast<unsigned>(interp::mix(settings.seed * 1'000'003 + index, what) % 100);
  };
  m.infer =
      roll(1) < 60 || settings.trap == Trap::InferredTrusted || settings.trap == Trap::StaleVerdict;
  m.trust_original = roll(2) < 25 || settings.trap == Trap::HeadAfterReturn ||
                     settings.trap == Trap::ContractOfRunAlone ||
                     settings.trap == Trap::RelaxedAloneAssumed;
  if (settings.trap == Trap::OriginalTrusted) m.trust_original = false;
  m.summed_up = settings.summed_up || is_about_summaries(settings.trap);
  if (is_about_summaries(settings.trap)) m.trust_original = false;
  m.unroll = settings.unroll;
  if (settings.trap == Trap::OriginalCutOff && m.unroll == 0) m.unroll = 1;
  if (!settings.plain && settings.trap == Trap::None && m.unroll == 0 && roll(10) < 12)
    m.unroll = 1 + roll(11) % 3;
  if (m.unroll > 0) m.trust_original = false;
  m.hasty = !settings.plain && roll(7) < 85;
  // Most of the time would go to a few programs, which are no more likely to be wrong.
  m.budget = roll(8) < 96 ? kUsualBudget : 20 * kUsualBudget;
  if (settings.plain || settings.trap != Trap::None) return m;
  const unsigned mood = roll(3);
  m.mood = mood < 84   ? Mood::Honest
           : mood < 90 ? Mood::Forgetful
           : mood < 94 ? Mood::Stingy
           : mood < 98 ? Mood::Slow
                       : Mood::Missing;
  m.workers = roll(4) < 15 ? 2 : 1;
  const unsigned keeping = roll(5);
  m.keeping = keeping < 88 ? Keeping::InMemory : keeping < 94 ? Keeping::Nothing : Keeping::InFile;
  m.every_model = roll(6) < 8;
  m.summed_up = m.summed_up || roll(9) < 50;
  return m;
}

bool Memory::find(const std::string&, const solver::Query& query, solver::Answer& answer) {
  const std::lock_guard lock(mutex_);
  const auto it = answers_.find(fmt::format("{} {}\n{}", static_cast<int>(query.effort),
                                            static_cast<int>(query.strategy), query.text));
  if (it == answers_.end()) return false;
  answer = it->second;
  return true;
}

void Memory::keep(const std::string&, const solver::Query& query, const solver::Answer& answer) {
  const std::lock_guard lock(mutex_);
  answers_[fmt::format("{} {}\n{}", static_cast<int>(query.effort),
                       static_cast<int>(query.strategy), query.text)] = answer;
}

void Memory::clear() {
  const std::lock_guard lock(mutex_);
  answers_.clear();
}

Bench::Bench(const std::string& directory)
    : one_(1, maker(mood_, dice_, purse_)), two_(2, maker(mood_, dice_, purse_)) {
  std::string problem;
  file_ = engine::open_cache(directory, directory + "/key", problem);
}

void Bench::begin(const Manner& manner, std::uint64_t index) {
  manner_ = manner;
  mood_.store(manner.mood);
  dice_.store(index * 1'000'000);
  purse_.fill(manner.budget);
  memory_.clear();
}

engine::Cache* Bench::cache() {
  switch (manner_.keeping) {
    case Keeping::InMemory:
      return &memory_;
    case Keeping::Nothing:
      return nullptr;
    case Keeping::InFile:
      return file_.get();
  }
  LETO_ASSERT(false);
}

workbench::Verified Bench::verify(const Ready& ready, Trap trap) {
  prove::VerifySettings settings;
  settings.infer = manner_.infer;
  settings.trust_original = manner_.trust_original;
  settings.unroll = manner_.unroll;
  settings.trap = trap;
  settings.steps = 20'000;
  settings.allowance = &purse_.allowance;
  if (manner_.summed_up) settings.summed_up_from = 0;
  return workbench::verify(ready.checked, const_cast<Ready&>(ready).workspace.names(), settings,
                           crew(), cache(), {});
}

workbench::Verified Bench::verify_hastily(const Ready& ready, Trap trap) {
  mood_.store(Mood::Hasty);
  workbench::Verified v = verify(ready, trap);
  mood_.store(manner_.mood);
  return v;
}

}  // namespace leto::soundness

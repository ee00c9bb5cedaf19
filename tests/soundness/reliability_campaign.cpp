// Programs of two makers in turn: one that knows what recovery is about, and one that knows which
// mistakes were made.
#include "campaign.h"
#include "reliability_compare.h"
#include "reliability_programs.h"

namespace leto::soundness {

namespace {

class ReliabilityCampaign final : public Campaign {
 public:
  using Campaign::Campaign;

 private:
  struct Text {
    std::string text;
    bool probes = false;
  };
  [[nodiscard]] Text make(std::uint64_t index) const {
    if (index % 2 == 0) return {generator(index).reliable().text()};
    constexpr unsigned kSites = 7;
    const auto seed = static_cast<unsigned>(settings_.seed * 1'000'003 + index / 2);
    const tests::MadeProgram made = tests::make_program(seed, kSites);
    return {made.whole(), !made.probe.empty()};
  }

  void try_one(std::uint64_t index, Bench& bench) override {
    const Text made = make(index);
    if (settings_.print) print(made.text);
    // Many programs have the same model; what a solver in a mood says is not worth keeping.
    const bool honest = manner_of(settings_, index).mood == Mood::Honest;
    if (index % 256 == 0) memory_.clear();
    prove::Engine engine{{}, bench.crew(), honest ? &memory_ : nullptr};
    tests::Comparison comparison(engine, settings_.trap);
    const std::string wrong = comparison.violation(made.text, made.probes);
    Tally t;
    t.rejected = comparison.tally.rejected;
    t.verified = comparison.tally.bounded;
    t.compared = comparison.tally.compared;
    t.runs = comparison.tally.runs;
    if (settings_.verbose && t.rejected > 0) print(made.text);
    add(t, index, wrong);
  }

  Memory memory_;
};

}  // namespace

std::unique_ptr<Campaign> make_reliability_campaign(const Settings& settings) {
  return std::make_unique<ReliabilityCampaign>(settings);
}

}  // namespace leto::soundness

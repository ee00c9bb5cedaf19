#include "agree.h"
#include "byte_code.h"
#include "campaign.h"
#include "execute.h"

namespace leto::soundness {

namespace {

class RefinementCampaign final : public Campaign {
 public:
  using Campaign::Campaign;

 private:
  void try_one(std::uint64_t index, Bench& bench) override {
    const Generator::Refined r = generator(index).refined();
    const std::string text = r.models + "\n" + r.program;
    if (settings_.print) print(text);
    const auto sub = prepare(text, "sub"), sup = prepare(text, "sup");
    Tally t;
    t.rejected = !sub || !sup;
    std::string wrong;
    if (sub && sup) {
      prove::VerifySettings settings;
      settings.trap = settings_.trap;
      const check::ModelId super = sub->checked.models[sub->checked.model].supers.at(0);
      const bool refines = workbench::verify_refinement(sub->checked, sub->workspace.names(), super,
                                                        settings, bench.crew(), nullptr, {})
                               .status() == prove::Status::Proved;
      t.verified = refines && prove::carries_over(*sub->program, settings_.trap) &&
                   bench.verify(*sup, settings_.trap).status() == prove::Status::Proved;
    }
    if (t.verified) {
      const Found found = execute_all(*sub, true, index, settings_.runs);
      t.runs = found.runs;
      t.complete = found.complete;
      if (found.violated) wrong = text + found.story;
    }
    add(t, index, wrong);
  }
};

class AgreementCampaign final : public Campaign {
 public:
  using Campaign::Campaign;

 private:
  void try_one(std::uint64_t index, Bench&) override {
    Program p = generator(index).program();
    if (settings_.print) print(p.text());
    const auto ready = prepare(p.text(), "");
    Tally t;
    t.rejected = !ready;
    std::string wrong;
    if (ready) wrong = compare(*ready, index, t);
    if (!wrong.empty()) wrong = shrink(p, index, wrong);
    add(t, index, wrong);
  }

  static std::string compare(const Ready& ready, std::uint64_t index, Tally& t) {
    constexpr std::uint64_t kRuns = 3;
    std::uint64_t compared = 0;
    for (std::uint32_t f = 0; f < ready.program->functions.size(); ++f) {
      if (ready.program->functions[core::FunctionId{f}].external()) continue;
      // The oracle knows what lemmas say, and runs none of them.
      const bool lemma = ready.program->functions[core::FunctionId{f}].lemma;
      for (std::uint64_t run = 0; run < kRuns; ++run) {
        const std::uint64_t seed = index * 100 + f * 10 + run;
        const Agreement a =
            lemma ? Agreement{} : compare_interpreters(ready, core::FunctionId{f}, seed);
        compared += a.compared;
        if (!a.difference.empty())
          return ready.program->functions[core::FunctionId{f}].name + ": " + a.difference + "\n";
        const Bytes b = compare_byte_code(ready, core::FunctionId{f}, seed);
        t.byte_runs += b.runs;
        t.walked += !b.compiled;
        if (!b.difference.empty())
          return ready.program->functions[core::FunctionId{f}].name + ": " + b.difference + "\n";
      }
    }
    t.runs += compared;
    t.compared += compared > 0;
    return {};
  }

  static std::string shrink(Program p, std::uint64_t index, std::string story) {
    for (bool progress = true; progress;) {
      progress = false;
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
        const auto ready = prepare(candidate.text(), "");
        Tally none;
        std::string told = ready ? compare(*ready, index, none) : "";
        if (told.empty()) continue;
        p = std::move(candidate);
        story = std::move(told);
        progress = true;
        break;
      }
    }
    return p.text() + story;
  }
};

}  // namespace

std::unique_ptr<Campaign> make_refinement_campaign(const Settings& settings) {
  return std::make_unique<RefinementCampaign>(settings);
}

std::unique_ptr<Campaign> make_agreement_campaign(const Settings& settings) {
  return std::make_unique<AgreementCampaign>(settings);
}

}  // namespace leto::soundness

#include "diagnose/suggestion.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace leto::diagnose {

using prove::Claim;
using prove::Status;
using prove::Verification;
using prove::VerifySettings;

namespace {

class Suggester {
 public:
  Suggester(const Verification& v, core::FunctionId function,
            const std::vector<std::size_t>& claims, const VerifySettings& settings,
            prove::Engine& engine)
      : v_(v),
        function_(function),
        claims_(claims),
        settings_(settings),
        engine_(engine),
        program_(*v.program) {}

  std::vector<Suggestion> run() {
    base_ = prove::propose(program_, settings_.infer ? prove::Width::Usual : prove::Width::Hidden);
    find_extra();
    if (extra_.empty()) return {};
    std::vector<std::size_t> all(extra_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const Trial first = attempt(all);
    std::vector<Suggestion> out;
    // Claims that need the same facts share a suggestion.
    std::set<std::size_t> open = first.proved;
    while (!open.empty()) {
      const std::size_t claim = *open.begin();
      const std::vector<std::size_t> few = fewest(first.standing, claim);
      const Trial last = attempt(few);
      // Out of time; or what helps does not hold wherever the loop is met, and cannot be written.
      if (!last.proved.contains(claim) || last.invariants.size() < few.size()) break;
      Suggestion s;
      for (std::size_t closed : last.proved)
        if (open.erase(closed) > 0) s.claims.push_back(closed);
      s.invariants = prove::in_source(program_, last.invariants);
      out.push_back(std::move(s));
    }
    return out;
  }

 private:
  struct Extra {
    std::size_t loop;
    prove::Proposed fact;
  };
  struct Trial {
    std::set<std::size_t> proved;              // claims
    std::vector<std::size_t> standing;         // of the extra facts, wherever the loop is met
    std::vector<prove::Invariant> invariants;  // the same
  };

  void find_extra() {
    const prove::Proposals wide = prove::propose(program_, prove::Width::Wide);
    const interp::Machine machine(program_, settings_.allowance);
    const explain::Subject subject{machine, function_,
                                   vcgen::Generator(program_, {}).from_any_state(function_)};
    std::vector<std::vector<explain::Fact>> facts(wide.size());
    for (std::size_t loop = 0; loop < wide.size(); ++loop)
      for (const prove::Proposed& p : wide[loop])
        facts[loop].push_back({p.candidate.expr, p.candidate.relational});
    const auto holds = explain::observed(subject, facts, {200'000, 7, settings_.allowance});
    constexpr std::size_t kMost = 120;  // of one loop
    for (std::size_t loop = 0; loop < wide.size(); ++loop) {
      std::set<std::string> known;
      for (const prove::Proposed& p : base_[loop])
        known.insert(core::source(program_, p.candidate.expr));
      std::size_t count = 0;
      for (std::size_t k = 0; k < wide[loop].size() && count < kMost; ++k) {
        if (!holds[loop][k] || known.contains(core::source(program_, wide[loop][k].candidate.expr)))
          continue;
        prove::Proposed fact = wide[loop][k];
        fact.follows_from.reset();
        extra_.push_back({loop, std::move(fact)});
        ++count;
      }
    }
  }

  [[nodiscard]] bool late() const {
    return std::chrono::steady_clock::now() - start_ > std::chrono::seconds(12) ||
           spent(settings_.allowance);
  }

  // Verifies the function with some of the extra facts to choose from.
  Trial attempt(const std::vector<std::size_t>& some) {
    prove::Proposals proposals = base_;
    for (std::size_t i : some) proposals[extra_[i].loop].push_back(extra_[i].fact);
    logic::TermTable terms;
    prove::Discharger discharger(terms, engine_);
    vcgen::Options options;
    options.trust_original = settings_.trust_original;
    options.most_steps = settings_.steps;
    options.allowance = settings_.allowance;
    vcgen::Generator generator(program_, options);
    const prove::Inference inference =
        prove::infer({program_, proposals, {}, generator, {}}, function_, terms, discharger);
    Trial out;
    std::vector<std::size_t> which;
    std::vector<std::pair<std::size_t, std::size_t>> of;  // obligation, claim
    for (std::size_t i = 0; i < inference.obligations.size(); ++i) {
      const vcgen::Obligation& o = inference.obligations[i];
      for (std::size_t claim : claims_) {
        const Claim& c = v_.claims[claim];
        if (c.id != o.claim) continue;
        of.emplace_back(i, claim);
        which.push_back(i);
      }
    }
    std::vector<prove::Outcome> outcomes(inference.obligations.size());
    discharger.run(
        inference.obligations, which, [](std::size_t, bool) {}, outcomes);
    for (const auto& [i, claim] : of) out.proved.insert(claim);
    for (const auto& [i, claim] : of)
      if (outcomes[i].status() != Status::Proved) out.proved.erase(claim);
    for (const prove::Invariant& one : prove::standing_everywhere(program_, inference.loops))
      for (std::size_t i : some) {
        const auto& loop = std::get<core::While>(program_.stmts[one.loop].node);
        if (extra_[i].loop == loop.loop.value &&
            core::source(program_, extra_[i].fact.candidate.expr) == one.text) {
          out.standing.push_back(i);
          out.invariants.push_back(one);
        }
      }
    return out;
  }

  // Delta debugging: as few as suffice for the claim.
  std::vector<std::size_t> fewest(std::vector<std::size_t> from, std::size_t claim) {
    std::size_t parts = 2;
    while (from.size() > 1 && !late()) {
      const std::size_t size = (from.size() + parts - 1) / parts;
      bool smaller = false;
      // One of the parts alone, or all but one.
      for (const bool alone : {true, false}) {
        for (std::size_t at = 0; at < from.size() && !smaller && !late(); at += size) {
          std::vector<std::size_t> some;
          for (std::size_t i = 0; i < from.size(); ++i)
            if ((i >= at && i < at + size) == alone) some.push_back(from[i]);
          if (some.size() == from.size() || some.empty()) continue;
          const Trial trial = attempt(some);
          if (!trial.proved.contains(claim)) continue;
          from = trial.standing.empty() ? some : trial.standing;
          parts = alone ? 2 : std::max<std::size_t>(parts - 1, 2);
          smaller = true;
        }
        if (smaller) break;
      }
      if (smaller) continue;
      if (parts >= from.size()) break;
      parts = std::min(from.size(), parts * 2);
    }
    return from;
  }

  const Verification& v_;
  core::FunctionId function_;
  const std::vector<std::size_t>& claims_;
  const VerifySettings& settings_;
  prove::Engine& engine_;
  core::Program program_;  // gets new expressions
  prove::Proposals base_;
  std::vector<Extra> extra_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<Suggestion> suggest(const Verification& v, core::FunctionId function,
                                const std::vector<std::size_t>& claims,
                                const VerifySettings& settings, prove::Engine& engine) {
  if (v.program->loops.empty()) return {};
  return Suggester(v, function, claims, settings, engine).run();
}

}  // namespace leto::diagnose

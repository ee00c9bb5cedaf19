#include "diagnose/diagnose.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "diagnose/suggestion.h"
#include "diagnose/target.h"
#include "diagnose/unrolled.h"
#include "prove/examine.h"
#include "prove/theorem.h"

namespace leto::diagnose {

using core::ClaimKind;
using prove::Claim;
using prove::Status;
using prove::Verification;

std::string_view name(Cause cause) {
  switch (cause) {
    case Cause::Real:
      return "real";
    case Cause::Weak:
      return "weak";
    case Cause::Unexecuted:
      return "not-executed";
    case Cause::Model:
      return "model";
    case Cause::Definition:
      return "definition";
    case Cause::Contradiction:
      return "contradiction";
    case Cause::GaveUp:
      return "gave-up";
  }
  LETO_ASSERT(false);
}

std::string_view in_a_word(Cause cause) {
  switch (cause) {
    case Cause::Real:
      return "a run breaks it";
    case Cause::Weak:
      return "no run was found that breaks it, but nothing excludes one";
    case Cause::Unexecuted:
      return "a counterexample that was not executed";
    case Cause::Model:
      return "the model is at fault";
    case Cause::Definition:
      return "the definition is at fault";
    case Cause::Contradiction:
      return "what is assumed contradicts itself";
    case Cause::GaveUp:
      return "the solver gave up";
  }
  LETO_ASSERT(false);
}

namespace {

bool blames_model(ClaimKind kind) {
  return core::is_about_model(kind) || kind == ClaimKind::ModelInvariantAssigned ||
         core::group_of(kind) == core::ClaimGroup::Refinement;
}

class Explainer {
 public:
  Explainer(Verification& v, const Settings& settings, prove::Engine& engine)
      : v_(v), settings_(settings), engine_(engine), machine_(*v.program, settings.allowance) {
    explanations_.resize(v.claims.size());
  }

  Explanations run() {
    std::map<std::string, std::vector<std::size_t>> by_function;
    for (std::size_t i = 0; i < v_.claims.size(); ++i) {
      const Claim& claim = v_.claims[i];
      // Of what rests on a wrong model there is nothing else to say.
      if (claim.status == Status::Proved || claim.unfounded) continue;
      explanations_[i] = std::make_shared<Explanation>();
      Explanation& e = *explanations_[i];
      e.limit = settings_.resource;
      e.seconds = settings_.seconds;
      e.cause = claim.status == Status::Vacuous   ? Cause::Contradiction
                : claim.status == Status::Unknown ? Cause::GaveUp
                : blames_model(claim.id.kind)     ? Cause::Model
                : core::group_of(claim.id.kind) == core::ClaimGroup::Definition ? Cause::Definition
                : settings_.verify.unroll > 0                                   ? Cause::Unexecuted
                                                                                : Cause::Weak;
      if (e.cause != Cause::Contradiction && claim.obligation() != nullptr)
        by_function[claim.id.function].push_back(i);
    }
    for (const auto& [function, claims] : by_function)
      if (!stopped()) of_function(function, claims);
    look_at_given_up();
    for (std::size_t i = 0; i < v_.claims.size(); ++i)
      if (explanations_[i] && !stopped() &&
          (explanations_[i]->cause == Cause::Weak || explanations_[i]->cause == Cause::Unexecuted ||
           explanations_[i]->cause == Cause::Model || explanations_[i]->cause == Cause::Definition))
        picture(i);
    for (const auto& [function, claims] : by_function)
      if (!stopped()) suggestions(function, claims);
    return {explanations_.begin(), explanations_.end()};
  }

 private:
  [[nodiscard]] bool stopped() const { return spent(settings_.allowance); }

  // Nobody looked for a proof of them, but a run may break them too, where the original does not
  // fail.
  void look_at_given_up() {
    for (std::size_t i = 0; i < v_.claims.size(); ++i) {
      const Claim& claim = v_.claims[i];
      const bool given_up =
          claim.unfounded && claim.outcome() != nullptr && claim.outcome()->given_up;
      const core::FunctionId id = core::find_function(*v_.program, claim.id.function);
      if (!given_up || !id.valid() || stopped()) continue;
      const auto target = target_of(*claim.obligation());
      if (!target) continue;
      const explain::Subject subject{machine_, id, from_any_state(id)};
      auto plans = explain::hunt(subject, {*target}, {kForGivenUp, 1, settings_.allowance});
      if (!plans[0]) continue;
      explanations_[i] = std::make_shared<Explanation>();
      real(subject, *target, std::move(*plans[0]), i);
      if (explanations_[i]->cause != Cause::Real) explanations_[i] = nullptr;
    }
  }

  void of_function(const std::string& name, const std::vector<std::size_t>& claims) {
    const core::FunctionId id = core::find_function(*v_.program, name);
    if (!id.valid()) return;
    const explain::Subject subject{machine_, id, from_any_state(id)};
    std::vector<explain::Target> targets;
    std::vector<std::size_t> of;
    bool surely = false;
    for (std::size_t i : claims)
      if (auto target = target_of(*v_.claims[i].obligation())) {
        targets.push_back(std::move(*target));
        of.push_back(i);
        surely = surely || v_.claims[i].outcome()->broken;
      }
    std::vector<std::optional<explain::Plan>> plans =
        explain::hunt(subject, targets, {2'000'000, 1, settings_.allowance, surely});
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (!plans[k])
        plans[k] = unrolled(subject, targets[k], *v_.claims[of[k]].obligation(), engine_,
                            settings_.verify.unroll, settings_.allowance);
      if (plans[k]) real(subject, targets[k], std::move(*plans[k]), of[k]);
    }
  }

  [[nodiscard]] bool has_functions() const {
    return std::none_of(v_.claims.begin(), v_.claims.end(), [](const prove::Claim& claim) {
      return claim.id.kind == ClaimKind::FunctionsMet && claim.status != Status::Proved;
    });
  }
  // There is one run of a lemma, of a pure function and of what is looked at alone: what nobody
  // asked for is told as if it were the same.
  static void make_one_run(const explain::Subject& subject, explain::Plan& plan) {
    const core::Function& f = subject.machine.program().functions[subject.function];
    if (f.is_of_one_run()) plan.inputs.values.original = plan.inputs.values.relaxed;
    if (f.pure.valid()) plan.inputs.values.relaxed = plan.inputs.values.original;
  }

  void real(const explain::Subject& subject, const explain::Target& target, explain::Plan plan,
            std::size_t claim) {
    make_one_run(subject, plan);
    explain::shrink(subject, target, plan);
    make_one_run(subject, plan);
    const std::optional<interp::Outcome> outcome = explain::replay(subject, target, plan);
    if (!outcome) return;
    // Of functions of which it is not shown that there are any, no run is one.
    if (outcome->tables && !outcome->tables->points().empty() && !has_functions()) return;
    plan.inputs = interp::with_tables(std::move(plan.inputs), *outcome);
    Explanation& e = *explanations_[claim];
    e.cause = Cause::Real;
    e.story = explain::tell(machine_, target, plan, *outcome, settings_.full ? 0 : 14);
    e.function = subject.function;
    if (v_.claims[claim].id.kind == ClaimKind::Decreases)
      e.endless = explain::find_endless_loop(subject, plan);
    e.plan = std::move(plan);
    // What a run does is no matter of opinion: the claim does not hold.
    v_.claims[claim].status = Status::Refuted;
    v_.claims[claim].unfounded = false;
  }

  // A state that the hypotheses allow, as plain as there is one: few faults, runs that agree as
  // far as they can, small numbers, short vectors.
  void picture(std::size_t claim) {
    const vcgen::Obligation& o = *v_.claims[claim].obligation();
    logic::TermTable& terms = *v_.claims[claim].evidence->terms;
    prove::Examiner examiner(terms, engine_);
    const vcgen::Known known = o.question.log->everything(terms, o.question.known, o.question.goal);
    for (int n = 1; n <= 3; ++n) {
      const bool vectors = !known.arrays.empty();
      std::vector<logic::Term> all =
          vectors && n < 3 ? prove::with_short_vectors(known, terms, n) : known.all();
      if (!vectors && n > 1) return;
      explain::Reading reading(machine_, terms, o.origins, std::min(n, 2));
      if (!examiner.model(all, o.question.goal, {})) continue;
      const auto prefer = [&](logic::Term wish) {
        all.push_back(wish);
        const bool fine = examiner.model(all, o.question.goal, {}).has_value();
        if (!fine) all.pop_back();
        return fine;
      };
      for (std::size_t faults : {0, 1, 2})
        if (prefer(reading.at_most(faults))) break;
      const std::vector<logic::Term> same = reading.same_in_both();
      if (!prefer(terms.and_(same)) && same.size() <= 12)
        for (logic::Term one : same) (void)prefer(one);
      for (int magnitude : {1, 2, 5, 10, 100, 1000})
        if (prefer(reading.within(magnitude))) break;
      if (const auto values = examiner.model(all, o.question.goal, reading.asked())) {
        explanations_[claim]->picture =
            reading.picture(*values, core::find_function(*v_.program, v_.claims[claim].id.function),
                            o.expr, o.side);
        return;
      }
    }
  }

  void suggestions(const std::string& name, const std::vector<std::size_t>& claims) {
    const core::FunctionId id = core::find_function(*v_.program, name);
    std::vector<std::size_t> weak;
    for (std::size_t i : claims)
      if (explanations_[i]->cause == Cause::Weak) weak.push_back(i);
    if (!id.valid() || weak.empty()) return;
    for (const Suggestion& s : suggest(v_, id, weak, settings_.verify, engine_))
      for (std::size_t claim : s.claims) explanations_[claim]->suggestion = s.invariants;
  }

  [[nodiscard]] bool from_any_state(core::FunctionId id) const {
    return vcgen::Generator(*v_.program, {}).from_any_state(id);
  }

  static constexpr std::uint64_t kForGivenUp = 2'000'000;  // steps

  Verification& v_;
  const Settings& settings_;
  prove::Engine& engine_;
  interp::Machine machine_;
  std::vector<std::shared_ptr<Explanation>> explanations_;  // by claim
};

}  // namespace

Explanations explain_claims(prove::Verification& v, const Settings& settings,
                            prove::Engine& engine) {
  if (v.status() == Status::Proved || !v.program) return {};
  return Explainer(v, settings, engine).run();
}

std::vector<prove::Verification::Invariant> suggested(const Explanations& explanations) {
  std::vector<Verification::Invariant> out;
  for (const auto& explanation : explanations) {
    if (!explanation) continue;
    for (const Verification::Invariant& i : explanation->suggestion)
      if (std::none_of(out.begin(), out.end(), [&](const Verification::Invariant& known) {
            return known.text == i.text && known.loop == i.loop;
          }))
        out.push_back(i);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.loop.begin < b.loop.begin; });
  return out;
}

}  // namespace leto::diagnose

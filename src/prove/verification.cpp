#include "prove/verification.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <set>

namespace leto::prove {

int badness(Status status) {
  switch (status) {
    case Status::Proved:
      return 0;
    case Status::Vacuous:
      return 1;
    case Status::Unknown:
      return 2;
    case Status::Refuted:
      return 3;
  }
  return 3;
}

std::string Claim::headline() const {
  const bool of_assumptions = core::group_of(id.kind) == core::ClaimGroup::Consistent;
  const bool fails = status == Status::Refuted || (status == Status::Vacuous && of_assumptions);
  return fails ? core::failing(id) : core::claimed(id);
}

Status Verification::status() const {
  Status worst = Status::Proved;
  for (const Claim& claim : claims)
    if (badness(claim.status) > badness(worst)) worst = claim.status;
  return worst;
}

std::size_t Verification::count(Status wanted) const {
  return static_cast<std::size_t>(std::count_if(
      claims.begin(), claims.end(), [&](const Claim& claim) { return claim.status == wanted; }));
}

std::size_t Verification::questions() const {
  std::size_t sum = inference_calls;
  for (const Outcome& outcome : outcomes)
    if (outcome.parts.empty()) sum += outcome.calls;
  return sum;
}

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Everything that goes into one verification, from obligations to claims.
class Settlement {
 public:
  Settlement(Verification& v, Discharger& discharger, const VerifySettings& settings)
      : v_(v), discharger_(discharger), settings_(settings) {}

  void add(std::vector<vcgen::Obligation>& obligations,
           std::vector<vcgen::Assumption>& assumptions) {
    const std::size_t first = v_.obligations.size();
    for (vcgen::Assumption& a : assumptions) {
      a.first += first;
      a.last += first;
      assumptions_.push_back(std::move(a));
    }
    std::move(obligations.begin(), obligations.end(), std::back_inserter(v_.obligations));
  }

  void settle(const Watch& watch) {
    decide(watch);
    find_unfounded();
    find_vacuous();
    if (settings_.trap == Trap::StaleVerdict) inherit_verdicts();
    v_.mismatch = !discharger_.audit(v_.obligations, v_.outcomes);
    // A verdict that nobody earned is our own mistake, and never reported.
    LETO_ASSERT(!v_.mismatch || settings_.trap == Trap::StaleVerdict);
    make_claims();
  }

 private:
  void decide(const Watch& watch) {
    std::vector<std::size_t> all(v_.obligations.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    v_.outcomes.resize(all.size());
    std::size_t done = 0;
    const auto progress = [&](std::size_t i, bool finished) {
      done += finished ? 1 : 0;
      if (!finished && watch.started) watch.started(v_.obligations[i], done, all.size());
    };
    discharger_.run(v_.obligations, all, progress, v_.outcomes);
    // What inference took for proved has been asked before in these very words. It is refuted by
    // nobody, but the time may be over, or the solver gone.
    for (std::size_t i = 0; i < all.size(); ++i)
      LETO_ASSERT(v_.obligations[i].parts.empty() || v_.outcomes[i].proof ||
                  v_.outcomes[i].reason != solver::Reason::None);
  }

  // What the trap does: what is not proved has the verdict of what stands before it.
  void inherit_verdicts() {
    for (std::size_t i = 1; i < v_.outcomes.size(); ++i)
      if (!v_.outcomes[i].proof && v_.outcomes[i - 1].proof) v_.outcomes[i] = v_.outcomes[i - 1];
  }

  // Every proof about a program rests on what its model says of itself.
  void find_unfounded() {
    const auto about_model = [&](std::size_t i) {
      return core::is_about_model(v_.obligations[i].claim.kind);
    };
    bool sound = true;
    for (std::size_t i = 0; i < v_.outcomes.size(); ++i)
      sound = sound && (!about_model(i) || v_.outcomes[i].proof);
    if (!sound)
      for (std::size_t i = 0; i < v_.outcomes.size(); ++i)
        v_.outcomes[i].unfounded = !about_model(i);
  }

  // What follows from assumptions that contradict themselves is not counted as proved. The
  // contradiction is a claim of its own, lest there be no other behind it.
  void find_vacuous() {
    if (settings_.trap == Trap::NoVacuity) return;
    find_proofs_of_nothing();
    const std::vector<Doubt> doubts =
        discharger_.contradictions(assumptions_, v_.obligations, v_.outcomes);
    for (const bool end : {false, true})
      for (const Doubt& doubt : doubts)
        if (assumptions_[doubt.assumption].end == end) settle_doubt(doubt);
  }

  // In a function, where no branch leads, only what is assumed can be what contradicts itself; or
  // what is claimed of the original run, if that fails. (A specification of a model may well be one
  // that is never enabled.)
  void find_proofs_of_nothing() {
    std::set<std::string> functions;
    if (v_.program)  // not of a refinement
      for (const core::Function& f : v_.program->functions) functions.insert(f.name);
    for (std::size_t k = 0; k < v_.outcomes.size(); ++k) {
      const std::string& function = v_.obligations[k].claim.function;
      if (v_.outcomes[k].proof && v_.outcomes[k].of_nothing && functions.contains(function) &&
          !something_fails(function, v_.outcomes.size()))
        v_.outcomes[k].vacuous = true;
    }
  }

  void settle_doubt(const Doubt& doubt) {
    const vcgen::Assumption& a = assumptions_[doubt.assumption];
    const std::string& function = a.claim.function;
    if (something_fails(function, a.end ? v_.outcomes.size() : a.first)) return;
    if (a.end && is_vacuous(function)) return;  // that says it
    Claim claim{a.claim};
    claim.situation = a.situation;
    switch (doubt.kind) {
      case Doubt::Kind::Contradicts:
        for (std::size_t k : find_behind(a, v_.obligations, *v_.terms))
          v_.outcomes[k].vacuous = true;
        claim.status = Status::Vacuous;
        break;
      case Doubt::Kind::NobodyThere:
        claim.situation = "it is not known whether anybody gets there";
        break;
      case Doubt::Kind::Unanswered:
        // A proof that took its claim is one of something.
        for (std::size_t k : find_behind(a, v_.obligations, *v_.terms))
          v_.outcomes[k].unanswered = v_.outcomes[k].suspect;
        claim.situation = "that was not answered";
        break;
    }
    contradictions_.push_back(std::move(claim));
  }

  // Whether something of a function is known to hold for no reason.
  [[nodiscard]] bool is_vacuous(const std::string& function) const {
    for (std::size_t k = 0; k < v_.outcomes.size(); ++k)
      if (v_.obligations[k].claim.function == function && v_.outcomes[k].vacuous) return true;
    return std::any_of(contradictions_.begin(), contradictions_.end(),
                       [&](const Claim& c) { return c.id.function == function; });
  }

  // A claim that fails is assumed behind it, and that may be what contradicts.
  [[nodiscard]] bool something_fails(const std::string& function, std::size_t before) const {
    for (std::size_t k = 0; k < std::min(before, v_.outcomes.size()); ++k)
      if (v_.obligations[k].claim.function == function && !v_.outcomes[k].proof) return true;
    return false;
  }

  void make_claims() {
    std::map<core::ClaimId, std::size_t> index;
    for (std::size_t i = 0; i < v_.obligations.size(); ++i) {
      const auto [it, fresh] = index.emplace(v_.obligations[i].claim, v_.claims.size());
      if (fresh) {
        Claim claim{it->first};
        claim.status = v_.outcomes[i].status();
        claim.worst = i;
        v_.claims.push_back(std::move(claim));
      }
      add_to(v_.claims[it->second], i);
    }
    std::move(contradictions_.begin(), contradictions_.end(), std::back_inserter(v_.claims));
  }
  void add_to(Claim& claim, std::size_t i) {
    const Outcome& outcome = v_.outcomes[i];
    claim.obligations.push_back(i);
    claim.seconds += outcome.seconds;
    claim.resource += outcome.resource;
    if (badness(outcome.status()) > badness(claim.status)) {
      claim.status = outcome.status();
      claim.worst = i;
    }
    const bool unfounded = v_.outcomes[claim.worst].proof && v_.outcomes[claim.worst].unfounded;
    claim.situation = unfounded ? "it rests on what the model says of itself, which is not proved"
                                : v_.obligations[claim.worst].situation;
  }

  Verification& v_;
  Discharger& discharger_;
  const VerifySettings& settings_;
  std::vector<vcgen::Assumption> assumptions_;
  std::vector<Claim> contradictions_;
};

// Functions that could not be looked at wholly: nothing is known of what they claim.
void add_incomplete(Verification& v, const Inference& inference, const VerifySettings& settings) {
  for (core::FunctionId id : inference.incomplete) {
    const core::Function& f = v.program->functions[id];
    const bool stopped = spent(settings.allowance);
    Claim claim{{core::ClaimKind::FunctionExtent, f.name, f.span}};
    claim.situation = stopped ? "the time was over before"
                              : fmt::format(
                                    "more than {} statements on all ways through it and "
                                    "through what it calls",
                                    settings.steps);
    v.claims.push_back(std::move(claim));
  }
}

}  // namespace

std::vector<Verification::Invariant> in_source(const core::Program& program,
                                               const std::vector<Invariant>& invariants) {
  std::map<core::StmtId, std::string> owner;
  for (const core::Function& f : program.functions)
    core::for_each_statement(program, f.body, [&](core::StmtId id) { owner.emplace(id, f.name); });
  std::vector<Verification::Invariant> out;
  for (const Invariant& one : invariants) {
    const auto& node = std::get<core::While>(program.stmts[one.loop].node);
    out.push_back({owner.at(one.loop), program.stmts[one.loop].span, program.stmts[node.body].span,
                   (one.relational ? "invariant_r " : "invariant ") + one.text});
  }
  return out;
}

bool carries_over(const core::Program& program, Trap trap) {
  bool assigns = false;
  for (const core::Function& f : program.functions)
    core::for_each_statement(program, f.body, [&](core::StmtId id) {
      const core::VarId target = core::target_of(program, id);
      assigns = assigns || (target.valid() && program.vars[target].kind == core::VarKind::State);
    });
  return !assigns || trap == Trap::FollowsWhateverIsAssigned;
}

namespace {

// What the rules take for granted, and all that may lead to it: clauses, what is claimed of one
// run, that loops end. Only what is claimed of both runs leads to nothing: it is shown first.
std::vector<core::ExprId> taken_for_granted(const core::Program& program) {
  std::vector<core::ExprId> all;
  for (const core::Function& f : program.functions) {
    for (const core::ParamSize& size : f.sizes) all.push_back(size.size);
    for (const core::Clause& clause : f.requires_) all.push_back(clause.expr);
    for (const core::Clause& clause : f.ensures) all.push_back(clause.expr);
    if (f.external()) continue;
    core::for_each_statement(program, f.body, [&](core::StmtId id) {
      const auto& node = program.stmts[id].node;
      const auto* claim = std::get_if<core::Claim>(&node);
      if (claim != nullptr && claim->kind == core::AssertionKind::AssertR) return;
      core::for_each_expression(program, id,
                                [&](core::ExprId expr, core::Use) { all.push_back(expr); });
    });
  }
  return all;
}

}  // namespace

bool takes_model_for_granted(const core::Program& program) {
  bool mentions = false;
  for (core::ExprId expr : taken_for_granted(program))
    core::for_each_read(program, expr, [&](core::VarId var, core::Side) {
      const core::VarKind kind = program.vars[var].kind;
      mentions = mentions || kind == core::VarKind::State || kind == core::VarKind::Constant;
    });
  return mentions;
}

Verification verify(core::Program program, const VerifySettings& settings, engine::Crew& crew,
                    engine::Cache* cache, const Watch& watch) {
  const auto start = Clock::now();
  Verification v;
  v.program = std::make_shared<core::Program>(std::move(program));
  v.terms = std::make_shared<logic::TermTable>(settings.trap);
  core::Program& lowered = *v.program;
  v.model = lowered.model.name;
  v.relative = settings.trust_original;
  Engine engine{{settings.dump, settings.salt, settings.trap}, crew, cache};
  Discharger discharger(*v.terms, engine);
  Settlement settlement(v, discharger, settings);
  vcgen::Options options;
  options.trust_original = settings.trust_original;
  options.trap = settings.trap;
  options.most_steps = settings.steps;
  options.allowance = settings.allowance;
  vcgen::Result model = vcgen::generate_model_checks(lowered, *v.terms, options);
  settlement.add(model.obligations, model.assumptions);
  const Proposals proposals = propose(lowered, settings.infer ? Width::Usual : Width::Hidden);
  Inference inference = infer(lowered, proposals, *v.terms, options, discharger, watch.inferring);
  v.trusted = inference.trusted;
  v.inferred = in_source(lowered, standing_everywhere(lowered, inference));
  v.candidates = inference.candidates;
  v.rounds = inference.rounds;
  v.inference_calls = inference.calls;
  v.inference_seconds = seconds_since(start);
  settlement.add(inference.obligations, inference.assumptions);
  settlement.settle(watch);
  add_incomplete(v, inference, settings);
  v.seconds = seconds_since(start);
  return v;
}

Verification verify_refinement(core::Refinement refinement, const core::Program& own,
                               const VerifySettings& settings, engine::Crew& crew,
                               engine::Cache* cache, const Watch& watch) {
  const auto start = Clock::now();
  Verification v;
  v.terms = std::make_shared<logic::TermTable>();
  v.model = refinement.program.model.name;
  Engine engine{{settings.dump, settings.salt, settings.trap}, crew, cache};
  Discharger discharger(*v.terms, engine);
  Settlement settlement(v, discharger, settings);
  vcgen::Options options;
  options.trap = settings.trap;
  vcgen::Result model = vcgen::generate_model_checks(own, *v.terms, {});
  settlement.add(model.obligations, model.assumptions);
  vcgen::Result generated = vcgen::generate_refinement(refinement, *v.terms, options);
  settlement.add(generated.obligations, generated.assumptions);
  settlement.settle(watch);
  v.program = std::make_shared<core::Program>(std::move(refinement.program));
  v.seconds = seconds_since(start);
  return v;
}

}  // namespace leto::prove

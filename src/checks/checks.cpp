#include "checks/checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include "checks/excerpt.h"
#include "checks/fault_budget.h"
#include "checks/recovery_claims.h"
#include "core/calls.h"
#include "diagnose/unrolled.h"
#include "prove/infer.h"
#include "reliability/mending.h"
#include "reliability/right.h"

namespace leto::checks {

using reliability::Known;

namespace {

// Else it was not answered whether there is one.
bool has_contradiction(const std::vector<prove::Doubt>& doubts) {
  return std::any_of(doubts.begin(), doubts.end(), [](const prove::Doubt& doubt) {
    return doubt.kind == prove::Doubt::Kind::Contradicts;
  });
}

// What two proofs about the same code trust: mostly the same.
void cover(vcgen::Trusted& most, const vcgen::Trusted& other) {
  most.assertions = std::max(most.assertions, other.assertions);
  most.checks = std::max(most.checks, other.checks);
  most.invariants = std::max(most.invariants, other.invariants);
  most.assumed = std::max(most.assumed, other.assumed);
}

// One proof about a block; if there is none, why.
struct Proof {
  bool done = false;
  Doubt doubt = {};
  vcgen::Trusted trusted = {};
};

class Prover {
 public:
  Prover(const core::Program& program, prove::Engine& engine, const RecoverySettings& settings)
      : program_(program), engine_(engine), settings_(settings), uses_(program, settings.trap) {}

  Recoveries run() {
    Recoveries out;
    for (std::size_t i = 0; i < program_.recoveries.size() && settings_.recovery_rule; ++i)
      look_at(i, out);
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i) {
      const core::FunctionId id{i};
      for (std::size_t k = 0; k < program_.functions[id].reliability.size(); ++k)
        if (program_.functions[id].reliability[k].relaxed.valid()) look_at_right({id, k}, out);
    }
    return out;
  }

  // Nothing is trusted: both runs come to their end or fail, and all that is claimed of them holds,
  // in a function and in all that it rests on.
  WithinBudget show_absolutely(core::FunctionId function) {
    WithinBudget out;
    const auto refuse = [&](std::string why, bool undecided) {
      out.why_not = std::move(why);
      out.undecided = undecided;
      return out;
    };
    if (stopped()) return refuse("the time is over", true);
    if (const auto declared = core::externals_called(program_); !declared.empty())
      return refuse(fmt::format("it rests on what is declared of '{}'", declared.front()), false);
    if (!model_is_sound())
      return refuse("what the model says of itself is not shown: see 'leto verify'",
                    model_undecided_);
    if (!find_partial().empty())
      return refuse(fmt::format("the definition of '{}' is not proved total", find_partial()),
                    true);
    std::vector<core::FunctionId> all = contracts_of(program_, function);
    all.push_back(function);
    for (core::FunctionId f : all) {
      Excerpt part(program_, f);
      if (f == function || is_called(f)) add_caller(part.program, part.function);
      const Shown shown = show(part.program, part.function, Which::All);
      const std::string& name = program_.functions[f].name;
      if (shown.trusted.assumed > 0)
        return refuse(fmt::format("'{}' assumes something of the original run", name), false);
      if (shown.all) continue;
      return refuse(
          f == function ? describe_open(shown) : fmt::format("what '{}' claims is not shown", name),
          shown.undecided);
    }
    out.proved = true;
    return out;
  }

 private:
  enum class Which : std::uint8_t {
    NoFailures,           // of either run
    NoOriginalsFailures,  // of the original
    All,
  };
  void look_at(std::size_t i, Recoveries& out) {
    const core::Recovery& r = program_.recoveries[i];
    const Proof& check = check_of(r);
    Known known, best;
    known.check_proved = check.done;
    best.check_proved = check.done || check.doubt.undecided;
    if (!check.done) out.checks[i] = check.doubt;
    const bool in_vain = settings_.in_vain.contains(i) || contradicted(r, check.doubt);
    if (in_vain) out.in_vain.insert(i);
    if (!check.done && !r.checker.empty() && !in_vain)
      known.declared = best.declared = Known::Declared{
          reliability::Chance::parse(r.false_positive).value_or(reliability::certain()),
          reliability::Chance::parse(r.false_negative).value_or(reliability::certain())};
    if (!best.check_proved && !best.declared) return;
    const reliability::Again again = reliability::find_again(program_, uses_, r, settings_.trap);
    if (again.mends) {
      known.mending = best.mending = Known::Mending::Again;
    } else if (again.same_code && uses_.recovery_at(r.recover) != nullptr) {  // another attempt
      out.mendings[i] = {again.why_not};
    } else {
      const Proof& mending = mending_of(r, !check.done);
      if (mending.done) known.mending = Known::Mending::Proved;
      if (mending.done || mending.doubt.undecided) best.mending = Known::Mending::Proved;
      if (!mending.done) out.mendings[i] = mending.doubt;
      if (!mending.done && again.same_code) out.mendings[i].text = again.why_not;
      cover(out.trusted[i], mending.trusted);
    }
    cover(out.trusted[i], check.trusted);
    out.known[i] = known;
    out.at_best[i] = best;
  }

  // What a problem calls right
  // ---------------------------------------------------------------------

  void look_at_right(const reliability::ClauseKey& key, Recoveries& out) {
    reliability::KnownRight known, best;
    std::vector<Doubt>& doubts = out.right_doubts[key];
    const core::ReliabilityClause& clause = program_.functions[key.first].reliability[key.second];
    // Nothing is known of what was given once it is changed.
    const reliability::Vars& changed = uses_.sets(program_.functions[key.first].body);
    for (core::VarId input : clause.inputs)
      if (changed.contains(input))
        return doubts.push_back({fmt::format("the function changes its input '{}': work on a copy",
                                             program_.vars[input].name)});
    const auto take = [&](Proof proof, bool reliability::KnownRight::*what, const char* of) {
      cover(out.right_trusted[key], proof.trusted);
      known.*what = proof.done;
      best.*what = proof.done || proof.doubt.undecided;
      if (proof.done) return;
      proof.doubt.text = of + proof.doubt.text;
      doubts.push_back(std::move(proof.doubt));
    };
    take(original_of(key), &reliability::KnownRight::original, "the original run: ");
    const std::optional<reliability::Guard> guard =
        settings_.recovery_rule ? reliability::find_guard(program_, uses_, key.first, clause)
                                : std::nullopt;
    if (guard) {
      const Guarded block(program_, uses_, *guard, clause.relaxed);
      take(accepts_of(block), &reliability::KnownRight::accepts, "the check: ");
      if (best.accepts) {
        take(passes_of(block), &reliability::KnownRight::passes, "the check: ");
        look_at_mending(block, known, best, doubts);
      }
    }
    out.right[key] = known;
    out.right_at_best[key] = best;
  }
  // The block that guards a result, and what is to hold behind it.
  struct Guarded {
    core::Program program;
    const core::Recovery& recovery;
    reliability::Footing footing;
    core::ExprId right;

    Guarded(const core::Program& whole, reliability::Uses& uses, const reliability::Guard& guard,
            core::ExprId said)
        : program(whole),
          recovery(whole.recoveries[guard.recovery]),
          footing(reliability::find_footing(whole, uses, recovery)),
          right(behind(said, guard)) {}
    [[nodiscard]] Excerpt excerpt() const { return {program, recovery, footing, right}; }

   private:
    // With what the outputs are called there.
    core::ExprId behind(core::ExprId id, const reliability::Guard& guard) {
      if (const auto* ref = std::get_if<core::VarRef>(&program.exprs[id].node)) {
        const auto now = guard.now.find(ref->var);
        if (now == guard.now.end() || ref->side != core::Side::Relaxed) return id;
        core::Expr expr = program.exprs[id];
        std::get<core::VarRef>(expr.node).var = now->second;
        return program.exprs.add(std::move(expr));
      }
      return core::map(program, id, [&](core::ExprId child) { return behind(child, guard); });
    }
  };
  void look_at_mending(const Guarded& block, reliability::KnownRight& known,
                       reliability::KnownRight& best, std::vector<Doubt>& doubts) {
    const bool again =
        reliability::find_again(program_, uses_, block.recovery, settings_.trap).mends;
    if (again && best.passes) {
      best.mending = Known::Mending::Again;
      if (known.accepts && known.passes) known.mending = Known::Mending::Again;
      return;
    }
    if (uses_.recovery_at(block.recovery.recover) != nullptr) return;  // another attempt
    Excerpt part = block.excerpt();
    Proof mends = trusting_no_assertion(
        prove(part, claim_mends(part.program, part.recovery, part.footing, part.said)));
    if (mends.done) known.mending = Known::Mending::Proved;
    if (mends.done || mends.doubt.undecided) best.mending = Known::Mending::Proved;
    if (!mends.done) doubts.push_back(std::move(mends.doubt));
  }
  Proof accepts_of(const Guarded& block) {
    Excerpt part = block.excerpt();
    return trusting_no_assertion(
        prove(part, claim_accepts(part.program, part.recovery, part.footing, part.said)));
  }
  Proof passes_of(const Guarded& block) {
    Excerpt part = block.excerpt();
    return trusting_no_assertion(
        prove(part, claim_passes(part.program, part.recovery, part.footing)));
  }
  // What the original run asserts may be what is right, and nobody has proved it.
  static Proof trusting_no_assertion(Proof proof) {
    if (!proof.done || proof.trusted.assertions + proof.trusted.assumed == 0) return proof;
    proof.done = false;
    proof.doubt = {"it rests on what is assumed, or asserted of the original run and not proved",
                   false, false};
    return proof;
  }
  // That what the original run hands out is right, with nothing trusted.
  Proof original_of(const reliability::ClauseKey& key) {
    Excerpt part(program_, key.first);
    core::Function& f = part.program.functions[part.function];
    f.ensures.push_back({f.reliability[key.second].original, true});
    if (is_called(key.first)) add_caller(part.program, part.function);
    return trusting_no_assertion(prove(part, {part.function, {}}, Which::All));
  }

  // The proofs ------------------------------------------------------------------------------------

  // Attempts that differ in what recovers have the check in common.
  const Proof& check_of(const core::Recovery& r) {
    const auto [it, fresh] = checks_.try_emplace({r.body, r.test, r.check});
    if (!fresh) return it->second;
    Excerpt part(program_, r, reliability::find_footing(program_, uses_, r));
    it->second = prove(part, claim_check(part.program, part.recovery, part.footing));
    if (settings_.trap == Trap::CheckNotProved) it->second.done = true;
    return it->second;
  }
  const Proof& mending_of(const core::Recovery& r, bool original_too) {
    const auto [it, fresh] = mendings_.try_emplace({r.body, r.test, r.check, r.recover});
    if (!fresh) return it->second;
    Excerpt part(program_, r, reliability::find_footing(program_, uses_, r));
    original_too = original_too && settings_.trap != Trap::OriginalNeverRecovers;
    it->second =
        prove(part, claim_mending(part.program, part.recovery, part.footing, original_too));
    if (settings_.trap == Trap::RecoverNotCompared) it->second.done = true;
    return it->second;
  }

  Proof prove(Excerpt& part, const RecoveryClaims& claims, Which which = Which::NoFailures) {
    Proof out;
    if (stopped()) {
      out.doubt = {"the time is over", false, true};
      return out;
    }
    if (!model_is_sound()) {
      out.doubt = {fmt::format("it rests on {}, which is {}: see 'leto verify'",
                               only_constants_ ? core::describe_constants(program_)
                                               : "what the model says of itself",
                               model_undecided_ ? "undecided" : "not shown"),
                   false, model_undecided_};
      return out;
    }
    if (reads_labels_around(part.program, claims.function)) {
      out.doubt = {"it looks at a loop around it, by its label", false, false};
      return out;
    }
    if (const std::string partial = find_partial(); !partial.empty()) {
      out.doubt = {
          fmt::format("the definition of '{}' is not proved total: see 'leto verify'", partial),
          false, true};
      return out;
    }
    const Shown shown = show(part.program, claims.function, which);
    out.trusted = shown.trusted;
    if (!shown.all) {
      out.doubt = doubt_of(part.program, claims, shown);
      return out;
    }
    for (core::FunctionId f : contracts_of(part.program, claims.function)) {
      const Shown& kept = contract(part.in_whole(f));
      out.trusted.add(kept.trusted);
      if (kept.all) continue;
      out.doubt = {fmt::format("it rests on {} '{}', which is not shown: see 'leto verify'",
                               part.program.functions[f].lemma ? "lemma" : "the contract of",
                               part.program.functions[f].name),
                   false, kept.undecided};
      return out;
    }
    out.done = true;
    return out;
  }

  // Proves what is claimed in one function. Runs that fail (out of bounds, an assertion, no way on)
  // do not come to their end, and nothing is said of those; everything else that is assumed later
  // has to be shown.
  struct Shown {
    bool all = true, undecided = false;
    vcgen::Obligation first = {};  // that is not; a refuted one if there is one
    vcgen::Trusted trusted = {};
  };
  static std::string describe_open(const Shown& shown) {
    if (!shown.first.expr.valid()) return "what is known contradicts itself";
    return fmt::format("not shown: {}", core::claimed(shown.first.claim));
  }
  Shown show(core::Program& program, core::FunctionId function, Which which) {
    logic::TermTable terms;
    prove::Discharger discharger(terms, engine_);
    const prove::Proposals proposals = prove::propose(program, prove::Width::Usual);
    vcgen::Options options;
    // What is claimed of the original run and is no failure of it has to be shown: a run goes on
    // when it does not hold, and anything would follow.
    options.trust_original = false;
    options.most_steps = settings_.steps;
    options.allowance = settings_.allowance;
    vcgen::Generator generator(program, options);
    const prove::Inference inference =
        prove::infer({program, proposals, {}, generator, {}}, function, terms, discharger);
    Shown out;
    out.trusted.assumed = inference.trusted.assumed;
    if (inference.incomplete) out.all = false, out.undecided = true;
    std::vector<std::size_t> claims;
    std::set<std::pair<std::uint32_t, std::uint32_t>> failures;  // of the original, by place
    for (std::size_t k = 0; k < inference.obligations.size(); ++k) {
      const vcgen::Obligation& o = inference.obligations[k];
      const bool original = o.side == core::Side::Original;
      const bool left_out =
          which == Which::NoFailures || (which == Which::NoOriginalsFailures && original);
      if (!core::ends_run(o.claim.kind) || !left_out) {
        claims.push_back(k);
      } else if (original && failures.insert({o.claim.at.file.value, o.claim.at.begin}).second) {
        ++(core::group_of(o.claim.kind) == core::ClaimGroup::Assertion ? out.trusted.assertions
                                                                       : out.trusted.checks);
      }
    }
    std::vector<prove::Outcome> outcomes(inference.obligations.size());
    discharger.run(
        inference.obligations, claims, [](std::size_t, bool) {}, outcomes);
    const std::vector<prove::Doubt> doubts =
        discharger.contradictions(inference.assumptions, inference.obligations, outcomes);
    if (!doubts.empty()) {
      out.all = false;
      out.undecided = out.undecided || !has_contradiction(doubts);
    }
    bool refuted = !out.all && !out.undecided;
    for (std::size_t k : claims) {
      const prove::Status status = outcomes[k].status();
      if (status == prove::Status::Proved) continue;
      const bool worse = status != prove::Status::Unknown && !refuted;
      if (out.all || worse) out.first = inference.obligations[k];
      refuted = refuted || worse;
      out.all = false;
      out.undecided = !refuted;
    }
    return out;
  }

  static std::vector<prove::Outcome> decide_all(prove::Discharger& discharger,
                                                const std::vector<vcgen::Obligation>& obligations) {
    std::vector<std::size_t> all(obligations.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<prove::Outcome> outcomes(all.size());
    discharger.run(
        obligations, all, [](std::size_t, bool) {}, outcomes);
    return outcomes;
  }

  // What every proof under a model rests on: its constants can exist, its invariants are kept.
  bool model_is_sound() {
    if (model_is_sound_) return *model_is_sound_;
    logic::TermTable terms;
    prove::Discharger discharger(terms, engine_);
    const vcgen::Result checks = vcgen::generate_model_checks(program_, terms, {});
    const std::vector<prove::Outcome> outcomes = decide_all(discharger, checks.obligations);
    const std::vector<prove::Doubt> doubts =
        discharger.contradictions(checks.assumptions, checks.obligations, outcomes);
    model_is_sound_ = doubts.empty();
    model_undecided_ = !doubts.empty() && !has_contradiction(doubts);
    for (const prove::Doubt& doubt : doubts)
      only_constants_ =
          only_constants_ && core::is_about_constants(checks.assumptions[doubt.assumption].claim);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const vcgen::Obligation& o = checks.obligations[i];
      if (outcomes[i].status() == prove::Status::Proved ||
          discharger.is_met_by_model(o, outcomes[i], checks.assumptions))
        continue;
      model_is_sound_ = false;
      only_constants_ = only_constants_ && core::is_about_constants(o.claim);
      model_undecided_ = model_undecided_ || core::is_existential(o.claim.kind) ||
                         outcomes[i].status() == prove::Status::Unknown;
    }
    if (*model_is_sound_ && !program_.model.invariants.empty()) look_at_assignments();
    return *model_is_sound_;
  }
  // The program can break the model's invariants by what it assigns, and proofs start from them.
  // Who calls a function that assigns counts too: without a contract it is looked at there, in the
  // state that it is called in, and with one its requirements have to be met there.
  void look_at_assignments() {
    for (core::FunctionId f : find_assigning()) {
      if (!*model_is_sound_) return;
      const Shown& kept = contract(f);
      if (kept.all) continue;
      model_is_sound_ = only_constants_ = false;
      model_undecided_ = kept.undecided;
    }
  }
  // Functions that assign to the model's state, themselves or by calls.
  [[nodiscard]] std::vector<core::FunctionId> find_assigning() const {
    std::vector<core::FunctionId> found;
    core::Effects effects(program_);
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i)
      if (!effects.of_call(core::FunctionId{i}).original.empty())
        found.push_back(core::FunctionId{i});
    return found;
  }

  // Whether something looks back at an iteration of a loop that is not part of it.
  static bool reads_labels_around(const core::Program& program, core::FunctionId function) {
    std::set<core::LoopId> inside;
    bool any = false;
    const core::StmtId body = program.functions[function].body;
    core::for_each_statement(program, body, [&](core::StmtId id) {
      if (const auto* loop = std::get_if<core::While>(&program.stmts[id].node))
        inside.insert(loop->loop);
    });
    const std::function<void(core::ExprId)> look = [&](core::ExprId id) {
      const auto* snapshot = std::get_if<core::Snapshot>(&program.exprs[id].node);
      any = any || (snapshot != nullptr && !inside.contains(snapshot->loop));
      core::for_each_child(program, id, look);
    };
    core::for_each_statement(program, body, [&](core::StmtId id) {
      core::for_each_expression(program, id, [&](core::ExprId expr, core::Use) { look(expr); });
    });
    return any;
  }

  // Those that are known by their contracts only, from a function on: what it calls, lemmas, and
  // pure functions of which there may be talk.
  static std::vector<core::FunctionId> contracts_of(const core::Program& program,
                                                    core::FunctionId function) {
    std::vector<core::FunctionId> seen{function}, found;
    std::set<core::FunctionId> known{function};
    const auto rest_on = [&](core::FunctionId id) {
      if (!known.insert(id).second) return;
      seen.push_back(id);
      const core::Function& f = program.functions[id];
      if ((f.has_contract() || f.lemma || f.pure.valid()) && !f.external()) found.push_back(id);
    };
    for (const core::Definition& definition : program.definitions)
      if (definition.function.valid()) rest_on(definition.function);
    for (std::size_t k = 0; k < seen.size(); ++k) {
      core::for_each_callee(program, seen[k], rest_on);
      core::for_each_statement(program, program.functions[seen[k]].body, [&](core::StmtId id) {
        if (const auto* recall = std::get_if<core::Recall>(&program.stmts[id].node))
          rest_on(recall->lemma);
      });
    }
    return found;
  }
  // A definition of the program that is not proved total, by its name; empty: all of them are.
  const std::string& find_partial() {
    if (partial_) return *partial_;
    partial_.emplace();
    for (std::uint32_t i = 0; i < program_.definitions.size() && partial_->empty(); ++i) {
      const core::DefinitionId id{i};
      if (program_.definitions[id].function.valid() || program_.definitions[id].rigid)
        continue;  // that is proved of the function, or of the model
      logic::TermTable terms;
      prove::Discharger discharger(terms, engine_);
      const vcgen::Result checks = vcgen::generate_definition_checks(program_, id, terms, {});
      for (const prove::Outcome& outcome : decide_all(discharger, checks.obligations))
        if (outcome.status() != prove::Status::Proved) *partial_ = program_.definitions[id].name;
    }
    return *partial_;
  }
  // Of a function of the program. One that somebody calls is verified from any state of the model,
  // whoever it is: its part of the program has somebody who does.
  const Shown& contract(core::FunctionId f) {
    const auto [it, fresh] = contracts_.try_emplace(f);
    if (!fresh) return it->second;
    Excerpt part(program_, f);
    if (is_called(f)) add_caller(part.program, part.function);
    const core::Function& own = part.program.functions[part.function];
    const bool trusts_nothing = own.lemma || own.pure.valid();
    return it->second = show(part.program, part.function,
                             trusts_nothing ? Which::All : Which::NoOriginalsFailures);
  }
  [[nodiscard]] bool is_called(core::FunctionId f) {
    if (called_.empty()) called_ = core::find_called(program_);
    return called_[f.value];
  }

  // What never happens by its declaration, and was seen to happen: that is declared in vain.
  static bool contradicted(const core::Recovery& r, const Doubt& doubt) {
    const auto rate =
        reliability::Chance::parse(doubt.passes_wrong ? r.false_negative : r.false_positive);
    return doubt.shown() && rate && rate->high() == 0;
  }

  // The doubts ------------------------------------------------------------------------------------

  [[nodiscard]] bool stopped() const { return spent(settings_.allowance); }

  Doubt doubt_of(const core::Program& copy, const RecoveryClaims& claims, const Shown& shown) {
    Doubt doubt{"something that its proof rests on is not shown: see 'leto verify'", false,
                shown.undecided};
    for (const RecoveryClaims::Feared& feared : claims.all)
      if (feared.claim == shown.first.expr) {
        doubt.text = feared.what;
        doubt.passes_wrong = feared.passes_wrong;
        // Each search takes a second or two where there is nothing to be found.
        if (settings_.examples &&
            std::chrono::steady_clock::now() - start_ < std::chrono::seconds(10))
          find_example(copy, claims.function, shown.first, doubt);
      }
    if (!doubt.inputs.empty()) doubt.undecided = false;
    if (doubt.undecided) doubt.text += ", which is undecided";
    return doubt;
  }

  // A run that breaks a claim, if one is found, as small as it gets.
  void find_example(const core::Program& program, core::FunctionId function,
                    const vcgen::Obligation& o, Doubt& doubt) {
    const interp::Machine machine(program, settings_.allowance);
    const explain::Subject subject{machine, function, true};
    explain::Target target;
    target.span = o.claim.at;
    target.expr = o.expr;
    target.claims = {interp::ViolationKind::AssertR};
    explain::Hunt budget;
    budget.allowance = settings_.allowance;
    std::optional<explain::Plan> plan = explain::hunt(subject, {target}, budget)[0];
    if (!plan && !stopped())
      plan = diagnose::unrolled(subject, target, o, engine_, 0, settings_.allowance);
    if (!plan) return;
    explain::shrink(subject, target, *plan);
    const std::optional<interp::Outcome> outcome = explain::replay(subject, target, *plan);
    if (!outcome) return;
    const auto inputs = explain::tell(machine, target, *plan, *outcome, 1).inputs;
    for (const explain::Worth& input : inputs) doubt.inputs.emplace_back(input.text, input.value);
    for (const explain::Worth& input : explain::in_records(program, inputs))
      doubt.told.emplace_back(input.text, input.value);
    for (const interp::Taken& taken : outcome->taken) {
      const core::Type& type =
          program.vars[program.specifications[taken.specification].outcome].type;
      doubt.faults.push_back({program.stmts[taken.statement].span,
                              core::operation(program, program.stmts[taken.statement]),
                              interp::text({taken.outcome, nullptr}, type),
                              interp::text({taken.exact, nullptr}, type)});
    }
  }

  const core::Program& program_;
  prove::Engine& engine_;
  const RecoverySettings& settings_;
  reliability::Uses uses_;
  std::vector<bool> called_;  // by function, once somebody has asked
  std::map<std::tuple<core::StmtId, core::StmtId, core::ExprId>, Proof> checks_;
  std::map<std::tuple<core::StmtId, core::StmtId, core::ExprId, core::StmtId>, Proof> mendings_;
  std::map<core::FunctionId, Shown> contracts_;
  std::optional<bool> model_is_sound_;
  std::optional<std::string> partial_;  // a definition that is not total
  bool model_undecided_ = false;
  bool only_constants_ = true;  // of what is not shown of the model
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::map<reliability::ClauseKey, WithinBudget> prove_budgets(
    const core::Program& program, const std::vector<reliability::Bound>& bounds,
    prove::Engine& engine, const RecoverySettings& settings) {
  std::map<reliability::ClauseKey, WithinBudget> out;
  for (const reliability::Bound& bound : bounds) {
    if (!bound.counting || !bound.counting->faults) continue;
    const std::uint64_t faults = *bound.counting->faults;
    Excerpt part(program, bound.function);
    const core::Function& f = part.program.functions[part.function];
    const auto clause = reliability::clause_of(program, bound);
    claim_within_budget(part.program, part.function, f.reliability[clause.second], faults,
                        settings.trap);
    WithinBudget shown = Prover(part.program, engine, settings).show_absolutely(part.function);
    shown.faults = faults;
    out[clause] = std::move(shown);
  }
  return out;
}

Recoveries prove_recoveries(const core::Program& program, prove::Engine& engine,
                            const RecoverySettings& settings) {
  return Prover(program, engine, settings).run();
}

}  // namespace leto::checks

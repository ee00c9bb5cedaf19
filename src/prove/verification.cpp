#include "prove/verification.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include "core/calls.h"
#include "engine/own_code.h"
#include "prove/records.h"
#include "prove/settle.h"

namespace leto::prove {

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

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Tells the watch what happens, one thing at a time.
class Teller {
 public:
  explicit Teller(const Watch& watch) : watch_(watch) {}

  [[nodiscard]] std::function<void(const InferenceRound&)> of_rounds() {
    if (!watch_.inferring) return {};
    return [this](const InferenceRound& round) {
      const std::lock_guard lock(mutex_);
      watch_.inferring(round);
    };
  }
  void expect(std::size_t obligations) {
    const std::lock_guard lock(mutex_);
    total_ += obligations;
  }
  [[nodiscard]] std::function<void(const vcgen::Obligation&, bool)> of_obligations() {
    return [this](const vcgen::Obligation& o, bool done) {
      const std::lock_guard lock(mutex_);
      done_ += done ? 1 : 0;
      if (!done && watch_.started) watch_.started(o, done_, total_);
    };
  }

 private:
  const Watch& watch_;
  std::mutex mutex_;
  std::size_t done_ = 0, total_ = 0;
};

vcgen::Options options_of(const VerifySettings& settings) {
  vcgen::Options options;
  options.trust_original = settings.trust_original;
  options.unroll = settings.unroll;
  options.trap = settings.trap;
  options.most_steps = settings.steps;
  options.allowance = settings.allowance;
  options.summed_up_from = settings.summed_up_from;
  return options;
}

// Whether a function may be taken for proved because it was proved before. Who has questions
// written down, or asks in another order, wants them asked; and what is proved under a model that
// fails is in doubt.
bool may_remember(const VerifySettings& settings, bool model_is_shown) {
  return settings.dump == nullptr && settings.salt == 0 && settings.trap == Trap::None &&
         model_is_shown;
}

std::string manner_of(const VerifySettings& settings) {
  return fmt::format(
      "infer {} trust {} unroll {} steps {} summed up from {} falsified {} explored {}",
      settings.infer, settings.trust_original, settings.unroll, settings.steps,
      settings.summed_up_from, static_cast<bool>(settings.make_falsifier),
      static_cast<bool>(settings.make_explorer));
}

// Where it is not proved that nothing goes beyond the bound, what is proved is so up to there.
void keep_within(unsigned most, std::vector<Claim>& claims) {
  const auto is_open = [](const Claim& claim) {
    return core::group_of(claim.id.kind) == core::ClaimGroup::Within &&
           claim.status != Status::Proved;
  };
  const auto first = std::find_if(claims.begin(), claims.end(), is_open);
  if (first == claims.end()) return;
  const Span because = first->id.at;
  for (Claim& claim : claims) {
    if (!is_open(claim)) {
      doubt(claim, fmt::format("no counterexample up to {}", most), because);
      continue;
    }
    claim.status = Status::Unknown;
    claim.unfounded = true;
    claim.situation = "what does more was not looked at";
  }
}

// Of a loop without a measure no number of iterations says why it ends. No run breaks that either.
void leave_endings_open(std::vector<Claim>& claims) {
  for (Claim& claim : claims) {
    if (claim.id.kind != core::ClaimKind::LoopMeasured || claim.status == Status::Proved) continue;
    claim.status = Status::Unknown;
    claim.unfounded = true;
    claim.situation = "iterations that are unrolled do not say why it ends; 'decreases' does";
  }
}

// A function that could not be looked at wholly: nothing is known of what it claims.
Claim too_large(const core::Function& f, const VerifySettings& settings) {
  Claim claim{{core::ClaimKind::FunctionExtent, f.name, f.span}};
  claim.situation = spent(settings.allowance)
                        ? "the time was over before"
                        : fmt::format(
                              "more than {} statements on all ways through it and through what it "
                              "calls",
                              settings.steps);
  return claim;
}

// A function that uses what is not proved total: no question about it is asked.
Claim of_what_is_not_total(const core::Function& f, const std::string& definition) {
  Claim claim{
      {core::ClaimKind::DefinitionsTotal, f.name, f.span, core::Side::Relaxed, {definition}}};
  claim.situation = fmt::format("the definition of '{}' is not proved total", definition);
  return claim;
}

// By definition: whether it is proved total, and those that it uses are.
using Totality = std::vector<bool>;

// The first of the definitions in an expression, or in what it uses, that is not; invalid: all are.
core::DefinitionId find_partial(const core::Program& program, core::ExprId id,
                                const Totality& total) {
  if (!id.valid()) return {};
  const auto* used = std::get_if<core::Defined>(&program.exprs[id].node);
  if (used != nullptr && !total[used->definition.value]) return used->definition;
  core::DefinitionId found;
  core::for_each_child(program, id, [&](core::ExprId child) {
    if (!found.valid()) found = find_partial(program, child, total);
  });
  return found;
}

// The same of a function, its contract and all that it may be walked into.
core::DefinitionId find_partial(const core::Program& program, core::FunctionId id,
                                const Totality& total) {
  core::DefinitionId found;
  const auto look = [&](core::ExprId expr) {
    if (!found.valid()) found = find_partial(program, expr, total);
  };
  const std::vector<bool> reached = core::find_reached(program, {id});
  for (std::uint32_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    const core::Function& f = program.functions[core::FunctionId{i}];
    for (const auto* clauses : {&f.requires_, &f.ensures})
      for (const core::Clause& clause : *clauses) look(clause.expr);
    for (core::ExprId part : f.measure) look(part);
    if (!f.external())
      core::for_each_statement(program, f.body, [&](core::StmtId s) {
        core::for_each_expression(program, s, [&](core::ExprId e, core::Use) { look(e); });
      });
  }
  return found;
}

// Proves the functions of a program, each by itself: with terms of its own, which go when it is
// done, and by whoever has nothing else to do. What one needs to know of another is in the program.
class Functions {
 public:
  Functions(core::Program& program, const VerifySettings& settings, engine::Crew& crew,
            engine::Cache* cache, Teller& teller, std::shared_ptr<Ledger> ledger,
            bool model_is_shown, const Totality& total)
      : program_(program),
        settings_(settings),
        crew_(crew),
        cache_(cache),
        teller_(teller),
        ledger_(std::move(ledger)),
        model_is_shown_(model_is_shown),
        total_(total),
        records_(program, may_remember(settings, model_is_shown) ? cache : nullptr,
                 engine::find_own_build_id(), manner_of(settings)),
        generators_(crew.size()) {}

  std::vector<Done> verify() {
    std::vector<Done> done(program_.functions.size());
    const std::vector<core::FunctionId> left = recall(done);
    proposals_ = propose(program_, settings_.infer ? Width::Usual : Width::Hidden,
                         core::find_reached(program_, left));
    no_proposals_.resize(program_.loops.size());
    if (settings_.infer && settings_.make_falsifier)
      falsifier_ = settings_.make_falsifier(program_);
    // Where something unsound is tried, and where loops are unrolled, solvers are asked.
    if (settings_.make_explorer && settings_.unroll == 0 && settings_.trap == Trap::None)
      explorer_ = settings_.make_explorer(program_);
    if (settings_.make_breaker && settings_.unroll == 0 && settings_.trap == Trap::None)
      breaker_ = settings_.make_breaker(program_);
    crew_.work(left.size(), [&](unsigned worker, std::size_t i) {
      Done& one = done[left[i].value];
      if (const core::DefinitionId partial = find_partial_of(left[i]); partial.valid()) {
        one.settled.claims.push_back(
            of_what_is_not_total(program_.functions[left[i]], program_.definitions[partial].name));
        return;
      }
      one = verify_one(left[i], generator(worker));
      if (records_.are_kept() && !is_external(left[i]))
        records_.keep(left[i], crew_.solver(worker).identity(),
                      generator(worker).from_any_state(left[i]), one);
    });
    return done;
  }

 private:
  // Those that are left to be proved.
  std::vector<core::FunctionId> recall(std::vector<Done>& done) {
    std::vector<std::uint8_t> found(done.size());
    crew_.work(done.size(), [&](unsigned worker, std::size_t i) {
      const core::FunctionId id{static_cast<std::uint32_t>(i)};
      if (!records_.are_kept() || is_external(id) || find_partial_of(id).valid()) return;
      std::optional<Done> before =
          records_.find(id, crew_.solver(worker).identity(), generator(worker).from_any_state(id));
      if (!before) return;
      done[i] = std::move(*before);
      found[i] = 1;
    });
    std::vector<core::FunctionId> left;
    for (std::uint32_t i = 0; i < done.size(); ++i)
      if (found[i] == 0) left.push_back(core::FunctionId{i});
    return left;
  }
  [[nodiscard]] bool is_external(core::FunctionId id) const {
    return program_.functions[id].external();
  }
  // Where loops are unrolled, only lemmas and pure functions do.
  [[nodiscard]] bool needs_invariants(core::FunctionId id) const {
    const core::Function& f = program_.functions[id];
    return settings_.unroll == 0 || f.lemma || f.pure.valid();
  }
  // For its loops.
  [[nodiscard]] std::size_t count_candidates(core::FunctionId id) const {
    std::size_t count = 0;
    if (!needs_invariants(id)) return count;
    core::for_each_statement(program_, program_.functions[id].body, [&](core::StmtId s) {
      const auto* loop = std::get_if<core::While>(&program_.stmts[s].node);
      if (loop != nullptr) count += proposals_[loop->loop.value].size();
    });
    return count;
  }
  vcgen::Generator& generator(unsigned worker) {
    std::unique_ptr<vcgen::Generator>& own = generators_[worker];
    if (!own) own = std::make_unique<vcgen::Generator>(program_, options_of(settings_));
    return *own;
  }

  [[nodiscard]] core::DefinitionId find_partial_of(core::FunctionId id) const {
    if (std::find(total_.begin(), total_.end(), false) == total_.end()) return {};
    return find_partial(program_, id, total_);
  }

  // By summaries, if it is large; and if it is not proved then, in place, as if nobody had tried.
  Done verify_one(core::FunctionId id, vcgen::Generator& generator) {
    const Shown shown = falsifier_ && needs_invariants(id)
                            ? falsifier_->find_false(id, generator.from_any_state(id), proposals_)
                            : Shown{};
    if (!generator.is_worth_summaries(id)) return verify_in_place(id, shown, generator);
    Done first = verify_by(vcgen::Calls::SummedUp, id, shown, generator);
    if (first.is_proved()) return first;
    Done done = verify_in_place(id, shown, generator);
    add_costs(first, done);
    return done;
  }
  // With what is written alone, if that may be enough; then with what is inferred. Exact products
  // are dear, so what is made from claims is tried without them, and with them only if the claims
  // fail.
  Done verify_in_place(core::FunctionId id, const Shown& shown, vcgen::Generator& generator) {
    Done written;
    if (may_stand_as_written(id)) {
      written = verify_by(vcgen::Calls::InPlace, id, shown, generator, Means::Written);
      if (written.is_proved()) return written;
    }
    Done done = verify_by(vcgen::Calls::InPlace, id, shown, generator);
    add_costs(written, done);
    if (done.is_proved() || !done.dropped_claims || !is_anything_open(done) ||
        spent(settings_.allowance))
      return done;
    Done exact = verify_by(vcgen::Calls::InPlace, id, shown, generator, Means::Exact);
    if (count_proved(exact) <= count_proved(done)) std::swap(done, exact);
    add_costs(done, exact);
    return exact;
  }
  // Of one run, and its loops have invariants: mostly that is all that they need. Where there are
  // two, hardly anybody writes down what relates them.
  [[nodiscard]] bool may_stand_as_written(core::FunctionId id) const {
    const core::Function& f = program_.functions[id];
    if (!settings_.infer || settings_.unroll > 0 || (!f.is_of_one_run() && !f.pure.valid()))
      return false;
    bool loops = false, invariants = true;
    core::for_each_statement(program_, f.body, [&](core::StmtId s) {
      const auto* loop = std::get_if<core::While>(&program_.stmts[s].node);
      if (loop == nullptr) return;
      loops = true;
      invariants = invariants && !loop->invariants.empty() && !loop->times.valid();
    });
    return loops && invariants;
  }
  // Whether something is neither proved nor broken by a run.
  static bool is_anything_open(const Done& done) {
    const auto& claims = done.settled.claims;
    return std::any_of(claims.begin(), claims.end(), [](const Claim& c) {
      const Outcome* outcome = c.outcome();
      return c.status != Status::Proved &&
             (outcome == nullptr || !(outcome->broken || outcome->given_up));
    });
  }
  static std::ptrdiff_t count_proved(const Done& done) {
    const auto& claims = done.settled.claims;
    return std::count_if(claims.begin(), claims.end(),
                         [](const Claim& c) { return c.status == Status::Proved; });
  }
  static void add_costs(const Done& of, Done& done) {
    done.settled.cost.questions += of.settled.cost.questions;
    done.rounds += of.rounds;
    done.inference_seconds += of.inference_seconds;
  }

  // From which invariants something is proved.
  enum class Means : std::uint8_t { Written, Inferred, Exact };

  Done verify_by(vcgen::Calls calls, core::FunctionId id, const Shown& shown,
                 vcgen::Generator& generator, Means means = Means::Inferred) {
    const core::Function& f = program_.functions[id];
    const bool written = means == Means::Written;
    const Shown nothing;
    const std::string subject = f.name + (calls == vcgen::Calls::SummedUp ? "-summed-up-"
                                          : written                       ? "-as-written-"
                                          : means == Means::Exact         ? "-exactly-"
                                                                          : "-");
    Done done;
    const auto start = Clock::now();
    const auto terms = std::make_shared<logic::TermTable>(settings_.trap);
    Engine engine{
        {settings_.dump, settings_.salt, settings_.trap, subject, means == Means::Exact, written},
        crew_,
        cache_};
    Discharger discharger(*terms, engine, ledger_);
    const auto rounds = teller_.of_rounds();
    Inference inference = infer({program_, written ? no_proposals_ : proposals_,
                                 written ? nothing : shown, generator, rounds},
                                id, *terms, discharger, calls);
    done.inference_seconds = seconds_since(start);
    done.candidates = count_candidates(id);
    done.rounds = inference.rounds;
    done.trusted = inference.trusted;
    done.loops = std::move(inference.loops);
    if (inference.incomplete) {
      done.settled.claims.push_back(too_large(f, settings_));
    } else {
      if (f.maybe_void) inference.assumptions.clear();
      teller_.expect(inference.obligations.size());
      done.settled =
          settle({std::move(inference.obligations), std::move(inference.assumptions),
                  [&] { return assumed_everywhere(*terms); }, visited_by_runs(id, calls, generator),
                  written ? FindBroken{} : broken_by_runs(id, generator)},
                 terms, discharger, true, settings_.trap, teller_.of_obligations());
      if (settings_.unroll > 0) {
        leave_endings_open(done.settled.claims);
        keep_within(settings_.unroll, done.settled.claims);
      }
    }
    done.settled.cost.questions += inference.calls;
    done.dropped_claims = discharger.has_dropped_claims();
    done.troubled = discharger.is_troubled() || spent(settings_.allowance);
    return done;
  }

  // Whether a run comes by where something is assumed. Runs are made when the first asks.
  [[nodiscard]] std::function<bool(const vcgen::Assumption&)> visited_by_runs(
      core::FunctionId id, vcgen::Calls calls, vcgen::Generator& generator) {
    if (!explorer_ || calls == vcgen::Calls::SummedUp) return {};
    return [this, id, &generator,
            visits = std::optional<Visits>()](const vcgen::Assumption& a) mutable {
      if (!visits)
        visits.emplace(program_, id, explorer_->explore(id, generator.from_any_state(id)));
      return visits->settle(a);
    };
  }

  [[nodiscard]] FindBroken broken_by_runs(core::FunctionId id, vcgen::Generator& generator) {
    if (!breaker_) return {};
    return [this, id, any_state = generator.from_any_state(id)](const Claimed& claimed) {
      return breaker_->find_broken(id, any_state, claimed);
    };
  }

  // If the model fails, then that is what contradicts, and nothing is proved anyway.
  [[nodiscard]] std::vector<vcgen::Assumption> assumed_everywhere(logic::TermTable& terms) const {
    if (!model_is_shown_) return {};
    vcgen::Result model = vcgen::generate_model_checks(program_, terms, options_of(settings_));
    std::vector<vcgen::Assumption> out;
    for (vcgen::Assumption& a : model.assumptions)
      if (a.everywhere) {
        a.first = a.last = 0;
        out.push_back(std::move(a));
      }
    return out;
  }

  core::Program& program_;
  const VerifySettings& settings_;
  engine::Crew& crew_;
  engine::Cache* cache_;
  Teller& teller_;
  std::shared_ptr<Ledger> ledger_;
  bool model_is_shown_;
  const Totality& total_;
  Records records_;
  Proposals proposals_, no_proposals_;
  std::unique_ptr<Falsifier> falsifier_;                       // may be null
  std::unique_ptr<Explorer> explorer_;                         // may be null
  std::unique_ptr<Breaker> breaker_;                           // may be null
  std::vector<std::unique_ptr<vcgen::Generator>> generators_;  // by worker
};

// Puts together what came of the model and of the functions.
class Summary {
 public:
  Summary(Verification& v, const core::Program& program)
      : v_(v), constants_(core::describe_constants(program)) {}

  void add_model(Settled& settled) {
    for (const Claim& claim : settled.claims)
      functions_are_met_ =
          functions_are_met_ && (claim.status == Status::Proved ||
                                 core::group_of(claim.id.kind) != core::ClaimGroup::Functions);
    for (const Claim& claim : settled.claims) {
      if (claim.status == Status::Proved || claim.status == Status::Vacuous ||
          !core::is_about_model(claim.id.kind))
        continue;
      model_is_shown_ = false;
      only_constants_ = only_constants_ && core::is_about_constants(claim.id);
    }
    add(settled);
    of_model_ = v_.claims.size();
  }
  void add(Settled& settled) {
    std::move(settled.claims.begin(), settled.claims.end(), std::back_inserter(v_.claims));
    // What is assumed everywhere may be doubted in several places.
    for (Claim& claim : settled.contradictions)
      if (std::none_of(contradictions_.begin(), contradictions_.end(),
                       [&](const Claim& c) { return c.id == claim.id; }))
        contradictions_.push_back(std::move(claim));
    constants_contradict_ = constants_contradict_ || settled.constants_contradict;
    v_.cost.add(settled.cost);
    v_.mismatch = v_.mismatch || settled.mismatch;
  }
  [[nodiscard]] bool model_is_shown() const { return model_is_shown_; }
  void finish() {
    for (std::size_t i = 0; i < v_.claims.size(); ++i) {
      Claim& claim = v_.claims[i];
      if (constants_contradict_ && claim.status == Status::Proved) claim.status = Status::Vacuous;
      // Every proof about a program rests on what its model says of itself.
      if (i >= of_model_ && !model_is_shown_)
        doubt(claim, fmt::format("it rests on {}, which is not proved",
                                 only_constants_ ? constants_ : "what the model says of itself"));
      // And what a model says of itself rests on what it says of functions.
      if (i < of_model_ && !functions_are_met_)
        doubt(claim, "it rests on what the model says of its functions, which is not proved");
    }
    std::move(contradictions_.begin(), contradictions_.end(), std::back_inserter(v_.claims));
  }

 private:
  Verification& v_;
  std::string constants_;
  std::vector<Claim> contradictions_;
  bool only_constants_ = true;  // of what is not shown of the model
  bool model_is_shown_ = true, functions_are_met_ = true, constants_contradict_ = false;
  std::size_t of_model_ = 0;  // claims
};

// What is claimed of models, and not of a function.
class Models {
 public:
  Models(const VerifySettings& settings, engine::Crew& crew, engine::Cache* cache, Teller& teller,
         std::shared_ptr<Ledger> ledger)
      : settings_(settings),
        crew_(crew),
        cache_(cache),
        teller_(teller),
        ledger_(std::move(ledger)) {}

  [[nodiscard]] Settled verify(const core::Program& program) {
    const auto terms = std::make_shared<logic::TermTable>(settings_.trap);
    return prove("model-", terms,
                 vcgen::generate_model_checks(program, *terms, options_of(settings_)));
  }
  [[nodiscard]] Settled verify(const core::Program& program, core::DefinitionId id) {
    const auto terms = std::make_shared<logic::TermTable>(settings_.trap);
    return prove("definition-" + program.definitions[id].name + "-", terms,
                 vcgen::generate_definition_checks(program, id, *terms, options_of(settings_)));
  }
  [[nodiscard]] Settled verify(const core::Refinement& refinement) {
    const auto terms = std::make_shared<logic::TermTable>();
    vcgen::Options options;
    options.trap = settings_.trap;
    return prove("refinement-", terms, vcgen::generate_refinement(refinement, *terms, options));
  }

 private:
  Settled prove(std::string subject, const std::shared_ptr<logic::TermTable>& terms,
                vcgen::Result claimed) {
    Engine engine{
        {settings_.dump, settings_.salt, settings_.trap, std::move(subject)}, crew_, cache_};
    Discharger discharger(*terms, engine, ledger_);
    teller_.expect(claimed.obligations.size());
    return settle({std::move(claimed.obligations), std::move(claimed.assumptions)}, terms,
                  discharger, false, settings_.trap, teller_.of_obligations());
  }

  const VerifySettings& settings_;
  engine::Crew& crew_;
  engine::Cache* cache_;
  Teller& teller_;
  std::shared_ptr<Ledger> ledger_;
};

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
      for (const core::VarId target : core::targets_of(program, id))
        assigns = assigns || program.vars[target].kind == core::VarKind::State;
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
    all.insert(all.end(), f.measure.begin(), f.measure.end());
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
  for (core::ExprId expr : taken_for_granted(program)) {
    mentions = mentions || (expr.valid() && (core::uses(program, expr, core::Rigid::Unknown) ||
                                             core::uses(program, expr, core::Rigid::Known)));
    core::for_each_read(program, expr, [&](core::VarId var, core::Side) {
      const core::VarKind kind = program.vars[var].kind;
      mentions = mentions || kind == core::VarKind::State || kind == core::VarKind::Constant;
    });
  }
  return mentions;
}

namespace {

// One after the other: each rests on those before it.
Totality prove_total(const core::Program& program, Models models, Trap trap, Summary& summary) {
  if (trap == Trap::DefinitionTrusted) return Totality(program.definitions.size(), true);
  Totality total;
  for (std::uint32_t i = 0; i < program.definitions.size(); ++i) {
    const core::DefinitionId id{i};
    const core::Definition& definition = program.definitions[id];
    if (definition.function.valid() || definition.rigid) {  // proved of the function, the model
      total.push_back(true);
      continue;
    }
    Totality before = total;
    before.push_back(true);  // itself
    const core::DefinitionId partial = find_partial(program, definition.body, before);
    Settled settled;
    if (partial.valid()) {
      Claim claim{{core::ClaimKind::DefinitionsTotal,
                   "definition " + definition.name,
                   definition.span,
                   core::Side::Relaxed,
                   {program.definitions[partial].name}}};
      claim.situation = fmt::format("the definition of '{}' is not proved total",
                                    program.definitions[partial].name);
      settled.claims.push_back(std::move(claim));
    } else {
      settled = models.verify(program, id);
    }
    total.push_back(std::all_of(settled.claims.begin(), settled.claims.end(),
                                [](const Claim& c) { return c.status == Status::Proved; }) &&
                    settled.contradictions.empty() && !settled.mismatch);
    summary.add(settled);
  }
  return total;
}

}  // namespace

namespace {

// What rests on a lemma or a pure function that is not proved, directly or by way of others, is not
// proved either.
class Lemmas {
 public:
  Lemmas(const core::Program& program, const std::vector<Done>& done)
      : program_(program), users_(done.size()), because_(done.size()) {
    for (std::uint32_t f = 0; f < done.size(); ++f) look_at(core::FunctionId{f});
    if (!are_used_) return;
    for (std::uint32_t f = 0; f < done.size(); ++f) {
      const Settled& settled = done[f].settled;
      const bool proved =
          settled.contradictions.empty() && !settled.mismatch && done[f].is_proved();
      if (!proved) spread(core::FunctionId{f}, core::FunctionId{f});
    }
    while (!work_.empty()) {
      const core::FunctionId f = work_.back();
      work_.pop_back();
      spread(f, program_.functions[f].lemma || program_.functions[f].pure.valid()
                    ? f
                    : because_[f.value]);
    }
  }

  // What a function rests on that is not proved; invalid: nothing.
  [[nodiscard]] core::FunctionId find_unproved(core::FunctionId user) const {
    return because_[user.value];
  }

 private:
  struct User {
    core::FunctionId function;
    bool calls;  // it walks into it, or takes its contract: only what that rests on counts
  };

  // Lemmas that it calls, pure functions that it calls or speaks of, and what it calls.
  void look_at(core::FunctionId id) {
    const core::Function& f = program_.functions[id];
    for (const auto* clauses : {&f.requires_, &f.ensures})
      for (const core::Clause& clause : *clauses) look_for_pure(clause.expr, id);
    for (core::ExprId part : f.measure) look_for_pure(part, id);
    for (const core::ParamSize& size : f.sizes) look_for_pure(size.size, id);
    if (f.external()) return;
    core::for_each_statement(program_, f.body, [&](core::StmtId s) {
      if (const auto* recall = std::get_if<core::Recall>(&program_.stmts[s].node))
        use(recall->lemma, id);
      if (const auto* call = std::get_if<core::Call>(&program_.stmts[s].node)) {
        if (program_.functions[call->callee].pure.valid()) use(call->callee, id);
        users_[call->callee.value].push_back({id, true});
      }
      core::for_each_expression(program_, s,
                                [&](core::ExprId e, core::Use) { look_for_pure(e, id); });
    });
  }
  void look_for_pure(core::ExprId id, core::FunctionId user) {
    if (!id.valid()) return;
    if (const auto* defined = std::get_if<core::Defined>(&program_.exprs[id].node))
      if (const core::FunctionId pure = program_.definitions[defined->definition].function;
          pure.valid())
        use(pure, user);
    core::for_each_child(program_, id, [&](core::ExprId child) { look_for_pure(child, user); });
  }
  void use(core::FunctionId used, core::FunctionId user) {
    are_used_ = true;
    if (used != user) users_[used.value].push_back({user, false});
  }

  // To those that rest on it. Whether an ordinary function is proved itself is its own affair.
  void spread(core::FunctionId from, core::FunctionId why) {
    const bool rests = because_[from.value].valid();
    for (const User& user : users_[from.value]) {
      if (user.calls && !rests) continue;
      core::FunctionId& known = because_[user.function.value];
      if (known.valid()) continue;
      known = user.calls ? because_[from.value] : why;
      work_.push_back(user.function);
    }
  }

  const core::Program& program_;
  bool are_used_ = false;
  std::vector<std::vector<User>> users_;   // by function
  std::vector<core::FunctionId> because_;  // by function: what it rests on that is not proved
  std::vector<core::FunctionId> work_;
};

// Whether a lemma is called somewhere without what it requires.
bool calls_in_vain(const Done& done) {
  const auto& claims = done.settled.claims;
  return std::any_of(claims.begin(), claims.end(), [](const Claim& claim) {
    return core::is_about_lemma(claim.id.kind) && claim.status != Status::Proved;
  });
}

void doubt_lemmas(const core::Program& program, std::vector<Done>& done) {
  if (std::none_of(program.functions.begin(), program.functions.end(),
                   [](const core::Function& f) { return f.lemma || f.pure.valid(); }))
    return;
  const Lemmas lemmas(program, done);
  for (std::uint32_t i = 0; i < done.size(); ++i) {
    // Invariants that were found with it are not proved either.
    if (calls_in_vain(done[i])) done[i].loops.clear();
    const core::FunctionId lemma = lemmas.find_unproved(core::FunctionId{i});
    if (!lemma.valid()) continue;
    done[i].loops.clear();
    for (Claim& claim : done[i].settled.claims)
      doubt(claim,
            fmt::format("it rests on {} '{}', which is not proved",
                        program.functions[lemma].lemma ? "lemma" : "the pure function",
                        program.functions[lemma].name),
            program.functions[lemma].span);
  }
}

}  // namespace

Verification verify(core::Program program, const VerifySettings& settings, engine::Crew& crew,
                    engine::Cache* cache, const Watch& watch) {
  const auto start = Clock::now();
  Verification v;
  v.program = std::make_shared<core::Program>(std::move(program));
  v.model = v.program->model.name;
  v.relative = settings.trust_original;
  v.unroll = settings.unroll;
  Teller teller(watch);
  Summary summary(v, *v.program);
  const auto ledger = std::make_shared<Ledger>();
  Settled model = Models(settings, crew, cache, teller, ledger).verify(*v.program);
  summary.add_model(model);
  const Totality total = prove_total(*v.program, Models(settings, crew, cache, teller, ledger),
                                     settings.trap, summary);
  Functions functions(*v.program, settings, crew, cache, teller, ledger, summary.model_is_shown(),
                      total);
  std::vector<LoopFacts> loops;
  std::vector<Done> all = functions.verify();
  if (settings.trap != Trap::LemmaTrusted) doubt_lemmas(*v.program, all);
  for (Done& done : all) {
    summary.add(done.settled);
    v.trusted.add(done.trusted);
    v.candidates += done.candidates;
    v.rounds += done.rounds;
    v.inference_seconds += done.inference_seconds;
    std::move(done.loops.begin(), done.loops.end(), std::back_inserter(loops));
  }
  summary.finish();
  v.inferred = in_source(*v.program, standing_everywhere(*v.program, loops));
  v.seconds = seconds_since(start);
  return v;
}

Verification verify_refinement(core::Refinement refinement, const core::Program& own,
                               const VerifySettings& settings, engine::Crew& crew,
                               engine::Cache* cache, const Watch& watch) {
  const auto start = Clock::now();
  Verification v;
  v.model = refinement.program.model.name;
  Teller teller(watch);
  Summary summary(v, own);
  Models models(settings, crew, cache, teller, std::make_shared<Ledger>());
  Settled model = models.verify(own);
  summary.add_model(model);
  Settled refined = models.verify(refinement);
  summary.add(refined);
  summary.finish();
  v.program = std::make_shared<core::Program>(std::move(refinement.program));
  v.seconds = seconds_since(start);
  return v;
}

}  // namespace leto::prove

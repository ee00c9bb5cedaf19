#include "workbench/pairs.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "interp/results.h"
#include "lower/lower.h"
#include "workbench/bare.h"
#include "workbench/clauses.h"

namespace leto::workbench {

namespace {

using core::Side;
using interp::Number;
using interp::Value;

// How much is tried, in runs and in clauses against challengers. A long run counts as many.
constexpr std::uint64_t kMostTries = 40'000;
constexpr std::uint64_t kTriesBehind = 2'000;  // once there is a pair
constexpr std::uint64_t kChallengersEach = 300, kWitnessesEach = 1000;
constexpr std::uint64_t kInputsEach = 500, kOutputsEach = 500;
constexpr std::size_t kMostShapes = 600;
constexpr std::uint64_t kStepsEach = 4'000, kStepsFree = 1'000, kStepsOfTry = 50;
constexpr std::uint64_t kInstancesOfTry = 10;
constexpr std::uint64_t kInstancesEach = 10'000;  // that one formula tries of its quantifiers
// Of definitions, to evaluate a clause.
constexpr std::uint64_t kBodiesEach = 20'000, kBodiesOfTry = 10;
constexpr std::uint64_t kCountedRuns = 2'000;  // whose loops are counted
constexpr int kMostHung = 5;                   // that are looked at more closely
constexpr std::size_t kMostKept = 120;         // points that others are made of

core::ExprId claim_in(const core::Program& program, core::StmtId id) {
  const auto& node = program.stmts[id].node;
  if (const auto* claim = std::get_if<core::Claim>(&node)) return claim->expr;
  if (const auto* block = std::get_if<core::Block>(&node))
    for (core::StmtId child : block->body)
      if (const core::ExprId found = claim_in(program, child); found.valid()) return found;
  return {};
}

// The value that an example gives; nothing: it is not written as one.
std::optional<Value> value_of(const syntax::Literal& literal, const SourceFile& file) {
  if (literal.scalar.valid()) {
    std::string digits;
    for (char c : file.text().substr(literal.span.begin, literal.span.end - literal.span.begin))
      if (c != ' ' && c != '(' && c != ')' && c != '\n' && c != '\t') digits += c;
    if (digits == "true" || digits == "false") return Value{digits == "true" ? 1 : 0, nullptr};
    const std::optional<Number> number = Number::parse(digits);
    if (!number) return std::nullopt;
    return Value{*number, nullptr};
  }
  auto array = std::make_shared<interp::Array>();
  array->sizes = {static_cast<std::int64_t>(literal.elements.size())};
  for (const syntax::Literal& one : literal.elements) {
    const std::optional<Value> element = value_of(one, file);
    if (!element) return std::nullopt;
    if (element->array)
      array->elements.insert(array->elements.end(), element->array->elements.begin(),
                             element->array->elements.end());
    else
      array->elements.push_back(element->scalar);
  }
  return Value{0, std::move(array)};
}

}  // namespace

bool PairsWanted::any() const {
  return complete || safe || ends || std::find(sound.begin(), sound.end(), true) != sound.end();
}

class PairSearch::Search {
 public:
  Search(const check::Checked& checked, const workspace::Workspace& workspace,
         const problem::Parts& problem, const problem::FoundChecker& checker,
         const Allowance& allowance)
      : workspace_(workspace), problem_(problem), checker_(checker) {
    const std::set<std::string> names = wanted_functions();
    program_ = std::make_unique<core::Program>(
        lower::lower(checked, workspace.names(), Trap::None, &names));
    find_clauses();
    bare_ = std::make_unique<core::Program>(*program_);
    leave_out_proofs(*bare_);
    judge_ = std::make_unique<interp::Machine>(*program_, &allowance);
    judge_->refuse_division_by_zero();
    judge_->count_instances(&instances_left_);
    runner_ = std::make_unique<interp::Machine>(*bare_, &allowance);
    byte_runner_ = std::make_unique<interp::ByteMachine>(*runner_, exact_);
    points_ = std::make_unique<PointMaker>(*judge_, exact_);
    now_ = interp::empty_inputs(*judge_);
    inputs_ = problem_.inputs.size();
    results_ = inputs_ + problem_.outputs.size();
  }

  std::vector<FoundPair> find(const PairsWanted& wanted, std::int64_t bound) {
    begin(bound, [&] { return !wanted_.any(); });
    wanted_ = wanted;
    if (is_decided()) try_all();
    return std::move(found_);
  }
  std::optional<FoundPair> find_rejected(const syntax::ExampleMember& example) {
    if (!is_decided()) return std::nullopt;
    std::vector<bool> given;
    std::optional<Point> point = point_of(example, given);
    const bool whole = std::find(given.begin(), given.end(), false) == given.end();
    if (!point || !whole || !points_->resize(*point, everything(), kLongest)) return std::nullopt;
    if (!meets_requirements(*point) || holds(premise_) != Held::Yes) return std::nullopt;
    if (verdict_of(run_again(*point)) != Verdict::Rejected) return std::nullopt;
    FoundPair pair = show(PairKind::RejectedRight, *point);
    pair.at = checker_.item->name.span;
    return pair;
  }
  std::optional<bool> is_beaten(const syntax::ExampleMember& example, std::size_t k,
                                std::int64_t bound) {
    begin(bound, [] { return false; });
    if (!is_decided()) return std::nullopt;
    std::vector<bool> given;
    std::optional<Point> point = point_of(example, given);
    if (!point || !points_->resize(*point, {0, results_}, kLongest)) return std::nullopt;
    point->resize(results_);
    Held held = Held::Open;
    if (clauses_[k].for_all.valid()) {
      put(clauses_[k].function, *point);
      held = holds(clauses_[k].for_all);
    }
    if (held == Held::Open) held = is_unbeaten(k, *point);
    return held == Held::Open ? std::nullopt : std::optional<bool>(held == Held::No);
  }
  bool finds_accepted(std::int64_t bound) {
    begin(bound, [&] { return tried_.accepted > 0; });
    if (tried_.accepted == 0 && is_decided()) try_all();
    return tried_.accepted > 0;
  }
  bool finds_certified(std::int64_t bound) {
    if (!is_decided()) return false;
    bool found = false;
    for (const syntax::ExampleMember* example : problem_.examples)
      found = found || is_certified(*example);
    if (found) return true;
    certified_ = false;
    begin(bound, [&] { return *certified_; });
    try_all();
    found = *certified_;
    certified_.reset();
    return found;
  }
  bool finds_given_up(std::int64_t bound) {
    begin(bound, [&] { return tried_.given_up > 0; });
    if (tried_.given_up == 0 && is_decided()) try_all();
    return tried_.given_up > 0;
  }
  bool finds_right(std::int64_t bound) {
    bool found = false;
    begin(bound, [&] { return found; });
    if (is_decided())
      for_each_result([&](Point& point) {
        found = is_right_in_part(point) && !is_beaten(point).value_or(true);
      });
    return found;
  }
  WitnessesTried find_witnesses(std::int64_t bound) {
    WitnessesTried out;
    begin(bound, [&] { return out.without.has_value(); });
    if (!is_decided()) return out;
    out.all = for_each_result([&](Point& point) {
      if (!is_right_in_part(point)) return;
      const std::optional<bool> beaten = is_beaten(point);
      if (beaten.value_or(false)) return;
      ++out.right;
      bool all = true;
      if (finds_witness(point, out.tried, all)) return;
      out.without = show(PairKind::RejectedRight, point);
      out.none = all && beaten.has_value();
    });
    return out;
  }
  IterationsTried count_iterations(std::int64_t bound) {
    counted_ = IterationsTried{};
    begin(bound, [&] { return counted_->broken || counted_->runs >= kCountedRuns; });
    if (is_decided()) try_all();
    IterationsTried out = std::move(*counted_);
    counted_.reset();
    return out;
  }
  [[nodiscard]] const PairsTried& tried() const { return tried_; }
  // Whether values alone decide what happens.
  [[nodiscard]] bool is_decided() const {
    // A record is several parameters.
    const bool flat = points_->count() == results_ + checker_.item->witness.size();
    return flat && premise_.valid() && core::is_closed(*program_);
  }

 private:
  enum class Verdict : std::uint8_t { Accepted, Rejected, GaveUp, Failed, Hung, Void };
  enum class Held : std::uint8_t { Yes, No, Open };

  // A clause of the problem, to be evaluated.
  struct JudgedClause {
    core::FunctionId function;
    std::vector<core::ExprId> when;  // what is required there
    core::ExprId claim;
    core::ExprId for_all;  // of scalar challengers: all of them; invalid: there is no such thing
    bool against = false;
  };

  // What is executed ------------------------------------------------------------------

  [[nodiscard]] std::string name_of(Name name) const {
    return std::string(workspace_.names().text(name));
  }
  [[nodiscard]] std::set<std::string> wanted_functions() const {
    const std::string problem = name_of(problem_.item->name.name);
    std::set<std::string> names{problem::executed_name(checker_, workspace_.names())};
    for (std::size_t k = 0; k < problem_.rights.size(); ++k)
      names.insert(problem::right_name(problem, k));
    if (problem::within_of(*checker_.item) != nullptr)
      names.insert(problem::within_name(name_of(checker_.item->name.name)));
    return names;
  }
  void find_clauses() {
    exact_ = core::find_function(*program_, problem::executed_name(checker_, workspace_.names()));
    const std::string problem = name_of(problem_.item->name.name);
    for (std::size_t k = 0; k < problem_.rights.size(); ++k) {
      JudgedClause clause;
      clause.function = core::find_function(*program_, problem::right_name(problem, k));
      const core::Function& f = program_->functions[clause.function];
      clause.claim = claim_in(*program_, f.body);
      clause.against = !problem_.rights[k]->against.empty();
      for (const core::Clause& needed : f.requires_) clause.when.push_back(needed.expr);
      if (clause.against) clause.for_all = for_all_challengers(clause);
      clauses_.push_back(std::move(clause));
    }
    const core::Function& exact = program_->functions[exact_];
    for (const core::Clause& needed : exact.requires_) needs_.push_back(needed.expr);
    find_premise(exact);
  }
  // Of what has to be accepted: the last promise is "right and certified -> result".
  void find_premise(const core::Function& exact) {
    const core::ExprId last = exact.ensures.back().expr;
    if (const auto* apply = std::get_if<core::Apply>(&program_->exprs[last].node);
        apply != nullptr && apply->op == core::Op::Implies && is_result(exact, apply->args[1]))
      premise_ = apply->args[0];
    divide_premise();
    if (is_result(exact, last))
      premise_ = program_->exprs.add({program_->exprs[last].type, {}, core::BoolConst{true}});
  }
  // What it is for, and right; and certified.
  void divide_premise() {
    if (!premise_.valid()) return;
    const bool certified = problem::certifies_of(*checker_.item) != nullptr;
    bool rest = checker_.item->when.valid() || !problem_.surely.empty();
    for (const syntax::RightMember* right : problem_.rights) rest = rest || right->against.empty();
    const auto* both = std::get_if<core::Apply>(&program_->exprs[premise_].node);
    if (rest && !certified) right_part_ = premise_;
    if (!rest && certified) certified_part_ = premise_;
    if (rest && certified && both != nullptr && both->op == core::Op::And) {
      right_part_ = both->args[0];
      certified_part_ = both->args[1];
    }
  }
  [[nodiscard]] bool is_result(const core::Function& exact, core::ExprId id) const {
    const auto* ref = std::get_if<core::VarRef>(&program_->exprs[id].node);
    return ref != nullptr && ref->var == exact.result();
  }
  // Scalars that a clause has bounds for can all be tried.
  core::ExprId for_all_challengers(const JudgedClause& clause) {
    const core::Function& f = program_->functions[clause.function];
    const std::size_t first = problem_.inputs.size() + problem_.outputs.size();
    const std::vector<core::VarId> bound(f.params.begin() + static_cast<std::ptrdiff_t>(first),
                                         f.params.end());
    for (core::VarId var : bound)
      if (program_->vars[var].type.rank > 0) return {};
    const core::Type truth{core::Base::Bool, false, 0};
    const Span at = program_->exprs[clause.claim].span;
    core::ExprId body = clause.claim;
    for (core::ExprId needed : clause.when)
      body = program_->exprs.add({truth, at, core::Apply{core::Op::Implies, {needed, body}}});
    return program_->exprs.add({truth, at, core::Quant{true, bound, body}});
  }

  // Puts values where a function has its parameters.
  void put(core::FunctionId function, const Point& point) {
    const core::Function& f = program_->functions[function];
    for (std::size_t i = 0; i < std::min(f.params.size(), point.size()); ++i)
      now_.values.relaxed[f.params[i].value] = point[i];
  }
  // What tries many values counts as many tries; and so does a definition, which may have no end if
  // it is not total.
  [[nodiscard]] Held holds(core::ExprId expr) {
    interp::Results results(kBodiesEach);
    instances_left_ = kInstancesEach;
    const Held held = evaluate(expr, results);
    const std::uint64_t instances = kInstancesEach - instances_left_;
    const std::uint64_t bodies = kBodiesEach - results.left();
    if (instances > kStepsFree) tries_ += instances / kInstancesOfTry;
    if (bodies > kStepsFree) tries_ += bodies / kBodiesOfTry;
    return held;
  }
  [[nodiscard]] Held evaluate(core::ExprId expr, interp::Results& results) const {
    try {
      interp::Scope scope{now_.values, Side::Relaxed, nullptr, {}, {}, &results};
      return judge_->evaluator().truth(expr, scope) ? Held::Yes : Held::No;
    } catch (const interp::Undecidable&) {
      return Held::Open;
    }
  }
  [[nodiscard]] Held hold(const std::vector<core::ExprId>& all) {
    for (core::ExprId expr : all)
      if (const Held held = holds(expr); held != Held::Yes) return held;
    return Held::Yes;
  }
  [[nodiscard]] bool is_certified(const syntax::ExampleMember& example) {
    std::vector<bool> given;
    std::optional<Point> point = point_of(example, given);
    const bool whole = std::find(given.begin(), given.end(), false) == given.end();
    return point && whole && points_->resize(*point, everything(), kLongest) &&
           meets_requirements(*point) && holds(premise_) == Held::Yes;
  }
  [[nodiscard]] bool meets_requirements(const Point& point) {
    put(exact_, point);
    return hold(needs_) == Held::Yes;
  }

  [[nodiscard]] interp::Inputs inputs_of(const Point& point) const {
    interp::Inputs inputs = interp::empty_inputs(*runner_);
    const core::Function& f = bare_->functions[exact_];
    for (std::size_t i = 0; i < point.size(); ++i)
      inputs.values.original[f.params[i].value] = inputs.values.relaxed[f.params[i].value] =
          point[i];
    return inputs;
  }
  static interp::Options run_options() {
    interp::Options options;
    options.invariants = false;
    options.limits.steps = kStepsEach;
    return options;
  }
  Verdict run(const Point& point) {
    interp::ExactChooser chooser;
    const interp::Outcome outcome = byte_runner_->run(inputs_of(point), chooser, run_options());
    ++tried_.runs;
    tries_ += 1 + (outcome.steps > kStepsFree ? outcome.steps / kStepsOfTry : 0);
    return verdict_of(outcome);
  }
  // By another machine, which walks the tree.
  interp::Outcome run_again(const Point& point) {
    interp::ExactChooser chooser;
    return runner_->run(exact_, inputs_of(point), chooser, run_options());
  }
  [[nodiscard]] Verdict verdict_of(const interp::Outcome& outcome) const {
    switch (outcome.end) {
      case interp::End::Done:
        if (outcome.relaxed.empty()) return Verdict::Void;
        return outcome.relaxed[0].scalar.truth() ? Verdict::Accepted : Verdict::Rejected;
      case interp::End::OriginalHung:
      case interp::End::Hung:
        return Verdict::Hung;
      case interp::End::OriginalFailed:
      case interp::End::CheckFailed: {
        // What is assumed and does not hold is no failure of the checker.
        const bool checks = outcome.statement.valid() && std::holds_alternative<core::Check>(
                                                             bare_->stmts[outcome.statement].node);
        if (checks) return Verdict::Failed;
        return stops_at_assumption(*bare_, outcome) ? Verdict::GaveUp : Verdict::Void;
      }
      case interp::End::AssertFailed:
      case interp::End::Stuck:
      case interp::End::Impossible:
      case interp::End::Undecidable:
        return Verdict::Void;
    }
    return Verdict::Void;
  }
  // The loop of the checker to whose head a run comes twice with the same values. It does not end
  // then: what it does next depends on them alone, for nothing has called the checker.
  [[nodiscard]] std::optional<core::LoopId> find_cycle(const Point& point) const {
    std::set<core::LoopId> own;
    core::for_each_statement(*bare_, bare_->functions[exact_].body, [&](core::StmtId id) {
      if (const auto* loop = std::get_if<core::While>(&bare_->stmts[id].node))
        own.insert(loop->loop);
    });
    std::optional<core::LoopId> found;
    std::optional<interp::Pair> kept;
    core::LoopId where;
    std::uint64_t heads = 0, next = 1;
    interp::Options options = run_options();
    options.at_head = [&](core::LoopId loop, const interp::Moment& now, bool, bool in) {
      if (found || !in || !own.contains(loop)) return;
      if (kept && where == loop && are_same(kept->relaxed, now.pair.relaxed)) found = loop;
      if (++heads < next) return;
      next *= 2;
      kept = now.pair.duplicate();
      where = loop;
    };
    interp::ExactChooser chooser;
    (void)runner_->run(exact_, inputs_of(point), chooser, options);
    return found;
  }
  static bool are_same(const interp::Variables& a, const interp::Variables& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i].none != b[i].none || !interp::equal(a[i], b[i])) return false;
    return true;
  }
  [[nodiscard]] Span place_of(core::LoopId loop) const {
    for (const core::Stmt& stmt : bare_->stmts)
      if (const auto* one = std::get_if<core::While>(&stmt.node);
          one != nullptr && one->loop == loop)
        return stmt.span;
    return checker_.item->name.span;
  }

  // What is looked at -----------------------------------------------------------------

  static bool has_hung(const interp::Outcome& outcome) {
    return outcome.end == interp::End::Hung || outcome.end == interp::End::OriginalHung;
  }
  // It was run through that often, and whether that is too often. What it is compared with is
  // evaluated once the run is over: it is about values that nobody changes.
  void count(const Point& point, const interp::Outcome& outcome) {
    const core::FunctionId within =
        core::find_function(*program_, problem::within_name(name_of(checker_.item->name.name)));
    const core::Function& f = program_->functions[within];
    put(within, point);
    now_.values.relaxed[f.params[point.size()].value] = Value{Number(outcome.iterations), nullptr};
    const Held held = holds(claim_in(*program_, f.body));
    if (held == Held::Yes && outcome.end == interp::End::Done) ++counted_->runs;
    if (held != Held::No || counted_->broken) return;
    counted_->broken = show(PairKind::TooLong, point);
    counted_->broken->at = checker_.tree->exprs[problem::within_of(*checker_.item)->expr].span;
    counted_->broken->why = fmt::format("{}{} time{}", has_hung(outcome) ? "more than " : "",
                                        outcome.iterations, outcome.iterations == 1 ? "" : "s");
  }

  // The point meets what is required.
  void look_at(const Point& point) {
    if (counted_) count(point, run_again(point));
    const Verdict verdict = run(point);
    if (verdict == Verdict::GaveUp) ++tried_.given_up;
    if (verdict == Verdict::Failed && wanted_.safe) keep_failing(point);
    if (verdict == Verdict::Hung && wanted_.ends) keep_endless(point);
    if (certified_ && !*certified_) {
      put(exact_, point);
      certified_ = holds(premise_) == Held::Yes;
    }
    if (verdict == Verdict::Accepted) look_at_accepted(point);
    if (verdict == Verdict::Rejected) look_at_rejected(point);
  }
  void look_at_accepted(const Point& point) {
    ++tried_.accepted;
    const Point result(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(results_));
    bool wrong = false;
    for (std::size_t k = 0; k < clauses_.size(); ++k) {
      Point challenged = result;
      const Held held = clauses_[k].against ? is_unbeaten(k, challenged) : is_right(k, result);
      wrong = wrong || held == Held::No;
      if (held != Held::No || !wanted_.sound[k]) continue;
      wanted_.sound[k] = false;
      FoundPair pair = show(PairKind::AcceptedWrong, point);
      pair.clause = k;
      pair.by = told_clause(problem_, k, workspace_.names());
      pair.at = problem_.tree->exprs[problem_.rights[k]->expr].span;
      const core::Function& f = program_->functions[clauses_[k].function];
      for (std::size_t i = results_; i < challenged.size(); ++i)
        pair.challengers.push_back(named(f.params[i], challenged[i]));
      keep_if_repeated(std::move(pair), point, Verdict::Accepted);
    }
    if (!wrong) keep(point);
  }
  void look_at_rejected(const Point& point) {
    put(exact_, point);
    if (holds(premise_) != Held::Yes) return;
    keep(point);
    if (!wanted_.complete) return;
    if (is_beaten(point).value_or(true)) return;
    wanted_.complete = false;
    FoundPair pair = show(PairKind::RejectedRight, point);
    pair.at = checker_.item->name.span;
    keep_if_repeated(std::move(pair), point, Verdict::Rejected);
  }
  void keep_failing(const Point& point) {
    const interp::Outcome outcome = run_again(point);
    if (verdict_of(outcome) != Verdict::Failed) return;
    wanted_.safe = false;
    FoundPair pair = show(PairKind::Fails, point);
    pair.at = outcome.where;
    pair.why = outcome.why;
    keep_pair(std::move(pair));
  }
  void keep_endless(const Point& point) {
    const std::optional<core::LoopId> loop = find_cycle(point);
    wanted_.ends = !loop && ++hung_ < kMostHung;
    if (!loop) return;
    FoundPair pair = show(PairKind::Endless, point);
    pair.at = place_of(*loop);
    keep_pair(std::move(pair));
  }
  void keep_if_repeated(FoundPair pair, const Point& point, Verdict verdict) {
    if (verdict_of(run_again(point)) == verdict) keep_pair(std::move(pair));
  }
  // Others are looked for a little longer.
  void keep_pair(FoundPair pair) {
    found_.push_back(std::move(pair));
    last_ = std::min(last_, tries_ + kTriesBehind);
  }

  [[nodiscard]] Held is_right(std::size_t k, const Point& result) {
    put(clauses_[k].function, result);
    return holds(clauses_[k].claim);
  }
  // No: with a challenger behind the results that beats them. Yes: all were tried.
  [[nodiscard]] Held is_unbeaten(std::size_t k, Point& challenged) {
    const JudgedClause& clause = clauses_[k];
    put(clause.function, challenged);
    if (clause.for_all.valid() && holds(clause.for_all) == Held::Yes) return Held::Yes;
    const Point result = challenged;
    const PointMaker maker(*judge_, clause.function);
    const Stretch part{results_, maker.count()};
    const std::int64_t reach = std::clamp<std::int64_t>(largest(result), 2, 4);
    bool all = maker.sizing(part).empty();
    for (const auto& shape : shapes(maker.sizing(part).size(), bound_, 16)) {
      challenged = result;
      if (!maker.lay_out(challenged, part, shape, kLongest)) {
        all = false;
        continue;
      }
      const std::vector<Cell> cells = maker.cells(challenged, part, reach);
      for (const Cell& cell : cells) all = all && maker.type(cell.param).base == core::Base::Bool;
      Filling filling(cells, kChallengersEach, 1);
      all = all && filling.is_all();
      while (filling.next(challenged)) {
        ++tries_;
        put(clause.function, challenged);
        const Held when = hold(clause.when);
        const Held held = when == Held::Yes ? holds(clause.claim) : Held::Open;
        if (held == Held::No) return Held::No;
        all = all && (when == Held::No || held == Held::Yes);
      }
    }
    return all ? Held::Yes : Held::Open;
  }
  static std::int64_t largest(const Point& point) {
    std::int64_t most = 0;
    const auto take = [&](const Number& n) {
      const std::int64_t small = n.floor().small().value_or(0);
      most = std::max(most, small < 0 ? -small : small);
    };
    for (const Value& value : point) {
      if (!value.array) take(value.scalar);
      if (value.array)
        for (const Number& n : value.array->elements) take(n);
    }
    return most;
  }

  // By all clauses without challengers, and of the kind that the checker is for.
  [[nodiscard]] bool is_right_in_part(const Point& point) {
    put(exact_, point);
    return !right_part_.valid() || holds(right_part_) == Held::Yes;
  }
  // Nothing: not all challengers could be tried.
  [[nodiscard]] std::optional<bool> is_beaten(const Point& point) {
    const Point result(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(results_));
    bool open = false;
    for (std::size_t k = 0; k < clauses_.size(); ++k) {
      if (!clauses_[k].against) continue;
      Point challenged = result;
      const Held held = is_unbeaten(k, challenged);
      if (held == Held::No) return true;
      open = open || held == Held::Open;
    }
    return open ? std::nullopt : std::optional<bool>(false);
  }
  // `all`: there is no other witness than those that were tried.
  [[nodiscard]] bool finds_witness(Point& point, std::uint64_t& tried, bool& all) {
    if (!certified_part_.valid()) return true;
    const Stretch part{results_, points_->count()};
    const std::int64_t reach = std::clamp<std::int64_t>(largest(point) + 1, 2, 5);
    all = points_->sizing(part).empty();
    for (const auto& shape : shapes(points_->sizing(part).size(), bound_, 64)) {
      if (!points_->lay_out(point, part, shape, kLongest)) {
        all = false;
        continue;
      }
      const std::vector<Cell> cells = points_->cells(point, part, reach);
      for (const Cell& cell : cells)
        all = all && points_->type(cell.param).base == core::Base::Bool;
      Filling filling(cells, kWitnessesEach, 3);
      all = all && filling.is_all();
      while (filling.next(point)) {
        ++tries_;
        ++tried;
        put(exact_, point);
        const Held held = holds(certified_part_);
        if (held == Held::Yes) return true;
        all = all && held == Held::No;
      }
    }
    return false;
  }

  // What is tried ---------------------------------------------------------------------

  void begin(std::int64_t bound, std::function<bool()> done) {
    bound_ = bound;
    done_ = std::move(done);
    tries_ = 0;
    last_ = kMostTries;
    wanted_ = {std::vector<bool>(clauses_.size(), false)};
  }
  void try_all() {
    try_shapes(kMostTries / 2, 1);
    add_examples();
    try_changes(kMostTries * 3 / 4);
    try_shapes(kMostTries, 2);
  }
  [[nodiscard]] bool is_over(std::uint64_t limit) const {
    return tries_ >= std::min(limit, last_) || done_() || judge_->spent();
  }
  // Of inputs that meet what is required. Whether these were all of these sizes.
  bool for_each_result(const std::function<void(Point&)>& look) {
    const auto all = shapes(points_->sizing({0, results_}).size(), bound_, kMostShapes);
    bool whole = true;
    for (std::size_t s = 0; s < all.size(); ++s) {
      Point point;
      if (!points_->lay_out(point, {0, results_}, all[s], kLongest)) {
        whole = false;
        continue;
      }
      const std::int64_t reach = reach_of(all[s]);
      Filling inputs(points_->cells(point, {0, inputs_}, reach), kInputsEach, s);
      whole = whole && inputs.is_all();
      while (!is_over(kMostTries) && inputs.next(point)) {
        if (!meets_requirements(point)) continue;
        Filling outputs(points_->cells(point, {inputs_, results_}, reach), kOutputsEach, s);
        whole = whole && outputs.is_all();
        while (!is_over(kMostTries) && outputs.next(point)) {
          ++tries_;
          look(point);
          point.resize(results_);
        }
      }
      if (is_over(kMostTries)) return false;
    }
    return whole;
  }
  // One more than what a place in the longest vector is.
  static std::int64_t reach_of(const std::vector<std::int64_t>& shape) {
    std::int64_t most = 2;
    for (std::int64_t size : shape) most = std::max(most, size + 1);
    return most;
  }

  [[nodiscard]] Stretch everything() const { return {0, points_->count()}; }

  // Sizes, those with a small sum first; for each, the same number of values.
  void try_shapes(std::uint64_t limit, std::uint64_t seed) {
    const auto all = shapes(points_->sizing(everything()).size(), bound_, kMostShapes);
    for (std::size_t s = 0; s < all.size() && !is_over(limit); ++s) {
      const std::uint64_t share = (limit - tries_) / std::min<std::uint64_t>(all.size() - s, 40);
      try_shape(all[s], std::max<std::uint64_t>(share, 64), mix(seed, s), limit);
    }
  }
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    return (a * 0x9e3779b97f4a7c15u) ^ (b + 0x632be59bd9b4e019u + (a << 6));
  }
  void try_shape(const std::vector<std::int64_t>& shape, std::uint64_t share, std::uint64_t seed,
                 std::uint64_t limit) {
    Point point;
    if (!points_->lay_out(point, everything(), shape, kLongest)) return;
    const std::vector<Cell> given = points_->cells(point, {0, inputs_}, reach_of(shape));
    const std::vector<Cell> rest =
        points_->cells(point, {inputs_, points_->count()}, reach_of(shape));
    const std::uint64_t of_rest = Filling::ways(rest);
    std::uint64_t root = 1;
    while (root * root < share) ++root;
    const std::uint64_t each =
        std::min(of_rest, std::max(root, share / std::min(share, Filling::ways(given))));
    Filling inputs(given, std::max<std::uint64_t>(share / each, 1) * kPatience, seed);
    std::uint64_t begun = tries_;
    while (tries_ - begun < share && !is_over(limit) && inputs.next(point)) {
      if (!meets_requirements(point)) continue;
      Filling outputs(rest, each, ++seed);
      while (!is_over(limit) && outputs.next(point)) look_at(point);
    }
  }

  // Changes what was accepted, or is right.
  void try_changes(std::uint64_t limit) {
    interp::Random random(7);
    for (std::uint64_t round = 0; !kept_.empty() && round < limit && !is_over(limit); ++round) {
      Point point = kept_[round % kept_.size()];
      const std::uint64_t times = 1 + random() % 3;
      bool fits = true;
      for (std::uint64_t i = 0; i < times && fits; ++i) fits = change(point, random);
      if (fits && meets_requirements(point)) look_at(point);
    }
  }
  [[nodiscard]] bool change(Point& point, interp::Random& random) {
    const std::vector<std::size_t> sizing = points_->sizing(everything());
    if (!sizing.empty() && random() % 6 == 0) return change_size(point, sizing, random);
    const std::vector<Cell> cells = points_->cells(point, everything(), 2);
    if (cells.empty()) return true;
    const Cell& one = cells[random() % cells.size()];
    const Cell& other = cells[random() % cells.size()];
    const Number before = number_at(point, one);
    const core::Type& type = points_->type(one.param);
    const std::uint64_t how = random() % 4;
    if (how == 0 && points_->type(other.param) == type) {  // exchanged
      set_number(point, one, number_at(point, other));
      set_number(point, other, before);
    } else if (how == 1 && points_->type(other.param).base == type.base) {
      set_number(point, one, number_at(point, other));
    } else if (how == 2 && type.base != core::Base::Bool) {  // one more, or less
      set_number(point, one, before + Number(random() % 2 == 0 ? 1 : -1));
    } else {
      set_number(point, one, one.values[random() % one.values.size()]);
    }
    return !type.natural || number_at(point, one).sign() >= 0;
  }
  [[nodiscard]] bool change_size(Point& point, const std::vector<std::size_t>& sizing,
                                 interp::Random& random) {
    Number& size = point[sizing[random() % sizing.size()]].scalar;
    size = size + Number(random() % 2 == 0 ? 1 : -1);
    return size.sign() >= 0 && points_->resize(point, everything(), kLongest);
  }

  void add_examples() {
    for (const syntax::ExampleMember* example : problem_.examples) {
      std::vector<bool> given;
      std::optional<Point> point = point_of(*example, given);
      if (point) add_example(std::move(*point), given);
    }
  }
  // What it gives; nothing: some of it is not a value.
  [[nodiscard]] std::optional<Point> point_of(const syntax::ExampleMember& example,
                                              std::vector<bool>& given) const {
    const SourceFile& file = workspace_.sources()[problem_.tree->file];
    Point point(points_->count());
    given.assign(point.size(), false);
    for (std::size_t i = 0; i < point.size(); ++i)
      for (const syntax::Given& one : example.given)
        if (program_->vars[points_->param(i)].name == name_of(one.name.name)) {
          const std::optional<Value> value = value_of(one.value, file);
          if (!value) return std::nullopt;
          point[i] = *value;
          given[i] = true;
        }
    return point;
  }
  // The witness is drawn where it is not given.
  void add_example(Point point, const std::vector<bool>& given) {
    for (std::size_t i = 0; i < results_; ++i)
      if (!given[i]) return;
    if (!points_->resize(point, everything(), kLongest)) return;
    if (!meets_requirements(point)) return;
    const bool whole = std::find(given.begin(), given.end(), false) == given.end();
    if (whole) return look_at(point);
    const Stretch part{results_, points_->count()};
    for (const auto& shape : shapes(points_->sizing(part).size(), bound_, 64)) {
      if (!points_->lay_out(point, part, shape, kLongest)) continue;
      Filling witness(points_->cells(point, part, std::max<std::int64_t>(largest(point), 2)), 64,
                      5);
      while (!is_over(kMostTries * 5 / 8) && witness.next(point)) look_at(point);
    }
  }
  // A few of each size.
  void keep(const Point& point) {
    if (kept_.size() >= kMostKept) return;
    std::vector<std::string> shape;
    for (std::size_t i : points_->sizing(everything())) shape.push_back(point[i].scalar.text());
    if (++kept_of_[shape] <= 4) kept_.push_back(point);
  }

  // What is shown ---------------------------------------------------------------------

  [[nodiscard]] FoundPair::Named named(core::VarId var, const Value& value) const {
    return {program_->vars[var].name, interp::text(value, program_->vars[var].type)};
  }
  [[nodiscard]] FoundPair show(PairKind kind, const Point& point) const {
    FoundPair pair;
    pair.kind = kind;
    for (std::size_t i = 0; i < point.size(); ++i)
      (i < inputs_    ? pair.inputs
       : i < results_ ? pair.outputs
                      : pair.witness)
          .push_back(named(points_->param(i), point[i]));
    return pair;
  }

  static constexpr std::int64_t kLongest = 8;
  static constexpr std::uint64_t kPatience = 16;

  const workspace::Workspace& workspace_;
  const problem::Parts& problem_;
  const problem::FoundChecker& checker_;
  std::unique_ptr<core::Program> program_, bare_;
  std::unique_ptr<interp::Machine> judge_, runner_;
  std::unique_ptr<interp::ByteMachine> byte_runner_;
  std::unique_ptr<PointMaker> points_;
  core::FunctionId exact_;
  std::vector<JudgedClause> clauses_;
  std::vector<core::ExprId> needs_;
  core::ExprId premise_, right_part_, certified_part_;
  std::size_t inputs_ = 0, results_ = 0;  // where outputs begin, and where the witness does
  interp::Inputs now_;
  PairsWanted wanted_;
  PairsTried tried_;
  std::int64_t bound_ = 0;
  std::function<bool()> done_;
  std::uint64_t tries_ = 0, last_ = kMostTries;
  std::uint64_t instances_left_ = kInstancesEach;
  int hung_ = 0;  // runs that took too long, and came to no place twice
  std::vector<FoundPair> found_;
  std::optional<IterationsTried> counted_;  // while loops are counted
  std::optional<bool> certified_;           // while something certified is looked for
  std::vector<Point> kept_;
  std::map<std::vector<std::string>, int> kept_of_;
};

PairSearch::PairSearch(const check::Checked& checked, const workspace::Workspace& workspace,
                       const problem::Parts& problem, const problem::FoundChecker& checker,
                       const Allowance& allowance)
    : search_(std::make_unique<Search>(checked, workspace, problem, checker, allowance)) {}
PairSearch::~PairSearch() = default;

std::optional<FoundPair> PairSearch::find_rejected(const syntax::ExampleMember& example) {
  return search_->find_rejected(example);
}
std::optional<bool> PairSearch::is_beaten(const syntax::ExampleMember& example, std::size_t k,
                                          std::int64_t bound) {
  return search_->is_beaten(example, k, bound);
}
bool PairSearch::finds_accepted(std::int64_t bound) {
  return search_->finds_accepted(bound);
}
bool PairSearch::finds_certified(std::int64_t bound) {
  return search_->finds_certified(bound);
}
bool PairSearch::finds_given_up(std::int64_t bound) {
  return search_->finds_given_up(bound);
}
bool PairSearch::finds_right(std::int64_t bound) {
  return search_->finds_right(bound);
}
WitnessesTried PairSearch::find_witnesses(std::int64_t bound) {
  return search_->find_witnesses(bound);
}
IterationsTried PairSearch::count_iterations(std::int64_t bound) {
  return search_->count_iterations(bound);
}
bool PairSearch::is_decided() const {
  return search_->is_decided();
}
std::vector<FoundPair> PairSearch::find(const PairsWanted& wanted, std::int64_t bound) {
  return search_->find(wanted, bound);
}
const PairsTried& PairSearch::tried() const {
  return search_->tried();
}

}  // namespace leto::workbench

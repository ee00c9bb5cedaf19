// A function, from related inputs to its last claim.
//
// The model's state is as the model initialises it, unless somewhere the function
// is used through its contract: then it may be any state in which the model's
// invariants hold, for the caller may have met faults before. Contracts speak of
// parameters as they were passed. A function that is looked at alone is walked by the relaxed run,
// from any such state; the original run has no part in it, so nothing is trusted of it.
#include <algorithm>

#include "core/calls.h"
#include "vcgen/strategy.h"
#include "vcgen/summary.h"

namespace leto::vcgen {

namespace {

// Between which numbers all elements of a constant vector lie, if they are whole numbers that are
// written down:
//
//   v == [e1, ..., en]   low == min(e1, ..., en)   high == max(e1, ..., en)
//   -----------------------------------------------------------------------
//           forall k. 0 <= k < n -> low <= v[k] && v[k] <= high
//
// It follows from the elements, but only by looking at each of them.
std::optional<Term> bound_elements(Walk& walk, const Value& table,
                                   const std::vector<Term>& elements) {
  logic::TermTable& terms = walk.terms();
  std::optional<std::int64_t> low, high;
  for (Term element : elements) {
    const auto n = terms.integer(element);
    if (!n || terms.sort(element) != logic::kInt) return std::nullopt;
    low = low ? std::min(*low, *n) : *n;
    high = high ? std::max(*high, *n) : *n;
  }
  if (!low) return std::nullopt;
  const Term k = terms.bound("k", logic::kInt);
  const Term element = terms.select(table.term, k);
  return terms.quant(true, {k},
                     terms.implies(walk.encoder().in_bounds(table, {k}),
                                   terms.and_(terms.le(terms.integer(*low), element),
                                              terms.le(element, terms.integer(*high)))));
}

// What is known of a constant vector goes with its symbol wherever that occurs, also where nothing
// but a definition brings it: each element, and that there is nothing beside them. It has no shape
// in the log: whoever looks for a contradiction with vectors of zeros must not choose this one.
void tell_elements(Walk& walk, const core::ConstantVar& constant,
                   const std::vector<core::ExprId>& elements, bool computed) {
  Setting& setting = walk.setting();
  logic::TermTable& terms = walk.terms();
  const core::Type& type = setting.program.vars[constant.var].type;
  const Value& table = setting.constants.at(constant.var);
  std::vector<Term>& known = setting.log->typing[table.term];
  std::vector<Term> values;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Value element =
        setting.encoder.coerce(walk.value(elements[i], Side::Relaxed), type.element());
    const Term at = terms.integer(static_cast<std::int64_t>(i));
    known.push_back(terms.eq(terms.select(table.term, at), element.term));
    values.push_back(element.term);
  }
  if (const auto bounds = bound_elements(walk, table, values)) known.push_back(*bounds);
  // Of what is computed it is proved apart, and not known before.
  if (computed && core::is_surely_natural(setting.program, constant.value))
    for (Term natural : setting.encoder.typing(table, type)) known.push_back(natural);
  setting.log->outside[table.term] = setting.encoder.outside(table, type);
  std::vector<Term> told = known;
  for (Term outside : setting.log->outside[table.term]) told.push_back(outside);
  terms.tell(table.term, std::move(told));
}

}  // namespace

Setting make_setting(const core::Program& program, logic::TermTable& terms, core::Effects& effects,
                     const Options& options, Result& result, Judge* judge, bool computed,
                     bool functions) {
  Setting setting{options.bounds ? make_search(*options.bounds) : make_proof(),
                  program,
                  terms,
                  effects,
                  encode::Encoder(program, terms),
                  options,
                  result,
                  judge,
                  std::make_shared<Log>(),
                  {},
                  {},
                  Symbols(terms)};
  setting.encoder.sizes_count = options.trap != Trap::SizesDoNotCount;
  setting.encoder.guarded = options.trap != Trap::DefinitionEverywhere;
  setting.strategy->prepare(setting);
  for (const core::ConstantVar& c : program.constants) {
    const core::Var& v = program.vars[c.var];
    if (setting.constants.contains(c.var)) continue;
    std::vector<Term> sizes;
    if (const auto* listed = core::find_elements(program, c))
      sizes.push_back(terms.integer(static_cast<std::int64_t>(listed->size())));
    const Value symbol = setting.encoder.fresh(v.name, v.type, std::move(sizes));
    if (v.type.rank == 0 && (computed || !c.value.valid())) {
      setting.log->typing[symbol.term] = setting.encoder.typing(symbol, v.type);
      terms.tell(symbol.term, setting.log->typing[symbol.term]);
    }
    setting.log->hubs.insert(symbol.term);
    setting.constants[c.var] = symbol;
  }
  Walk walk(setting, "constants");
  walk.path = terms.boolean(true);
  for (const core::ConstantVar& c : program.constants) {
    if (!c.value.valid()) continue;
    if (const auto* elements = core::find_elements(program, c)) {
      tell_elements(walk, c, *elements, computed);
      continue;
    }
    walk.assume(terms.eq(
        setting.constants[c.var].term,
        setting.encoder.coerce(walk.value(c.value, Side::Relaxed), program.vars[c.var].type).term));
  }
  for (core::ExprId constraint : program.constraints)
    if (functions || (!core::uses(program, constraint, core::Rigid::Unknown) &&
                      !core::uses(program, constraint, core::Rigid::Known)))
      walk.assume(walk.formula(constraint, Side::Relaxed));
  setting.log->constants = walk.facts.all();
  return setting;
}

namespace {

// The walk of a function by both runs, or by the original alone; or of a lemma, which has one.
class FunctionWalk {
 public:
  FunctionWalk(Setting& setting, core::FunctionId id, bool any_state, Run run)
      : setting_(setting),
        program_(setting.program),
        f_(setting.program.functions[id]),
        walk_(setting, f_.name),
        any_state_(any_state),
        run_(run) {
    walk_.path = setting.terms.boolean(true);
    walk_.prove_original = run == Run::Original;
    walk_.calls.push_back(id);
  }

  void run() {
    const Run run = run_;
    begin_model_state(run);
    setting_.strategy->give_parameters(walk_, f_, run);
    assume_requirements(run);
    setting_.strategy->enter(walk_, f_, run);
    const State entry = walk_.state;
    walk_.begin_measure(walk_.calls.front(), run);
    walk_.note_moment(encode::Moment::Kind::Entry, f_.span);
    walk_.forget_results(f_, run);
    walk_.execute(f_.body, run);
    each_side(run, [&](Side side) {
      for (core::VarId param : f_.params) walk_.set(param, side, entry.side(side).at(param));
    });
    for (const core::Clause& clause : f_.ensures) {
      const Span at = program_.exprs[clause.expr].span;
      if (!clause.relational)
        walk_.unary_claim(ClaimKind::Ensures, clause.expr, run, {}, at);
      else if (run == Run::Both)
        walk_.prove(ClaimKind::EnsuresR, walk_.relation(clause.expr), {}, at,
                    {clause.expr, Side::Relaxed});
    }
    walk_.close_assumptions(first_);
    walk_.note_end(f_.span);
  }

 private:
  void begin_model_state(Run run) {
    for (const core::StateVar& m : program_.model.states) {
      if (any_state_) {
        each_side(run, [&](Side side) { walk_.set(m.var, side, walk_.unknown(m.var, side)); });
        continue;
      }
      const Value initial = m.init.valid()
                                ? setting_.encoder.coerce(walk_.value(m.init, Side::Relaxed),
                                                          program_.vars[m.var].type)
                                : walk_.unknown(m.var, Side::Relaxed);
      each_side(run, [&](Side side) { walk_.set(m.var, side, initial); });
    }
    if (run != Run::Original) walk_.assume_model_invariants();
  }

  void assume_requirements(Run run) {
    first_ = setting_.result.assumptions.size();
    std::vector<core::ExprId> relations;
    for (const core::Clause& clause : f_.requires_)
      if (clause.relational) relations.push_back(clause.expr);
    if (run == Run::Both)
      walk_.assume_relations(relations, std::set<core::VarId>(f_.params.begin(), f_.params.end()));
    each_side(run, [&](Side side) {
      for (const core::ParamSize& size : f_.sizes)
        walk_.assume(setting_.terms.eq(walk_.state.side(side).at(size.param).sizes[size.dimension],
                                       walk_.formula(size.size, side)));
      for (const core::Clause& clause : f_.requires_)
        if (!clause.relational) walk_.assume(walk_.formula(clause.expr, side));
    });
    walk_.note_assumption(ClaimKind::RequirementsMet, {}, f_.span, run, kNothingBefore);
  }

  Setting& setting_;
  const core::Program& program_;
  const core::Function& f_;
  Walk walk_;
  bool any_state_;
  Run run_;
  std::size_t first_ = 0;
};

}  // namespace

void verify_function(Setting& setting, core::FunctionId id, bool any_state) {
  if (setting.program.functions[id].is_of_one_run())
    return FunctionWalk(setting, id, any_state, Run::Relaxed).run();
  if (const core::DefinitionId pure = setting.program.functions[id].pure; pure.valid()) {
    setting.encoder.defining = pure;
    return FunctionWalk(setting, id, any_state, Run::Original).run();
  }
  FunctionWalk(setting, id, any_state, Run::Both).run();
  if (setting.strategy->walks_original_alone(setting.options) &&
      setting.options.trap != Trap::OriginalTrusted)
    FunctionWalk(setting, id, any_state, Run::Original).run();
}

Generator::Generator(const core::Program& program, const Options& options)
    : program_(program), options_(options), effects_(program) {
  const std::vector<bool> called = core::find_called(program);
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::Function& f = program.functions[core::FunctionId{i}];
    from_any_state_.push_back(f.alone || (called[i] && f.has_contract() &&
                                          options.trap != Trap::ContractFromInitialState));
  }
}

Generator::~Generator() = default;

Result Generator::function(core::FunctionId id, logic::TermTable& terms, Judge& judge,
                           Calls calls) {
  Result result;
  if (program_.functions[id].external()) return result;
  Setting setting = make_setting(program_, terms, effects_, options_, result, &judge);
  setting.circles = circles();
  const core::Function& f = program_.functions[id];
  if (options_.unroll > 0 && !f.lemma && !f.pure.valid())
    setting.strategy = make_bounded(options_.unroll);
  if (calls == Calls::SummedUp) setting.summaries = std::make_shared<Summaries>(summarisable());
  try {
    verify_function(setting, id, from_any_state_[id.value]);
    if (setting.summaries) setting.summaries->move_to(result);
  } catch (const GivenUp&) {
    result.incomplete = true;
  }
  return result;
}

std::shared_ptr<const std::vector<std::uint32_t>> Generator::circles() {
  if (!circles_) {
    std::vector<std::uint32_t> circles(program_.functions.size());
    std::uint32_t number = 0;
    for (const std::vector<core::FunctionId>& group : core::find_circles(program_)) {
      for (core::FunctionId id : group) circles[id.value] = number;
      ++number;
    }
    circles_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(circles));
  }
  return circles_;
}

const Summarisable& Generator::summarisable() {
  if (!summarisable_)
    summarisable_ =
        std::make_unique<const Summarisable>(program_, effects_, options_.summed_up_from);
  return *summarisable_;
}

bool Generator::is_worth_summaries(core::FunctionId id) {
  // What is summed up is said of bodies by themselves, and not of whose calls go in a circle.
  const core::Function& f = program_.functions[id];
  if (f.ends || !f.measure.empty()) return false;
  return options_.unroll == 0 && !options_.trust_original && summarisable().is_worth_it(id);
}

}  // namespace leto::vcgen

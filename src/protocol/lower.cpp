#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "protocol/step.h"

namespace leto::protocol {

using check::sys::kAllNodes;
using check::sys::Type;
using check::sys::Variable;

namespace {

class Lowering {
 public:
  Lowering(const check::sys::System& source, DiagnosticSink& sink, const Limits& limits)
      : source_(source),
        out_(),
        t_(*out_.system.terms),
        eval_(source, t_, sink, limits),
        fresh_(source, out_.system) {}

  Lowered run() {
    out_.system.name = source_.name;
    eval_.guard = t_.boolean(true);
    declare_enumerations();
    declare_variables();
    start();
    for (const check::sys::Step& step : source_.steps) lower(step);
    lower_elapse();
    for (const check::sys::Named& claim : source_.claims) add_claim(claim, false);
    for (const check::sys::Named& lemma : source_.lemmas) add_claim(lemma, true);
    for (const check::sys::Named& invariant : source_.invariants) add_claim(invariant, true);
    declare_failures();
    add_claims_of_time();
    relate_models();
    out_.can_go_on = t_.or_(failed(), t_.or_(std::move(enabled_)));
    finish_steps();
    return std::move(out_);
  }

 private:
  // Variables
  // --------------------------------------------------------------------------------------

  void declare_enumerations() {
    for (const check::sys::Enumeration& one : source_.enumerations)
      out_.system.enumerations.push_back({one.name, one.values});
    transition::Enumeration nodes{"nodes", {}};
    for (std::uint32_t i = 0; i < source_.nodes(); ++i) nodes.values.push_back(eval_.node_name(i));
    out_.system.enumerations.push_back(std::move(nodes));
  }
  // "told[1][2]"; among nodes of all kinds a node is called by its kind.
  [[nodiscard]] std::string element_name(const Variable& variable,
                                         const std::vector<std::uint32_t>& element) const {
    std::string name = variable.name;
    for (std::size_t i = 0; i < element.size(); ++i) {
      const std::uint32_t kind = variable.indices[i];
      name += kind == kAllNodes ? fmt::format("[{}]", eval_.node_name(element[i]))
                                : fmt::format("[{}]", element[i] - source_.sorts[kind].first);
    }
    return name;
  }
  void declare_variables() {
    eval_.now.resize(source_.variables.size());
    given_.resize(source_.variables.size(), Given::New);
    for (std::uint32_t v = 0; v < source_.variables.size(); ++v) {
      const Variable& variable = source_.variables[v];
      if (variable.constant && variable.init.valid()) continue;
      VariableBlock block{variable.name, {}};
      for (const std::vector<std::uint32_t>& element : eval_.elements_of(v)) {
        const std::uint32_t index =
            out_.system.add_variable(element_name(variable, element), sort_of(variable.type),
                                     variable.span, fresh_.enumeration_of(variable.type));
        block.variables.push_back(index);
        eval_.demand(variable.span);
        eval_.now[v].push_back(out_.system.variables[index].now);
        of_.push_back({v, eval_.now[v].size() - 1});
      }
      out_.blocks.push_back(std::move(block));
    }
    for (std::uint32_t v = 0; v < source_.variables.size(); ++v) give_constant(v);
    initial_ = eval_.now;
  }
  // A constant with a value is that value. Values may use constants, and not one another.
  void give_constant(std::uint32_t v) {
    const Variable& variable = source_.variables[v];
    if (!variable.constant || !variable.init.valid() || given_[v] == Given::Done) return;
    if (given_[v] == Given::Open)
      eval_.refuse(DiagnosticKind::BadSystem, variable.span,
                   fmt::format("the value of '{}' depends on itself", variable.name));
    given_[v] = Given::Open;
    give_constants_in(variable.init);
    eval_.now[v].assign(eval_.elements_of(v).size(), eval_.value(variable.init));
    given_[v] = Given::Done;
  }
  void give_constants_in(ExprId id) {
    const check::sys::Expr& e = source_.exprs[id];
    if (e.op == Op::Variable) give_constant(e.index);
    for (ExprId arg : e.args) give_constants_in(arg);
  }

  // Initial states, and what is assumed of all
  // -------------------------------------------------------

  void start() {
    eval_.before = eval_.now;
    std::vector<Term> initial, assumed;
    for (std::uint32_t v = 0; v < source_.variables.size(); ++v) {
      const Variable& variable = source_.variables[v];
      if (variable.constant && variable.init.valid()) continue;
      for (Term element : eval_.now[v]) {
        assumed.push_back(eval_.in_range(element, variable.type));
        if (variable.init.valid()) initial.push_back(t_.eq(element, eval_.value(variable.init)));
      }
    }
    // A constant with a value out of its type, in a model: there is no such state.
    for (const check::sys::Named& one : source_.constraints)
      assumed.push_back(eval_.value(one.expr));
    for (const check::sys::Named& one : source_.required)
      assumed.push_back(narrowing(one, Trusted::Kind::Constants));
    always_ = t_.and_(assumed);
    initial.insert(initial.end(), assumed.begin(), assumed.end());
    for (const check::sys::Named& one : source_.initially)
      initial.push_back(narrowing(one, Trusted::Kind::Beginning));
    for (const check::sys::Named& one : source_.trusted) {
      const Term formula = eval_.value(one.expr);
      out_.trusted.push_back({source_.exprs[one.expr].span, formula});
      assumed.push_back(formula);
    }
    out_.system.initial = t_.and_(std::move(initial));
    out_.system.assumed = t_.and_(std::move(assumed));
  }

  // A condition of the system. If it speaks of the model it is on the list of what is trusted: a
  // fault that it rules out is looked at by nobody.
  Term narrowing(const check::sys::Named& one, Trusted::Kind kind) {
    const Term formula = eval_.value(one.expr);
    if (speaks_of_model(one.expr))
      out_.trusted.push_back({source_.exprs[one.expr].span, formula, kind});
    return formula;
  }
  [[nodiscard]] bool speaks_of_model(ExprId id) const {
    std::vector<ExprId> to_do{id};
    std::set<std::uint32_t> seen;
    while (!to_do.empty()) {
      const check::sys::Expr& e = source_.exprs[to_do.back()];
      to_do.pop_back();
      to_do.insert(to_do.end(), e.args.begin(), e.args.end());
      if (e.op != Op::Variable || !seen.insert(e.index).second) continue;
      const Variable& variable = source_.variables[e.index];
      if (variable.of_model) return true;
      if (variable.init.valid()) to_do.push_back(variable.init);  // it begins as what that says
    }
    return false;
  }

  // Steps
  // ------------------------------------------------------------------------------------------

  void lower(const check::sys::Step& step) {
    eval_.for_nodes(step.slots, [&] {
      std::string name = step.name;
      for (std::size_t i = 0; i < step.slots.size(); ++i)
        name +=
            (i == 0 ? "(" : ", ") + eval_.node_name(*eval_.known_node(eval_.slot(step.slots[i])));
      if (!step.slots.empty()) name += ')';
      fresh_.begin();
      eval_.demand(step.span, of_.size());
      StepLowering one(source_, eval_, fresh_, t_, out_, failures_);
      done_.push_back(one.run(step, name, initial_));
      enabled_.push_back(done_.back().enabled);
      starts_.push_back(done_.back().enabled);
      out_.system.steps.push_back(
          {name, t_.boolean(true), step.span, std::move(done_.back().remarks)});
    });
  }

  void lower_elapse() {
    if (!source_.elapse) return;
    eval_.now = eval_.before = initial_;
    const Term clock = initial_[source_.elapse->clock][0];
    std::vector<Term> counted, before, after, reached;
    const Term then = next_of(source_.elapse->clock, 0);
    for (const check::sys::Moment& moment : source_.elapse->moments)
      eval_.for_nodes(moment.slots, [&] {
        const Term counts = eval_.truth(moment.when);
        const Term at = eval_.value(moment.place.indices[0]);
        counted.push_back(counts);
        before.push_back(t_.implies(counts, t_.lt(clock, at)));
        after.push_back(t_.implies(counts, t_.le(then, at)));
        reached.push_back(t_.and_(counts, t_.eq(then, at)));
        missed_.push_back(t_.implies(counts, t_.le(clock, at)));
        due_.push_back(t_.and_(counts, t_.eq(clock, at)));
      });
    const Term may = t_.and_(t_.or_(counted), t_.and_(before));
    Done done;
    done.enabled = may;
    done.good = t_.and_({may, t_.or_(std::move(reached)), t_.and_(std::move(after))});
    done.after = initial_;
    done.after[source_.elapse->clock][0] = then;
    enabled_.push_back(may);
    done_.push_back(std::move(done));
    out_.system.steps.push_back({"elapse", t_.boolean(true), source_.elapse->span, {}});
  }
  [[nodiscard]] Term next_of(std::uint32_t variable, std::size_t element) const {
    for (std::size_t i = 0; i < of_.size(); ++i)
      if (of_[i].first == variable && of_[i].second == element)
        return out_.system.variables[i].next;
    LETO_ASSERT(false);
  }

  // Failures: a variable says which there was, and nothing happens any more.
  void declare_failures() {
    if (failures_.empty()) return;
    transition::Enumeration sites{"failure", {"none"}};
    for (const FailureSite& site : failures_) sites.values.push_back(site.name);
    const auto enumeration = static_cast<std::uint32_t>(out_.system.enumerations.size());
    out_.system.enumerations.push_back(std::move(sites));
    failed_ = out_.system.add_variable("step.failed", logic::kInt, std::nullopt, enumeration);
    const Term now = out_.system.variables[*failed_].now;
    out_.system.initial = t_.and_(out_.system.initial, t_.eq(now, t_.integer(0)));
    const auto count = static_cast<std::int64_t>(failures_.size());
    out_.system.assumed =
        t_.and_({out_.system.assumed, t_.le(t_.integer(0), now), t_.le(now, t_.integer(count))});
    out_.system.common = t_.eq(now, t_.integer(0));
    for (std::size_t i = 0; i < failures_.size(); ++i)
      put_claim("never fails: " + failures_[i].name, failures_[i].span,
                t_.not_(t_.eq(now, t_.integer(static_cast<std::int64_t>(i) + 1))), false);
  }
  [[nodiscard]] Term failed() {
    if (!failed_) return t_.boolean(false);
    return t_.not_(t_.eq(out_.system.variables[*failed_].now, t_.integer(0)));
  }

  // When it is known whether anything can fail: each step with what it leaves as it is.
  void finish_steps() {
    std::vector<Term> same;
    for (std::size_t i = 0; i < of_.size(); ++i)
      same.push_back(t_.eq(out_.system.variables[i].next, out_.system.variables[i].now));
    const Term all_same = t_.and_(std::move(same));
    for (std::size_t s = 0; s < done_.size(); ++s) {
      const Done& done = done_[s];
      std::vector<Term> good{done.good};
      for (std::size_t i = 0; i < of_.size(); ++i)
        good.push_back(
            t_.eq(out_.system.variables[i].next, done.after[of_[i].first][of_[i].second]));
      if (failed_) good.push_back(t_.eq(failed_next(), t_.integer(0)));
      std::vector<Term> ways{t_.and_(std::move(good))};
      for (const auto& [site, when] : done.failing)
        ways.push_back(
            t_.and_({when, t_.eq(failed_next(), t_.integer(static_cast<std::int64_t>(site) + 1)),
                     all_same}));
      out_.system.steps[s].formula = t_.or_(std::move(ways));
    }
  }
  [[nodiscard]] Term failed_next() const { return out_.system.variables[*failed_].next; }

  // Claims
  // -----------------------------------------------------------------------------------------

  // A name is that of one claim, so that it can be asked for: a model may have several invariants.
  void put_claim(std::string name, Span span, Term formula, bool lemma) {
    const std::string written = name;
    const auto taken = [&](const transition::Claim& one) { return one.name == name; };
    for (int n = 2; std::any_of(out_.system.claims.begin(), out_.system.claims.end(), taken); ++n)
      name = fmt::format("{} ({})", written, n);
    out_.system.claims.push_back({std::move(name), span, formula});
    out_.is_lemma.push_back(lemma);
  }
  void add_claim(const check::sys::Named& claim, bool lemma) {
    eval_.now = eval_.before = initial_;
    put_claim(claim.name, claim.span, eval_.value(claim.expr), lemma);
  }
  void add_claims_of_time() {
    if (!source_.elapse) return;
    const Span at = source_.elapse->span;
    put_claim("no missed moment", at, t_.and_(missed_), false);
    put_claim("time goes on", at, t_.or_({failed(), t_.not_(t_.or_(due_)), t_.or_(starts_)}),
              false);
  }

  // Models that refine others
  // ------------------------------------------------------------------------

  void relate_models() {
    for (const check::sys::Refinement& one : source_.refinements) {
      eval_.now = eval_.before = initial_;
      RefinementLowering(source_, eval_, t_, out_, always_).run(one);
    }
  }

  enum class Given : std::uint8_t { New, Open, Done };

  const check::sys::System& source_;
  Lowered out_;
  TermTable& t_;
  Evaluator eval_;
  Inputs fresh_;
  State initial_;  // the variables now
  std::vector<Given> given_;
  // Of which variable of the source a variable is an element; 'step.failed' comes behind them.
  std::vector<std::pair<std::uint32_t, std::size_t>> of_;
  std::vector<FailureSite> failures_;
  Term always_;  // types, and what is required of constants
  std::optional<std::uint32_t> failed_;
  std::vector<Done> done_;
  std::vector<Term> enabled_, starts_, missed_, due_;
};

}  // namespace

std::optional<Lowered> lower(const check::sys::System& system, DiagnosticSink& sink,
                             const Limits& limits) {
  try {
    return Lowering(system, sink, limits).run();
  } catch (const Refused&) {
    return std::nullopt;
  }
}

}  // namespace leto::protocol

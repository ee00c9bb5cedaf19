#include "oracle/hardware.h"

#include <algorithm>

namespace leto::oracle {

using syntax::OperationKind;
using syntax::OperatorMember;

namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

Hardware::Hardware(const Program& program, const Instance& instance, Specifications& specs,
                   const Request& request, const State& before)
    : program_(program), instance_(instance), specs_(specs), request_(request), before_(before) {
  for (const Number& operand : request.operands) operands_.push_back(scalar(operand));
  const std::vector<Specification>& all = instance.model().specifications();
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!fits(all[k])) continue;
    fitting_.push_back(k);
    if (is_enabled(all[k])) enabled_.push_back(k);
  }
}

bool Hardware::fits(const Specification& spec) const {
  const OperatorMember& op = *spec.op;
  if (op.kind != request_.kind || op.params[0].type.scalar != request_.type) return false;
  switch (op.kind) {
    case OperationKind::Unary:
      return op.unary == request_.unary;
    case OperationKind::Binary:
      return op.binary == request_.binary;
    case OperationKind::Read:
    case OperationKind::Write:
      return op.attributes.region && request_.region &&
             op.attributes.region->name == *request_.region;
  }
  LETO_ASSERT(false);
}

// Without an outcome they are the names before the operation.
ModelNames Hardware::names(const Specification& spec, const State& state,
                           const Value* outcome) const {
  ModelNames all(program_, instance_.model(), spec.scope, instance_.constants(), state);
  const Type type{request_.type, Shape::Scalar}, outcome_type{request_.outcome, Shape::Scalar};
  for (std::size_t k = 0; k < spec.op->params.size(); ++k) {
    const View before{type, &operands_[k]};
    const bool changes = request_.kind == OperationKind::Write && k == 0 && outcome;
    all.add({spec.op->params[k].name.name, changes ? View{outcome_type, outcome} : before, before});
  }
  if (outcome) {
    all.add({Name{}, {outcome_type, outcome}, {outcome_type, outcome}});
    all.set_before(before_);
  }
  return all;
}

bool Hardware::is_enabled(const Specification& spec) const {
  const ModelNames all = names(spec, before_, nullptr);
  for (const auto& clause : spec.op->clauses)
    if (const auto* when = std::get_if<OperatorMember::When>(&clause.node))
      if (!specs_.judge({spec.tree, &all, Mode::Relaxed, nullptr}, when->expr).holds) return false;
  return true;
}

bool Hardware::ensures(const Specification& spec, const Number& outcome, const State& after) const {
  const Value value = scalar(outcome);
  const ModelNames all = names(spec, after, &value);
  for (const auto& clause : spec.op->clauses)
    if (const auto* claim = std::get_if<OperatorMember::Ensures>(&clause.node))
      if (!specs_.judge({spec.tree, &all, Mode::Relaxed, nullptr}, claim->expr).holds) return false;
  return true;
}

Hardware::Answer Hardware::check(const Decision& decision) const {
  const Model& model = instance_.model();
  if (!contains(fitting_, decision.specification))
    return {"the specification is not one for this operation", {}};
  if (!contains(enabled_, decision.specification)) return {"the specification is not enabled", {}};
  if (!oracle::fits(request_.outcome, decision.outcome))
    return {"the outcome is not of its type", {}};
  const Specification& spec = model.specifications()[decision.specification];
  State after = before_;
  for (const auto& [text, value] : decision.state) {
    const std::optional<std::size_t> variable = model.find_state(text);
    if (!variable) return {"there is no state variable '" + text + "'", {}};
    if (!oracle::fits(model.state()[*variable].type, value))
      return {"the new value of '" + text + "' is not of its type", {}};
    if (!spec.modifies.contains(*variable) && value != before_[*variable])
      return {"the specification does not modify '" + text + "'", {}};
    after[*variable] = value;
  }
  if (!ensures(spec, decision.outcome, after)) return {"it is not what is ensured", {}};
  return {"", std::move(after)};
}

std::optional<Decision> Hardware::exact() const {
  for (std::size_t k : enabled_) {
    const Decision decision{k, request_.exact, {}};
    if (check(decision).refusal.empty()) return decision;
  }
  return std::nullopt;
}

std::vector<Decision> Hardware::sample() const {
  std::vector<Decision> all;
  for (std::size_t k : enabled_) {
    sample(k, all);
    if (is_hopeless(k)) all.push_back({k, request_.exact, {}});
  }
  return all;
}

bool Hardware::is_hopeless(std::size_t specification) const {
  const Specification& spec = instance_.model().specifications()[specification];
  if (is_finite(spec)) {
    std::vector<Decision> all;
    sample(specification, all);
    return all.empty();
  }
  const Value any = scalar(request_.exact);
  const ModelNames then = names(spec, before_, &any);
  for (const auto& clause : spec.op->clauses)
    if (const auto* claim = std::get_if<OperatorMember::Ensures>(&clause.node))
      if (!is_open(spec, claim->expr) &&
          !specs_.judge({spec.tree, &then, Mode::Relaxed, nullptr}, claim->expr).holds)
        return true;
  return false;
}

bool Hardware::is_finite(const Specification& spec) const {
  bool finite = request_.outcome == Scalar::Bool;
  for (std::size_t variable : spec.modifies)
    finite = finite && instance_.model().state()[variable].type == Scalar::Bool;
  return finite;
}

bool Hardware::is_open(const Specification& spec, ExprId id) const {
  const syntax::Expr& whole = spec.tree->exprs[id];
  if (std::holds_alternative<syntax::OldExpr>(whole.node)) return false;
  const auto changes = [&](Name scope, Name name) {
    const std::optional<Model::Found> found = instance_.model().find(scope, name);
    return found && found->state && spec.modifies.contains(found->index);
  };
  if (const auto* member = std::get_if<syntax::MemberExpr>(&whole.node))
    return changes(member->scope.name, member->member.name);
  if (const auto* name = std::get_if<syntax::NameExpr>(&whole.node)) {
    const bool dest =
        request_.kind == OperationKind::Write && name->name == spec.op->params[0].name.name;
    return dest || program_.text(name->name) == "result" || changes(spec.scope, name->name);
  }
  bool open = false;
  syntax::for_each_child(whole, [&](ExprId child) { open = open || is_open(spec, child); });
  return open;
}

void Hardware::sample(std::size_t index, std::vector<Decision>& into) const {
  const Model& model = instance_.model();
  const Specification& spec = model.specifications()[index];
  std::vector<Decision> drafts;
  for (const Number& outcome : sample_outcomes(spec)) drafts.push_back({index, outcome, {}});
  constexpr std::size_t most = 5000;
  for (std::size_t variable : spec.modifies) {
    const std::vector<Number> values = sample_state(spec, variable);
    std::vector<Decision> longer;
    for (const Decision& draft : drafts)
      for (const Number& value : values) {
        if (longer.size() >= most) break;
        longer.push_back(draft);
        longer.back().state[model.spelling(model.state()[variable])] = value;
      }
    drafts = std::move(longer);
  }
  for (const Decision& draft : drafts)
    if (check(draft).refusal.empty()) into.push_back(draft);
}

namespace {

// Those that are of the type, each once, in the order in which they were thought of.
std::vector<Number> keep(Scalar type, const std::vector<Number>& numbers) {
  std::vector<Number> kept;
  for (const Number& one : numbers)
    if (fits(type, one) && std::find(kept.begin(), kept.end(), one) == kept.end())
      kept.push_back(one);
  return kept;
}

}  // namespace

std::vector<Number> Hardware::ingredients(const Specification& spec) const {
  std::vector<Number> all = instance_.constants();
  const auto collect = [&](const auto& self, ExprId id) -> void {
    const syntax::Expr& whole = spec.tree->exprs[id];
    const Name text = syntax::number_text(whole);
    if (text.valid()) all.push_back(program_.literal(text, whole.span));
    syntax::for_each_child(whole, [&](ExprId child) { self(self, child); });
  };
  for (const auto& clause : spec.op->clauses)
    if (const auto* claim = std::get_if<OperatorMember::Ensures>(&clause.node))
      collect(collect, claim->expr);
  return all;
}

std::vector<Number> Hardware::sample_outcomes(const Specification& spec) const {
  const Number& exact = request_.exact;
  std::vector<Number> all{exact};
  for (const Number& number : ingredients(spec))
    for (const Number& part : {Number(number / 2), number, Number(number + 1)}) {
      all.insert(all.end(), {exact + part, exact - part, part, -part});
      all.insert(all.end(), {exact + exact * part, exact - exact * part});
    }
  for (const Number& operand : request_.operands) all.push_back(operand);
  all.insert(all.end(), {exact + 1, exact - 1, 0, 1, -1, -exact, exact + 1000});
  return keep(request_.outcome, all);
}

std::vector<Number> Hardware::sample_state(const Specification& spec, std::size_t variable) const {
  const Number& old = before_[variable];
  std::vector<Number> all{old, old + 1, old - 1, 0, 1};
  for (const Number& number : ingredients(spec))
    all.insert(all.end(), {old + number, old - number, number});
  return keep(instance_.model().state()[variable].type, all);
}

}  // namespace leto::oracle

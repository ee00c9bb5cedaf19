// From a bound on what a function returns to what it has to be called with.
#include <fmt/core.h>

#include <algorithm>

#include "reliability/backwards.h"
#include "reliability/trail.h"

namespace leto::reliability {

using core::VarId;

namespace {

// Both runs start alike in all that is not known when the function starts. State of the model is,
// and whoever calls the function may have met faults before.
void begin(const core::Program& program, const core::Function& f, Found& found) {
  for (VarId var : Vars(found.vars)) {
    const core::VarKind kind = program.vars[var].kind;
    if (kind == core::VarKind::State)
      found.add(Problem{f.span, fmt::format("the result depends on '{}', which is the model's own",
                                            program.vars[var].name)});
    if (kind != core::VarKind::Param) found.vars.erase(var);
  }
  if (found.hopeless) found.chance = Chance();
}

// Whether a constant's value is another constant, by itself or in the end.
bool is_another(const core::Program& program, core::ExprId value, VarId constant) {
  if (!value.valid()) return false;
  const auto* ref = std::get_if<core::VarRef>(&program.exprs[value].node);
  if (ref == nullptr) return false;
  if (ref->var == constant) return true;
  for (const core::ConstantVar& c : program.constants)
    if (c.var == ref->var) return is_another(program, c.value, constant);
  return false;
}

}  // namespace

Analysis analyse(const core::Program& program, core::FunctionId function, const Vars& wanted,
                 const Options& options) {
  Backwards backwards(program, options);
  return analyse(program, backwards, function, wanted);
}

namespace {

Analysis conclude(const core::Program& program, const core::Function& f, Found found) {
  Analysis out;
  begin(program, f, found);
  out.before = {found.chance, std::move(found.vars)};
  sum_up(found.evidence, out);
  std::stable_sort(out.shares.begin(), out.shares.end(),
                   [](const Share& a, const Share& b) { return a.weight > b.weight; });
  return out;
}

}  // namespace

Analysis analyse(const core::Program& program, Backwards& backwards, core::FunctionId function,
                 const Vars& wanted) {
  const core::Function& f = program.functions[function];
  backwards.enter(function);
  Found found = backwards.before(f.body, wanted);
  auto trail = find_trail(program, backwards, f.body, wanted);
  Analysis out = conclude(program, f, std::move(found));
  out.trail = std::move(trail);
  return out;
}

// The better one of the two rules.
Analysis analyse(const core::Program& program, Backwards& backwards, core::FunctionId function,
                 const core::ReliabilityClause& clause, const KnownRight& known) {
  const core::Function& f = program.functions[function];
  Analysis equal;
  equal.before.chance = Chance();
  if (known.original)
    equal = analyse(program, backwards, function, Vars(clause.vars.begin(), clause.vars.end()));
  else
    equal.problems.push_back(
        {clause.span, "that the original run hands out what is right is not proved"});
  if (!known.accepts) return equal;
  backwards.enter(function);
  const std::optional<Guard> guard = find_guard(program, backwards.uses(), function, clause);
  if (!guard) return equal;
  Analysis guarded = conclude(program, f, backwards.before_guard(*guard, known));
  guarded.guard = guard->recovery;
  const bool better = !equal.problems.empty() ||
                      guarded.before.chance.approximate() > equal.before.chance.approximate();
  return better && guarded.problems.empty() ? guarded : equal;
}

bool is_only_a_rate(const core::Program& program, VarId constant) {
  const auto stands_for = [&](core::ExprId id) { return is_another(program, id, constant); };
  const bool rate =
      std::any_of(program.specifications.begin(), program.specifications.end(),
                  [&](const core::Specification& spec) { return stands_for(spec.rate); });
  const bool counts = std::any_of(program.stmts.begin(), program.stmts.end(), [&](const auto& s) {
    const auto* loop = std::get_if<core::While>(&s.node);
    return loop != nullptr && stands_for(loop->times);
  });
  return rate && !counts;
}

std::string text(const core::Program& program, const Predicate& predicate) {
  std::string vars;
  for (VarId var : predicate.vars)
    if (program.vars[var].kind != core::VarKind::Temp)
      vars += (vars.empty() ? "" : ", ") + program.vars[var].name;
  return fmt::format("{} * R({})", predicate.chance.text(), vars);
}

}  // namespace leto::reliability

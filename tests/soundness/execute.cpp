#include "execute.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::soundness {

namespace {

// An `assume` that is false of the original run is what the proof was about to exclude.
bool stopped_by_assume(const core::Program& program, const interp::Outcome& o) {
  if (!o.statement.valid()) return false;
  const auto* claim = std::get_if<core::Claim>(&program.stmts[o.statement].node);
  return claim != nullptr && claim->kind == core::AssertionKind::Assume;
}

// What a lemma ensures is claimed by nobody as long as it is not proved.
bool is_broken(const interp::Violation& v, bool lemmas) {
  return lemmas || v.kind != interp::ViolationKind::LemmaEnsures;
}

// `ends`: that is claimed of it, and more than enough steps were made. `lemmas`: all are proved.
bool breaks(const core::Program& program, const interp::Outcome& o, bool absolute, bool ends,
            bool lemmas) {
  const bool violated =
      std::any_of(o.violations.begin(), o.violations.end(),
                  [&](const interp::Violation& v) { return is_broken(v, lemmas); });
  switch (o.end) {
    case interp::End::AssertFailed:
    case interp::End::CheckFailed:
    case interp::End::Stuck:
      return true;
    case interp::End::Hung:
      return ends || violated;
    case interp::End::Done:
      return violated;
    case interp::End::OriginalFailed:
      return absolute && !stopped_by_assume(program, o);
    case interp::End::OriginalHung:
      return ends && absolute;
    case interp::End::Impossible:
    case interp::End::Undecidable:
      return false;
  }
  LETO_ASSERT(false);
}

std::string tell(const Ready& ready, core::FunctionId function, const interp::Inputs& inputs,
                 const interp::Outcome& o) {
  const core::Program& program = *ready.program;
  std::string out = fmt::format("{}, inputs:", program.functions[function].name);
  for (core::VarId param : program.functions[function].params) {
    const core::Var& v = program.vars[param];
    out += fmt::format(" {}<o> = {}, {}<r> = {};", v.name,
                       text(inputs.values.original[param.value], v.type), v.name,
                       text(inputs.values.relaxed[param.value], v.type));
  }
  for (const core::ConstantVar& c : program.constants)
    out += fmt::format(" {} = {};", program.vars[c.var].name,
                       text(inputs.values.relaxed[c.var.value], program.vars[c.var].type));
  for (const core::StateVar& s : program.model.states)
    out += fmt::format(" {} = {};", program.vars[s.var].name,
                       text(inputs.values.relaxed[s.var.value], program.vars[s.var].type));
  out += "\n";
  for (const interp::Taken& t : o.taken)
    out +=
        fmt::format("site {} in line {}: {} instead of {}\n", t.occurrence,
                    ready.line(program.stmts[t.statement].span), t.outcome.text(), t.exact.text());
  for (const interp::Violation& v : o.violations)
    out += fmt::format("line {}: {} does not hold\n", ready.line(v.span), interp::describe(v.kind));
  if (o.end != interp::End::Done)
    out += fmt::format("{}, line {}: {}\n", interp::describe(o.end), ready.line(o.where), o.why);
  return out;
}

}  // namespace

Found execute(const Ready& ready, core::FunctionId function, bool absolute, std::uint64_t seed,
              std::uint64_t budget, bool lemmas) {
  Found found;
  const interp::Machine machine(*ready.program);
  interp::Options options;
  const bool ends = ready.program->functions[function].ends;
  options.limits.steps = ends ? 4000 : 400;
  constexpr int kInputs = 24;
  for (int i = 0; i < kInputs && found.runs < budget; ++i) {
    const auto inputs = interp::random_inputs(
        machine, function, seed * 1000 + static_cast<std::uint64_t>(i), {2, 2, 60});
    if (!inputs) {
      if (i >= 3 && found.runs == 0) break;  // there seem to be none
      continue;
    }
    interp::ExhaustiveChooser chooser;
    // No single input uses up the whole budget.
    std::uint64_t own = 0;
    bool more = true;
    while (more && own < budget / 4 && found.runs < budget) {
      const interp::Outcome o = machine.run(function, *inputs, chooser, options);
      ++found.runs;
      ++own;
      found.ended += o.end == interp::End::Done;
      if (breaks(*ready.program, o, absolute, ends, lemmas)) {
        found.violated = true;
        found.story = tell(ready, function, *inputs, o);
        return found;
      }
      more = chooser.next();
    }
    if (more || !chooser.complete()) found.complete = false;
  }
  return found;
}

Found execute_all(const Ready& ready, bool absolute, std::uint64_t seed, std::uint64_t budget,
                  const std::set<std::string>& open) {
  Found all;
  for (std::uint32_t f = 0; f < ready.program->functions.size() && !all.violated; ++f) {
    const core::Function& function = ready.program->functions[core::FunctionId{f}];
    if (function.external() || open.contains(function.name)) continue;
    Found one = execute(ready, core::FunctionId{f}, absolute, seed, budget, open.empty());
    all.runs += one.runs;
    all.ended += one.ended;
    all.complete = all.complete && one.complete;
    all.violated = one.violated;
    all.story = std::move(one.story);
  }
  return all;
}

}  // namespace leto::soundness

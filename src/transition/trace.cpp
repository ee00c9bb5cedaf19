#include "transition/trace.h"

#include <fmt/core.h>

#include "transition/expressions.h"

namespace leto::transition {

namespace {

class Replayer {
 public:
  Replayer(const System& system, const Claim& claim, const Trace& trace)
      : system_(system), claim_(claim), trace_(trace) {}

  Replayed run() {
    Replayed out;
    out.fault = find_fault_of_shape();
    if (!out.fault) out.fault = run_states(out.steps);
    return out;
  }

 private:
  std::optional<std::string> find_fault_of_shape() const {
    if (trace_.states.empty() || trace_.inputs.size() + 1 != trace_.states.size())
      return "it has no beginning or no end";
    for (const auto& state : trace_.states)
      if (!fits(state, system_.variables)) return "a state has not the values that it should have";
    for (const auto& inputs : trace_.inputs)
      if (!fits(inputs, system_.inputs)) return "a step has not the inputs that it should have";
    return std::nullopt;
  }

  template <class Declared>
  static bool fits(const std::vector<Value>& values, const std::vector<Declared>& declared) {
    if (values.size() != declared.size()) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i].sort != declared[i].sort || !is_of_its_sort(values[i])) return false;
    return true;
  }

  void set_state(Evaluation& evaluation, std::size_t at, bool next) const {
    for (std::size_t i = 0; i < system_.variables.size(); ++i)
      evaluation.set(next ? system_.variables[i].next : system_.variables[i].now,
                     trace_.states[at][i]);
  }

  std::optional<std::string> run_states(std::vector<std::size_t>& steps) const {
    const std::size_t last = trace_.states.size() - 1;
    for (std::size_t at = 0; at <= last; ++at) {
      Evaluation state(*system_.terms);
      set_state(state, at, false);
      if (at == 0 && !state.is_true(system_.initial)) return "its first state is not initial";
      if (!state.is_true(system_.assumed))
        return fmt::format("state {} is not among those that are assumed", at);
      if (at == last && state.of(claim_.formula) != truth(false))
        return "the claim does not fail at its end";
      if (at == last) break;
      set_state(state, at + 1, true);
      for (std::size_t i = 0; i < system_.inputs.size(); ++i)
        state.set(system_.inputs[i].term, trace_.inputs[at][i]);
      const std::optional<std::size_t> step = find_step(state);
      if (!step) return fmt::format("nothing leads from state {} to the next one", at);
      steps.push_back(*step);
    }
    return std::nullopt;
  }

  // With all the values of a step.
  std::optional<std::size_t> find_step(Evaluation& evaluation) const {
    if (!evaluation.is_true(system_.common)) return std::nullopt;
    for (std::size_t i = 0; i < system_.steps.size(); ++i)
      if (evaluation.is_true(system_.steps[i].formula)) return i;
    return std::nullopt;
  }

  const System& system_;
  const Claim& claim_;
  const Trace& trace_;
};

}  // namespace

Replayed replay(const System& system, const Claim& claim, const Trace& trace) {
  return Replayer(system, claim, trace).run();
}

bool is_initial(const System& system, const std::vector<Value>& state) {
  // A claim that fails everywhere fails at the end of the run without a step.
  const Claim nothing{"", std::nullopt, system.terms->boolean(false)};
  return !replay(system, nothing, {{state}, {}}).fault.has_value();
}

std::optional<std::vector<Value>> read_values(std::string_view reply,
                                              const std::vector<Sort>& sorts) {
  SourceStore sources;
  DiagnosticList unheard;
  Sexprs sexprs(sources);
  const auto read = sexprs.read(sources.add("reply", std::string(reply)), unheard);
  if (read.size() != 1 || sexprs[read[0]].parts.size() != sorts.size()) return std::nullopt;
  TermTable table;
  Expressions expressions(table, sexprs, Notation::SmtLib, unheard);
  Evaluation evaluation(table);
  std::vector<Value> out;
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    const std::vector<SexprId>& pair = sexprs[sexprs[read[0]].parts[i]].parts;
    if (pair.size() != 2) return std::nullopt;
    try {
      const Typed typed = expressions.read(pair[1], [](SexprId) { return std::optional<Typed>(); });
      std::optional<Value> value = evaluation.of(typed.term);
      if (!value) return std::nullopt;
      if (typed.flexible) value->sort = sorts[i] == logic::kReal ? logic::kReal : logic::kInt;
      if (value->sort != sorts[i]) return std::nullopt;
      out.push_back(std::move(*value));
    } catch (const Unreadable&) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace leto::transition

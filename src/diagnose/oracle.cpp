#include "diagnose/oracle.h"

#include <map>

#include "encode/encode.h"
#include "explain/reading.h"

namespace leto::diagnose {

using interp::Number;

namespace {

class StepEnvironment final : public encode::Environment {
 public:
  StepEnvironment(const core::Program& program, logic::TermTable& terms,
                  const interp::Variables& state)
      : program_(program), terms_(terms), state_(state) {}
  encode::Value variable(core::VarId var, core::Side) override {
    if (const auto it = after.find(var); it != after.end()) return it->second;
    return known(var);
  }
  encode::Value old_state(core::VarId var) override { return known(var); }
  encode::Environment& snapshot(core::LoopId, bool) override { LETO_ASSERT(false); }

  encode::Value number(const Number& n, const core::Type& type) {
    if (type.base == core::Base::Bool) return {terms_.boolean(n.truth()), {}};
    const logic::Sort sort = encode::sort_of(type.element());
    const std::string text = (n.sign() < 0 ? -n : n).text();
    const std::size_t slash = text.find('/');
    logic::Term t = terms_.number(text.substr(0, slash), sort);
    if (slash != std::string::npos)
      t = terms_.arith(logic::Kind::RealDiv, t, terms_.number(text.substr(slash + 1), sort));
    return {n.sign() < 0 ? terms_.neg(t) : t, {}};
  }

  std::map<core::VarId, encode::Value> after;

 private:
  encode::Value known(core::VarId var) {
    return number(state_[var.value].scalar, program_.vars[var].type);
  }
  const core::Program& program_;
  logic::TermTable& terms_;
  const interp::Variables& state_;
};

}  // namespace

interp::Oracle solver_oracle(const core::Program& program, solver::Solver& solver) {
  return [&program, &solver](std::uint32_t index, const std::vector<Number>& arguments,
                             const Number& exact,
                             const interp::Variables& state) -> std::optional<interp::Decision> {
    const core::Specification& spec = program.specifications[index];
    logic::TermTable terms;
    encode::Encoder encoder(program, terms);
    StepEnvironment environment(program, terms, state);
    std::vector<logic::Term> facts, unknowns;
    for (std::size_t i = 0; i < spec.params.size(); ++i)
      encoder.bind(spec.params[i],
                   environment.number(arguments[i], program.vars[spec.params[i]].type));
    if (spec.exact.valid())
      encoder.bind(spec.exact, environment.number(exact, program.vars[spec.exact].type));
    const auto unknown = [&](core::VarId var) {
      const core::Var& v = program.vars[var];
      const encode::Value symbol = encoder.fresh(v.name, v.type, {});
      for (logic::Term fact : encoder.typing(symbol, v.type)) facts.push_back(fact);
      unknowns.push_back(symbol.term);
      return symbol;
    };
    for (core::VarId var : spec.modifies) environment.after[var] = unknown(var);
    encoder.bind(spec.outcome, unknown(spec.outcome));
    for (core::ExprId ensures : spec.ensures)
      facts.push_back(encoder.formula(ensures, environment));
    logic::SmtWriter writer(terms);
    solver::Query query{writer.question(facts, terms.boolean(false)), {}, solver::Effort::Brief};
    std::vector<bool> occurs;  // an unknown that does not may be anything
    for (logic::Term t : unknowns) {
      std::string term = writer.term(t);
      occurs.push_back(!term.empty());
      if (!term.empty()) query.values.push_back(std::move(term));
    }
    const solver::Answer answer = solver.solve(query);
    if (answer.verdict != solver::Verdict::Sat || answer.values.size() != query.values.size())
      return std::nullopt;
    interp::Decision decision;
    std::size_t next = 0;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      const std::optional<Number> n =
          occurs[i] ? explain::solver_number(answer.values[next++]) : std::optional<Number>(0);
      if (!n) return std::nullopt;
      if (i < spec.modifies.size())
        decision.states.emplace_back(spec.modifies[i], *n);
      else
        decision.outcome = *n;
    }
    return decision;
  };
}

}  // namespace leto::diagnose

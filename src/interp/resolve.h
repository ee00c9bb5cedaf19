// What a specification leaves open, decided: values for the outcome and the modified state
// such that `ensures` holds. Equations and bounds are solved exactly; what they leave open is
// the chooser's. Where that does not work, someone else is asked, who has a solver.
#pragma once

#include <functional>
#include <set>

#include "interp/choose.h"
#include "interp/evaluate.h"

namespace leto::interp {

struct Decision {
  Number outcome;
  std::vector<std::pair<core::VarId, Number>> states;
};

// Asked with the specification, its arguments, the exact outcome (or that of the layer below) and
// the model's state before.
using Oracle = std::function<std::optional<Decision>(std::uint32_t specification,
                                                     const std::vector<Number>& arguments,
                                                     const Number& exact, const Variables& state)>;

class Resolver {
 public:
  Resolver(const core::Program& program, const Evaluator& evaluator)
      : program_(program), evaluator_(evaluator) {}

  [[nodiscard]] bool enabled(std::uint32_t specification, const std::vector<Number>& arguments,
                             const Number& exact, const Pair& now) const;
  // Does it allow this decision?
  [[nodiscard]] bool allows(std::uint32_t specification, const std::vector<Number>& arguments,
                            const Number& exact, const Decision& decision, Pair& now) const;
  // Nothing if no values were found. The pair is as before in any case.
  [[nodiscard]] std::optional<Decision> decide(std::uint32_t specification,
                                               const std::vector<Number>& arguments,
                                               const Number& exact, Pair& now,
                                               Chooser& chooser) const;

  // Values for unknowns such that formulas hold; also for constants and inputs. The values
  // are put into the pair (constants on both sides, state in the relaxed run) or into
  // `scope.bound` where they stand there.
  struct Unknown {
    core::VarId var;
    Number usual;
  };
  [[nodiscard]] bool solve(const std::vector<core::ExprId>& formulas,
                           const std::vector<Unknown>& unknowns, Pair& values, Scope& scope,
                           Chooser& chooser) const;

 private:
  [[nodiscard]] bool mentions(core::ExprId id, const std::set<core::VarId>& vars) const;
  [[nodiscard]] const core::Apply* apply(core::ExprId id) const;
  void flatten(core::ExprId id, const std::set<core::VarId>& open, Scope& scope, Chooser& chooser,
               std::vector<core::ExprId>& out) const;
  [[nodiscard]] bool is_square(const core::Apply& product, core::VarId unknown) const;
  // `expr OP value` with the unknown somewhere in `expr`: what that says of the unknown.
  bool isolate(core::ExprId expr, core::Op op, const Number& value, core::VarId unknown,
               const std::set<core::VarId>& open, Scope& scope, Domain& domain,
               std::optional<Number>& exactly) const;

  const core::Program& program_;
  const Evaluator& evaluator_;
};

}  // namespace leto::interp

// Expressions, concretely. Written from the language's meaning, not from the
// verifier: outside of its bounds a vector reads as zero and a quotient by zero
// is zero, as far as a specification asks (a program that does so has failed before).
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "interp/ranges.h"
#include "interp/state.h"
#include "interp/undecidable.h"

namespace leto::interp {

// The most values of one variable that are tried.
inline constexpr std::int64_t kMostValues = 1'000'000;
[[nodiscard]] std::string describe(const core::Program& program, const Undecidable& undecidable);

struct Snapshots {
  Pair start, entry;
};

class Results;

// A definition and what it is given.
struct Given {
  core::DefinitionId definition;
  std::vector<Value> args;
};

// What names mean while an expression is evaluated.
struct Scope {
  const Pair& now;
  core::Side open = core::Side::Relaxed;  // for variables whose side is left open
  const std::unordered_map<core::LoopId, Snapshots>* snapshots = nullptr;
  // Bound variables: of quantifiers, and parameters and outcome of a specification.
  std::vector<std::pair<core::VarId, Number>> bound = {};
  // Old values of the model's state, as far as it is being changed.
  std::vector<std::pair<core::VarId, Number>> old = {};
  // Results of definitions that are remembered; null: none are.
  Results* results = nullptr;
  const Given* given = nullptr;  // inside of a definition
};

class Evaluator {
 public:
  explicit Evaluator(const core::Program& program, const Allowance* allowance = nullptr);
  // What a variable is at the moment.
  [[nodiscard]] Value value_of(core::VarId var, const Scope& scope) const {
    return variable(var, core::Side::Open, scope);
  }
  // The variable that it comes to read, from left to right and as far as the result is open, and
  // that has no value; invalid: none. Throws Undecidable.
  [[nodiscard]] core::VarId reads_without_value(core::ExprId id, Scope& scope,
                                                bool inside_quantifier = false) const;
  [[nodiscard]] bool is_spent() const { return spent(allowance_); }
  // What a definition is for what it is given, in a scope that knows that. Throws Undecidable.
  [[nodiscard]] Number meaning_of(core::ExprId used, const Given& given, Scope& scope) const;
  // Runs a pure function; nothing: it has no value for these arguments.
  std::function<std::optional<Number>(core::FunctionId, const std::vector<Value>&, const Scope&)>
      run_pure = {};
  // Finds a value for a function that nobody knows, of arguments that nobody has asked for.
  std::function<Number(core::DefinitionId, const std::vector<Number>&, const Scope&)> find_value =
      {};
  // How many more values of bound variables may be tried; null: any number of them. What would
  // take more has no value.
  std::uint64_t* instances_left = nullptr;
  // Who divides by zero has no value then; else that is zero.
  bool refuses_division_by_zero = false;
  // Throws Undecidable.
  [[nodiscard]] Value value(core::ExprId id, Scope& scope) const;
  [[nodiscard]] Number number(core::ExprId id, Scope& scope) const {
    return value(id, scope).scalar;
  }
  [[nodiscard]] bool truth(core::ExprId id, Scope& scope) const {
    return value(id, scope).scalar.truth();
  }
  // Calls it for the values of the bound variables that matter, until it says no more; whether it
  // never did. Throws Undecidable.
  bool for_each_instance(core::ExprId id, const core::Quant& node, std::vector<core::VarId> open,
                         Scope& scope, const std::function<bool()>& more) const;

 private:
  [[nodiscard]] Value variable(core::VarId var, core::Side side, const Scope& scope) const;
  [[nodiscard]] const Value& named(const core::VarRef& ref, const Scope& scope) const;
  // What names mean at a label.
  [[nodiscard]] static Scope scope_at(const core::Snapshot& label, const Scope& scope);
  // What a definition at hand is given for one of its parameters; null: it is none.
  [[nodiscard]] const Value* find_given(core::VarId var, const Scope& scope) const;
  // Without copying it, where it is a variable's.
  [[nodiscard]] const Array* array(core::ExprId id, Scope& scope, Value& kept) const;
  [[nodiscard]] Value row(const core::Row& node, Scope& scope) const;
  [[nodiscard]] Value updated(const core::Update& node, Scope& scope) const;
  [[nodiscard]] Value listed(const core::Listed& node, Scope& scope) const;
  [[nodiscard]] Number defined(core::ExprId id, const core::Defined& node, Scope& scope) const;
  [[nodiscard]] Number ask(core::ExprId id, const Given& given, const Scope& scope) const;
  [[nodiscard]] Number apply(const core::Apply& node, const core::Type& type, Scope& scope) const;
  [[nodiscard]] Number word(const core::Word& node, const core::Type& type, Scope& scope) const;
  [[nodiscard]] Number divided_by_zero(core::ExprId divisor, const Scope& scope) const;
  [[nodiscard]] bool quantified(core::ExprId id, const core::Quant& node,
                                std::vector<core::VarId> open, Scope& scope) const;
  // The values that a bound variable need take: others make a universal body true, an
  // existential one false.
  struct Range {
    std::optional<Number> low, high;  // both included
    [[nodiscard]] bool finite() const { return low && high; }
  };
  [[nodiscard]] Range range_of(const core::Quant& node, core::VarId var,
                               const std::vector<core::VarId>& open, Scope& scope) const;
  // One of the open variables, and the values to be tried.
  struct Choice {
    std::size_t which = 0;
    std::vector<Stretch> values;
  };
  // By what each guard says of one variable; nothing if that is not enough.
  [[nodiscard]] std::optional<Choice> choose_by_guards(const core::Quant& node,
                                                       const std::vector<core::VarId>& open,
                                                       Scope& scope) const;
  // By what the whole formula says of all of them. Throws Undecidable.
  [[nodiscard]] Choice choose_by_all(core::ExprId id, const core::Quant& node,
                                     const std::vector<core::VarId>& open, Scope& scope) const;
  // Nothing if it has none.
  [[nodiscard]] std::optional<Number> attempt(core::ExprId id, Scope& scope) const;
  void narrow(core::ExprId guard, core::VarId var, const std::vector<core::VarId>& open,
              Scope& scope, bool negated, Range& range) const;
  // factor * var + rest; nothing if it is no such sum, or if it names what is not known yet.
  struct Linear {
    Number factor, rest;
  };
  [[nodiscard]] std::optional<Linear> linear(core::ExprId id, core::VarId var,
                                             const std::vector<core::VarId>& open,
                                             Scope& scope) const;

  const core::Program& program_;
  const Allowance* allowance_;     // may be null
  std::vector<Number> constants_;  // by expression; literals are read once
};

// Whether one of the variables occurs in the expression.
[[nodiscard]] bool mentions(const core::Program& program, core::ExprId id,
                            const std::function<bool(core::VarId)>& wanted);
// What holds where the comparison does not.
[[nodiscard]] core::Op contrary(core::Op op);

// Reads an element; zero outside of bounds.
[[nodiscard]] Number element(const Array* array, const std::vector<Number>& indices);
// The position of an element that is inside of bounds.
[[nodiscard]] std::optional<std::size_t> position(const Array& array,
                                                  const std::vector<Number>& indices);

}  // namespace leto::interp

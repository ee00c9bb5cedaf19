// Which values of a bound variable can matter, by what the formula says of them: it is read as
// linear inequalities between all the variables that are bound, and the others are eliminated.
// What is not understood says nothing, so no value that matters is ever left out.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/core.h"
#include "interp/number.h"

namespace leto::interp {

// Numbers between two ends, both included; without one of them there is no end there.
struct Stretch {
  std::optional<Number> low, high;
};

class RangeReader {
 public:
  // `evaluate` gives an expression without bound variables its value, or nothing.
  using Evaluate = std::function<std::optional<Number>(core::ExprId)>;
  RangeReader(const core::Program& program, Evaluate evaluate)
      : program_(program), evaluate_(std::move(evaluate)) {}

  // In order and apart from each other: outside of them the formula does not come out as wanted,
  // whatever values the other open variables have. Of a real variable only a stretch of one
  // number has two ends.
  [[nodiscard]] std::vector<Stretch> stretches(core::ExprId formula, bool wanted, core::VarId var,
                                               const std::vector<core::VarId>& open);

 private:
  using Column = std::size_t;  // a number that is not known, of a variable or of an expression
  struct Sum {
    std::vector<std::pair<Column, Number>> terms;  // by column
    Number rest = 0;
  };
  // The sum is at most zero, or less.
  struct Constraint {
    Sum sum;
    bool strict = false;
  };
  using System = std::vector<Constraint>;  // all of them hold
  using Systems = std::vector<System>;     // one of them does

  [[nodiscard]] Systems read(core::ExprId id, bool wanted);
  [[nodiscard]] Systems read(const core::Apply& apply, bool wanted);
  [[nodiscard]] Systems read(const core::Quant& quant, bool wanted);
  [[nodiscard]] Systems read_ground(core::ExprId id, bool wanted);
  [[nodiscard]] Systems compare(const core::Apply& apply, bool wanted);

  // What is known of the columns that it makes is put into `known`.
  [[nodiscard]] Sum sum(core::ExprId id, System& known);
  [[nodiscard]] Sum sum(core::ExprId id, const core::Apply& apply, System& known);
  [[nodiscard]] Sum product(core::ExprId id, const core::Apply& apply, System& known);
  [[nodiscard]] Sum divided(core::ExprId id, const core::Apply& apply, System& known);
  // A number on one side of all of the others.
  [[nodiscard]] Sum extreme(const std::vector<Sum>& others, bool greatest, System& known);

  [[nodiscard]] Column fresh() { return columns_++; }
  [[nodiscard]] Sum fresh_sum() { return {{{fresh(), 1}}, 0}; }
  // Makes columns for the variables; the system says of what type they are.
  [[nodiscard]] System bind(const std::vector<core::VarId>& vars);
  [[nodiscard]] std::optional<Column> column(core::VarId var) const;
  [[nodiscard]] bool is_ground(core::ExprId id) const;

  [[nodiscard]] static Sum added(const Sum& a, const Sum& b, const Number& factor);
  [[nodiscard]] static Sum scaled(const Sum& a, const Number& factor);
  [[nodiscard]] static Systems both(Systems a, Systems b);
  [[nodiscard]] static Systems either(Systems a, Systems b);
  [[nodiscard]] static Number factor_of(const Sum& sum, Column column);
  // Without the column; what follows from the system still does.
  [[nodiscard]] static System eliminate(const System& system, Column column);
  // Nothing if no number is left.
  [[nodiscard]] static std::optional<Stretch> stretch(System system, Column keep, bool whole);

  const core::Program& program_;
  Evaluate evaluate_;
  std::vector<std::pair<core::VarId, Column>> bound_;  // the innermost last
  Column columns_ = 0;
};

}  // namespace leto::interp

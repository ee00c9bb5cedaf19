// Quantifiers as loops over the values that matter. The ranges are found as the evaluator finds
// them, but once: only where the guards say the same whatever values variables have.
#pragma once

#include "interp/compile_expr.h"

namespace leto::interp {

class QuantifierCompiler {
 public:
  QuantifierCompiler(const core::Program& program, ExprCompiler& exprs, Names names)
      : program_(program), exprs_(exprs), names_(std::move(names)) {}

  // Nothing if the tree must be walked.
  [[nodiscard]] std::optional<Quantifier> quantifier(core::ExprId id, const core::Quant& node);

 private:
  // factor * var + rest
  struct Linear {
    Number factor;
    const Number* rest;
    std::optional<Number> known;  // of the rest, if it is a literal
  };
  [[nodiscard]] Level level(const core::Quant& node, core::VarId var,
                            const std::vector<core::VarId>& open);
  void narrow(core::ExprId guard, bool negated, Level& level);
  void compare(const core::Apply& apply, core::Op op, Level& level);
  [[nodiscard]] std::optional<Linear> linear(core::ExprId id, Level& level);
  [[nodiscard]] std::optional<Linear> combine(const core::Apply& apply,
                                              const std::vector<Linear>& args, Code& out);
  [[nodiscard]] std::optional<Linear> product(const Linear& a, const Linear& b, Code& out);

  const core::Program& program_;
  ExprCompiler& exprs_;
  Names names_;
  std::vector<core::VarId> open_;  // whose values are not known yet
  bool same_always_ = true;
};

}  // namespace leto::interp

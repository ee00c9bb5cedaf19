// Quantifiers. One is decided by trying all instances, so its guards must leave finitely many:
// for each bound variable a range is looked for outside of which the body cannot matter.
#pragma once

#include "oracle/specs.h"

namespace leto::oracle {

class Ranges {
 public:
  explicit Ranges(Specifications& specs) : specs_(specs) {}

  [[nodiscard]] bool decide(const Context& context, const syntax::QuantExpr& node, Span span);

 private:
  // All numbers between the two, both included; without one of them there is no end there.
  struct Range {
    std::optional<Number> low, high;
    bool none = false;  // no number at all
  };
  // scale * x + shift
  struct Linear {
    Number scale, shift;
  };

  // Whether some instance makes the body come out as wanted.
  [[nodiscard]] bool search(const Context& context, ExprId body, bool wanted, Span span);
  [[nodiscard]] bool try_all(const Context& context, ExprId body, bool wanted, Span span,
                             Env& variable, const Range& range);
  void count(Span span);
  [[nodiscard]] Range range_of(const Context& context, ExprId body, bool wanted,
                               const Env& variable);

  // Where the expression can come out as wanted.
  [[nodiscard]] Range bound(const Context& context, ExprId id, bool wanted);
  [[nodiscard]] Range bound_name(const Context& context, Name name, Mode mode, bool wanted);
  [[nodiscard]] Range bound_comparison(const Context& context, ExprId lhs, BinaryOp op, ExprId rhs,
                                       bool wanted);
  [[nodiscard]] std::optional<Linear> linear(const Context& context, ExprId id);
  [[nodiscard]] std::optional<Linear> linear_name(const Context& context, Name name, Mode mode);
  [[nodiscard]] bool mentions_open(const Context& context, ExprId id);

  struct Bound;
  struct Shaped;

  Specifications& specs_;
  std::vector<Env> env_;           // the bound variables
  const Env* variable_ = nullptr;  // whose range is being looked for
};

}  // namespace leto::oracle

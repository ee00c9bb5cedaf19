// Quantifiers. One is decided by trying all instances, so its guards must leave finitely many:
// for each bound variable a range is looked for outside of which the body cannot matter.
#pragma once

#include <map>

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
  // scale * x + shift, of which it is known where the second is.
  struct Linear {
    Number scale;
    Range shift;
  };

  // Whether some instance makes the body come out as wanted.
  [[nodiscard]] bool search(const Context& context, ExprId body, bool wanted, Span span);
  [[nodiscard]] bool try_all(const Context& context, ExprId body, bool wanted, Span span,
                             Env& variable, const Range& range);
  void count(Span span);
  // Finds the ranges of variables by those of each other, a few times. False if one is empty.
  bool narrow(const Context& context, ExprId body, bool wanted, std::vector<Env>& variables);

  // Where the expression can come out as wanted.
  [[nodiscard]] Range bound(const Context& context, ExprId id, bool wanted);
  [[nodiscard]] Range bound_name(const Context& context, Name name, Mode mode, bool wanted);
  [[nodiscard]] Range bound_comparison(const Context& context, ExprId lhs, BinaryOp op, ExprId rhs,
                                       bool wanted);
  [[nodiscard]] Range bound_inside(const Context& context, const syntax::QuantExpr& node,
                                   bool wanted);
  [[nodiscard]] Linear linear(const Context& context, ExprId id);
  [[nodiscard]] Linear linear_name(const Context& context, Name name, Mode mode);
  [[nodiscard]] bool mentions_open(const Context& context, ExprId id);

  struct Bound;
  struct Shaped;

  Specifications& specs_;
  std::vector<Env> env_;                // the bound variables
  const Env* variable_ = nullptr;       // whose range is being looked for
  std::map<const Env*, Range> ranges_;  // of the open ones, as far as they are known
};

}  // namespace leto::oracle

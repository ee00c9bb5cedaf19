// What a model says of functions that nobody knows, looked at where somebody has asked.
#pragma once

#include "interp/evaluate.h"

namespace leto::interp {

class FunctionConstraints {
 public:
  explicit FunctionConstraints(const core::Program& program);

  [[nodiscard]] bool empty() const { return all_.empty(); }
  // Constraints that speak of no function constant: they can be evaluated before a run.
  [[nodiscard]] const std::vector<core::ExprId>& plain() const { return plain_; }
  // A value for a point that nobody has asked yet, if one is found such that no constraint is
  // broken by it and by the points that are known.
  [[nodiscard]] Number find_value(const Evaluator& evaluator, core::DefinitionId function,
                                  const std::vector<Number>& args, const Scope& scope) const;
  // The first constraint that is broken by an instance over the points that were asked; invalid:
  // none is. Points that it needs are asked. Throws Undecidable.
  [[nodiscard]] core::ExprId find_broken(const Evaluator& evaluator, const Pair& now) const;

 private:
  struct Constraint {
    core::ExprId whole, body;
    std::vector<core::VarId> bound;
    std::vector<core::ExprId> calls;  // of functions that nobody knows
  };
  using Bindings = std::vector<std::pair<core::VarId, Number>>;

  void add(core::ExprId whole, core::ExprId id, std::vector<core::VarId> bound);
  void collect_calls(core::ExprId id, std::vector<core::ExprId>& out) const;
  // Calls it with the bound variables such that calls are of known points, until it says no more.
  bool for_each_instance(const Constraint& constraint, const Tables& tables, std::size_t call,
                         Bindings& bindings, const std::function<bool()>& more) const;
  bool match(const Constraint& constraint, core::ExprId call, const Tables::Point& point,
             Bindings& bindings) const;
  [[nodiscard]] bool is_broken(const Evaluator& evaluator, const Constraint& constraint,
                               const Bindings& bindings, const Pair& now) const;
  [[nodiscard]] bool breaks(const Evaluator& evaluator, const Pair& now) const;
  // What the point is compared with, and what is close to that.
  [[nodiscard]] std::vector<Number> suggested(const Evaluator& evaluator,
                                              const Tables::Point& point, const Pair& now) const;

  const core::Program& program_;
  std::vector<Constraint> all_;
  std::vector<core::ExprId> plain_;
};

}  // namespace leto::interp

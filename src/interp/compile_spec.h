// Specifications of operators as byte code, with a plan for what they leave open. The plan is what
// the resolver would do, worked out once: where what it does depends on values, or on a choice
// between alternatives, there is no plan and the resolver is asked.
#pragma once

#include <set>

#include "interp/compile_expr.h"

namespace leto::interp {

class SpecificationCompiler {
 public:
  SpecificationCompiler(const core::Program& program, ByteCode& code, ExprCompiler& exprs)
      : program_(program), code_(code), exprs_(exprs) {}

  [[nodiscard]] SpecificationCode specification(const core::Specification& spec);

 private:
  [[nodiscard]] std::optional<Plan> plan(const core::Specification& spec,
                                         const SpecificationCode& made);
  void flatten(core::ExprId id);
  void add_steps(Plan& plan);
  // What the parts say of one unknown, as far as the others are known.
  [[nodiscard]] Plan::Step look(const Plan& plan, std::size_t unknown);
  void look_at(core::ExprId part, core::VarId unknown, Plan::Step& step);
  // Whether something could be said; see Resolver::isolate.
  bool isolate(core::ExprId expr, core::Op op, const Number* value, core::VarId unknown,
               Plan::Step& step);
  bool isolate_operand(core::ExprId expr, const core::Apply& node, core::Op op, const Number* value,
                       core::VarId unknown, Plan::Step& step);
  bool isolate_factor(core::ExprId inner, core::ExprId known, Do what, core::Op op,
                      const Number* value, core::VarId unknown, Plan::Step& step);
  [[nodiscard]] bool mentions_open(core::ExprId id) const;
  [[nodiscard]] bool mentions_one(core::ExprId id, core::VarId var) const;
  [[nodiscard]] const core::Apply* apply(core::ExprId id) const;

  const core::Program& program_;
  ByteCode& code_;
  ExprCompiler& exprs_;
  // Of the specification at hand.
  Names names_;
  std::set<core::VarId> open_;
  std::vector<core::ExprId> parts_;
  bool same_always_ = true;
};

}  // namespace leto::interp

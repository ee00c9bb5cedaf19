// Expressions as byte code. What they cannot be turned into is left to the tree-walking evaluator,
// expression by expression: there is code for every expression.
#pragma once

#include "interp/code.h"

namespace leto::interp {

class ExprCompiler {
 public:
  ExprCompiler(const core::Program& program, ByteCode& code) : program_(program), code_(code) {}

  [[nodiscard]] Code scalar(core::ExprId id, const Names& names);
  [[nodiscard]] Sided sided(core::ExprId id);
  // Whether a claim about both runs comes to read what has no value; nothing if the tree must be
  // walked to tell.
  [[nodiscard]] std::optional<Code> lacks_value(core::ExprId id);

  // Appends what computes it, and says where the result is.
  const Number* append(core::ExprId id, const Names& names, Code& out);
  const Number* append(Do what, const Number* a, const Number* b, Code& out);
  [[nodiscard]] Number* fresh();
  [[nodiscard]] const Number* constant(Number value);
  // A literal's value.
  [[nodiscard]] std::optional<Number> literal(core::ExprId id) const;
  [[nodiscard]] Place place(core::VarId var);

 private:
  const Number* append_apply(core::ExprId id, const core::Apply& node, const Names& names,
                             Code& out);
  const Number* append_choice(const core::Apply& node, const Names& names, Code& out);
  const Number* append_either(const core::Apply& node, const Names& names, Code& out);
  const Number* append_element(core::ExprId id, const core::Select& node, const Names& names,
                               Code& out);
  const Number* append_less(const core::Apply& node, const Names& names, Code& out);
  const Number* append_walk(core::ExprId id, const Names& names, Code& out);
  const Number* append_vectors(core::ExprId id, const core::Apply& node, const Names& names,
                               Code& out);
  const Number* append_quantifier(core::ExprId id, const core::Quant& node, const Names& names,
                                  Code& out);
  // A variable's vector; null if it is no variable.
  [[nodiscard]] const Value* vector(core::ExprId id, const Names& names) const;
  void append_reads(core::ExprId id, bool inside_quantifier, Code& out,
                    std::vector<std::size_t>& found);
  void append_reads_of_either(const core::Apply& node, Code& out, std::vector<std::size_t>& found);

  const core::Program& program_;
  ByteCode& code_;
};

}  // namespace leto::interp

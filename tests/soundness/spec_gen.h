// Random specifications: of one run, and of both. They are of the kind that is nearly true: true
// if no fault strikes, true in one run, true but for one, true at a loop's heads only.
#pragma once

#include "expr_gen.h"

namespace leto::soundness {

// Whose values names mean.
enum class View : unsigned char { Own, Original, Relaxed };

class Specifications {
 public:
  Specifications(World& world, const Scope& scope)
      : world_(world), dice_(world.dice), scope_(scope), exprs_(world) {}

  // For `assert`, `assume`, `requires`, `ensures`, `invariant`.
  [[nodiscard]] std::string unary();
  // For their relational forms.
  [[nodiscard]] std::string relational();
  // About one variable, scalar or not.
  [[nodiscard]] std::string unary(const Variable& v);
  [[nodiscard]] std::string relational(const Variable& v);
  // Something about one run, as that run or as the pair sees it.
  [[nodiscard]] std::string fact(const Variable& v, View view);
  // "model.upset || ", "!model.upset -> ", ...: unless a fault has struck. Empty if nobody knows.
  [[nodiscard]] std::string unless_struck();
  // A variable that claims should be about; nothing if there is none.
  [[nodiscard]] const Variable* subject();

  [[nodiscard]] static std::string name(const Variable& v, View view);

 private:
  [[nodiscard]] std::string size(const std::string& size, View view) const;
  [[nodiscard]] std::string other(const Variable& v, View view);
  [[nodiscard]] std::string number_fact(const Variable& v, View view);
  [[nodiscard]] std::string bool_fact(const Variable& v, View view);
  [[nodiscard]] std::string vector_fact(const Variable& v, View view);
  [[nodiscard]] std::string matrix_fact(const Variable& v, View view);
  [[nodiscard]] std::string label_fact(const Variable& v, View view);
  [[nodiscard]] std::string odd_fact(const Variable& v, View view);
  [[nodiscard]] std::string property_fact(const Variable& v, View view);
  [[nodiscard]] std::string use_of(const Definition& d, const Variable& v, View view);
  [[nodiscard]] bool fits(const Definition& d, const Variable& v) const;
  [[nodiscard]] std::string definition_fact(const Variable& v, View view);
  [[nodiscard]] std::string between(const Variable& v);
  [[nodiscard]] std::string between_elements(const Variable& v);
  [[nodiscard]] std::string about_state();
  [[nodiscard]] std::string related_property(const Variable& v);
  [[nodiscard]] const Label* label_for(const Variable& v);

  World& world_;
  Dice& dice_;
  const Scope& scope_;
  Expressions exprs_;
};

}  // namespace leto::soundness

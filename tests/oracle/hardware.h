// What a model allows at one access: which of its specifications fit, which are enabled, and
// whether an outcome with a new state satisfies what one of them ensures.
#pragma once

#include "oracle/models.h"

namespace leto::oracle {

struct Request {
  syntax::OperationKind kind = syntax::OperationKind::Binary;
  UnaryOp unary = UnaryOp::Negate;
  BinaryOp binary = BinaryOp::Add;
  std::optional<Name> region;  // of a read or write
  Scalar type = Scalar::Void;  // of the operands
  Scalar outcome = Scalar::Void;
  std::vector<Number> operands;  // of a write: what the place holds and what is written
  Number exact;
};

class Hardware {
 public:
  // All of them must outlive it. `before` is the state at the access.
  Hardware(const Program& program, const Instance& instance, Specifications& specs,
           const Request& request, const State& before);

  [[nodiscard]] const std::vector<std::size_t>& fitting() const { return fitting_; }
  [[nodiscard]] const std::vector<std::size_t>& enabled() const { return enabled_; }

  struct Answer {
    std::string refusal;  // empty: it is allowed
    State after;
  };
  [[nodiscard]] Answer check(const Decision& decision) const;
  // The exact outcome with all state as it is, by the first specification that allows it.
  [[nodiscard]] std::optional<Decision> exact() const;
  // Decisions that are allowed: all if outcome and state are booleans, else what comes to mind.
  // A specification that is hopeless has one, which gets stuck.
  [[nodiscard]] std::vector<Decision> sample() const;
  // It is certain that nothing satisfies what the specification ensures.
  [[nodiscard]] bool is_hopeless(std::size_t specification) const;

 private:
  [[nodiscard]] bool fits(const Specification& spec) const;
  [[nodiscard]] bool is_enabled(const Specification& spec) const;
  [[nodiscard]] bool ensures(const Specification& spec, const Number& outcome,
                             const State& after) const;
  [[nodiscard]] ModelNames names(const Specification& spec, const State& state,
                                 const Value* outcome) const;
  void sample(std::size_t index, std::vector<Decision>& into) const;
  [[nodiscard]] bool is_finite(const Specification& spec) const;
  // Whether the outcome, or state that may change, has a part in it.
  [[nodiscard]] bool is_open(const Specification& spec, ExprId id) const;
  // Numbers that play a part: the model's constants and those in the specification's text.
  [[nodiscard]] std::vector<Number> ingredients(const Specification& spec) const;
  [[nodiscard]] std::vector<Number> sample_outcomes(const Specification& spec) const;
  [[nodiscard]] std::vector<Number> sample_state(const Specification& spec,
                                                 std::size_t variable) const;

  const Program& program_;
  const Instance& instance_;
  Specifications& specs_;
  const Request& request_;
  const State& before_;
  std::vector<Value> operands_;
  std::vector<std::size_t> fitting_, enabled_;
};

}  // namespace leto::oracle

// Inputs that are made to fit: numbers that were drawn are changed until equations, bounds and
// facts about the elements of vectors hold. That is a proposal and no more: whoever wants inputs
// that meet requirements evaluates these.
#pragma once

#include <map>
#include <set>

#include "interp/draw.h"
#include "interp/interp.h"

namespace leto::interp {

class Mender {
 public:
  Mender(const Machine& machine, Inputs& inputs, InputChooser& draw)
      : program_(machine.program()),
        evaluator_(machine.evaluator()),
        inputs_(inputs),
        draw_(draw) {}

  // Which variables of a run may be changed. Those that come later are changed rather.
  void allow(core::VarId var, core::Side side) { allowed_.emplace_back(var, side); }
  // Tries to make them hold, in a run and, where they are relational, in both. Whether something
  // was changed.
  bool mend(const std::vector<core::ExprId>& formulas, core::Side side);

 private:
  // A number of the inputs: a scalar, or an element of a vector.
  struct Spot {
    std::size_t allowed;  // by its place in the list
    std::optional<std::size_t> element;
    friend auto operator<=>(const Spot&, const Spot&) = default;
  };
  // factor * spot + rest
  struct Sum {
    Number factor, rest;
  };

  void make(core::ExprId id, bool wanted, Scope& scope);
  void make(const core::Apply& apply, core::ExprId id, bool wanted, Scope& scope);
  void make(const core::Quant& quant, core::ExprId id, bool wanted, Scope& scope);
  void make_one_of(const core::Apply& apply, core::ExprId id, bool wanted, Scope& scope);
  void compare(const core::Apply& apply, core::Op op, Scope& scope);
  // Whether it could say something about the spot.
  bool bound(const core::Apply& apply, core::Op op, const Spot& spot, Scope& scope);
  bool bound_size(const Sum& inner, core::Op op, const Number& value, const Spot& spot);
  void tighten(const Sum& sum, core::Op op, const Number& value, const Spot& spot);

  void spots_in(core::ExprId id, Scope& scope, std::set<Spot>& out) const;
  [[nodiscard]] std::optional<Spot> spot_of(core::ExprId id, Scope& scope) const;
  [[nodiscard]] std::optional<Sum> sum(core::ExprId id, const Spot& spot, Scope& scope) const;
  [[nodiscard]] std::optional<Sum> sum(const core::Apply& apply, core::ExprId id, const Spot& spot,
                                       Scope& scope) const;
  [[nodiscard]] bool touches(core::ExprId id, const Spot& spot) const;
  [[nodiscard]] const Number& number_at(const Spot& spot) const;
  void put(const Spot& spot, Number n);
  [[nodiscard]] Domain& domain_of(const Spot& spot);

  const core::Program& program_;
  const Evaluator& evaluator_;
  Inputs& inputs_;
  InputChooser& draw_;
  std::vector<std::pair<core::VarId, core::Side>> allowed_;
  std::map<Spot, Domain> domains_;  // what is known of each spot so far
  bool changed_ = false;
};

}  // namespace leto::interp

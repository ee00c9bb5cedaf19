// Which variables may differ from the original run's because of a fault in a piece of code, and
// where that decides what is set.
//
//   an operation under the model, or a call of a function that has one, taints what it sets
//   x = e, a[i] = e       x or a is tainted if something in e (or i) is
//   if (c) S, while (c) S all that S may set is tainted if something in c is
//
// What is tainted anywhere counts as tainted everywhere in the code: an order is not looked at.
// What is not tainted has, at each moment, the value that the original run has there.
#pragma once

#include <map>
#include <string>

#include "reliability/uses.h"

namespace leto::reliability {

// Why a variable may be set, in part or as a whole, where the original run does not set it.
struct Stray {
  enum class Kind : std::uint8_t { Condition, Index } kind;
  core::VarId because;  // this may be wrong
};

class Taint {
 public:
  Taint(const core::Program& program, Uses& uses, const std::vector<core::StmtId>& code, Trap trap);

  [[nodiscard]] bool is_tainted(core::VarId var) const { return tainted_.contains(var); }
  [[nodiscard]] const Stray* stray(core::VarId var) const;

 private:
  void visit(core::StmtId id, core::VarId control);
  void set(core::VarId target, const std::vector<core::ExprId>& indices, const Vars& from,
           core::VarId control, bool faulty);
  void add(core::VarId var);
  void call(const core::Call& s, core::VarId control);
  // A tainted one among them; invalid if there is none.
  [[nodiscard]] core::VarId first_of(const Vars& vars) const;
  [[nodiscard]] core::VarId controlling(core::ExprId condition, core::VarId outer) const;

  const core::Program& program_;
  Uses& uses_;
  Trap trap_;
  Vars tainted_;
  std::map<core::VarId, Stray> strays_;
  std::set<std::pair<core::StmtId, core::VarId>> visited_;  // in this pass
  bool changed_ = false;
};

}  // namespace leto::reliability

// What statements read and what they may set. Model state is data like other data: a fault may set
// it, and so may a function that is called.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include "core/core.h"

namespace leto::reliability {

using Vars = std::set<core::VarId>;

// Whether reading the size of a vector counts as reading the vector. What nobody can change after
// the declaration need not be right anew.
enum class Sizes : std::uint8_t { Count, DoNotCount };

// Remembers what it was asked: statements that several recoveries share are looked at once.
class Uses {
 public:
  explicit Uses(const core::Program& program, Trap trap = Trap::None);

  [[nodiscard]] Vars reads(core::ExprId id, Sizes sizes = Sizes::Count) const;
  [[nodiscard]] Vars reads(const std::vector<core::ExprId>& list, Sizes sizes = Sizes::Count) const;
  // What a statement may set, in either run; of a call, the model's state too.
  [[nodiscard]] const Vars& sets(core::StmtId id);
  // The same for the state that a call may set.
  [[nodiscard]] const Vars& states_set(core::FunctionId id);
  // The state that the function, or one that it calls, reads in its own code. What specifications
  // of the model read decides only which faults there can be.
  [[nodiscard]] const Vars& states_read(core::FunctionId id);
  // What may be read, by a statement or behind it, before it is set as a whole. Claims, checks and
  // invariants read too: what a run asserts decides whether it comes to its end.
  [[nodiscard]] Vars live_before(core::StmtId id, const Vars& behind, Sizes sizes);
  [[nodiscard]] bool calls_external(core::StmtId id);
  [[nodiscard]] core::Effects& effects() { return effects_; }
  // The recovery that a block is all of; null if it is of none.
  [[nodiscard]] const core::Recovery* recovery_at(core::StmtId block) const;
  // Whether it, or something that it calls, has relaxed operations or is external.
  [[nodiscard]] bool may_go_wrong(core::FunctionId id) { return !effects_.is_deterministic(id); }

 private:
  [[nodiscard]] Vars live_before_loop(const core::While& s, const Vars& behind, Sizes sizes);
  void add_reads(core::ExprId id, Sizes sizes, Vars& out) const;
  // What a function does, or one that it calls, directly or by way of others.
  struct Reach {
    Vars states_read;
    bool external = false;
  };
  [[nodiscard]] const Reach& reach_of(core::FunctionId id);
  [[nodiscard]] Reach look_at_body(core::FunctionId id) const;

  const core::Program& program_;
  core::Effects effects_;
  Trap trap_;
  std::map<core::StmtId, const core::Recovery*> recoveries_;  // by their blocks
  std::map<core::StmtId, Vars> sets_;
  std::map<core::FunctionId, Vars> states_set_;
  std::vector<Reach> reach_;  // by function, once somebody has asked
  std::map<std::tuple<core::StmtId, Vars, Sizes>, Vars> live_;
};

}  // namespace leto::reliability

// Carries what is needed backwards through statements; the rules stand in backwards.cpp and
// recovery.cpp.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "reliability/evidence.h"
#include "reliability/footing.h"
#include "reliability/rates.h"
#include "reliability/reliability.h"
#include "reliability/right.h"

namespace leto::reliability {

// What was found for a statement and the variables that are to be right behind it: with this chance
// they are, if these are right before.
struct Found {
  Chance chance = certain();
  Vars vars;
  bool hopeless = false;  // there is a problem: nothing is known, whatever the chance says
  Evidence evidence = {};

  void add(Problem problem);
  // All but chance and variables; what is lost, so many times.
  void add(const Found& part, double times = 1);
  // Only what it rests on.
  void rest_on(const Found& part);
  // What is lost here.
  void lose(Share::Kind kind, Span at, std::string what, const Chance& factor);
};

class Backwards {
 public:
  Backwards(const core::Program& program, const Options& options);

  // From here on, of what is needed in this function.
  void enter(core::FunctionId function);
  // Each statement is walked once for each set, however often and from whichever function it is
  // asked for: neither nesting nor sharing multiplies. What is found lives until the next function
  // is entered.
  [[nodiscard]] Found before(core::StmtId id, const Vars& behind);
  // The sets that are needed at the end of the last iteration, of the one before it, and so on,
  // each once.
  [[nodiscard]] std::vector<Vars> ends_of_iterations(const core::While& s, const Vars& behind);
  // right.cpp: what has to hold at the function's entry for a block to leave what is right.
  [[nodiscard]] Found before_guard(const Guard& guard, const KnownRight& known);
  [[nodiscard]] Uses& uses() { return uses_; }
  [[nodiscard]] bool is_recovery(core::StmtId id) const { return recovery_of_.contains(id); }

 private:
  [[nodiscard]] Found walk(core::StmtId id, const Vars& behind);
  [[nodiscard]] Found before_assignment(const core::Assign& s, const Vars& behind);
  [[nodiscard]] Found before_store(const core::Store& s, const Vars& behind);
  [[nodiscard]] Found before_declaration(const core::Declare& s, const Vars& behind);
  [[nodiscard]] Found before_recall(const core::Recall& s, const Vars& behind);
  [[nodiscard]] Found before_operation(const core::Relaxed& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_write(const core::Write& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_sequence(const std::vector<core::StmtId>& list, const Vars& behind);
  [[nodiscard]] Found before_branch(const core::If& s, const Vars& behind);
  [[nodiscard]] Found before_loop(const core::While& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_repeat(const core::While& s, const Vars& behind, std::uint64_t times);
  [[nodiscard]] Found before_call(const core::Call& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_body(const core::Function& f, core::FunctionId id, const Vars& behind,
                                  Span at);
  [[nodiscard]] Chance of_exact(const core::FaultSite& site, core::ExprId value, Span at,
                                Found& found) const;
  [[nodiscard]] bool touches(core::StmtId id, const Vars& vars);
  [[nodiscard]] Found keep(Found found);
  [[nodiscard]] Found before_in_steps(core::StmtId id, const Vars& behind);
  void go_deeper(const std::function<void()>& again);
  [[nodiscard]] bool look_into(core::FunctionId id);
  void leave_calls(std::size_t but);
  [[nodiscard]] bool falls_into(Trap trap) const { return options_.trap == trap; }

  // The iterations of `repeat`, from the last one backwards, until a set comes again.
  struct Iterations {
    std::vector<Vars> sets;    // at the end of each, and before the first of them
    std::vector<Found> steps;  // steps[k]: one iteration, to get sets[k]
    std::size_t cycle = 0;     // where it begins again, if it does
    bool cycles = false;
    std::uint64_t times = 0;
    [[nodiscard]] std::uint64_t taken(std::size_t k) const;
    [[nodiscard]] const Vars& first() const;
  };
  [[nodiscard]] Iterations iterate(const core::While& s, const Vars& behind, std::uint64_t times);

  // recovery.cpp
  [[nodiscard]] const Known* usable(std::size_t recovery, const Vars& behind);
  [[nodiscard]] Found before_recovery(std::size_t recovery, const Known& known, const Vars& behind);
  [[nodiscard]] Found try_block(const core::Recovery& r, const Footing& footing,
                                const Known& known);
  [[nodiscard]] Found recover_block(const core::Recovery& r, const Known& known,
                                    const Vars& wanted);
  [[nodiscard]] const Found& without_faults(core::StmtId id);
  [[nodiscard]] Found find_without_faults(core::StmtId id);
  [[nodiscard]] bool surely_ends(core::StmtId id) const;
  [[nodiscard]] const Footing& footing(std::size_t recovery);

  const core::Program& program_;
  const Options& options_;
  Uses uses_;
  Rates rates_;
  std::map<core::StmtId, std::size_t> recovery_of_;  // by its block
  std::map<std::size_t, Footing> footings_;
  bool recursive_;                          // some function calls itself, or by way of others
  std::vector<core::FunctionId> calls_;     // that are being looked into
  std::set<core::FunctionId> looked_into_;  // the same
  std::deque<Evidence> evidence_ = {};      // of what was walked
  unsigned depth_ = 0;                      // of statements in statements that are being walked
  std::map<std::pair<core::StmtId, Vars>, Found> walked_;
  std::map<core::StmtId, Found> without_faults_;
};

// What has to hold at the function's entry for these variables to be right at its end.
[[nodiscard]] Analysis analyse(const core::Program& program, Backwards& backwards,
                               core::FunctionId function, const Vars& wanted);
// The same for a bound on what a problem calls right.
[[nodiscard]] Analysis analyse(const core::Program& program, Backwards& backwards,
                               core::FunctionId function, const core::ReliabilityClause& clause,
                               const KnownRight& known);

}  // namespace leto::reliability

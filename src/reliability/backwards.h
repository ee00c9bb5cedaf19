// Carries what is needed backwards through statements; the rules stand in backwards.cpp and
// recovery.cpp.
#pragma once

#include <vector>

#include "reliability/footing.h"
#include "reliability/rates.h"
#include "reliability/reliability.h"

namespace leto::reliability {

// What was found for a statement and the variables that are to be right behind it: with this chance
// they are, if these are right before.
struct Found {
  Chance chance = certain();
  Vars vars;
  std::vector<Problem> problems = {};  // nothing is known, whatever the chance says
  std::vector<Share> shares = {};
  std::set<core::FunctionId> relies_on = {};
  std::set<std::size_t> recoveries = {};

  void add(Problem problem);
  void add(Share share);
  // All but chance and variables; what is lost, so many times.
  void add(const Found& part, double times = 1);
  // What is lost here.
  void lose(Share::Kind kind, Span at, std::string what, const Chance& factor);
};

class Backwards {
 public:
  // Of what is needed in this function.
  Backwards(const core::Program& program, const Options& options, core::FunctionId function);

  // Each statement is walked once for each set, however often it is asked for: neither nesting nor
  // sharing multiplies.
  [[nodiscard]] Found before(core::StmtId id, const Vars& behind);
  // The sets that are needed at the end of the last iteration, of the one before it, and so on,
  // each once.
  [[nodiscard]] std::vector<Vars> ends_of_iterations(const core::While& s, const Vars& behind);
  [[nodiscard]] bool is_recovery(core::StmtId id) const { return recovery_of_.contains(id); }

 private:
  [[nodiscard]] Found walk(core::StmtId id, const Vars& behind);
  [[nodiscard]] Found before_assignment(const core::Assign& s, const Vars& behind);
  [[nodiscard]] Found before_store(const core::Store& s, const Vars& behind);
  [[nodiscard]] Found before_declaration(const core::Declare& s, const Vars& behind);
  [[nodiscard]] Found before_operation(const core::Relaxed& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_write(const core::Write& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_sequence(const std::vector<core::StmtId>& list, const Vars& behind);
  [[nodiscard]] Found before_branch(const core::If& s, const Vars& behind);
  [[nodiscard]] Found before_loop(const core::While& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_repeat(const core::While& s, const Vars& behind, std::uint64_t times);
  [[nodiscard]] Found before_call(const core::Call& s, const Vars& behind, Span at);
  [[nodiscard]] Found before_body(const core::Function& f, core::FunctionId id, const Vars& behind,
                                  Span at);
  [[nodiscard]] bool touches(core::StmtId id, const Vars& vars);
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
  std::vector<core::FunctionId> calls_;  // that are being looked into
  std::map<std::pair<core::StmtId, Vars>, Found> walked_;
  std::map<core::StmtId, Found> without_faults_;
};

}  // namespace leto::reliability

// Executes the byte code of a function: the same runs as the tree-walking interpreter's, step by
// step, with the same choices in the same order.
#pragma once

#include "interp/compute.h"
#include "interp/halt.h"
#include "interp/interp.h"

namespace leto::interp {

// One pair of runs.
class Executor {
 public:
  Executor(const Machine& machine, ByteCode& code, Chooser& chooser, const Options& options);

  Outcome function(core::FunctionId id, const Inputs& inputs, Run run);

 private:
  void run_body(const FunctionCode& f, Run run);
  void end_with(const Halt& halt);

  // Reading and writing
  [[nodiscard]] Value value(const ValueCode& code, core::Side side);
  [[nodiscard]] const Number& scalar(const ValueCode& code, core::Side side);
  void set(const Place& place, core::Side side, Value v, const StatementCode& at);
  void set_scalar(const Place& place, core::Side side, const Number& n, const StatementCode& at);
  void store(const Place& place, core::Side side, const Number& n, const StatementCode& at);
  void read_indices(const std::vector<Sided>& indices, core::Side side);
  void note_change(const Place& place, core::Side side, Span at, core::StmtId id);
  void note_store(const Place& place, core::Side side, const Number& n, const StatementCode& at);
  [[nodiscard]] std::shared_ptr<const Moment> moment() const;
  void step(Run run, Span at) {
    const bool over = machine_.spent();
    if (over || (run != Run::Relaxed && ++steps_[0] > options_.limits.steps) ||
        (run != Run::Original && ++steps_[1] > options_.limits.steps))
      stop(over, at);
  }
  [[noreturn]] void stop(bool time_is_over, Span at) const;

  // Claims
  void violated(ViolationKind kind, core::ExprId expr, Span at, const Where& where,
                core::Side side = core::Side::Relaxed);
  void relational(ViolationKind kind, const RelationCode& code, Span at, const Where& where);
  [[nodiscard]] bool lacks_value(const RelationCode& code);
  void unary(ViolationKind kind, core::ExprId expr, const Sided& holds, Run run,
             const Where& where);
  void contract(const std::vector<ClauseCode>& clauses, Run run, ViolationKind kind,
                std::optional<Span> call);
  void recall(const RecallCode& s, core::Side side, Span at);
  void claim_invariant(const InvariantCode& invariant, Run run, Run alive, const Where& where);

  // Fault sites
  [[nodiscard]] Number site(const SiteCode& site, const Number& exact, const StatementCode& at);
  void find_enabled(const SiteCode& site, const Number& exact);
  [[nodiscard]] bool allows_exact(const core::Specification& spec, const SpecificationCode& code,
                                  const Number& exact);
  [[nodiscard]] Decision decide(std::uint32_t index, const SpecificationCode& code,
                                const Number& exact, Span at);
  [[nodiscard]] std::optional<Decision> follow(const SpecificationCode& code, const Number& exact);
  [[nodiscard]] bool follow_steps(const Plan& plan);
  [[noreturn]] void give_up(std::uint32_t index, const Number& exact, Span at);
  void take(Taken taken, Decision decision, const StatementCode& at);

  // Statements
  void execute(Child child, Run run);
  void statement(const AssignCode& s, const StatementCode& at, Run run);
  void statement(const StoreCode& s, const StatementCode& at, Run run);
  void statement(const DeclareCode& s, const StatementCode& at, Run run);
  void statement(const RelaxedCode& s, const StatementCode& at, Run run);
  void statement(const WriteCode& s, const StatementCode& at, Run run);
  void statement(const CheckCode& s, const StatementCode& at, Run run);
  void statement(const ClaimCode& s, const StatementCode& at, Run run);
  void statement(const RecallCode& s, const StatementCode& at, Run run);
  void statement(const BlockCode& s, const StatementCode& at, Run run);
  void statement(const IfCode& s, const StatementCode& at, Run run);
  void statement(const WhileCode& s, const StatementCode& at, Run run);
  void statement(const CallCode& s, const StatementCode& at, Run run);
  void write_relaxed(const WriteCode& s, const StatementCode& at);
  void write_whole(const WriteCode& s, const StatementCode& at);
  void parted(const StatementCode& at, std::string_view what, bool original, core::ExprId test);
  void check_sizes(const FunctionCode& f, const StatementCode& at, Run run);

  const Machine& machine_;
  const core::Program& program_;
  ByteCode& code_;
  Chooser& chooser_;
  const Options& options_;
  SnapshotMap snapshots_;
  Computer computer_;
  Outcome out_;
  std::uint64_t steps_[2] = {0, 0};
  int depth_ = 0;
  std::vector<Number> arguments_, indices_;  // of the site and the access at hand
};

}  // namespace leto::interp

// The front door of `explain`: why a claim is not proved, in the program's own terms.
//
// A plan says from what inputs and with what faults a function is to run. Whether a plan breaks
// a claim only the interpreter says; whoever made it up, at random or from a solver's model, is
// not believed. What is told of a run is what was executed.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "core/core.h"
#include "interp/interp.h"

namespace leto::explain {

// What a run has to do to break a claim: end in a certain way at a certain place, or leave
// something unfulfilled.
struct Target {
  std::optional<interp::End> end;
  Span span;                                  // of what ends it
  std::vector<interp::ViolationKind> claims;  // any of these
  core::ExprId expr;                          // that does not hold
  std::optional<bool> entry;                  // of an invariant
  Span call;                                  // of a requirement
  std::optional<core::Side> side = {};        // of a lemma: in which run
};
// Which violation it is; the number of violations if the run's end is what breaks the claim.
[[nodiscard]] std::optional<std::size_t> broken(const Target& target, const interp::Outcome& o);

struct Plan {
  interp::Inputs inputs;
  std::vector<interp::Taken> faults;
};

// A function that is to be run, and how far.
struct Subject {
  const interp::Machine& machine;
  core::FunctionId function;
  bool any_state = false;          // its callers may have met faults before
  std::uint64_t run_steps = 5000;  // of one run
};

// So many steps find most of what is to be found.
constexpr std::uint64_t kBriefly = 150'000;
// Runs with random inputs, shortest vectors first, until each target is broken or the steps
// are used up; briefly with vectors of all lengths, before any length has its share. By target.
struct Hunt {
  std::uint64_t steps = 2'000'000;
  std::uint64_t seed = 1;
  const Allowance* allowance = nullptr;  // ends it when it is spent
  // It is known that such a run is found soon, so that the clock does not end the search.
  bool surely = false;
};
[[nodiscard]] std::vector<std::optional<Plan>> hunt(const Subject& subject,
                                                    const std::vector<Target>& targets,
                                                    const Hunt& budget);

// Fewer faults, then smaller and rounder numbers, as long as the plan breaks the claim.
// The loop in which the relaxed run stays for ever if the faults of a plan are taken again and
// again; nothing: it leaves, or that cannot be told. It was executed.
[[nodiscard]] std::optional<Span> find_endless_loop(const Subject& subject, const Plan& plan);
void shrink(const Subject& subject, const Target& target, Plan& plan, unsigned tries = 600);

// Facts about loops, and which of them hold at the loop's head in all of some runs; a loop that
// no run came by says nothing. By loop.
struct Fact {
  core::ExprId expr;
  bool relational;
};
// Whether it holds of a moment, of that run; nothing if that cannot be told.
[[nodiscard]] std::optional<bool> find_truth(const interp::Machine& machine, core::ExprId expr,
                                             const interp::Moment& now, core::Side side);
[[nodiscard]] std::vector<std::vector<bool>> observed(const Subject& subject,
                                                      const std::vector<std::vector<Fact>>& facts,
                                                      const Hunt& budget);

// The plan, executed, with all that happened; nothing if it does not break the claim.
[[nodiscard]] std::optional<interp::Outcome> replay(const Subject& subject, const Target& target,
                                                    const Plan& plan);

// The two runs side by side -----------------------------------------------------------------

struct Row {
  enum class Kind : std::uint8_t { Set, Fault, Part, Gap } kind = Kind::Set;
  Span at;
  std::string what;               // "x[1]", "x[i] *. y[i]", "while"
  std::string original, relaxed;  // values; empty where a run does not take part
  std::string note;               // which specification was taken; of faults, at length
  std::size_t steps = 0;          // of gaps: how many are left out
  core::VarId var = {};           // that is set
};
struct Worth {
  std::string text, value;
  core::VarId var = {};                // whose value it is, of inputs
  core::Side side = core::Side::Open;  // in which run, if it differs
};
struct Story {
  std::vector<Worth> inputs;  // as far as they matter
  std::vector<Row> rows;
  std::vector<Row> told;     // the same with records as such, for people
  std::vector<Worth> claim;  // what of the claim does not hold, and what its parts are worth
};
// `most` bounds the rows; 0: all of them, relevant or not.
[[nodiscard]] Story tell(const interp::Machine& machine, const Target& target, const Plan& plan,
                         const interp::Outcome& outcome, std::size_t most);

// Fields of records as records: "s" is "{x: 1, y: 2}". For people; machines have the fields.
[[nodiscard]] std::vector<Worth> in_records(const core::Program& program,
                                            const std::vector<Worth>& inputs);
[[nodiscard]] std::vector<Row> in_records(const core::Program& program,
                                          const std::vector<Row>& rows);

// What an expression that does not hold is worth, part by part, where it does not.
[[nodiscard]] std::vector<Worth> dissect(const interp::Machine& machine, core::ExprId expr,
                                         core::Side side, const interp::Moment& moment);

// "3/4" as it is; long vectors with their middle left out.
[[nodiscard]] std::string shortened(const interp::Value& value, const core::Type& type);

}  // namespace leto::explain

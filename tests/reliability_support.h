// What the tests of reliability share: programs from text, bounds of them with all proofs, and the
// exact chance that a run ends with a wrong result, found by running every combination of faults.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "checks/rate_search.h"
#include "interp/interp.h"
#include "reliability/bounds.h"
#include "reliability/reliability.h"
#include "workspace/workspace.h"

namespace leto::tests {

// A program, checked and lowered.
struct Loaded {
  workspace::RealFileSystem files;
  workspace::Workspace workspace;
  core::Program program;
  std::string problem;  // why there is no program

  explicit Loaded(const std::string& text, const std::string& model = "");
  [[nodiscard]] core::FunctionId last() const {
    return core::FunctionId{program.functions.size() - 1};
  }
  [[nodiscard]] core::FunctionId called(const std::string& name) const;
};

// One solver for all proofs of a test.
class Proofs {
 public:
  Proofs();
  [[nodiscard]] checks::Recoveries of(const core::Program& program, Trap trap = Trap::None);
  [[nodiscard]] prove::Engine& engine() { return engine_; }
  // The options with which bounds are decided.
  [[nodiscard]] reliability::Options options(const core::Program& program, Trap trap = Trap::None);

 private:
  // Many programs have the same model, and questions about it.
  class Memory final : public engine::Cache {
   public:
    bool find(const std::string&, const solver::Query& query, solver::Answer& answer) override;
    void keep(const std::string&, const solver::Query& query,
              const solver::Answer& answer) override;

   private:
    std::mutex mutex_;
    std::map<std::tuple<solver::Effort, solver::Strategy, std::string>, solver::Answer> answers_;
  };
  Allowance never_;
  Memory memory_;
  engine::Crew crew_;
  prove::Engine engine_;
};

// What faults do with values that the model leaves open: a number for each way.
struct Strategy {
  std::uint64_t seed;
};
inline constexpr std::uint64_t kStrategies = 6;

// Each operation goes wrong exactly as often as its rates say. The chance that the relaxed run
// comes to its end and its result is not the original's; nothing if the original run fails or does
// not end, or if there are too many runs.
struct Odds {
  mpq_class wrong, all;  // all: 1, unless it was enough before
  std::uint64_t runs = 0;
};
// Told the outcome and the chance of each run. `enough`: stop when so much is known not to be
// wrong.
using Watch = std::function<void(const interp::Outcome&, const mpq_class&)>;
[[nodiscard]] std::optional<Odds> find_odds(const interp::Machine& machine, core::FunctionId f,
                                            const interp::Inputs& inputs, Strategy strategy,
                                            const Watch& watch = {},
                                            const std::optional<mpq_class>& enough = {});
// The same inputs for both runs, by parameter.
[[nodiscard]] interp::Inputs same_inputs(const interp::Machine& machine, core::FunctionId f,
                                         const std::vector<std::int64_t>& values);
// Some that the function may be called with, by a number; nothing if none were found.
[[nodiscard]] std::optional<interp::Inputs> same_inputs(const interp::Machine& machine,
                                                        core::FunctionId f, std::uint64_t seed);

}  // namespace leto::tests

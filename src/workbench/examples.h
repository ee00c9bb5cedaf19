// Examples of a problem, executed.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interp/interp.h"
#include "problem/problem.h"
#include "workspace/workspace.h"

namespace leto::workbench {

// What an execution says of a claim about values.
enum class Truth : std::uint8_t { Holds, Fails, Unmet, Undecided };

// What an example gives, by name.
[[nodiscard]] nlohmann::json values_of(const syntax::ExampleMember& example, const SourceFile& file,
                                       const NameTable& names);

// What examples give a function: a checker, with the challengers that they name, or one that calls
// its parameters as the problem does; small numbers for one or two that it adds to them.
[[nodiscard]] std::vector<interp::Inputs> known_inputs(const interp::Machine& machine,
                                                       core::FunctionId function,
                                                       const problem::Parts& problem,
                                                       const workspace::Workspace& workspace);

// The clauses of a problem and a checker, ready to be run on values.
class Examples {
 public:
  Examples(const check::Checked& checked, const workspace::Workspace& workspace,
           const problem::Parts& problem, const problem::FoundChecker& checker,
           const Allowance& allowance);

  // Whether values alone decide: no constant is open, and no function is external.
  [[nodiscard]] bool are_decided() const;
  // Whether its values are of the declared sizes and what the problem requires; if not, which of
  // that they break.
  struct Met {
    Truth truth;
    std::string why = {};
  };
  [[nodiscard]] Met meets_requirements(const syntax::ExampleMember& example) const;
  // Whether a clause holds of an example, or of it and of its challengers.
  [[nodiscard]] Truth clause(const syntax::ExampleMember& example, std::size_t k) const;
  // Whether it is surely right, by all clauses that say so.
  [[nodiscard]] Truth surely(const syntax::ExampleMember& example) const;
  // Whether the checker accepts it; nothing: the witness is not given, or it cannot be run.
  [[nodiscard]] std::optional<bool> accepts(const syntax::ExampleMember& example) const;
  // Whether the checker fails on it, or does not end.
  [[nodiscard]] bool breaks_off(const syntax::ExampleMember& example) const;
  // Whether some values are accepted that somebody drew.
  [[nodiscard]] bool finds_accepted() const;

 private:
  struct Values;
  [[nodiscard]] std::optional<interp::Inputs> inputs_of(core::FunctionId function,
                                                        const syntax::ExampleMember& example,
                                                        const syntax::RightMember* right) const;
  [[nodiscard]] std::optional<interp::Inputs> take(core::FunctionId function,
                                                   const syntax::ExampleMember& example,
                                                   const syntax::RightMember* right,
                                                   std::string& problem) const;
  [[nodiscard]] core::FunctionId find(const std::string& name) const {
    return core::find_function(*program_, name);
  }
  // Of a function that claims something of values.
  [[nodiscard]] Truth judge(const std::string& function, const syntax::ExampleMember& example,
                            const syntax::RightMember* right) const;
  [[nodiscard]] core::FunctionId find_checker() const;
  [[nodiscard]] interp::Outcome execute(core::FunctionId id, const interp::Inputs& inputs) const;
  // Nothing: its values cannot be taken, or do not meet what is required.
  [[nodiscard]] std::optional<interp::Outcome> execute_on(
      const syntax::ExampleMember& example) const;
  // Nothing: it has not come to its end.
  [[nodiscard]] static std::optional<bool> verdict_of(const interp::Outcome& outcome);

  const workspace::Workspace& workspace_;
  const problem::Parts& problem_;
  const problem::FoundChecker& checker_;
  std::unique_ptr<core::Program> program_;
  std::unique_ptr<interp::Machine> machine_;
  std::unique_ptr<std::uint64_t> instances_left_ = std::make_unique<std::uint64_t>(0);
};

}  // namespace leto::workbench

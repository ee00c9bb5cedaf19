// What is summed up of functions without contracts, while one function is verified; see
// rule_summary.cpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "vcgen/walk.h"

namespace leto::vcgen {

// A fact about the end of a function, over its result, its parameters as they were passed, and the
// model's state before and after.
struct Exit {
  enum class Kind : std::uint8_t {
    ResultEqual,  // in both runs
    SizeEqual,    // of the result, in both runs
    SizeIs,       // a parameter, or a size of it
    StateEqual,   // in both runs
    StateKept,    // it is what it was
    StateLasts,   // once true it stays true; a number does not become smaller
  };
  Kind kind;
  Side side = Side::Open;                    // of a fact about one run
  core::VarId var = {};                      // a state of the model, or a result
  std::size_t dimension = 0;                 // of the result
  core::VarId param = {};                    // that its size is
  std::optional<std::size_t> of = {};        // the dimension of the parameter, if it is a vector
  core::VarId unless = {};                   // only if this state is false then, in the relaxed run
  std::optional<std::size_t> stronger = {};  // the number of one from which it follows
  [[nodiscard]] bool relational() const { return side == Side::Open; }
};

// Of one situation.
struct Summary {
  std::vector<Exit> exits;  // that are shown
  Result result;            // what there is to show for it
};

// Which callees can be summed up, and are worth it.
class Summarisable {
 public:
  Summarisable(const core::Program& program, core::Effects& effects, std::size_t from);

  [[nodiscard]] bool covers(core::FunctionId callee) const { return covered_[callee.value]; }
  // Of a function that is to be verified: whether it is large, since bodies are met again and
  // again, and meets a callee that is covered.
  [[nodiscard]] bool is_worth_it(core::FunctionId id) const;

 private:
  void look_at(const core::Program& program, core::FunctionId id);
  [[nodiscard]] std::size_t count_once(core::FunctionId id) const;

  std::size_t from_;
  // By function. Callees: those without contracts. Statements: of its own, and on all ways.
  std::vector<std::vector<core::FunctionId>> callees_;
  std::vector<std::size_t> own_, on_all_ways_;
  std::vector<bool> covered_, meets_covered_;
};

// Of one verification.
class Summaries {
 public:
  explicit Summaries(const Summarisable& which) : which_(which) {}

  [[nodiscard]] bool covers(core::FunctionId callee) const { return which_.covers(callee); }
  // Walks the body, if that was not done before; in the name of who is verified.
  [[nodiscard]] const Summary& of(const Situation& situation, Setting& caller,
                                  const std::string& function);
  // All that there is to show for them.
  void move_to(Result& result);

 private:
  const Summarisable& which_;
  std::map<Situation, std::unique_ptr<Summary>> known_;
  std::vector<Summary*> in_order_;
};

}  // namespace leto::vcgen

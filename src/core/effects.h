// What statements may change, and what a test does besides being evaluated. One analysis for all
// who ask, exhaustive over the kinds of statements.
#pragma once

#include <set>
#include <unordered_map>

#include "core/program.h"

namespace leto::core {

// What a statement may set in a run, model state included. The original run changes the model's
// state only by assignments of the program; the relaxed run also by what its operations modify.
// Variables of functions that are called are their own and not among them.
struct Modified {
  std::set<VarId> original, relaxed;
  void add(const Modified& other) {
    original.insert(other.original.begin(), other.original.end());
    relaxed.insert(other.relaxed.begin(), other.relaxed.end());
  }
};

// Remembers what it was asked; the program must not change meanwhile, except that expressions and
// variables may be added to it.
class Effects {
 public:
  explicit Effects(const Program& program) : program_(program) {}

  [[nodiscard]] const Modified& of(StmtId id);
  // Variables that are declared inside of it.
  [[nodiscard]] const std::set<VarId>& declared_in(StmtId id);
  // What a call of the function changes outside of it: state of the model.
  [[nodiscard]] const Modified& of_call(FunctionId id);
  // By test, body and step.
  [[nodiscard]] Modified of(const While& loop);
  // Whether equal arguments in equal states of the model give equal results and equal states:
  // nothing that it does or calls is relaxed or external.
  [[nodiscard]] bool is_deterministic(FunctionId id);
  // Whether the loop's test is plain: a function of the variables of its run and of constants,
  // which changes nothing. It has no relaxed operation, no access to a region, no call and reads no
  // state of the model. A run that evaluates a plain test again, from the same variables, gets the
  // same answer; of any other test nothing of the kind is known.
  [[nodiscard]] bool is_plain_test(const While& loop);

 private:
  [[nodiscard]] bool is_plain(StmtId id);
  // What is known of a function and of all that it calls, directly or by way of others.
  struct Reach {
    Modified states;
    bool deterministic = true;
  };
  [[nodiscard]] const Reach& reach_of(FunctionId id);
  [[nodiscard]] Reach look_at_body(FunctionId id) const;

  const Program& program_;
  std::unordered_map<StmtId, Modified> of_statement_;
  std::unordered_map<StmtId, std::set<VarId>> declared_;
  std::vector<Reach> reach_;  // by function, as far as there were any when it was asked first
};

// What an operation under the model may change.
[[nodiscard]] std::set<VarId> states_modified(const Program& program, const FaultSite& site);

}  // namespace leto::core

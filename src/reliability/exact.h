// Copies of statements that are computed without faults, in both runs: relaxed operations become
// assignments, writes to regions become stores, and functions that are called become copies of the
// same kind. What is left of a program's claims is what it claims itself: copies have no contracts.
#pragma once

#include <map>

#include "core/core.h"

namespace leto::reliability {

// Adds to the program; statements that occur several times are copied once.
class ExactCopies {
 public:
  explicit ExactCopies(core::Program& program) : program_(program), effects_(program) {}

  [[nodiscard]] core::StmtId copy(core::StmtId id);

 private:
  [[nodiscard]] core::FunctionId copy(core::FunctionId id);
  [[nodiscard]] core::Stmt copied(core::StmtId id);
  [[nodiscard]] bool has_sites(core::FunctionId id);

  core::Program& program_;
  core::Effects effects_;  // of functions that were there before
  std::map<core::StmtId, core::StmtId> statements_;
  std::map<core::FunctionId, core::FunctionId> functions_;
};

}  // namespace leto::reliability

// A function, and all that it calls, as byte code.
#pragma once

#include "interp/compile_expr.h"
#include "interp/compile_spec.h"
#include "interp/interp.h"

namespace leto::interp {

class Compiler {
 public:
  explicit Compiler(const Machine& machine);

  // Null if something in it has no byte code: then the tree is walked.
  [[nodiscard]] std::unique_ptr<ByteCode> compile(core::FunctionId function);

 private:
  void compile_function(core::FunctionId id);
  Child statement(core::StmtId id);
  [[nodiscard]] ValueCode value(core::ExprId id);
  [[nodiscard]] SiteCode site(const core::FaultSite& site, core::StmtId id);
  [[nodiscard]] RelationCode relation(core::ExprId id);
  [[nodiscard]] ClauseCode clause(const core::Clause& clause);
  [[nodiscard]] InvariantCode invariant(const core::Invariant& invariant);
  [[nodiscard]] std::vector<Sided> list(const std::vector<core::ExprId>& exprs);
  [[nodiscard]] std::vector<Value*> declared_in(core::StmtId block);

  // One for each kind of statement.
  AssignCode node(const core::Assign& s, core::StmtId id);
  StoreCode node(const core::Store& s, core::StmtId id);
  DeclareCode node(const core::Declare& s, core::StmtId id);
  RelaxedCode node(const core::Relaxed& s, core::StmtId id);
  WriteCode node(const core::Write& s, core::StmtId id);
  CheckCode node(const core::Check& s, core::StmtId id);
  ClaimCode node(const core::Claim& s, core::StmtId id);
  RecallCode node(const core::Recall& s, core::StmtId id);
  BlockCode node(const core::Block& s, core::StmtId id);
  IfCode node(const core::If& s, core::StmtId id);
  WhileCode node(const core::While& s, core::StmtId id);
  CallCode node(const core::Call& s, core::StmtId id);

  const Machine& machine_;
  const core::Program& program_;
  std::unique_ptr<ByteCode> code_;
  ExprCompiler exprs_;
  SpecificationCompiler specifications_;
  std::vector<bool> has_code_;           // by specification
  std::vector<core::FunctionId> to_do_;  // functions that are called
  bool understood_ = true;
};

}  // namespace leto::interp

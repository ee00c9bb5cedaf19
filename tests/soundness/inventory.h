// Which constructs occur in a program. Every alternative of every node of the tree has a function
// here, and every operator a case: one that is added to the language fails to compile until it is
// listed too, or left out with a reason.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace leto::soundness {

class Inventory {
 public:
  Inventory(const syntax::Tree& tree, const NameTable& names);
  // By the names of coverage.cpp.
  [[nodiscard]] const std::set<std::string>& found() const { return found_; }

 private:
  // Where an expression or statement stands.
  struct Where {
    bool specification = false, relational = false, ghost = false, in_eq = false;
    bool in_quantifier = false;
    bool test = false;    // of a loop
    bool later = false;   // a chain's operand that may not be reached
    bool second = false;  // operand of && || ->
    bool chosen = false;  // a value of if (c) a else b
    bool argument = false, condition = false;
    unsigned loops = 0, tries = 0, branches = 0;
    bool model = false;  // inside of a model
  };
  struct Known {  // what one function declares
    const syntax::FunctionItem* item = nullptr;
    std::map<Name, syntax::TypeSyntax> types;
    std::set<Name> ghosts, regions, labels, params;
    std::vector<std::uint32_t> own_calls, param_uses, returns, claims;
    bool relaxed = false;
  };

  void mark(const std::string& name) { found_.insert(name); }
  [[nodiscard]] std::string text(Name name) const { return std::string(names_.text(name)); }
  void collect();
  void collect_statement(syntax::StmtId id, std::set<Name>& calls, bool& claims, bool& state);
  void collect_calls(syntax::ExprId id, std::set<Name>& calls);

  // Items and members.
  void see(const syntax::ImportItem&) {}
  void see(const syntax::UseModelItem&);
  void see(const syntax::ConstItem& item);
  void see(const syntax::ConstraintItem& item);
  void see(const syntax::CheckerItem& item);
  void see(const syntax::ProblemItem& item);
  void see(const syntax::ProvedCheckerItem& item);
  void see(const syntax::SystemItem&) { mark("system"); }
  void see(const syntax::RecordItem&);
  void see(const syntax::PropertyItem& item);
  void see(const syntax::DefineItem& item);
  void see(const syntax::FunctionItem& item);
  void see(const syntax::ModelItem& item);
  void see_member(const syntax::ConstItem& member);
  void see_member(const syntax::ConstraintItem& member);
  void see_member(const syntax::StateMember& member);
  void see_member(const syntax::InvariantMember& member);
  void see_member(const syntax::OperatorMember& member);
  void see_member(const syntax::ImportMember& member);
  void see_member(const syntax::InitMember& member);
  void see_member(const syntax::RigidMember&) { mark("function constant"); }
  void see_member(const syntax::RigidValueMember&) { mark("M.f(a) = e"); }
  void see_member(const syntax::WitnessMember&) { mark("witness"); }
  void see_member(const syntax::EnumItem&) { mark("system"); }
  void see_member(const syntax::PropertyItem&) { mark("system"); }
  void see_member(const syntax::NodeMember&) { mark("system"); }
  void see_member(const syntax::RoundMember&) { mark("system"); }
  void see_member(const syntax::MessageMember&) { mark("system"); }
  void see_clause(const syntax::Clause& clause, const Where& where);
  void see_loop(const syntax::Attributes& attributes, const std::vector<syntax::Clause>& invariants,
                const char* kind, const Where& where);
  void see_params(const std::vector<syntax::Param>& params);
  void see_function_end();

  // Statements.
  void visit(syntax::StmtId id, const Where& where);
  void see(const syntax::ErrorStmt&, const Where&) {}
  void see(const syntax::DeclStmt& s, const Where& where);
  void see(const syntax::AssignStmt& s, const Where& where);
  void see(const syntax::StepStmt& s, const Where& where);
  void see(const syntax::IfStmt& s, const Where& where);
  void see(const syntax::WhileStmt& s, const Where& where);
  void see(const syntax::ForStmt& s, const Where& where);
  void see(const syntax::RepeatStmt& s, const Where& where);
  void see(const syntax::ChooseStmt&, const Where&) { mark("system"); }
  void see(const syntax::NodesStmt&, const Where&) { mark("system"); }
  void see(const syntax::MessageStmt&, const Where&) { mark("system"); }
  void see(const syntax::TryStmt& s, const Where& where);
  void see(const syntax::ReturnStmt& s, const Where& where);
  void see(const syntax::JumpStmt& s, const Where& where);
  void see(const syntax::ForallStmt& s, const Where& where);
  void see(const syntax::CallStmt& s, const Where& where);
  void see(const syntax::SpreadStmt& s, const Where& where);
  void see(const syntax::ClaimStmt& s, const Where& where);
  void see(const syntax::BlockStmt& s, const Where& where);
  void see_target(syntax::ExprId id, const Where& where);

  // Expressions.
  void visit(syntax::ExprId id, const Where& where);
  void children(syntax::ExprId id, const Where& where);
  void see(const syntax::ErrorExpr&, syntax::ExprId, const Where&) {}
  void see(const syntax::IntegerExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::RealExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::BoolExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::NameExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::SidedExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::ModelExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::MemberExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::FieldExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::IndexExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::UpdateExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::PartExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::WidenExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::ParenExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::UnaryExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::BinaryExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::ChainExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::CallExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::MemberCallExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::EqExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::EqAllExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::OldExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::IfExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::QuantExpr& e, syntax::ExprId id, const Where& where);
  void see(const syntax::CountExpr&, syntax::ExprId, const Where&) { mark("system"); }
  [[nodiscard]] const syntax::TypeSyntax* whole(syntax::ExprId id) const;
  [[nodiscard]] bool is_record(syntax::ExprId id) const;
  [[nodiscard]] bool is_row(syntax::ExprId id) const;
  [[nodiscard]] Name base(syntax::ExprId id) const;

  const syntax::Tree& tree_;
  const NameTable& names_;
  std::set<std::string> found_;
  std::map<Name, const syntax::FunctionItem*> functions_;
  std::map<Name, bool> properties_;  // relational?
  std::map<Name, const syntax::DefineItem*> definitions_;
  std::set<Name> constants_, model_constants_, claimers_, tickers_;
  std::set<Name> vectors_;  // constant ones
  std::map<Name, std::set<Name>> calls_;
  Known known_;
};

// How an operator is listed: "exact +" in code, "stated +" in a specification, "relaxed +",
// "operator +" of a model.
[[nodiscard]] std::string listed(const char* how, syntax::BinaryOp op);
[[nodiscard]] std::string listed(const char* how, syntax::UnaryOp op);

}  // namespace leto::soundness

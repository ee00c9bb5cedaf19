// Copies of what a tree says, in another tree. A problem's clauses stand in several functions at
// once, and a tree's nodes belong to one place each.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "syntax/tree.h"

namespace leto::problem {

// What becomes of `return unknown;`.
enum class GivesUp : std::uint8_t { Rejects, Accepts, Stops };

struct CopyOptions {
  // No relaxed operations and regions: what one exact run does. Claims of both runs are its own if
  // they speak of the original alone, and left out if not.
  bool exact = false;
  // What these names occur in is left out, as far as it is for proofs only.
  std::set<Name> without = {};
  std::map<Name, Name> renamed = {};
  // Which copy it is of those in one tree: what is declared in it is another's in each.
  std::uint32_t copy = 0;
  // What one relaxed run does. Claims of both runs are its own if they do not speak of the
  // original.
  bool relaxed = false;
  // Of which run it is, said with each of these names: a part of a claim of both runs.
  std::optional<syntax::Side> side = {};
  std::set<Name> sided = {};
  std::map<Name, syntax::ExprId> values = {};  // what stands for these names, in the other tree
  const NameTable* names = nullptr;            // of a checker's body
  GivesUp gives_up = GivesUp::Rejects;
};

class Copier {
 public:
  Copier(const syntax::Tree& from, syntax::Tree& to, CopyOptions options)
      : from_(from), to_(to), options_(std::move(options)) {}

  [[nodiscard]] syntax::ExprId expr(syntax::ExprId id);  // invalid stays invalid
  [[nodiscard]] syntax::StmtId stmt(syntax::StmtId id);
  [[nodiscard]] syntax::Param param(const syntax::Param& param);

 private:
  // Of what is used, and of what is declared.
  [[nodiscard]] syntax::Ident ident(const syntax::Ident& ident) const;
  [[nodiscard]] syntax::Ident declared(const syntax::Ident& ident) const;
  [[nodiscard]] Name name(Name name) const;
  [[nodiscard]] std::vector<syntax::ExprId> exprs(const std::vector<syntax::ExprId>& list);
  [[nodiscard]] std::vector<syntax::Clause> clauses(const std::vector<syntax::Clause>& list);
  // Whether it says anything that is to be left out.
  [[nodiscard]] bool is_without(syntax::ExprId id) const;
  // Whether it is a claim of both runs that is not one of the run at hand.
  [[nodiscard]] bool is_of_other_run(syntax::ExprId id) const;
  [[nodiscard]] bool is_of_one_run() const { return options_.exact || options_.relaxed; }
  // What is left of a conjunction; invalid: nothing. `relational`: it is a claim of both runs.
  [[nodiscard]] syntax::ExprId rest(syntax::ExprId id, bool relational = false);
  [[nodiscard]] syntax::ExprId rest_of(const syntax::ClaimStmt& claim);
  [[nodiscard]] syntax::Attributes attributes(syntax::Attributes attributes) const;
  [[nodiscard]] syntax::StmtId give_up(Span at);
  [[nodiscard]] bool is_left_out(const syntax::Stmt& stmt) const;
  template <class Node>
  void remap(Node& node);
  void remap_stmt(syntax::DeclStmt& node);
  void remap_stmt(syntax::AssignStmt& node);
  void remap_stmt(syntax::StepStmt& node);
  void remap_stmt(syntax::IfStmt& node);
  void remap_stmt(syntax::WhileStmt& node);
  void remap_stmt(syntax::ForStmt& node);
  void remap_stmt(syntax::RepeatStmt& node);
  void remap_stmt(syntax::TryStmt& node);
  void remap_stmt(syntax::ReturnStmt& node);
  void remap_stmt(syntax::CallStmt& node);
  void remap_stmt(syntax::SpreadStmt& node);
  void remap_stmt(syntax::ForallStmt& node);
  void remap_stmt(syntax::ClaimStmt& node);
  void remap_stmt(syntax::BlockStmt& node);
  void remap_stmt(syntax::ErrorStmt&) {}
  void remap_stmt(syntax::JumpStmt&) {}

  const syntax::Tree& from_;
  syntax::Tree& to_;
  CopyOptions options_;
};

// Whether something in a statement is relaxed, or lies in a region.
[[nodiscard]] bool is_relaxed(const syntax::Tree& tree, syntax::StmtId id);
[[nodiscard]] bool is_relaxed(const syntax::Tree& tree, syntax::ExprId id);
// Whether one of the names occurs in it.
[[nodiscard]] bool mentions(const syntax::Tree& tree, syntax::ExprId id,
                            const std::set<Name>& names);
// The names, and those of variables for proofs that are computed from them in a body.
[[nodiscard]] std::set<Name> spread(const syntax::Tree& tree, syntax::StmtId body,
                                    std::set<Name> names);

}  // namespace leto::problem

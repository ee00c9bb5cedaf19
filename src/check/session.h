// What the parts of one run of `check` share: the result under construction,
// the global names, and how to complain.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "check/check.h"

namespace leto::check {

struct Session {
  Session(Checked& checked_, NameTable& names_, DiagnosticSink& sink_, bool model_is_bad_)
      : checked(checked_), names(names_), sink(sink_), model_is_bad(model_is_bad_) {}

  Checked& checked;
  NameTable& names;
  DiagnosticSink& sink;
  bool model_is_bad;

  std::unordered_map<Name, SymbolId> globals;
  std::unordered_map<Name, ModelId> models;
  std::unordered_set<Name> skipped_names;       // may be declared in text that did not parse
  std::set<std::string> told_once;              // keys of what is said only once
  std::unordered_set<Name> labels_of_function;  // of all loops of the function at hand
  std::vector<ModelId> under;  // besides the one picked, of what is done again under others
  int suggestions_left = 100;  // looking for a near name costs a pass over all names

  [[nodiscard]] const syntax::Tree& tree(TreeIndex index) const { return *checked.trees[index]; }
  [[nodiscard]] const Symbol& symbol(SymbolId id) const { return checked.symbols[id]; }
  // Of a function or a lemma.
  [[nodiscard]] const syntax::FunctionItem& function_item(SymbolId id) const;
  [[nodiscard]] std::string text(Name name) const { return std::string(names.text(name)); }

  [[nodiscard]] std::vector<const Model*> models_in_force() const;

  SymbolId add(Symbol symbol);
  // The type that is written where something is declared; says so if there is none such.
  Type expect_type(const syntax::TypeSyntax& written);
  // Wherever something of the program is looked at.
  void demand() const { leto::demand(checked.allowance, "checking"); }
  [[nodiscard]] bool may_suggest() { return suggestions_left > 0 && suggestions_left-- > 0; }
  void report(Diagnostic diagnostic) { sink.report(std::move(diagnostic)); }
  void report(DiagnosticKind kind, Span span, std::vector<std::string> args) {
    sink.report({kind, span, std::move(args), {}, {}});
  }
  // Says, once, of each model in force that does not mention something that it might.
  void expect_operator(std::string_view sign, bool unary, const Type& operands, Span at);
  void expect_region(Name region, const Type& type, Span at);
  void expect_mention(DiagnosticKind kind, const std::vector<std::string>& what, bool unary,
                      Span at, const std::function<bool(const syntax::OperatorMember&)>& mentions);
  // A number that is written down and can be a chance.
  void expect_chance(const syntax::Expr& expr);
  // An unknown name, with a suggestion or else a hint. `what` is "variable" or the like.
  void unknown(std::string what, const syntax::Ident& ident, std::string_view nearest,
               std::string_view hint = {});
  // The member of a model that may have been meant; nothing: none is near.
  [[nodiscard]] std::optional<Help> nearest_member(const Model& model,
                                                   const syntax::Ident& member) const;
};

// Local names, with blocks.
class Scope {
 public:
  explicit Scope(Session& session) : session_(session) {}

  // Declares, or reports that the name is taken.
  SymbolId declare(Symbol symbol);
  [[nodiscard]] SymbolId find(Name name) const;
  void offer_names(NearestName& nearest) const;
  // The results of a function that has several: "result.q", in their order.
  [[nodiscard]] std::vector<std::string> results() const;

  class Block {
   public:
    explicit Block(Scope& scope) : scope_(scope), mark_(scope.order_.size()), outer_(scope.block_) {
      scope_.block_ = mark_;
    }
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

   private:
    Scope& scope_;
    std::size_t mark_;
    std::size_t outer_;
  };

 private:
  void declare_fields(SymbolId whole);

  Session& session_;
  std::unordered_map<Name, SymbolId> visible_;
  std::vector<Name> order_;
  std::size_t block_ = 0;  // where the innermost block begins in `order_`
};

// Says so if a list of values is given to what is no vector.
void refuse_elements(Session& session, const syntax::ConstItem& item);
[[nodiscard]] bool is_builtin(std::string_view name);  // abs, min, max
// The library that has a function or definition of this name; nothing: none has.
[[nodiscard]] std::string_view find_library(std::string_view name);

}  // namespace leto::check

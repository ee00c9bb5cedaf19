// The front door of `check`: names, types, sides, ghosts, regions, models.
//
// In: the trees of a program and of everything it imports, imported files
// before those that import them, the program itself last; and the model that
// was picked, if any. Out: `Checked`, the untouched trees with their facts.
// Every mistake goes to the sink; `Checked` is complete only if no error did.
#pragma once

#include <memory>

#include "check/facts.h"
#include "check/system.h"

namespace leto::check {

struct Options {
  Name model = {};                       // the model that was picked; invalid: none
  bool model_is_bad = false;             // one was named but not found, and that has been said
  const Allowance* allowance = nullptr;  // throws Spent when it is
  // What follows can do something with systems and their models; else they are refused.
  bool with_systems = true;
};

struct Checked {
  const Allowance* allowance = nullptr;  // of the command, for what is done with it
  std::vector<const syntax::Tree*> trees;
  std::vector<Facts> facts;  // one per tree
  Store<SymbolId, Symbol> symbols;
  Store<ModelId, Model> models;
  std::unordered_map<Name, std::shared_ptr<const Record>> records;
  ModelId model = {};  // the one picked; may be invalid
  // The first operation or access that would be relaxed if a model were picked; none: none is, or
  // one is picked.
  std::optional<Span> unmodelled = {};
  // Each behind those that it uses.
  std::vector<SymbolId> definitions;
  // Definitions and lemmas of imported files that nothing uses: nobody has to prove them here.
  std::unordered_set<SymbolId> unused;
  // Function constants, and where they are declared.
  std::unordered_map<SymbolId, const syntax::RigidMember*> rigids;
  // In the order of the files. Complete only where nothing was wrong.
  std::vector<sys::System> systems;
  // Others that something is done again under, each once.
  std::vector<ModelId> redo_models;

  // What is written; an error if no such record is declared.
  [[nodiscard]] Type type_of(const syntax::TypeSyntax& written) const;
  // The variables that a symbol stands for: one for each field if it is a record, else itself.
  [[nodiscard]] std::vector<SymbolId> parts_of(SymbolId symbol) const;
};

[[nodiscard]] Checked check(std::vector<const syntax::Tree*> trees, const Options& options,
                            NameTable& names, DiagnosticSink& sink);

// A checker declared with its rates; the first of that name.
struct FoundChecker {
  const syntax::Tree* tree = nullptr;
  const syntax::CheckerItem* item = nullptr;
};
[[nodiscard]] FoundChecker find_checker(const Checked& checked, Name name);

// A model's constants, those that a value uses before the one whose value it is; or, if a value
// depends on itself, the constants that do so by way of one another.
struct ConstantOrder {
  std::vector<std::size_t> order, cycle;  // indices of Model::constants
};
[[nodiscard]] ConstantOrder order_constants(const Checked& checked, const Model& model);

// The model, then the one below it, and so on.
[[nodiscard]] std::vector<ModelId> layers_of(const Checked& checked, ModelId model);
[[nodiscard]] std::vector<const Model*> layers_of(const Checked& checked, const Model& model);

}  // namespace leto::check

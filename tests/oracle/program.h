// What the trees declare, by name, and how everything here gives up.
#pragma once

#include <unordered_map>

#include "oracle/values.h"

namespace leto::oracle {

// Ends the whole pair of runs at once.
struct Stop {
  End end;
  Span where;
  std::string why;
};

// Ends one run. Which one, and what that means for the pair, knows who catches it.
struct Failure {
  enum class Kind : std::uint8_t { Failed, Stuck, Hung };
  Span where;
  std::string why;
  Kind kind = Kind::Failed;
};

[[noreturn]] void refuse(Span where, std::string why);  // the program is malformed

template <class Node>
struct Declared {
  const syntax::Tree* tree = nullptr;
  const Node* item = nullptr;
};

class Program {
 public:
  Program(const std::vector<const syntax::Tree*>& trees, const NameTable& names);

  // Nothing if there is none.
  using Function = Declared<syntax::FunctionItem>;
  using Property = Declared<syntax::PropertyItem>;
  using Definition = Declared<syntax::DefineItem>;
  using Constant = Declared<syntax::ConstItem>;
  using Model = Declared<syntax::ModelItem>;
  using Record = Declared<syntax::RecordItem>;
  using Constraint = Declared<syntax::ConstraintItem>;
  [[nodiscard]] const Function* function(Name name) const;
  [[nodiscard]] const Property* property(Name name) const;
  [[nodiscard]] const Definition* definition(Name name) const;
  [[nodiscard]] const Constant* constant(Name name) const;
  [[nodiscard]] const Model* model(Name name) const;

  [[nodiscard]] const std::vector<Name>& constants() const { return constant_order_; }
  [[nodiscard]] const std::vector<Constraint>& constraints() const { return constraints_; }
  [[nodiscard]] const std::vector<Name>& used_models() const { return used_models_; }
  [[nodiscard]] std::string_view text(Name name) const { return names_.text(name); }
  [[nodiscard]] Name find(std::string_view text) const { return names_.find(text); }
  [[nodiscard]] Type type_of(const syntax::TypeSyntax& type) const;
  [[nodiscard]] Number literal(Name text, Span where) const;

 private:
  struct Collect;

  const NameTable& names_;
  std::unordered_map<Name, Function> functions_;
  std::unordered_map<Name, Property> properties_;
  std::unordered_map<Name, Definition> definitions_;
  std::unordered_map<Name, Constant> constants_;
  std::unordered_map<Name, Model> models_;
  std::unordered_map<Name, Record> records_;
  std::vector<Name> constant_order_;
  std::vector<Constraint> constraints_;
  std::vector<Name> used_models_;
};

}  // namespace leto::oracle

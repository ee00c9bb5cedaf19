// Random functions with their contracts: callees of several kinds, and the one that all is about.
#pragma once

#include "stmt_gen.h"

namespace leto::soundness {

// Does the text have relaxed operations or accesses, or call what has some?
[[nodiscard]] bool is_relaxed(const std::string& text, const std::vector<Function>& known);

class Functions {
 public:
  explicit Functions(World& world)
      : world_(world), dice_(world.dice), writer_(world), exprs_(world) {}

  // What others can call, as the themes want it.
  void write_callees(Nodes& items);
  // The function `f`.
  void write_main(Nodes& items);

 private:
  void write_plain(Nodes& items, bool contract);
  void write_tick(Nodes& items);
  void write_claimer(Nodes& items);
  void write_counter(Nodes& items);
  void write_recursive(Nodes& items);
  void write_mutual(Nodes& items);
  void write_copier(Nodes& items);
  void write_promiser(Nodes& items);
  // What changes variables of the caller (change_gen.cpp).
  void write_changer(Nodes& items);
  void promise_changes(const Changer& made, Nodes& clauses);
  void change(const Changer& made, Nodes& body);
  void finish_changer(Changer made, Nodes clauses, Nodes body, Nodes& items);

  // Records, and functions about them (record_gen.cpp).
  struct RecordNames {
    std::string record, gives, changes, parts;
    std::string property, relation, meaning, lemma, pure;  // what is said of them
  };
  // Properties, a definition, a lemma and a pure function of records.
  void write_words(const RecordNames& names, Nodes& items);
  void write_records(Nodes& items);
  void use_records(const RecordNames& names, Nodes& items);

  // Requirements and promises, relational or not; of what a scope with `result` knows.
  void promise(const Scope& before, const Function& f, unsigned percent, Nodes& clauses);
  void bound_chances(const Function& f, Nodes& clauses);
  // Puts the function together, and makes it known.
  void finish(Function f, Nodes clauses, Nodes body, Nodes& items);
  [[nodiscard]] Scope scope_of(const Function& f) const;
  void choose_params(Function& f);
  [[nodiscard]] std::vector<std::string> relate_inputs(const Function& f);
  void require(const Function& f, Nodes& clauses);
  void write_body(Scope& scope, Nodes& body);
  void recurse(const Function& f, const std::string& depth, Nodes& body);

  World& world_;
  Dice& dice_;
  Writer writer_;
  Expressions exprs_;
};

}  // namespace leto::soundness

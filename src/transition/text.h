// Terms of a system as SMT-LIB text. Shared terms are written once, and nothing is nested deeper
// than solvers of others can read.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "transition/system.h"

namespace leto::transition {

class TermWriter {
 public:
  // What is shared gets names beginning with `prefix`, which no symbol's name may.
  TermWriter(const TermTable& table, std::string prefix)
      : table_(table), prefix_(std::move(prefix)) {}
  void name(Term symbol, std::string name) { names_[symbol] = std::move(name); }
  // Every symbol in it has a name.
  [[nodiscard]] std::string write(Term term);
  // Without `let`: what is shared has a name and a definition, which stands behind what it uses.
  struct Definition {
    std::string name;
    Sort sort;
    std::string text;
  };
  [[nodiscard]] std::string write(Term term, std::vector<Definition>& definitions);

 private:
  // Of a term in the text at hand.
  struct Mark {
    std::uint32_t uses = 0;
    std::uint32_t level = 0;   // how many `let`s stand around what is inside of it
    std::uint32_t number = 0;  // in its name
    std::uint32_t height = 0;  // of what is written in its place
    bool named = false;
  };
  void look_at(Term root);
  void write_leaf(Term t, std::string& out) const;
  void write_inside(Term t, std::string& out) const;  // at most kHighest deep
  void write_operation(Term t, std::string& out) const;

  const TermTable& table_;
  std::string prefix_;
  std::unordered_map<Term, std::string> names_;
  std::unordered_map<Term, Mark> marks_;
  std::vector<Term> order_;  // arguments first
};

// |a name|
[[nodiscard]] std::string quoted(const std::string& name);

// How a system is spoken of in questions about its runs: state i has the variables x<n>.<i>, the
// step from there the inputs u<n>.<i>. A formula has a name, and is written for each state or step
// of which it is asked: Z3 takes ages to read a function with arguments in which terms are shared.
class Script {
 public:
  explicit Script(const System& system) : system_(system), writer_(*system.terms, "t") {}

  // A formula over a state, or a step.
  void add(const std::string& name, Term formula) { formulas_[name] = formula; }
  // (define-fun name.at () Bool ..), behind the declarations of what is in it.
  [[nodiscard]] std::string define(const std::string& name, unsigned at);
  // The same of a step that leads from one state to any other, with the inputs of a third.
  [[nodiscard]] std::string define_as(const std::string& label, const std::string& name,
                                      unsigned from, unsigned to, unsigned inputs);
  [[nodiscard]] static std::string of(const std::string& name, unsigned at);
  [[nodiscard]] std::string declare_state(unsigned at) const;
  [[nodiscard]] std::string declare_inputs(unsigned at) const;
  // (get-value ..) of the state; of the inputs; empty if there is none.
  [[nodiscard]] std::string ask_state(unsigned at) const;
  [[nodiscard]] std::string ask_inputs(unsigned at) const;

 private:
  const System& system_;
  TermWriter writer_;
  std::unordered_map<std::string, Term> formulas_;
};

}  // namespace leto::transition

// A solver's model read through origins: as a plan that can be executed, or as a picture of a
// state that nothing excludes.
#pragma once

#include "encode/origins.h"
#include "explain/explain.h"
#include "logic/logic.h"

namespace leto::explain {

// A state in the middle of a program, and the one in which the claim does not hold. It is what
// the hypotheses allow; no run need ever get there.
struct Picture {
  encode::Moment::Kind kind = encode::Moment::Kind::Entry;
  Span at;  // of the loop or call
  struct Line {
    std::string name, original, relaxed;  // equal in both runs: one text twice
    bool matters = false;                 // the claim speaks of it
    core::VarId var = {};
  };
  std::vector<Line> from, now;
  std::vector<Row> faults;
  std::vector<Worth> claim;
};

// The same with records as such.
[[nodiscard]] Picture in_records(const core::Program& program, const Picture& picture);

// A number or truth value as a solver writes it; an empty text stands for any. Nothing if it is
// no number: a solver may answer with a root of a polynomial.
[[nodiscard]] std::optional<interp::Number> solver_number(const std::string& text);

class Reading {
 public:
  // `elements`: how many of each dimension of a vector are asked for.
  Reading(const interp::Machine& machine, logic::TermTable& terms, const encode::Origins& origins,
          int elements);

  // What a solver is to be asked for. The answers stand in the same order; an empty one means
  // that the question does not depend on it.
  [[nodiscard]] const std::vector<logic::Term>& asked() const { return asked_; }

  // What makes a model small.
  [[nodiscard]] logic::Term at_most(std::size_t faults);
  [[nodiscard]] logic::Term within(int magnitude);
  // For each variable whether both runs have the same at the start.
  [[nodiscard]] std::vector<logic::Term> same_in_both();

  [[nodiscard]] std::optional<Plan> plan(const std::vector<std::string>& values) const;
  // Of the function's own variables, or of all if there is none.
  [[nodiscard]] Picture picture(const std::vector<std::string>& values, core::FunctionId function,
                                core::ExprId claim, core::Side side) const;

 private:
  struct Place {
    bool now = false;  // else at the start
    core::Side side;
    core::VarId var;
    std::vector<std::int64_t> element;  // empty: a scalar
    std::size_t index;                  // into what is asked
  };
  struct Size {
    bool now = false;
    core::Side side;
    core::VarId var;
    std::size_t dimension, index;
  };
  struct Chosen {
    std::size_t path, exact, outcome;
    std::vector<std::size_t> allows, before, after;
  };
  // A function that nobody knows, of arguments.
  struct Point {
    core::DefinitionId function;
    std::vector<logic::Term> terms;
    std::vector<std::size_t> args;
    std::size_t value;
  };
  std::size_t ask(logic::Term term);
  void ask_functions();
  [[nodiscard]] std::optional<interp::Number> number_at(
      logic::Term term, std::size_t index, const std::vector<std::string>& values) const;
  void read_functions(const std::vector<std::string>& values, interp::Tables& tables) const;
  [[nodiscard]] bool has_label(core::ExprId id) const;
  void places(const encode::Moment& moment, bool now);
  [[nodiscard]] logic::Term faulty(const encode::Choice& choice);
  // Both runs at the start or at the end, with vectors of at most so many elements.
  [[nodiscard]] std::optional<interp::Pair> pair(const std::vector<std::string>& values,
                                                 bool now) const;
  bool compute_vectors(interp::Pair& pair) const;
  // What was taken wherever the path was; nothing if a value cannot be read.
  [[nodiscard]] std::optional<std::vector<interp::Taken>> taken(
      const std::vector<std::string>& values) const;
  [[nodiscard]] std::vector<Picture::Line> lines(const interp::Pair& pair,
                                                 const encode::Moment& moment,
                                                 core::FunctionId function,
                                                 core::ExprId claim) const;

  const interp::Machine& machine_;
  const core::Program& program_;
  logic::TermTable& terms_;
  const encode::Origins& origins_;
  int elements_;
  std::vector<logic::Term> asked_;
  std::vector<Place> places_;
  std::vector<Size> sizes_;
  std::vector<Chosen> chosen_;
  std::vector<Point> points_;
};

}  // namespace leto::explain

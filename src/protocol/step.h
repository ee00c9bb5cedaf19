// One step, for one choice of its nodes: what it needs, and what state it leaves.
#pragma once

#include <set>

#include "protocol/evaluate.h"

namespace leto::protocol {

struct FailureSite {
  std::string name;
  Span span;
};

// Inputs of steps. Alternatives share them: only one of them is taken.
class Inputs {
 public:
  Inputs(const check::sys::System& source, transition::System& system)
      : source_(source), system_(system) {}
  void begin() { used_.clear(); }
  [[nodiscard]] Term fresh(std::string_view what, const check::sys::Type& type);
  [[nodiscard]] std::optional<std::uint32_t> enumeration_of(const check::sys::Type& type) const;

 private:
  const check::sys::System& source_;
  transition::System& system_;
  using Key = std::pair<std::string, check::sys::Type>;
  std::map<Key, std::vector<Term>> made_;
  std::map<Key, std::size_t> used_;
};

struct Done {
  Term enabled;  // its 'when' holds, or fails
  Term good;     // it is taken, and nothing fails
  State after;
  struct Failing {
    std::size_t site;
    Term when;
  };
  std::vector<Failing> failing;
  std::vector<transition::Remark> remarks;
};

// What a message may do, by the specifications of a model.
struct Outcome {
  Term result, arrived;
  State after;                 // of all variables
  std::vector<Term> enabled;   // by specification
  std::vector<Term> possible;  // enabled, and what it ensures
};
class Messages {
 public:
  Messages(const check::sys::System& source, Evaluator& eval, TermTable& table)
      : source_(source), eval_(eval), t_(table) {}
  // An element of a variable.
  using Element = std::pair<std::uint32_t, std::size_t>;
  // Gives the values that nobody knows: inputs, or bound variables. Of the state behind the
  // message: of which element.
  using Make =
      std::function<Term(std::string_view, const check::sys::Type&, const std::optional<Element>&)>;
  struct Arguments {
    Term sent, from, to;
  };
  [[nodiscard]] Outcome send(const std::vector<const check::sys::Specification*>& specs,
                             const check::sys::Type& type, const Arguments& args, const Make& make);
  // Whether a specification modifies an element when it is of such nodes.
  [[nodiscard]] Term modifies(const check::sys::Specification& spec, std::uint32_t variable,
                              const std::vector<std::uint32_t>& element);

 private:
  void set(const check::sys::Specification& spec, const Arguments& args);

  const check::sys::System& source_;
  Evaluator& eval_;
  TermTable& t_;
};

class StepLowering {
 public:
  StepLowering(const check::sys::System& source, Evaluator& eval, Inputs& inputs, TermTable& table,
               Lowered& out, std::vector<FailureSite>& failures)
      : source_(source),
        eval_(eval),
        inputs_(inputs),
        t_(table),
        out_(out),
        failures_(failures),
        messages_(source, eval, table) {}

  [[nodiscard]] Done run(const check::sys::Step& step, const std::string& name,
                         const State& initial);

 private:
  void statement(check::sys::StmtId id);
  void visit(const check::sys::Assign& node, Span at);
  void visit(const check::sys::If& node, Span at);
  void visit(const check::sys::Nodes& node, Span at);
  void visit(const check::sys::Choose& node, Span at);
  void visit(const check::sys::Message& node, Span at);
  void visit(const check::sys::Assert& node, Span at);
  void visit(const check::sys::Block& node, Span at);
  void assign(const check::sys::Place& place, const std::vector<Term>& indices, Term value);
  [[nodiscard]] Term current(const check::sys::Place& place, const std::vector<Term>& indices);
  void fail(Span at, std::string_view what, Term when);
  // What is known where the step has come to.
  [[nodiscard]] Term known() const;
  void oblige(std::string text, Span at, Term goal);
  [[nodiscard]] std::string place_name(const check::sys::Place& place,
                                       const std::vector<Term>& indices) const;
  void tell_later(const check::sys::Place& place, const std::vector<Term>& indices, Term value,
                  const char* how);
  [[nodiscard]] Term without_message(const check::sys::Message& node,
                                     const std::vector<Term>& indices, Term arrived);
  void allow_once(const check::sys::Message& node, Span at, Term from, Term to);
  void oblige_message(const check::sys::Type& type, Span at, const Messages::Arguments& args,
                      const std::vector<const check::sys::Specification*>& specs);
  void remark(const check::sys::Type& type, const Messages::Arguments& args, const Outcome& outcome,
              const std::vector<const check::sys::Specification*>& specs);

  const check::sys::System& source_;
  Evaluator& eval_;
  Inputs& inputs_;
  TermTable& t_;
  Lowered& out_;
  std::vector<FailureSite>& failures_;
  Messages messages_;
  std::string name_;
  std::vector<Term> choices_;   // what those before demand
  Term unfailed_;               // nothing has failed so far
  std::size_t first_told_ = 0;  // of what the step has chosen and received
  Done done_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> sent_;  // statement, from, to
  std::map<std::tuple<std::uint32_t, check::sys::Type, std::uint32_t, std::uint32_t>, Term> told_;
};

class RefinementLowering {
 public:
  RefinementLowering(const check::sys::System& source, Evaluator& eval, TermTable& table,
                     Lowered& out, Term always)
      : source_(source),
        eval_(eval),
        t_(table),
        out_(out),
        always_(always),
        messages_(source, eval, table) {}
  void run(const check::sys::Refinement& refinement);

 private:
  // One specification, of the values that all of them share.
  struct Sent {
    Term enabled, possible;
    std::set<Messages::Element> changed;
  };
  [[nodiscard]] Term bind(std::string_view what, const check::sys::Type& type);
  [[nodiscard]] Sent send(const check::sys::Specification& spec);
  void refine(const check::sys::Refinement& refinement, const check::sys::Specification& mine,
              const check::sys::Specification& theirs);
  void oblige(std::string text, Span at, Term hypothesis, Term goal);
  [[nodiscard]] Term unchanged(const std::set<Messages::Element>& elements,
                               const std::set<Messages::Element>& but,
                               const std::vector<std::uint32_t>* variables);

  const check::sys::System& source_;
  Evaluator& eval_;
  TermTable& t_;
  Lowered& out_;
  // What holds at every moment, also in the middle of a step: types and constraints of constants.
  // What is trusted holds between steps only.
  Term always_;
  Messages messages_;
  Messages::Arguments args_;
  std::vector<Term> bound_, ranges_;
  std::map<std::string, Term> shared_;
  std::map<Messages::Element, Term> later_;
};

}  // namespace leto::protocol

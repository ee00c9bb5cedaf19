// Values of expressions as terms, in the state that a step or a message has come to.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "protocol/protocol.h"

namespace leto::protocol {

using check::sys::Base;
using check::sys::ExprId;
using check::sys::Op;
using logic::Sort;
using logic::Term;
using logic::TermTable;

[[nodiscard]] Sort sort_of(const check::sys::Type& type);

// A value for each variable, element by element.
using State = std::vector<std::vector<Term>>;

// Thrown where a system cannot be written out, after that has been said.
struct Refused {};

class Evaluator {
 public:
  Evaluator(const check::sys::System& system, TermTable& table, DiagnosticSink& sink,
            const Limits& limits)
      : source_(system), t_(table), sink_(sink), limits_(limits), slots_(system.slots.size()) {}

  [[nodiscard]] Term value(ExprId id);
  [[nodiscard]] Term truth(ExprId id) { return id.valid() ? value(id) : t_.boolean(true); }
  // How a value of a type is bounded, beside its sort.
  [[nodiscard]] Term in_range(Term term, const check::sys::Type& type);
  // Runs `f` for all nodes of the types of the slots, in order.
  void for_nodes(const std::vector<std::uint32_t>& slots, const std::function<void()>& f,
                 std::size_t from = 0);
  [[nodiscard]] std::vector<Term> indices(const std::vector<ExprId>& written);
  // An element; which one need not be known.
  [[nodiscard]] Term read(const State& state, std::uint32_t variable,
                          const std::vector<Term>& indices);
  void write(State& state, std::uint32_t variable, const std::vector<Term>& indices, Term value,
             Term when);
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& elements_of(std::uint32_t variable);
  [[nodiscard]] std::string node_name(std::uint32_t node) const;
  [[nodiscard]] std::optional<std::uint32_t> known_node(Term term) const;
  [[noreturn]] void refuse(DiagnosticKind kind, Span span, std::string what, std::string help = {});
  // For so many parts more.
  void demand(Span at, std::uint64_t parts = 1);

  State now, before;  // `before`: what 'old' means
  Term guard;         // what holds where the value is needed
  // Called where evaluating fails if a condition holds.
  std::function<void(Span, std::string_view, Term)> fails;
  // What is told in a broadcast.
  std::function<Term(std::uint32_t round, std::uint32_t node)> told;

  // How many values a state has.
  [[nodiscard]] std::uint64_t size_of_state() const;
  [[nodiscard]] Term& slot(std::uint32_t index) { return slots_[index]; }

 private:
  [[nodiscard]] std::optional<std::size_t> find_element(std::uint32_t variable,
                                                        const std::vector<Term>& indices) const;
  [[nodiscard]] Term node_of(const check::sys::Expr& e);
  [[nodiscard]] Term both(const check::sys::Expr& e);
  [[nodiscard]] Term divide(const check::sys::Expr& e);
  [[nodiscard]] Term quantify(const check::sys::Expr& e);
  [[nodiscard]] Term round(const check::sys::Expr& e);
  [[nodiscard]] Term old(const check::sys::Expr& e);
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> range_of(std::uint32_t kind) const;
  void fail(Span at, std::string_view what, Term condition);
  [[nodiscard]] Term under(Term condition, ExprId id);

  const check::sys::System& source_;
  TermTable& t_;
  DiagnosticSink& sink_;
  const Limits& limits_;
  std::uint64_t parts_ = 0;
  std::vector<Term> slots_;
  std::map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> elements_;
};

}  // namespace leto::protocol

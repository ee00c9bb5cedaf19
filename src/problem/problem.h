// The front door of `problem`: what a problem and its checkers stand for, as functions and lemmas.
//
// A checker is a function of the problem's inputs and outputs and of its witness. What is to be
// proved of it is the contract of a copy, the *exact* one, in which no operation is relaxed:
//
//   requires   what the problem requires
//   ensures    result -> a clause of `right`             one for each; this is "sound"
//   ensures    all of `right` && certifies -> result     this is "complete"
//
// A clause against a challenger has a copy of its own. The challenger is a parameter for proofs
// only, and what is known of it is required there and nowhere else. Text about challengers is in
// no other copy. That the challenger is arbitrary is the quantifier, so no solver sees one.
//
// `sound under M` and `complete under M unless e` are the contract of one more copy, in which
// operations are relaxed. Looked at is the relaxed run by itself, from any state of M:
//
//   ensures    result -> a clause of `right`                  if it is to be sound
//   ensures    all of `right` && certifies -> result || e     if it is to be complete
//
// What a program that calls a checker may conclude is the contract of a function with relaxed
// operations. If the checker has any, that is of the original run what is proved of the exact one,
// and of the relaxed run what is claimed under the model that is picked.
//
// `return unknown;` gives up: nothing is claimed of what is returned. The exact copy rejects there,
// so it is as sound. Completeness is that of one more copy, which accepts there. What is executed
// is a copy that stops.
//
// A problem may say in two ways what is right. What is right by `right surely` is to be accepted,
// and what is accepted is right by `right`; a lemma says that the first is the second.
//
// `P.right(inputs; outputs)` is a property, made where somebody names it: the clauses, and no more.
//
// A claim of both runs is one of the run at hand, if it speaks of no other: `x<o>` is what the
// exact run has, and `x<r>` and `model.x` are of the relaxed one.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace leto::problem {

// How such functions are called. No name that somebody wrote has a comma in it.
[[nodiscard]] std::string exact_name(std::string_view checker);
[[nodiscard]] std::string against_name(std::string_view checker, std::size_t clause);
[[nodiscard]] std::string witness_name(std::string_view checker);
[[nodiscard]] std::string certified_name(std::string_view checker);
// Of a checker that can give up: what is complete where it does not, and what is executed.
[[nodiscard]] std::string decided_name(std::string_view checker);
[[nodiscard]] std::string run_name(std::string_view checker);
[[nodiscard]] std::string exact_run_name(std::string_view checker);
// Of the relaxed run under a model; against a challenger; and whether its 'unless' is always so.
[[nodiscard]] std::string under_name(std::string_view checker, std::string_view model);
[[nodiscard]] std::string under_against_name(std::string_view checker, std::string_view model,
                                             std::size_t clause);
[[nodiscard]] std::string unless_name(std::string_view checker, std::string_view model);
// That nothing is right and certified, so that completeness would promise nothing.
[[nodiscard]] std::string never_name(std::string_view checker);
[[nodiscard]] std::string unique_name(std::string_view problem);
[[nodiscard]] std::string right_name(std::string_view problem, std::size_t clause);
// What is surely right, of given values; and that it is right, with the challengers of a clause or
// without.
[[nodiscard]] std::string surely_name(std::string_view problem, std::size_t clause);
[[nodiscard]] std::string implied_name(std::string_view problem);
[[nodiscard]] std::string implied_name(std::string_view problem, std::size_t clause);
[[nodiscard]] std::string within_name(std::string_view checker);
[[nodiscard]] std::string requires_name(std::string_view problem);
[[nodiscard]] std::string case_name(std::string_view problem, std::size_t example,
                                    std::size_t clause);

// A problem taken apart.
struct Parts {
  const syntax::Tree* tree = nullptr;
  const syntax::ProblemItem* item = nullptr;
  std::vector<const syntax::Param*> inputs, outputs;
  std::vector<syntax::ExprId> needs;  // what it requires
  std::vector<const syntax::RightMember*> rights;
  std::vector<const syntax::RightMember*> surely;  // what checkers promise to accept; empty: all
  std::vector<const syntax::ExampleMember*> examples;
  const syntax::UniqueMember* unique = nullptr;

  // The clauses that so many challengers are named for: all without any, and those with so many.
  // Nothing: there are none with so many, or these are of several types.
  [[nodiscard]] std::optional<std::vector<const syntax::RightMember*>> clauses_of(
      std::size_t challengers) const;
  // Those of all clauses.
  [[nodiscard]] std::vector<const syntax::Param*> challengers() const;
};
[[nodiscard]] Parts take_apart(const syntax::Tree& tree, const syntax::ProblemItem& item);

struct FoundChecker {
  const syntax::Tree* tree = nullptr;
  const syntax::ProvedCheckerItem* item = nullptr;
};
// What is declared in the trees; an empty one, if there is none of that name.
[[nodiscard]] Parts find_problem(const std::vector<const syntax::Tree*>& trees, Name name);
[[nodiscard]] std::vector<FoundChecker> find_checkers(
    const std::vector<const syntax::Tree*>& trees);
[[nodiscard]] const syntax::CertifiesClause* certifies_of(const syntax::ProvedCheckerItem& checker);
[[nodiscard]] const syntax::WithinClause* within_of(const syntax::ProvedCheckerItem& checker);
[[nodiscard]] const syntax::ExistsClause* exists_of(const syntax::ProvedCheckerItem& checker);

// Whether a statement is `return unknown;`, and whether there is one in a checker.
[[nodiscard]] bool is_giving_up(const syntax::Tree& tree, const syntax::Stmt& stmt,
                                const NameTable& names);
[[nodiscard]] bool can_give_up(const FoundChecker& checker, const NameTable& names);
// The function of its exact run that is executed.
[[nodiscard]] std::string executed_name(const FoundChecker& checker, const NameTable& names);

// What is claimed under one model.
struct Under {
  syntax::Ident model;
  const syntax::UnderClause* sound = nullptr;
  const syntax::UnderClause* complete = nullptr;
};
[[nodiscard]] std::vector<Under> unders_of(const syntax::ProvedCheckerItem& checker);

// One tree for each function. What is wrong with a problem or a checker as a whole goes to the
// sink; what is wrong inside of them is found where the functions are checked.
[[nodiscard]] std::deque<syntax::Tree> expand(const std::vector<const syntax::Tree*>& trees,
                                              NameTable& names, DiagnosticSink& sink);

}  // namespace leto::problem

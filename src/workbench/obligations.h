// What is to be shown of a checker, and what came of it: one line for each.
//
//   total      definitions, lemmas and pure functions that it uses are proved
//   examples   the problem's examples are right and wrong as stated, and the checker agrees
//   meets      some input has a right output
//   safe       no failure, whatever is checked
//   ends       for whatever is checked
//   sound k    what is accepted is right, by clause k
//   complete   what is right, and certified, is accepted
//   reaches    something is accepted
//   gives up   some run ends with 'return unknown', of which nothing is claimed
//   exists     what is right has a witness
//   unique     two right results are equal, if the problem says so
//   safe, ends, sound k, complete under M
//              the same of the relaxed run under a model, from any of its states
//
// A line that is not proved is searched for a pair that shows what is wrong; see pairs.h.
//
// Proofs are of the exact run, or of the relaxed run by itself, and nothing is trusted. Challengers
// are known where a clause against them is proved, and nowhere else.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "problem/problem.h"
#include "workbench/pairs.h"
#include "workbench/proving.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::workbench {

enum class Standing : std::uint8_t { Proved, Assumed, Bounded, Vacuous, Unknown, Refuted };
[[nodiscard]] std::string_view describe(Standing standing);

struct ObligationLine {
  std::string what;
  Standing standing = Standing::Unknown;
  std::string detail = {};       // why, for people; may be empty
  std::size_t claims = 0;        // how many it rests on
  std::int64_t bound = 0;        // up to which sizes something was searched for; 0: nothing was
  std::string model = {};        // of the relaxed run under it; empty: of the exact run
  bool unless_given_up = false;  // complete: it is proved where it does not give up

  // "proved", "bounded 3", "unknown (bounded 3)"
  [[nodiscard]] std::string stands() const;
};

struct CheckerResult {
  std::string checker, problem;
  Span span;
  bool has_witness = false;
  bool for_some = false;  // it says which results it is for
  std::vector<ObligationLine> lines;
  std::vector<std::string> trusted =
      {};                             // external functions: what is declared of them is believed
  Verified verified;                  // all that was asked
  std::vector<FoundPair> pairs = {};  // that show what is wrong
  std::deque<Verified> under = {};    // all that was asked under models
  std::map<std::string, std::string> unless = {};  // by model: when it may reject what is right
  KnownFunctions known_as = {};                    // its functions, as people call them

  // Of the exact run.
  [[nodiscard]] const ObligationLine* find(std::string_view what) const;
  // All that a user relies on; with `complete` if that is asked for too.
  [[nodiscard]] bool is_proved(bool complete) const;
  // The same, if who gives up says so: it does not reject then.
  [[nodiscard]] bool is_proved_to_decide(bool complete) const;
  [[nodiscard]] bool is_refuted(bool complete) const;
  // "bag: sound, complete"
  [[nodiscard]] std::string summary() const;
};

struct CheckerSettings {
  ProofOptions options;
  bool explain = true;
  bool full = false;         // explanations, wholly
  std::int64_t bounded = 0;  // nothing is proved, and sizes up to this are tried; 0: all is proved
};

// The program, checked with a model picked that a checker names.
struct UnderModel {
  std::string name;
  check::Checked checked;
};

// The program must have been checked without errors. `models`: those that the checker is claimed
// to be sound or complete under.
[[nodiscard]] CheckerResult prove_checker(const check::Checked& checked,
                                          const workspace::Workspace& workspace,
                                          const problem::FoundChecker& checker, Proving& proving,
                                          const CheckerSettings& settings,
                                          const prove::Watch& watch,
                                          const std::deque<UnderModel>& models = {});

}  // namespace leto::workbench

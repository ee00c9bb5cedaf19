// Pairs that show what is wrong with a checker: inputs and outputs, with a witness, that it accepts
// although they are wrong, rejects although they are right and certified, fails on, or does not end
// on: it comes to the head of a loop with the same values again. They are
// searched for by executing the checker on small values: all of them where there are few, else
// changed examples, changed values that were accepted, and values that are drawn. How many are
// tried is counted, and nothing depends on time: the same program has the same pairs.
//
// A pair is shown only if all of it was executed. A clause that cannot be evaluated, or that
// divides by zero, says nothing; nor does a program with open constants or external functions. What
// is right against all challengers is known where these can all be tried, and only there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problem/problem.h"
#include "workbench/points.h"
#include "workspace/workspace.h"

namespace leto::workbench {

enum class PairKind : std::uint8_t { AcceptedWrong, RejectedRight, Fails, Endless, TooLong };

struct FoundPair {
  struct Named {
    std::string name, value;
  };
  PairKind kind;
  std::size_t clause = 0;  // AcceptedWrong: the one that does not hold, and how it is called
  std::string by = {};
  std::vector<Named> inputs, outputs, witness, challengers;
  Span at;          // the clause, what fails, or the loop
  std::string why;  // Fails: what does; TooLong: how often
};

// What to look for.
struct PairsWanted {
  std::vector<bool> sound;  // by clause
  bool complete = false, safe = false, ends = false;
  [[nodiscard]] bool any() const;
};

// How far it went.
struct PairsTried {
  std::uint64_t runs = 0;  // of the checker
  std::uint64_t accepted = 0;
  std::uint64_t given_up = 0;
};

// How often loops were run through.
struct IterationsTried {
  std::uint64_t runs = 0;                // that came to an end, and of which it is known
  std::optional<FoundPair> broken = {};  // one that takes more than the checker says
};

// Whether right results have witnesses, as far as was looked.
struct WitnessesTried {
  std::uint64_t right = 0;  // results
  std::uint64_t tried = 0;  // witnesses
  bool all = true;          // the right results of all inputs of these sizes and small numbers
  // Right, and none of the witnesses that were tried certifies it.
  std::optional<FoundPair> without = {};
  bool none = false;  // there is none for it: all were tried, and it is right against all
};

class PairSearch {
 public:
  PairSearch(const check::Checked& checked, const workspace::Workspace& workspace,
             const problem::Parts& problem, const problem::FoundChecker& checker,
             const Allowance& allowance);
  ~PairSearch();
  PairSearch(const PairSearch&) = delete;
  PairSearch& operator=(const PairSearch&) = delete;

  // At most one pair for each thing that is wanted. Sizes up to `bound`.
  [[nodiscard]] std::vector<FoundPair> find(const PairsWanted& wanted, std::int64_t bound);
  // Shown, if it is rejected although it is certified; whether it is right somebody else knows.
  [[nodiscard]] std::optional<FoundPair> find_rejected(const syntax::ExampleMember& example);
  // Whether a challenger of the clause beats the example; nothing: none was found, and not all
  // could be tried.
  [[nodiscard]] std::optional<bool> is_beaten(const syntax::ExampleMember& example, std::size_t k,
                                              std::int64_t bound);
  // Whether something is accepted, or right against all challengers.
  [[nodiscard]] bool finds_accepted(std::int64_t bound);
  [[nodiscard]] bool finds_right(std::int64_t bound);
  // Whether something is certified and right, by all clauses without challengers.
  [[nodiscard]] bool finds_certified(std::int64_t bound);
  // Whether it gives up on something.
  [[nodiscard]] bool finds_given_up(std::int64_t bound);
  [[nodiscard]] WitnessesTried find_witnesses(std::int64_t bound);
  // Whether runs keep to what the checker says of its loops. It says something.
  [[nodiscard]] IterationsTried count_iterations(std::int64_t bound);
  // Whether values alone decide; if not, nothing is tried.
  [[nodiscard]] bool is_decided() const;
  [[nodiscard]] const PairsTried& tried() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace leto::workbench

// Where a proof, a bounded proof and a search for counterexamples differ. A proof is about all
// sizes and all iterations, and shows whatever it comes by. A bounded one unrolls loops, and shows
// that this is all there is. A search looks at few of them for a run that breaks one claim. The
// rules do not ask which of them they serve.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "vcgen/walk.h"

namespace leto::vcgen {

class Strategy {
 public:
  virtual ~Strategy() = default;

  // Before constants get symbols: it may give them values.
  virtual void prepare(Setting& setting) const = 0;
  // A value of which nothing is known but its type and its sizes.
  [[nodiscard]] virtual Value make_fresh(Walk& walk, std::string_view name, const core::Type& type,
                                         std::vector<Term> sizes) const = 0;
  // The sizes of an input.
  [[nodiscard]] virtual std::vector<Term> make_sizes(Walk& walk, const std::string& name,
                                                     std::uint8_t rank) const = 0;
  virtual void give_parameters(Walk& walk, const core::Function& f, Run run) const = 0;
  // What is required is known, and nothing has been done.
  virtual void enter(Walk&, const core::Function&, Run) const {}
  // A claim, and what is known of it afterwards.
  virtual void show(Walk& walk, ClaimId claim, Term goal, const Walk::About& about) const = 0;
  // Something was assumed, which must not contradict what was known.
  virtual void note(Walk& walk, Assumption assumption) const = 0;
  // Whether what is shown of a failure starts anew at a head, say, or always at the entry.
  [[nodiscard]] virtual bool starts_anew() const = 0;
  // What stands for a formula in the story of a failure.
  [[nodiscard]] virtual Term name(Walk& walk, Term formula) const = 0;
  virtual void do_loop(Walk& walk, const core::While& s, Run run, Span at) const = 0;
  // A whole vector is written into a region.
  virtual void write_all(Walk& walk, const core::Write& s, core::StmtId id, const Value& source,
                         Span at) const = 0;
  // Whether a call is known by its contract only, although the body is there.
  [[nodiscard]] virtual bool relies_on_contract(const Walk& walk, const core::Function& f,
                                                Run run) const = 0;
  // How often a function can be looked into inside of itself.
  [[nodiscard]] virtual std::size_t most_nested() const { return 1; }
  // A call of a function that is being looked into as often as that.
  virtual void recur(Walk& walk, const core::Function& f, Run run, Span at) const = 0;
  // Whether a body that was walked with the same values need not be walked again.
  [[nodiscard]] virtual bool remembers_calls() const = 0;
  // Whether the original run is looked at by itself.
  [[nodiscard]] virtual bool walks_original_alone(const Options& options) const = 0;
};

[[nodiscard]] std::unique_ptr<const Strategy> make_proof();
[[nodiscard]] std::unique_ptr<const Strategy> make_bounded(unsigned most);
[[nodiscard]] std::unique_ptr<const Strategy> make_search(const Bounds& bounds);

// Walks so many iterations. Then it is told the conditions under which the original and the relaxed
// run would go on, and has to exclude them.
using AtLimit = std::function<void(Term c_o, Term c_r)>;
void unroll_loop(Walk& walk, const core::While& s, Run run, Span at, unsigned iterations,
                 const AtLimit& at_limit);

// Rules 5 to 7; see rule_while.cpp.
void prove_loop(Walk& walk, const core::While& s, Run run, Span at);
// The second half of rule 1; see rule_write.cpp.
void prove_whole_write(Walk& walk, const core::Write& s, const Value& source, Span at);

}  // namespace leto::vcgen

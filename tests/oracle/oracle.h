// The front door of the oracle: a second interpreter of the language, for tests.
//
// What comes in: the syntax trees of a program with all that it imports, the name of a model and
// of a function, inputs for both runs, and what the hardware does at each relaxed operation or
// access to a region. What goes out: how the pair of runs ends, the claims that do not hold, the
// accesses in order, and what the function returns in either run. What is promised: every step is
// taken as docs/language.md says and by nothing else. The oracle runs straight over the trees and
// shares only the rooms `base` and `syntax` with what it judges; it does its own scoping, typing
// and flattening of models. It does not check programs: of those that `leto check` refuses it says
// `Malformed`, or it says nothing of use.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace leto::oracle {

using Number = mpq_class;  // booleans are 0 and 1

// A scalar if there are no sizes. Vectors have one size and matrices two; elements row by row.
// A record has its fields and nothing else; a vector of records has its size, and of each field
// the vector.
struct Value {
  Number scalar;
  std::vector<std::int64_t> sizes;
  std::vector<Number> elements;
  std::vector<Value> fields = {};

  friend bool operator==(const Value&, const Value&) = default;
};

[[nodiscard]] Value scalar(Number number);
[[nodiscard]] Value vector(std::vector<Number> elements);
[[nodiscard]] Value matrix(std::int64_t rows, std::int64_t columns, std::vector<Number> elements);

// What the hardware does at one access. State variables go by their names, and by `M.x` with the
// model that declares them where the name alone would fit several.
struct Decision {
  // Index in the list of all operators of the flattened model that is in force (for `redo under M`
  // that is M), in the order of its members, imported ones among them.
  std::size_t specification = 0;
  Number outcome;                       // of a write: what the place holds afterwards
  std::map<std::string, Number> state;  // new values; what is not here keeps its value

  friend bool operator==(const Decision&, const Decision&) = default;
};

struct Inputs {
  // The function's parameters; of a record each field by itself, as `s.x`.
  std::map<std::string, Value> original, relaxed;
  // Constants without a value. `eps` is a constant of the program or of a model; `model.eps` one of
  // the picked model and `M.eps` one that model M declares, where the short name means several.
  std::map<std::string, Value> constants;
  // Initial state where the model gives none, the same for both runs; the names as for constants.
  std::map<std::string, Number> state;
  // Function constants that no model gives a value, by their names as the model calls them; false
  // or zero for what is not listed. That they meet the constraints is the caller's promise.
  std::map<std::string, std::map<std::vector<Number>, Number>> functions;
};

enum class End : std::uint8_t {
  Done,            // both runs ended
  OriginalFailed,  // whatever the relaxed run did or would do
  RelaxedFailed,   // the original ended
  Stuck,           // likewise: no specification is enabled, or nothing satisfies the one taken
  OriginalHung,    // a limit was reached
  RelaxedHung,     // likewise; the original ended
  Impossible,      // a decision, or an external function's value, that nothing allows
  NeedsDecision,   // there is no decision for an access and none that is plainly exact
  Undecidable,     // a quantifier without a finite range, or an external function without a value
  BadInput,        // the inputs are none of the program's: types, sizes, constraints, `requires`
  Malformed        // the program is none that `leto check` accepts
};
[[nodiscard]] std::string_view spelling(End end);

enum class By : std::uint8_t { Original, Relaxed, Both };

struct Violated {
  std::string kind;  // assert_r, requires, requires_r, ensures, ensures_r, invariant, invariant_r
  Span span;         // the clause or the statement
  // Of a claim about one run: the run. Of one about both: the runs that came by.
  By by = By::Both;
  bool no_value = false;  // it came to read a variable that a run does not have

  // A claim about one run that does not hold in the original.
  [[nodiscard]] bool original() const {
    return by == By::Original && !(kind.size() > 2 && kind.ends_with("_r"));
  }
};

// A relaxed operation of the relaxed run, or a read or write in a region, element by element.
struct Access {
  Span at;                           // the operation, what is read, or the place that is written
  std::string what;                  // the operator's sign, "read" or "write"
  std::string region;                // of a read or write
  syntax::Scalar type;               // of the operands, brought to the wider one
  std::vector<Number> operands;      // of a write: what the place holds and what is written
  Number exact;                      // what perfect hardware would make of them
  std::string model;                 // in force; empty: none
  std::vector<std::size_t> fits;     // its specifications for this operator, type and region
  std::vector<std::size_t> enabled;  // those of them whose `when` holds
  std::optional<Decision> taken;

  // False if the model does not mention it: then it is exact and no decision belongs to it.
  [[nodiscard]] bool mentioned() const { return !fits.empty(); }
};

struct Report {
  End end = End::Done;
  Span where;       // of a failure: the expression or statement; otherwise if there is a place
  std::string why;  // in words, for people
  std::vector<Violated> violated;
  std::vector<Access> accesses;
  std::vector<Span> broken_invariants;     // of the model, each time: it is not sound
  std::optional<Value> original, relaxed;  // what is returned, if it is one value
  // All that comes back: what is returned, and then what was changed in place; records field by
  // field.
  std::vector<Value> all_original, all_relaxed;
};

struct Limits {
  std::size_t steps = 100'000;      // of each run
  std::size_t depth = 60;           // of calls
  std::size_t bits = 10'000;        // of a numerator or denominator
  std::size_t elements = 100'000;   // of a vector
  std::size_t instances = 100'000;  // of the quantifiers of one claim
};

struct Subject {
  const std::vector<const syntax::Tree*>& trees;
  const NameTable& names;
  std::string model;  // empty: none, every operation is exact
  std::string function;
};

// The model that `use model M;` names; empty if there is none.
[[nodiscard]] std::string default_model(const std::vector<const syntax::Tree*>& trees,
                                        const NameTable& names);

// Called at every access that the model mentions. `sample` lists decisions that are allowed
// there: all of them where outcome and state are booleans, otherwise those that were thought of,
// and one for each specification that surely nothing satisfies, which gets stuck.
// No decision means: the exact outcome, by the first specification that allows it with all state
// as it is.
using Sample = std::function<std::vector<Decision>()>;
using Chooser = std::function<std::optional<Decision>(const Access&, const Sample& sample)>;

// The value of an external function; none: the run is `Undecidable`.
using External = std::function<std::optional<Value>(
    const std::string& function, const std::vector<Value>& arguments, bool original)>;

[[nodiscard]] Report run(const Subject& subject, const Inputs& inputs, const Chooser& chooser,
                         const Limits& limits = {}, const External& external = {});

// The k-th decision belongs to the k-th access that is mentioned. Behind the script's end there
// are no decisions.
[[nodiscard]] Report run(const Subject& subject, const Inputs& inputs,
                         const std::vector<Decision>& script, const Limits& limits = {},
                         const External& external = {});

struct Exploration {
  std::size_t runs = 0;
  bool complete = true;  // nothing was cut off; it is still only what `sample` lists
};

// Every run that is made of sampled decisions, depth first, up to `most` of them. `visit` gets the
// report, whose accesses hold the decisions; it returns false to stop.
Exploration explore(const Subject& subject, const Inputs& inputs, std::size_t most,
                    const std::function<bool(const Report&)>& visit, const Limits& limits = {},
                    const External& external = {});

}  // namespace leto::oracle

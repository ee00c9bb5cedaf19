// Functions that were proved as a whole are remembered: the next run does not walk them again.
//
// What is remembered is that every claim was proved, none for no reason, none in doubt; and what
// the report says of it. Where the clock or a failure ended a question, nothing is remembered: a
// contradiction may have been missed that is found another time. It is found again only where all
// that it rests on is the same: the text of the function and of all that it calls, the model, the
// constants (core::find_fingerprints), whether it is verified from any state, the options, the
// solver with its limits, and our own code. Places are kept by the function in whose text they lie.
// Where one lies elsewhere, or two functions have one name, nothing is remembered.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prove/claims.h"
#include "prove/infer.h"
#include "prove/settle.h"

namespace leto::prove {

// What came of one function.
struct Done {
  Settled settled;
  vcgen::Trusted trusted;
  std::vector<LoopFacts> loops;
  std::size_t candidates = 0;
  unsigned rounds = 0;
  double inference_seconds = 0;
  bool dropped_claims = false;  // see Discharger
  bool troubled = false;        // by the clock or by a failure: it may be otherwise another time
  // Every claim, none for no reason, none in doubt.
  [[nodiscard]] bool is_proved() const;
};

class Records {
 public:
  // Without a cache, or if `code` is empty, nothing is remembered. `manner`: the options, as a
  // text. The program must not change while this lives, except that expressions are added.
  Records(const core::Program& program, engine::Cache* cache, const std::string& code,
          const std::string& manner);

  [[nodiscard]] bool are_kept() const { return !fingerprints_.empty(); }
  // `solver`: its identity.
  [[nodiscard]] std::optional<Done> find(core::FunctionId id, const std::string& solver,
                                         bool any_state) const;
  // Does nothing unless all of it is proved.
  void keep(core::FunctionId id, const std::string& solver, bool any_state, const Done& done) const;

 private:
  struct Loop {
    core::FunctionId owner;
    std::size_t number;  // in its owner
  };
  // A place in a function's text.
  struct Place {
    core::FunctionId owner;
    std::uint32_t begin, end;  // from where the owner begins
  };

  class Writer;
  class Reader;
  void number_loops();
  [[nodiscard]] std::string key_of(core::FunctionId id, const std::string& solver,
                                   bool any_state) const;
  [[nodiscard]] std::optional<Place> place_of(const Span& at) const;

  const core::Program& program_;
  engine::Cache* cache_;
  std::string manner_;
  std::vector<std::string> fingerprints_;   // by function; empty: nothing is remembered
  std::vector<Span> grounds_;               // by function
  std::vector<core::FunctionId> in_order_;  // of their grounds; those without one are not there
  std::map<std::string, core::FunctionId> by_name_;
  std::vector<Loop> loops_;                          // by LoopId
  std::vector<std::vector<core::LoopId>> loops_in_;  // by function
};

}  // namespace leto::prove

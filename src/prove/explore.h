// Places that a run comes by.
//
// What is assumed at a place does not contradict itself if a run comes by there in which all that
// is claimed holds: its values meet every fact that is known there. Of a run no solver need find
// out that it is possible, which is hard where facts are quantified.
#pragma once

#include <map>
#include <set>

#include "core/program.h"
#include "vcgen/vcgen.h"

namespace leto::prove {

// What runs of one function came by, that ended and kept all claims.
struct Visited {
  bool end = false;  // there is such a run
  std::set<core::StmtId>
      statements;  // of the function itself, that both runs did together, or a lemma's one run
};

// Finds some of them. Used by all workers at once.
class Explorer {
 public:
  virtual ~Explorer() = default;
  [[nodiscard]] virtual Visited explore(core::FunctionId function, bool any_state) = 0;
};

// What such runs settle.
class Visits {
 public:
  Visits(const core::Program& program, core::FunctionId function, Visited visited);

  // Whether what is assumed there is known of such a run. Only of places in the function itself
  // that are walked once: there the place says which branches lead to it.
  [[nodiscard]] bool settle(const vcgen::Assumption& assumption) const;

 private:
  [[nodiscard]] core::StmtId find_maker(const core::ClaimId& claim) const;

  const core::Program& program_;
  core::FunctionId function_;
  Visited visited_;
  std::map<std::uint32_t, std::vector<core::StmtId>>
      statements_;  // of the function, by where they begin
};

}  // namespace leto::prove

// One program under one model: from the checked trees to a status for every claim, with what it
// rests on and why what is not proved is not.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/check.h"
#include "diagnose/diagnose.h"
#include "workbench/footing.h"

namespace leto::workbench {

// A function that nobody wrote, as people call it.
struct KnownAs {
  struct Promise {
    std::string claimed, fails;
  };
  std::string name;
  std::map<std::uint32_t, Promise> promises = {};  // that begin there
};
using KnownFunctions = std::map<std::string, KnownAs>;

struct Verified : prove::Verification {
  std::string file;
  std::string run = {};  // the command that executes a function of it, but for which and how
  std::optional<Footing> footing = {};
  // By claim; null if it is proved, or nobody asked.
  std::vector<std::shared_ptr<const diagnose::Explanation>> explanations = {};

  // Of one of its claims.
  [[nodiscard]] const diagnose::Explanation* explanation(const prove::Claim& claim) const;
};

// The input must have been checked without errors.
[[nodiscard]] Verified verify(const check::Checked& checked, const NameTable& names,
                              const prove::VerifySettings& settings, engine::Crew& crew,
                              engine::Cache* cache, const prove::Watch& watch);

// Does the picked model refine its super-model?
[[nodiscard]] Verified verify_refinement(const check::Checked& checked, const NameTable& names,
                                         check::ModelId super,
                                         const prove::VerifySettings& settings, engine::Crew& crew,
                                         engine::Cache* cache, const prove::Watch& watch);

// Says of each claim that is not proved why it is not. One that a run breaks is refuted from then
// on.
void explain(Verified& v, const diagnose::Settings& settings, prove::Engine& engine);

// In a bounded proof only what a run breaks is refuted. What was not executed is shown as such, and
// is unknown; but not of models and definitions, which no run executes.
void keep_executed(Verified& v);

// Whether what the program takes for granted may be impossible under the picked model though it is
// not under its super-model: then a proof does not carry over, for it could be one of nothing.
[[nodiscard]] bool may_be_vacuous_below(const core::Program& program, const check::Checked& checked,
                                        check::ModelId super);

// What a proof is about: the files that say something besides models, and the model with all that
// it refines. Each is the one that was read; others of the same name or path are not equal to it.
struct Subject {
  std::vector<const syntax::Tree*> program;
  std::vector<const syntax::ModelItem*> models;
  friend auto operator<=>(const Subject&, const Subject&) = default;
};
[[nodiscard]] Subject subject_of(const check::Checked& checked, check::ModelId model);

}  // namespace leto::workbench

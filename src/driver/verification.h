// One program under one model: from the checked trees to a status for every claim.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/check.h"
#include "prove/prove.h"

namespace leto::driver {

// One thing that the user was promised, with all the obligations it takes.
struct Claim {
  vcgen::ClaimKind kind;
  std::string function, text;
  Span span;
  std::vector<std::size_t> obligations;
  prove::Status status = prove::Status::Proved;
  std::size_t worst = 0;  // the obligation that decides the status
  double seconds = 0;
  std::uint64_t resource = 0;
};

struct Verification {
  std::string file, model;
  std::vector<vcgen::Obligation> obligations;
  std::vector<prove::Outcome> outcomes;
  std::vector<Claim> claims;
  vcgen::Trusted trusted;
  double seconds = 0;

  [[nodiscard]] prove::Status status() const;
  [[nodiscard]] std::size_t count(prove::Status status) const;
};

struct VerifySettings {
  bool check_original = false;
  unsigned workers = 2;
  std::string dump;
};

// The input must have been checked without errors.
[[nodiscard]] Verification verify(
    const check::Checked& checked, const NameTable& names, const VerifySettings& settings,
    const prove::Solvers& solvers, prove::Cache* cache,
    const std::function<void(const vcgen::Obligation& done, std::size_t total)>& progress);

// Does the picked model refine its super-model? Its own checks (rule 2) are part of it.
[[nodiscard]] Verification verify_refinement(const check::Checked& checked, const NameTable& names,
                                             check::ModelId super, const VerifySettings& settings,
                                             const prove::Solvers& solvers, prove::Cache* cache);

// 0 proved, 1 vacuous, 2 unknown, 3 refuted.
[[nodiscard]] int badness(prove::Status status);

}  // namespace leto::driver

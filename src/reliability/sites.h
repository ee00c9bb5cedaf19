// How many fault sites a run of a function meets at most, and how likely one of them is struck.
//
// A site is an operation under the model, or an access to a region, each time that a run comes by.
// Tests, checks, recoveries and the functions that are called have sites as other code has; of two
// branches the one with more of them counts, and of an operation the rates of all its
// specifications together. A specification without a rate strikes nobody: what it allows is for the
// proof to bear.
//
//   repeat n S                       n times those of S, and its test once more
//   while (i < e) { .. i = i + c }   e times, where
//     i   is counted up as core/endings.h says, and is never below 0
//     e   is a number, a constant that has a value, or a parameter that nothing sets and that the
//         function requires to be at most a number
//   any other loop                   none, if there are none in it; else nobody knows
#pragma once

#include <gmpxx.h>

#include <map>
#include <optional>

#include "reliability/rates.h"
#include "reliability/uses.h"

namespace leto::reliability {

struct SiteCount {
  mpz_class most = 0;
  Chance rate = {};  // of the site that is struck most often
  std::vector<Problem> problems = {};
};

class Sites {
 public:
  Sites(const core::Program& program, const Options& options)
      : program_(program), options_(options), rates_(program, options), uses_(program) {}

  // Of runs that it requires to begin with.
  [[nodiscard]] SiteCount in(core::FunctionId function);

 private:
  void look_at(core::FunctionId function);
  [[nodiscard]] mpz_class count(core::StmtId id);
  [[nodiscard]] mpz_class count_site(const core::FaultSite& site, Span at);
  [[nodiscard]] mpz_class count_write(const core::Write& s, Span at);
  [[nodiscard]] mpz_class count_call(const core::Call& s, Span at);
  [[nodiscard]] mpz_class count_loop(const core::While& s, Span at);
  [[nodiscard]] std::optional<mpz_class> iterations(const core::While& s);
  [[nodiscard]] bool starts_from_zero_on(core::VarId counter) const;
  [[nodiscard]] std::optional<mpz_class> largest(core::ExprId id) const;
  [[nodiscard]] std::optional<mpz_class> required(core::VarId param) const;
  [[nodiscard]] std::optional<mpz_class> bounded_by(core::ExprId said, core::VarId param) const;
  [[nodiscard]] std::optional<mpz_class> number(core::ExprId id) const;
  void problem(Span at, std::string text);

  const core::Program& program_;
  const Options& options_;
  Rates rates_;
  Uses uses_;
  SiteCount found_;
  std::vector<core::FunctionId> calls_;  // that are being looked into, the function itself first
  std::map<core::FunctionId, mpz_class> of_function_;
};

}  // namespace leto::reliability

// The front door of `prove`: discharges obligations and says of each whether it
// is proved, refuted, unknown or vacuous. Obligations are independent: they are
// turned into text first and then answered by as many workers as there are; equal
// questions are asked once. What a worker cannot answer is unknown.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/solver.h"
#include "vcgen/vcgen.h"

namespace leto::prove {

enum class Status : std::uint8_t { Proved, Refuted, Unknown, Vacuous };
[[nodiscard]] std::string_view describe(Status status);

struct Outcome {
  Status status = Status::Unknown;
  solver::Reason reason = solver::Reason::None;
  std::string detail;
  std::vector<std::pair<std::string, std::string>> values;  // if refuted
  double seconds = 0;
  std::uint64_t resource = 0;
  bool trivial = false;  // true by construction; no solver was asked
  bool cached = false;
};

struct Options {
  unsigned workers = 2;
  std::string dump;  // a directory to write the questions to; empty: none
};

// Makes the solver of one worker.
using SolverMaker = std::function<std::unique_ptr<solver::Solver>()>;
// `claims` answers obligations; `smoke` only looks for contradictory hypotheses, which
// costs little or is not worth it: give it small limits.
struct Solvers {
  SolverMaker claims, smoke;
};
// Called after each answer, from one thread at a time.
using Progress = std::function<void(std::size_t index, const Outcome& outcome)>;

// Remembers answers between runs. Shared by the workers; safe to call from several threads.
class Cache {
 public:
  virtual ~Cache() = default;
  // True, and the answer, if this very question was answered by this very solver.
  [[nodiscard]] virtual bool find(const std::string& solver, const solver::Query& query,
                                  solver::Answer& answer) = 0;
  virtual void keep(const std::string& solver, const solver::Query& query,
                    const solver::Answer& answer) = 0;
};

[[nodiscard]] std::vector<Outcome> discharge(const std::vector<vcgen::Obligation>& obligations,
                                             logic::TermTable& terms, const Options& options,
                                             const Solvers& solvers, Cache* cache,
                                             const Progress& progress);

}  // namespace leto::prove

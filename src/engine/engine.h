// The front door of `engine`: who answers questions. A crew of workers, each with a solver process
// of its own; and a memory of answers, which may be shared. It knows questions as texts and nothing
// of what they are about.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "solver/solver.h"

namespace leto::engine {

// Stands for the claim in a question.
inline constexpr std::string_view kClaimed = "claimed";

// Makes the solver of one worker.
using SolverMaker = std::function<std::unique_ptr<solver::Solver>()>;

// The workers of a command, each a thread with a solver of its own that is started when first
// needed. Both live as long as the crew: a solver dies with the thread that started it. Without
// workers, whoever has the work does it. A job may have work for the crew in turn: its worker does
// that, and whoever has nothing else to do helps.
class Crew {
 public:
  Crew(unsigned workers, SolverMaker make);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(solvers_.size()); }
  // Calls the job for 0 .. count - 1, in that order as far as there are free workers, and
  // returns when all are done. What a job throws is thrown here; not all are done then.
  void work(std::size_t count, const std::function<void(unsigned worker, std::size_t i)>& job);
  // To be called by the worker of that number only.
  [[nodiscard]] solver::Solver& solver(unsigned worker);

 private:
  // Jobs that were given together.
  struct Batch {
    const std::function<void(unsigned, std::size_t)>& job;
    std::size_t count, next = 0, busy = 0;
    std::exception_ptr problem = nullptr;
    [[nodiscard]] bool is_open() const { return next < count; }
    [[nodiscard]] bool is_done() const { return !is_open() && busy == 0; }
  };
  void live(unsigned worker);
  void do_next(unsigned worker, Batch& batch, std::unique_lock<std::mutex>& lock);
  // What somebody without work can begin with: the larger jobs first. Null: nothing.
  [[nodiscard]] Batch* find_open() const;
  // Which worker calls; nothing: it is none of them.
  [[nodiscard]] std::optional<unsigned> find_caller() const;

  SolverMaker make_;
  std::vector<std::unique_ptr<solver::Solver>> solvers_;
  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::vector<Batch*> batches_;  // what is under way; jobs of a later one are parts of earlier jobs
  bool over_ = false;
  std::vector<std::thread> threads_;
};

// Changed whenever the same program could give another text with the same meaning.
inline constexpr const char* kEncoderVersion = "7";
// The name of a question to a solver: a digest of all that could change its answer, our own
// encoding included.
[[nodiscard]] std::string key_of(const std::string& solver, const solver::Query& query);
// What is not known is not final, except that a brief question was not worth more; and not even
// that if it was the clock or the process that failed.
[[nodiscard]] bool is_worth_keeping(const solver::Query& query, const solver::Answer& answer);

// Remembers answers between runs. Shared by the workers; safe to call from several threads.
class Cache {
 public:
  virtual ~Cache() = default;
  // True, and the answer, if this very question was answered by this very solver.
  [[nodiscard]] virtual bool find(const std::string& solver, const solver::Query& query,
                                  solver::Answer& answer) = 0;
  virtual void keep(const std::string& solver, const solver::Query& query,
                    const solver::Answer& answer) = 0;

  // Records of what was proved, under a name that says all it rests on. Who keeps none has none.
  [[nodiscard]] virtual std::optional<std::string> find_record(const std::string& /*key*/) {
    return std::nullopt;
  }
  virtual void keep_record(const std::string& /*key*/, const std::string& /*record*/) {}
};

}  // namespace leto::engine

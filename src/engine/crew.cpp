#include <utility>

#include "engine/engine.h"

namespace leto::engine {

Crew::Crew(unsigned workers, SolverMaker make)
    : make_(std::move(make)), solvers_(std::max(1u, workers)) {
  threads_.reserve(workers);
  try {
    for (unsigned i = 0; i < workers; ++i) threads_.emplace_back([this, i] { live(i); });
  } catch (const std::exception&) {
    // Fewer do the same work; if there are none, whoever has it does it.
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::work(std::size_t count, const std::function<void(unsigned, std::size_t)>& job) {
  std::unique_lock lock(mutex_);
  job_ = &job;
  next_ = 0;
  count_ = count;
  problem_ = nullptr;
  if (threads_.empty())
    while (next_ < count_) do_next(0, lock);
  wake_.notify_all();
  idle_.wait(lock, [this] { return next_ >= count_ && busy_ == 0; });
  job_ = nullptr;
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
}

void Crew::do_next(unsigned worker, std::unique_lock<std::mutex>& lock) {
  const std::size_t i = next_++;
  ++busy_;
  const auto* job = job_;
  std::exception_ptr problem;
  lock.unlock();
  try {
    (*job)(worker, i);
  } catch (...) {
    problem = std::current_exception();
  }
  lock.lock();
  --busy_;
  if (!problem) return;
  if (!problem_) problem_ = problem;
  next_ = count_;  // the rest would be for nothing
}

solver::Solver& Crew::solver(unsigned worker) {
  if (!solvers_[worker]) solvers_[worker] = make_();
  return *solvers_[worker];
}

void Crew::live(unsigned worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return over_ || (job_ != nullptr && next_ < count_); });
    if (over_) return;
    do_next(worker, lock);
    if (busy_ == 0 && next_ >= count_) idle_.notify_all();
  }
}

}  // namespace leto::engine

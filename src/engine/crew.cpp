#include <algorithm>

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
  const std::optional<unsigned> caller = find_caller();
  Batch batch{job, count};
  batches_.push_back(&batch);
  wake_.notify_all();
  if (caller || threads_.empty())
    while (batch.is_open()) do_next(caller.value_or(0), batch, lock);
  idle_.wait(lock, [&] { return batch.is_done(); });
  batches_.erase(std::find(batches_.begin(), batches_.end(), &batch));
  if (batch.problem) std::rethrow_exception(batch.problem);
}

void Crew::do_next(unsigned worker, Batch& batch, std::unique_lock<std::mutex>& lock) {
  const std::size_t i = batch.next++;
  ++batch.busy;
  std::exception_ptr problem;
  lock.unlock();
  try {
    batch.job(worker, i);
  } catch (...) {
    problem = std::current_exception();
  }
  lock.lock();
  --batch.busy;
  if (problem) {
    if (!batch.problem) batch.problem = problem;
    batch.next = batch.count;  // the rest would be for nothing
  }
  if (batch.is_done()) idle_.notify_all();
}

Crew::Batch* Crew::find_open() const {
  const auto it = std::find_if(batches_.begin(), batches_.end(),
                               [](const Batch* batch) { return batch->is_open(); });
  return it == batches_.end() ? nullptr : *it;
}

std::optional<unsigned> Crew::find_caller() const {
  for (unsigned i = 0; i < threads_.size(); ++i)
    if (threads_[i].get_id() == std::this_thread::get_id()) return i;
  return std::nullopt;
}

solver::Solver& Crew::solver(unsigned worker) {
  if (!solvers_[worker]) solvers_[worker] = make_();
  return *solvers_[worker];
}

void Crew::live(unsigned worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return over_ || find_open() != nullptr; });
    if (over_) return;
    do_next(worker, *find_open(), lock);
  }
}

}  // namespace leto::engine

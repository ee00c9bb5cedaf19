#include "prove/prove.h"

namespace leto::prove {

Crew::Crew(unsigned workers, SolverMaker make)
    : make_(std::move(make)), solvers_(std::max(1u, workers)) {
  for (unsigned i = 0; i < solvers_.size(); ++i) threads_.emplace_back([this, i] { live(i); });
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
  wake_.notify_all();
  idle_.wait(lock, [this] { return next_ >= count_ && busy_ == 0; });
  job_ = nullptr;
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
    const std::size_t i = next_++;
    ++busy_;
    const auto* job = job_;
    lock.unlock();
    (*job)(worker, i);
    lock.lock();
    if (--busy_ == 0 && next_ >= count_) idle_.notify_all();
  }
}

}  // namespace leto::prove

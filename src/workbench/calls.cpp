#include "workbench/calls.h"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

namespace leto::workbench {

namespace {

// How long somebody who wants to cancel may have to wait to be asked.
constexpr std::chrono::milliseconds kPatience{50};

}  // namespace

void UnderWay::cancel() {
  const std::lock_guard lock(mutex_);
  if (allowance_ != nullptr) allowance_->end(Allowance::End::User);
}

void UnderWay::demand_nothing() {
  Allowance nobodys;
  const Registration tried(*this, nobodys);
}

Registration::Registration(UnderWay& under_way, Allowance& allowance) : under_way_(under_way) {
  const std::lock_guard lock(under_way.mutex_);
  if (under_way.allowance_ != nullptr)
    throw std::logic_error("leto: a session is used while another call of it is under way");
  under_way.allowance_ = &allowance;
}

Registration::~Registration() {
  const std::lock_guard lock(under_way_.mutex_);
  under_way_.allowance_ = nullptr;
}

void News::tell(api::Progress progress) {
  {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(progress);
    fresh_ = true;
  }
  wake_.notify_one();
}

void News::finish() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
}

bool News::wait() {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, kPatience, [this] { return fresh_ || done_; });
  fresh_ = false;
  return !done_;
}

api::Progress News::newest() {
  const std::lock_guard lock(mutex_);
  return newest_;
}

Call::Call(UnderWay& under_way, double seconds) : registration_(under_way, allowance_) {
  if (seconds > 0) clock_ = std::thread([this, seconds] { wait_for_end(seconds); });
}

Call::~Call() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  if (clock_.joinable()) clock_.join();
}

void Call::wait_for_end(double seconds) {
  std::unique_lock lock(mutex_);
  if (!wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
    allowance_.end(Allowance::End::Time);
}

void Call::watch(const api::Watcher& watcher, News& news) {
  bool asked = true;  // who has cancelled is not asked again
  do {
    asked = asked && watcher(news.newest());
    if (!asked) allowance_.end(Allowance::End::User);
  } while (news.wait());
}

void Call::work(const api::Watcher& watcher, News& news, const std::function<void()>& job) {
  if (!watcher) return job();
  std::exception_ptr problem;
  std::thread worker([&] {
    try {
      job();
    } catch (...) {
      problem = std::current_exception();
    }
    news.finish();
  });
  try {
    watch(watcher, news);
  } catch (...) {
    allowance_.end(Allowance::End::User);
    worker.join();
    throw;
  }
  worker.join();
  if (problem) std::rethrow_exception(problem);
}

}  // namespace leto::workbench

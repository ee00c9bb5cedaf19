// Calls of the library: each has an allowance of its own, which its time ends, or who cancels it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/base.h"
#include "workbench/leto.h"

namespace leto::workbench {

// What a session is doing, if anything.
class UnderWay {
 public:
  // From any thread.
  void cancel();
  // Throws std::logic_error if a call is under way.
  void demand_nothing();

 private:
  friend class Registration;
  std::mutex mutex_;
  Allowance* allowance_ = nullptr;  // of the call
};

// Of a call, as long as it is under way.
class Registration {
 public:
  // Throws std::logic_error if another one is.
  Registration(UnderWay& under_way, Allowance& allowance);
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  UnderWay& under_way_;
};

// The newest of what is to be told, from the thread that works to the one that waits for it.
class News {
 public:
  void tell(api::Progress progress);
  void finish();
  // False when all is done; true when there is something new, or nobody has said anything for long.
  [[nodiscard]] bool wait();
  [[nodiscard]] api::Progress newest();

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  api::Progress newest_{"the program is read", 0, 0};
  bool fresh_ = false, done_ = false;
};

class Call {
 public:
  // Throws std::logic_error if another one is under way. 0 seconds: without end.
  Call(UnderWay& under_way, double seconds);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  [[nodiscard]] Allowance& allowance() { return allowance_; }
  // Does the work, in another thread if somebody watches: who watches is asked in this one, and in
  // time. What either throws is thrown here.
  void work(const api::Watcher& watcher, News& news, const std::function<void()>& job);

 private:
  void wait_for_end(double seconds);
  void watch(const api::Watcher& watcher, News& news);

  Allowance allowance_;
  const Registration registration_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread clock_;
};

}  // namespace leto::workbench

// Interrupts of the user: whatever takes long looks at the flag.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace leto::driver {

// False until the user interrupts; true from then on.
[[nodiscard]] const std::atomic<bool>& interrupted();
// From now on an interrupt sets the flag instead of ending the program.
void catch_interrupts();

// The time that a command may take. Whatever takes long looks at `over`, which becomes true when
// the time is, or when the user interrupts.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds);  // 0: none
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  [[nodiscard]] const std::atomic<bool>& over() const { return over_; }
  // By the clock, rather than by the user.
  [[nodiscard]] bool late() const { return late_.load(); }

 private:
  void watch(double seconds);

  std::atomic<bool> over_{false}, late_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace leto::driver

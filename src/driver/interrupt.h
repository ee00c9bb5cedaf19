// Who ends a command that takes too much: the clock, the memory, the user.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/base.h"

namespace leto::driver {

// What a command may take.
struct CommandLimits {
  double seconds = 600;             // 0: no limit
  std::uint64_t own_memory_mb = 0;  // for leto itself; 0: half of what the machine has
  bool may_end_process = false;     // if the command does not end by itself
};

// Watches over a command. From when it is made, an interrupt of the user spends the allowance
// instead of ending the program. A command that goes on all the same is ended some seconds later:
// then somebody goes through data without asking.
class Watchdog {
 public:
  explicit Watchdog(const CommandLimits& limits);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  [[nodiscard]] const Allowance& allowance() const { return allowance_; }
  // Why it ended and how to go on, as a sentence without a beginning; empty if it did not.
  [[nodiscard]] std::string why() const;
  // Of one question to a solver: not more than the command has.
  [[nodiscard]] double at_most(double seconds) const {
    return seconds_ > 0 ? std::min(seconds, seconds_) : seconds;
  }

 private:
  void watch();
  void end_it_all() const;

  double seconds_;
  std::uint64_t most_mb_;
  bool may_end_process_;
  Allowance allowance_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace leto::driver

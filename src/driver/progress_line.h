// On a terminal, one line that says what is being proved.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "driver/driver.h"

namespace leto::driver {

// How far it is and for how long; redrawn while a solver thinks.
class ProgressLine {
 public:
  ProgressLine(Streams& streams, bool live);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string text);

 private:
  using Clock = std::chrono::steady_clock;
  void tick();

  Streams& streams_;
  bool live_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string text_;
  Clock::time_point since_;
  bool done_ = false;
  std::thread ticker_;
};

}  // namespace leto::driver

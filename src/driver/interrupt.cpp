#include "driver/interrupt.h"

#include <signal.h>

namespace leto::driver {

namespace {

// The one variable that cannot arrive as an argument: a signal handler takes none.
std::atomic<bool> g_interrupted{false};

void on_interrupt(int) {
  g_interrupted.store(true);
}

}  // namespace

const std::atomic<bool>& interrupted() {
  return g_interrupted;
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
}

TimeLimit::TimeLimit(double seconds) : thread_([this, seconds] { watch(seconds); }) {}

TimeLimit::~TimeLimit() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void TimeLimit::watch(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  while (!done_ && !over_.load()) {
    const bool late =
        seconds > 0 && std::chrono::duration<double>(Clock::now() - start).count() >= seconds;
    if (late) late_.store(true);
    if (late || g_interrupted.load()) over_.store(true);
    wake_.wait_for(lock, std::chrono::milliseconds(20));
  }
}

}  // namespace leto::driver

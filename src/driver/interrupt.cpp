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

}  // namespace leto::driver

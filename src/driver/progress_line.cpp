#include "driver/progress_line.h"

#include <fmt/core.h>

#include <ostream>

#include "report/screen.h"

namespace leto::driver {

ProgressLine::ProgressLine(Streams& streams, bool live) : streams_(streams), live_(live) {
  if (live_) ticker_ = std::thread([this] { tick(); });
}

ProgressLine::~ProgressLine() {
  if (!live_) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  ticker_.join();
  streams_.err << report::erased_line() << std::flush;
}

void ProgressLine::show(std::string text) {
  if (!live_) return;
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  since_ = Clock::now();
}

void ProgressLine::tick() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    if (!text_.empty()) {
      const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
      streams_.err << fmt::format("{}  {}  {:.1f} s", report::erased_line(), text_, seconds)
                   << std::flush;
    }
    wake_.wait_for(lock, std::chrono::milliseconds(100));
  }
}

}  // namespace leto::driver

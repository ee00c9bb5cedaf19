#include "driver/interrupt.h"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "driver/driver.h"
#include "process/process.h"

namespace leto::driver {

namespace {

using Clock = std::chrono::steady_clock;

// Sanitizers take ten times as long for everything.
#ifdef LETO_SANITIZED
constexpr int kSlowness = 10;
#else
constexpr int kSlowness = 1;
#endif

// For what is under way to end by itself. A user who interrupts waits for it.
constexpr std::chrono::milliseconds kGrace{1500}, kGraceOfUser{700};

// The one variable that cannot arrive as an argument: a signal handler takes none.
std::atomic<bool> g_interrupted{false};

void on_interrupt(int) {
  g_interrupted.store(true);
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(signal, &action, nullptr);
}

}  // namespace

Watchdog::Watchdog(const CommandLimits& limits)
    : seconds_(limits.seconds),
      most_mb_(limits.own_memory_mb != 0 ? limits.own_memory_mb : process::memory_of_machine() / 2),
      may_end_process_(limits.may_end_process) {
  catch_interrupts();
  thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Watchdog::watch() {
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  while (!done_ && !allowance_.spent()) {
    const bool late =
        seconds_ > 0 && std::chrono::duration<double>(Clock::now() - start).count() >= seconds_;
    if (g_interrupted.load())
      allowance_.end(Allowance::End::User);
    else if (late)
      allowance_.end(Allowance::End::Time);
    else if (most_mb_ > 0 && process::memory_in_use() > most_mb_)
      allowance_.end(Allowance::End::Memory);
    wake_.wait_for(lock, std::chrono::milliseconds(20));
  }
  const auto grace = allowance_.ended_by() == Allowance::End::User ? kGraceOfUser : kGrace;
  const bool ended = wake_.wait_for(lock, kSlowness * grace, [this] { return done_; });
  if (!ended && may_end_process_) end_it_all();
}

// Nothing is known, and nobody is there who could say so.
void Watchdog::end_it_all() const {
  const std::string message = fmt::format("leto: error: {}\n", why());
  pollfd room{STDERR_FILENO, POLLOUT, 0};  // nobody may be reading
  if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0)
    (void)!write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(ExitCode::Undecided));
}

std::string Watchdog::why() const {
  constexpr const char* kRest = "what was not answered by then is unknown";
  switch (allowance_.ended_by()) {
    case Allowance::End::None:
      return "";
    case Allowance::End::Time:
      return fmt::format("the time is over, {:g} s; {}. --time gives it more", seconds_, kRest);
    case Allowance::End::Memory:
      return fmt::format("it takes more than {} MB; {}. --own-memory gives it more", most_mb_,
                         kRest);
    case Allowance::End::User:
      return fmt::format("interrupted; {}", kRest);
  }
  return "";
}

}  // namespace leto::driver

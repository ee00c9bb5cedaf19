// A child process with its own process group, limits and pipes. It does not
// outlive this object, nor this process.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace leto::solver {

using Clock = std::chrono::steady_clock;

class Process {
 public:
  enum class Status : std::uint8_t { Ok, Late, Ended, Interrupted };

  Process(const std::vector<std::string>& arguments, std::uint64_t memory_mb);
  ~Process() { kill_all(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] bool running() const { return pid_ > 0; }
  // Sends text and reads until a line equal to `end` (which is dropped).
  Status exchange(const std::string& text, const std::string& end, Clock::time_point deadline,
                  const Allowance& allowance, std::string& reply,
                  const std::atomic<bool>* unwanted = nullptr);
  // For those who look after several processes at once: what is queued is sent while somebody
  // waits. Ok: something came; Late: nothing did. Lines are taken without their ends.
  void queue(std::string_view text) { outbox_ += text; }
  void end_input();  // behind what is queued
  [[nodiscard]] Status wait(std::chrono::milliseconds most);
  [[nodiscard]] std::optional<std::string> take_line();
  // Of its own, used so far: neither the clock's nor anybody else's.
  [[nodiscard]] double cpu_seconds() const;
  // Whether it waits for something, as one does that has nothing to compute.
  [[nodiscard]] bool is_asleep() const;
  // Holds it where it is, and lets it go on. A process that was held has lost nothing.
  void hold() const;
  void go_on() const;

  // Ends the whole group and waits for the child. Says how the child had ended, if it had.
  int kill_all();
  // The most memory it had, in megabytes; known once it has ended.
  [[nodiscard]] std::uint64_t peak_mb() const { return peak_mb_; }

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string buffer_;
  std::string outbox_;
  bool ends_input_ = false;
  std::uint64_t peak_mb_ = 0;
  mutable double cpu_seconds_ = 0;
};

}  // namespace leto::solver

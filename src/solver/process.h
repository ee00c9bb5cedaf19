// A child process with its own process group, limits and pipes. It does not
// outlive this object, nor this process.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
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
  // Ends the whole group and waits for the child. Says how the child had ended, if it had.
  int kill_all();
  // The most memory it had, in megabytes; known once it has ended.
  [[nodiscard]] std::uint64_t peak_mb() const { return peak_mb_; }

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string buffer_;
  std::uint64_t peak_mb_ = 0;
};

}  // namespace leto::solver

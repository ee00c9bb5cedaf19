// What the fuzz targets share. What must hold whatever the bytes are is a LETO_ASSERT, which here
// aborts, so that the fuzzer keeps the input.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "base/base.h"

namespace leto::fuzz {

[[nodiscard]] inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Numbers that depend on the bytes alone.
class Dice {
 public:
  explicit Dice(const std::string& bytes);
  [[nodiscard]] std::uint64_t roll(std::uint64_t sides);

 private:
  std::uint64_t state_;
};

// Ends the allowance of an execution that takes longer than most. What the allowance does not end
// is found by the fuzzer's own -timeout.
class Patience {
 public:
  explicit Patience(std::chrono::milliseconds most);
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  // For the next execution.
  [[nodiscard]] const Allowance& renew();

 private:
  void tick();

  const std::chrono::milliseconds most_;
  std::atomic<std::int64_t> until_{0};  // by the steady clock, in milliseconds
  Allowance allowance_;
  std::thread clock_;
};

}  // namespace leto::fuzz

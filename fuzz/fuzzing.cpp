#include "fuzzing.h"

#include <cstdio>
#include <cstdlib>

// Instead of the one in `base`, which exits: the fuzzer keeps the input of a crash.
void leto::assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: %s does not hold\n", file, line, expression);
  std::abort();
}

namespace leto::fuzz {

namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

// FNV-1a, then an LCG of which the upper half is used.
Dice::Dice(const std::string& bytes) : state_(0xcbf29ce484222325u) {
  for (const char c : bytes) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
}

std::uint64_t Dice::roll(std::uint64_t sides) {
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  return (state_ >> 32) % sides;
}

Patience::Patience(std::chrono::milliseconds most) : most_(most), clock_([this] { tick(); }) {
  clock_.detach();
}

const Allowance& Patience::renew() {
  until_ = now() + most_.count();
  allowance_.renew();
  return allowance_;
}

void Patience::tick() {
  while (true) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (now() >= until_) allowance_.end(Allowance::End::Time);
  }
}

}  // namespace leto::fuzz

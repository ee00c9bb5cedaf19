// What a command may take: time, memory and the user's patience, as one object. It goes wherever
// data of the input is gone through, from loading to rendering. Whoever goes through it asks
// whether the allowance is spent, and ends there if it is: what is not known by then is unknown.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace leto {

class Allowance {
 public:
  enum class End : std::uint8_t { None, Time, Memory, User };

  Allowance() = default;
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;

  [[nodiscard]] bool spent() const { return end_.load(std::memory_order_relaxed) != End::None; }
  [[nodiscard]] End ended_by() const { return end_.load(); }
  // The first end counts.
  void end(End why) {
    End none = End::None;
    (void)end_.compare_exchange_strong(none, why);
  }
  // Where there is no half an answer to give.
  void demand(const char* doing) const;
  // For the next piece of work.
  void renew() { end_.store(End::None); }

 private:
  std::atomic<End> end_{End::None};
};

// "the time was over"
[[nodiscard]] std::string_view describe(Allowance::End end);

// Thrown where work on an input stops in the middle: nothing is known of that input.
struct Spent {
  const char* doing;  // "reading", "checking": for the message
};

inline void Allowance::demand(const char* doing) const {
  if (spent()) throw Spent{doing};
}

// For what may be done without one.
[[nodiscard]] inline bool spent(const Allowance* allowance) {
  return allowance != nullptr && allowance->spent();
}
inline void demand(const Allowance* allowance, const char* doing) {
  if (allowance != nullptr) allowance->demand(doing);
}

}  // namespace leto

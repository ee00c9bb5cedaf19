// What happens to the server, in the order in which it happens: the editor says something, work
// goes on, work is done. Whoever hears of it does one thing at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "base/base.h"
#include "lsp/protocol.h"

namespace leto::lsp {

// clang-format off
struct Arrived { json message; bool cancelled = false; };       // of the editor
struct Garbled { ErrorCode code; std::string problem; };        // what it said is no message
struct HungUp {};                                               // nothing more will come
struct WentOn { std::uint64_t job; std::string message; std::optional<int> percentage; };
struct Ended { std::uint64_t job; };
// clang-format on
using Event = std::variant<Arrived, Garbled, HungUp, WentOn, Ended>;

// Safe to use from several threads.
class Events {
 public:
  using Clock = std::chrono::steady_clock;

  // A `$/cancelRequest` of a request that still waits here marks that one, and is gone.
  void push(Event event);
  // Waits; nothing if it is too late.
  [[nodiscard]] std::optional<Event> pop(std::optional<Clock::time_point> until);
  // Ends the allowance as soon as the editor has said something; null: no longer.
  void end_on_arrival(Allowance* allowance);
  // Whether the editor has said something that nobody has heard yet.
  [[nodiscard]] bool has_arrival();

 private:
  [[nodiscard]] bool mark_cancelled(const Event& event);
  [[nodiscard]] bool holds_arrival() const;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Event> events_;
  Allowance* to_end_ = nullptr;
};

// Reads messages until the editor says `exit` or hangs up.
void listen(int from, Events& events);

}  // namespace leto::lsp

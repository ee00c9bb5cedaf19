#include "lsp/events.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "lsp/framing.h"
#include "script/parse.h"

namespace leto::lsp {

namespace {

// What work tells of itself keeps nobody from working.
bool is_arrival(const Event& event) {
  return std::holds_alternative<Arrived>(event) || std::holds_alternative<Garbled>(event) ||
         std::holds_alternative<HungUp>(event);
}

}  // namespace

bool Events::mark_cancelled(const Event& event) {
  const auto* arrived = std::get_if<Arrived>(&event);
  if (arrived == nullptr || member(arrived->message, "method") != "$/cancelRequest") return false;
  const json& id = member(arrived->message, "params/id");
  if (!is_id(id)) return false;
  for (Event& waiting : events_)
    if (auto* request = std::get_if<Arrived>(&waiting);
        request != nullptr && member(request->message, "id") == id &&
        member(request->message, "method").is_string()) {
      request->cancelled = true;
      return true;
    }
  return false;
}

void Events::push(Event event) {
  {
    const std::lock_guard lock(mutex_);
    if (mark_cancelled(event)) return;
    if (to_end_ != nullptr && is_arrival(event)) to_end_->end(Allowance::End::User);
    events_.push_back(std::move(event));
  }
  wake_.notify_one();
}

std::optional<Event> Events::pop(std::optional<Clock::time_point> until) {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return !events_.empty(); };
  if (!until)
    wake_.wait(lock, ready);
  else if (!wake_.wait_until(lock, *until, ready))
    return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void Events::end_on_arrival(Allowance* allowance) {
  const std::lock_guard lock(mutex_);
  to_end_ = allowance;
  if (to_end_ != nullptr && holds_arrival()) to_end_->end(Allowance::End::User);
}

bool Events::holds_arrival() const {
  return std::any_of(events_.begin(), events_.end(), is_arrival);
}

bool Events::has_arrival() {
  const std::lock_guard lock(mutex_);
  return holds_arrival();
}

namespace {

std::size_t read_some(int from, char* into, std::size_t most) {
  while (true) {
    const ssize_t got = ::read(from, into, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

Event event_of(const Frame& frame) {
  if (!frame.problem.empty()) return Garbled{ErrorCode::Parse, frame.problem};
  std::string problem;
  std::optional<json> message = script::parse_json(with_whole_characters(frame.body), problem);
  if (!message) return Garbled{ErrorCode::Parse, "the message is not understood: " + problem};
  if (!message->is_object())
    return Garbled{ErrorCode::InvalidRequest, "a message has to be one object"};
  return Arrived{std::move(*message)};
}

}  // namespace

void listen(int from, Events& events) {
  Frames frames([from](char* into, std::size_t most) { return read_some(from, into, most); });
  bool over = false;
  while (!over) {
    try {
      Frame frame;
      if (!frames.next(frame)) break;
      Event event = event_of(frame);
      const auto* arrived = std::get_if<Arrived>(&event);
      over = arrived != nullptr && member(arrived->message, "method") == "exit";
      events.push(std::move(event));
    } catch (const std::bad_alloc&) {
      events.push(Garbled{ErrorCode::Internal, "there is not enough memory for the message"});
    }
  }
  events.push(HungUp{});
}

}  // namespace leto::lsp

#include "lsp/framing.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace leto::lsp {

namespace {

constexpr std::string_view kLength = "content-length:";

// What stands behind the header's name, wherever that begins: the rest of a message that was not
// understood may stand before it. Nothing if it is another header.
std::string_view said_length(const std::string& line, std::string& lower) {
  lower = line;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::size_t found = lower.rfind(kLength);
  if (found == std::string::npos) return {};
  return std::string_view(lower).substr(found + kLength.size());
}

bool is_header(const std::string& line) {
  const std::size_t colon = line.find(':');
  return colon != std::string::npos &&
         std::all_of(line.data(), line.data() + colon,
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

}  // namespace

bool Frames::fill() {
  buffer_.resize(std::size_t{1} << 16);
  at_ = 0;
  buffer_.resize(read_(buffer_.data(), buffer_.size()));
  return !buffer_.empty();
}

// Without its end. Of a line that is too long only the end counts.
bool Frames::read_line(std::string& line) {
  line.clear();
  while (true) {
    if (at_ == buffer_.size() && !fill()) return false;
    const std::size_t end = buffer_.find('\n', at_);
    line.append(buffer_, at_, std::min(end, buffer_.size()) - at_);
    at_ = end == std::string::npos ? buffer_.size() : end + 1;
    if (line.size() > kLongestLine) line.erase(0, line.size() - kLongestLine / 2);
    if (end == std::string::npos) continue;
    if (line.ends_with('\r')) line.pop_back();
    return true;
  }
}

bool Frames::read_head(Head& head) {
  std::string line, lower;
  while (true) {
    if (!read_line(line)) return false;
    if (line.empty()) return true;
    std::string_view digits = said_length(line, lower);
    head.stray = head.stray || !is_header(line);
    if (digits.empty()) continue;
    while (digits.starts_with(' ')) digits.remove_prefix(1);
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    head.known = !digits.empty() && std::all_of(digits.begin(), digits.end(), [](unsigned char c) {
      return std::isdigit(c) != 0;
    });
    head.too_long = digits.size() > 18;
    if (head.known && !head.too_long) head.length = std::stoull(std::string(digits));
  }
}

bool Frames::skip(std::size_t length) {
  while (length > 0) {
    if (at_ == buffer_.size() && !fill()) return false;
    const std::size_t part = std::min(length, buffer_.size() - at_);
    at_ += part;
    length -= part;
  }
  return true;
}

bool Frames::next(Frame& frame) {
  frame = {};
  if (!head_ && !read_head(head_.emplace())) return false;
  if (head_->stray && head_->known && !head_->too_long) {
    head_->stray = false;
    frame.problem = "there is something between two messages that is none";
    return true;
  }
  const Head head = *std::exchange(head_, std::nullopt);
  if (!head.known || head.too_long) {
    frame.problem = head.too_long ? "the length of the message is no length"
                                  : "there is no header that says how long the message is";
    return true;
  }
  if (head.length > kMostBytes) {
    frame.problem = "the message is too long";
    return skip(head.length);
  }
  while (frame.body.size() < head.length) {
    if (at_ == buffer_.size() && !fill()) return false;
    const std::size_t part = std::min(head.length - frame.body.size(), buffer_.size() - at_);
    frame.body.append(buffer_, at_, part);
    at_ += part;
  }
  return true;
}

std::string framed(std::string_view body) {
  std::string out = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  out += body;
  return out;
}

}  // namespace leto::lsp

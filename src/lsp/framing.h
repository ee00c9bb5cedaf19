// Messages as they are cut out of a stream of bytes: headers, an empty line, so many bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace leto::lsp {

struct Frame {
  std::string body;
  std::string problem = {};  // why there is no body; empty: there is
};

// What stands before a message.
struct Head {
  bool known = false, too_long = false;
  bool stray = false;  // something stands before it that is no header
  std::size_t length = 0;
};

// After a mistake it looks for the next header that says a length, so that a client that said
// nonsense once is understood again.
class Frames {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  static constexpr std::size_t kLongestLine = 4096;

  // Reads some bytes, at least one; none: there are no more.
  using Read = std::function<std::size_t(char* into, std::size_t most)>;
  explicit Frames(Read read) : read_(std::move(read)) {}

  // False at the end. A message that is cut off is none.
  [[nodiscard]] bool next(Frame& frame);

 private:
  [[nodiscard]] bool fill();
  [[nodiscard]] bool read_line(std::string& line);
  [[nodiscard]] bool read_head(Head& head);
  [[nodiscard]] bool skip(std::size_t length);

  Read read_;
  std::string buffer_;
  std::size_t at_ = 0;        // in the buffer
  std::optional<Head> head_;  // of the next message, if it has been read
};

[[nodiscard]] std::string framed(std::string_view body);

}  // namespace leto::lsp

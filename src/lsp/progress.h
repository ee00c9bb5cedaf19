// Work that the editor shows while it goes on.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lsp/protocol.h"

namespace leto::lsp {

class Progress {
 public:
  using Send = std::function<void(json message)>;
  // Asks the editor for something; `then` is called with its answer.
  using Ask =
      std::function<void(std::string method, json params, std::function<void(const json&)> then)>;
  Progress(Send send, Ask ask) : send_(std::move(send)), ask_(std::move(ask)) {}

  // With a token of the editor's, or with one that it is asked to take. What happens before it has
  // taken it is told then; if it does not take it, nothing is told.
  void begin(const json& token, const std::string& title, bool is_known);
  void report(const json& token, const std::string& message, std::optional<int> percentage);
  void end(const json& token, const std::string& message);

 private:
  struct Shown {
    json token;
    std::string title;
    bool taken = false, ended = false;
    std::string last = {};  // what it ended with
  };
  void tell(const json& token, json value) const;
  void show(Shown& shown);

  Send send_;
  Ask ask_;
  std::map<std::string, Shown> all_;  // by the token's text
};

}  // namespace leto::lsp

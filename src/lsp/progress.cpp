#include "lsp/progress.h"

#include "script/parse.h"

namespace leto::lsp {

void Progress::tell(const json& token, json value) const {
  send_(notification("$/progress", {{"token", token}, {"value", std::move(value)}}));
}

void Progress::show(Shown& shown) {
  shown.taken = true;
  tell(shown.token, {{"kind", "begin"}, {"title", shown.title}, {"cancellable", true}});
}

void Progress::begin(const json& token, const std::string& title, bool is_known) {
  const std::string key = script::to_line(token);
  Shown& shown = all_[key] = {token, title};
  if (is_known) {
    show(shown);
    return;
  }
  ask_("window/workDoneProgress/create", {{"token", token}}, [this, key](const json& answered) {
    const auto it = all_.find(key);
    if (it == all_.end()) return;
    const bool refused = !member(answered, "error").is_null();
    if (!refused) show(it->second);
    if (!refused && it->second.ended)
      tell(it->second.token, {{"kind", "end"}, {"message", it->second.last}});
    if (refused || it->second.ended) all_.erase(it);
  });
}

void Progress::report(const json& token, const std::string& message,
                      std::optional<int> percentage) {
  const auto it = all_.find(script::to_line(token));
  if (it == all_.end() || !it->second.taken) return;
  json value = {{"kind", "report"}, {"cancellable", true}, {"message", message}};
  if (percentage) value["percentage"] = *percentage;
  tell(token, std::move(value));
}

void Progress::end(const json& token, const std::string& message) {
  const auto it = all_.find(script::to_line(token));
  if (it == all_.end()) return;
  if (!it->second.taken) {
    it->second.ended = true;
    it->second.last = message;
    return;
  }
  tell(token, {{"kind", "end"}, {"message", message}});
  all_.erase(it);
}

}  // namespace leto::lsp

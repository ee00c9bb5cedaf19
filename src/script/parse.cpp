#include "script/parse.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace leto::script {

using nlohmann::json;

namespace {

// Builds the value while it is read. A number with a fraction, or one that no machine word holds,
// stays the text that it is: what is computed with it is exact. A name that comes twice is refused,
// since two readers would believe different ones.
class Builder final : public nlohmann::json_sax<json> {
 public:
  json root;
  std::string problem;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t, const string_t& text) override { return put(text); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return refuse("it is not JSON"); }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.back()->contains(name)) return refuse("'" + name + "' comes twice");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return refuse("it is not JSON");
  }

 private:
  static constexpr std::size_t kDeepest = 32;

  bool refuse(std::string why) {
    if (problem.empty()) problem = std::move(why);
    return false;
  }
  json& place(json value) {
    if (open_.empty()) return root = std::move(value);
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return open_.back()->back();
    }
    return (*open_.back())[key_] = std::move(value);
  }
  bool put(json value) {
    place(std::move(value));
    return true;
  }
  bool open(json value) {
    if (open_.size() >= kDeepest) return refuse("it is nested too deeply");
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<json*>
      open_;  // from the outermost; nothing is added to one while an inner one is open
  std::string key_;
};

}  // namespace

std::optional<json> parse_json(std::string_view text, std::string& problem) {
  Builder builder;
  if (json::sax_parse(text, &builder)) return std::move(builder.root);
  problem = builder.problem.empty() ? "it is not JSON" : builder.problem;
  return std::nullopt;
}

std::string to_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace leto::script

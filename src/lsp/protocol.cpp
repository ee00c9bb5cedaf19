#include "lsp/protocol.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace leto::lsp {

namespace {

const json& no_value() {
  static const json kNull;
  return kNull;
}

[[noreturn]] void refuse_member(std::string_view path, std::string_view what) {
  throw RequestError{ErrorCode::InvalidParams, fmt::format("'{}' has to be {}", path, what)};
}

std::uint32_t count_member(const json& value, std::string_view path) {
  const json& found = member(value, path);
  if (!found.is_number_integer()) refuse_member(path, "a number");
  if (found.is_number_unsigned())
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(
        found.get<std::uint64_t>(), std::numeric_limits<std::int32_t>::max()));
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(
      found.get<std::int64_t>(), 0, std::numeric_limits<std::int32_t>::max()));
}

// What `\uXXXX` stands for, if that is what is there; nothing that is half a character otherwise.
unsigned escaped_unit(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return 0;
  unsigned unit = 0;
  const char* end = text.data() + at + 6;
  return std::from_chars(text.data() + at + 2, end, unit, 16).ptr == end ? unit : 0;
}

}  // namespace

std::string with_whole_characters(std::string text) {
  const auto is_first = [](unsigned unit) { return unit >= 0xd800u && unit < 0xdc00u; };
  const auto is_second = [](unsigned unit) { return unit >= 0xdc00u && unit < 0xe000u; };
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
    const unsigned unit = escaped_unit(text, at);
    if (is_first(unit) && is_second(escaped_unit(text, at + 6))) {
      at += 12;
      continue;
    }
    if (is_first(unit) || is_second(unit)) text.replace(at + 2, 4, "fffd");
    at += 2;  // what is escaped may be a backslash
  }
  return text;
}

json answer(const json& id, json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json refusal(const json& id, ErrorCode code, const std::string& message) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", static_cast<int>(code)}, {"message", message}}}};
}

json notification(std::string_view method, json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

bool is_id(const json& value) {
  return value.is_number_integer() || value.is_string();
}

const json& member(const json& value, std::string_view path) {
  const json* at = &value;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    if (!at->is_object()) return no_value();
    const auto found = at->find(std::string(name));
    if (found == at->end()) return no_value();
    at = &*found;
  }
  return *at;
}

bool flag(const json& value, std::string_view path, bool otherwise) {
  const json& found = member(value, path);
  return found.is_boolean() ? found.get<bool>() : otherwise;
}

std::string text_member(const json& value, std::string_view path) {
  const json& found = member(value, path);
  if (!found.is_string()) refuse_member(path, "a string");
  return found.get<std::string>();
}

Point point_member(const json& value, std::string_view path) {
  const json& found = member(value, path);
  if (!found.is_object()) refuse_member(path, "a position");
  return {count_member(found, "line"), count_member(found, "character")};
}

Range range_member(const json& value, std::string_view path) {
  const json& found = member(value, path);
  if (!found.is_object()) refuse_member(path, "a range");
  return {point_member(found, "start"), point_member(found, "end")};
}

json to_json(Point point) {
  return {{"line", point.line}, {"character", point.character}};
}

json to_json(Range range) {
  return {{"start", to_json(range.start)}, {"end", to_json(range.end)}};
}

}  // namespace leto::lsp

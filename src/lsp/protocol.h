// JSON-RPC and what the protocol says of values: errors, answers, and members of messages, none of
// which need be there or be what it should.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/text_index.h"

namespace leto::lsp {

using nlohmann::json;

enum class ErrorCode : int {
  Parse = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  Internal = -32603,
  NotInitialized = -32002,
  Cancelled = -32800,
  Failed = -32803,
};

// Thrown where a request cannot be answered.
struct RequestError {
  ErrorCode code;
  std::string message;
};

[[nodiscard]] json answer(const json& id, json result);
[[nodiscard]] json refusal(const json& id, ErrorCode code, const std::string& message);
[[nodiscard]] json notification(std::string_view method, json params);

// A JSON text in which half a character, written as an escape, is U+FFFD: editors do send it.
[[nodiscard]] std::string with_whole_characters(std::string text);

// What a message may be known by: a number or a string.
[[nodiscard]] bool is_id(const json& value);

// The member at a path such as "textDocument/uri"; null if there is none.
[[nodiscard]] const json& member(const json& value, std::string_view path);
[[nodiscard]] bool flag(const json& value, std::string_view path, bool otherwise = false);
// These throw RequestError if it is not there, or is something else.
[[nodiscard]] std::string text_member(const json& value, std::string_view path);
[[nodiscard]] Point point_member(const json& value, std::string_view path);
[[nodiscard]] Range range_member(const json& value, std::string_view path);

[[nodiscard]] json to_json(Point point);
[[nodiscard]] json to_json(Range range);

}  // namespace leto::lsp

#include "lsp/uri.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "report/escape.h"

namespace leto::lsp {

namespace fs = std::filesystem;

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return std::nullopt;
  return out;
}

bool is_scheme(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
         });
}

}  // namespace

std::optional<std::string> path_of(const std::string& uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string::npos || !is_scheme(std::string_view(uri).substr(0, colon)))
    return std::nullopt;
  std::string scheme = uri.substr(0, colon);
  for (char& c : scheme) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (scheme != "file") return percent_decoded(uri) ? std::optional(uri) : std::nullopt;
  std::string_view rest = std::string_view(uri).substr(colon + 1);
  rest = rest.substr(0, rest.find_first_of("?#"));
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::string_view host = rest.substr(0, rest.find('/'));
    if (!host.empty() && host != "localhost") return std::nullopt;
    rest.remove_prefix(host.size());
  }
  const std::optional<std::string> path = percent_decoded(rest);
  if (!path || !path->starts_with('/')) return std::nullopt;
  return fs::path(*path).lexically_normal().string();
}

std::string uri_of(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return "file://" + report::uri_of(error ? path : whole.lexically_normal().string());
}

}  // namespace leto::lsp

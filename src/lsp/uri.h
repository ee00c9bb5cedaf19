// Names of documents: what the editor calls by a URI, the workspace calls by a path.
#pragma once

#include <optional>
#include <string>

namespace leto::lsp {

// The path of a `file:` URI, decoded; of another scheme, such as `untitled:`, the URI itself, which
// is no path of a file. Nothing if it is no URI, or of a file of another machine.
[[nodiscard]] std::optional<std::string> path_of(const std::string& uri);
[[nodiscard]] std::string uri_of(const std::string& path);

}  // namespace leto::lsp

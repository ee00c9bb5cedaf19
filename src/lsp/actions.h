// Edits as the editor takes them.
#pragma once

#include <functional>

#include "lsp/told.h"

namespace leto::lsp {

// The version of an open document; null: it is not open.
using VersionOf = std::function<json(const std::string& uri)>;

[[nodiscard]] json workspace_edit(const std::vector<FileEdit>& edits, const Client& client,
                                  const VersionOf& version);

// Those of the fixes that concern a range of the document; one that mends several things is one.
[[nodiscard]] json code_actions(const std::vector<Fix>& fixes, Range range, const Client& client,
                                const VersionOf& version);

}  // namespace leto::lsp

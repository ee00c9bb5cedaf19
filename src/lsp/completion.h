// What may be written at a place. It goes by tokens, for a text that is being written does not
// parse.
#pragma once

#include "lsp/analysis.h"

namespace leto::lsp {

// `trigger` is the character that the editor asks because of; empty: the user asked.
[[nodiscard]] json completions(Analysis& analysis, std::uint32_t offset,
                               const std::string& trigger);

}  // namespace leto::lsp

// The parts of a document, for a list of them.
#pragma once

#include "lsp/analysis.h"

namespace leto::lsp {

// As a tree, or, for editors that cannot show one, as a list.
[[nodiscard]] json outline(const Analysis& analysis, bool nested);

}  // namespace leto::lsp

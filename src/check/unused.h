// Which definitions and lemmas of imported files are used.
#pragma once

#include "check/session.h"

namespace leto::check {

void find_unused(Session& session);

// The item that something stands in, by its place in the file.
[[nodiscard]] std::uint32_t item_around(const syntax::Tree& tree, Span span);

}  // namespace leto::check

// How much memory there is, and how much of it is ours.
#pragma once

#include <cstdint>

namespace leto::lsp {

// In megabytes; 0 if nobody says.
[[nodiscard]] std::uint64_t memory_of_process();
[[nodiscard]] std::uint64_t memory_of_machine();

}  // namespace leto::lsp

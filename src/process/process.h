// The front door of `process`: what an executable of ours does to its process before it starts, and
// what it can say about it and about the machine.
#pragma once

#include <cstdint>
#include <string>

namespace leto::process {

// For `main`, before anything is opened or computed: no file takes the place of a standard stream
// that is closed, and a number that there is no memory for is a std::bad_alloc.
void prepare();

// The directory that the executable lies in; empty if nobody says.
[[nodiscard]] std::string own_directory();

// In megabytes; 0 if nobody says.
[[nodiscard]] std::uint64_t memory_in_use();
[[nodiscard]] std::uint64_t memory_of_machine();

}  // namespace leto::process

// What solvers print, read. Nothing here talks to anybody: a text goes in, and what it says comes
// out. What is not understood is never a verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/solver.h"

namespace leto::solver {

// The parts of a list: "(a b)" gives "a" and "b"; nothing if it is not one.
[[nodiscard]] std::optional<std::vector<std::string>> parts_of(std::string_view text);

// Takes the resource count off the end of a reply; the text before it is the answer. 0: none there.
[[nodiscard]] std::uint64_t take_resource(std::string& reply);

void drop_line_ends(std::string& reply);  // after its last line

// A whole reply to a question, without line ends after it.
enum class Said : std::uint8_t { Unsat, Sat, Unknown, SomethingElse };
[[nodiscard]] Said verdict_in(std::string_view reply);
// Why there is no verdict: of something else, and of what is said about an unknown.
[[nodiscard]] Reason reason_of_something_else(std::string_view reply);
[[nodiscard]] Reason reason_of_unknown(std::string_view reply, bool resource_is_used_up);

// Which of the assumptions were taken, of which there was one.
void read_assumptions(std::string_view reply, const std::string& claimed, Answer& answer);
// One per term asked for, empty if it could not be read; or none at all.
[[nodiscard]] std::vector<std::string> values_in(std::string_view reply, std::size_t asked);

}  // namespace leto::solver

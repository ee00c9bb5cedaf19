// What a claim that is not proved rests on, as far as that shows in the program.
#pragma once

#include <optional>

#include "prove/claims.h"

namespace leto::report {

// The last loop, from the one at `last` backwards, that computes something that the claim speaks
// of: its invariants are what is known of that. Nothing: none does.
[[nodiscard]] std::optional<Span> find_loop_behind(const core::Program& program,
                                                   const prove::Claim& claim, const Span& last);

// What no solver decides in general, if the claim speaks of it.
enum class Nonlinear : std::uint8_t { Nothing, Product, Quotient };
[[nodiscard]] Nonlinear find_nonlinear(const core::Program& program, const prove::Claim& claim);

}  // namespace leto::report

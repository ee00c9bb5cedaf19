// A run that breaks a claim, found by a solver: loops unrolled, vectors short; growing bounds, few
// faults and small numbers first. What it finds was executed.
#pragma once

#include <atomic>
#include <optional>

#include "explain/explain.h"
#include "prove/prove.h"

namespace leto::diagnose {

// For the claim of an obligation of the subject, with as many iterations, elements and nested calls
// as `most`, and with a few anyway. Gives up after some seconds, or if told to.
[[nodiscard]] std::optional<explain::Plan> unrolled(const explain::Subject& subject,
                                                    const explain::Target& target,
                                                    const vcgen::Obligation& obligation,
                                                    prove::Engine& engine, unsigned most,
                                                    const Allowance* allowance = nullptr);

}  // namespace leto::diagnose

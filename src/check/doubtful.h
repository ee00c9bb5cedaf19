// What specifications say that they hardly mean. Vectors are zero outside of their bounds, and so
// are quotients by zero: both have a meaning, but a reader expects another one.
#pragma once

#include "check/check.h"

namespace leto::check {

// Warns of elements that are certainly outside of a vector, and, once, of a divisor that may be
// zero.
void warn_of_doubtful(const std::vector<const syntax::Tree*>& trees, const NameTable& names,
                      DiagnosticSink& sink);

}  // namespace leto::check

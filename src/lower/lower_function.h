// Functions: statements, and the order in which things happen inside expressions.
#pragma once

#include "lower/context.h"

namespace leto::lower {

void lower_function(Context& context, check::SymbolId function);

}  // namespace leto::lower

// How large specifications are once properties are written out: a property is a macro, and so are
// its arguments, so a few lines can stand for more than any machine can hold.
#pragma once

#include "check/session.h"

namespace leto::check {

// Reports the use of a property by which the program's specifications become too large.
void check_expansion(Session& session);

}  // namespace leto::check

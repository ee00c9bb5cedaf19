// Models: members, operators, and the head of a refinement. Whether a
// refinement holds is a matter of proof; whether it makes sense is decided here.
#pragma once

#include "check/session.h"

namespace leto::check {

// All models of all trees, super-models before those that refine them.
void check_models(Session& session);

}  // namespace leto::check

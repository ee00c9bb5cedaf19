// Definitions: types, measures, and the order in which they use one another.
#pragma once

#include "check/session.h"

namespace leto::check {

// Lists them in Checked, each behind those that it uses.
void check_definitions(Session& session);

}  // namespace leto::check

// Which definitions and lemmas of imported files are used.
#pragma once

#include "check/session.h"

namespace leto::check {

void find_unused(Session& session);

}  // namespace leto::check

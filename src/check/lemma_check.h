// Lemmas and pure functions: nothing is proved by way of itself, but for what is smaller.
#pragma once

#include "check/function_check.h"

namespace leto::check {

void check_lemmas(Session& session, const std::vector<FunctionFacts>& functions);

}  // namespace leto::check

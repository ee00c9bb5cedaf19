// Names, types and legality of systems and of models of messages.
#pragma once

#include "check/session.h"
#include "check/system.h"

namespace leto::check {

// Whether a model is of messages: it, or a model that it refines, says something of nodes.
[[nodiscard]] bool is_of_messages(const Session& session, ModelId model);
// Each of them by itself, for nodes of whatever kinds.
void check_message_models(Session& session);
// The systems of all trees, each under the model that was picked.
void check_systems(Session& session);

}  // namespace leto::check

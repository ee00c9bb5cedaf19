// Models that stand over others: what the layers may share, and that an upper layer keeps what the
// one below it gives.
#pragma once

#include "check/session.h"

namespace leto::check {

// Whether the model may stand over the other; else that was said.
[[nodiscard]] bool may_stand_over(Session& session, ModelId upper, ModelId lower,
                                  const syntax::Ident& written);
// What to say of a name that belongs to a layer below the model; empty: none there has it.
[[nodiscard]] std::string_view of_layer_below(const Session& session, ModelId model, Name name);
// Of a model whose members are known: finds what programs can reach of it.
void check_layers(Session& session, ModelId id);

}  // namespace leto::check

// MCMT, the text in which transition systems are exchanged, in both of its dialects: `state.x`,
// `next.x`, `input.i`; or `x`, `x'`. What can be read in two ways is refused.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "transition/system.h"

namespace leto::transition {

// The files are read as one, in order. Queries behind different assumptions are claims of different
// systems: an assumption holds for those behind it. Nothing is to be done with what comes back if
// there was an error.
[[nodiscard]] std::vector<System> read_mcmt(const SourceStore& sources,
                                            const std::vector<FileId>& files, DiagnosticSink& sink);

}  // namespace leto::transition

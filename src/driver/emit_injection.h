// `leto emit --inject`: the C++ of a native campaign, to keep.
#pragma once

#include <string>

#include "driver/commands.h"
#include "emit/native.h"

namespace leto::driver {

[[nodiscard]] ExitCode write_injection(const core::Program& program, core::FunctionId function,
                                       const std::string& directory, DiagnosticSink& sink,
                                       Streams& streams);

}  // namespace leto::driver

// `leto protocol FILE.leto`: the systems of a file under one model of messages after the other.
#pragma once

#include <string>
#include <vector>

#include "driver/commands.h"
#include "driver/programs.h"
#include "transition/transition.h"

namespace leto::driver {

// What became of a certificate that was to be checked: says it of `what`.
[[nodiscard]] ExitCode tell_checked(const transition::Checked& checked, const std::string& what,
                                    const Streams& streams);

struct SystemsRequest {
  std::string file;
  std::vector<std::string> models;  // empty: what the file says; "none": messages are exact
  workspace::Places places;
  std::string claim;               // only this one; empty: all
  std::string certificate, check;  // where to write that of the claim; one to check
  transition::Means means;
  bool allow_blocking = false;
  bool deadlocks = false;
  Format format = Format::Text;
  Colour colour = Colour::Auto;
};
[[nodiscard]] ExitCode decide_systems(const SystemsRequest& request, const Watchdog& watchdog,
                                      Streams& streams);

}  // namespace leto::driver

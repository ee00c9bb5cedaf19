// Systems as MCMT text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "transition/mcmt.h"

namespace leto::transition::test {

[[nodiscard]] inline std::vector<System> systems_of(const std::string& text) {
  SourceStore sources;
  const FileId file = sources.add("test.mcmt", text);
  DiagnosticList diagnostics;
  std::vector<System> out = read_mcmt(sources, {file}, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << d.message() << " in " << text;
  return out;
}

[[nodiscard]] inline System system_of(const std::string& variables, const std::string& initial,
                                      const std::string& steps, const std::string& rest) {
  std::vector<System> all =
      systems_of("(define-state-type s " + variables + ")(define-transition-system T s " + initial +
                 " " + steps + ")" + rest);
  return all.empty() ? System{} : all[0];
}

}  // namespace leto::transition::test

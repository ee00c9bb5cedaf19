// What the outside sees of an emitted function.
#pragma once

#include "emit/writer.h"

namespace leto::emit {

// A parameter as the caller passes it.
struct Passed {
  core::VarId var;
  std::string name;
  core::Type type;
  Role role = Role::Input;
};

struct Interface {
  std::vector<Passed> inputs;   // ghosts are not among them
  std::vector<Passed> results;  // vectors are written to spans, numbers are returned
};
[[nodiscard]] Interface interface_of(const Shared& shared);

// The function that compares sizes, looks for overlaps, evaluates `requires` and runs the rest; and
// around it the one that people call.
[[nodiscard]] std::string interface_text(Shared& shared, const Interface& interface);
[[nodiscard]] std::string c_header_text(const Shared& shared, const Interface& interface);
[[nodiscard]] std::string c_source_text(const Shared& shared, const Interface& interface);

}  // namespace leto::emit

// Programs for fuzzing what is behind the front end. Bytes changed at random hardly ever give a
// program that parses; here its expressions, statements and tokens are changed, and what does not
// check is mostly tried again.
#pragma once

#include <optional>
#include <string>

#include "check/check.h"
#include "fuzzing.h"
#include "syntax/syntax.h"

namespace leto::fuzz {

// A text, parsed and, if it parses, checked under its last model.
struct FrontEnd {
  explicit FrontEnd(const std::string& text);
  FrontEnd(const FrontEnd&) = delete;
  FrontEnd& operator=(const FrontEnd&) = delete;
  [[nodiscard]] bool fine() const { return checked && diagnostics.errors() == 0; }
  [[nodiscard]] std::string text() const { return std::string(sources[tree.file].text()); }

  SourceStore sources;
  NameTable names;
  DiagnosticList diagnostics;
  syntax::Tree tree;
  std::optional<check::Checked> checked;
};

// The program, which is fine, with something changed, perhaps by a part of another program.
[[nodiscard]] std::string changed(const FrontEnd& program, const FrontEnd& other, Dice& dice);
// Changed until it checks; empty if that takes too long.
[[nodiscard]] std::string changed_well(const std::string& text, const std::string& other,
                                       Dice& dice);

}  // namespace leto::fuzz

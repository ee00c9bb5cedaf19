// Where names stand, and which of them mean the same thing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"

namespace leto::lsp {

// What a name means. Most things are symbols of `check`; some are known to nobody else.
struct Entity {
  enum class Kind : std::uint8_t {
    Symbol,
    Checker,
    OperatorLabel,
    Region,
    File,
    Problem,
    Right,  // what a problem calls right: P.right
  } kind;
  std::string name;
  std::optional<Span> declared = {};
  check::SymbolId symbol = {};                       // of a Symbol
  const syntax::OperatorMember* labelled = nullptr;  // of an OperatorLabel
  const syntax::ProblemItem* problem = nullptr;      // of a Problem, and of what it calls right
};

struct Occurrence {
  Span span;
  std::uint32_t entity = 0;
  std::optional<syntax::Side> side = {};
};

struct Occurrences {
  std::vector<Entity> entities;
  std::vector<Occurrence> all;  // by file and place

  // The one that a place lies in or right behind; null if there is none.
  [[nodiscard]] const Occurrence* at(FileId file, std::uint32_t offset) const;
  [[nodiscard]] const Entity& entity(const Occurrence& o) const { return entities[o.entity]; }
};

[[nodiscard]] Occurrences collect_occurrences(const check::Checked& checked, const NameTable& names,
                                              const SourceStore& sources);

}  // namespace leto::lsp

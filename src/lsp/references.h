// Everywhere that a name stands, in all documents that are open and in all that they import.
#pragma once

#include <string>
#include <vector>

#include "lsp/analysis.h"

namespace leto::lsp {

struct Site {
  std::string path, uri;
  Range range;
  std::uint32_t begin = 0, end = 0;  // in bytes
  bool declares = false;
};

// What is meant at a place of the document; null if nothing is.
[[nodiscard]] const Entity* entity_at(Analysis& analysis, std::uint32_t offset);

// By path and place, each once. `others` are the analyses of all open documents.
[[nodiscard]] std::vector<Site> sites_of(Analysis& analysis, const Entity& entity,
                                         const std::vector<Analysis*>& others);

// Where it is declared: a list of locations.
[[nodiscard]] json definition_of(Analysis& analysis, const Entity& entity);

}  // namespace leto::lsp

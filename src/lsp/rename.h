// Another name for the same thing. That it still is the same, and nothing else is, is not believed
// but looked at: the documents are checked as they would be.
#pragma once

#include <string>
#include <vector>

#include "lsp/analysis.h"
#include "lsp/references.h"
#include "lsp/told.h"

namespace leto::lsp {

struct RenameContext {
  std::vector<Analysis*> open;       // of all documents
  std::vector<std::string> library;  // folders that nothing is renamed in
  workspace::FileSystem& files;      // as they are
};

// What is renamed at a place. Throws RequestError, with the reason, if it cannot be.
struct Renameable {
  Range range;
  std::string name;
  std::vector<Site> sites;
};
[[nodiscard]] Renameable renameable_at(Analysis& analysis, std::uint32_t offset,
                                       const RenameContext& context);

// Likewise if the new name is none, or means something there already.
[[nodiscard]] std::vector<FileEdit> rename_to(const Renameable& what, const std::string& name,
                                              const RenameContext& context);

}  // namespace leto::lsp

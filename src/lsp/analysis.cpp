#include "lsp/analysis.h"

#include <algorithm>
#include <filesystem>

#include "lsp/open_texts.h"

namespace leto::lsp {

using namespace syntax;

std::string wanted_model(const workspace::Program& program, const std::string& model) {
  if (program.own == nullptr || program.default_model) return {};
  const bool runs =
      std::any_of(program.own->items.begin(), program.own->items.end(), [](const Item& item) {
        return std::holds_alternative<FunctionItem>(item.node) ||
               std::holds_alternative<PropertyItem>(item.node);
      });
  return runs ? model : std::string();
}

Analysis::Analysis(workspace::FileSystem& files, const AnalysisInput& input)
    : input_(input),
      workspace_(files, input_.places, &allowance_),
      locator_(workspace_.sources(), input_.open) {}

void Analysis::run() {
  program_ = workspace_.load(input_.path, diagnostics_);
  workspace::PickedModel picked;
  if (program_.own != nullptr)
    picked = workspace_.pick_model(program_, wanted_model(program_, input_.model), diagnostics_);
  checked_ = check::check(program_.trees, workspace_.options(picked, true), workspace_.names(),
                          diagnostics_);
  diagnostics_.sort_and_unique();
  for (const Tree* tree : program_.trees) places_.insert(place_of(sources()[tree->file].path()));
}

const check::Facts& Analysis::own_facts() const {
  const auto it = std::find(checked_->trees.begin(), checked_->trees.end(), program_.own);
  LETO_ASSERT(it != checked_->trees.end());
  return checked_->facts[static_cast<std::size_t>(it - checked_->trees.begin())];
}

Span Analysis::responsible_for(FileId other) const {
  const std::string name = std::filesystem::path(sources()[other].path()).filename().string();
  Span fallback{program_.own->file, 0, 0};
  if (program_.default_model) fallback = program_.default_model->span;
  for (const Item& item : program_.own->items)
    if (const auto* import = std::get_if<ImportItem>(&item.node)) {
      if (std::filesystem::path(import->path).filename() == name) return import->path_span;
      if (!program_.default_model && fallback.end == 0) fallback = import->path_span;
    }
  return fallback;
}

const Occurrences& Analysis::occurrences() {
  if (!occurrences_) occurrences_ = collect_occurrences(*checked_, names(), sources());
  return *occurrences_;
}

}  // namespace leto::lsp

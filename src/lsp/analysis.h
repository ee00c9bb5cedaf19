// A document as it is at one moment, parsed and checked with all that it imports.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "lsp/locator.h"
#include "lsp/occurrences.h"
#include "workspace/documents.h"

namespace leto::lsp {

struct AnalysisInput {
  std::string path;
  std::string model;  // where the program names none; empty: none
  workspace::Places places;
  OpenUris open;
};

class Analysis {
 public:
  // The files must live as long.
  Analysis(workspace::FileSystem& files, const AnalysisInput& input);
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  // Throws Spent if the allowance is: then nothing is known.
  void run();
  [[nodiscard]] Allowance& allowance() { return allowance_; }
  [[nodiscard]] const Allowance& allowance() const { return allowance_; }

  [[nodiscard]] const AnalysisInput& input() const { return input_; }
  // Null if the document could not be read.
  [[nodiscard]] const syntax::Tree* own() const { return program_.own; }
  [[nodiscard]] const check::Checked& checked() const { return *checked_; }
  [[nodiscard]] const check::Facts& own_facts() const;
  [[nodiscard]] const DiagnosticList& diagnostics() const { return diagnostics_; }
  [[nodiscard]] const workspace::Program& program() const { return program_; }
  // Where the program says which model it is under, or else what it imports; to point at trouble
  // that lies in another file.
  [[nodiscard]] Span responsible_for(FileId other) const;
  // By whatever path it is imported: places are as `place_of` has them.
  [[nodiscard]] bool reads(const std::string& place) const { return places_.contains(place); }
  [[nodiscard]] workspace::Workspace& workspace() { return workspace_; }
  [[nodiscard]] const NameTable& names() const { return workspace_.names(); }
  [[nodiscard]] const SourceStore& sources() const { return workspace_.sources(); }
  [[nodiscard]] const Locator& locator() const { return locator_; }
  // Made when it is first asked for.
  [[nodiscard]] const Occurrences& occurrences();

 private:
  AnalysisInput input_;
  Allowance allowance_;
  workspace::Workspace workspace_;
  Locator locator_;
  workspace::Program program_;
  DiagnosticList diagnostics_;
  std::optional<check::Checked> checked_;
  std::optional<Occurrences> occurrences_;
  std::set<std::string> places_;  // of all that was read
};

// The model that a program is looked at under: its own, or the one that the user wants. Files of
// models alone are under none.
[[nodiscard]] std::string wanted_model(const workspace::Program& program, const std::string& model);

}  // namespace leto::lsp

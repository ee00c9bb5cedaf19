#include "workbench/footing.h"

#include "engine/digest.h"

namespace leto::workbench {

Footing footing_of(const check::Checked& checked, const workspace::Workspace& workspace,
                   const Proving& proving) {
  Footing footing;
  if (checked.model.valid()) {
    const check::Model& model = checked.models[checked.model];
    const SourceFile& file = workspace.sources()[model.syntax->name.span.file];
    footing.model = {std::string(workspace.names().text(model.name)), file.path(),
                     engine::digest(std::string(file.text()))};
  }
  for (const syntax::Tree* tree : checked.trees) {
    if (tree->derived) continue;
    const SourceFile& file = workspace.sources()[tree->file];
    if (!checked.model.valid() ||
        tree->file != checked.models[checked.model].syntax->name.span.file)
      footing.others.push_back({"", file.path(), engine::digest(std::string(file.text()))});
  }
  for (const engine::SolverBinary& solver : proving.solvers)
    footing.solvers.push_back({solver.command.arguments[0], solver.path, solver.hash.get()});
  if (proving.cache) footing.cache = proving.cache->directory();
  return footing;
}

}  // namespace leto::workbench

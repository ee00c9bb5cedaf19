#include "ready.h"

#include "lower/lower.h"

namespace leto::soundness {

std::unique_ptr<Ready> prepare(const std::string& text, const std::string& model,
                               std::string* problem) {
  auto ready = std::make_unique<Ready>();
  DiagnosticList diagnostics;
  ready->loaded = ready->workspace.load_text("random.leto", text, diagnostics);
  const workspace::PickedModel picked =
      ready->workspace.pick_model(ready->loaded, model, diagnostics);
  ready->checked = check::check(ready->loaded.trees, {picked.name, picked.bad},
                                ready->workspace.names(), diagnostics);
  if (diagnostics.errors() > 0) {
    if (problem != nullptr)
      for (const Diagnostic& d : diagnostics.all()) *problem += d.message() + "\n";
    return nullptr;
  }
  ready->program =
      std::make_unique<core::Program>(lower::lower(ready->checked, ready->workspace.names()));
  return ready;
}

}  // namespace leto::soundness

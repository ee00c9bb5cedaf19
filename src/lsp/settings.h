// What the user wants of the server: from the editor's settings, below `leto`.
#pragma once

#include <string>
#include <vector>

#include "lsp/protocol.h"
#include "workspace/workspace.h"

namespace leto::lsp {

struct Settings {
  bool verify_on_save = false;
  std::string model;                    // for programs that name none
  std::vector<std::string> model_path;  // where models are looked for, before the library
  std::vector<std::string> imports;     // what may be imported besides
  double seconds = 600;                 // for one verification; 0: no limit
  unsigned jobs = 0;                    // solvers at once; 0: one per core
  friend bool operator==(const Settings&, const Settings&) = default;

  // Takes over what is said and makes sense; the rest stays.
  void take(const json& said);
};

// The folders of the library of models: beside the executable in a build tree, below the prefix
// when installed.
[[nodiscard]] std::vector<std::string> library_of(const std::string& executable_dir);

// Where models are looked for: as the settings say, in LETO_MODEL_PATH, in the library.
[[nodiscard]] workspace::Places places_of(const Settings& settings,
                                          const std::vector<std::string>& library);

}  // namespace leto::lsp

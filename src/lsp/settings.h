// What the user wants of the server: from the editor's settings, below `leto`.
#pragma once

#include <string>
#include <vector>

#include "lsp/protocol.h"

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

}  // namespace leto::lsp

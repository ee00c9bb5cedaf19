// The front door of `lsp`: the language server. It speaks JSON-RPC over two file descriptors with
// an editor, holds the editor's documents, and says what is wrong with them as they change. What
// it says is always about a text that the editor still has: a result that comes late is dropped.
#pragma once

#include <string>

namespace leto::lsp {

struct Setup {
  int in = 0, out = 1;
  std::string executable_dir;  // the library of models lies beside it
};

// Serves until the editor says `exit` or hangs up. What the process is to exit with: 0 if it was
// shut down first, else 1.
[[nodiscard]] int serve(const Setup& setup);

}  // namespace leto::lsp

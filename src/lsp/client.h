// What the editor can do, as it said when it began.
#pragma once

#include "lsp/protocol.h"

namespace leto::lsp {

struct Client {
  bool related_information = false;  // diagnostics may point elsewhere too
  bool document_changes = false;     // edits may say which version they are for
  bool progress = false;             // work can be shown while it goes on
  bool configuration = false;        // settings can be asked for
  bool prepares_rename = false;
  bool markdown = false;
  bool nested_symbols = false;
  bool literal_actions = false;  // code actions may be edits, and not only commands

  [[nodiscard]] static Client of(const json& capabilities);
};

}  // namespace leto::lsp

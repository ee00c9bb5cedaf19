#include "report/artifact.h"

#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "workbench/footing.h"

namespace leto::report {

bool has_file(const std::string& path) {
  return path != workspace::kStandardInputShown;
}

nlohmann::json artifact_of(const std::string& path) {
  if (has_file(path)) return {{"uri", uri_of(path)}};
  return {{"description", {{"text", "the standard input"}}}};
}

}  // namespace leto::report

#include "report/footing.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "report/escape.h"

namespace leto::report {

using nlohmann::json;
using workbench::Footing;

namespace {

// Enough to tell two files apart by eye; JSON has all of it.
std::string shown(const Footing::File& file) {
  constexpr std::size_t kDigits = 12;
  const std::string hash =
      file.hash.empty() ? "unreadable" : "sha256 " + file.hash.substr(0, kDigits);
  const std::string path = name_on_line(file.path);
  return file.name.empty() ? fmt::format("{} ({})", path, hash)
                           : fmt::format("{} ({}, {})", file.name, path, hash);
}

json machine(const Footing::File& file) {
  json out = {{"path", file.path}, {"sha256", file.hash.empty() ? json(nullptr) : json(file.hash)}};
  if (!file.name.empty()) out["name"] = file.name;
  return out;
}

}  // namespace

std::string to_text(const Footing& footing, Original original) {
  std::string out = "  rests on ";
  out += footing.model ? "the model " + shown(*footing.model) : "exact hardware";
  for (const auto* list : {&footing.others, &footing.solvers})
    for (const Footing::File& file : *list) out += ",\n    " + shown(file);
  out += footing.cache.empty() ? ", without a cache" : ", with the cache in " + footing.cache;
  switch (original) {
    case Original::Proved:
      return out + "; the original run is proved too\n";
    case Original::Open:
      return out + "; the original run is not proved\n";
    case Original::Trusted:
      return out + "; the original run is trusted\n";
    case Original::SaidElsewhere:
      return out + "\n";
  }
  return out;
}

json to_json(const Footing& footing, Original original) {
  json solvers = json::array(), files = json::array();
  for (const Footing::File& file : footing.others) files.push_back(machine(file));
  for (const Footing::File& solver : footing.solvers) solvers.push_back(machine(solver));
  json out = {{"model", footing.model ? machine(*footing.model) : json(nullptr)},
              {"files", std::move(files)},
              {"solvers", std::move(solvers)},
              {"cache", footing.cache.empty() ? json(nullptr) : json(footing.cache)}};
  if (original != Original::SaidElsewhere)
    out["original"] = original == Original::Trusted  ? "trusted"
                      : original == Original::Proved ? "proved"
                                                     : "open";
  return out;
}

}  // namespace leto::report

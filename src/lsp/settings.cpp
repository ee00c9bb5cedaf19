#include "lsp/settings.h"

#include <algorithm>

#include "workspace/places.h"

namespace leto::lsp {

namespace {

// One text, with colons between paths, or a list of them.
void take_paths(const json& said, std::vector<std::string>& into) {
  if (said.is_string()) into = workspace::split_paths(said.get_ref<const std::string&>());
  if (!said.is_array()) return;
  into.clear();
  for (const json& one : said)
    if (one.is_string() && !one.get_ref<const std::string&>().empty())
      into.push_back(one.get<std::string>());
}

}  // namespace

void Settings::take(const json& said) {
  verify_on_save = flag(said, "verifyOnSave", verify_on_save);
  if (const json& name = member(said, "model"); name.is_string()) model = name.get<std::string>();
  take_paths(member(said, "modelPath"), model_path);
  take_paths(member(said, "allowImport"), imports);
  if (const json& limit = member(said, "seconds"); limit.is_number_unsigned())
    seconds = std::min(1e6, static_cast<double>(limit.get<std::uint64_t>()));
  if (const json& many = member(said, "jobs"); many.is_number_unsigned())
    jobs = static_cast<unsigned>(std::min<std::uint64_t>(many.get<std::uint64_t>(), 256));
}

}  // namespace leto::lsp

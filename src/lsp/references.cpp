#include "lsp/references.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace leto::lsp {

namespace {

const std::string& path_in(const Analysis& analysis, Span span) {
  return analysis.sources()[span.file].path();
}

// Whether two analyses, which have files of their own, mean the same.
bool same_entity(const Analysis& a, const Entity& one, const Analysis& b, const Entity& other) {
  if (&a == &b) return &one == &other;
  return one.kind == other.kind && one.name == other.name && one.declared && other.declared &&
         one.declared->begin == other.declared->begin &&
         path_in(a, *one.declared) == path_in(b, *other.declared);
}

void add_sites(Analysis& in, std::size_t entity, std::vector<Site>& sites) {
  const Occurrences& occurrences = in.occurrences();
  for (const Occurrence& o : occurrences.all) {
    if (o.entity != entity) continue;
    sites.push_back({path_in(in, o.span), in.locator().uri(o.span.file), in.locator().range(o.span),
                     o.span.begin, o.span.end,
                     occurrences.entities[entity].declared == std::optional(o.span)});
  }
}

bool ends_in(const std::string& path, const std::string& tail) {
  return path == tail || path.ends_with("/" + tail);
}

}  // namespace

const Entity* entity_at(Analysis& analysis, std::uint32_t offset) {
  if (analysis.own() == nullptr) return nullptr;
  const Occurrence* o = analysis.occurrences().at(analysis.own()->file, offset);
  return o == nullptr ? nullptr : &analysis.occurrences().entity(*o);
}

std::vector<Site> sites_of(Analysis& analysis, const Entity& entity,
                           const std::vector<Analysis*>& others) {
  std::vector<Analysis*> all = others;
  if (std::find(all.begin(), all.end(), &analysis) == all.end()) all.push_back(&analysis);
  std::vector<Site> sites;
  for (Analysis* other : all) {
    if (other->own() == nullptr) continue;
    const std::vector<Entity>& entities = other->occurrences().entities;
    for (std::size_t i = 0; i < entities.size(); ++i)
      if (same_entity(analysis, entity, *other, entities[i])) add_sites(*other, i, sites);
  }
  const auto key = [](const Site& s) { return std::tie(s.path, s.begin, s.end); };
  std::sort(sites.begin(), sites.end(),
            [&](const Site& a, const Site& b) { return key(a) < key(b); });
  sites.erase(std::unique(sites.begin(), sites.end(),
                          [&](const Site& a, const Site& b) { return key(a) == key(b); }),
              sites.end());
  return sites;
}

json definition_of(Analysis& analysis, const Entity& entity) {
  json found = json::array();
  if (entity.declared) found.push_back(analysis.locator().location(*entity.declared));
  if (entity.kind == Entity::Kind::File) {
    const std::string tail = std::filesystem::path(entity.name).lexically_normal().string();
    for (const syntax::Tree* tree : analysis.program().trees)
      if (found.empty() && tree != analysis.own() &&
          ends_in(analysis.sources()[tree->file].path(), tail))
        found.push_back(analysis.locator().location({tree->file, 0, 0}));
  }
  // A region is what the operators of the picked model say of it.
  if (entity.kind == Entity::Kind::Region && analysis.checked().model.valid())
    for (check::ModelId layer : check::layers_of(analysis.checked(), analysis.checked().model))
      for (const check::ModelOperator& op : analysis.checked().models[layer].operators)
        if (const auto& region = op.syntax->attributes.region;
            region && analysis.names().text(region->name) == entity.name)
          found.push_back(analysis.locator().location(region->span));
  return found;
}

}  // namespace leto::lsp

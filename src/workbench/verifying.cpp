#include "workbench/verifying.h"

#include <algorithm>

#include "lower/lower.h"

namespace leto::workbench {

const diagnose::Explanation* Verified::explanation(const prove::Claim& claim) const {
  const auto index = static_cast<std::size_t>(&claim - claims.data());
  return index < explanations.size() ? explanations[index].get() : nullptr;
}

Verified verify(const check::Checked& checked, const NameTable& names,
                const prove::VerifySettings& settings, engine::Crew& crew, engine::Cache* cache,
                const prove::Watch& watch) {
  return {prove::verify(lower::lower(checked, names, settings.trap), settings, crew, cache, watch),
          ""};
}

Verified verify_refinement(const check::Checked& checked, const NameTable& names,
                           check::ModelId super, const prove::VerifySettings& settings,
                           engine::Crew& crew, engine::Cache* cache, const prove::Watch& watch) {
  return {prove::verify_refinement(lower::lower_refinement(checked, names, super),
                                   lower::lower(checked, names), settings, crew, cache, watch),
          ""};
}

void explain(Verified& v, const diagnose::Settings& settings, prove::Engine& engine) {
  v.explanations = diagnose::explain_claims(v, settings, engine);
}

void keep_executed(Verified& v) {
  for (prove::Claim& claim : v.claims) {
    const diagnose::Explanation* e = v.explanation(claim);
    const bool executed = e != nullptr && e->cause == diagnose::Cause::Real;
    const bool by_itself = core::is_about_model(claim.id.kind) ||
                           core::group_of(claim.id.kind) == core::ClaimGroup::Definition;
    if (claim.status == prove::Status::Refuted && !executed && !by_itself)
      claim.status = prove::Status::Unknown;
  }
}

namespace {

// Whether the sub-model settles something that its super-model leaves open.
bool narrows(const check::Model& sub, const check::Model& super) {
  const auto settled = [](const std::vector<check::ModelVariable>& list) {
    std::size_t count = 0;
    for (const check::ModelVariable& v : list) count += v.init.valid() ? 1 : 0;
    return count;
  };
  const auto known = [](const std::vector<check::ModelRigid>& list) {
    return std::count_if(list.begin(), list.end(),
                         [](const check::ModelRigid& f) { return f.value.params != nullptr; });
  };
  return sub.constraints.size() > super.constraints.size() ||
         known(sub.rigids) > known(super.rigids) ||
         sub.invariants.size() > super.invariants.size() ||
         settled(sub.constants) > settled(super.constants) ||
         settled(sub.states) > settled(super.states);
}

}  // namespace

bool may_be_vacuous_below(const core::Program& program, const check::Checked& checked,
                          check::ModelId super) {
  const std::vector<check::ModelId> mine = check::layers_of(checked, checked.model);
  const std::vector<check::ModelId> theirs = check::layers_of(checked, super);
  LETO_ASSERT(mine.size() == theirs.size());  // else the one does not refine the other
  bool any = false;
  for (std::size_t i = 0; i < mine.size(); ++i)
    any = any || narrows(checked.models[mine[i]], checked.models[theirs[i]]);
  return any && prove::takes_model_for_granted(program);
}

Subject subject_of(const check::Checked& checked, check::ModelId model) {
  Subject subject;
  for (const syntax::Tree* tree : checked.trees)
    if (std::any_of(tree->items.begin(), tree->items.end(), [](const syntax::Item& item) {
          return !std::holds_alternative<syntax::ModelItem>(item.node) &&
                 !std::holds_alternative<syntax::ImportItem>(item.node) &&
                 !std::holds_alternative<syntax::UseModelItem>(item.node);
        }))
      subject.program.push_back(tree);
  if (!model.valid()) return subject;
  std::vector<check::ModelId> all{model};
  for (std::size_t i = 0; i < all.size(); ++i) {
    subject.models.push_back(checked.models[all[i]].syntax);
    std::vector<check::ModelId> others = checked.models[all[i]].supers;
    if (checked.models[all[i]].over.valid()) others.push_back(checked.models[all[i]].over);
    for (check::ModelId other : others)
      if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
  }
  return subject;
}

}  // namespace leto::workbench

#include "core/claim.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace leto::core {

namespace {

constexpr std::array kTexts{
#define LETO_CLAIM(kind, group, claimed, fails, todo) ClaimTexts{claimed, fails, todo},
#include "core/claims.def"
#undef LETO_CLAIM
};

constexpr std::array kGroups{
#define LETO_CLAIM(kind, group, claimed, fails, todo) ClaimGroup::group,
#include "core/claims.def"
#undef LETO_CLAIM
};

// `{}` is the first name, `{2}` the third.
std::string filled(std::string_view pattern, const std::vector<std::string>& about) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{') {
      out += pattern[i];
      continue;
    }
    const bool numbered = pattern[i + 1] != '}';
    const auto which = numbered ? static_cast<std::size_t>(pattern[i + 1] - '0') : 0;
    out += which < about.size() ? about[which] : "";
    i += numbered ? 2 : 1;
  }
  return out;
}

// Of a check it is said behind a comma, of what the user wrote without.
std::string in_original(const ClaimId& id) {
  if (id.side != Side::Original) return "";
  const ClaimGroup group = group_of(id.kind);
  return group == ClaimGroup::Check || group == ClaimGroup::Within ? ", in the original run"
                                                                   : " in the original run";
}

auto key_of(const ClaimId& id) {
  return std::tie(id.kind, id.function, id.at.file.value, id.at.begin, id.at.end, id.side,
                  id.about);
}

}  // namespace

bool operator<(const ClaimId& a, const ClaimId& b) {
  return key_of(a) < key_of(b);
}

const ClaimTexts& texts_of(ClaimKind kind) {
  return kTexts[static_cast<std::size_t>(kind)];
}

ClaimId of_one_run(ClaimId id) {
  id.side = Side::Relaxed;
  return id;
}

std::string claimed(const ClaimId& id) {
  return filled(texts_of(id.kind).claimed, id.about) + in_original(id);
}

std::string failing(const ClaimId& id) {
  return filled(texts_of(id.kind).fails, id.about) + in_original(id);
}

ClaimGroup group_of(ClaimKind kind) {
  return kGroups[static_cast<std::size_t>(kind)];
}

std::string_view name(ClaimGroup group) {
  switch (group) {
    case ClaimGroup::Assertion:
      return "assert";
    case ClaimGroup::Relation:
      return "assert_r";
    case ClaimGroup::Check:
      return "check";
    case ClaimGroup::Step:
      return "enabled";
    case ClaimGroup::InvariantEntry:
      return "invariant-entry";
    case ClaimGroup::InvariantKept:
      return "invariant-kept";
    case ClaimGroup::Measure:
      return "decreases";
    case ClaimGroup::InferredEntry:
      return "inferred-entry";
    case ClaimGroup::InferredKept:
      return "inferred-kept";
    case ClaimGroup::Requires:
      return "requires";
    case ClaimGroup::Ensures:
      return "ensures";
    case ClaimGroup::Total:
      return "total";
    case ClaimGroup::Definition:
      return "definition";
    case ClaimGroup::Natural:
      return "natural";
    case ClaimGroup::Functions:
      return "functions";
    case ClaimGroup::ModelInvariant:
      return "model-invariant";
    case ClaimGroup::Refinement:
      return "refinement";
    case ClaimGroup::Recursion:
      return "recursion";
    case ClaimGroup::Within:
      return "within";
    case ClaimGroup::Consistent:
      return "consistent";
    case ClaimGroup::Extent:
      return "extent";
  }
  LETO_ASSERT(false);
}

bool is_inferred(ClaimKind kind) {
  return kind == ClaimKind::InferredEntry || kind == ClaimKind::InferredKept ||
         kind == ClaimKind::InferredExit;
}

bool ends_run(ClaimKind kind) {
  switch (group_of(kind)) {
    case ClaimGroup::Assertion:
    case ClaimGroup::Check:
    case ClaimGroup::Step:
      return true;
    case ClaimGroup::Relation:
    case ClaimGroup::InvariantEntry:
    case ClaimGroup::InvariantKept:
    case ClaimGroup::Measure:
    case ClaimGroup::InferredEntry:
    case ClaimGroup::InferredKept:
    case ClaimGroup::Requires:
    case ClaimGroup::Ensures:
    case ClaimGroup::Total:
    case ClaimGroup::Definition:
    case ClaimGroup::Natural:
    case ClaimGroup::Functions:
    case ClaimGroup::ModelInvariant:
    case ClaimGroup::Refinement:
    case ClaimGroup::Recursion:
    case ClaimGroup::Within:
    case ClaimGroup::Consistent:
    case ClaimGroup::Extent:
      return false;
  }
  LETO_ASSERT(false);
}

bool is_about_ending(ClaimKind kind) {
  const ClaimGroup group = group_of(kind);
  return group == ClaimGroup::Measure || group == ClaimGroup::Recursion;
}

bool is_about_lemma(ClaimKind kind) {
  return kind == ClaimKind::LemmaRequires || kind == ClaimKind::LemmaArgument ||
         kind == ClaimKind::LemmaFalls || kind == ClaimKind::LemmaTaken;
}

bool is_about_model(ClaimKind kind) {
  switch (group_of(kind)) {
    case ClaimGroup::Total:
    case ClaimGroup::Natural:
    case ClaimGroup::Functions:
      return true;
    case ClaimGroup::ModelInvariant:
      return kind != ClaimKind::ModelInvariantAssigned;
    case ClaimGroup::Assertion:
    case ClaimGroup::Relation:
    case ClaimGroup::Check:
    case ClaimGroup::Step:
    case ClaimGroup::InvariantEntry:
    case ClaimGroup::InvariantKept:
    case ClaimGroup::Measure:
    case ClaimGroup::InferredEntry:
    case ClaimGroup::InferredKept:
    case ClaimGroup::Requires:
    case ClaimGroup::Ensures:
    case ClaimGroup::Definition:
    case ClaimGroup::Refinement:
    case ClaimGroup::Recursion:
    case ClaimGroup::Within:
    case ClaimGroup::Consistent:
    case ClaimGroup::Extent:
      return false;
  }
  LETO_ASSERT(false);
}

}  // namespace leto::core

// Claims have names. What is claimed, of what, and where is said once, where the claim is made; all
// that is found out about it later goes by that name, never by a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace leto::core {

enum class ClaimKind : std::uint8_t {
#define LETO_CLAIM(kind, group, claimed, fails, todo) kind,
#include "core/claims.def"
#undef LETO_CLAIM
};

// Kinds that are treated alike.
enum class ClaimGroup : std::uint8_t {
  Assertion,
  Relation,
  Check,
  Step,
  InvariantEntry,
  InvariantKept,
  Measure,
  InferredEntry,
  InferredKept,
  Requires,
  Ensures,
  Total,
  Definition,
  Natural,
  Functions,
  ModelInvariant,
  Refinement,
  Recursion,
  Within,
  Consistent,
  Extent,
};
[[nodiscard]] ClaimGroup group_of(ClaimKind kind);
// Whether what stands against it shows nothing: it says that there is something, and only some of
// that was tried.
[[nodiscard]] constexpr bool is_existential(ClaimKind kind) {
  return kind == ClaimKind::FunctionsMet;
}
// Stable, for machines: never changed, only added to.
[[nodiscard]] std::string_view name(ClaimGroup group);
[[nodiscard]] inline std::string_view name(ClaimKind kind) {
  return name(group_of(kind));
}

// A whole claim, in one program.
struct ClaimId {
  ClaimKind kind;
  std::string function;  // whose it is; or "model NAME", or "constants"
  Span at;
  Side side = Side::Relaxed;            // Original: it is about the original run alone
  std::vector<std::string> about = {};  // the names in it: of a callee, of specifications
  friend bool operator==(const ClaimId&, const ClaimId&) = default;
};
// By kind, owner, place and the rest; for maps.
[[nodiscard]] bool operator<(const ClaimId& a, const ClaimId& b);

// What there is to say about a kind; see claims.def.
struct ClaimTexts {
  std::string_view claimed, fails, todo;
};
[[nodiscard]] const ClaimTexts& texts_of(ClaimKind kind);

// The same where there is one run only, so that nobody need say which.
[[nodiscard]] ClaimId of_one_run(ClaimId id);
// "the index is within bounds, in the original run"
[[nodiscard]] std::string claimed(const ClaimId& id);
// "the index may be out of bounds, in the original run"
[[nodiscard]] std::string failing(const ClaimId& id);

// Whether it is about facts that nobody wrote.
[[nodiscard]] bool is_inferred(ClaimKind kind);
// Whether a run that breaks it ends there.
[[nodiscard]] bool ends_run(ClaimKind kind);
// Whether it is about whether a run comes back. Where it may not, nothing is known behind it: what
// is claimed there is claimed of runs that do come.
[[nodiscard]] bool is_about_ending(ClaimKind kind);
// Whether it is about what a lemma is called with: where it does not hold, no run fails.
[[nodiscard]] bool is_about_lemma(ClaimKind kind);
// Whether it is about the model by itself: all that is proved of programs rests on it.
[[nodiscard]] bool is_about_model(ClaimKind kind);

}  // namespace leto::core

// What is done to terms without recursion: they may be as deep as the input is long.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logic/term.h"

namespace leto::transition {

// Goes through a term, arguments before what is made of them, each distinct term once: `visit` must
// see to it that `is_done` says so afterwards.
template <class IsDone, class Visit>
void visit_once(const logic::TermTable& table, logic::Term root, IsDone is_done, Visit visit) {
  std::vector<std::pair<logic::Term, std::size_t>> to_do{{root, 0}};
  while (!to_do.empty()) {
    auto& [term, next] = to_do.back();
    if (next == 0 && is_done(term)) {
      to_do.pop_back();
      continue;
    }
    if (next < table[term].args.size()) {
      const logic::Term arg = table[term].args[next++];
      if (!is_done(arg)) to_do.emplace_back(arg, 0);
      continue;
    }
    const logic::Term whole = term;
    to_do.pop_back();
    if (!is_done(whole)) visit(whole);
  }
}

// The same operation of other arguments, of the same sorts.
[[nodiscard]] logic::Term rebuild(logic::TermTable& table, logic::Term term,
                                  const std::vector<logic::Term>& args);

// Whether a system may have a term of this kind; says nothing of its arguments.
[[nodiscard]] bool is_allowed(const logic::TermTable& table, logic::Term term);

inline constexpr std::uint32_t kWidest = 4096;  // of bit-vectors

// Sort of a bit-vector operator of such arguments; nothing if there is no such one.
// The head is written as in SMT-LIB, with its numbers: "bvadd", "(_ extract 3 0)".
[[nodiscard]] std::optional<logic::Sort> bit_vector_result(const std::string& head,
                                                           const std::vector<logic::Sort>& args);

}  // namespace leto::transition

#include "vcgen/log.h"

#include <algorithm>
#include <unordered_set>

namespace leto::vcgen {

using logic::Term;

// Jumps get longer where two of the same length follow one another, as the digits of a number
// carry; so any entry before is reached in a logarithmic number of steps.
std::uint32_t Log::add(Term fact, std::uint32_t before) {
  const auto depth_of = [&](std::uint32_t entry) {
    return entry == 0 ? 0 : entries_[entry - 1].depth;
  };
  const auto jump_of = [&](std::uint32_t entry) {
    return entry == 0 ? 0 : entries_[entry - 1].jump;
  };
  const std::uint32_t next = jump_of(before);
  const bool carries =
      depth_of(before) - depth_of(next) == depth_of(next) - depth_of(jump_of(next));
  entries_.push_back({fact, before, carries ? jump_of(next) : before, depth_of(before) + 1});
  return static_cast<std::uint32_t>(entries_.size());
}

// Numbers grow along every way.
bool Log::leads_to(std::uint32_t earlier, std::uint32_t later) const {
  while (later > earlier) {
    const Entry& entry = entries_[later - 1];
    later = entry.jump >= earlier ? entry.jump : entry.before;
  }
  return later == earlier;
}

std::vector<Term> Log::facts(std::uint32_t last) const {
  std::vector<Term> all;
  for (std::uint32_t entry = last; entry != 0; entry = entries_[entry - 1].before)
    all.push_back(entries_[entry - 1].fact);
  std::reverse(all.begin(), all.end());
  return all;
}

Known Log::everything(const logic::TermTable& terms, std::uint32_t last, Term goal) const {
  Known known;
  std::unordered_set<Term> have, seen;
  const auto keep = [&](std::vector<Term>& into, Term fact) {
    if (have.insert(fact).second) into.push_back(fact);
  };
  for (Term fact : constants) keep(known.facts, fact);
  for (Term fact : facts(last)) keep(known.facts, fact);
  // Symbols, and those in what is true of them.
  std::vector<Term> work = known.facts;
  work.push_back(goal);
  std::vector<Term> symbols;
  const auto search = [&] {
    while (!work.empty()) {
      const Term term = work.back();
      work.pop_back();
      if (!seen.insert(term).second) continue;
      const logic::Node& node = terms[term];
      if (node.kind == logic::Kind::Symbol) symbols.push_back(term);
      work.insert(work.end(), node.args.begin(), node.args.end());
    }
  };
  search();
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Term symbol = symbols[i];
    // A history is an array too, but no vector: whoever chooses vectors does not choose it.
    const bool array = shapes.contains(symbol);
    for (const auto* facts_of : {&typing, &outside})
      if (const auto it = facts_of->find(symbol); it != facts_of->end())
        for (Term fact : it->second) {
          keep(array ? known.array_facts : known.facts, fact);
          work.push_back(fact);
        }
    if (const auto it = shapes.find(symbol); it != shapes.end()) known.arrays.push_back(it->second);
    search();
  }
  return known;
}

}  // namespace leto::vcgen

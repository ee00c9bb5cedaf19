#include "vcgen/facts.h"

#include <algorithm>

namespace leto::vcgen {

const std::vector<Term>& Symbols::of(Term term) {
  if (const auto it = known_.find(term); it != known_.end()) return it->second;
  std::vector<Term> found;
  const logic::Node& node = terms_[term];
  if (node.kind == logic::Kind::Symbol) found.push_back(term);
  for (Term arg : node.args) {
    const std::vector<Term>& inner = of(arg);
    found.insert(found.end(), inner.begin(), inner.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return known_[term] = std::move(found);
}

bool Symbols::compares_arrays(Term term) {
  if (const auto it = comparing_.find(term); it != comparing_.end()) return it->second;
  const logic::Node& node = terms_[term];
  bool any = node.kind == logic::Kind::Eq && terms_.sort(node.args[0]).rank > 0;
  // A function of an array can tell arrays apart.
  for (Term arg : node.args)
    any = any || (node.kind == logic::Kind::Call && terms_.sort(arg).rank > 0) ||
          compares_arrays(arg);
  return comparing_[term] = any;
}

void Facts::add(Term fact, Origin origin) {
  if (!known_.insert(fact).second) return;
  Filed filed;
  for (Term symbol : symbols_.of(fact))
    if (!log_.hubs.contains(symbol)) filed.symbols.push_back(symbol);
  const std::size_t index = facts_.size();
  if (filed.symbols.empty()) {
    of_hubs_.push_back(index);
    if (origin == Origin::Assumed) assumed_of_hubs_.push_back(index);
  } else {
    filed.newest = first_of(filed.symbols.back());  // symbols are numbered as they are made
    by_newest_[filed.newest].push_back(index);
    for (Term symbol : filed.symbols) by_symbol_[symbol].push_back(index);
  }
  entries_.push_back(log_.add(fact, last()));
  facts_.push_back(fact);
  filed_.push_back(std::move(filed));
}

void Facts::belong_together(const std::vector<Term>& symbols) {
  for (Term symbol : symbols) first_[symbol] = symbols[0];
}

Term Facts::first_of(Term symbol) const {
  const auto it = first_.find(symbol);
  return it == first_.end() ? symbol : it->second;
}

void Facts::truncate(std::size_t size) {
  while (facts_.size() > size) {
    const Filed& last = filed_.back();
    if (last.symbols.empty()) of_hubs_.pop_back();
    if (!assumed_of_hubs_.empty() && assumed_of_hubs_.back() + 1 == facts_.size())
      assumed_of_hubs_.pop_back();
    known_.erase(facts_.back());
    if (!last.symbols.empty()) by_newest_[last.newest].pop_back();
    for (Term symbol : last.symbols) by_symbol_[symbol].pop_back();
    facts_.pop_back();
    entries_.pop_back();
    filed_.pop_back();
  }
}

std::vector<Term> Facts::pick(std::vector<std::size_t>& indices) const {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  std::vector<Term> picked;
  picked.reserve(indices.size());
  for (std::size_t i : indices) picked.push_back(facts_[i]);
  return picked;
}

std::vector<Term> Facts::relevant_since(std::size_t since, Term goal,
                                        std::vector<std::size_t> taken) {
  std::unordered_set<std::size_t> have;
  std::unordered_set<Term> seen;
  std::vector<Term> work;
  const auto want = [&](Term symbol) {
    if (!log_.hubs.contains(symbol) && seen.insert(symbol).second) work.push_back(symbol);
  };
  for (Term symbol : symbols_.of(goal)) want(symbol);
  while (!work.empty()) {
    const Term symbol = work.back();
    work.pop_back();
    const auto it = by_symbol_.find(symbol);
    if (it == by_symbol_.end()) continue;
    const std::vector<std::size_t>& indices = it->second;  // as they were added
    for (auto i = std::lower_bound(indices.begin(), indices.end(), since); i != indices.end();
         ++i) {
      if (!have.insert(*i).second) continue;
      taken.push_back(*i);
      for (Term other : filed_[*i].symbols) want(other);
    }
  }
  return pick(taken);
}

std::vector<Term> Facts::near(Term goal) {
  std::vector<std::size_t> taken = assumed_of_hubs_;
  std::unordered_set<Term> seen;
  std::vector<Term> work;
  const auto want = [&](Term symbol) {
    if (const Term first = first_of(symbol); seen.insert(first).second) work.push_back(first);
  };
  for (Term symbol : symbols_.of(goal)) want(symbol);
  while (!work.empty()) {
    const Term symbol = work.back();
    work.pop_back();
    const auto it = by_newest_.find(symbol);
    if (it == by_newest_.end()) continue;
    for (std::size_t i : it->second) {
      taken.push_back(i);
      for (Term other : filed_[i].symbols) want(other);
    }
  }
  return pick(taken);
}

}  // namespace leto::vcgen

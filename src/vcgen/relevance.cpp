#include "vcgen/relevance.h"

#include <algorithm>
#include <set>

namespace leto::vcgen {

Known complete(const logic::TermTable& terms, Symbols& symbols, const Log& log, Term goal,
               const std::vector<Term>& facts) {
  Known out;
  out.facts = log.constants;
  std::unordered_set<Term> have(out.facts.begin(), out.facts.end());
  const auto keep = [&](std::vector<Term>& into, Term fact) {
    if (have.insert(fact).second) into.push_back(fact);
  };
  bool compares = symbols.compares_arrays(goal);
  for (Term fact : facts) {
    keep(out.facts, fact);
    compares = compares || symbols.compares_arrays(fact);
  }
  std::set<Term> occurring(symbols.of(goal).begin(), symbols.of(goal).end());
  for (Term fact : out.facts) occurring.insert(symbols.of(fact).begin(), symbols.of(fact).end());
  std::vector<Term> work(occurring.begin(), occurring.end());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Term symbol = work[i];
    const bool array = terms.sort(symbol).rank > 0;
    if (const auto it = log.typing.find(symbol); it != log.typing.end())
      for (Term fact : it->second) keep(array ? out.array_facts : out.facts, fact);
    if (!array || !compares) continue;
    const auto it = log.outside.find(symbol);
    if (it == log.outside.end()) continue;
    for (Term fact : it->second) {
      keep(out.array_facts, fact);
      for (Term size : symbols.of(fact))
        if (occurring.insert(size).second) work.push_back(size);
    }
  }
  return out;
}

const Known& Relevance::find(const std::shared_ptr<const Log>& log, std::uint32_t known,
                             Term goal) {
  const Asked asked{log, known, goal};
  if (last_ == asked) return found_;
  index(log);
  std::vector<Term> facts;
  for (std::uint32_t entry : find_entries(known, goal)) facts.push_back(log->fact(entry));
  found_ = complete(terms_, symbols_, *log, goal, facts);
  last_ = asked;
  return found_;
}

void Relevance::index(const std::shared_ptr<const Log>& log) {
  if (log_ != log) {
    log_ = log;
    indexed_ = 0;
    by_symbol_.clear();
    of_hubs_.clear();
  }
  while (indexed_ < log->size()) {
    const std::uint32_t entry = ++indexed_;
    bool of_hubs = true;
    for (Term symbol : symbols_.of(log->fact(entry))) {
      if (log->hubs.contains(symbol)) continue;
      by_symbol_[symbol].push_back(entry);
      of_hubs = false;
    }
    if (of_hubs) of_hubs_.push_back(entry);
  }
}

std::vector<std::uint32_t> Relevance::find_entries(std::uint32_t known, Term goal) {
  std::vector<std::uint32_t> taken;
  std::unordered_set<Term> seen;
  std::unordered_set<std::uint32_t> have;
  std::vector<Term> work;
  const auto take = [&](std::uint32_t entry) {
    if (!log_->leads_to(entry, known) || !have.insert(entry).second) return false;
    taken.push_back(entry);
    return true;
  };
  const auto want = [&](Term term) {
    for (Term symbol : symbols_.of(term))
      if (!log_->hubs.contains(symbol) && seen.insert(symbol).second) work.push_back(symbol);
  };
  for (std::uint32_t entry : of_hubs_) take(entry);
  want(goal);
  while (!work.empty()) {
    const Term symbol = work.back();
    work.pop_back();
    const auto it = by_symbol_.find(symbol);
    if (it == by_symbol_.end()) continue;
    for (std::uint32_t entry : it->second)
      if (take(entry)) want(log_->fact(entry));
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

}  // namespace leto::vcgen

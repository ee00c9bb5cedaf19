#include "logic/polynomials.h"

#include <algorithm>

namespace leto::logic {

namespace {

constexpr std::size_t kMost = 16;  // products in a sum
constexpr std::size_t kFactors = 8;
constexpr std::int64_t kLargest = 100'000'000;  // the sum of all products of two fits

void add_times(std::int64_t times, const Polynomials::Sum& from, Polynomials::Sum& to) {
  for (const auto& [factors, count] : from)
    if ((to[factors] += times * count) == 0) to.erase(factors);
}

// The whole number that is written there, if it is a small one.
std::optional<std::int64_t> find_whole(const Node& node) {
  if (node.kind == Kind::Zero && node.sort.rank == 0) return 0;
  if (node.kind != Kind::Number || node.text.size() > 9 ||
      node.text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoll(node.text);
}

}  // namespace

void Polynomials::begin_question() {
  entries_.clear();
  numbers_.clear();
  sizes_.clear();
  atoms_.clear();
}

const Polynomials::Entry& Polynomials::find_entry(Term t) {
  if (const auto known = entries_.find(t); known != entries_.end()) return known->second;
  Entry entry = expand(t);
  if (!entry.large && is_too_much(entry.sum)) {
    const bool curved = entry.curved;
    entry = stand_for_itself(t);
    entry.curved = curved;
    entry.large = true;
  }
  return entries_.emplace(t, std::move(entry)).first->second;
}

Polynomials::Entry Polynomials::expand(Term t) {
  const Node& node = table_[t];
  if (const auto whole = find_whole(node)) {
    Entry number;
    if (*whole != 0) number.sum[{}] = *whole;
    return number;
  }
  if (node.kind == Kind::Neg || node.kind == Kind::Add || node.kind == Kind::Sub) {
    Entry entry;
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      const Entry& part = find_entry(node.args[i]);
      const bool less = node.kind == Kind::Neg || (node.kind == Kind::Sub && i > 0);
      add_times(less ? -1 : 1, part.sum, entry.sum);
      entry.curved = entry.curved || part.curved;
    }
    return entry;
  }
  if (node.kind != Kind::Mul) return stand_for_itself(t);
  const Entry a = find_entry(node.args[0]), b = find_entry(node.args[1]);
  return expand_product(a, b);
}

bool Polynomials::has_unknowns(const Sum& sum) const {
  return std::any_of(sum.begin(), sum.end(), [&](const auto& one) {
    return std::any_of(one.first.begin(), one.first.end(), [&](std::uint32_t factor) {
      return table_[atoms_[factor]].kind != Kind::Number;
    });
  });
}

Polynomials::Entry Polynomials::expand_product(const Entry& a, const Entry& b) const {
  Entry entry;
  entry.curved = a.curved || b.curved || (has_unknowns(a.sum) && has_unknowns(b.sum));
  for (const auto& [first, times] : a.sum)
    for (const auto& [second, more] : b.sum) {
      std::vector<std::uint32_t> factors;
      std::merge(first.begin(), first.end(), second.begin(), second.end(),
                 std::back_inserter(factors));
      add_times(times * more, {{std::move(factors), 1}}, entry.sum);
    }
  return entry;
}

Polynomials::Entry Polynomials::stand_for_itself(Term t) {
  const auto [it, fresh] = numbers_.emplace(t, static_cast<std::uint32_t>(atoms_.size()));
  if (fresh) atoms_.push_back(t);
  Entry entry;
  entry.sum[{it->second}] = 1;
  return entry;
}

// What is under a quantifier has no name, so it is written as often as it occurs.
bool Polynomials::is_too_much(const Sum& sum) {
  constexpr std::uint32_t kLong = 64;
  if (sum.size() > kMost) return true;
  return std::any_of(sum.begin(), sum.end(), [&](const auto& one) {
    const auto& [factors, times] = one;
    return factors.size() > kFactors || std::abs(times) > kLargest ||
           std::any_of(factors.begin(), factors.end(), [&](std::uint32_t number) {
             const Term factor = atoms_[number];
             return !table_[factor].free.empty() && written_size(factor) > kLong;
           });
  });
}

std::uint32_t Polynomials::written_size(Term t) {
  if (table_[t].free.empty()) return 1;
  if (const auto known = sizes_.find(t); known != sizes_.end()) return known->second;
  constexpr std::uint32_t kEnough = 1000;
  std::uint32_t size = 1;
  for (Term arg : table_[t].args) size = std::min(kEnough, size + written_size(arg));
  return sizes_[t] = size;
}

}  // namespace leto::logic

#include "interp/choose.h"

#include <algorithm>
#include <random>

#include "interp/word.h"

namespace leto::interp {

namespace {

bool integral(const core::Type& type) {
  return type.base != core::Base::Real;
}

// The least and the greatest integer of a domain.
std::optional<Number> least(const Domain& d) {
  std::optional<Number> low;
  if (d.low) low = d.low->strict ? d.low->value.floor() + Number(1) : d.low->value.ceiling();
  const bool from_zero =
      d.type.natural || d.type.base == core::Base::Bool || d.type.base == core::Base::Word;
  if (from_zero && (!low || *low < Number(0))) low = Number(0);
  return low;
}
std::optional<Number> greatest(const Domain& d) {
  std::optional<Number> high;
  if (d.high) high = d.high->strict ? d.high->value.ceiling() - Number(1) : d.high->value.floor();
  if (d.type.base == core::Base::Bool && (!high || Number(1) < *high)) high = Number(1);
  if (d.type.base == core::Base::Word)
    if (const Number most = greatest_word(d.type.width); !high || most < *high) high = most;
  return high;
}

}  // namespace

bool Domain::contains(const Number& n) const {
  if (low && (n < low->value || (low->strict && n == low->value))) return false;
  if (high && (high->value < n || (high->strict && n == high->value))) return false;
  if (type.natural && n.sign() < 0) return false;
  if (type.base == core::Base::Bool && !(n == Number(0)) && !(n == Number(1))) return false;
  if (type.base == core::Base::Word && (n.sign() < 0 || greatest_word(type.width) < n))
    return false;
  return !integral(type) || n.is_integer();
}

Number nearest(const Domain& d) {
  if (d.contains(d.usual)) return d.usual;
  if (integral(d.type)) {
    const std::optional<Number> low = least(d), high = greatest(d);
    if (low && d.usual < *low) return *low;
    if (high) return *high;
    return low.value_or(0);
  }
  if (d.low && d.high) return quotient(d.low->value + d.high->value, 2);
  if (d.low) return d.low->strict ? d.low->value + Number(1) : d.low->value;
  if (d.high) return d.high->strict ? d.high->value - Number(1) : d.high->value;
  return d.usual;
}

// SplitMix64.
std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15u * (index + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Random -----------------------------------------------------------------------------------------

// Each with its rate; what has none takes the rest, an exact one if there is one.
std::size_t RandomChooser::by_rate(const SitePoint& point) {
  double left = std::uniform_real_distribution<double>(0, 1)(random_);
  std::size_t rest = point.enabled.size();
  for (std::size_t i = 0; i < point.enabled.size(); ++i) {
    const double rate = rates_[point.enabled[i]];
    if (rate < 0) {
      if (rest == point.enabled.size() || (point.exact[i] && !point.exact[rest])) rest = i;
      continue;
    }
    if (left < rate) {
      fault_wanted_ = true;
      return i;
    }
    left -= rate;
  }
  fault_wanted_ = false;
  return rest < point.enabled.size() ? rest : 0;
}

std::size_t RandomChooser::specification(const SitePoint& point) {
  if (!rates_.empty()) return by_rate(point);
  // The first fault is taken where it is wanted or, if none is possible there, after that.
  const bool wanted = point.occurrence >= policy_.first &&
                      (!struck_ || (policy_.later > 0 && std::uniform_real_distribution<double>(
                                                             0, 1)(random_) < policy_.later));
  fault_wanted_ = wanted;
  const auto exact =
      static_cast<std::size_t>(std::count(point.exact.begin(), point.exact.end(), true));
  const std::size_t other = point.enabled.size() - exact;
  const bool from_other = (wanted && other > 0) || exact == 0;
  struck_ = struck_ || (wanted && other > 0);
  const std::size_t count = from_other ? other : exact;
  const std::uint64_t drawn = random_();  // also where there is no choice
  std::size_t left = count == 1 ? 0 : drawn % count;
  for (std::size_t i = 0; i < point.enabled.size(); ++i)
    if (point.exact[i] != from_other && left-- == 0) return i;
  LETO_ASSERT(false);
}

std::size_t RandomChooser::alternative(std::size_t count) {
  return random_() % count;
}

Number RandomChooser::value(const Domain& d, core::VarId) {
  if (!fault_wanted_) return nearest(d);
  struck_ = true;
  if (d.type.base == core::Base::Word)
    if (const Number n = draw_word(d.usual, d.type.width, random_); d.contains(n)) return n;
  const auto roll = [&](std::uint64_t n) { return static_cast<std::int64_t>(random_() % n); };
  if (integral(d.type)) {
    const std::optional<Number> low = least(d), high = greatest(d);
    if (low && high) {
      const std::optional<std::int64_t> width = (*high - *low).small();
      if (width && *width < 0) return *low;
      if (width && *width < (std::int64_t{1} << 40))
        return *low + Number(roll(static_cast<std::uint64_t>(*width) + 1));
    }
    // Close to what is usual or to the only bound, or far away.
    const Number from = low && !d.contains(d.usual)    ? *low
                        : high && !d.contains(d.usual) ? *high
                                                       : d.usual;
    const std::int64_t size = roll(4) == 0 ? roll(1'000'000) : roll(4) == 0 ? roll(64) : roll(4);
    const bool up = low && !high   ? (from == *low || roll(2) == 0)
                    : !low && high ? false
                                   : roll(2) == 0;
    const Number there = up ? from + Number(size) : from - Number(size);
    return d.contains(there) ? there : nearest(d);
  }
  if (d.low && d.high) {
    const Number width = d.high->value - d.low->value;
    // Often close to a bound: that is where claims break.
    const std::int64_t grid = roll(3) == 0 ? 1'000'000 : 16;
    std::int64_t at = roll(4) == 0   ? 1
                      : roll(3) == 0 ? grid - 1
                                     : roll(static_cast<std::uint64_t>(grid) + 1);
    if (at == 0 && d.low->strict) at = 1;
    if (at == grid && d.high->strict) at = grid - 1;
    return d.low->value + width * quotient(at, grid);
  }
  const std::int64_t size = roll(4) == 0 ? roll(1'000'000) : roll(16);
  const Number off = quotient(size, roll(2) == 0 ? 1 : 1 + roll(8));
  // One after the other: in a sum nobody says which comes first.
  const std::optional<Bound>& bound = d.low ? d.low : d.high;
  if (bound) {
    const Number more = bound->strict ? quotient(1, 1 + roll(1000)) : Number(0);
    const Number from = d.contains(d.usual) && roll(2) == 0 ? d.usual : bound->value;
    return d.low ? from + off + more : from - off - more;
  }
  return roll(8) == 0 ? Number(0) : roll(2) == 0 ? d.usual + off : d.usual - off;
}

// Exact and by script ----------------------------------------------------------------------------

std::size_t ExactChooser::specification(const SitePoint& point) {
  const auto it = std::find(point.exact.begin(), point.exact.end(), true);
  return it == point.exact.end() ? 0 : static_cast<std::size_t>(it - point.exact.begin());
}

Number ExactChooser::value(const Domain& domain, core::VarId) {
  return nearest(domain);
}

std::size_t ScriptChooser::specification(const SitePoint& point) {
  current_ = nullptr;
  if (next_ < script_.size() && script_[next_].occurrence == point.occurrence) {
    current_ = &script_[next_++];
    const auto it = std::find(point.enabled.begin(), point.enabled.end(), current_->specification);
    return static_cast<std::size_t>(it - point.enabled.begin());  // beyond the end: not enabled
  }
  const auto it = std::find(point.exact.begin(), point.exact.end(), true);
  return it == point.exact.end() ? 0 : static_cast<std::size_t>(it - point.exact.begin());
}

Number ScriptChooser::value(const Domain& domain, core::VarId unknown) {
  if (current_ != nullptr) {
    for (const auto& [var, value] : current_->states)
      if (var == unknown) return value;
    return current_->outcome;
  }
  return nearest(domain);
}

// Exhaustive
// ---------------------------------------------------------------------------------------

std::size_t ExhaustiveChooser::pick(std::size_t count) {
  if (depth_ == path_.size()) path_.push_back({0, count});
  LETO_ASSERT(path_[depth_].count == count);
  return path_[depth_++].taken;
}

std::size_t ExhaustiveChooser::specification(const SitePoint& point) {
  return pick(point.enabled.size());
}

Number ExhaustiveChooser::value(const Domain& d, core::VarId) {
  std::vector<Number> candidates;
  if (integral(d.type)) {
    std::optional<Number> low = least(d), high = greatest(d);
    const Number reach(spread_);
    if (!low || !high || Number(64) < *high - *low) {
      complete_ = false;
      const Number middle = low && !high ? *low : high && !low ? *high : d.usual;
      const Number from = low && middle - reach < *low ? *low : middle - reach;
      const Number to = high && *high < middle + reach ? *high : middle + reach;
      low = from;
      high = to;
    }
    for (Number i = *low; i <= *high; i = i + Number(1)) candidates.push_back(i);
  } else {
    complete_ = false;
    const auto add = [&](const Number& n) {
      if (d.contains(n) && std::find(candidates.begin(), candidates.end(), n) == candidates.end())
        candidates.push_back(n);
    };
    if (d.low && d.high)
      for (int i : {0, 1, 8, 15, 16})
        add(d.low->value + (d.high->value - d.low->value) * quotient(i, 16));
    for (int i = -spread_; i <= spread_; ++i) {
      add(d.usual + Number(i));
      if (d.low) add(d.low->value + Number(i));
      if (d.high) add(d.high->value + Number(i));
    }
    if (candidates.empty()) candidates.push_back(nearest(d));
  }
  // An empty domain: any value, which the runner will find impossible.
  if (candidates.empty()) return d.usual;
  return candidates[pick(candidates.size())];
}

bool ExhaustiveChooser::next() {
  depth_ = 0;
  while (!path_.empty() && path_.back().taken + 1 == path_.back().count) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().taken;
  return true;
}

}  // namespace leto::interp

#include "base/names.h"

#include <algorithm>
#include <vector>

namespace leto {

Name NameTable::intern(std::string_view text) {
  if (auto it = index_.find(text); it != index_.end()) return it->second;
  texts_.emplace_back(text);
  Name name{static_cast<std::uint32_t>(texts_.size() - 1)};
  index_.emplace(texts_.back(), name);
  return name;
}

Name NameTable::find(std::string_view text) const {
  auto it = index_.find(text);
  return it == index_.end() ? Name{} : it->second;
}

std::string_view NameTable::text(Name name) const {
  LETO_ASSERT(name.value < texts_.size());
  return texts_[name.value];
}

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted.substr(0, 64)),
      best_distance_(std::max<std::size_t>(1, wanted_.size() / 3) + 1) {}

void NearestName::offer(std::string_view candidate) {
  const std::size_t n = wanted_.size(), m = candidate.size();
  if (m > 64 || candidate == wanted_) return;
  if ((n > m ? n - m : m - n) > best_distance_) return;
  // Damerau-Levenshtein: an exchange of neighbours counts as one edit.
  std::vector<std::size_t> before(m + 1), last(m + 1), now(m + 1);
  for (std::size_t j = 0; j <= m; ++j) last[j] = j;
  for (std::size_t i = 1; i <= n; ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= m; ++j) {
      const std::size_t change = last[j - 1] + (wanted_[i - 1] == candidate[j - 1] ? 0 : 1);
      now[j] = std::min({change, last[j] + 1, now[j - 1] + 1});
      if (i > 1 && j > 1 && wanted_[i - 1] == candidate[j - 2] &&
          wanted_[i - 2] == candidate[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  // A name that shares no letter with the wanted one is no misspelling of it.
  if (last[m] >= std::max(n, m)) return;
  const bool tie = last[m] == best_distance_ && !best_.empty() && candidate < best_;
  if (last[m] < best_distance_ || tie) {
    best_distance_ = last[m];
    best_ = candidate;
  }
}

}  // namespace leto

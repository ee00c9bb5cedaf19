// Interned names: a Name is a small integer, equal exactly when the spellings are.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.h"

namespace leto {

struct NameTag;
using Name = Id<NameTag>;

class NameTable {
 public:
  Name intern(std::string_view text);
  // The name if the spelling has been seen, an invalid one otherwise.
  [[nodiscard]] Name find(std::string_view text) const;
  [[nodiscard]] std::string_view text(Name name) const;

 private:
  std::deque<std::string> texts_;  // a deque, so that views into it stay valid
  std::unordered_map<std::string_view, Name> index_;
};

// The candidate nearest to `wanted` by edit distance, if it is near enough to
// be a misspelling of it; empty otherwise.
class NearestName {
 public:
  explicit NearestName(std::string_view wanted);
  void offer(std::string_view candidate);
  [[nodiscard]] std::string_view best() const { return best_; }

 private:
  std::string wanted_;
  std::string best_;
  std::size_t best_distance_;
};

}  // namespace leto

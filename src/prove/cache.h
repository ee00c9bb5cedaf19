// Answers that are kept between runs, in an SQLite database that several
// processes can share.
//
// The key is a hash of the question and of everything that could change the
// answer: solver, version, options, limits, and our own encoding. Each entry
// carries a hash of itself, so one that was cut off or edited is ignored and
// the question asked again. What is unknown is not kept. Whatever goes wrong
// with the database costs time, never a wrong answer.
#pragma once

#include <memory>
#include <string>

#include "prove/prove.h"

namespace leto::prove {

// Changed whenever the same program could give another text with the same meaning.
inline constexpr const char* kEncoderVersion = "6";

struct CacheStatistics {
  std::size_t entries = 0, proved = 0, refuted = 0, damaged = 0;
  std::uintmax_t bytes = 0;
};

class FileCache : public Cache {
 public:
  [[nodiscard]] virtual CacheStatistics statistics() = 0;
  virtual void clear() = 0;
  // Up to `most` entries, chosen at random, for asking them again.
  struct Entry {
    solver::Query query;
    solver::Verdict verdict;
  };
  [[nodiscard]] virtual std::vector<Entry> sample(std::size_t most) = 0;
};

// Null, and why, if the database cannot be used.
[[nodiscard]] std::unique_ptr<FileCache> open_cache(const std::string& directory,
                                                    std::string& problem);
// Where the cache is unless said otherwise; empty if there is no such place.
[[nodiscard]] std::string default_cache_directory();

}  // namespace leto::prove

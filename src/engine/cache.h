// Answers, and records of what was proved, that are kept between runs, in an
// SQLite database that several processes can share.
//
// The key of an answer is a hash of the question and of everything that could
// change it: solver, its binary, options, limits, and our own encoding. What
// the key of a record has to say is for `prove` to know. Each entry
// is sealed with a secret of the user's own, so one that was cut off, edited or
// made by somebody else is ignored and asked for again. The database
// lies in a folder that nobody else can write in, is not reached by a link, and
// has the tables that are expected. What is unknown is not kept. Whatever
// goes wrong with the database costs time, never a wrong answer.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/engine.h"

namespace leto::engine {

struct CacheStatistics {
  std::size_t entries = 0;                        // all that there are; each is one of these:
  std::size_t proved = 0, refuted = 0, open = 0;  // answers
  std::size_t records = 0;                        // of functions that are proved
  std::size_t foreign = 0;                        // sealed with another secret, or damaged
  std::uintmax_t bytes = 0;
  bool complete = true;  // all entries could be read
};

class FileCache : public Cache {
 public:
  [[nodiscard]] virtual std::string directory() const = 0;
  // Why it is not used any more; empty: it is.
  [[nodiscard]] virtual std::string problem() = 0;
  [[nodiscard]] virtual CacheStatistics statistics() = 0;
  [[nodiscard]] virtual bool clear() = 0;
  // Nothing if they cannot be read. Up to `most` entries, chosen at random, for asking them again.
  struct Entry {
    solver::Query query;
    solver::Verdict verdict;
  };
  [[nodiscard]] virtual std::optional<std::vector<Entry>> sample(std::size_t most) = 0;
};

// Null, and why, if the database cannot be used. `key`: a file with the user's secret, which is
// made if it is not there.
[[nodiscard]] std::unique_ptr<FileCache> open_cache(const std::string& directory,
                                                    const std::string& key, std::string& problem);
// Where the secret is; empty if there is no such place. It is never in the cache itself: whoever
// hands out a cache could put one there.
[[nodiscard]] std::string default_key_file();
// Where the cache is unless said otherwise; empty if there is no such place.
[[nodiscard]] std::string default_cache_directory();

}  // namespace leto::engine

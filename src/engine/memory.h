// Answers that are remembered as long as the process lives, in front of a cache that lives longer.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "engine/engine.h"

namespace leto::engine {

class Memory final : public Cache {
 public:
  // `behind` may be null.
  explicit Memory(Cache* behind = nullptr) : behind_(behind) {}

  [[nodiscard]] bool find(const std::string& solver, const solver::Query& query,
                          solver::Answer& answer) override;
  void keep(const std::string& solver, const solver::Query& query,
            const solver::Answer& answer) override;
  [[nodiscard]] std::optional<std::string> find_record(const std::string& key) override;
  void keep_record(const std::string& key, const std::string& record) override;

  // How often an answer or a record was found, and an answer given to keep.
  [[nodiscard]] std::size_t found() const { return found_; }
  [[nodiscard]] std::size_t kept() const { return kept_; }

 private:
  Cache* behind_;
  std::mutex mutex_;
  std::map<std::string, solver::Answer> answers_;  // by digest of the solver and the question
  std::map<std::string, std::string> records_;
  std::atomic<std::size_t> found_{0}, kept_{0};
};

}  // namespace leto::engine

// What was answered and proved since the program started, for those who keep no cache: what
// several proofs in a row rest on is proved once.
#pragma once

#include <map>
#include <mutex>

#include "engine/engine.h"

namespace leto::engine {

class Notes final : public Cache {
 public:
  [[nodiscard]] bool find(const std::string& solver, const solver::Query& query,
                          solver::Answer& answer) override {
    const std::lock_guard lock(mutex_);
    const auto it = answers_.find(key_of(solver, query));
    if (it == answers_.end()) return false;
    answer = it->second;
    answer.seconds = 0;  // it took none now
    return true;
  }
  void keep(const std::string& solver, const solver::Query& query,
            const solver::Answer& answer) override {
    if (!is_worth_keeping(query, answer)) return;
    const std::lock_guard lock(mutex_);
    answers_.insert_or_assign(key_of(solver, query), answer);
  }

  [[nodiscard]] std::optional<std::string> find_record(const std::string& key) override {
    const std::lock_guard lock(mutex_);
    const auto it = records_.find(key);
    if (it == records_.end()) return std::nullopt;
    return it->second;
  }
  void keep_record(const std::string& key, const std::string& record) override {
    const std::lock_guard lock(mutex_);
    records_.insert_or_assign(key, record);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, solver::Answer> answers_;
  std::map<std::string, std::string> records_;
};

}  // namespace leto::engine

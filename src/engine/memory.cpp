#include "engine/memory.h"

namespace leto::engine {

bool Memory::find(const std::string& solver, const solver::Query& query, solver::Answer& answer) {
  const std::string key = key_of(solver, query);
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = answers_.find(key); it != answers_.end()) {
      answer = it->second;
      answer.seconds = 0;  // it took that once
      ++found_;
      return true;
    }
  }
  if (behind_ == nullptr || !behind_->find(solver, query, answer)) return false;
  ++found_;
  const std::lock_guard lock(mutex_);
  answers_.emplace(key, answer);
  return true;
}

void Memory::keep(const std::string& solver, const solver::Query& query,
                  const solver::Answer& answer) {
  if (!is_worth_keeping(query, answer)) return;
  ++kept_;
  {
    const std::lock_guard lock(mutex_);
    answers_.insert_or_assign(key_of(solver, query), answer);
  }
  if (behind_ != nullptr) behind_->keep(solver, query, answer);
}

std::optional<std::string> Memory::find_record(const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = records_.find(key); it != records_.end()) {
      ++found_;
      return it->second;
    }
  }
  if (behind_ == nullptr) return std::nullopt;
  std::optional<std::string> record = behind_->find_record(key);
  if (record) ++found_;
  return record;
}

void Memory::keep_record(const std::string& key, const std::string& record) {
  {
    const std::lock_guard lock(mutex_);
    records_.insert_or_assign(key, record);
  }
  if (behind_ != nullptr) behind_->keep_record(key, record);
}

}  // namespace leto::engine

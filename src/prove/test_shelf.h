// For tests only: a cache that keeps records where a test can see them, and no answers.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/engine.h"

namespace leto::prove {

class Shelf final : public engine::Cache {
 public:
  bool find(const std::string&, const solver::Query&, solver::Answer&) override { return false; }
  void keep(const std::string&, const solver::Query&, const solver::Answer&) override {}
  std::optional<std::string> find_record(const std::string& key) override {
    const auto it = records.find(key);
    return it == records.end() ? std::nullopt : std::optional(it->second);
  }
  void keep_record(const std::string& key, const std::string& record) override {
    records[key] = record;
  }
  std::map<std::string, std::string> records;
};

}  // namespace leto::prove

// What `leto reliability` says of one program under one model: lines for people, and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workbench/bounding.h"

namespace leto::report {

class ReliabilityReport {
 public:
  // `explain`: with what is needed before each line, and all shares.
  ReliabilityReport(const workbench::Examined& examined, const SourceStore& sources,
                    checks::RateSearch& search, bool explain)
      : e_(examined), sources_(sources), search_(search), explain_(explain) {}

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json machine() const;

 private:
  [[nodiscard]] std::string where(const Span& span) const;
  [[nodiscard]] std::string recovery(std::size_t i) const;
  [[nodiscard]] std::string check(std::size_t i) const;
  [[nodiscard]] std::string mending(std::size_t i) const;
  [[nodiscard]] std::string example(const checks::Doubt& doubt) const;
  [[nodiscard]] std::string bound(const reliability::Bound& b) const;
  [[nodiscard]] std::string what_was_found(const reliability::Bound& b) const;
  [[nodiscard]] std::string by_counting(const reliability::Bound& b) const;
  [[nodiscard]] std::string advice(const reliability::Bound& b) const;
  [[nodiscard]] std::string why_not_right(const reliability::Bound& b) const;
  [[nodiscard]] const std::vector<checks::Doubt>& doubts_about_right(
      const reliability::Bound& b) const;
  [[nodiscard]] reliability::ClauseKey key_of(const reliability::Bound& b) const;
  [[nodiscard]] std::string where_most_is_lost(const reliability::Bound& b) const;
  [[nodiscard]] std::string needed(const reliability::Bound& b) const;
  [[nodiscard]] std::string rests_on() const;
  [[nodiscard]] std::string rests_on(const reliability::Bound& b) const;
  // Of the original run, in proofs about recoveries that these bounds use.
  [[nodiscard]] vcgen::Trusted trusted(const std::vector<reliability::Bound>& bounds) const;
  void add_used(const reliability::Bound& b, std::set<std::size_t>& used,
                std::set<core::FunctionId>& seen) const;
  [[nodiscard]] nlohmann::json recovery_as_json(std::size_t i) const;
  [[nodiscard]] nlohmann::json doubt_as_json(const checks::Doubt& doubt) const;
  [[nodiscard]] nlohmann::json bound_as_json(const reliability::Bound& b) const;
  [[nodiscard]] nlohmann::json counting_as_json(const reliability::Bound& b) const;
  [[nodiscard]] nlohmann::json clause_as_json(const core::Function& f,
                                              const core::ReliabilityClause& c) const;

  const workbench::Examined& e_;
  const SourceStore& sources_;
  checks::RateSearch& search_;
  bool explain_;
};

}  // namespace leto::report

// What `leto reliability` says of one program under one model: lines for people, and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/bounds.h"

namespace leto::driver {

// One program: what is known of its recoveries and its bounds.
struct Examined {
  const core::Program& program;
  reliability::Options options;
  Recoveries recoveries;
  std::vector<Bound> bounds;
};

class ReliabilityReport {
 public:
  // `explain`: with what is needed before each line, and all shares.
  ReliabilityReport(const Examined& examined, const SourceStore& sources, RateSearch& search,
                    bool explain)
      : e_(examined), sources_(sources), search_(search), explain_(explain) {}

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json machine() const;

 private:
  [[nodiscard]] std::string where(const Span& span) const;
  [[nodiscard]] std::string recovery(std::size_t i) const;
  [[nodiscard]] std::string check(std::size_t i) const;
  [[nodiscard]] std::string mending(std::size_t i) const;
  [[nodiscard]] std::string example(const Doubt& doubt) const;
  [[nodiscard]] std::string bound(const Bound& b) const;
  [[nodiscard]] std::string what_was_found(const Bound& b) const;
  [[nodiscard]] std::string advice(const Bound& b) const;
  [[nodiscard]] std::string where_most_is_lost(const Bound& b) const;
  [[nodiscard]] std::string needed(const Bound& b) const;
  [[nodiscard]] std::string rests_on() const;
  [[nodiscard]] std::string rests_on(const Bound& b) const;
  // Of the original run, in proofs about recoveries that these bounds use.
  [[nodiscard]] vcgen::Trusted trusted(const std::vector<Bound>& bounds) const;
  void add_used(const Bound& b, std::set<std::size_t>& used,
                std::set<core::FunctionId>& seen) const;
  [[nodiscard]] nlohmann::json recovery_as_json(std::size_t i) const;
  [[nodiscard]] nlohmann::json doubt_as_json(const Doubt& doubt) const;
  [[nodiscard]] nlohmann::json bound_as_json(const Bound& b) const;
  [[nodiscard]] nlohmann::json clause_as_json(const core::Function& f,
                                              const core::ReliabilityClause& c) const;

  const Examined& e_;
  const SourceStore& sources_;
  RateSearch& search_;
  bool explain_;
};

}  // namespace leto::driver

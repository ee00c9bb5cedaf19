// What `leto verify` and `leto refine` say about claims: lines for people, and JSON, SARIF and
// JUnit for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "driver/commands.h"
#include "driver/verification.h"

namespace leto::driver {

class Report {
 public:
  Report(const VerifyOptions& options, Streams& streams, const SourceStore& sources);

  // Text: a heading and the claims, one by one; later a summary.
  void claims(const std::string& file, const Verification& v);
  // Why claims are not proved; of many, the first few.
  void explanations(const Verification& v);
  void suggestions(const Verification& v);
  void summary(const Verification& v);
  void inferred(const Verification& v);

  // One object per verification.
  [[nodiscard]] nlohmann::json machine(const Verification& v) const;
  // One result per claim that is not proved.
  [[nodiscard]] nlohmann::json sarif(const std::vector<Verification>& all) const;
  // One test case per claim: refuted and vacuous ones fail, unknown ones are errors.
  [[nodiscard]] std::string junit(const std::vector<Verification>& all,
                                  const DiagnosticList& diagnostics) const;

 private:
  [[nodiscard]] std::string unread(const DiagnosticList& diagnostics) const;
  [[nodiscard]] nlohmann::json explained(const Verification& v, const Claim& claim) const;
  [[nodiscard]] nlohmann::json code_flows(const Claim& claim) const;
  [[nodiscard]] std::string source(const Span& span) const;
  [[nodiscard]] Position position(const Span& span) const;
  [[nodiscard]] std::string file(const Span& span) const;
  // The same for people.
  [[nodiscard]] std::string named(const Span& span) const;
  [[nodiscard]] std::string paint(prove::Status status) const;
  void line(const Claim& claim);
  [[nodiscard]] bool shows(const Claim& claim) const;

  const VerifyOptions& options_;
  Streams& streams_;
  const SourceStore& sources_;
  bool colour_;
};

}  // namespace leto::driver

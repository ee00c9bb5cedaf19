// What `leto verify` and `leto refine` say about claims: lines for people, and JSON, SARIF and
// JUnit for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbench/verifying.h"

namespace leto::report {

using workbench::Verified;

// How much of it is shown.
struct ClaimStyle {
  bool colour = false;
  bool proved_too = true;       // claims that are proved, one by one
  bool costs = false;           // what each claim took
  bool full = false;            // explanations, wholly
  bool one_run = false;         // nobody speaks of two
  bool lists_inferred = false;  // somebody else does: it need not be said how
};

class ClaimReport {
 public:
  ClaimReport(const ClaimStyle& style, const SourceStore& sources)
      : style_(style), sources_(sources) {}

  // Text: a heading and the claims, one by one; later a summary.
  [[nodiscard]] std::string claims(const std::string& file, const Verified& v) const;
  // Why claims are not proved; of many, the first few.
  // What functions are called, if not by their names.
  [[nodiscard]] std::string explanations(const Verified& v,
                                         const workbench::KnownFunctions& known_as = {}) const;
  [[nodiscard]] std::string suggestions(const Verified& v) const;
  [[nodiscard]] std::string summary(const Verified& v) const;
  [[nodiscard]] std::string inferred(const Verified& v) const;
  [[nodiscard]] std::string endings(const Verified& v) const;
  [[nodiscard]] static std::string unrolled(const Verified& v);
  [[nodiscard]] nlohmann::json assigned(const Verified& v) const;

  // One object per verification.
  [[nodiscard]] nlohmann::json machine(const Verified& v) const;
  // One result per claim that is not proved.
  [[nodiscard]] nlohmann::json sarif(const std::vector<Verified>& all) const;
  // One test case per claim: refuted and vacuous ones fail, unknown ones are errors.
  [[nodiscard]] std::string junit(const std::vector<Verified>& all,
                                  const DiagnosticList& diagnostics) const;

 private:
  [[nodiscard]] std::string unread(const DiagnosticList& diagnostics) const;
  // Of one claim.
  [[nodiscard]] nlohmann::json machine(const Verified& v, const prove::Claim& claim) const;
  [[nodiscard]] nlohmann::json sarif_result(const Verified& v, const prove::Claim& claim) const;
  [[nodiscard]] std::string test_case(const Verified& v, const prove::Claim& claim) const;
  [[nodiscard]] nlohmann::json where(const Span& span) const;
  [[nodiscard]] nlohmann::json steps(const std::vector<explain::Row>& rows) const;
  [[nodiscard]] nlohmann::json state(const explain::Picture& picture) const;
  void tell_hard(const Verified& v, const prove::Claim& claim, nlohmann::json& out) const;
  [[nodiscard]] nlohmann::json explained(const Verified& v, const prove::Claim& claim) const;
  [[nodiscard]] nlohmann::json code_flows(const Verified& v, const prove::Claim& claim) const;
  [[nodiscard]] std::string source(const Span& span) const;
  [[nodiscard]] Position position(const Span& span) const;
  [[nodiscard]] std::string file(const Span& span) const;
  // The same for people.
  [[nodiscard]] std::string named(const Span& span) const;
  [[nodiscard]] std::string paint(prove::Status status) const;
  [[nodiscard]] std::string line(const prove::Claim& claim) const;
  [[nodiscard]] std::string unfounded(const prove::Claim& claim) const;

  ClaimStyle style_;
  const SourceStore& sources_;
};

}  // namespace leto::report

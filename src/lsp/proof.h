// The verification of a document, in a thread of its own: it has its own copies of all that is
// open, so that nobody changes what it is about while it goes on.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <thread>

#include "lsp/analysis.h"
#include "lsp/events.h"
#include "lsp/open_texts.h"
#include "lsp/told.h"
#include "workbench/verifying.h"

namespace leto::lsp {

// What is to be verified.
struct Order {
  AnalysisInput input;
  std::map<std::string, std::string> open;  // texts by path
  std::set<std::string> unknown;            // places of texts that are not known
  unsigned jobs = 0;
};

// What came of it. While the thread runs, only the allowance is anybody else's.
class Proof {
 public:
  explicit Proof(Order order);

  // Steps and the end are told to `events`, under the number of the job.
  void run(std::uint64_t job, Events& events);
  void cancel() { end_for(Allowance::End::User); }
  void end_for(Allowance::End why) { analysis_.allowance().end(why); }

  [[nodiscard]] const std::string& path() const { return order_.input.path; }
  [[nodiscard]] bool cancelled() const { return ended_by_ == Allowance::End::User; }
  // Why nothing was verified; empty if something was.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool lacks_solver() const { return lacks_solver_; }
  // "under additive_seu"
  [[nodiscard]] std::string under() const;
  [[nodiscard]] const workbench::Verified& verified() const { return verified_; }
  [[nodiscard]] const Analysis& analysis() const { return analysis_; }
  // "12 of 12 claims proved"
  [[nodiscard]] std::string outcome() const;
  // Of loops of the document itself.
  [[nodiscard]] std::vector<prove::Verification::Invariant> own_invariants() const;
  // All that the command line says at its end.
  [[nodiscard]] const std::string& summary() const { return summary_; }
  // Whether it is about what all of its files say now.
  [[nodiscard]] bool is_about(workspace::FileSystem& now) const;
  [[nodiscard]] bool reads(const std::string& place) const { return analysis_.reads(place); }

 private:
  void verify(const prove::Watch& watch);

  Order order_;
  workspace::RealFileSystem disk_;
  OpenTexts texts_;
  Analysis analysis_;
  Allowance::End ended_by_ = Allowance::End::None;  // as it was when it was done
  bool lacks_solver_ = false;
  std::string problem_, summary_;
  workbench::Verified verified_;
};

// Claims that are not proved, with what breaks them and what would prove them.
[[nodiscard]] Told tell_claims(const Proof& proof, const Client& client);

}  // namespace leto::lsp

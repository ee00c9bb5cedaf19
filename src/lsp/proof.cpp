#include "lsp/proof.h"

#include <fmt/core.h>

#include "core/core.h"
#include "report/claims.h"

namespace leto::lsp {

using prove::Status;

namespace {

// Tells the editor how far it is, but not more often than people can read.
class Steps {
 public:
  Steps(std::uint64_t job, Events& events) : job_(job), events_(events) {}

  void tell(std::string message, std::optional<int> percentage) {
    const auto now = Events::Clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    events_.push(WentOn{job_, std::move(message), percentage});
  }

 private:
  std::uint64_t job_;
  Events& events_;
  Events::Clock::time_point last_{};
};

prove::Watch watch_of(Steps& steps) {
  prove::Watch watch;
  watch.inferring = [&steps](const prove::InferenceRound& round) {
    steps.tell(fmt::format("{}: inferring invariants, round {}", round.function, round.round), {});
  };
  watch.started = [&steps](const vcgen::Obligation& next, std::size_t done, std::size_t total) {
    const std::size_t percent = total == 0 ? 0 : done * 100 / total;
    steps.tell(fmt::format("{}: {}", next.claim.function, core::claimed(next.claim)),
               static_cast<int>(percent));
  };
  return watch;
}

}  // namespace

Proof::Proof(Order order)
    : order_(std::move(order)), texts_(disk_), analysis_(texts_, order_.input) {
  for (const auto& [path, text] : order_.open) texts_.put(path, text);
  texts_.set_unknown(order_.unknown);
}

void Proof::verify(const prove::Watch& watch) {
  workbench::ProofOptions options;
  options.jobs = order_.jobs;
  workbench::Proving proving(options, analysis_.allowance(), options.question_seconds);
  if (!proving.missing.empty()) {
    lacks_solver_ = true;
    problem_ = fmt::format(
        "the solver '{}' is not in the PATH, and nothing is proved without it: install it",
        proving.missing[0]);
    return;
  }
  const prove::VerifySettings settings = proving.settings(options);
  verified_ = workbench::verify(analysis_.checked(), analysis_.names(), settings, proving.crew,
                                proving.cache.get(), watch);
  verified_.file = path();
  verified_.footing = workbench::footing_of(analysis_.checked(), analysis_.workspace(), proving);
  prove::Engine engine = proving.quiet_engine();
  workbench::explain(verified_, proving.explaining(options, settings), engine);
  summary_ = report::ClaimReport({}, analysis_.sources()).summary(verified_);
}

void Proof::run(std::uint64_t job, Events& events) {
  Steps steps(job, events);
  try {
    analysis_.run();
    if (analysis_.diagnostics().errors() > 0)
      problem_ = "not verified: the program has errors";
    else
      verify(watch_of(steps));
  } catch (const Spent&) {
    ended_by_ = analysis_.allowance().ended_by();
    problem_ = fmt::format("not verified: {}", describe(ended_by_));
  } catch (const std::exception& e) {
    problem_ = fmt::format("not verified: {}", e.what());
  }
  ended_by_ = analysis_.allowance().ended_by();
  events.push(Ended{job});
}

std::string Proof::under() const {
  return analysis_.checked().model.valid() ? "under " + verified_.model : "on exact hardware";
}

std::string Proof::outcome() const {
  if (cancelled()) return "cancelled";
  if (!problem_.empty()) return problem_;
  const std::size_t all = verified_.claims.size();
  std::string text = fmt::format("{} of {} {} proved {}", verified_.count(Status::Proved), all,
                                 all == 1 ? "claim" : "claims", under());
  for (const Status status : {Status::Refuted, Status::Vacuous, Status::Unknown})
    if (const std::size_t n = verified_.count(status); n > 0)
      text += fmt::format(", {} {}", n, describe(status));
  if (ended_by_ != Allowance::End::None) text += fmt::format("; {}", describe(ended_by_));
  return text;
}

std::vector<prove::Verification::Invariant> Proof::own_invariants() const {
  std::vector<prove::Verification::Invariant> own;
  for (const prove::Verification::Invariant& one : verified_.inferred)
    if (one.loop.file == analysis_.own()->file) own.push_back(one);
  return own;
}

bool Proof::is_about(workspace::FileSystem& now) const {
  for (const syntax::Tree* tree : analysis_.program().trees) {
    const SourceFile& file = analysis_.sources()[tree->file];
    const workspace::FileSystem::Content content = now.read(file.path(), files::NamedBy::Program);
    if (!content.text || *content.text != file.text()) return false;
  }
  return true;
}

}  // namespace leto::lsp

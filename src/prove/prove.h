// The front door of `prove`: discharges obligations and says of each whether it
// is proved, refuted, unknown or vacuous. Obligations are independent: as many
// workers as there are turn them into text and have them answered; equal questions
// are asked once. What a worker cannot answer is unknown.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/dump.h"
#include "engine/engine.h"
#include "prove/break.h"
#include "solver/solver.h"
#include "vcgen/vcgen.h"

namespace leto::prove {

enum class Status : std::uint8_t { Proved, Refuted, Unknown, Vacuous };
[[nodiscard]] std::string_view describe(Status status);

// That an obligation holds. Only the prover makes one (theorem.h); what it says is the question
// that was answered, by its digest.
class Proof {
 public:
  [[nodiscard]] const std::string& digest() const { return digest_; }
  // True by construction: no solver was asked.
  [[nodiscard]] bool plain() const { return plain_; }

 private:
  friend class Prover;
  Proof(std::string digest, bool plain) : digest_(std::move(digest)), plain_(plain) {}
  std::string digest_;
  bool plain_;
};

// Which facts a question has: few that likely suffice, those that share symbols with the goal,
// directly or by way of others, or all that is known.
enum class Extent : std::uint8_t { Near, Relevant, All };

struct Outcome {
  std::optional<Proof> proof;
  bool refuted = false;  // all that is known allows a state in which it does not hold
  bool broken = false;   // it is refuted, by a run that was executed
  // The same fails of the original run, which was executed: nobody looked for a proof any more.
  bool given_up = false;
  bool vacuous = false;  // it is proved, but what is known there contradicts itself
  // It is proved, perhaps without what is claimed: then what is known there contradicts itself, or
  // nobody gets there.
  bool suspect = false;
  bool unanswered = false;      // it is proved, but whether it is vacuous was not answered
  bool of_nothing = false;      // it is proved, and what is known there contradicts itself
  bool took_cases = false;      // it is proved, some of it in cases
  bool took_all = false;        // it is proved, but not by what is asked briefly
  bool unfolded_once = false;   // it is open, and definitions that use themselves are in it
  bool near_has_model = false;  // what is near does not suffice
  [[nodiscard]] Status status() const {
    if (proof && unanswered) return Status::Unknown;
    if (proof) return vacuous ? Status::Vacuous : Status::Proved;
    return refuted ? Status::Refuted : Status::Unknown;
  }
  solver::Reason reason = solver::Reason::None;
  std::string detail;
  double seconds = 0;
  std::uint64_t resource = 0;  // of all questions
  std::uint64_t hardest = 0;   // of one question
  [[nodiscard]] bool trivial() const { return proof && proof->plain(); }
  bool cached = false;
  // Some question was ended by the clock or by a failure: another time it may end otherwise.
  bool troubled = false;
  bool cut_short = false;          // and not because it is hard
  unsigned calls = 0;              // questions put to a solver
  std::vector<Status> parts = {};  // of the obligation's parts
  // Some of them are refuted, and nobody asked about those that are unknown: it is asked again
  // without the others.
  bool unfinished = false;
  bool dropped_claims = false;  // see Discharger
  [[nodiscard]] bool falls(std::size_t part) const {
    return parts[part] == Status::Refuted || (parts[part] == Status::Unknown && !unfinished);
  }
  // If it is unknown: how often it was asked in which way, and what of it is hard by itself.
  struct Tried {
    std::string how;
    unsigned times;
    std::uint64_t most;  // resource of one question
  };
  std::vector<Tried> tried = {};
  struct Hard {
    std::optional<std::size_t> piece;                            // of the obligation
    std::optional<std::pair<std::size_t, std::size_t>> in_case;  // branch and case
    solver::Reason reason = solver::Reason::None;
    std::uint64_t resource = 0;
  };
  std::vector<Hard> hard = {};
};

struct Options {
  engine::Dump* dump = nullptr;  // where questions are written down; null: nowhere
  std::uint32_t salt = 0;        // other than 0: other names of symbols, another order of facts
  Trap trap = Trap::None;        // for the test of unsound rules only
  std::string subject = {};      // whose questions they are, for the names of what is written down
  // Products are exact in questions about inferred facts that were made from claims.
  bool exactly = false;
  // No claim has all the effort that there is, and once one is not proved no other is asked.
  bool or_nothing = false;
};

// Called from one thread at a time: when work on an obligation starts, and when it has its
// outcome.
using Progress = std::function<void(std::size_t index, bool done)>;

// By obligation: whether an executed run breaks what it claims; see break.h.
using FindBroken = std::function<std::vector<bool>(const Claimed&)>;

// What the questions go through.
struct Engine {
  Options options;
  engine::Crew& crew;
  engine::Cache* cache;  // may be null
};

// Of an assumption: does it contradict what was known before?
struct Doubt {
  enum class Kind : std::uint8_t {
    Contradicts,
    NobodyThere,  // so it seems, but it is not known whether anybody could get there without it
    Unanswered,   // the time was over, or the solver failed
  };
  std::size_t assumption;
  Kind kind;
};

// The obligations that come behind an assumption, in its branch or where branches have met again.
[[nodiscard]] std::vector<std::size_t> find_behind(
    const vcgen::Assumption& assumption, const std::vector<vcgen::Obligation>& obligations,
    const logic::TermTable& terms);

// What was asked, and what was proved. Several dischargers may share it, in several threads.
class Ledger {
 public:
  // Of a question with these facts and this digest; nothing if it has no outcome yet.
  [[nodiscard]] std::optional<Outcome> find(Extent extent, const std::string& digest) const;
  void enter(Extent extent, const std::string& digest, const Outcome& outcome);
  [[nodiscard]] bool has_proof(const std::string& digest) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Outcome> asked_[3];  // by extent
  std::unordered_set<std::string> proved_;
};

// Of one verification, or of a part of it that has its own terms. What was asked once is not asked
// again.
class Discharger {
 public:
  Discharger(logic::TermTable& terms, Engine& engine, std::shared_ptr<Ledger> ledger = nullptr);
  ~Discharger();
  Discharger(const Discharger&) = delete;
  Discharger& operator=(const Discharger&) = delete;

  // Fills `outcomes`, which has a place for each obligation, for those in `which`; each is
  // there before `progress` says so. What a run breaks is refuted, before it has all effort.
  void run(const std::vector<vcgen::Obligation>& obligations, const std::vector<std::size_t>& which,
           const Progress& progress, std::vector<Outcome>& outcomes,
           const FindBroken& find_broken = {});

  // The assumptions that contradict what was known before them, or of which that is not known; see
  // vcgen::Assumption. The outcomes say where to look: a proof that may have done without its claim
  // makes what stands before it suspicious, and one that took all effort makes it worth as much.
  // Nobody asks about a place that is visited by a run; see explore.h.
  [[nodiscard]] std::vector<Doubt> contradictions(
      std::vector<vcgen::Assumption> assumptions, const std::vector<vcgen::Obligation>& obligations,
      const std::vector<Outcome>& outcomes,
      const std::function<bool(const vcgen::Assumption&)>& is_visited = {});

  // Of a claim that there is something, which is not proved of what was tried: whether a solver has
  // found a model of all that is taken for granted everywhere, that claim among it.
  [[nodiscard]] bool is_met_by_model(const vcgen::Obligation& obligation, const Outcome& outcome,
                                     const std::vector<vcgen::Assumption>& assumptions);

  // Compares what is about to be reported with what was proved: every outcome that says "proved"
  // has a proof, and the ledger has one for the question that this very obligation asks. False:
  // something else was found.
  [[nodiscard]] bool audit(const std::vector<vcgen::Obligation>& obligations,
                           const std::vector<Outcome>& outcomes);

  // Whether some question was ended by the clock or by a failure. What came of all of them is then
  // not what comes of them another time, so nobody should remember it.
  [[nodiscard]] bool is_troubled() const;
  // Whether something was not proved of what is of no use then; see Options::or_nothing.
  [[nodiscard]] bool is_in_vain() const;
  // Whether an inferred fact fell that was made from a claim, and that might stand if products were
  // exact.
  [[nodiscard]] bool has_dropped_claims() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace leto::prove

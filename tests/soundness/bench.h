// What one worker of a campaign verifies with: solvers in some mood, and caches.
#pragma once

#include <atomic>
#include <limits>
#include <map>
#include <memory>

#include "engine/cache.h"
#include "ready.h"
#include "settings.h"
#include "workbench/verifying.h"

namespace leto::soundness {

// What one worker has asked before: most of a program stays the same when a claim is dropped.
class Memory final : public engine::Cache {
 public:
  bool find(const std::string&, const solver::Query& query, solver::Answer& answer) override;
  void keep(const std::string&, const solver::Query& query, const solver::Answer& answer) override;
  void clear();

 private:
  std::mutex mutex_;
  std::map<std::string, solver::Answer> answers_;
};

// What may be spent on the program at hand.
struct Purse {
  std::atomic<std::uint64_t> spent{0}, budget{0};
  Allowance allowance;

  void fill(std::uint64_t with) {
    spent = 0;
    budget = with;
    allowance.renew();
  }
  void spend(std::uint64_t much) {
    if ((spent += much) > budget) allowance.end(Allowance::End::Time);
  }
};

class Bench {
 public:
  // `directory`: where the cache that all workers share lies.
  explicit Bench(const std::string& directory);

  // Forgets what belongs to the program before.
  void begin(const Manner& manner, std::uint64_t index);
  [[nodiscard]] workbench::Verified verify(const Ready& ready, Trap trap);
  // Only what is proved quickly: to find out which claims are worth keeping.
  [[nodiscard]] workbench::Verified verify_hastily(const Ready& ready, Trap trap);
  // Whether the program at hand has cost more than most: then it is given up. Counted by what
  // solvers have done, not by the clock, so that it is the same in each run.
  [[nodiscard]] bool exhausted() const { return purse_.allowance.spent(); }
  // What is found to be wrong is worth any work.
  void spend_freely() { purse_.fill(std::numeric_limits<std::uint64_t>::max()); }
  [[nodiscard]] engine::Crew& crew() { return manner_.workers == 1 ? one_ : two_; }

 private:
  [[nodiscard]] engine::Cache* cache();

  Manner manner_;
  std::atomic<Mood> mood_{Mood::Honest};
  std::atomic<std::uint64_t> dice_{0};  // for moods that are not honest
  Purse purse_;
  Memory memory_;
  std::unique_ptr<engine::FileCache> file_;
  engine::Crew one_, two_;
};

}  // namespace leto::soundness

// Random programs, one after the other and by several workers, until all are done or one of them
// shows that something is wrong.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "bench.h"
#include "coverage.h"
#include "generate.h"

namespace leto::soundness {

struct Tally {
  std::uint64_t programs = 0, rejected = 0, verified = 0, runs = 0, complete = 0, refuted = 0,
                looked_at = 0, shown = 0, undecided = 0, given_up = 0, compared = 0, violations = 0,
                byte_runs = 0, walked = 0;
};

class Campaign {
 public:
  explicit Campaign(const Settings& settings) : settings_(settings), next_(settings.first) {}
  virtual ~Campaign() = default;
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;

  void run();
  [[nodiscard]] double elapsed() const;

  Tally tally;
  Coverage coverage;
  std::string violation;           // the program, as small as it gets, and what it shows
  std::uint64_t violation_at = 0;  // how many programs it took

 protected:
  virtual void try_one(std::uint64_t index, Bench& bench) = 0;

  // Adds to the tally what one program came to. `violated`: what is wrong, or empty.
  void add(const Tally& more, std::uint64_t index, const std::string& violated);
  [[nodiscard]] Generator generator(std::uint64_t index) const {
    return Generator(settings_.seed * 1'000'003 + index, settings_.theme);
  }
  void print(const std::string& text);

  const Settings settings_;
  std::mutex mutex_;

 private:
  void work(const std::string& directory);

  std::atomic<std::uint64_t> next_;
  std::atomic<bool> stop_{false};
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Programs that verify are executed; no claim may fail.
[[nodiscard]] std::unique_ptr<Campaign> make_verify_campaign(const Settings& settings);
// What is proved under a super-model holds under a model that is proved to refine it.
[[nodiscard]] std::unique_ptr<Campaign> make_refinement_campaign(const Settings& settings);
// Both interpreters do the same.
[[nodiscard]] std::unique_ptr<Campaign> make_agreement_campaign(const Settings& settings);
// Bounds that are proved are never more than the exact chance.
[[nodiscard]] std::unique_ptr<Campaign> make_reliability_campaign(const Settings& settings);

}  // namespace leto::soundness

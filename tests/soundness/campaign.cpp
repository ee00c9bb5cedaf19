#include "campaign.h"

#include <fmt/core.h>

#include <filesystem>
#include <iostream>
#include <thread>

namespace leto::soundness {

void Campaign::run() {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() /
      fmt::format("leto-soundness-{}-{}", settings_.seed,
                  std::chrono::steady_clock::now().time_since_epoch().count());
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < settings_.workers; ++i)
    threads.emplace_back([&] { work(directory.string()); });
  for (std::thread& thread : threads) thread.join();
  std::error_code error;
  std::filesystem::remove_all(directory, error);
}

double Campaign::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Campaign::work(const std::string& directory) {
  Bench bench(directory);
  while (!stop_.load()) {
    const std::uint64_t index = next_.fetch_add(1);
    if (index >= settings_.first + settings_.programs) return;
    if (settings_.seconds > 0 && elapsed() > settings_.seconds) return;
    bench.begin(manner_of(settings_, index), index);
    try_one(index, bench);
  }
}

void Campaign::add(const Tally& more, std::uint64_t index, const std::string& violated) {
  const std::lock_guard lock(mutex_);
  ++tally.programs;
  tally.rejected += more.rejected;
  tally.verified += more.verified;
  tally.runs += more.runs;
  tally.complete += more.complete;
  tally.refuted += more.refuted;
  tally.looked_at += more.looked_at;
  tally.shown += more.shown;
  tally.undecided += more.undecided;
  tally.given_up += more.given_up;
  tally.compared += more.compared;
  tally.byte_runs += more.byte_runs;
  tally.walked += more.walked;
  if (violated.empty()) return;
  ++tally.violations;
  if (settings_.all)
    std::cout << "VIOLATION in program " << index << "\n" << violated << "\n" << std::flush;
  if (stop_.load() || (settings_.all && !violation.empty())) return;
  if (!settings_.all) stop_.store(true);
  violation_at = tally.programs;
  violation = fmt::format("program {}\n{}", index, violated);
}

void Campaign::print(const std::string& text) {
  const std::lock_guard lock(mutex_);
  std::cout << text << "\n----\n";
}

}  // namespace leto::soundness

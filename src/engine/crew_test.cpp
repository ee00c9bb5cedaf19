#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "engine/engine.h"

namespace leto::engine {

namespace {

Crew without_solvers(unsigned workers) {
  return Crew(workers, [] { return nullptr; });
}

}  // namespace

TEST(Crew, DoesEachJobOnce) {
  for (const unsigned workers : {0u, 1u, 3u}) {
    Crew crew = without_solvers(workers);
    std::vector<std::atomic<int>> done(50);
    crew.work(done.size(), [&](unsigned worker, std::size_t i) {
      EXPECT_LT(worker, crew.size());
      ++done[i];
    });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

// Whoever has work in the middle of a job does it, so that nobody waits for those who wait for him.
TEST(Crew, JobsHaveWorkForTheCrew) {
  for (const unsigned workers : {0u, 1u, 2u, 5u}) {
    Crew crew = without_solvers(workers);
    std::atomic<int> done = 0;
    crew.work(7, [&](unsigned, std::size_t) {
      crew.work(
          5, [&](unsigned, std::size_t) { crew.work(3, [&](unsigned, std::size_t) { ++done; }); });
    });
    EXPECT_EQ(done, 7 * 5 * 3) << workers;
  }
}

TEST(Crew, WhatAJobThrowsComesToItsOwnCaller) {
  for (const unsigned workers : {0u, 1u, 4u}) {
    Crew crew = without_solvers(workers);
    std::atomic<int> caught = 0;
    crew.work(6, [&](unsigned, std::size_t outer) {
      try {
        crew.work(4, [&](unsigned, std::size_t inner) {
          if (outer == 2 && inner == 1) throw std::runtime_error("no");
        });
      } catch (const std::runtime_error&) {
        EXPECT_EQ(outer, 2u);
        ++caught;
      }
    });
    EXPECT_EQ(caught, 1) << workers;
    EXPECT_THROW(crew.work(3, [](unsigned, std::size_t) { throw std::logic_error("no"); }),
                 std::logic_error);
    crew.work(3, [](unsigned, std::size_t) {});  // and goes on
  }
}

// Each worker has a solver of its own, which nobody else uses meanwhile.
TEST(Crew, AWorkerDoesOneJobAtATime) {
  Crew crew = without_solvers(3);
  std::vector<std::atomic<int>> busy(crew.size());
  crew.work(40, [&](unsigned worker, std::size_t) {
    EXPECT_EQ(++busy[worker], 1);
    std::this_thread::yield();
    --busy[worker];
  });
}

}  // namespace leto::engine

// What somebody else wrote into a cache is not put to a solver. More about caches: engine_test.
#include "engine/cache.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>

namespace leto::engine {

TEST(Cache, ASampleHasOnlyWhatIsSealed) {
  std::string folder = (std::filesystem::temp_directory_path() / "leto-cache-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::string problem;
  const auto cache = open_cache(folder + "/cache", folder + "/key", problem);
  ASSERT_TRUE(cache) << problem;
  solver::Answer unsat;
  unsat.verdict = solver::Verdict::Unsat;
  cache->keep("z3", {"(assert a)"}, unsat);
  cache->keep("z3", {"(assert b)"}, unsat);
  EXPECT_EQ(cache->sample(10)->size(), 2u);
  EXPECT_EQ(cache->sample(1)->size(), 1u);

  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder + "/cache/answers.db").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db,
                         "UPDATE answers SET question = '(set-option :regular-output-channel f)' "
                         "WHERE question = '(assert a)'",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(db);
  const auto sample = cache->sample(10);
  ASSERT_EQ(sample->size(), 1u);
  EXPECT_EQ((*sample)[0].query.text, "(assert b)");
  std::filesystem::remove_all(folder);
}

}  // namespace leto::engine

// What somebody else wrote into a cache is not put to a solver, and is no record of a proof. More
// about caches: engine_test.
#include "engine/cache.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>

#include "engine/own_code.h"

namespace leto::engine {

namespace {

// A cache in a folder that goes with it.
struct OwnCache {
  OwnCache() {
    folder = (std::filesystem::temp_directory_path() / "leto-cache-XXXXXX").string();
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    cache = open();
  }
  ~OwnCache() {
    cache.reset();
    std::filesystem::remove_all(folder);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  [[nodiscard]] std::unique_ptr<FileCache> open(const char* key = "key") const {
    std::string problem;
    auto opened = open_cache(folder + "/cache", folder + "/" + key, problem);
    EXPECT_TRUE(opened) << problem;
    return opened;
  }
  void change(const char* sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((folder + "/cache/answers.db").c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
  }
  std::string folder;
  std::unique_ptr<FileCache> cache;
};

}  // namespace

TEST(Cache, ASampleHasOnlyWhatIsSealed) {
  const OwnCache own;
  const std::unique_ptr<FileCache>& cache = own.cache;
  solver::Answer unsat;
  unsat.verdict = solver::Verdict::Unsat;
  cache->keep("z3", {"(assert a)"}, unsat);
  cache->keep("z3", {"(assert b)"}, unsat);
  EXPECT_EQ(cache->sample(10)->size(), 2u);
  EXPECT_EQ(cache->sample(1)->size(), 1u);

  own.change(
      "UPDATE answers SET question = '(set-option :regular-output-channel f)' "
      "WHERE question = '(assert a)'");
  const auto sample = cache->sample(10);
  ASSERT_EQ(sample->size(), 1u);
  EXPECT_EQ((*sample)[0].query.text, "(assert b)");
}

TEST(Cache, RecordsComeBackToWhoSealedThem) {
  const OwnCache own;
  own.cache->keep_record("f", "proved");
  own.cache->keep_record("g", "also");
  EXPECT_EQ(own.cache->find_record("f"), "proved");
  EXPECT_EQ(own.open()->find_record("f"), "proved");
  EXPECT_EQ(own.open("other-key")->find_record("f"), std::nullopt);
  EXPECT_EQ(own.cache->find_record("h"), std::nullopt);
  EXPECT_EQ(own.cache->statistics().records, 2u);
  EXPECT_EQ(own.cache->statistics().entries, 2u);

  own.change("UPDATE records SET record = 'all' WHERE key = 'f'");
  EXPECT_EQ(own.cache->find_record("f"), std::nullopt);
  // The record and the seal of another one.
  own.change(
      "INSERT OR REPLACE INTO records SELECT 'f', record, seal FROM records WHERE key = 'g'");
  EXPECT_EQ(own.cache->find_record("f"), std::nullopt);
  EXPECT_EQ(own.cache->statistics().foreign, 1u);
  EXPECT_TRUE(own.cache->clear());
  EXPECT_EQ(own.cache->find_record("g"), std::nullopt);
}

TEST(Cache, TablesOfOthersAreNotUsed) {
  const OwnCache own;
  own.change("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM answers; END");
  std::string problem;
  EXPECT_FALSE(open_cache(own.folder + "/cache", own.folder + "/key", problem));
  EXPECT_NE(problem.find("tables of somebody else"), std::string::npos) << problem;
}

TEST(OwnCode, HasABuildIdOfSomeLength) {
  const std::string id = find_own_build_id();
  EXPECT_GE(id.size(), 16u);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(find_own_build_id(), id);
}

}  // namespace leto::engine

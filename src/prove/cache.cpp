#include "prove/cache.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "prove/digest.h"
#include "prove/theorem.h"

namespace leto::prove {

namespace {

std::string joined(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& one : list) out += one + '\x1f';
  return out;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t to = text.find('\x1f', from);
    if (to == std::string::npos) break;
    out.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return out;
}

// A prepared statement that is finished whatever happens.
class Statement {
 public:
  Statement(sqlite3* db, const char* sql) { sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr); }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  void bind(int index, const std::string& text) {
    if (statement_)
      sqlite3_bind_text(statement_, index, text.data(), static_cast<int>(text.size()),
                        SQLITE_TRANSIENT);
  }
  void bind(int index, std::int64_t number) {
    if (statement_) sqlite3_bind_int64(statement_, index, number);
  }
  bool row() { return statement_ && sqlite3_step(statement_) == SQLITE_ROW; }
  void done() {
    if (statement_) sqlite3_step(statement_);
  }
  std::string text(int column) {
    const unsigned char* data = sqlite3_column_text(statement_, column);
    return data ? std::string(reinterpret_cast<const char*>(data),
                              static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
                : "";
  }
  std::int64_t number(int column) { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

class SqliteCache final : public FileCache {
 public:
  SqliteCache(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}
  ~SqliteCache() override { sqlite3_close(db_); }

  bool find(const std::string& solver, const solver::Query& query,
            solver::Answer& answer) override {
    const std::lock_guard lock(mutex_);
    const std::string key = key_of(solver, query);
    Statement get(db_, "SELECT verdict, resource, vals, seal, question FROM answers WHERE key = ?");
    get.bind(1, key);
    if (!get.row()) return false;
    const std::int64_t verdict = get.number(0);
    const std::string values = get.text(2);
    if (get.text(3) != seal_of(key, verdict, get.number(1), values, get.text(4))) return false;
    if (get.text(4) != query.text) return false;
    if (verdict < 0 || verdict >= kKept) return false;
    if (query.effort == solver::Effort::Full && verdict_of(verdict) == solver::Verdict::Unknown)
      return false;
    answer.verdict = verdict_of(verdict);
    answer.took_claim = verdict == kUnsatByClaim;
    answer.took_nothing = verdict == kUnsatByNothing;
    answer.reason = verdict == kOutOfResource ? solver::Reason::Resource
                    : verdict == kGaveUp      ? solver::Reason::Incomplete
                                              : solver::Reason::None;
    answer.resource = static_cast<std::uint64_t>(get.number(1));
    answer.values = split(values);
    return true;
  }

  void keep(const std::string& solver, const solver::Query& query,
            const solver::Answer& answer) override {
    // What is not known is not final, except that a brief question was not worth more; and
    // not even that if it was the clock or the process that failed.
    if (answer.verdict == solver::Verdict::Unknown &&
        !(query.effort != solver::Effort::Full && (answer.reason == solver::Reason::Resource ||
                                                   answer.reason == solver::Reason::Incomplete)))
      return;
    const std::lock_guard lock(mutex_);
    const std::string key = key_of(solver, query);
    const std::int64_t verdict = kept_as(answer);
    const std::string values = joined(answer.values);
    const auto resource = static_cast<std::int64_t>(answer.resource);
    Statement put(db_, "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)");
    put.bind(1, key);
    put.bind(2, verdict);
    put.bind(3, resource);
    put.bind(4, values);
    put.bind(5, seal_of(key, verdict, resource, values, query.text));
    put.bind(6, query.text);
    put.done();
  }

  CacheStatistics statistics() override {
    const std::lock_guard lock(mutex_);
    CacheStatistics s;
    Statement all(db_, "SELECT key, verdict, resource, vals, seal, question FROM answers");
    while (all.row()) {
      ++s.entries;
      if (all.text(4) !=
          seal_of(all.text(0), all.number(1), all.number(2), all.text(3), all.text(5)))
        ++s.damaged;
      else
        (verdict_of(all.number(1)) == solver::Verdict::Unsat ? s.proved : s.refuted) += 1;
    }
    std::error_code error;
    s.bytes = std::filesystem::file_size(path_, error);
    return s;
  }

  void clear() override {
    const std::lock_guard lock(mutex_);
    sqlite3_exec(db_, "DELETE FROM answers; VACUUM;", nullptr, nullptr, nullptr);
  }

  std::vector<Entry> sample(std::size_t most) override {
    const std::lock_guard lock(mutex_);
    std::vector<Entry> entries;
    Statement some(db_,
                   "SELECT question, verdict FROM answers WHERE verdict IN (0, 1, 4, 5) "
                   "ORDER BY random() LIMIT ?");
    some.bind(1, static_cast<std::int64_t>(most));
    const std::string declared = fmt::format("(declare-fun {} ()", kClaimed);
    while (some.row()) {
      solver::Query query{some.text(0)};
      if (query.text.find(declared) != std::string::npos) query.claimed = kClaimed;
      entries.push_back({std::move(query), verdict_of(some.number(1))});
    }
    return entries;
  }

 private:
  // How answers are kept. A reason is part of one: who asks goes on by it.
  enum Kept : std::int64_t {
    kUnsat,
    kSat,
    kOutOfResource,
    kGaveUp,
    kUnsatByClaim,
    kUnsatByNothing,
    kKept
  };
  static Kept kept_as(const solver::Answer& answer) {
    switch (answer.verdict) {
      case solver::Verdict::Unsat:
        return answer.took_claim ? kUnsatByClaim : answer.took_nothing ? kUnsatByNothing : kUnsat;
      case solver::Verdict::Sat:
        return kSat;
      case solver::Verdict::Unknown:
        return answer.reason == solver::Reason::Resource ? kOutOfResource : kGaveUp;
    }
    return kGaveUp;
  }
  static solver::Verdict verdict_of(std::int64_t kept) {
    if (kept == kSat) return solver::Verdict::Sat;
    const bool unsat = kept == kUnsat || kept == kUnsatByClaim || kept == kUnsatByNothing;
    return unsat ? solver::Verdict::Unsat : solver::Verdict::Unknown;
  }
  static std::string key_of(const std::string& solver, const solver::Query& query) {
    return digest(std::string("leto ") + kEncoderVersion + "\n" + solver +
                  fmt::format(" effort {}", static_cast<int>(query.effort)) +
                  (query.strategy == solver::Strategy::Matching ? " matching" : "") + "\n" +
                  joined(query.values) + "\n" + query.text);
  }
  static std::string seal_of(const std::string& key, std::int64_t verdict, std::int64_t resource,
                             const std::string& values, const std::string& question) {
    return digest(fmt::format("{}\n{}\n{}\n{}\n{}", key, verdict, resource, values, question));
  }

  sqlite3* db_;
  std::string path_;
  std::mutex mutex_;
};

}  // namespace

std::unique_ptr<FileCache> open_cache(const std::string& directory, std::string& problem) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const std::string path = (std::filesystem::path(directory) / "answers.db").string();
  sqlite3* db = nullptr;
  if (sqlite3_open(path.c_str(), &db) != SQLITE_OK) {
    problem = db ? sqlite3_errmsg(db) : "it cannot be opened";
    sqlite3_close(db);
    return nullptr;
  }
  sqlite3_busy_timeout(db, 5000);
  const char* schema =
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
      "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, verdict INTEGER, resource "
      "INTEGER, "
      "vals TEXT, seal TEXT, question TEXT);";
  // Two processes that create it at the same time: changing the journal's mode does not wait
  // as other statements do.
  int result = SQLITE_BUSY;
  for (int attempt = 0; attempt < 100 && (result == SQLITE_BUSY || result == SQLITE_LOCKED);
       ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    result = sqlite3_exec(db, schema, nullptr, nullptr, nullptr);
  }
  if (result != SQLITE_OK) {
    problem = sqlite3_errmsg(db);
    sqlite3_close(db);
    return nullptr;
  }
  return std::make_unique<SqliteCache>(db, path);
}

std::string default_cache_directory() {
  if (const char* given = std::getenv("LETO_CACHE"); given && *given) return given;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return std::string(xdg) + "/leto";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/leto";
  return {};
}

}  // namespace leto::prove

#include "engine/cache.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <thread>

#include "engine/digest.h"
#include "files/files.h"

namespace leto::engine {

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
  Statement(sqlite3* db, const char* sql) {
    if (sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr) != SQLITE_OK) failed_ = true;
  }
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
  bool row() {
    const int result = statement_ ? sqlite3_step(statement_) : SQLITE_ERROR;
    if (result != SQLITE_ROW && result != SQLITE_DONE) failed_ = true;
    return result == SQLITE_ROW;
  }
  void done() { (void)row(); }
  // Whether there may be rows that were not seen, or nothing was done.
  [[nodiscard]] bool failed() const { return failed_; }
  std::string text(int column) {
    const unsigned char* data = sqlite3_column_text(statement_, column);
    return data ? std::string(reinterpret_cast<const char*>(data),
                              static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
                : "";
  }
  std::int64_t number(int column) { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
  bool failed_ = false;
};

class SqliteCache final : public FileCache {
 public:
  SqliteCache(sqlite3* db, std::string path, std::string secret)
      : db_(db), path_(std::move(path)), secret_(std::move(secret)) {}
  ~SqliteCache() override { sqlite3_close(db_); }

  bool find(const std::string& solver, const solver::Query& query,
            solver::Answer& answer) override {
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) return false;
    const std::string key = key_of(solver, query);
    Statement get(db_, "SELECT verdict, resource, vals, seal, question FROM answers WHERE key = ?");
    get.bind(1, key);
    if (!get.row()) {
      if (get.failed()) give_up();
      return false;
    }
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
    if (!is_worth_keeping(query, answer)) return;
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) return;
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
    if (put.failed()) give_up();
  }

  std::optional<std::string> find_record(const std::string& key) override {
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) return std::nullopt;
    Statement get(db_, "SELECT record, seal FROM records WHERE key = ?");
    get.bind(1, key);
    if (!get.row()) {
      if (get.failed()) give_up();
      return std::nullopt;
    }
    std::string record = get.text(0);
    if (get.text(1) != seal_of(key, record)) return std::nullopt;
    return record;
  }

  void keep_record(const std::string& key, const std::string& record) override {
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) return;
    Statement put(db_, "INSERT OR REPLACE INTO records VALUES (?, ?, ?)");
    put.bind(1, key);
    put.bind(2, record);
    put.bind(3, seal_of(key, record));
    put.done();
    if (put.failed()) give_up();
  }

  std::string problem() override {
    const std::lock_guard lock(mutex_);
    return problem_;
  }

  std::string directory() const override {
    return std::filesystem::path(path_).parent_path().string();
  }

  CacheStatistics statistics() override {
    const std::lock_guard lock(mutex_);
    CacheStatistics s;
    Statement all(db_, "SELECT key, verdict, resource, vals, seal, question FROM answers");
    while (all.row()) {
      ++s.entries;
      (is_sealed(all) ? count_of(verdict_of(all.number(1)), s) : s.foreign) += 1;
    }
    Statement records(db_, "SELECT key, record, seal FROM records");
    while (records.row()) {
      ++s.entries;
      (records.text(2) == seal_of(records.text(0), records.text(1)) ? s.records : s.foreign) += 1;
    }
    s.complete = !all.failed() && !records.failed();
    std::error_code error;
    s.bytes = std::filesystem::file_size(path_, error);
    return s;
  }

  bool clear() override {
    const std::lock_guard lock(mutex_);
    return sqlite3_exec(db_, "DELETE FROM answers; DELETE FROM records; VACUUM;", nullptr, nullptr,
                        nullptr) == SQLITE_OK;
  }

  std::optional<std::vector<Entry>> sample(std::size_t most) override {
    const std::lock_guard lock(mutex_);
    std::vector<Entry> entries;
    Statement some(db_,
                   "SELECT key, verdict, resource, vals, seal, question FROM answers "
                   "WHERE verdict IN (0, 1, 4, 5) ORDER BY random()");
    const std::string declared = fmt::format("(declare-fun {} ()", kClaimed);
    while (entries.size() < most && some.row()) {
      if (!is_sealed(some)) continue;  // what somebody else wrote is not put to a solver
      solver::Query query{some.text(5)};
      if (query.text.find(declared) != std::string::npos) query.claimed = kClaimed;
      entries.push_back({std::move(query), verdict_of(some.number(1))});
    }
    if (some.failed()) return std::nullopt;
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
  static std::size_t& count_of(solver::Verdict verdict, CacheStatistics& s) {
    switch (verdict) {
      case solver::Verdict::Unsat:
        return s.proved;
      case solver::Verdict::Sat:
        return s.refuted;
      case solver::Verdict::Unknown:
        return s.open;
    }
    return s.open;
  }
  // Whatever is wrong with it, waiting for it at every question would cost more than it gives.
  void give_up() { problem_ = sqlite3_errmsg(db_); }
  // Of a row with all columns, in their order.
  [[nodiscard]] bool is_sealed(Statement& row) const {
    return row.text(4) ==
           seal_of(row.text(0), row.number(1), row.number(2), row.text(3), row.text(5));
  }
  // Each part with its length, so that none can run into the next.
  [[nodiscard]] std::string seal_of(const std::string& key, std::int64_t verdict,
                                    std::int64_t resource, const std::string& values,
                                    const std::string& question) const {
    return sealed_digest(
        secret_, fmt::format("{}:{}\n{}\n{}\n{}:{}\n{}:{}", key.size(), key, verdict, resource,
                             values.size(), values, question.size(), question));
  }
  // No answer has this seal: those begin with a number.
  [[nodiscard]] std::string seal_of(const std::string& key, const std::string& record) const {
    return sealed_digest(secret_, fmt::format("record {}:{}\n{}", key.size(), key, record));
  }

  sqlite3* db_;
  std::string path_, secret_;
  std::mutex mutex_;
  std::string problem_;  // why it was given up
};

struct Table {
  const char *name, *index, *columns;
  [[nodiscard]] std::string schema() const {
    return fmt::format("CREATE TABLE {} ({})", name, columns);
  }
};
constexpr Table kTables[] = {
    {"answers", "sqlite_autoindex_answers_1",
     "key TEXT PRIMARY KEY, verdict INTEGER, resource INTEGER, vals TEXT, seal TEXT, question "
     "TEXT"},
    {"records", "sqlite_autoindex_records_1", "key TEXT PRIMARY KEY, record TEXT, seal TEXT"},
};

// Nothing but our tables: a view or a trigger would run what somebody else wrote.
bool has_only_our_tables(sqlite3* db) {
  Statement all(db, "SELECT type, name, sql FROM sqlite_master");
  while (all.row()) {
    const bool known = std::any_of(std::begin(kTables), std::end(kTables), [&](const Table& table) {
      const bool ours = all.text(0) == "table" && all.text(1) == table.name;
      return (ours && all.text(2) == table.schema()) ||
             (all.text(0) == "index" && all.text(1) == table.index);
    });
    if (!known) return false;
  }
  return !all.failed();
}

// It is only a cache.
constexpr const char* kRemedy = "; if nobody else is using it, remove that file";

// Changing the journal's mode does not wait as other statements do: two processes may create it at
// the same time.
int prepare_tables(sqlite3* db) {
  std::string schema =
      "PRAGMA trusted_schema=OFF; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;";
  for (const Table& table : kTables)
    schema += fmt::format("CREATE TABLE IF NOT EXISTS {} ({});", table.name, table.columns);
  int result = SQLITE_BUSY;
  for (int attempt = 0; attempt < 100 && (result == SQLITE_BUSY || result == SQLITE_LOCKED);
       ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    result = sqlite3_exec(db, schema.c_str(), nullptr, nullptr, nullptr);
  }
  return result;
}

// A journal tells SQLite to write, and even which file to remove: one that lies there before we
// begin is not followed. The rest of what lies beside must have no other name. Why not; empty: it
// is so.
files::Problem drop_what_others_began(const std::string& path) {
  if (const files::Problem why = files::remove(path + "-journal"); !why.empty()) return why;
  for (const char* ending : {"", "-wal", "-shm"})
    if (const files::Problem why = files::has_one_name(path + ending); !why.empty()) return why;
  return {};
}

}  // namespace

std::unique_ptr<FileCache> open_cache(const std::string& directory, const std::string& key,
                                      std::string& problem) {
  const auto fail = [&](const std::string& what, const std::string& why) {
    problem = fmt::format("{}: {}", what, why);
    return nullptr;
  };
  if (key.empty())
    return fail("there is no place for the secret that seals it", "set HOME or XDG_STATE_HOME");
  if (const files::Problem why = files::owned_folder(directory); !why.empty())
    return fail(directory, why);
  files::Secret secret = files::own_secret(key, 32);
  if (!secret.bytes) return fail(key, secret.problem);
  const std::string path = files::real_path(directory) + "/answers.db";
  // Whoever makes the database has a journal of his own, until it is made.
  const std::shared_ptr<void> held = files::hold(directory);
  if (!held) return fail(directory, "somebody else holds it");
  if (const files::Problem why = drop_what_others_began(path); !why.empty()) return fail(path, why);
  sqlite3* db = nullptr;
  const int opened =
      sqlite3_open_v2(path.c_str(), &db,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, nullptr);
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> owner(db, sqlite3_close);
  if (opened != SQLITE_OK)
    return fail(path, (db ? sqlite3_errmsg(db) : "it cannot be opened") + std::string(kRemedy));
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_busy_timeout(db, 1000);
  if (!has_only_our_tables(db))
    return fail(path, "it has tables of somebody else, or cannot be read" + std::string(kRemedy));
  if (prepare_tables(db) != SQLITE_OK) return fail(path, sqlite3_errmsg(db) + std::string(kRemedy));
  if (!has_only_our_tables(db))
    return fail(path, "it has tables of somebody else" + std::string(kRemedy));
  return std::make_unique<SqliteCache>(owner.release(), path, std::move(*secret.bytes));
}

std::string default_cache_directory() {
  if (const char* given = std::getenv("LETO_CACHE"); given && *given) return given;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
    return std::string(xdg) + "/leto";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/leto";
  return {};
}

std::string default_key_file() {
  if (const char* xdg = std::getenv("XDG_STATE_HOME"); xdg && *xdg)
    return std::string(xdg) + "/leto/cache-key";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.local/state/leto/cache-key";
  return {};
}

}  // namespace leto::engine

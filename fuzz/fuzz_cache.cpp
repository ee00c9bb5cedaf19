// libFuzzer target over the file of a cache. Whatever its bytes are, nothing may crash, and
// whatever is found in it, by a question or as a sample, was put there under our own key. The
// mutator knows SQLite: most of what it makes is a database that opens, with rows that somebody
// without the key might have written.
//
// The first byte says which file the rest is: the database, or the log that SQLite would put back
// into it.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/cache.h"
#include "fuzzing.h"

using namespace leto;
using solver::Answer;
using solver::Query;
using solver::Reason;
using solver::Verdict;

namespace {

struct Kept {
  std::string solver;
  Query query;
  Answer answer;
};

Answer answered(Verdict verdict, bool took_claim, std::vector<std::string> values) {
  Answer answer;
  answer.verdict = verdict;
  answer.took_claim = took_claim;
  answer.values = std::move(values);
  answer.resource = 7;
  return answer;
}

const std::vector<Kept>& kept() {
  static const auto& all = *new std::vector<Kept>{
      {"z3", {"(assert a)"}, answered(Verdict::Unsat, false, {})},
      {"z3", {"(declare-fun claimed ()"}, answered(Verdict::Unsat, true, {})},
      {"z3", {"(assert b)", {"x", "y"}}, answered(Verdict::Sat, false, {"1", "(- 2)"})},
      {"cvc5", {"(assert a)"}, answered(Verdict::Sat, false, {})}};
  return all;
}

// Questions that nobody has asked.
const std::vector<Kept>& never_kept() {
  static const auto& all =
      *new std::vector<Kept>{{"z3", {"(assert c)"}, {}},
                             {"cvc5", {"(assert b)", {"x", "y"}}, {}},
                             {"z3", {"(assert a)", {}, solver::Effort::Brief}, {}}};
  return all;
}

bool equal(const Answer& a, const Answer& b) {
  return a.verdict == b.verdict && a.took_claim == b.took_claim &&
         a.took_nothing == b.took_nothing && a.reason == b.reason && a.resource == b.resource &&
         a.values == b.values;
}

const std::string kRecordKey = "record", kRecord = "1 5 f all";

void write(const std::string& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  LETO_ASSERT(file >= 0);
  LETO_ASSERT(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  ::close(file);
}

// A folder in memory, and in it the cache and, beside it, the key, which is always the same. Gone
// when the fuzzer ends.
class Place {
 public:
  Place() {
    const char* given = std::getenv("TMPDIR");
    std::string pattern = std::string(given != nullptr ? given : "/dev/shm") + "/leto-fuzz-XXXXXX";
    LETO_ASSERT(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    write(folder_ + "/key", std::string(32, 'k'));
    const auto cache = open();
    LETO_ASSERT(cache);
    for (const Kept& one : kept()) cache->keep(one.solver, one.query, one.answer);
    cache->keep_record(kRecordKey, kRecord);
    cache->keep_record("other", "other");
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::unique_ptr<engine::FileCache> open() const {
    std::string problem;
    auto cache = engine::open_cache(folder_ + "/cache", folder_ + "/key", problem);
    LETO_ASSERT(cache || !problem.empty());
    return cache;
  }
  [[nodiscard]] std::string file(int which) const {
    constexpr std::array kEndings{"", "-wal", "-shm", "-journal"};
    return folder_ + "/cache/answers.db" + kEndings[static_cast<std::size_t>(which)];
  }

 private:
  std::string folder_;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Place& place() {
  static const Place one;
  return one;
}

// SQL in the database that lies there, as far as it works. The bytes of one of its files then.
std::string execute(const std::string& sql, int which) {
  sqlite3* db = nullptr;
  std::string bytes;
  if (sqlite3_open(place().file(0).c_str(), &db) == SQLITE_OK)
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
  if (which != 0) bytes = read(place().file(which));  // gone with the connection
  sqlite3_close(db);
  return which == 0 ? read(place().file(0)) : bytes;
}

// The database with what is kept, as small as there is one: what is mutated is copied often.
const std::string& genuine() {
  static const std::string& bytes = *new std::string(execute(
      "PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM; PRAGMA journal_mode=WAL;", 0));
  return bytes;
}

void lay_out(int which, const std::string& bytes) {
  for (int other = 1; other < 4; ++other) ::unlink(place().file(other).c_str());
  write(place().file(0), which == 0 ? bytes : genuine());
  if (which != 0) write(place().file(which), bytes);
}

void judge(engine::FileCache& cache) {
  for (const Kept& one : kept()) {
    Answer found;
    if (cache.find(one.solver, one.query, found)) LETO_ASSERT(equal(found, one.answer));
  }
  for (const Kept& one : never_kept()) {
    Answer found;
    LETO_ASSERT(!cache.find(one.solver, one.query, found));
  }
  const engine::CacheStatistics s = cache.statistics();
  LETO_ASSERT(s.foreign + s.proved + s.refuted + s.open + s.records == s.entries);
  if (const auto record = cache.find_record(kRecordKey)) LETO_ASSERT(*record == kRecord);
  LETO_ASSERT(!cache.find_record("never"));
  const auto sample = cache.sample(10);
  if (!sample) return;
  for (const engine::FileCache::Entry& entry : *sample)
    LETO_ASSERT(std::any_of(kept().begin(), kept().end(), [&](const Kept& one) {
      return one.query.text == entry.query.text && one.answer.verdict == entry.verdict;
    }));
}

// What is kept is found again, or nothing is.
void keep_more(engine::FileCache& cache) {
  const Query query{"(assert d)", {"z"}};
  const Answer answer = answered(Verdict::Sat, false, {"3"});
  cache.keep("z3", query, answer);
  Answer found;
  if (cache.find("z3", query, found)) LETO_ASSERT(equal(found, answer));
}

// Mutation ---------------------------------------------------------------------------------------

// What somebody could write who has no key.
std::string forgery(fuzz::Dice& dice) {
  constexpr std::array kColumns{"key", "verdict", "resource", "vals", "seal", "question"};
  constexpr std::array kValues{"0",    "1",        "2",    "4",       "5",
                               "6",    "-1",       "NULL", "0.5",     "x''",
                               "''",   "1e300",    "'0'",  "x'00ff'", "key",
                               "seal", "question", "vals", "verdict", "vals || char(31)"};
  const auto any = [&](const auto& list) { return std::string(list[dice.roll(list.size())]); };
  const std::string row = std::to_string(1 + dice.roll(5));
  const std::string other = std::to_string(1 + dice.roll(5));
  const std::string column = any(kColumns);
  switch (dice.roll(7)) {
    case 5:
      return "UPDATE records SET " + any(std::array{"key", "record", "seal"}) + " = " +
             any(std::array{"'record'", "'other'", "record || ' '", "seal",
                            "(SELECT seal FROM records WHERE rowid = 2)",
                            "(SELECT seal FROM answers WHERE rowid = 1)", "NULL", "x'00ff'"}) +
             " WHERE rowid = " + std::to_string(1 + dice.roll(2)) + ";";
    case 0:
      return "UPDATE answers SET " + column + " = (SELECT " + any(kColumns) +
             " FROM answers WHERE rowid = " + other + ") WHERE rowid = " + row + ";";
    case 1:
      return "INSERT INTO answers SELECT key || 'x', verdict, resource, vals, seal, question "
             "FROM answers WHERE rowid = " +
             row + ";";
    case 2:
      return "DELETE FROM answers WHERE rowid = " + row + ";";
    case 3:
      return "PRAGMA writable_schema=ON; UPDATE sqlite_master SET " +
             any(std::array{"sql", "name", "type", "rootpage"}) + " = " +
             any(std::array{"'view'", "'answers'", "NULL", "1", "2", "3",
                            "replace(sql, 'TEXT', 'BLOB')", "replace(sql, 'seal', 'vals')"}) +
             ";";
    case 4:
      return "CREATE " +
             any(std::array{"VIEW v AS SELECT 1", "INDEX i ON answers(verdict)", "TABLE t(a)",
                            "TRIGGER r BEFORE INSERT ON answers BEGIN "
                            "DELETE FROM answers; END"}) +
             ";";
    default:
      return "UPDATE answers SET " + column + " = " + any(kValues) + " WHERE rowid = " + row + ";";
  }
}

// Not by the fuzzer itself: it watches what is compared with what, and puts in the seals that it
// has seen us compute.
void change_bytes(std::string& bytes, fuzz::Dice& dice) {
  constexpr std::array kBytes{'\x00', '\x01', '\x02', '\x05', '\x0a',
                              '\x0d', '\x7f', '\x80', '\xff'};
  if (bytes.empty()) bytes = genuine();
  const std::size_t at = dice.roll(bytes.size()), from = dice.roll(bytes.size());
  const std::size_t length = 1 + dice.roll(dice.roll(2) == 0 ? 8 : 512);
  switch (dice.roll(8)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.erase(at, length);
      break;
    case 2:
      bytes.insert(at, bytes.substr(from, length));
      break;
    case 3:
      bytes.replace(at, length, bytes.substr(from, length));
      break;
    case 4:
      bytes[at] = static_cast<char>(dice.roll(256));
      break;
    case 5:
      bytes[at] = kBytes[dice.roll(kBytes.size())];
      break;
    default:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.roll(8)));
  }
}

}  // namespace

// Before anything else is written there. One thread, and nothing counted: it is faster.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  LETO_ASSERT(!genuine().empty());
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  fuzz::Dice dice(std::to_string(seed));
  const auto first =
      static_cast<std::uint8_t>(size > 0 && dice.roll(32) != 0 ? data[0] : dice.roll(256));
  std::string bytes =
      size > 1 && dice.roll(16) != 0 ? fuzz::text_of(data + 1, size - 1) : genuine();
  if (dice.roll(3) == 0) {
    lay_out(0, first % 2 == 0 ? bytes : genuine());
    bytes = execute(forgery(dice), first % 2);
  }
  if (dice.roll(3) != 0)
    for (std::uint64_t more = 1 + dice.roll(4); more > 0; --more) change_bytes(bytes, dice);
  bytes.resize(std::min(bytes.size(), most - 1));
  data[0] = first;
  std::memcpy(data + 1, bytes.data(), bytes.size());
  return 1 + bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  lay_out(data[0] % 2, fuzz::text_of(data + 1, size - 1));
  const auto cache = place().open();
  if (!cache) return 0;
  judge(*cache);
  keep_more(*cache);
  if (data[0] >= 240) (void)cache->clear();
  return 0;
}

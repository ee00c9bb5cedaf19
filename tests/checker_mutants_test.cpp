// Mutants of the checkers in examples/checkers: a small mistake in each, by which a pair must be
// found that is accepted and wrong, rejected and right, or fails. Nothing is proved: the pairs are
// searched for by execution alone, as `leto checker --bounded` does. What stands in these programs
// for proofs is left as it was, for it is not executed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver/driver.h"
#include "golden.h"

namespace leto::tests {

namespace fs = std::filesystem;

enum class Expected : std::uint8_t { Accepted, Rejected, Fails, Endless };

struct CheckerMutant {
  std::string name, checker, file;
  Expected expected;
  struct Edit {
    std::string from, to;
  };
  std::vector<Edit> edits;
  std::string in = {};  // the file that is changed, if that is another one
};

namespace {

using enum Expected;

const std::vector<CheckerMutant>& all_mutants() {
  static const std::vector<CheckerMutant> all = {
      {"last_edge_not_looked_at",
       "by_colouring",
       "bipartite",
       Accepted,
       {{"for (uint e = 0; e < m; ++e)", "for (uint e = 0; e + 1 < m; ++e)"}}},
      {"first_edge_not_looked_at",
       "by_colouring",
       "bipartite",
       Accepted,
       {{"for (uint e = 0; e < m; ++e)", "for (uint e = 1; e < m; ++e)"}}},
      {"loops_forgiven",
       "by_colouring",
       "bipartite",
       Accepted,
       {{"if (c[f[e]] == c[t[e]]) {", "if (f[e] != t[e] && c[f[e]] == c[t[e]]) {"}}},
      {"even_walk",
       "by_odd_walk",
       "bipartite",
       Accepted,
       {{"if (k % 2 == 0 || v[0] != v[k]) {", "if (v[0] != v[k]) {"}}},
      {"walk_not_closed",
       "by_odd_walk",
       "bipartite",
       Accepted,
       {{"if (k % 2 == 0 || v[0] != v[k]) {", "if (k % 2 == 0) {"}}},
      {"step_not_compared",
       "by_odd_walk",
       "bipartite",
       Accepted,
       {{"if (!(f[p[q]] == v[q] && t[p[q]] == v[q + 1] || f[p[q]] == v[q + 1] && t[p[q]] == v[q])) "
         "{",
         "if (f[p[q]] != v[q] && t[p[q]] != v[q]) {"}}},
      {"step_beyond_the_edges",
       "by_odd_walk",
       "bipartite",
       Fails,
       {{"if (p[q] >= m) {", "if (p[q] > m) {"}}},
      {"edge_not_counted",
       "by_colouring",
       "bipartite",
       Endless,
       {{"for (uint e = 0; e < m; ++e)", "for (uint e = 0; e < m; e = e)"}}},
      {"remainder_negative",
       "divided",
       "division",
       Accepted,
       {{"return a == q * b + r && 0 <= r && r < b;", "return a == q * b + r && r < b;"}}},
      {"remainder_subtracted",
       "divided",
       "division",
       Accepted,
       {{"return a == q * b + r && 0 <= r", "return a == q * b - r && 0 <= r"}}},
      {"remainder_too_large",
       "divided",
       "division",
       Accepted,
       {{"return a == q * b + r && 0 <= r && r < b;",
         "return a == q * b + r && 0 <= r && r <= b;"}}},
      {"remainder_never_zero",
       "divided",
       "division",
       Rejected,
       {{"return a == q * b + r && 0 <= r && r < b;", "return a == q * b + r && 0 < r && r < b;"}}},
      {"no_cover",
       "by_odd_sets",
       "edmonds",
       Accepted,
       {{"if (!is_cover(n, m, f, t, r, c)) {", "if (false) {"}}},
      {"gap", "by_odd_sets", "edmonds", Accepted, {{"return k == most;", "return k <= most;"}}},
      {"no_matching",
       "by_odd_sets",
       "edmonds",
       Accepted,
       {{"if (!is_matching(n, m, f, t, k, me)) {", "if (false) {"}}},
      {"vertex_used_twice",
       "by_odd_sets",
       "edmonds",
       Accepted,
       {{"if (by[f[me[i]]] > 0 || by[t[me[i]]] > 0) {", "if (by[f[me[i]]] > 0) {"}}},
      {"edge_not_in_graph",
       "by_odd_sets",
       "edmonds",
       Fails,
       {{"if (me[i] >= m) {", "if (me[i] > m) {"}}},
      {"cover_negative",
       "by_odd_sets",
       "edmonds",
       Fails,
       {{"if (c[v] < 0 || c[v] > r) {", "if (c[v] > r) {"}}},
      {"flow_not_kept",
       "by_cut",
       "flow",
       Accepted,
       {{"if (v != a && v != b && y[v] != 0) {", "if (v != a && v != b && y[v] < 0) {"}}},
      {"flow_negative",
       "by_cut",
       "flow",
       Accepted,
       {{"if (x[e] < 0 || x[e] > c[e]) {", "if (x[e] > c[e]) {"}}},
      {"sink_on_source_side",
       "by_cut",
       "flow",
       Accepted,
       {{"if (!s[a] || s[b]) {", "if (!s[a]) {"}}},
      {"flow_less_than_cut", "by_cut", "flow", Accepted, {{"if (y[a] != k) {", "if (y[a] > k) {"}}},
      {"no_bezout", "by_bezout", "gcd", Accepted, {{"if (g != a * s + b * t) {", "if (false) {"}}},
      {"divisor_negative", "by_bezout", "gcd", Accepted, {{"if (g < 0) {", "if (false) {"}}},
      {"zero_divides",
       "by_bezout",
       "gcd",
       Accepted,
       {{"return a == 0 && b == 0;", "return a == 0;"}}},
      {"no_cover",
       "by_cover",
       "koenig",
       Accepted,
       {{"if (!is_cover(n1, n2, m, f, t, a, b)) {", "if (false) {"}}},
      {"gap", "by_cover", "koenig", Accepted, {{"return k == c;", "return k <= c;"}}},
      {"no_matching",
       "by_cover",
       "koenig",
       Accepted,
       {{"if (!is_matching(n1, n2, m, f, t, me)) {", "if (false) {"}}},
      {"edge_of_another",
       "by_cover",
       "koenig",
       Accepted,
       {{"if (f[e] != u || by[t[e]] > 0) {", "if (by[t[e]] > 0) {"}}},
      {"vertex_used_twice",
       "by_cover",
       "koenig",
       Accepted,
       {{"if (f[e] != u || by[t[e]] > 0) {", "if (f[e] != u) {"}}},
      {"last_row_not_looked_at",
       "residual",
       "linear_system",
       Accepted,
       {{"for (uint i = 0; i < m; ++i)", "for (uint i = 0; i + 1 < m; ++i)"}}},
      {"row_0_skipped",
       "residual",
       "linear_system",
       Accepted,
       {{"for (uint i = 0; i < m; ++i)", "for (uint i = 1; i < m; ++i)"}}},
      {"one_sided_tolerance",
       "residual",
       "linear_system",
       Accepted,
       {{"if (s - b[i] > eps || b[i] - s > eps) {", "if (s - b[i] > eps) {"}}},
      {"other_side",
       "residual",
       "linear_system",
       Accepted,
       {{"if (s - b[i] > eps || b[i] - s > eps) {", "if (b[i] - s > eps) {"}}},
      {"accumulator_not_cleared",
       "residual",
       "linear_system",
       Accepted,
       {{"    for (uint i = 0; i < m; ++i)", "    real s = 0;\n    for (uint i = 0; i < m; ++i)"},
        {"        real s = 0;\n", ""}}},
      {"last_row_not_summed",
       "twice",
       "linear_system_twice",
       Accepted,
       {{"for (uint i = 0; i < m; ++i)", "for (uint i = 0; i + 1 < m; ++i)"}}},
      {"sums_compared_with_each_other",
       "twice",
       "linear_system_twice",
       Accepted,
       {{"if (s != t || s != b[i]) {", "if (s != t) {"}}},
      {"one_sum_is_negative",
       "twice",
       "linear_system_twice",
       Rejected,
       {{"t = t +. A[i][j] *. x[j];", "t = t -. A[i][j] *. x[j];"}}},
      {"place_trusted",
       "by_place",
       "maximum",
       Accepted,
       {{"return a[place] == m;", "return true;"}}},
      {"first_not_looked_at",
       "by_place",
       "maximum",
       Accepted,
       {{"for (uint i = 0; i < n; ++i)", "for (uint i = 1; i < n; ++i)"}}},
      {"maximum_rejected",
       "by_place",
       "maximum",
       Rejected,
       {{"if (a[i] > m) {", "if (a[i] >= m) {"}}},
      {"place_beyond", "by_place", "maximum", Fails, {{"if (place >= n) {", "if (place > n) {"}}},
      {"last_not_looked_at",
       "by_marks",
       "perfect_matching",
       Accepted,
       {{"for (uint u = 0; u < n; ++u)", "for (uint u = 0; u + 1 < n; ++u)"}}},
      {"edge_not_in_graph",
       "by_marks",
       "perfect_matching",
       Accepted,
       {{"if (!E[u][mate[u]] || by[mate[u]] != 0) {", "if (by[mate[u]] != 0) {"}}},
      {"vertex_used_twice",
       "by_marks",
       "perfect_matching",
       Accepted,
       {{"if (!E[u][mate[u]] || by[mate[u]] != 0) {", "if (!E[u][mate[u]]) {"}}},
      {"last_clause_not_looked_at",
       "by_evaluation",
       "satisfiability",
       Accepted,
       {{"for (uint c = 0; c < m; ++c)\n        invariant c <= m && forall(uint d)",
         "for (uint c = 0; c + 1 < m; ++c)\n        invariant c <= m && forall(uint d)"}}},
      {"sign_ignored",
       "by_evaluation",
       "satisfiability",
       Accepted,
       {{"hit = if (l > 0) x[uint(l)] else !x[uint(-l)];",
         "hit = if (l > 0) x[uint(l)] else x[uint(-l)];"}}},
      {"hit_not_cleared",
       "by_evaluation",
       "satisfiability",
       Accepted,
       {{"    for (uint c = 0; c < m; ++c)\n        invariant c <= m && forall(uint d)",
         "    bool hit = false;\n    for (uint c = 0; c < m; ++c)\n        invariant c <= m && "
         "forall(uint d)"},
        {"        bool hit = false;\n", ""}}},
      {"clause_not_derived",
       "lrat",
       "satisfiability",
       Accepted,
       {{"if (!is_derived(n, M, K, starts, all, H, hstart, hints, units, c)) {", "if (false) {"}}},
      {"last_clause_not_empty",
       "lrat",
       "satisfiability",
       Accepted,
       {{"if (starts[M - 1] != starts[M]) {", "if (false) {"}}},
      {"hint_from_the_future",
       "lrat",
       "satisfiability",
       Accepted,
       {{"if (d >= c || unit < -n || unit > n) {", "if (d >= M || unit < -n || unit > n) {"}},
       "_clauses"},
      {"equal_elements_rejected",
       "by_counts",
       "sorting_below",
       Rejected,
       {{"if (i > 0 && b[i - 1] > b[i]) {", "if (i > 0 && b[i - 1] >= b[i]) {"}}},
      {"order_not_looked_at",
       "by_counts",
       "sorting_below",
       Accepted,
       {{"if (i > 0 && b[i - 1] > b[i]) {", "if (false) {"}}},
      {"counts_not_compared",
       "by_counts",
       "sorting_below",
       Accepted,
       {{"if (more[x] != 0) {", "if (false) {"}}},
      {"first_pair_not_compared",
       "by_counts",
       "sorting_below",
       Accepted,
       {{"if (i > 0 && b[i - 1] > b[i]) {", "if (i > 1 && b[i - 1] > b[i]) {"}}},
      {"equal_elements_rejected",
       "by_places",
       "sorting",
       Rejected,
       {{"if (i > 0 && b[i - 1] > b[i]) {", "if (i > 0 && b[i - 1] >= b[i]) {"}}},
      {"order_not_looked_at",
       "by_places",
       "sorting",
       Accepted,
       {{"if (i > 0 && b[i - 1] > b[i]) {", "if (false) {"}}},
      {"set_for_multiset",
       "by_places",
       "sorting",
       Accepted,
       {{"if (by[p[i]] != 0 || a[p[i]] != b[i]) {", "if (a[p[i]] != b[i]) {"}}},
      {"first_pair_not_compared",
       "by_places",
       "sorting",
       Accepted,
       {{"if (i > 0 && b[i - 1] > b[i]) {", "if (i > 1 && b[i - 1] > b[i]) {"}}},
      {"set_for_multiset",
       "by_table",
       "sorting",
       Accepted,
       {{"number[t] += more;", "number[t] = if (i < n) 1 else 0;"}}},
      {"first_pair_not_compared",
       "by_table",
       "sorting",
       Accepted,
       {{"for (uint i = 1; i < n; ++i)", "for (uint i = 2; i < n; ++i)"}}},
      {"colliding_entry_overwritten",
       "by_table",
       "sorting",
       Accepted,
       {{"if (!used[s] || key[s] == x) {", "if (true) {"}},
       "_hashing"},
      {"no_wrap_around",
       "by_table",
       "sorting",
       Fails,
       {{"        if (s == H) {\n            s = 0;\n        }\n", ""}},
       "_hashing"},
      {"gap_in_a_chain",
       "by_table",
       "sorting",
       Rejected,
       {{"        number[t] += more;\n",
         "        number[t] += more;\n        if (number[t] == 0) {\n            used[t] = false;\n"
         "        }\n"}}},
      {"same_place_twice",
       "indices",
       "threesum",
       Accepted,
       {{"return i < j && j < k", "return i <= j && j < k"}}},
      {"sum_not_zero",
       "indices",
       "threesum",
       Accepted,
       {{"return i < j && j < k && k < n && a[i] + a[j] + a[k] == 0;",
         "return i < j && j < k && k < n && a[i] + a[j] + a[k] >= 0;"}}},
      {"place_beyond",
       "indices",
       "threesum",
       Fails,
       {{"return i < j && j < k && k < n && a[i]", "return i < j && j < k && k <= n && a[i]"}}},
      {"last_triple_not_looked_at",
       "none",
       "threesum",
       Accepted,
       {{"for (uint s = 0; s < n; ++s)", "for (uint s = 0; s + 3 < n; ++s)"}}},
      {"pointers_swapped",
       "none",
       "threesum",
       Accepted,
       {{"                ++l;\n            } else {\n                --h;\n",
         "                --h;\n            } else {\n                ++l;\n"}}},
      {"second_skipped", "none", "threesum", Accepted, {{"uint l = s + 1;", "uint l = s + 2;"}}},
      {"same_place_twice",
       "by_search",
       "threesum_values",
       Accepted,
       {{"other_place(n, a, y, i, n)", "other_place(n, a, y, n, n)"}}},
      {"sum_not_zero",
       "by_search",
       "threesum_values",
       Accepted,
       {{"return x + y + z == 0", "return x + y + z <= 0"}}},
      {"third_not_looked_for",
       "by_search",
       "threesum_values",
       Accepted,
       {{"i < n && j < n && k < n;", "i < n && j < n;"}}},
      {"bounds_not_asked",
       "by_parents",
       "paths",
       Accepted,
       {{"if (!is_bounded(n, m, f, t, w, r, d)) {", "if (n > 9) {"}}},
      {"loose_distances",
       "by_parents",
       "paths",
       Accepted,
       {{"if (!is_tight(n, m, f, t, w, a, r, d, pe, num)) {", "if (n > 9) {"}}},
      {"start_is_far",
       "by_parents",
       "paths",
       Accepted,
       {{"if (!r[a] || d[a] != 0) {", "if (!r[a]) {"}}},
      {"labels_not_asked",
       "by_parents",
       "components",
       Accepted,
       {{"if (!is_labelled(n, m, f, t, c)) {", "if (n > 9) {"}}},
      {"trees_not_asked",
       "by_parents",
       "components",
       Accepted,
       {{"if (!is_hanging(n, m, f, t, c, pa, pe, num)) {", "if (n > 9) {"}}},
      {"last_edge_not_looked_at",
       "by_parents",
       "components",
       Accepted,
       {{"for (uint e = 0; e < m; ++e)", "for (uint e = 0; e + 1 < m; ++e)"}}},
      {"dual_sign",
       "by_dual",
       "linear_program",
       Accepted,
       {{"if (y[i] < 0) {", "if (y[i] < -1) {"}}},
      {"dual_not_feasible",
       "by_dual",
       "linear_program",
       Accepted,
       {{"if (c[j] > t[j]) {", "if (c[j] > t[j] + 1) {"}}},
      {"gap",
       "by_dual",
       "linear_program",
       Accepted,
       {{"return inner(n, c, x) == inner(m, b, y);", "return inner(n, c, x) <= inner(m, b, y);"}}},
      {"primal_not_feasible",
       "by_dual",
       "linear_program",
       Accepted,
       {{"if (s > b[i]) {", "if (s > b[i] + 1) {"}}},
      {"negative_solution",
       "by_dual",
       "linear_program",
       Accepted,
       {{"if (x[j] < 0) {", "if (x[j] < -1) {"}}},
  };
  return all;
}

std::string name_of(const testing::TestParamInfo<CheckerMutant>& info) {
  return info.param.checker + "_" + info.param.name;
}

std::string stem_of(const testing::TestParamInfo<fs::path>& info) {
  return info.param.stem().string();
}

std::string expected_text(Expected expected) {
  switch (expected) {
    case Accepted:
      return "accepted, and wrong";
    case Rejected:
      return "rejected, and right";
    case Fails:
      return "the checker fails";
    case Endless:
      return "the checker does not end";
  }
  return {};
}

struct SaidOfMutant {
  int code = -1;
  std::string out, err;
};

SaidOfMutant search_pairs(const fs::path& path, const std::string& checker) {
  std::istringstream in;
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  std::vector<std::string> words{"checker", path.string(), "--bounded", "3"};
  if (!checker.empty()) words.insert(words.end(), {"--checker", checker});
  const int code = static_cast<int>(driver::run(words, streams));
  return {code, out.str(), err.str()};
}

fs::path examples() {
  return fs::path(LETO_SOURCE_DIR) / "examples/checkers";
}

std::vector<fs::path> all_examples() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(examples()))
    if (entry.path().extension() == ".leto" && entry.path().filename().string()[0] != '_')
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// A copy of the examples, in which one file is changed.
fs::path make_mutant(const CheckerMutant& mutant) {
  const fs::path directory =
      fs::path(testing::TempDir()) / ("leto_" + mutant.checker + "_" + mutant.name);
  fs::remove_all(directory);
  fs::create_directories(directory);
  for (const auto& entry : fs::directory_iterator(examples()))
    fs::copy_file(entry.path(), directory / entry.path().filename());
  const fs::path changed = directory / ((mutant.in.empty() ? mutant.file : mutant.in) + ".leto");
  std::string text = read_file(changed);
  for (const CheckerMutant::Edit& edit : mutant.edits) {
    const std::size_t at = text.find(edit.from);
    EXPECT_NE(at, std::string::npos) << edit.from;
    EXPECT_EQ(text.find(edit.from, at + 1), std::string::npos) << edit.from;
    if (at != std::string::npos) text.replace(at, edit.from.size(), edit.to);
  }
  std::ofstream(changed) << text;
  return directory / (mutant.file + ".leto");
}

}  // namespace

class Mutant : public testing::TestWithParam<CheckerMutant> {};
class RightChecker : public testing::TestWithParam<fs::path> {};

TEST_P(Mutant, IsRefutedByAPair) {
  const fs::path path = make_mutant(GetParam());
  const SaidOfMutant said = search_pairs(path, GetParam().checker);
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_NE(said.out.find("  PAIR  "), std::string::npos) << said.out << said.err;
  EXPECT_NE(said.out.find(expected_text(GetParam().expected)), std::string::npos) << said.out;
  fs::remove_all(path.parent_path());
}

TEST(Pairs, AreTheSameEachTime) {
  const fs::path path = make_mutant(all_mutants()[0]);
  const std::string once = search_pairs(path, "by_colouring").out;
  EXPECT_NE(once.find("  PAIR  "), std::string::npos) << once;
  EXPECT_EQ(search_pairs(path, "by_colouring").out, once);
  fs::remove_all(path.parent_path());
}

// The report on a program that is given as text.
SaidOfMutant search_in(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(testing::TempDir()) / ("leto_pairs_" + name + ".leto");
  std::ofstream(path) << text;
  const SaidOfMutant said = search_pairs(path, "");
  fs::remove(path);
  return said;
}

// By zero something is divided: the value that this has in a specification decides nothing.
TEST(Pairs, SayNothingWhereAClauseDividesByZero) {
  const SaidOfMutant said = search_in("division", R"(
problem quotient {
    input int b;
    output int q;
    right q == 6 / b;
    example (b = 2, q = 3) right;
    example (b = 2, q = 2) wrong;
}
checker c for quotient {
    if (b == 0) {
        return q == 2;
    }
    return q == 6 / b;
}
)");
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_EQ(said.out.find("PAIR"), std::string::npos) << said.out;
}

// What is rejected here is wrong, but only against challengers that are larger than those tried.
TEST(Pairs, NeedAllChallengersForWhatIsRight) {
  const SaidOfMutant said = search_in("challengers", R"(
problem large {
    input int a;
    output int m;
    right m >= 0;
    right against (int k) when k <= 10: k <= m;
    example (a = 0, m = 10) right;
    example (a = 0, m = -1) wrong;
}
checker c for large {
    return m >= 10;
}
)");
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_EQ(said.out.find("PAIR"), std::string::npos) << said.out;
}

// And if the checker accepts less than that, what is rejected is right against all of them.
TEST(Pairs, TryAllChallengersThatAClauseHasBoundsFor) {
  const SaidOfMutant said = search_in("all_challengers", R"(
problem large {
    input int a;
    output int m;
    right m >= 0;
    right against (int k) when 0 <= k && k <= 2: k <= m;
    example (a = 0, m = 2) right;
    example (a = 0, m = -1) wrong;
}
checker c for large {
    return m > 2;
}
)");
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_NE(said.out.find("rejected, and right"), std::string::npos) << said.out;
}

// What is computed for proofs alone fails in no run; nor does an assertion.
TEST(Pairs, AreAboutWhatRuns) {
  const SaidOfMutant said = search_in("ghosts", R"(
problem bound {
    input uint n;
    output uint r;
    right r <= n;
    example (n = 1, r = 1) right;
    example (n = 1, r = 2) wrong;
}
checker c for bound {
    specvar uint g = r - 1;
    assert r == 7;
    return r <= n;
}
)");
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_EQ(said.out.find("PAIR"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("reaches   proved"), std::string::npos) << said.out;
}

// Where a size has no value there is nothing to run.
TEST(Pairs, HaveSizes) {
  const SaidOfMutant said = search_in("sizes", R"(
problem halves {
    input uint n, uint m, vector<int> a(n / m);
    output int y;
    requires m > 0;
    right y == a[0];
    example (n = 2, m = 2, a = [1], y = 1) right;
    example (n = 2, m = 2, a = [1], y = 2) wrong;
}
checker c for halves {
    return n / m > 0 && y == a[0];
}
)");
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_NE(said.out.find("rejected, and right"), std::string::npos) << said.out;
}

std::string witness_program(const std::string& witness, const std::string& clauses) {
  return R"(
problem copy {
    input uint n;
    output uint y;
    right y == n;
    example (n = 1, y = 1) right;
    example (n = 1, y = 2) wrong;
}
checker c for copy with ()" +
         witness + ") " + clauses + R"( {
    return y == n;
}
)";
}

TEST(Witnesses, AreSearchedFor) {
  const SaidOfMutant said =
      search_in("witness", witness_program("uint w", "certifies w == y + 1 exists up to 2"));
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_NE(said.out.find("exists    bounded 2: 3 right results"), std::string::npos) << said.out;
}

// That none was found does not say that there is none, unless all were tried.
TEST(Witnesses, AreMissingForSure) {
  const SaidOfMutant said =
      search_in("no_witness", witness_program("uint w", "certifies w == y + 100"));
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_NE(said.out.find("exists    unknown (bounded 3): no witness among"), std::string::npos)
      << said.out;
  const SaidOfMutant all =
      search_in("none_at_all", witness_program("bool w", "certifies w && y < 2"));
  EXPECT_EQ(all.code, 1) << all.out << all.err;
  EXPECT_NE(all.out.find("exists    refuted: there is no witness for n = 2, y = 2"),
            std::string::npos)
      << all.out;
}

// A checker that is proved has no such pair.
TEST_P(RightChecker, HasNoPair) {
  const SaidOfMutant said = search_pairs(GetParam(), "");
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_EQ(said.out.find("PAIR"), std::string::npos) << said.out;
  EXPECT_EQ(said.out.find("refuted"), std::string::npos) << said.out;
}

INSTANTIATE_TEST_SUITE_P(Checkers, Mutant, testing::ValuesIn(all_mutants()), name_of);
INSTANTIATE_TEST_SUITE_P(Checkers, RightChecker, testing::ValuesIn(all_examples()), stem_of);

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

// One emitted checker against a naive answer that knows nothing of it, on small random pairs of
// inputs and results: right ones, nearly right ones, and random ones. What is accepted must be
// right; what is rejected must be wrong, or not certified; nothing may be undecided, for all inputs
// meet what is required and no number is large.
//
//   pairs PAIRS SEED, compiled with -DCHECKER=name and -DHEADER="name.hpp"
#include HEADER

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

using Numbers = std::vector<std::int64_t>;
using Truths = std::vector<std::uint8_t>;

// xorshift64*
struct Random {
  std::uint64_t state;
  std::uint64_t operator()() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>((*this)() >> 33) % n; }
  std::int64_t from(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool one_in(std::int64_t n) { return below(n) == 0; }
};

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}
std::int64_t size_of(const Numbers& v) {
  return static_cast<std::int64_t>(v.size());
}

void fill(Random& random, Numbers& v, std::int64_t n, std::int64_t low, std::int64_t high) {
  v.resize(at(n));
  for (std::int64_t& x : v) x = random.from(low, high);
}
void fill(Random& random, Truths& v, std::int64_t n) {
  v.resize(at(n));
  for (std::uint8_t& x : v) x = static_cast<std::uint8_t>(random.below(2));
}
// One changed, two swapped, one dropped; or nothing.
void spoil(Random& random, Numbers& v) {
  const std::int64_t way = random.below(6);
  if (v.empty() || way > 3) return;
  std::int64_t& x = v[at(random.below(size_of(v)))];
  if (way == 0) x += random.one_in(2) ? 1 : -1;
  if (way == 1) std::swap(x, v[at(random.below(size_of(v)))]);
  if (way == 2) x = v[0];
  if (way == 3 && random.one_in(4)) v.pop_back();
}
void spoil(Random& random, Truths& v) {
  if (!v.empty() && random.one_in(2)) v[at(random.below(static_cast<std::int64_t>(v.size())))] ^= 1;
}
// v[i], and zero outside.
std::int64_t get(const Numbers& v, std::int64_t i) {
  return i >= 0 && i < size_of(v) ? v[at(i)] : 0;
}

// Edges between two sides, or of one graph.
struct Graph {
  std::int64_t n = 0, m = 0;
  Numbers f, t;
  void make(Random& random, std::int64_t left, std::int64_t right, bool loops) {
    n = left;
    m = left == 0 || right == 0 || (!loops && left < 2) ? 0 : random.below(6);
    fill(random, f, m, 0, std::max<std::int64_t>(left - 1, 0));
    fill(random, t, m, 0, std::max<std::int64_t>(right - 1, 0));
    if (!loops)
      for (std::size_t e = 0; e < f.size(); ++e)
        if (f[e] == t[e]) t[e] = (t[e] + 1) % right;
  }
};

// Each has: make (a new pair), run, right (the naive answer), certified.
enum Number {
  NUMBER_by_place,
  NUMBER_divided,
  NUMBER_by_bezout,
  NUMBER_residual,
  NUMBER_by_marks,
  NUMBER_indices,
  NUMBER_none,
  NUMBER_by_search,
  NUMBER_by_places,
  NUMBER_by_table,
  NUMBER_by_counts,
  NUMBER_by_colouring,
  NUMBER_by_odd_walk,
  NUMBER_by_cover,
  NUMBER_by_cut,
  NUMBER_by_odd_sets,
  NUMBER_by_evaluation,
  NUMBER_lrat,
};
template <Number which>
struct Pair;

template <>
struct Pair<NUMBER_by_place> {
  Numbers a;
  std::int64_t m = 0, place = 0;
  void make(Random& random) {
    fill(random, a, random.below(6), -3, 3);
    m = a.empty() || random.one_in(3) ? random.from(-4, 4) : *std::max_element(a.begin(), a.end());
    place = random.from(-1, 6);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] == m && !random.one_in(8)) place = static_cast<std::int64_t>(i);
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(size_of(a), a, m, place);
  }
  bool right() const { return !a.empty() && m == *std::max_element(a.begin(), a.end()); }
  bool certified() const { return place >= 0 && place < size_of(a) && a[at(place)] == m; }
};

template <>
struct Pair<NUMBER_divided> {
  std::int64_t a = 0, b = 1, q = 0, r = 0;
  void make(Random& random) {
    a = random.from(-60, 60);
    b = random.from(1, 9);
    for (r = a, q = 0; r < 0; --q) r += b;
    for (; r >= b; ++q) r -= b;
    if (random.one_in(2))
      q += random.from(-1, 1), r += random.from(-1, 1) * (random.one_in(2) ? b : 1);
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(a, b, q, r);
  }
  bool right() const {
    std::int64_t rest = a, times = 0;
    for (; rest < 0; --times) rest += b;
    for (; rest >= b; ++times) rest -= b;
    return q == times && r == rest;
  }
  bool certified() const { return true; }
};

template <>
struct Pair<NUMBER_by_bezout> {
  std::int64_t a = 0, b = 0, g = 0, s = 0, t = 0;
  // Euclid, with factors.
  void make(Random& random) {
    a = random.from(-30, 30);
    b = random.from(-30, 30);
    std::int64_t x = a, y = b, sx = 1, tx = 0, sy = 0, ty = 1;
    while (y != 0) {
      const std::int64_t k = x / y;
      std::swap(x -= k * y, y);
      std::swap(sx -= k * sy, sy);
      std::swap(tx -= k * ty, ty);
    }
    g = x < 0 ? -x : x;
    s = x < 0 ? -sx : sx;
    t = x < 0 ? -tx : tx;
    if (random.one_in(3)) g = random.from(-3, 30);
    if (random.one_in(3)) s += random.from(-1, 1), t += random.from(-1, 1);
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(a, b, g, s, t);
  }
  bool right() const {
    for (std::int64_t d = 30; d > 0; --d)
      if (a % d == 0 && b % d == 0) return a == 0 && b == 0 ? g == 0 : g == d;
    return false;
  }
  bool certified() const { return g == a * s + b * t; }
};

template <>
struct Pair<NUMBER_residual> {
  std::size_t m = 0, n = 0;
  std::vector<double> A, b, x;
  double eps = 0;
  void make(Random& random) {
    m = at(random.below(4));
    n = at(random.below(4));
    A.resize(m * n);
    b.resize(m);
    x.resize(n);
    for (double& one : A) one = static_cast<double>(random.from(-3, 3));
    for (double& one : x) one = static_cast<double>(random.from(-3, 3));
    eps = static_cast<double>(random.below(3));
    for (std::size_t i = 0; i < m; ++i) {
      b[i] = static_cast<double>(random.from(-1, 1));
      for (std::size_t j = 0; j < n; ++j) b[i] += A[i * n + j] * x[j];
    }
    if (n > 0 && random.one_in(2)) x[at(random.below(static_cast<std::int64_t>(n)))] += 1;
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(static_cast<std::int64_t>(m), static_cast<std::int64_t>(n),
                   leto::matrix_view<const double>{A.data(), m, n, n}, b, eps, x);
  }
  bool right() const {
    for (std::size_t i = 0; i < m; ++i) {
      long sum = 0;  // of whole numbers
      for (std::size_t j = n; j-- > 0;)
        sum += static_cast<long>(A[i * n + j]) * static_cast<long>(x[j]);
      if (std::labs(sum - static_cast<long>(b[i])) > static_cast<long>(eps)) return false;
    }
    return true;
  }
  bool certified() const { return true; }
};

template <>
struct Pair<NUMBER_by_marks> {
  std::int64_t n = 0;
  Truths E;
  Numbers mate;
  void make(Random& random) {
    n = random.below(5);
    fill(random, E, n * n);
    mate.resize(at(n));
    std::iota(mate.begin(), mate.end(), 0);
    for (std::int64_t i = n; i > 1; --i) std::swap(mate[at(i - 1)], mate[at(random.below(i))]);
    if (random.one_in(2))
      for (std::int64_t u = 0; u < n; ++u) E[at(u * n + mate[at(u)])] = 1;
    spoil(random, mate);
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, leto::matrix_view<const std::uint8_t>{E.data(), at(n), at(n), at(n)}, mate);
  }
  bool right() const {
    if (size_of(mate) != n) return false;
    for (std::int64_t u = 0; u < n; ++u) {
      const std::int64_t v = mate[at(u)];
      if (v < 0 || v >= n || E[at(u * n + v)] == 0 || std::count(mate.begin(), mate.end(), v) != 1)
        return false;
    }
    return true;
  }
  bool certified() const { return true; }
};

// Three places, or none.
struct ThreeSum {
  Numbers a;
  bool found = false;
  std::int64_t i = 0, j = 0, k = 0;
  void make(Random& random) {
    fill(random, a, random.below(7), -5, 5);
    std::sort(a.begin(), a.end());
    found = random.one_in(2);
    i = random.from(-1, 2), j = random.from(0, 4), k = random.from(0, 6);
    if (random.one_in(2)) look();
  }
  bool look() {
    for (std::int64_t p = 0; p < size_of(a); ++p)
      for (std::int64_t q = p + 1; q < size_of(a); ++q)
        for (std::int64_t r = q + 1; r < size_of(a); ++r)
          if (a[at(p)] + a[at(q)] + a[at(r)] == 0) {
            i = p, j = q, k = r;
            return true;
          }
    return false;
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(size_of(a), a, found, i, j, k);
  }
  bool is_right() const {
    if (i < 0 || j < 0 || k < 0) return false;  // no number of its type
    if (found)
      return i >= 0 && i < j && j < k && k < size_of(a) && a[at(i)] + a[at(j)] + a[at(k)] == 0;
    ThreeSum copy = *this;
    return !copy.look();
  }
  bool certified() const { return true; }
};
template <>
struct Pair<NUMBER_indices> : ThreeSum {
  bool right() const { return found && is_right(); }
};
template <>
struct Pair<NUMBER_none> : ThreeSum {
  bool right() const { return !found && is_right(); }
};

template <>
struct Pair<NUMBER_by_search> {
  Numbers a;
  std::int64_t x = 0, y = 0, z = 0;
  void make(Random& random) {
    fill(random, a, random.below(6), -3, 3);
    x = random.from(-3, 3), y = random.from(-3, 3), z = random.one_in(6) ? 1 : -x - y;
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(size_of(a), a, x, y, z);
  }
  bool right() const {
    if (x + y + z != 0) return false;
    Numbers left = a;
    for (const std::int64_t one : {x, y, z}) {
      const auto it = std::find(left.begin(), left.end(), one);
      if (it == left.end()) return false;
      left.erase(it);
    }
    return true;
  }
  bool certified() const { return true; }
};

struct Sorting {
  std::int64_t n = 0, range = 4;
  Numbers a, b, p;
  void make_all(Random& random) {
    n = random.below(6);
    fill(random, a, n, 0, range - 1);
    p.resize(at(n));
    std::iota(p.begin(), p.end(), 0);
    std::sort(p.begin(), p.end(),
              [&](std::int64_t i, std::int64_t j) { return a[at(i)] < a[at(j)]; });
    b = a;
    std::sort(b.begin(), b.end());
    spoil(random, b);
    if (random.one_in(2)) spoil(random, p);
  }
  bool right() const {
    Numbers sorted = a;
    std::sort(sorted.begin(), sorted.end());
    return sorted == b;
  }
  bool certified() const { return true; }
};
template <>
struct Pair<NUMBER_by_places> : Sorting {
  void make(Random& random) { make_all(random); }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, a, b, p);
  }
  bool certified() const {
    Numbers all = p;
    std::sort(all.begin(), all.end());
    for (std::int64_t i = 0; i < n; ++i)
      if (size_of(p) != n || size_of(b) != n || all[at(i)] != i || b[at(i)] != a[at(p[at(i)])])
        return false;
    return size_of(p) == n;
  }
};
template <>
struct Pair<NUMBER_by_table> : Sorting {
  void make(Random& random) { make_all(random); }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, a, b);
  }
};
template <>
struct Pair<NUMBER_by_counts> : Sorting {
  void make(Random& random) { make_all(random); }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, range, a, b);
  }
};

struct Bipartite : Graph {
  bool yes = false;
  Truths c;
  std::int64_t k = 0;
  Numbers v, p;
  bool fits(const Truths& colours) const {
    for (std::size_t e = 0; e < f.size(); ++e)
      if (colours[at(f[e])] == colours[at(t[e])]) return false;
    return true;
  }
  // All of them.
  bool has_colouring(Truths* found) const {
    Truths tried(at(n));
    for (std::uint64_t bits = 0; bits < (1u << n); ++bits) {
      for (std::size_t i = 0; i < tried.size(); ++i)
        tried[i] = static_cast<std::uint8_t>(bits >> i & 1);
      if (!fits(tried)) continue;
      if (found != nullptr) *found = tried;
      return true;
    }
    return false;
  }
  void make(Random& random) {
    const std::int64_t vertices = random.below(5);
    Graph::make(random, vertices, vertices, true);
    fill(random, c, n);
    yes = random.one_in(2);
    if (yes && random.one_in(2)) (void)has_colouring(&c);
    spoil(random, c);
    // A walk along edges, as far as there are some.
    k = random.below(6);
    v.assign(at(k + 1), 0);
    p.assign(at(k), 0);
    if (n > 0) v[0] = random.below(n);
    for (std::int64_t q = 0; q < k; ++q) {
      v[at(q + 1)] = v[at(q)];
      for (std::int64_t e = 0, from = m == 0 ? 0 : random.below(m); e < m; ++e) {
        const std::int64_t edge = (from + e) % m;
        if (f[at(edge)] != v[at(q)] && t[at(edge)] != v[at(q)]) continue;
        p[at(q)] = edge;
        v[at(q + 1)] = f[at(edge)] == v[at(q)] ? t[at(edge)] : f[at(edge)];
        break;
      }
    }
    if (random.one_in(3)) spoil(random, v);
  }
  bool is_right() const { return yes ? fits(c) : !has_colouring(nullptr); }
};
template <>
struct Pair<NUMBER_by_colouring> : Bipartite {
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, m, f, t, yes, c);
  }
  bool right() const { return yes && is_right(); }
  bool certified() const { return true; }
};
template <>
struct Pair<NUMBER_by_odd_walk> : Bipartite {
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, m, f, t, yes, c, k, v, p);
  }
  bool right() const { return !yes && is_right(); }
  bool certified() const {
    if (k % 2 == 0 || size_of(v) != k + 1 || v.front() != v.back()) return false;
    for (std::int64_t q = 0; q < k; ++q) {
      const std::int64_t e = p[at(q)], x = v[at(q)], y = v[at(q + 1)];
      if (e >= m || !((f[at(e)] == x && t[at(e)] == y) || (f[at(e)] == y && t[at(e)] == x)))
        return false;
    }
    return true;
  }
};

template <>
struct Pair<NUMBER_by_cover> : Graph {
  std::int64_t n2 = 0;
  Numbers me;
  Truths a, b;
  bool fits(const Numbers& matching) const {
    if (size_of(matching) != n) return false;
    for (std::int64_t u = 0; u < n; ++u) {
      const std::int64_t e = matching[at(u)];
      if (e < 0) continue;
      if (e >= m || f[at(e)] != u) return false;
      for (std::int64_t w = 0; w < u; ++w)
        if (matching[at(w)] >= 0 && t[at(matching[at(w)])] == t[at(e)]) return false;
    }
    return true;
  }
  static std::int64_t count(const Numbers& matching) {
    return std::count_if(matching.begin(), matching.end(), [](std::int64_t e) { return e >= 0; });
  }
  // All sets of edges.
  std::int64_t most(Numbers* found) const {
    std::int64_t best = -1;
    for (std::uint64_t bits = 0; bits < (1u << m); ++bits) {
      Numbers tried(at(n), -1);
      std::int64_t edges = 0;
      for (std::int64_t e = 0; e < m; ++e)
        if (bits >> e & 1) tried[at(f[at(e)])] = e, ++edges;
      if (count(tried) != edges || !fits(tried) || edges <= best) continue;
      best = edges;
      if (found != nullptr) *found = tried;
    }
    return best;
  }
  void make(Random& random) {
    const std::int64_t left = random.below(4);
    n2 = random.below(4);
    Graph::make(random, left, n2, true);
    me.assign(at(n), -1);
    if (random.one_in(2))
      (void)most(&me);
    else
      fill(random, me, n, -1, m);
    spoil(random, me);
    fill(random, a, n);
    fill(random, b, n2);
    if (random.one_in(2)) smallest_cover();
    spoil(random, a);
  }
  void smallest_cover() {
    std::int64_t best = 100;
    for (std::uint64_t bits = 0; bits < (1u << (n + n2)); ++bits) {
      const auto has = [&](std::int64_t i) { return (bits >> i & 1) != 0; };
      bool all = true;
      for (std::size_t e = 0; e < f.size(); ++e) all = all && (has(f[e]) || has(n + t[e]));
      if (!all || __builtin_popcountll(bits) >= best) continue;
      best = __builtin_popcountll(bits);
      for (std::int64_t i = 0; i < n; ++i) a[at(i)] = has(i);
      for (std::int64_t i = 0; i < n2; ++i) b[at(i)] = has(n + i);
    }
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, n2, m, f, t, me, a, b);
  }
  bool right() const { return fits(me) && count(me) == most(nullptr); }
  bool certified() const {
    for (std::size_t e = 0; e < f.size(); ++e)
      if (a[at(f[e])] == 0 && b[at(t[e])] == 0) return false;
    return count(me) == std::count(a.begin(), a.end(), 1) + std::count(b.begin(), b.end(), 1);
  }
};

template <>
struct Pair<NUMBER_by_cut> : Graph {
  Numbers c, x;
  std::int64_t from = 0, to = 1;
  Truths s;
  std::int64_t excess(std::int64_t v) const {
    std::int64_t sum = 0;
    for (std::size_t e = 0; e < f.size(); ++e)
      sum += (f[e] == v ? x[e] : 0) - (t[e] == v ? x[e] : 0);
    return sum;
  }
  std::int64_t capacity(std::uint64_t set) const {
    std::int64_t sum = 0;
    for (std::size_t e = 0; e < f.size(); ++e)
      if ((set >> f[e] & 1) != 0 && (set >> t[e] & 1) == 0) sum += c[e];
    return sum;
  }
  // Of all sets with one end and without the other.
  std::int64_t least_cut(std::uint64_t* found) const {
    std::int64_t least = 1000;
    for (std::uint64_t set = 0; set < (1u << n); ++set) {
      if ((set >> from & 1) == 0 || (set >> to & 1) != 0 || capacity(set) >= least) continue;
      least = capacity(set);
      if (found != nullptr) *found = set;
    }
    return least;
  }
  void make(Random& random) {
    const std::int64_t vertices = random.from(2, 4);
    Graph::make(random, vertices, vertices, true);
    from = random.below(n);
    to = (from + random.from(1, n - 1)) % n;
    fill(random, c, m, 0, 3);
    x.assign(at(m), 0);
    // Along paths at random, as much as fits.
    for (int path = 0; path < 6; ++path) push(random);
    spoil(random, x);
    std::uint64_t set = 0;
    (void)least_cut(&set);
    s.resize(at(n));
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = static_cast<std::uint8_t>(set >> i & 1);
    if (random.one_in(2)) spoil(random, s);
  }
  void push(Random& random) {
    Numbers path;
    std::int64_t v = from;
    for (int step = 0; step < 4 && v != to && m > 0; ++step)
      for (std::int64_t i = 0, first = random.below(m); i < m; ++i) {
        const std::int64_t e = (first + i) % m;
        if (f[at(e)] != v || x[at(e)] >= c[at(e)]) continue;
        if (std::find(path.begin(), path.end(), e) != path.end()) continue;
        path.push_back(e);
        v = t[at(e)];
        break;
      }
    if (v == to && !random.one_in(12))
      for (const std::int64_t e : path) ++x[at(e)];
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, m, f, t, c, from, to, x, s);
  }
  // The largest flow is the least cut.
  bool right() const {
    if (size_of(x) != m) return false;
    for (std::size_t e = 0; e < x.size(); ++e)
      if (x[e] < 0 || x[e] > c[e]) return false;
    for (std::int64_t v = 0; v < n; ++v)
      if (v != from && v != to && excess(v) != 0) return false;
    return excess(from) == least_cut(nullptr);
  }
  bool certified() const {
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < s.size(); ++i) set |= std::uint64_t{s[i]} << i;
    return s[at(from)] != 0 && s[at(to)] == 0 && excess(from) == capacity(set);
  }
};

template <>
struct Pair<NUMBER_by_odd_sets> : Graph {
  Numbers me, c;
  std::int64_t k = 0, r = 0;
  bool fits(const Numbers& edges) const {
    Numbers ends;
    for (const std::int64_t e : edges) {
      if (e < 0 || e >= m) return false;
      ends.push_back(f[at(e)]);
      ends.push_back(t[at(e)]);
    }
    std::sort(ends.begin(), ends.end());
    return std::adjacent_find(ends.begin(), ends.end()) == ends.end();
  }
  std::int64_t most(Numbers* found) const {
    std::int64_t best = -1;
    for (std::uint64_t bits = 0; bits < (1u << m); ++bits) {
      Numbers edges;
      for (std::int64_t e = 0; e < m; ++e)
        if (bits >> e & 1) edges.push_back(e);
      if (size_of(edges) <= best || !fits(edges)) continue;
      best = size_of(edges);
      if (found != nullptr) *found = edges;
    }
    return best;
  }
  void make(Random& random) {
    const std::int64_t vertices = random.below(6);
    Graph::make(random, vertices, vertices, false);
    if (random.one_in(2))
      (void)most(&me);
    else
      fill(random, me, random.below(3), 0, std::max<std::int64_t>(m - 1, 0));
    spoil(random, me);
    k = size_of(me);
    // One set of all, or labels at random.
    r = random.from(0, 3);
    if (random.one_in(3))
      c.assign(at(n), std::max<std::int64_t>(r, 1));
    else
      fill(random, c, n, 0, std::max<std::int64_t>(r, 1));
    spoil(random, c);
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(n, m, f, t, k, me, r, c);
  }
  bool right() const { return fits(me) && k == most(nullptr); }
  bool certified() const {
    if (r < 1 || size_of(c) != n) return false;
    for (const std::int64_t x : c)
      if (x < 0 || x > r) return false;
    for (std::size_t e = 0; e < f.size(); ++e) {
      const std::int64_t x = c[at(f[e])], y = c[at(t[e])];
      if (x != 1 && y != 1 && !(x == y && x >= 2)) return false;
    }
    std::int64_t sum = std::count(c.begin(), c.end(), 1);
    for (std::int64_t x = 2; x <= r; ++x) sum += std::count(c.begin(), c.end(), x) / 2;
    return k == sum;
  }
};

struct Formula {
  std::int64_t m = 0, k = 0, n = 0;
  Numbers start, lits;
  bool sat = false;
  Truths x;
  bool holds(const Truths& values) const {
    for (std::int64_t c = 0; c < m; ++c) {
      bool any = false;
      for (std::int64_t p = start[at(c)]; p < start[at(c + 1)]; ++p) {
        const std::int64_t l = lits[at(p)];
        any = any || (l > 0 ? values[at(l)] != 0 : values[at(-l)] == 0);
      }
      if (!any) return false;
    }
    return true;
  }
  bool has_solution(Truths* found) const {
    Truths tried(at(n + 1));
    for (std::uint64_t bits = 0; bits < (1u << n); ++bits) {
      for (std::int64_t i = 1; i <= n; ++i)
        tried[at(i)] = static_cast<std::uint8_t>(bits >> (i - 1) & 1);
      if (!holds(tried)) continue;
      if (found != nullptr) *found = tried;
      return true;
    }
    return false;
  }
  void make_formula(Random& random) {
    n = random.from(1, 3);
    m = random.below(6);
    start.assign(1, 0);
    lits.clear();
    for (std::int64_t c = 0; c < m; ++c) {
      for (std::int64_t length = random.one_in(12) ? 0 : random.from(1, 2); length > 0; --length)
        lits.push_back(random.from(1, n) * (random.one_in(2) ? 1 : -1));
      start.push_back(size_of(lits));
    }
    k = size_of(lits);
    sat = random.one_in(2);
    fill(random, x, n + 1);
    if (random.one_in(2)) (void)has_solution(&x);
    spoil(random, x);
  }
  bool is_right() const { return sat ? holds(x) : !has_solution(nullptr); }
};
template <>
struct Pair<NUMBER_by_evaluation> : Formula {
  void make(Random& random) { make_formula(random); }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(m, k, n, start, lits, sat, x);
  }
  bool right() const { return sat && is_right(); }
  bool certified() const { return true; }
};
// One further clause, the empty one, by unit propagation. What else is certified nobody asks here:
// only what is accepted says something.
template <>
struct Pair<NUMBER_lrat> : Formula {
  std::int64_t M = 0;
  Numbers starts, all, hstart, hints, units;
  void make(Random& random) {
    make_formula(random);
    sat = random.one_in(8);
    starts = start;
    all = lits;
    starts.push_back(k);
    M = m + 1;
    hints.clear();
    units.clear();
    propagate();
    hstart.assign(at(M + 1), 0);
    hstart.back() = size_of(hints);
    if (random.one_in(2)) return;
    for (Numbers* one : {&starts, &all, &hstart, &hints, &units})
      if (random.one_in(4)) spoil(random, *one);
  }
  void propagate() {
    Truths known(at(2 * n + 1));  // by literal
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int64_t c = 0; c < m; ++c) {
        std::int64_t open = 0, literals = 0;
        bool holds = false;
        for (std::int64_t p = start[at(c)]; p < start[at(c + 1)]; ++p) {
          const std::int64_t l = lits[at(p)];
          holds = holds || known[at(n + l)] != 0;
          if (known[at(n - l)] == 0 && l != open) open = l, ++literals;
        }
        if (holds || literals > 1) continue;
        hints.push_back(c);
        units.push_back(literals == 0 ? 0 : open);
        if (literals == 0) return;
        known[at(n + open)] = 1;
        changed = true;
      }
    }
  }
  template <class C>
  leto::verdict run(const C& checker) const {
    return checker(m, k, n, start, lits, sat, x, M, size_of(all), starts, all, size_of(hints),
                   hstart, hints, units);
  }
  bool right() const { return !sat && is_right(); }
  bool certified() const { return false; }
};

}  // namespace

#define NAME_OF(name) #name
#define NAME(name) NAME_OF(name)
#define NUMBER_OF(name) NUMBER_##name
#define NUMBER(name) NUMBER_OF(name)

int main(int count, char** arguments) {
  const long long pairs = count > 1 ? std::atoll(arguments[1]) : 100'000;
  Random random{count > 2
                    ? std::strtoull(arguments[2], nullptr, 10) * 2654435761u + 88172645463325252u
                    : 88172645463325252u};
  const auto checker = [](const auto&... all) { return emitted::CHECKER(all...); };
  Pair<NUMBER(CHECKER)> pair;
  long long accepted = 0, right = 0, wrong = 0;
  for (long long i = 0; i < pairs && wrong == 0; ++i) {
    pair.make(random);
    const leto::verdict verdict = pair.run(checker);
    const bool is_right = pair.right();
    accepted += verdict == leto::verdict::accept;
    right += is_right;
    const bool good = verdict == leto::verdict::accept   ? is_right
                      : verdict == leto::verdict::reject ? !(is_right && pair.certified())
                                                         : false;
    if (good) continue;
    ++wrong;
    std::printf("pair %lld: verdict %d, and it is %s\n", i, static_cast<int>(verdict),
                is_right ? "right" : "wrong");
  }
  std::printf("%s: %lld pairs, %lld right, %lld accepted, %lld wrong verdicts\n", NAME(CHECKER),
              pairs, right, accepted, wrong);
  return wrong == 0 && accepted > 0 && right < pairs ? 0 : 1;
}

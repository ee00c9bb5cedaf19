// An emitted checker beside a solver of its problem that others wrote: how long each takes, on one
// large instance. Prints the seconds of both and what the checker says, which must be "accept";
// then spoils the result and wants "reject".
//
//   overhead SIZE, compiled with -DCHECKER=name, -DHEADER="name.hpp" and -DON_problem
#include HEADER

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#if defined(ON_linear_system)
#include <eigen3/Eigen/Dense>
#elif defined(ON_satisfiability)
#include <cadical.hpp>
#elif defined(ON_linear_program)
#include <glpk.h>
#elif defined(ON_koenig)
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#elif defined(ON_flow)
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>
#elif defined(ON_paths)
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#elif defined(ON_components)
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#endif

namespace {

using Numbers = std::vector<std::int64_t>;
using Truths = std::vector<std::uint8_t>;
using leto::verdict;

struct Random {  // xorshift64*
  std::uint64_t state = 88172645463325252u;
  std::int64_t below(std::int64_t n) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<std::int64_t>((state * 2685821657736338717u) >> 33) % n;
  }
};

// What is compared. A lambda each, so that all of it is timed alike.
struct Contest {
  std::function<void()> solve, certify = [] {};
  std::function<verdict()> check;
  std::function<void()> spoil;
};

[[maybe_unused]] std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Edges of a random graph, none from a vertex to itself.
struct Edges {
  Numbers from, to;
  Edges(Random& random, std::int64_t count, std::int64_t left, std::int64_t right, bool two_sides) {
    while (static_cast<std::int64_t>(from.size()) < count) {
      const std::int64_t a = random.below(left), b = random.below(right);
      if (!two_sides && a == b) continue;
      from.push_back(a);
      to.push_back(b);
    }
  }
};

#if defined(ON_linear_system)

Contest make(std::int64_t n) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static Matrix a;
  static Eigen::VectorXd b, x;
  Random random;
  a.resize(n, n);
  b.resize(n);
  for (std::int64_t i = 0; i < n; ++i) {
    b(i) = static_cast<double>(random.below(2001) - 1000) / 8;
    for (std::int64_t j = 0; j < n; ++j)
      a(i, j) = static_cast<double>(random.below(2001) - 1000) / 64;
  }
  const auto span = [](const Eigen::VectorXd& v) {
    return std::span<const double>(v.data(), at(v.size()));
  };
  return {[] { x = a.partialPivLu().solve(b); }, [] {},
          [n, span] {
            const leto::matrix_view<const double> view{a.data(), at(n), at(n), at(n)};
            return CHECKER(n, n, view, span(b), 1e-3, span(x));
          },
          [] { x(x.size() / 2) += 1; }};
}

#elif defined(ON_sorting) || defined(ON_sorting_below)

Contest make(std::int64_t n) {
  static Numbers a, b, p;
  static std::int64_t range;
  Random random;
  range = n;
  for (std::int64_t i = 0; i < n; ++i) a.push_back(random.below(range));
#if defined(BY_PLACES)
  const auto solve = [n] {
    p.resize(at(n));
    std::iota(p.begin(), p.end(), 0);
    std::stable_sort(p.begin(), p.end(),
                     [](std::int64_t i, std::int64_t j) { return a[at(i)] < a[at(j)]; });
    b.resize(at(n));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = a[at(p[i])];
  };
  const auto check = [n] { return CHECKER(n, a, b, p); };
#else
  const auto solve = [] {
    b = a;
    std::stable_sort(b.begin(), b.end());
  };
#if defined(ON_sorting_below)
  const auto check = [n] { return CHECKER(n, range, a, b); };
#else
  const auto check = [n] { return CHECKER(n, a, b); };
#endif
#endif
  // A lost write: what stood there before is there twice.
  return {solve, [] {}, check,
          [n] {
            std::size_t i = at(n / 2);
            while (b[i] == b[i - 1]) ++i;
            b[i] = b[i - 1];
          }};
}

#elif defined(ON_satisfiability)

// Clauses of three literals over n variables, some 4.2 for each variable: hard, and satisfied by an
// assignment that is hidden in them.
Contest make(std::int64_t n) {
  static Numbers start, lits;
  static Truths x;
  static CaDiCaL::Solver solver;
  Random random;
  const std::int64_t m = n * 42 / 10;
  std::vector<bool> hidden(at(n + 1));
  for (std::int64_t v = 1; v <= n; ++v) hidden[at(v)] = random.below(2) == 1;
  start.push_back(0);
  while (static_cast<std::int64_t>(start.size()) <= m) {
    std::int64_t clause[3];
    bool holds = false;
    for (std::int64_t& literal : clause) {
      const std::int64_t v = random.below(n) + 1;
      literal = random.below(2) == 1 ? v : -v;
      holds = holds || hidden[at(v)] == (literal > 0);
    }
    if (!holds) continue;
    lits.insert(lits.end(), clause, clause + 3);
    start.push_back(static_cast<std::int64_t>(lits.size()));
  }
  return {[n, m] {
            for (std::int64_t c = 0; c < m; ++c) {
              for (std::int64_t k = start[at(c)]; k < start[at(c + 1)]; ++k)
                solver.add(static_cast<int>(lits[at(k)]));
              solver.add(0);
            }
            if (solver.solve() != 10) std::abort();
            x.assign(at(n + 1), 0);
            for (std::int64_t v = 1; v <= n; ++v) x[at(v)] = solver.val(static_cast<int>(v)) > 0;
          },
          [] {},
          [n, m] {
            return CHECKER(m, static_cast<std::int64_t>(lits.size()), n, start, lits, true, x);
          },
          [] {  // so that a clause is not satisfied
            for (int k = 0; k < 3; ++k) x[at(std::abs(lits[at(k)]))] = lits[at(k)] < 0;
          }};
}

#elif defined(ON_linear_program)

// A matching of greatest weight in a graph of two equal sides, as a linear program: its corners are
// whole numbers, so what doubles find is exact.
Contest make(std::int64_t side) {
  static std::vector<mpq_class> a, b, c, x, y;
  static glp_prob* lp = glp_create_prob();
  Random random;
  const std::int64_t m = 2 * side, n = side * 12;
  const Edges edges(random, n, side, side, true);
  a.assign(at(m * n), 0);
  b.assign(at(m), 1);
  for (std::int64_t e = 0; e < n; ++e) {
    a[at(edges.from[at(e)] * n + e)] = 1;
    a[at((side + edges.to[at(e)]) * n + e)] = 1;
    c.push_back(random.below(1000) + 1);
  }
  glp_term_out(GLP_OFF);
  glp_set_obj_dir(lp, GLP_MAX);
  glp_add_rows(lp, static_cast<int>(m));
  glp_add_cols(lp, static_cast<int>(n));
  for (int i = 1; i <= m; ++i) glp_set_row_bnds(lp, i, GLP_UP, 0, 1);
  for (int j = 1; j <= n; ++j) {
    const std::int64_t e = j - 1;
    glp_set_col_bnds(lp, j, GLP_LO, 0, 0);
    glp_set_obj_coef(lp, j, c[at(e)].get_d());
    const int rows[] = {0, static_cast<int>(edges.from[at(e)]) + 1,
                        static_cast<int>(side + edges.to[at(e)]) + 1};
    const double ones[] = {0, 1, 1};
    glp_set_mat_col(lp, j, 2, rows, ones);
  }
  const auto whole = [](double v) {
    return mpq_class(static_cast<long>(v < 0 ? v - 0.5 : v + 0.5));
  };
  return {[] {
            glp_smcp how;
            glp_init_smcp(&how);
            how.msg_lev = GLP_MSG_OFF;
            if (glp_simplex(lp, &how) != 0) std::abort();
          },
          [m, n, whole] {
            for (int j = 1; j <= n; ++j) x.push_back(whole(glp_get_col_prim(lp, j)));
            for (int i = 1; i <= m; ++i) y.push_back(whole(glp_get_row_dual(lp, i)));
          },
          [m, n] {
            const leto::matrix_view<const mpq_class> view{a.data(), at(m), at(n), at(n)};
            return CHECKER(m, n, view, b, c, x, y);
          },
          [] {
            for (mpq_class& v : x)
              if (v == 1) {
                v = 0;
                return;
              }
          }};
}

#elif defined(ON_koenig)

// The witness: from the vertices of the left that are not matched, along edges and back along those
// of the matching. In the cover are those of the left that are not met, and those of the right that
// are.
void cover(const Edges& edges, const Numbers& mate, Truths& a, Truths& b) {
  std::vector<Numbers> out(a.size());
  Numbers back(b.size(), -1), todo;
  for (std::size_t e = 0; e < edges.from.size(); ++e) out[at(edges.from[e])].push_back(edges.to[e]);
  for (std::size_t u = 0; u < a.size(); ++u) {
    a[u] = mate[u] >= 0;
    if (mate[u] >= 0)
      back[at(edges.to[at(mate[u])])] = static_cast<std::int64_t>(u);
    else
      todo.push_back(static_cast<std::int64_t>(u));
  }
  while (!todo.empty()) {
    const std::int64_t u = todo.back();
    todo.pop_back();
    for (const std::int64_t v : out[at(u)]) {
      if (b[at(v)] != 0) continue;
      b[at(v)] = 1;
      if (back[at(v)] < 0 || a[at(back[at(v)])] == 0) continue;
      a[at(back[at(v)])] = 0;
      todo.push_back(back[at(v)]);
    }
  }
}

Contest make(std::int64_t side) {
  static Random random;
  static const Edges edges(random, side * 3, side, side, true);
  static Numbers mate(at(side), -1);
  static Truths a(at(side)), b(at(side));
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  static Graph graph(at(2 * side));
  for (std::size_t e = 0; e < edges.from.size(); ++e)
    boost::add_edge(at(edges.from[e]), at(side + edges.to[e]), graph);
  return {
      [side] {
        std::vector<std::size_t> found(at(2 * side));
        boost::edmonds_maximum_cardinality_matching(graph, found.data());
        for (std::size_t e = 0; e < edges.from.size(); ++e)
          if (found[at(edges.from[e])] == at(side + edges.to[e]))
            mate[at(edges.from[e])] = static_cast<std::int64_t>(e);
      },
      [] { cover(edges, mate, a, b); },
      [side] {
        return CHECKER(side, side, static_cast<std::int64_t>(edges.from.size()), edges.from,
                       edges.to, mate, a, b);
      },
      [] { *std::find_if(mate.begin(), mate.end(), [](std::int64_t e) { return e >= 0; }) = -1; }};
}

#elif defined(ON_flow)

Contest make(std::int64_t n) {
  static Random random;
  static const Edges edges(random, n * 6, n, n, false);
  static Numbers c, x;
  static Truths s;
  static lemon::SmartDigraph graph;
  static lemon::SmartDigraph::ArcMap<std::int64_t> capacity(graph);
  for (std::int64_t v = 0; v < n; ++v) graph.addNode();
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    c.push_back(random.below(1000));
    const auto arc = graph.addArc(graph.nodeFromId(static_cast<int>(edges.from[e])),
                                  graph.nodeFromId(static_cast<int>(edges.to[e])));
    capacity[arc] = c.back();
  }
  static lemon::Preflow<lemon::SmartDigraph, lemon::SmartDigraph::ArcMap<std::int64_t>> flow(
      graph, capacity, graph.nodeFromId(0), graph.nodeFromId(static_cast<int>(n - 1)));
  return {[] { flow.run(); },
          [n] {
            for (std::size_t e = 0; e < edges.from.size(); ++e)
              x.push_back(flow.flow(graph.arcFromId(static_cast<int>(e))));
            for (std::int64_t v = 0; v < n; ++v)
              s.push_back(flow.minCut(graph.nodeFromId(static_cast<int>(v))));
          },
          [n] {
            return CHECKER(n, static_cast<std::int64_t>(c.size()), edges.from, edges.to, c, 0,
                           n - 1, x, s);
          },
          [] { ++x[0]; }};
}

#elif defined(ON_paths)

Contest make(std::int64_t n) {
  using Weight = boost::property<boost::edge_weight_t, std::int64_t>;
  using Graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Weight>;
  static Random random;
  static const Edges edges(random, n * 5, n, n, false);
  static Numbers w, d, pe, num;
  static std::vector<std::size_t> parent;
  static Truths r;
  for (std::size_t e = 0; e < edges.from.size(); ++e) w.push_back(random.below(1000) + 1);
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t e = 0; e < edges.from.size(); ++e)
    pairs.emplace_back(edges.from[e], edges.to[e]);
  static const Graph graph(pairs.begin(), pairs.end(), w.begin(), at(n));
  static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
  return {[n] {
            d.assign(at(n), 0);
            parent.assign(at(n), 0);
            boost::dijkstra_shortest_paths(
                graph, boost::vertex(0, graph),
                boost::predecessor_map(parent.data()).distance_map(d.data()).distance_inf(kFar));
          },
          // The edge that it comes by, and a number that grows along it: the place in the order of
          // distances.
          [n] {
            pe.assign(at(n), 0);
            num.assign(at(n), 0);
            r.assign(at(n), 0);
            for (std::size_t v = 0; v < r.size(); ++v) r[v] = d[v] < kFar;
            for (std::size_t e = 0; e < edges.from.size(); ++e) {
              const std::size_t u = at(edges.from[e]), v = at(edges.to[e]);
              if (r[u] != 0 && d[v] == d[u] + w[e]) pe[v] = static_cast<std::int64_t>(e);
            }
            for (std::size_t v = 0; v < r.size(); ++v)
              num[v] = r[v] != 0 ? d[v] : 0;  // no edge has weight 0
            for (std::size_t v = 0; v < r.size(); ++v)
              if (r[v] == 0) d[v] = 0;
          },
          [n] {
            return CHECKER(n, static_cast<std::int64_t>(w.size()), edges.from, edges.to, w, 0, r, d,
                           pe, num);
          },
          [] {
            std::size_t v = d.size() / 2;
            while (r[v] == 0) ++v;
            ++d[v];
          }};
}

#elif defined(ON_components)

Contest make(std::int64_t n) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  static Random random;
  static const Edges edges(random, n, n, n, false);
  static Numbers c, pa, pe, num;
  static std::vector<int> found;
  static Graph graph(at(n));
  for (std::size_t e = 0; e < edges.from.size(); ++e)
    boost::add_edge(at(edges.from[e]), at(edges.to[e]), graph);
  return {[n] {
            found.assign(at(n), 0);
            boost::connected_components(graph, found.data());
          },
          // The label is the first vertex of the component; every other one hangs at an edge to a
          // vertex with a smaller number.
          [n] {
            std::vector<Numbers> meets(at(n));
            for (std::size_t e = 0; e < edges.from.size(); ++e)
              for (const std::int64_t v : {edges.from[e], edges.to[e]})
                meets[at(v)].push_back(static_cast<std::int64_t>(e));
            c.assign(at(n), -1);
            for (auto* v : {&pa, &pe, &num}) v->assign(at(n), 0);
            for (std::int64_t root = 0; root < n; ++root) {
              if (c[at(root)] >= 0) continue;
              Numbers todo{root};
              c[at(root)] = pa[at(root)] = root;
              for (std::size_t k = 0; k < todo.size(); ++k)
                for (const std::int64_t e : meets[at(todo[k])]) {
                  const std::int64_t v =
                      edges.from[at(e)] == todo[k] ? edges.to[at(e)] : edges.from[at(e)];
                  if (c[at(v)] >= 0) continue;
                  c[at(v)] = root;
                  pa[at(v)] = todo[k];
                  pe[at(v)] = e;
                  num[at(v)] = num[at(todo[k])] + 1;
                  todo.push_back(v);
                }
            }
          },
          [n] {
            return CHECKER(n, static_cast<std::int64_t>(edges.from.size()), edges.from, edges.to, c,
                           pa, pe, num);
          },
          [] { ++c[at(edges.from[0])]; }};
}

#endif

const char* name(verdict v) {
  return v == verdict::accept ? "accept" : v == verdict::reject ? "reject" : "undecided";
}

}  // namespace

int main(int argc, char** argv) {
  const Contest contest = make(argc > 1 ? std::atoll(argv[1]) : 1000);
  const double solved = seconds_of(contest.solve), certified = seconds_of(contest.certify);
  verdict said = verdict::undecided, spoiled = verdict::undecided;
  double checked = 1e9;
  for (int i = 0; i < 3; ++i)
    checked = std::min(checked, seconds_of([&] { said = contest.check(); }));
  contest.spoil();
  spoiled = contest.check();
  std::printf("%.6f %.6f %.6f %s %s\n", solved, certified, checked, name(said), name(spoiled));
  return said == verdict::accept && spoiled == verdict::reject ? 0 : 1;
}

// Seeds: abstract interpretation by models. Bounds `guard -> term <= number` and clauses of two
// Boolean literals are as strong as they can be where nothing is reached, and give way to whatever
// a run begins with or a step leads to, until all together are inductive.

#include <algorithm>

#include "fixpoint/answers.h"
#include "fixpoint/ratio.h"

namespace leto::fixpoint {

namespace {

constexpr std::size_t kMostTemplates = 40000;
constexpr std::size_t kMostBooleans = 200;
constexpr std::size_t kMostParameters = 2;
constexpr int kModelsPerRound = 20;

// A variable of the state or its opposite, as a summand or as a literal.
struct Signed {
  std::size_t variable;
  bool positive;
};
using Sum = std::vector<Signed>;
using Literals = std::vector<Signed>;  // none: always

bool is_made(const z3::expr& variable) {
  return variable.decl().name().str().find('|') != std::string::npos;
}

class Seeds {
 public:
  explicit Seeds(const System& system) : system_(system), step_(system.step()) {
    collect_thresholds();
    collect_templates();
    bounds_.assign(guards_.size() * sums_.size(), kNever);
  }

  void grow() {
    z3::solver start = make_solver(system_.context);
    start.add(system_.start());
    while (take_violation(start, system_.now)) {
    }
    z3::solver step = make_solver(system_.context);
    step.add(step_);
    for (bool stands = false; !stands;) {
      step.push();
      step.add(all_of(system_.context, what_stands()));
      stands = true;
      for (int i = 0; i < kModelsPerRound && take_violation(step, system_.next); ++i)
        stands = false;
      step.pop();
    }
  }

  // By solvers that have not been asked before.
  [[nodiscard]] bool is_inductive() const {
    const z3::expr seeds = all_of(system_.context, what_stands());
    z3::solver start = make_solver(system_.context);
    start.add(system_.start());
    start.add(!seeds);
    z3::solver step = make_solver(system_.context);
    step.add(step_);
    step.add(seeds);
    step.add(!system_.primed(seeds));
    return !satisfiable(start) && !satisfiable(step);
  }

  [[nodiscard]] Terms what_stands() const {
    Terms all;
    for (std::size_t g = 0; g < guards_.size(); ++g) {
      const z3::expr guard = all_of(system_.context, literals(guards_[g], system_.now));
      Terms bounds;
      for (std::size_t s = 0; s < sums_.size(); ++s) {
        const int bound = bounds_[place(g, s)];
        if (bound == kNever) {
          bounds = {system_.context.bool_val(false)};
          break;
        }
        if (says_something(g, s)) bounds.push_back(!beyond(s, bound, system_.now));
      }
      for (const z3::expr& bound : bounds)
        all.push_back(guard.is_true() ? bound : z3::implies(guard, bound));
    }
    for (const Literals& clause : clauses_)
      all.push_back(any_of(system_.context, literals(clause, system_.now)));
    return all;
  }

  void tighten_wrongly() {
    for (int& bound : bounds_)
      if (bound != kNever && bound < always()) bound = std::max(0, bound - 2);
  }

  [[nodiscard]] std::size_t templates() const { return bounds_.size() + clauses_.size(); }

 private:
  // A bound is a number: 2i says < thresholds_[i], 2i+1 says <= thresholds_[i].
  static constexpr int kNever = -1;
  [[nodiscard]] int always() const { return static_cast<int>(thresholds_.size()) * 2; }
  [[nodiscard]] std::size_t place(std::size_t guard, std::size_t sum) const {
    return guard * sums_.size() + sum;
  }
  // The first guard is always true. What it says the others need not say again.
  [[nodiscard]] bool says_something(std::size_t guard, std::size_t sum) const {
    const int bound = bounds_[place(guard, sum)];
    return bound < always() && (guard == 0 || bound < bounds_[place(0, sum)]);
  }

  void collect_thresholds() {
    thresholds_.push_back({});
    for_each_subterm({system_.init, step_, system_.claim}, [&](const z3::expr& term) {
      constexpr std::int64_t most = std::int64_t{1} << 30;  // so that all can be compared
      const auto value = ratio_in(term);
      if (value && value->over < most && value->over > -most && value->under < most) {
        thresholds_.push_back(*value);
        thresholds_.push_back(opposite_of(*value));
      }
      return true;
    });
    std::sort(thresholds_.begin(), thresholds_.end(),
              [](const Ratio& a, const Ratio& b) { return order_of(a, b).value_or(0) < 0; });
    thresholds_.erase(std::unique(thresholds_.begin(), thresholds_.end()), thresholds_.end());
  }

  void collect_templates() {
    std::vector<std::size_t> parameters, changing, booleans;
    for (std::size_t i = 0; i < system_.now.size(); ++i) {
      if (system_.now[i].is_bool())
        booleans.push_back(i);
      else if (system_.now[i].is_arith())
        (never_changes(i) ? parameters : changing).push_back(i);
    }
    collect_sums(parameters, changing);
    guards_.push_back({});
    for (const std::size_t b : booleans) {
      guards_.push_back({{b, true}});
      // What a value among several is not says little.
      if (!is_made(system_.now[b])) guards_.push_back({{b, false}});
    }
    if (guards_.size() * sums_.size() > kMostTemplates) guards_.resize(1);
    if (booleans.size() > kMostBooleans) return;
    for (const std::size_t a : booleans)
      for (const std::size_t b : booleans)
        for (const unsigned signs : {0U, 1U, 2U, 3U})
          if (a < b) clauses_.push_back({{a, (signs & 1U) != 0}, {b, (signs & 2U) != 0}});
  }

  void collect_sums(const std::vector<std::size_t>& parameters,
                    const std::vector<std::size_t>& changing) {
    for (const std::vector<std::size_t>* some : {&parameters, &changing})
      for (const std::size_t a : *some)
        for (const bool positive : {true, false}) sums_.push_back({{a, positive}});
    const auto add = [&](const Sum& sum) {
      for (const Signed& part : sum)
        if (!z3::eq(system_.now[part.variable].get_sort(), system_.now[sum[0].variable].get_sort()))
          return;
      sums_.push_back(sum);
    };
    for (const std::size_t a : changing)
      for (const std::size_t b : changing) {
        if (a == b) continue;
        add({{a, true}, {b, false}});
        if (parameters.size() > kMostParameters) continue;
        for (const std::size_t p : parameters)
          for (const bool positive : {true, false}) add({{a, true}, {b, false}, {p, positive}});
      }
  }

  [[nodiscard]] bool never_changes(std::size_t variable) const {
    z3::solver solver = make_solver(system_.context);
    solver.add(step_);
    solver.add(system_.now[variable] != system_.next[variable]);
    return !satisfiable(solver);
  }

  [[nodiscard]] Terms literals(const Literals& some, const Terms& variables) const {
    Terms terms;
    for (const Signed& one : some)
      terms.push_back(one.positive ? variables[one.variable] : !variables[one.variable]);
    return terms;
  }

  // That a sum is beyond its bound.
  [[nodiscard]] z3::expr beyond(std::size_t sum, int bound, const Terms& variables) const {
    z3::expr_vector parts(system_.context);
    for (const Signed& part : sums_[sum])
      parts.push_back(part.positive ? variables[part.variable] : -variables[part.variable]);
    const z3::expr left = parts.size() == 1 ? parts[0] : z3::sum(parts);
    const z3::expr right =
        numeral_of(left.get_sort(), thresholds_[static_cast<std::size_t>(bound / 2)]);
    return bound % 2 == 1 ? left > right : left >= right;
  }

  [[nodiscard]] z3::expr violation(const Terms& variables) const {
    Terms any;
    for (std::size_t g = 0; g < guards_.size(); ++g) {
      Terms bounds;
      for (std::size_t s = 0; s < sums_.size(); ++s) {
        const int bound = bounds_[place(g, s)];
        if (bound == kNever) {
          bounds = {system_.context.bool_val(true)};
          break;
        }
        if (says_something(g, s)) bounds.push_back(beyond(s, bound, variables));
      }
      Terms both = literals(guards_[g], variables);
      both.push_back(any_of(system_.context, bounds));
      any.push_back(all_of(system_.context, both));
    }
    for (const Literals& clause : clauses_)
      any.push_back(!any_of(system_.context, literals(clause, variables)));
    return any_of(system_.context, any);
  }

  // Is there a model in which something is violated? Then it gives way.
  bool take_violation(z3::solver& solver, const Terms& variables) {
    solver.push();
    solver.add(violation(variables));
    const bool found = satisfiable(solver);
    if (found) give_way(solver.get_model(), variables);
    solver.pop();
    return found;
  }

  void give_way(const z3::model& model, const Terms& variables) {
    std::vector<std::optional<Ratio>> values(variables.size());
    std::vector<bool> truths(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const z3::expr value = model.eval(variables[i], true);
      values[i] = ratio_in(value);
      truths[i] = value.is_true();
    }
    const auto true_in = [&](const Signed& literal) {
      return truths[literal.variable] == literal.positive;
    };
    clauses_.erase(std::remove_if(clauses_.begin(), clauses_.end(),
                                  [&](const Literals& clause) {
                                    return std::none_of(clause.begin(), clause.end(), true_in);
                                  }),
                   clauses_.end());
    std::vector<int> least(sums_.size());
    for (std::size_t s = 0; s < sums_.size(); ++s) least[s] = least_bound(sums_[s], values);
    for (std::size_t g = 0; g < guards_.size(); ++g)
      if (std::all_of(guards_[g].begin(), guards_[g].end(), true_in))
        for (std::size_t s = 0; s < sums_.size(); ++s)
          bounds_[place(g, s)] = std::max(bounds_[place(g, s)], least[s]);
  }

  // What does not fit is beyond every bound.
  [[nodiscard]] int least_bound(const Sum& sum,
                                const std::vector<std::optional<Ratio>>& values) const {
    std::optional<Ratio> total = Ratio{};
    for (const Signed& part : sum) {
      const std::optional<Ratio>& value = values[part.variable];
      if (!total || !value) return always();
      total = sum_of(*total, part.positive ? *value : opposite_of(*value));
    }
    if (!total) return always();
    for (std::size_t i = 0; i < thresholds_.size(); ++i) {
      const auto order = order_of(*total, thresholds_[i]);
      if (!order) return always();
      if (*order <= 0) return static_cast<int>(2 * i) + (*order == 0 ? 1 : 0);
    }
    return always();
  }

  const System& system_;
  z3::expr step_;
  std::vector<Ratio> thresholds_;
  std::vector<Sum> sums_;
  std::vector<Literals> guards_, clauses_;
  std::vector<int> bounds_;  // by guard and sum
};

}  // namespace

Answer run_seeds(const System& system, const Options& options, Console& console) {
  Seeds seeds(system);
  console.progress("seeds from " + std::to_string(seeds.templates()) + " templates");
  seeds.grow();
  const bool weakened = options.mutant == Mutant::SeedOffByOne;
  if (weakened)
    seeds.tighten_wrongly();
  else if (!seeds.is_inductive())
    return unknown("the seeds are not inductive");
  const Terms stand = seeds.what_stands();
  console.progress(std::to_string(stand.size()) + " seeds");
  z3::solver solver = make_solver(system.context);
  solver.add(system.facts);
  solver.add(all_of(system.context, stand));
  solver.add(!system.claim);
  if (!satisfiable(solver)) return valid(1, stand);
  Answer answer = unknown("the seeds do not imply the claim");
  answer.invariant = stand;
  return answer;
}

}  // namespace leto::fixpoint

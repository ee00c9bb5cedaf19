#include "fixpoint/normalise.h"

#include <algorithm>
#include <unordered_map>

namespace leto::fixpoint {

namespace {

constexpr std::size_t kMostCases = 16;
constexpr std::size_t kMostPairs = 64;

// The values that a term may have, each with the condition under which it has it.
struct Case {
  Ratio value;
  z3::expr when;
};
using Cases = std::vector<Case>;

// Rewrites formulas over variables with cases into formulas without these variables. Each subterm
// is looked at once.
class Rewriter {
 public:
  explicit Rewriter(z3::context& context) : context_(context) {}

  void replace(const z3::expr& variable, Cases cases) {
    kept_.push_back(variable);
    cases_.emplace(variable.id(), std::move(cases));
  }

  z3::expr formula(const z3::expr& term) {
    const auto found = formulas_.find(term.id());
    if (found != formulas_.end()) return found->second;
    kept_.push_back(term);
    z3::expr result = rewritten_formula(term);
    formulas_.emplace(term.id(), result);
    return result;
  }

 private:
  z3::expr both(const z3::expr& a, const z3::expr& b) {
    if (a.is_false() || b.is_true()) return a;
    if (b.is_false() || a.is_true()) return b;
    return a && b;
  }
  z3::expr either(const z3::expr& a, const z3::expr& b) {
    if (a.is_true() || b.is_false()) return a;
    if (b.is_true() || a.is_false()) return b;
    return a || b;
  }

  z3::expr rewritten_formula(const z3::expr& term) {
    switch (term.decl().decl_kind()) {
      case Z3_OP_EQ:
      case Z3_OP_LE:
      case Z3_OP_LT:
      case Z3_OP_GE:
      case Z3_OP_GT:
        if (term.num_args() == 2 && term.arg(0).is_arith()) return comparison(term);
        return with_new_arguments(term);
      case Z3_OP_DISTINCT:
        return distinct(term);
      default:
        return with_new_arguments(term);
    }
  }

  z3::expr distinct(const z3::expr& term) {
    z3::expr all = context_.bool_val(true);
    for (unsigned i = 0; i < term.num_args(); ++i)
      for (unsigned j = i + 1; j < term.num_args(); ++j)
        all = both(all, !formula(term.arg(i) == term.arg(j)));
    return all;
  }

  // A term of any sort, of which parts are replaced.
  z3::expr with_new_arguments(const z3::expr& term) {
    if (term.num_args() == 0) return term;
    std::vector<Z3_ast> arguments;
    Terms keep;
    for (unsigned i = 0; i < term.num_args(); ++i) {
      keep.push_back(term.arg(i).is_bool() ? formula(term.arg(i)) : number(term.arg(i)));
      arguments.push_back(keep.back());
    }
    return z3::to_expr(context_, Z3_update_term(context_, term, term.num_args(), arguments.data()));
  }

  z3::expr number(const z3::expr& term) {
    const auto found = numbers_.find(term.id());
    if (found != numbers_.end()) return found->second;
    kept_.push_back(term);
    const auto cases = cases_.find(term.id());
    z3::expr result = is_variable(term) && cases != cases_.end() && cases->second
                          ? chain(*cases->second, term.get_sort())
                          : with_new_arguments(term);
    numbers_.emplace(term.id(), result);
    return result;
  }

  static z3::expr chain(const Cases& cases, const z3::sort& sort) {
    z3::expr result = numeral_of(sort, cases.back().value);
    for (std::size_t i = cases.size() - 1; i-- > 0;)
      result = z3::ite(cases[i].when, numeral_of(sort, cases[i].value), result);
    return result;
  }

  z3::expr comparison(const z3::expr& term) {
    const Cases* left = cases_of(term.arg(0));
    const Cases* right = left == nullptr ? nullptr : cases_of(term.arg(1));
    if (left == nullptr || right == nullptr) return with_new_arguments(term);
    const Z3_decl_kind kind = term.decl().decl_kind();
    if (kind == Z3_OP_EQ && is_variable(term.arg(0)) && is_variable(term.arg(1)))
      return same(*left, *right);
    z3::expr any = context_.bool_val(false);
    for (const Case& a : *left) {
      z3::expr partners = context_.bool_val(false);
      for (const Case& b : *right) {
        const auto order = order_of(a.value, b.value);
        if (!order) return with_new_arguments(term);
        if (holds(kind, *order)) partners = either(partners, b.when);
      }
      any = either(any, both(a.when, partners));
    }
    return any;
  }

  static bool holds(Z3_decl_kind kind, int order) {
    if (kind == Z3_OP_EQ) return order == 0;
    if (kind == Z3_OP_LE) return order <= 0;
    if (kind == Z3_OP_LT) return order < 0;
    return kind == Z3_OP_GE ? order >= 0 : order > 0;
  }

  // Two variables are equal if each value is had by both or by none.
  z3::expr same(const Cases& left, const Cases& right) {
    z3::expr all = context_.bool_val(true);
    const auto when = [&](const Cases& cases, const Ratio& value) {
      for (const Case& one : cases)
        if (one.value == value) return one.when;
      return context_.bool_val(false);
    };
    for (const Case& a : left) all = both(all, equivalent(a.when, when(right, a.value)));
    for (const Case& b : right)
      if (when(left, b.value).is_false()) all = both(all, negation_of(b.when));
    return all;
  }
  static z3::expr equivalent(const z3::expr& a, const z3::expr& b) {
    if (a.is_true()) return b;
    if (b.is_true()) return a;
    if (a.is_false()) return negation_of(b);
    return b.is_false() ? negation_of(a) : a == b;
  }

  // Of a number: nullptr if it has too many, or nobody knows.
  const Cases* cases_of(const z3::expr& term) {
    const auto found = cases_.find(term.id());
    if (found != cases_.end()) return found->second ? &*found->second : nullptr;
    kept_.push_back(term);
    std::optional<Cases> cases = computed_cases(term);
    const auto& stored = cases_.emplace(term.id(), std::move(cases)).first->second;
    return stored ? &*stored : nullptr;
  }

  std::optional<Cases> computed_cases(const z3::expr& term) {
    if (const auto value = ratio_in(term)) return Cases{{*value, context_.bool_val(true)}};
    switch (term.decl().decl_kind()) {
      case Z3_OP_ITE: {
        const Cases* yes = cases_of(term.arg(1));
        const Cases* no = yes == nullptr ? nullptr : cases_of(term.arg(2));
        if (yes == nullptr || no == nullptr) return std::nullopt;
        const z3::expr test = formula(term.arg(0));
        Cases cases;
        for (const Case& one : *yes) add(cases, one.value, both(test, one.when));
        for (const Case& one : *no) add(cases, one.value, both(negation_of(test), one.when));
        return within_limit(std::move(cases));
      }
      case Z3_OP_ADD:
        return folded(term, sum_of);
      case Z3_OP_SUB:
        return folded(term,
                      [](const Ratio& a, const Ratio& b) { return sum_of(a, opposite_of(b)); });
      case Z3_OP_MUL:
        return folded(term, product_of);
      case Z3_OP_UMINUS: {
        const Cases* inner = cases_of(term.arg(0));
        if (inner == nullptr) return std::nullopt;
        Cases cases = *inner;
        for (Case& one : cases) one.value = opposite_of(one.value);
        return cases;
      }
      case Z3_OP_TO_REAL: {
        const Cases* inner = cases_of(term.arg(0));
        return inner == nullptr ? std::nullopt : std::optional(*inner);
      }
      default:
        return std::nullopt;
    }
  }

  template <class Operation>
  std::optional<Cases> folded(const z3::expr& term, Operation operation) {
    const Cases* first = cases_of(term.arg(0));
    if (first == nullptr) return std::nullopt;
    Cases sofar = *first;
    for (unsigned i = 1; i < term.num_args(); ++i) {
      const Cases* other = cases_of(term.arg(i));
      if (other == nullptr || sofar.size() * other->size() > kMostPairs) return std::nullopt;
      Cases next;
      for (const Case& a : sofar)
        for (const Case& b : *other) {
          const auto value = operation(a.value, b.value);
          if (!value) return std::nullopt;
          add(next, *value, both(a.when, b.when));
        }
      sofar = std::move(next);
    }
    return within_limit(std::move(sofar));
  }

  void add(Cases& cases, const Ratio& value, const z3::expr& when) {
    if (when.is_false()) return;
    for (Case& one : cases)
      if (one.value == value) {
        one.when = either(one.when, when);
        return;
      }
    cases.push_back({value, when});
  }
  static std::optional<Cases> within_limit(Cases cases) {
    if (cases.empty() || cases.size() > kMostCases) return std::nullopt;
    return cases;
  }

  z3::context& context_;
  std::unordered_map<unsigned, z3::expr> formulas_, numbers_;
  std::unordered_map<unsigned, std::optional<Cases>> cases_;
  Terms kept_;  // so that no number above is given to another term
};

// A variable that nothing reads is chosen anew in each step, as inputs are.
void free_unread(System& system) {
  std::unordered_set<unsigned> read;
  for (const z3::expr& variable :
       variables_of({system.init, system.trans, system.claim, system.facts}))
    read.insert(variable.id());
  Terms now, next;
  for (std::size_t i = 0; i < system.now.size(); ++i) {
    if (read.count(system.now[i].id()) > 0) {
      now.push_back(system.now[i]);
      next.push_back(system.next[i]);
    } else {
      system.inputs.push_back(system.next[i]);
    }
  }
  system.now = std::move(now);
  system.next = std::move(next);
}

// The Booleans for one variable, and the cases that they make of it now and next.
class OneHot {
 public:
  OneHot(const System& given, Normal& normal, Rewriter& rewriter)
      : given_(given), normal_(normal), rewriter_(rewriter) {}

  void encode(const Domain& domain) {
    const z3::expr now = given_.now[domain.variable];
    const z3::expr next = given_.next[domain.variable];
    const std::size_t count = domain.values.size();
    Cases now_cases, next_cases;
    for (std::size_t i = 0; i < count; ++i) {
      const auto [here, there] = count == 1             ? constant()
                                 : i == 1 && count == 2 ? opposite_of(now_cases[0], next_cases[0])
                                                        : boolean(now, domain.values[i]);
      now_cases.push_back({domain.values[i], here});
      next_cases.push_back({domain.values[i], there});
    }
    if (count > 2) exactly_one(now_cases);
    rewriter_.replace(now, std::move(now_cases));
    rewriter_.replace(next, std::move(next_cases));
  }

  Terms facts_;  // one value each

 private:
  using Pair = std::pair<z3::expr, z3::expr>;
  Pair constant() {
    const z3::expr always = given_.context.bool_val(true);
    return {always, always};
  }
  static Pair opposite_of(const Case& now, const Case& next) { return {!now.when, !next.when}; }
  // No symbol of a text has a bar in it.
  Pair boolean(const z3::expr& variable, const Ratio& value) {
    const std::string name = "value|" + std::to_string(normal_.made.size());
    const z3::expr here = given_.context.bool_const(name.c_str());
    const z3::expr there = given_.context.bool_const((name + "|next").c_str());
    normal_.system.now.push_back(here);
    normal_.system.next.push_back(there);
    normal_.made.push_back(here);
    normal_.meant.push_back(variable == numeral_of(variable.get_sort(), value));
    return {here, there};
  }
  void exactly_one(const Cases& cases) {
    Terms any;
    for (const Case& one : cases) any.push_back(one.when);
    facts_.push_back(any_of(given_.context, any));
    for (std::size_t i = 0; i < any.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) facts_.push_back(!any[i] || !any[j]);
  }

  const System& given_;
  Normal& normal_;
  Rewriter& rewriter_;
};

}  // namespace

Normal normalise(const System& given) {
  System read = given;
  free_unread(read);
  const std::vector<Domain> domains = find_domains(read);
  Normal normal{System(given.context), {}, {}, {}};
  Rewriter rewriter(given.context);
  OneHot one_hot(read, normal, rewriter);
  std::unordered_set<std::size_t> finite;
  for (const Domain& domain : domains) {
    finite.insert(domain.variable);
    normal.found.push_back(membership(read.now[domain.variable], domain.values));
    one_hot.encode(domain);
  }
  for (std::size_t i = 0; i < read.now.size(); ++i) {
    if (finite.count(i) > 0) continue;
    normal.system.now.push_back(read.now[i]);
    normal.system.next.push_back(read.next[i]);
  }
  normal.system.inputs = read.inputs;
  const auto rewritten = [&](const z3::expr& term) { return rewriter.formula(term).simplify(); };
  normal.system.init = rewritten(read.init);
  normal.system.trans = rewritten(read.trans);
  normal.system.claim = rewritten(read.claim);
  one_hot.facts_.push_back(rewritten(read.facts));
  normal.system.facts = all_of(given.context, one_hot.facts_).simplify();
  return normal;
}

}  // namespace leto::fixpoint

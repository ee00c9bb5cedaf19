#include "logic/ring.h"

#include <algorithm>

namespace leto::logic {

namespace {

constexpr std::size_t kMostTerms = 20'000;
constexpr std::size_t kMostSteps = 48;

bool is_sum_or_product(Kind kind) {
  return kind == Kind::Add || kind == Kind::Sub || kind == Kind::Neg || kind == Kind::Mul;
}

using Values = std::unordered_map<Term, Term>;  // of bound variables

// A twin is what it is the twin of.
std::string_view name_of(const Node& call) {
  std::string_view name = call.text;
  if (TermTable::is_twin(call.text)) name.remove_suffix(1);
  return name;
}

// Whether the pattern, with some values for its bound variables, is the term.
bool match(const TermTable& table, Term pattern, Term term, Values& values) {
  if (pattern == term) return true;
  const Node &a = table[pattern], &b = table[term];
  if (a.kind == Kind::Bound) {
    const auto [it, fresh] = values.emplace(pattern, term);
    return a.sort == b.sort && (fresh || it->second == term);
  }
  if (a.kind != b.kind || name_of(a) != name_of(b) || a.args.size() != b.args.size() ||
      (a.kind != Kind::Select && a.kind != Kind::Call))
    return false;
  for (std::size_t i = 0; i < a.args.size(); ++i)
    if (!match(table, a.args[i], b.args[i], values)) return false;
  return true;
}

// What the value is in one case or another.
void find_cases(const TermTable& table, Term t, int depth, std::vector<Term>& out) {
  const Node& node = table[t];
  if (node.kind != Kind::Ite || depth == 0) return out.push_back(t);
  find_cases(table, node.args[1], depth - 1, out);
  find_cases(table, node.args[2], depth - 1, out);
}

}  // namespace

std::vector<Term> Ring::find_steps(const std::vector<Term>& facts, Term goal) {
  to_do_ = facts;
  to_do_.push_back(goal);
  while (!to_do_.empty()) {
    const Term next = to_do_.back();
    to_do_.pop_back();
    look_at(next);
    if (seen_.size() > kMostTerms) return {};
  }
  for (std::size_t i = 0; i < products_.size() && steps_.size() < kMostSteps; ++i)
    for (std::size_t factor = 0; factor < products_[i].size(); ++factor)
      add_steps(Product(products_[i]), factor);
  return std::move(steps_);
}

void Ring::look_at(Term t) {
  if (!seen_.insert(t).second) return;
  const Node node = table_[t];
  if (node.kind == Kind::Eq) look_at_equation(node);
  for (Term arg : node.args) {
    to_do_.push_back(arg);
    if (is_sum_or_product(table_[arg].kind) && !is_sum_or_product(node.kind)) look_at_sum(arg);
  }
  if (node.kind == Kind::Call || node.kind == Kind::Symbol)
    for (Term fact : table_.told(t)) to_do_.push_back(fact);
}

// What is equal to an atom is known without us. Of bound variables all are to be in what is looked
// for, and none in the rest alone.
void Ring::look_at_equation(const Node& node) {
  const Sort sort = table_.sort(node.args[0]);
  if (sort != kInt && sort != kReal) return;
  for (const bool swapped : {false, true}) {
    const Term what = node.args[swapped ? 1 : 0], is = node.args[swapped ? 0 : 1];
    const Node& atom = table_[what];
    if (is_sum_or_product(atom.kind) || atom.kind == Kind::Number || atom.kind == Kind::Ite)
      continue;
    const Kind kind = table_[is].kind;
    if (!is_sum_or_product(kind) && kind != Kind::Number && kind != Kind::Ite) continue;
    if (atom.free.size() == node.free.size()) equations_.push_back({what, is});
  }
}

// The products of unknowns in it.
void Ring::look_at_sum(Term t) {
  if (!table_[t].free.empty()) return;
  const Polynomials::Sum* sum = polynomials_.find(t);
  if (sum == nullptr) return;
  for (const auto& [factors, times] : *sum) {
    Product product;
    for (std::uint32_t number : factors)
      if (const Term atom = polynomials_.atom(number); table_[atom].kind != Kind::Number)
        product.push_back(atom);
    if (product.size() < 2) continue;
    if (known_.insert(multiply(product)).second) products_.push_back(std::move(product));
  }
}

void Ring::add_steps(const Product& product, std::size_t factor) {
  if (factor > 0 && product[factor - 1] == product[factor]) return;
  std::vector<Term> cases;
  for (const Equation& one : equations_) {
    Values values;
    if (match(table_, one.what, product[factor], values))
      find_cases(table_, table_.with_values(one.is, values), 2, cases);
  }
  for (Term one : cases) add_step(product, factor, one);
}

void Ring::add_step(const Product& product, std::size_t factor, Term is) {
  if (steps_.size() >= kMostSteps) return;
  Product changed = product;
  changed[factor] = is;
  const Term result = multiply(changed);
  const Term step =
      table_.implies(table_.eq(product[factor], is), table_.eq(multiply(product), result));
  if (!known_.insert(step).second) return;
  steps_.push_back(step);
  look_at_sum(result);
}

Term Ring::multiply(const Product& product) {
  Term all = product[0];
  for (std::size_t i = 1; i < product.size(); ++i) all = table_.arith(Kind::Mul, all, product[i]);
  return all;
}

}  // namespace leto::logic

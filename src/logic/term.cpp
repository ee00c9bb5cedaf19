#include "logic/term.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_set>

namespace leto::logic {

TermTable::TermTable(Trap trap) : trap_(trap) {
  true_ = make(Kind::True, kBool, {});
  false_ = make(Kind::False, kBool, {});
}

std::size_t TermTable::hash(const Node& node) {
  std::size_t h = static_cast<std::size_t>(node.kind) * 31 +
                  static_cast<std::size_t>(node.sort.base) * 7 + node.sort.rank +
                  static_cast<std::size_t>(node.sort.width) * 131;
  for (Term arg : node.args) h = h * 1000003 + arg.value + 1;
  return h ^ std::hash<std::string>{}(node.text);
}

Term TermTable::make(Kind kind, Sort sort, std::vector<Term> args, std::string text) {
  Node node{kind, sort, {}, std::move(args), std::move(text)};
  const std::size_t h = hash(node);
  const auto [begin, end] = index_.equal_range(h);
  for (auto it = begin; it != end; ++it) {
    const Node& other = nodes_[it->second];
    if (other.kind == kind && other.sort == sort && other.args == node.args &&
        other.text == node.text)
      return it->second;
  }
  for (Term arg : node.args)
    for (Term variable : nodes_[arg].free)
      if (std::find(node.free.begin(), node.free.end(), variable) == node.free.end())
        node.free.push_back(variable);
  if (kind == Kind::Forall || kind == Kind::Exists)
    for (std::size_t i = 0; i + 1 < node.args.size(); ++i) std::erase(node.free, node.args[i]);
  const Term id = nodes_.add(std::move(node));
  if (kind == Kind::Bound) nodes_[id].free.push_back(id);
  index_.emplace(h, id);
  return id;
}

namespace {

// A number is written in one way only, so that equal numbers are one term: digits without zeros in
// front, and of a real also none behind, with a power of ten.
std::string canonical(const std::string& text, bool real) {
  std::string digits = text;
  long exponent = 0;
  if (const std::size_t e = digits.find_first_of("eE"); e != std::string::npos) {
    exponent = std::stol(digits.substr(e + 1));
    digits.erase(e);
  }
  if (const std::size_t dot = digits.find('.'); dot != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - dot - 1);
    digits.erase(dot, 1);
  }
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "0";
  if (!real) {
    LETO_ASSERT(exponent == 0);
    return digits;
  }
  const std::size_t last = digits.find_last_not_of('0');
  exponent += static_cast<long>(digits.size() - 1 - last);
  digits.erase(last + 1);
  return exponent == 0 ? digits : digits + "e" + std::to_string(exponent);
}

}  // namespace

Term TermTable::number(const std::string& text, Sort sort) {
  if (trap_ == Trap::NumbersAsTexts && sort == kInt) return make(Kind::Number, sort, {}, text);
  return make(Kind::Number, sort, {}, canonical(text, sort == kReal));
}

std::optional<std::int64_t> TermTable::integer(Term t) const {
  const Node& node = nodes_[t];
  if (node.sort != kInt) return std::nullopt;
  if (node.kind == Kind::Neg) {
    const std::optional<std::int64_t> inner = integer(node.args[0]);
    return inner ? std::optional(-*inner) : std::nullopt;
  }
  // Products of two such numbers fit.
  if (node.kind != Kind::Number || node.text.size() > 9) return std::nullopt;
  return std::stoll(node.text);
}

Term TermTable::integer(std::int64_t value) {
  const Term size = number(std::to_string(value < 0 ? -value : value), kInt);
  return value < 0 ? make(Kind::Neg, kInt, {size}) : size;
}

Term TermTable::zero(Sort sort) {
  if (sort == kBool) return false_;
  if (sort.rank == 0) return number("0", sort);
  return make(Kind::Zero, sort, {});
}

Term TermTable::symbol(std::string_view name, Sort sort) {
  return make(Kind::Symbol, sort, {}, std::string(name) + "!" + std::to_string(fresh_++));
}

Term TermTable::bound(std::string_view name, Sort sort) {
  return make(Kind::Bound, sort, {}, std::string(name) + "!" + std::to_string(fresh_++));
}

Term TermTable::not_(Term a) {
  if (is_true(a)) return false_;
  if (is_false(a)) return true_;
  if (nodes_[a].kind == Kind::Not) return nodes_[a].args[0];
  return make(Kind::Not, kBool, {a});
}

namespace {

// Those that come for the first time, in their order. Most lists are short.
std::vector<Term> without_repetition(const std::vector<Term>& terms) {
  constexpr std::size_t kShort = 16;
  std::vector<Term> out;
  std::unordered_set<Term> seen;
  for (Term term : terms) {
    const bool is_new = terms.size() > kShort
                            ? seen.insert(term).second
                            : std::find(out.begin(), out.end(), term) == out.end();
    if (is_new) out.push_back(term);
  }
  return out;
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): callers hand theirs over
Term TermTable::and_(std::vector<Term> args) {
  std::vector<Term> flat;
  for (Term arg : args) {
    if (is_false(arg)) return false_;
    if (is_true(arg)) continue;
    if (nodes_[arg].kind == Kind::And)
      flat.insert(flat.end(), nodes_[arg].args.begin(), nodes_[arg].args.end());
    else
      flat.push_back(arg);
  }
  std::vector<Term> unique = without_repetition(flat);
  if (unique.empty()) return true_;
  if (unique.size() == 1) return unique[0];
  return make(Kind::And, kBool, std::move(unique));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): callers hand theirs over
Term TermTable::or_(std::vector<Term> args) {
  std::vector<Term> possible;
  for (Term arg : args) {
    if (is_true(arg)) return true_;
    if (!is_false(arg)) possible.push_back(arg);
  }
  std::vector<Term> unique = without_repetition(possible);
  const std::unordered_set<Term> all(unique.begin(), unique.end());
  for (Term arg : unique)
    if (nodes_[arg].kind == Kind::Not && all.contains(nodes_[arg].args[0])) return true_;
  if (unique.empty()) return false_;
  if (unique.size() == 1) return unique[0];
  return make(Kind::Or, kBool, std::move(unique));
}

Term TermTable::implies(Term a, Term b) {
  if (is_true(a)) return b;
  if (is_false(a) || is_true(b) || a == b) return true_;
  if (is_false(b)) return not_(a);
  return make(Kind::Implies, kBool, {a, b});
}

Term TermTable::ite(Term condition, Term a, Term b) {
  if (is_true(condition) || a == b) return a;
  if (is_false(condition)) return b;
  if (nodes_[condition].kind == Kind::Not) return ite(nodes_[condition].args[0], b, a);
  if (is_true(a) && is_false(b)) return condition;
  if (is_false(a) && is_true(b)) return not_(condition);
  return make(Kind::Ite, sort(a), {condition, a, b});
}

Term TermTable::eq(Term a, Term b) {
  LETO_ASSERT(sort(a) == sort(b));
  if (a == b) return true_;
  if (const auto x = integer(a), y = integer(b); x && y) return boolean(*x == *y);
  if (nodes_[a].kind == Kind::Number && nodes_[b].kind == Kind::Number)
    return false_;  // numbers are written in one way only
  if (is_true(a)) return b;
  if (is_true(b)) return a;
  if (is_false(a)) return not_(b);
  if (is_false(b)) return not_(a);
  return make(Kind::Eq, kBool, precedes(a, b) ? std::vector<Term>{a, b} : std::vector<Term>{b, a});
}

bool TermTable::precedes(Term a, Term b) const {
  while (true) {
    if (a == b) return false;
    const Node &x = nodes_[a], &y = nodes_[b];
    if (x.kind != y.kind) return x.kind < y.kind;
    if (x.kind == Kind::Symbol || x.kind == Kind::Bound) return a < b;  // as they were made
    if (x.sort != y.sort)
      return std::tuple(x.sort.base, x.sort.rank, x.sort.width) <
             std::tuple(y.sort.base, y.sort.rank, y.sort.width);
    if (x.args.size() != y.args.size()) return x.args.size() < y.args.size();
    if (x.text != y.text) return x.text < y.text;
    // Terms that are the same in all of this differ in an argument, else they would be one.
    const auto [left, right] = std::mismatch(x.args.begin(), x.args.end(), y.args.begin());
    LETO_ASSERT(left != x.args.end());
    a = *left;
    b = *right;
  }
}

Term TermTable::lt(Term a, Term b) {
  if (a == b) return false_;
  if (const auto x = integer(a), y = integer(b); x && y) return boolean(*x < *y);
  return make(Kind::Lt, kBool, {a, b});
}

Term TermTable::le(Term a, Term b) {
  if (a == b) return true_;
  if (const auto x = integer(a), y = integer(b); x && y) return boolean(*x <= *y);
  return make(Kind::Le, kBool, {a, b});
}

Term TermTable::arith(Kind kind, Term a, Term b) {
  LETO_ASSERT(sort(a) == sort(b));
  const Term none = zero(sort(a));
  if (kind == Kind::Add && a == none) return b;
  if ((kind == Kind::Add || kind == Kind::Sub) && b == none) return a;
  if (const auto x = integer(a), y = integer(b); x && y) {
    if (kind == Kind::Add) return integer(*x + *y);
    if (kind == Kind::Sub) return integer(*x - *y);
    if (kind == Kind::Mul) return integer(*x * *y);
    if (kind == Kind::IntDiv && *x >= 0 && *y > 0) return integer(*x / *y);
    if (kind == Kind::IntMod && *x >= 0 && *y > 0) return integer(*x % *y);
  }
  return make(kind, sort(a), {a, b});
}

Term TermTable::bits(const std::string& head, Sort sort, std::vector<Term> args) {
  return make(Kind::Bits, sort, std::move(args), head);
}

Term TermTable::neg(Term a) {
  if (const auto x = integer(a)) return integer(-*x);
  return make(Kind::Neg, sort(a), {a});
}

Term TermTable::to_real(Term a) {
  if (sort(a) == kReal) return a;
  if (nodes_[a].kind == Kind::Number) return number(std::string(nodes_[a].text), kReal);
  return make(Kind::ToReal, kReal, {a});
}

Term TermTable::to_int(Term a) {
  LETO_ASSERT(sort(a) == kReal);
  const Node& node = nodes_[a];
  if (node.kind == Kind::ToReal) return node.args[0];
  if (node.kind == Kind::Number && node.text.find('e') == std::string::npos)
    return number(std::string(node.text), kInt);
  return make(Kind::ToInt, kInt, {a});
}

Term TermTable::select(Term array, Term index) {
  // Past stores to other places, but not past any number of them: each access would cost as much
  // as all before it.
  constexpr int kFar = 64;
  const std::optional<std::int64_t> at = integer(index);
  for (int steps = 0; steps < kFar; ++steps) {
    const Node& node = nodes_[array];
    if (node.kind == Kind::Zero) return zero(node.sort.element());
    if (node.kind != Kind::Store) break;
    if (node.args[1] == index) return node.args[2];
    const std::optional<std::int64_t> stored = integer(node.args[1]);
    if (!at || !stored || *at == *stored) break;
    array = node.args[0];
  }
  return make(Kind::Select, nodes_[array].sort.element(), {array, index});
}

Term TermTable::store(Term array, Term index, Term value) {
  return make(Kind::Store, sort(array), {array, index, value});
}

Term TermTable::quant(bool universal, std::vector<Term> bound, Term body) {
  if (is_true(body) || is_false(body)) return body;
  if (universal) {
    // One quantifier per conjunct, and none inside another: what a solver matches best.
    std::vector<Term> guards;
    while (true) {
      const Node node = nodes_[body];
      if (node.kind == Kind::Implies) {
        guards.push_back(node.args[0]);
        body = node.args[1];
      } else if (node.kind == Kind::Forall) {
        bound.insert(bound.end(), node.args.begin(), node.args.end() - 1);
        body = node.args.back();
      } else if (node.kind == Kind::And) {
        const Term guard = and_(guards);
        std::vector<Term> parts;
        for (Term part : node.args) parts.push_back(quant(true, bound, implies(guard, part)));
        return and_(std::move(parts));
      } else {
        break;
      }
    }
    body = implies(and_(std::move(guards)), body);
  }
  // Every sort has a value, so a variable that does not occur can go.
  const std::vector<Term> free = nodes_[body].free;
  std::erase_if(bound,
                [&](Term b) { return std::find(free.begin(), free.end(), b) == free.end(); });
  if (bound.empty()) return body;
  bound.push_back(body);
  return make(universal ? Kind::Forall : Kind::Exists, kBool, std::move(bound));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): callers hand theirs over
Term TermTable::call(const std::string& function, Sort sort, std::vector<Term> args) {
  return make(Kind::Call, sort, std::move(args), function);
}

const std::vector<Term>& TermTable::told(Term what) const {
  static const std::vector<Term> kNothing;
  const Node& node = nodes_[what];
  if (!node.free.empty()) {
    const auto of_all = told_of_all_.find(node.text);
    return of_all == told_of_all_.end() ? kNothing : of_all->second;
  }
  const auto it = told_.find(what);
  return it == told_.end() ? kNothing : it->second;
}

Term TermTable::with_values(Term t, std::unordered_map<Term, Term>& values) {
  if (const auto it = values.find(t); it != values.end()) return it->second;
  Node node = nodes_[t];
  if (node.free.empty() || node.kind == Kind::Bound) return t;
  for (Term& arg : node.args) arg = with_values(arg, values);
  const Term made = node.kind == Kind::Select
                        ? select(node.args[0], node.args[1])
                        : make(node.kind, node.sort, std::move(node.args), std::move(node.text));
  return values[t] = made;
}

Term TermTable::unfolding_stopped(Term fact) {
  if (with_twins_.empty()) return fact;
  if (const auto it = stopped_.find(fact); it != stopped_.end()) return it->second;
  Node node = nodes_[fact];
  bool changed = false;
  if (node.kind == Kind::Call && !node.free.empty() && with_twins_.contains(node.text)) {
    node.text = twin(node.text);
    changed = true;
  }
  for (Term& arg : node.args) {
    const Term stopped = unfolding_stopped(arg);
    changed = changed || stopped != arg;
    arg = stopped;
  }
  const Term made =
      changed ? make(node.kind, node.sort, std::move(node.args), std::move(node.text)) : fact;
  return stopped_[fact] = made;
}

}  // namespace leto::logic

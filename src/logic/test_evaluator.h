// For tests only: what a term means, by the book. It shares nothing with the table that simplifies
// terms as it makes them. Quantifiers range over a few small numbers: what is true of terms
// whatever the domain is true of that one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "logic/logic.h"

namespace leto::logic {

__extension__ typedef __int128 Wide;

// A quotient in lowest terms. What does not fit throws.
struct Rational {
  Wide above = 0, below = 1;
  friend bool operator==(const Rational&, const Rational&) = default;

  static Wide times(Wide a, Wide b) {
    Wide out = 0;
    if (__builtin_mul_overflow(a, b, &out)) throw std::overflow_error("a large number");
    return out;
  }
  static Rational of(Wide a, Wide b) {
    Wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    while (y != 0) {
      const Wide rest = x % y;
      x = y;
      y = rest;
    }
    if (b < 0) x = -x;
    return {a / x, b / x};
  }
  [[nodiscard]] bool below_or_equal(const Rational& other) const {
    return times(above, other.below) <= times(other.above, below);
  }
};

// A boolean is 0 or 1. An array is zero wherever it says nothing.
struct Meaning {
  Rational number;
  std::map<long, Meaning> elements;
  friend bool operator==(const Meaning&, const Meaning&) = default;
  [[nodiscard]] bool holds() const { return number.above != 0; }
};

inline Meaning meaning(long number) {
  return {{number, 1}, {}};
}

inline Meaning decimal(const std::string& text) {
  const std::size_t e = text.find_first_of("eE");
  long exponent = e == std::string::npos ? 0 : std::stol(text.substr(e + 1));
  Wide digits = 0, scale = 1;
  bool behind = false;
  for (char c : text.substr(0, e)) {
    if (c == '.') {
      behind = true;
      continue;
    }
    digits = Rational::times(digits, 10) + (c - '0');
    if (behind) --exponent;
  }
  for (; exponent > 0; --exponent) digits = Rational::times(digits, 10);
  for (; exponent < 0; ++exponent) scale = Rational::times(scale, 10);
  return {Rational::of(digits, scale), {}};
}

// Of SMT-LIB: the remainder is never negative. By zero it is anything; here something odd.
inline Wide quotient(Wide a, Wide b) {
  if (b == 0) return 5 * a + 3;
  const Wide rest = a % b;
  return rest >= 0 ? a / b : b > 0 ? a / b - 1 : a / b + 1;
}

// One operation on values.
inline Meaning operate(Kind kind, const std::vector<Meaning>& args) {
  const auto truth = [](bool value) { return meaning(value ? 1 : 0); };
  const auto x = [&](std::size_t i) { return args[i].number; };
  const auto sum = [](const Rational& a, const Rational& b, int sign) {
    return Meaning{
        Rational::of(Rational::times(a.above, b.below) + sign * Rational::times(b.above, a.below),
                     Rational::times(a.below, b.below)),
        {}};
  };
  switch (kind) {
    case Kind::Not:
      return truth(!args[0].holds());
    case Kind::And:
    case Kind::Or: {
      std::size_t yes = 0;
      for (const Meaning& arg : args) yes += arg.holds() ? 1 : 0;
      return truth(kind == Kind::And ? yes == args.size() : yes > 0);
    }
    case Kind::Implies:
      return truth(!args[0].holds() || args[1].holds());
    case Kind::Ite:
      return args[0].holds() ? args[1] : args[2];
    case Kind::Eq:
      return truth(args[0] == args[1]);
    case Kind::Lt:
      return truth(!x(1).below_or_equal(x(0)));
    case Kind::Le:
      return truth(x(0).below_or_equal(x(1)));
    case Kind::Add:
      return sum(x(0), x(1), 1);
    case Kind::Sub:
      return sum(x(0), x(1), -1);
    case Kind::Neg:
      return sum({0, 1}, x(0), -1);
    case Kind::Mul:
      return {Rational::of(Rational::times(x(0).above, x(1).above),
                           Rational::times(x(0).below, x(1).below)),
              {}};
    case Kind::RealDiv:
      if (x(1).above == 0) return sum({3, 1}, x(0), 1);
      return {Rational::of(Rational::times(x(0).above, x(1).below),
                           Rational::times(x(0).below, x(1).above)),
              {}};
    case Kind::IntDiv:
      return {{quotient(x(0).above, x(1).above), 1}, {}};
    case Kind::IntMod:
      return {{x(0).above - Rational::times(x(1).above, quotient(x(0).above, x(1).above)), 1}, {}};
    case Kind::ToReal:
      return args[0];
    case Kind::ToInt:
      return {{quotient(x(0).above, x(0).below), 1}, {}};
    case Kind::Select: {
      const auto it = args[0].elements.find(static_cast<long>(x(1).above));
      return it == args[0].elements.end() ? Meaning{} : it->second;
    }
    case Kind::Store: {
      Meaning out = args[0];
      out.elements.erase(static_cast<long>(x(1).above));
      if (args[2] != Meaning{}) out.elements[static_cast<long>(x(1).above)] = args[2];
      return out;
    }
    case Kind::True:
      return truth(true);
    case Kind::False:
    case Kind::Zero:
      return {};
    case Kind::Number:
    case Kind::Symbol:
    case Kind::Bound:
    case Kind::Bits:
    case Kind::Call:
    case Kind::Forall:
    case Kind::Exists:
      break;
  }
  throw std::logic_error("no operation");
}

// The low bits of a number.
inline Wide low_bits(Wide value, unsigned width) {
  return value & ((Wide{1} << width) - 1);
}

// An operation on bit-vectors of up to 60 bits, as SMT-LIB defines it.
inline Meaning operate_on_bits(const std::string& head, unsigned own, Sort sort,
                               const std::vector<Meaning>& args) {
  const Wide a = args[0].number.above, b = args.size() > 1 ? args[1].number.above : 0;
  const unsigned other = sort.base == SortBase::BitVec ? sort.width : 0;
  const auto word = [&](Wide value) { return Meaning{{low_bits(value, other), 1}, {}}; };
  const auto truth = [](bool value) { return meaning(value ? 1 : 0); };
  const auto with_sign = [&](Wide value) {
    return (value >> (own - 1)) != 0 ? value - (Wide{1} << own) : value;
  };
  if (head == "bvnot") return word(~a);
  if (head == "bvneg") return word(-a);
  if (head == "bvand") return word(a & b);
  if (head == "bvor") return word(a | b);
  if (head == "bvxor") return word(a ^ b);
  if (head == "bvshl") return word(b >= own ? 0 : a << static_cast<unsigned>(b));
  if (head == "bvlshr") return word(b >= own ? 0 : a >> static_cast<unsigned>(b));
  if (head == "bvashr") return word(with_sign(a) >> static_cast<unsigned>(b >= own ? own : b));
  if (head == "bvadd") return word(a + b);
  if (head == "bvsub") return word(a - b);
  if (head == "bvmul") return word(a * b);
  if (head == "bvudiv") return word(b == 0 ? -1 : a / b);
  if (head == "bvurem") return word(b == 0 ? a : a % b);
  if (head == "bvsdiv")
    return word(b == 0 ? (with_sign(a) < 0 ? 1 : -1) : with_sign(a) / with_sign(b));
  if (head == "bvsrem") return word(b == 0 ? a : with_sign(a) % with_sign(b));
  if (head == "bvult") return truth(a < b);
  if (head == "bvule") return truth(a <= b);
  if (head == "bvslt") return truth(with_sign(a) < with_sign(b));
  if (head == "bv2nat") return {{a, 1}, {}};
  if (head.starts_with("(_ int2bv ")) return word(a);
  if (head.starts_with("(_ zero_extend ")) return word(a);
  if (head.starts_with("(_ sign_extend ")) return word(with_sign(a));
  if (head.starts_with("(_ extract ")) {
    const std::size_t space = head.rfind(' ');
    return word(a >> static_cast<unsigned>(std::stoul(head.substr(space + 1))));
  }
  throw std::logic_error("no operation on bit-vectors");
}

// What a bound variable is tried with.
inline std::vector<Meaning> domain(Sort sort) {
  if (sort == kBool) return {meaning(0), meaning(1)};
  if (sort.base == SortBase::BitVec)
    return {meaning(0), meaning(1), {{low_bits(-1, sort.width), 1}, {}}};
  return {meaning(-1), meaning(0), meaning(1), meaning(2)};
}

using Assignment = std::unordered_map<Term, Meaning>;

inline Meaning evaluate(const TermTable& table, Term term, Assignment& values) {
  const Node& node = table[term];
  if (node.kind == Kind::Number) return decimal(node.text);
  if (node.kind == Kind::Symbol || node.kind == Kind::Bound) return values.at(term);
  if (node.kind == Kind::Forall || node.kind == Kind::Exists) {
    const bool universal = node.kind == Kind::Forall;
    const std::function<bool(std::size_t)> from = [&](std::size_t next) {
      if (next + 1 == node.args.size()) return evaluate(table, node.args[next], values).holds();
      for (const Meaning& value : domain(table.sort(node.args[next]))) {
        values[node.args[next]] = value;
        if (from(next + 1) != universal) return !universal;
      }
      return universal;
    };
    return meaning(from(0) ? 1 : 0);
  }
  std::vector<Meaning> args;
  for (Term arg : node.args) args.push_back(evaluate(table, arg, values));
  if (node.kind == Kind::Bits && node.text == "concat")
    return {{(args[0].number.above << table.sort(node.args[1]).width) + args[1].number.above, 1},
            {}};
  if (node.kind == Kind::Bits)
    return operate_on_bits(node.text, table.sort(node.args[0]).width, node.sort, args);
  return operate(node.kind, args);
}

// Tries small values for all symbols: is there a state in which all facts hold and the goal does
// not?
class SmallModels {
 public:
  explicit SmallModels(const TermTable& table) : table_(table) {}

  std::optional<Assignment> against(const std::vector<Term>& facts, Term goal) {
    symbols_.clear();
    due_.clear();
    for (Term fact : facts) schedule(fact, true);
    schedule(goal, false);
    values_.clear();
    if (!search(0)) return std::nullopt;
    return values_;
  }

 private:
  struct Due {
    Term formula;
    bool wanted;
  };
  // A formula is looked at as soon as all its symbols have values.
  void schedule(Term formula, bool wanted) {
    collect(formula);
    due_.resize(symbols_.size() + 1);
    due_[last_symbol(formula)].push_back({formula, wanted});
  }
  void collect(Term term) {
    const Node& node = table_[term];
    if (node.kind == Kind::Symbol && index_of(term) == symbols_.size()) symbols_.push_back(term);
    for (Term arg : node.args) collect(arg);
  }
  [[nodiscard]] std::size_t index_of(Term symbol) const {
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (symbols_[i] == symbol) return i;
    return symbols_.size();
  }
  [[nodiscard]] std::size_t last_symbol(Term term) const {
    const Node& node = table_[term];
    std::size_t last = node.kind == Kind::Symbol ? index_of(term) + 1 : 0;
    for (Term arg : node.args) last = std::max(last, last_symbol(arg));
    return last;
  }
  [[nodiscard]] static std::vector<Meaning> choices(Sort sort) {
    if (sort.rank == 0) return domain(sort);
    std::vector<Meaning> out;
    const auto inner =
        sort.rank == 1 ? std::vector<Meaning>{meaning(0), meaning(1)} : choices(sort.element());
    for (const Meaning& first : inner)
      for (const Meaning& second : inner)
        out.push_back(operate(Kind::Store, {operate(Kind::Store, {Meaning{}, meaning(0), first}),
                                            meaning(1), second}));
    return out;
  }
  bool search(std::size_t next) {
    for (const Due& due : due_[next])
      if (evaluate(table_, due.formula, values_).holds() != due.wanted) return false;
    if (next == symbols_.size()) return true;
    for (const Meaning& value : choices(table_.sort(symbols_[next]))) {
      values_[symbols_[next]] = value;
      if (search(next + 1)) return true;
    }
    return false;
  }

  const TermTable& table_;
  std::vector<Term> symbols_;
  std::vector<std::vector<Due>> due_;
  Assignment values_;
};

}  // namespace leto::logic

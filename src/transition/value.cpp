#include "transition/value.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "transition/terms.h"

namespace leto::transition {

using logic::Kind;
using logic::Node;
using logic::Sort;
using logic::SortBase;
using logic::Term;
using logic::TermTable;

namespace {

constexpr std::size_t kMostBits = 1u << 18;

mpz_class power_of_two(std::uint32_t exponent) {
  mpz_class out = 1;
  return out << exponent;
}

mpz_class floor_of(const mpq_class& q) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), q.get_num_mpz_t(), q.get_den_mpz_t());
  return out;
}

}  // namespace

bool is_of_its_sort(const Value& value) {
  if (value.sort.rank != 0) return false;
  switch (value.sort.base) {
    case SortBase::Bool:
      return value.number == 0 || value.number == 1;
    case SortBase::Int:
      return value.number.get_den() == 1;
    case SortBase::Real:
      return true;
    case SortBase::BitVec:
      return value.number.get_den() == 1 && value.number >= 0 &&
             value.number < mpq_class(power_of_two(value.sort.width));
  }
  return false;
}

mpq_class number_of(const Node& number) {
  const std::size_t e = number.text.find('e');
  mpq_class out(mpz_class(number.text.substr(0, e), 10));
  if (e == std::string::npos) return out;
  const long exponent = std::stol(number.text.substr(e + 1));
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
  if (exponent < 0)
    out /= mpq_class(scale);
  else
    out *= mpq_class(scale);
  return out;
}

Term term_for(TermTable& table, const Value& value) {
  if (value.sort == logic::kBool) return table.boolean(value.number != 0);
  const mpz_class size = abs(value.number.get_num());
  Term out = table.number(size.get_str(), value.sort);
  if (value.number < 0) out = table.neg(out);
  if (value.number.get_den() == 1) return out;
  return table.arith(Kind::RealDiv, out,
                     table.number(value.number.get_den().get_str(), value.sort));
}

std::string exact_text(const Value& value) {
  if (value.sort == logic::kBool) return value.number != 0 ? "true" : "false";
  if (value.sort.base != SortBase::BitVec) return value.number.get_str();
  std::string bits = value.number.get_num().get_str(2);
  bits.insert(0, value.sort.width - std::min<std::size_t>(value.sort.width, bits.size()), '0');
  return "#b" + bits;
}

std::string decimal_text(const Value& value) {
  constexpr std::size_t kDigits = 6;
  if (value.number.get_den() == 1) return {};
  const mpq_class scaled = abs(value.number) * 1'000'000;
  std::string digits = floor_of(scaled + mpq_class(1, 2)).get_str();
  if (digits.size() <= kDigits) digits.insert(0, kDigits + 1 - digits.size(), '0');
  digits.insert(digits.size() - kDigits, ".");
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return (scaled.get_den() == 1 ? "" : "~") + std::string(value.number < 0 ? "-" : "") + digits;
}

namespace {

// One bit-vector operator.
class Bits {
 public:
  Bits(std::string_view head, std::vector<mpz_class> args, std::vector<std::uint32_t> widths)
      : args_(std::move(args)), widths_(std::move(widths)) {
    if (head.starts_with("(_ ")) {
      head.remove_prefix(3);
      head.remove_suffix(1);
      for (std::size_t space = head.rfind(' '); space != std::string_view::npos;
           space = head.rfind(' ')) {
        std::uint32_t index = 0;
        std::from_chars(head.data() + space + 1, head.data() + head.size(), index);
        indices_.insert(indices_.begin(), index);
        head = head.substr(0, space);
      }
    }
    name_ = head;
  }

  // Nothing if there is no such operator.
  [[nodiscard]] std::optional<mpz_class> apply() const {
    if (const auto out = apply_logical()) return out;
    if (const auto out = apply_arithmetic()) return out;
    if (const auto out = apply_division()) return out;
    if (const auto out = apply_shift()) return out;
    if (const auto out = apply_comparison()) return out;
    return apply_shape();
  }

 private:
  using Result = std::optional<mpz_class>;
  [[nodiscard]] const mpz_class& a() const { return args_[0]; }
  [[nodiscard]] const mpz_class& b() const { return args_[1]; }
  [[nodiscard]] std::uint32_t width() const { return widths_[0]; }
  [[nodiscard]] mpz_class all_ones() const { return power_of_two(width()) - 1; }
  [[nodiscard]] mpz_class wrapped(const mpz_class& number) const {
    return wrapped(number, width());
  }
  [[nodiscard]] static mpz_class wrapped(const mpz_class& number, std::uint32_t width) {
    mpz_class out;
    mpz_fdiv_r_2exp(out.get_mpz_t(), number.get_mpz_t(), width);
    return out;
  }
  [[nodiscard]] mpz_class with_sign(const mpz_class& number) const {
    return mpz_tstbit(number.get_mpz_t(), width() - 1) != 0 ? number - power_of_two(width())
                                                            : number;
  }

  [[nodiscard]] Result apply_logical() const {
    if (name_ == "bvnot") return mpz_class(all_ones() - a());
    if (name_ == "bvand") return mpz_class(a() & b());
    if (name_ == "bvor") return mpz_class(a() | b());
    if (name_ == "bvxor") return mpz_class(a() ^ b());
    if (name_ == "bvnand") return mpz_class(all_ones() - (a() & b()));
    if (name_ == "bvnor") return mpz_class(all_ones() - (a() | b()));
    if (name_ == "bvcomp") return mpz_class(a() == b() ? 1 : 0);
    return {};
  }

  [[nodiscard]] Result apply_arithmetic() const {
    if (name_ == "bvneg") return wrapped(-a());
    if (name_ == "bvadd") return wrapped(a() + b());
    if (name_ == "bvsub") return wrapped(a() - b());
    if (name_ == "bvmul") return wrapped(a() * b());
    return {};
  }

  // As the standard says: by 0, a quotient is all ones and a remainder is what was to be divided.
  [[nodiscard]] Result apply_division() const {
    if (name_ == "bvudiv") return b() == 0 ? all_ones() : mpz_class(a() / b());
    if (name_ == "bvurem") return b() == 0 ? a() : mpz_class(a() % b());
    if (name_ != "bvsdiv" && name_ != "bvsrem" && name_ != "bvsmod") return {};
    const mpz_class x = with_sign(a()), y = with_sign(b());
    if (name_ == "bvsdiv") return y == 0 ? wrapped(x < 0 ? 1 : -1) : wrapped(x / y);
    if (name_ == "bvsrem") return y == 0 ? a() : wrapped(x % y);
    if (y == 0) return a();
    mpz_class out;
    mpz_fdiv_r(out.get_mpz_t(), x.get_mpz_t(), y.get_mpz_t());  // has the sign of y
    return wrapped(out);
  }

  [[nodiscard]] Result apply_shift() const {
    if (name_ != "bvshl" && name_ != "bvlshr" && name_ != "bvashr") return {};
    const bool far = b() >= width();
    const std::uint32_t by = far ? width() : static_cast<std::uint32_t>(b().get_ui());
    if (name_ == "bvshl") return wrapped(a() << by);
    const mpz_class& number = name_ == "bvashr" ? with_sign(a()) : a();
    mpz_class out;
    mpz_fdiv_q_2exp(out.get_mpz_t(), number.get_mpz_t(), by);
    return wrapped(out);
  }

  [[nodiscard]] Result apply_comparison() const {
    if (name_.size() != 5 || !name_.starts_with("bv") || args_.size() != 2) return {};
    const bool is_signed = name_[2] == 's';
    const mpz_class x = is_signed ? with_sign(a()) : a(), y = is_signed ? with_sign(b()) : b();
    const std::string_view how = name_.substr(3);
    if (how == "lt") return mpz_class(x < y ? 1 : 0);
    if (how == "le") return mpz_class(x <= y ? 1 : 0);
    if (how == "gt") return mpz_class(x > y ? 1 : 0);
    if (how == "ge") return mpz_class(x >= y ? 1 : 0);
    return {};
  }

  [[nodiscard]] Result apply_shape() const {
    if (name_ == "concat") return mpz_class((a() << widths_[1]) + b());
    if (indices_.empty()) return {};
    const std::uint32_t n = indices_[0];
    if (name_ == "extract") return wrapped(a() >> indices_[1], n - indices_[1] + 1);
    if (name_ == "zero_extend") return a();
    if (name_ == "sign_extend") return wrapped(with_sign(a()), width() + n);
    if (name_ == "rotate_left") return rotated(n % width());
    if (name_ == "rotate_right") return rotated((width() - n % width()) % width());
    if (name_ != "repeat") return {};
    mpz_class out = 0;
    for (std::uint32_t i = 0; i < n; ++i) out = (out << width()) + a();
    return out;
  }

  [[nodiscard]] mpz_class rotated(std::uint32_t left) const {
    return wrapped(a() << left) + (a() >> (width() - left));
  }

  std::vector<mpz_class> args_;
  std::vector<std::uint32_t> widths_;
  std::vector<std::uint32_t> indices_;
  std::string_view name_;
};

std::optional<Value> apply_bits(const TermTable& table, const Node& node,
                                const std::vector<const Value*>& args) {
  std::vector<Sort> sorts;
  std::vector<mpz_class> numbers;
  std::vector<std::uint32_t> widths;
  for (std::size_t i = 0; i < args.size(); ++i) {
    sorts.push_back(table.sort(node.args[i]));
    numbers.push_back(args[i]->number.get_num());
    widths.push_back(sorts.back().width);
  }
  if (bit_vector_result(node.text, sorts) != node.sort) return std::nullopt;
  const auto result = Bits(node.text, std::move(numbers), std::move(widths)).apply();
  return result ? std::optional(Value{node.sort, mpq_class(*result)}) : std::nullopt;
}

std::optional<Value> divide_integers(const Node& node, const mpq_class& x, const mpq_class& y) {
  if (y == 0) return std::nullopt;
  const mpz_class a = x.get_num(), b = y.get_num();
  mpz_class remainder;
  mpz_class size = abs(b);  // the remainder is never negative
  mpz_fdiv_r(remainder.get_mpz_t(), a.get_mpz_t(), size.get_mpz_t());
  if (node.kind == Kind::IntMod) return Value{node.sort, mpq_class(remainder)};
  return Value{node.sort, mpq_class((a - remainder) / b)};
}

std::optional<Value> apply(const TermTable& table, const Node& node,
                           const std::vector<const Value*>& args) {
  const auto number = [&](std::size_t i) -> const mpq_class& { return args[i]->number; };
  const auto made = [&](mpq_class value) { return Value{node.sort, std::move(value)}; };
  const auto holds = [](const Value* v) { return v->number != 0; };
  switch (node.kind) {
    case Kind::True:
    case Kind::False:
      return truth(node.kind == Kind::True);
    case Kind::Number:
      return made(number_of(node));
    case Kind::Not:
      return truth(number(0) == 0);
    case Kind::And:
      return truth(std::all_of(args.begin(), args.end(), holds));
    case Kind::Or:
      return truth(std::any_of(args.begin(), args.end(), holds));
    case Kind::Implies:
      return truth(number(0) == 0 || number(1) != 0);
    case Kind::Ite:
      return made(number(0) != 0 ? number(1) : number(2));
    case Kind::Eq:
      return truth(number(0) == number(1));
    case Kind::Lt:
      return truth(number(0) < number(1));
    case Kind::Le:
      return truth(number(0) <= number(1));
    case Kind::Add:
      return made(number(0) + number(1));
    case Kind::Sub:
      return made(number(0) - number(1));
    case Kind::Mul:
      return made(number(0) * number(1));
    case Kind::Neg:
      return made(-number(0));
    case Kind::RealDiv:
      if (number(1) == 0) return std::nullopt;
      return made(number(0) / number(1));
    case Kind::IntDiv:
    case Kind::IntMod:
      return divide_integers(node, number(0), number(1));
    case Kind::ToReal:
      return made(number(0));
    case Kind::ToInt:
      return made(mpq_class(floor_of(number(0))));
    case Kind::Call:
      return apply_bits(table, node, args);
    case Kind::Symbol:
    case Kind::Bits:
    case Kind::Bound:
    case Kind::Select:
    case Kind::Store:
    case Kind::Zero:
    case Kind::Forall:
    case Kind::Exists:
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_too_long(const Value& value) {
  return mpz_sizeinbase(value.number.get_num_mpz_t(), 2) +
             mpz_sizeinbase(value.number.get_den_mpz_t(), 2) >
         kMostBits;
}

}  // namespace

std::optional<Value> Evaluation::of(Term term) {
  visit_once(
      table_, term, [&](Term t) { return values_.contains(t); },
      [&](Term t) {
        std::vector<const Value*> args;
        for (Term arg : table_[t].args)
          if (const std::optional<Value>& value = values_.at(arg)) args.push_back(&*value);
        std::optional<Value>& out = values_[t];
        if (args.size() == table_[t].args.size()) out = apply(table_, table_[t], args);
        if (out && is_too_long(*out)) out.reset();
      });
  return values_.at(term);
}

}  // namespace leto::transition

#include "oracle/values.h"

#include <algorithm>

namespace leto::oracle {

namespace {

// The Euclidean quotient: what is left over is never negative.
mpz_class divide_integers(const mpz_class& a, const mpz_class& b) {
  mpz_class quotient;
  if (b > 0)
    mpz_fdiv_q(quotient.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  else
    mpz_cdiv_q(quotient.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return quotient;
}

Number divide(Scalar operands, const Number& a, const Number& b) {
  if (b == 0) return 0;
  if (!is_integer(operands)) return a / b;
  return divide_integers(a.get_num(), b.get_num());
}

Number remainder(const Number& a, const Number& b) {
  if (b == 0) return 0;
  return a - b * Number(divide_integers(a.get_num(), b.get_num()));
}

}  // namespace

Value scalar(Number number) {
  return {std::move(number), {}, {}, {}};
}

Value vector(std::vector<Number> elements) {
  const auto size = static_cast<std::int64_t>(elements.size());
  return {0, {size}, std::move(elements)};
}

Value matrix(std::int64_t rows, std::int64_t columns, std::vector<Number> elements) {
  return {0, {rows, columns}, std::move(elements)};
}

Type type_of(const syntax::TypeSyntax& type) {
  return {type.scalar, type.shape};
}

std::size_t Type::find(Name field) const {
  for (std::size_t k = 0; k < record->fields.size(); ++k)
    if (record->fields[k].name.name == field) return k;
  LETO_ASSERT(false);
}

Typed part_of(const Typed& whole, Name field) {
  const std::size_t k = whole.type.find(field);
  Typed part{whole.type.field(k), {}};
  if (!whole.value.fields.empty()) part.value = whole.value.fields.at(k);
  return part;
}

bool in_domain(const Typed& value) {
  if (value.type.record != nullptr) {
    for (std::size_t k = 0; k < value.value.fields.size(); ++k)
      if (!in_domain({value.type.field(k), value.value.fields[k]})) return false;
    return true;
  }
  if (value.type.shape == Shape::Scalar) return fits(value.type.scalar, value.value.scalar);
  return std::all_of(value.value.elements.begin(), value.value.elements.end(),
                     [&](const Number& element) { return fits(value.type.scalar, element); });
}

Typed record_at(const Type& vector, const Value& value, const Number& index) {
  Typed one{{vector.scalar, Shape::Scalar, vector.record}, {}};
  const std::optional<std::size_t> at =
      value.fields.empty() ? std::nullopt : offset(value, {index});
  for (std::size_t k = 0; k < vector.record->fields.size(); ++k)
    one.value.fields.push_back(scalar(at ? value.fields[k].elements[*at] : Number(0)));
  return one;
}

Value zero(const Type& type, const std::vector<std::int64_t>& sizes) {
  if (type.record == nullptr) return zero(sizes);
  Value value{0, sizes, {}};
  value.fields.resize(type.record->fields.size(), zero(sizes));
  return value;
}

Typed number(Scalar type, Number value) {
  return {{type, Shape::Scalar}, scalar(std::move(value))};
}

Typed boolean(bool value) {
  return number(Scalar::Bool, value ? 1 : 0);
}

Value zero(const std::vector<std::int64_t>& sizes) {
  if (sizes.empty()) return scalar(0);
  std::size_t count = 1;
  for (std::int64_t size : sizes) count *= static_cast<std::size_t>(size);
  return {0, sizes, std::vector<Number>(count)};
}

bool is_integer(Scalar type) {
  return type == Scalar::Int || type == Scalar::Uint;
}

bool is_logical(BinaryOp op) {
  return op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Implies;
}

Scalar wider(Scalar a, Scalar b) {
  if (a == b) return a;
  return a == Scalar::Real || b == Scalar::Real ? Scalar::Real : Scalar::Int;
}

Scalar outcome_type(BinaryOp op, Scalar operands) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
      return operands;
    case BinaryOp::Sub:
      return operands == Scalar::Uint ? Scalar::Int : operands;
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Implies:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
      return Scalar::Bool;
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
    case BinaryOp::Join:
      break;  // of words, which this interpreter does not have
  }
  LETO_ASSERT(false);
}

Scalar outcome_type(UnaryOp op, Scalar operand) {
  if (op == UnaryOp::Not) return Scalar::Bool;
  return operand == Scalar::Uint ? Scalar::Int : operand;
}

bool fits(Scalar type, const Number& value) {
  switch (type) {
    case Scalar::Void:
      return false;
    case Scalar::Bool:
      return value == 0 || value == 1;
    case Scalar::Int:
      return value.get_den() == 1;
    case Scalar::Uint:
      return value.get_den() == 1 && value >= 0;
    case Scalar::Real:
      return true;
    case Scalar::Bits:
      break;
  }
  LETO_ASSERT(false);
}

bool fits(Type type, const Value& value) {
  if (type.record != nullptr) {
    if (value.fields.size() != type.record->fields.size()) return false;
    for (std::size_t k = 0; k < value.fields.size(); ++k)
      if (!fits(type.field(k), value.fields[k]) || value.fields[k].sizes != value.sizes)
        return false;
    return true;
  }
  const std::size_t wanted = type.shape == Shape::Scalar ? 0 : type.shape == Shape::Vector ? 1 : 2;
  if (value.sizes.size() != wanted) return false;
  if (wanted == 0) return value.elements.empty() && fits(type.scalar, value.scalar);
  std::size_t count = 1;
  for (std::int64_t size : value.sizes) {
    if (size < 0) return false;
    count *= static_cast<std::size_t>(size);
  }
  const auto right = [&](const Number& element) { return fits(type.scalar, element); };
  return value.elements.size() == count &&
         std::all_of(value.elements.begin(), value.elements.end(), right);
}

std::size_t bits(const Number& value) {
  return std::max(mpz_sizeinbase(value.get_num_mpz_t(), 2),
                  mpz_sizeinbase(value.get_den_mpz_t(), 2));
}

std::optional<Number> read_literal(std::string_view text) {
  std::string digits;
  long shift = 0;
  std::size_t at = 0;
  bool behind_point = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      behind_point = true;
      continue;
    }
    digits += text[at];
    if (behind_point) --shift;
  }
  if (at < text.size()) {
    std::string exponent(text.substr(at + 1));
    if (!exponent.empty() && exponent[0] == '+') exponent.erase(0, 1);
    if (exponent.size() > 6) return std::nullopt;
    shift += std::stol(exponent);
  }
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(shift < 0 ? -shift : shift));
  const Number whole(mpz_class(digits, 10));
  return shift < 0 ? Number(whole / power) : Number(whole * power);
}

Number operate(BinaryOp op, Scalar operands, const Number& a, const Number& b) {
  const auto truth = [](bool value) { return Number(value ? 1 : 0); };
  switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return divide(operands, a, b);
    case BinaryOp::Mod:
      return remainder(a, b);
    case BinaryOp::And:
      return truth(a != 0 && b != 0);
    case BinaryOp::Or:
      return truth(a != 0 || b != 0);
    case BinaryOp::Implies:
      return truth(a == 0 || b != 0);
    case BinaryOp::Eq:
      return truth(a == b);
    case BinaryOp::Ne:
      return truth(a != b);
    case BinaryOp::Lt:
      return truth(a < b);
    case BinaryOp::Le:
      return truth(a <= b);
    case BinaryOp::Gt:
      return truth(a > b);
    case BinaryOp::Ge:
      return truth(a >= b);
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
    case BinaryOp::Join:
      break;  // of words
  }
  LETO_ASSERT(false);
}

Number operate(UnaryOp op, const Number& a) {
  if (op == UnaryOp::Negate) return -a;
  return a == 0 ? 1 : 0;
}

Number round_down(const Number& a) {
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), a.get_num_mpz_t(), a.get_den_mpz_t());
  return whole;
}

std::optional<std::size_t> offset(const Value& whole, const std::vector<Number>& indices) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (indices[k] < 0 || indices[k] >= Number(whole.sizes[k])) return std::nullopt;
    at = at * static_cast<std::size_t>(whole.sizes[k]) + indices[k].get_num().get_ui();
  }
  return at;
}

}  // namespace leto::oracle

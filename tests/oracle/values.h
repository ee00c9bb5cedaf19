// Numbers and types: what exact operations make of them, and how large they are. All of it is
// total: dividing by zero gives zero, and whoever finds that a failure tests before.
#pragma once

#include <string_view>

#include "oracle/oracle.h"

namespace leto::oracle {

using syntax::BinaryOp;
using syntax::Scalar;
using syntax::Shape;
using syntax::UnaryOp;

struct Type {
  Scalar scalar = Scalar::Void;
  Shape shape = Shape::Scalar;
  const syntax::RecordItem* record = nullptr;  // of a record, or of elements that are

  [[nodiscard]] bool is_void() const { return scalar == Scalar::Void && record == nullptr; }
  // Of a field of a record; of a vector of records: of all of its elements.
  [[nodiscard]] Type field(std::size_t k) const {
    return {record->fields.at(k).type.scalar, shape};
  }
  [[nodiscard]] std::size_t find(Name field) const;  // which one it is
  friend bool operator==(const Type&, const Type&) = default;
};

// A value with the type of the expression that it came from. As every part of an expression
// has one type wherever it is evaluated, this is as good as types that are found beforehand.
struct Typed {
  Type type;
  Value value;

  [[nodiscard]] bool truth() const { return value.scalar != 0; }
};

// Where there are no records.
[[nodiscard]] Type type_of(const syntax::TypeSyntax& type);
// A field of a record, or of all elements of a vector.
[[nodiscard]] Typed part_of(const Typed& whole, Name field);
// Whether all that it consists of is of its type; of what has no value, nothing is said.
[[nodiscard]] bool in_domain(const Typed& value);
// One element of a vector of records; zero where there is none.
[[nodiscard]] Typed record_at(const Type& vector, const Value& value, const Number& index);
[[nodiscard]] Typed number(Scalar type, Number value);
[[nodiscard]] Typed boolean(bool value);
[[nodiscard]] Value zero(const std::vector<std::int64_t>& sizes);
[[nodiscard]] Value zero(const Type& type, const std::vector<std::int64_t>& sizes);

[[nodiscard]] bool is_integer(Scalar type);
[[nodiscard]] bool is_logical(BinaryOp op);  // && || ->
// The wider of two types; both are numbers, or both are bool.
[[nodiscard]] Scalar wider(Scalar a, Scalar b);
// What an operation on operands of this type gives.
[[nodiscard]] Scalar outcome_type(BinaryOp op, Scalar operands);
[[nodiscard]] Scalar outcome_type(UnaryOp op, Scalar operand);

// Whether a number can be of a type: an integer, not negative, 0 or 1.
[[nodiscard]] bool fits(Scalar type, const Number& value);
[[nodiscard]] bool fits(Type type, const Value& value);
// The longer of numerator and denominator, in bits.
[[nodiscard]] std::size_t bits(const Number& value);

// The value of `42`, `0.5` or `1e-3`. Nothing for exponents beyond all use.
[[nodiscard]] std::optional<Number> read_literal(std::string_view text);

[[nodiscard]] Number operate(BinaryOp op, Scalar operands, const Number& a, const Number& b);
[[nodiscard]] Number operate(UnaryOp op, const Number& a);
// The greatest integer that is not above it.
[[nodiscard]] Number round_down(const Number& a);

// Where an element stands among the elements; nothing if it is out of bounds.
[[nodiscard]] std::optional<std::size_t> offset(const Value& whole,
                                                const std::vector<Number>& indices);

}  // namespace leto::oracle

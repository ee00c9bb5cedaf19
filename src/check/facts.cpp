#include "check/facts.h"

#include <fmt/core.h>

namespace leto::check {

using syntax::BinaryOp;
using syntax::OperationKind;
using syntax::Scalar;
using syntax::Shape;

Type error_type() {
  return {Scalar::Void, Shape::Scalar, true, false};
}
Type scalar_type(Scalar scalar) {
  return {scalar, Shape::Scalar, false, false};
}
Type scalar_type_of(const syntax::TypeSyntax& written) {
  static const Record kSome{"a record", {}};
  return {written.scalar, written.shape, false, false, written.record.valid() ? &kSome : nullptr,
          written.width};
}
Type symbol_type_of(const syntax::TypeSyntax& written) {
  return written.record.valid() ? error_type() : scalar_type_of(written);
}
Type element_type(const Type& vector) {
  return {vector.scalar, Shape::Scalar, vector.error, false, vector.record, vector.width};
}
Type field_type(const Type& whole, std::size_t field) {
  Type type = whole.record->fields.at(field).type;
  if (!type.error) type.shape = whole.shape;
  return type;
}

std::optional<std::size_t> Record::find(Name field) const {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == field) return i;
  return std::nullopt;
}

std::string describe(const Type& type) {
  if (type.error) return "something unknown";
  std::string element = type.record ? type.record->name : std::string(spelling(type.scalar));
  if (type.scalar == Scalar::Bits) element += fmt::format("<{}>", type.width);
  if (type.row) return fmt::format("a row of a matrix<{}>", element);
  switch (type.shape) {
    case Shape::Scalar:
      return type.is_void() ? "nothing" : element;
    case Shape::Vector:
      return fmt::format("vector<{}>", element);
    case Shape::Matrix:
      return fmt::format("matrix<{}>", element);
  }
  LETO_ASSERT(false);
}

Type join(const Type& a, const Type& b) {
  if (a.error || b.error) return error_type();
  if (a.is_word()) return a;
  if (a.scalar == Scalar::Real || b.scalar == Scalar::Real) return scalar_type(Scalar::Real);
  if (a.scalar == Scalar::Int || b.scalar == Scalar::Int) return scalar_type(Scalar::Int);
  return scalar_type(a.scalar);
}

bool fits(const Type& from, const Type& to) {
  if (from.error || to.error || from == to) return true;
  if (!from.is_numeric() || !to.is_numeric()) return false;
  return to.scalar == Scalar::Real || from.scalar != Scalar::Real;
}

std::string describe(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Constant:
      return "a constant";
    case SymbolKind::Function:
      return "a function";
    case SymbolKind::Definition:
      return "a definition";
    case SymbolKind::Lemma:
      return "a lemma";
    case SymbolKind::Property:
      return "a property";
    case SymbolKind::Model:
      return "a model";
    case SymbolKind::Record:
      return "a record";
    case SymbolKind::Field:
      return "a field";
    case SymbolKind::Param:
      return "a parameter";
    case SymbolKind::Local:
      return "a variable";
    case SymbolKind::Ghost:
      return "a specvar";
    case SymbolKind::Binder:
      return "a bound variable";
    case SymbolKind::Label:
      return "a loop's label";
    case SymbolKind::Result:
      return "the function's result";
    case SymbolKind::PropertyParam:
      return "a property's parameter";
    case SymbolKind::DefinitionParam:
      return "a definition's parameter";
    case SymbolKind::State:
      return "a state variable of a model";
    case SymbolKind::ModelConstant:
      return "a constant of a model";
    case SymbolKind::Rigid:
      return "a function constant of a model";
    case SymbolKind::OperatorParam:
      return "an operator's parameter";
    case SymbolKind::Destination:
      return "the place that is written";
    case SymbolKind::Outcome:
      return "the operator's outcome";
    case SymbolKind::Exact:
      return "the exact outcome";
  }
  LETO_ASSERT(false);
}

Type operand_type(const syntax::OperatorMember& op) {
  return op.params.empty() ? error_type() : symbol_type_of(op.params[0].type);
}

Type outcome_type(const syntax::OperatorMember& op) {
  const Type operand = operand_type(op);
  if (op.kind == OperationKind::Unary && op.unary == syntax::UnaryOp::Negate)
    return operand.scalar == Scalar::Uint ? scalar_type(Scalar::Int) : operand;
  if (op.kind != OperationKind::Binary) return operand;
  if (is_comparison(op.binary)) return scalar_type(Scalar::Bool);
  if (op.binary == BinaryOp::Sub && operand.scalar == Scalar::Uint) return scalar_type(Scalar::Int);
  return operand;
}

std::string describe(const syntax::OperatorMember& op, const NameTable& names) {
  std::string head;
  switch (op.kind) {
    case OperationKind::Unary:
      head = fmt::format("operator {}", spelling(op.unary));
      break;
    case OperationKind::Binary:
      head = fmt::format("operator {}", spelling(op.binary));
      break;
    case OperationKind::Read:
      head = "read";
      break;
    case OperationKind::Write:
      head = "write";
      break;
  }
  head += op.params.size() == 1 ? fmt::format("({})", describe(operand_type(op)))
                                : fmt::format("({0}, {0})", describe(operand_type(op)));
  if (op.attributes.region)
    head += fmt::format(" of region {}", names.text(op.attributes.region->name));
  return head;
}

bool same_signature(const syntax::OperatorMember& a, const syntax::OperatorMember& b) {
  if (a.kind != b.kind || !(operand_type(a) == operand_type(b))) return false;
  if (a.kind == OperationKind::Unary && a.unary != b.unary) return false;
  if (a.kind == OperationKind::Binary && a.binary != b.binary) return false;
  const Name left = a.attributes.region ? a.attributes.region->name : Name{};
  const Name right = b.attributes.region ? b.attributes.region->name : Name{};
  return left == right;
}

}  // namespace leto::check

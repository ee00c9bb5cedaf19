#include "world.h"

#include <fmt/core.h>

#include <cctype>

namespace leto::soundness {

const std::vector<std::string>& theme_names() {
  static const std::vector<std::string> names{
      "bools",      "vectors",       "matrices", "regions",    "ghosts",  "labels", "loops",
      "nested",     "recovery",      "redo",     "recursion",  "externs", "calls",  "returns",
      "properties", "constants",     "state",    "refinement", "numbers", "chains", "quantifiers",
      "parting",    "contradiction", "rates",    "inputs",     "tests"};
  return names;
}

std::string spelling(Scalar scalar) {
  switch (scalar) {
    case Scalar::Bool:
      return "bool";
    case Scalar::Int:
      return "int";
    case Scalar::Uint:
      return "uint";
    case Scalar::Real:
      return "real";
  }
  return "";
}

bool widens(Scalar from, Scalar to) {
  if (from == to) return true;
  if (from == Scalar::Bool || to == Scalar::Bool) return false;
  return to == Scalar::Real || (from == Scalar::Uint && to == Scalar::Int);
}

Variable scalar(std::string name, Scalar type) {
  Variable v;
  v.name = std::move(name);
  v.scalar = type;
  return v;
}

Variable given(std::string name, Scalar type) {
  Variable v = scalar(std::move(name), type);
  v.fixed = v.pure = true;
  return v;
}

Variable vector(std::string name, Scalar type, std::string size) {
  Variable v = scalar(std::move(name), type);
  v.shape = Shape::Vector;
  v.rows = std::move(size);
  return v;
}

Variable matrix(std::string name, Scalar type, std::string rows, std::string columns) {
  Variable v = vector(std::move(name), type, std::move(rows));
  v.shape = Shape::Matrix;
  v.columns = std::move(columns);
  return v;
}

std::string declare(const Variable& v) {
  const std::string where = v.region.empty() ? "" : fmt::format("@region({}) ", v.region);
  const std::string kind = v.ghost ? "specvar " : "";
  switch (v.shape) {
    case Shape::Scalar:
      return fmt::format("{}{}{} {}", where, kind, spelling(v.scalar), v.name);
    case Shape::Vector:
      return fmt::format("{}{}vector<{}> {}({})", where, kind, spelling(v.scalar), v.name, v.rows);
    case Shape::Matrix:
      return fmt::format("{}{}matrix<{}> {}({}, {})", where, kind, spelling(v.scalar), v.name,
                         v.rows, v.columns);
  }
  return "";
}

Scalar Operation::result() const {
  if (operand == Scalar::Bool) return Scalar::Bool;
  const char c = sign[0];
  if (c == '<' || c == '>' || c == '=' || c == '!') return Scalar::Bool;
  return c == '-' && operand == Scalar::Uint ? Scalar::Int : operand;
}

const Variable* Scope::find(const std::string& name) const {
  for (const Variable& v : variables)
    if (v.name == name) return &v;
  return nullptr;
}

std::vector<std::string> Scope::indices_below(const std::string& size) const {
  std::vector<std::string> found;
  if (std::isdigit(static_cast<unsigned char>(size[0])) != 0)
    for (int i = 0; i < std::stoi(size); ++i) found.push_back(std::to_string(i));
  for (const Index& index : indices)
    if (index.size == size) found.push_back(index.text);
  return found;
}

}  // namespace leto::soundness

#include "transition/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "transition/expressions.h"
#include "transition/terms.h"
#include "transition/value.h"

namespace leto::transition {

using logic::Kind;
using logic::Node;
using logic::SortBase;

namespace {

constexpr std::uint32_t kHighest = 100;

// What a reader takes as a number; beyond, it is a quotient.
constexpr std::size_t kLongestDecimal = 1000;

std::string number_text(const Node& node) {
  if (node.sort.base == SortBase::BitVec)
    return fmt::format("(_ bv{} {})", node.text, node.sort.width);
  const mpq_class value = number_of(node);
  if (node.sort == logic::kInt) return value.get_str();
  if (value.get_den() == 1) return value.get_num().get_str() + ".0";
  // 15e-1 is 1.5.
  const std::size_t e = node.text.find('e');
  const std::size_t places = e == std::string::npos ? 0 : std::stoul(node.text.substr(e + 2));
  if (places > 0 && places <= kLongestDecimal) {
    std::string digits = node.text.substr(0, e);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    return digits.insert(digits.size() - places, ".");
  }
  return fmt::format("(/ {}.0 {}.0)", value.get_num().get_str(), value.get_den().get_str());
}

std::string head_of(const Node& node) {
  switch (node.kind) {
    case Kind::Not:
      return "not";
    case Kind::And:
      return "and";
    case Kind::Or:
      return "or";
    case Kind::Implies:
      return "=>";
    case Kind::Ite:
      return "ite";
    case Kind::Eq:
      return "=";
    case Kind::Lt:
      return "<";
    case Kind::Le:
      return "<=";
    case Kind::Add:
      return "+";
    case Kind::Sub:
    case Kind::Neg:
      return "-";
    case Kind::Mul:
      return "*";
    case Kind::RealDiv:
      return "/";
    case Kind::IntDiv:
      return "div";
    case Kind::IntMod:
      return "mod";
    case Kind::ToReal:
      return "to_real";
    case Kind::ToInt:
      return "to_int";
    case Kind::Call:
      return node.text;
    case Kind::True:
    case Kind::False:
    case Kind::Number:
    case Kind::Symbol:
    case Kind::Bits:
    case Kind::Bound:
    case Kind::Select:
    case Kind::Store:
    case Kind::Zero:
    case Kind::Forall:
    case Kind::Exists:
      break;
  }
  LETO_ASSERT(false);
}

// The negative of a bit-vector's number is no number; that of others is a sign.
std::string head_with_sign(const Node& node) {
  return node.kind == Kind::Neg && node.sort.base == SortBase::BitVec ? "bvneg" : head_of(node);
}

}  // namespace

std::string quoted(const std::string& name) {
  return "|" + name + "|";
}

void TermWriter::look_at(Term root) {
  marks_.clear();
  order_.clear();
  std::unordered_set<Term> seen;
  visit_once(
      table_, root, [&](Term t) { return seen.contains(t); },
      [&](Term t) {
        seen.insert(t);
        order_.push_back(t);
        for (Term arg : table_[t].args) ++marks_[arg].uses;
      });
  std::uint32_t named = 0;  // the same text for the same term, whatever else is in the table
  for (Term t : order_) {
    Mark& mark = marks_[t];
    if (table_[t].args.empty()) continue;
    for (Term arg : table_[t].args) {
      const Mark& inner = marks_.at(arg);
      mark.level = std::max(mark.level, inner.level + (inner.named ? 1 : 0));
      if (!inner.named) mark.height = std::max(mark.height, inner.height + 1);
    }
    mark.named = t != root && (mark.uses > 1 || mark.height >= kHighest);
    if (mark.named) mark.number = ++named;
  }
}

void TermWriter::write_leaf(Term t, std::string& out) const {
  const Node& node = table_[t];
  if (node.kind == Kind::True || node.kind == Kind::False)
    out += node.kind == Kind::True ? "true" : "false";
  else if (node.kind == Kind::Number)
    out += number_text(node);
  else
    out += names_.at(t);
}

void TermWriter::write_inside(Term t, std::string& out) const {
  const Mark& mark = marks_.at(t);
  if (table_[t].args.empty())
    write_leaf(t, out);
  else if (mark.named)
    out += fmt::format("{}{}", prefix_, mark.number);
  else
    write_operation(t, out);
}

void TermWriter::write_operation(Term t, std::string& out) const {
  out += "(" + head_with_sign(table_[t]);
  for (Term arg : table_[t].args) {
    out += " ";
    write_inside(arg, out);
  }
  out += ")";
}

std::string TermWriter::write(Term term) {
  look_at(term);
  std::vector<std::vector<Term>> levels;
  for (Term t : order_) {
    const Mark& mark = marks_.at(t);
    if (!mark.named) continue;
    if (levels.size() <= mark.level) levels.resize(mark.level + 1);
    levels[mark.level].push_back(t);
  }
  std::string out;
  for (const std::vector<Term>& level : levels) {
    out += "(let (";
    for (Term t : level) {
      out += fmt::format("({}{} ", prefix_, marks_.at(t).number);
      write_operation(t, out);
      out += ")";
    }
    out += ") ";
  }
  if (table_[term].args.empty())
    write_leaf(term, out);
  else
    write_operation(term, out);
  return out + std::string(levels.size(), ')');
}

std::string TermWriter::write(Term term, std::vector<Definition>& definitions) {
  look_at(term);
  for (Term t : order_) {
    const Mark& mark = marks_.at(t);
    if (!mark.named) continue;
    Definition definition{fmt::format("{}{}", prefix_, mark.number), table_.sort(t), {}};
    write_operation(t, definition.text);
    definitions.push_back(std::move(definition));
  }
  std::string out;
  if (table_[term].args.empty())
    write_leaf(term, out);
  else
    write_operation(term, out);
  return out;
}

std::string Script::define(const std::string& name, unsigned at) {
  return define_as(of(name, at), name, at, at + 1, at);
}

std::string Script::define_as(const std::string& label, const std::string& name, unsigned from,
                              unsigned to, unsigned inputs) {
  for (std::size_t i = 0; i < system_.variables.size(); ++i) {
    writer_.name(system_.variables[i].now, fmt::format("x{}.{}", i, from));
    writer_.name(system_.variables[i].next, fmt::format("x{}.{}", i, to));
  }
  for (std::size_t i = 0; i < system_.inputs.size(); ++i)
    writer_.name(system_.inputs[i].term, fmt::format("u{}.{}", i, inputs));
  return fmt::format("(define-fun {} () Bool {})\n", label, writer_.write(formulas_.at(name)));
}

std::string Script::of(const std::string& name, unsigned at) {
  return fmt::format("{}.{}", name, at);
}

std::string Script::declare_state(unsigned at) const {
  std::string out;
  for (std::size_t i = 0; i < system_.variables.size(); ++i)
    out += fmt::format("(declare-fun x{}.{} () {})\n", i, at, sort_text(system_.variables[i].sort));
  return out;
}

std::string Script::declare_inputs(unsigned at) const {
  std::string out;
  for (std::size_t i = 0; i < system_.inputs.size(); ++i)
    out += fmt::format("(declare-fun u{}.{} () {})\n", i, at, sort_text(system_.inputs[i].sort));
  return out;
}

namespace {

std::string list_names(const char* which, std::size_t count, unsigned at) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += fmt::format(" {}{}.{}", which, i, at);
  return out;
}

}  // namespace

std::string Script::ask_state(unsigned at) const {
  if (system_.variables.empty()) return {};
  return "(get-value (" + list_names("x", system_.variables.size(), at) + "))\n";
}

std::string Script::ask_inputs(unsigned at) const {
  if (system_.inputs.empty()) return {};
  return "(get-value (" + list_names("u", system_.inputs.size(), at) + "))\n";
}

}  // namespace leto::transition

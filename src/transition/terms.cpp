#include "transition/terms.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace leto::transition {

using logic::Kind;
using logic::Sort;
using logic::SortBase;
using logic::Term;
using logic::TermTable;

Term rebuild(TermTable& table, Term term, const std::vector<Term>& args) {
  const Kind kind = table[term].kind;
  switch (kind) {
    case Kind::Not:
      return table.not_(args[0]);
    case Kind::And:
      return table.and_(args);
    case Kind::Or:
      return table.or_(args);
    case Kind::Implies:
      return table.implies(args[0], args[1]);
    case Kind::Ite:
      return table.ite(args[0], args[1], args[2]);
    case Kind::Eq:
      return table.eq(args[0], args[1]);
    case Kind::Lt:
      return table.lt(args[0], args[1]);
    case Kind::Le:
      return table.le(args[0], args[1]);
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::RealDiv:
    case Kind::IntDiv:
    case Kind::IntMod:
      return table.arith(kind, args[0], args[1]);
    case Kind::Neg:
      return table.neg(args[0]);
    case Kind::ToReal:
      return table.to_real(args[0]);
    case Kind::ToInt:
      return table.to_int(args[0]);
    case Kind::Call:
      return table.call(std::string(table[term].text), table.sort(term), args);
    case Kind::True:
    case Kind::False:
    case Kind::Number:
    case Kind::Symbol:
      return term;
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

namespace {

// Of "(_ extract 3 0)": its name and its numbers.
struct Indexed {
  std::string_view name;
  std::vector<std::uint32_t> indices;
};

std::optional<Indexed> read_head(std::string_view head) {
  if (!head.starts_with("(_ ") || !head.ends_with(")")) return Indexed{head, {}};
  head = head.substr(3, head.size() - 4);
  const std::size_t space = head.find(' ');
  Indexed out{head.substr(0, space), {}};
  while (head.find(' ') != std::string_view::npos) {
    head = head.substr(head.find(' ') + 1);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(head.data(), head.data() + head.size(), value);
    if (error != std::errc{} || (end != head.data() + head.size() && *end != ' '))
      return std::nullopt;
    out.indices.push_back(value);
  }
  return out;
}

Sort bit_vector(std::uint32_t width) {
  return {SortBase::BitVec, 0, static_cast<std::uint16_t>(width)};
}

template <std::size_t n>
bool is_one_of(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 2> kUnary{"bvnot", "bvneg"};
constexpr std::array<std::string_view, 16> kBinary{
    "bvadd", "bvsub",  "bvmul",  "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod",
    "bvshl", "bvlshr", "bvashr", "bvand",  "bvor",   "bvxor",  "bvnand", "bvnor"};
constexpr std::array<std::string_view, 8> kCompare{"bvult", "bvule", "bvugt", "bvuge",
                                                   "bvslt", "bvsle", "bvsgt", "bvsge"};

std::optional<Sort> indexed_result(const Indexed& head, std::uint32_t width) {
  const auto at = [&](std::size_t i) { return head.indices.at(i); };
  if (head.name == "extract" && head.indices.size() == 2) {
    if (at(0) < width && at(1) <= at(0)) return bit_vector(at(0) - at(1) + 1);
  } else if (head.indices.size() == 1) {
    if ((head.name == "zero_extend" || head.name == "sign_extend") && at(0) <= kWidest - width)
      return bit_vector(width + at(0));
    if (head.name == "repeat" && at(0) >= 1 && at(0) <= kWidest / width)
      return bit_vector(width * at(0));
    if (head.name == "rotate_left" || head.name == "rotate_right") return bit_vector(width);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Sort> bit_vector_result(const std::string& head, const std::vector<Sort>& args) {
  const std::optional<Indexed> read = read_head(head);
  if (!read || args.empty()) return std::nullopt;
  for (const Sort& sort : args)
    if (sort.base != SortBase::BitVec || sort.rank != 0 || sort.width == 0 || sort.width > kWidest)
      return std::nullopt;
  const std::uint32_t width = args[0].width;
  if (!read->indices.empty()) return args.size() == 1 ? indexed_result(*read, width) : std::nullopt;
  if (args.size() == 1)
    return is_one_of(read->name, kUnary) ? std::optional(args[0]) : std::nullopt;
  if (args.size() != 2) return std::nullopt;
  if (read->name == "concat") {
    if (width + args[1].width > kWidest) return std::nullopt;
    return bit_vector(width + args[1].width);
  }
  if (args[0] != args[1]) return std::nullopt;
  if (is_one_of(read->name, kBinary)) return args[0];
  if (is_one_of(read->name, kCompare)) return logic::kBool;
  if (read->name == "bvcomp") return bit_vector(1);
  return std::nullopt;
}

namespace {

bool is_number_other_than_zero(const TermTable& table, Term term) {
  while (table[term].kind == Kind::Neg || table[term].kind == Kind::ToReal)
    term = table[term].args[0];
  if (table[term].kind == Kind::RealDiv)
    return is_number_other_than_zero(table, table[term].args[0]);
  return table[term].kind == Kind::Number && table[term].text != "0";
}

}  // namespace

bool is_allowed(const TermTable& table, Term term) {
  const logic::Node& node = table[term];
  if (node.sort.rank != 0) return false;
  switch (node.kind) {
    case Kind::Bits:
    case Kind::Bound:
    case Kind::Select:
    case Kind::Store:
    case Kind::Zero:
    case Kind::Forall:
    case Kind::Exists:
      return false;
    case Kind::RealDiv:
    case Kind::IntDiv:
    case Kind::IntMod:
      return is_number_other_than_zero(table, node.args[1]);
    case Kind::Call: {
      std::vector<Sort> sorts;
      for (Term arg : node.args) sorts.push_back(table.sort(arg));
      return bit_vector_result(node.text, sorts) == node.sort;
    }
    case Kind::True:
    case Kind::False:
    case Kind::Number:
    case Kind::Symbol:
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
    case Kind::Implies:
    case Kind::Ite:
    case Kind::Eq:
    case Kind::Lt:
    case Kind::Le:
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::Neg:
    case Kind::ToReal:
    case Kind::ToInt:
      return true;
  }
  return false;
}

}  // namespace leto::transition

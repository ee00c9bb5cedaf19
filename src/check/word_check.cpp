// Words: the width of a literal comes from what stands beside it, both operands of an operator have
// one width, and nothing becomes a word or a number by itself.
#include <fmt/core.h>

#include <algorithm>

#include "base/words.h"
#include "check/expr_check.h"

namespace leto::check {

using namespace syntax;

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

Type word_type(std::size_t width) {
  Type type = scalar_type(Scalar::Bits);
  type.width = static_cast<std::uint16_t>(width);
  return type;
}

}  // namespace

bool is_word_function(std::string_view name) {
  return is_one_of(name, {"bit", "with_bit", "popcount", "parity", "sdiv", "srem", "sless", "sar"});
}

// What makes one of the other; empty: nothing does.
std::string conversion_help(const Type& from, const Type& to) {
  if (from.is_word() && to.is_word() && from.width < to.width)
    return fmt::format("'zero_extend<{0}>(b)' or 'sign_extend<{0}>(b)' makes it wider", to.width);
  if (from.is_word() && to.is_word())
    return fmt::format("'b[{1}:0]' is its lower part: its value modulo 2^{0}", to.width,
                       to.width - 1);
  if (from.is_word() && to.is_integer())
    return fmt::format("'uint(b)' is its value from 0 to 2^{0} - 1, 'int(b)' the one with a sign",
                       from.width);
  if (from.is_word() && to.is_numeric()) return "'real(uint(b))' is its value without a sign";
  if (from.is_word() && to.is_bool()) return "compare it, 'b != 0', or take one bit, 'bit(b, 0)'";
  if (from.is_integer() && to.is_word())
    return fmt::format(
        "'bits<{0}>(i)' is i modulo 2^{0}; 'exact_bits<{0}>(i)' fails where i does not fit",
        to.width);
  if (from.is_numeric() && to.is_word())
    return fmt::format("round it first: 'bits<{}>(floor(x))'", to.width);
  return "";
}

// A number, or a choice or sum of nothing else: its width is not its own.
bool ExprChecker::is_literal(ExprId id, const Place& place) const {
  const auto& node = session_.tree(place.tree).exprs[id].node;
  if (std::holds_alternative<IntegerExpr>(node)) return true;
  if (const auto* paren = std::get_if<ParenExpr>(&node)) return is_literal(paren->inner, place);
  if (const auto* unary = std::get_if<UnaryExpr>(&node)) return is_literal(unary->operand, place);
  if (const auto* both = std::get_if<BinaryExpr>(&node))
    return !is_comparison(both->op) && is_literal(both->lhs, place) && is_literal(both->rhs, place);
  if (const auto* choice = std::get_if<IfExpr>(&node))
    return is_literal(choice->then_value, place) && is_literal(choice->else_value, place);
  return false;
}

Type ExprChecker::value_as(ExprId id, const Place& place, std::uint16_t width) {
  wanted_width_ = width;
  return value(id, place);
}

// Two values of one type, the one that knows its width first.
std::pair<Type, Type> ExprChecker::alike(ExprId lhs, ExprId rhs, const Place& place,
                                         std::uint16_t width) {
  const auto width_of = [](const Type& type) {
    return type.is_word() ? type.width : std::uint16_t{0};
  };
  if (is_literal(lhs, place) && !is_literal(rhs, place)) {
    const Type b = value_as(rhs, place, width);
    return {value_as(lhs, place, width_of(b)), b};
  }
  const Type a = value_as(lhs, place, width);
  return {a, value_as(rhs, place, width_of(a))};
}

Type ExprChecker::literal(ExprId id, const IntegerExpr& e, std::uint16_t width,
                          const Place& place) {
  if (width == 0) return scalar_type(Scalar::Uint);
  const std::string number = session_.text(e.text);
  if (!fits_into_bits(number, width))
    session_.report(Diagnostic{
        DiagnosticKind::BadWidth,
        span(id, place),
        {fmt::format("{} does not fit into bits<{}>, which go from 0 to {}",
                     session_.text(e.written.valid() ? e.written : e.text), width,
                     width <= 64 ? std::to_string(width == 64 ? ~std::uint64_t{0}
                                                              : (std::uint64_t{1} << width) - 1)
                                 : fmt::format("2^{} - 1", width))},
        {},
        {}}.helping(fmt::format("write the word itself; 'bits<{}>({})' is it modulo 2^{}", width,
                                number.size() < 40 ? number : "...", width)));
  return word_type(width);
}

void ExprChecker::report_words(std::string_view sign, const Type& a, const Type& b, Span at) {
  Diagnostic d{DiagnosticKind::BadOperands,
               at,
               {std::string(sign), describe(a) + " and " + describe(b)},
               {},
               {}};
  std::string help = conversion_help(b, a);
  if (help.empty() || !a.is_word()) help = conversion_help(a, b);
  if (a.is_bool() && b.is_bool())
    help = sign == "&" ? "write '&&'" : sign == "|" ? "write '||'" : "";
  if (help.empty() && !a.is_word() && !b.is_word())
    help = "it combines words, 'bits<N>': here nothing says how wide";
  if (!help.empty()) d.help = Help{std::move(help), {}};
  session_.report(std::move(d));
}

// At least one operand is a word, or should be.
Type ExprChecker::combine_words(const BinaryExpr& e, const Type& a, const Type& b,
                                const Place& place) {
  if (e.op == BinaryOp::Join) return join_words(e, a, b);
  if (!a.is_word() || !(a == b)) {
    report_words(spelling(e.op), a, b, e.op_span);
    return error_type();
  }
  if (e.dotted) relaxed(spelling(e.op), false, a, place, e.op_span);
  return a;
}

Type ExprChecker::join_words(const BinaryExpr& e, const Type& a, const Type& b) {
  if (!a.is_word() || !b.is_word()) {
    session_.report(Diagnostic{
        DiagnosticKind::BadOperands,
        e.op_span,
        {"++", describe(a) + " and " + describe(b)},
        {},
        {}}.helping("it joins two words; of a number say how wide it is: 'bits<8>(1) ++ b'"));
    return error_type();
  }
  if (const std::size_t width = std::size_t{a.width} + b.width; width <= kWidestWord)
    return word_type(width);
  session_.report({DiagnosticKind::BadWidth,
                   e.op_span,
                   {fmt::format("this has {} bits, and a word has at most {}",
                                std::size_t{a.width} + b.width, kWidestWord)},
                   {},
                   {}});
  return error_type();
}

Type ExprChecker::visit(ExprId id, const PartExpr& e, const Place& place) {
  const Type base = value(e.base, place);
  value(e.high, place);
  value(e.low, place);
  if (base.error) return base;
  if (!base.is_word()) {
    session_.report({DiagnosticKind::TypeMismatch,
                     span(e.base, place),
                     {"a word, of which this is a part", describe(base)},
                     {},
                     {}});
    return error_type();
  }
  const auto bound = [&](ExprId at) {
    const auto* number = std::get_if<IntegerExpr>(&session_.tree(place.tree).exprs[at].node);
    const std::string text = number != nullptr ? session_.text(number->text) : "9999";
    return text.size() > 4 ? 9999 : std::stoi(text);
  };
  const int high = bound(e.high), low = bound(e.low);
  if (high < base.width && low <= high) return word_type(static_cast<std::size_t>(high - low + 1));
  session_.report(Diagnostic{
      DiagnosticKind::BadWidth,
      span(id, place),
      {fmt::format("a part of bits<{}> goes from a bit down to one that is not above it, both "
                   "from 0 to {}",
                   base.width, base.width - 1)},
      {},
      {}}.helping(low > high && low < base.width ? fmt::format("write '[{}:{}]'", low, high)
                                                 : "bit 0 is the lowest"));
  return error_type();
}

Type ExprChecker::visit(ExprId id, const WidenExpr& e, const Place& place) {
  const std::string name = session_.text(e.callee.name);
  const Type from = value(e.arg, place), to = word_type(e.width);
  if (from.error) return to;
  if (name == "zero_extend" || name == "sign_extend") {
    if (from.is_word() && from.width <= e.width) return to;
    if (from.is_word())
      session_.report(Diagnostic{
          DiagnosticKind::BadWidth,
          span(id, place),
          {fmt::format("{} is wider than bits<{}>", describe(from), e.width)},
          {},
          {}}.helping(conversion_help(from, to)));
    else
      session_.report(
          {DiagnosticKind::TypeMismatch, span(e.arg, place), {"a word", describe(from)}, {}, {}});
    return to;
  }
  if (!from.is_integer()) {
    Diagnostic d{
        DiagnosticKind::TypeMismatch, span(e.arg, place), {"an integer", describe(from)}, {}, {}};
    if (from == to)
      d.help = Help{"it is such a word already", {}};
    else if (const std::string help = conversion_help(from, to); !help.empty())
      d.help = Help{help, {}};
    session_.report(std::move(d));
    return to;
  }
  if (name == "exact_bits" && place.mode != Mode::Program && place.mode != Mode::Ghost)
    session_.report(Diagnostic{
        DiagnosticKind::BadWidth,
        span(id, place),
        {"'exact_bits' fails where the value does not fit, which a specification cannot"},
        {},
        {}}.helping(fmt::format("write 'bits<{}>(i)', and that i fits as a claim of its own",
                                e.width)));
  return to;
}

// bit, popcount, sdiv and the others, unless the program calls something else so.
bool ExprChecker::names_word_function(const Ident& callee, const Place& place) const {
  if (!is_word_function(session_.names.text(callee.name)) || scope_.find(callee.name).valid())
    return false;
  if (place.model.valid() && session_.checked.models[place.model].members.contains(callee.name))
    return false;
  return !session_.globals.contains(callee.name);
}

Type ExprChecker::call_word_function(const CallExpr& e, const Place& place, std::uint16_t width) {
  const std::string name = session_.text(e.callee.name);
  const bool of_bits = name == "bit" || name == "with_bit";
  const bool of_one = name == "popcount" || name == "parity";
  const std::size_t wanted = name == "with_bit" ? 3 : of_one ? 1 : 2;
  if (e.args.size() != wanted) {
    for (ExprId arg : e.args) value(arg, place);
    (void)count_arguments(e, wanted);
    return error_type();
  }
  const bool makes_word = name != "bit" && !of_one && name != "sless";
  const std::uint16_t given = makes_word ? width : 0;
  Type first;
  if (of_bits || of_one) {
    first = value_as(e.args[0], place, given);
  } else {
    const auto [a, b] = alike(e.args[0], e.args[1], place, given);
    first = a;
    if (!a.error && !b.error && !(a.is_word() && a == b)) {
      report_words(name, a, b, e.callee.span);
      return name == "sless" ? scalar_type(Scalar::Bool) : error_type();
    }
  }
  if (!first.error && !first.is_word())
    session_.report(Diagnostic{
        DiagnosticKind::TypeMismatch, span(e.args[0], place), {"a word", describe(first)}, {}, {}}
                        .helping("of a number say how wide it is: 'bits<8>(1)'"));
  if (of_bits) expect(e.args[1], place, scalar_type(Scalar::Uint), "which bit");
  if (name == "with_bit") expect_bool(e.args[2], place);
  if (name == "popcount") return scalar_type(Scalar::Uint);
  if (name == "parity" || name == "bit" || name == "sless") return scalar_type(Scalar::Bool);
  return first.is_word() ? first : error_type();
}

}  // namespace leto::check

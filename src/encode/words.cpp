// Words in questions: bit-vectors, with the operations of SMT-LIB. Where those and ours differ it
// is said: a quotient or a remainder by 0 is 0.
//
// uint(b) is (bv2nat b), of which a solver is told that 0 <= n < 2^N; bits<N>(i) is ((_ int2bv N)
// i), which is i modulo 2^N. Neither is in a question whose program does not use it: bit(b, i) asks
// for each bit in turn whether i is its number, and how many bits are set is compared with a small
// number by clearing the lowest one as often.
#include "base/words.h"

#include "encode/encode.h"

namespace leto::encode {

using core::WordOp;
using logic::Sort;
using logic::Term;

namespace {

Sort word_sort(unsigned width) {
  return {logic::SortBase::BitVec, 0, static_cast<std::uint16_t>(width)};
}

}  // namespace

Term Encoder::bit_of(Term word, unsigned at) {
  const std::string number = std::to_string(at);
  const Term part = terms_.bits("(_ extract " + number + " " + number + ")", word_sort(1), {word});
  return terms_.eq(part, terms_.number("1", word_sort(1)));
}

// Bit i of it, i a number of which nothing is known.
Term Encoder::any_bit_of(Term word, Term index) {
  std::vector<Term> cases;
  for (unsigned at = 0; at < terms_.sort(word).width; ++at)
    cases.push_back(terms_.and_(terms_.eq(index, terms_.integer(at)), bit_of(word, at)));
  return terms_.or_(std::move(cases));
}

Term Encoder::with_bit(Term word, Term index, Term value) {
  const Sort sort = terms_.sort(word);
  Term mask = terms_.zero(sort);
  for (unsigned at = 0; at < sort.width; ++at)
    mask = terms_.ite(terms_.eq(index, terms_.integer(at)), terms_.number(power_of_two(at), sort),
                      mask);
  const Term set = terms_.bits("bvor", sort, {word, mask});
  const Term cleared = terms_.bits("bvand", sort, {word, terms_.bits("bvnot", sort, {mask})});
  return terms_.ite(value, set, cleared);
}

Term Encoder::natural_of(Term word) {
  const logic::Node& node = terms_[word];
  if (node.kind == logic::Kind::Number) return terms_.number(std::string(node.text), logic::kInt);
  const unsigned width = node.sort.width;
  const Term number = terms_.bits("bv2nat", logic::kInt, {word});
  if (terms_[number].free.empty() && !terms_.is_told(number))
    terms_.tell(number, {terms_.le(terms_.zero(logic::kInt), number),
                         terms_.lt(number, terms_.number(power_of_two(width), logic::kInt))});
  return number;
}

Term Encoder::word_of(Term number, unsigned width) {
  const Sort sort = word_sort(width);
  const logic::Node& node = terms_[number];
  if (node.kind == logic::Kind::Number && fits_into_bits(node.text, width))
    return terms_.number(std::string(node.text), sort);
  if (node.kind == logic::Kind::Bits && node.text == "bv2nat" && terms_.sort(node.args[0]) == sort)
    return node.args[0];
  return terms_.bits("(_ int2bv " + std::to_string(width) + ")", sort, {number});
}

Term Encoder::count_of(Term word) {
  Term sum = terms_.integer(0);
  for (unsigned at = 0; at < terms_.sort(word).width; ++at)
    sum = terms_.arith(logic::Kind::Add, sum,
                       terms_.ite(bit_of(word, at), terms_.integer(1), terms_.integer(0)));
  return sum;
}

// Whether so many bits are set; or at most so many.
Term Encoder::has_bits(Term word, unsigned count, bool at_most) {
  const Sort sort = terms_.sort(word);
  const Term none = terms_.zero(sort);
  Term some = terms_.boolean(true);
  for (unsigned i = 0; i < count; ++i) {
    some = terms_.not_(terms_.eq(word, none));
    const Term less = terms_.bits("bvsub", sort, {word, terms_.number("1", sort)});
    word = terms_.bits("bvand", sort, {word, less});
  }
  const Term no_more = terms_.eq(word, none);
  return at_most ? no_more : terms_.and_(some, no_more);
}

// popcount(b) compared with a number that is written down and small; nothing: it is no such thing.
std::optional<Term> Encoder::counted(const core::Apply& node, Environment& environment) {
  constexpr std::int64_t kMost = 8;
  if (node.args.size() != 2) return std::nullopt;
  const bool first = std::holds_alternative<core::Word>(program_.exprs[node.args[0]].node);
  const core::ExprId word = node.args[first ? 0 : 1], other = node.args[first ? 1 : 0];
  const auto* ones = std::get_if<core::Word>(&program_.exprs[word].node);
  const auto* number = std::get_if<core::NumberConst>(&program_.exprs[other].node);
  if (ones == nullptr || ones->op != WordOp::Ones || number == nullptr) return std::nullopt;
  if (program_.exprs[other].type.base != core::Base::Int) return std::nullopt;  // 1.5, say
  const core::Op op = first ? node.op : turned(node.op);
  const auto known = terms_.integer(terms_.number(number->text, logic::kInt));
  if (!known || *known > kMost) return std::nullopt;
  const auto n = static_cast<unsigned>(*known);
  const Term bits = value(ones->args[0], environment).term;
  if (op == core::Op::Eq) return has_bits(bits, n, false);
  if (op == core::Op::Ne) return terms_.not_(has_bits(bits, n, false));
  if (op == core::Op::Le) return has_bits(bits, n, true);
  if (op == core::Op::Gt) return terms_.not_(has_bits(bits, n, true));
  if (n == 0) return std::nullopt;
  if (op == core::Op::Lt) return has_bits(bits, n - 1, true);
  if (op == core::Op::Ge) return terms_.not_(has_bits(bits, n - 1, true));
  return std::nullopt;
}

Term Encoder::word(const core::Word& node, const core::Type& type, Environment& environment) {
  std::vector<Term> args;
  for (core::ExprId arg : node.args) args.push_back(value(arg, environment).term);
  const Sort sort = sort_of(type);
  const unsigned own = terms_.sort(args[0]).width;
  const auto make = [&](const std::string& head) { return terms_.bits(head, sort, args); };
  const auto truth = [&](const std::string& head) { return terms_.bits(head, logic::kBool, args); };
  const auto turned_truth = [&](const std::string& head) {
    return terms_.bits(head, logic::kBool, {args[1], args[0]});
  };
  const auto divide = [&](const std::string& head) {
    const Term none = terms_.zero(sort);
    return terms_.ite(terms_.eq(args[1], none), none, make(head));
  };
  switch (node.op) {
    case WordOp::Not:
      return make("bvnot");
    case WordOp::Neg:
      return make("bvneg");
    case WordOp::And:
      return make("bvand");
    case WordOp::Or:
      return make("bvor");
    case WordOp::Xor:
      return make("bvxor");
    case WordOp::ShiftLeft:
      return make("bvshl");
    case WordOp::ShiftRight:
      return make("bvlshr");
    case WordOp::ShiftSigned:
      return make("bvashr");
    case WordOp::Add:
      return make("bvadd");
    case WordOp::Sub:
      return make("bvsub");
    case WordOp::Mul:
      return make("bvmul");
    case WordOp::Div:
      return divide("bvudiv");
    case WordOp::Mod:
      return divide("bvurem");
    case WordOp::SignedDiv:
      return divide("bvsdiv");
    case WordOp::SignedRem:
      return divide("bvsrem");
    case WordOp::Less:
      return truth("bvult");
    case WordOp::AtMost:
      return truth("bvule");
    case WordOp::Greater:
      return turned_truth("bvult");
    case WordOp::AtLeast:
      return turned_truth("bvule");
    case WordOp::SignedLess:
      return truth("bvslt");
    case WordOp::Join:
      return make("concat");
    case WordOp::Part:
      return make("(_ extract " + std::to_string(node.low + type.width - 1) + " " +
                  std::to_string(node.low) + ")");
    case WordOp::ZeroExtend:
      return own == type.width ? args[0]
                               : make("(_ zero_extend " + std::to_string(type.width - own) + ")");
    case WordOp::SignExtend:
      return own == type.width ? args[0]
                               : make("(_ sign_extend " + std::to_string(type.width - own) + ")");
    case WordOp::ToNatural:
      return natural_of(args[0]);
    case WordOp::ToInt: {
      const Term number = natural_of(args[0]);
      const Term less =
          terms_.arith(logic::Kind::Sub, number, terms_.number(power_of_two(own), logic::kInt));
      return terms_.ite(bit_of(args[0], own - 1), less, number);
    }
    case WordOp::OfInt:
      return word_of(args[0], type.width);
    case WordOp::Bit:
      return any_bit_of(args[0], args[1]);
    case WordOp::WithBit:
      return with_bit(args[0], args[1], args[2]);
    case WordOp::Ones:
      return count_of(args[0]);
    case WordOp::Parity: {
      Term odd = terms_.number("0", word_sort(1));
      for (unsigned at = 0; at < own; ++at) {
        const std::string number = std::to_string(at);
        odd = terms_.bits("bvxor", word_sort(1),
                          {odd, terms_.bits("(_ extract " + number + " " + number + ")",
                                            word_sort(1), {args[0]})});
      }
      return terms_.eq(odd, terms_.number("1", word_sort(1)));
    }
  }
  LETO_ASSERT(false);
}

}  // namespace leto::encode

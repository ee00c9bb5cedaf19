#include "interp/word.h"

namespace leto::interp {

using core::WordOp;

namespace {

mpz_class power(unsigned width) {
  mpz_class out = 1;
  out <<= width;
  return out;
}

bool has_bit(const mpz_class& value, unsigned long i) {
  return mpz_tstbit(value.get_mpz_t(), i) != 0;
}

// The amount, or the width where it is larger.
unsigned long amount(const Bits& by, unsigned width) {
  return by.value < width ? by.value.get_ui() : width;
}

mpz_class shifted_with_sign(const Bits& word, unsigned long by) {
  mpz_class out;
  mpz_fdiv_q_2exp(out.get_mpz_t(), with_sign(word).get_mpz_t(), by);
  return out;
}

// Towards zero, as C does.
mpz_class divided(const mpz_class& a, const mpz_class& b) {
  mpz_class out;
  mpz_tdiv_q(out.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return out;
}

mpz_class with_bit(const Bits& word, const mpz_class& index, bool value) {
  mpz_class out = word.value;
  if (index < 0 || index >= word.width) return out;
  if (value)
    mpz_setbit(out.get_mpz_t(), index.get_ui());
  else
    mpz_clrbit(out.get_mpz_t(), index.get_ui());
  return out;
}

}  // namespace

mpz_class wrapped(const mpz_class& value, unsigned width) {
  mpz_class out;
  mpz_fdiv_r_2exp(out.get_mpz_t(), value.get_mpz_t(), width);
  return out;
}

mpz_class with_sign(const Bits& word) {
  return has_bit(word.value, word.width - 1) ? mpz_class(word.value - power(word.width))
                                             : word.value;
}

mpz_class apply_word(WordOp op, const std::vector<Bits>& args, unsigned width, unsigned low) {
  const Bits& a = args[0];
  const auto b = [&]() -> const Bits& { return args[1]; };
  const auto truth = [](bool value) { return mpz_class(value ? 1 : 0); };
  switch (op) {
    case WordOp::Not:
      return power(a.width) - 1 - a.value;
    case WordOp::Neg:
      return wrapped(-a.value, a.width);
    case WordOp::And:
      return a.value & b().value;
    case WordOp::Or:
      return a.value | b().value;
    case WordOp::Xor:
      return a.value ^ b().value;
    case WordOp::ShiftLeft:
      return wrapped(a.value << amount(b(), a.width), a.width);
    case WordOp::ShiftRight:
      return a.value >> amount(b(), a.width);
    case WordOp::ShiftSigned:
      return wrapped(shifted_with_sign(a, amount(b(), a.width)), a.width);
    case WordOp::Add:
      return wrapped(a.value + b().value, a.width);
    case WordOp::Sub:
      return wrapped(a.value - b().value, a.width);
    case WordOp::Mul:
      return wrapped(a.value * b().value, a.width);
    case WordOp::Div:
      return a.value / b().value;
    case WordOp::Mod:
      return a.value % b().value;
    case WordOp::SignedDiv:
      return wrapped(divided(with_sign(a), with_sign(b())), a.width);
    case WordOp::SignedRem: {
      const mpz_class x = with_sign(a), y = with_sign(b());
      return wrapped(x - y * divided(x, y), a.width);
    }
    case WordOp::Less:
      return truth(a.value < b().value);
    case WordOp::AtMost:
      return truth(a.value <= b().value);
    case WordOp::Greater:
      return truth(a.value > b().value);
    case WordOp::AtLeast:
      return truth(a.value >= b().value);
    case WordOp::SignedLess:
      return truth(with_sign(a) < with_sign(b()));
    case WordOp::Join:
      return (a.value << b().width) + b().value;
    case WordOp::Part:
      return wrapped(a.value >> low, width);
    case WordOp::ZeroExtend:
    case WordOp::ToNatural:
      return a.value;
    case WordOp::SignExtend:
      return wrapped(with_sign(a), width);
    case WordOp::ToInt:
      return with_sign(a);
    case WordOp::OfInt:
      return wrapped(a.value, width);
    case WordOp::Bit:
      return truth(b().value >= 0 && b().value < a.width && has_bit(a.value, b().value.get_ui()));
    case WordOp::WithBit:
      return with_bit(a, b().value, args[2].value != 0);
    case WordOp::Ones:
      return mpz_popcount(a.value.get_mpz_t());
    case WordOp::Parity:
      return mpz_popcount(a.value.get_mpz_t()) % 2;
  }
  LETO_ASSERT(false);
}

Number apply_word(const core::Program& program, const core::Word& node, const core::Type& type,
                  const std::vector<Number>& args) {
  std::vector<Bits> words;
  for (std::size_t i = 0; i < args.size(); ++i)
    words.push_back({args[i].whole(), program.exprs[node.args[i]].type.width});
  return Number(mpq_class(apply_word(node.op, words, type.width, node.low)));
}

Number greatest_word(unsigned width) {
  return Number(mpq_class(mpz_class(power(width) - 1)));
}

}  // namespace leto::interp

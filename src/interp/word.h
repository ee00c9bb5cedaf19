// Words, concretely: by large numbers, and bit by bit where that is plainest.
// Shares nothing with the encoder, which has SMT-LIB's operations.
#pragma once

#include <gmpxx.h>

#include <vector>

#include "core/core.h"
#include "interp/number.h"

namespace leto::interp {

// A word and how wide it is: 0 <= value < 2^width.
struct Bits {
  mpz_class value;
  unsigned width = 0;
};

// The least number that is congruent modulo 2^width.
[[nodiscard]] mpz_class wrapped(const mpz_class& value, unsigned width);
// In two's complement.
[[nodiscard]] mpz_class with_sign(const Bits& word);
// The value of an operation: of a word its number, of a truth 0 or 1. What is no word among the
// operands has its number and any width. Of a quotient the divisor is not zero.
[[nodiscard]] mpz_class apply_word(core::WordOp op, const std::vector<Bits>& args, unsigned width,
                                   unsigned low);
// The same of numbers.
[[nodiscard]] Number apply_word(const core::Program& program, const core::Word& node,
                                const core::Type& type, const std::vector<Number>& args);
// Mostly with one bit changed, or a few neighbours, or anything at all.
template <class Random>
[[nodiscard]] Number draw_word(const Number& usual, unsigned width, Random& random) {
  const auto at = static_cast<unsigned>(random() % width);
  const unsigned kind = random() % 8;
  mpz_class change = 1;
  if (kind == 5) change = static_cast<unsigned long>(random() % 256);
  change <<= at;
  if (kind == 6) change = static_cast<unsigned long>(random() % 4096);
  mpz_class value = usual.is_integer() ? usual.whole() : mpz_class(0);
  if (kind < 7) return Number(mpq_class(wrapped(value ^ change, width)));
  value = 0;
  for (unsigned i = 0; i < width; i += 32) value = (value << 32) + random() % 0x1'0000'0000u;
  return Number(mpq_class(wrapped(value, width)));
}
// 2^width - 1
[[nodiscard]] Number greatest_word(unsigned width);

}  // namespace leto::interp

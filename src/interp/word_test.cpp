// Operations on words against the machine's own, and for odd widths against a reference that goes
// bit by bit. LETO_TEST_WORDS: how many operands are drawn for each width.
#include "interp/word.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>

namespace leto::interp {

namespace {

using core::WordOp;

int rounds() {
  const char* wanted = std::getenv("LETO_TEST_WORDS");
  return wanted != nullptr ? std::atoi(wanted) : 5000;
}

mpz_class large(std::uint64_t n) {
  mpz_class out = static_cast<unsigned long>(n);
  return out;
}

// Operands as they break things: small ones, all ones, one bit, the least one with a sign.
template <class U>
U draw(std::mt19937_64& random) {
  constexpr unsigned kWidth = sizeof(U) * 8;
  const unsigned kind = random() % 6;
  if (kind == 0) return static_cast<U>(random() % 70);
  if (kind == 1) return static_cast<U>(~U{0} - random() % 3);
  if (kind == 2) return static_cast<U>(U{1} << (random() % kWidth));
  if (kind == 3) return static_cast<U>(U{1} << (kWidth - 1));
  return static_cast<U>(random());
}

template <class U>
void compare_with_machine() {
  using S = std::make_signed_t<U>;
  constexpr unsigned kWidth = sizeof(U) * 8;
  std::mt19937_64 random(20261120);
  for (int i = 0; i < rounds(); ++i) {
    const U a = draw<U>(random), b = draw<U>(random);
    const auto sa = static_cast<S>(a), sb = static_cast<S>(b);
    const auto is = [&](WordOp op, U wanted) {
      const Bits x{large(a), kWidth}, y{large(b), kWidth};
      const mpz_class found =
          operands_of(op) == 1 ? apply_word(op, {x}, kWidth, 0) : apply_word(op, {x, y}, kWidth, 0);
      ASSERT_EQ(found, large(wanted)) << spelling(op) << " of " << a << " and " << b;
    };
    is(WordOp::Not, static_cast<U>(~a));
    is(WordOp::Neg, static_cast<U>(U{0} - a));
    is(WordOp::And, a & b);
    is(WordOp::Or, a | b);
    is(WordOp::Xor, a ^ b);
    is(WordOp::ShiftLeft, b < kWidth ? static_cast<U>(a << b) : U{0});
    is(WordOp::ShiftRight, b < kWidth ? static_cast<U>(a >> b) : U{0});
    is(WordOp::ShiftSigned, static_cast<U>(sa >> (b < kWidth ? b : U{kWidth - 1})));
    is(WordOp::Add, static_cast<U>(a + b));
    is(WordOp::Sub, static_cast<U>(a - b));
    is(WordOp::Mul, static_cast<U>(a * b));
    is(WordOp::Less, a < b ? 1 : 0);
    is(WordOp::AtMost, a <= b ? 1 : 0);
    is(WordOp::Greater, a > b ? 1 : 0);
    is(WordOp::AtLeast, a >= b ? 1 : 0);
    is(WordOp::SignedLess, sa < sb ? 1 : 0);
    is(WordOp::Ones, static_cast<U>(__builtin_popcountll(a)));
    is(WordOp::Parity, static_cast<U>(__builtin_popcountll(a) % 2));
    if (b == 0) continue;
    is(WordOp::Div, a / b);
    is(WordOp::Mod, a % b);
    const bool overflows = sb == -1 && a == (U{1} << (kWidth - 1));
    is(WordOp::SignedDiv, overflows ? a : static_cast<U>(sa / sb));
    is(WordOp::SignedRem, overflows ? U{0} : static_cast<U>(sa % sb));
  }
}

TEST(Words, AreThoseOfTheMachineAt32Bits) {
  compare_with_machine<std::uint32_t>();
}
TEST(Words, AreThoseOfTheMachineAt64Bits) {
  compare_with_machine<std::uint64_t>();
}

// Bit by bit, the lowest first.
using Naive = std::vector<bool>;

Naive bits_of(const mpz_class& value, unsigned width) {
  Naive out;
  for (unsigned i = 0; i < width; ++i) out.push_back(mpz_tstbit(value.get_mpz_t(), i) != 0);
  return out;
}
mpz_class value_of(const Naive& bits) {
  mpz_class out = 0;
  for (std::size_t i = bits.size(); i-- > 0;) out = out * 2 + (bits[i] ? 1 : 0);
  return out;
}
Naive each(const Naive& a, const Naive& b, const std::function<bool(bool, bool)>& f) {
  Naive out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(f(a[i], b[i]));
  return out;
}
Naive sum(const Naive& a, const Naive& b, bool carry) {
  Naive out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    out.push_back(a[i] ^ b[i] ^ carry);
    carry = (a[i] && b[i]) || (carry && (a[i] || b[i]));
  }
  return out;
}
Naive inverted(Naive a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = !a[i];
  return a;
}
Naive negated(const Naive& a) {
  return sum(inverted(a), Naive(a.size(), false), true);
}
// By one place at a time.
Naive shifted(Naive a, const mpz_class& by, bool left, bool fill) {
  for (mpz_class i = 0; i < by && i < a.size(); ++i) {
    if (left) {
      a.insert(a.begin(), fill);
      a.pop_back();
    } else {
      a.erase(a.begin());
      a.push_back(fill);
    }
  }
  return a;
}
bool less(const Naive& a, const Naive& b) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return b[i];
  return false;
}
Naive product(const Naive& a, const Naive& b) {
  Naive out(a.size(), false);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b[i]) out = sum(out, shifted(a, static_cast<unsigned long>(i), true, false), false);
  return out;
}
// Long division.
std::pair<Naive, Naive> divided(const Naive& a, const Naive& b) {
  Naive quotient(a.size(), false), rest(a.size() + 1, false), by = b;
  by.push_back(false);
  for (std::size_t i = a.size(); i-- > 0;) {
    rest.insert(rest.begin(), a[i]);
    rest.pop_back();
    if (less(rest, by)) continue;
    rest = sum(rest, inverted(by), true);
    quotient[i] = true;
  }
  rest.pop_back();
  return {quotient, rest};
}

void compare_bit_by_bit(unsigned width, std::mt19937_64& random) {
  const auto any = [&] {
    mpz_class out = 0;
    if (random() % 4 == 0) return mpz_class(static_cast<unsigned long>(random() % 5));
    for (unsigned i = 0; i < width; i += 32)
      out = (out << 32) + static_cast<unsigned long>(random() & 0xFFFFFFFFu);
    if (random() % 4 == 0) out = -1;
    return wrapped(out, width);
  };
  const mpz_class x = wrapped(any(), width), y = wrapped(any(), width);
  const Naive a = bits_of(x, width), b = bits_of(y, width);
  const auto found = [&](WordOp op, unsigned to, unsigned low = 0) {
    return operands_of(op) == 1 ? apply_word(op, {{x, width}}, to, low)
                                : apply_word(op, {{x, width}, {y, width}}, to, low);
  };
  const auto is = [&](WordOp op, const Naive& wanted) {
    ASSERT_EQ(found(op, width), value_of(wanted))
        << spelling(op) << " at " << width << " of " << x << " and " << y;
  };
  is(WordOp::Not, inverted(a));
  is(WordOp::Neg, negated(a));
  is(WordOp::And, each(a, b, [](bool p, bool q) { return p && q; }));
  is(WordOp::Or, each(a, b, [](bool p, bool q) { return p || q; }));
  is(WordOp::Xor, each(a, b, [](bool p, bool q) { return p != q; }));
  is(WordOp::ShiftLeft, shifted(a, y, true, false));
  is(WordOp::ShiftRight, shifted(a, y, false, false));
  is(WordOp::ShiftSigned, shifted(a, y, false, a.back()));
  is(WordOp::Add, sum(a, b, false));
  is(WordOp::Sub, sum(a, inverted(b), true));
  is(WordOp::Mul, product(a, b));
  ASSERT_EQ(found(WordOp::Less, 0), less(a, b) ? 1 : 0);
  ASSERT_EQ(found(WordOp::AtMost, 0), less(b, a) ? 0 : 1);
  ASSERT_EQ(found(WordOp::Greater, 0), less(b, a) ? 1 : 0);
  ASSERT_EQ(found(WordOp::AtLeast, 0), less(a, b) ? 0 : 1);
  const bool signs_differ = a.back() != b.back();
  ASSERT_EQ(found(WordOp::SignedLess, 0), (signs_differ ? a.back() : less(a, b)) ? 1 : 0);
  const auto ones = std::count(a.begin(), a.end(), true);
  ASSERT_EQ(found(WordOp::Ones, 0), ones);
  ASSERT_EQ(found(WordOp::Parity, 0), ones % 2);
  Naive joined = b;
  joined.insert(joined.end(), a.begin(), a.end());
  ASSERT_EQ(found(WordOp::Join, 2 * width), value_of(joined));
  const unsigned low = random() % width, size = 1 + random() % (width - low);
  ASSERT_EQ(found(WordOp::Part, size, low),
            value_of(Naive(a.begin() + low, a.begin() + low + size)));
  Naive wide = a;
  wide.insert(wide.end(), 5, a.back());
  ASSERT_EQ(found(WordOp::SignExtend, width + 5), value_of(wide));
  ASSERT_EQ(found(WordOp::ZeroExtend, width + 5), x);
  ASSERT_EQ(found(WordOp::ToNatural, 0), x);
  ASSERT_EQ(found(WordOp::ToInt, 0), a.back() ? -value_of(negated(a)) : x);
  const mpz_class at = static_cast<long>(random() % (2 * width)) - 3;
  const bool inside = at >= 0 && at < width;
  ASSERT_EQ(apply_word(WordOp::Bit, {{x, width}, {at, 0}}, 0, 0), inside && a[at.get_ui()] ? 1 : 0);
  for (const bool value : {false, true}) {
    Naive changed = a;
    if (inside) changed[at.get_ui()] = value;
    ASSERT_EQ(apply_word(WordOp::WithBit, {{x, width}, {at, 0}, {value ? 1 : 0, 0}}, width, 0),
              value_of(changed));
  }
  if (y == 0) return;
  const auto [quotient, rest] = divided(a, b);
  is(WordOp::Div, quotient);
  is(WordOp::Mod, rest);
  const Naive size_a = a.back() ? negated(a) : a, size_b = b.back() ? negated(b) : b;
  const auto [of_sizes, left] = divided(size_a, size_b);
  is(WordOp::SignedDiv, signs_differ ? negated(of_sizes) : of_sizes);
  is(WordOp::SignedRem, a.back() ? negated(left) : left);
}

TEST(Words, AreBitsAtOddWidths) {
  std::mt19937_64 random(20261120);
  for (unsigned width : {1u, 2u, 3u, 7u, 13u, 31u, 33u, 63u, 65u, 72u, 129u, 1024u}) {
    const int most = width > 100 ? 2 : rounds() / 100;
    for (int i = 0; i < most && !testing::Test::HasFatalFailure(); ++i)
      compare_bit_by_bit(width, random);
  }
}

TEST(Words, OfIntegersAreModulo) {
  EXPECT_EQ(apply_word(WordOp::OfInt, {{300, 0}}, 8, 0), 44);
  EXPECT_EQ(apply_word(WordOp::OfInt, {{-1, 0}}, 8, 0), 255);
  EXPECT_EQ(apply_word(WordOp::OfInt, {{-257, 0}}, 8, 0), 255);
}

TEST(Words, TheLeastOneByMinusOneIsItself) {
  for (unsigned width : {1u, 8u, 32u, 65u}) {
    const mpz_class least = mpz_class(1) << (width - 1), minus = (mpz_class(1) << width) - 1;
    EXPECT_EQ(apply_word(WordOp::SignedDiv, {{least, width}, {minus, width}}, width, 0), least);
    EXPECT_EQ(apply_word(WordOp::SignedRem, {{least, width}, {minus, width}}, width, 0), 0);
  }
}

}  // namespace

}  // namespace leto::interp

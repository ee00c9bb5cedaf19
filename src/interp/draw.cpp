#include "interp/draw.h"

#include "interp/word.h"

namespace leto::interp {

Number InputChooser::value(const Domain& domain, core::VarId) {
  Domain d = domain;
  d.usual = small(domain.type);
  // A little beyond a bound is as good a guess as any.
  if (d.low && !d.contains(d.usual))
    d.usual = (d.type.base == core::Base::Real ? d.low->value : d.low->value.ceiling()) +
              (d.type.base == core::Base::Real ? small({domain.type.base, true, 0})
                                               : small({core::Base::Int, true, 0}));
  return d.contains(d.usual) ? d.usual : nearest(d);
}

Number InputChooser::small(const core::Type& type) {
  if (type.base == core::Base::Bool) return roll(2);
  if (type.base == core::Base::Word) {
    const auto random = [&] {
      const auto half = [&] { return static_cast<std::uint64_t>(roll(1 << 16)); };
      const std::uint64_t high = half() << 16;
      return high + half();
    };
    const Number usual = roll(3) == 0 ? greatest_word(type.width)
                         : roll(2) == 0
                             ? Number(roll(2))
                             : Number(mpq_class(wrapped(mpz_class(roll(most_ + 1)), type.width)));
    return roll(2) == 0 && Domain{type, {}, {}, 0}.contains(usual)
               ? usual
               : draw_word(Number(0), type.width, random);
  }
  const std::int64_t n =
      roll(4) == 0 ? roll(2) : roll(most_ + 1) * (type.base == core::Base::Real ? scale : 1);
  const std::int64_t with_sign =
      type.natural || roll(type.base == core::Base::Real ? 2 : 5) != 0 ? n : -n;
  if (type.base == core::Base::Real && roll(3) == 0)
    return quotient(with_sign, roll(2) == 0 ? 1 + roll(4) : 1 + roll(16));
  return with_sign;
}

Number InputChooser::within(const Domain& domain) {
  for (int tries = 0; tries < 2; ++tries) {
    Number n = small(domain.type);
    if (domain.contains(n)) return n;
  }
  if (domain.low && domain.high) {
    const Number width = domain.high->value - domain.low->value;
    Number n = domain.low->value + width * quotient(roll(17), 16);
    if (domain.type.base != core::Base::Real) n = n.floor();
    if (domain.contains(n)) return n;
  } else if (domain.high) {
    Number n = domain.high->value - small({domain.type.base, true, 0, domain.type.width});
    if (domain.type.base != core::Base::Real) n = n.floor();
    if (domain.contains(n)) return n;
  }
  return value(domain, {});
}

}  // namespace leto::interp

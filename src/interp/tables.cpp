#include "interp/tables.h"

#include "interp/choose.h"
#include "interp/word.h"

namespace leto::interp {

const Number* Tables::find(core::DefinitionId function, const std::vector<Number>& args) const {
  const auto it = index_.find({function, args});
  return it == index_.end() ? nullptr : &points_[it->second].value;
}

void Tables::set(core::DefinitionId function, const std::vector<Number>& args, Number value) {
  const auto [it, is_new] = index_.try_emplace({function, args}, points_.size());
  if (is_new)
    points_.push_back({function, args, std::move(value)});
  else
    points_[it->second].value = std::move(value);
}

namespace {

// Close to zero or to an argument.
Number draw_number(const core::Type& type, const std::vector<Number>& args, std::uint64_t random) {
  Number near = 0;
  const std::uint64_t which = random % (2 * args.size() + 1);
  if (which < args.size()) near = args[which];
  Number n = near + Number(static_cast<std::int64_t>((random >> 8) % 9) - 4);
  if (type.base == core::Base::Real && (random >> 16) % 4 == 0)
    n = quotient(n, Number(static_cast<std::int64_t>(2 << ((random >> 20) % 3))));
  if (type.base != core::Base::Real) n = n.floor();
  if (type.base == core::Base::Word) return Number(mpq_class(wrapped(n.whole(), type.width)));
  return type.natural && n.sign() < 0 ? -n : n;
}

}  // namespace

Number Tables::draw(core::DefinitionId function, const core::Type& type,
                    const std::vector<Number>& args, unsigned attempt) const {
  const bool is_bool = type.base == core::Base::Bool;
  if (!seed && attempt == 0) {
    if (is_bool) return usual.truth() ? 1 : 0;
    if (type.base == core::Base::Word)
      return Number(mpq_class(wrapped(usual.floor().whole(), type.width)));
    return type.natural && usual.sign() < 0 ? -usual : usual;
  }
  std::uint64_t random = mix(seed.value_or(0), function.value);
  for (const Number& n : args)
    for (const char c : n.text() + ",") random = mix(random, static_cast<unsigned char>(c));
  if (is_bool) {
    // In some worlds it is seldom true, in some nearly always.
    constexpr std::uint64_t kShares[] = {4, 4, 1, 7};
    const bool first =
        seed ? random % 8 < kShares[mix(*seed, 77) % std::size(kShares)] : usual.truth();
    return first == (attempt % 2 == 0) ? 1 : 0;
  }
  return draw_number(type, args, mix(random, attempt));
}

}  // namespace leto::interp

// Draws small numbers for inputs; for what has bounds, within them.
#pragma once

#include "interp/choose.h"

namespace leto::interp {

class InputChooser final : public Chooser {
 public:
  InputChooser(std::uint64_t seed, int most) : random_(seed), most_(most) {}
  std::size_t specification(const SitePoint&) override { return 0; }
  std::size_t alternative(std::size_t count) override { return random_() % count; }
  Number value(const Domain& domain, core::VarId) override;
  Number small(const core::Type& type);
  std::int64_t roll(int n) {
    return static_cast<std::int64_t>(random_() % static_cast<unsigned>(n));
  }
  // Any of the domain, not only what is close to a bound.
  Number within(const Domain& domain);

  std::int64_t scale = 1;  // of reals

 private:
  Random random_;
  int most_;
};

}  // namespace leto::interp

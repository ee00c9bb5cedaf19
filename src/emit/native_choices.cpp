// The C++ by which native campaigns decide what the model leaves open: the same numbers from the
// same seed, in the same order, as the interpreter's.
#include "emit/native_runtime.h"

namespace leto::emit {

namespace {

constexpr std::string_view kNativeChoices =
    R"text(// Random numbers ------------------------------------------------------------------------------------

inline std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15u * (index + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Those of std::mt19937_64, for several runs at once: a seed is a long chain of products, each of
// which waits for the one before, and the chains of several runs do not wait for each other.
class streams {
 public:
  static constexpr unsigned lanes = 32;
  void seed(const std::uint64_t (&seeds)[lanes]) {
    for (unsigned l = 0; l < lanes; ++l) state_[l] = seeds[l];
    for (unsigned i = 1; i < early; ++i)
      for (unsigned l = 0; l < lanes; ++l) {
        const std::uint64_t x = state_[(i - 1) * lanes + l];
        state_[i * lanes + l] = 6364136223846793005u * (x ^ (x >> 62)) + i;
      }
    for (unsigned l = 0; l < lanes; ++l) seeded_[l] = early;
  }

 private:
  friend class stream;
  static constexpr unsigned size = 312, far = 156, early = 184;
  std::uint64_t state_[size * lanes];
  unsigned seeded_[lanes];
};

// One of them. What nobody looks at is not made, until what comes after it is asked for.
class stream {
 public:
  stream() = default;
  stream(streams& all, unsigned lane) : all_(&all), lane_(lane) {}
  void skip(unsigned n) { next_ += n; }
  std::uint64_t operator()() {
    const std::uint64_t k = next_++;
    if (k < streams::far) {
      const auto i = static_cast<unsigned>(k);
      seed_up_to(i + streams::far);
      return tempered(twisted(at(i), at(i + 1), at(i + streams::far)));
    }
    seed_up_to(streams::size - 1);
    while (made_ < k) (void)make();
    return tempered(make());
  }
  // As std::uniform_real_distribution<double>(0, 1).
  double uniform() {
    const double x = static_cast<double>((*this)()) * 0x1p-64;
    return x >= 1 ? 0x1.fffffffffffffp-1 : x;
  }

 private:
  std::uint64_t& at(unsigned i) { return all_->state_[i * streams::lanes + lane_]; }
  void seed_up_to(unsigned last) {
    for (unsigned& i = all_->seeded_[lane_]; i <= last; ++i)
      at(i) = 6364136223846793005u * (at(i - 1) ^ (at(i - 1) >> 62)) + i;
  }
  static std::uint64_t twisted(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const std::uint64_t y = (a & ~std::uint64_t{0x7fffffff}) | (b & 0x7fffffff);
    return c ^ (y >> 1) ^ ((y & 1) != 0 ? 0xb5026f5aa96619e9u : 0);
  }
  std::uint64_t make() {
    const unsigned i = place_, after = i + 1 == streams::size ? 0 : i + 1;
    const unsigned c = i < streams::far ? i + streams::far : i - streams::far;
    place_ = after;
    ++made_;
    return at(i) = twisted(at(i), at(after), at(c));
  }
  static std::uint64_t tempered(std::uint64_t z) {
    z ^= (z >> 29) & 0x5555555555555555u;
    z ^= (z << 17) & 0x71d67fffeda60000u;
    z ^= (z << 37) & 0xfff7eee000000000u;
    return z ^ (z >> 43);
  }
  streams* all_ = nullptr;
  unsigned lane_ = 0, place_ = 0;
  std::uint64_t next_ = 0, made_ = 0;
};

// What one unknown may be ----------------------------------------------------------------------------

enum class op : unsigned char { eq, lt, le, gt, ge };
inline op turned(op o) {
  return o == op::lt ? op::gt : o == op::gt ? op::lt : o == op::le ? op::ge : o == op::ge ? op::le : op::eq;
}

template <class T>
struct domain;

// Bounds are included.
template <>
struct domain<integer> {
  std::optional<integer> low, high;
  integer usual;
  std::optional<integer> exactly;
  int by = -1;  // which part says so
  void narrow(op o, integer x) {
    if (o == op::lt) x = x - integer{1};
    if (o == op::gt) x = x + integer{1};
    if (o == op::lt || o == op::le) {
      if (!high || x < *high) high = x;
    } else if (!low || *low < x) {
      low = x;
    }
  }
  bool contains(integer x) const { return (!low || *low <= x) && (!high || x <= *high); }
  bool can_be(integer x) const { return contains(x); }
  // Nothing is left to choose.
  bool is_one() const { return low && high && *high <= *low; }
  integer nearest() const {
    if (contains(usual)) return usual;
    if (low && usual < *low) return *low;
    if (high) return *high;
    return low.value_or(integer{0});
  }
};

template <>
struct domain<real> {
  struct bound {
    real value;
    bool strict;
  };
  std::optional<bound> low, high;
  real usual;
  std::optional<real> exactly;
  int by = -1;
  void narrow(op o, const real& x) {
    const bool strict = o == op::lt || o == op::gt;
    if (o == op::lt || o == op::le) {
      const int c = high ? order(x, high->value) : -1;
      if (c < 0 || (c == 0 && strict)) high = {x, strict};
    } else {
      const int c = low ? order(low->value, x) : -1;
      if (c < 0 || (c == 0 && strict)) low = {x, strict};
    }
  }
  bool contains(const real& x) const {
    if (low && (x < low->value || (low->strict && x == low->value))) return false;
    return !(high && (high->value < x || (high->strict && x == high->value)));
  }
  bool is_one() const { return false; }
  // What was drawn lies between the bounds, if there is anything between them.
  bool can_be(const real&) const {
    if (!low || !high) return true;
    const int c = order(low->value, high->value);
    return c < 0 || (c == 0 && !low->strict && !high->strict);
  }
  real nearest() const {
    if (contains(usual)) return usual;
    if (low && high) return quotient(low->value + high->value, number(2, 1));
    if (low) return low->strict ? low->value + number(1, 1) : low->value;
    if (high) return high->strict ? high->value - number(1, 1) : high->value;
    return usual;
  }
};

// Who decides -----------------------------------------------------------------------------------------

class chooser {
 public:
  // No faults where they can be avoided.
  void take_none() { *this = {}; }
  // The first at that site or after it, others with that chance; or all by rates.
  void take_some(stream random, std::uint64_t first, double later, const std::vector<double>* rates) {
    *this = {};
    exact_ = false;
    random_ = random;
    first_ = first;
    later_ = later;
    calm_ = first;
    if (rates != nullptr && !rates->empty()) {
      rates_ = rates;
      calm_ = 0;
    }
  }

  // Until the next fault is wanted nothing is drawn that anybody looks at.
  bool is_calm(std::uint64_t site) const { return site < calm_; }
  // A fault may be wanted, by chance: two draws, the second of which says which specification.
  bool is_by_chance() const { return struck_ && later_ > 0 && rates_ == nullptr; }
  void skip(unsigned n) { random_.skip(n); }
  // Whether a fault is wanted here; it may take a draw.
  void ask(std::uint64_t site) {
    if (exact_ || rates_ != nullptr) return;
    wanted_ = site >= first_ && (!struck_ || (later_ > 0 && random_.uniform() < later_));
  }
  bool is_quiet() const { return exact_ || (rates_ == nullptr && !wanted_); }

  unsigned specification(const std::uint32_t* ids, const bool* exact, unsigned count) {
    unsigned exact_ones = 0;
    for (unsigned i = 0; i < count; ++i) exact_ones += exact[i] ? 1 : 0;
    if (exact_) {
      for (unsigned i = 0; i < count; ++i)
        if (exact[i]) return i;
      return 0;
    }
    if (rates_ != nullptr) return by_rate(ids, exact, count);
    const unsigned other = count - exact_ones;
    const bool from_other = (wanted_ && other > 0) || exact_ones == 0;
    if (wanted_ && other > 0) strike();
    const unsigned among = from_other ? other : exact_ones;
    const std::uint64_t drawn = random_();
    std::uint64_t left = among == 1 ? 0 : drawn % among;
    for (unsigned i = 0; i < count; ++i)
      if (exact[i] != from_other && left-- == 0) return i;
    std::abort();
  }
  unsigned alternative(unsigned count) { return exact_ ? 0 : static_cast<unsigned>(random_() % count); }
  int attempts() const { return exact_ ? 1 : 20; }

  integer value(const domain<integer>& d) {
    if (exact_ || !wanted_) return d.nearest();
    strike();
    if (d.low && d.high) {
      const __int128 width = static_cast<__int128>(d.high->n) - d.low->n;
      if (width < 0) return *d.low;
      if (width < (std::int64_t{1} << 40)) return *d.low + integer{roll(static_cast<std::uint64_t>(width) + 1)};
    }
    const bool usual = d.contains(d.usual);
    const integer from = d.low && !usual ? *d.low : d.high && !usual ? *d.high : d.usual;
    const integer size{roll(4) == 0 ? roll(1'000'000) : roll(4) == 0 ? roll(64) : roll(4)};
    const bool above = d.low && !d.high   ? (from == *d.low || roll(2) == 0)
                       : !d.low && d.high ? false
                                          : roll(2) == 0;
    const integer there = above ? from + size : from - size;
    return d.contains(there) ? there : d.nearest();
  }

  real value(const domain<real>& d) {
    if (exact_ || !wanted_) return d.nearest();
    strike();
    if (d.low && d.high) {
      const std::int64_t grid = roll(3) == 0 ? 1'000'000 : 16;
      std::int64_t at = roll(4) == 0 ? 1 : roll(3) == 0 ? grid - 1 : roll(static_cast<std::uint64_t>(grid) + 1);
      if (at == 0 && d.low->strict) at = 1;
      if (at == grid && d.high->strict) at = grid - 1;
      if (at == grid) return d.high->value;
      return d.low->value + (d.high->value - d.low->value) * number(at, grid);
    }
    const std::int64_t size = roll(4) == 0 ? roll(1'000'000) : roll(16);
    const real off = number(size, roll(2) == 0 ? 1 : 1 + roll(8));
    if (d.low) {
      const real more = d.low->strict ? number(1, 1 + roll(1000)) : real{};
      const real from = d.contains(d.usual) && roll(2) == 0 ? d.usual : d.low->value;
      return from + off + more;
    }
    if (d.high) {
      const real more = d.high->strict ? number(1, 1 + roll(1000)) : real{};
      const real from = d.contains(d.usual) && roll(2) == 0 ? d.usual : d.high->value;
      return from - off - more;
    }
    return roll(8) == 0 ? real{} : roll(2) == 0 ? d.usual + off : d.usual - off;
  }

 private:
  void strike() {
    struck_ = true;
    if (later_ == 0 && rates_ == nullptr) calm_ = UINT64_MAX;
  }
  std::int64_t roll(std::uint64_t n) { return static_cast<std::int64_t>(random_() % n); }
  unsigned by_rate(const std::uint32_t* ids, const bool* exact, unsigned count) {
    double left = random_.uniform();
    unsigned rest = count;
    for (unsigned i = 0; i < count; ++i) {
      const double rate = (*rates_)[ids[i]];
      if (rate < 0) {
        if (rest == count || (exact[i] && !exact[rest])) rest = i;
        continue;
      }
      if (left < rate) {
        wanted_ = true;
        return i;
      }
      left -= rate;
    }
    wanted_ = false;
    return rest < count ? rest : 0;
  }

  bool exact_ = true, wanted_ = false, struck_ = false;
  std::uint64_t first_ = 0, calm_ = UINT64_MAX;
  double later_ = 0;
  const std::vector<double>* rates_ = nullptr;
  stream random_ = {};
};

)text";

}  // namespace

std::string native_choices() {
  return std::string(kNativeChoices);
}

}  // namespace leto::emit

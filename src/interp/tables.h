// What the function constants of a model are, as far as somebody asked: one table for a pair of
// runs, so that both find the same, whenever they ask.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/core.h"
#include "interp/number.h"

namespace leto::interp {

class Tables {
 public:
  struct Point {
    core::DefinitionId function;
    std::vector<Number> args;
    Number value;
  };

  // What was not asked before is drawn by the seed; without one it is the usual value.
  std::optional<std::uint64_t> seed = {};
  Number usual = 0;
  // Nothing new may be asked: who does finds no value.
  bool closed = false;

  [[nodiscard]] const Number* find(core::DefinitionId function,
                                   const std::vector<Number>& args) const;
  void set(core::DefinitionId function, const std::vector<Number>& args, Number value);
  // In the order in which they were asked.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  // One of several values that may be tried for what nobody has asked yet. It depends on the seed,
  // the function and the arguments alone.
  [[nodiscard]] Number draw(core::DefinitionId function, const core::Type& type,
                            const std::vector<Number>& args, unsigned attempt) const;

 private:
  std::vector<Point> points_;
  std::map<std::pair<core::DefinitionId, std::vector<Number>>, std::size_t> index_;
};

}  // namespace leto::interp

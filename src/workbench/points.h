// Small values for the parameters of a function, in an order that is always the same: all of them
// where there are few, else some that are drawn.
#pragma once

#include <optional>
#include <vector>

#include "interp/interp.h"
#include "interp/random.h"

namespace leto::workbench {

using Point = std::vector<interp::Value>;  // by parameter

// A number in a point: a scalar, or an element of a vector.
struct Cell {
  std::size_t param = 0;
  std::optional<std::size_t> element;
  std::vector<interp::Number> values;  // that it takes
};

// Parameters from `from` to before `to`.
struct Stretch {
  std::size_t from = 0, to = 0;
};

class PointMaker {
 public:
  PointMaker(const interp::Machine& machine, core::FunctionId function);

  [[nodiscard]] std::size_t count() const { return params_.size(); }
  [[nodiscard]] core::VarId param(std::size_t i) const { return params_[i]; }
  [[nodiscard]] const core::Type& type(std::size_t i) const;
  // Scalars that sizes are computed from.
  [[nodiscard]] std::vector<std::size_t> sizing(Stretch part) const;
  // Gives these scalars values, and vectors the sizes that these say; the rest is zero. False: a
  // size is negative, or more than `most`.
  [[nodiscard]] bool lay_out(Point& point, Stretch part, const std::vector<std::int64_t>& shape,
                             std::int64_t most) const;
  // The same for the sizes that its scalars say now: elements stay as far as there are any.
  [[nodiscard]] bool resize(Point& point, Stretch part, std::int64_t most) const;
  // All numbers but those that sizes are computed from.
  [[nodiscard]] std::vector<Cell> cells(const Point& point, Stretch part, std::int64_t reach) const;
  // The values of one type: from 0 away, up to `reach`.
  [[nodiscard]] static std::vector<interp::Number> values(const core::Type& type,
                                                          std::int64_t reach);

 private:
  [[nodiscard]] std::optional<std::vector<std::int64_t>> sizes_of(const Point& point, std::size_t i,
                                                                  std::int64_t most) const;

  const interp::Machine& machine_;
  const core::Function& function_;
  std::vector<core::VarId> params_;
  std::vector<bool> is_sizing_;
};

// All ways to choose so many numbers up to `most`, those with a small sum first; at most `limit`.
[[nodiscard]] std::vector<std::vector<std::int64_t>> shapes(std::size_t count, std::int64_t most,
                                                            std::size_t limit);

[[nodiscard]] const interp::Number& number_at(const Point& point, const Cell& cell);
void set_number(Point& point, const Cell& cell, const interp::Number& value);

// Fills cells with all their values, or, if that are more than `most`, with that many that are
// drawn.
class Filling {
 public:
  Filling(std::vector<Cell> cells, std::uint64_t most, std::uint64_t seed);
  // False: that was all.
  [[nodiscard]] bool next(Point& point);
  [[nodiscard]] bool is_all() const { return all_; }
  // How many ways there are; at most a large number.
  [[nodiscard]] static std::uint64_t ways(const std::vector<Cell>& cells);

 private:
  std::vector<Cell> cells_;
  std::vector<std::size_t> at_;
  std::uint64_t left_;
  bool all_;
  interp::Random random_;
};

}  // namespace leto::workbench

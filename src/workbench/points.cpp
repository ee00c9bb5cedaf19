#include "workbench/points.h"

#include <algorithm>

namespace leto::workbench {

namespace {

constexpr std::uint64_t kVeryMany = std::uint64_t{1} << 40;

// Calls it for all lists of numbers up to `most` with this sum, until it says no more.
bool for_each_with_sum(std::vector<std::int64_t>& list, std::size_t at, std::int64_t sum,
                       std::int64_t most, const std::function<bool()>& more) {
  if (at + 1 == list.size()) {
    if (sum > most) return true;
    list[at] = sum;
    return more();
  }
  for (std::int64_t n = std::min(sum, most); n >= 0; --n) {
    list[at] = n;
    if (!for_each_with_sum(list, at + 1, sum - n, most, more)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::vector<std::int64_t>> shapes(std::size_t count, std::int64_t most,
                                              std::size_t limit) {
  std::vector<std::vector<std::int64_t>> all;
  std::vector<std::int64_t> list(count, 0);
  if (count == 0) return {list};
  for (std::int64_t sum = 0; sum <= most * static_cast<std::int64_t>(count); ++sum)
    if (!for_each_with_sum(list, 0, sum, most, [&] {
          all.push_back(list);
          return all.size() < limit;
        }))
      break;
  return all;
}

PointMaker::PointMaker(const interp::Machine& machine, core::FunctionId function)
    : machine_(machine),
      function_(machine.program().functions[function]),
      params_(function_.params),
      is_sizing_(params_.size(), false) {
  for (const core::ParamSize& size : function_.sizes)
    core::for_each_read(machine.program(), size.size, [&](core::VarId var, core::Side) {
      for (std::size_t i = 0; i < params_.size(); ++i)
        if (params_[i] == var) is_sizing_[i] = true;
    });
}

const core::Type& PointMaker::type(std::size_t i) const {
  return machine_.program().vars[params_[i]].type;
}

std::vector<std::size_t> PointMaker::sizing(Stretch part) const {
  std::vector<std::size_t> found;
  for (std::size_t i = part.from; i < part.to; ++i)
    if (is_sizing_[i] && type(i).rank == 0) found.push_back(i);
  return found;
}

std::optional<std::vector<std::int64_t>> PointMaker::sizes_of(const Point& point, std::size_t i,
                                                              std::int64_t most) const {
  interp::Inputs now = interp::empty_inputs(machine_);
  for (std::size_t p = 0; p < point.size(); ++p) now.values.relaxed[params_[p].value] = point[p];
  interp::Scope scope{now.values, core::Side::Relaxed};
  std::vector<std::int64_t> sizes(type(i).rank, 0);
  try {
    for (const core::ParamSize& size : function_.sizes) {
      if (size.param != params_[i]) continue;
      const auto n = machine_.evaluator().number(size.size, scope).small();
      if (!n || *n < 0 || *n > most) return std::nullopt;
      sizes[size.dimension] = *n;
    }
  } catch (const interp::Undecidable&) {
    return std::nullopt;
  }
  return sizes;
}

bool PointMaker::lay_out(Point& point, Stretch part, const std::vector<std::int64_t>& shape,
                         std::int64_t most) const {
  point.resize(part.to);
  std::size_t next = 0;
  for (std::size_t i = part.from; i < part.to; ++i) {
    point[i] = {};
    if (type(i).rank == 0 && is_sizing_[i]) point[i].scalar = shape[next++];
    if (type(i).rank > 0) point[i] = interp::zeros(std::vector<std::int64_t>(type(i).rank, 0));
  }
  return resize(point, part, most);
}

bool PointMaker::resize(Point& point, Stretch part, std::int64_t most) const {
  for (std::size_t i = part.from; i < part.to; ++i) {
    if (type(i).rank == 0) continue;
    const auto sizes = sizes_of(point, i, most);
    if (!sizes) return false;
    const std::shared_ptr<interp::Array> old = point[i].array;
    if (old && old->sizes == *sizes) continue;
    point[i] = interp::zeros(*sizes);
    if (!old) continue;
    std::vector<interp::Number>& now = point[i].array->elements;
    std::copy_n(old->elements.begin(), std::min(old->elements.size(), now.size()), now.begin());
  }
  return true;
}

std::vector<interp::Number> PointMaker::values(const core::Type& type, std::int64_t reach) {
  if (type.base == core::Base::Bool) return {0, 1};
  std::vector<interp::Number> out{0};
  for (std::int64_t n = 1; n <= reach; ++n) {
    out.emplace_back(n);
    if (!type.natural) out.emplace_back(-n);
  }
  if (type.base == core::Base::Real) out.push_back(*interp::Number::parse("1/2"));
  return out;
}

std::vector<Cell> PointMaker::cells(const Point& point, Stretch part, std::int64_t reach) const {
  std::vector<Cell> found;
  for (std::size_t i = part.from; i < part.to; ++i) {
    const std::vector<interp::Number> all = values(type(i).element(), reach);
    if (type(i).rank == 0 && !is_sizing_[i]) found.push_back({i, std::nullopt, all});
    if (type(i).rank == 0) continue;
    for (std::size_t e = 0; e < point[i].array->elements.size(); ++e) found.push_back({i, e, all});
  }
  return found;
}

const interp::Number& number_at(const Point& point, const Cell& cell) {
  const interp::Value& value = point[cell.param];
  return cell.element ? value.array->elements[*cell.element] : value.scalar;
}

void set_number(Point& point, const Cell& cell, const interp::Number& number) {
  interp::Value& value = point[cell.param];
  if (!cell.element) {
    value.scalar = number;
    return;
  }
  if (value.array.use_count() > 1) value.array = std::make_shared<interp::Array>(*value.array);
  value.array->elements[*cell.element] = number;
}

Filling::Filling(std::vector<Cell> cells, std::uint64_t most, std::uint64_t seed)
    : cells_(std::move(cells)), at_(cells_.size(), 0), random_(seed) {
  const std::uint64_t all = ways(cells_);
  all_ = all <= most;
  left_ = std::min(all, most);
}

std::uint64_t Filling::ways(const std::vector<Cell>& cells) {
  std::uint64_t all = 1;
  for (const Cell& cell : cells) all = std::min(kVeryMany, all * cell.values.size());
  return all;
}

bool Filling::next(Point& point) {
  if (left_ == 0) return false;
  --left_;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::size_t which = all_ ? at_[i] : random_() % cells_[i].values.size();
    set_number(point, cells_[i], cells_[i].values[which]);
  }
  for (std::size_t i = cells_.size(); all_ && i-- > 0;) {
    if (++at_[i] < cells_[i].values.size()) break;
    at_[i] = 0;
  }
  return true;
}

}  // namespace leto::workbench

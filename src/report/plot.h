// Bar charts with intervals, as SVG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace leto::report {

struct Bar {
  std::string label;
  std::uint64_t count = 0, of = 0;
  double low = 0, high = 0;  // the interval of the share
};
[[nodiscard]] std::string bar_chart(const std::string& title, const std::vector<Bar>& bars);

}  // namespace leto::report

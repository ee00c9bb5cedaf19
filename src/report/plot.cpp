#include "report/plot.h"

#include <fmt/core.h>

#include "report/escape.h"
#include "report/screen.h"

namespace leto::report {

namespace {

// Good outcomes in blues, bad ones in warm colours; told apart by people who see few colours.
const char* colour(const std::string& label) {
  if (label == "masked") return "#4477aa";
  if (label == "acceptable") return "#66ccee";
  if (label == "sdc") return "#aa3377";
  if (label == "detected") return "#ccbb44";
  if (label == "failed") return "#ee6677";
  return "#888888";
}

// A chart goes to a file as it is, so what would be no XML must not be in it.
std::string escaped(const std::string& text) {
  return xml_text(visible(text));
}

constexpr int kLeft = 110, kLength = 420, kRow = 34, kTop = 50, kRight = 150;

std::string row_of(const Bar& bar, int y) {
  const double share =
      bar.of == 0 ? 0 : static_cast<double>(bar.count) / static_cast<double>(bar.of);
  const double x = kLeft + kLength * share;
  const double middle = y + kRow / 2.0 - 3;
  std::string out = fmt::format(
      "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n"
      "<rect x=\"{}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>\n",
      kLeft - 8, middle + 5, escaped(bar.label), kLeft, y, kLength * share, kRow - 8,
      colour(bar.label));
  const double low = kLeft + kLength * bar.low, high = kLeft + kLength * bar.high;
  out += fmt::format(
      "<path d=\"M{0:.2f} {2:.1f}H{1:.2f}M{0:.2f} {3:.1f}V{4:.1f}M{1:.2f} {3:.1f}V{4:.1f}\" "
      "stroke=\"black\" fill=\"none\"/>\n",
      low, high, middle, middle - 5, middle + 5);
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{} ({:.2f} %)</text>\n",
                     std::max(x, high) + 8, middle + 5, bar.count, 100 * share);
  return out;
}

}  // namespace

std::string bar_chart(const std::string& title, const std::vector<Bar>& bars) {
  const int height = kTop + static_cast<int>(bars.size()) * kRow + 50;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"26\" font-size=\"15\">{3}</text>\n",
      kLeft + kLength + kRight, height, 12, escaped(title));
  const int bottom = kTop + static_cast<int>(bars.size()) * kRow;
  for (int tick = 0; tick <= 100; tick += 25) {
    const int x = kLeft + kLength * tick / 100;
    out += fmt::format(
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"#dddddd\"/>\n"
        "<text x=\"{0}\" y=\"{3}\" text-anchor=\"middle\" fill=\"#444444\">{4} %</text>\n",
        x, kTop - 6, bottom, bottom + 18, tick);
  }
  int y = kTop;
  for (const Bar& bar : bars) {
    out += row_of(bar, y);
    y += kRow;
  }
  out += fmt::format(
      "<text x=\"{}\" y=\"{}\" fill=\"#444444\" text-anchor=\"middle\">share of runs; bars with "
      "Wilson intervals at 95 %</text>\n</svg>\n",
      kLeft + kLength / 2, bottom + 38);
  return out;
}

}  // namespace leto::report

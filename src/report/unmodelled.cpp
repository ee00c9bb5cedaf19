#include <fmt/core.h>

#include "report/report.h"

namespace leto::report {

std::string warning_if_unmodelled(const check::Checked& checked, const SourceStore& sources) {
  if (!checked.unmodelled) return "";
  return fmt::format(
      "leto: warning: {}: no model is picked, so this is exact and nothing can go wrong; "
      "pick one with '--model NAME', or write 'use model NAME;'\n",
      place(sources, *checked.unmodelled));
}

}  // namespace leto::report

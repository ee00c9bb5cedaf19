// The front door of `report`: what was found, as text. Data in, text out; what is printed where is
// for others to say. One header for each kind of result:
//   render.h               diagnostics: text, JSON, SARIF
//   claims.h               verifications: text, JSON, SARIF, JUnit
//   render_explanation.h   why a claim is not proved
//   reliability_report.h   bounds: text, JSON
//   footing.h              what a verdict rests on
//   plot.h                 bar charts: SVG
//   pages.h                the long texts behind the codes of diagnostics
//   artifact.h, escape.h, screen.h, machine_text.h
//                          strings from outside, for where they go
#pragma once

#include <string>

#include "check/check.h"
#include "report/escape.h"
#include "report/place.h"
#include "report/render.h"

namespace leto::report {

// A warning if something would be relaxed in the program and no model is picked that relaxes it;
// else empty.
[[nodiscard]] std::string warning_if_unmodelled(const check::Checked& checked,
                                                const SourceStore& sources);

}  // namespace leto::report

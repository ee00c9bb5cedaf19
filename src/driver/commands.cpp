#include "driver/commands.h"

#include <cstdlib>
#include <ostream>

#include "report/render.h"
#include "workspace/places.h"

namespace leto::driver {

workspace::Places all_places(const workspace::Places& given, const Streams& streams) {
  return workspace::all_places(given, workspace::library_of(streams.executable_dir));
}

bool use_colour(Colour choice, bool is_terminal) {
  if (choice != Colour::Auto) return choice == Colour::Always;
  const char* no_colour = std::getenv("NO_COLOR");
  return is_terminal && (no_colour == nullptr || *no_colour == '\0');
}

void show_diagnostics(DiagnosticList& diagnostics, const SourceStore& sources, Colour colour,
                      Streams& streams) {
  diagnostics.sort_and_unique();
  streams.err << report::render_text(diagnostics, sources,
                                     {use_colour(colour, streams.err_is_terminal), 100});
}

}  // namespace leto::driver

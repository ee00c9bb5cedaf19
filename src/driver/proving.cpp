#include "driver/proving.h"

#include <fmt/core.h>

#include <ostream>

namespace leto::driver {

Proving::Proving(const VerifyOptions& options, const Watchdog& watchdog_, Streams& streams)
    : workbench::Proving(options, watchdog_.allowance(),
                         watchdog_.at_most(options.question_seconds)),
      watchdog(watchdog_) {
  if (!cache_problem.empty())
    streams.err << fmt::format("leto: warning: the cache is not used: {}\n", cache_problem);
}

bool Proving::no_solver(Streams& streams) const {
  for (const std::string& name : missing)
    streams.err << fmt::format(
        "leto: error: the solver '{0}' is not in the PATH, and nothing is proved without it: "
        "install it (apt-get install {0}), or choose another one with --solver\n",
        name);
  return !missing.empty();
}

bool has_one_model(const VerifyOptions& options, Streams& streams) {
  if (options.models.size() <= 1) return true;
  streams.err << "leto: error: this command takes one model; run it once for each\n";
  return false;
}

void Proving::tell_of_ends(Streams& streams) const {
  if (const std::string why = watchdog.why(); !why.empty())
    streams.err << fmt::format("leto: {}\n", why);
  if (const std::string problem = cache ? cache->problem() : ""; !problem.empty())
    streams.err << fmt::format("leto: warning: the cache is not used any more: {}: {}\n",
                               cache->directory(), problem);
}

bool Proving::dump_failed(Streams& streams) const {
  if (!dump || dump->problem().empty()) return false;
  streams.err << fmt::format("leto: error: cannot write {}\n", dump->problem());
  return true;
}

}  // namespace leto::driver

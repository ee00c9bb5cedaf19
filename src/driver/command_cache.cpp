#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "driver/commands.h"
#include "engine/cache.h"
#include "files/files.h"
#include "report/escape.h"
#include "solver/solver.h"

namespace leto::driver {

namespace {

struct CacheOptions {
  std::string cache;
  bool clear = false, verify = false;
  std::size_t sample = 100;
};

ExitCode refuse_unreadable(const std::string& directory, Streams& streams) {
  streams.err << fmt::format("leto: error: the cache in {} cannot be read or written\n", directory);
  return ExitCode::BadInput;
}

ExitCode clear_cache(engine::FileCache& cache, const std::string& directory, Streams& streams) {
  if (!cache.clear()) return refuse_unreadable(directory, streams);
  streams.out << "the cache is empty\n";
  return ExitCode::Fine;
}

// Asks a sample again.
ExitCode verify_cache(engine::FileCache& cache, const std::string& directory, std::size_t many,
                      const Watchdog& watchdog, Streams& streams) {
  const auto solver = solver::make_process_solver(solver::z3_command(), {}, watchdog.allowance());
  std::size_t same = 0, open = 0, wrong = 0;
  const auto sample = cache.sample(many);
  if (!sample) return refuse_unreadable(directory, streams);
  for (const engine::FileCache::Entry& entry : *sample) {
    const solver::Answer answer = solver->solve(entry.query);
    if (answer.verdict == solver::Verdict::Unknown)
      ++open;
    else
      (answer.verdict == entry.verdict ? same : wrong) += 1;
  }
  if (sample->empty() && cache.statistics().foreign > 0) {
    streams.err << fmt::format(
        "leto: error: no answer in {} is sealed with your secret: none was asked again\n",
        report::name_on_line(directory));
    return ExitCode::Undecided;
  }
  streams.out << fmt::format("{} asked again: {} the same, {} undecided, {} different\n",
                             same + open + wrong, same, open, wrong);
  if (wrong > 0) {
    streams.err << "leto: ENGINE ERROR: an answer in the cache is not the solver's; 'leto cache "
                   "clear' forgets "
                   "them all\n";
    return ExitCode::DoesNotHold;
  }
  return open > 0 ? ExitCode::Undecided : ExitCode::Fine;
}

ExitCode count_cache(engine::FileCache& cache, const std::string& directory, Streams& streams) {
  const engine::CacheStatistics s = cache.statistics();
  if (!s.complete) return refuse_unreadable(directory, streams);
  streams.out << fmt::format(
      "{}: {} answers ({} proved, {} refuted, {} left open) and {} functions that are proved; {} "
      "sealed by somebody else or damaged; {} bytes\n",
      report::name_on_line(directory), s.proved + s.refuted + s.open, s.proved, s.refuted, s.open,
      s.records, s.foreign, s.bytes);
  return ExitCode::Fine;
}

ExitCode run_cache(const CacheOptions& options, const Watchdog& watchdog, Streams& streams) {
  const std::string directory =
      options.cache.empty() ? engine::default_cache_directory() : options.cache;
  std::string problem = "there is no place for it; set HOME, XDG_CACHE_HOME or LETO_CACHE";
  if (!directory.empty() && !files::exists(directory)) {
    streams.err << fmt::format("leto: error: there is no cache in {}\n",
                               report::name_on_line(directory));
    return ExitCode::BadInput;
  }
  const std::unique_ptr<engine::FileCache> cache =
      directory.empty() ? nullptr
                        : engine::open_cache(directory, engine::default_key_file(), problem);
  if (!cache) {
    streams.err << fmt::format("leto: error: the cache cannot be opened: {}\n", problem);
    return ExitCode::BadInput;
  }
  if (options.clear) return clear_cache(*cache, directory, streams);
  if (options.verify) return verify_cache(*cache, directory, options.sample, watchdog, streams);
  return count_cache(*cache, directory, streams);
}

}  // namespace

Command add_cache(const Table& table) {
  const auto options = std::make_shared<CacheOptions>();
  CLI::App& command =
      *table.app.add_subcommand("cache", "Look after the answers that are kept between runs");
  command.add_option("--cache", options->cache, "Directory of the cache")->option_text("DIR");
  add_limits(command, table.limits);
  command.require_subcommand(1);
  command.add_subcommand("stat", "How many answers there are");
  command.add_subcommand("clear", "Forget all of them")->callback([options] {
    options->clear = true;
  });
  CLI::App& verify = *command.add_subcommand("verify", "Ask a sample again and compare");
  verify.callback([options] { options->verify = true; });
  verify.add_option("--sample", options->sample, "How many")->option_text("N")->check(at_least(1));
  command.footer("Examples:\n  leto cache stat\n  leto cache verify --sample 20");
  return watched(command, options, run_cache);
}

}  // namespace leto::driver

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <iostream>
#include <string_view>

#include "fixpoint/fixpoint.h"

namespace {

using leto::fixpoint::Options;

struct CommandLine {
  Options options;
  rlim_t cpu_seconds = RLIM_INFINITY;
  rlim_t megabytes = RLIM_INFINITY;
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}

bool read_option(std::string_view name, std::string_view value, CommandLine& line) {
  if (name == "--cpu") return read_number(value, line.cpu_seconds);
  if (name == "--memory") return read_number(value, line.megabytes) && line.megabytes < 1 << 30;
  if (name == "--kmax") return read_number(value, line.options.kmax);
#ifdef LETO_ENGINE_MUTANTS
  if (name == "--mutant") {
    const auto mutant = leto::fixpoint::mutant_of(value);
    if (mutant) line.options.mutant = *mutant;
    return mutant.has_value();
  }
#endif
  return false;
}

bool read_command_line(int argc, char** argv, CommandLine& line) {
  if (argc < 2 || argc % 2 != 0) return false;
  const auto engine = leto::fixpoint::engine_of(argv[1]);
  if (!engine) return false;
  line.options.engine = *engine;
  for (int i = 2; i + 1 < argc; i += 2)
    if (!read_option(argv[i], argv[i + 1], line)) return false;
  return true;
}

// The kernel ends the process. Z3's own limits are of wall-clock time, and a process that is
// stopped for a while would wake up to find them over.
bool limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  rlimit limits{};
  if (getrlimit(resource, &limits) != 0) return false;
  if (limits.rlim_max != RLIM_INFINITY && limits.rlim_max < most) most = limits.rlim_max;
  limits.rlim_cur = limits.rlim_max = most;
  return setrlimit(resource, &limits) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    std::cout << "leto-engine " << LETO_VERSION << "\n";
    return 0;
  }
  CommandLine line;
  if (!read_command_line(argc, argv, line)) {
    std::cerr << "leto-engine: leto starts it, with the name of an engine\n";
    return 2;
  }
  const rlim_t bytes =
      line.megabytes == RLIM_INFINITY ? RLIM_INFINITY : line.megabytes * 1024 * 1024;
  const bool limited =
      limit(RLIMIT_CPU, line.cpu_seconds) && limit(RLIMIT_AS, bytes) && limit(RLIMIT_CORE, 0);
  if (!limited) {
    std::cout << "unknown the limits of the process cannot be set\n";
    return 0;
  }
  leto::fixpoint::answer(std::cin, std::cout, line.options);
  // What Z3 has built need not be taken down.
  std::cout.flush();
  _exit(0);
}

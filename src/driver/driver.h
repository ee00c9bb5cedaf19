// The front door of `driver`: the command line, the order of phases, what is
// printed. The only room that knows all the others.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace leto::driver {

// Documented in README.md and the man page; never changed, only added to.
enum class ExitCode : int {
  Fine = 0,
  DoesNotHold = 1,  // what was asked for does not hold
  Undecided = 2,
  BadInput = 3,  // the input has errors
  Usage = 4,
  Internal = 5,
};

// Where a command reads and writes; tests give it strings.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::string executable_dir;  // to find the models that are installed with the tool
  // Where programs go that are to be programs again: `out`, but byte by byte. Null: the same.
  std::ostream* exact = nullptr;
  // Whether a command that does not end by itself may end the process: only where it has its own.
  bool may_end_process = false;
  [[nodiscard]] std::ostream& for_programs() { return exact != nullptr ? *exact : out; }
};

[[nodiscard]] ExitCode run(const std::vector<std::string>& arguments, Streams& streams);

// The man page: man/leto.1.in with all that the table of commands and options knows filled in.
// Nothing, with the problem, if the page and the table do not fit together.
[[nodiscard]] std::optional<std::string> manual(const std::string& page, std::string& problem);

}  // namespace leto::driver

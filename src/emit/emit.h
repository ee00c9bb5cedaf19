// The front door of `emit`: a function of a core program, and what it calls, as C++ that stands by
// itself. In: a program, and which function in which arithmetic. Out: the texts of a header, of an
// interface for C and of what builds and tests them, or a diagnostic (L0901) that names what has no
// C++ yet. What is emitted is the exact run, step by step, up to the first number that its type
// does not hold; there it says so and has no value.
//
// Nothing is proved here: who calls it has a proof, or says that there is none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "core/core.h"

namespace leto::emit {

// What a parameter is. Ghosts leave no trace.
enum class Role : std::uint8_t { Input, Output, Witness, Ghost };
enum class Integers : std::uint8_t { Int64, Int128, Gmp };
enum class Reals : std::uint8_t { Double, Gmp };
[[nodiscard]] std::string_view spelling(Integers policy);
[[nodiscard]] std::string_view spelling(Reals policy);

struct Request {
  core::FunctionId function;
  std::vector<Role> roles = {};  // by parameter; empty: all are inputs
  bool checker = false;          // it returns a verdict
  Integers integers = Integers::Int64;
  Reals reals = Reals::Double;
  std::string name;                     // of what is emitted
  std::string space = "emitted";        // namespace
  std::string source;                   // which file it is made from, for people
  std::string version;                  // of the tool
  bool unproved = false;                // then every check is made when it runs
  bool trust_requires = false;          // leave out clauses that cannot be executed
  std::vector<std::string> notes = {};  // what is said of a checker, for people
};

// A value that goes in or out, as a test hands it over.
struct Slot {
  core::VarId var;
  std::string name;
  core::Type type;
  Role role = Role::Input;
};

struct Emitted {
  std::string header, c_header, c_source;
  std::vector<Slot> inputs, results;
  std::vector<std::string> trusted;    // clauses that are left out
  std::vector<std::string> externals;  // functions that the caller supplies
  bool uses_reals = false;
  bool guarded = false;  // checks are made when it runs
  bool has_c = true;     // else there is no interface for C
};

// Nothing, with a diagnostic, if something in it cannot be emitted.
[[nodiscard]] std::optional<Emitted> emit(const core::Program& program, const Request& request,
                                          DiagnosticSink& sink);

// Whether something is needed besides the standard library.
[[nodiscard]] bool uses_gmp(const Request& request, const Emitted& emitted);

// What builds, installs and tests it.
struct Package {
  std::string cmake, config, pkg_config, test;
};
// Why there are no cases to replay; empty: there are some.
[[nodiscard]] Package package(const Request& request, const Emitted& emitted,
                              const std::string& why_no_cases);

// The same program, in which every number that the emitted code computes is put into a variable of
// its own first: who runs it sees which one would not fit.
[[nodiscard]] core::Program watch_numbers(const core::Program& program, bool guarded);

}  // namespace leto::emit

// The front door of `fixpoint`: engines that look for an inductive invariant of a transition
// system, or for a run that breaks its claim. They use Z3 in their own process, `leto-engine`,
// because Z3 may end a process where it is asked something unusual. Nobody has to believe them:
// `valid` comes with a certificate for others to check, `invalid` with a depth at which others
// find and replay the run.
//
// How `leto-engine` is spoken to
// ------------------------------
//   leto-engine ENGINE [--cpu SECONDS] [--memory MEGABYTES] [--kmax K]
//
// with ENGINE one of `pdr`, `pdkind`, `spacer`, `spacer-normalised`, `seeds`. The limits are those
// of the process (setrlimit); K, for `pdkind` alone, is how far it may look behind (1 unless told).
//
// On the standard input, once, up to its end: first lines that say what each name is,
//   ; state |x| |x'|            a variable of the state, and its name in the next state
//   ; input |i|                 what a step may choose
// then SMT-LIB: a declaration for each of these names, with the sort Bool, Int, Real or a
// bit-vector, definitions of the writer's own where it likes (define-fun without parameters), and
// these four, each of the sort Bool:
//   (define-fun init () Bool ..)     over the state: where runs begin
//   (define-fun trans () Bool ..)    over state, next state and inputs: one step
//   (define-fun claim () Bool ..)    over the state: what is to hold in every reachable state
//   (define-fun facts () Bool ..)    over the state: what is known to hold there already
// No assertions, no quantifiers, no functions. Names are what SMT-LIB allows, without `$` at their
// beginning and none of `init`, `trans`, `claim`, `facts`; a name is the same with and without its
// bars. States without `facts` count as not being there, so what the user assumes stands in
// `facts`, too (in `init` and `trans` it may then be left out, and may as well stand). Shared terms
// cost once, whether by `let` or by a definition. What is not understood is answered by `unknown`.
//
// On the standard output, line by line, each flushed:
//   progress TEXT               for people
//   lemma TERM                  holds in every reachable state: `facts` and TERM are inductive
// and at the end exactly one of
//   valid K TERM                TERM is K-inductive and implies the claim. It stands on its own:
//                               `facts` and all lemmas that were used are part of it.
//   invalid [DEPTH]             claimed only: a run of at most DEPTH steps breaks the claim
//   unknown TEXT                why there is no answer
// TERM is SMT-LIB over the variables of the state as they were declared, on one line, with `let`
// for what is shared (names beginning with `$`). It is a conjunction at its top where it can be.
// A line counts when its end is there; a process that ends without an answer has answered
// `unknown`.
//
// The exit code is 0 with an answer and 2 where the command line is not understood.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

namespace leto::fixpoint {

enum class Engine : std::uint8_t { Pdr, PdKind, Spacer, SpacerNormalised, Seeds };

// Mistakes that the engines avoid. Tests bring one back at a time, to see that its answers are
// refused. The executable that is shipped knows none of them.
enum class Mutant : std::uint8_t {
  None,
#define LETO_FIXPOINT_MUTANT(name, text) name,
#include "fixpoint/mutants.def"
#undef LETO_FIXPOINT_MUTANT
};

[[nodiscard]] std::optional<Engine> engine_of(std::string_view name);
[[nodiscard]] std::optional<Mutant> mutant_of(std::string_view name);

struct Options {
  Engine engine = Engine::Pdr;
  unsigned kmax = 1;
  Mutant mutant = Mutant::None;
};

// Reads a system, runs an engine and writes what it finds, as said above. Whatever goes wrong is an
// `unknown` on `out`, where Z3 leaves the process alive to say so. Nothing is thrown.
void answer(std::istream& in, std::ostream& out, const Options& options);

}  // namespace leto::fixpoint

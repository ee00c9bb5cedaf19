// What a campaign is to do.
#pragma once

#include <cstdint>
#include <string>

#include "base/trap.h"

namespace leto::soundness {

struct Settings {
  std::uint64_t programs = 1000;
  std::uint64_t first = 0;  // the number of the first program
  std::uint64_t seed = 0;
  unsigned workers = 2;
  std::uint64_t runs = 1500;  // executions of one program
  std::string theme = {};     // that every program has; empty: none
  Trap trap = Trap::None;
  double seconds = 0;  // stop after that; 0: never
  bool verbose = false;
  bool print = false;
  bool coverage = false;     // say how often each construct occurs
  bool all = false;          // go on after a violation
  bool reliability = false;  // bounds against exact chances
  bool summed_up = false;    // what is called is summed up in every program, however small
  unsigned unroll = 0;       // every program by a bounded proof; 0: some
  bool plain = false;        // every program in the usual manner; see Manner
};

// How one program is verified, drawn by its number: what may go wrong around the verifier must
// not make it prove more.
enum class Mood : std::uint8_t {
  Honest,
  Hasty,      // nothing but the quick questions is asked, as if the time were over then
  Forgetful,  // some questions are not answered
  Stingy,     // most run out of their limit
  Slow,       // many take too long
  Missing,    // there is no solver
};
enum class Keeping : std::uint8_t { InMemory, Nothing, InFile };

struct Manner {
  bool infer = true;
  bool summed_up = false;  // what is called, in functions of any size
  bool trust_original = false;
  unsigned unroll = 0;       // other than 0: a bounded proof
  bool hasty = false;        // claims that are not proved quickly are dropped
  std::uint64_t budget = 0;  // for all questions about the program, in what solvers count
  Mood mood = Mood::Honest;
  unsigned workers = 1;
  Keeping keeping = Keeping::InMemory;
  bool every_model = false;  // under each model of the program, not only the picked one
};
[[nodiscard]] Manner manner_of(const Settings& settings, std::uint64_t index);

}  // namespace leto::soundness

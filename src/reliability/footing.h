// What the proofs about a recovery block stand on, and what they are about. Whoever makes a proof
// assumes the variables equal that stand here and no others, and whoever uses it demands that very
// set before the block. Else the original run of the proof is another one than the program's: it
// may have failed, or never ended, where the program's does not, and then the proof says nothing.
#pragma once

#include "reliability/uses.h"

namespace leto::reliability {

struct Footing {
  Vars of_check;  // equal before the block, for the proof that the check is perfect
  Vars of_block;  // the same for the proof that `recover` mends; the former are among them
  // What is set and somebody can see behind the block, whatever happens inside: by `try` and the
  // check, and by these and `recover`. The model's state is not among them: nothing is proved of
  // it.
  Vars set_by_try, set;
};

[[nodiscard]] Footing find_footing(const core::Program& program, Uses& uses,
                                   const core::Recovery& recovery);

}  // namespace leto::reliability

// One question, asked in several ways: at once, as far as there are workers without work, and else
// one way after the other. The first that decides it ends the others, so what comes out is what
// would come out without anybody's help, only sooner.
#pragma once

#include <functional>

#include "prove/theorem.h"

namespace leto::prove {

struct Contest {
  const std::vector<logic::Term>& hypotheses;
  logic::Term goal;
  std::size_t number;  // of the obligation
  const std::vector<Manner>& manners;
};
// To be called by a worker. Of those that were ended by others, only the costs are counted. If
// nobody decides it, the answer is that of the first way.
[[nodiscard]] Reply race(engine::Crew& crew, const std::function<Prover&(unsigned worker)>& prover,
                         const Contest& contest, Outcome& outcome);

}  // namespace leto::prove

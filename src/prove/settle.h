// From what is to be shown of one function, or of the model, to a status for each of its claims.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "prove/claims.h"
#include "prove/prove.h"

namespace leto::prove {

// What is proved of it rests on what is not, which stands there.
void doubt(Claim& claim, std::string why, Span because = {});

// What is to be shown, and what is taken for granted on the way.
struct Burden {
  std::vector<vcgen::Obligation> obligations;
  std::vector<vcgen::Assumption> assumptions;
  // Makes what is taken for granted everywhere, if it has to be looked at here too; may be empty.
  std::function<std::vector<vcgen::Assumption>()> common = {};
  // Whether a run is known that comes by there; may be empty.
  std::function<bool(const vcgen::Assumption&)> is_visited = {};
  FindBroken find_broken = {};  // may be empty
};

struct Settled {
  std::vector<Claim> claims;
  std::vector<Claim> contradictions;  // of what is assumed, or it is not known
  // Constants that cannot exist: then nothing is proved, of whatever function.
  bool constants_contradict = false;
  Cost cost;
  bool mismatch = false;  // with a trap only: the ledger found a verdict that nobody earned
};

// `of_function`: rather than of a model, whose specifications may well be never enabled. Each
// obligation is told of when it is begun, and when it has its outcome.
[[nodiscard]] Settled settle(Burden burden, std::shared_ptr<logic::TermTable> terms,
                             Discharger& discharger, bool of_function, Trap trap,
                             const std::function<void(const vcgen::Obligation&, bool)>& tell);

}  // namespace leto::prove

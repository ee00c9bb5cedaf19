#include <algorithm>

#include "oracle/hardware.h"
#include "oracle/machine.h"

namespace leto::oracle {

// The relaxed run comes to an access: what comes out of it.
Number Machine::access(Access access, const Request& request) {
  access.type = request.type;
  access.operands = request.operands;
  access.exact = request.exact;
  if (!in_force_) {
    report_.accesses.push_back(std::move(access));
    return request.exact;
  }
  const Instance& instance = *in_force_->instance;
  State& state = *in_force_->state[Side::Relaxed];
  const Hardware hardware(program_, instance, specs_, request, state);
  access.model = program_.text(instance.model().name());
  access.fits = hardware.fitting();
  access.enabled = hardware.enabled();
  const Span at = access.at;
  report_.accesses.push_back(access);
  if (!access.mentioned()) return request.exact;
  if (access.enabled.empty())
    throw Failure{at, "no specification is enabled", Failure::Kind::Stuck};

  std::optional<Decision> decision;
  if (chooser_) decision = chooser_(access, [&] { return hardware.sample(); });
  if (!decision) decision = hardware.exact();
  const auto is_hopeless = [&](std::size_t k) {
    return (!decision || decision->specification == k) && hardware.is_hopeless(k);
  };
  const std::vector<std::size_t>& enabled = access.enabled;
  if (decision ? std::any_of(enabled.begin(), enabled.end(), is_hopeless)
               : std::all_of(enabled.begin(), enabled.end(), is_hopeless))
    throw Failure{at, "nothing satisfies what is ensured", Failure::Kind::Stuck};
  if (!decision) throw Stop{End::NeedsDecision, at, "no decision, and none that is exact"};
  const Hardware::Answer answer = hardware.check(*decision);
  if (!answer.refusal.empty()) throw Stop{End::Impossible, at, answer.refusal};
  check_size(decision->outcome, at);
  for (const Number& value : answer.after) check_size(value, at);
  report_.accesses.back().taken = decision;
  state = answer.after;
  for (Span span : instance.broken(state)) report_.broken_invariants.push_back(span);
  return decision->outcome;
}

}  // namespace leto::oracle

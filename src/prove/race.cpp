#include "prove/race.h"

#include <algorithm>
#include <atomic>

namespace leto::prove {

namespace {

using solver::Reason;

bool has_decided(const Reply& reply) {
  return reply.answer.verdict != solver::Verdict::Unknown ||
         reply.answer.reason == Reason::Disagreement || reply.answer.reason == Reason::Missing;
}

void add_costs(const Outcome& of, Outcome& outcome) {
  outcome.calls += of.calls;
  outcome.cached = outcome.cached || of.cached;
  outcome.seconds += of.seconds;
  outcome.resource += of.resource;
  outcome.hardest = std::max(outcome.hardest, of.hardest);
  outcome.tried.insert(outcome.tried.end(), of.tried.begin(), of.tried.end());
}
void add_findings(const Outcome& of, Outcome& outcome) {
  outcome.suspect = outcome.suspect || of.suspect;
  outcome.troubled = outcome.troubled || of.troubled;
  outcome.cut_short = outcome.cut_short || of.cut_short;
}

}  // namespace

Reply race(engine::Crew& crew, const std::function<Prover&(unsigned worker)>& prover,
           const Contest& contest, Outcome& outcome) {
  const std::size_t count = contest.manners.size();
  std::atomic<bool> over{false};
  std::vector<Reply> replies(count);
  std::vector<Outcome> outcomes(count);
  std::vector<std::uint8_t> asked(count), decided(count);
  crew.work(count, [&](unsigned worker, std::size_t k) {
    if (over) return;
    Manner manner = contest.manners[k];
    manner.unwanted = &over;
    replies[k] =
        prover(worker).ask(contest.hypotheses, contest.goal, manner, contest.number, outcomes[k]);
    asked[k] = 1;
    decided[k] = has_decided(replies[k]) ? 1 : 0;
    if (decided[k] != 0) over = true;
  });
  for (const Outcome& one : outcomes) add_costs(one, outcome);
  // Solvers that contradict one another are heard, whoever was sooner.
  const auto loud = std::find_if(replies.begin(), replies.end(), [](const Reply& reply) {
    return reply.answer.reason == Reason::Disagreement;
  });
  const auto first = std::find(decided.begin(), decided.end(), 1);
  if (loud != replies.end() || first != decided.end()) {
    const std::size_t k = static_cast<std::size_t>(loud != replies.end() ? loud - replies.begin()
                                                                         : first - decided.begin());
    add_findings(outcomes[k], outcome);
    return std::move(replies[k]);
  }
  for (std::size_t k = 0; k < count; ++k)
    if (asked[k] != 0) add_findings(outcomes[k], outcome);
  return std::move(replies.front());
}

}  // namespace leto::prove

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
  crew.work(count, [&](unsigned worker, std::size_t k) {
    if (over) return;
    Manner manner = contest.manners[k];
    manner.unwanted = &over;
    replies[k] =
        prover(worker).ask(contest.hypotheses, contest.goal, manner, contest.number, outcomes[k]);
    if (has_decided(replies[k])) over = true;
  });
  for (const Outcome& one : outcomes) add_costs(one, outcome);
  // Solvers that contradict one another are heard, whoever was sooner.
  auto winner = std::find_if(replies.begin(), replies.end(), [](const Reply& reply) {
    return reply.answer.reason == Reason::Disagreement;
  });
  if (winner == replies.end()) winner = std::find_if(replies.begin(), replies.end(), has_decided);
  if (winner != replies.end()) {
    add_findings(outcomes[static_cast<std::size_t>(winner - replies.begin())], outcome);
    return std::move(*winner);
  }
  for (const Outcome& one : outcomes) add_findings(one, outcome);
  return std::move(replies.front());
}

}  // namespace leto::prove

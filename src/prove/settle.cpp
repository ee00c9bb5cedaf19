#include "prove/settle.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace leto::prove {

int badness(Status status) {
  switch (status) {
    case Status::Proved:
      return 0;
    case Status::Vacuous:
      return 1;
    case Status::Unknown:
      return 2;
    case Status::Refuted:
      return 3;
  }
  return 3;
}

std::string Claim::headline() const {
  return headline_of(id);
}
std::string Claim::headline_of_one_run() const {
  return headline_of(core::of_one_run(id));
}
std::string Claim::headline_of(const core::ClaimId& named) const {
  const bool of_assumptions = core::group_of(id.kind) == core::ClaimGroup::Consistent;
  const bool fails = status == Status::Refuted || (status == Status::Vacuous && of_assumptions);
  return fails ? core::failing(named) : core::claimed(named);
}

void doubt(Claim& claim, std::string why, Span because) {
  if (claim.status != Status::Proved && claim.status != Status::Vacuous) return;
  claim.status = Status::Unknown;
  claim.unfounded = true;
  claim.situation = std::move(why);
  claim.because = because;
}

void Cost::add(const Cost& other) {
  obligations += other.obligations;
  plain += other.plain;
  cached += other.cached;
  questions += other.questions;
  hardest = std::max(hardest, other.hardest);
  disagreement = disagreement || other.disagreement;
}

namespace {

class Settlement {
 public:
  Settlement(Burden burden, std::shared_ptr<logic::TermTable> terms, Discharger& discharger,
             bool of_function, Trap trap)
      : evidence_(std::make_shared<Evidence>()),
        assumptions_(std::move(burden.assumptions)),
        common_(std::move(burden.common)),
        is_visited_(std::move(burden.is_visited)),
        find_broken_(std::move(burden.find_broken)),
        discharger_(discharger),
        of_function_(of_function),
        trap_(trap) {
    evidence_->terms = std::move(terms);
    evidence_->obligations = std::move(burden.obligations);
  }

  Settled run(const std::function<void(const vcgen::Obligation&, bool)>& tell) {
    decide(tell);
    if (!discharger_.is_in_vain()) find_vacuous();
    if (trap_ == Trap::StaleVerdict) inherit_verdicts();
    out_.mismatch = !discharger_.audit(obligations(), outcomes());
    // A verdict that nobody earned is our own mistake, and never reported.
    LETO_ASSERT(!out_.mismatch || trap_ == Trap::StaleVerdict);
    make_claims();
    doubt_behind_lemmas();
    count_costs();
    return std::move(out_);
  }

 private:
  [[nodiscard]] const std::vector<vcgen::Obligation>& obligations() const {
    return evidence_->obligations;
  }
  [[nodiscard]] std::vector<Outcome>& outcomes() { return evidence_->outcomes; }

  void decide(const std::function<void(const vcgen::Obligation&, bool)>& tell) {
    std::vector<std::size_t> all(obligations().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    outcomes().resize(all.size());
    discharger_.run(
        obligations(), all, [&](std::size_t i, bool done) { tell(obligations()[i], done); },
        outcomes(), find_broken_);
    // What inference took for proved has been asked before in these very words. It is refuted by
    // nobody, but the time may be over, or the solver gone.
    for (std::size_t i = 0; i < all.size(); ++i)
      LETO_ASSERT(obligations()[i].parts.empty() || outcomes()[i].proof ||
                  outcomes()[i].reason != solver::Reason::None);
  }

  // What the trap does: what is not proved has the verdict of what stands before it.
  void inherit_verdicts() {
    for (std::size_t i = 1; i < outcomes().size(); ++i)
      if (!outcomes()[i].proof && outcomes()[i - 1].proof) outcomes()[i] = outcomes()[i - 1];
  }

  // What follows from assumptions that contradict themselves is not counted as proved. The
  // contradiction is a claim of its own, lest there be no other behind it.
  void find_vacuous() {
    if (trap_ == Trap::NoVacuity) return;
    find_proofs_of_nothing();
    if (common_ && is_anything_suspicious())
      for (vcgen::Assumption& a : common_()) assumptions_.push_back(std::move(a));
    const std::vector<Doubt> doubts =
        discharger_.contradictions(assumptions_, obligations(), outcomes(), is_visited_);
    for (const bool end : {false, true})
      for (const Doubt& doubt : doubts)
        if (assumptions_[doubt.assumption].end == end) settle_doubt(doubt);
  }

  // A proof that may be one of nothing, or was hard to find: then what is assumed everywhere is
  // looked at once more, with what that proof was made from and with as much effort.
  [[nodiscard]] bool is_anything_suspicious() {
    return std::any_of(outcomes().begin(), outcomes().end(), [](const Outcome& outcome) {
      return outcome.proof && (outcome.suspect || outcome.took_all);
    });
  }

  // In a function, where no branch leads, only what is assumed can be what contradicts itself; or
  // what is claimed of the original run, if that fails.
  void find_proofs_of_nothing() {
    for (std::size_t k = 0; of_function_ && k < outcomes().size(); ++k)
      if (outcomes()[k].proof && outcomes()[k].of_nothing &&
          !something_fails(obligations()[k].claim.function, outcomes().size()))
        outcomes()[k].vacuous = true;
  }

  void settle_doubt(const Doubt& doubt) {
    const vcgen::Assumption& a = assumptions_[doubt.assumption];
    const std::string& owner = a.claim.function;
    if (something_fails(owner, a.end ? outcomes().size() : a.first)) return;
    if (a.end && is_vacuous(owner)) return;  // that says it
    Claim claim{a.claim};
    claim.situation = a.situation;
    const std::vector<std::size_t> behind = find_behind(a, obligations(), *evidence_->terms);
    switch (doubt.kind) {
      case Doubt::Kind::Contradicts:
        for (std::size_t k : behind) outcomes()[k].vacuous = true;
        claim.status = Status::Vacuous;
        out_.constants_contradict = out_.constants_contradict || a.everywhere;
        break;
      case Doubt::Kind::NobodyThere:
        claim.situation = "it is not known whether anybody gets there";
        break;
      case Doubt::Kind::Unanswered:
        // A proof that took its claim is one of something.
        for (std::size_t k : behind) outcomes()[k].unanswered = outcomes()[k].suspect;
        claim.situation = "that was not answered";
        break;
    }
    out_.contradictions.push_back(std::move(claim));
  }

  // Whether something of a function is known to hold for no reason.
  [[nodiscard]] bool is_vacuous(const std::string& owner) {
    for (std::size_t k = 0; k < outcomes().size(); ++k)
      if (obligations()[k].claim.function == owner && outcomes()[k].vacuous) return true;
    return std::any_of(out_.contradictions.begin(), out_.contradictions.end(),
                       [&](const Claim& c) { return c.id.function == owner; });
  }

  // A claim that fails is assumed behind it, and that may be what contradicts.
  [[nodiscard]] bool something_fails(const std::string& owner, std::size_t before) {
    for (std::size_t k = 0; k < std::min(before, outcomes().size()); ++k)
      if (obligations()[k].claim.function == owner && !outcomes()[k].proof) return true;
    return false;
  }

  void make_claims() {
    std::map<core::ClaimId, std::size_t> index;
    for (std::size_t i = 0; i < obligations().size(); ++i) {
      // That there is something is told only where it is not known.
      if (discharger_.is_met_by_model(obligations()[i], outcomes()[i], assumptions_)) continue;
      const auto [it, fresh] = index.emplace(obligations()[i].claim, out_.claims.size());
      if (fresh) {
        Claim claim{it->first};
        claim.status = status_of(i);
        claim.worst = i;
        out_.claims.push_back(std::move(claim));
      }
      add_to(out_.claims[it->second], i);
    }
    for (Claim& claim : out_.claims)
      if (claim.status == Status::Unknown && outcomes()[claim.worst].given_up) say_given_up(claim);
    // Where all is proved, nobody asks what it was proved from.
    if (std::all_of(out_.claims.begin(), out_.claims.end(),
                    [](const Claim& claim) { return claim.status == Status::Proved; }))
      return;
    for (Claim& claim : out_.claims) claim.evidence = evidence_;
  }
  static void say_given_up(Claim& claim) {
    claim.unfounded = true;
    claim.situation = "the same fails in the original run, so mend that first";
  }
  // Nobody fails where a lemma is called without what it requires, so what is claimed behind it is
  // claimed of such runs too. What is known there rests on the call.
  void doubt_behind_lemmas() {
    for (const bool alone : {false, true}) doubt_behind_lemmas(alone);
  }
  // In one of the two walks.
  void doubt_behind_lemmas(bool alone) {
    std::size_t first = 0;
    while (first < outcomes().size() && (obligations()[first].alone != alone ||
                                         !core::is_about_lemma(obligations()[first].claim.kind) ||
                                         outcomes()[first].status() == Status::Proved))
      ++first;
    if (first == outcomes().size()) return;
    const core::ClaimId& open = obligations()[first].claim;
    std::set<core::ClaimId> behind;
    for (std::size_t i = first + 1; i < outcomes().size(); ++i)
      if (obligations()[i].alone == alone) behind.insert(obligations()[i].claim);
    for (Claim& claim : out_.claims)
      if (behind.contains(claim.id))
        doubt(claim,
              fmt::format("it rests on a call of lemma '{}' that is not proved", open.about[0]),
              open.at);
  }
  [[nodiscard]] Status status_of(std::size_t i) {
    const Status status = outcomes()[i].status();
    const bool open = core::is_existential(obligations()[i].claim.kind);
    return open && status == Status::Refuted ? Status::Unknown : status;
  }
  void add_to(Claim& claim, std::size_t i) {
    const Outcome& outcome = outcomes()[i];
    ++claim.obligations;
    claim.seconds += outcome.seconds;
    claim.resource += outcome.resource;
    claim.hardest = std::max(claim.hardest, outcome.hardest);
    if (badness(status_of(i)) > badness(claim.status)) {
      claim.status = status_of(i);
      claim.worst = i;
    }
    claim.situation = obligations()[claim.worst].situation;
  }

  void count_costs() {
    Cost& cost = out_.cost;
    cost.obligations = outcomes().size();
    for (const Outcome& outcome : outcomes()) {
      if (outcome.trivial())
        ++cost.plain;
      else if (outcome.cached && outcome.calls == 0)
        ++cost.cached;
      if (outcome.parts.empty()) cost.questions += outcome.calls;  // else inference counts them
      cost.hardest = std::max(cost.hardest, outcome.hardest);
      cost.disagreement = cost.disagreement || outcome.reason == solver::Reason::Disagreement;
    }
  }

  std::shared_ptr<Evidence> evidence_;
  std::vector<vcgen::Assumption> assumptions_;
  std::function<std::vector<vcgen::Assumption>()> common_;
  std::function<bool(const vcgen::Assumption&)> is_visited_;
  FindBroken find_broken_;
  Discharger& discharger_;
  bool of_function_;
  Trap trap_;
  Settled out_;
};

}  // namespace

Settled settle(Burden burden, std::shared_ptr<logic::TermTable> terms, Discharger& discharger,
               bool of_function, Trap trap,
               const std::function<void(const vcgen::Obligation&, bool)>& tell) {
  return Settlement(std::move(burden), std::move(terms), discharger, of_function, trap).run(tell);
}

}  // namespace leto::prove

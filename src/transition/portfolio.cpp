#include "transition/portfolio.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "transition/bmc.h"
#include "transition/cone.h"
#include "transition/foreign.h"

namespace leto::transition {

std::string_view describe(Verdict verdict) {
  switch (verdict) {
    case Verdict::Valid:
      return "valid";
    case Verdict::Invalid:
      return "invalid";
    case Verdict::Unknown:
      return "unknown";
    case Verdict::Vacuous:
      return "vacuous";
    case Verdict::Contradiction:
      return "contradiction";
  }
  return "";
}

namespace {

// An engine's place in the order: what it gets at first and in all, in hundredths of the budget.
struct Turn {
  const char* name;
  double first;
  double share;
  std::vector<const char*> arguments;  // of `leto-engine`; none: it is ours
};

const std::vector<Turn>& turns() {
  static const std::vector<Turn> kTurns{
      {"k-induction", 1.7, 3, {}},
      {"bounded-search", 1.7, 17, {}},
      {"pdr", 2.5, 6, {"pdr"}},
      {"spacer", 4.2, 35, {"spacer"}},
      {"spacer-normalised", 4.2, 25, {"spacer-normalised"}},
      {"pdkind", 2.5, 4, {"pdkind"}},
  };
  return kTurns;
}
constexpr double kReserve = 10;  // for certificates, in hundredths

class Portfolio {
 public:
  Portfolio(const System& system, std::size_t claim, const Means& means, const Allowance& allowance,
            const std::function<void(const std::string&)>& tell,
            const std::vector<Certificate>& facts)
      : system_(system),
        number_(claim),
        claim_(system.claims.at(claim)),
        means_(means),
        allowance_(allowance),
        tell_(tell) {
    for (const Certificate& fact : facts) {
      facts_.push_back(fact.invariant);
      least_k_ = std::max(least_k_, fact.k);
    }
  }

  Decision run() {
    look_at_beginning();
    if (!decided_) {
      leave_out();
      take_places();
      while (!decided_ && !allowance_.spent() && give_turns()) {
      }
    }
    for (const Place& place : places_)
      if (place.engine)
        out_.tried.push_back(
            {place.turn->name, place.engine->progress(), place.engine->cpu_seconds()});
    out_.cpu_seconds = used();
    if (!decided_ && out_.why.empty())
      out_.why = allowance_.spent() ? std::string(leto::describe(allowance_.ended_by()))
                                    : why_nothing_is_known();
    return std::move(out_);
  }

 private:
  struct Place {
    const Turn* turn;
    std::unique_ptr<Engine> engine = {};
    double slice = 0, share = 0;  // of the next turn; in all
    bool ended = false;
  };

  [[nodiscard]] double hundredths(double n) const { return means_.cpu_seconds * n / 100; }
  [[nodiscard]] double used() const {
    double out = checks_;
    for (const Place& place : places_)
      if (place.engine) out += place.engine->cpu_seconds();
    return out;
  }
  // For engines; what is kept for certificates is not theirs.
  [[nodiscard]] double left() const {
    return means_.cpu_seconds - std::max(checks_, hundredths(kReserve)) - (used() - checks_);
  }
  [[nodiscard]] CheckLimits check_limits() const {
    return {std::max(1.0, (means_.cpu_seconds - used()) / 2), means_.memory_mb / 3};
  }

  void decide_on(Verdict verdict, std::string engine) {
    out_.verdict = verdict;
    out_.engine = std::move(engine);
    decided_ = true;
  }

  // The reason that a user can do something about comes first.
  [[nodiscard]] std::string why_nothing_is_known() const {
    const auto any = [&](const auto& what) {
      return std::any_of(places_.begin(), places_.end(), what);
    };
    const auto full = [](const Place& place) {
      return place.engine && place.engine->out_of_memory();
    };
    const auto goes_on = [](const Place& place) { return !place.ended; };
    std::string out;
    if (places_.empty())
      out = "there is no engine to ask";
    else if (!refused_trace_.empty())
      out = "an engine has a run that breaks it, and the run cannot be replayed: " + refused_trace_;
    else if (any(full))
      out = fmt::format("an engine was out of memory, of {} MB for all: '--memory' gives it more",
                        means_.memory_mb);
    else if (!any(goes_on) && !out_.dismissed.empty())
      out = "no answer of an engine could be checked";
    else if (!any(goes_on))
      out = "no engine knows";
    else
      out = fmt::format("no engine has an answer within {:g} seconds", means_.cpu_seconds);
    if (wants_engine_program() && means_.engine_program.empty())
      out += "; 'leto-engine' is not beside 'leto', and most engines are in it";
    return out;
  }
  [[nodiscard]] bool wants_engine_program() const {
    return std::any_of(turns().begin(), turns().end(), [&](const Turn& turn) {
      return !turn.arguments.empty() &&
             (means_.engines.empty() || std::find(means_.engines.begin(), means_.engines.end(),
                                                  turn.name) != means_.engines.end());
    });
  }

  // A claim about no state is not valid.
  void look_at_beginning() {
    // A beginning that is hard to find is not to take the time of the engines.
    const CheckLimits brief{std::max(1.0, hundredths(5)), means_.memory_mb / 3};
    const Checked checked = check_beginning(system_, brief, allowance_);
    checks_ += checked.cpu_seconds;
    if (checked.result == Check::Vacuous) {
      out_.why = "there is no initial state";
      decide_on(Verdict::Vacuous, "");
    } else if (checked.result == Check::Contradiction) {
      out_.why = checked.why;
      decide_on(Verdict::Contradiction, "");
    }
  }

  // What the claim does not depend on, engines do not see.
  void leave_out() {
    const double most = std::max(0.5, hundredths(2));
    Slice slice{most};
    cone_ = find_cone(system_, number_, facts_, slice, means_.memory_mb / 3, allowance_);
    checks_ += most - slice.seconds;
  }
  // One of them sees all: a variable that nothing needs may be what makes an invariant easy to say.
  [[nodiscard]] const System& seen_by(const Turn& turn) const {
    return cone_ && turn.name != std::string_view("spacer") ? cone_->system : system_;
  }

  void take_places() {
    for (const Turn& turn : turns()) {
      if (!means_.engines.empty() && std::find(means_.engines.begin(), means_.engines.end(),
                                               turn.name) == means_.engines.end())
        continue;
      if (!turn.arguments.empty() && means_.engine_program.empty()) continue;
      places_.push_back({&turn, {}, hundredths(turn.first), hundredths(turn.share)});
    }
  }

  std::unique_ptr<Engine> start(const Turn& turn) const {
    const std::uint64_t memory = means_.memory_mb / 3;
    if (turn.name == std::string_view("k-induction"))
      return std::make_unique<Induction>(seen_by(turn), number_, facts_, memory);
    if (turn.arguments.empty())
      return std::make_unique<BoundedSearch>(seen_by(turn), number_, memory,
                                             BoundedSearch::Runs::NoRepeats);
    std::vector<std::string> arguments(turn.arguments.begin(), turn.arguments.end());
    arguments.insert(arguments.end(),
                     {"--cpu", fmt::format("{}", static_cast<long>(means_.cpu_seconds) + 1),
                      "--memory", std::to_string(memory)});
    return std::make_unique<ForeignEngine>(seen_by(turn), number_, facts_, means_.engine_program,
                                           arguments, memory);
  }

  // One for each that may go on. False once nobody can, or nothing is left.
  bool give_turns() {
    bool anybody = false;
    for (Place& place : places_) {
      if (decided_ || allowance_.spent()) return false;
      if (begin_again_) break;
      if (place.ended) continue;
      const double taken = place.engine ? place.engine->cpu_seconds() : 0;
      const double seconds = std::min({place.slice, place.share - taken, left()});
      if (seconds <= 0.001) continue;
      anybody = true;
      give_turn(place, seconds);
    }
    if (begin_again_) {
      begin_again();
      return true;
    }
    return anybody || share_what_is_left();
  }

  void give_turn(Place& place, double seconds) {
    if (!place.engine) place.engine = start(*place.turn);
    tell_(fmt::format("{}: {}, {}", claim_.name, place.turn->name, place.engine->progress()));
    Slice slice{seconds};
    const Proposal proposal = place.engine->advance(slice, allowance_);
    place.slice *= 2;
    place.ended = place.engine->has_ended();
    consider(place, proposal);
  }

  // What those that have ended did not need goes to the others, by their shares.
  bool share_what_is_left() {
    double shares = 0;
    for (const Place& place : places_)
      if (!place.ended) shares += place.turn->share;
    const double rest = left();
    if (shares <= 0 || rest < 0.01) return false;
    for (Place& place : places_)
      if (!place.ended) {
        const double taken = place.engine ? place.engine->cpu_seconds() : 0;
        place.share = taken + rest * place.turn->share / shares;
        place.slice = place.share;
      }
    return true;
  }

  void consider(const Place& place, const Proposal& proposal) {
    switch (proposal.kind) {
      case Proposal::Kind::Nothing:
        return;
      case Proposal::Kind::Valid:
        consider_certificate(place, with_facts(proposal));
        // Without what helped it is smaller, and may do as well.
        if (!decided_ && !facts_.empty())
          consider_certificate(place, {proposal.k, proposal.invariant});
        return;
      case Proposal::Kind::Invalid:
        return consider_trace(place, proposal.trace);
    }
  }

  // The engine was given the facts, so they stand beside what it says, and before it: what it says
  // may follow from them in the same state only.
  [[nodiscard]] Certificate with_facts(const Proposal& proposal) const {
    std::vector<Term> all = facts_;
    all.push_back(proposal.invariant);
    return {std::max(least_k_, proposal.k), system_.terms->and_(std::move(all))};
  }

  void consider_certificate(const Place& place, const Certificate& certificate) {
    tell_(fmt::format("{}: {}, checking its certificate", claim_.name, place.turn->name));
    const Checked checked =
        check_certificate(system_, claim_, certificate, check_limits(), allowance_);
    checks_ += checked.cpu_seconds;
    switch (checked.result) {
      case Check::Accepted:
        out_.certificate = certificate;
        out_.checked_by = checked.by;
        return decide_on(Verdict::Valid, place.turn->name);
      case Check::Contradiction:
        out_.why = checked.why;
        return decide_on(Verdict::Contradiction, place.turn->name);
      case Check::Vacuous:
        out_.why = "there is no initial state";
        return decide_on(Verdict::Vacuous, "");
      case Check::Refused:
        out_.dismissed.push_back(
            fmt::format("{} says valid, but {}", place.turn->name, checked.why));
    }
  }

  void consider_trace(const Place& place, const std::optional<Trace>& trace) {
    if (!trace) {
      // The search makes the trace, if there is one; it gets half of what is left, and its turn
      // comes next.
      out_.dismissed.push_back(
          fmt::format("{} says invalid, and has no run to show", place.turn->name));
      for (Place& other : places_)
        if (other.turn->name == std::string_view("bounded-search")) {
          other.share += left() / 2;
          other.slice = other.share;
        }
      return;
    }
    std::optional<Trace> whole = trace;
    if (cone_) {
      const double most = std::max(1.0, hundredths(kReserve));
      Slice slice{most};
      whole = complete(system_, *cone_, *trace, slice, means_.memory_mb / 3, allowance_);
      checks_ += most - slice.seconds;
      if (!whole) return go_on_with_all(place);
    }
    const Replayed replayed = replay(system_, claim_, *whole);
    if (replayed.fault) {
      refused_trace_ = *replayed.fault;
      out_.dismissed.push_back(
          fmt::format("{} says invalid, but of its run {}", place.turn->name, *replayed.fault));
      return;
    }
    out_.trace = whole;
    out_.steps = replayed.steps;
    decide_on(Verdict::Invalid, place.turn->name);
  }

  // A run of the cone that is none of the whole: engines begin again, with everything.
  void go_on_with_all(const Place& place) {
    out_.dismissed.push_back(fmt::format(
        "{} says invalid, but its run has no values for what the claim does not depend on",
        place.turn->name));
    begin_again_ = true;
  }
  void begin_again() {
    begin_again_ = false;
    for (const Place& place : places_)
      if (place.engine) checks_ += place.engine->cpu_seconds();
    places_.clear();
    cone_.reset();
    take_places();
  }

  const System& system_;
  std::size_t number_;
  const Claim& claim_;
  const Means& means_;
  const Allowance& allowance_;
  const std::function<void(const std::string&)>& tell_;
  std::optional<Cone> cone_;  // what engines see, if it is not all
  bool begin_again_ = false;
  std::vector<Term> facts_;
  unsigned least_k_ = 1;  // that the facts need
  std::vector<Place> places_;
  Decision out_;
  std::string refused_trace_;  // why, if a run did not replay
  double checks_ = 0;
  bool decided_ = false;
};

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> out;
  for (const Turn& turn : turns()) out.emplace_back(turn.name);
  return out;
}

Decision decide(const System& system, std::size_t claim, const Means& means,
                const Allowance& allowance, const std::function<void(const std::string&)>& tell,
                const std::vector<Certificate>& facts) {
  return Portfolio(system, claim, means, allowance, tell, facts).run();
}

}  // namespace leto::transition

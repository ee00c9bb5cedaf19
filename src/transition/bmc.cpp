#include "transition/bmc.h"

#include <fmt/core.h>

namespace leto::transition {

namespace {

std::vector<Sort> sorts_of_state(const System& system) {
  std::vector<Sort> out;
  for (const Variable& variable : system.variables) out.push_back(variable.sort);
  return out;
}

std::vector<Sort> sorts_of_inputs(const System& system) {
  std::vector<Sort> out;
  for (const Input& input : system.inputs) out.push_back(input.sort);
  return out;
}

std::string asserted(const std::string& formula) {
  return "(assert " + formula + ")\n";
}

}  // namespace

BoundedSearch::BoundedSearch(const System& system, std::size_t claim, std::uint64_t memory_mb,
                             Runs runs)
    : system_(system),
      claim_(system.claims.at(claim)),
      script_(system),
      session_(z3_session(), memory_mb) {
  script_.add("initial", system.initial);
  script_.add("assumed", system.assumed);
  script_.add("claim", claim_.formula);
  if (runs == Runs::NoRepeats) {
    moves_ = moves_of(system);
    transitivity_ = std::make_unique<Transitivity>(system, claim_, moves_, memory_mb);
    script_.add("rest", moves_.rest);
    for (std::size_t i = 0; i < moves_.alternatives.size(); ++i)
      script_.add(fmt::format("move{}", i), moves_.alternatives[i]);
  } else {
    script_.add("step", relation_of(system));
  }
  session_.tell(script_.declare_state(0));
  session_.tell(claimed_true("initial", 0));
  session_.tell(claimed_true("assumed", 0));
  session_.tell(script_.define("claim", 0));
}

std::string BoundedSearch::claimed_true(const std::string& name, unsigned at) {
  return script_.define(name, at) + asserted(Script::of(name, at));
}

std::string BoundedSearch::progress() const {
  return fmt::format("depth {}", depth_);
}

void BoundedSearch::ask_depth() {
  session_.tell("(push 1)\n");
  session_.tell(asserted("(not " + Script::of("claim", depth_) + ")"));
  session_.ask("(check-sat)\n");
  asked_ = Asked::Bad;
}

// One list of values for each state and each step, with an end of their own.
void BoundedSearch::ask_values() {
  std::string text;
  for (unsigned at = 0; at <= depth_; ++at) {
    text += script_.ask_state(at);
    if (at < depth_) text += script_.ask_inputs(at);
  }
  session_.ask(text);
  asked_ = Asked::Values;
}

void BoundedSearch::go_deeper() {
  session_.tell("(pop 1)\n");
  session_.tell(asserted(Script::of("claim", depth_)));
  session_.tell(script_.declare_state(depth_ + 1));
  session_.tell(script_.declare_inputs(depth_));
  session_.tell(transitivity_ ? step_without_repeats() : claimed_true("step", depth_));
  ++depth_;
  session_.tell(claimed_true("assumed", depth_));
  session_.tell(script_.define("claim", depth_));
}

// Which alternative is taken is said by symbols.
std::string BoundedSearch::step_without_repeats() const {
  Script script = script_;
  std::string out = script.define("rest", depth_) + asserted(Script::of("rest", depth_));
  std::string some;
  for (std::size_t i = 0; i < moves_.alternatives.size(); ++i) {
    const std::string move = fmt::format("move{}", i), taken = fmt::format("taken{}.", i);
    out += script.define(move, depth_) + fmt::format("(declare-fun {}{} () Bool)\n", taken, depth_);
    out += asserted(fmt::format("(=> {}{} {})", taken, depth_, Script::of(move, depth_)));
    if (transitivity_->found().at(i) && depth_ > 0)
      out += asserted(fmt::format("(not (and {0}{1} {0}{2}))", taken, depth_ - 1, depth_));
    some += fmt::format(" {}{}", taken, depth_);
  }
  return out + asserted(some.empty() ? "false" : "(or false" + some + ")");
}

Proposal BoundedSearch::advance(Slice& slice, const Allowance& allowance) {
  while (!ended_) {
    if (transitivity_ && !transitivity_->advance(slice, allowance)) return {};
    if (asked_ == Asked::Nothing) {
      if (bound_ > 0 && depth_ >= bound_) return {};
      ask_depth();
    }
    const std::optional<std::string> reply = session_.wait(slice, allowance);
    if (!reply) {
      ended_ = session_.is_dead();
      return {};
    }
    if (asked_ == Asked::Values) {
      ended_ = true;
      return read_trace(*reply);
    }
    switch (answer_in(*reply)) {
      case Answer::Sat:
        ask_values();
        break;
      case Answer::Unsat:
        go_deeper();
        asked_ = Asked::Nothing;
        break;
      case Answer::Unknown:
        ended_ = true;
        break;
    }
    if (slice.seconds <= 0) return {};
  }
  return {};
}

Proposal BoundedSearch::read_trace(const std::string& reply) {
  // The lists stand behind one another: they are told apart by their parentheses.
  std::vector<std::string> lists;
  std::string_view rest = reply;
  while (true) {
    const std::size_t begin = rest.find('(');
    if (begin == std::string_view::npos) break;
    std::size_t end = begin;
    int open = 0;
    do {
      if (rest[end] == '(') ++open;
      if (rest[end] == ')') --open;
    } while (++end < rest.size() && open > 0);
    lists.emplace_back(rest.substr(begin, end - begin));
    rest.remove_prefix(end);
  }
  Proposal claimed{Proposal::Kind::Invalid};
  Trace trace;
  std::size_t next = 0;
  const auto take = [&](const std::vector<Sort>& sorts, std::vector<std::vector<Value>>& out) {
    if (sorts.empty()) {
      out.emplace_back();
      return true;
    }
    if (next >= lists.size()) return false;
    std::optional<std::vector<Value>> values = read_values(lists[next++], sorts);
    if (values) out.push_back(std::move(*values));
    return values.has_value();
  };
  for (unsigned at = 0; at <= depth_; ++at) {
    if (!take(sorts_of_state(system_), trace.states)) return claimed;
    if (at < depth_ && !take(sorts_of_inputs(system_), trace.inputs)) return claimed;
  }
  claimed.trace = std::move(trace);
  return claimed;
}

Induction::Induction(const System& system, std::size_t claim, std::vector<Term> facts,
                     std::uint64_t memory_mb)
    : system_(system),
      base_(system, claim, memory_mb),
      script_(system),
      session_(z3_session(), memory_mb) {
  facts.insert(facts.begin(), system.claims.at(claim).formula);
  invariant_ = system.terms->and_(std::move(facts));
  script_.add("assumed", system.assumed);
  script_.add("claim", invariant_);
  script_.add("step", relation_of(system));
  session_.tell(script_.declare_state(0));
  session_.tell(claimed_true("assumed", 0) + script_.define("claim", 0));
}

std::string Induction::claimed_true(const std::string& name, unsigned at) {
  return script_.define(name, at) + asserted(Script::of(name, at));
}

std::string Induction::progress() const {
  return fmt::format("k = {}", k_);
}

// Whether k states with the claim are followed by one without it.
void Induction::ask_step() {
  session_.tell(asserted(Script::of("claim", k_ - 1)));
  session_.tell(script_.declare_state(k_));
  session_.tell(script_.declare_inputs(k_ - 1));
  session_.tell(claimed_true("step", k_ - 1));
  session_.tell(claimed_true("assumed", k_));
  session_.tell(script_.define("claim", k_));
  session_.tell("(push 1)\n");
  session_.tell(asserted("(not " + Script::of("claim", k_) + ")"));
  session_.ask("(check-sat)\n(pop 1)\n");
}

Proposal Induction::advance(Slice& slice, const Allowance& allowance) {
  while (!ended_) {
    // First that nothing is wrong in fewer than k steps.
    base_.stop_at(k_);
    if (base_.depth() < k_) {
      const Proposal found = base_.advance(slice, allowance);
      ended_ = base_.has_ended();
      if (ended_ || base_.depth() < k_) return found;
    }
    if (!session_.is_asked()) ask_step();
    const std::optional<std::string> reply = session_.wait(slice, allowance);
    if (!reply) {
      ended_ = session_.is_dead();
      return {};
    }
    const Answer answer = answer_in(*reply);
    ended_ = answer != Answer::Sat;
    if (answer == Answer::Unsat) return {Proposal::Kind::Valid, k_, invariant_};
    ++k_;
    if (slice.seconds <= 0) return {};
  }
  return {};
}

}  // namespace leto::transition

#include "protocol/happening.h"

#include <algorithm>

#include "logic/smtlib.h"
#include "transition/bmc.h"
#include "transition/text.h"

namespace leto::protocol {

using transition::Answer;
using transition::Script;

namespace {

// A step with all its choices of nodes.
struct Group {
  Happening::Step step;
  std::vector<std::size_t> members;  // of the system's steps
  bool taken = false;
};

std::vector<Group> groups_of(const transition::System& system) {
  std::vector<Group> out;
  for (std::size_t i = 0; i < system.steps.size(); ++i) {
    const std::string name = system.steps[i].name.substr(0, system.steps[i].name.find('('));
    const Span span = system.steps[i].span.value_or(Span{});
    if (out.empty() || out.back().step.name != name) out.push_back({{name, span}, {}, false});
    out.back().members.push_back(i);
  }
  return out;
}

// Runs from the beginning, one step longer each time.
class Walk {
 public:
  Walk(const Lowered& lowered, Examiner& examiner)
      : system_(lowered.system), examiner_(examiner), script_(system_) {
    script_.add("initial", system_.initial);
    script_.add("assumed", system_.assumed);
    script_.add("moves", transition::relation_of(system_));
    for (std::size_t i = 0; i < system_.steps.size(); ++i)
      script_.add(step_name(i), system_.terms->and_(system_.common, system_.steps[i].formula));
    known_ = script_.declare_state(0) + script_.define("initial", 0) +
             script_.define("assumed", 0) + is("initial", 0) + is("assumed", 0);
  }

  // Looks which of them are taken in runs of so many steps and one more, and goes on. False: that
  // is not known.
  bool look_for(std::vector<Group>& groups, unsigned at) {
    const std::string next = script_.declare_state(at + 1) + script_.declare_inputs(at) +
                             script_.define("assumed", at + 1) + is("assumed", at + 1);
    for (Group& group : groups) {
      if (group.taken) continue;
      std::string text = known_ + next, ways;
      for (const std::size_t member : group.members) {
        text += script_.define(step_name(member), at);
        ways += " " + Script::of(step_name(member), at);
      }
      switch (examiner_.ask(text + "(assert (or false" + ways + "))\n", examiner_.left() / 4)) {
        case Answer::Sat:
          group.taken = true;
          break;
        case Answer::Unsat:
          break;
        case Answer::Unknown:
          return false;
      }
    }
    known_ += next + script_.define("moves", at) + is("moves", at);
    return true;
  }

 private:
  static std::string step_name(std::size_t i) { return "step" + std::to_string(i) + "."; }
  static std::string is(const std::string& what, unsigned at) {
    return "(assert " + Script::of(what, at) + ")\n";
  }

  const transition::System& system_;
  Examiner& examiner_;
  Script script_;
  std::string known_;
};

bool is_impossible(const Lowered& lowered, const Group& group, Examiner& examiner) {
  const transition::System& system = lowered.system;
  logic::TermTable& t = *system.terms;
  std::vector<logic::Term> ways;
  for (const std::size_t member : group.members) ways.push_back(system.steps[member].formula);
  transition::Substitution later = transition::to_next(system);
  const logic::Term kept = later(system.assumed);
  logic::SmtWriter writer(t);
  return examiner.ask(writer.question({system.assumed, system.common, t.or_(std::move(ways)), kept},
                                      t.boolean(false)),
                      examiner.left() / 4) == Answer::Unsat;
}

// The shortest run behind which nothing can be taken, if it is found and can be replayed.
std::optional<unsigned> find_stop(const Lowered& lowered, Examiner& examiner, unsigned most_steps) {
  transition::System system = lowered.system;
  const std::size_t claim = system.claims.size();
  system.claims.push_back({"never stops", std::nullopt, lowered.can_go_on});
  transition::BoundedSearch search(system, claim, examiner.memory_mb(),
                                   transition::BoundedSearch::Runs::NoRepeats);
  search.stop_at(most_steps + 1);
  transition::Slice slice{examiner.left() / 4};
  const transition::Proposal found = search.advance(slice, examiner.allowance());
  examiner.take(search.cpu_seconds());
  if (found.kind != transition::Proposal::Kind::Invalid || !found.trace) return std::nullopt;
  const transition::Replayed replayed =
      transition::replay(system, system.claims[claim], *found.trace);
  if (replayed.fault) return std::nullopt;
  return static_cast<unsigned>(replayed.steps.size());
}

}  // namespace

Happening find_what_happens(const Lowered& lowered, Examiner& examiner, unsigned most_steps) {
  Happening out;
  std::vector<Group> groups = groups_of(lowered.system);
  Walk walk(lowered, examiner);
  const auto all_taken = [&] {
    return std::all_of(groups.begin(), groups.end(), [](const Group& g) { return g.taken; });
  };
  bool known = true;
  while (known && !all_taken() && out.depth < most_steps) {
    known = walk.look_for(groups, out.depth);
    if (known) ++out.depth;
  }
  for (const Group& group : groups) {
    if (group.taken) continue;
    if (is_impossible(lowered, group, examiner))
      out.impossible.push_back(group.step);
    else if (out.depth > 0)
      out.not_taken.push_back(group.step);
  }
  out.nothing = out.impossible.size() == groups.size();
  out.stops_after = find_stop(lowered, examiner, most_steps);
  return out;
}

}  // namespace leto::protocol

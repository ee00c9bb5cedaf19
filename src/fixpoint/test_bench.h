// For tests: an engine is asked, and its certificate is checked by questions of their own.
#pragma once

#include <sstream>
#include <string>

#include "fixpoint/fixpoint.h"
#include "fixpoint/system.h"

namespace leto::fixpoint {

struct Told {
  std::string verdict;  // of the last line: its first word,
  std::string rest;     // and what stands behind it
  std::string text;     // all lines
};

inline Told tell(const std::string& system, const Options& options) {
  std::istringstream in(system);
  std::ostringstream out;
  answer(in, out, options);
  Told told;
  told.text = out.str();
  const std::string all = told.text.substr(0, told.text.find_last_not_of('\n') + 1);
  const std::size_t last = all.rfind('\n');
  const std::string line = last == std::string::npos ? all : all.substr(last + 1);
  const std::size_t space = line.find(' ');
  told.verdict = line.substr(0, space);
  told.rest = space == std::string::npos ? "" : line.substr(space + 1);
  return told;
}

// The invariant of `told` read again in the place of the claim: what does it say of `system`?
struct Certificate {
  bool initial = false, inductive = false, sufficient = false;
  explicit operator bool() const { return initial && inductive && sufficient; }
};

// The text of `system` with another claim, and with no facts.
inline std::string with_claim(const std::string& system, const std::string& claim) {
  const std::size_t begin = system.rfind("(define-fun claim");
  return system.substr(0, begin) + "(define-fun claim () Bool " + claim +
         ")\n(define-fun facts () Bool true)\n";
}

// `claim` and `facts` stand at the end of `system`, in this order. K is 1 or more.
inline Certificate check_certificate(const std::string& system, const Told& told) {
  Certificate found;
  if (told.verdict != "valid") return found;
  const std::size_t space = told.rest.find(' ');
  const unsigned k = static_cast<unsigned>(std::stoul(told.rest.substr(0, space)));
  z3::context context;
  const System given = read_system(context, system);
  const System own = read_system(context, with_claim(system, told.rest.substr(space + 1)));
  // What occurs in one of the texts only is a variable of the other as well.
  Terms now = given.now;
  Terms next = given.next;
  for (std::size_t i = 0; i < own.now.size(); ++i) {
    bool known = false;
    for (const z3::expr& variable : now) known = known || z3::eq(variable, own.now[i]);
    if (known) continue;
    now.push_back(own.now[i]);
    next.push_back(own.next[i]);
  }
  const auto at = [&](const z3::expr& term, unsigned step) {
    Terms from, to;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const std::string name = now[i].decl().name().str() + "@";
      from.push_back(now[i]);
      to.push_back(context.constant((name + std::to_string(step)).c_str(), now[i].get_sort()));
      from.push_back(next[i]);
      to.push_back(context.constant((name + std::to_string(step + 1)).c_str(), now[i].get_sort()));
    }
    for (const z3::expr& input : given.inputs) {
      from.push_back(input);
      to.push_back(context.constant(
          (input.decl().name().str() + "@" + std::to_string(step)).c_str(), input.get_sort()));
    }
    return replaced(term, from, to);
  };
  const auto never = [&](const Terms& formulas) {
    z3::solver solver(context);
    for (const z3::expr& formula : formulas) solver.add(formula);
    return solver.check() == z3::unsat;
  };
  const z3::expr& invariant = own.claim;
  found.initial = true;
  Terms path{at(given.init, 0)};
  for (unsigned i = 0; i < k; ++i) {
    Terms asked = path;
    asked.push_back(!at(invariant, i));
    found.initial = found.initial && never(asked);
    path.push_back(at(given.trans, i));
  }
  Terms steps;
  for (unsigned i = 0; i < k; ++i) {
    steps.push_back(at(invariant, i));
    steps.push_back(at(given.trans, i));
  }
  steps.push_back(!at(invariant, k));
  found.inductive = never(steps);
  found.sufficient = never({invariant, !given.claim});
  return found;
}

inline bool is_certificate(const std::string& system, const Told& told) {
  return static_cast<bool>(check_certificate(system, told));
}

}  // namespace leto::fixpoint

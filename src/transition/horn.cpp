#include "transition/horn.h"

#include <fmt/core.h>

#include "transition/expressions.h"
#include "transition/text.h"

namespace leto::transition {

namespace {

// Names, and the sorts that go with them.
struct Names {
  std::string declared, applied;
  void add(const std::string& name, Sort sort) {
    declared += fmt::format("({} {})", name, sort_text(sort));
    applied += " " + name;
  }
};

// What is shared is a variable that equals it: a `let` below a quantifier takes Z3 ages to read.
std::string implication(TermWriter& writer, const std::string& declared, const std::string& before,
                        Term condition, const std::string& then) {
  std::vector<TermWriter::Definition> definitions;
  const std::string text = writer.write(condition, definitions);
  std::string variables = declared, conditions;
  for (const TermWriter::Definition& definition : definitions) {
    variables += fmt::format("({} {})", definition.name, sort_text(definition.sort));
    conditions += fmt::format(" (= {} {})", definition.name, definition.text);
  }
  const std::string body = fmt::format("(=> (and {}{} {}) {})", before, conditions, text, then);
  return variables.empty() ? fmt::format("(assert {})\n", body)
                           : fmt::format("(assert (forall ({}) {}))\n", variables, body);
}

}  // namespace

std::string write_horn(const System& system, const Claim& claim) {
  TermWriter writer(*system.terms, "t");
  Names now, next, inputs;
  std::string sorts;
  for (std::size_t i = 0; i < system.variables.size(); ++i) {
    const Variable& variable = system.variables[i];
    now.add(fmt::format("x{}", i), variable.sort);
    next.add(fmt::format("y{}", i), variable.sort);
    writer.name(variable.now, fmt::format("x{}", i));
    writer.name(variable.next, fmt::format("y{}", i));
    sorts += (i == 0 ? "" : " ") + sort_text(variable.sort);
  }
  for (std::size_t i = 0; i < system.inputs.size(); ++i) {
    inputs.add(fmt::format("u{}", i), system.inputs[i].sort);
    writer.name(system.inputs[i].term, fmt::format("u{}", i));
  }
  const auto reached = [](const Names& state) {
    return state.applied.empty() ? std::string("reached") : "(reached" + state.applied + ")";
  };
  const Term later = to_next(system)(system.assumed);
  std::string out = fmt::format("(set-logic HORN)\n(declare-fun reached ({}) Bool)\n", sorts);
  out += implication(writer, now.declared, "true",
                     system.terms->and_(system.initial, system.assumed), reached(now));
  out += implication(writer, now.declared + next.declared + inputs.declared, reached(now),
                     system.terms->and_(relation_of(system), later), reached(next));
  out +=
      implication(writer, now.declared, reached(now), system.terms->not_(claim.formula), "false");
  return out + "(check-sat)\n";
}

}  // namespace leto::transition

#include "transition/system.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "transition/terms.h"

namespace leto::transition {

using logic::Kind;
using logic::SortBase;

std::uint32_t System::add_variable(std::string_view variable, Sort sort, std::optional<Span> span,
                                   std::optional<std::uint32_t> enumeration) {
  Variable made{std::string(variable), sort, span, enumeration};
  made.now = terms->symbol(variable, sort);
  made.next = terms->symbol(made.name + "'", sort);
  variables.push_back(std::move(made));
  return static_cast<std::uint32_t>(variables.size() - 1);
}

std::uint32_t System::add_input(std::string_view input, Sort sort, std::optional<Span> span,
                                std::optional<std::uint32_t> enumeration) {
  Input made{std::string(input), sort, span, enumeration};
  made.term = terms->symbol(input, sort);
  inputs.push_back(std::move(made));
  return static_cast<std::uint32_t>(inputs.size() - 1);
}

Term relation_of(const System& system) {
  std::vector<Term> steps;
  for (const Step& step : system.steps) steps.push_back(step.formula);
  return system.terms->and_(system.common, system.terms->or_(std::move(steps)));
}

Substitution to_next(const System& system) {
  Substitution out(*system.terms);
  for (const Variable& variable : system.variables) out.replace(variable.now, variable.next);
  return out;
}

Term Substitution::operator()(Term term) {
  visit_once(
      table_, term, [&](Term t) { return done_.contains(t); },
      [&](Term t) {
        std::vector<Term> args = table_[t].args;
        bool changed = false;
        for (Term& arg : args) {
          const Term made = done_.at(arg);
          changed = changed || made != arg;
          arg = made;
        }
        done_[t] = changed ? rebuild(table_, t, args) : t;
      });
  return done_.at(term);
}

namespace {

// Looks at each term once, whatever stands where.
class Inspector {
 public:
  explicit Inspector(const System& system) : system_(system) {}

  std::optional<std::string> inspect() {
    const std::optional<std::string> names = inspect_names();
    if (names) return names;
    std::unordered_set<Term> now, any;
    for (const Variable& variable : system_.variables) {
      now.insert(variable.now);
      any.insert({variable.now, variable.next});
    }
    for (const Input& input : system_.inputs) any.insert(input.term);
    look_at(system_.initial, now, "the initial states");
    look_at(system_.assumed, now, "the assumption");
    look_at(system_.common, any, "what all steps share");
    for (const Step& step : system_.steps) {
      look_at(step.formula, any, fmt::format("step '{}'", step.name));
      for (const Remark& remark : step.remarks) {
        look_at(remark.when, any, fmt::format("a remark of step '{}'", step.name));
        if (remark.value) look_at(*remark.value, any, "a remark's value", false);
      }
    }
    for (const Claim& claim : system_.claims)
      look_at(claim.formula, now, fmt::format("claim '{}'", claim.name));
    return fault_;
  }

 private:
  std::optional<std::string> inspect_names() {
    std::unordered_set<std::string> names;
    for (const Variable& variable : system_.variables)
      inspect_name(names, variable.name, variable.sort, variable.enumeration);
    for (const Input& input : system_.inputs)
      inspect_name(names, input.name, input.sort, input.enumeration);
    return fault_;
  }

  void inspect_name(std::unordered_set<std::string>& names, const std::string& name, Sort sort,
                    std::optional<std::uint32_t> enumeration) {
    const bool writable = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return c >= ' ' && c <= '~' && c != '|' && c != '\\';
    });
    if (!writable) return tell(fmt::format("'{}' cannot be written as a name", name));
    if (!names.insert(name).second) tell(fmt::format("'{}' is declared twice", name));
    if (sort.rank != 0) tell(fmt::format("'{}' is an array", name));
    if ((sort.base == SortBase::BitVec) != (sort.width != 0))
      tell(fmt::format("'{}' has a width that its sort has not", name));
    if (enumeration && (sort != logic::kInt || *enumeration >= system_.enumerations.size()))
      tell(fmt::format("'{}' has values of an enumeration that it cannot have", name));
  }

  void look_at(Term formula, const std::unordered_set<Term>& allowed, const std::string& where,
               bool is_formula = true) {
    const TermTable& table = *system_.terms;
    if (!formula.valid()) return tell(where + " has no formula");
    if (is_formula && table.sort(formula) != logic::kBool) tell(where + " is not a formula");
    std::unordered_set<Term> seen;
    visit_once(
        table, formula, [&](Term t) { return seen.contains(t); },
        [&](Term t) {
          seen.insert(t);
          const logic::Node& node = table[t];
          if (node.kind == Kind::Symbol && !allowed.contains(t))
            tell(fmt::format("'{}' has no meaning in {}", node.text, where));
          if (!is_allowed(table, t))
            tell(fmt::format("there is a term in {} that cannot be", where));
        });
  }

  void tell(std::string fault) {
    if (!fault_) fault_ = std::move(fault);
  }

  const System& system_;
  std::optional<std::string> fault_;
};

}  // namespace

std::optional<std::string> find_fault(const System& system) {
  return Inspector(system).inspect();
}

}  // namespace leto::transition

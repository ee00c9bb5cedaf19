#include "fixpoint/system.h"

#include <map>
#include <optional>
#include <set>

namespace leto::fixpoint {

namespace {

struct Names {
  std::vector<std::pair<std::string, std::string>> state;  // now and next
  std::vector<std::string> inputs;
};

[[noreturn]] void refuse(const std::string& why) {
  throw GiveUp("the system is not understood: " + why);
}

// Cuts one symbol, without its bars, off the beginning.
std::string take_symbol(std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) refuse("a name is missing in the lines at the beginning");
  std::size_t end = 0;
  std::string name;
  if (line[begin] == '|') {
    end = line.find('|', begin + 1);
    if (end == std::string::npos) refuse("a name is not closed");
    name = line.substr(begin + 1, end - begin - 1);
    ++end;
  } else {
    end = std::min(line.find_first_of(" \t\r", begin), line.size());
    name = line.substr(begin, end - begin);
  }
  line.erase(0, end);
  if (name.empty() || name[0] == '$') refuse("there is a name that is taken: '" + name + "'");
  return name;
}

Names read_names(const std::string& text) {
  Names names;
  std::set<std::string> known{"init", "trans", "claim", "facts"};
  const auto take = [&](std::string& line) {
    std::string name = take_symbol(line);
    if (!known.insert(name).second) refuse("there is a name that is taken: '" + name + "'");
    return name;
  };
  for (std::size_t begin = 0; begin < text.size() && text[begin] == ';';) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin + 1, end - begin - 1);
    begin = end + 1;
    const std::string kind = line.empty() ? "" : take_symbol(line);
    if (kind == "state") {
      std::string now = take(line);
      names.state.emplace_back(now, take(line));
    } else if (kind == "input") {
      names.inputs.push_back(take(line));
    } else {
      refuse("'" + kind + "' is neither 'state' nor 'input'");
    }
    if (line.find_first_not_of(" \t\r") != std::string::npos) refuse("too much for one line");
  }
  return names;
}

constexpr const char* kDefinitions[] = {"init", "trans", "claim", "facts"};

// Z3 gives back assertions, so each definition becomes an equation with a tag.
Terms read_definitions(z3::context& context, const std::string& text) {
  std::string asked = text + "\n";
  for (const char* name : kDefinitions)
    asked += std::string("(declare-const |$") + name + "| Bool)(assert (= |$" + name + "| " + name +
             "))\n";
  const z3::expr_vector read = context.parse_string(asked.c_str());
  if (read.size() != 4) refuse("there are assertions");
  Terms definitions;
  for (unsigned i = 0; i < 4; ++i) {
    const z3::expr equation = read[static_cast<int>(i)];
    if (!equation.is_app() || !equation.is_eq() || !is_variable(equation.arg(0)) ||
        equation.arg(0).decl().name().str() != std::string("$") + kDefinitions[i])
      refuse(std::string("'") + kDefinitions[i] + "' is not defined as it should be");
    definitions.push_back(equation.arg(1));
  }
  return definitions;
}

void refuse_what_is_no_number(const Terms& definitions) {
  for_each_subterm(definitions, [&](const z3::expr& term) {
    if (!term.is_app()) refuse("there is a quantifier");
    const z3::sort sort = term.get_sort();
    if (!sort.is_bool() && !sort.is_int() && !sort.is_real() && !sort.is_bv())
      refuse("there is a term of the sort " + sort.to_string());
    if (term.num_args() > 0 && term.decl().decl_kind() == Z3_OP_UNINTERPRETED)
      refuse("there is a function, " + term.decl().name().str());
    return true;
  });
}

class Occurrences {
 public:
  explicit Occurrences(const Terms& definitions) {
    for (const z3::expr& variable : variables_of(definitions))
      if (!found_.emplace(variable.decl().name().str(), variable).second)
        refuse("there are two variables called " + variable.decl().name().str());
  }
  [[nodiscard]] std::optional<z3::expr> named(const std::string& name) const {
    const auto found = found_.find(name);
    return found == found_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, z3::expr> found_;
};

void demand_variables_of(const z3::expr& term, const std::vector<const Terms*>& allowed,
                         const char* where) {
  std::set<unsigned> known;
  for (const Terms* terms : allowed)
    for (const z3::expr& variable : *terms) known.insert(variable.id());
  for (const z3::expr& variable : variables_of({term}))
    if (known.count(variable.id()) == 0)
      refuse("'" + variable.decl().name().str() + "' may not be used by '" + where + "'");
}

}  // namespace

System read_system(z3::context& context, const std::string& text) {
  const Names names = read_names(text);
  const Terms definitions = read_definitions(context, text);
  refuse_what_is_no_number(definitions);
  const Occurrences occurrences(definitions);
  System system(context);
  for (const auto& [now, next] : names.state) {
    std::optional<z3::expr> first = occurrences.named(now);
    std::optional<z3::expr> second = occurrences.named(next);
    if (!first && !second) continue;  // nothing depends on it
    if (!first) first = context.constant(now.c_str(), second->get_sort());
    if (!second) second = context.constant(next.c_str(), first->get_sort());
    if (!z3::eq(first->get_sort(), second->get_sort()))
      refuse("'" + now + "' and '" + next + "' have different sorts");
    system.now.push_back(*first);
    system.next.push_back(*second);
  }
  for (const std::string& name : names.inputs)
    if (const auto input = occurrences.named(name)) system.inputs.push_back(*input);
  system.init = definitions[0];
  system.trans = definitions[1];
  system.claim = definitions[2];
  system.facts = definitions[3];
  demand_variables_of(system.init, {&system.now}, "init");
  demand_variables_of(system.trans, {&system.now, &system.next, &system.inputs}, "trans");
  demand_variables_of(system.claim, {&system.now}, "claim");
  demand_variables_of(system.facts, {&system.now}, "facts");
  return system;
}

}  // namespace leto::fixpoint

#include "transition/mcmt.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "transition/expressions.h"

namespace leto::transition {

namespace {

// Where a name stands for something.
enum class Role : std::uint8_t { Now, Next, Input };

struct Spelling {
  Role role;
  Term term;
};

// A state type: its variables, and all the ways in which a formula may call them.
struct Type {
  System system;  // has variables and inputs, and nothing else
  std::map<std::string, Spelling, std::less<>> spellings;
};

enum class Scope : std::uint8_t { Constant, States, Steps };

// A formula with a name.
struct Formula {
  std::string type;
  Scope scope;
  Term term;
};

struct Machine {
  std::string type;
  Term initial;
  std::vector<Step> steps;
  std::vector<Term> assumed;
  std::optional<std::size_t> open;  // the system that queries go to until something is assumed
};

constexpr std::string_view kReserved[] = {"true", "false", "else", "_", "let", "cond"};

class Reader {
 public:
  Reader(const SourceStore& sources, DiagnosticSink& sink)
      : sink_(sink), sexprs_(sources), expressions_(*terms_, sexprs_, Notation::Mcmt, sink) {}

  std::vector<System> read(const std::vector<FileId>& files) {
    for (const FileId file : files)
      for (const SexprId command : sexprs_.read(file, sink_)) {
        try {
          read_command(command);
        } catch (const Unreadable&) {  // it has been told
          const std::vector<SexprId>& parts = sexprs_[command].parts;
          if (parts.size() > 1) broken_.insert(std::string(sexprs_[parts[1]].text));
        }
      }
    return std::move(systems_);
  }

 private:
  using Parts = std::vector<SexprId>;

  void read_command(SexprId id) {
    const Parts& parts = sexprs_[id].parts;
    if (parts.empty() || sexprs_[parts[0]].is_list)
      refuse(DiagnosticKind::McmtSyntax, id, {"a command is wanted here"});
    const std::string_view name = sexprs_[parts[0]].text;
    if (name == "define-state-type") return define_type(id);
    if (name == "define-constant") return define_constant(id);
    if (name == "define-states") return define_formula(id, Scope::States);
    if (name == "define-transition") return define_formula(id, Scope::Steps);
    if (name == "define-transition-system") return define_machine(id);
    if (name == "assume") return assume(id);
    if (name == "query") return query(id);
    refuse(DiagnosticKind::McmtSyntax, parts[0], {fmt::format("there is no command '{}'", name)});
  }

  [[noreturn]] void refuse(DiagnosticKind kind, SexprId at, std::vector<std::string> args) {
    expressions_.refuse(kind, at, std::move(args));
  }

  // Nobody complains about a name whose definition was refused.
  [[noreturn]] void refuse_unknown(SexprId at, const std::string& name) {
    if (broken_.contains(name)) throw Unreadable{};
    refuse(DiagnosticKind::McmtUnknownName, at, {name});
  }

  // The parts of a command of so many.
  const Parts& demand_parts(SexprId id, std::size_t least, std::size_t most, const char* form) {
    const Parts& parts = sexprs_[id].parts;
    if (parts.size() < least || parts.size() > most)
      refuse(DiagnosticKind::McmtSyntax, id, {fmt::format("the form is {}", form)});
    return parts;
  }

  std::string read_name(SexprId id) {
    const Sexpr& atom = sexprs_[id];
    const auto fits = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '!' || c == '_' || c == '.' || c == '\'';
    };
    const bool reserved =
        std::find(std::begin(kReserved), std::end(kReserved), atom.text) != std::end(kReserved);
    if (atom.is_list || atom.text.empty() || reserved ||
        (atom.text[0] >= '0' && atom.text[0] <= '9') ||
        !std::all_of(atom.text.begin(), atom.text.end(), fits))
      refuse(DiagnosticKind::McmtSyntax, id,
             {fmt::format("a name is wanted here: letters, digits and ! _ . ', not '{}'",
                          sexprs_.shown(id))});
    return std::string(atom.text);
  }

  // What a name is already, of those that are known in every formula.
  std::optional<std::string> taken_globally(std::string_view name) const {
    if (constants_.contains(name)) return "it is a constant";
    if (formulas_.contains(name)) return "it is a defined formula";
    return std::nullopt;
  }
  // Of a name that is known everywhere from now on.
  void demand_new(SexprId id, const std::string& name) {
    if (const auto already = taken_globally(name))
      refuse(DiagnosticKind::McmtAmbiguousName, id, {name, *already});
    for (const auto& [type, known] : types_)
      if (known.spellings.contains(name))
        refuse(DiagnosticKind::McmtAmbiguousName, id,
               {name, fmt::format("it is a variable of '{}'", type)});
  }

  void define_type(SexprId id) {
    const Parts& parts = demand_parts(id, 3, 4, "(define-state-type name (variables) [(inputs)])");
    const std::string name = read_name(parts[1]);
    if (types_.contains(name))
      refuse(DiagnosticKind::McmtAmbiguousName, parts[1], {name, "there is such a type already"});
    Type type;
    type.system.terms = terms_;
    for (const auto& [at, variable, sort] : read_variables(parts[2])) {
      const auto index = type.system.add_variable(variable, sort, sexprs_[at].span);
      const Term now = type.system.variables[index].now, next = type.system.variables[index].next;
      spell(type, at, variable, {Role::Now, now});
      spell(type, at, "state." + variable, {Role::Now, now});
      spell(type, at, variable + "'", {Role::Next, next});
      spell(type, at, "next." + variable, {Role::Next, next});
    }
    if (parts.size() == 4)
      for (const auto& [at, input, sort] : read_variables(parts[3])) {
        const auto index = type.system.add_input(input, sort, sexprs_[at].span);
        const Term term = type.system.inputs[index].term;
        spell(type, at, input, {Role::Input, term});
        spell(type, at, "input." + input, {Role::Input, term});
      }
    types_.emplace(name, std::move(type));
  }

  struct Declared {
    SexprId at;
    std::string name;
    Sort sort;
  };
  std::vector<Declared> read_variables(SexprId id) {
    if (!sexprs_[id].is_list)
      refuse(DiagnosticKind::McmtSyntax, id, {"a list of variables with sorts is wanted here"});
    std::vector<Declared> out;
    for (const SexprId part : sexprs_[id].parts) {
      const Parts& pair = sexprs_[part].parts;
      if (pair.size() != 2)
        refuse(DiagnosticKind::McmtSyntax, part, {"a variable is a name and a sort"});
      const std::optional<Sort> sort = expressions_.read_sort(pair[1]);
      if (!sort && sexprs_.is_atom(pair[1], "Integer"))
        refuse(DiagnosticKind::McmtSort, pair[1], {"there is no sort Integer: write Int"});
      if (!sort)
        refuse(DiagnosticKind::McmtSort, pair[1],
               {"a sort is Bool, Int, Real or (_ BitVec n) with n from 1 to 4096"});
      out.push_back({pair[0], read_name(pair[0]), *sort});
    }
    return out;
  }

  void spell(Type& type, SexprId at, const std::string& name, Spelling spelling) {
    if (const auto already = taken_globally(name))
      refuse(DiagnosticKind::McmtAmbiguousName, at, {name, *already});
    if (!type.spellings.emplace(name, spelling).second)
      refuse(DiagnosticKind::McmtAmbiguousName, at, {name, "another variable is called so, too"});
  }

  void define_constant(SexprId id) {
    const Parts& parts = demand_parts(id, 3, 3, "(define-constant name expression)");
    const std::string name = read_name(parts[1]);
    demand_new(parts[1], name);
    const Typed value = read_expression(parts[2], nullptr, Scope::Constant);
    constants_.emplace(name, value);
  }

  void define_formula(SexprId id, Scope scope) {
    const Parts& parts =
        demand_parts(id, 4, 4,
                     scope == Scope::States ? "(define-states name type formula)"
                                            : "(define-transition name type formula)");
    const std::string name = read_name(parts[1]);
    demand_new(parts[1], name);
    const std::string type = read_type(parts[2]);
    formulas_.emplace(name, Formula{type, scope, read_formula(parts[3], type, scope)});
  }

  std::string read_type(SexprId id) {
    const std::string name = read_name(id);
    if (!types_.contains(name)) refuse_unknown(id, name);
    return name;
  }

  void define_machine(SexprId id) {
    const Parts& parts =
        demand_parts(id, 5, 5, "(define-transition-system name type initial-states transition)");
    const std::string name = read_name(parts[1]);
    if (machines_.contains(name))
      refuse(DiagnosticKind::McmtAmbiguousName, parts[1], {name, "there is such a system already"});
    Machine machine;
    machine.type = read_type(parts[2]);
    machine.initial = read_formula(parts[3], machine.type, Scope::States);
    machine.steps = read_steps(parts[4], machine.type);
    machines_.emplace(name, std::move(machine));
  }

  // Transitions by name, with an `or` around several: steps of these names.
  std::vector<Step> read_steps(SexprId id, const std::string& type) {
    const Parts& parts = sexprs_[id].parts;
    const auto is_transition = [&](SexprId part) {
      const auto it = formulas_.find(sexprs_[part].text);
      return !sexprs_[part].is_list && it != formulas_.end() && it->second.scope == Scope::Steps;
    };
    const bool several = parts.size() > 1 && sexprs_.is_atom(parts[0], "or") &&
                         std::all_of(parts.begin() + 1, parts.end(), is_transition);
    std::vector<Step> out;
    for (const SexprId part : several ? Parts(parts.begin() + 1, parts.end()) : Parts{id})
      out.push_back({is_transition(part) ? std::string(sexprs_[part].text) : "step",
                     read_formula(part, type, Scope::Steps),
                     sexprs_[part].span,
                     {}});
    return out;
  }

  Machine& read_machine(SexprId id) {
    const std::string name = read_name(id);
    const auto it = machines_.find(name);
    if (it == machines_.end()) refuse_unknown(id, name);
    return it->second;
  }

  void assume(SexprId id) {
    const Parts& parts = demand_parts(id, 3, 3, "(assume system formula)");
    Machine& machine = read_machine(parts[1]);
    assuming_ = true;
    struct End {
      bool& flag;
      ~End() { flag = false; }
    } const end{assuming_};
    machine.assumed.push_back(read_formula(parts[2], machine.type, Scope::States));
    machine.open.reset();
  }

  void query(SexprId id) {
    const Parts& parts = demand_parts(id, 3, 3, "(query system formula)");
    Machine& machine = read_machine(parts[1]);
    const Term formula = read_formula(parts[2], machine.type, Scope::States);
    if (!machine.open) {
      machine.open = systems_.size();
      systems_.push_back(types_.at(machine.type).system);
      System& system = systems_.back();
      system.name = std::string(sexprs_[parts[1]].text);
      system.initial = machine.initial;
      system.common = terms_->boolean(true);
      system.steps = machine.steps;
      system.assumed = terms_->and_(machine.assumed);
    }
    ++queries_;
    const bool named = !sexprs_[parts[2]].is_list && sexprs_[parts[2]].text != "true" &&
                       sexprs_[parts[2]].text != "false";
    std::string claim =
        named ? std::string(sexprs_[parts[2]].text) : fmt::format("query {}", queries_);
    if (!claims_.insert(claim).second) {
      claim += fmt::format(" (query {})", queries_);
      claims_.insert(claim);
    }
    systems_[*machine.open].claims.push_back({std::move(claim), sexprs_[id].span, formula});
  }

  Term read_formula(SexprId id, const std::string& type, Scope scope) {
    type_name_ = type;
    const Typed typed = read_expression(id, &types_.at(type), scope);
    if (terms_->sort(typed.term) != logic::kBool)
      refuse(DiagnosticKind::McmtSort, id, {"a formula is wanted here, and this is a number"});
    return typed.term;
  }

  Typed read_expression(SexprId id, const Type* type, Scope scope) {
    expressions_.forbid([&](std::string_view name) -> std::optional<std::string> {
      if (type != nullptr && type->spellings.contains(name)) return "it is a variable";
      return taken_globally(name);
    });
    expressions_.offer([this, type] {
      std::vector<std::string> near;
      for (const auto& [name, value] : constants_) near.push_back(name);
      for (const auto& [name, value] : formulas_) near.push_back(name);
      if (type != nullptr)
        for (const auto& [name, value] : type->spellings) near.push_back(name);
      return near;
    });
    return expressions_.read(id, [&](SexprId atom) { return find(atom, type, scope); });
  }

  std::optional<Typed> find(SexprId atom, const Type* type, Scope scope) {
    const std::string_view name = sexprs_[atom].text;
    if (const auto it = constants_.find(name); it != constants_.end()) return it->second;
    if (const auto it = formulas_.find(name); it != formulas_.end()) {
      if (type == nullptr || it->second.type != type_name_)
        refuse(DiagnosticKind::McmtScope, atom, {std::string(name), "speaks of other variables"});
      if (it->second.scope == Scope::Steps && scope == Scope::States)
        refuse(DiagnosticKind::McmtScope, atom, {std::string(name), "speaks of steps"});
      return Typed{it->second.term};
    }
    const bool known = type != nullptr && type->spellings.contains(name);
    if (!known && broken_.contains(name)) throw Unreadable{};
    if (!known) return std::nullopt;
    const auto it = type->spellings.find(name);
    if (scope == Scope::States && it->second.role != Role::Now)
      refuse(assuming_ ? DiagnosticKind::McmtAssumption : DiagnosticKind::McmtScope, atom,
             {std::string(name),
              it->second.role == Role::Next ? "is of the next state" : "is an input"});
    return Typed{it->second.term};
  }

  DiagnosticSink& sink_;
  std::shared_ptr<TermTable> terms_ = std::make_shared<TermTable>();
  Sexprs sexprs_;
  Expressions expressions_;
  std::map<std::string, Type, std::less<>> types_;
  std::map<std::string, Typed, std::less<>> constants_;
  std::map<std::string, Formula, std::less<>> formulas_;
  std::map<std::string, Machine, std::less<>> machines_;
  std::set<std::string, std::less<>> broken_;  // whose definitions were refused
  std::vector<System> systems_;
  std::string type_name_;
  bool assuming_ = false;
  unsigned queries_ = 0;
  std::set<std::string> claims_;  // names that are taken
};

}  // namespace

std::vector<System> read_mcmt(const SourceStore& sources, const std::vector<FileId>& files,
                              DiagnosticSink& sink) {
  return Reader(sources, sink).read(files);
}

}  // namespace leto::transition

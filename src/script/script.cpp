#include "script/script.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "script/inputs.h"
#include "script/parse.h"

namespace leto::script {

using interp::Number;
using interp::Value;
using nlohmann::json;

namespace {

// Where no type says what is meant.
constexpr core::Type kAny{core::Base::Bool, false, 0};

std::optional<Number> number_from(const json& j, const core::Type& type) {
  if (j.is_boolean() && type.base == core::Base::Bool) return Number(j.get<bool>() ? 1 : 0);
  if (j.is_string()) return Number::parse(j.get<std::string>());
  if (j.is_number_integer()) return Number::parse(to_line(j));  // others are texts by now
  return std::nullopt;
}

json number_to(const Number& n, const core::Type& type) {
  if (type.base == core::Base::Bool) return n.truth();
  if (const std::optional<std::int64_t> small = n.small()) return *small;
  return n.text();
}

std::optional<Value> value_from(const json& j, const core::Type& type, std::string& problem) {
  if (type.rank == 0) {
    const std::optional<Number> n = number_from(j, type);
    if (!n) {
      problem =
          fmt::format("{} is not a number, a truth value or a text such as \"1/2\"", to_line(j));
      return std::nullopt;
    }
    return Value{*n, nullptr};
  }
  if (!j.is_array()) {
    problem = fmt::format("a {} is written as a list, not as {}",
                          type.rank == 1 ? "vector" : "matrix", to_line(j));
    return std::nullopt;
  }
  std::vector<std::int64_t> sizes{static_cast<std::int64_t>(j.size())};
  if (type.rank == 2)
    sizes.push_back(j.empty() || !j[0].is_array() ? 0 : static_cast<std::int64_t>(j[0].size()));
  Value v = interp::zeros(sizes);
  std::size_t at = 0;
  for (const json& row : j) {
    if (type.rank == 2 && (!row.is_array() || static_cast<std::int64_t>(row.size()) != sizes[1])) {
      problem = "the rows of a matrix are lists of one length";
      return std::nullopt;
    }
    const json single = json::array({row});
    for (const json& one : type.rank == 2 ? row : single) {
      const std::optional<Number> n = number_from(one, type);
      if (!n) {
        problem = fmt::format("{} is not a number", to_line(one));
        return std::nullopt;
      }
      v.array->elements[at++] = *n;
    }
  }
  return v;
}

json value_to(const Value& v, const core::Type& type) {
  if (type.rank == 0) return number_to(v.scalar, type);
  json out = json::array();
  const interp::Array& a = *v.array;
  if (type.rank == 1) {
    for (const Number& n : a.elements) out.push_back(number_to(n, type));
    return out;
  }
  const auto width = static_cast<std::size_t>(a.sizes[1]);
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.sizes[0]); ++r) {
    json row = json::array();
    for (std::size_t c = 0; c < width; ++c)
      row.push_back(number_to(a.elements[r * width + c], type));
    out.push_back(std::move(row));
  }
  return out;
}

// The variables that inputs can name.
std::vector<core::VarId> nameable(const core::Program& program, core::FunctionId function) {
  std::vector<core::VarId> vars = program.functions[function].params;
  for (const core::ConstantVar& c : program.constants) vars.push_back(c.var);
  for (const core::StateVar& s : program.model.states) vars.push_back(s.var);
  return vars;
}

// A matrix without rows is written `[]`, which does not say how many columns it has.
void give_columns(const interp::Machine& machine, core::FunctionId function,
                  interp::Inputs& inputs) {
  const core::Program& program = machine.program();
  for (const core::Side side : {core::Side::Original, core::Side::Relaxed}) {
    interp::Scope scope{inputs.values, side};
    for (const core::ParamSize& size : program.functions[function].sizes) {
      Value& v = inputs.values.side(side)[size.param.value];
      if (size.dimension != 1 || v.array->sizes[0] != 0) continue;
      if (const auto columns = machine.evaluator().number(size.size, scope).small();
          columns && *columns >= 0)
        v = interp::zeros({0, *columns});
    }
  }
}

}  // namespace

interp::Inputs inputs_from_json(const interp::Machine& machine, core::FunctionId function,
                                const json& given, std::string& problem) {
  const core::Program& program = machine.program();
  interp::Inputs inputs = interp::empty_inputs(machine);
  if (!given.is_object()) {
    problem = "inputs are an object: {\"N\": 2, \"x\": [1, 2]}";
    return inputs;
  }
  std::vector<core::VarId> seen;
  for (const auto& [key, j] : given.items()) {
    std::string name = key;
    const bool only_original = name.ends_with("<o>"), only_relaxed = name.ends_with("<r>");
    if (only_original || only_relaxed) name.erase(name.size() - 3);
    const std::vector<core::VarId> known = nameable(program, function);
    const auto it = std::find_if(known.begin(), known.end(),
                                 [&](core::VarId var) { return program.vars[var].name == name; });
    if (it == known.end()) {
      problem = fmt::format("there is no parameter or constant '{}'", name);
      for (core::VarId var : known)
        problem += (var == known[0] ? "; there are " : ", ") + program.vars[var].name;
      return inputs;
    }
    if (name != key && program.vars[*it].kind != core::VarKind::Param) {
      problem = fmt::format("'{}' is the same in both runs: give it without a side", name);
      return inputs;
    }
    const std::optional<Value> v = value_from(j, program.vars[*it].type, problem);
    if (!v) {
      problem = fmt::format("'{}': {}", key, problem);
      return inputs;
    }
    if (!only_relaxed) inputs.values.original[it->value] = *v;
    if (!only_original) inputs.values.relaxed[it->value] = *v;
    seen.push_back(*it);
  }
  for (core::VarId param : program.functions[function].params)
    if (std::find(seen.begin(), seen.end(), param) == seen.end()) {
      problem = fmt::format("the parameter '{}' is not given", program.vars[param].name);
      return inputs;
    }
  std::vector<interp::Resolver::Unknown> unknowns;
  for (const core::ConstantVar& c : program.constants)
    if (!c.value.valid() && std::find(seen.begin(), seen.end(), c.var) == seen.end())
      unknowns.push_back({c.var, 1});
  interp::Scope scope{inputs.values, core::Side::Relaxed};
  interp::ExactChooser nearest;
  try {
    (void)machine.resolver().solve(machine.plain_constraints(), unknowns, inputs.values, scope,
                                   nearest);
    // What is computed from other constants or states that way.
    for (const core::ConstantVar& c : program.constants)
      if (c.value.valid() && std::find(seen.begin(), seen.end(), c.var) == seen.end())
        inputs.values.original[c.var.value] = inputs.values.relaxed[c.var.value] =
            machine.evaluator().value(c.value, scope);
    for (const core::StateVar& s : program.model.states)
      if (s.init.valid() && std::find(seen.begin(), seen.end(), s.var) == seen.end())
        inputs.values.original[s.var.value] = inputs.values.relaxed[s.var.value] =
            machine.evaluator().value(s.init, scope);
    give_columns(machine, function, inputs);
  } catch (const interp::Undecidable&) {
    problem = "a constraint on the constants cannot be evaluated";
    return inputs;
  }
  if (const std::optional<std::string> reason = interp::unmet(machine, function, inputs))
    problem = *reason;
  return inputs;
}

json inputs_to_json(const core::Program& program, core::FunctionId function,
                    const interp::Inputs& inputs) {
  json out = json::object();
  for (core::VarId var : nameable(program, function)) {
    const core::Var& v = program.vars[var];
    if (v.kind == core::VarKind::Constant && v.type.rank > 0) continue;  // it is written down
    const Value& original = inputs.values.original[var.value];
    const Value& relaxed = inputs.values.relaxed[var.value];
    if (interp::equal(original, relaxed)) {
      out[v.name] = value_to(original, v.type);
    } else {
      out[v.name + "<o>"] = value_to(original, v.type);
      out[v.name + "<r>"] = value_to(relaxed, v.type);
    }
  }
  return out;
}

namespace {

constexpr const char* kDefault = "default";

// "bad" for model.bad, as the model calls it.
std::string short_name(const core::Definition& function) {
  const std::string own = "model.";
  const std::string name =
      function.name.starts_with(own) ? function.name.substr(own.size()) : function.name;
  return name == kDefault ? function.name : name;
}

json functions_to_json(const core::Program& program, const interp::Tables& tables) {
  json out = json::object();
  for (const interp::Tables::Point& point : tables.points()) {
    const core::Definition& function = program.definitions[point.function];
    json args = json::array();
    for (std::size_t i = 0; i < point.args.size(); ++i)
      args.push_back(number_to(point.args[i], program.vars[function.params[i]].type));
    out[short_name(function)].push_back(
        json::array({std::move(args), number_to(point.value, function.type)}));
  }
  if (tables.usual.sign() == 0)
    out[kDefault] = false;
  else
    out[kDefault] = number_to(tables.usual, {core::Base::Real, false, 0});
  return out;
}

core::DefinitionId find_function(const core::Program& program, const std::string& name) {
  for (std::uint32_t i = 0; i < program.definitions.size(); ++i) {
    const core::Definition& one = program.definitions[core::DefinitionId{i}];
    if (one.is_unknown() && (one.name == name || short_name(one) == name))
      return core::DefinitionId{i};
  }
  return {};
}

bool is_of(const Number& n, const core::Type& type) {
  return interp::Domain{type, {}, {}, 0}.contains(n);
}

// [[3, 4], true]
bool read_point(const core::Program& program, core::DefinitionId id, const json& j,
                interp::Tables& tables) {
  const core::Definition& function = program.definitions[id];
  if (!j.is_array() || j.size() != 2 || !j[0].is_array() || j[0].size() != function.params.size())
    return false;
  std::vector<Number> args;
  for (std::size_t i = 0; i < j[0].size(); ++i) {
    const core::Type& type = program.vars[function.params[i]].type;
    const std::optional<Number> n = number_from(j[0][i], type);
    if (!n || !is_of(*n, type)) return false;
    args.push_back(*n);
  }
  const std::optional<Number> value = number_from(j[1], function.type);
  if (!value || !is_of(*value, function.type) || tables.find(id, args) != nullptr) return false;
  tables.set(id, args, *value);
  return true;
}

}  // namespace

void functions_from_json(const core::Program& program, const json& script, interp::Inputs& inputs,
                         std::string& problem) {
  if (!script.is_object() || !script.contains("functions")) return;
  const json& given = script["functions"];
  if (!given.is_object()) {
    problem = "\"functions\" is an object: {\"bad\": [[[3, 4], true]], \"default\": false}";
    return;
  }
  auto tables = std::make_shared<interp::Tables>();
  for (const auto& [key, list] : given.items()) {
    if (key == kDefault) {
      const std::optional<Number> usual = number_from(list, kAny);
      if (!usual) problem = fmt::format("{} is no default of functions", to_line(list));
      tables->usual = usual.value_or(Number(0));
      continue;
    }
    const core::DefinitionId id = find_function(program, key);
    if (!id.valid() || !list.is_array()) {
      problem = fmt::format(
          "'{}' is no function constant of the model that is left open, or {} is "
          "no list of points",
          key, to_line(list));
      return;
    }
    for (const json& point : list)
      if (!read_point(program, id, point, *tables)) {
        problem =
            fmt::format("{} is no point of '{}', or there are two of it", to_line(point), key);
        return;
      }
  }
  inputs.values.tables = std::move(tables);
}

json script_to_json(const core::Program& program, core::FunctionId function,
                    const interp::Inputs& inputs, const std::vector<interp::Taken>& taken) {
  json faults = json::array();
  for (const interp::Taken& t : taken) {
    if (!t.faulty) continue;
    const core::Specification& spec = program.specifications[t.specification];
    json state = json::object();
    for (const auto& [var, value] : t.states)
      state[program.vars[var].name] = number_to(value, program.vars[var].type);
    faults.push_back(
        {{"site", t.occurrence},
         {"specification", spec.label.empty() ? std::to_string(t.specification) : spec.label},
         {"outcome", number_to(t.outcome, program.vars[spec.outcome].type)},
         {"state", std::move(state)}});
  }
  json out{{"inputs", inputs_to_json(program, function, inputs)}, {"faults", std::move(faults)}};
  if (inputs.values.tables) out["functions"] = functions_to_json(program, *inputs.values.tables);
  return out;
}

std::vector<interp::Taken> script_from_json(const core::Program& program, const json& given,
                                            std::string& problem) {
  std::vector<interp::Taken> script;
  if (!given.is_object() || !given.contains("faults") || !given["faults"].is_array()) {
    problem = "a script is an object with a list of \"faults\"";
    return script;
  }
  for (const json& j : given["faults"]) {
    interp::Taken t;
    if (!j.is_object() || !j.contains("site") || !j["site"].is_number_unsigned() ||
        !j.contains("specification") || !j["specification"].is_string() || !j.contains("outcome")) {
      problem = fmt::format("a fault has a site, a specification and an outcome; this has not: {}",
                            to_line(j));
      return script;
    }
    t.occurrence = j["site"].get<std::uint64_t>();
    const std::string wanted = j["specification"].get<std::string>();
    bool found = false;
    for (std::uint32_t i = 0; i < program.specifications.size() && !found; ++i)
      if (program.specifications[i].label == wanted || std::to_string(i) == wanted) {
        t.specification = i;
        found = true;
      }
    if (!found) {
      problem = fmt::format("the model has no specification '{}'", wanted);
      return script;
    }
    const std::optional<Number> outcome = number_from(j["outcome"], kAny);
    if (!outcome) {
      problem = fmt::format("{} is not an outcome", to_line(j["outcome"]));
      return script;
    }
    t.outcome = *outcome;
    const json state = j.value("state", json::object());
    for (const auto& [key, v] : state.items()) {
      bool known = false;
      for (const core::StateVar& s : program.model.states)
        if (program.vars[s.var].name == key) {
          const std::optional<Number> n = number_from(v, kAny);
          if (n) t.states.emplace_back(s.var, *n);
          known = n.has_value();
        }
      if (!known) {
        problem = fmt::format("'{}' is no state of the model, or {} is no value", key, to_line(v));
        return script;
      }
    }
    script.push_back(std::move(t));
  }
  std::sort(script.begin(), script.end(),
            [](const auto& a, const auto& b) { return a.occurrence < b.occurrence; });
  return script;
}

std::string script_text(const core::Program& program, core::FunctionId function,
                        const interp::Inputs& inputs, const std::vector<interp::Taken>& taken) {
  return to_line(script_to_json(program, function, inputs, taken));
}

}  // namespace leto::script

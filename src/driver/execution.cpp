#include "driver/execution.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "check/check.h"
#include "driver/escape.h"
#include "driver/machine_text.h"
#include "driver/report.h"
#include "encode/encode.h"
#include "explain/reading.h"
#include "lower/lower.h"

namespace leto::driver {

using interp::Number;
using interp::Value;
using nlohmann::json;

std::string place(const SourceStore& sources, const Span& span) {
  if (!span.file.valid()) return "?";
  const Position at = sources[span.file].position(span.begin);
  return fmt::format("{}:{}:{}", name_on_line(sources[span.file].path()), at.line, at.column);
}

std::string operation(const core::Program& program, const core::Stmt& stmt) {
  if (const auto* relaxed = std::get_if<core::Relaxed>(&stmt.node)) return relaxed->site.what;
  if (const auto* write = std::get_if<core::Write>(&stmt.node)) return write->site.what;
  if (const auto* call = std::get_if<core::Call>(&stmt.node))
    return program.functions[call->callee].name;
  return "";
}

std::unique_ptr<Executable> prepare(Workspace& workspace, const ExecuteOptions& options,
                                    const Allowance& allowance, Streams& streams) {
  const std::string& file = options.file;
  const std::string& function = options.function;
  DiagnosticList diagnostics;
  Program program = workspace.load(file, diagnostics);
  std::unique_ptr<Executable> out;
  if (!program.trees.empty()) {
    const PickedModel picked = workspace.pick_model(program, options.model, diagnostics);
    const check::Checked checked =
        check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
    if (diagnostics.errors() == 0) {
      out = std::make_unique<Executable>();
      out->program = lower::lower(checked, workspace.names());
    }
  }
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  if (!out) return nullptr;
  std::string known;
  for (std::uint32_t i = 0; i < out->program.functions.size(); ++i) {
    const std::string& name = out->program.functions[core::FunctionId{i}].name;
    if (out->program.functions[core::FunctionId{i}].external()) {
      if (name == function) {
        streams.err << fmt::format("leto: error: '{}' is external: there is nothing to run\n",
                                   name);
        return nullptr;
      }
      continue;
    }
    known += (known.empty() ? "" : ", ") + name;
    // The last one calls the others, mostly.
    if (function.empty() || name == function) out->function = core::FunctionId{i};
  }
  if (!out->function.valid()) {
    streams.err << (function.empty()
                        ? fmt::format("leto: error: {} has no function\n", name_on_line(file))
                        : fmt::format("leto: error: {} has no function '{}'; it has {}\n",
                                      name_on_line(file), function,
                                      known.empty() ? "none" : known));
    return nullptr;
  }
  out->machine = std::make_unique<interp::Machine>(out->program, &allowance);
  return out;
}

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
std::vector<core::VarId> nameable(const Executable& e) {
  std::vector<core::VarId> vars = e.program.functions[e.function].params;
  for (const core::ConstantVar& c : e.program.constants) vars.push_back(c.var);
  for (const core::StateVar& s : e.program.model.states) vars.push_back(s.var);
  return vars;
}

// A matrix without rows is written `[]`, which does not say how many columns it has.
void give_columns(const Executable& e, interp::Inputs& inputs) {
  for (const core::Side side : {core::Side::Original, core::Side::Relaxed}) {
    interp::Scope scope{inputs.values, side};
    for (const core::ParamSize& size : e.program.functions[e.function].sizes) {
      Value& v = inputs.values.side(side)[size.param.value];
      if (size.dimension != 1 || v.array->sizes[0] != 0) continue;
      if (const auto columns = e.machine->evaluator().number(size.size, scope).small();
          columns && *columns >= 0)
        v = interp::zeros({0, *columns});
    }
  }
}

}  // namespace

interp::Inputs inputs_from_json(const Executable& e, const json& given, std::string& problem) {
  interp::Inputs inputs = interp::empty_inputs(*e.machine);
  if (!given.is_object()) {
    problem = "inputs are an object: {\"N\": 2, \"x\": [1, 2]}";
    return inputs;
  }
  std::vector<core::VarId> seen;
  for (const auto& [key, j] : given.items()) {
    std::string name = key;
    const bool only_original = name.ends_with("<o>"), only_relaxed = name.ends_with("<r>");
    if (only_original || only_relaxed) name.erase(name.size() - 3);
    const std::vector<core::VarId> known = nameable(e);
    const auto it = std::find_if(known.begin(), known.end(),
                                 [&](core::VarId var) { return e.program.vars[var].name == name; });
    if (it == known.end()) {
      problem = fmt::format("there is no parameter or constant '{}'", name);
      for (core::VarId var : known)
        problem += (var == known[0] ? "; there are " : ", ") + e.program.vars[var].name;
      return inputs;
    }
    if (name != key && e.program.vars[*it].kind != core::VarKind::Param) {
      problem = fmt::format("'{}' is the same in both runs: give it without a side", name);
      return inputs;
    }
    const std::optional<Value> v = value_from(j, e.program.vars[*it].type, problem);
    if (!v) {
      problem = fmt::format("'{}': {}", key, problem);
      return inputs;
    }
    if (!only_relaxed) inputs.values.original[it->value] = *v;
    if (!only_original) inputs.values.relaxed[it->value] = *v;
    seen.push_back(*it);
  }
  for (core::VarId param : e.program.functions[e.function].params)
    if (std::find(seen.begin(), seen.end(), param) == seen.end()) {
      problem = fmt::format("the parameter '{}' is not given", e.program.vars[param].name);
      return inputs;
    }
  std::vector<interp::Resolver::Unknown> unknowns;
  for (const core::ConstantVar& c : e.program.constants)
    if (!c.value.valid() && std::find(seen.begin(), seen.end(), c.var) == seen.end())
      unknowns.push_back({c.var, 1});
  interp::Scope scope{inputs.values, core::Side::Relaxed};
  interp::ExactChooser nearest;
  try {
    (void)e.machine->resolver().solve(e.program.constraints, unknowns, inputs.values, scope,
                                      nearest);
    // What is computed from other constants or states that way.
    for (const core::ConstantVar& c : e.program.constants)
      if (c.value.valid() && std::find(seen.begin(), seen.end(), c.var) == seen.end())
        inputs.values.original[c.var.value] = inputs.values.relaxed[c.var.value] =
            e.machine->evaluator().value(c.value, scope);
    for (const core::StateVar& s : e.program.model.states)
      if (s.init.valid() && std::find(seen.begin(), seen.end(), s.var) == seen.end())
        inputs.values.original[s.var.value] = inputs.values.relaxed[s.var.value] =
            e.machine->evaluator().value(s.init, scope);
    give_columns(e, inputs);
  } catch (const interp::Undecidable&) {
    problem = "a constraint on the constants cannot be evaluated";
    return inputs;
  }
  if (const std::optional<std::string> reason = interp::unmet(*e.machine, e.function, inputs))
    problem = *reason;
  return inputs;
}

json inputs_to_json(const Executable& e, const interp::Inputs& inputs) {
  json out = json::object();
  for (core::VarId var : nameable(e)) {
    const core::Var& v = e.program.vars[var];
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

json script_to_json(const Executable& e, const interp::Inputs& inputs,
                    const std::vector<interp::Taken>& taken) {
  json faults = json::array();
  for (const interp::Taken& t : taken) {
    if (!t.faulty) continue;
    const core::Specification& spec = e.program.specifications[t.specification];
    json state = json::object();
    for (const auto& [var, value] : t.states)
      state[e.program.vars[var].name] = number_to(value, e.program.vars[var].type);
    faults.push_back(
        {{"site", t.occurrence},
         {"specification", spec.label.empty() ? std::to_string(t.specification) : spec.label},
         {"outcome", number_to(t.outcome, e.program.vars[spec.outcome].type)},
         {"state", std::move(state)}});
  }
  return {{"inputs", inputs_to_json(e, inputs)}, {"faults", std::move(faults)}};
}

std::vector<interp::Taken> script_from_json(const Executable& e, const json& given,
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
    for (std::uint32_t i = 0; i < e.program.specifications.size() && !found; ++i)
      if (e.program.specifications[i].label == wanted || std::to_string(i) == wanted) {
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
      for (const core::StateVar& s : e.program.model.states)
        if (e.program.vars[s.var].name == key) {
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

// A solver for outcomes --------------------------------------------------------------------------

namespace {

class StepEnvironment final : public encode::Environment {
 public:
  StepEnvironment(const core::Program& program, logic::TermTable& terms,
                  const interp::Variables& state)
      : program_(program), terms_(terms), state_(state) {}
  encode::Value variable(core::VarId var, core::Side) override {
    if (const auto it = after.find(var); it != after.end()) return it->second;
    return known(var);
  }
  encode::Value old_state(core::VarId var) override { return known(var); }
  encode::Environment& snapshot(core::LoopId, bool) override { LETO_ASSERT(false); }

  encode::Value number(const Number& n, const core::Type& type) {
    if (type.base == core::Base::Bool) return {terms_.boolean(n.truth()), {}};
    const logic::Sort sort = encode::sort_of(type.element());
    const std::string text = (n.sign() < 0 ? -n : n).text();
    const std::size_t slash = text.find('/');
    logic::Term t = terms_.number(text.substr(0, slash), sort);
    if (slash != std::string::npos)
      t = terms_.arith(logic::Kind::RealDiv, t, terms_.number(text.substr(slash + 1), sort));
    return {n.sign() < 0 ? terms_.neg(t) : t, {}};
  }

  std::map<core::VarId, encode::Value> after;

 private:
  encode::Value known(core::VarId var) {
    return number(state_[var.value].scalar, program_.vars[var].type);
  }
  const core::Program& program_;
  logic::TermTable& terms_;
  const interp::Variables& state_;
};

}  // namespace

interp::Oracle solver_oracle(const Executable& e, solver::Solver& solver) {
  return [&e, &solver](std::uint32_t index, const std::vector<Number>& arguments,
                       const interp::Variables& state) -> std::optional<interp::Decision> {
    const core::Specification& spec = e.program.specifications[index];
    logic::TermTable terms;
    encode::Encoder encoder(e.program, terms);
    StepEnvironment environment(e.program, terms, state);
    std::vector<logic::Term> facts, unknowns;
    for (std::size_t i = 0; i < spec.params.size(); ++i)
      encoder.bind(spec.params[i],
                   environment.number(arguments[i], e.program.vars[spec.params[i]].type));
    const auto unknown = [&](core::VarId var) {
      const core::Var& v = e.program.vars[var];
      const encode::Value symbol = encoder.fresh(v.name, v.type, {});
      for (logic::Term fact : encoder.typing(symbol, v.type)) facts.push_back(fact);
      unknowns.push_back(symbol.term);
      return symbol;
    };
    for (core::VarId var : spec.modifies) environment.after[var] = unknown(var);
    encoder.bind(spec.outcome, unknown(spec.outcome));
    for (core::ExprId ensures : spec.ensures)
      facts.push_back(encoder.formula(ensures, environment));
    logic::SmtWriter writer(terms);
    solver::Query query{writer.question(facts, terms.boolean(false)), {}, solver::Effort::Brief};
    std::vector<bool> occurs;  // an unknown that does not may be anything
    for (logic::Term t : unknowns) {
      std::string term = writer.term(t);
      occurs.push_back(!term.empty());
      if (!term.empty()) query.values.push_back(std::move(term));
    }
    const solver::Answer answer = solver.solve(query);
    if (answer.verdict != solver::Verdict::Sat || answer.values.size() != query.values.size())
      return std::nullopt;
    interp::Decision decision;
    std::size_t next = 0;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      const std::optional<Number> n =
          occurs[i] ? explain::solver_number(answer.values[next++]) : std::optional<Number>(0);
      if (!n) return std::nullopt;
      if (i < spec.modifies.size())
        decision.states.emplace_back(spec.modifies[i], *n);
      else
        decision.outcome = *n;
    }
    return decision;
  };
}

}  // namespace leto::driver

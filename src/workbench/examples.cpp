#include "workbench/examples.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>

#include "lower/lower.h"
#include "script/inputs.h"
#include "script/parse.h"
#include "workbench/bare.h"
#include "workbench/clauses.h"

namespace leto::workbench {

using nlohmann::json;

namespace {

// Values of bound variables that are tried for one example or one run: less than a second.
constexpr std::uint64_t kInstancesOfExample = 200'000;

// A number as inputs have it: its text, without what stands around it.
json scalar_of(std::string_view text) {
  std::string digits;
  for (char c : text)
    if (c != ' ' && c != '(' && c != ')' && c != '\n' && c != '\t') digits += c;
  if (digits == "true") return true;
  if (digits == "false") return false;
  return digits;
}

json json_of(const syntax::Literal& value, const SourceFile& file) {
  if (value.scalar.valid())
    return scalar_of(file.text().substr(value.span.begin, value.span.end - value.span.begin));
  json list = json::array();
  for (const syntax::Literal& one : value.elements) list.push_back(json_of(one, file));
  return list;
}

std::set<std::string> names_of(const problem::Parts& p, const problem::FoundChecker& c,
                               const NameTable& names) {
  const std::string problem(names.text(p.item->name.name));
  std::set<std::string> wanted{problem::executed_name(c, names), problem::requires_name(problem)};
  for (std::size_t k = 0; k < p.rights.size(); ++k) wanted.insert(problem::right_name(problem, k));
  for (std::size_t k = 0; k < p.surely.size(); ++k) wanted.insert(problem::surely_name(problem, k));
  return wanted;
}

}  // namespace

json values_of(const syntax::ExampleMember& example, const SourceFile& file,
               const NameTable& names) {
  json given = json::object();
  for (const syntax::Given& one : example.given)
    given[std::string(names.text(one.name.name))] = json_of(one.value, file);
  return given;
}

namespace {

// With small numbers for one or two parameters that nothing is given for.
std::vector<json> filled_up(const core::Program& program, core::FunctionId function,
                            const json& given) {
  constexpr int kMost = 4;
  std::vector<std::string> missing;
  for (core::VarId param : program.functions[function].params) {
    const core::Var& var = program.vars[param];
    if (given.contains(var.name)) continue;
    if (var.type.rank > 0 || var.type.base == core::Base::Bool || missing.size() == 2) return {};
    missing.push_back(var.name);
  }
  std::vector<json> all{given};
  for (const std::string& name : missing) {
    std::vector<json> more;
    for (const json& one : all)
      for (int value = 0; value < kMost; ++value) {
        more.push_back(one);
        more.back()[name] = value;
      }
    all = std::move(more);
  }
  return all;
}

}  // namespace

std::vector<interp::Inputs> known_inputs(const interp::Machine& machine, core::FunctionId function,
                                         const problem::Parts& problem,
                                         const workspace::Workspace& workspace) {
  const core::Program& program = machine.program();
  std::set<std::string> params;
  for (core::VarId param : program.functions[function].params)
    params.insert(program.vars[param].name);
  const SourceFile& file = workspace.sources()[problem.tree->file];
  std::vector<interp::Inputs> found;
  for (const syntax::ExampleMember* example : problem.examples) {
    json given = values_of(*example, file, workspace.names());
    for (const syntax::RightMember* right : problem.rights)
      for (std::size_t i = 0;
           right->against.size() == example->against.size() && i < right->against.size(); ++i)
        given[std::string(workspace.names().text(right->against[i].name.name))] =
            json_of(example->against[i], file);
    for (auto it = given.begin(); it != given.end();)
      it = params.contains(it.key()) ? std::next(it) : given.erase(it);
    if (given.empty()) continue;
    for (const json& whole : filled_up(program, function, given)) {
      std::string wrong;
      interp::Inputs inputs = script::inputs_from_json(machine, function, whole, wrong);
      if (wrong.empty()) found.push_back(std::move(inputs));
    }
  }
  return found;
}

Examples::Examples(const check::Checked& checked, const workspace::Workspace& workspace,
                   const problem::Parts& problem, const problem::FoundChecker& checker,
                   const Allowance& allowance)
    : workspace_(workspace), problem_(problem), checker_(checker) {
  const std::set<std::string> wanted = names_of(problem, checker, workspace.names());
  program_ = std::make_unique<core::Program>(
      lower::lower(checked, workspace.names(), Trap::None, &wanted));
  // What it returns counts, whatever it promises.
  program_->functions[find(problem::executed_name(checker, workspace.names()))].ensures.clear();
  machine_ = std::make_unique<interp::Machine>(*program_, &allowance);
  machine_->count_instances(instances_left_.get());
}

std::optional<interp::Inputs> Examples::inputs_of(core::FunctionId function,
                                                  const syntax::ExampleMember& example,
                                                  const syntax::RightMember* right) const {
  std::string problem;
  std::optional<interp::Inputs> inputs = take(function, example, right, problem);
  return problem.empty() ? inputs : std::nullopt;
}

// What is wrong with the values is told.
std::optional<interp::Inputs> Examples::take(core::FunctionId function,
                                             const syntax::ExampleMember& example,
                                             const syntax::RightMember* right,
                                             std::string& problem) const {
  const NameTable& names = workspace_.names();
  const SourceFile& file = workspace_.sources()[problem_.tree->file];
  std::set<std::string> params;
  for (core::VarId param : program_->functions[function].params)
    params.insert(program_->vars[param].name);
  json given = json::object();
  for (const syntax::Given& one : example.given)
    if (const std::string name(names.text(one.name.name)); params.contains(name))
      given[name] = json_of(one.value, file);
  if (right != nullptr)
    for (std::size_t i = 0; i < right->against.size(); ++i)
      given[std::string(names.text(right->against[i].name.name))] =
          json_of(example.against[i], file);
  if (given.size() != params.size()) return std::nullopt;
  *instances_left_ = kInstancesOfExample;
  return script::inputs_from_json(*machine_, function, given, problem);
}

bool Examples::are_decided() const {
  return core::is_closed(*program_);
}

Examples::Met Examples::meets_requirements(const syntax::ExampleMember& example) const {
  const core::FunctionId id =
      find(problem::requires_name(workspace_.names().text(problem_.item->name.name)));
  std::string problem;
  const auto inputs = take(id, example, nullptr, problem);
  if (inputs && problem.empty()) return {Truth::Holds};
  // Else the values are not what the problem takes at all.
  if (!inputs || interp::unmet(*machine_, id, *inputs) != problem)
    return {Truth::Undecided, "its values cannot be taken: " + problem};
  if (!problem.starts_with("a requirement")) return {Truth::Unmet, problem};
  for (const core::Clause& clause : program_->functions[id].requires_) {
    const std::string text = written(workspace_.sources(), program_->exprs[clause.expr].span);
    try {
      interp::Scope scope{inputs->values, core::Side::Relaxed};
      if (!machine_->evaluator().truth(clause.expr, scope))
        return {Truth::Unmet, fmt::format("it does not meet 'requires {}'", text)};
    } catch (const interp::Undecidable&) {
      return {Truth::Undecided,
              fmt::format("whether it meets 'requires {}' could not be decided", text)};
    }
  }
  return {Truth::Undecided, problem};
}

Truth Examples::clause(const syntax::ExampleMember& example, std::size_t k) const {
  const syntax::RightMember& right = *problem_.rights[k];
  if (right.against.size() != example.against.size() && !right.against.empty())
    return Truth::Undecided;
  return judge(problem::right_name(workspace_.names().text(problem_.item->name.name), k), example,
               right.against.empty() ? nullptr : &right);
}

Truth Examples::surely(const syntax::ExampleMember& example) const {
  Truth worst = Truth::Holds;
  for (std::size_t k = 0; k < problem_.surely.size(); ++k) {
    const Truth one =
        judge(problem::surely_name(workspace_.names().text(problem_.item->name.name), k), example,
              nullptr);
    if (one == Truth::Fails) return one;
    if (one != Truth::Holds) worst = Truth::Undecided;
  }
  return worst;
}

Truth Examples::judge(const std::string& function, const syntax::ExampleMember& example,
                      const syntax::RightMember* right) const {
  const core::FunctionId id = find(function);
  const auto inputs = inputs_of(id, example, right);
  if (!inputs) return Truth::Undecided;
  if (interp::unmet(*machine_, id, *inputs)) return Truth::Unmet;
  interp::ExactChooser chooser;
  const interp::Outcome outcome = machine_->run(id, *inputs, chooser, {});
  if (outcome.end == interp::End::Done) return Truth::Holds;
  // The claim is all that can fail there.
  const bool fails =
      outcome.end == interp::End::OriginalFailed || outcome.end == interp::End::AssertFailed;
  return fails ? Truth::Fails : Truth::Undecided;
}

interp::Outcome Examples::execute(core::FunctionId id, const interp::Inputs& inputs) const {
  interp::ExactChooser chooser;
  interp::Options options;
  options.invariants = false;
  options.limits.steps = 20'000;
  return machine_->run(id, inputs, chooser, options);
}

std::optional<bool> Examples::verdict_of(const interp::Outcome& outcome) {
  if (outcome.end != interp::End::Done || outcome.relaxed.empty()) return std::nullopt;
  return outcome.relaxed[0].scalar.truth();
}

core::FunctionId Examples::find_checker() const {
  return find(problem::executed_name(checker_, workspace_.names()));
}

std::optional<interp::Outcome> Examples::execute_on(const syntax::ExampleMember& example) const {
  const core::FunctionId id = find_checker();
  const auto inputs = inputs_of(id, example, nullptr);
  if (!inputs || interp::unmet(*machine_, id, *inputs)) return std::nullopt;
  return execute(id, *inputs);
}

std::optional<bool> Examples::accepts(const syntax::ExampleMember& example) const {
  const std::optional<interp::Outcome> outcome = execute_on(example);
  return outcome ? verdict_of(*outcome) : std::nullopt;
}

bool Examples::breaks_off(const syntax::ExampleMember& example) const {
  const std::optional<interp::Outcome> outcome = execute_on(example);
  if (!outcome || stops_at_assumption(*program_, *outcome)) return false;
  using interp::End;
  switch (outcome->end) {
    case End::OriginalFailed:
    case End::OriginalHung:
    case End::AssertFailed:
    case End::CheckFailed:
    case End::Hung:
      return true;
    case End::Done:
    case End::Stuck:
    case End::Impossible:
    case End::Undecidable:
      return false;
  }
  return false;
}

bool Examples::finds_accepted() const {
  constexpr std::uint64_t kTries = 1000;
  const core::FunctionId id = find_checker();
  interp::InputOptions small;
  small.max_number = 2;
  small.max_size = 2;
  const interp::InputMaker maker(*machine_, id, small);
  *instances_left_ = kInstancesOfExample;  // of all of them
  const auto is_over = [&] { return *instances_left_ == 0 || machine_->spent(); };
  for (std::uint64_t seed = 0; seed < kTries && !is_over(); ++seed) {
    const auto inputs = maker.make(seed);
    if (!inputs) return false;
    if (verdict_of(execute(id, *inputs)).value_or(false)) return true;
  }
  return false;
}

}  // namespace leto::workbench

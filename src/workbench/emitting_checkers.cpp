#include "workbench/emitting_checkers.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "script/inputs.h"
#include "workbench/clauses.h"
#include "workbench/examples.h"

namespace leto::workbench {

using nlohmann::json;

problem::FoundChecker find_checker(const workspace::Workspace& workspace,
                                   const workspace::Program& program, const std::string& name,
                                   std::string& known) {
  problem::FoundChecker found;
  for (const problem::FoundChecker& one : problem::find_checkers({program.own})) {
    const std::string called(workspace.names().text(one.item->name.name));
    known += (known.empty() ? "" : ", ") + called;
    if (name.empty() || name == called) found = one;
  }
  return found;
}

std::vector<emit::Role> roles_of(const CheckerSource& source) {
  std::vector<emit::Role> roles(source.parts.inputs.size(), emit::Role::Input);
  roles.insert(roles.end(), source.parts.outputs.size(), emit::Role::Output);
  roles.insert(roles.end(), source.checker.item->witness.size(), emit::Role::Witness);
  return roles;
}

namespace {

// What is right, by clauses.
void add_rights(const CheckerSource& source, std::vector<std::string>& out) {
  const problem::Parts& p = source.parts;
  const auto text = [&](syntax::ExprId id) {
    return written(source.workspace.sources(), p.tree->exprs[id].span);
  };
  for (syntax::ExprId need : p.needs) out.push_back("  requires   " + text(need));
  for (const syntax::RightMember* right : p.rights) {
    if (right->against.empty()) {
      out.push_back("  right      " + text(right->expr));
      continue;
    }
    std::string challengers;
    for (const syntax::Param& param : right->against)
      challengers += (challengers.empty() ? "" : ", ") +
                     std::string(source.workspace.names().text(param.name.name));
    out.push_back(fmt::format("  right      whatever {} may be{}: {}", challengers,
                              right->when.valid() ? ", if " + text(right->when) : "",
                              text(right->expr)));
  }
  for (const syntax::RightMember* right : p.surely)
    out.push_back("  surely     " + text(right->expr));
}

std::string reject_text(const CheckerSource& source, bool complete) {
  if (!complete) return "nothing: what is right may be rejected too.";
  std::string out =
      source.parts.surely.empty() ? "the outputs are wrong" : "the outputs are not surely right";
  if (!source.checker.item->witness.empty()) out += ", or the witness does not certify them";
  if (source.checker.item->when.valid())
    out += ", or this checker is not for them: it is for " +
           written(source.workspace.sources(),
                   source.checker.tree->exprs[source.checker.item->when].span);
  return out + ".";
}

}  // namespace

std::vector<std::string> notes_of(const CheckerSource& source, const emit::Request& request,
                                  const emit::Emitted& emitted, bool complete) {
  const bool rounded = emitted.uses_reals && request.reals == emit::Reals::Double;
  const NameTable& names = source.workspace.names();
  std::vector<std::string> out;
  out.push_back(fmt::format("Whether outputs are right for inputs, by checker {} for {}.",
                            names.text(source.checker.item->name.name),
                            names.text(source.checker.item->problem.name)));
  add_rights(source, out);
  if (const syntax::CertifiesClause* clause = problem::certifies_of(*source.checker.item))
    out.push_back("  certifies  " + written(source.workspace.sources(),
                                            source.checker.tree->exprs[clause->expr].span));
  for (const std::string& one : emitted.trusted)
    out.push_back("TRUSTED, and not evaluated: " + one);
  if (request.unproved) {
    out.emplace_back("NOT PROVED: nothing is known of what it accepts and rejects.");
  } else if (rounded) {
    out.emplace_back(
        "Reals are rounded here: what it accepts and rejects says nothing about exact");
    out.emplace_back("ones. With '--real gmp' it does.");
  } else {
    out.emplace_back("accept     the outputs are right, and that is proved.");
    out.push_back("reject     " + reject_text(source, complete));
  }
  out.push_back(
      fmt::format("undecided  nothing is said: inputs are not of their sizes, do not meet "
                  "`requires` or share"));
  out.push_back(
      request.integers == emit::Integers::Gmp
          ? std::string("           memory with what is checked, or memory is short.")
          : fmt::format("           memory with what is checked, a number on the way does "
                        "not fit into {}, or",
                        emit::spelling(request.integers)));
  if (request.integers != emit::Integers::Gmp) out.emplace_back("           memory is short.");
  if (problem::can_give_up(source.checker, names))
    out.emplace_back("           Or the checker gives up: it says 'return unknown'.");
  return out;
}

std::vector<CaseExample> examples_of(const CheckerSource& source, const core::Program& program,
                                     core::FunctionId function, const Allowance& allowance) {
  const interp::Machine machine(program, &allowance);
  const SourceFile& file = source.workspace.sources()[source.parts.tree->file];
  std::vector<CaseExample> out;
  for (const syntax::ExampleMember* example : source.parts.examples) {
    const json given = values_of(*example, file, source.workspace.names());
    CaseExample one;
    json known = json::object();
    for (core::VarId param : program.functions[function].params)
      if (const auto it = given.find(program.vars[param].name); it != given.end()) {
        known[it.key()] = *it;
        one.given.insert(param);
      }
    std::string problem;  // something may be missing
    one.values = script::inputs_from_json(machine, function, known, problem);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace leto::workbench

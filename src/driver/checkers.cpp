#include "driver/checkers.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

#include "driver/execution.h"
#include "driver/unrolled.h"
#include "prove/infer.h"

namespace leto::driver {

namespace {

constexpr core::Type kBool{core::Base::Bool, false, 0};

struct Made {
  core::FunctionId function;
  std::vector<std::pair<core::ExprId, std::string>> claims;  // and what is to be feared of each
};

// A function that tries and checks, from any state of the model and equal variables, and claims
// that the check is perfect.
Made make(core::Program& p, const core::Recovery& r) {
  const auto apply = [&](core::Op op, std::vector<core::ExprId> args) {
    return p.exprs.add({kBool, r.span, core::Apply{op, std::move(args)}});
  };
  const auto ref = [&](core::VarId var, core::Side side) {
    return p.exprs.add({p.vars[var].type, r.span, core::VarRef{var, side}});
  };
  const auto same = [&](core::VarId var) {
    return apply(core::Op::Eq, {ref(var, core::Side::Original), ref(var, core::Side::Relaxed)});
  };
  std::set<core::VarId> read, set, declared;
  const auto reads = [&](core::ExprId id) {
    core::for_each_read(p, id, [&](core::VarId var, core::Side) { read.insert(var); });
  };
  for (core::StmtId block : {r.body, r.test})
    core::for_each_statement(p, block, [&](core::StmtId id) {
      for (core::ExprId expr : core::evaluated(p, id)) reads(expr);
      std::visit(
          [&](const auto& s) {
            if constexpr (requires { s.target; }) {
              if (s.target.valid()) set.insert(s.target);
            }
            if constexpr (std::is_same_v<std::decay_t<decltype(s)>, core::Declare>)
              declared.insert(s.target);
          },
          p.stmts[id].node);
    });
  reads(r.check);
  core::Function f;
  f.name = "check of a recovery";
  f.span = r.span;
  const auto outer = [&](core::VarId var) {
    const core::VarKind kind = p.vars[var].kind;
    return kind != core::VarKind::Temp && kind != core::VarKind::State &&
           kind != core::VarKind::Constant && kind != core::VarKind::Bound &&
           !declared.contains(var);
  };
  std::set<core::VarId> all = read;
  all.insert(set.begin(), set.end());
  for (core::VarId var : all)
    if (outer(var)) {
      f.params.push_back(var);
      f.requires_.push_back({same(var), true});
    }
  // What is right: everything that the block sets and somebody can see afterwards.
  core::ExprId right = p.exprs.add({kBool, r.span, core::BoolConst{true}});
  for (core::VarId var : set)
    if (outer(var)) right = apply(core::Op::And, {right, same(var)});
  // The check, read in one run.
  const std::function<core::ExprId(core::ExprId, core::Side)> on =
      [&](core::ExprId id, core::Side side) -> core::ExprId {
    core::Expr e = p.exprs[id];
    if (auto* var = std::get_if<core::VarRef>(&e.node)) {
      if (p.vars[var->var].kind != core::VarKind::Constant) var->side = side;
    } else if (auto* select = std::get_if<core::Select>(&e.node)) {
      select->vector = on(select->vector, side);
      for (core::ExprId& index : select->indices) index = on(index, side);
    } else if (auto* length = std::get_if<core::Length>(&e.node)) {
      length->vector = on(length->vector, side);
    } else if (auto* node = std::get_if<core::Apply>(&e.node)) {
      for (core::ExprId& arg : node->args) arg = on(arg, side);
    }
    return p.exprs.add(std::move(e));
  };
  const core::ExprId original = on(r.check, core::Side::Original),
                     relaxed = on(r.check, core::Side::Relaxed);
  core::Block body{{r.body, r.test}};
  Made made{{},
            {{original, "it may fail in the original run"},
             {apply(core::Op::Implies, {relaxed, right}), "it may pass what is wrong"},
             {apply(core::Op::Implies, {right, relaxed}), "it may fail what is right"}}};
  for (const auto& [claim, doubt] : made.claims)
    body.body.push_back(p.stmts.add({r.span, core::Claim{core::ClaimKind::AssertR, claim}}));
  f.body = p.stmts.add({r.span, std::move(body)});
  made.function = p.functions.add(std::move(f));
  // Somebody calls it by its contract, hence from any state.
  core::Function caller;
  caller.name = "caller";
  caller.span = r.span;
  caller.body = p.stmts.add({r.span, core::Call{made.function, {}, {}}});
  p.functions.add(std::move(caller));
  return made;
}

// Proves what is claimed in one function. Runs that fail (out of bounds, an assertion, no way on)
// do not come to their end, and nothing is said of those; everything else that is assumed later has
// to be shown.
struct Shown {
  bool all = true;
  vcgen::Obligation first = {};  // that is not
  prove::Status status = prove::Status::Proved;
};
Shown show(core::Program& program, core::FunctionId function, bool of_ends, prove::Engine& engine) {
  logic::TermTable terms;
  prove::Discharger discharger(terms, engine);
  const prove::Proposals proposals = prove::propose(program, prove::Width::Usual);
  vcgen::Options options;
  options.trust_original = true;
  prove::Inference inference =
      prove::infer(program, proposals, terms, options, discharger, {}, function);
  std::vector<std::size_t> claims;
  for (std::size_t k = 0; k < inference.obligations.size(); ++k) {
    const vcgen::ClaimKind kind = inference.obligations[k].kind;
    const bool fails = kind == vcgen::ClaimKind::Check || kind == vcgen::ClaimKind::Assert ||
                       kind == vcgen::ClaimKind::Enabled;
    if (!of_ends || !fails) claims.push_back(k);
  }
  std::vector<prove::Outcome> outcomes(inference.obligations.size());
  discharger.run(
      inference.obligations, claims, [](std::size_t, bool) {}, outcomes);
  Shown out;
  if (!inference.incomplete.empty()) out.all = false;
  for (std::size_t k : claims) {
    if (outcomes[k].status() == prove::Status::Proved) continue;
    if (out.all) {
      out.first = inference.obligations[k];
      out.status = outcomes[k].status();
    }
    out.all = false;
  }
  return out;
}

// What every proof under a model rests on: its constants can exist, its invariants are kept.
bool model_is_sound(const core::Program& program, prove::Engine& engine) {
  logic::TermTable terms;
  prove::Discharger discharger(terms, engine);
  const vcgen::Result checks = vcgen::generate_model_checks(program, terms, {});
  std::vector<std::size_t> all(checks.obligations.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<prove::Outcome> outcomes(all.size());
  discharger.run(
      checks.obligations, all, [](std::size_t, bool) {}, outcomes);
  return std::all_of(outcomes.begin(), outcomes.end(), [](const prove::Outcome& outcome) {
    return outcome.status() == prove::Status::Proved;
  });
}

// A run that breaks a claim about a check, if one is found, as small as it gets.
void example(const core::Program& program, core::FunctionId function, const vcgen::Obligation& o,
             prove::Engine& engine, Doubt& doubt) {
  const interp::Machine machine(program);
  const explain::Subject subject{machine, function, true};
  explain::Target target;
  target.span = o.span;
  target.expr = o.expr;
  target.claims = {interp::ClaimKind::AssertR};
  std::optional<explain::Plan> plan = explain::hunt(subject, {target}, {})[0];
  if (!plan) plan = unrolled(subject, target, o, engine);
  if (!plan) return;
  explain::shrink(subject, target, *plan);
  const std::optional<interp::Outcome> outcome = explain::replay(subject, target, *plan);
  if (!outcome) return;
  for (const explain::Worth& input : explain::tell(machine, target, *plan, *outcome, 1).inputs)
    doubt.inputs.emplace_back(input.text, input.value);
  for (const interp::Taken& taken : outcome->taken) {
    const core::Type& type = program.vars[program.specifications[taken.specification].outcome].type;
    doubt.faults.push_back(
        {program.stmts[taken.statement].span, operation(program, program.stmts[taken.statement]),
         interp::text({taken.outcome, nullptr}, type), interp::text({taken.exact, nullptr}, type)});
  }
}

// Those that are known by their contracts only, from a statement on.
void contracts(const core::Program& program, core::StmtId id, std::set<core::FunctionId>& seen,
               std::vector<core::FunctionId>& out) {
  core::for_each_statement(program, id, [&](core::StmtId inner) {
    const auto* call = std::get_if<core::Call>(&program.stmts[inner].node);
    if (call == nullptr || !seen.insert(call->callee).second) return;
    const core::Function& f = program.functions[call->callee];
    if (f.has_contract() && !f.external()) out.push_back(call->callee);
    contracts(program, f.body, seen, out);
  });
}

}  // namespace

Checkers prove_checkers(const core::Program& program, prove::Engine& engine) {
  Checkers out;
  if (program.recoveries.empty()) return out;
  const bool sound = model_is_sound(program, engine);
  std::map<core::FunctionId, bool> kept;  // contracts
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < program.recoveries.size(); ++i) {
    if (!sound) {
      out.doubts[i] = {"what the model says of itself is not shown: see 'leto verify'"};
      continue;
    }
    core::Program copy = program;
    const core::Recovery& r = program.recoveries[i];
    const Made made = make(copy, r);
    const Shown shown = show(copy, made.function, true, engine);
    if (!shown.all) {
      out.doubts[i] = {"something that its proof rests on is not shown: see 'leto verify'"};
      for (const auto& [claim, what] : made.claims)
        if (claim == shown.first.expr) {
          out.doubts[i].text = what;
          // Each search takes a second or two where there is nothing to be found.
          if (std::chrono::steady_clock::now() - start < std::chrono::seconds(10))
            example(copy, made.function, shown.first, engine, out.doubts[i]);
        }
      if (shown.status == prove::Status::Unknown && out.doubts[i].inputs.empty())
        out.doubts[i].text += ", which is undecided";
      continue;
    }
    std::set<core::FunctionId> seen;
    std::vector<core::FunctionId> called;
    contracts(program, r.body, seen, called);
    contracts(program, r.test, seen, called);
    const auto unshown = std::find_if(called.begin(), called.end(), [&](core::FunctionId f) {
      const auto [it, fresh] = kept.try_emplace(f);
      if (fresh) it->second = show(copy, f, false, engine).all;
      return !it->second;
    });
    if (unshown != called.end())
      out.doubts[i] = {
          fmt::format("it rests on the contract of '{}', which is not shown: see 'leto verify'",
                      program.functions[*unshown].name)};
    else
      out.proved[i] = {{}, {}, "proved"};
  }
  return out;
}

}  // namespace leto::driver

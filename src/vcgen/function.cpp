// A function, from related inputs to its last claim.
//
// The model's state is as the model initialises it, unless somewhere the function
// is used through its contract: then it may be any state in which the model's
// invariants hold, for the caller may have met faults before. Contracts speak of
// parameters as they were passed.
#include "vcgen/walk.h"

namespace leto::vcgen {

std::string_view name(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::Assert:
      return "assert";
    case ClaimKind::AssertR:
      return "assert_r";
    case ClaimKind::Check:
      return "check";
    case ClaimKind::Enabled:
      return "enabled";
    case ClaimKind::InvariantEntry:
      return "invariant-entry";
    case ClaimKind::InvariantKept:
      return "invariant-kept";
    case ClaimKind::InferredEntry:
      return "inferred-entry";
    case ClaimKind::InferredKept:
      return "inferred-kept";
    case ClaimKind::Requires:
      return "requires";
    case ClaimKind::Ensures:
      return "ensures";
    case ClaimKind::Total:
      return "total";
    case ClaimKind::Constraints:
      return "constraints";
    case ClaimKind::ModelInvariant:
      return "model-invariant";
    case ClaimKind::Refinement:
      return "refinement";
    case ClaimKind::Recursion:
      return "recursion";
  }
  LETO_ASSERT(false);
}

namespace {

// Whether it is, by itself, the size of some parameter.
bool is_size(const core::Program& program, core::VarId var) {
  for (const core::Function& f : program.functions)
    for (const core::ParamSize& size : f.sizes)
      if (const auto* ref = std::get_if<core::VarRef>(&program.exprs[size.size].node);
          ref != nullptr && ref->var == var)
        return true;
  return false;
}

}  // namespace

Setting make_setting(const core::Program& program, logic::TermTable& terms, const Options& options,
                     Result& result, Judge* judge) {
  Setting setting{program,
                  terms,
                  encode::Encoder(program, terms),
                  options,
                  result,
                  judge,
                  {},
                  {},
                  {},
                  {},
                  {},
                  {},
                  {},
                  Symbols(terms)};
  setting.encoder.sizes_count = options.trap != Trap::SizesDoNotCount;
  if (options.bounds) setting.encoder.expand = options.bounds->size;
  for (const core::ConstantVar& c : program.constants) {
    const core::Var& v = program.vars[c.var];
    if (options.bounds && !c.value.valid() && is_size(program, c.var)) {
      setting.constants[c.var] = {terms.integer(options.bounds->size), {}};
      continue;
    }
    const Value symbol = setting.encoder.fresh(v.name, v.type, {});
    setting.typing[symbol.term] = setting.encoder.typing(symbol, v.type);
    setting.hubs.insert(symbol.term);
    setting.constants[c.var] = symbol;
  }
  Walk walk(setting, "constants");
  walk.path = terms.boolean(true);
  for (const core::ConstantVar& c : program.constants)
    if (c.value.valid())
      walk.assume(terms.eq(
          setting.constants[c.var].term,
          setting.encoder.coerce(walk.value(c.value, Side::Relaxed), program.vars[c.var].type)
              .term));
  for (core::ExprId constraint : program.constraints)
    walk.assume(walk.formula(constraint, Side::Relaxed));
  setting.constant_facts = walk.facts.all();
  return setting;
}

void verify_function(Setting& setting, core::FunctionId id, bool any_state) {
  const core::Program& program = setting.program;
  const core::Function& f = program.functions[id];
  const auto walk_it = [&](bool original_alone) {
    Walk walk(setting, f.name);
    walk.path = setting.terms.boolean(true);
    walk.prove_original = original_alone;
    walk.calls.push_back(id);
    const Run run = original_alone ? Run::Original : Run::Both;

    for (const core::StateVar& m : program.model.states) {
      const core::Type& type = program.vars[m.var].type;
      if (!any_state) {
        const Value initial = m.init.valid()
                                  ? setting.encoder.coerce(walk.value(m.init, Side::Relaxed), type)
                                  : walk.unknown(m.var, Side::Relaxed);
        walk.set(m.var, Side::Original, initial);
        walk.set(m.var, Side::Relaxed, initial);
      } else {
        walk.set(m.var, Side::Original, walk.unknown(m.var, Side::Original));
        walk.set(m.var, Side::Relaxed, walk.unknown(m.var, Side::Relaxed));
      }
    }
    walk.assume_model_invariants();
    for (core::VarId param : f.params) {
      for (Side side : {Side::Original, Side::Relaxed}) {
        if (walk.bounds() != nullptr) continue;
        const Value input = walk.unknown(param, side);
        setting.hubs.insert(input.term);
        setting.hubs.insert(input.sizes.begin(), input.sizes.end());
        walk.set(param, side, input);
      }
    }
    if (walk.bounds() != nullptr) {
      const Term size = setting.terms.integer(walk.bounds()->size);
      // Scalars first: sizes are said in terms of them.
      for (core::VarId param : f.params)
        for (Side side : {Side::Original, Side::Relaxed})
          if (program.vars[param].type.rank == 0)
            walk.set(param, side,
                     is_size(program, param) ? Value{size, {}} : walk.input(param, side, {}));
      for (core::VarId param : f.params)
        for (Side side : {Side::Original, Side::Relaxed}) {
          if (program.vars[param].type.rank == 0) continue;
          std::vector<Term> sizes(program.vars[param].type.rank, size);
          for (const core::ParamSize& s : f.sizes)
            if (s.param == param)
              if (const Term own = walk.formula(s.size, side); setting.terms.integer(own))
                sizes[s.dimension] = own;
          walk.set(param, side, walk.input(param, side, std::move(sizes)));
        }
    }
    std::vector<core::ExprId> relations;
    for (const core::Clause& clause : f.requires_)
      if (clause.relational) relations.push_back(clause.expr);
    if (!original_alone)
      walk.assume_relations(relations, std::set<core::VarId>(f.params.begin(), f.params.end()));
    for (Side side : {Side::Original, Side::Relaxed}) {
      for (const core::ParamSize& size : f.sizes)
        walk.assume(setting.terms.eq(walk.state.side(side)[size.param].sizes[size.dimension],
                                     walk.formula(size.size, side)));
      for (const core::Clause& clause : f.requires_)
        if (!clause.relational) walk.assume(walk.formula(clause.expr, side));
    }
    const State entry = walk.state;
    walk.note_moment(encode::Moment::Kind::Entry, f.span);
    if (!original_alone)
      walk.prove(ClaimKind::Requires, setting.terms.boolean(true), "the requirements can be met",
                 f.span, {{}, Side::Relaxed, true});
    if (f.result.valid())
      for (Side side : {Side::Original, Side::Relaxed})
        walk.set(f.result, side, walk.unknown(f.result, side));
    walk.execute(f.body, run);
    for (core::VarId param : f.params)
      for (Side side : {Side::Original, Side::Relaxed})
        walk.set(param, side, entry.side(side).at(param));
    for (const core::Clause& clause : f.ensures) {
      if (!clause.relational)
        walk.unary_claim(ClaimKind::Ensures, clause.expr, run, "ensures holds");
      else if (!original_alone)
        walk.prove(ClaimKind::Ensures, walk.relation(clause.expr), "ensures_r holds",
                   program.exprs[clause.expr].span, {clause.expr, Side::Relaxed, true});
    }
  };
  walk_it(false);
  if (setting.options.check_original) walk_it(true);
}

Generator::Generator(const core::Program& program, logic::TermTable& terms, const Options& options)
    : program_(program), terms_(terms), options_(options) {
  std::set<core::FunctionId> called;
  for (const core::Function& f : program.functions)
    core::for_each_statement(program, f.body, [&](core::StmtId id) {
      if (const auto* call = std::get_if<core::Call>(&program.stmts[id].node))
        called.insert(call->callee);
    });
  for (std::uint32_t i = 0; i < program.functions.size(); ++i)
    by_contract_.push_back(called.contains(core::FunctionId{i}) &&
                           program.functions[core::FunctionId{i}].has_contract() &&
                           options.trap != Trap::ContractFromInitialState);
}

Result Generator::function(core::FunctionId id, Judge& judge) const {
  Result result;
  if (program_.functions[id].external()) return result;
  Setting setting = make_setting(program_, terms_, options_, result, &judge);
  verify_function(setting, id, by_contract_[id.value]);
  return result;
}

}  // namespace leto::vcgen

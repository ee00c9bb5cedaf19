// Rule 12, summaries. A body that is walked at each call is walked twice as often with each level
// of calls. So in a large function, a callee without a contract is summed up once for each
// situation in which it is called:
//   who calls      both runs; the relaxed run alone; the original, in its own walk
//   what is equal  which arguments, and which states of the model, are one value in both runs
//   what is first  which states of the model are as the model initialises them
// Of the rest nothing is known: the body is walked from any arguments and any state in which the
// model's invariants hold. All that is claimed in it is to be shown in that walk.
//
// At its end facts are tried (summary.h, Exit), and those that are not shown are dropped, as it is
// done with invariants that nobody wrote (rule 7). Nothing of the original is taken on trust for
// them but what its own walk shows.
//
// At a call
//   the situation is read off the values: equal is what is the same term;
//   what the callee may change of the model's state, in the runs that call, is forgotten, and its
//   result is anything; then what was shown of its end is known.
// Where the original calls alone, beside a relaxed run that does not, nothing is known of its end.
//
// Where a body cannot be left, what follows a call would hold for no reason. In place that is found
// with the values at hand; of any values there are others which lead to the end. So only what
// surely comes to its end is summed up (core/endings.h): no `assume`, nothing external, no
// recursion, loops that count. For the same reason nothing is summed up where the original run is
// trusted. In the walk itself contradictions are looked for as everywhere.
//
// This shows less than a walk in place, and what is not shown is explained worse. So whoever cannot
// be proved by summaries is walked in place (prove/verification.cpp).
#include <algorithm>

#include "core/calls.h"
#include "core/endings.h"
#include "vcgen/strategy.h"
#include "vcgen/summary.h"

namespace leto::vcgen {

namespace {

constexpr std::size_t kMostExtent = 1'000'000'000;
// A callee is summed up if it is not much smaller than a function that is worth it.
constexpr std::size_t kShare = 20;
// A function is worth it if bodies are met so often in it. A long chain of calls is not: each of
// its bodies is met once.
constexpr std::size_t kTimes = 8;

bool is_flag(const core::Var& v) {
  return v.type == core::Type{core::Base::Bool, false, 0};
}

// Facts that the end of a function may have.
class ExitProposer {
 public:
  ExitProposer(const core::Program& program, core::Effects& effects, const Situation& situation)
      : program_(program),
        f_(program.functions[situation.callee]),
        run_(situation.run),
        changed_(effects.of_call(situation.callee)) {
    for (const core::StateVar& m : program.model.states)
      if (is_flag(program.vars[m.var])) flags_.push_back(m.var);
  }

  std::vector<Exit> propose() {
    if (run_ == Run::Both) propose_equal();
    each_side(run_, [&](Side side) {
      for (std::size_t i = 0; i < f_.returned(); ++i) propose_sizes(side, f_.results[i]);
      propose_states(side);
    });
    return std::move(exits_);
  }

 private:
  std::size_t add(Exit exit) {
    exits_.push_back(exit);
    return exits_.size() - 1;
  }
  void add_unless(Exit exit, std::size_t stronger) {
    exit.stronger = stronger;
    for (core::VarId flag : flags_) {
      exit.unless = flag;
      if (flag != exit.var) add(exit);
    }
  }

  void propose_equal() {
    for (core::VarId result : f_.results) {
      const Exit same{Exit::Kind::ResultEqual, Side::Open, result};
      const std::size_t equal = add(same);
      add_unless(same, equal);
      for (std::size_t d = 0; d < program_.vars[result].type.rank; ++d) {
        Exit size{Exit::Kind::SizeEqual, Side::Open, result};
        size.dimension = d;
        size.stronger = equal;
        add(size);
      }
    }
    for (const core::StateVar& m : program_.model.states) {
      if (!changed_.original.contains(m.var) && !changed_.relaxed.contains(m.var)) continue;
      const Exit equal{Exit::Kind::StateEqual, Side::Open, m.var};
      add_unless(equal, add(equal));
    }
  }
  void propose_sizes(Side side, core::VarId result) {
    for (std::size_t d = 0; d < program_.vars[result].type.rank; ++d)
      for (core::VarId param : f_.params) {
        const core::Type& type = program_.vars[param].type;
        if (type.rank == 0 && type.base == core::Base::Int)
          add({Exit::Kind::SizeIs, side, result, d, param});
        for (std::size_t e = 0; e < type.rank; ++e)
          add({Exit::Kind::SizeIs, side, result, d, param, e});
      }
  }
  void propose_states(Side side) {
    const auto& changed = side == Side::Original ? changed_.original : changed_.relaxed;
    for (const core::StateVar& m : program_.model.states) {
      if (!changed.contains(m.var)) continue;
      Exit lasts{Exit::Kind::StateLasts, side, m.var};
      lasts.stronger = add({Exit::Kind::StateKept, side, m.var});
      add(lasts);
    }
  }

  const core::Program& program_;
  const core::Function& f_;
  Run run_;
  const core::Modified& changed_;
  std::vector<core::VarId> flags_;
  std::vector<Exit> exits_;
};

// What a fact says, of a state before and the walk's state now.
class ExitReader {
 public:
  ExitReader(Walk& walk, const State& before) : w_(walk), before_(before) {}

  Term read(const Exit& exit) {
    const Term holds = read_always(exit);
    if (!exit.unless.valid()) return holds;
    return w_.terms().implies(w_.terms().not_(now(exit.unless, Side::Relaxed).term), holds);
  }

 private:
  Term read_always(const Exit& exit) {
    switch (exit.kind) {
      case Exit::Kind::ResultEqual:
        return w_.encoder().equal(now(exit.var, Side::Original), now(exit.var, Side::Relaxed));
      case Exit::Kind::SizeEqual:
        return w_.terms().eq(size(Side::Original, exit), size(Side::Relaxed, exit));
      case Exit::Kind::SizeIs: {
        const Value& param = before_.side(exit.side).at(exit.param);
        return w_.terms().eq(size(exit.side, exit), exit.of ? param.sizes[*exit.of] : param.term);
      }
      case Exit::Kind::StateEqual:
        return w_.encoder().equal(now(exit.var, Side::Original), now(exit.var, Side::Relaxed));
      case Exit::Kind::StateKept:
        return w_.encoder().equal(before_.side(exit.side).at(exit.var), now(exit.var, exit.side));
      case Exit::Kind::StateLasts: {
        const Term before = before_.side(exit.side).at(exit.var).term;
        const Term after = now(exit.var, exit.side).term;
        return is_flag(w_.program().vars[exit.var]) ? w_.terms().implies(before, after)
                                                    : w_.terms().le(before, after);
      }
    }
    LETO_ASSERT(false);
  }
  [[nodiscard]] const Value& now(core::VarId var, Side side) const {
    return w_.state.side(side).at(var);
  }
  [[nodiscard]] Term size(Side side, const Exit& exit) const {
    return now(exit.var, side).sizes[exit.dimension];
  }

  Walk& w_;
  const State& before_;
};

// The value that a state of the model starts with, if it is the same wherever it is read.
std::optional<Value> initial_value(Walk& walk, const core::StateVar& m) {
  if (!m.init.valid()) return std::nullopt;
  bool constant = true;
  core::for_each_read(walk.program(), m.init, [&](core::VarId var, Side) {
    constant = constant && walk.program().vars[var].kind == core::VarKind::Constant;
  });
  if (!constant) return std::nullopt;
  return walk.encoder().coerce(walk.value(m.init, Side::Relaxed), walk.program().vars[m.var].type);
}

bool is_same(const Value& a, const Value& b) {
  return a.term == b.term && a.sizes == b.sizes;
}

// Reads the situation off the state in which the callee is entered.
class SituationReader {
 public:
  SituationReader(Walk& walk, core::FunctionId callee, Run run)
      : w_(walk), f_(walk.program().functions[callee]) {
    found_ = {callee, run, walk.prove_original, {}, {}};
  }

  Situation read() {
    const Run run = found_.run;
    for (core::VarId param : f_.params)
      found_.equal.push_back(run == Run::Both && (is_equal(param) || is_equal_by_sizes(param)));
    for (const core::StateVar& m : w_.program().model.states)
      found_.states.push_back(shape_of(m, run));
    if (run == Run::Relaxed && w_.falls_into(Trap::SummaryOfPair)) {
      found_.run = Run::Both;
      found_.equal.assign(found_.equal.size(), true);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_equal(core::VarId var) const {
    return w_.falls_into(Trap::SummaryOfEquals) ||
           is_same(w_.state.original.at(var), w_.state.relaxed.at(var));
  }
  // One array, and each of its sizes was claimed just now to be what the function declares, which
  // is the same in both runs.
  [[nodiscard]] bool is_equal_by_sizes(core::VarId param) {
    const Value &original = w_.state.original.at(param), &relaxed = w_.state.relaxed.at(param);
    if (original.term != relaxed.term) return false;
    for (std::size_t d = 0; d < original.sizes.size(); ++d)
      if (original.sizes[d] != relaxed.sizes[d] && !is_declared_alike(param, d)) return false;
    return true;
  }
  [[nodiscard]] bool is_declared_alike(core::VarId param, std::size_t dimension) {
    return std::any_of(f_.sizes.begin(), f_.sizes.end(), [&](const core::ParamSize& size) {
      return size.param == param && size.dimension == dimension &&
             w_.formula(size.size, Side::Original) == w_.formula(size.size, Side::Relaxed);
    });
  }
  StateShape shape_of(const core::StateVar& m, Run run) {
    if (const std::optional<Value> initial = initial_value(w_, m)) {
      bool all = true;
      each_side(run, [&](Side side) {
        all = all && (w_.falls_into(Trap::SummaryFromInitialState) ||
                      is_same(w_.state.side(side).at(m.var), *initial));
      });
      if (all) return StateShape::Initial;
    }
    return run == Run::Both && is_equal(m.var) ? StateShape::Equal : StateShape::Any;
  }

  Walk& w_;
  const core::Function& f_;
  Situation found_;
};

// The walk of a body from all that a situation leaves open.
class SummaryWalk {
 public:
  SummaryWalk(Setting& setting, const Situation& situation, const std::string& function)
      : setting_(setting),
        situation_(situation),
        f_(setting.program.functions[situation.callee]),
        walk_(setting, function) {
    walk_.path = setting.terms.boolean(true);
    walk_.prove_original = situation.alone;
    walk_.place = setting.judge->inside(situation);
    walk_.calls.push_back(situation.callee);
  }

  std::vector<Exit> run() {
    begin_states();
    begin_parameters();
    const State entry = walk_.state;
    walk_.note_moment(encode::Moment::Kind::Entry, f_.span);
    walk_.forget_results(f_, situation_.run);
    walk_.execute(f_.body, situation_.run);
    std::vector<Exit> shown = find_exits(entry);
    walk_.close_assumptions(0);
    walk_.note_end(f_.span);
    return shown;
  }

 private:
  void begin_states() {
    const auto& states = setting_.program.model.states;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const core::VarId var = states[i].var;
      each_side(situation_.run, [&](Side side) { walk_.set(var, side, walk_.unknown(var, side)); });
      if (situation_.states[i] == StateShape::Initial) {
        const Value initial = *initial_value(walk_, states[i]);
        each_side(situation_.run, [&](Side side) { walk_.set(var, side, initial); });
      }
      if (situation_.states[i] == StateShape::Equal) unite(var);
    }
    if (situation_.run != Run::Original) walk_.assume_model_invariants();
  }
  void begin_parameters() {
    setting_.strategy->give_parameters(walk_, f_, situation_.run);
    for (std::size_t i = 0; i < f_.params.size(); ++i)
      if (situation_.equal[i]) unite(f_.params[i]);
    each_side(situation_.run, [&](Side side) {
      for (const core::ParamSize& size : f_.sizes)
        walk_.assume(setting_.terms.eq(walk_.state.side(side).at(size.param).sizes[size.dimension],
                                       walk_.formula(size.size, side)));
    });
    walk_.note_assumption(ClaimKind::RequirementsMet, {}, f_.span, situation_.run, kNothingBefore);
  }
  void unite(core::VarId var) { walk_.set(var, Side::Relaxed, walk_.state.original.at(var)); }

  // Facts about parameters are about what was passed.
  std::vector<Exit> find_exits(const State& entry) {
    const std::vector<Exit> proposed =
        ExitProposer(setting_.program, setting_.effects, situation_).propose();
    std::vector<std::optional<std::size_t>> stronger;
    for (const Exit& exit : proposed) stronger.push_back(exit.stronger);
    const Occurrence end{{}, walk_.place, situation_.run, situation_.alone};
    const std::size_t known = walk_.facts.size();
    const std::size_t before = setting_.result.obligations.size();
    while (true) {
      std::vector<Exit> tried;
      std::vector<Part> parts;
      for (std::size_t k : setting_.judge->choose(end, stronger)) {
        parts.push_back({tried.size(), ExitReader(walk_, entry).read(proposed[k]), true});
        tried.push_back(proposed[k]);
      }
      walk_.prove_inferred(ClaimKind::InferredExit, end, std::move(parts), f_.span);
      if (setting_.judge->stand(setting_.result.obligations, before)) return tried;
      walk_.facts.truncate(known);
      setting_.result.obligations.resize(before);
    }
  }

  Setting& setting_;
  const Situation& situation_;
  const core::Function& f_;
  Walk walk_;
};

}  // namespace

Summarisable::Summarisable(const core::Program& program, core::Effects& effects, std::size_t from)
    : from_(from),
      callees_(program.functions.size()),
      own_(program.functions.size()),
      on_all_ways_(program.functions.size()),
      covered_(program.functions.size()),
      meets_covered_(program.functions.size()) {
  const std::vector<bool> ending = core::find_ending(program, effects);
  for (const std::vector<core::FunctionId>& circle : core::find_circles(program))
    for (core::FunctionId id : circle) {
      look_at(program, id);
      const bool large = on_all_ways_[id.value] > from / kShare;
      covered_[id.value] = !program.functions[id].has_contract() && ending[id.value] && large;
    }
}

void Summarisable::look_at(const core::Program& program, core::FunctionId id) {
  own_[id.value] = core::count_statements(program, program.functions[id].body);
  std::size_t& ways = on_all_ways_[id.value];
  ways = own_[id.value];
  core::for_each_callee(program, id, [&](core::FunctionId callee) {
    if (program.functions[callee].has_contract()) return;
    callees_[id.value].push_back(callee);
    ways = std::min(ways + on_all_ways_[callee.value], kMostExtent);
    if (covered_[callee.value] || meets_covered_[callee.value]) meets_covered_[id.value] = true;
  });
}

bool Summarisable::is_worth_it(core::FunctionId id) const {
  const std::size_t ways = on_all_ways_[id.value];
  if (!meets_covered_[id.value] || ways <= from_) return false;
  return from_ == 0 || ways > kTimes * count_once(id);
}

// The statements of a function and of all that it calls, each once.
std::size_t Summarisable::count_once(core::FunctionId id) const {
  std::vector<bool> seen(own_.size());
  std::vector<core::FunctionId> open{id};
  seen[id.value] = true;
  std::size_t count = 0;
  while (!open.empty()) {
    const core::FunctionId f = open.back();
    open.pop_back();
    count += own_[f.value];
    for (core::FunctionId callee : callees_[f.value])
      if (!seen[callee.value]) {
        seen[callee.value] = true;
        open.push_back(callee);
      }
  }
  return count;
}

const Summary& Summaries::of(const Situation& situation, Setting& caller,
                             const std::string& function) {
  const auto [it, is_new] = known_.try_emplace(situation);
  if (!is_new) return *it->second;
  it->second = std::make_unique<Summary>();
  Summary& summary = *it->second;
  Result& result = summary.result;
  result.steps = caller.result.steps;
  Setting setting = make_setting(caller.program, caller.terms, caller.effects, caller.options,
                                 result, caller.judge);
  setting.summaries = caller.summaries;
  summary.exits = SummaryWalk(setting, situation, function).run();
  caller.result.steps = result.steps;
  in_order_.push_back(&summary);
  return summary;
}

void Summaries::move_to(Result& result) {
  for (Summary* summary : in_order_) {
    const std::size_t before = result.obligations.size();
    for (Obligation& o : summary->result.obligations) result.obligations.push_back(std::move(o));
    for (Assumption& a : summary->result.assumptions) {
      a.first += before;
      a.last += before;
      result.assumptions.push_back(std::move(a));
    }
    result.trusted.add(summary->result.trusted);
  }
}

// The result is anything already.
void Walk::call_by_summary(core::FunctionId callee, Run run, Span at) {
  const State before = state;
  const core::Modified& changed = setting_.effects.of_call(callee);
  const bool is_shown = run != Run::Original || prove_original;
  std::vector<Exit> exits;
  if (is_shown)
    exits = setting_.summaries->of(SituationReader(*this, callee, run).read(), setting_, function_)
                .exits;
  if (!falls_into(Trap::SummaryKeepsState))
    each_side(run, [&](Side side) {
      const auto& vars = side == Side::Original ? changed.original : changed.relaxed;
      for (const core::StateVar& m : program().model.states)
        if (vars.contains(m.var)) forget({m.var}, side);
    });
  if (run == Run::Relaxed)  // with the trap there are others
    std::erase_if(exits, [](const Exit& exit) { return exit.side != Side::Relaxed; });
  know_exits(exits, before);
  if (run != Run::Original) assume_model_invariants();
  note_moment(encode::Moment::Kind::AfterCall, at);
}

// What is equal becomes one symbol: nothing else mentions the new ones yet.
void Walk::know_exits(const std::vector<Exit>& exits, const State& before) {
  std::vector<Exit> rest;
  std::set<core::VarId> kept;
  for (const Exit& exit : exits) {
    if (exit.kind == Exit::Kind::StateKept && !exit.unless.valid()) {
      set(exit.var, exit.side, before.side(exit.side).at(exit.var));
      if (exit.side == Side::Relaxed) kept.insert(exit.var);
    } else if (exit.kind == Exit::Kind::ResultEqual && !exit.unless.valid()) {
      set(exit.var, Side::Relaxed, state.original.at(exit.var));
    } else {
      rest.push_back(exit);
    }
  }
  for (const Exit& exit : rest)
    if (exit.kind == Exit::Kind::StateEqual && !exit.unless.valid() && !kept.contains(exit.var))
      set(exit.var, Side::Relaxed, state.original.at(exit.var));
  for (const Exit& exit : rest) assume(ExitReader(*this, before).read(exit));
}

}  // namespace leto::vcgen

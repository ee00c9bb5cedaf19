// Statements.
#include "interp/execute.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::interp {

using core::Side;

namespace {

template <class F>
void for_sides(Run run, F f) {
  if (run != Run::Relaxed) f(Side::Original);
  if (run != Run::Original) f(Side::Relaxed);
}

// As `position`, with the usual case here.
std::optional<std::size_t> quick_position(const Array& array, const std::vector<Number>& indices) {
  if (indices.size() != 1) return position(array, indices);
  const std::optional<std::int64_t> index = indices[0].small();
  if (!index || *index < 0 || *index >= array.sizes[0]) return std::nullopt;
  return static_cast<std::size_t>(*index);
}

Run who_is(bool original, bool relaxed) {
  return original && relaxed ? Run::Both : original ? Run::Original : Run::Relaxed;
}

}  // namespace

Executor::Executor(const Machine& machine, ByteCode& code, Chooser& chooser, const Options& options)
    : machine_(machine),
      program_(machine.program()),
      code_(code),
      chooser_(chooser),
      options_(options),
      computer_(machine.evaluator(), code, snapshots_, machine.allowance_,
                8 * options.limits.steps) {}

Outcome Executor::function(core::FunctionId id, const Inputs& inputs, Run run) {
  // In place: the code knows where the variables are.
  code_.pair.original.set_all(inputs.values.original);
  code_.pair.relaxed.set_all(inputs.values.relaxed);
  try {
    run_body(code_.functions[id.value], run);
  } catch (const Halt& halt) {
    end_with(halt);
  } catch (const Undecidable& undecidable) {
    out_.end = End::Undecidable;
    if (undecidable.expr.valid()) out_.where = program_.exprs[undecidable.expr].span;
    out_.why = describe(program_, undecidable);
  }
  out_.steps = steps_[0] + steps_[1];
  return std::move(out_);
}

void Executor::run_body(const FunctionCode& f, Run run) {
  std::vector<std::pair<Value, Value>> passed;
  for (const Place& param : f.params) {
    passed.emplace_back(*param.original, *param.relaxed);
    for_sides(run, [&](Side side) { note_change(param, side, f.function->span, {}); });
  }
  execute(f.body, run);
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    if (run != Run::Relaxed) *f.params[i].original = passed[i].first;
    if (run != Run::Original) *f.params[i].relaxed = passed[i].second;
  }
  contract(f.ensures, run, ViolationKind::Ensures, std::nullopt);
  for (const Place& result : f.results) {
    if (run != Run::Relaxed) out_.original.push_back(*result.original);
    if (run != Run::Original) out_.relaxed.push_back(*result.relaxed);
  }
}

void Executor::end_with(const Halt& halt) {
  out_.end = halt.end;
  out_.where = halt.where;
  out_.why = halt.why;
  out_.expr = halt.expr;
  out_.statement = halt.statement;
  if (options_.events) out_.moment = moment();
}

// The original run is counted first.
void Executor::stop(bool time_is_over, Span at) const {
  if (time_is_over) throw Halt{End::Undecidable, at, "the time is over"};
  if (steps_[0] > options_.limits.steps) throw Halt{End::OriginalHung, at, ""};
  throw Halt{End::Hung, at, ""};
}

// Reading and writing ----------------------------------------------------------------------------

const Number& Executor::scalar(const ValueCode& code, Side side) {
  const Value* variable = side == Side::Original ? code.original : code.relaxed;
  return variable != nullptr ? variable->scalar : computer_.number(code.scalar.of(side));
}

Value Executor::value(const ValueCode& code, Side side) {
  if (code.walk.valid()) {
    Scope scope{code_.pair, side, &snapshots_};
    return machine_.evaluator().value(code.walk, scope);
  }
  const Value* variable = side == Side::Original ? code.original : code.relaxed;
  return variable != nullptr ? *variable : Value{computer_.number(code.scalar.of(side)), nullptr};
}

void Executor::set(const Place& place, Side side, Value v, const StatementCode& at) {
  check_length(v.scalar, at.span);
  place.of(side) = std::move(v);
  if (options_.events) note_change(place, side, at.span, at.id);
}

void Executor::set_scalar(const Place& place, Side side, const Number& n, const StatementCode& at) {
  check_length(n, at.span);
  Value& target = place.of(side);
  target.scalar = n;
  target.none = false;
  if (options_.events) note_change(place, side, at.span, at.id);
}

void Executor::read_indices(const std::vector<Sided>& indices, Side side) {
  indices_.clear();
  for (const Sided& index : indices) indices_.push_back(computer_.number(index.of(side)));
}

// At `indices_`.
void Executor::store(const Place& place, Side side, const Number& n, const StatementCode& at) {
  Value& target = place.of(side);
  const std::optional<std::size_t> where =
      target.array ? quick_position(*target.array, indices_) : std::nullopt;
  LETO_ASSERT(where);  // a check stands before every store
  check_length(n, at.span);
  if (target.array.use_count() > 1) target.array = std::make_shared<Array>(*target.array);
  target.array->elements[*where] = n;
  if (options_.events) note_store(place, side, n, at);
}

void Executor::note_store(const Place& place, Side side, const Number& n, const StatementCode& at) {
  const core::Var& var = program_.vars[place.var];
  std::string name = var.name;
  for (const Number& index : indices_) name += fmt::format("[{}]", index.text());
  out_.events.push_back({Event::Kind::Set, at.span, side, std::move(name),
                         text({n, nullptr}, var.type.element()), at.id, place.var});
}

void Executor::note_change(const Place& place, Side side, Span at, core::StmtId id) {
  if (!options_.events) return;
  const core::Var& var = program_.vars[place.var];
  out_.events.push_back(
      {Event::Kind::Set, at, side, var.name, text(place.of(side), var.type), id, place.var});
}

std::shared_ptr<const Moment> Executor::moment() const {
  return std::make_shared<const Moment>(Moment{code_.pair.duplicate(), snapshots_});
}

// Statements -------------------------------------------------------------------------------------

void Executor::execute(Child child, Run run) {
  if (child == nullptr) return;
  if (!std::holds_alternative<BlockCode>(child->node)) step(run, child->span);
  std::visit([&](const auto& s) { statement(s, *child, run); }, child->node);
}

void Executor::statement(const AssignCode& s, const StatementCode& at, Run run) {
  for_sides(run, [&](Side side) {
    const bool computed = !s.value.walk.valid() && s.value.original == nullptr;
    if (computed)
      set_scalar(s.target, side, computer_.number(s.value.scalar.of(side)), at);
    else
      set(s.target, side, value(s.value, side), at);
  });
}

void Executor::statement(const StoreCode& s, const StatementCode& at, Run run) {
  for_sides(run, [&](Side side) {
    read_indices(s.indices, side);
    store(s.target, side, computer_.number(s.value.of(side)), at);
  });
}

void Executor::statement(const DeclareCode& s, const StatementCode& at, Run run) {
  for_sides(run, [&](Side side) {
    std::vector<std::int64_t> sizes;
    std::int64_t left = options_.limits.elements;  // of which each size takes its factor
    for (const Sided& size : s.sizes) {
      const std::optional<std::int64_t> n = computer_.number(size.of(side)).small();
      if (!n || *n > left) throw Halt{End::Undecidable, at.span, "a vector of this size"};
      sizes.push_back(std::max<std::int64_t>(*n, 0));
      left /= std::max<std::int64_t>(*n, 1);
    }
    if (sizes.empty())
      set_scalar(s.target, side, 0, at);
    else
      set(s.target, side, zeros(sizes), at);
  });
}

void Executor::statement(const RelaxedCode& s, const StatementCode& at, Run run) {
  if (run != Run::Relaxed)
    set_scalar(s.target, Side::Original, scalar(s.exact, Side::Original), at);
  if (run == Run::Original) return;
  arguments_.clear();
  for (const Code& arg : s.args) arguments_.push_back(computer_.number(arg));
  const Number exact = scalar(s.exact, Side::Relaxed);
  set_scalar(s.target, Side::Relaxed, site(s.site, exact, at), at);
}

void Executor::statement(const WriteCode& s, const StatementCode& at, Run run) {
  if (run != Run::Relaxed) {
    const Value v = value(s.value, Side::Original);
    if (s.indices.empty()) {
      set(s.target, Side::Original, v, at);
    } else {
      read_indices(s.indices, Side::Original);
      store(s.target, Side::Original, v.scalar, at);
    }
  }
  if (run == Run::Original) return;
  if (s.whole)
    write_whole(s, at);
  else
    write_relaxed(s, at);
}

void Executor::write_relaxed(const WriteCode& s, const StatementCode& at) {
  const Number from = scalar(s.value, Side::Relaxed);
  const Value& target = s.target.of(Side::Relaxed);
  read_indices(s.indices, Side::Relaxed);
  const Number stored = s.indices.empty() ? target.scalar : element(target.array.get(), indices_);
  arguments_.clear();
  if (!s.one) arguments_.push_back(stored);
  arguments_.push_back(from);
  const Number v = site(s.site, s.exact ? scalar(*s.exact, Side::Relaxed) : from, at);
  if (s.indices.empty())
    set_scalar(s.target, Side::Relaxed, v, at);
  else
    store(s.target, Side::Relaxed, v, at);
}

void Executor::write_whole(const WriteCode& s, const StatementCode& at) {
  const Value source = value(s.value, Side::Relaxed);
  const Value exact = s.exact ? value(*s.exact, Side::Relaxed) : source;
  const Value target = s.target.of(Side::Relaxed);
  auto written = std::make_shared<Array>(source.array ? *source.array : Array{});
  for (std::size_t k = 0; k < written->elements.size(); ++k) {
    const Number from = written->elements[k];
    arguments_.clear();
    if (!s.one)
      arguments_.push_back(target.array && k < target.array->elements.size()
                               ? target.array->elements[k]
                               : Number(0));
    arguments_.push_back(from);
    // Of the size of the source: the lower layer wrote each of its elements.
    written->elements[k] = site(s.site, s.exact ? exact.array->elements.at(k) : from, at);
  }
  set(s.target, Side::Relaxed, {0, std::move(written)}, at);
}

void Executor::statement(const CheckCode& s, const StatementCode& at, Run run) {
  if (run != Run::Relaxed && !computer_.truth(s.holds.original))
    throw Halt{End::OriginalFailed, at.span, std::string(core::describe(s.kind)), s.expr, at.id};
  if (run != Run::Original && !computer_.truth(s.holds.relaxed))
    throw Halt{End::CheckFailed, at.span, std::string(core::describe(s.kind)), s.expr, at.id};
}

void Executor::statement(const ClaimCode& s, const StatementCode& at, Run run) {
  if (s.kind == core::AssertionKind::AssertR) {
    if (run != Run::Original) relational(ViolationKind::AssertR, s.relation, at.span, {});
    return;
  }
  if (run != Run::Relaxed && !computer_.truth(s.holds.original))
    throw Halt{End::OriginalFailed, at.span, "an assertion does not hold", s.expr, at.id};
  if (run == Run::Original) return;
  ++out_.claims;
  if (!computer_.truth(s.holds.relaxed))
    throw Halt{End::AssertFailed, at.span, "an assertion does not hold", s.expr, at.id};
}

// Nobody runs it, so nothing fails there: it is a claim, of either run. What cannot be evaluated
// says nothing.
void Executor::statement(const RecallCode& s, const StatementCode& at, Run run) {
  const bool relational = s.recall->relational;
  if (!options_.invariants || (relational && run == Run::Original)) return;
  if (relational) return recall(s, Side::Relaxed, at.span);
  for_sides(run, [&](Side side) { recall(s, side, at.span); });
}

void Executor::statement(const BlockCode& s, const StatementCode&, Run run) {
  for (Child child : s.body) execute(child, run);
}

void Executor::statement(const IfCode& s, const StatementCode& at, Run run) {
  for (Value* value : s.unset) value->none = true;
  const auto take = [&](bool first, Run who) {
    execute(first ? s.then_branch : s.else_branch, who);
  };
  const bool original = run != Run::Relaxed && computer_.truth(s.condition.original);
  const bool relaxed = run != Run::Original && computer_.truth(s.condition.relaxed);
  if (run != Run::Both) return take(original || relaxed, run);
  if (original == relaxed) return take(original, Run::Both);
  parted(at, "if", original, s.expr);
  take(original, Run::Original);
  take(relaxed, Run::Relaxed);
}

void Executor::parted(const StatementCode& at, std::string_view what, bool original,
                      core::ExprId test) {
  ++out_.parted;
  if (!options_.events) return;
  out_.events.push_back({Event::Kind::Part,
                         at.span,
                         Side::Open,
                         std::string(what),
                         original ? "true in the original run, false in the relaxed run"
                                  : "false in the original run, true in the relaxed run",
                         at.id,
                         {},
                         test});
}

void Executor::statement(const WhileCode& s, const StatementCode& at, Run run) {
  bool original = run != Run::Relaxed, relaxed = run != Run::Original;
  const bool falls = s.falls.has_value() && options_.invariants;
  const bool watched = falls || s.watched;
  if (watched) snapshots_[s.loop].entry = code_.pair.duplicate();
  for (Where where{{}, true};; where.entry = false) {
    const Run alive = who_is(original, relaxed);
    // The label still means the head before.
    if (falls && !where.entry) unary(ViolationKind::Decreases, s.claimed, *s.falls, alive, where);
    if (watched) snapshots_[s.loop].start = code_.pair.duplicate();
    s.left.original->scalar = original ? 0 : 1;
    s.left.relaxed->scalar = relaxed ? 0 : 1;
    for (const InvariantCode& invariant : s.invariants)
      claim_invariant(invariant, run, alive, where);
    execute(s.before, alive);
    const bool was_both = original && relaxed;
    original = original && computer_.truth(s.condition.original);
    relaxed = relaxed && computer_.truth(s.condition.relaxed);
    if (was_both && original != relaxed) parted(at, "while", original, s.expr);
    if (!original && !relaxed) return;
    const Run who = who_is(original, relaxed);
    step(who, at.span);
    for (Value* value : s.unset) value->none = true;
    execute(s.body, who);
  }
}

void Executor::check_sizes(const FunctionCode& f, const StatementCode& at, Run run) {
  for (const SizeCode& size : f.sizes)
    for_sides(run, [&](Side side) {
      const Value& v = size.param.of(side);
      const Number actual = v.array ? v.array->sizes[size.dimension] : 0;
      if (!(actual == computer_.number(size.size.of(side))))
        throw Halt{side == Side::Original ? End::OriginalFailed : End::CheckFailed, at.span,
                   fmt::format("the sizes do not agree with those of '{}'", f.function->name)};
    });
}

void Executor::statement(const CallCode& s, const StatementCode& at, Run run) {
  const FunctionCode& f = *s.code;
  if (++depth_ > 1000)
    throw Halt{run == Run::Relaxed ? End::Hung : End::OriginalHung, at.span, "calls are too deep"};
  std::vector<std::pair<Side, std::vector<Value>>> arguments;
  for_sides(run, [&](Side side) {
    std::vector<Value> list;
    for (const ValueCode& arg : s.args)
      check_length(list.emplace_back(value(arg, side)).scalar, at.span);
    arguments.emplace_back(side, std::move(list));
  });
  // Every activation has variables of its own, in the runs that take part.
  std::vector<std::pair<Value, Value>> saved;
  for (const Place& place : f.own) saved.emplace_back(*place.original, *place.relaxed);
  for (Value* value : f.unset) value->none = true;
  const auto pass = [&] {
    for (const auto& [side, list] : arguments)
      for (std::size_t i = 0; i < list.size(); ++i) f.params[i].of(side) = list[i];
  };
  pass();
  for (const auto& [side, list] : arguments)
    for (const Place& param : f.params) note_change(param, side, at.span, at.id);
  check_sizes(f, at, run);
  if (f.function->has_contract()) contract(f.requires_, run, ViolationKind::Requires, at.span);
  execute(f.body, run);
  std::vector<std::pair<Side, std::vector<Value>>> results;
  for_sides(run, [&](Side side) {
    std::vector<Value>& list = results.emplace_back(side, std::vector<Value>{}).second;
    for (const Place& result : f.results) list.push_back(result.of(side));
  });
  pass();  // contracts speak of parameters as they were passed
  if (f.function->has_contract()) contract(f.ensures, run, ViolationKind::Ensures, at.span);
  for (std::size_t i = 0; i < f.own.size(); ++i) {
    *f.own[i].original = std::move(saved[i].first);
    *f.own[i].relaxed = std::move(saved[i].second);
  }
  for (std::size_t i = 0; i < s.targets.size(); ++i)
    for (auto& [side, list] : results) set(s.targets[i], side, std::move(list[i]), at);
  --depth_;
}

}  // namespace leto::interp

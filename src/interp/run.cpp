#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "interp/halt.h"
#include "interp/interp.h"
#include "interp/results.h"

namespace leto::interp {

using core::Side;

std::string_view describe(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::AssertR:
      return "assert_r";
    case ViolationKind::EnsuresR:
      return "ensures_r";
    case ViolationKind::InvariantR:
      return "invariant_r";
    case ViolationKind::Invariant:
      return "invariant";
    case ViolationKind::Decreases:
      return "decreases";
    case ViolationKind::Requires:
      return "requires";
    case ViolationKind::Ensures:
      return "ensures";
    case ViolationKind::LemmaRequires:
      return "requires of a lemma";
    case ViolationKind::LemmaEnsures:
      return "ensures of a lemma";
  }
  return "";
}

std::string_view describe(End end) {
  switch (end) {
    case End::Done:
      return "both runs ended";
    case End::OriginalFailed:
      return "the original run failed, so nothing is claimed of the relaxed run";
    case End::OriginalHung:
      return "the original run took too many steps";
    case End::AssertFailed:
      return "an assertion failed in the relaxed run";
    case End::CheckFailed:
      return "the relaxed run failed";
    case End::Stuck:
      return "the relaxed run cannot go on";
    case End::Hung:
      return "the relaxed run took too many steps";
    case End::Impossible:
      return "a choice was made that the model does not allow";
    case End::Undecidable:
      return "something could not be evaluated";
  }
  return "";
}

namespace {

// What an activation has of its own, besides its parameters and its result.
void collect_locals(const core::Program& program, core::StmtId id, std::vector<core::VarId>& out) {
  core::for_each_statement(program, id, [&](core::StmtId inner) {
    for (const core::VarId target : core::targets_of(program, inner))
      if (program.vars[target].kind != core::VarKind::State) out.push_back(target);
  });
}

}  // namespace

Value zeros(const std::vector<std::int64_t>& sizes) {
  auto array = std::make_shared<Array>();
  array->sizes = sizes;
  std::size_t count = 1;
  for (std::int64_t size : sizes)
    count *= static_cast<std::size_t>(std::max<std::int64_t>(size, 0));
  array->elements.assign(count, Number(0));
  return {0, std::move(array)};
}

// One pair of runs.
class Runner {
 public:
  Runner(const Machine& machine, const Inputs& inputs, Chooser& chooser, const Options& options,
         const Oracle& oracle, Results results)
      : Runner(machine, inputs, chooser, options, oracle) {
    results_ = std::move(results);
  }
  Runner(const Machine& machine, const Inputs& inputs, Chooser& chooser, const Options& options,
         const Oracle& oracle)
      : machine_(machine),
        program_(machine.program_),
        evaluator_(machine.evaluator_),
        chooser_(chooser),
        options_(options),
        oracle_(oracle),
        pair_(inputs.values) {}

  [[nodiscard]] std::uint64_t left() const { return results_.left(); }

  Outcome function(core::FunctionId id, Run run) {
    const core::Function& f = program_.functions[id];
    try {
      for (core::VarId param : f.params)
        each_side(run, [&](Side side) { changed(param, side, f.span, {}); });
      const Pair entry = pair_;
      execute(f.body, run);
      const auto results = [&](Side side) {
        std::vector<Value> all;
        for (core::VarId result : f.results) all.push_back(pair_.side(side)[result.value]);
        return all;
      };
      for (core::VarId param : f.params)
        each_side(
            run, [&](Side side) { pair_.side(side)[param.value] = entry.side(side)[param.value]; });
      contract(f.ensures, run, ViolationKind::Ensures, std::nullopt);
      if (run != Run::Relaxed) out_.original = results(Side::Original);
      if (run != Run::Original) out_.relaxed = results(Side::Relaxed);
    } catch (const Halt& halt) {
      out_.end = halt.end;
      out_.where = halt.where;
      out_.why = halt.why;
      out_.expr = halt.expr;
      out_.statement = halt.statement;
      if (options_.events) out_.moment = moment();
    } catch (const Undecidable& undecidable) {
      out_.end = End::Undecidable;
      if (undecidable.expr.valid()) out_.where = program_.exprs[undecidable.expr].span;
      out_.why = describe(program_, undecidable);
    }
    out_.steps = steps_[0] + steps_[1];
    return std::move(out_);
  }

  // What a function that is defined elsewhere is for the parameters at hand, in a specification:
  // the same as where a program calls it.
  std::optional<Number> find_external(const core::Function& f) {
    if (program_.vars[f.result()].type.rank > 0) return std::nullopt;
    try {
      return stand_in(f, Side::Original, f.span);
    } catch (const Halt&) {
      return std::nullopt;
    }
  }

 private:
  // Reading and writing --------------------------------------------------------------------------

  Scope scope(Side side) { return {pair_, side, &snapshots_, {}, {}, &results_}; }
  Value value(core::ExprId id, Side side) {
    Scope s = scope(side);
    return evaluator_.value(id, s);
  }
  bool truth(core::ExprId id, Side side) { return value(id, side).scalar.truth(); }
  std::vector<Number> numbers(const std::vector<core::ExprId>& list, Side side) {
    std::vector<Number> out;
    for (core::ExprId id : list) out.push_back(value(id, side).scalar);
    return out;
  }
  void set(core::VarId var, Side side, Value v, Span at, core::StmtId id) {
    check_length(v.scalar, at);
    pair_.side(side)[var.value] = std::move(v);
    changed(var, side, at, id);
  }
  void store(core::VarId var, Side side, const std::vector<Number>& indices, Number v, Span at,
             core::StmtId id) {
    Value& target = pair_.side(side)[var.value];
    const std::optional<std::size_t> at_position =
        target.array ? position(*target.array, indices) : std::nullopt;
    LETO_ASSERT(at_position);  // a check stands before every store
    check_length(v, at);
    if (target.array.use_count() > 1) target.array = std::make_shared<Array>(*target.array);
    target.array->elements[*at_position] = std::move(v);
    if (!options_.events) return;
    std::string name = program_.vars[var].name;
    for (const Number& index : indices) name += fmt::format("[{}]", index.text());
    out_.events.push_back(
        {Event::Kind::Set, at, side, std::move(name),
         text({target.array->elements[*at_position], nullptr}, program_.vars[var].type.element()),
         id, var});
  }
  void changed(core::VarId var, Side side, Span at, core::StmtId id) {
    if (!options_.events) return;
    out_.events.push_back({Event::Kind::Set, at, side, program_.vars[var].name,
                           text(pair_.side(side)[var.value], program_.vars[var].type), id, var});
  }
  std::shared_ptr<const Moment> moment() const {
    return std::make_shared<const Moment>(Moment{pair_, snapshots_});
  }
  template <class F>
  static void each_side(Run run, F f) {
    if (run != Run::Relaxed) f(Side::Original);
    if (run != Run::Original) f(Side::Relaxed);
  }
  void step(Run run, Span at) {
    if (machine_.spent()) throw Halt{End::Undecidable, at, "the time is over"};
    if (run != Run::Relaxed && ++steps_[0] > options_.limits.steps)
      throw Halt{End::OriginalHung, at, ""};
    if (run != Run::Original && ++steps_[1] > options_.limits.steps) throw Halt{End::Hung, at, ""};
  }

  // Claims
  // -----------------------------------------------------------------------------------------

  void violated(ViolationKind kind, core::ExprId expr, Span at, const Where& where,
                Side side = Side::Relaxed) {
    if (out_.violations.size() < 100) {
      out_.violations.push_back(
          {kind, at, expr, where.call, where.entry, out_.events.size(), nullptr, side});
      if (options_.events) out_.violations.back().moment = moment();
    }
    if (options_.events)
      out_.events.push_back({Event::Kind::Claim,
                             at,
                             Side::Open,
                             std::string(describe(kind)),
                             "does not hold",
                             {},
                             {},
                             expr});
  }
  // One that comes to read a variable where it has no value does not hold.
  void relational(ViolationKind kind, core::ExprId expr, Span at, const Where& where = {}) {
    ++out_.claims;
    if (lacks_value(expr) || !truth(expr, Side::Relaxed)) violated(kind, expr, at, where);
  }
  bool lacks_value(core::ExprId expr) {
    if (!machine_.may_lack_[expr.value]) return false;
    Scope s = scope(Side::Relaxed);
    return evaluator_.reads_without_value(expr, s).valid();
  }
  // Of the original trusted: if it does not hold, nothing is claimed.
  void unary(ViolationKind kind, core::ExprId expr, Run run, const Where& where = {}) {
    const Span at = program_.exprs[expr].span;
    if (run != Run::Relaxed && !truth(expr, Side::Original))
      throw Halt{End::OriginalFailed, where.call.file.valid() ? where.call : at,
                 fmt::format("its {} does not hold", describe(kind)), expr};
    if (run == Run::Original) return;
    ++out_.claims;
    if (!truth(expr, Side::Relaxed)) violated(kind, expr, at, where);
  }
  // What a function claims, of its call there, or of itself.
  void contract(const std::vector<core::Clause>& clauses, Run run, ViolationKind kind,
                std::optional<Span> call) {
    Where where;
    if (call) where.call = *call;
    for (const core::Clause& clause : clauses) {
      if (!clause.relational)
        unary(kind, clause.expr, run, where);
      else if (run == Run::Both)
        relational(kind == ViolationKind::Ensures ? ViolationKind::EnsuresR : kind, clause.expr,
                   program_.exprs[clause.expr].span, where);
    }
  }
  // Before a branch, an iteration or a call: what is declared inside has no value yet, and will
  // have none in a run that does not take part. Only of the original does anybody ask.
  void leave_without_value(core::StmtId id) {
    if (!id.valid()) return;
    const auto it = machine_.declared_in_.find(id);
    if (it == machine_.declared_in_.end()) return;
    for (core::VarId var : it->second) pair_.original[var.value].none = true;
  }
  void leave_without_value(core::FunctionId id) {
    for (core::VarId var : machine_.own_asked_for_[id.value]) pair_.original[var.value].none = true;
  }

  // Fault sites
  // --------------------------------------------------------------------------------------

  // One occurrence: the outcome; the model's state is changed.
  Number site(const core::FaultSite& site, core::StmtId id, std::vector<Number> arguments,
              const Number& exact, Span at) {
    if (site.specifications.empty()) return exact;
    for (const Number& n : arguments) check_length(n, at);
    check_length(exact, at);
    SitePoint point{out_.sites++, id, site, {}, {}};
    for (std::uint32_t index : site.specifications) {
      if (!machine_.resolver_.enabled(index, arguments, exact, pair_)) continue;
      point.enabled.push_back(index);
      point.exact.push_back(machine_.resolver_.allows(index, arguments, exact, {exact, {}}, pair_));
    }
    if (point.enabled.empty())
      throw Halt{
          End::Stuck, at, fmt::format("no specification of '{}' is enabled", site.what), {}, id};
    const std::size_t pick = chooser_.specification(point);
    if (pick >= point.enabled.size())
      throw Halt{End::Impossible, at, "the specification that was asked for is not enabled here"};
    const std::uint32_t index = point.enabled[pick];
    std::optional<Decision> decision = scripted(index, arguments, exact, at);
    if (!decision) decision = machine_.resolver_.decide(index, arguments, exact, pair_, chooser_);
    if (!decision && oracle_) {
      decision = oracle_(index, arguments, exact, pair_.relaxed);
      if (decision && !machine_.resolver_.allows(index, arguments, exact, *decision, pair_))
        decision.reset();
    }
    if (!decision) give_up(index, arguments, exact, at);
    Taken taken{point.occurrence,  id, index, std::move(arguments), exact,
                decision->outcome, {}, false};
    taken.faulty = !(decision->outcome == exact);
    for (const auto& [var, v] : decision->states) {
      taken.faulty = taken.faulty || !(pair_.relaxed[var.value].scalar == v);
      pair_.relaxed[var.value].scalar = v;
    }
    taken.states = std::move(decision->states);
    if (options_.events)
      out_.events.push_back({Event::Kind::Site, at, Side::Relaxed, site.what,
                             fmt::format("{}, {} instead of {}", core::title(program_, index),
                                         decision->outcome.text(), exact.text()),
                             id});
    if (taken.faulty || options_.all_taken) out_.taken.push_back(taken);
    for (const auto& [var, v] : taken.states) changed(var, Side::Relaxed, at, id);
    return decision->outcome;
  }

  std::optional<Decision> scripted(std::uint32_t index, const std::vector<Number>& arguments,
                                   const Number& exact, Span at) {
    const Taken* wanted = chooser_.scripted();
    if (wanted == nullptr) return std::nullopt;
    Decision decision{wanted->outcome, wanted->states};
    if (!machine_.resolver_.allows(index, arguments, exact, decision, pair_))
      throw Halt{End::Impossible, at,
                 fmt::format("'{}' does not allow {} here", core::title(program_, index),
                             wanted->outcome.text())};
    return decision;
  }

  // No values were found. Is there any, as far as all can be tried?
  [[noreturn]] void give_up(std::uint32_t index, const std::vector<Number>& arguments,
                            const Number& exact, Span at) {
    ExhaustiveChooser all(8);
    bool some = false;
    for (int tries = 0; tries < 10'000 && !some; ++tries) {
      some = machine_.resolver_.decide(index, arguments, exact, pair_, all).has_value();
      if (!some && !all.next()) break;
    }
    if (!some && all.complete())
      throw Halt{End::Stuck, at,
                 fmt::format("no value satisfies what '{}' ensures", core::title(program_, index))};
    throw Halt{End::Impossible, at,
               fmt::format("no value that '{}' allows was found", core::title(program_, index))};
  }

  // Statements
  // ---------------------------------------------------------------------------------------

  void execute(core::StmtId id, Run run) {
    if (!id.valid()) return;
    const core::Stmt& stmt = program_.stmts[id];
    if (!std::holds_alternative<core::Block>(stmt.node)) step(run, stmt.span);
    std::visit([&](const auto& s) { statement(s, id, run, stmt.span); }, stmt.node);
    if (options_.behind && depth_ == 0)
      options_.behind(id, run != Run::Relaxed, run != Run::Original);
  }

  void statement(const core::Assign& s, core::StmtId id, Run run, Span at) {
    each_side(run, [&](Side side) { set(s.target, side, value(s.value, side), at, id); });
  }

  void statement(const core::Store& s, core::StmtId id, Run run, Span at) {
    each_side(run, [&](Side side) {
      store(s.target, side, numbers(s.indices, side), value(s.value, side).scalar, at, id);
    });
  }

  void statement(const core::Declare& s, core::StmtId id, Run run, Span at) {
    each_side(run, [&](Side side) {
      std::vector<std::int64_t> sizes;
      std::int64_t left = options_.limits.elements;  // of which each size takes its factor
      for (core::ExprId size : s.sizes) {
        const std::optional<std::int64_t> n = value(size, side).scalar.small();
        if (!n || *n > left) throw Halt{End::Undecidable, at, "a vector of this size"};
        sizes.push_back(std::max<std::int64_t>(*n, 0));
        left /= std::max<std::int64_t>(*n, 1);
      }
      set(s.target, side, sizes.empty() ? Value{} : zeros(sizes), at, id);
    });
  }

  void statement(const core::Relaxed& s, core::StmtId id, Run run, Span at) {
    if (run != Run::Relaxed) set(s.target, Side::Original, value(s.exact, Side::Original), at, id);
    if (run == Run::Original) return;
    std::vector<Number> arguments = numbers(s.args, Side::Relaxed);
    const Number exact = value(s.exact, Side::Relaxed).scalar;
    set(s.target, Side::Relaxed, {site(s.site, id, std::move(arguments), exact, at), nullptr}, at,
        id);
  }

  void statement(const core::Write& s, core::StmtId id, Run run, Span at) {
    if (run != Run::Relaxed) {
      const Value v = value(s.value, Side::Original);
      if (s.indices.empty())
        set(s.target, Side::Original, v, at, id);
      else
        store(s.target, Side::Original, numbers(s.indices, Side::Original), v.scalar, at, id);
    }
    if (run == Run::Original) return;
    const Value source = value(s.value, Side::Relaxed);
    const bool one = !s.site.specifications.empty() &&
                     program_.specifications[s.site.specifications[0]].params.size() == 1;
    const auto arguments = [&](const Number& stored, const Number& from) {
      return one ? std::vector<Number>{from} : std::vector<Number>{stored, from};
    };
    const Value exact = s.exact.valid() ? value(s.exact, Side::Relaxed) : source;
    const Value target = pair_.relaxed[s.target.value];
    if (!s.whole) {
      if (s.indices.empty()) {
        const Number v =
            site(s.site, id, arguments(target.scalar, source.scalar), exact.scalar, at);
        return set(s.target, Side::Relaxed, {v, nullptr}, at, id);
      }
      const std::vector<Number> indices = numbers(s.indices, Side::Relaxed);
      const Number stored = element(target.array.get(), indices);
      const Number v = site(s.site, id, arguments(stored, source.scalar), exact.scalar, at);
      return store(s.target, Side::Relaxed, indices, v, at, id);
    }
    auto written = std::make_shared<Array>(source.array ? *source.array : Array{});
    for (std::size_t k = 0; k < written->elements.size(); ++k) {
      const Number from = written->elements[k];
      const Number stored =
          target.array && k < target.array->elements.size() ? target.array->elements[k] : Number(0);
      // Of the size of the source: the lower layer wrote each of its elements.
      const Number& below = s.exact.valid() ? exact.array->elements.at(k) : from;
      written->elements[k] = site(s.site, id, arguments(stored, from), below, at);
    }
    set(s.target, Side::Relaxed, {0, std::move(written)}, at, id);
  }

  void statement(const core::Check& s, core::StmtId id, Run run, Span at) {
    if (run != Run::Relaxed && !truth(s.expr, Side::Original))
      throw Halt{End::OriginalFailed, at, std::string(core::describe(s.kind)), s.expr, id};
    if (run != Run::Original && !truth(s.expr, Side::Relaxed))
      throw Halt{End::CheckFailed, at, std::string(core::describe(s.kind)), s.expr, id};
  }

  void statement(const core::Claim& s, core::StmtId id, Run run, Span at) {
    if (making_ > 0) return;
    if (s.kind == core::AssertionKind::AssertR) {
      if (run != Run::Original) relational(ViolationKind::AssertR, s.expr, at);
      return;
    }
    if (run != Run::Relaxed && !truth(s.expr, Side::Original))
      throw Halt{End::OriginalFailed, at, "an assertion does not hold", s.expr, id};
    if (run == Run::Original) return;
    ++out_.claims;
    if (!truth(s.expr, Side::Relaxed))
      throw Halt{End::AssertFailed, at, "an assertion does not hold", s.expr, id};
  }

  // Nobody runs it, so nothing fails there: it is a claim, of either run. What cannot be evaluated
  // says nothing.
  void statement(const core::Recall& s, core::StmtId id, Run run, Span at) {
    if (!s.made.empty())
      return each_side(run, [&](Side side) { recall_and_make(s, id, side, at); });
    if (making_ > 0 || !options_.invariants || (s.relational && run == Run::Original)) return;
    if (s.relational) return recall(s, Side::Relaxed, at);
    each_side(run, [&](Side side) { recall(s, side, at); });
  }
  void recall(const core::Recall& s, Side side, Span at) try {
    ++out_.claims;
    Scope now = scope(side);
    core::ExprId broken = s.relational ? machine_.find_without_value(s, now) : core::ExprId{};
    for (const core::Recall::Need& need : s.needs)
      if (!broken.valid() && !truth(need.expr, side)) broken = need.expr;
    if (broken.valid()) return violated(ViolationKind::LemmaRequires, broken, at, {}, side);
    for (core::ExprId ensured : s.ensures)
      if (!truth(ensured, side)) violated(ViolationKind::LemmaEnsures, ensured, at, {}, side);
  } catch (const Undecidable&) {
  }

  // What a lemma makes later claims read, so its body is run; where what it requires does not
  // hold, it says nothing of what it makes, and that is zero.
  void recall_and_make(const core::Recall& s, core::StmtId id, Side side, Span at) {
    const bool claimed = making_ == 0 && options_.invariants;
    if (claimed) ++out_.claims;
    const core::ExprId broken = making_ == 0 ? find_unmet(s, side) : core::ExprId{};
    if (broken.valid()) {
      if (claimed) violated(ViolationKind::LemmaRequires, broken, at, {}, side);
      return make_zero(s, id, side, at);
    }
    make(s, id, side, at);
    if (claimed) claim_ensured(s, side, at);
  }
  core::ExprId find_unmet(const core::Recall& s, Side side) try {
    for (const core::Recall::Need& need : s.needs)
      if (!truth(need.expr, side)) return need.expr;
    return {};
  } catch (const Undecidable&) {
    return {};
  }
  void claim_ensured(const core::Recall& s, Side side, Span at) try {
    for (core::ExprId ensured : s.ensures)
      if (!truth(ensured, side)) violated(ViolationKind::LemmaEnsures, ensured, at, {}, side);
  } catch (const Undecidable&) {
  }
  void make_zero(const core::Recall& s, core::StmtId id, Side side, Span at) {
    const Run who = side == Side::Original ? Run::Original : Run::Relaxed;
    for (const core::Recall::Made& one : s.made)
      statement(core::Declare{one.var, one.sizes}, id, who, at);
  }
  // By an activation of its own. What it claims on the way is claimed of the lemma, and not here;
  // one that fails or does not end makes nothing, and nobody knows then how the run goes on.
  void make(const core::Recall& s, core::StmtId id, Side side, Span at) {
    const core::Function& f = program_.functions[s.lemma];
    const auto give_up = [&](const std::string& why) {
      throw Halt{End::Undecidable, at, fmt::format("lemma '{}' makes nothing: {}", f.name, why)};
    };
    if (++depth_ > 1000) give_up("it calls itself too often");
    auto& variables = pair_.side(side);
    std::vector<Value> args, saved, made;
    for (core::ExprId arg : s.args) args.push_back(value(arg, side));
    const std::vector<core::VarId>& own = machine_.locals_[s.lemma.value];
    for (core::VarId var : own) saved.push_back(variables[var.value]);
    for (std::size_t i = 0; i < args.size(); ++i) variables[f.params[i].value] = args[i];
    auto outside = std::exchange(snapshots_, {});
    const std::size_t events = out_.events.size();
    ++making_;
    try {
      execute(f.body, side == Side::Original ? Run::Original : Run::Relaxed);
    } catch (const Halt& halt) {
      give_up(halt.why.empty() ? std::string(describe(halt.end)) : halt.why);
    }
    --making_;
    out_.events.erase(out_.events.begin() + static_cast<std::ptrdiff_t>(events), out_.events.end());
    snapshots_ = std::move(outside);
    for (core::VarId result : f.results) made.push_back(variables[result.value]);
    for (std::size_t i = 0; i < own.size(); ++i) variables[own[i].value] = std::move(saved[i]);
    for (std::size_t i = 0; i < made.size(); ++i) set(s.made[i].var, side, made[i], at, id);
    --depth_;
  }

  void statement(const core::Block& s, core::StmtId, Run run, Span) {
    for (core::StmtId child : s.body) execute(child, run);
  }

  void statement(const core::If& s, core::StmtId id, Run run, Span at) {
    leave_without_value(s.then_branch);
    leave_without_value(s.else_branch);
    const auto take = [&](bool first, Run who) {
      execute(first ? s.then_branch : s.else_branch, who);
    };
    if (run != Run::Both)
      return take(truth(s.condition, run == Run::Original ? Side::Original : Side::Relaxed), run);
    const bool original = truth(s.condition, Side::Original);
    const bool relaxed = truth(s.condition, Side::Relaxed);
    if (original == relaxed) return take(original, Run::Both);
    parted(at, "if", original, id, s.condition);
    take(original, Run::Original);
    take(relaxed, Run::Relaxed);
  }

  void parted(Span at, std::string_view what, bool original, core::StmtId id,
              core::ExprId condition) {
    ++out_.parted;
    if (options_.events)
      out_.events.push_back({Event::Kind::Part,
                             at,
                             Side::Open,
                             std::string(what),
                             original ? "true in the original run, false in the relaxed run"
                                      : "false in the original run, true in the relaxed run",
                             id,
                             {},
                             condition});
  }

  void statement(const core::While& s, core::StmtId id, Run run, Span at) {
    bool original = run != Run::Relaxed, relaxed = run != Run::Original;
    const bool falls = s.falls.valid() && options_.invariants && making_ == 0;
    const bool watched = falls || machine_.watched_[s.loop.value];
    if (watched) snapshots_[s.loop].entry = pair_;
    for (Where where{{}, true};; where.entry = false) {
      const Run alive = original && relaxed ? Run::Both : original ? Run::Original : Run::Relaxed;
      // The label still means the head before.
      if (falls && !where.entry) unary(ViolationKind::Decreases, s.falls, alive, where);
      if (watched) snapshots_[s.loop].start = pair_;
      pair_.original[s.left.value].scalar = original ? 0 : 1;
      pair_.relaxed[s.left.value].scalar = relaxed ? 0 : 1;
      // A loop's own head is what its label means in its invariants.
      if (making_ == 0)
        for (const core::Invariant& invariant : s.invariants)
          claim_invariant(invariant, run, alive, where);
      if (options_.at_head && run != Run::Original && making_ == 0)
        options_.at_head(s.loop, {pair_, snapshots_}, original && !is_gone(s, Side::Original),
                         relaxed && !is_gone(s, Side::Relaxed));
      execute(s.before, alive);
      const bool was_both = original && relaxed;
      original = original && truth(s.condition, Side::Original);
      relaxed = relaxed && truth(s.condition, Side::Relaxed);
      if (was_both && original != relaxed) parted(at, "while", original, id, s.condition);
      if (!original && !relaxed) return;
      const Run who = original && relaxed ? Run::Both : original ? Run::Original : Run::Relaxed;
      if (relaxed && making_ == 0) ++out_.iterations;
      step(who, at);
      leave_without_value(s.body);
      execute(s.body, who);
    }
  }
  // Whether a run has left from the middle.
  [[nodiscard]] bool is_gone(const core::While& s, Side side) const {
    return std::any_of(s.exits.begin(), s.exits.end(), [&](core::VarId flag) {
      return !(pair_.side(side)[flag.value].scalar == 0);
    });
  }
  // Of each run that is at a head; a run that has left from the middle is at none.
  void claim_invariant(const core::Invariant& invariant, Run run, Run alive, const Where& where) {
    const core::ExprId head = invariant.only_if;
    if (invariant.relational) {
      const bool claimed = options_.invariants && run != Run::Original &&
                           (!head.valid() || truth(head, Side::Relaxed));
      if (claimed)
        relational(ViolationKind::InvariantR, invariant.expr, program_.exprs[invariant.expr].span,
                   where);
      return;
    }
    each_side(alive, [&](Side side) {
      if (head.valid() && !truth(head, side)) return;
      // Even where invariants are no claims, those of the original run are trusted.
      if (side == Side::Original)
        unary(ViolationKind::Invariant, invariant.expr, Run::Original, where);
      else if (options_.invariants)
        unary(ViolationKind::Invariant, invariant.expr, Run::Relaxed, where);
    });
  }

  void statement(const core::Call& s, core::StmtId id, Run run, Span at) {
    const core::Function& f = program_.functions[s.callee];
    if (++depth_ > 1000)
      throw Halt{run == Run::Relaxed ? End::Hung : End::OriginalHung, at, "calls are too deep"};
    std::vector<std::pair<Side, std::vector<Value>>> arguments;
    each_side(run, [&](Side side) {
      std::vector<Value> list;
      for (core::ExprId arg : s.args) check_length(list.emplace_back(value(arg, side)).scalar, at);
      arguments.emplace_back(side, std::move(list));
    });
    // Every activation has variables of its own, in the runs that take part.
    const std::vector<core::VarId>& own = machine_.locals_[s.callee.value];
    std::vector<std::pair<Value, Value>> saved;
    for (core::VarId var : own)
      saved.emplace_back(pair_.original[var.value], pair_.relaxed[var.value]);
    leave_without_value(s.callee);
    const auto pass = [&] {
      for (const auto& [side, list] : arguments)
        for (std::size_t i = 0; i < list.size(); ++i) pair_.side(side)[f.params[i].value] = list[i];
    };
    pass();
    for (const auto& [side, list] : arguments)
      for (core::VarId param : f.params) changed(param, side, at, id);
    for (const core::ParamSize& size : f.sizes)
      each_side(run, [&](Side side) {
        const Value& v = pair_.side(side)[size.param.value];
        const Number actual = v.array ? v.array->sizes[size.dimension] : 0;
        if (!(actual == value(size.size, side).scalar))
          throw Halt{side == Side::Original ? End::OriginalFailed : End::CheckFailed, at,
                     fmt::format("the sizes do not agree with those of '{}'", f.name)};
      });
    if (f.has_contract()) contract(f.requires_, run, ViolationKind::Requires, at);
    if (f.external()) {
      external(f, id, run, at);
      if (options_.all_taken)
        each_side(run, [&](Side side) {
          out_.externals.push_back({s.callee, side, pair_.side(side)[f.result().value]});
        });
    } else {
      execute(f.body, run);
    }
    std::vector<std::pair<Side, std::vector<Value>>> results;
    each_side(run, [&](Side side) {
      std::vector<Value>& list = results.emplace_back(side, std::vector<Value>{}).second;
      for (core::VarId result : f.results) list.push_back(pair_.side(side)[result.value]);
    });
    pass();  // contracts speak of parameters as they were passed
    bool promised = true;
    if (f.external()) each_side(run, [&](Side side) { promised = promised && required(f, side); });
    if (f.has_contract() && promised) contract(f.ensures, run, ViolationKind::Ensures, at);
    for (std::size_t i = 0; i < own.size(); ++i) {
      pair_.original[own[i].value] = std::move(saved[i].first);
      pair_.relaxed[own[i].value] = std::move(saved[i].second);
    }
    for (std::size_t i = 0; i < s.targets.size(); ++i)
      for (auto& [side, list] : results) set(s.targets[i], side, std::move(list[i]), at, id);
    --depth_;
  }

  // What is defined elsewhere is some function of its arguments that does what its clauses say, or
  // in the relaxed run, at its site, goes wrong.
  void external(const core::Function& f, core::StmtId id, Run run, Span at) {
    const core::VarId result = f.result();
    if (program_.vars[result].type.rank > 0)
      throw Halt{End::Undecidable, at,
                 fmt::format("'{}' is external, and a vector cannot be made up for it", f.name)};
    each_side(run, [&](Side side) { set(result, side, {stand_in(f, side, at), nullptr}, at, id); });
    if (run == Run::Both && !related(f)) {
      const Value own = pair_.relaxed[result.value];
      pair_.relaxed[result.value] = pair_.original[result.value];
      if (!ensured(f, Side::Relaxed) || !related(f))
        throw Halt{
            End::Undecidable, at,
            fmt::format("no results were found that '{}' could have in the two runs", f.name)};
      if (!(own.scalar == pair_.relaxed[result.value].scalar))
        changed(result, Side::Relaxed, at, id);
    }
    if (run == Run::Original || f.site.specifications.empty()) return;
    const Number right = pair_.relaxed[result.value].scalar;
    set(result, Side::Relaxed, {site(f.site, id, {right}, right, at), nullptr}, at, id);
    if (run == Run::Both && !related(f))
      throw Halt{End::Impossible, at, fmt::format("'{}' does not allow this result", f.name)};
  }
  // Else nothing is promised.
  bool required(const core::Function& f, Side side) {
    return std::all_of(f.requires_.begin(), f.requires_.end(), [&](const core::Clause& clause) {
      return clause.relational || truth(clause.expr, side);
    });
  }
  bool ensured(const core::Function& f, Side side) {
    return std::all_of(f.ensures.begin(), f.ensures.end(), [&](const core::Clause& clause) {
      return clause.relational || truth(clause.expr, side);
    });
  }
  bool related(const core::Function& f) {
    return std::all_of(f.ensures.begin(), f.ensures.end(), [&](const core::Clause& clause) {
      return !clause.relational || truth(clause.expr, Side::Relaxed);
    });
  }
  // The same for the same arguments.
  Number stand_in(const core::Function& f, Side side, Span at) {
    const core::VarId result = f.result();
    std::uint64_t seed = 0;
    const auto add = [&](const std::string& text) {
      for (const char c : text) seed = mix(seed, static_cast<unsigned char>(c));
    };
    add(f.name);
    for (core::VarId param : f.params)
      add(" " + text(pair_.side(side)[param.value], program_.vars[param].type));
    std::vector<core::ExprId> formulas;
    if (required(f, side))
      for (const core::Clause& clause : f.ensures)
        if (!clause.relational) formulas.push_back(clause.expr);
    const Value other =
        pair_.side(side == Side::Original ? Side::Relaxed : Side::Original)[result.value];
    RandomChooser chooser(seed, {});
    bool solved = false;
    for (int attempt = 0; attempt < 50 && !solved; ++attempt) {
      Scope s = scope(side);
      solved = machine_.resolver_.solve(formulas, {{result, Number(0)}}, pair_, s, chooser);
    }
    const Number found = pair_.side(side)[result.value].scalar;
    pair_.side(side == Side::Original ? Side::Relaxed : Side::Original)[result.value] = other;
    if (!solved)
      throw Halt{End::Undecidable, at,
                 fmt::format("no {} was found that '{}' ensures",
                             program_.vars[result].type.base == core::Base::Real ? "exact fraction"
                                                                                 : "result",
                             f.name)};
    return found;
  }

  const Machine& machine_;
  const core::Program& program_;
  const Evaluator& evaluator_;
  Chooser& chooser_;
  const Options& options_;
  Results results_{8 * options_.limits.steps};
  const Oracle& oracle_;
  Pair pair_;
  std::unordered_map<core::LoopId, Snapshots> snapshots_;
  Outcome out_;
  std::uint64_t steps_[2] = {0, 0};
  int depth_ = 0;
  int making_ = 0;  // lemmas whose bodies are run for what they make
};

namespace {

void mark(const core::Program& program, core::ExprId id, std::vector<bool>& marked) {
  if (!id.valid() || marked[id.value]) return;
  marked[id.value] = true;
  core::for_each_child(program, id, [&](core::ExprId child) { mark(program, child, marked); });
}

// By expression: whether it says that a measure falls, or is a part of that.
std::vector<bool> find_measures(const core::Program& program) {
  std::vector<bool> out(program.exprs.size());
  for (const core::Stmt& stmt : program.stmts)
    if (const auto* loop = std::get_if<core::While>(&stmt.node))
      for (core::ExprId id : {loop->falls, loop->likely}) mark(program, id, out);
  return out;
}

}  // namespace

Machine::Machine(const core::Program& program, const Allowance* allowance)
    : program_(program),
      allowance_(allowance),
      evaluator_(program, allowance),
      resolver_(program, evaluator_),
      constraints_(program),
      watched_(program.loops.size(), false),
      may_lack_(program.exprs.size(), false) {
  // Measures ask only where they are claims.
  const std::vector<bool> measures = find_measures(program);
  for (std::uint32_t i = 0; i < program.exprs.size(); ++i)
    if (const auto* snapshot = std::get_if<core::Snapshot>(&program.exprs[core::ExprId{i}].node))
      if (!measures[i]) watched_[snapshot->loop.value] = true;
  for (const core::Function& f : program.functions) {
    std::vector<core::VarId> vars = f.params;
    vars.insert(vars.end(), f.results.begin(), f.results.end());
    collect_locals(program, f.body, vars);
    std::sort(vars.begin(), vars.end());
    vars.erase(std::unique(vars.begin(), vars.end()), vars.end());
    locals_.push_back(std::move(vars));
  }
  find_asked_for();
  empty_ = make_empty();
  evaluator_.find_value = [this](core::DefinitionId function, const std::vector<Number>& args,
                                 const Scope& scope) {
    return constraints_.find_value(evaluator_, function, args, scope);
  };
  relating_ = core::find_relating(program);
  evaluator_.run_pure = [this](core::FunctionId function, const std::vector<Value>& args,
                               const Scope& scope) { return run_pure(function, args, scope); };
}

std::optional<Number> Machine::run_pure(core::FunctionId id, const std::vector<Value>& args,
                                        const Scope& outside) const {
  const core::Function& f = program_.functions[id];
  Inputs inputs{outside.now};
  for (std::size_t i = 0; i < args.size(); ++i) {
    const core::Type& type = program_.vars[f.params[i]].type;
    if (type.natural && args[i].array)
      for (const Number& element : args[i].array->elements)
        if (element.sign() < 0) return std::nullopt;
    inputs.values.original[f.params[i].value] = args[i];
  }
  Results top;
  std::optional<Results> results =
      (outside.results != nullptr ? outside.results : &top)->begin_nested();
  if (!results) return std::nullopt;
  const std::uint64_t given = results->left();
  Scope scope{inputs.values, Side::Original, nullptr, {}, {}, &*results};
  for (core::ExprId need : program_.definitions[f.pure].needs)
    if (!evaluator_.truth(need, scope)) return std::nullopt;
  Options options;
  options.limits.steps = std::min<std::uint64_t>(options.limits.steps, given);
  const std::shared_ptr<std::uint64_t>& effort = outside.now.effort;
  if (effort) options.limits.steps = std::min(options.limits.steps, *effort);
  options.invariants = false;
  ExactChooser exact;
  Runner runner(*this, inputs, exact, options, {}, std::move(*results));
  if (f.external()) return runner.find_external(f);
  const Outcome outcome = runner.function(id, Run::Original);
  if (outside.results != nullptr) outside.results->charge(outcome.steps + given - runner.left());
  if (effort) *effort -= std::min(*effort, outcome.steps);
  if (outcome.end != End::Done || outcome.original.empty()) return std::nullopt;
  return outcome.original[0].scalar;
}

core::ExprId Machine::find_without_value(const core::Recall& recall, Scope& scope) const {
  const auto lacks = [&](core::ExprId expr) {
    return may_lack_[expr.value] && evaluator_.reads_without_value(expr, scope, true).valid();
  };
  for (const core::Recall::Need& need : recall.needs)
    if (lacks(need.expr)) return need.expr;
  for (core::ExprId ensured : recall.ensures)
    if (lacks(ensured)) return ensured;
  return {};
}

// Variables that some claim asks for in the original run, and where they are declared.
void Machine::find_asked_for() {
  std::set<core::VarId> asked;
  for (std::uint32_t i = 0; i < program_.exprs.size(); ++i) {
    const auto* ref = std::get_if<core::VarRef>(&program_.exprs[core::ExprId{i}].node);
    if (ref == nullptr || ref->side != Side::Original) continue;
    const core::VarKind kind = program_.vars[ref->var].kind;
    if (kind == core::VarKind::Param || kind == core::VarKind::Local ||
        kind == core::VarKind::Ghost)
      asked.insert(ref->var);
  }
  for (std::uint32_t i = 0; i < program_.exprs.size(); ++i)
    may_lack_[i] =
        mentions(program_, core::ExprId{i}, [&](core::VarId var) { return asked.contains(var); });
  own_asked_for_.resize(program_.functions.size());
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
    for (core::VarId var : locals_[f])
      if (asked.contains(var)) own_asked_for_[f].push_back(var);
    core::for_each_statement(program_, program_.functions[core::FunctionId{f}].body,
                             [&](core::StmtId id) { note_declared(id, asked); });
  }
}

void Machine::note_declared(core::StmtId id, const std::set<core::VarId>& asked) {
  std::vector<core::StmtId> inside;
  if (const auto* branch = std::get_if<core::If>(&program_.stmts[id].node))
    inside = {branch->then_branch, branch->else_branch};
  if (const auto* loop = std::get_if<core::While>(&program_.stmts[id].node)) inside = {loop->body};
  for (core::StmtId block : inside)
    core::for_each_statement(program_, block, [&](core::StmtId inner) {
      const auto* declared = std::get_if<core::Declare>(&program_.stmts[inner].node);
      if (declared != nullptr && asked.contains(declared->target))
        declared_in_[block].push_back(declared->target);
    });
}

void give_up_on_length(const Number& n, Span at) {
  throw Halt{End::Undecidable, at,
             n.is_approximate() ? "a sum with roots is known to 200 digits only, and is not kept: "
                                  "compare it where it stands"
                                : "a number has become too large"};
}

bool rests_on_original(const Outcome& outcome) {
  return outcome.end == End::AssertFailed || outcome.end == End::CheckFailed ||
         outcome.end == End::Stuck || outcome.end == End::Hung ||
         (!outcome.violations.empty() && outcome.end != End::OriginalFailed &&
          outcome.end != End::OriginalHung);
}

void judge_by_original(Outcome& outcome, const Outcome& alone) {
  if (alone.end != End::Done) {
    outcome.end = alone.end;
    outcome.where = alone.where;
    outcome.why = alone.why;
    outcome.expr = alone.expr;
    outcome.statement = alone.statement;
  } else if (outcome.original.empty()) {
    outcome.original = alone.original;
  }
}

void Machine::judge_by_constraints(Outcome& outcome, const Inputs& inputs) const {
  if (!inputs.values.tables) return;
  core::ExprId broken;
  bool open = false;
  std::string why = "the functions that nobody knows break a constraint of the model";
  try {
    broken = constraints_.find_broken(evaluator_, inputs.values);
  } catch (const Undecidable& undecidable) {
    broken = undecidable.expr;
    open = true;
    why = "a constraint on functions that nobody knows could not be evaluated";
  }
  outcome.tables = std::make_shared<const Tables>(*inputs.values.tables);
  // Points can be as the constraints want them where no functions are.
  const bool said = outcome.end != End::Done || !outcome.violations.empty();
  if (!broken.valid() && said && !outcome.tables->points().empty()) {
    broken = relating_;
    why =
        "a constraint relates what functions that nobody knows are for other arguments too, and "
        "whether there are such functions is not known";
  }
  if (!broken.valid() && !open) return;
  outcome.end = End::Impossible;
  if (broken.valid()) outcome.where = program_.exprs[broken].span;
  outcome.why = std::move(why);
  outcome.expr = broken;
  outcome.violations.clear();
  outcome.claims = 0;
}

Outcome Machine::run(core::FunctionId function, const Inputs& given, Chooser& chooser,
                     const Options& options, const Oracle& oracle) const {
  // What is asked for in this run is of this run, also where the original is looked at alone.
  Inputs inputs = given;
  if (inputs.values.tables) inputs.values.tables = std::make_shared<Tables>(*inputs.values.tables);
  Outcome outcome = run_pair(function, inputs, chooser, options, oracle);
  judge_by_constraints(outcome, inputs);
  return outcome;
}

Outcome Machine::run_pair(core::FunctionId function, const Inputs& inputs, Chooser& chooser,
                          const Options& options, const Oracle& oracle) const {
  const bool alone = program_.functions[function].is_of_one_run();
  Outcome outcome = Runner(*this, inputs, chooser, options, oracle)
                        .function(function, alone ? Run::Relaxed : Run::Both);
  if (alone || !rests_on_original(outcome)) return outcome;
  ExactChooser exact;
  judge_by_original(outcome,
                    Runner(*this, inputs, exact, {options.limits, false, false, true, {}}, {})
                        .function(function, Run::Original));
  return outcome;
}

}  // namespace leto::interp

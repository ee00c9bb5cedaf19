// The rules. Q stands for r * R(X); what a rule does not mention it leaves as it is.
//
//   x = e               x in X:  r * R(X - x + vars(e))
//   a[i] = e            a in X:  r * R(X + vars(i) + vars(e))
//   x = op(e) relaxed   x in X:  r * (1 - rates of its faults) * R(X - x + vars(e))
//   if (c) S1 else S2   if S1 or S2 may set something in X:
//                       r * min(r1, r2) * R(X1 + X2 + vars(c))
//   repeat n S          S n times; if it may be left early, what is needed then is needed before
//                       each of them
//   while (c) S         as long as S sets nothing in X, or does so without loss: the least set
//                       that contains X and vars(c) and that S leaves as it is; else nothing is
//                       known
//   f(e)                by its specification, or by looking into it
//   try S1 check (e) recover S2, if one of them may set something in X:
//     p   the least chance, over all paths, that nothing goes wrong in S1
//     perfect           r * (p + (1 - p) * r2) * R(X1 + X2 + Y)
//     with rates        r * (p * TN + p * FP * r2 + (1 - p) * TP * r2) * R(X1 + X2 + Y)
//   Y is what the check reads besides what S1 computes: a check of wrong values says nothing.
//
// The recovery rule is sound only if S2 puts right whatever S1 may have spoilt. So S1 must not
// read what it sets (it could not be done again), S2 must not read what S1 may have set, everything
// that S1 may set S2 must set on every path, and where they set elements of vectors, it must be the
// same ones: an index that went wrong in S1 has spoilt an element that nobody mends. (The published
// rule asks for the first and presupposes the rest.)
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reliability/reliability.h"

namespace leto::reliability {

using core::ExprId;
using core::StmtId;
using core::VarId;
using Vars = std::set<VarId>;

namespace {

class Walker {
 public:
  Walker(const core::Program& program, const Options& options)
      : program_(program), options_(options) {
    for (std::size_t i = 0; i < program.recoveries.size(); ++i)
      recovery_of_[program.recoveries[i].block] = i;
  }

  Analysis run(core::FunctionId function, const Vars& wanted) {
    const core::Function& f = program_.functions[function];
    calls_.push_back(function);
    telling_ = true;
    Predicate q = before(f.body, {certain(), wanted});
    telling_ = false;
    // What is not known when the function starts is right by definition: both runs start alike.
    for (VarId var : Vars(q.vars)) {
      const core::VarKind kind = program_.vars[var].kind;
      if (kind == core::VarKind::State)
        problem(f.span, fmt::format("the result depends on '{}', which is the model's own",
                                    program_.vars[var].name));
      if (kind != core::VarKind::Param) q.vars.erase(var);
    }
    if (!out_.problems.empty()) q.chance = Chance();
    out_.before = std::move(q);
    std::sort(out_.shares.begin(), out_.shares.end(),
              [](const Share& a, const Share& b) { return a.weight > b.weight; });
    std::reverse(out_.trail.begin(), out_.trail.end());
    return std::move(out_);
  }

 private:
  void problem(Span at, std::string text) {
    Problem p{at, std::move(text)};
    if (std::find(out_.problems.begin(), out_.problems.end(), p) == out_.problems.end())
      out_.problems.push_back(std::move(p));
  }

  [[nodiscard]] Vars reads(ExprId id) const {
    Vars out;
    core::for_each_read(program_, id, [&](VarId var, core::Side) {
      if (program_.vars[var].kind != core::VarKind::Constant) out.insert(var);
    });
    return out;
  }
  [[nodiscard]] Vars reads(const std::vector<ExprId>& list) const {
    Vars out;
    for (ExprId id : list) out.merge(reads(id));
    return out;
  }

  // Rates ------------------------------------------------------------------------------------

  [[nodiscard]] std::optional<Chance> constant(ExprId id) const {
    const core::Expr& e = program_.exprs[id];
    if (const auto* number = std::get_if<core::NumberConst>(&e.node))
      return Chance::parse(number->text);
    if (const auto* ref = std::get_if<core::VarRef>(&e.node)) {
      if (const auto it = options_.constants.find(ref->var); it != options_.constants.end())
        return it->second;
      for (const core::ConstantVar& c : program_.constants)
        if (c.var == ref->var && c.value.valid()) return constant(c.value);
    }
    return std::nullopt;
  }

  // The chance that an operation is exact, whatever happened before. What has no rate must be
  // the exact operation itself, always possible: it takes what the others leave.
  Chance exact(const core::FaultSite& site, ExprId value, Span at) {
    if (site.specifications.empty()) return certain();
    Chance lost;
    bool rest = false;
    for (std::uint32_t index : site.specifications) {
      const core::Specification& spec = program_.specifications[index];
      if (!spec.rate.valid()) {
        rest = rest || is_exact(spec, value);
        if (!is_exact(spec, value))
          problem(at, fmt::format("'{}' may take {}, of which no rate is known: give it '@rate'",
                                  site.what, title(index)));
        continue;
      }
      const std::optional<Chance> rate = constant(spec.rate);
      if (!rate || !rate->between_zero_and_one()) {
        problem(spec.span, fmt::format("the rate of {} is not a number from 0 to 1", title(index)));
        continue;
      }
      lost = lost + *rate;
    }
    if (!rest)
      problem(at, fmt::format("'{}' has no exact specification that takes the rest", site.what));
    if (!lost.between_zero_and_one()) {
      problem(at, fmt::format("the rates of '{}' add up to more than 1", site.what));
      return {};
    }
    return lost.complement();
  }
  [[nodiscard]] std::string title(std::uint32_t index) const {
    const std::string name = core::title(program_, index);
    return program_.specifications[index].label.empty() ? name : fmt::format("'{}'", name);
  }
  // `result == a op b`, or of a write `dest == src`, with no conditions and no side effects.
  [[nodiscard]] bool is_exact(const core::Specification& spec, ExprId value) const {
    if (spec.when.valid() || !spec.modifies.empty() || spec.ensures.size() != 1) return false;
    const auto* eq = std::get_if<core::Apply>(&program_.exprs[spec.ensures[0]].node);
    if (eq == nullptr || eq->op != core::Op::Eq) return false;
    const auto is = [&](ExprId id, VarId var) {
      const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node);
      return ref != nullptr && ref->var == var;
    };
    for (const auto& [left, right] :
         {std::pair{eq->args[0], eq->args[1]}, std::pair{eq->args[1], eq->args[0]}}) {
      if (!is(left, spec.outcome)) continue;
      const auto* op = std::get_if<core::Apply>(&program_.exprs[right].node);
      const auto* own =
          value.valid() ? std::get_if<core::Apply>(&program_.exprs[value].node) : nullptr;
      if (op == nullptr) {
        if (is(right, spec.params.back())) return own == nullptr || !value.valid();
        continue;
      }
      if (own == nullptr || op->op != own->op || op->args.size() != spec.params.size()) continue;
      bool same = true;
      for (std::size_t i = 0; i < op->args.size(); ++i)
        same = same && is(op->args[i], spec.params[i]);
      if (same) return true;
    }
    return false;
  }

  // Backwards --------------------------------------------------------------------------------

  void lose(Share::Kind kind, Span at, std::string what, const Chance& factor) {
    if (!telling_ || factor == certain()) return;
    add_share({kind, at, std::move(what),
               factor.approximate() <= 0 ? std::numeric_limits<double>::infinity()
                                         : -std::log(factor.approximate())});
  }
  void add_share(Share more) {
    for (Share& share : out_.shares)
      if (share.at == more.at && share.what == more.what) {
        share.weight += more.weight;
        return;
      }
    out_.shares.push_back(std::move(more));
  }

  // What is needed before a statement for some variables to be right after it. Each statement is
  // walked once for each set, however often it is asked for: nesting does not multiply.
  Predicate walked(StmtId id, const Vars& vars) {
    const std::pair key{id, vars};
    if (const auto it = walked_.find(key); it != walked_.end()) return it->second;
    const bool told = std::exchange(telling_, false);
    Predicate found = before(id, {certain(), vars});
    telling_ = told;
    walked_.emplace(key, found);
    return found;
  }
  // Says what is lost in it, if it is done so often.
  void tell(StmtId id, const Vars& vars, double times) {
    if (!telling_) return;
    const std::pair key{id, vars};
    if (!told_.contains(key)) {
      std::vector<Share> outside = std::exchange(out_.shares, {});
      (void)before(id, {certain(), vars});
      told_[key] = std::exchange(out_.shares, std::move(outside));
    }
    for (Share share : told_.at(key)) {
      share.weight *= times;
      add_share(std::move(share));
    }
  }

  Predicate before(StmtId id, Predicate q) {
    if (!id.valid()) return q;
    if (const auto known = recovery_at(id))
      return recovery(*known->first, *known->second, std::move(q));
    const core::Stmt& stmt = program_.stmts[id];
    Predicate out =
        std::visit([&](const auto& s) { return rule(s, std::move(q), stmt.span); }, stmt.node);
    // Between the steps of an expression nobody asks.
    const bool inside = std::any_of(out.vars.begin(), out.vars.end(), [&](VarId var) {
      return program_.vars[var].kind == core::VarKind::Temp;
    });
    if (telling_ && calls_.size() == 1 && !inside &&
        !std::holds_alternative<core::Block>(stmt.node))
      out_.trail.emplace_back(stmt.span, text(program_, out));
    return out;
  }

  Predicate rule(const core::Assign& s, Predicate q, Span) {
    if (q.vars.erase(s.target) > 0) q.vars.merge(reads(s.value));
    return q;
  }
  Predicate rule(const core::Store& s, Predicate q, Span) {
    if (!q.vars.contains(s.target)) return q;
    q.vars.merge(reads(s.indices));
    q.vars.merge(reads(s.value));
    return q;
  }
  Predicate rule(const core::Declare& s, Predicate q, Span) {
    if (q.vars.erase(s.target) > 0) q.vars.merge(reads(s.sizes));
    return q;
  }
  Predicate rule(const core::Relaxed& s, Predicate q, Span at) {
    if (q.vars.erase(s.target) == 0) return q;
    const Chance factor = exact(s.site, s.exact, at);
    lose(Share::Kind::Operation, at, fmt::format("'{}'", s.site.what), factor);
    q.chance = q.chance * factor;
    q.vars.merge(reads(s.args));
    return q;
  }
  Predicate rule(const core::Write& s, Predicate q, Span at) {
    if (!q.vars.contains(s.target)) return q;
    if (s.whole) {
      problem(at,
              "how many elements are copied under the model is not known: copy them in a "
              "'repeat'");
      return q;
    }
    const Chance factor = exact(s.site, {}, at);
    lose(Share::Kind::Operation, at, s.site.what, factor);
    q.chance = q.chance * factor;
    if (s.indices.empty()) q.vars.erase(s.target);
    q.vars.merge(reads(s.indices));
    q.vars.merge(reads(s.value));
    return q;
  }
  Predicate rule(const core::Check&, Predicate q, Span) { return q; }
  Predicate rule(const core::Claim&, Predicate q, Span) { return q; }
  Predicate rule(const core::Block& s, Predicate q, Span) {
    for (std::size_t i = s.body.size(); i-- > 0;) q = before(s.body[i], std::move(q));
    return q;
  }
  Predicate rule(const core::If& s, Predicate q, Span) {
    if (!touches(s.then_branch, q.vars) && !touches(s.else_branch, q.vars)) return q;
    const Predicate one = before(s.then_branch, {certain(), q.vars});
    const Predicate other = before(s.else_branch, {certain(), q.vars});
    q.chance = q.chance * min(one.chance, other.chance);
    q.vars = one.vars;
    q.vars.insert(other.vars.begin(), other.vars.end());
    q.vars.merge(reads(s.condition));
    return q;
  }

  // The variables that a statement may set.
  const Vars& sets(StmtId id) {
    const auto [it, fresh] = sets_.try_emplace(id);
    if (fresh && id.valid()) {
      const core::Modified& m = effects_.of(id);
      it->second = m.relaxed;
      it->second.insert(m.original.begin(), m.original.end());
    }
    return it->second;
  }
  bool touches(StmtId id, const Vars& vars) {
    const Vars& set = sets(id);
    return std::any_of(vars.begin(), vars.end(), [&](VarId var) { return set.contains(var); });
  }

  Predicate rule(const core::While& s, Predicate q, Span at) {
    if (!touches(s.body, q.vars) && !touches(s.before, q.vars)) return q;
    if (s.times.valid()) return repeat(s, std::move(q), at);
    // Without a bound: only what loses nothing.
    const bool told = std::exchange(telling_, false);
    Vars all = q.vars;
    all.merge(reads(s.condition));
    Predicate step;
    while (true) {
      step = before(s.before, walked(s.body, all));
      const std::size_t known = all.size();
      all.insert(step.vars.begin(), step.vars.end());
      if (all.size() == known) break;
    }
    telling_ = told;
    if (!(step.chance == certain()))
      problem(at, "this loop has no bound, and each iteration may go wrong: write it as 'repeat'");
    q.vars = std::move(all);
    return q;
  }

  // The sets of variables before 1, 2, ... iterations, until one comes again; from there on the
  // factors come again too. Of a loop that may be left early every iteration may be the last: what
  // is needed behind it, and whether it has been left, has to be right before each.
  Predicate repeat(const core::While& s, Predicate q, Span at) {
    const std::optional<std::uint64_t> times = count(s.times);
    if (!times) {
      problem(at, "how often this is repeated is not known: the constant has no value");
      return q;
    }
    std::vector<Predicate> steps;  // steps[k]: one iteration, to get sets[k]
    Vars behind;
    if (s.returned.valid()) {
      behind = q.vars;
      behind.merge(reads(s.condition));
      q.vars = behind;
    }
    std::vector<Vars> seen{q.vars};
    std::size_t cycle = 0;
    bool cycles = false;
    while (steps.size() < *times && !cycles) {
      Predicate step = walked(s.body, seen.back());
      step.vars.insert(behind.begin(), behind.end());
      const Vars vars = step.vars;
      steps.push_back(std::move(step));
      if (!options_.unroll)
        for (std::size_t k = 0; k < seen.size() && !cycles; ++k)
          if (seen[k] == vars) {
            cycle = k;
            cycles = true;
          }
      seen.push_back(vars);
    }
    // Each step that was walked, as often as it is taken.
    const auto taken = [&](std::size_t k) -> std::uint64_t {
      if (!cycles || k < cycle) return 1;
      const std::uint64_t period = steps.size() - cycle, left = *times - cycle;
      return left / period + (k - cycle < left % period ? 1 : 0);
    };
    for (std::size_t k = 0; k < steps.size(); ++k) {
      q.chance = q.chance * steps[k].chance.power(taken(k));
      if (!(steps[k].chance == certain())) tell(s.body, seen[k], static_cast<double>(taken(k)));
    }
    if (cycles) {
      const std::uint64_t period = steps.size() - cycle, left = *times - cycle;
      q.vars = seen[cycle + left % period];
    } else {
      q.vars = seen.back();
    }
    return q;
  }
  [[nodiscard]] std::optional<std::uint64_t> count(ExprId id) const {
    const std::optional<Chance> n = constant(id);
    if (!n || n->low().get_den() != 1 || !n->low().get_num().fits_ulong_p()) return std::nullopt;
    return n->low().get_num().get_ui();
  }

  Predicate rule(const core::Call& s, Predicate q, Span at) {
    if (!s.target.valid() || q.vars.erase(s.target) == 0) return q;
    const core::Function& f = program_.functions[s.callee];
    Vars needed;
    const core::ReliabilityClause* best = nullptr;
    for (const core::ReliabilityClause& clause : f.reliability)
      if (clause.of_result) best = &clause;
    if (best != nullptr) {  // it is shown where the function stands
      out_.relies_on.insert(s.callee);
      const Chance factor = Chance::parse(best->number).value_or(Chance());
      lose(Share::Kind::Call, at, fmt::format("the call of '{}'", f.name), factor);
      q.chance = q.chance * factor;
      needed.insert(best->vars.begin(), best->vars.end());
    } else if (f.external()) {
      problem(at, unknown_external(f));
      return q;
    } else if (std::find(calls_.begin(), calls_.end(), s.callee) != calls_.end()) {
      problem(at, fmt::format("'{}' calls itself: give it a clause 'reliability result >= ...'",
                              f.name));
      return q;
    } else {
      calls_.push_back(s.callee);
      const Predicate inside = walked(f.body, {f.result});
      tell(f.body, {f.result}, 1);
      calls_.pop_back();
      q.chance = q.chance * inside.chance;
      for (VarId var : inside.vars) {
        if (std::find(f.params.begin(), f.params.end(), var) != f.params.end())
          needed.insert(var);
        else if (program_.vars[var].kind == core::VarKind::State)
          q.vars.insert(var);
      }
    }
    for (std::size_t i = 0; i < f.params.size(); ++i)
      if (needed.contains(f.params[i])) q.vars.merge(reads(s.args[i]));
    return q;
  }

  static std::string unknown_external(const core::Function& f) {
    return fmt::format("'{}' is external: give it a clause 'reliability result >= ...'", f.name);
  }

  // Recovery ---------------------------------------------------------------------------------

  // The recovery block that a statement is, if the rule is to be used and its check is known.
  [[nodiscard]] std::optional<std::pair<const core::Recovery*, const Checker*>> recovery_at(
      StmtId id) const {
    const auto it = recovery_of_.find(id);
    if (it == recovery_of_.end() || !options_.recovery_rule) return std::nullopt;
    const auto checker = options_.checkers.find(it->second);
    if (checker == options_.checkers.end()) return std::nullopt;
    return std::pair{&program_.recoveries[it->second], &checker->second};
  }
  // Right at once and passed, right and done again, or wrong, noticed and done again.
  static Chance in_the_end(const Chance& p, const Chance& again, const Checker& checker) {
    return p * checker.false_positive.complement() + p * checker.false_positive * again +
           p.complement() * checker.false_negative.complement() * again;
  }

  Predicate recovery(const core::Recovery& r, const Checker& checker, Predicate q) {
    if (!touches(r.body, q.vars) && !touches(r.recover, q.vars)) return q;
    examine(r);
    const Predicate tried = walked(r.body, q.vars);
    const Predicate mended = walked(r.recover, q.vars);
    const Chance p = least(r.body);
    const Chance factor = in_the_end(p, mended.chance, checker);
    lose(Share::Kind::Recovery, r.span, "what recovery leaves", factor);
    q.chance = q.chance * factor;
    q.vars = tried.vars;
    q.vars.insert(mended.vars.begin(), mended.vars.end());
    // What the check reads besides what was tried.
    const Vars& set = sets(r.body);
    for (VarId var : walked(r.test, reads(r.check)).vars)
      if (!set.contains(var)) q.vars.insert(var);
    if (telling_ && calls_.size() == 1) out_.trail.emplace_back(r.span, text(program_, q));
    return q;
  }

  // The least chance, over all paths, that no operation goes wrong.
  Chance least(StmtId id) {
    if (!id.valid()) return certain();
    if (const auto known = recovery_at(id)) {
      examine(*known->first);
      return in_the_end(least(known->first->body), least(known->first->recover), *known->second);
    }
    const core::Stmt& stmt = program_.stmts[id];
    return std::visit(
        [&](const auto& s) -> Chance {
          using S = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<S, core::Relaxed>) {
            return exact(s.site, s.exact, stmt.span);
          } else if constexpr (std::is_same_v<S, core::Write>) {
            if (s.whole) {
              problem(stmt.span, "how many elements are copied under the model is not known");
              return {};
            }
            return exact(s.site, {}, stmt.span);
          } else if constexpr (std::is_same_v<S, core::Block>) {
            Chance all = certain();
            for (StmtId child : s.body) all = all * least(child);
            return all;
          } else if constexpr (std::is_same_v<S, core::If>) {
            return min(least(s.then_branch), least(s.else_branch));
          } else if constexpr (std::is_same_v<S, core::While>) {
            const Chance one = least(s.before) * least(s.body);
            if (one == certain()) return one;
            const auto times = s.times.valid() ? count(s.times) : std::nullopt;
            if (!times) {
              problem(stmt.span, "this loop has no bound, and each iteration may go wrong");
              return {};
            }
            return one.power(*times);
          } else if constexpr (std::is_same_v<S, core::Call>) {
            if (std::find(calls_.begin(), calls_.end(), s.callee) != calls_.end()) return {};
            const core::Function& f = program_.functions[s.callee];
            if (!least_.contains(s.callee)) {
              calls_.push_back(s.callee);
              const Chance found = least(f.body);
              calls_.pop_back();
              least_.emplace(s.callee, found);
            }
            Chance inside = least_.at(s.callee);
            // What is declared of it counts, even if it is better.
            bool declared = false;
            for (const core::ReliabilityClause& clause : f.reliability)
              if (clause.of_result) {
                declared = true;
                out_.relies_on.insert(s.callee);
                inside = min(inside, Chance::parse(clause.number).value_or(Chance()));
              }
            if (f.external() && !declared) problem(stmt.span, unknown_external(f));
            return inside;
          } else {
            return certain();
          }
        },
        stmt.node);
  }

  // Whether what was tried can be put right by what recovers.
  struct Effects {
    Vars reads_first;                                 // before they are set
    Vars may, must;                                   // set
    std::map<VarId, std::set<std::string>> elements;  // of vectors: the indices, as text
    Vars indices;                                     // that those indices are made of
  };
  void examine(const core::Recovery& r) {
    const Effects tried = effects(r.body), mended = effects(r.recover);
    const auto name = [&](VarId var) { return program_.vars[var].name; };
    const auto outside = [&](VarId var) {
      return program_.vars[var].kind != core::VarKind::Temp &&
             program_.vars[var].kind != core::VarKind::State;
    };
    for (VarId var : tried.may) {
      if (!outside(var)) continue;
      if (tried.reads_first.contains(var)) {
        problem(r.span,
                fmt::format("'try' reads '{}' and then sets it, so it cannot be done again: "
                            "compute into another variable",
                            name(var)));
        continue;
      }
      if (!live_after(r, var)) continue;
      const auto it = tried.elements.find(var);
      if (it == tried.elements.end()) {
        if (!mended.must.contains(var))
          problem(r.span,
                  fmt::format("'try' may set '{}', but 'recover' does not do so on every path",
                              name(var)));
        continue;
      }
      const auto again = mended.elements.find(var);
      if (!mended.must.contains(var) &&
          (again == mended.elements.end() || again->second != it->second))
        problem(r.span,
                fmt::format("'try' and 'recover' do not set the same elements of '{}'", name(var)));
      for (VarId index : tried.indices)
        if (tried.may.contains(index))
          problem(
              r.span,
              fmt::format("'try' sets an element of '{}' whose index depends on '{}', which it "
                          "computes itself: if that goes wrong, another element is spoilt for good",
                          name(var), name(index)));
    }
    for (VarId var : mended.reads_first)
      if (outside(var) && tried.may.contains(var))
        problem(r.span,
                fmt::format("'recover' reads '{}', which 'try' may have spoilt", name(var)));
    for (VarId var : mended.may)
      if (outside(var) && !tried.may.contains(var) && live_after(r, var))
        problem(r.span, fmt::format("'recover' sets '{}', which 'try' does not", name(var)));
  }
  // Locals of the blocks themselves do not matter.
  [[nodiscard]] bool live_after(const core::Recovery& r, VarId var) const {
    bool declared = false;
    for (StmtId block : {r.body, r.recover})
      core::for_each_statement(program_, block, [&](StmtId id) {
        if (const auto* d = std::get_if<core::Declare>(&program_.stmts[id].node))
          declared = declared || d->target == var;
      });
    return !declared;
  }

  [[nodiscard]] Effects effects(StmtId id) const {
    Effects e;
    collect(id, e);
    return e;
  }
  void read(const Vars& vars, Effects& e) const {
    for (VarId var : vars)
      if (!e.must.contains(var)) e.reads_first.insert(var);
  }
  void collect(StmtId id, Effects& e) const {
    if (!id.valid()) return;
    std::visit(
        [&](const auto& s) {
          using S = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<S, core::Assign>) {
            read(reads(s.value), e);
            set(s.target, e);
          } else if constexpr (std::is_same_v<S, core::Declare>) {
            read(reads(s.sizes), e);
            set(s.target, e);
          } else if constexpr (std::is_same_v<S, core::Relaxed>) {
            read(reads(s.args), e);
            set(s.target, e);
          } else if constexpr (std::is_same_v<S, core::Store> || std::is_same_v<S, core::Write>) {
            read(reads(s.indices), e);
            read(reads(s.value), e);
            if (s.indices.empty()) return set(s.target, e);
            std::string at;
            for (ExprId index : s.indices) at += "[" + core::source(program_, index) + "]";
            e.may.insert(s.target);
            if (!e.must.contains(s.target)) e.elements[s.target].insert(at);
            e.indices.merge(reads(s.indices));
          } else if constexpr (std::is_same_v<S, core::Block>) {
            for (StmtId child : s.body) collect(child, e);
          } else if constexpr (std::is_same_v<S, core::If>) {
            read(reads(s.condition), e);
            Effects one = e, other = e;
            collect(s.then_branch, one);
            collect(s.else_branch, other);
            Vars both;
            std::set_intersection(one.must.begin(), one.must.end(), other.must.begin(),
                                  other.must.end(), std::inserter(both, both.begin()));
            e = one;
            e.must = std::move(both);
            e.may.insert(other.may.begin(), other.may.end());
            e.reads_first.insert(other.reads_first.begin(), other.reads_first.end());
            e.indices.insert(other.indices.begin(), other.indices.end());
            // Elements that are set on one path only are not set the same by both blocks.
            for (const auto& [var, list] : other.elements)
              for (const std::string& at : list) e.elements[var].insert(at + " on one path");
            for (auto& [var, list] : one.elements)
              if (other.elements[var] != list)
                for (const std::string& at : list) e.elements[var].insert(at + " on one path");
          } else if constexpr (std::is_same_v<S, core::While>) {
            const Vars before = e.must;
            collect(s.before, e);
            read(reads(s.condition), e);
            collect(s.body, e);
            collect(s.before, e);
            // It may be that it is never entered, unless it is repeated so often.
            const auto times = s.times.valid() ? count(s.times) : std::nullopt;
            if (!times || *times == 0) e.must = before;
          } else if constexpr (std::is_same_v<S, core::Call>) {
            read(reads(s.args), e);
            if (s.target.valid()) set(s.target, e);
          }
        },
        program_.stmts[id].node);
  }
  static void set(VarId var, Effects& e) {
    e.may.insert(var);
    e.must.insert(var);
    e.elements.erase(var);
  }

  const core::Program& program_;
  core::Effects effects_{program_};
  const Options& options_;
  std::map<StmtId, std::size_t> recovery_of_;  // by its block
  std::vector<core::FunctionId> calls_;
  std::map<std::pair<StmtId, Vars>, Predicate> walked_;
  std::map<std::pair<StmtId, Vars>, std::vector<Share>> told_;
  std::map<core::FunctionId, Chance> least_;
  std::map<StmtId, Vars> sets_;
  bool telling_ = false;
  Analysis out_;
};

}  // namespace

Analysis analyse(const core::Program& program, core::FunctionId function, const Vars& wanted,
                 const Options& options) {
  return Walker(program, options).run(function, wanted);
}

std::string text(const core::Program& program, const Predicate& predicate) {
  std::string vars;
  for (VarId var : predicate.vars)
    if (program.vars[var].kind != core::VarKind::Temp)
      vars += (vars.empty() ? "" : ", ") + program.vars[var].name;
  return fmt::format("{} * R({})", predicate.chance.text(), vars);
}

}  // namespace leto::reliability

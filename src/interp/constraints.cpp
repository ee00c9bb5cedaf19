#include "interp/constraints.h"

#include <algorithm>

namespace leto::interp {

namespace {

constexpr std::size_t kMostInstances = 20'000;

bool compares(core::Op op) {
  return op == core::Op::Eq || op == core::Op::Ne || op == core::Op::Lt || op == core::Op::Le ||
         op == core::Op::Gt || op == core::Op::Ge;
}

}  // namespace

FunctionConstraints::FunctionConstraints(const core::Program& program) : program_(program) {
  for (core::ExprId constraint : program.constraints) {
    const bool unknown = core::uses(program, constraint, core::Rigid::Unknown);
    if (unknown)
      add(constraint, constraint, {});
    else if (!core::uses(program, constraint, core::Rigid::Known))
      plain_.push_back(constraint);  // others are proved of the values that are given
  }
}

// Conjunctions apart, universal quantifiers together.
void FunctionConstraints::add(core::ExprId whole, core::ExprId id, std::vector<core::VarId> bound) {
  const auto& node = program_.exprs[id].node;
  if (const auto* apply = std::get_if<core::Apply>(&node);
      apply != nullptr && apply->op == core::Op::And) {
    for (core::ExprId arg : apply->args) add(whole, arg, bound);
    return;
  }
  if (const auto* quant = std::get_if<core::Quant>(&node); quant != nullptr && quant->universal) {
    bound.insert(bound.end(), quant->bound.begin(), quant->bound.end());
    return add(whole, quant->body, std::move(bound));
  }
  Constraint made{whole, id, std::move(bound), {}};
  collect_calls(id, made.calls);
  all_.push_back(std::move(made));
}

void FunctionConstraints::collect_calls(core::ExprId id, std::vector<core::ExprId>& out) const {
  if (const auto* used = std::get_if<core::Defined>(&program_.exprs[id].node))
    if (program_.definitions[used->definition].is_unknown()) out.push_back(id);
  core::for_each_child(program_, id, [&](core::ExprId child) { collect_calls(child, out); });
}

bool FunctionConstraints::match(const Constraint& constraint, core::ExprId call,
                                const Tables::Point& point, Bindings& bindings) const {
  const auto& used = std::get<core::Defined>(program_.exprs[call].node);
  if (used.definition != point.function) return false;
  for (std::size_t i = 0; i < used.args.size(); ++i) {
    const auto* ref = std::get_if<core::VarRef>(&program_.exprs[used.args[i]].node);
    if (ref == nullptr || std::find(constraint.bound.begin(), constraint.bound.end(), ref->var) ==
                              constraint.bound.end())
      continue;  // the instance will ask for what it is
    const core::Type& type = program_.vars[ref->var].type;
    const Number& n = point.args[i];
    if (type.natural && n.sign() < 0) return false;
    if (type.base == core::Base::Int && !(n.floor() == n)) return false;
    if (type.base == core::Base::Word && !Domain{type, {}, {}, 0}.contains(n)) return false;
    const auto it = std::find_if(bindings.begin(), bindings.end(),
                                 [&](const auto& one) { return one.first == ref->var; });
    if (it == bindings.end())
      bindings.emplace_back(ref->var, n);
    else if (!(it->second == n))
      return false;
  }
  return true;
}

bool FunctionConstraints::for_each_instance(const Constraint& constraint, const Tables& tables,
                                            std::size_t call, Bindings& bindings,
                                            const std::function<bool()>& more) const {
  if (bindings.size() == constraint.bound.size()) return more();
  if (call == constraint.calls.size()) return true;  // some variable is in no call of its own
  const std::size_t known = bindings.size();
  for (std::size_t i = 0; i < tables.points().size(); ++i) {
    const Tables::Point point = tables.points()[i];  // there may be more of them meanwhile
    const bool goes_on = !match(constraint, constraint.calls[call], point, bindings) ||
                         bindings.size() == known ||
                         for_each_instance(constraint, tables, call + 1, bindings, more);
    bindings.erase(bindings.begin() + static_cast<std::ptrdiff_t>(known), bindings.end());
    if (!goes_on) return false;
  }
  return for_each_instance(constraint, tables, call + 1, bindings, more);
}

bool FunctionConstraints::is_broken(const Evaluator& evaluator, const Constraint& constraint,
                                    const Bindings& bindings, const Pair& now) const {
  Scope scope{now, core::Side::Relaxed};
  scope.bound = bindings;
  return !evaluator.truth(constraint.body, scope);
}

// By what is known; what is not known breaks nothing.
bool FunctionConstraints::breaks(const Evaluator& evaluator, const Pair& now) const {
  std::size_t left = kMostInstances;
  for (const Constraint& constraint : all_) {
    Bindings bindings;
    const bool fine = for_each_instance(constraint, *now.tables, 0, bindings, [&] {
      if (left == 0) return true;
      --left;
      try {
        return !is_broken(evaluator, constraint, bindings, now);
      } catch (const Undecidable&) {
        return true;
      }
    });
    if (!fine) return true;
  }
  return false;
}

std::vector<Number> FunctionConstraints::suggested(const Evaluator& evaluator,
                                                   const Tables::Point& point,
                                                   const Pair& now) const {
  std::vector<Number> out;
  for (const Constraint& constraint : all_)
    for (core::ExprId call : constraint.calls) {
      Bindings bindings;
      if (!match(constraint, call, point, bindings) || bindings.size() != constraint.bound.size())
        continue;
      std::vector<core::ExprId> work{constraint.body};
      while (!work.empty()) {
        const core::ExprId at = work.back();
        work.pop_back();
        core::for_each_child(program_, at, [&](core::ExprId child) { work.push_back(child); });
        const auto* apply = std::get_if<core::Apply>(&program_.exprs[at].node);
        if (apply == nullptr || !compares(apply->op)) continue;
        for (std::size_t side = 0; side < 2; ++side)
          if (apply->args[side] == call) {
            Scope scope{now, core::Side::Relaxed};
            scope.bound = bindings;
            try {
              const Number n = evaluator.number(apply->args[1 - side], scope);
              out.insert(out.end(), {n, n + Number(1), n - Number(1)});
            } catch (const Undecidable&) {
              continue;
            }
          }
      }
    }
  return out;
}

Number FunctionConstraints::find_value(const Evaluator& evaluator, core::DefinitionId function,
                                       const std::vector<Number>& args, const Scope& scope) const {
  constexpr unsigned kAttempts = 12;
  Tables& tables = *scope.now.tables;
  const core::Type& type = program_.definitions[function].type;
  const Number first = tables.draw(function, type, args, 0);
  if (all_.empty() || tables.closed) return first;
  // Tried on a table of its own: who looks must not ask for more.
  Pair now = scope.now;
  now.tables = std::make_shared<Tables>(tables);
  now.tables->closed = true;
  const auto fits = [&](const Number& n) {
    now.tables->set(function, args, n);
    return !breaks(evaluator, now);
  };
  if (fits(first)) return first;
  for (const Number& n : suggested(evaluator, {function, args, first}, now)) {
    if (type.base == core::Base::Word && !Domain{type, {}, {}, 0}.contains(n)) continue;
    const bool natural = !type.natural || n.sign() >= 0;
    if (natural && (type.base == core::Base::Real || n.floor() == n) && fits(n)) return n;
  }
  for (unsigned attempt = 1; attempt < kAttempts; ++attempt)
    if (const Number n = tables.draw(function, type, args, attempt); fits(n)) return n;
  return first;
}

core::ExprId FunctionConstraints::find_broken(const Evaluator& evaluator, const Pair& now) const {
  if (!now.tables) return {};
  // What an instance asks for has instances of its own, and so on, but not for ever.
  constexpr int kRounds = 3;
  std::size_t left = kMostInstances;
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t known = now.tables->points().size();
    const Tables asked = *now.tables;
    for (const Constraint& constraint : all_) {
      Bindings bindings;
      const bool fine = for_each_instance(constraint, asked, 0, bindings, [&] {
        if (left == 0) throw Undecidable{constraint.whole, {}};
        --left;
        return !is_broken(evaluator, constraint, bindings, now);
      });
      if (!fine) return constraint.whole;
    }
    if (now.tables->points().size() == known) break;
  }
  return {};
}

}  // namespace leto::interp

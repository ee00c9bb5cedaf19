// What each kind of node consists of, said once. Whoever goes through the tree goes through here:
// a new kind of node does not compile until its parts are listed, and then every analysis that
// walks, collects or copies sees them.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>

#include "base/overload.h"
#include "core/program.h"

namespace leto::core {

// How an expression stands in a statement.
enum class Use : std::uint8_t {
  Evaluated,  // by a run that comes to the statement
  Claimed,    // of a loop's heads, and where
  Counted,    // how often `repeat` does its body, over constants
};

namespace parts {

template <class T, class Kind>
concept Is = std::same_as<std::remove_const_t<T>, Kind>;

// clang-format off
// Of expressions: f(child), for each that is there, in order.
template <class F> void give(Is<BoolConst> auto&, const F&) {}
template <class F> void give(Is<NumberConst> auto&, const F&) {}
template <class F> void give(Is<VarRef> auto&, const F&) {}
template <class F> void give(Is<OldRef> auto&, const F&) {}
template <class F> void give(Is<Length> auto& e, const F& f) { f(e.vector); }
template <class F> void give(Is<Select> auto& e, const F& f) {
  f(e.vector);
  for (auto& index : e.indices) f(index);
}
template <class F> void give(Is<Apply> auto& e, const F& f) { for (auto& arg : e.args) f(arg); }
template <class F> void give(Is<Word> auto& e, const F& f) { for (auto& arg : e.args) f(arg); }
template <class F> void give(Is<Quant> auto& e, const F& f) { f(e.body); }
template <class F> void give(Is<Snapshot> auto& e, const F& f) { f(e.expr); }

template <class F> void give(Is<Row> auto& e, const F& f) {
  f(e.matrix);
  f(e.index);
}
template <class F> void give(Is<Update> auto& e, const F& f) {
  f(e.vector);
  f(e.index);
  f(e.value);
}
template <class F> void give(Is<Defined> auto& e, const F& f) { for (auto& arg : e.args) f(arg); }
template <class F> void give(Is<Listed> auto& e, const F& f) { for (auto& one : e.elements) f(one); }

// Of statements: expr(child, use) and stmt(child), in order; some may be invalid.
template <class E, class S> void give(Is<Assign> auto& s, const E& expr, const S&) {
  expr(s.value, Use::Evaluated);
}
template <class E, class S> void give(Is<core::Store> auto& s, const E& expr, const S&) {
  for (auto& index : s.indices) expr(index, Use::Evaluated);
  expr(s.value, Use::Evaluated);
}
template <class E, class S> void give(Is<Declare> auto& s, const E& expr, const S&) {
  for (auto& size : s.sizes) expr(size, Use::Evaluated);
}
template <class E, class S> void give(Is<Relaxed> auto& s, const E& expr, const S&) {
  for (auto& arg : s.args) expr(arg, Use::Evaluated);
  expr(s.exact, Use::Evaluated);
}
template <class E, class S> void give(Is<Write> auto& s, const E& expr, const S&) {
  for (auto& index : s.indices) expr(index, Use::Evaluated);
  expr(s.value, Use::Evaluated);
  if (s.exact.valid()) expr(s.exact, Use::Evaluated);
}
template <class E, class S> void give(Is<Check> auto& s, const E& expr, const S&) {
  expr(s.expr, Use::Evaluated);
}
template <class E, class S> void give(Is<Claim> auto& s, const E& expr, const S&) {
  expr(s.expr, Use::Evaluated);
}
template <class E, class S> void give(Is<Block> auto& s, const E&, const S& stmt) {
  for (auto& child : s.body) stmt(child);
}
template <class E, class S> void give(Is<If> auto& s, const E& expr, const S& stmt) {
  expr(s.condition, Use::Evaluated);
  stmt(s.then_branch);
  stmt(s.else_branch);
}
template <class E, class S> void give(Is<While> auto& s, const E& expr, const S& stmt) {
  expr(s.times, Use::Counted);
  for (auto& invariant : s.invariants) {
    expr(invariant.expr, Use::Claimed);
    expr(invariant.only_if, Use::Claimed);
  }
  expr(s.falls, Use::Claimed);
  expr(s.likely, Use::Claimed);
  stmt(s.before);
  expr(s.condition, Use::Evaluated);
  stmt(s.body);
}
template <class E, class S> void give(Is<Call> auto& s, const E& expr, const S&) {
  for (auto& arg : s.args) expr(arg, Use::Evaluated);
}
template <class E, class S> void give(Is<Recall> auto& s, const E& expr, const S&) {
  for (auto& need : s.needs) expr(need.expr, Use::Evaluated);
  for (auto& one : s.made)
    for (auto& size : one.sizes) expr(size, Use::Evaluated);
  for (auto& arg : s.args) expr(arg, Use::Evaluated);
  for (auto& ensured : s.ensures) expr(ensured, Use::Evaluated);
}
// clang-format on

}  // namespace parts

// f(child) for each expression directly inside of an expression, in order.
template <class F>
void for_each_child(const Program& program, ExprId id, const F& f) {
  std::visit([&](const auto& node) { parts::give(node, [&](ExprId child) { f(child); }); },
             program.exprs[id].node);
}

// f(child) for each statement directly inside of a statement, in order.
// The variables that the statement itself sets.
template <class F>
void for_each_target(const Program& program, StmtId id, const F& f) {
  std::visit(Overload{
                 [&](const Assign& s) { f(s.target); },
                 [&](const core::Store& s) { f(s.target); },
                 [&](const Declare& s) { f(s.target); },
                 [&](const Relaxed& s) { f(s.target); },
                 [&](const Write& s) { f(s.target); },
                 [](const Check&) {},
                 [](const Claim&) {},
                 [](const Block&) {},
                 [](const If&) {},
                 [](const While&) {},
                 [&](const Call& s) {
                   for (VarId target : s.targets) f(target);
                 },
                 [&](const Recall& s) {
                   for (const Recall::Made& one : s.made) f(one.var);
                 },
             },
             program.stmts[id].node);
}

template <class F>
void for_each_child(const Program& program, StmtId id, const F& f) {
  const auto stmt = [&](StmtId child) {
    if (child.valid()) f(child);
  };
  std::visit(
      [&](const auto& node) {
        parts::give(
            node, [](ExprId, Use) {}, stmt);
      },
      program.stmts[id].node);
}

// f(expression, use) for each expression that stands directly in a statement, in order.
template <class F>
void for_each_expression(const Program& program, StmtId id, const F& f) {
  const auto expr = [&](ExprId child, Use use) {
    if (child.valid()) f(child, use);
  };
  std::visit([&](const auto& node) { parts::give(node, expr, [](StmtId) {}); },
             program.stmts[id].node);
}

// The expression with f(child) in the place of each child; itself if that changes nothing.
[[nodiscard]] ExprId map(Program& program, ExprId id, const std::function<ExprId(ExprId)>& f);

// A statement of its own with f(child) in the place of each statement inside.
[[nodiscard]] Stmt map(const Program& program, StmtId id, const std::function<StmtId(StmtId)>& f);

}  // namespace leto::core

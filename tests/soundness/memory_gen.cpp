// Vectors, matrices, regions, ghosts, the model's state: everything that has places.
#include <fmt/core.h>

#include "stmt_gen.h"

namespace leto::soundness {

void Writer::add(Scope& scope, const Variable& v, const std::string& value, Nodes& out) {
  out.push_back(line(declare(v) + (value.empty() ? ";" : " = " + value + ";")));
  scope.variables.push_back(v);
}

void Writer::prepare(Scope& scope, Nodes& out) {
  const Scalar t = world_.number;
  const bool sized = scope.find("n") != nullptr;
  if (world_.about(Theme::Vectors)) {
    const bool other = dice_.chance(20);
    const bool copy = sized && !other && scope.find("v") != nullptr && dice_.chance(40);
    add(scope, vector("w", other ? Scalar::Bool : t, sized ? "n" : "2"), copy ? "v" : "", out);
    if (dice_.chance(40)) add(scope, vector("u", t, dice_.any({"2", "3"})), "", out);
  }
  if (world_.about(Theme::Matrices)) {
    Variable b = matrix("B", dice_.chance(20) ? Scalar::Bool : t, "2", dice_.any({"1", "2"}));
    const Variable* a = scope.find("A");
    if (a != nullptr) b = matrix("B", a->scalar, a->rows, a->columns);
    add(scope, b, a != nullptr && dice_.chance(30) ? "A" : "", out);
  }
  for (const Region& region : world_.model.regions) prepare_region(scope, region, out);
  if (!world_.about(Theme::Ghosts)) return;
  Variable g = scalar("g", dice_.chance(85) ? t : Scalar::Uint);
  g.ghost = true;
  add(scope, g, dice_.chance(80) ? exprs_.pure(scope, g.scalar) : "", out);
  if (!sized || !dice_.chance(40)) return;
  Variable h = vector("h", t, "n");
  h.ghost = true;
  add(scope, h, "", out);
}

void Writer::prepare_region(Scope& scope, const Region& region, Nodes& out) {
  Variable cell = scalar(world_.name("r"), region.scalar);
  cell.region = region.name;
  add(scope, cell, dice_.chance(70) ? exprs_.number(region.scalar, 2) : "", out);
  if (!dice_.chance(75)) return;
  const bool sized = scope.find("n") != nullptr && dice_.chance(50);
  Variable cells = vector(world_.name("s"), region.scalar, sized ? "n" : "2");
  cells.region = region.name;
  add(scope, cells, "", out);
  if (dice_.chance(75)) add(scope, vector(world_.name("d"), region.scalar, cells.rows), "", out);
}

// Bools ------------------------------------------------------------------------------------------

void Writer::bools(Scope& scope, Nodes& out) {
  const std::string b = target(scope, Scalar::Bool, out);
  scope.focus = b;
  std::vector<const Operation*> logic;
  for (const Operation& op : world_.model.operations)
    if (op.operand == Scalar::Bool) logic.push_back(&op);
  if (!logic.empty() && dice_.chance(75)) {
    const Operation& op = *dice_.any(logic);
    const std::string x = exprs_.exactly(scope, Scalar::Bool);
    const std::string y =
        dice_.chance(40) ? "(" + exprs_.comparison(scope) + ")" : exprs_.atom(scope, Scalar::Bool);
    out.push_back(loose(op.unary ? fmt::format("{} = {}. {};", b, op.sign, x)
                                 : fmt::format("{} = {} {}. {};", b, x, op.sign, y)));
  } else {
    out.push_back(loose(fmt::format("{} = {};", b, exprs_.condition(scope))));
  }
  claim_about(scope, b, 1 + dice_.pick(2), out);
  if (!dice_.chance(50)) return;
  Scope inner = inside(scope);
  Nodes body;
  statements(inner, 1, body);
  claims(inner, 1, body);
  out.push_back(loosely(block(fmt::format("if ({})", b), std::move(body))));
}

// Vectors and matrices ---------------------------------------------------------------------------

void Writer::compare(Scope& scope, const std::string& a, const std::string& b, Nodes& out) {
  const std::string same = target(scope, Scalar::Bool, out);
  out.push_back(loose(fmt::format("{} = {} {} {};", same, a, dice_.any({"==", "!="}), b)));
  claim_about(scope, same, 1, out);
  claims(scope, 1, out);
}

// Every element, or every one but the last.
void Writer::fill_vector(Scope& scope, const Variable& w, const std::string& source, Nodes& out) {
  Scope inner = inside(scope);
  const std::string i = world_.name("i"), k = world_.name("k");
  inner.variables.push_back(given(i, Scalar::Uint));
  inner.indices.push_back({i, w.rows});
  const bool copies = !source.empty() && scope.find(source)->rows == w.rows;
  const std::string from = copies ? fmt::format("{}[{}]", source, i) : exprs_.number(w.scalar, 2);
  Node n =
      block(attributes(inner) + fmt::format("for (uint {0} = 0; {0} < {1}; ++{0})", i, w.rows));
  n.body.push_back(invariant(fmt::format("invariant_r eq({})", i)));
  n.body.push_back(invariant(fmt::format("invariant {} <= {}", i, w.rows)));
  if (copies)
    n.body.push_back(
        invariant(fmt::format("invariant forall(uint {0})({0} {1} {2} -> {3}[{0}] == {4}[{0}])", k,
                              dice_.chance(85) ? "<" : "<=", i, w.name, source)));
  Specifications specs(world_, inner);
  n.body.push_back(invariant(fmt::format("invariant_r {}eq({})", specs.unless_struck(), w.name)));
  const auto r = dice_.chance(40) ? exprs_.relaxed(inner, w.scalar) : std::nullopt;
  n.body.push_back(loose(fmt::format("{}[{}] = {};", w.name, i, r ? *r : from)));
  if (dice_.chance(30)) claims(inner, 1, n.body);
  out.push_back(loosely(std::move(n)));
}

void Writer::set_element(Scope& scope, const Variable& w, Nodes& out) {
  const std::string k = exprs_.readable(scope, dice_.chance(50) ? Scalar::Uint : Scalar::Int);
  if (!k.empty() && dice_.chance(50)) {
    Nodes inner;
    inner.push_back(loose(fmt::format("{}[{}] = {};", w.name, k, exprs_.value(scope, w.scalar))));
    if (dice_.chance(40)) claim_about(scope, w.name, 1, inner);
    const std::string guard = dice_.chance(80) ? "if (0 <= {0} && {0} < {1})" : "if ({0} < {1})";
    out.push_back(loosely(block(fill_in(guard, k, w.rows), std::move(inner))));
    return;
  }
  const std::string place = fmt::format("{}[{}]", w.name, dice_.pick(2));
  if (w.scalar != Scalar::Bool && dice_.chance(50))
    out.push_back(loose(fmt::format("{}{};", dice_.chance(80) ? "++" : "--", place)));
  else if (w.scalar != Scalar::Bool && dice_.chance(30))
    out.push_back(loose(fmt::format("{} += {};", place, exprs_.atom(scope, w.scalar))));
  else
    out.push_back(loose(fmt::format("{} = {};", place, exprs_.value(scope, w.scalar))));
}

void Writer::vectors(Scope& scope, Nodes& out) {
  const auto all = scope.select(
      [](const Variable& v) { return v.shape == Shape::Vector && !v.ghost && !v.fixed; });
  if (all.empty()) return assign_relaxed(scope, out);
  const Variable w = *dice_.any(all);
  const auto alike = scope.select([&](const Variable& v) {
    return v.shape == Shape::Vector && !v.ghost && v.scalar == w.scalar && v.name != w.name;
  });
  const std::string other = alike.empty() ? "" : dice_.any(alike)->name;
  scope.focus = w.name;
  switch (dice_.weighted(
      {other.empty() ? 0u : 20u, w.rows == "n" ? 30u : 0u, other.empty() ? 0u : 15u, 35})) {
    case 0:
      out.push_back(loose(fmt::format("{} = {};", w.name, other)));
      break;
    case 1:
      fill_vector(scope, w, other, out);
      break;
    case 2:
      return compare(scope, w.name, other, out);
    default:
      set_element(scope, w, out);
      break;
  }
  claim_about(scope, w.name, 2, out);
}

void Writer::fill_matrix(Scope& scope, const Variable& b, Nodes& out) {
  Scope inner = inside(scope);
  const auto head = [&](Scope& where, const std::string& i, const std::string& size) {
    where.variables.push_back(given(i, Scalar::Uint));
    where.indices.push_back({i, size});
    Node n =
        block(attributes(where) + fmt::format("for (uint {0} = 0; {0} < {1}; ++{0})", i, size));
    n.body.push_back(invariant(fmt::format("invariant_r eq({})", i)));
    n.body.push_back(invariant(fmt::format("invariant_r eq({})", b.name)));
    return n;
  };
  const std::string i = world_.name("i"), j = world_.name("j");
  Node outer = head(inner, i, b.rows);
  Scope deep = inside(inner);
  Node nested = head(deep, j, b.columns);
  nested.body.push_back(
      loose(fmt::format("{}[{}][{}] = {};", b.name, i, j, exprs_.value(deep, b.scalar))));
  outer.body.push_back(loosely(std::move(nested)));
  out.push_back(loosely(std::move(outer)));
}

void Writer::matrices(Scope& scope, Nodes& out) {
  const auto all =
      scope.select([](const Variable& v) { return v.shape == Shape::Matrix && !v.fixed; });
  if (all.empty()) return assign_relaxed(scope, out);
  const Variable b = *dice_.any(all);
  const auto alike = scope.select([&](const Variable& v) {
    return v.shape == Shape::Matrix && v.scalar == b.scalar && v.name != b.name;
  });
  const std::string other = alike.empty() ? "" : dice_.any(alike)->name;
  scope.focus = b.name;
  switch (dice_.weighted({other.empty() ? 0u : 25u, 20, other.empty() ? 0u : 25u, 30})) {
    case 0:
      out.push_back(loose(fmt::format("{} = {};", b.name, other)));
      break;
    case 1:
      fill_matrix(scope, b, out);
      break;
    case 2:
      return compare(scope, b.name, other, out);
    default:
      out.push_back(loose(
          fmt::format("{}[0][{}] = {};", b.name, dice_.pick(2), exprs_.value(scope, b.scalar))));
      break;
  }
  claim_about(scope, b.name, 2, out);
}

// Regions ----------------------------------------------------------------------------------------

// A whole vector into a region or out of it; false if there is no partner for it.
bool Writer::copy_region(Scope& scope, const Variable& r, Nodes& out) {
  const auto alike = scope.select([&](const Variable& v) {
    return v.shape == Shape::Vector && !v.ghost && v.scalar == r.scalar && v.name != r.name;
  });
  if (r.shape != Shape::Vector || alike.empty() || !dice_.chance(65)) return false;
  const std::string other = dice_.any(alike)->name;
  out.push_back(loose(dice_.chance(75) ? fmt::format("{} = {};", r.name, other)
                                       : fmt::format("{} = {};", other, r.name)));
  claim_about(scope, r.name, 2, out);
  return true;
}

void Writer::regions(Scope& scope, Nodes& out) {
  const auto all = scope.select([](const Variable& v) { return !v.region.empty(); });
  if (all.empty()) return assign_relaxed(scope, out);
  const Variable r = *dice_.any(all);
  scope.focus = r.name;
  if (copy_region(scope, r, out)) return;
  const std::string place =
      r.shape == Shape::Vector ? fmt::format("{}[{}]", r.name, dice_.pick(2)) : r.name;
  std::string subject = r.name;
  switch (dice_.pick(r.scalar != Scalar::Bool ? 5 : 2)) {
    case 0:
      out.push_back(loose(fmt::format("{} = {};", place, exprs_.value(scope, r.scalar))));
      break;
    case 1:
      subject = target(scope, r.scalar, out);
      out.push_back(loose(fmt::format("{} = {};", subject, place)));
      break;
    case 2:
      out.push_back(loose(fmt::format("{} += {};", place, exprs_.atom(scope, r.scalar))));
      break;
    case 3:
      out.push_back(loose(fmt::format("++{};", place)));
      break;
    default:  // read twice, and the values may differ
      subject = target(scope, Scalar::Bool, out);
      out.push_back(loose(fmt::format("{0} = {1} == {1};", subject, place)));
      break;
  }
  claim_about(scope, subject, 2, out);
}

// Ghosts and the model's state -------------------------------------------------------------------

void Writer::ghosts(Scope& scope, Nodes& out) {
  const auto all = scope.select([](const Variable& v) { return v.ghost; });
  if (all.empty()) return assign_relaxed(scope, out);
  const Variable g = *dice_.any(all);
  if (dice_.chance(60)) assign_relaxed(scope, out);
  if (g.shape == Shape::Vector) {
    out.push_back(
        loose(fmt::format("{}[{}] = {};", g.name, dice_.pick(2), exprs_.pure(scope, g.scalar))));
  } else if (!world_.model.flag.empty() && dice_.chance(30)) {
    Variable seen = scalar(world_.name("seen"), Scalar::Bool);
    seen.ghost = true;
    out.push_back(line(fmt::format("{} = model.{};", declare(seen), world_.model.flag)));
    scope.variables.push_back(seen);
    claim_about(scope, seen.name, 2, out);
    return;
  } else {
    switch (g.scalar == Scalar::Bool ? 0 : dice_.pick(3)) {
      case 0:
        out.push_back(loose(fmt::format("{} = {};", g.name, exprs_.pure(scope, g.scalar))));
        break;
      case 1:
        out.push_back(loose(fmt::format("{} += {};", g.name, exprs_.pure(scope, g.scalar))));
        break;
      default:
        out.push_back(loose(fmt::format("++{};", g.name)));
        break;
    }
  }
  claim_about(scope, g.name, 2, out);
}

void Writer::state(Scope& scope, Nodes& out) {
  if (world_.model.states.empty()) return assign_relaxed(scope, out);
  const Named& s = dice_.any(world_.model.states);
  const std::string x = "model." + s.name;
  const bool number = s.scalar != Scalar::Bool;
  switch (dice_.pick(4)) {
    case 0: {  // what the program knows of faults, in the original run too
      Scope inner = inside(scope);
      Nodes body;
      if (dice_.chance(50))
        body.push_back(loose(fmt::format("{} = {};", x, exprs_.number(s.scalar, 2))));
      statements(inner, 1, body);
      claims(inner, 1, body);
      out.push_back(loosely(block(
          number ? fmt::format("if ({} {} {})", x, dice_.any({">", "==", "<="}), dice_.pick(2))
                 : fmt::format("if ({}{})", dice_.chance(50) ? "!" : "", x),
          std::move(body))));
      break;
    }
    case 1: {
      const std::string y = target(scope, s.scalar, out);
      out.push_back(loose(fmt::format("{} = {};", y, x)));
      scope.focus = y;
      break;
    }
    case 2:
      if (number && dice_.chance(60)) {
        out.push_back(
            loose(dice_.chance(50) ? fmt::format("++{};", x) : fmt::format("{} += 1;", x)));
        break;
      }
      // What is added may change it as well.
      if (const auto r = number ? exprs_.relaxed(scope, s.scalar) : std::nullopt; r) {
        out.push_back(loose(fmt::format("{} += {};", x, *r)));
        break;
      }
      [[fallthrough]];
    default:
      out.push_back(loose(fmt::format(
          "{} = {};", x,
          number && dice_.chance(30) ? exprs_.atom(scope, s.scalar) : exprs_.number(s.scalar, 2))));
      break;
  }
  if (dice_.chance(60)) assign_relaxed(scope, out);
  claims(scope, 2, out);
}

}  // namespace leto::soundness

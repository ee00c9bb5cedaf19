#include "spec_gen.h"

#include <fmt/core.h>

#include <cctype>

namespace leto::soundness {

std::string Specifications::name(const Variable& v, View view) {
  return v.name + (view == View::Own ? "" : view == View::Original ? "<o>" : "<r>");
}

// Sizes are numbers, constants or variables; only the last have a side.
std::string Specifications::size(const std::string& text, View view) const {
  const Variable* v = scope_.find(text);
  return v == nullptr ? text : name(*v, view);
}

const Variable* Specifications::subject() {
  if (const Variable* focus = scope_.find(scope_.focus); focus != nullptr && dice_.chance(60))
    return focus;
  if (scope_.variables.empty()) return nullptr;
  return &dice_.any(scope_.variables);
}

// Another variable of the kind, or a number.
std::string Specifications::other(const Variable& v, View view) {
  const auto found = scope_.select([&](const Variable& w) {
    return w.shape == Shape::Scalar && w.scalar == v.scalar && w.name != v.name;
  });
  if (found.empty() || dice_.chance(40)) return exprs_.number(v.scalar, 3);
  return name(*dice_.any(found), view);
}

// One run ----------------------------------------------------------------------------------------

std::string Specifications::number_fact(const Variable& v, View view) {
  const std::string x = name(v, view), y = other(v, view);
  switch (dice_.weighted({22, 14, 10, 10, 6, 5, 5, 4, 4, 4, 5})) {
    case 0:
      return fmt::format("{} {} {}", x, dice_.any({"<=", ">="}), exprs_.number(v.scalar, 4));
    case 1:
      if (!world_.tables.empty() && dice_.chance(60))
        return fmt::format("{} {} TABLE[{}]", x, dice_.any({"<=", ">=", "=="}),
                           v.scalar == Scalar::Uint ? x : dice_.any({"0", "1", "2", "3"}));
      return fmt::format("{} {} {}", x, dice_.any({"<=", ">=", "==", "!="}), y);
    case 2:
      return fmt::format("{} {} {} + {}", x, dice_.any({"==", "<=", ">="}), y, 1 + dice_.pick(2));
    case 3:
      return fmt::format("{} <= {} <= {}", v.scalar == Scalar::Uint ? "0" : dice_.any({"0", "-1"}),
                         x, dice_.pick(4));
    case 4:
      return fmt::format("abs({}) <= {}", x, 1 + dice_.pick(3));
    case 5:
      return fmt::format("{}({}, {}) {} {}", dice_.any({"min", "max"}), x, y,
                         dice_.any({"<=", ">="}), x);
    case 6:
      return fmt::format("{} {} {} -> {} {} {}", x, dice_.any({">", "<="}), dice_.pick(2), x,
                         dice_.any({">=", "!="}), y);
    case 9:
      return fmt::format("(if ({} {} {}) {} else {}) {} {}", x, dice_.any({"<", "==", ">="}), y, x,
                         dice_.chance(50) ? y : exprs_.number(v.scalar, 2),
                         dice_.any({"<=", ">=", "=="}), y);
    case 10:
      if (v.scalar == Scalar::Real)
        return fmt::format("floor({}) {} {}", x, dice_.any({"<=", ">=", "=="}), y);
      return dice_.chance(50)
                 ? fmt::format("uint({} - {}) {} {}", x, dice_.pick(3),
                               dice_.any({"<=", ">=", "=="}), x)
                 : fmt::format("real({0}) / 2 {1} {0} / 2", x, dice_.any({"<=", ">=", "=="}));
    case 7:
      return v.scalar == Scalar::Real ? fmt::format("{0} / 2 <= {0} || {0} < 0", x)
                                      : fmt::format("{} % 2 {}", x, dice_.any({"< 2", "== 0"}));
    default:
      return fmt::format("{0} * {0} {1}", x, dice_.any({">= 0", "!= 4", "!= 1", "<= 4"}));
  }
}

std::string Specifications::bool_fact(const Variable& v, View view) {
  const std::string b = name(v, view), c = other(v, view);
  switch (dice_.pick(6)) {
    case 0:
      return b;
    case 1:
      return "!" + b;
    case 2:
      return fmt::format("{} -> {}", b, c);
    case 3:
      return fmt::format("{} == {}", b, c);
    default: {
      const auto found = scope_.select([](const Variable& w) {
        return w.shape == Shape::Scalar && w.scalar != Scalar::Bool && !w.ghost;
      });
      if (found.empty()) return fmt::format("{} || !{}", b, c);
      return fmt::format("{} {} {}", b, dice_.any({"->", "||"}),
                         number_fact(*dice_.any(found), view));
    }
  }
}

std::string Specifications::vector_fact(const Variable& v, View view) {
  const std::string w = name(v, view), n = size(v.rows, view);
  const std::string k = world_.name("k"), j = world_.name("j");
  const bool number = v.scalar != Scalar::Bool;
  const std::string least = number ? dice_.any({">= 0", "<= 2", "== 0", "!= 1"}) : "== true";
  switch (dice_.pick(9)) {
    case 0:
      return fmt::format("forall(uint {0})({0} < {1} -> {2}[{0}] {3})", k, n, w, least);
    case 1:
      return fmt::format("exists(uint {0})({0} < {1} && {2}[{0}] {3}) || {1} == 0", k, n, w, least);
    case 2:
      return fmt::format(
          "forall(uint {0})({0} < {2} -> exists(uint {1})({1} < {2} && {3}[{0}] {4} "
          "{3}[{1}]))",
          k, j, n, w, number ? dice_.any({"<=", "==", "<"}) : "==");
    case 3:
      return fmt::format("forall(uint {0}, uint {1})({0} < {1} < {2} -> {3}[{0}] {4} {3}[{1}])", k,
                         j, n, w, number ? dice_.any({"<=", "==", "!="}) : "==");
    case 4:  // outside of its bounds there is nothing
      return number ? fmt::format("{}[{}] == 0", w, n) : fmt::format("!{}[{}]", w, n);
    case 5:
      return fmt::format("{} {} 0 -> {}[0] {}", n, dice_.any({">", ">="}), w, least);
    case 7:
      return fmt::format(
          "{0}[{1} := {2}] {3} {0}", w, dice_.pick(3),
          dice_.chance(50) ? fmt::format("{}[{}]", w, dice_.pick(2)) : exprs_.number(v.scalar, 1),
          dice_.any({"==", "!="}));
    case 6: {
      const auto found = scope_.select([&](const Variable& u) {
        return u.shape == Shape::Vector && u.scalar == v.scalar && u.name != v.name;
      });
      if (found.empty()) break;
      const std::string u = name(*dice_.any(found), view);
      return dice_.chance(50)
                 ? fmt::format("{} == {}", w, u)
                 : fmt::format("forall(uint {0})({0} < {1} -> {2}[{0}] {4} {3}[{0}])", k, n, w, u,
                               number ? dice_.any({"==", "<=", ">="}) : "==");
    }
    default:
      break;
  }
  return number ? fmt::format("{}[{}] {}", w, dice_.pick(2), least)
                : fmt::format("{0}[0] == {0}[1]", w);
}

std::string Specifications::matrix_fact(const Variable& v, View view) {
  const std::string a = name(v, view), n = size(v.rows, view), m = size(v.columns, view);
  const std::string i = world_.name("i"), j = world_.name("j");
  const std::string least =
      v.scalar == Scalar::Bool ? "== true" : dice_.any({">= 0", "<= 2", "== 0"});
  const auto same = scope_.select([&](const Variable& u) {
    return u.shape == Shape::Matrix && u.scalar == v.scalar && u.name != v.name;
  });
  if (!same.empty() && dice_.chance(40))
    return fmt::format("{} == {}", a, name(*dice_.any(same), view));
  if (dice_.chance(50)) return fmt::format("{}[{}][{}] {}", a, dice_.pick(2), dice_.pick(2), least);
  return fmt::format("forall(uint {0}, uint {1})({0} < {2} && {1} < {3} -> {4}[{0}][{1}] {5})", i,
                     j, n, m, a, least);
}

// A label that knows the variable.
const Label* Specifications::label_for(const Variable& v) {
  std::vector<const Label*> good;
  for (const Label& label : scope_.labels)
    for (std::size_t i = 0; i < label.visible && i < scope_.variables.size(); ++i)
      if (scope_.variables[i].name == v.name) good.push_back(&label);
  return good.empty() ? nullptr : dice_.any(good);
}

std::string Specifications::label_fact(const Variable& v, View view) {
  const Label* label = label_for(v);
  if (label == nullptr) return "";
  const std::string x = name(v, view);
  const std::string then =
      fmt::format("{}{}[{}]", label->name, dice_.chance(40) ? ".entry" : "", x);
  if (v.shape != Shape::Scalar || v.scalar == Scalar::Bool) return fmt::format("{} == {}", then, x);
  return fmt::format("{} {} {}", then, dice_.any({"<=", ">=", "==", "<="}), x);
}

// What is odd about numbers, division and bounds in specifications.
std::string Specifications::odd_fact(const Variable& v, View view) {
  const bool number = v.shape == Shape::Scalar && v.scalar != Scalar::Bool;
  const std::string x = number ? name(v, view) : "2";
  switch (dice_.pick(7)) {
    case 0:
      return fmt::format("{} {} {}", exprs_.number(Scalar::Real), dice_.any({"==", "!=", "<="}),
                         exprs_.number(Scalar::Real));
    case 1:
      return v.scalar == Scalar::Real ? fmt::format("{} / 0 == 0", x)
                                      : fmt::format("{0} / 0 == 0 && {0} % 0 == 0", x);
    case 2:
      return fmt::format("{0} + {1} {2} {0} + {1}", x, exprs_.number(Scalar::Int),
                         dice_.any({"==", "!="}));
    case 3:
      return dice_.any({"forall(bool c)(c || !c)", "exists(bool c)(!c)",
                        "forall(bool c)(exists(bool d)(c == d))",
                        "forall(bool c, bool d)(c -> d)"});
    case 4:
      return dice_.any({"0000000001 != 1", "1.0 == 1", "10e-1 == 1", "007 == 7", "2e0 != 2.00",
                        "0.50 == 5e-1", "00 == 0"});
    case 5:
      return fmt::format("{} != {}", x, dice_.any({"0002", "01", "3e0", "1.0"}));
    default:
      return fmt::format("exists(int k)(k == {}) || true", x);
  }
}

std::string Specifications::property_fact(const Variable& v, View view) {
  for (const Property& p : world_.properties) {
    if (p.relational || p.scalar != v.scalar || p.shape != v.shape) continue;
    const std::string n = v.shape == Shape::Vector ? ", " + size(v.rows, view) : "";
    const std::string limit = p.limit ? ", " + exprs_.number(v.scalar, 3) : "";
    return fmt::format("{}({}{}{})", p.name, name(v, view), n, limit);
  }
  return "";
}

std::string Specifications::use_of(const Definition& d, const Variable& v, View view) {
  std::string n = v.shape == Shape::Vector   ? size(v.rows, view)
                  : v.shape == Shape::Matrix ? size(v.columns, view)
                                             : "";
  if (!n.empty() && dice_.chance(30)) n = dice_.any({"0", "1", "2"});
  std::string x = name(v, view);
  if (v.shape == Shape::Matrix) x += fmt::format("[{}]", dice_.pick(3));
  if (v.shape != Shape::Scalar && dice_.chance(25))
    x += fmt::format("[{} := {}]", dice_.pick(3), exprs_.number(v.scalar, 2));
  const Scalar further = d.name == "lost" ? Scalar::Uint : v.scalar;
  return fmt::format("{}({}{}{})", d.name, x, n.empty() ? "" : ", " + n,
                     d.value ? ", " + exprs_.number(further, 2) : "");
}

// Of a matrix, for a row of it.
bool Specifications::fits(const Definition& d, const Variable& v) const {
  const Shape shape = v.shape == Shape::Matrix ? Shape::Vector : v.shape;
  return d.shape == shape && v.scalar == world_.number;
}

std::string Specifications::definition_fact(const Variable& v, View view) {
  std::vector<const Definition*> good;
  for (const Definition& d : world_.definitions)
    if (fits(d, v)) good.push_back(&d);
  if (good.empty()) return "";
  const Definition& d = *dice_.any(good);
  const std::string used = use_of(d, v, view);
  if (d.truth) return dice_.chance(70) ? used : "!" + used;
  const std::string x = v.shape == Shape::Scalar ? name(v, view) : exprs_.number(v.scalar, 3);
  switch (dice_.pick(4)) {
    case 0:
      return fmt::format("{} {} {}", used, dice_.any({">=", "<=", "=="}), x);
    case 1:
      return fmt::format("{} {} {}", used, dice_.any({">= 0", "<= 4", "== 0"}), "");
    case 2:
      return fmt::format("{} {} {}", used, dice_.any({"==", ">=", "<="}), use_of(d, v, view));
    default:
      if (d.name == "total" && v.shape == Shape::Vector) {
        const std::string w = name(v, view), n = size(v.rows, view);
        return fmt::format("{0} == 0 || total({1}, {0}) == total({1}, {0} - 1) + {1}[{0} - 1]", n,
                           w);
      }
      return fmt::format("{} != {}", used, x);
  }
}

std::string Specifications::fact(const Variable& v, View view) {
  if (!world_.definitions.empty() && dice_.chance(v.shape == Shape::Matrix ? 80 : 35))
    if (std::string text = definition_fact(v, view); !text.empty()) return text;
  if (world_.about(Theme::Labels) && !scope_.labels.empty() && dice_.chance(40))
    if (std::string text = label_fact(v, view); !text.empty()) return text;
  if (world_.about(Theme::Properties) && dice_.chance(50))
    if (std::string text = property_fact(v, view); !text.empty()) return text;
  if (dice_.chance(world_.about(Theme::Numbers) || world_.about(Theme::Quantifiers) ? 25 : 3))
    return odd_fact(v, view);
  switch (v.shape) {
    case Shape::Vector:
      return vector_fact(v, view);
    case Shape::Matrix:
      return matrix_fact(v, view);
    case Shape::Scalar:
      break;
  }
  return v.scalar == Scalar::Bool ? bool_fact(v, view) : number_fact(v, view);
}

std::string Specifications::unary(const Variable& v) {
  const std::string first = fact(v, View::Own);
  if (dice_.chance(85)) return first;
  const Variable* second = subject();
  return fmt::format("({}) {} ({})", first, dice_.any({"||", "&&", "->"}),
                     fact(*second, View::Own));
}

std::string Specifications::unary() {
  const Variable* v = subject();
  return v == nullptr ? "true" : unary(*v);
}

// Both runs --------------------------------------------------------------------------------------

std::string Specifications::unless_struck() {
  std::vector<std::string> ways;
  const Model& m = world_.model;
  if (!m.flag.empty()) {
    ways.push_back(fmt::format("model.{} || ", m.flag));
    ways.push_back(fmt::format("!model.{} -> ", m.flag));
  }
  if (!m.budget.empty()) ways.push_back(fmt::format("model.{} == {} -> ", m.budget, dice_.pick(3)));
  if (!m.hits.empty()) {
    ways.push_back(fmt::format("model.{} == 0 -> ", m.hits));
    ways.push_back(fmt::format("model.{} > 0 || ", m.hits));
  }
  if (!m.suspects.empty())
    ways.push_back(fmt::format("model.{}({}) || ", m.suspects, dice_.pick(3)));
  return ways.empty() ? "" : dice_.any(ways);
}

std::string Specifications::about_state() {
  const Model& m = world_.model;
  if (m.states.empty()) return "";
  const Named& s = dice_.any(m.states);
  if (!scope_.labels.empty() && dice_.chance(world_.about(Theme::Labels) ? 60 : 20)) {
    const std::string then = fmt::format("{}{}[model.{}]", dice_.any(scope_.labels).name,
                                         dice_.chance(40) ? ".entry" : "", s.name);
    return s.scalar == Scalar::Bool
               ? fmt::format("{} -> model.{}", then, s.name)
               : fmt::format("{} {} model.{}", then, dice_.any({"<=", ">=", "=="}), s.name);
  }
  if (s.scalar == Scalar::Bool)
    return fmt::format("{}model.{}", dice_.chance(60) ? "!" : "", s.name);
  if (s.scalar == Scalar::Uint && dice_.chance(30)) return fmt::format("model.{} >= 0", s.name);
  return fmt::format("model.{} {} {}", s.name, dice_.any({"<=", ">=", "==", "!="}), dice_.pick(3));
}

std::string Specifications::between_elements(const Variable& v) {
  const std::string k = world_.name("k");
  const std::string sign = v.scalar == Scalar::Bool ? "==" : dice_.any({"==", "<=", ">="});
  switch (dice_.pick(v.shape == Shape::Vector ? 5 : 2)) {
    case 0:
      return fmt::format("eq({})", v.name);
    case 1:
      return fmt::format("{0}<o> == {0}<r>", v.name);
    case 2:
      return fmt::format("eq({}[{}])", v.name, dice_.pick(2));
    case 3:
      return fmt::format("{0}<o>[{1}] {2} {0}<r>[{1}]", v.name, dice_.pick(2), sign);
    default:
      return fmt::format("forall(uint {0})({0} < {1} -> {2}<o>[{0}] {3} {2}<r>[{0}])", k,
                         size(v.rows, View::Relaxed), v.name, sign);
  }
}

// How far the runs are apart in one variable.
std::string Specifications::between(const Variable& v) {
  for (const Definition& d : world_.definitions)
    if (fits(d, v) && dice_.chance(15)) {
      const std::string same = fmt::format("eq({})", use_of(d, v, View::Own));
      return dice_.chance(60) ? same : fmt::format("eq({}) -> {}", v.name, same);
    }
  if (v.shape != Shape::Scalar) return between_elements(v);
  const std::string x = v.name;
  if (v.scalar == Scalar::Bool)
    return dice_.chance(60) ? fmt::format("eq({})", x)
                            : fmt::format("{0}<{1}> -> {0}<{2}>", x, dice_.chance(50) ? "o" : "r",
                                          dice_.chance(50) ? "o" : "r");
  const std::string by = !world_.model.bound.empty() && dice_.chance(50)
                             ? "model." + world_.model.bound
                             : std::to_string(1 + dice_.pick(3));
  switch (dice_.weighted({40, 14, 12, 8, 6, 6, 6})) {
    case 0:
      return fmt::format("eq({})", x);
    case 1:
      return fmt::format("abs({0}<o> - {0}<r>) <= {1}", x, by);
    case 2:
      return fmt::format("{0}<{1}> <= {0}<{2}>", x, dice_.any({"o", "r"}), dice_.any({"o", "r"}));
    case 3:
      return fmt::format("{0}<r> <= {0}<o> + {1}", x, by);
    case 4:
      return fmt::format("eq({}) || {}<r> {} {}", x, x, dice_.any({"==", "<=", ">="}),
                         exprs_.number(v.scalar, 2));
    case 5: {
      const std::string y = other(v, View::Own);
      return fmt::format("eq({} {} {})", x, dice_.any({"+", "-", "<", "=="}), y);
    }
    default:
      if (!world_.model.hits.empty())
        return fmt::format("abs({0}<o> - {0}<r>) <= model.{1}", x, world_.model.hits);
      return fmt::format("{0}<r> == {0}<o> + {1} || eq({0})", x, by);
  }
}

std::string Specifications::related_property(const Variable& v) {
  std::vector<std::string> good;
  for (const Property& p : world_.properties) {
    if (!p.relational || p.scalar != v.scalar || p.shape != v.shape) continue;
    const std::string n = v.shape == Shape::Vector ? ", " + v.rows : "";
    const std::string limit = p.limit ? ", " + exprs_.number(v.scalar, 3) : "";
    const std::string x =
        p.bare ? name(v, dice_.chance(50) ? View::Original : View::Relaxed) : v.name;
    good.push_back(fmt::format("{}({}{}{})", p.name, x, n, limit));
  }
  return good.empty() ? "" : dice_.any(good);
}

std::string Specifications::relational(const Variable& v) {
  if (world_.about(Theme::Properties) && dice_.chance(45))
    if (std::string text = related_property(v); !text.empty())
      return (dice_.chance(40) ? unless_struck() : "") + text;
  switch (dice_.weighted({34, 28, 9, 7, 10, 5, v.ghost ? 40u : 0u})) {
    case 0:
      return between(v);
    case 1:
      return unless_struck() + between(v);
    case 2:
      return fact(v, View::Relaxed);
    case 3:
      return fact(v, View::Original);
    case 4:
      if (std::string text = about_state(); !text.empty()) return text;
      return between(v);
    case 5:
      return fmt::format("({}) -> ({})", fact(v, View::Original), fact(v, View::Relaxed));
    default: {  // a ghost without a side is the relaxed run's
      const auto found = scope_.select([&](const Variable& w) {
        return !w.ghost && w.shape == v.shape && w.scalar == v.scalar && w.rows == v.rows;
      });
      if (found.empty()) return fmt::format("eq({0}) && {0} == {0}<r>", v.name);
      return fmt::format("{}{} == {}<r>", dice_.chance(60) ? unless_struck() : "", v.name,
                         dice_.any(found)->name);
    }
  }
}

std::string Specifications::relational() {
  const Variable* v = subject();
  if (v == nullptr) {
    const std::string text = about_state();
    return text.empty() ? "true" : text;
  }
  return relational(*v);
}

}  // namespace leto::soundness

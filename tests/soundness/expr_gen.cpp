#include "expr_gen.h"

#include <fmt/core.h>

namespace leto::soundness {

std::string enclose(const std::string& text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

// Numbers and variables --------------------------------------------------------------------------

std::string Expressions::odd(Scalar type, unsigned value) {
  if (type != Scalar::Real || dice_.chance(40)) return fmt::format("00{}", value);
  switch (dice_.pick(4)) {
    case 0:
      return fmt::format("{}e0", value);
    case 1:
      return fmt::format("{}0e-1", value);
    case 2:
      return fmt::format("0{}.0", value);
    default:
      return fmt::format("{}.00", value);
  }
}

std::string Expressions::number(Scalar type, unsigned most) {
  if (type == Scalar::Bool) return dice_.chance(50) ? "true" : "false";
  const unsigned value = dice_.pick(most + 1);
  if (world_.about(Theme::Numbers) && dice_.chance(40)) return odd(type, value);
  if (type == Scalar::Real && dice_.chance(20)) return dice_.any({"0.5", "1.5", "5e-1", "1.0"});
  return std::to_string(value);
}

std::string Expressions::readable(const Scope& scope, Scalar type) {
  const auto found = scope.select([&](const Variable& v) {
    return v.shape == Shape::Scalar && !v.ghost && widens(v.scalar, type);
  });
  return found.empty() ? "" : dice_.any(found)->name;
}

std::string Expressions::exactly(const Scope& scope, Scalar type) {
  const auto found = scope.select(
      [&](const Variable& v) { return v.shape == Shape::Scalar && !v.ghost && v.scalar == type; });
  return found.empty() ? "" : dice_.any(found)->name;
}

std::string Expressions::assignable(const Scope& scope, Scalar type) {
  const auto found = scope.select([&](const Variable& v) {
    return v.shape == Shape::Scalar && !v.ghost && !v.fixed && v.scalar == type;
  });
  return found.empty() ? "" : dice_.any(found)->name;
}

std::string Expressions::element(const Scope& scope, Scalar type, bool same) {
  std::vector<std::string> found;
  for (const Variable& v : scope.variables) {
    if (v.shape == Shape::Scalar || v.ghost) continue;
    if (same ? v.scalar != type : !widens(v.scalar, type)) continue;
    const std::vector<std::string> rows = scope.indices_below(v.rows);
    if (rows.empty()) continue;
    std::string text = fmt::format("{}[{}]", v.name, dice_.any(rows));
    if (v.shape == Shape::Matrix) {
      const std::vector<std::string> columns = scope.indices_below(v.columns);
      if (columns.empty()) continue;
      text += fmt::format("[{}]", dice_.any(columns));
    }
    found.push_back(std::move(text));
  }
  return found.empty() ? "" : dice_.any(found);
}

std::string Expressions::pure(const Scope& scope, Scalar type) {
  const auto found = scope.select([&](const Variable& v) {
    return v.shape == Shape::Scalar && widens(v.scalar, type) && (v.ghost || v.pure);
  });
  const std::string a =
      found.empty() || dice_.chance(10) ? number(type, 2) : dice_.any(found)->name;
  if (type == Scalar::Bool || dice_.chance(40)) return a;
  return fmt::format("{} + {}", a, found.empty() ? "1" : dice_.any(found)->name);
}

// Values -----------------------------------------------------------------------------------------

std::string Expressions::atom(const Scope& scope, Scalar type) {
  const unsigned kind = dice_.weighted({60, 15, 15, 5, 5});
  if (kind == 1)
    if (std::string e = element(scope, type, false); !e.empty()) return e;
  if ((kind == 3 || dice_.chance(8)) && !world_.tables.empty() && dice_.chance(75))
    if (std::string t = tabled(scope, type); !t.empty()) return t;
  if (kind == 3 && !world_.constants.empty()) {
    const Named& c = dice_.any(world_.constants);
    if (widens(c.scalar, type)) return c.name;
  }
  if (kind == 4 && (world_.about(Theme::State) || dice_.chance(20))) {
    std::vector<std::string> members;
    for (const Named& s : world_.model.states)
      if (widens(s.scalar, type)) members.push_back("model." + s.name);
    for (const Named& c : world_.model.constants)
      if (widens(c.scalar, type)) members.push_back("model." + c.name);
    if (!members.empty()) return dice_.any(members);
  }
  if (kind != 2)
    if (std::string v = readable(scope, type); !v.empty()) return v;
  return number(type);
}

std::string Expressions::tabled(const Scope& scope, Scalar type) {
  const Named& table = dice_.any(world_.tables);
  if (!widens(table.scalar, type)) return "";
  const std::string at = readable(scope, Scalar::Uint);
  if (at.empty() || dice_.chance(30))
    return fmt::format("{}[{}]", table.name, dice_.any({"0", "1", "2", "ROUNDS % 3"}));
  return fmt::format("{}[{}]", table.name, dice_.chance(10) ? at : at + " % 3");
}

std::string Expressions::exact(const Scope& scope, Scalar type) {
  if (type == Scalar::Bool) return dice_.chance(50) ? atom(scope, type) : comparison(scope);
  const std::string a = atom(scope, type);
  const std::string b = dice_.chance(50) ? atom(scope, type) : number(type, 2);
  const bool natural = type == Scalar::Uint;
  switch (dice_.weighted({30, 22, natural ? 0u : 15u, 4, 4, 4, 5, 4, natural ? 0u : 3u, 4, 6})) {
    case 1:
      return fmt::format("{} + {}", a, b);
    case 2:
      return fmt::format("{} - {}", a, b);
    case 3:
      return fmt::format("{} * {}", dice_.any({"2", "0", "3"}), a);
    case 4:
      return fmt::format("{} / {}", a, dice_.any({"2", "1", "3"}));
    case 5:
      return type == Scalar::Real ? fmt::format("{} / 2 + {}", a, b)
                                  : fmt::format("{} % {}", a, dice_.any({"2", "3"}));
    case 6:
      return fmt::format("{}({}, {})", dice_.any({"min", "max"}), a, b);
    case 7:
      if (natural) {
        const std::string i = readable(scope, Scalar::Int);
        return fmt::format("abs({})", i.empty() ? a : i);
      }
      return fmt::format("abs({} - {})", a, b);
    case 8:
      return fmt::format("-{}", a);
    case 9:
      return fmt::format("(if ({}) {} else {})", comparison(scope), a, b);
    case 10:
      return converted(scope, type, a);
    default:
      return a;
  }
}

std::string Expressions::converted(const Scope& scope, Scalar type, const std::string& a) {
  if (type == Scalar::Real) return fmt::format("real({})", atom(scope, Scalar::Int));
  if (type == Scalar::Int)
    return fmt::format("floor({} / {})", atom(scope, Scalar::Real), dice_.any({"2", "1.0", "-2"}));
  const std::string i = readable(scope, Scalar::Int);
  if (i.empty()) return fmt::format("uint({} - 0)", a);
  // Mostly where it is not negative.
  return dice_.chance(20) ? fmt::format("uint({})", i)
                          : fmt::format("(if ({0} >= 0) uint({0}) else {1})", i, a);
}

std::string Expressions::operand(const Scope& scope, const Operation& op, bool second) {
  if (second && (op.sign == "/" || op.sign == "%") && dice_.chance(90))
    return dice_.any({"2", "3", "1", "2"});
  if (second && op.operand != Scalar::Bool && dice_.chance(50)) return number(op.operand, 2);
  if (dice_.chance(20))
    if (std::string e = element(scope, op.operand, !second); !e.empty()) return e;
  const std::string v = exactly(scope, op.operand);
  if (second && v.empty()) return number(op.operand, 2);
  return v;
}

std::optional<std::string> Expressions::relaxed(const Scope& scope, Scalar type) {
  std::vector<const Operation*> good;
  for (const Operation& op : world_.model.operations)
    if (widens(op.result(), type)) good.push_back(&op);
  // One that the model does not mention is exact.
  Operation unmentioned{dice_.any({"+", "-", "*"}), type};
  if (type == Scalar::Int && dice_.chance(4)) good = {&unmentioned};
  if (good.empty()) return std::nullopt;
  const Operation& op = *dice_.any(good);
  const std::string a = operand(scope, op, false);
  if (a.empty()) return std::nullopt;
  if (op.unary) return fmt::format("{}. {}", op.sign, a);
  std::string b = operand(scope, op, true);
  if (op.operand != Scalar::Bool && op.sign != "/" && op.sign != "%" && dice_.chance(12))
    if (const auto inner = relaxed(scope, op.operand)) b = enclose(*inner);
  return fmt::format("{} {}. {}", a, op.sign, b);
}

// What one of the values does happens only where it is chosen.
std::string Expressions::choice(const Scope& scope, Scalar type) {
  const auto one = [&] {
    if (dice_.chance(50))
      if (const auto c = call(scope, type)) return *c;
    if (dice_.chance(40))
      if (const auto r = relaxed(scope, type)) return *r;
    return dice_.chance(15) ? atom(scope, type) : exact(scope, type);
  };
  const std::string test = dice_.chance(60) ? comparison(scope) : condition(scope);
  const std::string first = one();
  return fmt::format("if ({}) {} else {}", test, first, one());
}

std::string Expressions::value(const Scope& scope, Scalar type) {
  if (dice_.chance(8)) return choice(scope, type);
  switch (dice_.weighted({45, 40, world_.functions.empty() ? 0u : 20u})) {
    case 1:
      if (const auto r = relaxed(scope, type)) return *r;
      break;
    case 2:
      if (const auto c = call(scope, type)) return *c;
      break;
    default:
      break;
  }
  return exact(scope, type);
}

// Conditions -------------------------------------------------------------------------------------

std::string Expressions::comparison(const Scope& scope) {
  const Scalar t = dice_.chance(80) ? world_.number : Scalar::Uint;
  const std::string a = atom(scope, t);
  const std::string b = dice_.chance(45) ? atom(scope, t) : number(t, 2);
  return fmt::format("{} {} {}", a, dice_.any({"<", "<=", "==", "!=", ">", ">="}), b);
}

std::string Expressions::logic(const Scope& scope) {
  const std::string a = dice_.chance(60) ? comparison(scope) : atom(scope, Scalar::Bool);
  std::string b = dice_.chance(60) ? comparison(scope) : atom(scope, Scalar::Bool);
  // What the second operand does happens only if the first leaves the result open.
  const auto late = dice_.chance(40)   ? call(scope, Scalar::Bool)
                    : dice_.chance(80) ? relaxed(scope, Scalar::Bool)
                                       : std::nullopt;
  if (late) b = enclose(*late);
  return fmt::format("{} {} {}", a, dice_.any({"&&", "||", "->"}), b);
}

std::string Expressions::condition(const Scope& scope) {
  const bool bools = world_.about(Theme::Bools);
  switch (dice_.weighted({45, 22, bools ? 15u : 4u, 14, world_.about(Theme::Chains) ? 20u : 2u,
                          world_.functions.empty() ? 0u : 8u, 3})) {
    case 1:
      if (const auto r = relaxed(scope, Scalar::Bool)) return *r;
      break;
    case 2: {
      const std::string b = atom(scope, Scalar::Bool);
      return dice_.chance(60) ? b : "!" + b;
    }
    case 3:
      return logic(scope);
    case 4:
      return chain(scope);
    case 5:
      if (const auto c = call(scope, Scalar::Bool)) return *c;
      if (const auto c = call(scope, world_.number))
        return fmt::format("{} {} {}", *c, dice_.any({">", "<=", "=="}), number(world_.number, 2));
      break;
    case 6: {
      const auto vectors = scope.select([](const Variable& v) { return v.shape != Shape::Scalar; });
      for (const Variable* v : vectors)
        for (const Variable* w : vectors)
          if (v != w && v->shape == w->shape && v->scalar == w->scalar && !v->ghost && !w->ghost)
            return fmt::format("{} {} {}", v->name, dice_.any({"==", "!="}), w->name);
      break;
    }
    default:
      break;
  }
  return comparison(scope);
}

std::string Expressions::chain(const Scope& scope) {
  const Scalar t = world_.number;
  const std::string a = dice_.chance(50) ? number(t, 2) : atom(scope, t);
  const std::string b = dice_.chance(60) ? atom(scope, t) : number(t, 2);
  std::string c = dice_.chance(50) ? atom(scope, t) : number(t, 3);
  // A later operand that has effects, or that fails.
  switch (dice_.weighted({world_.functions.empty() ? 0u : 40u, 22, 28, 20})) {
    case 0:
      if (const auto f = call(scope, t)) c = *f;
      break;
    case 1:
      if (const auto r = relaxed(scope, t)) c = *r;
      break;
    case 2:
      if (t != Scalar::Uint) c = fmt::format("{} / {}", number(t, 3), atom(scope, t));
      break;
    default:
      break;
  }
  const bool up = dice_.chance(75);
  const auto sign = [&] {
    return up ? dice_.any({"<", "<=", "=="}) : dice_.any({">", ">=", "=="});
  };
  const std::string first = sign(), second = sign();
  std::string text = fmt::format("{} {} {} {} {}", a, first, b, second, c);
  if (dice_.chance(15)) text += fmt::format(" {} {}", sign(), atom(scope, t));
  return text;
}

// Calls ------------------------------------------------------------------------------------------

std::optional<std::string> Expressions::call(const Scope& scope, const Function& f) {
  if (f.relaxed && scope.in_again) return std::nullopt;
  std::string args;
  std::string vector_name;
  // A vector is passed with its own size: the size stands before it.
  for (const Variable& p : f.params)
    if (p.shape == Shape::Vector) {
      const auto found = scope.select([&](const Variable& v) {
        return v.shape == Shape::Vector && v.scalar == p.scalar && !v.ghost;
      });
      if (found.empty()) return std::nullopt;
      vector_name = dice_.any(found)->name;
    } else if (p.shape == Shape::Matrix) {
      return std::nullopt;
    }
  for (const Variable& p : f.params) {
    if (!args.empty()) args += ", ";
    const bool size = !vector_name.empty() && p.shape == Shape::Scalar && p.name == "n";
    if (p.shape == Shape::Vector)
      args += vector_name;
    else if (size)
      args += scope.find(vector_name)->rows;
    else if (f.bounded && &p == &f.params[0])
      args += dice_.any({"1", "2", "2", "3", "0"});
    else if (const auto inner = dice_.chance(8) ? call(scope, p.scalar) : std::nullopt)
      args += *inner;
    else
      args += dice_.chance(75) ? atom(scope, p.scalar) : exact(scope, p.scalar);
  }
  return fmt::format("{}({})", f.name, args);
}

std::optional<std::string> Expressions::call(const Scope& scope, Scalar type) {
  std::vector<const Function*> good;
  for (const Function& f : world_.functions)
    if (!f.is_void && f.shape == Shape::Scalar && widens(f.result, type)) good.push_back(&f);
  if (good.empty()) return std::nullopt;
  return call(scope, *dice_.any(good));
}

}  // namespace leto::soundness

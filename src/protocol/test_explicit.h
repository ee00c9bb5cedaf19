// For tests only: what a step of a system may lead to, by the rules and without terms: every choice
// is tried. It shares nothing with the way in which systems are written out.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "check/system.h"

namespace leto::protocol {

namespace sys = check::sys;

class Explicit {
 public:
  using Values = std::vector<std::vector<int>>;  // element by element, of every variable
  struct Successors {
    std::set<Values> states;
    bool fails = false;
  };

  explicit Explicit(const sys::System& system) : s_(system) {}

  [[nodiscard]] std::vector<int> domain(const sys::Type& type) const {
    std::vector<int> out;
    switch (type.base) {
      case sys::Base::Bool:
        return {0, 1};
      case sys::Base::Enum:
        for (std::size_t i = 0; i < s_.enumerations[type.which].values.size(); ++i)
          out.push_back(static_cast<int>(i));
        return out;
      case sys::Base::Node:
        return nodes(type.which);
      case sys::Base::Int:
      case sys::Base::Uint:
      case sys::Base::Real:
      case sys::Base::Any:
      case sys::Base::Error:
        break;  // not to be chosen in these tests
    }
    LETO_ASSERT(false);
  }
  [[nodiscard]] std::vector<int> nodes(std::uint32_t kind) const {
    std::vector<int> out;
    const bool all = kind == sys::kAllNodes;
    const std::uint32_t first = all ? 0 : s_.sorts[kind].first;
    const std::uint32_t count = all ? s_.nodes() : s_.sorts[kind].count;
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(static_cast<int>(first + i));
    return out;
  }
  [[nodiscard]] std::size_t elements(std::uint32_t variable) const {
    std::size_t count = 1;
    for (std::uint32_t kind : s_.variables[variable].indices) count *= nodes(kind).size();
    return count;
  }

  [[nodiscard]] std::set<Values> initial() {
    std::set<Values> out;
    Env env;
    env.now.resize(s_.variables.size());
    env.slots.resize(s_.slots.size());
    start(env, 0, out);
    return out;
  }
  [[nodiscard]] bool exists(const Values& state) {
    Env env{state, state, std::vector<int>(s_.slots.size()), {}};
    for (const auto* list : {&s_.constraints, &s_.required, &s_.trusted})
      for (const sys::Named& one : *list)
        if (!value(one.expr, env)) return false;
    return true;
  }
  [[nodiscard]] Successors successors(const Values& state) {
    Successors out;
    for (const sys::Step& step : s_.steps) {
      Env env{state, state, std::vector<int>(s_.slots.size()), {}};
      loop(step.slots, 0, env, [&](Env& here) {
        attempt(out, [&] {
          if (step.when.valid() && !value(step.when, here)) return;
          run(step.body, here, out, [&](Env& end) {
            if (exists(end.now)) out.states.insert(end.now);
          });
        });
      });
    }
    return out;
  }
  [[nodiscard]] bool holds(sys::ExprId claim, const Values& state) {
    Env env{state, state, std::vector<int>(s_.slots.size()), {}};
    return value(claim, env) != 0;
  }

 private:
  struct Fail {};
  using Told = std::map<std::tuple<std::uint32_t, std::uint32_t, int>, int>;
  struct Env {
    Values now, before;
    std::vector<int> slots;
    Told told;                  // by round, statement, node
    std::uint32_t sending = 0;  // the statement at hand
  };
  using Then = std::function<void(Env&)>;

  template <class F>
  void attempt(Successors& out, F f) {
    try {
      f();
    } catch (const Fail&) {
      out.fails = true;
    }
  }

  void start(Env& env, std::uint32_t v, std::set<Values>& out) {
    if (v == s_.variables.size()) {
      for (const auto* list : {&s_.constraints, &s_.required, &s_.trusted, &s_.initially})
        for (const sys::Named& one : *list)
          if (!value(one.expr, env)) return;
      out.insert(env.now);
      return;
    }
    const sys::Variable& variable = s_.variables[v];
    if (variable.init.valid()) {
      env.now[v].assign(elements(v), value(variable.init, env));
      return start(env, v + 1, out);
    }
    env.now[v].assign(elements(v), 0);
    open(env, v, 0, out);
  }
  void open(Env& env, std::uint32_t v, std::size_t element, std::set<Values>& out) {
    if (element == env.now[v].size()) return start(env, v + 1, out);
    for (int one : domain(s_.variables[v].type)) {
      env.now[v][element] = one;
      open(env, v, element + 1, out);
    }
  }

  void loop(const std::vector<std::uint32_t>& slots, std::size_t at, Env& env, const Then& f) {
    if (at == slots.size()) return f(env);
    for (int node : nodes(s_.slots[slots[at]].type.which)) {
      env.slots[slots[at]] = node;
      loop(slots, at + 1, env, f);
    }
  }
  // All rounds of a loop, one after the other, whatever each of them chooses.
  void each(const sys::Nodes& nodes_loop, const std::vector<std::vector<int>>& rounds,
            std::size_t at, Env& env, Successors& out, const Then& then) {
    if (at == rounds.size()) return then(env);
    for (std::size_t i = 0; i < nodes_loop.slots.size(); ++i)
      env.slots[nodes_loop.slots[i]] = rounds[at][i];
    run(nodes_loop.body, env, out,
        [&](Env& next) { each(nodes_loop, rounds, at + 1, next, out, then); });
  }
  void sequence(const std::vector<sys::StmtId>& list, std::size_t at, Env& env, Successors& out,
                const Then& then) {
    if (at == list.size()) return then(env);
    run(list[at], env, out, [&](Env& next) { sequence(list, at + 1, next, out, then); });
  }

  // With a copy of its own for every way.
  void run(sys::StmtId id, const Env& given, Successors& out, const Then& then) {
    const auto& node = s_.stmts[id].node;
    Env env = given;
    attempt(out, [&] {
      if (const auto* block = std::get_if<sys::Block>(&node)) {
        sequence(block->body, 0, env, out, then);
      } else if (const auto* assign = std::get_if<sys::Assign>(&node)) {
        const std::vector<int> at = indices(assign->place.indices, env);
        set(assign->place, at, value(assign->value, env), env);
        then(env);
      } else if (const auto* branch = std::get_if<sys::If>(&node)) {
        if (value(branch->condition, env)) return run(branch->then_branch, env, out, then);
        if (branch->else_branch.valid()) return run(branch->else_branch, env, out, then);
        then(env);
      } else if (const auto* loop_stmt = std::get_if<sys::Nodes>(&node)) {
        std::vector<std::vector<int>> rounds;
        loop(loop_stmt->slots, 0, env, [&](Env& here) {
          rounds.emplace_back();
          for (std::uint32_t slot : loop_stmt->slots) rounds.back().push_back(here.slots[slot]);
        });
        each(*loop_stmt, rounds, 0, env, out, then);
      } else if (const auto* claim = std::get_if<sys::Assert>(&node)) {
        if (!value(claim->expr, env)) throw Fail{};
        then(env);
      } else if (const auto* choose = std::get_if<sys::Choose>(&node)) {
        std::vector<std::vector<int>> at;
        for (const sys::Place& place : choose->places) at.push_back(indices(place.indices, env));
        pick(*choose, at, 0, env, then);
      } else {
        send(std::get<sys::Message>(node), env, then);
      }
    });
  }
  void pick(const sys::Choose& choose, const std::vector<std::vector<int>>& at, std::size_t i,
            Env& env, const Then& then) {
    if (i == choose.places.size()) {
      Env here = env;
      if (!choose.with.valid() || value(choose.with, env)) then(here);
      return;
    }
    for (int one : domain(choose.places[i].type)) {
      Env here = env;
      set(choose.places[i], at[i], one, here);
      pick(choose, at, i + 1, here, then);
    }
  }
  void send(const sys::Message& message, Env& env, const Then& then) {
    const std::vector<int> at = indices(message.place.indices, env);
    const int sent = value(message.value, env), from = value(message.from, env);
    const int to = value(message.to, env);
    const int otherwise =
        message.otherwise.valid() ? value(message.otherwise, env) : get(message.place, at, env);
    const auto receive = [&](Env& here, bool arrived, int result) {
      Env next = here;
      set(message.place, at, arrived ? result : otherwise, next);
      then(next);
    };
    if (!message.dotted) return receive(env, true, sent);
    env.sending = message.number;
    tell(message, env, 0, 0, [&](Env& here) {
      for (const sys::Specification& spec : s_.specifications) {
        if (!(spec.type == message.place.type)) continue;
        here.slots[spec.sent] = sent;
        here.slots[spec.from] = from;
        here.slots[spec.to] = to;
        Env pre = here;
        pre.before = here.now;
        bool enabled = true;
        for (sys::ExprId when : spec.whens) enabled = enabled && value(when, pre);
        if (!enabled) continue;
        for (int result : domain(spec.type))
          for (int arrived : {0, 1}) {
            pre.slots[spec.result] = result;
            pre.slots[spec.arrived] = arrived;
            change(spec, pre, 0, 0, [&](Env& post) {
              for (sys::ExprId ensures : spec.ensures)
                if (!value(ensures, post)) return;
              Env next = here;
              next.now = post.now;
              receive(next, arrived != 0, result);
            });
          }
      }
    });
  }
  // What all nodes tell in this broadcast, if it is not yet known.
  void tell(const sys::Message& message, Env& env, std::uint32_t round, std::uint32_t node,
            const Then& then) {
    if (round == s_.rounds.size()) return then(env);
    if (node == s_.nodes()) return tell(message, env, round + 1, 0, then);
    const std::tuple key{round, message.number, static_cast<int>(node)};
    if (env.told.contains(key)) return tell(message, env, round, node + 1, then);
    const sys::Type& written = s_.rounds[round].type;
    for (int one : domain(written.base == sys::Base::Any ? message.place.type : written)) {
      Env here = env;
      here.told[key] = one;
      tell(message, here, round, node + 1, then);
    }
  }
  void change(const sys::Specification& spec, Env& env, std::uint32_t v, std::size_t element,
              const Then& then) {
    if (v == s_.variables.size()) return then(env);
    if (element == env.now[v].size()) return change(spec, env, v + 1, 0, then);
    bool changes = false;
    for (const sys::Changed& changed : spec.changes)
      changes = changes || (changed.variable == v &&
                            (!changed.at || env.slots[*changed.at] == static_cast<int>(element)));
    if (!changes) return change(spec, env, v, element + 1, then);
    for (int one : domain(s_.variables[v].type)) {
      Env here = env;
      here.now[v][element] = one;
      change(spec, here, v, element + 1, then);
    }
  }

  [[nodiscard]] std::size_t flat(std::uint32_t variable, const std::vector<int>& at) const {
    std::size_t index = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::vector<int> all = nodes(s_.variables[variable].indices[i]);
      LETO_ASSERT(at[i] >= all.front() && at[i] <= all.back());
      index = index * all.size() + static_cast<std::size_t>(at[i] - all.front());
    }
    return index;
  }
  std::vector<int> indices(const std::vector<sys::ExprId>& written, Env& env) {
    std::vector<int> out;
    for (sys::ExprId id : written) out.push_back(value(id, env));
    return out;
  }
  int get(const sys::Place& place, const std::vector<int>& at, const Env& env) const {
    return place.local ? env.slots[place.index] : env.now[place.index][flat(place.index, at)];
  }
  void set(const sys::Place& place, const std::vector<int>& at, int to, Env& env) const {
    (place.local ? env.slots[place.index] : env.now[place.index][flat(place.index, at)]) = to;
  }

  int value(sys::ExprId id, Env& env) {
    const sys::Expr& e = s_.exprs[id];
    const auto arg = [&](std::size_t i) { return value(e.args[i], env); };
    const auto over = [&](const std::function<void(int)>& f) {
      for (int node : nodes(s_.slots[e.index].type.which)) {
        env.slots[e.index] = node;
        f(arg(0));
      }
    };
    int result = 0;
    switch (e.op) {
      case sys::Op::Truth:
      case sys::Op::Value:
        return static_cast<int>(e.index);
      case sys::Op::Number:
        return std::stoi(e.text);
      case sys::Op::NodeOf: {
        const int number = arg(0);
        if (number < 0 || number >= static_cast<int>(s_.sorts[e.index].count)) throw Fail{};
        return static_cast<int>(s_.sorts[e.index].first) + number;
      }
      case sys::Op::Variable:
        return env.now[e.index][flat(e.index, indices(e.args, env))];
      case sys::Op::Round:
        return env.told.at({e.index, env.sending, arg(0)});
      case sys::Op::Slot:
        return env.slots[e.index];
      case sys::Op::Let:
        env.slots[e.index] = arg(0);
        return arg(1);
      case sys::Op::Old: {
        const Values now = env.now;
        env.now = env.before;
        result = arg(0);
        env.now = now;
        return result;
      }
      case sys::Op::Not:
        return arg(0) == 0;
      case sys::Op::Neg:
        return -arg(0);
      case sys::Op::And:
        return arg(0) != 0 && arg(1) != 0;
      case sys::Op::Or:
        return arg(0) != 0 || arg(1) != 0;
      case sys::Op::Implies:
        return arg(0) == 0 || arg(1) != 0;
      case sys::Op::Eq:
        return arg(0) == arg(1);
      case sys::Op::Lt:
        return arg(0) < arg(1);
      case sys::Op::Le:
        return arg(0) <= arg(1);
      case sys::Op::Add:
        return arg(0) + arg(1);
      case sys::Op::Sub:
        return arg(0) - arg(1);
      case sys::Op::Mul:
        return arg(0) * arg(1);
      case sys::Op::Min:
        return std::min(arg(0), arg(1));
      case sys::Op::Max:
        return std::max(arg(0), arg(1));
      case sys::Op::Abs:
        return std::abs(arg(0));
      case sys::Op::Ite:
        return arg(0) != 0 ? arg(1) : arg(2);
      case sys::Op::Forall:
        result = 1;
        over([&](int one) { result = result != 0 && one != 0; });
        return result;
      case sys::Op::Exists:
        over([&](int one) { result = result != 0 || one != 0; });
        return result;
      case sys::Op::Count:
        over([&](int one) { result += one != 0; });
        return result;
      case sys::Op::ToReal:
        return arg(0);
      case sys::Op::Narrow:
        result = arg(0);
        if (result < 0) throw Fail{};
        return result;
      case sys::Op::Error:
      case sys::Op::Div:
      case sys::Op::Mod:
        break;
    }
    LETO_ASSERT(false);
  }

  const sys::System& s_;
};

}  // namespace leto::protocol

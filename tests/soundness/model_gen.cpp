#include "model_gen.h"

#include <fmt/core.h>

namespace leto::soundness {

std::string describe(const Specification& s, const std::string& label, const std::string& refines) {
  std::string text = s.attributes;
  if (!label.empty()) text += fmt::format("@label({}) ", label);
  if (!s.rate.empty()) text += fmt::format("@rate({}) ", s.rate);
  text += s.head;
  if (!refines.empty()) text += " refines " + refines;
  if (!s.when.empty()) text += " when " + s.when;
  for (std::size_t i = 0; i < s.modifies.size(); ++i)
    text += (i == 0 ? " modifies " : ", ") + s.modifies[i];
  for (const std::string& e : s.ensures) text += " ensures " + e;
  return text + ";";
}

namespace {

class ModelWriter {
 public:
  explicit ModelWriter(World& world) : world_(world), dice_(world.dice), model_(world.model) {}

  void write(Nodes& items) {
    choose_constants();
    choose_states();
    choose_functions();
    choose_operations();
    for (const Operation& op : model_.operations) specify(op);
    if (world_.about(Theme::Regions)) choose_regions();
    if (world_.about(Theme::Refinement))
      write_family(items, "base", "m");
    else
      items.push_back(block("model m", whole(true)));
    if (world_.about(Theme::RedoUnder)) write_spare(items);
    items.push_back(line("use model m;"));
    items.back().needed = true;
  }

  void write_pair(Nodes& items) {
    choose_constants();
    choose_states();
    model_.operations = {{"+", Scalar::Int}};
    if (dice_.chance(30)) model_.operations.push_back({"*", Scalar::Int});
    for (const Operation& op : model_.operations) specify(op);
    // State that only programs change, and of which the sub-model says more.
    if (dice_.chance(25)) add_state(Scalar::Uint, "mode", "0");
    write_family(items, "sup", "sub");
  }

 private:
  // Constants and state --------------------------------------------------------------------------

  void add_constant(Scalar type, const std::string& name, const std::string& value,
                    const std::string& constraint) {
    model_.constants.push_back({name, type});
    const std::string head = fmt::format("const {} {}", spelling(type), name);
    if (!value.empty()) {
      declarations_.push_back(line(fmt::format("{} = {};", head, value)));
      return;
    }
    declarations_.push_back(line(head + ";"));
    declarations_.push_back(line(fmt::format("requires {};", constraint)));
  }

  void choose_constants() {
    if (dice_.chance(20)) {
      model_.bound = "eps";
      if (dice_.chance(60))
        add_constant(world_.number, "eps", dice_.any({"1", "2", "1 + 1"}), "");
      else
        add_constant(world_.number, "eps", "",
                     dice_.any({"0 < eps <= 2", "eps == 1 || eps == 2", "eps >= 1 && eps < 3"}));
    }
    if (dice_.chance(15)) add_constant(Scalar::Uint, "limit", dice_.any({"1", "2", "3 - 1"}), "");
    if (world_.about(Theme::Rates)) add_constant(Scalar::Real, "p", dice_.any({"0.25", "0.5"}), "");
  }

  void add_state(Scalar type, const std::string& name, const std::string& value) {
    model_.states.push_back({name, type});
    const std::string head = fmt::format("{} {}", spelling(type), name);
    if (value.empty()) open_.push_back({name, type});
    declarations_.push_back(
        line(value.empty() ? head + ";" : fmt::format("{} = {};", head, value)));
  }

  void choose_states() {
    const unsigned open = world_.about(Theme::Refinement) ? 50 : 12;
    if (dice_.chance(85)) {
      model_.flag = dice_.any({"upset", "hit"});
      add_state(Scalar::Bool, model_.flag,
                dice_.chance(open) ? ""
                : dice_.chance(90) ? "false"
                                   : "true");
    }
    const bool wanted = world_.about(Theme::State);
    if (dice_.chance(wanted ? 60 : 30)) {
      model_.budget = "left";
      add_state(Scalar::Uint, "left", initial_budget());
      if (dice_.chance(20)) declarations_.push_back(claim("invariant left <= 2;"));
    }
    if (dice_.chance(wanted || world_.about(Theme::Tests) ? 50 : 15)) {
      model_.hits = "hits";
      add_state(dice_.chance(70) ? Scalar::Uint : Scalar::Int, "hits", "0");
      if (dice_.chance(25))
        declarations_.push_back(
            claim(fmt::format("invariant {};", dice_.any({"hits >= 0", "hits <= 1"}))));
      if (!model_.flag.empty() && dice_.chance(15))
        declarations_.push_back(claim(fmt::format("invariant {} -> hits > 0;", model_.flag)));
    }
    if (wanted && dice_.chance(20)) add_state(Scalar::Real, "drift", "0");
    if (model_.states.empty() && dice_.chance(70)) {
      model_.flag = "upset";
      add_state(Scalar::Bool, "upset", "false");
    }
  }

  // Functions that nobody knows: of which operands the outcome is wrong, and by how much.
  void choose_functions() {
    if (!dice_.chance(world_.about(Theme::Refinement) ? 30 : 9)) return;
    const std::string t = spelling(world_.number);
    const auto declare = [&](const std::string& text) {
      declarations_.push_back(line(fill_in(text, t)));
    };
    model_.suspects = "bad";
    declare("const bool bad({0} a);");
    if (dice_.chance(40)) {
      declare(dice_.any({"requires forall({0} a)(a < 1 -> !bad(a));", "requires !bad(0);",
                         "requires forall({0} a, {0} b)(bad(a) && bad(b) -> a == b);"}));
    } else if (dice_.chance(50)) {
      declare(dice_.any({"requires bad(1) && !bad(0);", "requires forall({0} a)(a > 2 -> bad(a));",
                         "requires bad(1) && forall({0} a)(bad(a) -> a > 0);"}));
      declare("witness bad(x): x > 0;");
    }
    if (!dice_.chance(60)) return;
    shifts_ = true;
    declare(dice_.any({"const {0} shift({0} a);", "const uint shift({0} a);"}));
    if (dice_.chance(70))
      declare(dice_.any({"requires forall({0} a)(0 <= shift(a) <= 1);", "requires shift(0) == 0;",
                         "requires forall({0} a)(bad(a) || shift(a) == 0);"}));
  }
  // Of operators on numbers; the other operand, and what is stored, are left alone.
  [[nodiscard]] bool can_suspect(const Specification& s) const {
    return !model_.suspects.empty() &&
           s.head.find("(" + std::string(spelling(world_.number)) + " a") != std::string::npos;
  }

  // Now and then one that a natural number cannot have.
  std::string initial_budget() {
    if (dice_.chance(world_.about(Theme::Refinement) ? 60 : 12)) return "";
    if (dice_.chance(60)) return std::to_string(dice_.pick(3));
    if (has_constant("limit")) return dice_.any({"limit", "limit - 1", "2 * limit - 1"});
    return dice_.any({"2 - 1", "3 - 2", "0 + 1", "1 - 1", "1 - 2", "2 * 1"});
  }

  bool has_constant(const std::string& name) const {
    for (const Named& c : model_.constants)
      if (c.name == name) return true;
    return false;
  }

  // Operators ------------------------------------------------------------------------------------

  void choose_operations() {
    const Scalar t = world_.number;
    const auto add = [&](const char* sign, Scalar type, bool unary = false) {
      for (const Operation& op : model_.operations)
        if (op.sign == sign && op.operand == type && op.unary == unary) return;
      model_.operations.push_back({sign, type, unary});
    };
    add(dice_.any({"+", "+", "-", "*"}).c_str(), t);
    if (world_.about(Theme::Tests) && dice_.chance(45)) add("<", t);
    for (unsigned more = dice_.pick(3); more > 0; --more) switch (dice_.pick(6)) {
        case 0:
          add(dice_.any({"-", "*", "+"}).c_str(), t);
          break;
        case 1:
          add(t == Scalar::Real ? "/" : dice_.any({"/", "%", "%"}).c_str(), t);
          break;
        case 2:
          add("-", t, true);
          break;
        default:
          add(dice_.any({"<", "<=", ">", ">=", "==", "!=", "<", ">"}).c_str(), t);
          break;
      }
    if (world_.about(Theme::Bools)) {
      add(dice_.any({"&&", "||", "->"}).c_str(), Scalar::Bool);
      if (dice_.chance(50)) add("!", Scalar::Bool, true);
      if (dice_.chance(30)) add(dice_.any({"&&", "||", "->", "==", "!="}).c_str(), Scalar::Bool);
    }
  }

  // The ways in which an outcome can come out wrong; nearly all are finite.
  std::string spoil(const std::string& exact, const std::string& result, Scalar type) {
    if (type == Scalar::Bool)
      return dice_.chance(50) ? "true" : dice_.chance(50) ? result : "!" + result;
    const std::string by = !model_.bound.empty() && dice_.chance(50) ? model_.bound : "1";
    const bool natural = type == Scalar::Uint;
    switch (type == Scalar::Real ? 4 + dice_.pick(5) : dice_.pick(natural ? 7 : 10)) {
      case 0:
        return fmt::format("{0} <= {1} <= {0} + {2}", exact, result, by);
      case 1:
        return fmt::format("({0} == {1} || {0} == 0)", result, exact);
      case 2:
        return fmt::format("0 <= {} <= 1", result);
      case 3:
        return fmt::format("{0} < {1} <= {0} + {2}", exact, result, by);
      case 4:
        return fmt::format("{} == {} + {}", result, exact, by);
      case 5:
        return fmt::format("({0} == {1} || {0} == {1} + {2})", result, exact, by);
      case 6:
        return fmt::format("{} == 0", result);
      case 7:
        return fmt::format("({0} == {1} - {2} || {0} == {1})", result, exact, by);
      case 8:
        return type == Scalar::Int && dice_.chance(60)
                   ? fmt::format("{0} - {2} <= {1} <= {0} + {2}", exact, result, by)
                   : fmt::format("{} == {} - 1", result, exact);
      default:
        return dice_.chance(85) ? fmt::format("-1 <= {} <= 1", result) : "true";
    }
  }

  void specify(const Operation& op) {
    const std::string type = spelling(op.operand);
    const std::string head = op.unary ? fmt::format("operator {}({} a)", op.sign, type)
                                      : fmt::format("operator {0}({1} a, {1} b)", op.sign, type);
    const std::string exact = op.unary ? op.sign + "a" : fmt::format("a {} b", op.sign);
    Specification s;
    s.head = head;
    const std::string operand = op.operand == Scalar::Bool ? "a" : dice_.any({"a > 0", "a < 2"});
    specify(s, exact, "result", op.result(), op.sign == "%" ? Scalar::Int : op.result(), operand);
  }

  // The exact specification, nearly always, and one or two that are not.
  void specify(Specification s, const std::string& exact, const std::string& result, Scalar type,
               Scalar wrong, const std::string& operand) {
    const std::string right =
        fill_in(type == Scalar::Bool ? "{} == ({})" : "{} == {}", result, exact);
    if (dice_.chance(90)) {
      Specification good = s;
      good.ensures = {right};
      if (dice_.chance(8)) good.when = model_.flag.empty() ? operand : "!" + model_.flag;
      if (can_suspect(s) && dice_.chance(60)) good.when = "!bad(a)";
      add(good, "good");
    }
    const bool safe = type != Scalar::Bool && (exact.find('/') != std::string::npos);
    const std::string base = safe ? "(" + exact + ")" : exact;
    const unsigned count = dice_.weighted({10, 70, 20});
    for (unsigned i = 0; i < count; ++i) {
      Specification bad = s;
      spoil_state(bad, operand);
      const bool shifted = can_suspect(s) && shifts_ && type == world_.number && dice_.chance(60);
      bad.ensures.push_back(type == Scalar::Bool ? spoil(exact, result, type)
                            : shifted            ? fmt::format("{} == {} + shift(a)", result, base)
                                                 : spoil(base, result, wrong));
      if (world_.about(Theme::Rates) && dice_.chance(75))
        bad.rate = dice_.chance(50) && has_constant("p") ? "p" : dice_.any({"0.125", "1e-1"});
      if (bad.ensures.size() > 1 && dice_.chance(50)) join(bad);
      add(bad, "bad");
    }
  }

  // Several clauses mean what one conjunction does.
  static void join(Specification& s) {
    std::string all;
    for (const std::string& e : s.ensures) all += (all.empty() ? "" : " && ") + e;
    s.ensures = {all};
  }

  // When a fault can strike and what it leaves behind.
  void spoil_state(Specification& s, const std::string& operand) {
    if (can_suspect(s) && dice_.chance(75)) {
      s.when = "bad(a)";
      return;
    }
    const bool flag = !model_.flag.empty(), budget = !model_.budget.empty();
    switch (dice_.weighted({flag ? 40u : 0u, budget ? 30u : 0u, !model_.hits.empty() ? 25u : 0u, 6,
                            flag ? 8u : 0u, flag ? 5u : 0u})) {
      case 0:
        s.when = "!" + model_.flag;
        if (dice_.chance(20)) s.when += " && " + operand;
        if (world_.about(Theme::Quantifiers) && dice_.chance(40))
          s.when = fmt::format("forall(bool c)(c -> !{})", model_.flag);
        s.modifies = {model_.flag};
        s.ensures = {model_.flag};
        break;
      case 1:
        s.when = dice_.any({"left > 0", "left >= 1", "left != 0"});
        s.modifies = {"left"};
        s.ensures = {
            dice_.any({"left == old(left) - 1", "left + 1 == old(left)", "left < old(left)"})};
        break;
      case 2:
        if (dice_.chance(60)) s.when = dice_.any({"hits < 1", "hits <= 1", "hits == 0"});
        s.modifies = {"hits"};
        s.ensures = {
            dice_.any({"hits == old(hits) + 1", "hits > old(hits) && hits <= old(hits) + 2"})};
        if (flag && dice_.chance(40)) {
          s.modifies.push_back(model_.flag);
          s.ensures.push_back(model_.flag);
        }
        break;
      case 3:
        if (dice_.chance(40)) s.when = operand;
        break;
      case 4:
        s.when = dice_.chance(50) ? model_.flag : "!" + model_.flag;
        break;
      default:  // what becomes of the flag is left open
        s.modifies = {model_.flag};
        break;
    }
  }

  void add(Specification s, const char* stem) {
    s.label = fmt::format("{}{}", stem, specifications_.size());
    specifications_.push_back(std::move(s));
  }

  // Regions --------------------------------------------------------------------------------------

  void choose_regions() {
    const Scalar t = dice_.chance(80) ? world_.number : Scalar::Uint;
    model_.regions.push_back({"far", t});
    const unsigned which = dice_.pick(4);
    if (which != 0) specify_access("far", t, true);
    if (which != 1) specify_access("far", t, false);
    if (dice_.chance(15)) {
      model_.regions.push_back({"flags", Scalar::Bool});
      specify_access("flags", Scalar::Bool, dice_.chance(50));
    }
  }

  void specify_access(const std::string& region, Scalar type, bool write) {
    Specification s;
    s.attributes = fmt::format("@region({}) ", region);
    const std::string t = spelling(type);
    s.head = write ? fmt::format("write({0} dest, {0} src)", t) : fmt::format("read({} src)", t);
    const std::string operand = type == Scalar::Bool ? "src" : "src > 0";
    if (write && dice_.chance(35)) {  // what was there before may stay
      Specification good = s, lost = s;
      good.ensures = {"dest == src"};
      add(good, "good");
      spoil_state(lost, operand);
      lost.ensures.push_back(
          dice_.any({"dest == old(dest)", "(dest == src || dest == old(dest))"}));
      add(lost, "lost");
      return;
    }
    specify(s, "src", write ? "dest" : "result", type, type, operand);
  }

  // Writing --------------------------------------------------------------------------------------

  Nodes whole(bool droppable) {
    Nodes out = declarations_;
    for (const Specification& s : specifications_) {
      out.push_back(line(describe(s, !droppable || dice_.chance(60) ? s.label : "")));
      out.back().loose = droppable;
    }
    return out;
  }

  // One specification of each head that allows everything: a second super-model.
  Nodes everything(std::vector<std::string>& heads) {
    Nodes out;
    for (const Specification& s : specifications_) {
      const std::string head = s.attributes + s.head;
      bool known = false;
      for (const std::string& h : heads) known = known || h == head;
      if (known) continue;
      heads.push_back(head);
      out.push_back(line(
          fmt::format("{}@label(any{}) {} ensures true;", s.attributes, heads.size() - 1, s.head)));
    }
    return out;
  }

  void write_family(Nodes& items, const std::string& super, const std::string& sub) {
    items.push_back(block("model " + super, whole(false)));
    std::vector<std::string> heads;
    const bool second = dice_.chance(40);
    if (second) items.push_back(block("model wide", everything(heads)));
    Nodes members;
    for (const Named& open : open_)
      if (dice_.chance(60))
        members.push_back(line(fmt::format("{}.{} = {};", super, open.name,
                                           open.scalar == Scalar::Bool ? "false" : "1")));
    if (!model_.suspects.empty() && dice_.chance(75))
      members.push_back(line(
          fill_in(dice_.any({"{0}.bad(x) = x > 1;", "{0}.bad(x) = false;", "{0}.bad(x) = x == 1;"}),
                  super)));
    if (dice_.chance(25)) members.push_back(line("uint seen = 0;"));
    if (!model_.flag.empty() && dice_.chance(15))
      members.push_back(claim(fmt::format("invariant !{};", model_.flag)));
    if (!model_.states.empty() && model_.states.back().name == "mode" && dice_.chance(60)) {
      mode_limit_ = std::to_string(dice_.pick(2));
      members.push_back(line(fmt::format("invariant mode <= {};", mode_limit_)));
    }
    for (const Specification& s : specifications_) write_heir(s, super, heads, members);
    items.push_back(
        block(fmt::format("model {} refines {}{}", sub, super, second ? ", wide" : ""), members));
  }

  // What becomes of a super-model's specification: taken over, narrowed, or left out.
  void write_heir(const Specification& s, const std::string& super,
                  const std::vector<std::string>& heads, Nodes& members) {
    std::string wide;
    for (std::size_t i = 0; i < heads.size(); ++i)
      if (heads[i] == s.attributes + s.head) wide = fmt::format("wide.any{}", i);
    const std::string origin = super + "." + s.label;
    if (dice_.chance(60)) {
      members.push_back(line(wide.empty() ? fmt::format("import {};", origin)
                                          : fmt::format("import {} refines {};", origin, wide)));
    } else if (dice_.chance(70)) {
      Specification narrow = s;
      narrow_down(narrow, super);
      members.push_back(
          line(describe(narrow, "own_" + s.label, wide.empty() ? origin : origin + ", " + wide)));
    }
  }

  void narrow_down(Specification& s, const std::string& super) {
    std::string guard = s.head.find("int a") != std::string::npos ? "a > 0" : "true";
    if (!model_.flag.empty() && dice_.chance(60)) guard = fmt::format("!{}.{}", super, model_.flag);
    if (dice_.chance(65))
      s.when = s.when.empty() ? guard : fmt::format("({}) && {}", s.when, guard);
    if (dice_.chance(25)) s.ensures = {s.ensures.back()};
    if (mode_limit_.empty()) return;
    // What the invariant excludes may do as it likes.
    join(s);
    s.ensures = {fmt::format("(mode <= {0} && {1}) || (mode > {0} && result == 7)", mode_limit_,
                             s.ensures.back())};
  }

  // It has a state of its own.
  void write_spare(Nodes& items) {
    world_.spare = true;
    std::vector<Specification> kept;
    kept.swap(specifications_);
    const Model before = model_;
    const Nodes declared = declarations_;
    declarations_.clear();
    model_.flag = "worn";
    model_.budget = model_.hits = model_.bound = model_.suspects = "";
    model_.constants.clear();
    declarations_.push_back(line("bool worn = false;"));
    for (const Operation& op : before.operations)
      if (dice_.chance(80)) specify(op);
    items.push_back(block("model spare", whole(true)));
    model_ = before;
    declarations_ = declared;
    specifications_ = kept;
  }

  World& world_;
  Dice& dice_;
  Model& model_;
  std::string mode_limit_;  // of state that only programs change; empty: none
  Nodes declarations_;
  std::vector<Named> open_;  // state without an initial value
  bool shifts_ = false;      // there is a function 'shift' too
  std::vector<Specification> specifications_;
};

}  // namespace

void write_models(World& world, Nodes& items) {
  ModelWriter(world).write(items);
}

void write_refinement(World& world, Nodes& items) {
  ModelWriter(world).write_pair(items);
}

}  // namespace leto::soundness

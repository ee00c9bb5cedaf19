// Lemmas: those that hold, those that only seem to, and calls of both. A call asks for what is
// nearly there, and behind it something is claimed that a naive rule would prove.
#include <fmt/core.h>

#include <algorithm>

#include "item_gen.h"
#include "stmt_gen.h"

namespace leto::soundness {

namespace {

// Its parameters, one letter each: v a vector, n a natural number, x a number.
struct KnownLemma {
  const char* name;
  const char* needs;  // a definition, or a lemma; empty: nothing
  const char* params;
  const char* required;  // empty: nothing
  const char* ensured;
  const char* head = "";  // of what its body is; empty: nothing is around it
  const char* says = "";  // the statement in it
  const char* measure = "";
  bool right = true;
  bool sized = false;     // its vector has the size that is given first
  const char* made = "";  // as the parameters, behind which it is called
};

// {0}, {1}, ... are the parameters; names of bound variables are those that nobody else has.
const std::vector<KnownLemma>& plain_lemmas() {
  static const std::vector<KnownLemma> kAll = {
      {"squares", "", "x", "{0} >= 1", "{0} * {0} >= {0}"},
      {"widens", "", "xx", "{0} <= {1}", "{0} <= {1} + 1"},
      {"apart", "", "xx", "{0} != {1}", "{0} < {1} || {1} < {0}"},
      {"steps", "", "n", "", "{0} * ({0} + 1) >= {0}", "if ({0} > 0)", "steps({0} - 1);", "{0}"},
      {"outside", "", "nv", "", "{1}[{0}] == 0", "", "", "", true, true},
      {"all_squares", "squares", "vn", "forall(uint lk)(lk < {1} -> {0}[lk] >= 1)",
       "forall(uint lk)(lk < {1} -> {0}[lk] * {0}[lk] >= {0}[lk])", "forall(uint lk; lk < {1})",
       "squares({0}[lk]);"},
      {"first", "", "vn", "{1} > 0 && forall(uint lk)(lk < {1} -> {0}[lk] >= {0}[0])",
       "{0}[{1} - 1] >= {0}[0]", "", "assert {0}[{1} - 1] >= {0}[0];"},
      {"same_at", "", "vvn", "{0} == {1}", "{0}[{2}] == {1}[{2}]"},
      // These are wrong.
      {"wish", "", "x", "", "{0} > 0", "", "", "", false},
      {"lesser", "", "xx", "{0} <= {1}", "{0} < {1}", "", "", "", false},
      {"circular", "", "n", "", "{0} > 1", "", "circular({0});", "{0}", false},
      {"turning", "", "xn", "", "{0} >= 1", "if ({1} > 0)", "turning({0}, {1});", "{1}", false},
      {"around", "", "n", "", "{0} != 1", "forall(uint lk; lk < {0} + 1)", "around(lk);", "{0}",
       false},
      {"believes", "", "x", "", "{0} > 0", "", "assume {0} > 0;", "", false},
      {"rests", "wish", "x", "", "{0} >= 1", "", "wish({0});", "", false},
      {"waits", "", "x", "", "{0} == 2", "while ({0} == {0})", "", "", false},
      {"wishes", "wish", "vn", "", "forall(uint lk)(lk < {1} -> {0}[lk] > 0)",
       "forall(uint lk; lk < {1})", "wish({0}[lk]);", "", false},
  };
  return kAll;
}

// A measure that falls below zero, of numbers that do.
const KnownLemma kBelow = {"below", "", "x", "", "{0} > 0", "", "below({0} - 1);", "{0}", false};

// A vector that is made has the size that is given first.
const std::vector<KnownLemma>& makers() {
  static const std::vector<KnownLemma> kAll = {
      {"beyond", "", "x", "", "{1} > {0}", "", "{1} = {0} + 1;", "", true, false, "x"},
      {"above_both", "", "xx", "", "{2} >= {0} && {2} >= {1}", "", "{2} = max({0}, {1});", "", true,
       false, "x"},
      {"place", "", "vn", "{1} > 0",
       "{2} < {1} && forall(uint lk)(lk < {1} -> {0}[lk] <= {0}[{2}])", "",
       "{2} = 0; if ({1} > 1) {{ {2} = place({0}, {1} - 1); if ({0}[{2}] < {0}[{1} - 1]) {{ {2} = "
       "{1} - 1; }} }}",
       "{1}", true, false, "n"},
      {"marked", "", "nx", "{0} > 0", "{2}[0] == {1} && {2}[{0}] == 0", "", "{2}[0] = {1};", "",
       true, false, "v"},
      {"split", "", "n", "", "{1} + {2} == {0}", "if ({0} > 0)", "{2} = {0} - 1; {1} = 1;", "",
       false, false, "nn"},
      {"halves", "", "n", "", "{1} + {2} == {0}", "", "{1} = {0} / 2; {2} = {0} - {1};", "", true,
       false, "nn"},
      // These are wrong.
      {"absent", "", "x", "", "{1} > {0} && {1} < {0}", "", "{1} = {0};", "", false, false, "x"},
      {"idle", "", "x", "", "{1} == 0", "if ({0} > 0)", "{1} = 0;", "", false, false, "x"},
      {"spins", "", "n", "", "{1} > {1}", "", "{1} = spins({0});", "{0}", false, false, "n"},
      {"waiting", "", "x", "", "{1} != {1}", "while ({0} == {0})", "{1} = {0};", "", false, false,
       "x"},
  };
  return kAll;
}

const std::vector<KnownLemma>& lemmas_of_definitions() {
  static const std::vector<KnownLemma> kAll = {
      {"grows", "total", "vn", "forall(uint lk)(lk < {1} -> {0}[lk] >= 0)", "total({0}, {1}) >= 0",
       "if ({1} > 0)", "grows({0}, {1} - 1);", "{1}"},
      {"sums_up", "total", "vn", "forall(uint lk)(lk < {1} -> {0}[lk] >= 0)",
       "total({0}, {1}) >= 0", "for (uint li = 0; li < {1}; ++li)",
       "invariant li <= {1} && total({0}, li) >= 0"},
      {"same_total", "total", "vvn", "forall(uint lk)(lk < {2} -> {0}[lk] == {1}[lk])",
       "total({0}, {2}) == total({1}, {2})", "if ({2} > 0)", "same_total({0}, {1}, {2} - 1);",
       "{2}"},
      {"less_total", "total", "vvn", "forall(uint lk)(lk < {2} -> {0}[lk] <= {1}[lk])",
       "total({0}, {2}) <= total({1}, {2})", "if ({2} > 0)", "less_total({0}, {1}, {2} - 1);",
       "{2}"},
      {"kept_total", "total", "vnnx", "{1} <= {2}",
       "total({0}[{2} := {3}], {1}) == total({0}, {1})", "if ({1} > 0)",
       "kept_total({0}, {1} - 1, {2}, {3});", "{1}"},
      {"few_hits", "hits", "vnx", "", "hits({0}, {1}, {2}) <= {1}", "if ({1} > 0)",
       "few_hits({0}, {1} - 1, {2});", "{1}"},
      {"same_hits", "hits", "vvnx", "forall(uint lk)(lk < {2} -> {0}[lk] == {1}[lk])",
       "hits({0}, {2}, {3}) == hits({1}, {2}, {3})", "if ({2} > 0)",
       "same_hits({0}, {1}, {2} - 1, {3});", "{2}"},
      {"less_level", "level", "vnn", "level({0}, {1}) && {2} <= {1}", "level({0}, {2})"},
      {"doubles", "twice", "x", "", "twice({0}) == 2 * {0}"},
      {"clips", "clip", "xx", "", "clip({0}, {1}) <= {1}"},
      // These are wrong.
      {"all_hits", "hits", "vnx", "", "hits({0}, {1}, {2}) == {1}", "if ({1} > 0)",
       "all_hits({0}, {1} - 1, {2});", "{1}", false},
      {"any_total", "total", "vn", "", "total({0}, {1}) >= 0", "if ({1} > 0)",
       "any_total({0}, {1} - 1);", "{1}", false},
      {"like_total", "total", "vvn", "{0}[0] == {1}[0]", "total({0}, {2}) == total({1}, {2})", "",
       "like_total({0}, {1}, {2});", "{2}", false},
      {"more_level", "level", "vnn", "level({0}, {1})", "level({0}, {2})", "", "", "", false},
      {"exact_clip", "clip", "xx", "", "clip({0}, {1}) == {0}", "", "", "", false},
  };
  return kAll;
}

std::string fill_all(const std::string& pattern, const std::vector<std::string>& args) {
  std::vector<std::string> all = args;
  all.resize(4);
  return fill_in(pattern, all[0], all[1], all[2], all[3]);
}

std::vector<std::string> parameter_names(const std::string& params) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < params.size(); ++i)
    names.push_back(fmt::format("l{}{}", params[i], i));
  return names;
}

std::string type_of(char letter, Scalar number) {
  return letter == 'n'   ? "uint"
         : letter == 'v' ? fmt::format("vector<{}>", spelling(number))
                         : spelling(number);
}

// Those of `params`, whose names begin at `first`; vectors perhaps with a size.
std::string declare_all(const std::string& params, const std::vector<std::string>& names,
                        std::size_t first, bool sized, Scalar number) {
  std::string out;
  for (std::size_t i = 0; i < params.size(); ++i)
    out +=
        fmt::format("{}{} {}{}", i == 0 ? "" : ", ", type_of(params[i], number), names[first + i],
                    sized && params[i] == 'v' ? fmt::format("({})", names[0]) : "");
  return out;
}

std::string head_of(const KnownLemma& known, const std::vector<std::string>& names, Scalar number) {
  const std::string params = known.params, made = known.made;
  std::string head =
      fmt::format("lemma {}({})", known.name, declare_all(params, names, 0, known.sized, number));
  if (!made.empty())
    head += fmt::format(" returns ({})", declare_all(made, names, params.size(), true, number));
  return head;
}

Nodes body_of(const KnownLemma& known, const std::vector<std::string>& names) {
  const std::string head = fill_all(known.head, names), says = fill_all(known.says, names);
  Nodes inner;
  if (!says.empty()) inner.push_back(line(says));
  if (says.starts_with("invariant")) inner.back().invariant = true;
  if (head.empty()) return inner;
  return {block(head, std::move(inner))};
}

void write_lemma(World& world, const KnownLemma& known, Nodes& items) {
  Dice& dice = world.dice;
  const std::vector<std::string> names = parameter_names(std::string(known.params) + known.made);
  Nodes parts;
  if (*known.required != '\0') parts.push_back(line("requires " + fill_all(known.required, names)));
  // One that does not hold is left out of the program, or stays: nothing may be proved by it.
  const std::string ensures =
      "ensures " + (known.right || dice.chance(80) ? fill_all(known.ensured, names) : "false");
  parts.push_back(dice.chance(known.right ? 70 : 40) ? claim(ensures) : line(ensures));
  if (*known.measure != '\0') parts.push_back(line("decreases " + fill_all(known.measure, names)));
  parts.push_back(block(head_of(known, names, world.number), body_of(known, names)));
  items.push_back(group(std::move(parts)));
  world.lemmas.push_back({known.name, known.params, known.made, known.ensured});
}

bool has_lemma(const World& world, const std::string& name) {
  return std::any_of(world.lemmas.begin(), world.lemmas.end(),
                     [&](const Lemma& lemma) { return lemma.name == name; });
}

bool has_definition(const World& world, const std::string& name) {
  return std::any_of(world.definitions.begin(), world.definitions.end(),
                     [&](const Definition& d) { return d.name == name; });
}

const KnownLemma& lemma_named(const std::string& name) {
  const auto& all = plain_lemmas();
  return *std::find_if(all.begin(), all.end(),
                       [&](const KnownLemma& known) { return known.name == name; });
}

const KnownLemma& choose_lemma(World& world) {
  Dice& dice = world.dice;
  std::vector<const KnownLemma*> good;
  for (const KnownLemma& known : lemmas_of_definitions())
    if (has_definition(world, known.needs)) good.push_back(&known);
  if (dice.chance(30)) {
    good.clear();
    for (const KnownLemma& known : makers()) good.push_back(&known);
  } else if (good.empty() || dice.chance(40)) {
    good.clear();
    for (const KnownLemma& known : plain_lemmas()) good.push_back(&known);
    if (world.number == Scalar::Int) good.push_back(&kBelow);
  }
  const bool right = dice.chance(70);
  std::vector<const KnownLemma*> wanted;
  for (const KnownLemma* known : good)
    if (known->right == right) wanted.push_back(known);
  return *dice.any(wanted.empty() ? good : wanted);
}

}  // namespace

void write_lemmas(World& world, Nodes& items) {
  Dice& dice = world.dice;
  if (!dice.chance(world.definitions.empty() ? 6 : 40)) return;
  for (unsigned count = 1 + dice.pick(3); count > 0; --count) {
    const KnownLemma& known = choose_lemma(world);
    const std::string needed = known.needs;
    if (has_lemma(world, known.name)) continue;
    if (!needed.empty() && !has_definition(world, needed) && !has_lemma(world, needed))
      write_lemma(world, lemma_named(needed), items);
    write_lemma(world, known, items);
  }
}

// Calls ------------------------------------------------------------------------------------------

namespace {

// Arguments for one call: of one run, or of both, and perhaps for each value of a variable.
class Recaller {
 public:
  Recaller(World& world, const Scope& scope, bool both, std::string counter)
      : dice_(world.dice),
        scope_(scope),
        exprs_(world),
        number_(world.number),
        both_(both),
        counter_(std::move(counter)) {}

  // Empty: there is nothing to give.
  [[nodiscard]] std::vector<std::string> arguments(const std::string& params) {
    std::vector<std::string> all(params.size());
    // Vectors first: they say how long they are.
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (params[i] != 'v') continue;
      all[i] = vector();
      if (all[i].empty()) return {};
    }
    for (std::size_t i = 0; i < params.size(); ++i)
      if (params[i] != 'v') all[i] = params[i] == 'n' ? natural() : value();
    return all;
  }
  // How often it is called for all; with a side if it is about both.
  [[nodiscard]] std::string bound() {
    if (!size_.empty() && dice_.chance(70)) return sided(size_, "r");
    const std::string n = exprs_.readable(scope_, Scalar::Uint);
    return n.empty() || dice_.chance(40) ? std::to_string(1 + dice_.pick(2)) : sided(n, "r");
  }

 private:
  [[nodiscard]] std::string sided(const std::string& name, const char* side) const {
    return both_ && scope_.find(name) != nullptr ? fmt::format("{}<{}>", name, side) : name;
  }
  [[nodiscard]] std::string some_side(const std::string& name) {
    return sided(name, dice_.chance(50) ? "o" : "r");
  }
  [[nodiscard]] std::string vector() {
    const auto found = scope_.select(
        [&](const Variable& v) { return v.shape != Shape::Scalar && v.scalar == number_; });
    if (found.empty()) return "";
    const Variable* v = dice_.any(found);
    // Of two, the second is often the same in the other run.
    if (const Variable* last = scope_.find(last_); last != nullptr && dice_.chance(both_ ? 75 : 40))
      v = last;
    const bool other = last_ == v->name && last_side_ == "o";
    last_side_ = last_ == v->name ? (other ? "r" : "o") : dice_.any({"o", "o", "r"});
    last_ = v->name;
    size_ = v->shape == Shape::Matrix ? v->columns : v->rows;
    std::string text = sided(v->name, last_side_.c_str());
    if (v->shape == Shape::Matrix) text += fmt::format("[{}]", index());
    if (dice_.chance(20)) text += fmt::format("[{} := {}]", index(), exprs_.number(number_, 2));
    return text;
  }
  [[nodiscard]] std::string index() {
    if (!counter_.empty() && dice_.chance(70)) return counter_;
    return dice_.any({"0", "1", "2"});
  }
  [[nodiscard]] std::string natural() {
    if (!counter_.empty() && dice_.chance(25)) return counter_;
    const std::string n =
        !size_.empty() && dice_.chance(80) ? size_ : exprs_.readable(scope_, Scalar::Uint);
    if (n.empty()) return number_ != Scalar::Real && dice_.chance(40) ? value() : index();
    switch (dice_.weighted({60, 15, 10, 15})) {
      case 0:
        return sided(n, "r");
      case 1:  // there may be none
        return sided(n, "r") + " - 1";
      case 2:
        return sided(n, "r") + " + 1";
      default:
        return index();
    }
  }
  [[nodiscard]] std::string value() {
    if (!counter_.empty() && dice_.chance(60)) return value_by_counter();
    const auto found = scope_.select(
        [&](const Variable& v) { return v.shape == Shape::Scalar && v.scalar == number_; });
    if (found.empty() || dice_.chance(10)) return exprs_.number(number_, 3);
    const Variable* v = scope_.find(scope_.focus);
    if (v == nullptr || v->shape != Shape::Scalar || v->scalar != number_ || dice_.chance(40))
      v = dice_.any(found);
    if (v->name == last_ && both_) {
      last_.clear();
      return sided(v->name, "r");
    }
    last_ = v->name;
    const std::string x = both_ ? some_side(v->name) : v->name;
    if (dice_.chance(20)) return earlier(*v, x);
    return dice_.chance(20) ? x + dice_.any({" + 1", " - 1", " * 2"}) : x;
  }
  // An element that the counter chooses, or the counter itself.
  [[nodiscard]] std::string value_by_counter() {
    const auto found = scope_.select(
        [&](const Variable& v) { return v.shape == Shape::Vector && v.scalar == number_; });
    if (found.empty()) return counter_;
    const Variable& v = *dice_.any(found);
    size_ = v.rows;
    return fmt::format("{}[{}]", some_side(v.name), counter_);
  }
  // As it was at a loop's label, if there is one that knows it.
  [[nodiscard]] std::string earlier(const Variable& v, const std::string& x) {
    for (const Label& label : scope_.labels)
      for (std::size_t i = 0; i < label.visible && i < scope_.variables.size(); ++i)
        if (scope_.variables[i].name == v.name)
          return fmt::format("{}{}[{}]", label.name, dice_.chance(40) ? ".entry" : "", x);
    return x;
  }

  Dice& dice_;
  const Scope& scope_;
  Expressions exprs_;
  Scalar number_;
  bool both_;
  std::string counter_;                  // that the call is made for all values of; empty: none
  std::string last_, last_side_, size_;  // what was given, on which side, and how long it is
};

std::string list_of(const std::vector<std::string>& args) {
  std::string list;
  for (const std::string& arg : args) list += (list.empty() ? "" : ", ") + arg;
  return list;
}

// What the lemma ensures of the arguments.
std::string ensured_of(const Lemma& lemma, std::vector<std::string> args) {
  for (std::string& arg : args)
    if (arg.find(' ') != std::string::npos && !arg.ends_with("]")) arg = enclose(arg);
  return fill_all(lemma.ensured, args);
}

bool has_side(const std::string& text) {
  return text.find("<o>") != std::string::npos || text.find("<r>") != std::string::npos;
}

}  // namespace

// A call of a lemma that makes something, of what specvars may read; and what is known of it, or
// is not: it is new in each run.
void Writer::make(const Lemma& lemma, const Scope& scope, Nodes& out) {
  std::vector<std::string> args;
  for (char letter : lemma.params) {
    const auto vectors = scope.select([&](const Variable& v) {
      return v.shape == Shape::Vector && v.scalar == world_.number && (v.ghost || v.pure);
    });
    if (letter == 'v' && vectors.empty()) return;
    args.push_back(letter == 'v'   ? dice_.any(vectors)->name
                   : letter == 'n' ? exprs_.pure(scope, Scalar::Uint)
                                   : exprs_.pure(scope, world_.number));
  }
  std::vector<std::string> names;
  for (char letter : lemma.made) {
    names.push_back(world_.name("w"));
    out.push_back(line(fmt::format("specvar {} {}{};", type_of(letter, world_.number), names.back(),
                                   letter == 'v' ? fmt::format("({})", args[0]) : "")));
  }
  out.push_back(loose(fmt::format("{} = {}({});", list_of(names), lemma.name, list_of(args))));
  if (lemma.made[0] != 'v' && dice_.chance(40))
    out.push_back(claim(fmt::format("assert_r eq({});", names[0])));
  args.insert(args.end(), names.begin(), names.end());
  if (dice_.chance(65)) out.push_back(claim(fmt::format("assert {};", ensured_of(lemma, args))));
}

// A call, and often what a naive rule would prove behind it.
void Writer::recall(Scope& scope, Nodes& out) {
  const Lemma& lemma = dice_.any(world_.lemmas);
  if (!lemma.made.empty()) return make(lemma, scope, out);
  const bool both = dice_.chance(lemma.params.starts_with("vv") ? 65 : 30);
  const std::string counter = dice_.chance(28) ? world_.name("k") : "";
  Recaller recaller(world_, scope, both, counter);
  const std::vector<std::string> args = recaller.arguments(lemma.params);
  if (args.empty()) return;
  std::string call = fmt::format("{}({});", lemma.name, list_of(args));
  std::string ensured = ensured_of(lemma, args);
  if (!counter.empty()) {
    const std::string bound = recaller.bound();
    call = fmt::format("forall(uint {0}; {0} < {1}) {{ {2} }}", counter, bound, call);
    ensured = fmt::format("forall(uint {0})({0} < {1} -> ({2}))", counter, bound, ensured);
  }
  out.push_back(loose(call));
  if (dice_.chance(65))
    out.push_back(claim(fmt::format("{} {};", has_side(ensured) ? "assert_r" : "assert", ensured)));
}

}  // namespace leto::soundness

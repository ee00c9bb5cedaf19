#include "reliable_gen.h"

#include <fmt/core.h>

namespace leto::soundness {

namespace {

// Something that is tried: how, what is right of it, and how it is put right.
struct Attempt {
  Nodes tried;
  std::vector<std::string> checks;  // all of them together are perfect
  Nodes mended;
  std::vector<std::string> set;  // the variables
  unsigned sites = 1;            // that one attempt meets
};

class ReliableWriter {
 public:
  explicit ReliableWriter(World& world) : dice_(world.dice) {
    type_ = dice_.chance(65) ? "int" : "real";
  }

  void write(Nodes& items) {
    write_model(items, "half", dice_.any({"0.5", "0.25", "0.125"}));
    write_model(items, "firm", dice_.any({"0", "0.125", "0.25"}));
    items.push_back(line("use model half;"));
    items.back().needed = true;
    if (dice_.chance(25)) {
      checker_ = "plausible ";
      items.push_back(line(fmt::format("checker plausible false_positive {} false_negative {};",
                                       dice_.any({"0", "0.125", "0.5"}),
                                       dice_.any({"0", "0.25", "0.5", "1"}))));
    }
    if (dice_.chance(35)) write_callee(items);
    write_main(items);
  }

 private:
  // The model ------------------------------------------------------------------------------------

  void write_model(Nodes& items, const std::string& name, const std::string& rate) {
    Nodes body;
    const bool first = name == "half";
    body.push_back(line(fmt::format("const real p = {};", rate)));
    if (first && dice_.chance(40)) state_ = dice_.any({"flag", "hits"});
    const std::string declared = state_ == "flag" ? "bool flag = false;" : "uint hits = 0;";
    if (first && !state_.empty()) body.push_back(line(declared));
    for (const char* sign : {"+", "*", "<"}) {
      const bool truth = sign[0] == '<';
      const std::string head = fmt::format("operator {0}({1} a, {1} b)", sign, type_);
      body.push_back(line(fmt::format("{0} ensures result == {1}a {2} b{3};", head,
                                      truth ? "(" : "", sign, truth ? ")" : "")));
      if (!first && rate == "0") continue;
      std::string wrong =
          truth ? dice_.any({"result == !(a < b)", "true", "result"})
                : fmt::format("result == a {} b {}", sign, dice_.any({"+ 1", "- 1", "+ 2"}));
      if (!truth && dice_.chance(15))
        wrong = dice_.any({"result == 0", "result == a", "0 <= result <= 1"});
      std::string modifies;
      if (first && !state_.empty() && dice_.chance(40)) {
        modifies = " modifies " + state_;
        wrong =
            fmt::format("{} && {}", state_ == "flag" ? "flag" : "hits == old(hits) + 1",
                        dice_.chance(25) && !truth ? fmt::format("result == a {} b", sign) : wrong);
      }
      body.push_back(line(fmt::format("@label({}) @rate({}) {}{} ensures {};",
                                      sign[0] == '+'   ? "add"
                                      : sign[0] == '*' ? "mul"
                                                       : "less",
                                      dice_.chance(85) ? "p" : "0.25", head, modifies, wrong)));
    }
    items.push_back(block("model " + name, std::move(body)));
  }

  void write_callee(Nodes& items) {
    callee_ = true;
    Nodes parts;
    if (dice_.chance(50))
      parts.push_back(claim(fmt::format("reliability result >= {} * R(q)",
                                        dice_.any({"0.5", "0.75", "0.25", "0.875", "1"}))));
    Nodes body;
    if (!state_.empty() && dice_.chance(40))
      body.push_back(
          line(state_ == "flag" ? "model.flag = q > 0;" : "model.hits = model.hits + 1;"));
    body.push_back(line(dice_.any({"return q *. q;", "return q +. 1;", "return q * q;"})));
    parts.push_back(block(fmt::format("{0} square({0} q)", type_), std::move(body)));
    items.push_back(group(std::move(parts)));
  }

  // What is tried --------------------------------------------------------------------------------

  Attempt try_scalar() {
    Attempt a;
    a.set = {"y"};
    switch (dice_.pick(callee_ ? 4 : 3)) {
      case 0:
        a.tried = {line("y = x *. x;")};
        a.mended = {line("y = x * x;")};
        a.checks = {"y == x * x"};
        break;
      case 1:
        a.sites = 3;
        a.tried = {line("t = x *. x;"), line("u = z *. z;"), line("y = t +. u;")};
        a.mended = {line("t = x * x;"), line("u = z * z;"), line("y = x * x + z * z;")};
        a.checks = {"y == x * x + z * z", "t == x * x", "u == z * z"};
        a.set = {"y", "t", "u"};
        break;
      case 2:
        a.sites = 2;
        a.tried = {line("t = x +. z;"), line("y = t *. 2;")};
        a.mended = {line("t = x + z;"), line("y = t * 2;")};
        a.checks = {"t == x + z", "y == 2 * (x + z)"};
        a.set = {"y", "t"};
        break;
      default:
        a.tried = {line("y = square(x);")};
        a.mended = {line("y = x * x;")};
        a.checks = {"y == x * x"};
        break;
    }
    return a;
  }

  Attempt try_vector() {
    Attempt a;
    a.set = {"a"};
    a.sites = 2;
    const std::string i = dice_.chance(15) ? "k" : "1";  // an index that may differ
    a.tried = {line("a[0] = x *. z;"), line(fmt::format("a[{}] = x +. w[1];", i))};
    a.mended = {line("a[0] = x * z;"), line(fmt::format("a[{}] = x + w[1];", i))};
    a.checks = {"a[0] == x * z", fmt::format("a[{}] == x + w[1]", i)};
    if (dice_.chance(20)) {
      a.tried.insert(a.tried.begin(), line("a = w;"));
      a.mended.insert(a.mended.begin(), line("a = w;"));
    }
    return a;
  }

  Attempt try_branch() {
    Attempt a;
    a.sites = 2;
    if (dice_.chance(50)) {  // the test itself may go wrong
      a.set = {"c", "y", "a"};
      a.sites = 1;
      const bool elements = dice_.chance(50);
      Node then = block("if (c)", {line(elements ? "a[0] = 1;" : "y = x;")});
      Node otherwise = block("else", {line(elements ? "a[1] = 1;" : "y = z;")});
      Nodes parts{then};
      if (dice_.chance(60)) parts.push_back(otherwise);
      if (dice_.chance(20) && elements) a.tried.push_back(line("a = w;"));
      a.tried.insert(a.tried.begin(), line("c = x <. z;"));
      a.tried.push_back(group(parts));
      a.mended = a.tried;
      a.mended[0] = line("c = x < z;");
      a.checks = {"c == (x < z)"};
      return a;
    }
    a.set = {"y"};
    a.tried = {block("if (b)", {line("y = x *. z;")})};
    a.mended = {block("if (b)", {line("y = x * z;")})};
    a.checks = {"!b || y == x * z"};
    if (dice_.chance(50)) {
      a.tried = {group({a.tried[0], block("else", {line("y = x +. 1;")})})};
      a.mended = {group({a.mended[0], block("else", {line("y = x + 1;")})})};
      a.checks.push_back("b || y == x + 1");
    }
    return a;
  }

  Attempt try_loop() {
    Attempt a;
    a.set = {"y"};
    a.sites = 2;
    const std::string head = dice_.any({"for (uint i = 0; i < 2; ++i)", "repeat 2"});
    const bool counts = head[0] == 'f';
    const std::string what = counts ? "w[i]" : "x";
    a.tried = {line("y = 0;"), block(head, {line(fmt::format("y = y +. {};", what))})};
    a.mended = {line("y = 0;"), block(head, {line(fmt::format("y = y + {};", what))})};
    a.checks = {counts ? "y == w[0] + w[1]" : "y == 2 * x"};
    if (counts && dice_.chance(35)) {
      a.set = {"a"};
      a.tried = {block(head, {line("a[i] = w[i] *. z;")})};
      a.mended = {block(dice_.chance(75) ? head : "for (uint i = 0; i < n && i < 2; ++i)",
                        {line("a[i] = w[i] * z;")})};
      a.checks = {"a[0] == w[0] * z", "a[1] == w[1] * z"};
    }
    return a;
  }

  // The state is part of what was tried.
  void add_state(Attempt& a) {
    if (state_.empty() || !dice_.chance(50)) return;
    const std::string set =
        state_ == "flag" ? "model.flag = y > 1;" : "model.hits = model.hits + 1;";
    a.tried.push_back(line(set));
    if (dice_.chance(60)) a.mended.push_back(line(state_ == "flag" ? set : "model.hits = 1;"));
    state_read_ = true;
  }

  // How it is recovered --------------------------------------------------------------------------

  static std::string replace(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.rfind(what);
    if (at != std::string::npos) text.replace(at, what.size(), by);
    return text;
  }

  // The lines of a recovery, however deep.
  static void collect(Nodes& nodes, std::vector<Node*>& lines) {
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::Line) lines.push_back(&n);
      collect(n.body, lines);
    }
  }

  // Something that is not quite right about it.
  void spoil(Attempt& a) {
    std::vector<Node*> lines;
    collect(a.mended, lines);
    Node& one = *dice_.any(lines);
    switch (dice_.pick(9)) {
      case 0:
        one.text = replace(one.text, dice_.any({"x", "z"}), dice_.any({"z", "x", "y"}));
        break;
      case 1:
        one.text = replace(one.text, ";", " + 1;");
        if (one.text.find('<') != std::string::npos) one.text = "c = true;";
        if (one.text.starts_with("a = ")) one.text = "a[0] = w[0];";
        break;
      case 2:
        if (a.mended.size() > 1)
          a.mended.erase(a.mended.begin() + dice_.pick(static_cast<unsigned>(a.mended.size())));
        break;
      case 3:
        turn(a.mended);
        break;
      case 4:
        a.mended = {block("for (uint j = 0; j < n; ++j)", a.mended)};
        break;
      case 5:
        a.mended = {block("repeat 0", a.mended)};
        break;
      case 6:
        one.text = a.set[0] == "a" ? "a[0] = a[0];" : fmt::format("{0} = {0};", a.set[0]);
        break;
      case 7:
        one.text = a.set[0] == "a"   ? "a[0] = 7;"
                   : a.set[0] == "c" ? "c = true;"
                                     : fmt::format("{} = 7;", a.set[0]);
        break;
      default:
        one.text = replace(one.text, "* ", "*. ");
        break;
    }
  }

  // Conditions the wrong way round.
  void turn(Nodes& nodes) {
    bool turned = false;
    for (Node& n : nodes) {
      if (n.kind == Node::Kind::Group && !n.body.empty()) {
        n.body[0].text = n.body[0].text == "if (b)" ? "if (!b)" : "if (!c)";
        turned = true;
      } else if (n.text == "if (b)") {
        n.text = "if (!b)";
        turned = true;
      }
    }
    if (!turned) nodes = {block(dice_.any({"if (b)", "if (x > 0)"}), nodes)};
  }

  std::string check(const Attempt& a) {
    std::vector<std::string> parts = a.checks;
    std::string text;
    if (parts.size() > 1 && dice_.chance(25))
      parts.erase(parts.begin() + dice_.pick(static_cast<unsigned>(parts.size())));
    for (const std::string& part : parts)
      text += (text.empty() ? "" : " && ") +
              (part.find("||") != std::string::npos && parts.size() > 1 ? "(" + part + ")" : part);
    switch (dice_.weighted({70, 6, 6, 5, 5, 4})) {
      case 1:
        return "true";
      case 2:
        return a.set[0] == "c" ? "c" : a.set[0] == "a" ? "a[0] >= 0" : "y >= 0";
      case 3:
        return replace(text, "==", a.set[0] == "c" ? "!=" : dice_.any({">=", "<=", "!="}));
      case 4:
        return fmt::format("b || ({})", text);
      case 5:
        return a.set[0] == "y" ? "y <. 3" : text;
      default:
        return text;
    }
  }

  // A block inside of the block.
  void nest(Attempt& a) {
    for (const std::string& name : a.set)
      if (name == "t") return;
    a.tried.push_back(group({block("try", {line("t = z +. 1;")}),
                             block("check (t == z + 1) recover", {line("t = z + 1;")})}));
    if (dice_.chance(80)) a.mended.push_back(line("t = z + 1;"));
    a.set.push_back("t");
    ++a.sites;
  }

  void recover(Attempt a, Nodes& out) {
    add_state(a);
    if (dice_.chance(8)) nest(a);
    if (dice_.chance(8)) a.tried.push_back(line("assert x >= 0 || true;"));
    if (dice_.chance(4) && a.set[0] == "y") a.tried.push_back(line("assert y >= x;"));
    if (dice_.chance(45)) spoil(a);
    const std::string head =
        fmt::format("check {}({}) recover", dice_.chance(70) ? "" : checker_, check(a));
    Nodes parts{block("try", a.tried)};
    unsigned again = 0;
    bool calls = false;
    for (const Node& n : a.tried) calls = calls || n.text.find("square") != std::string::npos;
    switch (dice_.weighted({55, 18, calls ? 0u : 20u, calls ? 0u : 8u})) {
      case 0:
        parts.push_back(block(head, a.mended));
        break;
      case 1:
        again = 1 + (a.sites == 1 ? dice_.pick(2) : 0);
        parts.push_back(line(fmt::format("{} redo({});", head, again)));
        break;
      case 2:
        again = 1;
        parts.push_back(line(head + " redo under firm;"));
        break;
      default:
        again = 2;
        parts.push_back(line(head + " redo(2) under firm;"));
        break;
    }
    sites_ += a.sites * (1 + again);
    out.push_back(group(std::move(parts)));
  }

  void attempt(Nodes& out) {
    switch (dice_.pick(4)) {
      case 0:
        return recover(try_scalar(), out);
      case 1:
        return recover(try_vector(), out);
      case 2:
        return recover(try_branch(), out);
      default:
        return recover(try_loop(), out);
    }
  }

  // The function ---------------------------------------------------------------------------------

  // Around a block: nothing, a loop, a branch.
  void place(Nodes& out) {
    Nodes body;
    attempt(body);
    const unsigned before = sites_;
    switch (before > 4 ? 0 : dice_.weighted({70, 12, 12, 6})) {
      case 1:
        sites_ = 2 * before;
        out.push_back(block("repeat 2", std::move(body)));
        break;
      case 2:
        out.push_back(block(dice_.any({"if (b)", "if (x > 0)", "if (y > 0)"}), std::move(body)));
        break;
      case 3:
        body.push_back(line("k = k + 1;"));
        out.push_back(block("while (k < 1)", std::move(body)));
        break;
      default:
        for (Node& n : body) out.push_back(std::move(n));
        break;
    }
  }

  void write_clauses(Nodes& clauses) {
    clauses.push_back(line("requires_r eq(*)"));
    const unsigned count = 1 + dice_.pick(3);
    for (unsigned i = 0; i < count; ++i) {
      const std::string bound =
          dice_.any({"1", "0.999", "0.875", "0.75", "0.76", "0.5", "0.51", "0.25", "0.125",
                     "0.0625", "0.03125", "0.5625", "0.9375"});
      clauses.push_back(claim(
          dice_.chance(75)
              ? fmt::format("reliability {} <= R(result{})", bound, dice_.chance(15) ? ", z" : "")
              : fmt::format("reliability result >= {} * R(x, z, b, n, w)", bound)));
    }
  }

  void write_main(Nodes& items) {
    Nodes clauses, body;
    write_clauses(clauses);
    for (const char* name : {"y", "t", "u"})
      body.push_back(line(fmt::format("{} {} = {};", type_, name, dice_.chance(80) ? "0" : "x")));
    body.push_back(line("uint k = 0;"));
    body.push_back(line("bool c = false;"));
    body.push_back(line(fmt::format("vector<{}> a(2);", type_)));
    if (!state_.empty())
      body.push_back(line(state_ == "flag" ? "model.flag = false;" : "model.hits = 0;"));
    if (dice_.chance(30)) {  // nobody checks this one
      ++sites_;
      body.push_back(line(dice_.any({"t = x *. 1;", "z = z +. 0;", "u = x +. z;", "y = x *. z;"})));
    }
    place(body);
    if (sites_ <= 4 && dice_.chance(40)) place(body);
    if (state_read_ || (!state_.empty() && dice_.chance(50)))
      body.push_back(state_ == "flag" ? block("if (model.flag)", {line("y = y + 1;")})
                                      : line("k = model.hits;"));
    if (dice_.chance(12)) body.push_back(block("if (y > 1)", {line("return y;")}));
    const bool counter = type_ == "int" && dice_.chance(25);
    body.push_back(line(fmt::format(
        "return {};",
        counter ? "y + k" : dice_.any({"y", "y + a[0]", "a[0] + a[1]", "y + t", "y"}))));
    clauses.push_back(
        block(fmt::format("{0} f({0} x, {0} z, bool b, uint n, vector<{0}> w(2))", type_),
              std::move(body)));
    items.push_back(group(std::move(clauses)));
  }

  Dice& dice_;
  std::string type_;
  std::string state_;    // of the model; empty: none
  std::string checker_;  // with a blank behind it; empty: none
  bool callee_ = false, state_read_ = false;
  unsigned sites_ = 0;
};

}  // namespace

void write_reliable(World& world, Nodes& items) {
  ReliableWriter(world).write(items);
}

}  // namespace leto::soundness

// Records: functions that take, give and change them, and one that does all kinds of things with
// them. Fields are of the type that most variables have, and one is a bool.
#include <fmt/core.h>

#include "function_gen.h"

namespace leto::soundness {

namespace {

const std::vector<std::string>& known_of_given() {
  static const std::vector<std::string> kAll = {
      "requires_r eq(*)",
      "requires_r eq(s.x)",
      "ensures result.x == s.y",
      "ensures result == s",
      "ensures result.b == s.b",
      "ensures_r eq(result)",
      "ensures_r eq(s) -> eq(result.x)",
      "ensures_r result<o>.x <= result<r>.x",
      "ensures_r eq(s) -> result<o> == result<r>",
  };
  return kAll;
}

const std::vector<std::string>& known_of_changed() {
  static const std::vector<std::string> kAll = {
      "ensures s.x == old(s.x)",
      "ensures s.y == old(s).x",
      "ensures s == old(s)",
      "ensures_r eq(old(s)) -> eq(s)",
      "ensures_r old(s<o>.x) == s<o>.x",
      "ensures s.b == old(s.b) && z == old(z)",
      "ensures_r eq(z)",
  };
  return kAll;
}

// What can be done with a record s alone, where a number p is known.
const std::vector<std::string>& known_steps() {
  static const std::vector<std::string> kAll = {
      "s.x = p;",        "s.y = s.x;", "s.x = s.y + 1;", "s.b = !s.b;",
      "s.b = s.x == p;", "s.y += 1;",  "++s.x;",
  };
  return kAll;
}

// What can be done with records s, t and u and vectors v and w of them. The functions are: one
// that gives a record, one that changes a record and a number, one that gives both.
const std::vector<std::string>& known_uses() {
  static const std::vector<std::string> kAll = {
      "t = s;",
      "s = t;",
      "s = {0}(t, p);",
      "t = {0}(s, s.x);",
      "s = {0}(s, u.y);",
      "s.b = {0}(u, p).b;",
      "{1}(s, t.x);",
      "{1}(t, s.y);",
      "s, t.x = {2}(t);",
      "t, t2 = {2}(s);",
      "v[0] = s;",
      "s = v[1];",
      "v[1] = v[0];",
      "v[1].x = s.y;",
      "s.y = v[0].x;",
      "v.x[0] = p;",
      "w = v;",
      "v = w;",
      "u = s;",
      "s = u;",
      "u.x = s.x;",
      "s.x = u.y;",
      "u = {0}(u, p);",
      "if (s == t) {{ s.b = !t.b; }}",
      "if (u != s || v[0] == t) {{ t.x = u.x; }}",
      "if (v == w && s.b) {{ v[1].b = true; }}",
      "for (uint k = 0; k < 2; ++k) {{ v[k] = s; s.x = s.x + 1; }}",
  };
  return kAll;
}

const std::vector<std::string>& known_claims() {
  static const std::vector<std::string> kAll = {
      "assert s.x == t.x;",
      "assert s == t;",
      "assert !(s != t) || s.x == p;",
      "assert v[0] == s;",
      "assert v == w;",
      "assert v.x == w.x;",
      "assert v[0 := s] == w;",
      "assert_r eq(s);",
      "assert_r s<o>.x == s<r>.x;",
      "assert_r eq(u.x);",
      "assert_r eq(v[0]) && eq(t.y);",
      "assert_r eq(v.x);",
      "assert_r forall(uint k)(k < 2 -> v<o>[k].y == v<r>[k].y);",
  };
  return kAll;
}

// With a property of two records, a relation of one, and of one a definition and a pure function.
const std::vector<std::string>& known_words() {
  static const std::vector<std::string> kAll = {
      "assert {0}(s, t);",
      "assert {0}(v[0], s) || {0}(s, w[1]);",
      "assert !{0}(t, u) -> t != u;",
      "assert_r {1}(s);",
      "assert_r {1}(v[1]) && eq(u);",
      "assert_r eq(v) -> {1}(v[0]);",
      "assert {2}(s) == s.x;",
      "assert {2}(v[0]) == {2}(t) || !(v[0] == t);",
      "assert_r eq({2}(s));",
      "assert {3}(s) == s.x;",
      "assert {3}(t) == {2}(t);",
      "assert_r eq({3}(v[1]));",
  };
  return kAll;
}

}  // namespace

void Functions::write_words(const RecordNames& names, Nodes& items) {
  const std::string type = spelling(world_.number);
  const auto head = [&](const std::string& pattern, const std::string& name) {
    return fill_in(pattern, name, names.record, type);
  };
  items.push_back(line(head(dice_.any({"property {0}({1} a, {1} c): a.x == c.x && (a.b -> c.b);",
                                       "property {0}({1} a, {1} c): a == c || a.y != c.x;"}),
                            names.property)));
  items.push_back(line(
      head(dice_.any({"property_r {0}({1} a): a<o>.x == a<r>.x && eq(a.b);",
                      "property_r {0}({1} a): a<o> == a<r>;", "property_r {0}({1} a): eq(a);"}),
           names.relation)));
  items.push_back(line(head(dice_.any({"define {2} {0}({1} a): a.x + a.y;",
                                       "define {2} {0}({1} a): if (a.b) a.x else a.y;"}),
                            names.meaning)));
  items.push_back(group(
      {claim(dice_.any({"requires a.b", "requires a.x == a.y"})),
       claim(fill_in(dice_.any({"ensures {0}(a) == a.x", "ensures a.x == a.y"}), names.meaning)),
       block(head("lemma {0}({1} a)", names.lemma), {})}));
  items.push_back(
      group({claim(dice_.any({"ensures result == a.x", "ensures a.b -> result == a.y"})),
             block(head("pure {2} {0}({1} a)", names.pure),
                   {loose("if (a.b) { return a.y; }"), line("return a.x;")})}));
}

// R g(R s, T p), void c(inout R s, inout T z) and (R a, T n) h(R s), and who uses them.
void Functions::write_records(Nodes& items) {
  const std::string type = spelling(world_.number);
  const std::string record = world_.name("R"), gives = world_.name("rg");
  const std::string changes = world_.name("rc"), parts = world_.name("rp");
  items.push_back(line(fmt::format("record {} {{ {} x, y; bool b; }}", record, type)));
  const auto some = [&](const std::vector<std::string>& all, unsigned most, bool claims) {
    Nodes out;
    for (unsigned n = dice_.pick(most + 1); n > 0; --n)
      out.push_back(claims ? claim(dice_.any(all)) : loose(dice_.any(all)));
    return out;
  };
  const auto put = [&](const std::string& head, Nodes clauses, Nodes body) {
    clauses.push_back(block(head, std::move(body)));
    items.push_back(group(std::move(clauses)));
  };
  Nodes body = some(known_steps(), 3, false);
  body.push_back(line("return s;"));
  put(fmt::format("{0} {1}({0} s, {2} p)", record, gives, type), some(known_of_given(), 3, true),
      std::move(body));
  body = some(known_steps(), 3, false);
  body.push_back(loose(dice_.any({"z = s.y;", "s.y = z;", "s.x = s.y;", "z = z + 1;"})));
  body.insert(body.begin(), line(fmt::format("{} p = z;", type)));
  put(fmt::format("void {}(inout {} s, inout {} z)", changes, record, type),
      some(known_of_changed(), 2, true), std::move(body));
  put(fmt::format("({0} a, {2} n) {1}({0} s)", record, parts, type),
      dice_.chance(50) ? Nodes{claim(dice_.any({"ensures result.a == s", "ensures_r eq(result.a)",
                                                "ensures result.a.x == result.n",
                                                "ensures_r result<o>.a.x == result<r>.n"}))}
                       : Nodes{},
      {line("return s, s.x;")});
  const RecordNames names{record,
                          gives,
                          changes,
                          parts,
                          world_.name("rq"),
                          world_.name("rr"),
                          world_.name("rd"),
                          world_.name("rl"),
                          world_.name("rf")};
  write_words(names, items);
  use_records(names, items);
}

void Functions::use_records(const RecordNames& names, Nodes& items) {
  Function f;
  f.name = world_.name("ru");
  f.result = world_.number;
  f.params = {given("p", world_.number)};
  const std::string type = spelling(world_.number);
  const auto region = [&] {
    const auto& all = world_.model.regions;
    return all.empty() || dice_.chance(30) ? std::string()
                                           : fmt::format("@region({}) ", dice_.any(all).name);
  };
  Nodes clauses, body;
  if (dice_.chance(60)) clauses.push_back(claim("requires_r eq(*)"));
  if (dice_.chance(40))
    clauses.push_back(claim(dice_.any({"ensures_r eq(result)", "ensures result == p"})));
  body.push_back(line(fmt::format("{0} s, t; {1} t2;", names.record, type)));
  body.push_back(line(fmt::format("{}{} u;", region(), names.record)));
  body.push_back(line(fmt::format("{}vector<{}> v(2);", region(), names.record)));
  body.push_back(line(fmt::format("vector<{}> w(2);", names.record)));
  Scope scope = scope_of(f);
  for (unsigned n = 3 + dice_.pick(5); n > 0; --n) {
    if (dice_.chance(30))
      body.push_back(loose(dice_.any(known_steps())));
    else if (const auto value =
                 dice_.chance(15) ? exprs_.relaxed(scope, world_.number) : std::nullopt)
      body.push_back(loose(fmt::format("s.x = {};", *value)));
    else
      body.push_back(
          loose(fill_in(dice_.any(known_uses()), names.gives, names.changes, names.parts)));
    if (dice_.chance(35)) body.push_back(claim(dice_.any(known_claims())));
    if (dice_.chance(25))
      body.push_back(claim(fill_in(dice_.any(known_words()), names.property, names.relation,
                                   names.meaning, names.pure)));
    if (dice_.chance(12))
      body.push_back(claim(fmt::format("{}({});", names.lemma, dice_.any({"s", "t", "v[0]"}))));
  }
  body.push_back(line(fmt::format("return {};", dice_.any({"s.x", "u.y", "v[1].x", "w.y[0]"}))));
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

}  // namespace leto::soundness

#include "coverage.h"

#include <fmt/core.h>

#include <sstream>

#include "inventory.h"
#include "syntax/syntax.h"

namespace leto::soundness {

namespace {

struct Group {
  std::string line;
  std::vector<std::string> names;
};

std::vector<std::string> operators(const char* how) {
  std::vector<std::string> names;
  for (int op = 0; op <= static_cast<int>(syntax::BinaryOp::Ge); ++op)
    names.push_back(listed(how, static_cast<syntax::BinaryOp>(op)));
  for (const syntax::UnaryOp op : {syntax::UnaryOp::Negate, syntax::UnaryOp::Not})
    names.push_back(listed(how, op));
  return names;
}

// By the lines of tests/constructs.txt; situations of a construct stand beside it.
std::vector<Group> groups() {
  return {
      {"scalar types",
       {"type bool", "type int", "type uint", "type real", "integer", "real number",
        "true and false", "number with leading zeros", "number with an exponent"}},
      {"vectors",
       {"vector parameter", "vector variable", "vector copied as a whole", "vectors compared",
        "vector element read", "vector element assigned", "vector element in a specification"}},
      {"matrices",
       {"matrix parameter", "matrix variable", "matrix copied as a whole", "matrices compared",
        "matrix element read", "matrix element assigned", "matrix element in a specification"}},
      {"functions",
       {"function with contract",
        "function without contract",
        "void function",
        "function that returns a vector",
        "recursion",
        "recursion by way of another",
        "parameter used after a recursive call",
        "parameter assigned",
        "call",
        "call as a statement",
        "call in a condition",
        "call in an argument",
        "call in a branch",
        "call of what has claims in a branch",
        "call in a loop's test",
        "call that sets the model's state in a loop's test",
        "return with a value",
        "return without a value",
        "return in a branch",
        "return in a loop",
        "claim behind an early return"}},
      {"declarations",
       {"declaration with a value", "declaration without a value", "several declarators", "block"}},
      {"assignment",
       {"assignment =", "assignment +=", "assignment -=", "assignment *=", "assignment /=",
        "assignment %=", "assignment +=.", "assignment -=.", "assignment *=.", "assignment /=.",
        "assignment %=."}},
      {"if, while, for",
       {"if", "else", "else if", "while", "for", "for without a start", "for without a condition",
        "for without a step", "for with an assignment as start", "loop in a loop", "while in try",
        "for in try", "while in a branch", "for in a branch", "parentheses",
        "short circuit over a call"}},
      {"break and continue",
       {"break", "continue", "break of a labelled loop", "continue of a labelled loop", "left<o>"}},
      {"++ and --", {"++", "--", "step of an element"}},
      {"assert, assume, assert_r",
       {"assert", "assume", "assert_r", "fact by way of another variable", "contradiction"}},
      {"contracts", {"requires", "requires_r", "ensures", "ensures_r", "several ensures", "eq(*)"}},
      {"loop invariants", {"invariant", "invariant_r"}},
      {"measures", {"decreases", "decreases of a function", "measure of several parts", "ends"}},
      {"sides", {"x<o>", "x<r>", "side on an element", "eq(x)", "eq(expression)", "eq(element)"}},
      {"properties",
       {"property", "property_r", "property used", "property_r used",
        "property_r with a side on its argument", "property_r with an argument without side"}},
      {"definitions",
       {"definition", "definition with a measure", "definition used",
        "definition used of both runs", "definition of a vector", "definition of a row",
        "v[i := e]"}},
      {"lemmas",
       {"lemma", "lemma that calls itself", "lemma called", "lemma called of both runs",
        "lemma called for all"}},
      {"lemmas that make something", {"lemma that makes something", "k = L(x)"}},
      {"inout parameters, several results",
       {"inout parameter", "old of what is changed in place", "function with several results",
        "q, r = f(x)", "result.q", "result<o>.q"}},
      {"records",
       {"record", "record variable", "record in a region", "record parameter",
        "record changed in place", "function that returns a record", "record copied",
        "records compared", "property of a record", "property_r of a record",
        "definition of a record", "lemma of a record", "pure function of a record", "s.x", "s<o>.x",
        "v[i].x", "v.x", "vector of records"}},
      {"pure functions",
       {"pure function", "pure function used", "pure function used of both runs"}},
      {"chained comparisons",
       {"chain in a program", "chain in a specification",
        "chain with a call behind its first comparison",
        "chain with a relaxed operation behind its first comparison",
        "chain with a division behind its first comparison"}},
      {"quantifiers",
       {"forall", "exists", "several binders", "quantifier in a quantifier",
        "quantifier in a model"}},
      {"abs, min, max", {"abs", "min", "max"}},
      {"conversions",
       {"floor", "floor in a specification", "uint(i)", "uint(i) in a specification", "real(i)",
        "real(i) in a specification"}},
      {"if as a value",
       {"if as a value", "if as a value in a specification",
        "if as a value with a relaxed operation", "if as a value with a call"}},
      {"old", {"old"}},
      {"relaxed operations", {"relaxed loop test", "short circuit over a relaxed operation"}},
      {"regions",
       {"parameter in a region", "scalar in a region", "vector in a region",
        "scalar in a region assigned", "element in a region assigned",
        "vector in a region assigned", "variable in a region read", "element in a region read",
        "read of a region", "write to a region"}},
      {"specvar",
       {"specvar", "specvar that is a vector", "specvar assigned", "specvar without a side",
        "model.x in a specvar"}},
      {"specvar fed by relaxed results", {"specvar beside relaxed operations"}},
      {"labels", {"@label of a loop", "l[e]", "l.entry[e]"}},
      {"@noinf", {"@noinf"}},
      {"models",
       {"model", "state with a value", "state without a value",
        "natural state with a computed value", "invariant of a model", "@label of an operator",
        "when", "modifies", "modifies several", "several ensures of an operator"}},
      {"constant vectors",
       {"constant vector", "constant vector used", "constant vector in a specification"}},
      {"constants and constraints",
       {"constant with a value", "constant without a value", "constraint on constants",
        "constant used", "constant of a model with a value", "constant of a model without a value",
        "constraint of a model", "constant of a model used"}},
      {"function constants",
       {"function constant", "witness", "M.f(a) = e", "function constant in a program"}},
      {"refinement",
       {"model refines one", "model refines two", "import M.l", "import M.l refines N.k",
        "operator refines", "M.x = v", "M.x in a model"}},
      {"model.x in programs",
       {"model.x read", "model.x assigned", "model.x in a relational specification",
        "model.x in a loop's test"}},
      {"use model", {"use model"}},
      {"repeat",
       {"repeat", "repeat number", "repeat constant", "repeat in try", "repeat in a branch"}},
      {"try, check, recover, redo",
       {"recover with a block", "redo(n)", "try in try", "try in a loop", "try in a branch",
        "call in try"}},
      {"@rate, reliability, checker",
       {"@rate(number)", "@rate(name)", "reliability r <= R(x)", "reliability result >= r * R(x)",
        "checker", "check by a checker"}},
      {"redo under", {"redo under M", "redo(n) under M"}},
      {"extern",
       {"extern", "extern with requires", "extern with requires_r", "extern with ensures",
        "extern with ensures_r", "call of an external function",
        "call of an external function in a loop's test"}},
  };
}

}  // namespace

const std::vector<Construct>& constructs() {
  static const std::vector<Construct> list = [] {
    std::vector<Construct> all;
    for (const Group& group : groups())
      for (const std::string& name : group.names) all.push_back({name, group.line});
    for (const std::string& name : operators("exact")) all.push_back({name, "scalar types"});
    for (const std::string& name : operators("stated")) all.push_back({name, "scalar types"});
    for (const std::string& name : operators("relaxed"))
      all.push_back({name, "relaxed operations"});
    for (const std::string& name : operators("operator")) all.push_back({name, "models"});
    return all;
  }();
  return list;
}

const std::vector<LeftOut>& left_out() {
  static const std::vector<LeftOut> list{
      {"ProblemItem", "problems and checkers",
       "they are functions when they are run; tests/checkers"},
      {"ProvedCheckerItem", "problems and checkers", "likewise"},
      {"SystemItem", "systems", "no program has one; protocol_test has random systems"},
      {"CountExpr", "systems", "likewise"},
      {"PartExpr", "words", "random programs have none; tests/words has random terms of them"},
      {"WidenExpr", "words", "likewise"},
      {"P.right(..)", "clauses of problems by name", "likewise"},
      {"ChooseStmt", "steps of systems", "likewise"},
      {"NodesStmt", "steps of systems", "likewise"},
      {"MessageStmt", "steps of systems", "likewise"},
      {"EnumItem", "models of messages", "likewise"},
      {"NodeMember", "models of messages", "likewise"},
      {"RoundMember", "models of messages", "likewise"},
      {"MessageMember", "models of messages", "likewise"},
      {"model over another", "layers", "layers_test has random stacks of them"},
      {"ImportItem", "import", "a random program is one text; tests/accepts and cli_test import"},
      {"ErrorExpr", "", "stands for what did not parse"},
      {"ErrorStmt", "", "stands for what did not parse"},
  };
  return list;
}

std::vector<std::string> compare_lists(const std::string& constructs_txt) {
  std::set<std::string> covered, lines;
  for (const Construct& c : constructs()) covered.insert(c.line);
  for (const LeftOut& l : left_out()) covered.insert(l.line);
  covered.erase("");
  std::istringstream in(constructs_txt);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.insert(line.substr(0, line.find(':')));
  std::vector<std::string> complaints;
  for (const std::string& line : lines)
    if (!covered.contains(line))
      complaints.push_back(fmt::format("no random program has '{}' of constructs.txt", line));
  for (const std::string& line : covered)
    if (!lines.contains(line))
      complaints.push_back(fmt::format("'{}' is not in constructs.txt", line));
  return complaints;
}

std::set<std::string> constructs_in(Program& program) {
  SourceStore sources;
  NameTable names;
  DiagnosticList diagnostics;
  const FileId file = sources.add("random.leto", program.text());
  const syntax::Tree tree = syntax::parse(sources[file], file, names, diagnostics);
  std::set<std::string> found = Inventory(tree, names).found();
  program.for_each([&](Node& node) {
    if (!node.tag.empty()) found.insert(std::string(node.tag));
  });
  return found;
}

void Coverage::add(const std::set<std::string>& all, bool verified,
                   const std::set<std::string>& proved) {
  ++programs_;
  verified_ += verified;
  for (const std::string& name : all) ++counts_[name].all;
  if (!verified) return;
  for (const std::string& name : proved) ++counts_[name].verified;
}

std::string Coverage::table() const {
  std::string out = fmt::format("{} programs, {} verified\n", programs_, verified_);
  out += fmt::format("{:<62} {:>8} {:>9}\n", "construct", "all", "verified");
  const auto percent = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  for (const Construct& c : constructs()) {
    const auto it = counts_.find(c.name);
    const Count count = it == counts_.end() ? Count{} : it->second;
    out += fmt::format("{:<62} {:>6.2f} % {:>6.2f} %\n", c.name, percent(count.all, programs_),
                       percent(count.verified, verified_));
  }
  for (const LeftOut& l : left_out()) out += fmt::format("{:<62} left out: {}\n", l.name, l.reason);
  return out;
}

std::vector<std::string> Coverage::complaints(bool of_verified) const {
  std::vector<std::string> list;
  std::set<std::string> known;
  for (const Construct& c : constructs()) {
    known.insert(c.name);
    const auto it = counts_.find(c.name);
    const Count count = it == counts_.end() ? Count{} : it->second;
    if (static_cast<double>(count.all) < kLeast * static_cast<double>(programs_))
      list.push_back(
          fmt::format("'{}' is in {} of {} programs only", c.name, count.all, programs_));
    if (of_verified &&
        static_cast<double>(count.verified) < kLeastVerified * static_cast<double>(verified_))
      list.push_back(fmt::format("'{}' is in {} of {} verified programs only", c.name,
                                 count.verified, verified_));
  }
  for (const auto& [name, count] : counts_)
    if (!known.contains(name)) list.push_back(fmt::format("'{}' is not listed", name));
  return list;
}

}  // namespace leto::soundness

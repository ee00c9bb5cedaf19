#include "syntax/parse_item.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::syntax {

using K = TokenKind;

void ItemParser::parse_file() {
  while (!cursor_.at(K::End)) {
    const Token first = cursor_.peek();
    parse_item();
    if (cursor_.panicking()) cursor_.abandon(first);
    if (cursor_.hopeless()) {
      cursor_.recover_at_item();
    } else if (cursor_.panicking()) {
      cursor_.skip_item(first);
      while (cursor_.accept(K::RBrace)) {
      }
    }
  }
}

void ItemParser::parse_item() {
  const Token first = cursor_.peek();
  if (first.kind == K::At) {
    const Attributes attributes = stmts_.parse_attributes();
    stmts_.require_site(attributes, AttributeSite::Item);
    if (cursor_.panicking()) return;
  }
  const Token token = cursor_.peek();
  if (cursor_.clause() || cursor_.at_word("reliability") || at_ends() || at_lemma() || at_pure())
    return parse_contracted();
  if (cursor_.at_word("checker") && cursor_.peek(1).kind == K::Identifier)
    return cursor_.peek(2).kind == K::KwFor ? parse_proved_checker() : parse_checker();
  if (at_problem()) return parse_problem();
  if (at_system()) return parse_system();
  if (at_record()) return parse_record();
  if (at_define()) return parse_define();
  if (at_function(0) || at_external()) return parse_function(token, {});
  switch (token.kind) {
    case K::KwImport:
      return parse_import();
    case K::KwUse:
      return parse_use();
    case K::KwConst: {
      ConstItem item = parse_const();
      if (item.name.name.valid()) add(token, std::move(item));
      return;
    }
    case K::KwProperty:
    case K::KwPropertyR:
      if (std::optional<PropertyItem> property = parse_property()) add(token, std::move(*property));
      return;
    case K::KwModel:
      return parse_model();
    default: {
      if (cursor_.at_foreign_word()) {
        cursor_.report_foreign_word();
        cursor_.next();
        return;
      }
      Diagnostic d{
          DiagnosticKind::ExpectedItem,
          cursor_.span(token),
          {"a function, a property, a definition, a lemma, a record, a model, a system, a problem, "
           "a checker, a constant or an import",
           cursor_.found()},
          {},
          {}};
      if (cursor_.at_word("ends")) {
        d.help = Help{
            "'ends' stands right before the type of a function that has a body, behind its "
            "clauses; an "
            "external function is trusted to return",
            {}};
      } else if (token.kind == K::Semicolon) {
        d.help = Help{"what has a body ends with its '}': leave the ';' out",
                      Edit{cursor_.span(token), ""}};
      } else if (token.kind == K::Identifier) {
        NearestName nearest(cursor_.text(token));
        for (std::string_view word : keywords()) nearest.offer(word);
        if (!nearest.best().empty())
          d.help = Help{fmt::format("did you mean '{}'?", nearest.best()),
                        Edit{cursor_.span(token), std::string(nearest.best())}};
      }
      cursor_.report(std::move(d));
      cursor_.next();
    }
  }
}

void ItemParser::parse_import() {
  const Token first = cursor_.next();
  const Token path = cursor_.peek();
  if (cursor_.accept(K::Less)) return parse_library(first, path);
  if (!cursor_.expect(K::String, "the path of a file, in quotes, or a library as '<sums>'")) return;
  std::string text(cursor_.text(path));
  text.erase(0, 1);
  if (text.empty() || text.back() != '"') {  // the lexer has complained
    cursor_.accept(K::Semicolon);
    return;
  }
  text.pop_back();
  cursor_.expect_semicolon("the import");
  add(first, ImportItem{std::move(text), cursor_.span(path)});
}

void ItemParser::parse_library(const Token& first, const Token& open) {
  const Ident name = cursor_.expect_name("the library's name");
  if (cursor_.panicking()) return;
  if (!cursor_.expect(K::Greater, "'>' behind the library's name")) return;
  const Span span = cursor_.span_from(open);
  cursor_.expect_semicolon("the import");
  const Token word{K::Identifier, false, name.span.begin, name.span.end};
  add(first, ImportItem{fmt::format("library/{}.leto", cursor_.text(word)), span, true});
}

void ItemParser::parse_use() {
  const Token first = cursor_.next();
  if (!cursor_.expect(K::KwModel, "'model'")) return;
  const Ident model = cursor_.expect_name("the model's name");
  if (cursor_.panicking()) return;
  cursor_.expect_semicolon("the model's name");
  add(first, UseModelItem{model});
}

ConstItem ItemParser::parse_const() {
  const Token first = cursor_.next();
  ConstItem item;
  item.type = exprs_.parse_type();
  if (!cursor_.panicking()) item.name = cursor_.expect_name("the constant's name");
  if (!cursor_.panicking() && cursor_.at(K::LParen)) {
    if (item.type.shape == Shape::Scalar)
      refuse_rigid();
    else
      item.dims = exprs_.parse_list(cursor_.next());
  }
  if (!cursor_.panicking() && cursor_.accept(K::Assign)) {
    if (cursor_.at(K::LBracket))
      item.elements = parse_elements();
    else
      item.init = exprs_.parse();
  }
  cursor_.expect_semicolon("the constant");
  if (cursor_.panicking() && item.name.name.valid()) {  // the name counts, its value does not
    item.init = exprs_.error();
    if (!cursor_.hopeless()) cursor_.skip_item(first);
  }
  return item;
}

// [1, 2, 4]
std::vector<ExprId> ItemParser::parse_elements() {
  const Token open = cursor_.next();
  std::vector<ExprId> elements;
  do {
    elements.push_back(exprs_.parse());
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  cursor_.expect_closing(K::RBracket, open);
  return elements;
}

// Behind the name of a constant of a program.
void ItemParser::refuse_rigid() {
  cursor_.report(Diagnostic{DiagnosticKind::Expected,
                            cursor_.span(cursor_.peek()),
                            {"';' or '=' behind the constant's name", cursor_.found()},
                            {},
                            {}}
                     .helping("a function that nobody knows belongs into a model; one that a "
                              "specification knows is declared with 'define'"));
}

// Whether what a function gives stands so many tokens ahead.
bool ItemParser::at_function(std::size_t ahead) {
  const K kind = cursor_.peek(ahead).kind;
  if (starts_type(kind) || kind == K::LParen) return true;
  for (std::string_view word : {"define", "ends", "extern", "lemma", "pure"})
    if (cursor_.text(cursor_.peek(ahead)) == word) return false;
  const std::size_t length = cursor_.at_bits(ahead) ? 4 : 1;
  return cursor_.at_type(ahead) && cursor_.peek(ahead + length + 1).kind == K::LParen;
}

bool ItemParser::at_external() {
  return cursor_.at_word("extern") && at_function(1);
}

bool ItemParser::at_ends() {
  return cursor_.at_word("ends") && at_function(1);
}

bool ItemParser::at_record() {
  return cursor_.at_word("record") && cursor_.peek(1).kind == K::Identifier &&
         cursor_.peek(2).kind == K::LBrace;
}

void ItemParser::parse_field(RecordItem& item) {
  const Token first = cursor_.peek();
  const TypeSyntax type = exprs_.parse_type();
  do {
    if (cursor_.panicking()) break;
    const Ident name = cursor_.expect_name("the field's name");
    if (!cursor_.panicking()) item.fields.push_back({type, name});
  } while (cursor_.accept(K::Comma));
  cursor_.expect_semicolon("the field");
  if (cursor_.panicking()) cursor_.abandon(first);
}

void ItemParser::parse_record() {
  const Token first = cursor_.next();
  RecordItem item;
  item.name = cursor_.expect_name("the record's name");
  const Token open = cursor_.next();
  if (cursor_.at(K::RBrace))
    cursor_.report({DiagnosticKind::Expected,
                    cursor_.span(cursor_.peek()),
                    {"a field, such as 'real x;'", cursor_.found()},
                    {},
                    {}},
                   false);
  while (!cursor_.at(K::RBrace) && !cursor_.at(K::End) && !cursor_.hopeless()) {
    if (starts_only_items(cursor_.peek(), cursor_.peek(1))) break;
    const Token field = cursor_.peek();
    parse_field(item);
    if (cursor_.panicking()) cursor_.skip_statement(field);
  }
  cursor_.expect_closing(K::RBrace, open);
  add(first, std::move(item));
}

bool ItemParser::at_lemma() {
  return cursor_.at_word("lemma") && cursor_.peek(1).kind == K::Identifier;
}

bool ItemParser::at_pure() {
  if (!cursor_.at_word("pure")) return false;
  const Token next = cursor_.peek(1);
  const bool external = next.kind == K::Identifier && cursor_.text(next) == "extern";
  return at_function(1) || (external && at_function(2));
}

void ItemParser::parse_contracted() {
  const Token first = cursor_.peek();
  std::vector<Clause> contract;
  while (const auto kind = cursor_.clause()) {
    if (*kind == ClauseKind::Invariant || *kind == ClauseKind::InvariantR) {
      cursor_.report(Diagnostic{
          DiagnosticKind::ExpectedItem,
          cursor_.span(cursor_.peek()),
          {"a function or one of its clauses", cursor_.found()},
          {},
          {}}.helping("an invariant belongs to a loop, or inside a model"));
      cursor_.next();
      return;
    }
    const Token token = cursor_.next();
    Clause clause = exprs_.parse_clause(*kind);
    if (cursor_.panicking()) return;
    if (cursor_.at(K::Semicolon)) {
      if (*kind == ClauseKind::Requires && contract.empty()) {
        cursor_.next();
        return add(first, ConstraintItem{clause.expr});
      }
      const Span at = cursor_.span(cursor_.peek());
      cursor_.report(
          Diagnostic{
              DiagnosticKind::Expected, at, {"the function or another clause", "';'"}, {}, {}}
              .helping("a function's clause is not followed by ';'", Edit{at, ""}),
          false);
      cursor_.next();
    }
    clause.span = cursor_.span_from(token);
    contract.push_back(std::move(clause));
  }
  std::vector<ReliabilityClause> reliability;
  while (cursor_.at_word("reliability"))
    if (!parse_reliability(reliability)) return;
  if (!at_function(0) && !at_external() && !at_ends() && !at_lemma() && !at_pure()) {
    cursor_.report({DiagnosticKind::ExpectedItem,
                    cursor_.span(cursor_.peek()),
                    {"the function or lemma that these clauses belong to", cursor_.found()},
                    {},
                    {}});
    return;
  }
  parse_function(first, std::move(contract), std::move(reliability));
}

void ItemParser::parse_checker() {
  const Token first = cursor_.next();
  CheckerItem item;
  item.name = cursor_.expect_name("the checker's name");
  for (const auto& [word, into] : {std::pair{"false_positive", &item.false_positive},
                                   std::pair{"false_negative", &item.false_negative}}) {
    if (cursor_.panicking()) return;
    if (!cursor_.at_word(word)) {
      cursor_.report_expected(
          item.false_positive.valid()
              ? fmt::format("'{}' and how often that happens", word)
              : fmt::format("'{}' and how often that happens, or 'for' and a problem", word));
      return;
    }
    cursor_.next();
    *into = parse_chance();
    if (cursor_.panicking()) return;
  }
  cursor_.expect_semicolon("the checker");
  if (!cursor_.panicking()) add(first, item);
}

ExprId ItemParser::parse_chance() {
  if (cursor_.at(K::Integer) || cursor_.at(K::Real)) return exprs_.parse_simple();
  cursor_.report_expected("a number from 0 to 1");
  return {};
}

// False if it cannot go on.
bool ItemParser::parse_reliability(std::vector<ReliabilityClause>& list) {
  const Token first = cursor_.next();
  ReliabilityClause clause;
  if (cursor_.at_word("result")) {
    clause.of_result = true;
    cursor_.next();
    cursor_.expect(K::GreaterEq, "'>=' and a bound");
    if (!cursor_.panicking()) clause.number = parse_chance();
    if (!cursor_.panicking()) cursor_.expect(K::Star, "'*' and R of some parameters");
  } else {
    clause.number = parse_chance();
    if (!cursor_.panicking()) cursor_.expect(K::LessEq, "'<=' and R of some variables");
  }
  if (cursor_.panicking()) return false;
  if (!cursor_.at_word("R")) {
    cursor_.report_expected("'R', the chance that variables are right");
    return false;
  }
  cursor_.next();
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return false;
  const bool of_problem = cursor_.at(K::Identifier) && cursor_.peek(1).kind == K::LParen;
  if (of_problem && !clause.of_result)
    parse_bounded_problem(clause);
  else
    parse_bounded_names(clause, K::RParen);
  cursor_.expect_closing(K::RParen, open);
  if (cursor_.panicking()) return false;
  clause.span = cursor_.span_from(first);
  list.push_back(std::move(clause));
  return true;
}

void ItemParser::parse_bounded_names(ReliabilityClause& clause, TokenKind closing) {
  if (cursor_.panicking() || cursor_.at(closing)) return;
  do {
    clause.names.push_back(cursor_.expect_name("a parameter or 'result'"));
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
}

// P(inputs; outputs)
void ItemParser::parse_bounded_problem(ReliabilityClause& clause) {
  const Token first = cursor_.peek();
  ReliabilityClause::OfProblem of;
  of.problem = cursor_.expect_name("a problem");
  const Token open = cursor_.next();
  parse_bounded_names(clause, K::Semicolon);
  of.inputs = clause.names.size();
  if (!cursor_.panicking()) cursor_.expect(K::Semicolon, "';' and the outputs");
  parse_bounded_names(clause, K::RParen);
  cursor_.expect_closing(K::RParen, open);
  clause.of = of;
  if (cursor_.panicking()) return;
  const Span at = cursor_.span_from(first);
  clause.of->original = exprs_.make_right(clause, at, Side::Original);
  clause.of->relaxed = exprs_.make_right(clause, at, Side::Relaxed);
}

void ItemParser::parse_function(const Token& first, std::vector<Clause> contract,
                                std::vector<ReliabilityClause> reliability) {
  FunctionItem function;
  function.contract = std::move(contract);
  function.reliability = std::move(reliability);
  function.pure = at_pure();
  if (function.pure) cursor_.next();
  function.external = at_external();
  function.ends = at_ends();
  function.lemma = at_lemma();
  const Token word = cursor_.peek();
  if (function.external || function.ends || function.lemma) cursor_.next();
  if (function.lemma)
    function.type.span = cursor_.span(word);
  else if (cursor_.at(K::LParen))
    parse_results(function);
  else
    function.type = exprs_.parse_type();
  function.name = cursor_.expect_name(function.lemma ? "the lemma's name" : "the function's name");
  if (cursor_.panicking()) return;
  if (cursor_.at(K::Assign) || cursor_.at(K::Semicolon)) {
    cursor_.report(Diagnostic{DiagnosticKind::Expected,
                              cursor_.span(cursor_.peek()),
                              {"'(' and the function's parameters", cursor_.found()},
                              {},
                              {}}
                       .helping("a program has no global variables; a constant is declared with "
                                "'const'"));
    return;
  }
  function.params = stmts_.parse_params();
  parse_made(function);
  refuse_late_clauses();
  if (cursor_.panicking()) return;
  if (!function.external && cursor_.at(K::Semicolon)) {
    cursor_.report(Diagnostic{DiagnosticKind::Expected,
                              cursor_.span(cursor_.peek()),
                              {"'{' and the function's body", cursor_.found()},
                              {},
                              {}}
                       .helping("a function that is defined elsewhere is declared with 'extern' "
                                "before its type"),
                   false);
    cursor_.next();
    return;
  }
  if (function.external) {
    if (cursor_.at(K::LBrace))
      cursor_.report(Diagnostic{
          DiagnosticKind::Expected, cursor_.span(cursor_.peek()), {"';'", cursor_.found()}, {}, {}}
                         .helping("a function with a body is not external: drop 'extern'"));
    else
      cursor_.expect_semicolon("the declaration");
    if (cursor_.panicking()) return;
  } else {
    function.body = stmts_.parse_block();
  }
  add(first, std::move(function));
}

// (real q, real r)
void ItemParser::parse_results(FunctionItem& function) {
  const Token open = cursor_.next();
  function.results = exprs_.parse_binders();
  if (!cursor_.panicking()) cursor_.expect_closing(K::RParen, open);
  function.type.span = cursor_.span_from(open);
}

// returns (uint k, vector<int> p(n))
void ItemParser::parse_made(FunctionItem& function) {
  if (cursor_.panicking() || !cursor_.at_word("returns")) return;
  const Token word = cursor_.next();
  const bool empty = cursor_.at(K::LParen) && cursor_.peek(1).kind == K::RParen;
  if (!function.lemma)
    cursor_.report(Diagnostic{DiagnosticKind::Expected,
                              cursor_.span(word),
                              {"'{' and the function's body", "'returns'"},
                              {},
                              {}}
                       .helping("only a lemma has it; what a function returns stands before its "
                                "name: '(int q, int r) divide(int x, int y)'"),
                   false);
  else if (empty)
    cursor_.report(Diagnostic{DiagnosticKind::Expected,
                              cursor_.span(cursor_.peek(1)),
                              {"a result, such as 'uint k'", "')'"},
                              {},
                              {}}
                       .helping("a lemma that makes nothing has no 'returns'"),
                   false);
  std::vector<Param> made = stmts_.parse_params();
  if (function.lemma) function.made = std::move(made);
}

void ItemParser::refuse_late_clauses() {
  while (!cursor_.panicking()) {
    const Token token = cursor_.peek();
    const auto kind = cursor_.clause();
    if (!kind) return;
    cursor_.report(Diagnostic{DiagnosticKind::ClauseAfterSignature,
                              cursor_.span(token),
                              {std::string(cursor_.text(token))},
                              {},
                              {}}
                       .helping("move it to the line before the function's type"),
                   false);
    cursor_.next();
    (void)exprs_.parse_clause(*kind);
  }
}

// Nothing: it cannot be read, and that is said.
std::optional<PropertyItem> ItemParser::parse_property() {
  const Token first = cursor_.next();
  PropertyItem property;
  property.relational = first.kind == K::KwPropertyR;
  property.name = cursor_.expect_name("the property's name");
  if (cursor_.panicking()) return std::nullopt;
  property.params = stmts_.parse_params();
  if (!cursor_.accept(K::Colon)) {
    // The body is likely to be there all the same.
    cursor_.report({DiagnosticKind::Expected,
                    cursor_.span(cursor_.peek()),
                    {"':' before the property's body", cursor_.found()},
                    {},
                    {}},
                   cursor_.at(K::LBrace) || cursor_.at(K::Semicolon) || cursor_.at(K::End));
  }
  if (cursor_.panicking()) return std::nullopt;
  property.body = exprs_.parse();
  cursor_.expect_semicolon("the property");
  if (cursor_.panicking()) property.body = exprs_.error();
  return property;
}

bool ItemParser::at_define() {
  return cursor_.at_word("define") && cursor_.at_type(1);
}

void ItemParser::parse_define() {
  const Token first = cursor_.next();
  DefineItem item;
  item.type = exprs_.parse_type();
  if (!cursor_.panicking()) item.name = cursor_.expect_name("the definition's name");
  if (cursor_.panicking()) return;
  item.params = stmts_.parse_params();
  if (!cursor_.panicking() && cursor_.at_word("decreases")) {
    const Token word = cursor_.next();
    item.measure = exprs_.parse_clause(ClauseKind::Decreases);
    item.measure->span = cursor_.span_from(word);
  }
  if (!cursor_.panicking()) cursor_.expect(K::Colon, "':' before what it is defined as");
  if (cursor_.panicking()) return;
  item.body = exprs_.parse();
  cursor_.expect_semicolon("the definition");
  if (cursor_.panicking()) item.body = exprs_.error();
  add(first, std::move(item));
}

void ItemParser::parse_model() {
  const Token first = cursor_.next();
  ModelItem model;
  model.name = cursor_.expect_name("the model's name");
  if (cursor_.panicking()) return;
  if (cursor_.at_word("over")) {
    cursor_.next();
    model.over = cursor_.expect_name("the name of the model below");
    if (cursor_.panicking()) return;
  }
  if (cursor_.accept(K::KwRefines)) {
    do {
      model.supers.push_back(cursor_.expect_name("the super-model's name"));
    } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  }
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LBrace)) return;
  while (!cursor_.at(K::RBrace) && !cursor_.at(K::End) && !cursor_.hopeless()) {
    const K kind = cursor_.peek().kind;
    if (kind == K::KwModel || kind == K::KwUse || kind == K::KwPropertyR) break;
    const Token member = cursor_.peek();
    parse_member(model);
    if (cursor_.panicking()) cursor_.abandon(member);
    if (cursor_.panicking() && !cursor_.hopeless()) cursor_.skip_item(member);
  }
  cursor_.expect_closing(K::RBrace, open);
  add(first, std::move(model));
}

void ItemParser::parse_member(ModelItem& model) {
  const Token first = cursor_.peek();
  const auto push = [&](auto node) {
    model.members.push_back({cursor_.span_from(first), std::move(node)});
  };
  Attributes attributes = stmts_.parse_attributes();
  if (cursor_.panicking()) return;
  const Token token = cursor_.peek();
  const bool access =
      (cursor_.at_word("read") || cursor_.at_word("write")) && cursor_.peek(1).kind == K::LParen;
  if (token.kind == K::KwOperator || access)
    return parse_operator(model, first, std::move(attributes));
  if (cursor_.at_word("message") && cursor_.peek(1).kind == K::LParen)
    return parse_message(model, first, std::move(attributes));
  stmts_.require_site(attributes, AttributeSite::Item);
  if (at_witness()) return parse_witness(model);
  if (at_enum()) {
    EnumItem kinds = parse_enum();
    if (!cursor_.panicking()) push(std::move(kinds));
    return;
  }
  if (token.kind == K::KwProperty) {
    if (const std::optional<PropertyItem> property = parse_property()) push(*property);
    return;
  }
  const bool constant = token.kind == K::KwConst;
  if (const std::size_t at = constant ? 1 : 0;
      cursor_.text(cursor_.peek(at)) == "node" && cursor_.at_type(at + 1)) {
    if (constant) cursor_.next();
    cursor_.next();
    NodeMember member{constant, exprs_.parse_type(), {}, {}};
    member.name = cursor_.expect_name("the name of what each node has");
    if (cursor_.panicking()) return;
    if (cursor_.accept(K::Assign)) member.init = exprs_.parse();
    cursor_.expect_semicolon("what each node has");
    push(member);
    return;
  }
  if (cursor_.at_word("round") && cursor_.at_type(1)) {
    cursor_.next();
    RoundMember member{exprs_.parse_type(), {}};
    member.name = cursor_.expect_name("the name of what is told in a broadcast");
    if (cursor_.panicking()) return;
    cursor_.expect_semicolon("what is told in a broadcast");
    push(member);
    return;
  }
  if (cursor_.at_type()) return parse_state(model);
  switch (token.kind) {
    case K::KwConst:
      return parse_model_const(model);
    case K::KwRequires:
    case K::KwInvariant: {
      cursor_.next();
      const ExprId expr = exprs_.parse();
      cursor_.expect_semicolon(token.kind == K::KwRequires ? "the constraint" : "the invariant");
      if (token.kind == K::KwRequires) {
        push(ConstraintItem{expr});
      } else {
        push(InvariantMember{expr});
      }
      return;
    }
    case K::KwImport: {
      cursor_.next();
      ImportMember import;
      import.target = parse_qualified();
      if (cursor_.accept(K::KwRefines)) {
        do {
          import.refines.push_back(parse_qualified());
        } while (!cursor_.panicking() && cursor_.accept(K::Comma));
      }
      if (cursor_.panicking()) return;
      cursor_.expect_semicolon("the imported operator");
      push(std::move(import));
      return;
    }
    case K::Identifier:
      return parse_value(model);
    default:
      cursor_.report({DiagnosticKind::ExpectedItem,
                      cursor_.span(token),
                      {"a state variable, a constant or an operator of the model", cursor_.found()},
                      {},
                      {}});
      cursor_.next();
  }
}

// A constant, or with parameters a function constant.
void ItemParser::parse_model_const(ModelItem& model) {
  const Token first = cursor_.peek();
  std::size_t ahead = cursor_.peek(1).kind == K::Identifier && cursor_.at_type(1) ? 2 : 1;
  const auto at_element = [&] { return cursor_.peek(ahead + 1).kind == K::Greater; };
  while ((cursor_.peek(ahead).kind != K::Identifier || at_element() || cursor_.at_bits(ahead)) &&
         cursor_.peek(ahead).kind != K::Semicolon && cursor_.peek(ahead).kind != K::End &&
         ahead < 9)  // behind 'vector<bits<8>>'
    ++ahead;
  const bool sized =
      cursor_.peek(1).kind == K::KwVector && cursor_.peek(ahead + 2).kind == K::Integer;
  const bool rigid = cursor_.peek(ahead).kind == K::Identifier &&
                     cursor_.peek(ahead + 1).kind == K::LParen && !sized;
  if (!rigid) {
    ConstItem item = parse_const();
    if (item.name.name.valid()) model.members.push_back({cursor_.span_from(first), item});
    return;
  }
  cursor_.next();
  RigidMember member;
  member.type = exprs_.parse_type();
  if (!cursor_.panicking()) member.name = cursor_.expect_name("the function's name");
  if (!cursor_.panicking()) member.params = stmts_.parse_params();
  if (!cursor_.panicking() && cursor_.at(K::Assign))
    cursor_.report(
        Diagnostic{DiagnosticKind::Expected, cursor_.span(cursor_.peek()), {"';'", "'='"}, {}, {}}
            .helping("nobody knows it here; a model that refines this one can give it "
                     "a value: 'M.f(a) = e;'"));
  if (cursor_.panicking()) return;
  cursor_.expect_semicolon("the function");
  model.members.push_back({cursor_.span_from(first), std::move(member)});
}

// (a, b, c)
std::vector<Ident> ItemParser::parse_names() {
  std::vector<Ident> names;
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return names;
  if (cursor_.accept(K::RParen)) return names;
  do {
    names.push_back(cursor_.expect_name("a name for an argument, without its type"));
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  if (!cursor_.panicking()) cursor_.expect_closing(K::RParen, open);
  return names;
}

// What a super-model left open: M.x = e; or M.f(a) = e;
void ItemParser::parse_value(ModelItem& model) {
  const Token first = cursor_.peek();
  const QualifiedName target = parse_qualified();
  if (cursor_.panicking()) return;
  const bool rigid = cursor_.at(K::LParen);
  RigidValueMember value{target, {}, {}};
  if (rigid) value.params = parse_names();
  if (cursor_.panicking()) return;
  cursor_.expect(K::Assign);
  value.value = exprs_.parse();
  cursor_.expect_semicolon(rigid ? "the function's value" : "the initial value");
  const Span whole = cursor_.span_from(first);
  if (rigid)
    model.members.push_back({whole, std::move(value)});
  else
    model.members.push_back({whole, InitMember{target, value.value}});
}

bool ItemParser::at_witness() {
  return cursor_.at_word("witness") && cursor_.peek(1).kind == K::Identifier;
}

void ItemParser::parse_witness(ModelItem& model) {
  const Token first = cursor_.next();
  WitnessMember witness;
  witness.name = cursor_.expect_name("the function's name");
  if (!cursor_.panicking()) witness.params = parse_names();
  if (!cursor_.panicking()) cursor_.expect(K::Colon, "':' before what the function may be");
  if (cursor_.panicking()) return;
  witness.value = exprs_.parse();
  cursor_.expect_semicolon("the witness");
  model.members.push_back({cursor_.span_from(first), std::move(witness)});
}

void ItemParser::parse_state(ModelItem& model) {
  const Token first = cursor_.peek();
  StateMember state;
  state.type = exprs_.parse_type();
  state.name = cursor_.expect_name("the state variable's name");
  if (cursor_.panicking()) return;
  if (cursor_.accept(K::Assign)) state.init = exprs_.parse();
  cursor_.expect_semicolon("the state variable");
  model.members.push_back({cursor_.span_from(first), state});
}

QualifiedName ItemParser::parse_qualified() {
  QualifiedName name;
  name.scope = cursor_.expect_name("the super-model's name");
  if (cursor_.panicking()) return name;
  cursor_.expect(K::Dot);
  if (cursor_.panicking()) return name;
  name.member = cursor_.expect_name("the name of one of its parts");
  return name;
}

namespace {

// An operator that a model can specify, and with how many operands.
struct Sign {
  K token;
  BinaryOp binary;
  std::size_t fewest, most;
};
constexpr Sign kSigns[] = {
    {K::Plus, BinaryOp::Add, 2, 2},     {K::Minus, BinaryOp::Sub, 1, 2},
    {K::Star, BinaryOp::Mul, 2, 2},     {K::Slash, BinaryOp::Div, 2, 2},
    {K::Percent, BinaryOp::Mod, 2, 2},  {K::AndAnd, BinaryOp::And, 2, 2},
    {K::OrOr, BinaryOp::Or, 2, 2},      {K::Arrow, BinaryOp::Implies, 2, 2},
    {K::EqEq, BinaryOp::Eq, 2, 2},      {K::NotEq, BinaryOp::Ne, 2, 2},
    {K::Less, BinaryOp::Lt, 2, 2},      {K::LessEq, BinaryOp::Le, 2, 2},
    {K::Greater, BinaryOp::Gt, 2, 2},   {K::GreaterEq, BinaryOp::Ge, 2, 2},
    {K::Amp, BinaryOp::BitAnd, 2, 2},   {K::Pipe, BinaryOp::BitOr, 2, 2},
    {K::Caret, BinaryOp::BitXor, 2, 2}, {K::LessLess, BinaryOp::ShiftLeft, 2, 2},
    {K::Not, BinaryOp::Add, 1, 1},  // the second is not looked at
    {K::Tilde, BinaryOp::Add, 1, 1}};

}  // namespace

// The head of an operator: what is specified, up to its parameters. Nothing: reported.
std::optional<ItemParser::OperatorHead> ItemParser::parse_operator_head(OperatorMember& op) {
  const Token head = cursor_.next();
  OperatorHead out{head, 1, 1};
  if (head.kind != K::KwOperator) {
    op.kind = cursor_.text(head) == "read" ? OperationKind::Read : OperationKind::Write;
    if (op.kind == OperationKind::Write) out.fewest = out.most = 2;
  } else {
    out.sign = cursor_.peek();
    const auto* found = std::find_if(std::begin(kSigns), std::end(kSigns),
                                     [&](const Sign& s) { return s.token == out.sign.kind; });
    if (found == std::end(kSigns)) {
      cursor_.report_expected("the operator that is specified, such as '*'");
      return std::nullopt;
    }
    op.binary = found->binary;
    out.fewest = found->fewest;
    out.most = found->most;
    const Token next = cursor_.peek(1);
    if (out.sign.kind == K::Greater && next.kind == K::Greater && out.sign.end == next.begin) {
      op.binary = BinaryOp::ShiftRight;
      out.sign.end = next.end;
      out.sign.dotted = next.dotted;
      cursor_.next();
    }
    if (out.sign.dotted) report_dot(out.sign);
    cursor_.next();
  }
  op.head = cursor_.span_from(head);
  op.params = stmts_.parse_params();
  if (cursor_.panicking()) return std::nullopt;
  if (head.kind == K::KwOperator) {
    op.kind = op.params.size() == 1 ? OperationKind::Unary : OperationKind::Binary;
    op.unary = out.sign.kind == K::Not     ? UnaryOp::Not
               : out.sign.kind == K::Tilde ? UnaryOp::Complement
                                           : UnaryOp::Negate;
  }
  return out;
}

void ItemParser::report_dot(const Token& sign) {
  const Span dot{cursor_.span(sign).file, sign.end - 1, sign.end};
  cursor_.report(Diagnostic{DiagnosticKind::Expected, dot, {"'('", "'.'"}, {}, {}}.helping(
                     "a model names the operator without the dot", Edit{dot, ""}),
                 false);
}

void ItemParser::parse_operator(ModelItem& model, const Token& first, Attributes attributes) {
  stmts_.require_site(attributes, AttributeSite::Operator);
  OperatorMember op;
  op.attributes = std::move(attributes);
  const std::optional<OperatorHead> head = parse_operator_head(op);
  if (!head) return;
  if (op.params.size() < head->fewest || op.params.size() > head->most) {
    const std::string wanted =
        head->fewest == head->most
            ? fmt::format("{} parameter{}", head->fewest, head->fewest == 1 ? "" : "s")
            : "1 or 2 parameters";
    cursor_.report(
        {DiagnosticKind::OperatorArity,
         op.head,
         {std::string(cursor_.text(head->sign)), wanted, std::to_string(op.params.size())},
         {},
         {}},
        false);
    if (op.params.size() > 2 || op.params.empty()) op.params.resize(head->fewest);
    op.kind = OperationKind::Binary;
    parse_operator_clauses(op);
    return;  // not kept: everything later relies on the number of parameters
  }
  parse_operator_clauses(op);
  if (cursor_.panicking()) return;
  model.members.push_back({cursor_.span_from(first), std::move(op)});
}

void ItemParser::parse_operator_clauses(OperatorMember& op) {
  while (!cursor_.panicking()) {
    const Token token = cursor_.peek();
    const auto push = [&](auto node) {
      op.clauses.push_back({cursor_.span_from(token), std::move(node)});
    };
    if (cursor_.accept(K::KwWhen)) {
      const ExprId expr = exprs_.parse();
      push(OperatorMember::When{expr});
    } else if (cursor_.accept(K::KwEnsures)) {
      const ExprId expr = exprs_.parse();
      push(OperatorMember::Ensures{expr});
    } else if (cursor_.accept(K::KwModifies)) {
      const Token open = cursor_.peek();
      const bool parens = cursor_.accept(K::LParen);
      OperatorMember::Modifies modifies;
      do {
        modifies.names.push_back(cursor_.expect_name("the name of a state variable"));
      } while (!cursor_.panicking() && cursor_.accept(K::Comma));
      if (parens) cursor_.expect_closing(K::RParen, open);
      push(std::move(modifies));
    } else if (cursor_.accept(K::KwRefines)) {
      OperatorMember::Refines refines;
      do {
        refines.targets.push_back(parse_qualified());
      } while (!cursor_.panicking() && cursor_.accept(K::Comma));
      push(std::move(refines));
    } else {
      break;
    }
  }
  cursor_.expect_semicolon("the operator's clauses");
}

}  // namespace leto::syntax

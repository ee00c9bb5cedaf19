// Problems and the checkers that are proved for them.
#include <fmt/core.h>

#include "syntax/parse_item.h"

namespace leto::syntax {

using K = TokenKind;

bool ItemParser::at_problem() {
  return cursor_.at_word("problem") && cursor_.peek(1).kind == K::Identifier &&
         cursor_.peek(2).kind == K::LBrace;
}

void ItemParser::parse_problem() {
  const Token first = cursor_.next();
  ProblemItem problem;
  problem.name = cursor_.expect_name("the problem's name");
  const Token open = cursor_.peek();
  if (cursor_.panicking() || !cursor_.expect(K::LBrace)) return;
  while (!cursor_.at(K::RBrace) && !cursor_.at(K::End) && !cursor_.hopeless()) {
    const Token member = cursor_.peek();
    if (starts_only_items(member, cursor_.peek(1)) && member.kind != K::KwRequires) break;
    parse_problem_member(problem);
    if (cursor_.panicking()) cursor_.abandon(member);
    if (cursor_.panicking() && !cursor_.hopeless()) cursor_.skip_statement(member);
  }
  cursor_.expect_closing(K::RBrace, open);
  add(first, std::move(problem));
}

void ItemParser::parse_problem_member(ProblemItem& problem) {
  const Token first = cursor_.peek();
  const auto push = [&](auto node, std::string_view what) {
    if (!cursor_.panicking()) cursor_.expect_semicolon(what);
    if (!cursor_.panicking())
      problem.members.push_back({cursor_.span_from(first), std::move(node)});
  };
  const bool output = cursor_.at_word("output");
  if (output || cursor_.at_word("input")) {
    cursor_.next();
    return push(PortMember{output, stmts_.parse_param_list()},
                output ? "the outputs" : "the inputs");
  }
  if (cursor_.accept(K::KwRequires)) return push(ConstraintItem{exprs_.parse()}, "the requirement");
  if (cursor_.at_word("right")) return push(parse_right(), "what is right");
  if (cursor_.at_word("example")) return push(parse_example(), "the example");
  if (cursor_.at_word("unique")) {
    cursor_.next();
    UniqueMember unique;
    if (cursor_.at_word("by")) {
      cursor_.next();
      unique.lemma = cursor_.expect_name("the lemma's name");
    }
    return push(unique, "'unique'");
  }
  cursor_.report(
      {DiagnosticKind::ExpectedItem,
       cursor_.span(first),
       {"'input', 'output', 'requires', 'right', 'unique' or 'example'", cursor_.found()},
       {},
       {}});
}

// A variable of that name has an operator, or a part, behind it.
bool ItemParser::at_surely() {
  if (!cursor_.at_word("surely")) return false;
  switch (cursor_.peek(1).kind) {
    case K::Identifier:
    case K::Integer:
    case K::Real:
    case K::LParen:
    case K::Not:
    case K::KwTrue:
    case K::KwFalse:
    case K::KwForall:
    case K::KwExists:
    case K::KwIf:
    case K::KwUint:
    case K::KwReal:
      return true;
    default:
      return false;
  }
}

RightMember ItemParser::parse_right() {
  cursor_.next();
  RightMember right;
  if (at_surely()) {
    cursor_.next();
    right.surely = true;
    right.expr = exprs_.parse();
    return right;
  }
  if (!cursor_.at_word("against") || cursor_.peek(1).kind != K::LParen) {
    right.expr = exprs_.parse();
    return right;
  }
  cursor_.next();
  right.against = stmts_.parse_params();
  if (!cursor_.panicking() && right.against.empty())
    cursor_.report_expected("a challenger, such as '(vector<real> z(n))'");
  if (!cursor_.panicking()) cursor_.expect(K::KwWhen, "'when' and what is known of the challenger");
  if (!cursor_.panicking()) right.when = exprs_.parse();
  if (!cursor_.panicking()) cursor_.expect(K::Colon, "':' and what is claimed against it");
  if (!cursor_.panicking()) right.expr = exprs_.parse();
  return right;
}

ExampleMember ItemParser::parse_example() {
  cursor_.next();
  ExampleMember example;
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen, "'(' and values, such as '(n = 1, v = [2])'")) return example;
  do {
    Given given;
    given.name = cursor_.expect_name("the name of an input or an output");
    if (!cursor_.panicking()) cursor_.expect(K::Assign, "'=' and its value");
    if (!cursor_.panicking()) given.value = parse_literal();
    if (!cursor_.panicking()) example.given.push_back(std::move(given));
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  if (!cursor_.panicking()) cursor_.expect_closing(K::RParen, open);
  if (cursor_.panicking()) return example;
  example.right = cursor_.at_word("right");
  if (!example.right && !cursor_.at_word("wrong")) {
    cursor_.report_expected("'right' or 'wrong'");
    return example;
  }
  cursor_.next();
  if (example.right || !cursor_.at_word("against")) return example;
  cursor_.next();
  const Token list = cursor_.peek();
  if (cursor_.expect(K::LParen, "'(' and a value for each challenger"))
    example.against = parse_literals(K::RParen, list);
  return example;
}

// The opening bracket is read already.
std::vector<Literal> ItemParser::parse_literals(TokenKind closing, const Token& open) {
  std::vector<Literal> list;
  if (cursor_.accept(closing)) return list;
  do {
    list.push_back(parse_literal());
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  if (!cursor_.panicking()) cursor_.expect_closing(closing, open);
  return list;
}

Literal ItemParser::parse_literal() {
  Literal literal;
  const Token first = cursor_.peek();
  const Cursor::Depth depth(cursor_);
  if (!depth.ok()) return literal;
  if (cursor_.accept(K::LBracket))
    literal.elements = parse_literals(K::RBracket, first);
  else
    literal.scalar = exprs_.parse();
  literal.span = cursor_.span_from(first);
  return literal;
}

void ItemParser::parse_proved_checker() {
  const Token first = cursor_.next();
  ProvedCheckerItem checker;
  checker.name = cursor_.expect_name("the checker's name");
  if (cursor_.panicking() || !cursor_.expect(K::KwFor)) return;
  checker.problem = cursor_.expect_name("the problem's name");
  if (!cursor_.panicking() && cursor_.accept(K::KwWhen)) checker.when = exprs_.parse();
  if (!cursor_.panicking() && cursor_.at_word("with")) {
    cursor_.next();
    checker.witness = stmts_.parse_params();
  }
  parse_checker_clauses(checker);
  if (cursor_.panicking()) return;
  if (!cursor_.at(K::LBrace)) {
    cursor_.report_expected(
        "'with', 'certifies', 'exists', 'sound', 'complete', 'within' or '{' and the checker's "
        "body");
    return;
  }
  checker.body = stmts_.parse_block();
  add(first, std::move(checker));
}

void ItemParser::parse_checker_clauses(ProvedCheckerItem& checker) {
  while (!cursor_.panicking()) {
    const Token first = cursor_.peek();
    const auto push = [&](auto node) {
      if (!cursor_.panicking())
        checker.clauses.push_back({cursor_.span_from(first), std::move(node)});
    };
    if (cursor_.at_word("certifies")) {
      cursor_.next();
      push(CertifiesClause{exprs_.parse()});
    } else if (cursor_.at(K::KwExists)) {
      if (auto exists = parse_exists()) push(std::move(*exists));
    } else if (cursor_.at_word("within")) {
      cursor_.next();
      push(WithinClause{exprs_.parse()});
    } else if (cursor_.at_word("sound") || cursor_.at_word("complete")) {
      if (auto under = parse_under()) push(std::move(*under));
    } else {
      return;
    }
  }
}

// What is claimed of its runs under a model.
std::optional<UnderClause> ItemParser::parse_under() {
  UnderClause clause;
  clause.complete = cursor_.at_word("complete");
  cursor_.next();
  if (!cursor_.at_word("under")) {
    cursor_.report_expected("'under' and a model");
    return std::nullopt;
  }
  cursor_.next();
  clause.model = cursor_.expect_name("the model's name");
  if (!clause.complete || cursor_.panicking()) return clause;
  if (!cursor_.at_word("unless")) {
    cursor_.report_expected("'unless' and when it may reject, such as 'unless model.upset'");
    return std::nullopt;
  }
  cursor_.next();
  clause.unless = exprs_.parse();
  return clause;
}

// Why there are witnesses.
std::optional<ExistsClause> ItemParser::parse_exists() {
  cursor_.next();
  ExistsClause clause;
  if (cursor_.at_word("by")) {
    cursor_.next();
    clause.lemma = cursor_.expect_name("the lemma's name");
  } else if (cursor_.at_word("up")) {
    cursor_.next();
    if (!cursor_.at_word("to")) {
      cursor_.report_expected("'to' and a size");
      return std::nullopt;
    }
    cursor_.next();
    if (!cursor_.at(K::Integer)) {
      cursor_.report_expected("a size, such as 3");
      return std::nullopt;
    }
    clause.up_to = exprs_.parse_simple();
  } else if (cursor_.at_word("assumed")) {
    cursor_.next();
    const Token text = cursor_.peek();
    if (!cursor_.expect(K::String, "the theorem's name, in quotes")) return std::nullopt;
    clause.assumed = cursor_.text(text);
  } else {
    cursor_.report_expected("'by' and a lemma, 'up to' and a size, or 'assumed' and a theorem");
    return std::nullopt;
  }
  return clause;
}

}  // namespace leto::syntax

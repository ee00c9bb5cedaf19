#include "syntax/parse_stmt.h"

#include <fmt/core.h>

namespace leto::syntax {

using K = TokenKind;

StmtId StmtParser::add(Span span, decltype(Stmt::node) node) {
  return cursor_.tree().stmts.add({span, std::move(node)});
}

StmtId StmtParser::error(const Token& first) {
  cursor_.abandon(first);
  cursor_.tree().has_errors = true;
  return add(cursor_.span(first), ErrorStmt{});
}

StmtId StmtParser::parse_block() {
  const Token open = cursor_.peek();
  Cursor::Depth depth(cursor_);
  if (depth.ok() && !cursor_.at(K::LBrace) && !cursor_.panicking())
    cursor_.report(
        Diagnostic{DiagnosticKind::Expected, cursor_.span(open), {"'{'", cursor_.found()}, {}, {}}
            .helping("the body of a loop, a branch or a function stands in braces"));
  if (!depth.ok() || !cursor_.accept(K::LBrace)) return error(open);
  BlockStmt block;
  while (!cursor_.at(K::RBrace) && !cursor_.at(K::End) && !cursor_.hopeless()) {
    // What can start only an item means that a brace is missing before it.
    if (starts_only_items(cursor_.peek(), cursor_.peek(1))) break;
    const Token statement = cursor_.peek();
    block.body.push_back(parse_statement());
    if (cursor_.panicking()) cursor_.skip_statement(statement);
  }
  cursor_.expect_closing(K::RBrace, open);
  return add(cursor_.span_from(open), std::move(block));
}

StmtId StmtParser::parse_step_body() {
  in_step_ = true;
  const StmtId body = parse_block();
  in_step_ = false;
  return body;
}

StmtId StmtParser::parse_statement() {
  const Token first = cursor_.peek();
  Attributes attributes = parse_attributes();
  const K kind = cursor_.peek().kind;
  if (kind == K::KwWhile) return parse_while(first, std::move(attributes));
  if (at_nodes()) {
    require_site(attributes, AttributeSite::Statement);
    return parse_nodes(first);
  }
  if (in_step_ && cursor_.at_word("choose") &&
      (cursor_.peek(1).kind == K::Identifier || cursor_.peek(1).kind == K::KwModel)) {
    require_site(attributes, AttributeSite::Statement);
    return parse_choose(first);
  }
  if (kind == K::KwFor) return parse_for(first, std::move(attributes));
  // Words that mean something only here.
  const K after = cursor_.peek(1).kind;
  if (cursor_.at_word("repeat") && (after == K::Integer || after == K::Identifier))
    return parse_repeat(first, std::move(attributes));
  if (cursor_.at_word("try") && after == K::LBrace) {
    require_site(attributes, AttributeSite::Statement);
    return parse_try(first);
  }
  if (cursor_.at_foreign_word() && !cursor_.at_foreign_type()) {
    cursor_.report_foreign_word();
    return error(first);
  }
  const bool ends = after == K::Semicolon || after == K::RBrace || after == K::Identifier;
  for (const JumpKind jump : {JumpKind::Break, JumpKind::Continue})
    if (cursor_.at_word(spelling(jump)) && ends) {
      require_site(attributes, AttributeSite::Statement);
      return parse_jump(first, jump);
    }
  if (cursor_.at_type() || kind == K::KwSpecvar || cursor_.at_foreign_type()) {
    const StmtId id = parse_declaration(first, std::move(attributes));
    cursor_.expect_semicolon("the declaration");
    return id;
  }
  require_site(attributes, AttributeSite::Statement);
  switch (kind) {
    case K::KwIf:
      return parse_if();
    case K::KwForall:
      return parse_forall();
    case K::LBrace:
      return parse_block();
    case K::KwReturn: {
      cursor_.next();
      ReturnStmt ret;
      if (!cursor_.at(K::Semicolon) && !cursor_.at(K::RBrace)) ret.value = exprs_.parse();
      while (ret.value.valid() && !cursor_.panicking() && cursor_.accept(K::Comma))
        ret.more.push_back(exprs_.parse());
      cursor_.expect_semicolon("the returned value");
      if (cursor_.panicking()) return error(first);
      return add(cursor_.span_from(first), std::move(ret));
    }
    case K::KwAssert:
    case K::KwAssume:
    case K::KwAssertR: {
      cursor_.next();
      const AssertionKind claim = kind == K::KwAssert   ? AssertionKind::Assert
                                  : kind == K::KwAssume ? AssertionKind::Assume
                                                        : AssertionKind::AssertR;
      const ExprId expr = exprs_.parse();
      cursor_.expect_semicolon("the claim");
      if (cursor_.panicking()) return error(first);
      return add(cursor_.span_from(first), ClaimStmt{claim, expr});
    }
    case K::Semicolon:
    case K::KwElse: {
      cursor_.report_expected("a statement");
      if (kind == K::KwElse) cursor_.next();
      return error(first);
    }
    default: {
      const StmtId id = parse_simple();
      cursor_.expect_semicolon("the statement");
      return cursor_.panicking() ? error(first) : id;
    }
  }
}

StmtId StmtParser::parse_jump(const Token& first, JumpKind kind) {
  cursor_.next();
  JumpStmt jump{kind, std::nullopt};
  if (cursor_.at(K::Identifier)) jump.loop = cursor_.expect_name("the loop's label");
  cursor_.expect_semicolon(fmt::format("'{}'", spelling(kind)));
  if (cursor_.panicking()) return error(first);
  return add(cursor_.span_from(first), jump);
}

StmtId StmtParser::parse_declaration(const Token& first, Attributes attributes) {
  require_site(attributes, AttributeSite::Declaration);
  DeclStmt decl;
  decl.attributes = std::move(attributes);
  decl.ghost = cursor_.accept(K::KwSpecvar);
  decl.snapshot = decl.ghost && cursor_.at_word("snapshot") && cursor_.at_type(1);
  if (decl.snapshot) cursor_.next();
  if (decl.ghost && decl.attributes.region) {
    cursor_.report(Diagnostic{DiagnosticKind::BadAttribute,
                              decl.attributes.region->span,
                              {"region", "a specvar"},
                              {},
                              {}}
                       .helping("a specvar is computed reliably and lives in no memory region"),
                   false);
    decl.attributes.region.reset();
  }
  decl.type = exprs_.parse_type();
  do {
    if (!decl.declarators.empty() && starts_type(cursor_.peek().kind) &&
        cursor_.peek(1).kind == K::Identifier)
      report_second_type();
    Declarator one;
    one.name = cursor_.expect_name("the declared variable's name");
    if (cursor_.panicking()) {
      cursor_.abandon(first);
      break;
    }
    if (cursor_.at(K::LParen)) {
      const Token open = cursor_.next();
      one.dims = exprs_.parse_list(open);
    }
    if (cursor_.accept(K::Assign)) one.init = exprs_.parse();
    if (cursor_.panicking()) one.init = exprs_.error();  // the name counts, the rest does not
    decl.declarators.push_back(std::move(one));
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  return add(cursor_.span_from(first), std::move(decl));
}

// 'int q, int r = f(x);', where there are two things to say.
void StmtParser::report_second_type() {
  const std::string_view type = cursor_.text(cursor_.peek());
  cursor_
      .report(Diagnostic{
          DiagnosticKind::Expected,
          cursor_.span(cursor_.peek()),
          {"the declared variable's name", fmt::format("'{}'", type)},
          {},
          {}}.helping("a declaration has one type: end it with ';' and begin another; what a call "
                      "returns is put into variables that are there: 'q, r = f(x);'"));
}

StmtId StmtParser::parse_simple() {
  const Token first = cursor_.peek();
  if (first.kind == K::PlusPlus || first.kind == K::MinusMinus) {
    cursor_.next();
    const ExprId target = exprs_.parse_postfix();
    return add(cursor_.span_from(first), StepStmt{first.kind == K::PlusPlus, target});
  }
  if (first.kind != K::Identifier && first.kind != K::KwModel) {
    cursor_.report_expected("a statement");
    return error(first);
  }
  const ExprId target = exprs_.parse_postfix();
  if (cursor_.panicking()) return error(first);
  if (cursor_.at(K::Comma)) return parse_spread(first, target);
  const Token token = cursor_.peek();
  std::optional<BinaryOp> op;
  switch (token.kind) {
    case K::PlusPlus:
    case K::MinusMinus: {
      cursor_.next();
      const Span at = cursor_.span(token);
      const std::string sign(cursor_.text(token));
      const std::string place(
          sign + std::string(cursor_.text({K::Identifier, false, first.begin, token.begin})));
      cursor_.report(Diagnostic{DiagnosticKind::PostfixStep, at, {sign}, {}, {}}.helping(
                         fmt::format("write '{}'", place), Edit{cursor_.span_from(first), place}),
                     false);
      return add(cursor_.span_from(first), StepStmt{token.kind == K::PlusPlus, target});
    }
    case K::Assign:
      break;
    case K::PlusAssign:
      op = BinaryOp::Add;
      break;
    case K::MinusAssign:
      op = BinaryOp::Sub;
      break;
    case K::StarAssign:
      op = BinaryOp::Mul;
      break;
    case K::SlashAssign:
      op = BinaryOp::Div;
      break;
    case K::PercentAssign:
      op = BinaryOp::Mod;
      break;
    default:
      if (std::holds_alternative<CallExpr>(cursor_.tree().exprs[target].node))
        return add(cursor_.span_from(first), CallStmt{target});
      cursor_.report_expected("'=' or another assignment");
      return error(first);
  }
  cursor_.next();
  if (!op && at_message()) return parse_message(first, target);
  const ExprId value = exprs_.parse();
  if (cursor_.at(K::Assign) && !cursor_.panicking()) {
    cursor_.report(
        Diagnostic{DiagnosticKind::ChainedAssignment, cursor_.span(cursor_.peek()), {}, {}, {}}
            .helping("write one assignment per variable"));
  }
  return add(cursor_.span_from(first), AssignStmt{target, op, token.dotted, value});
}

// for (node p) or for (node p, node q): a loop over nodes.
bool StmtParser::at_nodes() {
  if (!in_step_ || !cursor_.at(K::KwFor) || cursor_.peek(1).kind != K::LParen) return false;
  if (!cursor_.at_type(2) || cursor_.peek(3).kind != K::Identifier) return false;
  return cursor_.peek(4).kind == K::RParen ||
         (cursor_.peek(4).kind == K::Comma && cursor_.at_type(5));
}

StmtId StmtParser::parse_nodes(const Token& first) {
  cursor_.next();
  const Token open = cursor_.next();
  NodesStmt nodes;
  nodes.binders = exprs_.parse_binders();
  cursor_.expect_closing(K::RParen, open);
  if (cursor_.panicking()) return error(first);
  nodes.body = parse_block();
  return add(cursor_.span_from(first), std::move(nodes));
}

StmtId StmtParser::parse_choose(const Token& first) {
  cursor_.next();
  ChooseStmt choose;
  do {
    choose.targets.push_back(exprs_.parse_postfix());
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  if (!cursor_.panicking() && cursor_.at_word("with")) {
    cursor_.next();
    choose.with = exprs_.parse();
  }
  cursor_.expect_semicolon("the choice");
  if (cursor_.panicking()) return error(first);
  return add(cursor_.span_from(first), std::move(choose));
}

bool StmtParser::at_message() {
  if (!in_step_ || !cursor_.at_word("message")) return false;
  const std::size_t open = cursor_.peek(1).kind == K::Dot ? 2 : 1;
  return cursor_.peek(open).kind == K::LParen;
}

// Behind the '='.
StmtId StmtParser::parse_message(const Token& first, ExprId target) {
  cursor_.next();
  MessageStmt message;
  message.target = target;
  message.dotted = cursor_.accept(K::Dot);
  const Token open = cursor_.next();
  message.value = exprs_.parse();
  for (ExprId* node : {&message.from, &message.to}) {
    if (!cursor_.panicking())
      cursor_.expect(K::Comma, "',': a message is 'message.(value, from, to)'");
    if (!cursor_.panicking()) *node = exprs_.parse();
  }
  cursor_.expect_closing(K::RParen, open);
  if (!cursor_.panicking() && cursor_.accept(K::KwElse)) message.otherwise = exprs_.parse();
  if (cursor_.panicking()) return error(first);
  return add(cursor_.span_from(first), message);
}

// What a function returns, into as many variables.
StmtId StmtParser::parse_spread(const Token& first, ExprId target) {
  SpreadStmt spread{{target}, {}};
  while (!cursor_.panicking() && cursor_.accept(K::Comma))
    spread.targets.push_back(exprs_.parse_postfix());
  if (!cursor_.panicking()) cursor_.expect(K::Assign, "'=' and a call that returns so many values");
  if (cursor_.panicking()) return error(first);
  spread.call = exprs_.parse();
  return add(cursor_.span_from(first), std::move(spread));
}

StmtId StmtParser::parse_if() {
  const Token first = cursor_.next();
  IfStmt statement;
  statement.condition = exprs_.parse_condition();
  statement.then_branch = parse_block();
  if (cursor_.panicking()) return add(cursor_.span_from(first), statement);
  if (cursor_.accept(K::KwElse)) {
    if (cursor_.at(K::KwIf)) {
      Cursor::Depth depth(cursor_);
      statement.else_branch = depth.ok() ? parse_if() : error(cursor_.peek());
    } else {
      statement.else_branch = parse_block();
    }
  }
  return add(cursor_.span_from(first), statement);
}

// Lemmas, for all values in a range.
StmtId StmtParser::parse_forall() {
  const Token first = cursor_.next();
  ForallStmt statement;
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return error(first);
  statement.binders = exprs_.parse_binders();
  if (!cursor_.panicking()) cursor_.expect(K::Semicolon, "';' and the range of what is bound");
  if (cursor_.panicking()) return error(first);
  statement.range = exprs_.parse();
  cursor_.expect_closing(K::RParen, open);
  if (cursor_.panicking()) return error(first);
  statement.body = parse_block();
  return add(cursor_.span_from(first), std::move(statement));
}

StmtId StmtParser::parse_while(const Token& first, Attributes attributes) {
  require_site(attributes, AttributeSite::Loop);
  cursor_.next();
  WhileStmt loop;
  loop.attributes = std::move(attributes);
  loop.condition = exprs_.parse_condition();
  loop.invariants = parse_invariants();
  loop.body = parse_block();
  return add(cursor_.span_from(first), std::move(loop));
}

StmtId StmtParser::parse_for(const Token& first, Attributes attributes) {
  require_site(attributes, AttributeSite::Loop);
  cursor_.next();
  ForStmt loop;
  loop.attributes = std::move(attributes);
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return error(first);
  if (!cursor_.at(K::Semicolon)) {
    loop.init = cursor_.at_type() ? parse_declaration(cursor_.peek(), {}) : parse_simple();
  }
  cursor_.expect(K::Semicolon, "';' after the loop's start");
  if (!cursor_.at(K::Semicolon) && !cursor_.panicking()) loop.condition = exprs_.parse();
  cursor_.expect(K::Semicolon, "';' after the loop's condition");
  if (!cursor_.at(K::RParen) && !cursor_.panicking()) loop.step = parse_simple();
  cursor_.expect_closing(K::RParen, open);
  if (cursor_.panicking()) {  // names count, the rest of the head does not
    if (loop.condition.valid()) loop.condition = exprs_.error();
    loop.step = StmtId{};
  }
  while (cursor_.panicking() && !cursor_.hopeless() && !cursor_.at(K::End) &&
         !cursor_.at(K::RBrace)) {
    if (cursor_.skip_to_rparen() || cursor_.at(K::LBrace)) {
      cursor_.calm();
    } else if (!cursor_.accept(K::Semicolon)) {
      break;
    }
  }
  loop.invariants = parse_invariants();
  loop.body = parse_block();
  return add(cursor_.span_from(first), std::move(loop));
}

StmtId StmtParser::parse_repeat(const Token& first, Attributes attributes) {
  require_site(attributes, AttributeSite::Loop);
  cursor_.next();
  RepeatStmt loop;
  loop.attributes = std::move(attributes);
  loop.count = exprs_.parse_simple();
  loop.invariants = parse_invariants();
  loop.body = parse_block();
  return add(cursor_.span_from(first), std::move(loop));
}

StmtId StmtParser::parse_try(const Token& first) {
  cursor_.next();
  TryStmt statement;
  statement.body = parse_block();
  if (cursor_.panicking()) return error(first);
  if (!cursor_.at_word("check")) {
    cursor_.report_expected("'check' and what shows that the block went well");
    return error(first);
  }
  cursor_.next();
  if (cursor_.at(K::Identifier)) statement.checker = cursor_.expect_name("the checker's name");
  statement.check = exprs_.parse_condition();
  if (cursor_.panicking()) return error(first);
  if (!cursor_.at_word("recover")) {
    cursor_.report_expected("'recover' and what to do if the check fails");
    return error(first);
  }
  cursor_.next();
  if (cursor_.at_word("redo")) {
    cursor_.next();
    const Token open = cursor_.peek();
    if (open.kind != K::LParen && !cursor_.at_word("under")) {
      cursor_.report_expected("'(' and how often, or 'under' and a model");
      return error(first);
    }
    if (cursor_.accept(K::LParen)) {
      if (!cursor_.at(K::Integer)) cursor_.report_expected("how often, as a number");
      statement.redo = exprs_.parse_simple();
      cursor_.expect_closing(K::RParen, open);
    }
    if (!cursor_.panicking() && cursor_.at_word("under")) {
      cursor_.next();
      statement.under = cursor_.expect_name("the model's name");
    }
    cursor_.expect_semicolon("'redo'");
    if (cursor_.panicking()) return error(first);
  } else {
    statement.recover = parse_block();
  }
  return add(cursor_.span_from(first), statement);
}

std::vector<Clause> StmtParser::parse_invariants() {
  std::vector<Clause> list;
  while (!cursor_.hopeless()) {
    if (cursor_.panicking()) cursor_.skip_clause();
    if (cursor_.panicking()) break;
    const Token token = cursor_.peek();
    const auto kind = cursor_.clause();
    if (!kind) break;
    cursor_.next();
    if (*kind != ClauseKind::Invariant && *kind != ClauseKind::InvariantR &&
        *kind != ClauseKind::Decreases) {
      cursor_.report({DiagnosticKind::Expected,
                      cursor_.span(token),
                      {"'invariant', 'invariant_r', 'decreases' or the loop's body",
                       fmt::format("'{}'", cursor_.text(token))},
                      {},
                      {}});
      continue;
    }
    Clause clause = exprs_.parse_clause(*kind);
    if (cursor_.panicking()) continue;
    clause.span = cursor_.span_from(token);
    list.push_back(std::move(clause));
    if (cursor_.at(K::Semicolon)) {
      const Span at = cursor_.span(cursor_.peek());
      cursor_.report(
          Diagnostic{
              DiagnosticKind::Expected, at, {"the loop's body or another clause", "';'"}, {}, {}}
              .helping("a loop's clause is not followed by ';'", Edit{at, ""}),
          false);
      cursor_.next();
    }
  }
  return list;
}

Attributes StmtParser::parse_attributes() {
  Attributes attributes;
  while (cursor_.at(K::At) && !cursor_.panicking()) {
    const Token at = cursor_.next();
    const Ident name = cursor_.expect_name("the attribute's name");
    if (cursor_.panicking()) break;
    const std::string text(cursor_.text({K::Identifier, false, name.span.begin, name.span.end}));
    if (text == "noinf") {
      if (attributes.noinf)
        cursor_.report({DiagnosticKind::DuplicateAttribute, cursor_.span_from(at), {text}, {}, {}},
                       false);
      attributes.noinf = true;
      continue;
    }
    if (text == "replaces") {
      if (attributes.replaces)
        cursor_.report({DiagnosticKind::DuplicateAttribute, cursor_.span_from(at), {text}, {}, {}},
                       false);
      attributes.replaces = cursor_.span_from(at);
      continue;
    }
    if (text == "rate") {
      const Token open = cursor_.peek();
      if (!cursor_.expect(K::LParen, "'(' and the rate")) break;
      const ExprId rate = exprs_.parse_simple();
      cursor_.expect_closing(K::RParen, open);
      if (cursor_.panicking()) break;
      if (attributes.rate.valid())
        cursor_.report({DiagnosticKind::DuplicateAttribute, cursor_.span_from(at), {text}, {}, {}},
                       false);
      attributes.rate = rate;
      continue;
    }
    if (text != "region" && text != "label") {
      Diagnostic d{DiagnosticKind::BadAttribute,
                   cursor_.span_from(at),
                   {text, "anything: there is no such attribute"},
                   {},
                   {}};
      NearestName nearest(text);
      for (std::string_view known : {"region", "label", "noinf", "rate", "replaces"})
        nearest.offer(known);
      if (!nearest.best().empty())
        d.help = Help{fmt::format("did you mean '@{}'?", nearest.best()),
                      Edit{name.span, std::string(nearest.best())}};
      cursor_.report(std::move(d), false);
      if (cursor_.accept(K::LParen)) cursor_.skip_to_rparen();
      continue;
    }
    const Token open = cursor_.peek();
    if (!cursor_.expect(K::LParen, fmt::format("'(' and the {}'s name", text))) break;
    const Ident value = cursor_.expect_name(fmt::format("the {}'s name", text));
    cursor_.expect_closing(K::RParen, open);
    if (cursor_.panicking()) break;
    std::optional<Ident>& slot = text == "region" ? attributes.region : attributes.label;
    if (slot)
      cursor_.report(
          Diagnostic{DiagnosticKind::DuplicateAttribute, cursor_.span_from(at), {text}, {}, {}}
              .note(slot->span, "given before here"),
          false);
    else
      slot = value;
  }
  return attributes;
}

void StmtParser::require_site(const Attributes& attributes, AttributeSite site) {
  using S = AttributeSite;
  const auto describe_site = [&]() -> std::string {
    switch (site) {
      case S::Loop:
        return "a loop";
      case S::Declaration:
        return "a declaration";
      case S::Parameter:
        return "a parameter";
      case S::Operator:
        return "an operator";
      case S::Statement:
        return "this statement";
      case S::Item:
        return "this";
    }
    LETO_ASSERT(false);
  };
  const bool region = site == S::Declaration || site == S::Parameter || site == S::Operator;
  const bool label = site == S::Loop || site == S::Operator;
  const bool noinf = site == S::Loop;
  const auto refuse = [&](Span at, std::string name, std::string_view where) {
    cursor_.report(
        Diagnostic{DiagnosticKind::BadAttribute, at, {std::move(name), describe_site()}, {}, {}}
            .helping(std::string(where)),
        false);
  };
  if (attributes.region && !region)
    refuse(attributes.region->span, "region", "'@region' belongs to a variable's declaration");
  if (attributes.label && !label)
    refuse(attributes.label->span, "label", "'@label' belongs to a loop or to a model's operator");
  if (attributes.rate.valid() && site != S::Operator)
    refuse(cursor_.tree().exprs[attributes.rate].span, "rate",
           "'@rate' belongs to a model's operator");
  if (attributes.replaces && site != S::Operator)
    refuse(*attributes.replaces, "replaces",
           "'@replaces' belongs to an operator of a model over another");
  if (attributes.noinf && !noinf)
    refuse(cursor_.span(cursor_.peek()), "noinf", "'@noinf' belongs to a loop");
}

// 'inout', or 'out', which is answered with it.
bool StmtParser::accept_inout() {
  const bool other = cursor_.at_word("out") && starts_type(cursor_.peek(1).kind);
  if (!other && !(cursor_.at_word("inout") && cursor_.at_type(1))) return false;
  if (other) {
    const Span here = cursor_.span(cursor_.peek());
    cursor_.report(Diagnostic{DiagnosticKind::NoSuchConstruct, here, {"out"}, {}, {}}.helping(
                       "what is changed in place is written 'inout'", Edit{here, "inout"}),
                   false);
  }
  cursor_.next();
  return true;
}

// 'int *a', as in C.
void StmtParser::accept_pointer(Param& param) {
  cursor_.report(
      Diagnostic{DiagnosticKind::Expected,
                 cursor_.span(cursor_.peek()),
                 {"the parameter's name", "'*'"},
                 {},
                 {}}
          .helping(fmt::format("what is changed in place is written 'inout': 'inout {} {}'",
                               cursor_.text(param.type.span), cursor_.text(cursor_.peek(1)))),
      false);
  cursor_.next();
  param.inout = true;
}

std::vector<Param> StmtParser::parse_params() {
  std::vector<Param> params;
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return params;
  if (cursor_.accept(K::RParen)) return params;
  params = parse_param_list();
  cursor_.expect_closing(K::RParen, open);
  if (cursor_.panicking() && (cursor_.skip_to_rparen() || cursor_.at(K::LBrace))) cursor_.calm();
  return params;
}

std::vector<Param> StmtParser::parse_param_list() {
  std::vector<Param> params;
  do {
    Param param;
    param.attributes = parse_attributes();
    require_site(param.attributes, AttributeSite::Parameter);
    param.inout = accept_inout();
    param.type = exprs_.parse_type();
    if (cursor_.at(K::Star) && cursor_.peek(1).kind == K::Identifier) accept_pointer(param);
    param.name = cursor_.expect_name("the parameter's name");
    if (cursor_.panicking()) break;
    if (cursor_.at(K::LParen)) {
      const Token dims = cursor_.next();
      param.dims = exprs_.parse_list(dims);
    }
    params.push_back(std::move(param));
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  return params;
}

}  // namespace leto::syntax

#include "syntax/parse_expr.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::syntax {

using K = TokenKind;

namespace {

std::optional<BinaryOp> binary_op(TokenKind kind) {
  switch (kind) {
    case K::Plus:
      return BinaryOp::Add;
    case K::Minus:
      return BinaryOp::Sub;
    case K::Star:
      return BinaryOp::Mul;
    case K::Slash:
      return BinaryOp::Div;
    case K::Percent:
      return BinaryOp::Mod;
    case K::AndAnd:
      return BinaryOp::And;
    case K::OrOr:
      return BinaryOp::Or;
    case K::Arrow:
      return BinaryOp::Implies;
    case K::EqEq:
      return BinaryOp::Eq;
    case K::NotEq:
      return BinaryOp::Ne;
    case K::Less:
      return BinaryOp::Lt;
    case K::LessEq:
      return BinaryOp::Le;
    case K::Greater:
      return BinaryOp::Gt;
    case K::GreaterEq:
      return BinaryOp::Ge;
    case K::Amp:
      return BinaryOp::BitAnd;
    case K::Pipe:
      return BinaryOp::BitOr;
    case K::Caret:
      return BinaryOp::BitXor;
    case K::LessLess:
      return BinaryOp::ShiftLeft;
    case K::PlusPlus:
      return BinaryOp::Join;
    default:
      return std::nullopt;
  }
}

// 1 upwards, -1 downwards, 0 either (==); nothing for what cannot be chained.
std::optional<int> direction(BinaryOp op) {
  switch (op) {
    case BinaryOp::Lt:
    case BinaryOp::Le:
      return 1;
    case BinaryOp::Gt:
    case BinaryOp::Ge:
      return -1;
    case BinaryOp::Eq:
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

ExprId ExprParser::add(Span span, decltype(Expr::node) node,
                       std::initializer_list<ExprId> children) {
  return add(span, std::move(node), std::vector<ExprId>(children));
}

ExprId ExprParser::add(Span span, decltype(Expr::node) node, const std::vector<ExprId>& children) {
  int height = 1;
  for (ExprId child : children)
    if (child.valid()) height = std::max(height, heights_[child.value] + 1);
  if (height > Cursor::kMaxDepth) {
    cursor_.report_too_deep(span);
    node = ErrorExpr{};
    height = 1;
  }
  heights_.push_back(height);
  return cursor_.tree().exprs.add({span, std::move(node)});
}

ExprId ExprParser::error() {
  cursor_.tree().has_errors = true;
  return add(cursor_.span(cursor_.peek()), ErrorExpr{}, {});
}

ExprId ExprParser::parse() {
  Cursor::Depth depth(cursor_);
  if (!depth.ok()) return error();
  if (cursor_.at(K::KwIf)) return parse_if();
  return refuse_question(parse_binary(1));
}

Clause ExprParser::parse_clause(ClauseKind kind) {
  Clause clause{kind, parse(), {}};
  while (kind == ClauseKind::Decreases && !cursor_.panicking() && cursor_.accept(K::Comma))
    clause.more.push_back(parse());
  return clause;
}

ExprId ExprParser::parse_binary(int min_precedence) {
  ExprId lhs = parse_unary();
  while (!cursor_.panicking()) {
    const auto found = sign();
    if (!found || precedence(found->op) < min_precedence) break;
    if (is_comparison(found->op)) {
      lhs = parse_comparison(lhs);
      continue;
    }
    Span at = cursor_.span(cursor_.peek());
    for (std::size_t i = 0; i < found->tokens; ++i) at = cover(at, cursor_.span(cursor_.next()));
    ExprId rhs;
    if (found->op == BinaryOp::Implies) {  // to the right
      Cursor::Depth depth(cursor_);
      rhs = depth.ok() ? parse_binary(precedence(found->op)) : error();
    } else {
      rhs = parse_binary(precedence(found->op) + 1);
    }
    lhs = add(cursor_.span_from(span(lhs)), BinaryExpr{found->op, found->dotted, lhs, rhs, at},
              {lhs, rhs});
  }
  return lhs;
}

// The shift '>>' is two tokens that touch: where a type closes they are that, 'vector<bits<8>>'.
// Behind 'i++' comes the end of a statement, and that is another mistake.
std::optional<ExprParser::Sign> ExprParser::sign() {
  const Token& token = cursor_.peek();
  const Token& next = cursor_.peek(1);
  if (token.kind == K::Greater && !token.dotted && next.kind == K::Greater &&
      token.end == next.begin)
    return Sign{BinaryOp::ShiftRight, next.dotted, 2};
  if (token.kind == K::PlusPlus && (next.kind == K::Semicolon || next.kind == K::RParen))
    return std::nullopt;
  const auto op = binary_op(token.kind);
  return op ? std::optional(Sign{*op, token.dotted, 1}) : std::nullopt;
}

ExprId ExprParser::parse_comparison(ExprId first) {
  std::vector<ExprId> operands{first};
  std::vector<BinaryOp> ops;
  std::vector<Token> tokens;
  int going = 0;
  while (!cursor_.panicking()) {
    const Token token = cursor_.peek();
    const auto found = sign();
    if (!found || !is_comparison(found->op)) break;
    const std::optional<BinaryOp> op = found->op;
    if (!ops.empty()) {
      const auto before = direction(ops.back()), here = direction(*op);
      const bool bad = !before || !here || token.dotted || tokens.back().dotted ||
                       (*here != 0 && going != 0 && *here != going);
      if (bad) {
        cursor_.report(Diagnostic{
            DiagnosticKind::BadChain,
            cursor_.span(token),
            {std::string(cursor_.text(token)), std::string(cursor_.text(tokens.back()))},
            {},
            {}}.note(cursor_.span(tokens.back()), "the chain begins here")
                           .helping("join two comparisons with '&&'"));
      }
    }
    if (const auto here = direction(*op); here && *here != 0) going = *here;
    cursor_.next();
    ops.push_back(*op);
    tokens.push_back(token);
    operands.push_back(parse_binary(precedence(*op) + 1));
  }
  const Span whole = cursor_.span_from(span(first));
  if (ops.size() == 1)
    return add(
        whole,
        BinaryExpr{ops[0], tokens[0].dotted, operands[0], operands[1], cursor_.span(tokens[0])},
        operands);
  return add(whole, ChainExpr{operands, std::move(ops)}, operands);
}

ExprId ExprParser::parse_unary() {
  if (!cursor_.at(K::Minus) && !cursor_.at(K::Not) && !cursor_.at(K::Tilde)) return parse_postfix();
  Cursor::Depth depth(cursor_);
  if (!depth.ok()) return error();
  const Token token = cursor_.next();
  const ExprId operand = parse_unary();
  const UnaryOp op = token.kind == K::Minus ? UnaryOp::Negate
                     : token.kind == K::Not ? UnaryOp::Not
                                            : UnaryOp::Complement;
  return add(cursor_.span_from(token), UnaryExpr{op, token.dotted, operand}, {operand});
}

ExprId ExprParser::parse_postfix() {
  ExprId base = parse_primary();
  while ((cursor_.at(K::LBracket) || cursor_.at(K::Dot)) && !cursor_.panicking()) {
    if (cursor_.accept(K::Dot)) {
      const Ident field = cursor_.expect_name("the name of a part");
      if (!field.name.valid()) return error();
      base = add(cursor_.span_from(span(base)), FieldExpr{base, field}, {base});
      continue;
    }
    const Token open = cursor_.next();
    const ExprId index = parse();
    if (!cursor_.panicking() && cursor_.at(K::Colon)) {
      base = parse_part(base, index, open);
      continue;
    }
    if (!cursor_.panicking() && cursor_.accept(K::ColonAssign)) {
      const ExprId value = parse();
      cursor_.expect_closing(K::RBracket, open);
      base =
          add(cursor_.span_from(span(base)), UpdateExpr{base, index, value}, {base, index, value});
      continue;
    }
    cursor_.expect_closing(K::RBracket, open);
    base = add(cursor_.span_from(span(base)), IndexExpr{base, index}, {base, index});
  }
  if (cursor_.at(K::SideO) || cursor_.at(K::SideR)) {
    cursor_.report(
        Diagnostic{DiagnosticKind::Expected,
                   cursor_.span(cursor_.peek()),
                   {"an operator", cursor_.found()},
                   {},
                   {}}
            .helping(
                "a side stands right behind the variable: 'v<r>[i]' and 's<r>.x', not 'v[i]<r>'"));
  }
  return base;
}

// b[7:0]
ExprId ExprParser::parse_part(ExprId base, ExprId high, const Token& open) {
  cursor_.next();
  const ExprId low = parse();
  cursor_.expect_closing(K::RBracket, open);
  const auto is_number = [&](ExprId id) {
    const auto& node = cursor_.tree().exprs[id].node;
    return std::holds_alternative<IntegerExpr>(node) || std::holds_alternative<ErrorExpr>(node);
  };
  for (ExprId bound : {high, low})
    if (!is_number(bound) && !cursor_.panicking())
      cursor_.report(
          Diagnostic{DiagnosticKind::Expected, span(bound), {"a number", "an expression"}, {}, {}}
              .helping("the bounds of a part are written down, so that its width is known; one bit "
                       "at any place is 'bit(b, i)', and 'b >> s' moves the part down"),
          false);
  return add(cursor_.span_from(span(base)), PartExpr{base, high, low}, {base, high, low});
}

std::uint16_t ExprParser::parse_width() {
  cursor_.next();
  const Token& token = cursor_.peek();
  const std::string number =
      token.kind == K::Integer ? in_decimal(cursor_.text(token)) : std::string();
  const unsigned long width = number.empty() || number.size() > 4 ? 0 : std::stoul(number);
  const bool good = width >= 1 && width <= kWidestWord;
  if (!good)
    cursor_.report(Diagnostic{DiagnosticKind::BadWidth,
                              cursor_.span(token),
                              {fmt::format("a word has a width from 1 to {}, written as a number",
                                           kWidestWord)},
                              {},
                              {}}
                       .helping("such as 'bits<8>' or 'bits<32>'"),
                   false);
  cursor_.next();
  cursor_.next();
  return good ? static_cast<std::uint16_t>(width) : 0;
}

// bits<8>(i) and its like.
bool ExprParser::at_widening() {
  const std::string_view word = cursor_.text(cursor_.peek());
  return (word == "bits" || word == "exact_bits" || word == "zero_extend" ||
          word == "sign_extend") &&
         cursor_.peek(1).kind == K::Less && cursor_.peek(3).kind == K::Greater &&
         cursor_.peek(4).kind == K::LParen;
}

ExprId ExprParser::parse_widening() {
  const Token head = cursor_.next();
  const std::uint16_t width = parse_width();
  const Token open = cursor_.next();
  const ExprId arg = parse();
  cursor_.expect_closing(K::RParen, open);
  if (width == 0) return error();
  return add(cursor_.span_from(head), WidenExpr{cursor_.ident(head), width, arg}, {arg});
}

ExprId ExprParser::integer(const Token& token) {
  const std::string_view written = cursor_.text(token);
  const std::string number = in_decimal(written);
  IntegerExpr node{cursor_.names().intern(number)};
  if (number != written) node.written = cursor_.name_of(token);
  return add(cursor_.span(token), node, {});
}

// Behind a clause the bracket may begin what a function returns: no argument starts with a type.
bool ExprParser::at_arguments() {
  if (!cursor_.at(K::LParen)) return false;
  return !cursor_.at_type(1) || cursor_.peek(2).kind == K::LParen;
}

// count(node p)(: nothing else of the language looks so.
bool ExprParser::at_count() {
  return cursor_.at_word("count") && cursor_.peek(1).kind == K::LParen && cursor_.at_type(2) &&
         cursor_.peek(3).kind == K::Identifier && cursor_.peek(4).kind == K::RParen &&
         cursor_.peek(5).kind == K::LParen;
}

ExprId ExprParser::parse_count() {
  const Token head = cursor_.next();
  cursor_.next();
  CountExpr count;
  count.binder.type = parse_type();
  count.binder.name = cursor_.expect_name("the bound variable's name");
  cursor_.next();
  const Token open = cursor_.next();
  count.body = parse();
  cursor_.expect_closing(K::RParen, open);
  return add(cursor_.span_from(head), count, {count.body});
}

ExprId ExprParser::parse_primary() {
  const Token token = cursor_.peek();
  switch (token.kind) {
    case K::Integer:
      cursor_.next();
      return integer(token);
    case K::Real:
      cursor_.next();
      return add(cursor_.span(token), RealExpr{cursor_.name_of(token)}, {});
    case K::KwTrue:
    case K::KwFalse:
      cursor_.next();
      return add(cursor_.span(token), BoolExpr{token.kind == K::KwTrue}, {});
    case K::Identifier: {
      if (at_count()) return parse_count();
      if (at_widening()) return parse_widening();
      cursor_.next();
      if (cursor_.at(K::SideO) || cursor_.at(K::SideR)) {
        const Side side = cursor_.at(K::SideO) ? Side::Original : Side::Relaxed;
        cursor_.next();
        return add(cursor_.span_from(token), SidedExpr{cursor_.name_of(token), side}, {});
      }
      if (at_arguments()) {
        const Token open = cursor_.next();
        std::vector<ExprId> args = parse_list(open);
        return add(cursor_.span_from(token), CallExpr{cursor_.ident(token), args}, args);
      }
      if (cursor_.accept(K::Dot)) {
        if (cursor_.at(K::LParen)) return refuse_dotted_call(token);
        const Ident member = cursor_.expect_name("a name");
        if (!member.name.valid()) return error();
        if (at_arguments()) return parse_member_call(token, cursor_.ident(token), member);
        return add(cursor_.span_from(token), MemberExpr{cursor_.ident(token), member}, {});
      }
      return add(cursor_.span(token), NameExpr{cursor_.name_of(token)}, {});
    }
    case K::KwUint:
    case K::KwInt:
    case K::KwReal: {
      if (cursor_.peek(1).kind != K::LParen && cursor_.peek(1).kind != K::Dot)
        return refuse_primary(token);
      cursor_.next();
      if (cursor_.accept(K::Dot)) return refuse_dotted_call(token);
      const Token open = cursor_.next();
      std::vector<ExprId> args = parse_list(open);
      return add(cursor_.span_from(token), CallExpr{cursor_.ident(token), args}, args);
    }
    case K::KwModel: {
      cursor_.next();
      cursor_.expect(K::Dot);
      const Ident member = cursor_.expect_name("the name of a state variable or constant");
      if (!member.name.valid()) return error();
      if (at_arguments()) return parse_member_call(token, std::nullopt, member);
      return add(cursor_.span_from(token), ModelExpr{member}, {});
    }
    case K::LParen: {
      cursor_.next();
      const ExprId inner = parse();
      if (refuse_assignment()) return error();
      cursor_.expect_closing(K::RParen, token);
      return add(cursor_.span_from(token), ParenExpr{inner}, {inner});
    }
    case K::KwEq:
    case K::KwOld: {
      cursor_.next();
      const Token open = cursor_.peek();
      if (!cursor_.expect(K::LParen)) return error();
      if (token.kind == K::KwEq && cursor_.at(K::Star) && cursor_.peek(1).kind == K::RParen) {
        cursor_.next();
        cursor_.next();
        return add(cursor_.span_from(token), EqAllExpr{}, {});
      }
      const ExprId arg = parse();
      cursor_.expect_closing(K::RParen, open);
      if (token.kind == K::KwEq) return add(cursor_.span_from(token), EqExpr{arg}, {arg});
      return add(cursor_.span_from(token), OldExpr{arg}, {arg});
    }
    case K::KwForall:
    case K::KwExists:
      return parse_quantifier();
    case K::KwIf: {
      // How far it would go is not plain to see.
      const ExprId choice = parse_if();
      if (!cursor_.panicking()) report_bare_if(choice);
      return choice;
    }
    default:
      return refuse_primary(token);
  }
}

ExprId ExprParser::refuse_primary(const Token& token) {
  Diagnostic d{DiagnosticKind::ExpectedExpression, cursor_.span(token), {cursor_.found()}, {}, {}};
  if (token.kind == K::PlusPlus || token.kind == K::MinusMinus)
    d.help = Help{"a step is a statement of its own and has no value", {}};
  else if (token.kind == K::KwInt)
    d.help = Help{
        "'floor(x)' is the integer at or below a number; 'uint(i)' and 'real(i)' convert, and "
        "'int(b)' reads a word with its sign",
        {}};
  cursor_.report(std::move(d));
  return error();
}

// floor.(x): a dot as if it were an operator.
ExprId ExprParser::refuse_dotted_call(const Token& callee) {
  const Span written = cursor_.span_from(callee);
  const std::string plain(cursor_.text(callee));
  std::string help = "only operators have a relaxed form: write '" + plain + "(...)'";
  if (plain == "sqrt") help += "; a model says nothing of roots";
  cursor_.report({DiagnosticKind::NoSuchConstruct,
                  written,
                  {plain + "."},
                  {},
                  Help{std::move(help), Edit{written, plain}}});
  return error();
}

ExprId ExprParser::parse_member_call(const Token& first, std::optional<Ident> scope,
                                     const Ident& member) {
  const Token open = cursor_.next();
  std::vector<ExprId> args;
  if (!cursor_.at(K::RParen) && !cursor_.at(K::Semicolon)) parse_more(args);
  const bool of_problem = scope && cursor_.names().text(member.name) == "right";
  if (of_problem && cursor_.at(K::Semicolon) && !cursor_.panicking())
    return parse_clauses(first, *scope, open, std::move(args));
  cursor_.expect_closing(K::RParen, open);
  return add(cursor_.span_from(first), MemberCallExpr{scope, member, args}, args);
}

ExprId ExprParser::parse_clauses(const Token& first, const Ident& problem, const Token& open,
                                 std::vector<ExprId> args) {
  cursor_.next();
  ClausesOf of{problem, args.size(), 0};
  parse_more(args);
  of.outputs = args.size() - of.inputs;
  if (!cursor_.panicking() && cursor_.at_word("against")) {
    cursor_.next();
    parse_more(args);
  }
  const std::size_t challengers = args.size() - of.inputs - of.outputs;
  cursor_.expect_closing(K::RParen, open);
  const std::string name = name_of_right(cursor_.names().text(problem.name), challengers);
  const Span whole = cursor_.span_from(first);
  const Ident callee{cursor_.names().intern(name), problem.span};
  return add(whole, CallExpr{callee, args, of}, args);
}

ExprId ExprParser::make_right(const ReliabilityClause& bound, Span at, Side of_outputs) {
  const ClausesOf of{bound.of->problem, bound.of->inputs, bound.names.size() - bound.of->inputs};
  std::vector<ExprId> args;
  for (const Ident& name : bound.names) {
    const Side side = args.size() < of.inputs ? Side::Original : of_outputs;
    args.push_back(add(name.span, SidedExpr{name.name, side}, {}));
  }
  const std::string name = name_of_right(cursor_.names().text(of.problem.name), 0);
  const Ident callee{cursor_.names().intern(name), of.problem.span};
  return add(at, CallExpr{callee, args, of}, args);
}

// The last part goes as far as an expression can.
ExprId ExprParser::parse_if() {
  Cursor::Depth depth(cursor_);
  if (!depth.ok()) return error();
  const Token head = cursor_.next();
  const ExprId condition = parse_condition();
  if (cursor_.panicking()) return error();
  const ExprId then_value = parse();
  if (cursor_.panicking()) return error();
  if (!cursor_.at(K::KwElse)) {
    cursor_.report(Diagnostic{
        DiagnosticKind::Expected, cursor_.span(cursor_.peek()), {"'else'", cursor_.found()}, {}, {}}
                       .helping("an 'if' that is a value has one for each case: "
                                "'if (c) a else b'"));
    return error();
  }
  cursor_.next();
  const ExprId else_value = parse();
  return add(cursor_.span_from(head), IfExpr{condition, then_value, else_value},
             {condition, then_value, else_value});
}

void ExprParser::report_bare_if(ExprId choice) {
  const Span whole = span(choice);
  cursor_.report({DiagnosticKind::Expected,
                  whole,
                  {"'(' before an 'if' that is part of something larger", "'if'"},
                  {},
                  Help{"put it in parentheses", Edit{whole, "(" + cursor_.text(whole) + ")"}}},
                 false);
}

// c ? a : b, as other languages write it.
ExprId ExprParser::refuse_question(ExprId condition) {
  if (!cursor_.at(K::Question) || cursor_.panicking()) return condition;
  const Span mark = cursor_.span(cursor_.next());
  const ExprId then_value = parse();
  if (cursor_.panicking() || !cursor_.accept(K::Colon)) {
    cursor_.report(Diagnostic{DiagnosticKind::NoSuchConstruct, mark, {"?"}, {}, {}}.helping(
        "write 'if (c) a else b'"));
    return error();
  }
  const ExprId else_value = parse();
  if (cursor_.panicking()) return error();
  const Span whole = cover(span(condition), span(else_value));
  const auto text = [&](ExprId id) { return cursor_.text(span(id)); };
  const std::string better =
      "if (" + text(condition) + ") " + text(then_value) + " else " + text(else_value);
  cursor_.report({DiagnosticKind::NoSuchConstruct,
                  mark,
                  {"?"},
                  {},
                  Help{"write '" + better + "'", Edit{whole, better}}},
                 false);
  return add(whole, IfExpr{condition, then_value, else_value}, {condition, then_value, else_value});
}

std::vector<Binder> ExprParser::parse_binders() {
  std::vector<Binder> binders;
  do {
    const TypeSyntax type = parse_type();
    const Ident name = cursor_.expect_name("the bound variable's name");
    if (cursor_.panicking()) break;
    binders.push_back({type, name});
  } while (cursor_.accept(K::Comma));
  return binders;
}

ExprId ExprParser::parse_quantifier() {
  const Token head = cursor_.next();
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return error();
  std::vector<Binder> binders = parse_binders();
  if (cursor_.panicking() || !cursor_.expect_closing(K::RParen, open)) return error();
  const Token body_open = cursor_.peek();
  if (!cursor_.expect(K::LParen, "'(' before the quantified body")) return error();
  const ExprId body = parse();
  cursor_.expect_closing(K::RParen, body_open);
  return add(cursor_.span_from(head), QuantExpr{head.kind == K::KwForall, std::move(binders), body},
             {body});
}

std::vector<ExprId> ExprParser::parse_list(const Token& open) {
  std::vector<ExprId> list;
  if (cursor_.accept(K::RParen)) return list;
  parse_more(list);
  cursor_.expect_closing(K::RParen, open);
  return list;
}

void ExprParser::parse_more(std::vector<ExprId>& list) {
  do {
    list.push_back(parse());
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
}

bool ExprParser::refuse_assignment() {
  if (!cursor_.at(K::Assign) || cursor_.panicking()) return false;
  const Span here = cursor_.span(cursor_.peek());
  cursor_.report(
      {DiagnosticKind::AssignmentInExpression, here, {}, {}, Help{"write '=='", Edit{here, "=="}}});
  return true;
}

ExprId ExprParser::parse_condition() {
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return error();
  ExprId condition = parse();
  if (refuse_assignment()) condition = error();
  cursor_.expect_closing(K::RParen, open);
  if (cursor_.panicking()) {
    condition = error();
    if (cursor_.skip_to_rparen() || cursor_.at(K::LBrace)) cursor_.calm();
  }
  return condition;
}

TypeSyntax ExprParser::parse_type() {
  const Token token = cursor_.peek();
  const auto scalar = [&](TokenKind kind) -> std::optional<Scalar> {
    switch (kind) {
      case K::KwBool:
        return Scalar::Bool;
      case K::KwInt:
        return Scalar::Int;
      case K::KwUint:
        return Scalar::Uint;
      case K::KwReal:
        return Scalar::Real;
      case K::KwVoid:
        return Scalar::Void;
      default:
        return std::nullopt;
    }
  };
  if (const auto plain = scalar(token.kind)) {
    cursor_.next();
    return {*plain, Shape::Scalar, cursor_.span(token)};
  }
  if (token.kind == K::KwVector || token.kind == K::KwMatrix) {
    cursor_.next();
    if (!cursor_.expect(K::Less)) return {Scalar::Real, Shape::Vector, cursor_.span(token)};
    const Shape shape = token.kind == K::KwVector ? Shape::Vector : Shape::Matrix;
    if (cursor_.at_bits()) {
      TypeSyntax words = parse_type();
      words.shape = shape;
      cursor_.expect(K::Greater);
      words.span = cursor_.span_from(token);
      return words;
    }
    std::optional<Scalar> element = scalar(cursor_.peek().kind);
    if (cursor_.at_foreign_type()) {
      cursor_.report_foreign_word(false);
      element = Scalar::Real;
    }
    if (cursor_.at(K::Identifier) && cursor_.peek(1).kind == K::Greater && !element) {
      const Name record = cursor_.name_of(cursor_.next());
      cursor_.next();
      return {Scalar::Void, shape, cursor_.span_from(token), record};
    }
    if (!element || *element == Scalar::Void) {
      cursor_.report_expected("an element type (bool, int, uint, real or a record)");
      return {Scalar::Real, Shape::Vector, cursor_.span(token)};
    }
    cursor_.next();
    cursor_.expect(K::Greater);
    return {*element, shape, cursor_.span_from(token)};
  }
  if (cursor_.at_foreign_type()) {
    cursor_.report_foreign_word(false);
    cursor_.next();
    return {Scalar::Real, Shape::Scalar, cursor_.span(token)};
  }
  if (cursor_.at_bits()) {
    cursor_.next();
    TypeSyntax type{Scalar::Bits, Shape::Scalar, {}};
    type.width = std::max<std::uint16_t>(parse_width(), 1);
    type.span = cursor_.span_from(token);
    return type;
  }
  if (cursor_.at_type()) {
    cursor_.next();
    return {Scalar::Void, Shape::Scalar, cursor_.span(token), cursor_.name_of(token)};
  }
  cursor_.report_expected("a type");
  return {Scalar::Int, Shape::Scalar, cursor_.span(token)};
}

}  // namespace leto::syntax

// Systems, and what models say of messages.
#include "syntax/parse_item.h"

namespace leto::syntax {

using K = TokenKind;

bool ItemParser::at_system() {
  return cursor_.at_word("system") && cursor_.peek(1).kind == K::Identifier &&
         cursor_.peek(2).kind == K::LBrace;
}

void ItemParser::parse_system() {
  const Token first = cursor_.next();
  SystemItem system;
  system.name = cursor_.expect_name("the system's name");
  const Token open = cursor_.next();
  while (!cursor_.at(K::RBrace) && !cursor_.at(K::End) && !cursor_.hopeless()) {
    const K kind = cursor_.peek().kind;
    if (kind == K::KwModel || kind == K::KwUse || kind == K::KwImport || kind == K::KwPropertyR)
      break;
    const Token part = cursor_.peek();
    parse_part(system);
    if (cursor_.panicking()) cursor_.abandon(part);
    if (cursor_.panicking() && !cursor_.hopeless()) cursor_.skip_item(part);
  }
  cursor_.expect_closing(K::RBrace, open);
  add(first, std::move(system));
}

// What stands in a system. Its words are names elsewhere.
void ItemParser::parse_part(SystemItem& system) {
  const Token first = cursor_.peek();
  const auto push = [&](auto node) {
    if (!cursor_.panicking()) system.parts.push_back({cursor_.span_from(first), std::move(node)});
  };
  const bool named = cursor_.peek(1).kind == K::Identifier;
  const K second = cursor_.peek(2).kind;
  if (first.kind == K::At) {
    cursor_.next();
    if (cursor_.text(cursor_.peek()) != "clock") {
      cursor_.report_expected("'clock': nothing else is said so of a variable of a system");
      return;
    }
    cursor_.next();
    return push(parse_variable(true));
  }
  if (at_enum()) return push(parse_enum());
  if (cursor_.at_word("nodes") && named && second == K::LParen) return push(parse_nodes());
  if (cursor_.at_word("step") && named) return push(parse_step());
  if (cursor_.at_word("elapse") && named) return push(parse_elapse());
  if ((cursor_.at_word("always") || cursor_.at_word("lemma")) && named && second == K::Colon)
    return push(parse_claim());
  for (const bool initially : {true, false})
    if (cursor_.at_word(initially ? "initially" : "trust")) {
      cursor_.next();
      const ExprId expr = exprs_.parse();
      cursor_.expect_semicolon(initially ? "what holds initially" : "what is trusted");
      if (initially) return push(InitiallyPart{expr});
      return push(TrustPart{expr});
    }
  if (first.kind == K::KwConst) return push(parse_const());
  if (first.kind == K::KwProperty) {
    if (const std::optional<PropertyItem> property = parse_property()) push(*property);
    return;
  }
  if (first.kind == K::KwRequires) {
    cursor_.next();
    const ExprId expr = exprs_.parse();
    cursor_.expect_semicolon("the constraint");
    return push(ConstraintItem{expr});
  }
  if (cursor_.at_type()) return push(parse_variable(false));
  cursor_.report({DiagnosticKind::ExpectedItem,
                  cursor_.span(first),
                  {"a part of the system: 'nodes', a variable, a constant, 'enum', 'property', "
                   "'initially', 'trust', 'step', 'elapse', 'always' or 'lemma'",
                   cursor_.found()},
                  {},
                  {}});
  cursor_.next();
}

NodesPart ItemParser::parse_nodes() {
  cursor_.next();
  NodesPart part;
  do {
    NodesPart::Sort sort;
    sort.name = cursor_.expect_name("the name of a kind of nodes");
    const Token open = cursor_.peek();
    if (cursor_.panicking() || !cursor_.expect(K::LParen, "'(' and how many there are")) break;
    sort.count = exprs_.parse_simple();
    cursor_.expect_closing(K::RParen, open);
    part.sorts.push_back(sort);
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  cursor_.expect_semicolon("the nodes");
  return part;
}

VariablePart ItemParser::parse_variable(bool clock) {
  VariablePart part;
  part.clock = clock;
  part.type = exprs_.parse_type();
  if (!cursor_.panicking()) part.name = cursor_.expect_name("the variable's name");
  if (!cursor_.panicking() && cursor_.at(K::LParen)) {
    const Token open = cursor_.next();
    do {
      part.indices.push_back(cursor_.expect_name("the kind of nodes that it is indexed by"));
    } while (!cursor_.panicking() && cursor_.accept(K::Comma));
    cursor_.expect_closing(K::RParen, open);
  }
  if (!cursor_.panicking() && cursor_.accept(K::Assign)) part.init = exprs_.parse();
  cursor_.expect_semicolon("the variable");
  return part;
}

std::vector<Binder> ItemParser::parse_binders() {
  std::vector<Binder> binders;
  const Token open = cursor_.peek();
  if (!cursor_.expect(K::LParen)) return binders;
  binders = exprs_.parse_binders();
  cursor_.expect_closing(K::RParen, open);
  return binders;
}

StepPart ItemParser::parse_step() {
  cursor_.next();
  StepPart part;
  part.name = cursor_.expect_name("the step's name");
  if (!cursor_.panicking() && cursor_.at(K::LParen)) part.binders = parse_binders();
  if (!cursor_.panicking() && cursor_.accept(K::KwWhen)) part.when = exprs_.parse();
  if (!cursor_.panicking()) part.body = stmts_.parse_step_body();
  return part;
}

ElapsePart ItemParser::parse_elapse() {
  cursor_.next();
  ElapsePart part;
  part.clock = cursor_.expect_name("the clock's name");
  if (!cursor_.at_word("to")) {
    cursor_.report_expected("'to' and the moments that time runs to");
    return part;
  }
  cursor_.next();
  do {
    ElapsePart::Moment moment;
    moment.place = exprs_.parse_postfix();
    if (!cursor_.panicking() && cursor_.accept(K::KwFor)) moment.binders = parse_binders();
    if (!cursor_.panicking() && cursor_.accept(K::KwWhen)) moment.when = exprs_.parse();
    part.moments.push_back(std::move(moment));
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  cursor_.expect_semicolon("the moments");
  return part;
}

ClaimPart ItemParser::parse_claim() {
  ClaimPart part{cursor_.at_word("lemma"), {}, {}};
  cursor_.next();
  part.name = cursor_.expect_name("the claim's name");
  cursor_.expect(K::Colon);
  part.expr = exprs_.parse();
  cursor_.expect_semicolon("the claim");
  return part;
}

bool ItemParser::at_enum() {
  return cursor_.at_word("enum") && cursor_.peek(1).kind == K::Identifier &&
         cursor_.peek(2).kind == K::LBrace;
}

EnumItem ItemParser::parse_enum() {
  cursor_.next();
  EnumItem item;
  item.name = cursor_.expect_name("the enumeration's name");
  const Token open = cursor_.next();
  do {
    item.values.push_back(cursor_.expect_name("the name of a value"));
  } while (!cursor_.panicking() && cursor_.accept(K::Comma));
  cursor_.expect_closing(K::RBrace, open);
  return item;
}

void ItemParser::parse_message(ModelItem& model, const Token& first, Attributes attributes) {
  stmts_.require_site(attributes, AttributeSite::Operator);
  MessageMember message;
  message.attributes = std::move(attributes);
  const Token word = cursor_.next();
  message.head = cursor_.span(word);
  message.params = stmts_.parse_params();
  if (cursor_.panicking()) return;
  const bool wrong = message.params.size() != 3;
  if (wrong)
    cursor_.report({DiagnosticKind::OperatorArity,
                    message.head,
                    {"message", "3 parameters", std::to_string(message.params.size())},
                    {},
                    {}},
                   false);
  parse_message_clauses(message);
  if (cursor_.panicking() || wrong) return;
  model.members.push_back({cursor_.span_from(first), std::move(message)});
}

void ItemParser::parse_message_clauses(MessageMember& message) {
  while (!cursor_.panicking()) {
    const Token token = cursor_.peek();
    const auto push = [&](auto node) {
      message.clauses.push_back({cursor_.span_from(token), std::move(node)});
    };
    if (cursor_.accept(K::KwWhen)) {
      const ExprId expr = exprs_.parse();
      push(OperatorMember::When{expr});
    } else if (cursor_.accept(K::KwEnsures)) {
      const ExprId expr = exprs_.parse();
      push(OperatorMember::Ensures{expr});
    } else if (cursor_.accept(K::KwModifies)) {
      MessageMember::Changes changes;
      do {
        MessageMember::Changed one{cursor_.expect_name("the name of a state variable"), {}};
        if (cursor_.at(K::LBracket)) {
          const Token open = cursor_.next();
          one.at = cursor_.expect_name("a node of the message");
          cursor_.expect_closing(K::RBracket, open);
        }
        changes.places.push_back(one);
      } while (!cursor_.panicking() && cursor_.accept(K::Comma));
      push(std::move(changes));
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
  cursor_.expect_semicolon("the message's clauses");
}

}  // namespace leto::syntax

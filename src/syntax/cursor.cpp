#include "syntax/cursor.h"

#include <fmt/core.h>

namespace leto::syntax {

using K = TokenKind;

Cursor::Cursor(const SourceFile& file, FileId id, Tokens tokens, NameTable& names, Tree& tree,
               DiagnosticSink& sink, const Allowance* allowance)
    : file_(file),
      id_(id),
      tokens_(std::move(tokens.tokens)),
      names_(names),
      tree_(tree),
      sink_(sink),
      allowance_(allowance) {
  tree_.comments = std::move(tokens.comments);
}

const Token& Cursor::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool Cursor::at_word(std::string_view word) const {
  return at(K::Identifier) && text(peek()) == word;
}

std::optional<ClauseKind> Cursor::clause() const {
  return at_word("decreases") ? ClauseKind::Decreases : clause_kind(peek().kind);
}

const Token& Cursor::next() {
  demand(allowance_, "reading");
  const Token& token = tokens_[at_];
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Cursor::accept(TokenKind kind) {
  if (!at(kind)) return false;
  next();
  return true;
}

bool Cursor::expect(TokenKind kind) {
  return expect(kind, describe(kind));
}

bool Cursor::expect(TokenKind kind, std::string_view what) {
  if (accept(kind)) return true;
  report_expected(what);
  return false;
}

bool Cursor::expect_closing(TokenKind kind, const Token& open) {
  if (accept(kind)) return true;
  // Several blocks can be open where the text goes on with the next item; one brace is missing.
  if (kind == K::RBrace) {
    if (unclosed_at_ == at_) panicking_ = true;
    unclosed_at_ = at_;
  }
  const std::string_view spelled = describe(kind);
  report(Diagnostic{
      DiagnosticKind::Unclosed,
      span(peek()),
      {std::string(spelled.substr(1, spelled.size() - 2)), found()},
      {},
      {}}.note(span(open), fmt::format("to close this '{}'", text(open))));
  return false;
}

void Cursor::expect_semicolon(std::string_view after) {
  if (panicking_ || accept(K::Semicolon)) return;
  if (starts_line() || at(K::RBrace) || at(K::End)) {
    const std::uint32_t end = at_ == 0 ? 0 : tokens_[at_ - 1].end;
    const Span here{id_, end, end};
    report(Diagnostic{DiagnosticKind::MissingSemicolon, here, {std::string(after)}, {}, {}}.helping(
               "add ';'", Edit{here, ";"}),
           false);
    return;
  }
  report_expected("';'");
}

Ident Cursor::expect_name(std::string_view what) {
  if (at(K::Identifier)) return ident(next());
  const Token& token = peek();
  if (at(K::Amp)) {
    report(Diagnostic{DiagnosticKind::Expected, span(token), {std::string(what), found()}, {}, {}}
               .helping("what is changed in place is written 'inout', before its type"));
    return {Name{}, span(token)};
  }
  const std::string_view spelled = text(token);
  if (!spelled.empty() && std::isalpha(static_cast<unsigned char>(spelled[0])) != 0) {
    report(Diagnostic{DiagnosticKind::Expected, span(token), {std::string(what), found()}, {}, {}}
               .helping(fmt::format("'{}' is a keyword; choose another name", spelled)));
  } else {
    report_expected(what);
  }
  return {Name{}, span(token)};
}

void Cursor::report(Diagnostic diagnostic, bool panic) {
  tree_.has_errors = true;
  if (panicking_) return;
  panicking_ = panic;
  sink_.report(std::move(diagnostic));
}

void Cursor::report_expected(std::string_view what) {
  report({DiagnosticKind::Expected, span(peek()), {std::string(what), found()}, {}, {}});
}

namespace {

// Words that people bring from other languages, a closed list.
struct ForeignWord {
  std::string_view word, instead;
  std::string_view type = {};  // what to write in its place
};
constexpr ForeignWord kForeignWords[] = {
    {"goto", "use 'break' and 'continue', with the label of a loop, or 'return'"},
    {"switch", "write 'if', 'else if' and 'else'"},
    {"do", "write 'while (true)' and leave it at its end by 'if (...) { break; }'"},
    {"struct", "write 'record'; its fields are scalars"},
    {"float", "numbers are exact: write 'real', and the model says what hardware makes of them",
     "real"},
    {"double", "numbers are exact: write 'real', and the model says what hardware makes of them",
     "real"},
    {"char", "write 'int'", "int"},
};

const ForeignWord* find_foreign(std::string_view word) {
  const auto* const end = std::end(kForeignWords);
  const auto* const found = std::find_if(std::begin(kForeignWords), end,
                                         [&](const auto& one) { return one.word == word; });
  return found == end ? nullptr : found;
}

}  // namespace

bool Cursor::at_foreign_word() const {
  if (peek().kind != K::Identifier) return false;
  const ForeignWord* found = find_foreign(text(peek()));
  if (found == nullptr) return false;
  if (found->word == "do") return peek(1).kind == K::LBrace;
  if (!found->type.empty() && peek(1).kind == K::Greater) return true;  // vector<double>
  if (found->word != "switch") return peek(1).kind == K::Identifier;
  // Else it is the call of a function.
  if (peek(1).kind != K::LParen) return false;
  std::size_t open = 1, k = 2;
  for (; open > 0 && peek(k).kind != K::End; ++k) {
    if (peek(k).kind == K::LParen) ++open;
    if (peek(k).kind == K::RParen) --open;
  }
  return peek(k).kind == K::LBrace;
}

bool Cursor::at_foreign_type() const {
  return at_foreign_word() && !find_foreign(text(peek()))->type.empty();
}

bool Cursor::at_type(std::size_t ahead) const {
  return starts_type(peek(ahead).kind) || (at_bits(ahead) && peek(ahead + 4).kind != K::LParen) ||
         (peek(ahead).kind == K::Identifier && peek(ahead + 1).kind == K::Identifier);
}

bool Cursor::at_bits(std::size_t ahead) const {
  const Token& size = peek(ahead + 2);
  return peek(ahead).kind == K::Identifier && text(peek(ahead)) == "bits" &&
         peek(ahead + 1).kind == K::Less && !peek(ahead + 1).dotted &&
         (size.kind == K::Integer || size.kind == K::Identifier) &&
         peek(ahead + 3).kind == K::Greater && !peek(ahead + 3).dotted;
}

void Cursor::report_foreign_word(bool panic) {
  const ForeignWord& found = *find_foreign(text(peek()));
  std::optional<Edit> edit;
  if (!found.type.empty()) edit = Edit{span(peek()), std::string(found.type)};
  report({DiagnosticKind::NoSuchConstruct,
          span(peek()),
          {std::string(found.word)},
          {},
          Help{std::string(found.instead), std::move(edit)}},
         panic);
}

void Cursor::report_too_deep(Span at) {
  report(Diagnostic{DiagnosticKind::TooDeep, at, {std::to_string(kMaxDepth)}, {}, {}}.helping(
      "give a part of it a name of its own"));
  hopeless_ = true;
  while (!this->at(K::End)) {
    const bool first_column = peek().begin == 0 || file_.text()[peek().begin - 1] == '\n';
    if (first_column && (starts_only_items(peek(), peek(1)) || starts_type(peek().kind) ||
                         clause_kind(peek().kind)))
      break;
    skip();
  }
}

bool Cursor::skip_to_rparen() {
  if (hopeless_) return false;
  int open = 0;
  while (!at(K::End) && !at(K::LBrace) && !at(K::RBrace) && !at(K::Semicolon)) {
    if (at(K::LParen)) ++open;
    if (at(K::RParen) && open-- == 0) {
      next();
      calm();
      return true;
    }
    skip();
  }
  return false;
}

void Cursor::skip_clause() {
  while (!at(K::RBrace) && !at(K::Semicolon) && !at(K::End)) {
    if (at(K::LBrace) || clause()) return calm();
    skip();
  }
}

void Cursor::skip_statement(const Token& first) {
  if (hopeless_) return;
  pass(first);
  int braces = 0;
  while (!at(K::End)) {
    if (braces == 0) {
      if (accept(K::Semicolon)) break;
      if (at(K::RBrace)) break;
      const K kind = peek().kind;
      const bool starts = kind == K::KwIf || kind == K::KwWhile || kind == K::KwFor ||
                          kind == K::KwReturn || kind == K::KwAssert || kind == K::KwAssume ||
                          kind == K::KwAssertR || kind == K::KwSpecvar || kind == K::At ||
                          starts_type(kind) || starts_only_items(peek(), peek(1));
      if (starts && starts_line()) break;
    }
    if (at(K::LBrace)) ++braces;
    if (at(K::RBrace) && --braces == 0) {
      next();
      break;
    }
    skip();
  }
  calm();
}

void Cursor::skip_item(const Token& first) {
  pass(first);
  int braces = 0;
  while (!at(K::End)) {
    const K kind = peek().kind;
    const bool starts = kind == K::KwImport || kind == K::KwUse || kind == K::KwConst ||
                        kind == K::KwProperty || kind == K::KwPropertyR || kind == K::KwModel ||
                        kind == K::KwOperator || kind == K::At || starts_type(kind) ||
                        clause_kind(kind).has_value();
    if (braces == 0 && starts && starts_line()) break;
    if (braces == 0 && accept(K::Semicolon)) break;
    if (at(K::LBrace)) ++braces;
    if (at(K::RBrace)) {
      if (braces == 0) break;
      if (--braces == 0) {
        next();
        break;
      }
    }
    skip();
  }
  calm();
}

void Cursor::pass(const Token& first) {
  if (peek().begin == first.begin && !at(K::RBrace) && !at(K::End)) skip();
}

void Cursor::skip() {
  const Token& token = next();
  if (token.kind == K::Identifier) tree_.skipped_names.push_back(name_of(token));
}

void Cursor::abandon(const Token& first) {
  for (std::size_t i = at_; i-- > 0 && tokens_[i].begin >= first.begin;)
    if (tokens_[i].kind == K::Identifier) tree_.skipped_names.push_back(name_of(tokens_[i]));
}

Span Cursor::span(const Token& token) const {
  return {id_, token.begin, token.end};
}

Span Cursor::span_from(const Token& first) const {
  return span_from(span(first));
}

Span Cursor::span_from(Span first) const {
  const std::uint32_t end = at_ == 0 ? first.end : tokens_[at_ - 1].end;
  return {id_, first.begin, std::max(first.end, end)};
}

std::string Cursor::text(Span span) const {
  return std::string(file_.text().substr(span.begin, span.end - span.begin));
}

std::string_view Cursor::text(const Token& token) const {
  return file_.text().substr(token.begin, token.end - token.begin);
}

Ident Cursor::ident(const Token& token) {
  return {name_of(token), span(token)};
}

Name Cursor::name_of(const Token& token) {
  return names_.intern(text(token));
}

std::string Cursor::found() const {
  const Token& token = peek();
  if (token.kind == K::End) return "the end of the file";
  std::string_view spelled = text(token);
  if (spelled.size() > 40) return fmt::format("'{}...'", spelled.substr(0, 40));
  return fmt::format("'{}'", spelled);
}

bool Cursor::starts_line() const {
  if (at_ == 0) return true;
  const std::uint32_t from = tokens_[at_ - 1].end;
  return file_.text().substr(from, peek().begin - from).find('\n') != std::string_view::npos;
}

Cursor::Depth::Depth(Cursor& cursor) : cursor_(cursor), ok_(++cursor.depth_ <= kMaxDepth) {
  if (!ok_) cursor_.report_too_deep(cursor_.span(cursor_.peek()));
}

bool starts_only_items(const Token& token, const Token& next) {
  switch (token.kind) {
    case K::KwImport:
    case K::KwUse:
    case K::KwConst:
    case K::KwProperty:
    case K::KwPropertyR:
    case K::KwRequires:
    case K::KwRequiresR:
      return true;
    case K::KwModel:
      return next.kind != K::Dot;
    default:
      return false;
  }
}

bool starts_type(TokenKind kind) {
  return kind == K::KwBool || kind == K::KwInt || kind == K::KwUint || kind == K::KwReal ||
         kind == K::KwVector || kind == K::KwMatrix || kind == K::KwVoid;
}

std::optional<ClauseKind> clause_kind(TokenKind kind) {
  switch (kind) {
    case K::KwRequires:
      return ClauseKind::Requires;
    case K::KwRequiresR:
      return ClauseKind::RequiresR;
    case K::KwEnsures:
      return ClauseKind::Ensures;
    case K::KwEnsuresR:
      return ClauseKind::EnsuresR;
    case K::KwInvariant:
      return ClauseKind::Invariant;
    case K::KwInvariantR:
      return ClauseKind::InvariantR;
    default:
      return std::nullopt;
  }
}

}  // namespace leto::syntax

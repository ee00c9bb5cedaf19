// A place in the token list, with the bookkeeping of error recovery.
//
// After a syntax error the cursor *panics*: further complaints are swallowed
// until somebody who knows where to go on (the end of a statement, a closing
// parenthesis, the next item) has skipped to there and called `calm`. One
// mistake so gives one message.
#pragma once

#include <string>
#include <string_view>

#include "syntax/tree.h"

namespace leto::syntax {

class Cursor {
 public:
  static constexpr int kMaxDepth = 500;

  Cursor(const SourceFile& file, FileId id, Tokens tokens, NameTable& names, Tree& tree,
         DiagnosticSink& sink, const Allowance* allowance);

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] bool at(TokenKind kind) const { return peek().kind == kind; }
  [[nodiscard]] NameTable& names() { return names_; }
  [[nodiscard]] bool at_word(std::string_view word) const;  // an identifier so spelt
  const Token& next();
  bool accept(TokenKind kind);
  // Consumes the kind or reports that it was expected.
  bool expect(TokenKind kind);
  bool expect(TokenKind kind, std::string_view what);
  // The same for the closing one of a pair, pointing at the open one.
  bool expect_closing(TokenKind kind, const Token& open);
  // A semicolon. One that is merely forgotten at a line's end is reported and
  // taken as read.
  void expect_semicolon(std::string_view after);
  [[nodiscard]] Ident expect_name(std::string_view what);

  [[nodiscard]] bool panicking() const { return panicking_; }
  void calm() { panicking_ = hopeless_; }
  // After nesting too deeply nobody inside knows where he is: everything up to the next
  // item has been skipped, and only whoever reads items may go on.
  [[nodiscard]] bool hopeless() const { return hopeless_; }
  void recover_at_item() { hopeless_ = panicking_ = false; }
  void report(Diagnostic diagnostic, bool panic = true);
  // Whether a word of other languages stands here where it would mean something in them.
  [[nodiscard]] bool at_foreign_word() const;
  // Says that there is no such thing, and what to write instead.
  void report_foreign_word(bool panic = true);
  [[nodiscard]] bool at_foreign_type() const;
  // Whether a type stands so many tokens ahead, before the name of what has it. One that is a name
  // is a record.
  [[nodiscard]] bool at_type(std::size_t ahead = 0) const;
  // bits<8>
  [[nodiscard]] bool at_bits(std::size_t ahead = 0) const;
  void report_expected(std::string_view what);

  // Recovery: skip to just behind the `)` that closes the one already open, or
  // to a brace or semicolon before it; true if the `)` was found.
  bool skip_to_rparen();
  void
  skip_clause();  // of a loop: to the next clause or the body; stays panicking if there is none
  // Go on at what may be the next statement or item. Where nothing has been read since `first`,
  // that token is passed, so that whoever reads on gets to the end.
  void skip_statement(const Token& first);
  void skip_item(const Token& first);
  // Gives up what has been read since `first`: names in it count as skipped.
  void abandon(const Token& first);

  [[nodiscard]] Span span(const Token& token) const;
  [[nodiscard]] Span span_from(const Token& first) const;  // to the last token consumed
  [[nodiscard]] Span span_from(Span first) const;
  [[nodiscard]] std::string_view text(const Token& token) const;
  [[nodiscard]] std::string text(Span span) const;
  [[nodiscard]] Ident ident(const Token& token);
  [[nodiscard]] Name name_of(const Token& token);
  [[nodiscard]] std::string found() const;  // the current token, for a message
  [[nodiscard]] bool starts_line() const;   // the current token is first on its line
  [[nodiscard]] Tree& tree() { return tree_; }

  // Counts nesting; false (and one report) where it gets too deep.
  class Depth {
   public:
    explicit Depth(Cursor& cursor);
    ~Depth() { --cursor_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    [[nodiscard]] bool ok() const { return ok_; }

   private:
    Cursor& cursor_;
    bool ok_;
  };
  void report_too_deep(Span at);
  // The clause that begins here. 'decreases' is a name elsewhere.
  [[nodiscard]] std::optional<ClauseKind> clause() const;

 private:
  void skip();
  void pass(const Token& first);

  const SourceFile& file_;
  FileId id_;
  std::vector<Token> tokens_;
  NameTable& names_;
  Tree& tree_;
  DiagnosticSink& sink_;
  const Allowance* allowance_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool panicking_ = false;
  bool hopeless_ = false;
  std::size_t unclosed_at_ = ~std::size_t{0};  // where a missing brace was last reported
};

// Keywords that start an item and nothing inside a function.
[[nodiscard]] bool starts_only_items(const Token& token, const Token& next);
[[nodiscard]] bool starts_type(TokenKind kind);
[[nodiscard]] std::optional<ClauseKind> clause_kind(TokenKind kind);

}  // namespace leto::syntax

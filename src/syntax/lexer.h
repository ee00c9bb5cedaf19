// Text to tokens, one lexer for programs and models. Bytes that mean nothing
// are reported and skipped, so the parser never sees them. Comments are kept
// beside the tokens for the formatter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/allowance.h"
#include "base/diagnostic.h"

namespace leto::syntax {

// The widest word.
inline constexpr std::uint32_t kWidestWord = 1024;

enum class TokenKind : std::uint8_t {
#define LETO_TOKEN(kind, text) kind,
#include "syntax/tokens.def"
};

// How a kind is called in a message: "'('", "a name".
[[nodiscard]] std::string_view describe(TokenKind kind);
// The keywords' spellings, for suggestions.
[[nodiscard]] const std::vector<std::string_view>& keywords();

struct Token {
  TokenKind kind = TokenKind::End;
  bool dotted = false;  // an operator followed by a dot
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Comment {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool block = false;  // /* */ rather than //
};

struct Tokens {
  std::vector<Token> tokens;  // ends with an End token
  std::vector<Comment> comments;
};

// The same number in decimal: of 0xFF "255". What is no such number is as it was.
[[nodiscard]] std::string in_decimal(std::string_view number);

[[nodiscard]] Tokens lex(const SourceFile& file, FileId id, DiagnosticSink& sink,
                         const Allowance* allowance = nullptr);

}  // namespace leto::syntax

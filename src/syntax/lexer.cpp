#include "syntax/lexer.h"

#include <fmt/core.h>

#include <array>
#include <unordered_map>

namespace leto::syntax {

namespace {

constexpr std::string_view kDescriptions[] = {
#define LETO_TOKEN(kind, text) text,
#include "syntax/tokens.def"
};

using KeywordMap = std::unordered_map<std::string_view, TokenKind>;

const KeywordMap& keyword_map() {
  static const KeywordMap map = {
#define LETO_TOKEN(kind, text)
#define LETO_PUNCT(kind, text)
#define LETO_OPERATOR(kind, text)
#define LETO_KEYWORD(kind, text) {text, TokenKind::kind},
#include "syntax/tokens.def"
  };
  return map;
}

struct Spelling {
  std::string_view text;
  TokenKind kind;
  bool can_be_dotted;
};

// Longer spellings first, so that the first match is the longest. The sides
// are not here: they need a name right before them.
constexpr Spelling kSpellings[] = {
    {"++", TokenKind::PlusPlus, false},
    {"--", TokenKind::MinusMinus, false},
    {"+=", TokenKind::PlusAssign, true},
    {"-=", TokenKind::MinusAssign, true},
    {"*=", TokenKind::StarAssign, true},
    {"/=", TokenKind::SlashAssign, true},
    {"%=", TokenKind::PercentAssign, true},
    {":=", TokenKind::ColonAssign, false},
    {"&&", TokenKind::AndAnd, true},
    {"||", TokenKind::OrOr, true},
    {"->", TokenKind::Arrow, true},
    {"==", TokenKind::EqEq, true},
    {"!=", TokenKind::NotEq, true},
    {"<=", TokenKind::LessEq, true},
    {">=", TokenKind::GreaterEq, true},
    {"<<", TokenKind::LessLess, true},
    {"(", TokenKind::LParen, false},
    {")", TokenKind::RParen, false},
    {"{", TokenKind::LBrace, false},
    {"}", TokenKind::RBrace, false},
    {"[", TokenKind::LBracket, false},
    {"]", TokenKind::RBracket, false},
    {",", TokenKind::Comma, false},
    {";", TokenKind::Semicolon, false},
    {":", TokenKind::Colon, false},
    {"?", TokenKind::Question, false},
    {".", TokenKind::Dot, false},
    {"@", TokenKind::At, false},
    {"=", TokenKind::Assign, false},
    {"+", TokenKind::Plus, true},
    {"-", TokenKind::Minus, true},
    {"*", TokenKind::Star, true},
    {"/", TokenKind::Slash, true},
    {"%", TokenKind::Percent, true},
    {"!", TokenKind::Not, true},
    {"&", TokenKind::Amp, true},
    {"|", TokenKind::Pipe, true},
    {"^", TokenKind::Caret, true},
    {"~", TokenKind::Tilde, true},
    {"<", TokenKind::Less, true},
    {">", TokenKind::Greater, true},
};

// Signs of the literature and of other languages, and how we write them.
struct Foreign {
  std::string_view text;
  std::string_view ours;
  TokenKind kind;
};
constexpr Foreign kForeign[] = {
    {"\xe2\x88\x80", "forall", TokenKind::KwForall},
    {"\xe2\x88\x83", "exists", TokenKind::KwExists},
    {"\xe2\x89\xa4", "<=", TokenKind::LessEq},
    {"\xe2\x89\xa5", ">=", TokenKind::GreaterEq},
    {"\xe2\x89\xa0", "!=", TokenKind::NotEq},
    {"\xe2\x88\xa7", "&&", TokenKind::AndAnd},
    {"\xe2\x88\xa8", "||", TokenKind::OrOr},
    {"\xc2\xac", "!", TokenKind::Not},
    {"\xe2\x86\x92", "->", TokenKind::Arrow},
    {"\xe2\x87\x92", "->", TokenKind::Arrow},
    {"\xc3\x97", "*", TokenKind::Star},
    {"\xe2\x88\x92", "-", TokenKind::Minus},
    {"\xc2\xb7", "*", TokenKind::Star},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

constexpr std::size_t kMaxDigits = 4096;
constexpr int kMaxExponent = 4096;

class Lexer {
 public:
  Lexer(const SourceFile& file, FileId id, DiagnosticSink& sink, const Allowance* allowance)
      : text_(file.text()), id_(id), sink_(sink), allowance_(allowance) {}

  Tokens run() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    while (at_ < text_.size()) {
      demand(allowance_, "reading");
      step();
    }
    // Right behind the last token, so that a message about it shows a line with text.
    const std::size_t end = out_.tokens.empty() ? 0 : out_.tokens.back().end;
    add(TokenKind::End, end, end);
    return std::move(out_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      block_comment();
    } else if (is_name_start(c)) {
      name();
    } else if (is_digit(c)) {
      number();
    } else if (c == '"') {
      string();
    } else if (!punctuation()) {
      unknown();
    }
  }

  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
    return {id_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  void add(TokenKind kind, std::size_t begin, std::size_t end, bool dotted = false) {
    out_.tokens.push_back(
        {kind, dotted, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }
  void add_comment(std::size_t begin, std::size_t end, bool block) {
    out_.comments.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), block});
    require_utf8(begin, end);
  }
  void require_utf8(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t n = utf8_length(text_.substr(i, 4));
      if (n == 0) {
        sink_.report({DiagnosticKind::InvalidUtf8, span(i, i + 1), {}, {}, {}});
        return;  // one report per comment or string is enough
      }
      i += n;
    }
  }

  void line_comment() {
    const std::size_t begin = at_;
    std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) end = text_.size();
    at_ = end;
    if (end > begin && text_[end - 1] == '\r') --end;
    add_comment(begin, end, false);
  }

  void block_comment() {
    const std::size_t begin = at_;
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
      sink_.report(
          Diagnostic{DiagnosticKind::UnterminatedComment, span(begin, begin + 2), {}, {}, {}}
              .helping("close it with '*/'"));
      at_ = text_.size();
    } else {
      at_ = close + 2;
    }
    add_comment(begin, at_, true);
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    const auto& map = keyword_map();
    const auto it = map.find(text_.substr(begin, at_ - begin));
    add(it == map.end() ? TokenKind::Identifier : it->second, begin, at_);
    if (it == map.end()) side();
  }

  // `<o>` or `<r>` right behind a name is a side. A comparison can never be
  // meant: `a<r>b` would chain two comparisons in opposite directions.
  void side() {
    const std::string_view here = text_.substr(at_, 3);
    if (here == "<o>" || here == "<r>") {
      add(here == "<o>" ? TokenKind::SideO : TokenKind::SideR, at_, at_ + 3);
      at_ += 3;
    }
  }

  void number() {
    if (peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'b')) return word();
    const std::size_t begin = at_;
    bool real = false;
    while (is_digit(peek(0))) ++at_;
    if (peek(0) == '.' && is_digit(peek(1))) {
      real = true;
      ++at_;
      while (is_digit(peek(0))) ++at_;
    }
    const std::size_t digits = at_ - begin;
    int exponent = 0;
    if ((peek(0) == 'e' || peek(0) == 'E') &&
        (is_digit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && is_digit(peek(2))))) {
      real = true;
      at_ += is_digit(peek(1)) ? 1 : 2;
      while (is_digit(peek(0))) {
        if (exponent <= kMaxExponent) exponent = exponent * 10 + (peek(0) - '0');
        ++at_;
      }
    }
    std::string problem;
    if (is_name_start(peek(0))) {
      const bool hexadecimal = digits == 1 && text_[begin] == '0' && peek(0) == 'X';
      while (is_name_part(peek(0))) ++at_;
      problem = hexadecimal ? "a hexadecimal number begins with '0x'"
                            : "a name cannot start with a digit, and a number cannot hold letters";
    } else if (!real && peek(0) == '.' && !is_name_start(peek(1)) && peek(1) != '.') {
      ++at_;
      problem = "a decimal point needs digits on both sides";
    } else if (digits > kMaxDigits || exponent > kMaxExponent) {
      problem = fmt::format("this number is too large: at most {} digits and an exponent of {}",
                            kMaxDigits, kMaxExponent);
    }
    if (!problem.empty())
      sink_.report({DiagnosticKind::BadNumber, span(begin, at_), {problem}, {}, {}});
    add(real ? TokenKind::Real : TokenKind::Integer, begin, at_);
  }

  // 0xFF, 0b1010
  void word() {
    const std::size_t begin = at_;
    const bool binary = peek(1) == 'b';
    at_ += 2;
    bool good = is_name_part(peek(0));
    for (; is_name_part(peek(0)); ++at_) {
      const char c = peek(0);
      good = good && (binary ? c == '0' || c == '1' : is_hexadecimal(c));
    }
    const std::size_t digits = at_ - begin - 2;
    std::string problem;
    if (!good)
      problem = binary ? "behind '0b' stand the digits 0 and 1"
                       : "behind '0x' stand the digits 0 to 9 and A to F";
    else if (digits * (binary ? 1 : 4) > kWidestWord)
      problem = fmt::format("this number is too large: a word has at most {} bits", kWidestWord);
    if (!problem.empty())
      sink_.report({DiagnosticKind::BadNumber, span(begin, at_), {problem}, {}, {}});
    add(TokenKind::Integer, begin, at_);
  }

  void string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') ++at_;
    if (peek(0) == '"') {
      ++at_;
    } else {
      // What closes the statement was hardly meant to be in the string.
      while (at_ > begin + 1 &&
             (text_[at_ - 1] == ';' || text_[at_ - 1] == ' ' || text_[at_ - 1] == '\r'))
        --at_;
      sink_.report(
          Diagnostic{DiagnosticKind::UnterminatedString, span(begin, begin + 1), {}, {}, {}}
              .helping("close it with '\"' on the same line", Edit{span(at_, at_), "\""}));
    }
    require_utf8(begin, at_);
    add(TokenKind::String, begin, at_);
  }

  bool punctuation() {
    const std::string_view here = text_.substr(at_, 3);
    for (const Spelling& s : kSpellings) {
      if (!here.starts_with(s.text)) continue;
      const std::size_t begin = at_;
      at_ += s.text.size();
      const bool dotted = s.can_be_dotted && peek(0) == '.';
      if (dotted) ++at_;
      add(s.kind, begin, at_, dotted);
      // `v[i]<r>` is a mistake that the parser can explain if it sees the side.
      if (s.kind == TokenKind::RBracket) side();
      return true;
    }
    return false;
  }

  void unknown() {
    const std::size_t begin = at_;
    const std::size_t n = utf8_length(text_.substr(at_, 4));
    if (n == 0) {  // one report for a whole run of bad bytes
      while (at_ < text_.size() && utf8_length(text_.substr(at_, 4)) == 0) ++at_;
      sink_.report({DiagnosticKind::InvalidUtf8, span(begin, at_), {}, {}, {}});
      return;
    }
    const std::string_view sign = text_.substr(at_, n);
    while (text_.substr(at_, n) == sign) at_ += n;
    const auto byte = static_cast<unsigned char>(sign[0]);
    const std::string shown = byte < 0x20 || byte == 0x7f ? fmt::format("the byte 0x{:02x}", byte)
                                                          : fmt::format("'{}'", sign);
    Diagnostic d{DiagnosticKind::UnknownCharacter, span(begin, at_), {shown}, {}, {}};
    for (const Foreign& f : kForeign) {
      if (f.text != sign) continue;
      d.help = Help{fmt::format("write '{}'", f.ours),
                    Edit{span(begin, begin + n), std::string(f.ours)}};
      add(f.kind, begin, at_);  // it is clear what was meant, so go on with that
    }
    sink_.report(std::move(d));
  }

  std::string_view text_;
  FileId id_;
  DiagnosticSink& sink_;
  const Allowance* allowance_;
  std::size_t at_ = 0;
  Tokens out_;
};

}  // namespace

std::string_view describe(TokenKind kind) {
  return kDescriptions[static_cast<std::size_t>(kind)];
}

const std::vector<std::string_view>& keywords() {
  static const std::vector<std::string_view> list = [] {
    std::vector<std::string_view> all;
    for (const auto& [text, kind] : keyword_map()) all.push_back(text);
    return all;
  }();
  return list;
}

std::string in_decimal(std::string_view number) {
  if (!number.starts_with("0x") && !number.starts_with("0b")) return std::string(number);
  const unsigned base = number[1] == 'x' ? 16 : 2;
  std::vector<unsigned> digits{0};  // of a billion each, the last ones first
  for (char c : number.substr(2, kWidestWord)) {
    unsigned long carry = is_digit(c) ? static_cast<unsigned long>(c - '0')
                                      : static_cast<unsigned long>((c | 32) - 'a') % 16 + 10;
    for (unsigned& digit : digits) {
      carry += static_cast<unsigned long>(digit) * base;
      digit = static_cast<unsigned>(carry % 1'000'000'000);
      carry /= 1'000'000'000;
    }
    if (carry != 0) digits.push_back(static_cast<unsigned>(carry));
  }
  std::string out = std::to_string(digits.back());
  for (std::size_t i = digits.size() - 1; i-- > 0;) out += fmt::format("{:09}", digits[i]);
  return out;
}

Tokens lex(const SourceFile& file, FileId id, DiagnosticSink& sink, const Allowance* allowance) {
  return Lexer(file, id, sink, allowance).run();
}

}  // namespace leto::syntax

#include "programs.h"

#include <array>
#include <vector>

namespace leto::fuzz {

namespace {

using syntax::TokenKind;

template <class List>
const auto& any(const List& list, Dice& dice) {
  return list[dice.roll(list.size())];
}

std::string replaced(const std::string& text, const Span& span, const std::string& by) {
  return text.substr(0, span.begin) + by + text.substr(span.end);
}

// Parts of a program -----------------------------------------------------------------------------

enum class Kind : std::uint8_t { Truth, Number, Other };

// Where something is to be changed, and what may stand there.
class Place {
 public:
  Place(const FrontEnd& program, const FrontEnd& other, const Span& span, Dice& dice)
      : program_(program), other_(other), span_(span), dice_(dice) {
    for (const syntax::Item& one : program.tree.items)
      if (one.span.begin <= span.begin && span.end <= one.span.end) item_ = one.span;
  }

  // By a pattern in which $e is what stands there, $b and $n are a truth value and a number, and $s
  // is a statement.
  [[nodiscard]] std::string changed_to(const char* pattern) {
    std::string out;
    for (const char* at = pattern; *at != '\0'; ++at) {
      if (*at != '$')
        out += *at;
      else if (*++at == 'e')
        out += program_.sources.text(span_);
      else
        out += *at == 's' ? statement() : expression(*at == 'b' ? Kind::Truth : Kind::Number);
    }
    return replaced(program_.text(), span_, out);
  }

  [[nodiscard]] static Kind kind_of(const FrontEnd& program, syntax::ExprId id) {
    const check::Type& type = program.checked->facts[0].types[id.value];
    return type.is_bool() ? Kind::Truth : type.is_numeric() ? Kind::Number : Kind::Other;
  }

 private:
  // One of the same item, most likely: there its names mean something.
  std::string expression(Kind kind) {
    constexpr std::array kTruths{"true", "false"};
    constexpr std::array kNumbers{"0", "1", "2", "0.5", "result", "100000000000000000000"};
    const syntax::Tree& tree = program_.tree;
    for (int attempt = 0; attempt < 16 && tree.exprs.size() > 0; ++attempt) {
      const syntax::ExprId id{static_cast<std::uint32_t>(dice_.roll(tree.exprs.size()))};
      const Span span = tree.exprs[id].span;
      if (kind_of(program_, id) == kind && item_.begin <= span.begin && span.end <= item_.end)
        return std::string(program_.sources.text(span));
    }
    return kind == Kind::Truth ? any(kTruths, dice_) : any(kNumbers, dice_);
  }
  std::string statement() {
    const FrontEnd& from = dice_.roll(4) == 0 ? other_ : program_;
    if (from.tree.stmts.size() == 0) return "{ }";
    const syntax::StmtId id{static_cast<std::uint32_t>(dice_.roll(from.tree.stmts.size()))};
    return std::string(from.sources.text(from.tree.stmts[id].span));
  }

  const FrontEnd& program_;
  const FrontEnd& other_;
  Span span_, item_;
  Dice& dice_;
};

// Changes ----------------------------------------------------------------------------------------

std::string with_other_expression(const FrontEnd& program, const FrontEnd& other, Dice& dice) {
  constexpr std::array kNumbers{"$n",          "$n",        "-($e)",     "abs($e)",
                                "($e + $n)",   "($e - $n)", "($e * $n)", "($e *. $n)",
                                "($e +. $n)",  "($e / $n)", "($e % $n)", "max($e, $n)",
                                "min($n, $e)", "$e<o>",     "$e<r>",     "old($e)",
                                "floor($e)",   "uint($e)",  "real($e)"};
  constexpr std::array kTruths{"$b",
                               "!($e)",
                               "($e && $b)",
                               "($e || $b)",
                               "($e -> $b)",
                               "($n < $n)",
                               "($n == $n)",
                               "($n < $n <= $n)",
                               "eq($n)",
                               "$e<r>",
                               "forall(uint q)(q < $n -> $e)",
                               "exists(int q)($n < q < $n && $e)"};
  constexpr std::array kOthers{"$n", "$b", "$e[$n]", "$e<o>", "$e<r>"};
  if (program.tree.exprs.size() == 0) return program.text();
  const syntax::ExprId id{static_cast<std::uint32_t>(dice.roll(program.tree.exprs.size()))};
  Place place(program, other, program.tree.exprs[id].span, dice);
  switch (Place::kind_of(program, id)) {
    case Kind::Truth:
      return place.changed_to(any(kTruths, dice));
    case Kind::Number:
      return place.changed_to(any(kNumbers, dice));
    case Kind::Other:
      return place.changed_to(any(kOthers, dice));
  }
  return program.text();
}

std::string with_other_statement(const FrontEnd& program, const FrontEnd& other, Dice& dice) {
  constexpr std::array kPatterns{"",
                                 "$s",
                                 "$e $s",
                                 "$s $e",
                                 "if ($b) { $e }",
                                 "if ($b) { $e } else { $s }",
                                 "while ($b) { $e }",
                                 "while ($b) invariant_r eq($n) invariant $b { $e }",
                                 "@label(l) @noinf while ($b) invariant_r l[$n] == $n { $e }",
                                 "for (uint q = 0; q < $n; ++q) { $e }",
                                 "repeat 3 { $e }",
                                 "try { $e } check ($b) recover { $s }",
                                 "try { $e } check ($b) recover redo(2);",
                                 "$e assert_r eq($n);",
                                 "$e assert_r $b;",
                                 "$e assert $b;",
                                 "assume $b; $e",
                                 "$e return $n;",
                                 "int q = $n; $e",
                                 "specvar real q = $n; $e",
                                 "vector<int> q($n); $e q[$n] = $n;",
                                 "matrix<real> q($n, $n); $e",
                                 "@region(u) uint q = $n; $e q = $n;"};
  if (program.tree.stmts.size() == 0) return program.text();
  const syntax::StmtId id{static_cast<std::uint32_t>(dice.roll(program.tree.stmts.size()))};
  return Place(program, other, program.tree.stmts[id].span, dice).changed_to(any(kPatterns, dice));
}

std::string with_other_item(const FrontEnd& program, const FrontEnd& other, Dice& dice) {
  constexpr std::array kPatterns{"",
                                 "requires $b\n$e",
                                 "requires_r eq($n)\n$e",
                                 "requires_r eq(*)\n$e",
                                 "ensures $b\n$e",
                                 "ensures_r eq(result)\n$e",
                                 "reliability 0.9 <= R(result)\n$e",
                                 "const uint Q = 3;\n$e",
                                 "const int Q;\nrequires $b;\n$e"};
  if (program.tree.items.empty() || dice.roll(6) == 0)
    return other.tree.items.empty()
               ? program.text()
               : program.text() + "\n" +
                     std::string(other.sources.text(any(other.tree.items, dice).span));
  return Place(program, other, any(program.tree.items, dice).span, dice)
      .changed_to(any(kPatterns, dice));
}

// What may stand where such a token stands.
std::string other_token(TokenKind kind, const std::string& own, Dice& dice) {
  constexpr std::array kSums{"+", "-", "*", "/", "%", "+.", "-.", "*.", "/."};
  constexpr std::array kComparisons{"<", "<=", ">", ">=", "==", "!=", "&&", "||", "->"};
  constexpr std::array kTypes{"int", "uint", "real", "bool", "vector<real>", "matrix<uint>"};
  constexpr std::array kNumbers{"0", "1", "3", "0.25", "1e-3", "99999999999999999999", "7"};
  switch (kind) {
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::Star:
    case TokenKind::Slash:
    case TokenKind::Percent:
      return any(kSums, dice);
    case TokenKind::Less:
    case TokenKind::LessEq:
    case TokenKind::Greater:
    case TokenKind::EqEq:
    case TokenKind::AndAnd:
    case TokenKind::OrOr:
    case TokenKind::Arrow:
      return any(kComparisons, dice);
    case TokenKind::KwInt:
    case TokenKind::KwUint:
    case TokenKind::KwReal:
    case TokenKind::KwBool:
      return any(kTypes, dice);
    case TokenKind::Integer:
    case TokenKind::Real:
      return any(kNumbers, dice);
    default:
      return dice.roll(2) == 0 ? "" : own + own;
  }
}

std::string with_other_token(const FrontEnd& program, Dice& dice) {
  DiagnosticList ignored;
  const std::vector<syntax::Token> tokens =
      syntax::lex(program.sources[program.tree.file], program.tree.file, ignored).tokens;
  const auto of = [&](const syntax::Token& token) {
    return Span{program.tree.file, token.begin, token.end};
  };
  const syntax::Token& token = any(tokens, dice);
  std::string by(program.sources.text(of(any(tokens, dice))));
  if (token.kind != TokenKind::Identifier)
    by = other_token(token.kind, std::string(program.sources.text(of(token))), dice);
  return replaced(program.text(), of(token), by);
}

}  // namespace

FrontEnd::FrontEnd(const std::string& text) {
  const FileId id = sources.add("fuzz.leto", text);
  tree = syntax::parse(sources[id], id, names, diagnostics);
  if (tree.has_errors) return;
  check::Options options;
  for (const syntax::Item& item : tree.items)
    if (const auto* model = std::get_if<syntax::ModelItem>(&item.node))
      options.model = model->name.name;
  checked = check::check({&tree}, options, names, diagnostics);
}

std::string changed(const FrontEnd& program, const FrontEnd& other, Dice& dice) {
  switch (dice.roll(8)) {
    case 0:
    case 1:
      return with_other_token(program, dice);
    case 2:
      return with_other_item(program, other, dice);
    case 3:
    case 4:
      return with_other_statement(program, other, dice);
    default:
      return with_other_expression(program, other, dice);
  }
}

std::string changed_well(const std::string& text, const std::string& other, Dice& dice) {
  constexpr int kTries = 6;
  const FrontEnd whole(text);
  if (!whole.fine()) return {};
  std::optional<FrontEnd> apart;
  if (other != text) apart.emplace(other);
  const FrontEnd& part = apart ? *apart : whole;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    std::string out = changed(whole, part, dice);
    const FrontEnd once(out);
    if (!once.fine()) continue;
    if (dice.roll(3) != 0) return out;
    std::string twice = changed(once, part, dice);
    return FrontEnd(twice).fine() ? twice : out;
  }
  return {};
}

}  // namespace leto::fuzz

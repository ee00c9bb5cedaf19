#include "lsp/completion.h"

#include <algorithm>
#include <map>
#include <set>

namespace leto::lsp {

using namespace syntax;
using check::SymbolKind;
using K = TokenKind;

namespace {

// As the protocol numbers them.
enum class ItemIcon : int {
  Function = 3,
  Field = 5,
  Variable = 6,
  Class = 7,
  Property = 10,
  Keyword = 14,
  Constant = 21
};

// The local names that are visible at the end of some tokens.
class VisibleNames {
 public:
  VisibleNames(std::string_view text, const std::set<std::string>& records)
      : text_(text), records_(records) {}

  std::map<std::string, std::uint32_t> run(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) step(tokens, i);
    std::map<std::string, std::uint32_t> all;
    for (const auto* list : {&declared_, &head_, &bound_})
      for (const Declared& one : *list) all[one.name] = one.begin;
    return all;
  }

 private:
  struct Declared {
    std::string name;
    std::uint32_t begin;
  };

  bool is_type(const Token& token) const {
    const K kind = token.kind;
    return kind == K::KwBool || kind == K::KwInt || kind == K::KwUint || kind == K::KwReal ||
           (kind == K::Identifier &&
            records_.contains(std::string(text_.substr(token.begin, token.end - token.begin))));
  }

  void step(const std::vector<Token>& tokens, std::size_t i) {
    const Token& token = tokens[i];
    if (token.kind == K::LBrace) {
      marks_.push_back(declared_.size());
      declared_.insert(declared_.end(), head_.begin(), head_.end());
      leave_head();
    } else if (token.kind == K::RBrace) {
      if (!marks_.empty()) {
        declared_.resize(marks_.back());
        marks_.pop_back();
      }
      leave_head();
    } else if (token.kind == K::Semicolon) {
      in_declaration_ = false;
      bound_.clear();
      if (parens_ == 0) head_.clear();
    } else if (token.kind == K::LParen) {
      binds_ = i > 0 && (tokens[i - 1].kind == K::KwForall || tokens[i - 1].kind == K::KwExists);
      ++parens_;
    } else if (token.kind == K::RParen) {
      parens_ = std::max(0, parens_ - 1);
      binds_ = false;
    } else if (token.kind == K::Identifier && i > 0) {
      name(tokens, i);
    }
  }

  void leave_head() {
    head_.clear();
    bound_.clear();
    parens_ = 0;
    in_declaration_ = false;
  }

  void name(const std::vector<Token>& tokens, std::size_t i) {
    const K before = tokens[i - 1].kind;
    const bool typed =
        is_type(tokens[i - 1]) ||
        (before == K::Greater && i > 2 && is_type(tokens[i - 2]) && tokens[i - 3].kind == K::Less);
    const bool another = before == K::Comma && in_declaration_ && parens_ == declared_in_;
    if (!typed && !another) return;
    const bool is_call = i + 1 < tokens.size() && tokens[i + 1].kind == K::LParen;
    if (is_call && marks_.empty() && parens_ == 0) return;  // a function
    Declared one{std::string(text_.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)),
                 tokens[i].begin};
    (binds_ ? bound_ : parens_ > 0 ? head_ : declared_).push_back(std::move(one));
    if (typed) {
      in_declaration_ = true;
      declared_in_ = parens_;
    }
  }

  std::string_view text_;
  const std::set<std::string>& records_;
  std::vector<Declared> declared_, head_, bound_;  // in blocks; in heads; by quantifiers
  std::vector<std::size_t> marks_;                 // where blocks begin in `declared_`
  int parens_ = 0, declared_in_ = 0;
  bool binds_ = false, in_declaration_ = false;
};

class Completer {
 public:
  Completer(Analysis& analysis, std::uint32_t offset)
      : analysis_(analysis),
        checked_(analysis.checked()),
        tree_(*analysis.own()),
        text_(analysis.sources()[tree_.file].text()) {
    DiagnosticList ignored;
    for (const Token& token : lex(analysis.sources()[tree_.file], tree_.file, ignored).tokens)
      if (token.kind != K::End && token.begin < offset) before_.push_back(token);
    // The word that is being written is no context.
    if (!before_.empty() && before_.back().end >= offset && is_word(before_.back()))
      before_.pop_back();
    for (const Comment& comment : tree_.comments)
      inside_comment_ = inside_comment_ || (comment.begin < offset && offset <= comment.end);
  }

  json run(const std::string& trigger) {
    if (inside_comment_) return json::array();
    if (ends_with({"use", "model"}) || ends_with({"under"}) || ends_with({"refines"})) {
      models(ends_with({"refines"}) || has_system());
    } else if (ends_with({"model", "."})) {
      if (checked_.model.valid()) members(checked_.models[checked_.model]);
    } else if (ends_with({"."})) {
      parts();
    } else if (ends_with({"@"})) {
      for (const char* word : {"label", "noinf", "rate", "region"})
        put(word, ItemIcon::Keyword, "attribute");
    } else if (trigger.empty()) {
      anything();
    }
    return std::move(items_);
  }

 private:
  std::string word(const Token& token) const {
    return std::string(text_.substr(token.begin, token.end - token.begin));
  }
  bool is_word(const Token& token) const {
    const char c = text_[token.begin];
    return token.kind == K::Identifier || (c >= 'a' && c <= 'z');
  }
  bool ends_with(const std::vector<std::string_view>& words) const {
    if (before_.size() < words.size()) return false;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (word(before_[before_.size() - words.size() + i]) != words[i]) return false;
    return true;
  }
  std::string name(Name n) const {
    return n.valid() ? std::string(analysis_.names().text(n)) : std::string();
  }
  void put(const std::string& label, ItemIcon icon, const std::string& detail) {
    if (label.empty() || !seen_.insert(label).second) return;
    items_.push_back({{"label", label}, {"kind", static_cast<int>(icon)}, {"detail", detail}});
  }

  [[nodiscard]] bool has_system() const {
    return std::any_of(tree_.items.begin(), tree_.items.end(), [](const Item& item) {
      return std::holds_alternative<SystemItem>(item.node);
    });
  }

  // Those of messages are no use to programs.
  void models(bool of_messages) {
    for (const check::Model& model : checked_.models)
      put(name(model.name), ItemIcon::Class, "a model");
    DiagnosticList ignored;
    for (const auto& listed : analysis_.workspace().list_models(ignored))
      if (!listed.of_messages || of_messages) put(listed.name, ItemIcon::Class, listed.summary);
  }

  void members(const check::Model& model) {
    for (const auto& [member, symbols] : model.members)
      for (check::SymbolId id : symbols) {
        const check::Symbol& s = checked_.symbols[id];
        put(name(member),
            s.kind == SymbolKind::State   ? ItemIcon::Field
            : s.kind == SymbolKind::Rigid ? ItemIcon::Function
                                          : ItemIcon::Constant,
            describe(s.type) + ", " + describe(s.kind));
      }
  }

  // Of a model's name, of a label or of a record.
  void parts() {
    if (before_.size() < 2) return;
    const std::string scope = word(before_[before_.size() - 2]);
    for (const check::Model& model : checked_.models) {
      if (name(model.name) != scope) continue;
      members(model);
      for (const check::ModelOperator& op : model.operators)
        put(name(op.label), ItemIcon::Function, check::describe(*op.syntax, analysis_.names()));
      return;
    }
    for (const check::Symbol& s : checked_.symbols)
      if (s.kind == SymbolKind::Label && name(s.name) == scope)
        put("entry", ItemIcon::Keyword, "the value when the loop was entered");
      else if (s.type.record != nullptr && name(s.name) == scope)
        for (const check::Record::Field& field : s.type.record->fields)
          put(name(field.name), ItemIcon::Field, describe(field.type) + ", a field");
  }

  void anything() {
    locals();
    for (const check::Symbol& s : checked_.symbols) {
      if (s.kind == SymbolKind::Function) put(name(s.name), ItemIcon::Function, "a function");
      if (s.kind == SymbolKind::Property) put(name(s.name), ItemIcon::Property, "a property");
      if (s.kind == SymbolKind::Definition) put(name(s.name), ItemIcon::Function, "a definition");
      if (s.kind == SymbolKind::Record) put(name(s.name), ItemIcon::Class, "a record");
      if (s.kind == SymbolKind::Lemma) put(name(s.name), ItemIcon::Function, "a lemma");
      if (s.kind == SymbolKind::Constant)
        put(name(s.name), ItemIcon::Constant, describe(s.type) + ", a constant");
    }
    for (const char* builtin : {"abs", "min", "max", "floor"})
      put(builtin, ItemIcon::Function, "built in");
    for (std::string_view keyword : keywords())
      put(std::string(keyword), ItemIcon::Keyword, "keyword");
    for (const char* soft :
         {"break",  "continue",  "repeat",      "try",       "check",     "recover", "redo",
          "under",  "checker",   "reliability", "extern",    "decreases", "ends",    "define",
          "lemma",  "pure",      "record",      "inout",     "witness",   "result",  "read",
          "write",  "returns",   "problem",     "input",     "output",    "right",   "example",
          "wrong",  "unique",    "against",     "certifies", "with",      "sound",   "complete",
          "unless", "system",    "nodes",       "enum",      "step",      "elapse",  "always",
          "trust",  "initially", "choose",      "message",   "node",      "round",   "count",
          "any",    "surely",    "within",      "over",      "exact"})
      put(soft, ItemIcon::Keyword, "keyword");
  }

  void locals() {
    const check::Facts& facts = analysis_.own_facts();
    std::set<std::string> records;
    for (const auto& [declared, record] : checked_.records) records.insert(record->name);
    for (const auto& [local, begin] : VisibleNames(text_, records).run(before_)) {
      const auto declared = facts.declared.find(check::key_of({tree_.file, begin, begin}));
      std::string detail = "a variable";
      if (declared != facts.declared.end()) {
        const check::Symbol& s = checked_.symbols[declared->second];
        detail = describe(s.type) + ", " + describe(s.kind);
      }
      put(local, ItemIcon::Variable, detail);
    }
    // State and constants of the model that is being written.
    for (const check::Model& model : checked_.models)
      for (const Item& item : tree_.items)
        if (std::get_if<ModelItem>(&item.node) == model.syntax && !before_.empty() &&
            item.span.begin < before_.back().end && before_.back().end <= item.span.end)
          members(model);
  }

  Analysis& analysis_;
  const check::Checked& checked_;
  const Tree& tree_;
  std::string_view text_;
  std::vector<Token> before_;
  bool inside_comment_ = false;
  json items_ = json::array();
  std::set<std::string> seen_;
};

}  // namespace

json completions(Analysis& analysis, std::uint32_t offset, const std::string& trigger) {
  if (analysis.own() == nullptr) return json::array();
  return Completer(analysis, offset).run(trigger);
}

}  // namespace leto::lsp

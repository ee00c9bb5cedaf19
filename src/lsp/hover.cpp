#include "lsp/hover.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace leto::lsp {

using namespace syntax;
using check::SymbolKind;

namespace {

// What people wrote may say anything: nothing of it is taken for a mark of ours.
std::string fenced_code(const std::string& code) {
  std::string fence = "```";
  while (code.find(fence) != std::string::npos) fence += '`';
  return fence + "leto\n" + code + "\n" + fence;
}
std::string escaped_text(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (std::ispunct(static_cast<unsigned char>(c)) != 0) out += '\\';
    out += c;
  }
  return out;
}

// All lines but the first moved to the left, as far as they go.
std::string moved_left(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t left = 0;
  for (char c : text) {
    if (left > 0 && (c == ' ' || c == '\t')) {
      --left;
      continue;
    }
    left = c == '\n' ? most : 0;
    if (c != '\r') out += c;
  }
  return out;
}

std::string first_lines(const std::string& text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < most; ++i) {
    at = text.find('\n', at);
    if (at == std::string::npos) return text;
    ++at;
  }
  return text.substr(0, at) + "...";
}

class Hoverer {
 public:
  Hoverer(Analysis& analysis, const Inferred* inferred, std::uint32_t offset, bool markdown)
      : analysis_(analysis),
        checked_(analysis.checked()),
        tree_(*analysis.own()),
        inferred_(inferred),
        offset_(offset),
        markdown_(markdown) {}

  struct Found {
    std::string text;
    Span span;
  };
  std::optional<Found> run() {
    DiagnosticList ignored;
    const SourceFile& file = analysis_.sources()[tree_.file];
    for (const Token& token : lex(file, tree_.file, ignored).tokens) {
      if (offset_ < token.begin || offset_ >= token.end) continue;
      const Span span{tree_.file, token.begin, token.end};
      std::string text = token.dotted ? operation(token) : loop(token);
      if (!text.empty()) return Found{std::move(text), span};
      if (token.kind == TokenKind::SideO || token.kind == TokenKind::SideR) offset_ = token.begin;
    }
    const Occurrence* o = analysis_.occurrences().at(tree_.file, offset_);
    if (o == nullptr) return std::nullopt;
    std::string text = entity(*o);
    if (text.empty()) return std::nullopt;
    return Found{std::move(text), o->span};
  }

 private:
  std::string fenced(const std::string& code) const { return markdown_ ? fenced_code(code) : code; }
  // As it would look if it stood at the beginning of a line.
  std::string source(Span span) const {
    const SourceFile& file = analysis_.sources()[span.file];
    const std::string_view line = file.line_text(file.line_of(span.begin));
    return moved_left(analysis_.sources().text(span),
                      std::min(line.find_first_not_of(" \t"), line.size()));
  }
  std::string name(Name n) const {
    return n.valid() ? std::string(analysis_.names().text(n)) : std::string();
  }

  // Operators --------------------------------------------------------------------------------

  std::string operation(const Token& token) const {
    const check::Facts& facts = analysis_.own_facts();
    for (const Expr& expr : tree_.exprs) {
      if (const auto* binary = std::get_if<BinaryExpr>(&expr.node);
          binary != nullptr && binary->dotted && binary->op_span.begin == token.begin)
        return binary_operation(binary->op, facts.types[binary->lhs.value],
                                facts.types[binary->rhs.value]);
      if (const auto* unary = std::get_if<UnaryExpr>(&expr.node);
          unary != nullptr && unary->dotted && expr.span.begin == token.begin)
        return specifications(spelling(unary->op), facts.types[unary->operand.value],
                              [&](const OperatorMember& op) {
                                return op.kind == OperationKind::Unary && op.unary == unary->op;
                              });
    }
    for (const Stmt& stmt : tree_.stmts)
      if (const auto* assign = std::get_if<AssignStmt>(&stmt.node);
          assign != nullptr && assign->dotted && assign->op &&
          tree_.exprs[assign->target].span.end <= token.begin &&
          token.end <= tree_.exprs[assign->value].span.begin)
        return binary_operation(*assign->op, facts.types[assign->target.value],
                                facts.types[assign->value.value]);
    return "";
  }

  std::string binary_operation(BinaryOp sign, const check::Type& a, const check::Type& b) const {
    return specifications(spelling(sign), check::join(a, b), [&](const OperatorMember& op) {
      return op.kind == OperationKind::Binary && op.binary == sign;
    });
  }

  template <class Fits>
  std::string specifications(std::string_view sign, const check::Type& type, Fits fits) const {
    if (type.error) return "";
    const std::string what = fmt::format("`{}.` on `{}`", sign, describe(type));
    if (!checked_.model.valid()) return what + ": exact, for no model is picked.";
    const check::Model& model = checked_.models[checked_.model];
    const std::string list = listed(
        [&](const OperatorMember& op) { return fits(op) && check::operand_type(op) == type; });
    if (list.empty())
      return fmt::format("{}: exact, for model `{}` does not mention it.", what, name(model.name));
    return fmt::format("{} under model `{}`, one of these:\n{}", what, name(model.name), list);
  }

  // Operators of the picked model, as they are written.
  template <class Wanted>
  std::string listed(Wanted wanted) const {
    std::string out;
    // From below: what a layer gives is `exact` for the one above it.
    const std::vector<check::ModelId> layers = check::layers_of(checked_, checked_.model);
    for (std::size_t i = layers.size(); i-- > 0;)
      for (const check::ModelOperator& op : checked_.models[layers[i]].operators) {
        if (!wanted(*op.syntax)) continue;
        for (const Member& member : checked_.models[op.declared_by].syntax->members)
          if (std::get_if<OperatorMember>(&member.node) == op.syntax)
            out += "\n" + fenced(source(member.span));
      }
    return out;
  }

  // Loops --------------------------------------------------------------------------------------

  std::string loop(const Token& token) const {
    if (inferred_ == nullptr) return "";
    const std::string_view word = analysis_.sources().text({tree_.file, token.begin, token.end});
    for (const Stmt& stmt : tree_.stmts) {
      if (token.begin < stmt.span.begin || token.end > stmt.span.end) continue;
      if (std::holds_alternative<WhileStmt>(stmt.node) && word == "while" && begins(token, stmt))
        return invariants(stmt.span);
      if (std::holds_alternative<ForStmt>(stmt.node) && word == "for" && begins(token, stmt))
        return invariants(stmt.span);
      if (std::holds_alternative<RepeatStmt>(stmt.node) && word == "repeat" && begins(token, stmt))
        return invariants(stmt.span);
    }
    return "";
  }
  // Only attributes stand before a loop's own keyword.
  bool begins(const Token& token, const Stmt& stmt) const {
    const std::string_view before =
        analysis_.sources().text({tree_.file, stmt.span.begin, token.begin});
    return before.find_first_of("{;") == std::string_view::npos;
  }

  std::string invariants(Span at) const {
    std::string lines;
    for (const prove::Verification::Invariant& one : *inferred_)
      if (one.loop.begin == at.begin && one.loop.end == at.end)
        lines += (lines.empty() ? "" : "\n") + one.text;
    if (lines.empty()) return "No invariants were inferred for this loop.";
    return "Inferred by the last verification:\n" + fenced(lines);
  }

  // Names --------------------------------------------------------------------------------------

  std::string entity(const Occurrence& o) {
    const Entity& e = analysis_.occurrences().entity(o);
    switch (e.kind) {
      case Entity::Kind::Symbol:
        return symbol(checked_.symbols[e.symbol], o);
      case Entity::Kind::Checker:
        return fenced("checker " + e.name) + "\nA checker with declared rates.";
      case Entity::Kind::OperatorLabel:
        return labelled(*e.labelled);
      case Entity::Kind::Region:
        return fmt::format("Memory region `{}`.", e.name);
      case Entity::Kind::File:
        return "";
      case Entity::Kind::Problem:
      case Entity::Kind::Right:
        return problem(e);
    }
    LETO_ASSERT(false);
  }

  // What goes in, what comes out and what is right; of `P.right`, what is right.
  std::string problem(const Entity& e) const {
    std::string text = fmt::format("problem {}", name(e.problem->name.name));
    for (const ProblemMember& member : e.problem->members) {
      const bool port = std::holds_alternative<PortMember>(member.node) ||
                        std::holds_alternative<ConstraintItem>(member.node);
      if (std::holds_alternative<RightMember>(member.node) ||
          (port && e.kind == Entity::Kind::Problem))
        text += "\n    " + source(member.span);
    }
    return fenced(text) + (e.kind == Entity::Kind::Problem
                               ? "\nA problem."
                               : "\nThese clauses, as far as their challengers are named.");
  }

  std::string labelled(const OperatorMember& op) const {
    for (const check::Model& model : checked_.models)
      for (const Member& member : model.syntax->members)
        if (std::get_if<OperatorMember>(&member.node) == &op)
          return fenced(source(member.span)) + fmt::format("\nOf model `{}`.", name(model.name));
    return "";
  }

  std::string symbol(const check::Symbol& s, const Occurrence& o) const {
    std::string text = fenced(declaration(s));
    std::string kind = describe(s.kind);
    kind[0] = kind[0] == 'a' ? 'A' : 'T';
    text += "\n" + kind;
    if (s.model.valid()) text += fmt::format(" `{}`", name(checked_.models[s.model].name));
    if (s.region.valid()) text += fmt::format(" in region `{}`", name(s.region));
    text += ".";
    if (o.side)
      text += *o.side == Side::Original ? " Here: its value in the original run."
                                        : " Here: its value in the relaxed run.";
    if (const std::string comment = comment_before(s); !comment.empty())
      text += "\n\n" + (markdown_ ? escaped_text(comment) : comment);
    if (s.region.valid() && checked_.model.valid())
      text += listed([&](const OperatorMember& op) {
        return op.attributes.region && op.attributes.region->name == s.region &&
               has_part(s.type, check::operand_type(op));
      });
    return text;
  }

  // Whether a variable of the type is read and written by parts of another.
  static bool has_part(const check::Type& type, const check::Type& part) {
    if (type.record == nullptr) return part == check::element_type(type);
    const auto& fields = type.record->fields;
    return std::any_of(fields.begin(), fields.end(),
                       [&](const auto& field) { return field.type == part; });
  }

  std::string declaration(const check::Symbol& s) const {
    const std::string plain = fmt::format("{} {}", describe(s.type), name(s.name));
    switch (s.kind) {
      case SymbolKind::Function:
      case SymbolKind::Property:
      case SymbolKind::Definition:
      case SymbolKind::Lemma:
      case SymbolKind::Model:
      case SymbolKind::Record:
      case SymbolKind::Constant:
        return head_of(*checked_.trees[s.tree], checked_.trees[s.tree]->items[s.item]);
      case SymbolKind::State:
      case SymbolKind::ModelConstant:
      case SymbolKind::Rigid:
        for (const Member& member : checked_.models[s.model].syntax->members)
          if (member.span.file == s.span.file && member.span.begin <= s.span.begin &&
              s.span.end <= member.span.end)
            return source(member.span);
        return plain;
      case SymbolKind::Ghost:
        return "specvar " + plain;
      case SymbolKind::Label:
        return fmt::format("@label({})", name(s.name));
      case SymbolKind::Field:
      case SymbolKind::Param:
      case SymbolKind::Local:
      case SymbolKind::Binder:
      case SymbolKind::Result:
      case SymbolKind::PropertyParam:
      case SymbolKind::DefinitionParam:
      case SymbolKind::OperatorParam:
      case SymbolKind::Destination:
      case SymbolKind::Outcome:
      case SymbolKind::Exact:
        return plain;
    }
    LETO_ASSERT(false);
  }

  // Without the body of a function, or the members of a model.
  std::string head_of(const Tree& tree, const Item& item) const {
    Span span = item.span;
    if (const auto* function = std::get_if<FunctionItem>(&item.node);
        function != nullptr && function->body.valid())
      span.end = std::max(span.begin, tree.stmts[function->body].span.begin);
    std::string text = source(span);
    if (std::holds_alternative<ModelItem>(item.node))
      text.resize(std::min(text.find('{'), text.size()));
    while (text.ends_with(' ') || text.ends_with('\n')) text.pop_back();
    return first_lines(text, 20);
  }

  // What is written right before something that stands at the top of a file.
  std::string comment_before(const check::Symbol& s) const {
    if (s.kind != SymbolKind::Function && s.kind != SymbolKind::Property &&
        s.kind != SymbolKind::Definition && s.kind != SymbolKind::Lemma &&
        s.kind != SymbolKind::Model && s.kind != SymbolKind::Record &&
        s.kind != SymbolKind::Constant)
      return "";
    const Tree& tree = *checked_.trees[s.tree];
    const std::string_view text = analysis_.sources()[tree.file].text();
    std::size_t until = tree.items[s.item].span.begin;
    long most = 2;  // ends of lines in between
    std::string out;
    for (auto comment = tree.comments.rbegin(); comment != tree.comments.rend(); ++comment) {
      if (comment->end > until) continue;
      const std::string_view gap = text.substr(comment->end, until - comment->end);
      if (gap.find_first_not_of(" \t\r\n") != std::string_view::npos ||
          std::count(gap.begin(), gap.end(), '\n') > most)
        break;
      std::string line(text.substr(comment->begin, comment->end - comment->begin));
      line.erase(0, line.find_first_not_of("/* "));
      if (line.ends_with("*/")) line.resize(line.size() - 2);
      out = line + "\n" + out;
      until = comment->begin;
      most = 1;
    }
    while (out.ends_with('\n')) out.pop_back();
    return out;
  }

  Analysis& analysis_;
  const check::Checked& checked_;
  const Tree& tree_;
  const Inferred* inferred_;  // may be null
  std::uint32_t offset_;
  bool markdown_;  // else plain text
};

}  // namespace

json hover(Analysis& analysis, const Inferred* inferred, std::uint32_t offset,
           const Client& client) {
  if (analysis.own() == nullptr) return nullptr;
  const std::optional<Hoverer::Found> found =
      Hoverer(analysis, inferred, offset, client.markdown).run();
  if (!found) return nullptr;
  return {
      {"contents", {{"kind", client.markdown ? "markdown" : "plaintext"}, {"value", found->text}}},
      {"range", to_json(analysis.locator().range(found->span))}};
}

}  // namespace leto::lsp

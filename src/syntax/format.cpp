// The house style. Statements, clauses and items each start a line; whatever
// comments stood before or inside such a line are printed above it, comments
// that stood behind it stay behind it, and single blank lines are kept.
#include <algorithm>

#include "syntax/format_expr.h"
#include "syntax/syntax.h"

namespace leto::syntax {

namespace {

constexpr unsigned kIndent = 4;

class Formatter {
 public:
  Formatter(const Tree& tree, const NameTable& names, const SourceFile* file,
            const FormatOptions& options)
      : tree_(tree),
        names_(names),
        file_(file),
        exprs_(tree, names, options.width),
        width_(options.width),
        allowance_(options.allowance) {}

  std::string run() {
    const Item* before = nullptr;
    for (const Item& item : tree_.items) {
      const bool pair = before && group(*before) != 0 && group(*before) == group(item);
      line(item.span.begin, head_end(item), before != nullptr && !pair);
      std::visit([&](const auto& node) { print(node, item.span); }, item.node);
      end_line(item.span.end);
      before = &item;
    }
    flush_comments(0xffffffffu, false);
    return std::move(out_);
  }

 private:
  // One-line items of a group may stand close together; 0 stands alone.
  static int group(const Item& item) {
    if (std::holds_alternative<ImportItem>(item.node)) return 1;
    if (std::holds_alternative<UseModelItem>(item.node)) return 2;
    if (std::holds_alternative<ConstItem>(item.node) ||
        std::holds_alternative<ConstraintItem>(item.node))
      return 3;
    return 0;
  }
  // Where the part that is printed as one unit ends; comments inside that part
  // are hoisted above it.
  std::uint32_t head_end(const Item& item) const {
    if (const auto* function = std::get_if<FunctionItem>(&item.node))
      return !function->contract.empty() ? item.span.begin
             : function->external        ? item.span.end
                                         : tree_.stmts[function->body].span.begin;
    if (const auto* record = std::get_if<RecordItem>(&item.node)) return record->name.span.end;
    if (const auto* problem = std::get_if<ProblemItem>(&item.node)) return problem->name.span.end;
    if (const auto* checker = std::get_if<ProvedCheckerItem>(&item.node))
      return checker->clauses.empty() ? tree_.stmts[checker->body].span.begin
                                      : checker_head_end(*checker);
    if (const auto* system = std::get_if<SystemItem>(&item.node)) return system->name.span.end;
    if (const auto* model = std::get_if<ModelItem>(&item.node))
      return model->supers.empty() ? model->name.span.end : model->supers.back().span.end;
    return item.span.end;
  }

  // Lines and comments ----------------------------------------------------------

  // Begins a line for the node at [begin, end): blank line, comments, indentation.
  void line(std::uint32_t begin, std::uint32_t end, bool force_blank = false) {
    if (file_ == nullptr) {
      if (force_blank) out_ += '\n';
    } else {
      bool first = true;
      while (comment_ < tree_.comments.size() && tree_.comments[comment_].begin < end) {
        const Comment& comment = tree_.comments[comment_++];
        gap(std::min(comment.begin, begin), first && force_blank);
        own_line(comment);
        first = false;
      }
      gap(begin, first && force_blank);
    }
    at_block_start_ = false;
    indentation();
  }

  // Finishes the line of a node that ended at `end`, with comments behind it.
  void end_line(std::uint32_t end) {
    trailing(end);
    out_ += '\n';
  }
  void trailing(std::uint32_t end) {
    if (file_ == nullptr) return;
    last_end_ = std::max(last_end_, end);
    std::uint32_t from = end;
    while (comment_ < tree_.comments.size()) {
      const Comment& comment = tree_.comments[comment_];
      if (comment.begin >= from && newlines(from, comment.begin) != 0) break;
      if (comment.begin < from && comment.end > from) break;
      ++comment_;
      out_ += "  ";
      out_ += text(comment);
      from = std::max(from, comment.end);
      last_end_ = std::max(last_end_, comment.end);
      if (!comment.block) break;
    }
  }

  // Comments that begin before `limit`, each on a line of its own.
  void flush_comments(std::uint32_t limit, bool force_blank) {
    if (file_ == nullptr) return;
    while (comment_ < tree_.comments.size() && tree_.comments[comment_].begin < limit) {
      const Comment& comment = tree_.comments[comment_++];
      gap(comment.begin, force_blank);
      own_line(comment);
    }
  }
  void own_line(const Comment& comment) {
    at_block_start_ = false;
    indentation();
    out_ += text(comment);
    out_ += '\n';
    last_end_ = std::max(last_end_, comment.end);
  }
  // The blank line, if any, before something that begins at `begin`.
  void gap(std::uint32_t begin, bool force) {
    if (at_block_start_ || out_.empty()) return;
    if (force || (begin > last_end_ && newlines(last_end_, begin) >= 2)) out_ += '\n';
  }
  [[nodiscard]] std::size_t newlines(std::uint32_t from, std::uint32_t to) const {
    if (to <= from) return 0;
    const std::string_view between = file_->text().substr(from, to - from);
    return static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
  }
  [[nodiscard]] std::string text(const Comment& comment) const {
    std::string_view raw = file_->text().substr(comment.begin, comment.end - comment.begin);
    while (!comment.block && !raw.empty() &&
           (raw.back() == ' ' || raw.back() == '\t' || raw.back() == '\r'))
      raw.remove_suffix(1);
    std::string clean;  // line endings are normalised, also inside a comment
    for (std::size_t i = 0; i < raw.size(); ++i)
      if (raw[i] != '\r' || i + 1 >= raw.size() || raw[i + 1] != '\n') clean += raw[i];
    return clean;
  }
  void indentation() {
    demand(allowance_, "formatting");
    out_.append(std::size_t{indent_} * kIndent, ' ');
  }

  void open_brace(std::uint32_t brace_end) {
    out_ += '{';
    trailing(brace_end);
    out_ += '\n';
    ++indent_;
    at_block_start_ = true;
  }
  void close_brace(std::uint32_t brace_begin) {
    flush_comments(brace_begin, false);
    --indent_;
    indentation();
    out_ += '}';
    at_block_start_ = false;
    last_end_ = std::max(last_end_, brace_begin + 1);
  }

  // Small parts --------------------------------------------------------------------

  [[nodiscard]] std::string_view text(const Ident& ident) const { return names_.text(ident.name); }
  void expr(ExprId id, unsigned reserve = 1) {
    exprs_.print(out_, id, indent_ * kIndent + kIndent, reserve);
  }
  void qualified(const QualifiedName& name) {
    out_ += text(name.scope);
    out_ += '.';
    out_ += text(name.member);
  }
  template <class T, class F>
  void commas(const std::vector<T>& list, F one) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ += ", ";
      one(list[i]);
    }
  }
  void dims(const std::vector<ExprId>& list) {
    if (list.empty()) return;
    out_ += '(';
    commas(list, [&](ExprId id) { exprs_.flat(out_, id); });
    out_ += ')';
  }
  [[nodiscard]] std::string param(const Param& p) {
    std::string saved;
    std::swap(saved, out_);
    region(p.attributes);
    if (p.inout) out_ += "inout ";
    out_ += format_type(p.type, names_) + " ";
    out_ += text(p.name);
    dims(p.dims);
    std::swap(saved, out_);
    return saved;
  }
  void region(const Attributes& attributes) {
    if (!attributes.region) return;
    out_ += "@region(";
    out_ += text(*attributes.region);
    out_ += ") ";
  }
  void loop_attributes(const Attributes& attributes) {
    if (attributes.label) {
      out_ += "@label(";
      out_ += text(*attributes.label);
      out_ += ") ";
    }
    if (attributes.noinf) out_ += "@noinf ";
  }
  // As many on a line as fit, aligned under the first.
  void params(const std::vector<Param>& list) {
    out_ += '(';
    const auto column = [&] {
      const std::size_t newline = out_.rfind('\n');
      return out_.size() - (newline == std::string::npos ? 0 : newline + 1);
    };
    const std::size_t first = column();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string one = param(list[i]);
      if (i != 0) {
        out_ += ',';
        if (column() + 1 + one.size() + 3 <= width_) {
          out_ += ' ';
        } else {
          out_ += '\n';
          out_.append(first, ' ');
        }
      }
      out_ += one;
    }
    out_ += ')';
  }

  void print(const Clause& clause) {
    out_ += spelling(clause.kind);
    out_ += ' ';
    expr(clause.expr);
    for (ExprId further : clause.more) {
      out_ += ", ";
      expr(further);
    }
  }
  // Clauses of loops, one per line, deeper than the loop itself. Returns whether
  // there were any: then the body's brace goes on a line of its own.
  bool clauses(const std::vector<Clause>& list, std::uint32_t head) {
    if (list.empty()) return false;
    end_line(head);
    ++indent_;
    for (const Clause& clause : list) {
      line(clause.span.begin, clause.span.end);
      print(clause);
      end_line(clause.span.end);
    }
    --indent_;
    return true;
  }

  // Statements ---------------------------------------------------------------------

  void block(StmtId id) {
    const Stmt& stmt = tree_.stmts[id];
    const auto* node = std::get_if<BlockStmt>(&stmt.node);
    if (node == nullptr) {
      out_ += "{}";
      return;
    }
    if (node->body.empty() && no_comment_before(stmt.span.end)) {
      out_ += "{}";
      return;
    }
    open_brace(stmt.span.begin + 1);
    for (StmtId child : node->body) statement(child);
    close_brace(stmt.span.end - 1);
  }
  [[nodiscard]] bool no_comment_before(std::uint32_t end) const {
    return file_ == nullptr || comment_ >= tree_.comments.size() ||
           tree_.comments[comment_].begin >= end;
  }

  void statement(StmtId id) {
    const Stmt& stmt = tree_.stmts[id];
    line(stmt.span.begin, statement_head_end(stmt));
    std::visit([&](const auto& node) { print(node, stmt.span); }, stmt.node);
    end_line(stmt.span.end);
  }
  [[nodiscard]] std::uint32_t statement_head_end(const Stmt& stmt) const {
    if (const auto* branch = std::get_if<IfStmt>(&stmt.node))
      return tree_.stmts[branch->then_branch].span.begin;
    if (const auto* loop = std::get_if<WhileStmt>(&stmt.node))
      return loop_head_end(*loop, stmt.span);
    if (const auto* loop = std::get_if<ForStmt>(&stmt.node)) return loop_head_end(*loop, stmt.span);
    if (const auto* loop = std::get_if<RepeatStmt>(&stmt.node))
      return loop_head_end(*loop, stmt.span);
    if (const auto* attempt = std::get_if<TryStmt>(&stmt.node))
      return tree_.stmts[attempt->body].span.begin;
    if (const auto* nodes = std::get_if<NodesStmt>(&stmt.node))
      return tree_.stmts[nodes->body].span.begin;
    if (std::holds_alternative<BlockStmt>(stmt.node)) return stmt.span.begin;
    return stmt.span.end;
  }
  template <class Loop>
  [[nodiscard]] std::uint32_t loop_head_end(const Loop& loop, Span span) const {
    if (!loop.invariants.empty()) return header_end(loop, span);
    return tree_.stmts[loop.body].span.begin;
  }
  // The end of the last part of a loop's header.
  template <class Loop>
  [[nodiscard]] std::uint32_t header_end(const Loop& loop, Span span) const {
    std::uint32_t end = span.begin;
    if constexpr (std::is_same_v<Loop, RepeatStmt>) {
      end = std::max(end, tree_.exprs[loop.count].span.end);
    } else if (loop.condition.valid()) {
      end = std::max(end, tree_.exprs[loop.condition].span.end);
    }
    if constexpr (std::is_same_v<Loop, ForStmt>) {
      if (loop.init.valid()) end = std::max(end, tree_.stmts[loop.init].span.end);
      if (loop.step.valid()) end = std::max(end, tree_.stmts[loop.step].span.end);
    }
    return end;
  }

  void print(const ErrorStmt&, Span) { out_ += ";"; }
  void declaration(const DeclStmt& decl) {
    region(decl.attributes);
    if (decl.ghost) out_ += decl.snapshot ? "specvar snapshot " : "specvar ";
    out_ += format_type(decl.type, names_) + " ";
    commas(decl.declarators, [&](const Declarator& one) {
      out_ += text(one.name);
      dims(one.dims);
      if (one.init.valid()) {
        out_ += " = ";
        expr(one.init);
      }
    });
  }
  void print(const DeclStmt& decl, Span) {
    declaration(decl);
    out_ += ';';
  }
  void simple(StmtId id) {
    const auto& node = tree_.stmts[id].node;
    if (const auto* decl = std::get_if<DeclStmt>(&node)) {
      declaration(*decl);
    } else if (const auto* assign = std::get_if<AssignStmt>(&node)) {
      assignment(*assign);
    } else if (const auto* step = std::get_if<StepStmt>(&node)) {
      out_ += step->increment ? "++" : "--";
      exprs_.flat(out_, step->target);
    } else if (const auto* call = std::get_if<CallStmt>(&node)) {
      expr(call->call);
    } else if (const auto* spread = std::get_if<SpreadStmt>(&node)) {
      spreading(*spread);
    }
  }
  void spreading(const SpreadStmt& spread) {
    commas(spread.targets, [&](ExprId target) { exprs_.flat(out_, target); });
    out_ += " = ";
    expr(spread.call);
  }
  void print(const SpreadStmt& spread, Span) {
    spreading(spread);
    out_ += ';';
  }
  void assignment(const AssignStmt& assign) {
    exprs_.flat(out_, assign.target);
    out_ += ' ';
    if (assign.op) out_ += spelling(*assign.op);
    out_ += assign.dotted ? "=. " : "= ";
    expr(assign.value);
  }
  void print(const AssignStmt& assign, Span) {
    assignment(assign);
    out_ += ';';
  }
  void print(const StepStmt& step, Span) {
    out_ += step.increment ? "++" : "--";
    exprs_.flat(out_, step.target);
    out_ += ';';
  }
  void print(const CallStmt& call, Span) {
    expr(call.call);
    out_ += ';';
  }
  void print(const JumpStmt& jump, Span) {
    out_ += spelling(jump.kind);
    if (jump.loop) {
      out_ += ' ';
      out_ += names_.text(jump.loop->name);
    }
    out_ += ';';
  }
  void print(const ReturnStmt& ret, Span) {
    out_ += "return";
    if (ret.value.valid()) {
      out_ += ' ';
      expr(ret.value);
    }
    for (ExprId value : ret.more) {
      out_ += ", ";
      expr(value);
    }
    out_ += ';';
  }
  void binders(const std::vector<Binder>& list) {
    commas(list, [&](const Binder& binder) {
      out_ += format_type(binder.type, names_) + " ";
      out_ += text(binder.name);
    });
  }
  void print(const ChooseStmt& choose, Span) {
    out_ += "choose ";
    commas(choose.targets, [&](ExprId target) { exprs_.flat(out_, target); });
    if (choose.with.valid()) {
      out_ += " with ";
      expr(choose.with);
    }
    out_ += ';';
  }
  void print(const NodesStmt& nodes, Span) {
    out_ += "for (";
    binders(nodes.binders);
    out_ += ") ";
    block(nodes.body);
  }
  void print(const MessageStmt& message, Span) {
    exprs_.flat(out_, message.target);
    out_ += message.dotted ? " = message.(" : " = message(";
    expr(message.value, 3);
    out_ += ", ";
    expr(message.from, 3);
    out_ += ", ";
    expr(message.to, 3);
    out_ += ')';
    if (message.otherwise.valid()) {
      out_ += " else ";
      expr(message.otherwise);
    }
    out_ += ';';
  }
  void print(const ForallStmt& all, Span) {
    out_ += "forall(";
    binders(all.binders);
    out_ += "; ";
    expr(all.range);
    out_ += ") ";
    block(all.body);
  }
  void print(const ClaimStmt& claim, Span) {
    out_ += spelling(claim.kind);
    out_ += ' ';
    expr(claim.expr);
    out_ += ';';
  }
  void print(const BlockStmt& node, Span span) {
    if (node.body.empty() && no_comment_before(span.end)) {
      out_ += "{}";
      return;
    }
    open_brace(span.begin + 1);
    for (StmtId child : node.body) statement(child);
    close_brace(span.end - 1);
  }
  void print(const IfStmt& branch, Span) {
    out_ += "if (";
    expr(branch.condition, 3);
    out_ += ") ";
    block(branch.then_branch);
    if (!branch.else_branch.valid()) return;
    out_ += " else ";
    const Stmt& other = tree_.stmts[branch.else_branch];
    if (const auto* nested = std::get_if<IfStmt>(&other.node))
      print(*nested, other.span);
    else
      block(branch.else_branch);
  }
  template <class Loop>
  void loop_body(const Loop& loop, Span span) {
    if (clauses(loop.invariants, header_end(loop, span))) {
      indentation();
    } else {
      out_ += ' ';
    }
    block(loop.body);
  }
  void print(const WhileStmt& loop, Span span) {
    loop_attributes(loop.attributes);
    out_ += "while (";
    expr(loop.condition, 3);
    out_ += ')';
    loop_body(loop, span);
  }
  void print(const ForStmt& loop, Span span) {
    loop_attributes(loop.attributes);
    out_ += "for (";
    if (loop.init.valid()) simple(loop.init);
    out_ += ';';
    if (loop.condition.valid()) {
      out_ += ' ';
      expr(loop.condition);
    }
    out_ += ';';
    if (loop.step.valid()) {
      out_ += ' ';
      simple(loop.step);
    }
    out_ += ')';
    loop_body(loop, span);
  }

  void print(const RepeatStmt& loop, Span span) {
    loop_attributes(loop.attributes);
    out_ += "repeat ";
    expr(loop.count);
    loop_body(loop, span);
  }
  void print(const TryStmt& attempt, Span) {
    out_ += "try ";
    block(attempt.body);
    out_ += " check ";
    if (attempt.checker) {
      out_ += text(*attempt.checker);
      out_ += ' ';
    }
    out_ += '(';
    expr(attempt.check, 3);
    out_ += ") recover ";
    if (attempt.recover.valid()) {
      block(attempt.recover);
      return;
    }
    out_ += "redo";
    if (attempt.redo.valid()) {
      out_ += '(';
      expr(attempt.redo);
      out_ += ')';
    }
    if (attempt.under) {
      out_ += " under ";
      out_ += text(*attempt.under);
    }
    out_ += ';';
  }

  // Items --------------------------------------------------------------------------

  void print(const ImportItem& item, Span) {
    if (item.library)
      out_ += "import <" + library_name(item) + ">;";
    else
      out_ += "import \"" + item.path + "\";";
  }
  void print(const UseModelItem& item, Span) {
    out_ += "use model ";
    out_ += text(item.model);
    out_ += ';';
  }
  template <class Declared>
  void typed(const Declared& item) {
    out_ += format_type(item.type, names_) + " ";
    out_ += text(item.name);
    if (item.init.valid()) {
      out_ += " = ";
      expr(item.init);
    }
    out_ += ';';
  }
  void print(const ConstItem& item, Span) {
    out_ += "const ";
    if (item.elements.empty() && item.dims.empty()) return typed(item);
    out_ += format_type(item.type, names_) + " ";
    out_ += text(item.name);
    dims(item.dims);
    if (item.init.valid()) {
      out_ += " = ";
      expr(item.init);
    } else if (!item.elements.empty()) {
      out_ += " = ";
      elements(item.elements);
    }
    out_ += ';';
  }
  // As many on a line as fit, aligned under the first.
  void elements(const std::vector<ExprId>& list) {
    out_ += '[';
    std::size_t begin = out_.rfind('\n');
    begin = begin == std::string::npos ? 0 : begin + 1;
    const std::size_t first = out_.size() - begin;
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::string one;
      exprs_.flat(one, list[i]);
      if (i != 0) {
        out_ += ',';
        if (out_.size() - begin + 1 + one.size() + 2 <= width_) {
          out_ += ' ';
        } else {
          out_ += '\n';
          begin = out_.size();
          out_.append(first, ' ');
        }
      }
      out_ += one;
    }
    out_ += ']';
  }
  void print(const CheckerItem& item, Span) {
    out_ += "checker ";
    out_ += text(item.name);
    out_ += " false_positive ";
    expr(item.false_positive);
    out_ += " false_negative ";
    expr(item.false_negative);
    out_ += ';';
  }
  // Where its clauses begin.
  [[nodiscard]] std::uint32_t checker_head_end(const ProvedCheckerItem& item) const {
    std::uint32_t end = item.problem.span.end;
    if (item.when.valid()) end = std::max(end, tree_.exprs[item.when].span.end);
    for (const Param& param : item.witness) {
      end = std::max(end, param.name.span.end);
      for (ExprId dim : param.dims) end = std::max(end, tree_.exprs[dim].span.end);
    }
    return end;
  }
  void print(const ProvedCheckerItem& item, Span) {
    out_ += "checker ";
    out_ += text(item.name);
    out_ += " for ";
    out_ += text(item.problem);
    if (item.when.valid()) {
      out_ += " when ";
      expr(item.when);
    }
    if (!item.witness.empty()) {
      out_ += " with ";
      params(item.witness);
    }
    if (item.clauses.empty()) {
      out_ += ' ';
    } else {
      end_line(checker_head_end(item));
      ++indent_;
      for (const CheckerClause& clause : item.clauses) {
        line(clause.span.begin, clause.span.end);
        std::visit([&](const auto& node) { print(node); }, clause.node);
        end_line(clause.span.end);
      }
      --indent_;
      const std::uint32_t body = tree_.stmts[item.body].span.begin;
      line(body, body);
    }
    block(item.body);
  }
  void print(const CertifiesClause& clause) {
    out_ += "certifies ";
    expr(clause.expr);
  }
  void print(const UnderClause& clause) {
    out_ += clause.complete ? "complete under " : "sound under ";
    out_ += text(clause.model);
    if (!clause.complete) return;
    out_ += " unless ";
    expr(clause.unless);
  }
  void print(const WithinClause& clause) {
    out_ += "within ";
    expr(clause.expr);
  }
  void print(const ExistsClause& clause) {
    out_ += "exists ";
    if (clause.lemma) {
      out_ += "by ";
      out_ += text(*clause.lemma);
    } else if (clause.up_to.valid()) {
      out_ += "up to ";
      expr(clause.up_to);
    } else {
      out_ += "assumed " + clause.assumed;
    }
  }
  void print(const ProblemItem& item, Span span) {
    out_ += "problem ";
    out_ += text(item.name);
    out_ += ' ';
    if (item.members.empty() && no_comment_before(span.end)) {
      out_ += "{}";
      return;
    }
    open_brace(item.name.span.end);
    for (const ProblemMember& member : item.members) {
      line(member.span.begin, member.span.end);
      std::visit(
          [&](const auto& node) {
            if constexpr (std::is_same_v<std::decay_t<decltype(node)>, ConstraintItem>)
              print(node, member.span);
            else
              print(node);
          },
          member.node);
      end_line(member.span.end);
    }
    close_brace(span.end - 1);
  }
  void print(const PortMember& port) {
    out_ += port.output ? "output " : "input ";
    commas(port.params, [&](const Param& one) { out_ += param(one); });
    out_ += ';';
  }
  void print(const UniqueMember& unique) {
    out_ += "unique";
    if (unique.lemma) {
      out_ += " by ";
      out_ += text(*unique.lemma);
    }
    out_ += ';';
  }
  void print(const RightMember& right) {
    out_ += right.surely ? "right surely " : "right ";
    if (!right.against.empty()) {
      out_ += "against ";
      params(right.against);
      out_ += " when ";
      expr(right.when);
      out_ += ": ";
    }
    expr(right.expr);
    out_ += ';';
  }
  void literal(const Literal& value) {
    if (value.scalar.valid()) return expr(value.scalar);
    out_ += '[';
    commas(value.elements, [&](const Literal& one) { literal(one); });
    out_ += ']';
  }
  void print(const ExampleMember& example) {
    out_ += "example (";
    commas(example.given, [&](const Given& one) {
      out_ += text(one.name);
      out_ += " = ";
      literal(one.value);
    });
    out_ += example.right ? ") right" : ") wrong";
    if (!example.against.empty()) {
      out_ += " against (";
      commas(example.against, [&](const Literal& one) { literal(one); });
      out_ += ')';
    }
    out_ += ';';
  }
  void print(const RecordItem& item, Span span) {
    out_ += "record ";
    out_ += text(item.name);
    out_ += ' ';
    if (item.fields.empty() && no_comment_before(span.end)) {
      out_ += "{}";
      return;
    }
    open_brace(item.name.span.end);
    for (const Binder& field : item.fields) {
      line(field.type.span.begin, field.name.span.end);
      out_ += format_type(field.type, names_) + " ";
      out_ += text(field.name);
      out_ += ';';
      end_line(field.name.span.end);
    }
    close_brace(span.end - 1);
  }
  void print(const ConstraintItem& item, Span) {
    out_ += "requires ";
    expr(item.expr);
    out_ += ';';
  }
  // What a name stands for, on a line of its own.
  void print_meaning(ExprId body) {
    out_ += ":\n";
    ++indent_;
    indentation();
    --indent_;
    expr(body);
    out_ += ';';
  }
  void print(const PropertyItem& item, Span) {
    out_ += item.relational ? "property_r " : "property ";
    out_ += text(item.name);
    params(item.params);
    print_meaning(item.body);
  }
  void print(const DefineItem& item, Span) {
    out_ += "define " + format_type(item.type, names_) + " ";
    out_ += text(item.name);
    params(item.params);
    if (item.measure) {
      out_ += ' ';
      print(*item.measure);
    }
    print_meaning(item.body);
  }
  void print_names(const ReliabilityClause& clause) {
    const auto print_list = [&](auto first, auto last) {
      commas(std::vector<Ident>(first, last), [&](const Ident& name) { out_ += text(name); });
    };
    if (!clause.of) return print_list(clause.names.begin(), clause.names.end());
    const auto outputs = clause.names.begin() + static_cast<std::ptrdiff_t>(clause.of->inputs);
    out_ += text(clause.of->problem);
    out_ += '(';
    print_list(clause.names.begin(), outputs);
    out_ += outputs == clause.names.begin() ? ";" : "; ";
    print_list(outputs, clause.names.end());
    out_ += ')';
  }
  void print(const FunctionItem& item, Span) {
    bool first = true;
    for (const Clause& clause : item.contract) {
      if (!first) line(clause.span.begin, clause.span.end);
      print(clause);
      end_line(clause.span.end);
      first = false;
    }
    for (const ReliabilityClause& clause : item.reliability) {
      if (!first) line(clause.span.begin, clause.span.end);
      out_ += "reliability ";
      if (clause.of_result) out_ += "result >= ";
      expr(clause.number);
      out_ += clause.of_result ? " * R(" : " <= R(";
      print_names(clause);
      out_ += ')';
      end_line(clause.span.end);
      first = false;
    }
    if (!first)
      line(item.type.span.begin,
           item.external ? item.name.span.end : tree_.stmts[item.body].span.begin);
    if (item.pure) out_ += "pure ";
    if (item.external) out_ += "extern ";
    if (item.ends) out_ += "ends ";
    print_kind(item);
    out_ += text(item.name);
    params(item.params);
    if (!item.made.empty()) {
      out_ += " returns ";
      params(item.made);
    }
    if (item.external) {
      out_ += ';';
      return;
    }
    out_ += ' ';
    block(item.body);
  }
  // What it is or gives, before its name.
  void print_kind(const FunctionItem& item) {
    if (item.lemma) {
      out_ += "lemma ";
    } else if (item.results.empty()) {
      out_ += format_type(item.type, names_) + " ";
    } else {
      out_ += '(';
      commas(item.results, [&](const Binder& one) {
        out_ += format_type(one.type, names_) + " ";
        out_ += text(one.name);
      });
      out_ += ") ";
    }
  }
  void print(const ModelItem& item, Span span) {
    out_ += "model ";
    out_ += text(item.name);
    if (item.over.name.valid()) {
      out_ += " over ";
      out_ += text(item.over);
    }
    if (!item.supers.empty()) out_ += " refines ";
    commas(item.supers, [&](const Ident& super) { out_ += text(super); });
    out_ += ' ';
    if (item.members.empty() && no_comment_before(span.end)) {
      out_ += "{}";
      return;
    }
    // The brace's own place is not in the tree; the head's end will do.
    const Ident& head = item.over.name.valid() ? item.over : item.name;
    open_brace(item.supers.empty() ? head.span.end : item.supers.back().span.end);
    bool first = true;
    bool after_operator = false;
    for (const Member& member : item.members) {
      const auto* op = std::get_if<OperatorMember>(&member.node);
      const auto* message = std::get_if<MessageMember>(&member.node);
      const std::uint32_t end = op ? op->head.end : message ? message->head.end : member.span.end;
      const bool large = op != nullptr || message != nullptr;
      line(member.span.begin, end, !first && (large || after_operator));
      std::visit([&](const auto& node) { print(node, member.span); }, member.node);
      end_line(member.span.end);
      first = false;
      after_operator = large;
    }
    close_brace(span.end - 1);
  }
  void print(const StateMember& member, Span) { typed(member); }
  void print(const InvariantMember& member, Span) {
    out_ += "invariant ";
    expr(member.expr);
    out_ += ';';
  }
  void print(const ImportMember& member, Span) {
    out_ += "import ";
    qualified(member.target);
    if (!member.refines.empty()) out_ += " refines ";
    commas(member.refines, [&](const QualifiedName& name) { qualified(name); });
    out_ += ';';
  }
  void print(const InitMember& member, Span) {
    qualified(member.target);
    out_ += " = ";
    expr(member.value);
    out_ += ';';
  }
  void print(const RigidMember& member, Span) {
    out_ += "const " + format_type(member.type, names_) + " ";
    out_ += text(member.name);
    params(member.params);
    out_ += ';';
  }
  void names(const std::vector<Ident>& list) {
    out_ += '(';
    commas(list, [&](const Ident& name) { out_ += text(name); });
    out_ += ')';
  }
  void print(const RigidValueMember& member, Span) {
    qualified(member.target);
    names(member.params);
    out_ += " = ";
    expr(member.value);
    out_ += ';';
  }
  void print(const WitnessMember& member, Span) {
    out_ += "witness ";
    out_ += text(member.name);
    names(member.params);
    out_ += ": ";
    expr(member.value);
    out_ += ';';
  }
  // Of an operator or a message, on a line of their own.
  void attributes(const Attributes& list) {
    if (!list.label && !list.region && !list.rate.valid() && !list.replaces) return;
    std::string_view gap;
    if (list.label) {
      out_ += "@label(";
      out_ += text(*list.label);
      out_ += ')';
      gap = " ";
    }
    if (list.region) {
      out_ += gap;
      out_ += "@region(";
      out_ += text(*list.region);
      out_ += ')';
      gap = " ";
    }
    if (list.rate.valid()) {
      out_ += gap;
      out_ += "@rate(";
      expr(list.rate);
      out_ += ')';
      gap = " ";
    }
    if (list.replaces) {
      out_ += gap;
      out_ += "@replaces";
    }
    out_ += '\n';
    indentation();
  }
  void print(const EnumItem& item, Span) {
    out_ += "enum ";
    out_ += text(item.name);
    std::size_t length = indent_ * kIndent + 6 + text(item.name).size() + 4;
    for (const Ident& value : item.values) length += text(value).size() + 2;
    if (length <= width_) {
      out_ += " { ";
      commas(item.values, [&](const Ident& value) { out_ += text(value); });
      out_ += " }";
      return;
    }
    // As many on a line as fit.
    out_ += " {";
    std::size_t column = width_;
    for (std::size_t i = 0; i < item.values.size(); ++i) {
      const std::string_view one = text(item.values[i]);
      if (column + one.size() + 2 > width_) {
        out_ += '\n';
        ++indent_;
        indentation();
        --indent_;
        column = (indent_ + 1) * kIndent;
      } else {
        out_ += ' ';
        ++column;
      }
      out_ += one;
      column += one.size() + 1;
      if (i + 1 != item.values.size()) out_ += ',';
    }
    out_ += '\n';
    indentation();
    out_ += '}';
  }
  void print(const NodeMember& member, Span) {
    out_ += member.constant ? "const node " : "node ";
    typed(member);
  }
  void print(const RoundMember& member, Span) {
    out_ += "round " + format_type(member.type, names_) + " ";
    out_ += text(member.name);
    out_ += ';';
  }
  void print(const MessageMember& message, Span) {
    attributes(message.attributes);
    out_ += "message";
    params(message.params);
    ++indent_;
    std::uint32_t end =
        message.params.empty() ? message.head.end : message.params.back().name.span.end;
    for (const MessageMember::Part& clause : message.clauses) {
      end_line(end);
      line(clause.span.begin, clause.span.end);
      std::visit([&](const auto& node) { print(node); }, clause.node);
      end = clause.span.end;
    }
    out_ += ';';
    --indent_;
  }
  void print(const MessageMember::Changes& clause) {
    out_ += "modifies ";
    commas(clause.places, [&](const MessageMember::Changed& one) {
      out_ += text(one.name);
      if (!one.at) return;
      out_ += '[';
      out_ += text(*one.at);
      out_ += ']';
    });
  }

  void print(const SystemItem& item, Span span) {
    out_ += "system ";
    out_ += text(item.name);
    out_ += ' ';
    if (item.parts.empty() && no_comment_before(span.end)) {
      out_ += "{}";
      return;
    }
    open_brace(item.name.span.end);
    bool first = true, after_step = false;
    for (const Part& part : item.parts) {
      const auto* step = std::get_if<StepPart>(&part.node);
      line(part.span.begin, step ? tree_.stmts[step->body].span.begin : part.span.end,
           !first && (step != nullptr || after_step));
      std::visit([&](const auto& node) { print(node, part.span); }, part.node);
      end_line(part.span.end);
      first = false;
      after_step = step != nullptr;
    }
    close_brace(span.end - 1);
  }
  void print(const NodesPart& part, Span) {
    out_ += "nodes ";
    commas(part.sorts, [&](const NodesPart::Sort& sort) {
      out_ += text(sort.name);
      out_ += '(';
      exprs_.flat(out_, sort.count);
      out_ += ')';
    });
    out_ += ';';
  }
  void print(const InitiallyPart& part, Span) {
    out_ += "initially ";
    expr(part.expr);
    out_ += ';';
  }
  void print(const TrustPart& part, Span) {
    out_ += "trust ";
    expr(part.expr);
    out_ += ';';
  }
  void print(const VariablePart& part, Span) {
    if (part.clock) out_ += "@clock ";
    out_ += format_type(part.type, names_) + " ";
    out_ += text(part.name);
    if (!part.indices.empty()) names(part.indices);
    if (part.init.valid()) {
      out_ += " = ";
      expr(part.init);
    }
    out_ += ';';
  }
  void print(const StepPart& part, Span) {
    out_ += "step ";
    out_ += text(part.name);
    if (!part.binders.empty()) {
      out_ += '(';
      binders(part.binders);
      out_ += ')';
    }
    if (part.when.valid()) {
      out_ += " when ";
      expr(part.when, 2);
    }
    out_ += ' ';
    block(part.body);
  }
  void print(const ElapsePart& part, Span) {
    out_ += "elapse ";
    out_ += text(part.clock);
    out_ += " to ";
    commas(part.moments, [&](const ElapsePart::Moment& moment) {
      exprs_.flat(out_, moment.place);
      if (!moment.binders.empty()) {
        out_ += " for (";
        binders(moment.binders);
        out_ += ')';
      }
      if (moment.when.valid()) {
        out_ += " when ";
        expr(moment.when);
      }
    });
    out_ += ';';
  }
  void print(const ClaimPart& part, Span) {
    out_ += part.lemma ? "lemma " : "always ";
    out_ += text(part.name);
    out_ += ": ";
    expr(part.expr);
    out_ += ';';
  }
  void print(const OperatorMember& op, Span) {
    attributes(op.attributes);
    switch (op.kind) {
      case OperationKind::Unary:
        out_ += "operator " + std::string(spelling(op.unary));
        break;
      case OperationKind::Binary:
        out_ += "operator " + std::string(spelling(op.binary));
        break;
      case OperationKind::Read:
        out_ += "read";
        break;
      case OperationKind::Write:
        out_ += "write";
        break;
    }
    params(op.params);
    ++indent_;
    std::uint32_t end = op.params.empty() ? op.head.end : op.params.back().name.span.end;
    for (const auto& clause : op.clauses) {
      end_line(end);
      line(clause.span.begin, clause.span.end);
      std::visit([&](const auto& node) { print(node); }, clause.node);
      end = clause.span.end;
    }
    out_ += ';';
    --indent_;
  }
  void print(const OperatorMember::When& clause) {
    out_ += "when ";
    expr(clause.expr);
  }
  void print(const OperatorMember::Ensures& clause) {
    out_ += "ensures ";
    expr(clause.expr);
  }
  void print(const OperatorMember::Modifies& clause) {
    out_ += "modifies ";
    commas(clause.names, [&](const Ident& name) { out_ += text(name); });
  }
  void print(const OperatorMember::Refines& clause) {
    out_ += "refines ";
    commas(clause.targets, [&](const QualifiedName& name) { qualified(name); });
  }

  const Tree& tree_;
  const NameTable& names_;
  const SourceFile* file_;
  ExprPrinter exprs_;
  unsigned width_;
  const Allowance* allowance_;
  std::string out_;
  unsigned indent_ = 0;
  std::size_t comment_ = 0;      // the next comment to print
  std::uint32_t last_end_ = 0;   // where the last thing printed ended in the source
  bool at_block_start_ = false;  // no blank line behind an open brace
};

}  // namespace

std::string format(const Tree& tree, const NameTable& names, const SourceFile* file,
                   const FormatOptions& options) {
  return Formatter(tree, names, file, options).run();
}

std::string format(const Tree& tree, const NameTable& names, ExprId expr) {
  std::string out;
  ExprPrinter(tree, names, 0).flat(out, expr);
  return out;
}

}  // namespace leto::syntax

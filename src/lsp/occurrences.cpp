#include "lsp/occurrences.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace leto::lsp {

using namespace syntax;
using check::ModelId;
using check::SymbolId;
using check::SymbolKind;
using check::TreeIndex;

namespace {

bool comes_before(const Occurrence& a, const Occurrence& b) {
  return std::tuple(a.span.file, a.span.begin, a.span.end, a.entity) <
         std::tuple(b.span.file, b.span.begin, b.span.end, b.entity);
}

class Collector {
 public:
  Collector(const check::Checked& checked, const NameTable& names, const SourceStore& sources)
      : checked_(checked), names_(names), sources_(sources) {
    for (std::uint32_t i = 0; i < checked_.symbols.size(); ++i)
      if (checked_.symbols[SymbolId{i}].kind == SymbolKind::Model)
        models_.emplace(checked_.symbols[SymbolId{i}].name, SymbolId{i});
      else if (checked_.symbols[SymbolId{i}].kind == SymbolKind::Record)
        records_.emplace(checked_.symbols[SymbolId{i}].name, SymbolId{i});
  }

  Occurrences run() {
    for (TreeIndex t = 0; t < checked_.trees.size(); ++t) {
      tree_ = checked_.trees[t];
      if (tree_->derived) continue;
      facts_ = &checked_.facts[t];
      declarations(t);
      for (std::uint32_t i = 0; i < tree_->exprs.size(); ++i) expression(ExprId{i});
      for (const Stmt& stmt : tree_->stmts) statement(stmt);
      for (const Item& item : tree_->items)
        std::visit([&](const auto& node) { visit(node); }, item.node);
    }
    std::sort(found_.all.begin(), found_.all.end(), comes_before);
    const auto same = [](const Occurrence& a, const Occurrence& b) { return a.span == b.span; };
    found_.all.erase(std::unique(found_.all.begin(), found_.all.end(), same), found_.all.end());
    return std::move(found_);
  }

 private:
  std::string text(Name name) const {
    return name.valid() ? std::string(names_.text(name)) : std::string();
  }
  std::uint32_t make(Entity entity) {
    found_.entities.push_back(std::move(entity));
    return static_cast<std::uint32_t>(found_.entities.size() - 1);
  }
  void put(Span span, std::uint32_t entity, std::optional<Side> side = {}) {
    if (span.end > span.begin) found_.all.push_back({span, entity, side});
  }

  std::uint32_t of_symbol(SymbolId id) {
    const auto known = symbols_.find(id);
    if (known != symbols_.end()) return known->second;
    const check::Symbol& symbol = checked_.symbols[id];
    Entity entity{Entity::Kind::Symbol, text(symbol.name)};
    entity.symbol = id;
    // The results of functions and operators are declared by nobody.
    if (symbol.kind != SymbolKind::Result && symbol.kind != SymbolKind::Outcome &&
        symbol.kind != SymbolKind::Exact)
      entity.declared = symbol.span;
    return symbols_[id] = make(std::move(entity));
  }
  void use_symbol(Span span, SymbolId id, std::optional<Side> side = {}) {
    if (id.valid()) put(span, of_symbol(id), side);
  }
  void use_model(const Ident& ident) {
    const auto found = models_.find(ident.name);
    if (found != models_.end()) use_symbol(ident.span, found->second);
  }
  void use_checker(const Ident& ident) {
    const check::FoundChecker found = check::find_checker(checked_, ident.name);
    if (found.item == nullptr) return;
    const auto [it, fresh] = checkers_.emplace(ident.name, 0);
    if (fresh) it->second = make({Entity::Kind::Checker, text(ident.name), found.item->name.span});
    put(ident.span, it->second);
  }
  // Problems are no symbols: what is proved of them is.
  void use_problem(const Ident& ident) {
    const ProblemItem* problem = problem_named(ident.name);
    if (problem == nullptr) return;
    const auto [it, fresh] = problems_.emplace(problem, 0);
    if (fresh) {
      it->second = make({Entity::Kind::Problem, text(ident.name), problem->name.span});
      found_.entities.back().problem = problem;
    }
    put(ident.span, it->second);
  }
  // The word behind the problem's name and the dot.
  void use_right(const Ident& ident) {
    const ProblemItem* problem = problem_named(ident.name);
    if (problem == nullptr) return;
    const std::string_view source = sources_[ident.span.file].text();
    const auto skip = [&](std::size_t at) { return source.find_first_not_of(" \t\r\n", at); };
    const std::size_t dot = skip(ident.span.end);
    if (dot == std::string_view::npos || source[dot] != '.') return;
    const std::size_t word = skip(dot + 1);
    constexpr std::string_view kRight = "right";
    if (word == std::string_view::npos || source.substr(word, kRight.size()) != kRight) return;
    const auto [it, fresh] = rights_.emplace(problem, 0);
    if (fresh) {
      it->second = make({Entity::Kind::Right, text(ident.name) + ".right"});
      Entity& made = found_.entities.back();
      made.problem = problem;
      for (const ProblemMember& member : problem->members)
        if (!made.declared && std::holds_alternative<RightMember>(member.node))
          made.declared = member.span;
    }
    const auto begin = static_cast<std::uint32_t>(word);
    put({ident.span.file, begin, begin + static_cast<std::uint32_t>(kRight.size())}, it->second);
  }
  const ProblemItem* problem_named(Name name) const {
    for (const Tree* tree : checked_.trees)
      for (const Item& item : tree->items)
        if (const auto* problem = std::get_if<ProblemItem>(&item.node);
            problem != nullptr && problem->name.name == name)
          return problem;
    return nullptr;
  }
  void use_label(Span span, const OperatorMember* op) {
    if (op == nullptr || !op->attributes.label) return;
    const auto [it, fresh] = labels_.emplace(op, 0);
    if (fresh)
      it->second = make({Entity::Kind::OperatorLabel,
                         text(op->attributes.label->name),
                         op->attributes.label->span,
                         {},
                         op});
    put(span, it->second);
  }
  void use_region(const std::optional<Ident>& region) {
    if (!region) return;
    const auto [it, fresh] = regions_.emplace(region->name, 0);
    if (fresh) it->second = make({Entity::Kind::Region, text(region->name)});
    put(region->span, it->second);
  }
  const check::Model* model_named(Name name) const {
    for (const check::Model& model : checked_.models)
      if (model.name == name) return &model;
    return nullptr;
  }

  // All that `check` declared, and the state variables that operators modify.
  void declarations(TreeIndex t) {
    for (const auto& [key, id] : facts_->declared) {
      const std::uint32_t begin = key.begin;
      const check::Symbol& symbol = checked_.symbols[id];
      if (symbol.kind == SymbolKind::Result || symbol.kind == SymbolKind::Outcome) continue;
      if (symbol.tree == t && symbol.span.begin == begin) {
        use_symbol(symbol.span, id);
      } else {
        const auto length = static_cast<std::uint32_t>(text(symbol.name).size());
        use_symbol({tree_->file, begin, begin + length}, id);
      }
    }
  }

  // The record's own name in a type; of a vector it stands before the bracket.
  void use_type(const TypeSyntax& type) {
    const auto found = records_.find(type.record);
    if (!type.record.valid() || found == records_.end()) return;
    const auto length = static_cast<std::uint32_t>(text(type.record).size());
    const std::uint32_t end = type.span.end - (type.shape == Shape::Scalar ? 0 : 1);
    use_symbol({type.span.file, end - length, end}, found->second);
  }
  // A field of a variable: the variable, and the field where the record declares it.
  void use_field(SymbolId field, Span variable, Span name, std::optional<Side> side) {
    const check::Symbol& whole = checked_.symbols[checked_.symbols[field].whole];
    use_symbol(variable, checked_.symbols[field].whole, side);
    for (std::size_t i = 0; i < whole.fields.size(); ++i)
      if (whole.fields[i] == field) use_symbol(name, whole.type.record->fields[i].symbol);
  }
  [[nodiscard]] bool is_field(SymbolId id) const {
    return id.valid() && checked_.symbols[id].whole.valid();
  }
  void expression(ExprId id, const FieldExpr& e) {
    const SymbolId symbol = facts_->symbols[id.value];
    if (const auto found = facts_->fields.find(id.value); found != facts_->fields.end()) {
      const check::Record* record = facts_->types[e.base.value].record;
      use_symbol(e.field.span, record->fields[found->second].symbol);
    } else if (const auto* sided = std::get_if<SidedExpr>(&tree_->exprs[e.base].node);
               sided != nullptr && is_field(symbol)) {
      const Span base = tree_->exprs[e.base].span;  // without "<o>"
      use_field(symbol, {base.file, base.begin, base.end - 3}, e.field.span, sided->side);
    }
  }

  void expression(ExprId id) {
    const Expr& expr = tree_->exprs[id];
    const SymbolId symbol = facts_->symbols[id.value];
    if (const auto* field = std::get_if<FieldExpr>(&expr.node)) return expression(id, *field);
    if (const auto* quant = std::get_if<QuantExpr>(&expr.node))
      for (const Binder& binder : quant->binders) use_type(binder.type);
    if (const auto* member = std::get_if<MemberExpr>(&expr.node);
        member != nullptr && is_field(symbol))
      return use_field(symbol, member->scope.span, member->member.span, {});
    if (const auto* member = std::get_if<MemberExpr>(&expr.node)) {
      const bool label = symbol.valid() && checked_.symbols[symbol].kind == SymbolKind::Label;
      if (!label) use_model(member->scope);
      use_symbol(label ? member->scope.span : member->member.span, symbol);
    }
    if (const auto* call = std::get_if<MemberCallExpr>(&expr.node)) {
      if (call->scope) use_model(*call->scope);
      use_symbol(call->member.span, symbol);
    }
    if (const auto* call = std::get_if<CallExpr>(&expr.node); call != nullptr && call->of) {
      use_problem(call->of->problem);
      use_right(call->of->problem);
    }
    if (!symbol.valid()) return;
    if (std::holds_alternative<NameExpr>(expr.node)) use_symbol(expr.span, symbol);
    // Without "<o>", which is not written everywhere.
    if (const auto* sided = std::get_if<SidedExpr>(&expr.node)) {
      const auto length = static_cast<std::uint32_t>(text(sided->name).size());
      const bool written = expr.span.end - expr.span.begin > length;
      use_symbol({expr.span.file, expr.span.begin, expr.span.begin + length}, symbol,
                 written ? std::optional(sided->side) : std::nullopt);
    }
    if (const auto* model = std::get_if<ModelExpr>(&expr.node))
      use_symbol(model->member.span, symbol);
    if (const auto* call = std::get_if<CallExpr>(&expr.node); call != nullptr && !call->of)
      use_symbol(call->callee.span, symbol);
  }

  void statement(const Stmt& stmt) {
    if (const auto* decl = std::get_if<DeclStmt>(&stmt.node)) {
      use_region(decl->attributes.region);
      use_type(decl->type);
    }
    if (const auto* attempt = std::get_if<TryStmt>(&stmt.node)) {
      if (attempt->checker) use_checker(*attempt->checker);
      if (attempt->under) use_model(*attempt->under);
    }
  }

  void visit(const ImportItem& item) { put(item.path_span, make({Entity::Kind::File, item.path})); }
  void visit(const UseModelItem& item) { use_model(item.model); }
  void visit(const ConstItem&) {}
  void visit(const ConstraintItem&) {}
  void visit(const CheckerItem& item) { use_checker(item.name); }
  void visit(const ProblemItem& item) { use_problem(item.name); }
  void visit(const SystemItem&) {}
  void visit(const ProvedCheckerItem& item) { use_problem(item.problem); }
  void visit(const RecordItem&) {}
  void visit(const PropertyItem&) {}
  void visit(const DefineItem&) {}
  void visit(const FunctionItem& item) {
    use_type(item.type);
    for (const Binder& result : item.results) use_type(result.type);
    for (const Param& param : item.params) {
      use_region(param.attributes.region);
      use_type(param.type);
    }
    for (const Param& one : item.made) use_type(one.type);
    for (const ReliabilityClause& clause : item.reliability)
      if (clause.of) use_problem(clause.of->problem);
    for (const ReliabilityClause& clause : item.reliability)
      for (const Ident& name : clause.names)
        for (const Param& param : item.params)
          if (param.name.name == name.name) use_declared(name.span, param.name);
  }
  void use_declared(Span span, const Ident& ident) {
    const auto found = facts_->declared.find(check::key_of(ident.span));
    if (found != facts_->declared.end()) use_symbol(span, found->second);
  }

  void visit(const ModelItem& item) {
    if (item.over.name.valid()) use_model(item.over);
    for (const Ident& super : item.supers) use_model(super);
    for (const Member& one : item.members)
      std::visit([&](const auto& node) { visit_member(node); }, one.node);
  }
  void visit_member(const ConstItem&) {}
  void visit_member(const ConstraintItem&) {}
  void visit_member(const StateMember&) {}
  void visit_member(const InvariantMember&) {}
  void visit_member(const OperatorMember& op) {
    use_region(op.attributes.region);
    if (op.attributes.label) use_label(op.attributes.label->span, &op);
    for (const OperatorMember::OpClause& clause : op.clauses)
      if (const auto* refines = std::get_if<OperatorMember::Refines>(&clause.node))
        for (const QualifiedName& target : refines->targets) use_operator(target);
  }
  void visit_member(const ImportMember& import) {
    use_operator(import.target);
    for (const QualifiedName& target : import.refines) use_operator(target);
  }
  void visit_member(const InitMember& init) {
    use_model(init.target.scope);
    const check::Model* model = model_named(init.target.scope.name);
    if (model == nullptr) return;
    const auto found = model->members.find(init.target.member.name);
    if (found != model->members.end() && found->second.size() == 1)
      use_symbol(init.target.member.span, found->second.front());
  }
  void visit_member(const RigidMember&) {}
  void visit_member(const RigidValueMember& value) { use_model(value.target.scope); }
  void visit_member(const WitnessMember&) {}
  void visit_member(const EnumItem&) {}
  void visit_member(const PropertyItem&) {}
  void visit_member(const NodeMember&) {}
  void visit_member(const RoundMember&) {}
  void visit_member(const MessageMember&) {}
  // M.label
  void use_operator(const QualifiedName& target) {
    use_model(target.scope);
    const check::Model* model = model_named(target.scope.name);
    if (model == nullptr) return;
    for (const check::ModelOperator& op : model->operators)
      if (op.label.valid() && op.label == target.member.name)
        use_label(target.member.span, op.syntax);
  }

  const check::Checked& checked_;
  const NameTable& names_;
  const SourceStore& sources_;
  const Tree* tree_ = nullptr;
  const check::Facts* facts_ = nullptr;
  Occurrences found_;
  std::map<Name, SymbolId> models_, records_;
  std::map<SymbolId, std::uint32_t> symbols_;
  std::map<Name, std::uint32_t> checkers_, regions_;
  std::map<const OperatorMember*, std::uint32_t> labels_;
  std::map<const ProblemItem*, std::uint32_t> problems_, rights_;
};

}  // namespace

const Occurrence* Occurrences::at(FileId file, std::uint32_t offset) const {
  const auto past =
      std::upper_bound(all.begin(), all.end(), std::pair(file, offset),
                       [](const std::pair<FileId, std::uint32_t>& place, const Occurrence& o) {
                         return place < std::pair(o.span.file, o.span.begin);
                       });
  if (past == all.begin()) return nullptr;
  const Occurrence& before = *(past - 1);
  return before.span.file == file && offset <= before.span.end ? &before : nullptr;
}

Occurrences collect_occurrences(const check::Checked& checked, const NameTable& names,
                                const SourceStore& sources) {
  return Collector(checked, names, sources).run();
}

}  // namespace leto::lsp

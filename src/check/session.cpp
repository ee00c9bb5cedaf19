#include "check/session.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::check {

std::string_view find_library(std::string_view name) {
  struct Entry {
    std::string_view library;
    std::string_view name;
  };
  static constexpr Entry kEntries[] = {
      {"counts", "count"},
      {"counts", "permutation"},
      {"injections", "injective"},
      {"injections", "places_below"},
      {"injections", "sum_at"},
      {"roots", "sqrt"},
      {"sorted", "ascending"},
      {"sorted", "sorted"},
      {"sums", "dot"},
      {"sums", "sum"},
      {"sums", "sum_between"},
  };
  for (const Entry& entry : kEntries)
    if (entry.name == name) return entry.library;
  return {};
}

bool is_builtin(std::string_view name) {
  return name == "abs" || name == "min" || name == "max";
}

void refuse_elements(Session& session, const syntax::ConstItem& item) {
  if (item.elements.empty()) return;
  const std::string name = session.text(item.name.name);
  session.report(Diagnostic{DiagnosticKind::BadTable,
                            item.name.span,
                            {fmt::format("'{}' is one value, and a list of them is given", name)},
                            {},
                            {}}
                     .helping(fmt::format(
                         "a constant vector of a program is 'const vector<{}> {}({}) = [...];'",
                         syntax::spelling(item.type.scalar), name, item.elements.size())));
}

// Whatever is declared comes by here. A name that the language gives a meaning to where it is not
// declared would hide that meaning.
const syntax::FunctionItem& Session::function_item(SymbolId id) const {
  const Symbol& s = symbol(id);
  return std::get<syntax::FunctionItem>(tree(s.tree).items[s.item].node);
}

SymbolId Session::add(Symbol symbol) {
  const bool given = symbol.kind == SymbolKind::Result || symbol.kind == SymbolKind::Outcome;
  if (!given && symbol.name.valid() && names.text(symbol.name) == "result")
    report(Diagnostic{
        DiagnosticKind::ReservedName,
        symbol.span,
        {"result", "what is returned, or an operator's outcome,"},
        {},
        {}}.helping("give it another name"));
  const SymbolId id = checked.symbols.add(symbol);
  // Nobody declares what an operator's outcome would be: its place is that of `result`.
  if (symbol.kind != SymbolKind::Exact)
    checked.facts[symbol.tree].declared[key_of(symbol.span)] = id;
  return id;
}

Type Session::expect_type(const syntax::TypeSyntax& written) {
  const Type type = checked.type_of(written);
  if (!written.record.valid()) return type;
  if (type.error) {
    NearestName nearest(names.text(written.record));
    for (const auto& [name, record] : checked.records) nearest.offer(record->name);
    for (std::string_view word : {"bool", "int", "uint", "real"}) nearest.offer(word);
    // Of a vector the name stands in the middle.
    const auto length = static_cast<std::uint32_t>(text(written.record).size());
    Span at = written.span;
    if (written.shape != syntax::Shape::Scalar) at = {at.file, at.end - 1 - length, at.end - 1};
    unknown("record", {written.record, at}, nearest.best());
  } else if (written.shape == syntax::Shape::Matrix) {
    report(Diagnostic{
        DiagnosticKind::NoRecordHere, written.span, {"an element of a matrix", "a record"}, {}, {}}
               .helping("declare a matrix for each field"));
    return error_type();
  }
  return type;
}

std::vector<const Model*> Session::models_in_force() const {
  std::vector<const Model*> list;
  if (checked.model.valid()) list.push_back(&checked.models[checked.model]);
  for (ModelId id : under) list.push_back(&checked.models[id]);
  return list;
}

void Session::expect_mention(DiagnosticKind kind, const std::vector<std::string>& what, bool unary,
                             Span at,
                             const std::function<bool(const syntax::OperatorMember&)>& mentions) {
  const std::vector<const Model*> in_force = models_in_force();
  if (in_force.empty() && !checked.unmodelled) checked.unmodelled = at;
  for (const Model* model : in_force) {
    bool mentioned = false;
    for (const Model* layer : layers_of(checked, *model))
      mentioned =
          mentioned || std::any_of(layer->operators.begin(), layer->operators.end(),
                                   [&](const ModelOperator& op) { return mentions(*op.syntax); });
    if (mentioned) continue;
    std::vector<std::string> args{text(model->name)};
    args.insert(args.end(), what.begin(), what.end());
    std::string key = fmt::format("{} {}", static_cast<int>(kind), unary);
    for (const std::string& arg : args) key += " " + arg;
    if (told_once.insert(std::move(key)).second) report(kind, at, std::move(args));
  }
}

void Session::expect_operator(std::string_view sign, bool unary, const Type& operands, Span at) {
  expect_mention(
      DiagnosticKind::OperatorNotInModel, {fmt::format("{}.", sign), describe(operands)}, unary, at,
      [&](const syntax::OperatorMember& op) {
        return op.kind == (unary ? syntax::OperationKind::Unary : syntax::OperationKind::Binary) &&
               (unary ? spelling(op.unary) : spelling(op.binary)) == sign &&
               operand_type(op) == operands;
      });
}

void Session::expect_region(Name region, const Type& type, Span at) {
  if (type.record != nullptr) {
    for (const Record::Field& field : type.record->fields)
      if (!field.type.error) expect_region(region, field.type, at);
    return;
  }
  const Type element = element_type(type);
  expect_mention(DiagnosticKind::RegionNotInModel, {text(region), describe(element)}, false, at,
                 [&](const syntax::OperatorMember& op) {
                   return op.attributes.region && op.attributes.region->name == region &&
                          operand_type(op) == element;
                 });
}

void Session::expect_chance(const syntax::Expr& expr) {
  const Name number = syntax::number_text(expr);
  const std::string written = number.valid() ? text(number) : "something else";
  if (!number.valid() || std::strtod(written.c_str(), nullptr) > 1)
    report(DiagnosticKind::TypeMismatch, expr.span, {"a number from 0 to 1", written});
}

std::optional<Help> Session::nearest_member(const Model& model, const syntax::Ident& member) const {
  NearestName nearest(names.text(member.name));
  for (const auto& [name, ids] : model.reachable) nearest.offer(names.text(name));
  if (nearest.best().empty()) return std::nullopt;
  return Help{fmt::format("did you mean '{}'?", nearest.best()),
              Edit{member.span, std::string(nearest.best())}};
}

void Session::unknown(std::string what, const syntax::Ident& ident, std::string_view nearest,
                      std::string_view hint) {
  if (!ident.name.valid() || skipped_names.contains(ident.name)) return;
  Diagnostic d{
      DiagnosticKind::UnknownName, ident.span, {std::move(what), text(ident.name)}, {}, {}};
  if (!nearest.empty())
    d.help =
        Help{fmt::format("did you mean '{}'?", nearest), Edit{ident.span, std::string(nearest)}};
  else if (!hint.empty())
    d.help = Help{std::string(hint), std::nullopt};
  sink.report(std::move(d));
}

SymbolId Scope::declare(Symbol symbol) {
  SymbolId before = find(symbol.name);
  const bool of_program = symbol.kind == SymbolKind::Param || symbol.kind == SymbolKind::Local ||
                          symbol.kind == SymbolKind::Ghost ||
                          symbol.kind == SymbolKind::PropertyParam;
  if (!before.valid() && of_program) {
    const auto global = session_.globals.find(symbol.name);
    if (global != session_.globals.end() &&
        session_.symbol(global->second).kind == SymbolKind::Constant)
      before = global->second;
  }
  if (before.valid() && symbol.name.valid()) {
    const auto at =
        std::find(order_.begin() + static_cast<std::ptrdiff_t>(block_), order_.end(), symbol.name);
    const bool same_block = at != order_.end();
    session_.report(Diagnostic{
        same_block ? DiagnosticKind::DuplicateName : DiagnosticKind::Shadowing,
        symbol.span,
        {session_.text(symbol.name)},
        {},
        {}}.note(session_.symbol(before).span, "the other one is declared here")
                        .helping("give one of them another name"));
    return session_.add(symbol);  // known to the facts, but it does not replace the first
  }
  const SymbolId id = session_.add(symbol);
  if (symbol.name.valid()) {
    visible_[symbol.name] = id;
    order_.push_back(symbol.name);
    declare_fields(id);
  }
  return id;
}

// Each is a variable by itself, and what is done to the record is done to all of them.
void Scope::declare_fields(SymbolId whole) {
  const Symbol symbol = session_.symbol(whole);
  if (symbol.type.error || symbol.type.record == nullptr) return;
  std::vector<SymbolId> fields;
  for (std::size_t i = 0; i < symbol.type.record->fields.size(); ++i) {
    Symbol one = symbol;
    one.name = session_.names.intern(session_.text(symbol.name) + "." +
                                     session_.text(symbol.type.record->fields[i].name));
    one.type = field_type(symbol.type, i);
    one.whole = whole;
    fields.push_back(session_.checked.symbols.add(one));
    visible_[one.name] = fields.back();
    order_.push_back(one.name);
  }
  session_.checked.symbols[whole].fields = std::move(fields);
}

SymbolId Scope::find(Name name) const {
  const auto it = visible_.find(name);
  return it == visible_.end() ? SymbolId{} : it->second;
}

std::vector<std::string> Scope::results() const {
  std::vector<std::string> found;
  for (Name name : order_)
    if (session_.names.text(name).starts_with("result.")) found.push_back(session_.text(name));
  return found;
}

void Scope::offer_names(NearestName& nearest) const {
  for (Name name : order_) nearest.offer(session_.names.text(name));
}

Scope::Block::~Block() {
  while (scope_.order_.size() > mark_) {
    scope_.visible_.erase(scope_.order_.back());
    scope_.order_.pop_back();
  }
  scope_.block_ = outer_;
}

}  // namespace leto::check

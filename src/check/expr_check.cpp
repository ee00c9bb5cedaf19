#include "check/expr_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

namespace leto::check {

using namespace syntax;

namespace {

Ident ident_of(const NameExpr& e, Span span) {
  return {e.name, span};
}

// Where an expression stands, for a message about runs rather than about values.
std::string speaker(const Place& place) {
  if (place.mode == Mode::Program) return "program code";
  if (place.mode == Mode::Ghost) return "a specvar";
  return place.where;
}

bool is_specification(Mode mode) {
  return mode == Mode::Unary || mode == Mode::Relational;
}

std::string plural(std::size_t n, std::string_view one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

}  // namespace

// Of a word that means something elsewhere.
Place ExprChecker::with_hint(Place place, Name name) const {
  if (session_.names.text(name) == "left")
    place.hint =
        "whether a run has left a loop is said by 'left<o>' and 'left<r>', and only in an "
        "'invariant_r' of that loop itself, outside of eq(...), labels and properties";
  return place;
}

Span ExprChecker::span(ExprId id, const Place& place) const {
  return session_.tree(place.tree).exprs[id].span;
}

Type ExprChecker::value(ExprId id, const Place& place) {
  const Type type = raw(id, place);
  if (type.row) {
    Diagnostic d{DiagnosticKind::PartialIndex, span(id, place), {}, {}, {}};
    if (is_specification(place.mode))
      d.help = Help{
          "a row by itself can be an argument of a definition only; else name its elements", {}};
    session_.report(std::move(d));
    return error_type();
  }
  if (type.is_void() && !type.error) {
    const auto* call = std::get_if<CallExpr>(&session_.tree(place.tree).exprs[id].node);
    if (call != nullptr && gives_several(id, *call, place)) return error_type();
    session_.report(DiagnosticKind::VoidValue, span(id, place),
                    {call ? session_.text(call->callee.name) : "this"});
    return error_type();
  }
  return type;
}

// Says so if several values come where one is wanted.
bool ExprChecker::gives_several(ExprId id, const CallExpr& e, const Place& place) {
  const SymbolId callee = session_.checked.facts[place.tree].symbols[id.value];
  if (!callee.valid() || session_.symbol(callee).kind != SymbolKind::Function) return false;
  const FunctionItem& item = session_.function_item(callee);
  if (item.results.empty()) return false;
  const std::string name = session_.text(e.callee.name);
  if (id != by_itself) return true;  // said already
  session_.report(Diagnostic{
      DiagnosticKind::BadResults,
      span(id, place),
      {fmt::format("'{}' returns {} values, and there is one variable for it", name,
                   item.results.size())},
      {},
      {}}.helping(fmt::format("write 'a, b = {}(...);', with a variable for each", name)));
  return true;
}

void ExprChecker::expect(ExprId id, const Place& place, const Type& wanted, std::string_view what) {
  const Type found = value_as(id, place, wanted.is_word() ? wanted.width : 0);
  if (fits(found, wanted)) return;
  std::string name = describe(wanted);
  if (!what.empty()) name += fmt::format(" ({})", what);
  Diagnostic d{DiagnosticKind::TypeMismatch, span(id, place), {name, describe(found)}, {}, {}};
  if (found.is_numeric() && wanted.is_integer())
    d.help = Help{"a real does not become an integer by itself: 'floor(x)' rounds it down", {}};
  else if (const std::string help = conversion_help(found, wanted); !help.empty())
    d.help = Help{help, {}};
  session_.report(std::move(d));
}

void ExprChecker::expect_bool(ExprId id, const Place& place) {
  expect(id, place, scalar_type(Scalar::Bool));
}

void ExprChecker::call_statement(ExprId id, const Place& place) {
  raw(id, place);
}

SymbolId ExprChecker::find_lemma(ExprId id, const Place& place) const {
  const auto* call = std::get_if<CallExpr>(&session_.tree(place.tree).exprs[id].node);
  if (call == nullptr || scope_.find(call->callee.name).valid()) return {};
  const auto it = session_.globals.find(call->callee.name);
  if (it == session_.globals.end() || session_.symbol(it->second).kind != SymbolKind::Lemma)
    return {};
  return it->second;
}

void ExprChecker::call_lemma(ExprId id, const Place& place, SymbolId lemma) {
  const auto& call = std::get<CallExpr>(session_.tree(place.tree).exprs[id].node);
  Facts& facts = session_.checked.facts[place.tree];
  facts.symbols[id.value] = lemma;
  facts.types[id.value] = scalar_type(Scalar::Void);
  if (place.mode == Mode::Relational) facts.relational_calls.insert(id.value);
  lemmas.push_back({lemma, call.callee.span});
  specification_arguments(call, place, session_.function_item(lemma).params);
}

Type ExprChecker::raw(ExprId id, const Place& place) {
  session_.demand();
  const std::uint16_t width = std::exchange(wanted_width_, std::uint16_t{0});
  const Tree& tree = session_.tree(place.tree);
  const Type type = std::visit(
      [&](const auto& node) -> Type {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, ErrorExpr>) {
          return error_type();
        } else if constexpr (std::is_same_v<Node, IntegerExpr>) {
          return literal(id, node, width, place);
        } else if constexpr (std::is_same_v<Node, RealExpr>) {
          return scalar_type(Scalar::Real);
        } else if constexpr (std::is_same_v<Node, BoolExpr>) {
          return scalar_type(Scalar::Bool);
        } else if constexpr (std::is_same_v<Node, ParenExpr>) {
          wanted_width_ = width;
          return raw(node.inner, place);
        } else if constexpr (std::is_same_v<Node, EqAllExpr>) {
          if (!place.eq_all)
            session_.report(DiagnosticKind::EqAllMisplaced, tree.exprs[id].span, {});
          return scalar_type(Scalar::Bool);
        } else {
          constexpr bool passes_on = std::is_same_v<Node, UnaryExpr> ||
                                     std::is_same_v<Node, BinaryExpr> ||
                                     std::is_same_v<Node, IfExpr> || std::is_same_v<Node, CallExpr>;
          if (passes_on) wanted_width_ = width;
          return visit(id, node, place);
        }
      },
      tree.exprs[id].node);
  if (type.scalar == Scalar::Bits && tree.derived &&
      session_.told_once.insert("words in a checker").second)
    session_.report(
        {DiagnosticKind::WordsNotHere, tree.exprs[id].span, {"problems and checkers"}, {}, {}});
  session_.checked.facts[place.tree].types[id.value] = type;
  return type;
}

// Names --------------------------------------------------------------------------------

Type ExprChecker::visit(ExprId id, const NameExpr& e, const Place& place) {
  const Ident ident = ident_of(e, span(id, place));
  const SymbolId symbol = names_.lookup(ident, with_hint(place, e.name), "variable");
  if (!symbol.valid()) return error_type();
  return use_variable(id, symbol, ident, place);
}

Type ExprChecker::use_variable(ExprId id, SymbolId symbol, const Ident& ident, const Place& place) {
  session_.checked.facts[place.tree].symbols[id.value] = symbol;
  if (const Symbol& s = session_.symbol(symbol);
      place.mode == Mode::Program && s.region.valid() && !session_.under.empty())
    session_.expect_region(s.region, s.type, ident.span);
  return names_.use_symbol(symbol, ident, place);
}

Type ExprChecker::visit(ExprId id, const SidedExpr& e, const Place& place) {
  // Whether that run has left the loop, unless a variable is called so.
  const bool left = place.head && !place.snapshot_of.valid() && place.mode == Mode::Relational &&
                    !place.one_side && session_.names.text(e.name) == "left" &&
                    !scope_.find(e.name).valid();
  if (left) return scalar_type(Scalar::Bool);
  return use_sided(id, e, e.name, session_.text(e.name), place);
}

// A part of a variable or of what is returned, with a side; or of any other value.
Type ExprChecker::visit(ExprId id, const FieldExpr& e, const Place& place) {
  if (const auto* base = std::get_if<SidedExpr>(&session_.tree(place.tree).exprs[e.base].node)) {
    const Name name = name_part(base->name, e.field.name);
    if (scope_.find(name).valid()) return use_sided(id, *base, name, session_.text(name), place);
    if (session_.names.text(base->name) == "result" && !is_result(e.field)) return error_type();
  }
  const Type base = raw(e.base, place);
  if (base.error) return base;
  if (base.record == nullptr) {
    session_.report(Diagnostic{
        DiagnosticKind::BadResults,
        e.field.span,
        {fmt::format("'.{}' is a part of something that has none", session_.text(e.field.name))},
        {},
        {}}
                        .helping("records have parts, and so has what a function returns that "
                                 "gives several values: 'result.q' in its contract; a call puts "
                                 "them into variables, 'q, r = f(x);'"));
    return error_type();
  }
  const auto found = base.record->find(e.field.name);
  if (!found) return report_field(*base.record, e.field);
  session_.checked.facts[place.tree].fields[id.value] = *found;
  return field_type(base, *found);
}

Type ExprChecker::report_field(const Record& record, const Ident& field) {
  NearestName nearest(session_.names.text(field.name));
  for (const Record::Field& one : record.fields) nearest.offer(session_.names.text(one.name));
  Diagnostic d{DiagnosticKind::UnknownField,
               field.span,
               {"record '" + record.name + "'", session_.text(field.name)},
               {},
               {}};
  d.notes.push_back({record.syntax->name.span, "declared here"});
  if (!nearest.best().empty())
    d.help = Help{fmt::format("did you mean '{}'?", nearest.best()),
                  Edit{field.span, std::string(nearest.best())}};
  session_.report(std::move(d));
  return error_type();
}

// What the parts of a variable, or of a result, are found by.
Name ExprChecker::name_part(Name whole, Name part) {
  return session_.names.intern(session_.text(whole) + "." + session_.text(part));
}

bool ExprChecker::is_result(const Ident& part) {
  const std::vector<std::string> results = scope_.results();
  const Name result = session_.names.intern("result");
  if (results.empty() || scope_.find(result).valid() ||
      scope_.find(name_part(result, part.name)).valid())
    return true;
  std::string list;
  for (std::size_t i = 0; i < results.size(); ++i)
    list += fmt::format("{}'{}'",
                        i == 0                    ? ""
                        : i + 1 == results.size() ? " and "
                                                  : ", ",
                        results[i]);
  session_.report(Diagnostic{
      DiagnosticKind::UnknownName, part.span, {"result", session_.text(part.name)}, {}, {}}
                      .helping(fmt::format("the results are {}", list)));
  return false;
}

// A variable, or a part of a result, of one run.
Type ExprChecker::use_sided(ExprId id, const SidedExpr& e, Name name, const std::string& plain,
                            const Place& place) {
  const Span here = span(id, place);
  const std::string shown = session_.text(e.name) + (e.side == Side::Original ? "<o>" : "<r>") +
                            plain.substr(session_.text(e.name).size());
  if (place.mode != Mode::Relational) {
    session_.report(DiagnosticKind::SideInUnary, here, {"'" + shown + "'", speaker(place)});
    return error_type();
  }
  if (place.one_side) {
    if (place.property_name.empty())
      session_.report(DiagnosticKind::SideInUnary, here, {"'" + shown + "'", speaker(place)});
    else
      session_.report(Diagnostic{
          DiagnosticKind::PropertyArgument,
          here,
          {place.property_name, place.property_param},
          {},
          {}}.helping(fmt::format("write '{}'", plain), Edit{here, plain}));
    return error_type();
  }
  const Span written{here.file, here.begin,
                     here.begin + static_cast<std::uint32_t>(session_.text(e.name).size())};
  const SymbolId found = names_.lookup({name, written}, with_hint(place, e.name), "variable");
  if (!found.valid()) return error_type();
  session_.checked.facts[place.tree].symbols[id.value] = found;
  const Symbol& symbol = session_.symbol(found);
  switch (symbol.kind) {
    case SymbolKind::Param:
    case SymbolKind::Local:
    case SymbolKind::Ghost:
    case SymbolKind::Result:
      names_.refuse_snapshot(found, {name, here}, place);
      return symbol.type;
    case SymbolKind::PropertyParam:
      names_.use_param(found, ParamUse::Sided, here);
      return symbol.type;
    case SymbolKind::Constant:
    case SymbolKind::Binder:
      session_.report(Diagnostic{
          DiagnosticKind::NeedlessSide,
          here,
          {symbol.kind == SymbolKind::Constant ? "constant" : "bound variable", plain},
          {},
          {}}.helping(fmt::format("write '{}'", plain), Edit{here, plain}));
      return symbol.type;
    default:
      session_.report(Diagnostic{
          DiagnosticKind::WrongKind, here, {plain, describe(symbol.kind), "a variable"}, {}, {}}
                          .note(symbol.span, "declared here"));
      return error_type();
  }
}

// The model --------------------------------------------------------------------------------

Type ExprChecker::visit(ExprId id, const ModelExpr& e, const Place& place) {
  const Span here = span(id, place);
  const std::string name = session_.text(e.member.name);
  if (place.model.valid()) {
    session_.report(Diagnostic{
        DiagnosticKind::ModelStateMisplaced,
        here,
        {name, "a model, which speaks of itself"},
        {},
        {}}.helping(fmt::format("write '{}'", name), Edit{here, name}));
    return error_type();
  }
  if (!session_.checked.model.valid()) {
    if (!session_.model_is_bad && session_.told_once.insert("no model").second)
      session_.report(Diagnostic{DiagnosticKind::NoModelPicked, here, {name}, {}, {}}.helping(
          "pick one with '--model NAME', or write 'use model NAME;' at the top of the program"));
    return error_type();
  }
  Type type;
  names_.reach_model_member(id, e.member, session_.checked.model, type, place);
  const SymbolId symbol = session_.checked.facts[place.tree].symbols[id.value];
  if (symbol.valid() && session_.symbol(symbol).kind == SymbolKind::Rigid)
    return names_.use_symbol(symbol, e.member, place);
  if (type.error || session_.symbol(symbol).kind != SymbolKind::State) return type;
  states_named.push_back(here);
  // Mutable state: it exists in the relaxed run. A specification of one run is
  // trusted of the original, where there is no such state to speak of.
  if (place.mode == Mode::Constant) return names_.state_or_constant(symbol, e.member, place);
  // But what falls is nothing that is trusted, and is said of each run with its own state.
  if (place.measure) return type;
  // And where there is no original run nothing is trusted of it.
  if (place.alone && place.mode == Mode::Unary) return type;
  if (place.mode == Mode::Unary || place.one_side) {
    session_.report(
        Diagnostic{DiagnosticKind::ModelStateMisplaced, here, {name, place.where}, {}, {}}
            .note(session_.symbol(symbol).span, "it changes while the relaxed run goes on")
            .helping("in a relational specification ('assert_r', 'invariant_r', ...) it means the "
                     "relaxed run's"));
    return error_type();
  }
  return type;
}

Type ExprChecker::visit(ExprId id, const MemberExpr& e, const Place& place) {
  if (place.model.valid()) {
    const Model& model = session_.checked.models[place.model];
    ModelId target;
    if (e.scope.name == model.name) target = place.model;
    for (ModelId super : model.supers)
      if (session_.checked.models[super].name == e.scope.name) target = super;
    if (!target.valid()) {
      session_.report(DiagnosticKind::NotASuperModel, e.scope.span,
                      {session_.text(e.scope.name), session_.text(model.name)});
      return error_type();
    }
    Type type;
    names_.reach_model_member(id, e.member, target, type, place);
    if (type.error) return type;
    return names_.use_symbol(session_.checked.facts[place.tree].symbols[id.value], e.member, place);
  }
  const Ident part{name_part(e.scope.name, e.member.name), span(id, place)};
  if (scope_.find(part.name).valid()) {
    const SymbolId found = names_.lookup(part, place, "variable");
    return found.valid() ? use_variable(id, found, part, place) : error_type();
  }
  if (session_.names.text(e.scope.name) == "result" && !is_result(e.member)) return error_type();
  const SymbolId found = names_.lookup(
      e.scope, place, session_.names.text(e.member.name) == "entry" ? "label" : "variable");
  if (!found.valid()) return error_type();
  const Symbol& symbol = session_.symbol(found);
  if (symbol.type.record != nullptr) return report_field(*symbol.type.record, e.member);
  const bool has_type = symbol.kind != SymbolKind::Label && symbol.kind != SymbolKind::Model &&
                        symbol.kind != SymbolKind::Record && symbol.kind != SymbolKind::Lemma &&
                        symbol.kind != SymbolKind::Property;
  if (symbol.type.error && has_type) return error_type();  // said where it is declared
  const bool type = symbol.kind == SymbolKind::Record;
  Diagnostic d{DiagnosticKind::WrongKind,
               span(id, place),
               {session_.text(e.scope.name), type ? "a type" : describe(symbol.kind),
                type ? "a variable" : "something with parts"},
               {},
               {}};
  if (symbol.kind == SymbolKind::Label)
    d.help = Help{fmt::format("'{}.entry[e]' is the value of e when the loop was entered",
                              session_.text(e.scope.name)),
                  {}};
  else if (type)
    d.help = Help{"a variable that is such a record has fields: 's.x'", {}};
  else if (symbol.kind == SymbolKind::Model)
    d.help = Help{"in a program the picked model is called 'model'", {}};
  session_.report(std::move(d));
  return error_type();
}

// Elements and snapshots -------------------------------------------------------------------

Type ExprChecker::snapshot(ExprId id, const IndexExpr& e, const Place& place, SymbolId label,
                           bool entry) {
  const Span here = span(id, place);
  if (!is_specification(place.mode)) {
    session_.report(DiagnosticKind::SpecificationOnly, here,
                    {fmt::format("the label '{}'", session_.text(session_.symbol(label).name))});
    return error_type();
  }
  if (place.measure) {
    session_.report(
        Diagnostic{DiagnosticKind::BadMeasure, here, {"a label has no meaning in it"}, {}, {}}
            .helping("write what falls, without the label; the tool compares one head "
                     "with the next"));
    return error_type();
  }
  session_.checked.facts[place.tree].symbols[e.base.value] = label;
  session_.checked.facts[place.tree].labels[id.value] = {label, entry};
  Place inner = place;
  inner.snapshot_of = label;
  return value(e.index, inner);
}

Type ExprChecker::visit(ExprId id, const IndexExpr& e, const Place& place) {
  const Tree& tree = session_.tree(place.tree);
  const auto& base_node = tree.exprs[e.base].node;
  // `l[e]` and `l.entry[e]` look like elements; the name decides.
  Name label_name;
  bool entry = false;
  Span label_span = tree.exprs[e.base].span;
  if (const auto* name = std::get_if<NameExpr>(&base_node)) {
    label_name = name->name;
  } else if (const auto* member = std::get_if<MemberExpr>(&base_node);
             member && session_.names.text(member->member.name) == "entry" &&
             !place.model.valid()) {
    label_name = member->scope.name;
    label_span = member->scope.span;
    entry = true;
  }
  if (label_name.valid()) {
    const SymbolId found = scope_.find(label_name);
    if (found.valid() && session_.symbol(found).kind == SymbolKind::Label) {
      if (!names_.lookup({label_name, label_span}, place, "label").valid()) return error_type();
      return snapshot(id, e, place, found, entry);
    }
    if (!found.valid() && !session_.globals.contains(label_name)) {
      if (session_.labels_of_function.contains(label_name)) {
        session_.report(DiagnosticKind::LabelOutsideLoop, label_span, {session_.text(label_name)});
        return error_type();
      }
    }
  }
  const Type base = raw(e.base, place);
  Place index_place = place;
  if (place.mode == Mode::Program) index_place.where = "the index of an element";
  const Type index = value(e.index, index_place);
  if (base.error) return base;
  if (!index.error && !index.is_integer())
    session_.report(DiagnosticKind::TypeMismatch, span(e.index, place),
                    {"an integer index", describe(index)});
  if (base.shape != Shape::Scalar && calls(e.base, place)) {
    session_.report(Diagnostic{
        DiagnosticKind::NotIndexable, span(e.base, place), {"what a call returns"}, {}, {}}
                        .helping("put it into a variable first"));
    return error_type();
  }
  if (base.row) return element_type(base);
  if (base.shape == Shape::Vector) return element_type(base);
  if (base.shape == Shape::Matrix)
    return {base.scalar, Shape::Vector, false, true, nullptr, base.width};
  session_.report(DiagnosticKind::NotIndexable, span(e.base, place),
                  {"a value of type " + describe(base)});
  return error_type();
}

bool ExprChecker::calls(ExprId id, const Place& place) const {
  const auto& node = session_.tree(place.tree).exprs[id].node;
  if (const auto* paren = std::get_if<ParenExpr>(&node)) return calls(paren->inner, place);
  if (const auto* field = std::get_if<FieldExpr>(&node)) return calls(field->base, place);
  return std::holds_alternative<CallExpr>(node);
}

Type ExprChecker::visit(ExprId id, const UpdateExpr& e, const Place& place) {
  if (!is_specification(place.mode))
    session_.report(
        Diagnostic{DiagnosticKind::SpecificationOnly, span(id, place), {"'v[i := e]'"}, {}, {}}
            .helping("a program assigns: 'v[i] = e;'"));
  const Type base = vector_value(e.base, place);
  const Type index = value(e.index, place);
  if (!index.error && !index.is_integer())
    session_.report(DiagnosticKind::TypeMismatch, span(e.index, place),
                    {"an integer index", describe(index)});
  if (!base.error && base.shape != Shape::Vector) {
    session_.report(DiagnosticKind::NotIndexable, span(e.base, place),
                    {"a value of type " + describe(base)});
    value(e.value, place);
    return error_type();
  }
  expect(e.value, place, base.error ? base : element_type(base), "an element");
  return base;
}

// A vector; of a matrix one row may stand for it.
Type ExprChecker::vector_value(ExprId id, const Place& place) {
  const Type type = raw(id, place);
  const bool row = type.row && is_specification(place.mode) &&
                   std::holds_alternative<IndexExpr>(session_.tree(place.tree).exprs[id].node);
  if (!row) return type.row ? value(id, place) : type;
  const Type vector{type.scalar, Shape::Vector, false, false, nullptr, type.width};
  session_.checked.facts[place.tree].types[id.value] = vector;
  return vector;
}

// Operators ------------------------------------------------------------------------------------

void ExprChecker::relaxed(std::string_view sign, bool unary, const Type& operands,
                          const Place& place, Span at) {
  ++relaxed_operations;
  if (place.mode != Mode::Program) {
    session_.report(Diagnostic{
        DiagnosticKind::RelaxedInSpecification,
        at,
        {fmt::format("{}.", sign), place.where},
        {},
        {}}.helping(fmt::format("drop the dot: '{}'", sign), Edit{at, std::string(sign)}));
    return;
  }
  if (!operands.error) session_.expect_operator(sign, unary, operands, at);
}

Type ExprChecker::visit(ExprId id, const UnaryExpr& e, const Place& place) {
  const std::uint16_t width = std::exchange(wanted_width_, std::uint16_t{0});
  const Type operand = value_as(e.operand, place, e.op == UnaryOp::Not ? 0 : width);
  if (operand.error) return operand;
  const bool good = e.op == UnaryOp::Not          ? operand.is_bool()
                    : e.op == UnaryOp::Complement ? operand.is_word()
                                                  : operand.is_numeric() || operand.is_word();
  if (!good) {
    Diagnostic d{DiagnosticKind::BadOperands,
                 span(id, place),
                 {std::string(spelling(e.op)), describe(operand)},
                 {},
                 {}};
    if (e.op == UnaryOp::Complement && operand.is_bool()) d.help = Help{"write '!'", {}};
    if (e.op == UnaryOp::Not && operand.is_word()) d.help = Help{"write '~', or '== 0'", {}};
    session_.report(std::move(d));
    return error_type();
  }
  if (e.dotted) {
    const Span whole = span(id, place);
    relaxed(spelling(e.op), true, operand, place, {whole.file, whole.begin, whole.begin + 2});
  }
  if (e.op == UnaryOp::Negate && operand.scalar == Scalar::Uint) return scalar_type(Scalar::Int);
  return operand;
}

Type ExprChecker::compare(BinaryOp op, const Type& a, const Type& b, Span at) {
  const Type result = scalar_type(Scalar::Bool);
  if (a.error || b.error) return result;
  const bool equality = op == BinaryOp::Eq || op == BinaryOp::Ne;
  const bool good =
      (a.is_numeric() && b.is_numeric()) || (equality && a == b) || (a.is_word() && a == b);
  if (!good && (a.is_word() || b.is_word()))
    report_words(spelling(op), a, b, at);
  else if (!good)
    session_.report(DiagnosticKind::BadOperands, at,
                    {std::string(spelling(op)), describe(a) + " and " + describe(b)});
  return result;
}

Type ExprChecker::visit(ExprId, const BinaryExpr& e, const Place& place) {
  const std::uint16_t width = std::exchange(wanted_width_, std::uint16_t{0});
  const bool apart = e.op == BinaryOp::Join || e.op == BinaryOp::And || e.op == BinaryOp::Or ||
                     e.op == BinaryOp::Implies;
  Type a, b;
  if (apart) {
    a = value(e.lhs, place);
    b = value(e.rhs, place);
  } else {
    std::tie(a, b) = alike(e.lhs, e.rhs, place, is_comparison(e.op) ? 0 : width);
  }
  const bool words = is_of_words(e.op) || ((a.is_word() || b.is_word()) && !apart);
  if (words && !is_comparison(e.op) && !a.error && !b.error) return combine_words(e, a, b, place);
  Type result;
  bool bad = false;
  if (is_comparison(e.op)) {
    result = compare(e.op, a, b, e.op_span);
    bad = a.error || b.error || !a.is_scalar();
    if (e.dotted && !a.error && !b.error && !a.is_scalar() && a == b) {
      session_.report(Diagnostic{
          DiagnosticKind::BadOperands,
          e.op_span,
          {fmt::format("{}.", spelling(e.op)), describe(a) + " as a whole"},
          {},
          {}}.helping("compare part by part, or without the dot"));
    }
  } else if (a.error || b.error) {
    bad = true;
    const bool logical = e.op == BinaryOp::And || e.op == BinaryOp::Or || e.op == BinaryOp::Implies;
    result = logical ? scalar_type(Scalar::Bool) : error_type();
  } else {
    const bool logical = e.op == BinaryOp::And || e.op == BinaryOp::Or || e.op == BinaryOp::Implies;
    const bool good = logical                 ? a.is_bool() && b.is_bool()
                      : e.op == BinaryOp::Mod ? a.is_integer() && b.is_integer()
                                              : a.is_numeric() && b.is_numeric();
    if (!good) {
      session_.report(DiagnosticKind::BadOperands, e.op_span,
                      {std::string(spelling(e.op)), describe(a) + " and " + describe(b)});
      return logical ? scalar_type(Scalar::Bool) : error_type();
    }
    result = join(a, b);
    if (e.op == BinaryOp::Sub && result.scalar == Scalar::Uint) result = scalar_type(Scalar::Int);
  }
  if (e.dotted) relaxed(spelling(e.op), false, bad ? error_type() : join(a, b), place, e.op_span);
  return result;
}

Type ExprChecker::visit(ExprId, const ChainExpr& e, const Place& place) {
  std::vector<Type> types(e.operands.size());
  std::uint16_t width = 0;  // what numbers stand beside
  for (const bool literals : {false, true})
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (is_literal(e.operands[i], place) != literals) continue;
      types[i] = value_as(e.operands[i], place, literals ? width : 0);
      if (types[i].is_word()) width = types[i].width;
    }
  for (std::size_t i = 0; i < e.ops.size(); ++i)
    compare(e.ops[i], types[i], types[i + 1],
            cover(span(e.operands[i], place), span(e.operands[i + 1], place)));
  return scalar_type(Scalar::Bool);
}

// Calls ----------------------------------------------------------------------------------------

bool ExprChecker::count_arguments(const Ident& callee, std::size_t found, std::size_t wanted) {
  if (found == wanted) return true;
  session_.report(DiagnosticKind::WrongArgumentCount, callee.span,
                  {session_.text(callee.name), plural(wanted, "argument"), std::to_string(found)});
  return false;
}

Type ExprChecker::call_builtin(ExprId, const CallExpr& e, const Place& place) {
  const std::string name = session_.text(e.callee.name);
  std::vector<Type> types;
  for (ExprId arg : e.args) types.push_back(value(arg, place));
  if (!count_arguments(e, name == "abs" ? 1 : 2)) return error_type();
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].error) return types[i];
    if (!types[i].is_numeric()) {
      session_.report(DiagnosticKind::TypeMismatch, span(e.args[i], place),
                      {"a number", describe(types[i])});
      return error_type();
    }
  }
  if (name == "abs") return types[0].scalar == Scalar::Real ? types[0] : scalar_type(Scalar::Uint);
  return join(types[0], types[1]);
}

// uint(i), real(i), and floor(x) unless the program calls something else so.
bool ExprChecker::is_conversion(const Ident& callee, const Place& place) const {
  const std::string_view name = session_.names.text(callee.name);
  if (name == "uint" || name == "real" || name == "int") return true;
  if (name != "floor" || scope_.find(callee.name).valid()) return false;
  if (place.model.valid() && session_.checked.models[place.model].members.contains(callee.name))
    return false;
  return !session_.globals.contains(callee.name);
}

Type ExprChecker::convert(const CallExpr& e, const Place& place) {
  const std::string name = session_.text(e.callee.name);
  std::vector<Type> types;
  for (ExprId arg : e.args) types.push_back(value(arg, place));
  if (!count_arguments(e, 1)) return error_type();
  const Type& from = types[0];
  const Type to = scalar_type(name == "uint"   ? Scalar::Uint
                              : name == "real" ? Scalar::Real
                                               : Scalar::Int);
  if (from.error) return to;
  if (from.is_word() && (name == "uint" || name == "int")) return to;
  if (name == "int") {
    session_.report(Diagnostic{
        DiagnosticKind::TypeMismatch, span(e.args[0], place), {"a word", describe(from)}, {}, {}}
                        .helping("'int(b)' reads a word with its sign; 'floor(x)' is the integer "
                                 "at or below a number"));
    return to;
  }
  if (name == "uint" ? from.is_integer() : from.is_numeric()) return to;
  Diagnostic d{DiagnosticKind::TypeMismatch,
               span(e.args[0], place),
               {name == "uint" ? "an integer" : "a number", describe(from)},
               {},
               {}};
  if (from.is_numeric()) d.help = Help{"say how it is rounded: 'uint(floor(x))'", {}};
  if (const std::string help = conversion_help(from, to); !help.empty()) d.help = Help{help, {}};
  session_.report(std::move(d));
  return to;
}

bool ExprChecker::has_as_many_parameters(const Symbol& property, std::size_t count) const {
  const auto& node = session_.tree(property.tree).items[property.item].node;
  const auto* item = std::get_if<PropertyItem>(&node);
  return item != nullptr && item->params.size() == count;
}

Type ExprChecker::visit(ExprId id, const CallExpr& e, const Place& place) {
  const std::string_view name = session_.names.text(e.callee.name);
  const std::uint16_t width = std::exchange(wanted_width_, std::uint16_t{0});
  if (names_word_function(e.callee, place)) return call_word_function(e, place, width);
  if (is_builtin(name)) return call_builtin(id, e, place);
  if (is_conversion(e.callee, place)) return convert(e, place);
  const SymbolId local = scope_.find(e.callee.name);
  if (place.model.valid() && !local.valid()) {
    const Model& model = session_.checked.models[place.model];
    if (model.members.contains(e.callee.name)) {
      const SymbolId member = names_.lookup(e.callee, place, "function");
      if (!member.valid()) return error_type();
      session_.checked.facts[place.tree].symbols[id.value] = member;
      return call_rigid(e.callee, e.args, place, member);
    }
  }
  const auto it = session_.globals.find(e.callee.name);
  if (e.of && (it == session_.globals.end() ||
               !has_as_many_parameters(session_.symbol(it->second), e.args.size()))) {
    for (ExprId arg : e.args) value(arg, place);  // why there are no such clauses was said
    return scalar_type(Scalar::Bool);
  }
  if (it == session_.globals.end() || local.valid()) {
    if (local.valid()) {
      session_.report(Diagnostic{
          DiagnosticKind::WrongKind,
          e.callee.span,
          {std::string(name), describe(session_.symbol(local).kind), "a function or property"},
          {},
          {}}.note(session_.symbol(local).span, "declared here"));
      return error_type();
    }
    NearestName nearest(name);
    if (session_.may_suggest())
      for (const auto& [global, symbol] : session_.globals) {
        const SymbolKind kind = session_.symbol(symbol).kind;
        if (kind == SymbolKind::Function || kind == SymbolKind::Property ||
            kind == SymbolKind::Definition || kind == SymbolKind::Lemma)
          nearest.offer(session_.names.text(global));
      }
    for (std::string_view builtin : {"abs", "min", "max", "floor", "popcount", "parity"})
      nearest.offer(builtin);
    const std::string_view library = find_library(name);
    if (library.empty())
      session_.unknown("function or property", e.callee, nearest.best());
    else
      session_.unknown("function or property", e.callee, {},
                       fmt::format("a library has it: write 'import <{}>;' first", library));
    return error_type();
  }
  session_.checked.facts[place.tree].symbols[id.value] = it->second;
  switch (session_.symbol(it->second).kind) {
    case SymbolKind::Function:
      return call_function(id, e, place, it->second);
    case SymbolKind::Property:
      return call_property(e, place, it->second);
    case SymbolKind::Definition:
      return call_definition(e, place, it->second);
    default: {
      Diagnostic d{
          DiagnosticKind::WrongKind,
          e.callee.span,
          {std::string(name), describe(session_.symbol(it->second).kind), "a function or property"},
          {},
          {}};
      d.notes.push_back({session_.symbol(it->second).span, "declared here"});
      if (session_.symbol(it->second).kind == SymbolKind::Lemma)
        d.help = Help{session_.function_item(it->second).made.empty()
                          ? "a lemma has no value: call it in a statement of its own"
                          : "put what it makes into a specvar, in a statement of its own",
                      {}};
      session_.report(std::move(d));
      return error_type();
    }
  }
}

Type ExprChecker::call_function(ExprId id, const CallExpr& e, const Place& place, SymbolId callee) {
  const Symbol& symbol = session_.symbol(callee);
  const FunctionItem& function = session_.function_item(callee);
  if (function.pure && is_specification(place.mode) && !place.definition) {
    pure_uses.push_back({callee, e.callee.span});
    specification_arguments(e, place, function.params);
    return symbol.type;
  }
  if (place.mode != Mode::Program) {
    session_.report(Diagnostic{
        DiagnosticKind::CallInSpecification,
        e.callee.span,
        {session_.text(e.callee.name), place.where},
        {},
        {}}.helping(place.definition
                        ? "define what is meant instead of computing it"
                        : "a property can be used there, or a function that is declared "
                          "'pure'; else put the result into a variable first"));
    return error_type();
  }
  called.push_back(callee);
  called_at.push_back(e.callee.span);
  const bool counted = count_arguments(e, function.params.size());
  const bool changes = std::any_of(function.params.begin(), function.params.end(),
                                   [](const Param& param) { return param.inout; });
  if (changes) changed_in_place.clear();
  if (id != by_itself) refuse_inside(e, function);
  Place argument = place;
  argument.where = fmt::format("an argument of '{}'", session_.text(e.callee.name));
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    if (counted && function.params[i].inout)
      pass_in_place(e, i, function.params[i], argument);
    else if (counted)
      expect(e.args[i], argument, session_.checked.type_of(function.params[i].type),
             fmt::format("parameter '{}'", session_.text(function.params[i].name.name)));
    else
      value(e.args[i], argument);
  }
  return symbol.type;
}

// What changes variables, or gives several values, is no part of an expression.
void ExprChecker::refuse_inside(const CallExpr& e, const FunctionItem& function) {
  std::string why;
  for (const Param& param : function.params)
    if (why.empty() && param.inout)
      why = fmt::format("changes '{}' in place", session_.text(param.name.name));
  if (!function.results.empty()) why = fmt::format("returns {} values", function.results.size());
  if (why.empty()) return;
  const std::string name = session_.text(e.callee.name);
  session_.report(
      Diagnostic{DiagnosticKind::CallIsStatement, e.callee.span, {name, why}, {}, {}}.helping(
          function.results.empty()
              ? "put its result into a variable first, with a declaration or assignment that does "
                "nothing else"
              : fmt::format("write 'a, b = {}(...);' and use the variables", name)));
}

// The variable itself, which is not read: what the function does to its parameter it does to it.
void ExprChecker::pass_in_place(const CallExpr& e, std::size_t i, const Param& param,
                                const Place& place) {
  const Expr& arg = session_.tree(place.tree).exprs[e.args[i]];
  const auto refuse = [&](std::string why, std::string help) {
    session_.report(Diagnostic{
        DiagnosticKind::InOutArgument,
        arg.span,
        {session_.text(e.callee.name), session_.text(param.name.name), std::move(why)},
        {},
        {}}.helping(std::move(help)));
  };
  const Type found = raw(e.args[i], place);
  if (!is_variable(e.args[i], place)) {
    return refuse("this is no variable",
                  "pass a variable, or a field of one, by its name; an element or a value has to "
                  "be put into one first");
  }
  if (found.error) return;
  const SymbolId id = session_.checked.facts[place.tree].symbols[e.args[i].value];
  const Symbol& symbol = session_.symbol(id);
  const std::string name = session_.text(symbol.name);
  if (symbol.kind != SymbolKind::Param && symbol.kind != SymbolKind::Local)
    return refuse(fmt::format("'{}' is {}", name, describe(symbol.kind)),
                  "only variables of the program can be changed");
  const Type wanted = session_.checked.type_of(param.type);
  if (found != wanted && !wanted.error)
    return refuse(fmt::format("'{}' is {}, not {}", name, describe(found), describe(wanted)),
                  "what is changed in place has the very type of the parameter");
  const Name region = param.attributes.region ? param.attributes.region->name : Name{};
  const auto where = [&](Name one) {
    return one.valid() ? fmt::format("in the region '{}'", session_.text(one))
                       : std::string("in no region");
  };
  if (symbol.region != region)
    return refuse(
        fmt::format("'{}' is {}, the parameter {}", name, where(symbol.region), where(region)),
        "they are the same memory, so they are in the same region");
  const std::vector<SymbolId> parts = session_.checked.parts_of(id);
  if (changes_any(parts))
    return refuse(fmt::format("'{}' is passed for another such parameter too", name),
                  "pass a copy for one of them");
  changed_in_place.insert(changed_in_place.end(), parts.begin(), parts.end());
}

bool ExprChecker::is_variable(ExprId id, const Place& place) const {
  const auto& node = session_.tree(place.tree).exprs[id].node;
  if (std::holds_alternative<NameExpr>(node)) return true;
  const SymbolId found = session_.checked.facts[place.tree].symbols[id.value];
  return std::holds_alternative<MemberExpr>(node) && found.valid() &&
         session_.symbol(found).whole.valid();
}

bool ExprChecker::changes_any(const std::vector<SymbolId>& parts) const {
  return std::any_of(parts.begin(), parts.end(), [&](SymbolId one) {
    return std::find(changed_in_place.begin(), changed_in_place.end(), one) !=
           changed_in_place.end();
  });
}

Type ExprChecker::call_property(const CallExpr& e, const Place& place, SymbolId callee) {
  const Symbol& symbol = session_.symbol(callee);
  const std::string name = session_.text(e.callee.name);
  const auto& property = std::get<PropertyItem>(session_.tree(symbol.tree).items[symbol.item].node);
  const Type result = scalar_type(Scalar::Bool);
  if (!is_specification(place.mode)) {
    session_.report(DiagnosticKind::SpecificationOnly, e.callee.span,
                    {fmt::format("property '{}'", name)});
    return result;
  }
  if (property.relational && (place.mode == Mode::Unary || place.one_side)) {
    session_.report(
        Diagnostic{DiagnosticKind::RelationalProperty, e.callee.span, {name, place.where}, {}, {}}
            .note(symbol.span, "declared with 'property_r' here"));
    return result;
  }
  if (!count_arguments(e, property.params.size())) return result;
  const Facts& facts = session_.checked.facts[symbol.tree];
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const auto declared = facts.declared.find(key_of(property.params[i].name.span));
    const ParamUse use =
        declared == facts.declared.end() ? ParamUse::Unused : session_.symbol(declared->second).use;
    Place argument = place;
    if (property.relational && use != ParamUse::Bare) {
      argument.one_side = true;
      argument.property_name = name;
      argument.property_param = session_.text(property.params[i].name.name);
      argument.where = fmt::format("an argument of '{}'", name);
    }
    // Substitution, not assignment: uint and int may stand for one another.
    expect(e.args[i], argument, session_.checked.type_of(property.params[i].type),
           fmt::format("parameter '{}'", session_.text(property.params[i].name.name)));
  }
  return result;
}

Type ExprChecker::call_definition(const CallExpr& e, const Place& place, SymbolId callee) {
  const Symbol& symbol = session_.symbol(callee);
  const std::string name = session_.text(e.callee.name);
  const auto& definition = std::get<DefineItem>(session_.tree(symbol.tree).items[symbol.item].node);
  if (!is_specification(place.mode)) {
    session_.report(Diagnostic{
        DiagnosticKind::SpecificationOnly,
        e.callee.span,
        {fmt::format("definition '{}'", name)},
        {},
        {}}.helping(place.mode == Mode::Program
                        ? "it says what is meant; the program has to compute it"
                        : "it can be used in requires, ensures, invariants and assertions"));
    return symbol.type;
  }
  specification_arguments(e, place, definition.params);
  return symbol.type;
}

bool ExprChecker::is_problem(Name name) const {
  for (const Tree* tree : session_.checked.trees)
    for (const Item& item : tree->items)
      if (const auto* problem = std::get_if<ProblemItem>(&item.node);
          problem != nullptr && problem->name.name == name)
        return true;
  return false;
}

// model.f(x) in a program, M.f(x) in a model.
Type ExprChecker::visit(ExprId id, const MemberCallExpr& e, const Place& place) {
  const auto refuse = [&] {
    for (ExprId arg : e.args) value(arg, place);
    return error_type();
  };
  ModelId target = e.scope ? ModelId{} : session_.checked.model;
  if (!e.scope && place.model.valid()) {
    session_.report(Diagnostic{
        DiagnosticKind::ModelStateMisplaced,
        span(id, place),
        {session_.text(e.member.name), "a model, which speaks of itself"},
        {},
        {}}.helping("write it without 'model.'"));
    return refuse();
  }
  if (!e.scope && !target.valid()) {
    if (!session_.model_is_bad && session_.told_once.insert("no model").second)
      session_.report(Diagnostic{
          DiagnosticKind::NoModelPicked, span(id, place), {session_.text(e.member.name)}, {}, {}}
                          .helping("pick one with '--model NAME', or write 'use model NAME;' at "
                                   "the top of the program"));
    return refuse();
  }
  if (e.scope && place.model.valid()) {
    const Model& model = session_.checked.models[place.model];
    if (e.scope->name == model.name) target = place.model;
    for (ModelId super : model.supers)
      if (session_.checked.models[super].name == e.scope->name) target = super;
  }
  if (!target.valid()) {
    if (place.model.valid())
      session_.report(
          DiagnosticKind::NotASuperModel, e.scope->span,
          {session_.text(e.scope->name), session_.text(session_.checked.models[place.model].name)});
    else
      session_.report(Diagnostic{
          DiagnosticKind::WrongKind,
          e.scope->span,
          {session_.text(e.scope->name), "no model at hand", "something with functions"},
          {},
          {}}.helping(is_problem(e.scope->name)
                          ? fmt::format("what a problem calls right is '{}.right(inputs; outputs)'",
                                        session_.text(e.scope->name))
                          : "in a program the picked model is called 'model'"));
    return refuse();
  }
  Type type;
  names_.reach_model_member(id, e.member, target, type, place);
  const SymbolId symbol = session_.checked.facts[place.tree].symbols[id.value];
  if (!symbol.valid()) return refuse();
  return call_rigid(e.member, e.args, place, symbol);
}

// Nobody can compute it: only what is claimed may name it.
Type ExprChecker::call_rigid(const Ident& callee, const std::vector<ExprId>& args,
                             const Place& place, SymbolId rigid) {
  const Symbol symbol = session_.symbol(rigid);
  const std::string name = session_.text(callee.name);
  if (symbol.kind != SymbolKind::Rigid) {
    session_.report(Diagnostic{
        DiagnosticKind::WrongKind, callee.span, {name, describe(symbol.kind), "a function"}, {}, {}}
                        .note(symbol.span, "declared here"));
    for (ExprId arg : args) value(arg, place);
    return error_type();
  }
  const bool claims = place.mode == Mode::Unary || place.mode == Mode::Relational ||
                      place.mode == Mode::Model || place.constraint;
  if (!claims)
    session_.report(
        Diagnostic{DiagnosticKind::RigidInCode, callee.span, {name, speaker(place)}, {}, {}}
            .note(symbol.span, "declared here")
            .helping("it can be named in requires, ensures, invariants, assertions and "
                     "the clauses of a model"));
  const std::vector<Param>& params = session_.checked.rigids.at(rigid)->params;
  if (!count_arguments(callee, args.size(), params.size())) return symbol.type;
  for (std::size_t i = 0; i < args.size(); ++i)
    expect(args[i], place, session_.checked.type_of(params[i].type),
           fmt::format("parameter '{}'", session_.text(params[i].name.name)));
  return symbol.type;
}

// A row may stand for a vector.
void ExprChecker::specification_arguments(const CallExpr& e, const Place& place,
                                          const std::vector<Param>& params) {
  if (!count_arguments(e, params.size())) return;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const Type wanted = session_.checked.type_of(params[i].type);
    if (wanted.shape == Shape::Vector && vector_value(e.args[i], place) == wanted) continue;
    expect(e.args[i], place, wanted,
           fmt::format("parameter '{}'", session_.text(params[i].name.name)));
  }
}

// Specifications ---------------------------------------------------------------------------------

Type ExprChecker::visit(ExprId id, const EqExpr& e, const Place& place) {
  const Type result = scalar_type(Scalar::Bool);
  if (place.mode != Mode::Relational || place.one_side) {
    session_.report(DiagnosticKind::SideInUnary, span(id, place), {"'eq(...)'", speaker(place)});
    return result;
  }
  Place inner = place;
  inner.one_side = true;
  inner.where = "the argument of 'eq'";
  value(e.arg, inner);
  return result;
}

// The inout parameter that an expression names; invalid: none.
SymbolId ExprChecker::find_in_place(ExprId id, const Place& place) const {
  const auto& node = session_.tree(place.tree).exprs[id].node;
  Name name;
  const auto part = [&](Name whole, Name field) {
    return session_.names.find(session_.text(whole) + "." + session_.text(field));
  };
  if (const auto* plain = std::get_if<NameExpr>(&node)) name = plain->name;
  if (const auto* sided = std::get_if<SidedExpr>(&node)) name = sided->name;
  if (const auto* member = std::get_if<MemberExpr>(&node))
    name = part(member->scope.name, member->member.name);
  if (const auto* field = std::get_if<FieldExpr>(&node))
    if (const auto* sided =
            std::get_if<SidedExpr>(&session_.tree(place.tree).exprs[field->base].node))
      name = part(sided->name, field->field.name);
  const SymbolId found = name.valid() ? scope_.find(name) : SymbolId{};
  return found.valid() && session_.symbol(found).inout ? found : SymbolId{};
}

Type ExprChecker::visit(ExprId id, const OldExpr& e, const Place& place) {
  const auto& argument = session_.tree(place.tree).exprs[e.arg].node;
  if (place.entered && !place.one_side && std::holds_alternative<ModelExpr>(argument)) {
    const Type type = value(e.arg, place);
    const SymbolId symbol = session_.checked.facts[place.tree].symbols[e.arg.value];
    if (type.error || session_.symbol(symbol).kind == SymbolKind::State) return type;
  }
  if (const SymbolId passed = find_in_place(e.arg, place); passed.valid()) {
    if (place.behind && is_specification(place.mode)) return value(e.arg, place);
    session_.report(Diagnostic{DiagnosticKind::OldMisplaced, span(id, place), {}, {}, {}}.helping(
        is_specification(place.mode)
            ? "here the name alone means what is passed"
            : "keep what was passed in a variable; 'old' is for specifications"));
    return error_type();
  }
  if (place.mode != Mode::Model || !place.post) {
    Diagnostic d{DiagnosticKind::OldMisplaced, span(id, place), {}, {}, {}};
    if (place.mode == Mode::Model)
      d.help = Help{"'when' already speaks of the state before", {}};
    else if (is_specification(place.mode))
      d.help = Help{place.entered ? "here it can only be 'old(model.x)', of a state variable as it "
                                    "was when the function was called"
                                  : "'old(v)' is what was passed for the 'inout' parameter v; else "
                                    "label the loop and write 'label[e]', or keep the old value "
                                    "in a specvar",
                    {}};
    session_.report(std::move(d));
    return error_type();
  }
  Place inner = place;
  inner.post = false;
  inner.where = "'old'";
  return value(e.arg, inner);
}

Type ExprChecker::visit(ExprId id, const IfExpr& e, const Place& place) {
  const std::uint16_t width = std::exchange(wanted_width_, std::uint16_t{0});
  expect_bool(e.condition, place);
  const auto [a, b] = alike(e.then_value, e.else_value, place, width);
  if (a.error) return a;
  if (b.error) return b;
  if (a.is_word() && a == b) return a;
  if (a.is_numeric() && b.is_numeric()) return join(a, b);
  if (a.is_bool() && b.is_bool()) return a;
  Diagnostic d{DiagnosticKind::BadOperands,
               span(id, place),
               {"if", describe(a) + " and " + describe(b)},
               {},
               {}};
  d.help = Help{a.is_scalar() && b.is_scalar()
                    ? "both values are numbers, or bool, or words of one width"
                    : "an 'if' that is a value chooses between scalars",
                {}};
  session_.report(std::move(d));
  return error_type();
}

Type ExprChecker::visit(ExprId id, const CountExpr&, const Place& place) {
  session_.report(
      Diagnostic{DiagnosticKind::NoSuchConstruct, span(id, place), {"count"}, {}, {}}.helping(
          "'count' counts nodes: it stands in a system, or in a model of messages"));
  return error_type();
}

Type ExprChecker::visit(ExprId id, const QuantExpr& e, const Place& place) {
  if (place.mode == Mode::Program || place.mode == Mode::Ghost) {
    session_.report(DiagnosticKind::SpecificationOnly, span(id, place), {"a quantifier"});
    return scalar_type(Scalar::Bool);
  }
  Scope::Block block(scope_);
  bind(e.binders, place.tree);
  expect_bool(e.body, place);
  return scalar_type(Scalar::Bool);
}

void ExprChecker::bind(const std::vector<Binder>& binders, TreeIndex tree) {
  for (const Binder& binder : binders) {
    Type type = session_.expect_type(binder.type);
    if (!type.error && (!type.is_scalar() || type.is_void())) {
      session_.report(DiagnosticKind::ScalarNeeded, binder.type.span,
                      {"a bound variable", describe(type)});
      type = error_type();
    }
    scope_.declare({SymbolKind::Binder, binder.name.name, binder.name.span, type, tree});
  }
}

}  // namespace leto::check

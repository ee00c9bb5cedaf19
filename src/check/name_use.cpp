#include "check/name_use.h"

#include <fmt/core.h>

#include <algorithm>

#include "check/layer_check.h"

namespace leto::check {

using namespace syntax;

namespace {

// x<o>, s<o>.x
std::string with_side(std::string name, std::string_view side) {
  return name.insert(std::min(name.find('.'), name.size()), side);
}

}  // namespace

SymbolId NameUse::lookup(const Ident& ident, const Place& place, std::string_view what) {
  if (const SymbolId local = scope_.find(ident.name); local.valid()) {
    const Symbol& symbol = session_.symbol(local);
    const bool later =
        place.snapshot_of.valid() && local > place.snapshot_of && symbol.kind != SymbolKind::Binder;
    if (later) {
      session_.report(Diagnostic{
          DiagnosticKind::UnknownName,
          ident.span,
          {symbol.kind == SymbolKind::Label ? "label" : std::string(what),
           session_.text(ident.name)},
          {},
          {}}.note(symbol.span,
                   fmt::format("it is declared inside loop '{}', whose iteration has "
                               "begun by then",
                               session_.text(session_.symbol(place.snapshot_of).name))));
      return {};
    }
    return local;
  }
  if (place.mode == Mode::Model || (place.mode == Mode::Constant && place.model.valid())) {
    const Model& model = session_.checked.models[place.model];
    const auto it = model.members.find(ident.name);
    if (it != model.members.end()) {
      if (it->second.size() > 1) {
        session_.report(Diagnostic{
            DiagnosticKind::AmbiguousMember,
            ident.span,
            {session_.text(ident.name), session_.text(model.name)},
            {},
            {}}.helping("put the super-model's name before it: 'M.x'"));
        return {};
      }
      return it->second.front();
    }
  } else if (const auto it = session_.globals.find(ident.name); it != session_.globals.end()) {
    return it->second;
  }
  if (const std::string_view why = of_layer_below(session_, place.model, ident.name);
      !why.empty()) {
    session_.unknown(std::string(what), ident, {}, why);
    return {};
  }
  NearestName nearest(session_.names.text(ident.name));
  if (!session_.may_suggest()) {
    session_.unknown(std::string(what), ident, {}, place.hint);
    return {};
  }
  scope_.offer_names(nearest);
  if (place.model.valid()) {
    for (const auto& [name, ids] : session_.checked.models[place.model].members)
      nearest.offer(session_.names.text(name));
  } else {
    for (const auto& [name, id] : session_.globals)
      if (session_.symbol(id).kind != SymbolKind::Model) nearest.offer(session_.names.text(name));
  }
  session_.unknown(std::string(what), ident, nearest.best(), place.hint);
  return {};
}

// A record is one argument, so all of its fields are used in one way.
void NameUse::use_param(SymbolId id, ParamUse use, Span at) {
  const SymbolId whole = session_.symbol(id).whole;
  Symbol& symbol = session_.checked.symbols[whole.valid() ? whole : id];
  if (symbol.use == ParamUse::Unused) {
    symbol.use = use;
  } else if (symbol.use != use) {
    session_.report(
        Diagnostic{DiagnosticKind::MixedParameter, at, {session_.text(symbol.name)}, {}, {}}.note(
            symbol.span, "declared here"));
  }
}

// A model's state or constant, however it was reached.
Type NameUse::state_or_constant(SymbolId id, const Ident& ident, const Place& place) {
  const Symbol& symbol = session_.symbol(id);
  if (symbol.kind == SymbolKind::State && place.mode == Mode::Constant) {
    session_.report(
        DiagnosticKind::NotConstant, ident.span,
        {place.where, fmt::format("the state variable '{}'", session_.text(ident.name))});
    return error_type();
  }
  return symbol.type;
}

void NameUse::refuse_snapshot(SymbolId id, const Ident& ident, const Place& place) {
  const Symbol& symbol = session_.symbol(id);
  if (!symbol.snapshot || place.proof) return;
  session_.report(Diagnostic{
      DiagnosticKind::SnapshotUse, ident.span, {session_.text(ident.name), place.where}, {}, {}}
                      .note(symbol.span, "declared here")
                      .helping("it can be an argument of a lemma, or stand in 'invariant'"));
}

Type NameUse::use_symbol(SymbolId id, const Ident& ident, const Place& place) {
  const Symbol& symbol = session_.symbol(id);
  const std::string name = session_.text(ident.name);
  const auto wrong_kind = [&] {
    session_.report(Diagnostic{
        DiagnosticKind::WrongKind, ident.span, {name, describe(symbol.kind), "a value"}, {}, {}}
                        .note(symbol.span, "declared here"));
    return error_type();
  };
  switch (symbol.kind) {
    case SymbolKind::Function:
    case SymbolKind::Property:
    case SymbolKind::Definition:
    case SymbolKind::Lemma:
    case SymbolKind::Model:
    case SymbolKind::Record:
    case SymbolKind::Field:
    case SymbolKind::Label:
      return wrong_kind();
    case SymbolKind::Rigid:
      report_bare_rigid(id, ident);
      return error_type();
    case SymbolKind::Constant:
    case SymbolKind::Binder:
    case SymbolKind::DefinitionParam:
    case SymbolKind::OperatorParam:
    case SymbolKind::Exact:
      return symbol.type;
    case SymbolKind::State:
    case SymbolKind::ModelConstant:
      return state_or_constant(id, ident, place);
    case SymbolKind::Destination:
      return symbol.type;
    case SymbolKind::Outcome:
      if (!place.post) {
        session_.report(DiagnosticKind::OutcomeMisplaced, ident.span, {name});
        return error_type();
      }
      return symbol.type;
    case SymbolKind::Ghost:
      refuse_snapshot(id, ident, place);
      if (place.mode == Mode::Constant && !symbol.snapshot) {
        session_.report(DiagnosticKind::NotConstant, ident.span,
                        {place.where, fmt::format("the specvar '{}'", name)});
        return error_type();
      }
      if (place.mode == Mode::Program && !symbol.snapshot) {
        session_.report(
            Diagnostic{DiagnosticKind::GhostFlow, ident.span, {name, place.where}, {}, {}}.note(
                symbol.span, "declared as a specvar here"));
      }
      return symbol.type;
    case SymbolKind::Param:
    case SymbolKind::Local:
    case SymbolKind::Result:
      if (place.mode == Mode::Constant) {
        session_.report(DiagnosticKind::NotConstant, ident.span,
                        {place.where, fmt::format("the variable '{}'", name)});
        return error_type();
      }
      if (place.mode == Mode::Relational && !place.one_side) {
        session_.report(Diagnostic{
            DiagnosticKind::BareInRelational,
            ident.span,
            {name, with_side(name, "<o>"), with_side(name, "<r>")},
            {},
            {}}.helping(fmt::format("or 'eq({})' to say that it is the same in both runs", name)));
      }
      return symbol.type;
    case SymbolKind::PropertyParam:
      if (place.mode == Mode::Relational)
        use_param(id, place.one_side ? ParamUse::Sided : ParamUse::Bare, ident.span);
      return symbol.type;
  }
  LETO_ASSERT(false);
}

void NameUse::report_bare_rigid(SymbolId id, const Ident& ident) {
  const std::string name = session_.text(ident.name);
  session_.report(Diagnostic{
      DiagnosticKind::WrongKind, ident.span, {name, describe(SymbolKind::Rigid), "a value"}, {}, {}}
                      .note(session_.symbol(id).span, "declared here")
                      .helping(fmt::format("give it arguments: '{}(...)'", name)));
}

void NameUse::reach_model_member(ExprId id, const Ident& member, ModelId model_id, Type& type,
                                 const Place& place) {
  const Model& model = session_.checked.models[model_id];
  type = error_type();
  // A program names the members of all layers, a model its own.
  const auto& members = place.model.valid() ? model.members : model.reachable;
  const auto it = members.find(member.name);
  if (it == members.end()) {
    if (session_.skipped_names.contains(member.name)) return;
    Diagnostic d{DiagnosticKind::UnknownModelMember,
                 member.span,
                 {session_.text(model.name), session_.text(member.name)},
                 {},
                 {}};
    d.notes.push_back({model.syntax->name.span, "the model is here"});
    d.help = session_.nearest_member(model, member);
    session_.report(std::move(d));
    return;
  }
  if (it->second.size() > 1) {
    session_.report(Diagnostic{DiagnosticKind::AmbiguousMember,
                               member.span,
                               {session_.text(member.name), session_.text(model.name)},
                               {},
                               {}}
                        .note(session_.symbol(it->second[0]).span, "declared here")
                        .note(session_.symbol(it->second[1]).span, "and here"));
    return;
  }
  const SymbolId symbol = it->second.front();
  session_.checked.facts[place.tree].symbols[id.value] = symbol;
  type = session_.symbol(symbol).type;
}

}  // namespace leto::check

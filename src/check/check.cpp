#include "check/check.h"

#include <fmt/core.h>

#include <algorithm>

#include "check/definition_check.h"
#include "check/doubtful.h"
#include "check/expansion.h"
#include "check/function_check.h"
#include "check/ghost_check.h"
#include "check/lemma_check.h"
#include "check/model_check.h"
#include "check/system_check.h"
#include "check/unused.h"

namespace leto::check {

using namespace syntax;

Type Checked::type_of(const TypeSyntax& written) const {
  Type type{written.scalar, written.shape};
  type.width = written.width;
  if (!written.record.valid()) return type;
  const auto found = records.find(written.record);
  if (found == records.end()) return error_type();
  type.record = found->second.get();
  return type;
}

std::vector<SymbolId> Checked::parts_of(SymbolId symbol) const {
  const std::vector<SymbolId>& fields = symbols[symbol].fields;
  return fields.empty() ? std::vector<SymbolId>{symbol} : fields;
}

FoundChecker find_checker(const Checked& checked, Name name) {
  for (const Tree* tree : checked.trees)
    for (const Item& item : tree->items)
      if (const auto* checker = std::get_if<CheckerItem>(&item.node);
          checker != nullptr && checker->name.name == name)
        return {tree, checker};
  return {};
}

namespace {

// The symbols that an expression names, as far as they are known.
void symbols_in(const Checked& checked, TreeIndex tree, ExprId id, std::vector<SymbolId>& into) {
  if (const SymbolId symbol = checked.facts[tree].symbols[id.value]; symbol.valid())
    into.push_back(symbol);
  for_each_child(checked.trees[tree]->exprs[id],
                 [&](ExprId child) { symbols_in(checked, tree, child, into); });
}

}  // namespace

// Depth first, without recursion: chains of constants can be long.
ConstantOrder order_constants(const Checked& checked, const Model& model) {
  enum class State : std::uint8_t { New, Open, Done };
  const std::vector<ModelVariable>& constants = model.constants;
  std::unordered_map<SymbolId, std::size_t> index;
  for (std::size_t i = 0; i < constants.size(); ++i) index.emplace(constants[i].symbol, i);
  struct Frame {
    std::size_t constant;
    std::vector<SymbolId> uses;
  };
  std::vector<State> states(constants.size(), State::New);
  std::vector<Frame> frames;
  const auto enter = [&](std::size_t i) {
    states[i] = State::Open;
    frames.push_back({i, {}});
    if (constants[i].init.valid())
      symbols_in(checked, constants[i].init_tree, constants[i].init, frames.back().uses);
  };
  ConstantOrder result;
  for (std::size_t start = 0; start < constants.size(); ++start) {
    if (states[start] == State::New) enter(start);
    while (!frames.empty()) {
      Frame& top = frames.back();
      if (top.uses.empty()) {
        states[top.constant] = State::Done;
        result.order.push_back(top.constant);
        frames.pop_back();
        continue;
      }
      const auto used = index.find(top.uses.back());
      top.uses.pop_back();
      if (used == index.end() || states[used->second] == State::Done) continue;
      if (states[used->second] == State::New) {
        enter(used->second);
        continue;
      }
      const auto from = std::find_if(frames.begin(), frames.end(), [&](const Frame& frame) {
        return frame.constant == used->second;
      });
      for (auto it = from; it != frames.end(); ++it) result.cycle.push_back(it->constant);
      return result;
    }
  }
  return result;
}

namespace {

// What records consist of, before anything is declared that may be of one.
void collect_records(Session& session) {
  for (TreeIndex t = 0; t < session.checked.trees.size(); ++t)
    for (const Item& item : session.tree(t).items) {
      const auto* written = std::get_if<RecordItem>(&item.node);
      if (written == nullptr || session.checked.records.contains(written->name.name)) continue;
      auto record = std::make_shared<Record>();
      record->name = session.text(written->name.name);
      record->syntax = written;
      record->tree = t;
      for (const Binder& field : written->fields) {
        Type type = scalar_type_of(field.type);
        if (!type.is_scalar() || type.is_void()) {
          session.report(DiagnosticKind::ScalarNeeded, field.type.span,
                         {"a field of a record", describe(type)});
          type = error_type();
        }
        if (const auto other = record->find(field.name.name))
          session.report(Diagnostic{
              DiagnosticKind::DuplicateName,
              field.name.span,
              {session.text(field.name.name)},
              {},
              {}}.note(session.symbol(record->fields[*other].symbol).span,
                       "the other one is declared here"));
        const SymbolId symbol =
            session.add({SymbolKind::Field, field.name.name, field.name.span, type, t});
        record->fields.push_back({field.name.name, type, symbol});
      }
      session.checked.records.emplace(written->name.name, std::move(record));
    }
}

void collect_globals(Session& session) {
  const auto declare = [&](SymbolKind kind, const Ident& name, Type type, TreeIndex tree,
                           std::size_t item) {
    if (!name.name.valid()) return;
    Symbol symbol{kind, name.name, name.span, type, tree};
    symbol.item = static_cast<std::uint32_t>(item);
    const SymbolId id = session.add(symbol);
    if (is_builtin(session.names.text(name.name)) && kind != SymbolKind::Model) {
      session.report(
          Diagnostic{DiagnosticKind::DuplicateName, name.span, {session.text(name.name)}, {}, {}}
              .helping("'abs', 'min' and 'max' are built in"));
      return;
    }
    const auto [it, fresh] = session.globals.emplace(name.name, id);
    if (!fresh)
      session.report(
          Diagnostic{DiagnosticKind::DuplicateName, name.span, {session.text(name.name)}, {}, {}}
              .note(session.symbol(it->second).span, "the other one is declared here"));
  };
  for (TreeIndex t = 0; t < session.checked.trees.size(); ++t) {
    const Tree& tree = session.tree(t);
    for (Name name : tree.skipped_names) session.skipped_names.insert(name);
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      const auto& node = tree.items[i].node;
      if (const auto* constant = std::get_if<ConstItem>(&node)) {
        declare(SymbolKind::Constant, constant->name, symbol_type_of(constant->type), t, i);
      } else if (const auto* property = std::get_if<PropertyItem>(&node)) {
        declare(SymbolKind::Property, property->name, scalar_type(Scalar::Bool), t, i);
      } else if (const auto* definition = std::get_if<DefineItem>(&node)) {
        declare(SymbolKind::Definition, definition->name, symbol_type_of(definition->type), t, i);
      } else if (const auto* function = std::get_if<FunctionItem>(&node)) {
        declare(function->lemma ? SymbolKind::Lemma : SymbolKind::Function, function->name,
                session.checked.type_of(function->type), t, i);
      } else if (const auto* model = std::get_if<ModelItem>(&node)) {
        declare(SymbolKind::Model, model->name, error_type(), t, i);
      } else if (const auto* record = std::get_if<RecordItem>(&node)) {
        declare(SymbolKind::Record, record->name, error_type(), t, i);
      }
    }
  }
}

// Nothing may depend on itself, directly or by way of others.
void refuse_later(Session& session, const Tree& tree, ExprId id,
                  const std::unordered_set<Name>& later) {
  const auto* name = std::get_if<NameExpr>(&tree.exprs[id].node);
  if (name != nullptr && later.contains(name->name))
    session.report(Diagnostic{
        DiagnosticKind::NotConstant,
        tree.exprs[id].span,
        {"a constant's value",
         fmt::format("'{}', which is declared later,", session.text(name->name))},
        {},
        {}}.helping("move its declaration up"));
  for_each_child(tree.exprs[id], [&](ExprId child) { refuse_later(session, tree, child, later); });
}

// A constant vector: its size is written as a number, and there are so many values.
void check_table(Session& session, const Tree& tree, const ConstItem& item) {
  const std::string name = session.text(item.name.name);
  const auto refuse = [&](Span at, std::string what, Help help) {
    session.report({DiagnosticKind::BadTable, at, {std::move(what)}, {}, std::move(help)});
  };
  const std::string count = std::to_string(item.elements.size());
  if (item.init.valid() && std::holds_alternative<ErrorExpr>(tree.exprs[item.init].node)) return;
  if (item.elements.empty())
    return refuse(item.name.span, fmt::format("the constant vector '{}' has no values", name),
                  {fmt::format("write them down: '{}(3) = [1, 2, 4];'", name), {}});
  if (item.dims.size() != 1)
    return refuse(item.name.span,
                  fmt::format("the constant vector '{}' has {}", name,
                              item.dims.empty() ? "no size" : "more than one size"),
                  {fmt::format("write '{}({})'", name, count), {}});
  const Expr& size = tree.exprs[item.dims[0]];
  if (std::holds_alternative<ErrorExpr>(size.node)) return;
  const auto* number = std::get_if<IntegerExpr>(&size.node);
  std::string digits = number != nullptr ? session.text(number->text) : "";
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits == count) return;
  refuse(size.span,
         number == nullptr
             ? fmt::format("the size of the constant vector '{}' is not written as a number", name)
             : fmt::format("'{}' has {} element{}, and {} {} given", name,
                           digits.empty() ? "0" : digits, digits == "1" ? "" : "s", count,
                           item.elements.size() == 1 ? "is" : "are"),
         {fmt::format("write '{}({})'", name, count), Edit{size.span, count}});
}

void check_constant(Session& session, ExprChecker& exprs, Place place, const ConstItem& item,
                    const std::unordered_set<Name>& later) {
  const Tree& tree = session.tree(place.tree);
  const Type type = scalar_type_of(item.type);
  const bool table = type.shape == Shape::Vector && type.record == nullptr;
  if (!table && (!type.is_scalar() || type.is_void()))
    session.report(DiagnosticKind::ScalarNeeded, item.type.span, {"a constant", describe(type)});
  if (table) check_table(session, tree, item);
  if (type.is_scalar()) refuse_elements(session, item);
  place.where = "a constant's value";
  if (item.init.valid() && !table) {
    exprs.expect(item.init, place, type.is_scalar() ? type : error_type());
    refuse_later(session, tree, item.init, later);
  }
  for (ExprId element : item.elements) {
    exprs.expect(element, place, table ? element_type(type) : error_type(), "an element");
    refuse_later(session, tree, element, later);
  }
}

// Constants and constraints of programs. A constant may use those before it.
void check_constants(Session& session) {
  std::unordered_set<Name> later;
  for (TreeIndex t = 0; t < session.checked.trees.size(); ++t) {
    const Tree& tree = session.tree(t);
    for (const Item& item : tree.items)
      if (const auto* constant = std::get_if<ConstItem>(&item.node))
        later.insert(constant->name.name);
  }
  for (TreeIndex t = 0; t < session.checked.trees.size(); ++t) {
    const Tree& tree = session.tree(t);
    for (const Item& item : tree.items) {
      Scope scope(session);
      ExprChecker exprs(session, scope);
      Place place{};
      place.mode = Mode::Constant;
      place.tree = t;
      if (const auto* constant = std::get_if<ConstItem>(&item.node)) {
        check_constant(session, exprs, place, *constant, later);
        later.erase(constant->name.name);
      } else if (const auto* constraint = std::get_if<ConstraintItem>(&item.node)) {
        place.where = "a constraint on constants";
        place.constraint = true;
        place.hint =
            "'requires' with ';' constrains constants; a function's precondition has no ';' behind "
            "it";
        exprs.expect_bool(constraint->expr, place);
      } else if (const auto* checker = std::get_if<CheckerItem>(&item.node)) {
        const FoundChecker first = find_checker(session.checked, checker->name.name);
        if (first.item != checker)
          session.report(Diagnostic{
              DiagnosticKind::DuplicateName,
              checker->name.span,
              {session.text(checker->name.name)},
              {},
              {}}.note(first.item->name.span, "declared before here"));
        session.expect_chance(tree.exprs[checker->false_positive]);
        session.expect_chance(tree.exprs[checker->false_negative]);
      }
    }
  }
}

// Properties, each after those that it uses: how a property treats its
// parameters must be known where it is applied.
class PropertyOrder {
 public:
  explicit PropertyOrder(Session& session) : session_(session) {}

  void run() {
    for (TreeIndex t = 0; t < session_.checked.trees.size(); ++t)
      for (const Item& item : session_.tree(t).items)
        if (const auto* property = std::get_if<PropertyItem>(&item.node)) {
          const auto it = session_.globals.find(property->name.name);
          if (it != session_.globals.end() &&
              session_.symbol(it->second).span == property->name.span)
            visit(it->second);
        }
  }

 private:
  enum class State : std::uint8_t { Open, Done };

  void visit(SymbolId id) {
    if (states_.contains(id)) return;
    if (depth_ >= kMaxChain) {
      const Span at = session_.symbol(id).span;
      session_.report(
          Diagnostic{DiagnosticKind::TooDeep, at, {std::to_string(kMaxChain)}, {}, {}}.helping(
              "declare properties before those that use them"));
      states_[id] = State::Done;
      return;
    }
    ++depth_;
    states_[id] = State::Open;
    const Symbol symbol = session_.symbol(id);
    const Tree& tree = session_.tree(symbol.tree);
    const auto& property = std::get<PropertyItem>(tree.items[symbol.item].node);
    uses(property.body, tree);
    Scope scope(session_);
    Scope::Block block(scope);
    ExprChecker exprs(session_, scope);
    declare_params(session_, scope, exprs, property.params, SymbolKind::PropertyParam, symbol.tree);
    Place place{};
    place.mode = property.relational ? Mode::Relational : Mode::Unary;
    place.tree = symbol.tree;
    place.where = property.relational ? "'property_r'" : "'property'";
    session_.labels_of_function.clear();
    exprs.expect_bool(property.body, place);
    states_[id] = State::Done;
    --depth_;
  }

  void uses(ExprId id, const Tree& tree) {
    for_each_child(tree.exprs[id], [&](ExprId child) { uses(child, tree); });
    const auto* call = std::get_if<CallExpr>(&tree.exprs[id].node);
    if (call == nullptr) return;
    const auto it = session_.globals.find(call->callee.name);
    if (it == session_.globals.end() || session_.symbol(it->second).kind != SymbolKind::Property)
      return;
    const auto state = states_.find(it->second);
    if (state != states_.end() && state->second == State::Open)
      session_.report(Diagnostic{DiagnosticKind::RecursiveProperty,
                                 call->callee.span,
                                 {session_.text(call->callee.name)},
                                 {},
                                 {}}
                          .note(session_.symbol(it->second).span, "declared here")
                          .helping("a property is a macro and cannot expand for ever"));
    else
      visit(it->second);
  }

  static constexpr int kMaxChain = 200;  // of properties, each used before it is declared

  Session& session_;
  std::unordered_map<SymbolId, State> states_;
  int depth_ = 0;
};

// Functions that can reach themselves must carry a contract: they cannot be inlined.
void check_recursion(Session& session, const std::vector<FunctionFacts>& functions) {
  // Tarjan's components, without recursion: call chains can be long.
  std::unordered_map<SymbolId, std::size_t> position;
  for (std::size_t i = 0; i < functions.size(); ++i) position[functions[i].symbol] = i;
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> order(functions.size(), kNone), low(functions.size(), 0);
  std::vector<bool> on_stack(functions.size(), false);
  std::vector<std::size_t> stack;
  std::size_t count = 0;
  struct Frame {
    std::size_t node;
    std::size_t next;
  };
  const auto close = [&](std::size_t root) {
    std::vector<std::size_t> component;
    while (true) {
      const std::size_t node = stack.back();
      stack.pop_back();
      on_stack[node] = false;
      component.push_back(node);
      if (node == root) break;
    }
    const auto& calls = functions[root].calls;
    const bool self = std::find(calls.begin(), calls.end(), functions[root].symbol) != calls.end();
    if (component.size() == 1 && !self) return;
    for (std::size_t node : component) {
      const Symbol& symbol = session.symbol(functions[node].symbol);
      if (session.function_item(functions[node].symbol).contract.empty())
        session.report(Diagnostic{
            DiagnosticKind::RecursionNeedsContract,
            symbol.span,
            {session.text(symbol.name)},
            {},
            {}}.helping("write 'requires', 'ensures' or their relational forms before it"));
    }
  };
  for (std::size_t start = 0; start < functions.size(); ++start) {
    if (order[start] != kNone) continue;
    std::vector<Frame> frames{{start, 0}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::size_t node = frame.node;
      if (frame.next == 0) {
        order[node] = low[node] = count++;
        stack.push_back(node);
        on_stack[node] = true;
      }
      const auto& calls = functions[node].calls;
      bool descended = false;
      while (frame.next < calls.size()) {
        const auto it = position.find(calls[frame.next++]);
        if (it == position.end()) continue;
        if (order[it->second] == kNone) {
          frames.push_back({it->second, 0});
          descended = true;
          break;
        }
        if (on_stack[it->second]) low[node] = std::min(low[node], order[it->second]);
      }
      if (descended) continue;
      if (frame.next == 0) frame.next = 1;
      if (low[node] == order[node]) close(node);
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
    }
  }
}

// Whoever runs programs can do nothing with systems, and nothing with a model of messages: that a
// program has no faults under one would be said by accident.
void refuse_systems(Session& session) {
  const Checked& checked = session.checked;
  for (TreeIndex t = 0; t < checked.trees.size(); ++t)
    for (const Item& item : session.tree(t).items)
      if (const auto* system = std::get_if<SystemItem>(&item.node))
        session.report(
            Diagnostic{
                DiagnosticKind::NotAProgram,
                system->name.span,
                {fmt::format("'{}' is a system and no program", session.text(system->name.name))},
                {},
                {}}
                .helping("'leto protocol FILE' says what holds of it, 'leto check FILE' whether it "
                         "is well formed"));
  if (checked.model.valid() && checked.models[checked.model].of_messages)
    session.report(Diagnostic{
        DiagnosticKind::NotAProgram,
        checked.models[checked.model].syntax->name.span,
        {fmt::format("model '{}' is of messages, and programs send none",
                     session.text(checked.models[checked.model].name))},
        {},
        {}}.helping("it is for systems: 'leto protocol FILE --model NAME'"));
}

// What a function does, it does under the model of the program: nobody may think that it is done
// again under another.
void check_redone(Session& session, const std::vector<FunctionFacts>& functions,
                  const std::unordered_set<SymbolId>& relaxed) {
  for (const FunctionFacts& function : functions)
    for (const auto& [callee, model] : function.redone)
      if (relaxed.contains(callee))
        session.report(
            Diagnostic{DiagnosticKind::RedoUnder,
                       model.span,
                       {session.text(model.name),
                        fmt::format("it calls '{}', which has relaxed operations of its own",
                                    session.text(session.symbol(callee).name))},
                       {},
                       {}}
                .note(session.symbol(callee).span, "declared here")
                .helping("write what it does in the block, or recover by a block of its own"));
}

}  // namespace

Checked check(std::vector<const Tree*> trees, const Options& options, NameTable& names,
              DiagnosticSink& sink) {
  Checked checked;
  checked.trees = std::move(trees);
  for (const Tree* tree : checked.trees) {
    Facts facts;
    facts.types.resize(tree->exprs.size(), error_type());
    facts.symbols.resize(tree->exprs.size());
    checked.facts.push_back(std::move(facts));
  }
  checked.allowance = options.allowance;
  Session session(checked, names, sink, options.model_is_bad);
  collect_records(session);
  collect_globals(session);
  check_models(session);
  if (options.model.valid()) {
    const auto it = session.models.find(options.model);
    if (it != session.models.end()) checked.model = it->second;
  }
  check_message_models(session);
  if (options.with_systems)
    check_systems(session);
  else
    refuse_systems(session);
  check_constants(session);
  PropertyOrder(session).run();
  check_definitions(session);
  std::vector<FunctionFacts> functions;
  for (TreeIndex t = 0; t < checked.trees.size(); ++t)
    for (std::size_t i = 0; i < checked.trees[t]->items.size(); ++i)
      if (const auto* function = std::get_if<FunctionItem>(&checked.trees[t]->items[i].node)) {
        const auto declared = checked.facts[t].declared.find(key_of(function->name.span));
        // What is claimed under another model has no meaning here.
        const bool elsewhere =
            function->role == Role::Under &&
            (!checked.model.valid() || checked.models[checked.model].name != function->under);
        if (declared != checked.facts[t].declared.end() && !elsewhere)
          functions.push_back(check_function(session, declared->second));
      }
  check_expansion(session);
  check_lemmas(session, functions);
  find_unused(session);
  check_recursion(session, functions);
  check_redone(session, functions, relaxed_functions(functions, false));
  check_ghosts(session, functions, relaxed_functions(functions, true));
  warn_of_doubtful(checked.trees, names, sink);
  return checked;
}

}  // namespace leto::check

#include "check/model_check.h"

#include <fmt/core.h>

#include <algorithm>

#include "check/expr_check.h"
#include "check/layer_check.h"
#include "check/system_check.h"

namespace leto::check {

using namespace syntax;

namespace {

constexpr const char* kConstraint = "a constraint on constants";

// The members of one model. Its super-models are complete already.
class ModelChecker {
 public:
  ModelChecker(Session& session, ModelId id)
      : session_(session),
        id_(id),
        tree_index_(session.checked.models[id].tree),
        tree_(session.tree(tree_index_)),
        item_(*session.checked.models[id].syntax) {}

  void run() {
    inherit();
    for (const Member& member : item_.members) {
      if (const auto* constant = std::get_if<ConstItem>(&member.node))
        declare(*constant);
      else if (const auto* state = std::get_if<StateMember>(&member.node))
        declare(*state);
      else if (const auto* constraint = std::get_if<ConstraintItem>(&member.node))
        formula(constraint->expr, Mode::Constant, kConstraint, model().constraints);
      else if (const auto* invariant = std::get_if<InvariantMember>(&member.node))
        formula(invariant->expr, Mode::Model, "a model's invariant", model().invariants);
      else if (const auto* init = std::get_if<InitMember>(&member.node))
        initialise(*init);
      else if (const auto* rigid = std::get_if<RigidMember>(&member.node))
        declare(*rigid);
      else if (const auto* value = std::get_if<RigidValueMember>(&member.node))
        give_value(*value);
      else if (const auto* witness = std::get_if<WitnessMember>(&member.node))
        give_witness(*witness);
      else if (const auto* op = std::get_if<OperatorMember>(&member.node))
        operation(*op);
      else if (const auto* import = std::get_if<ImportMember>(&member.node))
        import_operator(*import);
    }
    refuse_cycles();
    check_layers(session_, id_);
  }

 private:
  Model& model() { return session_.checked.models[id_]; }
  [[nodiscard]] std::string model_name() { return session_.text(item_.name.name); }
  [[nodiscard]] Place place(Mode mode, std::string where) const {
    Place p{};
    p.mode = mode;
    p.tree = tree_index_;
    p.where = std::move(where);
    p.model = id_;
    p.constraint = mode == Mode::Constant && p.where == kConstraint;
    return p;
  }

  void inherit() {
    for (ModelId super_id : model().supers) {
      const Model super = session_.checked.models[super_id];
      inherit(model().constants, super.constants, super_id);
      inherit(model().states, super.states, super_id);
      inherit(model().rigids, super.rigids, super_id);
      inherit(model().constraints, super.constraints);
      inherit(model().invariants, super.invariants);
      for (const auto& [name, symbols] : super.members) {
        auto& here = model().members[name];
        for (SymbolId symbol : symbols)
          if (std::find(here.begin(), here.end(), symbol) == here.end()) here.push_back(symbol);
      }
    }
  }

  // What comes by way of two super-models is one variable, and has one value.
  void inherit(std::vector<ModelVariable>& into, const std::vector<ModelVariable>& from,
               ModelId super) {
    for (const ModelVariable& variable : from) {
      const auto same = std::find_if(into.begin(), into.end(), [&](const ModelVariable& v) {
        return v.symbol == variable.symbol;
      });
      if (same == into.end())
        into.push_back(variable);
      else if (!same->init.valid())
        *same = variable;
      else if (variable.init.valid() && !same_value(*same, variable))
        several_values(*same, variable, super);
    }
  }
  // Likewise for functions. What one of them may be is not binding: the first one said will do.
  void inherit(std::vector<ModelRigid>& into, const std::vector<ModelRigid>& from, ModelId super) {
    for (const ModelRigid& rigid : from) {
      const auto same = std::find_if(into.begin(), into.end(), [&](const ModelRigid& other) {
        return other.symbol == rigid.symbol;
      });
      if (same == into.end()) {
        into.push_back(rigid);
        continue;
      }
      if (same->witness.params == nullptr) same->witness = rigid.witness;
      if (same->value.params == nullptr)
        same->value = rigid.value;
      else if (rigid.value.params != nullptr && !(same->value == rigid.value))
        several_values({same->symbol, same->value.expr, same->value.tree},
                       {rigid.symbol, rigid.value.expr, rigid.value.tree}, super);
    }
  }
  static bool same_value(const ModelVariable& a, const ModelVariable& b) {
    return a.init == b.init && a.init_tree == b.init_tree;
  }
  static void inherit(std::vector<ModelFormula>& into, const std::vector<ModelFormula>& from) {
    for (const ModelFormula& f : from) {
      const bool known = std::any_of(into.begin(), into.end(), [&](const ModelFormula& other) {
        return other.expr == f.expr && other.tree == f.tree;
      });
      if (!known) into.push_back(f);
    }
  }

  void several_values(const ModelVariable& first, const ModelVariable& second, ModelId super) {
    const auto given_at = [&](const ModelVariable& v) {
      return session_.tree(v.init_tree).exprs[v.init].span;
    };
    const Name name = session_.checked.models[super].name;
    const auto written = std::find_if(item_.supers.begin(), item_.supers.end(),
                                      [&](const Ident& ident) { return ident.name == name; });
    session_.report(
        Diagnostic{DiagnosticKind::SeveralValues,
                   written->span,
                   {session_.text(session_.symbol(first.symbol).name), giver_of(first),
                    session_.text(name)},
                   {},
                   {}}
            .note(given_at(first), "one value is given here")
            .note(given_at(second), "and the other here")
            .helping("give it one value, in a model that both of them refine or in this one"));
  }
  // The first super-model that has the variable with this value.
  [[nodiscard]] std::string giver_of(const ModelVariable& variable) {
    for (ModelId super : model().supers) {
      const Model& other = session_.checked.models[super];
      for (const auto* list : {&other.constants, &other.states})
        for (const ModelVariable& v : *list)
          if (v.symbol == variable.symbol && same_value(v, variable))
            return session_.text(other.name);
      for (const ModelRigid& rigid : other.rigids)
        if (rigid.symbol == variable.symbol && rigid.value.expr == variable.init &&
            rigid.value.tree == variable.init_tree)
          return session_.text(other.name);
    }
    LETO_ASSERT(false);
  }

  // A value that depends on itself is none, or any: what follows from it means nothing. Values are
  // given by several models, so only all of them together show a cycle.
  void refuse_cycles() {
    const std::vector<std::size_t> cycle = order_constants(session_.checked, model()).cycle;
    if (cycle.empty()) return;
    std::string text;
    const auto name_of = [&](std::size_t i) {
      return session_.text(session_.symbol(model().constants[i].symbol).name);
    };
    for (std::size_t i : cycle) text += name_of(i) + " -> ";
    if (!session_.told_once.insert("cycle " + text).second) return;  // of a super-model
    const ModelVariable& first = model().constants[cycle[0]];
    const Span value = session_.tree(first.init_tree).exprs[first.init].span;
    Diagnostic d{DiagnosticKind::CircularConstant,
                 initialised_here(first) ? value : item_.name.span,
                 {name_of(cycle[0]), text + name_of(cycle[0])},
                 {},
                 {}};
    if (!initialised_here(first)) d.notes.push_back({value, "its value is given here"});
    session_.report(std::move(d).helping("give one of them a value that uses none of the others"));
  }

  // Says so if there is something of that name.
  bool is_taken(const Ident& name) {
    const auto before = model().members.find(name.name);
    if (before == model().members.end()) return false;
    const Symbol& other = session_.symbol(before->second.front());
    if (other.model == id_)
      session_.report(
          Diagnostic{DiagnosticKind::DuplicateName, name.span, {session_.text(name.name)}, {}, {}}
              .note(other.span, "the other one is declared here"));
    else
      session_.report(Diagnostic{
          DiagnosticKind::TouchesSuperState,
          name.span,
          {session_.text(name.name), session_.text(session_.checked.models[other.model].name),
           "cannot be declared again"},
          {},
          {}}.note(other.span, "declared here"));
    return true;
  }

  // const bool bad(int a, int b);
  void declare(const RigidMember& item) {
    const std::string name = session_.text(item.name.name);
    Type type = scalar_type_of(item.type);
    if (!type.is_scalar() || type.is_void()) {
      session_.report(DiagnosticKind::ScalarNeeded, item.type.span,
                      {"what a function constant gives", describe(type)});
      type = error_type();
    }
    if (item.params.empty())
      session_.report(Diagnostic{DiagnosticKind::Expected,
                                 item.name.span,
                                 {"parameters", fmt::format("'{}' without any", name)},
                                 {},
                                 {}}
                          .helping(fmt::format("a value that nobody knows is a constant: 'const "
                                               "{} {};'",
                                               describe(scalar_type_of(item.type)), name)));
    if (is_builtin(name))
      session_.report(
          Diagnostic{DiagnosticKind::DuplicateName, item.name.span, {name}, {}, {}}.helping(
              "'abs', 'min' and 'max' are built in"));
    Scope scope(session_);
    Scope::Block block(scope);
    for (const Param& param : item.params) declare_rigid_param(param, scope);
    if (is_taken(item.name)) return;
    Symbol symbol{SymbolKind::Rigid, item.name.name, item.name.span, type, tree_index_};
    symbol.model = id_;
    const SymbolId id = session_.add(symbol);
    session_.checked.rigids.emplace(id, &item);
    model().members[item.name.name] = {id};
    model().rigids.push_back({id, &item, tree_index_});
  }
  void declare_rigid_param(const Param& param, Scope& scope) {
    Type type = scalar_type_of(param.type);
    if (param.inout)
      session_.report(Diagnostic{
          DiagnosticKind::InOutMisplaced, param.name.span, {"a function constant"}, {}, {}}
                          .helping("nobody computes it, so it changes nothing: leave 'inout' out"));
    if (!type.is_scalar() || type.is_void() || !param.dims.empty()) {
      session_.report(DiagnosticKind::ScalarNeeded, param.type.span,
                      {"a parameter of a function constant", describe(type)});
      type = error_type();
    }
    if (param.attributes.region)
      session_.report(Diagnostic{
          DiagnosticKind::BadAttribute,
          param.attributes.region->span,
          {"region", "a parameter of a function constant"},
          {},
          {}}.helping("it is given values, wherever they come from"));
    scope.declare(
        {SymbolKind::DefinitionParam, param.name.name, param.name.span, type, tree_index_});
  }

  // The function of that name that the model has; null, and reported: there is none.
  ModelRigid* find_rigid(const Ident& name, SymbolId symbol) {
    if (session_.symbol(symbol).kind != SymbolKind::Rigid) {
      session_.report(Diagnostic{
          DiagnosticKind::WrongKind,
          name.span,
          {session_.text(name.name), describe(session_.symbol(symbol).kind), "a function constant"},
          {},
          {}}.note(session_.symbol(symbol).span, "declared here"));
      return nullptr;
    }
    session_.checked.facts[tree_index_].declared.emplace(key_of(name.span), symbol);
    for (ModelRigid& rigid : model().rigids)
      if (rigid.symbol == symbol) return &rigid;
    return nullptr;
  }

  // What a function is, or may be: an expression over its parameters and constants. False: the
  // parameters are not those of the function.
  bool check_meaning(const ModelRigid& rigid, const Ident& name, const std::vector<Ident>& params,
                     ExprId expr, const char* where) {
    const std::vector<Param>& declared = rigid.syntax->params;
    const bool counted = params.size() == declared.size();
    if (!counted)
      session_.report(Diagnostic{
          DiagnosticKind::WrongArgumentCount,
          name.span,
          {session_.text(name.name),
           fmt::format("{} argument{}", declared.size(), declared.size() == 1 ? "" : "s"),
           std::to_string(params.size())},
          {},
          {}}.note(rigid.syntax->name.span, "declared here"));
    Scope scope(session_);
    Scope::Block block(scope);
    for (std::size_t i = 0; i < params.size(); ++i)
      scope.declare({SymbolKind::DefinitionParam, params[i].name, params[i].span,
                     counted ? symbol_type_of(declared[i].type) : error_type(), tree_index_});
    ExprChecker(session_, scope)
        .expect(expr, place(Mode::Constant, where), session_.symbol(rigid.symbol).type);
    return counted;
  }

  // `M.bad(a, b) = e;`
  void give_value(const RigidValueMember& item) {
    const SymbolId symbol = find_super_member(item.target);
    if (!symbol.valid()) return;
    const Ident& name = item.target.member;
    ModelRigid* rigid = find_rigid(name, symbol);
    if (rigid == nullptr) return;
    if (rigid->value.params != nullptr) {
      session_.report(
          Diagnostic{DiagnosticKind::TouchesSuperState,
                     name.span,
                     {session_.text(name.name), session_.text(item.target.scope.name),
                      "has a value already"},
                     {},
                     {}}
              .note(session_.tree(rigid->value.tree).exprs[rigid->value.expr].span,
                    "its value is given here")
              .helping("a sub-model may only give a value to what its super-model left open"));
      return;
    }
    if (check_meaning(*rigid, name, item.params, item.value, "the value of a function"))
      rigid->value = {&item.params, item.value, tree_index_};
  }

  // `witness bad(a, b): e;`
  void give_witness(const WitnessMember& item) {
    const auto it = model().members.find(item.name.name);
    if (it == model().members.end()) {
      NearestName nearest(session_.names.text(item.name.name));
      for (const ModelRigid& rigid : model().rigids)
        nearest.offer(session_.names.text(rigid.syntax->name.name));
      session_.unknown("function constant", item.name, nearest.best());
      return;
    }
    if (it->second.size() > 1) {
      session_.report(DiagnosticKind::AmbiguousMember, item.name.span,
                      {session_.text(item.name.name), model_name()});
      return;
    }
    ModelRigid* rigid = find_rigid(item.name, it->second.front());
    if (rigid == nullptr) return;
    for (const Member& member : item_.members)
      if (const auto* other = std::get_if<WitnessMember>(&member.node);
          other != nullptr && other != &item && &other->params == rigid->witness.params) {
        session_.report(Diagnostic{
            DiagnosticKind::DuplicateName,
            item.name.span,
            {session_.text(item.name.name) + "' as a 'witness"},
            {},
            {}}.note(other->name.span, "the other witness is here"));
        return;
      }
    if (check_meaning(*rigid, item.name, item.params, item.value, "a witness"))
      rigid->witness = {&item.params, item.value, tree_index_};
  }

  template <class Declared>
  void declare(const Declared& item) {
    constexpr bool constant = std::is_same_v<Declared, ConstItem>;
    Type type = scalar_type_of(item.type);
    if (!type.is_scalar() || type.is_void()) {
      session_.report(DiagnosticKind::ScalarNeeded, item.type.span,
                      {constant ? "a constant" : "a state variable", describe(type)});
      type = error_type();
    }
    if constexpr (constant)
      if (!type.error) refuse_elements(session_, item);
    if (item.init.valid()) {
      Scope scope(session_);
      ExprChecker(session_, scope)
          .expect(item.init,
                  place(Mode::Constant, constant ? "a constant's value" : "an initial value"),
                  type);
    }
    if (is_taken(item.name)) return;
    Symbol symbol{constant ? SymbolKind::ModelConstant : SymbolKind::State, item.name.name,
                  item.name.span, type, tree_index_};
    symbol.model = id_;
    const SymbolId id = session_.add(symbol);
    model().members[item.name.name] = {id};
    (constant ? model().constants : model().states).push_back({id, item.init, tree_index_});
  }

  void formula(ExprId expr, Mode mode, std::string where, std::vector<ModelFormula>& into) {
    Scope scope(session_);
    ExprChecker(session_, scope).expect_bool(expr, place(mode, std::move(where)));
    into.push_back({expr, tree_index_});
  }

  // `M.x = e;`: gives a first value to what the super-model left open.
  void initialise(const InitMember& init) {
    const std::string name = session_.text(init.target.member.name);
    const SymbolId symbol = find_super_member(init.target);
    if (!symbol.valid()) return;
    if (session_.symbol(symbol).kind == SymbolKind::Rigid) {
      session_.report(Diagnostic{DiagnosticKind::WrongKind,
                                 init.target.member.span,
                                 {name, describe(SymbolKind::Rigid), "a value"},
                                 {},
                                 {}}
                          .note(session_.symbol(symbol).span, "declared here")
                          .helping(fmt::format("say what it is for its arguments: '{}.{}(a) = e;'",
                                               session_.text(init.target.scope.name), name)));
      return;
    }
    Scope scope(session_);
    ExprChecker(session_, scope)
        .expect(init.value, place(Mode::Constant, "an initial value"),
                session_.symbol(symbol).type);
    for (std::vector<ModelVariable>* list : {&model().constants, &model().states}) {
      for (ModelVariable& variable : *list) {
        if (variable.symbol != symbol) continue;
        if (variable.init.valid()) {
          session_.report(
              Diagnostic{
                  DiagnosticKind::TouchesSuperState,
                  init.target.member.span,
                  {name, session_.text(init.target.scope.name),
                   initialised_here(variable) ? "is given a value twice" : "has a value already"},
                  {},
                  {}}
                  .note(session_.tree(variable.init_tree).exprs[variable.init].span,
                        "its value is given here")
                  .helping("a sub-model may only give a value to what its super-model left open"));
          return;
        }
        variable.init = init.value;
        variable.init_tree = tree_index_;
      }
    }
  }
  [[nodiscard]] bool initialised_here(const ModelVariable& variable) const {
    if (variable.init_tree != tree_index_) return false;
    for (const Member& member : item_.members)
      if (const auto* init = std::get_if<InitMember>(&member.node))
        if (init->value == variable.init) return true;
    return false;
  }

  // What a super-model has of that name; invalid, and reported, if there is none.
  [[nodiscard]] SymbolId find_super_member(const QualifiedName& target) {
    const std::string name = session_.text(target.member.name);
    const ModelId super = super_model(target.scope);
    if (!super.valid()) return {};
    const Model& owner = session_.checked.models[super];
    const auto it = owner.members.find(target.member.name);
    if (it == owner.members.end()) {
      Diagnostic d{DiagnosticKind::UnknownModelMember,
                   target.member.span,
                   {session_.text(owner.name), name},
                   {},
                   {}};
      NearestName nearest(name);
      for (const auto& [other, ids] : owner.members) nearest.offer(session_.names.text(other));
      if (!nearest.best().empty())
        d.help = Help{fmt::format("did you mean '{}'?", nearest.best()),
                      Edit{target.member.span, std::string(nearest.best())}};
      session_.report(std::move(d));
      return {};
    }
    if (it->second.size() > 1) {
      session_.report(DiagnosticKind::AmbiguousMember, target.member.span,
                      {name, session_.text(owner.name)});
      return {};
    }
    return it->second.front();
  }

  [[nodiscard]] ModelId super_model(const Ident& scope) {
    for (ModelId super : model().supers)
      if (session_.checked.models[super].name == scope.name) return super;
    if (!session_.skipped_names.contains(scope.name))
      session_.report(DiagnosticKind::NotASuperModel, scope.span,
                      {session_.text(scope.name), model_name()});
    return {};
  }

  [[nodiscard]] const ModelOperator* labelled(ModelId in, const Ident& label) {
    const Model& other = session_.checked.models[in];
    NearestName nearest(session_.names.text(label.name));
    for (const ModelOperator& op : other.operators) {
      if (!op.label.valid()) continue;
      if (op.label == label.name) return &op;
      nearest.offer(session_.names.text(op.label));
    }
    Diagnostic d{DiagnosticKind::UnknownOperatorLabel,
                 label.span,
                 {session_.text(other.name), session_.text(label.name)},
                 {},
                 {}};
    if (!nearest.best().empty())
      d.help = Help{fmt::format("did you mean '{}'?", nearest.best()),
                    Edit{label.span, std::string(nearest.best())}};
    session_.report(std::move(d));
    return nullptr;
  }

  void operation(const OperatorMember& op) {
    Scope scope(session_);
    Scope::Block block(scope);
    operands(op, scope);
    clauses(op, scope);
    ModelOperator entry;
    entry.syntax = &op;
    entry.tree = tree_index_;
    entry.declared_by = id_;
    label(entry, op.attributes.label);
    std::vector<QualifiedName> targets;
    for (const auto& clause : op.clauses)
      if (const auto* refines = std::get_if<OperatorMember::Refines>(&clause.node))
        targets.insert(targets.end(), refines->targets.begin(), refines->targets.end());
    refine(entry, targets, op.head, {});
    modified(op, entry);
    model().operators.push_back(std::move(entry));
  }

  void operands(const OperatorMember& op, Scope& scope) {
    const bool access = op.kind == OperationKind::Read || op.kind == OperationKind::Write;
    const std::string_view sign = op.kind == OperationKind::Read    ? "read"
                                  : op.kind == OperationKind::Write ? "write"
                                  : op.kind == OperationKind::Unary ? spelling(op.unary)
                                                                    : spelling(op.binary);
    if (access && !op.attributes.region)
      session_.report(DiagnosticKind::RegionNeeded, op.head, {std::string(sign)});
    if (!access && op.attributes.region)
      session_.report(Diagnostic{
          DiagnosticKind::BadAttribute,
          op.attributes.region->span,
          {"region", "an arithmetic or logical operator"},
          {},
          {}}.helping("only 'read' and 'write' are about a memory region"));
    bool good = true;
    for (std::size_t i = 0; i < op.params.size(); ++i) {
      const Param& param = op.params[i];
      Type type = scalar_type_of(param.type);
      if (param.inout)
        session_.report(Diagnostic{
            DiagnosticKind::InOutMisplaced, param.name.span, {"an operator of a model"}, {}, {}}
                            .helping("its outcome is 'result': leave 'inout' out"));
      if (!type.is_scalar() || type.is_void() || !param.dims.empty()) {
        session_.report(DiagnosticKind::ScalarNeeded, param.type.span,
                        {"an operator's parameter", describe(type)});
        type = error_type();
        good = false;
      } else if (i > 0 && good && !(type == operand_type(op))) {
        session_.report(Diagnostic{
            DiagnosticKind::TypeMismatch,
            param.type.span,
            {describe(operand_type(op)), describe(type)},
            {},
            {}}.helping("both operands are brought to one type before an operator is chosen"));
        good = false;
      }
      const auto member = model().members.find(param.name.name);
      if (member != model().members.end() && !scope.find(param.name.name).valid())
        session_.report(Diagnostic{
            DiagnosticKind::Shadowing, param.name.span, {session_.text(param.name.name)}, {}, {}}
                            .note(session_.symbol(member->second.front()).span,
                                  "the other one is declared here")
                            .helping("give one of them another name"));
      const bool destination = op.kind == OperationKind::Write && i == 0;
      scope.declare({destination ? SymbolKind::Destination : SymbolKind::OperatorParam,
                     param.name.name, param.name.span, type, tree_index_});
    }
    if (good && !access && !applies(op)) {
      session_.report(DiagnosticKind::BadOperands, op.head,
                      {std::string(sign), describe(operand_type(op))});
      good = false;
    }
    const Name result = session_.names.intern("result");
    if (op.kind != OperationKind::Write && !scope.find(result).valid())  // else that was said
      scope.declare({SymbolKind::Outcome, result, op.head, good ? outcome_type(op) : error_type(),
                     tree_index_});
    // It means something unless the model calls something else so, here or further down.
    const Name exact = session_.names.intern("exact");
    if (!scope.find(exact).valid() && !model().members.contains(exact) && !declares(exact))
      scope.declare(
          {SymbolKind::Exact, exact, op.head, good ? outcome_type(op) : error_type(), tree_index_});
  }

  // Whether a member, of those that have names of their own, is called so.
  [[nodiscard]] bool declares(Name name) const {
    return std::any_of(item_.members.begin(), item_.members.end(), [&](const Member& member) {
      const auto* constant = std::get_if<ConstItem>(&member.node);
      const auto* state = std::get_if<StateMember>(&member.node);
      const auto* rigid = std::get_if<RigidMember>(&member.node);
      return (constant != nullptr && constant->name.name == name) ||
             (state != nullptr && state->name.name == name) ||
             (rigid != nullptr && rigid->name.name == name);
    });
  }

  static bool applies(const OperatorMember& op) {
    const Type type = operand_type(op);
    if (op.kind == OperationKind::Unary)
      return op.unary == UnaryOp::Not          ? type.is_bool()
             : op.unary == UnaryOp::Complement ? type.is_word()
                                               : type.is_numeric() || type.is_word();
    switch (op.binary) {
      case BinaryOp::And:
      case BinaryOp::Or:
      case BinaryOp::Implies:
        return type.is_bool();
      case BinaryOp::Eq:
      case BinaryOp::Ne:
        return true;
      case BinaryOp::Mod:
        return type.is_integer() || type.is_word();
      case BinaryOp::BitAnd:
      case BinaryOp::BitOr:
      case BinaryOp::BitXor:
      case BinaryOp::ShiftLeft:
      case BinaryOp::ShiftRight:
        return type.is_word();
      case BinaryOp::Join:
        return false;  // conversions have no relaxed form
      default:
        return type.is_numeric() || type.is_word();
    }
  }

  void clauses(const OperatorMember& op, Scope& scope) {
    ExprChecker exprs(session_, scope);
    if (op.attributes.rate.valid()) {
      exprs.expect(op.attributes.rate, place(Mode::Constant, "a rate"), scalar_type(Scalar::Real),
                   "a rate");
      // What is computed is known to whoever has the constants.
      if (syntax::number_text(tree_.exprs[op.attributes.rate]).valid())
        session_.expect_chance(tree_.exprs[op.attributes.rate]);
    }
    for (const auto& clause : op.clauses) {
      if (const auto* when = std::get_if<OperatorMember::When>(&clause.node)) {
        exprs.expect_bool(when->expr, place(Mode::Model, "'when'"));
      } else if (const auto* ensures = std::get_if<OperatorMember::Ensures>(&clause.node)) {
        Place post = place(Mode::Model, "'ensures' of a model");
        post.post = true;
        exprs.expect_bool(ensures->expr, post);
      }
    }
  }

  // `modifies`: state variables only; those of a super-model only as far as the
  // refined operator modifies them too, or its frame would be broken.
  void modified(const OperatorMember& op, const ModelOperator& entry) {
    for (const auto& clause : op.clauses) {
      const auto* modifies = std::get_if<OperatorMember::Modifies>(&clause.node);
      if (modifies == nullptr) continue;
      for (const Ident& name : modifies->names) modifies_one(name, op, entry);
    }
  }

  void modifies_one(const Ident& name, const OperatorMember& op, const ModelOperator& entry) {
    const auto it = model().members.find(name.name);
    if (it == model().members.end()) {
      for (const Param& param : op.params) {
        if (param.name.name != name.name) continue;
        session_.report(DiagnosticKind::NotModelState, name.span,
                        {session_.text(name.name), "an operator's parameter"});
        return;
      }
      if (const auto why = of_layer_below(session_, id_, name.name); !why.empty()) {
        session_.unknown("state variable", name, {}, why);
        return;
      }
      NearestName nearest(session_.names.text(name.name));
      for (const ModelVariable& state : model().states)
        nearest.offer(session_.names.text(session_.symbol(state.symbol).name));
      session_.unknown("state variable", name, nearest.best());
      return;
    }
    if (it->second.size() > 1) {
      session_.report(DiagnosticKind::AmbiguousMember, name.span,
                      {session_.text(name.name), model_name()});
      return;
    }
    const Symbol& symbol = session_.symbol(it->second.front());
    session_.checked.facts[tree_index_].declared.emplace(key_of(name.span), it->second.front());
    if (symbol.kind != SymbolKind::State) {
      session_.report(Diagnostic{
          DiagnosticKind::NotModelState,
          name.span,
          {session_.text(name.name), describe(symbol.kind)},
          {},
          {}}.note(symbol.span, "declared here"));
      return;
    }
    if (symbol.model == id_) return;
    for (const OperatorRef& ref : entry.refines) {
      const Model& super = session_.checked.models[ref.model];
      const auto member = super.members.find(name.name);
      const bool has =
          member != super.members.end() && std::find(member->second.begin(), member->second.end(),
                                                     it->second.front()) != member->second.end();
      if (!has) continue;
      for (const ModelOperator& refined : super.operators) {
        if (refined.label != ref.label || modifies_name(*refined.syntax, name.name)) continue;
        session_.report(Diagnostic{
            DiagnosticKind::TouchesSuperState,
            name.span,
            {session_.text(name.name), session_.text(super.name),
             fmt::format("is not modified by '{}.{}', which this operator refines",
                         session_.text(super.name), session_.text(ref.label))},
            {},
            {}}.note(refined.syntax->head, "the refined operator is here"));
      }
    }
  }
  static bool modifies_name(const OperatorMember& op, Name name) {
    for (const auto& clause : op.clauses)
      if (const auto* modifies = std::get_if<OperatorMember::Modifies>(&clause.node))
        for (const Ident& one : modifies->names)
          if (one.name == name) return true;
    return false;
  }

  void label(ModelOperator& entry, const std::optional<Ident>& written) {
    if (!written) return;
    for (const ModelOperator& other : model().operators) {
      if (other.label != written->name) continue;
      session_.report(Diagnostic{
          DiagnosticKind::DuplicateOperatorLabel,
          written->span,
          {model_name(), session_.text(written->name)},
          {},
          {}}.note(other.syntax->head, "the other one is here"));
      return;
    }
    entry.label = written->name;
  }

  // Resolves what an operator refines; `from` is the super-model that it was
  // imported from, which needs no refinement.
  void refine(ModelOperator& entry, const std::vector<QualifiedName>& targets, Span at,
              ModelId from) {
    for (const QualifiedName& target : targets) {
      const ModelId super = super_model(target.scope);
      if (!super.valid()) continue;
      const ModelOperator* refined = labelled(super, target.member);
      const bool again = std::any_of(entry.refines.begin(), entry.refines.end(),
                                     [&](const OperatorRef& ref) { return ref.model == super; });
      if (again)
        session_.report(Diagnostic{
            DiagnosticKind::DuplicateName,
            target.scope.span,
            {session_.text(target.scope.name) + "' in 'refines"},
            {},
            {}}.helping("an operator refines one operator of each super-model"));
      if (refined != nullptr && !same_signature(*refined->syntax, *entry.syntax))
        session_.report(Diagnostic{
            DiagnosticKind::RefinesSignature,
            target.member.span,
            {session_.text(target.scope.name), session_.text(target.member.name),
             describe(*refined->syntax, session_.names)},
            {},
            {}}.note(at, fmt::format("this is {}", describe(*entry.syntax, session_.names))));
      entry.refines.push_back({super, target.member.name});
    }
    if (from.valid()) entry.refines.push_back({from, entry.label});
    for (ModelId super : model().supers) {
      const bool covered = std::any_of(entry.refines.begin(), entry.refines.end(),
                                       [&](const OperatorRef& ref) { return ref.model == super; });
      if (!covered) {
        const std::string name = session_.text(session_.checked.models[super].name);
        session_.report(Diagnostic{DiagnosticKind::MissingRefines, at, {name}, {}, {}}.helping(
            fmt::format("add 'refines {}.LABEL'", name)));
      }
    }
  }

  void import_operator(const ImportMember& import) {
    const ModelId super = super_model(import.target.scope);
    if (!super.valid()) return;
    const ModelOperator* found = labelled(super, import.target.member);
    if (found == nullptr) return;
    ModelOperator entry = *found;
    entry.refines.clear();
    entry.label = Name{};
    label(entry, import.target.member);
    refine(entry, import.refines, cover(import.target.scope.span, import.target.member.span),
           super);
    model().operators.push_back(std::move(entry));
  }

  Session& session_;
  ModelId id_;
  TreeIndex tree_index_;
  const Tree& tree_;
  const ModelItem& item_;
};

// Depth first over `refines`, so that super-models are done first.
class ModelOrder {
 public:
  explicit ModelOrder(Session& session) : session_(session) {}

  void run() {
    for (TreeIndex t = 0; t < session_.checked.trees.size(); ++t) {
      const Tree& tree = session_.tree(t);
      for (const Item& item : tree.items) {
        const auto* model = std::get_if<ModelItem>(&item.node);
        if (model == nullptr) continue;
        const ModelId id = session_.checked.models.add(
            {model, t, model->name.name, {}, {}, {}, {}, {}, {}, {}, {}, false});
        session_.models.emplace(model->name.name, id);
        states_.push_back(State::New);
      }
    }
    for (std::uint32_t i = 0; i < states_.size(); ++i) visit(ModelId{i});
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };

  void visit(ModelId id) {
    if (states_[id.value] == State::Done) return;
    states_[id.value] = State::Open;
    if (depth_ >= kMaxChain) {
      session_.report(Diagnostic{
          DiagnosticKind::TooDeep,
          session_.checked.models[id].syntax->name.span,
          {std::to_string(kMaxChain)},
          {},
          {}}.helping("declare models before those that refine them"));
      states_[id.value] = State::Done;
      return;
    }
    ++depth_;
    const ModelItem& item = *session_.checked.models[id].syntax;
    for (const Ident& super : item.supers) {
      const auto it = session_.models.find(super.name);
      if (it == session_.models.end()) {
        if (session_.skipped_names.contains(super.name) || !super.name.valid()) continue;
        report_unknown(super);
        session_.skipped_names.insert(super.name);  // no more about its parts
        continue;
      }
      if (states_[it->second.value] == State::Open) {
        session_.report(DiagnosticKind::RefinesCycle, super.span, {session_.text(item.name.name)});
        session_.skipped_names.insert(super.name);
        continue;
      }
      visit(it->second);
      auto& supers = session_.checked.models[id].supers;
      if (std::find(supers.begin(), supers.end(), it->second) != supers.end())
        session_.report(DiagnosticKind::DuplicateName, super.span, {session_.text(super.name)});
      else
        supers.push_back(it->second);
    }
    stand_over(id, item.over);
    session_.checked.models[id].of_messages = is_of_messages(session_, id);
    if (ModelId& over = session_.checked.models[id].over;
        over.valid() && !may_stand_over(session_, id, over, item.over))
      over = ModelId{};
    if (!session_.checked.models[id].of_messages) ModelChecker(session_, id).run();
    states_[id.value] = State::Done;
    --depth_;
  }

  void report_unknown(const Ident& model) {
    NearestName nearest(session_.names.text(model.name));
    for (const auto& [name, other] : session_.models) nearest.offer(session_.names.text(name));
    Diagnostic d{DiagnosticKind::UnknownModel, model.span, {session_.text(model.name)}, {}, {}};
    if (!nearest.best().empty())
      d.help = Help{fmt::format("did you mean '{}'?", nearest.best()),
                    Edit{model.span, std::string(nearest.best())}};
    else
      d.help = Help{"import the file that declares it", {}};
    session_.report(std::move(d));
  }
  // The model below, which is done first.
  void stand_over(ModelId id, const Ident& below) {
    if (!below.name.valid()) return;
    const auto it = session_.models.find(below.name);
    if (it == session_.models.end()) {
      if (session_.skipped_names.contains(below.name)) return;
      report_unknown(below);
      session_.skipped_names.insert(below.name);
      return;
    }
    if (states_[it->second.value] == State::Open) {
      const std::string name = session_.text(session_.checked.models[id].name);
      session_.report(DiagnosticKind::LayerMisplaced, below.span,
                      {name, session_.text(below.name), "that one rests on it already"});
      return;
    }
    visit(it->second);
    session_.checked.models[id].over = it->second;
  }

  static constexpr int kMaxChain = 200;  // of models, each refined before it is declared

  Session& session_;
  std::vector<State> states_;
  int depth_ = 0;
};

}  // namespace

void check_models(Session& session) {
  ModelOrder(session).run();
}

}  // namespace leto::check

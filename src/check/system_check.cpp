#include "check/system_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "check/system_expr.h"

namespace leto::check {

namespace sys {

namespace {

constexpr std::uint32_t kMostNodes = 64;  // of all kinds
constexpr Type kAnyNode{Base::Node, kAllNodes};

// What stands at the top of files and is seen everywhere: constants with values, and properties.
void collect_top(
    const Session& session,
    std::unordered_map<Name, std::pair<const syntax::ConstItem*, TreeIndex>>& constants,
    Scope& top) {
  for (TreeIndex t = 0; t < session.checked.trees.size(); ++t)
    for (const syntax::Item& item : session.tree(t).items) {
      if (const auto* constant = std::get_if<syntax::ConstItem>(&item.node))
        constants.emplace(constant->name.name, std::pair{constant, t});
      if (const auto* property = std::get_if<syntax::PropertyItem>(&item.node);
          property != nullptr && !property->relational)
        top.properties.emplace(property->name.name, PropertyRef{property, t, &top});
    }
}

bool mentions_nodes(const syntax::ModelItem& item) {
  return std::any_of(item.members.begin(), item.members.end(), [](const syntax::Member& member) {
    return std::holds_alternative<syntax::EnumItem>(member.node) ||
           std::holds_alternative<syntax::PropertyItem>(member.node) ||
           std::holds_alternative<syntax::NodeMember>(member.node) ||
           std::holds_alternative<syntax::RoundMember>(member.node) ||
           std::holds_alternative<syntax::MessageMember>(member.node);
  });
}

// What all that is checked of one system, or of one model by itself, has in common.
class Checker {
 public:
  Checker(Session& session, System& system)
      : session_(session), system_(system), exprs_(session, system) {
    collect_top(session, constants_, top_);
    exprs_.models = &by_name_;
  }

 protected:
  void report(DiagnosticKind kind, Span at, std::string what, std::string help = {}) {
    Diagnostic d{kind, at, {std::move(what)}, {}, {}};
    if (!help.empty()) d.help = Help{std::move(help), {}};
    session_.report(std::move(d));
  }
  [[nodiscard]] std::string text(Name name) const { return session_.text(name); }
  void duplicate(const syntax::Ident& name, Span other) {
    session_.report(
        Diagnostic{DiagnosticKind::DuplicateName, name.span, {text(name.name)}, {}, {}}.note(
            other, "the other one is declared here"));
  }
  // Names a value of a scope, unless the name is taken.
  bool bind(Scope& scope, const syntax::Ident& name, Binding binding) {
    binding.span = name.span;
    if (const auto other = scope.values.find(name.name); other != scope.values.end()) {
      duplicate(name, other->second.span);
      return false;
    }
    scope.values.emplace(name.name, binding);
    return true;
  }

  void declare_enum(Scope& scope, const syntax::EnumItem& item) {
    const auto index = static_cast<std::uint32_t>(system_.enumerations.size());
    if (scope.enums.contains(item.name.name) || scope.sorts.contains(item.name.name))
      duplicate(item.name, item.name.span);
    scope.enums[item.name.name] = index;
    Enumeration made{text(item.name.name), {}, item.name.span};
    for (const syntax::Ident& value : item.values) {
      Binding binding{Binding::Kind::Value,
                      static_cast<std::uint32_t>(made.values.size()),
                      {Base::Enum, index},
                      {}};
      if (bind(scope, value, binding)) made.values.push_back(text(value.name));
    }
    system_.enumerations.push_back(std::move(made));
  }

  // A variable or a constant, with its value if it has one.
  std::optional<std::uint32_t> declare_variable(Scope& scope, const syntax::Ident& name,
                                                Variable variable) {
    if (variable.type.base == Base::Error) return std::nullopt;
    const auto index = static_cast<std::uint32_t>(system_.variables.size());
    if (!bind(scope, name, {Binding::Kind::Variable, index, variable.type, {}}))
      return std::nullopt;
    if (variable.name.empty()) variable.name = text(name.name);
    variable.span = name.span;
    system_.variables.push_back(std::move(variable));
    return index;
  }
  void give_value(std::uint32_t index, syntax::ExprId init, const Where& where) {
    if (!init.valid()) return;
    Where here = where;
    here.what = system_.variables[index].constant ? "a constant's value" : "an initial value";
    here.state = false;
    const ExprId value = exprs_.value_of(init, system_.variables[index].type, here);
    system_.variables[index].init = value;
  }
  void declare_constant(Scope& scope, const syntax::ConstItem& item, const Where& where,
                        bool of_model) {
    if (!item.dims.empty() || !item.elements.empty()) {
      report(DiagnosticKind::BadSystem, item.name.span, "systems have no vectors");
      return;
    }
    Variable made;
    made.type = exprs_.type_of(item.type, where, false);
    made.constant = true;
    made.of_model = of_model;
    if (of_model) made.name = "model." + text(item.name.name);
    const auto index = declare_variable(scope, item.name, std::move(made));
    if (index) give_value(*index, item.init, where);
  }
  // Constants of the file that have values. Those without are declared in the system.
  void declare_top_constants() {
    for (const auto& [name, found] : constants_) {
      const auto& [item, tree] = found;
      if (!item->init.valid() || item->type.shape != syntax::Shape::Scalar ||
          item->type.record.valid())
        continue;
      Where where{&top_, tree, "a constant's value"};
      Variable made;
      made.type = exprs_.type_of(item->type, where, false);
      made.constant = true;
      (void)declare_variable(top_, item->name, std::move(made));
    }
    for (const auto& [name, found] : constants_) {
      const auto at = top_.values.find(name);
      if (at == top_.values.end()) continue;
      give_value(at->second.index, found.first->init,
                 Where{&top_, found.second, "a constant's value"});
    }
  }
  void declare_property(Scope& scope, const syntax::PropertyItem& item, TreeIndex tree) {
    if (item.relational)
      report(DiagnosticKind::BadSystem, item.name.span,
             "a system has one run, so nothing is said of two", "write 'property'");
    else if (!scope.properties.emplace(item.name.name, PropertyRef{&item, tree, &scope}).second)
      duplicate(item.name, scope.properties.at(item.name.name).item->name.span);
  }

  // Models ---------------------------------------------------------------------------------------

  // The model and all that it refines; null: something is wrong with one of them.
  ModelNames* declare_model(ModelId id) {
    if (const auto found = models_.find(id); found != models_.end()) return found->second.get();
    const Model& model = session_.checked.models[id];
    auto made = std::make_unique<ModelNames>();
    ModelNames& names = *made;
    names.id = id;
    names.scope.outer = &top_;
    names.scope.of_model = &names;
    for (ModelId super : model.supers)
      if (const ModelNames* inherited = declare_model(super)) inherit(names, *inherited);
    models_.emplace(id, std::move(made));
    by_name_.emplace(model.name, &names);
    const Where where{&names.scope, model.tree, "a model"};
    for (const syntax::Member& member : model.syntax->members)
      if (const auto* item = std::get_if<syntax::EnumItem>(&member.node))
        declare_enum(names.scope, *item);
    for (const syntax::Member& member : model.syntax->members) declare_member(names, member, where);
    for (const syntax::Member& member : model.syntax->members) check_member(names, member, where);
    for (const syntax::Member& member : model.syntax->members) check_messages(names, member, where);
    return &names;
  }

  void inherit(ModelNames& names, const ModelNames& super) {
    for (const auto& [name, binding] : super.scope.values) {
      const auto [at, added] = names.scope.values.emplace(name, binding);
      if (!added && (at->second.kind != binding.kind || at->second.index != binding.index))
        report(DiagnosticKind::BadMessageModel, session_.checked.models[names.id].syntax->name.span,
               fmt::format("'{}' is declared by more than one model that this one refines",
                           text(name)));
    }
    names.scope.enums.insert(super.scope.enums.begin(), super.scope.enums.end());
    // Which of two properties of one name is meant would be a guess.
    for (const auto& [name, property] : super.scope.properties) {
      const auto [at, added] = names.scope.properties.emplace(name, property);
      if (!added && at->second.item != property.item)
        report(DiagnosticKind::BadMessageModel, session_.checked.models[names.id].syntax->name.span,
               fmt::format("property '{}' is declared by more than one model that this one refines",
                           text(name)));
    }
  }

  void declare_member(ModelNames& names, const syntax::Member& member, const Where& where) {
    const auto refuse = [&](std::string_view what) {
      report(DiagnosticKind::BadMessageModel, member.span,
             fmt::format("{} cannot stand in a model of messages", what),
             "operations and messages are of different models: programs have the ones, systems the "
             "others");
    };
    if (const auto* item = std::get_if<syntax::PropertyItem>(&member.node)) {
      declare_property(names.scope, *item, where.tree);
    } else if (const auto* node = std::get_if<syntax::NodeMember>(&member.node)) {
      declare_state(names, node->name, node->type, where, node->constant, true);
    } else if (const auto* state = std::get_if<syntax::StateMember>(&member.node)) {
      declare_state(names, state->name, state->type, where, false, false);
    } else if (const auto* constant = std::get_if<syntax::ConstItem>(&member.node)) {
      if (!constant->dims.empty() || !constant->elements.empty()) return refuse("a vector");
      declare_state(names, constant->name, constant->type, where, true, false);
    } else if (const auto* round = std::get_if<syntax::RoundMember>(&member.node)) {
      const Type type = exprs_.type_of(round->type, where, true);
      const auto index = static_cast<std::uint32_t>(system_.rounds.size());
      if (bind(names.scope, round->name, {Binding::Kind::Round, index, type, {}}))
        system_.rounds.push_back({text(round->name.name), type, round->name.span});
    } else if (std::holds_alternative<syntax::OperatorMember>(member.node)) {
      refuse("an operator");
    } else if (std::holds_alternative<syntax::RigidMember>(member.node) ||
               std::holds_alternative<syntax::RigidValueMember>(member.node) ||
               std::holds_alternative<syntax::WitnessMember>(member.node)) {
      refuse("a function constant");
    }
  }
  void declare_state(ModelNames& names, const syntax::Ident& name, const syntax::TypeSyntax& type,
                     const Where& where, bool constant, bool per_node) {
    Variable made;
    made.name = "model." + text(name.name);
    made.type = exprs_.type_of(type, where, false);
    made.constant = constant;
    made.of_model = true;
    if (per_node) made.indices = {kAllNodes};
    (void)declare_variable(names.scope, name, std::move(made));
  }

  // Values and constraints, when all names are there.
  void check_member(ModelNames& names, const syntax::Member& member, const Where& where) {
    const auto value = [&](const syntax::Ident& name, syntax::ExprId init) {
      const auto found = names.scope.values.find(name.name);
      const bool mine = found != names.scope.values.end() && found->second.span == name.span &&
                        found->second.kind == Binding::Kind::Variable;
      if (mine)
        give_value(found->second.index, init, where);
      else if (init.valid())
        (void)exprs_.value(init, where);
    };
    if (const auto* node = std::get_if<syntax::NodeMember>(&member.node))
      value(node->name, node->init);
    if (const auto* state = std::get_if<syntax::StateMember>(&member.node))
      value(state->name, state->init);
    if (const auto* constant = std::get_if<syntax::ConstItem>(&member.node))
      value(constant->name, constant->init);
    if (const auto* init = std::get_if<syntax::InitMember>(&member.node))
      initialise(names, *init, where);
    if (const auto* constraint = std::get_if<syntax::ConstraintItem>(&member.node)) {
      Where here = where;
      here.what = "a constraint on constants";
      here.state = false;
      add(system_.constraints, "requires", constraint->expr, here);
    }
    if (const auto* invariant = std::get_if<syntax::InvariantMember>(&member.node)) {
      Where here = where;
      here.what = "a model's invariant";
      add(system_.invariants,
          fmt::format("invariant of {}", text(session_.checked.models[names.id].name)),
          invariant->expr, here);
    }
    if (const auto* property = std::get_if<syntax::PropertyItem>(&member.node))
      try_property(*property, names.scope, where);
  }
  // M.x = e;
  void initialise(ModelNames& names, const syntax::InitMember& init, const Where& where) {
    const syntax::Ident& member = init.target.member;
    const auto super = by_name_.find(init.target.scope.name);
    const std::vector<ModelId>& supers = session_.checked.models[names.id].supers;
    const bool known = super != by_name_.end() &&
                       std::find(supers.begin(), supers.end(), super->second->id) != supers.end();
    if (!known) {
      session_.report(DiagnosticKind::NotASuperModel, init.target.scope.span,
                      {text(init.target.scope.name), text(session_.checked.models[names.id].name)});
      return;
    }
    const auto found = super->second->scope.values.find(member.name);
    if (found == super->second->scope.values.end() ||
        found->second.kind != Binding::Kind::Variable) {
      session_.report(DiagnosticKind::UnknownModelMember, member.span,
                      {text(init.target.scope.name), text(member.name)});
      return;
    }
    Variable& variable = system_.variables[found->second.index];
    if (variable.init.valid()) {
      session_.report(DiagnosticKind::TouchesSuperState, member.span,
                      {text(member.name), text(init.target.scope.name), "has a value already"});
      return;
    }
    give_value(found->second.index, init.value, where);
  }

  // What is wrong with it shows even if nobody uses it.
  void try_property(const syntax::PropertyItem& item, const Scope& scope, const Where& where) {
    const std::size_t before = exprs_.mark();
    Where here = where;
    here.scope = &scope;
    here.what = "a property";
    for (const syntax::Param& param : item.params) {
      if (param.inout || param.attributes.region || !param.dims.empty())
        report(DiagnosticKind::BadSystem, param.name.span,
               "this parameter can only have a type and a name");
      (void)exprs_.declare(param.name, exprs_.type_of(param.type, here, false));
    }
    (void)exprs_.truth(item.body, here);
    exprs_.forget(before);
  }

  void add(std::vector<Named>& list, std::string name, syntax::ExprId expr, const Where& where) {
    const Span span = session_.tree(where.tree).exprs[expr].span;
    list.push_back({std::move(name), span, exprs_.truth(expr, where)});
  }

  // Messages of models
  // -----------------------------------------------------------------------------

  void check_messages(ModelNames& names, const syntax::Member& member, const Where& where) {
    if (const auto* message = std::get_if<syntax::MessageMember>(&member.node)) {
      MessageRef made{message, where.tree, &names.scope, {}, {}, {}, message->head};
      if (message->attributes.label) made.label = message->attributes.label->name;
      if (message->attributes.rate.valid())
        report(DiagnosticKind::BadMessageModel, message->head, "messages have no rates");
      if (message->attributes.region)
        report(DiagnosticKind::BadMessageModel, message->head, "messages are of no region");
      for (const syntax::MessageMember::Part& clause : message->clauses)
        if (const auto* refines = std::get_if<syntax::OperatorMember::Refines>(&clause.node))
          for (const syntax::QualifiedName& target : refines->targets) refine(names, made, target);
      require_refines(names, made, message->head);
      add_message(names, std::move(made));
      // Of a type of which nothing is known, if it may be any.
      const Type type = exprs_.type_of(message->params[0].type, where, true);
      if (type.base != Base::Error) (void)specify(names.messages.back(), type);
    } else if (const auto* import = std::get_if<syntax::ImportMember>(&member.node)) {
      take_over(names, *import);
    }
  }
  void add_message(ModelNames& names, MessageRef made) {
    for (const MessageRef& other : names.messages)
      if (made.label.valid() && other.label == made.label)
        session_.report(Diagnostic{
            DiagnosticKind::DuplicateOperatorLabel,
            made.span,
            {text(session_.checked.models[names.id].name), text(made.label)},
            {},
            {}}.note(other.span, "the other one is here"));
    names.messages.push_back(std::move(made));
  }
  const MessageRef* labelled(const ModelNames& names, const syntax::QualifiedName& target,
                             ModelId& super) {
    for (ModelId id : session_.checked.models[names.id].supers) {
      if (session_.checked.models[id].name != target.scope.name) continue;
      super = id;
      for (const MessageRef& message : models_.at(id)->messages)
        if (message.label.valid() && message.label == target.member.name) return &message;
      report(DiagnosticKind::BadMessageModel, target.member.span,
             fmt::format("model '{}' has no message labelled '{}'", text(target.scope.name),
                         text(target.member.name)));
      return nullptr;
    }
    session_.report(DiagnosticKind::NotASuperModel, target.scope.span,
                    {text(target.scope.name), text(session_.checked.models[names.id].name)});
    return nullptr;
  }
  void refine(const ModelNames& names, MessageRef& made, const syntax::QualifiedName& target) {
    ModelId super;
    if (labelled(names, target, super) == nullptr) return;
    made.refines.push_back({super, target.member.name});
  }
  void require_refines(const ModelNames& names, const MessageRef& made, Span at) {
    for (ModelId super : session_.checked.models[names.id].supers) {
      const bool covered = std::any_of(made.refines.begin(), made.refines.end(),
                                       [&](const auto& target) { return target.super == super; });
      const std::string name = text(session_.checked.models[super].name);
      if (!covered && made.taken_from != super)
        session_.report(Diagnostic{DiagnosticKind::MissingRefines, at, {name}, {}, {}}.helping(
            fmt::format("add 'refines {}.LABEL'", name)));
    }
  }
  void take_over(ModelNames& names, const syntax::ImportMember& import) {
    ModelId super;
    const MessageRef* found = labelled(names, import.target, super);
    if (found == nullptr) return;
    MessageRef made = *found;
    made.refines.clear();
    made.taken_from = super;
    made.span = import.target.member.span;
    for (const syntax::QualifiedName& target : import.refines) refine(names, made, target);
    require_refines(names, made, made.span);
    add_message(names, std::move(made));
  }

  // What a model says of messages of a type; nothing if it is of another.
  std::optional<Specification> specify(const MessageRef& message, const Type& type) {
    const syntax::MessageMember& item = *message.item;
    Where where{message.scope, message.tree, "'when' of a message"};
    const std::size_t before = exprs_.mark(), hidden = exprs_.hide();
    Specification made;
    made.label = message.label.valid() ? text(message.label) : "";
    made.span = item.head;
    made.type = type;
    const Type written = exprs_.type_of(item.params[0].type, where, true);
    if (written.base != Base::Any && !(written == type)) {
      exprs_.show(hidden);
      return std::nullopt;
    }
    made.sent = exprs_.declare(item.params[0].name, type);
    for (std::size_t i = 1; i < 3; ++i) {
      const Type node = exprs_.type_of(item.params[i].type, where, false);
      if (node.base != Base::Error && !(node == kAnyNode))
        report(DiagnosticKind::BadMessageModel, item.params[i].type.span,
               "a message goes from a 'node' to a 'node'",
               "the kinds of nodes are the system's; a model speaks of all of them");
      (i == 1 ? made.from : made.to) = exprs_.declare(item.params[i].name, kAnyNode);
    }
    for (const syntax::Param& param : item.params)
      if (param.inout || param.attributes.region || !param.dims.empty())
        report(DiagnosticKind::BadMessageModel, param.name.span,
               "a part of a message has a type and a name, and nothing else");
    where.rounds = true;
    where.any = type;
    for (const auto& clause : item.clauses)
      if (const auto* when = std::get_if<syntax::OperatorMember::When>(&clause.node))
        made.whens.push_back(exprs_.truth(when->expr, where));
    made.result = exprs_.declare({session_.names.intern("result"), item.head}, type);
    made.arrived = exprs_.declare({session_.names.intern("arrived"), item.head}, {Base::Bool});
    where.what = "'ensures' of a message";
    where.old = true;
    for (const auto& clause : item.clauses) {
      if (const auto* ensures = std::get_if<syntax::OperatorMember::Ensures>(&clause.node))
        made.ensures.push_back(exprs_.truth(ensures->expr, where));
      if (const auto* changes = std::get_if<syntax::MessageMember::Changes>(&clause.node))
        for (const auto& one : changes->places) change(made, one, where);
    }
    exprs_.forget(before);
    exprs_.show(hidden);
    return made;
  }
  // modifies s[from], or all of s
  void change(Specification& made, const syntax::MessageMember::Changed& one, const Where& where) {
    const auto found = where.scope->values.find(one.name.name);
    if (found == where.scope->values.end() || found->second.kind != Binding::Kind::Variable ||
        system_.variables[found->second.index].constant) {
      session_.report(DiagnosticKind::NotModelState, one.name.span,
                      {text(one.name.name),
                       found == where.scope->values.end() ? "nothing that the model declares"
                       : found->second.kind == Binding::Kind::Variable ? "a constant"
                                                                       : "no variable"});
      return;
    }
    Changed changed{found->second.index, {}};
    if (one.at) {
      const std::string node = text(one.at->name);
      const bool from = node == system_.slots[made.from].name,
                 to = node == system_.slots[made.to].name;
      if (system_.variables[changed.variable].indices.empty() || !(from || to)) {
        report(
            DiagnosticKind::BadMessageModel, one.at->span,
            fmt::format("'{}[{}]' is nothing that a message can modify", text(one.name.name), node),
            "'modifies s[p]' is of a node variable, and p is one of the two nodes of the message");
        return;
      }
      changed.at = from ? made.from : made.to;
    }
    made.changes.push_back(changed);
  }

  Session& session_;
  System& system_;
  Expressions exprs_;
  Scope top_;
  std::unordered_map<Name, std::pair<const syntax::ConstItem*, TreeIndex>> constants_;
  std::map<ModelId, std::unique_ptr<ModelNames>> models_;
  std::unordered_map<Name, ModelNames*> by_name_;
};

// A model by itself.
class ModelChecker final : public Checker {
 public:
  using Checker::Checker;
  void run(ModelId id) {
    declare_top_constants();
    (void)declare_model(id);
  }
};

// Steps and what stands beside them.
class SystemChecker final : public Checker {
 public:
  SystemChecker(Session& session, System& system, const syntax::SystemItem& item, TreeIndex tree)
      : Checker(session, system), item_(item), tree_index_(tree), tree_(session.tree(tree)) {
    scope_.outer = &top_;
  }

  void run() {
    system_.name = text(item_.name.name);
    system_.span = item_.name.span;
    declare_nodes();
    declare_top_constants();
    for (const syntax::Part& part : item_.parts)
      if (const auto* item = std::get_if<syntax::EnumItem>(&part.node)) declare_enum(scope_, *item);
    pick_model();
    declare_all();
    for (const syntax::Part& part : item_.parts) check_part(part);
    if (!system_.elapse)
      for (const Variable& variable : system_.variables)
        if (variable.clock)
          report(DiagnosticKind::BadSystem, variable.span, "this clock never moves",
                 fmt::format("write 'elapse {} to MOMENT;', or declare it without '@clock'",
                             variable.name));
    relate_models();
  }

 private:
  [[nodiscard]] Where where(std::string_view what) const { return {&scope_, tree_index_, what}; }

  // The number of nodes of a kind: written down, or a constant that is.
  std::uint32_t count_of(syntax::ExprId id) {
    const syntax::Expr& e = tree_.exprs[id];
    const syntax::Expr* number = &e;
    if (const auto* name = std::get_if<syntax::NameExpr>(&e.node))
      if (const syntax::Expr* value = constant_value(name->name)) number = value;
    if (const auto* integer = std::get_if<syntax::IntegerExpr>(&number->node)) {
      const std::string digits = text(integer->text);
      if (digits.size() < 6)
        if (const auto count = static_cast<std::uint32_t>(std::stoul(digits));
            count > 0 && count <= kMostNodes)
          return count;
    }
    report(DiagnosticKind::BadSystem, e.span,
           fmt::format("how many nodes there are is a number from 1 to {}", kMostNodes),
           "write a number, or the name of a constant that has one for a value");
    return 1;
  }
  const syntax::Expr* constant_value(Name name) const {
    for (const syntax::Part& part : item_.parts)
      if (const auto* constant = std::get_if<syntax::ConstItem>(&part.node);
          constant != nullptr && constant->name.name == name)
        return constant->init.valid() ? &tree_.exprs[constant->init] : nullptr;
    const auto found = constants_.find(name);
    if (found == constants_.end() || !found->second.first->init.valid()) return nullptr;
    return &session_.tree(found->second.second).exprs[found->second.first->init];
  }
  void declare_nodes() {
    for (const syntax::Part& part : item_.parts) {
      const auto* nodes = std::get_if<syntax::NodesPart>(&part.node);
      if (nodes == nullptr) continue;
      for (const syntax::NodesPart::Sort& sort : nodes->sorts) {
        const auto index = static_cast<std::uint32_t>(system_.sorts.size());
        if (!scope_.sorts.emplace(sort.name.name, index).second)
          duplicate(sort.name, system_.sorts[scope_.sorts[sort.name.name]].span);
        system_.sorts.push_back(
            {text(sort.name.name), sort.name.span, system_.nodes(), count_of(sort.count)});
        const std::string name = text(sort.name.name);
        if (name == "node" || name == "any" || is_builtin(name) || name == "real" ||
            name == "count")
          session_.report(DiagnosticKind::ReservedName, sort.name.span,
                          {name, "something else in a system"});
      }
    }
    if (system_.nodes() > kMostNodes)
      report(DiagnosticKind::BadSystem, item_.name.span,
             fmt::format("'{}' has {} nodes, and {} are the most", system_.name, system_.nodes(),
                         kMostNodes));
  }

  void pick_model() {
    const ModelId picked = session_.checked.model;
    if (!picked.valid()) return;
    system_.model = text(session_.checked.models[picked].name);
    if (!is_of_messages(session_, picked)) {
      program_model_ = true;  // it says nothing of nodes or messages
      return;
    }
    exprs_.model = declare_model(picked);
  }

  void declare_all() {
    for (const syntax::Part& part : item_.parts)
      if (const auto* constant = std::get_if<syntax::ConstItem>(&part.node))
        declare_constant(scope_, *constant, where("a constant's value"), false);
    for (const syntax::Part& part : item_.parts) {
      if (const auto* variable = std::get_if<syntax::VariablePart>(&part.node)) declare(*variable);
      if (const auto* property = std::get_if<syntax::PropertyItem>(&part.node))
        declare_property(scope_, *property, tree_index_);
    }
  }
  void declare(const syntax::VariablePart& part) {
    Variable made;
    made.type = exprs_.type_of(part.type, where("a variable"), false);
    made.clock = part.clock;
    for (const syntax::Ident& index : part.indices) {
      const auto found = scope_.sorts.find(index.name);
      if (text(index.name) == "node") {
        made.indices.push_back(kAllNodes);
      } else if (found != scope_.sorts.end()) {
        made.indices.push_back(found->second);
      } else {
        session_.unknown("kind of nodes", index, {}, "it is declared with 'nodes'");
        made.type = {};
      }
    }
    if (part.indices.size() > 3)
      report(DiagnosticKind::BadSystem, part.name.span, "a variable has at most three indices");
    if (part.clock) check_clock(part, made.type);
    const auto index = declare_variable(scope_, part.name, std::move(made));
    if (index) give_value(*index, part.init, where("an initial value"));
  }
  void check_clock(const syntax::VariablePart& part, const Type& type) {
    const bool other = std::any_of(system_.variables.begin(), system_.variables.end(),
                                   [](const Variable& v) { return v.clock; });
    if (other)
      report(DiagnosticKind::BadSystem, part.name.span, "a system has one clock");
    else if (type.base != Base::Real || !part.indices.empty())
      report(DiagnosticKind::BadSystem, part.name.span, "a clock is one variable of type 'real'");
  }

  void check_part(const syntax::Part& part) {
    if (const auto* constraint = std::get_if<syntax::ConstraintItem>(&part.node)) {
      Where here = where("a constraint on constants");
      here.state = false;
      add(system_.required, "requires", constraint->expr, here);
    } else if (const auto* property = std::get_if<syntax::PropertyItem>(&part.node)) {
      if (!property->relational) try_property(*property, scope_, where("a property"));
    } else if (const auto* initially = std::get_if<syntax::InitiallyPart>(&part.node)) {
      add(system_.initially, "initially", initially->expr, where("'initially'"));
    } else if (const auto* trust = std::get_if<syntax::TrustPart>(&part.node)) {
      add(system_.trusted, "trust", trust->expr, where("'trust'"));
    } else if (const auto* step = std::get_if<syntax::StepPart>(&part.node)) {
      check_step(*step);
    } else if (const auto* elapse = std::get_if<syntax::ElapsePart>(&part.node)) {
      check_elapse(*elapse, part.span);
    } else if (const auto* claim = std::get_if<syntax::ClaimPart>(&part.node)) {
      check_claim(*claim);
    }
  }
  void check_claim(const syntax::ClaimPart& claim) {
    if (const auto [at, added] = claims_.emplace(claim.name.name, claim.name.span); !added)
      duplicate(claim.name, at->second);
    const ExprId expr = exprs_.truth(claim.expr, where(claim.lemma ? "a lemma" : "a claim"));
    (claim.lemma ? system_.lemmas : system_.claims)
        .push_back({text(claim.name.name), claim.name.span, expr});
  }

  // Steps
  // ------------------------------------------------------------------------------------------

  [[nodiscard]] Where in_step() const {
    Where here = where("a step");
    here.old = true;
    here.may_fail = true;
    return here;
  }
  void check_step(const syntax::StepPart& part) {
    if (const auto [at, added] = steps_.emplace(part.name.name, part.name.span); !added)
      duplicate(part.name, at->second);
    const std::size_t before = exprs_.mark();
    Step step{text(part.name.name), part.name.span, exprs_.bind(part.binders, in_step()), {}, {}};
    Where here = in_step();
    here.old = false;
    here.what = "'when'";
    if (part.when.valid()) step.when = exprs_.truth(part.when, here);
    step.body = statement(part.body);
    exprs_.forget(before);
    system_.steps.push_back(std::move(step));
  }
  StmtId put(Span span, decltype(Stmt::node) node) {
    return system_.stmts.add({span, std::move(node)});
  }
  StmtId nothing(Span span) { return put(span, Block{}); }
  StmtId refuse(Span span, std::string what, std::string help = {}) {
    Diagnostic d{DiagnosticKind::BadStep, span, {std::move(what)}, {}, {}};
    if (!help.empty()) d.help = Help{std::move(help), {}};
    session_.report(std::move(d));
    return nothing(span);
  }

  StmtId statement(syntax::StmtId id) {
    const syntax::Stmt& stmt = tree_.stmts[id];
    return std::visit([&](const auto& node) { return visit(node, stmt.span); }, stmt.node);
  }
  StmtId visit(const syntax::ErrorStmt&, Span at) { return nothing(at); }
  StmtId visit(const syntax::BlockStmt& node, Span at) {
    const std::size_t before = exprs_.mark();
    Block block;
    for (syntax::StmtId child : node.body) block.body.push_back(statement(child));
    exprs_.forget(before);
    return put(at, std::move(block));
  }
  StmtId visit(const syntax::DeclStmt& node, Span at) {
    if (node.ghost) return refuse(at, "a specvar");
    if (node.attributes.region) return refuse(at, "a region");
    Block block;
    const Type type = exprs_.type_of(node.type, in_step(), false);
    for (const syntax::Declarator& one : node.declarators) {
      if (!one.dims.empty()) return refuse(at, "a vector");
      if (!one.init.valid()) {
        block.body.push_back(refuse(at, fmt::format("'{}' without a value", text(one.name.name)),
                                    "write one, or choose it: 'choose x with e;'"));
        (void)exprs_.declare(one.name, {});
        continue;
      }
      if (type.base == Base::Node)
        return refuse(at, "a variable of a kind of nodes",
                      "declare it in the system, outside of the step");
      const ExprId value = exprs_.value_of(one.init, type, in_step());
      Place place;
      place.local = true;
      place.index = exprs_.declare(one.name, type);
      place.type = type;
      place.span = one.name.span;
      block.body.push_back(put(at, Assign{std::move(place), value}));
    }
    return put(at, std::move(block));
  }
  StmtId visit(const syntax::AssignStmt& node, Span at) {
    if (node.dotted)
      return refuse(at, "a relaxed operator",
                    "what a fault model changes in a system is its messages");
    Place place = exprs_.place(node.target, in_step());
    if (place.type.base == Base::Error) {
      (void)exprs_.value(node.value, in_step());
      return nothing(at);
    }
    note_write(place);
    if (!node.op) return put(at, Assign{place, exprs_.value_of(node.value, place.type, in_step())});
    const ExprId before = exprs_.value(node.target, in_step());
    return put(at, Assign{place, combined(*node.op, before, node.value, place, at)});
  }
  // x += e
  ExprId combined(syntax::BinaryOp op, ExprId before, syntax::ExprId value, const Place& place,
                  Span at) {
    const ExprId by = exprs_.value(value, in_step());
    return exprs_.coerce(exprs_.combine(op, before, by, at, in_step()), place.type, in_step());
  }
  StmtId visit(const syntax::StepStmt& node, Span at) {
    Place place = exprs_.place(node.target, in_step());
    if (place.type.base == Base::Error) return nothing(at);
    note_write(place);
    const ExprId before = exprs_.value(node.target, in_step());
    const ExprId one = exprs_.make(Op::Number, {Base::Uint}, at, {}, 0, "1");
    const ExprId after = exprs_.combine(
        node.increment ? syntax::BinaryOp::Add : syntax::BinaryOp::Sub, before, one, at, in_step());
    return put(at, Assign{place, exprs_.coerce(after, place.type, in_step())});
  }
  StmtId visit(const syntax::IfStmt& node, Span at) {
    const ExprId condition = exprs_.truth(node.condition, in_step());
    const StmtId then_branch = statement(node.then_branch);
    const StmtId other = node.else_branch.valid() ? statement(node.else_branch) : StmtId{};
    return put(at, If{condition, then_branch, other});
  }
  StmtId visit(const syntax::NodesStmt& node, Span at) {
    const std::size_t before = exprs_.mark();
    Nodes nodes{exprs_.bind(node.binders, in_step()), {}};
    std::vector<Expressions::Use> reads;
    const bool outermost = exprs_.uses == nullptr;
    if (outermost) {
      exprs_.uses = &reads;
      writes_.clear();
    }
    nodes.body = statement(node.body);
    if (outermost) {
      exprs_.uses = nullptr;
      warn_of_new_values(reads);
    }
    exprs_.forget(before);
    return put(at, std::move(nodes));
  }
  void note_write(const Place& place) {
    if (!place.local && exprs_.uses != nullptr) writes_.push_back(place);
  }
  [[nodiscard]] bool same_node(ExprId a, ExprId b) const {
    const Expr &x = system_.exprs[a], &y = system_.exprs[b];
    return x.op == Op::Slot && y.op == Op::Slot && x.index == y.index;
  }
  // What is read there may be of a node that has moved on in this step.
  void warn_of_new_values(const std::vector<Expressions::Use>& reads) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    for (const Expressions::Use& read : reads) {
      if (read.old || read.meant) continue;
      for (const Place& write : writes_) {
        if (write.index != read.variable) continue;
        bool own = write.indices.size() == read.indices.size();
        for (std::size_t i = 0; own && i < read.indices.size(); ++i)
          own = same_node(write.indices[i], read.indices[i]);
        if (own || !told.insert({read.span.begin, read.span.end}).second) continue;
        const std::string written = std::string(system_.variables[read.variable].name);
        session_.report(
            Diagnostic{DiagnosticKind::ReadsAssigned, read.span, {written}, {}, {}}
                .note(write.span, "assigned here")
                .helping(
                    "for the value that it had when the step began, write 'old(...)' around it"));
      }
    }
  }
  StmtId visit(const syntax::ChooseStmt& node, Span at) {
    Choose choose;
    for (syntax::ExprId target : node.targets) {
      Place place = exprs_.place(target, in_step());
      if (place.type.base == Base::Error) return nothing(at);
      note_write(place);
      choose.places.push_back(std::move(place));
    }
    Where here = in_step();
    here.may_fail = false;
    here.what = "the condition of a choice";
    const std::size_t first = exprs_.uses == nullptr ? 0 : exprs_.uses->size();
    if (node.with.valid()) choose.with = exprs_.truth(node.with, here);
    if (exprs_.uses != nullptr)
      for (std::size_t i = first; i < exprs_.uses->size(); ++i)
        if (Expressions::Use& use = (*exprs_.uses)[i]; is_chosen(choose, use)) use.meant = true;
    return put(at, std::move(choose));
  }
  // In its condition a place that is chosen means the new value, on purpose. Unless which element
  // it is depends on what is chosen with it.
  [[nodiscard]] bool is_chosen(const Choose& choose, const Expressions::Use& use) const {
    return std::any_of(choose.places.begin(), choose.places.end(), [&](const Place& place) {
      if (place.local || place.index != use.variable || place.indices.size() != use.indices.size())
        return false;
      for (std::size_t i = 0; i < use.indices.size(); ++i)
        if (!same_expr(place.indices[i], use.indices[i]) || reads_chosen(choose, use.indices[i]))
          return false;
      return true;
    });
  }
  [[nodiscard]] bool same_expr(ExprId a, ExprId b) const {
    const Expr &x = system_.exprs[a], &y = system_.exprs[b];
    if (x.op != y.op || x.index != y.index || x.text != y.text || x.args.size() != y.args.size())
      return false;
    for (std::size_t i = 0; i < x.args.size(); ++i)
      if (!same_expr(x.args[i], y.args[i])) return false;
    return true;
  }
  [[nodiscard]] bool reads_chosen(const Choose& choose, ExprId id) const {
    const Expr& e = system_.exprs[id];
    for (const Place& place : choose.places)
      if (e.op == (place.local ? Op::Slot : Op::Variable) && e.index == place.index) return true;
    return std::any_of(e.args.begin(), e.args.end(),
                       [&](ExprId arg) { return reads_chosen(choose, arg); });
  }
  StmtId visit(const syntax::MessageStmt& node, Span at) {
    const Place place = exprs_.place(node.target, in_step());
    const ExprId from = exprs_.value_of(node.from, kAnyNode, in_step());
    const ExprId to = exprs_.value_of(node.to, kAnyNode, in_step());
    if (place.type.base == Base::Error) {
      (void)exprs_.value(node.value, in_step());
      return nothing(at);
    }
    note_write(place);
    const ExprId value = exprs_.value_of(node.value, place.type, in_step());
    const ExprId otherwise =
        node.otherwise.valid() ? exprs_.value_of(node.otherwise, place.type, in_step()) : ExprId{};
    system_.sends = system_.sends || node.dotted;
    if (node.dotted) send(place.type, at);
    return put(at, Message{place, node.dotted && exprs_.model != nullptr, value, from, to,
                           otherwise, system_.messages++});
  }
  // What the model says of messages of this type.
  void send(const Type& type, Span at) {
    if (program_model_) {
      report(
          DiagnosticKind::UncoveredMessage, at,
          fmt::format("model '{}' says nothing of messages", system_.model),
          "pick a model that has 'message' members, or '--model none' for messages that are exact");
      return;
    }
    if (exprs_.model == nullptr || !types_.insert(type).second) return;
    const std::size_t before = system_.specifications.size();
    for (const MessageRef& message : exprs_.model->messages) {
      if (std::optional<Specification> made = specify(message, type))
        system_.specifications.push_back(*made);
    }
    if (system_.specifications.size() != before) return;
    report(DiagnosticKind::UncoveredMessage, at,
           exprs_.model->messages.empty()
               ? fmt::format("model '{}' says nothing of messages", system_.model)
               : fmt::format("model '{}' says nothing of messages of type {}", system_.model,
                             describe(type, system_)),
           "a system that is checked without faults says so: '--model none'");
  }
  StmtId visit(const syntax::ClaimStmt& node, Span at) {
    if (node.kind == syntax::AssertionKind::Assert)
      return put(at, Assert{exprs_.truth(node.expr, in_step())});
    return refuse(at, fmt::format("'{}'", syntax::spelling(node.kind)),
                  node.kind == syntax::AssertionKind::Assume
                      ? "what is believed without proof is written 'trust e;' outside of steps"
                      : "a system has one run: write 'assert'");
  }
  StmtId visit(const syntax::WhileStmt&, Span at) {
    return refuse(at, "'while'",
                  "a loop over nodes is 'for (KIND p) { }'; else each round is a step");
  }
  StmtId visit(const syntax::ForStmt&, Span at) {
    return refuse(at, "a loop with a condition", "a loop over nodes is 'for (KIND p) { }'");
  }
  StmtId visit(const syntax::RepeatStmt&, Span at) { return refuse(at, "'repeat'"); }
  StmtId visit(const syntax::TryStmt&, Span at) { return refuse(at, "'try'"); }
  StmtId visit(const syntax::ReturnStmt&, Span at) { return refuse(at, "'return'"); }
  StmtId visit(const syntax::JumpStmt&, Span at) { return refuse(at, "a jump"); }
  StmtId visit(const syntax::CallStmt&, Span at) { return refuse(at, "a call"); }
  StmtId visit(const syntax::SpreadStmt&, Span at) { return refuse(at, "a call"); }
  StmtId visit(const syntax::ForallStmt&, Span at) { return refuse(at, "a lemma"); }

  // Time
  // -------------------------------------------------------------------------------------------

  void check_elapse(const syntax::ElapsePart& part, Span at) {
    if (system_.elapse) {
      report(DiagnosticKind::BadSystem, at,
             "time is let go on in one place: there is another 'elapse'",
             "give this one's moments to the other");
      return;
    }
    const auto clock = scope_.values.find(part.clock.name);
    const bool good = clock != scope_.values.end() &&
                      clock->second.kind == Binding::Kind::Variable &&
                      system_.variables[clock->second.index].clock;
    if (!good) {
      report(DiagnosticKind::BadSystem, part.clock.span,
             fmt::format("'{}' is no clock", text(part.clock.name)),
             "a clock is declared with '@clock real now = 0;'");
      return;
    }
    Elapse made{at, clock->second.index, {}};
    for (const syntax::ElapsePart::Moment& moment : part.moments) {
      const std::size_t before = exprs_.mark();
      const Where here = where("a moment");
      Moment one{{}, exprs_.bind(moment.binders, here), {}};
      one.place.span = tree_.exprs[moment.place].span;
      one.place.indices = {exprs_.value_of(moment.place, {Base::Real}, here)};
      if (moment.when.valid()) one.when = exprs_.truth(moment.when, here);
      exprs_.forget(before);
      made.moments.push_back(std::move(one));
    }
    system_.elapse = std::move(made);
  }

  // Models that the picked one refines
  // ---------------------------------------------------------------

  void relate_models() {
    if (exprs_.model == nullptr) return;
    std::set<ModelId> seen;
    relate(exprs_.model->id, seen);
  }
  void relate(ModelId id, std::set<ModelId>& seen) {
    if (!seen.insert(id).second) return;
    const ModelNames& names = *models_.at(id);
    for (ModelId super : session_.checked.models[id].supers)
      for (const Type& type : types_) relate(names, *models_.at(super), type);
    for (ModelId super : session_.checked.models[id].supers) relate(super, seen);
  }
  void relate(const ModelNames& names, const ModelNames& super, const Type& type) {
    Refinement made{text(session_.checked.models[super.id].name),
                    session_.checked.models[names.id].syntax->name.span,
                    type,
                    {},
                    {},
                    {},
                    {},
                    {}};
    for (const auto& [name, binding] : super.scope.values)
      if (binding.kind == Binding::Kind::Variable) made.variables.push_back(binding.index);
    std::sort(made.variables.begin(), made.variables.end());
    std::map<Name, std::size_t> labels;
    for (const MessageRef& theirs : super.messages)
      if (std::optional<Specification> one = specify(theirs, type)) {
        if (theirs.label.valid()) labels[theirs.label] = made.theirs.size();
        made.theirs.push_back(std::move(*one));
      }
    for (const MessageRef& mine : names.messages) {
      std::optional<Specification> one = specify(mine, type);
      if (!one) continue;
      std::vector<std::size_t> targets;
      for (const MessageRef::Target& target : mine.refines)
        if (const auto found = labels.find(target.label);
            target.super == super.id && found != labels.end())
          targets.push_back(found->second);
      const bool taken = mine.taken_from == super.id;
      if (taken) {
        targets.push_back(labels.at(mine.label));
      } else if (targets.empty()) {
        report(DiagnosticKind::BadMessageModel, mine.span,
               fmt::format("for messages of type {} this refines nothing of model '{}'",
                           describe(type, system_), made.super));
      }
      made.refines.push_back(std::move(targets));
      made.taken_over.push_back(taken);
      made.mine.push_back(std::move(*one));
    }
    system_.refinements.push_back(std::move(made));
  }

  const syntax::SystemItem& item_;
  TreeIndex tree_index_;
  const syntax::Tree& tree_;
  Scope scope_;
  bool program_model_ = false;
  std::set<Type> types_;  // that are sent
  std::map<Name, Span> claims_, steps_;
  std::vector<Place> writes_;
};

}  // namespace

}  // namespace sys

bool is_of_messages(const Session& session, ModelId model) {
  std::vector<ModelId> to_do{model};
  std::set<ModelId> seen;
  while (!to_do.empty()) {
    const ModelId id = to_do.back();
    to_do.pop_back();
    if (!seen.insert(id).second) continue;
    const Model& one = session.checked.models[id];
    if (sys::mentions_nodes(*one.syntax)) return true;
    to_do.insert(to_do.end(), one.supers.begin(), one.supers.end());
  }
  return false;
}

void check_message_models(Session& session) {
  for (std::uint32_t i = 0; i < session.checked.models.size(); ++i) {
    const ModelId id{i};
    if (!session.checked.models[id].of_messages) continue;
    sys::System alone;
    sys::ModelChecker(session, alone).run(id);
  }
}

void check_systems(Session& session) {
  std::map<Name, Span> names;
  for (TreeIndex t = 0; t < session.checked.trees.size(); ++t)
    for (const syntax::Item& item : session.tree(t).items)
      if (const auto* written = std::get_if<syntax::SystemItem>(&item.node)) {
        if (const auto [at, added] = names.emplace(written->name.name, written->name.span); !added)
          session.report(Diagnostic{
              DiagnosticKind::DuplicateName,
              written->name.span,
              {session.text(written->name.name)},
              {},
              {}}.note(at->second, "the other one is declared here"));
        sys::System system;
        sys::SystemChecker(session, system, *written, t).run();
        session.checked.systems.push_back(std::move(system));
      }
}

}  // namespace leto::check

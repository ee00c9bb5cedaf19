#include "oracle/models.h"

#include <algorithm>

namespace leto::oracle {

namespace {

const Program::Model& require_model(const Program& program, Name name, Span span) {
  const Program::Model* model = program.model(name);
  if (!model) refuse(span, "there is no model of this name");
  return *model;
}

bool declares(const syntax::ModelItem& model, Name name) {
  return std::any_of(model.members.begin(), model.members.end(), [&](const auto& member) {
    const auto* constant = std::get_if<syntax::ConstItem>(&member.node);
    const auto* state = std::get_if<syntax::StateMember>(&member.node);
    const auto* function = std::get_if<syntax::RigidMember>(&member.node);
    if (function && function->name.name == name) return true;
    return (constant && constant->name.name == name) || (state && state->name.name == name);
  });
}

}  // namespace

// One overload for each kind of member; operators come later, when all state is known.
struct Model::Gather {
  Model& model;
  const syntax::Tree& tree;
  Name scope;

  [[nodiscard]] std::optional<Part> part(ExprId expr) const {
    if (!expr.valid()) return std::nullopt;
    return Part{&tree, expr, scope};
  }
  void operator()(const syntax::ConstItem& member) const {
    model.constants_.push_back({scope, member.name.name, member.type.scalar, part(member.init)});
  }
  void operator()(const syntax::ConstraintItem& member) const {
    model.constraints_.push_back(*part(member.expr));
  }
  void operator()(const syntax::StateMember& member) const {
    model.state_.push_back({scope, member.name.name, member.type.scalar, part(member.init)});
  }
  void operator()(const syntax::InvariantMember& member) const {
    model.invariants_.push_back(*part(member.expr));
  }
  void operator()(const syntax::InitMember& member) const {
    model.set_value(member, *part(member.value));
  }
  void operator()(const syntax::RigidMember& member) const {
    model.functions_.push_back({scope, &member, nullptr, std::nullopt});
  }
  void operator()(const syntax::RigidValueMember& member) const {
    model.set_value(member, *part(member.value));
  }
  void operator()(const syntax::WitnessMember&) const {}  // says what may be, not what is
  // Of messages: no program sends any.
  void operator()(const syntax::EnumItem&) const {}
  void operator()(const syntax::PropertyItem&) const {}
  void operator()(const syntax::NodeMember&) const {}
  void operator()(const syntax::RoundMember&) const {}
  void operator()(const syntax::MessageMember&) const {}
  void operator()(const syntax::OperatorMember&) const {}
  void operator()(const syntax::ImportMember&) const {}
};

Model::Model(const Program& program, Name name) : program_(program), name_(name) {
  gather(name);
  specs_ = operators_of(name);
}

void Model::gather(Name model) {
  if (!gathered_.insert(model).second) return;  // refined in two ways, and there once
  const Program::Model& declared = require_model(program_, model, {});
  if (declared.item->over.name.valid())
    refuse(declared.item->over.span, "layers are not known here");
  for (const syntax::Ident& super : declared.item->supers) gather(super.name);
  for (const syntax::Member& member : declared.item->members)
    std::visit(Gather{*this, *declared.tree, model}, member.node);
}

std::set<Model::Declaration> Model::declarations(Name scope, Name name) const {
  const syntax::ModelItem& item = *require_model(program_, scope, {}).item;
  if (declares(item, name)) return {{scope, name}};
  std::set<Declaration> all;
  for (const syntax::Ident& super : item.supers) all.merge(declarations(super.name, name));
  return all;
}

std::optional<Model::Found> Model::find(Name scope, Name name) const {
  const std::set<Declaration> all = declarations(scope, name);
  if (all.size() != 1) return std::nullopt;  // unknown, or one of several
  const auto is_it = [&](const Variable& variable) {
    return Declaration{variable.model, variable.name} == *all.begin();
  };
  const auto constant = std::find_if(constants_.begin(), constants_.end(), is_it);
  if (constant != constants_.end())
    return Found{false, static_cast<std::size_t>(constant - constants_.begin())};
  const auto state = std::find_if(state_.begin(), state_.end(), is_it);
  if (state == state_.end()) return std::nullopt;
  return Found{true, static_cast<std::size_t>(state - state_.begin())};
}

std::string Model::spelling(const Variable& variable) const {
  const std::string name(program_.text(variable.name));
  if (declarations(name_, variable.name).size() == 1) return name;
  return std::string(program_.text(variable.model)) + "." + name;
}

std::optional<std::size_t> Model::find_state(std::string_view text) const {
  for (std::size_t k = 0; k < state_.size(); ++k) {
    const std::string_view model = program_.text(state_[k].model);
    const std::string_view name = program_.text(state_[k].name);
    const bool long_form = text == std::string(model) + "." + std::string(name);
    if (long_form || spelling(state_[k]) == text) return k;
  }
  return std::nullopt;
}

void Model::set_value(const syntax::InitMember& member, Part value) {
  const std::optional<Found> found = find(member.target.scope.name, member.target.member.name);
  if (!found) refuse(member.target.member.span, "the super-model has no such part");
  (found->state ? state_ : constants_)[found->index].init = value;
}

const Function* Model::find_function(Name scope, Name name) const {
  const std::set<Declaration> all = declarations(scope, name);
  for (const Function& one : functions_)
    if (all.size() == 1 && Declaration{one.model, one.item->name.name} == *all.begin()) return &one;
  return nullptr;
}

void Model::set_value(const syntax::RigidValueMember& member, Part value) {
  const Function* found = find_function(member.target.scope.name, member.target.member.name);
  if (!found) refuse(member.target.member.span, "the super-model has no such function");
  Function& function = functions_[static_cast<std::size_t>(found - functions_.data())];
  function.params = &member.params;
  function.value = value;
}

std::size_t Model::require_state(Name scope, const syntax::Ident& ident) const {
  const std::optional<Found> found = find(scope, ident.name);
  if (!found || !found->state) refuse(ident.span, "no state variable has this name");
  return found->index;
}

std::vector<Specification> Model::operators_of(Name model) const {
  const Program::Model& declared = require_model(program_, model, {});
  std::vector<Specification> all;
  for (const syntax::Member& member : declared.item->members) {
    if (const auto* import = std::get_if<syntax::ImportMember>(&member.node))
      all.push_back(imported(*import));
    const auto* op = std::get_if<syntax::OperatorMember>(&member.node);
    if (!op) continue;
    Specification spec{declared.tree, op, model, {}};
    for (const auto& clause : op->clauses)
      if (const auto* modifies = std::get_if<syntax::OperatorMember::Modifies>(&clause.node))
        for (const syntax::Ident& ident : modifies->names)
          spec.modifies.insert(require_state(model, ident));
    all.push_back(std::move(spec));
  }
  return all;
}

Specification Model::imported(const syntax::ImportMember& member) const {
  for (const Specification& spec : operators_of(member.target.scope.name))
    if (spec.op->attributes.label && spec.op->attributes.label->name == member.target.member.name)
      return spec;
  refuse(member.target.member.span, "the super-model has no operator with this label");
}

}  // namespace leto::oracle

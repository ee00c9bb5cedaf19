#include "oracle/models.h"

namespace leto::oracle {

Instance::Instance(const Program& program, const Inputs& inputs, bool picked, Specifications& specs,
                   Name model)
    : program_(program), inputs_(inputs), picked_(picked), specs_(specs), model_(program, model) {
  set_constants();
  set_initial();
  for (const Part& part : model_.constraints())
    if (!judge(part, initial_))
      throw Stop{End::BadInput, part.tree->exprs[part.expr].span,
                 "the constants do not satisfy what the model requires of them"};
}

bool Instance::judge(const Part& part, const State& state) const {
  const ModelNames names(program_, model_, part.scope, constants_, state);
  return specs_.judge({part.tree, &names, Mode::Relaxed, nullptr}, part.expr).holds;
}

std::vector<Span> Instance::broken(const State& state) const {
  std::vector<Span> spans;
  for (const Part& part : model_.invariants())
    if (!judge(part, state)) spans.push_back(part.tree->exprs[part.expr].span);
  return spans;
}

Number Instance::given(const Variable& variable, bool state) const {
  const std::string name(program_.text(variable.name));
  std::vector<std::string> spellings;
  if (picked_) spellings.push_back("model." + name);
  spellings.push_back(std::string(program_.text(variable.model)) + "." + name);
  spellings.push_back(std::string(program_.text(model_.name())) + "." + name);
  spellings.push_back(name);
  for (const std::string& spelling : spellings) {
    if (state) {
      const auto it = inputs_.state.find(spelling);
      if (it != inputs_.state.end()) return it->second;
    } else {
      const auto it = inputs_.constants.find(spelling);
      if (it != inputs_.constants.end()) return it->second.scalar;
    }
  }
  throw Stop{End::BadInput, {}, "no value is given for '" + name + "' of the model"};
}

Number Instance::checked(const Variable& variable, Number value) const {
  if (!fits(variable.type, value))
    throw Stop{End::BadInput,
               {},
               "a value is not of the type of '" + std::string(program_.text(variable.name)) + "'"};
  return value;
}

// A value may use constants that are declared elsewhere, so they are filled in by need: each round
// computes those whose parts are known.
void Instance::set_constants() {
  const std::vector<Variable>& all = model_.constants();
  constants_.resize(all.size());
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].init) constants_[k] = checked(all[k], given(all[k], false));
  const State none(model_.state().size());
  for (std::size_t round = 0; round < all.size(); ++round)
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!all[k].init) continue;
      const Part& part = *all[k].init;
      const ModelNames names(program_, model_, part.scope, constants_, none);
      constants_[k] =
          specs_.evaluate({part.tree, &names, Mode::Relaxed, nullptr}, part.expr).value.scalar;
    }
  for (std::size_t k = 0; k < all.size(); ++k) (void)checked(all[k], constants_[k]);
}

void Instance::set_initial() {
  const std::vector<Variable>& all = model_.state();
  initial_.resize(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!all[k].init) {
      initial_[k] = checked(all[k], given(all[k], true));
      continue;
    }
    const Part& part = *all[k].init;
    const ModelNames names(program_, model_, part.scope, constants_, initial_);
    initial_[k] = checked(
        all[k],
        specs_.evaluate({part.tree, &names, Mode::Relaxed, nullptr}, part.expr).value.scalar);
  }
}

ModelNames::ModelNames(const Program& program, const Model& model, Name scope,
                       const State& constants, const State& state)
    : program_(program), model_(model), scope_(scope), constants_(constants), state_(state) {}

void ModelNames::set_before(const State& state) {
  before_ = std::make_unique<ModelNames>(program_, model_, scope_, constants_, state);
  for (const Local& local : locals_) before_->add({local.name, local.before, local.before});
}

Typed ModelNames::value(const Model::Found& found) const {
  const Variable& variable = (found.state ? model_.state() : model_.constants())[found.index];
  return number(variable.type, (found.state ? state_ : constants_)[found.index]);
}

std::optional<View> ModelNames::find(Name name, Mode) const {
  for (const Local& local : locals_)
    if (local.name.valid() ? local.name == name : program_.text(name) == "result") return local.now;
  const std::optional<Model::Found> found = model_.find(scope_, name);
  if (!found) return std::nullopt;
  const Typed typed = value(*found);
  Value& kept = values_[{found->state, found->index}];
  kept = typed.value;
  return View{typed.type, &kept};
}

Typed ModelNames::model_member(const syntax::Ident& member, Mode) const {
  refuse(member.span, "'model' has no meaning inside of a model");
}

Typed ModelNames::qualified(const syntax::MemberExpr& member, Mode) const {
  const std::optional<Model::Found> found = model_.find(member.scope.name, member.member.name);
  if (!found) refuse(member.member.span, "the super-model has no such part");
  return value(*found);
}

const Names* ModelNames::snapshot(Name, bool) const {
  return nullptr;
}

const Names* ModelNames::outside() const {
  return nullptr;  // names of programs mean nothing in a model, so there are no properties
}

}  // namespace leto::oracle

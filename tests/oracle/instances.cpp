#include "oracle/models.h"

namespace leto::oracle {

bool Instance::speaks_of_functions(const Part& part) const {
  std::vector<ExprId> work{part.expr};
  while (!work.empty()) {
    const syntax::Expr& at = part.tree->exprs[work.back()];
    work.pop_back();
    syntax::for_each_child(at, [&](ExprId child) { work.push_back(child); });
    const auto* call = std::get_if<syntax::CallExpr>(&at.node);
    if (std::holds_alternative<syntax::MemberCallExpr>(at.node) ||
        (call && model_.find_function(part.scope, call->callee.name)))
      return true;
  }
  return false;
}

Instance::Instance(const Program& program, const Inputs& inputs, bool picked, Specifications& specs,
                   Name model)
    : program_(program), inputs_(inputs), picked_(picked), specs_(specs), model_(program, model) {
  set_constants();
  set_initial();
  for (const Part& part : model_.constraints())
    if (!speaks_of_functions(part) && !judge(part, initial_))
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

// By its value, if a model gives it one, else by what the inputs say.
std::optional<Typed> ModelNames::function(const syntax::Ident* scope, Name name,
                                          const std::vector<Typed>& args,
                                          Specifications& specs) const {
  const Function* found = model_.find_function(scope ? scope->name : scope_, name);
  if (!found) return std::nullopt;
  const std::vector<syntax::Param>& params = found->item->params;
  const Scalar result = type_of(found->item->type).scalar;
  if (params.size() != args.size()) refuse(found->item->name.span, "a wrong number of arguments");
  std::vector<Number> numbers;
  std::vector<Env> env(params.size());
  for (std::size_t k = 0; k < params.size(); ++k) {
    Typed value = args[k];
    value.type = type_of(params[k].type);
    numbers.push_back(value.value.scalar);
    if (!fits(value.type.scalar, value.value.scalar))
      throw Stop{End::Undecidable, found->item->name.span, "a function outside of its domain"};
    env[k] = {k > 0 ? &env[k - 1] : nullptr, found->params ? (*found->params)[k].name : Name{},
              nullptr, std::move(value), false};
  }
  if (found->value) {
    const State none(model_.state().size());
    const ModelNames names(program_, model_, found->value->scope, constants_, none);
    const Context inside{found->value->tree, &names, Mode::Relaxed,
                         env.empty() ? nullptr : &env.back()};
    return number(result, specs.evaluate(inside, found->value->expr).value.scalar);
  }
  if (!specs.functions) return number(result, 0);
  const auto table = specs.functions->find(std::string(program_.text(name)));
  if (table == specs.functions->end()) return number(result, 0);
  const auto point = table->second.find(numbers);
  return number(result, point == table->second.end() ? Number(0) : point->second);
}

const Names* ModelNames::snapshot(Name, bool) const {
  return nullptr;
}

const Names* ModelNames::outside() const {
  return nullptr;  // names of programs mean nothing in a model, so there are no properties
}

}  // namespace leto::oracle

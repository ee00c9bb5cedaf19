// Definitions in questions (rule 14). A definition f that uses itself has a twin f', of which the
// same holds but which is not unfolded. With a call f(x) goes
//
//   domain(x) -> f(x) == f'(x) && f(x) == body[f' for f]
//   domain(x) && (elements of vectors of uint in x are not negative) -> f(x) >= 0    for a uint
//
// where domain(x) says that arguments for a uint are not negative: outside of it nothing is known
// of f, and nothing need be true of its equation. Where x has bound variables, the same goes with
// it for all x. That f is total was proved before (rule_definition.cpp in vcgen): then there is
// exactly one such function on the domain.
//
// A pure function f is known by its contract alone, which was proved of it (rule 16):
//
//   domain(x) && sizes(x) && requires(x) -> ensures(x, f(x))
//
// where the elements of vectors of uint belong to the domain, and f(x) >= 0 to what is ensured of a
// uint. It was proved of vectors: their sizes are not negative, and outside of them there are
// zeros. What a specification gives to f is one, but where all x are spoken of, x has to be said to
// be. Where it is not required, nothing is known but that equal arguments give equal results.
//
// Of a function constant f that nobody knows (rule 18) there is only
//
//   domain(x) -> f(x) >= 0    for a uint
//
// and that it is one function: the same in both runs and all the time. Where it is to be shown that
// there is a function that meets the constraints, one that is written down stands in its place; and
// so does the value that a model gives it.
#include "encode/encode.h"

namespace leto::encode {

using logic::Term;

namespace {

constexpr unsigned kDeepest = 32;
// What is told of what is told, and so on: of how many calls, and how deep. Nothing more is known
// then.
constexpr unsigned kMostNested = 60;
constexpr unsigned kMostTold = 3000;

}  // namespace

Term Encoder::domain(const core::Definition& definition, const std::vector<Value>& args) {
  std::vector<Term> parts;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (const core::Type& type = program_.vars[definition.params[i]].type;
        type.natural && type.rank == 0)
      parts.push_back(terms_.le(terms_.zero(logic::kInt), args[i].term));
  return terms_.and_(std::move(parts));
}

Term Encoder::call(const core::Definition& definition, const std::vector<Value>& args, bool twin) {
  std::vector<Term> flat;
  for (const Value& arg : args) {
    flat.push_back(arg.term);
    flat.insert(flat.end(), arg.sizes.begin(), arg.sizes.end());
  }
  return terms_.call(twin ? logic::TermTable::twin(definition.name) : definition.name,
                     sort_of(definition.type), std::move(flat));
}

Value Encoder::of_arguments(core::ExprId id, const core::Definition& definition,
                            const std::vector<Value>& args, Environment& environment) {
  std::map<core::VarId, Value> outer;
  std::swap(outer, bound_);
  // Constants mean the same inside: where all of them are spoken of, too.
  for (const auto& [var, value_of] : outer)
    if (program_.vars[var].kind == core::VarKind::Constant) bind(var, value_of);
  for (std::size_t i = 0; i < args.size(); ++i) bind(definition.params[i], args[i]);
  Value made = value(id, environment);
  std::swap(outer, bound_);
  return made;
}

// Where the measure is a small number it is unfolded to its end, which is near.
bool Encoder::is_small(const core::Definition& definition, const std::vector<Value>& args,
                       Environment& environment) {
  for (core::ExprId part : definition.measure) {
    const auto n = terms_.integer(of_arguments(part, definition, args, environment).term);
    if (!n || *n < 0 || *n > kDeepest) return false;
  }
  return true;
}

Value Encoder::defined(const core::Defined& node, Environment& environment) {
  const core::Definition& definition = program_.definitions[node.definition];
  std::vector<Value> args;
  for (std::size_t i = 0; i < node.args.size(); ++i)
    args.push_back(
        coerce(value(node.args[i], environment), program_.vars[definition.params[i]].type));
  return {use(node.definition, args, environment), {}};
}

Term Encoder::use(core::DefinitionId id, const std::vector<Value>& args, Environment& environment) {
  const core::Definition& definition = program_.definitions[id];
  if (definition.is_unknown() && instead.truth != Witness::Itself)
    return witness(definition, args, environment);
  // What a model says that it is stands in its place.
  if (definition.rigid && definition.body.valid())
    return coerce(of_arguments(definition.body, definition, args, environment), definition.type)
        .term;
  const bool own = id == defining;
  const auto depth = unfolding_.find(id);
  const bool deep = depth != unfolding_.end() && depth->second >= unfold;
  const bool twin =
      own || (deep && (depth->second > kDeepest || !is_small(definition, args, environment)));
  const Term made = call(definition, args, twin);
  if (!twin && terms_[made].free.empty()) unfold_call(id, args, made, environment);
  if (!twin && !terms_[made].free.empty()) unfold_all(id, environment);
  return made;
}

std::vector<Term> Encoder::meaning(core::DefinitionId id, const std::vector<Value>& args,
                                   Environment& environment) {
  const core::Definition& definition = program_.definitions[id];
  if (definition.function.valid()) return contract(definition, args, environment);
  if (definition.is_unknown()) {
    if (!definition.type.natural) return {};
    const Term own = call(definition, args, false);
    return {terms_.implies(domain(definition, args), terms_.le(terms_.zero(logic::kInt), own))};
  }
  const Term inside = guarded ? domain(definition, args) : terms_.boolean(true);
  const Term own = call(definition, args, false);
  ++unfolding_[id];
  const Term body =
      coerce(of_arguments(definition.body, definition, args, environment), definition.type).term;
  if (--unfolding_[id] == 0) unfolding_.erase(id);
  std::vector<Term> facts{terms_.implies(inside, terms_.eq(own, body))};
  if (definition.recursive) {
    terms_.has_twin(definition.name);
    facts.push_back(terms_.implies(inside, terms_.eq(own, call(definition, args, true))));
  }
  if (definition.type.natural) {
    std::vector<Term> guards{inside};
    for (std::size_t i = 0; i < args.size(); ++i)
      if (const core::Type& type = program_.vars[definition.params[i]].type; type.rank > 0)
        for (Term fact : typing(args[i], type)) guards.push_back(fact);
    facts.push_back(
        terms_.implies(terms_.and_(std::move(guards)), terms_.le(terms_.zero(logic::kInt), own)));
  }
  return facts;
}

Term Encoder::witness(const core::Definition& definition, const std::vector<Value>& args,
                      Environment& environment) {
  if (definition.witness.valid())
    return coerce(of_arguments(definition.witness, definition, args, environment), definition.type)
        .term;
  if (definition.type.base == core::Base::Bool)
    return terms_.boolean(instead.truth == Witness::One);
  const logic::Sort sort = sort_of(definition.type);
  const core::Type& first = program_.vars[definition.params[0]].type;
  const bool words = first.base == core::Base::Word || definition.type.base == core::Base::Word;
  const bool fits =
      words ? first == definition.type
            : first.base != core::Base::Bool &&
                  (definition.type.base == core::Base::Real || first.base == core::Base::Int) &&
                  (!definition.type.natural || first.natural);
  if (instead.number == Witness::First && fits) return coerce(args[0], definition.type).term;
  return instead.number == Witness::Zero ? terms_.zero(sort) : terms_.number("1", sort);
}

void Encoder::say_vector(const Value& value, const core::Type& type, std::vector<Term>& out) {
  for (Term size : value.sizes) out.push_back(terms_.le(terms_.zero(logic::kInt), size));
  for (Term fact : outside(value, type)) out.push_back(fact);
}

std::vector<Term> Encoder::contract(const core::Definition& definition,
                                    const std::vector<Value>& args, Environment& environment) {
  const Term own = call(definition, args, false);
  std::map<core::VarId, Value> outer;
  std::swap(outer, bound_);
  for (std::size_t i = 0; i < args.size(); ++i) bind(definition.params[i], args[i]);
  bind(definition.result, {own, {}});
  std::vector<Term> guards, ensured;
  for (std::size_t i = 0; i < args.size(); ++i)
    for (Term fact : typing(args[i], program_.vars[definition.params[i]].type))
      guards.push_back(fact);
  if (!terms_[own].free.empty())
    for (std::size_t i = 0; i < args.size(); ++i)
      say_vector(args[i], program_.vars[definition.params[i]].type, guards);
  for (core::ExprId need : definition.needs) guards.push_back(formula(need, environment));
  for (core::ExprId one : definition.ensures) ensured.push_back(formula(one, environment));
  std::swap(outer, bound_);
  for (Term fact : typing({own, {}}, definition.type)) ensured.push_back(fact);
  const Term inside = terms_.and_(std::move(guards));
  std::vector<Term> facts;
  for (Term one : ensured) facts.push_back(terms_.implies(inside, one));
  return facts;
}

bool Encoder::may_tell() {
  if (nested_ == 0) told_ = 0;
  return nested_ < kMostNested && told_++ < kMostTold;
}

void Encoder::unfold_call(core::DefinitionId id, const std::vector<Value>& args, Term made,
                          Environment& environment) {
  if (terms_.is_told(made) || !may_tell()) return;
  ++nested_;
  terms_.tell(made, meaning(id, args, environment));
  --nested_;
}

void Encoder::unfold_all(core::DefinitionId id, Environment& environment) {
  const core::Definition& definition = program_.definitions[id];
  if (terms_.is_told(definition.name) || !may_tell()) return;
  terms_.tell(definition.name, std::vector<Term>{});  // it may occur in what is told of it
  std::vector<Value> args;
  std::vector<Term> bound;
  for (core::VarId param : definition.params) {
    const core::Var& var = program_.vars[param];
    Value one{terms_.bound(var.name, sort_of(var.type)), {}};
    bound.push_back(one.term);
    for (int d = 0; d < var.type.rank; ++d) {
      one.sizes.push_back(terms_.bound("size", logic::kInt));
      bound.push_back(one.sizes.back());
    }
    args.push_back(std::move(one));
  }
  std::vector<Term> facts;
  ++nested_;
  for (Term fact : meaning(id, args, environment)) facts.push_back(terms_.quant(true, bound, fact));
  --nested_;
  terms_.tell(definition.name, std::move(facts));
}

}  // namespace leto::encode

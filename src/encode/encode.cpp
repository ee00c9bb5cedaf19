#include "encode/encode.h"

#include <algorithm>

namespace leto::encode {

using core::Op;
using logic::Kind;
using logic::Sort;
using logic::Term;

Sort sort_of(const core::Type& type) {
  const auto base = type.base == core::Base::Bool   ? logic::SortBase::Bool
                    : type.base == core::Base::Real ? logic::SortBase::Real
                    : type.base == core::Base::Word ? logic::SortBase::BitVec
                                                    : logic::SortBase::Int;
  return {base, type.rank, type.width};
}

Value Encoder::coerce(Value value, const core::Type& type) {
  if (type.rank == 0 && type.base == core::Base::Real) value.term = terms_.to_real(value.term);
  return value;
}

Value Encoder::zero(const core::Type& type, std::vector<Term> sizes) {
  return {terms_.zero(sort_of(type)), std::move(sizes)};
}

Value Encoder::fresh(std::string_view name, const core::Type& type, std::vector<Term> sizes) {
  return {terms_.symbol(name, sort_of(type)), std::move(sizes)};
}

std::vector<Term> Encoder::typing(const Value& value, const core::Type& type) {
  if (!type.natural) return {};
  const Term none = terms_.zero(logic::kInt);
  if (type.rank == 0) return {terms_.le(none, value.term)};
  std::vector<Term> indices;
  Term element = value.term;
  for (int d = 0; d < type.rank; ++d) {
    indices.push_back(terms_.bound("k", logic::kInt));
    element = terms_.select(element, indices.back());
  }
  return {terms_.quant(true, indices, terms_.le(none, element))};
}

std::vector<Term> Encoder::outside(const Value& value, const core::Type& type) {
  if (type.rank == 0) return {};
  std::vector<Term> indices;
  Term element = value.term;
  for (int d = 0; d < type.rank; ++d) {
    indices.push_back(terms_.bound("k", logic::kInt));
    element = terms_.select(element, indices.back());
  }
  const Term inside = in_bounds(value, indices);
  const Term nothing = terms_.eq(element, terms_.zero(sort_of(type.element())));
  return {terms_.quant(true, indices, terms_.or_(inside, nothing))};
}

Term Encoder::equal(const Value& a, const Value& b) {
  std::vector<Term> parts;
  for (std::size_t d = 0; d < a.sizes.size() && sizes_count; ++d)
    parts.push_back(terms_.eq(a.sizes[d], b.sizes[d]));
  parts.push_back(terms_.eq(a.term, b.term));
  return terms_.and_(std::move(parts));
}

Term Encoder::select(const Value& vector, const std::vector<Term>& indices) {
  Term element = vector.term;
  for (Term index : indices) element = terms_.select(element, index);
  return element;
}

Value Encoder::store(const Value& vector, const std::vector<Term>& indices, Term element) {
  Term inner = element;
  if (indices.size() == 2)
    inner = terms_.store(terms_.select(vector.term, indices[0]), indices[1], element);
  return {terms_.store(vector.term, indices[0], inner), vector.sizes};
}

Term Encoder::in_bounds(const Value& vector, const std::vector<Term>& indices) {
  std::vector<Term> parts;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    parts.push_back(terms_.le(terms_.zero(logic::kInt), indices[d]));
    parts.push_back(terms_.lt(indices[d], vector.sizes[d]));
  }
  return terms_.and_(std::move(parts));
}

Value Encoder::value(core::ExprId id, Environment& environment) {
  const core::Expr& e = program_.exprs[id];
  return std::visit(Overload{
                        [&](const core::BoolConst& node) {
                          return Value{terms_.boolean(node.value), {}};
                        },
                        [&](const core::NumberConst& node) {
                          return Value{terms_.number(node.text, sort_of(e.type)), {}};
                        },
                        [&](const core::VarRef& node) {
                          if (const auto it = bound_.find(node.var); it != bound_.end())
                            return it->second;
                          return environment.variable(node.var, node.side);
                        },
                        [&](const core::OldRef& node) { return environment.old_state(node.var); },
                        [&](const core::Length& node) {
                          return Value{value(node.vector, environment).sizes[node.dimension], {}};
                        },
                        [&](const core::Select& node) {
                          const Value vector = value(node.vector, environment);
                          std::vector<Term> indices;
                          for (core::ExprId index : node.indices)
                            indices.push_back(value(index, environment).term);
                          return Value{select(vector, indices), {}};
                        },
                        [&](const core::Apply& node) { return apply(node, e.type, environment); },
                        [&](const core::Quant& node) { return quantified(node, environment); },
                        [&](const core::Row& node) {
                          const Value matrix = value(node.matrix, environment);
                          const Term index = value(node.index, environment).term;
                          return Value{terms_.select(matrix.term, index), {matrix.sizes[1]}};
                        },
                        [&](const core::Word& node) {
                          return Value{word(node, e.type, environment), {}};
                        },
                        [&](const core::Update& node) { return updated(node, environment); },
                        [&](const core::Listed& node) { return listed(node, e.type, environment); },
                        [&](const core::Defined& node) { return defined(node, environment); },
                        [&](const core::Snapshot& node) {
                          return value(node.expr, environment.snapshot(node.loop, node.entry));
                        },
                    },
                    e.node);
}

// Outside of its bounds it is what it was: else vectors that are equal would differ there.
Value Encoder::updated(const core::Update& node, Environment& environment) {
  const Value vector = value(node.vector, environment);
  const Term index = value(node.index, environment).term;
  const core::Type element = program_.exprs[node.vector].type.element();
  const Term changed = coerce(value(node.value, environment), element).term;
  const Value made = store(vector, {index}, changed);
  return {terms_.ite(in_bounds(vector, {index}), made.term, vector.term), vector.sizes};
}

Value Encoder::listed(const core::Listed& node, const core::Type& type, Environment& environment) {
  Value made = zero(type, {terms_.integer(static_cast<std::int64_t>(node.elements.size()))});
  for (std::size_t i = 0; i < node.elements.size(); ++i)
    made = store(made, {terms_.integer(static_cast<std::int64_t>(i))},
                 coerce(value(node.elements[i], environment), type.element()).term);
  return made;
}

Value Encoder::quantified(const core::Quant& node, Environment& environment) {
  if (expand && std::all_of(node.bound.begin(), node.bound.end(), [&](core::VarId var) {
        return program_.vars[var].type.base == core::Base::Int;
      }))
    return {expanded(node, 0, environment), {}};
  std::vector<Term> bound, natural;
  for (core::VarId var : node.bound) {
    const core::Type& type = program_.vars[var].type;
    const Term t = terms_.bound(program_.vars[var].name, sort_of(type));
    bound.push_back(t);
    if (type.natural) natural.push_back(terms_.le(terms_.zero(logic::kInt), t));
    bind(var, {t, {}});
  }
  Term body = formula(node.body, environment);
  for (core::VarId var : node.bound) unbind(var);
  const Term domain = terms_.and_(natural);
  body = node.universal ? terms_.implies(domain, body) : terms_.and_(domain, body);
  return {terms_.quant(node.universal, bound, body), {}};
}

Term Encoder::expanded(const core::Quant& node, std::size_t next, Environment& environment) {
  if (next == node.bound.size()) return formula(node.body, environment);
  std::vector<Term> instances;
  for (int k = program_.vars[node.bound[next]].type.natural ? 0 : -1; k <= *expand; ++k) {
    bind(node.bound[next], {terms_.integer(k), {}});
    instances.push_back(expanded(node, next + 1, environment));
  }
  unbind(node.bound[next]);
  return node.universal ? terms_.and_(std::move(instances)) : terms_.or_(std::move(instances));
}

Value Encoder::apply(const core::Apply& node, const core::Type& type, Environment& environment) {
  if (const auto compared = counted(node, environment)) return {*compared, {}};
  std::vector<Value> args;
  for (core::ExprId arg : node.args) args.push_back(value(arg, environment));
  const auto term = [&](std::size_t i) { return args[i].term; };
  // Operands of one operation have one sort.
  if (args.size() == 2 && args[0].sizes.empty() &&
      (terms_.sort(term(0)) == logic::kReal || terms_.sort(term(1)) == logic::kReal))
    for (Value& arg : args) arg.term = terms_.to_real(arg.term);
  // Those of words are no such operations.
  for (const Value& arg : args)
    LETO_ASSERT(terms_.sort(arg.term).base != logic::SortBase::BitVec || node.op == Op::Eq ||
                node.op == Op::Ne || node.op == Op::Choose);
  const auto arith = [&](Kind kind) { return Value{terms_.arith(kind, term(0), term(1)), {}}; };
  // By zero it is zero. Solvers leave that open, so it is said.
  const auto divide = [&](Kind kind) {
    const Term none = terms_.zero(terms_.sort(term(1)));
    return Value{terms_.ite(terms_.eq(term(1), none), none, terms_.arith(kind, term(0), term(1))),
                 {}};
  };
  switch (node.op) {
    case Op::Not:
      return {terms_.not_(term(0)), {}};
    case Op::Neg:
      return {terms_.neg(term(0)), {}};
    case Op::Abs: {
      const Term none = terms_.zero(terms_.sort(term(0)));
      return {terms_.ite(terms_.le(none, term(0)), term(0), terms_.neg(term(0))), {}};
    }
    case Op::ToReal:
      return {terms_.to_real(term(0)), {}};
    case Op::Floor:
      return {terms_.to_int(terms_.to_real(term(0))), {}};
    // Of what is negative it is zero, so that it is what its type says.
    case Op::ToNatural: {
      const Term none = terms_.zero(logic::kInt);
      return {terms_.ite(terms_.le(none, term(0)), term(0), none), {}};
    }
    case Op::Add:
      return arith(Kind::Add);
    case Op::Sub:
      return arith(Kind::Sub);
    case Op::Mul:
      return arith(Kind::Mul);
    case Op::Div:
      return divide(type.base == core::Base::Real ? Kind::RealDiv : Kind::IntDiv);
    case Op::Mod:
      return divide(Kind::IntMod);
    case Op::And:
      return {terms_.and_(term(0), term(1)), {}};
    case Op::Or:
      return {terms_.or_(term(0), term(1)), {}};
    case Op::Implies:
      return {terms_.implies(term(0), term(1)), {}};
    case Op::Eq:
      return {equal(args[0], args[1]), {}};
    case Op::Ne:
      return {terms_.not_(equal(args[0], args[1])), {}};
    case Op::Lt:
      return {terms_.lt(term(0), term(1)), {}};
    case Op::Le:
      return {terms_.le(term(0), term(1)), {}};
    case Op::Gt:
      return {terms_.lt(term(1), term(0)), {}};
    case Op::Ge:
      return {terms_.le(term(1), term(0)), {}};
    case Op::Min:
      return {terms_.ite(terms_.le(term(0), term(1)), term(0), term(1)), {}};
    case Op::Max:
      return {terms_.ite(terms_.le(term(0), term(1)), term(1), term(0)), {}};
    case Op::Choose:
      return {terms_.ite(term(0), term(1), term(2)), {}};
  }
  LETO_ASSERT(false);
}

}  // namespace leto::encode

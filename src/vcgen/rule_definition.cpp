// Rule 14, definitions are total. Of `define T f(x) decreases m: e`, for all x in the domain (what
// is given for a uint is not negative) and whatever the elements of vectors are, under the
// conditions around each place in e:
//
//   f(y)              y is in the domain, and m[y for x] is before m, as for recursion (rule 13)
//   g(y), a / b       y is in the domain of g; b is not zero
//   e                 is not negative if T is uint and the elements of vectors of uint are not
//
// Of f itself only this is known: domain(y) && m[y for x] before m -> f(y) >= 0, if T is uint and
// the elements of vectors of uint in y are not negative. With its own equation among what is known,
// f(n) = f(n) + 1 would prove that its measure falls. Until all of this is proved no question has
// the equation of f, or of what uses it.
#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

class DefinitionChecks {
 public:
  DefinitionChecks(const core::Program& program, core::DefinitionId id, logic::TermTable& terms,
                   core::Effects& effects, const Options& options, Result& result)
      : setting_(make_setting(program, terms, effects, options, result)),
        program_(program),
        terms_(terms),
        id_(id),
        definition_(program.definitions[id]),
        walk_(setting_, "definition " + definition_.name),
        environment_(walk_, walk_.state, Side::Relaxed) {}

  void run() {
    walk_.path = terms_.boolean(true);
    encoder().defining = id_;
    for (core::VarId param : definition_.params) params_.push_back(make_unknown(param));
    walk_.assume(encoder().domain(definition_, params_));
    for (std::size_t i = 0; i < params_.size(); ++i)
      encoder().bind(definition_.params[i], params_[i]);
    walk_.note_moment(encode::Moment::Kind::Entry, definition_.span);
    for (core::ExprId part : definition_.measure) {
      look(part);
      measure_.push_back(formula(part));
    }
    look(definition_.body);
    prove_result();
  }

 private:
  [[nodiscard]] encode::Encoder& encoder() { return setting_.encoder; }
  [[nodiscard]] Term formula(core::ExprId id) { return encoder().formula(id, environment_); }
  [[nodiscard]] Term is_natural(Term t) { return terms_.le(terms_.zero(logic::kInt), t); }

  // Anything of its sort: nothing is known of elements and sizes.
  [[nodiscard]] Value make_unknown(core::VarId param) {
    const core::Var& var = program_.vars[param];
    std::vector<Term> sizes;
    for (int d = 0; d < var.type.rank; ++d)
      sizes.push_back(terms_.symbol("size of " + var.name, logic::kInt));
    Value made = encoder().fresh(var.name, var.type, std::move(sizes));
    walk_.set(param, Side::Relaxed, made);
    return made;
  }

  void look(core::ExprId id) {
    const auto& node = program_.exprs[id].node;
    if (const auto* apply = std::get_if<core::Apply>(&node)) return look(id, *apply);
    if (const auto* quant = std::get_if<core::Quant>(&node)) return look(*quant);
    core::for_each_child(program_, id, [&](core::ExprId child) { look(child); });
    if (const auto* used = std::get_if<core::Defined>(&node)) use(id, *used);
    if (const auto* word = std::get_if<core::Word>(&node); word != nullptr && divides(word->op))
      divide(id, word->args[1]);
  }

  void look(core::ExprId id, const core::Apply& node) {
    const auto under = [&](Term condition, core::ExprId part) {
      walk_.on_path(condition, [&] { look(part); });
    };
    look(node.args[0]);
    switch (node.op) {
      case core::Op::And:
      case core::Op::Implies:
        return under(formula(node.args[0]), node.args[1]);
      case core::Op::Or:
        return under(terms_.not_(formula(node.args[0])), node.args[1]);
      case core::Op::Choose:
        under(formula(node.args[0]), node.args[1]);
        return under(terms_.not_(formula(node.args[0])), node.args[2]);
      case core::Op::Div:
      case core::Op::Mod:
        look(node.args[1]);
        return divide(id, node.args[1]);
      case core::Op::Not:
      case core::Op::Neg:
      case core::Op::Abs:
      case core::Op::ToReal:
      case core::Op::Floor:
      case core::Op::ToNatural:
      case core::Op::Add:
      case core::Op::Sub:
      case core::Op::Mul:
      case core::Op::Eq:
      case core::Op::Ne:
      case core::Op::Lt:
      case core::Op::Le:
      case core::Op::Gt:
      case core::Op::Ge:
      case core::Op::Min:
      case core::Op::Max:
        for (std::size_t i = 1; i < node.args.size(); ++i) look(node.args[i]);
        return;
    }
    LETO_ASSERT(false);
  }

  void divide(core::ExprId id, core::ExprId by) {
    const Term divisor = formula(by);
    walk_.prove(ClaimKind::DefinitionDivision,
                terms_.not_(terms_.eq(divisor, terms_.zero(terms_.sort(divisor)))), {},
                program_.exprs[id].span, {by});
  }

  // For any values of what is bound.
  void look(const core::Quant& node) {
    std::vector<Term> typed;
    for (core::VarId var : node.bound) {
      const core::Var& bound = program_.vars[var];
      const Term any = terms_.symbol(bound.name, encode::sort_of(bound.type));
      if (bound.type.natural) typed.push_back(is_natural(any));
      encoder().bind(var, {any, {}});
    }
    walk_.on_path(terms_.and_(std::move(typed)), [&] { look(node.body); });
    for (core::VarId var : node.bound) encoder().unbind(var);
  }

  void use(core::ExprId id, const core::Defined& used) {
    const core::Definition& other = program_.definitions[used.definition];
    std::vector<Value> args;
    for (std::size_t i = 0; i < used.args.size(); ++i)
      args.push_back(encoder().coerce(encoder().value(used.args[i], environment_),
                                      program_.vars[other.params[i]].type));
    const Span at = program_.exprs[id].span;
    const Term inside = encoder().domain(other, args);
    if (!terms_.is_true(inside))
      walk_.prove(ClaimKind::DefinitionArgument, inside, {other.name}, at, {id});
    if (used.definition != id_) return;
    const Term less = falls(args);
    walk_.prove(ClaimKind::DefinitionFalls, less, {other.name}, at, {id});
    if (other.type.natural)
      walk_.assume(terms_.implies(terms_.and_({inside, less, elements_are_natural(args)}),
                                  is_natural(encoder().call(other, args, true))));
  }

  // In the order of rule 13.
  [[nodiscard]] Term falls(const std::vector<Value>& args) {
    std::vector<Term> now;
    for (core::ExprId part : definition_.measure)
      now.push_back(encoder().of_arguments(part, definition_, args, environment_).term);
    return walk_.falls(measure_, now);
  }

  [[nodiscard]] Term elements_are_natural(const std::vector<Value>& args) {
    std::vector<Term> parts;
    for (std::size_t i = 0; i < args.size(); ++i)
      if (const core::Type& type = program_.vars[definition_.params[i]].type; type.rank > 0)
        for (Term fact : encoder().typing(args[i], type)) parts.push_back(fact);
    return terms_.and_(std::move(parts));
  }

  void prove_result() {
    if (!definition_.type.natural) return;
    walk_.assume(elements_are_natural(params_));
    walk_.prove(ClaimKind::DefinitionNotNegative, is_natural(formula(definition_.body)), {},
                program_.exprs[definition_.body].span, {definition_.body});
  }

  Setting setting_;
  const core::Program& program_;
  logic::TermTable& terms_;
  core::DefinitionId id_;
  const core::Definition& definition_;
  Walk walk_;
  WalkEnvironment environment_;
  std::vector<Value> params_;
  std::vector<Term> measure_;
};

}  // namespace

Result generate_definition_checks(const core::Program& program, core::DefinitionId id,
                                  logic::TermTable& terms, const Options& options) {
  Result result;
  core::Effects effects(program);
  DefinitionChecks(program, id, terms, effects, options, result).run();
  return result;
}

}  // namespace leto::vcgen

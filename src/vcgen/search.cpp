// The search for runs that break a claim. No proof rule: nothing that is found here is believed
// until the interpreter has executed it, so it may leave out whatever makes it slow.
//
//   loops      are unrolled, each run by its own condition; more iterations than allowed are not
//              looked at
//   calls      are looked into, contracts or not
//   vectors    have one size and are written out, element by element
//   claims     that are sought are not assumed afterwards; nor are those that do not end a run
#include <algorithm>

#include "vcgen/strategy.h"

namespace leto::vcgen {

namespace {

// Whether it is, by itself, the size of some parameter.
bool is_size(const core::Program& program, core::VarId var) {
  for (const core::Function& f : program.functions)
    for (const core::ParamSize& size : f.sizes)
      if (const auto* ref = std::get_if<core::VarRef>(&program.exprs[size.size].node);
          ref != nullptr && ref->var == var)
        return true;
  return false;
}

// All index tuples of a vector or matrix whose sizes are known; none if they are not, or if
// there are too many.
std::vector<std::vector<Term>> list_indices(logic::TermTable& terms,
                                            const std::vector<Term>& sizes) {
  constexpr std::int64_t kMost = 32;
  std::vector<std::vector<Term>> out{{}};
  for (Term size : sizes) {
    const std::optional<std::int64_t> n = terms.integer(size);
    if (!n || *n < 0 || *n * static_cast<std::int64_t>(out.size()) > kMost) return {};
    std::vector<std::vector<Term>> longer;
    for (const std::vector<Term>& start : out)
      for (std::int64_t k = 0; k < *n; ++k) {
        longer.push_back(start);
        longer.back().push_back(terms.integer(k));
      }
    out = std::move(longer);
  }
  return out;
}

class SearchStrategy final : public Strategy {
 public:
  explicit SearchStrategy(const Bounds& bounds) : bounds_(bounds) {}

  void prepare(Setting& setting) const override {
    setting.encoder.expand = bounds_.size;
    setting.encoder.unfold = static_cast<unsigned>(bounds_.size) + 2;
    for (const core::ConstantVar& c : setting.program.constants)
      if (!c.value.valid() && is_size(setting.program, c.var))
        setting.constants[c.var] = {setting.terms.integer(bounds_.size), {}};
  }

  Value make_fresh(Walk& walk, std::string_view name, const core::Type& type,
                   std::vector<Term> sizes) const override {
    const auto indices =
        type.rank == 0 ? std::vector<std::vector<Term>>{} : list_indices(walk.terms(), sizes);
    if (indices.empty()) return walk.make_symbol(name, type, std::move(sizes));
    Value v = walk.encoder().zero(type, std::move(sizes));
    for (const std::vector<Term>& at : indices)
      v = walk.encoder().store(v, at, walk.fresh(name, type.element(), {}).term);
    return v;
  }

  std::vector<Term> make_sizes(Walk& walk, const std::string&, std::uint8_t rank) const override {
    return {rank, walk.terms().integer(bounds_.size)};
  }

  void give_parameters(Walk& walk, const core::Function& f, Run run) const override {
    const auto rank = [&](core::VarId param) { return walk.program().vars[param].type.rank; };
    // Scalars first: sizes are said in terms of them.
    for (core::VarId param : f.params)
      if (rank(param) == 0)
        each_side(run, [&](Side side) { walk.set(param, side, make_scalar(walk, param, side)); });
    for (core::VarId param : f.params)
      if (rank(param) > 0)
        each_side(run, [&](Side side) {
          walk.set(param, side, make_input(walk, param, side, find_sizes(walk, f, param, side)));
        });
  }

  void show(Walk& walk, ClaimId claim, Term goal, const Walk::About& about) const override {
    const auto& wanted = bounds_.wanted;
    if (std::find(wanted.begin(), wanted.end(), claim) != wanted.end())
      walk.add_sought(std::move(claim), goal, about);
    else if (core::ends_run(claim.kind))  // who breaks it goes no further
      walk.assume(goal);
  }

  void note(Walk&, Assumption) const override {}
  bool starts_anew() const override { return false; }
  Term name(Walk& walk, Term formula) const override { return walk.named(formula); }

  void do_loop(Walk& walk, const core::While& s, Run run, Span at) const override {
    unroll_loop(walk, s, run, at, bounds_.iterations, [&](Term c_o, Term c_r) {
      walk.assume(walk.terms().not_(c_o));
      walk.assume(walk.terms().not_(c_r));
    });
  }

  void write_all(Walk& walk, const core::Write& s, core::StmtId id, const Value& source,
                 Span at) const override {
    const auto indices = list_indices(walk.terms(), source.sizes);
    if (indices.empty()) return prove_whole_write(walk, s, source, at);
    encode::Encoder& encoder = walk.encoder();
    const core::Var& target = walk.program().vars[s.target];
    Value written = source;
    for (const std::vector<Term>& index : indices) {
      const Value wanted =
          encoder.coerce({encoder.select(source, index), {}}, target.type.element());
      const std::vector<Value> args = element_operands(walk, s, wanted, index);
      const Term exact = encoder.coerce(args.back(), target.type.element()).term;
      const Value outcome =
          walk.take_step(s.site, id, args, exact, {target.name, target.type.element()}, at);
      written = encoder.store(written, index, outcome.term);
    }
    walk.set(s.target, Side::Relaxed, written);
  }

  bool relies_on_contract(const Walk&, const core::Function&, Run) const override { return false; }
  std::size_t most_nested() const override { return bounds_.nested; }
  void recur(Walk& walk, const core::Function&, Run, Span) const override {
    walk.assume(walk.terms().boolean(false));  // no further than this
  }
  bool remembers_calls() const override { return false; }
  bool walks_original_alone(const Options& options) const override {
    return !options.trust_original && bounds_.of_original;
  }

 private:
  [[nodiscard]] Value make_scalar(Walk& walk, core::VarId param, Side side) const {
    if (is_size(walk.program(), param)) return {walk.terms().integer(bounds_.size), {}};
    return make_input(walk, param, side, {});
  }
  [[nodiscard]] std::vector<Term> find_sizes(Walk& walk, const core::Function& f, core::VarId param,
                                             Side side) const {
    std::vector<Term> sizes = make_sizes(walk, {}, walk.program().vars[param].type.rank);
    for (const core::ParamSize& s : f.sizes)
      if (s.param == param)
        if (const Term own = walk.formula(s.size, side); walk.terms().integer(own))
          sizes[s.dimension] = own;
    return sizes;
  }
  // An input of the search; a real one may have to be an integer.
  [[nodiscard]] Value make_input(Walk& walk, core::VarId var, Side side,
                                 std::vector<Term> sizes) const {
    const core::Var& v = walk.program().vars[var];
    const std::string name = v.name + (side == Side::Original ? "<o>" : "<r>");
    if (!bounds_.integers || v.type.base != core::Base::Real)
      return walk.fresh(name, v.type, std::move(sizes));
    const core::Type whole{core::Base::Int, false, 0};
    encode::Encoder& encoder = walk.encoder();
    if (v.type.rank == 0) return encoder.coerce(walk.fresh(name, whole, {}), v.type);
    Value out = encoder.zero(v.type, std::move(sizes));
    for (const std::vector<Term>& at : list_indices(walk.terms(), out.sizes))
      out = encoder.store(out, at, walk.terms().to_real(walk.fresh(name, whole, {}).term));
    return out;
  }

  Bounds bounds_;
};

}  // namespace

std::unique_ptr<const Strategy> make_search(const Bounds& bounds) {
  return std::make_unique<SearchStrategy>(bounds);
}

}  // namespace leto::vcgen

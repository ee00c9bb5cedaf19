// The strategy of proofs: all sizes, all iterations, everything is shown.
#include "vcgen/strategy.h"

namespace leto::vcgen {

namespace {

class ProofStrategy final : public Strategy {
 public:
  void prepare(Setting&) const override {}

  Value make_fresh(Walk& walk, std::string_view name, const core::Type& type,
                   std::vector<Term> sizes) const override {
    return walk.make_symbol(name, type, std::move(sizes));
  }

  std::vector<Term> make_sizes(Walk& walk, const std::string& name,
                               std::uint8_t rank) const override {
    std::vector<Term> sizes;
    for (int d = 0; d < rank; ++d)
      sizes.push_back(walk.fresh("size of " + name, {core::Base::Int, true, 0}, {}).term);
    return sizes;
  }

  void give_parameters(Walk& walk, const core::Function& f, Run run) const override {
    auto& hubs = walk.setting().log->hubs;
    for (core::VarId param : f.params)
      each_side(run, [&](Side side) {
        const Value input = walk.unknown(param, side);
        hubs.insert(input.term);
        hubs.insert(input.sizes.begin(), input.sizes.end());
        walk.set(param, side, input);
      });
  }

  void show(Walk& walk, ClaimId claim, Term goal, const Walk::About& about) const override {
    const bool is_known_behind = !core::is_about_ending(claim.kind);
    walk.add_obligation(std::move(claim), goal, about);
    if (is_known_behind) walk.assume(goal, Facts::Origin::Consequence);
  }

  void note(Walk& walk, Assumption assumption) const override {
    walk.setting().result.assumptions.push_back(std::move(assumption));
  }

  bool starts_anew() const override { return true; }
  Term name(Walk&, Term formula) const override { return formula; }

  void do_loop(Walk& walk, const core::While& s, Run run, Span at) const override {
    prove_loop(walk, s, run, at);
  }
  void write_all(Walk& walk, const core::Write& s, core::StmtId, const Value& source,
                 Span at) const override {
    prove_whole_write(walk, s, source, at);
  }

  bool relies_on_contract(const Walk& walk, const core::Function& f, Run run) const override {
    // What is proved of a pure function is proved of its values, whoever calls it.
    return f.has_contract() &&
           (run != Run::Relaxed || f.pure.valid() || walk.falls_into(Trap::ContractOfRunAlone));
  }
  void recur(Walk& walk, const core::Function& f, Run, Span at) const override {
    if (!walk.falls_into(Trap::RecursionAssumed))
      walk.prove(ClaimKind::Recursion, walk.terms().boolean(false), {f.name}, at, {});
  }
  bool remembers_calls() const override { return true; }
  bool walks_original_alone(const Options& options) const override {
    return !options.trust_original;
  }
};

}  // namespace

std::unique_ptr<const Strategy> make_proof() {
  return std::make_unique<ProofStrategy>();
}

}  // namespace leto::vcgen

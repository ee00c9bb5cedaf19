// Rule 17, bounded proofs (`leto verify --unroll N`). Nothing needs an invariant: what happens is
// walked as it happens, up to N times.
//
//   loops      are unrolled, each run by its own condition. Behind N iterations it is claimed, of
//              each run that is still in, that its condition is false
//   calls      are looked into, contracts or not, and recursive ones up to N activations of a
//              function inside of one another. Then it is claimed that nobody gets there
//   vectors    that are given have at most N elements in each dimension: claimed behind what is
//              required
//
// What is so claimed is known from there on, as what is claimed always is. If all of it is proved,
// nothing was left out, and the rest is proved as by the other rules. If some of it is not, then
// runs that do more were left out, and nothing is proved: the rest holds up to N.
//
// To leave out an original run makes whatever is claimed behind it true for no reason. So all of it
// is claimed of the original too, in lockstep and in its walk alone, where nothing is trusted.
//
// Lemmas and pure functions are proved by the other rules: what they say is about all values.
#include <string>

#include "vcgen/strategy.h"

namespace leto::vcgen {

namespace {

class BoundedStrategy final : public Strategy {
 public:
  explicit BoundedStrategy(unsigned most) : most_(most) {}

  void prepare(Setting& setting) const override { proof_->prepare(setting); }
  Value make_fresh(Walk& walk, std::string_view name, const core::Type& type,
                   std::vector<Term> sizes) const override {
    return proof_->make_fresh(walk, name, type, std::move(sizes));
  }
  std::vector<Term> make_sizes(Walk& walk, const std::string& name,
                               std::uint8_t rank) const override {
    return proof_->make_sizes(walk, name, rank);
  }
  void give_parameters(Walk& walk, const core::Function& f, Run run) const override {
    proof_->give_parameters(walk, f, run);
  }

  void enter(Walk& walk, const core::Function& f, Run run) const override {
    const Term most = walk.terms().integer(static_cast<std::int64_t>(most_));
    for (core::VarId param : f.params)
      each_side(run, [&](Side side) {
        const std::vector<Term> sizes = walk.state.side(side).at(param).sizes;
        for (Term size : sizes) {
          const core::Var& v = walk.program().vars[param];
          walk.prove(ClaimKind::SizesWithin, walk.terms().le(size, most), {v.name, bound()}, v.span,
                     {{}, side});
        }
      });
  }

  void show(Walk& walk, ClaimId claim, Term goal, const Walk::About& about) const override {
    proof_->show(walk, std::move(claim), goal, about);
  }
  void note(Walk& walk, Assumption assumption) const override {
    proof_->note(walk, std::move(assumption));
  }
  bool starts_anew() const override { return proof_->starts_anew(); }
  Term name(Walk& walk, Term formula) const override { return proof_->name(walk, formula); }

  void do_loop(Walk& walk, const core::While& s, Run run, Span at) const override {
    unroll_loop(walk, s, run, at, most_, [&](Term c_o, Term c_r) {
      const auto exclude = [&](Term goes_on, Side side) {
        if (side == Side::Original && walk.falls_into(Trap::OriginalCutOff))
          return walk.assume(walk.terms().not_(goes_on));
        walk.prove(ClaimKind::LoopWithin, walk.terms().not_(goes_on), {bound()}, at, {{}, side});
      };
      if (run != Run::Relaxed) exclude(c_o, Side::Original);
      if (run != Run::Original) exclude(c_r, Side::Relaxed);
    });
  }
  void write_all(Walk& walk, const core::Write& s, core::StmtId id, const Value& source,
                 Span at) const override {
    proof_->write_all(walk, s, id, source, at);
  }

  bool relies_on_contract(const Walk&, const core::Function& f, Run) const override {
    return f.pure.valid() && f.has_contract();
  }
  std::size_t most_nested() const override { return most_; }
  void recur(Walk& walk, const core::Function& f, Run run, Span at) const override {
    each_side(run, [&](Side side) {
      walk.prove(ClaimKind::CallsWithin, walk.terms().boolean(false), {f.name, bound()}, at,
                 {{}, side});
    });
  }
  bool remembers_calls() const override { return proof_->remembers_calls(); }
  bool walks_original_alone(const Options&) const override { return true; }

 private:
  [[nodiscard]] std::string bound() const { return std::to_string(most_); }

  unsigned most_;
  std::unique_ptr<const Strategy> proof_ = make_proof();
};

}  // namespace

std::unique_ptr<const Strategy> make_bounded(unsigned most) {
  return std::make_unique<BoundedStrategy>(most);
}

}  // namespace leto::vcgen

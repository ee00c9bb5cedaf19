// For tests only: walks a hand-made program and says which claims stand, by trying small values for
// everything. Nothing is called proved here: what no small state breaks *stands*.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/test_builder.h"
#include "logic/test_evaluator.h"
#include "vcgen/vcgen.h"

namespace leto::vcgen {

using core::ExprId;
using core::FunctionId;
using core::Op;
using core::Side;
using core::StmtId;
using core::VarId;
using core::VarKind;

inline Options trapped(Trap trap) {
  Options options;
  options.trap = trap;
  return options;
}

class Bench {
 public:
  core::Builder b;
  Result result;

  void walk(FunctionId id, const Options& options = {}) {
    NoJudge none;
    walk(id, options, none);
  }
  void walk(FunctionId id, const Options& options, Judge& judge, Calls calls = Calls::InPlace) {
    if (const std::string problem = core::validate(b.program); !problem.empty())
      throw std::logic_error(problem);
    terms_ = std::make_unique<logic::TermTable>();
    result = Generator(b.program, options).function(id, *terms_, judge, calls);
  }
  void walk_model(const Options& options = {}) {
    terms_ = std::make_unique<logic::TermTable>();
    result = generate_model_checks(b.program, *terms_, options);
  }
  void walk_refinement(const core::Refinement& refinement, const Options& options = {}) {
    terms_ = std::make_unique<logic::TermTable>();
    result = generate_refinement(refinement, *terms_, options);
  }

  [[nodiscard]] std::vector<const Obligation*> of(ClaimKind kind, Side side = Side::Relaxed) const {
    std::vector<const Obligation*> out;
    for (const Obligation& o : result.obligations)
      if (o.claim.kind == kind && o.claim.side == side) out.push_back(&o);
    return out;
  }
  [[nodiscard]] std::size_t count(ClaimKind kind, Side side = Side::Relaxed) const {
    return of(kind, side).size();
  }
  [[nodiscard]] bool stands(const Obligation& o) const { return stands(o, o.question.goal); }
  // Whether nothing small breaks another goal, from what is known there.
  [[nodiscard]] bool stands(const Obligation& o, logic::Term goal) const {
    Known known = o.question.log->everything(*terms_, o.question.known, goal);
    known.facts.insert(known.facts.end(), known.array_facts.begin(), known.array_facts.end());
    return !logic::SmallModels(*terms_).against(known.facts, goal);
  }
  // Of claims that there are: whether nothing small breaks any.
  [[nodiscard]] bool all_stand(ClaimKind kind, Side side = Side::Relaxed) const {
    const auto found = of(kind, side);
    if (found.empty()) throw std::logic_error("there is no such claim");
    for (const Obligation* o : found)
      if (!stands(*o)) return false;
    return true;
  }
  // The situations in which a claim is made, in order.
  [[nodiscard]] std::vector<std::string> situations(ClaimKind kind) const {
    std::vector<std::string> out;
    for (const Obligation* o : of(kind)) out.push_back(o->situation);
    return out;
  }
  [[nodiscard]] const Assumption* assumption(ClaimKind kind) const {
    for (const Assumption& a : result.assumptions)
      if (a.claim.kind == kind) return &a;
    return nullptr;
  }

  core::Function& at(FunctionId id) { return b.program.functions[id]; }
  void require(FunctionId id, ExprId expr) { at(id).requires_.push_back({expr, false}); }
  void require_r(FunctionId id, ExprId expr) { at(id).requires_.push_back({expr, true}); }
  void ensure(FunctionId id, ExprId expr) { at(id).ensures.push_back({expr, false}); }
  void ensure_r(FunctionId id, ExprId expr) { at(id).ensures.push_back({expr, true}); }

  ExprId positive(VarId x) { return b.op(Op::Gt, b.ref(x), b.num("0")); }
  ExprId is(VarId x, const std::string& number) { return b.op(Op::Eq, b.ref(x), b.num(number)); }
  StmtId put(VarId x, const std::string& number) { return b.assign(x, b.num(number)); }
  StmtId step(VarId x) { return b.assign(x, b.op(Op::Add, b.ref(x), b.num("1"))); }

 private:
  std::unique_ptr<logic::TermTable> terms_;
};

}  // namespace leto::vcgen

// Inferred facts as the user would write them.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "prove/infer.h"

namespace leto::prove {

namespace {

// Where a loop stands in the source: copies of it stand at the same place.
using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

bool names_temporary(const core::Program& program, core::ExprId id) {
  bool any = false;
  core::for_each_read(program, id, [&](core::VarId var, core::Side) {
    any = any || program.vars[var].kind == core::VarKind::Temp;
  });
  return any;
}

class Standing {
 public:
  Standing(const core::Program& program, const Inference& inference)
      : program_(program), inference_(inference) {
    for (const core::Function& f : program.functions)
      core::for_each_statement(program, f.body, [&](core::StmtId id) {
        const auto* loop = std::get_if<core::While>(&program.stmts[id].node);
        if (loop != nullptr) statement_[loop->loop] = id;
      });
  }

  std::vector<Invariant> find() {
    for (const auto& [function, at] : inference_.met) count(place(at.loop), at, met_);
    for (const Inferred& one : inference_.inferred)
      if (!names_temporary(program_, one.fact.expr)) add(one);
    std::vector<Invariant> out;
    for (auto& [where, facts] : facts_)
      for (Fact& fact : facts)
        if (fact.stands == met_[{where, fact.relational}] && !fact.always_implied)
          out.push_back({statement_.at(fact.loop), fact.relational, std::move(fact.text)});
    return out;
  }

 private:
  struct Fact {
    core::LoopId loop;
    bool relational;
    std::string text;
    std::size_t stands = 0;  // in so many places
    bool always_implied = true;
  };
  using Counts = std::map<std::pair<Place, bool>, std::size_t>;

  [[nodiscard]] Place place(core::LoopId loop) const {
    const Span& at = program_.stmts[statement_.at(loop)].span;
    return {at.file.value, at.begin, at.end};
  }
  // Relational facts are claimed wherever the relaxed run does the loop, others by whoever does.
  static void count(const Place& where, const vcgen::Occurrence& at, Counts& counts) {
    const bool original = at.run == vcgen::Run::Original;
    if (!original) ++counts[{where, true}];
    if (!original || at.alone) ++counts[{where, false}];
  }
  void add(const Inferred& one) {
    auto& list = facts_[place(one.at.loop)];
    std::string text = core::source(program_, one.fact.expr);
    auto it = std::find_if(list.begin(), list.end(), [&](const Fact& f) {
      return f.relational == one.fact.relational && f.text == text;
    });
    if (it == list.end())
      it = list.insert(list.end(), {one.at.loop, one.fact.relational, std::move(text)});
    ++it->stands;
    it->always_implied = it->always_implied && one.implied;
  }

  const core::Program& program_;
  const Inference& inference_;
  std::map<core::LoopId, core::StmtId> statement_;
  Counts met_;
  std::map<Place, std::vector<Fact>> facts_;
};

}  // namespace

std::vector<Invariant> standing_everywhere(const core::Program& program,
                                           const Inference& inference) {
  return Standing(program, inference).find();
}

}  // namespace leto::prove

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

class Standing {
 public:
  explicit Standing(const core::Program& program) : program_(program) {
    for (const core::Function& f : program.functions)
      core::for_each_statement(program, f.body, [&](core::StmtId id) {
        const auto* loop = std::get_if<core::While>(&program.stmts[id].node);
        if (loop != nullptr) statement_[loop->loop] = id;
      });
  }

  void add(const LoopFacts& met) {
    const Place where = place(met.loop);
    met_[{where, true}] += met.of_both ? 1 : 0;
    met_[{where, false}] += met.of_one ? 1 : 0;
    for (const LoopFacts::Fact& fact : met.facts) add(where, met.loop, fact);
  }

  std::vector<Invariant> find() {
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
  void add(const Place& where, core::LoopId loop, const LoopFacts::Fact& one) {
    auto& list = facts_[where];
    auto it = std::find_if(list.begin(), list.end(), [&](const Fact& f) {
      return f.relational == one.relational && f.text == one.text;
    });
    if (it == list.end()) it = list.insert(list.end(), {loop, one.relational, one.text});
    ++it->stands;
    it->always_implied = it->always_implied && one.implied;
  }

  const core::Program& program_;
  std::map<core::LoopId, core::StmtId> statement_;
  Counts met_;
  std::map<Place, std::vector<Fact>> facts_;
};

}  // namespace

std::vector<Invariant> standing_everywhere(const core::Program& program,
                                           const std::vector<LoopFacts>& met) {
  Standing standing(program);
  for (const LoopFacts& one : met) standing.add(one);
  return standing.find();
}

}  // namespace leto::prove

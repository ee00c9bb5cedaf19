#include "check/lemma_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

namespace leto::check {

using namespace syntax;

namespace {

// Lemmas, each behind those that it calls. Chains can be long, so this does not call itself.
class LemmaOrder {
 public:
  LemmaOrder(Session& session, const std::vector<FunctionFacts>& functions) : session_(session) {
    for (const FunctionFacts& function : functions)
      if (session.symbol(function.symbol).kind == SymbolKind::Lemma)
        uses_.emplace(function.symbol, &function.lemmas);
  }

  void run() {
    for (const auto& [lemma, uses] : uses_) visit_all(lemma);
  }

 private:
  enum class State : std::uint8_t { Open, Done };
  struct Frame {
    SymbolId lemma;
    std::size_t next = 0;
  };

  void visit_all(SymbolId start) {
    if (!states_.emplace(start, State::Open).second) return;
    std::vector<Frame> frames{{start}};
    while (!frames.empty()) {
      Frame& top = frames.back();
      const std::vector<LemmaUse>& uses = *uses_.at(top.lemma);
      if (top.next == uses.size()) {
        states_[top.lemma] = State::Done;
        frames.pop_back();
        continue;
      }
      const LemmaUse& use = uses[top.next++];
      const SymbolId user = top.lemma;
      if (use.lemma == user)
        require_measure(use);
      else if (uses_.contains(use.lemma) && states_.emplace(use.lemma, State::Open).second)
        frames.push_back({use.lemma});
      else if (states_[use.lemma] == State::Open)
        refuse_circle(user, use);
    }
  }

  void require_measure(const LemmaUse& use) {
    const Symbol& symbol = session_.symbol(use.lemma);
    const auto& item = std::get<FunctionItem>(session_.tree(symbol.tree).items[symbol.item].node);
    if (std::any_of(item.contract.begin(), item.contract.end(),
                    [](const Clause& c) { return c.kind == ClauseKind::Decreases; }))
      return;
    session_.report(Diagnostic{
        DiagnosticKind::UnmeasuredRecursion, use.at, {session_.text(symbol.name)}, {}, {}}
                        .helping("write 'decreases' and an integer that falls, before 'lemma'"));
  }

  void refuse_circle(SymbolId user, const LemmaUse& use) {
    const Symbol& used = session_.symbol(use.lemma);
    session_.report(Diagnostic{
        DiagnosticKind::MutualRecursion,
        use.at,
        {session_.text(session_.symbol(user).name), "proved",
         fmt::format("'{}', which is proved by way of it", session_.text(used.name))},
        {},
        {}}.note(used.span, "declared here")
                        .helping("make one lemma of them, which ensures what both say"));
  }

  Session& session_;
  std::map<SymbolId, const std::vector<LemmaUse>*> uses_;
  std::unordered_map<SymbolId, State> states_;
};

}  // namespace

void check_lemmas(Session& session, const std::vector<FunctionFacts>& functions) {
  LemmaOrder(session, functions).run();
}

}  // namespace leto::check

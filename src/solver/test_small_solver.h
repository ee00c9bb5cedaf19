// For tests only: a solver that tries small values and nothing else. What it calls unsatisfiable
// has no small model; on the programs of the tests that is as good. Values are as solvers write
// them.
#pragma once

#include <algorithm>
#include <set>

#include "logic/test_reader.h"
#include "solver/solver.h"

namespace leto::solver {

class SmallSolver final : public Solver {
 public:
  std::string identity() override { return "small"; }
  std::string script(const Query& query) const override { return query.text; }
  Answer solve(const Query& query) override {
    ++asked;
    Answer answer;
    try {
      load(query.text);
      if (!query.claimed.empty()) fixed_[query.claimed] = true;
      answer.verdict = search(0) ? Verdict::Sat : Verdict::Unsat;
      if (answer.verdict == Verdict::Sat) {
        for (const std::string& value : query.values) answer.values.push_back(written(value));
      } else if (!query.claimed.empty()) {
        fixed_[query.claimed] = false;
        answer.took_claim = search(0);
      }
    } catch (const Far&) {
      answer = {};
      answer.reason = Reason::Resource;
    }
    return answer;
  }
  int asked = 0;

 private:
  using Meaning = logic::Meaning;
  using Written = logic::Written;
  struct Far {};
  struct Symbol {
    std::string name;
    int rank = 0;
    bool boolean = false;
  };

  void load(std::string_view text) {
    symbols_.clear();
    due_.assign(1, {});
    defined_.clear();
    fixed_.clear();
    reader_.values.clear();
    steps_ = 0;
    while (text.find('(') != std::string_view::npos) {
      const Written command = logic::read(text);
      const std::string& what = command.list[0].word;
      if (what == "declare-fun" && !command.list[2].list.empty()) throw Far{};  // opaque products
      if (what == "declare-fun") {
        Symbol symbol{command.list[1].word};
        const Written* sort = &command.list[3];
        for (; !sort->list.empty(); sort = &sort->list[2]) ++symbol.rank;
        symbol.boolean = sort->word == "Bool";
        symbols_.push_back(symbol);
        due_.emplace_back();
      } else if (what == "define-fun") {
        defined_[command.list[1].word] = command.list[4];
      } else if (what == "assert") {
        const Written formula = inlined(command.list[1]);
        due_[last_symbol(formula)].push_back(formula);
      }
    }
  }
  Written inlined(const Written& w) const {
    if (const auto it = defined_.find(w.word); w.list.empty() && it != defined_.end())
      return inlined(it->second);
    Written out{w.word, {}};
    for (const Written& part : w.list) out.list.push_back(inlined(part));
    return out;
  }
  [[nodiscard]] std::size_t last_symbol(const Written& w) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (symbols_[i].name == w.word) last = i + 1;
    for (const Written& part : w.list) last = std::max(last, last_symbol(part));
    return last;
  }
  [[nodiscard]] std::vector<Meaning> choices(const Symbol& symbol) const {
    if (const auto it = fixed_.find(symbol.name); it != fixed_.end())
      return {logic::meaning(it->second ? 1 : 0)};
    if (symbol.rank > 1) throw Far{};
    const auto scalars = logic::domain(symbol.boolean ? logic::kBool : logic::kInt);
    if (symbol.rank == 0) return scalars;
    std::vector<Meaning> out;
    for (const long first : {0L, 1L})
      for (const long second : {0L, 1L})
        out.push_back(logic::operate(
            logic::Kind::Store, {logic::operate(logic::Kind::Store, {Meaning{}, logic::meaning(0),
                                                                     logic::meaning(first)}),
                                 logic::meaning(1), logic::meaning(second)}));
    return out;
  }
  bool search(std::size_t next) {
    if (++steps_ > 20'000) throw Far{};
    for (const Written& formula : due_[next])
      if (!reader_.value(formula).holds()) return false;
    if (next == symbols_.size()) return true;
    for (const Meaning& value : choices(symbols_[next])) {
      reader_.values[symbols_[next].name] = value;
      if (search(next + 1)) return true;
    }
    return false;
  }
  std::string written(const std::string& term) {
    std::string_view text = term;
    const Meaning value = reader_.value(inlined(logic::read(text)));
    const auto plain = [](logic::Wide n) { return std::to_string(static_cast<long>(n)); };
    const logic::Rational number = value.number;
    std::string out = plain(number.above < 0 ? -number.above : number.above);
    if (number.below != 1) out = "(/ " + out + ".0 " + plain(number.below) + ".0)";
    if (is_truth(term)) return number.above != 0 ? "true" : "false";
    return number.above < 0 ? "(- " + out + ")" : out;
  }
  [[nodiscard]] bool is_truth(const std::string& term) const {
    static const std::set<std::string> kHeads{"not", "and", "or", "=>", "=", "<", "<=", "forall"};
    std::string_view text = term;
    const Written w = inlined(logic::read(text));
    if (!w.list.empty()) return kHeads.contains(w.list[0].word);
    for (const Symbol& symbol : symbols_)
      if (symbol.name == w.word) return symbol.boolean;
    return w.word == "true" || w.word == "false";
  }

  std::vector<Symbol> symbols_;
  std::vector<std::vector<Written>> due_;
  std::map<std::string, Written> defined_;
  std::map<std::string, bool> fixed_;
  logic::Reader reader_;
  std::uint64_t steps_ = 0;
};

}  // namespace leto::solver

// Executes the byte code of expressions.
#pragma once

#include "interp/code.h"
#include "interp/results.h"

namespace leto::interp {

using SnapshotMap = std::unordered_map<core::LoopId, Snapshots>;

class Computer {
 public:
  Computer(const Evaluator& evaluator, ByteCode& code, const SnapshotMap& snapshots,
           const Allowance* allowance, std::uint64_t most_bodies)
      : evaluator_(evaluator),
        results_(most_bodies),
        code_(code),
        snapshots_(snapshots),
        allowance_(allowance) {}

  // Throws Undecidable. The number is there until something is computed again.
  const Number& number(const Code& code) {
    if (!code.steps.empty()) execute(code);
    return *code.result;
  }
  bool truth(const Code& code) { return number(code).truth(); }
  void run(const Code& code) { execute(code); }

 private:
  void execute(const Code& code);
  void walk(const Part& part, Number& to) const;
  void quantify(const Quantifier& quantifier, Number& to);
  // Whether all instances, from this level on, are as the quantifier wants them.
  bool instances(const Quantifier& quantifier, std::size_t level);

  const Evaluator& evaluator_;
  mutable Results results_;
  ByteCode& code_;
  const SnapshotMap& snapshots_;
  const Allowance* allowance_;  // may be null
};

}  // namespace leto::interp

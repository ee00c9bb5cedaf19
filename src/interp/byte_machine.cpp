#include "interp/compile.h"
#include "interp/execute.h"

namespace leto::interp {

ByteMachine::ByteMachine(const Machine& machine, core::FunctionId function)
    : machine_(machine),
      function_(function),
      // Functions that nobody knows are asked by those who walk the tree.
      code_(core::has_unknown_functions(machine.program()) ? nullptr
                                                           : Compiler(machine).compile(function)) {}

ByteMachine::~ByteMachine() = default;

Outcome ByteMachine::run(const Inputs& inputs, Chooser& chooser, const Options& options) {
  if (!compiled() || options.at_head || options.behind)
    return machine_.run(function_, inputs, chooser, options);
  const bool alone = machine_.program().functions[function_].is_of_one_run();
  Outcome outcome = Executor(machine_, *code_, chooser, options)
                        .function(function_, inputs, alone ? Run::Relaxed : Run::Both);
  if (alone || !rests_on_original(outcome)) return outcome;
  ExactChooser exact;
  const Options by_itself{options.limits, false, false, true, {}};
  judge_by_original(
      outcome,
      Executor(machine_, *code_, exact, by_itself).function(function_, inputs, Run::Original));
  return outcome;
}

}  // namespace leto::interp

// What an emitted function has to do, found out by the interpreter: it runs the function exactly,
// and looks at each number on the way.
#pragma once

#include <string>

#include "emit/emit.h"
#include "interp/interp.h"

namespace leto::workbench {

class EmittedRuns {
 public:
  EmittedRuns(const core::Program& program, const emit::Request& request,
              const emit::Emitted& emitted, const Allowance& allowance);

  // What becomes of a run from inputs that meet all that is required:
  //   "R"      a number does not fit
  //   "F"      a check fails, of those that are made when it runs
  //   "U"      an `assume` does not hold
  //   "A"      a checker accepts
  //   "J"      it rejects
  //   "V ..."  a value, and which
  // Empty: that cannot be said.
  [[nodiscard]] std::string follow(const interp::Inputs& inputs) const;

  [[nodiscard]] const interp::Machine& machine() const { return machine_; }
  // Whether a variable, or an element, of the emitted code can hold it.
  [[nodiscard]] bool fits_variable(const interp::Number& x) const;
  [[nodiscard]] bool fits_element(const interp::Number& x) const;

 private:
  struct Extent {
    interp::Number low, high;
    [[nodiscard]] bool holds(const interp::Number& x) const { return low <= x && x <= high; }
  };
  [[nodiscard]] static Extent extent_of(int bits);
  [[nodiscard]] std::string judge(const interp::Outcome& plain, const interp::Outcome& told) const;
  [[nodiscard]] bool fits(const interp::Outcome& told) const;
  [[nodiscard]] bool is_rounded(const interp::Outcome& told) const;
  template <class F>
  void for_each_number(const interp::Outcome& told, core::Base base, const F& f) const;

  const core::Program watched_program_;
  const emit::Request& request_;
  const emit::Emitted& emitted_;
  const interp::Machine machine_, watched_;
  const Extent narrow_, wide_;
};

// A value as a case has it: sizes, then elements.
[[nodiscard]] std::string case_text(const interp::Value& value);
// A line of a case: all inputs, then what is expected.
[[nodiscard]] std::string case_line(const emit::Emitted& emitted, const interp::Inputs& inputs,
                                    const std::string& expected);
// With arrays that nobody else changes, and equal in both runs.
[[nodiscard]] interp::Inputs own_copy(const emit::Emitted& emitted, const interp::Inputs& from);
void set_both(interp::Inputs& inputs, core::VarId var, const interp::Value& value);

}  // namespace leto::workbench

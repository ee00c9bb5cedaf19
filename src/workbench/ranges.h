// What may be asked for, on the command line and in the library alike.
#pragma once

namespace leto::workbench {

struct Range {
  double least, most;

  // Of what is no number, false.
  [[nodiscard]] constexpr bool contains(double value) const {
    return value >= least && value <= most;
  }
};

// Each worker has a thread and a solver of its own. 0: one per core.
inline constexpr Range kWorkers{0, 256};
// For all of the work; 0: no limit.
inline constexpr Range kSeconds{0, 1e9};
// For one question; solvers count milliseconds in 32 bits.
inline constexpr Range kQuestionSeconds{0.001, 1e6};

// Iterations, elements and nested calls of a bounded proof; more would not come to an end.
inline constexpr Range kUnrolled{1, 1000};

}  // namespace leto::workbench

// Short names for what the tests of the rules do all the time.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "reliability_support.h"

namespace leto::tests {

using reliability::Chance;
using reliability::Known;
using reliability::Options;

// Two models, of which the first is used; each operation goes wrong so often.
inline std::string model(const std::string& rate, const std::string& second = "0") {
  std::string out;
  for (const auto& [name, p] :
       {std::pair<std::string, std::string>{"wrong", rate}, {"second", second}}) {
    out += "model " + name + " { const real p = " + p + "; int hits = 0;\n";
    int number = 0;
    for (const char* op : {"+", "-", "*", "<"})
      out += fmt::format(
          "operator {0}(int a, int b) ensures result == (a {0} b);\n"
          "@label(w{1}) @rate(p) operator {0}(int a, int b) ensures true;\n",
          op, ++number);
    out += "}\n";
  }
  return out + "use model wrong;\n";
}

inline Proofs& proofs() {
  static Proofs all;
  return all;
}

inline reliability::Analysis of(const Loaded& l, const Options& options) {
  EXPECT_EQ(l.problem, "");
  return reliability::analyse(l.program, l.last(), {l.program.functions[l.last()].result()},
                              options);
}
// With all that can be proved.
inline reliability::Analysis proved(const Loaded& l) {
  return of(l, proofs().options(l.program));
}
// Checks are as good as is said; `recover` does what `try` does.
inline Options declared(const core::Program& program, const Chance& positive,
                        const Chance& negative) {
  Options options;
  for (std::size_t i = 0; i < program.recoveries.size(); ++i)
    options.recoveries[i] = {false, Known::Declared{positive, negative}, Known::Mending::Again};
  return options;
}

inline Chance q(const char* text) {
  return Chance::parse(text).value();
}

// What is to be feared of the first recovery's check, and of what recovers.
struct Doubts {
  std::string check, mending;
};
inline Doubts doubts_of(const std::string& text) {
  const Loaded l(text);
  EXPECT_EQ(l.problem, "");
  const checks::Recoveries found = proofs().of(l.program);
  const auto first = [](const std::map<std::size_t, checks::Doubt>& from) {
    return from.empty() ? std::string() : from.begin()->second.text;
  };
  return {first(found.checks), first(found.mendings)};
}

}  // namespace leto::tests

// Random models and programs, as text, in a form whose parts can be taken out again: claims
// that do not hold, and, when a failure is shrunk, everything that it does not need.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace leto::soundness {

// A line, or a line with a body. Invariants stand between a loop's head and its body.
struct Node {
  std::string text;
  std::vector<Node> body;
  bool block = false;
  bool invariant = false;
  bool claim = false;  // can be dropped if it does not hold
  bool gone = false;
};

struct Piece {  // a function or a model
  std::vector<Node> lines;
};

struct Program {
  Piece model;
  std::vector<Piece> functions;  // callees first

  // With line numbers, from 1; each line's node, if it is a claim.
  [[nodiscard]] std::string text(std::vector<Node*>& by_line);
  [[nodiscard]] std::size_t claims();
  // Which of the constructs occur in it.
  struct Features {
    bool loop = false, branch = false, region = false, ghost = false, call = false, label = false;
  };
  Features features;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] Program program();
  // A super-model `sup`, a sub-model `sub` of it, and a program.
  struct Refined {
    std::string models;
    std::string program;
  };
  [[nodiscard]] Refined refined();

 private:
  struct Scope {
    std::vector<std::string> ints;     // variables of type int that can be assigned
    std::vector<std::string> reads;    // further ones that can be read
    std::vector<std::string> vectors;  // of size n
    std::vector<std::string> labels;
    int depth = 0;
    bool ghost = false;
    bool callee = false;
  };
  [[nodiscard]] unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  [[nodiscard]] bool chance(unsigned percent) { return pick(100) < percent; }
  template <class T>
  const T& any(const std::vector<T>& list) {
    return list[pick(static_cast<unsigned>(list.size()))];
  }
  void model(Program& program);
  Piece callee(Program& program, bool contract);
  std::string variable(const Scope& scope);
  std::string expression(const Scope& scope);
  std::string relaxed(const Scope& scope);
  std::string condition(const Scope& scope);
  std::string relation(const Scope& scope);
  void statements(Program& program, Scope scope, int count, std::vector<Node>& out);
  void loop(Program& program, Scope scope, std::vector<Node>& out);
  void claims(const Scope& scope, std::vector<Node>& out);

  std::mt19937_64 random_;
  bool has_less_ = false, has_region_ = false, has_budget_ = false, has_plain_ = false,
       has_contract_ = false;
  int fresh_ = 0;
  int direction_ = 0;  // in which faults of the model's first operator go; 2: not known yet
};

}  // namespace leto::soundness

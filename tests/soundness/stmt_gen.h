// Random statements. What each theme is about has a function of its own; they are spread over
// several files: stmt_gen.cpp (assignments, branches, claims), loop_gen.cpp, memory_gen.cpp
// (vectors, regions, ghosts, the model's state), flow_gen.cpp (where runs part, return, recover),
// lemma_gen.cpp.
#pragma once

#include "spec_gen.h"

namespace leto::soundness {

class Writer {
 public:
  explicit Writer(World& world) : world_(world), dice_(world.dice), exprs_(world) {}

  // So many statements of any kind, as far as the program may still grow.
  void statements(Scope& scope, unsigned count, Nodes& out);
  // What the theme is about; nothing if it is not about statements.
  void motif(Theme theme, Scope& scope, Nodes& out);
  // Claims about what is there, of one run and of both.
  void claims(const Scope& scope, unsigned count, Nodes& out);
  void claim_about(const Scope& scope, const std::string& variable, unsigned count, Nodes& out);

  // stmt_gen.cpp
  void assign(Scope& scope, Nodes& out);
  void assign_relaxed(Scope& scope, Nodes& out);
  void declare_some(Scope& scope, Nodes& out);
  void branch(Scope& scope, Nodes& out);
  void call(Scope& scope, Nodes& out);
  void change_in_place(Scope& scope, Nodes& out);

  // loop_gen.cpp
  void loop(Scope& scope, Nodes& out);
  void nested_loops(Scope& scope, Nodes& out);
  void loop_with_test(Scope& scope, Nodes& out);
  void endless_loop(Scope& scope, Nodes& out);

  // memory_gen.cpp
  void vectors(Scope& scope, Nodes& out);
  void matrices(Scope& scope, Nodes& out);
  void regions(Scope& scope, Nodes& out);
  void ghosts(Scope& scope, Nodes& out);
  void state(Scope& scope, Nodes& out);
  void bools(Scope& scope, Nodes& out);
  // Declares what the themes need before anything happens.
  void prepare(Scope& scope, Nodes& out);

  // lemma_gen.cpp
  void recall(Scope& scope, Nodes& out);
  void make(const Lemma& lemma, const Scope& scope, Nodes& out);

  // flow_gen.cpp
  void part(Scope& scope, Nodes& out);
  void return_early(Scope& scope, Nodes& out);
  void recover(Scope& scope, Nodes& out, bool under);
  void derive_input(Scope& scope, Nodes& out);
  void contradict(Scope& scope, Nodes& out);
  void chain(Scope& scope, Nodes& out);
  void odd_numbers(Scope& scope, Nodes& out);

 private:
  // A variable of the type that can be assigned to; declared if there is none.
  [[nodiscard]] std::string target(Scope& scope, Scalar type, Nodes& out);
  [[nodiscard]] Scalar some_type();
  void statement(Scope& scope, Nodes& out);
  void step(const std::string& x, Scalar type, Nodes& out);
  void assign_with(const Scope& scope, const std::string& x, Scalar type, Nodes& out);
  [[nodiscard]] Scope inside(const Scope& scope) const;

  // Loops: a head, what may hold at it, and a body.
  struct Head {
    std::string text;          // "while (x > 0)"
    std::string counter = {};  // that nothing but the loop changes; empty: none
    std::string bound = {};    // of the counter
    std::string moved = {};    // the variable that the test depends on, if it is no counter
    Nodes last = {};           // what each iteration ends with
  };
  [[nodiscard]] Head choose_head(Scope& scope, Nodes& out);
  [[nodiscard]] Head for_head(Scope& scope, Nodes& out);
  [[nodiscard]] Head while_head(Scope& scope, Nodes& out);
  void invariants(const Scope& scope, const Head& head, Nodes& body);
  void measure(const Scope& scope, const Head& head, Nodes& body);
  [[nodiscard]] std::string attributes(Scope& inner, bool jumps = false);
  [[nodiscard]] std::string busy_test(const Scope& scope, const std::string& i);
  [[nodiscard]] std::vector<std::string> ahead(const Scope& scope, const std::string& i);
  void keep_moving(Scope& scope, const Head& head);
  void jump(Scope& scope, const Head& head, Nodes& out);
  void after_loop(const Scope& scope, const Head& head, Nodes& out);

  void add(Scope& scope, const Variable& v, const std::string& value, Nodes& out);
  void prepare_region(Scope& scope, const Region& region, Nodes& out);
  [[nodiscard]] bool copy_region(Scope& scope, const Variable& r, Nodes& out);
  void compare(Scope& scope, const std::string& a, const std::string& b, Nodes& out);
  void fill_vector(Scope& scope, const Variable& w, const std::string& source, Nodes& out);
  void set_element(Scope& scope, const Variable& w, Nodes& out);
  void fill_matrix(Scope& scope, const Variable& b, Nodes& out);

  // What happens where only one of the runs may be.
  [[nodiscard]] std::string parting_test(const Scope& scope, const std::string& y);
  void alone(Scope& scope, Nodes& out);
  void declare_alone(Scope& scope, Nodes& out);
  void loop_alone(Scope& scope, Nodes& out);
  void attempt_it(Scope& scope, const std::string& y, const std::string& value, Nodes& out);
  [[nodiscard]] std::string checks(const Scope& scope, const std::string& y,
                                   const std::string& exact);

  World& world_;
  Dice& dice_;
  Expressions exprs_;
};

}  // namespace leto::soundness

// What a program under construction has to offer: its themes, its model, its functions, and at
// each place the variables that can be named there.
#pragma once

#include <fmt/core.h>

#include <bitset>
#include <optional>
#include <string>
#include <vector>

#include "dice.h"
#include "program.h"

namespace leto::soundness {

// A pattern that was drawn, with its blanks filled in.
template <class... Args>
[[nodiscard]] std::string fill_in(const std::string& pattern, const Args&... args) {
  return fmt::format(fmt::runtime(pattern), args...);
}

enum class Scalar : unsigned char { Bool, Int, Uint, Real };
enum class Shape : unsigned char { Scalar, Vector, Matrix };
[[nodiscard]] std::string spelling(Scalar scalar);
// Does a value go into a variable of another type by itself, with nothing to prove?
[[nodiscard]] bool widens(Scalar from, Scalar to);

struct Variable {
  std::string name;
  Scalar scalar = Scalar::Int;
  Shape shape = Shape::Scalar;
  std::string rows = {}, columns = {};  // sizes: a digit or a name
  bool fixed = false;                   // not to be assigned to here
  bool pure = false;                    // computed without faults: ghosts may read it
  bool ghost = false;
  std::string region = {};  // empty: none
};

[[nodiscard]] Variable scalar(std::string name, Scalar type);
// One that is given and never changes.
[[nodiscard]] Variable given(std::string name, Scalar type);
[[nodiscard]] Variable vector(std::string name, Scalar type, std::string size);
[[nodiscard]] Variable matrix(std::string name, Scalar type, std::string rows, std::string columns);
// As in a list of parameters or a declaration: "vector<int> v(n)".
[[nodiscard]] std::string declare(const Variable& v);

// What a program is about. Each draws a few, so that it stays small.
enum class Theme : unsigned char {
  Bools,
  Vectors,
  Matrices,
  Regions,
  Ghosts,
  Labels,
  Loops,
  Nested,
  Recovery,
  RedoUnder,
  Recursion,
  Externs,
  Calls,
  Returns,
  Properties,
  Constants,
  State,
  Refinement,
  Numbers,
  Chains,
  Quantifiers,
  Parting,
  Contradiction,
  Rates,
  Hub,
  Tests,
};
constexpr unsigned kThemes = 26;
// "bools", "vectors", ...; in the order of the themes.
[[nodiscard]] const std::vector<std::string>& theme_names();

class Themes {
 public:
  void add(Theme theme) {
    if (!has(theme)) list_.push_back(theme);
    set_.set(static_cast<std::size_t>(theme));
  }
  [[nodiscard]] bool has(Theme theme) const { return set_.test(static_cast<std::size_t>(theme)); }
  [[nodiscard]] const std::vector<Theme>& list() const { return list_; }

 private:
  std::bitset<kThemes> set_;
  std::vector<Theme> list_;
};

// The model, as far as programs need to know it.
struct Operation {
  std::string sign;
  Scalar operand = Scalar::Int;
  bool unary = false;
  [[nodiscard]] Scalar result() const;
};
struct Region {
  std::string name;
  Scalar scalar = Scalar::Int;
};
struct Named {
  std::string name;
  Scalar scalar = Scalar::Int;
};
struct Model {
  std::vector<Named> states, constants;
  std::vector<Operation> operations;
  std::vector<Region> regions;
  std::string flag;      // a bool that faults raise; empty: none
  std::string budget;    // a number that faults count down; empty: none
  std::string hits;      // a number that faults count up; empty: none
  std::string bound;     // a constant that bounds errors; empty: none
  std::string suspects;  // whether an operand is computed with wrongly; empty: nobody says so
};

struct Function {
  std::string name;
  bool is_void = false;
  Scalar result = Scalar::Int;
  Shape shape = Shape::Scalar;
  std::string size = {};  // of a resulting vector: the name of the parameter
  std::vector<Variable> params = {};
  bool relaxed = false;  // has relaxed operations, itself or by way of others
  bool external = false;
  bool bounded = false;  // its first parameter has to be small: it is a recursion's depth
};

// A function that changes parameters in place, or gives other than one value.
struct Changer {
  std::string name;
  std::vector<Variable> params = {};
  std::vector<bool> changed = {};  // by parameter: in place
  std::vector<Scalar> results = {};
  bool relaxed = false;
};

struct Property {
  std::string name;
  bool relational = false;
  bool bare = false;  // of a relational one: the argument chooses its side
  Scalar scalar = Scalar::Int;
  Shape shape = Shape::Scalar;
  bool limit = false;  // has a bare number behind the other parameters
};

// A definition of a vector and its size, or of a number.
struct Definition {
  std::string name;
  Shape shape = Shape::Scalar;
  bool truth = false;  // it says something
  bool value = false;  // has a further number behind the others
};

// A lemma that can be called: what it is given, one letter each (v a vector, n a natural number, x
// a number), what it makes (in the same way), and what it ensures, with blanks for them.
struct Lemma {
  std::string name, params, made, ensured;
};

// A loop's label, with how many variables there were before it.
struct Label {
  std::string name;
  std::size_t visible = 0;
};

// An index that is known to be within a size.
struct Index {
  std::string text, size;
};

struct Scope {
  std::vector<Variable> variables;
  std::vector<Label> labels;
  std::vector<Index> indices;
  int depth = 0;
  bool in_try = false;      // `return` cannot leave it
  bool in_again = false;    // done again under another model: no calls of relaxed functions
  bool can_return = false;  // an early return is wanted here and there
  bool is_void = false;
  Scalar result = Scalar::Int;
  std::string result_vector = {};  // what is returned, if a vector is
  std::string focus = {};          // the variable that something was just done to

  [[nodiscard]] const Variable* find(const std::string& name) const;
  // Indices of elements that are there for sure.
  [[nodiscard]] std::vector<std::string> indices_below(const std::string& size) const;
  template <class F>
  [[nodiscard]] std::vector<const Variable*> select(F wanted) const {
    std::vector<const Variable*> found;
    for (const Variable& v : variables)
      if (wanted(v)) found.push_back(&v);
    return found;
  }
};

struct World {
  explicit World(std::uint64_t seed) : dice(seed) {}

  Dice dice;
  Themes themes;
  Scalar number = Scalar::Int;  // the type that most variables have
  Model model;
  bool spare = false;  // there is a second model to do things again under
  std::vector<Named> constants;
  std::vector<Named> tables;        // constant vectors of three elements
  std::vector<Function> functions;  // those that can be called already
  std::vector<Changer> changers;    // those that are called by a statement only
  std::vector<Property> properties;
  std::vector<Definition> definitions;  // of the type that most variables have
  std::vector<Lemma> lemmas;
  std::vector<std::string> checkers;
  int fresh = 0;
  int budget = 0;  // of statements: programs stay small

  [[nodiscard]] bool about(Theme theme) const { return themes.has(theme); }
  [[nodiscard]] std::string name(const char* stem) { return stem + std::to_string(fresh++); }
};

}  // namespace leto::soundness

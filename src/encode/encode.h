// The front door of `encode`: core expressions as terms.
//
// A vector is an array that is zero outside its bounds, together with its
// sizes; so two vectors are equal exactly if sizes and arrays are. A uint is an
// integer; that it is not negative is a fact about the symbol, see `typing`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/core.h"
#include "logic/logic.h"

namespace leto::encode {

struct Value {
  logic::Term term;
  std::vector<logic::Term> sizes;  // one per dimension
};

// Where expressions find the values of variables.
class Environment {
 public:
  virtual ~Environment() = default;
  // `side` is Open for program code and specifications of one run.
  [[nodiscard]] virtual Value variable(core::VarId var, core::Side side) = 0;
  [[nodiscard]] virtual Value old_state(core::VarId var) = 0;
  // The environment of a loop's snapshot.
  [[nodiscard]] virtual Environment& snapshot(core::LoopId loop, bool entry) = 0;
};

class Encoder {
 public:
  Encoder(const core::Program& program, logic::TermTable& terms)
      : program_(program), terms_(terms) {}

  [[nodiscard]] Value value(core::ExprId id, Environment& environment);
  [[nodiscard]] logic::Term formula(core::ExprId id, Environment& environment) {
    return value(id, environment).term;
  }
  // A value brought to a type: integers become reals where a real is wanted.
  [[nodiscard]] Value coerce(Value value, const core::Type& type);
  [[nodiscard]] Value zero(const core::Type& type, std::vector<logic::Term> sizes);
  [[nodiscard]] Value fresh(std::string_view name, const core::Type& type,
                            std::vector<logic::Term> sizes);
  // What is true of every value of the type that a symbol stands for. Facts about what
  // lies outside of bounds are separate: only equality of vectors needs them.
  [[nodiscard]] std::vector<logic::Term> typing(const Value& value, const core::Type& type);
  [[nodiscard]] std::vector<logic::Term> outside(const Value& value, const core::Type& type);
  [[nodiscard]] logic::Term equal(const Value& a, const Value& b);
  // The element, or the vector with one element replaced.
  [[nodiscard]] logic::Term select(const Value& vector, const std::vector<logic::Term>& indices);
  [[nodiscard]] Value store(const Value& vector, const std::vector<logic::Term>& indices,
                            logic::Term element);
  [[nodiscard]] logic::Term in_bounds(const Value& vector, const std::vector<logic::Term>& indices);

  // Binds a quantifier's or specification's variable while something is encoded.
  void bind(core::VarId var, Value value) { bound_[var] = std::move(value); }
  void unbind(core::VarId var) { bound_.erase(var); }

  [[nodiscard]] logic::TermTable& terms() { return terms_; }

  // In a search with short vectors: quantified integers are tried from 0 to this, instead of
  // all of them. What is found that way has to be looked at again.
  std::optional<int> expand = {};

  // How often a definition that uses itself is unfolded, of the same call. More often only in a
  // search.
  unsigned unfold = 1;
  // What stands in the place of a function that nobody knows; by default itself.
  enum class Witness : std::uint8_t { Itself, Zero, One, First };
  struct Instead {
    Witness truth = Witness::Itself, number = Witness::Itself;
  } instead = {};
  // While it is proved total, or the pure function is proved: nothing is told of it.
  core::DefinitionId defining = {};
  // The values of the types of its parameters.
  [[nodiscard]] logic::Term domain(const core::Definition& definition,
                                   const std::vector<Value>& args);
  [[nodiscard]] logic::Term call(const core::Definition& definition, const std::vector<Value>& args,
                                 bool twin);
  // The same as a specification that uses it, with what is then known of it.
  [[nodiscard]] logic::Term use(core::DefinitionId id, const std::vector<Value>& args,
                                Environment& environment);
  // An expression over the parameters.
  [[nodiscard]] Value of_arguments(core::ExprId id, const core::Definition& definition,
                                   const std::vector<Value>& args, Environment& environment);

  // Whether vectors of different sizes differ; they do. For a test of that test only.
  bool sizes_count = true;
  // Whether equations of definitions hold of their domains only; likewise.
  bool guarded = true;

  [[nodiscard]] const core::Program& program() const { return program_; }

 private:
  [[nodiscard]] Value quantified(const core::Quant& node, Environment& environment);
  [[nodiscard]] logic::Term expanded(const core::Quant& node, std::size_t next,
                                     Environment& environment);
  [[nodiscard]] Value updated(const core::Update& node, Environment& environment);
  [[nodiscard]] Value listed(const core::Listed& node, const core::Type& type,
                             Environment& environment);
  Value defined(const core::Defined& node, Environment& environment);
  // What a function that nobody knows may be.
  [[nodiscard]] logic::Term witness(const core::Definition& definition,
                                    const std::vector<Value>& args, Environment& environment);
  [[nodiscard]] bool is_small(const core::Definition& definition, const std::vector<Value>& args,
                              Environment& environment);
  void unfold_call(core::DefinitionId id, const std::vector<Value>& args, logic::Term made,
                   Environment& environment);
  void unfold_all(core::DefinitionId id, Environment& environment);
  [[nodiscard]] std::vector<logic::Term> meaning(core::DefinitionId id,
                                                 const std::vector<Value>& args,
                                                 Environment& environment);
  // Whether there is more to be told of what is told.
  [[nodiscard]] bool may_tell();
  // That it is a vector.
  void say_vector(const Value& value, const core::Type& type, std::vector<logic::Term>& out);
  // What is known of a pure function.
  [[nodiscard]] std::vector<logic::Term> contract(const core::Definition& definition,
                                                  const std::vector<Value>& args,
                                                  Environment& environment);
  Value apply(const core::Apply& node, const core::Type& type, Environment& environment);
  // Words; see words.cpp.
  [[nodiscard]] logic::Term word(const core::Word& node, const core::Type& type,
                                 Environment& environment);
  [[nodiscard]] std::optional<logic::Term> counted(const core::Apply& node,
                                                   Environment& environment);
  [[nodiscard]] logic::Term bit_of(logic::Term word, unsigned at);
  [[nodiscard]] logic::Term any_bit_of(logic::Term word, logic::Term index);
  [[nodiscard]] logic::Term with_bit(logic::Term word, logic::Term index, logic::Term value);
  [[nodiscard]] logic::Term natural_of(logic::Term word);
  [[nodiscard]] logic::Term word_of(logic::Term number, unsigned width);
  [[nodiscard]] logic::Term count_of(logic::Term word);
  [[nodiscard]] logic::Term has_bits(logic::Term word, unsigned count, bool at_most);

  const core::Program& program_;
  logic::TermTable& terms_;
  std::map<core::VarId, Value> bound_;
  std::map<core::DefinitionId, unsigned> unfolding_;  // and how deep
  unsigned nested_ = 0, told_ = 0;                    // of what is being told
};

[[nodiscard]] logic::Sort sort_of(const core::Type& type);

}  // namespace leto::encode

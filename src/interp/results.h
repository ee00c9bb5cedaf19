// Results of definitions. They are remembered, and they are found without the native stack: a
// definition that uses itself once for each element is evaluated on as many as there are.
#pragma once

#include <unordered_map>

#include "interp/evaluate.h"

namespace leto::interp {

// Of one thread. Vectors are known by where they lie: they are kept, so whoever changes one changes
// a copy of it.
class Results {
 public:
  // What has to be computed counts: `most` bodies, and then there is no value.
  explicit Results(std::uint64_t most = 2'500'000) : left_(most) {}

  // Of a definition that is used in an expression. Throws Undecidable.
  [[nodiscard]] Number find(const Evaluator& evaluator, core::ExprId used, Given given,
                            const Scope& scope);
  // A vector that no variable has, made again each time that an expression is looked at: the one
  // with these elements.
  [[nodiscard]] std::shared_ptr<Array> intern(std::shared_ptr<Array> made);
  // For what is run meanwhile: it has a part of what is left, and may not nest for ever.
  [[nodiscard]] std::optional<Results> begin_nested() const;
  void charge(std::uint64_t used) { left_ = used < left_ ? left_ - used : 0; }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  // Something is missing that has to be found first: what is computed meanwhile does not count.
  [[nodiscard]] bool is_waiting() const { return waiting_.has_value(); }

 private:
  struct Key {
    core::DefinitionId definition;
    std::vector<const Array*> arrays;
    std::vector<Number> numbers;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    std::optional<Number> value;  // none: it is being found
    std::vector<std::shared_ptr<Array>> kept;
  };
  [[nodiscard]] static Key key_of(const Given& given);
  [[nodiscard]] Number compute(const Evaluator& evaluator, core::ExprId used, Given given,
                               const Scope& scope);
  void open(Given given, std::vector<Given>& stack);

  std::unordered_map<Key, Entry, Hash> known_;
  std::unordered_multimap<std::size_t, std::shared_ptr<Array>> made_;  // by their elements
  std::optional<Given> waiting_;
  bool computing_ = false;
  std::uint64_t left_;  // of bodies that may be looked at
  unsigned depth_ = 0;  // of runs inside of one another
};

}  // namespace leto::interp

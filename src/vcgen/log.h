// All that becomes known in the walks of one function, as lists that share their beginnings: what
// holds at a moment is an entry and all before it. An obligation keeps the number of an entry
// instead of a copy, so that the facts of a long function are kept once.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "logic/logic.h"

namespace leto::vcgen {

// An array symbol that stands for a vector or a matrix.
struct ArrayShape {
  logic::Term array;
  std::vector<logic::Term> sizes;
  bool natural = false;
};

// Facts for a question.
struct Known {
  std::vector<logic::Term> facts;
  std::vector<logic::Term> array_facts;  // quantified ones about what arrays hold
  std::vector<ArrayShape> arrays;
  [[nodiscard]] std::vector<logic::Term> all() const {
    std::vector<logic::Term> both = facts;
    both.insert(both.end(), array_facts.begin(), array_facts.end());
    return both;
  }
};

class Log {
 public:
  // What is known where an entry was added, and now this.
  std::uint32_t add(logic::Term fact, std::uint32_t before);
  // The facts up to an entry, oldest first.
  [[nodiscard]] std::vector<logic::Term> facts(std::uint32_t last) const;
  [[nodiscard]] logic::Term fact(std::uint32_t entry) const { return entries_[entry - 1].fact; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  // Whether what is known at one entry is still known at another.
  [[nodiscard]] bool leads_to(std::uint32_t earlier, std::uint32_t later) const;
  // Everything that holds there, with what is always true of the symbols that occur in it or in
  // the goal.
  [[nodiscard]] Known everything(const logic::TermTable& terms, std::uint32_t last,
                                 logic::Term goal) const;

  std::vector<logic::Term> constants;    // facts about constants
  std::unordered_set<logic::Term> hubs;  // constants and inputs: see Facts
  std::unordered_map<logic::Term, std::vector<logic::Term>> typing;   // of symbols: always true
  std::unordered_map<logic::Term, std::vector<logic::Term>> outside;  // zero outside of bounds
  std::unordered_map<logic::Term, ArrayShape> shapes;                 // of array symbols

 private:
  struct Entry {
    logic::Term fact;
    std::uint32_t before;  // 0: none
    std::uint32_t jump;    // one further back, so that a long way is gone in few steps
    std::uint32_t depth;   // how many are before it
  };
  std::vector<Entry> entries_;
};

}  // namespace leto::vcgen

// A program as text in parts that can be taken out again: claims that do not hold, statements
// that fail, and, when a failure is shrunk, everything that it does not need.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace leto::soundness {

struct Node;
using Nodes = std::vector<Node>;

struct Node {
  enum class Kind : unsigned char {
    Line,
    Block,  // a head, then its body in braces
    Group,  // what only makes sense together: `if` and `else`, clauses and their function
  };
  Kind kind = Kind::Line;
  std::string text = {};
  Nodes body = {};
  bool invariant = false;     // stands between a loop's head and its body
  bool claim = false;         // can be dropped if it does not hold
  bool loose = false;         // a statement that nothing else needs; can be dropped if it fails
  bool needed = false;        // shrinking leaves it alone
  bool gone = false;          // has been dropped
  std::string_view tag = {};  // a situation that the text alone does not show; see coverage.h
};

[[nodiscard]] Node line(std::string text);
[[nodiscard]] Node loose(std::string text);
[[nodiscard]] Node claim(std::string text);
[[nodiscard]] Node invariant(std::string text);
[[nodiscard]] Node block(std::string head, Nodes body = {});
[[nodiscard]] Node group(Nodes body);
// The same, but it can be dropped if it fails.
[[nodiscard]] inline Node loosely(Node n) {
  n.loose = true;
  return n;
}

struct Program {
  Nodes items;

  // Each line, from 1, has the node that can be dropped for it, if there is one.
  [[nodiscard]] std::string text(std::vector<Node*>& by_line);
  [[nodiscard]] std::string text();
  // How many claims about what happens are left; invariants and requirements alone say little.
  [[nodiscard]] std::size_t claims();
  // Calls `f` on every node that is there, outer ones first.
  void for_each(const std::function<void(Node&)>& f);
};

}  // namespace leto::soundness

#include "core/calls.h"

#include <algorithm>

#include "core/core.h"

namespace leto::core {

void for_each_callee(const Program& program, FunctionId id,
                     const std::function<void(FunctionId)>& f) {
  for_each_statement(program, program.functions[id].body, [&](StmtId inner) {
    if (const auto* call = std::get_if<Call>(&program.stmts[inner].node)) f(call->callee);
  });
}

std::vector<bool> find_called(const Program& program) {
  std::vector<bool> called(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f)
    for_each_callee(program, FunctionId{f},
                    [&](FunctionId callee) { called[callee.value] = true; });
  return called;
}

std::vector<bool> find_reached(const Program& program, const std::vector<FunctionId>& from) {
  std::vector<bool> reached(program.functions.size());
  std::vector<FunctionId> open;
  const auto reach = [&](FunctionId id) {
    if (!reached[id.value]) open.push_back(id);
    reached[id.value] = true;
  };
  for (FunctionId id : from) reach(id);
  while (!open.empty()) {
    const FunctionId id = open.back();
    open.pop_back();
    for_each_callee(program, id, reach);
  }
  return reached;
}

namespace {

// Tarjan's algorithm, with a stack of its own: chains of calls can be long.
class Circles {
 public:
  explicit Circles(const Program& program) : nodes_(program.functions.size()) {
    for (std::uint32_t f = 0; f < nodes_.size(); ++f)
      for_each_callee(program, FunctionId{f},
                      [&](FunctionId callee) { nodes_[f].callees.push_back(callee.value); });
  }

  std::vector<std::vector<FunctionId>> find() {
    for (std::uint32_t f = 0; f < nodes_.size(); ++f)
      if (nodes_[f].number == 0) visit_from(f);
    return std::move(found_);
  }

 private:
  struct Node {
    std::vector<std::uint32_t> callees;
    std::size_t next = 0;                  // of them
    std::uint32_t number = 0, lowest = 0;  // 0: not visited
    bool open = false;
  };

  void visit_from(std::uint32_t first) {
    std::vector<std::uint32_t> way;
    enter(first, way);
    while (!way.empty()) {
      const std::uint32_t f = way.back();
      Node& node = nodes_[f];
      if (node.next < node.callees.size()) {
        const std::uint32_t callee = node.callees[node.next++];
        if (nodes_[callee].number == 0)
          enter(callee, way);
        else if (nodes_[callee].open)
          node.lowest = std::min(node.lowest, nodes_[callee].number);
        continue;
      }
      way.pop_back();
      if (!way.empty())
        nodes_[way.back()].lowest = std::min(nodes_[way.back()].lowest, node.lowest);
      if (node.lowest == node.number) close(f);
    }
  }
  void enter(std::uint32_t f, std::vector<std::uint32_t>& way) {
    nodes_[f].number = nodes_[f].lowest = ++count_;
    nodes_[f].open = true;
    open_.push_back(f);
    way.push_back(f);
  }
  void close(std::uint32_t f) {
    std::vector<FunctionId> circle;
    std::uint32_t last = 0;
    do {
      last = open_.back();
      open_.pop_back();
      nodes_[last].open = false;
      circle.push_back(FunctionId{last});
    } while (last != f);
    std::sort(circle.begin(), circle.end());
    found_.push_back(std::move(circle));
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> open_;
  std::uint32_t count_ = 0;
  std::vector<std::vector<FunctionId>> found_;
};

}  // namespace

std::vector<std::vector<FunctionId>> find_circles(const Program& program) {
  return Circles(program).find();
}

}  // namespace leto::core

#include "program.h"

namespace leto::soundness {

Node line(std::string text) {
  Node n;
  n.text = std::move(text);
  return n;
}

Node loose(std::string text) {
  Node n = line(std::move(text));
  n.loose = true;
  return n;
}

Node claim(std::string text) {
  Node n = line(std::move(text));
  n.claim = true;
  return n;
}

Node invariant(std::string text) {
  Node n = claim(std::move(text));
  n.invariant = true;
  return n;
}

Node block(std::string head, Nodes body) {
  Node n = line(std::move(head));
  n.kind = Node::Kind::Block;
  n.body = std::move(body);
  return n;
}

Node group(Nodes body) {
  Node n;
  n.kind = Node::Kind::Group;
  n.body = std::move(body);
  return n;
}

namespace {

class Renderer {
 public:
  Renderer(std::string& out, std::vector<Node*>& by_line) : out_(out), by_line_(by_line) {}

  // `around`: the group that a block is part of; without it the rest would make no sense.
  void render(Nodes& nodes, int indent, Node* around) {
    for (Node& node : nodes) {
      if (node.gone || node.invariant) continue;
      switch (node.kind) {
        case Node::Kind::Line:
          put(node.text, &node, indent);
          break;
        case Node::Kind::Block:
          put_block(node, indent, around == nullptr ? &node : around);
          break;
        case Node::Kind::Group:
          render(node.body, indent, &node);
          break;
      }
    }
  }

 private:
  void put(const std::string& text, Node* node, int indent) {
    out_.append(static_cast<std::size_t>(indent) * 4, ' ');
    out_ += text;
    out_ += '\n';
    by_line_.push_back(node);
  }

  void put_block(Node& node, int indent, Node* whole) {
    bool alone = node.text.empty();  // does the brace have a line of its own?
    for (const Node& child : node.body) alone = alone || (child.invariant && !child.gone);
    if (!node.text.empty()) put(node.text + (alone ? "" : " {"), whole, indent);
    for (Node& child : node.body)
      if (child.invariant && !child.gone) put(child.text, &child, indent + 2);
    if (alone) put("{", nullptr, indent);
    render(node.body, indent + 1, nullptr);
    put("}", nullptr, indent);
  }

  std::string& out_;
  std::vector<Node*>& by_line_;
};

void walk(Nodes& nodes, const std::function<void(Node&)>& f) {
  for (Node& node : nodes) {
    if (node.gone) continue;
    f(node);
    walk(node.body, f);
  }
}

}  // namespace

std::string Program::text(std::vector<Node*>& by_line) {
  by_line.assign(1, nullptr);
  std::string out;
  Renderer(out, by_line).render(items, 0, nullptr);
  return out;
}

std::string Program::text() {
  std::vector<Node*> by_line;
  return text(by_line);
}

std::size_t Program::claims() {
  std::size_t count = 0;
  for_each([&](Node& node) {
    count += node.claim && (node.text.starts_with("ass") || node.text.starts_with("ens"));
  });
  return count;
}

void Program::for_each(const std::function<void(Node&)>& f) {
  walk(items, f);
}

}  // namespace leto::soundness

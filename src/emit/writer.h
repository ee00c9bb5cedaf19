// Expressions and statements of one function as C++. Whatever may fail is a statement of its own,
// in the order in which it happens: the first number that does not fit ends the function.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emit/names.h"
#include "emit/style.h"

namespace leto::emit {

// C++ text of a value. Whoever puts it beside an operator puts what is no atom into parentheses.
struct Text {
  std::string text;
  bool atom = true;
  [[nodiscard]] std::string wrapped() const { return atom ? text : "(" + text + ")"; }
};

// What is there for proofs only: ghost variables, and values that are computed from them or from
// the model's state on the way; checks, unless they are made when it runs.
struct Silence {
  std::set<core::VarId> ghosts;
  bool guarded = false;
  [[nodiscard]] bool is_ghost(core::VarId var) const { return ghosts.contains(var); }
};
[[nodiscard]] Silence find_silence(const core::Program& program, bool guarded);

// What all functions of a header share.
struct Shared {
  const core::Program& program;
  const Request& request;
  Style style;
  Silence silence = {};
  std::map<core::FunctionId, std::string> functions = {};  // what they are called
  std::map<core::VarId, std::string> constants = {};       // vectors that are constant
  std::vector<std::string> trusted = {};                   // clauses that are left out
  // External functions, which the caller supplies: "class Of_f", "Of_f& f, " and "f, ".
  std::string external_types = {}, external_params = {}, external_args = {};
  [[nodiscard]] std::string templates() const {
    return external_types.empty() ? "" : "template <" + external_types + ">\n";
  }
};

class Writer {
 public:
  Writer(Shared& shared, Names& names) : shared_(shared), program_(shared.program), names_(names) {}

  // How a variable is called, and whether it is memory of its own rather than a view.
  struct Place {
    std::string name;
    bool owned = false;
  };
  std::map<core::VarId, Place> places = {};
  bool specification = false;  // reads are guarded, quantifiers are loops
  std::string out = {};
  int depth = 1;

  void line(const std::string& text) {
    out += std::string(std::size_t(depth) * 2, ' ') + text + "\n";
  }
  void open(const std::string& text) {
    line(text);
    ++depth;
  }
  void close(const std::string& text = "}") {
    --depth;
    line(text);
  }

  [[nodiscard]] Text value(core::ExprId id);
  [[nodiscard]] std::string view(core::ExprId id);  // of a vector or matrix
  void statement(core::StmtId id);
  // A claim that is evaluated when it runs; `failure` ends the function. False: it cannot be.
  void demand(core::ExprId id, const std::string& failure);
  [[nodiscard]] std::string temporary(const core::Type& type);
  [[nodiscard]] Names& names() { return names_; }

 private:
  // Expressions.
  Text visit(core::ExprId id, const core::BoolConst& node);
  Text visit(core::ExprId id, const core::NumberConst& node);
  Text visit(core::ExprId id, const core::VarRef& node);
  Text visit(core::ExprId id, const core::OldRef& node);
  Text visit(core::ExprId id, const core::Length& node);
  Text visit(core::ExprId id, const core::Select& node);
  Text visit(core::ExprId id, const core::Apply& node);
  Text visit(core::ExprId id, const core::Quant& node);
  Text visit(core::ExprId id, const core::Snapshot& node);
  Text visit(core::ExprId id, const core::Row& node);
  Text visit(core::ExprId id, const core::Update& node);
  Text visit(core::ExprId id, const core::Defined& node);
  Text visit(core::ExprId id, const core::Listed& node);
  Text visit(core::ExprId id, const core::Word& node);
  Text number(core::ExprId id, const core::Apply& node, const char* function, const char* infix);
  Text compare(core::ExprId id, const core::Apply& node, const char* infix);
  // A real that is about to decide something: a number, or the run ends.
  Text decisive(core::ExprId id);
  [[nodiscard]] Text beside(const core::Type& other, core::ExprId id, const Text& text) const;
  Text least(core::ExprId id, const core::Apply& node, const char* infix);
  Text shortened(const core::Apply& node);
  Text chosen(core::ExprId id, const core::Apply& node);
  Text constant(core::ExprId id, core::VarId var);
  // What `f` writes, apart.
  template <class F>
  std::string apart(const F& f);

  // Quantifiers.
  struct Range {
    core::VarId var;
    core::ExprId low, high;  // invalid low: zero
    bool high_included = false, low_excluded = false;
  };
  std::vector<Range> ranges_of(core::ExprId id, const core::Quant& node);
  // forall(uint i, uint j)(i <= j && j < end -> v[i] <= v[j])
  struct Order {
    core::ExprId vector, end;
    const char* infix;
  };
  [[nodiscard]] std::optional<Order> order_of_elements(const core::Quant& node) const;
  Text compare_neighbours(const Order& order);

  // Statements.
  void visit(core::StmtId id, const core::Assign& s);
  void visit(core::StmtId id, const core::Store& s);
  void visit(core::StmtId id, const core::Declare& s);
  void visit(core::StmtId id, const core::Relaxed& s);
  void visit(core::StmtId id, const core::Write& s);
  void visit(core::StmtId id, const core::Check& s);
  void visit(core::StmtId id, const core::Claim& s);
  void visit(core::StmtId id, const core::Block& s);
  void visit(core::StmtId id, const core::If& s);
  void visit(core::StmtId id, const core::While& s);
  void visit(core::StmtId id, const core::Call& s);
  void visit(core::StmtId id, const core::Recall& s);
  void set(core::VarId target, const Text& text);
  void set_element(core::VarId target, const std::vector<core::ExprId>& indices, core::ExprId value,
                   bool kept);
  void copy(core::VarId target, const std::string& from);
  void call_external(core::StmtId id, const core::Call& s);
  [[nodiscard]] std::string argument(core::ExprId id);
  [[nodiscard]] std::string element(core::VarId target, const std::vector<core::ExprId>& indices);

  Shared& shared_;
  const core::Program& program_;
  Names& names_;
  std::map<core::ExprId, std::string> kept_ = {};  // operands that have passed leto::keep
};

// Whether a statement does nothing but for proofs.
[[nodiscard]] bool leaves_no_trace(const core::Program& program, core::StmtId id,
                                   const Silence& silence);
// Whether two expressions are the same text, whichever run they are about.
[[nodiscard]] bool same_but_sides(const core::Program& program, core::ExprId a, core::ExprId b);

}  // namespace leto::emit

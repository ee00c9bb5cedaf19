// Both runs of a program as C++, in lockstep. Variables are members of one struct, once for each
// run: `v7_o` and `v7_r`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/native.h"
#include "emit/style.h"

namespace leto::emit {

// Which runs a piece of code is about.
enum class Mode : std::uint8_t { Both, Original, Relaxed };

// What all of it shares.
class NativeProgram {
 public:
  NativeProgram(const core::Program& program, core::FunctionId function);
  [[nodiscard]] Injected write();

 private:
  friend class HookWriter;

  // Expressions (native_expressions.cpp)
  [[nodiscard]] std::string text(core::ExprId id, core::Side open);
  [[nodiscard]] std::string text_as(core::ExprId id, core::Side open, core::Base base);
  [[nodiscard]] std::string text_of(core::ExprId id, const core::Apply& node, core::Side open);
  [[nodiscard]] std::string text_of(core::ExprId id, const core::Quant& node, core::Side open);
  [[nodiscard]] std::string text_of(core::ExprId id, const core::Defined& node, core::Side open);
  [[nodiscard]] std::string text_of(core::ExprId id, const core::Snapshot& node, core::Side open);
  [[nodiscard]] bool is_constant(core::ExprId id) const;
  [[nodiscard]] std::string computed_once(core::ExprId id, const core::Apply& node);
  [[nodiscard]] std::string constant(const std::string& text, const core::Type& type, Span at);
  [[nodiscard]] std::string array_text(core::ExprId id, core::Side open);
  // Whether it comes to read what has no value; empty: it cannot.
  [[nodiscard]] std::string lacks(core::ExprId id, bool inside);
  [[nodiscard]] bool mentions(core::ExprId id, core::VarId var) const;
  struct Range {
    core::VarId var;
    std::string low, high;  // from, and below
  };
  [[nodiscard]] std::vector<Range> ranges_of(core::ExprId id, const core::Quant& node,
                                             core::Side open);

  // Statements (native_statements.cpp)
  void statement(core::StmtId id, Mode mode);
  void child(core::StmtId id, Mode mode);  // the same, with its step
  void visit(core::StmtId id, const core::Assign& s, Mode mode);
  void visit(core::StmtId id, const core::Store& s, Mode mode);
  void visit(core::StmtId id, const core::Declare& s, Mode mode);
  void visit(core::StmtId id, const core::Relaxed& s, Mode mode);
  void visit(core::StmtId id, const core::Write& s, Mode mode);
  void visit(core::StmtId id, const core::Check& s, Mode mode);
  void visit(core::StmtId id, const core::Claim& s, Mode mode);
  void visit(core::StmtId id, const core::Block& s, Mode mode);
  void visit(core::StmtId id, const core::If& s, Mode mode);
  void visit(core::StmtId id, const core::While& s, Mode mode);
  void visit(core::StmtId id, const core::Call& s, Mode mode);
  void visit(core::StmtId id, const core::Recall& s, Mode mode);
  void keep_labels(const core::While& s, bool entry);
  void one_sided_loop(const core::While& s, Mode mode);
  void pass(const core::Function& f, const std::map<std::string, std::string>& values, Mode mode);
  void count_steps(std::uint64_t n, Mode mode);
  void apart(core::StmtId id, Mode mode);  // in a function of its own
  void unset(core::StmtId block);
  void relational(core::ExprId id);
  void contract(const std::vector<core::Clause>& clauses, Mode mode);
  void set(core::VarId var, core::Side side, const std::string& value);
  void store(core::VarId var, core::Side side, const std::vector<core::ExprId>& indices,
             const std::string& value);
  void note_now(core::ExprId id, Span at);
  [[nodiscard]] int find_exact(const core::FaultSite& site, core::ExprId exact,
                               const std::vector<core::ExprId>& args) const;
  [[nodiscard]] std::string hook(const core::FaultSite& site, core::StmtId id, core::Type type,
                                 const std::vector<core::Type>& args, int exact_one);

  // The program (native.cpp)
  void find_asked();
  void refuse_circles();
  void write_functions();
  [[nodiscard]] std::string members();
  [[nodiscard]] std::string entry();
  [[nodiscard]] std::string loading();
  [[nodiscard]] std::string type_of(const core::Type& type) const;
  [[nodiscard]] std::string name(core::VarId var, core::Side side);
  [[nodiscard]] std::uint32_t place(Span span);
  [[nodiscard]] std::uint32_t reason(const std::string& text);
  void line(const std::string& text) {
    out_ += std::string(std::size_t(depth_) * 2, ' ') + text + "\n";
  }
  void open(const std::string& text) {
    line(text);
    ++depth_;
  }
  void close(const std::string& text = "}") {
    --depth_;
    line(text);
  }
  [[nodiscard]] std::string fresh(const char* stem) {
    return std::string(stem) + std::to_string(++made_);
  }

  const core::Program& program_;
  core::FunctionId function_;
  std::string out_;     // of the function at hand
  std::string pieces_;  // functions that are done
  std::string hooks_;   // likewise
  int depth_ = 2;
  std::uint64_t made_ = 0;
  std::set<core::VarId> used_;
  std::set<core::VarId> asked_;                         // may lack a value in the original run
  std::map<core::VarId, std::string> bound_;            // what names stand for besides variables
  std::map<core::VarId, std::string> old_;              // of the model's state
  std::map<std::pair<core::StmtId, Mode>, bool> done_;  // pieces that are written
  std::vector<std::pair<core::StmtId, Mode>> waiting_;  // that are to be
  std::map<std::string, std::string> hook_names_;
  // Of labels: the value of an expression at each head, by what is asked for.
  struct Kept {
    core::LoopId loop;
    bool entry;
    std::string name, value, type;
  };
  std::map<core::ExprId, Kept> kept_;
  std::vector<std::pair<std::string, std::string>> given_;  // inputs that change: type and name
  std::map<std::string, std::string> once_;  // reals of constants alone: what they are called
  std::vector<std::string> once_order_;
  std::vector<std::string> reasons_;
  std::vector<Span> places_;
  std::vector<core::StmtId> sites_;
};

// One specification list as a hook (native_hooks.cpp).
class HookWriter {
 public:
  HookWriter(NativeProgram& program, const core::FaultSite& site, core::Type type,
             std::vector<core::Type> args, int exact_one)
      : p_(program), site_(site), type_(type), args_(std::move(args)), exact_one_(exact_one) {}
  // The functions `name` and `name`_slow, and what these call.
  [[nodiscard]] std::string write(const std::string& name, std::uint32_t place);

 private:
  struct Part {
    core::ExprId expr;
    std::set<core::VarId> unknowns;
    std::size_t among = 0;  // the alternatives that it stands in; 0: none
  };
  std::string specification(const std::string& name, std::uint32_t index, std::uint32_t place);
  void bind(const core::Specification& spec, const std::string& outcome);
  void flatten(core::ExprId id, const std::string& indent, std::string& out);
  void refuse_mixed() const;
  std::string look(std::uint32_t specification, core::VarId unknown);
  // `expr OP value`, with the unknown in `expr`: what that says of it.
  void isolate(core::ExprId expr, const std::string& op, const std::string& value,
               core::VarId unknown, std::size_t part, const std::string& indent, std::string& out);
  [[nodiscard]] bool mentions_open(core::ExprId id) const;
  [[nodiscard]] std::string head() const;
  [[nodiscard]] std::string passed() const;
  [[nodiscard]] std::string value_type(core::VarId unknown) const;
  [[nodiscard]] std::size_t index_of(core::VarId unknown) const;

  NativeProgram& p_;
  const core::FaultSite& site_;
  core::Type type_;
  std::vector<core::Type> args_;
  int exact_one_;  // which of the site's specifications is always exact; -1: none is
  std::vector<core::VarId> unknowns_;
  std::vector<Part> parts_;
  std::size_t among_ = 0;  // which alternatives are at hand; see Part
};

}  // namespace leto::emit

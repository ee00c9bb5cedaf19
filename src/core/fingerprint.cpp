#include "core/fingerprint.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/calls.h"
#include "core/core.h"

namespace leto::core {

namespace {

// The variables that all functions share, by what they are in the list of them.
using Shared = std::map<VarId, std::string>;

Shared find_shared(const Program& program) {
  Shared shared;
  for (std::size_t i = 0; i < program.model.states.size(); ++i)
    shared[program.model.states[i].var] = fmt::format("S{}", i);
  for (std::size_t i = 0; i < program.constants.size(); ++i)
    shared[program.constants[i].var] = fmt::format("C{}", i);
  return shared;
}

// Writes parts of a program down. Every member of every node is named where it is written: a new
// one does not compile until somebody has said what becomes of it. Texts have their length before
// them, and lists their size, so that none can run into the next. What was written before is
// referred to by its number, so the text is no longer than the program, whatever is shared.
class Writing {
 public:
  // Places of the origin's file count from its begin. Without an origin places do not count: no
  // claim about a function stands there.
  Writing(const Program& program, const Shared& shared, std::optional<Span> origin)
      : program_(program), shared_(shared), origin_(origin) {}

  // What all functions have in common.
  void write_surroundings() {
    const auto& [name, states, invariants] = program_.model;
    write(name);
    write_list(states, [&](const StateVar& state) {
      const auto& [var, init] = state;
      define(var);
      write(init);
    });
    write_list(invariants, [&](ExprId id) { write(id); });
    write_list(program_.constants, [&](const ConstantVar& constant) {
      const auto& [var, value] = constant;
      define(var);
      write(value);
    });
    write_list(program_.constraints, [&](ExprId id) { write(id); });
    write_list(program_.specifications, [&](const Specification& one) { write(one); });
    for (const Definition& one : program_.definitions) write(one);
  }

  // `callee` writes who is called.
  void write(const Function& function, const std::function<std::string(FunctionId)>& callee) {
    callee_ = callee;
    const auto& [name, span, params, sizes, results, inouts, needs, ensures, entered, measure, ends,
                 pure, lemma, alone, maybe_void, reliability, body, site] = function;
    write(name);
    write(span);
    write_list(params, [&](VarId var) { write(var); });
    write_list(sizes, [&](const ParamSize& size) {
      const auto& [param, dimension, expr] = size;
      write(param);
      write_number(dimension);
      write(expr);
    });
    write_list(results, [&](VarId var) { write(var); });
    write_list(inouts, [&](const Function::InOut& one) {
      const auto& [passed, now] = one;
      write(passed);
      write(now);
    });
    for (const std::vector<Clause>& clauses : {needs, ensures})
      write_list(clauses, [&](const Clause& clause) {
        const auto& [expr, relational] = clause;
        write(expr);
        write_number(relational);
      });
    write_list(entered, [&](const Function::Entered& one) {
      const auto& [state, kept] = one;
      write(state);
      write(kept);
    });
    write_all(measure);
    write_number(ends);
    write_number(pure.valid() ? std::int64_t{pure.value} : -1);
    write_number(lemma);
    write_number(alone);
    write_number(maybe_void);
    write_list(reliability, [&](const ReliabilityClause& clause) {
      const auto& [at, of_result, number, vars, inputs, original, relaxed] = clause;
      write(at);
      write_number(of_result);
      write(number);
      for (const std::vector<VarId>& list : {vars, inputs})
        write_list(list, [&](VarId var) { write(var); });
      write(original);
      write(relaxed);
    });
    write(body);
    write(site);
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write_number(std::int64_t number) { out_ += fmt::format("{} ", number); }
  void write(const std::string& text) { out_ += fmt::format("{}:{} ", text.size(), text); }
  void write(const Type& type) {
    const auto& [base, natural, rank, width] = type;
    out_ += fmt::format("t{}.{}.{} ", static_cast<int>(base), static_cast<int>(natural),
                        static_cast<int>(rank));
    if (width != 0) out_ += fmt::format("w{} ", width);
  }
  void write(const Span& span) {
    if (!origin_) return;
    const auto& [file, begin, end, copy] = span;
    const bool near = file == origin_->file;
    out_ += fmt::format("@{}{}+{}{} ", near ? "" : fmt::format("{}!", file.value),
                        std::int64_t{begin} - (near ? origin_->begin : 0),
                        std::int64_t{end} - begin, copy == 0 ? "" : fmt::format("c{}", copy));
  }
  template <class T, class F>
  void write_list(const std::vector<T>& list, const F& write_one) {
    out_ += fmt::format("[{} ", list.size());
    for (const T& one : list) write_one(one);
  }

  void define(VarId id) {
    const auto& [kind, name, type, span, passed, record] = program_.vars[id];
    static_cast<void>(span);  // only for people, where something fails
    static_cast<void>(record);
    write_number(static_cast<int>(kind));
    write(name);
    write(type);
    write_number(passed);
  }
  void write(VarId id) {
    if (!id.valid()) return static_cast<void>(out_ += "- ");
    if (const auto it = shared_.find(id); it != shared_.end())
      return static_cast<void>(out_ += it->second + " ");
    const auto [it, fresh] = vars_.emplace(id, vars_.size());
    out_ += fmt::format("v{} ", it->second);
    if (fresh) define(id);
  }
  void write(LoopId id) {
    if (!id.valid()) return static_cast<void>(out_ += "- ");
    const auto [it, fresh] = loops_.emplace(id, loops_.size());
    out_ += fmt::format("l{} ", it->second);
    if (fresh) write(program_.loops[id.value]);
  }
  void write(const FaultSite& site) {
    const auto& [what, specifications] = site;
    write(what);
    write_list(specifications, [&](std::uint32_t index) { write_number(index); });
  }
  void write(const Specification& one) {
    const auto& [label, span, params, outcome, when, modifies, ensures, rate, of_model, exact] =
        one;
    write(label);
    static_cast<void>(span);  // of the model, where no function's claim stands
    write_list(params, [&](VarId var) { write(var); });
    write(outcome);
    write(when);
    write_list(modifies, [&](VarId var) { write(var); });
    write_list(ensures, [&](ExprId id) { write(id); });
    write(rate);
    write_number(of_model);
    write(exact);
  }

  void write(const Definition& one) {
    const auto& [name, span, type, params, measure, body, recursive, function, result, needs,
                 ensures, rigid, witness] = one;
    write(name);
    static_cast<void>(span);  // no function's claim stands there
    write(type);
    write_list(params, [&](VarId var) { write(var); });
    write_all(measure);
    write(body);
    write_number(recursive);
    write_number(function.valid());  // what is known of it follows
    write(result);
    write_all(needs);
    write_all(ensures);
    write_number(rigid);
    write(witness);
  }

  void write(ExprId id) {
    if (!id.valid()) return static_cast<void>(out_ += "- ");
    const auto [it, fresh] = exprs_.emplace(id, exprs_.size());
    out_ += fmt::format("e{} ", it->second);
    if (!fresh) return;
    const auto& [type, span, node] = program_.exprs[id];
    write(type);
    write(span);
    write_number(static_cast<std::int64_t>(node.index()));
    std::visit([&](const auto& one) { write_node(one); }, node);
  }
  void write_node(const BoolConst& node) {
    const auto& [value] = node;
    write_number(value);
  }
  void write_node(const NumberConst& node) {
    const auto& [text] = node;
    write(text);
  }
  void write_node(const VarRef& node) {
    const auto& [var, side] = node;
    write(var);
    write_number(static_cast<int>(side));
  }
  void write_node(const OldRef& node) {
    const auto& [var] = node;
    write(var);
  }
  void write_node(const Length& node) {
    const auto& [vector, dimension] = node;
    write(vector);
    write_number(dimension);
  }
  void write_node(const Select& node) {
    const auto& [vector, indices] = node;
    write(vector);
    write_all(indices);
  }
  void write_node(const Apply& node) {
    const auto& [op, args] = node;
    write_number(static_cast<int>(op));
    write_all(args);
  }
  void write_node(const Word& node) {
    const auto& [op, args, low] = node;
    write_number(static_cast<int>(op));
    write_all(args);
    write_number(low);
  }
  void write_node(const Quant& node) {
    const auto& [universal, bound, body] = node;
    write_number(universal);
    write_list(bound, [&](VarId var) { write(var); });
    write(body);
  }
  void write_node(const Snapshot& node) {
    const auto& [loop, entry, expr] = node;
    write(loop);
    write_number(entry);
    write(expr);
  }
  void write_node(const Row& node) {
    const auto& [matrix, index] = node;
    write(matrix);
    write(index);
  }
  void write_node(const Update& node) {
    const auto& [vector, index, value] = node;
    write(vector);
    write(index);
    write(value);
  }
  void write_node(const Defined& node) {
    const auto& [definition, args] = node;
    write_number(definition.value);
    write_all(args);
  }
  void write_node(const Listed& node) {
    const auto& [elements] = node;
    write_all(elements);
  }
  void write_all(const std::vector<ExprId>& list) {
    write_list(list, [&](ExprId id) { write(id); });
  }

  void write(StmtId id) {
    if (!id.valid()) return static_cast<void>(out_ += "- ");
    const auto [it, fresh] = stmts_.emplace(id, stmts_.size());
    out_ += fmt::format("s{} ", it->second);
    if (!fresh) return;
    const auto& [span, node] = program_.stmts[id];
    write(span);
    write_number(static_cast<std::int64_t>(node.index()));
    std::visit([&](const auto& one) { write_node(one); }, node);
  }
  void write_node(const Assign& node) {
    const auto& [target, value] = node;
    write(target);
    write(value);
  }
  void write_node(const core::Store& node) {
    const auto& [target, indices, value] = node;
    write(target);
    write_all(indices);
    write(value);
  }
  void write_node(const Declare& node) {
    const auto& [target, sizes, any] = node;
    write(target);
    write_all(sizes);
    write_number(any);
  }
  void write_node(const Relaxed& node) {
    const auto& [target, site, args, exact] = node;
    write(target);
    write(site);
    write_all(args);
    write(exact);
  }
  void write_node(const Write& node) {
    const auto& [target, site, indices, value, whole, exact] = node;
    write(target);
    write(site);
    write_all(indices);
    write(value);
    write_number(whole);
    write(exact);
  }
  void write_node(const Check& node) {
    const auto& [kind, expr] = node;
    write_number(static_cast<int>(kind));
    write(expr);
  }
  void write_node(const Claim& node) {
    const auto& [kind, expr] = node;
    write_number(static_cast<int>(kind));
    write(expr);
  }
  void write_node(const Block& node) {
    const auto& [body] = node;
    write_list(body, [&](StmtId id) { write(id); });
  }
  void write_node(const If& node) {
    const auto& [condition, then_branch, else_branch] = node;
    write(condition);
    write(then_branch);
    write(else_branch);
  }
  void write_node(const While& node) {
    const auto& [loop, before, condition, invariants, falls, likely, body, infer, times, counter,
                 exits, left, visible] = node;
    write(loop);
    write(before);
    write(condition);
    write_list(invariants, [&](const Invariant& one) {
      const auto& [expr, relational, only_if] = one;
      write(expr);
      write_number(relational);
      write(only_if);
    });
    write(falls);
    write(likely);
    write(body);
    write_number(infer);
    write(times);
    write(counter);
    write_list(exits, [&](VarId var) { write(var); });
    write(left);
    write_list(visible, [&](VarId var) { write(var); });
  }
  void write_node(const Call& node) {
    const auto& [callee, targets, args] = node;
    write(callee_(callee));
    write_list(targets, [&](VarId var) { write(var); });
    write_all(args);
  }
  // What it says is written out, and whether it is proved is asked each time.
  void write_node(const Recall& node) {
    const auto& [lemma, relational, needs, ensures, made, args] = node;
    write(program_.functions[lemma].name);
    write_number(relational);
    write_list(needs, [&](const Recall::Need& need) {
      const auto& [kind, expr] = need;
      write_number(static_cast<int>(kind));
      write(expr);
    });
    write_all(ensures);
    write_list(made, [&](const Recall::Made& one) {
      const auto& [var, sizes] = one;
      write(var);
      write_all(sizes);
    });
    write_all(args);
  }

  const Program& program_;
  const Shared& shared_;
  std::optional<Span> origin_;
  std::function<std::string(FunctionId)> callee_;
  std::map<VarId, std::size_t> vars_;
  std::map<LoopId, std::size_t> loops_;
  std::map<ExprId, std::size_t> exprs_;
  std::map<StmtId, std::size_t> stmts_;
  std::string out_;
};

// The place of a function and of all that stands in it, as far as it is of the same file.
Span find_ground(const Program& program, const Function& f) {
  Span ground = f.span;
  const auto add = [&](const Span& at) {
    if (at.file == ground.file && at.begin < at.end) ground = cover(ground, at);
  };
  for (const std::vector<Clause>& clauses : {f.requires_, f.ensures})
    for (const Clause& clause : clauses) add(program.exprs[clause.expr].span);
  for (ExprId part : f.measure) add(program.exprs[part].span);
  if (f.external()) return ground;
  for_each_statement(program, f.body, [&](StmtId id) { add(program.stmts[id].span); });
  return ground;
}

}  // namespace

std::vector<std::string> find_fingerprints(const Program& program, const Digest& digest) {
  const Shared shared = find_shared(program);
  Writing surroundings(program, shared, std::nullopt);
  surroundings.write_surroundings();
  const std::string around = digest(surroundings.take());
  std::vector<std::string> out(program.functions.size());
  for (const std::vector<FunctionId>& circle : find_circles(program)) {
    // Who is in the circle has no digest yet, and is known by its place in it.
    const auto callee = [&](FunctionId id) {
      const auto it = std::lower_bound(circle.begin(), circle.end(), id);  // they are in order
      const bool inside = it != circle.end() && *it == id;
      return inside ? fmt::format("#{}", it - circle.begin()) : out[id.value];
    };
    std::string text = around;
    for (FunctionId id : circle) {
      Writing writing(program, shared, program.functions[id].span);
      writing.write(program.functions[id], callee);
      text += "\n" + writing.take();
    }
    const std::string all = digest(text);
    for (std::size_t i = 0; i < circle.size(); ++i)
      out[circle[i].value] = digest(fmt::format("{} {}", i, all));
  }
  return out;
}

std::vector<Span> find_grounds(const Program& program) {
  std::vector<Span> out;
  for (const Function& f : program.functions) out.push_back(find_ground(program, f));
  std::vector<std::size_t> order(out.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(out[a].file, out[a].begin, a) < std::tuple(out[b].file, out[b].begin, b);
  });
  std::vector<bool> shared(out.size());
  std::size_t furthest = 0;  // of those before, in the order
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Span &before = out[order[furthest]], &here = out[order[i]];
    if (before.file == here.file && here.begin < before.end)
      shared[order[furthest]] = shared[order[i]] = true;
    if (before.file != here.file || here.end > before.end) furthest = i;
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (shared[i]) out[i].end = out[i].begin;
  return out;
}

}  // namespace leto::core

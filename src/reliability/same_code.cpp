// A relaxed operation has a temporary for its outcome, and one that a model does not mention has
// none. So temporaries that are set once are replaced by what they stand for. That is right only as
// long as the variables in it have not been set meanwhile: each variable is written with the number
// of the step that set it last, and where several ways meet with the number of that place. Then
// equal texts mean equal values, wherever they stand.
#include "reliability/same_code.h"

#include <fmt/core.h>

#include <map>

namespace leto::reliability {

using core::ExprId;
using core::StmtId;
using core::VarId;

namespace {

constexpr std::size_t kLongestText = 1'000'000;

class Writer {
 public:
  Writer(const core::Program& program, core::Effects& effects, StmtId whole)
      : program_(program), effects_(effects) {
    core::for_each_statement(program, whole, [&](StmtId id) {
      for (const VarId target : core::targets_of(program, id)) ++times_set_[target];
      if (const auto* declare = std::get_if<core::Declare>(&program.stmts[id].node))
        own_.emplace(declare->target, own_.size());
    });
    for (const auto& [var, times] : times_set_)
      if (program.vars[var].kind == core::VarKind::Temp) temporaries_[var] = 0;
  }

  std::string run(StmtId id) {
    write(id);
    return too_long() ? "" : std::move(out_);
  }

 private:
  [[nodiscard]] bool too_long() const { return out_.size() > kLongestText; }

  // Names ----------------------------------------------------------------------------------------

  std::string name(VarId var) {
    std::string text;
    if (const auto it = temporaries_.find(var); it != temporaries_.end()) {
      if (it->second == 0) it->second = ++named_;
      text = fmt::format("t{}", it->second);
    } else if (const auto own = own_.find(var); own != own_.end()) {
      text = fmt::format("d{}", own->second);
    } else {
      text = fmt::format("v{}", var.value);
    }
    const auto step = last_set_.find(var);
    return step == last_set_.end() ? text : fmt::format("{}#{}", text, step->second);
  }
  std::string list(const std::vector<ExprId>& exprs) {
    std::string text;
    for (ExprId id : exprs) text += expr(id) + ",";
    return text;
  }
  std::string expr(ExprId id) {
    const core::Expr& e = program_.exprs[id];
    return std::visit(
        Overload{
            [](const core::BoolConst& n) { return std::string(n.value ? "true" : "false"); },
            [](const core::NumberConst& n) { return n.text; },
            [&](const core::VarRef& n) {
              const auto it = meaning_.find(n.var);
              const std::string text = it == meaning_.end() ? name(n.var) : it->second;
              return n.side == core::Side::Open
                         ? text
                         : fmt::format("{}<{}>", text, static_cast<int>(n.side));
            },
            [&](const core::OldRef& n) { return fmt::format("old({})", name(n.var)); },
            [&](const core::Length& n) {
              return fmt::format("size{}({})", n.dimension, expr(n.vector));
            },
            [&](const core::Select& n) {
              return fmt::format("{}[{}]", expr(n.vector), list(n.indices));
            },
            [&](const core::Apply& n) {
              return fmt::format("({}:{} {})", core::spelling(n.op), static_cast<int>(e.type.base),
                                 list(n.args));
            },
            [&](const core::Quant& n) {
              std::string text = n.universal ? "forall" : "exists";
              for (VarId var : n.bound) text += " " + name(var);
              return fmt::format("{}({})", text, expr(n.body));
            },
            [&](const core::Row& n) {
              return fmt::format("row {}[{}]", expr(n.matrix), expr(n.index));
            },
            [&](const core::Update& n) {
              return fmt::format("{}[{} := {}]", expr(n.vector), expr(n.index), expr(n.value));
            },
            [&](const core::Defined& n) {
              return fmt::format("defined{}({})", n.definition.value, list(n.args));
            },
            [&](const core::Listed& n) { return fmt::format("[{}]", list(n.elements)); },
            [&](const core::Word& n) {
              return fmt::format("word{}.{}.{}({})", static_cast<int>(n.op), e.type.width, n.low,
                                 list(n.args));
            },
            [&](const core::Snapshot& n) {
              return fmt::format("at{}{}({})", loops_[n.loop], n.entry ? "e" : "", expr(n.expr));
            },
        },
        e.node);
  }

  // Statements -----------------------------------------------------------------------------------

  void say(const std::string& text) { out_ += fmt::format("{} {};", ++step_, text); }
  void is_set(VarId var) { last_set_[var] = step_; }
  void are_set(const core::Modified& changed) {
    for (VarId var : changed.original) is_set(var);
  }

  void set(VarId target, ExprId value) {
    const core::Var& var = program_.vars[target];
    const core::Expr& e = program_.exprs[value];
    bool state = false;
    core::for_each_read(program_, value, [&](VarId read, core::Side) {
      state = state || program_.vars[read].kind == core::VarKind::State;
    });
    if (var.kind == core::VarKind::Temp && times_set_[target] == 1 && !state &&
        var.type.base == e.type.base && var.type.rank == 0) {
      meaning_[target] = expr(value);
      return;
    }
    const std::string text = expr(value);
    last_set_.erase(target);
    say(fmt::format("{} = {}", name(target), text));
    is_set(target);
  }
  void set_at(VarId target, const std::vector<ExprId>& indices, ExprId value) {
    if (indices.empty()) return set(target, value);
    say(fmt::format("{}[{}] = {}", name(target), list(indices), expr(value)));
    is_set(target);
  }

  void write(StmtId id) {
    if (!id.valid() || too_long()) return;
    std::visit(Overload{
                   [&](const core::Assign& s) { set(s.target, s.value); },
                   [&](const core::Store& s) { set_at(s.target, s.indices, s.value); },
                   [&](const core::Declare& s) { declare(s); },
                   [&](const core::Relaxed& s) { set(s.target, s.exact); },
                   [&](const core::Write& s) { set_at(s.target, s.indices, s.value); },
                   [&](const core::Check& s) {
                     say(fmt::format("check{} {}", static_cast<int>(s.kind), expr(s.expr)));
                   },
                   [&](const core::Claim& s) {
                     say(fmt::format("claim{} {}", static_cast<int>(s.kind), expr(s.expr)));
                   },
                   [&](const core::Recall& s) { recall(s); },
                   [&](const core::Block& s) {
                     for (StmtId child : s.body) write(child);
                   },
                   [&](const core::If& s) { branch(s); },
                   [&](const core::While& s) { loop(s); },
                   [&](const core::Call& s) { call(s); },
               },
               program_.stmts[id].node);
  }

  void recall(const core::Recall& s) {
    say(fmt::format("recall{} {}", s.relational, program_.functions[s.lemma].name));
    for (const core::Recall::Need& need : s.needs)
      say(fmt::format("needs{} {}", static_cast<int>(need.kind), expr(need.expr)));
    say("of " + list(s.args));
    for (const core::Recall::Made& one : s.made) {
      last_set_.erase(one.var);
      say(fmt::format("makes {}({})", name(one.var), list(one.sizes)));
      is_set(one.var);
    }
    for (ExprId ensured : s.ensures) say("ensures " + expr(ensured));
  }

  void declare(const core::Declare& s) {
    const std::string sizes = list(s.sizes);
    const core::Type& type = program_.vars[s.target].type;
    last_set_.erase(s.target);
    say(fmt::format("{} {}{}{}({})", name(s.target), static_cast<int>(type.base) + 10 * type.width,
                    type.natural, type.rank, sizes));
    is_set(s.target);
  }

  void branch(const core::If& s) {
    say("if " + expr(s.condition));
    const auto before = last_set_;
    write(s.then_branch);
    say("else");
    last_set_ = before;
    write(s.else_branch);
    say("end");
    are_set(effects_.of(s.then_branch));
    are_set(effects_.of(s.else_branch));
  }

  void loop(const core::While& s) {
    loops_.emplace(s.loop, loops_.size());
    const core::Modified changed = effects_.of(s);
    say(s.times.valid() ? "repeat " + expr(s.times) : "while");
    are_set(changed);
    for (const core::Invariant& invariant : s.invariants)
      say(fmt::format("invariant{} {} {}", invariant.relational, expr(invariant.expr),
                      invariant.only_if.valid() ? expr(invariant.only_if) : ""));
    if (s.falls.valid()) say("falls " + expr(s.falls));
    write(s.before);
    say("test " + expr(s.condition));
    write(s.body);
    say("end");
    are_set(changed);
  }

  void call(const core::Call& s) {
    const std::string args = list(s.args);
    std::string targets;
    for (VarId target : s.targets) {
      last_set_.erase(target);
      targets += name(target) + " ";
    }
    say(fmt::format("{}= f{}({})", targets, s.callee.value, args));
    for (VarId target : s.targets) is_set(target);
    are_set(effects_.of_call(s.callee));
  }

  const core::Program& program_;
  core::Effects& effects_;
  std::map<VarId, unsigned> times_set_;
  std::map<VarId, std::size_t> own_;          // declared inside, in order
  std::map<VarId, std::size_t> temporaries_;  // numbered when first named
  std::map<VarId, std::string> meaning_;      // of temporaries that are replaced
  std::map<VarId, std::size_t> last_set_;
  std::map<core::LoopId, std::size_t> loops_;
  std::size_t step_ = 0, named_ = 0;
  std::string out_;
};

}  // namespace

std::string canonical(const core::Program& program, core::Effects& effects, StmtId id) {
  return Writer(program, effects, id).run(id);
}

}  // namespace leto::reliability

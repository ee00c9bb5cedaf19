// Of all that happened in two runs, what the failure depends on: backwards from the claim, the
// assignments whose values it reads, what those read, and so on; and wherever the runs part,
// the condition.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "explain/explain.h"

namespace leto::explain {

using core::Side;
using core::VarId;
using interp::Event;

namespace {

using Needed = std::set<std::pair<VarId, Side>>;

class Teller {
 public:
  Teller(const interp::Machine& machine, const Target& target, const Plan& plan,
         const interp::Outcome& outcome, std::size_t most)
      : machine_(machine),
        program_(machine.program()),
        target_(target),
        plan_(plan),
        outcome_(outcome),
        most_(most) {}

  Story run() {
    const std::optional<std::size_t> which = broken(target_, outcome_);
    if (!which) return {};
    const bool violation = *which < outcome_.violations.size() && !target_.end;
    const core::ExprId expr = violation ? outcome_.violations[*which].expr : outcome_.expr;
    end_ = violation ? outcome_.violations[*which].events : outcome_.events.size();
    const auto moment = violation ? outcome_.violations[*which].moment : outcome_.moment;
    const Side side = outcome_.end == interp::End::OriginalFailed ? Side::Original : Side::Relaxed;
    if (expr.valid()) reads(expr, side);
    if (!violation && outcome_.statement.valid() && !expr.valid())
      statement_reads(outcome_.statement, {}, side);
    slice();
    merge();
    Story story;
    story.inputs = inputs();
    story.told = chosen(in_records(program_, rows_));
    story.rows = chosen(std::move(rows_));
    if (expr.valid() && moment) story.claim = dissect(machine_, expr, side, *moment);
    return story;
  }

 private:
  void reads(core::ExprId id, Side open) {
    core::for_each_read(program_, id, [&](VarId var, Side side) {
      needed_.emplace(var, side == Side::Open ? open : side);
    });
  }

  // What a statement read to set a variable.
  void statement_reads(core::StmtId id, VarId var, Side side) {
    const auto* call = std::get_if<core::Call>(&program_.stmts[id].node);
    if (call == nullptr) {
      for (core::ExprId expr : core::evaluated(program_, id)) reads(expr, side);
      return;
    }
    const core::Function& f = program_.functions[call->callee];
    const auto it = std::find(f.params.begin(), f.params.end(), var);
    if (it != f.params.end())
      reads(call->args[static_cast<std::size_t>(it - f.params.begin())], side);
    else if (f.external() && var == f.result())
      for (core::ExprId arg : call->args) reads(arg, side);
    else
      for (std::size_t i = 0; i < call->targets.size(); ++i)
        if (call->targets[i] == var) needed_.emplace(f.results[i], side);
  }

  void slice() {
    kept_.assign(end_, most_ == 0);
    find_faults();
    for (std::size_t i = end_; i-- > 0;) {
      const Event& e = outcome_.events[i];
      if (e.kind == Event::Kind::Part) {
        kept_[i] = true;
        reads(e.expr, Side::Original);
        reads(e.expr, Side::Relaxed);
      }
      if (e.kind == Event::Kind::Site) kept_[i] = faulty_[i];
      if (e.kind != Event::Kind::Set || !needed_.contains({e.var, e.side})) continue;
      kept_[i] = true;
      const bool whole = e.what == program_.vars[e.var].name;
      if (e.statement.valid()) {
        if (whole) needed_.erase({e.var, e.side});
        statement_reads(e.statement, e.var, e.side);
      }
    }
    // What one run did in step with the other is shown with it.
    for (std::size_t i = 0; i < end_; ++i)
      if (const auto j = partner(i)) kept_[i] = kept_[*j] = kept_[i] || kept_[*j];
  }

  // The same assignment in the relaxed run, of one in the original.
  [[nodiscard]] std::optional<std::size_t> partner(std::size_t i) const {
    const Event& e = outcome_.events[i];
    if (e.kind != Event::Kind::Set || e.side != Side::Original) return std::nullopt;
    for (std::size_t j = i + 1; j < end_; ++j) {
      const Event& other = outcome_.events[j];
      if (other.statement != e.statement) return std::nullopt;
      if (other.kind == Event::Kind::Set && other.side == Side::Relaxed && other.var == e.var)
        return j;
    }
    return std::nullopt;
  }

  // Sites are met in the order in which they are counted.
  void find_faults() {
    faulty_.assign(end_, false);
    std::uint64_t site = 0;
    for (std::size_t i = 0; i < end_; ++i) {
      if (outcome_.events[i].kind != Event::Kind::Site) continue;
      faulty_[i] =
          std::any_of(outcome_.taken.begin(), outcome_.taken.end(),
                      [&](const interp::Taken& t) { return t.faulty && t.occurrence == site; });
      ++site;
    }
  }

  // A record is as long as it is; the fields that differ may stand anywhere.
  static std::string cut(std::string value) {
    constexpr std::size_t kMost = 36;
    if (value.size() <= kMost || value.find('{') != std::string::npos) return value;
    return value.substr(0, kMost / 2 - 2) + " ... " + value.substr(value.size() - kMost / 2 + 3);
  }

  void merge() {
    // Sites, by the assignment of their outcome.
    std::vector<std::vector<std::size_t>> sites(end_);
    for (std::size_t i = 0; i < end_; ++i)
      if (outcome_.events[i].kind == Event::Kind::Site)
        if (const auto j = follows(i)) {
          sites[*j].push_back(i);
          if (kept_[i]) kept_[*j] = true;
        }
    std::vector<bool> done(end_, false);
    for (std::size_t i = 0; i < end_; ++i) {
      const Event& e = outcome_.events[i];
      note_flag(e);
      if (done[i] || !kept_[i]) continue;
      Row row;
      row.at = e.span;
      row.what = e.what;
      switch (e.kind) {
        case Event::Kind::Set: {
          if (!e.statement.valid()) continue;  // inputs stand by themselves
          if (is_preparation(e)) continue;
          row.var = e.var;
          (e.side == Side::Original ? row.original : row.relaxed) = e.value;
          std::size_t relaxed = i;
          if (const auto j = partner(i); j) {
            row.relaxed = outcome_.events[*j].value;
            if (outcome_.events[*j].what != e.what) row.what += " / " + outcome_.events[*j].what;
            done[*j] = true;
            relaxed = *j;
          }
          for (std::size_t site : sites[relaxed]) took(row, site);
          if (program_.vars[e.var].kind == core::VarKind::Temp) row.what.clear();
          if (is_jump(e)) {  // it has no value
            for (std::string* said : {&row.original, &row.relaxed})
              if (!said->empty()) *said = "leaves";
          }
          break;
        }
        case Event::Kind::Site:
          if (follows(i)) continue;
          took(row, i);
          break;
        case Event::Kind::Part: {
          if (parted_before(e)) continue;
          row.kind = Row::Kind::Part;
          const bool original = e.value.starts_with("true");
          row.original = original ? "true" : "false";
          row.relaxed = original ? "false" : "true";
          break;
        }
        case Event::Kind::Claim:
          continue;
      }
      rows_.push_back(std::move(row));
    }
  }
  // What no user wrote: that a loop is not left yet, and what is kept of the state on entry.
  [[nodiscard]] bool is_preparation(const Event& e) const {
    const auto* assign = std::get_if<core::Assign>(&program_.stmts[e.statement].node);
    if (assign == nullptr) return false;
    const auto* copied = std::get_if<core::VarRef>(&program_.exprs[assign->value].node);
    if (copied != nullptr && program_.vars[copied->var].passed &&
        program_.vars[copied->var].name == program_.vars[e.var].name)
      return true;  // what is changed in place becomes what was passed
    if (program_.vars[e.var].kind != core::VarKind::Temp) return false;
    const auto* value = std::get_if<core::BoolConst>(&program_.exprs[assign->value].node);
    if (value != nullptr) return !value->value;
    return std::any_of(program_.functions.begin(), program_.functions.end(),
                       [&](const core::Function& f) {
                         return std::any_of(f.entered.begin(), f.entered.end(),
                                            [&](const auto& one) { return one.kept == e.var; });
                       });
  }
  // Where a run leaves something from the middle.
  [[nodiscard]] bool is_jump(const Event& e) const {
    const auto* assign = std::get_if<core::Assign>(&program_.stmts[e.statement].node);
    if (assign == nullptr || program_.vars[e.var].kind != core::VarKind::Temp) return false;
    const auto* value = std::get_if<core::BoolConst>(&program_.exprs[assign->value].node);
    return value != nullptr && value->value;
  }
  // Which flags are set in a run: it has left something from the middle.
  void note_flag(const Event& e) {
    if (e.kind != Event::Kind::Set || !e.statement.valid()) return;
    if (program_.vars[e.var].kind != core::VarKind::Temp) return;
    if (e.value == "true")
      flags_.insert({e.var, e.side});
    else
      flags_.erase({e.var, e.side});
  }
  // That one run left something was said where it did so. What it does not do after that is told
  // by what the other does.
  [[nodiscard]] bool parted_before(const Event& e) const {
    const auto is_set = [&](core::VarId var) {
      return flags_.contains({var, Side::Original}) || flags_.contains({var, Side::Relaxed});
    };
    if (const auto* loop = std::get_if<core::While>(&program_.stmts[e.statement].node))
      return std::any_of(loop->exits.begin(), loop->exits.end(), is_set);
    const auto* test = std::get_if<core::Apply>(&program_.exprs[e.expr].node);
    if (test == nullptr || test->op != core::Op::Not) return false;
    bool only_flags = true;
    core::for_each_read(program_, e.expr, [&](core::VarId var, Side) {
      only_flags = only_flags && program_.vars[var].kind == core::VarKind::Temp && is_set(var);
    });
    return only_flags;
  }
  // Faults are said at length, whatever else was taken by its name.
  void took(Row& row, std::size_t site) const {
    const std::string& value = outcome_.events[site].value;
    if (faulty_[site]) {
      row.note = row.kind == Row::Kind::Fault ? row.note + "; " + value : value;
      row.kind = Row::Kind::Fault;
    } else if (row.note.empty()) {
      row.note = value.substr(0, value.find(", "));
    }
  }
  [[nodiscard]] std::optional<std::size_t> follows(std::size_t site) const {
    const Event& e = outcome_.events[site];
    for (std::size_t j = site + 1; j < end_; ++j) {
      const Event& other = outcome_.events[j];
      if (other.statement != e.statement) return std::nullopt;
      if (other.kind == Event::Kind::Set && program_.vars[other.var].kind != core::VarKind::State)
        return j;
    }
    return std::nullopt;
  }

  // Faults, partings, the last steps, then where the runs differ.
  [[nodiscard]] std::vector<Row> chosen(std::vector<Row> rows) const {
    for (Row& row : rows) {
      row.original = cut(std::move(row.original));
      row.relaxed = cut(std::move(row.relaxed));
    }
    if (most_ == 0 || rows.size() <= most_) return rows;
    std::vector<std::size_t> order;
    std::vector<bool> taken(rows.size(), false);
    const auto take = [&](std::size_t i) {
      if (!taken[i]) order.push_back(i);
      taken[i] = true;
    };
    // The first part is what starts it.
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].kind == Row::Kind::Fault || rows[i].kind == Row::Kind::Part) take(i);
    if (order.size() > most_ / 2) {
      for (std::size_t k = most_ / 2; k < order.size(); ++k) taken[order[k]] = false;
      order.resize(most_ / 2);
    }
    for (std::size_t i = rows.size(); i-- > 0 && i + 4 >= rows.size();) take(i);
    for (std::size_t i = rows.size(); i-- > 0;)
      if (rows[i].original != rows[i].relaxed) take(i);
    for (std::size_t i = rows.size(); i-- > 0;) take(i);
    order.resize(most_);
    std::sort(order.begin(), order.end());
    std::vector<Row> out;
    std::size_t next = 0;
    for (std::size_t i : order) {
      if (i > next) {
        Row gap;
        gap.kind = Row::Kind::Gap;
        gap.steps = i - next;
        out.push_back(gap);
      }
      out.push_back(std::move(rows[i]));
      next = i + 1;
    }
    return out;
  }

  // What functions that nobody knows were where they were asked for.
  void add_functions(std::vector<Worth>& out) const {
    if (!outcome_.tables) return;
    for (const interp::Tables::Point& point : outcome_.tables->points()) {
      const core::Definition& function = program_.definitions[point.function];
      std::string args;
      for (std::size_t i = 0; i < point.args.size(); ++i)
        args += (i == 0 ? "" : ", ") +
                shortened({point.args[i], nullptr}, program_.vars[function.params[i]].type);
      out.push_back(
          {function.name + "(" + args + ")", shortened({point.value, nullptr}, function.type)});
    }
  }
  std::vector<Worth> inputs() const {
    std::vector<Worth> out;
    const auto add = [&](VarId var, bool always) {
      const core::Var& v = program_.vars[var];
      if (!always && !needed_.contains({var, Side::Original}) &&
          !needed_.contains({var, Side::Relaxed}))
        return;
      const interp::Value& original = plan_.inputs.values.original[var.value];
      const interp::Value& relaxed = plan_.inputs.values.relaxed[var.value];
      if (interp::equal(original, relaxed)) {
        out.push_back({v.name, shortened(relaxed, v.type), var});
      } else {
        out.push_back({v.name + "<o>", shortened(original, v.type), var, Side::Original});
        out.push_back({v.name + "<r>", shortened(relaxed, v.type), var, Side::Relaxed});
      }
    };
    const core::Program& p = program_;
    for (std::uint32_t i = 0; i < p.vars.size(); ++i)
      if (p.vars[VarId{i}].kind == core::VarKind::Param && entered(VarId{i}))
        add(VarId{i}, most_ == 0);
    for (const core::ConstantVar& c : p.constants)
      if (core::find_elements(p, c) == nullptr) add(c.var, most_ == 0);
    for (const core::StateVar& s : p.model.states)
      if (!initial(s)) add(s.var, true);
    add_functions(out);
    return out;
  }
  // Whether it is a parameter of the function itself.
  [[nodiscard]] bool entered(VarId var) const {
    return std::any_of(outcome_.events.begin(), outcome_.events.end(), [&](const Event& e) {
      return e.kind == Event::Kind::Set && e.var == var && !e.statement.valid();
    });
  }
  [[nodiscard]] bool initial(const core::StateVar& s) const {
    if (!s.init.valid()) return false;
    interp::Scope scope{plan_.inputs.values, Side::Relaxed};
    return interp::equal(machine_.evaluator().value(s.init, scope),
                         plan_.inputs.values.relaxed[s.var.value]);
  }

  const interp::Machine& machine_;
  const core::Program& program_;
  const Target& target_;
  const Plan& plan_;
  const interp::Outcome& outcome_;
  std::size_t most_;
  std::size_t end_ = 0;  // of the events that matter
  Needed needed_;
  std::vector<bool> kept_, faulty_;
  std::set<std::pair<core::VarId, Side>> flags_ = {};  // see note_flag
  std::vector<Row> rows_;
};

}  // namespace

Story tell(const interp::Machine& machine, const Target& target, const Plan& plan,
           const interp::Outcome& outcome, std::size_t most) {
  return Teller(machine, target, plan, outcome, most).run();
}

}  // namespace leto::explain

#include "workbench/checker_cases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "interp/random.h"
#include "workbench/emitted_runs.h"

namespace leto::workbench {

using core::Base;
using core::ExprId;
using core::VarId;
using emit::Role;
using emit::Slot;
using interp::Inputs;
using interp::Number;
using interp::Value;

core::Program without_proofs(const core::Program& program) {
  core::Program out = program;
  for (std::uint32_t i = 0; i < out.functions.size(); ++i) {
    core::Function& f = out.functions[core::FunctionId{i}];
    if (!f.external() && !f.lemma) f.ensures.clear();
  }
  for (std::uint32_t i = 0; i < out.stmts.size(); ++i) {
    core::Stmt& stmt = out.stmts[core::StmtId{i}];
    const auto* claim = std::get_if<core::Claim>(&stmt.node);
    const auto* recall = std::get_if<core::Recall>(&stmt.node);
    if ((claim != nullptr && claim->kind != core::AssertionKind::Assume) ||
        (recall != nullptr && recall->made.empty()))
      stmt.node = core::Block{};
    if (auto* loop = std::get_if<core::While>(&stmt.node)) {
      loop->invariants.clear();
      loop->falls = loop->likely = {};
    }
  }
  return out;
}

namespace {

constexpr std::int64_t kLargestSize = 6;

// How large numbers may become while something is evaluated, at most.
class Magnitudes {
 public:
  Magnitudes(const core::Program& program, const Inputs& inputs, const std::vector<Slot>& slots)
      : program_(program) {
    for (const Slot& slot : slots) {
      const Value& value = inputs.values.original[slot.var.value];
      double most = std::fabs(value.scalar.approximate());
      if (value.array) {
        most = 0;
        for (const Number& x : value.array->elements)
          most = std::max(most, std::fabs(x.approximate()));
      }
      of_[slot.var] = most;
      greatest_ = std::max(greatest_, most);
    }
  }
  // Of all integers that are computed in it.
  [[nodiscard]] double most(ExprId id) {
    (void)of(id);
    return computed_;
  }

 private:
  double of(ExprId id) {
    const core::Expr& e = program_.exprs[id];
    if (const auto* ref = std::get_if<core::VarRef>(&e.node)) {
      const auto it = of_.find(ref->var);
      return it == of_.end() ? greatest_ + 8 : it->second;
    }
    if (const auto* number = std::get_if<core::NumberConst>(&e.node))
      return std::fabs(std::stod(number->text));
    if (const auto* defined = std::get_if<core::Defined>(&e.node)) return of_definition(*defined);
    if (const auto* select = std::get_if<core::Select>(&e.node)) {
      for (ExprId index : select->indices) (void)of(index);
      return of(select->vector);
    }
    double sum = 0, product = 1;
    core::for_each_child(program_, id, [&](ExprId child) {
      const double x = of(child);
      sum += x;
      product *= x;
    });
    const auto* apply = std::get_if<core::Apply>(&e.node);
    if (apply == nullptr || e.type.base != Base::Int) return sum;
    const double result = apply->op == core::Op::Mul ? product : sum;
    computed_ = std::max(computed_, result);
    return result;
  }
  double of_definition(const core::Defined& node) {
    const core::Definition& d = program_.definitions[node.definition];
    if (!d.body.valid() || d.recursive) return computed_ = HUGE_VAL;
    for (std::size_t i = 0; i < d.params.size(); ++i) of_[d.params[i]] = of(node.args[i]);
    return of(d.body);
  }

  const core::Program& program_;
  std::map<VarId, double> of_;
  double greatest_ = 0, computed_ = 0;
};

class CheckerCaseMaker {
 public:
  CheckerCaseMaker(const core::Program& program, const emit::Request& request,
                   const emit::Emitted& emitted, const Allowance& allowance)
      : program_(without_proofs(program)),
        function_(program_.functions[request.function]),
        request_(request),
        emitted_(emitted),
        runs_(program_, request, emitted, allowance),
        machine_(runs_.machine()) {
    for (const core::ParamSize& size : function_.sizes)
      core::for_each_read(program_, size.size,
                          [&](VarId var, core::Side) { in_sizes_.insert(var); });
    for (const Slot& slot : emitted.inputs)
      if (slot.role == Role::Input) problem_inputs_.insert(slot.var);
  }

  std::vector<std::string> make(const std::vector<CaseExample>& examples) {
    for (const CaseExample& example : examples) take_example(example);
    enumerate(250);
    search(250);
    spoil(350);
    go_to_edges(250);
    break_types();
    return {cases_.begin(), cases_.end()};
  }

 private:
  // What is expected -------------------------------------------------------------------

  // Empty: that cannot be said. This is written apart from the emitter: sizes, then what is
  // required, then the sizes of what nobody trusts, then the run.
  [[nodiscard]] std::string expected(const Inputs& inputs) const {
    try {
      if (const std::string early = enter(Role::Input, inputs); !early.empty()) return early;
      interp::Scope scope{inputs.values, core::Side::Original};
      for (const core::Clause& clause : function_.requires_) {
        if (needs_quotient(clause.expr, scope, false)) return "";
        // It may be what is trusted that they break, which nobody looks at.
        if (!machine_.evaluator().truth(clause.expr, scope))
          return emitted_.trusted.empty() ? "?" : "";
        const double most = Magnitudes(program_, inputs, emitted_.inputs).most(clause.expr);
        if (most >= 9e18 && !runs_.fits_variable(Number(mpq_class(std::min(most, 1e300)))))
          return "";
      }
      for (const Role role : {Role::Output, Role::Witness})
        if (const std::string early = enter(role, inputs); !early.empty()) return early;
    } catch (const interp::Undecidable&) {
      return "";
    }
    const std::string run = runs_.follow(inputs);
    return run.empty() || run == "A" || run == "J" ? run : "?";
  }
  [[nodiscard]] std::string enter(Role role, const Inputs& inputs) const {
    const std::string refused = role == Role::Input ? "?" : "J";
    const auto value_of = [&](const Slot& slot) -> const Value& {
      return inputs.values.original[slot.var.value];
    };
    for (const Slot& slot : emitted_.inputs)
      if (slot.role == role && slot.type.rank == 0 && slot.type.natural &&
          value_of(slot).scalar.sign() < 0)
        return refused;
    for (const Slot& slot : emitted_.inputs) {
      if (slot.role != role || slot.type.rank == 0) continue;
      for (const core::ParamSize& size : function_.sizes) {
        if (size.param != slot.var) continue;
        interp::Scope scope{inputs.values, core::Side::Original};
        if (!is_computed(size.size, scope)) return "?";
        if (!(machine_.evaluator().number(size.size, scope) ==
              Number(value_of(slot).array->sizes[size.dimension])))
          return refused;
      }
    }
    for (const Slot& slot : emitted_.inputs)
      if (slot.role == role && slot.type.rank > 0 && slot.type.natural)
        for (const Number& x : value_of(slot).array->elements)
          if (x.sign() < 0) return refused;
    return "";
  }
  // Whether every number on the way to a size fits.
  [[nodiscard]] bool is_computed(ExprId id, interp::Scope& scope) const {
    bool all = true;
    core::for_each_child(program_, id,
                         [&](ExprId child) { all = all && is_computed(child, scope); });
    const core::Expr& e = program_.exprs[id];
    if (all && std::holds_alternative<core::Apply>(e.node) && e.type.base == Base::Int)
      all = runs_.fits_variable(machine_.evaluator().number(id, scope));
    return all;
  }

  // Whether a quotient by zero may matter: nobody says what it is.
  [[nodiscard]] bool needs_quotient(ExprId id, interp::Scope& scope, bool inside) const {
    const core::Expr& e = program_.exprs[id];
    const auto* defined = std::get_if<core::Defined>(&e.node);
    const auto* apply = std::get_if<core::Apply>(&e.node);
    inside = inside || defined != nullptr || std::holds_alternative<core::Quant>(e.node);
    if (apply != nullptr && (apply->op == core::Op::Div || apply->op == core::Op::Mod) &&
        (inside || machine_.evaluator().number(apply->args[1], scope).sign() == 0))
      return true;
    bool found = false;
    if (defined != nullptr) {
      const core::Definition& d = program_.definitions[defined->definition];
      found = !d.body.valid() || d.recursive || needs_quotient(d.body, scope, true);
    }
    core::for_each_child(
        program_, id, [&](ExprId child) { found = found || needs_quotient(child, scope, inside); });
    return found;
  }

  // Returns the verdict.
  std::string add(const Inputs& inputs) {
    const std::string verdict = expected(inputs);
    if (verdict.empty()) return verdict;
    std::string line = case_line(emitted_, inputs, verdict);
    if (line.find("sqrt") != std::string::npos) return "";
    const bool fresh = cases_.insert(std::move(line)).second;
    if (fresh && verdict == "A") accepted_.push_back(own_copy(emitted_, inputs));
    if (fresh && verdict == "J" && rejected_.size() < 40)
      rejected_.push_back(own_copy(emitted_, inputs));
    return verdict;
  }
  [[nodiscard]] bool is_full(std::size_t limit) const {
    return cases_.size() >= limit || machine_.spent();
  }

  // Small ones -------------------------------------------------------------------------

  [[nodiscard]] static std::vector<Number> few(const core::Type& type) {
    if (type.base == Base::Bool) return {0, 1};
    if (type.natural) return {0, 1, 2};
    return {-1, 0, 2};
  }

  // Zeros of the sizes that the scalars say; false: there are none.
  bool make_arrays(Inputs& inputs, const std::set<VarId>& given) const {
    for (const Slot& slot : emitted_.inputs) {
      if (slot.type.rank == 0 || given.contains(slot.var)) continue;
      std::vector<std::int64_t> sizes;
      interp::Scope scope{inputs.values, core::Side::Original};
      for (const core::ParamSize& size : function_.sizes)
        if (size.param == slot.var) try {
            const auto n = machine_.evaluator().number(size.size, scope).small();
            if (!n || *n < 0 || *n > kLargestSize) return false;
            sizes.push_back(*n);
          } catch (const interp::Undecidable&) {
            return false;
          }
      if (sizes.size() != slot.type.rank) return false;
      set_both(inputs, slot.var, interp::zeros(sizes));
    }
    return true;
  }

  // All values of all scalars, and for each all fillings of the vectors; evenly chosen ones if
  // these are too many.
  void enumerate(std::size_t count) {
    std::vector<Inputs> starts;
    Inputs empty = interp::empty_inputs(machine_);
    choose_scalars(empty, 0, starts);
    std::vector<std::uint64_t> ways;
    std::uint64_t all = 0;
    for (const Inputs& start : starts) {
      ways.push_back(ways_of(start));
      all += ways.back();
    }
    const std::uint64_t taken = std::min<std::uint64_t>(all, count);
    std::size_t at = 0;
    std::uint64_t before = 0;
    for (std::uint64_t n = 0; n < taken && !machine_.spent(); ++n) {
      const std::uint64_t which = all / taken * n + (all % taken) * n / taken;
      while (which >= before + ways[at]) before += ways[at++];
      add(filled(starts[at], which - before));
    }
  }
  void choose_scalars(Inputs& inputs, std::size_t at, std::vector<Inputs>& out) const {
    while (at < emitted_.inputs.size() && emitted_.inputs[at].type.rank > 0) ++at;
    if (out.size() >= 3000) return;
    if (at == emitted_.inputs.size()) {
      Inputs made = inputs;
      if (make_arrays(made, {})) out.push_back(std::move(made));
      return;
    }
    for (const Number& x : few(emitted_.inputs[at].type)) {
      Value value;
      value.scalar = x;
      set_both(inputs, emitted_.inputs[at].var, value);
      choose_scalars(inputs, at + 1, out);
    }
  }
  [[nodiscard]] std::uint64_t ways_of(const Inputs& inputs) const {
    std::uint64_t ways = 1;
    for (const Slot& slot : emitted_.inputs)
      if (slot.type.rank > 0)
        for (std::size_t i = 0; i < inputs.values.original[slot.var.value].array->elements.size();
             ++i)
          ways = std::min<std::uint64_t>(ways * few(slot.type.element()).size(), 1u << 20);
    return ways;
  }
  [[nodiscard]] Inputs filled(const Inputs& from, std::uint64_t which) const {
    Inputs out = own_copy(emitted_, from);
    for (const Slot& slot : emitted_.inputs) {
      if (slot.type.rank == 0) continue;
      const std::vector<Number> values = few(slot.type.element());
      for (Number& x : out.values.original[slot.var.value].array->elements) {
        x = values[which % values.size()];
        which /= values.size();
      }
    }
    return out;
  }

  // Right ones ---------------------------------------------------------------------------

  void take_example(const CaseExample& example) {
    interp::Random random(3);
    if (example.given.size() == emitted_.inputs.size()) {
      add(own_copy(emitted_, example.values));
      return;
    }
    const std::size_t limit = cases_.size() + 12;
    for (int i = 0; i < 300 && !is_full(limit); ++i)
      try_results(example.values, example.given, random, 40);
  }
  // Inputs that meet what is required, with results that may be right.
  void search(std::size_t count) {
    const std::size_t limit = cases_.size() + count;
    interp::InputOptions how;
    how.max_size = 3;
    how.max_number = 4;
    how.attempts = 200;
    const interp::InputMaker maker(machine_, request_.function, how);
    interp::Random random(11);
    for (std::uint64_t seed = 1; seed <= 90 && !is_full(limit); ++seed) {
      const auto inputs = maker.make(seed);
      if (!inputs) continue;
      add(own_copy(emitted_, *inputs));
      // Where hardly anything is right, it is looked for longer.
      const int tries = accepted_.size() < 20 ? 150 : 40;
      for (int i = 0; i < tries && !is_full(limit); ++i)
        try_results(*inputs, problem_inputs_, random, 60);
    }
  }
  // Keeps it if it is accepted, or one in a few.
  void try_results(const Inputs& inputs, const std::set<VarId>& given, interp::Random& random,
                   std::uint64_t one_in) {
    Inputs tried = own_copy(emitted_, inputs);
    for (const Slot& slot : emitted_.inputs)
      if (!given.contains(slot.var) && slot.type.rank == 0) guess_scalar(tried, slot, random);
    if (!make_arrays(tried, given)) return;
    for (const Slot& slot : emitted_.inputs)
      if (!given.contains(slot.var) && slot.type.rank > 0) guess_array(tried, slot, random);
    if (random() % one_in == 0 || expected(tried) == "A") add(own_copy(emitted_, tried));
  }
  void guess_scalar(Inputs& inputs, const Slot& slot, interp::Random& random) const {
    Value value;
    if (slot.type.base == Base::Bool) {
      value.scalar = Number(static_cast<std::int64_t>(random() % 2));
    } else {
      const std::vector<Number> pool = pool_of(inputs, slot.type);
      value.scalar = pool[random() % pool.size()];
    }
    set_both(inputs, slot.var, value);
  }
  // Numbers that occur in the inputs, and small ones.
  [[nodiscard]] std::vector<Number> pool_of(const Inputs& inputs, const core::Type& type) const {
    std::vector<Number> pool;
    for (const Slot& slot : emitted_.inputs) {
      if (slot.role != Role::Input || slot.type.base == Base::Bool) continue;
      const Value& value = inputs.values.original[slot.var.value];
      if (!value.array)
        pool.push_back(value.scalar);
      else
        pool.insert(pool.end(), value.array->elements.begin(), value.array->elements.end());
    }
    for (int i = type.natural ? 0 : -2; i <= 3; ++i) pool.emplace_back(i);
    std::erase_if(pool, [&](const Number& x) {
      return (type.natural && x.sign() < 0) || (type.base == Base::Int && !x.is_integer());
    });
    return pool;
  }
  void guess_array(Inputs& inputs, const Slot& slot, interp::Random& random) const {
    std::vector<Number>& to = inputs.values.original[slot.var.value].array->elements;
    const std::uint64_t way = random() % 6;
    if (slot.type.base == Base::Bool) {
      for (Number& x : to) x = Number(static_cast<std::int64_t>(random() % 2));
    } else if (way <= 2 && copy_input(inputs, slot, to, random)) {
      if (way <= 1) std::sort(to.begin(), to.end());
    } else if (way <= 4 && slot.type.base == Base::Int) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = Number(static_cast<std::int64_t>(i));
      for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[random() % i]);
    } else {
      const std::vector<Number> pool = pool_of(inputs, slot.type);
      for (Number& x : to) x = pool[random() % pool.size()];
    }
  }
  bool copy_input(const Inputs& inputs, const Slot& slot, std::vector<Number>& to,
                  interp::Random& random) const {
    std::vector<const std::vector<Number>*> found;
    for (const Slot& other : emitted_.inputs)
      if (other.role == Role::Input && other.type == slot.type &&
          inputs.values.original[other.var.value].array->elements.size() == to.size())
        found.push_back(&inputs.values.original[other.var.value].array->elements);
    if (found.empty()) return false;
    to = *found[random() % found.size()];
    return true;
  }

  // Nearly right ones --------------------------------------------------------------------

  void spoil(std::size_t count) {
    const std::size_t limit = cases_.size() + count;
    const std::vector<Inputs> seeds = accepted_;
    interp::Random random(23);
    for (std::size_t n = 0; n < 4 * count && !seeds.empty() && !is_full(limit); ++n) {
      Inputs inputs = own_copy(emitted_, seeds[n % seeds.size()]);
      const Slot& slot = emitted_.inputs[random() % emitted_.inputs.size()];
      if (spoil(inputs, slot, random)) add(inputs);
    }
  }
  // One element changed, two swapped, one dropped, one added.
  bool spoil(Inputs& inputs, const Slot& slot, interp::Random& random) const {
    Value value = inputs.values.original[slot.var.value];
    const auto nudge = [&](Number& x) {
      if (slot.type.base == Base::Bool)
        x = Number(x.truth() ? 0 : 1);
      else
        x = x + Number(random() % 2 == 0 ? 1 : -1);
    };
    if (!value.array) {
      nudge(value.scalar);
    } else {
      std::vector<Number>& to = value.array->elements;
      const std::uint64_t way = random() % 6;
      if (slot.type.rank == 1 && way == 0) {
        to.emplace_back(1);
        ++value.array->sizes[0];
      } else if (to.empty()) {
        return false;
      } else if (slot.type.rank == 1 && way == 1) {
        to.erase(to.begin() + static_cast<std::ptrdiff_t>(random() % to.size()));
        --value.array->sizes[0];
      } else if (way <= 3) {
        std::swap(to[random() % to.size()], to[random() % to.size()]);
      } else {
        nudge(to[random() % to.size()]);
      }
    }
    set_both(inputs, slot.var, value);
    return true;
  }

  // Edges ----------------------------------------------------------------------------------

  // Numbers that are near to what does not fit, in the place of some that are small.
  void go_to_edges(std::size_t count) {
    static constexpr std::int64_t kEdges[] = {INT64_MAX,     INT64_MIN,  INT64_MAX - 1,
                                              INT64_MIN + 1, 3037000499, 3037000500,
                                              -3037000500,   1LL << 62,  -(1LL << 62)};
    const std::size_t limit = cases_.size() + count;
    std::vector<Inputs> seeds = accepted_;
    seeds.insert(seeds.end(), rejected_.begin(), rejected_.end());
    interp::Random random(5);
    for (std::size_t n = 0; n < 6 * count && !seeds.empty() && !is_full(limit); ++n) {
      Inputs inputs = own_copy(emitted_, seeds[random() % seeds.size()]);
      bool changed = false;
      const bool ordered = random() % 2 == 0;
      for (const Slot& slot : emitted_.inputs) {
        if (slot.type.base != Base::Int || in_sizes_.contains(slot.var) || random() % 2 == 0)
          continue;
        Value value = inputs.values.original[slot.var.value];
        const auto change = [&](Number& x) {
          if (random() % 3 == 0) return;
          const std::int64_t edge = kEdges[random() % std::size(kEdges)];
          x = slot.type.natural && edge < 0 ? Number(INT64_MAX) : Number(edge);
          changed = true;
        };
        if (!value.array) {
          change(value.scalar);
        } else {
          for (Number& x : value.array->elements) change(x);
          if (ordered) std::sort(value.array->elements.begin(), value.array->elements.end());
        }
        set_both(inputs, slot.var, value);
      }
      if (changed) add(inputs);
    }
  }

  // What no type and no size allows, from all that is accepted or not.
  void break_types() {
    std::vector<Inputs> seeds = accepted_;
    if (seeds.size() > 8) seeds.resize(8);
    for (std::size_t i = 0; i < rejected_.size() && i < 3; ++i) seeds.push_back(rejected_[i]);
    for (const Inputs& seed : seeds)
      for (const Slot& slot : emitted_.inputs) {
        Inputs inputs = own_copy(emitted_, seed);
        Value value = inputs.values.original[slot.var.value];
        if (slot.type.rank == 1) {
          value.array->elements.emplace_back(1);
          ++value.array->sizes[0];
          set_both(inputs, slot.var, value);
          add(inputs);
          inputs = own_copy(emitted_, seed);
          value = inputs.values.original[slot.var.value];
        }
        if (slot.type.natural && !(value.array && value.array->elements.empty())) {
          (value.array ? value.array->elements.back() : value.scalar) = Number(-1);
          set_both(inputs, slot.var, value);
          add(inputs);
        }
        if (slot.type.rank == 0 && in_sizes_.contains(slot.var)) {
          value.scalar = Number(INT64_MAX);
          set_both(inputs, slot.var, value);
          add(inputs);
        }
      }
  }

  const core::Program program_;
  const core::Function& function_;
  const emit::Request& request_;
  const emit::Emitted& emitted_;
  const EmittedRuns runs_;
  const interp::Machine& machine_;
  std::set<VarId> in_sizes_, problem_inputs_;
  std::set<std::string> cases_;
  std::vector<Inputs> accepted_, rejected_;
};

}  // namespace

std::vector<std::string> make_checker_cases(const core::Program& program,
                                            const emit::Request& request,
                                            const emit::Emitted& emitted,
                                            const std::vector<CaseExample>& examples,
                                            const Allowance& allowance) {
  return CheckerCaseMaker(program, request, emitted, allowance).make(examples);
}

}  // namespace leto::workbench

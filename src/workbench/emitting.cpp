#include "workbench/emitting.h"

#include <fmt/core.h>

#include <set>

#include "core/calls.h"
#include "interp/random.h"
#include "workbench/emitted_runs.h"

namespace leto::workbench {

using core::Base;
using core::VarId;
using interp::Number;
using interp::Value;

std::vector<const prove::Claim*> find_unproved(const Verified& v, core::FunctionId function) {
  const core::Program& program = *v.program;
  const std::vector<bool> reached = core::find_reached(program, {function});
  std::set<std::string> others;  // functions that it has nothing to do with
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::Function& f = program.functions[core::FunctionId{i}];
    if (!reached[i] && !f.lemma && !f.pure.valid()) others.insert(f.name);
  }
  for (std::uint32_t i = 0; i < program.functions.size(); ++i)
    if (reached[i]) others.erase(program.functions[core::FunctionId{i}].name);
  std::vector<const prove::Claim*> out;
  for (const prove::Claim& claim : v.claims)
    if (claim.status != prove::Status::Proved && !others.contains(claim.id.function))
      out.push_back(&claim);
  return out;
}

namespace {

constexpr std::size_t kMostCases = 900;

class CaseMaker {
 public:
  CaseMaker(const core::Program& program, const emit::Request& request,
            const emit::Emitted& emitted, const Allowance& allowance)
      : function_(program.functions[request.function]),
        request_(request),
        emitted_(emitted),
        runs_(program, request, emitted, allowance),
        machine_(runs_.machine()),
        empty_(interp::empty_inputs(machine_)) {
    for (const core::ParamSize& size : function_.sizes)
      core::for_each_read(program, size.size,
                          [&](VarId var, core::Side) { in_sizes_.insert(var); });
  }

  std::vector<std::string> make() {
    enumerate(empty_, 0);
    draw();
    go_to_edges();
    break_types();
    return {cases_.begin(), cases_.end()};
  }

 private:
  [[nodiscard]] bool full() const { return cases_.size() >= kMostCases || machine_.spent(); }

  static void set(interp::Inputs& inputs, VarId var, const Value& value) {
    set_both(inputs, var, value);
  }
  [[nodiscard]] static std::vector<Number> few(const core::Type& type) {
    if (type.base == Base::Bool) return {0, 1};
    if (type.natural) return {0, 1, 2};
    return {-1, 0, 2};
  }

  // Every scalar, then every vector of the sizes that follow.
  void enumerate(interp::Inputs& inputs, std::size_t at) {
    if (full() || cases_.size() >= kMostCases / 2) return;
    std::vector<emit::Slot> scalars, arrays;
    for (const emit::Slot& slot : emitted_.inputs)
      (slot.type.rank == 0 ? scalars : arrays).push_back(slot);
    if (at < scalars.size()) {
      for (const Number& x : few(scalars[at].type)) {
        Value value;
        value.scalar = x;
        set(inputs, scalars[at].var, value);
        enumerate(inputs, at + 1);
      }
      return;
    }
    fill(inputs, arrays);
  }

  // All fillings if they are few, else some.
  void fill(interp::Inputs inputs, const std::vector<emit::Slot>& arrays) {
    std::vector<std::pair<Number*, const core::Type*>> places;
    for (const emit::Slot& slot : arrays) {
      const auto sizes = sizes_of(slot, inputs);
      if (!sizes) return;
      const Value value = interp::zeros(*sizes);
      set(inputs, slot.var, value);
    }
    double ways = 1;
    for (const emit::Slot& slot : arrays) {
      auto& array = inputs.values.original[slot.var.value].array;
      for (Number& x : array->elements) {
        places.emplace_back(&x, &slot.type);
        ways *= static_cast<double>(few(slot.type).size());
      }
    }
    const bool all = ways <= 100;
    const std::size_t count = all ? static_cast<std::size_t>(ways) : 12;
    for (std::size_t n = 0; n < count && !full(); ++n) {
      std::size_t left = all ? n : interp::Random(n + 17)() % (1u << 30);
      for (auto& [place, type] : places) {
        const std::vector<Number> values = few(type->element());
        *place = values[left % values.size()];
        left /= values.size();
        if (!all && left < 7) left = (left + 1) * 7919 * (n + 3);
      }
      add(copy_of(inputs));
    }
  }
  interp::Inputs copy_of(const interp::Inputs& from) const { return own_copy(emitted_, from); }

  std::optional<std::vector<std::int64_t>> sizes_of(const emit::Slot& slot,
                                                    const interp::Inputs& inputs) {
    std::vector<std::int64_t> out;
    interp::Scope scope{inputs.values};
    for (const core::ParamSize& size : function_.sizes)
      if (size.param == slot.var) try {
          const auto n = machine_.evaluator().number(size.size, scope).small();
          if (!n || *n < 0 || *n > 4) return std::nullopt;
          out.push_back(*n);
        } catch (const interp::Undecidable&) {
          return std::nullopt;
        }
    if (out.size() != slot.type.rank) return std::nullopt;
    return out;
  }

  void draw() {
    interp::InputOptions how;
    how.max_size = 5;
    how.max_number = 9;
    how.attempts = 200;
    const interp::InputMaker maker(machine_, request_.function, how);
    for (std::uint64_t seed = 1; seed <= 120 && !full(); ++seed)
      if (auto inputs = maker.make(seed)) {
        // One run: both have what the original has.
        for (const emit::Slot& slot : emitted_.inputs)
          set(*inputs, slot.var, inputs->values.original[slot.var.value]);
        add(copy_of(*inputs));
      }
  }

  // Numbers that are near to what does not fit, in the place of some that are small.
  void go_to_edges() {
    static constexpr std::int64_t kEdges[] = {INT64_MAX,     INT64_MIN,  INT64_MAX - 1,
                                              INT64_MIN + 1, 3037000499, 3037000500,
                                              -3037000500,   1LL << 62,  -1};
    const std::vector<interp::Inputs> seeds = good_;
    interp::Random random(5);
    for (std::size_t n = 0; n < 300 && !seeds.empty() && cases_.size() < kMostCases; ++n) {
      interp::Inputs inputs = copy_of(seeds[random() % seeds.size()]);
      bool changed = false;
      for (const emit::Slot& slot : emitted_.inputs) {
        if (slot.type.base != Base::Int || in_sizes_.contains(slot.var)) continue;
        Value value = inputs.values.original[slot.var.value];
        const auto change = [&](Number& x) {
          if (random() % 3 == 0) return;
          const std::int64_t edge = kEdges[random() % std::size(kEdges)];
          x = slot.type.natural && edge < 0 ? Number(INT64_MAX) : Number(edge);
          changed = true;
        };
        if (value.array)
          for (Number& x : value.array->elements) change(x);
        else
          change(value.scalar);
        set(inputs, slot.var, value);
      }
      if (changed) add(inputs);
    }
  }

  // Sizes and numbers that the types exclude.
  void break_types() {
    for (std::size_t n = 0; n < good_.size() && n < 8; ++n) {
      for (const emit::Slot& slot : emitted_.inputs) {
        interp::Inputs inputs = copy_of(good_[n]);
        Value value = inputs.values.original[slot.var.value];
        if (slot.type.rank == 1) {
          interp::Array longer = *value.array;
          longer.elements.emplace_back(1);
          ++longer.sizes[0];
          Value other;
          other.array = std::make_shared<interp::Array>(longer);
          set(inputs, slot.var, other);
          keep(inputs, "S");
        }
        if (!slot.type.natural || (value.array && value.array->elements.empty())) continue;
        if (value.array) value.array = std::make_shared<interp::Array>(*value.array);
        (value.array ? value.array->elements[0] : value.scalar) = Number(-1);
        set(inputs, slot.var, value);
        keep(inputs, "U");
      }
    }
  }

  // What the exact run does from there.
  void add(const interp::Inputs& inputs) {
    if (interp::unmet(machine_, request_.function, inputs)) {
      // It may be what is trusted that they break, which nobody looks at.
      if (emitted_.trusted.empty()) keep(inputs, "U");
      return;
    }
    const std::string expected = runs_.follow(inputs);
    if (expected.empty()) return;
    keep(inputs, expected);
    if (expected.starts_with("V") && good_.size() < 60) good_.push_back(copy_of(inputs));
  }

  void keep(const interp::Inputs& inputs, const std::string& expected) {
    std::string line = case_line(emitted_, inputs, expected);
    if (line.find("sqrt") == std::string::npos) cases_.insert(std::move(line));
  }

  const core::Function& function_;
  const emit::Request& request_;
  const emit::Emitted& emitted_;
  const EmittedRuns runs_;
  const interp::Machine& machine_;
  interp::Inputs empty_;
  std::set<VarId> in_sizes_;
  std::set<std::string> cases_;
  std::vector<interp::Inputs> good_;
};

}  // namespace

std::vector<std::string> make_cases(const core::Program& program, const emit::Request& request,
                                    const emit::Emitted& emitted, const Allowance& allowance) {
  return CaseMaker(program, request, emitted, allowance).make();
}

}  // namespace leto::workbench

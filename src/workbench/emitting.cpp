#include "workbench/emitting.h"

#include <fmt/core.h>

#include <set>

#include "core/calls.h"
#include "interp/interp.h"
#include "interp/random.h"

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
constexpr std::uint64_t kSteps = 20'000;

// The least and the greatest number that fits, as text, for both kinds of places.
struct Extent {
  Number low, high;
  [[nodiscard]] bool holds(const Number& x) const { return low <= x && x <= high; }
};
Extent extent_of(int bits) {
  mpz_class half;
  mpz_ui_pow_ui(half.get_mpz_t(), 2, static_cast<unsigned long>(bits - 1));
  return {Number(mpq_class(-half)), Number(mpq_class(half - 1))};
}

class CaseMaker {
 public:
  CaseMaker(const core::Program& program, const emit::Request& request,
            const emit::Emitted& emitted, const Allowance& allowance)
      : program_(program),
        watched_program_(emit::watch_numbers(program, emitted.guarded)),
        function_(program.functions[request.function]),
        request_(request),
        emitted_(emitted),
        machine_(program, &allowance),
        watched_(watched_program_, &allowance),
        empty_(interp::empty_inputs(machine_)),
        narrow_(extent_of(64)),
        wide_(extent_of(request.integers == emit::Integers::Int128 ? 128 : 64)) {
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
    inputs.values.original[var.value] = value;
    inputs.values.relaxed[var.value] = value;
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
  // With arrays that nobody else changes, and equal in both runs.
  interp::Inputs copy_of(const interp::Inputs& from) const {
    interp::Inputs out = from;
    for (const emit::Slot& slot : emitted_.inputs) {
      Value value = from.values.original[slot.var.value];
      if (value.array) value.array = std::make_shared<interp::Array>(*value.array);
      set(out, slot.var, value);
    }
    return out;
  }

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
    try {
      if (interp::unmet(machine_, request_.function, inputs)) {
        keep(inputs, "U");
        return;
      }
      interp::Options how;
      how.limits.steps = kSteps;
      how.invariants = false;
      interp::ExactChooser exact;
      const interp::Outcome plain = machine_.run(request_.function, inputs, exact, how);
      how.events = true;
      interp::ExactChooser again;
      const interp::Outcome told = watched_.run(request_.function, inputs, again, how);
      judge(inputs, plain, told);
    } catch (const interp::Undecidable&) {
      return;
    }
  }

  void judge(const interp::Inputs& inputs, const interp::Outcome& plain,
             const interp::Outcome& told) {
    // What is rounded on the way may go anywhere.
    if (is_rounded(told)) return;
    if (!fits(told)) {
      keep(inputs, "R");
      return;
    }
    if (told.end == interp::End::OriginalFailed && told.statement.valid()) {
      const auto& node = watched_program_.stmts[told.statement].node;
      if (std::holds_alternative<core::Check>(node) && emitted_.guarded) keep(inputs, "F");
      const auto* claim = std::get_if<core::Claim>(&node);
      if (claim != nullptr && claim->kind == core::AssertionKind::Assume) keep(inputs, "U");
      return;
    }
    if (plain.end != interp::End::Done || told.end != interp::End::Done ||
        plain.original.size() != emitted_.results.size())
      return;
    for (std::size_t i = 0; i < plain.original.size(); ++i)
      if (!interp::equal(plain.original[i], told.original[i])) return;
    if (request_.checker) {
      keep(inputs, plain.original[0].scalar.truth() ? "A" : "J");
    } else {
      std::string results = "V";
      for (std::size_t i = 0; i < plain.original.size(); ++i) {
        if (emitted_.results[i].type.rank == 0 && emitted_.results[i].type.base == Base::Int &&
            is_bounded() && !narrow_.holds(plain.original[i].scalar)) {
          keep(inputs, "R");
          return;
        }
        results += " " + text_of(plain.original[i]);
      }
      keep(inputs, results);
    }
    if (good_.size() < 60) good_.push_back(copy_of(inputs));
  }
  [[nodiscard]] bool is_bounded() const { return request_.integers != emit::Integers::Gmp; }

  // f(variable, number) for all numbers of one kind that the original run computed.
  template <class F>
  void for_each_number(const interp::Outcome& told, Base base, const F& f) const {
    for (const interp::Event& event : told.events) {
      if (event.kind != interp::Event::Kind::Set || event.side == core::Side::Relaxed ||
          !event.var.valid())
        continue;
      const core::Var& var = watched_program_.vars[event.var];
      if (var.type.base != base || var.kind == core::VarKind::Ghost || event.value.starts_with("["))
        continue;
      f(var, Number::parse(event.value));
    }
  }
  // Whether all that was computed on the way does.
  [[nodiscard]] bool fits(const interp::Outcome& told) const {
    bool all = true;
    for_each_number(told, Base::Int, [&](const core::Var& var, const std::optional<Number>& x) {
      if (x && is_bounded()) all = all && (var.type.rank > 0 ? narrow_ : wide_).holds(*x);
    });
    return all;
  }
  // Whether a real on the way is no double.
  [[nodiscard]] bool is_rounded(const interp::Outcome& told) const {
    bool found = false;
    if (request_.reals == emit::Reals::Double)
      for_each_number(told, Base::Real, [&](const core::Var&, const std::optional<Number>& x) {
        found = found || !x || !(Number(mpq_class(x->approximate())) == *x);
      });
    return found;
  }

  [[nodiscard]] static std::string text_of(const Value& value) {
    if (!value.array) return value.scalar.text();
    std::string out;
    for (std::int64_t size : value.array->sizes)
      out += (out.empty() ? "" : " ") + std::to_string(size);
    for (const Number& x : value.array->elements) out += " " + x.text();
    return out;
  }

  void keep(const interp::Inputs& inputs, const std::string& expected) {
    std::string line;
    for (const emit::Slot& slot : emitted_.inputs)
      line += text_of(inputs.values.original[slot.var.value]) + " ";
    line += expected;
    if (line.find("sqrt") == std::string::npos) cases_.insert(std::move(line));
  }

  const core::Program& program_;
  const core::Program watched_program_;
  const core::Function& function_;
  const emit::Request& request_;
  const emit::Emitted& emitted_;
  const interp::Machine machine_, watched_;
  interp::Inputs empty_;
  std::set<VarId> in_sizes_;
  Extent narrow_, wide_;
  std::set<std::string> cases_;
  std::vector<interp::Inputs> good_;
};

}  // namespace

std::vector<std::string> make_cases(const core::Program& program, const emit::Request& request,
                                    const emit::Emitted& emitted, const Allowance& allowance) {
  return CaseMaker(program, request, emitted, allowance).make();
}

}  // namespace leto::workbench

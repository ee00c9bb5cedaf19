#include "byte_code.h"

#include <fmt/core.h>

namespace leto::soundness {

namespace {

// An outcome as lines of text, one thing each.
class OutcomeText {
 public:
  OutcomeText(const Ready& ready, core::FunctionId function, const interp::Outcome& outcome)
      : ready_(ready), program_(*ready.program), function_(function), outcome_(outcome) {}

  std::vector<std::string> lines() {
    for (const interp::Event& e : outcome_.events)
      lines_.push_back(fmt::format("event {} {} {} {} {} statement {} variable {} expression {}",
                                   static_cast<int>(e.kind), place(e.span),
                                   static_cast<int>(e.side), e.what, e.value, e.statement.value,
                                   e.var.value, e.expr.value));
    for (const interp::Taken& t : outcome_.taken) add(t);
    for (const interp::Violation& v : outcome_.violations) {
      lines_.push_back(fmt::format("violation {} {} {} {} {} {}", interp::describe(v.kind),
                                   place(v.span), v.expr.value, place(v.call), v.entry, v.events));
      if (v.moment) add(v.moment->pair);
    }
    lines_.push_back(fmt::format("end {} {} {} {} {}", interp::describe(outcome_.end),
                                 place(outcome_.where), outcome_.why, outcome_.expr.value,
                                 outcome_.statement.value));
    lines_.push_back(fmt::format("{} sites, {} claims, {} steps, {} parted", outcome_.sites,
                                 outcome_.claims, outcome_.steps, outcome_.parted));
    if (outcome_.moment) add(outcome_.moment->pair);
    add("original", outcome_.original);
    add("relaxed", outcome_.relaxed);
    return std::move(lines_);
  }

 private:
  [[nodiscard]] std::string place(const Span& span) const {
    return fmt::format("{}:{}-{}", ready_.line(span), span.begin, span.end);
  }
  void add(const interp::Taken& t) {
    std::string line =
        fmt::format("taken {} {} {}:", t.occurrence, t.statement.value, t.specification);
    for (const interp::Number& n : t.arguments) line += " " + n.text();
    line += fmt::format(" {} {} {}", t.exact.text(), t.outcome.text(), t.faulty);
    for (const auto& [var, n] : t.states) line += fmt::format(" {}={}", var.value, n.text());
    lines_.push_back(std::move(line));
  }
  void add(const interp::Pair& pair) {
    for (const interp::Variables* side : {&pair.original, &pair.relaxed})
      for (std::uint32_t i = 0; i < side->size(); ++i)
        lines_.push_back(fmt::format("{} = {}", program_.vars[core::VarId{i}].name,
                                     interp::text((*side)[i], program_.vars[core::VarId{i}].type)));
  }
  void add(std::string_view who, const std::vector<interp::Value>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const core::VarId result = program_.functions[function_].results[i];
      lines_.push_back(
          fmt::format("{} {}", who, interp::text(values[i], program_.vars[result].type)));
    }
  }

  const Ready& ready_;
  const core::Program& program_;
  core::FunctionId function_;
  const interp::Outcome& outcome_;
  std::vector<std::string> lines_;
};

std::string first_difference(const std::vector<std::string>& tree,
                             const std::vector<std::string>& bytes) {
  for (std::size_t i = 0; i < std::max(tree.size(), bytes.size()); ++i) {
    const std::string a = i < tree.size() ? tree[i] : "nothing";
    const std::string b = i < bytes.size() ? bytes[i] : "nothing";
    if (a != b) return fmt::format("the tree says\n  {}\nthe byte code says\n  {}\n", a, b);
  }
  return {};
}

}  // namespace

Bytes compare_byte_code(const Ready& ready, core::FunctionId function, std::uint64_t seed) {
  const interp::Machine machine(*ready.program);
  interp::ByteMachine bytes(machine, function);
  if (!bytes.compiled()) return {};
  const auto inputs = interp::random_inputs(machine, function, seed, {3, 4, 60});
  if (!inputs) return {true, 0, {}};
  constexpr std::uint64_t kRounds = 4;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::uint64_t own = interp::mix(seed, round);
    interp::Options options;
    // Sometimes a run is cut off in the middle.
    options.limits.steps = round == 3 ? 1 + own % 60 : 600;
    options.events = round < 2;
    options.all_taken = round % 2 == 0;
    options.invariants = round != 1;
    const interp::FaultPolicy policy{interp::mix(own, 1) % 4, round == 0 ? 0 : 0.4};
    interp::RandomChooser one(interp::mix(own, 2), policy), other(interp::mix(own, 2), policy);
    const interp::Outcome walked = machine.run(function, *inputs, one, options);
    const interp::Outcome executed = bytes.run(*inputs, other, options);
    const auto tree = OutcomeText(ready, function, walked).lines();
    const auto code = OutcomeText(ready, function, executed).lines();
    std::string difference = first_difference(tree, code);
    if (difference.empty() && one.alternative(SIZE_MAX) != other.alternative(SIZE_MAX))
      difference = "the choosers were asked differently\n";
    if (!difference.empty()) return {true, round, fmt::format("round {}: {}", round, difference)};
  }
  return {true, kRounds, {}};
}

}  // namespace leto::soundness

#include "reliability_support.h"

#include <algorithm>
#include <filesystem>

#include "lower/lower.h"

namespace leto::tests {

Loaded::Loaded(const std::string& text, const std::string& model)
    : workspace{files, {{(std::filesystem::path(LETO_SOURCE_DIR) / "models").string()}}} {
  DiagnosticList diagnostics;
  workspace::Program trees = workspace.load_text("test.leto", text, diagnostics);
  const workspace::PickedModel picked = workspace.pick_model(trees, model, diagnostics);
  const check::Checked checked =
      check::check(trees.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
  if (diagnostics.errors() == 0)
    program = lower::lower(checked, workspace.names());
  else
    problem = diagnostics.all()[0].message() + "\n" + text;
}

core::FunctionId Loaded::called(const std::string& name) const {
  for (std::uint32_t i = 0; i < program.functions.size(); ++i)
    if (program.functions[core::FunctionId{i}].name == name) return core::FunctionId{i};
  return {};
}

namespace {

solver::Limits small_limits() {
  solver::Limits limits;
  limits.seconds = 2;
  limits.resource = 200'000;
  return limits;
}

// Every way through the choices that a model leaves, each with its chance.
class Tree final : public interp::Chooser {
 public:
  Tree(const interp::Machine& machine, const interp::Inputs& inputs, Strategy strategy)
      : machine_(machine), inputs_(inputs), strategy_(strategy) {}

  std::size_t specification(const interp::SitePoint& point) override {
    if (next_ == path_.size()) {
      path_.push_back({0, weights(point)});
      skip_impossible(path_.back());
    }
    return path_[next_++].taken;
  }
  std::size_t alternative(std::size_t count) override { return draw(7) % count; }
  interp::Number value(const interp::Domain& domain, core::VarId var) override {
    const interp::Number wanted = wanted_value(domain, var);
    return domain.contains(wanted) ? wanted : interp::nearest(domain);
  }

  void begin() { next_ = 0; }
  bool next() {
    path_.resize(next_);
    while (!path_.empty()) {
      Choice& last = path_.back();
      ++last.taken;
      skip_impossible(last);
      if (last.taken < last.weights.size()) return true;
      path_.pop_back();
    }
    return false;
  }
  [[nodiscard]] mpq_class chance() const {
    mpq_class p = 1;
    for (std::size_t i = 0; i < next_; ++i) p *= path_[i].weights[path_[i].taken];
    return p;
  }

 private:
  struct Choice {
    std::size_t taken;
    std::vector<mpq_class> weights;
  };
  static void skip_impossible(Choice& choice) {
    while (choice.taken < choice.weights.size() && choice.weights[choice.taken] == 0)
      ++choice.taken;
  }
  // Who has a rate is taken so often; the first one without takes the rest; if there is none, the
  // last.
  std::vector<mpq_class> weights(const interp::SitePoint& point) const {
    std::vector<mpq_class> out;
    mpq_class rest = 1;
    std::optional<std::size_t> exact;
    for (std::uint32_t index : point.enabled) {
      const core::ExprId rate = machine_.program().specifications[index].rate;
      if (!rate.valid() && !exact) exact = out.size();
      out.emplace_back(0);
      if (!rate.valid()) continue;
      interp::Scope scope{inputs_.values, core::Side::Relaxed};
      out.back() = mpq_class(machine_.evaluator().number(rate, scope).text());
      rest -= out.back();
    }
    out[exact.value_or(out.size() - 1)] += rest;
    return out;
  }
  [[nodiscard]] std::uint64_t draw(std::uint64_t what) const {
    return interp::mix(strategy_.seed, 100 * next_ + what);
  }
  interp::Number wanted_value(const interp::Domain& domain, core::VarId var) const {
    const interp::Number& usual = domain.usual;
    if (domain.type.base == core::Base::Bool) return interp::Number(1) - usual;
    switch (strategy_.seed < 2 ? strategy_.seed : draw(var.value % 97) % 7) {
      case 0:
        return usual + interp::Number(1);
      case 1:
        return usual - interp::Number(3);
      case 2:
        return 0;
      case 3:
        return 1;
      case 4:
        return -usual;
      case 5:
        return 7;
      default:
        return usual;
    }
  }

  const interp::Machine& machine_;
  const interp::Inputs& inputs_;
  Strategy strategy_;
  std::vector<Choice> path_;
  std::size_t next_ = 0;
};

}  // namespace

Proofs::Proofs()
    : crew_(1,
            [this] {
              return solver::make_process_solver(solver::z3_command(), small_limits(), never_);
            }),
      engine_{{}, crew_, &memory_} {}

bool Proofs::Memory::find(const std::string&, const solver::Query& query, solver::Answer& answer) {
  const std::lock_guard lock(mutex_);
  const auto it = answers_.find({query.effort, query.strategy, query.text});
  if (it == answers_.end()) return false;
  answer = it->second;
  return true;
}

void Proofs::Memory::keep(const std::string&, const solver::Query& query,
                          const solver::Answer& answer) {
  constexpr std::size_t kMost = 5000;
  const std::lock_guard lock(mutex_);
  if (answers_.size() > kMost) answers_.clear();
  answers_[{query.effort, query.strategy, query.text}] = answer;
}

checks::Recoveries Proofs::of(const core::Program& program, Trap trap) {
  checks::RecoverySettings settings;
  settings.examples = false;
  settings.trap = trap;
  return checks::prove_recoveries(program, engine_, settings);
}

reliability::Options Proofs::options(const core::Program& program, Trap trap) {
  reliability::Options options;
  options.recoveries = of(program, trap).known;
  options.trap = trap;
  return options;
}

std::optional<Odds> find_odds(const interp::Machine& machine, core::FunctionId f,
                              const interp::Inputs& inputs, Strategy strategy, const Watch& watch,
                              const std::optional<mpq_class>& enough) {
  constexpr std::uint64_t kMost = 3000;
  interp::Options options;
  options.limits.steps =
      400;  // who has not come to an end by then never does, in programs as small as these
  options.invariants = false;
  Tree tree(machine, inputs, strategy);
  Odds odds;
  do {
    if (++odds.runs > kMost) return std::nullopt;
    tree.begin();
    const interp::Outcome o = machine.run(f, inputs, tree, options);
    const mpq_class p = tree.chance();
    odds.all += p;
    switch (o.end) {
      case interp::End::Done:
        if (!interp::equal(o.original.at(0), o.relaxed.at(0))) odds.wrong += p;
        break;
      case interp::End::AssertFailed:
      case interp::End::CheckFailed:
      case interp::End::Stuck:
      case interp::End::Hung:
        break;  // no result, so no wrong one
      case interp::End::OriginalFailed:
      case interp::End::OriginalHung:
      case interp::End::Impossible:
      case interp::End::Undecidable:
        return std::nullopt;
    }
    if (watch) watch(o, p);
    if (enough && odds.all - odds.wrong >= *enough) break;
  } while (tree.next());
  return odds;
}

interp::Inputs same_inputs(const interp::Machine& machine, core::FunctionId f,
                           const std::vector<std::int64_t>& values) {
  interp::Inputs inputs = interp::empty_inputs(machine);
  const core::Program& program = machine.program();
  for (std::size_t i = 0; i < program.functions[f].params.size(); ++i) {
    const std::size_t at = program.functions[f].params[i].value;
    inputs.values.original[at].scalar = inputs.values.relaxed[at].scalar =
        values[i % values.size()];
  }
  return inputs;
}

std::optional<interp::Inputs> same_inputs(const interp::Machine& machine, core::FunctionId f,
                                          std::uint64_t seed) {
  static const std::vector<std::vector<std::int64_t>> kPairs = {{2, 3}, {1, 1}, {-1, 2}, {0, -2}};
  const core::Program& program = machine.program();
  const std::vector<core::VarId>& params = program.functions[f].params;
  const bool integers = std::all_of(params.begin(), params.end(), [&](core::VarId param) {
    const core::Type& type = program.vars[param].type;
    return type.base == core::Base::Int && type.rank == 0 && !type.natural;
  });
  if (integers) return same_inputs(machine, f, kPairs[seed % kPairs.size()]);
  std::optional<interp::Inputs> inputs = interp::random_inputs(machine, f, seed, {});
  if (!inputs) return std::nullopt;
  inputs->values.relaxed = inputs->values.original;
  if (interp::unmet(machine, f, *inputs)) return std::nullopt;
  return inputs;
}

}  // namespace leto::tests

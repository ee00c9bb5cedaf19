#include "agree.h"

#include <fmt/core.h>

#include <algorithm>

#include "oracle/oracle.h"

namespace leto::soundness {

using core::Side;

namespace {

// The oracle's numbers are GMP's, read from text.
oracle::Number number_of(const interp::Number& n) {
  oracle::Number out(n.text());
  out.canonicalize();
  return out;
}

oracle::Value value_of(const interp::Value& v, const core::Type& type) {
  if (type.rank == 0) return oracle::scalar(number_of(v.scalar));
  std::vector<oracle::Number> elements;
  for (const interp::Number& n : v.array->elements) elements.push_back(number_of(n));
  if (type.rank == 1) return oracle::vector(std::move(elements));
  return oracle::matrix(v.array->sizes[0], v.array->sizes[1], std::move(elements));
}

std::string text(const oracle::Value& v) {
  if (v.sizes.empty()) return v.scalar.get_str();
  std::string out = "[";
  for (const oracle::Number& n : v.elements) out += n.get_str() + " ";
  return out + "]";
}

class Comparison {
 public:
  Comparison(const Ready& ready, core::FunctionId function)
      : ready_(ready), program_(*ready.program), function_(function) {}

  Agreement run(std::uint64_t seed) {
    const interp::Machine machine(program_);
    const auto inputs = interp::random_inputs(machine, function_, seed, {2, 3, 60});
    if (!inputs) return {};
    interp::Options options;
    options.limits.steps = 600;
    options.all_taken = true;
    interp::RandomChooser chooser(interp::mix(seed, 1), {interp::mix(seed, 2) % 4, 0.3});
    ours_ = machine.run(function_, *inputs, chooser, options);
    if (ours_.end == interp::End::Undecidable || ours_.end == interp::End::Impossible ||
        ours_.end == interp::End::Hung || ours_.end == interp::End::OriginalHung)
      return {};
    const std::vector<const syntax::Tree*>& trees = ready_.loaded.trees;
    const NameTable& names = const_cast<Ready&>(ready_).workspace.names();
    const oracle::Subject subject{
        trees, names,
        ready_.checked.model.valid()
            ? std::string(names.text(ready_.checked.models[ready_.checked.model].name))
            : "",
        program_.functions[function_].name};
    in_ = inputs_of(*inputs);
    add_functions();
    theirs_ = oracle::run(subject, in_, script(), {}, externals());
    if (theirs_.end == oracle::End::Undecidable || theirs_.end == oracle::End::OriginalHung ||
        theirs_.end == oracle::End::RelaxedHung)
      return {};
    // Ours gave up on a relaxed run that never ends, and then saw the original fail.
    if (ours_.end == interp::End::OriginalFailed && theirs_.end == oracle::End::NeedsDecision)
      return {};
    compare();
    return {true, difference_};
  }

 private:
  // What goes in -----------------------------------------------------------------------------

  // Core names are `model.x` for the picked model and `M.x` for another; the oracle's are
  // `x`, or `M.x`.
  static std::string plain_name(const std::string& name) {
    return name.starts_with("model.") ? name.substr(6) : name;
  }
  oracle::Inputs inputs_of(const interp::Inputs& in) const {
    oracle::Inputs out;
    for (core::VarId param : program_.functions[function_].params) {
      const core::Var& v = program_.vars[param];
      out.original[v.name] = value_of(in.values.original[param.value], v.type);
      out.relaxed[v.name] = value_of(in.values.relaxed[param.value], v.type);
    }
    for (const core::ConstantVar& c : program_.constants)
      if (!c.value.valid())
        out.constants[program_.vars[c.var].name] =
            value_of(in.values.relaxed[c.var.value], program_.vars[c.var].type);
    for (const core::StateVar& s : program_.model.states)
      if (!s.init.valid())
        out.state[plain_name(program_.vars[s.var].name)] =
            number_of(in.values.relaxed[s.var.value].scalar);
    return out;
  }
  // What they turned out to be, wherever they were asked.
  void add_functions() {
    if (ours_.tables == nullptr) return;
    for (const interp::Tables::Point& point : ours_.tables->points()) {
      std::vector<oracle::Number> args;
      for (const interp::Number& n : point.args) args.push_back(number_of(n));
      const std::string name = plain_name(program_.definitions[point.function].name);
      in_.functions[name][args] = number_of(point.value);
    }
  }
  // Specifications are numbered through all models in one, and by model in the other.
  [[nodiscard]] std::size_t in_its_model(std::uint32_t specification) const {
    std::size_t index = specification;
    std::vector<check::ModelId> models;
    if (ready_.checked.model.valid()) models.push_back(ready_.checked.model);
    models.insert(models.end(), ready_.checked.redo_models.begin(),
                  ready_.checked.redo_models.end());
    for (check::ModelId id : models) {
      const std::size_t count = ready_.checked.models[id].operators.size();
      if (index < count) return index;
      index -= count;
    }
    LETO_ASSERT(false);
  }
  [[nodiscard]] std::vector<oracle::Decision> script() const {
    std::vector<oracle::Decision> out;
    for (const interp::Taken& t : ours_.taken) {
      if (!program_.specifications[t.specification].of_model) continue;
      oracle::Decision d{in_its_model(t.specification), number_of(t.outcome), {}};
      for (const auto& [var, n] : t.states)
        d.state[plain_name(program_.vars[var].name)] = number_of(n);
      out.push_back(std::move(d));
    }
    return out;
  }
  [[nodiscard]] oracle::External externals() {
    return [this](const std::string&, const std::vector<oracle::Value>&,
                  bool original) -> std::optional<oracle::Value> {
      std::size_t& next = original ? next_original_ : next_relaxed_;
      for (; next < ours_.externals.size(); ++next) {
        const auto& one = ours_.externals[next];
        if ((one.side == Side::Original) != original) continue;
        ++next;
        return value_of(one.result, program_.vars[program_.functions[one.function].result()].type);
      }
      return std::nullopt;
    };
  }

  // What comes out ---------------------------------------------------------------------------

  void differ(std::string_view what, const std::string& ours, const std::string& theirs) {
    if (!difference_.empty()) return;
    difference_ = fmt::format("{}: interp says {}, the oracle says {} ({}; {})\n", what, ours,
                              theirs, ours_.why, theirs_.why);
    for (const auto& [name, value] : in_.original)
      difference_ += fmt::format("  {}<o> = {}, {}<r> = {}\n", name, text(value), name,
                                 text(in_.relaxed.at(name)));
    for (const interp::Taken& t : ours_.taken)
      difference_ += fmt::format("  line {}: {} instead of {}\n",
                                 ready_.line(program_.stmts[t.statement].span), t.outcome.text(),
                                 t.exact.text());
    difference_ +=
        fmt::format("  {}, {}\n", interp::describe(ours_.end), oracle::spelling(theirs_.end));
  }

  // Nobody runs a lemma, so no run fails by one.
  [[nodiscard]] static bool of_lemma(const oracle::Violated& v) {
    return std::string_view(v.kind).ends_with("of a lemma");
  }

  [[nodiscard]] static bool of_lemma(const interp::Violation& v) {
    return v.kind == interp::ViolationKind::LemmaRequires ||
           v.kind == interp::ViolationKind::LemmaEnsures;
  }

  void compare() {
    const bool original_broken =
        std::any_of(theirs_.violated.begin(), theirs_.violated.end(),
                    [](const oracle::Violated& v) { return v.original() && !of_lemma(v); });
    const std::string ends = end_of_ours(), other = end_of_theirs(original_broken);
    // That a specification can be taken and not followed cannot be said in a script.
    const bool unfollowed = ours_.end == interp::End::Stuck && theirs_.end != oracle::End::Stuck;
    if (unfollowed) return;
    if (ends != other) return differ("end", ends, other);
    if (ends == "original failed") return;  // nothing is claimed, and they stop at different times
    compare_accesses();
    compare_claims(ends == "done");
    if (ends == "done") compare_results();
  }
  [[nodiscard]] std::string end_of_ours() const {
    switch (ours_.end) {
      case interp::End::Done:
        return "done";
      case interp::End::OriginalFailed:
        return "original failed";
      case interp::End::AssertFailed:
      case interp::End::CheckFailed:
        return fmt::format("relaxed failed in line {}", ready_.line(ours_.where));
      case interp::End::Stuck:
        return "stuck";
      case interp::End::OriginalHung:
      case interp::End::Hung:
      case interp::End::Impossible:
      case interp::End::Undecidable:
        return "nothing";
    }
    LETO_ASSERT(false);
  }
  [[nodiscard]] std::string end_of_theirs(bool original_broken) const {
    if (original_broken) return "original failed";
    switch (theirs_.end) {
      case oracle::End::Done:
        return "done";
      case oracle::End::OriginalFailed:
        return "original failed";
      case oracle::End::RelaxedFailed:
        return fmt::format("relaxed failed in line {}", ready_.line(theirs_.where));
      case oracle::End::Stuck:
        return "stuck";
      case oracle::End::OriginalHung:
      case oracle::End::RelaxedHung:
      case oracle::End::Impossible:
      case oracle::End::NeedsDecision:
      case oracle::End::Undecidable:
      case oracle::End::BadInput:
      case oracle::End::Malformed:
        return std::string(oracle::spelling(theirs_.end));
    }
    LETO_ASSERT(false);
  }
  void compare_accesses() {
    std::vector<std::string> ours, theirs;
    const auto list = [](std::size_t line, const std::vector<oracle::Number>& operands,
                         const oracle::Number& exact) {
      std::string out = fmt::format("line {}:", line);
      for (const oracle::Number& n : operands) out += " " + n.get_str();
      return out + " gives " + exact.get_str();
    };
    for (const interp::Taken& t : ours_.taken) {
      if (!program_.specifications[t.specification].of_model) continue;
      std::vector<oracle::Number> operands;
      for (const interp::Number& n : t.arguments) operands.push_back(number_of(n));
      ours.push_back(
          list(ready_.line(program_.stmts[t.statement].span), operands, number_of(t.exact)));
    }
    for (const oracle::Access& a : theirs_.accesses)
      if (a.mentioned() && a.taken) theirs.push_back(list(ready_.line(a.at), a.operands, a.exact));
    compare_lists("access", ours, theirs);
  }
  // Where the relaxed run does not come to its end, one of them goes on with the original: what
  // lemmas say of that is not compared.
  void compare_claims(bool done) {
    std::vector<std::string> ours, theirs;
    for (const interp::Violation& v : ours_.violations) {
      if (!done && of_lemma(v) && v.side == Side::Original) continue;
      // A requirement of both runs has the same name as one of one run.
      std::string kind(interp::describe(v.kind));
      if (v.kind == interp::ViolationKind::Requires && is_relational(v.expr)) kind = "requires_r";
      ours.push_back(fmt::format("{} in line {}", kind, ready_.line(v.span)));
    }
    for (const oracle::Violated& v : theirs_.violated)
      if (done || !of_lemma(v) || !v.original())
        theirs.push_back(fmt::format("{} in line {}", v.kind, ready_.line(v.span)));
    constexpr std::size_t kKept = 100;  // the interpreter keeps no more
    if (ours.size() == kKept && theirs.size() > kKept) theirs.resize(kKept);
    compare_lists("claim that does not hold", ours, theirs);
  }
  [[nodiscard]] bool is_relational(core::ExprId expr) const {
    for (const core::Function& f : program_.functions)
      for (const core::Clause& clause : f.requires_)
        if (clause.expr == expr) return clause.relational;
    return false;
  }
  void compare_lists(std::string_view what, const std::vector<std::string>& ours,
                     const std::vector<std::string>& theirs) {
    for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
      const std::string a = i < ours.size() ? ours[i] : "none";
      const std::string b = i < theirs.size() ? theirs[i] : "none";
      if (a != b) return differ(fmt::format("{} {}", what, i), a, b);
    }
  }
  void compare_results() {
    const std::vector<core::VarId>& results = program_.functions[function_].results;
    const auto compare = [&](const char* who, const std::vector<interp::Value>& ours,
                             const std::vector<oracle::Value>& theirs) {
      for (std::size_t i = 0; i < results.size(); ++i) {
        const core::Type& type = program_.vars[results[i]].type;
        const std::string a = i < ours.size() ? text(value_of(ours[i], type)) : "none";
        const std::string b = i < theirs.size() ? text(theirs[i]) : "none";
        if (a != b) differ(fmt::format("result {} of the {} run", i, who), a, b);
      }
    };
    compare("original", ours_.original, theirs_.all_original);
    compare("relaxed", ours_.relaxed, theirs_.all_relaxed);
  }

  const Ready& ready_;
  const core::Program& program_;
  core::FunctionId function_;
  oracle::Inputs in_;
  interp::Outcome ours_;
  oracle::Report theirs_;
  std::size_t next_original_ = 0, next_relaxed_ = 0;
  std::string difference_;
};

}  // namespace

Agreement compare_interpreters(const Ready& ready, core::FunctionId function, std::uint64_t seed) {
  return Comparison(ready, function).run(seed);
}

}  // namespace leto::soundness

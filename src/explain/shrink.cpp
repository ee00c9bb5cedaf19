// A plan made smaller, one change at a time; each change stays if the claim is still broken.
#include <algorithm>

#include "explain/explain.h"

namespace leto::explain {

using interp::Number;

namespace {

class Shrinker {
 public:
  Shrinker(const Subject& subject, const Target& target, Plan& plan, unsigned tries)
      : subject_(subject), target_(target), plan_(plan), tries_(tries) {}

  void run() {
    cut_off();
    for (bool again = true; again && tries_ > 0;) {
      again = drop_faults();
      again = numbers() || again;
      again = outcomes() || again;
      again = functions() || again;
    }
  }

 private:
  // Whether the changed plan still breaks the claim; then it is the plan.
  bool keep(Plan changed) {
    if (tries_ == 0) return false;
    --tries_;
    if (interp::unmet(subject_.machine, subject_.function, changed.inputs)) return false;
    interp::Options options;
    options.limits.steps = subject_.run_steps;
    interp::ScriptChooser script(changed.faults);
    const interp::Outcome o =
        subject_.machine.run(subject_.function, changed.inputs, script, options);
    if (!broken(target_, o)) return false;
    // What was really taken: a fault may be none any more, or belong to a site that is not
    // reached.
    if (o.taken.size() > plan_.faults.size()) return false;
    changed.faults = o.taken;
    plan_ = std::move(changed);
    return true;
  }

  // What comes behind the break is not needed for it, and there may be much of it.
  void cut_off() {
    for (std::size_t left = plan_.faults.size() / 2; left > 0; left /= 2) {
      Plan changed = plan_;
      changed.faults.resize(std::min(left, changed.faults.size()));
      if (!keep(std::move(changed))) return;
      left = plan_.faults.size();
    }
  }

  bool drop_faults() {
    bool any = false;
    for (std::size_t i = plan_.faults.size(); i-- > 0;) {
      if (i >= plan_.faults.size()) continue;
      Plan changed = plan_;
      changed.faults.erase(changed.faults.begin() + static_cast<std::ptrdiff_t>(i));
      any = keep(std::move(changed)) || any;
    }
    return any;
  }

  static std::size_t ugliness(const Number& n) {
    return n.text().size() * 2 + (n.is_integer() ? 0 : 3) + (n.sign() < 0 ? 1 : 0);
  }
  // Numbers that a person would rather see, best first.
  static std::vector<Number> nicer(const Number& n, const Number& towards) {
    std::vector<Number> out{towards, 0, 1, 2, -1, 3, interp::quotient(1, 2), 10};
    if (!n.is_integer()) {
      out.push_back(n.floor());
      out.push_back(n.ceiling());
      out.push_back(interp::quotient((n * Number(2)).floor(), 2));
      out.push_back(interp::quotient((n * Number(10)).floor(), 10));
    } else {
      out.push_back(interp::quotient(n, 2).floor());
      out.push_back(interp::quotient(n, 10).floor());
      out.push_back(n - Number(n.sign()));
    }
    std::erase_if(out, [&](const Number& other) {
      return other == n || ugliness(other) >= ugliness(n) + (n.sign() < 0 ? 1u : 0u);
    });
    return out;
  }

  bool one_number(const std::function<Number&(Plan&, core::Side)>& of, const core::Type& type) {
    const Number original = of(plan_, core::Side::Original),
                 relaxed = of(plan_, core::Side::Relaxed);
    const interp::Domain domain{type, {}, {}, 0};
    if (!(original == relaxed)) {  // equal ones first
      for (const Number& n : {original, relaxed}) {
        Plan changed = plan_;
        of(changed, core::Side::Original) = of(changed, core::Side::Relaxed) = n;
        if (keep(std::move(changed))) return true;
      }
    }
    for (core::Side side : {core::Side::Original, core::Side::Relaxed}) {
      const Number now = of(plan_, side);
      for (const Number& n : nicer(now, 0)) {
        if (!domain.contains(n)) continue;
        Plan changed = plan_;
        of(changed, side) = n;
        if (original == relaxed)
          of(changed, core::Side::Original) = of(changed, core::Side::Relaxed) = n;
        if (keep(std::move(changed))) return true;
      }
      if (original == relaxed) break;
    }
    return false;
  }

  bool numbers() {
    const core::Program& program = subject_.machine.program();
    const core::Function& f = program.functions[subject_.function];
    bool any = false;
    std::vector<core::VarId> vars = f.params;
    for (const core::ConstantVar& c : program.constants)
      if (!c.value.valid()) vars.push_back(c.var);
    if (subject_.any_state)
      for (const core::StateVar& s : program.model.states) vars.push_back(s.var);
    for (core::VarId var : vars) {
      const core::Type type = program.vars[var].type.element();
      if (program.vars[var].type.rank == 0) {
        any = one_number(
                  [&](Plan& plan, core::Side side) -> Number& {
                    return plan.inputs.values.side(side)[var.value].scalar;
                  },
                  type) ||
              any;
        continue;
      }
      const auto size = [&](core::Side side) {
        const auto& v = plan_.inputs.values.side(side)[var.value];
        return v.array ? v.array->elements.size() : 0;
      };
      if (size(core::Side::Original) != size(core::Side::Relaxed)) continue;
      for (std::size_t k = 0; k < size(core::Side::Original); ++k)
        any = one_number(
                  [&](Plan& plan, core::Side side) -> Number& {
                    auto& v = plan.inputs.values.side(side)[var.value];
                    // Not shared with another plan or run any more.
                    v.array = std::make_shared<interp::Array>(*v.array);
                    return v.array->elements[k];
                  },
                  type) ||
              any;
    }
    return any;
  }

  // Functions that nobody knows are false or zero wherever that will do.
  bool functions() {
    bool any = false;
    for (std::size_t i = 0;
         plan_.inputs.values.tables && i < plan_.inputs.values.tables->points().size(); ++i) {
      const interp::Tables::Point point = plan_.inputs.values.tables->points()[i];
      if (point.value.sign() == 0) continue;
      Plan changed = plan_;
      changed.inputs.values.tables = std::make_shared<interp::Tables>(*plan_.inputs.values.tables);
      changed.inputs.values.tables->set(point.function, point.args, 0);
      any = keep(std::move(changed)) || any;
    }
    return any;
  }

  bool outcomes() {
    bool any = false;
    for (std::size_t i = 0; i < plan_.faults.size(); ++i) {
      const interp::Taken taken = plan_.faults[i];
      std::vector<Number> wanted = nicer(taken.outcome, taken.exact + Number(1));
      for (const Number& n : wanted) {
        if (n == taken.exact) continue;
        Plan changed = plan_;
        changed.faults[i].outcome = n;
        if (keep(std::move(changed))) {
          any = true;
          break;
        }
      }
    }
    return any;
  }

  const Subject& subject_;
  const Target& target_;
  Plan& plan_;
  unsigned tries_;
};

}  // namespace

void shrink(const Subject& subject, const Target& target, Plan& plan, unsigned tries) {
  Shrinker(subject, target, plan, tries).run();
}

}  // namespace leto::explain

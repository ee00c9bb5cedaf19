#include "oracle/oracle.h"

#include "oracle/machine.h"

namespace leto::oracle {

std::string_view spelling(End end) {
  switch (end) {
    case End::Done:
      return "done";
    case End::OriginalFailed:
      return "original failed";
    case End::RelaxedFailed:
      return "relaxed failed";
    case End::Stuck:
      return "stuck";
    case End::OriginalHung:
      return "original hung";
    case End::RelaxedHung:
      return "relaxed hung";
    case End::Impossible:
      return "impossible";
    case End::NeedsDecision:
      return "needs a decision";
    case End::Undecidable:
      return "undecidable";
    case End::BadInput:
      return "bad input";
    case End::Malformed:
      return "malformed";
  }
  LETO_ASSERT(false);
}

std::string default_model(const std::vector<const syntax::Tree*>& trees, const NameTable& names) {
  const Program program(trees, names);
  if (program.used_models().empty()) return {};
  return std::string(names.text(program.used_models().front()));
}

Report run(const Subject& subject, const Inputs& inputs, const Chooser& chooser,
           const Limits& limits, const External& external) {
  return Machine(subject, inputs, chooser, limits, external).run();
}

Report run(const Subject& subject, const Inputs& inputs, const std::vector<Decision>& script,
           const Limits& limits, const External& external) {
  std::size_t next = 0;
  const Chooser follow = [&](const Access&, const Sample&) -> std::optional<Decision> {
    if (next >= script.size()) return std::nullopt;
    return script[next++];
  };
  return run(subject, inputs, follow, limits, external);
}

Exploration explore(const Subject& subject, const Inputs& inputs, std::size_t most,
                    const std::function<bool(const Report&)>& visit, const Limits& limits,
                    const External& external) {
  struct Branch {
    std::vector<Decision> choices;
    std::size_t at = 0;
  };
  std::vector<Branch> path;
  Exploration exploration;
  while (true) {
    std::size_t depth = 0;
    const Chooser choose = [&](const Access&, const Sample& sample) -> std::optional<Decision> {
      if (depth == path.size()) path.push_back({sample(), 0});
      const Branch& branch = path[depth++];
      if (branch.choices.empty()) return std::nullopt;
      return branch.choices[branch.at];
    };
    const Report report = run(subject, inputs, choose, limits, external);
    ++exploration.runs;
    const bool go_on = visit(report);
    while (!path.empty() && path.back().at + 1 >= path.back().choices.size()) path.pop_back();
    if (path.empty()) return exploration;
    ++path.back().at;
    if (!go_on || exploration.runs >= most) {
      exploration.complete = false;
      return exploration;
    }
  }
}

}  // namespace leto::oracle

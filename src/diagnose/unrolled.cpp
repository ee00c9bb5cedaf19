#include "diagnose/unrolled.h"

#include <algorithm>
#include <chrono>

#include "explain/reading.h"
#include "prove/examine.h"

namespace leto::diagnose {

namespace {

// Of a claim of the original run alone the solver was not asked for the other one: it may as well
// begin alike.
bool can_be_run(const explain::Subject& subject, const explain::Target& target,
                const vcgen::Obligation& o, explain::Plan& plan) {
  if (explain::replay(subject, target, plan)) return true;
  if (o.side != core::Side::Original) return false;
  plan.inputs.values.relaxed = plan.inputs.values.original;
  return explain::replay(subject, target, plan).has_value();
}

}  // namespace

std::optional<explain::Plan> unrolled(const explain::Subject& subject,
                                      const explain::Target& target, const vcgen::Obligation& o,
                                      prove::Engine& engine, unsigned most,
                                      const Allowance* allowance) {
  const core::Program& program = subject.machine.program();
  const auto start = std::chrono::steady_clock::now();
  std::optional<explain::Plan> found;
  const int largest = std::max(3, static_cast<int>(std::min(most, 8u)));
  for (const bool integers : {true, false})
    for (int size = 1; size <= largest; ++size) {
      if (spent(allowance) || std::chrono::steady_clock::now() - start > std::chrono::seconds(6))
        return {};
      vcgen::Options options;
      options.bounds = vcgen::Bounds{size,
                                     std::max(static_cast<unsigned>(size) + 1, most),
                                     integers,
                                     o.side == core::Side::Original,
                                     std::max(1u, most),
                                     {o.claim}};
      options.most_steps = 20'000;
      options.allowance = allowance;
      logic::TermTable terms;
      vcgen::NoJudge none;
      const vcgen::Result walked =
          vcgen::Generator(program, options).function(subject.function, terms, none);
      if (walked.incomplete) break;
      if (walked.obligations.empty()) continue;
      std::vector<logic::Term> goals, hypotheses;
      for (const vcgen::Obligation& instance : walked.obligations) {
        goals.push_back(instance.question.goal);
        hypotheses.insert(hypotheses.end(), instance.question.hypotheses.begin(),
                          instance.question.hypotheses.end());
        hypotheses.insert(hypotheses.end(), instance.question.array_facts.begin(),
                          instance.question.array_facts.end());
      }
      std::sort(hypotheses.begin(), hypotheses.end());
      hypotheses.erase(std::unique(hypotheses.begin(), hypotheses.end()), hypotheses.end());
      const logic::Term goal = terms.and_(goals);
      explain::Reading reading(subject.machine, terms, walked.obligations.back().origins, size);
      prove::Examiner examiner(terms, engine);
      if (integers) hypotheses.push_back(reading.within(4));
      // With any number of faults; if there is a model, with one or two.
      for (const std::size_t faults : {std::size_t{1000}, std::size_t{1}, std::size_t{2}}) {
        std::vector<logic::Term> all = hypotheses;
        if (faults < 1000) all.push_back(reading.at_most(faults));
        const auto values = examiner.model(all, goal, reading.asked());
        if (!values && faults == 1000) break;
        if (!values) continue;
        if (auto plan = reading.plan(*values); plan && can_be_run(subject, target, o, *plan))
          found = std::move(plan);
        if (found && found->faults.size() <= 1) break;
      }
      if (found) return found;
    }
  return std::nullopt;
}

}  // namespace leto::diagnose

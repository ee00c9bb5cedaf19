#include "report/reliability_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "report/place.h"
#include "report/screen.h"

namespace leto::report {

using checks::Doubt;
using checks::RateSearch;
using reliability::Bound;
using reliability::Verdict;
using workbench::Examined;

using nlohmann::json;
using reliability::Known;

namespace {

std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::Fails:
      return "FAILS";
    case Verdict::Undecided:
      return "unknown";
  }
  LETO_ASSERT(false);
}

std::string_view word(Known::Mending mending) {
  switch (mending) {
    case Known::Mending::No:
      return "no";
    case Known::Mending::Again:
      return "again";
    case Known::Mending::Proved:
      return "proved";
  }
  LETO_ASSERT(false);
}

std::string listed(const vcgen::Trusted& t) {
  return fmt::format("{} assertions, {} checks, {} invariants and contracts, {} assumptions",
                     t.assertions, t.checks, t.invariants, t.assumed);
}

json as_json(const vcgen::Trusted& t) {
  return {{"assertions", t.assertions},
          {"checks", t.checks},
          {"invariants", t.invariants},
          {"assumed", t.assumed}};
}

std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// Of what is lost.
double percent(const Bound& b, const reliability::Share& share) {
  double sum = 0;
  for (const reliability::Share& one : b.analysis.shares) sum += one.weight;
  return sum > 0 && std::isfinite(sum) ? 100 * share.weight / sum : 100;
}

}  // namespace

std::string ReliabilityReport::where(const Span& span) const {
  return place(sources_, span);
}

std::string ReliabilityReport::text() const {
  std::string out, last;
  for (std::size_t i = 0; i < e_.program.recoveries.size() && e_.options.recovery_rule; ++i) {
    const std::string one = recovery(i);  // the attempts of one 'redo' have one line
    if (one != last) out += one;
    last = one;
  }
  for (const core::Function& f : e_.program.functions)
    for (const core::ReliabilityClause& clause : f.reliability)
      if (f.external())
        out += fmt::format("  declared {}: {}\n", where(clause.span), sources_.text(clause.span));
  for (const Bound& b : e_.bounds) out += bound(b);
  if (e_.bounds.empty())
    return out + "  there is no bound: write 'reliability 0.99 <= R(result)' before a function\n";
  return out + rests_on();
}

// Recoveries -------------------------------------------------------------------------------------

std::string ReliabilityReport::recovery(std::size_t i) const {
  std::string out =
      fmt::format("  {}: the check is {}\n", where(e_.program.recoveries[i].span), check(i));
  const auto it = e_.options.recoveries.find(i);
  if (it != e_.options.recoveries.end()) out += mending(i);
  if (it == e_.options.recoveries.end() || it->second.mending == Known::Mending::No)
    out += "          until then the block counts as any other branch\n";
  return out;
}

std::string ReliabilityReport::check(std::size_t i) const {
  const auto it = e_.options.recoveries.find(i);
  if (it != e_.options.recoveries.end() && it->second.check_proved)
    return "proved to pass only what is right";
  const core::Recovery& r = e_.program.recoveries[i];
  if (it != e_.options.recoveries.end() && it->second.declared)
    return fmt::format("declared as '{}': false positives {}, false negatives {}", r.checker,
                       r.false_positive, r.false_negative);
  const Doubt& doubt = e_.recoveries.checks.at(i);
  if (!r.checker.empty())
    return fmt::format(
        "declared as '{}', which is not so: {}\n{}          declare how often that happens",
        r.checker, doubt.text, example(doubt));
  return fmt::format(
      "not proved to pass only what is right: {}\n{}          declare a checker with its rates",
      doubt.text, example(doubt));
}

std::string ReliabilityReport::mending(std::size_t i) const {
  switch (e_.options.recoveries.at(i).mending) {
    case Known::Mending::Again:
      return "          'recover' does what 'try' does again, from what 'try' started from\n";
    case Known::Mending::Proved:
      return "          'recover' is proved to compute what 'try' should have computed\n";
    case Known::Mending::No: {
      const Doubt& doubt = e_.recoveries.mendings.at(i);
      return fmt::format("          'recover' is not proved to put things right: {}\n{}",
                         doubt.text, example(doubt));
    }
  }
  LETO_ASSERT(false);
}

// The run that shows what is wrong.
std::string ReliabilityReport::example(const Doubt& doubt) const {
  if (doubt.inputs.empty() && doubt.faults.empty()) return "";
  std::string with, because;
  for (const auto& [name, value] : doubt.told)
    with += fmt::format("{}{} = {}", with.empty() ? "" : ", ", name, value);
  for (const Doubt::Fault& fault : doubt.faults)
    because += fmt::format("{} '{}' at {} gives {} instead of {}", because.empty() ? "" : " and",
                           fault.what, where(fault.at), fault.outcome, fault.exact);
  return fmt::format("          as with {}{}{}\n", with, because.empty() ? "" : ", where", because);
}

// Bounds -----------------------------------------------------------------------------------------

std::string ReliabilityReport::bound(const Bound& b) const {
  std::string out = fmt::format("  {:<7} {}: {}\n", word(b.verdict), where(b.clause->span),
                                sources_.text(b.clause->span));
  out += what_was_found(b);
  for (std::size_t k = 0; k < b.analysis.shares.size(); ++k)
    if (const reliability::Share& share = b.analysis.shares[k]; k < 5 || explain_)
      out += fmt::format("          {:5.1f} %  {}: {}\n", percent(b, share), where(share.at),
                         share.what);
  out += rests_on(b);
  if (!b.holds()) out += why_not_right(b) + advice(b);
  return explain_ ? out + needed(b) : out;
}

std::string ReliabilityReport::what_was_found(const Bound& b) const {
  const std::string best = reliability::text(e_.program, b.analysis.before);
  std::string out =
      b.unshown.empty()
          ? fmt::format("          proved: {}\n", best)
          : fmt::format(
                "          it rests on the clause of '{}', which does not hold: with it, {}\n",
                b.unshown, best);
  if (b.analysis.guard)
    out += fmt::format("          guarded at {}: what the check passes is right\n",
                       where(e_.program.recoveries[*b.analysis.guard].span));
  if (!b.missing.empty())
    out += fmt::format("          it depends on {}, which the bound does not name\n", b.missing);
  for (const reliability::Problem& problem : b.analysis.problems)
    out += fmt::format("          {}: {}\n", where(problem.at), problem.text);
  return out + by_counting(b);
}

// What a proof that so many faults are borne has given, or why there is none.
std::string ReliabilityReport::by_counting(const Bound& b) const {
  if (!b.counting || !e_.options.recovery_rule) return "";
  const reliability::Exposure& exposure = b.counting->exposure;
  const std::string struck =
      fmt::format("{} under the model, each with a chance of at most {} to go wrong",
                  counted(exposure.sites, "operation"), exposure.rate.text(18));
  if (b.counting->done)
    return fmt::format("          by counting: it is proved to bear {}, and meets at most {}\n",
                       counted(*b.counting->faults, "fault"), struck);
  const auto it = e_.budgets.find(clause_of(e_.program, b));
  if (it != e_.budgets.end())
    return fmt::format("          if it bore {} it would hold, of at most {}; {}\n",
                       counted(it->second.faults, "fault"), struck, it->second.why_not);
  std::string out;
  if (explain_)
    for (const reliability::Problem& problem : exposure.problems)
      out += fmt::format("          faults are not counted: {}: {}\n", where(problem.at),
                         problem.text);
  return out;
}

// What is not known of what a problem calls right.
const std::vector<Doubt>& ReliabilityReport::doubts_about_right(const Bound& b) const {
  static const std::vector<Doubt> kNone;
  const auto it = e_.recoveries.right_doubts.find(key_of(b));
  return it == e_.recoveries.right_doubts.end() ? kNone : it->second;
}
reliability::ClauseKey ReliabilityReport::key_of(const Bound& b) const {
  const auto& clauses = e_.program.functions[b.function].reliability;
  return {b.function, static_cast<std::size_t>(b.clause - clauses.data())};
}
std::string ReliabilityReport::why_not_right(const Bound& b) const {
  std::string out;
  for (const Doubt& doubt : doubts_about_right(b))
    out += fmt::format("          not proved of {}\n{}", doubt.text, example(doubt));
  return out;
}

// What would make a bound hold.
std::string ReliabilityReport::advice(const Bound& b) const {
  if (!b.analysis.problems.empty() || !b.missing.empty() || !b.unshown.empty() ||
      b.analysis.shares.empty() || !e_.options.recovery_rule)
    return "";
  std::string out;
  for (const core::ConstantVar& c : e_.program.constants) {
    // What is proved of a problem is proved with the rates that there are.
    if (b.clause->relaxed.valid() || !reliability::is_only_a_rate(e_.program, c.var)) continue;
    const auto most = search_.largest(c.var, [&](const reliability::Options& with) {
      return decide(e_.program, b.function, *b.clause, with).holds();
    });
    if (most)
      out += fmt::format("    next  it would hold with {} of at most {}\n",
                         e_.program.vars[c.var].name, *most);
  }
  return out + fmt::format("    next  {}{}\n", out.empty() ? "" : "or: ", where_most_is_lost(b));
}

std::string ReliabilityReport::where_most_is_lost(const Bound& b) const {
  const reliability::Share& first = b.analysis.shares[0];
  bool unused = false;
  for (std::size_t i = 0; i < e_.program.recoveries.size(); ++i) {
    const Span& span = e_.program.recoveries[i].span;
    unused = unused || (!b.analysis.recoveries.contains(i) && span.file == first.at.file &&
                        span.begin <= first.at.begin && first.at.end <= span.end);
  }
  std::string_view what;
  switch (first.kind) {
    case reliability::Share::Kind::Recovery:
      what = "recover on better hardware ('redo under' another model), or check better";
      break;
    case reliability::Share::Kind::Call:
      what = "the function's own clause may promise too little";
      break;
    case reliability::Share::Kind::Operation:
      what = "put it into 'try', check what it computes, and recover";
      break;
  }
  if (unused) what = "'try' gains nothing as long as the rule for recovery cannot be used";
  return fmt::format("most is lost at {}: {}", where(first.at), what);
}

// What is needed before each line. Where a loop comes more than once, its last iterations need
// other variables than those before them.
std::string ReliabilityReport::needed(const Bound& b) const {
  std::string out = "          needed before each line:\n";
  std::uint32_t last = 0;
  for (const auto& [at, what] : b.analysis.trail) {
    const SourceFile& file = sources_[at.file];
    const std::uint32_t line_number = file.line_of(at.begin);
    if (line_number == last) continue;  // a part of the line needs what the line needs
    last = line_number;
    std::string line = visible(file.line_text(line_number));
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.size() > 44) line = line.substr(0, 41) + "...";
    out += fmt::format("          {:>5} | {:<44}  {}\n", line_number, line, what);
  }
  return out;
}

// What is taken for granted -----------------------------------------------------------------------

// Also by way of clauses of functions that are called.
void ReliabilityReport::add_used(const Bound& b, std::set<std::size_t>& used,
                                 std::set<core::FunctionId>& seen) const {
  used.insert(b.analysis.recoveries.begin(), b.analysis.recoveries.end());
  for (const Bound& other : e_.bounds)
    if (other.clause->of_result && b.analysis.relies_on.contains(other.function) &&
        seen.insert(other.function).second)
      add_used(other, used, seen);
}

vcgen::Trusted ReliabilityReport::trusted(const std::vector<Bound>& bounds) const {
  std::set<std::size_t> used;
  std::set<core::FunctionId> seen;
  for (const Bound& b : bounds) add_used(b, used, seen);
  vcgen::Trusted sum;
  for (std::size_t i : used)
    if (const auto it = e_.recoveries.trusted.find(i); it != e_.recoveries.trusted.end())
      sum.add(it->second);
  for (const Bound& b : bounds)
    if (const auto it = e_.recoveries.right_trusted.find(key_of(b));
        it != e_.recoveries.right_trusted.end())
      sum.add(it->second);
  return sum;
}

// Of one bound; nothing if its proofs took nothing for granted.
std::string ReliabilityReport::rests_on(const Bound& b) const {
  const vcgen::Trusted t = trusted({b});
  if (t.assertions + t.checks + t.invariants + t.assumed == 0) return "";
  return "          trusted of the original run, not proved: " + listed(t) + "\n";
}

std::string ReliabilityReport::rests_on() const {
  std::string out =
      "  all of this rests on an original run that ends and does not fail; 'leto verify' proves "
      "that "
      "it does not fail";
  const std::vector<std::string> externals = core::externals_called(e_.program);
  for (std::size_t k = 0; k < externals.size(); ++k)
    out += (k == 0 ? "\n  and on what is declared of external functions: " : ", ") + externals[k];
  std::set<std::string> checkers;
  for (const auto& [i, known] : e_.options.recoveries)
    if (!known.check_proved && known.declared) checkers.insert(e_.program.recoveries[i].checker);
  std::string head = "\n  and on the rates that are declared of checkers: ";
  for (const std::string& checker : checkers) out += std::exchange(head, ", ") + checker;
  return out + "\n";
}

// JSON -------------------------------------------------------------------------------------------

json ReliabilityReport::machine() const {
  json checks = json::array(), declared = json::array(), bounds = json::array();
  for (std::size_t i = 0; i < e_.program.recoveries.size(); ++i)
    if (json one = recovery_as_json(i); checks.empty() || checks.back() != one)
      checks.push_back(std::move(one));
  for (const core::Function& f : e_.program.functions)
    for (const core::ReliabilityClause& clause : f.reliability)
      if (f.external()) declared.push_back(clause_as_json(f, clause));
  for (const Bound& b : e_.bounds) bounds.push_back(bound_as_json(b));
  return {{"model", e_.program.model.name},
          {"checks", std::move(checks)},
          {"declared", std::move(declared)},
          {"bounds", std::move(bounds)},
          {"rests_on",
           {{"original_run", as_json(trusted(e_.bounds))},
            {"external_functions", core::externals_called(e_.program)}}}};
}

json ReliabilityReport::recovery_as_json(std::size_t i) const {
  json out{{"place", where(e_.program.recoveries[i].span)}, {"known", "no"}, {"recover", "no"}};
  const auto it = e_.options.recoveries.find(i);
  if (it != e_.options.recoveries.end()) {
    if (it->second.declared) out["known"] = "declared";
    if (it->second.check_proved) out["known"] = "proved";
    out["recover"] = word(it->second.mending);
  }
  if (const auto doubt = e_.recoveries.checks.find(i); doubt != e_.recoveries.checks.end())
    out.update(doubt_as_json(doubt->second));
  if (const auto doubt = e_.recoveries.mendings.find(i); doubt != e_.recoveries.mendings.end())
    out["recover_doubt"] = doubt_as_json(doubt->second);
  return out;
}

json ReliabilityReport::doubt_as_json(const Doubt& doubt) const {
  json out{{"doubt", doubt.text}};
  if (doubt.undecided) out["undecided"] = true;
  for (const auto& [name, value] : doubt.inputs) out["inputs"][name] = value;
  for (const Doubt::Fault& fault : doubt.faults)
    out["faults"].push_back({{"place", where(fault.at)},
                             {"operation", fault.what},
                             {"outcome", fault.outcome},
                             {"exact", fault.exact}});
  return out;
}

json ReliabilityReport::bound_as_json(const Bound& b) const {
  json problems = json::array(), shares = json::array();
  for (const reliability::Problem& problem : b.analysis.problems)
    problems.push_back({{"place", where(problem.at)}, {"text", problem.text}});
  for (const reliability::Share& share : b.analysis.shares)
    shares.push_back(
        {{"place", where(share.at)}, {"what", share.what}, {"percent", percent(b, share)}});
  json one = clause_as_json(e_.program.functions[b.function], *b.clause);
  one["holds"] = b.holds();
  one["undecided"] = b.verdict == Verdict::Undecided;
  one["trusted_of_original"] = as_json(trusted({b}));
  one["chance"] = b.analysis.before.chance.text(18);
  one["problems"] = std::move(problems);
  if (b.analysis.guard) one["guarded"] = where(e_.program.recoveries[*b.analysis.guard].span);
  one["shares"] = std::move(shares);
  for (const Doubt& doubt : doubts_about_right(b)) one["doubts"].push_back(doubt_as_json(doubt));
  if (!b.missing.empty()) one["depends_on"] = b.missing;
  if (b.counting && e_.options.recovery_rule) one["counting"] = counting_as_json(b);
  if (!b.unshown.empty()) one["rests_on"] = b.unshown;
  return one;
}

json ReliabilityReport::counting_as_json(const Bound& b) const {
  const reliability::Exposure& exposure = b.counting->exposure;
  json problems = json::array();
  for (const reliability::Problem& problem : exposure.problems)
    problems.push_back({{"place", where(problem.at)}, {"text", problem.text}});
  json out{{"operations", exposure.sites},
           {"rate", exposure.rate.text(18)},
           {"problems", std::move(problems)},
           {"used", b.counting->done}};
  if (b.counting->faults) out["faults"] = *b.counting->faults;
  const auto it = e_.budgets.find(clause_of(e_.program, b));
  if (it != e_.budgets.end() && !it->second.proved) out["not_proved"] = it->second.why_not;
  return out;
}

json ReliabilityReport::clause_as_json(const core::Function& f,
                                       const core::ReliabilityClause& c) const {
  return {{"function", f.name}, {"place", where(c.span)}, {"clause", sources_.text(c.span)}};
}

}  // namespace leto::report

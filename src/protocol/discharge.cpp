#include "protocol/discharge.h"

#include <algorithm>
#include <map>
#include <set>

#include "logic/smtlib.h"
#include "solver/answers.h"

namespace leto::protocol {

using logic::Term;
using logic::TermTable;
using transition::Answer;

Examiner::Examiner(const Share& share, const Allowance& allowance)
    : share_(share),
      allowance_(allowance),
      slice_{share.cpu_seconds},
      begun_(std::chrono::steady_clock::now()) {}

double Examiner::left() const {
  if (share_.seconds <= 0) return slice_.seconds;
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begun_;
  return std::min(slice_.seconds, share_.seconds - gone.count());
}

// A session that has not answered in time is of no use any more.
std::optional<std::string> Examiner::reply_to(const std::string& text, double most) {
  transition::Slice now{std::min(most, left())};
  if (now.seconds <= 0 || allowance_.spent()) return std::nullopt;
  if (!session_)
    session_ = std::make_unique<transition::Session>(transition::z3_session(), share_.memory_mb);
  const double given = now.seconds;
  session_->ask(text);
  std::optional<std::string> reply = session_->wait(now, allowance_);
  slice_.seconds -= given - now.seconds;
  if (!reply) session_ = nullptr;
  return reply;
}

Answer Examiner::ask(const std::string& text, double most) {
  const auto reply = reply_to(
      "(reset)\n" + transition::session_prelude(solver::Dialect::Z3) + text + "(check-sat)\n",
      most);
  return reply ? transition::answer_in(*reply) : Answer::Unknown;
}

std::vector<std::string> Examiner::values(const std::vector<std::string>& terms) {
  if (terms.empty() || !session_) return {};
  std::string list;
  for (const std::string& term : terms) list += " " + term;
  const auto reply = reply_to("(get-value (" + list + "))\n", 1);
  return reply ? solver::values_in(*reply, terms.size()) : std::vector<std::string>{};
}

namespace {

constexpr std::size_t kMostShown = 8;  // values of an example

// An obligation that comes many times, as what is unrolled does.
using Same = std::vector<const Obligation*>;

std::set<Term> parts_of(const TermTable& table, Term formula) {
  std::set<Term> seen;
  std::vector<Term> to_do{formula};
  while (!to_do.empty()) {
    const Term term = to_do.back();
    to_do.pop_back();
    if (!seen.insert(term).second) continue;
    to_do.insert(to_do.end(), table[term].args.begin(), table[term].args.end());
  }
  return seen;
}

// What an example tells, the most interesting first: what was chosen before, what the goal reads,
// and then what else the formula reads.
std::vector<Shown> worth_telling(const Lowered& lowered, const Obligation& one) {
  const TermTable& t = *lowered.system.terms;
  const std::set<Term> all = parts_of(t, one.formula);
  const std::set<Term> goal = one.goal.valid() ? parts_of(t, one.goal) : std::set<Term>{};
  std::vector<Shown> out;
  for (std::size_t i = one.told_begin; i < one.told_end; ++i)
    if (goal.contains(lowered.told[i].value)) out.push_back(lowered.told[i]);
  for (std::size_t i = one.told_begin; i < one.told_end; ++i)
    if (!goal.contains(lowered.told[i].value)) out.push_back(lowered.told[i]);
  for (const bool of_goal : {true, false})
    for (const transition::Variable& variable : lowered.system.variables)
      if (all.contains(variable.now) && goal.contains(variable.now) == of_goal)
        out.push_back({variable.name, variable.now, variable.enumeration});
  return out;
}

std::string named_value(const Lowered& lowered, const Shown& shown, const std::string& raw) {
  std::string value = logic::readable(raw);
  const bool number = !value.empty() && value.size() < 6 &&
                      value.find_first_not_of("0123456789") == std::string::npos;
  if (!shown.enumeration || !number) return value;
  const auto& values = lowered.system.enumerations[*shown.enumeration].values;
  const std::size_t at = std::stoul(value);
  return at < values.size() ? values[at] : value;
}

// Of one that was just refuted.
std::string tell_example(const Lowered& lowered, const Obligation& one, logic::SmtWriter& writer,
                         Examiner& examiner) {
  std::vector<Shown> shown;
  std::vector<std::string> asked;
  for (const Shown& candidate : worth_telling(lowered, one)) {
    if (shown.size() == kMostShown) break;
    const std::string text = writer.term(candidate.value);
    if (text.empty()) continue;
    shown.push_back(candidate);
    asked.push_back(text);
  }
  const std::vector<std::string> values = examiner.values(asked);
  std::string out;
  for (std::size_t i = 0; i < shown.size() && i < values.size(); ++i)
    out += (out.empty() ? "" : ", ") + shown[i].name + " = " +
           named_value(lowered, shown[i], values[i]);
  const bool chosen_nodes = one.step.find('(') != std::string::npos;
  if (!chosen_nodes) return out;
  return "step " + one.step + (out.empty() ? "" : ", ") + out;
}

// Which of those that are the same fails, and how.
std::string find_example(const Lowered& lowered, const Same& same, Examiner& examiner) {
  for (const Obligation* one : same) {
    logic::SmtWriter writer(*lowered.system.terms);
    if (examiner.ask(writer.question({}, one->formula)) == Answer::Sat)
      return tell_example(lowered, *one, writer, examiner);
  }
  return {};
}

}  // namespace

std::vector<Unmet> find_unmet(const Lowered& lowered, const std::vector<Obligation>& obligations,
                              Examiner& examiner) {
  TermTable& t = *lowered.system.terms;
  std::map<std::pair<std::string, std::pair<std::uint32_t, std::uint32_t>>, std::size_t> places;
  std::vector<Same> open;
  for (const Obligation& one : obligations) {
    const auto [at, added] = places.emplace(
        std::pair{one.text, std::pair{one.span.file.value, one.span.begin}}, open.size());
    if (added) open.emplace_back();
    open[at->second].push_back(&one);
  }
  std::vector<Unmet> out;
  // A little for each, and then what is left for those that are hard.
  for (const bool last : {false, true}) {
    std::vector<Same> hard;
    for (std::size_t i = 0; i < open.size(); ++i) {
      std::vector<Term> formulas;
      for (const Obligation* one : open[i]) formulas.push_back(one->formula);
      const Term formula = t.and_(std::move(formulas));
      if (t.is_true(formula)) continue;
      const double even = examiner.left() / static_cast<double>(open.size() - i);
      logic::SmtWriter writer(t);
      const Answer answer =
          examiner.ask(writer.question({}, formula), last ? even : std::min(1.0, even));
      if (answer == Answer::Unsat) continue;
      if (answer == Answer::Unknown && !last) {
        hard.push_back(open[i]);
        continue;
      }
      Unmet unmet{open[i][0]->text, open[i][0]->span, answer == Answer::Sat, {}};
      if (unmet.refuted) unmet.example = find_example(lowered, open[i], examiner);
      out.push_back(std::move(unmet));
    }
    open = std::move(hard);
  }
  return out;
}

std::vector<std::string> find_cut_steps(const Lowered& lowered, const Trusted& trusted,
                                        Examiner& examiner) {
  TermTable& t = *lowered.system.terms;
  transition::Substitution later = transition::to_next(lowered.system);
  const Term kept = later(trusted.formula);
  std::vector<std::string> out;
  for (const transition::Step& step : lowered.system.steps) {
    logic::SmtWriter writer(t);
    const std::string question =
        writer.question({lowered.system.assumed, lowered.system.common, step.formula}, kept);
    if (examiner.ask(question) != Answer::Unsat) out.push_back(step.name);
  }
  return out;
}

bool can_cut_beginning(const Lowered& lowered, const Trusted& trusted, Examiner& examiner) {
  logic::SmtWriter writer(*lowered.system.terms);
  return examiner.ask(writer.question({lowered.system.initial}, trusted.formula)) != Answer::Unsat;
}

}  // namespace leto::protocol

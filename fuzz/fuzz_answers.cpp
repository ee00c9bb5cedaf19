// libFuzzer target over what solvers print. Whatever the bytes are, nothing may crash; "unsat" is
// believed only if it is all that was said; and a value that is read as a number is that number.
//
// The bytes are two replies, the second after a line "--": a verdict, and what was said when
// more was asked about it.
#include <algorithm>

#include "explain/reading.h"
#include "fuzzing.h"
#include "solver/answers.h"

using namespace leto;
using solver::Answer;
using solver::Reason;
using solver::Said;
using solver::Verdict;

namespace {

constexpr const char* kClaimed = "claimed";

// A solver that has one answer.
class Canned final : public solver::Solver {
 public:
  explicit Canned(Answer answer) : answer_(std::move(answer)) {}
  std::string identity() override { return "canned"; }
  Answer solve(const solver::Query&) override { return answer_; }
  std::string script(const solver::Query&) const override { return {}; }

 private:
  Answer answer_;
};

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  return text;
}

void judge_values(const std::string& reply) {
  for (const std::size_t asked : {1, 2, 3}) {
    const std::vector<std::string> values = solver::values_in(reply, asked);
    LETO_ASSERT(values.empty() || values.size() == asked);
    for (const std::string& value : values) {
      LETO_ASSERT(std::count(value.begin(), value.end(), '(') ==
                  std::count(value.begin(), value.end(), ')'));
      const auto number = explain::solver_number(value);
      if (!number) continue;
      const auto again = interp::Number::parse(number->text());
      LETO_ASSERT(again && *again == *number);
    }
  }
}

// As a session does.
Answer read(std::string reply, const std::string& more) {
  Answer answer;
  const std::string whole = reply;
  answer.resource = solver::take_resource(reply);
  LETO_ASSERT(whole.starts_with(reply));
  solver::drop_line_ends(reply);
  const Said said = solver::verdict_in(reply);
  LETO_ASSERT((said == Said::Unsat) == (reply == "unsat"));
  LETO_ASSERT((said == Said::Sat) == (reply == "sat"));
  if (said == Said::Unsat) {
    answer.verdict = Verdict::Unsat;
    solver::read_assumptions(more, kClaimed, answer);
    LETO_ASSERT(!answer.took_claim || without_blanks(more).starts_with("(claimed)"));
    LETO_ASSERT(!answer.took_nothing || without_blanks(more).starts_with("()"));
  } else if (said == Said::Sat) {
    answer.verdict = Verdict::Sat;
    answer.values = solver::values_in(more, 2);
  } else {
    answer.reason = said == Said::Unknown ? solver::reason_of_unknown(more, answer.resource > 1000)
                                          : solver::reason_of_something_else(reply);
    LETO_ASSERT(answer.reason != Reason::None);
  }
  return answer;
}

// Two solvers: what one denies is not proved.
void judge_both(const Answer& a, const Answer& b) {
  const auto both =
      solver::make_cross_check(std::make_unique<Canned>(a), std::make_unique<Canned>(b));
  const Answer answer = both->solve({});
  const auto says = [&](Verdict v) { return a.verdict == v || b.verdict == v; };
  if (answer.verdict == Verdict::Unsat) LETO_ASSERT(says(Verdict::Unsat) && !says(Verdict::Sat));
  if (answer.verdict == Verdict::Sat) LETO_ASSERT(says(Verdict::Sat) && !says(Verdict::Unsat));
  if (answer.took_claim) LETO_ASSERT(a.took_claim || b.took_claim);
  if (says(Verdict::Sat) && says(Verdict::Unsat))
    LETO_ASSERT(answer.reason == Reason::Disagreement);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  const std::string between = "\n--\n";
  const std::size_t at = text.find(between);
  const std::string first = text.substr(0, at);
  const std::string second = at == std::string::npos ? "" : text.substr(at + between.size());
  judge_values(first);
  judge_values(second);
  judge_both(read(first, second), read(second, first));
  return 0;
}

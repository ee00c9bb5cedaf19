#include "fixpoint/answers.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "fixpoint/print.h"

namespace leto::fixpoint {

void Console::line(const std::string& text) {
  std::string flat = text;
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  out_ << flat << '\n' << std::flush;
}

void Console::progress(const std::string& text) {
  char time[32];
  std::snprintf(time, sizeof time, ", %.1f s", cpu_seconds());
  line("progress " + text + time);
}

void Console::lemma(const Terms& conjuncts) {
  line("lemma " + printed_conjunction(conjuncts));
}

void Console::answer(const Answer& answer) {
  switch (answer.verdict) {
    case Answer::Verdict::Valid:
      line("valid " + std::to_string(answer.k) + " " + printed_conjunction(answer.invariant));
      return;
    case Answer::Verdict::Invalid:
      line(answer.longest ? "invalid " + std::to_string(*answer.longest) : "invalid");
      return;
    case Answer::Verdict::Unknown:
      line("unknown " + answer.reason);
      return;
  }
}

}  // namespace leto::fixpoint

#include "transition/session.h"

#include <algorithm>

namespace leto::transition {

namespace {

constexpr std::string_view kEnd = "leto-end-of-answer";

}  // namespace

bool Patience::is_lost(const solver::Process& process, bool has_moved) {
  constexpr unsigned kMost = 150;
  idle_ = !has_moved && process.is_asleep() ? idle_ + 1 : 0;
  return idle_ > kMost;
}

Session::Session(const solver::Command& command, std::uint64_t memory_mb)
    : process_(command.arguments, memory_mb), dead_(!process_.running()) {
  tell(session_prelude(command.dialect));
}

void Session::ask(std::string_view text) {
  reply_.clear();
  asked_ = true;
  process_.queue(text);
  process_.queue("(echo \"");
  process_.queue(kEnd);
  process_.queue("\")\n");
}

std::optional<std::string> Session::wait(Slice& slice, const Allowance& allowance) {
  if (dead_) return std::nullopt;
  double before = process_.cpu_seconds();
  process_.go_on();
  while (true) {
    while (std::optional<std::string> line = process_.take_line()) {
      if (*line == kEnd || *line == "\"" + std::string(kEnd) + "\"") {
        asked_ = false;
        slice.seconds -= process_.cpu_seconds() - before;
        return std::move(reply_);
      }
      reply_ += *line + "\n";
    }
    const solver::Process::Status status = process_.wait(std::chrono::milliseconds(20));
    const double now = process_.cpu_seconds();
    slice.seconds -= now - before;
    const bool moved = status == solver::Process::Status::Ok || now - before > 1e-4;
    before = now;
    if (status == solver::Process::Status::Ended || patience_.is_lost(process_, moved)) {
      dead_ = true;
      (void)process_.kill_all();
      return std::nullopt;
    }
    if (slice.seconds <= 0 || allowance.spent()) {
      process_.hold();
      return std::nullopt;
    }
  }
}

solver::Command z3_session() {
  return {solver::Dialect::Z3, {"z3", "-in", "-smt2"}};
}

solver::Command cvc5_session() {
  return {solver::Dialect::Cvc5, {"cvc5", "--incremental", "--lang=smt2", "--produce-models"}};
}

std::string session_prelude(solver::Dialect dialect) {
  return dialect == solver::Dialect::Z3 ? "(set-option :produce-models true)\n"
                                        : "(set-logic ALL)\n";
}

Answer answer_in(std::string_view reply) {
  while (!reply.empty() && (reply.back() == '\n' || reply.back() == '\r')) reply.remove_suffix(1);
  if (reply == "sat") return Answer::Sat;
  if (reply == "unsat") return Answer::Unsat;
  return Answer::Unknown;
}

}  // namespace leto::transition

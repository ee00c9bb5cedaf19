#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "solver/answers.h"
#include "solver/process.h"
#include "solver/solver.h"

namespace leto::solver {

std::string_view describe(Reason reason) {
  switch (reason) {
    case Reason::None:
      return "";
    case Reason::Time:
      return "out of time";
    case Reason::Resource:
      return "out of the resource limit";
    case Reason::Memory:
      return "out of memory";
    case Reason::Incomplete:
      return "the solver gave up";
    case Reason::Crash:
      return "the solver crashed";
    case Reason::Garbage:
      return "the solver printed something else than an answer";
    case Reason::Missing:
      return "the solver could not be started";
    case Reason::Interrupted:
      return "interrupted";
    case Reason::Disagreement:
      return "the solvers contradict one another";
  }
  return "";
}

std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string file = std::string(rest.substr(0, colon)) + "/" + program;
    // Only what is named from the root: the folder that somebody stands in may be a stranger's.
    if (rest.starts_with('/') && access(file.c_str(), X_OK) == 0) return file;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return {};
}

bool can_start(const std::string& program) {
  return !find_program(program).empty();
}

Command z3_command() {
  return {Dialect::Z3, {"z3", "-in", "-smt2"}};
}

Command cvc5_command(const Limits& limits) {
  return {Dialect::Cvc5,
          {"cvc5", "--incremental", "--lang=smt2", "--produce-models",
           "--produce-unsat-assumptions", fmt::format("--seed={}", limits.seed),
           fmt::format("--tlimit-per={}", static_cast<long>(limits.seconds * 1000))}};
}

std::string version_of(const Command& command, const Allowance& allowance) {
  if (command.arguments.empty()) return "none";
  Process process({command.arguments[0], "--version"}, 0);
  if (!process.running()) return "missing";
  std::string reply;
  (void)process.exchange("", "\x01", Clock::now() + std::chrono::seconds(5), allowance, reply);
  (void)process.kill_all();
  return reply.substr(0, reply.find('\n'));
}

namespace {

// Cases are split only where they matter; products are looked at right away.
constexpr const char* kStanding =
    "(set-option :produce-unsat-assumptions true)\n(set-option :auto_config false)\n"
    "(set-option :smt.case_split 3)\n(set-option :smt.arith.nl.delay 0)\n";
constexpr const char* kNoModels = "(set-option :smt.mbqi false)\n";  // of quantifiers
constexpr const char* kEnd = "leto-end-of-answer";

class ProcessSolver final : public Solver {
 public:
  ProcessSolver(Command command, const Limits& limits, const Allowance& allowance)
      : command_(std::move(command)), limits_(limits), allowance_(allowance) {}

  std::string identity() override {
    if (command_.version.empty()) command_.version = version_of(command_, allowance_);
    std::string text = command_.version;
    for (const std::string& argument : command_.arguments) text += " " + argument;
    return fmt::format("{} rlimit={} seconds={} memory={} seed={}", text, limits_.resource,
                       limits_.seconds, limits_.memory_mb, limits_.seed);
  }

  std::string script(const Query& query) const override {
    return preamble(query) + query.text + check(query);
  }

  Answer solve(const Query& query) override {
    const auto start = Clock::now();
    Answer answer = ask(query);
    answer.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    answer.whole_time =
        answer.reason == Reason::Time && limits_of(query).seconds >= limits_.seconds;
    answer.cut_short = answer.reason == Reason::Time && counts();
    return answer;
  }

 private:
  // A process of the solver, which answers one question after the other. Setting Z3 up anew
  // takes longer than most questions that are settled by matching, so those stand on a stack. On
  // it a hard question takes Z3 several times as long, by the same count: what has patience is
  // asked by itself.
  struct Session {
    std::unique_ptr<Process> process = {};
    unsigned questions = 0;
    std::uint64_t resource = 0;  // used so far, of a session that is not set up anew
    std::string limits = {};     // as they were set; Z3 takes its time over options
    bool pushed = false;
  };

  // Where a solver counts what it does, the count is to end it and not the clock, on a busy machine
  // too. One that does not count has the clock for that.
  [[nodiscard]] bool counts() const { return command_.dialect == Dialect::Z3; }
  static bool is_patient(Effort effort) {
    return effort == Effort::Patient || effort == Effort::Long;
  }
  Limits limits_of(const Query& query) const {
    Limits limits =
        limits_.of(is_patient(query.effort) && !counts() ? Effort::Brief : query.effort);
    if (counts()) limits.seconds = std::min(limits_.seconds, 3 * limits.seconds);
    return limits;
  }
  [[nodiscard]] bool restrained(const Query& query) const {
    return command_.dialect == Dialect::Z3 && query.strategy != Strategy::General;
  }
  [[nodiscard]] bool stacked(const Query& query) const {
    return restrained(query) && !is_patient(query.effort);
  }
  Session& session_for(const Query& query) {
    if (!restrained(query)) return single_;
    if (query.strategy == Strategy::Models) return stacked(query) ? models_stack_ : models_;
    return stacked(query) ? stack_ : matching_;
  }
  std::string manner_of(const Query& query) const {
    if (!restrained(query)) return "";
    return query.strategy == Strategy::Models ? kStanding : std::string(kStanding) + kNoModels;
  }

  std::string preamble(const Query& query) const {
    const Limits limits = limits_of(query);
    if (command_.dialect == Dialect::Cvc5) return "(set-logic ALL)\n";
    // Z3's own clock comes a little before ours, so that the process survives.
    return fmt::format(
        "{}(set-option :print-success false)\n(set-option :rlimit {})\n(set-option :timeout {})\n"
        "(set-option :smt.random_seed {})\n(set-option :sat.random_seed {})\n",
        manner_of(query), limits.resource, static_cast<long>(limits.seconds * 900), limits.seed,
        limits.seed);
  }

  // Whether the solver can say what it took. Z3 in general cannot without forgetting much of what
  // it can do.
  [[nodiscard]] bool says_what_it_took(const Query& query) const {
    return !query.claimed.empty() && (command_.dialect == Dialect::Cvc5 || restrained(query));
  }
  std::string check(const Query& query) const {
    if (query.claimed.empty()) return "(check-sat)\n";
    if (says_what_it_took(query)) return fmt::format("(check-sat-assuming ({}))\n", query.claimed);
    return fmt::format("(assert {})\n(check-sat)\n", query.claimed);
  }

  // What comes before the question itself in a session.
  std::string opening(Session& session, const Query& query) const {
    if (!stacked(query)) return "(reset)\n" + preamble(query);
    const bool first = !session.pushed;
    session.pushed = true;
    const Limits limits = limits_of(query);
    std::string set = fmt::format("(set-option :rlimit {})\n(set-option :timeout {})\n",
                                  limits.resource, static_cast<long>(limits.seconds * 900));
    const bool same = set == session.limits;
    session.limits = set;
    if (first) return preamble(query) + "(push 1)\n";
    return fmt::format("(pop 1)\n{}(push 1)\n", same ? "" : set);
  }

  // Failure of the process itself, as an answer. The process is gone afterwards.
  Answer failed(Session& session, Process::Status status, const std::string& reply) {
    Answer answer;
    const int ended = session.process->kill_all();
    // A process that dies with most of its memory in use has run out of it.
    const bool full = limits_.memory_mb > 0 && session.process->peak_mb() * 2 > limits_.memory_mb;
    session = {};
    answer.detail = reply.substr(0, 200);
    if (status == Process::Status::Late) {
      answer.reason = Reason::Time;
    } else if (status == Process::Status::Interrupted) {
      answer.reason = Reason::Interrupted;
    } else if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127) {
      answer.reason = Reason::Missing;
    } else if (reply.find("out of memory") != std::string::npos ||
               (WIFEXITED(ended) && WEXITSTATUS(ended) == 101) || full) {
      answer.reason = Reason::Memory;
    } else {
      answer.reason = Reason::Crash;
      if (WIFSIGNALED(ended)) answer.detail = fmt::format("signal {}", WTERMSIG(ended));
    }
    return answer;
  }

  // How the end of an answer looks: cvc5 echoes the quotes.
  std::string end_line() const {
    return command_.dialect == Dialect::Cvc5 ? fmt::format("\"{}\"", kEnd) : kEnd;
  }

  Answer ask(const Query& query) {
    Answer answer;
    if (allowance_.spent()) {
      answer.reason = Reason::Interrupted;
      return answer;
    }
    const auto deadline =
        Clock::now() +
        std::chrono::microseconds(static_cast<long long>(limits_of(query).seconds * 1e6));
    const bool z3 = command_.dialect == Dialect::Z3;
    Session& session = session_for(query);
    if (!session.process)
      session.process = std::make_unique<Process>(command_.arguments, limits_.memory_mb);
    if (!session.process->running()) {
      session = {};
      answer.reason = Reason::Missing;
      return answer;
    }
    const std::string end = fmt::format("(echo \"{}\")\n", kEnd);
    std::string reply;
    Process::Status status =
        session.process->exchange(opening(session, query) + query.text + check(query) +
                                      (z3 ? "(get-info :rlimit)\n" : "") + end,
                                  end_line(), deadline, allowance_, reply, query.unwanted);
    if (status != Process::Status::Ok) return failed(session, status, reply);
    if (z3) {
      // Z3 counts on from where it was set up.
      const std::uint64_t total = take_resource(reply);
      answer.resource = total - std::min(total, session.resource);
      if (stacked(query)) session.resource = total;
    }
    drop_line_ends(reply);
    switch (verdict_in(reply)) {
      case Said::Unsat:
        answer.verdict = Verdict::Unsat;
        if (says_what_it_took(query)) read_what_it_took(session, query, answer, deadline);
        break;
      case Said::Sat:
        answer.verdict = Verdict::Sat;
        if (!query.values.empty()) read_values(session, query, answer, deadline);
        break;
      case Said::Unknown:
        read_reason(session, limits_of(query), answer, deadline);
        if (query.each && answer.reason == Reason::Incomplete) {
          read_values(session, query, answer, deadline);
          for (std::string& value : answer.values)
            if (value == "false") value = kDoubtful;
        }
        break;
      case Said::SomethingElse:
        answer.detail = reply.substr(0, 200);
        answer.reason = reason_of_something_else(reply);
        session = {};
        return answer;
    }
    if (query.each && !answer.values.empty()) find_more_false(session, query, answer, deadline);
    // Memory that Z3 does not give back would count against the next question.
    if (++session.questions % 500 == 0) session = {};
    return answer;
  }

  // More about the answer at hand; there is a little time for it, however late it is.
  Process::Status ask_on(Session& session, std::string_view what, Clock::time_point deadline,
                         std::chrono::milliseconds at_least, std::string& reply) {
    return session.process->exchange(fmt::format("{}\n(echo \"{}\")\n", what, kEnd), end_line(),
                                     std::max(deadline, Clock::now() + at_least), allowance_,
                                     reply);
  }

  void read_reason(Session& session, const Limits& limits, Answer& answer,
                   Clock::time_point deadline) {
    std::string reply;
    const Process::Status status = ask_on(session, "(get-info :reason-unknown)", deadline,
                                          std::chrono::milliseconds(200), reply);
    if (status != Process::Status::Ok) {
      answer = failed(session, status, reply);
      return;
    }
    answer.detail = reply.substr(0, 200);
    answer.reason = reason_of_unknown(reply, answer.resource >= limits.resource);
  }

  void read_what_it_took(Session& session, const Query& query, Answer& answer,
                         Clock::time_point deadline) {
    std::string reply;
    const Process::Status status =
        ask_on(session, "(get-unsat-assumptions)", deadline, std::chrono::milliseconds(500), reply);
    if (status != Process::Status::Ok) {  // unsatisfiable all the same
      (void)failed(session, status, reply);
      return;
    }
    read_assumptions(reply, query.claimed, answer);
  }

  void read_values(Session& session, const Query& query, Answer& answer,
                   Clock::time_point deadline) {
    std::string terms;
    for (const std::string& value : query.values) terms += " " + value;
    std::string reply;
    const Process::Status status = ask_on(session, fmt::format("(get-value ({} ))", terms),
                                          deadline, std::chrono::milliseconds(500), reply);
    if (status != Process::Status::Ok) {  // sat all the same, only without values
      (void)failed(session, status, reply);
      return;
    }
    answer.values = values_in(reply, query.values.size());
  }

  // Of what no model has shown false yet: is there one that does? A model mostly breaks one thing
  // or two, and a question is sent and read anew each time; so this goes on where it stands, a few
  // at a time: each model is looked at for those few only. Whatever goes wrong ends it: what was
  // found was found.
  void find_more_false(Session& session, const Query& query, Answer& answer,
                       Clock::time_point deadline) {
    constexpr std::size_t kFew = 16;
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < answer.values.size(); ++k)
      if (answer.values[k] != "false" && answer.values[k] != kDoubtful) open.push_back(k);
    if (open.size() == answer.values.size()) return;
    for (std::size_t from = 0; from < open.size(); from += kFew) {
      const std::size_t to = std::min(open.size(), from + kFew);
      if (!find_false_among({open.begin() + static_cast<std::ptrdiff_t>(from),
                             open.begin() + static_cast<std::ptrdiff_t>(to)},
                            session, query, answer, deadline))
        return;
    }
    count_resource(session, query, answer, deadline);
  }
  // False: the session is gone.
  bool find_false_among(std::vector<std::size_t> open, Session& session, const Query& query,
                        Answer& answer, Clock::time_point deadline) {
    const std::size_t name = open.front();
    std::string next, any;
    for (std::size_t k : open) {
      next += fmt::format(
          "(define-fun goal{0} () Bool {1})\n(declare-fun wanted{0} () Bool)\n"
          "(assert (=> wanted{0} (not goal{0})))\n",
          k, query.values[k]);
      any += fmt::format(" wanted{}", k);
    }
    next += fmt::format("(declare-fun any{0} () Bool)\n(assert (=> any{0} (or{1})))\n", name, any);
    while (!open.empty() && Clock::now() < deadline) {
      std::string reply;
      if (ask_on(session, fmt::format("{}(check-sat-assuming (any{}))", next, name), deadline, {},
                 reply) != Process::Status::Ok)
        return forget(session);
      drop_line_ends(reply);
      const Said said = verdict_in(reply);
      if (said == Said::SomethingElse) return forget(session);
      if (said == Said::Unsat) break;
      std::string names;
      for (std::size_t k : open) names += fmt::format(" goal{}", k);
      if (ask_on(session, fmt::format("(get-value ({} ))", names), deadline, {}, reply) !=
          Process::Status::Ok)
        return forget(session);
      const std::vector<std::string> values = values_in(reply, open.size());
      std::vector<std::size_t> left;
      next.clear();
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (i >= values.size() || values[i] != "false") {
          left.push_back(open[i]);
          continue;
        }
        answer.values[open[i]] = said == Said::Sat ? "false" : kDoubtful;
        next += fmt::format("(assert (not wanted{}))\n", open[i]);
      }
      if (left.size() == open.size()) break;
      open = std::move(left);
    }
    return true;
  }
  // Its process with it: nobody knows what it would say next.
  bool forget(Session& session) {
    session = {};
    return false;
  }
  void count_resource(Session& session, const Query& query, Answer& answer,
                      Clock::time_point deadline) {
    if (!stacked(query)) return;
    std::string reply;
    if (ask_on(session, "(get-info :rlimit)", deadline, std::chrono::milliseconds(200), reply) !=
        Process::Status::Ok) {
      (void)forget(session);
      return;
    }
    const std::uint64_t total = take_resource(reply);
    answer.resource += total - std::min(total, session.resource);
    session.resource = total;
  }

  Command command_;
  Limits limits_;
  const Allowance& allowance_;
  // Z3 takes its time over options, so each manner has its own.
  Session single_, stack_, matching_, models_stack_, models_;
};

class CrossCheck final : public Solver {
 public:
  CrossCheck(std::unique_ptr<Solver> first, std::unique_ptr<Solver> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  std::string identity() override {
    return "both: " + first_->identity() + " and " + second_->identity();
  }
  std::string script(const Query& query) const override { return first_->script(query); }
  Answer solve(const Query& query) override {
    Answer a = first_->solve(query);
    const Answer b = second_->solve(query);
    const bool decided = a.verdict != Verdict::Unknown && b.verdict != Verdict::Unknown;
    if (decided && a.verdict != b.verdict) {
      Answer loud;
      loud.reason = Reason::Disagreement;
      loud.detail =
          fmt::format("one says {}, the other {}", a.verdict == Verdict::Sat ? "sat" : "unsat",
                      b.verdict == Verdict::Sat ? "sat" : "unsat");
      loud.seconds = a.seconds + b.seconds;
      return loud;
    }
    const double seconds = a.seconds + b.seconds;
    if (decided) a.took_claim = a.took_claim && b.took_claim;
    if (decided) a.took_nothing = a.took_nothing || b.took_nothing;
    const bool cut_short = a.cut_short || b.cut_short;
    if (a.verdict == Verdict::Unknown && b.verdict != Verdict::Unknown) a = b;
    if (a.verdict == Verdict::Unknown) a.cut_short = cut_short;
    a.seconds = seconds;
    return a;
  }

 private:
  std::unique_ptr<Solver> first_, second_;
};

}  // namespace

std::unique_ptr<Solver> make_process_solver(Command command, const Limits& limits,
                                            const Allowance& allowance) {
  return std::make_unique<ProcessSolver>(std::move(command), limits, allowance);
}

std::unique_ptr<Solver> make_cross_check(std::unique_ptr<Solver> first,
                                         std::unique_ptr<Solver> second) {
  return std::make_unique<CrossCheck>(std::move(first), std::move(second));
}

}  // namespace leto::solver

// What a stranger would do with the library: opens a text that is in no file, verifies it with a
// callback for progress, cancels half-way, changes the text and verifies again, with no solver too.
//   uses_leto [MODEL_FOLDER]
#include <leto/leto.h>
#include <sys/stat.h>

#include <chrono>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using leto::api::Progress;
using leto::api::Session;
using leto::api::Status;
using leto::api::Verdict;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

// Two functions, so that a change of one leaves the other alone.
std::string program(const char* index, const char* bound) {
  return std::string(
             "use model additive_seu;\n"
             "requires 0 < n\n"
             "real first(uint n, vector<real> v(n)) {\n"
             "    return v[") +
         index +
         "];\n"
         "}\n"
         "requires_r eq(*)\n"
         "ensures_r -model.eps <= result<r> - result<o> <= " +
         bound +
         "\n"
         "real sum(real a, real b) {\n"
         "    return a + b;\n"
         "}\n";
}

void look_at_mistakes(Session& session) {
  session.open("draft.leto", "real f(real x) {\n    return y;\n}\n");
  const auto remarks = session.check("draft.leto");
  demand(remarks.size() == 1 && remarks[0].error, "a name that is not declared is one error");
  demand(remarks[0].at.line == 2 && remarks[0].at.column == 12, "it has a place");
  demand(session.verify("draft.leto").status == Status::Unknown, "nothing is proved with errors");
}

void verify_twice(Session& session) {
  session.open("mine.leto", program("0", "model.eps"));
  std::size_t calls = 0;
  Progress last;
  const auto caller = std::this_thread::get_id();
  const Verdict first = session.verify("mine.leto", "", [&](const Progress& progress) {
    ++calls;
    last = progress;
    demand(std::this_thread::get_id() == caller, "who calls is told, and nobody else");
    return true;
  });
  demand(first.status == Status::Proved, "it is proved");
  demand(last.of > 0 && last.done == last.of, "the last that is told is that all is done");
  demand(calls > 0 && first.asked > 0, "somebody was told, and a solver asked");
  demand(session.verify("mine.leto").asked == 0, "what is known is not asked again");

  session.open("mine.leto", program("n", "model.eps"));
  const Verdict changed = session.verify("mine.leto");
  demand(changed.status == Status::Refuted, "the index is out of bounds now");
  demand(changed.remembered > 0, "what did not change is not proved again");
  for (const auto& claim : changed.claims)
    if (claim.status == Status::Refuted) {
      demand(claim.at.line == 4, "the place is right");
      demand(claim.text.find("out of bounds") != std::string::npos, "the text says what happens");
      demand(!claim.advice.empty(), "and what to do");
    }
}

void claim_nothing(Session& session) {
  session.open("empty.leto", "");
  const Verdict empty = session.verify("empty.leto");
  demand(empty.claims.empty() && empty.remarks.size() == 1 && !empty.remarks[0].error,
         "where nothing is claimed, that is said");
}

void cancel(Session& session) {
  session.open("other.leto", program("0", "2 * model.eps"));
  const Verdict cancelled = session.verify("other.leto", "", [](const Progress&) { return false; });
  demand(cancelled.cancelled, "it says that it was cancelled");
  demand(cancelled.status != Status::Proved, "what was cancelled is not proved");
  demand(session.verify("other.leto").status == Status::Proved, "another time it is");
}

// No solver answers this in time.
const char* const kHard =
    "void hard(uint a, uint b, uint c) {\n"
    "    assert a < 1 || b < 1 || c < 1 || a * a * a + b * b * b != c * c * c;\n"
    "}\n";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Also within a question, by who watches and from another thread. The question has far more time
// than a busy machine takes to hear that.
void cancel_within_a_question(leto::api::Options options) {
  options.question_seconds = 2000;
  constexpr double kAtOnce = 200;
  Session session(options);
  session.open("hard.leto", kHard);
  auto start = std::chrono::steady_clock::now();
  const Verdict watched =
      session.verify("hard.leto", "", [&](const Progress&) { return seconds_since(start) < 0.5; });
  demand(watched.cancelled && watched.status == Status::Unknown, "who watches can cancel");
  demand(watched.seconds < kAtOnce, "within a question, too");
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    session.cancel();
  });
  const Verdict ended = session.verify("hard.leto");
  other.join();
  demand(ended.cancelled && ended.seconds < kAtOnce, "another thread can");
  session.cancel();  // nothing is under way
  try {
    (void)session.verify("hard.leto", "", [&](const Progress&) {
      session.close("hard.leto");
      return true;
    });
    demand(false, "a session that is in use is refused");
  } catch (const std::logic_error&) {
  }
}

void run_out_of_time(leto::api::Options options) {
  options.seconds = 0.5;
  Session session(options);
  session.open("hard.leto", kHard);
  const Verdict late = session.verify("hard.leto");
  demand(late.status == Status::Unknown && !late.cancelled, "it is not known");
  demand(late.remarks.size() == 1 && !late.remarks[0].error, "that is no error");
  demand(late.remarks[0].message.find("the time was over, 0.5 s") == 0, "it was the time");
  for (const auto& claim : late.claims)
    if (claim.status != Status::Proved) {
      demand(claim.why.find("the time was over") == 0, "so it was for each claim");
      demand(claim.advice.find("Options::seconds") != std::string::npos, "it needs more of it");
    }
}

void ask_for_nonsense(const leto::api::Options& usual) {
  const auto refused = [&](const char* expected, auto change) {
    leto::api::Options options = usual;
    change(options);
    Session session(options);
    session.open("mine.leto", program("0", "model.eps"));
    const Verdict verdict = session.verify("mine.leto");
    demand(session.problem().find(expected) == 0, expected);
    demand(verdict.status == Status::Unknown && verdict.remarks.size() == 1, "nothing is known");
    demand(verdict.remarks[0].message == session.problem(), "the verdict says what is wrong");
  };
  for (const unsigned jobs : {100000u, UINT_MAX})
    refused("Options::jobs is", [&](leto::api::Options& o) { o.jobs = jobs; });
  for (const double seconds : {-1.0, 1e18, std::nan("")})
    refused("Options::seconds is", [&](leto::api::Options& o) { o.seconds = seconds; });
  for (const double seconds : {0.0, -1.0, 1e300, std::nan("")})
    refused("Options::question_seconds is",
            [&](leto::api::Options& o) { o.question_seconds = seconds; });
}

void lack_a_cache(leto::api::Options options) {
  options.cache = "/proc/nowhere";
  Session session(options);
  session.open("mine.leto", program("0", "model.eps"));
  const Verdict verdict = session.verify("mine.leto");
  demand(verdict.status == Status::Proved, "it takes longer without one, and that is all");
  demand(verdict.remarks.size() == 1 && !verdict.remarks[0].error, "but it is said");
}

void use_what_was_moved(const leto::api::Options& options) {
  Session session(options);
  const Session other(std::move(session));
  try {
    session.open("mine.leto", "");  // NOLINT(bugprone-use-after-move)
    demand(false, "a session that was moved is refused");
  } catch (const std::logic_error&) {
  }
}

// What breaks down is no contradiction in the program.
void have_a_broken_solver(const leto::api::Options& options) {
  std::string folder = "/tmp/uses-leto-XXXXXX";
  demand(mkdtemp(folder.data()) != nullptr, "there is room for a solver");
  const std::string solver = folder + "/z3", path = std::getenv("PATH");
  std::ofstream(solver) << "#!/bin/sh\nexit 1\n";
  chmod(solver.c_str(), 0755);
  setenv("PATH", folder.c_str(), 1);
  Session session(options);
  session.open("mine.leto", program("0", "model.eps"));
  const Verdict verdict = session.verify("mine.leto");
  setenv("PATH", path.c_str(), 1);
  std::remove(solver.c_str());
  std::remove(folder.c_str());
  demand(verdict.status == Status::Unknown && !verdict.claims.empty(), "nothing is known");
  for (const auto& claim : verdict.claims)
    demand(claim.status == Status::Proved || claim.advice.find("Options::") != std::string::npos,
           "the advice is not about the program");
}

// Nothing is proved without a solver, and that is said.
void demand_problem(const Session& session, const Verdict& verdict, const char* expected) {
  demand(session.problem().find(expected) == 0, "the session says what is wrong");
  demand(verdict.status == Status::Unknown && verdict.claims.empty(), "nothing is known");
  demand(verdict.remarks.size() == 1 && verdict.remarks[0].error, "that is an error");
  demand(verdict.remarks[0].message == session.problem(), "the verdict says what is wrong");
}

void lack_a_solver(leto::api::Options options) {
  demand(Session(options).problem().empty(), "nothing is wrong with the usual solver");
  options.solver = "yices";
  Session odd(options);
  odd.open("mine.leto", program("0", "model.eps"));
  demand_problem(odd, odd.verify("mine.leto"), "there is no solver 'yices'");

  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  options.solver = "z3";
  Session poor(options);
  poor.open("mine.leto", program("0", "model.eps"));
  demand_problem(poor, poor.verify("mine.leto"), "the solver 'z3' is not in the PATH");
  setenv("PATH", path.c_str(), 1);
  demand(poor.verify("mine.leto").status == Status::Proved, "it is proved once there is one");
}

}  // namespace

int main(int argc, char** argv) {
  leto::api::Options options;
  if (argc > 1) options.model_path = {argv[1]};
  Session session(options);
  demand(!session.models().empty(), "there are models");
  look_at_mistakes(session);
  verify_twice(session);
  claim_nothing(session);
  cancel(session);
  cancel_within_a_question(options);
  run_out_of_time(options);
  ask_for_nonsense(options);
  lack_a_cache(options);
  use_what_was_moved(options);
  have_a_broken_solver(options);
  lack_a_solver(options);
  demand(session.format("mine.leto").has_value(), "it can be formatted");
  std::printf("leto %s: used as a library\n", leto::api::version().c_str());
}

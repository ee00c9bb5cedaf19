// What a stranger would do with the library: opens a text that is in no file, verifies it with a
// callback for progress, cancels half-way, changes the text and verifies again, with no solver too.
//   uses_leto MODEL_FOLDER
#include <leto/leto.h>

#include <cstdio>
#include <cstdlib>
#include <string>

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
  const Verdict first = session.verify("mine.leto", "", [&](const Progress&) {
    ++calls;
    return true;
  });
  demand(first.status == Status::Proved, "it is proved");
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

void cancel(Session& session) {
  session.open("other.leto", program("0", "2 * model.eps"));
  const Verdict cancelled = session.verify("other.leto", "", [](const Progress&) { return false; });
  demand(cancelled.cancelled, "it says that it was cancelled");
  demand(cancelled.status != Status::Proved, "what was cancelled is not proved");
  demand(session.verify("other.leto").status == Status::Proved, "another time it is");
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
  cancel(session);
  lack_a_solver(options);
  demand(session.format("mine.leto").has_value(), "it can be formatted");
  std::printf("leto %s: used as a library\n", leto::api::version().c_str());
}

#include "transition/certificate.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "transition/expressions.h"
#include "transition/text.h"
#include "transition/trace.h"

namespace leto::transition {

namespace {

using logic::Kind;

std::vector<Term> conjuncts_of(const TermTable& table, Term formula) {
  return table[formula].kind == Kind::And ? table[formula].args : std::vector<Term>{formula};
}

// One question; `text` says it with a push and a pop around. The first of several with one
// beginning opens it, and the last one closes it.
struct Question {
  std::string about;  // for people
  std::string text;
};

// A script is told once, and then questions of which each is to be unsatisfiable.
struct Questions {
  std::string definitions;
  std::vector<Question> all;
};

class Questioner {
 public:
  Questioner(const System& system, const Claim& claim, const Certificate& certificate)
      : system_(system), claim_(claim), certificate_(certificate), script_(system) {}

  Questions make() {
    const auto parts = conjuncts_of(*system_.terms, certificate_.invariant);
    script_.add("initial", system_.initial);
    script_.add("assumed", system_.assumed);
    script_.add("step", relation_of(system_));
    script_.add("claim", claim_.formula);
    std::vector<std::string> names{"assumed"};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      names.push_back(fmt::format("part{}", i));
      script_.add(names.back(), parts[i]);
    }
    for (unsigned i = 0; i <= certificate_.k; ++i) out_.definitions += script_.declare_state(i);
    for (unsigned i = 0; i < certificate_.k; ++i) out_.definitions += script_.declare_inputs(i);
    out_.definitions += script_.define("initial", 0) + script_.define("claim", 0);
    for (unsigned i = 0; i < certificate_.k; ++i) out_.definitions += script_.define("step", i);
    for (unsigned i = 0; i <= certificate_.k; ++i) {
      for (const std::string& name : names) out_.definitions += script_.define(name, i);
      out_.definitions +=
          fmt::format("(define-fun {} () Bool (and true", Script::of("invariant", i));
      for (std::size_t part = 1; part < names.size(); ++part)
        out_.definitions += " " + Script::of(names[part], i);
      out_.definitions += "))\n";
    }
    for (unsigned i = 0; i < certificate_.k; ++i) ask_beginning(i, parts.size());
    ask_step(parts.size());
    add("the invariant is stronger than the claim",
        is("assumed", 0) + is("invariant", 0) + is_not("claim", 0));
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string is(const std::string& what, unsigned at) const {
    return "(assert " + Script::of(what, at) + ")\n";
  }
  [[nodiscard]] std::string is_not(const std::string& what, unsigned at) const {
    return "(assert (not " + Script::of(what, at) + "))\n";
  }
  [[nodiscard]] std::string steps(unsigned count) const {
    std::string out;
    for (unsigned i = 0; i < count; ++i) out += is("step", i);
    for (unsigned i = 0; i <= count; ++i) out += is("assumed", i);
    return out;
  }
  void add(std::string about, const std::string& assertions) {
    out_.all.push_back({std::move(about), "(push 1)\n" + assertions + "(check-sat)\n(pop 1)\n"});
  }

  // Whether all parts follow in a state: part by part, for solvers find that easier. What comes
  // before is said once, and what follows already is known to the next question.
  void ask_parts(std::size_t parts, unsigned at, const std::string& before,
                 const std::function<std::string(std::size_t)>& about) {
    const std::size_t first = out_.all.size();
    for (std::size_t part = 0; part < parts; ++part) {
      const std::string name = fmt::format("part{}", part);
      add(about(part), is_not(name, at));
      if (part + 1 < parts) out_.all.back().text += is(name, at);
    }
    if (parts == 0) return;
    out_.all[first].text.insert(0, "(push 1)\n" + before);
    out_.all.back().text += "(pop 1)\n";
  }

  void ask_beginning(unsigned at, std::size_t parts) {
    ask_parts(parts, at, is("initial", 0) + steps(at), [&](std::size_t part) {
      return fmt::format("part {} of the invariant holds after {} steps", part, at);
    });
  }

  void ask_step(std::size_t parts) {
    std::string before = steps(certificate_.k);
    for (unsigned i = 0; i < certificate_.k; ++i) before += is("invariant", i);
    ask_parts(parts, certificate_.k, before, [](std::size_t part) {
      return fmt::format("part {} of the invariant is kept by a step", part);
    });
  }

  const System& system_;
  const Claim& claim_;
  const Certificate& certificate_;
  Script script_;
  Questions out_;
};

// What one solver says to all questions, up to the first that it cannot answer by `unsat`.
struct Opinion {
  std::string solver;
  std::vector<Answer> answers;
  double cpu_seconds = 0;
  [[nodiscard]] bool agrees(std::size_t questions) const {
    return answers.size() == questions &&
           std::all_of(answers.begin(), answers.end(), [](Answer a) { return a == Answer::Unsat; });
  }
};

Opinion ask_all(const solver::Command& command, const Questions& questions,
                const CheckLimits& limits, const Allowance& allowance) {
  Opinion out{command.arguments[0], {}, 0};
  if (!solver::can_start(command.arguments[0])) return out;
  Session session(command, limits.memory_mb);
  session.tell(questions.definitions);
  Slice slice{limits.cpu_seconds};
  for (const Question& question : questions.all) {
    session.ask(question.text);
    const std::optional<std::string> reply = session.wait(slice, allowance);
    if (!reply) break;
    out.answers.push_back(answer_in(*reply));
    if (out.answers.back() != Answer::Unsat) break;
  }
  out.cpu_seconds = session.cpu_seconds();
  return out;
}

// Where one says `sat` and the other `unsat` to the same question.
std::optional<std::size_t> find_contradiction(const Opinion& a, const Opinion& b) {
  for (std::size_t i = 0; i < std::min(a.answers.size(), b.answers.size()); ++i)
    if ((a.answers[i] == Answer::Sat && b.answers[i] == Answer::Unsat) ||
        (a.answers[i] == Answer::Unsat && b.answers[i] == Answer::Sat))
      return i;
  return std::nullopt;
}

// Of the question that a solver did not answer by `unsat`.
std::string why_refused(const Questions& questions, const Opinion& opinion) {
  const std::size_t at = !opinion.answers.empty() && opinion.answers.back() != Answer::Unsat
                             ? opinion.answers.size() - 1
                             : std::min(opinion.answers.size(), questions.all.size() - 1);
  const bool refuted = !opinion.answers.empty() && opinion.answers.back() == Answer::Sat;
  return fmt::format("{} {} that {}", opinion.solver, refuted ? "denies" : "does not know",
                     questions.all[at].about);
}

Checked judge(const Questions& questions, const Opinion& first, const Opinion& second) {
  Checked out;
  out.cpu_seconds = first.cpu_seconds + second.cpu_seconds;
  if (const auto at = find_contradiction(first, second)) {
    out.result = Check::Contradiction;
    out.why = fmt::format("{} and {} contradict one another on whether {}", first.solver,
                          second.solver, questions.all[*at].about);
    return out;
  }
  for (const Opinion* opinion : {&first, &second}) {
    if (opinion->agrees(questions.all.size()))
      out.by.push_back(opinion->solver);
    else if (out.why.empty() ||
             (!opinion->answers.empty() && opinion->answers.back() == Answer::Sat))
      out.why = why_refused(questions, *opinion);
    // What one of them denies is not accepted because the other got less far.
    if (!opinion->answers.empty() && opinion->answers.back() == Answer::Sat) {
      out.by.clear();
      return out;
    }
  }
  if (!out.by.empty()) {
    out.result = Check::Accepted;
    out.why.clear();
  }
  out.open = out.by.empty();
  return out;
}

}  // namespace

Checked check_beginning(const System& system, const CheckLimits& limits,
                        const Allowance& allowance) {
  Script script(system);
  Questions questions;
  script.add("initial", system.initial);
  script.add("assumed", system.assumed);
  questions.definitions = script.declare_state(0) + script.define("initial", 0) +
                          script.define("assumed", 0) + "(assert " + Script::of("initial", 0) +
                          ")\n(assert " + Script::of("assumed", 0) + ")\n";
  questions.all.push_back({"there is no initial state", "(check-sat)\n"});
  // A state that can be evaluated is better than what two solvers say.
  Session session(z3_session(), limits.memory_mb);
  session.tell(questions.definitions);
  session.ask("(check-sat)\n");
  Slice slice{limits.cpu_seconds};
  const std::optional<std::string> reply = session.wait(slice, allowance);
  Checked out;
  if (reply && answer_in(*reply) == Answer::Sat) {
    std::vector<Sort> sorts;
    for (const Variable& variable : system.variables) sorts.push_back(variable.sort);
    session.ask(script.ask_state(0));
    const std::optional<std::string> said = session.wait(slice, allowance);
    const auto values = sorts.empty() ? std::optional(std::vector<Value>())
                        : said        ? read_values(*said, sorts)
                                      : std::nullopt;
    out.cpu_seconds = session.cpu_seconds();
    if (values && is_initial(system, *values)) {
      out.result = Check::Accepted;
      return out;
    }
  }
  const Opinion first{"z3", reply ? std::vector{answer_in(*reply)} : std::vector<Answer>{},
                      session.cpu_seconds()};
  const Opinion second = ask_all(cvc5_session(), questions, limits, allowance);
  out = judge(questions, first, second);
  if (out.result == Check::Accepted)
    out.result = Check::Vacuous;
  else if (out.result == Check::Refused && !out.why.empty() &&
           out.why.find("denies") != std::string::npos)
    out.result = Check::Accepted;
  return out;
}

Checked check_certificate(const System& system, const Claim& claim, const Certificate& certificate,
                          const CheckLimits& limits, const Allowance& allowance) {
  constexpr unsigned kMostSteps = 1000;
  Checked out;
  if (certificate.k == 0 || certificate.k > kMostSteps) {
    out.why = "its k is not between 1 and 1000";
    return out;
  }
  const Checked beginning = check_beginning(system, limits, allowance);
  if (beginning.result != Check::Accepted) return beginning;
  const Questions questions = Questioner(system, claim, certificate).make();
  const Opinion first = ask_all(z3_session(), questions, limits, allowance);
  const Opinion second = ask_all(cvc5_session(), questions, limits, allowance);
  out = judge(questions, first, second);
  out.cpu_seconds += beginning.cpu_seconds;
  return out;
}

namespace {

// No other name of a certificate begins like this, whatever variables are called.
std::vector<std::string> names_of(const System& system) {
  std::vector<std::string> out;
  for (const Variable& variable : system.variables) out.push_back("state." + variable.name);
  return out;
}

constexpr std::string_view kInvariant = "(define-fun leto.invariant () Bool ";

// The claim as it stands in a certificate: another one is another text.
std::string written(const System& system, Term formula) {
  TermWriter writer(*system.terms, "$");
  for (const Variable& variable : system.variables)
    writer.name(variable.now, quoted("state." + variable.name));
  return writer.write(formula);
}

}  // namespace

std::string write_certificate(const System& system, const Claim& claim,
                              const Certificate& certificate) {
  const Questions questions = Questioner(system, claim, certificate).make();
  std::string out = fmt::format(
      "; A certificate of leto. Every question below is to be answered by unsat.\n"
      "; claim: {}\n; k: {}\n; The invariant, over the variables of the state:\n(set-logic ALL)\n",
      claim.name, certificate.k);
  for (const Variable& variable : system.variables)
    out += fmt::format("(declare-fun {} () {})\n", quoted("state." + variable.name),
                       sort_text(variable.sort));
  out += std::string(kInvariant) + written(system, certificate.invariant) + ")\n" +
         "; The system, and the parts of the invariant, in the states of a run.\n" +
         questions.definitions;
  for (const Question& question : questions.all)
    out += fmt::format("; {}\n{}", question.about, question.text);
  return out;
}

std::optional<Term> read_state_formula(const System& system, const std::vector<std::string>& names,
                                       const std::string& text) {
  SourceStore sources;
  DiagnosticList unheard;
  Sexprs sexprs(sources);
  const auto read = sexprs.read(sources.add("formula", text), unheard);
  if (read.size() != 1) return std::nullopt;
  std::unordered_map<std::string_view, Term> known;
  for (std::size_t i = 0; i < names.size(); ++i) known[names[i]] = system.variables[i].now;
  Expressions expressions(*system.terms, sexprs, Notation::SmtLib, unheard);
  try {
    return expressions.read_formula(read[0], [&](SexprId atom) -> std::optional<Typed> {
      const auto it = known.find(sexprs[atom].text);
      return it == known.end() ? std::nullopt : std::optional(Typed{it->second});
    });
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

std::optional<Certificate> read_certificate(const System& system, const Claim& claim,
                                            const std::string& text, std::string& why) {
  const auto line_behind = [&](std::string_view begin) -> std::optional<std::string> {
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) return std::nullopt;
    const std::size_t from = at + begin.size();
    return text.substr(from, text.find('\n', from) - from);
  };
  const auto k = line_behind("\n; k: ");
  auto body = line_behind(kInvariant);
  const bool is_number =
      k && !k->empty() && k->size() <= 4 && k->find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || !body || !body->ends_with(")")) {
    why = "it is no certificate";
    return std::nullopt;
  }
  body->pop_back();
  const std::optional<Term> invariant = read_state_formula(system, names_of(system), *body);
  if (!invariant) {
    why = "its invariant is not a formula over the variables of this system";
    return std::nullopt;
  }
  const Certificate out{static_cast<unsigned>(std::stoul(*k)), *invariant};
  // Written again it is the same, byte by byte: nothing in it is about something else.
  if (write_certificate(system, claim, out) != text) {
    why = "it was edited, or is about another system or claim";
    return std::nullopt;
  }
  return out;
}

}  // namespace leto::transition

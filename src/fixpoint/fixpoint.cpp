#include "fixpoint/fixpoint.h"

#include <exception>
#include <istream>
#include <iterator>
#include <new>
#include <ostream>

#include "fixpoint/answers.h"
#include "fixpoint/normalise.h"

namespace leto::fixpoint {

std::optional<Engine> engine_of(std::string_view name) {
  if (name == "pdr") return Engine::Pdr;
  if (name == "pdkind") return Engine::PdKind;
  if (name == "spacer") return Engine::Spacer;
  if (name == "spacer-normalised") return Engine::SpacerNormalised;
  if (name == "seeds") return Engine::Seeds;
  return std::nullopt;
}

std::optional<Mutant> mutant_of(std::string_view name) {
#define LETO_FIXPOINT_MUTANT(mutant, text) \
  if (name == (text)) return Mutant::mutant;
#include "fixpoint/mutants.def"
#undef LETO_FIXPOINT_MUTANT
  return std::nullopt;
}

namespace {

Answer run(const System& system, const Options& options, Console& console) {
  switch (options.engine) {
    case Engine::Pdr:
      return run_pdr(system, options, console);
    case Engine::Spacer:
      return run_spacer(system, false, console);
    case Engine::SpacerNormalised:
      return run_spacer(system, true, console);
    case Engine::PdKind:
      return run_pdkind(system, options, console);
    case Engine::Seeds:
      return run_seeds(system, options, console);
  }
  return unknown("there is no such engine");
}

// With all that it rests on.
void add_facts(Answer& answer, const System& given) {
  for (const z3::expr& fact : conjuncts_of(given.facts)) answer.invariant.push_back(fact);
}

Answer run_normalised(const System& given, const Options& options, Console& console) {
  const Normal normal = normalise(given);
  console.progress("normalised, " + std::to_string(normal.found.size()) + " of " +
                   std::to_string(given.now.size()) + " variables have few values");
  if (!normal.found.empty()) console.lemma(normal.found);
  Answer answer = run(normal.system, options, console);
  for (z3::expr& conjunct : answer.invariant) conjunct = normal.given(conjunct);
  answer.invariant.insert(answer.invariant.end(), normal.found.begin(), normal.found.end());
  if (answer.verdict == Answer::Verdict::Unknown && !answer.invariant.empty())
    console.lemma(answer.invariant);
  return answer;
}

Answer answer_of(const System& given, const Options& options, Console& console) {
  Answer answer = options.engine == Engine::Spacer ? run(given, options, console)
                                                   : run_normalised(given, options, console);
  add_facts(answer, given);
  return answer;
}

}  // namespace

void answer(std::istream& in, std::ostream& out, const Options& options) {
  Console console(out);
  try {
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    z3::context context;
    console.answer(answer_of(read_system(context, text), options, console));
  } catch (const GiveUp& why) {
    console.answer(unknown(why.what()));
  } catch (const z3::exception& problem) {
    console.answer(unknown(std::string("Z3 says: ") + problem.msg()));
  } catch (const std::bad_alloc&) {
    console.answer(unknown("there is not enough memory"));
  } catch (const std::exception& problem) {
    console.answer(unknown(std::string("internal error: ") + problem.what()));
  }
}

}  // namespace leto::fixpoint

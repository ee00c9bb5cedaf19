#include "transition/foreign.h"

#include <fmt/core.h>

#include "transition/certificate.h"
#include "transition/expressions.h"

namespace leto::transition {

std::string write_for_engine(const System& system, const Claim& claim,
                             const std::vector<Term>& facts) {
  TermWriter writer(*system.terms, "t");
  std::string lines, declared;
  const auto declare = [&](const std::string& name, Sort sort) {
    declared += fmt::format("(declare-fun {} () {})\n", name, sort_text(sort));
  };
  for (std::size_t i = 0; i < system.variables.size(); ++i) {
    const Variable& variable = system.variables[i];
    const std::string now = fmt::format("x{}", i), next = fmt::format("y{}", i);
    lines += fmt::format("; state |{}| |{}|\n", now, next);
    declare(now, variable.sort);
    declare(next, variable.sort);
    writer.name(variable.now, now);
    writer.name(variable.next, next);
  }
  for (std::size_t i = 0; i < system.inputs.size(); ++i) {
    const std::string name = fmt::format("u{}", i);
    lines += fmt::format("; input |{}|\n", name);
    declare(name, system.inputs[i].sort);
    writer.name(system.inputs[i].term, name);
  }
  std::vector<Term> known = facts;
  known.push_back(system.assumed);
  const auto define = [&](const char* name, Term formula) {
    return fmt::format("(define-fun {} () Bool {})\n", name, writer.write(formula));
  };
  return lines + declared + define("init", system.initial) + define("trans", relation_of(system)) +
         define("claim", claim.formula) + define("facts", system.terms->and_(std::move(known)));
}

namespace {

std::vector<std::string> whole_command(const std::string& program,
                                       const std::vector<std::string>& arguments) {
  std::vector<std::string> out{program};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

}  // namespace

ForeignEngine::ForeignEngine(const System& system, std::size_t claim,
                             const std::vector<Term>& facts, const std::string& program,
                             const std::vector<std::string>& arguments, std::uint64_t memory_mb)
    : system_(system),
      name_(arguments.at(0)),
      memory_mb_(memory_mb),
      process_(whole_command(program, arguments), 0),
      progress_("begun"),
      ended_(!process_.running()) {
  for (std::size_t i = 0; i < system.variables.size(); ++i) names_.push_back(fmt::format("x{}", i));
  process_.queue(write_for_engine(system, system.claims.at(claim), facts));
  process_.end_input();
}

Proposal ForeignEngine::advance(Slice& slice, const Allowance& allowance) {
  if (ended_) return {};
  double before = process_.cpu_seconds();
  process_.go_on();
  while (true) {
    while (const std::optional<std::string> line = process_.take_line()) {
      Proposal said = take(*line);
      if (ended_) {
        slice.seconds -= process_.cpu_seconds() - before;
        (void)process_.kill_all();
        return said;
      }
    }
    const solver::Process::Status status = process_.wait(std::chrono::milliseconds(20));
    const double now = process_.cpu_seconds();
    slice.seconds -= now - before;
    const bool moved = status == solver::Process::Status::Ok || now - before > 1e-4;
    before = now;
    if (status == solver::Process::Status::Ended || patience_.is_lost(process_, moved)) {
      ended_ = true;
      (void)process_.kill_all();
      // One that dies with most of its memory in use has run out of it.
      out_of_memory_ = memory_mb_ > 0 && process_.peak_mb() * 2 > memory_mb_;
      progress_ = out_of_memory_ ? "out of memory" : "ended without an answer";
      return {};
    }
    if (slice.seconds <= 0 || allowance.spent()) {
      process_.hold();
      return {};
    }
  }
}

std::optional<Term> ForeignEngine::read(const std::string& term) const {
  return read_state_formula(system_, names_, term);
}

Proposal ForeignEngine::take(const std::string& line) {
  const auto rest = [&](std::size_t from) { return line.substr(std::min(from, line.size())); };
  if (line.starts_with("progress ")) {
    progress_ = rest(9).substr(0, 60);
  } else if (line.starts_with("lemma ")) {
    if (const auto lemma = read(rest(6))) lemmas_.push_back(*lemma);
  } else if (line.starts_with("unknown")) {
    ended_ = true;
    progress_ = "unknown: " + rest(8).substr(0, 60);
  } else if (line.starts_with("invalid")) {
    ended_ = true;
    progress_ = "says invalid";
    return {Proposal::Kind::Invalid};
  } else if (line.starts_with("valid ")) {
    ended_ = true;
    progress_ = "says valid, for a reason that cannot be read";
    const std::size_t space = line.find(' ', 6);
    const std::string k = line.substr(6, space == std::string::npos ? space : space - 6);
    const bool is_number =
        !k.empty() && k.size() <= 3 && k.find_first_not_of("0123456789") == std::string::npos;
    const auto invariant =
        space == std::string::npos ? std::optional<Term>() : read(rest(space + 1));
    if (!is_number || !invariant) return {};
    progress_ = "says valid";
    return {Proposal::Kind::Valid, static_cast<unsigned>(std::stoul(k)), *invariant};
  }
  return {};
}

}  // namespace leto::transition

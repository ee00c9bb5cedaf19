#include "workbench/telling.h"

#include "script/script.h"

namespace leto::workbench {

api::Remark trouble(std::string message, bool error) {
  api::Remark remark;
  remark.error = error;
  remark.message = std::move(message);
  return remark;
}

api::Place place_of(const SourceStore& sources, const Span& span) {
  if (!span.file.valid()) return {};
  const SourceFile& file = sources[span.file];
  const leto::Position from = file.position(span.begin), to = file.position(span.end);
  return {file.path(), static_cast<unsigned>(from.line), static_cast<unsigned>(from.column),
          static_cast<unsigned>(to.line), static_cast<unsigned>(to.column)};
}

std::vector<api::Remark> remarks_of(DiagnosticList& diagnostics, const SourceStore& sources) {
  diagnostics.sort_and_unique();
  std::vector<api::Remark> out;
  for (const Diagnostic& d : diagnostics.all()) {
    api::Remark remark;
    remark.error = d.severity() == Severity::Error;
    remark.code = info(d.kind).code;
    remark.message = d.message();
    if (d.span) remark.at = place_of(sources, *d.span);
    if (d.help) remark.help = d.help->text;
    if (d.help && d.help->edit)
      remark.edit =
          api::Remark::Edit{place_of(sources, d.help->edit->span), d.help->edit->replacement};
    out.push_back(std::move(remark));
  }
  return out;
}

api::Status status_of(prove::Status status) {
  switch (status) {
    case prove::Status::Proved:
      return api::Status::Proved;
    case prove::Status::Refuted:
      return api::Status::Refuted;
    case prove::Status::Unknown:
      return api::Status::Unknown;
    case prove::Status::Vacuous:
      return api::Status::Vacuous;
  }
  return api::Status::Unknown;
}

namespace {

solver::Reason reason_of(const Verified& v, const prove::Claim& claim) {
  return claim.obligations.empty() ? solver::Reason::None : v.outcomes[claim.worst].reason;
}

// About what is neither proved nor refuted.
std::string advice_on_unknown(const Verified& v, const prove::Claim& claim, bool spent) {
  const diagnose::Explanation* e = v.explanation(claim);
  const solver::Reason reason = reason_of(v, claim);
  if (spent || reason == solver::Reason::Interrupted)
    return "Nothing is known of it: the call ended before. Give it more time with "
           "Options::seconds.";
  if (reason == solver::Reason::Crash || reason == solver::Reason::Garbage ||
      reason == solver::Reason::Missing)
    return "The solver broke down. Run it by itself; if it is broken, install it again, or take "
           "another one with Options::solver.";
  if (core::group_of(claim.id.kind) == core::ClaimGroup::Extent)
    return "Give the functions that it calls contracts, so that they need not be looked into.";
  if (e != nullptr && e->cause != diagnose::Cause::GaveUp)
    return std::string(core::texts_of(claim.id.kind).todo);
  return "This is neither a proof nor a counterexample. Help the solver: assert the hard part in "
         "smaller steps before it, or give it more with Options::question_seconds, or take another "
         "one with Options::solver.";
}

std::string advice_on(const Verified& v, const prove::Claim& claim, bool spent) {
  if (claim.status == prove::Status::Unknown) return advice_on_unknown(v, claim, spent);
  if (claim.status == prove::Status::Vacuous &&
      core::group_of(claim.id.kind) != core::ClaimGroup::Consistent)
    return "Find which requirement, constraint, assertion or contract before this line cannot be "
           "true.";
  return std::string(core::texts_of(claim.id.kind).todo);
}

std::string reason_for(const Verified& v, const prove::Claim& claim, Allowance::End ended) {
  const solver::Reason reason = reason_of(v, claim);
  if (claim.status == prove::Status::Unknown && ended != Allowance::End::None)
    return std::string(describe(ended));
  if (const diagnose::Explanation* e = v.explanation(claim))
    return std::string(diagnose::in_a_word(e->cause));
  if (!claim.situation.empty() || reason == solver::Reason::None) return claim.situation;
  return std::string(solver::describe(reason));
}

}  // namespace

api::Claim claim_of(const Verified& v, const prove::Claim& claim, const SourceStore& sources,
                    Allowance::End ended) {
  api::Claim out;
  out.kind = core::name(claim.id.kind);
  out.function = claim.id.function;
  out.text = claim.headline();
  out.at = place_of(sources, claim.id.at);
  out.status = status_of(claim.status);
  if (claim.status == prove::Status::Proved) return out;
  out.advice = advice_on(v, claim, ended != Allowance::End::None);
  out.why = reason_for(v, claim, ended);
  if (const diagnose::Explanation* e = v.explanation(claim); e != nullptr && e->plan)
    out.script = script::script_text(*v.program, e->function, e->plan->inputs, e->plan->faults);
  return out;
}

}  // namespace leto::workbench

#include "report/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/calls.h"
#include "report/artifact.h"
#include "report/escape.h"
#include "report/footing.h"
#include "report/machine_text.h"
#include "report/render_explanation.h"
#include "report/screen.h"

namespace leto::report {

using diagnose::Cause;
using diagnose::Explanation;
using nlohmann::json;
using prove::Claim;
using prove::Status;

Position ClaimReport::position(const Span& span) const {
  return span.file.valid() ? sources_[span.file].position(span.begin) : Position{};
}

std::string ClaimReport::file(const Span& span) const {
  return span.file.valid() ? sources_[span.file].path() : "";
}

std::string ClaimReport::named(const Span& span) const {
  return name_on_line(file(span));
}

std::string ClaimReport::paint(Status status) const {
  const std::string word = fmt::format("{:<8}", describe(status));
  if (!style_.colour) return word;
  const char* code = status == Status::Proved    ? "1;32"
                     : status == Status::Refuted ? "1;31"
                                                 : "1;33";
  return painted(word, code);
}

// What the results of a verification that trusts the original run are relative to.
std::string trusts(const Verified& v) {
  const vcgen::Trusted& t = v.trusted;
  return fmt::format(
      "relative: trusts {} assertions, {} checks (bounds, division, sizes) and {} invariants and "
      "contracts of the original run",
      t.assertions, t.checks, t.invariants);
}

namespace {

// The functions that are claimed to end, and whether that is proved: with all that they call, and
// with what is proved of the model.
std::vector<std::pair<std::string, bool>> find_ending(const Verified& v) {
  const core::Program& program = *v.program;
  std::set<std::string> open;
  for (const Claim& claim : v.claims)
    if (claim.status != Status::Proved) open.insert(claim.id.function);
  const bool all = v.status() == Status::Proved;
  std::size_t of_functions = 0;
  for (const core::Function& f : program.functions) of_functions += open.count(f.name);
  std::vector<std::pair<std::string, bool>> out;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::FunctionId id{i};
    if (!program.functions[id].ends || program.functions[id].lemma) continue;
    bool proved = all;
    if (!all && !open.empty() && open.size() == of_functions) {
      const std::vector<bool> reached = core::find_reached(program, {id});
      proved = true;
      for (std::uint32_t k = 0; k < reached.size(); ++k)
        proved =
            proved && !(reached[k] && open.contains(program.functions[core::FunctionId{k}].name));
    }
    out.emplace_back(program.functions[id].name, proved);
  }
  return out;
}

Original original_of(const Verified& v) {
  if (v.relative) return Original::Trusted;
  return v.status() == Status::Proved ? Original::Proved : Original::Open;
}

// What a bounded proof comes to. Proved: nothing was left out. No counterexample: all is proved up
// to the bound.
enum class Bounded : std::uint8_t {
  Not,
  Proved,
  Refuted,
  Unexecuted,
  Undecided,
  NoCounterexample,
};

Bounded bounded_of(const Verified& v) {
  if (v.unroll == 0) return Bounded::Not;
  if (v.status() == Status::Proved) return Bounded::Proved;
  bool unexecuted = false, undecided = false;
  for (const Claim& claim : v.claims) {
    if (claim.status == Status::Refuted || claim.status == Status::Vacuous) return Bounded::Refuted;
    if (claim.status != Status::Unknown || claim.unfounded) continue;
    const Explanation* e = v.explanation(claim);
    (e != nullptr && e->cause == Cause::Unexecuted ? unexecuted : undecided) = true;
  }
  if (unexecuted) return Bounded::Unexecuted;
  return undecided ? Bounded::Undecided : Bounded::NoCounterexample;
}

std::string_view name(Bounded bounded) {
  switch (bounded) {
    case Bounded::Not:
      return "not unrolled";
    case Bounded::Proved:
      return "proved";
    case Bounded::Refuted:
      return "refuted";
    case Bounded::Unexecuted:
      return "not-executed";
    case Bounded::Undecided:
      return "undecided";
    case Bounded::NoCounterexample:
      return "no-counterexample";
  }
  LETO_ASSERT(false);
}

}  // namespace

std::string ClaimReport::claims(const std::string& file, const Verified& v) const {
  std::string out = fmt::format("{} under {}{}{}\n", name_on_line(file), v.model,
                                v.relative ? ", " + trusts(v) : "",
                                v.unroll > 0 ? fmt::format(", unrolled up to {}", v.unroll) : "");
  for (const Claim& claim : v.claims) out += line(claim);
  return out;
}

std::string ClaimReport::summary(const Verified& v) const {
  std::string out;
  std::string counts;
  for (Status status : {Status::Proved, Status::Refuted, Status::Unknown, Status::Vacuous})
    if (const std::size_t n = v.count(status); n > 0 || status == Status::Proved)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, describe(status));
  out += fmt::format(
      "  {}{} of {} claims; {} obligations asked, {} plain{}; {:.2f} s\n",
      v.relative ? trusts(v) + ": " : "", counts, v.claims.size(), v.cost.asked(), v.cost.plain,
      v.cost.cached > 0 ? fmt::format(", {} from the cache", v.cost.cached) : "", v.seconds);
  if (v.candidates > 0)
    out += fmt::format(
        "  {} invariants inferred, of {} candidates in {} rounds, {:.2f} s{}\n", v.inferred.size(),
        v.candidates, v.rounds, v.inference_seconds,
        style_.lists_inferred || v.inferred.empty() ? "" : "; --show-inferred lists them");
  if (const std::vector<std::string> names = core::externals_called(*v.program); !names.empty())
    out += fmt::format("  rests on what is declared of external functions: {}\n",
                       fmt::join(names, ", "));
  if (v.trusted.assumed > 0)
    out +=
        fmt::format("  rests on {} of the original run\n",
                    v.trusted.assumed == 1 ? "1 'assume'"
                                           : fmt::format("{} times 'assume'", v.trusted.assumed));
  out += unrolled(v);
  out += endings(v);
  if (v.footing) out += to_text(*v.footing, original_of(v));
  return out;
}

// What a bounded proof comes to.
std::string ClaimReport::unrolled(const Verified& v) {
  switch (bounded_of(v)) {
    case Bounded::Not:
    case Bounded::Refuted:
      return "";
    case Bounded::Proved:
      return fmt::format("  proved: nothing goes beyond {}\n", v.unroll);
    case Bounded::Unexecuted:
      return fmt::format("  up to {}: a counterexample that was not executed\n", v.unroll);
    case Bounded::Undecided:
      return fmt::format("  up to {}: not decided\n", v.unroll);
    case Bounded::NoCounterexample:
      return fmt::format("  no counterexample up to {}\n", v.unroll);
  }
  LETO_ASSERT(false);
}

// Of which functions it is claimed that they end, and what became of it.
std::string ClaimReport::endings(const Verified& v) const {
  if (v.program->unmeasured)
    return fmt::format(
        "  termination was not looked at: {} does not have what a measure names, so nothing is "
        "claimed of 'ends'\n",
        v.model);
  std::vector<std::string> proved, open;
  for (const auto& [name, is_proved] : find_ending(v)) (is_proved ? proved : open).push_back(name);
  std::string out;
  if (!open.empty()) out += fmt::format("  not proved to end: {}\n", fmt::join(open, ", "));
  if (proved.empty()) return out;
  out += fmt::format("  {}: {}\n",
                     v.relative ? "the relaxed run ends if the original does" : "ends (both runs)",
                     fmt::join(proved, ", "));
  for (const auto& [name, places] : core::find_measured_state_assigned(*v.program)) {
    out += fmt::format("    rests on what the program makes of {}:", name);
    for (const Span& at : places) {
      const Position where = position(at);
      out += fmt::format(" {}:{}:{}", named(at), where.line, where.column);
    }
    out += "\n";
  }
  if (v.trusted.assumed > 0) out += "    rests on what is assumed of the original run\n";
  if (!core::externals_called(*v.program).empty())
    out += "    rests on that external functions return\n";
  return out;
}

std::string ClaimReport::inferred(const Verified& v) const {
  std::string out;
  const Span* last = nullptr;
  for (const prove::Verification::Invariant& invariant : v.inferred) {
    if (last == nullptr || *last != invariant.loop) {
      const Position at = position(invariant.loop);
      out += fmt::format("  {}:{}:{}: inferred for this loop, in '{}':\n", named(invariant.loop),
                         at.line, at.column, invariant.function);
      last = &invariant.loop;
    }
    out += fmt::format("      {}\n", invariant.text);
  }
  return out;
}

std::string ClaimReport::line(const Claim& claim) const {
  if (claim.status == Status::Proved && !style_.proved_too) return "";
  const Position at = position(claim.id.at);
  std::string cost;
  if (style_.costs) cost = fmt::format("  [{:.3f} s, resource {}]", claim.seconds, claim.resource);
  return fmt::format("  {} {}:{}:{}: {}{}{}\n", paint(claim.status), named(claim.id.at), at.line,
                     at.column, claim.headline(), unfounded(claim), cost);
}

// On what it rests that is not proved, and where that stands.
std::string ClaimReport::unfounded(const Claim& claim) const {
  if (!claim.unfounded) return "";
  if (!claim.because.file.valid()) return ": " + claim.situation;
  const Position at = position(claim.because);
  return fmt::format(": {} ({}:{}:{})", claim.situation, named(claim.because), at.line, at.column);
}

std::string ClaimReport::explanations(const Verified& v,
                                      const workbench::KnownFunctions& known_as) const {
  std::string out;
  constexpr std::size_t kMost = 3;
  std::vector<const Claim*> all;
  // What is certain first, then where a contradiction begins: the rest may follow from it.
  const auto rank = [&](const Claim& claim) {
    const Cause cause = v.explanation(claim)->cause;
    if (cause == Cause::Real) return 0;
    if (cause == Cause::Model) return 1;
    return core::group_of(claim.id.kind) == core::ClaimGroup::Consistent ? 2 : 3;
  };
  for (const Claim& claim : v.claims)
    if (v.explanation(claim) != nullptr) all.push_back(&claim);
  std::stable_sort(all.begin(), all.end(),
                   [&](const Claim* a, const Claim* b) { return rank(*a) < rank(*b); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (style_.full || i < kMost || all.size() == kMost + 1) {
      out += render(v, *all[i], sources_, {style_.full, style_.colour, style_.one_run, known_as});
      continue;
    }
    if (i == kMost) out += "\n  and, in full with --full:\n";
    const Position at = position(all[i]->id.at);
    out += fmt::format("    {}:{}:{}: {}: {}\n", named(all[i]->id.at), at.line, at.column,
                       style_.one_run ? all[i]->headline_of_one_run() : all[i]->headline(),
                       in_a_word(v.explanation(*all[i])->cause));
  }
  if (!all.empty()) out += "\n";
  return out;
}

std::string ClaimReport::suggestions(const Verified& v) const {
  std::string out;
  const std::vector<prove::Verification::Invariant> all = diagnose::suggested(v.explanations);
  if (all.empty()) {
    if (v.status() != Status::Proved) out += "  no invariant was found that would close a claim\n";
    return out;
  }
  const prove::Verification::Invariant* last = nullptr;
  for (const prove::Verification::Invariant& i : all) {
    if (last == nullptr || last->loop != i.loop) {
      const Position at = position(i.loop);
      out += fmt::format("  {}:{}:{}: add to this loop:\n", named(i.loop), at.line, at.column);
    }
    out += fmt::format("      {}\n", i.text);
    last = &i;
  }
  return out;
}

namespace {

json worth(const std::vector<explain::Worth>& list) {
  json out = json::array();
  for (const explain::Worth& w : list) out.push_back({{"text", w.text}, {"value", w.value}});
  return out;
}

std::string_view name(explain::Row::Kind kind) {
  switch (kind) {
    case explain::Row::Kind::Set:
      return "set";
    case explain::Row::Kind::Fault:
      return "fault";
    case explain::Row::Kind::Part:
      return "part";
    case explain::Row::Kind::Gap:
      return "gap";
  }
  return "";
}

}  // namespace

json ClaimReport::where(const Span& span) const {
  const Position at = position(span);
  return {{"file", file(span)}, {"line", at.line}, {"column", at.column}};
}

json ClaimReport::steps(const std::vector<explain::Row>& rows) const {
  json out = json::array();
  for (const explain::Row& row : rows) {
    json entry = {{"kind", name(row.kind)}};
    if (row.kind == explain::Row::Kind::Gap) {
      entry["steps"] = row.steps;
    } else {
      entry["at"] = where(row.at);
      entry["what"] = row.what.empty() ? source(row.at) : row.what;
      if (!row.original.empty()) entry["original"] = row.original;
      if (!row.relaxed.empty()) entry["relaxed"] = row.relaxed;
      if (!row.note.empty()) entry["took"] = row.note;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

json ClaimReport::state(const explain::Picture& picture) const {
  const auto lines = [](const std::vector<explain::Picture::Line>& list) {
    json object = json::object();
    for (const explain::Picture::Line& line : list) {
      object[line.name] = {{"relaxed", line.relaxed}};
      if (!line.original.empty()) object[line.name]["original"] = line.original;
    }
    return object;
  };
  return {{"place", where(picture.at)},
          {"before", lines(picture.from)},
          {"claim_at", lines(picture.now)},
          {"choices", steps(picture.faults)},
          {"claim", worth(picture.claim)}};
}

// What the solver gave up on, and what it was asked.
void ClaimReport::tell_hard(const Verified& v, const Claim& claim, json& out) const {
  const prove::Outcome& outcome = *claim.outcome();
  const vcgen::Obligation& o = *claim.obligation();
  json hard = json::array();
  for (const prove::Outcome::Hard& h : outcome.hard) {
    json entry = {{"resource", h.resource}, {"reason", solver::describe(h.reason)}};
    if (h.piece) entry["part"] = core::source(*v.program, o.hints.pieces[*h.piece].expr);
    if (h.in_case) {
      entry["case"] = o.hints.cases[h.in_case->first].what[h.in_case->second];
      entry["branch"] = where(o.hints.cases[h.in_case->first].at);
    }
    hard.push_back(std::move(entry));
  }
  json tried = json::array();
  for (const prove::Outcome::Tried& t : outcome.tried)
    tried.push_back({{"how", t.how}, {"times", t.times}, {"resource", t.most}});
  out["resource"] = outcome.hardest;
  out["hard"] = std::move(hard);
  out["tried"] = std::move(tried);
}

json ClaimReport::explained(const Verified& v, const Claim& claim) const {
  const Explanation& e = *v.explanation(claim);
  json out = {{"cause", name(e.cause)}, {"advice", advice(v, claim, sources_)}};
  if (e.cause == Cause::Real) {
    out["run"] = {{"inputs", worth(e.story.inputs)},        {"steps", steps(e.story.rows)},
                  {"claim", worth(e.story.claim)},          {"faults", e.plan->faults.size()},
                  {"script", json::parse(script_of(v, e))}, {"command", rerun_command(v, e)}};
    if (e.endless) out["run"]["endless"] = where(*e.endless);
  }
  if (e.picture) out["state"] = state(*e.picture);
  json suggestion = json::array();
  for (const prove::Verification::Invariant& i : e.suggestion)
    suggestion.push_back({{"loop", where(i.loop)}, {"text", i.text}});
  if (!suggestion.empty()) out["suggestion"] = std::move(suggestion);
  if (e.cause == Cause::GaveUp && claim.outcome() != nullptr) {
    out["limit"] = e.limit;
    tell_hard(v, claim, out);
  }
  return out;
}

std::string ClaimReport::source(const Span& span) const {
  if (!span.file.valid()) return "";
  return visible(sources_[span.file].text().substr(span.begin, span.end - span.begin));
}

// The two runs as threads; what is told of both stands in both.
json ClaimReport::code_flows(const Verified& v, const Claim& claim) const {
  const Explanation& e = *v.explanation(claim);
  const auto location = [&](const Span& span, const std::string& text) {
    const Position at = position(span);
    return json{{"physicalLocation",
                 {{"artifactLocation", artifact_of(file(span))},
                  {"region", {{"startLine", at.line}, {"startColumn", at.column}}}}},
                {"message", {{"text", text}}}};
  };
  json threads = json::array();
  for (const bool relaxed : {false, true}) {
    json steps = json::array();
    for (const explain::Row& row : e.story.told) {
      const std::string& value = relaxed ? row.relaxed : row.original;
      if (row.kind == explain::Row::Kind::Gap || value.empty() || !row.at.file.valid()) continue;
      std::string text =
          fmt::format("{} = {}", row.what.empty() ? source(row.at) : row.what, value);
      if (row.kind == explain::Row::Kind::Part) text += "; the runs part";
      if (relaxed && row.kind == explain::Row::Kind::Fault) text += "; fault: " + row.note;
      steps.push_back({{"location", location(row.at, text)}});
    }
    std::string text;
    for (const explain::Worth& w : e.story.claim)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", w.text, w.value);
    if (claim.id.at.file.valid())
      steps.push_back(
          {{"location", location(claim.id.at, text.empty() ? claim.headline() : text)}});
    threads.push_back({{"id", relaxed ? "relaxed" : "original"},
                       {"message", {{"text", relaxed ? "the relaxed run" : "the original run"}}},
                       {"locations", std::move(steps)}});
  }
  return json::array(
      {{{"message", {{"text", rerun_command(v, e)}}}, {"threadFlows", std::move(threads)}}});
}

json ClaimReport::machine(const Verified& v, const Claim& claim) const {
  const Position at = position(claim.id.at);
  json entry = {{"kind", core::name(claim.id.kind)},
                {"function", claim.id.function},
                {"claim", core::claimed(claim.id)},
                {"file", file(claim.id.at)},
                {"line", at.line},
                {"column", at.column},
                {"status", describe(claim.status)},
                {"obligations", claim.obligations},
                {"seconds", claim.seconds},
                {"resource", claim.resource}};
  if (claim.status == Status::Proved) return entry;
  entry["headline"] = claim.headline();
  entry["situation"] = claim.situation;
  if (claim.reason() != solver::Reason::None) entry["reason"] = solver::describe(claim.reason());
  if (v.explanation(claim) != nullptr) entry["explanation"] = explained(v, claim);
  return entry;
}

// By function: what is known of its end.
json ending_of(const Verified& v) {
  json out = json::object();
  for (const core::Function& f : v.program->functions)
    if (!f.external()) out[f.name] = "not looked at";
  for (const auto& [name, is_proved] : find_ending(v))
    out[name] = !is_proved ? "not proved" : v.relative ? "if the original does" : "both runs";
  return out;
}

// Where the program sets what its measures name.
json ClaimReport::assigned(const Verified& v) const {
  json out = json::array();
  for (const auto& [name, places] : core::find_measured_state_assigned(*v.program))
    for (const Span& at : places) {
      const Position where = position(at);
      out.push_back(
          {{"state", name}, {"file", file(at)}, {"line", where.line}, {"column", where.column}});
    }
  return out;
}

json ClaimReport::machine(const Verified& v) const {
  json claims = json::array();
  for (const Claim& claim : v.claims) claims.push_back(machine(v, claim));
  json inferred = json::array();
  for (const prove::Verification::Invariant& invariant : v.inferred) {
    const Position at = position(invariant.loop);
    inferred.push_back({{"function", invariant.function},
                        {"file", file(invariant.loop)},
                        {"line", at.line},
                        {"column", at.column},
                        {"text", invariant.text}});
  }
  return {{"file", v.file},
          {"model", v.model},
          {"status", describe(v.status())},
          {"rests_on", v.footing ? to_json(*v.footing, original_of(v)) : json(nullptr)},
          {"claims", std::move(claims)},
          {"nothing_claimed", v.claims.empty()},
          {"obligations", v.cost.obligations},
          {"solver_calls", v.cost.questions},
          {"inferred", std::move(inferred)},
          {"candidates", v.candidates},
          {"seconds", v.seconds},
          {"external", core::externals_called(*v.program)},
          {"ends", ending_of(v)},
          {"ends_rests_on_assignments", assigned(v)},
          {"relative", v.relative ? json(trusts(v)) : json(false)},
          {"unrolled", v.unroll == 0 ? json(nullptr)
                                     : json{{"up_to", v.unroll}, {"result", name(bounded_of(v))}}},
          {"trusted",
           {{"assertions", v.trusted.assertions},
            {"checks", v.trusted.checks},
            {"invariants", v.trusted.invariants},
            {"assumed", v.trusted.assumed}}}};
}

json ClaimReport::sarif_result(const Verified& v, const Claim& claim) const {
  std::string text =
      fmt::format("{}: {} (under {})", describe(claim.status), claim.headline(), v.model);
  if (!claim.situation.empty()) text += "; " + claim.situation;
  json result = {{"ruleId", core::name(claim.id.kind)},
                 {"level", claim.status == Status::Unknown ? "warning" : "error"},
                 {"message", {{"text", text}}}};
  if (claim.id.at.file.valid()) {
    const Position at = position(claim.id.at);
    result["locations"] =
        json::array({{{"physicalLocation",
                       {{"artifactLocation", artifact_of(file(claim.id.at))},
                        {"region", {{"startLine", at.line}, {"startColumn", at.column}}}}}}});
  }
  if (const Explanation* e = v.explanation(claim)) {
    result["message"]["text"] =
        text + fmt::format("; {}. {}", in_a_word(e->cause), advice(v, claim, sources_));
    result["properties"] = {{"cause", name(e->cause)}};
    if (e->cause == Cause::Real) result["codeFlows"] = code_flows(v, claim);
  }
  return result;
}

json ClaimReport::sarif(const std::vector<Verified>& all) const {
  json results = json::array(), relative = json::array(), footings = json::array(),
       unrolled = json::array();
  for (const Verified& v : all) {
    if (v.unroll > 0)
      unrolled.push_back({{"file", v.file},
                          {"model", v.model},
                          {"up_to", v.unroll},
                          {"result", name(bounded_of(v))}});
    if (v.relative) relative.push_back(fmt::format("{} under {}: {}", v.file, v.model, trusts(v)));
    if (v.footing)
      footings.push_back({{"file", v.file},
                          {"model", v.model},
                          {"rests_on", to_json(*v.footing, original_of(v))}});
    for (const Claim& claim : v.claims)
      if (claim.status != Status::Proved) results.push_back(sarif_result(v, claim));
  }
  return {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::array({{{"tool", {{"driver", {{"name", "leto"}, {"version", LETO_VERSION}}}}},
                             {"columnKind", "unicodeCodePoints"},
                             {"properties",
                              {{"relative", relative},
                               {"unrolled", std::move(unrolled)},
                               {"verifications", std::move(footings)}}},
                             {"results", std::move(results)}}})}};
}

// What keeps a file from being verified is not for the eye alone.
std::string ClaimReport::unread(const DiagnosticList& diagnostics) const {
  if (diagnostics.errors() == 0) return "";
  std::string out = fmt::format("  <testsuite name=\"input\" tests=\"{0}\" errors=\"{0}\">\n",
                                diagnostics.errors());
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity() != Severity::Error) continue;
    const bool placed = (d.span && d.span->file.valid());
    const Position at = placed ? position(*d.span) : Position{};
    out += fmt::format(
        "    <testcase classname=\"{}\" name=\"{}:{}\">\n      <error message=\"{}\"/>\n"
        "    </testcase>\n",
        placed ? xml_text(sources_[d.span->file].path()) : "", at.line, at.column,
        xml_text(d.message()));
  }
  return out + "  </testsuite>\n";
}

std::string ClaimReport::test_case(const Verified& v, const Claim& claim) const {
  const Position at = position(claim.id.at);
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}:{}: {}\" time=\"{:.3f}\"",
                  xml_text(claim.id.function), at.line, at.column,
                  xml_text(core::claimed(claim.id)), claim.seconds);
  if (claim.status == Status::Proved) return head + "/>\n";
  const char* tag = claim.status == Status::Unknown ? "error" : "failure";
  std::string text = claim.situation;
  if (const Explanation* e = v.explanation(claim))
    text += fmt::format("{}{}. {}", text.empty() ? "" : "; ", in_a_word(e->cause),
                        advice(v, claim, sources_));
  return head + fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", tag,
                            describe(claim.status), xml_text(text));
}

std::string ClaimReport::junit(const std::vector<Verified>& all,
                               const DiagnosticList& diagnostics) const {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const Verified& v : all) {
    out += fmt::format(
        "  <testsuite name=\"{} under {}{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "time=\"{:.3f}\">\n",
        xml_text(v.file), xml_text(v.model), v.relative ? xml_text(", " + trusts(v)) : "",
        v.claims.size(), v.count(Status::Refuted) + v.count(Status::Vacuous),
        v.count(Status::Unknown), v.seconds);
    if (v.footing)
      out += fmt::format(
          "    <properties>\n      <property name=\"rests_on\" value=\"{}\"/>\n    "
          "</properties>\n",
          xml_text(to_line(to_json(*v.footing, original_of(v)))));
    for (const Claim& claim : v.claims) out += test_case(v, claim);
    out += "  </testsuite>\n";
  }
  return out + unread(diagnostics) + "</testsuites>\n";
}

}  // namespace leto::report

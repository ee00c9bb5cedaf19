#include <fmt/core.h>

#include <algorithm>

#include "core/core.h"
#include "lsp/proof.h"
#include "report/render_explanation.h"

namespace leto::lsp {

using diagnose::Cause;
using diagnose::Explanation;
using prove::Claim;
using Invariant = prove::Verification::Invariant;

namespace {

class ClaimTeller {
 public:
  ClaimTeller(const Proof& proof, const Client& client)
      : proof_(proof), client_(client), v_(proof.verified()) {}

  Told run() {
    for (const Claim& claim : v_.claims) {
      if (claim.status == prove::Status::Proved) continue;
      if (told_.diagnostics.size() >= kMostDiagnostics) break;
      json one =
          diagnostic_at(proof_.analysis(), client_, claim.id.at, message(claim), steps(claim));
      one["code"] = core::name(claim.id.kind);
      one["severity"] = claim.status == prove::Status::Unknown ? 2 : 1;
      if (const Explanation* e = v_.explanation(claim); e != nullptr && !e->suggestion.empty())
        offer(e->suggestion, one);
      told_.diagnostics.push_back(std::move(one));
    }
    return std::move(told_);
  }

 private:
  [[nodiscard]] std::string source(Span span) const {
    if (!span.file.valid()) return "";
    const std::string text(proof_.analysis().sources().text(span));
    return text.substr(0, text.find_first_of("\r\n{"));
  }

  [[nodiscard]] std::string message(const Claim& claim) const {
    std::string text =
        fmt::format("{}: {} ({})", describe(claim.status), claim.headline(), proof_.under());
    if (!claim.situation.empty()) text += "; " + claim.situation;
    const Explanation* e = v_.explanation(claim);
    if (e == nullptr) return text;
    text += fmt::format("\n{}", in_a_word(e->cause));
    if (e->picture) text += state(explain::in_records(*v_.program, *e->picture));
    for (const explain::Worth& worth : e->story.claim)
      text += fmt::format("\n  {} = {}", worth.text, worth.value);
    return text + "\n" + advice(claim, *e);
  }

  // Of a state that nothing excludes, what the claim speaks of.
  static std::string state(const explain::Picture& picture) {
    std::string text;
    const auto& lines = picture.now.empty() ? picture.from : picture.now;
    for (const explain::Picture::Line& line : lines) {
      if (!line.matters) continue;
      text += line.original.empty() || line.original == line.relaxed
                  ? fmt::format("\n  {} = {}", line.name, line.relaxed)
                  : fmt::format("\n  {}<o> = {}, {}<r> = {}", line.name, line.original, line.name,
                                line.relaxed);
    }
    return text;
  }

  [[nodiscard]] std::string advice(const Claim& claim, const Explanation& e) const {
    if (e.cause != Cause::Weak || e.suggestion.empty())
      return report::advice(v_, claim, proof_.analysis().sources());
    std::string text = "With this the claim is proved; the quick fix writes it:";
    for (const Invariant& invariant : e.suggestion) text += "\n  " + invariant.text;
    return text;
  }

  // The two runs, step by step.
  [[nodiscard]] std::vector<Elsewhere> steps(const Claim& claim) const {
    std::vector<Elsewhere> out;
    const Explanation* e = v_.explanation(claim);
    if (e == nullptr) return out;
    std::string inputs;
    for (const explain::Worth& w : explain::in_records(*v_.program, e->story.inputs))
      inputs += fmt::format("{}{} = {}", inputs.empty() ? "" : ", ", w.text, w.value);
    if (!inputs.empty()) out.push_back({claim.id.at, "inputs: " + inputs});
    for (const explain::Row& row : e->story.told) add_step(row, out);
    if (e->picture)
      for (const explain::Row& row : e->picture->faults) add_step(row, out);
    return out;
  }

  void add_step(const explain::Row& row, std::vector<Elsewhere>& out) const {
    if (row.kind == explain::Row::Kind::Gap || !row.at.file.valid()) return;
    std::string text = row.what.empty() ? source(row.at) : row.what;
    if (!row.original.empty() && row.original == row.relaxed)
      text += fmt::format(" = {} in both runs", row.original);
    else if (!row.original.empty() && !row.relaxed.empty())
      text += fmt::format(" = {} (original), {} (relaxed)", row.original, row.relaxed);
    else if (!row.original.empty() || !row.relaxed.empty())
      text += fmt::format(" = {} in the {} run", row.original.empty() ? row.relaxed : row.original,
                          row.original.empty() ? "relaxed" : "original");
    if (row.kind == explain::Row::Kind::Part) text += "; the runs part";
    if (row.kind == explain::Row::Kind::Fault) text += "; fault: " + row.note;
    out.push_back({row.at, std::move(text)});
  }

  // Lines before the bodies of loops, as the house style has them.
  void offer(const std::vector<Invariant>& suggestion, const json& diagnostic) {
    Fix fix{"", diagnostic, {}};
    std::vector<Span> bodies;
    for (const Invariant& one : suggestion)
      if (std::find(bodies.begin(), bodies.end(), one.body) == bodies.end())
        bodies.push_back(one.body);
    for (const Span& body : bodies) fix.edits.push_back(insertion(suggestion, body));
    fix.title = suggestion.size() == 1 ? fmt::format("Add '{}'", suggestion[0].text)
                                       : fmt::format("Add {} invariants", suggestion.size());
    told_.fixes.push_back(std::move(fix));
  }

  [[nodiscard]] FileEdit insertion(const std::vector<Invariant>& suggestion, Span body) const {
    const SourceFile& file = proof_.analysis().sources()[body.file];
    const std::string_view text = file.text();
    std::uint32_t from = body.begin;  // the white space before the brace goes
    while (from > 0 && (text[from - 1] == ' ' || text[from - 1] == '\t' || text[from - 1] == '\n' ||
                        text[from - 1] == '\r'))
      --from;
    std::string indent;
    for (const Invariant& one : suggestion)
      if (one.body == body) {
        const std::string_view line = file.line_text(file.line_of(one.loop.begin));
        indent = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
      }
    std::string lines = "\n";
    for (const Invariant& one : suggestion)
      if (one.body == body) lines += indent + "    " + one.text + "\n";
    return edit_of(proof_.analysis(), {body.file, from, body.begin}, lines + indent);
  }

  const Proof& proof_;
  const Client& client_;
  const workbench::Verified& v_;
  Told told_;
};

}  // namespace

Told tell_claims(const Proof& proof, const Client& client) {
  return ClaimTeller(proof, client).run();
}

}  // namespace leto::lsp

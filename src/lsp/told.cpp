#include "lsp/told.h"

#include <fmt/core.h>

#include <filesystem>

namespace leto::lsp {

namespace {

constexpr int kError = 1, kWarning = 2, kInformation = 3;
constexpr std::size_t kMostRelated = 60;

std::string short_place(const Analysis& analysis, Span span) {
  const SourceFile& file = analysis.sources()[span.file];
  const Position at = file.position(span.begin);
  return fmt::format("{}:{}:{}", std::filesystem::path(file.path()).filename().string(), at.line,
                     at.column);
}

json problem(const Analysis& analysis, const Client& client, const Diagnostic& d) {
  std::string message = d.message();
  std::vector<Elsewhere> related;
  for (const Note& note : d.notes) {
    if (note.span)
      related.push_back({*note.span, note.text});
    else
      message += "\nnote: " + note.text;
  }
  if (d.help) message += "\nhelp: " + d.help->text;
  json told = diagnostic_at(analysis, client, d.span, std::move(message), related);
  told["code"] = info(d.kind).code;
  told["severity"] = d.severity() == Severity::Error ? kError : kWarning;
  return told;
}

// Under no model nothing goes wrong: whoever wrote relaxed operations should know that. A file that
// is only ever imported needs none, so it is no warning.
json unmodelled(const Analysis& analysis, const Client& client) {
  json told = diagnostic_at(analysis, client, analysis.checked().unmodelled,
                            "no model is picked, so this is exact and nothing can go wrong\n"
                            "help: write 'use model NAME;', or set 'leto.model'",
                            {});
  told["severity"] = kInformation;
  return told;
}

}  // namespace

json diagnostic_at(const Analysis& analysis, const Client& client, std::optional<Span> span,
                   std::string message, const std::vector<Elsewhere>& related) {
  std::vector<Elsewhere> places = related;
  const FileId own = analysis.own() != nullptr ? analysis.own()->file : FileId{};
  if (span && span->file.valid() && own.valid() && span->file != own) {
    places.insert(places.begin(), {*span, "it is here"});
    message = fmt::format("in {}: {}", short_place(analysis, *span), message);
    span = analysis.responsible_for(span->file);
  }
  json around = json::array();
  for (const Elsewhere& place : places) {
    if (!place.span.file.valid()) continue;
    if (!client.related_information)
      message += fmt::format("\nnote: {}: {}", short_place(analysis, place.span), place.text);
    else if (around.size() < kMostRelated)
      around.push_back(
          {{"location", analysis.locator().location(place.span)}, {"message", place.text}});
  }
  const bool placed = span && span->file.valid();
  json told = {{"range", to_json(placed ? analysis.locator().range(*span) : Range{})},
               {"source", "leto"},
               {"message", std::move(message)}};
  if (!around.empty()) told["relatedInformation"] = std::move(around);
  return told;
}

FileEdit edit_of(const Analysis& analysis, Span span, std::string_view text) {
  return {analysis.locator().uri(span.file), analysis.locator().range(span),
          with_line_ends_of(analysis.sources()[span.file].text(), text)};
}

Told tell_doubt(const std::string& why) {
  Told told;
  told.diagnostics.push_back(
      {{"range", to_json(Range{})}, {"severity", kError}, {"source", "leto"}, {"message", why}});
  return told;
}

Told tell_problems(const Analysis& analysis, const Client& client) {
  Told told;
  for (const Diagnostic& d : analysis.diagnostics().all()) {
    if (told.diagnostics.size() >= kMostDiagnostics) break;
    json one = problem(analysis, client, d);
    if (d.help && d.help->edit) {
      const Edit& edit = *d.help->edit;
      told.fixes.push_back({d.help->text, one, {edit_of(analysis, edit.span, edit.replacement)}});
    }
    told.diagnostics.push_back(std::move(one));
  }
  if (analysis.own() != nullptr && analysis.checked().unmodelled)
    told.diagnostics.push_back(unmodelled(analysis, client));
  return told;
}

}  // namespace leto::lsp

#include <nlohmann/json.hpp>

#include "report/artifact.h"
#include "report/machine_text.h"
#include "report/pages.h"
#include "report/render.h"

namespace leto::report {

using nlohmann::json;

namespace {

// Source text may hold bytes that are not UTF-8; they are replaced, not thrown over.
std::string_view severity_name(Severity severity) {
  return severity == Severity::Error ? "error" : "warning";
}

json range_of(Span span, const SourceStore& sources) {
  const SourceFile& file = sources[span.file];
  const Position from = file.position(span.begin), to = file.position(span.end);
  return {{"start", {{"line", from.line}, {"column", from.column}}},
          {"end", {{"line", to.line}, {"column", to.column}}}};
}

json place_of(const std::optional<Span>& span, const SourceStore& sources) {
  json place = json::object();
  if (span) {
    place["file"] = sources[span->file].path();
    place["range"] = range_of(*span, sources);
  }
  return place;
}

json sarif_region(Span span, const SourceStore& sources) {
  const SourceFile& file = sources[span.file];
  const Position from = file.position(span.begin), to = file.position(span.end);
  return {{"startLine", from.line},
          {"startColumn", from.column},
          {"endLine", to.line},
          {"endColumn", to.column}};
}

json sarif_location(Span span, const SourceStore& sources) {
  return {{"physicalLocation",
           {{"artifactLocation", artifact_of(sources[span.file].path())},
            {"region", sarif_region(span, sources)}}}};
}

json sarif_rules() {
  json rules = json::array();
  for (const DiagnosticInfo& row : all_diagnostics()) {
    rules.push_back({{"id", row.code},
                     {"name", row.name},
                     {"shortDescription", {{"text", row.name}}},
                     {"help", {{"text", explanation(row.code)}}},
                     {"defaultConfiguration", {{"level", severity_name(row.severity)}}}});
  }
  return rules;
}

}  // namespace

std::string render_json(const DiagnosticList& diagnostics, const SourceStore& sources) {
  json list = json::array();
  for (const Diagnostic& d : diagnostics.all()) {
    json entry = place_of(d.span, sources);
    entry["code"] = info(d.kind).code;
    entry["severity"] = severity_name(d.severity());
    entry["message"] = d.message();
    entry["notes"] = json::array();
    for (const Note& note : d.notes) {
      json one = place_of(note.span, sources);
      one["message"] = note.text;
      entry["notes"].push_back(std::move(one));
    }
    if (d.help) {
      entry["help"] = {{"message", d.help->text}};
      if (d.help->edit) {
        entry["help"]["edit"] = place_of(d.help->edit->span, sources);
        entry["help"]["edit"]["replacement"] = d.help->edit->replacement;
      }
    }
    list.push_back(std::move(entry));
  }
  const std::size_t all = diagnostics.all().size();
  return to_text({{"tool", "leto"},
                  {"version", LETO_VERSION},
                  {"diagnostics", std::move(list)},
                  {"errors", diagnostics.errors()},
                  {"warnings", all - diagnostics.errors()}});
}

std::string render_sarif(const DiagnosticList& diagnostics, const SourceStore& sources) {
  json results = json::array();
  for (const Diagnostic& d : diagnostics.all()) {
    json result = {{"ruleId", info(d.kind).code},
                   {"ruleIndex", static_cast<int>(d.kind)},
                   {"level", severity_name(d.severity())},
                   {"message", {{"text", d.message()}}}};
    if (d.span) result["locations"] = json::array({sarif_location(*d.span, sources)});
    json related = json::array();
    for (const Note& note : d.notes) {
      if (!note.span) continue;
      json one = sarif_location(*note.span, sources);
      one["message"] = {{"text", note.text}};
      related.push_back(std::move(one));
    }
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    // There is no file to mend if it came from the standard input.
    if (d.help && d.help->edit && has_file(sources[d.help->edit->span.file].path())) {
      const Edit& edit = *d.help->edit;
      result["fixes"] = json::array(
          {{{"description", {{"text", d.help->text}}},
            {"artifactChanges",
             json::array(
                 {{{"artifactLocation", artifact_of(sources[edit.span.file].path())},
                   {"replacements",
                    json::array({{{"deletedRegion", sarif_region(edit.span, sources)},
                                  {"insertedContent", {{"text", edit.replacement}}}}})}}})}}});
    }
    results.push_back(std::move(result));
  }
  json run = {
      {"tool",
       {{"driver", {{"name", "leto"}, {"version", LETO_VERSION}, {"rules", sarif_rules()}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  return to_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", json::array({std::move(run)})}});
}

}  // namespace leto::report

#include "report/protocol.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/machine_text.h"
#include "report/place.h"

namespace leto::report {

using nlohmann::json;

namespace {

const transition::Claim& decided_claim(const DecidedClaim& decided) {
  return decided.system->claims.at(decided.claim);
}

std::string joined_by(const std::vector<std::string>& parts, const char* between) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : between) + part;
  return out;
}

std::string counted_things(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// As a user calls it.
std::string exact_value(const transition::System& system, const transition::Value& value,
                        std::optional<std::uint32_t> enumeration) {
  if (enumeration) {
    const auto& values = system.enumerations.at(*enumeration).values;
    if (value.number >= 0 && value.number < static_cast<unsigned long>(values.size()))
      return values[value.number.get_num().get_ui()];
  }
  return transition::exact_text(value);
}

std::string for_people(const transition::System& system, const transition::Value& value,
                       std::optional<std::uint32_t> enumeration) {
  const std::string decimal =
      value.sort == logic::kReal ? transition::decimal_text(value) : std::string();
  const std::string text = exact_value(system, value, enumeration);
  return decimal.empty() ? text : text + " " + decimal;
}

// Variables that a formula reads.
std::set<std::size_t> read_by(const transition::System& system, logic::Term formula) {
  std::map<logic::Term, std::size_t> numbers;
  for (std::size_t i = 0; i < system.variables.size(); ++i) numbers[system.variables[i].now] = i;
  std::set<std::size_t> out;
  std::set<logic::Term> seen;
  std::vector<logic::Term> to_do{formula};
  while (!to_do.empty()) {
    const logic::Term term = to_do.back();
    to_do.pop_back();
    if (!seen.insert(term).second) continue;
    if (const auto it = numbers.find(term); it != numbers.end()) out.insert(it->second);
    for (const logic::Term arg : (*system.terms)[term].args) to_do.push_back(arg);
  }
  return out;
}

// A row of a table: its name, and a cell for each state; empty where nothing changes.
struct TraceRow {
  std::string name;
  std::vector<std::string> cells;
};

std::vector<TraceRow> trace_rows(const transition::System& system, const transition::Claim& claim,
                                 const transition::Trace& trace) {
  const std::set<std::size_t> read = read_by(system, claim.formula);
  std::vector<TraceRow> out;
  for (std::size_t v = 0; v < system.variables.size(); ++v) {
    TraceRow row{system.variables[v].name, {}};
    bool changes = false;
    for (std::size_t at = 0; at < trace.states.size(); ++at) {
      const bool same = at > 0 && trace.states[at][v] == trace.states[at - 1][v];
      changes = changes || (at > 0 && !same);
      row.cells.push_back(
          same ? "" : for_people(system, trace.states[at][v], system.variables[v].enumeration));
    }
    if (changes || read.contains(v)) out.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < system.inputs.size(); ++i) {
    if (system.inputs[i].hidden) continue;
    TraceRow row{system.inputs[i].name + " (input)", {""}};
    for (std::size_t at = 0; at < trace.inputs.size(); ++at) {
      const bool same = at > 0 && trace.inputs[at][i] == trace.inputs[at - 1][i];
      row.cells.push_back(
          same ? "" : for_people(system, trace.inputs[at][i], system.inputs[i].enumeration));
    }
    out.push_back(std::move(row));
  }
  return out;
}

// What is said beside the step that leads to a state.
std::vector<std::string> remarks_of(const transition::System& system,
                                    const transition::Decision& decision, std::size_t at) {
  transition::Evaluation evaluation(*system.terms);
  for (std::size_t v = 0; v < system.variables.size(); ++v) {
    evaluation.set(system.variables[v].now, decision.trace->states[at][v]);
    evaluation.set(system.variables[v].next, decision.trace->states[at + 1][v]);
  }
  for (std::size_t i = 0; i < system.inputs.size(); ++i)
    evaluation.set(system.inputs[i].term, decision.trace->inputs[at][i]);
  std::vector<std::string> out;
  for (const transition::Remark& remark : system.steps.at(decision.steps.at(at)).remarks) {
    if (!evaluation.is_true(remark.when)) continue;
    const auto value = remark.value ? evaluation.of(*remark.value) : std::nullopt;
    out.push_back(remark.text +
                  (value ? ": " + exact_value(system, *value, remark.enumeration) : std::string()));
  }
  return out;
}

std::string padded_cell(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

// As many columns as fit into a line, and the others below.
std::string trace_columns(const std::vector<std::string>& head, const std::vector<TraceRow>& rows) {
  constexpr std::size_t kLine = 100;
  std::size_t first = 0;
  for (const TraceRow& row : rows) first = std::max(first, row.name.size());
  std::string out;
  for (std::size_t begin = 0; begin < head.size();) {
    std::vector<std::size_t> widths;
    std::size_t line = first + 2, end = begin;
    for (; end < head.size(); ++end) {
      std::size_t width = head[end].size();
      for (const TraceRow& row : rows) width = std::max(width, row.cells[end].size());
      if (end > begin && line + width + 2 > kLine) break;
      line += width + 2;
      widths.push_back(width);
    }
    const auto write = [&](const std::string& name, const std::vector<std::string>& cells) {
      std::string text = "    " + padded_cell(name, first);
      for (std::size_t i = begin; i < end; ++i)
        text += "  " + padded_cell(cells[i], widths[i - begin]);
      text.erase(text.find_last_not_of(' ') + 1);
      out += text + "\n";
    };
    write("", head);
    for (const TraceRow& row : rows) write(row.name, row.cells);
    begin = end;
  }
  return out;
}

}  // namespace

std::string trace_table(const transition::System& system, const transition::Claim& claim,
                        const transition::Decision& decision) {
  const transition::Trace& trace = *decision.trace;
  std::vector<std::string> head{"0"};
  for (std::size_t at = 0; at < decision.steps.size(); ++at)
    head.push_back(fmt::format("{} {}", at + 1, system.steps.at(decision.steps[at]).name));
  std::string out = trace_columns(head, trace_rows(system, claim, trace));
  for (std::size_t at = 0; at < decision.steps.size(); ++at)
    for (const std::string& remark : remarks_of(system, decision, at))
      out += fmt::format("    step {}: {}\n", at + 1, remark);
  return out;
}

std::string protocol_line(const DecidedClaim& decided, const SourceStore& sources) {
  const transition::Decision& d = decided.decision;
  const transition::Claim& claim = decided_claim(decided);
  std::string out = claim.span ? place(sources, *claim.span) + ": " : "";
  out += fmt::format("{}: {}", claim.name, describe(d.verdict));
  if (d.verdict == transition::Verdict::Valid)
    out += fmt::format(" by {}, k = {}, checked by {}", d.engine, d.certificate->k,
                       d.checked_by.size() == 1 ? "one solver, " + d.checked_by[0]
                                                : joined_by(d.checked_by, " and "));
  else if (d.verdict == transition::Verdict::Invalid)
    out +=
        fmt::format(" by {}, after {}, replayed", d.engine, counted_things(d.steps.size(), "step"));
  else
    out += ", " + d.why;
  return out + fmt::format(", {:.2f} s\n", d.cpu_seconds);
}

std::string protocol_details(const DecidedClaim& decided) {
  const transition::Decision& d = decided.decision;
  std::string out;
  for (const std::string& dismissed : d.dismissed) out += "  thrown away: " + dismissed + "\n";
  if (d.verdict == transition::Verdict::Unknown)
    for (const transition::Tried& tried : d.tried)
      out += fmt::format("  tried: {}, {}, {:.2f} s\n", tried.engine, tried.progress,
                         tried.cpu_seconds);
  if (d.trace) out += trace_table(*decided.system, decided_claim(decided), d);
  return out;
}

std::string protocol_table(const std::vector<DecidedClaim>& all) {
  std::vector<std::string> rows, claims;
  std::map<std::pair<std::string, std::string>, std::string> cells;
  const auto add_once = [](std::vector<std::string>& list, const std::string& one) {
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
  };
  for (const DecidedClaim& decided : all) {
    const std::string row = decided.system->name + " under " + decided.model;
    add_once(rows, row);
    add_once(claims, decided_claim(decided).name);
    cells[{row, decided_claim(decided).name}] = describe(decided.decision.verdict);
  }
  std::size_t first = 0;
  for (const std::string& row : rows) first = std::max(first, row.size());
  std::string out = "\n" + padded_cell("", first);
  for (const std::string& claim : claims)
    out += "  " + padded_cell(claim, std::max<std::size_t>(claim.size(), 7));
  out.erase(out.find_last_not_of(' ') + 1);
  out += "\n";
  for (const std::string& row : rows) {
    std::string line = padded_cell(row, first);
    for (const std::string& claim : claims) {
      const auto found = cells.find({row, claim});
      line += "  " + padded_cell(found == cells.end() ? "-" : found->second,
                                 std::max<std::size_t>(claim.size(), 7));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out + "\n";
}

std::string protocol_summary(const std::vector<DecidedClaim>& all) {
  std::vector<std::string> parts;
  for (const transition::Verdict verdict :
       {transition::Verdict::Valid, transition::Verdict::Invalid, transition::Verdict::Unknown,
        transition::Verdict::Vacuous, transition::Verdict::Contradiction}) {
    const auto count = std::count_if(all.begin(), all.end(), [&](const DecidedClaim& decided) {
      return decided.decision.verdict == verdict;
    });
    if (count > 0) parts.push_back(fmt::format("{} {}", count, describe(verdict)));
  }
  return fmt::format("{}: {}\n", counted_things(all.size(), "claim"), joined_by(parts, ", "));
}

namespace {

json state_json(const transition::System& system, const std::vector<transition::Value>& values) {
  json out = json::object();
  for (std::size_t v = 0; v < values.size(); ++v)
    out[system.variables[v].name] = exact_value(system, values[v], system.variables[v].enumeration);
  return out;
}

json trace_json(const transition::System& system, const transition::Decision& decision) {
  json out = json::array();
  for (std::size_t at = 0; at < decision.trace->states.size(); ++at) {
    json entry{{"state", state_json(system, decision.trace->states[at])}};
    if (at > 0) {
      entry["step"] = system.steps.at(decision.steps[at - 1]).name;
      json inputs = json::object();
      for (std::size_t i = 0; i < system.inputs.size(); ++i)
        inputs[system.inputs[i].name] =
            exact_value(system, decision.trace->inputs[at - 1][i], system.inputs[i].enumeration);
      if (!inputs.empty()) entry["inputs"] = std::move(inputs);
      json remarks = remarks_of(system, decision, at - 1);
      if (!remarks.empty()) entry["remarks"] = std::move(remarks);
    }
    out.push_back(std::move(entry));
  }
  return out;
}

json claim_json(const DecidedClaim& decided, const SourceStore& sources) {
  const transition::Decision& d = decided.decision;
  const transition::Claim& claim = decided_claim(decided);
  json out{{"system", decided.system->name},
           {"claim", claim.name},
           {"verdict", describe(d.verdict)},
           {"seconds", d.cpu_seconds},
           {"dismissed", d.dismissed},
           {"assumes", !decided.system->terms->is_true(decided.system->assumed)}};
  if (!decided.model.empty()) out["model"] = decided.model;
  if (!decided.remarks.empty()) out["remarks"] = decided.remarks;
  if (claim.span) out["place"] = place(sources, *claim.span);
  if (!d.engine.empty()) out["engine"] = d.engine;
  if (!d.why.empty()) out["why"] = d.why;
  if (d.certificate) {
    out["k"] = d.certificate->k;
    out["checked_by"] = d.checked_by;
  }
  if (d.trace) {
    out["depth"] = d.steps.size();
    out["trace"] = trace_json(*decided.system, d);
  }
  json tried = json::array();
  for (const transition::Tried& t : d.tried)
    tried.push_back({{"engine", t.engine}, {"progress", t.progress}, {"seconds", t.cpu_seconds}});
  out["tried"] = std::move(tried);
  return out;
}

}  // namespace

std::string protocol_json(const std::vector<DecidedClaim>& all, const SourceStore& sources) {
  json claims = json::array();
  for (const DecidedClaim& decided : all) claims.push_back(claim_json(decided, sources));
  return to_text({{"tool", "leto"}, {"claims", std::move(claims)}});
}

}  // namespace leto::report

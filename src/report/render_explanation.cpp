#include "report/render_explanation.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/difficulty.h"
#include "report/escape.h"
#include "report/screen.h"
#include "script/script.h"

namespace leto::report {

using core::ClaimGroup;
using core::ClaimKind;
using diagnose::Cause;
using diagnose::Explanation;
using explain::Row;
using explain::Worth;
using prove::Claim;
using prove::Verification;
using workbench::Verified;

namespace {

std::string line_and_column(const Span& span, const SourceStore& sources) {
  if (!span.file.valid()) return "?";
  const Position p = sources[span.file].position(span.begin);
  return fmt::format("{}:{}", p.line, p.column);
}

// The state that a run starts with, where it is not what the model starts with.
std::string state_elsewhere(const core::Program& program, const interp::Inputs& inputs) {
  const interp::Machine machine(program);
  interp::Pair values = inputs.values;
  interp::Scope scope{values, core::Side::Relaxed};
  std::string out;
  for (const core::StateVar& s : program.model.states) {
    const interp::Value& value = inputs.values.relaxed[s.var.value];
    const core::Var& v = program.vars[s.var];
    if (!s.init.valid() || interp::equal(machine.evaluator().value(s.init, scope), value)) continue;
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", v.name, interp::text(value, v.type));
  }
  return out;
}

constexpr std::size_t kWidth = 100;

bool invariant(ClaimKind kind) {
  return kind == ClaimKind::InvariantEntry || kind == ClaimKind::InvariantKept;
}

std::string plural(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// Whether the claim itself speaks of a definition that uses itself.
bool speaks_of_recursion(const core::Program& program, const Claim& claim) {
  const vcgen::Obligation* o = claim.obligation();
  return o != nullptr && o->expr.valid() && core::uses_recursion(program, o->expr);
}

class ExplanationPage {
 public:
  ExplanationPage(const Verified& v, const Claim& claim, const SourceStore& sources,
                  const ExplanationStyle& style)
      : v_(v), claim_(claim), e_(*v.explanation(claim)), sources_(sources), style_(style) {}

  std::string run() {
    heading();
    switch (e_.cause) {
      case Cause::Real:
        real();
        break;
      case Cause::Weak:
        weak();
        break;
      case Cause::Unexecuted:
        wrapped(
            "",
            "The solver found values with which it does not hold, but no run of the interpreter "
            "was found that breaks it:");
        tell_case(claim_.situation);
        picture();
        break;
      case Cause::Model:
        model();
        break;
      case Cause::Definition:
        wrapped("", "This is about the definition by itself. Values for which it does not hold:");
        picture();
        break;
      case Cause::Contradiction:
        tell_case(claim_.situation);
        wrapped("",
                core::group_of(claim_.id.kind) == ClaimGroup::Consistent
                    ? "It cannot: what is known here contradicts itself, so anything would hold "
                      "behind it. Nothing of that is counted as proved."
                    : "What is assumed before this claim contradicts itself, so anything would "
                      "hold there. It is not counted as proved.");
        break;
      case Cause::GaveUp:
        gave_up();
        break;
    }
    wrapped("next", advice(v_, claim_, sources_, style_.one_run));
    return std::move(out_);
  }

 private:
  std::string paint(std::string_view code, const std::string& text) const {
    return style_.colour ? painted(text, code) : text;
  }
  std::string at(const Span& span) const {
    if (!span.file.valid()) return "?";
    const Position p = sources_[span.file].position(span.begin);
    return fmt::format("{}:{}", p.line, p.column);
  }
  std::string source(const Span& span) const {
    if (!span.file.valid()) return "";
    std::string text(sources_[span.file].text().substr(span.begin, span.end - span.begin));
    std::string flat;
    for (char c : text)
      if (c != '\n' && c != '\t' && (c != ' ' || (!flat.empty() && flat.back() != ' '))) flat += c;
    return visible(flat);
  }
  void line(std::string_view head, const std::string& body) {
    std::string text = fmt::format("    {:<7} {}", head, body);
    text.erase(text.find_last_not_of(' ') + 1);
    out_ += text + "\n";
  }
  void wrapped(std::string_view head, const std::string& body) {
    std::size_t from = 0;
    constexpr std::size_t kRoom = kWidth - 12;
    while (from < body.size()) {
      std::size_t to = body.size();
      if (to - from > kRoom) {
        to = body.rfind(' ', from + kRoom);
        // A field and its value stay together.
        while (to != std::string::npos && to > from && body[to - 1] == ':')
          to = body.rfind(' ', to - 1);
        if (to == std::string::npos || to <= from) to = std::min(body.size(), from + kRoom);
      }
      line(head, body.substr(from, to - from));
      head = "";
      from = to;
      while (from < body.size() && body[from] == ' ') ++from;
    }
  }

  void tell_case(const std::string& situation) {
    if (situation.empty()) return;
    const bool iterates = style_.one_run && situation == "when the original run iterates";
    line("case", iterates ? "in an iteration of the loop" : situation);
  }

  void heading() {
    const Position p = claim_.id.at.file.valid()
                           ? sources_[claim_.id.at.file].position(claim_.id.at.begin)
                           : Position{};
    const char* word = e_.cause == Cause::Real            ? "REAL"
                       : e_.cause == Cause::Weak          ? "NOT EXCLUDED"
                       : e_.cause == Cause::Unexecuted    ? "NOT EXECUTED"
                       : e_.cause == Cause::Model         ? name_of_model()
                       : e_.cause == Cause::Definition    ? "THE DEFINITION"
                       : e_.cause == Cause::Contradiction ? "CONTRADICTION"
                                                          : "GAVE UP";
    const char* code = e_.cause == Cause::Real ? "1;31" : "1;33";
    out_ += fmt::format(
        "\n  {}  {}:{}:{}: {}{}\n", paint(code, word),
        claim_.id.at.file.valid() ? name_on_line(sources_[claim_.id.at.file].path()) : "", p.line,
        p.column, headline(),
        claim_.id.function.starts_with("model ") ? "" : ", in " + function_named());
    if (!claim_.id.at.file.valid()) return;
    const SourceFile& file = sources_[claim_.id.at.file];
    const std::string_view text = file.line_text(p.line);
    const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
    const Position end = file.position(claim_.id.at.end);
    const std::size_t width = end.line == p.line && end.column > p.column
                                  ? end.column - p.column
                                  : text.size() + 1 - std::min<std::size_t>(p.column, text.size());
    out_ += fmt::format("   {:>4} | {}\n", p.line, visible(text.substr(indent)));
    out_ += fmt::format("        | {}{}\n",
                        std::string(p.column > indent ? p.column - 1 - indent : 0, ' '),
                        paint(code, std::string(std::max<std::size_t>(width, 1), '^')));
  }

  [[nodiscard]] const workbench::KnownAs* known_as() const {
    const auto it = style_.known_as.find(claim_.id.function);
    return it == style_.known_as.end() ? nullptr : &it->second;
  }
  [[nodiscard]] std::string function_named() const {
    return known_as() == nullptr ? claim_.id.function : known_as()->name;
  }
  [[nodiscard]] std::string headline() const {
    if (known_as() != nullptr && core::group_of(claim_.id.kind) == ClaimGroup::Ensures)
      if (const auto it = known_as()->promises.find(claim_.id.at.begin);
          it != known_as()->promises.end())
        return claim_.status == prove::Status::Refuted ? it->second.fails : it->second.claimed;
    return style_.one_run ? claim_.headline_of_one_run() : claim_.headline();
  }

  static std::string joined(const std::vector<Worth>& list) {
    std::string out;
    for (const Worth& w : list)
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", w.text, w.value);
    return out;
  }

  // Real
  // -------------------------------------------------------------------------------------------

  void real() {
    const std::size_t faults = e_.plan->faults.size();
    const std::string how =
        faults == 0 ? ", without any fault" : ", with " + plural(faults, "fault");
    wrapped("", fmt::format("This run breaks it{}; the interpreter has executed it.",
                            style_.one_run ? "" : how));
    if (!e_.story.inputs.empty())
      wrapped("inputs", joined(explain::in_records(*v_.program, e_.story.inputs)));
    if (const std::string state = state_elsewhere(*v_.program, e_.plan->inputs); !state.empty())
      wrapped("",
              fmt::format("It starts where {}, as a call of the function may: nothing says that "
                          "none does.",
                          state));
    table(e_.story.told);
    claim_parts(e_.story.claim);
    if (e_.endless)
      wrapped("endless",
              fmt::format("If {} each time, the {} comes to the head of the loop at {} again "
                          "with the same values, and never ends. That was executed too.",
                          faults == 0   ? "this happens"
                          : faults == 1 ? "this fault happens"
                                        : "these faults happen",
                          style_.one_run ? "run" : "relaxed run",
                          line_and_column(*e_.endless, sources_)));
    if (!v_.run.empty()) line("again", rerun_command(v_, e_));
  }

  std::string what(const Row& row) const {
    if (!row.what.empty() && row.what != "if" && row.what != "while") return row.what;
    std::string text = source(row.at);
    if (row.kind == Row::Kind::Part) {
      const std::size_t open = text.find('{');
      if (open != std::string::npos) text.resize(open);
      const std::size_t invariant = text.find(" invariant");
      if (invariant != std::string::npos) text.resize(invariant);
    }
    while (text.ends_with(" ")) text.pop_back();
    constexpr std::size_t kMost = 34;
    return text.size() > kMost ? text.substr(0, kMost - 3) + "..." : text;
  }

  void table(const std::vector<Row>& rows) {
    if (rows.empty()) return;
    std::size_t name = 12, left = 8, right = 8;
    constexpr std::size_t kMost = 24;
    const auto width = [](const std::string& cell) {
      std::size_t most = 0;
      for (const std::string& one : broken_cell(cell, kMost)) most = std::max(most, one.size());
      return most;
    };
    for (const Row& row : rows) {
      name = std::max(name, what(row).size());
      left = std::max(left, width(row.original));
      right = std::max(right, width(row.relaxed));
    }
    left = std::min(left, kMost);
    right = std::min(right, kMost);
    if (!style_.one_run)
      line("", fmt::format("{:<7} {:<{}}  {:<{}}  {}", "", "", name, "original", left, "relaxed"));
    for (const Row& row : rows) {
      if (row.kind == Row::Kind::Gap) {
        line("", fmt::format("{:<7} ... {}", "", plural(row.steps, "step")));
        continue;
      }
      const std::string note = row.kind == Row::Kind::Fault  ? "fault: " + row.note
                               : row.kind == Row::Kind::Part ? "the runs part"
                                                             : row.note;
      if (style_.one_run) {
        for (const std::string& cell :
             broken_cell(row.original.empty() ? row.relaxed : row.original, left))
          line("", fmt::format("{:<7} {:<{}}  {}", at(row.at), what(row), name, cell));
        continue;
      }
      const auto original = broken_cell(row.original.empty() ? "." : row.original, left);
      const auto relaxed = broken_cell(row.relaxed.empty() ? "." : row.relaxed, right);
      for (std::size_t k = 0; k < std::max(original.size(), relaxed.size()); ++k) {
        const std::string text = fmt::format(
            "{:<7} {:<{}}  {:<{}}  {:<{}}  ", k == 0 ? at(row.at) : "", k == 0 ? what(row) : "",
            name, cell_line(original, k), left, cell_line(relaxed, k), right);
        if (k > 0)
          line("", text);
        else
          line("", text + (row.kind == Row::Kind::Set ? note : paint("1;31", note)));
      }
    }
  }

  // A record that has no room on one line has a line for each field, and a vector of records for
  // each element. Anything else is as long as it is.
  static std::vector<std::string> broken_cell(const std::string& cell, std::size_t room) {
    const bool vector = cell.starts_with("[{");
    if (cell.size() <= room || (!vector && !cell.starts_with("{"))) return {cell};
    const std::string_view end = vector ? "}, " : ", ";
    std::vector<std::string> lines;
    std::size_t from = 0;
    while (from < cell.size()) {
      const std::size_t found = cell.find(end, from);
      const std::size_t to = found == std::string::npos ? cell.size() : found + end.size();
      lines.push_back((lines.empty() ? "" : " ") + cell.substr(from, to - from));
      if (lines.back().ends_with(" ")) lines.back().pop_back();
      from = to;
    }
    return lines;
  }
  static std::string cell_line(const std::vector<std::string>& cell, std::size_t k) {
    return k < cell.size() ? cell[k] : "";
  }

  // Formulas each on a line, with the values in them behind.
  void claim_parts(const std::vector<Worth>& parts) {
    std::string_view head = "claim";
    std::string values;
    std::size_t lines = 0;
    const auto flush = [&] {
      if (values.empty()) return;
      wrapped(head, head.empty() ? "  with " + values : values);
      head = "";
      values.clear();
    };
    for (const Worth& w : parts) {
      const bool formula =
          (w.value == "true" || w.value == "false") && w.text.find(' ') != std::string::npos;
      if (!formula) {
        values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", w.text, w.value);
        continue;
      }
      flush();
      if (!style_.full && ++lines > 5) continue;
      wrapped(head, fmt::format("{} is {}", w.text, w.value));
      head = "";
    }
    if (lines > 5 && !style_.full) line("", "...");
    flush();
  }

  // Weak
  // -------------------------------------------------------------------------------------------

  std::string where(const explain::Picture& p) const {
    switch (p.kind) {
      case encode::Moment::Kind::Entry:
        return "when the function is entered";
      case encode::Moment::Kind::Head:
        return fmt::format("at the head of the loop at {}", at(p.at));
      case encode::Moment::Kind::AfterLoop:
        return fmt::format("after the loop at {}", at(p.at));
      case encode::Moment::Kind::AfterCall:
        return fmt::format("after the call at {}", at(p.at));
      case encode::Moment::Kind::Claim:
        break;
    }
    return "";
  }

  void weak() {
    wrapped("",
            "No run was found that breaks it, at random or with loops unrolled. But what is "
            "known there does not exclude it:");
    tell_case(claim_.situation);
    picture();
    if (!e_.suggestion.empty()) {
      const Verification::Invariant* last = nullptr;
      for (const Verification::Invariant& i : e_.suggestion) {
        if (last == nullptr || last->loop != i.loop)
          line(last == nullptr ? "add" : "", fmt::format("to the loop at {}", at(i.loop)));
        line("", paint("1;32", "    " + i.text));
        last = &i;
      }
    }
  }

  struct Shown {
    std::string name, a, b, c, d;
    int rank;
  };
  // Of the model alone there is one run only.
  void single(const explain::Picture& p, const std::vector<Shown>& shown) {
    std::string_view head = "state";
    std::size_t name = 6, value = 6;
    for (const Shown& s : shown) {
      name = std::max(name, s.name.size());
      value = std::max(value, s.b.size());
    }
    // Of what cannot be followed there is no afterwards.
    const bool after =
        !p.from.empty() && claim_.id.kind != ClaimKind::Total && e_.cause != Cause::Definition;
    if (after) {
      line(head, fmt::format("{:<{}}  {:<{}}  {}", "", name, "before", value, "after"));
      head = "";
    }
    for (const Shown& s : shown) {
      if (claim_.id.kind == ClaimKind::Total && s.name == "result") continue;
      line(head, fmt::format("{:<{}}  {:<{}}  {}", s.name, name, s.b, value, after ? s.d : ""));
      head = "";
    }
    claim_parts(p.claim);
  }

  // The variables of a picture, those that matter most first.
  static std::vector<Shown> shown_of(const explain::Picture& p) {
    std::map<std::string, const explain::Picture::Line*> now;
    for (const auto& l : p.now) now[l.name] = &l;
    std::vector<Shown> shown;
    for (const auto& l : p.from) {
      const auto it = now.find(l.name);
      Shown s{l.name, l.original, l.relaxed, "", "", 0};
      if (it != now.end()) {
        s.c = it->second->original;
        s.d = it->second->relaxed;
      }
      const bool parts = !l.original.empty() && l.original != l.relaxed;
      const bool parted = it != now.end() && !s.c.empty() && s.c != s.d;
      const bool changed = it != now.end() && (s.c != s.a || s.d != s.b);
      s.rank = l.matters ? 0 : parts || parted ? 1 : changed ? 2 : 3;
      shown.push_back(std::move(s));
    }
    for (const auto& l : p.now)
      if (std::none_of(p.from.begin(), p.from.end(),
                       [&](const auto& known) { return known.name == l.name; })) {
        if (p.from.empty())
          shown.push_back({l.name, l.original, l.relaxed, "", "", 0});
        else
          shown.push_back({l.name, "", "", l.original, l.relaxed, l.matters ? 0 : 1});
      }
    std::stable_sort(shown.begin(), shown.end(),
                     [](const Shown& a, const Shown& b) { return a.rank < b.rank; });
    return shown;
  }

  // Says how many are left out.
  std::size_t cut(std::vector<Shown>& shown) const {
    std::size_t most = shown.size();
    if (!style_.full) {
      const auto idle = static_cast<std::size_t>(
          std::count_if(shown.begin(), shown.end(), [](const Shown& s) { return s.rank == 3; }));
      most = std::min<std::size_t>(10, std::max<std::size_t>(shown.size() - idle, 6));
    }
    const std::size_t left_out = shown.size() > most ? shown.size() - most : 0;
    if (shown.size() > most) shown.resize(most);
    return left_out;
  }

  // Both runs, where something is known and where the claim is to hold.
  void states(const explain::Picture& p, const std::vector<Shown>& whole) {
    if (style_.one_run) return state_of_one_run(p, whole);
    const std::vector<Shown> shown = fitting(whole);
    std::size_t name = 8, a = 8, b = 8, c = 8;
    for (const Shown& s : shown) {
      name = std::max(name, s.name.size());
      a = std::max(a, s.a.size());
      b = std::max(b, s.b.size());
      c = std::max(c, s.c.size());
    }
    const bool two = !p.from.empty();
    const std::string then = "where the claim is to hold";
    if (two)
      line("state", fmt::format("{:<{}}  {:<{}}  {}", "", name, where(p),
                                std::max(a + b + 2, where(p).size()), then));
    const std::size_t gap = two ? std::max(a + b + 2, where(p).size()) - (a + b + 2) : 0;
    line(two ? "" : "state",
         fmt::format("{:<{}}  {:<{}}  {:<{}}  {}{:<{}}  {}", "", name, "original", a, "relaxed", b,
                     std::string(gap, ' '), two ? "original" : "", c, two ? "relaxed" : ""));
    for (const Shown& s : shown)
      line("", fmt::format("{:<{}}  {:<{}}  {:<{}}  {}{:<{}}  {}", s.name, name, dotted(s, s.a), a,
                           dotted(s, s.b), b, std::string(gap, ' '), two ? dotted(s, s.c) : s.c, c,
                           two ? dotted(s, s.d) : s.d));
  }
  // The same of one run: what it has where something is known, and where the claim is to hold.
  void state_of_one_run(const explain::Picture& p, const std::vector<Shown>& shown) {
    const bool two = !p.from.empty();
    std::size_t name = 8, from = where(p).size();
    for (const Shown& s : shown) {
      name = std::max(name, s.name.size());
      from = std::max(from, value_in(s.a, s.b).size());
    }
    std::string_view head = "state";
    if (two) {
      line(head,
           fmt::format("{:<{}}  {:<{}}  where the claim is to hold", "", name, where(p), from));
      head = "";
    }
    for (const Shown& s : shown) {
      line(head, fmt::format("{:<{}}  {:<{}}  {}", s.name, name, value_in(s.a, s.b), from,
                             two ? value_in(s.c, s.d) : ""));
      head = "";
    }
  }
  // The one that is there.
  static std::string value_in(const std::string& original, const std::string& relaxed) {
    if (original.empty() && relaxed.empty()) return ".";
    return original.empty() ? relaxed : original;
  }
  // Of what a run has not there is a dot, but none on the other lines of a record.
  static std::string dotted(const Shown& s, const std::string& cell) {
    return cell.empty() && !s.name.empty() ? "." : cell;
  }
  // With records broken into lines where they would be too wide.
  static std::vector<Shown> fitting(const std::vector<Shown>& whole) {
    std::size_t name = 8, a = 8, b = 8, c = 8, d = 8;
    for (const Shown& s : whole) {
      name = std::max(name, s.name.size());
      a = std::max(a, s.a.size());
      b = std::max(b, s.b.size());
      c = std::max(c, s.c.size());
      d = std::max(d, s.d.size());
    }
    if (12 + name + a + b + c + d + 8 <= kWidth) return whole;
    std::vector<Shown> out;
    for (const Shown& s : whole) {
      std::vector<std::vector<std::string>> cells;
      std::size_t lines = 1;
      for (const std::string* cell : {&s.a, &s.b, &s.c, &s.d}) {
        cells.push_back(broken_cell(*cell, 12));
        lines = std::max(lines, cells.back().size());
      }
      for (std::size_t k = 0; k < lines; ++k)
        out.push_back({k == 0 ? s.name : "", cell_line(cells[0], k), cell_line(cells[1], k),
                       cell_line(cells[2], k), cell_line(cells[3], k), s.rank});
    }
    return out;
  }

  void picture() {
    if (!e_.picture) return;
    const explain::Picture p = explain::in_records(*v_.program, *e_.picture);
    std::vector<Shown> shown = shown_of(p);
    const std::size_t left_out = cut(shown);
    if ((e_.cause == Cause::Model || e_.cause == Cause::Definition) && !shown.empty()) {
      single(p, shown);
      return;
    }
    states(p, shown);
    if (left_out > 0) line("", fmt::format("({} more with --full)", plural(left_out, "variable")));
    for (const Row& fault : p.faults)
      line("", fmt::format("{:<7} {}: fault: {}", at(fault.at), source(fault.at), fault.note));
    claim_parts(p.claim);
  }

  const char* name_of_model() const {
    return core::is_about_constants(claim_.id) ? "THE CONSTANTS" : "THE MODEL";
  }
  void model() {
    if (core::is_about_constants(claim_.id)) {
      wrapped("", "This is about constants alone. Values with which it does not hold:");
      picture();
      return;
    }
    if (core::group_of(claim_.id.kind) == ClaimGroup::Functions ||
        claim_.id.kind == ClaimKind::FunctionNotNegative) {  // of all states
      wrapped("", "This is about the model alone; no program can help it.");
      return;
    }
    wrapped("",
            "This is about the model alone; no program can help it. A state in which it "
            "does not hold:");
    picture();
  }

  void gave_up() {
    if (core::group_of(claim_.id.kind) == ClaimGroup::Extent) {
      wrapped("why", "It was given up: " + claim_.situation +
                         ". So nothing is known of what the "
                         "function claims.");
      return;
    }
    if (claim_.outcome() == nullptr) {  // of what is assumed
      wrapped("why", "It is not known: " + claim_.situation + ".");
      return;
    }
    const prove::Outcome& outcome = *claim_.outcome();
    if (core::is_existential(claim_.id.kind)) {
      wrapped(
          "why",
          "It is not shown of any functions that were tried: those that the model gives as "
          "witnesses, else all false or all true, and zero or the first argument; and no solver "
          "has found any. Others may do. Until some are known to, nothing is proved under this "
          "model.");
      return;
    }
    const vcgen::Obligation& o = *claim_.obligation();
    tell_case(o.situation);
    if (outcome.unfolded_once) {
      wrapped("why",
              speaks_of_recursion(*v_.program, claim_)
                  ? "A definition that uses itself is unfolded once where it is used, and "
                    "what is known then leaves this open. No run was found that breaks it."
                  : "What is known here leaves it open, and no run was found that breaks it. "
                    "Definitions that use themselves are among what is known, and are "
                    "unfolded once only, so a state in which it fails may be none.");
      return;
    }
    wrapped("why",
            fmt::format("The solver was {}{}.", describe(outcome.reason, e_.seconds),
                        e_.limit == 0 ? ""
                                      : fmt::format("; the hardest of {} took {} of {} ({:.0f} %)",
                                                    plural(outcome.calls, "question"),
                                                    outcome.hardest, e_.limit,
                                                    100.0 * static_cast<double>(outcome.hardest) /
                                                        static_cast<double>(e_.limit))));
    std::string tried;
    for (const prove::Outcome::Tried& t : outcome.tried)
      tried += fmt::format("{}{} ({})", tried.empty() ? "" : ", ", how(t.how), t.times);
    wrapped("tried", tried);
    hard_parts(outcome, o);
  }

  void hard_parts(const prove::Outcome& outcome, const vcgen::Obligation& o) {
    std::size_t shown = 0;
    for (const prove::Outcome::Hard& hard : outcome.hard) {
      if (!style_.full && ++shown > 4) break;
      std::string text = hard.piece ? core::source(*v_.program, o.hints.pieces[*hard.piece].expr)
                         : o.expr.valid() ? core::source(*v_.program, o.expr)
                                          : core::claimed(claim_.id);
      if (hard.in_case) {
        const vcgen::Split& split = o.hints.cases[hard.in_case->first];
        text += fmt::format("   where {}, at {}", split.what[hard.in_case->second], at(split.at));
      }
      wrapped(shown == 1 || &hard == &outcome.hard[0] ? "hard" : "", text);
    }
    if (o.hints.pieces.size() > 1 && !outcome.hard.empty()) {
      std::set<std::size_t> open;
      for (const prove::Outcome::Hard& hard : outcome.hard)
        if (hard.piece) open.insert(*hard.piece);
      if (open.size() < o.hints.pieces.size())
        line("", fmt::format("the other {} of {} are proved", o.hints.pieces.size() - open.size(),
                             plural(o.hints.pieces.size(), "part")));
    }
  }

  static std::string describe(solver::Reason reason, double seconds) {
    switch (reason) {
      case solver::Reason::Resource:
        return "stopped at its resource limit";
      case solver::Reason::Time:
        return fmt::format("stopped at its time limit of {} s", seconds);
      case solver::Reason::Memory:
        return "stopped at its memory limit";
      case solver::Reason::Incomplete:
        return "at its wits' end: it cannot decide formulas like this one";
      case solver::Reason::Interrupted:
        return "interrupted, as the whole command was";
      case solver::Reason::None:
      case solver::Reason::Crash:
      case solver::Reason::Garbage:
      case solver::Reason::Missing:
      case solver::Reason::Disagreement:
        return "not able to answer: " + std::string(solver::describe(reason));
    }
    LETO_ASSERT(false);
  }
  static std::string_view how(std::string_view name) {
    if (name == "smoke" || name == "smoke-general") return "whether the facts exclude one another";
    if (name == "near") return "by matching, from the facts closest to it";
    if (name == "quick") return "by matching, from all facts, whole and taken apart";
    if (name == "short") return "for counterexamples with short vectors";
    if (name == "claim") return "in general, with the whole limit";
    if (name == "claim-by-matching") return "by matching, with a part of the limit";
    if (name == "piece") return "piece by piece and case by case";
    return name;
  }

  const Verified& v_;
  const Claim& claim_;
  const Explanation& e_;
  const SourceStore& sources_;
  const ExplanationStyle& style_;
  std::string out_;
};

// About the only run that there is.
std::string advice_on_one_run(const Claim& claim) {
  if (core::group_of(claim.id.kind) == ClaimGroup::Measure)
    return "The loop may end all the same, but not for this reason. Name another measure.";
  return invariant(claim.id.kind) ? "The invariant says something that is not so."
                                  : std::string(core::texts_of(claim.id.kind).todo);
}

// About a run that breaks the claim though nothing went wrong in it.
std::string advice_without_faults(const Verified& v, const Claim& claim, const Explanation& e) {
  std::string unequal;
  std::vector<core::VarId> differ;
  const core::Program& p = *v.program;
  for (std::uint32_t i = 0; i < p.vars.size(); ++i)
    if (p.vars[core::VarId{i}].kind == core::VarKind::Param &&
        !interp::equal(e.plan->inputs.values.original[i], e.plan->inputs.values.relaxed[i]))
      differ.push_back(core::VarId{i});
  for (const auto& group : core::gather_records(p, differ)) {
    const core::Var& var = p.vars[differ[group[0]]];
    unequal += fmt::format("{}eq({})", unequal.empty() ? "" : " && ", core::whole_name(var));
  }
  if (!unequal.empty())
    return fmt::format(
        "The runs differ before anything happens. If they are meant to start alike, write "
        "'requires_r {}' before the function.",
        unequal);
  if (const std::string state = state_elsewhere(p, e.plan->inputs); !state.empty())
    return fmt::format(
        "No fault is needed, but a call with {}. If there is none, say so: by an invariant of the "
        "model, or by what the function requires.",
        state);
  if (core::group_of(claim.id.kind) == ClaimGroup::Measure)
    return "No fault is needed: the loop may end all the same, but not for this reason. Name "
           "another measure.";
  return invariant(claim.id.kind)
             ? "No fault is needed: the invariant says something that is not so."
             : "No fault is needed: this fails even on hardware that behaves.";
}

// About a run that a fault keeps in a loop.
std::string advice_on_measure(const core::Program& program, const Explanation& e,
                              const std::string& fault) {
  if (e.endless)
    return "No measure of this loop falls in that run. Count the attempts and give up after some, "
           "or verify under a model that limits how often this fault happens.";
  const auto counts = [&](const core::StateVar& state) {
    return program.vars[state.var].type.base == core::Base::Int;
  };
  const auto& states = program.model.states;
  const auto counter = std::find_if(states.begin(), states.end(), counts);
  if (counter == states.end())
    return fmt::format(
        "The fault at {} keeps the run in the loop, and this model does not count faults. Count "
        "the attempts in the program; or, if it happens once only, note in a specvar that it has "
        "and let the measure fall by that: 'decreases if (struck) 0 else 1, n - i'.",
        fault);
  return fmt::format(
      "The fault at {} keeps the run in the loop. What ends it may be that faults do: a measure "
      "can say so, as in 'decreases n - {}', if the model bounds that by n.",
      fault, program.vars[counter->var].name);
}

// About a run that breaks the claim.
std::string advice_on_run(const Verified& v, const Claim& claim, const Explanation& e,
                          const SourceStore& sources) {
  if (claim.id.kind == ClaimKind::Enabled)
    return "Under this model the hardware has no way to go on here: no specification's 'when' "
           "holds. Add one to the model, or do not come here in such a state.";
  if (e.plan->faults.empty()) return advice_without_faults(v, claim, e);
  const Span fault = v.program->stmts[e.plan->faults[0].statement].span;
  if (invariant(claim.id.kind))
    return fmt::format(
        "If what the run does is all right, the invariant says too much; else the fault at {} "
        "has to be caught before the loop goes on.",
        line_and_column(fault, sources));
  if (core::group_of(claim.id.kind) == ClaimGroup::Measure)
    return advice_on_measure(*v.program, e, line_and_column(fault, sources));
  return fmt::format(
      "The fault at {} gets through: detect or mask it there, claim less, or verify under a "
      "model that rules it out.",
      line_and_column(fault, sources));
}

bool is_left_from_middle(const core::Program& program, const Span& at) {
  return std::any_of(program.stmts.begin(), program.stmts.end(), [&](const core::Stmt& stmt) {
    const auto* loop = std::get_if<core::While>(&stmt.node);
    return loop != nullptr && stmt.span == at && !loop->exits.empty();
  });
}

// About a state that nothing excludes.
std::string advice_on_state(const core::Program& program, const Claim& claim, const Explanation& e,
                            const SourceStore& sources, bool one_run) {
  const bool one = e.suggestion.size() == 1;
  if (!e.suggestion.empty() && one_run)
    return fmt::format("With {} the claim is proved.", one ? "this line" : "these lines");
  if (!e.suggestion.empty())
    return fmt::format("With {} the claim is proved; 'leto verify --apply' writes {}.",
                       one ? "this line" : "these lines", one ? "it" : "them");
  if (core::group_of(claim.id.kind) == ClaimGroup::Measure)
    return std::string(core::texts_of(claim.id.kind).todo);
  if (claim.id.kind == ClaimKind::Recursion)
    return "Where the runs have parted a recursive call cannot be followed: show that they do "
           "not part, as by 'requires_r eq(*)' before the function, or write the recursion as a "
           "loop.";
  const auto kind = e.picture ? e.picture->kind : encode::Moment::Kind::Entry;
  if (kind == encode::Moment::Kind::AfterCall)
    return fmt::format(
        "If the function called at {} never leaves that state behind, its contract has to say "
        "so: strengthen its 'ensures' or 'ensures_r'.",
        line_and_column(e.picture->at, sources));
  if (kind == encode::Moment::Kind::Head || kind == encode::Moment::Kind::AfterLoop) {
    const std::optional<Span> loop = kind == encode::Moment::Kind::Head
                                         ? e.picture->at
                                         : find_loop_behind(program, claim, e.picture->at);
    if (!loop)
      return "If no run gets into that state, say why: no loop before it computes what it speaks "
             "of, so it rests on what is required, asserted or called.";
    return fmt::format(
        "If no run gets into that state, say why as an invariant of the loop at {}. None of "
        "the facts that were tried does it.{}",
        line_and_column(*loop, sources),
        !one_run && is_left_from_middle(program, e.picture->at)
            ? " What holds of a run that has left it while the other goes on is said by "
              "'invariant_r left<r> -> ...', and with 'left<o>' of the original. What it "
              "returned cannot be named there: keep it in a variable, leave by 'break', and "
              "return that behind the loop."
            : "");
  }
  return std::string(core::texts_of(claim.id.kind).todo);
}

std::string advice_on_model(const Claim& claim) {
  if (core::is_about_constants(claim.id)) return std::string(core::texts_of(claim.id.kind).todo);
  if (claim.id.kind == ClaimKind::Total)
    return "In this state no outcome satisfies what the specification ensures: ask for less, "
           "or "
           "let its 'when' exclude the state.";
  if (core::group_of(claim.id.kind) == ClaimGroup::Refinement)
    return "The model that claims to refine the other one can do something that the other one "
           "cannot: restrict it, or do not claim it.";
  if (core::group_of(claim.id.kind) == ClaimGroup::Functions ||
      claim.id.kind == ClaimKind::FunctionNotNegative)
    return std::string(core::texts_of(claim.id.kind).todo);
  return "Correct the model: its invariant says more than its specifications keep, or its "
         "initial state is wrong.";
}

std::string advice_on_contradiction(const Claim& claim) {
  if (claim.id.kind == ClaimKind::LoopEnds)
    return "Behind a loop that cannot end nothing happens. " +
           std::string(core::texts_of(claim.id.kind).todo);
  if (core::group_of(claim.id.kind) == ClaimGroup::Consistent)
    return std::string(core::texts_of(claim.id.kind).todo);
  return "Find which requirement, constraint, assertion or contract before this line cannot be "
         "true; the first claim that is reported as contradiction is closest to it.";
}

// About what the solver gave up on.
std::string advice_on_unknown(const core::Program& program, const Claim& claim) {
  if (claim.id.kind == ClaimKind::DefinitionsTotal || core::is_existential(claim.id.kind))
    return std::string(core::texts_of(claim.id.kind).todo);
  if (claim.outcome() != nullptr && claim.outcome()->unfolded_once)
    return speaks_of_recursion(program, claim)
               ? "If it holds, it likely does by induction. Call a lemma that ensures it: one of "
                 "the "
                 "library (docs/lemmas.md), or one of your own that calls itself for one element "
                 "less. Or make it the invariant of a loop that comes to it element by element. If "
                 "it may not hold, claim less."
               : std::string(core::texts_of(claim.id.kind).todo);
  if (core::group_of(claim.id.kind) == ClaimGroup::Extent)
    return "Give the functions that it calls contracts, so that they need not be looked into; "
           "do "
           "less again in recovery; or allow more with --steps and --time.";
  if (claim.reason() == solver::Reason::Interrupted)
    return "Nothing is known of it: the command ended before. Give it more with --time or "
           "--own-memory.";
  if (claim.reason() == solver::Reason::Crash)
    return "The solver broke down. Run it by itself; if it is broken, install it again, or "
           "take "
           "another one with --solver.";
  switch (find_nonlinear(program, claim)) {
    case Nonlinear::Product:
      return "It speaks of a product of variables, and of these no solver decides everything. Name "
             "the product, as a variable of its own of which you assert what counts; or write a "
             "lemma about it, such as that it does not fall with its factors, and call it "
             "(docs/lemmas.md).";
    case Nonlinear::Quotient:
      return "It divides by a variable, and of such quotients and remainders no solver decides "
             "everything. Name the quotient q, and assert what it is by a product: 'x == q * d + "
             "r'; or write a lemma about it and call it (docs/lemmas.md).";
    case Nonlinear::Nothing:
      break;
  }
  return "This is neither a proof nor a counterexample. Help the solver: assert the hard part "
         "in smaller steps before it, or give it more with --resource and --question-time, or "
         "try the other solver: --solver z3 or cvc5.";
}

}  // namespace

std::string advice(const Verified& v, const Claim& claim, const SourceStore& sources,
                   bool one_run) {
  const Explanation& e = *v.explanation(claim);
  switch (e.cause) {
    case Cause::Real:
      return one_run ? advice_on_one_run(claim) : advice_on_run(v, claim, e, sources);
    case Cause::Weak:
      return advice_on_state(*v.program, claim, e, sources, one_run);
    case Cause::Unexecuted:
      return one_run
                 ? "It is neither proved nor refuted: something keeps it from being executed, a "
                   "quantifier without bounds, say, or an external function."
                 : "It is neither proved nor refuted. 'leto run' on such inputs says what keeps "
                   "it from being executed: a quantifier without bounds, say, or an external "
                   "function.";
    case Cause::Model:
      return advice_on_model(claim);
    case Cause::Definition:
      return std::string(core::texts_of(claim.id.kind).todo);
    case Cause::Contradiction:
      return advice_on_contradiction(claim);
    case Cause::GaveUp:
      return advice_on_unknown(*v.program, claim);
  }
  LETO_ASSERT(false);
}

std::string script_of(const Verified& v, const Explanation& e) {
  return script::script_text(*v.program, e.function, e.plan->inputs, e.plan->faults);
}

std::string rerun_command(const Verified& v, const Explanation& e) {
  return fmt::format("{} --function {} --faults '{}'", v.run, v.program->functions[e.function].name,
                     script_of(v, e));
}

std::string render(const Verified& v, const Claim& claim, const SourceStore& sources,
                   const ExplanationStyle& style) {
  return ExplanationPage(v, claim, sources, style).run();
}

}  // namespace leto::report

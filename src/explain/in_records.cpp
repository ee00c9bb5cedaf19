// Fields of records put together again, for people.
#include <algorithm>

#include "explain/explain.h"
#include "explain/reading.h"

namespace leto::explain {

using core::FieldText;
using core::Side;

namespace {

constexpr std::size_t kMostElements = 6;

// Without those that no field has.
std::optional<std::string> text_of(const core::Program& program, std::vector<FieldText> fields) {
  std::erase_if(fields, [](const FieldText& f) { return f.original.empty() && f.relaxed.empty(); });
  if (fields.empty()) return "";
  return core::record_text(program, fields, kMostElements);
}
std::optional<std::string> text_of(const core::Program& program, std::vector<FieldText> fields,
                                   Side side) {
  for (FieldText& field : fields) (side == Side::Original ? field.relaxed : field.original).clear();
  return text_of(program, std::move(fields));
}

template <class T>
std::vector<core::VarId> vars_of(const std::vector<T>& list) {
  std::vector<core::VarId> vars;
  for (const T& one : list) vars.push_back(one.var);
  return vars;
}

// One input that is a record; where the runs have vectors of different sizes, one for each run.
std::vector<Worth> put_together(const core::Program& program, const std::vector<Worth>& parts) {
  std::vector<FieldText> fields;
  for (const Worth& part : parts) {
    if (fields.empty() || fields.back().var != part.var) fields.push_back({part.var, "", ""});
    if (part.side != Side::Relaxed) fields.back().original = part.value;
    if (part.side != Side::Original) fields.back().relaxed = part.value;
  }
  const std::string name = core::record_name(program.vars[parts[0].var]);
  if (auto text = text_of(program, fields)) return {{name, std::move(*text)}};
  auto original = text_of(program, fields, Side::Original);
  auto relaxed = text_of(program, fields, Side::Relaxed);
  if (!original || !relaxed) return parts;
  return {{name + "<o>", std::move(*original)}, {name + "<r>", std::move(*relaxed)}};
}

// Behind the variable's name: which element it is. Nothing if that is not the same in both runs.
std::optional<std::string> element_of(const core::Program& program, const Row& row) {
  const std::string& name = program.vars[row.var].name;
  if (!row.what.starts_with(name) || row.what.find(" / ") != std::string::npos) return std::nullopt;
  return row.what.substr(name.size());
}

bool is_field(const core::Program& program, const Row& row) {
  return row.var.valid() && program.vars[row.var].record != 0 &&
         (row.kind == Row::Kind::Set || row.kind == Row::Kind::Fault) && element_of(program, row);
}

// How many rows from here on set different fields of one record, by one statement of the program.
std::size_t find_end(const core::Program& program, const std::vector<Row>& rows, std::size_t from) {
  const auto takes_part = [&](std::size_t i, const Row& row) {
    const Row& first = rows[from];
    return is_field(program, row) && row.at == first.at &&
           program.vars[row.var].record == program.vars[first.var].record &&
           program.vars[row.var].passed == program.vars[first.var].passed &&
           row.original.empty() == first.original.empty() &&
           row.relaxed.empty() == first.relaxed.empty() &&
           element_of(program, row) == element_of(program, first) &&
           std::none_of(rows.begin() + static_cast<std::ptrdiff_t>(from),
                        rows.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Row& before) { return before.var == row.var; });
  };
  std::size_t to = from + 1;
  if (!is_field(program, rows[from])) return to;
  while (to < rows.size() && takes_part(to, rows[to])) ++to;
  return to;
}

std::optional<Row> join_rows(const core::Program& program, const std::vector<Row>& parts) {
  std::vector<FieldText> fields;
  Row out = parts[0];
  out.what = core::record_name(program.vars[out.var]) + element_of(program, out).value();
  for (const Row& part : parts) {
    fields.push_back({part.var, part.original, part.relaxed});
    if (part.kind == out.kind && part.note == out.note) continue;
    if (part.kind == Row::Kind::Fault && out.kind == Row::Kind::Fault)
      out.note += "; " + part.note;
    else if (part.kind == Row::Kind::Fault || out.note.empty())
      out.note = part.note;
    if (part.kind == Row::Kind::Fault) out.kind = Row::Kind::Fault;
  }
  const auto original = text_of(program, fields, Side::Original);
  const auto relaxed = text_of(program, fields, Side::Relaxed);
  if (!original || !relaxed) return std::nullopt;
  out.original = *original;
  out.relaxed = *relaxed;
  out.var = {};
  return out;
}

std::vector<Picture::Line> lines_in_records(const core::Program& program,
                                            const std::vector<Picture::Line>& lines) {
  std::vector<Picture::Line> out;
  for (const auto& group : core::gather_records(program, vars_of(lines))) {
    Picture::Line line = lines[group[0]];
    const bool field = line.var.valid() && program.vars[line.var].record != 0;
    std::vector<FieldText> fields;
    for (std::size_t i : group) {
      fields.push_back({lines[i].var, lines[i].original, lines[i].relaxed});
      line.matters = line.matters || lines[i].matters;
    }
    const auto original = field ? text_of(program, fields, Side::Original) : std::nullopt;
    const auto relaxed = field ? text_of(program, fields, Side::Relaxed) : std::nullopt;
    if (!original || !relaxed) {
      for (std::size_t i : group) out.push_back(lines[i]);
      continue;
    }
    const core::Var& var = program.vars[line.var];
    line.name = var.passed ? "old(" + core::record_name(var) + ")" : core::record_name(var);
    line.original = *original;
    line.relaxed = *relaxed;
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace

std::vector<Worth> in_records(const core::Program& program, const std::vector<Worth>& inputs) {
  std::vector<Worth> out;
  for (const auto& group : core::gather_records(program, vars_of(inputs))) {
    const Worth& first = inputs[group[0]];
    if (!first.var.valid() || program.vars[first.var].record == 0) {
      for (std::size_t i : group) out.push_back(inputs[i]);
      continue;
    }
    std::vector<Worth> parts;
    for (std::size_t i : group) parts.push_back(inputs[i]);
    for (Worth& one : put_together(program, parts)) out.push_back(std::move(one));
  }
  return out;
}

std::vector<Row> in_records(const core::Program& program, const std::vector<Row>& rows) {
  std::vector<Row> out;
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t end = find_end(program, rows, i);
    const std::vector<Row> parts(rows.begin() + static_cast<std::ptrdiff_t>(i),
                                 rows.begin() + static_cast<std::ptrdiff_t>(end));
    i = end;
    const std::optional<Row> joined = parts.size() > 1 ? join_rows(program, parts) : std::nullopt;
    if (joined) {
      out.push_back(*joined);
      continue;
    }
    for (const Row& part : parts) {
      out.push_back(part);
      if (is_field(program, part))
        out.back().what =
            core::element_name(program.vars[part.var], element_of(program, part).value());
    }
  }
  return out;
}

Picture in_records(const core::Program& program, const Picture& picture) {
  Picture out = picture;
  out.from = lines_in_records(program, picture.from);
  out.now = lines_in_records(program, picture.now);
  return out;
}

}  // namespace leto::explain

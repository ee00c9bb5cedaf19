#include "core/record_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::core {

namespace {

bool belong_together(const Var& a, const Var& b) {
  return a.record != 0 && a.record == b.record && a.passed == b.passed;
}

using Elements = std::vector<std::string>;

// The elements of "[1, 2, ... 9]".
Elements split_elements(const std::string& vector) {
  Elements out;
  const std::string inside = vector.substr(1, vector.size() - 2);
  std::size_t from = 0;
  while (from < inside.size()) {
    const std::size_t to = std::min(inside.find(", ", from), inside.size());
    out.push_back(inside.substr(from, to - from));
    from = to + 2;
  }
  return out;
}

class RecordText {
 public:
  RecordText(const Program& program, const std::vector<FieldText>& fields, std::size_t most)
      : program_(program), fields_(fields), most_(most) {}

  std::optional<std::string> run() {
    if (std::none_of(fields_.begin(), fields_.end(), is_vector)) return one(fields_);
    if (!split()) return std::nullopt;
    std::string out;
    for (std::size_t k = 0; k < size_; ++k) {
      const bool gap = most_ > 0 && size_ > most_ && k + 1 == most_;
      if (gap) k = size_ - 1;
      out += out.empty() ? "" : ", ";
      out += element(k, gap);
    }
    return "[" + out + "]";
  }

 private:
  static bool is_vector(const FieldText& field) {
    return field.original.starts_with("[") || field.relaxed.starts_with("[");
  }

  bool split() {
    for (const FieldText& field : fields_) {
      split_.emplace_back();
      for (const std::string* text : {&field.original, &field.relaxed}) {
        split_.back().push_back(text->empty() ? Elements{} : split_elements(*text));
        if (text->empty()) continue;
        if (!text->starts_with("[")) return false;
        if (known_ && size_ != split_.back().back().size()) return false;
        size_ = split_.back().back().size();
        known_ = true;
      }
    }
    return true;
  }

  std::string element(std::size_t k, bool gap) const {
    std::vector<FieldText> parts;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      FieldText part{fields_[i].var, "", ""};
      for (std::string* text : {&part.original, &part.relaxed}) {
        const Elements& all = split_[i][text == &part.original ? 0 : 1];
        if (all.empty()) continue;
        *text = all[k];
        if (!text->starts_with("... ")) continue;
        gap = true;
        text->erase(0, 4);
      }
      parts.push_back(std::move(part));
    }
    return (gap ? "... " : "") + one(parts);
  }

  std::string one(const std::vector<FieldText>& parts) const {
    std::string out;
    const auto add = [&](const std::string& name, const std::string& value) {
      if (!value.empty()) out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", name, value);
    };
    for (const FieldText& part : parts) {
      const std::string name = field_name(program_.vars[part.var]);
      const bool both = !part.original.empty() && !part.relaxed.empty();
      if (!both || part.original == part.relaxed) {
        add(name, part.original.empty() ? part.relaxed : part.original);
        continue;
      }
      add(name + "<o>", part.original);
      add(name + "<r>", part.relaxed);
    }
    const Var& first = program_.vars[parts.at(0).var];
    const auto all = std::count_if(program_.vars.begin(), program_.vars.end(),
                                   [&](const Var& var) { return belong_together(var, first); });
    if (static_cast<std::size_t>(all) > parts.size()) out += out.empty() ? "..." : ", ...";
    return "{" + out + "}";
  }

  const Program& program_;
  const std::vector<FieldText>& fields_;
  std::size_t most_;
  std::vector<std::vector<Elements>> split_;  // by field and run
  std::size_t size_ = 0;
  bool known_ = false;
};

}  // namespace

std::string record_name(const Var& field) {
  return field.name.substr(0, field.name.rfind('.'));
}

std::string field_name(const Var& field) {
  return field.name.substr(field.name.rfind('.') + 1);
}

std::string element_name(const Var& field, std::string_view element) {
  return fmt::format("{}{}.{}", record_name(field), element, field_name(field));
}

std::string whole_name(const Var& var) {
  return var.record == 0 ? var.name : record_name(var);
}

std::vector<std::vector<std::size_t>> gather_records(const Program& program,
                                                     const std::vector<VarId>& vars) {
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < vars.size(); ++i) {
    const auto same = [&](const std::vector<std::size_t>& group) {
      return vars[i].valid() && vars[group[0]].valid() &&
             belong_together(program.vars[vars[group[0]]], program.vars[vars[i]]);
    };
    const auto it = std::find_if(out.begin(), out.end(), same);
    if (it == out.end())
      out.push_back({i});
    else
      it->push_back(i);
  }
  return out;
}

std::optional<std::string> record_text(const Program& program, const std::vector<FieldText>& fields,
                                       std::size_t most) {
  return RecordText(program, fields, most).run();
}

std::string equations(const Program& program, const std::vector<FieldText>& parts,
                      std::size_t most) {
  const auto both = [](const std::string& name, const std::string& o, const std::string& r) {
    return o == r ? fmt::format("{} = {}", name, r)
                  : fmt::format("{}<o> = {}, {}<r> = {}", name, o, name, r);
  };
  const Var& first = program.vars[parts.at(0).var];
  if (first.record != 0) {
    const std::string name = record_name(first);
    if (const auto text = record_text(program, parts, most))
      return fmt::format("{} = {}", name, *text);
    std::vector<FieldText> original = parts, relaxed = parts;
    for (FieldText& part : original) part.relaxed.clear();
    for (FieldText& part : relaxed) part.original.clear();
    const auto o = record_text(program, original, most), r = record_text(program, relaxed, most);
    if (o && r) return both(name, *o, *r);
  }
  std::string out;
  for (const FieldText& part : parts)
    out +=
        (out.empty() ? "" : ", ") + both(program.vars[part.var].name, part.original, part.relaxed);
  return out;
}

}  // namespace leto::core

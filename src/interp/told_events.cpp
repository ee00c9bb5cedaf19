#include <algorithm>

#include "interp/interp.h"

namespace leto::interp {

namespace {

// A record that a statement sets field by field, in one run or in both.
class FieldwiseSet {
 public:
  FieldwiseSet(const core::Program& program, const Event& first)
      : program_(program), events_{first} {}

  // Whether the event is a part of it too; then it is added.
  bool takes(const Event& e) {
    const Event& first = events_[0];
    if (!is_field(e) || !is_field(first) || e.span != first.span) return false;
    const core::Var &a = program_.vars[e.var], &b = program_.vars[first.var];
    if (a.record != b.record || a.passed != b.passed || element_of(e) != element_of(first))
      return false;
    const auto same = [&](const Event& known) {
      return known.var == e.var && known.side == e.side;
    };
    if (std::any_of(events_.begin(), events_.end(), same)) return false;
    events_.push_back(e);
    return true;
  }

  void put_into(std::vector<Event>& out) const {
    for (core::Side side : {core::Side::Original, core::Side::Relaxed}) {
      std::vector<const Event*> own;
      std::vector<core::FieldText> fields;
      for (const Event& e : events_) {
        if (e.side != side) continue;
        own.push_back(&e);
        fields.push_back({e.var, e.value, ""});
      }
      const auto text = own.size() > 1 ? core::record_text(program_, fields) : std::nullopt;
      if (!text) {
        for (const Event* e : own) {
          out.push_back(*e);
          if (is_field(*e) && !element_of(*e).empty())
            out.back().what = core::element_name(program_.vars[e->var], element_of(*e));
        }
        continue;
      }
      out.push_back(*own[0]);
      out.back().what = core::record_name(program_.vars[own[0]->var]) + element_of(*own[0]);
      out.back().value = *text;
    }
    for (const Event& e : events_)
      if (e.side == core::Side::Open) out.push_back(e);
  }

 private:
  [[nodiscard]] bool is_field(const Event& e) const {
    return e.kind == Event::Kind::Set && e.side != core::Side::Open && e.var.valid() &&
           program_.vars[e.var].record != 0;
  }
  // "[1]" of "v.x[1]".
  [[nodiscard]] std::string element_of(const Event& e) const {
    return e.what.substr(std::min(e.what.size(), program_.vars[e.var].name.size()));
  }

  const core::Program& program_;
  std::vector<Event> events_;
};

}  // namespace

std::vector<Event> told_events(const core::Program& program, const std::vector<Event>& events) {
  std::vector<Event> out;
  std::optional<FieldwiseSet> open;
  for (const Event& e : events) {
    if (e.var.valid() && program.vars[e.var].kind == core::VarKind::Temp) continue;
    if (open && open->takes(e)) continue;
    if (open) open->put_into(out);
    open.emplace(program, e);
  }
  if (open) open->put_into(out);
  return out;
}

}  // namespace leto::interp

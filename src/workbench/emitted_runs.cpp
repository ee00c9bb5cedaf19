#include "workbench/emitted_runs.h"

namespace leto::workbench {

using core::Base;
using interp::Number;
using interp::Value;

namespace {

constexpr std::uint64_t kRunSteps = 20'000;

}  // namespace

EmittedRuns::Extent EmittedRuns::extent_of(int bits) {
  mpz_class half;
  mpz_ui_pow_ui(half.get_mpz_t(), 2, static_cast<unsigned long>(bits - 1));
  return {Number(mpq_class(-half)), Number(mpq_class(half - 1))};
}

EmittedRuns::EmittedRuns(const core::Program& program, const emit::Request& request,
                         const emit::Emitted& emitted, const Allowance& allowance)
    : watched_program_(emit::watch_numbers(program, emitted.guarded)),
      request_(request),
      emitted_(emitted),
      machine_(program, &allowance),
      watched_(watched_program_, &allowance),
      narrow_(extent_of(64)),
      wide_(extent_of(request.integers == emit::Integers::Int128 ? 128 : 64)) {}

bool EmittedRuns::fits_variable(const Number& x) const {
  return request_.integers == emit::Integers::Gmp || wide_.holds(x);
}
bool EmittedRuns::fits_element(const Number& x) const {
  return request_.integers == emit::Integers::Gmp || narrow_.holds(x);
}

std::string EmittedRuns::follow(const interp::Inputs& inputs) const {
  try {
    interp::Options how;
    how.limits.steps = kRunSteps;
    how.invariants = false;
    interp::ExactChooser exact;
    const interp::Outcome plain = machine_.run(request_.function, inputs, exact, how);
    how.events = true;
    interp::ExactChooser again;
    return judge(plain, watched_.run(request_.function, inputs, again, how));
  } catch (const interp::Undecidable&) {
    return "";
  }
}

std::string EmittedRuns::judge(const interp::Outcome& plain, const interp::Outcome& told) const {
  // What is rounded on the way may go anywhere.
  if (is_rounded(told)) return "";
  if (!fits(told)) return "R";
  if (told.end == interp::End::OriginalFailed && told.statement.valid()) {
    const auto& node = watched_program_.stmts[told.statement].node;
    if (std::holds_alternative<core::Check>(node) && emitted_.guarded) return "F";
    const auto* claim = std::get_if<core::Claim>(&node);
    return claim != nullptr && claim->kind == core::AssertionKind::Assume ? "U" : "";
  }
  if (plain.end != interp::End::Done || told.end != interp::End::Done ||
      plain.original.size() != emitted_.results.size())
    return "";
  for (std::size_t i = 0; i < plain.original.size(); ++i)
    if (!interp::equal(plain.original[i], told.original[i])) return "";
  if (request_.checker) return plain.original[0].scalar.truth() ? "A" : "J";
  std::string results = "V";
  for (std::size_t i = 0; i < plain.original.size(); ++i) {
    const core::Type& type = emitted_.results[i].type;
    if (type.rank == 0 && type.base == Base::Int && !fits_element(plain.original[i].scalar))
      return "R";
    results += " " + case_text(plain.original[i]);
  }
  return results;
}

// f(variable, number) for all numbers of one kind that the original run computed.
template <class F>
void EmittedRuns::for_each_number(const interp::Outcome& told, Base base, const F& f) const {
  for (const interp::Event& event : told.events) {
    if (event.kind != interp::Event::Kind::Set || event.side == core::Side::Relaxed ||
        !event.var.valid())
      continue;
    const core::Var& var = watched_program_.vars[event.var];
    if (var.type.base != base || var.kind == core::VarKind::Ghost || event.value.starts_with("["))
      continue;
    f(var, Number::parse(event.value));
  }
}

// Whether all that was computed on the way does.
bool EmittedRuns::fits(const interp::Outcome& told) const {
  bool all = true;
  for_each_number(told, Base::Int, [&](const core::Var& var, const std::optional<Number>& x) {
    if (x) all = all && (var.type.rank > 0 ? fits_element(*x) : fits_variable(*x));
  });
  return all;
}

// Whether a real on the way is no double.
bool EmittedRuns::is_rounded(const interp::Outcome& told) const {
  bool found = false;
  if (request_.reals == emit::Reals::Double)
    for_each_number(told, Base::Real, [&](const core::Var&, const std::optional<Number>& x) {
      found = found || !x || !(Number(mpq_class(x->approximate())) == *x);
    });
  return found;
}

std::string case_text(const Value& value) {
  if (!value.array) return value.scalar.text();
  std::string out;
  for (std::int64_t size : value.array->sizes)
    out += (out.empty() ? "" : " ") + std::to_string(size);
  for (const Number& x : value.array->elements) out += " " + x.text();
  return out;
}

std::string case_line(const emit::Emitted& emitted, const interp::Inputs& inputs,
                      const std::string& expected) {
  std::string line;
  for (const emit::Slot& slot : emitted.inputs)
    line += case_text(inputs.values.original[slot.var.value]) + " ";
  return line + expected;
}

void set_both(interp::Inputs& inputs, core::VarId var, const Value& value) {
  inputs.values.original[var.value] = value;
  inputs.values.relaxed[var.value] = value;
}

interp::Inputs own_copy(const emit::Emitted& emitted, const interp::Inputs& from) {
  interp::Inputs out = from;
  for (const emit::Slot& slot : emitted.inputs) {
    Value value = from.values.original[slot.var.value];
    if (value.array) value.array = std::make_shared<interp::Array>(*value.array);
    set_both(out, slot.var, value);
  }
  return out;
}

}  // namespace leto::workbench

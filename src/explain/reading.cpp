#include "explain/reading.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace leto::explain {

using core::Side;
using interp::Number;
using logic::Term;

std::optional<Number> solver_number(const std::string& text) {
  if (text.empty()) return Number(0);  // anything will do
  if (text == "true") return Number(1);
  if (text == "false") return Number(0);
  if (text.starts_with("#")) {  // a word
    mpz_class value;
    const bool read =
        text.size() > 2 && value.set_str(text.substr(2), text[1] == 'x' ? 16 : 2) == 0;
    return read ? std::optional(Number(mpq_class(value))) : std::nullopt;
  }
  return Number::parse(logic::readable(text));
}

namespace {

// All index tuples of `rank` dimensions of n elements.
std::vector<std::vector<std::int64_t>> tuples(int rank, int n) {
  std::vector<std::vector<std::int64_t>> out{{}};
  for (int d = 0; d < rank; ++d) {
    std::vector<std::vector<std::int64_t>> longer;
    for (const auto& start : out)
      for (int k = 0; k < n; ++k) {
        longer.push_back(start);
        longer.back().push_back(k);
      }
    out = std::move(longer);
  }
  return out;
}

}  // namespace

Reading::Reading(const interp::Machine& machine, logic::TermTable& terms,
                 const encode::Origins& origins, int elements)
    : machine_(machine),
      program_(machine.program()),
      terms_(terms),
      origins_(origins),
      elements_(elements) {
  if (origins.from) places(*origins.from, false);
  places(origins.now, true);
  for (const encode::Choice& choice : origins.choices) {
    Chosen c{ask(choice.path), ask(choice.exact), ask(choice.outcome), {}, {}, {}};
    for (Term allowed : choice.allows) c.allows.push_back(ask(allowed));
    for (const encode::Choice::Changed& state : choice.states) {
      c.before.push_back(ask(state.before));
      c.after.push_back(ask(state.after));
    }
    chosen_.push_back(std::move(c));
  }
  ask_functions();
}

// Wherever the question speaks of them.
void Reading::ask_functions() {
  if (!core::has_unknown_functions(program_)) return;
  constexpr std::size_t kMost = 200;
  std::map<std::string, core::DefinitionId> unknown;
  for (std::uint32_t i = 0; i < program_.definitions.size(); ++i)
    if (const core::Definition& one = program_.definitions[core::DefinitionId{i}]; one.is_unknown())
      unknown.emplace(one.name, core::DefinitionId{i});
  const std::uint32_t size = terms_.size();
  for (std::uint32_t t = 0; t < size && points_.size() < kMost; ++t) {
    const logic::Node node = terms_[Term{t}];
    if (node.kind != logic::Kind::Call || !node.free.empty() || !unknown.contains(node.text))
      continue;
    Point point{unknown.at(node.text), node.args, {}, ask(Term{t})};
    for (Term arg : node.args) point.args.push_back(ask(arg));
    points_.push_back(std::move(point));
  }
}

// Nothing where the answer does not depend on it.
std::optional<Number> Reading::number_at(Term term, std::size_t index,
                                         const std::vector<std::string>& values) const {
  if (!values[index].empty()) return solver_number(values[index]);
  if (const auto n = terms_.integer(term)) return Number(*n);
  return std::nullopt;
}

void Reading::read_functions(const std::vector<std::string>& values, interp::Tables& tables) const {
  for (const Point& point : points_) {
    const core::Definition& function = program_.definitions[point.function];
    const auto is_of = [&](const Number& n, const core::Type& type) {
      return interp::Domain{type, {}, {}, 0}.contains(n);
    };
    if (values[point.value].empty()) continue;
    const std::optional<Number> value = solver_number(values[point.value]);
    std::vector<Number> args;
    for (std::size_t i = 0; i < point.args.size(); ++i)
      if (const auto n = number_at(point.terms[i], point.args[i], values);
          n && is_of(*n, program_.vars[function.params[i]].type))
        args.push_back(*n);
    if (value && is_of(*value, function.type) && args.size() == point.args.size() &&
        tables.find(point.function, args) == nullptr)
      tables.set(point.function, args, *value);
  }
}

std::size_t Reading::ask(Term term) {
  asked_.push_back(term);
  return asked_.size() - 1;
}

void Reading::places(const encode::Moment& moment, bool now) {
  for (Side side : {Side::Original, Side::Relaxed})
    for (const auto& [var, value] : side == Side::Original ? moment.original : moment.relaxed) {
      const core::Var& v = program_.vars[var];
      // Of what no user wrote, only what a claim may name: who has left, and what was on entry.
      if (v.kind == core::VarKind::Temp && (!now || v.type.rank > 0)) continue;
      if (v.type.rank == 0) {
        places_.push_back({now, side, var, {}, ask(value.term)});
        continue;
      }
      for (std::size_t d = 0; d < value.sizes.size(); ++d)
        sizes_.push_back({now, side, var, d, ask(value.sizes[d])});
      for (const auto& element : tuples(v.type.rank, elements_)) {
        Term term = value.term;
        for (std::int64_t k : element) term = terms_.select(term, terms_.integer(k));
        places_.push_back({now, side, var, element, ask(term)});
      }
    }
}

Term Reading::faulty(const encode::Choice& choice) {
  std::vector<Term> same{terms_.eq(choice.exact, choice.outcome)};
  for (const encode::Choice::Changed& state : choice.states)
    same.push_back(terms_.eq(state.before, state.after));
  return terms_.and_(choice.path, terms_.not_(terms_.and_(std::move(same))));
}

Term Reading::at_most(std::size_t faults) {
  Term sum = terms_.integer(0);
  for (const encode::Choice& choice : origins_.choices)
    sum = terms_.arith(logic::Kind::Add, sum,
                       terms_.ite(faulty(choice), terms_.integer(1), terms_.integer(0)));
  return terms_.le(sum, terms_.integer(static_cast<std::int64_t>(faults)));
}

Term Reading::within(int magnitude) {
  std::vector<Term> parts;
  for (const Place& place : places_) {
    const core::Base base = program_.vars[place.var].type.base;
    if (place.now || base == core::Base::Bool || base == core::Base::Word) continue;
    const Term term = asked_[place.index];
    Term bound = terms_.integer(magnitude);
    if (terms_.sort(term) == logic::kReal) bound = terms_.to_real(bound);
    parts.push_back(terms_.le(term, bound));
    parts.push_back(terms_.le(terms_.neg(bound), term));
  }
  return terms_.and_(std::move(parts));
}

std::vector<Term> Reading::same_in_both() {
  std::vector<Term> out;
  if (!origins_.from) return out;
  for (const auto& [var, value] : origins_.from->original) {
    const encode::Value* relaxed = origins_.from->relaxed.find(var);
    if (relaxed == nullptr || program_.vars[var].kind == core::VarKind::State) continue;
    std::vector<Term> parts{terms_.eq(value.term, relaxed->term)};
    for (std::size_t d = 0; d < value.sizes.size(); ++d)
      parts.push_back(terms_.eq(value.sizes[d], relaxed->sizes[d]));
    const Term same = terms_.and_(std::move(parts));
    if (!terms_.is_true(same)) out.push_back(same);
  }
  return out;
}

// Constant vectors are what is written down, whatever the solver was told of them.
bool Reading::compute_vectors(interp::Pair& pair) const {
  try {
    for (const core::ConstantVar& c : program_.constants) {
      if (core::find_elements(program_, c) == nullptr) continue;
      interp::Scope scope{pair, Side::Relaxed};
      const interp::Value value = machine_.evaluator().value(c.value, scope);
      pair.original[c.var.value] = pair.relaxed[c.var.value] = value;
    }
  } catch (const interp::Undecidable&) {
    return false;
  }
  return true;
}

std::optional<interp::Pair> Reading::pair(const std::vector<std::string>& values, bool now) const {
  interp::Pair out = interp::empty_inputs(machine_).values;
  std::map<std::pair<Side, core::VarId>, std::vector<std::int64_t>> sizes;
  for (const Size& size : sizes_) {
    if (size.now != now) continue;
    const std::optional<Number> n = solver_number(values[size.index]);
    if (!n) return std::nullopt;
    auto& list = sizes[{size.side, size.var}];
    list.resize(std::max(list.size(), size.dimension + 1));
    list[size.dimension] = std::clamp<std::int64_t>(n->small().value_or(elements_), 0, 64);
  }
  for (const auto& [who, list] : sizes) out.side(who.first)[who.second.value] = interp::zeros(list);
  for (const Place& place : places_) {
    if (place.now != now) continue;
    const std::optional<Number> n = solver_number(values[place.index]);
    if (!n) return std::nullopt;
    interp::Value& into = out.side(place.side)[place.var.value];
    if (place.element.empty()) {
      into.scalar = *n;
      continue;
    }
    std::vector<Number> indices(place.element.begin(), place.element.end());
    if (const auto at = interp::position(*into.array, indices)) into.array->elements[*at] = *n;
  }
  if (out.tables) read_functions(values, *out.tables);
  if (!compute_vectors(out)) return std::nullopt;
  // Only the relaxed run has the model's state.
  for (const core::StateVar& state : program_.model.states)
    out.original[state.var.value] = out.relaxed[state.var.value];
  return out;
}

std::optional<std::vector<interp::Taken>> Reading::taken(
    const std::vector<std::string>& values) const {
  std::vector<interp::Taken> out;
  std::uint64_t occurrence = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const Chosen& c = chosen_[i];
    const encode::Choice& choice = origins_.choices[i];
    const auto path = solver_number(values[c.path]);
    if (!path) return std::nullopt;
    if (!terms_.is_true(choice.path) && !path->truth()) continue;
    interp::Taken t;
    t.occurrence = occurrence++;
    t.statement = choice.statement;
    const auto exact = solver_number(values[c.exact]), outcome = solver_number(values[c.outcome]);
    if (!exact || !outcome) return std::nullopt;
    t.exact = *exact;
    t.outcome = *outcome;
    t.faulty = !(t.exact == t.outcome);
    for (std::size_t s = 0; s < choice.states.size(); ++s) {
      const auto before = solver_number(values[c.before[s]]),
                 after = solver_number(values[c.after[s]]);
      if (!before || !after) return std::nullopt;
      t.states.emplace_back(choice.states[s].var, *after);
      t.faulty = t.faulty || !(*before == *after);
    }
    bool found = false;
    for (std::size_t k = 0; k < c.allows.size() && !found; ++k) {
      const auto allowed = solver_number(values[c.allows[k]]);
      found = terms_.is_true(choice.allows[k]) || (allowed && allowed->truth());
      if (found) t.specification = choice.specifications[k];
    }
    // Of the state, a specification has only what it modifies.
    const auto& modifies = program_.specifications[t.specification].modifies;
    std::erase_if(t.states, [&](const auto& changed) {
      return std::find(modifies.begin(), modifies.end(), changed.first) == modifies.end();
    });
    out.push_back(std::move(t));
  }
  return out;
}

std::optional<Plan> Reading::plan(const std::vector<std::string>& values) const {
  std::optional<interp::Pair> start = pair(values, false);
  std::optional<std::vector<interp::Taken>> all = taken(values);
  if (!start || !all) return std::nullopt;
  Plan out{{std::move(*start)}, {}};
  for (interp::Taken& t : *all)
    if (t.faulty) out.faults.push_back(std::move(t));
  return out;
}

std::vector<Picture::Line> Reading::lines(const interp::Pair& pair, const encode::Moment& moment,
                                          core::FunctionId function, core::ExprId claim) const {
  std::set<core::VarId> own;
  if (function.valid()) {
    const core::Function& f = program_.functions[function];
    own.insert(f.params.begin(), f.params.end());
    own.insert(f.results.begin(), f.results.end());
    core::for_each_statement(program_, f.body, [&](core::StmtId id) {
      for (const core::VarId target : core::targets_of(program_, id)) own.insert(target);
    });
  }
  std::set<core::VarId> vars, spoken;
  for (const auto& [var, value] : moment.original) vars.insert(var);
  for (const auto& [var, value] : moment.relaxed) vars.insert(var);
  if (claim.valid())
    core::for_each_read(program_, claim, [&](core::VarId var, Side) { spoken.insert(var); });
  std::vector<Picture::Line> out;
  for (core::VarId var : vars) {
    const core::Var& v = program_.vars[var];
    const bool state = v.kind == core::VarKind::State;
    if (v.kind == core::VarKind::Temp) continue;
    if (function.valid() && !state && v.kind != core::VarKind::Constant && !own.contains(var))
      continue;
    const auto text = [&](const interp::Value& value) { return shortened(value, v.type); };
    Picture::Line line{core::called(v), text(pair.original[var.value]),
                       text(pair.relaxed[var.value]), spoken.contains(var), var};
    if (state || !moment.original.contains(var)) line.original.clear();
    out.push_back(std::move(line));
  }
  return out;
}

bool Reading::has_label(core::ExprId id) const {
  bool any = std::holds_alternative<core::Snapshot>(program_.exprs[id].node);
  core::for_each_child(program_, id, [&](core::ExprId child) { any = any || has_label(child); });
  return any;
}

Picture Reading::picture(const std::vector<std::string>& values, core::FunctionId function,
                         core::ExprId claim, core::Side side) const {
  Picture out;
  if (origins_.from) {
    out.kind = origins_.from->kind;
    out.at = origins_.from->at;
    if (const auto start = pair(values, false))
      out.from = lines(*start, *origins_.from, function, claim);
  }
  const auto end = pair(values, true);
  if (end) out.now = lines(*end, origins_.now, function, claim);
  if (const auto all = taken(values))
    for (const interp::Taken& t : *all) {
      if (!t.faulty) continue;
      Row row;
      row.kind = Row::Kind::Fault;
      row.at = program_.stmts[t.statement].span;
      row.original = t.exact.text();
      row.relaxed = t.outcome.text();
      row.note = fmt::format("{}, {} instead of {}", core::title(program_, t.specification),
                             t.outcome.text(), t.exact.text());
      out.faults.push_back(std::move(row));
    }
  // What labels mean is not part of the picture.
  if (claim.valid() && end && !has_label(claim))
    out.claim = dissect(machine_, claim, side, {*end, {}});
  return out;
}

}  // namespace leto::explain

#include "protocol/step.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::protocol {

using check::sys::kAllNodes;
using check::sys::Specification;
using check::sys::Type;

constexpr Type kTruth{Base::Bool};
constexpr Type kNode{Base::Node, kAllNodes};

Term Inputs::fresh(std::string_view what, const Type& type) {
  const Key key{std::string(what), type};
  std::vector<Term>& made = made_[key];
  const std::size_t index = used_[key]++;
  if (index == made.size()) {
    const std::string name =
        fmt::format("{} {} of {}", what, index + 1, check::sys::describe(type, source_));
    const std::uint32_t input =
        system_.add_input(name, sort_of(type), std::nullopt, enumeration_of(type));
    system_.inputs[input].hidden = true;
    made.push_back(system_.inputs[input].term);
  }
  return made[index];
}

std::optional<std::uint32_t> Inputs::enumeration_of(const Type& type) const {
  if (type.base == Base::Enum) return type.which;
  if (type.base == Base::Node) return static_cast<std::uint32_t>(source_.enumerations.size());
  return std::nullopt;
}

// Messages ---------------------------------------------------------------------------------------

void Messages::set(const Specification& spec, const Arguments& args) {
  eval_.slot(spec.sent) = args.sent;
  eval_.slot(spec.from) = args.from;
  eval_.slot(spec.to) = args.to;
}

Term Messages::modifies(const Specification& spec, std::uint32_t variable,
                        const std::vector<std::uint32_t>& element) {
  std::vector<Term> ways;
  for (const check::sys::Changed& changed : spec.changes) {
    if (changed.variable != variable) continue;
    ways.push_back(changed.at ? t_.eq(eval_.slot(*changed.at), t_.integer(element[0]))
                              : t_.boolean(true));
  }
  return t_.or_(std::move(ways));
}

Outcome Messages::send(const std::vector<const Specification*>& specs, const Type& type,
                       const Arguments& args, const Make& make) {
  Outcome out;
  const State before = eval_.now, begun = eval_.before;
  for (const Specification* spec : specs) {
    set(*spec, args);
    std::vector<Term> whens;
    for (ExprId when : spec->whens) whens.push_back(eval_.value(when));
    out.enabled.push_back(t_.and_(std::move(whens)));
  }
  out.result = make("result", type, {});
  out.arrived = make("arrived", kTruth, {});
  out.after = before;
  // Whatever any of them may change; those that may not, keep it.
  std::vector<std::vector<Term>> kept(specs.size());
  for (std::uint32_t v = 0; v < source_.variables.size(); ++v) {
    const bool any = std::any_of(specs.begin(), specs.end(), [&](const Specification* spec) {
      return std::any_of(spec->changes.begin(), spec->changes.end(),
                         [&](const check::sys::Changed& c) { return c.variable == v; });
    });
    if (!any) continue;
    const std::vector<std::vector<std::uint32_t>> elements = eval_.elements_of(v);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      std::vector<Term> changes;
      for (const Specification* spec : specs) changes.push_back(modifies(*spec, v, elements[i]));
      if (t_.is_false(t_.or_(changes))) continue;
      const Term later = make("state", source_.variables[v].type, Element{v, i});
      for (std::size_t s = 0; s < specs.size(); ++s)
        kept[s].push_back(t_.or_(changes[s], t_.eq(later, before[v][i])));
      kept.front().push_back(eval_.in_range(later, source_.variables[v].type));
      for (std::size_t s = 1; s < specs.size(); ++s) kept[s].push_back(kept.front().back());
      out.after[v][i] = later;
    }
  }
  eval_.now = out.after;
  eval_.before = before;
  for (std::size_t s = 0; s < specs.size(); ++s) {
    set(*specs[s], args);
    eval_.slot(specs[s]->result) = out.result;
    eval_.slot(specs[s]->arrived) = out.arrived;
    std::vector<Term> all{out.enabled[s], eval_.in_range(out.result, type)};
    for (ExprId ensures : specs[s]->ensures) all.push_back(eval_.value(ensures));
    all.insert(all.end(), kept[s].begin(), kept[s].end());
    out.possible.push_back(t_.and_(std::move(all)));
  }
  eval_.now = before;
  eval_.before = begun;
  return out;
}

// Steps ------------------------------------------------------------------------------------------

Done StepLowering::run(const check::sys::Step& step, const std::string& name,
                       const State& initial) {
  name_ = name;
  first_told_ = out_.told.size();
  eval_.now = eval_.before = initial;
  eval_.guard = t_.boolean(true);
  unfailed_ = t_.boolean(true);
  eval_.fails = [&](Span at, std::string_view what, Term when) { fail(at, what, when); };
  const Term when = eval_.truth(step.when);
  std::vector<Term> failing_guard;
  for (const Done::Failing& one : done_.failing) failing_guard.push_back(one.when);
  done_.enabled = t_.or_(when, t_.or_(std::move(failing_guard)));
  choices_.push_back(when);
  statement(step.body);
  std::vector<Term> good = choices_;
  good.push_back(unfailed_);
  done_.good = t_.and_(std::move(good));
  done_.after = eval_.now;
  eval_.fails = nullptr;
  eval_.told = nullptr;
  eval_.guard = t_.boolean(true);
  return std::move(done_);
}

Term StepLowering::known() const {
  std::vector<Term> all = choices_;
  all.push_back(unfailed_);
  all.push_back(eval_.guard);
  all.push_back(out_.system.assumed);
  return t_.and_(std::move(all));
}

// What comes behind a failure does not happen; what was chosen before it was.
void StepLowering::fail(Span at, std::string_view what, Term when) {
  std::size_t site = 0;
  const std::string name = fmt::format("{}: {}", name_.substr(0, name_.find('(')), what);
  const auto same = [&](const FailureSite& one) { return one.span == at; };
  const auto known = std::find_if(failures_.begin(), failures_.end(), same);
  site = static_cast<std::size_t>(known - failures_.begin());
  if (known == failures_.end()) {
    std::string unique = name;
    const auto taken = [&](const FailureSite& one) { return one.name == unique; };
    for (int n = 2; std::any_of(failures_.begin(), failures_.end(), taken); ++n)
      unique = fmt::format("{} ({})", name, n);
    failures_.push_back({unique, at});
  }
  std::vector<Term> all = choices_;
  all.push_back(unfailed_);
  all.push_back(when);
  done_.failing.push_back({site, t_.and_(std::move(all))});
  unfailed_ = t_.and_(unfailed_, t_.not_(when));
}

void StepLowering::oblige(std::string text, Span at, Term goal) {
  const Term formula = t_.implies(known(), goal);
  if (!t_.is_true(formula))
    out_.blocking.push_back(
        {std::move(text), at, formula, name_, goal, first_told_, out_.told.size()});
}

// "told[1][2]", or the name of a variable of the step.
std::string StepLowering::place_name(const check::sys::Place& place,
                                     const std::vector<Term>& indices) const {
  if (place.local) return source_.slots[place.index].name;
  const check::sys::Variable& variable = source_.variables[place.index];
  std::string name = variable.name;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::optional<std::uint32_t> node = eval_.known_node(indices[i]);
    const std::uint32_t kind = variable.indices[i];
    if (!node)
      name += "[..]";
    else if (kind == kAllNodes)
      name += fmt::format("[{}]", eval_.node_name(*node));
    else
      name += fmt::format("[{}]", *node - source_.sorts[kind].first);
  }
  return name;
}

// For the examples of what comes later in the step.
void StepLowering::tell_later(const check::sys::Place& place, const std::vector<Term>& indices,
                              Term value, const char* how) {
  out_.told.push_back({fmt::format("{} ({})", place_name(place, indices), how), value,
                       inputs_.enumeration_of(place.type)});
}

void StepLowering::statement(check::sys::StmtId id) {
  if (t_.is_false(eval_.guard)) return;
  const check::sys::Stmt& stmt = source_.stmts[id];
  eval_.demand(stmt.span);
  std::visit([&](const auto& node) { visit(node, stmt.span); }, stmt.node);
}

void StepLowering::visit(const check::sys::Block& node, Span) {
  for (check::sys::StmtId child : node.body) statement(child);
}

void StepLowering::visit(const check::sys::Nodes& node, Span) {
  eval_.for_nodes(node.slots, [&] { statement(node.body); });
}

void StepLowering::visit(const check::sys::If& node, Span) {
  const Term condition = eval_.value(node.condition);
  const Term outside = eval_.guard;
  eval_.guard = t_.and_(outside, condition);
  statement(node.then_branch);
  eval_.guard = t_.and_(outside, t_.not_(condition));
  if (node.else_branch.valid()) statement(node.else_branch);
  eval_.guard = outside;
}

void StepLowering::visit(const check::sys::Assert& node, Span) {
  const Span at = source_.exprs[node.expr].span;
  const Term bad = t_.and_(eval_.guard, t_.not_(eval_.value(node.expr)));
  if (!t_.is_false(bad)) fail(at, "an assertion does not hold", bad);
}

void StepLowering::assign(const check::sys::Place& place, const std::vector<Term>& indices,
                          Term value) {
  if (!place.local) return eval_.write(eval_.now, place.index, indices, value, eval_.guard);
  Term& slot = eval_.slot(place.index);
  slot = slot.valid() ? t_.ite(eval_.guard, value, slot) : value;
}

Term StepLowering::current(const check::sys::Place& place, const std::vector<Term>& indices) {
  return place.local ? eval_.slot(place.index) : eval_.read(eval_.now, place.index, indices);
}

void StepLowering::visit(const check::sys::Assign& node, Span) {
  const std::vector<Term> indices = eval_.indices(node.place.indices);
  const Term value = eval_.value(node.value);
  // Declared anew: what it was in a round before is nothing.
  assign(node.place, indices, value);
}

void StepLowering::visit(const check::sys::Choose& node, Span at) {
  eval_.demand(at, eval_.size_of_state());
  const State before = eval_.now;
  std::vector<std::vector<Term>> indices;
  for (const check::sys::Place& place : node.places)
    indices.push_back(eval_.indices(place.indices));
  // Once with inputs, and once with bound variables, to say that there are such values.
  const auto choose = [&](const std::function<Term(const Type&)>& make) {
    std::vector<Term> all;
    for (std::size_t i = 0; i < node.places.size(); ++i) {
      const Term value = make(node.places[i].type);
      all.push_back(eval_.in_range(value, node.places[i].type));
      assign(node.places[i], indices[i], value);
    }
    all.push_back(eval_.truth(node.with));
    return t_.and_(std::move(all));
  };
  if (node.with.valid()) {
    std::vector<Term> bound, slots;
    for (const check::sys::Place& place : node.places)
      slots.push_back(place.local ? eval_.slot(place.index) : Term{});
    const Term body = choose([&](const Type& type) {
      bound.push_back(t_.bound("chosen", sort_of(type)));
      return bound.back();
    });
    eval_.now = before;
    for (std::size_t i = 0; i < node.places.size(); ++i)
      if (node.places[i].local) eval_.slot(node.places[i].index) = slots[i];
    oblige("this choice has no value", at, t_.quant(false, std::move(bound), body));
  }
  std::vector<Term> chosen;
  const Term made = choose([&](const Type& type) {
    chosen.push_back(inputs_.fresh("choice", type));
    return chosen.back();
  });
  choices_.push_back(t_.implies(eval_.guard, made));
  for (std::size_t i = 0; i < node.places.size(); ++i)
    tell_later(node.places[i], indices[i], chosen[i], "chosen");
}

// A symmetric sender could not tell one lie in one statement and another in the same one.
void StepLowering::allow_once(const check::sys::Message& node, Span at, Term from, Term to) {
  if (source_.rounds.empty()) return;
  const std::optional<std::uint32_t> f = eval_.known_node(from), g = eval_.known_node(to);
  if (!f || !g)
    eval_.refuse(DiagnosticKind::SeveralSends, at,
                 fmt::format("who sends to whom is not plain here, and model '{}' tells one thing "
                             "in each broadcast",
                             source_.model),
                 "loop over the nodes, and say by 'if' which of them sends");
  if (!sent_.emplace(node.number, *f, *g).second)
    eval_.refuse(DiagnosticKind::SeveralSends, at,
                 fmt::format("in one step this sends more than once from {} to {}, and model '{}' "
                             "tells one thing in each broadcast",
                             eval_.node_name(*f), eval_.node_name(*g), source_.model),
                 "split the step, or the statement: each is a broadcast of its own");
}

void StepLowering::visit(const check::sys::Message& node, Span at) {
  const std::vector<Term> indices = eval_.indices(node.place.indices);
  const Type& type = node.place.type;
  const Messages::Arguments args{eval_.value(node.value), eval_.value(node.from),
                                 eval_.value(node.to)};
  if (!node.dotted) return assign(node.place, indices, args.sent);
  eval_.demand(at, eval_.size_of_state());
  allow_once(node, at, args.from, args.to);
  eval_.told = [&, number = node.number](std::uint32_t round, std::uint32_t sender) {
    const Type& written = source_.rounds[round].type;
    const Type of = written.base == Base::Any ? type : written;
    Term& made = told_[{round, of, number, sender}];
    if (!made.valid()) {
      made = inputs_.fresh(source_.rounds[round].name, of);
      choices_.push_back(eval_.in_range(made, of));
    }
    return made;
  };
  std::vector<const Specification*> specs;
  for (const Specification& spec : source_.specifications)
    if (spec.type == type) specs.push_back(&spec);
  oblige_message(type, at, args, specs);
  const Outcome outcome = messages_.send(
      specs, type, args,
      [&](std::string_view what, const Type& of, const auto&) { return inputs_.fresh(what, of); });
  choices_.push_back(t_.implies(eval_.guard, t_.or_(outcome.possible)));
  remark(type, args, outcome, specs);
  const Term otherwise = without_message(node, indices, outcome.arrived);
  for (std::size_t v = 0; v < eval_.now.size(); ++v)
    for (std::size_t i = 0; i < eval_.now[v].size(); ++i)
      eval_.now[v][i] = t_.ite(eval_.guard, outcome.after[v][i], eval_.now[v][i]);
  const Term received = t_.ite(outcome.arrived, outcome.result, otherwise);
  assign(node.place, indices, received);
  tell_later(node.place, indices, received, "received");
  eval_.told = nullptr;
}

// What the variable becomes if nothing arrives, from the state before the message. Only then is it
// evaluated: where something arrives it cannot fail.
Term StepLowering::without_message(const check::sys::Message& node,
                                   const std::vector<Term>& indices, Term arrived) {
  if (!node.otherwise.valid()) return current(node.place, indices);
  const Term outside = eval_.guard;
  eval_.guard = t_.and_(outside, t_.not_(arrived));
  const Term value = eval_.value(node.otherwise);
  eval_.guard = outside;
  return value;
}

// Some specification is enabled, and each that is has an outcome.
void StepLowering::oblige_message(const Type& type, Span at, const Messages::Arguments& args,
                                  const std::vector<const Specification*>& specs) {
  std::vector<Term> bound;
  const Outcome outcome =
      messages_.send(specs, type, args, [&](std::string_view what, const Type& of, const auto&) {
        bound.push_back(t_.bound(what, sort_of(of)));
        return bound.back();
      });
  oblige(fmt::format("model '{}' says nothing of this message", source_.model), at,
         t_.or_(outcome.enabled));
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const std::string label =
        specs[s]->label.empty() ? "one of its specifications" : "'" + specs[s]->label + "'";
    oblige(fmt::format("by {} of model '{}' this message has no outcome", label, source_.model), at,
           t_.implies(outcome.enabled[s], t_.quant(false, bound, outcome.possible[s])));
  }
}

void StepLowering::remark(const Type& type, const Messages::Arguments& args, const Outcome& outcome,
                          const std::vector<const Specification*>& specs) {
  const std::optional<std::uint32_t> f = eval_.known_node(args.from), g = eval_.known_node(args.to);
  const auto called = [&](const std::optional<std::uint32_t>& node) {
    return node ? eval_.node_name(*node) : std::string("a node");
  };
  Term earlier = eval_.guard;
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const Term taken = t_.and_(earlier, outcome.possible[s]);
    earlier = t_.and_(earlier, t_.not_(outcome.possible[s]));
    const std::string text =
        fmt::format("{} {} -> {}", specs[s]->label.empty() ? "a message" : specs[s]->label,
                    called(f), called(g));
    const Term wrong = t_.not_(t_.eq(outcome.result, args.sent));
    const Term altered = t_.and_({taken, outcome.arrived, wrong});
    const Term lost = t_.and_(taken, t_.not_(outcome.arrived));
    if (!t_.is_false(altered))
      done_.remarks.push_back({text, altered, outcome.result, inputs_.enumeration_of(type)});
    if (!t_.is_false(lost)) done_.remarks.push_back({text + ": lost", lost, {}, {}});
  }
}

// Models that refine others
// ------------------------------------------------------------------------

Term RefinementLowering::bind(std::string_view what, const Type& type) {
  const Term made = t_.bound(what, sort_of(type));
  bound_.push_back(made);
  ranges_.push_back(eval_.in_range(made, type));
  return made;
}

RefinementLowering::Sent RefinementLowering::send(const Specification& spec) {
  Sent out;
  const auto make = [&](std::string_view what, const Type& of,
                        const std::optional<Messages::Element>& element) {
    if (element) out.changed.insert(*element);
    Term& made = element ? later_[*element] : shared_[std::string(what)];
    if (!made.valid()) made = bind(what, of);
    return made;
  };
  const Outcome outcome = messages_.send({&spec}, spec.type, args_, make);
  out.enabled = outcome.enabled[0];
  out.possible = outcome.possible[0];
  return out;
}

void RefinementLowering::oblige(std::string text, Span at, Term hypothesis, Term goal) {
  std::vector<Term> known = ranges_;
  known.push_back(always_);
  known.push_back(hypothesis);
  const Term body = t_.implies(t_.and_(std::move(known)), goal);
  if (t_.is_true(body)) return;
  out_.refinement.push_back({std::move(text), at, t_.quant(true, bound_, body)});
}

// Elements that only one of two may change stay as they are by the other.
Term RefinementLowering::unchanged(const std::set<Messages::Element>& elements,
                                   const std::set<Messages::Element>& but,
                                   const std::vector<std::uint32_t>* variables) {
  std::vector<Term> all;
  for (const Messages::Element& one : elements) {
    if (but.contains(one)) continue;
    if (variables != nullptr &&
        std::find(variables->begin(), variables->end(), one.first) == variables->end())
      continue;
    all.push_back(t_.eq(later_.at(one), eval_.now[one.first][one.second]));
  }
  return t_.and_(std::move(all));
}

void RefinementLowering::refine(const check::sys::Refinement& refinement, const Specification& mine,
                                const Specification& theirs) {
  const std::string name =
      fmt::format("'{}' refines '{}.{}'", mine.label.empty() ? "a message" : mine.label,
                  refinement.super, theirs.label);
  const Sent here = send(mine), there = send(theirs);
  oblige(fmt::format("{}, but can be taken where that cannot", name), mine.span, here.enabled,
         there.enabled);
  oblige(fmt::format("{}, but can do what that cannot", name), mine.span,
         t_.and_(here.possible, unchanged(there.changed, here.changed, nullptr)),
         t_.and_(there.possible, unchanged(here.changed, there.changed, &refinement.variables)));
}

void RefinementLowering::run(const check::sys::Refinement& refinement) {
  args_ = {bind("sent", refinement.type), bind("from", kNode), bind("to", kNode)};
  eval_.told = [&](std::uint32_t round, std::uint32_t node) {
    const Type& written = source_.rounds[round].type;
    Term& made = shared_[fmt::format("{} {}", round, node)];
    if (!made.valid()) made = bind("told", written.base == Base::Any ? refinement.type : written);
    return made;
  };
  std::set<std::size_t> referred;
  for (std::size_t m = 0; m < refinement.mine.size(); ++m)
    for (std::size_t target : refinement.refines[m]) {
      referred.insert(target);
      if (!refinement.taken_over[m])
        refine(refinement, refinement.mine[m], refinement.theirs[target]);
    }
  for (std::size_t s = 0; s < refinement.theirs.size(); ++s)
    if (!referred.contains(s))
      oblige(fmt::format("'{}' of model '{}' is left out, and can be taken",
                         refinement.theirs[s].label, refinement.super),
             refinement.span, send(refinement.theirs[s]).enabled, t_.boolean(false));
  eval_.told = nullptr;
}

}  // namespace leto::protocol

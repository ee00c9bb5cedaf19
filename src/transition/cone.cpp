#include "transition/cone.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "transition/text.h"

namespace leto::transition {

namespace {

using logic::Kind;

// Which variables a formula speaks of, now or next.
class Mentions {
 public:
  explicit Mentions(const System& system) : t_(*system.terms) {
    for (std::size_t i = 0; i < system.variables.size(); ++i) {
      now_[system.variables[i].now] = i;
      next_[system.variables[i].next] = i;
    }
  }
  struct Of {
    std::set<std::size_t> now, next;
  };
  const Of& of(Term formula) {
    const auto known = found_.find(formula);
    if (known != found_.end()) return known->second;
    Of out;
    std::unordered_set<Term> seen;
    std::vector<Term> to_do{formula};
    while (!to_do.empty()) {
      const Term term = to_do.back();
      to_do.pop_back();
      if (!seen.insert(term).second) continue;
      if (const auto at = now_.find(term); at != now_.end()) out.now.insert(at->second);
      if (const auto at = next_.find(term); at != next_.end()) out.next.insert(at->second);
      to_do.insert(to_do.end(), t_[term].args.begin(), t_[term].args.end());
    }
    return found_.emplace(formula, std::move(out)).first->second;
  }
  [[nodiscard]] std::optional<std::size_t> next(Term term) const {
    const auto at = next_.find(term);
    return at == next_.end() ? std::nullopt : std::optional(at->second);
  }
  [[nodiscard]] std::optional<std::size_t> now(Term term) const {
    const auto at = now_.find(term);
    return at == now_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  const TermTable& t_;
  std::unordered_map<Term, std::size_t> now_, next_;
  std::unordered_map<Term, Of> found_;
};

// A part of a formula that stands in `and`s and `or`s only.
struct Leaf {
  Term term;
  std::optional<std::size_t> gives = {};  // of this variable, a value; nothing: it is a condition
};

class Cutter {
 public:
  Cutter(const System& whole, std::size_t claim, const std::vector<Term>& facts)
      : whole_(whole), t_(*whole.terms), mentions_(whole), claim_(claim) {
    need(whole.claims.at(claim).formula);
    for (const Term fact : facts) need(fact);
    find_leaves(whole.common, steps_, true);
    for (const Step& step : whole.steps) find_leaves(step.formula, steps_, true);
    find_leaves(whole.initial, initial_, false);
    find_leaves(whole.assumed, assumed_, false);
  }

  // Until nothing more is needed.
  void grow() {
    for (std::size_t before = 0; before != needed_.size() + 1;) {
      before = needed_.size() + 1;
      for (const Leaf& leaf : steps_)
        if (!leaf.gives || needed_.contains(*leaf.gives) || !gives_once(*leaf.gives))
          need(leaf.term);
      for (const Leaf& leaf : initial_)
        if (!can_go_from_beginning(leaf)) need(leaf.term);
      for (const Leaf& leaf : assumed_)
        if (!is_bound(leaf.term)) need(leaf.term);
    }
  }
  [[nodiscard]] bool is_smaller() const { return needed_.size() < whole_.variables.size(); }

  Cone cut() {
    Cone out;
    out.system.terms = whole_.terms;
    out.system.name = whole_.name;
    out.system.enumerations = whole_.enumerations;
    out.system.inputs = whole_.inputs;
    out.system.claims = whole_.claims;
    out.kept.assign(needed_.begin(), needed_.end());
    for (const std::size_t v : out.kept) out.system.variables.push_back(whole_.variables[v]);
    out.system.initial = weakened(whole_.initial, &gone_at_beginning_);
    out.system.assumed = weakened(whole_.assumed, &gone_always_);
    out.system.common = weakened(whole_.common, nullptr);
    for (const Step& step : whole_.steps)
      out.system.steps.push_back({step.name, weakened(step.formula, nullptr), step.span, {}});
    // Claims about what is left out are not asked of it.
    for (std::size_t i = 0; i < out.system.claims.size(); ++i)
      if (i != claim_) out.system.claims[i].formula = t_.boolean(true);
    return out;
  }
  // What was left out of the beginning and of what is assumed.
  [[nodiscard]] Term gone_at_beginning() const {
    return t_.and_(t_.and_(gone_at_beginning_), t_.and_(gone_always_));
  }
  [[nodiscard]] Term gone_always() const { return t_.and_(gone_always_); }

 private:
  void need(Term formula) {
    const Mentions::Of& all = mentions_.of(formula);
    needed_.insert(all.now.begin(), all.now.end());
    needed_.insert(all.next.begin(), all.next.end());
  }
  [[nodiscard]] bool is_joint(Term f) const {
    return t_[f].kind == Kind::And || t_[f].kind == Kind::Or;
  }
  void find_leaves(Term formula, std::vector<Leaf>& out, bool of_step) {
    std::unordered_set<Term> seen;
    std::vector<Term> to_do{formula};
    while (!to_do.empty()) {
      const Term f = to_do.back();
      to_do.pop_back();
      if (!seen.insert(f).second) continue;
      if (is_joint(f))
        to_do.insert(to_do.end(), t_[f].args.begin(), t_[f].args.end());
      else
        out.push_back({f, of_step ? given_next(f) : given_now(f)});
    }
  }
  // v' = e with nothing of the next state in e; v' and not v' are of that kind.
  [[nodiscard]] std::optional<std::size_t> given_next(Term f) {
    const Term atom = t_[f].kind == Kind::Not ? t_[f].args[0] : f;
    if (const auto v = mentions_.next(atom)) return v;
    if (t_[f].kind != Kind::Eq) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
      const auto v = mentions_.next(t_[f].args[side]);
      if (v && mentions_.of(t_[f].args[1 - side]).next.empty()) return v;
    }
    return std::nullopt;
  }
  // v = number.
  [[nodiscard]] std::optional<std::size_t> given_now(Term f) {
    const Term atom = t_[f].kind == Kind::Not ? t_[f].args[0] : f;
    if (const auto v = mentions_.now(atom)) return v;
    if (t_[f].kind != Kind::Eq) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
      const auto v = mentions_.now(t_[f].args[side]);
      if (v && mentions_.of(t_[f].args[1 - side]).now.empty()) return v;
    }
    return std::nullopt;
  }
  // Of one variable and of nothing else.
  [[nodiscard]] bool is_bound(Term f) {
    const Mentions::Of& all = mentions_.of(f);
    return all.now.size() == 1 && all.next.empty();
  }
  [[nodiscard]] bool can_go_from_beginning(const Leaf& leaf) {
    return leaf.gives || is_bound(leaf.term);
  }
  // At most one value in each alternative, whatever it is joined with.
  [[nodiscard]] bool gives_once(std::size_t v) {
    const auto known = once_.find(v);
    if (known != once_.end()) return known->second;
    unsigned most = 0;
    counted_.clear();
    for (const Step& step : whole_.steps) most = std::max(most, count(step.formula, v));
    const bool once = most + count(whole_.common, v) <= 1;
    once_[v] = once;
    return once;
  }
  unsigned count(Term f, std::size_t v) {
    if (!mentions_.of(f).next.contains(v)) return 0;
    if (!is_joint(f)) return 1;
    if (const auto known = counted_.find(f); known != counted_.end()) return known->second;
    unsigned out = 0;
    for (const Term arg : t_[f].args) {
      const unsigned more = count(arg, v);
      out = std::min(2U, t_[f].kind == Kind::And ? out + more : std::max(out, more));
    }
    counted_[f] = out;
    return out;
  }
  // Without the parts that speak of what is not needed; they are remembered.
  Term weakened(Term f, std::vector<Term>* gone) {
    const Mentions::Of& all = mentions_.of(f);
    const auto known = [&](std::size_t v) { return needed_.contains(v); };
    if (std::all_of(all.now.begin(), all.now.end(), known) &&
        std::all_of(all.next.begin(), all.next.end(), known))
      return f;
    if (!is_joint(f)) {
      if (gone != nullptr) gone->push_back(f);
      return t_.boolean(true);
    }
    std::vector<Term> args;
    const std::vector<Term> whole = t_[f].args;
    for (const Term arg : whole) args.push_back(weakened(arg, gone));
    return t_[f].kind == Kind::And ? t_.and_(std::move(args)) : t_.or_(std::move(args));
  }

  const System& whole_;
  TermTable& t_;
  Mentions mentions_;
  std::size_t claim_;
  std::set<std::size_t> needed_;
  std::vector<Leaf> steps_, initial_, assumed_;
  std::unordered_map<std::size_t, bool> once_;
  std::unordered_map<Term, unsigned> counted_;  // of one variable
  std::vector<Term> gone_at_beginning_, gone_always_;
};

std::string is(const std::string& what, unsigned at) {
  return "(assert " + Script::of(what, at) + ")\n";
}

// Whether nothing that was left out can stop a run.
bool blocks_nothing(const System& whole, const Cutter& cutter, Slice& slice,
                    std::uint64_t memory_mb, const Allowance& allowance) {
  Script script(whole);
  script.add("begins", cutter.gone_at_beginning());
  script.add("gone", cutter.gone_always());
  script.add("assumed", whole.assumed);
  script.add("step", relation_of(whole));
  Session session(z3_session(), memory_mb);
  session.tell(script.declare_state(0) + script.declare_state(1) + script.declare_inputs(0) +
               script.define("begins", 0) + script.define("gone", 1) + script.define("assumed", 0) +
               script.define("step", 0));
  session.ask("(push 1)\n" + is("begins", 0) + "(check-sat)\n(pop 1)\n");
  const std::optional<std::string> begins = session.wait(slice, allowance);
  if (!begins || answer_in(*begins) != Answer::Sat) return false;
  session.ask(is("assumed", 0) + is("step", 0) + "(assert (not " + Script::of("gone", 1) +
              "))\n(check-sat)\n");
  const std::optional<std::string> kept = session.wait(slice, allowance);
  return kept && answer_in(*kept) == Answer::Unsat;
}

}  // namespace

std::optional<Cone> find_cone(const System& whole, std::size_t claim,
                              const std::vector<Term>& facts, Slice& slice, std::uint64_t memory_mb,
                              const Allowance& allowance) {
  Cutter cutter(whole, claim, facts);
  cutter.grow();
  if (!cutter.is_smaller()) return std::nullopt;
  Cone cone = cutter.cut();
  if (!blocks_nothing(whole, cutter, slice, memory_mb, allowance)) return std::nullopt;
  return cone;
}

namespace {

// That a symbol has a value.
std::string equals(char which, std::size_t number, unsigned at, const Value& value,
                   TermTable& table) {
  TermWriter writer(table, "v");
  const std::string name = which + std::to_string(number) + "." + std::to_string(at);
  return "(assert (= " + name + " " + writer.write(term_for(table, value)) + "))\n";
}

}  // namespace

std::optional<Trace> complete(const System& whole, const Cone& cone, const Trace& trace,
                              Slice& slice, std::uint64_t memory_mb, const Allowance& allowance) {
  Script script(whole);
  script.add("initial", whole.initial);
  script.add("assumed", whole.assumed);
  script.add("step", relation_of(whole));
  std::vector<Sort> sorts;
  for (const Variable& variable : whole.variables) sorts.push_back(variable.sort);
  Trace out{{}, trace.inputs};
  for (unsigned at = 0; at < trace.states.size(); ++at) {
    Session session(z3_session(), memory_mb);
    std::string text = script.declare_state(at) + script.define("assumed", at) + is("assumed", at);
    for (std::size_t i = 0; i < cone.kept.size(); ++i)
      text += equals('x', cone.kept[i], at, trace.states[at][i], *whole.terms);
    if (at == 0) {
      text += script.define("initial", 0) + is("initial", 0);
    } else {
      text += script.declare_state(at - 1) + script.declare_inputs(at - 1) +
              script.define("step", at - 1) + is("step", at - 1);
      for (std::size_t v = 0; v < whole.variables.size(); ++v)
        text += equals('x', v, at - 1, out.states[at - 1][v], *whole.terms);
      for (std::size_t i = 0; i < whole.inputs.size(); ++i)
        text += equals('u', i, at - 1, trace.inputs[at - 1][i], *whole.terms);
    }
    session.tell(text);
    session.ask("(check-sat)\n");
    const std::optional<std::string> answer = session.wait(slice, allowance);
    if (!answer || answer_in(*answer) != Answer::Sat) return std::nullopt;
    session.ask(script.ask_state(at));
    const std::optional<std::string> said = session.wait(slice, allowance);
    const auto values = said ? read_values(*said, sorts) : std::nullopt;
    if (!values) return std::nullopt;
    out.states.push_back(*values);
  }
  return out;
}

}  // namespace leto::transition

// Which facts are proposed for a loop, of variables x that it modifies, booleans f of the
// model's state, and labels l of loops around it:
//
//   exits      eq of whether a run has left from the loop's middle, also under !f; of one that has,
//              the conditions under which it did, what it assigned there, the loop's invariants of
//              one run, and what the function asserts or ensures of one
//   counter    eq of the counter of `repeat`, which has no name; also if neither run has left so
//   left       that a run which has left had a false test, if every operation in it was exact; also
//              under !f; only of tests that are not plain, which a run would not repeat
//   inherit    the invariants that the user wrote for the loops around it
//   eq         eq(x); also if neither run has left from the middle
//   unless     !f -> eq(x), and !l[f] -> eq(x); the first also of an x that only the loops
//              around it modify, if it modifies f
//   right      x<r> == g and !f -> x<r> == g, for a specvar g of the same type
//   lasting    l[f] -> f, and l.entry[f] -> f for its own label; f; !f
//   bounds     i <= e where the loop goes on while i < e, and the like; 0 <= i
//   claims     what the function asserts or has as an invariant somewhere, or ensures of a
//              variable that it returns, or what that says under a condition, wherever it can be
//              said
//   renamed    the same with another vector of the same type, which the loop modifies; not of
//              specvars
//
// Of a wide proposal, further, for scalars x and y, booleans b of the program, numbers c that
// stand in it, and vectors v and w:
//
//   ordered    x <= y, x == y, x == c, x <= c, x < c, c <= x, c < x, in each run
//   runs       x<o> <= x<r>, x<r> <= x<o>
//   under      b<r> -> eq(x), !b<r> -> eq(x), f -> eq(x); b<r> -> f, and the like
//   copies     v<r> == w<r>, v<r> == w<r> -> eq(v), eq(v) || eq(w), eq(v) || w<r> == v<o>, also
//              under !f; of scalars too
//   prefix     eq(v[k]) for all k < i; for all k >= i; what is claimed of all k < e, of all k < i
//              if the loop goes on while i < e
//   sums       x + y == z, x == 2 * y, x <= 2 * y
//   counts     m == c -> eq(x), m <= c, c <= m for a number m of the model's state
#include "prove/candidates.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/restored.h"
#include "core/calls.h"
#include "prove/needs.h"

namespace leto::prove {

using core::ExprId;
using core::Op;
using core::Side;
using core::VarId;
using core::VarKind;

namespace {

constexpr core::Type kBool{core::Base::Bool, false, 0};
// More than this for one loop costs more than it brings, unless the function's claims need them.
constexpr std::size_t kMost = 400, kMostWidely = 4000;

// What stands in a specification.
struct Mentions {
  std::set<VarId> original, relaxed, both;  // `both`: in an expression of one run
  std::set<VarId> before;                   // inside of a snapshot
  std::set<core::LoopId> loops;
  [[nodiscard]] std::set<VarId> all() const {
    std::set<VarId> out = both;
    out.insert(before.begin(), before.end());
    out.insert(original.begin(), original.end());
    out.insert(relaxed.begin(), relaxed.end());
    return out;
  }
};

class Proposer {
 public:
  Proposer(core::Program& program, Width width)
      : program_(program),
        effects_(program),
        width_(width),
        wide_(width == Width::Wide),
        called_(core::find_called(program)) {
    proposals_.resize(program.loops.size());
    for (const core::StateVar& s : program.model.states)
      if (program.vars[s.var].type == kBool) flags_.push_back(s.var);
  }

  Proposals run(const std::vector<bool>& wanted) {
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i) {
      if (!wanted.empty() && !wanted[i]) continue;
      const core::Function& f = program_.functions[core::FunctionId{i}];
      claims_.clear();
      // What follows adds to the program, so nothing of it is held by reference.
      const core::Function copy = f;
      is_called_ = called_[i];
      last_value_.clear();
      for (const core::Clause& clause : copy.ensures)
        if (clause.relational) harvest(clause.expr, true);
      harvest_through_result(copy);
      ensures_.clear();
      for (const core::Clause& clause : copy.ensures)
        if (!clause.relational) ensures_.push_back(clause.expr);
      collect(copy.body);
      std::vector<ExprId> exprs;
      for (const Claim& claim : claims_) exprs.push_back(claim.expr);
      needed_ = find_needed(program_, copy, exprs);
      uses_ = find_uses(program_, copy);
      visit_loops(copy.body);
    }
    return std::move(proposals_);
  }

 private:
  struct Claim {
    ExprId expr;
    bool relational;
    std::optional<ExprId> under = {};  // what it was found under: `under -> expr` was claimed
  };

  // Expressions ------------------------------------------------------------------------------

  ExprId add(core::Type type, decltype(core::Expr::node) node) {
    return program_.exprs.add({type, at_, std::move(node)});
  }
  ExprId ref(VarId var, Side side) { return add(program_.vars[var].type, core::VarRef{var, side}); }
  ExprId apply(Op op, std::vector<ExprId> args) {
    return add(kBool, core::Apply{op, std::move(args)});
  }
  ExprId implies(ExprId a, ExprId b) { return apply(Op::Implies, {a, b}); }
  ExprId negate(ExprId a) { return apply(Op::Not, {a}); }
  ExprId number(std::string text) {
    const core::Type type{is_whole(text) ? core::Base::Int : core::Base::Real, is_whole(text), 0};
    return add(type, core::NumberConst{std::move(text)});
  }
  static bool is_whole(const std::string& text) {
    return text.find_first_not_of("0123456789") == std::string::npos;
  }
  // Numbers that a variable can be compared with.
  [[nodiscard]] std::vector<std::string> numbers_for(VarId var,
                                                     const std::set<std::string>& all) const {
    std::vector<std::string> out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const std::string& text) {
      return is_whole(text) || program_.vars[var].type.base == core::Base::Real;
    });
    return out;
  }

  void find_mentions(ExprId id, Mentions& out) const {
    const auto& node = program_.exprs[id].node;
    if (const auto* ref = std::get_if<core::VarRef>(&node))
      (ref->side == Side::Original  ? out.original
       : ref->side == Side::Relaxed ? out.relaxed
                                    : out.both)
          .insert(ref->var);
    if (const auto* snapshot = std::get_if<core::Snapshot>(&node)) {
      out.loops.insert(snapshot->loop);
      Mentions inner;
      find_mentions(snapshot->expr, inner);
      const std::set<VarId> all = inner.all();
      out.before.insert(all.begin(), all.end());
      return;
    }
    core::for_each_child(program_, id, [&](ExprId child) { find_mentions(child, out); });
  }

  // The expression with another variable in the place of one, in both runs.
  ExprId rename(ExprId id, VarId from, VarId to) {
    core::Expr e = program_.exprs[id];
    if (auto* ref = std::get_if<core::VarRef>(&e.node)) {
      if (ref->var != from) return id;
      ref->var = to;
      return program_.exprs.add(std::move(e));
    }
    if (std::holds_alternative<core::Snapshot>(e.node))
      return id;  // what was, was of this variable
    return core::map(program_, id, [&](ExprId part) { return rename(part, from, to); });
  }

  // What the function claims -----------------------------------------------------------------

  void harvest(ExprId id, bool relational) {
    for (ExprId part : core::conjuncts(program_, id)) {
      const auto* apply = std::get_if<core::Apply>(&program_.exprs[part].node);
      if (apply != nullptr && apply->op == Op::Implies) {
        for (ExprId one : core::conjuncts(program_, apply->args[1]))
          claims_.push_back({one, relational, part});
      }
      claims_.push_back({part, relational});
    }
  }

  // What is ensured of the result, of each variable that is returned.
  void harvest_through_result(const core::Function& f) {
    for (std::size_t i = 0; i < f.returned(); ++i) harvest_through(f, f.results[i]);
  }
  void harvest_through(const core::Function& f, VarId result) {
    std::set<VarId> returned;
    core::for_each_statement(program_, f.body, [&](core::StmtId id) {
      const auto* assign = std::get_if<core::Assign>(&program_.stmts[id].node);
      if (assign == nullptr || assign->target != result) return;
      const auto* value = std::get_if<core::VarRef>(&program_.exprs[assign->value].node);
      if (value != nullptr && program_.vars[value->var].type == program_.vars[result].type)
        returned.insert(value->var);
    });
    for (const core::Clause& clause : f.ensures)
      for (VarId var : returned) {
        const ExprId of_variable = rename(clause.expr, result, var);
        if (of_variable != clause.expr) harvest(of_variable, clause.relational);
      }
  }

  void collect(core::StmtId body) {
    core::for_each_statement(program_, body, [&](core::StmtId id) {
      const auto& node = program_.stmts[id].node;
      if (const auto* loop = std::get_if<core::While>(&node))
        for (const core::Invariant& i : loop->invariants) harvest(i.expr, i.relational);
      if (const auto* claim = std::get_if<core::Claim>(&node))
        harvest(claim->expr, claim->kind == core::AssertionKind::AssertR);
    });
  }

  // Loops ------------------------------------------------------------------------------------

  void visit_loops(core::StmtId id) {
    if (!id.valid() || !seen_.insert(id).second) return;
    const auto* found = std::get_if<core::While>(&program_.stmts[id].node);
    if (const auto* assign = std::get_if<core::Assign>(&program_.stmts[id].node))
      last_value_[assign->target] = assign->value;
    if (found == nullptr) {
      core::for_each_child(program_, id, [&](core::StmtId child) { visit_loops(child); });
      return;
    }
    const core::While loop = *found;
    around_.push_back(loop);
    at_ = program_.stmts[id].span;
    const core::Modified changed = effects_.of(loop);
    modified_original_ = changed.original;
    modified_relaxed_ = changed.relaxed;
    propose_for(loop);
    changed_around_.push_back(changed.relaxed);
    visit_loops(loop.before);
    visit_loops(loop.body);
    changed_around_.pop_back();
    around_.pop_back();
  }

  void propose_for(const core::While& loop) {
    list_ = &proposals_[loop.loop.value];
    known_.clear();
    visible_ = {loop.visible.begin(), loop.visible.end()};
    for (const core::Invariant& i : loop.invariants)
      for (ExprId part : core::conjuncts(program_, i.expr))
        known_.emplace(core::source(program_, part), std::nullopt);
    propose_exits(loop);
    propose_counter(loop);
    propose_left(loop);
    propose_still_set(loop);
    if (width_ == Width::Hidden || (!loop.infer && !wide_)) return;
    std::vector<VarId> changed, ghosts;
    for (VarId var : loop.visible) {
      if (program_.vars[var].kind == VarKind::Ghost)
        ghosts.push_back(var);
      else if (changes(var))
        changed.push_back(var);
    }
    derived_ = true;
    for (std::size_t i = 0; i + 1 < around_.size(); ++i)
      for (const core::Invariant& invariant : around_[i].invariants)
        for (ExprId part : core::conjuncts(program_, invariant.expr))
          propose(part, invariant.relational);
    derived_ = false;
    propose_equalities(loop, changed);
    propose_right(loop, ghosts);
    propose_lasting(loop);
    propose_bounds(loop, changed);
    derived_ = true;
    propose_claims(changed);
    if (wide_) propose_widely(loop, changed);
  }

  // Runs that repeat together have repeated equally often.
  void propose_counter(const core::While& loop) {
    if (!loop.counter.valid()) return;
    visible_.insert(loop.counter);
    const auto strongest = propose(equate(loop.counter), true);
    if (!loop.exits.empty())
      propose(implies(neither_gone(loop), equate(loop.counter)), true, strongest);
  }

  // A place where a run leaves from the middle, and what holds there: the conditions on the way,
  // and what was assigned just before.
  struct Exit {
    VarId flag;
    std::vector<ExprId> known;
  };
  // Runs that leave from the middle, and what is known of one that has, while the other goes on.
  void propose_exits(const core::While& loop) {
    for (VarId flag : loop.exits) {
      visible_.insert(flag);
      const auto strongest = propose(equate(flag), true);
      for (VarId upset : flags_)
        propose(implies(negate(ref(upset, Side::Relaxed)), equate(flag)), true, strongest);
    }
    std::vector<Exit> exits;
    std::vector<ExprId> conditions;
    if (!loop.exits.empty()) find_exits(loop.body, loop.exits, conditions, exits);
    for (VarId flag : loop.exits)
      for (const Side side : {Side::Original, Side::Relaxed}) propose_gone(loop, flag, side, exits);
  }
  // Of a run that has left in one way. Where several places lead there, it is one of them.
  void propose_gone(const core::While& loop, VarId flag, Side side,
                    const std::vector<Exit>& exits) {
    constexpr std::size_t kMostPlaces = 4;
    const ExprId gone = ref(flag, side);
    std::vector<std::vector<ExprId>> places;
    for (const Exit& exit : exits) {
      if (exit.flag != flag) continue;
      places.emplace_back();
      if (places.size() > kMostPlaces) break;
      for (ExprId known : exit.known)
        if (const auto said = make_exact(known, {}, side)) places.back().push_back(*said);
    }
    if (places.size() == 1)
      for (ExprId said : places[0]) propose(implies(gone, said), true);
    const bool all_say =
        std::none_of(places.begin(), places.end(), [](const auto& place) { return place.empty(); });
    if (places.size() > 1 && all_say) {
      ExprId any;
      for (const std::vector<ExprId>& place : places) {
        ExprId all = place[0];
        for (std::size_t i = 1; i < place.size(); ++i) all = apply(Op::And, {all, place[i]});
        any = any.valid() ? apply(Op::Or, {any, all}) : all;
      }
      propose(implies(gone, any), true);
    }
    const auto say = [&](ExprId claimed) {
      for (ExprId part : core::conjuncts(program_, claimed))
        if (const auto said = make_exact(part, {}, side)) propose(implies(gone, *said), true);
    };
    for (const core::Invariant& invariant : loop.invariants)
      if (!invariant.relational) say(invariant.expr);
    const std::vector<Claim> all = claims_;
    for (const Claim& claim : all)
      if (!claim.relational && !claim.under) say(claim.expr);
    for (ExprId ensured : ensures_) say(ensured);
  }
  ExprId neither_gone(const core::While& loop) {
    ExprId all;
    for (VarId flag : loop.exits)
      for (const Side side : {Side::Original, Side::Relaxed}) {
        const ExprId stays = negate(ref(flag, side));
        all = all.valid() ? apply(Op::And, {all, stays}) : stays;
      }
    return all;
  }
  void find_exits(core::StmtId id, const std::vector<VarId>& flags, std::vector<ExprId>& conditions,
                  std::vector<Exit>& out) {
    if (!id.valid()) return;
    if (const auto* branch = std::get_if<core::If>(&program_.stmts[id].node)) {
      const core::If copy = *branch;
      for (const bool first : {true, false}) {
        conditions.push_back(first ? copy.condition : negate(copy.condition));
        find_exits(first ? copy.then_branch : copy.else_branch, flags, conditions, out);
        conditions.pop_back();
      }
      return;
    }
    // Out of a loop inside too.
    if (const auto* inner = std::get_if<core::While>(&program_.stmts[id].node))
      return find_exits(core::StmtId(inner->body), flags, conditions, out);
    const auto* block = std::get_if<core::Block>(&program_.stmts[id].node);
    if (block == nullptr) return;
    const std::vector<core::StmtId> body = block->body;
    std::map<VarId, ExprId> assigned;
    for (core::StmtId child : body) {
      find_exits(child, flags, conditions, out);
      const auto* assign = std::get_if<core::Assign>(&program_.stmts[child].node);
      if (assign == nullptr) continue;
      const core::Assign copy = *assign;
      if (std::find(flags.begin(), flags.end(), copy.target) == flags.end()) {
        if (program_.vars[copy.target].kind == VarKind::Result) visible_.insert(copy.target);
        assigned[copy.target] = apply(Op::Eq, {ref(copy.target, Side::Open), copy.value});
        continue;
      }
      out.push_back({copy.target, conditions});
      for (const auto& [target, said] : assigned) out.back().known.push_back(said);
      say_of_result(assigned, out.back());
    }
  }

  // What is known of a variable of the body, which no invariant can name, is known of the result if
  // that is what was returned.
  void say_of_result(const std::map<VarId, ExprId>& assigned, Exit& exit) {
    for (const auto& [target, said] : assigned) {
      if (program_.vars[target].kind != VarKind::Result) continue;
      const auto& equal = std::get<core::Apply>(program_.exprs[said].node);
      const auto* value = std::get_if<core::VarRef>(&program_.exprs[equal.args[1]].node);
      if (value == nullptr || program_.vars[value->var].type != program_.vars[target].type)
        continue;
      const VarId returned = value->var;
      for (ExprId known : std::vector<ExprId>(exit.known))
        if (const ExprId of_result = rename(known, returned, target); of_result != known)
          exit.known.push_back(of_result);
    }
  }

  // What was set before is still set: then what a caller of the function computed before, and that
  // is right as long as a flag is not set, is right behind the call too. The caller's variables
  // cannot be named here, and this neither where the loop has no label.
  void propose_still_set(const core::While& loop) {
    if (!is_called_ || !program_.loops[loop.loop.value].empty()) return;
    for (VarId flag : flags_)
      if (modified_relaxed_.contains(flag))
        propose_anyway(implies(snapshot(loop.loop, true, flag), ref(flag, Side::Relaxed)));
  }

  void propose_left(const core::While& loop) {
    if (effects_.is_plain_test(loop)) return;
    std::map<VarId, ExprId> exact;
    core::for_each_statement(program_, loop.before, [&](core::StmtId id) {
      if (const auto* s = std::get_if<core::Relaxed>(&program_.stmts[id].node))
        exact[s->target] = s->exact;
    });
    visible_.insert(loop.left);
    for (const Side side : {Side::Original, Side::Relaxed}) {
      const std::optional<ExprId> test = make_exact(loop.condition, exact, side);
      if (!test) continue;
      const ExprId gone = ref(loop.left, side);
      const auto strongest = propose_anyway(implies(gone, negate(*test)));
      if (side == Side::Original) continue;
      for (VarId flag : flags_)
        propose_anyway(
            implies(apply(Op::And, {gone, negate(ref(flag, Side::Relaxed))}), negate(*test)),
            strongest);
    }
  }
  // A test of one run with exact operations; nothing if it depends on anything else.
  std::optional<ExprId> make_exact(ExprId id, const std::map<VarId, ExprId>& exact, Side side) {
    const auto& node = program_.exprs[id].node;
    if (std::holds_alternative<core::OldRef>(node) || std::holds_alternative<core::Snapshot>(node))
      return std::nullopt;
    if (std::holds_alternative<core::VarRef>(node)) return make_variable_exact(id, exact, side);
    bool fine = true;
    const ExprId made = core::map(program_, id, [&](ExprId part) {
      const std::optional<ExprId> inner = make_exact(part, exact, side);
      fine = fine && inner;
      return inner.value_or(part);
    });
    return fine ? std::optional(made) : std::nullopt;
  }
  std::optional<ExprId> make_variable_exact(ExprId id, const std::map<VarId, ExprId>& exact,
                                            Side side) {
    core::Expr e = program_.exprs[id];
    auto& ref = std::get<core::VarRef>(e.node);
    if (const auto it = exact.find(ref.var); it != exact.end())
      return make_exact(it->second, exact, side);
    const VarKind kind = program_.vars[ref.var].kind;
    if (kind == VarKind::Temp || kind == VarKind::State) return std::nullopt;
    if (kind == VarKind::Constant || kind == VarKind::Bound) return id;
    ref.side = side;
    return program_.exprs.add(std::move(e));
  }
  // Of what no loop modifies, but the rule of loops itself.
  std::optional<std::size_t> propose_anyway(ExprId id,
                                            std::optional<std::size_t> follows_from = {}) {
    list_->push_back({{id, true, false}, follows_from});
    return list_->size() - 1;
  }

  // Wide proposals ---------------------------------------------------------------------------

  ExprId equate(VarId var) {
    return apply(Op::Eq, {ref(var, Side::Original), ref(var, Side::Relaxed)});
  }
  [[nodiscard]] bool is_scalar(VarId var) const {
    const core::Type& type = program_.vars[var].type;
    return type.rank == 0 && type.base != core::Base::Bool && type.base != core::Base::Word;
  }
  [[nodiscard]] static bool are_comparable(const core::Type& a, const core::Type& b) {
    return a.base == b.base && a.rank == b.rank && a.width == b.width;
  }

  // What wide proposals are made of.
  struct Vocabulary {
    std::vector<VarId> known, flags;
    std::set<std::string> numbers{"0", "1"};
  };
  [[nodiscard]] Vocabulary gather_words(const core::While& loop) const {
    Vocabulary words;
    for (VarId var : loop.visible)
      if (program_.vars[var].kind != VarKind::Ghost) words.known.push_back(var);
    for (const core::ConstantVar& c : program_.constants)
      if (program_.vars[c.var].type.rank == 0) words.known.push_back(c.var);
    for (VarId var : words.known)
      if (program_.vars[var].type == kBool) words.flags.push_back(var);
    // Those in long lists say nothing about loops.
    std::set<core::ExprId> listed;
    for (const core::ConstantVar& c : program_.constants)
      if (const auto* elements = core::find_elements(program_, c))
        listed.insert(elements->begin(), elements->end());
    for (std::uint32_t i = 0; i < program_.exprs.size() && words.numbers.size() < 10; ++i)
      if (const auto* n = std::get_if<core::NumberConst>(&program_.exprs[core::ExprId{i}].node);
          n != nullptr && n->text.size() < 4 && !listed.contains(core::ExprId{i}))
        words.numbers.insert(n->text);
    return words;
  }

  void propose_widely(const core::While& loop, const std::vector<VarId>& changed) {
    const Vocabulary words = gather_words(loop);
    propose_so_far(loop);
    for (VarId x : changed) {
      if (!is_scalar(x)) continue;
      relate_to_numbers(x, words);
      for (VarId y : words.known)
        if (y != x && is_scalar(y) && are_comparable(program_.vars[x].type, program_.vars[y].type))
          relate_variables(x, y, words);
    }
    for (VarId b : words.flags) relate_flag(b, words);
    for (VarId x : words.known) {
      if (program_.vars[x].kind == VarKind::Constant) continue;
      for (VarId f : flags_) propose(implies(ref(f, Side::Relaxed), equate(x)), true);
      if (program_.vars[x].type.rank == 1) propose_prefixes(loop, x, changed);
    }
    propose_copies(words.known);
    for (const core::StateVar& m : program_.model.states)
      if (is_scalar(m.var)) relate_state(m.var, words);
  }
  void relate_to_numbers(VarId x, const Vocabulary& words) {
    propose(apply(Op::Le, {ref(x, Side::Original), ref(x, Side::Relaxed)}), true);
    propose(apply(Op::Le, {ref(x, Side::Relaxed), ref(x, Side::Original)}), true);
    const ExprId open = ref(x, Side::Open);
    for (const std::string& text : numbers_for(x, words.numbers)) {
      propose(apply(Op::Le, {number(text), open}), false);
      propose(apply(Op::Lt, {number(text), open}), false);
      propose(apply(Op::Le, {open, number(text)}), false);
      if (program_.vars[x].type.base == core::Base::Int)
        propose(apply(Op::Lt, {open, number(text)}), false);
      propose(apply(Op::Eq, {open, number(text)}), false);
    }
  }
  void relate_variables(VarId x, VarId y, const Vocabulary& words) {
    const ExprId open = ref(x, Side::Open), other = ref(y, Side::Open);
    if (!changes(y) || x < y) propose(apply(Op::Eq, {open, other}), false);
    if (changes(y)) {
      propose(apply(Op::Eq, {open, sum(Op::Mul, number("2"), other)}), false);
      propose(apply(Op::Le, {open, sum(Op::Mul, number("2"), other)}), false);
    }
    for (VarId z : words.known) {
      if (z == x || z == y || !is_scalar(z) || !(x < y) || !changes(y) || changes(z)) continue;
      propose(apply(Op::Eq, {sum(Op::Add, open, other), ref(z, Side::Open)}), false);
    }
    propose(apply(Op::Eq, {ref(x, Side::Relaxed), ref(y, Side::Relaxed)}), true);
    propose(apply(Op::Le, {open, other}), false);
    propose(apply(Op::Le, {other, open}), false);
    propose(apply(Op::Le, {ref(x, Side::Relaxed), ref(y, Side::Relaxed)}), true);
    propose(apply(Op::Le, {ref(y, Side::Relaxed), ref(x, Side::Relaxed)}), true);
  }
  void relate_flag(VarId b, const Vocabulary& words) {
    const ExprId now = ref(b, Side::Relaxed);
    for (VarId f : flags_) {
      propose(implies(now, ref(f, Side::Relaxed)), true);
      propose(implies(now, negate(ref(f, Side::Relaxed))), true);
      propose(implies(negate(now), ref(f, Side::Relaxed)), true);
      propose(implies(negate(now), negate(ref(f, Side::Relaxed))), true);
    }
    propose(now, true);
    propose(negate(now), true);
    for (VarId x : words.known) {
      if (x == b || program_.vars[x].kind == VarKind::Constant) continue;
      propose(implies(now, equate(x)), true);
      propose(implies(negate(now), equate(x)), true);
    }
  }
  void relate_state(VarId state, const Vocabulary& words) {
    const ExprId now = ref(state, Side::Relaxed);
    for (const std::string& text : numbers_for(state, words.numbers)) {
      propose(apply(Op::Le, {number(text), now}), true);
      propose(apply(Op::Le, {now, number(text)}), true);
      propose(apply(Op::Eq, {now, number(text)}), true);
      for (VarId x : words.known)
        if (program_.vars[x].kind != VarKind::Constant)
          propose(implies(apply(Op::Eq, {now, number(text)}), equate(x)), true);
    }
  }
  // What is claimed of all k < e, of all k < i where the loop goes on while i < e.
  void propose_so_far(const core::While& loop) {
    const std::vector<Claim> all = claims_;
    for (ExprId test : core::conjuncts(program_, loop.condition)) {
      const auto* compare = std::get_if<core::Apply>(&program_.exprs[test].node);
      if (compare == nullptr || (compare->op != Op::Lt && compare->op != Op::Ne)) continue;
      const ExprId counter = compare->args[0];
      const auto* ref_of = std::get_if<core::VarRef>(&program_.exprs[counter].node);
      if (ref_of == nullptr) continue;
      const VarId i = ref_of->var;
      const std::string bound = core::source(program_, compare->args[1]);
      for (const Claim& claim : all) {
        const auto* quant = std::get_if<core::Quant>(&program_.exprs[claim.expr].node);
        if (quant == nullptr || !quant->universal) continue;
        const core::Quant copy = *quant;
        const auto* body = std::get_if<core::Apply>(&program_.exprs[copy.body].node);
        if (body == nullptr || body->op != Op::Implies) continue;
        const ExprId then = body->args[1];
        std::vector<ExprId> guards = core::conjuncts(program_, body->args[0]);
        bool changed = false;
        for (ExprId& guard : guards) {
          const auto* below = std::get_if<core::Apply>(&program_.exprs[guard].node);
          if (below == nullptr || below->op != Op::Lt) continue;
          std::string text = core::source(program_, below->args[1]);
          if (text.ends_with("<r>") || text.ends_with("<o>")) text.resize(text.size() - 3);
          if (text != bound) continue;
          const ExprId k = below->args[0];
          guard = apply(Op::Lt, {k, ref(i, claim.relational ? Side::Relaxed : Side::Open)});
          changed = true;
        }
        if (!changed) continue;
        ExprId guard = guards[0];
        for (std::size_t g = 1; g < guards.size(); ++g) guard = apply(Op::And, {guard, guards[g]});
        propose(add(kBool, core::Quant{true, copy.bound, implies(guard, then)}), claim.relational);
      }
    }
  }

  ExprId sum(Op op, ExprId a, ExprId b) {
    const core::Type& type = program_.exprs[b].type;
    return add({type.base, false, 0}, core::Apply{op, {a, b}});
  }

  // Up to a counter of the loop, or from there on.
  void propose_prefixes(const core::While&, VarId vector, const std::vector<VarId>& changed) {
    for (VarId i : changed) {
      if (program_.vars[i].type.base != core::Base::Int || program_.vars[i].type.rank > 0) continue;
      const core::Type natural{core::Base::Int, true, 0};
      for (const Op op : {Op::Lt, Op::Ge}) {
        const VarId k = program_.vars.add({VarKind::Bound, "k", natural, at_});
        const ExprId index = ref(k, Side::Open);
        const auto element = [&](Side side) {
          return add(program_.vars[vector].type.element(),
                     core::Select{ref(vector, side), {index}});
        };
        const ExprId body =
            implies(apply(op, {index, ref(i, Side::Relaxed)}),
                    apply(Op::Eq, {element(Side::Original), element(Side::Relaxed)}));
        propose(add(kBool, core::Quant{true, {k}, body}), true);
      }
    }
  }

  // Two variables that may be copies of one another.
  void propose_copies(const std::vector<VarId>& known) {
    for (std::size_t i = 0; i < known.size(); ++i)
      for (std::size_t j = i + 1; j < known.size(); ++j) {
        const VarId v = known[i], w = known[j];
        if (program_.vars[v].type != program_.vars[w].type || !(changes(v) || changes(w)) ||
            program_.vars[v].type == kBool || program_.vars[v].kind == VarKind::Constant ||
            program_.vars[w].kind == VarKind::Constant)
          continue;
        const ExprId equal = apply(Op::Eq, {ref(v, Side::Relaxed), ref(w, Side::Relaxed)});
        propose(equal, true);
        propose(apply(Op::Eq, {ref(v, Side::Original), ref(w, Side::Original)}), true);
        for (VarId f : flags_) propose(implies(negate(ref(f, Side::Relaxed)), equal), true);
        propose(apply(Op::Or, {equate(v), equate(w)}), true);
        propose(implies(equal, equate(v)), true);
        propose(apply(Op::Or,
                      {equate(v), apply(Op::Eq, {ref(w, Side::Relaxed), ref(v, Side::Original)})}),
                true);
      }
  }

  [[nodiscard]] bool changes(VarId var) const {
    return modified_relaxed_.contains(var) || modified_original_.contains(var);
  }
  // Whether the loop's invariants can say it, and the loop could break it.
  [[nodiscard]] bool fits(ExprId id) const {
    Mentions m;
    find_mentions(id, m);
    for (VarId var : m.all()) {
      const VarKind kind = program_.vars[var].kind;
      if (kind != VarKind::State && kind != VarKind::Constant && kind != VarKind::Bound &&
          !visible_.contains(var))
        return false;
    }
    for (core::LoopId l : m.loops) {
      bool around = false;
      for (const core::While& w : around_) around = around || w.loop == l;
      if (!around || program_.loops[l.value].empty()) return false;
    }
    for (VarId var : m.original)
      if (modified_original_.contains(var)) return true;
    for (VarId var : m.relaxed)
      if (modified_relaxed_.contains(var)) return true;
    for (VarId var : m.both)
      if (changes(var)) return true;
    return false;
  }

  // Whether the function's own claims may need it, so that it is tried however many there are. Of
  // variants of claims, and of wide proposals, there are too many for that.
  [[nodiscard]] bool is_needed(ExprId id) const {
    if (wide_ || renamed_) return false;
    Mentions m;
    find_mentions(id, m);
    const std::set<VarId> all = m.all();
    return std::all_of(all.begin(), all.end(), [&](VarId var) {
      const VarKind kind = program_.vars[var].kind;
      return kind == VarKind::State || kind == VarKind::Constant || kind == VarKind::Bound ||
             needed_.contains(var);
    });
  }

  // Its place in the list, also if it was there before; none if it is not proposed.
  std::optional<std::size_t> propose(ExprId id, bool relational,
                                     std::optional<std::size_t> follows_from = {}) {
    if (!fits(id)) return std::nullopt;
    const auto [it, fresh] = known_.emplace(core::source(program_, id), std::nullopt);
    if (!fresh || (list_->size() >= (wide_ ? kMostWidely : kMost) && !is_needed(id)))
      return it->second;
    it->second = list_->size();
    list_->push_back({{id, relational, derived_}, follows_from});
    return it->second;
  }

  void propose_equalities(const core::While& loop, const std::vector<VarId>& changed) {
    for (VarId var : changed) {
      const ExprId same = apply(Op::Eq, {ref(var, Side::Original), ref(var, Side::Relaxed)});
      const auto strongest = propose(same, true);
      if (strongest && !loop.exits.empty())
        propose(implies(neither_gone(loop), same), true, strongest);
      for (VarId flag : flags_) {
        if (!strongest) continue;
        for (const core::While& w : around_)
          if (w.loop != loop.loop && !program_.loops[w.loop.value].empty())
            propose(implies(negate(snapshot(w.loop, false, flag)), same), true, strongest);
        propose(implies(negate(ref(flag, Side::Relaxed)), same), true, strongest);
      }
    }
    // What was computed before, or is by loops around it, may be equal under a condition that it
    // modifies.
    for (VarId var : loop.visible) {
      if (changes(var) || !(changed_around(var) || passes(loop, var))) continue;
      const VarKind kind = program_.vars[var].kind;
      if (kind == VarKind::Ghost) continue;
      for (VarId flag : flags_)
        if (modified_relaxed_.contains(flag)) {
          const auto at =
              propose(implies(negate(ref(flag, Side::Relaxed)),
                              apply(Op::Eq, {ref(var, Side::Original), ref(var, Side::Relaxed)})),
                      true);
          if (at) (*list_)[*at].outer = true;
        }
    }
  }
  [[nodiscard]] bool changed_around(VarId var) const {
    return std::any_of(changed_around_.begin(), changed_around_.end(),
                       [&](const std::set<VarId>& vars) { return vars.contains(var); });
  }
  // Whether what was set before the loop is read in it or behind it, and the claims may need it.
  [[nodiscard]] bool passes(const core::While& loop, VarId var) const {
    const auto use = uses_.of.find(var);
    const auto begin = uses_.loops.find(loop.loop);
    return use != uses_.of.end() && begin != uses_.loops.end() && needed_.contains(var) &&
           use->second.first_set < begin->second && use->second.last_read >= begin->second;
  }
  ExprId snapshot(core::LoopId loop, bool entry, VarId flag) {
    return add(kBool, core::Snapshot{loop, entry, ref(flag, Side::Relaxed)});
  }

  void propose_right(const core::While& loop, const std::vector<VarId>& ghosts) {
    for (VarId ghost : ghosts)
      for (VarId var : loop.visible) {
        if (program_.vars[var].kind == VarKind::Ghost ||
            program_.vars[var].type != program_.vars[ghost].type)
          continue;
        const ExprId same = apply(Op::Eq, {ref(var, Side::Relaxed), ref(ghost, Side::Relaxed)});
        const auto strongest = propose(same, true);
        if (!strongest) continue;
        for (VarId flag : flags_)
          propose(implies(negate(ref(flag, Side::Relaxed)), same), true, strongest);
      }
  }

  void propose_lasting(const core::While& loop) {
    for (VarId flag : flags_) {
      const ExprId now = ref(flag, Side::Relaxed);
      propose(negate(now), true);
      const auto strongest = propose(now, true);
      for (const core::While& w : around_)
        if (!program_.loops[w.loop.value].empty())
          propose(implies(snapshot(w.loop, w.loop == loop.loop, flag), now), true, strongest);
    }
  }

  void propose_bounds(const core::While& loop, const std::vector<VarId>& changed) {
    for (ExprId test : core::conjuncts(program_, loop.condition)) {
      const auto* compare = std::get_if<core::Apply>(&program_.exprs[test].node);
      if (compare == nullptr || compare->args.size() != 2) continue;
      const Op op = compare->op;
      const ExprId a = compare->args[0], b = compare->args[1];
      const auto one_more = [&](ExprId e) {
        core::Type type = program_.exprs[e].type;
        return add(type, core::Apply{Op::Add, {e, number("1")}});
      };
      if (program_.exprs[a].type.rank > 0 || program_.exprs[a].type.base != core::Base::Int ||
          program_.exprs[b].type.base != core::Base::Int)
        continue;
      if (op == Op::Lt || op == Op::Ne) propose(apply(Op::Le, {a, b}), false);
      if (op == Op::Le) propose(apply(Op::Le, {a, one_more(b)}), false);
      if (op == Op::Gt || op == Op::Ne) propose(apply(Op::Le, {b, a}), false);
      if (op == Op::Ge) propose(apply(Op::Le, {b, one_more(a)}), false);
    }
    for (VarId var : changed) {
      if (program_.vars[var].type == core::Type{core::Base::Int, false, 0})
        propose(apply(Op::Le, {number("0"), ref(var, Side::Open)}), false);
      propose_start(loop, var);
    }
  }

  // What counts up is never below what it began with, and what counts down never above. Of what is
  // only set to other variables, as the ends of an interval are, both are tried.
  void propose_start(const core::While& loop, VarId var) {
    const auto start = last_value_.find(var);
    if (start == last_value_.end() || !can_bound(start->second, var)) return;
    const ExprId value = start->second, now = ref(var, Side::Open);
    const Steps steps = find_steps(loop, var);
    const bool counts = program_.vars[var].type.base == core::Base::Int;
    if (steps.only_copies || (counts && steps.only_up)) propose(apply(Op::Le, {value, now}), false);
    if (steps.only_copies || (counts && steps.only_down))
      propose(apply(Op::Le, {now, value}), false);
  }
  // A whole number, over what the loop leaves alone. No uint is below 0, and one that begins there
  // does not go down.
  [[nodiscard]] bool can_bound(ExprId value, VarId var) const {
    const core::Type type = program_.vars[var].type;
    if (type.rank > 0 || type == kBool || type.base == core::Base::Word ||
        program_.exprs[value].type.base != type.base)
      return false;
    if (const auto* constant = std::get_if<core::NumberConst>(&program_.exprs[value].node))
      if (constant->text == "0") return false;
    bool fits = true;
    core::for_each_read(program_, value, [&](VarId read, Side) {
      fits = fits && program_.vars[read].kind != VarKind::Temp && !changes(read) && read != var;
    });
    return fits;
  }
  struct Steps {
    bool only_up = true, only_down = true, only_copies = true;
  };
  [[nodiscard]] Steps find_steps(const core::While& loop, VarId var) const {
    Steps steps;
    core::for_each_statement(program_, loop.body, [&](core::StmtId id) {
      if (!core::sets(program_, id, var)) return;
      const auto* assign = std::get_if<core::Assign>(&program_.stmts[id].node);
      const auto* step = assign == nullptr
                             ? nullptr
                             : std::get_if<core::Apply>(&program_.exprs[assign->value].node);
      steps.only_copies = steps.only_copies && assign != nullptr &&
                          std::holds_alternative<core::VarRef>(program_.exprs[assign->value].node);
      steps.only_up = steps.only_up && step != nullptr && step->op == Op::Add;
      steps.only_down = steps.only_down && step != nullptr && step->op == Op::Sub;
    });
    return steps;
  }

  void propose_claims(const std::vector<VarId>& changed) {
    const std::vector<Claim> all = claims_;
    const auto both = [&](const Claim& claim, auto change) {
      std::optional<std::size_t> strongest;
      if (claim.under) {
        strongest = propose(change(claim.expr), claim.relational);
        propose(change(*claim.under), claim.relational, strongest);
      } else {
        propose(change(claim.expr), claim.relational);
      }
    };
    for (const Claim& claim : all) both(claim, [](ExprId id) { return id; });
    const Restored variants(renamed_, true);
    for (const Claim& claim : all) {
      Mentions m;
      find_mentions(claim.expr, m);
      const std::set<VarId> mentioned = m.all();
      if (std::any_of(mentioned.begin(), mentioned.end(),
                      [&](VarId var) { return program_.vars[var].kind == VarKind::Ghost; }))
        continue;  // a specvar stands for one thing
      for (VarId from : mentioned) {
        if (program_.vars[from].type.rank == 0 || changes(from)) continue;
        if (program_.vars[from].kind == VarKind::Bound) continue;
        for (VarId to : changed)
          if (program_.vars[to].type == program_.vars[from].type && !mentioned.contains(to))
            both(claim, [&](ExprId id) { return rename(id, from, to); });
      }
    }
  }

  core::Program& program_;
  core::Effects effects_;
  Width width_;
  bool wide_;
  std::set<core::StmtId> seen_;
  std::vector<bool> called_;  // by function
  bool is_called_ = false;    // the function at hand
  // What was assigned last in the text before the loop at hand.
  std::map<VarId, ExprId> last_value_;
  Proposals proposals_;
  std::vector<VarId> flags_;
  std::vector<Claim> claims_;        // of the function at hand
  std::vector<ExprId> ensures_;      // what it ensures of one run
  std::set<VarId> needed_;           // what those depend on
  Uses uses_;                        // of the function's variables
  std::vector<core::While> around_;  // the loop at hand and those around it, outermost first
  std::vector<std::set<VarId>> changed_around_;  // what those around it modify
  // Of the loop at hand:
  Span at_;
  std::vector<Proposed>* list_ = nullptr;
  bool derived_ = false;  // what is being proposed is made from what the user wrote
  bool renamed_ = false;  // and is a variant of it
  std::unordered_map<std::string, std::optional<std::size_t>> known_;  // by text
  std::set<VarId> modified_original_, modified_relaxed_, visible_;
};

}  // namespace

Proposals propose(core::Program& program, Width width, const std::vector<bool>& wanted) {
  return Proposer(program, width).run(wanted);
}

}  // namespace leto::prove

// Recovery. Of try S1 check (e) recover S2 this is known (Known):
//
//   the check      from states in which what it stands on (Footing) is equal, e is true in the
//                  original run; and if it is true in the relaxed run, whatever went wrong in S1
//                  and in e, then all that S1 has set is right
//   the mending    from such states, if the relaxed run does S1, with any faults, and then S2
//   without
//                  faults, all that S1 or S2 may have set is right
//
//   p    the chance that all is right that e reads; then e is true, as it is in the original run
//   r2   the chance that S2 does what it does without faults
//
//   perfect       r * (p + (1 - p) * r2) * R(X - set + Footing)
//
// For something is wrong in the end only if e is false, and then only if S2 goes wrong. With rates
// of the check that are declared, FP and FN, and p the chance that all is right that S1 sets:
//
//   with rates    r * (p * (1 - FP) + p * FP * r2 + (1 - p) * (1 - FN) * r2) * R(X - set + Footing)
//
// Where r2 comes from. What S2 computes without faults is right; that it comes to its end is not
// known, for in the original run it is not done at all. A fault may let it pass an assertion that
// it fails without one, with something wrong. So r2 is the chance that there is no fault in S2 at
// all, unless it is known that S2 ends: because it is S1 done again from what S1 started from, or
// because nothing in it can fail. Then the rules for statements tell, which count only faults that
// matter, and know of recoveries inside S2.
//
// The rule is not used if something is needed of which neither proof speaks: the model's state.
// What S1 or S2 do to it stays done. The block is then a branch like others.
#include <algorithm>

#include "reliability/backwards.h"

namespace leto::reliability {

using core::StmtId;
using core::VarId;

const Footing& Backwards::footing(std::size_t recovery) {
  const auto it = footings_.find(recovery);
  if (it != footings_.end()) return it->second;
  return footings_.emplace(recovery, find_footing(program_, uses_, program_.recoveries[recovery]))
      .first->second;
}

// What is known of the block, if that is enough for the rule.
const Known* Backwards::usable(std::size_t recovery, const Vars& behind) {
  const auto it = options_.recoveries.find(recovery);
  if (it == options_.recoveries.end() || !options_.recovery_rule) return nullptr;
  const Known& known = it->second;
  if (!known.check_proved && !known.declared) return nullptr;
  if (known.mending == Known::Mending::No) return nullptr;
  const Vars& changed = uses_.sets(program_.recoveries[recovery].block);
  const Vars& covered = footing(recovery).set;
  const bool all = std::all_of(behind.begin(), behind.end(), [&](VarId var) {
    const bool forgotten =
        falls_into(Trap::RedoForgetsState) && program_.vars[var].kind == core::VarKind::State;
    return !changed.contains(var) || covered.contains(var) || forgotten;
  });
  return all ? &known : nullptr;
}

Found Backwards::before_recovery(std::size_t recovery, const Known& known, const Vars& behind) {
  const core::Recovery& r = program_.recoveries[recovery];
  const Footing& f = footing(recovery);
  Vars wanted;
  Found found{certain(), {}};
  for (VarId var : behind) (f.set.contains(var) ? wanted : found.vars).insert(var);
  const Found tried = try_block(r, f, known);
  const Found mended = recover_block(r, known, wanted);
  const bool lost = tried.hopeless, hopeless = mended.hopeless;
  if (lost && hopeless) found.add(tried), found.add(mended);
  const Chance p = lost ? Chance() : tried.chance, again = hopeless ? Chance() : mended.chance;
  found.lose(Share::Kind::Recovery, r.span, "what recovery leaves", [&] {
    if (known.check_proved) return p + p.complement() * again;
    const Chance &fails_right = known.declared->false_positive,
                 &passes_wrong = known.declared->false_negative;
    return p * fails_right.complement() + p * fails_right * again +
           p.complement() * passes_wrong.complement() * again;
  }());
  if (falls_into(Trap::CheckNeedsLess)) {
    found.vars.merge(before(r.recover, wanted).vars);
  } else {
    found.vars.insert(f.of_block.begin(), f.of_block.end());
    if (!lost) found.vars.insert(tried.vars.begin(), tried.vars.end());
  }
  found.rest_on(tried);
  found.rest_on(mended);
  found.evidence.push_back({Recovers{recovery}});
  return found;
}

// p. A check that is proved passes if all is right that it reads; of one with rates is known how
// often it passes if all is right that was computed.
Found Backwards::try_block(const core::Recovery& r, const Footing& footing, const Known& known) {
  const Vars right = known.check_proved ? uses_.reads(r.check) : footing.set_by_try;
  return before_sequence({r.body, r.test}, right);
}

// r2.
Found Backwards::recover_block(const core::Recovery& r, const Known& known, const Vars& wanted) {
  if (known.mending == Known::Mending::Again || surely_ends(r.recover) ||
      falls_into(Trap::RecoverAlwaysEnds))
    return before(r.recover, wanted);
  return without_faults(r.recover);
}

// Nothing in it can fail, and it has no loops: without faults it comes to its end. Calls could be
// looked into; they are not.
bool Backwards::surely_ends(StmtId id) const {
  if (!id.valid()) return true;
  const auto all_inside = [&] {
    const std::vector<StmtId> inside = core::children(program_, id);
    return std::all_of(inside.begin(), inside.end(),
                       [&](StmtId child) { return surely_ends(child); });
  };
  return std::visit(Overload{
                        [](const core::Assign&) { return true; },
                        [](const core::Store&) { return true; },
                        [](const core::Declare&) { return true; },
                        [](const core::Relaxed&) { return true; },
                        [](const core::Write&) { return true; },
                        [](const core::Check&) { return false; },
                        [](const core::Claim&) { return false; },
                        [](const core::Recall&) { return true; },
                        [&](const core::Block&) { return all_inside(); },
                        [&](const core::If&) { return all_inside(); },
                        [](const core::While&) { return false; },
                        [](const core::Call&) { return false; },
                    },
                    program_.stmts[id].node);
}

const Found& Backwards::without_faults(StmtId id) {
  const auto it = without_faults_.find(id);
  if (it != without_faults_.end()) return it->second;
  go_deeper([this, id] { (void)without_faults(id); });
  Found found = keep(find_without_faults(id));
  --depth_;
  return without_faults_.emplace(id, std::move(found)).first->second;
}

// The least chance, over all paths, that no operation goes wrong at all.
Found Backwards::find_without_faults(StmtId id) {
  Found found{certain(), {}};
  if (!id.valid()) return found;
  const Span at = program_.stmts[id].span;
  const auto follow = [&](const Found& part) {
    found.chance = found.chance * part.chance;
    found.add(part);
  };
  std::visit(
      Overload{
          [](const core::Assign&) {},
          [](const core::Store&) {},
          [](const core::Declare&) {},
          [&](const core::Relaxed& s) { found.chance = of_exact(s.site, s.exact, at, found); },
          [&](const core::Write& s) {
            found.chance = of_exact(s.site, {}, at, found);
            if (s.whole && !(found.chance == certain()))
              found.add(Problem{at, "how many elements are copied under the model is not known"});
          },
          [](const core::Check&) {},
          [](const core::Claim&) {},
          [](const core::Recall&) {},
          [&](const core::Block& s) {
            for (StmtId child : s.body) follow(without_faults(child));
          },
          [&](const core::If& s) {
            const Found &one = without_faults(s.then_branch),
                        &other = without_faults(s.else_branch);
            found.chance = min(one.chance, other.chance);
            found.add(one);
            found.add(other);
          },
          [&](const core::While& s) {
            follow(without_faults(s.before));  // once more than the body
            const Chance once = found.chance * without_faults(s.body).chance;
            found.add(without_faults(s.body));
            const auto times = s.times.valid() ? rates_.count(s.times) : std::nullopt;
            if (times)
              found.chance = found.chance * once.power(*times);
            else if (!(once == certain()))
              found.add(Problem{at, "this loop has no bound, and each iteration may go wrong"});
          },
          [&](const core::Call& s) {
            const core::Function& f = program_.functions[s.callee];
            // Whatever an external function gives, the proof of the mending has allowed for it.
            if (f.external() || !uses_.may_go_wrong(s.callee)) return;
            if (!look_into(s.callee)) {
              found.add(Problem{at, "it calls itself, and may go wrong"});
              return;
            }
            follow(without_faults(f.body));
            leave_calls(calls_.size() - 1);
          },
      },
      program_.stmts[id].node);
  return found;
}

}  // namespace leto::reliability

// What is done again. Say that `recover` without its faults is the same code as `try` without its
// faults (same_code.h). The original run has done that code to its end. If `recover` reads, before
// it sets it itself, only what it reads in the original run, it does there what the original did:
// it goes the same way, ends, and sets the same variables to the same values. Three things have to
// be so.
//
//   1  Nothing that `recover` may read before it sets it may be set by `try` or by the check. Else
//   it
//      starts from what a fault has made of it. State of the model is read and set as well.
//   2  It calls no external function: that need not give the same twice.
//   3  Everything that `try` or the check may set, and that somebody can see behind the block, is
//   set
//      again; state of the model is not, see recovery.cpp. A variable that `recover` sets as a
//      whole on every path is. For any other one, an element of a vector, or what is set on some
//      paths only, the places that `try` has set must be those that `recover` sets. They are if no
//      condition and no index of such a place is tainted (taint.h): then `try`, whatever went wrong
//      in it, has set the places that the original run sets. If one is, a fault may set another
//      place, and nobody mends that.
//
// Several attempts (`redo(n)`) are attempts in attempts. Each of them is that same code again, from
// what the first one started from; so it is enough that this holds of the first one and the last.
//
// What is not so is not known to be wrong: a loop that sets a variable on its first iteration may
// never be left out. Here it is given up.
#include "reliability/mending.h"

#include <fmt/core.h>

#include <algorithm>

#include "reliability/footing.h"
#include "reliability/same_code.h"
#include "reliability/taint.h"

namespace leto::reliability {

using core::StmtId;
using core::VarId;

namespace {

class Examination {
 public:
  Examination(const core::Program& program, Uses& uses, const core::Recovery& recovery, Trap trap)
      : program_(program), uses_(uses), r_(recovery), trap_(trap) {}

  Again run() {
    const StmtId last = last_attempt();
    if (!last.valid()) return {};
    Again out{true, false, spoils_what_is_read(last)};
    if (out.why_not.empty() && uses_.calls_external(last))
      out.why_not = "it calls an external function, which may give something else the second time";
    if (out.why_not.empty()) out.why_not = leaves_something(last);
    out.mends = out.why_not.empty();
    return out;
  }

 private:
  [[nodiscard]] const std::string& name(VarId var) const { return program_.vars[var].name; }

  // What recovers, behind all attempts of the same code with the same check; invalid if one of them
  // is other code.
  [[nodiscard]] StmtId last_attempt() {
    StmtId last = r_.recover;
    while (const core::Recovery* inner = attempt_at(last)) {
      if (!is_same(inner->body)) return {};
      last = inner->recover;
    }
    return is_same(last) ? last : StmtId{};
  }
  [[nodiscard]] const core::Recovery* attempt_at(StmtId id) const {
    const core::Recovery* other = uses_.recovery_at(id);
    return other != nullptr && other->test == r_.test && other->check == r_.check ? other : nullptr;
  }
  [[nodiscard]] bool is_same(StmtId id) {
    if (id == r_.body) return true;
    if (body_.empty()) body_ = canonical(program_, uses_.effects(), r_.body);
    return !body_.empty() && body_ == canonical(program_, uses_.effects(), id);
  }

  [[nodiscard]] std::string spoils_what_is_read(StmtId again) {
    if (trap_ == Trap::SpoiltIsRead) return "";
    for (VarId var : uses_.live_before(again, {}, Sizes::DoNotCount))
      if (uses_.sets(r_.body).contains(var) || uses_.sets(r_.test).contains(var))
        return fmt::format(
            "'recover' reads '{}', which 'try' may have spoilt: compute into another variable",
            name(var));
    return "";
  }

  [[nodiscard]] std::string leaves_something(StmtId again) {
    const Taint taint(program_, uses_, {r_.body, r_.test}, trap_);
    const Vars& anew = set_anew(again);
    for (VarId var : find_footing(program_, uses_, r_).set_by_try) {
      const Stray* stray = taint.stray(var);
      if (stray == nullptr || anew.contains(var)) continue;
      return stray->kind == Stray::Kind::Index
                 ? fmt::format(
                       "'try' sets an element of '{}' whose index depends on {}, which may go "
                       "wrong: another element is then spoilt for good",
                       name(var), described(stray->because))
                 : fmt::format(
                       "whether 'try' sets '{}' depends on {}, which may go wrong: "
                       "'recover' need not set it again",
                       name(var), described(stray->because));
    }
    return "";
  }
  [[nodiscard]] std::string described(VarId var) const {
    const bool is_temporary = program_.vars[var].kind == core::VarKind::Temp;
    return fmt::format("{}'{}'", is_temporary ? "the outcome of " : "", name(var));
  }

  // What is set as a whole on every path. A loop may not be entered.
  const Vars& set_anew(StmtId id) {
    const auto [it, fresh] = set_anew_.try_emplace(id);
    if (!fresh || !id.valid()) return it->second;
    Vars set;
    const auto include = [&](const Vars& more) { set.insert(more.begin(), more.end()); };
    std::visit(Overload{
                   [&](const core::Assign& s) { set.insert(s.target); },
                   [](const core::Store&) {},
                   [&](const core::Declare& s) { set.insert(s.target); },
                   [&](const core::Relaxed& s) { set.insert(s.target); },
                   [&](const core::Write& s) {
                     if (s.indices.empty()) set.insert(s.target);
                   },
                   [](const core::Check&) {},
                   [](const core::Claim&) {},
                   [&](const core::Recall& s) {
                     for (const core::Recall::Made& one : s.made) set.insert(one.var);
                   },
                   [&](const core::Block& s) {
                     for (StmtId child : s.body) include(set_anew(child));
                   },
                   [&](const core::If& s) {
                     const Vars &one = set_anew(s.then_branch), &other = set_anew(s.else_branch);
                     std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                                           std::inserter(set, set.begin()));
                   },
                   [&](const core::While& s) {
                     if (trap_ == Trap::LoopAlwaysRuns) include(set_anew(s.body));
                   },
                   [&](const core::Call& s) { set.insert(s.targets.begin(), s.targets.end()); },
               },
               program_.stmts[id].node);
    return set_anew_[id] = std::move(set);
  }

  const core::Program& program_;
  Uses& uses_;
  const core::Recovery& r_;
  Trap trap_;
  std::string body_;
  std::map<StmtId, Vars> set_anew_;
};

}  // namespace

Again find_again(const core::Program& program, Uses& uses, const core::Recovery& recovery,
                 Trap trap) {
  return Examination(program, uses, recovery, trap).run();
}

}  // namespace leto::reliability

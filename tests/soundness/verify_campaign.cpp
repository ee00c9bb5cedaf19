#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "campaign.h"
#include "execute.h"

namespace leto::soundness {

namespace {

// A rule that assumes too little is not unsound; it loses proofs that there are.
bool loses_proofs(Trap trap) {
  return trap == Trap::ImplicationPerSpecification || trap == Trap::NoFrame;
}

// What is proved: all but perhaps what some lemmas say. What rests on such a lemma is not proved,
// so what is proved of others has to hold all the same.
struct Proved {
  bool all = true;
  std::set<std::string> open = {};  // lemmas that are not
};

bool is_of_lemma(const core::Program& program, const std::string& function) {
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [&](const core::Function& f) { return f.lemma && f.name == function; });
}

Proved what_is_proved(const workbench::Verified& v, const core::Program& program) {
  Proved out;
  for (const prove::Claim& c : v.claims) {
    if (c.status == prove::Status::Proved) continue;
    if (is_of_lemma(program, c.id.function))
      out.open.insert(c.id.function);
    else
      out.all = false;
  }
  return out;
}

// A contradiction that is overlooked proves nothing wrong of any run: there is none.
bool unmet(Trap trap) {
  return trap == Trap::NoVacuity || trap == Trap::NaturalInitial;
}

class VerifyCampaign final : public Campaign {
 public:
  using Campaign::Campaign;

 private:
  enum class State { Bad, Verified, NotVerified, GivenUp };
  struct Settled {
    State state = State::NotVerified;
    std::unique_ptr<Ready> ready = {};
    std::set<std::string> open = {};  // lemmas that are not proved
    bool refuted = false;
    bool mismatch = false;  // the ledger found a verdict that nobody earned
  };

  // Drops claims until the rest is proved, as far as that is possible.
  Settled settle(Program& p, Bench& bench, Trap trap, bool hasty) {
    constexpr int kRounds = 10;
    Settled s;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Node*> lines;
      const std::string text = p.text(lines);
      std::string problem;
      s.ready = prepare(text, "", &problem);
      if (!s.ready) {
        if (settings_.verbose) print(text + problem);
        s.state = State::Bad;
        return s;
      }
      const workbench::Verified v =
          hasty ? bench.verify_hastily(*s.ready, trap) : bench.verify(*s.ready, trap);
      s.mismatch = s.mismatch || v.mismatch;
      if (bench.exhausted()) {
        s.state = State::GivenUp;
        return s;
      }
      bool stuck = false;
      if (!drop(v, *s.ready, lines, s.refuted, stuck)) {
        if (hasty) {  // and now in earnest
          hasty = false;
          continue;
        }
        s.state = stuck ? State::NotVerified : State::Verified;
        s.open = what_is_proved(v, *s.ready->program).open;
        return s;
      }
    }
    return s;
  }
  // Whether something could be dropped; else `stuck` says whether something else is not proved.
  static bool drop(const workbench::Verified& v, const Ready& ready, std::vector<Node*>& lines,
                   bool& refuted, bool& stuck) {
    bool dropped = false;
    std::vector<Node*> fails;
    std::vector<const prove::Claim*> unfounded;
    for (const prove::Claim& c : v.claims) {
      if (c.status == prove::Status::Proved) continue;
      refuted = refuted || c.status == prove::Status::Refuted;
      if (c.unfounded && c.because.file.valid()) {
        unfounded.push_back(&c);
        continue;
      }
      const std::size_t line = ready.line(c.id.at);
      Node* node = line < lines.size() ? lines[line] : nullptr;
      const bool can_go = node != nullptr && c.status != prove::Status::Vacuous;
      if (can_go && node->claim) {
        node->gone = true;
        dropped = true;
      } else if (can_go && node->loose) {
        fails.push_back(node);
      } else if (!is_of_lemma(*ready.program, c.id.function)) {
        stuck = true;
      }
    }
    // What fails may do without what was claimed; if not, it is left out. What cannot be dropped
    // may yet follow, or not matter, without what was.
    if (!dropped)
      for (Node* node : fails) {
        node->gone = true;
        dropped = true;
      }
    for (const prove::Claim* c : unfounded)
      if (!dropped) dropped = drop_unfounded(*c, ready, lines, stuck);
    return dropped;
  }
  // It would be proved but for a lemma: what calls that goes, and if nothing does, the claim.
  static bool drop_unfounded(const prove::Claim& c, const Ready& ready, std::vector<Node*>& lines,
                             bool& stuck) {
    bool dropped = false;
    for (const core::Function& f : ready.program->functions)
      if (f.lemma && f.span == c.because)
        for (Node* node : lines)
          if (node != nullptr && node->loose && calls(*node, f.name)) node->gone = dropped = true;
    const std::size_t line = ready.line(c.id.at);
    Node* node = line < lines.size() ? lines[line] : nullptr;
    if (!dropped && node != nullptr && node->claim) node->gone = dropped = true;
    stuck = stuck || (!dropped && !is_of_lemma(*ready.program, c.id.function));
    return dropped;
  }
  static bool calls(const Node& node, const std::string& lemma) {
    return node.kind == Node::Kind::Line &&
           (node.text.starts_with(lemma + "(") ||
            node.text.find(" " + lemma + "(") != std::string::npos);
  }

  void try_one(std::uint64_t index, Bench& bench) override {
    Program p = generator(index).program();
    if (settings_.print) print(p.text());
    const Program untouched = p;
    const Manner manner = manner_of(settings_, index);
    const bool loses = loses_proofs(settings_.trap);
    const std::set<std::string> constructs =
        settings_.coverage ? constructs_in(p) : std::set<std::string>{};
    Settled s = settle(p, bench, loses ? Trap::None : settings_.trap, manner.hasty);
    Tally t;
    t.rejected = s.state == State::Bad;
    t.undecided = s.state == State::NotVerified;
    t.given_up = s.state == State::GivenUp;
    t.refuted = s.refuted;
    t.verified = s.state == State::Verified && p.claims() > 0;
    std::string wrong;
    if (s.mismatch) wrong = p.text() + "the ledger has no proof for what was to be reported\n";
    if (t.verified && wrong.empty()) wrong = examine(p, s, bench, manner, index, t);
    if (s.refuted && settings_.trap == Trap::None && index % 8 == 0) {
      t.looked_at = 1;
      t.shown = shown(untouched, index);
    }
    if (settings_.coverage) {
      const std::lock_guard lock(mutex_);
      coverage.add(constructs, t.verified != 0,
                   t.verified != 0 ? constructs_in(p) : std::set<std::string>{});
    }
    add(t, index, wrong);
  }

  // What is wrong with a program that is said to be proved; empty: nothing that was found.
  std::string examine(Program& p, const Settled& s, Bench& bench, const Manner& manner,
                      std::uint64_t index, Tally& t) {
    if (loses_proofs(settings_.trap)) return refuted_with_trap(p, s, bench);
    const bool absolute = !manner.trust_original;
    const Found found = execute_all(*s.ready, absolute, index, settings_.runs, s.open);
    t.runs += found.runs;
    t.complete += found.complete;
    if (found.violated) bench.spend_freely();
    if (found.violated && !holds_without_trap(*s.ready, bench))
      return shrink(p, index, bench, absolute, found.story);
    if (unmet(settings_.trap) && found.ended == 0) {
      bench.spend_freely();
      if (!holds_without_trap(*s.ready, bench))
        return p.text() + "this is proved, and no run comes to its end\n";
    }
    if (manner.every_model)
      if (std::string wrong = try_models(p, bench, absolute, index, t); !wrong.empty())
        return wrong;
    if (index % 12 == 0 || settings_.trap == Trap::NoVacuity)
      return proves_false(p, bench, absolute);
    return {};
  }

  // What is proved without the trap as well is nothing that the trap is caught by.
  bool holds_without_trap(const Ready& ready, Bench& bench) {
    return settings_.trap != Trap::None &&
           what_is_proved(bench.verify(ready, Trap::None), *ready.program).all;
  }

  std::string refuted_with_trap(Program& p, const Settled& s, Bench& bench) {
    const workbench::Verified v = bench.verify(*s.ready, settings_.trap);
    for (const prove::Claim& c : v.claims)
      if (c.status == prove::Status::Refuted)
        return p.text() + fmt::format("line {}: refuted, although it holds: {}\n",
                                      s.ready->line(c.id.at), core::claimed(c.id));
    return {};
  }

  // Under the program's other models, too, what verifies must hold.
  std::string try_models(Program& p, Bench& bench, bool absolute, std::uint64_t index, Tally& t) {
    const std::string text = p.text();
    std::size_t at = 0;
    while ((at = text.find("model ", at)) != std::string::npos) {
      at += 6;
      if (at > 6 && text[at - 7] != '\n') continue;
      const std::string name = text.substr(at, text.find_first_of(" {\n", at) - at);
      const auto ready = prepare(text, name);
      if (!ready) continue;
      const Proved proved = what_is_proved(bench.verify(*ready, settings_.trap), *ready->program);
      if (!proved.all) continue;
      const Found found = execute_all(*ready, absolute, index, settings_.runs / 2, proved.open);
      t.runs += found.runs;
      if (found.violated) bench.spend_freely();
      if (found.violated && !holds_without_trap(*ready, bench))
        return text + "under " + name + ": " + found.story;
    }
    return {};
  }

  // Falsehood must not be provable anywhere: a contradiction that nobody noticed would do it.
  std::string proves_false(const Program& p, Bench& bench, bool absolute) {
    std::size_t claims = 0;
    Program counted = p;
    counted.for_each([&](Node& node) { claims += is_statement(node); });
    for (std::size_t target = 0; target < claims; ++target) {
      Program changed = p;
      std::size_t at = 0;
      changed.for_each([&](Node& node) {
        if (is_statement(node) && at++ == target) node.text = "assert_r false;";
      });
      const auto ready = prepare(changed.text(), "");
      if (!ready) continue;
      const Proved proved = what_is_proved(bench.verify(*ready, settings_.trap), *ready->program);
      if (!proved.all) continue;
      // Where nobody ever comes by, anything holds. Does anybody? Of an original run that is
      // trusted its claims are what was said to hold, so they stay.
      if (absolute ? comes_by(p, target, proved.open)
                   : execute_all(*ready, false, 7, 400, proved.open).violated)
        return changed.text() + "this is proved\n";
    }
    return {};
  }
  static bool is_statement(const Node& node) {
    return node.kind == Node::Kind::Line && node.claim && !node.invariant && !node.gone &&
           node.text.starts_with("assert");
  }
  // Whether a place is on nobody's way because of a branch, or because nothing can be behind a
  // contract: the place itself, without any other claim, must be one that the pair can fail at.
  // Where the original comes by alone, nothing is said of a pair.
  static bool comes_by(const Program& p, std::size_t target, const std::set<std::string>& open) {
    Program changed = p;
    std::size_t at = 0;
    changed.for_each([&](Node& node) {
      if (!is_statement(node)) return;
      if (at++ == target)
        node.text = "assert_r false;";
      else
        node.gone = true;
    });
    const auto ready = prepare(changed.text(), "");
    return ready && execute_all(*ready, true, 7, 400, open).violated;
  }

  // Of what was refuted, a run that shows it; not all can be: the fault may be an invariant that
  // is true but not inductive.
  bool shown(Program first, std::uint64_t index) const {
    const auto whole = prepare(first.text(), "");
    return whole && execute_all(*whole, true, index, settings_.runs / 4).violated;
  }

  // Takes out whatever the violation does not need.
  std::string shrink(Program p, std::uint64_t index, Bench& bench, bool absolute,
                     std::string story) {
    const auto still = [&](Program& candidate, std::string& told) {
      const auto ready = prepare(candidate.text(), "");
      if (!ready) return false;
      const Proved proved = what_is_proved(bench.verify(*ready, settings_.trap), *ready->program);
      if (!proved.all) return false;
      const Found found = execute_all(*ready, absolute, index, settings_.runs, proved.open);
      told = found.story;
      return found.violated && !holds_without_trap(*ready, bench);
    };
    for (bool progress = true; progress;) {
      progress = false;
      std::size_t count = 0;
      p.for_each([&](Node&) { ++count; });
      for (std::size_t target = 0; target < count; ++target) {
        Program candidate = p;
        std::size_t at = 0;
        bool removed = false;
        candidate.for_each([&](Node& node) {
          if (at++ == target && !node.needed) node.gone = removed = true;
        });
        std::string told;
        if (!removed || !still(candidate, told)) continue;
        p = std::move(candidate);
        story = std::move(told);
        progress = true;
        break;
      }
    }
    return p.text() + story;
  }
};

}  // namespace

std::unique_ptr<Campaign> make_verify_campaign(const Settings& settings) {
  return std::make_unique<VerifyCampaign>(settings);
}

}  // namespace leto::soundness

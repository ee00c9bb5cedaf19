#include "workbench/obligations.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "diagnose/explore.h"
#include "lower/lower.h"
#include "workbench/clauses.h"
#include "workbench/examples.h"

namespace leto::workbench {

namespace {

Standing standing_of_status(prove::Status status) {
  switch (status) {
    case prove::Status::Proved:
      return Standing::Proved;
    case prove::Status::Vacuous:
      return Standing::Vacuous;
    case prove::Status::Unknown:
      return Standing::Unknown;
    case prove::Status::Refuted:
      return Standing::Refuted;
  }
  return Standing::Unknown;
}

// What a claim of a checker belongs to.
enum class Kind : std::uint8_t { Safe, Ends, Promise, Support };

Kind kind_of(core::ClaimKind kind) {
  switch (core::group_of(kind)) {
    case core::ClaimGroup::Check:
    case core::ClaimGroup::Step:
    case core::ClaimGroup::Natural:
      return Kind::Safe;
    case core::ClaimGroup::Measure:
    case core::ClaimGroup::Recursion:
      return Kind::Ends;
    case core::ClaimGroup::Ensures:
      return Kind::Promise;
    case core::ClaimGroup::Assertion:
    case core::ClaimGroup::Relation:
    case core::ClaimGroup::InvariantEntry:
    case core::ClaimGroup::InvariantKept:
    case core::ClaimGroup::InferredEntry:
    case core::ClaimGroup::InferredKept:
    case core::ClaimGroup::Requires:
    case core::ClaimGroup::Total:
    case core::ClaimGroup::Definition:
    case core::ClaimGroup::Functions:
    case core::ClaimGroup::ModelInvariant:
    case core::ClaimGroup::Refinement:
    case core::ClaimGroup::Within:
    case core::ClaimGroup::Consistent:
    case core::ClaimGroup::Extent:
      return Kind::Support;
  }
  return Kind::Support;
}

// Sizes up to which pairs are searched for, if nobody says otherwise.
constexpr std::int64_t kUsualBound = 3;
constexpr const char* kOpen =
    "nothing was run: it depends on a constant or a function that is open, or on records";

class Obligations {
 public:
  Obligations(const check::Checked& checked, const workspace::Workspace& workspace,
              const problem::FoundChecker& checker, Proving& proving,
              const CheckerSettings& settings, const prove::Watch& watch,
              const std::deque<UnderModel>& models)
      : checked_(checked),
        workspace_(workspace),
        checker_(checker),
        parts_(problem::find_problem(checked.trees, checker.item->problem.name)),
        proving_(proving),
        settings_(settings),
        watch_(watch),
        models_(models) {
    result_.checker = text(checker.item->name.name);
    result_.problem = text(checker.item->problem.name);
    result_.span = checker.item->name.span;
    result_.has_witness = !checker.item->witness.empty();
    result_.for_some = checker.item->when.valid();
  }

  CheckerResult run() {
    name_functions();
    if (settings_.bounded > 0) return run_bounded();
    const Examples examples(checked_, workspace_, parts_, checker_, proving_.allowance);
    put_off_cases(examples);
    result_.verified = prove(functions_);
    add_total();
    add_line("safe", claims_of(exact_, Kind::Safe), exact_);
    add_line("ends", claims_of(exact_, Kind::Ends), exact_);
    add_sound();
    add_complete();
    find_pairs(kUsualBound);
    for (const UnderModel& model : models_) add_under(model);
    if (!put_off_.empty() && !is_known_sound()) later_ = prove(put_off_);
    add_examples(examples);
    add_reaches(examples, kUsualBound);
    if (!decided_.empty()) add_gives_up(kUsualBound);
    add_meets(kUsualBound);
    if (result_.has_witness) add_exists(kUsualBound);
    if (parts_.unique != nullptr)
      add_promise("unique", all_of(problem::unique_name(result_.problem)), "");
    if (!parts_.surely.empty()) add_surely();
    if (problem::within_of(*checker_.item) != nullptr) add_within(kUsualBound);
    forget_cases();
    for (const core::Function& f : result_.verified.program->functions)
      if (f.external()) result_.trusted.push_back(f.name);
    return std::move(result_);
  }

 private:
  using Claims = std::vector<const prove::Claim*>;

  // What is executed, and nothing else.
  CheckerResult run_bounded() {
    const std::int64_t bound = settings_.bounded;
    const Examples examples(checked_, workspace_, parts_, checker_, proving_.allowance);
    for (const char* what : {"safe", "ends"})
      result_.lines.push_back({what, Standing::Unknown, "", 0, bound});
    for (std::size_t k = 0; k < parts_.rights.size(); ++k)
      result_.lines.push_back({sound_line(k), Standing::Unknown, "", 0, bound});
    result_.lines.push_back({"complete", Standing::Unknown, "", 0, bound});
    find_pairs(bound);
    for (ObligationLine& line : result_.lines)
      if (line.standing == Standing::Unknown) line.detail = told_search();
    for (const UnderModel& model : models_) leave_open(model);
    add_examples(examples);
    add_reaches(examples, bound);
    if (!decided_.empty()) add_gives_up(bound);
    add_meets(bound);
    if (result_.has_witness) add_exists(bound);
    if (!parts_.surely.empty())
      result_.lines.push_back({"surely", Standing::Unknown, "it is proved, and not run", 0, bound});
    if (problem::within_of(*checker_.item) != nullptr) add_within(bound);
    return std::move(result_);
  }
  [[nodiscard]] std::string told_search() {
    if (!search_pairs().is_decided()) return kOpen;
    return fmt::format("no pair in {} runs, which accept {} times", search_pairs().tried().runs,
                       search_pairs().tried().accepted);
  }

  [[nodiscard]] std::string text(Name name) const {
    return std::string(workspace_.names().text(name));
  }

  void name_functions() {
    exact_ = problem::exact_name(result_.checker);
    functions_.insert(exact_);
    if (problem::can_give_up(checker_, workspace_.names())) {
      decided_ = problem::decided_name(result_.checker);
      functions_.insert(decided_);
    }
    for (std::size_t k = 0; k < parts_.rights.size(); ++k) {
      if (parts_.rights[k]->against.empty()) continue;
      functions_.insert(problem::against_name(result_.checker, k));
      for (std::size_t e = 0; e < parts_.examples.size(); ++e)
        if (parts_.examples[e]->right) cases_.insert(problem::case_name(result_.problem, e, k));
    }
    if (parts_.unique != nullptr) functions_.insert(problem::unique_name(result_.problem));
    for (const std::string& name : names_of_implied()) functions_.insert(name);
    name_for_people();
    const syntax::ExistsClause* exists = problem::exists_of(*checker_.item);
    if (exists != nullptr && exists->lemma)
      functions_.insert(problem::witness_name(result_.checker));
    functions_.insert(cases_.begin(), cases_.end());
  }

  // Lemmas that what is surely right is right.
  [[nodiscard]] std::vector<std::string> names_of_implied() const {
    std::vector<std::string> names;
    if (parts_.surely.empty()) return names;
    for (std::size_t k = 0; k < parts_.rights.size(); ++k)
      if (parts_.rights[k]->against.empty())
        names.push_back(problem::implied_name(result_.problem));
      else
        names.push_back(problem::implied_name(result_.problem, k));
    return names;
  }

  void name_for_people() {
    KnownFunctions& known_as = result_.known_as;
    const std::string checker = fmt::format("checker {}", result_.checker);
    known_as[exact_] = {
        checker,
        {{result_.span.begin, {"what is right is accepted", "something right may be rejected"}}}};
    for (std::size_t k = 0; k < parts_.rights.size(); ++k) {
      const syntax::RightMember& right = *parts_.rights[k];
      const std::string function =
          right.against.empty() ? exact_ : problem::against_name(result_.checker, k);
      if (!right.against.empty())
        known_as[function].name =
            fmt::format("{}, for '{}'", checker, told_challengers(right, workspace_.names()));
      known_as[function].promises[parts_.tree->exprs[right.expr].span.begin] = {
          "what is accepted is right by this clause",
          "something may be accepted that is wrong by this clause"};
    }
    known_as[problem::witness_name(result_.checker)].name = "'exists' of " + checker;
    name_implied();
    known_as[problem::unique_name(result_.problem)].name =
        fmt::format("'unique' of problem {}", result_.problem);
  }

  void name_implied() {
    const std::vector<std::string> names = names_of_implied();
    for (std::size_t k = 0; k < names.size(); ++k) {
      result_.known_as[names[k]].name =
          fmt::format("'right surely' of problem {}", result_.problem);
      result_.known_as[names[k]].promises[parts_.tree->exprs[parts_.rights[k]->expr].span.begin] = {
          "what is surely right is right by this clause",
          "something that is surely right may be wrong by this clause"};
    }
  }

  // What a sound checker accepts is right against all challengers, and it takes a run to see. A
  // solver is asked only if it is not proved sound.
  void put_off_cases(const Examples& examples) {
    for (std::size_t e = 0; e < parts_.examples.size(); ++e) {
      if (!parts_.examples[e]->right || !examples.accepts(*parts_.examples[e]).value_or(false))
        continue;
      for (std::size_t k = 0; k < parts_.rights.size(); ++k) {
        const std::string name = problem::case_name(result_.problem, e, k);
        if (functions_.erase(name) > 0) put_off_.insert(name);
      }
    }
  }

  Verified prove(const std::set<std::string>& functions) {
    return prove(checked_, functions, settings_.explain);
  }
  Verified prove(const check::Checked& checked, const std::set<std::string>& functions,
                 bool with_reasons) {
    prove::VerifySettings settings = proving_.settings(settings_.options);
    settings.make_explorer = [this](const core::Program& program) {
      return diagnose::make_explorer(
          program, &proving_.allowance,
          [this](const interp::Machine& machine, core::FunctionId function) {
            return known_inputs(machine, function, parts_, workspace_);
          });
    };
    Verified verified{
        prove::verify(lower::lower(checked, workspace_.names(), Trap::None, &functions), settings,
                      proving_.crew, proving_.memory(), watch_),
        ""};
    if (!with_reasons) return verified;
    prove::Engine engine = proving_.quiet_engine();
    explain(verified, proving_.explaining(settings_.options, settings, settings_.full), engine);
    return verified;
  }

  // Claims ---------------------------------------------------------------------------

  // What was asked of the exact run, or under a model.
  [[nodiscard]] const Verified& at_hand() const {
    return under_ == nullptr ? result_.verified : *under_;
  }
  [[nodiscard]] Claims claims_of(const std::string& function, Kind kind) const {
    Claims found;
    for (const prove::Claim& claim : at_hand().claims)
      if (claim.id.function == function && kind_of(claim.id.kind) == kind) found.push_back(&claim);
    return found;
  }
  [[nodiscard]] Claims all_of(const std::string& function) const {
    Claims found;
    for (const prove::Claim& claim : at_hand().claims)
      if (claim.id.function == function) found.push_back(&claim);
    return found;
  }
  [[nodiscard]] Claims promised(const std::string& function, const Span& at) const {
    Claims found;
    for (const prove::Claim* claim : claims_of(function, Kind::Promise))
      if (claim->id.at == at) found.push_back(claim);
    return found;
  }

  // Refuted is what a run was executed for.
  [[nodiscard]] Standing standing_of(const prove::Claim& claim) const {
    return standing_of(claim, at_hand());
  }
  [[nodiscard]] static Standing standing_of(const prove::Claim& claim, const Verified& verified) {
    if (claim.unfounded) return Standing::Unknown;
    const Standing standing = standing_of_status(claim.status);
    const diagnose::Explanation* why = verified.explanation(claim);
    const bool executed = why != nullptr && why->cause == diagnose::Cause::Real;
    return standing == Standing::Refuted && !executed ? Standing::Unknown : standing;
  }

  // As good as the worst of its claims, and of what stands between the checker's first line and
  // its last: invariants, assertions, requirements of lemmas, that nothing contradicts itself, and
  // that nothing fails. What fails in text for proofs fails in no run, and would be believed
  // behind.
  void add_line(std::string what, const Claims& claims, const std::string& rests_on) {
    ObligationLine line{std::move(what), Standing::Proved, "", 0};
    if (!rests_on.empty() && claims_of(rests_on, Kind::Promise).empty()) {
      // Nobody has looked at the function to its end, so nothing is proved of it.
      result_.lines.push_back({line.what, Standing::Unknown, "not looked at", 0});
      return;
    }
    const auto take = [&](const prove::Claim& claim) {
      ++line.claims;
      const Standing standing = standing_of(claim);
      if (standing <= line.standing) return;
      line.standing = standing;
      line.detail = fmt::format("{}: {}", place_of(claim.id.at), told(claim, line.what));
      // It is proved without the clauses against challengers, so what breaks it may be wrong.
      if (line.what.starts_with("complete") && !parts_.challengers().empty() &&
          line.standing == Standing::Refuted) {
        line.standing = Standing::Unknown;
        line.detail += ", if no challenger beats it" + advise_on_challengers();
      }
      if (line.what == "exists" && line.standing == Standing::Refuted)
        line.standing = Standing::Unknown;
    };
    for (const prove::Claim* claim : claims) take(*claim);
    if (rests_on.empty()) return result_.lines.push_back(std::move(line));
    for (const Kind kind : {Kind::Support, Kind::Safe})
      for (const prove::Claim* claim : claims_of(rests_on, kind)) {
        if (kind == Kind::Safe && line.what.starts_with("safe")) continue;
        // That an invariant does not hold says nothing against what rests on it.
        const Standing before = line.standing;
        take(*claim);
        if (line.standing == Standing::Refuted && before != Standing::Refuted)
          line.standing = Standing::Unknown;
      }
    result_.lines.push_back(std::move(line));
  }
  // Completeness is proved without challengers, so nothing may rest on them.
  [[nodiscard]] std::string advise_on_challengers() const {
    std::string better;
    for (std::size_t k = 0; k < parts_.rights.size() && better.empty(); ++k)
      better = as_forall(parts_, k, workspace_);
    return better.empty() ? "; say in 'certifies' what the checker looks at"
                          : fmt::format(
                                "; write '{}', or say in 'certifies' what the checker "
                                "looks at",
                                better);
  }
  // What a promise of the expanded function means to who wrote the checker.
  [[nodiscard]] std::string told(const prove::Claim& claim, const std::string& what) const {
    const bool refuted = standing_of(claim) == Standing::Refuted;
    if (kind_of(claim.id.kind) == Kind::Promise && what.starts_with("sound"))
      return refuted ? "something is accepted that is wrong by this clause"
                     : "it is open whether what is accepted is right by this clause";
    if (kind_of(claim.id.kind) == Kind::Promise && what.starts_with("complete"))
      return refuted ? "something right is rejected"
                     : "it is open whether what is right is accepted";
    if (kind_of(claim.id.kind) == Kind::Promise && what == "surely")
      return refuted ? "something that is surely right is wrong by this clause"
                     : "it is open whether what is surely right is right by this clause";
    return claim.headline_of_one_run();
  }
  [[nodiscard]] std::string place_of(const Span& span) const {
    if (!span.file.valid()) return "somewhere";
    const SourceFile& file = workspace_.sources()[span.file];
    return fmt::format("{}:{}", file.path(), file.position(span.begin).line);
  }

  // What becomes of an example is said in its line.
  void forget_cases() {
    for (std::size_t i = 0; i < result_.verified.explanations.size(); ++i) {
      const prove::Claim& claim = result_.verified.claims[i];
      if (cases_.contains(claim.id.function) || may_be_beaten(claim))
        result_.verified.explanations[i] = nullptr;
    }
  }
  // What is rejected there may be wrong against a challenger, so it is no counterexample.
  [[nodiscard]] bool may_be_beaten(const prove::Claim& claim) const {
    return !parts_.challengers().empty() &&
           (claim.id.function == exact_ || claim.id.function == decided_) &&
           kind_of(claim.id.kind) == Kind::Promise && claim.id.at == result_.span;
  }
  // Whether what it accepts is right, by all clauses, and that was proved.
  [[nodiscard]] bool is_known_sound() const {
    bool any = false;
    for (const ObligationLine& line : result_.lines) {
      if (!line.model.empty()) continue;
      const bool sound = line.what.starts_with("sound");
      const bool counts = sound || line.what == "total" || line.what == "safe";
      if (counts && line.standing != Standing::Proved) return false;
      any = any || sound;
    }
    return any;
  }

  // Pairs ----------------------------------------------------------------------------

  [[nodiscard]] std::string sound_line(std::size_t k) const {
    return parts_.rights.size() == 1 ? "sound" : fmt::format("sound {}", k + 1);
  }
  [[nodiscard]] ObligationLine* line_of(std::string_view what) {
    for (ObligationLine& line : result_.lines)
      if (line.what == what) return &line;
    return nullptr;
  }
  // Of each line that is not proved: values that show why.
  void find_pairs(std::int64_t bound) {
    const auto is_open = [&](const std::string& what) {
      const ObligationLine* line = result_.find(what);
      return line != nullptr && line->standing != Standing::Proved && !line->unless_given_up;
    };
    PairsWanted wanted{{}, is_open("complete"), is_open("safe"), is_open("ends")};
    for (std::size_t k = 0; k < parts_.rights.size(); ++k)
      wanted.sound.push_back(is_open(sound_line(k)));
    if (!wanted.any()) return;
    result_.pairs = search_pairs().find(wanted, bound);
    for (const FoundPair& pair : result_.pairs) refute(pair);
  }
  [[nodiscard]] PairSearch& search_pairs() {
    if (!search_)
      search_ =
          std::make_unique<PairSearch>(checked_, workspace_, parts_, checker_, proving_.allowance);
    return *search_;
  }
  void refute(const FoundPair& pair) {
    ObligationLine& line = *line_of(line_named(pair));
    line.standing = Standing::Refuted;
    line.detail = fmt::format("{}: {}", place_of(pair.at), meaning_of(pair));
    forget_promise(pair);
  }
  [[nodiscard]] std::string line_named(const FoundPair& pair) const {
    switch (pair.kind) {
      case PairKind::AcceptedWrong:
        return sound_line(pair.clause);
      case PairKind::RejectedRight:
        return "complete";
      case PairKind::Fails:
        return "safe";
      case PairKind::Endless:
        return "ends";
      case PairKind::TooLong:
        return "within";
    }
    return {};
  }
  [[nodiscard]] static std::string meaning_of(const FoundPair& pair) {
    switch (pair.kind) {
      case PairKind::AcceptedWrong:
        return "something is accepted that is wrong by this clause";
      case PairKind::RejectedRight:
        return "something right is rejected";
      case PairKind::Fails:
        return fmt::format("a run fails: it is false that {}", pair.why);
      case PairKind::Endless:
        return "a run comes here with the same values again, and does not end";
      case PairKind::TooLong:
        return fmt::format("a run goes through its loops {}", pair.why);
    }
    return {};
  }
  // The pair says it better.
  void forget_promise(const FoundPair& pair) {
    if (pair.kind == PairKind::Fails || pair.kind == PairKind::Endless) return;
    const bool against =
        pair.kind == PairKind::AcceptedWrong && !parts_.rights[pair.clause]->against.empty();
    const std::string function = against ? problem::against_name(result_.checker, pair.clause)
                                 : pair.kind == PairKind::RejectedRight && !decided_.empty()
                                     ? decided_
                                     : exact_;
    for (std::size_t i = 0; i < result_.verified.explanations.size(); ++i) {
      const core::ClaimId& id = result_.verified.claims[i].id;
      if (id.function == function && kind_of(id.kind) == Kind::Promise && id.at == pair.at)
        result_.verified.explanations[i] = nullptr;
    }
  }

  // Lines ----------------------------------------------------------------------------

  void add_total() {
    Claims claims;
    for (const prove::Claim& claim : result_.verified.claims)
      if (!functions_.contains(claim.id.function)) claims.push_back(&claim);
    add_line("total", claims, "");
  }

  // Where a clause is proved, those before it in the same walk are known. If one of them does not
  // hold, the proof is of nothing.
  void add_sound() {
    std::optional<std::size_t> open;
    for (std::size_t k = 0; k < parts_.rights.size(); ++k) {
      const syntax::RightMember& right = *parts_.rights[k];
      const std::string function =
          right.against.empty() ? exact_ : problem::against_name(result_.checker, k);
      const Claims claims = promised(function, parts_.tree->exprs[right.expr].span);
      add_promise(sound_line(k), claims, function);
      if (function != exact_) continue;
      ObligationLine& line = result_.lines.back();
      if (line.standing != Standing::Proved && !open) open = k;
      if (line.standing != Standing::Proved || !open) continue;
      line.standing = Standing::Unknown;
      line.detail = fmt::format("it is proved only of what is right by clause {}", *open + 1);
    }
  }

  // Who gives up is not complete, and is said to be so where it does not.
  void add_complete() {
    if (decided_.empty()) {
      add_promise("complete", promised(exact_, result_.span), exact_);
      return look_for_certified();
    }
    add_promise("complete", promised(decided_, result_.span), decided_);
    look_for_certified();
    bool never = true;
    for (std::size_t i = 0; i < result_.verified.claims.size(); ++i) {
      const prove::Claim& claim = result_.verified.claims[i];
      if (claim.id.function != exact_ || kind_of(claim.id.kind) != Kind::Promise ||
          claim.id.at != result_.span)
        continue;
      never = never && standing_of(claim) == Standing::Proved;
      if (i < result_.verified.explanations.size()) result_.verified.explanations[i] = nullptr;
    }
    ObligationLine& line = result_.lines.back();
    if (line.standing != Standing::Proved || never) return;
    line.standing = Standing::Unknown;
    line.detail = "what is right is accepted, or it gives up";
    line.unless_given_up = true;
  }
  // Where nothing is right and certified, nothing is promised.
  void look_for_certified() {
    ObligationLine& line = result_.lines.back();
    if (line.standing != Standing::Proved || !promises_nothing()) return;
    line.standing = Standing::Vacuous;
    line.detail = problem::certifies_of(*checker_.item) != nullptr
                      ? "nothing that is right is certified, so nothing is promised"
                      : "nothing that it is for is surely right, so nothing is promised";
  }
  [[nodiscard]] bool promises_nothing() {
    const bool may = problem::certifies_of(*checker_.item) != nullptr ||
                     (!parts_.surely.empty() && checker_.item->when.valid());
    if (!promises_nothing_)
      promises_nothing_ = may && !search_pairs().finds_certified(kUsualBound) &&
                          is_shown(prove(checked_, {problem::never_name(result_.checker)}, false),
                                   problem::never_name(result_.checker));
    return *promises_nothing_;
  }
  // All that a function promises, of which there is something.
  [[nodiscard]] static bool is_shown(const Verified& verified, const std::string& function) {
    bool any = false, shown = true;
    for (const prove::Claim& claim : verified.claims) {
      if (claim.id.function != function || kind_of(claim.id.kind) != Kind::Promise) continue;
      any = true;
      shown = shown && standing_of(claim, verified) == Standing::Proved;
    }
    return any && shown;
  }
  // That what is surely right is right, by each clause.
  void add_surely() {
    Claims claims;
    const std::vector<std::string> names = names_of_implied();
    std::set<std::string> looked_at;
    for (const prove::Claim& claim : result_.verified.claims)
      if (std::find(names.begin(), names.end(), claim.id.function) != names.end()) {
        claims.push_back(&claim);
        if (kind_of(claim.id.kind) == Kind::Promise) looked_at.insert(claim.id.function);
      }
    add_promise("surely", claims, "");
    if (looked_at.size() == std::set<std::string>(names.begin(), names.end()).size()) return;
    result_.lines.back() = {"surely", Standing::Unknown, "not looked at", 0};
  }
  // Nobody proves it: it is counted.
  void add_within(std::int64_t bound) {
    ObligationLine line{"within", Standing::Unknown, kOpen, 0, bound};
    if (search_pairs().is_decided()) {
      IterationsTried tried = search_pairs().count_iterations(bound);
      line.detail =
          tried.runs == 0 ? "no run was counted" : fmt::format("{} runs keep to it", tried.runs);
      if (tried.runs > 0) line.standing = Standing::Bounded;
      if (tried.broken) {
        line.standing = Standing::Refuted;
        line.detail = fmt::format("{}: {}", place_of(tried.broken->at), meaning_of(*tried.broken));
        result_.pairs.push_back(std::move(*tried.broken));
      }
    }
    result_.lines.push_back(std::move(line));
  }
  // Whether it can be reached.
  void add_gives_up(std::int64_t bound) {
    if (search_pairs().finds_given_up(bound))
      return result_.lines.push_back({"gives up", Standing::Proved, "by a run", 0});
    result_.lines.push_back({"gives up", Standing::Unknown,
                             search_pairs().is_decided() ? "no run that was tried does" : kOpen, 0,
                             bound});
  }

  // Under models -----------------------------------------------------------------------

  [[nodiscard]] const problem::Under& claimed_under(const UnderModel& model) const {
    return *std::find_if(unders_.begin(), unders_.end(), [&](const problem::Under& under) {
      return text(under.model.name) == model.name;
    });
  }
  [[nodiscard]] static std::string under(std::string what, const UnderModel& model) {
    return fmt::format("{} under {}", what, model.name);
  }
  // The relaxed run by itself, from any state of the model. What is proved of the exact run says
  // nothing of it.
  void add_under(const UnderModel& model) {
    const problem::Under& claimed = claimed_under(model);
    const std::string base = problem::under_name(result_.checker, model.name);
    std::set<std::string> functions{base};
    for (std::size_t k = 0; k < parts_.rights.size(); ++k)
      if (claimed.sound != nullptr && !parts_.rights[k]->against.empty())
        functions.insert(problem::under_against_name(result_.checker, model.name, k));
    result_.under.push_back(prove(model.checked, functions, settings_.explain));
    under_ = &result_.under.back();
    const std::size_t first = result_.lines.size();
    add_line(under("safe", model), claims_of(base, Kind::Safe), base);
    add_ends_under(model, base);
    for (std::size_t k = 0; k < parts_.rights.size() && claimed.sound != nullptr; ++k) {
      const syntax::RightMember& right = *parts_.rights[k];
      const std::string function =
          right.against.empty() ? base
                                : problem::under_against_name(result_.checker, model.name, k);
      add_promise(under(sound_line(k), model),
                  promised(function, parts_.tree->exprs[right.expr].span), function);
    }
    if (claimed.complete != nullptr) {
      result_.unless[model.name] = written(claimed.complete->unless);
      add_complete_under(model, base);
    }
    for (std::size_t i = first; i < result_.lines.size(); ++i) result_.lines[i].model = model.name;
    under_ = nullptr;
  }
  void add_ends_under(const UnderModel& model, const std::string& base) {
    if (at_hand().program->unmeasured) {
      result_.lines.push_back({under("ends", model), Standing::Unknown,
                               "a measure names what the model does not have", 0});
      return;
    }
    add_line(under("ends", model), claims_of(base, Kind::Ends), base);
  }
  // Who may always reject has promised nothing.
  void add_complete_under(const UnderModel& model, const std::string& base) {
    add_promise(under("complete", model), promised(base, result_.span), base);
    look_for_certified();
    ObligationLine& line = result_.lines.back();
    if (line.standing != Standing::Proved) return;
    const std::string name = problem::unless_name(result_.checker, model.name);
    if (!is_shown(prove(model.checked, {name}, false), name)) return;
    line.standing = Standing::Vacuous;
    line.detail = "what stands behind 'unless' is always so, so nothing is promised";
  }
  // In one line.
  [[nodiscard]] std::string written(syntax::ExprId expr) const {
    const Span at = checker_.tree->exprs[expr].span;
    std::string out;
    for (char c : workspace_.sources()[at.file].text().substr(at.begin, at.end - at.begin)) {
      const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
    }
    return out;
  }
  // Nothing is executed under models.
  void leave_open(const UnderModel& model) {
    const problem::Under& claimed = claimed_under(model);
    std::vector<std::string> lines{"safe", "ends"};
    for (std::size_t k = 0; k < parts_.rights.size() && claimed.sound != nullptr; ++k)
      lines.push_back(sound_line(k));
    if (claimed.complete != nullptr) lines.emplace_back("complete");
    for (const std::string& what : lines)
      result_.lines.push_back({under(what, model), Standing::Unknown,
                               "runs under a model were not looked at", 0, 0, model.name});
  }

  // Where nothing was claimed, nothing is proved.
  void add_promise(std::string what, const Claims& claims, const std::string& rests_on) {
    if (claims.empty())
      result_.lines.push_back({std::move(what), Standing::Unknown, "nothing was asked", 0});
    else
      add_line(std::move(what), claims, rests_on);
  }

  // Of what is known to be right.
  [[nodiscard]] bool rejects_certified(const syntax::ExampleMember& example) {
    std::optional<FoundPair> pair = search_pairs().find_rejected(example);
    if (!pair) return false;
    if (const ObligationLine* line = result_.find("complete");
        line->standing != Standing::Proved && line->standing != Standing::Refuted) {
      refute(*pair);
      result_.pairs.push_back(std::move(*pair));
    }
    return true;
  }
  // What is stated of one example, and what is wrong with that.
  [[nodiscard]] ObligationLine judge(const Examples& examples, std::size_t e) {
    const syntax::ExampleMember& example = *parts_.examples[e];
    const std::string which = fmt::format("example {}", e + 1);
    const auto said = [&](Standing standing, std::string why) {
      return ObligationLine{"examples", standing, fmt::format("{}: {}", which, why), 0};
    };
    if (const Examples::Met met = examples.meets_requirements(example); met.truth != Truth::Holds)
      return said(met.truth == Truth::Unmet ? Standing::Refuted : Standing::Unknown, met.why);
    bool fails = false, undecided = !examples.are_decided(), beaten = false;
    std::vector<std::size_t> open;  // clauses against challengers
    for (std::size_t k = 0; k < parts_.rights.size(); ++k) {
      const bool against = !parts_.rights[k]->against.empty();
      if (against && example.right) {
        const Standing standing = of_case(e, k);
        if (standing == Standing::Refuted)
          return said(Standing::Refuted, "a challenger beats it, by " + clause_named(k));
        if (standing != Standing::Proved) open.push_back(k);
        continue;
      }
      if (against && example.against.empty()) {
        const std::optional<bool> found = search_pairs().is_beaten(example, k, bound_of_search());
        fails = fails || found.value_or(false);
        if (!found) open.push_back(k);
        continue;
      }
      const Truth truth = examples.clause(example, k);
      beaten = beaten || (against && truth == Truth::Fails);
      fails = fails || truth == Truth::Fails;
      undecided = undecided || truth == Truth::Undecided || truth == Truth::Unmet;
    }
    undecided = undecided || !open.empty();
    if (fails && !examples.are_decided())
      return said(Standing::Unknown, "it depends on a constant or a function that is open");
    if (example.right && fails)
      return said(Standing::Refuted, "it is stated to be right, and is wrong");
    if (!example.right && !example.against.empty() && !beaten)
      return said(examples.are_decided() ? Standing::Refuted : Standing::Unknown,
                  "the challenger that is named does not beat it");
    if (!example.right && !fails)
      return said(undecided ? Standing::Unknown : Standing::Refuted,
                  undecided ? "whether it is wrong could not be decided" + advise(open, false)
                            : "it is stated to be wrong, and no clause fails");
    const std::optional<bool> accepted = examples.accepts(example);
    // What a sound checker accepts is right, against all challengers.
    if (example.right && undecided && !(accepted.value_or(false) && is_known_sound()))
      return said(Standing::Unknown,
                  "whether it is right could not be decided" + advise(open, true));
    if (accepted && !example.right && *accepted)
      return said(Standing::Refuted, "it is wrong, and the checker accepts it");
    if (accepted && example.right && !*accepted && !result_.has_witness &&
        !checker_.item->when.valid() && parts_.surely.empty())
      return said(Standing::Refuted, "it is right, and the checker rejects it");
    if (examples.breaks_off(example))
      return said(Standing::Unknown, "the checker fails on it, or does not end");
    if (example.right && !undecided && rejects_certified(example))
      return said(Standing::Refuted, "it is right and certified, and the checker rejects it");
    return said(Standing::Proved, "");
  }
  [[nodiscard]] std::string clause_named(std::size_t k) const {
    return told_clause(parts_, k, workspace_.names());
  }
  // What to do about an example that clauses against challengers leave open.
  [[nodiscard]] std::string advise(const std::vector<std::size_t>& open, bool right) const {
    if (open.empty()) return "";
    const std::string better = as_forall(parts_, open[0], workspace_);
    if (!better.empty()) return fmt::format(", by {}; write '{}'", clause_named(open[0]), better);
    return ", by " + clause_named(open[0]) +
           (right ? "" : "; name the challenger that wins: 'wrong against (...)'");
  }
  [[nodiscard]] std::int64_t bound_of_search() const {
    return settings_.bounded > 0 ? settings_.bounded : kUsualBound;
  }
  // Few challengers are all tried. Of many a solver was asked.
  [[nodiscard]] Standing of_case(std::size_t e, std::size_t k) {
    const Standing asked = asked_of_case(e, k);
    if (asked == Standing::Proved || asked == Standing::Refuted) return asked;
    const std::optional<bool> beaten =
        search_pairs().is_beaten(*parts_.examples[e], k, bound_of_search());
    return !beaten ? asked : *beaten ? Standing::Refuted : Standing::Proved;
  }
  [[nodiscard]] Standing asked_of_case(std::size_t e, std::size_t k) const {
    Standing worst = Standing::Unknown;
    bool any = false;
    const std::string name = problem::case_name(result_.problem, e, k);
    const Verified& verified = put_off_.contains(name) ? later_ : result_.verified;
    for (const prove::Claim& claim : verified.claims) {
      if (claim.id.function != name) continue;
      const Standing standing = standing_of(claim, verified);
      // What contradicts itself has no challenger: nothing can beat it.
      const bool consistent = core::group_of(claim.id.kind) == core::ClaimGroup::Consistent;
      if (consistent) continue;
      const bool proved = standing == Standing::Proved || standing == Standing::Vacuous;
      const Standing taken = proved ? Standing::Proved : standing;
      worst = any ? std::max(worst, taken) : taken;
      any = true;
    }
    return any ? worst : Standing::Unknown;
  }

  void add_examples(const Examples& examples) {
    ObligationLine worst{"examples", Standing::Proved,
                         fmt::format("{} as stated", parts_.examples.size()), 0};
    for (std::size_t e = 0; e < parts_.examples.size(); ++e) {
      ObligationLine one = judge(examples, e);
      if (one.standing == Standing::Proved && parts_.examples[e]->right && is_surely(examples, e))
        met_ = true;
      if (one.standing == Standing::Proved && parts_.examples[e]->right &&
          examples.accepts(*parts_.examples[e]).value_or(false))
        reached_ = true;
      if (one.standing > worst.standing) worst = std::move(one);
    }
    result_.lines.push_back(std::move(worst));
  }
  // Where nothing is surely right, nothing is promised to be accepted.
  [[nodiscard]] bool is_surely(const Examples& examples, std::size_t e) const {
    return parts_.surely.empty() ||
           (examples.are_decided() && examples.surely(*parts_.examples[e]) == Truth::Holds);
  }
  void add_meets(std::int64_t bound) {
    if (met_) return result_.lines.push_back({"meets", Standing::Proved, "by an example", 0});
    if (parts_.surely.empty() && is_known_sound() &&
        result_.find("reaches")->standing == Standing::Proved)
      return result_.lines.push_back({"meets", Standing::Proved, "by what is accepted", 0});
    if (search_pairs().finds_right(bound))
      return result_.lines.push_back({"meets", Standing::Proved, "by a result that was found", 0});
    result_.lines.push_back(
        {"meets", Standing::Unknown, "nothing that is known to be right was found", 0, bound});
  }
  void add_reaches(const Examples& examples, std::int64_t bound) {
    if (reached_) return result_.lines.push_back({"reaches", Standing::Proved, "by an example", 0});
    if (examples.finds_accepted() || search_pairs().finds_accepted(bound))
      return result_.lines.push_back({"reaches", Standing::Proved, "by a run", 0});
    result_.lines.push_back({"reaches", Standing::Unknown,
                             result_.has_witness
                                 ? "nothing that is accepted was found; give an example its witness"
                                 : "nothing that is accepted was found",
                             0, bound});
  }
  void add_exists(std::int64_t bound) {
    const syntax::ExistsClause* exists = problem::exists_of(*checker_.item);
    if (exists != nullptr && exists->lemma && settings_.bounded == 0)
      return add_promise("exists", all_of(problem::witness_name(result_.checker)), "");
    if (exists != nullptr && !exists->assumed.empty())
      return result_.lines.push_back({"exists", Standing::Assumed, exists->assumed, 0});
    if (exists != nullptr && exists->up_to.valid()) bound = number_of(exists->up_to, bound);
    search_witnesses(bound);
  }
  [[nodiscard]] std::int64_t number_of(syntax::ExprId id, std::int64_t otherwise) const {
    const auto* literal = std::get_if<syntax::IntegerExpr>(&checker_.tree->exprs[id].node);
    if (literal == nullptr) return otherwise;
    const auto number = interp::Number::parse(workspace_.names().text(literal->text));
    return number ? std::min<std::int64_t>(number->small().value_or(otherwise), 8) : otherwise;
  }
  void search_witnesses(std::int64_t bound) {
    ObligationLine line{"exists", Standing::Unknown, kOpen, 0, bound};
    if (search_pairs().is_decided()) {
      const WitnessesTried tried = search_pairs().find_witnesses(bound);
      line.detail = told_witnesses(tried, bound);
      if (tried.none) line.standing = Standing::Refuted;
      if (!tried.without && tried.right > 0) line.standing = Standing::Bounded;
    }
    result_.lines.push_back(std::move(line));
  }
  [[nodiscard]] static std::string told_witnesses(const WitnessesTried& tried, std::int64_t bound) {
    if (tried.without)
      return tried.none
                 ? fmt::format("there is no witness for {}", told_result(*tried.without))
                 : fmt::format(
                       "no witness among those tried, of sizes up to {} and small numbers for {}",
                       bound, told_result(*tried.without));
    if (tried.right == 0) return "no right result was found";
    return fmt::format("{} right result{} of sizes up to {} and small numbers {} one{}",
                       tried.right, tried.right == 1 ? "" : "s", bound,
                       tried.right == 1 ? "has" : "have",
                       tried.all ? "; these were all" : "; not all were tried");
  }
  [[nodiscard]] static std::string told_result(const FoundPair& pair) {
    std::string out;
    for (const auto* values : {&pair.inputs, &pair.outputs})
      for (const FoundPair::Named& one : *values)
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", one.name, one.value);
    return out;
  }

  const check::Checked& checked_;
  const workspace::Workspace& workspace_;
  const problem::FoundChecker& checker_;
  const problem::Parts parts_;
  Proving& proving_;
  const CheckerSettings& settings_;
  const prove::Watch& watch_;
  const std::deque<UnderModel>& models_;
  const std::vector<problem::Under> unders_ = problem::unders_of(*checker_.item);
  const Verified* under_ = nullptr;  // what is at hand; null: what was asked of the exact run
  CheckerResult result_;
  std::string exact_;
  std::string
      decided_;  // the copy that is complete where it does not give up; empty: it never does
  std::set<std::string> functions_, cases_;
  std::set<std::string> put_off_;  // cases that are proved only if the checker is not
  Verified later_;
  std::unique_ptr<PairSearch> search_;
  bool met_ = false, reached_ = false;
  std::optional<bool> promises_nothing_;  // by completeness, once somebody has asked
};

}  // namespace

std::string_view describe(Standing standing) {
  switch (standing) {
    case Standing::Proved:
      return "proved";
    case Standing::Assumed:
      return "assumed";
    case Standing::Bounded:
      return "bounded";
    case Standing::Vacuous:
      return "vacuous";
    case Standing::Unknown:
      return "unknown";
    case Standing::Refuted:
      return "refuted";
  }
  return "unknown";
}

std::string ObligationLine::stands() const {
  if (standing == Standing::Bounded) return fmt::format("bounded {}", bound);
  if (standing == Standing::Unknown && bound > 0) return fmt::format("unknown (bounded {})", bound);
  return std::string(describe(standing));
}

const ObligationLine* CheckerResult::find(std::string_view what) const {
  for (const ObligationLine& line : lines)
    if (line.what == what && line.model.empty()) return &line;
  return nullptr;
}

namespace {

// What was counted has been kept to wherever it was counted; more nobody claims.
bool is_met(const ObligationLine& line) {
  return line.standing == Standing::Proved ||
         (line.what == "within" && line.standing == Standing::Bounded);
}

bool is_needed(const ObligationLine& line, bool complete) {
  return line.what != "exists" && line.what != "gives up" &&
         (complete || !line.what.starts_with("complete"));
}

// Witnesses need not be proved to exist, but who says by which lemma they do has to be right, and
// where there is none for something right, completeness is worth nothing.
bool is_in_the_way(const ObligationLine& line, bool complete) {
  return complete && line.what == "exists" &&
         (line.standing == Standing::Refuted ||
          (line.standing == Standing::Unknown && line.bound == 0));
}

}  // namespace

bool CheckerResult::is_proved(bool complete) const {
  return std::all_of(lines.begin(), lines.end(), [&](const ObligationLine& line) {
    if (is_in_the_way(line, complete)) return false;
    return !is_needed(line, complete) || is_met(line);
  });
}

bool CheckerResult::is_proved_to_decide(bool complete) const {
  CheckerResult decided;
  decided.lines = lines;
  for (ObligationLine& line : decided.lines)
    if (line.unless_given_up) line.standing = Standing::Proved;
  return decided.is_proved(complete);
}

bool CheckerResult::is_refuted(bool complete) const {
  return std::any_of(lines.begin(), lines.end(), [&](const ObligationLine& line) {
    const bool counts = is_needed(line, complete) || (complete && line.what == "exists");
    return counts && line.standing == Standing::Refuted;
  });
}

std::string CheckerResult::summary() const {
  const auto proved = [&](std::string_view what, std::string_view model = {}) {
    bool any = false;
    for (const ObligationLine& line : lines)
      if (line.what.starts_with(what) && line.model == model) {
        if (line.standing != Standing::Proved) return false;
        any = true;
      }
    return any;
  };
  const bool founded = proved("total") && proved("safe");
  const ObligationLine* completeness = find("complete");
  const bool may_give_up = completeness != nullptr && completeness->unless_given_up;
  const bool is_complete = founded && (may_give_up || proved("complete")) && proved("ends");
  std::string out = checker + ": ";
  out += founded && proved("sound") ? "sound" : "not proved sound";
  out += is_complete ? ", complete" : ", not proved complete";
  if (is_complete && may_give_up) out += " unless it gives up";
  if (is_complete && has_witness) out += " for its witness";
  if (is_complete && for_some) out += " where its 'when' holds";
  if (const ObligationLine* exists = find("exists"))
    out += fmt::format("; witness exists: {}", exists->stands());
  for (const std::string_view what :
       {"total", "safe", "ends", "examples", "meets", "reaches", "unique", "surely"})
    if (find(what) != nullptr && !proved(what)) out += fmt::format("; {} is open", what);
  if (const ObligationLine* within = find("within"); within != nullptr && !is_met(*within))
    out += within->standing == Standing::Refuted ? "; within is broken" : "; within is open";
  std::set<std::string> told;
  for (const ObligationLine& first : lines) {
    const std::string& model = first.model;
    if (model.empty() || !told.insert(model).second) continue;
    const auto claimed = [&](std::string_view what) {
      return std::any_of(lines.begin(), lines.end(), [&](const ObligationLine& line) {
        return line.model == model && line.what.starts_with(what);
      });
    };
    const bool safe = proved("safe", model), ends = proved("ends", model);
    std::vector<std::string> parts;
    if (claimed("sound"))
      parts.emplace_back(safe && proved("sound", model) ? "sound" : "not proved sound");
    if (claimed("complete"))
      parts.push_back(safe && ends && proved("complete", model)
                          ? "complete unless " + unless.at(model)
                          : "not proved complete");
    if (!safe) parts.emplace_back("safe is open");
    if (!ends) parts.emplace_back("ends is open");
    out += fmt::format("; under {}: {}", model, fmt::join(parts, ", "));
  }
  return out;
}

CheckerResult prove_checker(const check::Checked& checked, const workspace::Workspace& workspace,
                            const problem::FoundChecker& checker, Proving& proving,
                            const CheckerSettings& settings, const prove::Watch& watch,
                            const std::deque<UnderModel>& models) {
  return Obligations(checked, workspace, checker, proving, settings, watch, models).run();
}

}  // namespace leto::workbench

#include "driver/verification.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <tuple>

#include "lower/lower.h"

namespace leto::driver {

using prove::Status;

int badness(Status status) {
  switch (status) {
    case Status::Proved:
      return 0;
    case Status::Vacuous:
      return 1;
    case Status::Unknown:
      return 2;
    case Status::Refuted:
      return 3;
  }
  return 3;
}

Status Verification::status() const {
  Status worst = Status::Proved;
  for (const Claim& claim : claims)
    if (badness(claim.status) > badness(worst)) worst = claim.status;
  return worst;
}

std::size_t Verification::count(Status wanted) const {
  return static_cast<std::size_t>(std::count_if(
      claims.begin(), claims.end(), [&](const Claim& claim) { return claim.status == wanted; }));
}

std::size_t Verification::questions() const {
  std::size_t sum = inference_calls;
  for (const prove::Outcome& outcome : outcomes)
    if (outcome.parts.empty()) sum += outcome.calls;
  return sum;
}

namespace {

// The claims, and which of them each obligation belongs to.
std::vector<Claim> claims_of(const std::vector<vcgen::Obligation>& obligations,
                             std::vector<std::size_t>& claim_of) {
  using Key =
      std::tuple<int, std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::string>;
  std::map<Key, std::size_t> index;
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    const vcgen::Obligation& o = obligations[i];
    const Key key{
        static_cast<int>(o.kind), o.function, o.span.file.value, o.span.begin, o.span.end, o.claim};
    const auto [it, fresh] = index.emplace(key, claims.size());
    if (fresh)
      claims.push_back({o.kind, o.function, o.claim, o.span, {}, Status::Proved, i, 0, 0, {}});
    claims[it->second].obligations.push_back(i);
    claim_of.push_back(it->second);
  }
  return claims;
}

// All obligations of a claim have their outcome.
void settle(const Verification& v, Claim& claim) {
  for (std::size_t i : claim.obligations) {
    const prove::Outcome& outcome = v.outcomes[i];
    claim.seconds += outcome.seconds;
    claim.resource += outcome.resource;
    if (badness(outcome.status) > badness(claim.status)) {
      claim.status = outcome.status;
      claim.worst = i;
    }
  }
}

// `rest`: the obligations that have no outcome yet.
void discharge(Verification& v, const std::vector<std::size_t>& rest, prove::Discharger& discharger,
               const Watch& watch) {
  std::vector<std::size_t> claim_of;
  v.claims = claims_of(v.obligations, claim_of);
  v.outcomes.resize(v.obligations.size());
  std::vector<std::size_t> open(v.claims.size(), 0);
  for (std::size_t i : rest) ++open[claim_of[i]];
  std::size_t done = 0, told = 0;
  if (watch.begun) watch.begun(v);
  const auto tell = [&] {
    for (; told < v.claims.size() && open[told] == 0; ++told) {
      settle(v, v.claims[told]);
      if (watch.settled) watch.settled(v, v.claims[told]);
    }
  };
  const auto progress = [&](std::size_t i, bool finished) {
    if (!finished) {
      if (watch.started) watch.started(v.obligations[i], done, rest.size());
      return;
    }
    ++done;
    --open[claim_of[i]];
    tell();
  };
  tell();
  discharger.run(v.obligations, rest, progress, v.outcomes);
}

}  // namespace

std::vector<Verification::Invariant> in_source(const core::Program& program,
                                               const std::vector<prove::Inferred>& inferred) {
  std::vector<core::StmtId> loops(program.loops.size());
  std::vector<core::FunctionId> owner(program.loops.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f)
    core::for_each_statement(
        program, program.functions[core::FunctionId{f}].body, [&](core::StmtId id) {
          if (const auto* loop = std::get_if<core::While>(&program.stmts[id].node)) {
            loops[loop->loop.value] = id;
            owner[loop->loop.value] = core::FunctionId{f};
          }
        });
  std::vector<Verification::Invariant> out;
  for (const prove::Inferred& one : inferred) {
    const core::StmtId loop = loops[one.loop.value];
    const auto& node = std::get<core::While>(program.stmts[loop].node);
    out.push_back({program.functions[one.function].name, program.stmts[loop].span,
                   program.stmts[node.body].span,
                   (one.fact.relational ? "invariant_r " : "invariant ") +
                       core::source(program, one.fact.expr),
                   owner[one.loop.value] == one.function});
  }
  return out;
}

Verification verify(const check::Checked& checked, const NameTable& names,
                    const VerifySettings& settings, prove::Crew& crew, prove::Cache* cache,
                    const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto start = Clock::now();
  Verification v;
  v.program = std::make_shared<core::Program>(lower::lower(checked, names));
  v.terms = std::make_shared<logic::TermTable>();
  core::Program& lowered = *v.program;
  logic::TermTable& terms = *v.terms;
  prove::Engine engine{{settings.dump, settings.salt}, crew, cache};
  prove::Discharger discharger(terms, engine);
  v.model = lowered.model.name;
  v.obligations =
      vcgen::generate_model_checks(lowered, terms, {false, settings.trap, {}}).obligations;
  std::vector<std::size_t> rest(v.obligations.size());
  std::iota(rest.begin(), rest.end(), std::size_t{0});

  const prove::Proposals proposals =
      settings.infer ? prove::propose(lowered) : prove::Proposals(lowered.loops.size());
  prove::Inference inference =
      prove::infer(lowered, proposals, terms, {settings.check_original, settings.trap, {}},
                   discharger, watch.inferring);
  v.trusted = inference.trusted;
  v.inferred = in_source(lowered, inference.inferred);
  v.candidates = inference.candidates;
  v.rounds = inference.rounds;
  v.inference_calls = inference.calls;
  v.inference_seconds = since(start);
  v.outcomes.resize(v.obligations.size());
  for (std::size_t i : inference.rest) rest.push_back(i + v.obligations.size());
  std::move(inference.obligations.begin(), inference.obligations.end(),
            std::back_inserter(v.obligations));
  std::move(inference.outcomes.begin(), inference.outcomes.end(), std::back_inserter(v.outcomes));
  discharge(v, rest, discharger, watch);
  v.seconds = since(start);
  return v;
}

Verification verify_refinement(const check::Checked& checked, const NameTable& names,
                               check::ModelId super, const VerifySettings& settings,
                               prove::Crew& crew, prove::Cache* cache, const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  core::Refinement lowered = lower::lower_refinement(checked, names, super);
  Verification v;
  v.terms = std::make_shared<logic::TermTable>();
  logic::TermTable& terms = *v.terms;
  v.model = lowered.program.model.name;
  // The sub-model's own checks are about its own specifications only.
  v.obligations = vcgen::generate_model_checks(lower::lower(checked, names), terms).obligations;
  vcgen::Result generated = vcgen::generate_refinement(lowered, terms, {false, settings.trap, {}});
  std::move(generated.obligations.begin(), generated.obligations.end(),
            std::back_inserter(v.obligations));
  std::vector<std::size_t> rest(v.obligations.size());
  std::iota(rest.begin(), rest.end(), std::size_t{0});
  prove::Engine engine{{settings.dump, settings.salt}, crew, cache};
  prove::Discharger discharger(terms, engine);
  discharge(v, rest, discharger, watch);
  v.program = std::make_shared<core::Program>(std::move(lowered.program));
  v.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return v;
}

}  // namespace leto::driver

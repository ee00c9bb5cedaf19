#include "driver/protocol_systems.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <ostream>

#include "driver/progress_line.h"
#include "files/files.h"
#include "protocol/discharge.h"
#include "protocol/happening.h"
#include "report/escape.h"
#include "report/place.h"
#include "report/protocol.h"
#include "report/render.h"

namespace leto::driver {

namespace {

constexpr const char* kNoModel = "none";

// A system under a model, and what there is to say of it.
struct UnderModel {
  std::string model;
  protocol::Lowered lowered;
  std::vector<protocol::Unmet> blocking, refinement;
  std::vector<report::DecidedClaim> decided;
  std::vector<transition::Certificate> facts;  // of lemmas that were proved
  // Why nothing of it is called valid; empty: nothing stands against that.
  std::string doubt;
  std::vector<std::string> remarks;  // what stands above the verdicts
};

class Systems {
 public:
  Systems(const SystemsRequest& request, const Watchdog& watchdog, Streams& streams)
      : request_(request),
        watchdog_(watchdog),
        streams_(streams),
        progress_(streams, request.format == Format::Text && streams.err_is_terminal),
        files_(streams.in),
        workspace_(files_, all_places(request.places, streams), &watchdog.allowance()) {}

  ExitCode run() {
    if (!read()) return ExitCode::BadInput;
    if (under_.empty()) {
      streams_.err << fmt::format("leto: error: there is no system in '{}'\n",
                                  shown(request_.file));
      return ExitCode::BadInput;
    }
    if (!solver::can_start("z3")) {
      streams_.err << "leto: error: 'z3' is not in the PATH, and nothing is proved without it\n";
      return ExitCode::Undecided;
    }
    if (!request_.certificate.empty() || !request_.check.empty()) {
      if (const ExitCode wrong = pick_one(); wrong != ExitCode::Fine) return wrong;
      if (!request_.check.empty()) return check_certificate();
    }
    for (UnderModel& one : under_) {
      if (watchdog_.allowance().spent()) break;
      look_at(one);
      decide_all(one);
    }
    if (!request_.certificate.empty() && !write_certificate()) return ExitCode::Usage;
    return conclude();
  }

 private:
  bool read() {
    DiagnosticList diagnostics;
    const workspace::Program loaded = workspace_.load(request_.file, diagnostics);
    if (!loaded.trees.empty() && diagnostics.errors() == 0) {
      std::vector<std::string> models = request_.models;
      if (models.empty()) models.emplace_back();
      for (const std::string& model : models) lower_all(loaded, model, diagnostics);
    }
    const bool fine = diagnostics.errors() == 0;
    show_diagnostics(diagnostics, workspace_.sources(), request_.colour, streams_);
    return fine;
  }

  void lower_all(const workspace::Program& loaded, const std::string& model,
                 DiagnosticList& diagnostics) {
    workspace::Program program = loaded;
    workspace::PickedModel picked;
    const bool none = model == kNoModel;
    if (!none) picked = workspace_.pick_model(program, model, diagnostics);
    if (picked.bad) return;
    const std::size_t before = diagnostics.errors();
    const check::Checked checked = check::check(program.trees, workspace_.options(picked, true),
                                                workspace_.names(), diagnostics);
    if (diagnostics.errors() != before) return;
    for (const check::sys::System& system : checked.systems) {
      if (system.model.empty() && !none && system.sends) {
        diagnostics
            .report(Diagnostic{
                DiagnosticKind::UncoveredMessage,
                system.span,
                {fmt::format("no model says what becomes of the messages of '{}'", system.name)},
                {},
                {}}.helping("pick one with '--model NAME', or say '--model none' for messages that "
                            "are exact"));
        continue;
      }
      std::optional<protocol::Lowered> lowered = protocol::lower(system, diagnostics);
      if (!lowered) continue;
      UnderModel one{system.model.empty() ? kNoModel : system.model,
                     std::move(*lowered),
                     {},
                     {},
                     {},
                     {},
                     {},
                     {}};
      if (request_.deadlocks) {
        one.lowered.system.claims.push_back({"never stops", system.span, one.lowered.can_go_on});
        one.lowered.is_lemma.push_back(false);
      }
      under_.push_back(std::move(one));
    }
  }

  [[nodiscard]] bool is_text() const { return request_.format == Format::Text; }
  [[nodiscard]] std::string at(const Span& span) const {
    return report::place(workspace_.sources(), span);
  }

  // What is asked beside the claims of one model: a quarter of what each claim may take, and of the
  // time of the command so much that all models have their turn.
  [[nodiscard]] protocol::Share share() const {
    protocol::Share out;
    out.cpu_seconds = request_.means.cpu_seconds / 4;
    out.memory_mb = request_.means.memory_mb / 3;
    constexpr double kForEver = 1e9;
    const double whole = watchdog_.at_most(kForEver);
    if (whole < kForEver) out.seconds = whole / 4 / static_cast<double>(under_.size());
    return out;
  }

  void look_at(UnderModel& one) {
    const transition::System& system = one.lowered.system;
    progress_.show("looking for what is hidden");
    protocol::Examiner examiner(share(), watchdog_.allowance());
    one.blocking = protocol::find_unmet(one.lowered, one.lowered.blocking, examiner);
    one.refinement = protocol::find_unmet(one.lowered, one.lowered.refinement, examiner);
    if (!one.blocking.empty() && !request_.allow_blocking) one.doubt = "behaviours may be hidden";
    if (!one.refinement.empty()) one.doubt = "the model is none that it says it is";
    one.remarks = remarks(one, examiner);
    progress_.show("");
    if (is_text()) {
      streams_.out << fmt::format("{} under {}\n", system.name, one.model);
      for (const std::string& remark : one.remarks) streams_.out << "  " << remark << "\n";
    }
  }

  // Lemmas first: those that are proved help with all others. They are told in the order of the
  // file.
  void decide_all(UnderModel& one) {
    const std::vector<transition::Claim>& claims = one.lowered.system.claims;
    std::map<std::size_t, report::DecidedClaim> decided;
    for (const bool lemmas : {true, false})
      for (std::size_t claim = 0; claim < claims.size(); ++claim) {
        if (watchdog_.allowance().spent()) break;
        if (one.lowered.is_lemma[claim] != lemmas || (!lemmas && !is_wanted(claims[claim])))
          continue;
        report::DecidedClaim now = decide(one, claim);
        if (is_wanted(claims[claim])) decided.emplace(claim, std::move(now));
      }
    std::vector<std::size_t> order;
    for (const auto& [claim, known] : decided) order.push_back(claim);
    const auto place = [&](std::size_t claim) {
      const Span span = claims[claim].span.value_or(Span{});
      return std::pair{span.file.value, span.begin};
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    for (const std::size_t claim : order) {
      report::DecidedClaim& known = decided.at(claim);
      if (is_text())
        streams_.out << report::protocol_line(known, workspace_.sources())
                     << report::protocol_details(known) << std::flush;
      one.decided.push_back(std::move(known));
    }
  }
  [[nodiscard]] bool is_wanted(const transition::Claim& claim) const {
    return request_.claim.empty() || claim.name == request_.claim;
  }

  // What stands above the verdicts.
  std::vector<std::string> remarks(const UnderModel& one, protocol::Examiner& examiner) {
    std::vector<std::string> out;
    bool open = false;
    const auto tell = [&](const protocol::Unmet& unmet, const char* what) {
      open = open || !unmet.refuted;
      out.push_back(fmt::format("{}: {}: {}{}{}", at(unmet.span), what, unmet.text,
                                unmet.example.empty() ? "" : " for " + unmet.example,
                                unmet.refuted ? "" : " (not decided)"));
    };
    for (const protocol::Unmet& unmet : one.blocking) tell(unmet, "behaviours may be hidden");
    for (const protocol::Unmet& unmet : one.refinement) tell(unmet, "not proved of the model");
    if (open)
      out.push_back(fmt::format(
          "what is not decided was asked within {:g} s, a quarter of the budget of a claim: "
          "'--budget' gives it more",
          share().cpu_seconds));
    for (const protocol::Trusted& trusted : one.lowered.trusted)
      out.push_back(trusted_remark(one, trusted, examiner));
    tell_what_happens(protocol::find_what_happens(one.lowered, examiner), out);
    return out;
  }
  std::string trusted_remark(const UnderModel& one, const protocol::Trusted& trusted,
                             protocol::Examiner& examiner) const {
    const std::string begin = at(trusted.span) + ": trusted: ";
    switch (trusted.kind) {
      case protocol::Trusted::Kind::States: {
        const auto cut = protocol::find_cut_steps(one.lowered, trusted, examiner);
        const bool begins = protocol::can_cut_beginning(one.lowered, trusted, examiner);
        return begin + fmt::format("it can cut {} of {} steps{}", cut.size(),
                                   one.lowered.system.steps.size(),
                                   begins ? ", and initial states" : "");
      }
      case protocol::Trusted::Kind::Beginning:
        return begin + "this 'initially' speaks of the model: what it rules out is not looked at";
      case protocol::Trusted::Kind::Constants:
        return begin + "this 'requires' speaks of the model: what it rules out is not looked at";
    }
    LETO_ASSERT(false);
  }
  void tell_what_happens(const protocol::Happening& happening,
                         std::vector<std::string>& out) const {
    if (happening.nothing) out.emplace_back("nothing ever happens: no state allows any step");
    for (const protocol::Happening::Step& step : happening.impossible)
      out.push_back(fmt::format("{}: step '{}' can never be taken: no state allows it",
                                at(step.span), step.name));
    for (const protocol::Happening::Step& step : happening.not_taken)
      out.push_back(fmt::format("{}: step '{}' is taken in no run of up to {} step{}",
                                at(step.span), step.name, happening.depth,
                                happening.depth == 1 ? "" : "s"));
    if (happening.stops_after)
      out.push_back(
          fmt::format("a run can stop after {} step{}: none can be taken there; "
                      "'--deadlocks' shows it",
                      *happening.stops_after, *happening.stops_after == 1 ? "" : "s"));
  }

  report::DecidedClaim decide(UnderModel& one, std::size_t claim) {
    const transition::System& system = one.lowered.system;
    report::DecidedClaim decided{
        &system, claim,
        transition::decide(
            system, claim, request_.means, watchdog_.allowance(),
            [&](const std::string& text) { progress_.show(text); }, one.facts),
        one.model, one.remarks};
    progress_.show("");
    transition::Decision& decision = decided.decision;
    if (one.lowered.is_lemma[claim] && decision.certificate)
      one.facts.push_back(*decision.certificate);
    // What is hidden might break it.
    if (decision.verdict == transition::Verdict::Valid && !one.doubt.empty()) {
      decision.verdict = transition::Verdict::Unknown;
      decision.why = one.doubt;
      decision.certificate.reset();
    }
    return decided;
  }

  // Certificates ---------------------------------------------------------------------------------

  bool say(const std::string& what) const {
    streams_.err << "leto: error: " << what << "\n";
    return false;
  }
  // A certificate is of one claim of one system under one model.
  ExitCode pick_one() {
    if (under_.size() > 1) {
      (void)say("a certificate is of one system under one model: say which with '--model'");
      return ExitCode::Usage;
    }
    const std::vector<transition::Claim>& claims = under_[0].lowered.system.claims;
    const auto wanted = std::count_if(claims.begin(), claims.end(),
                                      [&](const auto& claim) { return is_wanted(claim); });
    if (wanted == 1) {
      if (request_.certificate.empty() ||
          files::real_path(request_.certificate) != files::real_path(request_.file))
        return ExitCode::Fine;
      (void)say(fmt::format("'{}' would be written over what is read", shown(request_.file)));
    } else {
      (void)say(wanted == 0 ? fmt::format("there is no claim '{}'", request_.claim)
                            : "this is about one claim: say which one with '--claim'");
    }
    return ExitCode::Usage;
  }
  [[nodiscard]] const transition::Claim& one_claim() const {
    const std::vector<transition::Claim>& claims = under_[0].lowered.system.claims;
    return *std::find_if(claims.begin(), claims.end(),
                         [&](const auto& claim) { return is_wanted(claim); });
  }

  [[nodiscard]] bool write_certificate() const {
    if (under_[0].decided.empty() || !under_[0].decided[0].decision.certificate) return true;
    const files::Problem problem =
        files::write(request_.certificate,
                     transition::write_certificate(under_[0].lowered.system, one_claim(),
                                                   *under_[0].decided[0].decision.certificate));
    return problem.empty() ||
           say(fmt::format("cannot write '{}': {}", shown(request_.certificate), problem));
  }

  // What has to be so beside the claim is asked again, too: it is in no certificate.
  ExitCode check_certificate() {
    UnderModel& one = under_[0];
    const std::string name = report::name_on_line(shown(request_.check));
    files::Content content = files::read(request_.check, files::NamedBy::User);
    std::string why = content.problem;
    const auto certificate = content.text ? transition::read_certificate(
                                                one.lowered.system, one_claim(), *content.text, why)
                                          : std::nullopt;
    if (!certificate) {
      (void)say(fmt::format("'{}' is refused: {}", name, why));
      return ExitCode::BadInput;
    }
    look_at(one);
    const std::string what = fmt::format("{}: {} under {}", name, one_claim().name, one.model);
    const transition::Means& means = request_.means;
    const transition::Checked checked = transition::check_certificate(
        one.lowered.system, one_claim(), *certificate, {means.cpu_seconds / 2, means.memory_mb / 2},
        watchdog_.allowance());
    if (checked.result == transition::Check::Accepted && !one.doubt.empty()) {
      streams_.out << fmt::format("{}: not accepted: {}\n", what, one.doubt);
      return ExitCode::Undecided;
    }
    return tell_checked(checked, what, streams_);
  }

  ExitCode conclude() {
    std::vector<report::DecidedClaim> all;
    for (const UnderModel& one : under_)
      all.insert(all.end(), one.decided.begin(), one.decided.end());
    if (all.empty() && !request_.claim.empty()) {
      streams_.err << fmt::format("leto: error: there is no claim '{}'\n", request_.claim);
      return ExitCode::Usage;
    }
    if (request_.format == Format::Json)
      streams_.out << report::protocol_json(all, workspace_.sources());
    else
      streams_.out << (under_.size() > 1 ? report::protocol_table(all) : "")
                   << report::protocol_summary(all);
    if (watchdog_.allowance().spent()) streams_.err << "leto: " << watchdog_.why() << "\n";
    return exit_code(all);
  }

  [[nodiscard]] ExitCode exit_code(const std::vector<report::DecidedClaim>& all) const {
    const bool whole = !watchdog_.allowance().spent() && !all.empty();
    ExitCode out = whole ? ExitCode::Fine : ExitCode::Undecided;
    for (const report::DecidedClaim& decided : all) {
      switch (decided.decision.verdict) {
        case transition::Verdict::Contradiction:
          return ExitCode::Internal;
        case transition::Verdict::Invalid:
        case transition::Verdict::Vacuous:
          out = ExitCode::DoesNotHold;
          break;
        case transition::Verdict::Unknown:
          if (out == ExitCode::Fine) out = ExitCode::Undecided;
          break;
        case transition::Verdict::Valid:
          break;
      }
    }
    return out;
  }

  const SystemsRequest& request_;
  const Watchdog& watchdog_;
  Streams& streams_;
  ProgressLine progress_;
  Programs files_;
  workspace::Workspace workspace_;
  std::deque<UnderModel> under_;
};

}  // namespace

ExitCode tell_checked(const transition::Checked& checked, const std::string& what,
                      const Streams& streams) {
  switch (checked.result) {
    case transition::Check::Accepted:
      streams.out << fmt::format("{}: valid, checked by {}{}\n", what, checked.by[0],
                                 checked.by.size() > 1 ? " and cvc5" : " alone");
      return ExitCode::Fine;
    case transition::Check::Refused:
      streams.out << fmt::format("{}: not accepted: {}\n", what, checked.why);
      return checked.open ? ExitCode::Undecided : ExitCode::DoesNotHold;
    case transition::Check::Vacuous:
      streams.out << fmt::format("{}: vacuous, there is no initial state\n", what);
      return ExitCode::DoesNotHold;
    case transition::Check::Contradiction:
      streams.err << fmt::format("leto: error: {}\n", checked.why);
      return ExitCode::Internal;
  }
  return ExitCode::Internal;
}

ExitCode decide_systems(const SystemsRequest& request, const Watchdog& watchdog, Streams& streams) {
  return Systems(request, watchdog, streams).run();
}

}  // namespace leto::driver

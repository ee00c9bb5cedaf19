#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/memory.h"
#include "script/script.h"
#include "workbench/formatting.h"
#include "workbench/leto.h"
#include "workbench/proving.h"
#include "workbench/verifying.h"
#include "workspace/documents.h"

namespace leto::api {

namespace {

// Ends the allowance of a call when its time is over.
class Clock {
 public:
  Clock(Allowance& allowance, double seconds) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, &allowance, seconds] {
      std::unique_lock lock(mutex_);
      if (!wake_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
        allowance.end(Allowance::End::Time);
    });
  }
  ~Clock() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

std::optional<engine::SolverChoice> choice_of(const std::string& name) {
  if (name == "z3") return engine::SolverChoice::Z3;
  if (name == "cvc5") return engine::SolverChoice::Cvc5;
  if (name == "both") return engine::SolverChoice::Both;
  return std::nullopt;
}

// Why nothing can be proved with the solver of that name; empty if something can.
std::string why_no_solver(const std::string& name) {
  const std::optional<engine::SolverChoice> choice = choice_of(name);
  if (!choice) return "there is no solver '" + name + "': it is z3, cvc5 or both";
  const std::vector<std::string> missing = engine::missing_solvers(*choice);
  if (missing.empty()) return "";
  return "the solver '" + missing[0] +
         "' is not in the PATH, and nothing is proved without it: install it";
}

// What is not about the program, and has no code.
Remark trouble(std::string message) {
  Remark remark;
  remark.error = true;
  remark.message = std::move(message);
  return remark;
}

Place place_of(const SourceStore& sources, const Span& span) {
  if (!span.file.valid()) return {};
  const SourceFile& file = sources[span.file];
  const leto::Position from = file.position(span.begin), to = file.position(span.end);
  return {file.path(), static_cast<unsigned>(from.line), static_cast<unsigned>(from.column),
          static_cast<unsigned>(to.line), static_cast<unsigned>(to.column)};
}

std::vector<Remark> remarks_of(DiagnosticList& diagnostics, const SourceStore& sources) {
  diagnostics.sort_and_unique();
  std::vector<Remark> out;
  for (const Diagnostic& d : diagnostics.all()) {
    Remark remark;
    remark.error = d.severity() == Severity::Error;
    remark.code = info(d.kind).code;
    remark.message = d.message();
    if (d.span) remark.at = place_of(sources, *d.span);
    if (d.help) remark.help = d.help->text;
    if (d.help && d.help->edit)
      remark.edit = Remark::Edit{place_of(sources, d.help->edit->span), d.help->edit->replacement};
    out.push_back(std::move(remark));
  }
  return out;
}

Status status_of(prove::Status status) {
  switch (status) {
    case prove::Status::Proved:
      return Status::Proved;
    case prove::Status::Refuted:
      return Status::Refuted;
    case prove::Status::Unknown:
      return Status::Unknown;
    case prove::Status::Vacuous:
      return Status::Vacuous;
  }
  return Status::Unknown;
}

Claim claim_of(const workbench::Verified& v, const prove::Claim& claim,
               const SourceStore& sources) {
  Claim out;
  out.kind = core::name(claim.id.kind);
  out.function = claim.id.function;
  out.text = claim.headline();
  out.at = place_of(sources, claim.id.at);
  out.status = status_of(claim.status);
  if (claim.status == prove::Status::Proved) return out;
  out.advice = core::texts_of(claim.id.kind).todo;
  out.why = claim.situation;
  if (const diagnose::Explanation* e = v.explanation(claim)) {
    out.why = diagnose::in_a_word(e->cause);
    if (e->plan)
      out.script = script::script_text(*v.program, e->function, e->plan->inputs, e->plan->faults);
  }
  return out;
}

}  // namespace

struct Session::Inside {
  explicit Inside(Options given)
      : options(std::move(given)), places{options.model_path, options.allow_import} {
    if (const auto choice = choice_of(options.solver)) proofs.solver = *choice;
    proofs.jobs = options.jobs;
    proofs.question_seconds = options.question_seconds;
    proofs.no_infer = !options.infer;
    proofs.no_cache = true;  // the session's own memory is asked, and what is behind it
    std::string ignored;     // without one it takes longer, and that is all
    if (!options.cache.empty())
      cache = engine::open_cache(options.cache, engine::default_key_file(), ignored);
    memory = std::make_unique<engine::Memory>(cache.get());
  }

  // What is known by the time that the work ends.
  Verdict verify(const std::string& path, const std::string& model, const Watcher& watcher);
  void prove(const check::Checked& checked, workspace::Workspace& workspace, Allowance& allowance,
             const Watcher& watcher, Verdict& verdict);

  Options options;
  workspace::Places places;
  workbench::ProofOptions proofs;
  workspace::RealFileSystem disk;
  workspace::Documents documents{disk};
  std::unique_ptr<engine::FileCache> cache;
  std::unique_ptr<engine::Memory> memory;
};

void Session::Inside::prove(const check::Checked& checked, workspace::Workspace& workspace,
                            Allowance& allowance, const Watcher& watcher, Verdict& verdict) {
  const double most = options.seconds > 0 ? std::min(options.question_seconds, options.seconds)
                                          : options.question_seconds;
  workbench::Proving proving(proofs, allowance, most, true);
  const auto tell = [&](const Progress& progress) {
    if (watcher && !watcher(progress)) allowance.end(Allowance::End::User);
  };
  prove::Watch watch;
  watch.inferring = [&](const prove::InferenceRound& round) {
    tell({round.function + ": invariants are looked for", 0, 0});
  };
  watch.started = [&](const vcgen::Obligation& next, std::size_t done, std::size_t of) {
    tell({next.claim.function + ": " + core::claimed(next.claim), done, of});
  };
  const std::size_t found = memory->found();
  const prove::VerifySettings settings = proving.settings(proofs);
  workbench::Verified v =
      workbench::verify(checked, workspace.names(), settings, proving.crew, memory.get(), watch);
  verdict.asked = v.questions();
  verdict.remembered = memory->found() - found;
  if (options.explain) {
    prove::Engine engine{{}, proving.crew, memory.get()};
    workbench::explain(v, proving.explaining(proofs, settings), engine);
  }
  for (const prove::Claim& claim : v.claims)
    verdict.claims.push_back(claim_of(v, claim, workspace.sources()));
  for (const prove::Verification::Invariant& i : v.inferred)
    verdict.inferred.push_back({place_of(workspace.sources(), i.loop), i.text});
  verdict.model = v.model;
  verdict.status = status_of(v.status());
}

Verdict Session::Inside::verify(const std::string& path, const std::string& model,
                                const Watcher& watcher) {
  const auto start = std::chrono::steady_clock::now();
  Verdict verdict;
  Allowance allowance;
  const Clock clock(allowance, options.seconds);
  workspace::Workspace workspace(documents, places, &allowance);
  DiagnosticList diagnostics;
  const std::string problem = why_no_solver(options.solver);
  try {
    workspace::Program program;
    const auto checked = workspace::load_checked(workspace, path, model, program, diagnostics);
    if (checked && problem.empty()) prove(*checked, workspace, allowance, watcher, verdict);
  } catch (const Spent&) {  // half an answer makes no sense
  }
  verdict.remarks = remarks_of(diagnostics, workspace.sources());
  if (!problem.empty()) verdict.remarks.push_back(trouble(problem));
  verdict.cancelled = allowance.ended_by() == Allowance::End::User;
  // What was not looked at is not proved, whatever was.
  if (allowance.spent() && verdict.status == Status::Proved) verdict.status = Status::Unknown;
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return verdict;
}

Session::Session(Options options) : inside_(std::make_unique<Inside>(std::move(options))) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::string Session::problem() const {
  return why_no_solver(inside_->options.solver);
}

void Session::open(const std::string& path, std::string text) {
  inside_->documents.put(path, std::move(text));
}

void Session::close(const std::string& path) {
  inside_->documents.close(path);
}

std::vector<Remark> Session::check(const std::string& path, const std::string& model) {
  Allowance allowance;
  const Clock clock(allowance, inside_->options.seconds);
  workspace::Workspace workspace(inside_->documents, inside_->places, &allowance);
  DiagnosticList diagnostics;
  try {
    workspace::Program program;
    (void)workspace::load_checked(workspace, path, model, program, diagnostics);
  } catch (const Spent& spent) {
    return {trouble(std::string(describe(allowance.ended_by())) + " while " + spent.doing)};
  }
  return remarks_of(diagnostics, workspace.sources());
}

Verdict Session::verify(const std::string& path, const std::string& model, const Watcher& watcher) {
  return inside_->verify(path, model, watcher);
}

std::optional<std::string> Session::format(const std::string& path) {
  const workspace::FileSystem::Content content =
      inside_->documents.read(path, files::NamedBy::User);
  if (!content.text) return std::nullopt;
  Allowance allowance;
  const Clock clock(allowance, inside_->options.seconds);
  SourceStore sources;
  DiagnosticList diagnostics;
  try {
    workbench::Formatted formatted =
        workbench::format_text(path, *content.text, sources, diagnostics, &allowance);
    if (formatted.parsed) return std::move(formatted.text);
  } catch (const Spent&) {
  }
  return std::nullopt;
}

std::vector<Model> Session::models() {
  workspace::Workspace workspace(inside_->documents, inside_->places);
  DiagnosticList ignored;  // a file that cannot be read has no models
  std::vector<Model> out;
  for (workspace::Workspace::Listed& one : workspace.list_models(ignored))
    out.push_back({std::move(one.name), std::move(one.path), std::move(one.summary)});
  return out;
}

std::string version() {
  return LETO_VERSION;
}

}  // namespace leto::api

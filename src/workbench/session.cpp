#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "engine/memory.h"
#include "workbench/calls.h"
#include "workbench/formatting.h"
#include "workbench/leto.h"
#include "workbench/proving.h"
#include "workbench/ranges.h"
#include "workbench/telling.h"
#include "workbench/verifying.h"
#include "workspace/documents.h"
#include "workspace/places.h"

namespace leto::api {

using workbench::trouble, workbench::remarks_of, workbench::place_of;

namespace {

std::optional<engine::SolverChoice> choice_of(const std::string& name) {
  if (name == "z3") return engine::SolverChoice::Z3;
  if (name == "cvc5") return engine::SolverChoice::Cvc5;
  if (name == "both") return engine::SolverChoice::Both;
  return std::nullopt;
}

// What is wrong with a number that was asked for; empty if nothing is.
std::string why_not(const char* name, double value, const workbench::Range& range) {
  if (range.contains(value)) return "";
  return fmt::format("Options::{} is {:g}: it must be from {:g} to {:g}", name, value, range.least,
                     range.most);
}

std::string why_not(const Options& options) {
  for (std::string why :
       {why_not("jobs", options.jobs, workbench::kWorkers),
        why_not("seconds", options.seconds, workbench::kSeconds),
        why_not("question_seconds", options.question_seconds, workbench::kQuestionSeconds)})
    if (!why.empty()) return why;
  return "";
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

// Where this library lies, or the executable that it is part of.
std::filesystem::path own_folder() {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(&version), &found) == 0 || found.dli_fname == nullptr)
    return {};
  return std::filesystem::path(files::real_path(found.dli_fname)).parent_path();
}

// The models that are installed with the library: a prefix has it in lib, or one folder deeper.
std::vector<std::string> installed_models() {
  const std::filesystem::path here = own_folder();
  std::vector<std::string> found = workspace::library_of(here.string());
  return found.empty() ? workspace::library_of(here.parent_path().string()) : found;
}

workspace::Places places_of(const Options& options) {
  workspace::Places places{options.model_path, options.allow_import};
  for (std::string& folder : installed_models())
    if (std::none_of(options.model_path.begin(), options.model_path.end(),
                     [&](const std::string& given) {
                       return files::real_path(given) == files::real_path(folder);
                     }))
      places.models.push_back(std::move(folder));
  return places;
}

}  // namespace

struct Session::Inside {
  explicit Inside(Options given)
      : options(std::move(given)), wrong(why_not(options)), places(places_of(options)) {
    // What makes no sense is an error of every verdict, and nothing is done that way.
    if (!wrong.empty()) options.jobs = 1, options.seconds = 600, options.question_seconds = 20;
    if (const auto choice = choice_of(options.solver)) proofs.solver = *choice;
    proofs.jobs = options.jobs;
    proofs.question_seconds = options.question_seconds;
    proofs.no_infer = !options.infer;
    proofs.no_cache = true;  // the session's own memory is asked, and what is behind it
    if (!options.cache.empty())
      cache = engine::open_cache(options.cache, engine::default_key_file(), cache_problem);
    memory = std::make_unique<engine::Memory>(cache.get());
  }

  [[nodiscard]] std::string problem() const {
    return wrong.empty() ? why_no_solver(options.solver) : wrong;
  }
  // What is known by the time that the work ends.
  Verdict verify(const std::string& path, const std::string& model, const Watcher& watcher);
  void prove(const check::Checked& checked, workspace::Workspace& workspace,
             const Allowance& allowance, workbench::News& news, Verdict& verdict);
  // What is said besides what is wrong with the program.
  void add_remarks(Allowance::End ended, Verdict& verdict) const;

  Options options;
  const std::string wrong;  // with the options; empty if nothing is
  workspace::Places places;
  workbench::ProofOptions proofs;
  workspace::RealFileSystem disk;
  workspace::Documents documents{disk};
  std::string cache_problem;  // why there is none; empty: there is, or is to be none
  std::unique_ptr<engine::FileCache> cache;
  std::unique_ptr<engine::Memory> memory;
  workbench::UnderWay under_way;
};

void Session::Inside::prove(const check::Checked& checked, workspace::Workspace& workspace,
                            const Allowance& allowance, workbench::News& news, Verdict& verdict) {
  const double most = options.seconds > 0 ? std::min(options.question_seconds, options.seconds)
                                          : options.question_seconds;
  workbench::Proving proving(proofs, allowance, most, true);
  prove::Watch watch;
  watch.inferring = [&](const prove::InferenceRound& round) {
    news.tell({round.function + ": invariants are looked for", 0, 0});
  };
  watch.started = [&](const vcgen::Obligation& next, std::size_t done, std::size_t of) {
    news.tell({next.claim.function + ": " + core::claimed(next.claim), done, of});
  };
  const std::size_t found = memory->found();
  const prove::VerifySettings settings = proving.settings(proofs);
  workbench::Verified v =
      workbench::verify(checked, workspace.names(), settings, proving.crew, memory.get(), watch);
  verdict.asked = v.questions();
  verdict.remembered = memory->found() - found;
  const std::size_t all = v.obligations.size();
  if (options.explain && v.status() != prove::Status::Proved) {
    news.tell({"runs are looked for that break what is not proved", all, all});
    prove::Engine engine{{}, proving.crew, memory.get()};
    workbench::explain(v, proving.explaining(proofs, settings), engine);
  }
  for (const prove::Claim& claim : v.claims)
    verdict.claims.push_back(
        workbench::claim_of(v, claim, workspace.sources(), allowance.ended_by()));
  if (v.claims.empty())
    verdict.remarks.push_back(trouble("nothing is claimed here, so nothing was proved", false));
  for (const prove::Verification::Invariant& i : v.inferred)
    verdict.inferred.push_back({place_of(workspace.sources(), i.loop), i.text});
  verdict.model = v.model;
  verdict.status = workbench::status_of(v.status());
  news.tell({"all is done", all, all});
}

void Session::Inside::add_remarks(Allowance::End ended, Verdict& verdict) const {
  if (const std::string why = problem(); !why.empty()) verdict.remarks.push_back(trouble(why));
  if (ended == Allowance::End::Time)
    verdict.remarks.push_back(
        trouble(fmt::format("{}, {:g} s: what was not answered by then is unknown; "
                            "Options::seconds gives it more",
                            describe(ended), options.seconds),
                verdict.claims.empty()));
  const std::string why = cache ? cache->problem() : cache_problem;
  if (!why.empty())
    verdict.remarks.push_back(
        trouble(fmt::format("the cache is not used: {}: {}", options.cache, why), false));
}

Verdict Session::Inside::verify(const std::string& path, const std::string& model,
                                const Watcher& watcher) {
  const auto start = std::chrono::steady_clock::now();
  Verdict verdict;
  workbench::Call call(under_way, options.seconds);
  workspace::Workspace workspace(documents, places, &call.allowance());
  DiagnosticList diagnostics;
  workbench::News news;
  const bool possible = problem().empty();
  try {
    call.work(watcher, news, [&] {
      workspace::Program program;
      const auto checked = workspace::load_checked(workspace, path, model, program, diagnostics);
      if (checked && possible) prove(*checked, workspace, call.allowance(), news, verdict);
    });
  } catch (const Spent&) {  // half an answer makes no sense
  }
  const Allowance::End ended = call.allowance().ended_by();
  if (watcher && ended == Allowance::End::None) (void)watcher(news.newest());
  for (Remark& remark : remarks_of(diagnostics, workspace.sources()))
    verdict.remarks.push_back(std::move(remark));
  add_remarks(ended, verdict);
  verdict.cancelled = ended == Allowance::End::User;
  // What was not looked at is not proved, whatever was.
  if (ended != Allowance::End::None && verdict.status == Status::Proved)
    verdict.status = Status::Unknown;
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return verdict;
}

Session::Session(Options options) : inside_(std::make_unique<Inside>(std::move(options))) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Session::Inside& Session::inside() const {
  if (inside_ == nullptr) throw std::logic_error("leto: a session is used that was moved from");
  return *inside_;
}

std::string Session::problem() const {
  return inside().problem();
}

void Session::open(const std::string& path, std::string text) {
  inside().under_way.demand_nothing();
  inside().documents.put(path, std::move(text));
}

void Session::close(const std::string& path) {
  inside().under_way.demand_nothing();
  inside().documents.close(path);
}

std::vector<Remark> Session::check(const std::string& path, const std::string& model) {
  workbench::Call call(inside().under_way, inside().options.seconds);
  workspace::Workspace workspace(inside().documents, inside().places, &call.allowance());
  DiagnosticList diagnostics;
  try {
    workspace::Program program;
    (void)workspace::load_checked(workspace, path, model, program, diagnostics);
  } catch (const Spent& spent) {
    return {trouble(std::string(describe(call.allowance().ended_by())) + " while " + spent.doing)};
  }
  std::vector<Remark> remarks = remarks_of(diagnostics, workspace.sources());
  if (!inside().wrong.empty()) remarks.push_back(trouble(inside().wrong));
  return remarks;
}

Verdict Session::verify(const std::string& path, const std::string& model, const Watcher& watcher) {
  return inside().verify(path, model, watcher);
}

void Session::cancel() {
  inside().under_way.cancel();
}

std::optional<std::string> Session::format(const std::string& path) {
  workbench::Call call(inside().under_way, inside().options.seconds);
  const workspace::FileSystem::Content content =
      inside().documents.read(path, files::NamedBy::User);
  if (!content.text) return std::nullopt;
  SourceStore sources;
  DiagnosticList diagnostics;
  try {
    workbench::Formatted formatted =
        workbench::format_text(path, *content.text, sources, diagnostics, &call.allowance());
    if (formatted.parsed) return std::move(formatted.text);
  } catch (const Spent&) {
  }
  return std::nullopt;
}

std::vector<Model> Session::models() {
  workbench::Call call(inside().under_way, inside().options.seconds);
  workspace::Workspace workspace(inside().documents, inside().places, &call.allowance());
  DiagnosticList ignored;  // a file that cannot be read has no models
  std::vector<Model> out;
  try {
    for (workspace::Workspace::Listed& one : workspace.list_models(ignored))
      out.push_back({std::move(one.name), std::move(one.path), std::move(one.summary)});
  } catch (const Spent&) {  // what was not read by then is not listed
  }
  return out;
}

std::string version() {
  return LETO_VERSION;
}

}  // namespace leto::api

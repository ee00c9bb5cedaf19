#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "files/files.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "workbench/formatting.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;

namespace {

// One program under one model, verified.
struct Job {
  workspace::Workspace& workspace;
  Proving& proving;
  const VerifyOptions& options;
  DiagnosticList& diagnostics;

  // False, with a diagnostic, if the program or the model is not right.
  bool run(const std::string& path, const std::string& model, workspace::Program& program,
           workbench::Verified& v) {
    const auto checked = workspace::load_checked(workspace, path, model, program, diagnostics);
    if (!checked) return false;
    v = workbench::verify(*checked, workspace.names(), proving.settings(options), proving.crew,
                          proving.cache.get(), {});
    v.file = path;
    return true;
  }
};

ExitCode code_of(const workbench::Verified& v) {
  if (v.count(prove::Status::Refuted) + v.count(prove::Status::Vacuous) > 0)
    return ExitCode::DoesNotHold;
  return v.count(prove::Status::Unknown) > 0 ? ExitCode::Undecided : ExitCode::Fine;
}

// What the user wrote to be proved or assumed, conjunct by conjunct. `eq(*)` counts once for
// each parameter and a chain of comparisons once for each of them.
class Annotations {
 public:
  explicit Annotations(const syntax::Tree& tree) : tree_(tree) {
    for (const syntax::Item& item : tree.items) {
      if (const auto* constraint = std::get_if<syntax::ConstraintItem>(&item.node))
        requires_ += conjuncts(constraint->expr, 0);
      if (const auto* function = std::get_if<syntax::FunctionItem>(&item.node)) {
        for (const syntax::Clause& clause : function->contract) {
          const bool pre = clause.kind == syntax::ClauseKind::Requires ||
                           clause.kind == syntax::ClauseKind::RequiresR;
          (pre ? requires_ : ensures_) += conjuncts(clause.expr, function->params.size());
        }
      }
    }
    for (const syntax::Stmt& stmt : tree.stmts) {
      if (const auto* loop = std::get_if<syntax::WhileStmt>(&stmt.node)) count(loop->invariants);
      if (const auto* loop = std::get_if<syntax::ForStmt>(&stmt.node)) count(loop->invariants);
      if (const auto* loop = std::get_if<syntax::RepeatStmt>(&stmt.node)) count(loop->invariants);
      if (const auto* claim = std::get_if<syntax::ClaimStmt>(&stmt.node))
        assertions_ += conjuncts(claim->expr, 0);
    }
  }
  [[nodiscard]] std::size_t all() const { return requires_ + ensures_ + invariants_ + assertions_; }
  [[nodiscard]] json machine() const {
    return {{"requires", requires_},
            {"ensures", ensures_},
            {"invariants", invariants_},
            {"assertions", assertions_},
            {"all", all()}};
  }

 private:
  void count(const std::vector<syntax::Clause>& clauses) {
    for (const syntax::Clause& clause : clauses) invariants_ += conjuncts(clause.expr, 0);
  }
  std::size_t conjuncts(syntax::ExprId id, std::size_t params) const {
    const auto& node = tree_.exprs[id].node;
    if (const auto* paren = std::get_if<syntax::ParenExpr>(&node))
      return conjuncts(paren->inner, params);
    if (const auto* binary = std::get_if<syntax::BinaryExpr>(&node);
        binary != nullptr && binary->op == syntax::BinaryOp::And)
      return conjuncts(binary->lhs, params) + conjuncts(binary->rhs, params);
    if (const auto* chain = std::get_if<syntax::ChainExpr>(&node)) return chain->ops.size();
    if (std::holds_alternative<syntax::EqAllExpr>(node)) return std::max<std::size_t>(1, params);
    return 1;
  }

  const syntax::Tree& tree_;
  std::size_t requires_ = 0, ensures_ = 0, invariants_ = 0, assertions_ = 0;
};

// Lines with something other than comments.
std::size_t lines_of(const syntax::Tree& tree, const SourceFile& file) {
  std::string text(file.text());
  for (const syntax::Comment& comment : tree.comments)
    for (std::uint32_t i = comment.begin; i < comment.end && i < text.size(); ++i)
      if (text[i] != '\n') text[i] = ' ';
  std::size_t lines = 0;
  bool any = false;
  for (char c : text) {
    if (c == '\n') {
      lines += any;
      any = false;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      any = true;
    }
  }
  return lines + any;
}

}  // namespace

ExitCode command_infer(const InferOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.verify.places, streams),
                                 &watchdog.allowance());
  DiagnosticList diagnostics;
  if (!has_one_model(options.verify, streams)) return ExitCode::Usage;
  Proving proving(options.verify, watchdog, streams);
  if (proving.no_solver(streams)) return ExitCode::Undecided;
  Job job{workspace, proving, options.verify, diagnostics};
  const std::string model = options.verify.models.empty() ? "" : options.verify.models[0];
  ExitCode worst = ExitCode::Fine;
  for (const std::string& path : options.verify.files) {
    workspace::Program program;
    workbench::Verified v;
    if (!job.run(path, model, program, v)) continue;
    const FileId id = program.own->file;
    const SourceFile& file = workspace.sources()[id];
    std::map<std::uint32_t, std::string> inserted;
    std::size_t count = 0, elsewhere = 0;
    for (const prove::Verification::Invariant& invariant : v.inferred) {
      if (invariant.body.file != id) {
        ++elsewhere;
        continue;
      }
      inserted[invariant.body.begin] += "\n" + invariant.text;
      ++count;
    }
    const std::string text =
        workbench::with_lines(path, std::string(file.text()), inserted, diagnostics);
    if (!options.in_place) {
      streams.for_programs() << text;
    } else if (const files::Problem problem = files::replace(path, std::string(file.text()), text);
               !problem.empty()) {
      streams.err << fmt::format("leto: error: cannot write '{}': {}\n", report::name_on_line(path),
                                 problem);
      return ExitCode::BadInput;
    }
    streams.err << fmt::format(
        "{}: {} invariants inferred under {}, {} of {} claims proved{}\n",
        report::name_on_line(path), count, v.model, v.count(prove::Status::Proved), v.claims.size(),
        elsewhere == 0 ? "" : fmt::format("; {} more are of loops in other files", elsewhere));
    worst = std::max(worst, code_of(v));
  }
  show_diagnostics(diagnostics, workspace.sources(), options.verify.colour, streams);
  proving.tell_of_ends(streams);
  return diagnostics.errors() > 0 ? ExitCode::BadInput : worst;
}

ExitCode command_stats(const VerifyOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  if (!has_one_model(options, streams)) return ExitCode::Usage;
  Proving proving(options, watchdog, streams);
  if (proving.no_solver(streams)) return ExitCode::Undecided;
  Job job{workspace, proving, options, diagnostics};
  const std::string model = options.models.empty() ? "" : options.models[0];
  ExitCode worst = ExitCode::Fine;
  json list = json::array();
  std::size_t width = 7;
  for (const std::string& path : options.files) width = std::max(width, path.size());
  const bool text = options.format == Format::Text;
  if (text)
    streams.out << fmt::format("{:<{}}  {:>5} {:>11} {:>8} {:>11} {:>9} {:>9} {:>8}  {}\n",
                               "program", width, "lines", "annotations", "inferred", "obligations",
                               "questions", "hardest", "seconds", "status");
  for (const std::string& path : options.files) {
    workspace::Program program;
    workbench::Verified v;
    if (!job.run(path, model, program, v)) continue;
    const syntax::Tree& tree = *program.own;
    const Annotations annotations(tree);
    const std::size_t lines = lines_of(tree, workspace.sources()[tree.file]);
    const std::size_t questions = v.questions();
    std::uint64_t hardest = 0;
    for (const prove::Outcome& outcome : v.outcomes) hardest = std::max(hardest, outcome.hardest);
    if (text)
      streams.out << fmt::format("{:<{}}  {:>5} {:>11} {:>8} {:>11} {:>9} {:>9} {:>8.2f}  {}\n",
                                 report::name_on_line(path), width, lines, annotations.all(),
                                 v.inferred.size(), v.obligations.size(), questions, hardest,
                                 v.seconds, describe(v.status()));
    list.push_back({{"file", path},
                    {"model", v.model},
                    {"status", describe(v.status())},
                    {"lines", lines},
                    {"annotations", annotations.machine()},
                    {"inferred", v.inferred.size()},
                    {"candidates", v.candidates},
                    {"rounds", v.rounds},
                    {"obligations", v.obligations.size()},
                    {"questions", questions},
                    {"hardest", hardest},
                    {"inference_seconds", v.inference_seconds},
                    {"seconds", v.seconds}});
    worst = std::max(worst, code_of(v));
  }
  if (!text) streams.out << report::to_text({{"tool", "leto"}, {"programs", std::move(list)}});
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  return diagnostics.errors() > 0 ? ExitCode::BadInput : worst;
}

}  // namespace leto::driver

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;

namespace {

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

// What one program takes to verify.
struct Taken {
  Taken(const syntax::Tree& tree, const SourceFile& file, const workbench::Verified& v)
      : annotations(tree), lines(lines_of(tree, file)), questions(v.questions()) {
    for (const prove::Outcome& outcome : v.outcomes) hardest = std::max(hardest, outcome.hardest);
  }

  Annotations annotations;
  std::size_t lines, questions;
  std::uint64_t hardest = 0;
};

std::string head_of_stats(std::size_t width) {
  return fmt::format("{:<{}}  {:>5} {:>11} {:>8} {:>11} {:>9} {:>9} {:>8}  {}\n", "program", width,
                     "lines", "annotations", "inferred", "obligations", "questions", "hardest",
                     "seconds", "status");
}

std::string row_of_stats(const workbench::Verified& v, const Taken& taken, std::size_t width) {
  return fmt::format("{:<{}}  {:>5} {:>11} {:>8} {:>11} {:>9} {:>9} {:>8.2f}  {}\n",
                     report::name_on_line(v.file), width, taken.lines, taken.annotations.all(),
                     v.inferred.size(), v.obligations.size(), taken.questions, taken.hardest,
                     v.seconds, describe(v.status()));
}

json stats_to_json(const workbench::Verified& v, const Taken& taken) {
  return {{"file", v.file},
          {"model", v.model},
          {"status", describe(v.status())},
          {"lines", taken.lines},
          {"annotations", taken.annotations.machine()},
          {"inferred", v.inferred.size()},
          {"candidates", v.candidates},
          {"rounds", v.rounds},
          {"obligations", v.obligations.size()},
          {"questions", taken.questions},
          {"hardest", taken.hardest},
          {"inference_seconds", v.inference_seconds},
          {"seconds", v.seconds}};
}

ExitCode run_stats(const ProvingOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  if (!has_one_model(options, streams)) return ExitCode::Usage;
  Proving proving(options, watchdog, streams);
  if (proving.no_solver(streams)) return ExitCode::Undecided;
  ExitCode worst = ExitCode::Fine;
  json list = json::array();
  std::size_t width = 7;
  for (const std::string& path : options.files) width = std::max(width, path.size());
  const bool text = options.format == Format::Text;
  if (text) streams.out << head_of_stats(width);
  for (const std::string& path : options.files) {
    workspace::Program program;
    const auto v = verify_program(path, options, proving, workspace, program, diagnostics);
    if (!v) continue;
    const Taken taken(*program.own, workspace.sources()[program.own->file], *v);
    if (text) streams.out << row_of_stats(*v, taken, width);
    list.push_back(stats_to_json(*v, taken));
    warn_if_nothing_claimed(*v, streams);
    worst = std::max(worst, exit_code_of(*v));
  }
  if (!text) streams.out << report::to_text({{"tool", "leto"}, {"programs", std::move(list)}});
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  proving.tell_of_ends(streams);
  return diagnostics.errors() > 0 ? ExitCode::BadInput : worst;
}

}  // namespace

Command add_stats(const Table& table) {
  const auto options = std::make_shared<ProvingOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "stats", "Count lines, annotations, inferred invariants and questions");
  add_programs(command, *options);
  add_no_infer(command, *options);
  add_engine(command, *options, table.limits);
  add_format(command, options->format, {Format::Text, Format::Json});
  add_colour(command, options->colour);
  command.footer(
      "Annotations are conjuncts of requires, ensures, invariants and assertions; eq(*) counts\n"
      "once for each parameter. 'hardest' is the largest resource count of one question.\n"
      "Examples:\n"
      "  leto stats program.leto\n"
      "  leto stats examples/*.leto --no-cache --format json");
  return watched(command, options, run_stats);
}

}  // namespace leto::driver

// The oracle runs what the repository holds: every function of every accepted program, from a few
// small inputs. It must understand all of them, whatever it says of the runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "oracle/oracle.h"
#include "problem/problem.h"
#include "syntax/syntax.h"

namespace leto::oracle {
namespace {

namespace fs = std::filesystem;
using syntax::ExprId;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A program with all that it imports. Models of the library come first: what a program declares
// itself counts more.
class Loaded {
 public:
  Loaded(const fs::path& path, std::string text) {
    for (const auto& entry : fs::directory_iterator(fs::path(LETO_SOURCE_DIR) / "models"))
      if (entry.is_regular_file()) add(entry.path(), contents(entry.path()));
    add(path, std::move(text));
    for (const syntax::Tree& tree : owned_) trees_.push_back(&tree);
    DiagnosticList diagnostics;
    derived_ = problem::expand(trees_, names_, diagnostics);
    for (const syntax::Tree& tree : derived_) trees_.insert(trees_.end() - 1, &tree);
  }
  Loaded(const Loaded&) = delete;

  [[nodiscard]] const std::vector<const syntax::Tree*>& trees() const { return trees_; }
  [[nodiscard]] const NameTable& names() const { return names_; }

 private:
  void add(const fs::path& path, std::string text) {
    const fs::path whole = path.lexically_normal();
    if (std::find(seen_.begin(), seen_.end(), whole) != seen_.end()) return;
    seen_.push_back(whole);
    DiagnosticList diagnostics;
    const FileId id = sources_.add(whole, std::move(text));
    syntax::Tree tree = syntax::parse(sources_[id], id, names_, diagnostics);
    for (const syntax::Item& item : tree.items)
      if (const auto* import = std::get_if<syntax::ImportItem>(&item.node))
        if (const fs::path other = place_of(*import, whole.parent_path()); fs::exists(other))
          add(other, contents(other));
    owned_.push_back(std::move(tree));
  }

  static fs::path place_of(const syntax::ImportItem& import, const fs::path& beside) {
    return (import.library ? fs::path(LETO_SOURCE_DIR) / "models" : beside) / import.path;
  }

  SourceStore sources_;
  NameTable names_;
  std::vector<fs::path> seen_;
  std::deque<syntax::Tree> owned_;
  std::deque<syntax::Tree> derived_;  // what problems and checkers stand for
  std::vector<const syntax::Tree*> trees_;
};

// A size that vectors of this parameter may have, if all numbers are `size`.
std::int64_t guess_size(const syntax::Tree& tree, ExprId dim, std::int64_t size,
                        const NameTable& names) {
  const Name text = syntax::number_text(tree.exprs[dim]);
  return text.valid() ? std::stol(std::string(names.text(text))) : size;
}

std::map<std::string, Value> make_inputs(const syntax::Tree& tree,
                                         const syntax::FunctionItem& function, std::int64_t size,
                                         const NameTable& names) {
  std::map<std::string, Value> inputs;
  for (const syntax::Param& param : function.params) {
    const bool truth = param.type.scalar == syntax::Scalar::Bool;
    Value value = scalar(truth ? 1 : size);
    std::int64_t count = 1;
    for (ExprId dim : param.dims) {
      value.sizes.push_back(guess_size(tree, dim, size, names));
      count *= value.sizes.back();
    }
    if (!param.dims.empty()) {
      value.scalar = 0;
      for (std::int64_t k = 0; k < count; ++k) value.elements.emplace_back(truth ? 1 : k);
    }
    inputs[std::string(names.text(param.name.name))] = value;
  }
  return inputs;
}

void give_constant(Inputs& inputs, const NameTable& names, const syntax::ConstItem& item,
                   std::int64_t value) {
  if (!item.init.valid()) inputs.constants[std::string(names.text(item.name.name))] = scalar(value);
}

Inputs make_constants(const Loaded& loaded, std::int64_t value) {
  Inputs inputs;
  for (const syntax::Tree* tree : loaded.trees())
    for (const syntax::Item& item : tree->items) {
      if (const auto* constant = std::get_if<syntax::ConstItem>(&item.node))
        give_constant(inputs, loaded.names(), *constant, value);
      const auto* model = std::get_if<syntax::ModelItem>(&item.node);
      if (!model) continue;
      for (const syntax::Member& member : model->members) {
        if (const auto* constant = std::get_if<syntax::ConstItem>(&member.node))
          give_constant(inputs, loaded.names(), *constant, value);
        if (const auto* state = std::get_if<syntax::StateMember>(&member.node))
          inputs.state[std::string(loaded.names().text(state->name.name))] = 1;
      }
    }
  return inputs;
}

#ifdef LETO_SANITIZED
constexpr std::size_t most_runs = 2;
#else
constexpr std::size_t most_runs = 30;
#endif

struct Tally {
  std::size_t functions = 0, runs = 0, done = 0;
};

void run_function(const Loaded& loaded, const syntax::Tree& tree,
                  const syntax::FunctionItem& function, const std::string& where, Tally& tally) {
  const std::string name(loaded.names().text(function.name.name));
  const Subject subject{loaded.trees(), loaded.names(),
                        default_model(loaded.trees(), loaded.names()), name};
  const External external = [](const std::string&, const std::vector<Value>&, bool) {
    return scalar(1);
  };
  Limits limits;
  limits.steps = 3000;
  ++tally.functions;
  for (const std::int64_t size : {0, 1, 2, 5}) {
    Inputs inputs = make_constants(loaded, std::max<std::int64_t>(size, 1));
    inputs.original = inputs.relaxed = make_inputs(tree, function, size, loaded.names());
    const auto look = [&](const Report& report) {
      // Layers have an enumeration of their own: layers_test.
      EXPECT_TRUE(report.end != End::Malformed || report.why == "layers are not known here")
          << where << ", " << name << ": " << report.why << " at " << report.where.begin;
      ++tally.runs;
      tally.done += report.end == End::Done ? 1 : 0;
      return true;
    };
    explore(subject, inputs, most_runs, look, limits, external);
  }
}

void run_all(const fs::path& path, const std::string& text, const std::string& where,
             Tally& tally) {
  const Loaded loaded(path, text);
  const syntax::Tree& tree = *loaded.trees().back();
  ASSERT_FALSE(tree.has_errors) << where;
  if (text.find("bits<") != std::string::npos) return;  // words have tests/words/campaign
  for (const syntax::Item& item : tree.items)
    if (const auto* function = std::get_if<syntax::FunctionItem>(&item.node);
        function && !function->lemma)  // nobody runs it
      run_function(loaded, tree, *function, where, tally);
}

TEST(Sources, AllAcceptedProgramsAreUnderstood) {
  Tally tally;
  const fs::path root = LETO_SOURCE_DIR;
  for (const char* folder : {"examples", "tests/accepts", "tests/proves", "tests/refutes"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".leto")
        run_all(entry.path(), contents(entry.path()), entry.path(), tally);
  EXPECT_GT(tally.functions, 100u);
  EXPECT_GT(tally.done, 20 * most_runs);
  RecordProperty("runs", std::to_string(tally.runs));
  RecordProperty("done", std::to_string(tally.done));
}

TEST(Sources, AllExamplesOfTheLanguagePageAreUnderstood) {
  const fs::path root = LETO_SOURCE_DIR;
  std::istringstream page(contents(root / "docs/language.md"));
  std::string line, text;
  bool inside = false;
  Tally tally;
  while (std::getline(page, line)) {
    if (inside && line == "```") {
      run_all(root / "models/example.leto", text, text, tally);
      inside = false;
    } else if (inside) {
      text += line + "\n";
    } else if (line == "```leto") {
      inside = true;
      text.clear();
    }
  }
  EXPECT_GT(tally.functions, 10u);
}

}  // namespace
}  // namespace leto::oracle

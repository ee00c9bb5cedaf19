// Files to trees: reads programs, follows their imports, finds models by name.
#pragma once

#include <deque>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "syntax/syntax.h"

namespace leto::driver {

// The outside world, as far as reading goes; tests put their own behind it.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  struct Content {
    std::optional<std::string> text;
    std::string problem;  // why there is no text
  };
  [[nodiscard]] virtual Content read(const std::string& path) = 0;
  [[nodiscard]] virtual bool exists(const std::string& path) = 0;
  // The `.leto` files of a directory, sorted.
  [[nodiscard]] virtual std::vector<std::string> list(const std::string& directory) = 0;
};

class RealFileSystem final : public FileSystem {
 public:
  [[nodiscard]] Content read(const std::string& path) override;
  [[nodiscard]] bool exists(const std::string& path) override;
  [[nodiscard]] std::vector<std::string> list(const std::string& directory) override;
};

struct Program {
  std::vector<const syntax::Tree*> trees;  // imported ones first, the program's own last
  std::optional<syntax::Ident> default_model;
  std::string directory;
};

struct PickedModel {
  Name name = {};    // invalid: none
  bool bad = false;  // named, not found, reported
};

class Workspace {
 public:
  Workspace(FileSystem& files, std::vector<std::string> model_path)
      : files_(files), model_path_(std::move(model_path)) {}

  [[nodiscard]] Program load(const std::string& path, DiagnosticSink& sink);
  [[nodiscard]] Program load_text(const std::string& path, std::string text, DiagnosticSink& sink);
  // Finds the model that is called `wanted` (a name, a file, or FILE:NAME; empty: the
  // program's default) and adds its file to the program; likewise those that something is
  // done again under.
  [[nodiscard]] PickedModel pick_model(Program& program, const std::string& wanted,
                                       DiagnosticSink& sink);
  // Every model that can be picked by name, with the first line of its comment.
  struct Listed {
    std::string name;
    std::string path;
    std::string summary;
  };
  [[nodiscard]] std::vector<Listed> list_models(DiagnosticSink& sink);

  [[nodiscard]] const SourceStore& sources() const { return sources_; }
  [[nodiscard]] NameTable& names() { return names_; }

 private:
  const syntax::Tree* parse(const std::string& path, std::string text, DiagnosticSink& sink);
  // What is wrong with a tree stays with it: whoever uses it is told, however often that is.
  static void tell(const DiagnosticList& problems, DiagnosticSink& sink);
  const syntax::Tree* open(const std::string& path, std::optional<Span> from, DiagnosticSink& sink);
  void follow(const syntax::Tree& tree, const std::string& path, Program& program,
              std::vector<std::string>& chain, DiagnosticSink& sink);
  [[nodiscard]] std::string resolve(const std::string& importing, const std::string& path);
  [[nodiscard]] std::vector<std::string> search_path(const Program& program) const;
  const syntax::Tree* add(Program& program, const std::string& path, std::optional<Span> from,
                          DiagnosticSink& sink);
  // Adds the file of a model, unless the program has it already.
  bool find_by_name(Program& program, const std::string& wanted, std::optional<Span> from,
                    DiagnosticSink& sink);
  void unknown_model(const Program& program, const std::string& wanted, std::optional<Span> from,
                     DiagnosticSink& sink);

  FileSystem& files_;
  std::vector<std::string> model_path_;
  SourceStore sources_;
  NameTable names_;
  struct Parsed {
    syntax::Tree tree;
    DiagnosticList problems;
  };
  std::deque<Parsed> trees_;
  std::map<std::string, const Parsed*> by_path_;
};

// Says so if something would be relaxed in the program and no model is picked that relaxes it.
void tell_if_unmodelled(const check::Checked& checked, const SourceStore& sources,
                        std::ostream& out);

// A program under a model, checked; nothing, with diagnostics, if something is wrong with either.
[[nodiscard]] std::optional<check::Checked> load_checked(Workspace& workspace,
                                                         const std::string& path,
                                                         const std::string& model, Program& program,
                                                         DiagnosticList& diagnostics);

}  // namespace leto::driver

// The front door of `workspace`: files to trees. Reads programs, follows their imports, finds
// models by name.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/check.h"
#include "files/files.h"
#include "syntax/syntax.h"

namespace leto::workspace {

// Where models are looked for, and what may be imported, beside what lies with the program.
struct Places {
  std::vector<std::string> models = {};
  std::vector<std::string> imports = {};
};

// What the standard input is called by a user, and to one.
inline constexpr const char* kStandardInput = "-";
inline constexpr const char* kStandardInputShown = "<stdin>";

// Which text is meant, whatever it is called. Names do not say: "link/../a" need not be "a", and
// "-" is the standard input if a user says it, and a file if a program does. Nor do numbers of
// files on a disk, which are given again to another file.
struct Identity {
  std::string path;  // absolute, all links followed; empty: the standard input

  [[nodiscard]] bool is_standard_input() const { return path.empty(); }
  friend auto operator<=>(const Identity&, const Identity&) = default;
};

// The outside world, as far as reading goes; tests put their own behind it.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  using Content = files::Content;
  [[nodiscard]] virtual Content read(const std::string& path, files::NamedBy who) = 0;
  [[nodiscard]] virtual bool exists(const std::string& path) = 0;
  // The one path without links that leads there; empty if none does.
  [[nodiscard]] virtual std::string real_path(const std::string& path) = 0;
  // Which text is read there. What is not there is gone by its name, behind the last folder that
  // is.
  [[nodiscard]] virtual Identity identify(const std::string& path, files::NamedBy who);
  // The same without detours, if it is the same: "a/../b" is "b", unless "a" is a link.
  [[nodiscard]] std::string shorten(const std::string& path);
  // Whether a file, all links followed, lies in a directory or below it.
  [[nodiscard]] virtual bool lies_in(const std::string& path, const std::string& directory) = 0;
  // The `.leto` files of a directory, sorted; nothing if it cannot be listed.
  [[nodiscard]] virtual std::optional<std::vector<std::string>> list(
      const std::string& directory) = 0;
};

// The disk. Who reads from somewhere else as well overrides what is different there.
class RealFileSystem : public FileSystem {
 public:
  [[nodiscard]] Content read(const std::string& path, files::NamedBy who) override;
  [[nodiscard]] bool exists(const std::string& path) override;
  [[nodiscard]] std::string real_path(const std::string& path) override;
  [[nodiscard]] bool lies_in(const std::string& path, const std::string& directory) override;
  [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& directory) override;
};

struct Program {
  std::vector<const syntax::Tree*> trees;  // imported ones first, the program's own last
  const syntax::Tree* own = nullptr;       // may have been read by another name of the same file
  std::optional<syntax::Ident> default_model;
  std::string directory;
  std::vector<std::string> homes;         // folders that it may import from: its own, its model's
  std::set<const syntax::Tree*> told_of;  // whose problems have been reported
  // Whose imports have been read, and beside which folder: a file that links lead to from two
  // folders imports what lies in both.
  std::set<std::pair<const syntax::Tree*, std::string>> followed;
};

struct PickedModel {
  Name name = {};    // invalid: none
  bool bad = false;  // named, not found, reported
};

class Workspace {
 public:
  // Throws Spent when the allowance is.
  Workspace(FileSystem& files, Places places, const Allowance* allowance = nullptr)
      : files_(files), places_(std::move(places)), allowance_(allowance) {}

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
    bool of_messages = false;  // for systems, and no use to other programs
  };
  [[nodiscard]] std::vector<Listed> list_models(DiagnosticSink& sink);

  // For checking a program of this workspace under a model that was picked in it: by whom systems
  // are no use to, unless told otherwise.
  [[nodiscard]] check::Options options(const PickedModel& picked, bool with_systems = false) const {
    return {picked.name, picked.bad, allowance_, with_systems};
  }
  [[nodiscard]] const SourceStore& sources() const { return sources_; }
  [[nodiscard]] NameTable& names() { return names_; }
  [[nodiscard]] const NameTable& names() const { return names_; }

 private:
  struct Parsed {
    syntax::Tree tree;
    DiagnosticList problems;
  };
  // A file on the way to one that it imports.
  struct Step {
    Identity identity;
    std::string name;
  };
  const Parsed& parse(const std::string& path, const Identity& identity, std::string text);
  // What is wrong with a tree stays with it: each program that uses it is told, once.
  static void tell(const Parsed& parsed, Program& program, DiagnosticSink& sink);
  const syntax::Tree* open(Program& program, const std::string& path, files::NamedBy who,
                           std::optional<Span> from, DiagnosticSink& sink);
  // Whether an import leads out of where the program, models and the user's own places are.
  [[nodiscard]] bool may_import(const Program& program, const std::string& path) const;
  // The same, and said if it does not.
  [[nodiscard]] bool is_allowed(const Program& program, const std::string& path,
                                std::optional<Span> from, DiagnosticSink& sink) const;
  void complete(Program& program, const std::string& path, DiagnosticSink& sink);
  // Adds what its problems and checkers stand for.
  void expand(Program& program, DiagnosticSink& sink);
  [[nodiscard]] std::string real_folder_of(const std::string& path);
  // Reads what a tree imports, beside the name that it was reached by.
  void follow(const syntax::Tree& tree, const std::string& path, files::NamedBy who,
              Program& program, std::vector<Step>& chain, DiagnosticSink& sink);
  void follow(const syntax::ImportItem& import, const std::string& path, Program& program,
              std::vector<Step>& chain, DiagnosticSink& sink);
  // False, and said, if the target imports itself that way, or the way is too long.
  [[nodiscard]] bool may_go_on(const syntax::ImportItem& import, const std::string& target,
                               const std::vector<Step>& chain, DiagnosticSink& sink);
  [[nodiscard]] std::string resolve(const std::string& importing, const std::string& path);
  // Where models are looked for; empty if it is not there.
  [[nodiscard]] std::string find_among_models(const std::string& path);
  // Where a library is: only where models are looked for. Empty, and said, if it is nowhere.
  [[nodiscard]] std::string find_library(const syntax::ImportItem& import, DiagnosticSink& sink);
  void unknown_library(const syntax::ImportItem& import, DiagnosticSink& sink);
  [[nodiscard]] std::vector<std::string> search_path(const Program& program) const;
  const syntax::Tree* add(Program& program, const std::string& path, files::NamedBy who,
                          std::optional<Span> from, DiagnosticSink& sink);
  [[nodiscard]] bool same_text(const std::string& path, const std::string& text);
  void tell_of_others(const std::string& wanted, const syntax::Tree& taken,
                      const std::vector<std::string>& others, std::optional<Span> from,
                      DiagnosticSink& sink);
  // Adds the file of a model, unless the program has it already. The library's is meant where the
  // user names a model.
  bool find_by_name(Program& program, const std::string& wanted, files::NamedBy who,
                    std::optional<Span> from, DiagnosticSink& sink);
  // The same for a model that the program declares.
  void look_for_namesakes(Program& program, const std::string& wanted, const syntax::Tree& own,
                          files::NamedBy who, std::optional<Span> from, DiagnosticSink& sink);
  bool add_listed(Program& program, const std::string& wanted, std::optional<Span> from,
                  DiagnosticSink& sink);
  void unknown_model(const Program& program, const std::string& wanted, std::optional<Span> from,
                     DiagnosticSink& sink);

  FileSystem& files_;
  Places places_;
  const Allowance* allowance_;  // may be null
  SourceStore sources_;
  NameTable names_;
  std::deque<Parsed> trees_;
  std::deque<syntax::Tree> derived_;  // what problems and checkers stand for
  std::map<Identity, const Parsed*> read_;
};

// A program under a model, checked; nothing, with diagnostics, if something is wrong with either.
[[nodiscard]] std::optional<check::Checked> load_checked(Workspace& workspace,
                                                         const std::string& path,
                                                         const std::string& model, Program& program,
                                                         DiagnosticList& diagnostics);

}  // namespace leto::workspace

// Leto as a library: programs and models in, verdicts out.
//
//   leto::api::Session session;
//   session.open("sum.leto", text);                    // a text; it need not be in a file
//   for (const auto& remark : session.check("sum.leto")) ...
//   auto verdict = session.verify("sum.leto", "additive_seu");
//   if (verdict.status == leto::api::Status::Proved) ...
//
// Nothing is printed, no signal is caught, and the process is never ended. What goes wrong with a
// solver or a limit is Status::Unknown. A solver that there is not, or that is not installed, is an
// error among the remarks of a verdict, and Session::problem says so before. What was answered once
// in a session is not asked again, so after a change only what it touches is proved anew.
//
// A session is used by one thread at a time; several can live side by side. Only Session::cancel
// may be called from any thread, at any time. A second call while one is under way, also by a
// Watcher, throws std::logic_error, and so does the use of a session that was moved from. Nothing
// else is thrown but what the machine does not give (std::bad_alloc, std::system_error).
//
// This header is all that there is to know: it includes nothing of Leto's own and changes only by
// additions.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leto::api {

// Where something stands. Lines and columns count from 1, columns in characters. Line 0: nowhere.
struct Place {
  std::string path;
  unsigned line = 0, column = 0;
  unsigned end_line = 0, end_column = 0;
};

// What is wrong with a program, or odd about it.
struct Remark {
  bool error = false;
  std::string code;  // "L0301"; the manual has a page for each. Empty: it is not about the program
  std::string message;
  Place at;
  std::string help;  // what to do; may be empty
  // A change that would mend it: the text to put in the place of what stands there.
  struct Edit {
    Place at;
    std::string text;
  };
  std::optional<Edit> edit;
};

// Vacuous: it holds, but only because what is assumed contradicts itself. Only Proved is a proof.
enum class Status { Proved, Refuted, Unknown, Vacuous };

struct Claim {
  std::string kind;      // "assert", "check", "invariant-kept": stable
  std::string function;  // whose it is
  std::string text;      // what is claimed; if it is refuted, what can happen
  Place at;
  Status status = Status::Unknown;
  // If it is not proved: why, and what to do.
  std::string why, advice;
  // If a run that breaks it was executed: its inputs and faults, as JSON for `leto run --faults`.
  std::string script;
};

struct Verdict {
  // Of all claims, the worst. Unknown if the program has errors, or the work was cancelled.
  Status status = Status::Unknown;
  std::vector<Claim> claims;
  // With an error among them there are no claims. If the time was over, one says so.
  std::vector<Remark> remarks;
  std::string model;  // "none": exact hardware
  // Invariants that were found for loops, as they would be written.
  struct Invariant {
    Place loop;
    std::string text;
  };
  std::vector<Invariant> inferred;
  std::size_t asked = 0;  // questions that a solver answered
  // Questions whose answer was known, and functions that were proved before.
  std::size_t remembered = 0;
  bool cancelled = false;
  double seconds = 0;
};

// Told what happens while it happens.
struct Progress {
  std::string what;              // "f: the index is within bounds"
  std::size_t done = 0, of = 0;  // steps of the proof; 0 of 0 while nobody knows how many
};
// Called by the thread that called Session::verify, whenever there is something new and else some
// twenty times a second. Return false to cancel: what is not known then stays unknown. If nobody
// cancels, the last call has done == of, and nothing is left to cancel. What it throws cancels too,
// and comes out of Session::verify.
using Watcher = std::function<bool(const Progress&)>;

struct Model {
  std::string name, path, summary;
};

struct Options {
  // Folders to look for models in, before those that are installed with the library.
  std::vector<std::string> model_path;
  std::vector<std::string>
      allow_import;           // folders that programs may import from, besides their own
  std::string solver = "z3";  // or "cvc5", or "both"; another one is an error of every verdict
  // A number that is out of its range is an error of every verdict, as Session::problem says.
  unsigned jobs = 0;             // workers, up to 256; 0: one per core
  double seconds = 600;          // for one call, up to 1e9; 0: no limit
  double question_seconds = 20;  // for one question to a solver, from 0.001 to 1e6
  bool infer = true;             // look for invariants
  bool explain = true;           // say why what is not proved is not
  // A folder for answers between sessions; empty: none. One that cannot be used is a remark.
  std::string cache;
};

class Session {
 public:
  explicit Session(Options options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // Why nothing can be proved whatever the program: there is no solver of that name, or it is not
  // in the PATH, or an option makes no sense. Empty if nothing is in the way.
  [[nodiscard]] std::string problem() const;

  // A text under a name, in place of a file of that name, if there is one. Again: it has changed.
  void open(const std::string& path, std::string text);
  // From now on it is what the disk says.
  void close(const std::string& path);

  // The errors and warnings of a program. An empty model is the one that it names.
  [[nodiscard]] std::vector<Remark> check(const std::string& path, const std::string& model = "");
  [[nodiscard]] Verdict verify(const std::string& path, const std::string& model = "",
                               const Watcher& watcher = {});
  // Ends the call that is under way, if one is, within a moment. From any thread.
  void cancel();
  // In the house style; nothing if it does not parse.
  [[nodiscard]] std::optional<std::string> format(const std::string& path);
  // Those that can be picked by name.
  [[nodiscard]] std::vector<Model> models();

 private:
  struct Inside;
  [[nodiscard]] Inside& inside() const;
  std::unique_ptr<Inside> inside_;
};

// "0.1.0"
[[nodiscard]] std::string version();

}  // namespace leto::api

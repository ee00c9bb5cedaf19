// Diagnostics as data: a kind, a place, arguments, notes and at most one help
// with the edit that would mend it. Whoever consumes them prints, counts or
// compares; whoever reports them goes on with its work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace leto {

enum class Severity : std::uint8_t { Warning, Error };

enum class DiagnosticKind : std::uint16_t {
#define LETO_DIAGNOSTIC(kind, code, severity, message) kind,
#include "base/diagnostics.def"
#undef LETO_DIAGNOSTIC
};

struct DiagnosticInfo {
  DiagnosticKind kind;
  std::string_view name;  // as in the enumeration
  std::string_view code;
  Severity severity;
  std::string_view message;
};

[[nodiscard]] const std::vector<DiagnosticInfo>& all_diagnostics();
[[nodiscard]] const DiagnosticInfo& info(DiagnosticKind kind);
// The kind with this code, upper or lower case.
[[nodiscard]] std::optional<DiagnosticKind> diagnostic_by_code(std::string_view code);

struct Note {
  std::optional<Span> span;
  std::string text;
};

struct Edit {
  Span span;  // what is replaced; empty for an insertion
  std::string replacement;
};

struct Help {
  std::string text;
  std::optional<Edit> edit;
};

struct Diagnostic {
  DiagnosticKind kind;
  std::optional<Span> span;  // absent only for what is not about any file
  std::vector<std::string> args;
  std::vector<Note> notes;
  std::optional<Help> help;

  [[nodiscard]] std::string message() const;
  [[nodiscard]] Severity severity() const { return info(kind).severity; }

  // For building one in a single expression.
  Diagnostic&& note(std::optional<Span> at, std::string text) &&;
  Diagnostic&& helping(std::string text, std::optional<Edit> edit = std::nullopt) &&;
};

class DiagnosticSink {
 public:
  virtual ~DiagnosticSink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

class DiagnosticList final : public DiagnosticSink {
 public:
  void report(Diagnostic diagnostic) override;
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  // By file and place; what is about no file comes first. Equal ones are kept once.
  void sort_and_unique();

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

}  // namespace leto

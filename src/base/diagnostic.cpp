#include "base/diagnostic.h"

#include <fmt/args.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <tuple>

namespace leto {

namespace {
constexpr DiagnosticInfo kTable[] = {
#define LETO_DIAGNOSTIC(kind, code, severity, message) \
  {DiagnosticKind::kind, #kind, code, Severity::severity, message},
#include "base/diagnostics.def"
#undef LETO_DIAGNOSTIC
};
}  // namespace

const std::vector<DiagnosticInfo>& all_diagnostics() {
  static const std::vector<DiagnosticInfo> table(std::begin(kTable), std::end(kTable));
  return table;
}

const DiagnosticInfo& info(DiagnosticKind kind) {
  return kTable[static_cast<std::size_t>(kind)];
}

std::optional<DiagnosticKind> diagnostic_by_code(std::string_view code) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
  };
  for (const DiagnosticInfo& row : kTable)
    if (std::equal(code.begin(), code.end(), row.code.begin(), row.code.end(), same))
      return row.kind;
  return std::nullopt;
}

std::string Diagnostic::message() const {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const std::string& arg : args) store.push_back(arg);
  return fmt::vformat(info(kind).message, store);
}

Diagnostic&& Diagnostic::note(std::optional<Span> at, std::string text) && {
  notes.push_back({at, std::move(text)});
  return std::move(*this);
}

Diagnostic&& Diagnostic::helping(std::string text, std::optional<Edit> edit) && {
  help = Help{std::move(text), std::move(edit)};
  return std::move(*this);
}

void DiagnosticList::report(Diagnostic diagnostic) {
  if (diagnostic.severity() == Severity::Error) ++errors_;
  all_.push_back(std::move(diagnostic));
}

void DiagnosticList::sort_and_unique() {
  const auto key = [](const Diagnostic& d) {
    const std::uint64_t file = d.span ? std::uint64_t{d.span->file.value} + 1 : 0;
    return std::make_tuple(file, d.span ? d.span->begin : 0, d.span ? d.span->end : 0, d.kind);
  };
  std::stable_sort(all_.begin(), all_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  const auto same = [&](const Diagnostic& a, const Diagnostic& b) {
    return key(a) == key(b) && a.args == b.args;
  };
  all_.erase(std::unique(all_.begin(), all_.end(), same), all_.end());
  errors_ =
      static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), [](const Diagnostic& d) {
        return d.severity() == Severity::Error;
      }));
}

}  // namespace leto

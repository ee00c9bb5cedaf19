#include <fmt/core.h>

#include <algorithm>

#include "report/escape.h"
#include "report/render.h"
#include "report/screen.h"

namespace leto::report {

namespace {

constexpr std::size_t kTab = 4;
constexpr std::size_t kMaxColumns = 140;

// A source line as it is shown: one entry per column.
std::vector<std::string> columns(std::string_view line) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t n = std::max<std::size_t>(utf8_length(line.substr(i, 4)), 1);
    if (line[i] == '\t')
      out.insert(out.end(), kTab, " ");
    else
      out.push_back(visible(line.substr(i, n)));
    i += n;
  }
  return out;
}

class TextRenderer {
 public:
  TextRenderer(const SourceStore& sources, const TextStyle& style)
      : sources_(sources), style_(style) {}

  std::string run(const DiagnosticList& diagnostics) {
    std::size_t errors = 0, warnings = 0, hidden = 0;
    std::string_view first_code;
    for (const Diagnostic& d : diagnostics.all()) {
      const bool is_error = d.severity() == Severity::Error;
      (is_error ? errors : warnings) += 1;
      if (is_error && errors > style_.max_errors) {
        ++hidden;
        continue;
      }
      if (first_code.empty()) first_code = info(d.kind).code;
      render_one(d);
    }
    if (errors + warnings == 0) return std::move(out_);
    std::string counts;
    if (errors > 0) counts += fmt::format("{} error{}", errors, errors == 1 ? "" : "s");
    if (warnings > 0)
      counts += fmt::format("{}{} warning{}", counts.empty() ? "" : ", ", warnings,
                            warnings == 1 ? "" : "s");
    if (hidden > 0) counts += fmt::format(" ({} not shown; see --max-errors)", hidden);
    out_ += fmt::format("{}. 'leto explain {}' says more.\n", counts, first_code);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string paint(std::string_view text, std::string_view code) const {
    return style_.colour ? painted(text, code) : std::string(text);
  }
  [[nodiscard]] std::string where(const std::optional<Span>& span) const {
    if (!span) return "leto: ";
    const SourceFile& file = sources_[span->file];
    const Position at = file.position(span->begin);
    return paint(fmt::format("{}:{}:{}: ", name_on_line(file.path()), at.line, at.column), "1");
  }

  void render_one(const Diagnostic& d) {
    const bool is_error = d.severity() == Severity::Error;
    const std::string_view colour = is_error ? "1;31" : "1;35";
    out_ += where(d.span) + paint(is_error ? "error: " : "warning: ", colour) +
            paint(visible(d.message()), "1") + fmt::format(" [{}]\n", info(d.kind).code);
    excerpt(d.span, colour, '^');
    for (const Note& note : d.notes) {
      out_ += (note.span ? where(note.span) : "  ") + paint("note: ", "1;36") + visible(note.text) +
              "\n";
      excerpt(note.span, "1;36", '~');
    }
    if (d.help) out_ += "  " + paint("help: ", "1;32") + visible(d.help->text) + "\n";
    out_ += '\n';
  }

  void excerpt(const std::optional<Span>& span, std::string_view colour, char mark) {
    if (!span) return;
    const SourceFile& file = sources_[span->file];
    const std::uint32_t line = file.line_of(std::min(span->begin, file.size()));
    const std::uint32_t begin = file.line_begin(line);
    const std::string_view text = file.line_text(line);
    // A line can be megabytes long: only the bytes near the place are looked at.
    const std::size_t at = std::min<std::size_t>(span->begin - begin, text.size());
    std::size_t from = at > 4 * kMaxColumns ? at - 4 * kMaxColumns : 0;
    while (from > 0 && from < text.size() &&
           (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80)
      --from;
    const std::size_t upto = std::min(text.size(), at + 4 * kMaxColumns);
    if (from == 0 && line == 1 && text.starts_with("\xef\xbb\xbf")) from = 3;
    const std::size_t middle = std::max(at, from);
    const std::size_t last = std::clamp<std::size_t>(span->end - begin, middle, upto);
    std::vector<std::string> shown = columns(text.substr(from, upto - from));
    std::size_t first_column = columns(text.substr(from, middle - from)).size();
    std::size_t width =
        std::max<std::size_t>(1, columns(text.substr(middle, last - middle)).size());
    std::size_t left = 0;
    if (first_column > kMaxColumns / 2) left = first_column - kMaxColumns / 2;
    const bool cut_left = left > 0 || from > 3;
    const bool cut_right = shown.size() - left > kMaxColumns || upto < text.size();
    const std::size_t right = std::min(shown.size(), left + kMaxColumns);
    width = std::min(width, std::max<std::size_t>(1, right - std::min(right, first_column)));
    std::string source;
    for (std::size_t i = left; i < right; ++i) source += shown[i];
    const std::string number = fmt::format("{:>5}", line);
    out_ +=
        fmt::format("{} | {}{}{}\n", number, cut_left ? "..." : "", source, cut_right ? "..." : "");
    out_ += fmt::format("{:>5} | {}{}\n", "",
                        std::string(first_column - left + (cut_left ? 3 : 0), ' '),
                        paint(std::string(width, mark), colour));
  }

  const SourceStore& sources_;
  const TextStyle& style_;
  std::string out_;
};

}  // namespace

std::string render_text(const DiagnosticList& diagnostics, const SourceStore& sources,
                        const TextStyle& style) {
  return TextRenderer(sources, style).run(diagnostics);
}

}  // namespace leto::report

#include "transition/sexpr.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::transition {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool ends_atom(char c) {
  return is_space(c) || c == '(' || c == ')' || c == ';' || c == '|';
}

}  // namespace

std::vector<SexprId> Sexprs::read(FileId file, DiagnosticSink& sink) {
  const std::string_view text = sources_[file].text();
  std::vector<std::vector<SexprId>> open{{}};
  std::vector<std::uint32_t> begins;
  const auto size = static_cast<std::uint32_t>(text.size());
  const auto refuse = [&](std::uint32_t begin, std::uint32_t end, std::string what) {
    sink.report({DiagnosticKind::McmtSyntax, Span{file, begin, end}, {std::move(what)}, {}, {}});
    return std::vector<SexprId>{};
  };
  for (std::uint32_t at = 0; at < size;) {
    const std::uint32_t begin = at;
    const char c = text[at];
    if (is_space(c)) {
      ++at;
    } else if (c == ';') {
      at = static_cast<std::uint32_t>(std::min<std::size_t>(text.find_first_of("\n\r", at), size));
    } else if (c == '(') {
      open.emplace_back();
      begins.push_back(at++);
    } else if (c == ')') {
      if (begins.empty()) return refuse(at, at + 1, "this parenthesis closes nothing");
      Sexpr list{Span{file, begins.back(), ++at}, {}, std::move(open.back()), true};
      begins.pop_back();
      open.pop_back();
      open.back().push_back(nodes_.add(std::move(list)));
    } else if (c == '|') {
      const std::size_t end = text.find('|', at + 1);
      if (end == std::string_view::npos)
        return refuse(begin, begin + 1, "this name has no end: a second '|' is missing");
      at = static_cast<std::uint32_t>(end + 1);
      open.back().push_back(
          nodes_.add({Span{file, begin, at}, text.substr(begin + 1, at - begin - 2), {}, false}));
    } else {
      while (at < size && !ends_atom(text[at])) ++at;
      open.back().push_back(
          nodes_.add({Span{file, begin, at}, text.substr(begin, at - begin), {}, false}));
    }
  }
  if (!begins.empty())
    return refuse(begins.back(), begins.back() + 1, "this parenthesis is never closed");
  return std::move(open.back());
}

std::string Sexprs::shown(SexprId id) const {
  constexpr std::size_t kMost = 40;
  const std::string_view text = sources_.text(nodes_[id].span);
  std::string out;
  for (const char c : text.substr(0, kMost)) out += is_space(c) ? ' ' : c;
  return text.size() > kMost ? out + ".." : out;
}

}  // namespace leto::transition

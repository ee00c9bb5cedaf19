#include "workbench/clauses.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::workbench {

std::string written(const SourceStore& sources, const Span& span) {
  std::string out;
  for (const char c : sources[span.file].text().substr(span.begin, span.end - span.begin)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

std::string told_challengers(const syntax::RightMember& right, const NameTable& names) {
  std::string list;
  for (const syntax::Param& param : right.against)
    list += (list.empty() ? "" : ", ") + std::string(names.text(param.name.name));
  return fmt::format("right against ({})", list);
}

std::string told_clause(const problem::Parts& problem, std::size_t k, const NameTable& names) {
  const syntax::RightMember& right = *problem.rights[k];
  const std::string number = fmt::format("clause {}", k + 1);
  return right.against.empty() ? number : number + ", " + told_challengers(right, names);
}

std::string as_forall(const problem::Parts& problem, std::size_t k,
                      const workspace::Workspace& workspace) {
  const syntax::RightMember& right = *problem.rights[k];
  const bool scalars =
      std::all_of(right.against.begin(), right.against.end(), [](const syntax::Param& param) {
        return param.type.shape == syntax::Shape::Scalar && !param.type.record.valid();
      });
  if (right.against.empty() || !scalars) return "";
  std::string params;
  for (const syntax::Param& param : right.against)
    params +=
        fmt::format("{}{} {}", params.empty() ? "" : ", ", syntax::spelling(param.type.scalar),
                    workspace.names().text(param.name.name));
  const auto text = [&](syntax::ExprId id) {
    return written(workspace.sources(), problem.tree->exprs[id].span);
  };
  std::string when = right.when.valid() ? text(right.when) : "";
  if (when.find("->") != std::string::npos) when = "(" + when + ")";
  return fmt::format("right forall({})({}{}{})", params, when, when.empty() ? "" : " -> ",
                     text(right.expr));
}

}  // namespace leto::workbench

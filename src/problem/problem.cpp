#include "problem/problem.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::problem {

using namespace syntax;

std::string exact_name(std::string_view checker) {
  return fmt::format("{}, exactly", checker);
}
std::string against_name(std::string_view checker, std::size_t clause) {
  return fmt::format("{}, against {}", checker, clause + 1);
}
std::string witness_name(std::string_view checker) {
  return fmt::format("{}, witness", checker);
}
std::string certified_name(std::string_view checker) {
  return fmt::format("{}, certified", checker);
}
std::string decided_name(std::string_view checker) {
  return fmt::format("{}, decided", checker);
}
std::string run_name(std::string_view checker) {
  return fmt::format("{}, as it runs", checker);
}
std::string exact_run_name(std::string_view checker) {
  return fmt::format("{}, as it runs exactly", checker);
}
std::string under_name(std::string_view checker, std::string_view model) {
  return fmt::format("{}, under {}", checker, model);
}
std::string under_against_name(std::string_view checker, std::string_view model,
                               std::size_t clause) {
  return fmt::format("{}, under {}, against {}", checker, model, clause + 1);
}
std::string unless_name(std::string_view checker, std::string_view model) {
  return fmt::format("{}, under {}, unless", checker, model);
}
std::string never_name(std::string_view checker) {
  return fmt::format("{}, never", checker);
}
std::string unique_name(std::string_view problem) {
  return fmt::format("{}, unique", problem);
}
std::string right_name(std::string_view problem, std::size_t clause) {
  return fmt::format("{}, right {}", problem, clause + 1);
}
std::string surely_name(std::string_view problem, std::size_t clause) {
  return fmt::format("{}, surely right {}", problem, clause + 1);
}
std::string implied_name(std::string_view problem) {
  return fmt::format("{}, surely right is right", problem);
}
std::string implied_name(std::string_view problem, std::size_t clause) {
  return fmt::format("{}, surely right is right {}", problem, clause + 1);
}
std::string within_name(std::string_view checker) {
  return fmt::format("{}, within", checker);
}
std::string requires_name(std::string_view problem) {
  return fmt::format("{}, requires", problem);
}
std::string case_name(std::string_view problem, std::size_t example, std::size_t clause) {
  return fmt::format("{}, example {}, right {}", problem, example + 1, clause + 1);
}

std::vector<const Param*> Parts::challengers() const {
  std::vector<const Param*> all;
  for (const RightMember* right : rights)
    for (const Param& param : right->against) all.push_back(&param);
  return all;
}

namespace {

bool are_same_types(const std::vector<Param>& a, const std::vector<Param>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Param& x, const Param& y) {
    return x.type.scalar == y.type.scalar && x.type.shape == y.type.shape &&
           x.type.record == y.type.record;
  });
}

}  // namespace

std::optional<std::vector<const RightMember*>> Parts::clauses_of(std::size_t challengers) const {
  std::vector<const RightMember*> found;
  const RightMember* first = nullptr;
  for (const RightMember* right : rights) {
    const bool named = challengers > 0 && right->against.size() == challengers;
    if (!named && !right->against.empty()) continue;
    if (named && first != nullptr && !are_same_types(first->against, right->against))
      return std::nullopt;
    if (named && first == nullptr) first = right;
    found.push_back(right);
  }
  if (challengers > 0 && first == nullptr) return std::nullopt;
  return found;
}

Parts take_apart(const Tree& tree, const ProblemItem& item) {
  Parts parts;
  parts.tree = &tree;
  parts.item = &item;
  for (const ProblemMember& member : item.members) {
    if (const auto* port = std::get_if<PortMember>(&member.node)) {
      for (const Param& param : port->params)
        (port->output ? parts.outputs : parts.inputs).push_back(&param);
    } else if (const auto* need = std::get_if<ConstraintItem>(&member.node)) {
      parts.needs.push_back(need->expr);
    } else if (const auto* right = std::get_if<RightMember>(&member.node)) {
      (right->surely ? parts.surely : parts.rights).push_back(right);
    } else if (const auto* example = std::get_if<ExampleMember>(&member.node)) {
      parts.examples.push_back(example);
    } else if (const auto* unique = std::get_if<UniqueMember>(&member.node)) {
      parts.unique = unique;
    }
  }
  return parts;
}

Parts find_problem(const std::vector<const Tree*>& trees, Name name) {
  for (const Tree* tree : trees)
    for (const Item& item : tree->items)
      if (const auto* problem = std::get_if<ProblemItem>(&item.node);
          problem != nullptr && problem->name.name == name)
        return take_apart(*tree, *problem);
  return {};
}

std::vector<FoundChecker> find_checkers(const std::vector<const Tree*>& trees) {
  std::vector<FoundChecker> found;
  for (const Tree* tree : trees)
    for (const Item& item : tree->items)
      if (const auto* checker = std::get_if<ProvedCheckerItem>(&item.node))
        found.push_back({tree, checker});
  return found;
}

const CertifiesClause* certifies_of(const ProvedCheckerItem& checker) {
  for (const CheckerClause& clause : checker.clauses)
    if (const auto* found = std::get_if<CertifiesClause>(&clause.node)) return found;
  return nullptr;
}

const WithinClause* within_of(const ProvedCheckerItem& checker) {
  for (const CheckerClause& clause : checker.clauses)
    if (const auto* found = std::get_if<WithinClause>(&clause.node)) return found;
  return nullptr;
}

const ExistsClause* exists_of(const ProvedCheckerItem& checker) {
  for (const CheckerClause& clause : checker.clauses)
    if (const auto* found = std::get_if<ExistsClause>(&clause.node)) return found;
  return nullptr;
}

bool is_giving_up(const Tree& tree, const Stmt& stmt, const NameTable& names) {
  const auto* back = std::get_if<ReturnStmt>(&stmt.node);
  if (back == nullptr || !back->value.valid() || !back->more.empty()) return false;
  const auto* name = std::get_if<NameExpr>(&tree.exprs[back->value].node);
  return name != nullptr && name->name.valid() && names.text(name->name) == "unknown";
}

bool can_give_up(const FoundChecker& checker, const NameTable& names) {
  const Span body = checker.tree->stmts[checker.item->body].span;
  for (const Stmt& stmt : checker.tree->stmts)
    if (body.begin <= stmt.span.begin && stmt.span.end <= body.end &&
        is_giving_up(*checker.tree, stmt, names))
      return true;
  return false;
}

std::string executed_name(const FoundChecker& checker, const NameTable& names) {
  const std::string_view name = names.text(checker.item->name.name);
  return can_give_up(checker, names) ? exact_run_name(name) : exact_name(name);
}

std::vector<Under> unders_of(const ProvedCheckerItem& checker) {
  std::vector<Under> found;
  for (const CheckerClause& clause : checker.clauses) {
    const auto* under = std::get_if<UnderClause>(&clause.node);
    if (under == nullptr) continue;
    auto at = std::find_if(found.begin(), found.end(),
                           [&](const Under& one) { return one.model.name == under->model.name; });
    if (at == found.end()) at = found.insert(found.end(), {under->model, nullptr, nullptr});
    const UnderClause*& claimed = under->complete ? at->complete : at->sound;
    if (claimed == nullptr) claimed = under;
  }
  return found;
}

}  // namespace leto::problem

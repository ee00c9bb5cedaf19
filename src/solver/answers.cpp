#include "solver/answers.h"

#include <cstdlib>

namespace leto::solver {

namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::optional<std::vector<std::string>> parts_of(std::string_view text) {
  const std::size_t open = text.find_first_not_of(" \n\r\t");
  if (open == std::string_view::npos || text[open] != '(') return std::nullopt;
  std::vector<std::string> parts;
  std::string current;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (c == '(' && depth++ == 0) continue;
    if (c == ')' && --depth == 0) {
      if (!current.empty()) parts.push_back(current);
      return parts;
    }
    if (blank && depth == 1) {
      if (!current.empty()) parts.push_back(std::move(current));
      current.clear();
      continue;
    }
    if (!blank || (!current.empty() && current.back() != ' ')) current += blank ? ' ' : c;
    if (c == ')' && depth == 1) {
      parts.push_back(std::move(current));
      current.clear();
    }
  }
  return std::nullopt;
}

std::uint64_t take_resource(std::string& reply) {
  const std::size_t at = reply.rfind("(:rlimit ");
  if (at == std::string::npos) return 0;
  const std::uint64_t count = std::strtoull(reply.c_str() + at + 9, nullptr, 10);
  reply.erase(at);
  return count;
}

void drop_line_ends(std::string& reply) {
  while (!reply.empty() && (reply.back() == '\n' || reply.back() == '\r')) reply.pop_back();
}

Said verdict_in(std::string_view reply) {
  if (reply == "unsat") return Said::Unsat;
  if (reply == "sat") return Said::Sat;
  return reply == "unknown" || has(reply, "timeout") ? Said::Unknown : Said::SomethingElse;
}

Reason reason_of_something_else(std::string_view reply) {
  return has(reply, "out of memory") ? Reason::Memory : Reason::Garbage;
}

Reason reason_of_unknown(std::string_view reply, bool resource_is_used_up) {
  if (has(reply, "memout") || has(reply, "memory")) return Reason::Memory;
  if (has(reply, "resource") || has(reply, "rlimit") || resource_is_used_up)
    return Reason::Resource;  // which Z3 also calls "canceled"
  return has(reply, "timeout") || has(reply, "canceled") ? Reason::Time : Reason::Incomplete;
}

void read_assumptions(std::string_view reply, const std::string& claimed, Answer& answer) {
  const auto took = parts_of(reply);
  answer.took_claim = took && took->size() == 1 && (*took)[0] == claimed;
  answer.took_nothing = took && took->empty();
}

std::vector<std::string> values_in(std::string_view reply, std::size_t asked) {
  std::vector<std::string> values;
  const auto pairs = parts_of(reply);
  if (!pairs || pairs->size() != asked) return values;
  for (const std::string& pair : *pairs) {
    const auto both = parts_of(pair);
    values.push_back(both && both->size() == 2 ? (*both)[1] : "");
  }
  return values;
}

}  // namespace leto::solver

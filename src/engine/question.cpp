#include <fmt/core.h>

#include "engine/digest.h"
#include "engine/engine.h"

namespace leto::engine {

namespace {

std::string_view describe(solver::Strategy strategy) {
  switch (strategy) {
    case solver::Strategy::General:
      return "";
    case solver::Strategy::Matching:
      return " matching";
    case solver::Strategy::Models:
      return " models";
  }
  LETO_ASSERT(false);
}

}  // namespace

std::string key_of(const std::string& solver, const solver::Query& query) {
  std::string values;
  for (const std::string& value : query.values) values += value + '\x1f';
  return digest(std::string("leto ") + kEncoderVersion + "\n" + solver +
                fmt::format(" effort {}{}{}\n", static_cast<int>(query.effort),
                            describe(query.strategy), query.each ? " each" : "") +
                values + "\n" + query.text);
}

bool is_worth_keeping(const solver::Query& query, const solver::Answer& answer) {
  if (answer.verdict != solver::Verdict::Unknown) return true;
  return query.effort != solver::Effort::Full &&
         (answer.reason == solver::Reason::Resource || answer.reason == solver::Reason::Incomplete);
}

}  // namespace leto::engine

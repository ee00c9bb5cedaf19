#include <fmt/core.h>

#include "engine/digest.h"
#include "engine/engine.h"

namespace leto::engine {

std::string key_of(const std::string& solver, const solver::Query& query) {
  std::string values;
  for (const std::string& value : query.values) values += value + '\x1f';
  return digest(std::string("leto ") + kEncoderVersion + "\n" + solver +
                fmt::format(" effort {}", static_cast<int>(query.effort)) +
                (query.strategy == solver::Strategy::Matching ? " matching" : "") + "\n" + values +
                "\n" + query.text);
}

bool is_worth_keeping(const solver::Query& query, const solver::Answer& answer) {
  if (answer.verdict != solver::Verdict::Unknown) return true;
  return query.effort != solver::Effort::Full &&
         (answer.reason == solver::Reason::Resource || answer.reason == solver::Reason::Incomplete);
}

}  // namespace leto::engine

// Which facts can matter for a goal, found when somebody asks: most claims are proved from the few
// that are near, and what else shares symbols with them is never written down.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vcgen/facts.h"
#include "vcgen/log.h"

namespace leto::vcgen {

// Facts, and what is always true of constants and of the symbols that occur.
[[nodiscard]] Known complete(const logic::TermTable& terms, Symbols& symbols, const Log& log,
                             Term goal, const std::vector<Term>& facts);

// Of one reader. Remembers the log that it was asked about last; that may have grown meanwhile.
class Relevance {
 public:
  explicit Relevance(const logic::TermTable& terms) : terms_(terms), symbols_(terms) {}

  // Of what is known at an entry: what shares a symbol with the goal, directly or by way of others,
  // and what speaks of hubs only.
  // What was asked last is remembered: a claim is named, asked and sealed by the same facts.
  [[nodiscard]] const Known& find(const std::shared_ptr<const Log>& log, std::uint32_t known,
                                  Term goal);

 private:
  void index(const std::shared_ptr<const Log>& log);
  [[nodiscard]] std::vector<std::uint32_t> find_entries(std::uint32_t known, Term goal);

  const logic::TermTable& terms_;
  Symbols symbols_;
  std::shared_ptr<const Log> log_;
  std::uint32_t indexed_ = 0;  // entries of it
  std::unordered_map<Term, std::vector<std::uint32_t>> by_symbol_;
  std::vector<std::uint32_t> of_hubs_;
  struct Asked {
    std::shared_ptr<const Log> log;
    std::uint32_t known;
    Term goal;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  std::optional<Asked> last_;
  Known found_;
};

}  // namespace leto::vcgen

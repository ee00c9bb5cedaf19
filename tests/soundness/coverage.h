// How often each construct of the language occurs in random programs, and in those that verify.
// A verifier is only tried out on what is there.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "program.h"

namespace leto::soundness {

struct Construct {
  std::string name;
  std::string line;  // of tests/constructs.txt
};
[[nodiscard]] const std::vector<Construct>& constructs();

// What random programs do not have, and why.
struct LeftOut {
  std::string name;
  std::string line;  // of tests/constructs.txt; empty: it has none
  std::string reason;
};
[[nodiscard]] const std::vector<LeftOut>& left_out();

// Does every line of constructs.txt have a construct here, and the other way round? Complaints.
[[nodiscard]] std::vector<std::string> compare_lists(const std::string& constructs_txt);

// Those that occur in what is left of a program.
[[nodiscard]] std::set<std::string> constructs_in(Program& program);

class Coverage {
 public:
  void add(const std::set<std::string>& all, bool verified, const std::set<std::string>& proved);

  static constexpr double kLeast = 0.01;           // of all programs
  static constexpr double kLeastVerified = 0.002;  // of those that verify
  [[nodiscard]] std::string table() const;
  // Constructs that are too rare, and what is not listed.
  [[nodiscard]] std::vector<std::string> complaints(bool of_verified) const;

 private:
  struct Count {
    std::uint64_t all = 0, verified = 0;
  };
  std::uint64_t programs_ = 0, verified_ = 0;
  std::map<std::string, Count> counts_;
};

}  // namespace leto::soundness

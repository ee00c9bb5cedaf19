// Engines of an executable of ours that links Z3, `leto-engine`: it dies when Z3 does, so it is a
// process of its own. How it is spoken to is said where it lies; nothing that it says is believed.
#pragma once

#include <string>
#include <vector>

#include "transition/bmc.h"

namespace leto::transition {

// The system as it wants it: `init`, `trans`, `claim`, `facts`.
[[nodiscard]] std::string write_for_engine(const System& system, const Claim& claim,
                                           const std::vector<Term>& facts);

class ForeignEngine final : public Engine {
 public:
  // `arguments`: of the program; the first is the name of the engine. It sees to its limits itself;
  // `memory_mb` is the one that it was given, 0: none.
  ForeignEngine(const System& system, std::size_t claim, const std::vector<Term>& facts,
                const std::string& program, const std::vector<std::string>& arguments,
                std::uint64_t memory_mb);
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Proposal advance(Slice& slice, const Allowance& allowance) override;
  [[nodiscard]] bool has_ended() const override { return ended_; }
  [[nodiscard]] std::string progress() const override { return progress_; }
  [[nodiscard]] double cpu_seconds() const override { return process_.cpu_seconds(); }
  [[nodiscard]] bool out_of_memory() const override { return out_of_memory_; }

  // What it says to hold in every reachable state, so far. Not believed either.
  [[nodiscard]] const std::vector<Term>& lemmas() const { return lemmas_; }

 private:
  [[nodiscard]] Proposal take(const std::string& line);
  [[nodiscard]] std::optional<Term> read(const std::string& term) const;

  const System& system_;
  std::string name_;
  std::uint64_t memory_mb_;
  solver::Process process_;
  Patience patience_;
  std::vector<std::string> names_;
  std::vector<Term> lemmas_;
  std::string progress_;
  bool ended_ = false, out_of_memory_ = false;
};

}  // namespace leto::transition

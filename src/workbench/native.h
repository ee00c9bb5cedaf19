// Native campaigns: a program under a model, written as C++ with hooks for its faults, compiled by
// the compiler that is there, and told which runs to do. They are the runs of the interpreter's
// campaign, with the same seed and the same numbers, and are counted by the same classes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "emit/native.h"
#include "inject/inject.h"
#include "workbench/executing.h"

namespace leto::workbench {

class NativeCampaign {
 public:
  // Nothing, and a diagnostic or a problem, if it cannot be made. The settings have inputs.
  [[nodiscard]] static std::unique_ptr<NativeCampaign> build(const Executable& e,
                                                             const inject::Settings& settings,
                                                             const Allowance& allowance,
                                                             DiagnosticSink& sink,
                                                             std::string& problem);
  ~NativeCampaign();
  NativeCampaign(const NativeCampaign&) = delete;
  NativeCampaign& operator=(const NativeCampaign&) = delete;

  // As inject::campaign. A problem: it ended by itself.
  [[nodiscard]] inject::Result run(const Allowance& allowance,
                                   const std::function<void(std::uint64_t done)>& progress,
                                   std::string& problem);
  // What became of each run, from the first to before the other.
  [[nodiscard]] std::vector<inject::Class> classes(std::uint64_t from, std::uint64_t to,
                                                   const Allowance& allowance);

 private:
  NativeCampaign(const Executable& e, const inject::Settings& settings);
  // Why nothing can be said of any run, for the original run alone says so.
  [[nodiscard]] bool look_at_original(std::string& problem);
  [[nodiscard]] bool write_inputs(std::string& problem);
  [[nodiscard]] bool compile(const Allowance& allowance, std::string& problem);
  [[nodiscard]] bool start(std::string& problem);
  // Of some runs. False: it has ended, or has to.
  [[nodiscard]] bool ask(const std::string& what, std::uint64_t from, std::uint64_t to,
                         const Allowance& allowance, std::string& reply);
  void add(const std::string& reply, inject::Result& to) const;

  const Executable& e_;
  const inject::Settings& settings_;
  emit::Injected injected_;
  std::string folder_;
  std::optional<inject::Cause> nothing_;  // of the original run
  Span nothing_at_;
  struct Child;
  std::unique_ptr<Child> child_;
};

// What a native campaign reads of inputs, as text; a problem: a number that doubles or 64 bits do
// not hold.
[[nodiscard]] std::string native_inputs(const emit::Injected& injected,
                                        const core::Program& program, const interp::Inputs& inputs,
                                        const std::vector<double>& rates, std::string& problem);

}  // namespace leto::workbench

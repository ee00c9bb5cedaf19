#include "engine/solvers.h"

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <thread>

#include "engine/digest.h"
#include "files/files.h"

namespace leto::engine {

namespace {

SolverBinary binary_of(solver::Command command) {
  SolverBinary binary{std::move(command), "", {}};
  binary.path = files::real_path(solver::find_program(binary.command.arguments[0]));
  binary.hash = std::async([path = binary.path] { return digest_of_file(path); }).share();
  return binary;
}

// Answers must not outlive the solver that gave them. One that cannot be read has no name that
// anything could be kept under.
std::string kept_under(const SolverBinary& binary, const Allowance& allowance) {
  const std::string version = solver::version_of(binary.command, allowance);
  std::string hash = binary.hash.get();
  if (hash.empty()) hash = fmt::format("at random {}", std::random_device{}());
  return fmt::format("{} {} sha256={}", version, binary.path, hash);
}

}  // namespace

std::vector<std::string> missing_solvers(SolverChoice choice) {
  std::vector<std::string> missing;
  if (choice != SolverChoice::Cvc5 && !solver::can_start("z3")) missing.emplace_back("z3");
  if (choice != SolverChoice::Z3 && !solver::can_start("cvc5")) missing.emplace_back("cvc5");
  return missing;
}

std::vector<SolverBinary> find_solvers(SolverChoice choice, const solver::Limits& limits, bool kept,
                                       const Allowance& allowance) {
  std::vector<SolverBinary> all;
  if (choice != SolverChoice::Cvc5) all.push_back(binary_of(solver::z3_command()));
  if (choice != SolverChoice::Z3) all.push_back(binary_of(solver::cvc5_command(limits)));
  if (kept)
    for (SolverBinary& binary : all) binary.command.version = kept_under(binary, allowance);
  return all;
}

SolverMaker maker_of(const std::vector<SolverBinary>& solvers, const solver::Limits& limits,
                     const Allowance& allowance) {
  std::vector<solver::Command> commands;
  for (const SolverBinary& binary : solvers) commands.push_back(binary.command);
  return [=, &allowance]() -> std::unique_ptr<solver::Solver> {
    auto first = solver::make_process_solver(commands[0], limits, allowance);
    if (commands.size() == 1) return first;
    return solver::make_cross_check(std::move(first),
                                    solver::make_process_solver(commands[1], limits, allowance));
  };
}

unsigned workers_of(unsigned jobs) {
  return jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace leto::engine

// A solver in which each literal of a cube has a proxy for good, so that questions are lists of
// assumptions and what was learnt for one serves the next.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "fixpoint/terms.h"

namespace leto::fixpoint {

class ProxySolver {
 public:
  // `seen_as`: what is asked where a cube has a literal, say the literal of the next state.
  using SeenAs = std::function<z3::expr(const z3::expr&)>;
  ProxySolver(z3::context& context, Terms background, SeenAs seen_as);

  void add(const z3::expr& formula);
  // Is there a model of `cube`, and of `besides` if given, which holds for this question alone?
  [[nodiscard]] bool satisfiable(const Cube& cube,
                                 const std::optional<z3::expr>& besides = std::nullopt);
  // After yes, and after no: literals of the cube that suffice for no.
  [[nodiscard]] z3::model model() const { return solver_->get_model(); }
  [[nodiscard]] Cube core() const;

 private:
  struct Proxy {
    z3::expr literal, name;
  };
  z3::expr proxy_of(const z3::expr& literal);
  z3::expr fresh();
  void start_anew();

  z3::context& context_;
  Terms known_;
  SeenAs seen_as_;
  std::optional<z3::solver> solver_;
  std::unordered_map<unsigned, Proxy> proxies_;        // by literal
  std::unordered_map<unsigned, z3::expr> literal_of_;  // by name
  unsigned names_ = 0;
};

}  // namespace leto::fixpoint

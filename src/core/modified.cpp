// What a statement may change. The original run changes the model's state only by
// assignments of the program; the relaxed run also by what its operations modify.
#include "core/core.h"

namespace leto::core {

std::set<VarId> states_modified(const Program& program, const FaultSite& site) {
  std::set<VarId> all;
  for (std::uint32_t index : site.specifications)
    for (VarId var : program.specifications[index].modifies) all.insert(var);
  return all;
}

namespace {

class Collector {
 public:
  explicit Collector(const Program& program) : program_(program) {}

  void statement(StmtId id) {
    if (!id.valid()) return;
    std::visit(
        [&](const auto& s) {
          using S = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<S, Assign> || std::is_same_v<S, core::Store> ||
                        std::is_same_v<S, Declare>) {
            both(s.target);
          } else if constexpr (std::is_same_v<S, Relaxed> || std::is_same_v<S, Write>) {
            both(s.target);
            sites = true;
            for (VarId state : states_modified(program_, s.site)) out.relaxed.insert(state);
          } else if constexpr (std::is_same_v<S, Block>) {
            for (StmtId child : s.body) statement(child);
          } else if constexpr (std::is_same_v<S, If>) {
            statement(s.then_branch);
            statement(s.else_branch);
          } else if constexpr (std::is_same_v<S, While>) {
            statement(s.before);
            statement(s.body);
          } else if constexpr (std::is_same_v<S, Call>) {
            if (s.target.valid()) both(s.target);
            sites = sites || program_.functions[s.callee].external();
            if (seen_.insert(s.callee).second) statement(program_.functions[s.callee].body);
          }
        },
        program_.stmts[id].node);
  }

  Modified out;
  bool sites = false;

 private:
  void both(VarId var) {
    out.original.insert(var);
    out.relaxed.insert(var);
  }

  const Program& program_;
  std::set<FunctionId> seen_;
};

}  // namespace

Modified modified(const Program& program, StmtId id) {
  Collector collector(program);
  collector.statement(id);
  return std::move(collector.out);
}

bool has_fault_sites(const Program& program, StmtId id) {
  Collector collector(program);
  collector.statement(id);
  return collector.sites;
}

}  // namespace leto::core

// What a statement may change. The original run changes the model's state only by
// assignments of the program; the relaxed run also by what its operations modify.
#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

class Collector {
 public:
  explicit Collector(const core::Program& program) : program_(program) {}

  void statement(core::StmtId id) {
    if (!id.valid()) return;
    std::visit(
        [&](const auto& s) {
          using S = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<S, core::Assign> || std::is_same_v<S, core::Store> ||
                        std::is_same_v<S, core::Declare>) {
            both(s.target);
          } else if constexpr (std::is_same_v<S, core::Relaxed> || std::is_same_v<S, core::Write>) {
            both(s.target);
            sites = true;
            for (core::VarId state : states_modified(program_, s.site)) out.relaxed.insert(state);
          } else if constexpr (std::is_same_v<S, core::Block>) {
            for (core::StmtId child : s.body) statement(child);
          } else if constexpr (std::is_same_v<S, core::If>) {
            statement(s.then_branch);
            statement(s.else_branch);
          } else if constexpr (std::is_same_v<S, core::While>) {
            statement(s.before);
            statement(s.body);
          } else if constexpr (std::is_same_v<S, core::Call>) {
            if (s.target.valid()) both(s.target);
            if (seen_.insert(s.callee).second) statement(program_.functions[s.callee].body);
          }
        },
        program_.stmts[id].node);
  }

  Modified out;
  bool sites = false;

 private:
  void both(core::VarId var) {
    out.original.insert(var);
    out.relaxed.insert(var);
  }

  const core::Program& program_;
  std::set<core::FunctionId> seen_;
};

}  // namespace

Modified modified(const core::Program& program, core::StmtId id) {
  Collector collector(program);
  collector.statement(id);
  return std::move(collector.out);
}

bool has_fault_sites(const core::Program& program, core::StmtId id) {
  Collector collector(program);
  collector.statement(id);
  return collector.sites;
}

}  // namespace leto::vcgen

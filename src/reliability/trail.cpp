#include "reliability/trail.h"

#include <algorithm>

namespace leto::reliability {

using core::StmtId;
using core::VarId;

namespace {

class Trail {
 public:
  Trail(const core::Program& program, Backwards& backwards)
      : program_(program), backwards_(backwards) {}

  std::vector<std::pair<Span, std::string>> run(StmtId body, const Vars& wanted) {
    follow(body, {certain(), wanted});
    std::reverse(out_.begin(), out_.end());
    return std::move(out_);
  }

 private:
  // From behind; inside of recoveries, what is needed is for the proofs to say.
  Predicate follow(StmtId id, Predicate behind) {
    if (!id.valid()) return behind;
    if (const auto* block = std::get_if<core::Block>(&program_.stmts[id].node);
        block != nullptr && !backwards_.is_recovery(id)) {
      for (std::size_t i = block->body.size(); i-- > 0;)
        behind = follow(block->body[i], std::move(behind));
      return behind;
    }
    const Found found = backwards_.before(id, behind.vars);
    if (!backwards_.is_recovery(id) && !(found.chance == certain() && found.vars == behind.vars))
      enter(id, behind);
    Predicate before{behind.chance * found.chance, found.vars};
    // Between the steps of an expression nobody asks.
    const bool inside = std::any_of(before.vars.begin(), before.vars.end(), [&](VarId var) {
      return program_.vars[var].kind == core::VarKind::Temp;
    });
    if (!inside) out_.emplace_back(program_.stmts[id].span, text(program_, before));
    return before;
  }

  void enter(StmtId id, const Predicate& behind) {
    std::visit(Overload{
                   [](const core::Assign&) {},
                   [](const core::Store&) {},
                   [](const core::Declare&) {},
                   [](const core::Relaxed&) {},
                   [](const core::Write&) {},
                   [](const core::Check&) {},
                   [](const core::Claim&) {},
                   [](const core::Recall&) {},
                   [](const core::Block&) {},
                   [&](const core::If& s) {
                     follow(s.then_branch, {certain(), behind.vars});
                     follow(s.else_branch, {certain(), behind.vars});
                   },
                   [&](const core::While& s) {
                     for (const Vars& end : backwards_.ends_of_iterations(s, behind.vars))
                       follow(s.body, {certain(), end});
                   },
                   [](const core::Call&) {},
               },
               program_.stmts[id].node);
  }

  const core::Program& program_;
  Backwards& backwards_;
  std::vector<std::pair<Span, std::string>> out_;
};

}  // namespace

std::vector<std::pair<Span, std::string>> find_trail(const core::Program& program,
                                                     Backwards& backwards, StmtId body,
                                                     const Vars& wanted) {
  return Trail(program, backwards).run(body, wanted);
}

}  // namespace leto::reliability

// How a statement can end other than by coming to its end: by `return`, or by a `break` or
// `continue` of a loop around it.
#pragma once

#include <compare>
#include <set>
#include <unordered_map>

#include "syntax/tree.h"

namespace leto::lower {

struct Way {
  enum class Kind : std::uint8_t { Return, Break, Continue };
  Kind kind;
  syntax::StmtId loop = {};  // which it leaves or goes on with; invalid: `return` leaves all
  friend bool operator==(const Way&, const Way&) = default;
  friend bool operator<(const Way& a, const Way& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.loop < b.loop;
  }
};

// Of all statements of a function's body.
class Ways {
 public:
  Ways(const syntax::Tree& tree, syntax::StmtId body);
  [[nodiscard]] const std::set<Way>& of(syntax::StmtId id) const;

 private:
  const std::set<Way>& find(syntax::StmtId id);
  [[nodiscard]] syntax::StmtId find_loop(const syntax::JumpStmt& jump) const;
  std::set<Way> of_loop(syntax::StmtId id, const syntax::Attributes& attributes,
                        syntax::StmtId body);

  struct Around {
    syntax::StmtId loop;
    Name label;  // may be invalid
  };
  const syntax::Tree& tree_;
  std::vector<Around> around_;  // the statement that is being looked at
  std::unordered_map<syntax::StmtId, std::set<Way>> found_;
};

}  // namespace leto::lower

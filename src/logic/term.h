// Terms: 4-byte handles, hash-consed in a TermTable that owns them and dies
// whole. Building a term simplifies what is obvious, so that what need not be
// proved never reaches a solver. A table belongs to one thread; work crosses
// threads and machines as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/assert.h"
#include "base/ids.h"
#include "base/trap.h"

namespace leto::logic {

enum class SortBase : std::uint8_t { Bool, Int, Real, BitVec };
// A scalar, an array of scalars by Int, or an array of such arrays.
struct Sort {
  SortBase base = SortBase::Bool;
  std::uint8_t rank = 0;
  std::uint16_t width = 0;  // of bit-vectors
  friend bool operator==(const Sort&, const Sort&) = default;
  [[nodiscard]] Sort element() const { return {base, static_cast<std::uint8_t>(rank - 1), width}; }
};
inline constexpr Sort kBool{SortBase::Bool, 0};
inline constexpr Sort kInt{SortBase::Int, 0};
inline constexpr Sort kReal{SortBase::Real, 0};

struct TermTag;
using Term = Id<TermTag>;

enum class Kind : std::uint8_t {
  True,
  False,
  Number,
  Symbol,
  Bound,
  Not,
  And,
  Or,
  Implies,
  Ite,
  Eq,
  Lt,
  Le,
  Add,
  Sub,
  Mul,
  Neg,
  RealDiv,
  IntDiv,
  IntMod,
  ToReal,
  ToInt,  // rounds down
  Select,
  Store,
  Zero,  // Zero: the scalar or array that is zero everywhere
  Bits,  // an operation on bit-vectors, or from or to one; its text is what SMT-LIB calls it
  Call,  // of a function that a definition or nothing but its name gives a meaning
  Forall,
  Exists,
};

struct Node {
  Kind kind;
  Sort sort;
  std::vector<Term> free;  // bound variables of enclosing quantifiers that occur in it
  std::vector<Term> args;  // of a quantifier: the bound variables, then the body
  std::string text;        // of numbers (decimal), symbols, calls and operations on bit-vectors
};

class TermTable {
 public:
  explicit TermTable(Trap trap = Trap::None);

  [[nodiscard]] const Node& operator[](Term term) const { return nodes_[term]; }
  [[nodiscard]] Sort sort(Term term) const { return nodes_[term].sort; }
  [[nodiscard]] std::uint32_t size() const { return nodes_.size(); }

  [[nodiscard]] Term boolean(bool value) const { return value ? true_ : false_; }
  // A decimal literal, however it is written: "007", "0.50", "5e-1". Of a bit-vector: its value
  // without a sign, which must fit.
  [[nodiscard]] Term number(const std::string& text, Sort sort);
  [[nodiscard]] Term zero(Sort sort);
  // A fresh symbol; the name is for people and need not be unique.
  [[nodiscard]] Term symbol(std::string_view name, Sort sort);
  [[nodiscard]] Term bound(std::string_view name, Sort sort);

  [[nodiscard]] Term not_(Term a);
  [[nodiscard]] Term and_(std::vector<Term> args);
  [[nodiscard]] Term or_(std::vector<Term> args);
  [[nodiscard]] Term and_(Term a, Term b) { return and_(std::vector<Term>{a, b}); }
  [[nodiscard]] Term or_(Term a, Term b) { return or_(std::vector<Term>{a, b}); }
  [[nodiscard]] Term implies(Term a, Term b);
  [[nodiscard]] Term ite(Term condition, Term a, Term b);
  [[nodiscard]] Term eq(Term a, Term b);
  [[nodiscard]] Term lt(Term a, Term b);
  [[nodiscard]] Term le(Term a, Term b);
  [[nodiscard]] Term arith(Kind kind, Term a, Term b);
  // head: "bvadd", "(_ extract 7 0)", "bv2nat". What is told of it goes with it, as with a call.
  [[nodiscard]] Term bits(const std::string& head, Sort sort, std::vector<Term> args);
  [[nodiscard]] Term neg(Term a);
  [[nodiscard]] Term to_real(Term a);
  [[nodiscard]] Term to_int(Term a);
  [[nodiscard]] Term select(Term array, Term index);
  [[nodiscard]] Term store(Term array, Term index, Term value);
  [[nodiscard]] Term quant(bool universal, std::vector<Term> bound, Term body);

  // A function of arguments. A question in which it occurs has what is told of it.
  [[nodiscard]] Term call(const std::string& function, Sort sort, std::vector<Term> args);
  // Of a symbol, of a call without bound variables, or, of a function, for all arguments.
  void tell(Term call, std::vector<Term> facts) { told_.emplace(call, std::move(facts)); }
  void tell(const std::string& function, std::vector<Term> facts) {
    told_of_all_[function] = std::move(facts);
  }
  [[nodiscard]] bool is_told(Term call) const { return told_.contains(call); }
  [[nodiscard]] bool is_told(const std::string& function) const {
    return told_of_all_.contains(function);
  }
  // What goes with a call or a symbol.
  [[nodiscard]] const std::vector<Term>& told(Term what) const;
  // The function under another name, which is not unfolded; see `unfolding_stopped`.
  [[nodiscard]] static std::string twin(const std::string& function) { return function + "'"; }
  [[nodiscard]] static bool is_twin(const std::string& function) {
    return function.ends_with('\'');
  }
  void has_twin(const std::string& function) { with_twins_.insert(function); }
  [[nodiscard]] bool has_twins() const { return !with_twins_.empty(); }
  // The fact with twins in the place of functions of bound variables: it is then matched by what
  // unfolding brings, and brings nothing to unfold.
  [[nodiscard]] Term unfolding_stopped(Term fact);

  // The term with values, in which nothing is bound, in the place of bound variables.
  // The values are added to: what becomes of parts of the term.
  [[nodiscard]] Term with_values(Term t, std::unordered_map<Term, Term>& values);

  // The value of an integer that is written down, if it is a small one.
  [[nodiscard]] std::optional<std::int64_t> integer(Term t) const;
  [[nodiscard]] Term integer(std::int64_t value);

  // An order of terms that does not depend on what else was made before them, except that
  // symbols come in the order in which they were made: walking a program twice makes questions
  // of the same text.
  [[nodiscard]] bool precedes(Term a, Term b) const;

  [[nodiscard]] bool is_true(Term t) const { return t == true_; }
  [[nodiscard]] bool is_false(Term t) const { return t == false_; }

 private:
  Term make(Kind kind, Sort sort, std::vector<Term> args, std::string text = {});
  [[nodiscard]] static std::size_t hash(const Node& node);

  Store<Term, Node> nodes_;
  std::unordered_multimap<std::size_t, Term> index_;
  Term true_, false_;
  std::uint32_t fresh_ = 0;
  std::unordered_map<Term, std::vector<Term>> told_;
  std::unordered_map<std::string, std::vector<Term>> told_of_all_;
  std::unordered_set<std::string> with_twins_;
  std::unordered_map<Term, Term> stopped_;
  Trap trap_;  // for the test of unsound rules only
};

}  // namespace leto::logic

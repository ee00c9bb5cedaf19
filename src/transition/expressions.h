// Formulas as text, in MCMT and in SMT-LIB: read into terms, sorts checked, numbers real where a
// real is wanted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "transition/sexpr.h"
#include "transition/value.h"

namespace leto::transition {

// An expression of whole numerals, which is an integer or a real, as it is wanted: `flexible`. Its
// term is an integer's then.
struct Typed {
  logic::Term term;
  bool flexible = false;
};

// Thrown once a formula cannot be read; what is wrong with it has been reported.
struct Unreadable {};

// In SMT-LIB, `let` binds side by side; in MCMT one after the other, and there are `/=` and `cond`.
enum class Notation : std::uint8_t { Mcmt, SmtLib };

class Expressions {
 public:
  // What a name stands for where no `let` has bound it. Nothing: nobody knows it.
  using Lookup = std::function<std::optional<Typed>(SexprId atom)>;

  Expressions(logic::TermTable& table, const Sexprs& sexprs, Notation notation,
              DiagnosticSink& sink)
      : table_(table), sexprs_(sexprs), notation_(notation), sink_(sink), constants_(table) {}

  [[nodiscard]] Typed read(SexprId id, const Lookup& lookup);
  [[nodiscard]] logic::Term read_formula(SexprId id, const Lookup& lookup);
  // For names that a `let` may not take; says what the name is already.
  using Taken = std::function<std::optional<std::string>(std::string_view name)>;
  void forbid(Taken taken) { taken_ = std::move(taken); }
  // Of names that may be near to an unknown one; asked for only then.
  using Names = std::function<std::vector<std::string>()>;
  void offer(Names names) { offered_ = std::move(names); }

  [[noreturn]] void refuse(DiagnosticKind kind, SexprId at, std::vector<std::string> args,
                           std::optional<Help> help = {});
  [[nodiscard]] std::optional<logic::Sort> read_sort(SexprId id);

 private:
  struct Binding {
    Typed value;
    std::size_t list;  // of the `let` that made it
  };
  [[nodiscard]] Typed read_inner(SexprId id);
  [[nodiscard]] Typed read_atom(SexprId id);
  [[nodiscard]] Typed read_number(SexprId id, std::string_view text);
  [[nodiscard]] Typed read_bits(SexprId id, std::string_view text);
  [[nodiscard]] Typed read_indexed_constant(SexprId id);
  [[nodiscard]] Typed read_list(SexprId id);
  [[nodiscard]] Typed read_cond(SexprId id);
  void bind(SexprId let, std::vector<std::string_view>& bound);
  void unbind(std::vector<std::string_view>& bound);
  [[nodiscard]] std::string_view bound_name(SexprId binding, std::size_t list);
  [[nodiscard]] Typed apply(SexprId id, const std::string& head, std::vector<Typed> args);
  [[nodiscard]] Typed apply_formula(SexprId id, const std::string& head,
                                    const std::vector<Typed>& args);
  [[nodiscard]] Typed apply_equal(SexprId id, const std::string& head, std::vector<Typed> args);
  [[nodiscard]] Typed apply_compare(SexprId id, const std::string& head, std::vector<Typed> args);
  [[nodiscard]] Typed apply_sum(SexprId id, const std::string& head, std::vector<Typed> args);
  [[nodiscard]] Typed apply_quotient(SexprId id, std::vector<Typed> args);
  [[nodiscard]] Typed apply_integer(SexprId id, const std::string& head, std::vector<Typed> args);
  [[nodiscard]] Typed apply_ite(SexprId id, std::vector<Typed> args);
  [[nodiscard]] Typed apply_bits(SexprId id, const std::string& head,
                                 const std::vector<Typed>& args);
  // Makes numbers of one sort of them; whether all are flexible still.
  bool unify(SexprId id, std::vector<Typed>& args, std::size_t from = 0);
  void demand_numbers(SexprId id, const std::vector<Typed>& args);
  void demand_count(SexprId id, const std::vector<Typed>& args, std::size_t least,
                    std::size_t most);
  [[nodiscard]] logic::Term as_real(logic::Term flexible);
  [[nodiscard]] logic::Term divisor(SexprId id, const Typed& typed);
  [[nodiscard]] std::string sort_name(const Typed& typed) const;

  logic::TermTable& table_;
  const Sexprs& sexprs_;
  Notation notation_;
  DiagnosticSink& sink_;
  Evaluation constants_;
  const Lookup* lookup_ = nullptr;
  Taken taken_;
  Names offered_ = [] { return std::vector<std::string>(); };
  std::unordered_map<std::string_view, std::vector<Binding>> bound_;
  std::size_t lists_ = 0;
  std::vector<std::size_t> open_lists_;  // whose bindings are being read, in sequence
  std::unordered_map<logic::Term, logic::Term> reals_;
  unsigned depth_ = 0;
  std::uint64_t size_ = 0;  // of arguments made so far
};

// "Bool", "(_ BitVec 4)".
[[nodiscard]] std::string sort_text(logic::Sort sort);

}  // namespace leto::transition

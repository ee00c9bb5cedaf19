// The front door of `core`: the form of programs that every analysis reads, a
// validator that says what is wrong with one, and a printer.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "core/claim.h"
#include "core/effects.h"
#include "core/parts.h"
#include "core/program.h"
#include "core/record_text.h"

namespace leto::core {

// Empty if the program is well-formed; else what is not, for our own eyes.
[[nodiscard]] std::string validate(const Program& program);

[[nodiscard]] std::string print(const Program& program);
[[nodiscard]] std::string print(const Program& program, ExprId expr);

// What stands directly inside, in order, as a list; see for_each_child.
[[nodiscard]] std::vector<StmtId> children(const Program& program, StmtId id);
[[nodiscard]] std::vector<ExprId> children(const Program& program, ExprId id);
// The statement and all inside it, in the program's order, each once; not those of functions
// that it calls.
void for_each_statement(const Program& program, StmtId id, const std::function<void(StmtId)>& f);
[[nodiscard]] std::size_t count_statements(const Program& program, StmtId id);

// The variables that an expression reads, and on which side; bound ones too.
void for_each_read(const Program& program, ExprId id, const std::function<void(VarId, Side)>& f);
// Whether a value of a natural type, or each element of one, is sure not to be negative: what is
// computed from naturals is, but an element may be replaced by anything, and a definition is
// anything outside of its domain.
[[nodiscard]] bool is_surely_natural(const Program& program, ExprId id);
// Whether a claim, or what is assumed everywhere, is about constants alone.
[[nodiscard]] bool is_about_constants(const ClaimId& claim);
// "what the program says of its constants", unless the model has some too.
[[nodiscard]] std::string describe_constants(const Program& program);
// The elements of a constant vector; null: it is none.
[[nodiscard]] const std::vector<ExprId>* find_elements(const Program& program,
                                                       const ConstantVar& constant);
// Whether one of them is state of the model.
[[nodiscard]] bool reads_state(const Program& program, ExprId id);
// Whether an expression uses some definition that uses itself, directly.
[[nodiscard]] bool uses_recursion(const Program& program, ExprId id);
// Whether an expression uses a definition, directly.
[[nodiscard]] bool uses(const Program& program, ExprId id, DefinitionId definition);
// Whether it uses a function constant, directly or by way of definitions: one that nobody knows,
// or one that has a value.
enum class Rigid : std::uint8_t { Unknown, Known };
[[nodiscard]] bool uses(const Program& program, ExprId id, Rigid which);
// The first constraint that relates what functions that nobody knows are for different arguments;
// invalid: each speaks of one list of arguments, in whatever order. Then what they are for the
// arguments that somebody asked for says nothing of the others.
[[nodiscard]] ExprId find_relating(const Program& program);
// Whether there is a function that nobody knows.
[[nodiscard]] bool has_unknown_functions(const Program& program);
// The same, or one of which only its contract is known.
[[nodiscard]] bool has_unseen_functions(const Program& program);
// Whether values alone decide what happens: all functions are there, and all constants have values.
[[nodiscard]] bool is_closed(const Program& program);
// Invalid: there is none of this name.
[[nodiscard]] FunctionId find_function(const Program& program, std::string_view name);
// What a statement itself evaluates; not what stands inside it.
[[nodiscard]] std::vector<ExprId> evaluated(const Program& program, StmtId id);
// The variable that a statement itself sets; invalid if it sets none.
[[nodiscard]] std::vector<VarId> targets_of(const Program& program, StmtId id);
[[nodiscard]] bool sets(const Program& program, StmtId id, VarId var);
// Where the relaxed run may do something else than the original; null if it cannot.
[[nodiscard]] const FaultSite* site_of(const Stmt& stmt);
// A specification's label, or else its number, for people.
[[nodiscard]] std::string title(const Program& program, std::uint32_t specification);
// The names of external functions that are called somewhere, or that a specification speaks of.
[[nodiscard]] std::vector<std::string> externals_called(const Program& program);
// Where a program sets state of the model that one of its measures names, by the state's name.
[[nodiscard]] std::map<std::string, std::vector<Span>> find_measured_state_assigned(
    const Program& program);
// What runs under the model in a statement; empty if nothing does.
[[nodiscard]] std::string operation(const Program& program, const Stmt& stmt);
// What is said, one thing at a time.
[[nodiscard]] std::vector<ExprId> conjuncts(const Program& program, ExprId id);

// Whether it is what `left<r>` means where a run can leave from the middle: by the test, or one of
// the other ways.
[[nodiscard]] bool is_left(const Program& program, ExprId id);
// A specification in the user's syntax.
[[nodiscard]] std::string source(const Program& program, ExprId expr);
// How people are told of a variable: what was passed of one that is changed in place is old(x).
[[nodiscard]] std::string called(const Var& var);

}  // namespace leto::core

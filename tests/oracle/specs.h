// Specifications: expressions in which everything has a value. Those of programs and those of
// models differ only in what names mean, which is asked of a `Names`.
#pragma once

#include <deque>
#include <functional>

#include "oracle/program.h"

namespace leto::oracle {

using syntax::ExprId;
using syntax::Side;

// What a name stands for. Without a value: the run has no such variable.
struct View {
  Type type;
  const Value* value = nullptr;
};

// Whose values names without a side mean: one run's, or nobody's where both are spoken of.
enum class Mode : std::uint8_t { Original, Relaxed, Both };
[[nodiscard]] Mode mode_of(Side side);

class Specifications;

class Names {
 public:
  virtual ~Names() = default;
  // Nothing: there is no such name.
  [[nodiscard]] virtual std::optional<View> find(Name name, Mode mode) const = 0;
  [[nodiscard]] virtual Typed model_member(const syntax::Ident& member, Mode mode) const = 0;
  [[nodiscard]] virtual Typed qualified(const syntax::MemberExpr& member, Mode mode) const = 0;
  // A function constant, of arguments; nothing: there is none of that name. Without a scope it is
  // one of the model that is spoken of.
  [[nodiscard]] virtual std::optional<Typed> function(const syntax::Ident* scope, Name name,
                                                      const std::vector<Typed>& args,
                                                      Specifications& specs) const = 0;
  // What names mean inside of `l[e]` and `l.entry[e]`; nullptr: there is no such label.
  [[nodiscard]] virtual const Names* snapshot(Name label, bool entry) const = 0;
  // What they mean inside of `old(e)`, and inside of a property.
  [[nodiscard]] virtual const Names* before() const = 0;
  [[nodiscard]] virtual const Names* outside() const = 0;
  // The parameters of the function, for `eq(*)`.
  [[nodiscard]] virtual std::vector<Name> parameters() const = 0;
};

struct Env;

// Where an expression is evaluated.
struct Context {
  const syntax::Tree* tree = nullptr;
  const Names* names = nullptr;
  Mode mode = Mode::Both;
  const Env* env = nullptr;  // bound variables and parameters of properties, innermost first
};

// An argument of a property: it is put in place of the parameter, so it is evaluated each time,
// where the property is used.
struct Argument {
  Context context;
  ExprId expr;
  Type type;  // of the parameter
};

struct Env {
  const Env* up = nullptr;
  Name name;
  const Argument* argument = nullptr;  // of a parameter
  Typed bound;                         // of a bound variable
  bool open = false;                   // a bound variable whose range is being looked for
};

struct Verdict {
  bool holds = false;
  bool no_value = false;  // it names a variable that has none, so it does not hold
};

class Specifications {
 public:
  Specifications(const Program& program, const Limits& limits);

  [[nodiscard]] Verdict judge(const Context& context, ExprId claim);
  [[nodiscard]] Typed evaluate(const Context& context, ExprId id);

  // Runs a pure function.
  std::function<Typed(const Program::Function&, const std::vector<Typed>&, Span)> run_pure;
  // What function constants are that no model gives a value; see Inputs.
  const std::map<std::string, std::map<std::vector<Number>, Number>>* functions = nullptr;

 private:
  friend class Ranges;

  [[nodiscard]] const syntax::Expr& expr(const Context& context, ExprId id) const;
  [[nodiscard]] Typed resolve(const Context& context, Name name, Mode mode, Span span);
  [[nodiscard]] Typed element(const Context& context, const syntax::Expr& whole);
  [[nodiscard]] std::optional<Typed> field_of_variable(const Context& context, Name name,
                                                       Name field, Mode mode);
  // The vector or matrix that an expression names.
  [[nodiscard]] View place(const Context& context, ExprId id);
  [[nodiscard]] View place(const Context& context, Name name, Mode mode, Span span);
  // What `l` and `l.entry` before an index mean, if that is what stands there.
  [[nodiscard]] const Names* snapshot(const Context& context, ExprId base) const;
  [[nodiscard]] static Typed row(const View& matrix, const Number& index);
  [[nodiscard]] Typed call_builtin(const Context& context, const syntax::CallExpr& call,
                                   std::string_view name, Span span);
  Typed convert(const Context& context, const syntax::CallExpr& call, std::string_view name,
                Span span);
  [[nodiscard]] Typed call_definition(const Context& context, const syntax::CallExpr& call,
                                      const Program::Definition& definition, Span span);
  [[nodiscard]] Typed call_pure(const Context& context, const syntax::CallExpr& call,
                                const Program::Function& function, Span span);
  [[nodiscard]] std::optional<Typed> call_function(const Context& context,
                                                   const syntax::Ident* scope, Name name,
                                                   const std::vector<ExprId>& args);
  // Calls `use` with the body of the property that is called, and where to evaluate it.
  template <class F>
  auto with_property(const Context& context, const syntax::CallExpr& call, Span span, F use);

  using Expr = syntax::Expr;
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::ErrorExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::IntegerExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::RealExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::BoolExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::NameExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::SidedExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::ModelExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::MemberExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::FieldExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::IndexExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::UpdateExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::PartExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::WidenExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::ParenExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::UnaryExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::BinaryExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::ChainExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::CallExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::MemberCallExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::EqExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::EqAllExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::OldExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::IfExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::QuantExpr&);
  [[nodiscard]] Typed at(const Context&, const Expr&, const syntax::CountExpr&);

  const Program& program_;
  const Limits& limits_;
  bool no_value_ = false;      // a variable without a value was met
  bool open_seen_ = false;     // an open bound variable was met
  int looking_ = 0;            // only which names occur is of interest
  std::size_t instances_ = 0;  // of quantifiers, in this claim
  int depth_ = 0;              // of properties
  std::deque<Typed> made_;     // vectors that no variable has, in this claim
  int calls_ = 0;              // of definitions that use one another
};

// The innermost meaning of a name; nullptr if it is neither bound nor a parameter.
[[nodiscard]] const Env* find_in(const Env* env, Name name);
// Where an argument is evaluated if the property uses its parameter in this mode.
[[nodiscard]] Context context_of(const Argument& argument, Mode mode);

template <class F>
auto Specifications::with_property(const Context& context, const syntax::CallExpr& call, Span span,
                                   F use) {
  const Program::Property* property = program_.property(call.callee.name);
  if (!property || !context.names->outside())
    refuse(span, "a specification calls what is no property");
  const std::vector<syntax::Param>& params = property->item->params;
  if (params.size() != call.args.size()) refuse(span, "a wrong number of arguments");
  constexpr int most = 100;
  if (depth_ >= most) refuse(span, "a property that uses itself");
  std::vector<Argument> arguments;
  for (std::size_t k = 0; k < params.size(); ++k)
    arguments.push_back({context, call.args[k], program_.type_of(params[k].type)});
  std::vector<Env> env(params.size());
  for (std::size_t k = 0; k < params.size(); ++k)
    env[k] = {k > 0 ? &env[k - 1] : nullptr, params[k].name.name, &arguments[k], {}, false};
  const Context inside{property->tree, context.names->outside(), context.mode,
                       env.empty() ? nullptr : &env.back()};
  ++depth_;
  const auto outcome = use(inside, property->item->body);
  --depth_;
  return outcome;
}

}  // namespace leto::oracle

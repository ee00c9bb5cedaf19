#include "problem/derive.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "problem/copy.h"
#include "syntax/syntax.h"

namespace leto::problem {

using namespace syntax;

namespace {

// There is no rule for something.
struct NoRule {
  Span at;
  std::string why;
};

class Deriver {
 public:
  Deriver(const std::vector<const Tree*>& trees, const Parts& problem, NameTable& names)
      : trees_(trees), problem_(problem), names_(names) {
    for (const Tree* tree : trees_) take_names(*tree);
    take_names_of_problem();
  }

  std::string run() {
    for (const RightMember* right : problem_.rights) {
      if (!right->against.empty())
        throw NoRule{problem_.tree->exprs[right->expr].span,
                     "completeness cannot rest on a clause against challengers; a 'forall' says "
                     "the same of numbers with bounds"};
      Copier copy(*problem_.tree, scratch_, {true, {}, {}});
      test(copy.expr(right->expr), true);
    }
    line("return true;");
    return head() + body_ + "}\n";
  }

 private:
  using Names = std::map<Name, Name>;

  void take_names(const Tree& tree) {
    for (const Item& item : tree.items) {
      if (const auto* function = std::get_if<FunctionItem>(&item.node)) take(function->name.name);
      if (const auto* definition = std::get_if<DefineItem>(&item.node)) take(definition->name.name);
      if (const auto* property = std::get_if<PropertyItem>(&item.node)) take(property->name.name);
      if (const auto* checker = std::get_if<ProvedCheckerItem>(&item.node))
        take(checker->name.name);
      if (const auto* constant = std::get_if<ConstItem>(&item.node)) take(constant->name.name);
      if (const auto* problem = std::get_if<ProblemItem>(&item.node)) take(problem->name.name);
    }
  }
  // What the problem has, and what its clauses bind: nothing that is renamed may meet that.
  void take_names_of_problem() {
    for (const auto* ports : {&problem_.inputs, &problem_.outputs})
      for (const Param* param : *ports) take(param->name.name);
    for (const Expr& expr : problem_.tree->exprs) {
      const auto* quant = std::get_if<QuantExpr>(&expr.node);
      const bool inside = std::any_of(problem_.item->members.begin(), problem_.item->members.end(),
                                      [&](const ProblemMember& member) {
                                        return member.span.begin <= expr.span.begin &&
                                               expr.span.end <= member.span.end;
                                      });
      if (quant != nullptr && inside)
        for (const Binder& binder : quant->binders) take(binder.name.name);
    }
  }
  void take(Name name) { taken_.insert(std::string(names_.text(name))); }
  // A name that nobody has.
  Name fresh(const std::string& wanted) {
    const std::size_t end = wanted.find_last_not_of("0123456789_");
    const std::string base = end == std::string::npos ? "i" : wanted.substr(0, end + 1);
    std::string name = base;
    for (int n = 1; !taken_.insert(name).second; ++n) name = base + std::to_string(n);
    return names_.intern(name);
  }
  [[nodiscard]] std::string text(Name name) const { return std::string(names_.text(name)); }
  [[nodiscard]] std::string text(ExprId id) const { return format(scratch_, names_, id); }

  // What is written ---------------------------------------------------------------------

  void line(const std::string& what) {
    body_ += std::string(4 * static_cast<std::size_t>(depth_), ' ') + what + "\n";
  }
  std::string head() {
    std::string out =
        fmt::format("checker {} for {}", text(fresh("derived")), text(problem_.item->name.name));
    const bool many = certifies_.find(") && (") != std::string::npos;
    if (!witness_.empty())
      out += fmt::format(" with ({})\n    certifies {}\n", witness_,
                         many ? certifies_ : certifies_.substr(1, certifies_.size() - 2));
    return out + (witness_.empty() ? " {\n" : "{\n");
  }

  // Formulas ----------------------------------------------------------------------------

  [[nodiscard]] const Expr& at(ExprId id) const { return scratch_.exprs[id]; }
  ExprId name(Name name) { return scratch_.exprs.add({{}, NameExpr{name}}); }
  ExprId binary(BinaryOp op, ExprId lhs, ExprId rhs) {
    return scratch_.exprs.add({at(lhs).span, BinaryExpr{op, false, lhs, rhs, at(lhs).span}});
  }
  ExprId renamed(ExprId id, Names names) {
    CopyOptions options{true, {}, std::move(names)};
    return Copier(scratch_, scratch_, std::move(options)).expr(id);
  }
  [[nodiscard]] ExprId bare(ExprId id) const {
    while (const auto* paren = std::get_if<ParenExpr>(&at(id).node)) id = paren->inner;
    return id;
  }
  // The parts of a conjunction; a chain is one of comparisons.
  void divide(ExprId id, std::vector<ExprId>& parts) {
    const ExprId inner = bare(id);
    const auto node = at(inner).node;
    if (const auto* both = std::get_if<BinaryExpr>(&node); both && both->op == BinaryOp::And) {
      divide(both->lhs, parts);
      divide(both->rhs, parts);
    } else if (const auto* chain = std::get_if<ChainExpr>(&node)) {
      for (std::size_t i = 0; i < chain->ops.size(); ++i)
        parts.push_back(binary(chain->ops[i], chain->operands[i], chain->operands[i + 1]));
    } else {
      parts.push_back(inner);
    }
  }
  ExprId joined(const std::vector<ExprId>& parts) {
    ExprId all = {};
    for (ExprId part : parts) all = all.valid() ? binary(BinaryOp::And, all, part) : part;
    return all;
  }
  [[nodiscard]] bool contains(ExprId id, const auto& wanted) const {
    if (wanted(id)) return true;
    bool found = false;
    for_each_child(at(id), [&](ExprId child) { found = found || contains(child, wanted); });
    return found;
  }
  [[nodiscard]] bool names_any(ExprId id, const std::set<Name>& wanted) const {
    return mentions(scratch_, id, wanted);
  }

  // What a call of a definition or a property is one of; null: of none.
  struct Said {
    const Tree* tree = nullptr;
    const DefineItem* definition = nullptr;
    const std::vector<Param>* params = nullptr;
    ExprId body;
    [[nodiscard]] bool is_recursive() const {
      return definition != nullptr && definition->measure.has_value();
    }
  };
  [[nodiscard]] Said said_by(ExprId id) const {
    const auto* call = std::get_if<CallExpr>(&at(id).node);
    if (call == nullptr || call->of) return {};
    for (const Tree* tree : trees_)
      for (const Item& item : tree->items) {
        const auto* definition = std::get_if<DefineItem>(&item.node);
        if (definition != nullptr && definition->name.name == call->callee.name)
          return {tree, definition, &definition->params, definition->body};
        const auto* property = std::get_if<PropertyItem>(&item.node);
        if (property != nullptr && !property->relational &&
            property->name.name == call->callee.name)
          return {tree, nullptr, &property->params, property->body};
      }
    return {};
  }
  // P.right(..); null: it is no such thing.
  [[nodiscard]] const CallExpr* clauses_said_by(ExprId id) const {
    const auto* call = std::get_if<CallExpr>(&at(id).node);
    return call != nullptr && call->of ? call : nullptr;
  }
  // The clauses of another problem, each by itself.
  void test_clauses(ExprId id, bool outermost) {
    const CallExpr call = *clauses_said_by(id);
    const Parts other = find_problem(trees_, call.of->problem.name);
    if (call.args.size() > call.of->inputs + call.of->outputs)
      throw NoRule{at(id).span, "a challenger is arbitrary: a program cannot test it"};
    if (other.item == nullptr || other.inputs.size() != call.of->inputs ||
        other.outputs.size() != call.of->outputs)
      throw NoRule{at(id).span, "it has another number of arguments than is declared"};
    std::vector<Param> params;
    for (const auto* ports : {&other.inputs, &other.outputs})
      for (const Param* param : *ports) params.push_back(*param);
    for (const RightMember* right : other.rights)
      if (right->against.empty())
        test(written_out(id, {other.tree, nullptr, &params, right->expr}), outermost);
  }
  // What it stands for, with names of its own for what it binds.
  ExprId written_out(ExprId id, const Said& said) {
    const CallExpr call = std::get<CallExpr>(at(id).node);
    if (call.args.size() != said.params->size())
      throw NoRule{at(id).span, "it has another number of arguments than is declared"};
    CopyOptions options{true, {}, {}};
    for (const Expr& expr : said.tree->exprs)
      if (const auto* quant = std::get_if<QuantExpr>(&expr.node))
        for (const Binder& binder : quant->binders)
          if (!options.renamed.contains(binder.name.name))
            options.renamed[binder.name.name] = fresh(text(binder.name.name));
    for (std::size_t i = 0; i < call.args.size(); ++i)
      options.values[(*said.params)[i].name.name] = call.args[i];
    return Copier(*said.tree, scratch_, std::move(options)).expr(said.body);
  }

  // Whether a program can compute it.
  [[nodiscard]] bool can_run(ExprId id) const {
    return !contains(id, [&](ExprId child) {
      const auto& node = at(child).node;
      return std::holds_alternative<QuantExpr>(node) || std::holds_alternative<IfExpr>(node) ||
             std::holds_alternative<UpdateExpr>(node) || std::holds_alternative<OldExpr>(node) ||
             said_by(child).params != nullptr || clauses_said_by(child) != nullptr;
    });
  }

  // Returns false unless it holds. `outermost`: nothing stands around it.
  void test(ExprId id, bool outermost) {
    std::vector<ExprId> parts;
    divide(id, parts);
    for (ExprId part : parts) test_part(part, outermost);
  }
  void test_part(ExprId id, bool outermost) {
    const auto node = at(id).node;
    if (const auto* both = std::get_if<BinaryExpr>(&node);
        both != nullptr && both->op == BinaryOp::Implies && !can_run(id) && can_run(both->lhs))
      return within_if(both->lhs, [&] { test(both->rhs, false); });
    if (const auto* either = std::get_if<BinaryExpr>(&node);
        either != nullptr && either->op == BinaryOp::Or && !can_run(id) && can_run(either->lhs))
      return within_if(opposite(bare(either->lhs)), [&] { test(either->rhs, false); });
    if (const auto* choice = std::get_if<IfExpr>(&node); choice && can_run(choice->condition)) {
      within_if(choice->condition, [&] { test(choice->then_value, false); });
      return within_if(opposite(bare(choice->condition)), [&] { test(choice->else_value, false); });
    }
    if (const auto* quant = std::get_if<QuantExpr>(&node)) {
      if (quant->universal) return test_all(id, *quant);
      if (outermost) return take_witness(*quant);
      throw NoRule{at(id).span, "a witness would be needed for each case: it cannot be one value"};
    }
    if (const Said said = said_by(id); said.params != nullptr && !said.is_recursive())
      return test(written_out(id, said), outermost);
    if (clauses_said_by(id) != nullptr) return test_clauses(id, outermost);
    const ExprId computed = accumulate(id);
    if (!can_run(computed)) throw NoRule{at(id).span, "a program cannot compute this as it stands"};
    line(fmt::format("if ({}) {{", text(opposite(computed))));
    line("    return false;");
    line("}");
  }
  ExprId opposite(ExprId id) {
    const Span span = at(id).span;
    const auto node = at(id).node;
    const auto* compare = std::get_if<BinaryExpr>(&node);
    static const std::map<BinaryOp, BinaryOp> kOpposite = {
        {BinaryOp::Eq, BinaryOp::Ne}, {BinaryOp::Ne, BinaryOp::Eq}, {BinaryOp::Lt, BinaryOp::Ge},
        {BinaryOp::Ge, BinaryOp::Lt}, {BinaryOp::Gt, BinaryOp::Le}, {BinaryOp::Le, BinaryOp::Gt}};
    if (compare != nullptr && kOpposite.contains(compare->op))
      return binary(kOpposite.at(compare->op), compare->lhs, compare->rhs);
    const ExprId inside = compare == nullptr ? id : scratch_.exprs.add({span, ParenExpr{id}});
    return scratch_.exprs.add({span, UnaryExpr{UnaryOp::Not, false, inside}});
  }
  template <class F>
  void within_if(ExprId condition, F f) {
    line(fmt::format("if ({}) {{", text(condition)));
    ++depth_;
    f();
    --depth_;
    line("}");
  }

  // An outermost exists: the solver says what there is.
  void take_witness(const QuantExpr& quant) {
    Names names;
    for (const Binder& binder : quant.binders) {
      if (binder.type.shape != Shape::Scalar || binder.type.record.valid())
        throw NoRule{binder.name.span, "a witness is a number or a truth here"};
      const Name made = fresh("some_" + text(binder.name.name));
      names[binder.name.name] = made;
      witness_ += fmt::format("{}{} {}", witness_.empty() ? "" : ", ", spelling(binder.type.scalar),
                              text(made));
    }
    const ExprId body = renamed(quant.body, names);
    if (contains(body, [&](ExprId child) {
          return std::holds_alternative<QuantExpr>(at(child).node) &&
                 !std::get<QuantExpr>(at(child).node).universal;
        }))
      throw NoRule{at(body).span, "an 'exists' inside of another one"};
    certifies_ += (certifies_.empty() ? "(" : " && (") + text(body) + ")";
    test(body, false);
  }

  // Loops -------------------------------------------------------------------------------

  struct Loop {
    Name bound;   // what the formula calls it
    ExprId most;  // it is below
  };
  // What a comparison says the variable is below; invalid: nothing.
  ExprId most_of(ExprId part, Name variable) {
    const auto* compare = std::get_if<BinaryExpr>(&at(part).node);
    if (compare == nullptr) return {};
    const auto is_it = [&](ExprId id) {
      const auto* one = std::get_if<NameExpr>(&at(bare(id)).node);
      return one != nullptr && one->name == variable;
    };
    const BinaryExpr c = *compare;
    if (c.op == BinaryOp::Lt && is_it(c.lhs)) return c.rhs;
    if (c.op == BinaryOp::Gt && is_it(c.rhs)) return c.lhs;
    const bool up_to =
        (c.op == BinaryOp::Le && is_it(c.lhs)) || (c.op == BinaryOp::Ge && is_it(c.rhs));
    if (!up_to) return {};
    const ExprId one = scratch_.exprs.add({at(part).span, IntegerExpr{names_.intern("1")}});
    return binary(BinaryOp::Add, c.op == BinaryOp::Le ? c.rhs : c.lhs, one);
  }
  // Outer ones first; what bounds an inner one may name them.
  std::vector<Loop> order(const QuantExpr& quant, const std::vector<ExprId>& range, Span span) {
    std::vector<Loop> loops;
    std::set<Name> open;
    for (const Binder& binder : quant.binders) {
      if (binder.type.scalar != Scalar::Uint || binder.type.shape != Shape::Scalar)
        throw NoRule{binder.name.span, "it does not range over uints"};
      open.insert(binder.name.name);
    }
    while (!open.empty()) {
      const std::size_t before = loops.size();
      for (Name variable : open) {
        for (ExprId part : range)
          if (const ExprId most = most_of(part, variable);
              most.valid() && !names_any(most, open) && can_run(most)) {
            loops.push_back({variable, most});
            break;
          }
        if (loops.size() > before) break;
      }
      if (loops.size() == before)
        throw NoRule{span, fmt::format("nothing bounds '{}' from above, such as '{} < n'",
                                       text(*open.begin()), text(*open.begin()))};
      open.erase(loops.back().bound);
    }
    return loops;
  }
  void test_all(ExprId id, const QuantExpr& quant) {
    const auto node = at(bare(quant.body)).node;
    const auto* implied = std::get_if<BinaryExpr>(&node);
    if (implied == nullptr || implied->op != BinaryOp::Implies)
      throw NoRule{at(id).span, "it says nothing of its range: 'forall(uint i)(i < n -> ...)'"};
    std::vector<ExprId> range;
    divide(implied->lhs, range);
    const std::vector<Loop> loops = order(quant, range, at(id).span);
    Names now;
    for (const Loop& loop : loops) now[loop.bound] = fresh(text(loop.bound));
    open_loops(quant, range, implied->rhs, loops, now, 0);
  }
  void open_loops(const QuantExpr& quant, const std::vector<ExprId>& range, ExprId claim,
                  const std::vector<Loop>& loops, const Names& now, std::size_t k) {
    if (k == loops.size()) {
      std::vector<ExprId> rest;
      for (ExprId part : range) {
        const bool known = std::any_of(loops.begin(), loops.end(), [&](const Loop& loop) {
          return most_of(part, loop.bound).valid() &&
                 text(most_of(part, loop.bound)) == text(loop.most);
        });
        if (!known) rest.push_back(renamed(part, now));
      }
      const ExprId here = renamed(claim, now);
      if (rest.empty()) return test(here, false);
      for (ExprId part : rest)
        if (!can_run(part)) throw NoRule{at(part).span, "a range that a program cannot compute"};
      return within_if(joined(rest), [&] { test(here, false); });
    }
    const std::string variable = text(now.at(loops[k].bound));
    const std::string most = text(renamed(loops[k].most, now));
    line(fmt::format("for (uint {0} = 0; {0} < {1}; ++{0})", variable, most));
    line(fmt::format("    invariant {}", so_far(quant, range, claim, loops, now, k)));
    line(fmt::format("    decreases {} - {}", most, variable));
    line("{");
    ++depth_;
    open_loops(quant, range, claim, loops, now, k + 1);
    --depth_;
    line("}");
  }
  // Of all that the loop has looked at; those around it stand where they are.
  std::string so_far(const QuantExpr& quant, const std::vector<ExprId>& range, ExprId claim,
                     const std::vector<Loop>& loops, const Names& now, std::size_t k) {
    Names names;
    for (std::size_t i = 0; i < k; ++i) names[loops[i].bound] = now.at(loops[i].bound);
    std::string bound;
    for (const Binder& binder : quant.binders) {
      if (names.contains(binder.name.name)) continue;
      names[binder.name.name] = fresh(text(binder.name.name));
      bound += fmt::format("{}uint {}", bound.empty() ? "" : ", ", text(names[binder.name.name]));
    }
    const ExprId whole = binary(BinaryOp::Implies, joined(range), claim);
    const auto* both = std::get_if<BinaryExpr>(&at(renamed(whole, names)).node);
    return fmt::format("forall({})({} < {} && {} -> {})", bound, text(names[loops[k].bound]),
                       text(now.at(loops[k].bound)), text(both->lhs), text(both->rhs));
  }

  // Sums --------------------------------------------------------------------------------

  // The same, with a variable for each use of a definition that goes on from one less.
  ExprId accumulate(ExprId id) {
    const Said said = said_by(id);
    if (said.params != nullptr && !said.is_recursive()) {
      const ExprId out = written_out(id, said);
      return accumulate(out);
    }
    if (said.params != nullptr) return compute(id, said);
    // A copy of its own, whose parts can be other ones.
    const ExprId copy = renamed(id, {});
    std::vector<ExprId> children;
    for_each_child(at(copy), [&](ExprId child) { children.push_back(child); });
    for (ExprId child : children)
      if (!can_run(child) && !std::holds_alternative<QuantExpr>(at(child).node)) {
        const Expr other = at(accumulate(child));
        scratch_.exprs[child] = other;
      }
    return copy;
  }
  ExprId compute(ExprId id, const Said& said) {
    const CallExpr call = std::get<CallExpr>(at(id).node);
    const auto refuse = [&](std::string why) { throw NoRule{at(id).span, std::move(why)}; };
    const Tree& tree = *said.tree;
    const auto* measure = std::get_if<NameExpr>(&tree.exprs[said.definition->measure->expr].node);
    const std::vector<Param>& params = *said.params;
    std::size_t which = params.size();
    for (std::size_t i = 0; i < params.size() && measure != nullptr; ++i)
      if (params[i].name.name == measure->name) which = i;
    if (which == params.size() || call.args.size() != params.size() ||
        params[which].type.scalar != Scalar::Uint)
      refuse("what falls in this definition is no parameter of it that is a uint");
    for (ExprId arg : call.args)
      if (!can_run(arg)) refuse("an argument that a program cannot compute");
    const Name counted = names_.intern(text(params[which].name.name) + "'");
    CopyOptions options{true, {}, {}};
    for (std::size_t i = 0; i < params.size(); ++i)
      options.values[params[i].name.name] = i == which ? name(counted) : call.args[i];
    const ExprId body = bare(Copier(tree, scratch_, std::move(options)).expr(said.body));
    const auto choice_node = at(body).node;
    const auto* choice = std::get_if<IfExpr>(&choice_node);
    if (choice == nullptr || text(choice->condition) != text(counted) + " == 0")
      refuse(fmt::format("the definition is not of the form 'if ({} == 0) ... else ...'",
                         text(params[which].name.name)));
    const Name sum = fresh("so_far"), index = fresh("at");
    const std::string again = said_again(call, which, counted);
    const ExprId step = choice->else_value;
    replace(step, again, sum, counted, index);
    if (names_any(step, {counted})) shift(step, counted, index);
    if (!can_run(choice->then_value)) refuse("it begins with what a program cannot compute");
    const std::string most = text(call.args[which]);
    std::vector<std::string> args;
    for (std::size_t i = 0; i < call.args.size(); ++i)
      args.push_back(i == which ? text(index) : text(call.args[i]));
    line(fmt::format("{} {} = {};", spelling(said.definition->type.scalar), text(sum),
                     text(choice->then_value)));
    line(fmt::format("for (uint {0} = 0; {0} < {1}; ++{0})", text(index), most));
    line(fmt::format("    invariant {} <= {} && {} == {}({})", text(index), most, text(sum),
                     text(call.callee.name), fmt::join(args, ", ")));
    line(fmt::format("    decreases {} - {}", most, text(index)));
    line("{");
    ++depth_;
    assign(sum, step, id);
    --depth_;
    line("}");
    return name(sum);
  }
  // How the definition uses itself, for one less.
  std::string said_again(const CallExpr& call, std::size_t which, Name counted) {
    std::string list;
    for (std::size_t i = 0; i < call.args.size(); ++i)
      list += (i == 0 ? "" : ", ") + (i == which ? text(counted) + " - 1" : text(call.args[i]));
    return text(call.callee.name) + "(" + list + ")";
  }
  // What it was so far has a name, and one less is the index.
  void replace(ExprId id, const std::string& again, Name sum, Name counted, Name index) {
    if (text(id) == again) {
      scratch_.exprs[id].node = NameExpr{sum};
      return;
    }
    if (text(id) == text(counted) + " - 1") {
      scratch_.exprs[id].node = NameExpr{index};
      return;
    }
    std::vector<ExprId> children;
    for_each_child(at(id), [&](ExprId child) { children.push_back(child); });
    for (ExprId child : children) replace(child, again, sum, counted, index);
  }
  void shift(ExprId id, Name counted, Name index) {
    const auto* one = std::get_if<NameExpr>(&at(id).node);
    if (one != nullptr && one->name == counted) {
      const ExprId by = scratch_.exprs.add({at(id).span, IntegerExpr{names_.intern("1")}});
      const ExprId more = binary(BinaryOp::Add, name(index), by);
      scratch_.exprs[id].node = ParenExpr{more};
      return;
    }
    std::vector<ExprId> children;
    for_each_child(at(id), [&](ExprId child) { children.push_back(child); });
    for (ExprId child : children) shift(child, counted, index);
  }
  // A choice inside is a choice of the program.
  void assign(Name to, ExprId value, ExprId whole) {
    ExprId choice = {};
    (void)contains(value, [&](ExprId child) {
      if (std::holds_alternative<IfExpr>(at(child).node)) choice = child;
      return choice.valid();
    });
    if (choice.valid()) {
      const IfExpr parts = std::get<IfExpr>(at(choice).node);
      if (!can_run(parts.condition))
        throw NoRule{at(whole).span, "its definition chooses by what a program cannot compute"};
      line(fmt::format("if ({}) {{", text(parts.condition)));
      for (const ExprId one : {parts.then_value, parts.else_value}) {
        const auto taken = at(one).node;
        scratch_.exprs[choice].node = taken;
        ++depth_;
        assign(to, value, whole);
        --depth_;
        if (one == parts.then_value) line("} else {");
      }
      line("}");
      scratch_.exprs[choice].node = parts;
      return;
    }
    if (!can_run(value))
      throw NoRule{at(whole).span, "its definition rests on what a program cannot compute"};
    line(fmt::format("{} = {};", text(to), without_parens(text(value))));
  }

  // A number or a name needs none.
  static std::string without_parens(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::size_t end = i + 1;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                   text[end] == '_' || text[end] == '.'))
        ++end;
      const bool called = i > 0 && text[i - 1] != ' ' && text[i - 1] != '(';
      if (text[i] != '(' || called || end == i + 1 || end == text.size() || text[end] != ')') {
        out += text[i];
        continue;
      }
      out += text.substr(i + 1, end - i - 1);
      i = end;
    }
    return out;
  }

  const std::vector<const Tree*>& trees_;
  const Parts& problem_;
  NameTable& names_;
  Tree scratch_;
  std::set<std::string> taken_;
  std::string body_, witness_, certifies_;
  int depth_ = 1;
};

}  // namespace

Derived derive(const std::vector<const Tree*>& trees, const Parts& problem, NameTable& names) {
  try {
    return {Deriver(trees, problem, names).run()};
  } catch (const NoRule& none) {
    return {"", none.at, none.why};
  }
}

}  // namespace leto::problem

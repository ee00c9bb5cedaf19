#include "lower/lower_function.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/words.h"
#include "lower/lower_spec.h"
#include "lower/ways.h"

namespace leto::lower {

using check::SymbolKind;
using core::Base;
using core::CheckKind;
using core::Op;

namespace {

constexpr core::Type kBool{Base::Bool, false, 0};

class FunctionLowering {
 public:
  FunctionLowering(Context& context, check::SymbolId function)
      : c_(context),
        symbol_(context.checked.symbols[function]),
        tree_(context.tree(symbol_.tree)),
        facts_(context.facts(symbol_.tree)),
        item_(std::get<syntax::FunctionItem>(tree_.items[symbol_.item].node)),
        id_(context.functions.at(function)) {}

  void run() {
    core::Function function;
    function.name = c_.names.text(item_.name.name);
    function.span = item_.name.span;
    make_results(function);
    make_params(function);
    function.lemma = item_.lemma;
    // Where an example has no challenger at all, none beats it.
    function.alone = item_.role == syntax::Role::Under;
    function.maybe_void = item_.role == syntax::Role::RightCase;
    function.ends =
        item_.lemma || (item_.pure && !item_.external) || (item_.ends && !c_.program.unmeasured);
    for (std::size_t i = 0; i < item_.params.size(); ++i)
      for (std::size_t d = 0; d < item_.params[i].dims.size(); ++d) {
        const core::ExprId size = passed_spec(item_.params[i].dims[d], false, function);
        for (core::VarId param : params_[i])
          function.sizes.push_back({param, static_cast<std::uint8_t>(d), size});
      }
    for (const syntax::Clause& clause : item_.contract) {
      if (facts_.unsaid.contains(clause.expr.value)) continue;
      if (clause.kind == syntax::ClauseKind::Decreases) {
        if (facts_.unmeasured.contains(clause.expr.value)) continue;
        for (syntax::ExprId part : parts_of(clause))
          function.measure.push_back(passed_spec(part, false, function));
        continue;
      }
      const bool relational = is_relational(clause.kind);
      const bool ensures_r = clause.kind == syntax::ClauseKind::EnsuresR;
      const bool pre = clause.kind == syntax::ClauseKind::Requires ||
                       clause.kind == syntax::ClauseKind::RequiresR;
      const core::Clause lowered{pre ? passed_spec(clause.expr, relational, function)
                                     : spec(clause.expr, relational, function.params,
                                            ensures_r ? &function.entered : nullptr),
                                 relational};
      (pre ? function.requires_ : function.ensures).push_back(lowered);
    }
    if (item_.pure) describe_pure(function);
    for (const syntax::ReliabilityClause& clause : item_.reliability) {
      core::ReliabilityClause lowered{
          clause.span, clause.of_result, number(tree_, clause.number), {}};
      if (clause.of) {
        // Nothing here is about values on entry: who bounds it looks for inputs that are changed.
        lowered.original = spec(clause.of->original, true);
        lowered.relaxed = spec(clause.of->relaxed, true);
      }
      for (std::size_t n = 0; n < clause.names.size(); ++n) {
        const syntax::Ident& name = clause.names[n];
        std::vector<core::VarId>& into =
            clause.of && n < clause.of->inputs ? lowered.inputs : lowered.vars;
        if (c_.names.text(name.name) == "result" && !clause.of_result) {
          for (const Returned& one : results_) into.push_back(one.var);
          continue;
        }
        // On return what is changed in place is what it has become.
        for (std::size_t i = 0; i < item_.params.size(); ++i)
          if (item_.params[i].name.name == name.name)
            for (core::VarId var :
                 clause.of_result ? params_[i]
                                  : c_.vars_of(c_.declared(symbol_.tree, item_.params[i].name)))
              into.push_back(var);
      }
      function.reliability.push_back(std::move(lowered));
    }
    if (item_.external) {
      external(function);
      c_.program.functions[id_] = std::move(function);
      return;
    }
    for (const syntax::Param& param : item_.params)
      for (core::VarId var : c_.vars_of(c_.declared(symbol_.tree, param.name)))
        visible_.push_back(var);
    ways_.emplace(tree_, item_.body);
    push();
    for (const core::Function::InOut& one : function.inouts)
      emit(item_.name.span, core::Assign{one.now, c_.ref(one.passed, item_.name.span)});
    if (!returns_only_at_end()) make_flag({Way::Kind::Return}, "returned", item_.name.span);
    for (const core::Function::Entered& one : function.entered)
      emit(item_.name.span, core::Assign{one.kept, c_.ref(one.state, item_.name.span)});
    if (item_.lemma) keep_measure(function);
    declare_made();
    statement(item_.body);
    function.body = pop(tree_.stmts[item_.body].span);
    c_.program.functions[id_] = std::move(function);
  }

 private:
  // What it returns, and how its contract calls it.
  void make_results(core::Function& function) {
    const auto make_one = [&](const std::string& name, const core::Type& type, Span at) {
      const core::VarId var = c_.add_var(core::VarKind::Result, name, type, at);
      results_.push_back({c_.names.find(name), var});
      function.results.push_back(var);
    };
    const auto make = [&](const std::string& name, const check::Type& type, Span at) {
      if (type.record == nullptr) return make_one(name, lower_type(type), at);
      const std::vector<core::Type> types = Context::types_of(type);
      const std::uint32_t record = c_.new_record();
      for (std::size_t i = 0; i < types.size(); ++i) {
        make_one(fmt::format("{}.{}", name, c_.names.text(type.record->fields[i].name)), types[i],
                 at);
        c_.program.vars[function.results.back()].record = record;
      }
    };
    if (!symbol_.type.is_void()) make("result", symbol_.type, item_.name.span);
    for (const syntax::Binder& one : item_.results)
      make("result." + std::string(c_.names.text(one.name.name)), c_.checked.type_of(one.type),
           one.name.span);
    for (const syntax::Param& one : item_.made)
      function.results.push_back(c_.var(c_.declared(symbol_.tree, one.name)));
  }
  // What a lemma makes is anything of its type and its size, until it is assigned.
  void declare_made() {
    for (const syntax::Param& one : item_.made) {
      std::vector<core::ExprId> sizes;
      for (syntax::ExprId dim : one.dims) {
        sizes.push_back(spec(dim, false));
        check_natural(sizes.back(), {Base::Int, true, 0}, span(dim));
      }
      const core::VarId var = c_.var(c_.declared(symbol_.tree, one.name));
      emit(one.name.span, core::Declare{var, std::move(sizes), true});
      visible_.push_back(var);
    }
  }
  // What is changed in place is passed, and comes back with what is returned.
  void make_params(core::Function& function) {
    for (const syntax::Param& param : item_.params) {
      params_.emplace_back();
      for (check::SymbolId symbol : c_.checked.parts_of(c_.declared(symbol_.tree, param.name)))
        params_.back().push_back(make_param(symbol, param.inout, function));
    }
  }
  core::VarId make_param(check::SymbolId symbol, bool inout, core::Function& function) {
    const core::VarId var = c_.var(symbol);
    if (!inout) {
      c_.program.vars[var].kind = core::VarKind::Param;  // a challenger, too, is passed
      function.params.push_back(var);
      return var;
    }
    core::Var passed = c_.program.vars[var];
    passed.kind = core::VarKind::Param;
    passed.passed = true;
    const core::VarId before = c_.program.vars.add(std::move(passed));
    c_.passed.emplace(symbol, before);
    function.params.push_back(before);
    function.inouts.push_back({before, var});
    function.results.push_back(var);
    return before;
  }
  // What is said of a call before it is made.
  core::ExprId passed_spec(syntax::ExprId id, bool relational, const core::Function& function) {
    SpecPlace place = place_of(relational, function.params);
    place.entry = true;
    return lower_spec(c_, id, place);
  }

  // The result of an external function is right, or with the chance that its clause leaves what its
  // ensures allow.
  void external(core::Function& function) {
    const core::Type type = c_.program.vars[results_.at(0).var].type;
    for (const syntax::ReliabilityClause& clause : item_.reliability) {
      if (!clause.of_result || type.rank > 0 || !function.site.specifications.empty()) continue;
      function.site.what = function.name;
      const Span at = clause.span;
      for (const bool right : {true, false}) {
        core::Specification spec;
        spec.span = at;
        spec.of_model = false;
        spec.params = {c_.add_var(core::VarKind::Bound, "right", type, at)};
        spec.outcome = c_.add_var(core::VarKind::Bound, "result", type, at);
        if (right) {
          spec.ensures.push_back(
              c_.apply(Op::Eq, {c_.ref(spec.outcome, at), c_.ref(spec.params[0], at)}, at));
        } else {
          spec.label = function.name + ".wrong";
          const core::VarId result = std::exchange(results_[0].var, spec.outcome);
          for (const syntax::Clause& ensures : item_.contract)
            if (ensures.kind == syntax::ClauseKind::Ensures)
              spec.ensures.push_back(this->spec(ensures.expr, false, function.params));
          results_[0].var = result;
          const core::Type real{Base::Real, false, 0};
          spec.rate = c_.apply(Op::Sub,
                               {c_.number("1", at),
                                c_.add(real, at, core::NumberConst{number(tree_, clause.number)})},
                               at);
        }
        function.site.specifications.push_back(
            static_cast<std::uint32_t>(c_.program.specifications.size()));
        c_.program.specifications.push_back(std::move(spec));
      }
    }
  }

  // What specifications know of it.
  void describe_pure(core::Function& function) {
    function.pure = c_.definitions.at(c_.declared(symbol_.tree, item_.name));
    core::Definition known = c_.program.definitions[function.pure];
    known.result = function.result();
    for (const core::ParamSize& size : function.sizes) {
      const Span at = c_.program.exprs[size.size].span;
      const core::ExprId length =
          c_.add({Base::Int, true, 0}, at, core::Length{c_.ref(size.param, at), size.dimension});
      known.needs.push_back(c_.apply(Op::Eq, {length, size.size}, at));
    }
    for (const core::Clause& clause : function.requires_)
      if (!clause.relational) known.needs.push_back(clause.expr);
    for (const core::Clause& clause : function.ensures)
      if (!clause.relational) known.ensures.push_back(clause.expr);
    c_.program.definitions[function.pure] = std::move(known);
  }
  // Where a lemma calls itself, its measure has fallen since here.
  void keep_measure(const core::Function& function) {
    for (core::ExprId part : function.measure) {
      measure_.push_back(temp("measure", c_.type(part), item_.name.span));
      emit(item_.name.span, core::Assign{measure_.back(), part});
    }
  }

  // Statements are collected in the innermost open block.
  void push() { blocks_.emplace_back(); }
  core::StmtId pop(Span span) {
    core::Block block{std::move(blocks_.back())};
    blocks_.pop_back();
    return c_.program.stmts.add({span, std::move(block)});
  }
  void emit(Span span, decltype(core::Stmt::node) node) {
    blocks_.back().push_back(c_.program.stmts.add({span, std::move(node)}));
  }
  core::ExprId boolean(bool value, Span span) {
    return c_.add(kBool, span, core::BoolConst{value});
  }
  core::ExprId spec(syntax::ExprId id, bool relational, const std::vector<core::VarId>& params,
                    std::vector<core::Function::Entered>* entered = nullptr) {
    SpecPlace place = place_of(relational, params);
    place.entered = entered;
    return lower_spec(c_, id, place);
  }
  [[nodiscard]] SpecPlace place_of(bool relational, const std::vector<core::VarId>& params) const {
    SpecPlace place;
    place.tree = symbol_.tree;
    place.relational = relational;
    place.results = &results_;
    place.params = &params;
    return place;
  }
  core::ExprId spec(syntax::ExprId id, bool relational) {
    static const std::vector<core::VarId> kNone;
    return spec(id, relational, kNone);
  }
  [[nodiscard]] Span span(syntax::ExprId id) const { return tree_.exprs[id].span; }
  [[nodiscard]] std::string number(const syntax::Tree& tree, syntax::ExprId id) const {
    return std::string(c_.names.text(syntax::number_text(tree.exprs[id])));
  }
  [[nodiscard]] check::SymbolId symbol(syntax::ExprId id) const { return facts_.symbols[id.value]; }
  core::VarId temp(std::string name, core::Type type, Span at) {
    return c_.add_var(core::VarKind::Temp, std::move(name), type, at);
  }

  // A check that matters only where `guards` hold: behind a short circuit.
  void check(CheckKind kind, core::ExprId expr, Span at) {
    for (std::size_t i = guards_.size(); i-- > 0;)
      expr = c_.apply(Op::Implies, {guards_[i], expr}, at);
    emit(at, core::Check{kind, expr});
  }
  void check_natural(core::ExprId value, const core::Type& target, Span at) {
    if (target.natural && !is_natural(value)) check(CheckKind::Natural, naturally(value, at), at);
  }
  // Whether it cannot be negative, nor can its elements. Of what a program computes the type says
  // so. A specification may be of the type all the same: v[i := e] takes any e, and a definition is
  // anything outside of its domain.
  [[nodiscard]] bool is_natural(core::ExprId id) const {
    return c_.type(id).natural && is_surely_natural(c_.program, id);
  }
  core::ExprId naturally(core::ExprId value, Span at) {
    const core::Type natural{Base::Int, true, 0};
    const core::Type any{Base::Int, false, 0};
    if (c_.type(value).rank == 0) return c_.apply(Op::Ge, {value, c_.number("0", at)}, at);
    std::vector<core::VarId> bound;
    std::vector<core::ExprId> indices;
    for (int d = 0; d < c_.type(value).rank; ++d) {
      bound.push_back(c_.add_var(core::VarKind::Bound, d == 0 ? "k" : "m", natural, at));
      indices.push_back(c_.ref(bound.back(), at));
    }
    const core::ExprId element = c_.add(any, at, core::Select{value, indices});
    std::vector<core::ExprId> inside;
    for (std::size_t d = 0; d < indices.size(); ++d)
      inside.push_back(c_.apply(
          Op::Lt,
          {indices[d], c_.add(natural, at, core::Length{value, static_cast<std::uint8_t>(d)})},
          at));
    const core::ExprId holds = c_.apply(Op::Ge, {element, c_.number("0", at)}, at);
    return c_.add(kBool, at,
                  core::Quant{true, std::move(bound),
                              c_.apply(Op::Implies, {c_.conjunction(inside, at), holds}, at)});
  }

  // Returns ----------------------------------------------------------------------------------

  [[nodiscard]] bool returns_only_at_end() const {
    const auto& body = std::get<syntax::BlockStmt>(tree_.stmts[item_.body].node).body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const bool last = i + 1 == body.size() &&
                        std::holds_alternative<syntax::ReturnStmt>(tree_.stmts[body[i]].node);
      if (!last && ways_->of(body[i]).contains({Way::Kind::Return})) return false;
    }
    return true;
  }
  // Each way has a flag, which a run sets that goes it; a `return` at the very end needs none.
  using Flags = std::vector<core::VarId>;
  [[nodiscard]] Flags flags_of(const std::set<Way>& ways) const {
    Flags flags;
    for (const Way& way : ways)
      if (const auto it = flags_.find(way); it != flags_.end()) flags.push_back(it->second);
    return flags;
  }
  // Makes the flag of a way that some statement can go, and says that no run has gone it.
  void make_flag(const Way& way, std::string name, Span at) {
    // No two have one name: what is inferred is told apart by its text.
    if (const unsigned before = flags_named_[name]++; before > 0)
      name += fmt::format(" {}", before + 1);
    flags_[way] = temp(std::move(name), kBool, at);
    emit(at, core::Assign{flags_[way], boolean(false, at)});
  }
  core::ExprId any_of(const Flags& flags, Span at, core::Side side = core::Side::Open) {
    core::ExprId any;
    for (core::VarId flag : flags) {
      const core::ExprId set = c_.ref(flag, at, side);
      any = any.valid() ? c_.apply(Op::Or, {any, set}, at) : set;
    }
    return any;
  }
  core::ExprId none_of(const Flags& flags, Span at) {
    return c_.apply(Op::Not, {any_of(flags, at)}, at);
  }

  // Statements -----------------------------------------------------------------------------------

  void statement(syntax::StmtId id) {
    if (!id.valid()) return;
    const syntax::Stmt& stmt = tree_.stmts[id];
    const syntax::StmtId outside = std::exchange(current_, id);
    std::visit([&](const auto& node) { visit(node, stmt.span); }, stmt.node);
    current_ = outside;
  }
  core::StmtId block_of(syntax::StmtId id, Span at) {
    push();
    scoped([&] { statement(id); });
    return pop(id.valid() ? tree_.stmts[id].span : at);
  }

  // What is declared inside can be named only there.
  template <class Body>
  void scoped(Body body) {
    const std::size_t outside = visible_.size();
    body();
    visible_.resize(outside);
  }

  void visit(const syntax::ErrorStmt&, Span) { LETO_ASSERT(false); }
  void visit(const syntax::BlockStmt& block, Span) {
    scoped([&] { statements(block); });
  }
  void statements(const syntax::BlockStmt& block) {
    // What follows a statement that may end otherwise than by coming to its end happens only if
    // it has not.
    std::vector<Flags> opened;
    for (std::size_t i = 0; i < block.body.size(); ++i) {
      statement(block.body[i]);
      Flags flags = flags_of(ways_->of(block.body[i]));
      if (i + 1 == block.body.size() || flags.empty()) continue;
      push();
      opened.push_back(std::move(flags));
    }
    for (; !opened.empty(); opened.pop_back()) {
      const Span at = tree_.stmts[block.body.back()].span;
      const core::StmtId rest = pop(at);
      emit(at, core::If{none_of(opened.back(), at), rest, core::StmtId{}});
    }
  }
  void visit(const syntax::DeclStmt& decl, Span at) {
    for (const syntax::Declarator& one : decl.declarators) {
      const Place p{c_.declared(symbol_.tree, one.name), {}};
      std::vector<core::ExprId> sizes;
      for (syntax::ExprId dim : one.dims) {
        const core::ExprId size = lower(dim);
        check_natural(size, {Base::Int, true, 0}, span(dim));
        sizes.push_back(size);
      }
      const bool made = one.init.valid() && is_lemma(one.init);
      Parts values;
      if (one.init.valid() && !made)
        values = decl.snapshot ? Parts{spec(one.init, false)} : lower_parts(one.init);
      for (core::VarId var : c_.vars_of(p.symbol)) {
        emit(at, core::Declare{var, sizes});
        if (!decl.snapshot)
          visible_.push_back(var);  // what is inferred is to be said elsewhere too
      }
      if (made)
        recall(one.init, {}, span(one.init), {p.symbol});
      else if (one.init.valid())
        store(p, values, span(one.init));
    }
  }
  // Of a record its fields, in the order of their declaration; else the value itself.
  using Parts = std::vector<core::ExprId>;
  // A variable, or an element; it may be a record.
  struct Place {
    check::SymbolId symbol;
    std::vector<core::ExprId> indices;
  };
  // Stores values that have been computed, under the model if the place is in a region: field by
  // field, once it is known that all of them fit.
  void store(const Place& p, const Parts& values, Span at) {
    const std::vector<check::SymbolId> parts = c_.checked.parts_of(p.symbol);
    LETO_ASSERT(parts.size() == values.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const core::Type target = type_of_place(parts[i], p);
      check_natural(values[i], target, at);
      if (target.rank > 0) same_size(c_.ref(c_.var(parts[i]), at), values[i], at);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) put({parts[i], p.indices}, values[i], at);
  }
  [[nodiscard]] core::Type type_of_place(check::SymbolId part, const Place& p) {
    const core::Type type = c_.program.vars[c_.var(part)].type;
    return p.indices.empty() ? type : type.element();
  }
  void put(const Place& p, core::ExprId value, Span at) {
    const core::VarId var = c_.var(p.symbol);
    const core::Type target = type_of_place(p.symbol, p);
    const Sites sites =
        access(syntax::OperationKind::Write, c_.checked.symbols[p.symbol].region, target);
    if (!sites.empty())
      write(var, sites, p.indices, value, at);
    else if (p.indices.empty())
      emit(at, core::Assign{var, value});
    else
      emit(at, core::Store{var, p.indices, value});
  }
  void same_size(core::ExprId a, core::ExprId b, Span at) {
    std::vector<core::ExprId> parts;
    for (std::uint8_t d = 0; d < c_.type(a).rank; ++d) {
      const core::Type natural{Base::Int, true, 0};
      const core::ExprId left = c_.add(natural, at, core::Length{a, d});
      const core::ExprId right = c_.add(natural, at, core::Length{b, d});
      parts.push_back(c_.apply(Op::Eq, {left, right}, at));
    }
    check(CheckKind::SameSize, c_.conjunction(parts, at), at);
  }
  // What each layer of the model in force says of an operation, from below; one that does not
  // mention it has no site.
  using Sites = std::vector<core::FaultSite>;
  template <class Mentions>
  Sites sites_of(const std::string& what, Mentions mentions) {
    Sites sites;
    if (!model_.valid()) return sites;
    for (check::ModelId layer : check::layers_of(c_.checked, model_)) {
      const check::Model& model = c_.checked.models[layer];
      core::FaultSite site{
          layer == model_ ? what : fmt::format("{} of {}", what, c_.names.text(model.name)), {}};
      for (std::size_t i = 0; i < model.operators.size(); ++i)
        if (mentions(*model.operators[i].syntax))
          site.specifications.push_back(c_.specifications.at(layer)[i]);
      if (!site.specifications.empty()) sites.insert(sites.begin(), std::move(site));
    }
    return sites;
  }
  // What the model says of reading or writing a region, for elements of a type.
  Sites access(syntax::OperationKind kind, Name region, const core::Type& type) {
    if (!region.valid()) return {};
    const std::string what =
        fmt::format("{} {}", kind == syntax::OperationKind::Read ? "read of" : "write to",
                    c_.names.text(region));
    return sites_of(what, [&](const syntax::OperatorMember& op) {
      return op.kind == kind && op.attributes.region && op.attributes.region->name == region &&
             lower_type(check::operand_type(op)) == type.element();
    });
  }
  // Whether the site's layer stands over another.
  [[nodiscard]] bool is_upper(const core::FaultSite& site) const {
    return c_.program.specifications[site.specifications[0]].exact.valid();
  }
  // One step for each layer, from below: what a layer gives is exact for the one above it. Only the
  // last one is stored.
  void write(core::VarId var, const Sites& sites, const std::vector<core::ExprId>& indices,
             core::ExprId value, Span at) {
    core::ExprId stored = c_.ref(var, at);
    if (!indices.empty())
      stored = c_.add(c_.type(stored).element(), at, core::Select{stored, indices});
    core::ExprId below = value;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const core::ExprId exact = is_upper(sites[i]) ? below : core::ExprId{};
      const bool whole = c_.type(stored).rank > 0;
      if (i + 1 == sites.size()) {
        emit(at, core::Write{var, sites[i], indices, value, whole, exact});
        return;
      }
      const core::VarId step = temp(c_.program.vars[var].name, c_.type(stored), at);
      if (whole) {
        emit(at, core::Assign{step, stored});  // each element's place holds what it held
        emit(at, core::Write{step, sites[i], {}, value, true, exact});
      } else {
        emit(at, core::Relaxed{step, sites[i], {stored, value}, below});
      }
      below = c_.ref(step, at);
    }
  }

  // Evaluates the indices of an assignable place, left to right.
  Place place(syntax::ExprId id) {
    std::vector<syntax::ExprId> indices;
    std::optional<std::size_t> field;
    while (true) {
      if (const auto* index = std::get_if<syntax::IndexExpr>(&tree_.exprs[id].node)) {
        indices.insert(indices.begin(), index->index);
        id = index->base;
      } else if (const auto* paren = std::get_if<syntax::ParenExpr>(&tree_.exprs[id].node)) {
        id = paren->inner;
      } else if (const auto* part = std::get_if<syntax::FieldExpr>(&tree_.exprs[id].node)) {
        field = facts_.fields.at(id.value);
        id = part->base;
      } else {
        break;
      }
    }
    Place result{symbol(id), {}};
    if (field) result.symbol = c_.checked.parts_of(result.symbol).at(*field);
    for (syntax::ExprId index : indices) result.indices.push_back(lower(index));
    return result;
  }
  void check_bounds(core::ExprId vector, const std::vector<core::ExprId>& indices, Span at) {
    std::vector<core::ExprId> parts;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (!is_natural(indices[d]))
        parts.push_back(c_.apply(Op::Le, {c_.number("0", at), indices[d]}, at));
      const core::ExprId length =
          c_.add({Base::Int, true, 0}, at, core::Length{vector, static_cast<std::uint8_t>(d)});
      parts.push_back(c_.apply(Op::Lt, {indices[d], length}, at));
    }
    check(CheckKind::Bounds, c_.conjunction(parts, at), at);
  }
  void assign(const Place& p, const Parts& values, Span at) {
    if (!p.indices.empty())
      for (core::VarId var : c_.vars_of(p.symbol)) check_bounds(c_.ref(var, at), p.indices, at);
    store(p, values, at);
  }
  void visit(const syntax::AssignStmt& s, Span at) {
    if (is_lemma(s.value)) return recall(s.value, {}, at, {symbol(s.target)});
    const Place p = place(s.target);
    if (!s.op) return assign(p, lower_parts(s.value), at);
    const core::ExprId before = read(p, span(s.target));
    const core::ExprId operand = lower(s.value);
    assign(p, {binary(*s.op, s.dotted, before, operand, at)}, at);
  }
  void visit(const syntax::StepStmt& s, Span at) {
    const Place p = place(s.target);
    const core::ExprId before = read(p, span(s.target));
    const core::ExprId one =
        c_.type(before).is_word() ? c_.literal(c_.type(before), "1", at) : c_.number("1", at);
    const auto op = s.increment ? syntax::BinaryOp::Add : syntax::BinaryOp::Sub;
    assign(p, {c_.combine(op, before, one, at)}, at);
  }
  void visit(const syntax::IfStmt& s, Span at) {
    const core::ExprId condition = lower(s.condition);
    const core::StmtId then_branch = block_of(s.then_branch, at);
    const core::StmtId else_branch =
        s.else_branch.valid() ? block_of(s.else_branch, at) : core::StmtId{};
    emit(at, core::If{condition, then_branch, else_branch});
  }
  // What all loops have.
  template <class Loop>
  core::While begin(const Loop& s, Span at) {
    core::While result;
    result.loop = core::LoopId{static_cast<std::uint32_t>(c_.program.loops.size())};
    c_.program.loops.emplace_back();
    if (s.attributes.label) {
      c_.program.loops.back() = c_.names.text(s.attributes.label->name);
      c_.loops[c_.declared(symbol_.tree, *s.attributes.label)] = result.loop;
    }
    result.infer = !s.attributes.noinf;
    const Way broken{Way::Kind::Break, current_}, skipped{Way::Kind::Continue, current_};
    std::set<Way> ways = ways_->of(s.body);
    if (ways.contains(broken)) make_flag(broken, "broken off", at);
    ways.erase(skipped);
    result.exits = flags_of(ways);
    result.left = temp("left", kBool, at);
    const auto head = [&](bool relational) {
      return result.exits.empty() ? core::ExprId{} : at_head(relational, result, at);
    };
    result.visible = visible_;
    for (const syntax::Clause& clause : s.invariants) {
      if (clause.kind == syntax::ClauseKind::Decreases) continue;
      if (facts_.unsaid.contains(clause.expr.value)) continue;
      const bool relational = is_relational(clause.kind);
      static const std::vector<core::VarId> kNone;
      SpecPlace place = place_of(relational, kNone);
      place.loop = &result;
      result.invariants.push_back(
          {lower_spec(c_, clause.expr, place), relational, head(relational)});
    }
    return result;
  }
  // Where a loop that is left from its middle is at a head: a run that has not left it so; of both
  // runs, one that is in the loop.
  core::ExprId at_head(bool relational, const core::While& loop, Span at) {
    if (!relational) return none_of(loop.exits, at);
    const auto gone = [&](core::Side side) {
      return c_.apply(Op::Or, {c_.ref(loop.left, at, side), any_of(loop.exits, at, side)}, at);
    };
    const core::ExprId original = gone(core::Side::Original), relaxed = gone(core::Side::Relaxed);
    return c_.apply(Op::Not, {c_.apply(Op::And, {original, relaxed}, at)}, at);
  }
  // What it means that the run comes closer to its end: from one head to the next, either its test
  // is false then, or the first part of its measure that changes falls, from at least 0. Of a test
  // that is not plain nobody knows how it comes out, so it excuses nothing; that the run has
  // left from the middle does.
  template <class Loop>
  void measure(const Loop& s, core::While& loop, Span at) {
    const bool plain = is_plain(loop);
    const auto unless_left = [&](core::ExprId falls, Span where) {
      if (plain) return c_.apply(Op::Implies, {loop.condition, falls}, where);
      if (loop.exits.empty()) return falls;
      return c_.apply(Op::Implies, {none_of(loop.exits, at), falls}, where);
    };
    for (const syntax::Clause& clause : s.invariants) {
      if (clause.kind != syntax::ClauseKind::Decreases) continue;
      if (facts_.unmeasured.contains(clause.expr.value)) continue;
      std::vector<Fall> parts;
      for (syntax::ExprId part : parts_of(clause))
        parts.push_back(fall_of(spec(part, false), loop));
      loop.falls = unless_left(falling(parts, clause.span), clause.span);
    }
    if ((!c_.has_to_end && !item_.lemma && !item_.pure) || loop.falls.valid() || !plain) return;
    if (const core::ExprId distance = distance_in(loop.condition); distance.valid())
      loop.likely = unless_left(falling({fall_of(distance, loop)}, at), at);
  }
  // A part of a measure, at a head and at the one before.
  struct Fall {
    core::ExprId now, before;
  };
  Fall fall_of(core::ExprId now, const core::While& loop) {
    const core::Expr& e = c_.program.exprs[now];
    return {now, c_.add(e.type, e.span, core::Snapshot{loop.loop, false, now})};
  }
  core::ExprId falling(const std::vector<Fall>& parts, Span at) {
    core::ExprId any;
    std::vector<core::ExprId> same;
    for (const Fall& part : parts) {
      std::vector<core::ExprId> way = same;
      way.push_back(c_.apply(Op::Lt, {part.now, part.before}, at));
      if (c_.trap != Trap::MeasureBelowZero)
        way.push_back(c_.apply(Op::Le, {c_.number("0", at), part.before}, at));
      const core::ExprId this_way = c_.conjunction(way, at);
      any = any.valid() ? c_.apply(Op::Or, {any, this_way}, at) : this_way;
      same.push_back(c_.apply(Op::Eq, {part.before, part.now}, at));
    }
    return any;
  }
  // How far a comparison of integers in a test is from being false; invalid: there is none. Of
  // several, one between two that are no numbers: `0 <= i < n` mostly counts up.
  core::ExprId distance_in(core::ExprId test) {
    core::ExprId least, most;
    bool best = false;
    for (core::ExprId part : core::conjuncts(c_.program, test)) {
      const auto* compared = std::get_if<core::Apply>(&c_.program.exprs[part].node);
      if (compared == nullptr) continue;
      const bool rises = compared->op == Op::Lt || compared->op == Op::Le;
      if (!rises && compared->op != Op::Gt && compared->op != Op::Ge) continue;
      const core::ExprId low = compared->args[rises ? 0 : 1], high = compared->args[rises ? 1 : 0];
      if (c_.type(low).base != Base::Int || c_.type(high).base != Base::Int) continue;
      const bool plain = !is_number(low) && !is_number(high);
      if (least.valid() && (best || !plain)) continue;
      least = low, most = high, best = plain;
    }
    return least.valid() ? c_.apply(Op::Sub, {most, least}, c_.program.exprs[test].span) : least;
  }
  [[nodiscard]] bool is_number(core::ExprId id) const {
    return std::holds_alternative<core::NumberConst>(c_.program.exprs[id].node);
  }
  // Whether the test is a function of the run's variables, which its expression alone computes.
  bool is_plain(const core::While& loop) {
    bool plain = true;
    core::for_each_statement(c_.program, loop.before, [&](core::StmtId id) {
      const auto& node = c_.program.stmts[id].node;
      plain = plain &&
              (std::holds_alternative<core::Block>(node) ||
               std::holds_alternative<core::If>(node) || std::holds_alternative<core::Check>(node));
    });
    return plain && !core::reads_state(c_.program, loop.condition);
  }
  // A test that only a run computes that has not left from the middle. What has to be computed for
  // it first has no value in one that has, so such a run is given the outcome instead.
  core::ExprId unless_gone(core::While& loop, core::ExprId condition, Span at) {
    bool sets = false;
    core::for_each_statement(c_.program, loop.before, [&](core::StmtId id) {
      sets = sets || !core::targets_of(c_.program, id).empty();
    });
    const core::StmtId test = loop.before;
    push();
    if (!sets) {
      emit(at, core::If{none_of(loop.exits, at), test, core::StmtId{}});
      loop.before = pop(at);
      return c_.apply(Op::And, {none_of(loop.exits, at), condition}, at);
    }
    const core::VarId stays = temp("stays", kBool, at);
    emit(at, core::Assign{stays, boolean(false, at)});
    push();
    blocks_.back().push_back(test);
    emit(at, core::Assign{stays, condition});
    const core::StmtId computed = pop(at);
    emit(at, core::If{none_of(loop.exits, at), computed, core::StmtId{}});
    loop.before = pop(at);
    return c_.ref(stays, at);
  }
  // One iteration: the body, and what a run does that stays in the loop.
  template <class Step>
  core::StmtId iteration(syntax::StmtId body, const core::While& loop, Span at, Step step) {
    push();
    const Way skipped{Way::Kind::Continue, current_};
    if (ways_->of(body).contains(skipped)) make_flag(skipped, "skipped", at);
    statement(body);
    if (loop.exits.empty()) {
      step();
    } else {
      push();
      scoped(step);
      const bool empty = blocks_.back().empty();
      const core::StmtId stepped = pop(at);
      if (!empty) emit(at, core::If{none_of(loop.exits, at), stepped, core::StmtId{}});
    }
    return pop(tree_.stmts[body].span);
  }
  template <class Loop>
  void loop(const Loop& s, syntax::StmtId step, Span at) {
    core::While result = begin(s, at);
    push();
    core::ExprId condition = s.condition.valid() ? lower(s.condition) : boolean(true, at);
    result.before = pop(at);
    if (!result.exits.empty()) condition = unless_gone(result, condition, at);
    result.condition = condition;
    measure(s, result, at);
    result.body = iteration(s.body, result, at, [&] { statement(step); });
    emit(at, std::move(result));
  }
  void visit(const syntax::WhileStmt& s, Span at) { loop(s, syntax::StmtId{}, at); }
  void visit(const syntax::ForStmt& s, Span at) {
    scoped([&] {
      statement(s.init);
      loop(s, s.step, at);
    });
  }
  // They stand in systems only.
  void visit(const syntax::ChooseStmt&, Span) { LETO_ASSERT(false); }
  void visit(const syntax::NodesStmt&, Span) { LETO_ASSERT(false); }
  void visit(const syntax::MessageStmt&, Span) { LETO_ASSERT(false); }
  // A loop over a counter of its own.
  void visit(const syntax::RepeatStmt& s, Span at) {
    const core::Type natural{Base::Int, true, 0};
    const core::VarId counter = temp("repetition", natural, at);
    emit(at, core::Assign{counter, c_.number("0", at)});
    core::While result = begin(s, at);
    result.times = lower(s.count);
    result.counter = counter;
    push();
    result.before = pop(at);
    result.condition = c_.apply(Op::Lt, {c_.ref(counter, at), result.times}, at);
    if (!result.exits.empty())
      result.condition = c_.apply(Op::And, {none_of(result.exits, at), result.condition}, at);
    measure(s, result, at);
    const core::ExprId more = c_.apply(Op::Add, {c_.ref(counter, at), c_.number("1", at)}, at);
    result.body = iteration(s.body, result, at, [&] { emit(at, core::Assign{counter, more}); });
    emit(at, std::move(result));
  }

  // What was tried, checked, and done again or in another way if the check fails. What is done
  // again is the same statement each time: copies of copies would be too many.
  void visit(const syntax::TryStmt& s, Span at) {
    const core::StmtId body = tried(s, false, at);
    push();
    const core::ExprId check = lower(s.check);
    const core::StmtId test = pop(span(s.check));
    core::StmtId recover;
    if (s.recover.valid()) {
      recover = block_of(s.recover, at);
    } else {
      const core::StmtId again = s.under ? tried(s, true, at) : body;
      recover = again;
      const int times = s.redo.valid() ? std::stoi(number(tree_, s.redo)) : 1;
      for (int k = 1; k < times; ++k) recover = attempt(s, again, test, check, recover, at);
    }
    const core::StmtId whole = attempt(s, body, test, check, recover, at);
    blocks_.back().push_back(whole);
  }
  // The body, if it is done again then under the model that is named for that.
  core::StmtId tried(const syntax::TryStmt& s, bool again, Span at) {
    const check::ModelId outside = model_;
    if (again && s.under) model_ = named(s.under->name);
    const core::StmtId body = block_of(s.body, at);
    model_ = outside;
    return body;
  }
  [[nodiscard]] check::ModelId named(Name name) const {
    for (check::ModelId id : c_.checked.redo_models)
      if (c_.checked.models[id].name == name) return id;
    return c_.checked.model;
  }
  core::StmtId attempt(const syntax::TryStmt& s, core::StmtId body, core::StmtId test,
                       core::ExprId check, core::StmtId recover, Span at) {
    core::Recovery recovery{at, {}, body, test, recover, check, {}, {}, {}};
    if (s.checker) {
      const check::FoundChecker found = check::find_checker(c_.checked, s.checker->name);
      recovery.checker = c_.names.text(s.checker->name);
      recovery.false_positive = number(*found.tree, found.item->false_positive);
      recovery.false_negative = number(*found.tree, found.item->false_negative);
    }
    push();
    blocks_.back().push_back(body);
    blocks_.back().push_back(test);
    push();
    const core::StmtId nothing = pop(span(s.check));
    emit(span(s.check), core::If{check, nothing, recover});
    recovery.block = pop(at);
    c_.program.recoveries.push_back(recovery);
    return recovery.block;
  }

  void visit(const syntax::ReturnStmt& s, Span at) {
    std::vector<syntax::ExprId> given = s.more;
    if (s.value.valid()) given.insert(given.begin(), s.value);
    Parts values;
    std::vector<Span> spans;
    for (syntax::ExprId id : given)
      for (core::ExprId part : lower_parts(id)) {
        values.push_back(part);
        spans.push_back(span(id));
      }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const core::VarId result = results_.at(i).var;
      check_natural(values[i], c_.program.vars[result].type, spans[i]);
      emit(at, core::Assign{result, values[i]});
    }
    leave({Way::Kind::Return}, at);
  }
  void visit(const syntax::JumpStmt&, Span at) { leave(*ways_->of(current_).begin(), at); }
  void leave(const Way& way, Span at) {
    if (const auto it = flags_.find(way); it != flags_.end())
      emit(at, core::Assign{it->second, boolean(true, at)});
  }
  void visit(const syntax::CallStmt& s, Span at) {
    if (is_lemma(s.call))
      recall(s.call, {}, at);
    else
      lower_parts(s.call);
  }
  [[nodiscard]] bool is_lemma(syntax::ExprId id) const {
    const check::SymbolId callee = symbol(id);
    return callee.valid() && std::holds_alternative<syntax::CallExpr>(tree_.exprs[id].node) &&
           c_.checked.symbols[callee].kind == SymbolKind::Lemma;
  }
  // What is returned is put into the variables from left to right.
  void visit(const syntax::SpreadStmt& s, Span at) {
    if (is_lemma(s.call)) {
      std::vector<check::SymbolId> into;
      for (syntax::ExprId target : s.targets) into.push_back(symbol(target));
      return recall(s.call, {}, at, into);
    }
    const auto& call = std::get<syntax::CallExpr>(tree_.exprs[s.call].node);
    const std::vector<core::VarId> got = make_call(s.call, call);
    std::size_t next = 0;
    for (syntax::ExprId target : s.targets) {
      const Place p = place(target);
      Parts values;
      while (values.size() < c_.checked.parts_of(p.symbol).size())
        values.push_back(c_.ref(got[next++], span(s.call)));
      assign(p, values, at);
    }
  }
  void visit(const syntax::ForallStmt& s, Span) {
    Range range;
    for (const syntax::Binder& binder : s.binders) {
      const check::SymbolId bound = c_.declared(symbol_.tree, binder.name);
      c_.vars.erase(bound);  // what is done again has its own
      range.bound.push_back(c_.var(bound));
    }
    const auto& body = std::get<syntax::BlockStmt>(tree_.stmts[s.body].node).body;
    for (syntax::StmtId child : body) {
      const syntax::ExprId call = std::get<syntax::CallStmt>(tree_.stmts[child].node).call;
      if (!range.condition.valid())  // all of them are of both runs, or none
        range.condition = spec(s.range, facts_.relational_calls.contains(call.value));
      recall(call, range, tree_.stmts[child].span);
    }
  }
  // For which values a lemma is called; without bound variables: once.
  struct Range {
    std::vector<core::VarId> bound;
    core::ExprId condition;
  };
  // What the lemma says is written out with the arguments in the place of its parameters. What it
  // makes is put into variables of their own, for the arguments may name those that it is meant
  // for.
  void recall(syntax::ExprId id, const Range& range, Span at,
              const std::vector<check::SymbolId>& into = {}) {
    const check::SymbolId lemma = symbol(id);
    const check::Symbol& s = c_.checked.symbols[lemma];
    const auto& item = std::get<syntax::FunctionItem>(c_.tree(s.tree).items[s.item].node);
    const auto& args = std::get<syntax::CallExpr>(tree_.exprs[id].node).args;
    core::Recall made{c_.functions.at(lemma), facts_.relational_calls.contains(id.value), {}, {}};
    static const std::vector<core::VarId> kNone;
    const SpecPlace caller = place_of(made.relational, kNone);
    std::unordered_map<check::SymbolId, Argument> arguments;
    for (std::size_t i = 0; i < args.size(); ++i)
      pass_argument(c_, c_.declared(s.tree, item.params[i].name), args[i], caller, arguments);
    SpecPlace inside = place_of(made.relational, kNone);
    inside.tree = s.tree;
    inside.arguments = &arguments;
    const auto need = [&](core::NeedKind kind, core::ExprId expr) {
      made.needs.push_back({kind, in_range(range, expr, at)});
    };
    for (std::size_t i = 0; i < args.size(); ++i)
      fit(item.params[i], lower_spec_parts(c_, args[i], caller), inside, at,
          [&](core::ExprId holds) { need(core::NeedKind::Argument, holds); });
    for (const syntax::Clause& clause : item.contract)
      if (clause.kind == syntax::ClauseKind::Requires)
        need(core::NeedKind::Requires, lower_spec(c_, clause.expr, inside));
    if (made.lemma == id_) need(core::NeedKind::Falls, falls_again(item, inside, at));
    std::unordered_map<check::SymbolId, core::VarId> results;
    for (std::size_t i = 0; i < into.size(); ++i) {
      made.made.push_back(receive(item.made[i], into[i], inside, at, need));
      results.emplace(c_.declared(s.tree, item.made[i].name), made.made.back().var);
    }
    inside.made = &results;
    if (!into.empty())
      for (syntax::ExprId arg : args)
        for (core::ExprId part : lower_spec_parts(c_, arg, caller)) made.args.push_back(part);
    for (const syntax::Clause& clause : item.contract)
      if (clause.kind == syntax::ClauseKind::Ensures)
        made.ensures.push_back(in_range(range, lower_spec(c_, clause.expr, inside), at));
    const std::vector<core::Recall::Made> news = made.made;
    emit(at, std::move(made));
    for (std::size_t i = 0; i < into.size(); ++i)
      emit(at, core::Assign{c_.var(into[i]), c_.ref(news[i].var, at)});
  }
  // A variable for what is made; that what it is put into has its size is needed.
  template <class Need>
  core::Recall::Made receive(const syntax::Param& one, check::SymbolId into,
                             const SpecPlace& inside, Span at, const Need& need) {
    core::Recall::Made made{temp(std::string(c_.names.text(one.name.name)),
                                 lower_type(c_.checked.type_of(one.type)), at),
                            {}};
    for (std::size_t d = 0; d < one.dims.size(); ++d) {
      made.sizes.push_back(lower_spec(c_, one.dims[d], inside));
      need(core::NeedKind::Taken, has_size(c_.ref(c_.var(into), at), d, made.sizes.back(), at));
    }
    return made;
  }
  core::ExprId in_range(const Range& range, core::ExprId expr, Span at) {
    if (range.bound.empty()) {  // where it is used is where it holds or does not
      core::Expr here = c_.program.exprs[expr];
      here.span = at;
      return c_.program.exprs.add(std::move(here));
    }
    return c_.add(
        kBool, at,
        core::Quant{true, range.bound, c_.apply(Op::Implies, {range.condition, expr}, at)});
  }
  // That an argument is what the parameter can be: by its type, and of its size.
  template <class F>
  void fit(const syntax::Param& param, const std::vector<core::ExprId>& parts,
           const SpecPlace& inside, Span at, const F& f) {
    const std::vector<core::Type> wanted = Context::types_of(c_.checked.type_of(param.type));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (wanted.at(i).natural && !is_surely_natural(c_.program, parts[i]))
        f(naturally(parts[i], at));
      for (std::size_t d = 0; d < param.dims.size(); ++d)
        f(has_size(parts[i], d, lower_spec(c_, param.dims[d], inside), at));
    }
  }
  core::ExprId has_size(core::ExprId vector, std::size_t dimension, core::ExprId size, Span at) {
    const core::ExprId length = c_.add({Base::Int, true, 0}, at,
                                       core::Length{vector, static_cast<std::uint8_t>(dimension)});
    return c_.apply(Op::Eq, {length, size}, at);
  }
  core::ExprId falls_again(const syntax::FunctionItem& item, const SpecPlace& inside, Span at) {
    std::vector<Fall> parts;
    for (const syntax::Clause& clause : item.contract)
      if (clause.kind == syntax::ClauseKind::Decreases)
        for (syntax::ExprId part : parts_of(clause)) {
          const core::ExprId before = c_.ref(measure_.at(parts.size()), at);
          parts.push_back({lower_spec(c_, part, inside), before});
        }
    return falling(parts, at);
  }
  void visit(const syntax::ClaimStmt& s, Span at) {
    if (facts_.unsaid.contains(s.expr.value)) return;
    const bool assumed = s.kind == syntax::AssertionKind::Assume && !item_.lemma;
    const auto kind = s.kind == syntax::AssertionKind::AssertR ? core::AssertionKind::AssertR
                      : assumed                                ? core::AssertionKind::Assume
                                                               : core::AssertionKind::Assert;
    emit(at, core::Claim{kind, spec(s.expr, kind == core::AssertionKind::AssertR)});
  }

  // Program expressions: effects are emitted in order, the value is pure
  // -----------------------------

  core::ExprId lower(syntax::ExprId id) {
    if (item_.lemma) return spec(id, false);
    const core::ExprId lowered =
        std::visit([&](const auto& node) { return value(id, node); }, tree_.exprs[id].node);
    // What is meant by an operator depends on types: there is one opinion about them.
    const check::Type& type = facts_.types[id.value];
    LETO_ASSERT(type.is_void() || c_.trap != Trap::None || c_.type(lowered) == lower_type(type));
    return lowered;
  }
  // Of a record, or a vector of records, its fields; of anything else the value.
  Parts lower_parts(syntax::ExprId id) {
    if (facts_.types[id.value].record == nullptr) return {lower(id)};
    const auto& node = tree_.exprs[id].node;
    if (const auto* paren = std::get_if<syntax::ParenExpr>(&node)) return lower_parts(paren->inner);
    Parts all;
    if (const auto* call = std::get_if<syntax::CallExpr>(&node)) {
      for (core::VarId got : make_call(id, *call)) all.push_back(c_.ref(got, span(id)));
      return all;
    }
    const Place p = place(id);
    for (check::SymbolId part : c_.checked.parts_of(p.symbol))
      all.push_back(read({part, p.indices}, span(id)));
    return all;
  }
  core::ExprId value(syntax::ExprId, const syntax::ErrorExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId id, const syntax::IntegerExpr& e) {
    return c_.literal(lower_type(facts_.types[id.value]), std::string(c_.names.text(e.text)),
                      span(id));
  }
  core::ExprId value(syntax::ExprId id, const syntax::RealExpr& e) {
    return c_.add({Base::Real, false, 0}, span(id),
                  core::NumberConst{std::string(c_.names.text(e.text))});
  }
  core::ExprId value(syntax::ExprId id, const syntax::BoolExpr& e) {
    return boolean(e.value, span(id));
  }
  core::ExprId value(syntax::ExprId, const syntax::ParenExpr& e) { return lower(e.inner); }
  core::ExprId value(syntax::ExprId id, const syntax::NameExpr&) {
    return read({symbol(id), {}}, span(id));
  }
  core::ExprId value(syntax::ExprId id, const syntax::MemberExpr&) {  // a field of a variable
    return read({symbol(id), {}}, span(id));
  }
  core::ExprId value(syntax::ExprId id, const syntax::FieldExpr& e) {
    syntax::ExprId whole = e.base;
    while (const auto* paren = std::get_if<syntax::ParenExpr>(&tree_.exprs[whole].node))
      whole = paren->inner;
    if (std::holds_alternative<syntax::CallExpr>(tree_.exprs[whole].node))
      return lower_parts(whole).at(facts_.fields.at(id.value));
    return read(place(id), span(id));
  }
  core::ExprId value(syntax::ExprId id, const syntax::ModelExpr&) {
    const core::VarId var = c_.var(symbol(id));
    if (c_.program.vars[var].kind != core::VarKind::State) return c_.ref(var, span(id));
    return read({symbol(id), {}}, span(id));
  }
  core::ExprId value(syntax::ExprId id, const syntax::IndexExpr&) {
    return read(place(id), span(id));
  }

  // Reads a variable or an element, under the model if it is in a region.
  core::ExprId read(const Place& p, Span at) {
    const core::VarId var = c_.var(p.symbol);
    core::ExprId stored = c_.ref(var, at);
    if (!p.indices.empty()) {
      check_bounds(stored, p.indices, at);
      stored = c_.add(c_.type(stored).element(), at, core::Select{stored, p.indices});
    }
    const core::Type type = c_.type(stored);
    // State can change before this is used: its value now is kept.
    if (c_.program.vars[var].kind == core::VarKind::State) {
      if (c_.trap == Trap::CompoundReadsLast) return stored;
      const core::VarId kept = temp(c_.program.vars[var].name, type, at);
      emit(at, core::Assign{kept, stored});
      return c_.ref(kept, at);
    }
    const Sites sites =
        access(syntax::OperationKind::Read, c_.checked.symbols[p.symbol].region, type);
    if (sites.empty() || c_.checked.symbols[p.symbol].kind == SymbolKind::Ghost) return stored;
    core::ExprId below = stored;
    for (const core::FaultSite& site : sites) {
      const core::VarId got = temp(c_.program.vars[var].name, type, at);
      const core::ExprId exact = is_upper(site) ? below : core::ExprId{};
      if (type.rank > 0)
        emit(at, core::Write{got, site, {}, stored, true, exact});  // one read per element
      else
        emit(at, core::Relaxed{got, site, {stored}, below});
      below = c_.ref(got, at);
    }
    return below;
  }

  [[nodiscard]] bool has_effects(syntax::ExprId id) const {
    const syntax::Expr& e = tree_.exprs[id];
    if (const auto* b = std::get_if<syntax::BinaryExpr>(&e.node); b && b->dotted) return true;
    if (const auto* u = std::get_if<syntax::UnaryExpr>(&e.node); u && u->dotted) return true;
    if (std::holds_alternative<syntax::CallExpr>(e.node) && symbol(id).valid()) return true;
    const bool variable = std::holds_alternative<syntax::NameExpr>(e.node) ||
                          std::holds_alternative<syntax::MemberExpr>(e.node);
    if (variable && symbol(id).valid() && c_.checked.symbols[symbol(id)].region.valid())
      return true;
    bool any = false;
    for_each_child(e, [&](syntax::ExprId child) { any = any || has_effects(child); });
    return any;
  }

  core::ExprId value(syntax::ExprId id, const syntax::UnaryExpr& e) {
    const core::ExprId operand = lower(e.operand);
    const core::ExprId exact = c_.combine(e.op, operand, span(id));
    if (!e.dotted) return exact;
    Sites sites = specified(syntax::OperationKind::Unary, spelling(e.op), operand, core::ExprId{});
    return relaxed(spelling(e.op), std::move(sites), {operand}, exact, span(id));
  }
  core::ExprId value(syntax::ExprId id, const syntax::BinaryExpr& e) {
    const bool logical = e.op == syntax::BinaryOp::And || e.op == syntax::BinaryOp::Or ||
                         e.op == syntax::BinaryOp::Implies;
    if (facts_.types[e.lhs.value].record != nullptr) {
      const Parts lhs = lower_parts(e.lhs);
      return c_.compare(e.op, lhs, lower_parts(e.rhs), span(id));
    }
    const core::ExprId lhs = lower(e.lhs);
    if (logical && !e.dotted)
      return short_circuit(lower_op(e.op), lhs, has_effects(e.rhs), span(id),
                           [&] { return lower(e.rhs); });
    const core::ExprId rhs = lower(e.rhs);
    return binary(e.op, e.dotted, lhs, rhs, span(id));
  }
  // The second operand is looked at only where the first leaves the result open.
  template <class Rest>
  core::ExprId short_circuit(Op op, core::ExprId lhs, bool effects, Span at, Rest rest) {
    const core::ExprId guard = op == Op::Or ? c_.apply(Op::Not, {lhs}, at) : lhs;
    if (!effects) {
      guards_.push_back(guard);
      const core::ExprId rhs = rest();
      guards_.pop_back();
      return c_.apply(op, {lhs, rhs}, at);
    }
    // It has effects: they happen only where it is looked at.
    const core::VarId result = temp("condition", kBool, at);
    emit(at, core::Assign{result, boolean(op != Op::And, at)});
    std::vector<core::ExprId> outer;
    std::swap(outer, guards_);
    core::ExprId test = guard;
    for (core::ExprId g : outer) test = c_.apply(Op::And, {g, test}, at);
    push();
    const core::ExprId rhs = rest();
    emit(at, core::Assign{result, rhs});
    const core::StmtId looked = pop(at);
    std::swap(outer, guards_);
    emit(at, core::If{test, looked, core::StmtId{}});
    return c_.ref(result, at);
  }
  // Only the value that is chosen is looked at.
  core::ExprId value(syntax::ExprId id, const syntax::IfExpr& e) {
    const Span at = span(id);
    const core::ExprId condition = lower(e.condition);
    if (has_effects(e.then_value) || has_effects(e.else_value)) return branch(id, condition, e, at);
    guards_.push_back(condition);
    const core::ExprId first = lower(e.then_value);
    guards_.back() = c_.apply(Op::Not, {condition}, at);
    const core::ExprId second = lower(e.else_value);
    guards_.pop_back();
    return c_.apply(Op::Choose, {condition, first, second}, at);
  }
  // What happens in a value happens only where it is chosen, and the runs may part there.
  core::ExprId branch(syntax::ExprId id, core::ExprId condition, const syntax::IfExpr& e, Span at) {
    const core::VarId result = temp("if", lower_type(facts_.types[id.value]), at);
    LETO_ASSERT(guards_.empty());  // whoever has effects inside has made a branch too
    emit(at, core::Declare{result, {}});
    const auto done = [&](syntax::ExprId chosen) {
      push();
      const core::ExprId got = lower(chosen);
      emit(at, core::Assign{result, got});
      return pop(at);
    };
    const core::StmtId first = done(e.then_value), second = done(e.else_value);
    emit(at, core::If{condition, first, second});
    return c_.ref(result, at);
  }
  core::ExprId binary(syntax::BinaryOp op, bool dotted, core::ExprId lhs, core::ExprId rhs,
                      Span at) {
    const bool divides = op == syntax::BinaryOp::Div || op == syntax::BinaryOp::Mod;
    Sites sites;
    if (dotted) sites = specified(syntax::OperationKind::Binary, spelling(op), lhs, rhs);
    // Division by zero is a failure, relaxed or not.
    if (divides) check_divisor(rhs, at);
    const core::ExprId exact = c_.combine(op, lhs, rhs, at);
    return relaxed(spelling(op), std::move(sites), {lhs, rhs}, exact, at);
  }
  void check_divisor(core::ExprId divisor, Span at) {
    const core::ExprId none =
        c_.type(divisor).is_word() ? c_.literal(c_.type(divisor), "0", at) : c_.number("0", at);
    check(CheckKind::DivisionByZero, c_.apply(Op::Ne, {divisor, none}, at), at);
  }
  // One step for each layer, from below: what a layer gives is exact for the one above it.
  core::ExprId relaxed(std::string_view sign, Sites sites, const std::vector<core::ExprId>& args,
                       core::ExprId exact, Span at) {
    for (core::FaultSite& site : sites) {
      const core::VarId got = temp(fmt::format("{}.", sign), outcome_type(site, exact), at);
      emit(at, core::Relaxed{got, std::move(site), args, exact});
      exact = c_.ref(got, at);
    }
    return exact;
  }
  Sites specified(syntax::OperationKind kind, std::string_view sign, core::ExprId a,
                  core::ExprId b) {
    core::Type operands = c_.type(a);
    if (b.valid()) {
      const core::Type other = c_.type(b);
      if (other.base == Base::Real || operands.base == Base::Real)
        operands = {Base::Real, false, 0};
      else if (operands.base == Base::Int)
        operands.natural = operands.natural && other.natural;
    }
    return sites_of(std::string(sign), [&](const syntax::OperatorMember& op) {
      const bool unary = kind == syntax::OperationKind::Unary;
      return op.kind == kind && (unary ? spelling(op.unary) : spelling(op.binary)) == sign &&
             lower_type(check::operand_type(op)) == operands;
    });
  }
  // What the model's operator gives: it need not be what the exact operation could give.
  [[nodiscard]] core::Type outcome_type(const core::FaultSite& site, core::ExprId exact) const {
    if (c_.trap == Trap::NaturalRemainder) {
      core::Type type = c_.type(exact);
      const auto* apply = std::get_if<core::Apply>(&c_.program.exprs[exact].node);
      type.natural = type.natural || (apply != nullptr && apply->op == Op::Mod);
      return type;
    }
    const core::Specification& first = c_.program.specifications[site.specifications[0]];
    return c_.program.vars[first.outcome].type;
  }
  core::ExprId value(syntax::ExprId id, const syntax::ChainExpr& e) {
    const Parts first = lower_parts(e.operands[0]);
    const Parts second = lower_parts(e.operands[1]);
    return chain_from(e, 0, first, second, span(id));
  }
  // a < b < c: c is evaluated only where a < b.
  core::ExprId chain_from(const syntax::ChainExpr& e, std::size_t i, const Parts& left,
                          const Parts& right, Span at) {
    const core::ExprId holds = c_.compare(e.ops[i], left, right, at);
    if (i + 1 == e.ops.size()) return holds;
    if (c_.trap == Trap::ChainNeverStops) {
      const Parts next = lower_parts(e.operands[i + 2]);
      return c_.apply(Op::And, {holds, chain_from(e, i + 1, right, next, at)}, at);
    }
    bool effects = false;
    for (std::size_t k = i + 2; k < e.operands.size(); ++k)
      effects = effects || has_effects(e.operands[k]);
    return short_circuit(Op::And, holds, effects, at, [&] {
      const Parts next = lower_parts(e.operands[i + 2]);
      return chain_from(e, i + 1, right, next, at);
    });
  }
  core::ExprId value(syntax::ExprId id, const syntax::CallExpr& e) {
    if (symbol(id).valid()) {
      const std::vector<core::VarId> got = make_call(id, e);
      return got.empty() ? boolean(true, span(id)) : c_.ref(got[0], span(id));
    }
    std::vector<core::ExprId> args;
    for (syntax::ExprId arg : e.args) args.push_back(lower(arg));
    if (const auto word = word_op(c_.names.text(e.callee.name), c_.type(args[0])))
      return word_function(*word, std::move(args), lower_type(facts_.types[id.value]), span(id));
    const Op op = builtin_op(c_.names.text(e.callee.name));
    if (op == Op::ToNatural) check_natural(args[0], {Base::Int, true, 0}, span(id));
    return c_.apply_builtin(op, std::move(args), span(id));
  }
  core::ExprId word_function(core::WordOp op, std::vector<core::ExprId> args,
                             const core::Type& type, Span at) {
    if (divides(op)) check_divisor(args[1], at);
    if (op == core::WordOp::Bit || op == core::WordOp::WithBit) {
      check_natural(args[1], {Base::Int, true, 0}, at);
      const core::ExprId width = c_.number(std::to_string(c_.type(args[0]).width), at);
      check(CheckKind::Bounds, c_.apply(Op::Lt, {args[1], width}, at), at);
    }
    return c_.word(op, std::move(args), type, at);
  }
  core::ExprId value(syntax::ExprId id, const syntax::PartExpr& e) {
    const auto bound = [&](syntax::ExprId at) {
      return std::string(c_.names.text(std::get<syntax::IntegerExpr>(tree_.exprs[at].node).text));
    };
    return c_.part(lower(e.base), bound(e.high), bound(e.low), span(id));
  }
  core::ExprId value(syntax::ExprId id, const syntax::WidenExpr& e) {
    const Span at = span(id);
    const std::string_view name = c_.names.text(e.callee.name);
    const core::ExprId arg = lower(e.arg);
    if (name == "exact_bits") {
      const core::ExprId limit = c_.number(power_of_two(e.width), at);
      core::ExprId fits = c_.apply(Op::Lt, {arg, limit}, at);
      if (!is_natural(arg))
        fits = c_.apply(Op::And, {c_.apply(Op::Le, {c_.number("0", at), arg}, at), fits}, at);
      check(CheckKind::Fits, fits, at);
    }
    return c_.widen(name, e.width, arg, at);
  }
  // Makes the call, and gives the variables that have what it returned.
  std::vector<core::VarId> make_call(syntax::ExprId id, const syntax::CallExpr& e) {
    const check::SymbolId callee = symbol(id);
    const check::Symbol& s = c_.checked.symbols[callee];
    const auto& item = std::get<syntax::FunctionItem>(c_.tree(s.tree).items[s.item].node);
    Parts args;
    std::vector<core::VarId> changed;
    for (std::size_t i = 0; i < e.args.size(); ++i) {
      if (item.params[i].inout)  // passing it is no access
        for (core::VarId var : c_.vars_of(symbol(e.args[i]))) {
          changed.push_back(var);
          args.push_back(c_.ref(var, span(e.args[i])));
        }
      else
        for (core::ExprId part : lower_parts(e.args[i])) args.push_back(part);
    }
    for (std::size_t i = 0, k = 0; i < item.params.size(); ++i)
      for (const core::Type& type : Context::types_of(c_.checked.type_of(item.params[i].type)))
        check_natural(args[k++], type, span(e.args[i]));
    std::vector<core::VarId> got;
    const auto receive = [&](const check::Type& type) {
      for (const core::Type& part : Context::types_of(type))
        got.push_back(temp(std::string(c_.names.text(e.callee.name)), part, span(id)));
    };
    if (!s.type.is_void()) receive(s.type);
    for (const syntax::Binder& one : item.results) receive(c_.checked.type_of(one.type));
    std::vector<core::VarId> targets = got;
    targets.insert(targets.end(), changed.begin(), changed.end());
    emit(span(id), core::Call{c_.functions.at(callee), std::move(targets), std::move(args)});
    return got;
  }
  core::ExprId value(syntax::ExprId, const syntax::SidedExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId, const syntax::UpdateExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId, const syntax::MemberCallExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId, const syntax::EqExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId, const syntax::EqAllExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId, const syntax::OldExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId, const syntax::QuantExpr&) { LETO_ASSERT(false); }
  core::ExprId value(syntax::ExprId, const syntax::CountExpr&) { LETO_ASSERT(false); }

  Context& c_;
  const check::Symbol symbol_;
  const syntax::Tree& tree_;
  const check::Facts& facts_;
  const syntax::FunctionItem& item_;
  core::FunctionId id_;
  check::ModelId model_ = c_.checked.model;  // that is in force
  std::vector<Returned> results_;
  std::vector<std::vector<core::VarId>> params_;  // each with its fields, as they are passed
  std::optional<Ways> ways_;
  std::map<Way, core::VarId> flags_;
  std::map<std::string, unsigned> flags_named_;
  syntax::StmtId current_;  // the statement at hand
  std::vector<std::vector<core::StmtId>> blocks_;
  std::vector<core::ExprId> guards_;
  std::vector<core::VarId> measure_;  // of a lemma, when it was called
  std::vector<core::VarId> visible_;  // at the statement at hand, of what the user declared
};

}  // namespace

void lower_function(Context& context, check::SymbolId function) {
  FunctionLowering(context, function).run();
}

}  // namespace leto::lower

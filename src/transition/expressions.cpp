#include "transition/expressions.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "base/names.h"
#include "base/restored.h"
#include "transition/terms.h"

namespace leto::transition {

using logic::Kind;
using logic::Sort;
using logic::SortBase;
using logic::Term;

namespace {

constexpr unsigned kDeepest = 1000;
constexpr std::size_t kLongestNumber = 1000;
constexpr std::uint64_t kLargest = 20'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Digits, and digits behind a point.
bool is_numeral(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto are_digits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
  };
  return are_digits(text.substr(0, point)) &&
         (point == std::string_view::npos || are_digits(text.substr(point + 1)));
}

}  // namespace

std::string sort_text(Sort sort) {
  switch (sort.base) {
    case SortBase::Bool:
      return "Bool";
    case SortBase::Int:
      return "Int";
    case SortBase::Real:
      return "Real";
    case SortBase::BitVec:
      return fmt::format("(_ BitVec {})", sort.width);
  }
  return {};
}

void Expressions::refuse(DiagnosticKind kind, SexprId at, std::vector<std::string> args,
                         std::optional<Help> help) {
  sink_.report({kind, sexprs_[at].span, std::move(args), {}, std::move(help)});
  throw Unreadable{};
}

std::string Expressions::sort_name(const Typed& typed) const {
  return typed.flexible ? "a number" : "of sort " + sort_text(table_.sort(typed.term));
}

std::optional<Sort> Expressions::read_sort(SexprId id) {
  const Sexpr& sort = sexprs_[id];
  if (sexprs_.is_atom(id, "Bool")) return logic::kBool;
  if (sexprs_.is_atom(id, "Int")) return logic::kInt;
  if (sexprs_.is_atom(id, "Real")) return logic::kReal;
  if (!sort.is_list || sort.parts.size() != 3 || !sexprs_.is_atom(sort.parts[0], "_") ||
      !sexprs_.is_atom(sort.parts[1], "BitVec") || sexprs_[sort.parts[2]].is_list)
    return std::nullopt;
  const std::string width(sexprs_[sort.parts[2]].text);
  if (!is_numeral(width) || width.size() > 4) return std::nullopt;
  const int bits = width.find('.') == std::string::npos ? std::stoi(width) : 0;
  if (bits < 1 || bits > static_cast<int>(kWidest)) return std::nullopt;
  return Sort{SortBase::BitVec, 0, static_cast<std::uint16_t>(bits)};
}

Typed Expressions::read(SexprId id, const Lookup& lookup) {
  const Restored old(lookup_, &lookup);
  bound_.clear();
  open_lists_.clear();
  depth_ = 0;
  return read_inner(id);
}

Term Expressions::read_formula(SexprId id, const Lookup& lookup) {
  const Typed typed = read(id, lookup);
  if (table_.sort(typed.term) != logic::kBool)
    refuse(DiagnosticKind::McmtSort, id,
           {fmt::format("a formula is wanted here, and this is {}", sort_name(typed))});
  return typed.term;
}

Typed Expressions::read_inner(SexprId id) {
  if (++depth_ > kDeepest)
    refuse(DiagnosticKind::McmtSyntax, id,
           {fmt::format("expressions may be nested {} deep", kDeepest)});
  std::vector<std::string_view> bound;
  // The bodies of a `let` in a `let` go as deep as they like.
  while (sexprs_[id].is_list && sexprs_[id].parts.size() == 3 &&
         sexprs_.is_atom(sexprs_[id].parts[0], "let")) {
    bind(id, bound);
    id = sexprs_[id].parts[2];
  }
  const Typed out = sexprs_[id].is_list ? read_list(id) : read_atom(id);
  unbind(bound);
  --depth_;
  return out;
}

void Expressions::unbind(std::vector<std::string_view>& bound) {
  for (const std::string_view name : bound) bound_[name].pop_back();
}

std::string_view Expressions::bound_name(SexprId binding, std::size_t list) {
  const Sexpr& pair = sexprs_[binding];
  if (!pair.is_list || pair.parts.size() != 2 || sexprs_[pair.parts[0]].is_list)
    refuse(DiagnosticKind::McmtSyntax, binding, {"a binding is a name and an expression"});
  const std::string_view name = sexprs_[pair.parts[0]].text;
  if (name.empty() || is_numeral(name) || name[0] == '#' || name == "true" || name == "false")
    refuse(DiagnosticKind::McmtSyntax, pair.parts[0], {fmt::format("'{}' is no name", name)});
  if (taken_)
    if (const auto already = taken_(name))
      refuse(DiagnosticKind::McmtAmbiguousName, pair.parts[0], {std::string(name), *already});
  const auto it = bound_.find(name);
  if (it != bound_.end() && !it->second.empty() && it->second.back().list == list)
    refuse(DiagnosticKind::McmtAmbiguousName, pair.parts[0],
           {std::string(name), "it is bound twice in one list"});
  return name;
}

void Expressions::bind(SexprId let, std::vector<std::string_view>& bound) {
  const SexprId list = sexprs_[let].parts[1];
  if (!sexprs_[list].is_list)
    refuse(DiagnosticKind::McmtSyntax, list, {"a list of bindings is wanted here"});
  const std::size_t number = ++lists_;
  std::vector<std::pair<std::string_view, Typed>> beside;
  if (notation_ == Notation::Mcmt) open_lists_.push_back(number);
  std::unordered_set<std::string_view> names;
  for (const SexprId binding : sexprs_[list].parts) {
    const std::string_view name = bound_name(binding, number);
    if (!names.insert(name).second)
      refuse(DiagnosticKind::McmtAmbiguousName, binding,
             {std::string(name), "it is bound twice in one list"});
    const Typed value = read_inner(sexprs_[binding].parts[1]);
    if (notation_ == Notation::SmtLib) {
      beside.emplace_back(name, value);
    } else {
      bound_[name].push_back({value, number});
      bound.push_back(name);
    }
  }
  for (const auto& [name, value] : beside) {
    bound_[name].push_back({value, number});
    bound.push_back(name);
  }
  if (notation_ == Notation::Mcmt) open_lists_.pop_back();
}

Typed Expressions::read_atom(SexprId id) {
  const std::string_view text = sexprs_[id].text;
  if (text == "true" || text == "false") return {table_.boolean(text == "true")};
  if (!text.empty() && is_digit(text[0])) return read_number(id, text);
  if (!text.empty() && text[0] == '#') return read_bits(id, text);
  if (const auto it = bound_.find(text); it != bound_.end() && !it->second.empty()) {
    const std::vector<Binding>& all = it->second;
    // Side by side, the binding would see what is known outside of its list.
    if (all.size() > 1 &&
        std::find(open_lists_.begin(), open_lists_.end(), all.back().list) != open_lists_.end())
      sink_.report(
          {DiagnosticKind::McmtSequentialLet, sexprs_[id].span, {std::string(text)}, {}, {}});
    return all.back().value;
  }
  if (const auto found = (*lookup_)(id)) return *found;
  NearestName nearest(text);
  const std::vector<std::string> names = offered_();
  for (const std::string& name : names) nearest.offer(name);
  std::optional<Help> help;
  if (!nearest.best().empty())
    help = Help{fmt::format("did you mean '{}'?", nearest.best()),
                Edit{sexprs_[id].span, std::string(nearest.best())}};
  refuse(DiagnosticKind::McmtUnknownName, id, {std::string(text)}, std::move(help));
}

Typed Expressions::read_number(SexprId id, std::string_view text) {
  if (!is_numeral(text))
    refuse(DiagnosticKind::McmtSyntax, id, {fmt::format("'{}' is neither name nor number", text)});
  if (text.size() > kLongestNumber)
    refuse(DiagnosticKind::McmtSyntax, id,
           {fmt::format("a number may have {} digits", kLongestNumber)});
  if (text.find('.') != std::string_view::npos)
    return {table_.number(std::string(text), logic::kReal)};
  return {table_.number(std::string(text), logic::kInt), true};
}

Typed Expressions::read_bits(SexprId id, std::string_view text) {
  const bool binary = text.starts_with("#b");
  const std::string digits(text.substr(std::min<std::size_t>(2, text.size())));
  const char* known = binary ? "01" : "0123456789abcdefABCDEF";
  const std::size_t width = digits.size() * (binary ? 1 : 4);
  if ((!binary && !text.starts_with("#x")) || digits.empty() || width > kWidest ||
      digits.find_first_not_of(known) != std::string::npos)
    refuse(DiagnosticKind::McmtSyntax, id, {"this is no bit-vector"});
  return {term_for(table_, {{SortBase::BitVec, 0, static_cast<std::uint16_t>(width)},
                            mpq_class(mpz_class(digits, binary ? 2 : 16))})};
}

// (_ bv5 4)
Typed Expressions::read_indexed_constant(SexprId id) {
  const std::vector<SexprId>& parts = sexprs_[id].parts;
  const auto text = [&](std::size_t i) { return sexprs_[parts[i]].text; };
  const bool shaped =
      parts.size() == 3 && !sexprs_[parts[1]].is_list && !sexprs_[parts[2]].is_list &&
      text(1).starts_with("bv") && is_numeral(text(1).substr(2)) && is_numeral(text(2)) &&
      text(2).size() <= 4 && text(1).size() < kLongestNumber &&
      text(1).find('.') == std::string_view::npos && text(2).find('.') == std::string_view::npos;
  if (shaped) {
    const int width = std::stoi(std::string(text(2)));
    const Value value{{SortBase::BitVec, 0, static_cast<std::uint16_t>(width)},
                      mpq_class(mpz_class(std::string(text(1).substr(2)), 10))};
    if (width >= 1 && width <= static_cast<int>(kWidest) && is_of_its_sort(value))
      return {term_for(table_, value)};
  }
  refuse(DiagnosticKind::McmtSyntax, id, {"this is no bit-vector"});
}

Typed Expressions::read_list(SexprId id) {
  const std::vector<SexprId>& parts = sexprs_[id].parts;
  if (parts.empty()) refuse(DiagnosticKind::McmtSyntax, id, {"an expression is wanted here"});
  const Sexpr& head = sexprs_[parts[0]];
  std::string operation(head.text);
  if (!head.is_list) {
    if (operation == "_") return read_indexed_constant(id);
    if (operation == "let")
      refuse(DiagnosticKind::McmtSyntax, id, {"'let' has a list of bindings and one expression"});
    if (operation == "cond" && notation_ == Notation::Mcmt) return read_cond(id);
  } else {
    // An operator with numbers: (_ extract 3 0).
    for (const SexprId part : head.parts) {
      if (sexprs_[part].is_list)
        refuse(DiagnosticKind::McmtSyntax, parts[0], {"an operator is wanted here"});
      operation += (operation.empty() ? "(" : " ") + std::string(sexprs_[part].text);
    }
    operation += ")";
  }
  std::vector<Typed> args;
  for (std::size_t i = 1; i < parts.size(); ++i) args.push_back(read_inner(parts[i]));
  size_ += args.size();
  const Typed out = apply(id, operation, std::move(args));
  if (table_[out.term].kind == Kind::And) size_ += table_[out.term].args.size();
  if (size_ > kLargest)
    refuse(DiagnosticKind::McmtSyntax, id, {"there are more terms than can be looked at"});
  return out;
}

Typed Expressions::read_cond(SexprId id) {
  const std::vector<SexprId>& parts = sexprs_[id].parts;
  const auto is_else = [&](SexprId part) {
    return sexprs_[part].is_list && sexprs_[part].parts.size() == 2 &&
           sexprs_.is_atom(sexprs_[part].parts[0], "else");
  };
  if (!is_else(parts.back()))
    refuse(DiagnosticKind::McmtSyntax, id, {"'cond' ends with '(else ..)'"});
  Typed out = read_inner(sexprs_[parts.back()].parts[1]);
  for (std::size_t i = parts.size() - 2; i > 0; --i) {
    if (!sexprs_[parts[i]].is_list || sexprs_[parts[i]].parts.size() != 2 || is_else(parts[i]))
      refuse(DiagnosticKind::McmtSyntax, parts[i], {"a case is a condition and an expression"});
    const Typed condition = read_inner(sexprs_[parts[i]].parts[0]);
    const Typed value = read_inner(sexprs_[parts[i]].parts[1]);
    out = apply_ite(parts[i], {condition, value, out});
  }
  return out;
}

void Expressions::demand_count(SexprId id, const std::vector<Typed>& args, std::size_t least,
                               std::size_t most) {
  if (args.size() >= least && args.size() <= most) return;
  refuse(DiagnosticKind::McmtSort, id,
         {fmt::format("this cannot have {} argument{}", args.size(), args.size() == 1 ? "" : "s")});
}

Typed Expressions::apply(SexprId id, const std::string& head, std::vector<Typed> args) {
  constexpr std::size_t kAny = static_cast<std::size_t>(-1);
  if (head == "and" || head == "or" || head == "not" || head == "=>" || head == "xor")
    return apply_formula(id, head, args);
  if (head == "=" || (head == "/=" && notation_ == Notation::Mcmt) || head == "distinct") {
    demand_count(id, args, 2, kAny);
    return apply_equal(id, head, std::move(args));
  }
  if (head == "<" || head == "<=" || head == ">" || head == ">=") {
    demand_count(id, args, 2, kAny);
    return apply_compare(id, head, std::move(args));
  }
  if (head == "+" || head == "-" || head == "*") {
    demand_count(id, args, head == "-" ? 1 : 2, kAny);
    return apply_sum(id, head, std::move(args));
  }
  if (head == "/") {
    demand_count(id, args, 2, 2);
    return apply_quotient(id, std::move(args));
  }
  if (head == "ite") {
    demand_count(id, args, 3, 3);
    return apply_ite(id, std::move(args));
  }
  if (notation_ == Notation::SmtLib &&
      (head == "div" || head == "mod" || head == "to_real" || head == "to_int"))
    return apply_integer(id, head, std::move(args));
  return apply_bits(id, head, args);
}

Typed Expressions::apply_formula(SexprId id, const std::string& head,
                                 const std::vector<Typed>& args) {
  std::vector<Term> terms;
  for (const Typed& arg : args) {
    if (table_.sort(arg.term) != logic::kBool)
      refuse(DiagnosticKind::McmtSort, id,
             {fmt::format("'{}' is of formulas, and one of these is {}", head, sort_name(arg))});
    terms.push_back(arg.term);
  }
  constexpr std::size_t kAny = static_cast<std::size_t>(-1);
  demand_count(id, args, head == "=>" || head == "xor" ? 2 : 1, head == "not" ? 1 : kAny);
  if (head == "and") return {table_.and_(std::move(terms))};
  if (head == "or") return {table_.or_(std::move(terms))};
  if (head == "not") return {table_.not_(terms[0])};
  if (head == "xor") {
    Term out = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) out = table_.not_(table_.eq(out, terms[i]));
    return {out};
  }
  Term out = terms.back();
  for (std::size_t i = terms.size() - 1; i-- > 0;) out = table_.implies(terms[i], out);
  return {out};
}

bool Expressions::unify(SexprId id, std::vector<Typed>& args, std::size_t from) {
  const Typed* fixed = nullptr;
  for (std::size_t i = from; i < args.size(); ++i)
    if (!args[i].flexible) {
      if (fixed == nullptr) fixed = &args[i];
      if (table_.sort(args[i].term) != table_.sort(fixed->term))
        refuse(DiagnosticKind::McmtSort, id,
               {fmt::format("these are of different sorts, {} and {}",
                            sort_text(table_.sort(fixed->term)),
                            sort_text(table_.sort(args[i].term)))});
    }
  if (fixed == nullptr) return true;
  const Sort sort = table_.sort(fixed->term);
  for (std::size_t i = from; i < args.size(); ++i) {
    if (!args[i].flexible) continue;
    if (sort != logic::kInt && sort != logic::kReal)
      refuse(DiagnosticKind::McmtSort, id,
             {fmt::format("a number is compared with something of sort {}", sort_text(sort))});
    if (sort == logic::kReal) args[i].term = as_real(args[i].term);
    args[i].flexible = false;
  }
  return false;
}

void Expressions::demand_numbers(SexprId id, const std::vector<Typed>& args) {
  for (const Typed& arg : args) {
    const Sort sort = table_.sort(arg.term);
    if (sort != logic::kInt && sort != logic::kReal)
      refuse(DiagnosticKind::McmtSort, id,
             {fmt::format("numbers are wanted here, and one of these is {}", sort_name(arg))});
  }
}

Typed Expressions::apply_equal(SexprId id, const std::string& head, std::vector<Typed> args) {
  (void)unify(id, args);
  std::vector<Term> parts;
  if (head == "=") {
    for (std::size_t i = 0; i + 1 < args.size(); ++i)
      parts.push_back(table_.eq(args[i].term, args[i + 1].term));
    return {table_.and_(std::move(parts))};
  }
  size_ += args.size() * args.size();
  if (size_ > kLargest) refuse(DiagnosticKind::McmtSyntax, id, {"too many to compare"});
  for (std::size_t i = 0; i < args.size(); ++i)
    for (std::size_t j = i + 1; j < args.size(); ++j)
      parts.push_back(table_.not_(table_.eq(args[i].term, args[j].term)));
  return {table_.and_(std::move(parts))};
}

Typed Expressions::apply_compare(SexprId id, const std::string& head, std::vector<Typed> args) {
  demand_numbers(id, args);
  (void)unify(id, args);
  std::vector<Term> parts;
  for (std::size_t i = 0; i + 1 < args.size(); ++i) {
    Term a = args[i].term, b = args[i + 1].term;
    if (head[0] == '>') std::swap(a, b);
    parts.push_back(head.size() == 2 ? table_.le(a, b) : table_.lt(a, b));
  }
  return {table_.and_(std::move(parts))};
}

Typed Expressions::apply_sum(SexprId id, const std::string& head, std::vector<Typed> args) {
  demand_numbers(id, args);
  const bool flexible = unify(id, args);
  if (args.size() == 1) return {table_.neg(args[0].term), flexible};
  const Kind kind = head == "+" ? Kind::Add : head == "-" ? Kind::Sub : Kind::Mul;
  Term out = args[0].term;
  for (std::size_t i = 1; i < args.size(); ++i) out = table_.arith(kind, out, args[i].term);
  return {out, flexible};
}

Term Expressions::divisor(SexprId id, const Typed& typed) {
  const std::optional<Value> value = constants_.of(typed.term);
  if (!value || value->number == 0) {
    const bool zero = value.has_value();
    refuse(DiagnosticKind::McmtDivision, sexprs_[id].parts[2],
           {zero ? "this divisor is 0" : "this divisor is not a constant"});
  }
  return term_for(table_, *value);
}

// Of reals: there is no rounding anywhere.
Typed Expressions::apply_quotient(SexprId id, std::vector<Typed> args) {
  demand_numbers(id, args);
  for (Typed& arg : args) {
    if (!arg.flexible && table_.sort(arg.term) == logic::kInt)
      refuse(DiagnosticKind::McmtSort, id, {"'/' is of reals, and one of these is of sort Int"});
    if (arg.flexible) arg = {as_real(arg.term)};
  }
  const Term by = divisor(id, args[1]);
  if (const std::optional<Value> whole = constants_.of(args[0].term)) {
    const std::optional<Value> below = constants_.of(by);
    return {term_for(table_, {logic::kReal, whole->number / below->number})};
  }
  return {table_.arith(Kind::RealDiv, args[0].term, by)};
}

Typed Expressions::apply_integer(SexprId id, const std::string& head, std::vector<Typed> args) {
  const bool binary = head == "div" || head == "mod";
  demand_count(id, args, binary ? 2 : 1, binary ? 2 : 1);
  demand_numbers(id, args);
  const Sort wanted = head == "to_int" ? logic::kReal : logic::kInt;
  for (Typed& arg : args) {
    if (arg.flexible) arg = {wanted == logic::kReal ? as_real(arg.term) : arg.term};
    if (head == "to_real" && table_.sort(arg.term) == logic::kReal)
      continue;  // as solvers write it
    if (table_.sort(arg.term) != wanted)
      refuse(DiagnosticKind::McmtSort, id, {fmt::format("'{}' cannot be of this", head)});
  }
  if (head == "to_real") return {table_.to_real(args[0].term)};
  if (head == "to_int") return {table_.to_int(args[0].term)};
  const Kind kind = head == "div" ? Kind::IntDiv : Kind::IntMod;
  return {table_.arith(kind, args[0].term, divisor(id, args[1]))};
}

Typed Expressions::apply_ite(SexprId id, std::vector<Typed> args) {
  if (table_.sort(args[0].term) != logic::kBool)
    refuse(DiagnosticKind::McmtSort, id,
           {fmt::format("the condition is {}, and is to be a formula", sort_name(args[0]))});
  const bool flexible = unify(id, args, 1);
  return {table_.ite(args[0].term, args[1].term, args[2].term), flexible};
}

Typed Expressions::apply_bits(SexprId id, const std::string& head, const std::vector<Typed>& args) {
  std::vector<Sort> sorts;
  std::vector<Term> terms;
  for (const Typed& arg : args) {
    sorts.push_back(arg.flexible ? logic::kInt : table_.sort(arg.term));
    terms.push_back(arg.term);
  }
  if (const auto sort = bit_vector_result(head, sorts))
    return {table_.call(head, *sort, std::move(terms))};
  const bool chain = args.size() > 2 && (head == "bvadd" || head == "bvmul" || head == "bvand" ||
                                         head == "bvor" || head == "bvxor" || head == "concat");
  if (chain) {
    Typed out = args[0];
    for (std::size_t i = 1; i < args.size(); ++i) out = apply_bits(id, head, {out, args[i]});
    return out;
  }
  const std::string_view name = std::string_view(head).substr(head.starts_with("(_ ") ? 3 : 0);
  const bool known = name.starts_with("bv") || name.starts_with("extract") ||
                     name.starts_with("concat") || name.ends_with("extend)");
  if (known) refuse(DiagnosticKind::McmtSort, id, {fmt::format("'{}' cannot be of these", head)});
  refuse(DiagnosticKind::McmtUnknownName, sexprs_[id].parts[0], {head});
}

// Flexible terms are made of numerals by sums, products and cases: the same of reals.
Term Expressions::as_real(Term flexible) {
  visit_once(
      table_, flexible, [&](Term t) { return reals_.contains(t) || table_.sort(t) != logic::kInt; },
      [&](Term t) {
        const logic::Node node = table_[t];
        std::vector<Term> args = node.args;
        for (Term& arg : args)
          if (const auto it = reals_.find(arg); it != reals_.end()) arg = it->second;
        reals_[t] = node.kind == Kind::Number ? table_.number(node.text, logic::kReal)
                                              : rebuild(table_, t, args);
      });
  return reals_.at(flexible);
}

}  // namespace leto::transition

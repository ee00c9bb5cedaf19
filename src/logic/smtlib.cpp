#include "logic/smtlib.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace leto::logic {

namespace {

std::string sort_text(Sort sort) {
  std::string scalar = sort.base == SortBase::Bool   ? "Bool"
                       : sort.base == SortBase::Int  ? "Int"
                       : sort.base == SortBase::Real ? "Real"
                                                     : fmt::format("(_ BitVec {})", sort.width);
  for (int i = 0; i < sort.rank; ++i) scalar = "(Array Int " + scalar + ")";
  return scalar;
}

// Decimal literals, exactly: 12, 0.5, 1.5e-3.
std::string number_text(const std::string& text, Sort sort) {
  std::string digits = text, scale = "1";
  int exponent = 0;
  if (const std::size_t e = digits.find_first_of("eE"); e != std::string::npos) {
    exponent = std::stoi(digits.substr(e + 1));
    digits.erase(e);
  }
  if (const std::size_t dot = digits.find('.'); dot != std::string::npos) {
    exponent -= static_cast<int>(digits.size() - dot - 1);
    digits.erase(dot, 1);
  }
  const std::size_t lead = digits.find_first_not_of('0');
  digits = lead == std::string::npos ? "0" : digits.substr(lead);
  if (sort.base == SortBase::BitVec) return fmt::format("(_ bv{} {})", digits, sort.width);
  if (exponent > 0) digits += std::string(static_cast<std::size_t>(exponent), '0');
  if (exponent < 0) scale += std::string(static_cast<std::size_t>(-exponent), '0');
  if (sort == kInt) return digits;
  return scale == "1" ? digits + ".0" : "(/ " + digits + ".0 " + scale + ".0)";
}

std::string zero_text(Sort sort) {
  if (sort.rank > 0)
    return "((as const " + sort_text(sort) + ") " + zero_text(sort.element()) + ")";
  return sort == kBool ? "false" : number_text("0", sort);
}

const char* head(Kind kind) {
  switch (kind) {
    case Kind::Not:
      return "(not";
    case Kind::And:
      return "(and";
    case Kind::Or:
      return "(or";
    case Kind::Implies:
      return "(=>";
    case Kind::Ite:
      return "(ite";
    case Kind::Eq:
      return "(=";
    case Kind::Lt:
      return "(<";
    case Kind::Le:
      return "(<=";
    case Kind::Add:
      return "(+";
    case Kind::Sub:
    case Kind::Neg:
      return "(-";
    case Kind::Mul:
      return "(*";
    case Kind::RealDiv:
      return "(/";
    case Kind::IntDiv:
      return "(div";
    case Kind::IntMod:
      return "(mod";
    case Kind::ToReal:
      return "(to_real";
    case Kind::ToInt:
      return "(to_int";
    case Kind::Select:
      return "(select";
    case Kind::Store:
      return "(store";
    case Kind::True:
    case Kind::False:
    case Kind::Number:
    case Kind::Symbol:
    case Kind::Bound:
    case Kind::Zero:
    case Kind::Bits:
    case Kind::Call:
    case Kind::Forall:
    case Kind::Exists:
      break;
  }
  LETO_ASSERT(false);
}

const char* opaque(const Node& node) {
  if (node.kind == Kind::Mul) return node.sort == kInt ? "(product" : "(real-product";
  if (node.kind == Kind::RealDiv) return "(real-quotient";
  return node.kind == Kind::IntDiv ? "(quotient" : "(remainder";
}

constexpr const char* kOpaque =
    "(declare-fun product (Int Int) Int)\n"
    "(declare-fun real-product (Real Real) Real)\n"
    "(declare-fun real-quotient (Real Real) Real)\n"
    "(declare-fun quotient (Int Int) Int)\n"
    "(declare-fun remainder (Int Int) Int)\n";

constexpr std::uint32_t kTooLarge = 1'000'000;

}  // namespace

SmtWriter::Mark& SmtWriter::mark(Term t) {
  Mark& m = marks_[t.value];
  if (m.question != question_) m = {question_, 0, 0, 0, 0, false};
  return m;
}

bool SmtWriter::linear(const Node& node) const {
  const auto constant = [&](Term arg) { return table_[arg].kind == Kind::Number; };
  if (node.kind == Kind::Mul) return constant(node.args[0]) || constant(node.args[1]);
  if (node.kind == Kind::RealDiv || node.kind == Kind::IntDiv || node.kind == Kind::IntMod)
    return constant(node.args[1]);
  return true;
}

void SmtWriter::count(Term t) {
  if (++mark(t).uses > 1) return;
  const Node& node = table_[t];
  linear_ = linear_ && linear(node);
  for (Term arg : table_[t].args) count(arg);
  if (products_ == Products::Opaque)
    if (const Polynomials::Sum* sum = polynomials_.find(t)) name_factors(*sum);
  if (node.kind != Kind::Call && node.kind != Kind::Symbol && node.kind != Kind::Bits) return;
  for (Term fact : table_.told(t))
    if (tells_.insert(fact).second) told_.push_back(fact);
}

// In normal form a factor can occur more often than in the term, and in those around it again.
void SmtWriter::name_factors(const Polynomials::Sum& sum) {
  for (const auto& [factors, times] : sum)
    for (std::uint32_t factor : factors) ++mark(polynomials_.atom(factor)).uses;
}

// Declares what is new and names what is shared, innermost first.
void SmtWriter::prepare(Term t) {
  if (mark(t).prepared) return;
  mark(t).prepared = true;
  const Node& node = table_[t];
  for (Term arg : node.args) prepare(arg);
  Mark& m = mark(t);
  if (node.kind == Kind::Symbol) {
    m.prefix = 'v';
    m.number = symbols_++;
    out_ += "(declare-fun ";
    write_name(m);
    out_ += " () " + sort_text(node.sort) + ")\n";
  } else if (node.kind == Kind::Bound) {
    m.prefix = 'b';
    m.number = bound_++;
  }
  if (node.kind == Kind::Call) declare(node);
  if (!node.args.empty() && m.uses > 1 && node.free.empty()) {
    m.number = shared_++;
    out_ += "(define-fun d" + std::to_string(m.number) + " () " + sort_text(node.sort) + " ";
    write_node(t);
    out_ += ")\n";
    m.prefix = 'd';
  }
}

void SmtWriter::declare(const Node& call) {
  const auto [it, fresh] =
      functions_.emplace(call.text, static_cast<std::uint32_t>(functions_.size()));
  if (!fresh) return;
  out_ += fmt::format("(declare-fun f{} (", it->second);
  for (std::size_t i = 0; i < call.args.size(); ++i)
    out_ += (i == 0 ? "" : " ") + sort_text(table_.sort(call.args[i]));
  out_ += ") " + sort_text(call.sort) + ")\n";
}

void SmtWriter::write_name(const Mark& m) {
  char digits[16];
  // Multiplied by an odd number, different numbers stay different.
  const std::uint32_t number =
      salt_ == 0 || m.prefix != 'v' ? m.number : (m.number * 2654435761u) ^ salt_;
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  LETO_ASSERT(error == std::errc{});
  out_ += m.prefix;
  out_.append(digits, end);
}

void SmtWriter::write(Term t) {
  if (const Mark& m = mark(t); m.prefix != 0)
    write_name(m);
  else
    write_node(t);
}

void SmtWriter::write_sum(const Polynomials::Sum& sum, Sort sort) {
  if (sum.empty()) out_ += zero_text(sort);
  if (sum.size() > 1) out_ += "(+";
  for (const auto& [factors, times] : sum) {
    if (sum.size() > 1) out_ += " ";
    write_times(times, factors, sort);
  }
  if (sum.size() > 1) out_ += ")";
}

void SmtWriter::write_times(std::int64_t times, const std::vector<std::uint32_t>& factors,
                            Sort sort) {
  const std::string size = number_text(std::to_string(std::abs(times)), sort);
  const std::string count = times < 0 ? "(- " + size + ")" : size;
  if (factors.empty()) {
    out_ += count;
    return;
  }
  std::vector<Term> unknowns, numbers;  // fractions
  for (std::uint32_t factor : factors) {
    const Term atom = polynomials_.atom(factor);
    (table_[atom].kind == Kind::Number ? numbers : unknowns).push_back(atom);
  }
  const bool once = times == 1 && numbers.empty() && !unknowns.empty();
  if (!once) out_ += "(* " + count;
  for (Term number : numbers) {
    out_ += " ";
    write(number);
  }
  if (!once && !unknowns.empty()) out_ += " ";
  // What two runs do alike is to be multiplied in the same order.
  std::sort(unknowns.begin(), unknowns.end(),
            [&](Term a, Term b) { return table_.precedes(a, b); });
  if (!unknowns.empty()) write_product(unknowns, sort);
  if (!once) out_ += ")";
}

void SmtWriter::write_product(const std::vector<Term>& factors, Sort sort) {
  for (std::size_t i = 1; i < factors.size(); ++i)
    out_ += sort == kInt ? "(product " : "(real-product ";
  write(factors[0]);
  for (std::size_t i = 1; i < factors.size(); ++i) {
    out_ += " ";
    write(factors[i]);
    out_ += ")";
  }
}

void SmtWriter::write_node(Term t) {
  const Node& node = table_[t];
  if (products_ == Products::Opaque)
    if (const Polynomials::Sum* sum = polynomials_.find(t)) return write_sum(*sum, node.sort);
  switch (node.kind) {
    case Kind::True:
      out_ += "true";
      return;
    case Kind::False:
      out_ += "false";
      return;
    case Kind::Number:
      out_ += number_text(node.text, node.sort);
      return;
    case Kind::Symbol:
    case Kind::Bound:
      LETO_ASSERT(false);  // has a name
    case Kind::Zero:
      out_ += zero_text(node.sort);
      return;
    case Kind::Forall:
    case Kind::Exists:
      out_ += node.kind == Kind::Forall ? "(forall (" : "(exists (";
      for (std::size_t i = 0; i + 1 < node.args.size(); ++i) {
        out_ += "(";
        write(node.args[i]);
        out_ += " " + sort_text(table_.sort(node.args[i])) + ")";
      }
      out_ += ") ";
      write_body(node);
      out_ += ")";
      return;
    case Kind::Call:
      out_ += fmt::format("{}f{}", node.args.empty() ? "" : "(", functions_.at(node.text));
      for (Term arg : node.args) {
        out_ += " ";
        write(arg);
      }
      if (!node.args.empty()) out_ += ")";
      return;
    case Kind::Bits:
      out_ += "(" + node.text;
      for (Term arg : node.args) {
        out_ += " ";
        write(arg);
      }
      out_ += ")";
      return;
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
    case Kind::Implies:
    case Kind::Ite:
    case Kind::Eq:
    case Kind::Lt:
    case Kind::Le:
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::Neg:
    case Kind::RealDiv:
    case Kind::IntDiv:
    case Kind::IntMod:
    case Kind::ToReal:
    case Kind::ToInt:
    case Kind::Select:
    case Kind::Store:
      out_ += products_ == Products::Opaque && !linear(node) ? opaque(node) : head(node.kind);
      for (Term arg : node.args) {
        out_ += " ";
        write(arg);
      }
      out_ += ")";
  }
}

void SmtWriter::find_accesses(Term t, const std::vector<Term>& inner, Accesses& out) const {
  const Node& node = table_[t];
  if (node.free.empty() && node.kind != Kind::Forall && node.kind != Kind::Exists) return;
  if (node.kind == Kind::Exists) {
    out.exists = true;
    std::vector<Term> more = inner;
    more.insert(more.end(), node.args.begin(), node.args.end() - 1);
    return find_accesses(node.args.back(), more, out);
  }
  if (node.kind == Kind::Select && table_[node.args[1]].kind == Kind::Bound &&
      table_[node.args[0]].free.empty()) {
    const bool within = std::find(inner.begin(), inner.end(), node.args[1]) != inner.end();
    auto& list = within ? out.inner : out.outer;
    if (std::find(list.begin(), list.end(), t) == list.end()) list.push_back(t);
  }
  for (Term arg : node.args) find_accesses(arg, inner, out);
}

// "For every x there is a y with a[y] ..." must not be matched by a[x]: each instance would
// bring a new a[y] and so the next one. If there is another access that can call for an
// instance, the solver is told to wait for that. Where arrays are said to be equal in part, a
// new a[y] can come about all the same; the weight says that such an instance of an instance
// is worth little.
std::vector<Term> SmtWriter::find_patterns(const Node& quantifier, bool& weighs) const {
  const Term body = quantifier.args.back();
  std::vector<Term> patterns;
  if (quantifier.kind == Kind::Forall) find_calls(body, quantifier, patterns);
  if (!patterns.empty()) {
    add_elements(quantifier, patterns);
    return patterns;
  }
  weighs = true;
  if (quantifier.kind == Kind::Forall && quantifier.args.size() == 2) {
    Accesses found;
    find_accesses(body, {}, found);
    if (found.exists)
      for (Term access : found.outer) {
        const auto same_array = [&](Term other) {
          return table_[other].args[0] == table_[access].args[0];
        };
        if (table_[access].args[1] == quantifier.args[0] &&
            std::none_of(found.inner.begin(), found.inner.end(), same_array))
          patterns.push_back(access);
      }
  }
  return patterns;
}

// What is said of a twin and of an element is called for by the element too: nothing else may bring
// the twin. Not by one whose neighbour is named: each instance would bring the next.
void SmtWriter::add_elements(const Node& quantifier, std::vector<Term>& patterns) const {
  const bool twins = std::all_of(patterns.begin(), patterns.end(),
                                 [&](Term one) { return TermTable::is_twin(table_[one].text); });
  if (!twins || quantifier.args.size() != 2) return;
  Accesses found;
  find_accesses(quantifier.args.back(), {}, found);
  std::vector<Term> moved;
  find_moved(quantifier.args.back(), moved);
  for (Term access : found.outer)
    if (std::find(moved.begin(), moved.end(), table_[access].args[0]) == moved.end())
      patterns.push_back(access);
}

// Arrays that are read at a place that is computed from what is bound.
void SmtWriter::find_moved(Term t, std::vector<Term>& out) const {
  const Node& node = table_[t];
  if (node.kind == Kind::Select && !table_[node.args[1]].free.empty() &&
      table_[node.args[1]].kind != Kind::Bound)
    out.push_back(node.args[0]);
  for (Term arg : node.args) find_moved(arg, out);
}

// Functions of all that is bound. Where there are some under their own names, those alone: they are
// what unfolds. Twins are matched by what unfolding brings.
void SmtWriter::find_calls(Term t, const Node& quantifier, std::vector<Term>& out) const {
  const Node& node = table_[t];
  if (node.free.empty() && node.kind != Kind::Forall && node.kind != Kind::Exists) return;
  for (Term arg : node.args) find_calls(arg, quantifier, out);
  if (node.kind != Kind::Call || std::find(out.begin(), out.end(), t) != out.end()) return;
  const auto occurs = [&](Term bound) {
    return std::find(node.args.begin(), node.args.end(), bound) != node.args.end();
  };
  if (node.free.size() + 1 != quantifier.args.size() ||
      !std::all_of(quantifier.args.begin(), quantifier.args.end() - 1, occurs))
    return;
  const auto is_twin = [&](Term one) { return TermTable::is_twin(table_[one].text); };
  const bool has_own = std::any_of(out.begin(), out.end(), [&](Term one) { return !is_twin(one); });
  if (is_twin(t) && has_own) return;
  if (!is_twin(t)) std::erase_if(out, is_twin);
  out.push_back(t);
}

void SmtWriter::write_body(const Node& quantifier) {
  const Term body = quantifier.args.back();
  bool weighs = false;
  const std::vector<Term> patterns = find_patterns(quantifier, weighs);
  if (!patterns.empty()) out_ += "(! ";
  write(body);
  if (!patterns.empty() && weighs) out_ += " :weight 8";
  for (Term pattern : patterns) {
    out_ += " :pattern (";
    write(pattern);
    out_ += ")";
  }
  if (!patterns.empty()) out_ += ")";
}

std::string SmtWriter::question(const std::vector<Term>& in_order, Term goal, Products products,
                                std::string_view claimed) {
  std::vector<Term> hypotheses = in_order;
  if (salt_ != 0) {
    std::uint32_t random = salt_;
    for (std::size_t i = hypotheses.size(); i > 1; --i) {
      random = random * 1664525u + 1013904223u;
      std::swap(hypotheses[i - 1], hypotheses[(random >> 8) % i]);
    }
  }
  ++question_;
  products_ = products;
  polynomials_.begin_question();
  marks_.resize(table_.size());
  symbols_ = shared_ = bound_ = 0;
  told_.clear();
  tells_.clear();
  functions_.clear();
  linear_ = true;
  out_.clear();
  tells_.insert(hypotheses.begin(), hypotheses.end());
  for (Term h : hypotheses) count(h);
  count(goal);
  for (std::size_t i = 0; i < told_.size(); ++i) {
    count(told_[i]);
    hypotheses.push_back(told_[i]);
  }
  if (products == Products::Opaque && !linear_) out_ += kOpaque;
  for (Term h : hypotheses) {
    prepare(h);
    out_ += "(assert ";
    write(h);
    out_ += ")\n";
  }
  prepare(goal);
  if (!claimed.empty()) out_ += fmt::format("(declare-fun {} () Bool)\n", claimed);
  out_ += claimed.empty() ? "(assert (not " : fmt::format("(assert (=> {} (not ", claimed);
  write(goal);
  out_ += claimed.empty() ? "))\n" : ")))\n";
  return out_;
}

bool SmtWriter::has_twins() const {
  return std::any_of(functions_.begin(), functions_.end(),
                     [](const auto& one) { return TermTable::is_twin(one.first); });
}

// How many nodes the term has when it is written out; too many if it has a symbol that is not
// in the question.
std::uint32_t SmtWriter::written_size(Term t) {
  if (mark(t).prefix != 0) return 1;
  if (mark(t).size != 0) return mark(t).size;
  const Node& node = table_[t];
  const bool foreign = node.kind == Kind::Symbol || node.kind == Kind::Bound ||
                       (node.kind == Kind::Call && !functions_.contains(node.text));
  std::uint32_t size = foreign ? kTooLarge : 1;
  for (Term arg : node.args) size = std::min(kTooLarge, size + written_size(arg));
  return mark(t).size = size;
}

std::string SmtWriter::term(Term t) {
  marks_.resize(table_.size());
  if (written_size(t) > 1000) return {};
  out_.clear();
  write(t);
  return out_;
}

namespace {

// A sign and a quotient are all that solvers nest. What is nested deeper is left as it is.
std::string readable_at(std::string value, int depth) {
  const auto plain = [](std::string text) {
    if (text.ends_with(".0")) text.erase(text.size() - 2);
    return text;
  };
  if (depth > 4) return value;
  if (value.starts_with("(- ") && value.ends_with(")"))
    return "-" + readable_at(value.substr(3, value.size() - 4), depth + 1);
  if (value.starts_with("(/ ") && value.ends_with(")")) {
    const std::string inner = value.substr(3, value.size() - 4);
    const std::size_t space = inner.starts_with("(") ? inner.find(") ") + 1 : inner.find(' ');
    if (space != std::string::npos && space < inner.size())
      return readable_at(inner.substr(0, space), depth + 1) + "/" + plain(inner.substr(space + 1));
  }
  return plain(std::move(value));
}

}  // namespace

std::string readable(std::string value) {
  return readable_at(std::move(value), 0);
}

}  // namespace leto::logic

#include "logic/smtlib.h"

#include <unordered_map>

namespace leto::logic {

namespace {

std::string sort_text(Sort sort) {
  std::string scalar = sort.base == SortBase::Bool  ? "Bool"
                       : sort.base == SortBase::Int ? "Int"
                                                    : "Real";
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
  if (exponent > 0) digits += std::string(static_cast<std::size_t>(exponent), '0');
  if (exponent < 0) scale += std::string(static_cast<std::size_t>(-exponent), '0');
  if (sort == kInt) return digits;
  return scale == "1" ? digits + ".0" : "(/ " + digits + ".0 " + scale + ".0)";
}

class Writer {
 public:
  Writer(const TermTable& table, SmtText& out) : table_(table), out_(out) {
    for (const auto& [term, name] : out.symbols) names_[term] = name;
    for (const auto& [term, name] : out.defined) names_[term] = name;
  }

  void count(Term t) {
    if (++uses_[t] > 1) return;
    for (Term arg : table_[t].args) count(arg);
  }

  // Declares what is new and names what is shared, innermost first.
  void prepare(Term t) {
    if (done_[t]) return;
    done_[t] = true;
    const Node& node = table_[t];
    for (Term arg : node.args) prepare(arg);
    if (node.kind == Kind::Symbol) {
      if (names_.contains(t)) return;
      const std::string name = "v" + std::to_string(out_.symbols.size());
      out_.symbols.emplace_back(t, name);
      names_[t] = name;
      out_.text += "(declare-fun " + name + " () " + sort_text(node.sort) + ")\n";
    } else if (node.kind == Kind::Bound) {
      names_[t] = "b" + std::to_string(bound_++);
    } else if (!node.args.empty() && uses_[t] > 1 && node.free.empty()) {
      const std::string name = "d" + std::to_string(shared_++);
      const std::string body = text(t);
      names_[t] = name;
      out_.defined.emplace_back(t, name);
      out_.text += "(define-fun " + name + " () " + sort_text(node.sort) + " " + body + ")\n";
    }
  }

  std::string text(Term t) {
    if (const auto it = names_.find(t); it != names_.end()) return it->second;
    const Node& node = table_[t];
    const auto list = [&](const char* head) {
      std::string out = std::string("(") + head;
      for (Term arg : node.args) out += " " + text(arg);
      return out + ")";
    };
    switch (node.kind) {
      case Kind::True:
        return "true";
      case Kind::False:
        return "false";
      case Kind::Number:
        return number_text(node.text, node.sort);
      case Kind::Symbol:
      case Kind::Bound:
        return {};  // not in this vocabulary
      case Kind::Not:
        return list("not");
      case Kind::And:
        return list("and");
      case Kind::Or:
        return list("or");
      case Kind::Implies:
        return list("=>");
      case Kind::Ite:
        return list("ite");
      case Kind::Eq:
        return list("=");
      case Kind::Lt:
        return list("<");
      case Kind::Le:
        return list("<=");
      case Kind::Add:
        return list("+");
      case Kind::Sub:
      case Kind::Neg:
        return list("-");
      case Kind::Mul:
        return list("*");
      case Kind::RealDiv:
        return list("/");
      case Kind::IntDiv:
        return list("div");
      case Kind::IntMod:
        return list("mod");
      case Kind::ToReal:
        return list("to_real");
      case Kind::Select:
        return list("select");
      case Kind::Store:
        return list("store");
      case Kind::Zero:
        return zero_text(node.sort);
      case Kind::Forall:
      case Kind::Exists: {
        std::string out = node.kind == Kind::Forall ? "(forall (" : "(exists (";
        for (std::size_t i = 0; i + 1 < node.args.size(); ++i)
          out += "(" + text(node.args[i]) + " " + sort_text(table_.sort(node.args[i])) + ")";
        return out + ") " + text(node.args.back()) + ")";
      }
    }
    LETO_ASSERT(false);
  }

 private:
  static std::string zero_text(Sort sort) {
    if (sort.rank > 0)
      return "((as const " + sort_text(sort) + ") " + zero_text(sort.element()) + ")";
    return sort.base == SortBase::Bool ? "false" : sort.base == SortBase::Real ? "0.0" : "0";
  }

  const TermTable& table_;
  SmtText& out_;
  std::unordered_map<Term, std::string> names_;
  std::unordered_map<Term, int> uses_;
  std::unordered_map<Term, bool> done_;
  int shared_ = 0, bound_ = 0;
};

}  // namespace

SmtText to_smtlib(const TermTable& table, const std::vector<Term>& hypotheses, Term goal) {
  SmtText out;
  Writer writer(table, out);
  for (Term h : hypotheses) writer.count(h);
  writer.count(goal);
  for (Term h : hypotheses) {
    writer.prepare(h);
    out.text += "(assert " + writer.text(h) + ")\n";
  }
  writer.prepare(goal);
  out.text += "(assert (not " + writer.text(goal) + "))\n";
  return out;
}

namespace {

// How many nodes the term has when it is written out; nothing for a symbol that is not known.
std::size_t written(const TermTable& table, Term t, std::unordered_map<Term, std::size_t>& sizes) {
  if (const auto it = sizes.find(t); it != sizes.end()) return it->second;
  constexpr std::size_t kTooLarge = 1'000'000;
  std::size_t size = table[t].kind == Kind::Symbol ? kTooLarge : 1;
  for (Term arg : table[t].args) size = std::min(kTooLarge, size + written(table, arg, sizes));
  return sizes[t] = size;
}

}  // namespace

std::string to_smtlib(const TermTable& table, const SmtText& context, Term term) {
  std::unordered_map<Term, std::size_t> sizes;
  for (const auto& [known, name] : context.symbols) sizes[known] = 1;
  for (const auto& [known, name] : context.defined) sizes[known] = 1;
  if (written(table, term, sizes) > 1000) return {};
  SmtText copy;
  copy.symbols = context.symbols;
  copy.defined = context.defined;
  return Writer(table, copy).text(term);
}

}  // namespace leto::logic

#include "fixpoint/print.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace leto::fixpoint {

namespace {

// What SMT-LIB calls it; empty if it does not.
std::string_view name_of(Z3_decl_kind kind) {
  static const std::map<Z3_decl_kind, std::string_view> names = {
      {Z3_OP_TRUE, "true"},
      {Z3_OP_FALSE, "false"},
      {Z3_OP_EQ, "="},
      {Z3_OP_IFF, "="},
      {Z3_OP_DISTINCT, "distinct"},
      {Z3_OP_ITE, "ite"},
      {Z3_OP_AND, "and"},
      {Z3_OP_OR, "or"},
      {Z3_OP_XOR, "xor"},
      {Z3_OP_NOT, "not"},
      {Z3_OP_IMPLIES, "=>"},
      {Z3_OP_LE, "<="},
      {Z3_OP_GE, ">="},
      {Z3_OP_LT, "<"},
      {Z3_OP_GT, ">"},
      {Z3_OP_ADD, "+"},
      {Z3_OP_SUB, "-"},
      {Z3_OP_UMINUS, "-"},
      {Z3_OP_MUL, "*"},
      {Z3_OP_DIV, "/"},
      {Z3_OP_IDIV, "div"},
      {Z3_OP_MOD, "mod"},
      {Z3_OP_TO_REAL, "to_real"},
      {Z3_OP_TO_INT, "to_int"},
      {Z3_OP_IS_INT, "is_int"},
      {Z3_OP_BNEG, "bvneg"},
      {Z3_OP_BADD, "bvadd"},
      {Z3_OP_BSUB, "bvsub"},
      {Z3_OP_BMUL, "bvmul"},
      {Z3_OP_BSDIV, "bvsdiv"},
      {Z3_OP_BUDIV, "bvudiv"},
      {Z3_OP_BSREM, "bvsrem"},
      {Z3_OP_BUREM, "bvurem"},
      {Z3_OP_BSMOD, "bvsmod"},
      {Z3_OP_ULEQ, "bvule"},
      {Z3_OP_SLEQ, "bvsle"},
      {Z3_OP_UGEQ, "bvuge"},
      {Z3_OP_SGEQ, "bvsge"},
      {Z3_OP_ULT, "bvult"},
      {Z3_OP_SLT, "bvslt"},
      {Z3_OP_UGT, "bvugt"},
      {Z3_OP_SGT, "bvsgt"},
      {Z3_OP_BAND, "bvand"},
      {Z3_OP_BOR, "bvor"},
      {Z3_OP_BNOT, "bvnot"},
      {Z3_OP_BXOR, "bvxor"},
      {Z3_OP_BNAND, "bvnand"},
      {Z3_OP_BNOR, "bvnor"},
      {Z3_OP_BXNOR, "bvxnor"},
      {Z3_OP_CONCAT, "concat"},
      {Z3_OP_BSHL, "bvshl"},
      {Z3_OP_BLSHR, "bvlshr"},
      {Z3_OP_BASHR, "bvashr"},
      {Z3_OP_BCOMP, "bvcomp"},
      {Z3_OP_EXTRACT, "extract"},
      {Z3_OP_SIGN_EXT, "sign_extend"},
      {Z3_OP_ZERO_EXT, "zero_extend"},
      {Z3_OP_REPEAT, "repeat"},
      {Z3_OP_ROTATE_LEFT, "rotate_left"},
      {Z3_OP_ROTATE_RIGHT, "rotate_right"}};
  const auto found = names.find(kind);
  return found == names.end() ? std::string_view() : found->second;
}

std::string numeral_text(const z3::expr& term) {
  std::string digits = Z3_get_numeral_string(term.ctx(), term);
  if (term.is_bv()) return "(_ bv" + digits + " " + std::to_string(term.get_sort().bv_size()) + ")";
  const bool negative = digits[0] == '-';
  if (negative) digits.erase(0, 1);
  if (term.is_real()) {
    const std::size_t slash = digits.find('/');
    digits = slash == std::string::npos
                 ? digits + ".0"
                 : "(/ " + digits.substr(0, slash) + ".0 " + digits.substr(slash + 1) + ".0)";
  }
  return negative ? "(- " + digits + ")" : digits;
}

std::string operator_text(const z3::expr& term) {
  const z3::func_decl decl = term.decl();
  const std::string name(name_of(decl.decl_kind()));
  if (name.empty()) throw GiveUp("a term with '" + decl.name().str() + "' cannot be written");
  z3::context& context = term.ctx();
  std::string indices;
  if (term.is_bv())
    for (unsigned i = 0; i < Z3_get_decl_num_parameters(context, decl); ++i)
      if (Z3_get_decl_parameter_kind(context, decl, i) == Z3_PARAMETER_INT)
        indices += " " + std::to_string(Z3_get_decl_int_parameter(context, decl, i));
  return indices.empty() ? name : "(_ " + name + indices + ")";
}

class Printer {
 public:
  explicit Printer(const z3::expr& root) : root_(root) { order_from(root); }

  std::string text() {
    // A name may use those of lower levels only, so each level is one `let`.
    std::map<unsigned, std::vector<std::string>> levels;
    std::string body;
    for (const z3::expr& term : order_) {
      std::string own = own_text(term);
      const unsigned level = level_below(term);
      Written& written = written_.at(term.id());
      written.level = level;
      if (written.uses > 1 && term.num_args() > 0) {
        const std::string name = "$" + std::to_string(++names_);
        levels[level].push_back("(" + name + " " + own + ")");
        written.text = name;
        written.level = level + 1;
      } else {
        written.text = std::move(own);
      }
    }
    body = written_.at(root_.id()).text;
    std::string opened;
    for (const auto& [level, bindings] : levels) {
      opened += "(let (";
      for (const std::string& binding : bindings) opened += binding;
      opened += ") ";
    }
    return opened + body + std::string(levels.size(), ')');
  }

 private:
  struct Written {
    unsigned uses = 0;
    unsigned level = 0;
    std::string text;
  };

  // Children before parents, without recursion.
  void order_from(const z3::expr& root) {
    std::vector<std::pair<z3::expr, bool>> open{{root, false}};
    while (!open.empty()) {
      const auto [term, left] = open.back();
      open.pop_back();
      if (left) {
        order_.push_back(term);
        continue;
      }
      if (!term.is_app()) throw GiveUp("a term with a quantifier cannot be written");
      if (written_[term.id()].uses++ > 0) continue;
      open.emplace_back(term, true);
      for (unsigned i = term.num_args(); i-- > 0;) open.emplace_back(term.arg(i), false);
    }
  }

  std::string own_text(const z3::expr& term) {
    if (term.is_numeral()) return numeral_text(term);
    if (is_variable(term)) return printed_symbol(term.decl().name().str());
    if (term.num_args() == 0) return operator_text(term);
    std::string text = "(" + operator_text(term);
    for (unsigned i = 0; i < term.num_args(); ++i) {
      Written& argument = written_.at(term.arg(i).id());
      text += " " + argument.text;
      // Nobody else asks for it.
      if (argument.uses == 1) std::string().swap(argument.text);
    }
    return text + ")";
  }

  unsigned level_below(const z3::expr& term) {
    unsigned level = 0;
    for (unsigned i = 0; i < term.num_args(); ++i)
      level = std::max(level, written_.at(term.arg(i).id()).level);
    return level;
  }

  z3::expr root_;
  Terms order_;
  std::unordered_map<unsigned, Written> written_;
  unsigned names_ = 0;
};

bool is_simple(const std::string& name) {
  constexpr std::string_view others = "~!@%^&*_-+=<>.?/";
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                  others.find(c) != std::string_view::npos;
         });
}

}  // namespace

std::string printed_symbol(const std::string& name) {
  // Only names of our own have bars inside. Nobody else knows what they mean.
  if (name.find('|') != std::string::npos) throw GiveUp("a name of our own would be written");
  return is_simple(name) ? name : "|" + name + "|";
}

std::string printed(const z3::expr& term) {
  return Printer(term).text();
}

std::string printed_conjunction(const Terms& conjuncts) {
  if (conjuncts.empty()) return "true";
  if (conjuncts.size() == 1) return printed(conjuncts[0]);
  std::string text = "(and";
  for (const z3::expr& conjunct : conjuncts) text += " " + printed(conjunct);
  return text + ")";
}

}  // namespace leto::fixpoint

// For tests only: reads what is written in SMT-LIB and says what it means. It shares nothing with
// the writer.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

#include "logic/test_evaluator.h"

namespace leto::logic {

// An expression of SMT-LIB: a word, or a list.
struct Written {
  std::string word;
  std::vector<Written> list;
};

inline Written read(std::string_view& text) {
  const auto skip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  };
  skip();
  Written out;
  if (!text.starts_with('(')) {
    const std::size_t end = std::min(text.find_first_of(" ()\n"), text.size());
    out.word = text.substr(0, end);
    text.remove_prefix(end);
    return out;
  }
  text.remove_prefix(1);
  for (skip(); !text.starts_with(')'); skip()) {
    if (text.empty()) throw std::logic_error("a list does not end");
    out.list.push_back(read(text));
  }
  text.remove_prefix(1);
  return out;
}

// Reads a question and says whether all that it asserts holds.
class Reader {
 public:
  std::map<std::string, Meaning> values;
  std::map<std::string, std::string> sorts;  // of what is declared

  bool satisfied(std::string_view text) {
    bool all = true;
    while (text.find('(') != std::string_view::npos) {
      const Written command = read(text);
      const std::string& what = command.list[0].word;
      if (what == "declare-fun")
        sorts[command.list[1].word] = command.list[3].word;
      else if (what == "define-fun")
        values[command.list[1].word] = value(command.list[4]);
      else if (what == "assert")
        all = value(command.list[1]).holds() && all;
      else
        throw std::logic_error("an unknown command: " + what);
    }
    return all;
  }

  Meaning value(const Written& w) {
    if (w.list.empty()) {
      if (w.word == "true" || w.word == "false") return meaning(w.word == "true" ? 1 : 0);
      if (std::isdigit(static_cast<unsigned char>(w.word[0])) != 0) return decimal(w.word);
      return values.at(w.word);
    }
    if (!w.list[0].list.empty()) return {};  // ((as const ...) 0)
    const std::string& head = w.list[0].word;
    if (head == "forall" || head == "exists") return quantified(w, 0);
    if (head == "!") return value(w.list[1]);
    std::vector<Meaning> args;
    for (std::size_t i = 1; i < w.list.size(); ++i) args.push_back(value(w.list[i]));
    static const std::map<std::string, Kind> kinds = {{"not", Kind::Not},
                                                      {"and", Kind::And},
                                                      {"or", Kind::Or},
                                                      {"=>", Kind::Implies},
                                                      {"ite", Kind::Ite},
                                                      {"=", Kind::Eq},
                                                      {"<", Kind::Lt},
                                                      {"<=", Kind::Le},
                                                      {"+", Kind::Add},
                                                      {"*", Kind::Mul},
                                                      {"/", Kind::RealDiv},
                                                      {"div", Kind::IntDiv},
                                                      {"mod", Kind::IntMod},
                                                      {"to_real", Kind::ToReal},
                                                      {"select", Kind::Select},
                                                      {"store", Kind::Store},
                                                      {"to_int", Kind::ToInt},
                                                      // What is opaque means the same to us.
                                                      {"product", Kind::Mul},
                                                      {"real-product", Kind::Mul},
                                                      {"real-quotient", Kind::RealDiv},
                                                      {"quotient", Kind::IntDiv},
                                                      {"remainder", Kind::IntMod}};
    if (head == "-") return operate(args.size() == 1 ? Kind::Neg : Kind::Sub, args);
    while ((head == "+" || head == "*") && args.size() > 2) {
      args[1] = operate(kinds.at(head), {args[0], args[1]});
      args.erase(args.begin());
    }
    return operate(kinds.at(head), args);
  }

 private:
  Meaning quantified(const Written& w, std::size_t next) {
    if (next == w.list[1].list.size()) return value(w.list[2]);
    const bool universal = w.list[0].word == "forall";
    const Written& binder = w.list[1].list[next];
    for (const Meaning& tried : domain(binder.list[1].word == "Bool" ? kBool : kInt)) {
      values[binder.list[0].word] = tried;
      if (quantified(w, next + 1).holds() != universal) return meaning(universal ? 0 : 1);
    }
    return meaning(universal ? 1 : 0);
  }
};

}  // namespace leto::logic

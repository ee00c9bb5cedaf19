// A program in a test of the oracle, with its inputs and with short names for what comes out.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "syntax/syntax.h"

namespace leto::oracle {

using Lines = std::vector<std::string>;

class Case {
 public:
  explicit Case(std::string text, std::string function = "f") : function_(std::move(function)) {
    DiagnosticList diagnostics;
    const FileId id = sources_.add("case.leto", std::move(text));
    tree_ = syntax::parse(sources_[id], id, names_, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << diagnostic.message();
    model_ = default_model(trees_, names_);
  }
  Case(const Case&) = delete;

  Case& under(std::string model) {
    model_ = std::move(model);
    return *this;
  }
  Case& original(const std::string& name, Value value) {
    inputs_.original[name] = std::move(value);
    return *this;
  }
  Case& relaxed(const std::string& name, Value value) {
    inputs_.relaxed[name] = std::move(value);
    return *this;
  }
  Case& both(const std::string& name, const Value& value) {
    return original(name, value).relaxed(name, value);
  }
  Case& both(const std::string& name, Number value) { return both(name, scalar(std::move(value))); }
  Case& apart(const std::string& name, Number in_original, Number in_relaxed) {
    return original(name, scalar(std::move(in_original)))
        .relaxed(name, scalar(std::move(in_relaxed)));
  }
  Case& constant(const std::string& name, Number value) {
    inputs_.constants[name] = scalar(std::move(value));
    return *this;
  }
  Case& state(const std::string& name, Number value) {
    inputs_.state[name] = std::move(value);
    return *this;
  }
  Case& external(External function) {
    external_ = std::move(function);
    return *this;
  }
  Case& limit(Limits limits) {
    limits_ = limits;
    return *this;
  }

  [[nodiscard]] Report run(const std::vector<Decision>& script = {}) const {
    return oracle::run(subject(), inputs_, script, limits_, external_);
  }
  [[nodiscard]] Exploration explore(const std::function<bool(const Report&)>& visit,
                                    std::size_t most = 1000) const {
    return oracle::explore(subject(), inputs_, most, visit, limits_, external_);
  }

  [[nodiscard]] std::string text(Span span) const { return std::string(sources_.text(span)); }
  // What was accessed, in order: "x *. y", "read v[i]", "write v".
  [[nodiscard]] Lines accesses(const Report& report) const {
    Lines lines;
    for (const Access& access : report.accesses)
      lines.push_back((access.region.empty() ? "" : access.what + " ") + text(access.at));
    return lines;
  }
  // What does not hold, in order: "requires x > 0 (original)".
  [[nodiscard]] Lines violated(const Report& report) const {
    Lines lines;
    for (const Violated& one : report.violated)
      lines.push_back(text(one.span) + (one.by == By::Original  ? " (original)"
                                        : one.by == By::Relaxed ? " (relaxed)"
                                                                : ""));
    return lines;
  }

 private:
  [[nodiscard]] Subject subject() const { return {trees_, names_, model_, function_}; }

  SourceStore sources_;
  NameTable names_;
  syntax::Tree tree_;
  std::vector<const syntax::Tree*> trees_{&tree_};
  std::string function_, model_;
  Inputs inputs_;
  Limits limits_;
  External external_;
};

inline std::ostream& operator<<(std::ostream& out, End end) {
  return out << spelling(end);
}

}  // namespace leto::oracle

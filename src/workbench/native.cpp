#include "workbench/native.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>

#include "files/files.h"
#include "solver/process.h"
#include "solver/solver.h"

namespace leto::workbench {

namespace fs = std::filesystem;
using core::Base;
using core::Side;
using interp::Number;

namespace {

// The same text, the same number.
std::uint64_t tag_of_text(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash | 1;
}

// A double, how far it is off at most, and its tag; nothing if it is no fraction, or too large.
std::optional<std::string> real_text(const Number& n) {
  const std::string text = n.text();
  const double v = n.approximate();
  if (text.find("sqrt") != std::string::npos || !std::isfinite(v)) return std::nullopt;
  const Number off = n - Number(mpq_class(v));
  if (off.sign() == 0) return fmt::format("{:a} 0 0", v);
  const double e = std::fabs(off.approximate()) * (1 + 0x1p-40) + 0x1p-1060;
  return fmt::format("{:a} {:a} {}", v, e, tag_of_text(text));
}

std::optional<std::string> scalar_text(const Number& n, const core::Type& type) {
  if (type.base == Base::Real) return real_text(n);
  if (const std::optional<std::int64_t> small = n.small()) return std::to_string(*small);
  return std::nullopt;
}

std::string find_compiler() {
  for (const char* name : {"g++", "clang++", "c++"})
    if (const std::string path = solver::find_program(name);
        path.find('/') != std::string::npos && files::exists(path))
      return path;
  return "";
}

constexpr auto kNoEnd = std::chrono::hours(24 * 365);

}  // namespace

struct NativeCampaign::Child {
  explicit Child(const std::vector<std::string>& arguments) : process(arguments, 0) {}
  solver::Process process;
};

std::string native_inputs(const emit::Injected& injected, const core::Program& program,
                          const interp::Inputs& inputs, const std::vector<double>& rates,
                          std::string& problem) {
  std::string out = std::to_string(rates.size());
  for (double rate : rates) out += fmt::format(" {:a}", rate);
  out += '\n';
  for (const emit::Injected::Input& input : injected.inputs) {
    const core::Var& var = program.vars[input.var];
    const interp::Value& value = inputs.values.side(
        input.side == Side::Original ? Side::Original : Side::Relaxed)[input.var.value];
    const auto add = [&](const Number& n) {
      const std::optional<std::string> text = scalar_text(n, var.type);
      if (text)
        out += *text + ' ';
      else
        problem =
            fmt::format("'{}' has a number that {}", var.name,
                        var.type.base == Base::Real ? "is no fraction, or too large for a double"
                                                    : "does not fit into 64 bits");
    };
    if (var.type.rank == 0) {
      add(value.scalar);
    } else {
      const interp::Array empty{{0, 0}, {}};
      const interp::Array& array = value.array ? *value.array : empty;
      out += fmt::format("{} {} ", array.sizes[0], var.type.rank > 1 ? array.sizes[1] : 1);
      for (const Number& n : array.elements) add(n);
    }
    out += '\n';
  }
  return out;
}

NativeCampaign::NativeCampaign(const Executable& e, const inject::Settings& settings)
    : e_(e), settings_(settings) {}

NativeCampaign::~NativeCampaign() {
  child_.reset();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::unique_ptr<NativeCampaign> NativeCampaign::build(const Executable& e,
                                                      const inject::Settings& settings,
                                                      const Allowance& allowance,
                                                      DiagnosticSink& sink, std::string& problem) {
  std::unique_ptr<NativeCampaign> made(new NativeCampaign(e, settings));
  std::optional<emit::Injected> injected = emit::emit_injection(e.program, e.function, sink);
  if (!injected) return nullptr;
  made->injected_ = std::move(*injected);
  if (!made->look_at_original(problem)) return nullptr;
  if (made->nothing_) return made;
  std::string folder = (fs::temp_directory_path() / "leto-native-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    problem = fmt::format("cannot make a folder in '{}'", fs::temp_directory_path().string());
    return nullptr;
  }
  made->folder_ = folder;
  if (!made->write_inputs(problem) || !made->compile(allowance, problem) || !made->start(problem))
    return nullptr;
  return made;
}

// Exactly, and once: it is the same in every run.
bool NativeCampaign::look_at_original(std::string& problem) {
  interp::Options options;
  options.limits = settings_.limits;
  for (bool invariants : {false, true}) {
    options.invariants = invariants;
    interp::ExactChooser exact;
    const interp::Outcome outcome = e_.machine->run(e_.function, *settings_.inputs, exact, options);
    const bool none = outcome.end == interp::End::OriginalFailed ||
                      outcome.end == interp::End::OriginalHung ||
                      outcome.end == interp::End::Undecidable;
    if (!none) continue;
    if (invariants) {
      problem = "the original run breaks what is claimed of its loops; leave out --native";
      return false;
    }
    nothing_ = inject::Cause{outcome.end, outcome.why};
    nothing_at_ = outcome.where;
    return true;
  }
  return true;
}

bool NativeCampaign::write_inputs(std::string& problem) {
  const std::vector<double> rates = inject::rates_of(*e_.machine, *settings_.inputs);
  const std::string text = native_inputs(injected_, e_.program, *settings_.inputs, rates, problem);
  if (!problem.empty()) {
    problem += "; leave out --native";
    return false;
  }
  for (const auto& [name, content] :
       {std::pair<const char*, std::string>{"inputs", text},
        {"run.hpp", injected_.header},
        {"run.cpp", "#define LETO_NATIVE_MAIN 1\n#include \"run.hpp\"\n"}})
    if (problem = files::write(folder_ + "/" + name, content); !problem.empty()) return false;
  return true;
}

bool NativeCampaign::compile(const Allowance& allowance, std::string& problem) {
  const std::string compiler = find_compiler();
  if (compiler.empty()) {
    problem = "--native needs a C++ compiler: install g++ or clang++, or leave out --native";
    return false;
  }
  // What it says goes where we read it, and then how it ended.
  const std::vector<std::string> command = {"/bin/sh",
                                            "-c",
                                            "\"$@\" 2>&1; printf '\\nended %s\\nend\\n' $?",
                                            "sh",
                                            compiler,
                                            "-std=c++20",
                                            "-O2",
                                            "-march=native",
                                            "-ffp-contract=off",
                                            "-DLETO_FP_CONTRACT_OFF",
                                            "-pthread",
                                            "-o",
                                            folder_ + "/run",
                                            folder_ + "/run.cpp"};
  Child child(command);
  std::string reply;
  const auto status =
      child.process.exchange("", "end", solver::Clock::now() + kNoEnd, allowance, reply);
  if (status == solver::Process::Status::Ok && reply.ends_with("ended 0\n")) return true;
  if (allowance.spent())
    problem = "there was no time to compile it";
  else
    problem = fmt::format(
        "{} does not compile what was emitted; leave out --native, and please "
        "tell us: {}",
        compiler, reply.substr(0, 600));
  return false;
}

bool NativeCampaign::start(std::string& problem) {
  child_ = std::make_unique<Child>(std::vector<std::string>{
      folder_ + "/run", folder_ + "/inputs", std::to_string(settings_.seed),
      std::to_string(settings_.fault_free), std::to_string(settings_.limits.steps),
      std::to_string(std::max(1u, settings_.workers))});
  if (!child_->process.running()) problem = "what was compiled cannot be started";
  return child_->process.running();
}

bool NativeCampaign::ask(const std::string& what, std::uint64_t from, std::uint64_t to,
                         const Allowance& allowance, std::string& reply) {
  return child_->process.exchange(fmt::format("{} {} {}\n", what, from, to), "end",
                                  solver::Clock::now() + kNoEnd, allowance,
                                  reply) == solver::Process::Status::Ok;
}

void NativeCampaign::add(const std::string& reply, inject::Result& to) const {
  std::istringstream in(reply);
  std::size_t c = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "class") {
      std::uint64_t counts = 0, apart = 0, first = 0;
      words >> counts >> apart >> first;
      to.counts[c] += counts;
      to.apart[c] += apart;
      if (first != UINT64_MAX && (!to.first[c] || first < *to.first[c])) to.first[c] = first;
      ++c;
    } else if (what == "without" || what == "steps") {
      std::uint64_t n = 0;
      words >> n;
      (what == "steps" ? to.steps : to.without_faults) += n;
    } else if (what == "site") {
      std::size_t site = 0;
      inject::Counts counts{};
      words >> site;
      std::uint64_t all = 0;
      for (std::uint64_t& count : counts) {
        words >> count;
        all += count;
      }
      for (std::size_t i = 0; all > 0 && i < counts.size(); ++i)
        to.sites[injected_.sites.at(site)][i] += counts[i];
    } else if (what == "cause") {
      unsigned end = 0;
      std::size_t reason = 0, place = 0;
      inject::Causes more;
      words >> end >> reason >> place >> more.runs >> more.first;
      more.where = injected_.places.at(place);
      const inject::Cause cause{static_cast<interp::End>(end), injected_.reasons.at(reason)};
      inject::Causes& known =
          to.causes.try_emplace(cause, inject::Causes{0, more.first, more.where}).first->second;
      known.runs += more.runs;
    }
  }
}

inject::Result NativeCampaign::run(const Allowance& allowance,
                                   const std::function<void(std::uint64_t done)>& progress,
                                   std::string& problem) {
  inject::Result total;
  const auto none = static_cast<std::size_t>(inject::Class::Void);
  if (nothing_) {
    total.counts[none] = total.without_faults = settings_.runs;
    total.first[none] = 0;
    total.causes[*nothing_] = {settings_.runs, 0, nothing_at_};
    return total;
  }
  // So many that they take about a quarter of a second.
  std::uint64_t chunk = 1024;
  for (std::uint64_t done = 0; done < settings_.runs && !allowance.spent();) {
    const auto start = solver::Clock::now();
    const std::uint64_t to = std::min(done + chunk, settings_.runs);
    std::string reply;
    if (!ask("runs", done, to, allowance, reply)) {
      if (!allowance.spent()) problem = "what was compiled has ended by itself";
      break;
    }
    add(reply, total);
    done = to;
    progress(done);
    const double seconds = std::chrono::duration<double>(solver::Clock::now() - start).count();
    if (seconds < 0.15 && chunk < (std::uint64_t{1} << 40)) chunk *= 2;
    if (seconds > 0.4 && chunk > 1024) chunk /= 2;
  }
  return total;
}

std::vector<inject::Class> NativeCampaign::classes(std::uint64_t from, std::uint64_t to,
                                                   const Allowance& allowance) {
  if (nothing_) return std::vector<inject::Class>(to - from, inject::Class::Void);
  std::string reply;
  std::vector<inject::Class> out;
  if (!ask("each", from, to, allowance, reply)) return out;
  std::istringstream in(reply);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what;
    unsigned c = 0;
    if (words >> what >> c; what == "run") out.push_back(static_cast<inject::Class>(c));
  }
  return out;
}

}  // namespace leto::workbench

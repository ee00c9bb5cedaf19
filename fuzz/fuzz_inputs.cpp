// libFuzzer target over inputs and fault scripts, as `leto run` takes them: JSON is read, and the
// programs below are run with it. Whatever the bytes are, nothing may crash; what cannot be used is
// refused with a reason; what is used can be written and read again; and a run that is written as
// a script can be repeated.
//
// The first byte picks a program. The rest is a script, or inputs alone.
#include <cstring>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzzing.h"
#include "report/machine_text.h"
#include "script/inputs.h"
#include "script/parse.h"
#include "workbench/executing.h"

using namespace leto;
using nlohmann::json;
using workbench::Executable;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr const char* kPrograms[] = {
    R"(model m {
    bool upset = false;
    const real eps;
    requires eps > 0;
    @label(exact) operator *(real a, real b) ensures result == a * b;
    @label(off) operator *(real a, real b) when !upset modifies upset
        ensures upset && abs(result - a * b) <= eps;
}
use model m;
requires_r eq(*)
real product(uint n, vector<real> x(n), vector<real> y(n)) {
    real sum = 0;
    for (uint i = 0; i < n; ++i) { sum += x[i] *. y[i]; }
    assert_r !model.upset -> eq(sum);
    return sum;
})",
    R"(model m {
    int left = 2;
    @label(exact) operator +(int a, int b) ensures result == a + b;
    @label(more) operator +(int a, int b) when left > 0 modifies left
        ensures left == old(left) - 1 && result > a + b;
    @region(bad) write(int dest, int src) ensures dest == src;
    @label(lost) @region(bad) write(int dest, int src) ensures dest == old(dest);
}
use model m;
const int K;
const int L = K * 2;
requires 0 < K;
int walk(int a, bool up, uint k) {
    @region(bad) int x = a;
    while (0 < k) { if (up) { x = x +. L; } else { x = x - K; } --k; }
    return x;
})",
    R"(const uint N = 2;
requires forall(uint i)(i < n -> v[i] < n)
matrix<int> turn(uint n, uint k, vector<uint> v(n), matrix<int> a(n, k)) {
    matrix<int> b(k, n);
    for (uint i = 0; i < n; ++i) {
        for (uint j = 0; j < k; ++j) { b[j][i] = a[v[i]][j] / (j + N); }
    }
    return b;
})",
    R"(ensures result -> n < 100
bool odd(bool a, int n) {
    if (n <= 0) { return a; }
    bool b = odd(!a, n - 1);
    return b;
})"};

// The programs above, by name.
class Shelf final : public workspace::FileSystem {
 public:
  Content read(const std::string& path, files::NamedBy) override {
    const auto it = texts_.find(path);
    return it == texts_.end() ? Content{std::nullopt, "it is not there"} : Content{it->second};
  }
  bool exists(const std::string& path) override { return texts_.contains(path); }
  std::string real_path(const std::string& path) override { return path; }
  bool lies_in(const std::string&, const std::string&) override { return true; }
  std::optional<std::vector<std::string>> list(const std::string&) override {
    return std::vector<std::string>{};
  }
  void put(const std::string& path, const std::string& text) { texts_[path] = text; }

 private:
  std::map<std::string, std::string> texts_;
};

fuzz::Patience& patience() {
  static auto& one = *new fuzz::Patience(std::chrono::milliseconds(100));
  return one;
}

// Made once: lowering takes longer than running.
struct Ready {
  explicit Ready(const char* text) {
    shelf.put("p.leto", text);
    DiagnosticList diagnostics;
    std::string problem;
    executable =
        workbench::prepare(workspace, {"p.leto", "", ""}, patience().renew(), diagnostics, problem);
    LETO_ASSERT(executable);
  }
  Shelf shelf;
  workspace::Workspace workspace{shelf, {}};
  std::unique_ptr<Executable> executable;
};

const Ready& program(std::size_t index) {
  static std::deque<Ready>& all = *[] {
    auto* made = new std::deque<Ready>;
    for (const char* text : kPrograms) made->emplace_back(text);
    return made;
  }();
  return all[index % all.size()];
}

bool same(const interp::Inputs& a, const interp::Inputs& b) {
  const auto equal = [](const interp::Variables& x, const interp::Variables& y) {
    bool equal = x.size() == y.size();
    for (std::size_t i = 0; i < x.size() && equal; ++i) equal = interp::equal(x[i], y[i]);
    return equal;
  };
  return equal(a.values.original, b.values.original) && equal(a.values.relaxed, b.values.relaxed);
}

// What both runs share is the same in both.
bool has_one_of_each(const core::Program& program, const interp::Inputs& inputs) {
  for (const core::ConstantVar& c : program.constants)
    if (!interp::equal(inputs.values.original[c.var.value], inputs.values.relaxed[c.var.value]))
      return false;
  return true;
}

json reread(const json& written) {
  std::string problem;
  std::optional<json> parsed = script::parse_json(report::to_text(written), problem);
  LETO_ASSERT(parsed && problem.empty());
  return std::move(*parsed);
}

interp::Outcome run(const Executable& e, const interp::Inputs& inputs,
                    const std::vector<interp::Taken>& script) {
  interp::Options how;
  how.limits.steps = 200;
  how.events = true;
  interp::ScriptChooser chooser(script);
  return e.machine->run(e.function, inputs, chooser, how);
}

// A run with these inputs and faults, and once more by its own script.
void run_twice(const Executable& e, const interp::Inputs& inputs, const json& given) {
  std::string problem;
  const std::vector<interp::Taken> script =
      given.contains("faults") ? script::script_from_json(e.program, given, problem)
                               : std::vector<interp::Taken>{};
  if (!problem.empty()) return;
  const interp::Outcome first = run(e, inputs, script);
  const json own = reread(script::script_to_json(e.program, e.function, inputs, first.taken));
  const interp::Inputs again =
      script::inputs_from_json(*e.machine, e.function, own["inputs"], problem);
  LETO_ASSERT(problem.empty() && same(inputs, again));
  const std::vector<interp::Taken> taken = script::script_from_json(e.program, own, problem);
  LETO_ASSERT(problem.empty());
  const interp::Outcome second = run(e, again, taken);
  if (e.machine->spent() || first.end == interp::End::Impossible) return;
  LETO_ASSERT(first.end == second.end && first.steps == second.steps);
  LETO_ASSERT(first.relaxed.size() == second.relaxed.size());
  for (std::size_t i = 0; i < first.relaxed.size(); ++i)
    LETO_ASSERT(interp::equal(first.relaxed[i], second.relaxed[i]));
}

// Mutation ---------------------------------------------------------------------------------------

void collect(json& node, std::vector<json*>& all) {
  all.push_back(&node);
  if (node.is_structured())
    for (json& child : node) collect(child, all);
}

const std::vector<json>& values() {
  static const auto& all =
      *new std::vector<json>{nullptr,
                             true,
                             false,
                             0,
                             1,
                             2,
                             -1,
                             0.5,
                             1e300,
                             "1/2",
                             "-3",
                             "",
                             "1e5",
                             "x",
                             "1/0",
                             json::array(),
                             json::object(),
                             "off",
                             "more",
                             "lost",
                             "exact",
                             "0",
                             18446744073709551615u,
                             json::array({0}),
                             json::array({json::array({1, 2}), json::array({3, 4})})};
  return all;
}

// A key of an object: gone, or with a side, or another one's name.
void change_key(json& object, fuzz::Dice& dice) {
  const auto from = std::next(object.begin(), static_cast<long>(dice.roll(object.size())));
  const auto other = std::next(object.begin(), static_cast<long>(dice.roll(object.size())));
  const json value = *from;
  const std::string key = from.key(), name = key.substr(0, key.find('<'));
  const std::string made[] = {name + "<o>", name + "<r>", other.key(), "model." + name, "state"};
  if (dice.roll(2) == 0) object.erase(key);
  object[made[dice.roll(std::size(made))]] = value;
}

void change(json& whole, fuzz::Dice& dice) {
  std::vector<json*> all;
  collect(whole, all);
  json& node = *all[dice.roll(all.size())];
  const json other = *all[dice.roll(all.size())];
  const std::uint64_t what = dice.roll(6);
  if (node.is_object() && !node.empty() && what < 4)
    change_key(node, dice);
  else if (node.is_array() && what < 3)
    node.push_back(dice.roll(2) == 0 || node.empty() ? other : json(node.back()));
  else if (node.is_array() && !node.empty() && what == 3)
    node.erase(node.size() - 1);
  else if (node.is_number_integer() && what < 3)
    node = node.get<std::int64_t>() % 1000 + (what == 0 ? 1 : -1);
  else
    node = what == 5 ? other : values()[dice.roll(values().size())];
}

}  // namespace

// JSON stays JSON, most of the time.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  fuzz::Dice dice(std::to_string(seed));
  std::string problem;
  std::optional<json> given;
  if (size > 1) given = script::parse_json(fuzz::text_of(data + 1, size - 1), problem);
  if (!given || dice.roll(4) == 0) return LLVMFuzzerMutate(data, size, most);
  for (std::uint64_t more = 1 + dice.roll(3); more > 0; --more) change(*given, dice);
  const std::string made = static_cast<char>(data[0]) + report::to_line(*given);
  if (made.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Executable& e = *program(data[0]).executable;
  (void)patience().renew();
  std::string problem;
  const std::optional<json> given = script::parse_json(fuzz::text_of(data + 1, size - 1), problem);
  LETO_ASSERT(given.has_value() == problem.empty());
  if (!given) return 0;
  const bool script = given->is_object() && given->contains("inputs");
  const interp::Inputs inputs = script::inputs_from_json(
      *e.machine, e.function, script ? (*given)["inputs"] : *given, problem);
  if (problem.empty()) {
    LETO_ASSERT(has_one_of_each(e.program, inputs));
    run_twice(e, inputs, script ? *given : json::object());
  }
  problem.clear();
  (void)script::script_from_json(e.program, *given, problem);  // also if there are no inputs for it
  return 0;
}

#include "prove/records.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "core/calls.h"
#include "core/fingerprint.h"
#include "engine/digest.h"

namespace leto::prove {

bool Done::is_proved() const {
  return settled.contradictions.empty() && !settled.constants_contradict && !settled.mismatch &&
         !settled.cost.disagreement &&
         std::all_of(settled.claims.begin(), settled.claims.end(), [](const Claim& claim) {
           return claim.status == Status::Proved && !claim.unfounded;
         });
}

// Each part is a number, or a text with its length before it.
class Records::Writer {
 public:
  // Of what is found out about `function`.
  Writer(const Records& records, core::FunctionId function)
      : records_(records), function_(function) {}

  void write(const Done& done) {
    write_list(done.settled.claims, [&](const Claim& claim) { write(claim); });
    write(done.settled.cost);
    const auto& [assertions, checks, invariants, assumed] = done.trusted;
    for (std::size_t count : {assertions, checks, invariants, assumed}) write_number(count);
    write_list(done.loops, [&](const LoopFacts& loop) { write(loop); });
    write_number(done.candidates);
    write_number(done.rounds);
  }
  // Nothing: some of it has no place that could be found again.
  [[nodiscard]] std::optional<std::string> take() {
    if (!whole_) return std::nullopt;
    return std::move(out_);
  }

 private:
  void write_number(std::uint64_t number) { out_ += fmt::format("{} ", number); }
  void write_text(const std::string& text) {
    write_number(text.size());
    out_ += text;
  }
  template <class T, class F>
  void write_list(const std::vector<T>& list, const F& write_one) {
    write_number(list.size());
    for (const T& one : list) write_one(one);
  }
  void write_owner(core::FunctionId owner) {
    whole_ = whole_ && is_reached(owner);
    write_text(records_.program_.functions[owner].name);
  }

  void write(const Claim& claim) {
    const auto& [kind, function, at, side, about] = claim.id;
    write_number(static_cast<std::uint64_t>(kind));
    write_text(function);
    const std::optional<Place> place = records_.place_of(at);
    whole_ = whole_ && place;
    if (!place) return;
    write_owner(place->owner);
    write_number(place->begin);
    write_number(place->end);
    write_number(static_cast<std::uint64_t>(side));
    write_list(about, [&](const std::string& name) { write_text(name); });
    write_number(claim.obligations);
    write_number(claim.resource);
    write_number(claim.hardest);
    write_text(claim.situation);
  }
  void write(const Cost& cost) {
    write_number(cost.obligations);
    write_number(cost.plain);
    write_number(cost.hardest);
  }
  void write(const LoopFacts& met) {
    const auto& [loop, of_both, of_one, facts] = met;
    const Loop& which = records_.loops_[loop.value];
    whole_ = whole_ && which.owner.valid();
    if (!which.owner.valid()) return;
    write_owner(which.owner);
    write_number(which.number);
    write_number(of_both);
    write_number(of_one);
    write_list(facts, [&](const LoopFacts::Fact& fact) {
      const auto& [relational, text, implied] = fact;
      write_number(relational);
      write_text(text);
      write_number(implied);
    });
  }

  // What the function does not reach may change without its fingerprint.
  [[nodiscard]] bool is_reached(core::FunctionId id) {
    if (id == function_) return true;
    if (reached_.empty()) reached_ = core::find_reached(records_.program_, {function_});
    return reached_[id.value];
  }

  const Records& records_;
  core::FunctionId function_;
  std::vector<bool> reached_;  // by function; empty: nobody asked yet
  std::string out_;
  bool whole_ = true;
};

// Whatever is not as it was written is no record.
class Records::Reader {
 public:
  Reader(const Records& records, std::string_view text) : records_(records), rest_(text) {}

  std::optional<Done> read() {
    Done done;
    read_list(done.settled.claims, [&] { return read_claim(); });
    done.settled.cost = read_cost();
    done.trusted = {read_number(), read_number(), read_number(), read_number()};
    read_list(done.loops, [&] { return read_loop(); });
    done.candidates = read_number();
    done.rounds = static_cast<unsigned>(read_number());
    if (!right_ || !rest_.empty()) return std::nullopt;
    return done;
  }

 private:
  std::size_t read_number() {
    std::size_t number = 0;
    const char* end = rest_.data() + rest_.size();
    const auto [at, error] = std::from_chars(rest_.data(), end, number);
    if (error != std::errc() || at == end || *at != ' ') {
      right_ = false;
      return 0;
    }
    rest_.remove_prefix(static_cast<std::size_t>(at - rest_.data()) + 1);
    return number;
  }
  std::string read_text() {
    const std::size_t size = read_number();
    right_ = right_ && size <= rest_.size();
    if (!right_) return {};
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }
  template <class T, class F>
  void read_list(std::vector<T>& list, const F& read_one) {
    const std::size_t size = read_number();
    right_ = right_ && size <= rest_.size();  // none is shorter than a character
    for (std::size_t i = 0; right_ && i < size; ++i) list.push_back(read_one());
  }
  // Invalid if there is no such function any more.
  core::FunctionId read_owner() {
    const auto it = records_.by_name_.find(read_text());
    right_ = right_ && it != records_.by_name_.end();
    return right_ ? it->second : core::FunctionId{};
  }
  Span read_place() {
    const core::FunctionId owner = read_owner();
    const std::size_t begin = read_number(), end = read_number();
    if (!right_) return {};
    const Span& ground = records_.grounds_[owner.value];
    right_ = begin <= end && end <= ground.end - ground.begin;
    if (!right_) return {};
    return {ground.file, ground.begin + static_cast<std::uint32_t>(begin),
            ground.begin + static_cast<std::uint32_t>(end)};
  }

  Claim read_claim() {
    Claim claim{{static_cast<core::ClaimKind>(read_number()), read_text(), {}}};
    claim.id.at = read_place();
    claim.id.side = static_cast<core::Side>(read_number());
    read_list(claim.id.about, [&] { return read_text(); });
    claim.obligations = read_number();
    claim.resource = read_number();
    claim.hardest = read_number();
    claim.situation = read_text();
    claim.status = Status::Proved;
    return claim;
  }
  Cost read_cost() {
    Cost cost;
    cost.obligations = read_number();
    cost.plain = read_number();
    cost.hardest = read_number();
    cost.cached = cost.asked();
    return cost;
  }
  LoopFacts read_loop() {
    LoopFacts met{};
    const core::FunctionId owner = read_owner();
    const std::size_t number = read_number();
    met.of_both = read_number() != 0;
    met.of_one = read_number() != 0;
    read_list(met.facts, [&] {
      const bool relational = read_number() != 0;
      std::string text = read_text();
      return LoopFacts::Fact{relational, std::move(text), read_number() != 0};
    });
    right_ = right_ && number < records_.loops_in_[owner.value].size();
    if (right_) met.loop = records_.loops_in_[owner.value][number];
    return met;
  }

  const Records& records_;
  std::string_view rest_;
  bool right_ = true;
};

Records::Records(const core::Program& program, engine::Cache* cache, const std::string& code,
                 const std::string& manner)
    : program_(program), cache_(cache), manner_(code + "\n" + manner) {
  if (cache == nullptr || code.empty()) return;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i)
    if (!by_name_.emplace(program.functions[core::FunctionId{i}].name, core::FunctionId{i}).second)
      return;  // a name would not say which
  fingerprints_ = core::find_fingerprints(program, engine::digest);
  grounds_ = core::find_grounds(program);
  for (std::uint32_t i = 0; i < grounds_.size(); ++i)
    if (grounds_[i].begin < grounds_[i].end) in_order_.push_back(core::FunctionId{i});
  std::sort(in_order_.begin(), in_order_.end(), [&](core::FunctionId a, core::FunctionId b) {
    const Span &x = grounds_[a.value], &y = grounds_[b.value];
    return std::tuple(x.file, x.begin) < std::tuple(y.file, y.begin);
  });
  number_loops();
}

void Records::number_loops() {
  loops_.resize(program_.loops.size());
  loops_in_.resize(program_.functions.size());
  for (std::uint32_t i = 0; i < program_.functions.size(); ++i)
    core::for_each_statement(program_, program_.functions[core::FunctionId{i}].body,
                             [&](core::StmtId id) {
                               const auto* s = std::get_if<core::While>(&program_.stmts[id].node);
                               if (s == nullptr || loops_[s->loop.value].owner.valid()) return;
                               loops_[s->loop.value] = {core::FunctionId{i}, loops_in_[i].size()};
                               loops_in_[i].push_back(s->loop);
                             });
}

std::string Records::key_of(core::FunctionId id, const std::string& solver, bool any_state) const {
  return engine::digest(fmt::format("leto record\n{}\n{}:{}\n{}\n{}", manner_, solver.size(),
                                    solver, any_state, fingerprints_[id.value]));
}

std::optional<Records::Place> Records::place_of(const Span& at) const {
  auto it = std::upper_bound(
      in_order_.begin(), in_order_.end(), at, [&](const Span& span, core::FunctionId f) {
        const Span& ground = grounds_[f.value];
        return std::tuple(span.file, span.begin) < std::tuple(ground.file, ground.begin);
      });
  if (it == in_order_.begin()) return std::nullopt;
  const core::FunctionId owner = *--it;
  const Span& ground = grounds_[owner.value];
  if (at.file != ground.file || at.begin > at.end || at.end > ground.end) return std::nullopt;
  return Place{owner, at.begin - ground.begin, at.end - ground.begin};
}

std::optional<Done> Records::find(core::FunctionId id, const std::string& solver,
                                  bool any_state) const {
  if (!are_kept()) return std::nullopt;
  const std::optional<std::string> record = cache_->find_record(key_of(id, solver, any_state));
  if (!record) return std::nullopt;
  return Reader(*this, *record).read();
}

void Records::keep(core::FunctionId id, const std::string& solver, bool any_state,
                   const Done& done) const {
  if (!are_kept() || done.troubled || !done.is_proved()) return;
  Writer writer(*this, id);
  writer.write(done);
  if (const std::optional<std::string> record = writer.take())
    cache_->keep_record(key_of(id, solver, any_state), *record);
}

}  // namespace leto::prove

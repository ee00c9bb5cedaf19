#include "interp/results.h"

namespace leto::interp {

namespace {

constexpr std::size_t kMostKnown = 2'000'000;
constexpr std::size_t kLongest = 1000;  // of a number, in machine words

}  // namespace

std::size_t Results::Hash::operator()(const Key& key) const {
  std::size_t h = key.definition.value;
  for (const Array* array : key.arrays) h = h * 1000003 + std::hash<const void*>{}(array);
  for (const Number& n : key.numbers)
    h = h * 1000003 + std::hash<std::int64_t>{}(n.small().value_or(-1));
  return h;
}

Results::Key Results::key_of(const Given& given) {
  Key key{given.definition, {}, {}};
  for (const Value& arg : given.args) {
    if (arg.array)
      key.arrays.push_back(arg.array.get());
    else
      key.numbers.push_back(arg.scalar);
  }
  return key;
}

Number Results::find(const Evaluator& evaluator, core::ExprId used, Given given,
                     const Scope& scope) {
  if (is_waiting()) return 0;
  const auto known = known_.find(key_of(given));
  if (known != known_.end()) {
    if (!known->second.value) throw Undecidable{used, {}};  // it needs itself
    return *known->second.value;
  }
  if (computing_) {
    waiting_ = std::move(given);
    return 0;
  }
  if (known_.size() > kMostKnown) {
    known_.clear();
    made_.clear();
  }
  computing_ = true;
  try {
    Number found = compute(evaluator, used, std::move(given), scope);
    computing_ = false;
    return found;
  } catch (...) {
    computing_ = false;
    waiting_.reset();
    known_.clear();  // some were being found
    throw;
  }
}

std::optional<Results> Results::begin_nested() const {
  constexpr unsigned kDeepest = 40;
  if (depth_ >= kDeepest || left_ < 100) return std::nullopt;
  Results inner(left_ / 2);
  inner.depth_ = depth_ + 1;
  return inner;
}

std::shared_ptr<Array> Results::intern(std::shared_ptr<Array> made) {
  std::size_t h = made->elements.size();
  for (const Number& n : made->elements)
    h = h * 1000003 + std::hash<std::int64_t>{}(n.small().value_or(-1));
  const auto [begin, end] = made_.equal_range(h);
  for (auto it = begin; it != end; ++it)
    if (it->second->sizes == made->sizes && it->second->elements == made->elements)
      return it->second;
  return made_.emplace(h, std::move(made))->second;
}

void Results::open(Given given, std::vector<Given>& stack) {
  Entry& entry = known_[key_of(given)];
  for (const Value& arg : given.args)
    if (arg.array) entry.kept.push_back(arg.array);
  stack.push_back(std::move(given));
}

// What a body needs and is not there yet is found first; then the body is looked at again.
Number Results::compute(const Evaluator& evaluator, core::ExprId used, Given given,
                        const Scope& scope) {
  std::vector<Given> stack;
  open(std::move(given), stack);
  Number found;
  while (!stack.empty()) {
    if (left_ == 0 || !scope.now.spend() || evaluator.is_spent()) throw Undecidable{used, {}};
    --left_;
    const Given now = stack.back();
    Scope inside{scope.now, scope.open, nullptr, {}, {}, this, &now};
    try {
      found = evaluator.meaning_of(used, now, inside);
    } catch (const Undecidable&) {
      if (!waiting_) throw;  // else it rests on what is not there yet
    }
    if (waiting_) {
      Given next = std::move(*waiting_);
      waiting_.reset();
      open(std::move(next), stack);
      continue;
    }
    if (found.length() > kLongest) throw Undecidable{used, {}};
    known_.at(key_of(now)).value = found;
    stack.pop_back();
  }
  return found;
}

}  // namespace leto::interp

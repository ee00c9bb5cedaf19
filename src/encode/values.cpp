#include "encode/values.h"

#include <algorithm>

namespace leto::encode {

std::size_t Values::index_of(std::uint32_t number) const {
  const auto it = std::lower_bound(pieces_.begin(), pieces_.end(), number,
                                   [](const Piece& p, std::uint32_t n) { return p.number < n; });
  return static_cast<std::size_t>(it - pieces_.begin());
}

const Value* Values::find(core::VarId var) const {
  const std::uint32_t number = var.value / kSize;
  const std::size_t index = index_of(number);
  if (index == pieces_.size() || pieces_[index].number != number) return nullptr;
  const std::optional<Value>& place = (*pieces_[index].places)[var.value % kSize];
  return place ? &*place : nullptr;
}

const Value& Values::at(core::VarId var) const {
  const Value* found = find(var);
  LETO_ASSERT(found != nullptr);
  return *found;
}

// Whoever writes has a piece of his own. One that nobody else has is his already.
Values::Places& Values::own(std::size_t index) {
  std::shared_ptr<Places>& places = pieces_[index].places;
  if (places.use_count() > 1) places = std::make_shared<Places>(*places);
  return *places;
}

Value& Values::operator[](core::VarId var) {
  const std::uint32_t number = var.value / kSize;
  const std::size_t index = index_of(number);
  if (index == pieces_.size() || pieces_[index].number != number)
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(index),
                   {number, std::make_shared<Places>()});
  std::optional<Value>& place = own(index)[var.value % kSize];
  if (!place) place.emplace();
  return *place;
}

void Values::erase(core::VarId var) {
  if (contains(var)) own(index_of(var.value / kSize))[var.value % kSize].reset();
}

Values::Iterator::Item Values::Iterator::operator*() const {
  const Piece& piece = values_.pieces_[piece_];
  return {core::VarId{piece.number * kSize + static_cast<std::uint32_t>(place_)},
          *(*piece.places)[place_]};
}

void Values::Iterator::skip() {
  for (; piece_ < values_.pieces_.size(); ++piece_, place_ = 0)
    for (; place_ < kSize; ++place_)
      if ((*values_.pieces_[piece_].places)[place_]) return;
}

}  // namespace leto::encode

#include "interp/state.h"

namespace leto::interp {

void Variables::resize(std::size_t size) {
  blocks_.assign((size + kBlock - 1) / kBlock, std::make_shared<Block>());
  size_ = size;
}

Variables Variables::duplicate() const {
  Variables out = *this;
  for (std::shared_ptr<Block>& block : out.blocks_) block = std::make_shared<Block>(*block);
  return out;
}

void Variables::set_all(const Variables& other) {
  LETO_ASSERT(size_ == other.size_);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    // Nobody refers to anything in a block that is shared.
    if (blocks_[k].use_count() > 1)
      blocks_[k] = other.blocks_[k];
    else
      *blocks_[k] = *other.blocks_[k];
  }
}

}  // namespace leto::interp

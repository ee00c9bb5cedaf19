// One function made of several, one for each kind of node. std::visit with it does not compile
// until every kind is named: an analysis cannot pass over a kind that was added later.
#pragma once

namespace leto {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

}  // namespace leto

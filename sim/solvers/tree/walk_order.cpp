#include <cmath>
#include <numeric>

#include "sim/core/parallel.h"
#include "sim/core/radix_sort.h"
#include "sim/core/random.h"
#include "sim/solvers/tree/body_walk.h"
#include "sim/solvers/tree/key_cube.h"

namespace pericenter {
namespace {

/// Sort keys of the walk orders.
template <class Real, int Dim>
class OrderKeys {
 public:
  OrderKeys(const TreeView<Real, Dim>& tree, Order order)
      : tree_(tree),
        order_(order),
        grid_(cube_of(tree.bounds[0])),
        side_(static_cast<std::uint64_t>(std::ceil(std::pow(static_cast<double>(tree.mass.size()), 1.0 / Dim)))) {}

  /// Key of body `i` of the tree, whose input index is `original`.
  std::uint64_t operator()(std::size_t i, std::uint32_t original) const {
    if (order_ == Order::none) return 0;
    if (order_ == Order::shuffled) return Random(0, original).next() >> 32;
    Real position[Dim];
    for (int k = 0; k < Dim; ++k) position[k] = tree_.position[k][i];
    std::uint32_t cell[Dim] = {};
    grid_.find_cell(position, cell);
    std::uint64_t key = 0;
    for (int k = Dim - 1; k >= 0; --k) key = key * side_ + (cell[k] * side_ >> kKeyLevels<Dim>);
    return key;
  }

 private:
  static KeyCube<Dim> cube_of(const Bounds<Real, Dim>& bounds) {
    CoordinateRanges<Dim> ranges;
    for (int k = 0; k < Dim; ++k) ranges[k] = {static_cast<double>(bounds.low[k]), static_cast<double>(bounds.high[k])};
    return cube_around<Dim>(ranges, ranges);
  }

  const TreeView<Real, Dim>& tree_;
  const Order order_;
  const KeyGrid<Dim> grid_;
  const std::uint64_t side_;  ///< cells per side of the regular grid
};

}  // namespace

template <class Real, int Dim>
std::vector<std::uint32_t> walk_order(const TreeView<Real, Dim>& tree, const std::vector<std::uint32_t>& original,
                                      Order order) {
  std::vector<std::uint32_t> walks(original.size());
  if (walks.empty()) return walks;
  if (order == Order::tree || order == Order::morton) {
    std::iota(walks.begin(), walks.end(), 0u);
    return walks;
  }
  std::vector<KeyIndex> items(walks.size()), scratch;
  const OrderKeys<Real, Dim> key(tree, order);
  parallel_chunks(0, walks.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      // In input order, which the stable sort preserves among equal keys.
      const std::uint32_t place = original[i];
      items[place] = {key(i, place), static_cast<std::uint32_t>(i)};
    }
  });
  if (order != Order::none) radix_sort(items, scratch);
  for (std::size_t i = 0; i < walks.size(); ++i) walks[i] = items[i].index;
  return walks;
}

#define PERICENTER_INSTANTIATE(Real, Dim) \
  template std::vector<std::uint32_t> walk_order(const TreeView<Real, Dim>&, const std::vector<std::uint32_t>&, Order);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter

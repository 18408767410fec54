#include "sim/solvers/octree_builder.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/morton.h"

namespace pericenter {
namespace {

/// Bodies or nodes of one task in loops that do little with each.
constexpr std::size_t kChunk = 2048;

template <class Function>
void parallel_chunks(std::size_t begin, std::size_t end, const Function& function) {
  tbb::parallel_for(std::size_t(0), (end - begin + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t first = begin + chunk * kChunk;
    function(first, std::min(first + kChunk, end));
  });
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

template <class Real>
Range full_range(const std::vector<Real>& x) {
  std::vector<Range> partial((x.size() + kChunk - 1) / kChunk);
  parallel_chunks(0, x.size(), [&](std::size_t first, std::size_t last) {
    Range range;
    for (std::size_t i = first; i < last; ++i) {
      if (std::isfinite(x[i])) range.add(std::clamp(x[i], -kFarthest<Real>, kFarthest<Real>));
    }
    partial[first / kChunk] = range;
  });
  Range range;
  for (const Range& part : partial) {
    range.low = std::min(range.low, part.low);
    range.high = std::max(range.high, part.high);
  }
  return range;
}

/// Where most bodies are: the middle 96 % of a sample.
template <class Real>
Range inner_range(const std::vector<Real>& x) {
  std::vector<double> sample;
  const std::size_t stride = std::max<std::size_t>(1, x.size() / 1024);
  for (std::size_t i = 0; i < x.size(); i += stride) {
    if (std::isfinite(x[i])) sample.push_back(static_cast<double>(x[i]));
  }
  if (sample.empty()) return {};
  std::sort(sample.begin(), sample.end());
  return {sample[sample.size() / 50], sample[sample.size() - 1 - sample.size() / 50]};
}

}  // namespace

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::build(const BodyArrays<Real, Dim>& bodies, Real gravity, StageTimings& timings) {
  {
    const StageClock clock(timings, Stage::bounds);
    find_cube(bodies);
  }
  {
    const StageClock clock(timings, Stage::keys);
    make_keys(bodies);
  }
  {
    const StageClock clock(timings, Stage::sort);
    radix_sort(order_, sort_scratch_);
    gather(bodies, gravity);
  }
  {
    const StageClock clock(timings, Stage::build);
    link();
  }
  const StageClock clock(timings, Stage::moments);
  make_moments();
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::find_cube(const BodyArrays<Real, Dim>& bodies) {
  // A few far bodies must not squeeze all others into one cell: the cube then holds the bulk, and they sit at its
  // border.
  constexpr double kOutlying = 1 << 14, kMargin = 64;
  std::array<Range, Dim> ranges;
  double side = 0, inner_side = 0;
  std::array<Range, Dim> inner;
  for (int k = 0; k < Dim; ++k) {
    ranges[k] = full_range(bodies.position[k]);
    inner[k] = inner_range(bodies.position[k]);
    side = std::max(side, ranges[k].high - ranges[k].low);
    inner_side = std::max(inner_side, inner[k].high - inner[k].low);
  }
  if (inner_side > 0 && side > kOutlying * inner_side) {
    ranges = inner;
    side = kMargin * inner_side;
  }
  if (!(side > 0)) side = 1;
  // A little wider, so that the last body falls into the last cell and not beyond it.
  cube_side_ = side * (1 + 1e-9);
  for (int k = 0; k < Dim; ++k) {
    const double middle = ranges[k].low <= ranges[k].high ? (ranges[k].low + ranges[k].high) / 2 : 0;
    cube_low_[k] = middle - cube_side_ / 2;
  }
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::make_keys(const BodyArrays<Real, Dim>& bodies) {
  order_.resize(bodies.size());
  constexpr double kCells = static_cast<double>(std::uint64_t(1) << kKeyLevels<Dim>);
  const double scale = kCells / cube_side_;
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::uint32_t cell[Dim];
      for (int k = 0; k < Dim; ++k) {
        const double x = (static_cast<double>(bodies.position[k][i]) - cube_low_[k]) * scale;
        cell[k] = static_cast<std::uint32_t>(x >= 0 ? std::min(x, kCells - 1) : 0.0);
      }
      order_[i] = {morton_key<Dim>(cell), static_cast<std::uint32_t>(i)};
    }
  });
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::gather(const BodyArrays<Real, Dim>& bodies, Real gravity) {
  for (auto& component : position_) component.resize(bodies.size());
  mass_.resize(bodies.size());
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Source<Real, Dim> source = source_of(bodies, order_[i].index, gravity);
      for (int k = 0; k < Dim; ++k) position_[k][i] = source.position[k];
      mass_[i] = source.mass;
    }
  });
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::link() {
  nodes_.clear();
  levels_.assign(1, 0);
  generations_.assign(1, 0);
  if (order_.empty()) return;
  nodes_.push_back({{}, 0, 0, kNoNode, 0, static_cast<std::uint32_t>(order_.size())});
  for (std::size_t first = 0; first < nodes_.size();) {
    const std::size_t last = nodes_.size();
    generations_.push_back(last);
    split_generation(first, last);
    first = last;
  }
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::split_generation(std::size_t first, std::size_t last) {
  constexpr unsigned kChildren = 1u << Dim;
  using Ends = std::array<std::uint32_t, kChildren>;
  struct Split {
    Ends ends;
    std::uint8_t children = 0, level = 0;
  };
  std::vector<Split> splits(last - first);
  parallel_chunks(first, last, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const TreeNode<Real, Dim>& node = nodes_[i];
      const int level = common_level<Dim>(order_[node.begin].key, order_[node.end - 1].key);
      if (node.end - node.begin <= leaf_size_ || level == kKeyLevels<Dim>) continue;
      Split& split = splits[i - first];
      split.level = static_cast<std::uint8_t>(level);
      std::uint32_t at = node.begin;
      for (unsigned child = 0; child < kChildren; ++child) {
        const auto after =
            std::partition_point(order_.begin() + at, order_.begin() + node.end,
                                 [&](const KeyIndex& item) { return morton_digit<Dim>(item.key, level) <= child; });
        const auto child_end = static_cast<std::uint32_t>(after - order_.begin());
        if (child_end > at) ++split.children;
        split.ends[child] = at = child_end;
      }
    }
  });
  std::size_t total = last;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t children = splits[i - first].children;
    nodes_[i].first_child = children > 0 ? static_cast<std::uint32_t>(total) : 0;
    total += children;
  }
  nodes_.resize(total);
  levels_.resize(total);
  parallel_chunks(first, last, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (nodes_[i].first_child == 0) continue;
      std::uint32_t child = nodes_[i].first_child, at = nodes_[i].begin;
      for (const std::uint32_t child_end : splits[i - first].ends) {
        if (child_end == at) continue;
        levels_[child] = static_cast<std::uint8_t>(splits[i - first].level + 1);
        nodes_[child] = {{}, 0, 0, child + 1, at, child_end};
        at = child_end;
        ++child;
      }
      nodes_[child - 1].next = nodes_[i].next;
    }
  });
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::make_moments() {
  moments_.resize(nodes_.size());
  bounds_.resize(nodes_.size());
  for (std::size_t generation = generations_.size() - 1; generation > 0; --generation) {
    parallel_chunks(generations_[generation - 1], generations_[generation], [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto node = static_cast<std::uint32_t>(i);
        nodes_[i].first_child == 0 ? leaf_moments(node) : inner_moments(node);
      }
    });
  }
}

namespace {

/// Mass, centre of mass and second moments of point masses or cells that are added one by one; in doubles.
template <int Dim>
struct MomentSums {
  double mass = 0;
  double first[Dim] = {};
  double second[kMomentCount<Dim>] = {};

  void add_mass(double m, const double (&x)[Dim]) {
    mass += m;
    for (int k = 0; k < Dim; ++k) first[k] += m * x[k];
  }
  /// `x` relative to the centre of mass.
  void add_second(double m, const double (&x)[Dim]) {
    int at = 0;
    for (int i = 0; i < Dim; ++i) {
      for (int j = i; j < Dim; ++j) second[at++] += 3 * m * x[i] * x[j];
    }
  }
};

/// Centre of mass, or the middle of the bounds when there is no mass or all bodies coincide: there it must be exact.
template <class Real, int Dim>
void set_center(TreeNode<Real, Dim>& node, const Bounds<Real, Dim>& bounds, const MomentSums<Dim>& sums) {
  node.size = 0;
  for (int k = 0; k < Dim; ++k) node.size = std::max(node.size, bounds.high[k] - bounds.low[k]);
  for (int k = 0; k < Dim; ++k) {
    const bool massive = sums.mass != 0 && node.size > 0;
    node.center_of_mass[k] =
        massive ? static_cast<Real>(sums.first[k] / sums.mass) : bounds.low[k] + (bounds.high[k] - bounds.low[k]) / 2;
  }
}

}  // namespace

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::leaf_moments(std::uint32_t index) {
  TreeNode<Real, Dim>& node = nodes_[index];
  Bounds<Real, Dim>& bounds = bounds_[index];
  MomentSums<Dim> sums;
  for (int k = 0; k < Dim; ++k) bounds.low[k] = bounds.high[k] = position_[k][node.begin];
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) {
      bounds.low[k] = std::min(bounds.low[k], position_[k][i]);
      bounds.high[k] = std::max(bounds.high[k], position_[k][i]);
      x[k] = static_cast<double>(position_[k][i]);
    }
    sums.add_mass(static_cast<double>(mass_[i]), x);
  }
  set_center(node, bounds, sums);
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) x[k] = static_cast<double>(position_[k][i] - node.center_of_mass[k]);
    sums.add_second(static_cast<double>(mass_[i]), x);
  }
  moments_[index].mass = static_cast<Real>(sums.mass);
  for (int k = 0; k < kMomentCount<Dim>; ++k) moments_[index].moment[k] = static_cast<Real>(sums.second[k]);
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::inner_moments(std::uint32_t index) {
  TreeNode<Real, Dim>& node = nodes_[index];
  Bounds<Real, Dim>& bounds = bounds_[index];
  MomentSums<Dim> sums;
  bounds = bounds_[node.first_child];
  for (std::uint32_t child = node.first_child; child != node.next; child = nodes_[child].next) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) {
      bounds.low[k] = std::min(bounds.low[k], bounds_[child].low[k]);
      bounds.high[k] = std::max(bounds.high[k], bounds_[child].high[k]);
      x[k] = static_cast<double>(nodes_[child].center_of_mass[k]);
    }
    sums.add_mass(static_cast<double>(moments_[child].mass), x);
  }
  set_center(node, bounds, sums);
  for (std::uint32_t child = node.first_child; child != node.next; child = nodes_[child].next) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) x[k] = static_cast<double>(nodes_[child].center_of_mass[k] - node.center_of_mass[k]);
    sums.add_second(static_cast<double>(moments_[child].mass), x);
    for (int k = 0; k < kMomentCount<Dim>; ++k) sums.second[k] += static_cast<double>(moments_[child].moment[k]);
  }
  moments_[index].mass = static_cast<Real>(sums.mass);
  for (int k = 0; k < kMomentCount<Dim>; ++k) moments_[index].moment[k] = static_cast<Real>(sums.second[k]);
}

template <class Real, int Dim>
TreeView<Real, Dim> OctreeBuilder<Real, Dim>::view() const {
  TreeView<Real, Dim> view{nodes_, moments_, bounds_, {}, mass_};
  for (int k = 0; k < Dim; ++k) view.position[k] = position_[k];
  return view;
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::boxes(int first_level, int last_level, std::size_t limit,
                                     std::vector<TreeBox>& out) const {
  for (std::size_t i = 0; i < nodes_.size() && limit > 0; ++i) {
    const int level = levels_[i];
    if (level < first_level || level > last_level) continue;
    const std::uint64_t key = order_[nodes_[i].begin].key;
    TreeBox box;
    box.level = level;
    const double side = std::ldexp(cube_side_, -level);
    box.half_width = static_cast<float>(side / 2);
    for (int k = 0; k < Dim; ++k) {
      const std::uint64_t cell = gather_bits<Dim>(key >> (Dim - 1 - k)) >> (kKeyLevels<Dim> - level);
      box.center[k] = static_cast<float>(cube_low_[k] + (static_cast<double>(cell) + 0.5) * side);
    }
    out.push_back(box);
    --limit;
  }
}

template <class Real, int Dim>
int OctreeBuilder<Real, Dim>::levels() const {
  return nodes_.empty() ? 0 : 1 + *std::max_element(levels_.begin(), levels_.end());
}

template class OctreeBuilder<float, 2>;
template class OctreeBuilder<float, 3>;
template class OctreeBuilder<double, 2>;
template class OctreeBuilder<double, 3>;

}  // namespace pericenter

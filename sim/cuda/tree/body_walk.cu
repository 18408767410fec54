#include "sim/cuda/tree/body_walk.cuh"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "sim/cuda/kernels/warp.cuh"

namespace pericenter {
namespace {

/// Threads per block.
constexpr unsigned kWalkThreads = 128;

/// Loads of 16 bytes through the read-only cache.
template <class T>
__device__ __forceinline__ T read_only(const T* from) {
  static_assert(alignof(T) % sizeof(uint4) == 0 && sizeof(T) % sizeof(uint4) == 0);
  constexpr unsigned kWords = sizeof(T) / sizeof(uint4);
  uint4 words[kWords];
  for (unsigned k = 0; k < kWords; ++k) words[k] = __ldg(reinterpret_cast<const uint4*>(from) + k);
  T value;
  std::memcpy(&value, words, sizeof(T));
  return value;
}

/// Writes the padding as zeros too, because read_only() loads it.
template <class Real>
__device__ void write_whole(WalkNode<Real>* to, const WalkNode<Real>& node) {
  constexpr unsigned kWords = sizeof(node) / sizeof(uint4);
  uint4 words[kWords] = {};
  std::memcpy(words, &node, offsetof(WalkNode<Real>, bodies) + sizeof(node.bodies));
  for (unsigned k = 0; k < kWords; ++k) reinterpret_cast<uint4*>(to)[k] = words[k];
}

/// Node after the subtree of `node`.
__device__ std::uint32_t next_of(const NodeLinks* links, std::uint32_t node) {
  for (;;) {
    const std::uint32_t parent = links[node].parent;
    if (parent == kNoNode) return kNoNode;
    const std::uint32_t run = links[parent].children;
    if (node + 1 < run_first(run) + run_size(run)) return node + 1;
    node = parent;
  }
}

template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    walk_nodes_kernel(const DeviceTree<Real> tree, double theta, WalkNode<Real>* nodes) {
  const std::uint32_t count = nodes_before(*tree.status, kMaxGenerations);
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const Vec4<Real> center = tree.center[i];
    const Real position[3] = {center.x, center.y, center.z};
    const NodeLinks links = tree.links[i];
    const bool leaf = links.children == 0;
    const WalkNode<Real> node{center.x,
                              center.y,
                              center.z,
                              tree.moments[i].mass,
                              opening_squared(position, tree.bounds[i], center.w, theta),
                              leaf ? links.begin : run_first(links.children),
                              next_of(tree.links, i),
                              leaf ? links.end - links.begin : 0};
    write_whole(nodes + i, node);
  }
}

/// Uses links to children and parents only.
class ClimbPath {
 public:
  __device__ explicit ClimbPath(const NodeLinks* links) : links_(links) {}

  __device__ std::uint32_t down(std::uint32_t node, std::uint32_t first) {
    parent_ = node;
    end_ = first + run_size(read_only(links_ + node).children);
    return first;
  }
  __device__ std::uint32_t past(std::uint32_t node, std::uint32_t) {
    while (++node == end_) {
      node = parent_;
      if (node == kNoNode) break;
      parent_ = read_only(links_ + node).parent;
      end_ = 1;
      if (parent_ == kNoNode) continue;
      const std::uint32_t run = read_only(links_ + parent_).children;
      end_ = run_first(run) + run_size(run);
    }
    return node;
  }

 private:
  const NodeLinks* links_;
  std::uint32_t parent_ = kNoNode;  ///< parent of the current node
  std::uint32_t end_ = 1;           ///< end of the current node and its siblings
};

/// Uses a stack of the nodes still to visit.
class StackPath {
 public:
  __device__ explicit StackPath(const NodeLinks* links) : links_(links) {}

  __device__ std::uint32_t down(std::uint32_t node, std::uint32_t first) {
    const std::uint32_t last = first + run_size(read_only(links_ + node).children) - 1;
    for (std::uint32_t child = last; child > first; --child) stack_[size_++] = child;
    return first;
  }
  __device__ std::uint32_t past(std::uint32_t, std::uint32_t) { return size_ > 0 ? stack_[--size_] : kNoNode; }

 private:
  // Each step down leaves all children but one on the stack: three in 2D, seven in 3D, one in a binary hierarchy.
  static constexpr unsigned kRoom = std::max({3u * kKeyLevels<2>, 7u * kKeyLevels<3>, 1u * kMaxGenerations - 1});

  const NodeLinks* links_;
  unsigned size_ = 0;
  std::uint32_t stack_[kRoom];
};

/// Selects the walk in which the lanes of a warp walk together.
struct WarpPath {};
/// Selects the one in which they also open nodes together.
struct VotePath {};

/// Loads from the arrays of a tree.
template <class Real>
struct TreeData {
  template <class F>
  __device__ __forceinline__ void for_each_body(std::uint32_t first, std::uint32_t count, const F& f) const {
    for (std::uint32_t i = 0; i < count; ++i) f(read_only(task.body + first + i));
  }
  __device__ __forceinline__ CellMoments<Real> moments_at(std::uint32_t i) const { return read_only(task.moments + i); }
  const BodyWalkTask<Real>& task;
};

/// The lanes of a warp visit every node that any of them needs; the others are masked until the walk has passed the
/// subtree. Returns the number of visits.
template <class Walker, class Real>
__device__ __forceinline__ std::uint32_t walk_together(const BodyWalkTask<Real>& task, Walker& walker) {
  std::uint32_t steps = 0, wakes_at = walker.walks() ? 0 : kNoNode;
  for (std::uint32_t at = __any_sync(kAllLanes, walker.walks()) ? 0 : kNoNode; at != kNoNode; ++steps) {
    const WalkNode<Real> node = read_only(task.nodes + at);
    bool opens = false;
    if (wakes_at == at) {
      opens = walker.visit(node, walker.must_open(node.center(), node.opening), TreeData<Real>{task}, at);
      wakes_at = opens ? node.first : node.next;
    }
    at = __any_sync(kAllLanes, opens) ? node.first : node.next;
  }
  return steps;
}

/// All lanes of a warp open a node if one of them must, and all add it otherwise, so no lane is masked (M. Burtscher,
/// K. Pingali 2011, doi:10.1016/B978-0-12-384988-5.00006-1; GASPHiA, Ye 2026). Returns the number of visits.
template <class Walker, class Real>
__device__ __forceinline__ std::uint32_t walk_voting(const BodyWalkTask<Real>& task, Walker& walker) {
  std::uint32_t steps = 0;
  for (std::uint32_t at = __any_sync(kAllLanes, walker.walks()) ? 0 : kNoNode; at != kNoNode; ++steps) {
    const WalkNode<Real> node = read_only(task.nodes + at);
    const bool opens = __any_sync(kAllLanes, walker.walks() && walker.must_open(node.center(), node.opening));
    if (walker.walks()) walker.visit(node, opens, TreeData<Real>{task}, at);
    at = opens && node.bodies == 0 ? node.first : node.next;
  }
  return steps;
}

/// One thread per body.
template <class Path, bool WithPotential, bool Quadrupoles, class Real>
__global__ void __launch_bounds__(kWalkThreads) body_walk_kernel(const BodyWalkTask<Real> task) {
  LaneWalker<WithPotential, Quadrupoles, Real> walker(task.targets, blockIdx.x * kWalkThreads + threadIdx.x);
  std::uint32_t steps = 0;
  if constexpr (std::is_same_v<Path, WarpPath>) {
    steps = walk_together(task, walker);
  } else if constexpr (std::is_same_v<Path, VotePath>) {
    steps = walk_voting(task, walker);
  } else {
    const auto node_at = [&](std::uint32_t i) { return read_only(task.nodes + i); };
    steps = walk_alone(Path(task.links), walker, node_at, TreeData<Real>{task});
  }
  walker.finish(task.targets, steps);
}

template <class Path, class Real>
void enqueue_along(const BodyWalkTask<Real>& task, bool with_potential, cudaStream_t stream) {
  const auto kernel =
      task.moments != nullptr
          ? (with_potential ? body_walk_kernel<Path, true, true, Real> : body_walk_kernel<Path, false, true, Real>)
          : (with_potential ? body_walk_kernel<Path, true, false, Real> : body_walk_kernel<Path, false, false, Real>);
  launch(kernel, per_element(task.targets.bodies.count, kWalkThreads), stream, task);
}

}  // namespace

template <class Real>
void enqueue_walk_nodes(const DeviceTree<Real>& tree, std::uint32_t count, double theta, WalkNode<Real>* nodes,
                        Grid grid, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::moments);
  launch(walk_nodes_kernel<Real>, grid.size(max_nodes(count)), events.stream(), tree, theta, nodes);
}

template <class Real>
void enqueue_body_walk(const BodyWalkTask<Real>& task, Walk kind, bool with_potential, StageEvents& events) {
  const DeviceStageClock clock(events, Stage::walk);
  if (kind == Walk::warp) {
    enqueue_along<WarpPath>(task, with_potential, events.stream());
  } else if (kind == Walk::vote) {
    enqueue_along<VotePath>(task, with_potential, events.stream());
  } else if (kind == Walk::climb) {
    enqueue_along<ClimbPath>(task, with_potential, events.stream());
  } else if (kind == Walk::stack) {
    enqueue_along<StackPath>(task, with_potential, events.stream());
  } else {
    enqueue_along<SkipPath>(task, with_potential, events.stream());
  }
}

#define PERICENTER_INSTANTIATE(Real)                                                                      \
  template void enqueue_walk_nodes(const DeviceTree<Real>&, std::uint32_t, double, WalkNode<Real>*, Grid, \
                                   StageEvents&);                                                         \
  template void enqueue_body_walk(const BodyWalkTask<Real>&, Walk, bool, StageEvents&);
PERICENTER_INSTANTIATE(float)
PERICENTER_INSTANTIATE(double)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter

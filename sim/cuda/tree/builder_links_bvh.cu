#include <bit>

#include "sim/cuda/tree/builder_links_solver.cuh"

namespace pericenter {
namespace {

/// Nodes numbered as in a heap: node 1 is the root, the children of node k are 2k and 2k + 1, and the last level has
/// the bodies in Hilbert order, filled up to a power of two. Nodes without bodies are the last of each level.
template <class Real>
struct HeapLinks {
  const Vec4<Real>* body;  ///< bodies in Hilbert order; w: mass times the gravitational constant
  std::uint32_t count;
  int height;  ///< height of the root

  __host__ __device__ std::uint32_t leaves() const { return 1u << height; }
  /// Nodes with bodies on the level with the first node 2^depth.
  __host__ __device__ std::uint32_t nodes(int depth) const { return ((count - 1) >> (height - depth)) + 1; }
  __device__ bool has_bodies(std::uint32_t node) const {
    return (node << (height - (31 - __clz(static_cast<int>(node))))) - leaves() < count;
  }

  /// The node after a subtree is the next of its level or, if that is a left child, the highest ancestor that starts
  /// there.
  template <class Walker>
  __device__ __forceinline__ void walk(Walker& walker) const {
    for (std::uint32_t node = 1;;) {
      walker.count_visit();
      if (node >= leaves()) {
        walker.add_body(body[node - leaves()]);
      } else if (walker.opens(node)) {
        node *= 2;
        continue;
      }
      ++node;
      node >>= __ffs(static_cast<int>(node)) - 1;
      if (node == 1 || !has_bodies(node)) return;
    }
  }
};

/// Sets the nodes of one level; those of the level below must be complete.
template <class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    heap_level_kernel(const HeapLinks<Real> links, const BuilderLinkNodes<Real> nodes, int depth, double theta) {
  const std::uint32_t last = links.nodes(depth);
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x) {
    const std::uint32_t node = (1u << depth) + i;
    set_node(nodes, node, theta, 0, [&](const auto& add) {
      for (std::uint32_t child = 2 * node; child < 2 * node + 2; ++child) {
        if (!links.has_bodies(child)) continue;
        add(child < links.leaves() ? part_of_node(nodes, child) : part_of_body(links.body[child - links.leaves()]));
      }
    });
  }
}

template <class Real, int Dim>
class BuilderLinkHeap {
 public:
  BuilderLinkHeap(std::byte* block, const BuilderLinkOptions& options, std::size_t count)
      : order_(options.order), memory_(block, count, typename TreeMemory<Real>::Reduced{1}) {
    ArenaLayout cutter(block == nullptr ? nullptr : block + memory_.bytes);
    for (auto& keys : memory_.key) keys = cutter.cut<std::uint64_t>(count);
    nodes_.cut(cutter, std::bit_ceil(std::max<std::size_t>(1, count)), options.quadrupoles);
    bytes = memory_.bytes + cutter.used_bytes();
  }

  std::size_t bytes;

  /// Times Stage::bounds, keys, sort and moments.
  void build(const DeviceBodies<Real>& bodies, const Params& params, Grid grid, StageEvents& events) {
    enqueue_keys<Real, Dim, Curve::hilbert>(memory_, bodies, grid, events);
    const auto gravity = static_cast<Real>(params.gravity);
    enqueue_sort<Real, Dim>(memory_, bodies, gravity, events);
    const DeviceStageClock clock(events, Stage::moments);
    const HeapLinks<Real> heap = links(bodies, gravity);
    count_ = heap.count;
    levels_ = heap.height + 1;
    for (int depth = heap.height - 1; depth >= 0; --depth) {
      launch(heap_level_kernel<Real>, grid.size(heap.nodes(depth)), events.stream(), heap, nodes_, depth, params.theta);
    }
  }

  HeapLinks<Real> links(const DeviceBodies<Real>& bodies, Real) const {
    return {memory_.tree.body, bodies.count, static_cast<int>(std::bit_width(bodies.count - 1))};
  }
  const BuilderLinkNodes<Real>& nodes() const { return nodes_; }
  TreeStatus* status() const { return memory_.tree.status; }
  const std::uint32_t* walk_order() const { return order_ == Order::tree ? memory_.tree.order : nullptr; }

  int levels(const TreeStatus&) const { return levels_; }
  void append_boxes(const TreeStatus& status, const LevelRange& range, std::vector<TreeBox>& out) const;

 private:
  Order order_;
  TreeMemory<Real> memory_;
  BuilderLinkNodes<Real> nodes_;
  std::uint32_t count_ = 0;
  int levels_ = 0;
};

/// Boxes around the bodies of each node.
template <class Real, int Dim>
void BuilderLinkHeap<Real, Dim>::append_boxes(const TreeStatus&, const LevelRange& range,
                                              std::vector<TreeBox>& out) const {
  const HeapLinks<Real> heap{nullptr, count_, levels_ - 1};
  std::size_t left = range.limit;
  for (int level = range.first; level <= range.last; ++level) {
    const auto boxes = std::min<std::size_t>(heap.nodes(level), left);
    left -= boxes;
    if (level < heap.height) {
      for (const auto& box : copied_from_device(nodes_.bounds + (std::size_t(1) << level), boxes)) {
        out.push_back(bounds_box(box, level));
      }
      continue;
    }
    for (const Vec4<Real>& body : copied_from_device(memory_.tree.body, boxes)) {
      out.push_back(bounds_box(Bounds<Real, 3>{{body.x, body.y, body.z}, {body.x, body.y, body.z}}, level));
    }
  }
}

}  // namespace

template <class Real, int Dim>
CudaSolverMaker<Real> bvh_builder_links() {
  using Solver = BuilderLinkSolver<BuilderLinkHeap<Real, Dim>, Real>;
  return {Solver::bytes, Solver::make};
}
template CudaSolverMaker<float> bvh_builder_links<float, 2>();
template CudaSolverMaker<float> bvh_builder_links<float, 3>();
template CudaSolverMaker<double> bvh_builder_links<double, 2>();
template CudaSolverMaker<double> bvh_builder_links<double, 3>();

}  // namespace pericenter

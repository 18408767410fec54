#include "sim/cuda/tree/builder_links_solver.cuh"
#include "sim/cuda/tree/device_insertion.cuh"

namespace pericenter {
namespace {

/// The cells of an InsertionTree. An inner cell is a node with the index of the group of its children; a leaf is a list
/// of bodies in the input arrays.
template <class Real, int Dim>
struct CellLinks {
  using Tree = InsertionTree<Dim>;

  Tree tree;
  const Vec4<Real>* position;  ///< positions of the bodies, in input order
  Real gravity;

  template <class Add>
  __device__ __forceinline__ void for_each_body(std::uint32_t leaf, const Add& add) const {
    for (std::uint32_t body = leaf & ~Tree::kBody; body != Tree::kNoBody; body = tree.next_in_leaf[body]) {
      add(gravity_source(position[body], gravity));
    }
  }

  /// Goes down to the first child, or on to the next sibling, or up to the parent.
  template <class Walker>
  __device__ __forceinline__ void walk(Walker& walker) const {
    constexpr std::uint32_t kLast = (1u << Dim) - 1;
    for (std::uint32_t slot = 0;; ++slot) {
      for (std::uint32_t content = tree.slot[slot];; content = tree.slot[slot]) {
        walker.count_visit();
        if (!Tree::is_group(content)) {
          if (content != Tree::kEmpty) for_each_body(content, [&](const Vec4<Real>& body) { walker.add_body(body); });
          break;
        }
        if (!walker.opens(content)) break;
        slot = Tree::first_slot(content);
      }
      // The last slot of a group is a multiple of its size, as is the root.
      while (slot != 0 && (slot & kLast) == 0) slot = tree.parent[(slot - 1) >> Dim];
      if (slot == 0) return;
    }
  }
};

/// Sorts the list of bodies in a leaf, whose order depends on the threads.
template <int Dim>
__device__ void sort_leaf(const InsertionTree<Dim>& tree, std::uint32_t slot) {
  using Tree = InsertionTree<Dim>;
  const std::uint32_t content = tree.slot[slot];
  if (Tree::is_group(content) || content == Tree::kEmpty) return;
  const std::uint32_t first = content & ~Tree::kBody;
  if (tree.next_in_leaf[first] == Tree::kNoBody) return;
  tree.slot[slot] = Tree::kBody | sorted_list(tree.next_in_leaf, first);
}

/// Ancestors of the cell whose children are `group`.
template <int Dim>
__device__ int level_of(const InsertionTree<Dim>& tree, std::uint32_t group) {
  int level = 0;
  for (; tree.parent[group] != 0; ++level) group = (tree.parent[group] - 1) >> Dim;
  return level;
}

/// Sets all nodes, from groups without child groups to the root, as long as this thread is the last to arrive at a
/// group.
template <int Dim, class Real>
__global__ void __launch_bounds__(Grid::kThreads)
    cell_nodes_kernel(const CellLinks<Real, Dim> links, const BuilderLinkNodes<Real> nodes, std::uint32_t* arrivals,
                      const TreeStatus* status, double theta, bool by_cell) {
  using Tree = InsertionTree<Dim>;
  const Tree& tree = links.tree;
  const std::uint32_t groups = min(*tree.groups_used, tree.groups), stride = gridDim.x * blockDim.x;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread == 0 && groups == 0) sort_leaf(tree, 0);
  for (std::uint32_t first = thread; first < groups; first += stride) {
    if (inner_children(tree, first) > 0) continue;
    double side = by_cell ? ldexp(status->cube_side, -level_of(tree, first)) : 0;
    for (std::uint32_t group = first;; side *= 2) {
      const std::uint32_t slot = Tree::first_slot(group);
      for (unsigned child = 0; child < 1u << Dim; ++child) sort_leaf(tree, slot + child);
      set_node(nodes, group, theta, side, [&](const auto& add) {
        for (unsigned child = 0; child < 1u << Dim; ++child) {
          const std::uint32_t content = tree.slot[slot + child];
          if (Tree::is_group(content)) {
            add(part_of_node(nodes, content));
          } else if (content != Tree::kEmpty) {
            links.for_each_body(content, [&](const Vec4<Real>& body) { add(part_of_body(body)); });
          }
        }
      });
      if (tree.parent[group] == 0) break;
      group = (tree.parent[group] - 1) >> Dim;
      const std::uint32_t before = DeviceAtomic(arrivals[group]).fetch_add(1, cuda::std::memory_order_acq_rel);
      if (before + 1 < inner_children(tree, group)) break;
    }
  }
}

template <class Real, int Dim>
class BuilderLinkCells {
 public:
  BuilderLinkCells(std::byte* block, const BuilderLinkOptions& options, std::size_t count)
      : by_cell_(options.by_cell), memory_(block, 0, typename TreeMemory<Real>::Reduced{1}) {
    const std::size_t groups = insertion_groups(count);
    ArenaLayout cutter(block == nullptr ? nullptr : block + memory_.bytes);
    slots_ = (groups << Dim) + 1;
    tree_.slot = cutter.cut<std::uint32_t>(slots_);
    tree_.parent = cutter.cut<std::uint32_t>(groups);
    tree_.next_in_leaf = cutter.cut<std::uint32_t>(count);
    const std::size_t before_counters = cutter.used_bytes();
    arrivals_ = cutter.cut<std::uint32_t>(groups);
    tree_.groups_used = cutter.cut<std::uint32_t>(1);
    counter_bytes_ = cutter.used_bytes() - before_counters;
    tree_.groups = static_cast<std::uint32_t>(groups);
    tree_.key = memory_.key[0] = cutter.cut<std::uint64_t>(count);
    tree_.depth = kKeyLevels<Dim>;
    // Insertion sets the lists after this array of indices was written.
    memory_.index[0] = tree_.next_in_leaf;
    nodes_.cut(cutter, groups, options.quadrupoles);
    bytes = memory_.bytes + cutter.used_bytes();
  }

  std::size_t bytes;

  /// Times Stage::bounds, keys, build and moments.
  void build(const DeviceBodies<Real>& bodies, const Params& params, Grid grid, StageEvents& events) {
    enqueue_keys<Real, Dim>(memory_, bodies, grid, events);
    const cudaStream_t stream = events.stream();
    {
      const DeviceStageClock clock(events, Stage::build);
      PERICENTER_CUDA_CHECK(cudaMemsetAsync(tree_.slot, 0xFF, slots_ * sizeof(std::uint32_t), stream));
      PERICENTER_CUDA_CHECK(cudaMemsetAsync(arrivals_, 0, counter_bytes_, stream));
      launch(insert_kernel<true, Dim>, grid.size(bodies.count), stream, tree_, bodies.count, status());
    }
    const DeviceStageClock clock(events, Stage::moments);
    launch(cell_nodes_kernel<Dim, Real>, grid.size(tree_.groups), stream,
           links(bodies, static_cast<Real>(params.gravity)), nodes_, arrivals_, status(), params.theta, by_cell_);
  }

  CellLinks<Real, Dim> links(const DeviceBodies<Real>& bodies, Real gravity) const {
    return {tree_, bodies.position, gravity};
  }
  const BuilderLinkNodes<Real>& nodes() const { return nodes_; }
  TreeStatus* status() const { return memory_.tree.status; }
  const std::uint32_t* walk_order() const { return nullptr; }
  int levels(const TreeStatus& status) const { return status.levels; }
  void append_boxes(const TreeStatus& status, const LevelRange& range, std::vector<TreeBox>& out) const;

 private:
  bool by_cell_;
  TreeMemory<Real> memory_;  ///< memory without bodies, for bounds and status
  InsertionTree<Dim> tree_ = {};
  BuilderLinkNodes<Real> nodes_;
  std::uint32_t* arrivals_;  ///< child groups whose nodes are set, for each group
  std::size_t slots_, counter_bytes_;
};

/// The cells with bodies, level by level.
template <class Real, int Dim>
void BuilderLinkCells<Real, Dim>::append_boxes(const TreeStatus& status, const LevelRange& range,
                                               std::vector<TreeBox>& out) const {
  using Tree = InsertionTree<Dim>;
  struct Cell {
    std::uint32_t slot;
    int level;
    std::uint64_t key;
  };
  const std::uint32_t groups = std::min(copied_from_device(tree_.groups_used, 1)[0], tree_.groups);
  const std::vector<std::uint32_t> slot = copied_from_device(tree_.slot, (std::size_t(groups) << Dim) + 1);
  std::vector<Cell> cells = {{0, 0, 0}};
  std::size_t left = range.limit;
  for (std::size_t i = 0; i < cells.size() && left > 0; ++i) {
    const Cell cell = cells[i];
    const std::uint32_t content = slot[cell.slot];
    if (content == Tree::kEmpty || cell.level > range.last) continue;
    if (cell.level >= range.first) {
      out.push_back(cell_box(cube_of<Dim>(status), cell.key, cell.level));
      --left;
    }
    if (!Tree::is_group(content)) continue;
    const int shift = Dim * (kKeyLevels<Dim> - 1 - cell.level);
    for (unsigned child = 0; child < 1u << Dim; ++child) {
      cells.push_back({Tree::first_slot(content) + child, cell.level + 1, cell.key | std::uint64_t(child) << shift});
    }
  }
}

}  // namespace

template <class Real, int Dim>
CudaSolverMaker<Real> concurrent_builder_links() {
  using Solver = BuilderLinkSolver<BuilderLinkCells<Real, Dim>, Real>;
  return {Solver::bytes, Solver::make};
}
template CudaSolverMaker<float> concurrent_builder_links<float, 2>();
template CudaSolverMaker<float> concurrent_builder_links<float, 3>();
template CudaSolverMaker<double> concurrent_builder_links<double, 2>();
template CudaSolverMaker<double> concurrent_builder_links<double, 3>();

}  // namespace pericenter

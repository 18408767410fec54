#include <algorithm>
#include <string>

#include "sim/cuda/cell_lists.cuh"
#include "sim/cuda/cuda_solver.cuh"
#include "sim/cuda/device_buffer.cuh"
#include "sim/cuda/group_walk.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

/// Below this opening angle the lists of cells would be as long as the tree, and groups of bodies walk it instead.
constexpr double kLeastTheta = 0.25;

/// How much there is room for. What is made first does for most scenes; a tree or lists that need more get it.
struct Room {
  std::size_t nodes = 0, chunks = 0;

  static Room first(std::size_t count, std::uint32_t leaf_size) {
    return {std::min(most_nodes(count), 6 * count / leaf_size + 4096), 40 * count / leaf_size + 16384};
  }
  friend bool operator==(const Room&, const Room&) = default;
};

/// All memory of the solver on the device, as pieces of one block; without one it only tells how many bytes that takes.
template <class Real, int P>
struct FmmMemory {
  FmmMemory(std::byte* block, std::size_t count, const Room& room)
      : tree(block, count, 0, room.nodes), bytes(tree.bytes) {
    MemoryCutter cutter(block == nullptr ? nullptr : block + tree.bytes);
    walk.cells = {cutter.cut<FarCell<Real>>(room.nodes), cutter.cut<Real>(room.nodes * kSourceStride<Real, P>)};
    fields = cutter.cut<Real>(room.nodes * kFieldStride<Real, P>);
    walk.lists = cutter.cut<CellLists>(room.nodes);
    walk.entries = cutter.cut<std::uint32_t>(room.chunks * kChunk);
    walk.next = cutter.cut<std::uint32_t>(room.chunks);
    walk.chunk_capacity = static_cast<std::uint32_t>(room.chunks);
    walk.leaf_parts = cutter.cut<LeafPart>(count / kMostTargets + 1);
    force = cutter.cut<Four<Real>>(count);
    walk.status = cutter.cut<CellWalkStatus>(1);
    bytes += cutter.used_bytes();
  }

  TreeMemory<Real> tree;
  CellWalk<Real> walk = {};  ///< without its tree
  Real* fields;
  Four<Real>* force;
  std::size_t bytes;
};

template <class Real, int Dim, int P>
class CudaFmm final : public CudaSolver<Real> {
 public:
  explicit CudaFmm(std::size_t count)
      : count_(count),
        grid_{std::min(8 * multiprocessors(), Grid::kMostBlocks)},
        wanted_(Room::first(count, coarse_leaf_size(Backend::cuda, count))),
        host_status_(1),
        host_walk_status_(1) {
    *host_status_.data() = {};
    *host_walk_status_.data() = {};
    make_room();
  }

  static std::size_t bytes(std::size_t count) {
    return FmmMemory<Real, P>(nullptr, count, Room::first(count, coarse_leaf_size(Backend::cuda, count))).bytes;
  }

  int prepare() override {
    if (!(wanted_ == room_)) make_room();
    return rooms_made_;
  }
  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    if (bodies.count == 0) return;
    const auto softening = make_softening<Real>(params.softening);
    sorted_build<Real, Dim>().enqueue(memory_.tree, bodies, static_cast<Real>(params.gravity), grid_, events);
    PERICENTER_CUDA_CHECK(cudaMemsetAsync(memory_.walk.status, 0, sizeof(CellWalkStatus), events.stream()));
    by_groups_ = params.theta < kLeastTheta || lists_do_not_fit_;
    if (by_groups_) {
      const DeviceTree<Real>& tree = memory_.tree.tree;
      enqueue_moments(tree, bodies.count, grid_, events);
      enqueue_groups(tree, bodies.count, grid_, events);
      group_walk_.enqueue({tree, bodies.acceleration, bodies.interactions,
                           static_cast<Real>(params.theta * params.theta), softening, false},
                          with_potential, events);
    } else {
      CellWalk<Real> walk = memory_.walk;
      walk.tree = memory_.tree.tree;
      walk.rule = CellRule<Real>::of(params.theta, softening.length);
      walk.softening = softening;
      enqueue_far_cells<Real, P>(walk.tree, walk.cells, softening, bodies.count, grid_, events);
      list_kernel_.enqueue(walk, events);
      near_kernel_.enqueue(walk, with_potential, memory_.force, events);
      far_kernel_.enqueue({walk, memory_.fields, memory_.force, bodies}, with_potential, events);
    }
    copy(host_status_, memory_.tree.tree.status, events.stream());
    copy(host_walk_status_, memory_.walk.status, events.stream());
  }

  /// What ran out of room has left the accelerations as they were, and the number of what it counted until then.
  bool settle() override {
    const std::size_t nodes = nodes_before(status(), kMostGenerations);
    const std::size_t chunks = host_walk_status_.data()->chunks;
    if (nodes > room_.nodes) {
      wanted_.nodes = std::min(most_nodes(count_), std::max(2 * room_.nodes, nodes));
    } else if (chunks > room_.chunks) {
      wanted_.chunks = chunks + chunks / 4;
    }
    return wanted_ == room_;
  }
  const std::uint32_t* incomplete() const override { return &memory_.tree.tree.status->overflown; }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    append_boxes<Real, Dim>(memory_.tree.tree, status(), true, {first_level, last_level, limit}, out);
  }
  int tree_levels() const override { return status().levels; }
  WorkCounts work() const override {
    return {status().body_interactions, status().cell_interactions, status().node_visits, status().lane_slots};
  }
  std::string note() const override {
    if (!lists_do_not_fit_) return {};
    return "The lists of cells do not fit onto the GPU: groups of bodies walk the tree instead. A larger opening angle "
           "makes them shorter.";
  }

 private:
  const TreeStatus& status() const { return *host_status_.data(); }

  template <class T>
  static void copy(const PinnedBuffer<T>& to, const T* from, cudaStream_t stream) {
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(to.data(), from, sizeof(T), cudaMemcpyDeviceToHost, stream));
  }

  /// Takes the memory that is wanted; without enough for longer lists it keeps what it has.
  void make_room() {
    const Room before = room_;
    block_ = {};
    room_ = {};
    try {
      block_ = DeviceBuffer<std::byte>(FmmMemory<Real, P>(nullptr, count_, wanted_).bytes);
    } catch (const DeviceMemoryError&) {
      if (wanted_.nodes != before.nodes) throw;
      wanted_ = before;
      lists_do_not_fit_ = true;
      block_ = DeviceBuffer<std::byte>(FmmMemory<Real, P>(nullptr, count_, wanted_).bytes);
    }
    room_ = wanted_;
    memory_ = FmmMemory<Real, P>(block_.data(), count_, room_);
    memory_.tree.leaf_size = coarse_leaf_size(Backend::cuda, count_);
    ++rooms_made_;
  }

  const std::size_t count_;
  const Grid grid_;
  const ListKernel<Real> list_kernel_;
  const NearKernel<Real> near_kernel_;
  const FarKernel<Real, P> far_kernel_;
  const CudaGroupWalk<Real> group_walk_;
  Room wanted_, room_;
  int rooms_made_ = 0;
  DeviceBuffer<std::byte> block_;
  FmmMemory<Real, P> memory_{nullptr, 0, {}};
  bool by_groups_ = false, lists_do_not_fit_ = false;
  // Of the last evaluate().
  PinnedBuffer<TreeStatus> host_status_;
  PinnedBuffer<CellWalkStatus> host_walk_status_;
};

/// Calls `f` with dimension and order of expansion as constants.
template <class F>
auto with_constants(const Config& config, F f) {
  const auto with_order = [&](auto dim) {
    switch (number_of(config, Switch::expansion)) {
      case 3:
        return f(dim, std::integral_constant<int, 3>{});
      case 4:
        return f(dim, std::integral_constant<int, 4>{});
      default:
        return f(dim, std::integral_constant<int, 5>{});
    }
  };
  return config.dimension == 2 ? with_order(std::integral_constant<int, 2>{})
                               : with_order(std::integral_constant<int, 3>{});
}

}  // namespace

template <class Real>
CudaSolverMaker<Real> cuda_fmm() {
  return {[](const Config& config, std::size_t count) {
            return with_constants(config,
                                  [&](auto dim, auto order) { return CudaFmm<Real, dim, order>::bytes(count); });
          },
          [](const Config& config, std::size_t count) {
            return with_constants(config, [&](auto dim, auto order) -> std::unique_ptr<CudaSolver<Real>> {
              return std::make_unique<CudaFmm<Real, dim, order>>(count);
            });
          }};
}
template CudaSolverMaker<float> cuda_fmm();
template CudaSolverMaker<double> cuda_fmm();

}  // namespace pericenter

#include <algorithm>
#include <iterator>
#include <string>

#include "sim/cuda/fmm/cell_lists.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/runtime/stream.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/cuda/tree/group_walk.cuh"
#include "sim/solvers/fmm/select_criterion.h"

namespace pericenter {
namespace {

/// Below this opening angle the cell lists would be as long as the tree, so the solver uses the group walk.
constexpr double kMinTheta = 0.25;
/// Bodies per batch of cells: enough to fill any device, with little memory for the lists.
constexpr std::size_t kBatchBodies = 4'000'000;
constexpr std::uint32_t kMaxBatches = 64;

std::uint32_t batches_of(std::size_t count) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(count / kBatchBodies, 1, kMaxBatches));
}

/// Below this number of bodies CellWalk::at_once pays: each field alone is slow to fill the device and to drain it.
/// Measured on an H200 with 5e4 to 2e6 bodies.
constexpr std::size_t kAtOnceBodies = 1'500'000;
static_assert(kAtOnceBodies < 2 * kBatchBodies, "one batch");

/// CellWalk::upper_share. More cells without lists mean fewer steps from the root to the leaves, and a shorter tail of
/// the error, but longer lists. Measured on an H100 with 32, 16, 8 and 4 in 1e5 bodies, with 32, 16 and 12 in 1e6 to
/// 1e7.
constexpr std::uint32_t upper_share(std::size_t count) {
  return count < 300'000 ? 8 : count < kLargeTree ? 16 : 32;
}

/// Least number of bodies of a leaf whose near field is computed before those of smaller ones.
constexpr std::uint32_t large_leaf(std::size_t count) {
  return coarse_leaf_size(Backend::cuda, count) / 2;
}

/// Capacities of the buffers. The initial values are enough for most scenes; prepare() enlarges them if necessary.
struct Capacities {
  std::size_t nodes = 0, fields = 0, passing_chunks = 0, lasting_chunks = 0;
  bool divided = false;  ///< several devices may divide the forces

  static Capacities first(const Config& config, std::size_t count) {
    // Measured at theta 0.7 for spheres and galaxies, plus 10 %: non-empty nodes, and chunks of the lists.
    const std::uint32_t leaf_size = coarse_leaf_size(Backend::cuda, count);
    const std::size_t nodes = std::min(max_nodes(count), 21 * count / (5 * leaf_size) + 4096);
    // Half a billion bodies of two galaxies at theta 1 need a ninth of the nodes and 2.2 chunks per field.
    const bool lean = count >= 200'000'000;
    const std::size_t fields = nodes / (lean ? 8 : 7) + 512, lasting_chunks = (lean ? 3 : 5) * fields + 16384;
    return {nodes, fields, 19 * nodes / (2 * batches_of(count)) + 65536, lasting_chunks, config.gpus != 1};
  }
  friend bool operator==(const Capacities&, const Capacities&) = default;
};

/// All device memory of the solver, as parts of one block. Without a block it only computes the size in bytes.
template <class Real, int P>
struct FmmMemory {
  FmmMemory(std::byte* block, std::size_t count, const Capacities& capacities)
      : tree(block, count, typename TreeMemory<Real>::Reduced{capacities.nodes}), bytes(tree.bytes) {
    ArenaLayout cutter(block == nullptr ? nullptr : block + tree.bytes);
    walk.cells = {cutter.cut<FarCell<Real>>(capacities.nodes),
                  cutter.cut<Real>(capacities.nodes * kSourceStride<Real, P>)};
    walk.acceleration = cutter.cut<Real>(capacities.nodes);
    walk.lists = cutter.cut<CellLists>(capacities.nodes);
    // One more for all that does not fit.
    const std::size_t chunks = capacities.passing_chunks + capacities.lasting_chunks + 1;
    // Groups are leaves, or parts of leaves.
    const std::size_t groups = capacities.nodes + count / kGroupSize + 1;
    walk.entries = cutter.cut<std::uint32_t>(std::max(chunks * kChunk, 2 * groups));
    walk.next = cutter.cut<std::uint32_t>(chunks);
    fields = cutter.cut<Real>(capacities.fields * kFieldStride<Real, P>);
    walk.passing_capacity = static_cast<std::uint32_t>(capacities.passing_chunks);
    walk.lasting_capacity = static_cast<std::uint32_t>(capacities.lasting_chunks);
    walk.field_capacity = static_cast<std::uint32_t>(capacities.fields);
    walk.leaf_parts = cutter.cut<LeafPart>(count / kMaxTargets + 1);
    walk.large_leaf = large_leaf(count);
    walk.large_leaves = cutter.cut<std::uint32_t>(count / walk.large_leaf + 1);
    walk.status = cutter.cut<CellWalkStatus>(1);
    if (capacities.divided) {
      own_node = cutter.cut<std::uint32_t>(capacities.nodes);
      own_scratch = cutter.cut<std::byte>(own_nodes_scratch(capacities.nodes));
    }
    walk.batches = batches_of(count);
    walk.upper_share = upper_share(count);
    walk.weighs_cells = pericenter::weighs_cells(count);
    bytes += cutter.used_bytes();
    lend();
  }

  /// Until the tree is built, the keys use the memory of the accelerations.
  void lend_keys(const DeviceBodies<Real>& bodies) {
    static_assert(sizeof(*bodies.acceleration) >= 2 * sizeof(std::uint64_t));
    tree.key[0] = reinterpret_cast<std::uint64_t*>(bodies.acceleration);
    tree.key[1] = tree.key[0] + bodies.count;
  }

  TreeMemory<Real> tree;
  CellWalk<Real> walk = {};  ///< walk data without its tree
  Real* fields;
  std::uint32_t* own_node = nullptr;  ///< CellWalk::own_node; null if one device computes all forces
  std::byte* own_scratch = nullptr;
  std::size_t bytes;

 private:
  /// Places the arrays of the group walk in memory that is otherwise used by cells and lists.
  void lend() {
    static_assert(sizeof(FarCell<Real>) >= sizeof(Vec4<Real>));
    static_assert(kSourceStride<Real, P> * sizeof(Real) >= sizeof(CellMoments<Real>));
    static_assert(sizeof(BodyRange) == 2 * sizeof(std::uint32_t));
    tree.tree.center = reinterpret_cast<Vec4<Real>*>(walk.cells.cell);
    tree.tree.moments = reinterpret_cast<CellMoments<Real>*>(walk.cells.source);
    tree.tree.groups = reinterpret_cast<BodyRange*>(walk.entries);
  }
};

/// How many leading bits of the keys the radix sort may sort by. A run starts with the fewest, and takes more when too
/// many bodies have the same ones. The order of the bodies does not depend on it.
constexpr int kSortedBits[] = {32, 40, 48, 64};

template <class Real, int Dim, int P>
class CudaFmm final : public CudaSolver<Real> {
 public:
  CudaFmm(const Config& config, std::size_t count)
      : config_(config),
        count_(count),
        grid_{std::min(8 * multiprocessors(), Grid::kMaxBlocks)},
        wanted_(Capacities::first(config, count)),
        host_status_(1),
        host_walk_status_(1) {
    *host_status_.data() = {};
    *host_walk_status_.data() = {};
    reallocate();
  }

  static std::size_t bytes(const Config& config, std::size_t count) {
    return FmmMemory<Real, P>(nullptr, count, Capacities::first(config, count)).bytes;
  }

  int prepare() override {
    if (!(wanted_ == capacities_)) reallocate();
    memory_.tree.sorted_bits = kSortedBits[sorting_];
    return reallocations_ * static_cast<int>(std::size(kSortedBits)) + sorting_;
  }
  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    if (bodies.count == 0) return;
    const auto softening = make_softening<Real>(params.softening);
    memory_.lend_keys(bodies);
    sorted_build<Real, Dim>().enqueue(memory_.tree, bodies, static_cast<Real>(params.gravity), grid_, events);
    const auto rule = cell_criterion<Real>(config_, params, softening.length);
    if (!can_divide(params)) {
      clear(memory_.walk.status, events.stream());
      const DeviceTree<Real>& tree = memory_.tree.tree;
      enqueue_moments(tree, bodies.count, grid_, events);
      enqueue_groups(tree, bodies.count, grid_, events);
      const double group_theta = rule.by_error() ? theta_of_groups(params.accuracy) : params.theta;
      group_walk_.enqueue({tree, bodies.acceleration, bodies.interactions, static_cast<Real>(group_theta * group_theta),
                           softening, false},
                          with_potential, events);
    } else {
      CellWalk<Real> walk = memory_.walk;
      walk.tree = memory_.tree.tree;
      walk.rule = rule;
      walk.softening = softening;
      if (!part_.is_all(bodies.count)) {
        enqueue_own_nodes(walk, part_, memory_.own_node, memory_.own_scratch, events);
        walk.own_node = memory_.own_node;
      }
      walk.at_once = near_kernel_.may_be_at_once() && bodies.count < kAtOnceBodies && part_.is_all(bodies.count) &&
                     part_.result == nullptr;
      if (walk.at_once) clear_beside(bodies, events.stream());
      enqueue_far_cells<Real, P>(walk, bodies.count, grid_, events);
      Vec4<Real>* const result = part_.result != nullptr ? part_.result : bodies.acceleration;
      if (part_.scratch_free != nullptr) PERICENTER_CUDA_CHECK(cudaEventRecord(part_.scratch_free, events.stream()));
      if (part_.may_write != nullptr) PERICENTER_CUDA_CHECK(cudaStreamWaitEvent(events.stream(), part_.may_write, 0));
      for (walk.batch = 0; walk.batch < walk.batches; ++walk.batch) {
        if (walk.batch > 0) clear(&walk.status->batch, events.stream());
        const FarTask<Real> task{walk, memory_.fields, bodies, result};
        walk.at_once ? enqueue_at_once(task, with_potential, events) : enqueue_in_turn(task, with_potential, events);
      }
    }
    copy(host_status_, memory_.tree.tree.status, events.stream());
    copy(host_walk_status_, memory_.walk.status, events.stream());
  }

  /// After an overflow there are no accelerations, but the counters hold the required sizes.
  bool needs_retry() override {
    if (status().unsorted != 0) {
      ++sorting_;
      return true;
    }
    const std::size_t nodes = nodes_before(status(), kMaxGenerations);
    const CellWalkStatus& walk = *host_walk_status_.data();
    if (nodes > capacities_.nodes) {
      wanted_.nodes = std::min(max_nodes(count_), std::max(2 * capacities_.nodes, nodes));
    } else {
      const auto grow = [](std::size_t wanted, std::size_t& capacity) {
        if (wanted > capacity) capacity = wanted + wanted / 4;
      };
      grow(walk.max_passing_chunks, wanted_.passing_chunks);
      grow(walk.lasting_chunks, wanted_.lasting_chunks);
      grow(walk.fields, wanted_.fields);
    }
    return !(wanted_ == capacities_);
  }
  const std::uint32_t* overflow() const override { return &memory_.tree.tree.status->overflown; }

  std::size_t more_bytes() const override { return block_.bytes() - bytes(config_, count_); }

  /// Whether forces come from cell lists rather than the group walk.
  bool can_divide(const Params& params) const override {
    const auto rule = cell_criterion<Real>(config_, params, make_softening<Real>(params.softening).length);
    return rule.angle() >= kMinTheta && !lists_do_not_fit_;
  }
  void set_part(const DevicePart<Real>& part) override { part_ = part; }
  const std::uint32_t* tree_order() const override { return memory_.tree.tree.order; }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    append_boxes<Real, Dim>(memory_.tree.tree, status(), true, {first_level, last_level, limit}, out);
  }
  int tree_levels() const override { return status().levels; }
  WorkCounts work() const override { return status().work; }
  std::string note() const override {
    if (!lists_do_not_fit_) return {};
    return "The cell lists do not fit into GPU memory. Using the group walk instead. A larger opening angle "
           "shortens the lists.";
  }

 private:
  /// Sets the accelerations to 0 on beside_.
  void clear_beside(const DeviceBodies<Real>& bodies, cudaStream_t stream) {
    fork_.order(stream, beside_.get());
    PERICENTER_CUDA_CHECK(
        cudaMemsetAsync(bodies.acceleration, 0, bodies.count * sizeof(*bodies.acceleration), beside_.get()));
  }

  /// Lists, near and far field of a batch, one after the other.
  void enqueue_in_turn(const FarTask<Real>& task, bool with_potential, StageEvents& events) {
    {
      const DeviceStageClock clock(events, Stage::walk);
      list_kernel_.enqueue(task.walk, events.stream());
    }
    {
      const DeviceStageClock clock(events, Stage::near);
      near_kernel_.enqueue(task.walk, with_potential, task.bodies.acceleration, events.stream());
    }
    const DeviceStageClock clock(events, Stage::far);
    far_kernel_.enqueue(task, with_potential, events.stream());
  }
  /// CellWalk::at_once. The stage of the near field lasts from the end of the lists to its own end, that of the far
  /// field from there to the end of both.
  void enqueue_at_once(const FarTask<Real>& task, bool with_potential, StageEvents& events) {
    const cudaStream_t stream = events.stream(), beside = beside_.get();
    join_.order(beside, stream);  // the accelerations are 0
    {
      const DeviceStageClock clock(events, Stage::walk, beside);
      list_kernel_.enqueue(task.walk, stream);
      fork_.order(stream, beside);
    }
    {
      const DeviceStageClock clock(events, Stage::near);
      near_kernel_.enqueue(task.walk, with_potential, task.bodies.acceleration, stream);
    }
    const DeviceStageClock clock(events, Stage::far);
    far_kernel_.enqueue(task, with_potential, beside);
    join_.order(beside, stream);
  }

  const TreeStatus& status() const { return *host_status_.data(); }

  template <class T>
  static void clear(T* object, cudaStream_t stream) {
    PERICENTER_CUDA_CHECK(cudaMemsetAsync(object, 0, sizeof(T), stream));
  }
  template <class T>
  static void copy(const PinnedBuffer<T>& to, const T* from, cudaStream_t stream) {
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(to.data(), from, sizeof(T), cudaMemcpyDeviceToHost, stream));
  }

  /// Allocates the required memory. If longer lists do not fit, keeps the current memory.
  void reallocate() {
    const Capacities before = capacities_;
    block_ = {};
    capacities_ = {};
    try {
      block_ = DeviceBuffer<std::byte>(FmmMemory<Real, P>(nullptr, count_, wanted_).bytes);
    } catch (const DeviceMemoryError&) {
      if (wanted_.nodes != before.nodes) throw;
      wanted_ = before;
      lists_do_not_fit_ = true;
      block_ = DeviceBuffer<std::byte>(FmmMemory<Real, P>(nullptr, count_, wanted_).bytes);
    }
    capacities_ = wanted_;
    memory_ = FmmMemory<Real, P>(block_.data(), count_, capacities_);
    memory_.tree.leaf_size = coarse_leaf_sizes(Backend::cuda, count_);
    ++reallocations_;
  }

  const Config config_;
  const std::size_t count_;
  const Grid grid_;
  const ListKernel<Real> list_kernel_;
  const NearKernel<Real> near_kernel_;
  const FarKernel<Real, P> far_kernel_;
  const CudaGroupWalk<Real> group_walk_;
  LowPriorityStream beside_;
  OrderEvent fork_, join_;
  Capacities wanted_, capacities_;
  int reallocations_ = 0;
  int sorting_ = 0;  ///< index in kSortedBits
  DeviceBuffer<std::byte> block_;
  FmmMemory<Real, P> memory_{nullptr, 0, {}};
  bool lists_do_not_fit_ = false;
  DevicePart<Real> part_;
  // Status of the last evaluate().
  PinnedBuffer<TreeStatus> host_status_;
  PinnedBuffer<CellWalkStatus> host_walk_status_;
};

struct FmmSelection {
  template <class Real, class Call>
  static auto with_solver(const Config& config, const Call& call) {
    return config.dimension == 2 ? with_order<Real, 2>(config, call) : with_order<Real, 3>(config, call);
  }
  template <class Real, int Dim, class Call>
  static auto with_order(const Config& config, const Call& call) {
    switch (value_number(config, SolverOption::expansion)) {
      case 3:
        return call.template operator()<CudaFmm<Real, Dim, 3>>();
      case 4:
        return call.template operator()<CudaFmm<Real, Dim, 4>>();
      default:
        return call.template operator()<CudaFmm<Real, Dim, 5>>();
    }
  }
};

}  // namespace

extern const CudaSolverFactory kCudaFmm = selected_solver_factory<FmmSelection>();

}  // namespace pericenter

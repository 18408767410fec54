#include <algorithm>
#include <optional>
#include <type_traits>

#include "sim/core/stage_clock.h"
#include "sim/cuda/hybrid/host_tree_solver.cuh"
#include "sim/cuda/hybrid/node_layouts.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/runtime/stream.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

/// Cells of the first levels of a full tree: four levels in 2D, three in 3D.
template <int Dim>
constexpr std::uint32_t kUpperNodes = Dim == 2 ? 85 : 73;

/// Nodes per piece; one piece is uploaded while the next is packed.
constexpr std::size_t kPiece = std::size_t(1) << 16;

template <class Real>
struct HybridWalk {
  const Vec4<Real>* body;  ///< bodies in tree order
  WalkTargets<Real> targets;
  std::uint32_t upper_nodes;  ///< copied by each block

  template <class F>
  __device__ __forceinline__ void for_each_body(std::uint32_t first, std::uint32_t count, const F& f) const {
    for (std::uint32_t i = first; i < first + count; ++i) f(Vec4<Real>(body[i]));
  }
};

/// One thread per body; an unopened node links past its subtree. Without launch bounds it needs at most 64 registers,
/// so that blocks of 1,024 threads fit; with bounds of 1,024 the compiler spills registers in single precision.
template <class Node, bool UpperShared, bool WithPotential, class Real>
__global__ void hybrid_walk_kernel(const Node* __restrict__ nodes, const HybridWalk<Real> task) {
  extern __shared__ __align__(32) unsigned char upper_memory[];
  if constexpr (UpperShared) {
    using Words = std::conditional_t<sizeof(Node) % sizeof(int4) == 0, int4, int>;
    const unsigned words = task.upper_nodes * static_cast<unsigned>(sizeof(Node) / sizeof(Words));
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
      reinterpret_cast<Words*>(upper_memory)[i] = reinterpret_cast<const Words*>(nodes)[i];
    }
    __syncthreads();
  }
  const auto node_at = [&](std::uint32_t i) -> WalkNode<Real> {
    if constexpr (UpperShared) {
      if (i < task.upper_nodes) return walk_part(reinterpret_cast<const Node*>(upper_memory)[i]);
    }
    return walk_part(nodes[i]);
  };
  LaneWalker<WithPotential, false, Real> walker(task.targets, blockIdx.x * blockDim.x + threadIdx.x);
  walker.finish(task.targets, walk_alone(SkipPath(), walker, node_at, task));
}

/// The block size with which most threads fit on a multiprocessor.
template <class Kernel>
unsigned fullest_block(Kernel kernel, std::size_t shared_bytes) {
  int blocks = 0, threads = 0;
  PERICENTER_CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, shared_bytes));
  return static_cast<unsigned>(threads);
}

/// The solver options, parsed once.
struct HybridOptions {
  explicit HybridOptions(const Config& config)
      : order(option_value<Order>(config)),
        upper_shared(option_value<UpperLevels>(config) == UpperLevels::shared),
        block(value_number(config, SolverOption::block)),
        host_memory(option_value<HostMemory>(config)),
        two_streams(value_number(config, SolverOption::streams) == 2),
        keeps_buffers(option_value<Buffers>(config) == Buffers::kept),
        positions_on_host(option_value<Integration>(config) == Integration::host) {}

  /// Body lists to upload: one in tree order, and one in walk order if that differs.
  std::size_t lists() const { return order == Order::morton10 ? 2 : 1; }

  Order order;
  bool upper_shared;
  unsigned block;  ///< 0: computed from the kernel
  HostMemory host_memory;
  bool two_streams, keeps_buffers, positions_on_host;
};

/// All buffers of a step except the bodies, on host and device.
template <class Node, class Real>
struct HybridBuffers {
  HybridBuffers(const HybridOptions& choices, std::size_t count)
      : host_position(choices.host_memory, choices.positions_on_host ? 0 : count),
        host_nodes(choices.host_memory, max_nodes(count)),
        host_lists(choices.host_memory, choices.lists() * count),
        nodes(max_nodes(count)),
        lists(choices.lists() * count),
        body(count) {}

  static std::size_t device_bytes(const HybridOptions& choices, std::size_t count) {
    return max_nodes(count) * sizeof(Node) + count * (choices.lists() * sizeof(std::uint32_t) + sizeof(Vec4<Real>));
  }

  HostBuffer<Vec4<Real>> host_position;
  HostBuffer<Node> host_nodes;
  HostBuffer<std::uint32_t> host_lists;
  DeviceBuffer<Node> nodes;
  DeviceBuffer<std::uint32_t> lists;
  DeviceBuffer<Vec4<Real>> body;
};

/// A tree that the CPU builds by insertion, walked with skip links on the device (Bodin 2026).
template <class Node, int Dim, class Real>
class Hybrid final : public HostTreeSolver<Real, Dim> {
  using Base = HostTreeSolver<Real, Dim>;
  using Base::tree_;

 public:
  Hybrid(const Config& config, std::size_t count) : Base(config, count), choices_(config), count_(count) {
    if (choices_.keeps_buffers) buffers_.emplace(choices_, count_);
  }

  static std::size_t bytes(const Config& config, std::size_t count) {
    return HybridBuffers<Node, Real>::device_bytes(HybridOptions(config), count) + sizeof(WorkCounts);
  }

 private:
  Vec4<Real>* position_buffer(StageEvents& events) override {
    if (!choices_.keeps_buffers) remake_buffers(events);
    return buffers_->host_position.data();
  }

  void remake_buffers(StageEvents& events) {
    StageTimings host;
    {
      const StageClock clock(host, Stage::upload);
      buffers_.reset();
      buffers_.emplace(choices_, count_);
    }
    events.add_host(host);
  }

  void make_lists(StageTimings& timings) override {
    const StageClock clock(timings, Stage::sort);
    std::uint32_t* const lists = buffers_->host_lists.data();
    tree_.list_bodies(lists);
    if (choices_.order == Order::morton10) tree_.list_inserted(lists + count_);
  }

  /// Uploads nodes piece by piece while the next piece is packed. With two streams, the body lists are uploaded
  /// concurrently.
  void upload(const DeviceBodies<Real>& bodies, const Params& params, StageEvents& events) override {
    const DeviceStageClock clock(events, Stage::upload);
    const cudaStream_t stream = events.stream(), beside = choices_.two_streams ? beside_.get() : stream;
    order_.order(stream, beside);
    events.copy(buffers_->lists.data(), buffers_->host_lists.data(), buffers_->lists.bytes(), cudaMemcpyHostToDevice,
                beside);
    enqueue_gather(bodies, buffers_->lists.data(), static_cast<Real>(params.gravity), buffers_->body.data(), beside);
    const TreeView<Real, Dim> tree = tree_.view();
    Node* const packed = buffers_->host_nodes.data();
    const std::size_t piece = choices_.two_streams ? kPiece : tree.nodes.size();
    for (std::size_t begin = 0; begin < tree.nodes.size(); begin += piece) {
      const std::size_t end = std::min(begin + piece, tree.nodes.size());
      tree_.threads().run_chunks(begin, end, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) pack(tree, i, params.theta, packed[i]);
      });
      events.copy(buffers_->nodes.data() + begin, packed + begin, (end - begin) * sizeof(Node), cudaMemcpyHostToDevice,
                  stream);
    }
    order_.order(beside, stream);
  }

  void walk(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential, StageEvents& events) override {
    const DeviceStageClock clock(events, Stage::walk);
    const std::size_t nodes = tree_.view().nodes.size();
    const auto upper = static_cast<std::uint32_t>(std::min<std::size_t>(nodes, kUpperNodes<Dim>));
    const std::uint32_t* const lists = buffers_->lists.data();
    const std::uint32_t* const order =
        choices_.order == Order::none ? nullptr : lists + (choices_.lists() - 1) * count_;
    const HybridWalk<Real> task{
        buffers_->body.data(), {bodies, order, params, this->cleared_work(events.stream())}, upper};
    const auto kernel = choices_.upper_shared ? (with_potential ? hybrid_walk_kernel<Node, true, true, Real>
                                                                : hybrid_walk_kernel<Node, true, false, Real>)
                                              : (with_potential ? hybrid_walk_kernel<Node, false, true, Real>
                                                                : hybrid_walk_kernel<Node, false, false, Real>);
    const std::size_t shared_bytes = choices_.upper_shared ? upper * sizeof(Node) : 0;
    const unsigned block = choices_.block > 0 ? choices_.block : fullest_block(kernel, shared_bytes);
    launch(kernel, {blocks_of(bodies.count, block), block, shared_bytes}, events.stream(), buffers_->nodes.data(),
           task);
  }

  const HybridOptions choices_;
  const std::size_t count_;
  std::optional<HybridBuffers<Node, Real>> buffers_;
  LowPriorityStream beside_;
  OrderEvent order_;
};

struct HybridSelection {
  template <class Real, class Call>
  static auto with_solver(const Config& config, const Call& call) {
    return config.dimension == 2 ? with_layout<Real, 2>(config, call) : with_layout<Real, 3>(config, call);
  }
  template <class Real, int Dim, class Call>
  static auto with_layout(const Config& config, const Call& call) {
    switch (option_value<NodeLayout>(config)) {
      case NodeLayout::full:
        return call.template operator()<Hybrid<FullNode<Real>, Dim, Real>>();
      case NodeLayout::unpacked:
        return call.template operator()<Hybrid<UnpackedNode<Real, Dim>, Dim, Real>>();
      case NodeLayout::compact:
        break;
    }
    return call.template operator()<Hybrid<WalkNode<Real>, Dim, Real>>();
  }
};

}  // namespace

extern const CudaSolverFactory kCudaHybrid = selected_solver_factory<HybridSelection>();

}  // namespace pericenter

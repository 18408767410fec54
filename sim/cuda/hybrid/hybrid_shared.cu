#include <algorithm>

#include "sim/core/stage_clock.h"
#include "sim/cuda/hybrid/host_tree_solver.cuh"
#include "sim/cuda/hybrid/stack_walk.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

std::size_t shared_memory_per_block() {
  int device = 0, bytes = 0;
  PERICENTER_CUDA_CHECK(cudaGetDevice(&device));
  PERICENTER_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(bytes);
}

/// Threads per block so that registers and shared memory let as many threads as possible share a multiprocessor: the
/// smallest such block. With fewer threads than the device holds, every multiprocessor gets some of them.
template <class Kernel>
unsigned automatic_block(Kernel kernel, std::size_t shared_bytes, std::uint32_t threads) {
  constexpr unsigned kOneWarpPerScheduler = 128;
  unsigned best = kWarp;
  int most = 0;
  for (unsigned block = kWarp; block <= kMaxBlock; block += kWarp) {
    int blocks = 0;
    PERICENTER_CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(block), shared_bytes));
    const int resident = blocks * static_cast<int>(block);
    if (resident > most) {
      most = resident;
      best = block;
    }
  }
  const unsigned even = blocks_of(blocks_of(threads, multiprocessors()), kWarp) * kWarp;
  return std::min(best, std::max(even, kOneWarpPerScheduler));
}

std::string kilobytes(std::size_t bytes) {
  return std::to_string((bytes + 1023) / 1024) + " KB";
}

/// A shallow tree built on the CPU; each block copies the whole tree into shared memory if it fits (Sevic 2025).
template <class Real, int Dim>
class HybridShared final : public HostTreeSolver<Real, Dim> {
  using Base = HostTreeSolver<Real, Dim>;
  using Base::tree_;

 public:
  HybridShared(const Config& config, std::size_t count)
      : Base(config, count),
        memory_(option_value<SharedTree>(config)),
        leaf_points_(has_leaf_points(config)),
        input_order_(option_value<Order>(config) == Order::none),
        keeps_buffers_(option_value<Buffers>(config) == Buffers::kept),
        threads_(value_number(config, SolverOption::gpu_threads)),
        block_(value_number(config, SolverOption::block)),
        shared_limit_(shared_memory_per_block()),
        count_(count),
        host_position_(count),
        host_fields_(fields_for(config, count)),
        host_lists_(lists_for(config) * count),
        fields_(keeps_buffers_ ? fields_for(config, count) : 0),
        lists_(lists_for(config) * count),
        body_(count) {}

  static std::size_t bytes(const Config& config, std::size_t count) {
    return fields_for(config, count) * sizeof(Real) +
           count * (lists_for(config) * sizeof(std::uint32_t) + sizeof(Vec4<Real>)) + sizeof(WorkCounts);
  }

  std::string note() const override {
    if (memory_ == SharedTree::none || fits()) return {};
    return "The tree needs " + kilobytes(tree_bytes()) + ", but a thread block has " + kilobytes(shared_limit_) +
           " of shared memory. The walk reads global memory instead; a smaller depth makes a smaller tree.";
  }

 private:
  static std::size_t fields_for(const Config& config, std::size_t count) {
    return std::min(max_nodes(count), cells_of_full_tree<Dim>(value_number(config, SolverOption::depth))) *
           CellFields<Dim>::kCount;
  }
  /// Body lists on the device: the input indices in tree order and, unless it is the same, the walk order.
  static std::size_t lists_for(const Config& config) { return option_value<Order>(config) == Order::none ? 2 : 1; }
  /// In global memory, the fields of a cell are adjacent.
  bool field_by_field() const { return memory_ == SharedTree::conflict_free && fits(); }
  std::size_t tree_bytes() const { return tree_.view().nodes.size() * CellFields<Dim>::kCount * sizeof(Real); }
  bool fits() const { return tree_bytes() <= shared_limit_; }

  Vec4<Real>* position_buffer(StageEvents&) override { return host_position_.data(); }

  void upload(const DeviceBodies<Real>& bodies, const Params& params, StageEvents& events) override {
    if (!keeps_buffers_) allocate_cells(events);
    const DeviceStageClock clock(events, Stage::upload);
    pack({params.theta, leaf_points_});
    PERICENTER_CUDA_CHECK(
        cudaMemcpyAsync(fields_.data(), host_fields_.data(), tree_bytes(), cudaMemcpyHostToDevice, events.stream()));
    PERICENTER_CUDA_CHECK(
        cudaMemcpyAsync(lists_.data(), host_lists_.data(), lists_.bytes(), cudaMemcpyHostToDevice, events.stream()));
    enqueue_gather(bodies, lists_.data(), static_cast<Real>(params.gravity), body_.data(), events.stream());
  }

  /// Allocates exactly the size of the tree.
  void allocate_cells(StageEvents& events) {
    StageTimings host;
    {
      const StageClock clock(host, Stage::upload);
      fields_ = {};
      fields_ = DeviceBuffer<Field<Real>>(tree_bytes() / sizeof(Real));
    }
    events.add_host(host);
  }

  void make_lists(StageTimings& timings) override {
    const StageClock clock(timings, Stage::upload);
    std::uint32_t* const original = host_lists_.data();
    tree_.list_bodies(original);
    if (!input_order_) return;
    tree_.threads().run_chunks(0, count_, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) original[count_ + original[i]] = static_cast<std::uint32_t>(i);
    });
  }

  void pack(const OpeningRule& rule) {
    const TreeView<Real, Dim> tree = tree_.view();
    tree_.threads().run_chunks(0, tree.nodes.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        field_by_field() ? pack_cell<true>(tree, i, rule, host_fields_.data())
                         : pack_cell<false>(tree, i, rule, host_fields_.data());
      }
    });
  }

  void walk(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential, StageEvents& events) override {
    const DeviceStageClock clock(events, Stage::walk);
    const bool in_shared = memory_ != SharedTree::none && fits();
    const std::uint32_t threads = threads_ > 0 ? std::min(threads_, bodies.count) : bodies.count;
    const StackWalk<Real> task{fields_.data(),
                               static_cast<std::uint32_t>(tree_.view().nodes.size()),
                               body_.data(),
                               lists_.data(),
                               input_order_ ? lists_.data() + count_ : nullptr,
                               bodies,
                               make_softening<Real>(params.softening),
                               threads,
                               leaf_points_,
                               this->cleared_work(events.stream())};
    const auto kernel = with_potential ? kernel_for<true, Dim, Real>(in_shared, field_by_field())
                                       : kernel_for<false, Dim, Real>(in_shared, field_by_field());
    const std::size_t shared_bytes = in_shared ? tree_bytes() : 0;
    PERICENTER_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
    const unsigned wanted = block_ > 0 ? block_ : automatic_block(kernel, shared_bytes, threads);
    // Whole warps; only `threads` lanes are active.
    const unsigned block = std::min(wanted, blocks_of(threads, kWarp) * kWarp);
    launch(kernel, {blocks_of(threads, block), block, shared_bytes}, events.stream(), task);
  }

  const SharedTree memory_;
  const bool leaf_points_, input_order_, keeps_buffers_;
  const std::uint32_t threads_;  ///< 0: one per body
  const unsigned block_;         ///< threads per block; 0: automatic
  const std::size_t shared_limit_, count_;
  PinnedBuffer<Vec4<Real>> host_position_;
  PinnedBuffer<Field<Real>> host_fields_;
  PinnedBuffer<std::uint32_t> host_lists_;
  DeviceBuffer<Field<Real>> fields_;
  DeviceBuffer<std::uint32_t> lists_;
  DeviceBuffer<Vec4<Real>> body_;
};

struct HybridSharedSelection {
  template <class Real, class Call>
  static auto with_solver(const Config& config, const Call& call) {
    return config.dimension == 2 ? call.template operator()<HybridShared<Real, 2>>()
                                 : call.template operator()<HybridShared<Real, 3>>();
  }
};

}  // namespace

extern const CudaSolverFactory kCudaHybridShared = selected_solver_factory<HybridSharedSelection>();

}  // namespace pericenter

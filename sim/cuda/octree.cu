#include <algorithm>

#include "sim/cuda/cuda_solver.cuh"
#include "sim/cuda/device_buffer.cuh"
#include "sim/cuda/octree_build.cuh"
#include "sim/cuda/octree_walk.cuh"

namespace pericenter {
namespace {

Grid whole_device() {
  return {std::min(8 * multiprocessors(), Grid::kMostBlocks)};
}

/// Key of the first body of each node.
__global__ void first_keys_kernel(const NodeLinks* links, const std::uint64_t* key, std::uint32_t nodes,
                                  std::uint64_t* first_key) {
  const std::uint32_t node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < nodes) first_key[node] = key[links[node].begin];
}

template <class Real>
class CudaOctree final : public CudaSolver<Real> {
 public:
  CudaOctree(const Config& config, std::size_t count)
      : planar_(config.dimension == 2),
        monopole_(config.multipole == Multipole::monopole),
        grid_(whole_device()),
        block_(TreeMemory<Real>(nullptr, count).bytes),
        memory_(block_.data(), count),
        status_(1) {
    *status_.data() = {};
  }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    if (bodies.count == 0) return;
    const Real gravity = static_cast<Real>(params.gravity);
    planar_ ? build<2>(bodies, gravity, events) : build<3>(bodies, gravity, events);
    enqueue_moments(memory_.tree, bodies.count, grid_, events);
    const WalkTask<Real> task{memory_.tree, bodies.acceleration, static_cast<Real>(params.theta * params.theta),
                              make_softening<Real>(params.softening), monopole_};
    walk_.enqueue(task, with_potential, events);
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(status_.data(), memory_.tree.status, sizeof(TreeStatus),
                                          cudaMemcpyDeviceToHost, events.stream()));
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    planar_ ? boxes<2>(first_level, last_level, limit, out) : boxes<3>(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return status().levels; }
  std::uint64_t body_interactions() const override { return status().body_interactions; }
  std::uint64_t cell_interactions() const override { return status().cell_interactions; }

 private:
  const TreeStatus& status() const { return *status_.data(); }

  template <int Dim>
  void build(const DeviceBodies<Real>& bodies, Real gravity, StageEvents& events) {
    enqueue_keys<Real, Dim>(memory_, bodies, grid_, events);
    enqueue_sort<Real, Dim>(memory_, bodies, gravity, events);
    enqueue_links<Real, Dim>(memory_.tree, bodies.count, grid_, events);
  }

  template <int Dim>
  void boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const {
    const std::uint32_t nodes = nodes_before(status(), kMostGenerations);
    if (nodes == 0) return;
    const DeviceBuffer<std::uint64_t> first_keys(nodes);
    first_keys_kernel<<<blocks_of(nodes, Grid::kThreads), Grid::kThreads>>>(memory_.tree.links, memory_.tree.key, nodes,
                                                                            first_keys.data());
    PERICENTER_CUDA_LAUNCHED();
    std::vector<std::uint64_t> keys(nodes);
    std::vector<std::uint8_t> levels(nodes);
    PERICENTER_CUDA_CHECK(cudaMemcpy(keys.data(), first_keys.data(), first_keys.bytes(), cudaMemcpyDeviceToHost));
    PERICENTER_CUDA_CHECK(cudaMemcpy(levels.data(), memory_.tree.level, nodes, cudaMemcpyDeviceToHost));
    for (std::uint32_t node = 0; node < nodes && limit > 0; ++node) {
      if (levels[node] < first_level || levels[node] > last_level) continue;
      out.push_back(cell_box(cube_of<Dim>(status()), keys[node], levels[node]));
      --limit;
    }
  }

  const bool planar_, monopole_;
  const Grid grid_;
  const OctreeWalk<Real> walk_;
  DeviceBuffer<std::byte> block_;
  TreeMemory<Real> memory_;
  PinnedBuffer<TreeStatus> status_;  ///< of the last evaluate()
};

}  // namespace

template <class Real>
CudaSolverMaker<Real> cuda_octree() {
  return {[](std::size_t count) { return TreeMemory<Real>(nullptr, count).bytes; },
          [](const Config& config, std::size_t count) -> std::unique_ptr<CudaSolver<Real>> {
            return std::make_unique<CudaOctree<Real>>(config, count);
          }};
}
template CudaSolverMaker<float> cuda_octree();
template CudaSolverMaker<double> cuda_octree();

}  // namespace pericenter

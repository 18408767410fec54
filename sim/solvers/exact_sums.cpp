#include "sim/solvers/exact_sums.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>

#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {
namespace {

constexpr std::size_t kGroup = 128;      ///< targets of a task, which share a tile of sources
constexpr std::size_t kTile = 512;       ///< sources that fit into the first-level cache
constexpr std::size_t kMinTiles = 8;     ///< tiles of a task at least: some tenths of a millisecond
constexpr std::size_t kMaxChunks = 256;  ///< bounds the memory for partial sums
constexpr std::size_t kSlice = 2048;     ///< targets at a time, for the same reason
static_assert(kTile % kSourcePadding == 0);

/// Sums over the sources of one chunk for a group of targets.
class GroupSum {
 public:
  GroupSum(std::span<const Vec3> targets, double softening) : count_(targets.size()), squared_(softening * softening) {
    for (int k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < count_; ++i) at_[k][i] = targets[i][k];
    }
  }

  void add(const ExactSources& sources, std::size_t first, std::size_t last) {
    for (std::size_t tile = first; tile < last; tile += kTile) {
      const std::size_t size = std::min(kTile, last - tile);
      sources.read(tile, tile + size, {{from_[0].data(), from_[1].data(), from_[2].data()}, mass_.data()});
      const std::size_t end = padded(size, kSourcePadding);
      std::fill(mass_.begin() + static_cast<std::ptrdiff_t>(size), mass_.begin() + static_cast<std::ptrdiff_t>(end), 0);
      add_tile(end);
    }
  }

  void store(std::span<Vec3> out) const {
    for (std::size_t i = 0; i < count_; ++i) out[i] = {sums_[0][i], sums_[1][i], sums_[2][i]};
  }

 private:
  void add_tile(std::size_t size) {
    const PointList<double, 3> list{{from_[0].data(), from_[1].data(), from_[2].data()}, mass_.data(), size};
    const TargetBlock<double, 3> block{{at_[0].data(), at_[1].data(), at_[2].data()},
                                       {sums_[0].data(), sums_[1].data(), sums_[2].data()},
                                       nullptr,
                                       count_};
    pair_kernels<double, 3>(Simd::best).points(list, block, squared_);
  }

  const std::size_t count_;
  const double squared_;
  std::array<std::array<double, kGroup>, 3> at_ = {}, sums_ = {};
  std::array<std::array<double, kTile>, 3> from_ = {};  // zeros, because padding must be finite
  std::array<double, kTile> mass_ = {};
};

/// Tasks of a slice: groups of targets times chunks of sources. The chunks depend on the number of sources alone, so
/// that sums do not depend on the threads.
struct SliceTasks {
  std::size_t groups, chunks, chunk;

  SliceTasks(std::size_t targets, std::size_t sources)
      : groups((targets + kGroup - 1) / kGroup),
        chunks(std::clamp<std::size_t>((sources + kMinTiles * kTile - 1) / (kMinTiles * kTile), 1, kMaxChunks)),
        chunk(padded((sources + chunks - 1) / chunks, kTile)) {}
};

void sum_slice(std::span<const Vec3> targets, const ExactSources& sources, double softening,
               const CancellationToken* cancellation, std::span<Vec3> out) {
  const SliceTasks tasks(targets.size(), sources.count);
  std::vector<Vec3> partial(tasks.chunks * targets.size());
  tbb::parallel_for(std::size_t(0), tasks.groups * tasks.chunks, [&](std::size_t task) {
    if (cancellation) cancellation->check();
    const std::size_t group = task % tasks.groups * kGroup, chunk = task / tasks.groups;
    const std::size_t count = std::min(kGroup, targets.size() - group);
    GroupSum sum(targets.subspan(group, count), softening);
    sum.add(sources, std::min(chunk * tasks.chunk, sources.count), std::min((chunk + 1) * tasks.chunk, sources.count));
    sum.store(std::span(partial).subspan(chunk * targets.size() + group, count));
  });
  for (std::size_t chunk = 0; chunk < tasks.chunks; ++chunk) {
    for (std::size_t i = 0; i < targets.size(); ++i) out[i] += partial[chunk * targets.size() + i];
  }
}

}  // namespace

std::vector<Vec3> exact_accelerations(std::span<const Vec3> targets, const ExactSources& sources, double softening,
                                      const CancellationToken* cancellation) {
  std::vector<Vec3> sums(targets.size());
  for (std::size_t first = 0; first < targets.size(); first += kSlice) {
    const std::size_t count = std::min(kSlice, targets.size() - first);
    sum_slice(targets.subspan(first, count), sources, softening, cancellation, std::span(sums).subspan(first, count));
  }
  return sums;
}

}  // namespace pericenter

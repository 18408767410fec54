#include "sim/cuda/simulation/body_copy.cuh"

#include <algorithm>

#include "sim/cuda/runtime/cpu_task_pool.h"
#include "sim/cuda/runtime/cuda_check.cuh"

namespace pericenter {
namespace {

constexpr std::size_t kPortion = std::size_t{1} << 17;  // bodies; page-locking memory for a million takes 10 ms

/// Page-locked memory for one portion of the columns.
template <class Real>
class Portion {
 public:
  explicit Portion(std::size_t bodies) : memory_(2 * bodies), columns_{memory_.data(), memory_.data() + bodies} {
    PERICENTER_CUDA_CHECK(cudaEventCreateWithFlags(&copied_, cudaEventDisableTiming));
  }
  ~Portion() {
    // A copy may still be in flight after a cancellation.
    PERICENTER_CUDA_LOG(cudaEventSynchronize(copied_));
    PERICENTER_CUDA_LOG(cudaEventDestroy(copied_));
  }
  Portion(const Portion&) = delete;
  Portion& operator=(const Portion&) = delete;

  const BodyColumns<Real>& columns() const { return columns_; }

  /// Enqueues the copy of the portion to, or from, the bodies starting at `first`.
  void enqueue_up(const BodyColumns<Real>& to, std::size_t first, std::size_t count, cudaStream_t stream) {
    copy(to.position + first, columns_.position, count, stream);
    copy(to.velocity + first, columns_.velocity, count, stream);
    PERICENTER_CUDA_CHECK(cudaEventRecord(copied_, stream));
  }
  void enqueue_down(const BodyColumns<Real>& from, std::size_t first, std::size_t count, cudaStream_t stream) {
    copy(columns_.position, from.position + first, count, stream);
    copy(columns_.velocity, from.velocity + first, count, stream);
    PERICENTER_CUDA_CHECK(cudaEventRecord(copied_, stream));
  }
  /// Waits for the last enqueued copy, if any.
  void wait() const { PERICENTER_CUDA_CHECK(cudaEventSynchronize(copied_)); }

 private:
  template <class T>
  static void copy(T* to, const T* from, std::size_t count, cudaStream_t stream) {
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, stream));
  }

  PinnedBuffer<Vec4<Real>> memory_;
  BodyColumns<Real> columns_;
  cudaEvent_t copied_ = nullptr;
};

template <class Real>
Vec4<Real> four(const Vec3& v, bool flat, Real w) {
  return {static_cast<Real>(v[0]), static_cast<Real>(v[1]), flat ? Real(0) : static_cast<Real>(v[2]), w};
}

}  // namespace

/// Two alternating portions; the second is allocated only if there is more than one.
template <class Real>
struct Portions {
  explicit Portions(std::size_t bodies)
      : size(std::min(bodies, kPortion)), portions{Portion<Real>(size), Portion<Real>(bodies > size ? size : 0)} {}

  Portion<Real>& of(std::size_t first) { return portions[first / size % 2]; }

  std::size_t size;
  Portion<Real> portions[2];
};

template <class Real>
void upload_bodies(const Config& config, const Bodies& from, const BodyColumns<Real>& to, const Progress& progress,
                   cudaStream_t stream) {
  const CpuTaskPool threads(config.threads);
  const bool flat = config.dimension == 2;
  Portions<Real> portions(from.size());
  for (std::size_t first = 0; first < from.size(); first += portions.size) {
    Portion<Real>& portion = portions.of(first);
    portion.wait();
    const BodyColumns<Real>& column = portion.columns();
    const std::size_t count = std::min(portions.size, from.size() - first);
    threads.run_chunks(0, count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Body& body = from[first + i];
        column.position[i] = four<Real>(body.position, flat, static_cast<Real>(body.mass));
        column.velocity[i] = four<Real>(body.velocity, flat, stored_tag<Real>(body.tag));
      }
    });
    portion.enqueue_up(to, first, count, stream);
    const double share = static_cast<double>(first + count) / static_cast<double>(from.size());
    if (progress && !progress(share)) throw SceneCancelled{};
  }
  PERICENTER_CUDA_CHECK(cudaStreamSynchronize(stream));
}

namespace {

template <class Real>
Bodies download(const Config& config, const BodyColumns<Real>& from, std::size_t count, Portions<Real>& portions,
                cudaStream_t stream) {
  const CpuTaskPool threads(config.threads);
  Bodies bodies = uninitialized_bodies(count);
  const auto enqueue = [&](std::size_t first) {
    if (first < count) {
      portions.of(first).enqueue_down(from, first, std::min(portions.size, count - first), stream);
    }
  };
  enqueue(0);
  for (std::size_t first = 0; first < count; first += portions.size) {
    enqueue(first + portions.size);
    const Portion<Real>& portion = portions.of(first);
    portion.wait();
    const BodyColumns<Real>& column = portion.columns();
    threads.run_chunks(first, std::min(first + portions.size, count), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Vec4<Real>&position = column.position[i - first], &velocity = column.velocity[i - first];
        bodies[i] = {vector_of(position), vector_of(velocity), static_cast<double>(position.w), tag_of(velocity.w)};
      }
    });
  }
  return bodies;
}

}  // namespace

template <class Real>
Bodies download_bodies(const Config& config, const BodyColumns<Real>& from, std::size_t count, cudaStream_t stream) {
  Portions<Real> portions(count);
  return download(config, from, count, portions, stream);
}

template <class Real>
Bodies download_sample(const Config& config, const BodyColumns<Real>& from, const BodySample& sample,
                       cudaStream_t stream) {
  const std::size_t count = sample.size(), first = sample.first();
  const DeviceBuffer<Vec4<Real>> memory(2 * count);
  const BodyColumns<Real> gathered = {memory.data(), memory.data() + count};
  const auto gather = [&](Vec4<Real>* to, const Vec4<Real>* all) {
    constexpr std::size_t kBytes = sizeof(Vec4<Real>);
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(to, all, first * kBytes, cudaMemcpyDeviceToDevice, stream));
    if (count == first) return;
    PERICENTER_CUDA_CHECK(cudaMemcpy2DAsync(to + first, kBytes, all + first, sample.stride * kBytes, kBytes,
                                            count - first, cudaMemcpyDeviceToDevice, stream));
  };
  gather(gathered.position, from.position);
  gather(gathered.velocity, from.velocity);
  return download_bodies(config, gathered, count, stream);
}

template <class Real>
BodyStore<Real>::BodyStore(const Config& config, std::size_t count)
    : config_(config), count_(count), memory_(2 * count), portions_(std::make_unique<Portions<Real>>(count)) {}

template <class Real>
BodyStore<Real>::~BodyStore() = default;

template <class Real>
void BodyStore<Real>::enqueue(const BodyColumns<Real>& from, cudaStream_t stream) {
  const std::size_t bytes = memory_.bytes() / 2;
  PERICENTER_CUDA_CHECK(cudaMemcpyAsync(memory_.data(), from.position, bytes, cudaMemcpyDeviceToDevice, stream));
  PERICENTER_CUDA_CHECK(
      cudaMemcpyAsync(memory_.data() + count_, from.velocity, bytes, cudaMemcpyDeviceToDevice, stream));
  order_.order(stream, stream_.get());
}

template <class Real>
Bodies BodyStore<Real>::fetch() {
  PERICENTER_CUDA_CHECK(cudaSetDevice(config_.device));
  return download(config_, {memory_.data(), memory_.data() + count_}, count_, *portions_, stream_.get());
}

#define PERICENTER_INSTANTIATE(Real)                                                                                  \
  template void upload_bodies(const Config&, const Bodies&, const BodyColumns<Real>&, const Progress&, cudaStream_t); \
  template Bodies download_bodies(const Config&, const BodyColumns<Real>&, std::size_t, cudaStream_t);                \
  template Bodies download_sample(const Config&, const BodyColumns<Real>&, const BodySample&, cudaStream_t);          \
  template class BodyStore<Real>;
PERICENTER_INSTANTIATE(float)
PERICENTER_INSTANTIATE(double)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter

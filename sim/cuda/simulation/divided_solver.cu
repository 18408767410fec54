#include "sim/cuda/simulation/divided_solver.cuh"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/core/fault_injection.h"
#include "sim/cuda/runtime/current_device.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/runtime/launch.cuh"
#include "sim/cuda/runtime/stream.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 256;
/// How much of a difference in time the next step corrects, and the least share of a device.
constexpr double kCorrection = 0.5, kLeastShare = 0.01;

/// to[i] = from[order[i]]
template <class T>
__global__ void __launch_bounds__(kThreads)
    collect_kernel(const T* from, const std::uint32_t* order, std::uint32_t count, T* to) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[order[i]];
}
/// to[order[i]] = from[i]
template <class T>
__global__ void __launch_bounds__(kThreads)
    distribute_kernel(const T* from, const std::uint32_t* order, std::uint32_t count, T* to) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[order[i]] = from[i];
}
__global__ void any_kernel(const std::uint32_t* flags, unsigned count, const std::uint32_t* first, std::uint32_t* any) {
  std::uint32_t all = *first;
  for (unsigned i = 0; i < count; ++i) all |= flags[i];
  *any = all;
}

/// Lets two devices use each other's memory. Returns whether they can.
bool connect(int a, int b) {
  if (should_fail(Fault::distant_gpus)) return false;
  if (a == b) return true;
  int there = 0, back = 0;
  PERICENTER_CUDA_CHECK(cudaDeviceCanAccessPeer(&there, a, b));
  PERICENTER_CUDA_CHECK(cudaDeviceCanAccessPeer(&back, b, a));
  if (there == 0 || back == 0) return false;
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    const CurrentDevice current(from);
    const cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
    } else {
      PERICENTER_CUDA_CHECK(error);
    }
  }
  return true;
}

class TimedEvent {
 public:
  TimedEvent() { PERICENTER_CUDA_CHECK(cudaEventCreate(&event_)); }
  ~TimedEvent() { PERICENTER_CUDA_LOG(cudaEventDestroy(event_)); }
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;

  void record(cudaStream_t stream) { PERICENTER_CUDA_CHECK(cudaEventRecord(event_, stream)); }
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Memory of the first device for the results of another one.
template <class Real>
struct Results {
  std::uint32_t* overflow;
  // One element per body of the other one, in tree order; null if that writes to the bodies.
  Vec4<Real>* acceleration = nullptr;
  std::uint32_t* interactions = nullptr;
};

/// One of the other devices. All calls but the constructor make it the current one.
template <class Real>
class OtherDevice {
 public:
  /// The device must be the current one.
  OtherDevice(const Config& config, std::size_t count, int device, bool direct)
      : device_(device),
        direct_(direct),
        bytes_(2 * count * sizeof(Vec4<Real>) + find_solver(config.solver)->cuda->maker<Real>().bytes(config, count)),
        position_(count),
        acceleration_(count),
        solver_(find_solver(config.solver)->cuda->maker<Real>().make(config, count)) {}

  CudaSolver<Real>& solver() { return *solver_; }
  const CudaSolver<Real>& solver() const { return *solver_; }
  int device() const { return device_; }
  cudaEvent_t done() const { return done_.get(); }

  /// Enqueues the copy of the positions of `bodies`, which are on the device `first`, after `start`.
  void fetch(const DeviceBodies<Real>& bodies, int first, cudaEvent_t start) {
    const CurrentDevice current(device_);
    if (!direct_ && bodies.interactions != nullptr && interactions_.size() == 0) {
      interactions_ = DeviceBuffer<std::uint32_t>(bodies.count);
      sent_interactions_ = DeviceBuffer<std::uint32_t>(bodies.count);
    }
    PERICENTER_CUDA_CHECK(cudaStreamWaitEvent(stream_.get(), start, 0));
    events_.begin();
    const DeviceStageClock clock(events_, Stage::exchange);
    copy(position_.data(), device_, bodies.position, first, bodies.count);
  }

  /// Enqueues the forces of a part; `results` are on the device `first`.
  void enqueue(const DeviceBodies<Real>& bodies, DevicePart<Real> part, int first, const Results<Real>& results,
               const Params& params, bool with_potential) {
    const CurrentDevice current(device_);
    const bool counts = bodies.interactions != nullptr;
    DeviceBodies<Real> copies = bodies;
    copies.position = position_.data();
    copies.acceleration = acceleration_.data();
    copies.host_position = nullptr;
    if (direct_) {
      part.result = bodies.acceleration;
    } else if (counts) {
      copies.interactions = interactions_.data();
    }
    solver_->set_part(part);
    solver_->evaluate(copies, params, with_potential, events_);
    {
      const DeviceStageClock clock(events_, Stage::exchange);
      if (!direct_) {
        // The tree has its own copy of the positions.
        send(acceleration_.data(), part.own, position_.data(), results.acceleration, first);
        if (counts) send(interactions_.data(), part.own, sent_interactions_.data(), results.interactions, first);
      }
      copy(results.overflow, first, solver_->overflow(), device_, 1);
    }
    done_.record(stream_.get());
  }

  /// Milliseconds of the last forces, whose work must have ended.
  float measured_ms() {
    const CurrentDevice current(device_);
    StageTimings timings;
    events_.add_to(timings);
    return timings.total_ms();
  }
  DeviceShare share() const {
    const CurrentDevice current(device_);
    DeviceShare share{.device = device_, .direct = direct_};
    share.memory.used_bytes = bytes_ + solver_->more_bytes() + interactions_.bytes() + sent_interactions_.bytes();
    PERICENTER_CUDA_CHECK(cudaMemGetInfo(&share.memory.free_bytes, &share.memory.total_bytes));
    return share;
  }

 private:
  template <class T>
  void copy(T* to, int to_device, const T* from, int from_device, std::size_t count) {
    PERICENTER_CUDA_CHECK(cudaMemcpyPeerAsync(to, to_device, from, from_device, count * sizeof(T), stream_.get()));
  }
  /// Copies the elements of the bodies of a range, in tree order, to the device `first`.
  template <class T>
  void send(const T* from, BodyRange own, T* ordered, T* to, int first) {
    if (own.size() == 0) return;
    launch(collect_kernel<T>, per_element(own.size(), kThreads), stream_.get(), from, solver_->tree_order() + own.begin,
           own.size(), ordered);
    copy(to, first, ordered, device_, own.size());
  }

  const int device_;
  const bool direct_;
  const std::size_t bytes_;
  LowPriorityStream stream_;
  StageEvents events_{stream_.get()};
  TimedEvent done_;
  DeviceBuffer<Vec4<Real>> position_, acceleration_;
  DeviceBuffer<std::uint32_t> interactions_, sent_interactions_;  ///< empty before they are requested
  std::unique_ptr<CudaSolver<Real>> solver_;
};

template <class Real>
class DividedSolver final : public CudaSolver<Real> {
 public:
  DividedSolver(const Config& config, std::size_t count, std::span<const int> devices)
      : first_device_(devices.front()),
        first_(find_solver(config.solver)->cuda->maker<Real>().make(config, count)),
        overflow_(devices.size()),
        share_(devices.size(), 1.0 / static_cast<double>(devices.size())),
        ms_(devices.size()) {
    for (const int device : devices.subspan(1)) direct_ = connect(first_device_, device) && direct_;
    for (const int device : devices.subspan(1)) {
      const CurrentDevice current(device);
      others_.push_back(std::make_unique<OtherDevice<Real>>(config, count, device, direct_));
    }
    if (!direct_) acceleration_ = DeviceBuffer<Vec4<Real>>(count);
  }

  int prepare() override {
    for (const auto& other : others_) {
      const CurrentDevice current(other->device());
      other->solver().prepare();
    }
    return first_->prepare();
  }
  bool is_called_each_step() const override { return true; }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    divided_ = bodies.count > 0 && first_->can_divide(params) &&
               std::ranges::all_of(others_, [&](const auto& other) { return other->solver().can_divide(params); });
    if (!divided_) {
      first_->set_part({});
      return first_->evaluate(bodies, params, with_potential, events);
    }
    if (acceleration_.size() > 0 && bodies.interactions != nullptr && interactions_.size() == 0)
      interactions_ = DeviceBuffer<std::uint32_t>(bodies.count);
    start_.record(events.stream());
    // The host enqueues the work of the first device while the others copy.
    for (const auto& other : others_) other->fetch(bodies, first_device_, start_.get());
    first_->set_part({.own = range(0, bodies.count), .whole_leaves = direct_, .scratch_free = scratch_free_.get()});
    first_->evaluate(bodies, params, with_potential, events);
    end_.record(events.stream());
    for (std::size_t k = 0; k < others_.size(); ++k) {
      const DevicePart<Real> part{
          .own = range(k + 1, bodies.count), .whole_leaves = direct_, .may_write = scratch_free_.get()};
      Results<Real> results{.overflow = overflow_.data() + 1 + k};
      if (!direct_) {
        results.acceleration = acceleration_.data() + part.own.begin;
        results.interactions = interactions_.data() + part.own.begin;
      }
      others_[k]->enqueue(bodies, part, first_device_, results, params, with_potential);
    }
    const DeviceStageClock clock(events, Stage::exchange);
    for (std::size_t k = 0; k < others_.size(); ++k) {
      PERICENTER_CUDA_CHECK(cudaStreamWaitEvent(events.stream(), others_[k]->done(), 0));
      if (direct_) continue;
      take(acceleration_.data(), range(k + 1, bodies.count), bodies.acceleration, events.stream());
      if (bodies.interactions != nullptr)
        take(interactions_.data(), range(k + 1, bodies.count), bodies.interactions, events.stream());
    }
    launch(any_kernel, {1, 1}, events.stream(), overflow_.data() + 1, static_cast<unsigned>(others_.size()),
           first_->overflow(), overflow_.data());
  }

  bool needs_retry() override {
    bool again = first_->needs_retry();
    if (!divided_) return again;
    for (const auto& other : others_) again |= other->solver().needs_retry();
    if (!again) balance();
    return again;
  }
  const std::uint32_t* overflow() const override { return divided_ ? overflow_.data() : first_->overflow(); }

  std::size_t more_bytes() const override {
    return first_->more_bytes() + acceleration_.bytes() + interactions_.bytes();
  }
  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    first_->tree_boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return first_->tree_levels(); }
  WorkCounts work() const override {
    WorkCounts all = first_->work();
    for (const auto& other : others_) {
      if (divided_) all += other->solver().work();
    }
    return all;
  }
  std::string note() const override {
    const std::string of_first = first_->note();
    if (acceleration_.size() == 0 || !of_first.empty()) return of_first;
    return "The GPUs have no direct connection. Bodies and forces are copied through host memory, which takes longer.";
  }

  std::vector<DeviceShare> shares() const override {
    std::vector<DeviceShare> all = {{.device = first_device_}};
    for (const auto& other : others_) all.push_back(other->share());
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].bodies = divided_ ? share_[k] : k == 0 ? 1 : 0;
      all[k].ms = divided_ ? ms_[k] : 0;
    }
    return all;
  }

 private:
  /// The bodies of device k in tree order.
  BodyRange range(std::size_t k, std::uint32_t count) const {
    const auto place = [&](std::size_t devices) {
      if (devices == share_.size()) return count;
      const double before = std::accumulate(share_.begin(), share_.begin() + static_cast<std::ptrdiff_t>(devices), 0.0);
      return std::min(count, static_cast<std::uint32_t>(before * count));
    };
    return {place(k), place(k + 1)};
  }

  template <class T>
  void take(const T* from, BodyRange range, T* to, cudaStream_t stream) {
    if (range.size() == 0) return;
    launch(distribute_kernel<T>, per_element(range.size(), kThreads), stream, from + range.begin,
           first_->tree_order() + range.begin, range.size(), to);
  }

  /// Gives more bodies to the devices that took less time.
  void balance() {
    PERICENTER_CUDA_CHECK(cudaEventElapsedTime(ms_.data(), start_.get(), end_.get()));
    for (std::size_t k = 0; k < others_.size(); ++k) ms_[k + 1] = others_[k]->measured_ms();
    const float mean = std::accumulate(ms_.begin(), ms_.end(), 0.0f) / static_cast<float>(ms_.size());
    double sum = 0;
    for (std::size_t k = 0; k < share_.size(); ++k) {
      if (ms_[k] > 0) share_[k] *= 1 + kCorrection * (mean / ms_[k] - 1);
      sum += share_[k] = std::max(share_[k], kLeastShare);
    }
    for (double& share : share_) share /= sum;
  }

  const int first_device_;
  std::unique_ptr<CudaSolver<Real>> first_;
  std::vector<std::unique_ptr<OtherDevice<Real>>> others_;
  // Results of the other devices in tree order, if they cannot write to the bodies. Empty before they are requested.
  DeviceBuffer<Vec4<Real>> acceleration_;
  DeviceBuffer<std::uint32_t> interactions_;
  DeviceBuffer<std::uint32_t> overflow_;  ///< flags: any device, then each of the others
  TimedEvent scratch_free_;
  TimedEvent start_, end_;     ///< span of the forces on the first device
  bool direct_ = true;         ///< whether all devices can write to the memory of the first one
  bool divided_ = false;       ///< whether the last evaluate() used all devices
  std::vector<double> share_;  ///< share of the bodies of each device; the sum is 1
  std::vector<float> ms_;
};

}  // namespace

template <class Real>
std::unique_ptr<CudaSolver<Real>> make_divided_solver(const Config& config, std::size_t count,
                                                      std::span<const int> devices) {
  return std::make_unique<DividedSolver<Real>>(config, count, devices);
}
template std::unique_ptr<CudaSolver<float>> make_divided_solver(const Config&, std::size_t, std::span<const int>);
template std::unique_ptr<CudaSolver<double>> make_divided_solver(const Config&, std::size_t, std::span<const int>);

}  // namespace pericenter

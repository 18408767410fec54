#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/scalar.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/simulation/density.cuh"

namespace pericenter {

/// Where vertices get their scalar from.
struct ScalarArrays {
  Scalar scalar = Scalar::speed;
  const std::uint32_t* interactions = nullptr;  ///< null: not known
  const float* logarithms = nullptr;            ///< of the density or the force error; null: not known
};

/// The memory of what is shown, taken when it is shown first and given back when something else is.
template <class Real>
class ShownScalar {
 public:
  ShownScalar(int dimension, std::size_t count, cudaStream_t stream)
      : dimension_(dimension), count_(count), stream_(stream) {}

  /// Whether that changed anything. Without room for `scalar`, no body has one, and note() says so. `log_errors`: of
  /// the forces, perhaps none.
  bool show(Scalar scalar, const std::vector<float>& log_errors) {
    if (scalar == scalar_) return false;
    scalar_ = scalar;
    interactions_ = {};
    errors_ = {};
    density_.reset();
    note_.clear();
    try {
      if (scalar == Scalar::interactions) interactions_ = DeviceBuffer<std::uint32_t>(count_);
      if (scalar == Scalar::density && count_ > 0) density_.emplace(dimension_, count_, stream_);
      if (scalar == Scalar::force_error && !log_errors.empty()) upload(log_errors);
    } catch (const DeviceMemoryError& error) {
      note_ = "The " + std::string(kScalarNames[static_cast<std::size_t>(scalar)]) +
              " of the bodies cannot be shown: " + error.what() + ".";
    }
    return true;
  }
  /// There are others now.
  void clear_errors() {
    if (scalar_ == Scalar::force_error) scalar_ = Scalar::speed;
  }

  /// Where solvers count; null when that is not shown.
  std::uint32_t* interactions() const { return interactions_.data(); }

  /// Enqueues what has to be computed.
  ScalarArrays enqueue(const DeviceBodies<Real>& bodies) {
    ScalarArrays arrays{scalar_, interactions_.data(), errors_.data()};
    if (density_) arrays.logarithms = density_->enqueue(bodies);
    return arrays;
  }

  std::size_t bytes() const { return interactions_.bytes() + errors_.bytes() + (density_ ? density_->bytes() : 0); }
  const std::string& note() const { return note_; }

 private:
  void upload(const std::vector<float>& log_errors) {
    errors_ = DeviceBuffer<float>(log_errors.size());
    PERICENTER_CUDA_CHECK(cudaMemcpy(errors_.data(), log_errors.data(), errors_.bytes(), cudaMemcpyHostToDevice));
    // The copy may return early, and the stream that reads does not wait for it.
    PERICENTER_CUDA_CHECK(cudaDeviceSynchronize());
  }

  const int dimension_;
  const std::size_t count_;
  const cudaStream_t stream_;
  Scalar scalar_ = Scalar::speed;
  DeviceBuffer<std::uint32_t> interactions_;
  DeviceBuffer<float> errors_;
  std::optional<CudaDensity<Real>> density_;
  std::string note_;
};

}  // namespace pericenter

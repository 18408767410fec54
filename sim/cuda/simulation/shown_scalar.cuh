#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/vertex_target.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/simulation/density.cuh"

namespace pericenter {

/// Sources of the scalar of a vertex.
struct ScalarArrays {
  Scalar scalar = Scalar::speed;
  const std::uint32_t* interactions = nullptr;  ///< null: not available
  const float* logarithms = nullptr;            ///< logarithms of the density or the force error; null: not available
};

/// Memory of the displayed scalar, allocated when it is first shown and released when another one is selected.
template <class Real>
class ShownScalar {
 public:
  ShownScalar(int dimension, std::size_t count, cudaStream_t stream)
      : dimension_(dimension), count_(count), stream_(stream) {}

  /// Returns whether anything changed. If `scalar` does not fit into memory, no body has one, and note() reports it.
  /// `log_errors`: force errors per body, possibly empty.
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
      note_ = "Cannot show the " + std::string(kScalarNames[static_cast<std::size_t>(scalar)]) +
              " of the bodies: " + error.what() + ".";
    }
    return true;
  }
  /// Forces the next show() to upload the new force errors.
  void clear_errors() {
    if (scalar_ == Scalar::force_error) scalar_ = Scalar::speed;
  }

  /// Output array of the solvers; null when interactions are not shown.
  std::uint32_t* interactions() const { return interactions_.data(); }

  /// Enqueues the required computations.
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
    copy_to_device(errors_.data(), log_errors.data(), log_errors.size());
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

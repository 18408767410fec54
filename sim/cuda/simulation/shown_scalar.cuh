#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/core/vertex_target.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/simulation/density.cuh"

namespace pericenter {

/// Sources of the scalar of a vertex.
struct ScalarArrays {
  Scalar scalar = Scalar::speed;
  const std::uint32_t* interactions = nullptr;  ///< null: not available
  const float* values = nullptr;  ///< density, force error or field, as vertices store them; null: not available

  /// Without those of the first bodies.
  ScalarArrays from(std::size_t first) const {
    return {scalar, interactions != nullptr ? interactions + first : nullptr,
            values != nullptr ? values + first : nullptr};
  }
};

/// Memory of the displayed scalar, allocated when it is first shown and released when another one is selected.
template <class Real>
class ShownScalar {
 public:
  ShownScalar(int dimension, std::size_t count, cudaStream_t stream)
      : dimension_(dimension), count_(count), stream_(stream) {}

  /// Returns whether anything changed. If `scalar` does not fit into memory, no body has one, and note() reports it.
  /// `values`: those of Simulation::set_values(), possibly empty.
  bool show(Scalar scalar, std::span<const float> values) {
    if (scalar == scalar_) return false;
    scalar_ = scalar;
    interactions_ = {};
    values_ = {};
    density_.reset();
    note_.clear();
    try {
      if (scalar == Scalar::interactions) interactions_ = DeviceBuffer<std::uint32_t>(count_);
      if (scalar == Scalar::density && count_ > 0) density_.emplace(dimension_, count_, stream_);
      if (!values.empty()) upload(values);
    } catch (const DeviceMemoryError& error) {
      note_ = "Cannot show the " + std::string(kScalarNames[static_cast<std::size_t>(scalar)]) +
              " of the bodies: " + error.what() + ".";
    }
    return true;
  }
  /// Forces the next show() to upload the new values of `scalar`.
  void clear_values(Scalar scalar) {
    if (scalar_ == scalar) scalar_ = Scalar::speed;
  }

  /// Output array of the solvers; null when interactions are not shown.
  std::uint32_t* interactions() const { return interactions_.data(); }

  /// Enqueues the required computations.
  ScalarArrays enqueue(const DeviceBodies<Real>& bodies) {
    ScalarArrays arrays{scalar_, interactions_.data(), values_.data()};
    if (density_) arrays.values = density_->enqueue(bodies);
    return arrays;
  }

  std::size_t bytes() const { return interactions_.bytes() + values_.bytes() + (density_ ? density_->bytes() : 0); }
  const std::string& note() const { return note_; }

 private:
  void upload(std::span<const float> values) {
    values_ = DeviceBuffer<float>(values.size());
    copy_to_device(values_.data(), values.data(), values.size());
  }

  const int dimension_;
  const std::size_t count_;
  const cudaStream_t stream_;
  Scalar scalar_ = Scalar::speed;
  DeviceBuffer<std::uint32_t> interactions_;
  DeviceBuffer<float> values_;
  std::optional<CudaDensity<Real>> density_;
  std::string note_;
};

}  // namespace pericenter

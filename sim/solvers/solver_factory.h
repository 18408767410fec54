#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "sim/core/config.h"

namespace pericenter {

/// Creates one CPU part of a solver, for each precision and dimension; a row of the solver table points to it.
template <template <class, int> class Base>
struct SolverFactory {
  template <class Real, int Dim>
  using Make = std::unique_ptr<Base<Real, Dim>> (*)(const Config&);

  Make<float, 2> float2;
  Make<float, 3> float3;
  Make<double, 2> double2;
  Make<double, 3> double3;

  template <class Real, int Dim>
  std::unique_ptr<Base<Real, Dim>> make(const Config& config) const {
    if constexpr (std::is_same_v<Real, float>) {
      if constexpr (Dim == 2) return float2(config);
      if constexpr (Dim == 3) return float3(config);
    } else {
      if constexpr (Dim == 2) return double2(config);
      if constexpr (Dim == 3) return double3(config);
    }
  }
};

/// Passes the config to the constructor if that accepts one.
template <class Base, class Derived>
std::unique_ptr<Base> make_part(const Config& config) {
  if constexpr (std::is_constructible_v<Derived, const Config&>) {
    return std::make_unique<Derived>(config);
  } else {
    return std::make_unique<Derived>();
  }
}

/// Factory of a class template.
template <template <class, int> class Base, template <class, int> class Derived>
constexpr SolverFactory<Base> solver_factory() {
  return {make_part<Base<float, 2>, Derived<float, 2>>, make_part<Base<float, 3>, Derived<float, 3>>,
          make_part<Base<double, 2>, Derived<double, 2>>, make_part<Base<double, 3>, Derived<double, 3>>};
}

template <class Real>
class CudaSolver;

/// Creates a CUDA solver for `count` bodies in one precision.
template <class Real>
struct CudaSolverMaker {
  /// Upper limit of the device memory that the solver allocates when it is created.
  std::size_t (*bytes)(const Config& config, std::size_t count);
  std::unique_ptr<CudaSolver<Real>> (*make)(const Config& config, std::size_t count);
};
/// The same for both precisions; a row of the solver table points to it.
struct CudaSolverFactory {
  CudaSolverMaker<float> float32;
  CudaSolverMaker<double> float64;

  template <class Real>
  const CudaSolverMaker<Real>& maker() const {
    if constexpr (std::is_same_v<Real, float>) {
      return float32;
    } else {
      return float64;
    }
  }
};

}  // namespace pericenter

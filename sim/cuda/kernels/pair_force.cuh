#pragma once

#include <cuda_runtime.h>

#include <cmath>

#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/solvers/simd/pair_kernels.h"

// Softened source-target interactions with the force law of PairKernels, one pair per call.
namespace pericenter {

template <class Real>
struct Softening {
  Real length;
  Real squared;   ///< never below kTinySquare
  Real excluded;  ///< a source whose softened squared distance is not greater contributes no potential
};

template <class Real>
Softening<Real> make_softening(double length) {
  const Real epsilon = static_cast<Real>(length), squared = epsilon * epsilon;
  return {epsilon, squared > kTinySquare<Real> ? squared : kTinySquare<Real>,
          squared > 0 ? Real(0) : kTinySquare<Real>};
}

/// Relative error 2e-7; `x` must be a normal number.
__device__ __forceinline__ float inverse_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
/// Relative error 3e-16. rsqrt() branches for values that do not occur here; the branches cost more than its
/// arithmetic.
__device__ __forceinline__ double inverse_root(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  // The approximation has 20 bits; one third-order step triples them.
  const double error = fma(-(x * y), y, 1.0);
  return fma(y * error, fma(0.375, error, 0.5), y);
}

template <class Real>
__device__ __forceinline__ bool is_finite(const Vec4<Real>& body) {
  return std::isfinite(body.x) && std::isfinite(body.y) && std::isfinite(body.z);
}
/// A body (w: mass) as a gravity source: clamped to kFarthest, zero mass if it is not finite, mass times `gravity`.
template <class Real>
__device__ __forceinline__ Vec4<Real> gravity_source(const Vec4<Real>& body, Real gravity) {
  const auto clamped = [](Real x) {
    return std::isnan(x) ? Real(0) : std::fmin(std::fmax(x, -kFarthest<Real>), kFarthest<Real>);
  };
  const bool finite = is_finite(body);
  return {clamped(body.x), clamped(body.y), clamped(body.z), finite ? gravity * body.w : Real(0)};
}

/// Self-potential of a softened body that is among its own sources.
template <class Real>
__device__ __forceinline__ Real own_potential(Real mass, const Softening<Real>& softening) {
  return softening.length > 0 ? -mass / softening.length : Real(0);
}

/// Adds the acceleration (w: and the potential) of a point mass (w: mass) at a target to `sum`.
template <bool WithPotential, class Real>
__device__ __forceinline__ void add_point(const Vec4<Real>& source, const Vec4<Real>& target,
                                          const Softening<Real>& softening, Vec4<Real>& sum) {
  const Real x = source.x - target.x, y = source.y - target.y, z = source.z - target.z;
  const Real r2 = x * x + (y * y + (z * z + softening.squared));
  const Real inverse = inverse_root(r2);
  const Real mass_over_r = source.w * inverse;
  const Real strength = mass_over_r * (inverse * inverse);
  sum.x += strength * x;
  sum.y += strength * y;
  sum.z += strength * z;
  if constexpr (WithPotential) sum.w -= r2 > softening.excluded ? mass_over_r : Real(0);
}

/// Mass and second moments of a cell, 3 sum m x_i x_j about its centre of mass.
template <class Real>
struct alignas(16) CellMoments {
  Real xx, xy, xz, yy, yz, zz;
  Real half_trace;  ///< (xx + yy + zz) / 2
  Real mass;
};

template <class Real>
struct CellSource {
  Vec4<Real> center;  ///< centre of mass; w is unused
  CellMoments<Real> moments;
};

/// Like add_point(), for a cell: the expansion of its softened potential to second order.
template <bool WithPotential, class Real>
__device__ __forceinline__ void add_cell(const CellSource<Real>& cell, const Vec4<Real>& target,
                                         const Softening<Real>& softening, Vec4<Real>& sum) {
  // With u = d/R and R^2 = d^2 + eps^2: a = u (m/R^2 + (5/2 u.T.u - tr T / 2)/R^4) - T.u/R^4, where T = 3 sum m x x.
  // Powers of 1/R come first, so a huge distant cell underflows to 0 instead of overflowing.
  const Real x = cell.center.x - target.x, y = cell.center.y - target.y, z = cell.center.z - target.z;
  const Real inverse = inverse_root(x * x + (y * y + (z * z + softening.squared)));
  const Real inverse2 = inverse * inverse, inverse4 = inverse2 * inverse2;
  const Real ux = x * inverse, uy = y * inverse, uz = z * inverse;
  const CellMoments<Real>& t = cell.moments;
  const Real tx = t.xx * ux + (t.xy * uy + t.xz * uz);
  const Real ty = t.xy * ux + (t.yy * uy + t.yz * uz);
  const Real tz = t.xz * ux + (t.yz * uy + t.zz * uz);
  const Real utu = tx * ux + (ty * uy + tz * uz);
  const Real strength = t.mass * inverse2 + (Real(2.5) * utu - t.half_trace) * inverse4;
  sum.x = (sum.x + strength * ux) - inverse4 * tx;
  sum.y = (sum.y + strength * uy) - inverse4 * ty;
  sum.z = (sum.z + strength * uz) - inverse4 * tz;
  if constexpr (WithPotential) {
    const Real second = Real(0.5) * utu - Real(1.0 / 3) * t.half_trace;
    sum.w -= inverse * (t.mass + second * inverse2);
  }
}

}  // namespace pericenter

// Compiled once per instruction set; see vectors_simd.h for the restrictions.
#include "sim/solvers/simd/pair_kernels.h"
#include "sim/solvers/simd/vectors_simd.h"

namespace pericenter::PERICENTER_SIMD {
namespace {

/// Factor that over_cubed_root() leaves out, for the sum over all sources.
template <class Real>
inline constexpr Real kLeftOut = 1;

/// m / x^(3/2), divided by kLeftOut.
template <class Real>
inline Pack<Real> over_cubed_root(Pack<Real> mass, Pack<Real> x) {
  const Pack<Real> inverse = inverse_root(x);
  return mass * inverse * inverse * inverse;
}

#if PERICENTER_LANES > 4
/// With y near 1 / sqrt(x) and e = 1 - x y^2 it is m y^3 (1 - e)^(-3/2), of whose series in e a term or two leave less
/// than rounding does. The factor of the highest power of x y^2 is left out. For constants as rounded, e = 0 must
/// give 1.
#if PERICENTER_LANES == 16
/// 1 + 3/2 e = 3/2 (5/3 - x y^2)
inline constexpr float kFiveThirds = 5.0f / 3;
template <>
inline constexpr float kLeftOut<float> = 1 / (kFiveThirds - 1);
inline Pack<float> series(Pack<float> x, Pack<float> y2) {
  return kFiveThirds - x * y2;
}
#else
/// The estimate has 12 bits there, so one term more: 1 + 3/2 e + 15/8 e^2 = 15/8 ((x y^2 - 7/5)^2 + 28/75)
inline constexpr float kShift = 7.0f / 5, kRest = 28.0f / 75;
template <>
inline constexpr float kLeftOut<float> = 1 / ((1 - kShift) * (1 - kShift) + kRest);
inline Pack<float> series(Pack<float> x, Pack<float> y2) {
  const Pack<float> shifted = x * y2 - kShift;
  return shifted * shifted + kRest;
}
#endif
template <>
inline Pack<float> over_cubed_root<float>(Pack<float> mass, Pack<float> x) {
  const Pack<float> y = approximate_inverse_root(x), y2 = y * y;
  return (mass * y) * (y2 * series(x, y2));
}
#endif

/// How many targets share a load of the sources; bounded by the number of registers. The last block may have fewer.
inline constexpr int kBlock = PERICENTER_LANES == 16 ? 4 : 2;

/// Force or potential that gather over a list, one lane a source.
template <class Real, int Dim>
struct Sums {
  Pack<Real> acceleration[Dim] = {};
  Pack<Real> potential = {};
};

/// Sets the separations `d` and returns their softened squares.
template <class Real, int Dim>
inline Pack<Real> separate(const Pack<Real> (&source)[Dim], const Pack<Real> (&target)[Dim], Real softening_squared,
                           Pack<Real> (&d)[Dim]) {
  for (int k = 0; k < Dim; ++k) d[k] = source[k] - target[k];
  Pack<Real> r2 = d[0] * d[0] + (softening_squared > kTinySquare<Real> ? softening_squared : kTinySquare<Real>);
  for (int k = 1; k < Dim; ++k) r2 += d[k] * d[k];
  return r2;
}

template <class Real, int Dim, bool Potential>
inline void add_points(const Pack<Real> (&source)[Dim], Pack<Real> mass, const Pack<Real> (&target)[Dim],
                       Real softening_squared, Sums<Real, Dim>& sums) {
  Pack<Real> d[Dim];
  const Pack<Real> r2 = separate<Real, Dim>(source, target, softening_squared, d);
  if constexpr (Potential) {
    const Real excluded = softening_squared > 0 ? Real(0) : kTinySquare<Real>;
    sums.potential -= r2 > excluded ? mass * inverse_root(r2) : Pack<Real>{};
  } else {
    const Pack<Real> strength = over_cubed_root<Real>(mass, r2);
    for (int k = 0; k < Dim; ++k) sums.acceleration[k] += strength * d[k];
  }
}

template <class Real, int Dim, bool Potential>
inline void add_cells(const Pack<Real> (&source)[Dim], Pack<Real> mass, const Pack<Real> (&moment)[kMomentCount<Dim>],
                      const Pack<Real> (&target)[Dim], Real softening_squared, Sums<Real, Dim>& sums) {
  // With u = d/R and R^2 = d^2 + eps^2: a = u (m/R^2 + (5/2 u.T.u - tr T / 2)/R^4) - T.u/R^4, where T = 3 sum m x x.
  // Powers of 1/R first: a huge cell far away then underflows to nothing instead of overflowing.
  Pack<Real> d[Dim];
  const Pack<Real> r2 = separate<Real, Dim>(source, target, softening_squared, d);
  const Pack<Real> inverse = inverse_root(r2);
  const Pack<Real> inverse2 = inverse * inverse, inverse4 = inverse2 * inverse2;
  Pack<Real> u[Dim];
  for (int k = 0; k < Dim; ++k) u[k] = d[k] * inverse;
  Pack<Real> tu[Dim];
  Pack<Real> half_trace;
  if constexpr (Dim == 3) {
    tu[0] = moment[0] * u[0] + moment[1] * u[1] + moment[2] * u[2];
    tu[1] = moment[1] * u[0] + moment[3] * u[1] + moment[4] * u[2];
    tu[2] = moment[2] * u[0] + moment[4] * u[1] + moment[5] * u[2];
    half_trace = Real(0.5) * (moment[0] + moment[3] + moment[5]);
  } else {
    tu[0] = moment[0] * u[0] + moment[1] * u[1];
    tu[1] = moment[1] * u[0] + moment[2] * u[1];
    half_trace = Real(0.5) * (moment[0] + moment[2]);
  }
  Pack<Real> utu = tu[0] * u[0];
  for (int k = 1; k < Dim; ++k) utu += tu[k] * u[k];
  if constexpr (Potential) {
    sums.potential -= inverse * (mass + (Real(0.5) * utu - half_trace / 3) * inverse2);
  } else {
    const Pack<Real> strength = mass * inverse2 + (Real(2.5) * utu - half_trace) * inverse4;
    for (int k = 0; k < Dim; ++k) sums.acceleration[k] += strength * u[k] - inverse4 * tu[k];
  }
}

/// Adds the field of a list to Block targets from `first` on.
template <int Block, bool Potential, bool WithMoments, class Real, int Dim, class List>
inline void add_block(const List& list, const TargetBlock<Real, Dim>& targets, std::size_t first,
                      Real softening_squared) {
  Pack<Real> target[Block][Dim];
  Sums<Real, Dim> sums[Block];
  for (int t = 0; t < Block; ++t) {
    for (int k = 0; k < Dim; ++k) target[t][k] = targets.position[k][first + t] - Pack<Real>{};
  }
  for (std::size_t i = 0; i < list.count; i += kLanes<Real>) {
    Pack<Real> source[Dim];
    for (int k = 0; k < Dim; ++k) source[k] = load(list.position[k] + i);
    const Pack<Real> mass = load(list.mass + i);
    if constexpr (WithMoments) {
      Pack<Real> moment[kMomentCount<Dim>];
      for (int k = 0; k < kMomentCount<Dim>; ++k) moment[k] = load(list.moment[k] + i);
      for (int t = 0; t < Block; ++t) {
        add_cells<Real, Dim, Potential>(source, mass, moment, target[t], softening_squared, sums[t]);
      }
    } else {
      for (int t = 0; t < Block; ++t) {
        add_points<Real, Dim, Potential>(source, mass, target[t], softening_squared, sums[t]);
      }
    }
  }
  for (int t = 0; t < Block; ++t) {
    if constexpr (Potential) {
      targets.potential[first + t] += sum<Real>(sums[t].potential);
    } else {
      constexpr Real factor = WithMoments ? 1 : kLeftOut<Real>;
      for (int k = 0; k < Dim; ++k) targets.acceleration[k][first + t] += factor * sum<Real>(sums[t].acceleration[k]);
    }
  }
}

template <class Real, int Dim, bool Potential, bool WithMoments, class List>
void evaluate(const List& list, const TargetBlock<Real, Dim>& targets, Real softening_squared) {
  std::size_t first = 0;
  for (; first + kBlock <= targets.count; first += kBlock) {
    add_block<kBlock, Potential, WithMoments>(list, targets, first, softening_squared);
  }
  const std::size_t rest = targets.count - first;
  if (kBlock > 2 && rest == 3) return add_block<3, Potential, WithMoments>(list, targets, first, softening_squared);
  if (kBlock > 2 && rest == 2) return add_block<2, Potential, WithMoments>(list, targets, first, softening_squared);
  if (rest == 1) add_block<1, Potential, WithMoments>(list, targets, first, softening_squared);
}

template <class Real, int Dim>
constexpr PairKernels<Real, Dim> kTable = {
    evaluate<Real, Dim, false, false, PointList<Real, Dim>>,
    evaluate<Real, Dim, true, false, PointList<Real, Dim>>,
    evaluate<Real, Dim, false, true, CellList<Real, Dim>>,
    evaluate<Real, Dim, true, true, CellList<Real, Dim>>,
};

}  // namespace

template <class Real, int Dim>
const PairKernels<Real, Dim>& pair_kernels() {
  return kTable<Real, Dim>;
}
template const PairKernels<float, 2>& pair_kernels<float, 2>();
template const PairKernels<float, 3>& pair_kernels<float, 3>();
template const PairKernels<double, 2>& pair_kernels<double, 2>();
template const PairKernels<double, 3>& pair_kernels<double, 3>();

}  // namespace pericenter::PERICENTER_SIMD

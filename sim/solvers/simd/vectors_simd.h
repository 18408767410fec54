// Vectors of one instruction set. The build compiles each *_simd.cpp once per instruction set and defines
// PERICENTER_SIMD, its name, and PERICENTER_LANES, its number of float lanes. These files may instantiate only code of
// namespace PERICENTER_SIMD and templates on its vectors: the linker could merge anything else with a copy that uses
// instructions the machine lacks.
#pragma once

#include <cstring>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace pericenter::PERICENTER_SIMD {
namespace {

template <class Real>
inline constexpr int kLanes = PERICENTER_LANES * 4 / static_cast<int>(sizeof(Real));

template <class Real>
struct Register {
  typedef Real Type __attribute__((vector_size(PERICENTER_LANES * 4)));
};
template <class Real>
using Pack = typename Register<Real>::Type;

template <class Real>
Pack<Real> load(const Real* from) {
  Pack<Real> pack;
  std::memcpy(&pack, from, sizeof(pack));
  return pack;
}

/// The first half of the lanes plus the second.
template <class Lanes, std::size_t... Lane>
auto folded(Lanes lanes, std::index_sequence<Lane...>) {
  return __builtin_shufflevector(lanes, lanes, Lane...) +
         __builtin_shufflevector(lanes, lanes, (Lane + sizeof...(Lane))...);
}

/// Pairwise, so that the order is the same for every caller.
template <class Real, std::size_t Width = kLanes<Real>, class Lanes>
Real sum(Lanes lanes) {
  if constexpr (Width == 2)
    return lanes[0] + lanes[1];
  else
    return sum<Real, Width / 2>(folded(lanes, std::make_index_sequence<Width / 2>()));
}

#if PERICENTER_LANES > 4
inline Pack<float> approximate_inverse_root(Pack<float> x) {
#if PERICENTER_LANES == 16
  // The masked form: the plain one warns of an uninitialised variable in g++ 12.
  return reinterpret_cast<Pack<float>>(_mm512_maskz_rsqrt14_ps(0xFFFF, reinterpret_cast<__m512>(x)));
#else
  return reinterpret_cast<Pack<float>>(_mm256_rsqrt_ps(reinterpret_cast<__m256>(x)));
#endif
}

inline Pack<float> inverse_root(Pack<float> x) {
  const Pack<float> y = approximate_inverse_root(x);
  return y * (1.5f - 0.5f * x * y * y);
}
#else
/// Root and division are exact to the last bit on every processor; the approximation of SSE is not the same on all.
inline Pack<float> inverse_root(Pack<float> x) {
#if defined(__SSE2__)
  return 1 / reinterpret_cast<Pack<float>>(_mm_sqrt_ps(reinterpret_cast<__m128>(x)));
#else
  Pack<float> result;
  for (int k = 0; k < kLanes<float>; ++k) result[k] = 1 / __builtin_sqrtf(x[k]);
  return result;
#endif
}
#endif

inline Pack<double> inverse_root(Pack<double> x) {
#if PERICENTER_LANES == 16
  const Pack<double> y = reinterpret_cast<Pack<double>>(_mm512_maskz_rsqrt14_pd(0xFF, reinterpret_cast<__m512d>(x)));
  const Pack<double> z = y * (1.5 - 0.5 * x * y * y);
  return z * (1.5 - 0.5 * x * z * z);
#else
  Pack<double> result;
  for (int k = 0; k < kLanes<double>; ++k) result[k] = 1 / __builtin_sqrt(x[k]);
  return result;
#endif
}

}  // namespace
}  // namespace pericenter::PERICENTER_SIMD

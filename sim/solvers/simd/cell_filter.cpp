#include "sim/solvers/simd/cell_filter.h"

namespace pericenter {

// Each is defined in a file of its own, compiled for that instruction set.
namespace plain {
template <class Real, int Dim>
CellFilter<Real, Dim> the_sieve();
}
#if defined(__x86_64__)
namespace avx2 {
template <class Real, int Dim>
CellFilter<Real, Dim> the_sieve();
}
namespace avx512 {
template <class Real, int Dim>
CellFilter<Real, Dim> the_sieve();
}
#endif

template <class Real, int Dim>
CellFilter<Real, Dim> cell_filter(Simd simd) {
  if (simd == Simd::best) simd = supported_simd().back();
#if defined(__x86_64__)
  if (simd == Simd::avx512) return avx512::the_sieve<Real, Dim>();
  if (simd == Simd::avx2) return avx2::the_sieve<Real, Dim>();
#endif
  return plain::the_sieve<Real, Dim>();
}
template CellFilter<float, 2> cell_filter<float, 2>(Simd);
template CellFilter<float, 3> cell_filter<float, 3>(Simd);
template CellFilter<double, 2> cell_filter<double, 2>(Simd);
template CellFilter<double, 3> cell_filter<double, 3>(Simd);

}  // namespace pericenter

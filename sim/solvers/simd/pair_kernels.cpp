#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {

// Each is defined in a file of its own, compiled for that instruction set.
namespace plain {
template <class Real, int Dim>
const PairKernels<Real, Dim>& kernels();
}
#if defined(__x86_64__)
namespace avx2 {
template <class Real, int Dim>
const PairKernels<Real, Dim>& kernels();
}
namespace avx512 {
template <class Real, int Dim>
const PairKernels<Real, Dim>& kernels();
}
#endif

template <class Real, int Dim>
const PairKernels<Real, Dim>& pair_kernels(Simd simd) {
  if (simd == Simd::best) simd = supported_simd().back();
#if defined(__x86_64__)
  if (simd == Simd::avx512) return avx512::kernels<Real, Dim>();
  if (simd == Simd::avx2) return avx2::kernels<Real, Dim>();
#endif
  return plain::kernels<Real, Dim>();
}
template const PairKernels<float, 2>& pair_kernels<float, 2>(Simd);
template const PairKernels<float, 3>& pair_kernels<float, 3>(Simd);
template const PairKernels<double, 2>& pair_kernels<double, 2>(Simd);
template const PairKernels<double, 3>& pair_kernels<double, 3>(Simd);

}  // namespace pericenter

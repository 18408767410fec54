#include "sim/solvers/simd/far_kernels.h"

namespace pericenter {

// Each is defined in a file of its own, compiled for that instruction set; one after the other for the orders.
namespace plain {
template <class Real, int Dim>
const FarKernels<Real, Dim>* all_far_kernels();
}
#if defined(__x86_64__)
namespace avx2 {
template <class Real, int Dim>
const FarKernels<Real, Dim>* all_far_kernels();
}
namespace avx512 {
template <class Real, int Dim>
const FarKernels<Real, Dim>* all_far_kernels();
}
#endif

template <class Real, int Dim>
const FarKernels<Real, Dim>& far_kernels(Simd simd, int order) {
  if (simd == Simd::best) simd = supported_simd().back();
  const int place = order - kMinOrder;
#if defined(__x86_64__)
  if (simd == Simd::avx512) return avx512::all_far_kernels<Real, Dim>()[place];
  if (simd == Simd::avx2) return avx2::all_far_kernels<Real, Dim>()[place];
#endif
  return plain::all_far_kernels<Real, Dim>()[place];
}
template const FarKernels<float, 2>& far_kernels<float, 2>(Simd, int);
template const FarKernels<float, 3>& far_kernels<float, 3>(Simd, int);
template const FarKernels<double, 2>& far_kernels<double, 2>(Simd, int);
template const FarKernels<double, 3>& far_kernels<double, 3>(Simd, int);

}  // namespace pericenter

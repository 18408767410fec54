#include "sim/solvers/simd/cell_filter.h"
#include "sim/solvers/simd/expansion_kernels.h"
#include "sim/solvers/simd/pair_kernels.h"
#include "sim/solvers/simd/test_particles.h"

// The *_simd.cpp files are compiled once per instruction set, each time into a namespace of that name.
#define PERICENTER_DECLARE(instruction_set)                                         \
  namespace pericenter::instruction_set {                                           \
  template <class Real, int Dim>                                                    \
  const PairKernels<Real, Dim>& pair_kernels();                                     \
  template <class Real, int Dim>                                                    \
  const ExpansionKernels<Real, Dim>* expansion_kernels(); /* [order - kMinOrder] */ \
  template <class Real, int Dim>                                                    \
  CellFilter<Real, Dim> cell_filter();                                              \
  ParticleKernel particle_kernel();                                                 \
  }
PERICENTER_DECLARE(plain)
#if defined(__x86_64__)
PERICENTER_DECLARE(avx2)
PERICENTER_DECLARE(avx512)
#endif

namespace pericenter {
namespace {

Simd chosen(Simd simd) {
  return simd == Simd::best ? supported_simd().back() : simd;
}

}  // namespace

template <class Real, int Dim>
const PairKernels<Real, Dim>& pair_kernels(Simd simd) {
  switch (chosen(simd)) {
#if defined(__x86_64__)
    case Simd::avx512:
      return avx512::pair_kernels<Real, Dim>();
    case Simd::avx2:
      return avx2::pair_kernels<Real, Dim>();
#endif
    default:
      return plain::pair_kernels<Real, Dim>();
  }
}

template <class Real, int Dim>
const ExpansionKernels<Real, Dim>& expansion_kernels(Simd simd, int order) {
  const int place = order - kMinOrder;
  switch (chosen(simd)) {
#if defined(__x86_64__)
    case Simd::avx512:
      return avx512::expansion_kernels<Real, Dim>()[place];
    case Simd::avx2:
      return avx2::expansion_kernels<Real, Dim>()[place];
#endif
    default:
      return plain::expansion_kernels<Real, Dim>()[place];
  }
}

template <class Real, int Dim>
CellFilter<Real, Dim> cell_filter(Simd simd) {
  switch (chosen(simd)) {
#if defined(__x86_64__)
    case Simd::avx512:
      return avx512::cell_filter<Real, Dim>();
    case Simd::avx2:
      return avx2::cell_filter<Real, Dim>();
#endif
    default:
      return plain::cell_filter<Real, Dim>();
  }
}

ParticleKernel particle_kernel(Simd simd) {
  switch (chosen(simd)) {
#if defined(__x86_64__)
    case Simd::avx512:
      return avx512::particle_kernel();
    case Simd::avx2:
      return avx2::particle_kernel();
#endif
    default:
      return plain::particle_kernel();
  }
}

#define PERICENTER_INSTANTIATE(Real, Dim)                                                    \
  template const PairKernels<Real, Dim>& pair_kernels<Real, Dim>(Simd);                      \
  template const ExpansionKernels<Real, Dim>& expansion_kernels<Real, Dim>(Simd, int order); \
  template CellFilter<Real, Dim> cell_filter<Real, Dim>(Simd);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter

#define PERICENTER_SIMD avx2
#define PERICENTER_LANES 8
#include "sim/solvers/simd/far_kernels_impl.h"

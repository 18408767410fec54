#define PERICENTER_SIMD avx512
#define PERICENTER_LANES 16
#include "sim/solvers/simd/far_kernels_impl.h"

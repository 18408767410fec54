#define PERICENTER_SIMD avx2
#define PERICENTER_LANES 8
#include "sim/solvers/far_kernels_impl.h"

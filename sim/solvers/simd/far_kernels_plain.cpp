#define PERICENTER_SIMD plain
#define PERICENTER_LANES 4
#include "sim/solvers/simd/far_kernels_impl.h"

#define PERICENTER_SIMD plain
#define PERICENTER_LANES 4
#include "sim/solvers/far_kernels_impl.h"

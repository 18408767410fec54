#define PERICENTER_SIMD plain
#define PERICENTER_LANES 4
#include "sim/solvers/simd/pair_kernels_impl.h"

#define PERICENTER_SIMD avx512
#define PERICENTER_LANES 16
#include "sim/solvers/simd/cell_filter_impl.h"

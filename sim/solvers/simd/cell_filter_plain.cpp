#define PERICENTER_SIMD plain
#define PERICENTER_LANES 4
#include "sim/solvers/simd/cell_filter_impl.h"

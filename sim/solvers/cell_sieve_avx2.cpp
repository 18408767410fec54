#define PERICENTER_SIMD avx2
#define PERICENTER_LANES 8
#include "sim/solvers/cell_sieve_impl.h"

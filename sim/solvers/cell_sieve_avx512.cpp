#define PERICENTER_SIMD avx512
#define PERICENTER_LANES 16
#include "sim/solvers/cell_sieve_impl.h"

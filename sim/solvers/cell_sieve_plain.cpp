#define PERICENTER_SIMD plain
#define PERICENTER_LANES 4
#include "sim/solvers/cell_sieve_impl.h"

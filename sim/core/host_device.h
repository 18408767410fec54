#pragma once

/// Before functions that kernels call as well as the CPU. One that is constexpr is so without it.
#ifdef __CUDACC__
#define PERICENTER_BOTH __host__ __device__
#else
#define PERICENTER_BOTH
#endif

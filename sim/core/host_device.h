#pragma once

/// Marks functions that both the CPU and kernels call; constexpr functions do not need it.
#ifdef __CUDACC__
#define PERICENTER_HOST_DEVICE __host__ __device__
#else
#define PERICENTER_HOST_DEVICE
#endif

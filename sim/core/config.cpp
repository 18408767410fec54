#include "sim/core/config.h"

#include <cmath>
#include <sstream>

namespace pericenter {
namespace {

constexpr double kMaxStep = 1e20;  // forces square the distance of a step, and floats end at 3e38

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

}  // namespace

std::vector<Simd> supported_simd() {
  std::vector<Simd> levels = {Simd::plain};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) levels.push_back(Simd::avx2);
  if (levels.back() == Simd::avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    levels.push_back(Simd::avx512);
  }
#endif
  return levels;
}

std::string problem_with(const Params& params) {
  if (!(params.theta >= 0 && params.theta <= 2)) {
    return sentence("theta is ", params.theta, "; it must be between 0 (direct sum) and 2");
  }
  if (!(params.accuracy >= kMinAccuracy && params.accuracy <= kMaxAccuracy)) {
    return sentence("accuracy is ", params.accuracy, "; it must be between ", kMinAccuracy, " and ", kMaxAccuracy);
  }
  if (!(params.softening >= 0 && std::isfinite(params.softening))) {
    return sentence("softening is ", params.softening, "; it must be a finite length, 0 or more");
  }
  if (!std::isfinite(params.dt))
    return sentence("dt is ", params.dt, "; it must be finite (negative runs time backwards)");
  if (std::abs(params.dt) > kMaxStep) {
    return sentence("dt is ", params.dt, "; it must be at most ", kMaxStep, ", the range of single precision");
  }
  const double tolerance = params.adaptive_steps;
  if (tolerance != 0 && !(tolerance >= kMinAdaptiveSteps && tolerance <= kMaxAdaptiveSteps)) {
    return sentence("adaptive-steps is ", tolerance, "; it must be 0 (off) or between ", kMinAdaptiveSteps, " and ",
                    kMaxAdaptiveSteps);
  }
  if (!std::isfinite(params.gravity)) return sentence("gravity is ", params.gravity, "; it must be finite");
  return {};
}

}  // namespace pericenter

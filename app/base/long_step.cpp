#include "app/base/long_step.h"

#include <cmath>

#include "app/base/format.h"
#include "sim/core/timestep_criterion.h"

namespace pericenter::app {

std::string long_step_warning(const Params& params, const Diagnostics& now, bool softening_helps) {
  const double max_dt = max_safe_dt(params, now);
  if (params.softening > 0)
    return text(
        "the strongest acceleration moves a body from rest by %.2g softening lengths per step. Use --dt below %.2g%s "
        "to "
        "stay under %g.",
        fall_per_step(params, now), max_dt, softening_helps ? " or a larger --softening" : "", kMaxFallPerStep);
  return text(
      "the shortest orbit takes %.2g steps, and there is no softening. Use --dt below %.2g for at least %.0f "
      "steps%s.",
      now.shortest_orbit / std::abs(longest_part(params, now)), max_dt, kMinStepsPerOrbit,
      softening_helps ? ", or --softening" : "");
}

}  // namespace pericenter::app

#include "sim/session/next_config.h"

#include "sim/core/device.h"
#include "sim/run/run_state.h"
#include "sim/solvers/registry.h"

namespace pericenter {

Config next_config(const RunState& now) {
  const bool left = now.automatic_backend && now.automatic_integrator && has_internal_steps(now.config);
  if (!left || !cuda_status().find(now.config.device)) return now.config;
  return without_unsupported_values(on_device(now.config, now.config.device));
}

}  // namespace pericenter

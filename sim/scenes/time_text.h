#pragma once

#include <string>

#include "sim/scenes/registry.h"

namespace pericenter {

/// The unit in which times of a scene are shown: one that its own unit of time is not small in.
struct TimeUnit {
  const char* name;   ///< "Myr"; empty when the scene has no physical units
  double scene_time;  ///< 1 in scene units, in this unit
  int decimals;       ///< that can be seen to change while the scene runs
};
TimeUnit time_unit(const Units& units);
/// A time as "390 Myr" or "2.35 yr", or "t = 28.30" when the scene has no physical units.
std::string time_text(double time, const Units& units);

}  // namespace pericenter

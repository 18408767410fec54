#pragma once

#include <memory>

#include "sim/analysis/health.h"
#include "sim/core/bodies.h"
#include "sim/files/file_origin.h"
#include "sim/files/load.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// A run between two steps, which another Session can continue: see request::TakeCopy and request::ContinueCopy.
struct RunCopy {
  Bodies bodies;
  SessionState state;
  std::shared_ptr<const SceneSource> source;  ///< null for a scene of the scene table
  std::shared_ptr<const FileOrigin> origin;
  Conservation conservation;  ///< errors of the energy and the momentum so far
  HealthHistory health;
};

}  // namespace pericenter

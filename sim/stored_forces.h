#pragma once

#include "sim/config.h"

namespace pericenter {

/// What the accelerations that a simulation keeps were computed with, and whether they still belong to its positions.
class StoredForces {
 public:
  /// Whether they are what an evaluation with these parameters would give, potentials included if asked for.
  bool serve(const Params& params, bool with_potential) const {
    const bool same_law =
        law_.theta == params.theta && law_.softening == params.softening && law_.gravity == params.gravity;
    return valid_ && same_law && (has_potential_ || !with_potential);
  }
  void set(const Params& params, bool with_potential) {
    law_ = params;
    valid_ = true;
    has_potential_ = with_potential;
  }
  /// The positions have changed.
  void forget() { valid_ = false; }

 private:
  Params law_;
  bool valid_ = false, has_potential_ = false;
};

}  // namespace pericenter

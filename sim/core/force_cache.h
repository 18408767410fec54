#pragma once

#include "sim/core/config.h"

namespace pericenter {

/// The parameters of the stored accelerations, and whether these still belong to the current positions.
class ForceCache {
 public:
  /// Whether an evaluation with these parameters would give the stored forces, with potentials and interaction counts
  /// if requested.
  bool valid_for(const Params& params, bool with_potential, bool with_counts = false) const {
    const bool same_force = params_.theta == params.theta && params_.accuracy == params.accuracy &&
                            params_.softening == params.softening && params_.gravity == params.gravity;
    return valid_ && same_force && (has_potential_ || !with_potential) && (has_counts_ || !with_counts);
  }
  void set(const Params& params, bool with_potential, bool with_counts) {
    params_ = params;
    valid_ = true;
    has_potential_ = with_potential;
    has_counts_ = with_counts;
  }
  /// Call when positions change.
  void invalidate() { valid_ = false; }
  void invalidate_counts() { has_counts_ = false; }
  /// Parameters of the last evaluation; default parameters before the first.
  const Params& params() const { return params_; }

 private:
  Params params_;
  bool valid_ = false, has_potential_ = false, has_counts_ = false;
};

}  // namespace pericenter

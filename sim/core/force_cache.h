#pragma once

#include "sim/core/config.h"

namespace pericenter {

/// What the accelerations that a simulation keeps were computed with, and whether they still belong to its positions.
class ForceCache {
 public:
  /// Whether they are what an evaluation with these parameters would give, potentials and the
  /// interactions of each body included if asked for.
  bool serve(const Params& params, bool with_potential, bool with_counts = false) const {
    const bool same_law = law_.theta == params.theta && law_.accuracy == params.accuracy &&
                          law_.softening == params.softening && law_.gravity == params.gravity;
    return valid_ && same_law && (has_potential_ || !with_potential) && (has_counts_ || !with_counts);
  }
  void set(const Params& params, bool with_potential, bool with_counts) {
    law_ = params;
    valid_ = true;
    has_potential_ = with_potential;
    has_counts_ = with_counts;
  }
  /// The positions have changed.
  void forget() { valid_ = false; }
  /// What was counted is lost.
  void forget_counts() { has_counts_ = false; }
  /// Of the last evaluation, or those that nobody has changed yet.
  const Params& law() const { return law_; }

 private:
  Params law_;
  bool valid_ = false, has_potential_ = false, has_counts_ = false;
};

}  // namespace pericenter

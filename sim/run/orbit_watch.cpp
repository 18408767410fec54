#include "sim/run/orbit_watch.h"

#include "sim/run/accuracy_watch.h"

namespace pericenter {

void OrbitWatch::on_diagnostics(const RunView& view) {
  if (view.state.playback || !follower_.has_orbits()) return;
  const Params& params = view.state.params;
  if (last_params_ && !have_same_forces(*last_params_, params)) follower_.forget_energies();
  last_params_ = params;
  const BodySample sample = BodySample::of(view.simulation.size(), kMostBodies);
  view.state.orbit_check = follower_.check(view.simulation.sampled_bodies(sample), sample, params);
  view.state.orbit_check.number = ++checks_;
}

}  // namespace pericenter

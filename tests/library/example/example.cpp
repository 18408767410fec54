// Evolves a galaxy, checks its energy and one acceleration, and saves it.
#include <sim/analysis/force_error.h>
#include <sim/auto_solver.h>
#include <sim/core/simulation.h>
#include <sim/files/hdf5/writer.h>
#include <sim/files/load.h>
#include <sim/scenes/registry.h>

#include <cmath>
#include <cstdio>

using namespace pericenter;

int main() {
  const Scene galaxy = find_scene("galaxy")->make({.bodies = 4000, .seed = 7});
  const Params& params = galaxy.params;
  const Config config = with_auto_solver({.precision = Precision::float64}, galaxy.bodies);
  const auto simulation = Simulation::create(config, galaxy.bodies);

  const Diagnostics start = simulation->diagnostics(params);
  for (int k = 0; k < 20; ++k) simulation->step(params);
  const Diagnostics end = simulation->diagnostics(params);
  const double drift = energy_error(start, end);
  std::printf("%s, t = %.2f: E = %.6f, 2K/|r.F| = %.3f, dE/E = %.1e\n", config.solver.c_str(), simulation->time(),
              end.energy(), end.virial_ratio(), drift);

  const Bodies bodies = simulation->bodies();
  const std::size_t sampled[] = {0, 1234};
  const std::vector<Vec3> exact = direct_accelerations(bodies, sampled, params.softening);
  const std::vector<Vec3> all = simulation->accelerations(params);
  const ForceErrors errors = force_errors(std::vector{all[0], all[1234]}, exact);
  std::printf("a[1234] = %.4f %.4f %.4f, error %.1e\n", all[1234][0], all[1234][1], all[1234][2], errors.max);

  Snapshot snapshot;
  snapshot.bodies = bodies;
  snapshot.units = file_units(galaxy.units, params.gravity);
  snapshot.time = simulation->time();
  write_hdf5("galaxy.hdf5", snapshot, {});
  const bool same = read_snapshot("galaxy.hdf5", {}).bodies.size() == bodies.size();
  return std::abs(drift) < 1e-3 && errors.max < 0.02 && same ? 0 : 1;
}

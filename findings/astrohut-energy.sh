#!/usr/bin/env bash
# astrohut 0.1.2 (needs gcc): what Simulation.getEnergies() returns as the energy of the system is minus twice the
# potential energy: potentials are positive, each pair is there twice, and the kinetic energy is not. It is not conserved.
# Seen on 2026-11-30: two bodies of mass 1, released at rest at a distance of 1, have an energy of +2.00, which grows to
# 3.47 on their way to a distance of 0.58; the right one is -1 all the time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check matplotlib==3.11.1 numpy==2.4.6 setuptools==80.9.0 \
  wheel==0.45.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation astrohut==0.1.2
OMP_NUM_THREADS=1 MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import astrohut, numpy

places = numpy.array([[-0.5, 0, 0], [0.5, 0, 0]])
run = astrohut.Simulation(astrohut.createArray(places, 0 * places), dim=3, dt=1e-3, epsilon=0.0, mass_unit=1.0, G=1.0)
run.start(600, threads=1, save_to_array_every=100)
bodies, energies = run.results_bodies, run.getEnergies()
distance = numpy.linalg.norm(bodies[:, 1, :3] - bodies[:, 0, :3], axis=1)
kinetic = 0.5 * (bodies[:, :, 3:6]**2).sum(axis=(1, 2))
for k in range(len(energies)):
    print(f"distance {distance[k]:.4f}: energy {energies[k]:.4f}, 2 / distance {2 / distance[k]:.4f}; kinetic energy "
          f"- 1 / distance {kinetic[k] - 1 / distance[k]:.4f}")
assert numpy.allclose(kinetic - 1 / distance, -1, atol=0.01)
assert numpy.allclose(energies, 2 / distance, atol=0.01) and energies[-1] > 1.5 * energies[0]
END

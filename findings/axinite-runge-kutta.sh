#!/usr/bin/env bash
# axinite 1.24.17: in the Runge-Kutta backends, bodies repel each other: after the first stage, the vector between two
# bodies has the opposite sign. In the backend verlet, orbits are right, but stored velocities are half of the right
# ones: differences over one step are divided by two steps. Seen on 2026-11-30: a planet on a circular orbit at 1 AU
# around the Sun is 1.803, 1.301 and 1.565 AU away after 59.96 days with rk2, rk3 and rk4; with verlet, it is at 1.000 AU
# with half its speed, and its kinetic energy is a quarter.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numba==0.67.0 numpy==2.4.6 scipy==1.17.1 \
  matplotlib==3.11.1 plotly==6.5.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps axinite==1.24.17
environment/bin/python -W ignore - <<'END'
import sys
from unittest import mock

sys.modules["vpython"] = mock.MagicMock()  # it only draws, and needs Jupyter
import axinite, numpy

distance, mass, step, end = 1.495978707e11, 1.98892e30, 3600.0, 86400.0 * 60
speed = (axinite.G * mass / distance) ** 0.5
seen = {}
for name in ("rk2", "rk3", "rk4", "verlet"):
    bodies = [axinite.Body("Sun", mass, end, step, [0, 0, 0], [0, 0, 0]),
              axinite.Body("planet", 1.0, end, step, [distance, 0, 0], [0, speed, 0])]
    sun, planet = axinite.load(step, end, getattr(axinite, name + "_nojit_backend"), *bodies)
    seen[name] = [numpy.linalg.norm(planet.rs[-1] - sun.rs[-1]) / distance, numpy.linalg.norm(planet.vs[-1]) / speed]
    print(f"{name}: distance {seen[name][0]:.4f} AU, speed / that of a circular orbit {seen[name][1]:.4f}")
    if name == "verlet":
        energy = axinite.analysis.kinetic_energy_at(1000, [sun, planet]) / (0.5 * speed**2)
        moved = numpy.linalg.norm(planet.rs[1000] - planet.rs[999]) / step / speed
        print(f"verlet: kinetic energy / the right one {energy:.4f}; path of a step / step {moved:.4f} of the speed")
        assert abs(energy - 0.25) < 1e-3 and abs(moved - 1) < 1e-3
assert numpy.allclose([seen[name][0] for name in seen], [1.8034, 1.3007, 1.5651, 1], atol=1e-3)
assert abs(seen["verlet"][1] - 0.5) < 1e-3
END

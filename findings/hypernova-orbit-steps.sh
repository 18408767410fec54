#!/usr/bin/env bash
# hypernova-orbit 0.2.0, orbits of satellites: with YOSHIDA8, time runs 1.078 times too fast, since the middle weight is
# that of the method of fourth order, and the weights do not sum to 1. With RK45, a step whose error is too large is
# rejected, but its result is kept: the satellite moves on without time. The symplectic methods end a step early. Seen
# on 2026-11-30: after 60 s, YOSHIDA8 is 35 km ahead; RK45 with a first step of 600 s is 1,050 s ahead of its time after
# 90 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 cffi==1.17.1 matplotlib==3.8.4 \
  setuptools==69.5.1 wheel==0.43.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation hypernova-orbit==0.2.0
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import numpy
from hypernova.propagation import initialize_problem, initialize_spacecraft, propagate_orbit
from hypernova.solvers import RK4, RK45, VERLET, YOSHIDA4, YOSHIDA8

body = initialize_spacecraft(1)


def orbit(solver, step, tolerance):
    problem = initialize_problem(0, 0.06, [6878e3, 0, 0, 0, 1000, 7500], body)
    solution = propagate_orbit(problem, solver, step, tolerance)
    return numpy.array(solution.jd).ravel() * 86400, numpy.array(solution.y)


times, right = orbit(RK4, 1, 1e3)
for name, solver in (("YOSHIDA4", YOSHIDA4), ("YOSHIDA8", YOSHIDA8)):
    time, found = orbit(solver, 60, 1)
    error = numpy.linalg.norm(found[1, :3] - right[60, :3])
    print(f"{name}: after 60 s, {error / 1000:.3f} km from the right place; last time {time[-1]:.0f} of 5184 s")
    assert error > 34e3 if solver is YOSHIDA8 else error < 100
found = orbit(VERLET, 1, 1)
print(f"VERLET: last time {found[0][-1]:.0f} of 5184 s")
assert round(found[0][-1]) == 5183
time, found = orbit(RK45, 600, 1e-3)
place = numpy.linalg.norm(right[:, :3] - found[1, :3], axis=1).argmin()
print(f"RK45: after {time[1]:.0f} s, the satellite is where it should be after {times[place]:.0f} s")
assert times[place] - time[1] > 600
END

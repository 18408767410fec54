#!/usr/bin/env bash
# MSG_Nbody 0.2.7: with more than 3,000 bodies, the potential that it saves is wrong; the accelerations are right. It
# takes bodies in blocks of 3,000, computes a pair of bodies of two blocks once, and gives this term the wrong sign in
# the potential of the second. Seen on 2026-11-29: the mean potentials (positive here) of the first and the last 3,000
# bodies of a sphere of 6,000 are 0.562 and 0.000, in one block 0.562 and 0.563. compute_relative_energy uses them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check MSG_Nbody==0.2.7 numba==0.68.1 numpy==2.4.6
environment/bin/python -W ignore - <<'END'
import numpy
from MSG_Nbody.acceleration_potential import compute_accel_potential

count = 6000
positions, masses = numpy.random.default_rng(1).normal(size=(count, 3)), numpy.full((count, 1), 1 / count)
seen = []
for block in (3000, count):  # 3000 is the default, and the program has no other
    acceleration, potential = compute_accel_potential(positions, masses, numpy.zeros((count, 3)),
                                                      numpy.zeros((count, 1)), 0.01, count, block)
    seen.append((acceleration, float(potential[:3000].mean()), float(potential[3000:].mean())))
    print(f"blocks of {block}: mean potential of the first 3000 bodies {seen[-1][1]:.3f}, of the last {seen[-1][2]:.3f}")
assert numpy.allclose(seen[0][0], seen[1][0])
assert abs(seen[0][1] - seen[1][1]) < 1e-9 and abs(seen[0][2]) < 0.01 and abs(seen[1][2] - 0.563) < 0.001
END

#!/usr/bin/env bash
# gravbody 0.1.0, barnes_hut=True: two bodies that are closer than 1e-5 of their distance from the origin are taken for
# one, and do not attract each other; a body is recognised by numpy.isclose() of its place. And the first half step of
# the leapfrog has no acceleration, with and without the tree: from rest, velocities are half of what they should be
# after the first step. Seen on 2026-11-30: of a binary of 0.05 pc at 8 kpc from the origin, no body moves with the tree;
# at the origin, and with the direct sum, both fall.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6
environment/bin/pip install --quiet --disable-pip-version-check --no-deps gravbody==0.1.0
environment/bin/python - <<'END'
import numpy
from gravbody.nbody import NBody

constant, mass, separation, step = 4.30091e-6, 1.0, 5e-5, 1e-6  # kpc, km/s, solar masses
right = constant * mass / separation**2 * step
seen = {}
for origin in (0.0, 8.0):
    for tree in (True, False):
        places = numpy.array([[origin - separation / 2, 0, 0], [origin + separation / 2, 0, 0]])
        bodies = NBody(places, numpy.zeros((2, 3)), numpy.array([mass, mass]), constant, barnes_hut=tree)
        first = [bodies.advanceSimulation(step), bodies.velocity[0, 0] / right][1]
        second = [bodies.advanceSimulation(step), bodies.velocity[0, 0] / right][1]
        seen[origin, tree] = (first, second)
        print(f"binary at {origin:g} kpc, {'tree' if tree else 'direct sum'}: velocity in units of acceleration times "
              f"step: {first:.3f} after one step, {second:.3f} after two")
assert seen[8, True] == (0, 0)
assert all(numpy.allclose(seen[case], [0.5, 1.5], atol=1e-3) for case in seen if case != (8, True))
END

#!/usr/bin/env bash
# cosmic-unified-sim 0.2.0: the integrator "yoshida6" repels. Of its 9 stages, every other one has no kick, and the
# middle coefficient of Yoshida's method is in the list of the outer ones as well: the weights of the kicks have the sum
# -2.10 instead of 1. "yoshida4", "forest_ruth", "verlet" and "leapfrog" are right. Seen on 2026-11-30: a body that is
# released at rest at a distance of 1 from a mass of 1 has the velocity -0.001 towards it after a step of 0.001 with these,
# +0.0021 with "yoshida6"; a circular orbit has left to a distance of 3.16 after a quarter of its period.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps cosmic-unified-sim==0.2.0
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import math

import numpy
from sim.cosmic.integrators import IntegratorState, get_integrator

def acceleration(places, masses):  # of a mass of 1 at the origin
    return -places / numpy.linalg.norm(places, axis=1)[:, None] ** 3

def run(name, velocity, step, steps):
    integrator = get_integrator(name)
    state = IntegratorState(numpy.array([[1.0, 0, 0]]), numpy.array([velocity]), numpy.ones(1), 0.0)
    for _ in range(steps):
        state = integrator.step(state, step, acceleration)
    return state

for name in ("verlet", "leapfrog", "yoshida4", "forest_ruth", "yoshida6"):
    fall = run(name, [0.0, 0, 0], 1e-3, 1).velocities[0, 0]
    circle = run(name, [0.0, 1, 0], math.pi / 2000, 1000)  # a quarter of the orbit
    distance = numpy.linalg.norm(circle.positions[0])
    print(f"{name}: velocity from rest after 0.001: {fall:+.6f}; circular orbit after a quarter: distance {distance:.4f}")
    if name == "yoshida6":
        assert 2e-3 < fall < 2.2e-3 and distance > 2
    else:
        assert abs(fall + 1e-3) < 1e-6 and abs(distance - 1) < 1e-4
END

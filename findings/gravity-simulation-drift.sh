#!/usr/bin/env bash
# gravity-simulation 2.0.1: each step of its leapfrog method moves the bodies by half a step and changes their velocities
# by a whole one; the second half of the move is missing, so that bodies move at half their velocities.
# Seen on 2026-12-01: without gravity, a body with velocity 1 is at 0.5 at time 1; a body that should orbit on a circle
# comes as near as 0.53 of its radius.
# Right value: dx / dt = v; the leapfrog method is drift by half a step, kick by a step, drift by half a step.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 numba==0.60.0 matplotlib==3.8.4 \
  pandas==2.2.3 ipython==8.29.0
environment/bin/pip install --quiet --disable-pip-version-check --no-deps gravity-simulation==2.0.1
MPLBACKEND=Agg environment/bin/python -W ignore - <<'END'
import contextlib, io
from importlib.metadata import version

import numpy
from gravity_simulation.gravity import Body, GravityField

print("gravity-simulation", version("gravity-simulation"))


def run(bodies, steps, step, constant):
    field = GravityField(G=constant)
    for body in bodies:
        field.add_body(Body(*body))
    with contextlib.redirect_stdout(io.StringIO()):
        x, y = field.run(steps, C=step)
    return x.to_numpy(), y.to_numpy()


x, y = run([(0.0, 0.0, 1.0, 0.0, 1.0), (0.0, 50.0, 0.0, 0.0, 1.0)], 100, 0.01, 0.0)
print(f"without gravity, a body with velocity 1 moves by {x[-1, 0] - x[0, 0]:.3f} in a time of 1, should be 1")
assert abs(x[-1, 0] - 0.5) < 0.01
# The force of this program falls with 1 / r: around mass 1, a circular orbit has velocity 1 at all radii.
x, y = run([(1.0, 0.0, 0.0, 1.0, 1e-9), (0.0, 0.0, 0.0, 0.0, 1.0)], 1000, 0.01, 1.0)
radius = numpy.hypot(x[:, 0] - x[:, 1], y[:, 0] - y[:, 1])
print(f"the radius of a circular orbit is between {radius.min():.3f} and {radius.max():.3f}, should be 1")
assert radius.min() < 0.8 and radius.max() < 1.01
END

#!/usr/bin/env bash
# oure 1.1.0, STMCalculator: the state transition matrix of an orbit is the exponential of the time with the gradient
# of gravity at the start, as if the satellite stayed there: errors along the radius grow exponentially, where those of
# an orbit oscillate or grow with time. Seen on 2026-11-30, circular orbit of 7,000 km: after a period, 1 m outwards
# becomes 3,614 m outwards and 0 along the orbit (1 and -18.9 m are right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps oure==1.1.0
environment/bin/python -W ignore - <<'END'
from datetime import UTC, datetime

import numpy
from oure.core import constants
from oure.core.models import StateVector
from oure.uncertainty.stm import STMCalculator
from scipy.integrate import solve_ivp

strength, radius = constants.MU_KM3_S2, 7000.0
speed = (strength / radius) ** 0.5
period = 2 * numpy.pi * radius / speed
start = numpy.array([radius, 0, 0, 0, speed, 0])


def moved(state, time):
    motion = lambda _, s: numpy.concatenate([s[3:], -strength * s[:3] / numpy.linalg.norm(s[:3]) ** 3])
    return solve_ivp(motion, (0, time), state, rtol=1e-12, atol=1e-12, method="DOP853").y[:, -1]


state = StateVector(r=start[:3], v=start[3:], epoch=datetime(2026, 11, 30, tzinfo=UTC), sat_id="1")
for part in (0.1, 1.0):
    found = STMCalculator(fidelity=0).compute(state, part * period)[:2, 0]
    shift = numpy.array([1e-3, 0, 0, 0, 0, 0])
    right = ((moved(start + shift, part * period) - moved(start - shift, part * period)) / 2e-3)[:2]
    print(f"after {part} periods, 1 m outwards becomes {found.round(2)} m along x and y, should be {right.round(2)} m")
assert found[0] > 1000 and abs(found[1]) < 1e-6 and abs(right[0] - 1) < 0.1 and abs(right[1] + 6 * numpy.pi) < 0.1
END

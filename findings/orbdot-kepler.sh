#!/usr/bin/env bash
# OrbDot 1.0.0, which fits orbits of exoplanets: the iteration that solves Kepler's equation ends before its first
# step, because its condition is inverted: the eccentric anomaly equals the mean anomaly. Radial
# velocities of eccentric orbits are wrong in all its models. transit_duration() takes the sine of the true anomaly for
# its cosine: a transit at the pericentre has the duration of one a quarter of a turn away. Seen on 2026-11-30, e =
# 0.5, amplitude 100 m/s: errors of up to 52 m/s; 203 minutes at the pericentre (135 is right), 136 with w = 0 (203 is
# right).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv environment
environment/bin/pip install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1
environment/bin/pip install --quiet --disable-pip-version-check --no-deps orbdot==1.0.0
cat >compare.py <<'END'
import numpy
from scipy.optimize import brentq
from orbdot.models.rv_models import rv_constant, solve_keplers_equation
from orbdot.models.tdv_models import transit_duration

e, period, w, amplitude = 0.5, 10.0, 0.7, 100.0
anomalies = numpy.linspace(0.1, 6, 7)
assert (solve_keplers_equation(anomalies, e) == anomalies).all()


def velocity(time, pericentre):
    mean = 2 * numpy.pi * ((time - pericentre) / period % 1)
    angle = brentq(lambda E: E - e * numpy.sin(E) - mean, -0.1, 6.4)
    f = 2 * numpy.arctan(((1 + e) / (1 - e)) ** 0.5 * numpy.tan(angle / 2))
    return amplitude * (numpy.cos(w + f) + e * numpy.cos(w))


f = numpy.pi / 2 - w  # true anomaly at the transit, at time 0
E = 2 * numpy.arctan(((1 - e) / (1 + e)) ** 0.5 * numpy.tan(f / 2))
pericentre = -period * (E - e * numpy.sin(E)) / (2 * numpy.pi)
times = numpy.linspace(0, period, 200, endpoint=False)
found = rv_constant(0.0, period, e, w, amplitude, 0.0, 0.0, 0.0, times)
right = numpy.array([velocity(time, pericentre) for time in times])
error = numpy.abs(found - right).max()
print(f"radial velocities of up to {numpy.abs(right).max():.0f} m/s: errors of up to {error:.0f} m/s")
assert error > 50

sun, radius = 6.6743e-11 * 1.9885e30, 6.957e8
axis = (sun * (period * 86400) ** 2 / (4 * numpy.pi**2)) ** (1 / 3)
found = []
for w in (numpy.pi / 2, 0.0):
    distance = axis * (1 - e**2) / (1 + e * numpy.sin(w))
    across = (sun * axis * (1 - e**2)) ** 0.5 / distance  # speed across the line of sight at the transit
    right = 2 * radius / across / 60  # of a planet that moves evenly behind the middle of the star
    found.append(transit_duration(period, e, w, 90.0, 1.0, 1.0))
    print(f"transit with w = {numpy.degrees(w):.0f} degrees: {found[-1]:.0f} minutes, should be some {right:.0f}")
    assert abs(found[-1] / right - 1) > 0.3
END
environment/bin/python -W ignore compare.py
